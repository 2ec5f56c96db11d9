//! What is read where the cursor is: the figure of a run, or between what those of a preset lie.

use ratatui::text::{Line, Span};

use crate::metrics::over::Over;
use crate::metrics::stats::spread::quantile;
use crate::storage::experiments::manifest::Cell;
use crate::ui::widgets::across;
use crate::ui::words;

use super::charts::{is_run_by_run, reach};
use super::model::Model;

/// The place on the axis where values are read, where they are.
pub(super) fn place(model: &Model) -> Option<f64> {
    if !model.needle.is_down() {
        return None;
    }
    model.needle.at(reach(model))
}

/// Where that is, and what is read there.
pub(super) fn told(model: &Model, place: f64) -> String {
    let over = model.charts.over;
    let at = across::label(over, place);
    let at = match over {
        Over::Generations => format!("at generation {at}"),
        Over::Games | Over::Seconds => format!("at {at} {}", across::name(over)),
    };
    let what = if is_run_by_run(model) {
        "the figure of each run that came as far"
    } else {
        "runs that came as far · their median · lowest–highest"
    };
    model.theme.plain(format!("{at}: {what}"))
}

fn of_run(model: &Model, cell: Cell, place: f64) -> Option<f64> {
    let column = model.place(cell.preset)?;
    let columns = &model.setup.columns[cell.preset];
    let trial = model.trials.get(&cell)?;
    trial.read(column, model.charts.over, columns, place)
}

/// The figure of a run.
pub(super) fn run<'a>(model: &Model, cell: Cell, place: f64) -> Span<'a> {
    let figure = of_run(model, cell, place).zip(model.column());
    let words = figure.map_or("-".to_owned(), |(value, column)| {
        words::figure(column, value)
    });
    Span::styled(words, model.theme.accent)
}

/// How many runs of a preset have come as far, their median, and where there is room, the lowest and the highest figure.
pub(super) fn preset<'a>(model: &Model, preset: usize, place: f64, room: usize) -> Line<'a> {
    let theme = &model.theme;
    let figures = model.of(preset);
    let figures = figures.filter_map(|(cell, _)| of_run(model, cell, place));
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    let all = model.of(preset).count();
    let count = format!("{} of {all}", figures.len());
    let ends = figures.first().zip(figures.last());
    let Some((column, (&low, &high))) = model.column().zip(ends) else {
        return Line::styled(count, theme.dim);
    };
    let figure = |value: f64| words::figure(column, value);
    let median = theme.plain(format!(" · {}", figure(quantile(&figures, 0.5))));
    let between = theme.plain(format!(" · {}–{}", figure(low), figure(high)));
    let mut line = Line::from(vec![
        Span::styled(count, theme.dim),
        Span::styled(median, theme.accent),
    ]);
    if figures.len() > 1 && line.width() + between.chars().count() <= room {
        line.push_span(Span::styled(between, theme.dim));
    }
    line
}
