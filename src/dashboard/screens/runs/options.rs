//! The options of the views: column, axes, window, cursor, and the parameters of the map.

use crate::model::chart_options::ChartOptions;
use crate::model::zoom::Zoom;
use crate::widgets::x_axis::RunAxis;

use super::RunsView;
use super::series::ComparedSeries;

#[derive(Clone, Debug)]
pub(super) struct RunsOptions {
    /// The selected column, if any.
    pub(super) column: Option<String>,
    /// X-axis, scale, window, and crosshair.
    pub(super) charts: ChartOptions,
    pub(super) zoom: Zoom,
    /// The two parameters of the map; `None` for the two strongest.
    pub(super) pair: Option<[String; 2]>,
    /// The first line shown of a view that consists of lines.
    pub(super) scroll: usize,
    /// The view that was left for the runs of a group.
    pub(super) left: Option<RunsView>,
    /// The index of the threshold in [`THRESHOLDS`].
    threshold: usize,
}

/// Thresholds, as fractions of 1 for shares and of the highest observed value for other columns.
const THRESHOLDS: [f64; 9] = [0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0];

impl Default for RunsOptions {
    fn default() -> Self {
        Self {
            column: None,
            charts: ChartOptions::default(),
            zoom: Zoom::Out,
            pair: None,
            scroll: 0,
            left: None,
            threshold: 5,
        }
    }
}

impl RunsOptions {
    /// Switches to the next x-axis and moves the cursor to its end.
    pub(super) fn next_axis(&mut self) {
        self.charts.x_unit = self.charts.x_unit.next();
        self.charts.crosshair.move_to_end();
    }

    /// Moves to a higher or a lower threshold.
    pub(super) fn move_threshold(&mut self, by: isize) {
        let moved = self.threshold.saturating_add_signed(by);
        self.threshold = moved.min(THRESHOLDS.len() - 1);
    }

    pub(super) fn threshold(&self) -> f64 {
        THRESHOLDS[self.threshold]
    }

    /// The x-axis limits for these runs.
    pub(super) fn window(&self, runs: &[ComparedSeries<'_>]) -> (f64, f64) {
        let tracks = runs.iter().map(|run| run.track(self.charts.x_unit));
        self.charts
            .visible_extent(&tracks.collect::<Vec<RunAxis<'_>>>())
    }
}
