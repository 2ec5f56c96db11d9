//! How the comparison is looked at: which column, along which axis, how much of it, and where values are read.

use crate::metrics::over::Over;
use crate::ui::app::Zoom;
use crate::ui::screens::run::lens::Charts;

use super::course::Runner;

#[derive(Clone, Debug)]
pub(super) struct Look {
    /// The column turned to, if any.
    pub(super) column: Option<String>,
    /// Axis, scale and window.
    pub(super) charts: Charts,
    /// Where values are read, in the unit of the axis; what lies beyond the window means its end.
    pub(super) cursor: Option<f64>,
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
            cursor: None,
            zoom: Zoom::Out,
            grouping: Grouping::Each,
            bound: 5,
        }
    }
}

impl Look {
    pub(super) fn toggle_reading(&mut self) {
        self.cursor = match self.cursor {
            Some(_) => None,
            None => Some(f64::INFINITY),
        };
    }

    /// Turns to the next axis, on which values are read from its end.
    pub(super) fn turn_axis(&mut self) {
        self.charts.over = self.charts.over.following();
        self.cursor = self.cursor.map(|_| f64::INFINITY);
    }

    pub(super) fn turn_zoom(&mut self) {
        self.zoom = match self.zoom {
            Zoom::In => Zoom::Out,
            Zoom::Out => Zoom::In,
        };
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

    /// A place on the axis where values can be read: generations are whole.
    pub(super) fn whole(&self, place: f64) -> f64 {
        match self.charts.over {
            Over::Generations => place.round(),
            Over::Games | Over::Seconds => place,
        }
    }

    /// What is shown from left to right: all runs, or as much as the last generations of the one that ends last.
    pub(super) fn window(&self, runs: &[Runner<'_>]) -> (f64, f64) {
        let tracks = || runs.iter().map(|run| run.track(self.charts.over));
        let end = |run: &crate::ui::widgets::across::Track<'_>| run.place(run.end);
        let Some(longest) = tracks().max_by(|a, b| end(a).total_cmp(&end(b))) else {
            return (0.0, 0.0);
        };
        let begins = tracks().map(|track| track.place(track.start));
        let begin = begins.fold(f64::INFINITY, f64::min);
        let first = match self.charts.window {
            Some(window) => longest.place((longest.end + 1).saturating_sub(window)),
            None => begin,
        };
        (first.max(begin), end(&longest))
    }
}
