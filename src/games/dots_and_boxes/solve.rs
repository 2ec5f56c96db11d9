//! The exact value of positions: how many boxes more than the opponent the player to move can still get, for every set of edges
//! that may yet be drawn. Who owns which box so far makes no difference to what is best.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::games::oracle::Oracle;

use super::grid::{Grid, members};
use super::{DotsAndBoxes, Edge, Lines};

/// With so many undrawn edges, those of a 3x3 board, the table takes 16 MiB, and less than a second to fill.
const MOST_OPEN: u32 = 24;

/// Where the whole game is too large, positions with so many undrawn edges are solved when they are asked for: it takes a few
/// thousandths of a second.
const MOST_AT_ONCE: u32 = 18;

/// Boards that have been solved, which many arenas may share.
static KNOWN: Mutex<Vec<([u8; 2], Arc<Table>)>> = Mutex::new(Vec::new());

/// What the side to move can still gain over the other, for every way to draw some of a few edges.
#[derive(Debug)]
struct Table {
    /// The edges, each a place in the numbers of the table.
    edges: Vec<u8>,
    /// By the set of edges drawn.
    gains: Vec<i8>,
}

impl Table {
    /// Solves what can follow a position.
    fn new(grid: &Grid, drawn: u64) -> Self {
        let edges: Vec<u8> = members(grid.all() & !drawn).collect();
        let compact = |set: u64| compact(&edges, set);
        let open = grid.boxes.iter().map(|sides| compact(sides & !drawn));
        let open: Vec<u32> = open.filter(|&sides| sides != 0).collect();
        let mut gains = vec![0_i8; 1 << edges.len()];
        // A set of edges comes after all that it is part of.
        for drawn in (0..gains.len() - 1).rev() {
            gains[drawn] = best(&gains, drawn as u32, &open);
        }
        Self { edges, gains }
    }

    /// The gain from a position in which at least the edges are drawn that were when the table was made.
    fn gain(&self, drawn: u64) -> i32 {
        self.gains[compact(&self.edges, drawn) as usize].into()
    }
}

/// The numbers of the table for a set of edges.
fn compact(edges: &[u8], set: u64) -> u32 {
    let bits = edges.iter().enumerate();
    bits.map(|(place, &edge)| ((set >> edge & 1) as u32) << place)
        .sum()
}

/// The best that can be done where some edges are drawn: `open` are the boxes that were not closed at the start.
fn best(gains: &[i8], drawn: u32, open: &[u32]) -> i8 {
    let (mut closing, mut twice) = (0_u32, 0);
    for &sides in open {
        let missing = sides & !drawn;
        if missing & missing.wrapping_sub(1) == 0 {
            twice |= closing & missing;
            closing |= missing;
        }
    }
    let undrawn = (gains.len() as u32 - 1) & !drawn;
    let after = |edge: u32| gains[(drawn | edge) as usize];
    let mut best = i8::MIN;
    for edge in singles(undrawn & !closing) {
        best = best.max(-after(edge));
    }
    for edge in singles(closing & !twice) {
        best = best.max(1 + after(edge));
    }
    for edge in singles(twice) {
        best = best.max(2 + after(edge));
    }
    best
}

/// The members of a set, each as a set of one.
fn singles(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

/// Knows every position of a small board, and the last ones of any.
#[derive(Debug)]
pub(super) struct Endings {
    is_small: bool,
    /// The whole game, once it has been asked for.
    whole: OnceLock<Arc<Table>>,
}

impl Endings {
    pub(super) fn new(grid: &Grid) -> Self {
        Self {
            is_small: grid.all().count_ones() <= MOST_OPEN,
            whole: OnceLock::new(),
        }
    }
}

/// The table of a whole board, made the first time it is asked for.
fn whole(grid: &Grid) -> Arc<Table> {
    let size = [grid.rows, grid.columns];
    // Whoever panicked here has left no half-made table behind.
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, table)) = known.iter().find(|(other, _)| *other == size) {
        return Arc::clone(table);
    }
    let table = Arc::new(Table::new(grid, 0));
    known.push((size, Arc::clone(&table)));
    table
}

impl Oracle<DotsAndBoxes> for Endings {
    fn knows_all(&self) -> bool {
        self.is_small
    }

    fn judge(&self, game: &DotsAndBoxes, state: &Lines, best: &mut Vec<Edge>) -> Option<i32> {
        best.clear();
        let (grid, drawn) = (&game.grid, state.drawn);
        let undrawn = grid.all() & !drawn;
        let made;
        let table = if self.is_small {
            self.whole.get_or_init(|| whole(grid)).as_ref()
        } else if undrawn.count_ones() <= MOST_AT_ONCE {
            made = Table::new(grid, drawn);
            &made
        } else {
            return None;
        };
        let value = table.gain(drawn);
        let reaches = |&edge: &u8| {
            let after = drawn | 1 << edge;
            let gain = table.gain(after);
            value
                == match grid.closed_by(edge, after).count_ones() {
                    0 => -gain,
                    boxes => boxes as i32 + gain,
                }
        };
        best.extend(members(undrawn).filter(reaches).map(Edge));
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Game, Playable, Side};
    use crate::rng::{Purpose, stream};
    use rand::RngExt;

    use super::super::DotsAndBoxesConfig;

    fn board(rows: u8, columns: u8) -> DotsAndBoxes {
        let config = DotsAndBoxesConfig {
            rows: rows.into(),
            columns: columns.into(),
            ..DotsAndBoxesConfig::default()
        };
        config.build()
    }

    /// The definition: what each side ends with, played out by the rules without any table.
    fn exhaustive(game: &DotsAndBoxes, state: &Lines, own: Side) -> i32 {
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let lead = |state: &Lines| {
            let points = game.points(state).map(i32::from);
            points[own.index()] - points[own.other().index()]
        };
        let after = |&edge: &Edge| {
            let mut after = *state;
            game.play(&mut after, edge);
            exhaustive(game, &after, own)
        };
        let values = moves.iter().map(after);
        let best = if game.to_move(state) == own {
            values.max()
        } else {
            values.min()
        };
        best.unwrap_or_else(|| lead(state))
    }

    #[test]
    fn empty_boards_are_worth_what_is_known() {
        let known = [(1, 1, -1), (1, 2, 0), (2, 2, 2), (2, 3, -2), (3, 3, -3)];
        for (rows, columns, expected) in known {
            let game = board(rows, columns);
            let state = game.standard_start();
            let mut best = Vec::new();
            let value = Endings::new(&game.grid).judge(&game, &state, &mut best);
            assert_eq!(value, Some(expected), "{rows}x{columns}");
        }
    }

    /// Every position that is left of random games once so many edges are undrawn.
    fn check_against_rules(rows: u8, columns: u8, undrawn: u32) {
        let game = board(rows, columns);
        let endings = Endings::new(&game.grid);
        for seed in 0..12 {
            let mut rng = stream(seed, Purpose::Sample, 0, 0);
            let mut state = game.standard_start();
            let (mut moves, mut best) = (Vec::new(), Vec::new());
            while game.outcome(&state).is_none() {
                moves.clear();
                game.moves(&state, &mut moves);
                if moves.len() as u32 <= undrawn {
                    let mover = game.to_move(&state);
                    let points = game.points(&state).map(i32::from);
                    let lead = points[mover.index()] - points[mover.other().index()];
                    let value = endings.judge(&game, &state, &mut best);
                    let reached = |&edge: &Edge| {
                        let mut after = state;
                        game.play(&mut after, edge);
                        exhaustive(&game, &after, mover) - lead
                    };
                    let values: Vec<i32> = moves.iter().map(reached).collect();
                    let most = values.iter().copied().max();
                    assert_eq!(value, most, "{}", game.position_text(&state));
                    let expected = moves.iter().zip(&values);
                    let expected = expected.filter(|(_, value)| Some(**value) == most);
                    let expected: Vec<Edge> = expected.map(|(&edge, _)| edge).collect();
                    assert_eq!(best, expected, "{}", game.position_text(&state));
                }
                game.play(&mut state, moves[rng.random_range(0..moves.len())]);
            }
        }
    }

    #[test]
    fn values_and_best_edges_are_those_of_plain_exhaustive_search() {
        check_against_rules(1, 2, 7);
        check_against_rules(2, 2, 8);
        check_against_rules(3, 3, 7);
        check_against_rules(5, 5, 7);
    }

    #[test]
    fn an_ending_of_a_large_board_is_worth_what_the_same_ending_of_a_small_one_is() {
        // The right column is drawn in full, and of what is left the 2x2 board is untouched.
        let (large, small) = (board(2, 3), board(2, 2));
        let text = "2x3:h02,h12,h22,v03,v13,v02,v12";
        let state = large.parse_position(text).expect("it is a position");
        let start = small.parse_position("2x2:v02,v12").expect("it is one");
        let (mut best, mut other) = (Vec::new(), Vec::new());
        let value = Endings {
            is_small: false,
            whole: OnceLock::new(),
        }
        .judge(&large, &state, &mut best);
        assert_eq!(
            value,
            Endings::new(&small.grid).judge(&small, &start, &mut other)
        );
        let names = |game: &DotsAndBoxes, edges: &[Edge]| -> Vec<String> {
            edges.iter().map(|&edge| game.move_text(edge)).collect()
        };
        assert_eq!(names(&large, &best), names(&small, &other));
    }
}
