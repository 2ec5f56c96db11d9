//! From one screen to another.

use crate::run::Facts;
use crate::storage::saves::Saves;
use crate::ui::screens::games::GamesScreen;
use crate::ui::screens::knobs::KnobsScreen;
use crate::ui::screens::play::PlayScreen;

use super::{Effect, Effects, Model, Screen, Zoom};

impl Model {
    pub(super) fn go_run(&mut self) {
        if self.watch.is_some() {
            self.screen = Screen::Run;
        } else {
            self.screen = Screen::Home;
            self.say("no run goes on: choose one and press enter");
        }
        self.editing = None;
    }

    pub(super) fn go(&mut self, screen: Screen) {
        self.screen = screen;
        self.editing = None;
    }

    pub(super) fn go_population(&mut self) {
        if self.population.is_some() {
            self.go(Screen::Population);
        } else {
            self.say("start a run first, or resume a saved one");
        }
    }

    pub(super) fn go_games(&mut self) {
        self.bring_played();
        if self.games.is_some() {
            self.go(Screen::Games);
            self.look_for_games();
        } else {
            self.say("start a run first, or press p on a saved one");
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
            self.say("start a run first, or press p on a saved one");
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
            self.say("start a run first, or press p on a saved one");
        }
    }

    pub(super) fn go_knobs(&mut self) {
        if self.editing.take().is_some() {
            self.knobs = None;
        }
        let Some(watch) = &self.watch else {
            self.say("start a run first, or press e on a preset");
            return;
        };
        let preset = &watch.preset;
        self.knobs
            .get_or_insert_with(|| KnobsScreen::new(preset, true));
        self.screen = Screen::Knobs;
    }

    pub(super) fn go_home(&mut self) -> Effects {
        self.screen = Screen::Home;
        self.editing = None;
        vec![Effect::Rescan]
    }

    /// One layer back: zoom, frozen view, screen. Never quits.
    pub(super) fn back(&mut self) {
        if self.zoom == Zoom::In && self.screen == Screen::Run {
            self.zoom = Zoom::Out;
        } else if self.screen == Screen::Run {
            self.frozen = None;
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
