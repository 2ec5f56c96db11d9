//! The options of the charts: the measure, the window of generations, the axes, and the cursor.
//! Draws nothing.

use crate::format;
use crate::model::run::RunModel;
use crate::widgets::crosshair::{Crosshair, STEPS};
use crate::widgets::plot::AxisScale;
use crate::widgets::x_axis::RunAxis;
use finches_engine::metrics::progress_unit::ProgressUnit;

/// The options of the charts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ChartOptions {
    /// The page of measures in the main chart, modulo the number of pages.
    pub metric: usize,
    /// The number of latest generations shown; `None` for all.
    pub window: Option<u64>,
    /// The quantity on the x-axis.
    pub x_unit: ProgressUnit,
    /// The crosshair; on the Run screen its unit is generations, else that of the x-axis.
    pub crosshair: Crosshair,
    is_logarithmic: bool,
}

/// The available windows, in generations.
const WINDOWS: [u64; 8] = [30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000];

impl ChartOptions {
    pub fn scale(&self) -> AxisScale {
        if self.is_logarithmic {
            AxisScale::Logarithmic
        } else {
            AxisScale::Linear
        }
    }

    pub fn toggle_scale(&mut self) {
        self.is_logarithmic = !self.is_logarithmic;
    }

    /// Switches to the next wider window; to all generations if it would be as long as the run.
    pub fn widen(&mut self, generations: u64) {
        let wider = |window| {
            let mut windows = WINDOWS.into_iter();
            windows.find(|wider| (window + 1..generations).contains(wider))
        };
        self.window = self.window.and_then(wider);
    }

    /// Switches to the next narrower window; `generations` is the length of the run.
    pub fn narrow(&mut self, generations: u64) {
        let now = self.window.unwrap_or(generations);
        let narrower = WINDOWS.into_iter().rev().find(|&narrower| narrower < now);
        self.window = narrower.or(Some(WINDOWS[0]));
    }

    /// The generation under the cursor, limited to the window.
    pub fn cursor_generation(&self, watch: &RunModel) -> Option<u64> {
        let place = self.crosshair.position(self.generation_window(watch));
        place.map(|place| place as u64)
    }

    fn generation_window(&self, watch: &RunModel) -> (f64, f64) {
        let (first, last) = self.visible_range(watch);
        (first as f64, last as f64)
    }

    /// Moves the cursor by at least one bucket.
    pub fn step_cursor(&mut self, steps: i64, watch: &RunModel) {
        let (first, last) = self.visible_range(watch);
        let span = watch.history.span();
        let step = ((last - first) / STEPS).next_multiple_of(span).max(span);
        let window = self.generation_window(watch);
        self.crosshair.step(steps, step as f64, window);
    }

    /// Moves the cursor to a fraction (0..=1) of the chart's width.
    pub fn move_cursor_to_fraction(&mut self, share: f64, watch: &RunModel) {
        let (first, last) = self.visible_range(watch);
        let track = RunAxis::of(self.x_unit, &watch.history, &watch.facts.columns);
        let (left, right) = (track.place(first), track.place(last));
        let place = left + (right - left) * share;
        let before = track.generation(place).clamp(first, last);
        // Choose the nearer of the two neighboring generations.
        let after = (before + 1).min(last);
        let is_nearer = track.place(after) - place < place - track.place(before);
        let generation = if is_nearer { after } else { before };
        self.crosshair.move_to(generation as f64, last as f64);
    }

    /// The first and last generation shown, both inclusive.
    pub fn visible_range(&self, watch: &RunModel) -> (u64, u64) {
        let last = watch.generation.saturating_sub(1);
        let start = watch.history.start();
        let first = self
            .window
            .map_or(start, |window| (last + 1).saturating_sub(window).max(start));
        (first, last.max(first))
    }

    /// The x-axis limits for several runs: the extent of all of them, or the window of the run that
    /// ends last.
    pub fn visible_extent(&self, tracks: &[RunAxis<'_>]) -> (f64, f64) {
        let end = |track: &RunAxis<'_>| track.place(track.end);
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

    /// The options in words, such as `last 300 · by games · log`.
    pub fn description(&self) -> String {
        let window = self.window.map_or("all generations".to_owned(), |window| {
            format!("last {}", format::count(window as f64))
        });
        let unit = match self.x_unit {
            ProgressUnit::Generations => "",
            ProgressUnit::Games => " · by games",
            ProgressUnit::Seconds => " · by time",
        };
        let scale = match self.scale() {
            AxisScale::Linear => "",
            AxisScale::Logarithmic => " · log",
        };
        format!("{window}{unit}{scale}")
    }
}
