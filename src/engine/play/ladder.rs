//! The ladder of each game: fixed players of rising strength, the rungs, that champions are
//! measured against. The rungs are for measurement alone: what evolution plays against or learns
//! from says nothing new about its strength.

use crate::games::GameConfig;

use super::heuristics;
use super::matches::Match;
use super::reference_player::ReferencePlayer;
use super::round_robin::schedule;

/// The rungs of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ladder {
    /// The name of the game.
    pub game: &'static str,
    /// The rungs as names of players, the anchor first. Those that the rules or the machine lack
    /// are left out of the games.
    pub rungs: &'static [&'static str],
}

/// The rung whose rating is 0.
pub const ANCHOR: &str = "random";

/// The ladders of the games that come with the program.
pub const LADDERS: [Ladder; 5] = [
    Ladder {
        game: "nim",
        rungs: &[ANCHOR, "level", "oracle"],
    },
    Ladder {
        game: "bounded_nim",
        rungs: &[ANCHOR, "oracle"],
    },
    // Level 3 of GRhino takes about 2 s for its moves of a game, level 4 about 30 s.
    Ladder {
        game: "reversi",
        rungs: &[
            ANCHOR,
            "greedy",
            "swh",
            "swh@alpha-beta-2",
            "swh@alpha-beta-4",
            "swh@alpha-beta-6",
            "gtp:gtp-rhino --level 1",
            "gtp:gtp-rhino --level 2",
            "gtp:gtp-rhino --level 3",
        ],
    },
    Ladder {
        game: "dots_and_boxes",
        rungs: &[ANCHOR, "level-1", "level-2", "oracle"],
    },
    Ladder {
        game: "draughts",
        rungs: &[
            ANCHOR,
            "material",
            "material@alpha-beta-2",
            "material@alpha-beta-4",
            "material@alpha-beta-6",
            "material@alpha-beta-8",
        ],
    },
];

/// The rungs of a game. A game of another crate has its reference players.
pub fn rungs(game: &GameConfig) -> Vec<String> {
    let known = LADDERS.iter().find(|ladder| ladder.game == game.name());
    if let Some(ladder) = known {
        return ladder.rungs.iter().map(|&rung| rung.to_owned()).collect();
    }
    let heuristics = heuristics(game);
    let all = ReferencePlayer::all(heuristics).into_iter();
    all.map(|reference| reference.name(heuristics)).collect()
}

/// The games of a ladder: all pairs of the first `standing` players, and each of these against all
/// others, which do not play each other. Otherwise as a round robin.
pub fn ladder_schedule(standing: usize, players: usize, games: u32) -> Vec<Match> {
    let mut matches = schedule(players, games);
    matches.retain(|game| game.players.iter().any(|&player| player < standing));
    matches
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::match_setup::MatchSetup;

    #[test]
    fn every_game_has_a_ladder_that_begins_with_the_anchor() {
        for game in GameConfig::names() {
            let ladder = LADDERS.iter().find(|ladder| ladder.game == game);
            let ladder = ladder.unwrap_or_else(|| panic!("{game} has no ladder"));
            assert_eq!(ladder.rungs.first(), Some(&ANCHOR), "{game}");
            assert!(ladder.rungs.len() >= 2, "{game}");
        }
    }

    #[test]
    fn a_rung_is_a_reference_player_of_its_game_or_an_outside_program() {
        for game in GameConfig::all() {
            let setup = MatchSetup::new(&game, &[]).expect("it can be played");
            for rung in rungs(&game).iter().filter(|rung| !rung.contains(':')) {
                let name = rung.split('@').next().unwrap_or_default();
                let is_known = ReferencePlayer::named(name, heuristics(&game)).is_some();
                let is_optional = ["level", "oracle"].contains(&name);
                assert!(is_known || is_optional, "{}: {rung}", game.name());
                assert!(is_optional || setup.reference_named(name).is_some());
            }
        }
    }

    #[test]
    fn players_beyond_the_standing_ones_do_not_play_each_other() {
        let matches = ladder_schedule(2, 4, 2);
        assert_eq!(matches.len(), 2 * (1 + 4));
        let is_between = |game: &Match| game.players.iter().all(|&player| player >= 2);
        assert!(!matches.iter().any(is_between));
    }
}
