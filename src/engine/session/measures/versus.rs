//! Points against the reference players in held-out games: three columns for each of them.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::metrics::Row;
use crate::play::phenotype::Phenotype;
use crate::play::reference_player::ReferencePlayer;
use crate::play::{Arena, held_out};
use crate::session::Session;
use crate::session::team::{self, ListedMatches};

use super::{Against, Basis, ColumnPage, Measure, MeasuredGeneration, all};

/// The champion's score.
pub const CHAMPION: Measure = Measure {
    name: "vs_",
    label: "vs. ",
    unit: "share",
    help: "The champion's share of points against this reference player in held-out games.",
    page: ColumnPage::shared(
        3,
        "score against reference players",
        "the champion's share of points in games it has not trained on",
    ),
    basis: Basis::HeldOut,
    objective_rank: 1,
    against: Some(Against::Champion),
    ..Measure::PLAIN
};

/// The mean score of the population.
pub const MEAN: Measure = Measure {
    name: "pop_mean_vs_",
    label: "mean vs. ",
    unit: "share",
    help: "The mean, over the population, of each member's share of points against this \
        reference player.",
    page: ColumnPage::shared(
        4,
        "population mean against reference players",
        "mean share of points over the population",
    ),
    against: Some(Against::Population(|shares| {
        shares.iter().sum::<f64>() / shares.len() as f64
    })),
    ..Measure::PLAIN
};

/// The best score in the population, which need not be the champion's.
pub const BEST: Measure = Measure {
    name: "pop_best_vs_",
    label: "best vs. ",
    unit: "share",
    help: "The highest share of points that a member of the population gets against this \
        reference player, luck included.",
    page: ColumnPage::shared(
        5,
        "population best against reference players",
        "highest share of points in the population",
    ),
    against: Some(Against::Population(|shares| {
        shares.iter().copied().fold(0.0, f64::max)
    })),
    ..Measure::PLAIN
};

/// The reference players that champions are measured against.
pub(in crate::session) fn references(arena: &dyn Arena) -> Vec<ReferencePlayer> {
    let heuristics = arena.info().heuristics;
    let measured = |reference: &ReferencePlayer| {
        reference.random_move_share(heuristics).is_some()
            && (arena.info().is_solved || !reference.needs_oracle())
    };
    ReferencePlayer::all(heuristics)
        .into_iter()
        .filter(measured)
        .collect()
}

/// Measures the champion, and the population if it is due, against the reference players.
pub(super) fn measure(run: &MeasuredGeneration<'_>, row: &mut Row) {
    let session = run.session;
    let (measures, heuristics) = (&session.preset.measures, session.arena.info().heuristics);
    let against = |players: Range<usize>, reference, games| {
        let own = &run.players()[players.clone()];
        let list = held_out::match_list(&session.arena, own, reference, games);
        let listed = ListedMatches::HeldOut {
            players,
            reference,
            games,
        };
        held_out::shares_of(&team::play_list(session, &list, listed), games)
    };
    let measures_population = session.preset.measures_population(session.state.generation);
    for &reference in &session.references {
        let best = run.finished.best;
        let share = against(best..best + 1, reference, measures.held_out_games)[0];
        let shares = if measures_population && meets_population(reference) {
            against(0..run.players().len(), reference, measures.population_games)
        } else {
            Vec::new()
        };
        let name = reference.name(heuristics);
        for measure in all() {
            let value = match measure.against {
                Some(Against::Champion) => share,
                Some(Against::Population(of)) if !shares.is_empty() => of(&shares),
                _ => continue,
            };
            row.set(&session.columns, &measure.name_against(&name), value);
        }
        session.progress.done().fetch_add(1, Ordering::Relaxed);
    }
}

/// Measures a player that is no member against the reference players, in so many games each.
pub(in crate::session) fn measure_player(
    session: &Session,
    player: &Arc<Phenotype>,
    games: u32,
    row: &mut Row,
) {
    let heuristics = session.arena.info().heuristics;
    let own = std::slice::from_ref(player);
    for &reference in &session.references {
        let share = held_out::point_shares(&session.arena, &session.pool, own, reference, games);
        let name = CHAMPION.name_against(&reference.name(heuristics));
        row.set(&session.columns, &name, share[0]);
    }
}

/// Whether the whole population is measured against a reference player. Hardly any member wins a
/// point against the oracle, so it adds nothing to its champion there.
pub(super) fn meets_population(reference: ReferencePlayer) -> bool {
    reference != ReferencePlayer::Oracle
}
