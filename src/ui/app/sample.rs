//! The sample game being shown: which one, at which move, and whether it goes on by itself.

use std::time::Duration;

use crate::arena::record::Record;
use crate::run::message::Snapshot;

/// Time a move is shown before the next.
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
        self.ply = 0;
        self.waited = Duration::ZERO;
        self.replace = Replace::AtEnd;
    }

    fn plies(&self) -> usize {
        self.held.as_ref().map_or(0, |held| held.record.plies.len())
    }

    /// Steps by hand, which stops the game from going on by itself.
    pub fn back(&mut self) {
        self.autoplay = Autoplay::Off;
        self.ply = self.ply.saturating_sub(1);
    }

    pub fn forward(&mut self) {
        self.autoplay = Autoplay::Off;
        self.ply = (self.ply + 1).min(self.plies());
    }

    pub fn toggle(&mut self) {
        self.waited = Duration::ZERO;
        self.autoplay = match self.autoplay {
            Autoplay::On => Autoplay::Off,
            Autoplay::Off => Autoplay::On,
        };
        if self.ply == self.plies() {
            self.ply = 0;
        }
    }

    /// Time until something changes by itself.
    pub fn due(&self) -> Option<Duration> {
        let playing = self.autoplay == Autoplay::On && self.held.is_some();
        playing.then(|| self.pause().saturating_sub(self.waited))
    }

    fn pause(&self) -> Duration {
        if self.ply < self.plies() { PLY } else { END }
    }

    /// Lets time pass; at the end of a game the newest champion's next one follows.
    pub fn tick(&mut self, passed: Duration, newest: Option<&Snapshot>) -> Moved {
        if self.due().is_none() {
            return Moved::No;
        }
        self.waited += passed;
        if self.waited < self.pause() {
            return Moved::No;
        }
        self.waited = Duration::ZERO;
        if self.ply < self.plies() {
            self.ply += 1;
        } else {
            self.next_game(newest);
            self.ply = 0;
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
