//! The Run screen: a run as it goes on, pane by pane.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::ui::app::watch::Watch;
use crate::ui::app::{Model, Zoom};
use crate::ui::widgets::frame::Focus;

use self::charts::Place;
use self::layout::{Cast, Pane};

mod champion;
pub mod charts;
mod events;
mod game;
pub mod layout;
mod lengths;
pub mod lens;
pub(super) mod map;
mod measures;
pub mod speed;
mod turnable;
mod weights;

/// Draws the panes that the terminal has room for, or the one that fills it.
pub fn view(model: &Model, watch: &Watch, whole: Rect, body: Rect, buf: &mut Buffer) {
    let (wide, tall) = (layout::wide(whole.width), layout::tall(whole.height));
    let placed = layout::place(body, wide, tall, cast(watch));
    let here = placed.iter().any(|(pane, _)| *pane == model.pane);
    let focused = if here { model.pane } else { Pane::Objective };
    if model.zoom == Zoom::In {
        draw(model, watch, focused, Focus::Here, body, buf);
        return;
    }
    for (pane, area) in placed {
        let focus = if pane == focused {
            Focus::Here
        } else {
            Focus::Elsewhere
        };
        draw(model, watch, pane, focus, area, buf);
    }
}

/// The panes that suit a run.
pub fn cast(watch: &Watch) -> Cast {
    let mut cast = Cast::default();
    if map::has_map(watch) {
        cast.size = Pane::Map;
    }
    if weights::has_weights(watch) {
        cast.past = Pane::Weights;
    }
    cast
}

fn draw(model: &Model, watch: &Watch, pane: Pane, focus: Focus, area: Rect, buf: &mut Buffer) {
    let place = Place {
        theme: &model.theme,
        charts: model.charts,
        focus,
        area,
    };
    match pane {
        Pane::Objective => charts::objective(watch, place, buf),
        Pane::Fitness => charts::fitness(watch, place, buf),
        Pane::Size => charts::size(watch, place, buf),
        Pane::Map => map::view(watch, place, buf),
        Pane::Weights => weights::view(watch, place, buf),
        Pane::Past => charts::past(watch, place, buf),
        Pane::Sample => game::view(watch, &model.sample, place, buf),
        Pane::Champion => champion::view(watch, place, buf),
        Pane::Lengths => lengths::view(watch, place, buf),
        Pane::Speed => speed::view(watch, place, buf),
        Pane::Knobs => turnable::view(watch, place, buf),
        Pane::Events => events::view(watch, place, buf),
    }
}
