//! What a change of parameters does: the differences between the branches of a fork, with the
//! change minus without, over pairs of finished runs with the same seed.

use std::fmt::Write as _;

use serde::Serialize;

use finches_engine::metrics::history::History;
use finches_engine::metrics::stats::paired::MeanDifference;
use finches_engine::metrics::{Column, Columns, Row};
use finches_engine::text::{self, counted, short};
use finches_runs::storage::experiments::fork::ForkDefinition;

use super::describe;
use crate::experiment::collect::{CollectedRuns, FinishedRun};
use crate::experiment::summary::column_of;
use crate::experiment::{ExperimentError, columns};
use crate::words::{csv_cell, csv_file, json_file};

/// The difference in a column.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ForkDifference {
    /// The difference of the latest values.
    pub at_end: MeanDifference,
    /// The difference of the means over all generations from the fork on.
    pub on_average: MeanDifference,
}

impl ForkDifference {
    /// Of a column over pairs of runs, without and with the change; `None` if it has no values.
    pub fn of(pairs: &[[&History; 2]], column: usize) -> Option<Self> {
        Some(Self {
            at_end: at_end(pairs, column)?,
            on_average: difference(pairs, |run| run.mean(column))?,
        })
    }
}

/// The difference of the latest values of a column: see [`ForkDifference::of`].
pub fn at_end(pairs: &[[&History; 2]], column: usize) -> Option<MeanDifference> {
    difference(pairs, |run| run.last(column))
}

fn difference(
    pairs: &[[&History; 2]],
    value: impl Fn(&History) -> Option<f64>,
) -> Option<MeanDifference> {
    let minus = |&[without, with]: &[&History; 2]| Some(value(with)? - value(without)?);
    MeanDifference::of(&pairs.iter().filter_map(minus).collect::<Vec<_>>())
}

/// The differences of a fork: the content of `fork.json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ForkResults {
    /// The name of the run.
    pub run: String,
    /// The first and the last generation of the branches.
    pub generations: [u64; 2],
    /// The change in words.
    pub change: String,
    /// The number of pairs of finished runs.
    pub pairs: usize,
    /// The columns that differ, and the objective, which comes first.
    pub columns: Vec<ColumnDifference>,
}

/// A column and its difference.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ColumnDifference {
    /// The name of the column.
    pub column: String,
    /// Its difference.
    #[serde(flatten)]
    pub difference: ForkDifference,
}

impl ForkResults {
    /// The words above the columns of a table.
    pub const HEAD: [&str; 5] = [
        "with minus without",
        "at the end",
        "95% interval",
        "on average",
        "95% interval",
    ];

    /// The differences of the finished runs.
    ///
    /// # Errors
    ///
    /// A file of a run that can't be read.
    pub fn of(runs: &CollectedRuns<'_>, fork: &ForkDefinition) -> Result<Self, ExperimentError> {
        let columns = columns(&fork.preset)?;
        let mut pairs = Vec::new();
        for without in runs.of_preset(0) {
            let mut others = runs.of_preset(1);
            if let Some(with) = others.find(|with| with.id.seed == without.id.seed) {
                pairs.push([history(without, &columns)?, history(with, &columns)?]);
            }
        }
        let pairs: Vec<[&History; 2]> = pairs.iter().map(<[History; 2]>::each_ref).collect();
        let objective = columns.objective();
        let others = (0..columns.all().len()).filter(|column| Some(*column) != objective);
        let differences = objective.into_iter().chain(others).filter_map(|column| {
            let difference = ForkDifference::of(&pairs, column)?;
            let differs = difference.at_end.mean != 0.0 || difference.on_average.mean != 0.0;
            (differs || Some(column) == objective).then(|| ColumnDifference {
                column: columns.all()[column].name.clone(),
                difference,
            })
        });
        Ok(Self {
            run: fork.run.clone(),
            generations: [fork.generation, runs.manifest.presets[0].generations - 1],
            change: describe(&fork.changes),
            columns: differences.collect(),
            pairs: pairs.len(),
        })
    }

    /// The run, the generations, the seeds and the change.
    pub fn title(&self) -> String {
        let ([first, last], seeds) = (self.generations, counted(self.pairs, "seed"));
        let (run, change) = (&self.run, &self.change);
        format!("{run} from generation {first} to {last}, {seeds}: {change}")
    }

    /// The rows of a table, below [`Self::HEAD`].
    pub fn rows(&self) -> Vec<[String; 5]> {
        let row = |one: &ColumnDifference| {
            let column = column_of(&one.column);
            let words = |one: MeanDifference| {
                let interval = interval_words(&column, &one);
                let interval = interval.unwrap_or_else(|| "- (one seed)".to_owned());
                (change_words(&column, one.mean), interval)
            };
            let [at_end, mean] = [one.difference.at_end, one.difference.on_average].map(words);
            [column.label, at_end.0, at_end.1, mean.0, mean.1]
        };
        self.columns.iter().map(row).collect()
    }

    /// The title and the table, as they are printed.
    pub fn table(&self) -> String {
        let mut text = format!("{}\n\n", self.title());
        let rows = self.rows();
        let head = Self::HEAD.map(str::to_owned);
        for [name, at_end, end_interval, mean, interval] in [&head].into_iter().chain(&rows) {
            writeln!(
                text,
                "{name:<34}{at_end:>13}  {end_interval:<18}{mean:>13}  {interval}"
            )
            .expect("writing to a string cannot fail");
        }
        if rows.is_empty() {
            text += "no column differs\n";
        }
        text
    }

    /// The text of `fork.json`.
    pub fn json(&self) -> String {
        json_file(self)
    }

    /// The text of `fork.csv`: a line for each column.
    pub fn csv(&self) -> String {
        const HEAD: &str = "column,pairs,at_end,at_end_low,at_end_high,on_average,on_average_low,\
            on_average_high";
        let figures = |one: MeanDifference| {
            let [low, high] = [one.interval.map(|it| it.0), one.interval.map(|it| it.1)];
            [Some(one.mean), low, high].map(csv_cell)
        };
        let line = |one: &ColumnDifference| {
            let own = [one.column.clone(), self.pairs.to_string()];
            let ForkDifference { at_end, on_average } = one.difference;
            let figures = [figures(at_end), figures(on_average)].into_iter().flatten();
            own.into_iter().chain(figures).collect()
        };
        csv_file(HEAD.split(','), self.columns.iter().map(line))
    }
}

/// The rows of a run, of which only the latest values and the means are wanted.
fn history(run: &FinishedRun<'_>, columns: &Columns) -> Result<History, ExperimentError> {
    let (names, rows) = run.rows()?;
    let place = |name: &str| names.iter().position(|known| known == name);
    let places: Vec<Option<usize>> = columns.names().map(place).collect();
    let mut history = History::bounded(places.len(), 2);
    for row in rows {
        let values = places.iter().map(|place| row.values()[(*place)?]);
        history.push(&Row::from_values(values.collect()));
    }
    Ok(history)
}

/// The interval of a difference, of shares in points; `None` without one.
pub fn interval_words(column: &Column, difference: &MeanDifference) -> Option<String> {
    let (low, high) = difference.interval?;
    // One that leaves out 0 does not end at it.
    let is_fine = difference.is_clear() && low.abs().min(high.abs()) < 5e-4;
    let digits = if is_fine { 2 } else { 1 };
    let words = |end: f64| {
        if column.is_share() {
            text::signed((end * 100.0) as f32, digits)
        } else {
            signed(column, end)
        }
    };
    Some(format!("{} to {}", words(low), words(high)))
}

/// A change of a column, of a share in points.
pub fn change_words(column: &Column, change: f64) -> String {
    let unit = if column.is_share() { " points" } else { "" };
    signed(column, change) + unit
}

/// A change of a column with its sign, without its unit.
pub fn signed(column: &Column, change: f64) -> String {
    if column.is_share() {
        return text::signed((change * 100.0) as f32, 1);
    }
    let size = short(change.abs());
    match size.as_str() {
        "0" => size,
        _ if change < 0.0 => format!("-{size}"),
        _ => format!("+{size}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_that_leaves_out_0_does_not_end_at_it() {
        let column = column_of("accuracy_states");
        let check = |low: f64, high: f64, expected: &str| {
            let difference = MeanDifference {
                pairs: 10,
                mean: f64::midpoint(low, high),
                interval: Some((low, high)),
            };
            let words = interval_words(&column, &difference);
            assert_eq!(words.as_deref(), Some(expected));
        };
        check(-0.005, -0.0004, "-0.50 to -0.04");
        check(-0.005, 0.0004, "-0.5 to 0.0");
        check(0.001, 0.005, "+0.1 to +0.5");
    }
}
