//! The Net screen as a screen of the dashboard.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::keymap::{Action, Scope, keys, own_actions};
use crate::model::context::Context;
use crate::mouse::Regions;
use crate::screen::{ClickTarget, Effect, Effects, Screen, ScreenEvent, Tab, passed};
use finches_runs::run::message::RunEvent;

use super::NetScreen;

own_actions! {
    /// What only the Net screen does.
    pub(super) enum NetAction {
        ShowAllEdges = "show_all_edges",
        ShowInactive = "show_inactive",
        Activity = "activity",
        /// Plays against the network that is shown.
        PlayShown = "play_shown",
    }
}

/// The keys of the screen.
pub(super) const SCOPE: Scope = Scope::of_screen(
    "net",
    keys![
        Code(KeyCode::Left) => Left, "cursor left", "select";
        Code(KeyCode::Right) => Right, "cursor right", "";
        Code(KeyCode::Up) => Up, "cursor up; in a table: previous wrong decision", "";
        Code(KeyCode::Down) => Down, "cursor down; in a table: next wrong decision", "";
        Char('k') => Up, "cursor up; in a table: previous wrong decision", "";
        Char('j') => Down, "cursor down; in a table: next wrong decision", "";
        Char('[') => OlderChampion, "older champion", "champion";
        Char(']') => NewerChampion, "newer champion", "";
        Char('p') => (NetAction::PlayShown), "play against it", "play";
        Char('V') => (NetAction::Activity), "show activations in the sample game, or \
            weights", "activity";
        Char(',') => PreviousMove, "previous move of the sample game", "";
        Char('.') => NextMove, "next move of the sample game", "";
        Char('e') => Export, "write the network as DOT, SVG and JSON", "export";
        Char('A') => (NetAction::ShowAllEdges), "show all edges or the strongest", "";
        Char('I') => (NetAction::ShowInactive), "show or hide nodes and edges on no path from an \
            input to an output", "";
        Char('z') => Zoom, "zoom the picture in or out", "zoom";
    ],
);

/// The tab of the screen.
pub(in crate::screens) const TAB: Tab = Tab {
    name: "Net",
    short: "Net",
    action: Action::GoNet,
    key: '3',
    purpose: "inspect the champion's network",
    scope: SCOPE,
};

impl Screen for NetScreen {
    fn tab(&self) -> Tab {
        TAB
    }

    fn act(&mut self, action: Action, context: &mut Context) -> Effects {
        let action = self.handle_action(action, context);
        let effects = match action {
            Some(Action::PreviousMove) => {
                context.sample.step_back();
                Vec::new()
            }
            Some(Action::NextMove) => {
                context.step_sample_forward();
                Vec::new()
            }
            Some(other) if NetAction::of(other) == Some(NetAction::PlayShown) => {
                let player = self.player().cloned();
                player.map(Effect::PlayAgainst).into_iter().collect()
            }
            other => passed(other),
        };
        self.bring_up_to_date(context);
        effects
    }

    fn receive(&mut self, event: &ScreenEvent<'_>, context: &mut Context) {
        match event {
            ScreenEvent::Run(RunEvent::Snapshot(snapshot)) => {
                self.add_champion(&snapshot.champion);
            }
            ScreenEvent::PlayerInspected(player) => self.show_player((*player).clone()),
            ScreenEvent::Answered(wanted) => self.take_answers(*wanted),
            ScreenEvent::Refresh => self.bring_up_to_date(context),
            _ => {}
        }
    }

    fn view(&self, context: &Context, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
        self.draw(area, buf, &context.theme);
        Regions::default()
    }
}

impl NetScreen {
    /// Shows what is newest, unless the view is frozen.
    fn bring_up_to_date(&mut self, context: &Context) {
        if context.frozen.is_none() {
            self.refresh();
        }
        if self.is_activity_shown() {
            self.set_position(context.sample.position());
        }
    }
}
