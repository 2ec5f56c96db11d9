//! A fork of the run that the user has asked for.

use finches_lab::experiment::fork::Fork;

/// What to do with a fork.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ForkPurpose {
    /// Evolve both branches to a generation, with each of these seeds, and compare them.
    Compare { end: u64, seeds: Vec<u64> },
    /// Save a second run that goes on from there.
    SecondRun,
}

/// A fork of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct ForkRequest {
    pub fork: Fork,
    /// The name of the run.
    pub run: String,
    /// The threads to evolve it with.
    pub threads: usize,
    pub purpose: ForkPurpose,
}
