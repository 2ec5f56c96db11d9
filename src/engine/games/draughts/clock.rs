//! The draw rules and their counters. If no rule is on, nothing is counted, and positions with the
//! same pieces are equal.

use std::hash::{Hash, Hasher};

use super::pieces::MoveKind;
use super::turn::{Diagonal, DraughtsMove, shift};

/// The limits at which a game is drawn; 0 turns a rule off.
#[derive(Clone, Copy, Debug)]
pub(super) struct DrawRules {
    /// The number of occurrences of a position with the same player to move.
    pub(super) repetition: u8,
    /// The number of moves of both players: in total, without a capture or a man's step, and
    /// without a capture.
    pub(super) turns: u16,
    pub(super) quiet: u16,
    pub(super) captureless: u16,
}

/// The counters of the draw rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DrawClock {
    turns: u16,
    quiet: u16,
    captureless: u16,
    is_drawn: bool,
    trail: KingTrail,
}

impl DrawClock {
    pub(super) const START: Self = Self {
        turns: 0,
        quiet: 0,
        captureless: 0,
        is_drawn: false,
        trail: KingTrail::EMPTY,
    };

    pub(super) fn is_drawn(&self) -> bool {
        self.is_drawn
    }
}

impl DrawRules {
    /// Whether any rule is on.
    pub(super) fn is_any(self) -> bool {
        self.repetition > 0 || self.turns > 0 || self.quiet > 0 || self.captureless > 0
    }

    /// Counts a move.
    pub(super) fn count(self, clock: &mut DrawClock, turn: DraughtsMove, kind: MoveKind) {
        let is_over = [
            bump(&mut clock.turns, self.turns, true),
            bump(&mut clock.quiet, self.quiet, kind == MoveKind::KingStep),
            bump(
                &mut clock.captureless,
                self.captureless,
                kind != MoveKind::Capture,
            ),
        ];
        clock.is_drawn = is_over.contains(&true);
        if self.repetition > 0 {
            if kind == MoveKind::KingStep {
                clock.trail.add(turn);
            } else {
                clock.trail = KingTrail::EMPTY;
            }
            clock.is_drawn |= clock.trail.occurrences() >= self.repetition;
        }
    }
}

/// Increments a counter or resets it to 0. Returns whether it has reached its limit.
fn bump(counter: &mut u16, limit: u16, continues: bool) -> bool {
    *counter = if limit > 0 && continues {
        counter.saturating_add(1)
    } else {
        0
    };
    limit > 0 && *counter >= limit
}

/// The latest king steps since the last capture or man's step, after which no earlier position can
/// recur. A step takes one byte, so that positions are cheap to copy.
///
/// Invariant: the bytes after the last step are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct KingTrail {
    length: u8,
    steps: [u8; Self::CAPACITY],
}

impl KingTrail {
    /// Forty moves by each player.
    const CAPACITY: usize = 80;
    const EMPTY: Self = Self {
        length: 0,
        steps: [0; Self::CAPACITY],
    };

    fn steps(&self) -> &[u8] {
        &self.steps[..self.length as usize]
    }

    /// Appends a step; if it is full, the earliest is dropped.
    fn add(&mut self, step: DraughtsMove) {
        if self.length as usize == Self::CAPACITY {
            self.steps.copy_within(1.., 0);
            self.length -= 1;
        }
        self.steps[self.length as usize] = step.from() << 2 | step.diagonal(0);
        self.length += 1;
    }

    /// The number of occurrences of the current position with the same player to move, including
    /// this one.
    ///
    /// Kings of one player are interchangeable. Going back along the trail, a position equals the
    /// current one if both sides have their kings on the same squares. Then every square was left
    /// and entered equally often: an even number of times in total.
    fn occurrences(&self) -> u8 {
        let [mut of_one, mut of_other] = [0; 2];
        let mut count = 1;
        for pair in self.steps().rchunks_exact(2) {
            of_one ^= TOUCHED[pair[1] as usize];
            of_other ^= TOUCHED[pair[0] as usize];
            count += u8::from(of_one | of_other == 0);
        }
        count
    }
}

/// The two squares of each step, by the byte of the step.
const TOUCHED: [u64; 256] = {
    let mut touched = [0; 256];
    let mut step = 0;
    while step < touched.len() {
        let from = 1 << (step >> 2);
        touched[step] = from | shift(from, (step & 3) as Diagonal);
        step += 1;
    }
    touched
};

impl Hash for DrawClock {
    /// All counters fit in one word.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let counters = [self.turns, self.quiet, self.captureless];
        let counters = counters
            .into_iter()
            .fold(0, |word, counter| word << 16 | u64::from(counter));
        state.write_u64(
            counters << 8 | u64::from(self.is_drawn) << 7 | u64::from(self.trail.length),
        );
        if self.trail.length > 0 {
            state.write(self.trail.steps());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::hash::BuildHasher;

    use foldhash::fast::FixedState;

    use super::*;

    /// Kings of both players move back and forth; the position recurs every four steps.
    fn trail(steps: usize) -> KingTrail {
        let mut trail = KingTrail::EMPTY;
        let circle =
            [(1, 3), (62, 0), (10, 0), (53, 3)].map(|(from, way)| DraughtsMove::step(from, way));
        for &step in circle.iter().cycle().take(steps) {
            trail.add(step);
        }
        trail
    }

    #[test]
    fn a_trail_counts_occurrences_of_its_last_position() {
        let counts = [0, 1, 2, 3, 4, 5, 8, 11, 12].map(|steps| trail(steps).occurrences());
        assert_eq!(counts, [1, 1, 1, 1, 2, 2, 3, 3, 4]);
    }

    #[test]
    fn clocks_that_differ_in_one_counter_have_other_hashes() {
        let start = DrawClock::START;
        let clocks = [
            start,
            DrawClock { turns: 1, ..start },
            DrawClock { quiet: 1, ..start },
            DrawClock {
                captureless: 1,
                ..start
            },
            DrawClock {
                is_drawn: true,
                ..start
            },
            DrawClock {
                trail: trail(1),
                ..start
            },
            DrawClock {
                trail: trail(2),
                ..start
            },
        ];
        let mut hashes = clocks.map(|clock| FixedState::default().hash_one(clock));
        hashes.sort_unstable();
        assert!(hashes.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn a_trail_keeps_its_latest_steps() {
        let most = (KingTrail::CAPACITY / 4 + 1) as u8;
        for steps in [
            KingTrail::CAPACITY,
            KingTrail::CAPACITY + 1,
            KingTrail::CAPACITY + 7,
            1000,
        ] {
            assert_eq!(trail(steps).occurrences(), most, "{steps}");
        }
        assert_eq!(
            trail(KingTrail::CAPACITY + 4),
            trail(KingTrail::CAPACITY + 8)
        );
    }
}
