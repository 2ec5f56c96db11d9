//! The running runs, one per line: progress, latest value, and generations since the best.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::format;
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::gauge::gauge;
use crate::widgets::sparkline::{SparklineGlyphs, sparkline};
use crate::widgets::text::{inset, put};
use crate::widgets::truncate::truncate;
use finches_runs::storage::experiments::manifest::RunId;

use super::status::TrialStatus;
use super::trial::Trial;
use super::{ExperimentScreen, ExperimentState};

/// The preferred height of the pane: one row per worker.
pub(super) fn height(model: &ExperimentScreen) -> u16 {
    let workers = model.setup.threads.min(model.trials.len()).max(1);
    workers.min(100) as u16 + 2
}

pub(super) fn view(model: &ExperimentScreen, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let running: Vec<(RunId, &Trial)> = model
        .trials
        .iter()
        .filter(|(_, trial)| trial.status == TrialStatus::Running)
        .map(|(cell, trial)| (*cell, trial))
        .collect();
    let inner_height = area.height.saturating_sub(2) as usize;
    let more = running.len().saturating_sub(inner_height);
    let note = if more > 0 {
        format!("and {more} more")
    } else {
        String::new()
    };
    let frame = Frame {
        bottom_right: Line::styled(note, theme.dim),
        ..Frame::titled("Running")
    };
    let inner = inset(frame.draw(Focus::Elsewhere, theme, area, buf), 1);
    if running.is_empty() {
        let words = match model.state {
            ExperimentState::Done => "all runs are done",
            ExperimentState::Failed(_) => "nothing is running",
            ExperimentState::Running | ExperimentState::Stopping => "no run yet",
        };
        put(buf, inner, 0, Span::styled(words, theme.dim));
        return;
    }
    let names = running.iter().map(|(cell, _)| name(model, *cell).len());
    let width = names.max().unwrap_or(0).min(inner.width as usize / 3);
    for (row, (cell, trial)) in running.into_iter().enumerate() {
        let line = line(model, cell, trial, (width, inner.width), theme);
        put(buf, inner, row as u16, line);
    }
}

fn name(model: &ExperimentScreen, cell: RunId) -> String {
    format!("{} {}", model.presets()[cell.preset].name, cell.seed)
}

/// Name, generation, progress bar, sparkline, value, and generations since the best, as far as they
/// fit.
fn line<'a>(
    model: &ExperimentScreen,
    cell: RunId,
    trial: &Trial,
    (name_width, width): (usize, u16),
    theme: &Theme,
) -> Line<'a> {
    let most = model.presets()[cell.preset].generations;
    let name = truncate(&name(model, cell), name_width);
    let generation = format!(
        "gen {}/{}",
        format::count(trial.generations as f64),
        format::count(most as f64)
    );
    let digits = format::count(most as f64).len();
    let gen_width = 5 + 2 * digits;
    let mut line = Line::from(vec![
        Span::styled(format!("{name:<name_width$}  "), theme.text),
        Span::styled(format!("{generation:<gen_width$}  "), theme.dim),
    ]);
    let (figure, best) = latest_and_best(model, cell, trial);
    let room = (width as usize).saturating_sub(line.width() + 6 + 2);
    let has_best = room >= 27;
    let rest = if has_best { room - 27 } else { room };
    if rest >= 10 {
        let bar = (rest as u16 / 2).min(24);
        let share = trial.generations as f64 / most.max(1) as f64;
        line.spans
            .extend(gauge(share, bar, theme.focus, theme).spans);
        line.push_span(Span::raw("  "));
        line.push_span(history_span(
            model,
            cell,
            trial,
            rest - bar as usize - 4,
            theme,
        ));
    }
    line.push_span(Span::styled(format!("{figure:>6}  "), theme.strong));
    if has_best {
        line.push_span(Span::styled(best, theme.dim));
    }
    line
}

/// The latest value, and the best with the generations since then.
fn latest_and_best(model: &ExperimentScreen, cell: RunId, trial: &Trial) -> (String, String) {
    let found = model.column_place(cell.preset).zip(model.column());
    let Some((place, column)) = found else {
        return ("-".to_owned(), String::new());
    };
    let figure = trial.latest(place);
    let figure = figure.map_or("-".to_owned(), |value| format::figure(column, value));
    let best = trial.best(place, model.goal()).map(|(best, since)| {
        let best = format::figure(column, best);
        match since {
            0 => format!("best {best}, now"),
            since => format!("best {best}, {} gens ago", format::count(since as f64)),
        }
    });
    (figure, best.unwrap_or_default())
}

fn history_span<'a>(
    model: &ExperimentScreen,
    cell: RunId,
    trial: &Trial,
    width: usize,
    theme: &Theme,
) -> Span<'a> {
    let glyphs = if theme.ascii {
        SparklineGlyphs::Ascii
    } else {
        SparklineGlyphs::Line
    };
    let width = width.min(32);
    let buckets = model
        .column_place(cell.preset)
        .and_then(|place| trial.buckets(place))
        .map_or(&[][..], |(buckets, _)| buckets);
    let is_share = model
        .column()
        .is_some_and(finches_engine::metrics::Column::is_share);
    let range = is_share.then_some((0.0, 1.0));
    let text = sparkline(buckets, width, range, glyphs);
    Span::styled(format!("{text:<width$}  "), theme.series[0])
}
