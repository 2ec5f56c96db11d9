//! Charts of how the values of columns are distributed over runs: bars, boxes and 2-D histograms.

use crate::experiment::ExperimentError;
use crate::experiment::plot::Chart;
use finches_engine::metrics::progress_unit::ProgressUnit;

use super::charts::{BarChart, BoxChart, HistogramChart, five_numbers, in_words};
use super::measure::{NamedValue, RunColumns};
use super::page::PageBlock;
use super::paper::{CurveSheet, PaperItem, ValueGroups};
use super::render::PaperWriter;
use super::source::{Name, listed};
use crate::words::{FigureStyle, number};

impl PaperWriter<'_> {
    /// All values of a column in the runs of a preset, with where they are.
    fn values(&self, preset: &str, column: &str, over: ProgressUnit) -> Vec<Vec<(f64, f64)>> {
        let runs = self.columns.get(preset).into_iter().flatten();
        runs.map(|run| run.series(column, over)).collect()
    }

    /// Bars of how often a column has which value.
    pub(super) fn shares(
        &self,
        item: &PaperItem,
        groups: &ValueGroups,
    ) -> Result<PageBlock, ExperimentError> {
        let share = |preset: &str, wanted: f64| {
            let runs = self.values(preset, &groups.column, ProgressUnit::Generations);
            let all: Vec<f64> = runs.into_iter().flatten().map(|(_, value)| value).collect();
            let met = all.iter().filter(|value| is(**value, wanted)).count();
            met as f64 / all.len().max(1) as f64
        };
        let part = |(wanted, name): &NamedValue| {
            let shares = groups.presets.iter().map(|preset| share(preset, *wanted));
            (name.clone(), shares.collect())
        };
        let chart = BarChart {
            title: groups.column.replace('_', " "),
            axes: ["", "share of generations"],
            groups: groups.presets.iter().map(ToString::to_string).collect(),
            parts: groups.names.iter().map(part).collect(),
        };
        let told = chart.parts.iter().flat_map(|(name, shares)| {
            let shares = groups.presets.iter().zip(shares);
            shares.map(move |(preset, share)| {
                format!("{preset}, {name}: {}.", FigureStyle::SHARE.text(*share))
            })
        });
        let told: Vec<String> = told.collect();
        let what = format!("{} of {}.", chart.title, listed(&groups.presets));
        self.picture(item, &[chart], &what, &told.join(" "))
    }

    /// Boxes of a column by the value that another has in the same generation.
    pub(super) fn boxes(
        &self,
        item: &PaperItem,
        column: &str,
        groups: &ValueGroups,
    ) -> Result<PageBlock, ExperimentError> {
        let chart = |preset: &Name| {
            let over = ProgressUnit::Generations;
            let values = self.values(preset, column, over);
            let keys = self.values(preset, &groups.column, over);
            let pairs: Vec<(f64, f64)> = values
                .iter()
                .zip(&keys)
                .flat_map(|(values, keys)| joined(values, keys))
                .collect();
            let one = |(wanted, name): &NamedValue| {
                let own = pairs.iter().filter(|(_, key)| is(*key, *wanted));
                (name.clone(), own.map(|(value, _)| *value).collect())
            };
            BoxChart {
                title: format!("{preset}: {} by {}", words(column), words(&groups.column)),
                axes: ["", ""],
                boxes: groups.names.iter().map(one).collect(),
            }
        };
        let charts: Vec<BoxChart> = groups.presets.iter().map(chart).collect();
        if charts.iter().all(Chart::is_empty) {
            return Ok(nothing_yet(column));
        }
        let what = format!(
            "{} by {}: median, quartiles, lowest and highest value of {}.",
            words(column),
            words(&groups.column),
            listed(&groups.presets)
        );
        self.picture(item, &charts, &what, &in_words(&charts))
    }

    /// 2-D histograms of a column, all runs of a preset together.
    pub(super) fn histograms(
        &self,
        item: &PaperItem,
        sheet: &CurveSheet,
    ) -> Result<PageBlock, ExperimentError> {
        let mut charts = Vec::new();
        for column in sheet.columns.iter() {
            for preset in sheet.presets.iter() {
                let runs = self.values(preset, column, sheet.over);
                charts.push(HistogramChart {
                    title: format!("{preset}: {}", words(column)),
                    axes: [sheet.over.column(), ""],
                    points: runs.into_iter().flatten().collect(),
                });
            }
        }
        if charts.iter().all(Chart::is_empty) {
            return Ok(nothing_yet(&sheet.columns[0]));
        }
        let told = charts.iter().filter_map(|chart| {
            let values: Vec<f64> = chart.points.iter().map(|(_, value)| *value).collect();
            let [_, lower, median, upper, _] = five_numbers(&values)?.map(number);
            let title = &chart.title;
            Some(format!(
                "{title}: median {median}, quartiles {lower} and {upper}."
            ))
        });
        let told: Vec<String> = told.collect();
        let what = format!(
            "2-D histograms of {} over {}, all runs together: the darker, the more.",
            words(&listed(&sheet.columns)),
            sheet.over.column()
        );
        self.picture(item, &charts, &what, &told.join(" "))
    }
}

fn words(column: &str) -> String {
    column.replace('_', " ")
}

/// Whether a whole number is the wanted one.
fn is(value: f64, wanted: f64) -> bool {
    (value - wanted).abs() < 0.5
}

/// What stands in the place of charts without values.
fn nothing_yet(column: &str) -> PageBlock {
    PageBlock::Text(format!("No run is long enough for {}.", words(column)))
}

/// The values of two series where both have one.
fn joined(values: &[(f64, f64)], keys: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let key = |at: f64| {
        let place = keys
            .binary_search_by(|(other, _)| other.total_cmp(&at))
            .ok()?;
        Some(keys[place].1)
    };
    let pairs = values.iter();
    pairs
        .filter_map(|&(at, value)| Some((value, key(at)?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_are_joined_where_both_have_a_value() {
        let values = [(0.0, 5.0), (1.0, 6.0), (3.0, 7.0)];
        let keys = [(1.0, 2.0), (2.0, 3.0), (3.0, 1.0)];
        assert_eq!(joined(&values, &keys), [(6.0, 2.0), (7.0, 1.0)]);
    }
}
