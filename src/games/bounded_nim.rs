//! Bounded Nim: one heap, at most so many stones at a time; whoever takes the last stone loses (Hynek, "Problem Description").

use crate::params::params;
use crate::rng::Stream;

use super::board::{Board, Cell, Patch, Room, Spot, Tone};
use super::{Component, Game, Outcome, Playable, Shape, Side, legal};

params! {
    /// One heap of stones, of which a few may be taken at a time.
    pub struct BoundedNimConfig {
        /// Stones in the heap at the start.
        fixed stones: u16 = 21, in 1.0..=1000.0, "stones";
        /// The most that may be taken at a time.
        fixed most: u16 = 4, in 1.0..=1000.0, "stones";
    }
}

impl Playable for BoundedNimConfig {
    type Game = BoundedNim;

    fn build(&self) -> BoundedNim {
        BoundedNim {
            stones: self.stones,
            most: self.most,
        }
    }
}

/// The rules for one heap and one bound.
#[derive(Clone, Copy, Debug)]
pub struct BoundedNim {
    stones: u16,
    most: u16,
}

/// How many stones are left, and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Heap {
    left: u16,
    to_move: Side,
}

impl BoundedNim {
    /// The winning number to take with `left` stones, or `None` where every move loses (Hynek's second rule).
    pub fn winning_take(&self, left: u16) -> Option<u16> {
        let take = left.checked_sub(1)? % (self.most + 1);
        (take > 0).then_some(take)
    }

    fn heap(left: u16) -> Heap {
        Heap {
            left,
            to_move: Side::First,
        }
    }
}

impl Game for BoundedNim {
    type State = Heap;
    /// How many stones to take.
    type Move = u16;

    fn shape(&self) -> Shape {
        Shape {
            inputs: 1,
            features: None,
            components: vec![Component {
                name: "amount",
                low: 1,
                high: self.most.into(),
            }],
            choices: (0..=self.stones).map(|left| left.min(self.most)).collect(),
        }
    }

    fn start(&self, _rng: &mut Stream) -> Heap {
        self.standard_start()
    }

    fn standard_start(&self) -> Heap {
        Self::heap(self.stones)
    }

    fn starts(&self) -> Vec<Heap> {
        vec![self.standard_start()]
    }

    fn number(&self, state: &Heap) -> usize {
        state.left.into()
    }

    fn to_move(&self, state: &Heap) -> Side {
        state.to_move
    }

    fn moves(&self, state: &Heap, out: &mut Vec<u16>) {
        out.extend(1..=state.left.min(self.most));
    }

    fn play(&self, state: &mut Heap, action: u16) {
        state.left -= action;
        state.to_move = state.to_move.other();
    }

    /// With no stone left, the other player took the last one and has lost.
    fn outcome(&self, state: &Heap) -> Option<Outcome> {
        (state.left == 0).then_some(Outcome::Win(state.to_move))
    }

    /// The number of stones left.
    fn encode(&self, state: &Heap, _side: Side, out: &mut [f32]) {
        out[0] = state.left.into();
    }

    fn changes(&self, state: &Heap, action: u16, _side: Side, out: &mut Vec<(u32, f32)>) {
        out.push((0, (state.left - action).into()));
    }

    fn interpret(&self, state: &Heap, wish: &[i32]) -> Option<u16> {
        let &[amount] = wish else { return None };
        let most = i32::from(state.left.min(self.most));
        (1..=most).contains(&amount).then_some(amount as u16)
    }

    fn describe(&self, action: u16, out: &mut Vec<i32>) {
        out.push(action.into());
    }

    /// Whose turn it is changes nothing for the player to move.
    fn canonical(&self, state: &Heap) -> Heap {
        Self::heap(state.left)
    }

    fn board(&self, state: &Heap, last: Option<(&Heap, u16)>, room: Room) -> Board {
        let before = last.map_or(state.left, |(before, _)| before.left);
        draw(*self, state.left, before, room)
    }

    fn move_text(&self, action: u16) -> String {
        action.to_string()
    }

    fn parse_move(&self, state: &Heap, text: &str) -> Result<u16, String> {
        let wanted = text.trim().parse();
        let wanted =
            wanted.map_err(|_| format!("`{text}` is not a move; write how many stones to take"))?;
        legal(self, state, wanted)
    }

    fn position_text(&self, state: &Heap) -> String {
        state.left.to_string()
    }

    fn parse_position(&self, text: &str) -> Result<Heap, String> {
        let left = text.trim().parse().ok();
        let left = left.filter(|&left: &u16| left <= self.stones);
        left.map(Self::heap).ok_or_else(|| {
            let most = self.stones;
            format!("`{text}` is not a position; write how many stones are left, 0 to {most}")
        })
    }

    fn move_help(&self) -> &'static str {
        "3 takes three stones"
    }

    fn goal(&self) -> &'static str {
        "whoever takes the last stone loses"
    }
}

/// Draws the heap in rows, those that the last move took in outline.
fn draw(game: BoundedNim, left: u16, before: u16, room: Room) -> Board {
    let pitch = if room.width >= 40 && room.height >= 9 {
        4
    } else {
        2
    };
    let per_row = (room.width / pitch).clamp(1, 10);
    let rows = game.stones.max(before).div_ceil(per_row);
    let step = if rows * 2 < room.height { 2 } else { 1 };
    let (width, height) = (per_row * pitch, rows * step + 1);
    let mut board = Board::new(width.min(room.width), height.min(room.height));
    let patch = |stone: u16| Patch {
        x: stone % per_row * pitch,
        y: stone / per_row * step,
        width: pitch,
        height: 1,
    };
    for stone in 0..before.max(left) {
        let cell = if stone < left {
            Cell::new('●', 'o', Tone::Piece)
        } else {
            Cell::new('○', '.', Tone::Gone)
        };
        let at = patch(stone);
        board.put(at.x + pitch / 2, at.y, cell);
        if stone < left && left - stone <= game.most {
            board.spots.push(Spot {
                way: Vec::new(),
                at,
                covers: (stone..left).map(patch).collect(),
                word: (left - stone).to_string(),
                note: None,
            });
        }
    }
    let words = match left {
        1 => "1 stone left".to_owned(),
        _ => format!("{left} stones left"),
    };
    board.write(0, rows * step, &words, Tone::Frame);
    board
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::solver::Solved;

    #[test]
    fn the_published_rule_is_what_the_solver_finds() {
        for stones in [1, 2, 11, 21, 31, 60] {
            for most in 1..=7 {
                let game = BoundedNimConfig { stones, most }.build();
                let solved = Solved::new(&game).expect("it is small");
                for left in 1..=stones {
                    // Some heaps can't be reached with the fewest moves to choose from.
                    let Some(number) = solved.find(&game, &BoundedNim::heap(left)) else {
                        continue;
                    };
                    let winning = game.winning_take(left);
                    assert_eq!(solved.worth(number).value == 1, winning.is_some());
                    if let Some(take) = winning {
                        let best: Vec<u16> = solved.best_moves(number).collect();
                        assert_eq!(best, [take], "{left} of {stones}, at most {most}");
                    }
                }
            }
        }
    }
}
