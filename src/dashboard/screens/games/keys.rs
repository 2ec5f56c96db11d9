//! Handles keys, wheel and clicks of the Games screen.

use crossterm::event::KeyEvent;

use crate::keymap::{self, Action};
use crate::widgets::text_input::{TextInput, TextInputResult};
use finches_runs::storage::games;

use super::analysis::Evaluator;
use super::screen::{GamesAction, SCOPE};
use super::{GamesInput, GamesScreen};

impl GamesScreen {
    /// Handles a key. Returns the action if it is not this screen's.
    pub(super) fn press_key(&mut self, key: KeyEvent) -> Option<Action> {
        self.message = Ok(String::new());
        if let Some(practice) = &mut self.practice {
            let action = practice.press(key);
            self.follow_practice();
            return action;
        }
        match &mut self.typing {
            GamesInput::Nothing => return self.handle_action(keymap::action(SCOPE, key)?),
            GamesInput::Filter(entry) => match entry.press(key) {
                TextInputResult::Editing => entry.text().clone_into(&mut self.filter),
                TextInputResult::Done(_) => self.typing = GamesInput::Nothing,
                TextInputResult::Canceled => self.clear_filter(),
            },
            GamesInput::Path(entry) => match entry.press(key) {
                TextInputResult::Editing => {}
                TextInputResult::Canceled => self.typing = GamesInput::Nothing,
                TextInputResult::Done(path) => {
                    self.typing = GamesInput::Nothing;
                    if !path.is_empty() {
                        self.open_files(vec![games::typed_path(&path)]);
                    }
                }
            },
        }
        None
    }

    fn clear_filter(&mut self) {
        self.filter.clear();
        self.typing = GamesInput::Nothing;
    }

    /// Handles an action. Returns it if it is not this screen's.
    pub fn handle_action(&mut self, action: Action) -> Option<Action> {
        const PAGE: i32 = 10;
        match action {
            Action::PreviousMove => self.playback.step_back(),
            Action::NextMove => self.forward(),
            Action::First => self.go_to(0),
            Action::Last => self.go_to(usize::MAX),
            Action::Filter => self.typing = GamesInput::Filter(TextInput::new(&self.filter)),
            Action::Back if !self.filter.is_empty() => self.clear_filter(),
            zoomed if self.zoom.handle(zoomed) => {}
            other => match (GamesAction::of(other), other.rows(PAGE)) {
                (Some(GamesAction::Autoplay), _) => self.playback.toggle_autoplay(self.plies()),
                (Some(GamesAction::NextAnalysis), _) => self.switch_evaluator(),
                (Some(GamesAction::Import), _) => {
                    self.typing = GamesInput::Path(TextInput::default());
                }
                (Some(GamesAction::Practice), _) => self.start_practice(),
                // Only in practice.
                (Some(GamesAction::Hint), _) => {}
                (None, Some(rows)) => self.step(rows as isize),
                (None, None) => return Some(other),
            },
        }
        None
    }

    fn step(&mut self, by: isize) {
        let rows = self.rows();
        let last = rows.len().saturating_sub(1);
        let row = self.row_index(&rows).saturating_add_signed(by).min(last);
        if let Some(row) = rows.get(row) {
            self.select(row.place);
        }
    }

    /// Selects a row of the list.
    pub fn select_row(&mut self, row: usize) {
        if let Some(row) = self.rows().get(row) {
            self.select(row.place);
        }
    }

    /// Shows the position after `ply` moves.
    pub fn go_to(&mut self, ply: usize) {
        self.playback.is_autoplay = false;
        self.playback.jump_to(ply.min(self.plies()));
    }

    fn forward(&mut self) {
        let (plies, stages) = (self.plies(), self.stages());
        self.playback.step_forward(plies, stages);
    }

    fn switch_evaluator(&mut self) {
        self.evaluator = match self.evaluator {
            Evaluator::Champion => Evaluator::Strongest,
            Evaluator::Strongest => Evaluator::Champion,
        };
        if self.evaluator == Evaluator::Champion && !self.has_other_judge() {
            let judge = self.analysis.judge.as_ref();
            let only = judge.map_or("its judge", |judge| judge.short_name());
            self.message = Err(format!("only {only} can judge this game"));
            self.evaluator = Evaluator::Strongest;
            return;
        }
        self.request_analysis();
    }

    /// Whether a champion can judge the game in place of the oracle.
    pub(super) fn has_other_judge(&self) -> bool {
        let judge = self.analysis.judge.as_ref();
        let shown = self.shown.as_ref();
        judge.is_none_or(|it| it.uses_oracle)
            && shown.is_some_and(|shown| self.champions_of(&shown.rules).is_some())
    }
}
