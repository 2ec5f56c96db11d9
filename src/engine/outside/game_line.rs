//! The line of play that a program is told: the start of the game, how to reach it, and the moves
//! since then.

use crate::games::{Game, Side};

use super::OutsideSpec;

/// A move in a line of play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LineMove {
    pub side: Side,
    /// In the notation of the game.
    pub text: String,
    /// Whether it is a pass.
    pub is_pass: bool,
}

/// A game so far.
#[derive(Clone, Debug)]
pub(super) struct GameLine {
    /// The position in which the game began, as text.
    pub start: String,
    /// Moves from the standard start to `start`; `None` if they are unknown or not needed.
    pub lead: Option<Vec<LineMove>>,
    /// The moves since then.
    pub moves: Vec<LineMove>,
    /// The player to move, whose move is wanted.
    pub to_move: Side,
}

impl GameLine {
    /// A game that begins here, for a program.
    pub(super) fn new<G: Game>(game: &G, spec: &OutsideSpec, start: &G::State) -> Self {
        let needs_lead = spec.protocol.needs_lead;
        Self {
            start: game.position_text(start),
            lead: needs_lead.then(|| moves_to(game, start)).flatten(),
            moves: Vec::new(),
            to_move: game.to_move(start),
        }
    }
}

/// Most positions that are looked at for the moves to a position.
const MAX_POSITIONS: u32 = 300_000;

/// The shortest sequence of moves from the standard start to a position, if it is short. The
/// openings of matches are a few random moves long.
fn moves_to<G: Game>(game: &G, target: &G::State) -> Option<Vec<LineMove>> {
    let mut search = PathSearch {
        game,
        target,
        positions_left: MAX_POSITIONS,
        path: Vec::new(),
    };
    let start = game.standard_start();
    let mut depths = 0..;
    depths
        .find_map(|depth| search.reaches(&start, depth))?
        .then_some(search.path)
}

/// A search for a position, one depth after another.
struct PathSearch<'a, G: Game> {
    game: &'a G,
    target: &'a G::State,
    positions_left: u32,
    path: Vec<LineMove>,
}

impl<G: Game> PathSearch<'_, G> {
    /// Whether the target is `depth` moves after `state`; then `path` leads there. `None` if it is
    /// not, `Some(false)` if no further position may be looked at.
    fn reaches(&mut self, state: &G::State, depth: u32) -> Option<bool> {
        if depth == 0 {
            return (state == self.target).then_some(true);
        }
        let Some(left) = self.positions_left.checked_sub(1) else {
            return Some(false);
        };
        self.positions_left = left;
        let mut moves = Vec::new();
        self.game.moves(state, &mut moves);
        for action in moves {
            self.path.push(line_move(self.game, state, action));
            let mut after = state.clone();
            self.game.play(&mut after, action);
            if let Some(found) = self.reaches(&after, depth - 1) {
                return Some(found);
            }
            self.path.pop();
        }
        None
    }
}

/// A move in a position.
pub(super) fn line_move<G: Game>(game: &G, state: &G::State, action: G::Move) -> LineMove {
    LineMove {
        side: game.to_move(state),
        text: game.move_text(action),
        is_pass: game.is_pass(action),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::reversi::ReversiConfig;
    use crate::games::{GameParams, Notation, Rules, StartKind, play_text};
    use crate::rng::{Purpose, stream};

    #[test]
    fn every_opening_of_reversi_is_reached_by_its_moves() {
        let game = ReversiConfig::default().build();
        assert_eq!(moves_to(&game, &game.standard_start()), Some(Vec::new()));
        for index in 0..50 {
            let opening = game.start(
                StartKind::Opening,
                &mut stream(1, Purpose::HeldOut, 0, index),
            );
            let moves = moves_to(&game, &opening).expect("it is near the start");
            let mut state = game.standard_start();
            for action in &moves {
                assert_eq!(action.side, game.to_move(&state));
                play_text(&game, &mut state, &action.text).expect("it is legal");
            }
            assert_eq!(state, opening);
        }
    }

    #[test]
    fn a_position_that_no_game_reaches_is_given_up() {
        let game = ReversiConfig::default().build();
        let text = format!("{}XO{} X", "-".repeat(10), "-".repeat(52));
        let state = game.parse_position(&text).expect("it is a position");
        assert_eq!(moves_to(&game, &state), None);
    }
}
