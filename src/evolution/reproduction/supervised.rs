//! Supervised training instead of evolution: every member stays and learns by back-propagation from the moves of a reference
//! player. It is the baseline for evolution (Weaver & Bossomaier 1996, "Supervised Training").

use crate::params::{ParamError, params};
use crate::rng::Stream;

use super::{Offspring, OffspringPlan, ParentPool, Reproduction};

params! {
    /// Every member is trained on its training set once per generation.
    pub struct Supervised {
        /// The reference player that provides the targets: the target output of a move is the gain that the player's heuristic gives it.
        fixed teacher: String = "level-1".to_owned();
        /// Games of the teacher against the random player for each training set. Each of the teacher's positions in which some move gains something becomes an example.
        fixed games: u32 = 800, in 1.0..=100000.0, "games";
        /// Number of training sets; members are assigned to them in turn.
        fixed training_sets: u32 = 10, in 1.0..=1000.0, "sets";
        /// Learning rate of back-propagation.
        live learning_rate: f64 = 0.1, in 0.0..=100.0;
    }
}

impl Reproduction for Supervised {
    fn plan<'a>(
        &'a self,
        pool: &'a ParentPool<'a>,
        _seed: u64,
        _generation: u64,
    ) -> Box<dyn OffspringPlan + 'a> {
        Box::new(SupervisedPlan {
            rate: self.learning_rate,
            pool,
        })
    }

    fn supervision(&self) -> Option<&Supervised> {
        Some(self)
    }

    fn problems(&self, _population: usize) -> Vec<ParamError> {
        Vec::new()
    }
}

struct SupervisedPlan<'a> {
    rate: f64,
    pool: &'a ParentPool<'a>,
}

impl OffspringPlan for SupervisedPlan<'_> {
    fn offspring(&self, place: usize, rng: &mut Stream) -> Offspring {
        let pool = self.pool;
        let Some(set) = place.checked_rem(pool.training_sets.len()) else {
            return Offspring::copy(pool, place);
        };
        let mut learner = pool.members[place].clone();
        let lessons = &pool.training_sets[set];
        pool.genome.train(&mut learner, lessons, self.rate, rng);
        Offspring::new(learner)
    }
}
