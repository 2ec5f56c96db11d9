//! The champion's score of each move on the board, if there is room.

use crate::theme::Theme;
use crate::widgets::board::BoardNote;
use finches_engine::games::board::{Board, MoveTarget};

use super::analysis::{Analysis, ShownValues};
use finches_engine::play::score_scale;

/// The width of the highest score.
const MIN_VALUE_WIDTH: u16 = 3;

impl Analysis {
    /// Whether the squares of a board show scores.
    pub(super) fn has_notes(&self, board: &Board) -> bool {
        let mut places = board.targets.iter().filter_map(|spot| spot.label_area);
        let has_room = places.next().is_some_and(|at| at.width >= MIN_VALUE_WIDTH);
        has_room && self.shown == ShownValues::OnSquares
    }

    /// The scores of these moves as notes on their squares, the best one where moves share a
    /// square.
    pub(super) fn notes(&self, noted_moves: &[&MoveTarget], theme: &Theme) -> Vec<BoardNote> {
        let scores = &self.evaluations.scores;
        let spot_of = |rank: usize| {
            let mut moves = noted_moves.iter();
            moves.find(|spot| spot.move_text == scores[rank].0)
        };
        let note = |rank: usize| {
            let spot = spot_of(rank)?;
            let at = spot.label_area?;
            let shares_square = |other: &&MoveTarget| other.at == spot.at;
            if (0..rank).filter_map(spot_of).any(shares_square) {
                return None;
            }
            let share = self.share(scores[rank].1);
            let text = if at.width >= 5 {
                score_scale::text(share)
            } else {
                format!("{:.0}", share * 100.0)
            };
            let plain = if rank == 0 { theme.strong } else { theme.text };
            Some(BoardNote {
                at,
                text: format!("{text:>0$}", usize::from(at.width)),
                style: theme.heat(share.max(0.0)).unwrap_or(plain),
            })
        };
        (0..scores.len()).filter_map(note).collect()
    }
}
