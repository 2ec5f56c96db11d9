//! The Run screen: the panes that show a running evolution.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::jobs::{Waker, WantedAnswers};
use crate::model::context::Context;
use crate::model::run::{RunModel, RunState};
use crate::model::zoom::Zoom;
use crate::mouse::Regions;
use crate::widgets::frame::Focus;
use finches_engine::games::GameConfig;
use finches_engine::games::board::MaxSize;
use finches_engine::play::start_board;

use self::charts::PaneContext;
use self::layout::{PaneSubstitutes, RunPane};
use self::network::GrowingNetwork;
mod champion;
mod chart;
pub mod charts;
mod events;
pub mod game;
pub mod layout;
mod lengths;
pub mod map;
mod measures;
mod network;
pub mod reading;
mod screen;
pub mod speed;
pub mod styles;
mod weights;

/// A click target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunTarget {
    Pane(RunPane),
    /// The plot area of a pane's chart.
    Chart {
        pane: RunPane,
        body: Rect,
    },
}

/// The state of the Run screen.
pub struct RunScreen {
    /// The pane with the focus.
    pub pane: RunPane,
    pub zoom: Zoom,
    network: GrowingNetwork,
}

impl RunScreen {
    pub fn new(waker: Waker) -> Self {
        Self {
            pane: RunPane::Objective,
            zoom: Zoom::Out,
            network: GrowingNetwork::new(waker),
        }
    }

    /// Takes in results of background work.
    pub fn take_answers(&mut self, wanted: WantedAnswers) {
        self.network.take_answers(wanted);
    }

    /// Draws the panes that fit, or the zoomed one.
    fn draw(
        &self,
        context: &Context,
        watch: &RunModel,
        body: Rect,
        buf: &mut Buffer,
    ) -> Regions<RunTarget> {
        let (wide, tall) = (
            layout::width_class(buf.area.width),
            layout::height_class(buf.area.height),
        );
        let placed = layout::place_panes(body, wide, tall, substitutes(watch));
        let focused = focused_pane(self.pane, placed.iter().map(|(pane, _)| *pane));
        if self.zoom.is_zoomed() {
            return self.view_pane(context, watch, (focused, Focus::Here), body, buf);
        }
        let mut regions = Regions::default();
        for (pane, area) in placed {
            let focus = Focus::from(pane == focused);
            regions.extend(self.view_pane(context, watch, (pane, focus), area, buf));
        }
        regions
    }

    fn view_pane(
        &self,
        context: &Context,
        watch: &RunModel,
        (pane, focus): (RunPane, Focus),
        area: Rect,
        buf: &mut Buffer,
    ) -> Regions<RunTarget> {
        let place = PaneContext {
            zoom: self.zoom,
            focus,
            ..PaneContext::beside(context, pane, area)
        };
        let mut regions = Regions::default();
        regions.add(area, RunTarget::Pane(pane));
        match pane {
            RunPane::Objective => regions.extend(charts::objective(watch, place, buf)),
            RunPane::Fitness => regions.extend(charts::fitness(watch, place, buf)),
            RunPane::Size => regions.extend(charts::size(watch, place, buf)),
            RunPane::Network => self.network.view(watch, place, buf),
            RunPane::Table => self.network.view_table(watch, place, buf),
            RunPane::Map => map::view(watch, place, buf),
            RunPane::Weights => weights::view(watch, place, buf),
            RunPane::Past => regions.extend(charts::past(watch, place, buf)),
            RunPane::Sample => game::view(watch, &context.sample, place, buf),
            RunPane::Champion => champion::view(watch, place, buf),
            RunPane::Lengths => lengths::view(watch, place, buf),
            RunPane::Events => events::view(watch, place, buf),
        }
        regions
    }
}

/// The pane with the focus: the wanted one or, if it is not shown, the main chart.
pub fn focused_pane(wanted: RunPane, mut shown: impl Iterator<Item = RunPane>) -> RunPane {
    if shown.any(|pane| pane == wanted) {
        wanted
    } else {
        RunPane::Objective
    }
}

/// Whether the board of a game takes all of the sample game's room on a small terminal, or is cut
/// there.
fn is_tall(game: &GameConfig) -> bool {
    let room = MaxSize {
        width: 28,
        height: 9,
    };
    start_board(game, room).height >= room.height
}

/// The panes substituted for this run.
pub fn substitutes(watch: &RunModel) -> PaneSubstitutes {
    let snapshot = watch.snapshot.as_deref();
    let lengths = snapshot.and_then(|snapshot| snapshot.lengths.range());
    let differ = lengths.map(|(shortest, longest)| shortest < longest);
    let has_lengths = differ.unwrap_or(watch.state != RunState::Done);
    let has_weights = weights::has_weights(watch, snapshot);
    let has_maps = has_weights || network::has_table(watch);
    let has_past = has_lengths || has_maps || watch.preset.measures.tournament_games > 0;
    let mut substitutes = PaneSubstitutes {
        has_lengths,
        has_past,
        has_board: is_tall(&watch.preset.game)
            || has_past && !watch.facts.arena.info().input_planes.is_empty(),
        ..PaneSubstitutes::default()
    };
    if map::has_map(watch) {
        substitutes.size = RunPane::Map;
    } else if !has_weights && network::has_network(watch, snapshot) {
        substitutes.size = RunPane::Network;
    }
    if has_weights {
        substitutes.past = RunPane::Weights;
    } else if network::has_table(watch) {
        substitutes.past = RunPane::Table;
    }
    substitutes
}

#[cfg(test)]
mod tests {
    use super::*;
    use finches_runs::storage::presets;

    #[test]
    fn a_board_that_a_small_terminal_would_cut_gets_more_room() {
        let is_tall = |name| is_tall(&presets::load(name).expect("it ships").game);
        assert!(is_tall("dots-record-5x5") && is_tall("reversi-vanilla"));
        assert!(!is_tall("dots-record-3x3") && !is_tall("nim-2x4") && !is_tall("nim-8-heaps"));
    }
}
