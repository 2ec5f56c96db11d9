//! The page of a saved run: its settings, its course, its champion and sample games.

use thiserror::Error;

use crate::experiment::curves::{Curve, CurvePoint};
use crate::experiment::plot::{PlotError, sheet};
use finches_engine::evolution::archive::Champion;
use finches_engine::metrics::Column;
use finches_engine::metrics::Row;
use finches_engine::params::to_ron_lines;
use finches_engine::preset::{Intervention, PresetError};
use finches_engine::session::measures::{Measure, columns_named, progress};
use finches_runs::storage::StorageError;
use finches_runs::storage::saves::{RunFile, Saves};

use super::champion;
use super::page::{Cell, Figure, Page, PageBlock, Section, Table};
use super::words::{TitledCurves, charts_and_ends, preset_blocks, thin, titles};
use crate::words::FigureStyle;

/// Why the page of a run can't be made.
#[derive(Debug, Error)]
pub enum RunPageError {
    /// A file can't be read.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// Its preset is not valid.
    #[error(transparent)]
    Preset(#[from] PresetError),
    /// A chart can't be drawn.
    #[error(transparent)]
    Plot(#[from] PlotError),
}

/// Rows that are read of a long run, at equal distances.
const ROWS: u64 = 400;

/// Columns that say nothing about how a run went.
const NOT_DRAWN: [Measure; 4] = [
    progress::GENERATION,
    progress::SECONDS,
    progress::GAMES,
    progress::MOVES,
];

/// The page of a saved run, by its name or path.
pub fn page(saves: &Saves, name: &str) -> Result<Page, RunPageError> {
    let file = saves.run_file(name)?;
    let (names, rows) = saves.sampled_metrics(name, ROWS)?;
    let generations = saves.champions(name)?;
    let champions: Result<Vec<Champion>, StorageError> = generations
        .iter()
        .map(|&generation| saves.champion(name, generation))
        .collect();
    let preset = &file.preset;
    let played = rows.last().map_or(0, |row| row.generation() + 1);
    let lead = format!(
        "Preset {}, seed {}, {played} of {} generations.",
        preset.name, file.seed, preset.generations
    );
    Ok(Page {
        title: format!("Run: {name}"),
        lead: vec![lead],
        sections: vec![
            result_section(&names, &rows),
            course_section(&names, &rows)?,
            champion::section("Champion".to_owned(), preset, &champions?, file.seed)?,
            settings_section(&file),
        ],
    })
}

/// The latest value of each column.
fn result_section(names: &[String], rows: &[Row]) -> Section {
    let columns = columns_named(names);
    let latest = |place: usize| rows.iter().rev().find_map(|row| row.values()[place]);
    let row = |(place, column): (usize, &Column)| {
        let value = latest(place)?;
        Some(vec![
            Cell::words(&column.label),
            Cell::figure(FigureStyle::of(&column.name).text(value)),
            Cell::words(column.unit),
            Cell::words(column.help),
        ])
    };
    let columns = columns.all().iter().enumerate();
    let mut section = Section::new("Where it stands");
    section.blocks.push(PageBlock::Table(Table::new(
        "The latest value of each figure",
        &["figure", "value", "unit", "meaning"],
        columns.filter_map(row).collect(),
    )));
    section
}

/// Sheets of four charts: every column that changes, over the generations.
fn course_section(names: &[String], rows: &[Row]) -> Result<Section, PlotError> {
    let columns = columns_named(names);
    let mut curves: Vec<TitledCurves> = Vec::new();
    for (place, column) in columns.all().iter().enumerate() {
        let values = rows.iter().filter_map(|row| {
            let value = row.values()[place].filter(|value| value.is_finite())?;
            Some((row.generation() as f64, value))
        });
        let points: Vec<CurvePoint> = values.map(|(at, value)| point(at, value)).collect();
        let first = points.first().map(|first| first.median.to_bits());
        let changes = points.iter().any(|one| Some(one.median.to_bits()) != first);
        if changes && NOT_DRAWN.iter().all(|one| *one != *column.name) {
            let mut curve = Curve {
                preset: column.label.clone(),
                runs: 1,
                points,
            };
            thin(&mut curve);
            curves.push((column.label.clone(), vec![curve]));
        }
    }
    let mut section = Section::new("Course");
    for some in curves.chunks(4) {
        let (charts, ends) = charts_and_ends(some, progress::GENERATION.name, Some("it"));
        let what = format!("{} over the generations.", titles(some));
        section.blocks.push(PageBlock::Figure(Figure {
            svg: sheet(&charts)?,
            description: format!("{what} {ends}"),
            caption: what,
            class: None,
        }));
    }
    if section.blocks.is_empty() {
        let words = "The run is too short for a chart.";
        section.blocks.push(PageBlock::Text(words.to_owned()));
    }
    Ok(section)
}

fn point(at: f64, value: f64) -> CurvePoint {
    CurvePoint {
        at,
        lower_quartile: value,
        median: value,
        upper_quartile: value,
    }
}

/// The preset, and the changes of its parameters while the run went on.
fn settings_section(file: &RunFile) -> Section {
    let mut section = Section::new("Settings");
    section.blocks.append(&mut preset_blocks(&file.preset));
    if !file.interventions.is_empty() {
        let row = |change: &Intervention| {
            vec![
                Cell::words(&change.key),
                Cell::figure(change.generation.to_string()),
                Cell::figure(&change.from),
                Cell::figure(&change.to),
            ]
        };
        section.blocks.push(PageBlock::Table(Table::new(
            "Changes of parameters during the run",
            &["parameter", "generation", "from", "to"],
            file.interventions.iter().map(row).collect(),
        )));
    }
    section.blocks.push(PageBlock::Code {
        title: format!("{} in full, as the run began", file.preset.name),
        text: to_ron_lines(&file.preset),
        is_folded: true,
    });
    section
}
