//! No crossover: every offspring is a mutated copy of one parent.

use crate::params::params;
use crate::rng::Stream;

use super::{Crossover, Mate};

params! {
    /// No crossover.
    pub struct NoCrossover {}
}

impl Crossover for NoCrossover {
    fn mate(&self, _rng: &mut Stream) -> Mate {
        Mate::None
    }

    fn takes_members(&self) -> bool {
        false
    }
}
