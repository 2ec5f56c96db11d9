//! The podium: the five fittest survive, and the others are replaced by their offspring according to a fixed plan. Crossovers of
//! the first three come in reciprocal pairs (Thien 2018, "Crossover Strategy").

use crate::genomes::AnyGenome;
use crate::params::{ParamError, params};
use crate::rng::{Purpose, Stream, stream};

use super::{Offspring, OffspringPlan, Origin, ParentPool, Reproduction, ranking};

/// The five fittest and their ten offspring.
const PLACES: usize = 15;

/// The member of the next generation in a slot; ranks count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PodiumSlot {
    Stay(usize),
    /// One of the two crosses of a couple, by the numbers of the couple and the cross.
    Cross(usize, usize),
    Vary(usize),
}

/// The ranks of the crossover parents, the fitter first.
const COUPLES: [[usize; 2]; 2] = [[0, 1], [1, 2]];

const PLAN: [PodiumSlot; PLACES] = [
    PodiumSlot::Stay(0),
    PodiumSlot::Stay(1),
    PodiumSlot::Stay(2),
    PodiumSlot::Stay(3),
    PodiumSlot::Stay(4),
    PodiumSlot::Cross(0, 0),
    PodiumSlot::Cross(0, 1),
    PodiumSlot::Vary(0),
    PodiumSlot::Vary(1),
    PodiumSlot::Cross(1, 0),
    PodiumSlot::Cross(1, 1),
    PodiumSlot::Vary(1),
    PodiumSlot::Vary(2),
    PodiumSlot::Vary(3),
    PodiumSlot::Vary(4),
];

params! {
    /// The five fittest of 15 survive and have ten offspring.
    pub struct Podium {
        /// Whether crossover offspring are mutated too, as in the publication.
        live mutate_crossovers: bool = true;
    }
}

impl Reproduction for Podium {
    fn plan<'a>(
        &'a self,
        pool: &'a ParentPool<'a>,
        seed: u64,
        generation: u64,
    ) -> Box<dyn OffspringPlan + 'a> {
        let ranked = ranking(pool.fitness);
        let cross = |number: usize| {
            let parents = COUPLES[number].map(|rank| &pool.members[ranked[rank]]);
            let mut rng = stream(seed, Purpose::PairedCrossover, generation, number as u64);
            pool.genome.crossover_both(parents, &mut rng)
        };
        Box::new(PodiumPlan {
            mutate_crossovers: self.mutate_crossovers,
            crosses: [cross(0), cross(1)],
            ranked,
            pool,
        })
    }

    fn has_lineages(&self) -> bool {
        true
    }

    fn problems(&self, population: usize) -> Vec<ParamError> {
        let message = format!("needs a population of {PLACES}, but the population is {population}");
        (population != PLACES)
            .then(|| ParamError::new("", message))
            .into_iter()
            .collect()
    }
}

struct PodiumPlan<'a> {
    mutate_crossovers: bool,
    /// The two crosses of each couple.
    crosses: [[AnyGenome; 2]; 2],
    /// Places of the members, the fittest first.
    ranked: Vec<usize>,
    pool: &'a ParentPool<'a>,
}

impl OffspringPlan for PodiumPlan<'_> {
    fn offspring(&self, place: usize, rng: &mut Stream) -> Offspring {
        let pool = self.pool;
        match PLAN[place] {
            PodiumSlot::Stay(rank) => Offspring::copy(pool, self.ranked[rank]),
            PodiumSlot::Vary(rank) => Offspring::by_mutation(pool, self.ranked[rank], rng),
            PodiumSlot::Cross(couple, number) => {
                let mut genome = self.crosses[couple][number].clone();
                if self.mutate_crossovers {
                    // The first of a pair has most of the fitter parent, the second most of the other.
                    let parent = self.ranked[COUPLES[couple][number]];
                    pool.mutate(&mut genome, parent, rng);
                }
                Offspring {
                    genome,
                    origin: Origin::Crossover,
                    copy_of: None,
                }
            }
        }
    }
}
