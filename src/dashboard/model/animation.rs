//! The animation of a move in stages, as a piece jumps from square to square. It counts the stages
//! left and is independent of the game.

use std::time::Duration;

/// How long each stage is shown.
pub const STAGE_TIME: Duration = Duration::from_millis(200);

/// The animation of one move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveAnimation {
    left: usize,
    /// How long the current stage has been shown.
    shown: Duration,
}

impl MoveAnimation {
    /// Starts the animation of a move. A move without stages is finished at once.
    pub fn start(stages: usize) -> Self {
        Self {
            left: stages,
            shown: Duration::ZERO,
        }
    }

    /// Stages left, including the current one.
    pub fn stages_left(&self) -> usize {
        self.left
    }

    pub fn is_finished(&self) -> bool {
        self.left == 0
    }

    /// Time until the next stage or the end; `None` once finished.
    pub fn time_to_change(&self) -> Option<Duration> {
        (!self.is_finished()).then(|| STAGE_TIME.saturating_sub(self.shown))
    }

    /// Advances the time, possibly by more than one stage. Returns whether the stage has changed.
    pub fn tick(&mut self, passed: Duration) -> bool {
        let before = self.left;
        self.shown += passed;
        while self.left > 0 && self.shown >= STAGE_TIME {
            self.shown -= STAGE_TIME;
            self.left -= 1;
        }
        self.left != before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(animation: &mut MoveAnimation, passed: u64, left: usize, has_changed: bool) {
        assert_eq!(
            animation.tick(Duration::from_millis(passed)),
            has_changed,
            "{animation:?}"
        );
        assert_eq!(animation.stages_left(), left);
    }

    #[test]
    fn every_stage_is_shown_for_its_time() {
        let mut animation = MoveAnimation::start(3);
        assert_eq!(animation.time_to_change(), Some(STAGE_TIME));
        check(&mut animation, 199, 3, false);
        assert_eq!(animation.time_to_change(), Some(Duration::from_millis(1)));
        check(&mut animation, 1, 2, true);
        check(&mut animation, 150, 2, false);
        check(&mut animation, 100, 1, true);
        check(&mut animation, 150, 0, true);
        assert_eq!(
            (animation.time_to_change(), animation.is_finished()),
            (None, true)
        );
        check(&mut animation, 1000, 0, false);
    }

    #[test]
    fn a_late_frame_skips_stages_and_a_move_without_stages_is_finished() {
        check(&mut MoveAnimation::start(3), 450, 1, true);
        check(&mut MoveAnimation::start(3), 10_000, 0, true);
        assert!(MoveAnimation::start(0).is_finished());
    }
}
