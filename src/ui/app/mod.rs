//! The model of the dashboard: the content of the screen, as a function of keys, run events and time. Drawing does not change
//! it, and it does not use the terminal.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::preset::Preset;
use crate::run::message::{RunCommand, RunEvent};
use crate::storage::saves::Saves;
use crate::ui::model::zoom::Zoom;
use crate::ui::mouse::Regions;
use crate::ui::screens::arena::{ArenaEvent, ArenaScreen};
use crate::ui::screens::compare::CompareScreen;
use crate::ui::screens::games::GamesScreen;
use crate::ui::screens::home::Home;
use crate::ui::screens::log::LogScreen;
use crate::ui::screens::net::NetScreen;
use crate::ui::screens::parameters::ParametersScreen;
use crate::ui::screens::play::PlayScreen;
use crate::ui::screens::population::PopulationScreen;
use crate::ui::screens::run::chart_options::ChartOptions;
use crate::ui::screens::run::layout::RunPane;
use crate::ui::theme::Theme;

use self::mouse_input::ClickTarget;
use crate::ui::model::followed::FollowState;
use crate::ui::model::run::{RunModel, RunState};
use crate::ui::model::sample_game::SampleGame;

mod follow;
mod home_actions;
mod key_input;
pub mod mouse_input;
mod navigation;
mod results;
pub mod tab;
mod view;

pub use self::tab::Screen;
pub use self::view::view;

/// A window over a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlay {
    Help,
    Quit,
}

/// How to quit the dashboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitMode {
    /// Stop the run between two games and save it.
    SaveFirst,
    /// Quit without saving.
    Immediately,
    /// Continue the run without a screen.
    HandOver,
}

/// A request of the model to the outside.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    Send(RunCommand),
    Start(Box<Preset>),
    /// Resume a saved run.
    Open(String),
    /// Play a saved run's champion.
    Play(String),
    /// List the saved runs again.
    Rescan,
    /// Write a file for the user.
    Export(ExportFile),
    Leave(ExitMode),
}

pub type Effects = Vec<Effect>;

/// A text file to write for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportFile {
    /// The saved run that it belongs to, if any.
    pub run: Option<String>,
    /// The file name without and its extension.
    pub stem: String,
    pub ending: &'static str,
    pub text: String,
}

/// The severity of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeLevel {
    Info,
    Error,
}

/// The state of the dashboard.
pub struct AppModel {
    pub theme: Theme,
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    pub screen: Screen,
    pub overlay: Option<Overlay>,
    pub home: Home,
    pub run: Option<RunModel>,
    /// The followed run of another process, if any.
    pub followed: Option<FollowState>,
    /// The run as it was when the view was frozen.
    pub frozen: Option<Box<RunModel>>,
    pub charts: ChartOptions,
    pub sample: SampleGame,
    pub pane: RunPane,
    pub zoom: Zoom,
    pub population: Option<PopulationScreen>,
    pub net: Option<NetScreen>,
    pub play: Option<PlayScreen>,
    pub parameters: Option<ParametersScreen>,
    pub log: LogScreen,
    pub games: Option<GamesScreen>,
    pub compare: CompareScreen,
    pub arena: ArenaScreen,
    /// The preset whose parameters are being edited before a run.
    pub editing: Option<Box<Preset>>,
    pub notice: Option<(NoticeLevel, String)>,
    /// The saved runs, for loading earlier champions.
    pub saves: Option<Saves>,
    /// The click targets of the last frame.
    pub regions: Regions<ClickTarget>,
}

impl AppModel {
    pub fn new(theme: Theme, home: Home) -> Self {
        Self {
            theme,
            size: (80, 24),
            screen: Screen::Home,
            overlay: None,
            home,
            run: None,
            followed: None,
            frozen: None,
            charts: ChartOptions::default(),
            sample: SampleGame::default(),
            pane: RunPane::Objective,
            zoom: Zoom::Out,
            population: None,
            net: None,
            play: None,
            parameters: None,
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

    /// Shows a run that has been started.
    pub fn show_run(&mut self, run: RunModel) {
        let name = run.facts.saved_as.clone();
        let saves = self.saves.clone().zip(name);
        self.population = Some(PopulationScreen::new(&run.facts, saves.clone()));
        self.show_games(&run.facts, saves.clone());
        self.net = Some(NetScreen::new(&run.facts, saves));
        self.run = Some(run);
        self.frozen = None;
        self.sample = SampleGame::default();
        self.play = None;
        self.parameters = None;
        self.editing = None;
        self.notice = None;
        self.screen = Screen::Run;
    }

    /// Handles an event of the run.
    pub fn apply(&mut self, event: RunEvent) {
        let Some(run) = &mut self.run else { return };
        match &event {
            RunEvent::Snapshot(snapshot) => {
                if self.frozen.is_none() {
                    self.sample.offer(snapshot);
                }
                if let Some(play) = &mut self.play {
                    play.add_champion(&snapshot.champion);
                }
                if let Some(net) = &mut self.net {
                    net.add_champion(&snapshot.champion);
                }
                if let Some(population) = &mut self.population {
                    population.add_champion(&snapshot.champion);
                }
                if let Some(games) = self.games.as_mut().filter(|_| self.frozen.is_none()) {
                    games.add_champion(snapshot);
                    if self.screen == Screen::Games {
                        games.ensure_selection();
                    }
                }
            }
            RunEvent::Rows(rows, _) => {
                if let (Some(parameters), Some(place)) = (&mut self.parameters, run.objective()) {
                    for row in rows {
                        if let Some(value) = row.values().get(place).copied().flatten() {
                            parameters.record_objective(row.generation(), value);
                        }
                    }
                }
            }
            RunEvent::Changed(intervention) => {
                if let Some(parameters) = &mut self.parameters {
                    parameters.record_change(intervention);
                }
            }
            RunEvent::Rejected(problem) => {
                self.notice = Some((NoticeLevel::Error, format!("rejected: {problem}")));
                if let Some(parameters) = &mut self.parameters {
                    parameters.report_rejection(problem);
                }
            }
            _ => {}
        }
        let is_saved = matches!(event, RunEvent::Saved { .. });
        run.apply(event);
        self.refresh_views();
        if is_saved {
            self.refresh_games();
        }
    }

    /// Hands a result of the background work to the Arena screen.
    pub fn receive_arena(&mut self, news: Option<ArenaEvent>) {
        if let Some(news) = news {
            self.arena.handle(news, self.run.as_ref());
        }
    }

    /// Refreshes the current screen if it shows the newest champion or the members of the population.
    pub(super) fn refresh_views(&mut self) {
        if self.screen == Screen::Population {
            let shown = self.frozen.as_deref().or(self.run.as_ref());
            let members = shown.and_then(|run| run.members.as_ref());
            if let Some(population) = &mut self.population {
                population.set_newest(members);
            }
        }
        if self.screen == Screen::Net
            && let Some(net) = &mut self.net
        {
            if self.frozen.is_none() {
                net.refresh();
            }
            if let (true, Some(run)) = (net.is_activity_shown(), &self.run) {
                net.set_position(self.sample.position(&run.facts.arena));
            }
        }
    }

    /// Advances the time; returns whether a frame is due.
    pub fn tick(&mut self, passed: Duration) -> bool {
        if self.overlay.is_some() {
            return false;
        }
        match (self.screen, &mut self.play) {
            (Screen::Run, _) => {
                let shown = self.frozen.as_deref().or(self.run.as_ref());
                self.sample.tick(passed, shown)
            }
            (Screen::Play, Some(play)) => play.advance_animation(passed),
            (Screen::Compare, _) => self.compare.tick(passed),
            (Screen::Games, _) => {
                let games = self.games.as_mut();
                games.map_or(false, |games| games.tick(passed))
            }
            _ => false,
        }
    }

    /// Time until the next scheduled change, if any.
    pub fn time_to_change(&self) -> Option<Duration> {
        match self.screen {
            _ if self.overlay.is_some() => None,
            Screen::Run => self.sample.time_to_change(),
            Screen::Play => self.play.as_ref().and_then(PlayScreen::due),
            Screen::Compare => self.compare.due(),
            Screen::Games => self.games.as_ref().and_then(GamesScreen::due),
            _ => None,
        }
    }

    pub fn resize(&mut self, width: u16, height: u16) {
        self.size = (width, height);
    }

    /// The run as shown: the frozen copy if there is one.
    pub fn shown_run(&self) -> Option<&RunModel> {
        self.frozen.as_deref().or(self.run.as_ref())
    }

    /// Shows that the run is being saved before quitting.
    pub fn begin_stopping(&mut self) {
        self.overlay = None;
        self.frozen = None;
        if let Some(run) = &mut self.run {
            run.state = RunState::Stopping;
        }
    }

    /// Draws into a new buffer.
    pub fn draw(&self, width: u16, height: u16) -> Buffer {
        let area = Rect::new(0, 0, width, height);
        let mut buf = Buffer::empty(area);
        view(self, area, &mut buf);
        buf
    }
}
