//! The shown comparison as files: a table of what is read, and a drawing of its lines.

use std::fmt::Write as _;

use crate::experiment::curves::{Curve, Point};
use crate::experiment::plot::{Drawing, svg};
use crate::metrics::over::Over;
use crate::storage::saves::Saves;
use crate::ui::widgets::across;

use super::course::Runner;

/// What is written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sheet {
    column: String,
    table: String,
    drawing: String,
}

impl Sheet {
    /// A column of runs, laid along an axis; in words what keeps it from being drawn.
    pub(super) fn of(runs: &[Runner<'_>], column: &str, over: Over) -> Result<Self, String> {
        let curves: Vec<Curve> = runs.iter().map(|run| curve(run, column, over)).collect();
        let title = format!("{} of {} runs", column.replace('_', " "), runs.len());
        let drawing = svg(&Drawing {
            title: &title,
            across: across::name(over),
            up: column,
            curves: &curves,
        })?;
        Ok(Self {
            column: column.to_owned(),
            table: table(runs, column),
            drawing,
        })
    }

    /// Writes both files among the saved runs; where they are.
    pub(super) fn write(self, saves: &Saves) -> Result<String, String> {
        let stem = format!("compare-{}", self.column.replace('_', "-"));
        let files = [("csv", self.table), ("svg", self.drawing)];
        let paths = saves
            .export(&stem, &files)
            .map_err(|error| error.to_string())?;
        let paths: Vec<String> = paths
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        Ok(format!("written: {}", paths.join(" and ")))
    }
}

fn curve(run: &Runner<'_>, column: &str, over: Over) -> Curve {
    let track = run.track(over);
    let place = run.columns.place(column);
    let buckets = place.map_or(&[][..], |place| run.history.column(place));
    let point = |(number, bucket): (usize, &crate::metrics::history::Bucket)| {
        Some(Point {
            at: track.place(track.start + number as u64 * track.span),
            lower_quartile: bucket.min,
            median: bucket.mean()?,
            upper_quartile: bucket.max,
        })
    };
    Curve {
        preset: run.name.clone(),
        runs: 1,
        points: buckets.iter().enumerate().filter_map(point).collect(),
    }
}

/// A row for each bucket: as fine as the chart, which bundles the generations of long runs.
fn table(runs: &[Runner<'_>], column: &str) -> String {
    let mut text = format!(
        "run,seed,first_generation,last_generation,games,seconds,{column},lowest,highest\n"
    );
    for run in runs {
        let Some(place) = run.columns.place(column) else {
            continue;
        };
        let by = |name: &str, generation| {
            let read = run.history.read(run.columns.place(name)?, generation)?;
            Some(read.bucket.last)
        };
        let shown = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        for (number, bucket) in run.history.column(place).iter().enumerate() {
            let Some(mean) = bucket.mean() else { continue };
            let first = run.history.start() + number as u64 * run.history.span();
            let (first, last) = run.history.stretch(first);
            let (games, seconds) = (shown(by("games", last)), shown(by("seconds", last)));
            // Writing to a string can't fail.
            let _ = writeln!(
                text,
                "\"{}\",\"{}\",{first},{last},{games},{seconds},{mean},{},{}",
                run.name, run.seed, bucket.min, bucket.max
            );
        }
    }
    text
}
