//! The model of the dashboard: the content of the screen, as a function of keys, run events and time. Drawing does not change
//! it, and it does not use the terminal.

use std::time::Duration;

use crossbeam_channel::Receiver;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::preset::Preset;
use crate::run::message::RunEvent;
use crate::ui::jobs::Waker;
use crate::ui::mouse::Regions;
use crate::ui::screens::arena::ArenaScreen;
use crate::ui::screens::compare::CompareScreen;
use crate::ui::screens::games::GamesScreen;
use crate::ui::screens::home::Home;
use crate::ui::screens::log::LogScreen;
use crate::ui::screens::net::NetScreen;
use crate::ui::screens::parameters::ParametersScreen;
use crate::ui::screens::play::PlayScreen;
use crate::ui::screens::population::PopulationScreen;
use crate::ui::screens::run::RunScreen;
use crate::ui::theme::Theme;

use crate::ui::model::context::{Context, NoticeLevel};
use crate::ui::model::run::{RunModel, RunState};
use crate::ui::model::sample_game::SampleGame;
use crate::ui::screen::ClickTarget;

mod follow;
mod home_actions;
mod key_input;
mod mouse_input;
mod navigation;
mod results;
pub mod tab;
mod view;

pub use self::tab::Screen;
pub use self::view::view;
pub use crate::ui::screen::{Effect, Effects, ExitMode, ExportFile};

/// A window over a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlay {
    Help,
    Quit,
}

/// The state of the dashboard.
pub struct AppModel {
    pub context: Context,
    pub screen: Screen,
    pub overlay: Option<Overlay>,
    pub home: Home,
    pub run_screen: RunScreen,
    pub population: Option<PopulationScreen>,
    pub net: Option<NetScreen>,
    pub play: Option<PlayScreen>,
    pub parameters: Option<ParametersScreen>,
    pub log: LogScreen,
    pub games: Option<GamesScreen>,
    pub compare: CompareScreen,
    pub arena: ArenaScreen,
    /// Wakes the event loop when background work of a screen has a result.
    pub(super) waker: Waker,
    pub(super) woken: Receiver<()>,
    /// The preset whose parameters are being edited before a run.
    pub editing: Option<Box<Preset>>,
    /// The click targets of the last frame.
    pub regions: Regions<ClickTarget>,
}

impl AppModel {
    pub fn new(theme: Theme, home: Home) -> Self {
        let (waker, woken) = Waker::new();
        Self {
            context: Context::new(theme, waker.clone()),
            screen: Screen::Home,
            overlay: None,
            home,
            run_screen: RunScreen::default(),
            population: None,
            net: None,
            play: None,
            parameters: None,
            log: LogScreen::default(),
            games: None,
            compare: CompareScreen::new(waker.clone()),
            arena: ArenaScreen::new(waker.clone()),
            waker,
            woken,
            editing: None,
            regions: Regions::default(),
        }
    }

    /// Shows a run that has been started.
    pub fn show_run(&mut self, run: RunModel) {
        let name = run.facts.saved_as.clone();
        let saves = self.context.saves.clone().zip(name);
        self.population = Some(PopulationScreen::new(
            &run.facts,
            saves.clone(),
            self.waker.clone(),
        ));
        self.show_games(&run.facts, saves.clone());
        self.net = Some(NetScreen::new(&run.facts, saves, self.waker.clone()));
        self.context.run = Some(run);
        self.context.frozen = None;
        self.context.sample = SampleGame::default();
        self.play = None;
        self.parameters = None;
        self.editing = None;
        self.context.notice = None;
        self.screen = Screen::Run;
    }

    /// Handles an event of the run.
    pub fn apply(&mut self, event: RunEvent) {
        let Some(run) = &mut self.context.run else {
            return;
        };
        match &event {
            RunEvent::Snapshot(snapshot) => {
                if self.context.frozen.is_none() {
                    self.context.sample.offer(snapshot);
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
                if let Some(games) = self
                    .games
                    .as_mut()
                    .filter(|_| self.context.frozen.is_none())
                {
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
                self.context.notice = Some((NoticeLevel::Error, format!("rejected: {problem}")));
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

    /// Refreshes the current screen if it shows the newest champion or the members of the population.
    pub(super) fn refresh_views(&mut self) {
        if self.screen == Screen::Population {
            let shown = self.context.frozen.as_deref().or(self.context.run.as_ref());
            let members = shown.and_then(|run| run.members.as_ref());
            if let Some(population) = &mut self.population {
                population.set_newest(members);
            }
        }
        if self.screen == Screen::Net
            && let Some(net) = &mut self.net
        {
            if self.context.frozen.is_none() {
                net.refresh();
            }
            if let (true, Some(run)) = (net.is_activity_shown(), &self.context.run) {
                net.set_position(self.context.sample.position(&run.facts.arena));
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
                let shown = self.context.frozen.as_deref().or(self.context.run.as_ref());
                self.context.sample.tick(passed, shown)
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
            Screen::Run => self.context.sample.time_to_change(),
            Screen::Play => self.play.as_ref().and_then(PlayScreen::due),
            Screen::Compare => self.compare.due(),
            Screen::Games => self.games.as_ref().and_then(GamesScreen::due),
            _ => None,
        }
    }

    pub fn resize(&mut self, width: u16, height: u16) {
        self.context.size = (width, height);
    }

    /// Shows that the run is being saved before quitting.
    pub fn begin_stopping(&mut self) {
        self.overlay = None;
        self.context.frozen = None;
        if let Some(run) = &mut self.context.run {
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
