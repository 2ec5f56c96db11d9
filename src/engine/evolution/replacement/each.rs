//! Each member is replaced by its own offspring, so that the population is a set of independent lines. Selection can only act
//! through the choice of mates.

use crate::evolution::breeding::{Breeding, Candidates, Offspring};
use crate::params::{ParamError, params};
use crate::rng::Stream;

use super::{OffspringPlan, ParentChoice, Replacement};

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

    fn parent_choice(&self) -> ParentChoice {
        ParentChoice::OwnPlace
    }

    fn takes_new_size(&self) -> bool {
        false
    }

    fn problems(&self, _population: usize) -> Vec<ParamError> {
        Vec::new()
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
