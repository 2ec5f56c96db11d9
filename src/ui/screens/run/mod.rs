//! The Run screen: a run as it goes on, pane by pane.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::ui::app::Model;
use crate::ui::app::point::Target;
use crate::ui::app::watch::Watch;
use crate::ui::mouse::Regions;
use crate::ui::widgets::frame::Focus;

use self::charts::Place;
use self::layout::{Cast, Pane};

mod champion;
mod chart;
pub mod charts;
mod events;
mod game;
pub mod layout;
mod lengths;
pub mod lens;
pub(super) mod map;
mod measures;
pub mod reading;
pub mod speed;
mod turnable;
mod weights;

/// Draws the panes that the terminal has room for, or the one that fills it; what a click on them means.
pub fn view(
    model: &Model,
    watch: &Watch,
    whole: Rect,
    body: Rect,
    buf: &mut Buffer,
) -> Regions<Target> {
    let (wide, tall) = (layout::wide(whole.width), layout::tall(whole.height));
    let placed = layout::place(body, wide, tall, cast(watch));
    let focused = focused(model.pane, placed.iter().map(|(pane, _)| *pane));
    if model.zoom.is_in() {
        return draw(model, watch, focused, Focus::Here, body, buf);
    }
    let mut regions = Regions::default();
    for (pane, area) in placed {
        let focus = if pane == focused {
            Focus::Here
        } else {
            Focus::Elsewhere
        };
        regions.extend(draw(model, watch, pane, focus, area, buf));
    }
    regions
}

/// The pane that has the focus: the wanted one, or where that is not shown, the main chart.
pub fn focused(wanted: Pane, mut shown: impl Iterator<Item = Pane>) -> Pane {
    if shown.any(|pane| pane == wanted) {
        wanted
    } else {
        Pane::Objective
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

fn draw(
    model: &Model,
    watch: &Watch,
    pane: Pane,
    focus: Focus,
    area: Rect,
    buf: &mut Buffer,
) -> Regions<Target> {
    let place = Place {
        theme: &model.theme,
        charts: model.charts,
        pane,
        zoom: model.zoom,
        focus,
        area,
    };
    let mut regions = Regions::default();
    regions.add(area, Target::Pane(pane));
    match pane {
        Pane::Objective => regions.extend(charts::objective(watch, place, buf)),
        Pane::Fitness => regions.extend(charts::fitness(watch, place, buf)),
        Pane::Size => regions.extend(charts::size(watch, place, buf)),
        Pane::Map => map::view(watch, place, buf),
        Pane::Weights => weights::view(watch, place, buf),
        Pane::Past => regions.extend(charts::past(watch, place, buf)),
        Pane::Sample => game::view(watch, &model.sample, place, buf),
        Pane::Champion => champion::view(watch, place, buf),
        Pane::Lengths => lengths::view(watch, place, buf),
        Pane::Speed => speed::view(watch, place, buf),
        Pane::Knobs => turnable::view(watch, place, buf),
        Pane::Events => events::view(watch, place, buf),
    }
    regions
}
