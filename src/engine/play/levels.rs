//! The levels at which a champion that evaluates positions plays, from the easiest to its
//! strongest: how far it looks ahead, from where on it solves the end of the game, and how often it
//! slips.

use crate::agents::AgentConfig;
use crate::agents::alpha_beta::AlphaBeta;
use crate::games::{GameConfig, GameParams, Heuristics, Rules, with_game};

/// A level. Each is stronger than the one before by about 150 points of the Elo scale: it gets
/// about 70% of the points against it. The last one, in games where it differs, takes longer for a
/// move and gets more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// How hard it is to beat among the levels, in a word or two. It compares the levels with each
    /// other and not with people, of whom nothing was measured: even the first gets more than
    /// eight of ten points against random play.
    pub name: &'static str,
    strength: LevelSearch,
    /// In draughts, where a search to a quiet position finds most mistakes at once, slips cost less
    /// and depth gains less than in other games.
    in_draughts: LevelSearch,
    /// In dots and boxes, where most is won by solving the end of the game earlier.
    in_boxes: LevelSearch,
    /// In Reversi, whose positions are evaluated faster and whose ends are solved earlier.
    in_reversi: LevelSearch,
}

/// How strongly the champion plays.
#[derive(Clone, Copy, Debug, PartialEq)]
struct LevelSearch {
    /// The depth of the search in turns; [`UNBOUNDED_DEPTH`] if only the positions limit it.
    depth: u32,
    /// Most positions searched before a move.
    nodes: u32,
    /// The moves left from which on the end of the game is solved.
    endgame: u32,
    /// By how many moves later than the game's table of endings begins it uses the table; `None` if
    /// it never does.
    short_of_table: Option<u32>,
    /// See [`AlphaBeta::slips`].
    slips: f64,
    /// See [`AlphaBeta::prob_cut`].
    prob_cut: f64,
}

/// Most positions searched before a move, so that hardly any move takes longer than a second or
/// two, whatever the size of the board.
const MOST_NODES: u32 = 1_000_000;

/// A depth that no search reaches: it deepens (iterative deepening, Slate & Atkin 1977) until it
/// has looked at all its positions, so that the choice does not depend on the machine, or until its
/// time is over.
pub const UNBOUNDED_DEPTH: u32 = 64;

/// The kind of agent that plays at all levels.
pub(super) const AGENT: &str = "alpha_beta";

/// All levels, from 1 on. Depths and slips were found by matches of bundled champions. Perfect
/// play, the last level of dots and boxes 3×3, is too near for steps of 150 points: there they were
/// of about 110 for the champion before, and the last is almost none for that of today.
pub const LEVELS: [Level; 11] = [
    Level::new("easiest", plays(1, 0, 0.36), plays(1, 0, 0.71)).in_boxes(plays(1, 0, 0.9)),
    Level::new("very easy", plays(1, 0, 0.13), plays(1, 0, 0.62)).in_boxes(plays(1, 0, 0.7)),
    Level::new("easy", plays(2, 4, 0.26), plays(1, 0, 0.53)).in_boxes(plays(1, 0, 0.44)),
    Level::new("mild", plays(2, 4, 0.05), plays(1, 0, 0.42)).in_boxes(plays(1, 0, 0.14)),
    Level::new("fair", plays(3, 8, 0.15), plays(1, 0, 0.26)).in_boxes(plays(2, 4, 0.03)),
    Level::new("medium", plays(4, 10, 0.2), plays(2, 0, 0.2)).in_boxes(plays(3, 8, 0.0)),
    Level::new("tough", plays(4, 10, 0.0), plays(3, 0, 0.2)).in_boxes(plays(4, 12, 0.3).tabled(11)),
    Level::new("hard", plays(6, 12, 0.15), plays(4, 0, 0.08))
        .in_boxes(plays(4, 12, 0.25).tabled(9))
        .in_reversi(plays(6, 12, 0.05)),
    Level::new("very hard", plays(6, 12, 0.0), plays(6, 0, 0.0))
        .in_boxes(plays(6, 12, 0.15).tabled(7))
        .in_reversi(plays(7, 14, 0.0)),
    Level::new("severe", plays(8, 14, 0.0).tabled(0), plays(8, 0, 0.0)).in_reversi(deepens(1, 16)),
    // Games whose ends are solved early gain nothing from a deeper search.
    Level::new("hardest", plays(8, 14, 0.0).tabled(0), deepens(1, 0))
        .in_reversi(deepens(6, 18).selective()),
];

const fn plays(depth: u32, endgame: u32, slips: f64) -> LevelSearch {
    LevelSearch {
        depth,
        nodes: MOST_NODES,
        endgame,
        short_of_table: None,
        slips,
        prob_cut: 0.0,
    }
}

/// Searches as deeply as so many million positions allow.
const fn deepens(millions: u32, endgame: u32) -> LevelSearch {
    LevelSearch {
        nodes: millions * 1_000_000,
        ..plays(UNBOUNDED_DEPTH, endgame, 0.0)
    }
}

impl LevelSearch {
    /// Positions that a search half as deep finds clearly better or worse than others are not
    /// searched on. Of 0.7 to 2 standard deviations, one won most against the plain search.
    const fn selective(self) -> Self {
        Self {
            prob_cut: 1.0,
            ..self
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
}

impl Level {
    const fn new(name: &'static str, strength: LevelSearch, in_draughts: LevelSearch) -> Self {
        Self {
            name,
            strength,
            in_draughts,
            in_boxes: strength,
            in_reversi: strength,
        }
    }

    const fn in_boxes(self, in_boxes: LevelSearch) -> Self {
        Self { in_boxes, ..self }
    }

    const fn in_reversi(self, in_reversi: LevelSearch) -> Self {
        Self { in_reversi, ..self }
    }

    fn strength(&self, game: &GameConfig) -> LevelSearch {
        match game {
            GameConfig::Draughts(_) => self.in_draughts,
            GameConfig::DotsAndBoxes(_) => self.in_boxes,
            GameConfig::Reversi(_) => self.in_reversi,
            _ => self.strength,
        }
    }

    /// How the champion plays a game at this level, in a few words.
    pub fn about(&self, game: &GameConfig) -> String {
        let strength = self.strength(game);
        let ahead = match strength.depth {
            1 => "1 move ahead".to_owned(),
            UNBOUNDED_DEPTH => format!("up to {} million positions", strength.nodes / 1_000_000),
            depth => format!("{depth} moves ahead"),
        };
        if strength.slips > 0.0 {
            // Of many moves, the best is chosen with this chance.
            let best = 100.0 * (1.0 - strength.slips);
            format!("{ahead}, best move {best:.0}% of the time")
        } else if let Some(left) = strength.solves_from(game) {
            format!("{ahead}, solves the last {left}")
        } else {
            ahead
        }
    }

    /// The number of the strongest level in a game. Those above it play in the same way.
    pub fn highest(game: &GameConfig) -> u8 {
        let strongest = LEVELS[LEVELS.len() - 1].strength(game);
        let weaker = LEVELS
            .iter()
            .take_while(|level| level.strength(game) != strongest);
        weaker.count() as u8 + 1
    }

    /// The level of this number, from 1 on.
    pub fn numbered(number: u8) -> Option<&'static Self> {
        LEVELS.get(usize::from(number).checked_sub(1)?)
    }

    /// The agent that plays at this level. It always searches on to a quiet position: in draughts,
    /// a champion that stops amid captures is so much weaker that lower levels would be far below
    /// the others.
    pub fn agent(&self, game: &GameConfig) -> AgentConfig {
        let strength = self.strength(game);
        AgentConfig::AlphaBeta(AlphaBeta {
            quiescence: true,
            nodes: strength.nodes,
            endgame: strength.solves_from(game).unwrap_or(strength.endgame),
            slips: strength.slips,
            prob_cut: strength.prob_cut,
            ..search(strength.depth)
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
        assert_eq!(Level::numbered(12), None);
        assert!(LEVELS.iter().all(|level| level.name.len() <= 9));
    }

    #[test]
    fn only_games_whose_moves_can_be_counted_are_solved_at_their_end() {
        let about = |game| {
            let game = GameConfig::named(game).expect("it is registered");
            LEVELS[8].about(&game)
        };
        assert_eq!(about("reversi"), "7 moves ahead, solves the last 14");
        assert_eq!(about("draughts"), "6 moves ahead");
        let about = |game| {
            let game = GameConfig::named(game).expect("it is registered");
            LEVELS[10].about(&game)
        };
        assert_eq!(
            about("reversi"),
            "up to 6 million positions, solves the last 18"
        );
        assert_eq!(about("draughts"), "up to 1 million positions");
    }

    #[test]
    fn some_games_have_a_level_more_than_others() {
        let highest = |name| GameConfig::named(name).map(|game| Level::highest(&game));
        assert_eq!(highest("reversi"), Some(11));
        assert_eq!(highest("draughts"), Some(11));
        assert_eq!(highest("dots_and_boxes"), Some(10));
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
                    .in_boxes
                    .solves_from(&boxes(edge))
                    .expect("edges can be counted")
            })
        };
        assert_eq!(solved(3), [0, 0, 0, 0, 4, 8, 13, 15, 17, 24, 24]);
        assert_eq!(solved(5), [0, 0, 0, 0, 4, 8, 12, 12, 12, 18, 18]);
    }

    #[test]
    fn a_higher_level_looks_further_or_slips_less() {
        for strength in [
            |level: Level| level.strength,
            |level: Level| level.in_draughts,
            |level: Level| level.in_boxes,
            |level: Level| level.in_reversi,
        ] {
            let strengths = LEVELS.map(strength);
            for pair in strengths.windows(2) {
                let [low, high] = pair else {
                    unreachable!("they come in pairs")
                };
                assert!(low.depth <= high.depth && low.endgame <= high.endgame);
                let is_further = low.depth < high.depth || low.nodes < high.nodes;
                assert!(low == high || is_further || low.slips > high.slips);
            }
        }
    }
}
