//! When a game is drawn: what is counted while it goes on, for the draw rules that are in force. Where none is, nothing is
//! counted, and positions with the same pieces are equal.

use std::hash::{Hash, Hasher};

use super::pieces::Kind;
use super::turn::{Heading, Turn, shift};

/// How much there may be of something before the game is drawn; 0 where it does not matter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Times that a position occurs with the same player to move.
    pub(super) repetition: u8,
    /// Turns of both players, in all, without a capture or a man's step, and without a capture.
    pub(super) turns: u16,
    pub(super) quiet: u16,
    pub(super) captureless: u16,
}

/// What has been counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Clock {
    turns: u16,
    quiet: u16,
    captureless: u16,
    is_drawn: bool,
    trail: Trail,
}

impl Clock {
    pub(super) const START: Self = Self {
        turns: 0,
        quiet: 0,
        captureless: 0,
        is_drawn: false,
        trail: Trail::EMPTY,
    };

    pub(super) fn is_drawn(&self) -> bool {
        self.is_drawn
    }
}

impl Limits {
    /// Whether any rule is in force.
    pub(super) fn is_any(self) -> bool {
        self.repetition > 0 || self.turns > 0 || self.quiet > 0 || self.captureless > 0
    }

    /// Counts a turn.
    pub(super) fn count(self, clock: &mut Clock, turn: Turn, kind: Kind) {
        let is_over = [
            bump(&mut clock.turns, self.turns, true),
            bump(&mut clock.quiet, self.quiet, kind == Kind::KingStep),
            bump(
                &mut clock.captureless,
                self.captureless,
                kind != Kind::Capture,
            ),
        ];
        clock.is_drawn = is_over.contains(&true);
        if self.repetition > 0 {
            if kind == Kind::KingStep {
                clock.trail.add(turn);
            } else {
                clock.trail = Trail::EMPTY;
            }
            clock.is_drawn |= clock.trail.occurrences() >= self.repetition;
        }
    }
}

/// Counts one more, or from 0 again; returns whether that is as many as there may be.
fn bump(counter: &mut u16, limit: u16, goes_on: bool) -> bool {
    *counter = if limit > 0 && goes_on {
        counter.saturating_add(1)
    } else {
        0
    };
    limit > 0 && *counter >= limit
}

/// The latest steps of kings since the last capture or man's step, after which no earlier position can come again. A step is a
/// byte, so that a position with its trail is copied as fast as a few numbers.
///
/// Invariant: there are zeros behind the last step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Trail {
    length: u8,
    steps: [u8; Self::MOST],
}

impl Trail {
    /// Forty moves by each player.
    const MOST: usize = 80;
    const EMPTY: Self = Self {
        length: 0,
        steps: [0; Self::MOST],
    };

    fn steps(&self) -> &[u8] {
        &self.steps[..self.length as usize]
    }

    /// Appends a step; the earliest is forgotten where there is no room.
    fn add(&mut self, step: Turn) {
        if self.length as usize == Self::MOST {
            self.steps.copy_within(1.., 0);
            self.length -= 1;
        }
        self.steps[self.length as usize] = step.from() << 2 | step.heading(0);
        self.length += 1;
    }

    /// How often the position has been there with the same player to move, the last time included.
    ///
    /// Kings of a player are alike: going back along the trail, a position is the same as the last one if both have them on the
    /// same squares, hence if every square was left and entered equally often, an even number of times in all.
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

/// The two squares of each step as a trail keeps it.
const TOUCHED: [u64; 256] = {
    let mut touched = [0; 256];
    let mut step = 0;
    while step < touched.len() {
        let from = 1 << (step >> 2);
        touched[step] = from | shift(from, (step & 3) as Heading);
        step += 1;
    }
    touched
};

impl Hash for Trail {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.steps().hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kings of both players step to and fro, which brings the position back every fourth time.
    fn trail(steps: usize) -> Trail {
        let mut trail = Trail::EMPTY;
        let circle = [(1, 3), (62, 0), (10, 0), (53, 3)].map(|(from, way)| Turn::step(from, way));
        for &step in circle.iter().cycle().take(steps) {
            trail.add(step);
        }
        trail
    }

    #[test]
    fn a_trail_counts_how_often_its_end_was_there() {
        let counts = [0, 1, 2, 3, 4, 5, 8, 11, 12].map(|steps| trail(steps).occurrences());
        assert_eq!(counts, [1, 1, 1, 1, 2, 2, 3, 3, 4]);
    }

    #[test]
    fn a_trail_keeps_its_latest_steps() {
        let most = (Trail::MOST / 4 + 1) as u8;
        for steps in [Trail::MOST, Trail::MOST + 1, Trail::MOST + 7, 1000] {
            assert_eq!(trail(steps).occurrences(), most, "{steps}");
        }
        assert_eq!(trail(Trail::MOST + 4), trail(Trail::MOST + 8));
    }
}
