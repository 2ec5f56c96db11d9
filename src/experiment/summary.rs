//! What the runs of an experiment come to: per preset how long they took to the target, or where a column ended, and which
//! presets differ. A function of the finished runs alone, so that shards put together give the same bytes as one process.

use serde::Serialize;

use crate::metrics::stats::ranks::{holm, mann_whitney};
use crate::metrics::stats::spread::Spread;
use crate::preset::Preset;
use crate::rng::{Purpose, stream};
use crate::storage::experiments::manifest::Cell;
use crate::storage::experiments::outcome::Outcome;

use super::Fault;
use super::collect::Runs;

/// The summary of an experiment: the content of `summary.json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    pub first_seed: u64,
    /// Runs asked for of each preset.
    pub runs: u64,
    pub presets: Vec<Line>,
    pub comparisons: Vec<Pair>,
}

/// A preset's part of the summary.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    pub preset: String,
    /// What the figures are: the generation in which the target was met first, or the latest figure of a column.
    pub measure: String,
    /// Finished runs that have the measure.
    pub n: usize,
    /// Finished runs without a figure in the column.
    pub without: usize,
    /// Runs that met the target; null where there is none.
    pub solved: Option<usize>,
    /// Runs that ended at the last generation without it.
    pub capped: Option<usize>,
    /// The generation at which runs stop.
    pub generations: u64,
    /// Over all runs. A capped run counts as its last generation would be the target, so that with any of them every figure
    /// here is a lower bound.
    pub all: Option<Figures>,
    pub is_lower_bound: bool,
    /// Over the runs that met the target alone.
    pub of_solved: Option<Figures>,
    /// What the publication found, and the place in it.
    pub published: String,
    pub source: String,
    pub values: Vec<Value>,
}

/// One run's part of the summary.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Value {
    pub seed: u64,
    /// Generations done.
    pub generations: u64,
    /// The measure; null where the run was capped or has no figure.
    pub value: Option<f64>,
}

/// How numbers spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figures {
    pub min: f64,
    pub median: f64,
    pub mean: f64,
    /// The 95 % interval of the mean, by the percentile bootstrap.
    pub mean_low: f64,
    pub mean_high: f64,
    pub max: f64,
}

/// Two presets compared by the Mann-Whitney U test.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pair {
    pub a: String,
    pub b: String,
    pub u: f64,
    /// Two-sided.
    pub p: f64,
    /// Raised for the number of comparisons.
    pub p_holm: f64,
    /// The chance that a run of `a` has the higher figure, ties counting half.
    pub a12: f64,
}

/// The resamples of every summary come from this seed.
const SEED: u64 = 0;

impl Summary {
    /// Sums up finished runs; `column` is what is compared where a preset has no target, by default the objective.
    pub fn of(runs: &Runs<'_>, column: Option<&str>) -> Result<Self, Fault> {
        let presets = runs.manifest.presets.iter().enumerate();
        let lots: Result<Vec<Lot<'_>>, Fault> = presets
            .map(|(place, preset)| {
                let own = runs.of(place).map(|run| (run.cell, &run.outcome));
                Lot::new(preset, &own.collect::<Vec<_>>(), column)
            })
            .collect();
        let lots = lots?;
        Ok(Self {
            first_seed: runs.manifest.first_seed,
            runs: runs.manifest.runs,
            comparisons: compare(&lots),
            presets: lots
                .into_iter()
                .enumerate()
                .map(|(place, lot)| lot.line(place))
                .collect(),
        })
    }

    /// The text of `summary.json`.
    pub fn json(&self) -> String {
        let text = serde_json::to_string_pretty(self);
        text.expect("names and numbers are JSON") + "\n"
    }

    /// The text of `summary.csv`: a line per preset.
    pub fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let mut write = |fields: Vec<String>| {
            let written = writer.write_record(&fields);
            written.expect("every line has the same number of fields");
        };
        write(HEADER.map(ToOwned::to_owned).to_vec());
        for line in &self.presets {
            write(line.fields());
        }
        let bytes = writer.into_inner().expect("memory takes everything");
        String::from_utf8(bytes).expect("all fields are text")
    }
}

const HEADER: [&str; 22] = [
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
];

impl Line {
    /// The part of the preset at this place of an experiment, by the runs of it that are finished, in the order of their seeds.
    pub fn of(
        (place, preset): (usize, &Preset),
        finished: &[(Cell, &Outcome)],
        column: Option<&str>,
    ) -> Result<Self, Fault> {
        Ok(Lot::new(preset, finished, column)?.line(place))
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
        for figures in [self.all, self.of_solved] {
            match figures {
                Some(figures) => fields.extend(figures.all().map(|figure| figure.to_string())),
                None => fields.extend([const { String::new() }; 6]),
            }
        }
        fields.extend([self.published.clone(), self.source.clone()]);
        fields
    }
}

impl Figures {
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

    fn of(values: &[f64], place: usize, lot: u64) -> Option<Self> {
        let mut rng = stream(SEED, Purpose::Bootstrap, place as u64, lot);
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

/// The runs of one preset by what is measured.
struct Lot<'a> {
    preset: &'a Preset,
    measure: String,
    has_target: bool,
    values: Vec<Value>,
}

impl<'a> Lot<'a> {
    fn new(
        preset: &'a Preset,
        runs: &[(Cell, &Outcome)],
        column: Option<&str>,
    ) -> Result<Self, Fault> {
        let has_target = preset.target().is_some();
        let value = |(cell, outcome): &(Cell, &Outcome), value| Value {
            seed: cell.seed,
            generations: outcome.generations,
            value,
        };
        if has_target {
            let reached = |run: &(Cell, &Outcome)| {
                value(run, run.1.reached.map(|generation| generation as f64))
            };
            return Ok(Self {
                preset,
                measure: format!("generations to {}", preset.until.trim()),
                has_target,
                values: runs.iter().map(reached).collect(),
            });
        }
        let column = column.map_or_else(|| objective(preset), |column| Ok(column.to_owned()))?;
        let figure = |run: &(Cell, &Outcome)| value(run, run.1.latest.get(&column).copied());
        let values: Vec<Value> = runs.iter().map(figure).collect();
        if !values.is_empty() && values.iter().all(|value| value.value.is_none()) {
            let known: Vec<&str> = runs[0].1.latest.keys().map(String::as_str).collect();
            return Err(Fault::Usage(format!(
                "{} has no column `{column}`; there are {}",
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

    /// All runs, those without the target at the number of generations they had.
    fn all(&self) -> Vec<f64> {
        let capped = |value: &Value| self.has_target.then_some(value.generations as f64);
        let values = self.values.iter();
        values
            .filter_map(|value| value.value.or_else(|| capped(value)))
            .collect()
    }

    fn line(self, place: usize) -> Line {
        let (all, known) = (self.all(), self.values.iter());
        let known: Vec<f64> = known.filter_map(|value| value.value).collect();
        let missing = self.values.len() - known.len();
        let of_target = |count: usize| self.has_target.then_some(count);
        Line {
            preset: self.preset.name.clone(),
            measure: self.measure,
            n: all.len(),
            without: self.values.len() - all.len(),
            solved: of_target(known.len()),
            capped: of_target(missing),
            generations: self.preset.generations,
            all: Figures::of(&all, place, 0),
            is_lower_bound: self.has_target && missing > 0,
            of_solved: of_target(0).and_then(|_| Figures::of(&known, place, 1)),
            published: self.preset.published.clone(),
            source: self.preset.source.clone(),
            values: self.values,
        }
    }
}

/// The column that a preset's runs are judged by; one that every run has where there is none.
pub fn objective(preset: &Preset) -> Result<String, Fault> {
    let columns = super::columns(preset)?;
    let place = columns.objective();
    let name = place.map_or("best_fitness", |place| &columns.all()[place].name);
    Ok(name.to_owned())
}

/// Every two presets with the same measure. Where runs stop at different generations, both lots are cut at the earlier one:
/// later targets and none at all are ties there, since nobody knows which would have come first.
fn compare(lots: &[Lot<'_>]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (place, a) in lots.iter().enumerate() {
        for b in lots[place + 1..].iter().filter(|b| b.measure == a.measure) {
            let cap = a.preset.generations.min(b.preset.generations) as f64;
            let cut = |lot: &Lot<'_>| -> Vec<f64> {
                let values = lot.all().into_iter();
                values
                    .map(|value| {
                        if lot.has_target {
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
            pairs.push(Pair {
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
