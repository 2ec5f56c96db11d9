//! Switches between screens.

use crate::run::RunInfo;
use crate::storage::saves::Saves;
use crate::ui::keymap::{self, Action, Scope};
use crate::ui::model::chart_options::ChartCursor;
use crate::ui::screens::games::GamesScreen;
use crate::ui::screens::parameters::ParametersScreen;
use crate::ui::screens::play::PlayScreen;
use crate::ui::screens::population::PopulationScreen;

use super::{AppModel, Effect, Effects, Screen};

impl AppModel {
    pub(super) fn go_run(&mut self) {
        if self.context.run.is_some() {
            self.screen = Screen::Run;
        } else {
            self.screen = Screen::Home;
            let start = keymap::label(Scope::Home, Action::Enter);
            self.context
                .notify(&format!("no current run: choose one and press {start}"));
        }
        self.editing = None;
    }

    pub(super) fn switch_to(&mut self, screen: Screen) {
        self.screen = screen;
        self.editing = None;
    }

    pub(super) fn go_compare(&mut self) {
        if self.screen != Screen::Compare {
            self.compare
                .open(self.context.saves.as_ref(), self.context.run.as_ref());
        }
        self.switch_to(Screen::Compare);
    }

    pub(super) fn go_arena(&mut self) {
        self.switch_to(Screen::Arena);
        self.arena
            .open(self.context.saves.as_ref(), self.context.run.as_ref());
    }

    pub(super) fn go_population(&mut self) {
        if self.population.is_some() {
            self.switch_to(Screen::Population);
            self.refresh_views();
        } else {
            self.context
                .notify("start a run first, or resume a saved one");
        }
    }

    /// Opens the player that is selected on the Population screen in the Net screen.
    pub(super) fn open_selected(&mut self) {
        let selected = self.population.as_ref();
        let selected = selected.and_then(PopulationScreen::selected);
        if let (Some(exhibit), Some(net)) = (selected, &mut self.net) {
            net.show_player(exhibit);
            self.switch_to(Screen::Net);
        } else {
            self.context.notify("no player is selected yet");
        }
    }

    pub(super) fn go_games(&mut self) {
        self.collect_played_games();
        if self.games.is_some() {
            self.switch_to(Screen::Games);
            self.refresh_games();
        } else {
            self.notify_start_first(Action::PlaySaved, "a saved one");
        }
    }

    /// Shows the games of another run and keeps the games that the user has played.
    pub fn show_games(&mut self, facts: &RunInfo, saves: Option<(Saves, String)>) {
        self.collect_played_games();
        let before = self.games.take();
        let played = before.map_or_else(Vec::new, GamesScreen::into_played);
        self.games = Some(GamesScreen::new(facts, saves, played, self.waker.clone()));
    }

    /// Moves the finished games of the Play screen to the list of recorded games.
    pub(in crate::ui) fn collect_played_games(&mut self) {
        if let (Some(play), Some(games)) = (&mut self.play, &mut self.games) {
            games.add_played(play.take_played());
        }
    }

    /// Looks for new recorded games on disk if the Games screen is shown.
    pub(super) fn refresh_games(&mut self) {
        if let (Screen::Games, Some(games)) = (self.screen, &mut self.games) {
            games.refresh();
        }
    }

    pub(super) fn go_net(&mut self) {
        if self.net.is_some() {
            self.screen = Screen::Net;
            self.editing = None;
            self.refresh_views();
        } else {
            self.notify_start_first(Action::PlaySaved, "a saved one");
        }
    }

    pub(super) fn go_play(&mut self) {
        if let (None, Some(run)) = (&self.play, &self.context.run) {
            let name = run.facts.saved_as.clone();
            let mut play = PlayScreen::new(
                &run.facts,
                self.context.saves.clone().zip(name),
                self.waker.clone(),
            );
            if let Some(snapshot) = &run.snapshot {
                play.add_champion(&snapshot.champion);
            }
            self.play = Some(play);
        }
        if self.play.is_some() {
            self.screen = Screen::Play;
            self.editing = None;
        } else {
            self.notify_start_first(Action::PlaySaved, "a saved one");
        }
    }

    pub(super) fn go_parameters(&mut self) {
        if self.editing.take().is_some() {
            self.parameters = None;
        }
        let Some(run) = &self.context.run else {
            self.notify_start_first(Action::EditPreset, "a preset");
            return;
        };
        let preset = &run.preset;
        self.parameters
            .get_or_insert_with(|| ParametersScreen::new(preset, true));
        self.screen = Screen::Parameters;
    }

    /// Shows a notice that a screen needs a run first.
    fn notify_start_first(&mut self, action: Action, what: &str) {
        let key = keymap::label(Scope::Home, action);
        self.context
            .notify(&format!("start a run first, or press {key} on {what}"));
    }

    pub(super) fn go_home(&mut self) -> Effects {
        self.screen = Screen::Home;
        self.editing = None;
        vec![Effect::Rescan]
    }

    /// Goes back one level: crosshair, zoom, frozen view, screen. Never quits.
    pub(super) fn back(&mut self) {
        if self.screen == Screen::Run {
            if self.context.charts.cursor != ChartCursor::Off {
                self.context.charts.cursor = ChartCursor::Off;
            } else if !self.run_screen.zoom.handle(Action::Back) {
                self.context.frozen = None;
            }
        } else if self.editing.take().is_some() {
            self.parameters = None;
            self.screen = Screen::Home;
        } else if self.context.run.is_some() {
            self.screen = Screen::Run;
        } else {
            self.screen = Screen::Home;
        }
    }
}
