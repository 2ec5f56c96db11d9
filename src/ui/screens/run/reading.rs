//! What is read where the cursor is: the generations it stands on, how far the run was then, and the figures of its columns.

use ratatui::text::{Line, Span};

use crate::metrics::Column;
use crate::metrics::history::{History, Reading};
use crate::metrics::stats::wilson;
use crate::ui::app::watch::Watch;
use crate::ui::theme::Theme;
use crate::ui::words;

/// A place in a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// The generations that share a bucket with the one read, both included.
    pub(super) first: u64,
    pub(super) last: u64,
}

impl Spot {
    pub(super) fn of(watch: &Watch, generation: u64) -> Self {
        let (first, last) = watch.history.stretch(generation);
        Self { first, last }
    }

    /// Which generations these are, and where there is room, the games and the time by their end.
    pub(super) fn words(self, watch: &Watch, theme: &Theme, room: usize) -> Line<'static> {
        let generations = format!("gen {}", stretch(self.first, self.last));
        let by_then = |name: &str| {
            let place = watch.facts.columns.place(name)?;
            Some(watch.history.read(place, self.last)?.bucket.last)
        };
        let games = by_then("games").map(|games| format!("{} games", words::rounded(games)));
        let time = by_then("seconds").map(words::clock);
        let all = [Some(generations.clone()), games, time];
        let text = all.into_iter().flatten().collect::<Vec<_>>().join(" · ");
        let fits = text.chars().count() <= room;
        let text = if fits { text } else { generations };
        Line::styled(theme.plain(text), theme.accent)
    }

    /// The setting turned nearest to it, if any was.
    pub(super) fn edit(self, watch: &Watch, theme: &Theme) -> Option<Line<'static>> {
        let marks = watch.marks.iter();
        let mark = marks.min_by_key(|mark| mark.generation.abs_diff(self.first))?;
        let sign = theme.plain("▲ ".to_owned());
        let words = format!("{} at gen {}", mark.label, mark.generation);
        Some(Line::from(vec![
            Span::styled(sign, theme.key),
            Span::styled(words, theme.dim),
        ]))
    }

    /// What a column holds there.
    pub(super) fn read(self, history: &History, place: usize) -> Option<Reading> {
        history.read(place, self.first)
    }

    /// A figure, and where it is not of the generations read, of which.
    pub(super) fn figure(self, column: &Column, read: &Reading) -> String {
        let mean = read.bucket.mean().unwrap_or(read.bucket.last);
        let figure = words::figure(column, mean);
        if read.last < self.first {
            format!("{figure} g{}", read.last)
        } else {
            figure
        }
    }
}

/// Generations from one to another, both included.
pub fn stretch(first: u64, last: u64) -> String {
    let count = |generation: u64| words::count(generation as f64);
    if first == last {
        count(first)
    } else {
        format!("{}–{}", count(first), count(last))
    }
}

/// The smallest and the largest figure where several are read as one.
pub fn ends(column: &Column, read: &Reading) -> Option<String> {
    let bucket = read.bucket;
    (bucket.min < bucket.max).then(|| {
        let figure = |value| words::figure(column, value);
        format!("{}–{}", figure(bucket.min), figure(bucket.max))
    })
}

/// The 95 % interval of a share of so many games.
pub(super) fn interval(read: &Reading, games: u32) -> Option<String> {
    let (low, high) = wilson(read.bucket.mean()?.clamp(0.0, 1.0), games);
    Some(format!("{}–{}", words::percent(low), words::percent(high)))
}
