//! The podium: the five fittest stay, and the places of the others go to their children by a fixed plan, those of the first three
//! coming in reciprocal pairs (Thien 2018, "Crossover Strategy").

use crate::genomes::AnyGenome;
use crate::params::{Problem, params};
use crate::rng::{Purpose, Stream, stream};

use super::{Breed, Child, Litter, Origin, Stock, ranking};

/// The five fittest and their ten children.
const PLACES: usize = 15;

/// What is put in a place, members told by their rank from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plan {
    Stay(usize),
    /// One of the two crosses of a couple, by the numbers of the couple and the cross.
    Cross(usize, usize),
    Vary(usize),
}

/// Who is crossed, the fitter first.
const COUPLES: [[usize; 2]; 2] = [[0, 1], [1, 2]];

const PLAN: [Plan; PLACES] = [
    Plan::Stay(0),
    Plan::Stay(1),
    Plan::Stay(2),
    Plan::Stay(3),
    Plan::Stay(4),
    Plan::Cross(0, 0),
    Plan::Cross(0, 1),
    Plan::Vary(0),
    Plan::Vary(1),
    Plan::Cross(1, 0),
    Plan::Cross(1, 1),
    Plan::Vary(1),
    Plan::Vary(2),
    Plan::Vary(3),
    Plan::Vary(4),
];

params! {
    /// The five fittest of 15 stay and have ten children.
    pub struct Podium {
        /// Whether crosses are varied too, as the publication has every child.
        live vary_crosses: bool = true;
    }
}

impl Breed for Podium {
    fn litter<'a>(
        &'a self,
        stock: &'a Stock<'a>,
        seed: u64,
        generation: u64,
    ) -> Box<dyn Litter + 'a> {
        let ranked = ranking(stock.fitness);
        let cross = |number: usize| {
            let parents = COUPLES[number].map(|rank| &stock.members[ranked[rank]]);
            let mut rng = stream(seed, Purpose::Crossing, generation, number as u64);
            stock.genome.cross_both(parents, &mut rng)
        };
        Box::new(Children {
            vary_crosses: self.vary_crosses,
            crosses: [cross(0), cross(1)],
            ranked,
            stock,
        })
    }

    fn has_lineages(&self) -> bool {
        true
    }

    fn problems(&self, population: usize) -> Vec<Problem> {
        let message = format!("is a plan for {PLACES} members, the population has {population}");
        (population != PLACES)
            .then(|| Problem::new("", message))
            .into_iter()
            .collect()
    }
}

struct Children<'a> {
    vary_crosses: bool,
    /// The two crosses of each couple.
    crosses: [[AnyGenome; 2]; 2],
    /// Places of the members, the fittest first.
    ranked: Vec<usize>,
    stock: &'a Stock<'a>,
}

impl Litter for Children<'_> {
    fn child(&self, place: usize, rng: &mut Stream) -> Child {
        let stock = self.stock;
        match PLAN[place] {
            Plan::Stay(rank) => Child::copy(stock, self.ranked[rank]),
            Plan::Vary(rank) => Child::varied(stock, self.ranked[rank], rng),
            Plan::Cross(couple, number) => {
                let mut genome = self.crosses[couple][number].clone();
                if self.vary_crosses {
                    // The first of a pair has most of the fitter parent, the second most of the other.
                    let parent = self.ranked[COUPLES[couple][number]];
                    stock.vary(&mut genome, parent, rng);
                }
                Child {
                    genome,
                    origin: Origin::Cross,
                    copy_of: None,
                }
            }
        }
    }
}
