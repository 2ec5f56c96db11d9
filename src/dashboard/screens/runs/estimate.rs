//! Estimates of an experiment's progress and remaining time, from the runs so far.

use finches_engine::preset::Preset;

use super::experiment::{Experiment, Trial};

/// Seconds left, once there is any data. A run is expected to take the same share of its generation
/// limit as the finished runs of its preset, or else as all finished runs. A generation is expected
/// to take as long as those of its preset, or else as those of all presets.
pub(super) fn remaining(model: &Experiment) -> Option<f64> {
    let all: Vec<&Trial> = model.trials.values().collect();
    let of_any = seconds_per_generation(&all)?;
    let part = share_of_limit(model);
    let (mut left, mut unfinished, mut longest) = (0.0, 0, 0.0_f64);
    for (place, preset) in model.presets().iter().enumerate() {
        let own: Vec<&Trial> = model.trials_of(place).collect();
        let seconds = seconds_per_generation(&own).unwrap_or(of_any);
        let typical = typical_share(preset, &own).unwrap_or(part);
        for trial in own.iter().filter(|trial| !trial.is_finished()) {
            let limit = trial.part.generations(preset.generations);
            let (most, typical) = (
                limit.saturating_sub(trial.generations) as f64,
                typical * limit as f64,
            );
            // A run that exceeds the estimate is assumed to take half of its remaining limit.
            let more = typical - trial.generations as f64;
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
    let (part, mut done) = (share_of_limit(model), 0.0);
    for (place, preset) in model.presets().iter().enumerate() {
        let own: Vec<&Trial> = model.trials_of(place).collect();
        let typical = typical_share(preset, &own).unwrap_or(part);
        let share = |trial: &&Trial| {
            if trial.is_finished() {
                1.0
            } else {
                let typical = typical * trial.part.generations(preset.generations) as f64;
                (trial.generations as f64 / typical.max(1.0)).min(0.99)
            }
        };
        done += own.iter().map(share).sum::<f64>();
    }
    done / model.trials.len().max(1) as f64
}

/// The share of their generation limit that finished runs have used; 1 if there are none.
fn share_of_limit(model: &Experiment) -> f64 {
    let (mut taken, mut most) = (0, 0);
    for (cell, trial) in &model.trials {
        if trial.is_finished() {
            taken += trial.generations;
            most += trial
                .part
                .generations(model.presets()[cell.preset].generations);
        }
    }
    if most == 0 {
        return 1.0;
    }
    taken as f64 / most as f64
}

/// The share of their generation limit that the finished runs of a preset have used; `None` without
/// any.
fn typical_share(preset: &Preset, trials: &[&Trial]) -> Option<f64> {
    let finished = trials.iter().filter(|trial| trial.is_finished());
    let (mut taken, mut most) = (0, 0);
    for trial in finished {
        taken += trial.generations;
        most += trial.part.generations(preset.generations);
    }
    (most > 0).then(|| taken as f64 / most as f64)
}

fn seconds_per_generation(trials: &[&Trial]) -> Option<f64> {
    let worked = trials.iter().filter(|trial| !trial.time_worked().is_zero());
    let (mut seconds, mut generations) = (0.0, 0);
    for trial in worked {
        seconds += trial.time_worked().as_secs_f64();
        generations += trial.generations_worked();
    }
    (generations > 0).then(|| seconds / generations as f64)
}
