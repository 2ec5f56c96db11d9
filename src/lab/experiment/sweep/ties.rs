//! Breaks ties between combinations. A column such as an accuracy ends at its bound in many runs,
//! so that several combinations end equal; then the one whose column was better over the course of
//! its runs is better. Where runs stop at a target, those without it are equal; then it is the
//! target's column.

use std::collections::{BTreeMap, BTreeSet};

use crate::experiment::ExperimentError;
use crate::experiment::collect::CollectedRuns;
use crate::experiment::curves::run_mean;
use crate::experiment::summary::objective_column;
use finches_runs::storage::experiments::sweep::SweepDefinition;

/// For each combination whose value another one has, too: the mean of the column over all
/// generations of its first `runs` runs, with a sign by which high values are good. Values are
/// given by combination.
pub(super) fn course_means(
    collected: &CollectedRuns<'_>,
    definition: &SweepDefinition,
    values: &[(usize, f64)],
    runs: u64,
) -> Result<BTreeMap<usize, f64>, ExperimentError> {
    let mut means = BTreeMap::new();
    let target = definition.base.stop_condition();
    let is_lowest_best = match &target {
        Some(target) => target.is_lowest_best(),
        None => definition.lowest,
    };
    let sign = if is_lowest_best { -1.0 } else { 1.0 };
    let (mut seen, mut tied) = (BTreeSet::new(), BTreeSet::new());
    for (_, value) in values {
        if !seen.insert(value.to_bits()) {
            tied.insert(value.to_bits());
        }
    }
    let manifest = collected.manifest;
    for &(index, _) in values
        .iter()
        .filter(|(_, value)| tied.contains(&value.to_bits()))
    {
        let column = match (&target, &definition.column) {
            (Some(target), _) => target.column().to_owned(),
            (None, Some(column)) => column.clone(),
            (None, None) => objective_column(&manifest.presets[index])?,
        };
        let own = collected.of_preset(index);
        let own = own.filter(|run| run.id.seed.wrapping_sub(manifest.first_seed) < runs);
        let (mut sum, mut count) = (0.0, 0_u32);
        for run in own {
            if let Some(mean) = run_mean(run, &column)? {
                sum += mean;
                count += 1;
            }
        }
        if count > 0 {
            means.insert(index, sign * sum / f64::from(count));
        }
    }
    Ok(means)
}
