//! Draws the screen: the list at the left, at the right a view with the keys of all views above it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::keymap::{self, Action};
use crate::model::context::Context;
use crate::mouse::Regions;
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame, content};
use crate::widgets::key_label::key_label;
use crate::widgets::list::ScrollList;
use crate::widgets::text::{below, cut_below, put, put_all, right_of, row_of};
use crate::widgets::truncate::{truncate, truncate_line, wrapped};

use super::input::INPUT_ROWS;
use super::screen::RunsAction;
use super::{
    RunsScreen, RunsTarget, RunsView, curves, differences, effects, fork, header, list_view, map,
    table,
};

/// The narrowest screen that has a list beside a table or a map.
const LEAST_WIDTH: u16 = 110;

/// The smallest area that shows two views.
const LARGE: (u16, u16) = (120, 45);

/// The rows of what is said of a fork, below the list.
const FORK_ROWS: u16 = 17;

/// Draws the screen and returns the click targets.
pub(super) fn draw(
    screen: &RunsScreen,
    context: &Context,
    area: Rect,
    buf: &mut Buffer,
) -> Regions<RunsTarget> {
    let theme = &context.theme;
    let mut body = area;
    if let Some(experiment) = screen.experiment().filter(|_| screen.is_alone()) {
        header::top(experiment, theme, row_of(area, 0), buf);
        header::progress_line(experiment, theme, row_of(area, 1), buf);
        let (above, last) = cut_below(below(area, 2), 1);
        let (words, style) = header::status(screen, theme);
        let words = truncate(&words, area.width.saturating_sub(2).into());
        put(buf, last, 0, Span::styled(format!(" {words}"), style));
        body = above;
    }
    if let Some(input) = &screen.input {
        let (above, foot) = cut_below(body, INPUT_ROWS + 2);
        screen.draw_input(input, context, foot, buf);
        body = above;
    }
    let is_broad = matches!(screen.view, RunsView::Curves | RunsView::Differences);
    let has_list =
        !screen.options.zoom.is_zoomed() || screen.menu.is_open() || screen.input.is_some();
    if !has_list || (!is_broad && body.width < LEAST_WIDTH && !screen.menu.is_open()) {
        return draw_view(screen, context, body, buf);
    }
    let wide = (body.width * 3 / 10).clamp(28, 52).min(body.width);
    let mut left = Rect {
        width: wide,
        ..body
    };
    if let Some(fork) = screen.fork() {
        let rows = FORK_ROWS.min(left.height.saturating_sub(5));
        let (above, foot) = cut_below(left, rows);
        let column = screen.figures.column.as_ref();
        fork::view(fork, screen.list(), column, theme, (foot, buf));
        left = above;
    }
    let mut regions = if screen.menu.is_open() {
        screen.draw_menu(theme, left, buf)
    } else {
        list_view::view(screen, context, left, buf)
    };
    regions.extend(draw_view(screen, context, right_of(body, wide), buf));
    regions
}

/// Draws the keys of the views and the view.
fn draw_view(
    screen: &RunsScreen,
    context: &Context,
    area: Rect,
    buf: &mut Buffer,
) -> Regions<RunsTarget> {
    let (theme, live) = (&context.theme, context.run.as_ref());
    let area = put_all(buf, area, view_keys(screen, context, area.width.into()));
    let is_large = area.width >= LARGE.0 && area.height >= LARGE.1;
    let second = companion(screen).filter(|_| is_large && !screen.options.zoom.is_zoomed());
    let (first, rest) = cut_below(area, second.map_or(0, |_| area.height * 2 / 5));
    let mut draw = |view, area| {
        match view {
            RunsView::Table => return table::draw_table(screen, theme, area, buf),
            RunsView::Curves => return curves::draw_curves(screen, live, theme, area, buf),
            RunsView::Map => map::draw(screen, theme, area, buf),
            RunsView::Effects => effects::draw(screen, theme, area, buf),
            RunsView::Differences => differences::draw(screen, live, theme, area, buf),
        }
        Regions::default()
    };
    let mut regions = draw(screen.view, first);
    regions.extend(second.map_or_else(Regions::default, |second| draw(second, rest)));
    regions
}

/// The view below the shown one where there is room for two: it needs the same figures.
fn companion(screen: &RunsScreen) -> Option<RunsView> {
    let second = match screen.view {
        RunsView::Table | RunsView::Differences => RunsView::Curves,
        RunsView::Curves => RunsView::Table,
        RunsView::Map => RunsView::Effects,
        RunsView::Effects => RunsView::Map,
    };
    Some(second).filter(|second| screen.refusal(*second).is_none())
}

/// Draws a view that consists of lines, from the one that it is scrolled to. They are made for a
/// width.
pub(super) fn draw_lines<'a>(
    screen: &RunsScreen,
    mut frame: Frame<'_>,
    theme: &Theme,
    (area, buf): (Rect, &mut Buffer),
    lines: impl FnOnce(usize) -> Vec<Line<'a>>,
) {
    let inner = content(area);
    let (width, height) = (usize::from(inner.width), usize::from(inner.height));
    let lines = lines(width);
    if lines.len() > height {
        let key = keymap::label(screen.scope(), Action::PageDown);
        frame.right = Line::styled(format!("{key}: more"), theme.dim);
    }
    frame.pane(Focus::Elsewhere, theme, area, buf);
    // The list keeps this row at two thirds of the height.
    let scroll = ScrollList::new(lines.len(), screen.options.scroll + height * 2 / 3);
    scroll.draw(theme, inner, buf, |row| {
        let mut line = lines[row].clone();
        truncate_line(&mut line, width, theme.dim);
        line
    });
    scroll.scrollbar(theme, inner.height, area, buf);
}

/// A message, or the views with their keys; those that say nothing about these runs are dim.
fn view_keys<'a>(screen: &RunsScreen, context: &Context, width: usize) -> Vec<Line<'a>> {
    let theme = &context.theme;
    if !screen.message.is_empty() && !screen.is_alone() {
        let mut lines = wrapped(&screen.message, width.saturating_sub(2), theme.warning);
        for line in &mut lines {
            line.spans.insert(0, Span::raw(" "));
        }
        return lines;
    }
    let mut line = Line::from(" ");
    for view in RunsView::ALL {
        let key = key_label(screen.scope(), &[RunsAction::of_view(view).action()], theme);
        let (key, style) = match screen.refusal(view) {
            _ if view == screen.view => (key, theme.focus),
            None => (key, theme.text),
            Some(_) => (key.style(theme.faint), theme.faint),
        };
        line.push_span(if line.spans.len() > 1 { "  " } else { "" });
        line.push_span(key);
        line.push_span(Span::styled(format!(" {}", view.name()), style));
    }
    truncate_line(&mut line, width, theme.dim);
    vec![line]
}
