//! The layout of an experiment's dashboard by terminal size, and the grid of its charts.

use std::cmp::Reverse;

use ratatui::layout::Rect;

use crate::screens::run::layout::{SizeClass, height_class, width_class};

use super::sweep::{self, SweepPane, SweepView};
use super::{ChartScope, ExperimentScreen};
use super::{matrix_table, running, table};

/// The areas of the panes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ExperimentLayout {
    pub charts: Rect,
    pub table: Option<Rect>,
    pub underway: Option<Rect>,
}

/// Rows above and below the panes: two for the header, one for the legend, one for the status.
const ABOVE: u16 = 3;
const BELOW: u16 = 1;

/// The layout of the screen in an area. The row of keys lies below it.
pub(super) fn layout(model: &ExperimentScreen, area: Rect) -> ExperimentLayout {
    let body = Rect {
        y: area.y + ABOVE,
        height: area.height.saturating_sub(ABOVE + BELOW),
        ..area
    };
    if model.scope == ChartScope::OnePreset {
        return ExperimentLayout {
            charts: body,
            table: None,
            underway: None,
        };
    }
    if let ChartScope::OneRun(_) = model.scope {
        let (charts, values) = split(body, body.height / 2);
        return ExperimentLayout {
            charts,
            table: Some(values),
            underway: None,
        };
    }
    let (wide, tall) = (width_class(area.width), height_class(area.height + 1));
    let most = match tall {
        // The table of games and schemes says more than its charts.
        _ if model.matrix.is_some() => body.height * 3 / 5,
        SizeClass::Small => body.height * 2 / 5,
        SizeClass::Medium | SizeClass::Large => body.height / 3,
    };
    let wanted = match (shown_sweep(model), &model.matrix) {
        (Some(view), _) => sweep::height(view),
        (None, Some(results)) => matrix_table::height(results),
        (None, None) => table::height(model),
    };
    let table = wanted.min(most).max(5);
    let under = running::height(model);
    match (wide, tall) {
        _ if model.is_over() || tall == SizeClass::Small => {
            let (charts, table) = split(body, table);
            ExperimentLayout {
                charts,
                table: Some(table),
                underway: None,
            }
        }
        (SizeClass::Large, _) => {
            let (charts, mut both) = split(body, table.max(under.min(most)));
            let mut beside = both;
            both.width = both.width * 5 / 9;
            beside.x += both.width;
            beside.width -= both.width;
            ExperimentLayout {
                charts,
                table: Some(both),
                underway: Some(beside),
            }
        }
        _ => {
            let (upper, table) = split(body, table);
            let (charts, underway) = split(upper, under.min(body.height / 4));
            ExperimentLayout {
                charts,
                table: Some(table),
                underway: Some(underway),
            }
        }
    }
}

/// The sweep that is shown in place of charts.
pub(super) fn shown_sweep(model: &ExperimentScreen) -> Option<&SweepView> {
    let sweep = model.sweep.as_ref()?;
    let is_shown = model.scope == ChartScope::AllPresets && sweep.pane != SweepPane::Charts;
    is_shown.then_some(sweep)
}

/// Splits off rows at the bottom.
fn split(area: Rect, rows: u16) -> (Rect, Rect) {
    let rows = rows.min(area.height);
    let upper = Rect {
        height: area.height - rows,
        ..area
    };
    let lower = Rect {
        y: upper.bottom(),
        height: rows,
        ..area
    };
    (upper, lower)
}

/// The grid of charts on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChartGrid {
    pub columns: u16,
    pub rows: u16,
}

/// The smallest useful chart, with its frame.
const MIN_CHART: (u16, u16) = (26, 6);

/// The smallest chart for a single run. With less room the runs of a preset share a chart.
const MIN_RUN_CHART: (u16, u16) = (30, 7);

impl ChartGrid {
    /// The grid that shows the most of `count` charts, as large as possible.
    pub(super) fn for_count(count: usize, area: Rect) -> Self {
        let (most_across, most_down) = (
            (area.width / MIN_CHART.0).max(1),
            (area.height / MIN_CHART.1).max(1),
        );
        let count = count.clamp(1, most_across as usize * most_down as usize) as u16;
        let sizes = (1..=most_across.min(count)).map(|columns| {
            let rows = count.div_ceil(columns).min(most_down);
            Self { columns, rows }
        });
        let shows = |grid: &Self| (grid.columns * grid.rows).min(count);
        let best = sizes.max_by_key(|grid| {
            (
                shows(grid),
                grid.chart_size(area),
                Reverse(grid.page_size()),
            )
        });
        best.unwrap_or(Self {
            columns: 1,
            rows: 1,
        })
    }

    pub(super) fn page_size(self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// The grid that shows `groups` groups of `size` charts on one page, each group on its own
    /// rows.
    pub(super) fn for_groups(groups: usize, size: usize, area: Rect) -> Option<Self> {
        let down = |columns: u16| groups * size.div_ceil(columns as usize);
        let most = (area.width / MIN_RUN_CHART.0).min(size as u16);
        let grids =
            (1..=most).filter(|&columns| down(columns) <= (area.height / MIN_RUN_CHART.1) as usize);
        let grids = grids.map(|columns| Self {
            columns,
            rows: down(columns) as u16,
        });
        grids.max_by_key(|grid| (grid.chart_size(area), Reverse(grid.page_size())))
    }

    /// The size of a chart, for comparison. Charts look best three to four times as wide as high.
    fn chart_size(self, area: Rect) -> u16 {
        (area.width / self.columns * 2 / 7).min(area.height / self.rows)
    }

    /// The area of a chart on the page. Rows that do not divide evenly are left free at the bottom,
    /// unless there are few.
    pub(super) fn cell(self, place: usize, area: Rect) -> Rect {
        let (column, row) = (place as u16 % self.columns, place as u16 / self.columns);
        let edge = |size: u16, parts: u16, part: u16| {
            (u32::from(size) * u32::from(part)).div_ceil(u32::from(parts)) as u16
        };
        let (left, right) = (
            edge(area.width, self.columns, column),
            edge(area.width, self.columns, column + 1),
        );
        let height = match self.rows {
            0..=2 => area.height,
            down => area.height / down * down,
        };
        let (top, bottom) = (
            edge(height, self.rows, row),
            edge(height, self.rows, row + 1),
        );
        Rect {
            x: area.x + left,
            y: area.y + top,
            width: right - left,
            height: bottom - top,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(count: usize, size: (u16, u16), expected: (u16, u16)) {
        let grid = ChartGrid::for_count(count, Rect::new(0, 0, size.0, size.1));
        assert_eq!((grid.columns, grid.rows), expected, "{count} in {size:?}");
    }

    #[test]
    fn a_grid_shows_as_many_charts_as_fit_and_makes_them_large() {
        check(1, (80, 13), (1, 1));
        check(2, (80, 13), (2, 1));
        check(4, (80, 13), (2, 2));
        check(40, (80, 13), (3, 2));
        check(6, (200, 40), (3, 2));
        check(1, (5, 2), (1, 1));
    }

    #[test]
    fn the_charts_of_a_page_fill_its_area() {
        let area = Rect::new(3, 5, 80, 19);
        let grid = ChartGrid {
            columns: 3,
            rows: 2,
        };
        let cells: Vec<Rect> = (0..grid.page_size())
            .map(|place| grid.cell(place, area))
            .collect();
        let sum: u32 = cells.iter().map(|cell| cell.area()).sum();
        assert_eq!(sum, area.area());
        assert_eq!(cells[5].right(), area.right());
        assert_eq!(cells[5].bottom(), area.bottom());
    }
}
