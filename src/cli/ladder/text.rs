//! The ratings on a ladder as tables.

use finches_engine::play::ladder::ANCHOR;

use super::super::arena::{added_draws, forfeit_section};
use super::{CoursePoint, LadderReport};

/// All tables.
pub(super) fn text(report: &LadderReport<'_>) -> String {
    let LadderReport { args, game, .. } = report;
    let mut lines = vec![format!(
        "ladder of {}: {} games per pair, seed {}, {}% random moves",
        game.name().replace('_', "-"),
        args.games,
        args.conditions.play.seed,
        args.conditions.noise * 100.0
    )];
    lines.push(String::new());
    lines.extend(standings(report));
    lines.push(format!(
        "Elo: Bradley-Terry model, 400 points = odds of 10 to 1, {ANCHOR} = 0; intervals of the \
        difference from it, assuming independent games"
    ));
    lines.extend(added_draws(&report.results));
    let left_out = report.left_out.iter();
    lines.extend(left_out.map(|(rung, reason)| format!("left out: {rung} ({reason})")));
    if !report.course.is_empty() {
        lines.push(String::new());
        lines.extend(course(report));
    }
    lines.extend(forfeit_section(&report.results));
    let lines = lines.iter().map(|line| line.trim_end().to_owned() + "\n");
    lines.collect()
}

/// The players that are no earlier champions, the best first.
fn standings(report: &LadderReport<'_>) -> Vec<String> {
    let results = &report.results;
    let width = results.longest_name().max("player".len());
    let mut lines = vec![format!(
        "{:<width$}  {:<8}  {:>7}  {:<18}  {:>6}  {:>6}",
        "player", "", "Elo", "95% CI", "games", "score"
    )];
    for player in results.ranking() {
        let is_named = report.course.iter().all(|point| point.player != player);
        let kind = match player {
            rung if rung < report.rungs => "rung",
            _ if is_named => "",
            _ => "course",
        };
        let score = results.score(player);
        lines.push(format!(
            "{:<width$}  {kind:<8}  {}  {:>6}  {:>5.1}%",
            results.players[player],
            rating(report, player),
            score.games(),
            score.share().unwrap_or(f64::NAN) * 100.0
        ));
    }
    lines
}

/// The course of each run.
fn course(report: &LadderReport<'_>) -> Vec<String> {
    let runs = report.course.iter().map(|point| point.run.chars().count());
    let width = runs.max().unwrap_or(0).max("run".len());
    let row = |point: &CoursePoint| {
        let CoursePoint {
            run, generation, ..
        } = point;
        format!(
            "{run:<width$}  {generation:>10}  {}",
            rating(report, point.player)
        )
    };
    let heading = format!(
        "{:<width$}  {:>10}  {:>7}  95% CI",
        "run", "generation", "Elo"
    );
    std::iter::once(heading)
        .chain(report.course.iter().map(row))
        .collect()
}

/// A rating and its interval.
fn rating(report: &LadderReport<'_>, player: usize) -> String {
    let ratings = &report.results.ratings;
    let (low, high) = ratings.interval(player);
    let interval = format!("{low:.0} to {high:.0}");
    format!("{:>7.0}  {interval:<18}", ratings.elo[player])
}
