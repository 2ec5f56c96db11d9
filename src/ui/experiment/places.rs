//! Where the panes of an experiment's dashboard are, by the room there is, and how its charts divide theirs.

use std::cmp::Reverse;

use ratatui::layout::Rect;

use crate::ui::screens::run::layout::{Tier, tall, wide};

use super::model::{Model, Shown};
use super::{table, underway};

/// The panes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Places {
    pub charts: Rect,
    pub table: Option<Rect>,
    pub underway: Option<Rect>,
}

/// Lines above and below the panes: two of the header, the legend, and two at the foot.
const ABOVE: u16 = 3;
const BELOW: u16 = 2;

/// The panes of a terminal of this size.
pub(super) fn places(model: &Model, area: Rect) -> Places {
    let body = Rect {
        y: area.y + ABOVE,
        height: area.height.saturating_sub(ABOVE + BELOW),
        ..area
    };
    if model.shown == Shown::One {
        return Places {
            charts: body,
            table: None,
            underway: None,
        };
    }
    let (wide, tall) = (wide(area.width), tall(area.height));
    let most = match tall {
        Tier::Small => body.height * 2 / 5,
        Tier::Medium | Tier::Large => body.height / 3,
    };
    let table = table::height(model).min(most).max(5);
    let under = underway::height(model);
    match (wide, tall) {
        _ if model.is_over() || tall == Tier::Small => {
            let (charts, table) = split(body, table);
            Places {
                charts,
                table: Some(table),
                underway: None,
            }
        }
        (Tier::Large, _) => {
            let (charts, mut both) = split(body, table.max(under.min(most)));
            let mut beside = both;
            both.width = both.width * 5 / 9;
            beside.x += both.width;
            beside.width -= both.width;
            Places {
                charts,
                table: Some(both),
                underway: Some(beside),
            }
        }
        _ => {
            let (upper, table) = split(body, table);
            let (charts, underway) = split(upper, under.min(body.height / 4));
            Places {
                charts,
                table: Some(table),
                underway: Some(underway),
            }
        }
    }
}

/// Cuts rows off the bottom.
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

/// Charts beside and above each other on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    pub across: u16,
    pub down: u16,
}

/// The smallest chart worth drawing, its frame included.
const LEAST: (u16, u16) = (26, 6);

/// The smallest chart of a run shown by itself rather than over the others of its preset.
const ROOMY: (u16, u16) = (30, 7);

impl Grid {
    /// The grid that shows the most of so many charts, and those as large as can be.
    pub(super) fn of(count: usize, area: Rect) -> Self {
        let (most_across, most_down) = (
            (area.width / LEAST.0).max(1),
            (area.height / LEAST.1).max(1),
        );
        let count = count.clamp(1, most_across as usize * most_down as usize) as u16;
        let sizes = (1..=most_across.min(count)).map(|across| {
            let down = count.div_ceil(across).min(most_down);
            Self { across, down }
        });
        let shows = |grid: &Self| (grid.across * grid.down).min(count);
        let best = sizes.max_by_key(|grid| (shows(grid), grid.room(area), Reverse(grid.page())));
        best.unwrap_or(Self { across: 1, down: 1 })
    }

    pub(super) fn page(self) -> usize {
        self.across as usize * self.down as usize
    }

    /// The grid that shows every one of so many groups of so many charts on one page, each group on rows of its own.
    pub(super) fn of_groups(groups: usize, size: usize, area: Rect) -> Option<Self> {
        let down = |across: u16| groups * size.div_ceil(across as usize);
        let most = (area.width / ROOMY.0).min(size as u16);
        let grids = (1..=most).filter(|&across| down(across) <= (area.height / ROOMY.1) as usize);
        let grids = grids.map(|across| Self {
            across,
            down: down(across) as u16,
        });
        grids.max_by_key(|grid| (grid.room(area), Reverse(grid.page())))
    }

    /// How large charts are; one looks best three to four times as wide as it is high.
    fn room(self, area: Rect) -> u16 {
        (area.width / self.across * 2 / 7).min(area.height / self.down)
    }

    /// The area of a chart of the page; what does not divide is left at the bottom, unless there are few rows.
    pub(super) fn cell(self, place: usize, area: Rect) -> Rect {
        let (column, row) = (place as u16 % self.across, place as u16 / self.across);
        let edge = |size: u16, parts: u16, part: u16| {
            (u32::from(size) * u32::from(part)).div_ceil(u32::from(parts)) as u16
        };
        let (left, right) = (
            edge(area.width, self.across, column),
            edge(area.width, self.across, column + 1),
        );
        let height = match self.down {
            0..=2 => area.height,
            down => area.height / down * down,
        };
        let (top, bottom) = (
            edge(height, self.down, row),
            edge(height, self.down, row + 1),
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
        let grid = Grid::of(count, Rect::new(0, 0, size.0, size.1));
        assert_eq!((grid.across, grid.down), expected, "{count} in {size:?}");
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
        let grid = Grid { across: 3, down: 2 };
        let cells: Vec<Rect> = (0..grid.page())
            .map(|place| grid.cell(place, area))
            .collect();
        let sum: u32 = cells.iter().map(|cell| cell.area()).sum();
        assert_eq!(sum, area.area());
        assert_eq!(cells[5].right(), area.right());
        assert_eq!(cells[5].bottom(), area.bottom());
    }
}
