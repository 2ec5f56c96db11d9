//! A histogram of the game lengths of the latest generation, with the mean.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::format;
use crate::model::run::RunModel;
use crate::screens::placeholder;
use crate::theme::Theme;
use crate::widgets::frame::Frame;
use crate::widgets::histogram::Histogram;
use crate::widgets::text::{columns_of, cut_below, put, put_all, put_right};
use crate::widgets::truncate::wrapped;
use finches_engine::metrics::lengths::GameLengths;
use finches_engine::text::counted;

use super::charts::PaneContext;

pub(super) fn view(watch: &RunModel, context: PaneContext<'_>, buf: &mut Buffer) {
    let theme = context.theme;
    let snapshot = watch.snapshot.as_deref();
    let Some((snapshot, mean)) =
        snapshot.and_then(|snapshot| Some((snapshot, snapshot.lengths.mean()?)))
    else {
        let inner = Frame::titled("Lengths of games").pane(context.focus, theme, context.area, buf);
        placeholder::draw(Some(watch), theme, inner, buf);
        return;
    };
    let lengths = &snapshot.lengths;
    let games = format::count(lengths.games() as f64);
    let frame = Frame {
        title: Line::from("Lengths of games"),
        right: Line::styled(format!("g{}", snapshot.champion.generation), theme.dim),
        bottom_left: Line::from(vec![
            Span::styled("mean ", theme.dim),
            Span::styled(format::short(mean), theme.accent),
        ]),
        bottom_right: Line::styled(format!("{games} games"), theme.dim),
        hue: Some(theme.series[2]),
    };
    let inner = frame.pane(context.focus, theme, context.area, buf);
    draw(lengths, mean, theme, inner, buf);
}

/// Draws the bars and, below them, the shortest and longest length and a mark at the mean.
fn draw(lengths: &GameLengths, mean: f64, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let bars = lengths.bars(area.width.into());
    let (Some((shortest, longest)), 2..) = (lengths.range(), area.height) else {
        return;
    };
    if shortest == longest {
        let words = format!("every game has {}", counted(shortest as usize, "move"));
        put_all(buf, area, wrapped(&words, area.width.into(), theme.text));
        return;
    }
    // A bar for one length is centered on it.
    let at = (mean - f64::from(bars.first) + 0.5) / f64::from(bars.step);
    let histogram = Histogram {
        counts: &bars.games,
        marked: Some(at as usize),
        style: theme.series[2],
    };
    let width = histogram.width(area.width);
    let (all, axis) = cut_below(columns_of(area, 0, width), 1);
    histogram.draw(theme, all, buf);
    put(buf, axis, 0, Span::styled(shortest.to_string(), theme.dim));
    put_right(buf, axis, 0, Span::styled(longest.to_string(), theme.dim));
    let bar = histogram.bar(area.width);
    let mark = columns_of(axis, (at * f64::from(bar)) as u16, 1);
    let sign = theme.sign("▲", "^");
    put(buf, mark, 0, Span::styled(sign, theme.accent));
}
