//! The Log screen as a screen of the dashboard.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::keymap::{Action, Scope, keys, own_actions};
use crate::model::context::Context;
use crate::mouse::Regions;
use crate::screen::{
    ClickTarget, Effect, Effects, ExportFile, Request, Screen, ScreenEvent, ScreenInput, Tab,
};

use super::LogScreen;

own_actions! {
    /// What only the Log screen does.
    pub(super) enum LogAction {
        LogLevel = "log_level",
    }
}

/// The keys of the screen.
pub(super) const SCOPE: Scope = Scope::of_screen(
    "log",
    keys![
        Char('/') => Filter, "type to filter by text", "filter";
        Char('L') => (LogAction::LogLevel), "lowest level shown: error, warn, info, debug, \
            trace", "level";
        Code(KeyCode::Enter) => Enter, "show or hide the details of the entry", "details";
        Char('e') => Export, "write the shown entries to a file", "export";
        Code(KeyCode::Up) => Up, "up", "";
        Code(KeyCode::Down) => Down, "down", "";
        Char('k') => Up, "up", "";
        Char('j') => Down, "down", "";
        Key::Wheel(Wheel::Up) => Up, "up", "";
        Key::Wheel(Wheel::Down) => Down, "down", "";
        Click => Click, "on an entry: select", "";
        Code(KeyCode::PageUp) => PageUp, "page up", "";
        Code(KeyCode::PageDown) => PageDown, "page down", "";
        Code(KeyCode::Home) => First, "go to the first", "";
        Code(KeyCode::End) => Last, "go to the newest, and follow", "";
    ],
);

impl Screen for LogScreen {
    fn tab(&self) -> Tab {
        Tab {
            name: "Log",
            short: "Log",
            action: Action::GoLog,
            key: '6',
            purpose: "show the log",
            scope: SCOPE,
        }
    }

    fn press(&mut self, input: ScreenInput, context: &mut Context) -> Effects {
        let action = self.action_of(input);
        action.map_or_else(Vec::new, |action| self.act(action, context))
    }

    fn act(&mut self, action: Action, context: &mut Context) -> Effects {
        match self.handle_action(action) {
            None => Vec::new(),
            Some(Action::Export) => vec![Effect::Ask(Request::Export(ExportFile {
                run: context.saved_name(),
                stem: "log".to_owned(),
                ending: "txt",
                text: self.text(),
            }))],
            Some(other) => vec![Effect::Do(other)],
        }
    }

    fn click(&mut self, target: &ClickTarget, _: Position, _: &mut Context) -> Effects {
        if let ClickTarget::Row(row) = target {
            self.select(*row);
        }
        Vec::new()
    }

    fn receive(&mut self, event: &ScreenEvent<'_>, context: &mut Context) {
        if let (ScreenEvent::Refresh, Some(log)) = (event, &context.log) {
            self.append(log.entries_since(self.next_number()));
        }
    }

    fn view(&self, context: &Context, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
        self.draw(context, area, buf)
    }
}
