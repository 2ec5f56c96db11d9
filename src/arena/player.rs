//! A brain that is ready to play, with its choice in every position once that has been worked out.

use std::sync::OnceLock;

use crate::agents::Policy;
use crate::genomes::{AnyGenome, Brain, GenomeConfig, Ports};

/// A brain and what it is known to do. Members with the same genome share one player, and so does an unchanged child with
/// its parent, so that nothing is worked out twice. A player belongs to one arena.
pub struct Player {
    brain: Box<dyn Brain>,
    policy: OnceLock<Policy>,
}

impl Player {
    pub fn new(brain: Box<dyn Brain>) -> Self {
        Self {
            brain,
            policy: OnceLock::new(),
        }
    }

    /// The player that a genome grows into.
    pub fn grown(config: &GenomeConfig, ports: &Ports, genome: &AnyGenome) -> Self {
        Self::new(config.grow(genome, ports))
    }

    pub fn brain(&self) -> &dyn Brain {
        self.brain.as_ref()
    }

    /// The choice in every position, worked out by `write` the first time it is asked for.
    pub(super) fn policy(&self, write: impl FnOnce(&dyn Brain) -> Policy) -> &Policy {
        self.policy.get_or_init(|| write(self.brain()))
    }
}
