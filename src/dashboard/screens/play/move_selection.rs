//! Selects a move place by place: first the piece, then the squares it moves to. A move of one place is selected by that place.

use crate::keymap::{self, Action, Scope};
use finches_engine::games::board::{Board, CellArea, MoveTarget};

use super::board_cursor::{self, BoardDirection};
use super::{PlayMessage, PlayScreen};

/// The first `count` places of a move; other moves may share them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartialMove {
    pub move_text: String,
    pub count: usize,
}

/// A place that can be selected next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SelectionTarget {
    pub(super) at: CellArea,
    /// The position of its marker.
    pub(super) sign: Option<(u16, u16)>,
    /// The selection after choosing this place.
    pub(super) selection: PartialMove,
}

/// The places of a move in order.
fn move_places(spot: &MoveTarget) -> Vec<CellArea> {
    match spot.path.as_slice() {
        [] => vec![spot.at],
        way => way.iter().map(|stop| stop.at).collect(),
    }
}

/// The places selected so far; empty if the move is no longer legal.
pub(super) fn selected_places(spots: &[MoveTarget], selection: &PartialMove) -> Vec<CellArea> {
    let found = spots
        .iter()
        .find(|spot| spot.move_text == selection.move_text);
    let mut selected = found.map(move_places).unwrap_or_default();
    selected.truncate(selection.count);
    selected
}

/// The moves that begin with the selection.
pub(super) fn matching_moves<'a>(
    spots: &'a [MoveTarget],
    selection: &PartialMove,
) -> Vec<&'a MoveTarget> {
    let selected = selected_places(spots, selection);
    let begins = |spot: &&MoveTarget| move_places(spot).starts_with(&selected);
    spots.iter().filter(begins).collect()
}

/// The places that can be selected next: the next place of each move, and its last place if that identifies the move.
pub(super) fn targets(spots: &[MoveTarget], selection: &PartialMove) -> Vec<SelectionTarget> {
    let done = selected_places(spots, selection).len();
    let candidates = matching_moves(spots, selection);
    let mut targets: Vec<SelectionTarget> = Vec::new();
    let mut target = |spot: &MoveTarget, place: usize| {
        let Some(&at) = move_places(spot).get(place) else {
            return;
        };
        if targets.iter().all(|target| target.at != at) {
            targets.push(SelectionTarget {
                at,
                sign: spot.path.get(place).map(|stop| stop.marker),
                selection: PartialMove {
                    move_text: spot.move_text.clone(),
                    count: place + 1,
                },
            });
        }
    };
    for spot in &candidates {
        target(spot, done);
    }
    let ends_there = |at| candidates.iter().filter(|spot| spot.at == at).count();
    for spot in candidates.iter().filter(|_| done > 0) {
        if ends_there(spot.at) == 1 {
            target(spot, move_places(spot).len() - 1);
        }
    }
    targets
}

/// The selected move if it is unique. A piece alone is not a move, even if it has only one.
pub(super) fn decided_move<'a>(
    spots: &'a [MoveTarget],
    selection: &PartialMove,
) -> Option<&'a MoveTarget> {
    let selected = selected_places(spots, selection);
    let candidates = matching_moves(spots, selection);
    let whole = candidates.iter().find(|spot| move_places(spot) == selected);
    match candidates.as_slice() {
        _ if selected.is_empty() => None,
        _ if whole.is_some() => whole.copied(),
        &[only] if selected.len() > 1 => Some(only),
        _ => None,
    }
}

/// The moves that the selection leaves open, as text.
pub(super) fn move_texts(spots: &[MoveTarget], selection: &PartialMove) -> Vec<String> {
    let open = match decided_move(spots, selection) {
        Some(spot) => vec![spot],
        None => matching_moves(spots, selection),
    };
    open.into_iter()
        .map(|spot| spot.move_text.clone())
        .collect()
}

impl PlayScreen {
    /// The board as the user sees it.
    pub(super) fn board(&self) -> Board {
        self.board_within(self.area)
    }

    /// The place under the cursor.
    pub(super) fn target_at_cursor(&self, board: &Board) -> Option<SelectionTarget> {
        let mut targets = targets(&board.targets, &self.selection);
        let last = targets.len().checked_sub(1)?;
        Some(targets.swap_remove(self.cursor.min(last)))
    }

    /// The places that can be clicked: the targets, and other pieces in place of the selected one.
    pub(super) fn click_targets(&self, board: &Board) -> Vec<SelectionTarget> {
        let mut all = targets(&board.targets, &self.selection);
        for other in targets(&board.targets, &PartialMove::default()) {
            if all.iter().all(|target| target.at != other.at) {
                all.push(other);
            }
        }
        all
    }

    pub(super) fn move_cursor(&mut self, direction: BoardDirection) {
        let targets = targets(&self.board().targets, &self.selection);
        let places: Vec<CellArea> = targets.iter().map(|target| target.at).collect();
        let from = self.cursor.min(places.len().saturating_sub(1));
        self.cursor = board_cursor::next(&places, from, direction);
    }

    /// Moves the cursor to the nearest target.
    pub(super) fn move_cursor_near(&mut self, place: CellArea) {
        let targets = targets(&self.board().targets, &self.selection);
        self.cursor = board_cursor::nearest(targets.iter().map(|target| target.at), place);
    }

    pub(super) fn select_at_cursor(&mut self) {
        let target = self.target_at_cursor(&self.board());
        self.select(target.map(|target| target.selection).unwrap_or_default());
    }

    /// Handles a click on a place.
    pub fn click(&mut self, selection: &PartialMove) {
        self.entry = None;
        self.skip_animation();
        let targets = targets(&self.board().targets, &self.selection);
        let clicked = targets
            .iter()
            .position(|target| target.selection == *selection);
        self.cursor = clicked.unwrap_or(self.cursor);
        self.select(selection.clone());
    }

    /// Makes the selected move if it is unique, else extends the selection.
    fn select(&mut self, selection: PartialMove) {
        let board = self.board();
        let decided_move =
            decided_move(&board.targets, &selection).map(|spot| spot.move_text.clone());
        let is_there = board
            .targets
            .iter()
            .any(|spot| spot.move_text == selection.move_text);
        if let (None, None, true) = (&decided_move, self.blocked_reason(), is_there) {
            let at = selected_places(&board.targets, &selection).last().copied();
            self.selection = selection;
            let back = keymap::label(Scope::GLOBAL, Action::Back);
            self.message = PlayMessage::Info(format!("Choose a target; {back} cancels."));
            if let Some(at) = at {
                self.move_cursor_near(at);
            }
        } else {
            self.play(&decided_move.unwrap_or(selection.move_text));
        }
    }

    /// Deselects the place selected last. Returns whether there was one.
    pub(super) fn deselect_last(&mut self) -> bool {
        let last = selected_places(&self.board().targets, &self.selection).pop();
        if let Some(place) = last {
            self.selection.count -= 1;
            self.move_cursor_near(place);
        }
        last.is_some()
    }
}
