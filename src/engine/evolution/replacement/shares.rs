//! Replacement by shares: the new population consists of elites, offspring of earlier champions,
//! offspring of random members, random immigrants, and offspring of selected parents (Kissling
//! 2025, §3.1.4).

use rand::RngExt;

use crate::evolution::breeding::{Breeding, Candidates, Offspring};
use crate::evolution::selection::ranking;
use crate::params::{ParamError, params};
use crate::rng::Stream;

use super::{OffspringPlan, Replacement, ReplacementTraits, below_population};

params! {
    /// The composition of the new population.
    pub struct Shares {
        /// Number of the fittest members that survive unchanged. Raise it when good champions get
        /// lost; it reduces diversity.
        live elites: u32 = 0, in 0.0..=100000.0, "members";
        /// Share of mutated copies of earlier champions. Raise it when wins against earlier
        /// champions fall, a sign of cycling strategies.
        live past_share: f64 = 0.0, in 0.0..=1.0, "share";
        /// Share of offspring whose first parent is drawn at random, regardless of fitness. Raise
        /// it against a local minimum.
        live random_share: f64 = 0.0, in 0.0..=1.0, "share";
        /// Share of random immigrants: new members with random genomes. Raise it against a local
        /// minimum, or when networks have grown too large.
        live immigrant_share: f64 = 0.0, in 0.0..=1.0, "share";
    }
}

impl Replacement for Shares {
    fn plan<'a>(&'a self, breeding: &'a Breeding<'a>) -> Box<dyn OffspringPlan + 'a> {
        Box::new(SharesPlan::new(self, breeding))
    }

    fn traits(&self) -> ReplacementTraits {
        ReplacementTraits {
            survivors: self.elites as usize,
            ..ReplacementTraits::default()
        }
    }

    fn problems(&self, population: usize) -> Vec<ParamError> {
        let elites = below_population("elites", self.elites, population);
        let sum = self.past_share + self.random_share + self.immigrant_share;
        let message =
            format!("together with random_share and immigrant_share must be at most 1, is {sum}");
        let shares = (sum > 1.0 + 1e-9).then(|| ParamError::new("past_share", message));
        elites.into_iter().chain(shares).collect()
    }
}

/// The end of each share in the new population.
struct SharesPlan<'a> {
    breeding: &'a Breeding<'a>,
    /// The elites, the fittest first.
    elites: Vec<usize>,
    past_end: usize,
    random_end: usize,
    new_end: usize,
    parents: Candidates,
}

impl<'a> SharesPlan<'a> {
    fn new(scheme: &Shares, breeding: &'a Breeding<'a>) -> Self {
        let pool = breeding.pool;
        let size = breeding.next_size;
        let mut elites = ranking(pool.fitness);
        elites.truncate((scheme.elites as usize).min(size - 1));
        let count = |share: f64| (share * size as f64).round() as usize;
        let past = if pool.archive.is_empty() {
            0
        } else {
            count(scheme.past_share)
        };
        let past_end = (elites.len() + past).min(size);
        let random_end = (past_end + count(scheme.random_share)).min(size);
        let new_end = (random_end + count(scheme.immigrant_share)).min(size);
        Self {
            breeding,
            elites,
            past_end,
            random_end,
            new_end,
            parents: breeding.everyone(),
        }
    }
}

impl OffspringPlan for SharesPlan<'_> {
    fn offspring(&self, place: usize, rng: &mut Stream) -> Offspring {
        let (breeding, pool) = (self.breeding, self.breeding.pool);
        if let Some(&elite) = self.elites.get(place) {
            return Offspring::copy(pool, elite);
        }
        if place < self.past_end {
            let past = pool.archive.champions();
            let champion = &past[rng.random_range(0..past.len())];
            return breeding.mutant_of_champion(place, champion, rng);
        }
        if place < self.random_end {
            let parent = rng.random_range(0..pool.members.len());
            let mate = |rng: &mut Stream| self.parents.select(place + 1, rng);
            return breeding.offspring_of(place, parent, &mate, rng);
        }
        if place < self.new_end {
            return Offspring::random(pool.genome.random(pool.io_spec, rng));
        }
        breeding.offspring(place, &self.parents, rng)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::evolution::archive::{Archive, Champion};
    use crate::evolution::breeding::ParentPool;
    use crate::evolution::crossover::none::NoCrossover;
    use crate::evolution::memory::Memory;
    use crate::evolution::mutation::plain::PlainMutation;
    use crate::evolution::phylogeny::Phylogeny;
    use crate::evolution::selection::power::Power;
    use crate::genomes::AnyGenome;
    use crate::genomes::graph::GraphConfig;
    use crate::genomes::{GenomeConfig, IoSpec};
    use crate::rng::{Purpose, stream};

    static IO_SPEC: LazyLock<IoSpec> = LazyLock::new(|| IoSpec::new(1, 1));

    /// How many of 100 offspring are copies of each of four members, of the archived champion, and
    /// of none of them.
    fn origins(scheme: &Shares, exponent: f64, fitness: [f64; 4]) -> [usize; 6] {
        let genome = GenomeConfig::Graph(GraphConfig {
            max_mutations: 0,
            ..GraphConfig::default()
        });
        let random =
            |index| genome.random(&IO_SPEC, &mut stream(1, Purpose::Initialization, 0, index));
        let mut members: Vec<AnyGenome> = Vec::new();
        let mut all_fitness = Vec::new();
        for (index, fitness) in fitness.iter().enumerate() {
            members.extend(std::iter::repeat_n(random(index as u64), 25));
            all_fitness.extend([*fitness; 25]);
        }
        let mut archive = Archive::default();
        archive.add(Champion {
            generation: 0,
            fitness: 1.0,
            genome: random(9),
        });
        let pool = ParentPool {
            members: &members,
            fitness: &all_fitness,
            archive: &archive,
            features: &[],
            phylogeny: &Phylogeny::default(),
            restart: None,
            neighborhoods: &[],
            replay: None,
            memory: &Memory::default(),
            training_sets: &[],
            genome: &genome,
            io_spec: &IO_SPEC,
        };
        let breeding = Breeding {
            pool: &pool,
            selection: &Power { exponent },
            crossover: &NoCrossover {},
            mutation: &PlainMutation::default(),
            next_size: pool.members.len(),
            seed: 1,
            generation: 0,
        };
        let plan = scheme.plan(&breeding);
        let mut counts = [0; 6];
        for place in 0..100 {
            let child = plan
                .offspring(
                    place,
                    &mut stream(2, Purpose::Reproduction, 0, place as u64),
                )
                .genome;
            let known = [0, 25, 50, 75]
                .iter()
                .position(|&index| members[index] == child);
            let origin = known.unwrap_or(if child == archive.champions()[0].genome {
                4
            } else {
                5
            });
            counts[origin] += 1;
        }
        counts
    }

    #[test]
    fn each_share_has_its_size() {
        let scheme = Shares {
            elites: 10,
            past_share: 0.2,
            immigrant_share: 0.3,
            ..Shares::default()
        };
        let counts = origins(&scheme, 1.0, [0.0, 0.0, 5.0, 0.0]);
        assert_eq!(
            counts,
            [0, 0, 50, 0, 20, 30],
            "elites and offspring of the fit, of the past, immigrants"
        );
    }

    #[test]
    fn parents_are_drawn_in_proportion_to_fitness_to_the_exponent() {
        let counts = origins(&Shares::default(), 1.0, [1.0, 3.0, 0.0, 0.0]);
        assert!(
            counts[2] == 0 && counts[3] == 0 && counts[1] > 60 && counts[0] > 10,
            "{counts:?}"
        );
        assert!(origins(&Shares::default(), 8.0, [1.0, 3.0, 0.0, 0.0])[1] >= 99);
    }

    #[test]
    fn random_parents_come_without_regard_to_fitness_and_so_do_all_where_nobody_wins() {
        let scheme = Shares {
            random_share: 1.0,
            ..Shares::default()
        };
        for counts in [
            origins(&scheme, 1.0, [1.0, 0.0, 0.0, 0.0]),
            origins(&Shares::default(), 1.0, [0.0; 4]),
        ] {
            assert!(counts[..4].iter().all(|&count| count > 10), "{counts:?}");
        }
    }
}
