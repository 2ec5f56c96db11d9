//! The results of a round robin: scores by pair, ratings, and both as JSON and CSV.

use std::fmt::Write as _;

use serde::Serialize;

use crate::contest::Tally;
use crate::metrics::stats::ratings::{PairScore, Ratings, bradley_terry, bradley_terry_from};

use super::forfeits::ForfeitedGame;
use super::round_robin::PairTally;

/// The results of a round robin; players are indices into `players`.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundRobinResults {
    /// The names of the players.
    pub players: Vec<String>,
    /// One tally per pair.
    pub tallies: Vec<PairTally>,
    /// Strength by the Bradley-Terry model.
    pub ratings: Ratings,
    /// The games that outside programs lost because they failed. They count as losses in everything
    /// above.
    pub forfeits: Vec<ForfeitedGame>,
}

impl RoundRobinResults {
    /// Rates the players (Bradley & Terry 1952), with mean 0.
    pub fn new(players: Vec<String>, tallies: Vec<PairTally>) -> Self {
        let ratings = bradley_terry(players.len(), &scores(&tallies));
        Self::rated(players, tallies, ratings)
    }

    /// Rates the players from the rating of one of them, which is 0. Pairs that did not play are
    /// left out.
    pub fn rated_from(anchor: usize, players: Vec<String>, mut tallies: Vec<PairTally>) -> Self {
        tallies.retain(|pair| pair.tally.games() > 0);
        let ratings = bradley_terry_from(anchor, players.len(), &scores(&tallies));
        Self::rated(players, tallies, ratings)
    }

    fn rated(players: Vec<String>, tallies: Vec<PairTally>, ratings: Ratings) -> Self {
        Self {
            players,
            tallies,
            ratings,
            forfeits: Vec::new(),
        }
    }

    /// The same results with the games that outside programs lost because they failed.
    #[must_use]
    pub fn with_forfeits(self, forfeits: Vec<ForfeitedGame>) -> Self {
        Self { forfeits, ..self }
    }

    /// One line for each forfeited game, at most `most`, and the number of the others.
    pub fn forfeit_lines(&self, most: usize) -> Vec<String> {
        let told = self.forfeits.iter().take(most);
        let mut lines: Vec<String> = told.map(|game| game.text(&self.players)).collect();
        let others = self.forfeits.len() - lines.len();
        lines.extend((others > 0).then(|| format!("and {others} more games")));
        lines
    }

    /// The number of characters of the longest name.
    pub fn longest_name(&self) -> usize {
        let lengths = self.players.iter().map(|name| name.chars().count());
        lengths.max().unwrap_or(0)
    }

    /// The indices of the players, the best first.
    pub fn ranking(&self) -> Vec<usize> {
        let elo = &self.ratings.elo;
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by(|&a, &b| elo[b].total_cmp(&elo[a]));
        order
    }

    /// The results of all games of a player.
    pub fn score(&self, player: usize) -> Tally {
        let own = self.tallies.iter().filter_map(|pair| {
            let place = pair.players.iter().position(|&other| other == player)?;
            Some([pair.tally, pair.tally.reversed()][place])
        });
        own.sum()
    }

    /// The share of the points of `one` against `other`, from 0 to 1; `None` if they are the same
    /// or have not played.
    pub fn share_against(&self, one: usize, other: usize) -> Option<f64> {
        let same = |pair: &&PairTally| pair.players == [one.min(other), one.max(other)];
        let share = self.tallies.iter().find(same)?.tally.share()?;
        Some(if one < other { share } else { 1.0 - share })
    }

    /// The results as one JSON object.
    pub fn json(&self) -> String {
        let pair = |&PairTally { players, tally }: &PairTally| PairJson {
            a: &self.players[players[0]],
            b: &self.players[players[1]],
            games: tally.games(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            score: tally.share(),
        };
        let (elo_low, elo_high) = self.intervals().unzip();
        let whole = ResultsJson {
            players: &self.players,
            pairs: self.tallies.iter().map(pair).collect(),
            elo: &self.ratings.elo,
            elo_low,
            elo_high,
            forfeits: self.forfeit_rows(),
        };
        serde_json::to_string(&whole).expect("names and numbers can be written as JSON") + "\n"
    }

    /// The games that outside programs lost because they failed, to be written as JSON.
    pub fn forfeit_rows(&self) -> Vec<ForfeitJson<'_>> {
        let games = self.forfeits.iter();
        games
            .map(|game| ForfeitJson::new(game, &self.players))
            .collect()
    }

    fn intervals(&self) -> impl Iterator<Item = (f64, f64)> {
        (0..self.players.len()).map(|player| self.ratings.interval(player))
    }

    /// A CSV table with a line per player, the best first.
    pub fn standings_csv(&self) -> String {
        let mut text = "player,games,wins,draws,losses,score,elo,elo_low,elo_high\n".to_owned();
        for player in self.ranking() {
            let score = self.score(player);
            let (low, high) = self.ratings.interval(player);
            line(
                &mut text,
                format_args!(
                    "{},{},{},{},{},{},{},{low},{high}",
                    quoted(&self.players[player]),
                    score.games(),
                    score.wins,
                    score.draws,
                    score.losses,
                    score.share().unwrap_or(f64::NAN),
                    self.ratings.elo[player],
                ),
            );
        }
        text
    }

    /// A CSV table with a line per pair.
    pub fn pairs_csv(&self) -> String {
        let mut text = "a,b,games,wins,draws,losses,score\n".to_owned();
        for &PairTally { players, tally } in &self.tallies {
            let [a, b] = players.map(|player| quoted(&self.players[player]));
            line(
                &mut text,
                format_args!(
                    "{a},{b},{},{},{},{},{}",
                    tally.games(),
                    tally.wins,
                    tally.draws,
                    tally.losses,
                    tally.share().unwrap_or(f64::NAN),
                ),
            );
        }
        text
    }
}

/// The points of each pair.
fn scores(tallies: &[PairTally]) -> Vec<PairScore> {
    let score = |pair: &PairTally| PairScore {
        players: pair.players,
        points: [pair.tally, pair.tally.reversed()].map(Tally::points),
    };
    tallies.iter().map(score).collect()
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a string can't fail.
    let _ = writeln!(text, "{line}");
}

/// A name as a CSV field, quoted if necessary.
fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}

/// One pair as JSON; `score` is the share of the points of `a`.
#[derive(Serialize)]
struct PairJson<'a> {
    a: &'a str,
    b: &'a str,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    score: Option<f64>,
}

/// The results as JSON. Ratings are in the order of the players; an unbounded interval is `null`.
#[derive(Serialize)]
struct ResultsJson<'a> {
    players: &'a [String],
    pairs: Vec<PairJson<'a>>,
    elo: &'a [f64],
    elo_low: Vec<f64>,
    elo_high: Vec<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    forfeits: Vec<ForfeitJson<'a>>,
}

/// A game that an outside program lost because it failed; games are numbered from 1.
#[derive(Serialize)]
pub struct ForfeitJson<'a> {
    player: &'a str,
    opponent: &'a str,
    game: u64,
    after: Option<&'a str>,
    reason: &'a str,
}

impl<'a> ForfeitJson<'a> {
    /// A forfeited game; `names` are those of all players.
    pub fn new(game: &'a ForfeitedGame, names: &'a [String]) -> Self {
        Self {
            player: &names[game.player],
            opponent: &names[game.opponent],
            game: game.forfeit.game + 1,
            after: game.forfeit.after.as_deref(),
            reason: &game.forfeit.reason,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results() -> RoundRobinResults {
        let tally = |players, wins, draws, losses| PairTally {
            players,
            tally: Tally {
                wins,
                draws,
                losses,
            },
        };
        let names = ["good", "a,b", "weak"].map(str::to_owned).to_vec();
        let tallies = vec![
            tally([0, 1], 6, 2, 2),
            tally([0, 2], 9, 0, 1),
            tally([1, 2], 3, 4, 3),
        ];
        RoundRobinResults::new(names, tallies)
    }

    #[test]
    fn a_player_has_a_total_score_and_a_score_against_each_other_player() {
        let results = results();
        let score = results.score(1);
        assert_eq!((score.wins, score.draws, score.losses), (5, 6, 9));
        assert_eq!((score.games(), score.share()), (20, Some(0.4)));
        assert_eq!(results.ranking(), [0, 1, 2]);
        assert_eq!(results.share_against(0, 2), Some(0.9));
        assert!((results.share_against(2, 0).expect("they met") - 0.1).abs() < 1e-12);
        assert_eq!(results.share_against(1, 1), None);
    }

    #[test]
    fn tables_have_a_line_per_player_and_per_pair() {
        let results = results();
        let standings = results.standings_csv();
        let lines: Vec<&str> = standings.lines().collect();
        assert_eq!(lines.len(), 4);
        assert!(lines[1].starts_with("good,20,15,2,3,0.8,"), "{standings}");
        assert!(lines[2].starts_with("\"a,b\",20,5,6,9,0.4,"), "{standings}");
        let pairs = results.pairs_csv();
        assert_eq!(pairs.lines().nth(2), Some("good,weak,10,9,0,1,0.9"));
    }

    #[test]
    fn the_json_has_an_interval_around_every_rating() {
        let found: serde_json::Value = serde_json::from_str(&results().json()).expect("it is JSON");
        for player in 0..3 {
            let at = |key: &str| found[key][player].as_f64().expect("it is a number");
            assert!(at("elo_low") < at("elo") && at("elo") < at("elo_high"));
        }
    }
}
