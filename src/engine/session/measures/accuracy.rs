//! The champion's moves compared with the oracle's, and its games against earlier champions.

use std::sync::Arc;

use crate::play::phenotype::Phenotype;
use crate::play::player::PlayerRef;
use crate::play::{Arena, TournamentResult};
use crate::preset::Preset;
use crate::session::Session;

use super::{Basis, ColumnPage, Measure, MeasuredGeneration};

/// The champion's right moves in its own games.
pub const IN_GAMES: Measure = Measure {
    name: "accuracy_games",
    label: "right moves, its own games",
    short: "right, its games",
    unit: "share",
    help: "Share of the champion's moves in its tournament that are optimal according to the \
        oracle.",
    page: ColumnPage::own(2, "share of right moves in the champion's games"),
    basis: Basis::Moves,
    applies: |_, arena| arena.info().is_solved,
    figure: |run| share(run.tournament.good_moves, run.tournament.moves),
    ..Measure::PLAIN
};

/// The champion's right moves in all positions.
pub const IN_STATES: Measure = Measure {
    name: "accuracy_states",
    label: "right moves, all positions",
    short: "right moves, all",
    unit: "share",
    help: "Share of all positions with more than one move in which the champion's move is \
        optimal.",
    page: ColumnPage::own(1, "share of positions played correctly"),
    basis: Basis::Positions,
    objective_rank: 2,
    applies: |_, arena| arena.info().is_enumerated,
    figure: |run| run.session.arena.accuracy(run.player()),
    ..Measure::PLAIN
};

/// What the two measures of positions that can be won share.
const WON: Measure = Measure {
    unit: "share",
    page: ColumnPage::own(
        0,
        "share of the positions that can be won in which the champion's move wins",
    ),
    basis: Basis::WinnablePositions,
    figure: share_won,
    ..Measure::PLAIN
};

/// The champion's right moves in all positions that can be won.
pub const WINNABLE: Measure = Measure {
    name: "accuracy_winnable",
    label: "right moves, positions that can be won",
    short: "right, winnable",
    help: "Share of the positions that can be won in which the champion's move wins: of all of \
        the game.",
    objective_rank: 4,
    applies: |preset, arena| judges(preset, arena, true),
    ..WON
};

/// The champion's right moves in a sample of the positions that can be won.
pub const SAMPLED: Measure = Measure {
    name: "accuracy_sampled",
    label: "right moves, sample of positions that can be won",
    short: "right, a sample",
    help: "Share of the positions that can be won in which the champion's move wins: of a \
        sample, the same in every run.",
    objective_rank: 3,
    applies: |preset, arena| judges(preset, arena, false),
    ..WON
};

/// Whether champions are judged in all positions that can be won, or else in a sample.
fn judges(preset: &Preset, arena: &dyn Arena, all: bool) -> bool {
    let most = preset.measures.judged_positions;
    most > 0 && arena.info().is_solved && arena.judges_all(most) == all
}

fn share_won(run: &MeasuredGeneration<'_>) -> Option<f64> {
    let session = run.session;
    let is_due = session.preset.measures_champion(session.state.generation);
    let player = PlayerRef::Evolved(run.player());
    let most = session.preset.measures.judged_positions;
    is_due.then(|| session.arena.share_won(&session.pool, player, most))?
}

/// The champion's wins against earlier champions.
pub const WINS_VS_PAST: Measure = Measure {
    name: "wins_vs_past",
    label: "wins against earlier champions",
    short: "past champions",
    unit: "share",
    help: "Share of games the champion wins against earlier champions from the whole run.",
    page: ColumnPage::own(7, "share of games won against champions of the whole run"),
    basis: Basis::Tournament,
    figure: |run| share(run.tournament.wins, run.tournament.games),
    ..Measure::PLAIN
};

/// A part of a whole; `None` if that is empty.
fn share(part: u32, whole: u32) -> Option<f64> {
    (whole > 0).then(|| f64::from(part) / f64::from(whole))
}

/// The champion's games against earlier champions, or against itself in the first generation.
pub(super) fn tournament(session: &mut Session, champion: &Phenotype) -> TournamentResult {
    let archive = &session.state.population.archive;
    let opponents = session.preset.measures.tournament_games.div_ceil(2) as usize;
    let chosen = archive.evenly_spaced(opponents);
    let chosen = || chosen.iter().map(|&place| &archive.champions()[place]);
    let (genome, io_spec) = (&session.preset.genome, session.arena.io_spec());
    let grown = &mut session.past.archived;
    grown.retain(|&generation, _| archive.has(generation));
    for kept in chosen() {
        let grow = || Arc::new(Phenotype::grown(genome, io_spec, &kept.genome));
        grown.entry(kept.generation).or_insert_with(grow);
    }
    let players = chosen().map(|kept| &*grown[&kept.generation]);
    let mut players: Vec<&Phenotype> = players.collect();
    if players.is_empty() && opponents > 0 {
        players.push(champion);
    }
    let (seed, generation) = (session.seed, session.state.generation);
    (session.arena).tournament(champion, &players, seed, generation)
}
