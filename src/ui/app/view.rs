//! Draws the model and returns its click targets.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::ui::mouse::Regions;
use crate::ui::screens::run::layout::{MIN_SIZE, SizeClass, height_class};
use crate::ui::screens::{header, help, home, quit, too_small, waiting};
use crate::ui::widgets::text::put_all;

use super::{AppModel, Overlay, Screen};
use crate::ui::screen::ClickTarget;

/// Draws everything into an area. Returns the click targets; none while an overlay is open.
pub fn view(model: &AppModel, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
    let regions = draw_all(model, area, buf);
    model.context.theme.paint(area, buf);
    regions
}

fn draw_all(model: &AppModel, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
    let area = area.intersection(buf.area);
    if area.is_empty() {
        return Regions::default();
    }
    if area.width < MIN_SIZE.0 || area.height < MIN_SIZE.1 {
        if let (Some(Overlay::Quit), Some(run)) = (model.overlay, &model.context.run) {
            quit::view(run, &model.context.theme, area, buf);
        } else {
            too_small::view(&model.context, area, buf);
        }
        return Regions::default();
    }
    let row = |y: u16| Rect {
        y: area.y + y,
        height: 1,
        ..area
    };
    header::top(model, row(0), buf);
    let mut regions = header::tabs(model, row(1), buf);
    header::keys(model, row(area.height - 1), buf);
    let mut body = Rect {
        y: area.y + 2,
        height: area.height - 3,
        ..area
    };
    body = put_all(buf, body, header::banner(model, body.width));
    regions.extend(screen(model, area, body, buf));
    match (model.overlay, &model.context.run) {
        (Some(Overlay::Help), _) => help::view(model.screen, &model.context.theme, area, buf),
        (Some(Overlay::Quit), Some(run)) => quit::view(run, &model.context.theme, area, buf),
        _ => return regions,
    }
    Regions::default()
}

fn screen(model: &AppModel, whole: Rect, body: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
    let theme = &model.context.theme;
    match model.screen {
        Screen::Home => {
            let items = home::view(&model.home, model.context.run.as_ref(), theme, body, buf);
            return items.map(ClickTarget::Item);
        }
        Screen::Run => {
            let Some(run) = model.context.shown_run() else {
                waiting::view(&model.context, body, buf);
                return Regions::default();
            };
            let mut body = body;
            if height_class(whole.height) > SizeClass::Small {
                body.height -= 1;
                let line = Rect {
                    y: body.bottom(),
                    height: 1,
                    ..body
                };
                header::status(run, theme, line, buf);
            }
            return model.run_screen.view(&model.context, run, body, buf);
        }
        Screen::Net => {
            if let Some(net) = &model.net {
                net.view(body, buf, theme);
            }
        }
        Screen::Play => {
            if let Some(play) = &model.play {
                return play.view(body, buf, theme).map(ClickTarget::Move);
            }
        }
        Screen::Parameters => {
            if let Some(parameters) = &model.parameters {
                return parameters
                    .view(body, buf, theme)
                    .map(ClickTarget::Parameter);
            }
        }
        Screen::Population => {
            if let Some(population) = &model.population {
                return population.view(&model.context, body, buf);
            }
        }
        Screen::Log => return model.log.view(&model.context, body, buf),
        Screen::Games => {
            if let Some(games) = &model.games {
                return games.view(&model.context, body, buf);
            }
        }
        Screen::Compare => return model.compare.view(&model.context, body, buf),
        Screen::Arena => return model.arena.view(&model.context, body, buf),
    }
    Regions::default()
}
