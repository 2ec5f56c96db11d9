//! The header and the status line of an experiment that has its dashboard alone.

use std::collections::BTreeSet;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::format;
use crate::keymap::{self, Action};
use crate::theme::Theme;
use crate::widgets::gauge::gauge;
use crate::widgets::text::{joined, put, put_right};
use crate::widgets::truncate::truncate;
use finches_engine::text::counted;
use finches_lab::experiment::Shard;
use finches_runs::storage::experiments::manifest::Manifest;

use super::RunsScreen;
use super::estimate;
use super::experiment::{Experiment, ExperimentState};
use super::groups::target_words;

fn badge(model: &Experiment, theme: &Theme) -> (&'static str, Style) {
    match model.state {
        ExperimentState::Running => ("RUNNING", theme.good),
        ExperimentState::Stopping => ("STOPPING", theme.warning),
        ExperimentState::Done | ExperimentState::Read => ("DONE", theme.focus),
        ExperimentState::Failed(_) => ("ERROR", theme.bad),
    }
}

/// Presets, state and number of finished runs; on the right times, as far as they fit.
pub(super) fn top(model: &Experiment, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let (word, style) = badge(model, theme);
    let done = format!("  {}", format::count(model.done() as f64));
    let all = format!("/{} runs", format::count(model.trials.len() as f64));
    let mut figures = figures(model, theme);
    let sweep = model.setup.manifest.sweep.as_ref();
    let bases = sweep.map_or(model.presets(), |sweep| std::slice::from_ref(&sweep.base));
    let names: Vec<&str> = bases.iter().map(|one| one.name.as_str()).collect();
    let names = names.join(", ");
    let fixed = 9 + word.len() + 3 + done.len() + all.len() + 3;
    let least = names.len().min(24) + 4;
    let right = |figures: &[Line<'_>]| figures.iter().map(|one| one.width() + 3).sum::<usize>();
    while figures.len() > 1 && fixed + least + right(&figures) > area.width as usize {
        figures.pop();
    }
    let room = (area.width as usize).saturating_sub(fixed + right(&figures));
    let left = Line::from(vec![
        Span::styled(" finches ", theme.accent),
        Span::styled(format!(" {} ", truncate(&names, room)), theme.strong),
        Span::styled(format!(" {word} "), theme.badge(style)),
        Span::styled(done, theme.text),
        Span::styled(all, theme.dim),
    ]);
    put(buf, area, 0, left);
    put_right(buf, area, 0, joined(&figures));
}

/// The times, most important first.
fn figures<'a>(model: &Experiment, theme: &Theme) -> Vec<Line<'a>> {
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
    figures
}

/// The options of the experiment, and the progress bar.
pub(super) fn progress_line(model: &Experiment, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let share = estimate::progress(model);
    let percent = format!(" {:>4} ", format::percent(share.min(1.0)));
    let width = (area.width / 6).clamp(12, 60);
    let bar_room = width + percent.len() as u16 + 2;
    let room = area.width.saturating_sub(bar_room + 2) as usize;
    let mut parts = setup_words(&model.setup.manifest);
    let shard = model.setup.shard;
    parts.extend((shard != Shard::WHOLE).then(|| format!("shard {shard}")));
    parts.push(counted(model.setup.threads, "thread"));
    let words = truncate(&format!(" {}", parts.join(", ")), room);
    put(buf, area, 0, Span::styled(words, theme.dim));
    let mut bar = gauge(share, width, theme.focus, theme);
    bar.push_span(Span::styled(percent, theme.text));
    put_right(buf, area, 0, bar);
}

/// The runs of an experiment, most important first.
fn setup_words(manifest: &Manifest) -> Vec<String> {
    let last = manifest.first_seed + manifest.runs - 1;
    let first = manifest.first_seed;
    let seeds = match manifest.runs {
        1 => format!("seed {last}"),
        _ => format!("seeds {first} to {last}"),
    };
    let presets = manifest.presets.iter();
    let targets = presets.clone().map(|preset| preset.until.trim());
    let targets: BTreeSet<&str> = targets.filter(|target| !target.is_empty()).collect();
    let caps: BTreeSet<u64> = presets.map(|preset| preset.generations).collect();
    let mut parts = vec![seeds];
    match targets.len() {
        0 => {}
        1 => parts.extend(
            targets
                .iter()
                .map(|it| format!("until {}", target_words(it))),
        ),
        _ => parts.push("until the target of each preset".to_owned()),
    }
    let islands = manifest.islands.as_ref();
    parts.extend(islands.map(|islands| format!("islands {}", islands.words())));
    if caps.len() == 1 {
        let one = manifest.presets[0].generations;
        let most = if targets.is_empty() { "" } else { "at most " };
        parts.push(format!("{most}{}", counted(one, "generation")));
    }
    parts
}

/// The status line: errors and messages, or where runs are saved and how to continue.
pub(super) fn status(screen: &RunsScreen, theme: &Theme) -> (String, Style) {
    let Some(experiment) = screen.experiment() else {
        return (String::new(), theme.dim);
    };
    let folder = &experiment.setup.folder;
    let quit = keymap::label(screen.scope(), Action::Quit);
    match (&experiment.state, experiment.damaged.last()) {
        (ExperimentState::Failed(error), _) => (error.replace('\n', "; "), theme.bad),
        (ExperimentState::Stopping, _) => {
            let words = "stopping after the current games; runs are saved in";
            (
                format!("{words} {folder}; {quit} quits at once"),
                theme.warning,
            )
        }
        _ if !screen.message.is_empty() => (screen.message.clone(), theme.accent),
        (_, Some(error)) => (
            format!("{error}; renamed to *.damaged and run again"),
            theme.warning,
        ),
        (ExperimentState::Running, _) => {
            let words = format!("{quit} stops, the same command continues");
            (format!("{words}; runs are saved in {folder}"), theme.dim)
        }
        _ => (format!("all runs are saved in {folder}"), theme.dim),
    }
}

/// The state and the progress, for terminals too small for the screen.
pub(super) fn summary(model: &Experiment, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let (word, style) = badge(model, theme);
    let (done, all) = (model.done(), model.trials.len());
    let state = Line::from(vec![
        Span::styled(format!(" {word} "), theme.badge(style)),
        Span::styled(format!(" {done}/{all} runs"), theme.text),
    ]);
    let progress = gauge(estimate::progress(model), width, theme.focus, theme);
    vec![state, progress]
}
