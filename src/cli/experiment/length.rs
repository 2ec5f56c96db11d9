//! How long an experiment takes on this machine, told before it starts.

use std::time::Duration;

use crate::cli::output;
use crate::experiment::duration::run_seconds;
use crate::metrics::stats::spread::even_sample;
use crate::preset::Preset;
use crate::storage::experiments::manifest::{Manifest, RunId};
use crate::storage::experiments::part::RunPart;

/// Most presets that are timed before a sweep.
const TIMED: usize = 12;

/// Says before the start how long the runs take on this machine, if it is a minute or more.
pub(super) fn tell(manifest: &Manifest, (left, part): (&[RunId], RunPart), threads: usize) {
    const WITHIN: Duration = Duration::from_millis(150);
    /// For all presets together, but for one generation of each.
    const IN_ALL: Duration = Duration::from_millis(300);
    let timed = timed_presets(manifest, left);
    let within = WITHIN.min(IN_ALL / timed.len().max(1) as u32);
    // A preset that can't be run fails by itself, with its reason.
    let seconds = timed.into_iter().map(|(preset, runs)| {
        let preset = Preset {
            generations: part.generations(preset.generations),
            ..preset.clone()
        };
        runs * run_seconds(&preset, within).unwrap_or(0.0)
    });
    let seconds: f64 = seconds.sum();
    let minutes = seconds / threads as f64 / 60.0;
    if minutes >= 1.0 {
        let words = if minutes < 90.0 {
            format!("{minutes:.0} min")
        } else {
            format!("{:.1} h", minutes / 60.0)
        };
        output::eprint_line(&format!(
            "finches: {} runs; about {words} by the speed of their first generations, less where runs meet a target, more where networks grow; Ctrl-C stops, the same command continues",
            left.len(),
        ));
    }
}

/// The presets that are timed, each with the number of runs that it stands for. In a table, all runs of a game play as many games:
/// the preset with the shortest generations stands for them, since the longest take minutes.
fn timed_presets<'a>(manifest: &'a Manifest, left: &[RunId]) -> Vec<(&'a Preset, f64)> {
    if manifest.sweep.is_some() {
        // A few combinations stand for all.
        let sample = even_sample(left, TIMED);
        let runs = left.len() as f64 / sample.len() as f64;
        let preset = |id: &RunId| (&manifest.presets[id.preset], runs);
        return sample.into_iter().map(preset).collect();
    }
    let games = manifest.matrix.as_ref().map(|matrix| &matrix.cells);
    let group =
        |index: usize| games.map_or_else(|| index.to_string(), |cells| cells[index].game.clone());
    let indices: Vec<usize> = (0..manifest.presets.len()).collect();
    let groups = indices.chunk_by(|&one, &other| group(one) == group(other));
    let timed = groups.filter_map(|indices| {
        let runs = left
            .iter()
            .filter(|id| indices.contains(&id.preset))
            .count();
        let presets = indices.iter().map(|&index| &manifest.presets[index]);
        let shortest = presets.max_by_key(|preset| preset.generations)?;
        (runs > 0).then_some((shortest, runs as f64))
    });
    timed.collect()
}
