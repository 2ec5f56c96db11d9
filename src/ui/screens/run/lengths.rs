//! How long the games of the latest generation were: a bar for each length, or each few, and the mean.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::metrics::lengths::Lengths;
use crate::ui::app::watch::Watch;
use crate::ui::screens::unplayed;
use crate::ui::theme::Theme;
use crate::ui::widgets::frame::Frame;
use crate::ui::widgets::histogram::Histogram;
use crate::ui::widgets::text::{inset, put, put_right};
use crate::ui::words;

use super::charts::Place;

pub(super) fn view(watch: &Watch, place: Place<'_>, buf: &mut Buffer) {
    let theme = place.theme;
    let snapshot = watch.snapshot.as_deref();
    let Some((snapshot, mean)) = snapshot.and_then(|told| Some((told, told.lengths.mean()?)))
    else {
        let inner = Frame::titled("Moves per game").draw(place.focus, theme, place.area, buf);
        unplayed::draw(Some(watch), theme, inset(inner, 1), buf);
        return;
    };
    let lengths = &snapshot.lengths;
    let games = words::count(lengths.games() as f64);
    let frame = Frame {
        title: Line::from("Moves per game"),
        right: Line::styled(format!("g{}", snapshot.champion.generation), theme.dim),
        bottom_left: Line::from(vec![
            Span::styled("mean ", theme.dim),
            Span::styled(words::short(mean), theme.accent),
        ]),
        bottom_right: Line::styled(format!("{games} games"), theme.dim),
    };
    let inner = inset(frame.draw(place.focus, theme, place.area, buf), 1);
    draw(lengths, mean, theme, inner, buf);
}

/// The bars, and below them what the first and the last stand for, with a mark at the mean.
fn draw(lengths: &Lengths, mean: f64, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let bars = lengths.bars(area.width.into());
    let (Some((shortest, longest)), 2..) = (lengths.range(), area.height) else {
        return;
    };
    // A bar for one length stands around it.
    let at = (mean - f64::from(bars.first) + 0.5) / f64::from(bars.step);
    let histogram = Histogram {
        counts: &bars.games,
        marked: Some(at as usize),
        style: theme.series[4],
    };
    let all = Rect {
        width: histogram.width(area.width),
        height: area.height - 1,
        ..area
    };
    histogram.draw(theme, all, buf);
    let axis = Rect {
        y: all.bottom(),
        height: 1,
        ..all
    };
    put(buf, axis, 0, Span::styled(shortest.to_string(), theme.dim));
    if longest > shortest {
        put_right(buf, axis, 0, Span::styled(longest.to_string(), theme.dim));
    }
    let bar = histogram.bar(area.width);
    let mark = Rect {
        x: axis.x + (at * f64::from(bar)) as u16,
        width: 1,
        ..axis
    };
    let sign = if theme.ascii { "^" } else { "▲" };
    put(buf, mark, 0, Span::styled(sign, theme.accent));
}
