//! Draws the model and returns its click targets.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::ui::mouse::Regions;
use crate::ui::screens::run::layout::{MIN_SIZE, SizeClass, height_class};
use crate::ui::screens::{header, help, home, quit, run, too_small, waiting};
use crate::ui::widgets::text::put_all;

use super::mouse_input::ClickTarget;
use super::{AppModel, Overlay, Screen};

/// Draws everything into an area. Returns the click targets; none while an overlay is open.
pub fn view(model: &AppModel, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
    let regions = draw_all(model, area, buf);
    model.theme.paint(area, buf);
    regions
}

fn draw_all(model: &AppModel, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
    let area = area.intersection(buf.area);
    if area.is_empty() {
        return Regions::default();
    }
    if area.width < MIN_SIZE.0 || area.height < MIN_SIZE.1 {
        if let (Some(Overlay::Quit), Some(run)) = (model.overlay, &model.run) {
            quit::view(run, &model.theme, area, buf);
        } else {
            too_small::view(model, area, buf);
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
    match (model.overlay, &model.run) {
        (Some(Overlay::Help), _) => help::view(model.screen, &model.theme, area, buf),
        (Some(Overlay::Quit), Some(run)) => quit::view(run, &model.theme, area, buf),
        _ => return regions,
    }
    Regions::default()
}

fn screen(model: &AppModel, whole: Rect, body: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
    let theme = &model.theme;
    match model.screen {
        Screen::Home => {
            let items = home::view(&model.home, model.run.as_ref(), theme, body, buf);
            return items.map(ClickTarget::Item);
        }
        Screen::Run => {
            let Some(run) = model.shown_run() else {
                waiting::view(model, body, buf);
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
            return run::view(model, run, whole, body, buf);
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
                return population.view(model, body, buf);
            }
        }
        Screen::Log => return model.log.view(model, body, buf),
        Screen::Games => {
            if let Some(games) = &model.games {
                return games.view(model, body, buf);
            }
        }
        Screen::Compare => return model.compare.view(model, body, buf),
        Screen::Arena => return model.arena.view(model, body, buf),
    }
    Regions::default()
}
