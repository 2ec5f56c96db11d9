//! The values at the chart cursor: its generations, the games and the time up to them, and the
//! values of the columns.

use ratatui::text::{Line, Span};

use crate::format;
use crate::model::run::RunModel;
use crate::theme::Theme;
use crate::widgets::truncate::width;
use finches_engine::metrics::Column;
use finches_engine::metrics::history::{History, HistoryPoint};
use finches_engine::metrics::stats::wilson;
use finches_engine::session::measures::{Measure, progress};

/// The generations under the cursor.
#[derive(Clone, Copy, Debug)]
pub(super) struct CursorSpan {
    /// The first and last generation of the bucket under the cursor, both inclusive.
    pub(super) first: u64,
    pub(super) last: u64,
}

impl CursorSpan {
    pub(super) fn of(watch: &RunModel, generation: u64) -> Self {
        let (first, last) = watch.history.bucket_range(generation);
        Self { first, last }
    }

    /// The generations and, if `room` allows, the games and the working time up to the last of
    /// them.
    pub(super) fn summary(self, watch: &RunModel, theme: &Theme, room: usize) -> Line<'static> {
        let generations = format!("gen {}", format_range(self.first, self.last));
        let by_then = |measure: &Measure| {
            let place = watch.facts.columns.place(measure)?;
            Some(watch.history.read(place, self.last)?.bucket.last)
        };
        let games = by_then(&progress::GAMES);
        let games = games.map(|games| format!("{} games", format::rounded(games)));
        let time = by_then(&progress::SECONDS);
        let time = time.map(|time| format!("{} of work", format::clock(time)));
        let all = [Some(generations.clone()), games, time];
        let text = all.into_iter().flatten().collect::<Vec<_>>().join(" · ");
        let fits = width(&text) <= room;
        let text = if fits { text } else { generations };
        Line::styled(text, theme.accent)
    }

    /// The nearest parameter change, if any.
    pub(super) fn nearest_change(self, watch: &RunModel, theme: &Theme) -> Option<Line<'static>> {
        let marks = watch.marks().into_iter();
        let mark = marks.min_by_key(|mark| mark.generation.abs_diff(self.first))?;
        let words = format!("{} at gen {}", mark.label, format::whole(mark.generation));
        Some(Line::from(vec![
            Span::styled("▲ ", theme.key),
            Span::styled(words, theme.dim),
        ]))
    }

    /// The values of a column at the cursor.
    pub(super) fn read(self, history: &History, place: usize) -> Option<HistoryPoint> {
        history.read(place, self.first)
    }

    /// The value, followed by its generation if that is before the cursor.
    pub(super) fn figure(self, column: &Column, read: &HistoryPoint) -> String {
        let mean = read.bucket.mean().unwrap_or(read.bucket.last);
        let figure = column.figure(mean);
        if read.last < self.first {
            format!("{figure} g{}", read.last)
        } else {
            figure
        }
    }
}

/// Formats a range of generations, both ends inclusive.
pub fn format_range(first: u64, last: u64) -> String {
    let count = |generation: u64| format::count(generation as f64);
    if first == last {
        count(first)
    } else {
        format!("{}–{}", count(first), count(last))
    }
}

/// The smallest and the largest value of a bucket, if they differ.
pub fn format_extremes(column: &Column, read: &HistoryPoint) -> Option<String> {
    let bucket = read.bucket;
    (bucket.min < bucket.max).then(|| {
        let figure = |value| column.figure(value);
        format!("{}–{}", figure(bucket.min), figure(bucket.max))
    })
}

/// The 95% Wilson interval of a share measured over `games` games.
pub(super) fn confidence_interval(read: &HistoryPoint, games: u32) -> Option<String> {
    let (low, high) = wilson(read.bucket.mean()?.clamp(0.0, 1.0), games);
    Some(format!(
        "{}–{}",
        format::percent(low),
        format::percent(high)
    ))
}
