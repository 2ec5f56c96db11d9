//! The sample game being shown: which one, at which move, and whether it goes on by itself.

use std::sync::Arc;
use std::time::Duration;

use crate::arena::Arena;
use crate::arena::record::{Moment, Ply, Record};
use crate::run::message::Snapshot;
use crate::ui::screens::net;
use crate::ui::walk::{Due, Walk};

use super::watch::Watch;

/// A sample game and where it stands. It is played to its end even where newer champions come meanwhile.
#[derive(Clone, Debug)]
pub struct Sample {
    pub held: Option<Held>,
    /// Which of a champion's games is shown.
    pub game: usize,
    walk: Walk,
    /// Whether the next news replace the game.
    replace: Replace,
}

/// Whether a game goes on by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Autoplay {
    On,
    Off,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Replace {
    AtEnd,
    Now,
}

/// A game, and the generation of the champion in it.
#[derive(Clone, Debug)]
pub struct Held {
    pub record: Record,
    pub generation: u64,
}

impl Default for Sample {
    fn default() -> Self {
        Self {
            held: None,
            game: 0,
            walk: Walk::new(Autoplay::On),
            replace: Replace::Now,
        }
    }
}

impl Sample {
    /// Takes over a newer champion's game where none is shown or another was asked for.
    pub fn news(&mut self, snapshot: &Snapshot) {
        if self.held.is_none() || self.replace == Replace::Now {
            self.take(snapshot);
        }
    }

    /// Asks for other games.
    pub fn another(&mut self) {
        self.replace = Replace::Now;
    }

    /// Goes on to the champion's other game.
    pub fn next_game(&mut self, snapshot: Option<&Snapshot>) {
        self.game += 1;
        if let Some(snapshot) = snapshot {
            self.take(snapshot);
        }
    }

    fn take(&mut self, snapshot: &Snapshot) {
        let count = snapshot.games.len();
        if count == 0 {
            return;
        }
        self.game %= count;
        self.held = Some(Held {
            record: snapshot.games[self.game].clone(),
            generation: snapshot.champion.generation,
        });
        self.walk.show(0);
        self.replace = Replace::AtEnd;
    }

    fn plies(&self) -> usize {
        self.held.as_ref().map_or(0, |held| held.record.plies.len())
    }

    pub fn autoplay(&self) -> Autoplay {
        self.walk.autoplay
    }

    /// What is shown of the game.
    pub fn moment(&self) -> Moment {
        self.walk.moment()
    }

    /// In how many stages the last of so many moves is shown.
    fn stages<'a>(
        held: Option<&'a Held>,
        watch: Option<&'a Watch>,
    ) -> impl Fn(usize) -> usize + 'a {
        move |ply| {
            let known = watch.zip(held);
            known.map_or(0, |(watch, held)| {
                watch.facts.arena.stages(&held.record, ply)
            })
        }
    }

    /// The position that is shown, all moves done; none where there is no game.
    pub fn position(&self, arena: &Arc<dyn Arena>) -> Option<net::Moment> {
        let record = &self.held.as_ref()?.record;
        let after = |last: &Ply| {
            let mut table = Arc::clone(arena).table(0);
            table.set_up(&last.position).ok()?;
            table.play(&last.action).ok()?;
            Some(table.position())
        };
        let ply = self.walk.ply;
        let position = match (record.plies.get(ply), record.plies.last()) {
            (Some(next), _) => Some(next.position.clone()),
            (None, Some(last)) => after(last).or(Some(last.position.clone())),
            (None, None) => Some(record.start.clone()),
        };
        let [first, second] = &record.names;
        Some(net::Moment {
            position: position?,
            words: format!("{first} v {second} after move {ply}"),
        })
    }

    /// Steps by hand.
    pub fn back(&mut self) {
        self.walk.back();
    }

    pub fn forward(&mut self, watch: Option<&Watch>) {
        let plies = self.plies();
        let stages = Self::stages(self.held.as_ref(), watch);
        self.walk.forward(plies, stages);
    }

    pub fn toggle(&mut self) {
        self.walk.toggle(self.plies());
    }

    /// Time until something changes by itself.
    pub fn due(&self) -> Option<Duration> {
        let plies = self.plies();
        self.held.as_ref().and_then(|_| self.walk.due(plies))
    }

    /// Lets time pass; at the end of a game the newest champion's next one follows.
    pub fn tick(&mut self, passed: Duration, watch: Option<&Watch>) -> Moved {
        if self.held.is_none() {
            return Moved::No;
        }
        let due = self.walk.tick(passed, self.plies());
        match due {
            Due::Nothing | Due::Stage => {}
            Due::Move => {
                let stages = Self::stages(self.held.as_ref(), watch);
                self.walk.make_next(stages);
            }
            Due::End => {
                self.next_game(watch.and_then(|watch| watch.snapshot.as_deref()));
                self.walk.show(0);
            }
        }
        due.into()
    }
}

/// Whether there is something new to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moved {
    Yes,
    No,
}
