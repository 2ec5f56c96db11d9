//! How the charts are looked at: which measure, how many generations, which axis. It draws nothing.

use crate::metrics::over::Over;
use crate::ui::app::watch::Watch;
use crate::ui::widgets::across::Track;
use crate::ui::widgets::needle::{STEPS, Way};
use crate::ui::widgets::plot::Scale;
use crate::ui::words;

/// How the charts are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Charts {
    /// Which measure the main chart shows, counted round.
    pub metric: usize,
    /// The last generations shown, or all.
    pub window: Option<u64>,
    /// What the charts go over.
    pub over: Over,
    pub cursor: Cursor,
    logarithmic: Logarithmic,
}

/// The generation at which values are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cursor {
    /// None are read.
    #[default]
    Off,
    /// The latest there is, also when others come.
    Latest,
    At(u64),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Logarithmic {
    Yes,
    #[default]
    No,
}

/// The windows there are, in generations.
const WINDOWS: [u64; 8] = [30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000];

impl Charts {
    /// Charts over all there is, on this axis.
    pub fn along_axis(over: Over) -> Self {
        Self {
            over,
            ..Self::default()
        }
    }

    pub fn scale(&self) -> Scale {
        match self.logarithmic {
            Logarithmic::Yes => Scale::Logarithmic,
            Logarithmic::No => Scale::Linear,
        }
    }

    pub fn toggle_scale(&mut self) {
        self.logarithmic = match self.logarithmic {
            Logarithmic::Yes => Logarithmic::No,
            Logarithmic::No => Logarithmic::Yes,
        };
    }

    pub fn widen(&mut self) {
        let wider = |window: u64| WINDOWS.into_iter().find(|&wider| wider > window);
        self.window = self.window.and_then(wider);
    }

    /// The next narrower window of a run that has done so many generations.
    pub fn narrow(&mut self, generations: u64) {
        let now = self.window.unwrap_or(generations);
        let narrower = WINDOWS.into_iter().rev().find(|&narrower| narrower < now);
        self.window = narrower.or(Some(WINDOWS[0]));
    }

    /// Reads values, or stops it.
    pub fn toggle_reading(&mut self) {
        self.cursor = match self.cursor {
            Cursor::Off => Cursor::Latest,
            Cursor::Latest | Cursor::At(_) => Cursor::Off,
        };
    }

    /// The generation read, within the window.
    pub fn reading(&self, watch: &Watch) -> Option<u64> {
        let (first, last) = self.shown(watch);
        match self.cursor {
            Cursor::Off => None,
            Cursor::Latest => Some(last),
            Cursor::At(generation) => Some(generation.clamp(first, last)),
        }
    }

    /// Moves the cursor, a bucket at least.
    pub fn step(&mut self, way: Way, watch: &Watch) {
        let Some(now) = self.reading(watch) else {
            return;
        };
        let (first, last) = self.shown(watch);
        let step = ((last - first) / STEPS).next_multiple_of(watch.history.span());
        let step = step.max(watch.history.span());
        let then = first + way.from(now - first, last - first, step);
        self.read_at(then, watch);
    }

    /// Puts the cursor at a share of the way from the left to the right edge.
    pub fn read_at_share(&mut self, share: f64, watch: &Watch) {
        let (first, last) = self.shown(watch);
        let track = Track::of(self.over, &watch.history, &watch.facts.columns);
        let (left, right) = (track.place(first), track.place(last));
        let place = left + (right - left) * share;
        let before = track.generation(place).clamp(first, last);
        // The nearer of the two generations between which the place lies.
        let after = (before + 1).min(last);
        let is_nearer = track.place(after) - place < place - track.place(before);
        self.read_at(if is_nearer { after } else { before }, watch);
    }

    /// Puts the cursor on a generation; on the last it stays with the run.
    pub fn read_at(&mut self, generation: u64, watch: &Watch) {
        self.cursor = if generation >= self.shown(watch).1 {
            Cursor::Latest
        } else {
            Cursor::At(generation)
        };
    }

    /// The generations shown, both included.
    pub(super) fn shown(&self, watch: &Watch) -> (u64, u64) {
        let last = watch.generation.saturating_sub(1);
        let start = watch.history.start();
        let first = self
            .window
            .map_or(start, |window| (last + 1).saturating_sub(window).max(start));
        (first, last.max(first))
    }

    /// What is shown of several runs from left to right: all of them, or as much as the last generations of the one that ends
    /// last.
    pub fn along(&self, tracks: &[Track<'_>]) -> (f64, f64) {
        let end = |track: &Track<'_>| track.place(track.end);
        let longest = tracks.iter().max_by(|a, b| end(a).total_cmp(&end(b)));
        let Some(longest) = longest else {
            return (0.0, 0.0);
        };
        let begins = tracks.iter().map(|track| track.place(track.start));
        let begin = begins.fold(f64::INFINITY, f64::min);
        let first = match self.window {
            Some(window) => longest.place((longest.end + 1).saturating_sub(window)),
            None => begin,
        };
        (first.max(begin), end(longest))
    }

    /// How the charts are looked at, in words.
    pub fn words(&self) -> String {
        let window = self.window.map_or("all generations".to_owned(), |window| {
            format!("last {}", words::count(window as f64))
        });
        let over = match self.over {
            Over::Generations => "",
            Over::Games => " · by games",
            Over::Seconds => " · by time",
        };
        let scale = match self.scale() {
            Scale::Linear => "",
            Scale::Logarithmic => " · log",
        };
        format!("{window}{over}{scale}")
    }
}
