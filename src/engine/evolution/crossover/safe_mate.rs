//! Safe crossover: of several crosses of two members, the one is kept whose outputs differ least
//! from the fitter parent's in positions of its replay buffer. Lehman, Chen, Clune & Stanley (2018)
//! suggest that crossover can be made safe like mutation, and Thien (2018) proposes it.

use rand::RngExt;

use crate::evolution::breeding::ParentPool;
use crate::evolution::divergence::{Divergence, ReferenceOutputs, ReplayedGames, least_divergent};
use crate::genomes::AnyGenome;
use crate::params::params;
use crate::rng::Stream;

use super::{Crossover, Mate};

params! {
    /// Of several crosses of two members, the one that plays most like the fitter parent.
    pub struct SafeMate {
        /// Probability that an offspring has two parents instead of one.
        live rate: f64 = 0.75, in 0.0..=1.0, "chance";
        /// Whether crossover offspring are mutated too.
        live mutate_crossovers: bool = true;
        /// Crosses tried per offspring, or pairs of crosses where two offspring are made together.
        /// The one whose outputs differ least from the fitter parent's, in positions from a game of
        /// that parent, is kept; of a pair, the second cross is compared with the other parent, and
        /// the sum counts. 1 turns safe crossover off.
        live tries: u32 = 5, in 1.0..=1000.0, "crosses";
        /// How far the outputs of a cross are from its parent's.
        live divergence: Divergence = Divergence::Squares;
        /// From which of its games a parent's positions are taken.
        live games: ReplayedGames = ReplayedGames::First;
    }
}

impl SafeMate {
    /// The outputs of a parent in positions of its games; `None` if safe crossover is off.
    fn outputs<'a>(&self, pool: &'a ParentPool<'a>, parent: usize) -> Option<ReferenceOutputs<'a>> {
        let replay = pool.replay.filter(|_| self.tries > 1)?;
        let replay = replay(parent, self.games);
        Some(ReferenceOutputs::new(pool, replay, &pool.members[parent]))
    }
}

impl Crossover for SafeMate {
    fn mate(&self, rng: &mut Stream) -> Mate {
        if rng.random_bool(self.rate) {
            Mate::Member
        } else {
            Mate::None
        }
    }

    fn cross(&self, pool: &ParentPool<'_>, parents: [usize; 2], rng: &mut Stream) -> AnyGenome {
        let mut cross = || pool.cross(parents, rng);
        let Some(outputs) = self.outputs(pool, fitter(pool, parents)) else {
            return cross();
        };
        let divergence = |cross: &AnyGenome| outputs.divergence(cross, self.divergence);
        least_divergent(self.tries, cross, divergence)
    }

    fn cross_both(
        &self,
        pool: &ParentPool<'_>,
        parents: [usize; 2],
        rng: &mut Stream,
    ) -> [AnyGenome; 2] {
        let genomes = parents.map(|parent| &pool.members[parent]);
        let mut both = || pool.genome.crossover_both(genomes, rng);
        let [Some(fitter), Some(other)] = parents.map(|parent| self.outputs(pool, parent)) else {
            return both();
        };
        let divergence = |[first, second]: &[AnyGenome; 2]| {
            fitter.divergence(first, self.divergence) + other.divergence(second, self.divergence)
        };
        least_divergent(self.tries, both, divergence)
    }

    fn replayed_games(&self) -> Option<ReplayedGames> {
        (self.tries > 1).then_some(self.games)
    }

    fn is_mutated(&self) -> bool {
        self.mutate_crossovers
    }
}

/// The fitter of two parents, the first in a tie.
fn fitter(pool: &ParentPool<'_>, [one, other]: [usize; 2]) -> usize {
    if pool.fitness[other] > pool.fitness[one] {
        other
    } else {
        one
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::evolution::archive::Archive;
    use crate::evolution::crossover::mate::MateCrossover;
    use crate::evolution::memory::Memory;
    use crate::evolution::phylogeny::Phylogeny;
    use crate::genomes::replay::ReplayBuffer;
    use crate::genomes::{GenomeConfig, IoSpec};
    use crate::rng::{Purpose, stream};

    /// Calls `use_it` with a pool of two members and a replay buffer of different positions for
    /// each.
    fn with_pool(genome: &GenomeConfig, fitness: &[f64; 2], use_it: impl FnOnce(&ParentPool<'_>)) {
        let io_spec = IoSpec::new(8, 1);
        let mut rng = stream(6, Purpose::Initialization, 0, 0);
        let members = [(); 2].map(|()| {
            let mut member = genome.random(&io_spec, &mut rng);
            for _ in 0..20 {
                genome.mutate(&mut member, &mut rng);
            }
            member
        });
        let buffers = [(); 2].map(|()| {
            let mut buffer = ReplayBuffer::default();
            for _ in 0..20 {
                let row: Vec<f32> = (0..8).map(|_| rng.random_range(-1..=1) as f32).collect();
                buffer.push(&row);
            }
            Arc::new(buffer)
        });
        use_it(&ParentPool {
            members: &members,
            fitness,
            archive: &Archive::default(),
            features: &[],
            phylogeny: &Phylogeny::default(),
            restart: None,
            neighborhoods: &[],
            memory: &Memory::default(),
            training_sets: &[],
            replay: Some(&|member, _| Arc::clone(&buffers[member])),
            genome,
            io_spec: &io_spec,
        });
    }

    fn safe(tries: u32) -> SafeMate {
        SafeMate {
            tries,
            ..SafeMate::default()
        }
    }

    fn rng(index: u64) -> Stream {
        stream(7, Purpose::Reproduction, 0, index)
    }

    /// The divergence of a genome from a member in the positions of that member.
    fn divergence(pool: &ParentPool<'_>, member: usize, genome: &AnyGenome) -> f64 {
        let outputs = safe(2).outputs(pool, member).expect("safe crossover is on");
        outputs.divergence(genome, Divergence::Squares)
    }

    /// The mean of 50 numbers.
    fn mean(number: impl Fn(u64) -> f64) -> f64 {
        (0..50).map(number).sum::<f64>() / 50.0
    }

    #[test]
    fn the_more_crosses_are_tried_the_less_one_differs_from_the_fitter_parent() {
        for name in ["mlp", "graph", "bits"] {
            let genome = GenomeConfig::named(name).expect("it is registered");
            for (fitness, fitter) in [([2.0, 1.0], 0), ([1.0, 2.0], 1), ([1.0, 1.0], 0)] {
                with_pool(&genome, &fitness, |pool| {
                    let from = |member: usize, tries: u32| {
                        mean(|index| {
                            let cross = safe(tries).cross(pool, [0, 1], &mut rng(index));
                            divergence(pool, member, &cross)
                        })
                    };
                    let [one, five, twenty] = [1, 5, 20].map(|tries| from(fitter, tries));
                    assert!(
                        one > 1.05 * five && five >= twenty,
                        "{name} {fitness:?}: {one} {five} {twenty}"
                    );
                });
            }
        }
    }

    #[test]
    fn a_pair_is_chosen_together_and_stays_reciprocal() {
        let mut genome = GenomeConfig::named("mlp").expect("it is registered");
        let GenomeConfig::Mlp(config) = &mut genome else {
            unreachable!("it is called mlp");
        };
        config.crossover = crate::genomes::mlp::MlpCrossover::Section;
        with_pool(&genome, &[2.0, 1.0], |pool| {
            let pair =
                |tries: u32, index: u64| safe(tries).cross_both(pool, [0, 1], &mut rng(index));
            let sum = |tries: u32| {
                mean(|index| {
                    let [first, second] = pair(tries, index);
                    divergence(pool, 0, &first) + divergence(pool, 1, &second)
                })
            };
            let [one, five, twenty] = [1, 5, 20].map(sum);
            assert!(
                one > 1.5 * five && five > 1.2 * twenty,
                "{one} {five} {twenty}"
            );
            // Every pair holds all genes of both parents: it was made by one crossover.
            let total = |genomes: &[AnyGenome; 2]| {
                let genes = pool.genome.capabilities().numbers;
                let genes = genes.expect("weights are numbers");
                let weights = genomes.iter().flat_map(|genome| genes.numbers(genome));
                weights.map(f64::from).sum::<f64>()
            };
            let members = [0, 1].map(|member: usize| pool.members[member].clone());
            for index in 0..50 {
                assert!((total(&pair(5, index)) - total(&members)).abs() < 1e-9);
            }
        });
    }

    #[test]
    fn one_try_is_a_plain_crossover_with_the_same_random_numbers() {
        let genome = GenomeConfig::named("mlp").expect("it is registered");
        with_pool(&genome, &[1.0, 2.0], |pool| {
            let (plain, off) = (MateCrossover::default(), safe(1));
            assert_eq!(off.replayed_games(), None);
            assert_eq!(safe(2).replayed_games(), Some(ReplayedGames::First));
            for index in 0..20 {
                let one = off.cross(pool, [0, 1], &mut rng(index));
                assert_eq!(one, plain.cross(pool, [0, 1], &mut rng(index)));
                let both = off.cross_both(pool, [0, 1], &mut rng(index));
                assert_eq!(both, plain.cross_both(pool, [0, 1], &mut rng(index)));
                let mate = off.mate(&mut rng(index));
                assert_eq!(mate, plain.mate(&mut rng(index)));
            }
        });
    }
}
