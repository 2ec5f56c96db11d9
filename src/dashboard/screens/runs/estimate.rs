//! Estimates of an experiment's progress and remaining time, from the runs so far.

use finches_runs::storage::experiments::manifest::RunId;

use super::experiment::{Experiment, Trial};

/// A run and its limit of generations.
type LimitedTrial<'a> = (&'a Trial, u64);

/// Seconds left, once there is any data. A run is expected to take the same share of its generation
/// limit as the finished runs of its preset, or else as all finished runs. A generation is expected
/// to take as long as those of its preset, or else as those of all presets.
pub(super) fn remaining(model: &Experiment) -> Option<f64> {
    let of_any = seconds_per_generation(&trials(model, None))?;
    let (mut left, mut unfinished, mut longest) = (0.0, 0, 0.0_f64);
    for (own, typical) in by_preset(model) {
        let seconds = seconds_per_generation(&own).unwrap_or(of_any);
        for (trial, limit) in own.iter().filter(|(trial, _)| !trial.is_finished()) {
            let most = limit.saturating_sub(trial.generations) as f64;
            // A run that exceeds the estimate is assumed to take half of its remaining limit.
            let more = typical * *limit as f64 - trial.generations as f64;
            let more = if more > 0.0 { more } else { most / 2.0 };
            let more = more.min(most) * seconds;
            (left, unfinished, longest) = (left + more, unfinished + 1, longest.max(more));
        }
    }
    let workers = model.setup.threads.min(unfinished).max(1) as f64;
    Some((left / workers).max(if workers > 1.0 { longest } else { 0.0 }))
}

/// Share of the runs done, 0..=1. Unfinished runs count in part.
pub(super) fn progress(model: &Experiment) -> f64 {
    let first = model.setup.manifest.first_generation() as f64;
    let shares = by_preset(model).into_iter().flat_map(|(own, typical)| {
        own.into_iter().map(move |(trial, limit)| {
            let (done, all) = (trial.generations as f64, typical * limit as f64);
            let share = (done - first) / (all - first).max(1.0);
            if trial.is_finished() {
                1.0
            } else {
                share.min(0.99)
            }
        })
    });
    shares.sum::<f64>() / model.trials.len().max(1) as f64
}

/// The runs of each preset, and the share of their limit that they are expected to take.
fn by_preset(model: &Experiment) -> Vec<(Vec<LimitedTrial<'_>>, f64)> {
    let of_any = typical_share(&trials(model, None)).unwrap_or(1.0);
    let presets = (0..model.presets().len()).map(|preset| {
        let own = trials(model, Some(preset));
        let typical = typical_share(&own).unwrap_or(of_any);
        (own, typical)
    });
    presets.collect()
}

/// The runs of a preset, or all.
fn trials(model: &Experiment, preset: Option<usize>) -> Vec<LimitedTrial<'_>> {
    let all = model.trials.iter();
    let own = all.filter(|(id, _)| preset.is_none_or(|preset| preset == id.preset));
    let limit = |(id, trial): (&RunId, &Trial)| {
        let all = model.presets()[id.preset].generations;
        trial.part.generations(all)
    };
    own.map(|one| (one.1, limit(one))).collect()
}

/// The share of their generation limit that finished runs have used; `None` without any.
fn typical_share(trials: &[LimitedTrial<'_>]) -> Option<f64> {
    let finished = || trials.iter().filter(|(trial, _)| trial.is_finished());
    let taken: u64 = finished().map(|(trial, _)| trial.generations).sum();
    let most: u64 = finished().map(|(_, limit)| limit).sum();
    (most > 0).then(|| taken as f64 / most as f64)
}

fn seconds_per_generation(trials: &[LimitedTrial<'_>]) -> Option<f64> {
    let worked = || {
        trials
            .iter()
            .filter(|(trial, _)| !trial.time_worked().is_zero())
    };
    let seconds: f64 = worked()
        .map(|(trial, _)| trial.time_worked().as_secs_f64())
        .sum();
    let generations: u64 = worked().map(|(trial, _)| trial.generations_worked()).sum();
    (generations > 0).then(|| seconds / generations as f64)
}
