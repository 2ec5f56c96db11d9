//! What keys do to the model.

use crossterm::event::KeyEvent;

use crate::run::message::Command;
use crate::ui::keymap::{self, Action, Scope};
use crate::ui::screens::knobs::KnobsAnswer;
use crate::ui::screens::run;
use crate::ui::screens::run::layout::{self, Pane};
use crate::ui::screens::run::lens::Cursor;
use crate::ui::widgets::needle::Way;

use super::watch::State;
use super::{Effect, Effects, Export, Leave, Model, Overlay, Screen, Tone};

impl Model {
    /// Takes a key.
    pub fn press(&mut self, key: KeyEvent) -> Effects {
        match self.overlay {
            Some(Overlay::Help) => {
                if keymap::action(Scope::Help, key).is_some() {
                    self.overlay = None;
                }
                Vec::new()
            }
            Some(Overlay::Quit) => self.quit_dialog(key),
            None => {
                self.notice = None;
                self.press_screen(key)
            }
        }
    }

    fn press_screen(&mut self, key: KeyEvent) -> Effects {
        match self.screen {
            Screen::Home if self.home.is_typing() => {
                self.home.typed(key);
                Vec::new()
            }
            Screen::Home => self.act(keymap::action(Scope::Home, key)),
            Screen::Run => self.act(keymap::action(Scope::Run, key)),
            Screen::Net => {
                let passed = self.net.as_mut().and_then(|net| net.press(key));
                let effects = match passed {
                    Some(step @ (Action::PlyBack | Action::PlyForward)) => self.act_run(step),
                    passed => self.act(passed),
                };
                self.look_inside();
                effects
            }
            Screen::Play => {
                let passed = self.play.as_mut().and_then(|play| play.press(key));
                self.act(passed)
            }
            Screen::Knobs => self.press_knobs(key),
            Screen::Population => {
                let passed = self.population.as_mut().and_then(|it| it.press(key));
                match passed {
                    Some(Action::Enter) => self.open_selected(),
                    passed => return self.act(passed),
                }
                Vec::new()
            }
            Screen::Log => {
                let passed = self.log.press(key);
                self.act(passed)
            }
            Screen::Games => {
                let passed = self.games.as_mut().and_then(|games| games.press(key));
                self.act(passed)
            }
            Screen::Compare => {
                let passed = self.compare.press(key, self.watch.as_ref());
                self.act(passed)
            }
            Screen::Arena => self.act(keymap::action(Scope::Arena, key)),
        }
    }

    fn press_knobs(&mut self, key: KeyEvent) -> Effects {
        let Some(knobs) = &mut self.knobs else {
            self.screen = Screen::Run;
            return Vec::new();
        };
        match knobs.press(key) {
            KnobsAnswer::Handled => Vec::new(),
            KnobsAnswer::Pass(action) => self.act(Some(action)),
            KnobsAnswer::Leave => self.act(Some(Action::Back)),
            KnobsAnswer::Apply(settings) => self.turn(settings),
        }
    }

    /// Hands settings to the run, or changes the preset that is to be started.
    fn turn(&mut self, settings: Vec<(String, String)>) -> Effects {
        let Some(preset) = self.editing.take() else {
            if self.is_refused() {
                return Vec::new();
            }
            let turns = settings
                .into_iter()
                .map(|(key, value)| Effect::Send(Command::Turn { key, value }));
            return turns.collect();
        };
        match preset.with(&settings) {
            Ok(changed) => {
                self.home.change(&changed);
                self.screen = Screen::Home;
                let start = keymap::label(Scope::Home, Action::Enter);
                self.say(&format!("settings changed; {start} starts"));
            }
            Err(error) => {
                self.notice = Some((Tone::Bad, error.to_string().replace('\n', "; ")));
                self.editing = Some(preset);
            }
        }
        Vec::new()
    }

    pub(super) fn act(&mut self, action: Option<Action>) -> Effects {
        let Some(action) = action else {
            return Vec::new();
        };
        match self.screen {
            Screen::Home => self.act_home(action),
            Screen::Run => self.act_run(action),
            Screen::Arena => match self.arena.act(action, self.watch.as_ref()) {
                Some(passed) => self.act_anywhere(passed),
                None => Vec::new(),
            },
            _ => self.act_anywhere(action),
        }
    }

    pub(super) fn act_anywhere(&mut self, action: Action) -> Effects {
        match action {
            Action::PauseResume => return self.pause_or_resume(),
            Action::Step => return self.step(),
            Action::Save => return self.save(),
            Action::Quit => return self.quit(),
            Action::Freeze => self.freeze(),
            Action::NextTheme => self.change_theme(),
            Action::Help => self.overlay = Some(Overlay::Help),
            Action::GoRun => self.go_run(),
            Action::GoNet => self.go_net(),
            Action::GoPlay => self.go_play(),
            Action::GoKnobs => self.go_knobs(),
            Action::GoPopulation => self.go_population(),
            Action::GoLog => self.go(Screen::Log),
            Action::GoGames => self.go_games(),
            Action::GoCompare => self.go_compare(),
            Action::GoArena => self.go_arena(),
            Action::GoHome => return self.go_home(),
            Action::Export => return self.export(),
            Action::Back => self.back(),
            _ => {}
        }
        Vec::new()
    }

    fn act_run(&mut self, action: Action) -> Effects {
        match action {
            Action::NextMetric => self.charts.metric += 1,
            Action::WindowWider => self.charts.widen(),
            Action::WindowNarrower => {
                let generations = self.shown().map_or(0, |watch| watch.generation);
                self.charts.narrow(generations);
            }
            Action::GamesAxis => self.charts.over = self.charts.over.following(),
            Action::LogAxis => self.charts.toggle_scale(),
            Action::NewSample => {
                self.sample.another();
                return self.order(Command::Resample);
            }
            Action::NextGame => {
                let shown = self.frozen.as_deref().or(self.watch.as_ref());
                self.sample
                    .next_game(shown.and_then(|watch| watch.snapshot.as_deref()));
            }
            Action::PlyBack => self.sample.back(),
            Action::PlyForward => {
                let shown = self.frozen.as_deref().or(self.watch.as_ref());
                self.sample.forward(shown);
            }
            Action::Autoplay => self.sample.toggle(),
            Action::NextPane => self.next_pane(),
            Action::Zoom => self.zoom.turn(),
            Action::Read => self.read(),
            Action::Left => self.step_reading(Way::Back),
            Action::Right => self.step_reading(Way::On),
            Action::FarLeft => self.step_reading(Way::FarBack),
            Action::FarRight => self.step_reading(Way::FarOn),
            Action::First => self.step_reading(Way::First),
            Action::Last => self.step_reading(Way::Last),
            other => return self.act_anywhere(other),
        }
        Vec::new()
    }

    /// Begins to read values in the charts, or ends it.
    fn read(&mut self) {
        if self.zoom.is_in() && !self.focused().is_chart() {
            let next = keymap::label(Scope::Run, Action::NextPane);
            self.say(&format!(
                "this pane has no values to read: {next} goes to a chart"
            ));
            return;
        }
        self.charts.toggle_reading();
        if self.charts.cursor != Cursor::Off {
            let key = |action| keymap::label(Scope::Run, action);
            self.say(&format!(
                "reading: {} and {} by steps, {} and {} by ten, {} and {} to the ends; {} ends it",
                key(Action::Left),
                key(Action::Right),
                key(Action::FarLeft),
                key(Action::FarRight),
                key(Action::First),
                key(Action::Last),
                keymap::label(Scope::Global, Action::Back)
            ));
        }
    }

    fn step_reading(&mut self, way: Way) {
        if let Some(watch) = self.frozen.as_deref().or(self.watch.as_ref()) {
            self.charts.step(way, watch);
        }
    }

    /// Takes what the screen shows to a file.
    fn export(&mut self) -> Effects {
        let made = match (self.screen, &self.games) {
            (Screen::Log, _) => Ok(Export {
                run: self
                    .watch
                    .as_ref()
                    .and_then(|watch| watch.facts.saved_as.clone()),
                stem: "log".to_owned(),
                ending: "txt",
                text: self.log.text(),
            }),
            (Screen::Games, Some(games)) => games.export(),
            _ => return Vec::new(),
        };
        match made {
            Ok(export) => vec![Effect::Export(export)],
            Err(fault) => {
                self.notice = Some((Tone::Bad, fault));
                Vec::new()
            }
        }
    }

    fn panes(&self) -> Vec<Pane> {
        let cast = self.shown().map(run::cast).unwrap_or_default();
        layout::panes(self.size.0, self.size.1, cast)
    }

    /// The pane of the Run screen that has the focus.
    pub(super) fn focused(&self) -> Pane {
        run::focused(self.pane, self.panes().into_iter())
    }

    fn next_pane(&mut self) {
        let panes = self.panes();
        let here = panes.iter().position(|pane| *pane == self.pane);
        let next = here.map_or(0, |here| (here + 1) % panes.len().max(1));
        if let Some(pane) = panes.get(next) {
            self.pane = *pane;
        }
    }

    /// Gives the run an order, where there is one that takes it.
    fn order(&mut self, command: Command) -> Effects {
        if self.is_refused() {
            return Vec::new();
        }
        match &self.watch {
            Some(watch) if watch.state != State::Error => vec![Effect::Send(command)],
            _ => Vec::new(),
        }
    }

    fn pause_or_resume(&mut self) -> Effects {
        if self.is_refused() {
            return Vec::new();
        }
        let Some(watch) = &mut self.watch else {
            return Vec::new();
        };
        match watch.state {
            State::Starting | State::Running => {
                watch.state = State::Pausing;
                self.order(Command::Pause)
            }
            State::Pausing | State::Paused => {
                watch.state = State::Running;
                self.order(Command::Resume)
            }
            State::Done => {
                let words = "all generations are done; raise `generations` on the knobs screen";
                self.notice = Some((Tone::Plain, words.to_owned()));
                Vec::new()
            }
            State::Watching | State::Stopping | State::Error => Vec::new(),
        }
    }

    fn step(&mut self) -> Effects {
        if self.is_refused() {
            return Vec::new();
        }
        match self.watch.as_ref().map(|watch| watch.state) {
            Some(State::Paused) => self.order(Command::Step),
            Some(State::Starting | State::Running | State::Pausing) => {
                let pause = keymap::label(Scope::Global, Action::PauseResume);
                self.say(&format!(
                    "a single step needs a paused run: press {pause} first"
                ));
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn save(&mut self) -> Effects {
        if self.is_refused() {
            return Vec::new();
        }
        let Some(watch) = &self.watch else {
            return Vec::new();
        };
        if watch.facts.saved_as.is_none() {
            let words = "this run is not kept: it was started without a folder to save to";
            self.notice = Some((Tone::Bad, words.to_owned()));
            return Vec::new();
        }
        self.order(Command::Save)
    }

    fn freeze(&mut self) {
        self.frozen = match self.frozen.take() {
            Some(_) => None,
            None => self.watch.clone().map(Box::new),
        };
        self.look_inside();
    }

    fn change_theme(&mut self) {
        self.theme = self.theme.following();
        let scheme = self.theme.looks.scheme;
        self.say(&format!("theme: {}", scheme.word()));
    }

    pub(super) fn say(&mut self, words: &str) {
        self.notice = Some((Tone::Plain, words.to_owned()));
    }

    fn quit(&mut self) -> Effects {
        match &self.watch {
            Some(watch) if watch.state.is_going_on() => {
                self.overlay = Some(Overlay::Quit);
                Vec::new()
            }
            _ => vec![Effect::Leave(Leave::Saved)],
        }
    }

    fn quit_dialog(&mut self, key: KeyEvent) -> Effects {
        let leave = match keymap::action(Scope::Quit, key) {
            Some(Action::SaveAndQuit) => {
                self.stopping();
                Leave::Saved
            }
            Some(Action::QuitNow) => Leave::Now,
            Some(Action::HandOver) => Leave::HandOver,
            Some(Action::Back) => {
                self.overlay = None;
                return Vec::new();
            }
            _ => return Vec::new(),
        };
        vec![Effect::Leave(leave)]
    }
}
