//! The encoding of a board for networks, from the point of view of one player.

use std::sync::Arc;

use crate::games::input_plane::InputPlane;
use crate::io_module::IoModule;
use crate::params::choices;

use super::grid::{BoxGrid, EdgeLocation};
use super::regions::RegionCounts;
use super::text;

choices! {
    /// The encodings of a board.
    pub enum BoxesInputs {
        /// For each edge 1 if it is drawn; first the horizontal edges row by row from the top, then
        /// the vertical ones.
        Edges = "edges",
        /// The same, then the lead in boxes, then 1 if it is the own turn, else -1.
        Score = "score",
        /// The numbers of boxes with 0, 1, 2 and 3 sides, then the lead in boxes and the turn as
        /// above.
        Sides = "sides",
        /// The numbers of safe edges and whether it is odd; of boxes that can be closed at once, of
        /// the regions in which they lie and of pairs that one edge closes; of chains of one box,
        /// of two boxes and longer ones and the boxes in these; of loops and the boxes in these;
        /// then the lead in boxes and the turn as above.
        Chains = "chains",
    }
}

/// The number of counted box states: 0, 1, 2 or 3 sides drawn.
const KINDS: usize = 4;

/// The number of counts of regions.
const COUNTS: usize = 11;

/// Edges that are written at once, by vector instructions.
const PART: usize = 8;

/// For each of the lowest edges 1 if it is drawn.
fn lowest_edges(drawn: u64) -> [f32; PART] {
    let drawn = drawn as u32;
    std::array::from_fn(|edge| if drawn & 1 << edge == 0 { 0.0 } else { 1.0 })
}

/// A position from the point of view of a player.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoxesView {
    pub(super) drawn: u64,
    /// Own boxes minus the opponent's.
    pub(super) lead: i32,
    pub(super) on_turn: bool,
}

impl BoxesInputs {
    /// The number of inputs.
    pub(super) fn count(self, grid: &BoxGrid) -> usize {
        self.board(grid) + self.state()
    }

    /// The largest absolute value of an input.
    pub(super) fn largest(self, grid: &BoxGrid) -> u16 {
        match self {
            Self::Chains => grid.edges().into(),
            Self::Edges | Self::Score | Self::Sides => grid.boxes.len() as u16,
        }
    }

    /// The number of inputs about the edges.
    fn board(self, grid: &BoxGrid) -> usize {
        match self {
            Self::Edges | Self::Score => grid.edges().into(),
            Self::Sides => KINDS,
            Self::Chains => COUNTS,
        }
    }

    /// Whether the numbers before those about the players are counts, which have no place on the
    /// board.
    fn is_counted(self) -> bool {
        matches!(self, Self::Sides | Self::Chains)
    }

    /// The number of inputs about the players.
    fn state(self) -> usize {
        if self.shows_score() { 2 } else { 0 }
    }

    pub(super) fn shows_score(self) -> bool {
        self != Self::Edges
    }

    /// The boxes, if there are inputs about their sides.
    pub(super) fn modules(self, grid: &BoxGrid) -> Arc<[IoModule]> {
        if self.is_counted() {
            return Arc::default();
        }
        let rows = 0..grid.rows;
        let boxes = rows.flat_map(|row| (0..grid.columns).map(move |column| (row, column)));
        let module = |(row, column)| {
            let sides = grid.sides_of(row, column).map(u32::from).to_vec();
            let around = grid.sides_around(row, column);
            IoModule {
                inputs: sides.clone(),
                surroundings: around.map(|edge| edge.map(u32::from)).to_vec(),
                outputs: sides,
            }
        };
        boxes.map(module).collect()
    }

    pub(super) fn write(self, grid: &BoxGrid, seen: BoxesView, out: &mut [f32]) {
        let (board, state) = out.split_at_mut(self.board(grid));
        match self {
            Self::Edges | Self::Score => {
                let (parts, rest) = board.as_chunks_mut::<PART>();
                let mut drawn = seen.drawn;
                for numbers in parts {
                    *numbers = lowest_edges(drawn);
                    drawn >>= PART;
                }
                rest.copy_from_slice(&lowest_edges(drawn)[..rest.len()]);
            }
            Self::Sides => board.copy_from_slice(&kinds(grid, seen.drawn)),
            Self::Chains => board.copy_from_slice(&region_counts(grid, seen.drawn)),
        }
        if self.shows_score() {
            state.copy_from_slice(&about_players(seen));
        }
    }

    /// Appends the numbers that change by drawing an edge, with their new values.
    pub(super) fn write_changes(
        self,
        grid: &BoxGrid,
        edge: u8,
        [before, after]: [BoxesView; 2],
        out: &mut Vec<(u32, f32)>,
    ) {
        let mut differing = |from: usize, before: &[f32], after: &[f32]| {
            let pairs = before.iter().zip(after).enumerate();
            let changed = pairs.filter(|(_, (before, after))| before.to_bits() != after.to_bits());
            out.extend(changed.map(|(location, (_, &after))| ((from + location) as u32, after)));
        };
        match self {
            Self::Edges | Self::Score => differing(edge.into(), &[0.0], &[1.0]),
            Self::Sides => differing(0, &kinds(grid, before.drawn), &kinds(grid, after.drawn)),
            Self::Chains => {
                let [before, after] = [before, after].map(|seen| region_counts(grid, seen.drawn));
                differing(0, &before, &after);
            }
        }
        if self.shows_score() {
            let from = self.board(grid);
            differing(from, &about_players(before), &about_players(after));
        }
    }

    /// The edges between the dots. Counts of boxes have no location on the board.
    pub(super) fn planes(self, grid: &BoxGrid) -> Vec<InputPlane> {
        if self.is_counted() {
            return Vec::new();
        }
        let columns = 2 * usize::from(grid.columns) + 1;
        let places = columns * (2 * usize::from(grid.rows) + 1);
        let (mut cells, mut squares) = (vec![Vec::new(); places], vec![String::new(); places]);
        for edge in 0..grid.edges() {
            let location = grid.location(edge);
            let (row, column) = match location {
                EdgeLocation::Horizontal(row, column) => (2 * row, 2 * column + 1),
                EdgeLocation::Vertical(row, column) => (2 * row + 1, 2 * column),
            };
            let at = usize::from(row) * columns + usize::from(column);
            cells[at].push((u32::from(edge), 1.0));
            squares[at] = text::edge(location);
        }
        vec![InputPlane {
            name: "drawn edges",
            columns,
            squares,
            cells,
        }]
    }
}

fn kinds(grid: &BoxGrid, drawn: u64) -> [f32; KINDS] {
    let mut counts = [0.0; KINDS + 1];
    for index in 0..grid.boxes.len() {
        counts[grid.sides(index, drawn) as usize] += 1.0;
    }
    let [kinds @ .., _] = counts;
    kinds
}

fn region_counts(grid: &BoxGrid, drawn: u64) -> [f32; COUNTS] {
    let counts = RegionCounts::of(grid, drawn);
    let [ones, twos, long] = counts.chains;
    let counts = [
        counts.safe_edges,
        counts.safe_edges % 2,
        counts.open_boxes,
        counts.open_regions,
        counts.pairs,
        ones,
        twos,
        long,
        counts.long_boxes,
        counts.loops,
        counts.loop_boxes,
    ];
    counts.map(|count| count as f32)
}

fn about_players(seen: BoxesView) -> [f32; 2] {
    [seen.lead as f32, if seen.on_turn { 1.0 } else { -1.0 }]
}
