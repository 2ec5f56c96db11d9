//! Bounded Nim: one heap and a maximal number of stones per move; the player who takes the last
//! stone loses (Hynek, "Problem Description").

use crate::input_spec::InputSpec;
use crate::params::params;

use super::board::{Board, BoardCell, CellArea, CellRole, MaxSize, MoveTarget};
use super::large_piece::{RoundPiece, square_size};
use super::{
    Encoding, GameParams, GameShape, Heuristics, MoveComponent, Notation, NotationError, Outcome,
    Picture, Rules, Side, check_legal,
};

params! {
    /// One heap of stones with a maximal number of stones per move.
    pub struct BoundedNimConfig {
        /// Number of stones in the heap at the start.
        fixed stones: u16 = 21, in 1.0..=1000.0, "stones";
        /// Maximal number of stones per move.
        fixed most: u16 = 4, in 1.0..=1000.0, "stones";
    }
}

impl GameParams for BoundedNimConfig {
    type Game = BoundedNim;

    fn build(&self) -> BoundedNim {
        BoundedNim {
            stones: self.stones,
            most: self.most,
        }
    }
}

/// The rules for one heap size and one maximum per move.
#[derive(Clone, Copy, Debug)]
pub struct BoundedNim {
    stones: u16,
    most: u16,
}

/// The number of stones left and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BoundedNimPosition {
    left: u16,
    to_move: Side,
}

impl BoundedNim {
    /// The winning number to take with `left` stones, or `None` where every move loses (Hynek's
    /// second rule).
    pub fn winning_take(&self, left: u16) -> Option<u16> {
        let take = left.checked_sub(1)? % (self.most + 1);
        (take > 0).then_some(take)
    }

    fn heap(left: u16) -> BoundedNimPosition {
        BoundedNimPosition {
            left,
            to_move: Side::First,
        }
    }
}

impl Rules for BoundedNim {
    type State = BoundedNimPosition;
    /// The number of stones to take.
    type Move = u16;

    fn goal(&self) -> &'static str {
        "the player who takes the last stone loses"
    }

    fn standard_start(&self) -> BoundedNimPosition {
        Self::heap(self.stones)
    }

    fn to_move(&self, state: &BoundedNimPosition) -> Side {
        state.to_move
    }

    fn moves(&self, state: &BoundedNimPosition, out: &mut Vec<u16>) {
        out.extend(1..=state.left.min(self.most));
    }

    fn count_moves(&self, state: &BoundedNimPosition) -> usize {
        state.left.min(self.most).into()
    }

    fn play(&self, state: &mut BoundedNimPosition, action: u16) {
        state.left -= action;
        state.to_move = state.to_move.opponent();
    }

    /// If no stone is left, the opponent took the last one and has lost.
    fn outcome(&self, state: &BoundedNimPosition) -> Option<Outcome> {
        (state.left == 0).then_some(Outcome::Win(state.to_move))
    }

    /// The game is impartial: the side to move does not matter.
    fn canonical(&self, state: &BoundedNimPosition) -> BoundedNimPosition {
        Self::heap(state.left)
    }
}

impl Encoding for BoundedNim {
    fn shape(&self) -> GameShape {
        GameShape {
            inputs: InputSpec {
                whole: Some(self.stones),
                levels: [self.stones + 1].into(),
                ..InputSpec::new(1)
            },
            components: vec![MoveComponent {
                name: "amount",
                low: 1,
                high: self.most.into(),
            }],
            legal_move_counts: (0..=self.stones).map(|left| left.min(self.most)).collect(),
            ..GameShape::default()
        }
    }

    fn state_index(&self, state: &BoundedNimPosition) -> usize {
        state.left.into()
    }

    /// The number of stones left.
    fn encode(&self, state: &BoundedNimPosition, _side: Side, out: &mut [f32]) {
        out[0] = state.left.into();
    }

    fn changes(
        &self,
        state: &BoundedNimPosition,
        action: u16,
        _side: Side,
        out: &mut Vec<(u32, f32)>,
    ) {
        out.push((0, (state.left - action).into()));
    }

    fn decode_move(&self, state: &BoundedNimPosition, components: &[i32]) -> Option<u16> {
        let &[amount] = components else { return None };
        let most = i32::from(state.left.min(self.most));
        (1..=most).contains(&amount).then_some(amount as u16)
    }

    fn encode_move(&self, action: u16, out: &mut Vec<i32>) {
        out.push(action.into());
    }
}

impl Notation for BoundedNim {
    fn move_text(&self, action: u16) -> String {
        action.to_string()
    }

    fn parse_move(&self, state: &BoundedNimPosition, text: &str) -> Result<u16, NotationError> {
        let wanted = text.trim().parse();
        let wanted = wanted
            .map_err(|_| format!("`{text}` is not a move; write the number of stones to take"))?;
        check_legal(self, state, wanted)
    }

    fn position_text(&self, state: &BoundedNimPosition) -> String {
        state.left.to_string()
    }

    fn parse_position(&self, text: &str) -> Result<BoundedNimPosition, NotationError> {
        let left = text.trim().parse().ok();
        let left = left.filter(|&left: &u16| left <= self.stones);
        left.map(Self::heap).ok_or_else(|| {
            let most = self.stones;
            format!("`{text}` is not a position; write the number of stones left, 0 to {most}")
                .into()
        })
    }

    fn move_help(&self) -> &'static str {
        "3 takes three stones"
    }
}

impl Picture for BoundedNim {
    fn board(
        &self,
        state: &BoundedNimPosition,
        last: Option<(&BoundedNimPosition, u16)>,
        room: MaxSize,
    ) -> Board {
        let before = last.map_or(state.left, |(before, _)| before.left);
        draw(*self, state.left, before, room)
    }
}

impl Heuristics for BoundedNim {
    fn all_starts(&self) -> Vec<BoundedNimPosition> {
        vec![self.standard_start()]
    }

    fn moves_left(&self, state: &BoundedNimPosition) -> Option<u16> {
        Some(state.left)
    }
}

/// Draws the heap in rows of stones as large as the space allows. Those taken by the last move are
/// outlined.
fn draw(game: BoundedNim, left: u16, before: u16, room: MaxSize) -> Board {
    let stones = game.stones.max(before).max(1);
    let layouts = (1..=stones).map(|rows| {
        let size = square_size((stones.div_ceil(rows), rows), (0, 1), room);
        (size, stones.div_ceil(rows))
    });
    // Of equally large stones, the fewest rows.
    let largest = layouts
        .rev()
        .max_by_key(|(size, _)| size.map(|(width, height)| (height, width)));
    let (size, per_row) = largest.unwrap_or_default();
    let (size, per_row) = match size {
        Some(size) => (size, per_row),
        None => ((2, 1), (room.width / 2).clamp(1, 10)),
    };
    let rows = stones.div_ceil(per_row);
    let mut board = Board::within((per_row * size.0, rows * size.1 + 1), room);
    let patch = |stone: u16| CellArea {
        x: stone % per_row * size.0,
        y: stone / per_row * size.1,
        width: size.0,
        height: size.1,
    };
    // Once none is left, the places of all stones are drawn, and those taken last are marked.
    let is_over = left == 0;
    let shown = if is_over { stones } else { before.max(left) };
    for stone in 0..shown {
        let is_ring = stone >= left;
        let (role, plain) = match (is_ring, is_over && stone < before) {
            (false, _) => (CellRole::Piece, 'o'),
            (true, true) => (CellRole::Mark, '.'),
            (true, false) => (CellRole::Gone, '.'),
        };
        let at = patch(stone);
        if size.1 > 1 {
            RoundPiece {
                role,
                plain,
                is_ring,
            }
            .draw(at, &mut board);
        } else {
            let glyph = if is_ring { '○' } else { '●' };
            board.put(at.x + 1, at.y, BoardCell::new(glyph, plain, role));
        }
        if !is_ring && left - stone <= game.most {
            board.targets.push(MoveTarget {
                path: Vec::new(),
                at,
                highlighted: (stone..left).map(patch).collect(),
                move_text: (left - stone).to_string(),
                label_area: None,
            });
        }
    }
    let words = match left {
        1 => "1 stone left".to_owned(),
        _ => format!("{left} stones left"),
    };
    board.write(0, rows * size.1, &words, CellRole::Frame);
    board
}
