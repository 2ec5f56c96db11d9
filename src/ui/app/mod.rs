//! The model of the dashboard: what is on screen, as a function of keys pressed, news of the run and time passed. Drawing it
//! changes nothing, and it knows no terminal.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::preset::Preset;
use crate::run::message::{Command, Event};
use crate::storage::saves::Saves;
use crate::ui::mouse::Regions;
use crate::ui::screens::arena::{ArenaScreen, News};
use crate::ui::screens::compare::CompareScreen;
use crate::ui::screens::games::GamesScreen;
use crate::ui::screens::home::Home;
use crate::ui::screens::knobs::KnobsScreen;
use crate::ui::screens::log::LogScreen;
use crate::ui::screens::net::NetScreen;
use crate::ui::screens::play::PlayScreen;
use crate::ui::screens::population::PopulationScreen;
use crate::ui::screens::run::layout::Pane;
use crate::ui::screens::run::lens::Charts;
use crate::ui::theme::Theme;
use crate::ui::zoom::Zoom;

use self::follow::Followed;
use self::point::Target;
use self::sample::{Moved, Sample};
use self::watch::{State, Watch};

mod choose;
pub mod follow;
mod go;
mod hear;
pub mod point;
mod press;
pub mod sample;
pub mod tab;
mod view;
pub mod watch;

pub use self::tab::Screen;
pub use self::view::view;

/// What lies over a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlay {
    Help,
    Quit,
}

/// How the dashboard is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    /// The run stops between two games and is saved.
    Saved,
    /// At once.
    Now,
    /// The run goes on without a screen.
    HandOver,
}

/// What the model wants done outside.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    Send(Command),
    Start(Box<Preset>),
    /// Resume a saved run.
    Open(String),
    /// Play a saved run's champion.
    Play(String),
    /// Look at the saved runs again.
    Rescan,
    /// Write a file for the user.
    Export(Export),
    Leave(Leave),
}

pub type Effects = Vec<Effect>;

/// A text to be written to a file of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// The saved run it belongs to, where there is one.
    pub run: Option<String>,
    /// The name of the file, and its ending.
    pub stem: String,
    pub ending: &'static str,
    pub text: String,
}

/// How urgent a notice is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Plain,
    Bad,
}

/// Everything on screen.
pub struct Model {
    pub theme: Theme,
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    pub screen: Screen,
    pub overlay: Option<Overlay>,
    pub home: Home,
    pub watch: Option<Watch>,
    /// The run of another process, where one is watched.
    pub followed: Option<Followed>,
    /// The run as it was when the view was frozen.
    pub frozen: Option<Box<Watch>>,
    pub charts: Charts,
    pub sample: Sample,
    pub pane: Pane,
    pub zoom: Zoom,
    pub population: Option<PopulationScreen>,
    pub net: Option<NetScreen>,
    pub play: Option<PlayScreen>,
    pub knobs: Option<KnobsScreen>,
    pub log: LogScreen,
    pub games: Option<GamesScreen>,
    pub compare: CompareScreen,
    pub arena: ArenaScreen,
    /// The preset whose settings are being changed before a run.
    pub editing: Option<Box<Preset>>,
    pub notice: Option<(Tone, String)>,
    /// Where the run's earlier champions are to be found.
    pub saves: Option<Saves>,
    /// What lies where in the latest frame.
    pub regions: Regions<Target>,
}

impl Model {
    pub fn new(theme: Theme, home: Home) -> Self {
        Self {
            theme,
            size: (80, 24),
            screen: Screen::Home,
            overlay: None,
            home,
            watch: None,
            followed: None,
            frozen: None,
            charts: Charts::default(),
            sample: Sample::default(),
            pane: Pane::Objective,
            zoom: Zoom::Out,
            population: None,
            net: None,
            play: None,
            knobs: None,
            log: LogScreen::default(),
            games: None,
            compare: CompareScreen::default(),
            arena: ArenaScreen::default(),
            editing: None,
            notice: None,
            saves: None,
            regions: Regions::default(),
        }
    }

    /// Turns to a run that has been started.
    pub fn watch(&mut self, watch: Watch) {
        let name = watch.facts.saved_as.clone();
        let saves = self.saves.clone().zip(name);
        self.population = Some(PopulationScreen::new(&watch.facts, saves.clone()));
        self.show_games(&watch.facts, saves.clone());
        self.net = Some(NetScreen::new(&watch.facts, saves));
        self.watch = Some(watch);
        self.frozen = None;
        self.sample = Sample::default();
        self.play = None;
        self.knobs = None;
        self.editing = None;
        self.notice = None;
        self.screen = Screen::Run;
    }

    /// Takes in what the worker tells.
    pub fn apply(&mut self, event: Event) {
        let Some(watch) = &mut self.watch else { return };
        match &event {
            Event::Snapshot(snapshot) => {
                if self.frozen.is_none() {
                    self.sample.news(snapshot);
                }
                if let Some(play) = &mut self.play {
                    play.latest(&snapshot.champion);
                }
                if let Some(net) = &mut self.net {
                    net.latest(&snapshot.champion);
                }
                if let Some(population) = &mut self.population {
                    population.latest(&snapshot.champion);
                }
                if let Some(games) = self.games.as_mut().filter(|_| self.frozen.is_none()) {
                    games.latest(snapshot);
                    if self.screen == Screen::Games {
                        games.settle_choice();
                    }
                }
            }
            Event::Rows(rows, _) => {
                if let (Some(knobs), Some(place)) = (&mut self.knobs, watch.objective()) {
                    for row in rows {
                        if let Some(value) = row.values().get(place).copied().flatten() {
                            knobs.objective(row.generation(), value);
                        }
                    }
                }
            }
            Event::Turned(intervention) => {
                if let Some(knobs) = &mut self.knobs {
                    knobs.turned(intervention);
                }
            }
            Event::Refused(problem) => {
                self.notice = Some((Tone::Bad, format!("refused: {problem}")));
                if let Some(knobs) = &mut self.knobs {
                    knobs.refused(problem);
                }
            }
            _ => {}
        }
        let is_saved = matches!(event, Event::Saved { .. });
        watch.apply(event);
        self.look_inside();
        if is_saved {
            self.look_for_games();
        }
    }

    /// Takes in what the arena tells from the background.
    pub fn hear_arena(&mut self, news: Option<News>) {
        if let Some(news) = news {
            self.arena.hear(news, self.watch.as_ref());
        }
    }

    /// Looks into the newest champion where the net screen shows it, and lists the members where the population is shown.
    pub(super) fn look_inside(&mut self) {
        if self.screen == Screen::Population {
            let shown = self.frozen.as_deref().or(self.watch.as_ref());
            let members = shown.and_then(|watch| watch.members.as_ref());
            if let Some(population) = &mut self.population {
                population.look(members);
            }
        }
        if self.screen == Screen::Net
            && let Some(net) = &mut self.net
        {
            if self.frozen.is_none() {
                net.look();
            }
            if let (true, Some(watch)) = (net.is_active(), &self.watch) {
                net.turn_to(self.sample.position(&watch.facts.arena));
            }
        }
    }

    /// Lets time pass.
    pub fn tick(&mut self, passed: Duration) -> Moved {
        if self.overlay.is_some() {
            return Moved::No;
        }
        match (self.screen, &mut self.play) {
            (Screen::Run, _) => {
                let shown = self.frozen.as_deref().or(self.watch.as_ref());
                self.sample.tick(passed, shown)
            }
            (Screen::Play, Some(play)) => play.pass(passed),
            (Screen::Compare, _) => self.compare.pass(passed),
            (Screen::Games, _) => {
                let games = self.games.as_mut();
                games.map_or(Moved::No, |games| games.tick(passed))
            }
            _ => Moved::No,
        }
    }

    /// Time until something changes by itself.
    pub fn due(&self) -> Option<Duration> {
        match self.screen {
            _ if self.overlay.is_some() => None,
            Screen::Run => self.sample.due(),
            Screen::Play => self.play.as_ref().and_then(PlayScreen::due),
            Screen::Compare => self.compare.due(),
            Screen::Games => self.games.as_ref().and_then(GamesScreen::due),
            _ => None,
        }
    }

    pub fn resize(&mut self, width: u16, height: u16) {
        self.size = (width, height);
    }

    /// The run as it is shown: frozen, or as it is.
    pub fn shown(&self) -> Option<&Watch> {
        self.frozen.as_deref().or(self.watch.as_ref())
    }

    /// Says that the run is being saved before leaving.
    pub fn stopping(&mut self) {
        self.overlay = None;
        self.frozen = None;
        if let Some(watch) = &mut self.watch {
            watch.state = State::Stopping;
        }
    }

    /// Draws into a buffer of its own.
    pub fn draw(&self, width: u16, height: u16) -> Buffer {
        let area = Rect::new(0, 0, width, height);
        let mut buf = Buffer::empty(area);
        view(self, area, &mut buf);
        buf
    }
}
