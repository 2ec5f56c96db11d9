//! The champion's first layer on the board, as a pane.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::ui::app::watch::Watch;
use crate::ui::screens::first_layer::{FirstLayer, Marks};
use crate::ui::widgets::frame::Frame;
use crate::ui::widgets::text::{inset, put};

use super::charts::Place;

pub(super) fn view(watch: &Watch, place: Place<'_>, buf: &mut Buffer) {
    let theme = place.theme;
    let sheets = watch.facts.arena.sheets();
    let champion = watch.snapshot.as_ref().map(|snapshot| &snapshot.champion);
    let layer = champion.and_then(|champion| FirstLayer::of(&champion.genome, &sheets));
    let Some(layer) = layer else {
        Frame::titled("First layer on the board").draw(place.focus, theme, place.area, buf);
        return;
    };
    let inside = Rect {
        width: place.area.width.saturating_sub(4),
        height: place.area.height.saturating_sub(2),
        ..place.area
    };
    let plan = layer.plan(inside, theme);
    let frame = Frame {
        title: Line::from("First layer on the board"),
        right: Line::styled(layer.names(), theme.dim),
        bottom_left: layer.legend(theme),
        bottom_right: Line::styled(layer.count(plan.as_ref()), theme.dim),
    };
    let inner = inset(frame.draw(place.focus, theme, place.area, buf), 1);
    if let Some(plan) = plan {
        layer.draw(plan, Marks::default(), theme, inner, buf);
    } else {
        let words = "too little room: z fills the screen";
        put(buf, inner, 0, Span::styled(words, theme.dim));
    }
}

/// Whether there is a first layer, and a board to lay it on.
pub(super) fn has_weights(watch: &Watch) -> bool {
    let champion = watch.snapshot.as_ref().map(|snapshot| &snapshot.champion);
    champion.is_some_and(|champion| !champion.genome.first_layer().is_empty())
        && !watch.facts.arena.sheets().is_empty()
}
