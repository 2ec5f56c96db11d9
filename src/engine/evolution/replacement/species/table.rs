//! The species of a generation: their members, their figures, and the distance up to which a genome
//! belongs to one.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::evolution::champion_index;
use crate::evolution::selection::ranking;
use crate::genomes::{AnyGenome, GenomeConfig};

use super::SpeciesReplacement;
use super::history::SpeciesHistory;

/// A species in a generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Species {
    /// Its number; later species have higher ones.
    pub id: u32,
    /// The generation in which it appeared.
    pub born: u64,
    /// The number of its members.
    pub size: u32,
    /// The mean fitness of its members.
    pub mean: f64,
    /// The highest fitness that a member has ever had.
    pub best: f64,
    /// The generation of that fitness.
    pub improved: u64,
    /// The number of offspring that it has.
    pub offspring: u32,
    /// The genome that members of the next generation are compared with.
    pub representative: AnyGenome,
}

/// The species of a generation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeciesTable {
    /// The species, the oldest first.
    pub species: Vec<Species>,
    /// For each member, the index of its species.
    pub of_member: Vec<u32>,
    /// The distance up to which a genome of the next generation belongs to a species.
    pub threshold: f64,
    /// The number of the next new species.
    next_id: u32,
    /// The highest fitness of any member so far, and its generation.
    best: (f64, u64),
    /// The sizes of the species of earlier generations.
    #[serde(default)]
    pub history: SpeciesHistory,
}

impl SpeciesTable {
    /// No species yet.
    pub(super) fn new(threshold: f64) -> Self {
        Self {
            threshold,
            ..Self::default()
        }
    }

    /// The indices of the members of a species.
    pub fn members(&self, species: usize) -> Vec<usize> {
        let members = self.of_member.iter().enumerate();
        let members = members.filter(|&(_, &own)| own as usize == species);
        members.map(|(member, _)| member).collect()
    }

    /// The fittest member of a species; the first if several are equal.
    pub fn champion(&self, species: usize, fitness: &[f64]) -> Option<usize> {
        let members = self.members(species);
        let of_members: Vec<f64> = members.iter().map(|&member| fitness[member]).collect();
        members.get(champion_index(&of_members)).copied()
    }

    /// Puts each member into the first species that it is near enough to, or into a new one.
    pub(super) fn assign(
        &mut self,
        (genome, members): (&GenomeConfig, &[AnyGenome]),
        generation: u64,
    ) {
        self.of_member.clear();
        let distance = distances_of(genome);
        for member in members {
            let is_near =
                |species: &Species| distance(member, &species.representative) <= self.threshold;
            let known = self.species.iter().position(is_near);
            let species = known.unwrap_or_else(|| self.found(member, generation));
            self.of_member.push(species as u32);
        }
    }

    /// A new species around a member; returns its index.
    fn found(&mut self, member: &AnyGenome, generation: u64) -> usize {
        self.species.push(Species {
            id: self.next_id,
            born: generation,
            size: 0,
            mean: 0.0,
            best: f64::NEG_INFINITY,
            improved: generation,
            offspring: 0,
            representative: member.clone(),
        });
        self.next_id += 1;
        self.species.len() - 1
    }

    /// Puts each member into the species whose representative is nearest, the older of two. The
    /// youngest species beyond `target` dissolve. While fewer live, the member farthest from its
    /// representative founds another, unless all members equal theirs. The threshold is the
    /// distance of the farthest member then.
    pub(super) fn cluster(
        &mut self,
        (genome, members): (&GenomeConfig, &[AnyGenome]),
        target: usize,
        generation: u64,
    ) {
        self.species.truncate(target);
        self.of_member = vec![0; members.len()];
        let distance = distances_of(genome);
        let mut distances = vec![f64::INFINITY; members.len()];
        let mut compared = 0;
        loop {
            for (index, species) in self.species.iter().enumerate().skip(compared) {
                for (member, one) in members.iter().enumerate() {
                    let distance = distance(one, &species.representative);
                    if distance < distances[member] {
                        (distances[member], self.of_member[member]) = (distance, index as u32);
                    }
                }
            }
            compared = self.species.len();
            let living: BTreeSet<u32> = match compared {
                0 => BTreeSet::new(),
                _ => self.of_member.iter().copied().collect(),
            };
            let farthest = champion_index(&distances);
            if living.len() >= target || distances[farthest] == 0.0 {
                self.threshold = distances[farthest];
                return;
            }
            self.found(&members[farthest], generation);
        }
    }

    /// Removes species without members.
    pub(super) fn remove_empty(&mut self) {
        let mut places = Vec::new();
        let mut kept = 0;
        for species in 0..self.species.len() {
            let lives = self.of_member.contains(&(species as u32));
            places.push(lives.then_some(kept));
            kept += u32::from(lives);
        }
        for own in &mut self.of_member {
            *own = places[*own as usize].expect("a species with a member lives");
        }
        let mut places = places.into_iter();
        self.species.retain(|_| places.next().flatten().is_some());
    }

    /// Counts members and fitness of each species.
    pub(super) fn count(&mut self, fitness: &[f64], generation: u64) {
        for index in 0..self.species.len() {
            let members = self.members(index);
            let sum: f64 = members.iter().map(|&member| fitness[member]).sum();
            let best = members.iter().map(|&member| fitness[member]);
            let best = best.fold(f64::NEG_INFINITY, f64::max);
            let species = &mut self.species[index];
            species.size = members.len() as u32;
            species.mean = sum / members.len() as f64;
            if best > species.best {
                (species.best, species.improved) = (best, generation);
            }
        }
        let best = fitness[champion_index(fitness)];
        if self.best.1 == 0 || best > self.best.0 {
            self.best = (best, generation);
        }
    }

    /// What each species' share of the offspring is in proportion to: the mean fitness of its
    /// members, which is the sum of the fitness that they share, above the lowest if that is
    /// negative; 0 for those without offspring.
    pub(super) fn shares(
        &self,
        config: &SpeciesReplacement,
        fitness: &[f64],
        generation: u64,
    ) -> Vec<f64> {
        let best = self.of_member[champion_index(fitness)] as usize;
        let is_over = |since: u64, limit: u32| limit > 0 && generation - since >= limit.into();
        let lowest = fitness.iter().copied().fold(0.0, f64::min);
        let means = self.species.iter().map(|species| species.mean);
        let mut shares: Vec<f64> = means.map(|mean| mean - lowest).collect();
        for (index, species) in self.species.iter().enumerate() {
            if index != best && is_over(species.improved, config.stagnation) {
                shares[index] = 0.0;
            }
        }
        if is_over(self.best.1, config.crisis) {
            let ranked = ranking(&shares);
            for &index in ranked.iter().filter(|&&index| index != best).skip(1) {
                shares[index] = 0.0;
            }
        }
        if shares.iter().sum::<f64>() <= 0.0 {
            // Nobody has won anything.
            return self
                .species
                .iter()
                .map(|species| species.size.into())
                .collect();
        }
        shares
    }

    /// Moves the threshold towards the number of species that is aimed at.
    pub(super) fn adjust_threshold(&mut self, config: &SpeciesReplacement) {
        let (count, target) = (self.species.len(), config.target_species as usize);
        let step = config.threshold_step;
        if target == 0 {
            self.threshold = config.threshold;
        } else if count > target {
            self.threshold += step;
        } else if count < target && step > 0.0 {
            self.threshold = (self.threshold - step).max(step);
        }
    }
}

/// The distance of two genomes. Genomes without one are all alike.
fn distances_of(genome: &GenomeConfig) -> impl Fn(&AnyGenome, &AnyGenome) -> f64 {
    let known = genome.capabilities().distance;
    move |one, other| known.map_or(0.0, |known| known.distance(one, other))
}

/// Divides places in proportion to shares, of which one is above 0: whole parts first, then one
/// more each to the largest rests.
pub(super) fn divide(places: usize, shares: &[f64]) -> Vec<u32> {
    let sum: f64 = shares.iter().sum();
    let exact: Vec<f64> = shares
        .iter()
        .map(|share| places as f64 * share / sum)
        .collect();
    let mut parts: Vec<u32> = exact.iter().map(|part| part.floor() as u32).collect();
    let rests: Vec<f64> = exact.iter().map(|part| part.fract()).collect();
    let given: u32 = parts.iter().sum();
    for index in ranking(&rests).into_iter().take(places - given as usize) {
        parts[index] += 1;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_divided_in_proportion_and_all_are_given() {
        assert_eq!(divide(10, &[1.0, 1.0]), [5, 5]);
        assert_eq!(divide(10, &[0.0, 3.0, 1.0]), [0, 8, 2]);
        assert_eq!(divide(7, &[1.0, 1.0, 1.0]), [3, 2, 2]);
        for places in 1..200 {
            let parts = divide(places, &[0.3, 1e-9, 7.1, 2.0, 0.6]);
            assert_eq!(parts.iter().sum::<u32>() as usize, places);
        }
    }
}
