//! Strategies that draw all members from a distribution of numbers, which they learn from their
//! fitness. Such a strategy says how it learns; what it needs as a replacement is here.
//!
//! The first members are random genomes. The mean of their fitter half is the first mean of every
//! strategy.

use std::cmp::Ordering;
use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

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

    /// Its lists of numbers, each with the length that it must have for genomes of which `count`
    /// numbers vary.
    fn lists(&self, count: usize) -> Vec<(&[f64], usize)>;

    /// Which numbers of a genome vary.
    fn varying(&self) -> &Varying {
        &Varying(None)
    }
}

/// The numbers of a genome that vary by their places, in ascending order; `None` if all do. The
/// others are those of the first member, and the same in all unless offspring learn them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Varying(Option<Vec<u32>>);

/// How much of a genome a strategy varies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// Generations after which the next numbers of a gradual refinement begin to vary; 0 if all
    /// vary from the beginning. The others are drawn as their mean, from which nothing is learned
    /// about them.
    pub(super) refine_every: u64,
    /// The last step of the refinement. What would begin to vary later never does.
    pub(super) refine_steps: u32,
    /// Whether numbers that are 0 in all members at first stay 0.
    pub(super) is_sparse: bool,
}

/// All numbers from the beginning.
pub(super) const WHOLE: Extent = Extent {
    refine_every: 0,
    refine_steps: MOST_STEPS,
    is_sparse: false,
};

/// The most steps of a refinement.
pub(super) const MOST_STEPS: u32 = 9;

/// The members of a generation as a strategy sees them.
pub(super) struct DrawnGeneration<'a> {
    /// The numbers of each member.
    pub(super) members: &'a [Vec<f64>],
    /// The fitness of each member.
    pub(super) fitness: &'a [f64],
    /// How many numbers a genome has, with those that do not vary.
    pub(super) count: usize,
}

/// How a distribution is learned.
pub(super) trait DistributionParams: Sync {
    /// What is learned.
    type Learned: Distribution;

    /// Whether members are drawn in pairs on opposite sides of the mean.
    const IS_MIRRORED: bool = false;

    /// Whether the last member is the mean of the distribution.
    fn keeps_mean(&self) -> bool;

    /// The distribution that the second generation is drawn from, around the mean of the numbers
    /// that vary.
    fn first(&self, mean: Vec<f64>, varying: Varying) -> Self::Learned;

    /// The next distribution, from the members drawn from the last.
    fn learn(&self, last: &Self::Learned, generation: &DrawnGeneration<'_>) -> Self::Learned;

    /// How many numbers a genome may have.
    fn most(&self) -> usize {
        usize::MAX
    }

    /// How much of a genome varies.
    fn extent(&self) -> Extent {
        WHOLE
    }
}

impl Extent {
    /// The parameter that asks for a refinement, if one does.
    fn refined_by(self) -> Option<&'static str> {
        let by_time = (self.refine_every > 0).then_some("refine_every");
        let by_steps = (self.refine_steps < MOST_STEPS).then_some("refine_steps");
        by_time.or(by_steps)
    }
}

impl Varying {
    /// Those of the first generation.
    fn of(pool: &ParentPool<'_>, extent: Extent) -> Self {
        let is_whole = extent.refine_steps == MOST_STEPS && !extent.is_sparse;
        if is_whole {
            return Self(None);
        }
        let genes = genes(pool.genome);
        let count = genes.numbers(&pool.members[0]).len();
        let mut varies = vec![!extent.is_sparse; count];
        if extent.is_sparse {
            for member in pool.members {
                let numbers = genes.numbers(member).into_iter();
                let pairs = varies.iter_mut().zip(numbers);
                pairs.for_each(|(varies, number)| *varies |= number != 0.0);
            }
        }
        let steps = genes.refinement(&pool.members[0]).into_iter();
        let pairs = varies.iter_mut().zip(steps);
        pairs.for_each(|(varies, step)| *varies &= step <= extent.refine_steps);
        let places = (0..).zip(varies).filter(|(_, varies)| *varies);
        Self(Some(places.map(|(place, _)| place).collect()))
    }

    /// Those of a list with all numbers of a genome.
    fn select<T: Copy>(&self, all: Vec<T>) -> Vec<T> {
        match &self.0 {
            None => all,
            Some(places) => places.iter().map(|&place| all[place as usize]).collect(),
        }
    }

    /// All numbers of a genome, those that vary from a list of their own.
    fn insert<T: Copy>(&self, mut all: Vec<T>, own: Vec<T>) -> Vec<T> {
        let Some(places) = &self.0 else {
            return own;
        };
        let pairs = places.iter().zip(own);
        pairs.for_each(|(&place, number)| all[place as usize] = number);
        all
    }

    /// How many numbers of a genome with so many vary; `None` if it has not all of them.
    fn of_genome(&self, count: usize) -> Option<usize> {
        let Some(places) = &self.0 else {
            return Some(count);
        };
        let is_sound = places.is_sorted_by(|one, next| one < next)
            && places.last().is_none_or(|&last| (last as usize) < count);
        is_sound.then_some(places.len())
    }

    /// Whether all numbers vary.
    pub(super) fn is_whole(&self) -> bool {
        self.0.is_none()
    }
}

/// The numbers of all members that vary, and how many each member has with the others.
fn numbers_of(pool: &ParentPool<'_>, varying: &Varying) -> (Vec<Vec<f64>>, usize) {
    let (genes, mut count) = (genes(pool.genome), 0);
    let members = pool.members.iter().map(|member| {
        let all = genes.numbers(member);
        count = all.len();
        varying.select(all).into_iter().map(f64::from).collect()
    });
    (members.collect(), count)
}

/// How the numbers of genomes are read and set.
pub(super) fn genes(genome: &GenomeConfig) -> &dyn Numbers<AnyGenome> {
    let numbers = genome.capabilities().numbers;
    numbers.expect("a preset whose genomes are no numbers is refused")
}

/// The distribution after a generation.
fn learned<P: DistributionParams>(params: &P, pool: &ParentPool<'_>) -> P::Learned {
    if let Some(last) = pool.memory.get::<P::Learned>() {
        let (members, count) = numbers_of(pool, last.varying());
        let drawn = members.len() - usize::from(params.keeps_mean());
        let generation = DrawnGeneration {
            members: &members[..drawn],
            fitness: &pool.fitness[..drawn],
            count,
        };
        return params.learn(last, &generation);
    }
    let varying = Varying::of(pool, params.extent());
    let (members, count) = numbers_of(pool, &varying);
    let generation = DrawnGeneration {
        members: &members,
        fitness: pool.fitness,
        count,
    };
    let fitter = generation.fittest();
    let weight = 1.0 / fitter.len() as f64;
    let rows = fitter.iter().map(|&row| (weight, row));
    params.first(weighted_sum(rows, members[0].len()), varying)
}

impl<P: DistributionParams> Replacement for P {
    fn plan<'a>(&'a self, breeding: &'a Breeding<'a>) -> Box<dyn OffspringPlan + 'a> {
        Box::new(DrawnPlan {
            distribution: breeding.pool.memory.of_this_generation::<P::Learned>(),
            is_mirrored: P::IS_MIRRORED,
            mean: (self.keeps_mean()).then(|| breeding.next_size - 1),
            fixed: fixed_numbers(breeding, self.extent().refine_every),
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
        let varying = saved.varying().of_genome(count);
        let is_sound = varying.is_some_and(|count| saved.lists(count).iter().all(is_whole));
        let message = || format!("its distribution is not one of {count} finite numbers");
        (!is_sound).then(message)
    }

    fn traits(&self) -> ReplacementTraits {
        ReplacementTraits {
            parent_choice: ParentChoice::Named,
            // All members belong to one distribution, which a genome from elsewhere does not.
            refuses_migrants: true,
            most_numbers: Some(self.most()),
            refined_by: self.extent().refined_by(),
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
        let all = genes.numbers(&genome);
        let (count, varying) = (all.len(), self.distribution.varying());
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
        let drawn = self.distribution.draw(&varying.select(normal)).into_iter();
        let drawn = drawn.map(|number| number as f32).collect();
        genes.set_numbers(&mut genome, &varying.insert(all, drawn));
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
            count: members[0].len(),
        };
        learned = params.learn(&learned, &generation);
    }
    learned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_that_no_genome_has_are_refused() {
        let count = |places: Option<&[u32]>| Varying(places.map(<[u32]>::to_vec)).of_genome(10);
        assert_eq!([None, Some(&[0, 9][..])].map(count), [Some(10), Some(2)]);
        assert_eq!(
            [&[5, 5][..], &[2, 1], &[3, 10]].map(|it| count(Some(it))),
            [None; 3]
        );
    }

    #[test]
    fn equally_fit_members_share_their_ranks() {
        let generation = DrawnGeneration {
            members: &[],
            fitness: &[2.0, 5.0, 2.0, -1.0, 2.0],
            count: 0,
        };
        assert_eq!(generation.shared_ranks(), [2.0, 0.0, 2.0, 4.0, 2.0]);
    }
}
