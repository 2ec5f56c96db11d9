//! From one generation to the next.

use std::sync::Arc;

use crate::arena::player::Player;
use crate::evolution;
use crate::evolution::breed::{Recall, Stock};
use crate::rng::{Purpose, stream};

use super::{Finished, RECENT, Session};

impl Session {
    /// Leaves a generation behind: keeps its champion and breeds the next one.
    pub fn breed(&mut self, finished: Finished) {
        let generation = self.state.generation;
        let neighborhoods = self.preset.evolution.neighborhoods(generation);
        let memories = self.memories();
        let recall = memories
            .as_ref()
            .map(|memories| |member| memories.of(member));
        let stock = Stock {
            recall: recall.as_ref().map(|recall| recall as &Recall<'_>),
            ..self.stock(&finished.fitness, &neighborhoods)
        };
        let (seed, players) = (self.seed, &self.players);
        let evolution = &self.preset.evolution;
        let newborn = evolution::with_litter(evolution, &stock, seed, generation, |litter| {
            self.pool.map_with(
                stock.members.len(),
                || (),
                |(), place| {
                    let mut rng = stream(seed, Purpose::Breeding, generation, place as u64);
                    let child = litter.child(place, &mut rng);
                    let player = match child.copy_of {
                        Some(parent) => Arc::clone(&players[parent]),
                        None => Arc::new(Player::grown(stock.genome, stock.ports, &child.genome)),
                    };
                    (child.genome, (player, child.origin))
                },
            )
        });
        let champion = Arc::clone(&self.players[finished.best]);
        self.famers.push((generation, champion));
        self.feed(&finished.fitness);
        let (members, (players, origins)) = newborn.into_iter().unzip();
        if self.preset.evolution.has_lineages() {
            self.state.population.origins = origins;
        }
        let parents = std::mem::replace(&mut self.state.population.members, members);
        let past = std::mem::replace(&mut self.players, players);
        self.pool.discard((parents, past));
        self.state.population.archive.add(finished.champion.clone());
        self.state.growth_sum += std::mem::take(&mut self.growth);
        if self.preset.measures.growth_games > 0 {
            let recent = &mut self.state.recent;
            recent.push(finished.champion.clone());
            let surplus = recent.len().saturating_sub(RECENT);
            recent.drain(..surplus);
        }
        self.state.previous = self.state.champion.replace(finished.champion);
        self.fitness = finished.fitness;
        self.state.totals.games += finished.lengths.games();
        self.state.totals.moves += finished.lengths.moves();
        self.lengths = finished.lengths;
        self.state.generation += 1;
    }
}
