//! How long an experiment will take, guessed from the runs so far.

use crate::preset::Preset;

use super::model::Model;
use super::trial::Trial;

/// Seconds left, once there is anything to guess from. A run takes as many generations as those of its preset that are
/// finished, or else such a part of its cap as those of all presets, and a generation as long as those of its preset, or else
/// of all.
pub(super) fn remaining(model: &Model) -> Option<f64> {
    let all: Vec<&Trial> = model.trials.values().collect();
    let of_any = seconds_a_generation(&all)?;
    let part = part_of_cap(model);
    let (mut left, mut unfinished, mut longest) = (0.0, 0, 0.0_f64);
    for (place, preset) in model.presets().iter().enumerate() {
        let own: Vec<&Trial> = model.of(place).map(|(_, trial)| trial).collect();
        let seconds = seconds_a_generation(&own).unwrap_or(of_any);
        let typical = typical(preset, &own, part);
        for trial in own.iter().filter(|trial| !trial.is_finished()) {
            let most = preset.generations.saturating_sub(trial.generations) as f64;
            // A run that takes longer than most is taken to be half through what it has left.
            let more = typical - trial.generations as f64;
            let more = if more > 0.0 { more } else { most / 2.0 };
            let more = more.min(most) * seconds;
            (left, unfinished, longest) = (left + more, unfinished + 1, longest.max(more));
        }
    }
    let workers = model.setup.threads.min(unfinished).max(1) as f64;
    Some((left / workers).max(if workers > 1.0 { longest } else { 0.0 }))
}

/// How far an experiment is, 0..=1: runs, those under way in part.
pub(super) fn progress(model: &Model) -> f64 {
    let (part, mut done) = (part_of_cap(model), 0.0);
    for (place, preset) in model.presets().iter().enumerate() {
        let own: Vec<&Trial> = model.of(place).map(|(_, trial)| trial).collect();
        let typical = typical(preset, &own, part).max(1.0);
        let share = |trial: &&Trial| {
            if trial.is_finished() {
                1.0
            } else {
                (trial.generations as f64 / typical).min(0.99)
            }
        };
        done += own.iter().map(share).sum::<f64>();
    }
    done / model.trials.len().max(1) as f64
}

/// The part of the generations they may take that finished runs have taken; all of them where there are none.
fn part_of_cap(model: &Model) -> f64 {
    let (mut taken, mut most) = (0, 0);
    for (cell, trial) in &model.trials {
        if trial.is_finished() {
            taken += trial.generations;
            most += model.presets()[cell.preset].generations;
        }
    }
    if most == 0 {
        return 1.0;
    }
    taken as f64 / most as f64
}

/// Generations that a preset's run takes, capped runs counting at the cap; without finished runs, a part of the cap.
fn typical(preset: &Preset, trials: &[&Trial], part: f64) -> f64 {
    let finished = trials.iter().filter(|trial| trial.is_finished());
    let taken: Vec<f64> = finished.map(|trial| trial.generations as f64).collect();
    if taken.is_empty() {
        return preset.generations as f64 * part;
    }
    taken.iter().sum::<f64>() / taken.len() as f64
}

fn seconds_a_generation(trials: &[&Trial]) -> Option<f64> {
    let worked = trials.iter().filter(|trial| !trial.worked().is_zero());
    let (mut seconds, mut generations) = (0.0, 0);
    for trial in worked {
        seconds += trial.worked().as_secs_f64();
        generations += trial.generations;
    }
    (generations > 0).then(|| seconds / generations as f64)
}
