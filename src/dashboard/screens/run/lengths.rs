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
use crate::widgets::text::{below, columns_of, cut_below, put, put_right};
use crate::widgets::truncate::truncate;
use finches_engine::metrics::lengths::GameLengths;

use super::charts::PaneContext;
use super::reading::format_range;

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
        title: Line::from("Lengths of games, in moves"),
        right: Line::styled(format!("g{}", snapshot.champion.generation), theme.dim),
        bottom_left: Line::from(vec![
            Span::styled(theme.sign("▲", "^"), theme.accent),
            Span::styled(" mean ", theme.dim),
            Span::styled(format::short(mean), theme.accent),
        ]),
        bottom_right: Line::styled(format!("{games} games"), theme.dim),
        hue: Some(theme.series[2]),
    };
    let inner = frame.pane(context.focus, theme, context.area, buf);
    draw(lengths, mean, theme, inner, buf);
}

/// The columns of a bar from which on it has its own length and share.
const LABELED: u16 = 6;

/// Draws the bars and, below them, a mark at the mean and the length of each bar, or the shortest
/// and the longest. Above them is the share of each, or that of the highest.
fn draw(lengths: &GameLengths, mean: f64, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let bars = lengths.bars(area.width.into());
    let (Some((shortest, longest)), 2..) = (lengths.range(), area.height) else {
        return;
    };
    // A bar for one length is centered on it.
    let at = (mean - f64::from(bars.first) + 0.5) / f64::from(bars.step);
    let pitch = area.width / (bars.games.len() as u16).max(1);
    let is_labeled = pitch >= LABELED;
    let histogram = Histogram {
        counts: &bars.games,
        marked: Some(at as usize),
        style: theme.series[2],
        gap: if is_labeled { 2 } else { 0 },
    };
    let width = histogram.width(area.width);
    let (all, axis) = cut_below(columns_of(area, 0, width), 1);
    let drawn = below(all, 1);
    histogram.draw(theme, drawn, buf);
    let games = lengths.games() as f64;
    let label = |words: String| Span::styled(words, theme.dim);
    let name = |place: usize| {
        let from = u64::from(bars.first) + place as u64 * u64::from(bars.step);
        format_range(from, from + u64::from(bars.step) - 1)
    };
    let share = |count: u32| format::percent(f64::from(count) / games);
    let bars_by_size = bars.games.iter().enumerate();
    let Some((place, highest)) = bars_by_size.max_by_key(|(_, count)| **count) else {
        return;
    };
    if is_labeled {
        for (place, count) in bars.games.iter().enumerate() {
            let left = place as u16 * pitch;
            let rows = u64::from(*count) * u64::from(drawn.height);
            let rows = rows.div_ceil(u64::from(*highest).max(1)) as u16;
            let column = columns_of(all, left, pitch);
            put(buf, column, drawn.height - rows, label(share(*count)));
            put(buf, columns_of(axis, left, pitch), 0, label(name(place)));
        }
    } else {
        let words = format!("{} of the games have {}", share(*highest), name(place));
        put(buf, area, 0, label(truncate(&words, area.width.into())));
        put(buf, axis, 0, label(shortest.to_string()));
        put_right(buf, axis, 0, label(longest.to_string()));
    }
    let x = if is_labeled {
        at as u16 * pitch + name(at as usize).chars().count() as u16 + 1
    } else {
        (at * f64::from(pitch)) as u16
    };
    let mark = columns_of(axis, x, 1);
    let sign = theme.sign("▲", "^");
    put(buf, mark, 0, Span::styled(sign, theme.accent));
}
