//! The Run screen: the panes that show a running evolution.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::ui::app::AppModel;
use crate::ui::app::mouse_input::ClickTarget;
use crate::ui::model::run::RunModel;
use crate::ui::mouse::Regions;
use crate::ui::widgets::frame::Focus;

use self::charts::PaneContext;
use self::layout::{PaneSubstitutes, RunPane};

mod champion;
mod chart;
pub mod chart_options;
pub mod charts;
mod events;
mod game;
pub mod layout;
mod lengths;
mod live_parameters;
pub(super) mod map;
mod measures;
pub mod reading;
pub mod speed;
mod weights;

/// Draws the panes that fit, or the zoomed one, and returns what a click on each region does.
pub fn view(
    model: &AppModel,
    watch: &RunModel,
    whole: Rect,
    body: Rect,
    buf: &mut Buffer,
) -> Regions<ClickTarget> {
    let (wide, tall) = (
        layout::width_class(whole.width),
        layout::height_class(whole.height),
    );
    let placed = layout::place_panes(body, wide, tall, substitutes(watch));
    let focused = focused_pane(model.pane, placed.iter().map(|(pane, _)| *pane));
    if model.zoom.is_zoomed() {
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

/// The pane with the focus: the wanted one or, if it is not shown, the main chart.
pub fn focused_pane(wanted: RunPane, mut shown: impl Iterator<Item = RunPane>) -> RunPane {
    if shown.any(|pane| pane == wanted) {
        wanted
    } else {
        RunPane::Objective
    }
}

/// The panes substituted for this run.
pub fn substitutes(watch: &RunModel) -> PaneSubstitutes {
    let mut substitutes = PaneSubstitutes::default();
    if map::has_map(watch) {
        substitutes.size = RunPane::Map;
    }
    if weights::has_weights(watch) {
        substitutes.past = RunPane::Weights;
    }
    substitutes
}

fn draw(
    model: &AppModel,
    watch: &RunModel,
    pane: RunPane,
    focus: Focus,
    area: Rect,
    buf: &mut Buffer,
) -> Regions<ClickTarget> {
    let context = PaneContext {
        theme: &model.theme,
        charts: model.charts,
        pane,
        zoom: model.zoom,
        focus,
        area,
    };
    let mut regions = Regions::default();
    regions.add(area, ClickTarget::Pane(pane));
    match pane {
        RunPane::Objective => regions.extend(charts::objective(watch, context, buf)),
        RunPane::Fitness => regions.extend(charts::fitness(watch, context, buf)),
        RunPane::Size => regions.extend(charts::size(watch, context, buf)),
        RunPane::Map => map::view(watch, context, buf),
        RunPane::Weights => weights::view(watch, context, buf),
        RunPane::Past => regions.extend(charts::past(watch, context, buf)),
        RunPane::Sample => game::view(watch, &model.sample, context, buf),
        RunPane::Champion => champion::view(watch, context, buf),
        RunPane::Lengths => lengths::view(watch, context, buf),
        RunPane::Speed => speed::view(watch, context, buf),
        RunPane::Parameters => live_parameters::view(watch, context, buf),
        RunPane::Events => events::view(watch, context, buf),
    }
    regions
}
