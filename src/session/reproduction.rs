//! The step from one generation to the next.

use std::sync::Arc;

use crate::evolution;
use crate::evolution::breeding::{ParentPool, ReplayLookup};
use crate::play::phenotype::Phenotype;
use crate::rng::{Purpose, stream};

use super::progress::GenerationPhase;
use super::{FinishedGeneration, GenerationSnapshot, RECENT_CHAMPIONS, Session};

impl Session {
    /// Completes a generation: archives its champion and makes the next generation.
    pub fn reproduce(&mut self, finished: FinishedGeneration) {
        self.progress.begin(GenerationPhase::Reproducing, 0);
        let generation = self.state.generation;
        let neighborhoods = self.preset.evolution.neighborhoods(generation);
        let buffers = self.replay_buffers();
        let recall = buffers
            .as_ref()
            .map(|buffers| |member| buffers.buffer(member));
        let parents = ParentPool {
            replay: recall.as_ref().map(|recall| recall as &ReplayLookup<'_>),
            ..self.parent_pool(&finished.fitness, &neighborhoods)
        };
        let (seed, players) = (self.seed, &self.players);
        let evolution = &self.preset.evolution;
        let next = evolution::with_offspring_plan(evolution, &parents, seed, generation, |plan| {
            self.pool.map_with(
                parents.members.len(),
                || (),
                |(), index| {
                    let mut rng = stream(seed, Purpose::Reproduction, generation, index as u64);
                    let mut member = plan.offspring(index, &mut rng);
                    if member.copy_of.is_none() {
                        (parents.genome).teach_newborn(&mut member.genome, parents.io_spec);
                    }
                    let player = match member.copy_of {
                        Some(parent) => Arc::clone(&players[parent]),
                        None => Arc::new(Phenotype::grown(
                            parents.genome,
                            parents.io_spec,
                            &member.genome,
                        )),
                    };
                    (member.genome, (player, (member.origin, member.copy_of)))
                },
            )
        });
        let champion = Arc::clone(&self.players[finished.best]);
        self.archived_players.push((generation, champion));
        self.update_hall_of_fame(&finished.fitness);
        let (members, (players, origins)): (Vec<_>, (Vec<_>, Vec<_>)) = next.into_iter().unzip();
        let offspring = self
            .lineage
            .of_offspring(generation + 1, origins.into_iter());
        if self.preset.evolution.has_lineages() {
            self.state.population.origins.clone_from(&offspring.origins);
        }
        let lineage = std::mem::replace(&mut self.lineage, offspring);
        let snapshot = Arc::new(GenerationSnapshot {
            generation,
            members: std::mem::replace(&mut self.state.population.members, members),
            fitness: finished.fitness,
            origins: lineage.origins,
            born: lineage.born,
        });
        let before = std::mem::replace(&mut self.snapshot, snapshot);
        let past = std::mem::replace(&mut self.players, players);
        self.pool.drop_in_background((before, past));
        self.state.population.archive.add(finished.champion.clone());
        self.state.growth_sum += std::mem::take(&mut self.growth);
        if self.preset.measures.growth_games > 0 {
            let recent = &mut self.state.recent;
            recent.push(finished.champion.clone());
            let surplus = recent.len().saturating_sub(RECENT_CHAMPIONS);
            recent.drain(..surplus);
        }
        self.state.previous = self.state.champion.replace(finished.champion);
        self.state.totals.games += finished.lengths.games();
        self.state.totals.moves += finished.lengths.moves();
        self.lengths = finished.lengths;
        self.state.generation += 1;
    }
}
