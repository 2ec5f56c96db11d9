//! The Arena screen as a screen of the dashboard.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::ui::keymap::{Action, Scope};
use crate::ui::model::context::Context;
use crate::ui::mouse::Regions;
use crate::ui::screen::{ClickTarget, Effects, Screen, Tab, passed};

use super::{ArenaPane, ArenaScreen};

impl Screen for ArenaScreen {
    fn tab(&self) -> Tab {
        Tab {
            name: "Arena",
            short: "Arena",
            action: Action::GoArena,
            scope: Scope::Arena,
        }
    }

    /// Lists the players available now.
    fn open(&mut self, context: &mut Context) -> Result<Effects, String> {
        if let Some(saves) = &context.saves {
            self.saves = saves.clone();
        }
        self.load(context.run.as_ref());
        Ok(Vec::new())
    }

    fn act(&mut self, action: Action, context: &mut Context) -> Effects {
        passed(self.handle_action(action, context.run.as_ref()))
    }

    /// Moves the cursor to a row and selects or deselects its player.
    fn click(&mut self, target: &ClickTarget, _: Position, _: &mut Context) -> Effects {
        if let ClickTarget::Row(row) = target {
            self.message.clear();
            self.pane = ArenaPane::Players;
            self.selection.cursor = (*row).min(self.selection.all.len().saturating_sub(1));
            self.selection.toggle();
        }
        Vec::new()
    }

    fn receive_answers(&mut self, context: &mut Context) {
        while let Some((task, answer)) = self.jobs.receive() {
            self.take(task, answer, context.run.as_ref());
        }
    }

    fn view(&self, context: &Context, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
        self.draw(context, area, buf)
    }
}
