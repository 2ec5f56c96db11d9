//! Speciation with explicit fitness sharing (Stanley & Miikkulainen 2002, §3.3): members are grouped by the distance between their
//! genomes, each species has offspring by the mean fitness of its members, and they mate within it. So a new structure has time to
//! become good before it competes with all others. It works with every genome that knows a distance.
//!
//! What the publication leaves open: which share of a species become parents (`survival`), and that the species of the fittest member
//! is never removed.

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::evolution::breeding::{Breeding, Candidates, Offspring};
use crate::evolution::champion_index;
use crate::evolution::memory::Memory;
use crate::evolution::selection::ranking;
use crate::genomes::{AnyGenome, GenomeConfig, IoSpec};
use crate::params::{ParamError, params};
use crate::rng::{Purpose, Stream, stream};

use super::{OffspringPlan, Replacement};

params! {
    /// Members of a species share their fitness, and each species has offspring by its share.
    pub struct SpeciesReplacement {
        /// Distance from the representative of a species up to which a genome belongs to it. Lower it if there are too few species.
        live threshold: f64 = 3.0, in 0.0..=1000000.0;
        /// Number of species that is aimed at: the threshold rises by `threshold_step` in each generation with more, and falls with fewer. 0 keeps the threshold.
        live target_species: u32 = 0, in 0.0..=10000.0, "species";
        /// How far the threshold moves at a time; see `target_species`.
        live threshold_step: f64 = 0.3, in 0.0..=1000.0;
        /// Share of a species, the fittest first, that can become parents.
        live survival: f64 = 0.2, in 0.0..=1.0, "share";
        /// A species with more members than this keeps its fittest one unchanged.
        live champion_size: u32 = 5, in 0.0..=100000.0, "members";
        /// Probability that the second parent comes from another species.
        live interspecies: f64 = 0.001, in 0.0..=1.0, "of crossovers";
        /// A species whose highest fitness has not risen for this many generations has no more offspring, unless the fittest member is in it. 0 means never: for fitness that is relative, as that by games is.
        live stagnation: u32 = 0, in 0.0..=1000000.0, "generations";
        /// If the highest fitness of all has not risen for this many generations, only the two best species have offspring. 0 means never.
        live crisis: u32 = 0, in 0.0..=1000000.0, "generations";
    }
}

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
}

impl SpeciesTable {
    /// The indices of the members of a species.
    pub fn members(&self, species: usize) -> Vec<usize> {
        let members = self.of_member.iter().enumerate();
        let members = members.filter(|&(_, &own)| own as usize == species);
        members.map(|(member, _)| member).collect()
    }

    /// Puts each member into the first species that it is near enough to, or into a new one.
    fn assign(&mut self, genome: &GenomeConfig, members: &[AnyGenome], generation: u64) {
        self.of_member.clear();
        for member in members {
            let is_near = |species: &Species| {
                genome.distance(member, &species.representative) <= self.threshold
            };
            let known = self.species.iter().position(is_near);
            let species = known.unwrap_or_else(|| {
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
            });
            self.of_member.push(species as u32);
        }
    }

    /// Removes species without members.
    fn remove_empty(&mut self) {
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
    fn count(&mut self, fitness: &[f64], generation: u64) {
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

    /// What each species' share of the offspring is in proportion to: the mean fitness of its members, which is the sum of the
    /// fitness that they share, above the lowest if that is negative; 0 for those without offspring.
    fn shares(&self, config: &SpeciesReplacement, fitness: &[f64], generation: u64) -> Vec<f64> {
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
    fn adjust_threshold(&mut self, config: &SpeciesReplacement) {
        let (count, target) = (self.species.len(), config.target_species as usize);
        if target == 0 {
            self.threshold = config.threshold;
        } else if count > target {
            self.threshold += config.threshold_step;
        } else if count < target {
            self.threshold = (self.threshold - config.threshold_step).max(config.threshold_step);
        }
    }
}

/// Divides places in proportion to shares, of which one is above 0: whole parts first, then one more each to the largest rests.
fn divide(places: usize, shares: &[f64]) -> Vec<u32> {
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

impl SpeciesReplacement {
    /// The species of this generation, with their offspring.
    fn table(&self, breeding: &Breeding<'_>) -> SpeciesTable {
        let (pool, generation) = (breeding.pool, breeding.generation);
        let known = pool.memory.get::<SpeciesTable>().cloned();
        let mut table = known.unwrap_or_else(|| SpeciesTable {
            threshold: self.threshold,
            ..SpeciesTable::default()
        });
        table.assign(pool.genome, pool.members, generation);
        table.remove_empty();
        table.count(pool.fitness, generation);
        let shares = table.shares(self, pool.fitness, generation);
        let parts = divide(pool.members.len(), &shares);
        for (index, part) in parts.into_iter().enumerate() {
            let members = table.members(index);
            let species = &mut table.species[index];
            species.offspring = part;
            let mut rng = stream(
                breeding.seed,
                Purpose::Species,
                generation,
                species.id.into(),
            );
            let drawn = members[rng.random_range(0..members.len())];
            species.representative = pool.members[drawn].clone();
        }
        table.adjust_threshold(self);
        table
    }
}

impl Replacement for SpeciesReplacement {
    fn plan<'a>(&'a self, breeding: &'a Breeding<'a>) -> Box<dyn OffspringPlan + 'a> {
        let table = breeding.pool.memory.of_this_generation();
        Box::new(SpeciesPlan::new(self, breeding, table))
    }

    fn remember(&self, breeding: &Breeding<'_>) -> Memory {
        Memory::new(self.table(breeding))
    }

    fn memory_error(
        &self,
        memory: &Memory,
        population: usize,
        genome: &GenomeConfig,
        io_spec: &IoSpec,
    ) -> Option<String> {
        let table: &SpeciesTable = match memory.readable() {
            Ok(table) => table,
            Err(error) => return Some(error),
        };
        let count = table.species.len();
        let mut members = table.of_member.iter();
        let is_whole = table.of_member.len() == population
            && members.all(|&species| (species as usize) < count)
            && table.threshold.is_finite();
        if !is_whole {
            return Some(format!("its species are not those of {population} members"));
        }
        let mut representatives = table.species.iter();
        let error = representatives.find_map(|species| {
            let checked = genome.validate(&species.representative, io_spec);
            checked.err().map(|error| (species.id, error))
        });
        error.map(|(id, error)| format!("the representative of species {id}: {error}"))
    }

    fn has_species(&self) -> bool {
        true
    }

    fn species<'a>(&self, memory: &'a Memory) -> Option<&'a SpeciesTable> {
        memory.get()
    }

    /// A species may have one member.
    fn candidates(&self, _population: usize, _neighbors: usize) -> usize {
        1
    }

    fn problems(&self, _population: usize) -> Vec<ParamError> {
        Vec::new()
    }
}

/// What takes a place in the next generation.
#[derive(Clone, Copy)]
enum Place {
    /// The fittest member of a species.
    Champion(usize),
    /// An offspring of this species.
    Offspring(usize),
}

struct SpeciesPlan<'a> {
    breeding: &'a Breeding<'a>,
    places: Vec<Place>,
    /// The parents of each species.
    parents: Vec<Candidates>,
    interspecies: f64,
}

impl<'a> SpeciesPlan<'a> {
    fn new(config: &SpeciesReplacement, breeding: &'a Breeding<'a>, table: &SpeciesTable) -> Self {
        let fitness = breeding.pool.fitness;
        let (mut places, mut parents) = (Vec::new(), Vec::new());
        for (index, species) in table.species.iter().enumerate() {
            let mut members = table.members(index);
            members.sort_by(|&one, &other| fitness[other].total_cmp(&fitness[one]));
            let is_kept = species.size > config.champion_size && species.offspring > 0;
            places.extend(is_kept.then_some(Place::Champion(members[0])));
            let others = species.offspring - u32::from(is_kept);
            places.extend((0..others).map(|_| Place::Offspring(index)));
            let surviving = (config.survival * members.len() as f64).ceil() as usize;
            members.truncate(surviving.max(1));
            parents.push(breeding.candidates(members));
        }
        Self {
            breeding,
            places,
            parents,
            interspecies: config.interspecies,
        }
    }
}

impl OffspringPlan for SpeciesPlan<'_> {
    fn offspring(&self, place: usize, rng: &mut Stream) -> Offspring {
        let species = match self.places[place] {
            Place::Champion(member) => return Offspring::copy(self.breeding.pool, member),
            Place::Offspring(species) => species,
        };
        let first = self.parents[species].select(place, rng);
        let count = self.parents.len();
        let mate = |rng: &mut Stream| {
            let is_other = count > 1 && rng.random_bool(self.interspecies);
            let other = if is_other {
                (species + rng.random_range(1..count)) % count
            } else {
                species
            };
            self.parents[other].select(place + 1, rng)
        };
        self.breeding.offspring_of(place, first, &mate, rng)
    }
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
