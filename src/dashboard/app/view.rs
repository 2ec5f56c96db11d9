//! Draws the model and returns its click targets.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::mouse::Regions;
use crate::screen::{MIN_SIZE, Tab};
use crate::screens::help;
use crate::widgets::text::{below, cut_below, put_all, row_of};
use finches_engine::text::{is_safe, without_unsafe};

use super::{AppModel, Overlay, cost, footer, header, quit, too_small};
use crate::screen::ClickTarget;

/// Draws everything into an area. Returns the click targets; none while an overlay is open.
pub fn view(model: &AppModel, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
    let regions = draw_all(model, area, buf);
    remove_unsafe(buf);
    model.context.theme.paint(area, buf);
    regions
}

/// Removes what a terminal would act on, such as marks of the writing direction, which are drawn as
/// part of the letter before.
fn remove_unsafe(buf: &mut Buffer) {
    for cell in &mut buf.content {
        if !is_safe(cell.symbol()) {
            let symbol = without_unsafe(cell.symbol());
            cell.set_symbol(if symbol.is_empty() { " " } else { &symbol });
        }
    }
}

fn draw_all(model: &AppModel, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
    let area = area.intersection(buf.area);
    if area.is_empty() {
        return Regions::default();
    }
    if area.width < MIN_SIZE.0 || area.height < MIN_SIZE.1 {
        if let (Some(Overlay::Quit), Some(run)) = (model.overlay, &model.context.run) {
            quit::view(run, &model.context.theme, area, buf);
        } else if model.overlay == Some(Overlay::Cost) {
            cost::view(&model.cost, &model.context.theme, area, buf);
        } else {
            too_small::view(model, area, buf);
        }
        return Regions::default();
    }
    let row = |y: u16| row_of(area, y);
    let screen = model.shown();
    let mut regions = Regions::default();
    if has_run_header(model) {
        header::top(model, row(0), buf);
        regions = header::tabs(model, row(1), buf);
        put_all(buf, below(area, 2), header::banner(model, area.width));
    }
    regions.extend(screen.view(&model.context, body(model, area), buf));
    footer::keys(model, row(area.height - 1), buf);
    match (model.overlay, &model.context.run) {
        (Some(Overlay::Help), _) => {
            let tabs: Vec<Tab> = model.screens.iter().map(|screen| screen.tab).collect();
            let (tab, theme) = (screen.tab(), &model.context.theme);
            help::view(tab, &tabs, &model.help, theme, area, buf);
        }
        (Some(Overlay::Quit), Some(run)) => quit::view(run, &model.context.theme, area, buf),
        (Some(Overlay::Breakpoints), Some(_)) => {
            model.breakpoints.view(&model.context.theme, area, buf);
        }
        (Some(Overlay::Cost), _) => cost::view(&model.cost, &model.context.theme, area, buf),
        (Some(Overlay::Fork), Some(_)) => model.fork.view(&model.context.theme, area, buf),
        _ => return regions,
    }
    Regions::default()
}

/// Whether the run and the tabs stand above the screen.
fn has_run_header(model: &AppModel) -> bool {
    model.tab().scope.has_globals
}

/// The area of the current screen: below the header and its warnings, above the keys.
pub(super) fn body(model: &AppModel, area: Rect) -> Rect {
    let above = if has_run_header(model) {
        2 + header::banner(model, area.width).len() as u16
    } else {
        0
    };
    let (body, _) = cut_below(below(area, above), 1);
    body
}
