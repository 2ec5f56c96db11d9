//! The runs there are to choose from.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::ui::app::Model;
use crate::ui::app::watch::Watch;
use crate::ui::keymap::{self, Action, Scope};
use crate::ui::mouse::Regions;
use crate::ui::widgets::fit::{LOST, fit_ends, wrap};
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::sign::{line_style, sign};
use crate::ui::widgets::text::put;
use crate::ui::words;

use super::{CompareScreen, Pointed, live_name};

/// Draws the list, and tells where its runs are.
pub(super) fn view(
    screen: &CompareScreen,
    model: &Model,
    area: Rect,
    buf: &mut Buffer,
) -> Regions<Pointed> {
    let theme = &model.theme;
    let live = model.watch.as_ref();
    let names = screen.names(live);
    let chosen = format!("{} of {} chosen", screen.chosen.len(), names.len());
    let frame = Frame {
        title: Line::from("Runs"),
        bottom_right: Line::styled(chosen, theme.dim),
        ..Frame::default()
    };
    let inner = frame.draw(Focus::Here, theme, area, buf);
    if names.is_empty() {
        let words = match screen.listed {
            None => "looking at the saved runs".to_owned(),
            Some(_) => format!(
                "No runs are saved here yet: {} leads to the presets, and what runs there is kept.",
                keymap::label(Scope::Global, Action::GoHome)
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
    let height = usize::from(inner.height).max(1);
    let cursor = screen.cursor.min(names.len() - 1);
    let first = (cursor + 1).saturating_sub(height);
    let mut regions = Regions::default();
    for (row, (place, name)) in names
        .iter()
        .enumerate()
        .skip(first)
        .take(height)
        .enumerate()
    {
        let at = Rect {
            y: inner.y + row as u16,
            height: 1,
            ..inner
        };
        let line = line(screen, model, name, inner.width.into());
        put(buf, at, 0, line);
        if place == cursor {
            buf.set_style(at, theme.selection);
        }
        regions.add(at, Pointed::Run(place));
    }
    regions
}

/// A run with its sign where it is chosen, and how far it is.
fn line<'a>(screen: &CompareScreen, model: &Model, name: &str, width: usize) -> Line<'a> {
    let theme = &model.theme;
    let (sign, style) = sign_of(screen, model, name);
    let (mut state, look) = state(screen, model, name);
    let room = |state: &str| width.saturating_sub(state.chars().count() + 5);
    // Runs are told apart by the ends of their names; how good one is, is more than how far.
    if let Some((_, objective)) = state.split_once(' ')
        && room(&state) < name.chars().count()
    {
        state = objective.to_owned();
    }
    let room = room(&state);
    Line::from(vec![
        Span::styled(format!(" {sign} "), style),
        Span::styled(format!("{:<room$}", fit_ends(name, room)), theme.text),
        Span::styled(format!(" {state} "), look),
    ])
}

/// The sign of a run's line, or another where it has none.
fn sign_of(screen: &CompareScreen, model: &Model, name: &str) -> (String, Style) {
    let theme = &model.theme;
    if !screen.chosen.iter().any(|chosen| chosen == name) {
        return (" ".to_owned(), theme.dim);
    }
    if screen.look.is_grouped() {
        let mark = if theme.ascii { "x" } else { "✓" };
        return (mark.to_owned(), theme.accent);
    }
    let runs = screen.runners(model.watch.as_ref());
    let line = runs.iter().position(|run| run.name == name);
    match line {
        Some(line) => (sign(line, theme), line_style(line, theme)),
        None if is_faulty(screen, name) => ("!".to_owned(), theme.bad),
        None => (LOST.to_owned(), theme.dim),
    }
}

fn is_faulty(screen: &CompareScreen, name: &str) -> bool {
    matches!(screen.known.get(name), Some(Err(_)))
}

/// How far a run is, and how good where it is known.
fn state(screen: &CompareScreen, model: &Model, name: &str) -> (String, Style) {
    let theme = &model.theme;
    let words = |generation: u64, objective: Option<f64>| {
        let objective =
            objective.map_or(String::new(), |value| format!(" {}", words::percent(value)));
        format!("g{}{objective}", words::rounded(generation as f64))
    };
    let is_live = |watch: &&Watch| live_name(watch) == name;
    if let Some(watch) = model.watch.as_ref().filter(is_live) {
        return (words(watch.generation, watch.objective_now()), theme.good);
    }
    let mut listed = screen.listed.iter().flatten();
    let brief = listed
        .find(|listed| listed.name == name)
        .map(|listed| &listed.brief);
    match brief {
        Some(Ok(brief)) => (words(brief.generation, brief.objective), theme.dim),
        _ => ("damaged".to_owned(), theme.bad),
    }
}
