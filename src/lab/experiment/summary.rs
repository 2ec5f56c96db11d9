//! The summary of an experiment: for each preset the generations to its target, or the final value
//! of a column, and a comparison of the presets. It depends only on the finished runs, so merged
//! shards give the same bytes as a single process.

use serde::Serialize;

use finches_engine::metrics::Column;
use finches_engine::metrics::csv_text::csv_text;
use finches_engine::metrics::stats::ranks::{holm, mann_whitney};
use finches_engine::metrics::stats::spread::Spread;
use finches_engine::preset::Preset;
use finches_engine::rng::{Purpose, stream};
use finches_engine::session::measures::{columns_named, fitness};
use finches_runs::storage::experiments::manifest::RunId;
use finches_runs::storage::experiments::outcome::RunOutcome;

use super::ExperimentError;
use super::collect::CollectedRuns;

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
    /// Runs that reached the last generation without meeting it.
    pub capped: Option<usize>,
    /// The number of generations after which runs stop.
    pub generations: u64,
    /// Over all runs. A capped run counts as if it had met the target in its last generation. If
    /// there are any, all these values are lower bounds.
    pub all: Option<SummaryStatistics>,
    /// Whether the values in `all` are lower bounds.
    pub is_lower_bound: bool,
    /// Over the runs that met the target.
    pub of_solved: Option<SummaryStatistics>,
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
    /// The 95% confidence interval of the mean, by the percentile bootstrap.
    pub mean_low: f64,
    /// The upper end of the same interval.
    pub mean_high: f64,
    /// The highest value.
    pub max: f64,
}

/// Two presets compared by the Mann-Whitney U test.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PresetComparison {
    /// The name of the first preset.
    pub a: String,
    /// The name of the second preset.
    pub b: String,
    /// The test statistic of `a`.
    pub u: f64,
    /// Two-sided.
    pub p: f64,
    /// Adjusted for multiple comparisons (Holm).
    pub p_holm: f64,
    /// The probability that a run of `a` has the higher value, ties counted as half.
    pub a12: f64,
}

/// The seed of the bootstrap resamples.
const SEED: u64 = 0;

impl Summary {
    /// Summarizes finished runs. `column` is compared for presets without a target; by default the
    /// objective.
    pub fn of(runs: &CollectedRuns<'_>, column: Option<&str>) -> Result<Self, ExperimentError> {
        let presets = runs.manifest.presets.iter().enumerate();
        let groups: Result<Vec<PresetRuns<'_>>, ExperimentError> = presets
            .map(|(index, preset)| {
                let own = runs.of_preset(index).map(|run| (run.id, &run.outcome));
                PresetRuns::new(preset, &own.collect::<Vec<_>>(), column)
            })
            .collect();
        let groups = groups?;
        Ok(Self {
            first_seed: runs.manifest.first_seed,
            runs: runs.manifest.runs,
            comparisons: compare(&groups),
            presets: groups
                .into_iter()
                .enumerate()
                .map(|(index, group)| group.line(index))
                .collect(),
        })
    }

    /// The text of `summary.json`.
    pub fn json(&self) -> String {
        let text = serde_json::to_string_pretty(self);
        text.expect("names and numbers are JSON") + "\n"
    }

    /// The text of `summary.csv`: one line per preset.
    pub fn csv(&self) -> String {
        let header = HEADER.map(ToOwned::to_owned).to_vec();
        csv_text(
            [header]
                .into_iter()
                .chain(self.presets.iter().map(PresetSummary::fields)),
        )
    }
}

const HEADER: [&str; 23] = [
    "preset",
    "measure",
    "n",
    "without",
    "solved",
    "capped",
    "generations",
    "is_lower_bound",
    "min",
    "median",
    "mean",
    "mean_low",
    "mean_high",
    "max",
    "solved_min",
    "solved_median",
    "solved_mean",
    "solved_mean_low",
    "solved_mean_high",
    "solved_max",
    "published",
    "source",
    "differs",
];

impl PresetSummary {
    /// The summary of the preset at this index of the experiment, from its finished runs ordered by
    /// seed.
    pub fn of(
        (index, preset): (usize, &Preset),
        finished: &[(RunId, &RunOutcome)],
        column: Option<&str>,
    ) -> Result<Self, ExperimentError> {
        Ok(PresetRuns::new(preset, finished, column)?.line(index))
    }

    fn fields(&self) -> Vec<String> {
        let count = |count: Option<usize>| count.map_or_else(String::new, |n| n.to_string());
        let mut fields = vec![
            self.preset.clone(),
            self.measure.clone(),
            self.n.to_string(),
            self.without.to_string(),
            count(self.solved),
            count(self.capped),
            self.generations.to_string(),
            self.is_lower_bound.to_string(),
        ];
        for stats in [self.all, self.of_solved] {
            fields.extend(SummaryStatistics::fields(stats));
        }
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
        let texts = stats.map(|stats| stats.all().map(|figure| figure.to_string()));
        texts.unwrap_or([const { String::new() }; 6])
    }

    fn all(self) -> [f64; 6] {
        [
            self.min,
            self.median,
            self.mean,
            self.mean_low,
            self.mean_high,
            self.max,
        ]
    }

    fn of(values: &[f64], index: usize, group: u64) -> Option<Self> {
        let mut rng = stream(SEED, Purpose::Bootstrap, index as u64, group);
        Spread::of(values, &mut rng).map(|spread| Self {
            min: spread.min,
            median: spread.median,
            mean: spread.mean,
            mean_low: spread.interval.0,
            mean_high: spread.interval.1,
            max: spread.max,
        })
    }
}

/// The values of one preset's runs.
struct PresetRuns<'a> {
    preset: &'a Preset,
    measure: String,
    has_target: bool,
    values: Vec<RunValue>,
}

impl<'a> PresetRuns<'a> {
    fn new(
        preset: &'a Preset,
        runs: &[(RunId, &RunOutcome)],
        column: Option<&str>,
    ) -> Result<Self, ExperimentError> {
        let has_target = preset.stop_condition().is_some();
        let value = |(id, outcome): &(RunId, &RunOutcome), value| RunValue {
            seed: id.seed,
            generations: outcome.generations,
            value,
        };
        if has_target {
            let reached = |run: &(RunId, &RunOutcome)| {
                value(run, run.1.reached.map(|generation| generation as f64))
            };
            return Ok(Self {
                preset,
                measure: format!("generations to {}", preset.until.trim()),
                has_target,
                values: runs.iter().map(reached).collect(),
            });
        }
        let column =
            column.map_or_else(|| objective_column(preset), |column| Ok(column.to_owned()))?;
        let figure = |run: &(RunId, &RunOutcome)| value(run, run.1.latest.get(&column).copied());
        let values: Vec<RunValue> = runs.iter().map(figure).collect();
        if !values.is_empty() && values.iter().all(|value| value.value.is_none()) {
            let known: Vec<&str> = runs[0].1.latest.keys().map(String::as_str).collect();
            return Err(ExperimentError::Usage(format!(
                "{} has no column `{column}`; the columns are {}",
                preset.name,
                known.join(", ")
            )));
        }
        Ok(Self {
            preset,
            measure: format!("{column} at the last generation"),
            has_target,
            values,
        })
    }

    /// The values of all runs; a run without the target counts with its number of generations.
    fn all(&self) -> Vec<f64> {
        let values = self.values.iter();
        values
            .filter_map(|value| value.counted(self.has_target))
            .collect()
    }

    fn line(self, index: usize) -> PresetSummary {
        let (all, known) = (self.all(), self.values.iter());
        let known: Vec<f64> = known.filter_map(|value| value.value).collect();
        let missing = self.values.len() - known.len();
        let of_target = |count: usize| self.has_target.then_some(count);
        PresetSummary {
            preset: self.preset.name.clone(),
            measure: self.measure,
            n: all.len(),
            without: self.values.len() - all.len(),
            solved: of_target(known.len()),
            capped: of_target(missing),
            generations: self.preset.generations,
            all: SummaryStatistics::of(&all, index, 0),
            is_lower_bound: self.has_target && missing > 0,
            of_solved: of_target(0).and_then(|_| SummaryStatistics::of(&known, index, 1)),
            published: self.preset.published.clone(),
            source: self.preset.source.clone(),
            differs: self.preset.differs.clone(),
            values: self.values,
        }
    }
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

/// Compares every two presets with the same measure. If their runs stop at different generations,
/// all values are capped at the earlier one: later targets and missing targets are ties then, since
/// their order is unknown.
fn compare(groups: &[PresetRuns<'_>]) -> Vec<PresetComparison> {
    let mut pairs = Vec::new();
    for (index, a) in groups.iter().enumerate() {
        for b in groups[index + 1..]
            .iter()
            .filter(|b| b.measure == a.measure)
        {
            let cap = a.preset.generations.min(b.preset.generations) as f64;
            let cut = |group: &PresetRuns<'_>| -> Vec<f64> {
                let values = group.all().into_iter();
                values
                    .map(|value| {
                        if group.has_target {
                            value.min(cap)
                        } else {
                            value
                        }
                    })
                    .collect()
            };
            let Some(found) = mann_whitney(&cut(a), &cut(b)) else {
                continue;
            };
            pairs.push(PresetComparison {
                a: a.preset.name.clone(),
                b: b.preset.name.clone(),
                u: found.u,
                p: found.p,
                p_holm: found.p,
                a12: found.effect,
            });
        }
    }
    let chances: Vec<f64> = pairs.iter().map(|pair| pair.p).collect();
    for (pair, raised) in pairs.iter_mut().zip(holm(&chances)) {
        pair.p_holm = raised;
    }
    pairs
}
