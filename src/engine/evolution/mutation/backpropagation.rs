//! Supervised training in place of mutation: offspring learn by back-propagation from the moves of
//! a reference player. With replacement `each` it is the baseline for evolution (Weaver &
//! Bossomaier 1996, "Supervised Training").

use crate::genomes::AnyGenome;
use crate::params::params;
use crate::rng::Stream;

use super::{Mutation, MutationContext};

params! {
    /// Every offspring is trained on its training set once.
    pub struct Backpropagation {
        /// The reference player that provides the targets: the target output of a move is the gain
        /// that the player's heuristic gives it.
        fixed teacher: String = "level-1".to_owned();
        /// Games of the teacher against the random player for each training set. Each of the
        /// teacher's positions in which some move gains something becomes an example.
        fixed games: u32 = 800, in 1.0..=100000.0, "games";
        /// Number of training sets; offspring are assigned to them in turn.
        fixed training_sets: u32 = 10, in 1.0..=1000.0, "sets";
        /// Learning rate of back-propagation.
        live learning_rate: f64 = 0.1, in 0.0..=100.0;
    }
}

impl Mutation for Backpropagation {
    fn mutate(&self, genome: &mut AnyGenome, context: &MutationContext<'_>, rng: &mut Stream) {
        let pool = context.pool;
        let set = context.place.checked_rem(pool.training_sets.len());
        if let Some((set, training)) = set.zip(pool.genome.capabilities().training) {
            let (examples, rate) = (&pool.training_sets[set], self.learning_rate);
            training.train(genome, pool.io_spec, examples, rate, rng);
        }
    }

    fn supervision(&self) -> Option<&Backpropagation> {
        Some(self)
    }
}
