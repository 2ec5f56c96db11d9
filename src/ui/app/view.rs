//! Draws the model and tells what lies where. Nothing here changes it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::ui::mouse::Regions;
use crate::ui::screens::run::layout::{LEAST, Tier, tall};
use crate::ui::screens::{awaited, header, help, home, quit, run, too_small};
use crate::ui::widgets::text::put_all;

use super::point::Target;
use super::{Model, Overlay, Screen};

/// Draws everything into an area; what can be clicked on, unless something lies over it.
pub fn view(model: &Model, area: Rect, buf: &mut Buffer) -> Regions<Target> {
    let regions = unpainted(model, area, buf);
    model.theme.paint(area, buf);
    regions
}

fn unpainted(model: &Model, area: Rect, buf: &mut Buffer) -> Regions<Target> {
    let area = area.intersection(buf.area);
    if area.is_empty() {
        return Regions::default();
    }
    if area.width < LEAST.0 || area.height < LEAST.1 {
        if let (Some(Overlay::Quit), Some(watch)) = (model.overlay, &model.watch) {
            quit::view(watch, &model.theme, area, buf);
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
    match (model.overlay, &model.watch) {
        (Some(Overlay::Help), _) => help::view(model.screen, &model.theme, area, buf),
        (Some(Overlay::Quit), Some(watch)) => quit::view(watch, &model.theme, area, buf),
        _ => return regions,
    }
    Regions::default()
}

fn screen(model: &Model, whole: Rect, body: Rect, buf: &mut Buffer) -> Regions<Target> {
    let theme = &model.theme;
    match model.screen {
        Screen::Home => {
            let items = home::view(&model.home, model.watch.as_ref(), theme, body, buf);
            return items.map(Target::Item);
        }
        Screen::Run => {
            let Some(watch) = model.shown() else {
                awaited::view(model, body, buf);
                return Regions::default();
            };
            let mut body = body;
            if tall(whole.height) > Tier::Small {
                body.height -= 1;
                let line = Rect {
                    y: body.bottom(),
                    height: 1,
                    ..body
                };
                header::status(watch, theme, line, buf);
            }
            return run::view(model, watch, whole, body, buf);
        }
        Screen::Net => {
            if let Some(net) = &model.net {
                net.view(body, buf, theme);
            }
        }
        Screen::Play => {
            if let Some(play) = &model.play {
                return play.view(body, buf, theme).map(Target::Move);
            }
        }
        Screen::Knobs => {
            if let Some(knobs) = &model.knobs {
                return knobs.view(body, buf, theme).map(Target::Knob);
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
