//! The figures of groups of runs: what the printed table has, and how likely a group would differ
//! from the best by chance.

use std::sync::Arc;

use crate::format;
use finches_engine::metrics::history::Goal;
use finches_engine::metrics::stats::ranks::holm;
use finches_engine::metrics::stop_condition::StopCondition;
use finches_engine::preset::Preset;
use finches_engine::text::percentage;
use finches_lab::experiment::summary::{PresetSummary, column_of};
use finches_runs::storage::experiments::manifest::RunId;
use finches_runs::storage::experiments::outcome::RunOutcome;

use super::RunsScreen;
use super::entry::RunEnd;
use super::experiment::Experiment;
use super::list::{RunList, RunRow};

/// The figures of a group.
#[derive(Clone, Debug)]
pub(super) struct GroupSummary {
    /// The index of its row in the list.
    pub(super) row: usize,
    pub(super) summary: PresetSummary,
    /// The p-value of the comparison with the best group, adjusted for all of these tests; `None`
    /// of the best, and of one that is not complete.
    pub(super) p: Option<f64>,
    /// Whether so few runs can't differ clearly, whatever their values.
    pub(super) is_too_few: bool,
    /// Whether none of its runs is still to be done.
    pub(super) is_complete: bool,
    /// Its rank in a sweep, which goes before its mean.
    rank: usize,
}

/// A group whose figures are to be worked out.
pub(super) struct UnsummarizedGroup {
    row: usize,
    is_complete: bool,
    rank: usize,
    /// The summary, if the experiment has it, else the runs.
    runs: Result<PresetSummary, GroupOutcomes>,
}

/// The outcomes of some runs of a preset.
pub(super) struct GroupOutcomes {
    /// The index gives the stream of random numbers.
    preset: (usize, Arc<Preset>),
    column: String,
    outcomes: Vec<(RunId, RunOutcome)>,
}

impl GroupOutcomes {
    pub(super) fn of(
        list: &RunList,
        preset: (usize, Arc<Preset>),
        members: &[usize],
        column: &str,
    ) -> Self {
        let outcome = |&place: &usize| {
            let run = &list.entries()[place];
            let id = RunId {
                preset: preset.0,
                seed: run.seed,
            };
            Some((id, run.outcome(column)?))
        };
        let outcomes = members.iter().filter_map(outcome).collect();
        Self {
            preset,
            column: column.to_owned(),
            outcomes,
        }
    }

    /// The summary. That of many runs takes a while.
    pub(super) fn summary(&self) -> Option<PresetSummary> {
        let outcomes = self.outcomes.iter().map(|(id, outcome)| (*id, outcome));
        let preset = (self.preset.0, &*self.preset.1);
        // A column without values is reported at the end.
        PresetSummary::of(preset, &outcomes.collect::<Vec<_>>(), Some(&self.column)).ok()
    }
}

/// The groups of the list by a column. Without groups there are none.
pub(super) fn of_list(screen: &RunsScreen, column: &str) -> Vec<UnsummarizedGroup> {
    let (set, list, is_other) = (screen.set(), screen.list(), screen.is_other_column());
    if !list.has_groups() {
        return Vec::new();
    }
    // Runs that successive halving has dropped are never done.
    let is_over = set.experiment().is_none_or(Experiment::is_ended);
    let ranks = screen.ranked_sweep().filter(|_| !is_other);
    let rows = list.rows().iter().enumerate();
    let groups = rows.filter_map(|(index, row)| {
        let experiment = set.experiment().filter(|_| !is_other);
        let known = experiment.and_then(|it| it.summary_of(row, list));
        let runs = if let Some(summary) = known {
            Ok(summary)
        } else {
            let mut members = row.members.iter();
            let kind = members.find_map(|&place| set.kind(place, None))?;
            let judged = if is_other {
                without_target(&kind.preset)
            } else {
                kind.preset
            };
            let preset = (index, judged);
            Err(GroupOutcomes::of(list, preset, &row.members, column))
        };
        let mut members = row.members.iter().map(|&place| &list.entries()[place]);
        Some(UnsummarizedGroup {
            row: index,
            is_complete: is_over || members.all(|run| run.end.is_some()),
            rank: ranks.map_or(0, |sweep| {
                let mut all = sweep.combinations.iter();
                all.position(|one| one.preset == row.name).unwrap_or(0)
            }),
            runs,
        })
    });
    groups.collect()
}

/// The time to the target if it is one of the shown column, by which the runs are judged then.
pub(super) fn judged_time(screen: &RunsScreen, line: &RunRow) -> Option<String> {
    let kind = screen.set().kind(*line.members.first()?, None)?;
    let target = kind.preset.stop_condition()?;
    let is_shown = target.column() == screen.figures.column.as_ref()?.name;
    time_to_target(screen, line).filter(|_| is_shown)
}

/// The generation in which the finished runs of a line have met their target, on average, as the
/// table of groups counts it; with ≥ if some have not met it. `None` if it has none.
pub(super) fn time_to_target(screen: &RunsScreen, line: &RunRow) -> Option<String> {
    let entries = screen.list().entries();
    let first = *line.members.first()?;
    screen.set().kind(first, None)?.preset.stop_condition()?;
    let ends = line.members.iter().filter_map(|&place| entries[place].end);
    let ends: Vec<RunEnd> = ends.collect();
    let times = ends
        .iter()
        .map(|end| end.reached.unwrap_or(end.generations));
    let is_bound = ends.iter().any(|end| end.reached.is_none());
    let sign = if is_bound { "≥" } else { "" };
    let mean = times.sum::<u64>() as f64 / ends.len() as f64;
    (!ends.is_empty()).then(|| format!("{sign}g{}", format::short(mean)))
}

/// A preset whose runs are judged by a column, not by how soon they reach their target.
pub(super) fn without_target(preset: &Preset) -> Arc<Preset> {
    Arc::new(Preset {
        until: String::new(),
        ..preset.clone()
    })
}

/// The figures of those groups that have some.
pub(super) fn summaries(groups: Vec<UnsummarizedGroup>) -> Vec<GroupSummary> {
    let groups = groups.into_iter().filter_map(|group| {
        let summary = group.runs.map_or_else(|runs| runs.summary(), Some)?;
        (summary.n > 0).then_some(GroupSummary {
            row: group.row,
            summary,
            p: None,
            is_too_few: false,
            is_complete: group.is_complete,
            rank: group.rank,
        })
    });
    let mut groups: Vec<GroupSummary> = groups.collect();
    compare(&mut groups);
    groups
}

/// A value of a measure in three digits, in the unit of its column.
pub(super) fn figure(measure: &str, value: f64) -> String {
    let column = column_of(measure);
    if column.is_share() && value > 0.0 && value < 1.0 {
        // Never rounded down to 0% or up to 100%.
        format!("{}%", percentage(value.clamp(0.001, 0.999), 1))
    } else {
        column.figure(value)
    }
}

/// A measure in words: the label of its column, and which of its values.
pub(super) fn measure_words(measure: &str) -> String {
    let until = measure.strip_prefix("generations to ");
    if let Some(until) = until {
        return format!("generations to {}", target_words(until));
    }
    let rest = measure.split_once(' ').map_or("", |(_, rest)| rest);
    format!("{} {rest}", column_of(measure).label).replace('_', " ")
}

/// A target in words: `right moves, all ≥ 100%`.
pub(super) fn target_words(until: &str) -> String {
    let Ok(target) = StopCondition::parse(until) else {
        return until.to_owned();
    };
    let column = column_of(target.column());
    let sign = if target.is_lowest_best() {
        "≤"
    } else {
        "≥"
    };
    format!("{} {sign} {}", column.short, column.figure(target.bound()))
}

/// The mean of a summary, as a value of which the lowest is best.
pub(super) fn badness(summary: &PresetSummary) -> f64 {
    let sign = if is_lowest_best(summary) { 1.0 } else { -1.0 };
    summary.all.map_or(f64::INFINITY, |all| sign * all.mean)
}

/// Whether low values of a summary are better.
fn is_lowest_best(summary: &PresetSummary) -> bool {
    summary.solved.is_some() || column_of(&summary.measure).goal == Goal::Minimize
}

/// Tests every group against the best with the same measure.
fn compare(groups: &mut [GroupSummary]) {
    let Some(first) = groups.first() else { return };
    let measure = first.summary.measure.clone();
    let mean = |group: &GroupSummary| badness(&group.summary);
    let is_tested = |group: &GroupSummary| group.summary.measure == measure && group.is_complete;
    let best = groups.iter().filter(|group| is_tested(group));
    let order = |a: &&GroupSummary, b: &&GroupSummary| {
        let ranks = a.rank.cmp(&b.rank);
        ranks.then(mean(a).total_cmp(&mean(b)))
    };
    let Some(best) = best.min_by(order) else {
        return;
    };
    let (row, best) = (best.row, best.summary.clone());
    let others = groups
        .iter_mut()
        .filter(|group| is_tested(group) && group.row != row);
    let mut tested = Vec::new();
    for group in others {
        if let Some(found) = group.summary.compared(&best) {
            tested.push((group, found));
        }
    }
    let ps: Vec<f64> = tested.iter().map(|(_, found)| found.p).collect();
    for ((group, _), p) in tested.into_iter().zip(holm(&ps)) {
        group.p = Some(p);
        let are_few = is_too_few(p, &ps, [group.summary.n, best.n]);
        group.is_too_few = are_few && !group.summary.has_target();
    }
}

/// Whether the ranks of so many runs of two groups do not differ clearly, as `p` of one of several
/// tests says, and could not: the least p of ranks would be too large, too, in the order of all
/// `tests` (Holm). Where values are tied, p is not exact and can be lower than the least.
fn is_too_few(p: f64, tests: &[f64], [one, other]: [usize; 2]) -> bool {
    let least = least_p(one, other);
    let above = tests.iter().filter(|&&test| test >= least);
    p >= 0.05 && above.count() as f64 * least >= 0.05
}

/// The least two-sided p-value that ranks can have: that of one sample above the other.
fn least_p(one: usize, other: usize) -> f64 {
    let orders = (1..=one).map(|place| (other + place) as f64 / place as f64);
    (2.0 / orders.product::<f64>()).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_too_few_if_no_ranks_of_them_could_differ_clearly() {
        let least = [(2, 2), (3, 3), (4, 4), (1, 0)];
        let least = least.map(|(one, other)| format!("{:.3}", least_p(one, other)));
        assert_eq!(least, ["0.333", "0.100", "0.029", "1.000"]);
        assert!(is_too_few(0.1, &[0.1], [3, 3]));
        assert!(!is_too_few(0.06, &[0.06], [4, 4]), "they could");
        assert!(
            !is_too_few(0.04, &[0.04], [3, 3]),
            "they do, as tied ranks can"
        );
        assert!(is_too_few(0.12, &[0.06, 0.06], [4, 4]), "not in two tests");
        assert!(
            !is_too_few(0.06, &[0.00001, 0.06], [4, 4]),
            "the other test comes first"
        );
    }
}
