//! Nim in closed form (Bouton 1901): a position is lost if the exclusive or of the sizes of its
//! heaps is 0. In misère play this holds while a heap has two matches or more; then the player to
//! move loses if the number of heaps is odd.

use crate::games::Rules;
use crate::games::oracle::Oracle;

use super::{LastMatch, Nim, NimMove, NimPosition};

/// Knows every position of any number of heaps.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClosedForm;

impl Nim {
    /// Whether the player to move loses under best play by both.
    pub(super) fn is_lost(&self, state: &NimPosition) -> bool {
        let sizes = state.sizes();
        let sum = sizes.iter().fold(0, |sum, size| sum ^ size);
        match self.config.last {
            LastMatch::Loses if sizes.iter().all(|&size| size < 2) => sum == 1,
            _ => sum == 0,
        }
    }

    /// Fills `best` with the moves that leave a lost position; with all moves if there are none.
    fn winning_moves(&self, state: &NimPosition, best: &mut Vec<NimMove>) {
        best.clear();
        self.moves(state, best);
        if !self.is_lost(state) {
            best.retain(|&action| {
                let mut after = *state;
                self.play(&mut after, action);
                self.is_lost(&after)
            });
        }
    }
}

impl Oracle<Nim> for ClosedForm {
    fn evaluate(&self, game: &Nim, state: &NimPosition, best: &mut Vec<NimMove>) -> Option<i32> {
        game.winning_moves(state, best);
        self.best_result(game, state).map(i32::from)
    }

    fn best_result(&self, game: &Nim, state: &NimPosition) -> Option<i8> {
        Some(if game.is_lost(state) { -1 } else { 1 })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::games::nim::NimConfig;
    use crate::games::{GameParams, Notation};

    /// Whether the player to move loses, by trying all moves.
    fn is_lost_by_search(
        game: &Nim,
        state: &NimPosition,
        known: &mut HashMap<String, bool>,
    ) -> bool {
        let name = game.position_text(state);
        if let Some(&is_lost) = known.get(&name) {
            return is_lost;
        }
        let is_lost = if let Some(outcome) = game.outcome(state) {
            outcome.result_for(state.to_move) < 0
        } else {
            let mut moves = Vec::new();
            game.moves(state, &mut moves);
            moves.into_iter().all(|action| {
                let mut after = *state;
                game.play(&mut after, action);
                !is_lost_by_search(game, &after, known)
            })
        };
        known.insert(name, is_lost);
        is_lost
    }

    fn check(heaps: &[u16], last: LastMatch) {
        let config = NimConfig {
            heaps: heaps.to_vec(),
            last,
            ..NimConfig::default()
        };
        let game = config.build();
        let (mut known, mut best) = (HashMap::new(), Vec::new());
        for state in Nim::fillings(heaps, 0) {
            let is_lost = is_lost_by_search(&game, &state, &mut known);
            let value = ClosedForm.evaluate(&game, &state, &mut best);
            assert_eq!(value, Some(if is_lost { -1 } else { 1 }), "{state:?}");
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            for action in moves {
                let mut after = state;
                game.play(&mut after, action);
                let wins = is_lost || is_lost_by_search(&game, &after, &mut known);
                assert_eq!(best.contains(&action), wins, "{state:?} {action:?}");
            }
        }
    }

    #[test]
    fn the_closed_form_agrees_with_exhaustive_search() {
        let games = [
            &[1][..],
            &[7],
            &[1, 1, 1, 1],
            &[2, 3, 4],
            &[3, 4, 5, 4],
            &[1, 3, 5, 7],
        ];
        for last in [LastMatch::Loses, LastMatch::Wins] {
            for heaps in games {
                check(heaps, last);
            }
        }
    }
}
