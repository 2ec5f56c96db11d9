//! The pane with the champion's first layer on the board.

use ratatui::buffer::Buffer;
use ratatui::text::{Line, Span};

use crate::model::run::RunModel;
use crate::screens::first_layer::{FirstLayerMaps, LayerMarks};
use crate::widgets::frame::{Frame, content};
use crate::widgets::text::put;
use finches_runs::run::message::Snapshot;

use super::charts::PaneContext;

/// The first layer of a champion, if it has one.
fn maps(watch: &RunModel, snapshot: Option<&Snapshot>) -> Option<FirstLayerMaps> {
    let champion = &snapshot?.champion;
    let arena = &watch.facts.arena;
    let genome = &watch.facts.preset.genome;
    FirstLayerMaps::of(
        genome,
        &champion.genome,
        arena.io_spec(),
        &arena.info().input_planes,
    )
}

pub(super) fn view(watch: &RunModel, context: PaneContext<'_>, buf: &mut Buffer) {
    let theme = context.theme;
    let Some(layer) = maps(watch, watch.snapshot.as_deref()) else {
        Frame::titled("First layer on the board").draw(context.focus, theme, context.area, buf);
        return;
    };
    let plan = layer.layout(content(context.area), theme);
    let frame = Frame {
        title: Line::from(format!("{} on the board", layer.kind())),
        right: Line::styled(layer.names(), theme.dim),
        bottom_left: layer.legend(theme),
        bottom_right: Line::styled(layer.count(plan.as_ref()), theme.dim),
        ..Frame::default()
    };
    let inner = frame.pane(context.focus, theme, context.area, buf);
    if let Some(plan) = plan {
        layer.draw(plan, LayerMarks::default(), theme, inner, buf);
    } else {
        let words = "not enough room: press z to zoom";
        put(buf, inner, 0, Span::styled(words, theme.dim));
    }
}

/// Whether a champion has a first layer and the game a board to show it on.
pub(super) fn has_weights(watch: &RunModel, snapshot: Option<&Snapshot>) -> bool {
    maps(watch, snapshot).is_some()
}
