//! Estimates of an experiment's progress and remaining time, from the runs so far.

use super::experiment::{Experiment, Trial};

/// Seconds left, once there is any data, if runs take as long as those so far. Fewer runs than
/// threads go on at the pace of one each.
pub(super) fn remaining(model: &Experiment) -> Option<f64> {
    let worked = shares(model).filter(|(trial, ..)| !trial.time_worked().is_zero());
    let done: f64 = worked.map(|(_, share, earlier)| share - earlier).sum();
    let left: f64 = shares(model).map(|(_, share, _)| 1.0 - share).sum();
    let open = model.trials.len() - model.done();
    let idle = model.setup.threads as f64 / model.setup.threads.min(open).max(1) as f64;
    let seconds = model.clock.now().as_secs_f64() * left / done * idle;
    seconds.is_finite().then_some(seconds)
}

/// Share of the runs done, 0..=1. Unfinished runs count in part.
pub(super) fn progress(model: &Experiment) -> f64 {
    let all: f64 = shares(model).map(|(_, share, _)| share).sum();
    all / model.trials.len().max(1) as f64
}

/// The share of each run that is done, and of that what was done before.
fn shares(model: &Experiment) -> impl Iterator<Item = (&Trial, f64, f64)> {
    let first = model.setup.manifest.first_generation() as f64;
    model.trials.iter().map(move |(id, trial)| {
        let all = model.presets()[id.preset].generations;
        let all = trial.part.generations(all) as f64;
        let share = |generations: u64| (generations as f64 - first) / (all - first).max(1.0);
        let open = share(trial.generations).clamp(0.0, 0.99);
        let now = if trial.is_finished() { 1.0 } else { open };
        (trial, now, share(trial.earlier).clamp(0.0, 1.0))
    })
}
