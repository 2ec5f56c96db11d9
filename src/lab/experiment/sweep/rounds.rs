//! The rounds of a sweep with successive halving: which runs each of them has, and which
//! combinations go on.

use std::collections::BTreeSet;
use std::slice;

use crate::experiment::collect::{collect_part, part_status};
use crate::experiment::summary::PresetSummary;
use crate::experiment::{ExperimentEnd, ExperimentError, RunLeg, RunSpec, Shard, run_some};
use finches_runs::storage::experiments::manifest::RunId;
use finches_runs::storage::experiments::part::RunPart;
use finches_runs::storage::experiments::sweep::SweepDefinition;
use finches_runs::storage::experiments::{ExperimentFolder, RunStatus};

use super::halving::{Bracket, HalvingRound, RoundValue, brackets, survivors};
use super::ties::course_means;

/// What each combination has by the end of a round.
#[derive(Clone, Copy)]
struct RoundLength {
    /// The number of its runs.
    runs: u64,
    /// The part that is done of each of them.
    part: RunPart,
}

/// Does the unfinished runs of all rounds, one round after the other. Nothing but what earlier
/// rounds have found decides which combinations go on, so that a stopped sweep continues as if it
/// had not been stopped. Of a shard, as many rounds as can be done without the other shards.
pub(crate) fn run_rounds(
    spec: &RunSpec<'_>,
    definition: &SweepDefinition,
) -> Result<ExperimentEnd, ExperimentError> {
    let mut ended = ExperimentEnd::Done;
    for bracket in brackets(spec.folder.manifest()) {
        match run_bracket(spec, definition, &bracket)? {
            ExperimentEnd::Halted => return Ok(ExperimentEnd::Halted),
            ExperimentEnd::Waiting => ended = ExperimentEnd::Waiting,
            ExperimentEnd::Done => {}
        }
    }
    Ok(ended)
}

fn run_bracket(
    spec: &RunSpec<'_>,
    definition: &SweepDefinition,
    bracket: &Bracket,
) -> Result<ExperimentEnd, ExperimentError> {
    let manifest = spec.folder.manifest();
    let ids = |combinations: &[usize], runs: u64| -> BTreeSet<RunId> {
        let seeds = manifest.first_seed..manifest.first_seed + runs;
        let of_preset = |&preset: &usize| seeds.clone().map(move |seed| RunId { preset, seed });
        combinations.iter().flat_map(of_preset).collect()
    };
    let mut left = bracket.combinations.clone();
    let mut before: Option<(RoundLength, BTreeSet<RunId>)> = None;
    for round in &bracket.rounds {
        let length = length(definition, *round, manifest.runs);
        if let Some((earlier, _)) = before.as_ref().filter(|_| left.len() > round.combinations) {
            let values = values(spec.folder, definition, (&left, *earlier))?;
            left = survivors(values, round.combinations, definition.is_lowest_best());
        }
        let chosen = ids(&left, length.runs);
        let from = before.as_ref().map(|(earlier, _)| earlier.part);
        let leg = RunLeg {
            from: from.filter(|part| length.part.is_longer_than(*part)),
            to: length.part,
        };
        let is_done = |id: &RunId| {
            let earlier = before
                .as_ref()
                .filter(|(earlier, _)| earlier.part == leg.to);
            earlier.is_some_and(|(_, done)| done.contains(id))
        };
        if run_some(spec, leg, |id| chosen.contains(&id) && !is_done(&id))? == ExperimentEnd::Halted
        {
            return Ok(ExperimentEnd::Halted);
        }
        if spec.shard != Shard::WHOLE && !are_finished(spec.folder, &chosen, leg.to) {
            return Ok(ExperimentEnd::Waiting);
        }
        if let (Some(part), Some((_, done))) = (leg.from, &before) {
            // Those that go on have newer states, and the others need none.
            for &id in done {
                spec.folder.remove_state(id, part);
            }
        }
        before = Some((length, chosen));
    }
    Ok(ExperimentEnd::Done)
}

fn length(definition: &SweepDefinition, round: HalvingRound, runs: u64) -> RoundLength {
    if definition.halves_generations() {
        RoundLength {
            runs,
            part: RunPart::one_in(round.one_in),
        }
    } else {
        RoundLength {
            runs: runs / round.one_in,
            part: RunPart::WHOLE,
        }
    }
}

/// Whether other shards have done their runs of a round, too.
fn are_finished(folder: &ExperimentFolder, ids: &BTreeSet<RunId>, part: RunPart) -> bool {
    ids.iter()
        .all(|&id| matches!(part_status(folder, id, part), (_, RunStatus::Finished(_))))
}

/// The values of some combinations after a round.
fn values(
    folder: &ExperimentFolder,
    definition: &SweepDefinition,
    (combinations, length): (&[usize], RoundLength),
) -> Result<Vec<RoundValue>, ExperimentError> {
    let collected = collect_part(slice::from_ref(folder), length.part)?;
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
            .filter(|run| run.id.seed - manifest.first_seed < length.runs);
        let first: Vec<_> = first.map(|run| (run.id, &run.outcome)).collect();
        let preset = &manifest.presets[index];
        let summary = PresetSummary::of((index, preset), &first, definition.column.as_deref())?;
        values.push((index, summary.all.map_or(worst, |all| all.mean)));
    }
    let courses = course_means(&collected, definition, &values, length.runs)?;
    let value = |(index, value)| RoundValue {
        index,
        value,
        course: courses.get(&index).copied().unwrap_or_default(),
    };
    Ok(values.into_iter().map(value).collect())
}
