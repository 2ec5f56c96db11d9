//! A board as numbers for networks, as one of the players sees it.

use crate::games::sheet::Sheet;
use crate::params::choices;

use super::grid::{Grid, Place};
use super::text;

choices! {
    /// The numbers that describe a board.
    pub enum Inputs {
        /// One for each edge, 1 where it is drawn; first the horizontal edges row by row from the top, then the vertical ones.
        Edges = "edges",
        /// The same, then how many boxes one is ahead, then whether it is one's own turn: 1, or -1 where it is not.
        Score = "score",
        /// How many boxes have 0, 1, 2 and 3 sides drawn, then how many boxes one is ahead, then whether it is one's own
        /// turn, as above.
        Sides = "sides",
    }
}

/// How many boxes have no side drawn, one, two and three.
const KINDS: usize = 4;

/// What a player sees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) drawn: u64,
    /// Own boxes less those of the other.
    pub(super) lead: i32,
    pub(super) on_turn: bool,
}

impl Inputs {
    /// How many numbers there are.
    pub(super) fn count(self, grid: &Grid) -> usize {
        self.board(grid) + self.state()
    }

    /// Numbers about the edges.
    fn board(self, grid: &Grid) -> usize {
        match self {
            Self::Edges | Self::Score => grid.edges().into(),
            Self::Sides => KINDS,
        }
    }

    /// Numbers about the players.
    fn state(self) -> usize {
        if self.shows_score() { 2 } else { 0 }
    }

    pub(super) fn shows_score(self) -> bool {
        self != Self::Edges
    }

    pub(super) fn write(self, grid: &Grid, seen: Seen, out: &mut [f32]) {
        let (board, state) = out.split_at_mut(self.board(grid));
        match self {
            Self::Edges | Self::Score => {
                for (edge, number) in board.iter_mut().enumerate() {
                    *number = (seen.drawn >> edge & 1) as f32;
                }
            }
            Self::Sides => board.copy_from_slice(&kinds(grid, seen.drawn)),
        }
        if self.shows_score() {
            state.copy_from_slice(&about_players(seen));
        }
    }

    /// Appends the numbers that drawing an edge changes.
    pub(super) fn write_changes(
        self,
        grid: &Grid,
        edge: u8,
        [before, after]: [Seen; 2],
        out: &mut Vec<(u32, f32)>,
    ) {
        let mut differing = |from: usize, before: &[f32], after: &[f32]| {
            let pairs = before.iter().zip(after).enumerate();
            let changed = pairs.filter(|(_, (before, after))| before.to_bits() != after.to_bits());
            out.extend(changed.map(|(place, (_, &after))| ((from + place) as u32, after)));
        };
        match self {
            Self::Edges | Self::Score => differing(edge.into(), &[0.0], &[1.0]),
            Self::Sides => differing(0, &kinds(grid, before.drawn), &kinds(grid, after.drawn)),
        }
        if self.shows_score() {
            let from = self.board(grid);
            differing(from, &about_players(before), &about_players(after));
        }
    }

    /// Edges lie between the dots of a board; what is known of boxes in all lies nowhere.
    pub(super) fn sheets(self, grid: &Grid) -> Vec<Sheet> {
        if self == Self::Sides {
            return Vec::new();
        }
        let columns = 2 * usize::from(grid.columns) + 1;
        let places = columns * (2 * usize::from(grid.rows) + 1);
        let (mut cells, mut squares) = (vec![Vec::new(); places], vec![String::new(); places]);
        for edge in 0..grid.edges() {
            let place = grid.place(edge);
            let (row, column) = match place {
                Place::Horizontal(row, column) => (2 * row, 2 * column + 1),
                Place::Vertical(row, column) => (2 * row + 1, 2 * column),
            };
            let at = usize::from(row) * columns + usize::from(column);
            cells[at].push((u32::from(edge), 1.0));
            squares[at] = text::edge(place);
        }
        vec![Sheet {
            name: "drawn edges",
            columns,
            squares,
            cells,
        }]
    }
}

fn kinds(grid: &Grid, drawn: u64) -> [f32; KINDS] {
    let mut counts = [0.0; KINDS + 1];
    for index in 0..grid.boxes.len() {
        counts[grid.sides(index, drawn) as usize] += 1.0;
    }
    let [kinds @ .., _] = counts;
    kinds
}

fn about_players(seen: Seen) -> [f32; 2] {
    [seen.lead as f32, if seen.on_turn { 1.0 } else { -1.0 }]
}
