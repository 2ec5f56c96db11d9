//! Selects a move place by place: first the piece, then the squares it moves to. A move of one
//! place is selected by that place.

use crate::model::direction::Direction;
use crate::widgets::board::BoardOverlay;
use finches_engine::games::board::{Board, CellArea, MoveTarget};

use super::board_cursor;

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
fn selected_places(spots: &[MoveTarget], selection: &PartialMove) -> Vec<CellArea> {
    let found = spots
        .iter()
        .find(|spot| spot.move_text == selection.move_text);
    let mut selected = found.map(move_places).unwrap_or_default();
    selected.truncate(selection.count);
    selected
}

/// The moves that begin with the selection.
fn matching_moves<'a>(spots: &'a [MoveTarget], selection: &PartialMove) -> Vec<&'a MoveTarget> {
    let selected = selected_places(spots, selection);
    let begins = |spot: &&MoveTarget| move_places(spot).starts_with(&selected);
    spots.iter().filter(begins).collect()
}

/// The places that can be selected next: the next place of each move, and its last place if that
/// identifies the move.
fn targets(spots: &[MoveTarget], selection: &PartialMove) -> Vec<SelectionTarget> {
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

/// The cursor, and the places of the next move selected so far.
#[derive(Default)]
pub(super) struct MovePicker {
    pub(super) selection: PartialMove,
    /// The index among the places that can be selected next. `None` until the user points at one,
    /// since any place would look like advice.
    cursor: Option<usize>,
    /// Where the cursor was last.
    last: Option<CellArea>,
}

impl MovePicker {
    pub(super) fn targets(&self, board: &Board) -> Vec<SelectionTarget> {
        targets(&board.targets, &self.selection)
    }

    /// The place under the cursor.
    pub(super) fn target_at_cursor(&self, board: &Board) -> Option<SelectionTarget> {
        let mut targets = self.targets(board);
        let last = targets.len().checked_sub(1)?;
        Some(targets.swap_remove(self.cursor?.min(last)))
    }

    /// Takes the cursor off the board and forgets the selection. `place` is where it was.
    pub(super) fn rest(&mut self, place: Option<CellArea>) {
        self.selection = PartialMove::default();
        (self.cursor, self.last) = (None, place.or(self.last));
    }

    /// The places that can be clicked: the targets, and other pieces in place of the selected one.
    pub(super) fn click_targets(&self, board: &Board) -> Vec<SelectionTarget> {
        let mut all = self.targets(board);
        for other in targets(&board.targets, &PartialMove::default()) {
            if all.iter().all(|target| target.at != other.at) {
                all.push(other);
            }
        }
        all
    }

    /// Moves the cursor; the first time, to the place where it was last or to the center.
    pub(super) fn move_cursor(&mut self, board: &Board, direction: Direction) {
        let targets = self.targets(board);
        let places: Vec<CellArea> = targets.iter().map(|target| target.at).collect();
        let Some(last) = places.len().checked_sub(1) else {
            return;
        };
        self.cursor = Some(match self.cursor {
            Some(from) => board_cursor::next(&places, from.min(last), direction),
            None => board_cursor::nearest(places.into_iter(), self.last.unwrap_or(board.whole())),
        });
    }

    /// Moves the cursor to the nearest target.
    pub(super) fn move_cursor_near(&mut self, board: &Board, place: CellArea) {
        let targets = self.targets(board);
        let places = targets.iter().map(|target| target.at);
        self.cursor = Some(board_cursor::nearest(places, place));
    }

    /// Moves the cursor to the target with this selection, if there is one.
    pub(super) fn move_cursor_to(&mut self, board: &Board, selection: &PartialMove) {
        let targets = self.targets(board);
        let found = targets
            .iter()
            .position(|target| target.selection == *selection);
        self.cursor = found.or(self.cursor);
    }

    /// Moves the cursor to the last place of a move, with those before it selected.
    pub(super) fn point_at(&mut self, board: &Board, move_text: &str) {
        let mut spots = board.targets.iter();
        let found = spots.find(|spot| spot.move_text == move_text);
        let places = found.map(move_places).unwrap_or_default();
        let Some((&last, before)) = places.split_last() else {
            return;
        };
        self.selection = PartialMove {
            move_text: move_text.to_owned(),
            count: before.len(),
        };
        let mut targets = self.targets(board).into_iter();
        self.cursor = targets.position(|target| target.at == last);
    }

    /// Selects places, and moves the cursor near the last of them.
    pub(super) fn select(&mut self, board: &Board, selection: PartialMove) {
        self.selection = selection;
        if let Some(&at) = selected_places(&board.targets, &self.selection).last() {
            self.move_cursor_near(board, at);
        }
    }

    /// Deselects the place selected last. Returns whether there was one.
    pub(super) fn deselect_last(&mut self, board: &Board) -> bool {
        let last = selected_places(&board.targets, &self.selection).pop();
        if let Some(place) = last {
            self.selection.count -= 1;
            self.move_cursor_near(board, place);
        }
        last.is_some()
    }

    /// The moves under the cursor: one, or all that its place leaves open.
    pub(super) fn moves_at_cursor(&self, board: &Board) -> Vec<String> {
        let pointed = self.target_at_cursor(board);
        pointed.map_or_else(Vec::new, |target| {
            move_texts(&board.targets, &target.selection)
        })
    }

    /// Whether the place under the cursor identifies a move.
    pub(super) fn is_decided(&self, board: &Board) -> bool {
        let pointed = self.target_at_cursor(board);
        pointed.is_some_and(|target| decided_move(&board.targets, &target.selection).is_some())
    }

    /// The moves whose scores are drawn: those of the selected piece, or all moves of one place.
    pub(super) fn noted_moves<'a>(&self, board: &'a Board) -> Vec<&'a MoveTarget> {
        let spots = &board.targets;
        let pointed = self.target_at_cursor(board).map(|target| target.selection);
        let open = pointed.filter(|selection| decided_move(spots, selection).is_none());
        matching_moves(spots, open.as_ref().unwrap_or(&self.selection))
    }

    /// The places under the cursor and the signs of the targets.
    pub(super) fn overlay(&self, board: &Board) -> BoardOverlay {
        let mut over = BoardOverlay::default();
        let spots = &board.targets;
        let mut targets = self.targets(board);
        let pointed = self.target_at_cursor(board);
        if let Some(SelectionTarget { at, selection, .. }) = pointed {
            if let Some(spot) = decided_move(spots, &selection) {
                over.pointed.clone_from(&spot.highlighted);
            } else {
                over.pointed = selected_places(spots, &self.selection);
                over.pointed.push(at);
                targets.extend(self::targets(spots, &selection));
            }
        }
        over.signs = targets.iter().filter_map(|target| target.sign).collect();
        over
    }
}
