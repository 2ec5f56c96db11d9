//! Draws the screen of an experiment: header, legend, panes and status.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::format;
use crate::keymap::{self, Action};
use crate::mouse::Regions;
use crate::theme::Theme;
use crate::widgets::gauge::gauge;
use crate::widgets::text::{joined, put, put_right};
use crate::widgets::truncate::{self, truncate, width};
use crate::widgets::x_axis;
use crate::widgets::y_axis::AxisScale;
use finches_engine::metrics::progress_unit::ProgressUnit;
use finches_engine::text::counted;
use finches_lab::experiment::Shard;

use super::SCOPE;
use super::layout::{layout, shown_sweep};
use super::status::TrialStatus;
use super::{AxisMode, ChartScope, ExperimentScreen, ExperimentState};
use super::{charts, estimate, matrix_table, one_run, reading, running, sweep, table};

/// Draws everything into an area; returns the presets of the charts, or the combinations of a
/// sweep, as click targets.
pub(super) fn view(
    model: &ExperimentScreen,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) -> Regions<usize> {
    let row = |y: u16| Rect {
        y: area.y + y,
        height: 1,
        ..area
    };
    let places = layout(model, area);
    top(model, theme, row(0), buf);
    progress_line(model, theme, row(1), buf);
    legend(model, theme, (row(2), places.charts), buf);
    let sweep = shown_sweep(model);
    let mut regions = match sweep {
        Some(view) => {
            sweep::panes((model, view), theme, places.charts, buf);
            Regions::default()
        }
        None => charts::view(model, theme, places.charts, buf),
    };
    if let Some(area) = places.table {
        match sweep {
            Some(view) => regions = sweep::ranking((model, view), theme, area, buf),
            None => match model.scope {
                ChartScope::OneRun(cell) => one_run::view((model, cell), theme, area, buf),
                _ => match &model.matrix {
                    Some(results) => matrix_table::view((model, results), theme, area, buf),
                    None => table::view(model, theme, area, buf),
                },
            },
        }
    }
    if let Some(area) = places.underway {
        running::view(model, theme, area, buf);
    }
    let (words, style) = status(model, theme, places.charts);
    let words = truncate(&format!(" {words}"), area.width.into());
    put(buf, row(area.height - 1), 0, Span::styled(words, style));
    regions
}

fn badge(model: &ExperimentScreen, theme: &Theme) -> (&'static str, Style) {
    match model.state {
        ExperimentState::Running => ("RUNNING", theme.good),
        ExperimentState::Stopping => ("STOPPING", theme.warning),
        ExperimentState::Done => ("DONE", theme.focus),
        ExperimentState::Failed(_) => ("ERROR", theme.bad),
    }
}

/// Presets, state and number of finished runs; on the right times and speed, as far as they fit.
fn top(model: &ExperimentScreen, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let (word, style) = badge(model, theme);
    let done = format!("  {}", format::count(model.done() as f64));
    let all = format!("/{} runs", format::count(model.trials.len() as f64));
    let mut figures = figures(model, theme);
    let names: Vec<&str> = match &model.setup.manifest.sweep {
        Some(sweep) => vec![sweep.base.name.as_str()],
        None => model
            .presets()
            .iter()
            .map(|one| one.name.as_str())
            .collect(),
    };
    let fixed = 9 + word.len() + 3 + done.len() + all.len() + 3;
    let least = names[0].len().min(24) + 4;
    let right = |figures: &[Line<'_>]| figures.iter().map(|one| one.width() + 3).sum::<usize>();
    while figures.len() > 1 && fixed + least + right(&figures) > area.width as usize {
        figures.pop();
    }
    let room = (area.width as usize).saturating_sub(fixed + right(&figures));
    let left = Line::from(vec![
        Span::styled(" finches ", theme.accent),
        Span::styled(format!(" {} ", name_list(&names, room)), theme.strong),
        Span::styled(format!(" {word} "), theme.badge(style)),
        Span::styled(done, theme.text),
        Span::styled(all, theme.dim),
    ]);
    put(buf, area, 0, left);
    put_right(buf, area, 0, joined(&figures));
}

/// As many names as fit, and the number of the others.
fn name_list(names: &[&str], room: usize) -> String {
    let text_of = |count: usize| {
        let more = names.len() - count;
        let shown = names[..count].join(", ");
        match more {
            0 => shown,
            more => format!("{shown} +{more}"),
        }
    };
    let fits = (1..=names.len()).rev().map(text_of);
    let mut fits = fits.filter(|text| width(text) <= room);
    fits.next().unwrap_or_else(|| truncate(names[0], room))
}

/// Times and speed, most important first.
fn figures<'a>(model: &ExperimentScreen, theme: &Theme) -> Vec<Line<'a>> {
    let mut figures = Vec::new();
    let left = estimate::remaining(model).filter(|_| !model.is_over());
    if let Some(seconds) = left {
        figures.push(Line::from(vec![
            Span::styled("ETA ", theme.dim),
            Span::styled(format::span(seconds), theme.text),
        ]));
    }
    let clock = format::clock(model.clock.now().as_secs_f64());
    figures.push(Line::styled(clock, theme.text));
    if let Some(speed) = model.clock.speed().filter(|_| !model.is_over()) {
        let speed = match speed {
            slow if slow < 10.0 => format::short(slow),
            fast => format::count(fast),
        };
        figures.push(Line::from(vec![
            Span::styled(speed, theme.text),
            Span::styled(" gen/s", theme.dim),
        ]));
    }
    figures
}

/// The options of the experiment, and the progress bar.
fn progress_line(model: &ExperimentScreen, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let share = estimate::progress(model);
    let percent = format!(" {:>4} ", format::percent(share.min(1.0)));
    let width = (area.width / 6).clamp(12, 60);
    let bar_room = width + percent.len() as u16 + 2;
    let room = area.width.saturating_sub(bar_room + 2) as usize;
    let mut words = String::new();
    for part in setup_parts(model) {
        let gap = if words.is_empty() { " " } else { ", " };
        let longer = format!("{words}{gap}{part}");
        if truncate::width(&longer) > room && !words.is_empty() {
            break;
        }
        words = longer;
    }
    let words = truncate(&words, room);
    put(buf, area, 0, Span::styled(words, theme.dim));
    let mut bar = gauge(share, width, theme.focus, theme);
    bar.push_span(Span::styled(percent, theme.text));
    put_right(buf, area, 0, bar);
}

/// The options of the experiment, most important first.
fn setup_parts(model: &ExperimentScreen) -> Vec<String> {
    let manifest = &model.setup.manifest;
    let last = manifest.first_seed + manifest.runs - 1;
    let runs = match manifest.runs {
        1 => format!("1 run each, seed {last}"),
        runs => format!("{runs} runs each, seeds {} to {last}", manifest.first_seed),
    };
    let mut targets: Vec<&str> = Vec::new();
    let mut caps: Vec<u64> = Vec::new();
    for preset in model.presets() {
        let target = preset.until.trim();
        if !target.is_empty() && !targets.contains(&target) {
            targets.push(target);
        }
        caps.push(preset.generations);
    }
    let mut parts = vec![runs];
    match &targets[..] {
        [] => {}
        [one] => parts.push(format!("until {one}")),
        [_, ..] => parts.push("until the target of each preset".to_owned()),
    }
    if model.setup.shard != Shard::WHOLE {
        parts.push(format!("shard {}", model.setup.shard));
    }
    caps.sort_unstable();
    caps.dedup();
    if let [one] = caps[..] {
        let most = if targets.is_empty() { "" } else { "at most " };
        parts.push(format!("{most}{}", counted(one, "generation")));
    }
    parts.push(counted(model.setup.threads, "thread"));
    parts
}

/// The shown column, and the number of runs by status, with words if there is room.
fn legend(model: &ExperimentScreen, theme: &Theme, (area, charts): (Rect, Rect), buf: &mut Buffer) {
    let label = model.column().map_or("", |column| &column.label);
    let mut left = Line::from(Span::styled(format!(" {label}"), theme.strong));
    let notes = notes(model, charts);
    let all = left.width() + notes.iter().map(|note| width(note)).sum::<usize>();
    let in_words = counts(model, theme, TrialStatus::word);
    let fits = all + in_words.width() < area.width as usize || notes.is_empty();
    let right = if fits {
        in_words
    } else {
        counts(model, theme, |_| "")
    };
    let room = (area.width as usize).saturating_sub(right.width() + 1);
    for note in notes {
        if left.width() + width(&note) <= room {
            left.push_span(Span::styled(note, theme.dim));
        }
    }
    put(buf, area, 0, left);
    put_right(buf, area, 0, right);
}

fn counts<'a>(
    model: &ExperimentScreen,
    theme: &Theme,
    words: impl Fn(TrialStatus) -> &'static str,
) -> Line<'a> {
    let mut line = Line::default();
    for status in TrialStatus::ALL {
        let count = model.count(status);
        if count > 0 {
            let glyph = format!(" {} ", status.glyph(theme));
            line.push_span(Span::styled(glyph, status.style(theme)));
            line.push_span(Span::styled(format::count(count as f64), theme.text));
            let word = words(status);
            let gap = if word.is_empty() { "" } else { " " };
            line.push_span(Span::styled(format!("{gap}{word} "), theme.dim));
        }
    }
    line
}

/// Settings of the charts that differ from the default.
fn notes(model: &ExperimentScreen, charts: Rect) -> Vec<String> {
    let mut notes = Vec::new();
    if shown_sweep(model).is_some() {
        return notes;
    }
    if model.scope == ChartScope::OnePreset {
        notes.push(format!(
            ", {} by seed",
            model.presets()[model.selected].name
        ));
    }
    if let Some((page, pages)) = charts::page_note(model, charts) {
        notes.push(format!(", page {page} of {pages}"));
    }
    if model.charts.x_unit != ProgressUnit::Generations {
        notes.push(format!(", over {}", x_axis::name(model.charts.x_unit)));
    }
    if let Some(window) = model.charts.window {
        notes.push(format!(", last {}", format::count(window as f64)));
    }
    if model.charts.scale() == AxisScale::Logarithmic {
        notes.push(", log".to_owned());
    }
    if model.axes == AxisMode::PerChart {
        notes.push(", separate axes".to_owned());
    }
    notes
}

/// The status line: errors and warnings, or else the crosshair, or where runs are saved and how to
/// resume.
fn status(model: &ExperimentScreen, theme: &Theme, charts: Rect) -> (String, Style) {
    let folder = &model.setup.folder;
    let quit = keymap::label(SCOPE, Action::Quit);
    let position = reading::crosshair_position(model, theme, charts);
    match (&model.state, position, model.damaged.last()) {
        (ExperimentState::Failed(error), ..) => (error.replace('\n', "; "), theme.bad),
        (ExperimentState::Stopping, ..) => (
            format!(
                "stopping after the current games; runs are saved in {folder}; {quit} quits at once"
            ),
            theme.warning,
        ),
        (_, Some(place), _) => {
            let words = reading::status_text(model, charts, place);
            (theme.to_drawable(words), theme.accent)
        }
        (_, None, Some(error)) => (
            format!("{error}; renamed to *.damaged and run again"),
            theme.warning,
        ),
        (ExperimentState::Done, ..) => (format!("all runs are saved in {folder}"), theme.dim),
        (ExperimentState::Running, ..) => (
            format!("runs are saved in {folder}; {quit} stops, the same command continues"),
            theme.dim,
        ),
    }
}

/// The state and the progress, for terminals too small for the screen.
pub(super) fn summary(model: &ExperimentScreen, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let (word, style) = badge(model, theme);
    let (done, all) = (model.done(), model.trials.len());
    let state = Line::from(vec![
        Span::styled(format!(" {word} "), theme.badge(style)),
        Span::styled(format!(" {done}/{all} runs"), theme.text),
    ]);
    let progress = gauge(estimate::progress(model), width, theme.focus, theme);
    vec![state, progress]
}
