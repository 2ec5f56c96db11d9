//! The evolutionary algorithm: pairing, fitness and reproduction of a population. It does not depend on games, agents or the
//! arena: it returns pairings and takes game results.

use serde::{Deserialize, Serialize};

use crate::contest::{GameResult, Pairing};
use crate::genomes::{AnyGenome, GenomeConfig, IoSpec};
use crate::params::{ParamError, params};
use crate::rng::{Purpose, stream};

use self::archive::Archive;
use self::fitness::{Fitness, FitnessConfig, with_fitness};
use self::hall_of_fame::{HallOfFameConfig, HallOfFameEntry};
use self::pairing::{PairingConfig, PairingContext, PairingScheme, with_pairing};
use self::reproduction::Origin;
use self::reproduction::supervised::Supervised;
use self::reproduction::{
    Challenger, ParentPool, Reproduction, ReproductionConfig, with_reproduction,
};
use self::space::{Space, SpaceConfig, SpaceLayout, with_space};

pub mod archive;
pub mod fitness;
pub mod hall_of_fame;
pub mod pairing;
pub mod reproduction;
pub mod space;

params! {
    /// The population, its space, its hall of fame, and its schemes of pairing, fitness and reproduction.
    pub struct EvolutionConfig {
        /// Number of members in the population.
        fixed population: u32 = 100, in 2.0..=100000.0, "members";
        /// The spatial structure, which defines the neighbors of each member.
        part space: SpaceConfig = SpaceConfig::Panmictic(space::panmictic::Panmictic::default());
        /// Players of earlier generations that members can be paired with.
        part hall_of_fame: HallOfFameConfig = HallOfFameConfig::None(hall_of_fame::NoHallOfFame::default());
        /// Which players are paired in each generation.
        part pairing: PairingConfig = PairingConfig::Circular(pairing::circular::Circular::default());
        /// How game results become fitness.
        part fitness: FitnessConfig = FitnessConfig::Wins(fitness::wins::Wins::default());
        /// How the next generation is made.
        part reproduction: ReproductionConfig = ReproductionConfig::Shares(reproduction::shares::Shares::default());
    }
}

impl EvolutionConfig {
    /// All errors, including parameters that do not fit together.
    pub fn problems(&self) -> Vec<ParamError> {
        let population = self.population as usize;
        let pairing = with_pairing!(&self.pairing, scheme => scheme.problems(population));
        let reproduction =
            with_reproduction!(&self.reproduction, scheme => scheme.problems(population));
        let fitness = with_fitness!(&self.fitness, scheme => scheme.problems(population));
        let space = with_space!(&self.space, space => space.problems(population));
        let under = |part: &'static str| move |problem: ParamError| problem.under(part);
        pairing
            .into_iter()
            .map(under("pairing"))
            .chain(reproduction.into_iter().map(under("reproduction")))
            .chain(fitness.into_iter().map(under("fitness")))
            .chain(space.into_iter().map(under("space")))
            .chain(self.missing_space())
            .chain(self.missing_hall_of_fame())
            .collect()
    }

    /// Errors for schemes that need neighborhoods when there is no space.
    fn missing_space(&self) -> Vec<ParamError> {
        if self.layout().is_some() {
            return Vec::new();
        }
        let schemes = [
            (
                "pairing",
                with_pairing!(&self.pairing, scheme => scheme.needs_space()),
            ),
            (
                "reproduction",
                with_reproduction!(&self.reproduction, scheme => scheme.needs_space()),
            ),
        ];
        let missing = schemes.into_iter().filter(|&(_, needs)| needs);
        missing
            .map(|(part, _)| {
                let message =
                    "needs neighborhoods, but `space` is `panmictic`; try space: torus(width: 10)";
                ParamError::new(part, message.to_owned())
            })
            .collect()
    }

    /// An error if pairing needs a hall of fame and there is none.
    fn missing_hall_of_fame(&self) -> Option<ParamError> {
        let needs = with_pairing!(&self.pairing, scheme => scheme.needs_hall_of_fame());
        (needs && self.hall_of_fame.size() == 0).then(|| {
            let message =
                "needs a hall of fame, but there is none; try hall_of_fame: hall(size: 100)";
            ParamError::new("pairing", message.to_owned())
        })
    }

    /// The names of the reference players in the pairings.
    pub fn references(&self) -> &[String] {
        with_pairing!(&self.pairing, scheme => scheme.references())
    }

    /// Whether the origins of members are recorded.
    pub fn has_lineages(&self) -> bool {
        with_reproduction!(&self.reproduction, scheme => scheme.has_lineages())
    }

    /// The supervised training, if reproduction is supervised.
    pub fn supervision(&self) -> Option<&Supervised> {
        with_reproduction!(&self.reproduction, scheme => scheme.supervision())
    }

    /// The layout of the population on a map, or `None` if it has no spatial structure.
    pub fn layout(&self) -> Option<SpaceLayout> {
        with_space!(&self.space, space => space.layout())
    }

    /// The neighbors of each member in a generation; empty if the population is panmictic.
    pub fn neighborhoods(&self, generation: u64) -> Vec<Vec<u32>> {
        with_space!(&self.space, space => space.neighborhoods(self.population as usize, generation))
    }
}

/// A population between two generations, with the hall of fame and the archive of earlier champions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Population {
    pub members: Vec<AnyGenome>,
    pub hall_of_fame: Vec<HallOfFameEntry>,
    pub archive: Archive,
    /// The origin of each member; empty if origins are not recorded.
    #[serde(default)]
    pub origins: Vec<Origin>,
}

impl Population {
    /// A population of random members.
    pub fn random(
        config: &EvolutionConfig,
        genome: &GenomeConfig,
        ports: &IoSpec,
        seed: u64,
    ) -> Self {
        let member = |index: u32| {
            genome.random(
                ports,
                &mut stream(seed, Purpose::Initialization, 0, index.into()),
            )
        };
        Self {
            members: (0..config.population).map(member).collect(),
            hall_of_fame: hall_of_fame::random(&config.hall_of_fame, genome, ports, seed),
            archive: Archive::default(),
            origins: Vec::new(),
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
        with_pairing!(&config.pairing, scheme => scheme.pairings(&field, &mut rng))
    }
}

/// The fitness of each of `players` players, from the results in the order of the pairings.
pub fn fitness_of(
    config: &EvolutionConfig,
    pairings: &[Pairing],
    played: &[GameResult],
    players: usize,
) -> Vec<f64> {
    with_fitness!(&config.fitness, scheme => scheme.fitness(pairings, played, players))
}

/// Whether [`fitness_of`] all games is the sum over any partition of them.
pub fn is_additive(config: &EvolutionConfig) -> bool {
    with_fitness!(&config.fitness, scheme => scheme.is_additive())
}

/// Genomes to be evaluated against members before reproduction.
pub fn challengers(
    config: &EvolutionConfig,
    pool: &ParentPool<'_>,
    seed: u64,
    generation: u64,
) -> Vec<Challenger> {
    with_reproduction!(&config.reproduction, scheme => scheme.challengers(pool, seed, generation))
}

/// Calls `use_it` with the plan of the next generation, which makes its members one by one in any order.
pub fn with_offspring_plan<R>(
    config: &EvolutionConfig,
    pool: &ParentPool<'_>,
    seed: u64,
    generation: u64,
    use_it: impl FnOnce(&dyn reproduction::OffspringPlan) -> R,
) -> R {
    with_reproduction!(&config.reproduction, scheme => use_it(scheme.plan(pool, seed, generation).as_ref()))
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
