//! Exports what is shown: an SVG drawing of the lines, and CSV tables of their values and of the
//! table's figures; the map or the effects in the same two forms.

use std::collections::BTreeSet;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::film::Film;
use crate::theme::{ColorScheme, Theme, ThemeSpec};
use crate::widgets::plot::ReferenceLine;
use crate::widgets::x_axis;
use finches_engine::metrics::Column;
use finches_engine::metrics::csv_text::{csv_field, csv_text};
use finches_engine::metrics::progress_unit::ProgressUnit;
use finches_engine::session::measures::{Measure, progress};
use finches_lab::experiment::curves::{Curve, CurvePoint};
use finches_lab::experiment::plot::{CurvePlot, PlotError, svg};
use finches_runs::storage::StorageError;
use finches_runs::storage::exported_files;
use finches_runs::storage::saves::Saves;

use super::curves::references;
use super::series::ComparedSeries;
use super::{RunsScreen, RunsView, effects, map};

/// The most presets that a drawing names.
const MOST_NAMED: usize = 4;

/// The columns of a picture of the map or of the effects.
const PICTURE_WIDTH: u16 = 96;

/// The contents of the exported files.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ComparisonExport {
    /// The presets and the column, as a part of file names.
    stem: String,
    /// What their names end in, and their contents.
    files: Vec<(&'static str, String)>,
}

impl ComparisonExport {
    /// Prepares the export of a column of the runs along an x-axis, with the records of the shown
    /// table; an error says why it cannot be drawn.
    pub(super) fn of(
        (runs, source): (&[ComparedSeries<'_>], &str),
        column: &Column,
        x_unit: ProgressUnit,
        records: Vec<Vec<String>>,
    ) -> Result<Self, PlotError> {
        let curves: Vec<Curve> = runs
            .iter()
            .map(|run| curve(run, &column.name, x_unit))
            .collect();
        let name = |line: usize| format!("{}:", runs[line].words);
        let lines = references(runs, column, x_unit, &name);
        let named = |line: ReferenceLine| (line.name, [line.value; 2]);
        let [references, times] =
            lines.map(|lines| lines.into_iter().map(named).collect::<Vec<_>>());
        let title = if runs.iter().any(|run| run.seed.is_none()) {
            format!("{}: means, and lowest to highest runs", column.label)
        } else {
            column.label.clone()
        };
        let drawing = svg(&CurvePlot {
            title: &title,
            x_label: x_axis::name(x_unit),
            y_label: &column.label,
            is_share: column.is_share(),
            source,
            curves: &curves,
            references: &references,
            times: &times,
        })?;
        let is_plain = |run: &ComparedSeries<'_>| !run.name.contains(['/', ' ']);
        // Single runs have names of their own.
        let names: Vec<&str> = if runs.iter().all(|run| run.seed.is_some() && is_plain(run)) {
            runs.iter().map(|run| run.name.as_str()).collect()
        } else {
            presets(runs).into_iter().collect()
        };
        let named = match names[..] {
            [first, _, _, ..] => format!("{first}-and-{}-more", names.len() - 1),
            _ => names.join("-and-"),
        };
        let records = records.into_iter();
        let records = records.map(|record| record.into_iter().map(plain_cell).collect::<Vec<_>>());
        Ok(Self {
            stem: format!("{named}-{}", column.name).replace('_', "-"),
            files: vec![
                (".curves.svg", drawing),
                (".curves.csv", table(runs, &column.name)),
                (".table.csv", csv_text(records)),
            ],
        })
    }

    /// Adds a picture and the values of the map or the effects, if the screen shows them.
    pub(super) fn with_view(mut self, screen: &RunsScreen) -> Self {
        let Some(sweep) = screen.sweep() else {
            return self;
        };
        let (names, rows, records) = match (screen.view, map::length(&sweep), sweep.pair()) {
            (RunsView::Map, Some(rows), Some(pair)) => {
                ([".map.svg", ".map.csv"], rows, map::records(&sweep, pair))
            }
            (RunsView::Effects, ..) => {
                let rows = effects::length(&sweep) + 2;
                let records = effects::records(sweep.results);
                ([".effects.svg", ".effects.csv"], rows, records)
            }
            _ => return self,
        };
        let theme = Theme::of(ThemeSpec {
            scheme: ColorScheme::Light,
            ..Theme::dark().spec
        });
        let mut frame = Buffer::empty(Rect::new(0, 0, PICTURE_WIDTH, rows as u16));
        match screen.view {
            RunsView::Map => map::draw(screen, &theme, frame.area, &mut frame),
            _ => effects::draw(screen, &theme, frame.area, &mut frame),
        }
        let contents = [Film::painted(frame, &theme).svg(), csv_text(records)];
        self.files.splice(0..0, names.into_iter().zip(contents));
        self
    }

    /// Writes the files to a folder; returns a message with their kinds and names.
    pub(super) fn write(self, saves: &Saves) -> Result<String, StorageError> {
        let paths = exported_files::export(saves.root(), &self.stem, &self.files)?;
        let endings = self.files.iter().map(|(ending, _)| *ending);
        let kinds: Vec<&str> = endings.map(|ending| &ending[1..]).collect();
        let first = paths[0].file_name().unwrap_or_default().to_string_lossy();
        let name = first.trim_end_matches(self.files[0].0);
        let (folder, kinds) = (saves.root().display(), kinds.join(", "));
        Ok(format!(
            "saved in {folder}: {kinds}; names begin with {name}"
        ))
    }
}

fn presets<'a>(runs: &'a [ComparedSeries<'_>]) -> BTreeSet<&'a str> {
    let names = runs.iter().map(|run| run.kind.preset.name.as_str());
    names.collect()
}

/// Where the curves are from, in words: presets, seeds, and this program.
pub(super) fn source(runs: &[ComparedSeries<'_>], seeds: &BTreeSet<u64>) -> String {
    let names: Vec<&str> = presets(runs).into_iter().collect();
    let more = names.len().saturating_sub(MOST_NAMED);
    let named = names[..names.len() - more].join(", ");
    let names = match more {
        0 => named,
        more => format!("{named} and {more} more"),
    };
    let seeds = seed_words(seeds);
    format!("{names}; {seeds}; finches {}", env!("CARGO_PKG_VERSION"))
}

/// Seeds in words: `seeds 2 to 9` if there are no gaps, else `seeds 2, 4`.
fn seed_words(seeds: &BTreeSet<u64>) -> String {
    match (seeds.first(), seeds.last()) {
        (Some(first), Some(last)) if last - first + 1 > seeds.len() as u64 => {
            let all: Vec<String> = seeds.iter().map(u64::to_string).collect();
            format!("seeds {}", all.join(", "))
        }
        (Some(first), Some(last)) if first < last => format!("seeds {first} to {last}"),
        (Some(only), _) => format!("seed {only}"),
        _ => String::new(),
    }
}

fn curve(run: &ComparedSeries<'_>, column: &str, x_unit: ProgressUnit) -> Curve {
    let track = run.track(x_unit);
    let index = run.place(column);
    let buckets = index.map_or(&[][..], |index| run.history.column(index));
    let point = |(number, bucket): (usize, &finches_engine::metrics::history::Bucket)| {
        Some(CurvePoint {
            at: track.place(track.start + number as u64 * track.span),
            lower_quartile: bucket.min,
            median: bucket.mean()?,
            upper_quartile: bucket.max,
        })
    };
    Curve {
        preset: run.words.clone(),
        runs: run.counts[0],
        points: buckets.iter().enumerate().filter_map(point).collect(),
    }
}

/// A value as text, without the noise of its last digits.
fn rounded(value: f64) -> String {
    ((value * 1e9).round() / 1e9).to_string()
}

/// A cell of the table on screen for other programs: no sign where there is no value, and a share
/// as a number.
fn plain_cell(cell: String) -> String {
    let share = cell
        .strip_suffix('%')
        .and_then(|text| text.parse::<f64>().ok());
    match share {
        Some(percent) => rounded(percent / 100.0),
        None if cell == "-" => String::new(),
        None => cell,
    }
}

/// One row per bucket: the same resolution as the chart, which merges generations of long runs.
fn table(runs: &[ComparedSeries<'_>], column: &str) -> String {
    let header = "run,preset,runs,seed,first_generation,last_generation,games,seconds";
    let own = ["mean", "lowest", "highest"].map(|which| format!("{column}_{which}"));
    let header = header.split(',').map(ToOwned::to_owned).chain(own);
    let mut records = vec![header.collect::<Vec<String>>()];
    for run in runs {
        let Some(index) = run.place(column) else {
            continue;
        };
        let by = |measure: &Measure, generation| {
            let read = run.history.read(run.place(measure.name)?, generation)?;
            Some(read.bucket.last)
        };
        for (number, bucket) in run.history.column(index).iter().enumerate() {
            let Some(mean) = bucket.mean() else { continue };
            let first = run.history.start() + number as u64 * run.history.span();
            let (first, last) = run.history.bucket_range(first);
            records.push(vec![
                run.words.clone(),
                run.kind.preset.name.clone(),
                run.counts[0].to_string(),
                run.seed.map_or(String::new(), |seed| seed.to_string()),
                first.to_string(),
                last.to_string(),
                csv_field(by(&progress::GAMES, last)),
                csv_field(by(&progress::SECONDS, last)),
                rounded(mean),
                rounded(bucket.min),
                rounded(bucket.max),
            ]);
        }
    }
    csv_text(records)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_with_gaps_are_named_one_by_one() {
        let words = |seeds: &[u64]| seed_words(&seeds.iter().copied().collect());
        assert_eq!(words(&[4, 2]), "seeds 2, 4");
        assert_eq!(words(&[4, 2, 3]), "seeds 2 to 4");
        assert_eq!(words(&[7]), "seed 7");
    }
}
