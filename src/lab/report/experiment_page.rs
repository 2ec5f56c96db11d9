//! The page of an experiment: its summary, the course of its runs, and its presets.

use crate::experiment::ExperimentError;
use crate::experiment::collect::CollectedRuns;
use crate::experiment::columns;
use crate::experiment::curves::{Curve, CurvePoint, curves};
use crate::experiment::fork::results::ForkResults;
use crate::experiment::plot::CurvePlot;
use crate::experiment::summary::{PresetSummary, Summary, SummaryStatistics};
use crate::experiment::sweep::results::{Confirmation, SweepResults};
use crate::experiment::table::{COMPARISONS, comparisons, solved_words};
use finches_engine::metrics::Columns;
use finches_engine::metrics::progress_unit::ProgressUnit;
use finches_engine::metrics::stats::survival::kaplan_meier;
use finches_engine::session::measures::{Measure, progress};
use finches_runs::storage::experiments::sweep::SweepDefinition;

use super::champion;
use super::matrix_page;
use super::page::{Cell, Figure, Page, PageBlock, Section, Table};
use super::sweep_page;
use super::words::{
    STRETCHES, TitledCurves, figure, preset_blocks, preset_file, target_first, thin, unfinished,
};
use crate::words::{FigureStyle, or_dash};

/// Columns that say nothing about how a run went: where it is, and what it took.
const NOT_DRAWN: [Measure; 3] = [progress::GENERATION, progress::SECONDS, progress::GAMES];

/// The page of an experiment; of a table of games and schemes, the page of the table.
pub fn page(runs: &CollectedRuns<'_>) -> Result<Page, ExperimentError> {
    if let Some(definition) = &runs.manifest.matrix {
        return matrix_page::page(runs, definition);
    }
    if let Some(definition) = &runs.manifest.sweep {
        return sweep_page(runs, definition);
    }
    let names = runs.manifest.preset_names();
    let summary = Summary::of(runs, None)?;
    let mut lead = vec![format!(
        "{} runs of each preset with seeds from {}. Intervals are 95% bootstrap intervals of the \
        mean.",
        runs.manifest.runs, runs.manifest.first_seed
    )];
    lead.extend(runs.manifest.islands.as_ref().map(|islands| {
        format!(
            "The runs are islands, which {}. They are not independent of each other, as the \
            intervals assume.",
            islands.words()
        )
    }));
    lead.extend(unfinished(runs));
    let mut title = format!("Experiment: {}", names.join(", "));
    let mut sections = Vec::new();
    if let Some(definition) = &runs.manifest.fork {
        let results = ForkResults::of(runs, definition)?;
        title = format!("Fork: {}", results.change);
        lead.insert(0, format!("{}.", results.title()));
        sections.push(differences_section(&results));
    }
    sections.push(summary_section(&summary)?);
    sections.push(charts_section(runs)?);
    sections.append(&mut champion_sections(runs)?);
    sections.push(presets_section(runs));
    Ok(Page {
        title,
        lead,
        sections,
    })
}

/// The page of a sweep, with the runs of its best combination with fresh seeds if there are any.
fn sweep_page(
    runs: &CollectedRuns<'_>,
    definition: &SweepDefinition,
) -> Result<Page, ExperimentError> {
    let mut results = SweepResults::of(runs, definition)?;
    if let Some(run) = runs.finished.first() {
        results.confirmation = Confirmation::read(run.folder.root(), definition)?;
    }
    sweep_page::page(runs, definition, &results)
}

/// The last champion of the first finished run of each preset, if players are kept.
fn champion_sections(runs: &CollectedRuns<'_>) -> Result<Vec<Section>, ExperimentError> {
    let mut sections = Vec::new();
    for (index, preset) in runs.manifest.presets.iter().enumerate() {
        if let Some(run) = runs.of_preset(index).next()
            && let Some(players) = run.folder.players(run.id)?
        {
            let heading = format!("Champion of {}, seed {}", preset.name, run.id.seed);
            let champions = &players.champions;
            sections.push(champion::section(heading, preset, champions, run.id.seed)?);
        }
    }
    Ok(sections)
}

/// What the change of a fork does.
fn differences_section(results: &ForkResults) -> Section {
    let row = |row: [String; 5]| {
        let [name, figures @ ..] = row;
        let figures = figures.into_iter().map(Cell::figure);
        [Cell::words(name)].into_iter().chain(figures).collect()
    };
    let caption = "With the change minus without, over pairs of runs with the same seed: in the \
        last generation, and on average from the fork on. Intervals are those of Student's t";
    let rows = results.rows().into_iter().map(row).collect();
    let table = Table::new(caption, &ForkResults::HEAD.join(","), rows);
    Section::of_table("Differences", table)
}

fn summary_section(summary: &Summary) -> Result<Section, ExperimentError> {
    let row = |line: &PresetSummary| {
        let sign = if line.is_lower_bound { "≥ " } else { "" };
        let style = FigureStyle::of(&line.measure);
        let figure = |pick: &dyn Fn(&SummaryStatistics) -> String| {
            Cell::figure(or_dash(line.all.as_ref().map(pick)))
        };
        vec![
            Cell::words(&line.preset),
            Cell::words(line.measure.replace('_', " ")),
            Cell::figure(line.n.to_string()),
            Cell::figure(or_dash(solved_words(line))),
            figure(&|all| style.text(all.min)),
            figure(&|all| style.text(all.median)),
            figure(&|all| format!("{sign}{}", style.text(all.mean))),
            Cell::figure(or_dash(line.all.and_then(|all| all.ends(style)))),
            figure(&|all| style.text(all.max)),
            Cell::words(&line.published),
        ]
    };
    let head = "preset,figure,runs,solved,least,median,mean,95% interval,most,published";
    let rows = summary.presets.iter().map(row).collect();
    let table = Table::new("A row for each preset", head, rows);
    let mut section = Section::of_table("Summary", table);
    if !summary.comparisons.is_empty() {
        let table = comparisons(&summary.comparisons);
        let table = Table::of_text(COMPARISONS, table, |_| false);
        section.blocks.push(PageBlock::Table(table));
    }
    section.blocks.extend(targets_chart(summary)?);
    Ok(section)
}

/// The share of runs that have met the target, over the generations; `None` without a target.
fn targets_chart(summary: &Summary) -> Result<Option<PageBlock>, ExperimentError> {
    let with_target = summary
        .presets
        .iter()
        .filter(|line| line.has_target() && line.n > 0);
    let curves: Vec<Curve> = with_target.map(target_curve).collect();
    if curves.is_empty() {
        return Ok(None);
    }
    let chart = CurvePlot {
        title: "share of runs with the target",
        x_label: progress::GENERATION.name,
        is_share: true,
        curves: &curves,
        ..CurvePlot::default()
    };
    let ends = summary.presets.iter().filter_map(|line| {
        let solved = solved_words(line)?;
        Some(format!("{}: {solved} of {} runs.", line.preset, line.n))
    });
    let ends: Vec<String> = ends.collect();
    let caption = "The share of runs that have met the target by a generation (Kaplan-Meier).";
    let figure = Figure::of_charts(&[chart], caption.to_owned(), &ends.join(" "))?;
    Ok(Some(PageBlock::Figure(figure)))
}

/// The steps of a preset's share of runs with the target.
fn target_curve(line: &PresetSummary) -> Curve {
    let times = line.times(line.generations);
    let last = times.iter().map(|time| time.at).fold(0.0, f64::max);
    let mut share = 0.0;
    let mut points = vec![CurvePoint::single(0.0, 0.0)];
    for (at, without) in kaplan_meier(&times) {
        points.push(CurvePoint::single(at, share));
        share = 1.0 - without;
        points.push(CurvePoint::single(at, share));
    }
    points.push(CurvePoint::single(last, share));
    Curve {
        preset: line.preset.clone(),
        runs: times.len(),
        points,
    }
}

/// Charts of every column that all presets have, over the generations, that of the target first.
fn charts_section(runs: &CollectedRuns<'_>) -> Result<Section, ExperimentError> {
    let own = runs.manifest.presets.iter().map(columns);
    let own: Vec<Columns> = own.collect::<Result<_, _>>()?;
    let shared = own.first().into_iter().flat_map(Columns::names);
    let shared = shared.filter(|name| own.iter().all(|one| one.place(*name).is_some()));
    let shared = shared.filter(|name| NOT_DRAWN.iter().all(|one| *one != **name));
    let mut all: Vec<TitledCurves> = Vec::new();
    for column in shared {
        let mut curves = curves(runs, column, ProgressUnit::Generations)?;
        let points = curves.iter_mut().map(|curve| &mut curve.points);
        points.for_each(|points| thin(points, STRETCHES));
        if curves.iter().any(|curve| !curve.points.is_empty()) {
            all.push(TitledCurves::new(column, curves, &runs.manifest.presets));
        }
    }
    let mut section = Section::new("Course of the runs");
    if !all.is_empty() {
        target_first(&mut all, &runs.manifest.presets[0]);
        let how = "the median of the runs, with the range of their middle half";
        let caption = |titles| format!("{titles} over the generations: {how}.");
        let figure = figure(&all, progress::GENERATION.name, None, caption)?;
        section.blocks.push(PageBlock::Figure(figure));
    }
    Ok(section)
}

/// What the presets are, with their files.
fn presets_section(runs: &CollectedRuns<'_>) -> Section {
    let mut section = Section::new("Presets");
    for preset in &runs.manifest.presets {
        section.blocks.append(&mut preset_blocks(preset));
        let title = format!("{} in full", preset.name);
        section.blocks.push(preset_file(title, preset));
    }
    section
}
