//! How the latest move is shown: in stages, and then for a moment before the champion replies, so
//! that the user sees it first.

use std::time::Duration;

use crate::model::animation::MoveAnimation;

use super::current::CurrentGame;

/// How long a move is shown before the champion replies.
pub(super) const REPLY_PAUSE: Duration = Duration::from_millis(400);

/// What is left of showing the latest move.
#[derive(Default)]
pub(super) struct LatestMove {
    pub(super) animation: MoveAnimation,
    /// The time that is left before the champion replies.
    pub(super) pause: Duration,
}

impl LatestMove {
    /// Starts to show the latest move of a game.
    pub(super) fn of(current: &CurrentGame) -> Self {
        Self {
            animation: MoveAnimation::start(current.game.position().stages),
            pause: if current.is_champions_turn() {
                REPLY_PAUSE
            } else {
                Duration::ZERO
            },
        }
    }

    pub(super) fn is_shown(&self) -> bool {
        self.animation.is_finished() && self.pause.is_zero()
    }

    /// Advances the animation, then the pause. Returns whether a frame or the reply is due.
    pub(super) fn advance(&mut self, passed: Duration) -> bool {
        if !self.animation.is_finished() {
            return self.animation.tick(passed);
        }
        let was_pausing = !self.pause.is_zero();
        self.pause = self.pause.saturating_sub(passed);
        was_pausing && self.pause.is_zero()
    }

    /// Time until the next stage or the end of the pause.
    pub(super) fn due(&self) -> Option<Duration> {
        let pause = Some(self.pause).filter(|pause| !pause.is_zero());
        self.animation.time_to_change().or(pause)
    }
}
