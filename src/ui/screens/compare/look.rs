//! How the comparison is looked at: which column, along which axis, how much of it, and where values are read.

use crate::ui::screens::run::lens::Charts;
use crate::ui::widgets::across::Track;
use crate::ui::widgets::needle::Needle;
use crate::ui::zoom::Zoom;

use super::course::Runner;

#[derive(Clone, Debug)]
pub(super) struct Look {
    /// The column turned to, if any.
    pub(super) column: Option<String>,
    /// Axis, scale and window.
    pub(super) charts: Charts,
    /// Where values are read.
    pub(super) needle: Needle,
    pub(super) zoom: Zoom,
    grouping: Grouping,
    /// Which of [`BOUNDS`] is to be reached.
    bound: usize,
}

/// Whether runs of a preset are shown as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grouping {
    Each,
    Presets,
}

/// Bounds, as shares of the highest that a share can be, or that any of the runs has reached.
const BOUNDS: [f64; 9] = [0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0];

impl Default for Look {
    fn default() -> Self {
        Self {
            column: None,
            charts: Charts::default(),
            needle: Needle::default(),
            zoom: Zoom::Out,
            grouping: Grouping::Each,
            bound: 5,
        }
    }
}

impl Look {
    /// Turns to the next axis, on which values are read from its end.
    pub(super) fn turn_axis(&mut self) {
        self.charts.over = self.charts.over.following();
        self.needle.restart();
    }

    pub(super) fn turn_grouping(&mut self) {
        self.grouping = match self.grouping {
            Grouping::Each => Grouping::Presets,
            Grouping::Presets => Grouping::Each,
        };
    }

    pub(super) fn is_grouped(&self) -> bool {
        self.grouping == Grouping::Presets
    }

    pub(super) fn raise_bound(&mut self) {
        self.bound = (self.bound + 1).min(BOUNDS.len() - 1);
    }

    pub(super) fn lower_bound(&mut self) {
        self.bound = self.bound.saturating_sub(1);
    }

    pub(super) fn bound(&self) -> f64 {
        BOUNDS[self.bound]
    }

    /// What is shown of the runs from left to right.
    pub(super) fn window(&self, runs: &[Runner<'_>]) -> (f64, f64) {
        let tracks = runs.iter().map(|run| run.track(self.charts.over));
        self.charts.along(&tracks.collect::<Vec<Track<'_>>>())
    }
}
