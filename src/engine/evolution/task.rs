//! Evolution by a fitness that does not come from games, such as how long a network balances a
//! pole.

use crate::genomes::{AnyGenome, Brain, GenomeConfig, IoSpec};
use crate::params::ParamErrors;
use crate::rng::{Purpose, stream};

use super::breeding::ParentPool;
use super::{EvolutionConfig, Population};

/// A population whose fitness its owner computes. Of the evolution's parts, `pairing`, `fitness`,
/// `hall_of_fame`, `restart` and `lifetime` are not used. It is as reproducible as a run: the seed
/// determines it.
#[derive(Clone, Debug)]
pub struct TaskEvolution {
    config: EvolutionConfig,
    genome: GenomeConfig,
    io_spec: IoSpec,
    seed: u64,
    generation: u64,
    population: Population,
}

impl TaskEvolution {
    /// A random population. Fails if parameters do not fit together.
    pub fn new(
        config: EvolutionConfig,
        genome: GenomeConfig,
        io_spec: IoSpec,
        seed: u64,
    ) -> Result<Self, ParamErrors> {
        let mut problems = config.problems();
        problems.retain(|problem| {
            let part = problem.path.split('.').next();
            !["pairing", "fitness"].map(Some).contains(&part)
        });
        problems.extend(genome.problems());
        problems.extend(genome.io_problems(&io_spec));
        problems.extend(config.number_problem(&genome, &io_spec));
        if !problems.is_empty() {
            return Err(ParamErrors(problems));
        }
        let population = Population::random(&config, &genome, &io_spec, seed);
        Ok(Self {
            config,
            genome,
            io_spec,
            seed,
            generation: 0,
            population,
        })
    }

    /// The number of generations before this one.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The members of this generation.
    pub fn members(&self) -> &[AnyGenome] {
        &self.population.members
    }

    /// The network of each member.
    pub fn brains(&self) -> impl Iterator<Item = Box<dyn Brain>> {
        let members = self.members().iter();
        members.map(|member| self.genome.grow(member, &self.io_spec))
    }

    /// Makes the next generation. `fitness` has a finite number for each member; more is better.
    pub fn advance(&mut self, fitness: &[f64]) {
        let (seed, generation) = (self.seed, self.generation);
        let neighborhoods = self.config.neighborhoods(generation);
        let pool = ParentPool {
            members: &self.population.members,
            fitness,
            archive: &self.population.archive,
            restart: None,
            neighborhoods: &neighborhoods,
            training_sets: &[],
            replay: None,
            features: &[],
            phylogeny: &self.population.phylogeny,
            memory: &self.population.memory,
            genome: &self.genome,
            io_spec: &self.io_spec,
        };
        let memory = super::remember(&self.config, &pool, seed, generation);
        let pool = ParentPool {
            memory: &memory,
            ..pool
        };
        let members = super::with_offspring_plan(&self.config, &pool, seed, generation, |plan| {
            let offspring = (0..self.config.population as usize).map(|place| {
                let mut rng = stream(seed, Purpose::Reproduction, generation, place as u64);
                plan.offspring(place, &mut rng).genome
            });
            offspring.collect()
        });
        self.population.memory = memory;
        self.population.members = members;
        let Population {
            members,
            innovations,
            ..
        } = &mut self.population;
        super::number_new_genes(&self.genome, members, innovations);
        self.generation += 1;
    }
}
