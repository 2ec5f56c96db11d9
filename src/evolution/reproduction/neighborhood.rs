//! Local reproduction: each member is replaced by an offspring of its neighborhood, all at the same time (Porter & LeGrand, "The
//! Genetic Algorithm" and "Parent Selection").

use rand::RngExt;

use crate::params::{ParamError, choices, params};
use crate::rng::Stream;

use super::{Offspring, OffspringPlan, ParentPool, Reproduction};

choices! {
    /// The parents of the offspring in a cell. The cell has six neighbors on the torus; with the cell itself there are seven
    /// candidates.
    pub enum Parents {
        /// The cell and one neighbor, selected in proportion to its fitness above the lowest of the neighbors.
        Neighbor = "neighbor",
        /// The cell and one selected likewise from the neighbors and the cell.
        Anyone = "anyone",
        /// Two different ones selected likewise from the neighbors and the cell.
        AnyTwo = "any_two",
        /// The cell and the fittest of its neighbors.
        BestNeighbor = "best_neighbor",
        /// The cell and the fittest of its neighbors and itself.
        Best = "best",
        /// The two fittest of the neighbors and the cell.
        BestTwo = "best_two",
    }
}

params! {
    /// Each member is replaced by an offspring of its neighborhood.
    pub struct Neighborhood {
        /// The parents of the offspring in a cell.
        live parents: Parents = Parents::Neighbor;
    }
}

impl Reproduction for Neighborhood {
    fn plan<'a>(
        &'a self,
        pool: &'a ParentPool<'a>,
        _seed: u64,
        _generation: u64,
    ) -> Box<dyn OffspringPlan + 'a> {
        Box::new(NeighborhoodPlan {
            parents: self.parents,
            pool,
        })
    }

    fn needs_space(&self) -> bool {
        true
    }

    fn problems(&self, _population: usize) -> Vec<ParamError> {
        Vec::new()
    }
}

struct NeighborhoodPlan<'a> {
    parents: Parents,
    pool: &'a ParentPool<'a>,
}

impl NeighborhoodPlan<'_> {
    /// Selects a candidate in proportion to its fitness above the lowest; uniformly if all are equal.
    fn draw(&self, candidates: &[u32], rng: &mut Stream) -> u32 {
        let fitness = |&member: &u32| self.pool.fitness[member as usize];
        let lowest = candidates.iter().map(fitness).fold(f64::INFINITY, f64::min);
        let total: f64 = candidates
            .iter()
            .map(|member| fitness(member) - lowest)
            .sum();
        if total <= 0.0 {
            return candidates[rng.random_range(0..candidates.len())];
        }
        let mut point = rng.random_range(0.0..total);
        let hit = candidates.iter().find(|member| {
            point -= fitness(member) - lowest;
            point < 0.0
        });
        // Rounding may leave the point at the very end; then the last candidate is selected.
        *hit.unwrap_or(&candidates[candidates.len() - 1])
    }

    /// The fittest of the candidates; the first if several are equal.
    fn fittest(&self, candidates: &[u32]) -> u32 {
        let fitness = |member: u32| self.pool.fitness[member as usize];
        let better = |best, member| {
            if fitness(member) > fitness(best) {
                member
            } else {
                best
            }
        };
        candidates
            .iter()
            .copied()
            .reduce(better)
            .expect("there are neighbors")
    }

    /// Mother and father of the offspring in a cell.
    fn couple(&self, place: usize, rng: &mut Stream) -> [u32; 2] {
        let cell = place as u32;
        let neighbors = &self.pool.neighborhoods[place];
        let everyone = || -> Vec<u32> { neighbors.iter().copied().chain([cell]).collect() };
        let without = |member: u32| -> Vec<u32> {
            everyone()
                .into_iter()
                .filter(|&other| other != member)
                .collect()
        };
        match self.parents {
            Parents::Neighbor => [cell, self.draw(neighbors, rng)],
            Parents::Anyone => [cell, self.draw(&everyone(), rng)],
            Parents::BestNeighbor => [cell, self.fittest(neighbors)],
            Parents::Best => [cell, self.fittest(&everyone())],
            Parents::AnyTwo => {
                let one = self.draw(&everyone(), rng);
                [one, self.draw(&without(one), rng)]
            }
            Parents::BestTwo => {
                let one = self.fittest(&everyone());
                [one, self.fittest(&without(one))]
            }
        }
    }
}

impl OffspringPlan for NeighborhoodPlan<'_> {
    fn offspring(&self, place: usize, rng: &mut Stream) -> Offspring {
        let parents = self.couple(place, rng);
        Offspring::by_crossover(self.pool, parents.map(|parent| parent as usize), rng)
    }
}
