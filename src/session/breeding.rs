//! From one generation to the next.

use std::sync::Arc;

use crate::arena::player::Player;
use crate::evolution;
use crate::evolution::breed::{Recall, Stock};
use crate::rng::{Purpose, stream};

use super::{Census, Finished, RECENT, Session};

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
                    (child.genome, (player, (child.origin, child.copy_of)))
                },
            )
        });
        let champion = Arc::clone(&self.players[finished.best]);
        self.famers.push((generation, champion));
        self.feed(&finished.fitness);
        let (members, (players, bred)): (Vec<_>, (Vec<_>, Vec<_>)) = newborn.into_iter().unzip();
        let children = self.descent.of_children(generation + 1, bred.into_iter());
        if self.preset.evolution.has_lineages() {
            self.state.population.origins.clone_from(&children.origins);
        }
        let descent = std::mem::replace(&mut self.descent, children);
        let census = Arc::new(Census {
            generation,
            members: std::mem::replace(&mut self.state.population.members, members),
            fitness: finished.fitness,
            origins: descent.origins,
            born: descent.born,
        });
        let before = std::mem::replace(&mut self.census, census);
        let past = std::mem::replace(&mut self.players, players);
        self.pool.discard((before, past));
        self.state.population.archive.add(finished.champion.clone());
        self.state.growth_sum += std::mem::take(&mut self.growth);
        if self.preset.measures.growth_games > 0 {
            let recent = &mut self.state.recent;
            recent.push(finished.champion.clone());
            let surplus = recent.len().saturating_sub(RECENT);
            recent.drain(..surplus);
        }
        self.state.previous = self.state.champion.replace(finished.champion);
        self.state.totals.games += finished.lengths.games();
        self.state.totals.moves += finished.lengths.moves();
        self.lengths = finished.lengths;
        self.state.generation += 1;
    }
}
