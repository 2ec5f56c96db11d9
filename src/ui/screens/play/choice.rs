//! Choosing a move by pointing at one place after the other: at its piece, then at the squares it comes to. A move of one place is
//! chosen by pointing at that.

use crate::games::board::{Board, Patch, Spot};
use crate::ui::hops::Hops;
use crate::ui::keymap::{self, Action, Scope};

use super::aim::{self, Heading};
use super::{Message, PlayScreen};

/// The first so many places of a move, which other moves may have too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picked {
    pub word: String,
    pub count: usize,
}

/// A place that can be pointed at next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Offer {
    pub(super) at: Patch,
    /// Where a sign tells of it.
    pub(super) sign: Option<(u16, u16)>,
    /// What has been picked once it is pointed at.
    pub(super) picked: Picked,
}

/// The places of a move in order.
fn places(spot: &Spot) -> Vec<Patch> {
    match spot.way.as_slice() {
        [] => vec![spot.at],
        way => way.iter().map(|stop| stop.at).collect(),
    }
}

/// The places picked so far; none where the move is no longer there.
pub(super) fn way(spots: &[Spot], picked: &Picked) -> Vec<Patch> {
    let found = spots.iter().find(|spot| spot.word == picked.word);
    let mut way = found.map(places).unwrap_or_default();
    way.truncate(picked.count);
    way
}

/// The moves that begin with what is picked.
pub(super) fn candidates<'a>(spots: &'a [Spot], picked: &Picked) -> Vec<&'a Spot> {
    let way = way(spots, picked);
    let begins = |spot: &&Spot| places(spot).starts_with(&way);
    spots.iter().filter(begins).collect()
}

/// What can be picked next: the next place of each move, and the last one where it tells which move is meant.
pub(super) fn offers(spots: &[Spot], picked: &Picked) -> Vec<Offer> {
    let done = way(spots, picked).len();
    let candidates = candidates(spots, picked);
    let mut offers: Vec<Offer> = Vec::new();
    let mut offer = |spot: &Spot, place: usize| {
        let Some(&at) = places(spot).get(place) else {
            return;
        };
        if offers.iter().all(|offer| offer.at != at) {
            offers.push(Offer {
                at,
                sign: spot.way.get(place).map(|stop| stop.sign),
                picked: Picked {
                    word: spot.word.clone(),
                    count: place + 1,
                },
            });
        }
    };
    for spot in &candidates {
        offer(spot, done);
    }
    let ends_there = |at| candidates.iter().filter(|spot| spot.at == at).count();
    for spot in candidates.iter().filter(|_| done > 0) {
        if ends_there(spot.at) == 1 {
            offer(spot, places(spot).len() - 1);
        }
    }
    offers
}

/// The move that is picked, once there is only one. A piece alone is no move, even where it has but one.
pub(super) fn decided<'a>(spots: &'a [Spot], picked: &Picked) -> Option<&'a Spot> {
    let way = way(spots, picked);
    let candidates = candidates(spots, picked);
    let whole = candidates.iter().find(|spot| places(spot) == way);
    match candidates.as_slice() {
        _ if way.is_empty() => None,
        _ if whole.is_some() => whole.copied(),
        &[only] if way.len() > 1 => Some(only),
        _ => None,
    }
}

/// The moves in text that what is picked leaves open.
pub(super) fn words(spots: &[Spot], picked: &Picked) -> Vec<String> {
    let open = match decided(spots, picked) {
        Some(spot) => vec![spot],
        None => candidates(spots, picked),
    };
    open.into_iter().map(|spot| spot.word.clone()).collect()
}

impl PlayScreen {
    /// The board in the room it was last drawn in.
    pub(super) fn board(&self) -> Board {
        self.table.board(self.room.get())
    }

    /// The place under the cursor.
    pub(super) fn pointed(&self, board: &Board) -> Option<Offer> {
        let mut offers = offers(&board.spots, &self.picked);
        let last = offers.len().checked_sub(1)?;
        Some(offers.swap_remove(self.cursor.min(last)))
    }

    /// What can be clicked on: what is offered, and other pieces instead of the one picked.
    pub(super) fn clickable(&self, board: &Board) -> Vec<Offer> {
        let mut all = offers(&board.spots, &self.picked);
        for other in offers(&board.spots, &Picked::default()) {
            if all.iter().all(|offer| offer.at != other.at) {
                all.push(other);
            }
        }
        all
    }

    pub(super) fn point(&mut self, heading: Heading) {
        let offers = offers(&self.board().spots, &self.picked);
        let places: Vec<Patch> = offers.iter().map(|offer| offer.at).collect();
        let from = self.cursor.min(places.len().saturating_sub(1));
        self.cursor = aim::next(&places, from, heading);
    }

    /// Puts the cursor on the place nearest to another.
    pub(super) fn point_near(&mut self, place: Patch) {
        let offers = offers(&self.board().spots, &self.picked);
        self.cursor = aim::nearest(offers.iter().map(|offer| offer.at), place);
    }

    pub(super) fn pick_pointed(&mut self) {
        let offer = self.pointed(&self.board());
        self.pick(offer.map(|offer| offer.picked).unwrap_or_default());
    }

    /// Takes a click on a place, as if it had been pointed at and confirmed.
    pub fn click(&mut self, picked: &Picked) {
        self.entry = None;
        self.hops = Hops::default();
        let offers = offers(&self.board().spots, &self.picked);
        let clicked = offers.iter().position(|offer| offer.picked == *picked);
        self.cursor = clicked.unwrap_or(self.cursor);
        self.pick(picked.clone());
    }

    /// Makes the move that is picked, or waits for the rest of it.
    fn pick(&mut self, picked: Picked) {
        let board = self.board();
        let decided = decided(&board.spots, &picked).map(|spot| spot.word.clone());
        let is_there = board.spots.iter().any(|spot| spot.word == picked.word);
        if let (None, None, true) = (&decided, self.refusal(), is_there) {
            let at = way(&board.spots, &picked).last().copied();
            self.picked = picked;
            let back = keymap::label(Scope::Global, Action::Back);
            self.message = Message::Plain(format!("Now where it goes; {back} lets go of it."));
            if let Some(at) = at {
                self.point_near(at);
            }
        } else {
            self.play(&decided.unwrap_or(picked.word));
        }
    }

    /// Lets go of the place picked last. Returns whether there was one.
    pub(super) fn let_go(&mut self) -> bool {
        let last = way(&self.board().spots, &self.picked).pop();
        if let Some(place) = last {
            self.picked.count -= 1;
            self.point_near(place);
        }
        last.is_some()
    }
}
