//! The podium: the five fittest survive, and the others are replaced by their offspring according
//! to a fixed plan. Crossovers of the first three come in reciprocal pairs (Thien 2018, "Crossover
//! Strategy").

use rand::RngExt;
use rand::seq::SliceRandom;

use crate::evolution::breeding::{Breeding, Cross, Offspring};
use crate::params::{ParamError, choices, params};
use crate::rng::Stream;

use super::{OffspringPlan, ParentChoice, Replacement, ReplacementTraits};

/// The members that survive.
const SURVIVORS: usize = 5;

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

choices! {
    /// Which of two equally fit parents of a crossover counts as the fitter.
    pub enum EqualParents {
        /// The one that is listed first; survivors stand before offspring.
        First = "first",
        /// One drawn at random.
        Drawn = "drawn",
    }
}

choices! {
    /// The order of members of equal fitness, from which the champion, the survivors and the
    /// parents are taken.
    pub enum EqualScores {
        /// Survivors before offspring.
        SurvivorsFirst = "survivors_first",
        /// Drawn at random in each generation.
        Drawn = "drawn",
        /// Offspring before survivors.
        OffspringFirst = "offspring_first",
    }
}

params! {
    /// The five fittest of 15 survive and have ten offspring.
    pub struct Podium {
        /// Which of two equally fit parents of a crossover counts as the fitter.
        live equals: EqualParents = EqualParents::First;
        /// The order of members of equal fitness, from which the champion, the survivors and the
        /// parents are taken.
        live ties: EqualScores = EqualScores::SurvivorsFirst;
    }
}

impl Podium {
    /// The indices of the members, the fittest first.
    fn ranked(&self, breeding: &Breeding<'_>) -> Vec<usize> {
        let fitness = breeding.pool.fitness;
        let mut order: Vec<usize> = (0..fitness.len()).collect();
        match self.ties {
            EqualScores::SurvivorsFirst => {}
            EqualScores::Drawn => order.shuffle(&mut breeding.couple_stream(u64::MAX)),
            EqualScores::OffspringFirst => order.rotate_left(SURVIVORS),
        }
        order.sort_by(|&one, &other| fitness[other].total_cmp(&fitness[one]));
        order
    }

    /// The members of a couple, the fitter first.
    fn couple(&self, number: usize, ranked: &[usize], breeding: &Breeding<'_>) -> [usize; 2] {
        let mut couple = COUPLES[number].map(|rank| ranked[rank]);
        let [one, other] = couple.map(|member| breeding.pool.fitness[member]);
        let is_drawn = self.equals == EqualParents::Drawn && one.total_cmp(&other).is_eq();
        if is_drawn && breeding.couple_stream(number as u64).random() {
            couple.reverse();
        }
        couple
    }
}

impl Replacement for Podium {
    fn plan<'a>(&'a self, breeding: &'a Breeding<'a>) -> Box<dyn OffspringPlan + 'a> {
        let ranked = self.ranked(breeding);
        let couples = [0, 1].map(|number| self.couple(number, &ranked, breeding));
        let cross = |number: usize| breeding.reciprocal_pair(couples[number], number as u64);
        Box::new(PodiumPlan {
            crosses: [cross(0), cross(1)],
            couples,
            ranked,
            breeding,
        })
    }

    fn champion(&self, breeding: &Breeding<'_>) -> usize {
        self.ranked(breeding)[0]
    }

    fn traits(&self) -> ReplacementTraits {
        ReplacementTraits {
            survivors: SURVIVORS,
            parent_choice: ParentChoice::Named,
            has_lineages: true,
            has_fixed_size: true,
            ..ReplacementTraits::default()
        }
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
    /// The two crosses of each couple; `None` if the couple is not crossed. The first has most of
    /// the fitter parent, the second most of the other.
    crosses: [Option<[Cross; 2]>; 2],
    /// Their parents, the fitter first.
    couples: [[usize; 2]; 2],
    /// Indices of the members, the fittest first.
    ranked: Vec<usize>,
    breeding: &'a Breeding<'a>,
}

impl OffspringPlan for PodiumPlan<'_> {
    fn offspring(&self, place: usize, rng: &mut Stream) -> Offspring {
        let breeding = self.breeding;
        match PLAN[place] {
            PodiumSlot::Stay(rank) => Offspring::copy(breeding.pool, self.ranked[rank]),
            PodiumSlot::Vary(rank) => breeding.mutant(place, self.ranked[rank], rng),
            PodiumSlot::Cross(couple, number) => match &self.crosses[couple] {
                Some(crosses) => {
                    let (genome, parents) = crosses[number].clone();
                    breeding.cross(place, genome, parents, rng)
                }
                None => breeding.mutant(place, self.couples[couple][number], rng),
            },
        }
    }
}
