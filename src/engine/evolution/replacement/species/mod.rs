//! Speciation with explicit fitness sharing (Stanley & Miikkulainen 2002, §3.3): members are
//! grouped by the distance between their genomes, each species has offspring by the mean fitness of
//! its members, and they mate within it. So a new structure has time to become good before it
//! competes with all others. It works with every genome that knows a distance.
//!
//! What the publication leaves open: which share of a species become parents (`survival`), and that
//! the species of the fittest member is never removed. A number of species can be aimed at in two
//! ways: the threshold moves by steps, which overshoot where distances lie close together, or
//! members are clustered around so many representatives (as Green 2009 does by k-means), of which a
//! new one is the member farthest from all others (Gonzalez 1985), so that species live on.

use rand::RngExt;

use crate::evolution::breeding::{Breeding, Candidates, Offspring};
use crate::evolution::memory::Memory;
use crate::genomes::{GenomeConfig, IoSpec};
use crate::params::params;
use crate::rng::{Purpose, Stream, stream};

use super::{OffspringPlan, Replacement, ReplacementTraits};

use self::table::{SpeciesTable, divide};

pub mod history;
pub mod table;

params! {
    /// Members of a species share their fitness, and each species has offspring by its share.
    pub struct SpeciesReplacement {
        /// Distance from the representative of a species up to which a genome belongs to it. Lower
        /// it if there are too few species.
        live threshold: f64 = 3.0, in 0.0..=1000000.0;
        /// Number of species that is aimed at. 0 leaves it to the threshold.
        live target_species: u32 = 0, in 0.0..=10000.0, "species";
        /// How far the threshold moves in each generation with more or fewer species than
        /// `target_species`, as in the publication's successors. 0 forms exactly so many: members
        /// go to the nearest representative, and the threshold is the farthest of them.
        live threshold_step: f64 = 0.0, in 0.0..=1000.0;
        /// Share of a species, the fittest first, that can become parents.
        live survival: f64 = 0.2, in 0.0..=1.0, "share";
        /// A species with more members than this keeps its fittest one unchanged.
        live champion_size: u32 = 5, in 0.0..=100000.0, "members";
        /// Probability that the second parent comes from another species.
        live interspecies: f64 = 0.001, in 0.0..=1.0, "of crossovers";
        /// A species whose highest fitness has not risen for this many generations has no more
        /// offspring, unless the fittest member is in it. 0 means never: for fitness that is
        /// relative, as that by games is.
        live stagnation: u32 = 0, in 0.0..=1000000.0, "generations";
        /// If the highest fitness of all has not risen for this many generations, only the two best
        /// species have offspring. 0 means never.
        live crisis: u32 = 0, in 0.0..=1000000.0, "generations";
    }
}

impl SpeciesReplacement {
    /// The species of this generation, with their offspring.
    fn table(&self, breeding: &Breeding<'_>) -> SpeciesTable {
        let (pool, generation) = (breeding.pool, breeding.generation);
        let known = pool.memory.get::<SpeciesTable>().cloned();
        let mut table = known.unwrap_or_else(|| SpeciesTable::new(self.threshold));
        let (genome, members) = (pool.genome, pool.members);
        if self.target_species > 0 && self.threshold_step == 0.0 {
            table.cluster((genome, members), self.target_species as usize, generation);
        } else {
            table.assign((genome, members), generation);
        }
        table.remove_empty();
        table.count(pool.fitness, generation);
        let sizes = table.species.iter();
        let sizes = sizes.map(|species| (species.id, species.size)).collect();
        table.history.add(generation, sizes);
        let shares = table.shares(self, pool.fitness, generation);
        let parts = divide(breeding.next_size, &shares);
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
            && table.threshold.is_finite()
            && table.history.is_valid();
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

    fn traits(&self) -> ReplacementTraits {
        ReplacementTraits {
            has_species: true,
            ..ReplacementTraits::default()
        }
    }

    /// A species may have one member.
    fn candidates(&self, _population: usize, _neighbors: usize) -> usize {
        1
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
