//! The strength of the whole population, measured when it is saved.

use crate::play::round_robin;
use crate::session::grading::{GradingOpponents, PopulationGrading};
use crate::session::team::{self, ListedMatches};

use super::{ColumnPage, Measure, MeasuredGeneration};

/// What the two measures share.
const GRADED: Measure = Measure {
    unit: "share",
    page: ColumnPage::shared(
        6,
        "score of the population against",
        "share of points of the whole population",
    ),
    applies: |preset, _| preset.measures.keep_every > 0,
    ..Measure::PLAIN
};

/// The strength against the first generation.
pub const PROGRESS: Measure = Measure {
    name: "progress",
    short: "first generation",
    help: "The population's share of points against the population of generation 0, over all \
        pairs, or a sample of them in which all play as often as each other.",
    figure: |run| grade(run, GradingOpponents::InitialPopulation),
    ..GRADED
};

/// The strength against random networks.
pub const BASELINE: Measure = Measure {
    name: "baseline",
    short: "random networks",
    help: "The population's share of points against 2,500 random networks (64-8-1 on a board of \
        64 squares, one ply), over all pairs, or a sample of them in which all play as often as \
        each other.",
    figure: |run| grade(run, GradingOpponents::RandomNetworks),
    ..GRADED
};

/// The population's share of points; `None` in generations whose population is not saved.
fn grade(run: &MeasuredGeneration<'_>, opponents: GradingOpponents) -> Option<f64> {
    let session = run.session;
    let preset = &session.preset;
    if !preset.saves_population(session.state.generation) {
        return None;
    }
    let games = u64::from(preset.measures.grading_games);
    // Those of generation 0, whatever has changed since.
    let grading = PopulationGrading::new(session.initial_preset(), session.seed, &session.arena)
        .expect("the preset is valid, and random networks can play any game");
    let list = grading.match_list(&session.players, opponents, games);
    let listed = ListedMatches::Grading { opponents, games };
    round_robin::tally(&team::play_list(session, &list, listed)).share()
}
