//! The ratings on a ladder as one JSON object.

use serde::Serialize;

use finches_engine::play::ladder::ANCHOR;
use finches_engine::play::results::ForfeitJson;

use super::LadderReport;

/// An unbounded interval is `null`.
#[derive(Serialize)]
struct LadderJson<'a> {
    game: &'a str,
    games_per_pair: u32,
    seed: u64,
    noise: f64,
    /// The player whose rating is 0.
    anchor: &'a str,
    players: Vec<LadderPlayerJson<'a>>,
    left_out: Vec<LeftOutJson<'a>>,
    course: Vec<CourseJson<'a>>,
    forfeits: Vec<ForfeitJson<'a>>,
}

#[derive(Serialize)]
struct LadderPlayerJson<'a> {
    player: &'a str,
    is_rung: bool,
    elo: f64,
    elo_low: f64,
    elo_high: f64,
    games: u64,
    score: Option<f64>,
}

#[derive(Serialize)]
struct LeftOutJson<'a> {
    player: &'a str,
    reason: &'a str,
}

#[derive(Serialize)]
struct CourseJson<'a> {
    run: &'a str,
    generation: u64,
    elo: f64,
    elo_low: f64,
    elo_high: f64,
}

/// The whole report.
pub(super) fn json(report: &LadderReport<'_>) -> String {
    let results = &report.results;
    let player = |index: usize| {
        let ((elo_low, elo_high), score) = (results.ratings.interval(index), results.score(index));
        LadderPlayerJson {
            player: &results.players[index],
            is_rung: index < report.rungs,
            elo: results.ratings.elo[index],
            elo_low,
            elo_high,
            games: score.games(),
            score: score.share(),
        }
    };
    let left_out = report.left_out.iter();
    let course = report.course.iter().map(|point| {
        let (elo_low, elo_high) = results.ratings.interval(point.player);
        CourseJson {
            run: &point.run,
            generation: point.generation,
            elo: results.ratings.elo[point.player],
            elo_low,
            elo_high,
        }
    });
    let whole = LadderJson {
        game: report.game.name(),
        games_per_pair: report.args.games,
        seed: report.args.conditions.play.seed,
        noise: report.args.conditions.noise,
        anchor: ANCHOR,
        players: (0..results.players.len()).map(player).collect(),
        left_out: left_out
            .map(|(player, reason)| LeftOutJson { player, reason })
            .collect(),
        course: course.collect(),
        forfeits: results.forfeit_rows(),
    };
    serde_json::to_string(&whole).expect("names and numbers can be written as JSON") + "\n"
}
