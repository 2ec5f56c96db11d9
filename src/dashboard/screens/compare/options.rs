//! The options of the comparison: column, axes, window, cursor, and grouping.

use crate::model::chart_options::ChartOptions;
use crate::model::zoom::Zoom;
use crate::widgets::x_axis::RunAxis;
use finches_runs::storage::views::RunGrouping;

use super::parameters::last_word;
use super::series::ComparedSeries;

#[derive(Clone, Debug)]
pub(super) struct ComparisonOptions {
    /// The selected column, if any.
    pub(super) column: Option<String>,
    /// X-axis, scale, window, and crosshair.
    pub(super) charts: ChartOptions,
    pub(super) zoom: Zoom,
    /// Which runs are averaged.
    pub(super) grouping: RunGrouping,
    /// The index of the threshold in [`THRESHOLDS`].
    threshold: usize,
}

/// What is said of a grouping in the chart.
pub(super) fn grouping_words(grouping: &RunGrouping) -> Option<String> {
    match grouping {
        RunGrouping::Each => None,
        RunGrouping::ByPreset => Some(" · mean by preset".to_owned()),
        RunGrouping::ByParameter(key) => Some(format!(" · mean by {}", last_word(key))),
    }
}

/// Thresholds, as fractions of 1 for shares and of the highest observed value for other columns.
const THRESHOLDS: [f64; 9] = [0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0];

impl Default for ComparisonOptions {
    fn default() -> Self {
        Self {
            column: None,
            charts: ChartOptions::default(),
            zoom: Zoom::Out,
            grouping: RunGrouping::Each,
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

    /// Groups runs in the next way: not at all, by preset, then by each parameter in which they
    /// differ.
    pub(super) fn next_grouping(&mut self, differing: &[String]) {
        let next = match &self.grouping {
            RunGrouping::Each => None,
            RunGrouping::ByPreset => Some(0),
            RunGrouping::ByParameter(key) => {
                let place = differing.iter().position(|known| known == key);
                Some(place.map_or(differing.len(), |place| place + 1))
            }
        };
        self.grouping = match next {
            None => RunGrouping::ByPreset,
            Some(place) => match differing.get(place) {
                Some(key) => RunGrouping::ByParameter(key.clone()),
                None => RunGrouping::Each,
            },
        };
    }

    pub(super) fn is_grouped(&self) -> bool {
        self.grouping != RunGrouping::Each
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
