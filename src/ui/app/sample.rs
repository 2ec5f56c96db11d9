//! The sample game being shown: which one, at which move, and whether it goes on by itself.

use std::sync::Arc;
use std::time::Duration;

use crate::arena::Arena;
use crate::arena::record::{Moment, Ply, Record};
use crate::run::message::Snapshot;
use crate::ui::hops::Hops;
use crate::ui::screens::net;

use super::watch::Watch;

/// Time a move is shown before the next, once it is done.
const PLY: Duration = Duration::from_millis(700);

/// Time the end of a game is shown before the next game.
const END: Duration = Duration::from_millis(2500);

/// A sample game and where it stands. It is played to its end even where newer champions come meanwhile.
#[derive(Clone, Debug)]
pub struct Sample {
    pub held: Option<Held>,
    /// Which of a champion's games is shown.
    pub game: usize,
    /// Moves shown.
    pub ply: usize,
    pub autoplay: Autoplay,
    /// What is still to be seen of the latest of them.
    hops: Hops,
    waited: Duration,
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
            ply: 0,
            autoplay: Autoplay::On,
            hops: Hops::default(),
            waited: Duration::ZERO,
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
        self.show(0);
        self.replace = Replace::AtEnd;
    }

    fn plies(&self) -> usize {
        self.held.as_ref().map_or(0, |held| held.record.plies.len())
    }

    /// What is shown of the game.
    pub fn moment(&self) -> Moment {
        Moment {
            ply: self.ply,
            left: self.hops.left(),
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
        let position = match (record.plies.get(self.ply), record.plies.last()) {
            (Some(next), _) => Some(next.position.clone()),
            (None, Some(last)) => after(last).or(Some(last.position.clone())),
            (None, None) => Some(record.start.clone()),
        };
        let [first, second] = &record.names;
        Some(net::Moment {
            position: position?,
            words: format!("{first} v {second} after move {}", self.ply),
        })
    }

    /// Shows the game after so many moves, all of them done.
    fn show(&mut self, ply: usize) {
        self.ply = ply;
        self.hops = Hops::default();
        self.waited = Duration::ZERO;
    }

    /// Shows the next move from its first stage on.
    fn make_next(&mut self, watch: Option<&Watch>) {
        self.show(self.ply + 1);
        if let (Some(watch), Some(held)) = (watch, &self.held) {
            let stages = watch.facts.arena.stages(&held.record, self.ply);
            self.hops = Hops::begin(stages);
        }
    }

    /// Steps by hand, which stops the game from going on by itself and a move from being shown by stages.
    pub fn back(&mut self) {
        self.autoplay = Autoplay::Off;
        self.show(self.ply.saturating_sub(1));
    }

    pub fn forward(&mut self, watch: Option<&Watch>) {
        self.autoplay = Autoplay::Off;
        if self.ply < self.plies() {
            self.make_next(watch);
        } else {
            self.show(self.ply);
        }
    }

    pub fn toggle(&mut self) {
        self.waited = Duration::ZERO;
        self.autoplay = match self.autoplay {
            Autoplay::On => Autoplay::Off,
            Autoplay::Off => Autoplay::On,
        };
        if self.ply == self.plies() {
            self.show(0);
        }
    }

    /// Time until something changes by itself.
    pub fn due(&self) -> Option<Duration> {
        let playing = self.autoplay == Autoplay::On && self.held.is_some();
        let next = || playing.then(|| self.pause().saturating_sub(self.waited));
        self.hops.due().or_else(next)
    }

    fn pause(&self) -> Duration {
        if self.ply < self.plies() { PLY } else { END }
    }

    /// Lets time pass; at the end of a game the newest champion's next one follows.
    pub fn tick(&mut self, passed: Duration, watch: Option<&Watch>) -> Moved {
        if !self.hops.is_over() {
            return self.hops.tick(passed);
        }
        if self.due().is_none() {
            return Moved::No;
        }
        self.waited += passed;
        if self.waited < self.pause() {
            return Moved::No;
        }
        if self.ply < self.plies() {
            self.make_next(watch);
        } else {
            self.next_game(watch.and_then(|watch| watch.snapshot.as_deref()));
            self.show(0);
        }
        Moved::Yes
    }
}

/// Whether there is something new to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moved {
    Yes,
    No,
}
