//! Each member is replaced by its own offspring, so that the population is a set of independent
//! lines. Selection can only act through the choice of mates.

use crate::evolution::breeding::{Breeding, Candidates, Offspring};
use crate::params::params;
use crate::rng::Stream;

use super::{OffspringPlan, ParentChoice, Replacement, ReplacementTraits};

params! {
    /// Each member is replaced by its own offspring.
    pub struct Each {}
}

impl Replacement for Each {
    fn plan<'a>(&'a self, breeding: &'a Breeding<'a>) -> Box<dyn OffspringPlan + 'a> {
        Box::new(EachPlan {
            mates: breeding.everyone(),
            breeding,
        })
    }

    fn traits(&self) -> ReplacementTraits {
        ReplacementTraits {
            parent_choice: ParentChoice::OwnPlace,
            has_fixed_size: true,
            ..ReplacementTraits::default()
        }
    }
}

struct EachPlan<'a> {
    mates: Candidates,
    breeding: &'a Breeding<'a>,
}

impl OffspringPlan for EachPlan<'_> {
    fn offspring(&self, place: usize, rng: &mut Stream) -> Offspring {
        let mate = |rng: &mut Stream| self.mates.select(place, rng);
        self.breeding.offspring_of(place, place, &mate, rng)
    }
}
