//! The position that games begin with: the usual one, one that the user types, or those that the game draws.

use crossterm::event::KeyEvent;

use crate::widgets::text_input::{TextInput, TextInputResult};
use finches_engine::play::interactive::InteractiveGame;

use super::{PlayMessage, PlayScreen};

/// Where games begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum GameStart {
    /// Where the game itself begins, which may be drawn anew for each game.
    Drawn,
    Position(String),
}

impl GameStart {
    /// The usual position if the game draws its starts, since many of them are short games.
    pub(super) fn usual(table: &InteractiveGame) -> Self {
        table
            .info()
            .usual_start
            .clone()
            .map_or(Self::Drawn, Self::Position)
    }

    /// Begins game number `index`.
    pub(super) fn begin(&self, table: &mut InteractiveGame, index: u64) {
        table.restart(index);
        if let Self::Position(position) = self {
            // It was valid when it was chosen.
            let _ = table.set_position(position);
        }
    }
}

impl PlayScreen {
    /// Lets the user type a position.
    pub(super) fn choose_start(&mut self) {
        let position = match &self.start {
            GameStart::Position(position) => position.clone(),
            GameStart::Drawn => self.table.position().text.clone(),
        };
        self.start_entry = Some(TextInput::selected(&position));
        self.message = PlayMessage::Info("An empty line lets the game choose.".to_owned());
    }

    /// Handles a key while a position is typed.
    pub(super) fn press_in_start(&mut self, key: KeyEvent) {
        let Some(entry) = &mut self.start_entry else {
            return;
        };
        match entry.press(key) {
            TextInputResult::Editing => {}
            TextInputResult::Canceled => self.start_entry = None,
            TextInputResult::Done(text) => self.start_from(&text),
        }
    }

    fn start_from(&mut self, text: &str) {
        let start = if text.is_empty() {
            GameStart::Drawn
        } else {
            if let Err(error) = self.table.check_position(text) {
                self.message = PlayMessage::Error(error.to_string());
                return;
            }
            GameStart::Position(text.to_owned())
        };
        self.start_entry = None;
        self.start = start;
        self.new_game();
    }
}
