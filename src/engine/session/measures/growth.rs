//! Growth: the strength of a champion against its recent predecessors (Thien 2018, "Learning
//! Rate").

use std::sync::Arc;

use crate::play::matches::{MatchConditions, MatchList};
use crate::play::phenotype::Phenotype;
use crate::play::round_robin;
use crate::session::Session;
use crate::session::team::{self, ListedMatches};

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

/// The wins minus losses per game of this member against recent champions; `None` before there are
/// two of them (Thien 2018, "Learning Rate").
pub(super) fn growth(session: &Session, champion: usize) -> Option<f64> {
    const FEWEST: usize = 2;
    let recent = &session.past.recent;
    if recent.len() < FEWEST {
        return None;
    }
    let generation = session.state.generation;
    let list = match_list(session, generation, &session.players[champion], recent);
    let listed = ListedMatches::Growth {
        champion,
        generation,
    };
    let tally = round_robin::tally(&team::play_list(session, &list, listed));
    Some((tally.wins as f64 - tally.losses as f64) / tally.games() as f64)
}

/// The games of a champion against each of these earlier ones.
pub(in crate::session) fn match_list(
    session: &Session,
    generation: u64,
    champion: &Arc<Phenotype>,
    recent: &[Arc<Phenotype>],
) -> MatchList {
    let measures = &session.preset.measures;
    let players = std::iter::once(champion).chain(recent);
    let pair = |other: usize| [0, other + 1];
    MatchList {
        arena: Arc::clone(&session.arena),
        players: players
            .map(|player| Arc::clone(&session.arena).match_player(Arc::clone(player)))
            .collect(),
        matches: (0..recent.len())
            .flat_map(|other| round_robin::head_to_head(pair(other), measures.growth_games))
            .collect(),
        conditions: MatchConditions {
            key: generation,
            openings: measures.openings,
            ..MatchConditions::new(session.seed)
        },
    }
}
