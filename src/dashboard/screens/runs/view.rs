//! Draws the screen: the list at the left, at the right a view with the keys of all views above it.

use std::cell::LazyCell;

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::text::{Line, Span};

use crate::format::whole;
use crate::keymap::{self, Action};
use crate::model::context::Context;
use crate::mouse::Regions;
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame, content};
use crate::widgets::key_label::key_label;
use crate::widgets::list::ScrollList;
use crate::widgets::text::{
    below, columns_of, cut_below, inset, put_all, put_right, right_of, row_of,
};
use crate::widgets::truncate::{truncate_line, wrapped};

use super::input::INPUT_ROWS;
use super::screen::RunsAction;
use super::{
    RunsScreen, RunsTarget, RunsView, curves, differences, effects, fork, header, list_view, map,
    table,
};

/// The narrowest screen that has a list beside a table or a map.
const LEAST_WIDTH: u16 = 110;

/// The smallest area that shows two views, and the narrowest that shows them side by side.
const LARGE: (u16, u16) = (120, 45);
const BROAD: u16 = 150;

/// The fewest rows in which another view is shown below one that needs no more.
const LEAST_BELOW: u16 = 15;

/// The rows of what is said of a fork, below the list.
const FORK_ROWS: u16 = 15;

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
        let (words, style) = header::status(screen, theme);
        let words = wrapped(&words, area.width.saturating_sub(2).into(), style);
        let (above, last) = cut_below(below(area, 2), words.len() as u16);
        put_all(buf, inset(last, 1), words);
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
    let most = list_view::width(screen).clamp(36, 52);
    let wide = (body.width * 3 / 10).clamp(28, most).min(body.width);
    let mut left = columns_of(body, 0, wide);
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
    let views = draw_view(screen, context, right_of(body, wide), buf);
    if screen.preview.is_none() {
        regions.extend(views);
    }
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
    let said = if screen.message.is_empty() {
        screen.shown()
    } else {
        screen
    };
    let area = put_all(buf, area, view_keys(said, context, area.width.into()));
    let screen = screen.shown();
    // Their areas depend on what is in them.
    let table = LazyCell::new(|| table::table(screen, theme));
    let parts = LazyCell::new(|| differences::all(screen, live));
    // The rows that a view needs, at most.
    let length = |view, width| {
        let length = match view {
            RunsView::Table => Some(table.height(width, theme)),
            RunsView::Map => screen.sweep().and_then(|sweep| map::length(&sweep)),
            RunsView::Effects => screen.sweep().map(|sweep| effects::length(&sweep) + 2),
            RunsView::Differences => Some(differences::length(&parts) + 3),
            RunsView::Curves => None,
        };
        length.map_or(u16::MAX, |length| length as u16)
    };
    let mut draw = |view, area| {
        let mut regions = Regions::default();
        match view {
            RunsView::Table => regions = table.draw(theme, area, buf),
            RunsView::Curves => regions = curves::draw_curves(screen, live, theme, area, buf),
            RunsView::Map => map::draw(screen, theme, area, buf),
            RunsView::Effects => effects::draw(screen, theme, area, buf),
            RunsView::Differences => differences::draw(screen, parts.clone(), theme, area, buf),
        }
        if let Some((read, all)) = screen.loading(view) {
            // Figures of a part of the runs must not look like those of all.
            let inside = area.inner(Margin::new(1, 1)).intersection(buf.area);
            buf.set_style(inside, theme.faint);
            let words = format!(" loading {} of {} ", whole(read as u64), whole(all as u64));
            put_right(buf, inset(area, 1), 0, Span::styled(words, theme.warning));
        }
        regions
    };
    let mut regions = Regions::default();
    for (view, area) in areas(screen, area, &length) {
        regions.extend(draw(view, area));
    }
    regions
}

/// The views that are shown, with their areas, given the rows that each needs in some width.
fn areas(
    screen: &RunsScreen,
    area: Rect,
    length: &dyn Fn(RunsView, u16) -> u16,
) -> Vec<(RunsView, Rect)> {
    let is_large = area.width >= LARGE.0 && area.height >= LARGE.1;
    let needed = length(screen.view, area.width);
    let is_short = needed.saturating_add(LEAST_BELOW) <= area.height;
    // What a short view leaves is another's.
    let most = usize::from(is_large || is_short) + usize::from(is_large);
    let is_whole = !screen.options.zoom.is_zoomed();
    let others = companions(screen).filter(|_| is_whole).take(most);
    let views: Vec<RunsView> = std::iter::once(screen.view).chain(others).collect();
    let (first, rest) = match views.len() {
        1 => (area, Rect::default()),
        _ if !is_large => cut_below(area, area.height - needed),
        _ if area.width < BROAD => cut_below(area, area.height * 2 / 5),
        _ => {
            // A table has the most columns.
            let parts = 10 + 3 * u16::from(screen.view == RunsView::Table);
            let width = area.width * parts / 20;
            (columns_of(area, 0, width), right_of(area, width))
        }
    };
    if area.width < BROAD || views.len() < 3 {
        let shown = views.into_iter().zip([first, rest]);
        return shown.filter(|(_, area)| !area.is_empty()).collect();
    }
    // The curves have a column of their own. Two other views share one.
    let (curves, shared) = match screen.view {
        RunsView::Curves => (first, rest),
        _ => (rest, first),
    };
    let others = views.iter().filter(|view| **view != RunsView::Curves);
    let rows: Vec<u16> = others.map(|view| length(*view, shared.width)).collect();
    let most = shared.height - rows[1].min(shared.height / 2);
    let (upper, lower) = cut_below(shared, shared.height - rows[0].min(most));
    let mut left = [upper, lower].into_iter();
    let shown = views.into_iter().filter_map(|view| match view {
        RunsView::Curves => Some((view, curves)),
        _ => Some((view, left.next()?)),
    });
    shown.collect()
}

/// The views beside the shown one where there is room for them.
fn companions(screen: &RunsScreen) -> impl Iterator<Item = RunsView> {
    let others = match screen.view {
        RunsView::Curves => [RunsView::Table, RunsView::Differences],
        RunsView::Table => [RunsView::Curves, RunsView::Differences],
        RunsView::Map => [RunsView::Effects, RunsView::Curves],
        RunsView::Effects => [RunsView::Map, RunsView::Curves],
        RunsView::Differences => [RunsView::Curves, RunsView::Table],
    };
    others
        .into_iter()
        .filter(|view| screen.refusal(*view).is_none())
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
