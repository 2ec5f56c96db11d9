//! The levels at which a champion that evaluates positions plays, from a beginner's to its
//! strongest: how far it looks ahead, from where on it solves the end of the game, and how often it
//! slips.

use crate::agents::AgentConfig;
use crate::agents::alpha_beta::AlphaBeta;
use crate::games::{GameConfig, GameParams, Heuristics, Rules, with_game};

/// A level. Each is stronger than the one before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// Its name in one word.
    pub name: &'static str,
    /// How often the champion makes its best move, as a clause; empty if always.
    care: &'static str,
    /// The depth of the search in turns.
    depth: u32,
    /// The moves left from which on the end of the game is solved.
    endgame: u32,
    /// By how many moves later than the game's table of endings begins it uses the table; `None` if
    /// it never does.
    short_of_table: Option<u32>,
    /// See [`AlphaBeta::slips`].
    slips: f64,
}

/// Most positions searched before a move, so that hardly any move takes longer than a second or
/// two, whatever the size of the board.
const MOST_NODES: u32 = 1_000_000;

/// The kind of agent that plays at all levels.
pub(super) const AGENT: &str = "alpha_beta";

/// All levels, from 1 on.
pub const LEVELS: [Level; 8] = [
    Level::new(1, 0).slipping("beginner", 0.85, "mostly not its best move"),
    Level::new(1, 0).slipping("novice", 0.65, "often not its best move"),
    Level::new(1, 2).slipping("casual", 0.4, "its best move 3 times of 5"),
    Level::new(2, 4).slipping("club", 0.25, "its best move 3 times of 4"),
    Level::new(3, 8).named("strong"),
    Level::new(4, 10).tabled(8).named("expert"),
    Level::new(6, 12).tabled(6).named("master"),
    Level::new(8, 14).tabled(0).named("strongest"),
];

impl Level {
    const fn new(depth: u32, endgame: u32) -> Self {
        Self {
            name: "",
            care: "",
            depth,
            endgame,
            short_of_table: None,
            slips: 0.0,
        }
    }

    /// The end is solved earlier if the game has a table of it, except for the first few moves that
    /// the table knows.
    const fn tabled(self, short_of_table: u32) -> Self {
        Self {
            short_of_table: Some(short_of_table),
            ..self
        }
    }

    const fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    const fn slipping(self, name: &'static str, slips: f64, care: &'static str) -> Self {
        Self {
            name,
            care,
            slips,
            ..self
        }
    }

    /// How the champion plays a game at this level, in a few words.
    pub fn about(&self, game: &GameConfig) -> String {
        let ahead = match self.depth {
            1 => "1 move ahead".to_owned(),
            depth => format!("{depth} moves ahead"),
        };
        if !self.care.is_empty() {
            format!("{ahead}, {}", self.care)
        } else if let Some(left) = self.solves_from(game) {
            format!("{ahead}, solves the last {left}")
        } else {
            ahead
        }
    }

    /// The moves left from which on it solves the end of a game; `None` if the moves left can't be
    /// counted.
    fn solves_from(&self, game: &GameConfig) -> Option<u32> {
        let (moves_left, tabulated) = with_game!(game, config => {
            let game = config.build();
            (game.moves_left(&game.standard_start()), game.tabulated_end())
        });
        let from_table = |short: u32| u32::from(tabulated).saturating_sub(short);
        let from_table = self.short_of_table.map_or(0, from_table);
        moves_left.map(|_| self.endgame.max(from_table))
    }

    /// The level of this number, from 1 on.
    pub fn numbered(number: u8) -> Option<&'static Self> {
        LEVELS.get(usize::from(number).checked_sub(1)?)
    }

    /// The agent that plays at this level. It always searches on to a quiet position: in draughts,
    /// a champion that stops amid captures is so much weaker that lower levels would be far below
    /// the others.
    pub fn agent(&self, game: &GameConfig) -> AgentConfig {
        AgentConfig::AlphaBeta(AlphaBeta {
            quiescence: true,
            nodes: MOST_NODES,
            endgame: self.solves_from(game).unwrap_or(self.endgame),
            slips: self.slips,
            ..search(self.depth)
        })
    }
}

/// The search of a champion that evolved without one: to this depth, and at its end up to a quiet
/// position.
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
    use crate::games::dots_and_boxes::DotsAndBoxesConfig;

    #[test]
    fn levels_have_numbers_from_1_on_and_short_names() {
        assert_eq!(Level::numbered(0), None);
        assert_eq!(Level::numbered(1), Some(&LEVELS[0]));
        assert_eq!(Level::numbered(9), None);
        assert!(LEVELS.iter().all(|level| level.name.len() <= 9));
    }

    #[test]
    fn only_games_whose_moves_can_be_counted_are_solved_at_their_end() {
        let about = |game| {
            let game = GameConfig::named(game).expect("it is registered");
            LEVELS[5].about(&game)
        };
        assert_eq!(about("reversi"), "4 moves ahead, solves the last 10");
        assert_eq!(about("draughts"), "4 moves ahead");
    }

    #[test]
    fn the_strongest_uses_all_that_a_table_knows() {
        let boxes = |edge| {
            GameConfig::DotsAndBoxes(DotsAndBoxesConfig {
                rows: edge,
                columns: edge,
                ..DotsAndBoxesConfig::default()
            })
        };
        let solved = |edge| {
            LEVELS.map(|level| {
                level
                    .solves_from(&boxes(edge))
                    .expect("edges can be counted")
            })
        };
        assert_eq!(solved(3), [0, 0, 2, 4, 8, 16, 18, 24]);
        assert_eq!(solved(5), [0, 0, 2, 4, 8, 10, 12, 18]);
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
