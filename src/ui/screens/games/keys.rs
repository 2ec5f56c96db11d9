//! What keys, the wheel and clicks do to recorded games.

use std::sync::Arc;

use crossterm::event::{KeyEvent, KeyEventKind};

use crate::ui::app::sample::Autoplay;
use crate::ui::keymap::{self, Action, Scope};
use crate::ui::widgets::entry::{Entry, Typed};

use super::{GamesScreen, Typing, stages};

impl GamesScreen {
    /// Takes a key; what is not this screen's business is passed on.
    pub fn press(&mut self, key: KeyEvent) -> Option<Action> {
        if key.kind == KeyEventKind::Release {
            return None;
        }
        self.message = Ok(String::new());
        match &mut self.typing {
            Typing::Nothing => return self.act(keymap::action(Scope::Games, key)?),
            Typing::Filter(entry) => match entry.press(key) {
                Typed::Editing => entry.text().clone_into(&mut self.filter),
                Typed::Done(_) => self.typing = Typing::Nothing,
                Typed::Left => self.forget_filter(),
            },
            Typing::Path(entry) => match entry.press(key) {
                Typed::Editing => {}
                Typed::Left => self.typing = Typing::Nothing,
                Typed::Done(path) => {
                    self.typing = Typing::Nothing;
                    if !path.is_empty() {
                        self.clerk.open(path, Arc::clone(self.court.arena()));
                    }
                }
            },
        }
        None
    }

    fn forget_filter(&mut self) {
        self.filter.clear();
        self.typing = Typing::Nothing;
    }

    /// Does what a key or the wheel asks for; what is not this screen's business is passed on.
    pub fn act(&mut self, action: Action) -> Option<Action> {
        const PAGE: isize = 10;
        match action {
            Action::Up => self.step(-1),
            Action::Down => self.step(1),
            Action::PageUp => self.step(-PAGE),
            Action::PageDown => self.step(PAGE),
            Action::PlyBack => self.walk.back(),
            Action::PlyForward => self.forward(),
            Action::First => self.go_to(0),
            Action::Last => self.go_to(usize::MAX),
            Action::Autoplay => self.walk.toggle(self.plies()),
            Action::OtherJudge => self.turn_to_other_judge(),
            Action::Filter => self.typing = Typing::Filter(Entry::new(&self.filter)),
            Action::Import => self.typing = Typing::Path(Entry::default()),
            Action::Back if !self.filter.is_empty() => self.forget_filter(),
            zoomed if self.zoom.takes(zoomed) => {}
            other => return Some(other),
        }
        None
    }

    fn step(&mut self, by: isize) {
        let rows = self.rows();
        let last = rows.len().saturating_sub(1);
        let row = self.row_in(&rows).saturating_add_signed(by).min(last);
        if let Some(row) = rows.get(row) {
            self.choose(row.place);
        }
    }

    /// Chooses a line of the list.
    pub fn pick(&mut self, row: usize) {
        if let Some(row) = self.rows().get(row) {
            self.choose(row.place);
        }
    }

    /// Shows the game after so many moves.
    pub fn go_to(&mut self, ply: usize) {
        self.walk.autoplay = Autoplay::Off;
        self.walk.show(ply.min(self.plies()));
    }

    fn forward(&mut self) {
        let plies = self.plies();
        let shown = self.shown.as_ref();
        self.walk.forward(plies, |ply| stages(shown, ply));
    }

    fn turn_to_other_judge(&mut self) {
        let before = self.judge();
        self.judge = Some(before.other());
        if self.judge() == before && self.shown.is_some() {
            self.message = Err("no oracle knows this game; the champion judges".to_owned());
        }
        self.ask();
    }
}
