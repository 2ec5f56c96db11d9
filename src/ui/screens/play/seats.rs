//! Who sits where: sides, new games, and which champion is on the other side of the board.

use crate::games::Side;
use crate::ui::screens::champions::Wanted;

use super::rival::Rival;
use super::{Message, PlayScreen};

impl PlayScreen {
    pub(super) fn swap_sides(&mut self) {
        self.human = self.human.other();
        self.begin();
    }

    pub(super) fn new_game(&mut self) {
        self.start += 1;
        self.begin();
    }

    /// Begins a game from the current start, against whoever is newest unless another champion was chosen.
    fn begin(&mut self) {
        self.games += 1;
        self.ending = None;
        self.cursor = 0;
        self.entry = None;
        self.table.restart(self.start);
        self.moved();
        let words = match self.human {
            Side::First => "A new game: you begin.",
            Side::Second => "A new game: the champion begins.",
        };
        self.message = Message::Plain(words.to_owned());
        if self.follows {
            self.invite(Wanted::Newest);
        }
    }

    /// Brings an older or a newer champion to the board; the game goes on.
    pub(super) fn switch(&mut self, wanted: fn(u64) -> Wanted) {
        let wanted = self
            .rival
            .as_ref()
            .map_or(Wanted::Newest, |rival| wanted(rival.generation));
        self.invite(wanted);
    }

    /// Fetches a champion to the board, or says why there is none.
    pub(super) fn invite(&mut self, wanted: Wanted) {
        let seated = self.rival.as_ref().map(|rival| rival.generation);
        match Rival::fetch(&self.champions, wanted) {
            Ok(Some(rival)) => {
                if seated.is_some_and(|seated| seated != rival.generation) {
                    self.message = Message::Plain(format!("You now play {}.", rival.name()));
                }
                self.follows =
                    wanted == Wanted::Newest || self.champions.live() == Some(rival.generation);
                self.rival = Some(rival);
                self.hints.clear();
                self.think();
            }
            Ok(None) => match wanted {
                Wanted::Exactly(generation) => {
                    let words = format!("The champion of generation {generation} is not kept.");
                    self.message = Message::Bad(words);
                }
                Wanted::Newest => {}
                Wanted::OlderThan(_) => {
                    self.message = Message::Bad("There is no older champion.".to_owned());
                }
                Wanted::NewerThan(_) => {
                    self.follows = true;
                    self.message = Message::Bad("There is no newer champion.".to_owned());
                }
            },
            Err(fault) => self.message = Message::Bad(fault),
        }
    }
}
