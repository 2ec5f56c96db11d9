//! Small multiples: a chart for each preset with its runs over each other, or one for each run.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::storage::experiments::manifest::Cell;
use crate::ui::mouse::Regions;
use crate::ui::theme::Theme;
use crate::ui::widgets::axis::Unit;
use crate::ui::widgets::fan::{Fan, Fate, Strand};
use crate::ui::widgets::fit::fit;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::text::put;
use crate::ui::words;

use super::model::{Axes, Model, Shown};
use super::places::{Grid, places};
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
    let shared = Shared::of(model, &subjects);
    let shown = subjects.iter().skip(page * grid.page()).take(grid.page());
    let mut regions = Regions::default();
    for (place, subject) in shown.enumerate() {
        let cell = grid.cell(place, area);
        draw(model, *subject, shared, cell, buf);
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

/// Axes that all charts have in common.
#[derive(Clone, Copy)]
struct Shared {
    ends: Option<(f64, f64)>,
    last: f64,
}

impl Shared {
    fn of(model: &Model, subjects: &[Subject]) -> Option<Self> {
        (model.axes == Axes::Same).then(|| {
            let strands = subjects.iter().flat_map(|subject| strands(model, *subject));
            let (mut ends, mut last) = (None, 0.0_f64);
            for strand in strands {
                last = last.max(strand.end());
                if let Some((low, high)) = strand.ends() {
                    let (least, most) = ends.unwrap_or((low, high));
                    ends = Some((low.min(least), high.max(most)));
                }
            }
            Self { ends, last }
        })
    }
}

fn strands(model: &Model, subject: Subject) -> Vec<Strand<'_>> {
    let strand = |cell: Cell| {
        let place = model.place(cell.preset)?;
        let columns = &model.setup.columns[cell.preset];
        model.trials.get(&cell)?.strand(place, model.over, columns)
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

fn draw(model: &Model, subject: Subject, shared: Option<Shared>, area: Rect, buf: &mut Buffer) {
    let theme = &model.theme;
    let (preset, frame, focus) = match subject {
        Subject::Preset(preset) => (preset, of_preset(model, preset), is_selected(model, preset)),
        Subject::Run(cell) => (
            cell.preset,
            of_run(model, cell, area.width),
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
    let own = strands.iter().map(Strand::end).fold(0.0, f64::max);
    let last = shared.map_or(own, |shared| shared.last);
    let is_share = model.column().is_some_and(crate::metrics::Column::is_share);
    let fan = Fan {
        strands,
        unit: if is_share { Unit::Share } else { Unit::Number },
        ends: shared.and_then(|shared| shared.ends),
        over: model.over,
        last,
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

fn of_preset(model: &Model, preset: usize) -> Frame<'_> {
    let theme = &model.theme;
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
        title: Line::from(model.presets()[preset].name.as_str()),
        bottom_right: counts,
        ..Frame::default()
    }
}

fn of_run<'a>(model: &Model, cell: Cell, width: u16) -> Frame<'a> {
    let theme = &model.theme;
    let Some(trial) = model.trials.get(&cell) else {
        return Frame::default();
    };
    let state = state(model, cell, trial, theme);
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
