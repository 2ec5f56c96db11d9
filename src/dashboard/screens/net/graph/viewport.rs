//! Where the points of a network's layout are on the screen. If the columns do not fit, those
//! around the selection are seen.

use std::ops::Range;

use ratatui::layout::Position;

use finches_engine::genomes::network_layout::{LayoutPoint, NetworkLayout};

/// Cells left free at each side for the names of inputs and outputs.
pub(super) const NAME_MARGIN: u16 = 6;

/// The least distance of two columns in cells: a node and its name, or, if all columns fit then,
/// only a node.
const MIN_PITCH: f64 = 4.0;
const MIN_PITCH_OF_ALL: f64 = 3.0;

/// The least distance of two columns for which names are left room if all columns are drawn.
const NAME_PITCH: u16 = 2;

/// The largest distance of two neighboring nodes in rows.
const MAX_ROWS: f64 = 12.0;

/// The visible columns of a layout and the scales of a picture.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Viewport {
    /// The columns that are seen.
    pub(super) columns: Range<usize>,
    /// Cells for names at each side.
    pub(super) margin: u16,
    /// Cells between two columns.
    pub(super) pitch: f64,
    /// The cell of the first visible column.
    left: f64,
    /// Rows per unit of height, and the row of height 0.
    rows: f64,
    top: f64,
    size: (u16, u16),
}

impl Viewport {
    /// The view of a layout in a picture of `width` by `height` cells, around a column; of all
    /// columns, however narrow, if there is none.
    pub(super) fn new(
        layout: &NetworkLayout,
        around: Option<usize>,
        width: u16,
        height: u16,
    ) -> Self {
        let all = layout.layers.len().max(1);
        // Many columns need the room of the names.
        let gaps = NAME_PITCH * all.saturating_sub(1) as u16;
        let is_tight = around.is_none() && width < 2 * NAME_MARGIN + gaps;
        let margin = if width > 3 * NAME_MARGIN && !is_tight {
            NAME_MARGIN
        } else {
            0
        };
        let inside = f64::from(width.saturating_sub(2 * margin + 1));
        let fitting = |pitch: f64| ((inside / pitch) as usize + 1).min(all);
        let count = match fitting(MIN_PITCH_OF_ALL) {
            _ if around.is_none() => all,
            count if count == all => all,
            _ => fitting(MIN_PITCH),
        };
        let first = around
            .unwrap_or(0)
            .saturating_sub(count / 2)
            .min(all - count);
        let pitch = inside / (count - 1).max(1) as f64;
        let pitch = if around.is_none() {
            pitch
        } else {
            pitch.floor()
        };
        let last_row = f64::from(height.saturating_sub(1));
        let rows = (last_row / f64::from(layout.height.max(1.0))).min(MAX_ROWS);
        let spare = inside - pitch * (count - 1) as f64;
        Self {
            columns: first..first + count,
            margin,
            pitch,
            left: f64::from(margin) + (spare / 2.0).floor(),
            rows,
            top: (last_row - rows * f64::from(layout.height)) / 2.0,
            size: (width, height),
        }
    }

    /// The cell column of a visible column.
    pub(super) fn x(&self, column: usize) -> Option<u16> {
        let x = self.cell_x(column);
        self.columns
            .contains(&column)
            .then(|| (x as u16).min(self.size.0.saturating_sub(1)))
    }

    /// The cell of a node; `None` if its column is not seen.
    pub(super) fn cell(&self, point: LayoutPoint) -> Option<Position> {
        Some(Position {
            x: self.x(point.column)?,
            y: (self.row(point).round() as u16).min(self.size.1.saturating_sub(1)),
        })
    }

    /// A node's dot of the canvas: from the left, and from the bottom. It may lie outside.
    pub(super) fn node_dot(&self, point: LayoutPoint) -> (f64, f64) {
        self.dot(point.column, self.row(point).round())
    }

    /// The same for the bend of a trunk, which need not be in the middle of a cell.
    pub(super) fn bend_dot(&self, point: LayoutPoint) -> (f64, f64) {
        self.dot(point.column, self.row(point))
    }

    fn dot(&self, column: usize, row: f64) -> (f64, f64) {
        let up = f64::from(self.size.1) - 1.0 - row;
        (self.cell_x(column) * 2.0, up * 4.0 + 1.0)
    }

    fn cell_x(&self, column: usize) -> f64 {
        let steps = column as f64 - self.columns.start as f64;
        (self.left + self.pitch * steps).round()
    }

    fn row(&self, point: LayoutPoint) -> f64 {
        self.top + self.rows * f64::from(point.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use finches_engine::genomes::network_graph::{NetworkEdge, NetworkGraph, NetworkNode};

    /// A chain of `layers` nodes beside `more` nodes in the first layer.
    fn layout(layers: usize, more: usize) -> NetworkLayout {
        let node = |layer, index_in_layer| NetworkNode {
            number: 0,
            layer,
            index_in_layer,
            bias: 0.0,
            kind: None,
        };
        let chain = (0..layers).map(|layer| node(layer, 0));
        let edge = |from: usize| NetworkEdge {
            from,
            to: from + 1,
            weight: 1.0,
        };
        let graph = NetworkGraph {
            nodes: chain
                .chain((0..more).map(|index| node(0, index + 1)))
                .collect(),
            edges: (1..layers).map(|to| edge(to - 1)).collect(),
        };
        NetworkLayout::new(&graph, &graph.whole())
    }

    #[test]
    fn no_node_is_off_the_picture_and_layers_come_in_order() {
        for (layers, more) in [(2, 0), (1, 5), (5, 1), (30, 3), (160, 70)] {
            let layout = layout(layers, more);
            for (width, height) in [(0, 0), (1, 1), (3, 2), (17, 5), (50, 18), (140, 50)] {
                for around in [0, layers / 2, layers - 1] {
                    let viewport = Viewport::new(&layout, Some(around), width, height);
                    assert!(viewport.columns.contains(&around), "{viewport:?}");
                    let cells = layout.nodes.iter().flatten();
                    let cells: Vec<Position> =
                        cells.filter_map(|&one| viewport.cell(one)).collect();
                    let is_inside = |at: &Position| at.x < width.max(1) && at.y < height.max(1);
                    assert!(cells.iter().all(is_inside), "{viewport:?}");
                    let columns: Vec<u16> = viewport
                        .columns
                        .clone()
                        .filter_map(|one| viewport.x(one))
                        .collect();
                    assert_eq!(columns.len(), viewport.columns.len());
                    assert!(
                        columns.is_sorted_by(|one, other| one < other),
                        "{viewport:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn all_layers_are_seen_if_they_fit_else_those_around_the_selection() {
        let check = |layers, around, width, expected| {
            let viewport = Viewport::new(&layout(layers, 0), Some(around), width, 20);
            assert_eq!(viewport.columns, expected, "{layers} {around} {width}");
        };
        check(4, 3, 51, 0..4);
        check(13, 0, 51, 0..13);
        check(30, 0, 116, 0..30);
        check(30, 0, 51, 0..10);
        check(30, 15, 51, 10..20);
        check(30, 29, 51, 20..30);
    }
}
