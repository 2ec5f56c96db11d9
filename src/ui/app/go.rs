//! From one screen to another.

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

    pub(super) fn go_arena(&mut self) {
        self.go(Screen::Arena);
        self.arena.open(self.saves.as_ref(), self.watch.as_ref());
    }

    pub(super) fn go_population(&mut self) {
        if self.population.is_some() {
            self.go(Screen::Population);
        } else {
            self.say("start a run first, or resume a saved one");
        }
    }

    pub(super) fn go_games(&mut self) {
        if self.games.is_some() {
            self.go(Screen::Games);
        } else {
            self.say("start a run first, or press p on a saved one");
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
