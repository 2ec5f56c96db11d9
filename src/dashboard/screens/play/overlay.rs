//! What is drawn over the board: the cursor, the targets, and the champion's score of each move, or its rank if room is short.

use crate::theme::Theme;
use crate::widgets::board::{BoardNote, BoardOverlay};
use finches_engine::games::board::{Board, CellArea, MoveTarget};

use super::PlayScreen;
use super::move_selection::{self, SelectionTarget};

/// The width of the highest score.
const MIN_VALUE_WIDTH: u16 = 3;

/// Whether the board shows the champion's scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueDisplay {
    Shown,
    Hidden,
}

impl ValueDisplay {
    pub(super) fn other(self) -> Self {
        match self {
            Self::Shown => Self::Hidden,
            Self::Hidden => Self::Shown,
        }
    }
}

/// What the squares of the legal moves show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SquareNotes {
    Scores,
    Ranks,
    Nothing,
}

impl PlayScreen {
    /// The overlay of a board; without a cursor if it is not the user's turn.
    pub(super) fn overlay(&self, board: &Board, theme: &Theme) -> BoardOverlay<'_> {
        let mut over = BoardOverlay {
            hints: &self.hints,
            notes: self.notes(board, theme),
            ..BoardOverlay::default()
        };
        let pointed = self
            .target_at_cursor(board)
            .filter(|_| self.is_humans_turn());
        let Some(SelectionTarget { at, selection, .. }) = pointed else {
            return over;
        };
        let spots = &board.targets;
        let mut targets = move_selection::targets(spots, &self.selection);
        if let Some(spot) = move_selection::decided_move(spots, &selection) {
            over.pointed.clone_from(&spot.highlighted);
        } else {
            over.pointed = move_selection::selected_places(spots, &self.selection);
            over.pointed.push(at);
            targets.extend(move_selection::targets(spots, &selection));
        }
        over.signs = targets.iter().filter_map(|target| target.sign).collect();
        over
    }

    /// The moves under the cursor: one, or all that its place leaves open.
    pub(super) fn moves_at_cursor(&self, board: &Board) -> Vec<String> {
        let pointed = self
            .target_at_cursor(board)
            .filter(|_| self.is_humans_turn());
        pointed.map_or_else(Vec::new, |target| {
            move_selection::move_texts(&board.targets, &target.selection)
        })
    }

    /// The moves whose scores are drawn: those of the selected piece, or all moves of one place.
    fn noted_moves<'a>(&self, board: &'a Board) -> Vec<&'a MoveTarget> {
        let spots = &board.targets;
        let pointed = self.target_at_cursor(board).map(|target| target.selection);
        let open =
            pointed.filter(|selection| move_selection::decided_move(spots, selection).is_none());
        move_selection::matching_moves(spots, &open.unwrap_or_else(|| self.selection.clone()))
    }

    /// What the board has room for.
    pub(super) fn square_notes(&self, board: &Board) -> SquareNotes {
        let mut places = board.targets.iter().filter_map(|spot| spot.label_area);
        match places.next() {
            Some(_) if self.value_display == ValueDisplay::Hidden => SquareNotes::Nothing,
            Some(at) if at.width >= MIN_VALUE_WIDTH => SquareNotes::Scores,
            Some(_) => SquareNotes::Ranks,
            None => SquareNotes::Nothing,
        }
    }

    /// The champion's scores as notes on the squares.
    pub(super) fn notes(&self, board: &Board, theme: &Theme) -> Vec<BoardNote> {
        let square_notes = self.square_notes(board);
        let scores = &self.evaluations.scores;
        let noted_moves = self.noted_moves(board);
        let note = |rank: usize| {
            let spot = noted_moves
                .iter()
                .find(|spot| spot.move_text == scores[rank].0)?;
            let at = spot.label_area?;
            let is_better = |&better: &usize| {
                let other = noted_moves
                    .iter()
                    .find(|spot| spot.move_text == scores[better].0);
                other.is_some_and(|other| other.at == spot.at)
            };
            if (0..rank).any(|better| is_better(&better)) {
                return None;
            }
            let value = scores[rank].1;
            let text = match square_notes {
                SquareNotes::Scores => self.scale.text(value),
                SquareNotes::Ranks if rank < 9 => (rank + 1).to_string(),
                SquareNotes::Ranks => "·".to_owned(),
                SquareNotes::Nothing => return None,
            };
            let share = self.scale.share(value);
            let text = if theme.ascii {
                text.replace('·', ".")
            } else {
                text
            };
            Some(BoardNote {
                at,
                text: centered(&text, at),
                style: theme.heat(share).unwrap_or(match rank {
                    0 => theme.strong,
                    _ => theme.text,
                }),
            })
        };
        (0..scores.len()).filter_map(note).collect()
    }
}

/// Right-aligns text within its place.
fn centered(text: &str, at: CellArea) -> String {
    format!("{text:>0$}", usize::from(at.width))
}
