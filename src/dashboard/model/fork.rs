//! A fork of the run that the user has asked for.

use finches_lab::experiment::fork::Fork;
use finches_runs::storage::experiments::manifest::Manifest;

/// What to do with a fork.
#[derive(Clone, Debug, PartialEq)]
pub enum ForkPurpose {
    /// Do both branches as this experiment, and compare them.
    Compare(Box<Manifest>),
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
