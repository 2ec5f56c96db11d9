//! The playback of a recorded game: the current move, its animation, and autoplay. It is
//! independent of the game and the screen.

use std::time::Duration;

use finches_engine::play::record::RecordMoment;

use crate::model::animation::{MoveAnimation, STAGE_TIME};

/// The pauses of autoplay.
#[derive(Clone, Copy, Debug)]
pub struct Rhythm {
    /// After a move.
    pub after_move: Duration,
    /// At the end of a game.
    pub at_end: Duration,
}

impl Default for Rhythm {
    fn default() -> Self {
        Self {
            after_move: Duration::from_millis(700),
            at_end: Duration::from_millis(2500),
        }
    }
}

impl Rhythm {
    /// The rhythm at which a game of `plies` moves takes about this time, as fast as the screen is
    /// drawn at most.
    pub fn within(time: Duration, plies: usize) -> Self {
        const FRAME: Duration = Duration::from_millis(33);
        let each = time / (plies as u32 + 1);
        let each = each.clamp(FRAME, Self::default().after_move);
        Self {
            after_move: each,
            at_end: each,
        }
    }
}

/// The position in a recorded game.
#[derive(Clone, Copy, Debug)]
pub struct Playback {
    /// Moves shown.
    pub ply: usize,
    pub is_autoplay: bool,
    pub rhythm: Rhythm,
    /// The animation of the latest move.
    animation: MoveAnimation,
    waited: Duration,
}

/// What happens as time passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaybackStep {
    Nothing,
    /// The next stage of a move is shown.
    Stage,
    /// The next move is due.
    Move,
    /// The pause at the end is over.
    End,
}

impl PlaybackStep {
    /// Whether something new must be drawn.
    pub fn is_change(self) -> bool {
        self != Self::Nothing
    }
}

impl Playback {
    /// Starts at the first position of a game.
    pub fn new(is_autoplay: bool) -> Self {
        Self {
            ply: 0,
            is_autoplay,
            rhythm: Rhythm::default(),
            animation: MoveAnimation::default(),
            waited: Duration::ZERO,
        }
    }

    /// The position and the stage shown.
    pub fn moment(&self) -> RecordMoment {
        RecordMoment {
            ply: self.ply,
            stages_left: self.animation.stages_left(),
        }
    }

    /// Shows the position after `ply` moves, without animation.
    pub fn jump_to(&mut self, ply: usize) {
        self.ply = ply;
        self.animation = MoveAnimation::default();
        self.waited = Duration::ZERO;
    }

    /// Shows the next move, animated from its first stage.
    pub fn animate_next(&mut self, stages: impl FnOnce(usize) -> usize) {
        self.jump_to(self.ply + 1);
        if self.rhythm.after_move > STAGE_TIME {
            self.animation = MoveAnimation::start(stages(self.ply));
        }
    }

    /// Goes back one move, which stops autoplay and the animation.
    pub fn step_back(&mut self) {
        self.is_autoplay = false;
        self.jump_to(self.ply.saturating_sub(1));
    }

    /// Goes forward one move in a game of `plies` moves, which stops autoplay.
    pub fn step_forward(&mut self, plies: usize, stages: impl FnOnce(usize) -> usize) {
        self.is_autoplay = false;
        if self.ply < plies {
            self.animate_next(stages);
        } else {
            self.jump_to(self.ply);
        }
    }

    /// Turns autoplay on or off. At the end of the game it starts over.
    pub fn toggle_autoplay(&mut self, plies: usize) {
        self.waited = Duration::ZERO;
        self.is_autoplay = !self.is_autoplay;
        if self.ply == plies {
            self.jump_to(0);
        }
    }

    /// Time until the next change, or `None` if nothing is scheduled.
    pub fn time_to_change(&self, plies: usize) -> Option<Duration> {
        let next = || {
            self.is_autoplay
                .then(|| self.pause(plies).saturating_sub(self.waited))
        };
        self.animation.time_to_change().or_else(next)
    }

    fn pause(&self, plies: usize) -> Duration {
        if self.ply < plies {
            self.rhythm.after_move
        } else {
            self.rhythm.at_end
        }
    }

    /// Advances the time.
    pub fn tick(&mut self, passed: Duration, plies: usize) -> PlaybackStep {
        if !self.animation.is_finished() {
            return if self.animation.tick(passed) {
                PlaybackStep::Stage
            } else {
                PlaybackStep::Nothing
            };
        }
        if !self.is_autoplay {
            return PlaybackStep::Nothing;
        }
        self.waited += passed;
        if self.waited < self.pause(plies) {
            PlaybackStep::Nothing
        } else if self.ply < plies {
            PlaybackStep::Move
        } else {
            PlaybackStep::End
        }
    }
}
