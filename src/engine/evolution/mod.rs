//! The evolutionary algorithm: pairing and fitness of a population, and the operators that make the
//! next one. It does not depend on games, agents or the arena: it returns pairings and takes game
//! results.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::contest::{GameResult, Pairing};
use crate::genomes::innovations::Innovations;
use crate::genomes::{AnyGenome, GenomeConfig, IoSpec};
use crate::params::params;
use crate::rng::{Purpose, stream};

use self::archive::Archive;
use self::breeding::{Breeding, Challenger, Origin, ParentPool};
use self::crossover::CrossoverConfig;
use self::divergence::ReplayedGames;
use self::fitness::FitnessConfig;
use self::hall_of_fame::{HallOfFameConfig, HallOfFameEntry};
use self::lifetime::LifetimeConfig;
use self::memory::Memory;
use self::mutation::MutationConfig;
use self::mutation::backpropagation::Backpropagation;
use self::pairing::{PairingConfig, PairingContext, PlayedRounds};
use self::phylogeny::Phylogeny;
use self::pretraining::{NoPretraining, PretrainingConfig};
use self::replacement::{OffspringPlan, ReplacementConfig};
use self::restart::{NoRestart, RestartConfig, RestartPlan};
use self::selection::SelectionConfig;
use self::space::{SpaceConfig, SpaceLayout};

pub mod archive;
pub mod breeding;
pub mod crossover;
pub mod divergence;
pub mod family_tree;
pub mod fitness;
pub mod hall_of_fame;
pub mod lifetime;
pub mod memory;
pub mod mutation;
pub mod pairing;
pub mod phylogeny;
pub mod pretraining;
mod problems;
pub mod replacement;
pub mod restart;
pub mod selection;
pub mod space;
pub mod task;

params! {
    /// The population, its space, its hall of fame, and its operators: pairing, fitness, selection,
    /// crossover, mutation, replacement, learning and start.
    pub struct EvolutionConfig {
        /// Number of members in the population. If it is changed during a run, the next generation
        /// is the first of the new size.
        live population: u32 = 100, in 2.0..=100000.0, "members";
        /// The spatial structure, which defines the neighbors of each member.
        part space: SpaceConfig = SpaceConfig::Panmictic(space::panmictic::Panmictic::default());
        /// Players of earlier generations that members can be paired with.
        part hall_of_fame: HallOfFameConfig =
            HallOfFameConfig::None(hall_of_fame::NoHallOfFame::default());
        /// Which players are paired in each generation.
        part pairing: PairingConfig =
            PairingConfig::Circular(pairing::circular::Circular::default());
        /// Share of the moves of the games within evolution that are random, for both sides.
        live random_moves: f64 = 0.0, in 0.0..=1.0, "share";
        /// How game results become fitness.
        part fitness: FitnessConfig = FitnessConfig::Wins(fitness::wins::Wins::default());
        /// How parents are selected.
        part selection: SelectionConfig =
            SelectionConfig::Power(selection::power::Power::default());
        /// How often an offspring has a second parent, and which.
        part crossover: CrossoverConfig =
            CrossoverConfig::None(crossover::none::NoCrossover::default());
        /// How offspring are changed.
        part mutation: MutationConfig =
            MutationConfig::Plain(mutation::plain::PlainMutation::default());
        /// How the next generation replaces the last.
        part replacement: ReplacementConfig =
            ReplacementConfig::Shares(replacement::shares::Shares::default());
        /// Whether evolution restarts from an earlier champion.
        part restart: RestartConfig = RestartConfig::None(NoRestart::default());
        /// Whether members learn before they play, and whether what they learn is inherited.
        part lifetime: LifetimeConfig = LifetimeConfig::None(lifetime::NoLearning::default());
        /// What members of the first generation have learned before evolution begins.
        part pretraining: PretrainingConfig = PretrainingConfig::None(NoPretraining::default());
    }
}

impl EvolutionConfig {
    /// The number of games of a generation, as far as it is known without drawing them.
    pub fn games(&self) -> Option<u64> {
        let neighborhoods = self.neighborhoods(0);
        self.pairing.games(&PairingContext {
            members: self.population as usize,
            hall_of_fame: self.hall_of_fame.size(),
            neighborhoods: &neighborhoods,
        })
    }

    /// The names of the reference players in the pairings.
    pub fn references(&self) -> &[String] {
        self.pairing.references()
    }

    /// Whether the origins of members are measured.
    pub fn has_lineages(&self) -> bool {
        self.replacement.traits().has_lineages
    }

    /// Whether survivors are challenged before reproduction.
    pub fn has_challengers(&self) -> bool {
        self.crossover.challenges_survivors()
    }

    /// Which games of the parents crossover and mutation need in replay buffers.
    pub fn replayed_games(&self) -> impl Iterator<Item = ReplayedGames> {
        let crossover = self.crossover.replayed_games();
        crossover.into_iter().chain(self.mutation.replayed_games())
    }

    /// The supervised training, if offspring are trained.
    pub fn supervision(&self) -> Option<&Backpropagation> {
        self.mutation.supervision()
    }

    /// The parents of a generation and the operators that make their offspring.
    pub fn breeding<'a>(
        &'a self,
        pool: &'a ParentPool<'a>,
        seed: u64,
        generation: u64,
    ) -> Breeding<'a> {
        Breeding {
            pool,
            selection: &*self.selection,
            crossover: &*self.crossover,
            mutation: &*self.mutation,
            next_size: self.population as usize,
            seed,
            generation,
        }
    }

    /// The layout of the population on a map, or `None` if it has no spatial structure.
    pub fn layout(&self) -> Option<SpaceLayout> {
        self.space.layout()
    }

    /// The neighbors of each member in a generation; empty if the population is panmictic.
    pub fn neighborhoods(&self, generation: u64) -> Vec<Vec<u32>> {
        self.space
            .neighborhoods(self.population as usize, generation)
    }
}

/// A population between two generations, with the hall of fame and the archive of earlier
/// champions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Population {
    /// The genomes of the current generation.
    pub members: Vec<AnyGenome>,
    /// The players of the hall of fame; empty without one.
    pub hall_of_fame: Vec<HallOfFameEntry>,
    /// Champions of earlier generations.
    pub archive: Archive,
    /// The origin of each member; empty in generation 0 and after one from before it was recorded.
    #[serde(default)]
    pub origins: Vec<Origin>,
    /// The place of each member on a circle of kinship, 0..1. A member is near its first parent, so
    /// members of a family are near each other until they have long lived apart. It is for the eye
    /// only. Empty if members have no places on a map.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinship: Vec<f32>,
    /// The historical markings that new genes get; unused by genomes without them.
    #[serde(default, skip_serializing_if = "Innovations::is_unused")]
    pub innovations: Innovations,
    /// What the replacement remembers of earlier generations.
    #[serde(default, skip_serializing_if = "Memory::is_empty")]
    pub memory: Memory,
    /// The fitness that each survivor keeps whatever its games; `None` for members that are
    /// evaluated. Empty if all are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept_fitness: Vec<Option<f64>>,
    /// The ancestors of the members; empty in files from before it was recorded.
    #[serde(default)]
    pub phylogeny: Arc<Phylogeny>,
}

impl Population {
    /// A population of random members.
    pub fn random(
        config: &EvolutionConfig,
        genome: &GenomeConfig,
        io_spec: &IoSpec,
        seed: u64,
    ) -> Self {
        let member = |index: u32| {
            let mut rng = stream(seed, Purpose::Initialization, 0, index.into());
            let mut member = genome.random(io_spec, &mut rng);
            genome.teach_newborn(&mut member, io_spec);
            member
        };
        let mut members: Vec<AnyGenome> = (0..config.population).map(member).collect();
        let mut innovations = Innovations::default();
        number_new_genes(genome, &mut members, &mut innovations);
        Self {
            members,
            innovations,
            memory: Memory::default(),
            hall_of_fame: hall_of_fame::random(&config.hall_of_fame, genome, io_spec, seed),
            archive: Archive::default(),
            origins: Vec::new(),
            kinship: Vec::new(),
            kept_fitness: Vec::new(),
            phylogeny: Arc::new(Phylogeny::founders(config.population as usize)),
        }
    }

    /// Replaces the fitness of each survivor that keeps its own.
    pub fn keep_fitness(&self, fitness: &mut [f64]) {
        for (fitness, kept) in fitness.iter_mut().zip(&self.kept_fitness) {
            *fitness = kept.unwrap_or(*fitness);
        }
    }

    /// The players that can be paired: the first `members` members, or challengers in their place.
    pub fn pairing_context<'a>(
        &self,
        members: usize,
        neighborhoods: &'a [Vec<u32>],
    ) -> PairingContext<'a> {
        PairingContext {
            members,
            hall_of_fame: self.hall_of_fame.len(),
            neighborhoods,
        }
    }
}

/// The games of the next round of a generation; `None` after the last.
pub fn next_round(
    config: &EvolutionConfig,
    context: &PairingContext<'_>,
    played: &PlayedRounds<'_>,
    seed: u64,
    generation: u64,
) -> Option<Vec<Pairing>> {
    let mut rng = stream(seed, Purpose::Pairing, generation, played.rounds);
    match played.rounds {
        0 => Some(config.pairing.pairings(context, &mut rng)),
        _ => config.pairing.next(context, played, &mut rng),
    }
}

/// Gives new genes of a generation's members their historical markings.
pub fn number_new_genes(
    genome: &GenomeConfig,
    members: &mut [AnyGenome],
    innovations: &mut Innovations,
) {
    let Some(markings) = genome.capabilities().markings else {
        return;
    };
    let mut of_generation = innovations.of_generation();
    for member in members {
        markings.number_new_genes(member, &mut of_generation);
    }
}

/// What the replacement remembers after a generation.
pub fn remember(
    config: &EvolutionConfig,
    pool: &ParentPool<'_>,
    seed: u64,
    generation: u64,
) -> Memory {
    let breeding = config.breeding(pool, seed, generation);
    config.replacement.remember(&breeding)
}

/// The fitness of each of `players` players, from the results in the order of the pairings.
pub fn fitness_of(
    config: &EvolutionConfig,
    pairings: &[Pairing],
    played: &[GameResult],
    players: usize,
) -> Vec<f64> {
    config.fitness.fitness(pairings, played, players)
}

/// Whether [`fitness_of`] all games is the sum over any partition of them.
pub fn is_additive(config: &EvolutionConfig) -> bool {
    config.fitness.is_additive()
}

/// Genomes to be evaluated against members before reproduction.
pub fn challengers(
    config: &EvolutionConfig,
    pool: &ParentPool<'_>,
    seed: u64,
    generation: u64,
) -> Vec<Challenger> {
    let survivors = config.replacement.traits().survivors;
    config
        .breeding(pool, seed, generation)
        .challengers(survivors)
}

/// Calls `use_it` with the plan of the next generation, which makes its members one by one in any
/// order.
pub fn with_offspring_plan<R>(
    config: &EvolutionConfig,
    pool: &ParentPool<'_>,
    seed: u64,
    generation: u64,
    use_it: impl FnOnce(&dyn OffspringPlan) -> R,
) -> R {
    let breeding = &config.breeding(pool, seed, generation);
    match pool.restart {
        Some(champion) => use_it(&RestartPlan { champion, breeding }),
        None => use_it(config.replacement.plan(breeding).as_ref()),
    }
}

/// The index of the fittest member; the first if several are equal.
pub fn champion_index(fitness: &[f64]) -> usize {
    let better = |best: usize, index: usize| {
        if fitness[index] > fitness[best] {
            index
        } else {
            best
        }
    };
    (0..fitness.len()).reduce(better).unwrap_or(0)
}
