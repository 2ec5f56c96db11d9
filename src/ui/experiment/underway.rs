//! The runs under way, a line each: how far, how good, and how long without getting better.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::storage::experiments::manifest::Cell;
use crate::ui::theme::Theme;
use crate::ui::widgets::fan::Fate;
use crate::ui::widgets::fit::fit;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::gauge::gauge;
use crate::ui::widgets::spark::{Glyphs, spark};
use crate::ui::widgets::text::{inset, put};
use crate::ui::words;

use super::model::{Model, State};
use super::trial::Trial;

/// Rows that the pane would like to have: one for each worker.
pub(super) fn height(model: &Model) -> u16 {
    let workers = model.setup.threads.min(model.trials.len()).max(1);
    workers.min(100) as u16 + 2
}

pub(super) fn view(model: &Model, area: Rect, buf: &mut Buffer) {
    let theme = &model.theme;
    let running: Vec<(Cell, &Trial)> = model
        .trials
        .iter()
        .filter(|(_, trial)| trial.fate == Fate::Running)
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
        ..Frame::titled("Under way")
    };
    let inner = inset(frame.draw(Focus::Elsewhere, theme, area, buf), 1);
    if running.is_empty() {
        let words = match model.state {
            State::Done => "every run is done",
            State::Failed(_) => "nothing goes on",
            State::Running | State::Stopping => "no run yet",
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

fn name(model: &Model, cell: Cell) -> String {
    format!("{} {}", model.presets()[cell.preset].name, cell.seed)
}

/// Name, bar, generation, course, figure, and the time without a better one, as many as fit.
fn line<'a>(
    model: &Model,
    cell: Cell,
    trial: &Trial,
    (name_width, width): (usize, u16),
    theme: &Theme,
) -> Line<'a> {
    let most = model.presets()[cell.preset].generations;
    let name = fit(&name(model, cell), name_width);
    let generation = format!(
        "gen {}/{}",
        words::count(trial.generations as f64),
        words::count(most as f64)
    );
    let digits = words::count(most as f64).len();
    let gen_width = 5 + 2 * digits;
    let mut line = Line::from(vec![
        Span::styled(format!("{name:<name_width$}  "), theme.text),
        Span::styled(format!("{generation:<gen_width$}  "), theme.dim),
    ]);
    let (figure, still) = standing(model, cell, trial);
    let room = (width as usize).saturating_sub(line.width() + 6 + 2);
    let told = room >= 27;
    let rest = if told { room - 27 } else { room };
    if rest >= 10 {
        let bar = (rest as u16 / 2).min(24);
        let share = trial.generations as f64 / most.max(1) as f64;
        line.spans
            .extend(gauge(share, bar, theme.focus, theme).spans);
        line.push_span(Span::raw("  "));
        line.push_span(course(model, cell, trial, rest - bar as usize - 4, theme));
    }
    line.push_span(Span::styled(format!("{figure:>6}  "), theme.strong));
    if told {
        line.push_span(Span::styled(still, theme.dim));
    }
    line
}

/// The latest figure, and how long there has been none better.
fn standing(model: &Model, cell: Cell, trial: &Trial) -> (String, String) {
    let found = model.place(cell.preset).zip(model.column());
    let Some((place, column)) = found else {
        return ("-".to_owned(), String::new());
    };
    let figure = trial.latest(place);
    let figure = figure.map_or("-".to_owned(), |value| words::figure(column, value));
    let still = trial.best(place, model.aim()).map(|(best, since)| {
        let best = words::figure(column, best);
        match since {
            0 => format!("best {best}, now"),
            since => format!("best {best}, {} gens ago", words::count(since as f64)),
        }
    });
    (figure, still.unwrap_or_default())
}

fn course<'a>(model: &Model, cell: Cell, trial: &Trial, width: usize, theme: &Theme) -> Span<'a> {
    let glyphs = if theme.ascii {
        Glyphs::Ascii
    } else {
        Glyphs::Blocks
    };
    let width = width.min(32);
    let buckets = model
        .place(cell.preset)
        .and_then(|place| trial.buckets(place))
        .map_or(&[][..], |(buckets, _)| buckets);
    let is_share = model.column().is_some_and(crate::metrics::Column::is_share);
    let range = is_share.then_some((0.0, 1.0));
    let text = spark(buckets, width, range, glyphs);
    Span::styled(format!("{text:<width$}  "), theme.series[0])
}
