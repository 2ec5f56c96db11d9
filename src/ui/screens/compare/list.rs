//! The list of runs to choose from.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::ui::format;
use crate::ui::keymap::{self, Action, Scope};
use crate::ui::model::context::Context;
use crate::ui::model::run::RunModel;
use crate::ui::mouse::Regions;
use crate::ui::theme::ELLIPSIS;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::list::ScrollList;
use crate::ui::widgets::series_marker::{line_style, marker};
use crate::ui::widgets::text::put;
use crate::ui::widgets::truncate::{self, truncate_middle, wrap};

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
    let names = screen.names(live);
    let selected = format!("{} of {} selected", screen.selected.len(), names.len());
    let frame = Frame {
        title: Line::from("Runs"),
        bottom_right: Line::styled(selected, theme.dim),
        ..Frame::default()
    };
    let inner = frame.draw(Focus::Here, theme, area, buf);
    if names.is_empty() {
        let words = match screen.listed {
            None => "reading the saved runs".to_owned(),
            Some(_) => format!(
                "No saved runs yet. {}: choose a preset; its run is saved and listed here.",
                keymap::label(Scope::GLOBAL, Action::GoHome)
            ),
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
    let rows = ScrollList::selecting(names.len(), screen.cursor.min(names.len() - 1));
    rows.draw(theme, inner, buf, |index| {
        line(screen, context, &names[index], inner.width.into())
    });
    rows.scrollbar(theme, inner.height, area, buf);
    rows.regions(inner, CompareTarget::Run)
}

/// A run with its line marker if it is selected, and its progress.
fn line<'a>(screen: &CompareScreen, context: &Context, name: &str, width: usize) -> Line<'a> {
    let theme = &context.theme;
    let (sign, style) = sign_of(screen, context, name);
    let (mut state, style_of_state) = state(screen, context, name);
    let room = |state: &str| width.saturating_sub(truncate::width(state) + 5);
    // Names differ at their ends, so they need room; the objective matters more than the generation.
    if let Some((_, objective)) = state.split_once(' ')
        && room(&state) < truncate::width(name)
    {
        state = objective.to_owned();
    }
    let room = room(&state);
    Line::from(vec![
        Span::styled(format!(" {sign} "), style),
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
    if !screen.selected.iter().any(|selected| selected == name) {
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
    let mut listed = screen.listed.iter().flatten();
    let summary = listed
        .find(|listed| listed.name == name)
        .map(|listed| &listed.summary);
    match summary {
        Some(Ok(summary)) => (words(summary.generation, summary.objective), theme.dim),
        _ => ("damaged".to_owned(), theme.bad),
    }
}
