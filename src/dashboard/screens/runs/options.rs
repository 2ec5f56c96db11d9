//! The options of the views: column, axes, window, cursor, and the parameters of the map.

use crate::model::chart_options::ChartOptions;
use crate::model::zoom::Zoom;
use crate::widgets::x_axis::RunAxis;
use finches_engine::metrics::Column;

use super::RunsView;
use super::series::ComparedSeries;

#[derive(Clone, Debug, Default)]
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
    /// One of [`THRESHOLDS`]; `None` for the target, if there is one.
    pub(super) threshold: Option<u32>,
}

/// Thresholds in percent, of 1 for shares and of the highest observed value for other columns, and
/// the one beside which the first chosen one lies.
const THRESHOLDS: [u32; 9] = [25, 50, 60, 70, 80, 90, 95, 99, 100];
const USUAL: u32 = 90;

impl RunsOptions {
    /// Switches to the next x-axis and moves the cursor to its end.
    pub(super) fn next_axis(&mut self) {
        self.charts.x_unit = self.charts.x_unit.next();
        self.charts.crosshair.move_to_end();
    }

    /// Moves to a higher or a lower threshold.
    pub(super) fn move_threshold(&mut self, by: isize) {
        let now = self.threshold.unwrap_or(USUAL);
        let place = THRESHOLDS.iter().position(|one| *one == now).unwrap_or(0);
        let moved = place.saturating_add_signed(by).min(THRESHOLDS.len() - 1);
        self.threshold = Some(THRESHOLDS[moved]);
    }

    /// The x-axis limits for these runs, with what is published of them for a column.
    pub(super) fn window(
        &self,
        runs: &[ComparedSeries<'_>],
        column: Option<&Column>,
    ) -> (f64, f64) {
        let x_unit = self.charts.x_unit;
        let tracks: Vec<RunAxis<'_>> = runs.iter().map(|run| run.track(x_unit)).collect();
        let (first, last) = self.charts.visible_extent(&tracks);
        let column = column.filter(|_| self.charts.window.is_none());
        let times = runs
            .iter()
            .filter_map(|run| run.published_time(column?, x_unit));
        (first, times.fold(last, f64::max))
    }
}
