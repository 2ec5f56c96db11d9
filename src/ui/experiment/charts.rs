//! Small multiples: a chart for each preset with its runs over each other, or one for each run.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::storage::experiments::manifest::Cell;
use crate::ui::mouse::Regions;
use crate::ui::theme::Theme;
use crate::ui::widgets::across::Track;
use crate::ui::widgets::axis::Unit;
use crate::ui::widgets::fan::{Fan, Fate, Strand};
use crate::ui::widgets::fit::fit;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::text::put;
use crate::ui::words;

use super::model::{Axes, Model, Shown};
use super::places::{Grid, places};
use super::reading;
use super::trial::Trial;

/// What one chart is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subject {
    /// All runs of a preset.
    Preset(usize),
    Run(Cell),
    /// The end of a row.
    Nothing,
}

/// How many pages of charts there are.
pub(super) fn pages(model: &Model) -> usize {
    let (grid, subjects) = grid(model, area(model));
    subjects.len().div_ceil(grid.page()).max(1)
}

/// The page that a preset's chart is on.
pub(super) fn page_of(model: &Model, preset: usize) -> usize {
    let (grid, subjects) = grid(model, area(model));
    let about = |subject: &Subject| match subject {
        Subject::Preset(place) => *place == preset,
        Subject::Run(cell) => cell.preset == preset,
        Subject::Nothing => false,
    };
    subjects.iter().position(about).unwrap_or(0) / grid.page()
}

fn area(model: &Model) -> Rect {
    places(model, Rect::new(0, 0, model.size.0, model.size.1)).charts
}

/// What is shown, and how it is laid out.
fn grid(model: &Model, area: Rect) -> (Grid, Vec<Subject>) {
    if model.shown == Shown::One {
        let cells = model.of(model.selected).map(|(cell, _)| cell);
        let runs: Vec<Subject> = cells.map(Subject::Run).collect();
        return (Grid::of(runs.len(), area), runs);
    }
    let presets = 0..model.presets().len();
    let most = presets.clone().map(|preset| model.of(preset).count()).max();
    let grid = Grid::of_groups(presets.len(), most.unwrap_or(0), area);
    let Some(grid) = grid else {
        let presets: Vec<Subject> = presets.map(Subject::Preset).collect();
        return (Grid::of(presets.len(), area), presets);
    };
    let mut runs = Vec::new();
    for preset in presets {
        runs.extend(model.of(preset).map(|(cell, _)| Subject::Run(cell)));
        let whole = runs.len().next_multiple_of(grid.across as usize);
        runs.resize(whole, Subject::Nothing);
    }
    (grid, runs)
}

/// Draws the page of charts; which presets they are about.
pub(super) fn view(model: &Model, area: Rect, buf: &mut Buffer) -> Regions<usize> {
    let (grid, subjects) = grid(model, area);
    let last = subjects.len().div_ceil(grid.page()).max(1) - 1;
    let page = model.page.min(last);
    let common = Common {
        shared: Shared::of(model, &subjects),
        cursor: reading::place(model),
    };
    let shown = subjects.iter().skip(page * grid.page()).take(grid.page());
    let mut regions = Regions::default();
    for (place, subject) in shown.enumerate() {
        let cell = grid.cell(place, area);
        draw(model, *subject, common, cell, buf);
        match subject {
            Subject::Preset(preset) => regions.add(cell, *preset),
            Subject::Run(run) => regions.add(cell, run.preset),
            Subject::Nothing => {}
        }
    }
    regions
}

/// The page shown and how many there are, where there are several.
pub(super) fn page_note(model: &Model) -> Option<(usize, usize)> {
    let pages = pages(model);
    (pages > 1).then(|| (model.page.min(pages - 1) + 1, pages))
}

/// Whether every run has a chart of its own.
pub(super) fn is_run_by_run(model: &Model) -> bool {
    let (_, subjects) = grid(model, area(model));
    matches!(subjects.first(), Some(Subject::Run(_)))
}

/// What all charts have between their left and their right edges, taken together.
pub(super) fn reach(model: &Model) -> (f64, f64) {
    let (_, subjects) = grid(model, area(model));
    if let Some(shared) = Shared::of(model, &subjects) {
        return shared.window;
    }
    let strands = subjects.iter().map(|subject| strands(model, *subject));
    let drawn = strands.filter(|strands| !strands.is_empty());
    let windows = drawn.map(|strands| window(model, &strands));
    let both = windows.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
    both.unwrap_or((0.0, 0.0))
}

/// What some runs are shown of from left to right: all, from 0 on, or the last generations.
fn window(model: &Model, strands: &[Strand<'_>]) -> (f64, f64) {
    let tracks = strands.iter().map(|strand| strand.track);
    let (first, last) = model.charts.along(&tracks.collect::<Vec<Track<'_>>>());
    match model.charts.window {
        Some(_) => (first, last),
        None => (0.0, last),
    }
}

/// Axes that all charts have in common.
#[derive(Clone, Copy)]
struct Shared {
    ends: Option<(f64, f64)>,
    window: (f64, f64),
}

impl Shared {
    fn of(model: &Model, subjects: &[Subject]) -> Option<Self> {
        (model.axes == Axes::Same).then(|| {
            let strands = subjects.iter().flat_map(|subject| strands(model, *subject));
            let strands: Vec<Strand<'_>> = strands.collect();
            let window = window(model, &strands);
            let ends = strands.iter().filter_map(|strand| strand.ends(window.0));
            let ends = ends.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
            Self { ends, window }
        })
    }
}

fn strands(model: &Model, subject: Subject) -> Vec<Strand<'_>> {
    let strand = |cell: Cell| {
        let place = model.place(cell.preset)?;
        let columns = &model.setup.columns[cell.preset];
        model
            .trials
            .get(&cell)?
            .strand(place, model.charts.over, columns)
    };
    match subject {
        Subject::Preset(preset) => {
            let cells = model.of(preset).map(|(cell, _)| cell);
            cells.filter_map(strand).collect()
        }
        Subject::Run(cell) => strand(cell).into_iter().collect(),
        Subject::Nothing => Vec::new(),
    }
}

/// What the charts of a page have in common: their axes, perhaps, and where values are read.
#[derive(Clone, Copy)]
struct Common {
    shared: Option<Shared>,
    cursor: Option<f64>,
}

fn draw(model: &Model, subject: Subject, common: Common, area: Rect, buf: &mut Buffer) {
    let theme = &model.theme;
    let Common { shared, cursor } = common;
    let (preset, frame, focus) = match subject {
        Subject::Preset(preset) => (
            preset,
            of_preset(model, preset, cursor, area.width),
            is_selected(model, preset),
        ),
        Subject::Run(cell) => (
            cell.preset,
            of_run(model, cell, cursor, area.width),
            Focus::Elsewhere,
        ),
        Subject::Nothing => return,
    };
    let inner = frame.draw(focus, theme, area, buf);
    let strands = strands(model, subject);
    if strands.is_empty() || model.place(preset).is_none() {
        nothing(model, preset, subject, inner, buf);
        return;
    }
    let window = match shared {
        Some(shared) => shared.window,
        None => window(model, &strands),
    };
    let is_share = model.column().is_some_and(crate::metrics::Column::is_share);
    let fan = Fan {
        strands,
        unit: if is_share { Unit::Share } else { Unit::Number },
        scale: model.charts.scale(),
        ends: shared.and_then(|shared| shared.ends),
        over: model.charts.over,
        window,
        cursor,
    };
    fan.draw(theme, inner, buf);
}

fn is_selected(model: &Model, preset: usize) -> Focus {
    if preset == model.selected && model.presets().len() > 1 {
        Focus::Here
    } else {
        Focus::Elsewhere
    }
}

/// What stands in a chart without a line.
fn nothing(model: &Model, preset: usize, subject: Subject, area: Rect, buf: &mut Buffer) {
    let fate = match subject {
        Subject::Preset(_) | Subject::Nothing => None,
        Subject::Run(cell) => model.trials.get(&cell).map(|trial| trial.fate),
    };
    let words = match fate {
        _ if model.place(preset).is_none() => "not measured here",
        Some(Fate::Running) => "its first generation",
        Some(Fate::Waiting) | None => "waiting",
        Some(_) => "done before; reading its file",
    };
    let width = (words.len() as u16).min(area.width);
    let at = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + area.height.saturating_sub(1) / 2,
        width,
        height: area.height.min(1),
    };
    put(buf, at, 0, Span::styled(words, model.theme.dim));
}

fn of_preset(model: &Model, preset: usize, cursor: Option<f64>, width: u16) -> Frame<'_> {
    let theme = &model.theme;
    let name = model.presets()[preset].name.as_str();
    if let Some(place) = cursor {
        let room = (width as usize).saturating_sub(6);
        return Frame {
            title: Line::from(name),
            bottom_right: reading::preset(model, preset, place, room),
            ..Frame::default()
        };
    }
    let mut counts = Line::default();
    for fate in Fate::ALL {
        let count = model.of(preset).filter(|(_, trial)| trial.fate == fate);
        let count = count.count();
        if count > 0 {
            let gap = if counts.spans.is_empty() { "" } else { "  " };
            let glyph = format!("{gap}{} ", fate.glyph(theme));
            counts.push_span(Span::styled(glyph, fate.style(theme)));
            counts.push_span(Span::styled(count.to_string(), theme.text));
        }
    }
    Frame {
        title: Line::from(name),
        bottom_right: counts,
        ..Frame::default()
    }
}

fn of_run<'a>(model: &Model, cell: Cell, cursor: Option<f64>, width: u16) -> Frame<'a> {
    let theme = &model.theme;
    let Some(trial) = model.trials.get(&cell) else {
        return Frame::default();
    };
    let state = match cursor {
        Some(place) => Line::from(reading::run(model, cell, place)),
        None => state(model, cell, trial, theme),
    };
    let seed = format!(" {}", cell.seed);
    let room = (width as usize).saturating_sub(state.width() + seed.len() + 8);
    let name = &model.presets()[cell.preset].name;
    // The seed tells the runs apart, so that the name gives way.
    let several = model.presets().len() > 1 && model.shown == Shown::All;
    let title = if several && room >= 6 {
        format!("{}{seed}", fit(name, room))
    } else {
        format!("seed{seed}")
    };
    Frame {
        title: Line::from(title),
        right: state,
        ..Frame::default()
    }
}

/// A run's mark with the generation of its target, or with its latest figure.
fn state<'a>(model: &Model, cell: Cell, trial: &Trial, theme: &Theme) -> Line<'a> {
    let reached = trial.outcome.as_ref().and_then(|outcome| outcome.reached);
    let figure = || {
        let value = trial.latest(model.place(cell.preset)?)?;
        Some(words::figure(model.column()?, value))
    };
    let words = match reached {
        Some(generation) => format!("gen {}", words::count(generation as f64)),
        None => figure().unwrap_or_default(),
    };
    let fate = trial.fate;
    let mut line = Line::from(Span::styled(fate.glyph(theme), fate.style(theme)));
    if !words.is_empty() {
        line.push_span(Span::styled(format!(" {words}"), theme.text));
    }
    line
}
