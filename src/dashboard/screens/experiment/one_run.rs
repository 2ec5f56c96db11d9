//! One run of an experiment: below its chart, the latest value of every column, and the command
//! that shows it on all screens.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::format;
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::text::{inset, put};
use crate::widgets::truncate::{fit, pad_left, truncate, wrap};
use finches_engine::text::counted;
use finches_lab::experiment::again;
use finches_runs::storage::experiments::manifest::RunId;

use super::ExperimentScreen;

/// The width of a column of values: label, value, and the space after them.
const WIDTHS: (usize, usize, usize) = (26, 9, 3);

/// Draws the pane.
pub(super) fn view(
    (model, cell): (&ExperimentScreen, RunId),
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let runs = model.trials_of(cell.preset).count();
    let place = model.trials_of(cell.preset).position(|(id, _)| id == cell);
    let room = usize::from(area.width).saturating_sub(6);
    let mut frame = Frame::titled(truncate(&title(model, cell), room));
    let place = place.map_or(0, |place| place + 1);
    frame.bottom_right = Line::styled(format!("run {place} of {runs}"), theme.dim);
    let inner = inset(frame.draw(Focus::Elsewhere, theme, area, buf), 1);
    let mut below = Vec::new();
    if let Some(command) = again::command(&model.setup.manifest, cell) {
        below = wrap(
            &format!("On all screens, from its start: {command}"),
            inner.width.into(),
        );
    }
    let rows = inner.height.saturating_sub(below.len() as u16 + 1);
    values((model, cell), theme, (inner, rows), buf);
    for (row, words) in below.into_iter().enumerate() {
        let y = rows + 1 + row as u16;
        if y < inner.height {
            put(buf, inner, y, Span::styled(words, theme.text));
        }
    }
}

/// What the run is: its preset, or its values in a sweep.
fn title(model: &ExperimentScreen, cell: RunId) -> String {
    let manifest = &model.setup.manifest;
    let what = match &manifest.sweep {
        None => manifest.presets[cell.preset].name.clone(),
        Some(sweep) => {
            let values = sweep
                .names()
                .into_iter()
                .zip(&sweep.combinations[cell.preset]);
            let values: Vec<String> = values
                .map(|(name, value)| format!("{name} {value}"))
                .collect();
            values.join(", ")
        }
    };
    let generations = model.trials.get(&cell).map_or(0, |trial| trial.generations);
    let generations = counted(generations, "generation");
    format!("Seed {}: {what}; {generations}", cell.seed)
}

/// The latest values, in as many columns as fit.
fn values(
    (model, cell): (&ExperimentScreen, RunId),
    theme: &Theme,
    (area, rows): (Rect, u16),
    buf: &mut Buffer,
) {
    let (label, value, gap) = WIDTHS;
    let Some(trial) = model.trials.get(&cell) else {
        return;
    };
    let columns = &model.setup.columns[cell.preset];
    let known = model.columns.iter().filter_map(|column| {
        let latest = trial.latest(columns.place(&column.name)?)?;
        Some((column, format::figure(column, latest)))
    });
    let known: Vec<_> = known.collect();
    if known.is_empty() {
        put(buf, area, 0, Span::styled("no values yet", theme.dim));
        return;
    }
    for (index, (column, figure)) in known.into_iter().enumerate() {
        let (place, row) = (
            index / usize::from(rows.max(1)),
            index % usize::from(rows.max(1)),
        );
        let x = place * (label + value + gap);
        if x + label + value > usize::from(area.width) {
            return;
        }
        let line = Line::from(vec![
            Span::styled(fit(&column.label, label), theme.dim),
            Span::styled(pad_left(&figure, value), theme.text),
        ]);
        let cell = Rect {
            x: area.x + x as u16,
            width: area.width - x as u16,
            ..area
        };
        put(buf, cell, row as u16, line);
    }
}
