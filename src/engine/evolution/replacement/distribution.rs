//! Strategies that draw all members from a distribution of numbers, which they learn from their
//! fitness. Such a strategy says how it learns; what it needs as a replacement is here.
//!
//! The first members are random genomes. The mean of their fitter half is the first mean of every
//! strategy.

use std::cmp::Ordering;
use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::evolution::breeding::{Breeding, Offspring, ParentPool};
use crate::evolution::champion_index;
use crate::evolution::memory::Memory;
use crate::evolution::selection::ranking;
use crate::genomes::capabilities::Numbers;
use crate::genomes::mlp::noise::{Noise, Sampler};
use crate::genomes::{AnyGenome, GenomeConfig, IoSpec};
use crate::params::ParamError;
use crate::rng::Stream;

use super::{OffspringPlan, ParentChoice, Replacement, ReplacementTraits};

/// A distribution of numbers that genomes are drawn from.
pub(super) trait Distribution:
    Clone + Debug + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// The numbers of a genome, made of as many independent normal numbers with standard deviation
    /// 1.
    fn draw(&self, normal: &[f64]) -> Vec<f64>;

    /// Its lists of numbers, each with the length that it must have for genomes of `count` numbers.
    fn lists(&self, count: usize) -> Vec<(&[f64], usize)>;
}

/// The members of a generation as a strategy sees them.
pub(super) struct DrawnGeneration<'a> {
    /// The numbers of each member.
    pub(super) members: &'a [Vec<f64>],
    /// The fitness of each member.
    pub(super) fitness: &'a [f64],
}

/// How a distribution is learned.
pub(super) trait DistributionParams: Sync {
    /// What is learned.
    type Learned: Distribution;

    /// Whether members are drawn in pairs on opposite sides of the mean.
    const IS_MIRRORED: bool = false;

    /// Whether the last member is the mean of the distribution.
    fn keeps_mean(&self) -> bool;

    /// The distribution that the second generation is drawn from.
    fn first(&self, mean: Vec<f64>) -> Self::Learned;

    /// The next distribution, from the members drawn from the last.
    fn learn(&self, last: &Self::Learned, generation: &DrawnGeneration<'_>) -> Self::Learned;

    /// How many numbers a genome may have.
    fn most(&self) -> usize {
        usize::MAX
    }

    /// Generations after which the next numbers of a gradual refinement begin to vary; 0 if all
    /// vary from the beginning. The others are drawn as their mean, from which nothing is learned
    /// about them.
    fn refine_every(&self) -> u64 {
        0
    }
}

/// The numbers of all members.
fn numbers_of(pool: &ParentPool<'_>) -> Vec<Vec<f64>> {
    let genes = genes(pool.genome);
    let members = pool.members.iter().map(|member| genes.numbers(member));
    let numbers = members.map(|numbers| numbers.into_iter().map(f64::from).collect());
    numbers.collect()
}

/// How the numbers of genomes are read and set.
pub(super) fn genes(genome: &GenomeConfig) -> &dyn Numbers<AnyGenome> {
    let numbers = genome.capabilities().numbers;
    numbers.expect("a preset whose genomes are no numbers is refused")
}

/// The distribution after a generation.
fn learned<P: DistributionParams>(params: &P, pool: &ParentPool<'_>) -> P::Learned {
    let members = numbers_of(pool);
    let generation = |count: usize| DrawnGeneration {
        members: &members[..count],
        fitness: &pool.fitness[..count],
    };
    if let Some(last) = pool.memory.get::<P::Learned>() {
        let drawn = members.len() - usize::from(params.keeps_mean());
        return params.learn(last, &generation(drawn));
    }
    let generation = generation(members.len());
    let fitter = generation.fittest();
    let weight = 1.0 / fitter.len() as f64;
    let rows = fitter.iter().map(|&row| (weight, row));
    params.first(weighted_sum(rows, members[0].len()))
}

impl<P: DistributionParams> Replacement for P {
    fn plan<'a>(&'a self, breeding: &'a Breeding<'a>) -> Box<dyn OffspringPlan + 'a> {
        Box::new(DrawnPlan {
            distribution: breeding.pool.memory.of_this_generation::<P::Learned>(),
            is_mirrored: P::IS_MIRRORED,
            mean: (self.keeps_mean()).then(|| breeding.next_size - 1),
            fixed: fixed_numbers(breeding, self.refine_every()),
            breeding,
        })
    }

    /// The mean if it is a member. The members of the first generation are random.
    fn champion(&self, breeding: &Breeding<'_>) -> usize {
        let fitness = breeding.pool.fitness;
        if self.keeps_mean() && !breeding.pool.memory.is_empty() {
            return fitness.len() - 1;
        }
        champion_index(fitness)
    }

    fn remember(&self, breeding: &Breeding<'_>) -> Memory {
        Memory::new(learned(self, breeding.pool))
    }

    fn memory_error(
        &self,
        memory: &Memory,
        _population: usize,
        genome: &GenomeConfig,
        io_spec: &IoSpec,
    ) -> Option<String> {
        let saved: &P::Learned = match memory.readable() {
            Ok(saved) => saved,
            Err(error) => return Some(error),
        };
        let count = genome.number_count(io_spec);
        let is_whole = |&(list, length): &(&[f64], usize)| {
            list.len() == length && list.iter().all(|number| number.is_finite())
        };
        let message = || format!("its distribution is not one of {count} finite numbers");
        (!saved.lists(count).iter().all(is_whole)).then(message)
    }

    fn traits(&self) -> ReplacementTraits {
        ReplacementTraits {
            parent_choice: ParentChoice::Named,
            // All members belong to one distribution, which a genome from elsewhere does not.
            refuses_migrants: true,
            most_numbers: Some(self.most()),
            refine_every: self.refine_every(),
            ..ReplacementTraits::default()
        }
    }

    fn problems(&self, population: usize) -> Vec<ParamError> {
        let drawn = population - usize::from(self.keeps_mean() && population > 0);
        let message = if P::IS_MIRRORED && drawn % 2 == 1 {
            let kind = if self.keeps_mean() { "odd" } else { "even" };
            format!("needs an {kind} population, for pairs, but it is {population}")
        } else if population < 4 {
            format!("needs a population of 4 or more, but it is {population}")
        } else {
            return Vec::new();
        };
        vec![ParamError::new("", message)]
    }
}

/// The numbers of the next generation that do not vary yet.
fn fixed_numbers(breeding: &Breeding<'_>, refine_every: u64) -> Vec<usize> {
    let steps = if refine_every > 0 {
        let pool = breeding.pool;
        genes(pool.genome).refinement(&pool.members[0])
    } else {
        Vec::new()
    };
    let next = breeding.generation + 1;
    let is_fixed = |step: u32| u64::from(step).saturating_mul(refine_every) > next;
    let steps = steps.into_iter().enumerate();
    steps
        .filter_map(|(at, step)| is_fixed(step).then_some(at))
        .collect()
}

/// A plan whose offspring all come from a distribution.
struct DrawnPlan<'a, D> {
    breeding: &'a Breeding<'a>,
    distribution: &'a D,
    is_mirrored: bool,
    /// The place of the mean, if it is a member.
    mean: Option<usize>,
    /// The numbers that are drawn as their mean.
    fixed: Vec<usize>,
}

impl<D: Distribution> OffspringPlan for DrawnPlan<'_, D> {
    fn offspring(&self, place: usize, rng: &mut Stream) -> Offspring {
        // All members have the same shape.
        let pool = self.breeding.pool;
        let (mut genome, genes) = (pool.members[0].clone(), genes(pool.genome));
        let count = genes.numbers(&genome).len();
        let mut normal = if self.mean == Some(place) {
            vec![0.0; count]
        } else if self.is_mirrored {
            mirrored(place, count, |pair| self.breeding.couple_stream(pair))
        } else {
            normal_numbers(count, rng)
        };
        for &at in &self.fixed {
            normal[at] = 0.0;
        }
        let numbers = self.distribution.draw(&normal).into_iter();
        let numbers: Vec<f32> = numbers.map(|number| number as f32).collect();
        genes.set_numbers(&mut genome, &numbers);
        Offspring::drawn(genome)
    }
}

/// The normal numbers of a member of a pair: those of the other with the opposite sign.
fn mirrored(place: usize, count: usize, rng_of_pair: impl FnOnce(u64) -> Stream) -> Vec<f64> {
    let side = if place.is_multiple_of(2) { 1.0 } else { -1.0 };
    let normal = normal_numbers(count, &mut rng_of_pair(place as u64 / 2));
    normal.into_iter().map(|number| side * number).collect()
}

/// Independent normal numbers with standard deviation 1.
pub(super) fn normal_numbers(count: usize, rng: &mut Stream) -> Vec<f64> {
    let mut sampler = Sampler::new(Noise::Normal, 1.0);
    (0..count).map(|_| sampler.draw(rng)).collect()
}

/// The sum of rows of `count` numbers, each times a weight.
pub(super) fn weighted_sum<'a>(
    rows: impl Iterator<Item = (f64, &'a [f64])>,
    count: usize,
) -> Vec<f64> {
    let mut sum = vec![0.0; count];
    for (weight, row) in rows {
        for (sum, number) in sum.iter_mut().zip(row) {
            *sum += weight * number;
        }
    }
    sum
}

impl DrawnGeneration<'_> {
    /// The numbers of the fitter half, the fittest first.
    pub(super) fn fittest(&self) -> Vec<&[f64]> {
        let ranked = ranking(self.fitness).into_iter();
        let fittest = ranked.take(self.members.len() / 2);
        fittest.map(|member| &self.members[member][..]).collect()
    }

    /// The rank of each member, from 0 for the fittest; equally fit ones share the mean of theirs.
    pub(super) fn shared_ranks(&self) -> Vec<f64> {
        let mut ranks = vec![0.0; self.fitness.len()];
        let ranked = ranking(self.fitness);
        let equal = ranked.chunk_by(|&one, &other| {
            let order = self.fitness[one].partial_cmp(&self.fitness[other]);
            order == Some(Ordering::Equal)
        });
        let mut first = 0;
        for members in equal {
            let shared = first as f64 + (members.len() - 1) as f64 / 2.0;
            for &member in members {
                ranks[member] = shared;
            }
            first += members.len();
        }
        ranks
    }
}

/// Draws and learns for a number of generations, each with the fitness of its members; returns the
/// last distribution.
#[cfg(test)]
pub(super) fn tried<P: DistributionParams>(
    params: &P,
    first: P::Learned,
    [population, generations]: [usize; 2],
    fitness: impl Fn(&[f64]) -> f64,
) -> P::Learned {
    use crate::rng::{Purpose, stream};

    let mut learned = first;
    for generation in 0..generations as u64 {
        let draw = |place: usize| {
            let count = learned.lists(1)[0].0.len();
            let rng_of = |number| stream(1, Purpose::Reproduction, generation, number);
            learned.draw(&if P::IS_MIRRORED {
                mirrored(place, count, rng_of)
            } else {
                normal_numbers(count, &mut rng_of(place as u64))
            })
        };
        let members: Vec<Vec<f64>> = (0..population).map(draw).collect();
        let fitness: Vec<f64> = members.iter().map(|member| fitness(member)).collect();
        let generation = DrawnGeneration {
            members: &members,
            fitness: &fitness,
        };
        learned = params.learn(&learned, &generation);
    }
    learned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equally_fit_members_share_their_ranks() {
        let generation = DrawnGeneration {
            members: &[],
            fitness: &[2.0, 5.0, 2.0, -1.0, 2.0],
        };
        assert_eq!(generation.shared_ranks(), [2.0, 0.0, 2.0, 4.0, 2.0]);
    }
}
