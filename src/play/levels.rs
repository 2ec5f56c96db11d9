//! The levels at which a champion that evaluates positions plays, from a beginner's to its strongest: how far it looks ahead,
//! from where on it solves the end of the game, and how often it slips.

use crate::agents::AgentConfig;
use crate::agents::alpha_beta::AlphaBeta;

/// A level. Each is stronger than the one before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// Its name in one word.
    pub name: &'static str,
    /// How the champion plays, in a few words.
    pub about: &'static str,
    /// The depth of the search in turns.
    depth: u32,
    /// The moves left from which on the end of the game is solved.
    endgame: u32,
    /// See [`AlphaBeta::slips`].
    slips: f64,
}

/// All levels, from 1 on.
pub const LEVELS: [Level; 8] = [
    Level::new(
        "beginner",
        "1 move ahead, mostly not its best move",
        (1, 0),
        0.9,
    ),
    Level::new(
        "novice",
        "1 move ahead, often not its best move",
        (1, 0),
        0.7,
    ),
    Level::new(
        "casual",
        "1 move ahead, half of the time its best",
        (1, 2),
        0.5,
    ),
    Level::new("club", "2 moves ahead, 1 in 4 not its best", (2, 4), 0.25),
    Level::new("strong", "2 moves ahead, solves the last 8", (2, 8), 0.0),
    Level::new("expert", "4 moves ahead, solves the last 10", (4, 10), 0.0),
    Level::new("master", "6 moves ahead, solves the last 12", (6, 12), 0.0),
    Level::new("maximum", "8 moves ahead, solves the last 14", (8, 14), 0.0),
];

impl Level {
    const fn new(
        name: &'static str,
        about: &'static str,
        (depth, endgame): (u32, u32),
        slips: f64,
    ) -> Self {
        Self {
            name,
            about,
            depth,
            endgame,
            slips,
        }
    }

    /// The level of this number, from 1 on.
    pub fn numbered(number: u8) -> Option<&'static Self> {
        LEVELS.get(usize::from(number).checked_sub(1)?)
    }

    /// The agent that plays at this level.
    pub fn agent(&self) -> AgentConfig {
        AgentConfig::AlphaBeta(AlphaBeta {
            endgame: self.endgame,
            slips: self.slips,
            ..search(self.depth)
        })
    }
}

/// The search of a champion that evolved without one: to this depth, and at its end up to a quiet position.
pub fn search(depth: u32) -> AlphaBeta {
    AlphaBeta {
        depth,
        quiescence: depth > 1,
        turns: true,
        ..AlphaBeta::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_have_numbers_from_1_on_and_short_names() {
        assert_eq!(Level::numbered(0), None);
        assert_eq!(Level::numbered(1), Some(&LEVELS[0]));
        assert_eq!(Level::numbered(9), None);
        assert!(LEVELS.iter().all(|level| level.name.len() <= 8));
    }

    #[test]
    fn a_higher_level_looks_further_or_slips_less() {
        for pair in LEVELS.windows(2) {
            let [low, high] = pair else {
                unreachable!("they come in pairs")
            };
            assert!(low.depth <= high.depth && low.endgame <= high.endgame);
            assert!(low.depth < high.depth || low.slips > high.slips || low.endgame < high.endgame);
        }
    }
}
