//! The list of runs to choose from.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::format;
use crate::keymap::{self, Action, Scope};
use crate::model::context::Context;
use crate::model::run::RunModel;
use crate::mouse::Regions;
use crate::theme::ELLIPSIS;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::list::ScrollList;
use crate::widgets::series_marker::{line_style, marker};
use crate::widgets::text::put;
use crate::widgets::truncate::{self, truncate_middle, wrap};

use super::screen::SCOPE;
use super::{CompareScreen, CompareTarget};

/// Draws the list and returns the region of each run.
pub(super) fn view(
    screen: &CompareScreen,
    context: &Context,
    area: Rect,
    buf: &mut Buffer,
) -> Regions<CompareTarget> {
    let theme = &context.theme;
    let live = context.run.as_ref();
    let names = screen.runs.names(live);
    let all = screen.runs.all_names(live).len();
    let frame = Frame {
        title: title(screen, context, all, area.width),
        bottom_right: Line::styled(selection(screen, all, area.width), theme.dim),
        ..Frame::default()
    };
    let inner = frame.draw(Focus::Here, theme, area, buf);
    if names.is_empty() {
        let words = if !screen.runs.is_listed() {
            "reading the saved runs".to_owned()
        } else if all > 0 && screen.input.is_some() {
            "No run fits the filter.".to_owned()
        } else if all > 0 {
            let filter = keymap::label(SCOPE, Action::Filter);
            format!("No run fits the filter. {filter}: change it.")
        } else {
            let home = keymap::label(Scope::GLOBAL, Action::GoHome);
            format!("No saved runs yet. {home}: choose a preset; its run is saved and listed here.")
        };
        let lines = wrap(&words, inner.width.saturating_sub(2).into());
        for (row, line) in lines.iter().enumerate() {
            put(
                buf,
                inner,
                row as u16,
                Span::styled(format!(" {line}"), theme.dim),
            );
        }
        return Regions::default();
    }
    let rows = ScrollList::selecting(names.len(), screen.runs.cursor.min(names.len() - 1));
    rows.draw(theme, inner, buf, |index| {
        line(screen, context, &names[index], inner.width.into())
    });
    rows.scrollbar(theme, inner.height, area, buf);
    rows.regions(inner, CompareTarget::Run)
}

/// The title: the filter, and how many of all runs it leaves.
fn title(screen: &CompareScreen, context: &Context, all: usize, width: u16) -> Line<'static> {
    let filter = screen.runs.filter().text();
    if filter.is_empty() {
        return Line::from("Runs");
    }
    let left = screen.runs.fitting_count(context.run.as_ref());
    let words = format!("Runs: {left} of {all} · {filter}");
    let room = usize::from(width).saturating_sub(4);
    Line::from(context.theme.to_drawable(truncate::truncate(&words, room)))
}

/// How many runs are selected and pinned.
fn selection(screen: &CompareScreen, all: usize, width: u16) -> String {
    let selected = format!("{} of {all} selected", screen.runs.selected.len());
    match screen.runs.pinned.len() {
        0 => selected,
        pinned => {
            let both = format!("{selected}, {pinned} pinned");
            if both.len() + 6 <= usize::from(width) {
                both
            } else {
                selected
            }
        }
    }
}

/// A run with its pin, its line marker if it is shown, and its progress.
fn line<'a>(screen: &CompareScreen, context: &Context, name: &str, width: usize) -> Line<'a> {
    let theme = &context.theme;
    let (sign, style) = sign_of(screen, context, name);
    let (mut state, style_of_state) = state(screen, context, name);
    let room = |state: &str| width.saturating_sub(truncate::width(state) + 5);
    // Names differ at their ends, so they need room; the objective matters more than the
    // generation.
    if let Some((_, objective)) = state.split_once(' ')
        && room(&state) < truncate::width(name)
    {
        state = objective.to_owned();
    }
    let room = room(&state);
    let pin = match (screen.runs.is_pinned(name), theme.ascii) {
        (false, _) => " ",
        (true, false) => "↑",
        (true, true) => "^",
    };
    Line::from(vec![
        Span::styled(pin, theme.accent),
        Span::styled(format!("{sign} "), style),
        Span::styled(
            truncate::pad(&truncate_middle(name, room), room),
            theme.text,
        ),
        Span::styled(format!(" {state} "), style_of_state),
    ])
}

/// The marker of a run's line, or another sign if it has none.
fn sign_of(screen: &CompareScreen, context: &Context, name: &str) -> (String, Style) {
    let theme = &context.theme;
    if !screen.runs.is_displayed(name) {
        return (" ".to_owned(), theme.dim);
    }
    if screen.options.is_grouped() {
        let mark = if theme.ascii { "x" } else { "✓" };
        return (mark.to_owned(), theme.accent);
    }
    let runs = screen.series(context.run.as_ref());
    let line = runs.iter().position(|run| run.name == name);
    match line {
        Some(line) => (marker(line, theme), line_style(line, theme)),
        None if is_damaged(screen, name) => ("!".to_owned(), theme.bad),
        None => (ELLIPSIS.to_owned(), theme.dim),
    }
}

fn is_damaged(screen: &CompareScreen, name: &str) -> bool {
    matches!(screen.known.get(name), Some(Err(_)))
}

/// The generation of a run and, if known, its objective.
fn state(screen: &CompareScreen, context: &Context, name: &str) -> (String, Style) {
    let theme = &context.theme;
    let words = |generation: u64, objective: Option<f64>| {
        let objective = objective.map_or(String::new(), |value| {
            format!(" {}", format::percent(value))
        });
        format!("g{}{objective}", format::rounded(generation as f64))
    };
    let is_live = |watch: &&RunModel| watch.name() == name;
    if let Some(watch) = context.run.as_ref().filter(is_live) {
        return (words(watch.generation, watch.objective_now()), theme.good);
    }
    match screen.runs.summary(name) {
        Some(Ok(summary)) => (words(summary.generation, summary.objective), theme.dim),
        _ => ("damaged".to_owned(), theme.bad),
    }
}
