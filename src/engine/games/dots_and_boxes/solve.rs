//! The exact value of positions: the largest difference in boxes that the player to move can still
//! achieve, for every set of undrawn edges. The boxes owned so far do not affect the best moves.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::games::oracle::Oracle;
use crate::games::{Rules, Side};

use super::gain_table::GainTable;
use super::grid::{BoxGrid, members};
use super::{BoxesPosition, DotsAndBoxes, EdgeMove};

/// The maximal number of edges of a board that is solved as a whole: a 3x3 board. Its table takes
/// 16 MiB and a few hundredths of a second to fill.
const MAX_WHOLE_EDGES: u32 = 24;

/// On larger boards, positions with at most this many undrawn edges are solved on demand, in half a
/// millisecond.
const MAX_ENDGAME_EDGES: u32 = 18;

/// Solved boards by their rows and columns, shared by all arenas.
static SOLVED_BOARDS: Mutex<Vec<([u8; 2], Arc<EndgameTable>)>> = Mutex::new(Vec::new());

/// The gain of the side to move over the opponent, for every subset of a set of edges.
#[derive(Debug)]
struct EndgameTable {
    /// The edges, in the order of the bits of the table's indices.
    edges: Vec<u8>,
    /// Whether these are all edges of the board, so that a set of drawn edges is its own index.
    is_whole: bool,
    /// The gains by the set of drawn edges.
    gains: GainTable,
}

impl EndgameTable {
    /// Solves all positions that can follow from one.
    fn new(grid: &BoxGrid, drawn: u64) -> Self {
        let edges: Vec<u8> = members(grid.all() & !drawn).collect();
        let compact = |set: u64| compact(&edges, set);
        let open = grid.boxes.iter().map(|sides| compact(sides & !drawn));
        let open: Vec<u32> = open.filter(|&sides| sides != 0).collect();
        Self {
            is_whole: drawn == 0,
            gains: GainTable::new(edges.len(), &open),
            edges,
        }
    }

    /// The gain in a position that follows from the one the table was made for.
    fn gain(&self, drawn: u64) -> i32 {
        let index = if self.is_whole {
            drawn as usize
        } else {
            compact(&self.edges, drawn) as usize
        };
        self.gains.gain(index)
    }

    /// The gain by drawing an edge.
    fn gain_by(&self, grid: &BoxGrid, drawn: u64, edge: u8) -> i32 {
        let after = drawn | 1 << edge;
        match grid.closed_by(edge, after).count_ones() {
            0 => -self.gain(after),
            boxes => boxes as i32 + self.gain(after),
        }
    }
}

/// The table's index for a set of edges.
fn compact(edges: &[u8], set: u64) -> u32 {
    let bits = edges.iter().enumerate();
    bits.map(|(place, &edge)| ((set >> edge & 1) as u32) << place)
        .sum()
}

/// Knows every position of a small board, and the endgames of any board.
#[derive(Debug)]
pub(super) struct EndgameOracle {
    is_small: bool,
    /// The table of the whole game, filled on first use.
    whole: OnceLock<Arc<EndgameTable>>,
}

impl EndgameOracle {
    pub(super) fn new(grid: &BoxGrid) -> Self {
        Self {
            is_small: grid.all().count_ones() <= MAX_WHOLE_EDGES,
            whole: OnceLock::new(),
        }
    }
}

/// The table of a whole board, solved on first use.
fn whole(grid: &BoxGrid) -> Arc<EndgameTable> {
    let size = [grid.rows, grid.columns];
    // A panic in another thread can't have left an incomplete table.
    let mut known = SOLVED_BOARDS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, table)) = known.iter().find(|(other, _)| *other == size) {
        return Arc::clone(table);
    }
    let table = Arc::new(EndgameTable::new(grid, 0));
    known.push((size, Arc::clone(&table)));
    table
}

/// The number of undrawn edges up to which [`margins`] knows a position: all edges of a small
/// board.
pub(super) fn tabulated_end(grid: &BoxGrid) -> u16 {
    let edges = grid.all().count_ones();
    let known = if edges <= MAX_WHOLE_EDGES {
        edges
    } else {
        MAX_ENDGAME_EDGES
    };
    known as u16
}

/// The mover's lead in boxes at the end after each move; `None` if the position has too many
/// undrawn edges.
pub(super) fn margins(
    grid: &BoxGrid,
    state: &BoxesPosition,
    moves: &[EdgeMove],
) -> Option<Vec<i32>> {
    let drawn = state.drawn;
    let table = if grid.all().count_ones() <= MAX_WHOLE_EDGES {
        whole(grid)
    } else if (grid.all() & !drawn).count_ones() <= MAX_ENDGAME_EDGES {
        Arc::new(EndgameTable::new(grid, drawn))
    } else {
        return None;
    };
    let lead = state.lead(state.to_move);
    let margin = |&EdgeMove(edge): &EdgeMove| lead + table.gain_by(grid, drawn, edge);
    Some(moves.iter().map(margin).collect())
}

impl Oracle<DotsAndBoxes> for EndgameOracle {
    fn is_complete(&self) -> bool {
        self.is_small
    }

    fn evaluate(
        &self,
        game: &DotsAndBoxes,
        state: &BoxesPosition,
        best: &mut Vec<EdgeMove>,
    ) -> Option<i32> {
        best.clear();
        let (grid, drawn) = (&game.grid, state.drawn);
        let undrawn = grid.all() & !drawn;
        let made;
        let table = if self.is_small {
            self.whole.get_or_init(|| whole(grid)).as_ref()
        } else if undrawn.count_ones() <= MAX_ENDGAME_EDGES {
            made = EndgameTable::new(grid, drawn);
            &made
        } else {
            return None;
        };
        let value = table.gain(drawn);
        let reaches = |&edge: &u8| value == table.gain_by(grid, drawn, edge);
        best.extend(members(undrawn).filter(reaches).map(EdgeMove));
        Some(value)
    }

    /// The value is the lead in the boxes that are left; the boxes closed so far count too.
    fn best_result(&self, game: &DotsAndBoxes, state: &BoxesPosition) -> Option<i8> {
        let gain = self.evaluate(game, state, &mut Vec::new())?;
        let side = game.to_move(state);
        let boxes = |side: Side| state.owned[side.index()].count_ones() as i32;
        let lead = boxes(side) - boxes(side.opponent());
        Some((lead + gain).signum() as i8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{GameParams, Notation, Rules, Side};
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

    /// The value by plain exhaustive search, without a table.
    fn exhaustive(game: &DotsAndBoxes, state: &BoxesPosition, own: Side) -> i32 {
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let lead = |state: &BoxesPosition| {
            let points = game.points(state).map(i32::from);
            points[own.index()] - points[own.opponent().index()]
        };
        let after = |&edge: &EdgeMove| {
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
    fn empty_boards_have_the_known_values() {
        let known = [(1, 1, -1), (1, 2, 0), (2, 2, 2), (2, 3, -2), (3, 3, -3)];
        for (rows, columns, expected) in known {
            let game = board(rows, columns);
            let state = game.standard_start();
            let mut best = Vec::new();
            let value = EndgameOracle::new(&game.grid).evaluate(&game, &state, &mut best);
            assert_eq!(value, Some(expected), "{rows}x{columns}");
        }
    }

    /// Checks the positions of random games with at most `undrawn` undrawn edges.
    fn check_against_rules(rows: u8, columns: u8, undrawn: u32) {
        let game = board(rows, columns);
        let endings = EndgameOracle::new(&game.grid);
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
                    let lead = points[mover.index()] - points[mover.opponent().index()];
                    let value = endings.evaluate(&game, &state, &mut best);
                    let reached = |&edge: &EdgeMove| {
                        let mut after = state;
                        game.play(&mut after, edge);
                        exhaustive(&game, &after, mover) - lead
                    };
                    let values: Vec<i32> = moves.iter().map(reached).collect();
                    let most = values.iter().copied().max();
                    assert_eq!(value, most, "{}", game.position_text(&state));
                    let expected = moves.iter().zip(&values);
                    let expected = expected.filter(|(_, value)| Some(**value) == most);
                    let expected: Vec<EdgeMove> = expected.map(|(&edge, _)| edge).collect();
                    assert_eq!(best, expected, "{}", game.position_text(&state));
                }
                game.play(&mut state, moves[rng.random_range(0..moves.len())]);
            }
        }
    }

    #[test]
    fn values_and_best_edges_agree_with_plain_exhaustive_search() {
        check_against_rules(1, 2, 7);
        check_against_rules(2, 2, 8);
        check_against_rules(3, 3, 7);
        check_against_rules(5, 5, 7);
    }

    #[test]
    fn an_endgame_of_a_large_board_has_the_value_of_the_same_endgame_on_a_small_board() {
        // The right column is complete; the remaining 2x2 board is empty.
        let (large, small) = (board(2, 3), board(2, 2));
        let text = "2x3:h02,h12,h22,v03,v13,v02,v12";
        let state = large.parse_position(text).expect("it is a position");
        let start = small.parse_position("2x2:v02,v12").expect("it is one");
        let (mut best, mut other) = (Vec::new(), Vec::new());
        let value = EndgameOracle {
            is_small: false,
            whole: OnceLock::new(),
        }
        .evaluate(&large, &state, &mut best);
        assert_eq!(
            value,
            EndgameOracle::new(&small.grid).evaluate(&small, &start, &mut other)
        );
        let names = |game: &DotsAndBoxes, edges: &[EdgeMove]| -> Vec<String> {
            edges.iter().map(|&edge| game.move_text(edge)).collect()
        };
        assert_eq!(names(&large, &best), names(&small, &other));
    }
}
