//! From one screen to another.

use crate::run::Facts;
use crate::storage::saves::Saves;
use crate::ui::keymap::{self, Action, Scope};
use crate::ui::screens::games::GamesScreen;
use crate::ui::screens::knobs::KnobsScreen;
use crate::ui::screens::play::PlayScreen;
use crate::ui::screens::population::PopulationScreen;
use crate::ui::screens::run::lens::Cursor;

use super::{Effect, Effects, Model, Screen};

impl Model {
    pub(super) fn go_run(&mut self) {
        if self.watch.is_some() {
            self.screen = Screen::Run;
        } else {
            self.screen = Screen::Home;
            let start = keymap::label(Scope::Home, Action::Enter);
            self.say(&format!("no run goes on: choose one and press {start}"));
        }
        self.editing = None;
    }

    pub(super) fn go(&mut self, screen: Screen) {
        self.screen = screen;
        self.editing = None;
    }

    pub(super) fn go_compare(&mut self) {
        if self.screen != Screen::Compare {
            self.compare.open(self.saves.as_ref(), self.watch.as_ref());
        }
        self.go(Screen::Compare);
    }

    pub(super) fn go_arena(&mut self) {
        self.go(Screen::Arena);
        self.arena.open(self.saves.as_ref(), self.watch.as_ref());
    }

    pub(super) fn go_population(&mut self) {
        if self.population.is_some() {
            self.go(Screen::Population);
            self.look_inside();
        } else {
            self.say("start a run first, or resume a saved one");
        }
    }

    /// Looks into whoever is selected on the population screen.
    pub(super) fn open_selected(&mut self) {
        let selected = self.population.as_ref();
        let selected = selected.and_then(PopulationScreen::selected);
        if let (Some(exhibit), Some(net)) = (selected, &mut self.net) {
            net.exhibit(exhibit);
            self.go(Screen::Net);
        } else {
            self.say("nobody is selected yet");
        }
    }

    pub(super) fn go_games(&mut self) {
        self.bring_played();
        if self.games.is_some() {
            self.go(Screen::Games);
            self.look_for_games();
        } else {
            self.say_first(Action::PlaySaved, "a saved one");
        }
    }

    /// Turns to the games of another run; those that the user played come along.
    pub fn show_games(&mut self, facts: &Facts, saves: Option<(Saves, String)>) {
        self.bring_played();
        let before = self.games.take();
        let played = before.map_or_else(Vec::new, GamesScreen::into_played);
        self.games = Some(GamesScreen::new(facts, saves, played));
    }

    /// Brings the games that have come to their end on the board to the recorded ones.
    pub(in crate::ui) fn bring_played(&mut self) {
        if let (Some(play), Some(games)) = (&mut self.play, &mut self.games) {
            games.played(play.take_played());
        }
    }

    /// Looks for recorded games that are new on disk where they are shown.
    pub(super) fn look_for_games(&mut self) {
        if let (Screen::Games, Some(games)) = (self.screen, &mut self.games) {
            games.look();
        }
    }

    pub(super) fn go_net(&mut self) {
        if self.net.is_some() {
            self.screen = Screen::Net;
            self.editing = None;
            self.look_inside();
        } else {
            self.say_first(Action::PlaySaved, "a saved one");
        }
    }

    pub(super) fn go_play(&mut self) {
        if let (None, Some(watch)) = (&self.play, &self.watch) {
            let name = watch.facts.saved_as.clone();
            let mut play = PlayScreen::new(&watch.facts, self.saves.clone().zip(name));
            if let Some(snapshot) = &watch.snapshot {
                play.latest(&snapshot.champion);
            }
            self.play = Some(play);
        }
        if self.play.is_some() {
            self.screen = Screen::Play;
            self.editing = None;
        } else {
            self.say_first(Action::PlaySaved, "a saved one");
        }
    }

    pub(super) fn go_knobs(&mut self) {
        if self.editing.take().is_some() {
            self.knobs = None;
        }
        let Some(watch) = &self.watch else {
            self.say_first(Action::EditPreset, "a preset");
            return;
        };
        let preset = &watch.preset;
        self.knobs
            .get_or_insert_with(|| KnobsScreen::new(preset, true));
        self.screen = Screen::Knobs;
    }

    /// Says what a screen needs that has nothing to show.
    fn say_first(&mut self, action: Action, what: &str) {
        let key = keymap::label(Scope::Home, action);
        self.say(&format!("start a run first, or press {key} on {what}"));
    }

    pub(super) fn go_home(&mut self) -> Effects {
        self.screen = Screen::Home;
        self.editing = None;
        vec![Effect::Rescan]
    }

    /// One layer back: reading, zoom, frozen view, screen. Never quits.
    pub(super) fn back(&mut self) {
        if self.screen == Screen::Run {
            if self.charts.cursor != Cursor::Off {
                self.charts.cursor = Cursor::Off;
            } else if !self.zoom.takes(Action::Back) {
                self.frozen = None;
            }
        } else if self.editing.take().is_some() {
            self.knobs = None;
            self.screen = Screen::Home;
        } else if self.watch.is_some() {
            self.screen = Screen::Run;
        } else {
            self.screen = Screen::Home;
        }
    }
}
