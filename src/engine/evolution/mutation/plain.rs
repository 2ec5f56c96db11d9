//! The mutation of the genome, by its own rates.

use rand::RngExt;

use crate::genomes::AnyGenome;
use crate::params::params;
use crate::rng::Stream;

use super::{Mutation, MutationContext};

params! {
    /// The mutation of the genome.
    pub struct PlainMutation {
        /// Probability that an offspring is mutated at all.
        live rate: f64 = 1.0, in 0.0..=1.0, "chance";
    }
}

impl Mutation for PlainMutation {
    fn mutate(&self, genome: &mut AnyGenome, context: &MutationContext<'_>, rng: &mut Stream) {
        if rng.random_bool(self.rate) {
            context.pool.genome.mutate(genome, rng);
        }
    }
}
