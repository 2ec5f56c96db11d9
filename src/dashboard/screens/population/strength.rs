//! Measures ancestors against a reference player: all of them in the same games. It uses a thread
//! pool of its own with one thread, so that evolution keeps its threads.

use std::sync::Arc;

use crate::jobs::{Job, JobError};
use crate::model::champions::Champions;
use finches_engine::contest::Tally;
use finches_engine::evolution::phylogeny::TaxonName;
use finches_engine::genomes::AnyGenome;
use finches_engine::play::phenotype::Phenotype;
use finches_engine::play::pool::Pool;
use finches_engine::play::reference_player::ReferencePlayer;
use finches_engine::play::{Arena, held_out};
use finches_engine::preset::Preset;

use super::PopulationAnswer;

/// The games of each ancestor, and how many it plays before the next one has its turn.
pub(super) const GAMES: u32 = 200;
const PART: u32 = 20;

/// The results of ancestors against the reference player so far.
#[derive(Default)]
pub(super) struct Strengths {
    pub(super) tallies: Vec<(TaxonName, Tally)>,
    /// Why there are none, if they could not be measured.
    pub(super) failure: Option<String>,
}

impl Strengths {
    pub(super) fn of(&self, name: TaxonName) -> Option<Tally> {
        let found = self.tallies.iter().find(|(known, _)| *known == name);
        found.map(|&(_, tally)| tally)
    }

    pub(super) fn add(&mut self, name: TaxonName, tally: Tally) {
        match self.tallies.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum += tally,
            None => self.tallies.push((name, tally)),
        }
    }
}

/// The reference player: the first opponent of the preset, else the simplest heuristic of the game,
/// else random moves.
pub(super) fn reference(preset: &Preset, arena: &dyn Arena) -> ReferencePlayer {
    let heuristics = arena.info().heuristics;
    let opponents = preset.evolution.references().iter();
    let mut named = opponents.filter_map(|name| ReferencePlayer::named(name, heuristics));
    let is_heuristic = |reference: &ReferencePlayer| {
        let measures = reference.random_move_share(heuristics).is_some();
        measures && matches!(reference, ReferencePlayer::Heuristic { .. })
    };
    let simplest = || {
        ReferencePlayer::all(heuristics)
            .into_iter()
            .find(is_heuristic)
    };
    named
        .next()
        .or_else(simplest)
        .unwrap_or(ReferencePlayer::Random)
}

/// Plays the games of all ancestors, part by part, so that all are known roughly before any is
/// known well.
pub(super) fn measure(
    champions: &Champions,
    ancestors: &[(TaxonName, Arc<AnyGenome>)],
    job: &Job<PopulationAnswer>,
) -> Result<PopulationAnswer, JobError> {
    let (arena, genome) = (&champions.arena, &champions.preset.genome);
    let reference = reference(&champions.preset, arena.as_ref());
    let grown = |(name, ancestor): &(TaxonName, Arc<AnyGenome>)| {
        let player = Phenotype::grown(genome, arena.io_spec(), ancestor);
        (*name, Arc::new(player))
    };
    let players: Vec<(TaxonName, Arc<Phenotype>)> = ancestors.iter().map(grown).collect();
    let pool = Pool::new(1)?;
    for first in (0..GAMES).step_by(PART as usize) {
        for (name, player) in &players {
            let games = first..first + PART;
            let tally = held_out::tally(arena, &pool, player, (reference, games), &job.token);
            let Some(tally) = tally else {
                return Ok(PopulationAnswer::AllMeasured);
            };
            job.report(PopulationAnswer::Strength(*name, tally));
        }
    }
    Ok(PopulationAnswer::AllMeasured)
}
