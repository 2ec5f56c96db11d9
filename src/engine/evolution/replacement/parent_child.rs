//! Parent–child comparison with averaging: if an offspring does well enough against its parent, the
//! parent moves a small part of the way toward it, otherwise the parent stays. A lucky offspring
//! then does little harm (Pollack & Blair 1998, "Co-Evolution in the Successful Learning of
//! Backgammon Strategy").
//!
//! Places are in pairs: a parent at each even place and its offspring after it. A population of 2
//! is the hill climber of the publication, a larger one several of them. In the first generation
//! both members of a pair are random. The champion of a generation is its fittest member, which may
//! be an offspring.

use crate::evolution::breeding::{Breeding, Offspring};
use crate::genomes::AnyGenome;
use crate::genomes::capabilities::Numbers;
use crate::params::{ParamError, params};
use crate::rng::Stream;

use super::distribution::genes;
use super::{OffspringPlan, ParentChoice, Replacement, ReplacementTraits};

params! {
    /// A parent moves toward an offspring that does well against it.
    pub struct ParentChild {
        /// The share of the fitness of both that an offspring needs for its parent to move. With
        /// wins as fitness it is the share of games won.
        live needed_share: f64 = 0.75, in 0.0..=1.0, "share";
        /// The share of the way from the parent to its offspring that the parent moves; 1 replaces
        /// the parent.
        live moved_share: f64 = 0.05, in 0.0..=1.0, "share";
    }
}

impl ParentChild {
    /// Whether an offspring with this fitness moves a parent with that fitness.
    fn moves(&self, parent: f64, child: f64) -> bool {
        let both = parent + child;
        both > 0.0 && child / both >= self.needed_share
    }

    /// The parent on its way toward the offspring.
    fn moved(&self, [parent, child]: [&AnyGenome; 2], genes: &dyn Numbers<AnyGenome>) -> AnyGenome {
        let (own, others) = (genes.numbers(parent), genes.numbers(child));
        let pairs = own.into_iter().zip(others);
        let step = |(own, other): (f32, f32)| {
            let (own, other) = (f64::from(own), f64::from(other));
            (own + self.moved_share * (other - own)) as f32
        };
        let numbers: Vec<f32> = pairs.map(step).collect();
        let mut genome = parent.clone();
        genes.set_numbers(&mut genome, &numbers);
        genome
    }
}

impl Replacement for ParentChild {
    fn plan<'a>(&'a self, breeding: &'a Breeding<'a>) -> Box<dyn OffspringPlan + 'a> {
        Box::new(ParentChildPlan {
            scheme: self,
            breeding,
        })
    }

    fn traits(&self) -> ReplacementTraits {
        ReplacementTraits {
            parent_choice: ParentChoice::Named,
            has_fixed_size: true,
            most_numbers: Some(usize::MAX),
            ..ReplacementTraits::default()
        }
    }

    fn problems(&self, population: usize) -> Vec<ParamError> {
        let message = format!("needs an even population, for pairs, but it is {population}");
        let problem = (!population.is_multiple_of(2)).then(|| ParamError::new("", message));
        problem.into_iter().collect()
    }
}

struct ParentChildPlan<'a> {
    scheme: &'a ParentChild,
    breeding: &'a Breeding<'a>,
}

impl OffspringPlan for ParentChildPlan<'_> {
    fn offspring(&self, place: usize, rng: &mut Stream) -> Offspring {
        let pool = self.breeding.pool;
        let parent = place - place % 2;
        let is_child = place != parent;
        let [own, of_child] = [parent, parent + 1].map(|member| pool.fitness[member]);
        if !self.scheme.moves(own, of_child) {
            return if is_child {
                self.breeding.mutant(place, parent, rng)
            } else {
                Offspring::copy(pool, parent)
            };
        }
        let pair = [parent, parent + 1];
        let parents = pair.map(|member| &pool.members[member]);
        let moved = self.scheme.moved(parents, genes(pool.genome));
        let moved = Offspring::between(moved, pair);
        if is_child {
            self.breeding.mutant_of(place, moved, rng)
        } else {
            moved
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::genomes::{GenomeConfig, IoSpec};
    use crate::rng::{Purpose, stream};

    #[test]
    fn an_offspring_needs_its_share_of_the_fitness_of_both() {
        let scheme = ParentChild {
            needed_share: 0.75,
            ..ParentChild::default()
        };
        for (parent, child, expected) in [
            (1.0, 3.0, true),
            (2.0, 2.0, false),
            (0.0, 4.0, true),
            (0.0, 0.0, false),
        ] {
            assert_eq!(scheme.moves(parent, child), expected, "{parent} {child}");
        }
    }

    #[test]
    fn a_parent_moves_a_share_of_the_way() {
        let genome = GenomeConfig::named("mlp").expect("it is registered");
        let io_spec = IoSpec::new(2, 1);
        let mut rng = stream(1, Purpose::Initialization, 0, 0);
        let [mut parent, mut child] = [0, 1].map(|_| genome.random(&io_spec, &mut rng));
        let genes = genes(&genome);
        let count = genes.numbers(&parent).len();
        genes.set_numbers(&mut parent, &vec![1.0; count]);
        genes.set_numbers(&mut child, &vec![3.0; count]);
        let scheme = ParentChild {
            moved_share: 0.25,
            ..ParentChild::default()
        };
        let moved = scheme.moved([&parent, &child], genes);
        assert_eq!(genes.numbers(&moved), vec![1.5; count]);
    }
}
