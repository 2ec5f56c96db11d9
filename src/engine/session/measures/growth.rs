//! Growth: the strength of a champion against its recent predecessors (Thien 2018, "Learning
//! Rate").

use std::sync::Arc;

use crate::play::matches::{Match, MatchConditions, MatchPlayer};
use crate::play::phenotype::Phenotype;
use crate::play::round_robin;
use crate::session::{Session, grading};

use super::{ColumnPage, Measure};

/// The strength of the champion against recent ones.
pub const GROWTH: Measure = Measure {
    name: "growth",
    unit: "points",
    help: "Mean result of the champion against the champions of the previous five generations; \
        a win is 1, a loss -1.",
    page: ColumnPage::own(
        8,
        "mean result against the champions of the five generations before",
    ),
    applies: |preset, _| preset.measures.growth_games > 0,
    figure: |run| run.growth,
    ..Measure::PLAIN
};

/// The sum of growth so far.
pub const SUM: Measure = Measure {
    name: "growth_sum",
    unit: "points",
    help: "Sum of growth over the run; it rises while champions beat their recent predecessors.",
    applies: |preset, _| preset.measures.growth_games > 0,
    figure: |run| Some(run.session.state.growth_sum + run.growth?),
    ..Measure::PLAIN
};

/// The champion's wins minus losses per game against recent champions; `None` before there are two
/// of them (Thien 2018, "Learning Rate").
pub(super) fn growth(session: &Session, champion: &Arc<Phenotype>) -> Option<f64> {
    const FEWEST: usize = 2;
    let measures = &session.preset.measures;
    let recent = &session.state.recent;
    if measures.growth_games == 0 || recent.len() < FEWEST {
        return None;
    }
    let arena = &session.arena;
    let genomes = recent.iter().map(|recent| &recent.genome);
    let others = grading::players(&session.preset.genome, arena.io_spec(), genomes);
    let players = std::iter::once(champion).chain(&others);
    let match_players: Vec<MatchPlayer> = players
        .map(|player| Arc::clone(arena).match_player(Arc::clone(player)))
        .collect();
    let pair = |other: usize| [0, other + 1];
    let matches: Vec<Match> = (0..others.len())
        .flat_map(|other| round_robin::head_to_head(pair(other), measures.growth_games))
        .collect();
    let conditions = MatchConditions {
        key: session.state.generation,
        openings: measures.openings,
        ..MatchConditions::new(session.seed)
    };
    let played = arena.play_matches(&session.pool, &match_players, &matches, &conditions);
    let played = played.expect("all players come from this arena");
    let tally = round_robin::tally(&played);
    Some((tally.wins as f64 - tally.losses as f64) / tally.games() as f64)
}
