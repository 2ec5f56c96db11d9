//! Sets up games: sides, new games, and the choice of the opponent. Nothing gives up a game without a question.

use crossterm::event::KeyEvent;

use crate::keymap::{self, Action, Scope};
use crate::model::champions::{ChampionQuery, InspectedPlayer};
use crate::settings::PlaySetup;
use finches_engine::games::Side;
use finches_engine::play::record::Ply;

use super::opponent::OpponentPlayer;
use super::scale::ScoreScale;
use super::screen::CHOOSE_START;
use super::{PlayMessage, PlayScreen, SCOPE};

impl PlayScreen {
    /// Sets the user's side and, if given, the generation and the level of the opponent.
    pub fn set_up(&mut self, setup: PlaySetup) {
        self.human = setup.side;
        if let Some(generation) = setup.generation {
            self.follows_newest = false;
            self.load_opponent(ChampionQuery::Exactly(generation));
        }
        if setup.level.is_some() {
            self.change_level(|search| search.set_level(setup.level));
        }
        self.ask_program();
    }

    /// Whether an action needs a confirmation, since it gives up a game that has begun or changes its champion.
    pub(super) fn must_confirm(&self, action: Action) -> bool {
        let gives_up = match action {
            Action::SwapSides
            | Action::NewGame
            | Action::OlderChampion
            | Action::NewerChampion
            | CHOOSE_START => true,
            Action::Quit => self.quit_is_final,
            _ => false,
        };
        gives_up && self.outcome.is_none() && !self.table.history().is_empty()
    }

    /// The question before an action.
    pub(super) fn question(action: Action) -> String {
        let (what, scope) = match action {
            Action::OlderChampion | Action::NewerChampion => {
                ("Change the champion during this game?", SCOPE)
            }
            Action::Quit => ("Give up this game and quit?", Scope::GLOBAL),
            _ => ("Give up this game?", SCOPE),
        };
        let key = keymap::label(scope, action);
        format!("{what} {key} again: yes; any other key: no")
    }

    /// Carries out the action if its key is pressed again. Returns it if it is not this screen's.
    pub(super) fn answer_question(&mut self, asked: Action, key: KeyEvent) -> Option<Action> {
        self.message = PlayMessage::Info("The game continues.".to_owned());
        if keymap::action(SCOPE, key) == Some(asked) {
            self.handle_action(asked)
        } else {
            None
        }
    }

    pub(super) fn swap_sides(&mut self) {
        self.human = self.human.opponent();
        self.start_game();
    }

    pub(super) fn new_game(&mut self) {
        self.start_index += 1;
        self.start_game();
    }

    /// Starts a game from the current start position; against the newest champion unless another was chosen.
    fn start_game(&mut self) {
        self.games_started += 1;
        self.outcome = None;
        self.cursor = 0;
        self.entry = None;
        self.scale = ScoreScale::of(&self.table);
        self.start.begin(&mut self.table, self.start_index);
        self.position_changed();
        let words = match self.human {
            Side::First => "New game: you move first.".to_owned(),
            Side::Second => format!("New game: the {} moves first.", self.opponent_kind()),
        };
        self.message = PlayMessage::Info(words);
        if let Some(chosen) = self.next_opponent.take() {
            self.seat(chosen);
        } else if self.follows_newest {
            self.load_opponent(ChampionQuery::Newest);
        }
    }

    /// Makes a player chosen on another screen the opponent: of this game if it has not begun, else of the next.
    pub fn choose_opponent(&mut self, player: &InspectedPlayer) {
        let opponent = OpponentPlayer::of(&self.champions, player);
        self.follows_newest = false;
        let has_begun = !self.table.history().is_empty();
        if has_begun && self.outcome.is_none() {
            let key = keymap::label(SCOPE, Action::NewGame);
            let name = opponent.name();
            let words = format!("{key} ends this game and begins one against {name}.");
            self.message = PlayMessage::Info(words);
            self.next_opponent = Some(opponent);
            return;
        }
        let name = opponent.name();
        self.next_opponent = None;
        self.seat(opponent);
        if has_begun {
            self.new_game();
        }
        self.message = PlayMessage::Info(format!("You now play {name}."));
    }

    /// Lets another player continue the game.
    fn seat(&mut self, opponent: OpponentPlayer) {
        self.scale = ScoreScale::of(&self.table);
        self.opponent = Some(opponent);
        self.hints.clear();
        self.start_analysis();
    }

    /// Switches to an older or a newer champion within the game.
    pub(super) fn switch_opponent(&mut self, query: fn(u64) -> ChampionQuery) {
        let query = self
            .opponent
            .as_ref()
            .map_or(ChampionQuery::Newest, |opponent| query(opponent.generation));
        self.load_opponent(query);
    }

    /// Fetches an opponent or reports why there is none.
    pub(super) fn load_opponent(&mut self, query: ChampionQuery) {
        let current = self.opponent.as_ref().map(|opponent| opponent.generation);
        match OpponentPlayer::fetch(&self.champions, query) {
            Ok(Some(opponent)) => {
                if current.is_some_and(|current| current != opponent.generation) {
                    self.message = PlayMessage::Info(format!("You now play {}.", opponent.name()));
                }
                self.follows_newest = query == ChampionQuery::Newest
                    || self.champions.live() == Some(opponent.generation);
                self.next_opponent = None;
                self.seat(opponent);
            }
            Ok(None) => match query {
                ChampionQuery::Exactly(generation) => {
                    let words = format!("The champion of generation {generation} was not saved.");
                    self.message = PlayMessage::Error(words);
                }
                ChampionQuery::Newest => {}
                ChampionQuery::OlderThan(_) => {
                    self.message = PlayMessage::Error("There is no older champion.".to_owned());
                }
                ChampionQuery::NewerThan(_) => {
                    self.follows_newest = true;
                    self.message = PlayMessage::Error("There is no newer champion.".to_owned());
                }
            },
            Err(error) => self.message = PlayMessage::Error(error.to_string()),
        }
    }

    /// Takes back the user's last move and everything after it.
    pub(super) fn take_back(&mut self) {
        let is_humans = |ply: &Ply| ply.side == self.human;
        let Some(last) = self.table.history().iter().rposition(is_humans) else {
            self.message = PlayMessage::Error("You have no move to take back.".to_owned());
            return;
        };
        while self.table.history().len() > last {
            self.table.undo();
        }
        if let Some(outcome) = self.outcome.take() {
            *outcome.counter(&mut self.score) -= 1;
        }
        self.message = PlayMessage::Info("Your move was taken back.".to_owned());
        self.position_changed();
    }
}
