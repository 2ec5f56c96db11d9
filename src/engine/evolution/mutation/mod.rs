//! Mutation: how an offspring is changed after crossover. What one mutation does to the genes is up
//! to the genome.

use crate::genomes::AnyGenome;
use crate::registry::registry;
use crate::rng::Stream;

use super::breeding::ParentPool;
use super::divergence::ReplayedGames;

use self::backpropagation::Backpropagation;

pub mod backpropagation;
pub mod plain;
pub mod safe;
pub mod safe_gradient;

/// An offspring to be mutated.
pub struct MutationContext<'a> {
    /// Where parents come from.
    pub pool: &'a ParentPool<'a>,
    /// The first parent; `None` for an offspring of an earlier champion.
    pub parent: Option<usize>,
    /// The offspring's index in the next generation.
    pub place: usize,
}

/// A rule that changes offspring.
pub trait Mutation: Sync {
    /// Changes a copy or a crossover offspring of the parent. It may stay the same.
    fn mutate(&self, genome: &mut AnyGenome, context: &MutationContext<'_>, rng: &mut Stream);

    /// Which games of the parents it needs in replay buffers; `None` if it needs no buffers.
    fn replayed_games(&self) -> Option<ReplayedGames> {
        None
    }

    /// Whether it needs a genome whose outputs have gradients.
    fn needs_sensitivities(&self) -> bool {
        false
    }

    /// The supervised training, if offspring are trained.
    fn supervision(&self) -> Option<&Backpropagation> {
        None
    }
}

registry! {
    /// How offspring are changed.
    pub enum MutationConfig: Mutation {
        /// The mutation of the genome, by its own rates.
        "plain" => Plain(plain::PlainMutation),
        /// Of several mutants, the one that plays most like its parent.
        "safe" => Safe(safe::SafeMutation),
        /// Weights move less the more the outputs depend on them.
        "safe_gradient" => SafeGradient(safe_gradient::SafeGradientMutation),
        /// No random changes: offspring learn from the moves of a reference player.
        "backpropagation" => Backpropagation(Backpropagation),
    }
}
