//! The summary of an experiment: for each preset the generations to its target, or the final value
//! of a column, and a comparison of the presets. It depends only on the finished runs, so merged
//! shards give the same bytes as a single process.

use serde::Serialize;

use finches_engine::metrics::Column;
use finches_engine::metrics::stats::ranks::{holm, mann_whitney};
use finches_engine::metrics::stats::spread::Spread;
use finches_engine::metrics::stats::survival::{WatchedTime, log_rank};
use finches_engine::metrics::stats::{fisher_exact, wilson};
use finches_engine::preset::Preset;
use finches_engine::rng::{Purpose, stream};
use finches_engine::session::measures::{columns_named, fitness};
use finches_runs::storage::experiments::manifest::RunId;
use finches_runs::storage::experiments::outcome::RunOutcome;

use super::ExperimentError;
use super::collect::CollectedRuns;
use crate::words::{FigureStyle, csv_cell, csv_file, json_file};

/// The summary of an experiment: the content of `summary.json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The seed of the first run of each preset.
    pub first_seed: u64,
    /// Requested runs of each preset.
    pub runs: u64,
    /// In the order of the manifest.
    pub presets: Vec<PresetSummary>,
    /// The pairs of presets with the same measure.
    pub comparisons: Vec<PresetComparison>,
}

/// The summary of one preset.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PresetSummary {
    /// The name of the preset.
    pub preset: String,
    /// What the values are: the generation in which the target was first met, or the latest value
    /// of a column.
    pub measure: String,
    /// Finished runs with a value.
    pub n: usize,
    /// Finished runs without a value.
    pub without: usize,
    /// Runs that met the target; null if the preset has none.
    pub solved: Option<usize>,
    /// The 95% interval of the share of runs that meet it (Wilson).
    pub solved_interval: Option<(f64, f64)>,
    /// Runs that reached the last generation without meeting it.
    pub capped: Option<usize>,
    /// The number of generations after which runs stop.
    pub generations: u64,
    /// Over all runs. A capped run counts as if it had met the target in its last generation. If
    /// there are any, all these values are lower bounds.
    pub all: Option<SummaryStatistics>,
    /// Whether the values in `all` are lower bounds.
    pub is_lower_bound: bool,
    /// The published result and its source.
    pub published: String,
    /// Where the published result is from.
    pub source: String,
    /// Where the preset differs from the publication.
    pub differs: Vec<String>,
    /// In the order of the seeds.
    pub values: Vec<RunValue>,
}

/// The value of one run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunValue {
    /// The seed of the run.
    pub seed: u64,
    /// Number of generations done.
    pub generations: u64,
    /// Null if the run was capped or has no value.
    pub value: Option<f64>,
}

/// Summary statistics of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SummaryStatistics {
    /// The lowest value.
    pub min: f64,
    /// The middle value.
    pub median: f64,
    /// The arithmetic mean.
    pub mean: f64,
    /// The 95% confidence interval of the mean, by the percentile bootstrap; null for fewer than
    /// five values, of which it would be the lowest to the highest.
    pub mean_low: Option<f64>,
    /// The upper end of the same interval.
    pub mean_high: Option<f64>,
    /// The highest value.
    pub max: f64,
}

/// Two presets compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PresetComparison {
    /// The name of the first preset.
    pub a: String,
    /// The name of the second preset.
    pub b: String,
    /// The test of the values: log-rank where they are times to a target, else Mann-Whitney.
    pub test: &'static str,
    /// Its two-sided p-value.
    pub p: f64,
    /// Adjusted for multiple comparisons (Holm).
    pub p_holm: f64,
    /// The probability that a run of `a` has the higher value, ties counted as half.
    pub a12: f64,
    /// The two-sided p-value of a difference in the shares of runs that meet the target (Fisher's
    /// exact test), adjusted in the same way; null if there is none.
    pub solved_p: Option<f64>,
}

/// The values from which on there is an interval of their mean.
const LEAST_FOR_INTERVAL: usize = 5;

/// The seed of the bootstrap resamples.
const SEED: u64 = 0;

impl Summary {
    /// Summarizes finished runs. `column` is compared for presets without a target; by default the
    /// objective.
    pub fn of(runs: &CollectedRuns<'_>, column: Option<&str>) -> Result<Self, ExperimentError> {
        let presets = PresetSummary::all(runs, column)?;
        Ok(Self {
            first_seed: runs.manifest.first_seed,
            runs: runs.manifest.runs,
            comparisons: compare(&presets),
            presets,
        })
    }

    /// The text of `summary.json`.
    pub fn json(&self) -> String {
        json_file(self)
    }

    /// The text of `summary.csv`: one line per preset.
    pub fn csv(&self) -> String {
        csv_file(
            PresetSummary::HEADER.split(','),
            self.presets.iter().map(PresetSummary::fields),
        )
    }
}

impl PresetSummary {
    /// The names of [`PresetSummary::fields`].
    pub const HEADER: &str = "preset,measure,n,without,solved,solved_low,solved_high,capped,\
        generations,is_lower_bound,min,median,mean,mean_low,mean_high,max,published,source,differs";

    /// A summary of each preset of an experiment.
    pub(super) fn all(
        runs: &CollectedRuns<'_>,
        column: Option<&str>,
    ) -> Result<Vec<Self>, ExperimentError> {
        let presets = runs.manifest.presets.iter().enumerate();
        let summary = |(index, preset)| {
            let own = runs.of_preset(index).map(|run| (run.id, &run.outcome));
            Self::of((index, preset), &own.collect::<Vec<_>>(), column)
        };
        presets.map(summary).collect()
    }

    /// The summary of the preset at this index of the experiment, from its finished runs ordered by
    /// seed.
    pub fn of(
        (index, preset): (usize, &Preset),
        finished: &[(RunId, &RunOutcome)],
        column: Option<&str>,
    ) -> Result<Self, ExperimentError> {
        let has_target = preset.stop_condition().is_some();
        let (measure, values) = if has_target {
            times_to_target(preset, finished)
        } else {
            latest_values(preset, finished, column)?
        };
        let counted = values.iter().filter_map(|run| run.counted(has_target));
        let all: Vec<f64> = counted.collect();
        let known = values.iter().filter(|run| run.value.is_some()).count();
        let missing = values.len() - known;
        let of_target = |count: usize| has_target.then_some(count);
        Ok(Self {
            preset: preset.name.clone(),
            measure,
            n: all.len(),
            without: values.len() - all.len(),
            solved: of_target(known),
            solved_interval: of_target(known).map(|solved| {
                let share = solved as f64 / values.len().max(1) as f64;
                wilson(share, values.len() as u32)
            }),
            capped: of_target(missing),
            generations: preset.generations,
            all: SummaryStatistics::of(&all, index),
            is_lower_bound: has_target && missing > 0,
            published: preset.published.clone(),
            source: preset.source.clone(),
            differs: preset.differs.clone(),
            values,
        })
    }

    /// Whether the lowest value, the median, the mean and the highest value are lower bounds,
    /// because runs without the target count with the highest value.
    pub fn bounds(&self) -> [bool; 4] {
        let capped = self.capped.unwrap_or(0);
        [self.n, self.n - self.n / 2, 1, 1].map(|least| capped >= least.max(1))
    }

    /// Whether its values are times to a target.
    pub fn has_target(&self) -> bool {
        self.solved.is_some()
    }

    /// The times to the target, up to a number of generations.
    pub fn times(&self, most: u64) -> Vec<WatchedTime> {
        let time = |run: &RunValue| {
            let met = run.value.filter(|&at| at < most as f64);
            WatchedTime {
                at: met.unwrap_or(run.generations.min(most) as f64),
                is_event: met.is_some(),
            }
        };
        self.values.iter().map(time).collect()
    }

    /// The values of all runs that have one. A run without the target counts with its number of
    /// generations.
    fn counted(&self) -> Vec<f64> {
        let values = self.values.iter();
        values
            .filter_map(|run| run.counted(self.has_target()))
            .collect()
    }

    /// A comparison with another preset with the same measure, not adjusted for others; `None` if
    /// one of them has no values. If their runs stop at different generations, those of both end at
    /// the earlier one: later targets and missing targets are ties then, since their order is
    /// unknown.
    pub fn compared(&self, other: &Self) -> Option<PresetComparison> {
        let most = self.generations.min(other.generations);
        let times = [self, other].map(|one| one.times(most));
        let values = if self.has_target() {
            times
                .each_ref()
                .map(|all| all.iter().map(|time| time.at).collect())
        } else {
            [self, other].map(Self::counted)
        };
        let ranks = mann_whitney(&values[0], &values[1])?;
        let (test, p) = if self.has_target() {
            ("log-rank", log_rank(&times[0], &times[1])?)
        } else {
            ("Mann-Whitney", ranks.p)
        };
        let solved = times.map(|all| (all.iter().filter(|one| one.is_event).count(), all.len()));
        Some(PresetComparison {
            a: self.preset.clone(),
            b: other.preset.clone(),
            test,
            p,
            p_holm: p,
            a12: ranks.effect,
            solved_p: self.has_target().then(|| fisher_exact(solved)),
        })
    }

    /// The figures as fields of a CSV file.
    pub fn fields(&self) -> Vec<String> {
        let mut fields = vec![
            self.preset.clone(),
            self.measure.clone(),
            self.n.to_string(),
            self.without.to_string(),
            csv_cell(self.solved),
            csv_cell(self.solved_interval.map(|ends| ends.0)),
            csv_cell(self.solved_interval.map(|ends| ends.1)),
            csv_cell(self.capped),
            self.generations.to_string(),
            self.is_lower_bound.to_string(),
        ];
        fields.extend(SummaryStatistics::fields(self.all));
        let differs = self.differs.join(" ");
        fields.extend([self.published.clone(), self.source.clone(), differs]);
        fields
    }
}

impl RunValue {
    /// The value, or the number of generations of a run that has not met its target.
    pub fn counted(&self, has_target: bool) -> Option<f64> {
        let capped = || has_target.then_some(self.generations as f64);
        self.value.or_else(capped)
    }
}

impl SummaryStatistics {
    /// The figures in the order of the CSV files; empty if there are none.
    pub(super) fn fields(stats: Option<Self>) -> [String; 6] {
        let figures = stats.map_or([None; 6], |stats| {
            let [min, median, mean] = [stats.min, stats.median, stats.mean].map(Some);
            [
                min,
                median,
                mean,
                stats.mean_low,
                stats.mean_high,
                Some(stats.max),
            ]
        });
        figures.map(csv_cell)
    }

    /// The interval of the mean in words; `None` for few values.
    pub(crate) fn ends(&self, style: FigureStyle) -> Option<String> {
        let ends = self.mean_low.zip(self.mean_high);
        ends.map(|ends| style.ends(ends))
    }

    fn of(values: &[f64], index: usize) -> Option<Self> {
        let mut rng = stream(SEED, Purpose::Bootstrap, index as u64, 0);
        Spread::of(values, &mut rng).map(|spread| {
            let interval = spread
                .interval
                .filter(|_| values.len() >= LEAST_FOR_INTERVAL);
            Self {
                min: spread.min,
                median: spread.median,
                mean: spread.mean,
                mean_low: interval.map(|ends| ends.0),
                mean_high: interval.map(|ends| ends.1),
                max: spread.max,
            }
        })
    }
}

/// What is measured of runs, and the values of each.
type MeasuredRuns = (String, Vec<RunValue>);

/// The generations in which runs have met their target.
fn times_to_target(preset: &Preset, runs: &[(RunId, &RunOutcome)]) -> MeasuredRuns {
    let value = |outcome: &RunOutcome| outcome.reached.map(|generation| generation as f64);
    let measure = format!("generations to {}", preset.until.trim());
    (measure, run_values(runs, value))
}

/// The latest values of a column, by default the objective.
fn latest_values(
    preset: &Preset,
    runs: &[(RunId, &RunOutcome)],
    column: Option<&str>,
) -> Result<MeasuredRuns, ExperimentError> {
    let column = column.map_or_else(|| objective_column(preset), |column| Ok(column.to_owned()))?;
    let values = run_values(runs, |outcome| outcome.latest.get(&column).copied());
    if !values.is_empty() && values.iter().all(|value| value.value.is_none()) {
        let known: Vec<&str> = runs[0].1.latest.keys().map(String::as_str).collect();
        return Err(ExperimentError::Usage(format!(
            "{} has no column `{column}`; the columns are {}",
            preset.name,
            known.join(", ")
        )));
    }
    Ok((format!("{column} at the last generation"), values))
}

fn run_values(
    runs: &[(RunId, &RunOutcome)],
    value: impl Fn(&RunOutcome) -> Option<f64>,
) -> Vec<RunValue> {
    let run_value = |(id, outcome): &(RunId, &RunOutcome)| RunValue {
        seed: id.seed,
        generations: outcome.generations,
        value: value(outcome),
    };
    runs.iter().map(run_value).collect()
}

/// The name of the column that a measure is about: its first word.
pub(super) fn column_name(measure: &str) -> &str {
    measure.split(' ').next().unwrap_or_default()
}

/// The column that a measure is about.
pub fn column_of(measure: &str) -> Column {
    columns_named(&[column_name(measure)]).all()[0].clone()
}

/// The objective column of a preset's runs, or `best_fitness` if there is none.
pub fn objective_column(preset: &Preset) -> Result<String, ExperimentError> {
    let columns = super::columns(preset)?;
    let objective = columns.objective_column();
    let name = objective.map_or(fitness::BEST.name, |column| &column.name);
    Ok(name.to_owned())
}

/// Compares every two presets with the same measure.
fn compare(presets: &[PresetSummary]) -> Vec<PresetComparison> {
    let mut pairs = Vec::new();
    for (index, a) in presets.iter().enumerate() {
        let others = presets[index + 1..].iter();
        let others = others.filter(|b| b.measure == a.measure);
        pairs.extend(others.filter_map(|b| a.compared(b)));
    }
    let adjusted = |chances: Vec<f64>| holm(&chances).into_iter();
    let values = adjusted(pairs.iter().map(|pair| pair.p).collect());
    let mut shares = adjusted(pairs.iter().filter_map(|pair| pair.solved_p).collect());
    for (pair, p) in pairs.iter_mut().zip(values) {
        pair.p_holm = p;
        pair.solved_p = pair.solved_p.and_then(|_| shares.next());
    }
    pairs
}
