//! The map of styles of the newest generation, with the elite of the selected cell.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::keymap;
use crate::model::champions::InspectedPlayer;
use crate::model::context::Context;
use crate::mouse::Regions;
use crate::screens::run::charts::PaneContext;
use crate::screens::run::layout::RunPane;
use crate::screens::run::styles::{self, KnownStyles};
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::text::cut_right;

use super::match_matrix_view::view_text;
use super::screen::{PopulationAction, SCOPE};
use super::{PopulationPane, PopulationScreen, PopulationTarget, member_details};

/// The map of the generation that is listed, if it is known.
pub(super) fn known(screen: &PopulationScreen) -> Option<KnownStyles<'_>> {
    KnownStyles::of(&screen.member_table.as_ref()?.snapshot)
}

/// The index of the elite of the selected cell among the members.
fn selected_elite(screen: &PopulationScreen) -> Option<usize> {
    known(screen)?
        .elites()
        .nth(screen.cursor(PopulationPane::Styles))
}

/// The elite of the selected cell.
pub(super) fn selected(screen: &PopulationScreen) -> Option<InspectedPlayer> {
    let snapshot = &screen.member_table.as_ref()?.snapshot;
    Some(InspectedPlayer::member(snapshot, selected_elite(screen)?))
}

/// Selects the cell of an elite.
pub(super) fn select(screen: &mut PopulationScreen, member: usize) {
    let place = known(screen).and_then(|known| known.elites().position(|elite| elite == member));
    if let Some(place) = place {
        screen.cursors[PopulationPane::Styles as usize] = place;
    }
}

/// Selects the elite that was selected in the generation before, if it still is one.
pub(super) fn follow(screen: &mut PopulationScreen, elite: Option<&InspectedPlayer>) {
    let Some((elite, table)) = elite.zip(screen.member_table.as_ref()) else {
        return;
    };
    let mut members = table.snapshot.members.iter();
    if let Some(member) = members.position(|member| *member == elite.champion.genome) {
        select(screen, member);
    }
}

/// Draws the map, and the selected elite beside it if there is room.
pub(super) fn view(
    screen: &PopulationScreen,
    context: &Context,
    focus: Focus,
    area: Rect,
    buf: &mut Buffer,
) -> Regions<PopulationTarget> {
    let theme = &context.theme;
    let (Some(known), Some(watch)) = (known(screen), context.shown_run()) else {
        let inner = Frame::titled("Styles").pane(focus, theme, area, buf);
        view_text(&missing(screen), theme, inner, buf);
        return Regions::default();
    };
    let side = if screen.zoom.is_zoomed() {
        0
    } else {
        (area.width * 2 / 5).clamp(24, 64)
    };
    let (map, side) = cut_right(area, side);
    let elite = selected_elite(screen);
    let members = screen.member_table.as_ref();
    let found = members.and_then(|table| {
        let mut members = table.members().iter();
        Some((table, members.find(|member| Some(member.index) == elite)?))
    });
    if let Some((table, member)) = found.filter(|_| side.width > 0) {
        member_details::draw(table, member, watch, theme, (side, buf));
    }
    let place = PaneContext {
        focus,
        ..PaneContext::beside(context, RunPane::Map, map)
    };
    let regions = styles::draw(watch, known, (elite, "selected"), place, buf);
    regions.map(PopulationTarget::Elite)
}

/// Why no map is shown.
fn missing(screen: &PopulationScreen) -> String {
    if screen.follows_newest {
        return "The map is known once a generation has been played.".to_owned();
    }
    let newer = keymap::label(SCOPE, PopulationAction::NewerPopulation.action());
    format!("The maps of earlier generations are not kept. {newer} goes to the newest.")
}
