//! Local breeding: every place is taken by a child of its neighborhood, all at once (Porter & LeGrand, "The Genetic
//! Algorithm" and "Parent Selection").

use rand::RngExt;

use crate::params::{Problem, choices, params};
use crate::rng::Stream;

use super::{Breed, Child, Litter, Stock};

choices! {
    /// Who the parents of a place's child are. The neighborhood is the six neighbors of a cell on the torus; "with the
    /// cell" they are seven.
    pub enum Parents {
        /// The cell and one of its neighbors, drawn by how far its fitness is above the lowest of them.
        Neighbor = "neighbor",
        /// The cell and one drawn likewise from the neighbors with the cell.
        Anyone = "anyone",
        /// Two drawn likewise from the neighbors with the cell, not the same twice.
        AnyTwo = "any_two",
        /// The cell and the fittest of its neighbors.
        BestNeighbor = "best_neighbor",
        /// The cell and the fittest of its neighbors with the cell.
        Best = "best",
        /// The two fittest of the neighbors with the cell.
        BestTwo = "best_two",
    }
}

params! {
    /// Every place is taken by a child of its neighborhood.
    pub struct Neighborhood {
        /// Who the parents of a place's child are.
        live parents: Parents = Parents::Neighbor;
    }
}

impl Breed for Neighborhood {
    fn litter<'a>(
        &'a self,
        stock: &'a Stock<'a>,
        _seed: u64,
        _generation: u64,
    ) -> Box<dyn Litter + 'a> {
        Box::new(Local {
            parents: self.parents,
            stock,
        })
    }

    fn needs_space(&self) -> bool {
        true
    }

    fn problems(&self, _population: usize) -> Vec<Problem> {
        Vec::new()
    }
}

struct Local<'a> {
    parents: Parents,
    stock: &'a Stock<'a>,
}

impl Local<'_> {
    /// One of the candidates, with odds as their fitness is above the lowest; all alike where none is.
    fn draw(&self, candidates: &[u32], rng: &mut Stream) -> u32 {
        let fitness = |&member: &u32| self.stock.fitness[member as usize];
        let lowest = candidates.iter().map(fitness).fold(f64::INFINITY, f64::min);
        let total: f64 = candidates
            .iter()
            .map(|member| fitness(member) - lowest)
            .sum();
        if total <= 0.0 {
            return candidates[rng.random_range(0..candidates.len())];
        }
        let mut dart = rng.random_range(0.0..total);
        let hit = candidates.iter().find(|member| {
            dart -= fitness(member) - lowest;
            dart < 0.0
        });
        // Rounding may leave the dart at the very end, where the fittest of those left stands as well as any.
        *hit.unwrap_or(&candidates[candidates.len() - 1])
    }

    /// The fittest of the candidates, the first of equals.
    fn fittest(&self, candidates: &[u32]) -> u32 {
        let fitness = |member: u32| self.stock.fitness[member as usize];
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

    /// Mother and father of the child at a place.
    fn couple(&self, place: usize, rng: &mut Stream) -> [u32; 2] {
        let cell = place as u32;
        let neighbors = &self.stock.neighborhoods[place];
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

impl Litter for Local<'_> {
    fn child(&self, place: usize, rng: &mut Stream) -> Child {
        let parents = self.couple(place, rng);
        Child::crossed(self.stock, parents.map(|parent| parent as usize), rng)
    }
}
