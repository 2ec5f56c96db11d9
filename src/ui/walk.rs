//! A walk through a recorded game: which move it is at, how much of it is still to be seen, and whether it goes on by itself.
//! It knows no game and no screen.

use std::time::Duration;

use crate::arena::record::Moment;
use crate::ui::app::sample::{Autoplay, Moved};
use crate::ui::hops::Hops;

/// Time a move is shown before the next, once it is done.
const PLY: Duration = Duration::from_millis(700);

/// Time the end of a game is shown before what follows.
const END: Duration = Duration::from_millis(2500);

/// Where a game stands.
#[derive(Clone, Copy, Debug)]
pub struct Walk {
    /// Moves shown.
    pub ply: usize,
    pub autoplay: Autoplay,
    /// What is still to be seen of the latest of them.
    hops: Hops,
    waited: Duration,
}

/// What is due once time has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    Nothing,
    /// A stage of a move was shown.
    Stage,
    /// The next move is to be made.
    Move,
    /// The end has been shown for long enough.
    End,
}

impl From<Due> for Moved {
    fn from(due: Due) -> Self {
        match due {
            Due::Nothing => Self::No,
            Due::Stage | Due::Move | Due::End => Self::Yes,
        }
    }
}

impl Walk {
    /// At the start of a game.
    pub fn new(autoplay: Autoplay) -> Self {
        Self {
            ply: 0,
            autoplay,
            hops: Hops::default(),
            waited: Duration::ZERO,
        }
    }

    /// What is shown of the game.
    pub fn moment(&self) -> Moment {
        Moment {
            ply: self.ply,
            left: self.hops.left(),
        }
    }

    /// Shows the game after so many moves, all of them done.
    pub fn show(&mut self, ply: usize) {
        self.ply = ply;
        self.hops = Hops::default();
        self.waited = Duration::ZERO;
    }

    /// Shows the next move from its first stage on.
    pub fn make_next(&mut self, stages: impl FnOnce(usize) -> usize) {
        self.show(self.ply + 1);
        self.hops = Hops::begin(stages(self.ply));
    }

    /// Steps back by hand, which stops the game from going on by itself and a move from being shown by stages.
    pub fn back(&mut self) {
        self.autoplay = Autoplay::Off;
        self.show(self.ply.saturating_sub(1));
    }

    /// Steps forward by hand in a game of so many moves.
    pub fn forward(&mut self, plies: usize, stages: impl FnOnce(usize) -> usize) {
        self.autoplay = Autoplay::Off;
        if self.ply < plies {
            self.make_next(stages);
        } else {
            self.show(self.ply);
        }
    }

    /// Lets the game go on by itself, from the start where it is at its end; or holds it.
    pub fn toggle(&mut self, plies: usize) {
        self.waited = Duration::ZERO;
        self.autoplay = match self.autoplay {
            Autoplay::On => Autoplay::Off,
            Autoplay::Off => Autoplay::On,
        };
        if self.ply == plies {
            self.show(0);
        }
    }

    /// Time until something changes by itself.
    pub fn due(&self, plies: usize) -> Option<Duration> {
        let playing = self.autoplay == Autoplay::On;
        let next = || playing.then(|| self.pause(plies).saturating_sub(self.waited));
        self.hops.due().or_else(next)
    }

    fn pause(&self, plies: usize) -> Duration {
        if self.ply < plies { PLY } else { END }
    }

    /// Lets time pass.
    pub fn tick(&mut self, passed: Duration, plies: usize) -> Due {
        if !self.hops.is_over() {
            return match self.hops.tick(passed) {
                Moved::Yes => Due::Stage,
                Moved::No => Due::Nothing,
            };
        }
        if self.autoplay == Autoplay::Off {
            return Due::Nothing;
        }
        self.waited += passed;
        if self.waited < self.pause(plies) {
            Due::Nothing
        } else if self.ply < plies {
            Due::Move
        } else {
            Due::End
        }
    }
}
