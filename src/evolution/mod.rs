//! How a population comes from the one before it: who meets whom, what the results are worth, who has children. It knows
//! neither game nor agent nor arena: it is asked for pairings and told results.

use serde::{Deserialize, Serialize};

use crate::contest::{Pairing, Played};
use crate::genomes::{AnyGenome, GenomeConfig, Ports};
use crate::params::{Problem, params};
use crate::rng::{Purpose, stream};

use self::archive::Archive;
use self::breed::Origin;
use self::breed::taught::Taught;
use self::breed::{Breed, BreedingConfig, Challenger, Stock, with_breeding};
use self::fame::{FameConfig, Famer};
use self::fitness::{Fitness, FitnessConfig, with_fitness};
use self::pair::{Field, Pair, PairingConfig, with_pairing};
use self::space::{Layout, Space, SpaceConfig, with_space};

pub mod archive;
pub mod breed;
pub mod fame;
pub mod fitness;
pub mod pair;
pub mod space;

params! {
    /// The population, where it lives, and the three schemes that move it on.
    pub struct EvolutionConfig {
        /// How many members the population has.
        fixed population: u32 = 100, in 2.0..=100000.0, "members";
        /// Where members live, and so who is whose neighbor.
        part space: SpaceConfig = SpaceConfig::Nowhere(space::nowhere::Nowhere::default());
        /// Whether there are players of earlier generations that members may be measured against.
        part fame: FameConfig = FameConfig::Nobody(fame::Nobody::default());
        /// Who meets whom.
        part pairing: PairingConfig = PairingConfig::Circular(pair::circular::Circular::default());
        /// What results are worth.
        part fitness: FitnessConfig = FitnessConfig::Wins(fitness::wins::Wins::default());
        /// Who has children.
        part breeding: BreedingConfig = BreedingConfig::Shares(breed::shares::Shares::default());
    }
}

impl EvolutionConfig {
    /// Faults that no single setting shows.
    pub fn problems(&self) -> Vec<Problem> {
        let population = self.population as usize;
        let pairing = with_pairing!(&self.pairing, scheme => scheme.problems(population));
        let breeding = with_breeding!(&self.breeding, scheme => scheme.problems(population));
        let fitness = with_fitness!(&self.fitness, scheme => scheme.problems(population));
        let space = with_space!(&self.space, space => space.problems(population));
        let under = |part: &'static str| move |problem: Problem| problem.under(part);
        pairing
            .into_iter()
            .map(under("pairing"))
            .chain(breeding.into_iter().map(under("breeding")))
            .chain(fitness.into_iter().map(under("fitness")))
            .chain(space.into_iter().map(under("space")))
            .chain(self.homeless())
            .chain(self.fameless())
            .collect()
    }

    /// Schemes that work on neighborhoods though there are none.
    fn homeless(&self) -> Vec<Problem> {
        if self.layout().is_some() {
            return Vec::new();
        }
        let schemes = [
            (
                "pairing",
                with_pairing!(&self.pairing, scheme => scheme.needs_space()),
            ),
            (
                "breeding",
                with_breeding!(&self.breeding, scheme => scheme.needs_space()),
            ),
        ];
        let homeless = schemes.into_iter().filter(|&(_, needs)| needs);
        homeless
            .map(|(part, _)| {
                let message =
                    "works on neighborhoods, but `space` is `nowhere`; try torus(width: 10)";
                Problem::new(part, message.to_owned())
            })
            .collect()
    }

    /// A scheme that works on a hall of fame though there is none.
    fn fameless(&self) -> Option<Problem> {
        let needs = with_pairing!(&self.pairing, scheme => scheme.needs_fame());
        (needs && self.fame.size() == 0).then(|| {
            let message =
                "works on a hall of fame, but that has no players; try fame: hall(size: 100)";
            Problem::new("pairing", message.to_owned())
        })
    }

    /// The names of the reference players that members meet.
    pub fn references(&self) -> &[String] {
        with_pairing!(&self.pairing, scheme => scheme.references())
    }

    /// Whether it matters which members come from where.
    pub fn has_lineages(&self) -> bool {
        with_breeding!(&self.breeding, scheme => scheme.has_lineages())
    }

    /// How members are taught, if they are.
    pub fn teaching(&self) -> Option<&Taught> {
        with_breeding!(&self.breeding, scheme => scheme.teaching())
    }

    /// How the members are drawn, or none where their order means nothing.
    pub fn layout(&self) -> Option<Layout> {
        with_space!(&self.space, space => space.layout())
    }

    /// The neighbors of each member in a generation; empty where members live nowhere.
    pub fn neighborhoods(&self, generation: u64) -> Vec<Vec<u32>> {
        with_space!(&self.space, space => space.neighborhoods(self.population as usize, generation))
    }
}

/// A population between two generations, with the champions kept from earlier ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Population {
    pub members: Vec<AnyGenome>,
    pub hall: Vec<Famer>,
    pub archive: Archive,
    /// Where each member comes from; none are told where they do not matter.
    #[serde(default)]
    pub origins: Vec<Origin>,
}

impl Population {
    /// A population of brand-new members.
    pub fn random(
        config: &EvolutionConfig,
        genome: &GenomeConfig,
        ports: &Ports,
        seed: u64,
    ) -> Self {
        let member =
            |index: u32| genome.random(ports, &mut stream(seed, Purpose::Genesis, 0, index.into()));
        Self {
            members: (0..config.population).map(member).collect(),
            hall: fame::random(&config.fame, genome, ports, seed),
            archive: Archive::default(),
            origins: Vec::new(),
        }
    }

    /// Who meets whom in this generation.
    pub fn ask(&self, config: &EvolutionConfig, seed: u64, generation: u64) -> Vec<Pairing> {
        self.ask_for(self.members.len(), config, seed, generation)
    }

    /// Whom the first so many members meet, or others in their place.
    pub fn ask_for(
        &self,
        members: usize,
        config: &EvolutionConfig,
        seed: u64,
        generation: u64,
    ) -> Vec<Pairing> {
        let field = Field {
            members,
            famers: self.hall.len(),
            neighborhoods: &config.neighborhoods(generation),
        };
        let mut rng = stream(seed, Purpose::Pairing, generation, 0);
        with_pairing!(&config.pairing, scheme => scheme.pairings(&field, &mut rng))
    }
}

/// What results make each of so many players worth.
pub fn worth(
    config: &EvolutionConfig,
    pairings: &[Pairing],
    played: &[Played],
    players: usize,
) -> Vec<f64> {
    with_fitness!(&config.fitness, scheme => scheme.fitness(pairings, played, players))
}

/// Whether [`worth`] of all games is the sum of that of parts of them.
pub fn is_sum(config: &EvolutionConfig) -> bool {
    with_fitness!(&config.fitness, scheme => scheme.is_sum())
}

/// Genomes that are to be measured against members before the next generation is bred.
pub fn challengers(
    config: &EvolutionConfig,
    stock: &Stock<'_>,
    seed: u64,
    generation: u64,
) -> Vec<Challenger> {
    with_breeding!(&config.breeding, scheme => scheme.challengers(stock, seed, generation))
}

/// Makes the next generation's members, one by one in any order.
pub fn with_litter<R>(
    config: &EvolutionConfig,
    stock: &Stock<'_>,
    seed: u64,
    generation: u64,
    use_it: impl FnOnce(&dyn breed::Litter) -> R,
) -> R {
    with_breeding!(&config.breeding, scheme => use_it(scheme.litter(stock, seed, generation).as_ref()))
}

/// The place of the fittest member, the first of equals.
pub fn champion(fitness: &[f64]) -> usize {
    let better = |best: usize, index: usize| {
        if fitness[index] > fitness[best] {
            index
        } else {
            best
        }
    };
    (0..fitness.len()).reduce(better).unwrap_or(0)
}
