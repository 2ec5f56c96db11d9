//! A move shown stage by stage, as a piece hops from square to square. It knows how many stages are left as time passes, but no
//! game.

use std::time::Duration;

use crate::ui::app::sample::Moved;

/// Time a stage is shown.
pub const STAGE: Duration = Duration::from_millis(200);

/// The stages of the latest move that are still to be shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hops {
    left: usize,
    /// How long the present stage has been shown.
    shown: Duration,
}

impl Hops {
    /// A move at its first stage; one of no stages is done at once.
    pub fn begin(stages: usize) -> Self {
        Self {
            left: stages,
            shown: Duration::ZERO,
        }
    }

    /// Stages left, the present one included.
    pub fn left(&self) -> usize {
        self.left
    }

    pub fn is_over(&self) -> bool {
        self.left == 0
    }

    /// Time until the next stage, or the end; none once the move is done.
    pub fn due(&self) -> Option<Duration> {
        (!self.is_over()).then(|| STAGE.saturating_sub(self.shown))
    }

    /// Lets time pass, be it more than a stage.
    pub fn tick(&mut self, passed: Duration) -> Moved {
        let before = self.left;
        self.shown += passed;
        while self.left > 0 && self.shown >= STAGE {
            self.shown -= STAGE;
            self.left -= 1;
        }
        if self.left == before {
            Moved::No
        } else {
            Moved::Yes
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(hops: &mut Hops, passed: u64, left: usize, moved: Moved) {
        assert_eq!(hops.tick(Duration::from_millis(passed)), moved, "{hops:?}");
        assert_eq!(hops.left(), left);
    }

    #[test]
    fn every_stage_is_shown_for_its_time() {
        let mut hops = Hops::begin(3);
        assert_eq!(hops.due(), Some(STAGE));
        check(&mut hops, 199, 3, Moved::No);
        assert_eq!(hops.due(), Some(Duration::from_millis(1)));
        check(&mut hops, 1, 2, Moved::Yes);
        check(&mut hops, 150, 2, Moved::No);
        check(&mut hops, 100, 1, Moved::Yes);
        check(&mut hops, 150, 0, Moved::Yes);
        assert_eq!((hops.due(), hops.is_over()), (None, true));
        check(&mut hops, 1000, 0, Moved::No);
    }

    #[test]
    fn a_screen_that_is_late_leaves_stages_out_and_a_move_without_stages_is_done() {
        check(&mut Hops::begin(3), 450, 1, Moved::Yes);
        check(&mut Hops::begin(3), 10_000, 0, Moved::Yes);
        assert!(Hops::begin(0).is_over());
    }
}
