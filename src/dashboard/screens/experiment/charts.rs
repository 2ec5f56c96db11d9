//! Small multiples: a chart for each preset that overlays its runs, or a chart for each run.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::format;
use crate::mouse::Regions;
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::plot::{Bands, Labels, Plot, Series, wider};
use crate::widgets::text::{middle, put};
use crate::widgets::truncate::truncate;
use crate::widgets::x_axis::RunAxis;
use crate::widgets::y_axis::ValueUnit;
use finches_runs::storage::experiments::manifest::RunId;

use super::layout::ChartGrid;
use super::reading;
use super::status::TrialStatus;
use super::trial::Trial;
use super::{AxisMode, ChartScope, ExperimentScreen};

/// The subject of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChartSubject {
    /// All runs of a preset.
    Preset(usize),
    Run(RunId),
    /// Padding at the end of a row.
    Blank,
}

/// The number of pages of charts.
pub(super) fn pages(model: &ExperimentScreen, area: Rect) -> usize {
    let (grid, subjects) = grid(model, area);
    subjects.len().div_ceil(grid.page_size()).max(1)
}

/// The page with the chart of a preset.
pub(super) fn page_of(model: &ExperimentScreen, preset: usize, area: Rect) -> usize {
    let (grid, subjects) = grid(model, area);
    let about = |subject: &ChartSubject| match subject {
        ChartSubject::Preset(place) => *place == preset,
        ChartSubject::Run(cell) => cell.preset == preset,
        ChartSubject::Blank => false,
    };
    subjects.iter().position(about).unwrap_or(0) / grid.page_size()
}

/// The grid and its charts.
fn grid(model: &ExperimentScreen, area: Rect) -> (ChartGrid, Vec<ChartSubject>) {
    if model.scope == ChartScope::OnePreset {
        let cells = model.trials_of(model.selected).map(|(cell, _)| cell);
        let runs: Vec<ChartSubject> = cells.map(ChartSubject::Run).collect();
        return (ChartGrid::for_count(runs.len(), area), runs);
    }
    if let ChartScope::OneRun(cell) = model.scope {
        return (ChartGrid::for_count(1, area), vec![ChartSubject::Run(cell)]);
    }
    let presets = 0..model.presets().len();
    let most = presets
        .clone()
        .map(|preset| model.trials_of(preset).count())
        .max();
    let grid = ChartGrid::for_groups(presets.len(), most.unwrap_or(0), area);
    let Some(grid) = grid else {
        let presets: Vec<ChartSubject> = presets.map(ChartSubject::Preset).collect();
        return (ChartGrid::for_count(presets.len(), area), presets);
    };
    let mut runs = Vec::new();
    for preset in presets {
        runs.extend(
            model
                .trials_of(preset)
                .map(|(cell, _)| ChartSubject::Run(cell)),
        );
        let whole = runs.len().next_multiple_of(grid.columns as usize);
        runs.resize(whole, ChartSubject::Blank);
    }
    (grid, runs)
}

/// Draws the current page of charts; returns as click target the preset of each, or the place among
/// the runs of one preset.
pub(super) fn view(
    model: &ExperimentScreen,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) -> Regions<usize> {
    let (grid, subjects) = grid(model, area);
    let last = subjects.len().div_ceil(grid.page_size()).max(1) - 1;
    let page = model.page.min(last);
    let common = PageSettings {
        shared: SharedAxes::of(model, theme, &subjects),
        cursor: reading::crosshair_position(model, theme, area),
    };
    let shown = subjects
        .iter()
        .skip(page * grid.page_size())
        .take(grid.page_size());
    let mut regions = Regions::default();
    for (place, subject) in shown.enumerate() {
        let cell = grid.cell(place, area);
        draw((model, theme), *subject, common, cell, buf);
        match subject {
            ChartSubject::Preset(preset) => regions.add(cell, *preset),
            ChartSubject::Run(_) if model.scope == ChartScope::OnePreset => {
                regions.add(cell, page * grid.page_size() + place);
            }
            ChartSubject::Run(run) => regions.add(cell, run.preset),
            ChartSubject::Blank => {}
        }
    }
    regions
}

/// The current page, from 1, and the number of pages, if there are several.
pub(super) fn page_note(model: &ExperimentScreen, area: Rect) -> Option<(usize, usize)> {
    let pages = pages(model, area);
    (pages > 1).then(|| (model.page.min(pages - 1) + 1, pages))
}

/// Whether every run has its own chart.
pub(super) fn has_chart_per_run(model: &ExperimentScreen, area: Rect) -> bool {
    let (_, subjects) = grid(model, area);
    matches!(subjects.first(), Some(ChartSubject::Run(_)))
}

/// The window of the x-axis that covers all charts.
pub(super) fn whole_window(model: &ExperimentScreen, theme: &Theme, area: Rect) -> (f64, f64) {
    let (_, subjects) = grid(model, area);
    if let Some(shared) = SharedAxes::of(model, theme, &subjects) {
        return shared.window;
    }
    let lines = subjects
        .iter()
        .map(|subject| run_lines(model, theme, *subject));
    let drawn = lines.filter(|lines| !lines.is_empty());
    let windows = drawn.map(|lines| window(model, &lines));
    windows.reduce(wider).unwrap_or((0.0, 0.0))
}

/// The window of the x-axis for some runs: everything from 0, or the last generations.
fn window(model: &ExperimentScreen, lines: &[Series<'_>]) -> (f64, f64) {
    let tracks = lines.iter().map(|line| line.track);
    let (first, last) = model
        .charts
        .visible_extent(&tracks.collect::<Vec<RunAxis<'_>>>());
    match model.charts.window {
        Some(_) => (first, last),
        None => (0.0, last),
    }
}

/// Axis ranges that all charts share.
#[derive(Clone, Copy)]
struct SharedAxes {
    ends: Option<(f64, f64)>,
    window: (f64, f64),
}

impl SharedAxes {
    fn of(model: &ExperimentScreen, theme: &Theme, subjects: &[ChartSubject]) -> Option<Self> {
        (model.axes == AxisMode::Shared).then(|| {
            let lines = subjects
                .iter()
                .flat_map(|subject| run_lines(model, theme, *subject));
            let lines: Vec<Series<'_>> = lines.collect();
            let window = window(model, &lines);
            let ends = lines.iter().filter_map(|line| line.value_range(window));
            let ends = ends.reduce(wider);
            Self { ends, window }
        })
    }
}

/// The lines of a chart; among several, those that have ended are faint.
fn run_lines<'a>(
    model: &'a ExperimentScreen,
    theme: &Theme,
    subject: ChartSubject,
) -> Vec<Series<'a>> {
    let line = |cell: RunId| {
        let place = model.column_place(cell.preset)?;
        let columns = &model.setup.columns[cell.preset];
        model
            .trials
            .get(&cell)?
            .line(place, model.charts.x_unit, columns, theme)
    };
    let mut lines: Vec<Series<'_>> = match subject {
        ChartSubject::Preset(preset) => {
            let cells = model.trials_of(preset).map(|(cell, _)| cell);
            cells.filter_map(line).collect()
        }
        ChartSubject::Run(cell) => line(cell).into_iter().collect(),
        ChartSubject::Blank => Vec::new(),
    };
    if lines.len() > 1 {
        let ended = |line: &&mut Series<'_>| line.tip.is_some_and(|tip| tip.rank > 0);
        for line in lines.iter_mut().filter(ended) {
            line.style = theme.faint;
        }
    }
    lines
}

/// Settings that the charts of a page share: their axes, if shared, and the crosshair.
#[derive(Clone, Copy)]
struct PageSettings {
    shared: Option<SharedAxes>,
    cursor: Option<f64>,
}

fn draw(
    (model, theme): (&ExperimentScreen, &Theme),
    subject: ChartSubject,
    common: PageSettings,
    area: Rect,
    buf: &mut Buffer,
) {
    let PageSettings { shared, cursor } = common;
    let (preset, frame, focus) = match subject {
        ChartSubject::Preset(preset) => (
            preset,
            preset_frame((model, theme), preset, cursor, area.width),
            is_selected(model, preset),
        ),
        ChartSubject::Run(cell) => (
            cell.preset,
            run_frame((model, theme), cell, cursor, area.width),
            Focus::Elsewhere,
        ),
        ChartSubject::Blank => return,
    };
    let inner = frame.draw(focus, theme, area, buf);
    let lines = run_lines(model, theme, subject);
    let Some(track) = lines.first().map(|line| line.track) else {
        let words = placeholder(model, preset, subject);
        let at = middle(inner, words.len() as u16, 1);
        put(buf, at, 0, Span::styled(words, theme.dim));
        return;
    };
    let window = match shared {
        Some(shared) => shared.window,
        None => window(model, &lines),
    };
    let is_share = model
        .column()
        .is_some_and(finches_engine::metrics::Column::is_share);
    let chart = Plot {
        series: lines,
        unit: if is_share {
            ValueUnit::Share
        } else {
            ValueUnit::Number
        },
        scale: model.charts.scale(),
        ends: shared.and_then(|shared| shared.ends),
        x_unit: model.charts.x_unit,
        window,
        track,
        marks: Vec::new(),
        references: Vec::new(),
        caption: "",
        best: None,
        cursor,
        labels: Labels::Ends,
        bands: Bands::First,
    };
    chart.draw(theme, inner, buf);
}

fn is_selected(model: &ExperimentScreen, preset: usize) -> Focus {
    if preset == model.selected && model.presets().len() > 1 {
        Focus::Here
    } else {
        Focus::Elsewhere
    }
}

/// The text of a chart without lines.
fn placeholder(model: &ExperimentScreen, preset: usize, subject: ChartSubject) -> &'static str {
    let status = match subject {
        ChartSubject::Preset(_) | ChartSubject::Blank => None,
        ChartSubject::Run(cell) => model.trials.get(&cell).map(|trial| trial.status),
    };
    match status {
        _ if model.column_place(preset).is_none() => "not measured",
        Some(TrialStatus::Running) => "first generation",
        Some(TrialStatus::Waiting) | None => "waiting",
        Some(_) => "finished earlier; loading",
    }
}

fn preset_frame<'a>(
    (model, theme): (&'a ExperimentScreen, &Theme),
    preset: usize,
    cursor: Option<f64>,
    width: u16,
) -> Frame<'a> {
    let name = model.presets()[preset].name.as_str();
    if let Some(place) = cursor {
        let room = (width as usize).saturating_sub(6);
        return Frame {
            title: Line::from(name),
            bottom_right: reading::preset_label((model, theme), preset, place, room),
            ..Frame::default()
        };
    }
    let mut counts = Line::default();
    for status in TrialStatus::ALL {
        let count = model
            .trials_of(preset)
            .filter(|(_, trial)| trial.status == status);
        let count = count.count();
        if count > 0 {
            let gap = if counts.spans.is_empty() { "" } else { "  " };
            let glyph = format!("{gap}{} ", status.glyph(theme));
            counts.push_span(Span::styled(glyph, status.style(theme)));
            counts.push_span(Span::styled(count.to_string(), theme.text));
        }
    }
    Frame {
        title: Line::from(name),
        bottom_right: counts,
        ..Frame::default()
    }
}

fn run_frame<'a>(
    (model, theme): (&ExperimentScreen, &Theme),
    cell: RunId,
    cursor: Option<f64>,
    width: u16,
) -> Frame<'a> {
    let Some(trial) = model.trials.get(&cell) else {
        return Frame::default();
    };
    let state = match cursor {
        Some(place) => Line::from(reading::run_label(model, theme, cell, place)),
        None => state(model, cell, trial, theme),
    };
    let seed = format!(" {}", cell.seed);
    let room = (width as usize).saturating_sub(state.width() + seed.len() + 8);
    let name = &model.presets()[cell.preset].name;
    // The seed distinguishes the runs, so the name is cut first.
    let several = model.presets().len() > 1 && model.scope == ChartScope::AllPresets;
    let title = if several && room >= 6 {
        format!("{}{seed}", truncate(name, room))
    } else {
        format!("seed{seed}")
    };
    Frame {
        title: Line::from(title),
        right: state,
        ..Frame::default()
    }
}

/// The symbol of a run's status, with the generation in which it met its target or with its latest
/// value.
fn state<'a>(model: &ExperimentScreen, cell: RunId, trial: &Trial, theme: &Theme) -> Line<'a> {
    let reached = trial.outcome.as_ref().and_then(|outcome| outcome.reached);
    let figure = || {
        let value = trial.latest(model.column_place(cell.preset)?)?;
        Some(format::figure(model.column()?, value))
    };
    let words = match reached {
        Some(generation) => format!("gen {}", format::count(generation as f64)),
        None => figure().unwrap_or_default(),
    };
    let status = trial.status;
    let mut line = Line::from(Span::styled(status.glyph(theme), status.style(theme)));
    if !words.is_empty() {
        line.push_span(Span::styled(format!(" {words}"), theme.text));
    }
    line
}
