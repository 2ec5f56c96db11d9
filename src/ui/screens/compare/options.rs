//! The options of the comparison: column, axes, window, cursor, and grouping.

use crate::ui::model::chart_options::ChartOptions;
use crate::ui::model::zoom::Zoom;
use crate::ui::widgets::x_axis::RunAxis;

use super::series::ComparedSeries;

#[derive(Clone, Debug)]
pub(super) struct ComparisonOptions {
    /// The selected column, if any.
    pub(super) column: Option<String>,
    /// X-axis, scale, window, and crosshair.
    pub(super) charts: ChartOptions,
    pub(super) zoom: Zoom,
    /// Whether runs of the same preset are averaged.
    is_grouped: bool,
    /// The index of the threshold in [`THRESHOLDS`].
    threshold: usize,
}

/// Thresholds, as fractions of 1 for shares and of the highest observed value for other columns.
const THRESHOLDS: [f64; 9] = [0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0];

impl Default for ComparisonOptions {
    fn default() -> Self {
        Self {
            column: None,
            charts: ChartOptions::default(),
            zoom: Zoom::Out,
            is_grouped: false,
            threshold: 5,
        }
    }
}

impl ComparisonOptions {
    /// Switches to the next x-axis and moves the cursor to its end.
    pub(super) fn next_axis(&mut self) {
        self.charts.x_unit = self.charts.x_unit.next();
        self.charts.crosshair.move_to_end();
    }

    pub(super) fn toggle_grouping(&mut self) {
        self.is_grouped = !self.is_grouped;
    }

    pub(super) fn is_grouped(&self) -> bool {
        self.is_grouped
    }

    pub(super) fn raise_threshold(&mut self) {
        self.threshold = (self.threshold + 1).min(THRESHOLDS.len() - 1);
    }

    pub(super) fn lower_threshold(&mut self) {
        self.threshold = self.threshold.saturating_sub(1);
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
