//! The Log screen as a screen of the dashboard.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::ui::keymap::{Action, Scope};
use crate::ui::model::context::Context;
use crate::ui::mouse::Regions;
use crate::ui::screen::{ClickTarget, Effect, Effects, ExportFile, Screen, Tab};

use super::LogScreen;

impl Screen for LogScreen {
    fn tab(&self) -> Tab {
        Tab {
            name: "Log",
            short: "Log",
            action: Action::GoLog,
            scope: Scope::Log,
        }
    }

    fn press(&mut self, key: KeyEvent, context: &mut Context) -> Effects {
        let action = self.key_action(key);
        action.map_or_else(Vec::new, |action| self.act(action, context))
    }

    fn act(&mut self, action: Action, context: &mut Context) -> Effects {
        match self.handle_action(action) {
            None => Vec::new(),
            Some(Action::Export) => vec![Effect::Export(ExportFile {
                run: context.saved_name(),
                stem: "log".to_owned(),
                ending: "txt",
                text: self.text(),
            })],
            Some(other) => vec![Effect::Do(other)],
        }
    }

    fn click(&mut self, target: &ClickTarget, _: Position, _: &mut Context) -> Effects {
        if let ClickTarget::Row(row) = target {
            self.select(*row);
        }
        Vec::new()
    }

    fn refresh(&mut self, context: &mut Context) {
        if let Some(log) = &context.log {
            self.append(log.entries_since(self.next_number()));
        }
    }

    fn view(&self, context: &Context, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
        self.draw(context, area, buf)
    }
}
