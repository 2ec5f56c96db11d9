//! The phenotype of a genome: a brain that is ready to play, with its policy once it has been computed.

use std::sync::OnceLock;

use crate::agents::Policy;
use crate::genomes::{AnyGenome, Brain, GenomeConfig, GenomeError, IoSpec};

/// A brain and its policy. Members with the same genome share one phenotype, and an unchanged offspring shares its parent's, so that
/// no policy is computed twice. A phenotype belongs to one arena.
pub struct Phenotype {
    brain: Box<dyn Brain>,
    policy: OnceLock<Policy>,
}

impl Phenotype {
    /// The phenotype of a brain that is already grown.
    pub fn new(brain: Box<dyn Brain>) -> Self {
        Self {
            brain,
            policy: OnceLock::new(),
        }
    }

    /// The phenotype of a genome that may be of another kind or damaged: from a file, for example, or from another run.
    ///
    /// # Errors
    ///
    /// As [`GenomeConfig::validate`].
    pub fn checked(
        config: &GenomeConfig,
        io_spec: &IoSpec,
        genome: &AnyGenome,
    ) -> Result<Self, GenomeError> {
        config.validate(genome, io_spec)?;
        Ok(Self::grown(config, io_spec, genome))
    }

    /// The phenotype of a genome of this kind, which must fit the inputs and outputs.
    pub fn grown(config: &GenomeConfig, io_spec: &IoSpec, genome: &AnyGenome) -> Self {
        Self::new(config.grow(genome, io_spec))
    }

    /// The network or table.
    pub fn brain(&self) -> &dyn Brain {
        self.brain.as_ref()
    }

    /// The policy, computed by `write` on first use.
    pub(super) fn policy(&self, write: impl FnOnce(&dyn Brain) -> Policy) -> &Policy {
        self.policy.get_or_init(|| write(self.brain()))
    }
}
