//! The rounds of a sweep with successive halving: which runs each of them has.

use std::collections::BTreeSet;
use std::slice;

use crate::experiment::collect::collect;
use crate::experiment::summary::PresetSummary;
use crate::experiment::{ExperimentEnd, ExperimentError, RunSpec, Shard, run_some};
use crate::storage::experiments::ExperimentFolder;
use crate::storage::experiments::manifest::RunId;
use crate::storage::experiments::sweep::SweepDefinition;

use super::halving::{RoundValue, rounds, survivors};
use super::ties::course_means;

/// Why a sweep with halving has no shards.
pub const NO_SHARDS: &str =
    "successive halving can't be divided into shards: each round depends on the one before";

/// Does the unfinished runs of all rounds, one round after the other. Nothing but the runs of earlier rounds decides which
/// combinations go on, so that a stopped sweep continues as if it had not been stopped.
pub(crate) fn run_rounds(
    spec: &RunSpec<'_>,
    definition: &SweepDefinition,
    rate: u64,
) -> Result<ExperimentEnd, ExperimentError> {
    let manifest = spec.folder.manifest();
    if spec.shard != Shard::WHOLE {
        return Err(ExperimentError::Usage(NO_SHARDS.to_owned()));
    }
    let rounds = rounds(manifest.presets.len(), manifest.runs, rate);
    let mut left: Vec<usize> = (0..manifest.presets.len()).collect();
    let (mut runs, mut done) = (0, BTreeSet::new());
    for round in rounds {
        if left.len() > round.combinations {
            let values = values(spec.folder, definition, &left, runs)?;
            left = survivors(values, round.combinations, definition.is_lowest_best());
        }
        runs = round.runs;
        let last = manifest.first_seed + runs;
        let of_preset =
            |&preset: &usize| (manifest.first_seed..last).map(move |seed| RunId { preset, seed });
        let chosen: BTreeSet<RunId> = left.iter().flat_map(of_preset).collect();
        let is_new = |id| chosen.contains(&id) && !done.contains(&id);
        if run_some(spec, is_new)? == ExperimentEnd::Halted {
            return Ok(ExperimentEnd::Halted);
        }
        done.extend(chosen);
    }
    Ok(ExperimentEnd::Done)
}

/// The values of some combinations over their first runs.
fn values(
    folder: &ExperimentFolder,
    definition: &SweepDefinition,
    combinations: &[usize],
    runs: u64,
) -> Result<Vec<RoundValue>, ExperimentError> {
    let collected = collect(slice::from_ref(folder))?;
    let manifest = folder.manifest();
    let worst = if definition.is_lowest_best() {
        f64::INFINITY
    } else {
        f64::NEG_INFINITY
    };
    let mut values = Vec::new();
    for &index in combinations {
        let first = collected
            .of_preset(index)
            .filter(|run| run.id.seed - manifest.first_seed < runs);
        let first: Vec<_> = first.map(|run| (run.id, &run.outcome)).collect();
        let preset = &manifest.presets[index];
        let summary = PresetSummary::of((index, preset), &first, definition.column.as_deref())?;
        values.push((index, summary.all.map_or(worst, |all| all.mean)));
    }
    let courses = course_means(&collected, definition, &values, runs)?;
    let value = |(index, value)| RoundValue {
        index,
        value,
        course: courses.get(&index).copied().unwrap_or_default(),
    };
    Ok(values.into_iter().map(value).collect())
}
