//! Values at the crosshair: that of a run, or the range of a preset's runs.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::format;
use crate::theme::Theme;
use crate::widgets::truncate::width;
use crate::widgets::x_axis;
use finches_engine::metrics::progress_unit::ProgressUnit;
use finches_engine::metrics::stats::spread::quantile;
use finches_runs::storage::experiments::manifest::RunId;

use super::ExperimentScreen;
use super::charts::{has_chart_per_run, whole_window};

/// The position of the crosshair on the x-axis, if shown.
pub(super) fn crosshair_position(
    model: &ExperimentScreen,
    theme: &Theme,
    area: Rect,
) -> Option<f64> {
    if !model.charts.crosshair.is_visible() {
        return None;
    }
    let window = whole_window(model, theme, area);
    model.charts.crosshair.position(window)
}

/// The status line while the crosshair is shown.
pub(super) fn status_text(model: &ExperimentScreen, area: Rect, place: f64) -> String {
    let x_unit = model.charts.x_unit;
    let at = x_axis::label(x_unit, place);
    let at = match x_unit {
        ProgressUnit::Generations => format!("at generation {at}"),
        ProgressUnit::Games | ProgressUnit::Seconds => format!("at {at} {}", x_axis::name(x_unit)),
    };
    let what = if has_chart_per_run(model, area) {
        "value of each run that got this far"
    } else {
        "runs that got this far · median · lowest–highest"
    };
    format!("{at}: {what}")
}

fn run_value(model: &ExperimentScreen, cell: RunId, place: f64) -> Option<f64> {
    let column = model.column_place(cell.preset)?;
    let columns = &model.setup.columns[cell.preset];
    let trial = model.trials.get(&cell)?;
    trial.value_at(column, model.charts.x_unit, columns, place)
}

/// The value of a run at the crosshair.
pub(super) fn run_label<'a>(
    model: &ExperimentScreen,
    theme: &Theme,
    cell: RunId,
    place: f64,
) -> Span<'a> {
    let figure = run_value(model, cell, place).zip(model.column());
    let words = figure.map_or("-".to_owned(), |(value, column)| {
        format::figure(column, value)
    });
    Span::styled(words, theme.accent)
}

/// The number of a preset's runs that reached this position, their median and, if there is room,
/// their lowest and highest value.
pub(super) fn preset_label<'a>(
    (model, theme): (&ExperimentScreen, &Theme),
    preset: usize,
    place: f64,
    room: usize,
) -> Line<'a> {
    let figures = model.trials_of(preset);
    let figures = figures.filter_map(|(cell, _)| run_value(model, cell, place));
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    let all = model.trials_of(preset).count();
    let count = format!("{} of {all}", figures.len());
    let ends = figures.first().zip(figures.last());
    let Some((column, (&low, &high))) = model.column().zip(ends) else {
        return Line::styled(count, theme.dim);
    };
    let figure = |value: f64| format::figure(column, value);
    let median = theme.to_drawable(format!(" · {}", figure(quantile(&figures, 0.5))));
    let between = theme.to_drawable(format!(" · {}–{}", figure(low), figure(high)));
    let mut line = Line::from(vec![
        Span::styled(count, theme.dim),
        Span::styled(median, theme.accent),
    ]);
    if figures.len() > 1 && line.width() + width(&between) <= room {
        line.push_span(Span::styled(between, theme.dim));
    }
    line
}
