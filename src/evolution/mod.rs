//! The evolutionary algorithm: pairing and fitness of a population, and the operators that make the next one. It does not depend on
//! games, agents or the arena: it returns pairings and takes game results.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::contest::{GameResult, Pairing};
use crate::genomes::innovations::Innovations;
use crate::genomes::{AnyGenome, GenomeConfig, IoSpec};
use crate::params::{ParamError, params};
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
use self::pairing::{PairingConfig, PairingContext};
use self::phylogeny::Phylogeny;
use self::replacement::{OffspringPlan, ParentChoice, ReplacementConfig};
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
pub mod replacement;
pub mod restart;
pub mod selection;
pub mod space;
pub mod task;

params! {
    /// The population, its space, its hall of fame, and its operators: pairing, fitness, selection, crossover, mutation,
    /// replacement and learning.
    pub struct EvolutionConfig {
        /// Number of members in the population. A change holds for the offspring of the generation, so from the next one on.
        live population: u32 = 100, in 2.0..=100000.0, "members";
        /// The spatial structure, which defines the neighbors of each member.
        part space: SpaceConfig = SpaceConfig::Panmictic(space::panmictic::Panmictic::default());
        /// Players of earlier generations that members can be paired with.
        part hall_of_fame: HallOfFameConfig = HallOfFameConfig::None(hall_of_fame::NoHallOfFame::default());
        /// Which players are paired in each generation.
        part pairing: PairingConfig = PairingConfig::Circular(pairing::circular::Circular::default());
        /// Share of the moves of the games within evolution that are random, whoever is to move.
        live random_moves: f64 = 0.0, in 0.0..=1.0, "share";
        /// How game results become fitness.
        part fitness: FitnessConfig = FitnessConfig::Wins(fitness::wins::Wins::default());
        /// How parents are selected.
        part selection: SelectionConfig = SelectionConfig::Power(selection::power::Power::default());
        /// How often an offspring has a second parent, and which.
        part crossover: CrossoverConfig = CrossoverConfig::None(crossover::none::NoCrossover::default());
        /// How offspring are changed.
        part mutation: MutationConfig = MutationConfig::Plain(mutation::plain::PlainMutation::default());
        /// How the next generation replaces the last.
        part replacement: ReplacementConfig = ReplacementConfig::Shares(replacement::shares::Shares::default());
        /// Whether evolution restarts from an earlier champion.
        part restart: RestartConfig = RestartConfig::None(NoRestart::default());
        /// Whether members learn before they play, and whether what they learn is inherited.
        part lifetime: LifetimeConfig = LifetimeConfig::None(lifetime::NoLearning::default());
    }
}

impl EvolutionConfig {
    /// All errors, including parameters that do not fit together.
    pub fn problems(&self) -> Vec<ParamError> {
        let population = self.population as usize;
        let pairing = self.pairing.problems(population);
        let replacement = self.replacement.problems(population);
        let fitness = self.fitness.problems(population);
        let space = self.space.problems(population);
        let is_placed = space.is_empty() && self.missing_space().is_empty();
        let selection = if is_placed && replacement.is_empty() {
            self.selection_problems(population)
        } else {
            Vec::new()
        };
        let under = |part: &'static str| move |problem: ParamError| problem.under(part);
        pairing
            .into_iter()
            .map(under("pairing"))
            .chain(selection.into_iter().map(under("selection")))
            .chain(replacement.into_iter().map(under("replacement")))
            .chain(fitness.into_iter().map(under("fitness")))
            .chain(space.into_iter().map(under("space")))
            .chain(self.missing_space())
            .chain(self.missing_hall_of_fame())
            .chain(self.missing_common_opponents())
            .chain(self.operator_problems())
            .collect()
    }

    /// Errors for schemes that need neighborhoods when there is no space.
    fn missing_space(&self) -> Vec<ParamError> {
        if self.layout().is_some() {
            return Vec::new();
        }
        let pairing = self.pairing.needs_space();
        let parts = [
            ("pairing", pairing),
            ("replacement", self.replacement.needs_space()),
        ];
        let missing = parts.into_iter().filter(|&(_, needs)| needs);
        missing
            .map(|(part, _)| {
                let message =
                    "needs neighborhoods, but `space` is `panmictic`; try space: torus(width: 10)";
                ParamError::new(part, message.to_owned())
            })
            .collect()
    }

    /// Errors of operators that do not fit together.
    fn operator_problems(&self) -> Vec<ParamError> {
        let (replacement, crossover) = (&self.replacement, &self.crossover);
        let (name, selection) = (self.replacement.name(), self.selection.name());
        let is_used = match replacement.parent_choice() {
            ParentChoice::Selected => true,
            ParentChoice::OwnPlace => crossover.takes_members(),
            ParentChoice::ByRank => false,
        };
        let selection = match (is_used, self.selection.is_none()) {
            (true, true) => Some(format!(
                "must not be `none`, because replacement `{name}` needs selected parents; try selection: tournament(tournament_size: 2)"
            )),
            (false, false) => Some(format!(
                "is `{selection}`, but replacement `{name}` with this crossover selects no parents; give selection: none()"
            )),
            _ => None,
        };
        let unchallenged = crossover.challenges_survivors() && replacement.survivors() == 0;
        let crossover = unchallenged.then(|| {
            format!("challenges survivors, but replacement `{name}` keeps none; try replacement: generational(elites: 20)")
        });
        let parts = [("selection", selection), ("crossover", crossover)];
        let problems = parts.into_iter();
        problems
            .filter_map(|(part, message)| Some(ParamError::new(part, message?)))
            .collect()
    }

    /// Errors of the selection for the number of its candidates.
    fn selection_problems(&self, population: usize) -> Vec<ParamError> {
        let replacement = &self.replacement;
        let neighborhoods = if replacement.needs_space() {
            self.neighborhoods(0)
        } else {
            Vec::new()
        };
        let neighbors = neighborhoods.first().map_or(0, Vec::len);
        let candidates = replacement.candidates(population, neighbors);
        self.selection.problems(candidates)
    }

    /// An error if offspring are computed from the numbers of genomes, but the genomes have none or too many.
    pub fn number_problem(&self, genome: &GenomeConfig, io_spec: &IoSpec) -> Option<ParamError> {
        let most = self.replacement.most_numbers()?;
        let (replacement, count) = (self.replacement.name(), genome.number_count(io_spec));
        let message = if count == 0 {
            let name = genome.name();
            format!(
                "is `{replacement}`, but genome `{name}` is no list of numbers; try genome: mlp"
            )
        } else if count > most {
            format!(
                "allows {most} numbers per genome, but there are {count}; try covariance: diagonal"
            )
        } else {
            return None;
        };
        Some(ParamError::new("evolution.replacement", message))
    }

    /// An error if pairing needs a hall of fame and there is none.
    fn missing_hall_of_fame(&self) -> Option<ParamError> {
        let needs = self.pairing.needs_hall_of_fame();
        (needs && self.hall_of_fame.size() == 0).then(|| {
            let message =
                "needs a hall of fame, but there is none; try hall_of_fame: hall(size: 100)";
            ParamError::new("pairing", message.to_owned())
        })
    }

    /// An error if fitness compares members by common opponents and pairing gives them none.
    fn missing_common_opponents(&self) -> Option<ParamError> {
        let is_missing =
            self.fitness.needs_common_opponents() && !self.pairing.has_common_opponents();
        let (fitness, pairing) = (self.fitness.name(), self.pairing.name());
        is_missing.then(|| {
            let message = format!(
                "is `{fitness}`, which needs opponents that all members meet, but pairing `{pairing}` has none; try pairing: round_robin"
            );
            ParamError::new("fitness", message)
        })
    }

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

    /// Whether the origins of members are recorded.
    pub fn has_lineages(&self) -> bool {
        self.replacement.has_lineages()
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
    fn breeding<'a>(
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
            offspring: self.population as usize,
            seed,
            generation,
        }
    }

    /// Why the number of members can't change during a run, if it can't.
    pub fn resize_problem(&self) -> Option<ParamError> {
        let (part, name) = if self.layout().is_some() {
            ("space", self.space.name())
        } else if !self.replacement.takes_new_size() {
            ("replacement", self.replacement.name())
        } else {
            return None;
        };
        let message = format!(
            "can't be changed during a run with {part} `{name}`, in which members have places"
        );
        Some(ParamError::new("population", message))
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

/// A population between two generations, with the hall of fame and the archive of earlier champions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Population {
    /// The genomes of the current generation.
    pub members: Vec<AnyGenome>,
    /// The players of the hall of fame; empty without one.
    pub hall_of_fame: Vec<HallOfFameEntry>,
    /// Champions of earlier generations.
    pub archive: Archive,
    /// The origin of each member; empty if origins are not recorded.
    #[serde(default)]
    pub origins: Vec<Origin>,
    /// The historical markings that new genes get; unused by genomes without them.
    #[serde(default, skip_serializing_if = "Innovations::is_unused")]
    pub innovations: Innovations,
    /// What the replacement remembers of earlier generations.
    #[serde(default, skip_serializing_if = "Memory::is_empty")]
    pub memory: Memory,
    /// The fitness that each survivor keeps whatever its games; `None` for members that are evaluated. Empty if all are.
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
        number_new_genes(&mut members, &mut innovations);
        Self {
            members,
            innovations,
            memory: Memory::default(),
            hall_of_fame: hall_of_fame::random(&config.hall_of_fame, genome, io_spec, seed),
            archive: Archive::default(),
            origins: Vec::new(),
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

    /// The games of a generation.
    pub fn pairings(&self, config: &EvolutionConfig, seed: u64, generation: u64) -> Vec<Pairing> {
        self.pairings_for(self.members.len(), config, seed, generation)
    }

    /// The games of a generation for the first `members` members, or for challengers in their place.
    pub fn pairings_for(
        &self,
        members: usize,
        config: &EvolutionConfig,
        seed: u64,
        generation: u64,
    ) -> Vec<Pairing> {
        let field = PairingContext {
            members,
            hall_of_fame: self.hall_of_fame.len(),
            neighborhoods: &config.neighborhoods(generation),
        };
        let mut rng = stream(seed, Purpose::Pairing, generation, 0);
        config.pairing.pairings(&field, &mut rng)
    }
}

/// Gives new genes of a generation's members their historical markings.
pub fn number_new_genes(members: &mut [AnyGenome], innovations: &mut Innovations) {
    let mut of_generation = innovations.of_generation();
    for member in members {
        member.number_new_genes(&mut of_generation);
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
    let survivors = config.replacement.survivors();
    config
        .breeding(pool, seed, generation)
        .challengers(survivors)
}

/// Calls `use_it` with the plan of the next generation, which makes its members one by one in any order.
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
