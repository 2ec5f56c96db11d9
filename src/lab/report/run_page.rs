//! The page of a saved run: its settings, its course, its champion and sample games.

use std::slice;

use crate::experiment::ExperimentError;
use crate::experiment::curves::{Curve, CurvePoint};
use finches_engine::evolution::archive::Champion;
use finches_engine::metrics::Column;
use finches_engine::preset::{Intervention, Preset};
use finches_engine::session::measures::{Measure, columns_named, progress};
use finches_runs::storage::StorageError;
use finches_runs::storage::saves::{RunFile, Saves};

use super::champion;
use super::page::{Cell, Page, PageBlock, Section, Table};
use super::words::{
    MANY_STRETCHES, TitledCurves, figure, preset_blocks, preset_file, target_first, thin,
};
use crate::words::FigureStyle;

/// Columns that say nothing about how a run went.
const NOT_DRAWN: [Measure; 4] = [
    progress::GENERATION,
    progress::SECONDS,
    progress::GAMES,
    progress::MOVES,
];

/// The page of a saved run, by its name or path.
pub fn page(saves: &Saves, name: &str) -> Result<Page, ExperimentError> {
    let file = saves.run_file(name)?;
    let (played, course) = course(saves, name)?;
    let generations = saves.champions(name)?.into_iter();
    let champions = generations.map(|generation| saves.champion(name, generation));
    let champions: Vec<Champion> = champions.collect::<Result<_, _>>()?;
    let preset = &file.preset;
    let lead = format!(
        "Preset {}, seed {}, {played} of {} generations.",
        preset.name, file.seed, preset.generations
    );
    Ok(Page {
        title: format!("Run: {name}"),
        lead: vec![lead],
        sections: vec![
            result_section(&course),
            course_section(course, preset)?,
            champion::section("Champion".to_owned(), preset, &champions, file.seed)?,
            settings_section(&file),
        ],
    })
}

/// The columns of a run, and their thinned curves.
type Course = Vec<(Column, Vec<CurvePoint>)>;

/// The number of generations done and their course. All rows are read, so that no spike is lost,
/// and few are kept at a time.
fn course(saves: &Saves, name: &str) -> Result<(u64, Course), StorageError> {
    let mut played = 0;
    let mut curves: Vec<Vec<CurvePoint>> = Vec::new();
    let names = saves.for_each_row(name, |names, row| {
        played = row.generation() + 1;
        curves.resize(names.len(), Vec::new());
        for (points, value) in curves.iter_mut().zip(row.values()) {
            let value = value.filter(|value| value.is_finite());
            points.extend(value.map(|value| CurvePoint::single(row.generation() as f64, value)));
            if points.len() > 10 * MANY_STRETCHES {
                thin(points, MANY_STRETCHES);
            }
        }
    })?;
    for points in &mut curves {
        thin(points, MANY_STRETCHES);
    }
    let columns = columns_named(&names).all().to_vec();
    Ok((played, columns.into_iter().zip(curves).collect()))
}

/// The latest value of each column.
fn result_section(course: &[(Column, Vec<CurvePoint>)]) -> Section {
    let row = |(column, points): &(Column, Vec<CurvePoint>)| {
        let value = points.last()?.median;
        Some(vec![
            Cell::words(&column.label),
            Cell::figure(FigureStyle::of(&column.name).text(value)),
            Cell::words(column.unit),
            Cell::words(column.help),
        ])
    };
    let caption = "The latest value of each figure";
    let rows = course.iter().filter_map(row).collect();
    let table = Table::new(caption, "figure,value,unit,meaning", rows);
    Section::of_table("Where it stands", table)
}

/// Charts of every column that changes over the generations, that of the target first.
fn course_section(course: Course, preset: &Preset) -> Result<Section, ExperimentError> {
    let mut curves: Vec<TitledCurves> = Vec::new();
    for (column, points) in course {
        let is_other = |pair: &[CurvePoint]| pair[0].median.to_bits() != pair[1].median.to_bits();
        if points.windows(2).any(is_other) && NOT_DRAWN.iter().all(|one| *one != *column.name) {
            let curve = Curve {
                preset: column.label.clone(),
                runs: 1,
                points,
            };
            let mut titled = TitledCurves::new(&column.name, vec![curve], slice::from_ref(preset));
            titled.title.clone_from(&column.label);
            curves.push(titled);
        }
    }
    target_first(&mut curves, preset);
    let mut section = Section::new("Course");
    if curves.is_empty() {
        let words = "The run is too short for a chart.";
        section.blocks.push(PageBlock::Text(words.to_owned()));
    } else {
        let caption = |titles| format!("{titles} over the generations.");
        let figure = figure(&curves, progress::GENERATION.name, Some("it"), caption)?;
        section.blocks.push(PageBlock::Figure(figure));
    }
    Ok(section)
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
            "parameter,generation,from,to",
            file.interventions.iter().map(row).collect(),
        )));
    }
    let title = format!("{} in full, as the run began", file.preset.name);
    section.blocks.push(preset_file(title, &file.preset));
    section
}
