//! The model of the dashboard: the screens, and what they share. It passes keys, clicks and events
//! to them and carries out the effects that other screens are meant for. Drawing does not change
//! it, and it does not use the terminal.

use std::any::Any;
use std::time::Duration;

use crossbeam_channel::Receiver;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::jobs::{Waker, WantedAnswers};
use crate::keymap::{self, Action};
use crate::model::context::Context;
use crate::model::followed::FollowState;
use crate::model::run::{RunModel, RunState};
use crate::model::sample_game::SampleGame;
use crate::mouse::Regions;
use crate::screen::{
    ClickTarget, Effect, Effects, Made, Requests, Screen, ScreenEvent, Tab, TabbedScreen,
    start_first,
};
use crate::screens;
use crate::screens::help::HelpSearch;
use crate::screens::home::Home;
use crate::screens::play::PlayScreen;
use crate::theme::Theme;
use finches_runs::run::RunInfo;
use finches_runs::run::follow::{FollowEvent, FollowedRun};
use finches_runs::run::message::RunEvent;
use finches_runs::storage::saves::Saves;

mod actions;
mod breakpoints;
mod cost;
mod footer;
mod fork;
mod generation_bar;
mod header;
mod input;
mod quit;
mod too_small;
mod view;

use self::breakpoints::BreakpointDialog;
use self::fork::ForkDialog;

pub use self::view::view;

/// A window over a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlay {
    Help,
    Quit,
    Breakpoints,
    Fork,
    Cost,
}

/// The state of the dashboard.
pub struct AppModel {
    pub context: Context,
    /// The screens in the order of their tabs.
    screens: Vec<TabbedScreen>,
    /// The index of the current screen.
    current: usize,
    /// Where the player shown in Net was chosen.
    inspected_from: Option<Action>,
    pub overlay: Option<Overlay>,
    breakpoints: BreakpointDialog,
    fork: ForkDialog,
    help: HelpSearch,
    /// What a run takes about which the user is asked.
    cost: String,
    /// Receives a signal when background work of a screen has a result.
    pub(super) woken: Receiver<()>,
    /// The click targets of the last frame.
    pub regions: Regions<ClickTarget>,
}

/// The invariant of [`AppModel::switch_to`].
const CURRENT: &str = "the current screen has content";

/// What screens are made for.
#[derive(Clone, Copy)]
enum MadeFor {
    Run,
    /// The champions of a saved run.
    Champions,
    /// The same while another run is shown.
    ChampionsBesideRun,
}

impl AppModel {
    /// The dashboard of runs, which opens with the Home screen.
    pub fn new(theme: Theme, home: Home) -> Self {
        let mut model = Self::with_screens(theme, |waker| screens::all(home, waker));
        model.switch_to(Action::GoHome);
        model
    }

    /// A dashboard of these screens, which opens with the first.
    pub fn with_screens(theme: Theme, list: impl FnOnce(&Waker) -> Vec<TabbedScreen>) -> Self {
        keymap::install(screens::keymap);
        let (waker, woken) = Waker::new();
        let screens = list(&waker);
        let scope = screens[0].tab.scope;
        let mut model = Self {
            screens,
            context: Context::new(theme, waker, scope),
            current: 0,
            inspected_from: None,
            overlay: None,
            breakpoints: BreakpointDialog::default(),
            fork: ForkDialog::default(),
            help: HelpSearch::default(),
            cost: String::new(),
            woken,
            regions: Regions::default(),
        };
        model.lay_out();
        model
    }

    fn shown(&self) -> &dyn Screen {
        let screen = &self.screens[self.current].screen;
        &**screen.as_ref().expect(CURRENT)
    }

    /// The screens that have content.
    fn filled(&self) -> impl Iterator<Item = &dyn Screen> {
        let screens = self.screens.iter();
        screens.filter_map(|tabbed| tabbed.screen.as_deref())
    }

    /// The tab of the current screen.
    pub fn tab(&self) -> Tab {
        self.screens[self.current].tab
    }

    /// A screen by its type, if it has content.
    pub fn screen<S: 'static>(&self) -> Option<&S> {
        self.filled()
            .find_map(|screen| (screen as &dyn Any).downcast_ref())
    }

    pub fn screen_mut<S: 'static>(&mut self) -> Option<&mut S> {
        let mut filled = self
            .screens
            .iter_mut()
            .filter_map(|tabbed| tabbed.screen.as_mut());
        filled.find_map(|screen| (&mut **screen as &mut dyn Any).downcast_mut())
    }

    /// The current screen and what it shares with the others.
    fn parts(&mut self) -> (&mut dyn Screen, &mut Context) {
        self.lay_out();
        let screen = self.screens[self.current].screen.as_mut();
        (&mut **screen.expect(CURRENT), &mut self.context)
    }

    /// Finds the area of the current screen.
    fn lay_out(&mut self) {
        let (width, height) = self.context.size;
        self.context.area = view::body(self, Rect::new(0, 0, width, height));
    }

    /// Opens the screen of an action, or says what has to be done first.
    pub fn open(&mut self, action: Action) -> Requests {
        let Some(index) = self.index(action) else {
            return Vec::new();
        };
        self.make_when_opened(index);
        let opened = match &mut self.screens[index].screen {
            Some(screen) => screen.open(&mut self.context),
            None => Err(start_first("play_saved", "a saved one")),
        };
        match opened {
            Ok(effects) => {
                self.switch_to(action);
                self.refresh();
                self.carry_out(effects)
            }
            Err(words) => {
                if action == Action::GoRun {
                    self.switch_to(Action::GoHome);
                }
                self.context.notify(&words);
                Vec::new()
            }
        }
    }

    /// Shows the screen of an action as it is, if it has content.
    pub fn switch_to(&mut self, action: Action) {
        let Some(index) = self.index(action) else {
            return;
        };
        self.make_when_opened(index);
        if self.screens[index].screen.is_none() {
            return;
        }
        if index != self.current {
            if let Some(left) = &mut self.screens[self.current].screen {
                left.receive(&ScreenEvent::Left, &mut self.context);
            }
            self.current = index;
            self.inspected_from = self.inspected_from.filter(|_| action == Action::GoNet);
            if action == Action::GoRun {
                self.context.catch_up_sample();
            }
        }
        self.context.scope = self.tab().scope;
    }

    fn index(&self, action: Action) -> Option<usize> {
        let mut tabs = self.screens.iter();
        tabs.position(|tabbed| tabbed.tab.action == action)
    }

    /// Makes a screen of the current run that is only made when it is opened.
    fn make_when_opened(&mut self, index: usize) {
        let tabbed = &mut self.screens[index];
        let (None, Some(Made::WhenOpened(make))) = (&tabbed.screen, tabbed.made) else {
            return;
        };
        let Some(run) = &self.context.run else {
            return;
        };
        let (facts, snapshot) = (run.facts.clone(), run.snapshot.clone());
        let saved = self.context.saved_run();
        let mut screen = make(&facts, saved, &mut self.context);
        if let Some(snapshot) = snapshot {
            let event = RunEvent::Snapshot(snapshot);
            screen.receive(&ScreenEvent::Run(&event), &mut self.context);
        }
        tabbed.screen = Some(screen);
    }

    /// Makes the screens anew that show a run.
    fn make(&mut self, facts: &RunInfo, saved: Option<&(Saves, String)>, of: MadeFor) {
        for tabbed in &mut self.screens {
            let make = match (tabbed.made, of) {
                (Some(Made::PerRun(make)), MadeFor::Run | MadeFor::Champions)
                | (
                    Some(Made::WhenOpened(make)),
                    MadeFor::Champions | MadeFor::ChampionsBesideRun,
                ) => Some(make),
                (Some(Made::WhenOpened(_)), MadeFor::Run) => None,
                _ => continue,
            };
            tabbed.screen = make.map(|make| make(facts, saved.cloned(), &mut self.context));
        }
    }

    /// Shows a run that has been started.
    pub fn show_run(&mut self, run: RunModel) {
        let facts = run.facts.clone();
        self.context.run = Some(run);
        self.context.frozen = None;
        self.context.sample = SampleGame::default();
        self.context.notice = None;
        let saved = self.context.saved_run();
        self.make(&facts, saved.as_ref(), MadeFor::Run);
        self.tell(&ScreenEvent::RunShown);
        self.switch_to(Action::GoRun);
    }

    /// Shows the Play screen against the champions of a saved run. A game against one of them that
    /// the user has begun goes on.
    pub fn show_champions(&mut self, facts: &RunInfo, saves: Option<&(Saves, String)>) {
        let play = self.screen::<PlayScreen>();
        if play
            .zip(saves)
            .is_some_and(|(play, (_, name))| play.has_begun_against(name))
        {
            return self.switch_to(Action::GoPlay);
        }
        let of = match self.context.run {
            Some(_) => MadeFor::ChampionsBesideRun,
            None => MadeFor::Champions,
        };
        self.make(facts, saves, of);
        if let (Some((_, name)), Some(home)) = (saves, self.screen_mut::<Home>()) {
            home.select_run(name);
        }
        self.switch_to(Action::GoPlay);
    }

    /// Follows a run of another process, of which nothing is known yet.
    pub fn follow_run(&mut self, name: &str) {
        self.context.followed = Some(FollowState {
            name: name.to_owned(),
            missing: None,
        });
        self.switch_to(Action::GoRun);
    }

    /// Handles an event of the followed run.
    pub fn receive_followed(&mut self, seen: FollowEvent) {
        let Some(followed) = &mut self.context.followed else {
            return;
        };
        followed.missing = match &seen {
            FollowEvent::Missing(words) => Some(words.clone()),
            FollowEvent::Run(_) | FollowEvent::Event(_) => None,
        };
        match seen {
            FollowEvent::Missing(_) => {}
            FollowEvent::Event(event) => self.apply(event),
            FollowEvent::Run(found) => self.show_followed(&found),
        }
    }

    /// Shows a followed run with its history. If it is already shown, only its history is replaced.
    fn show_followed(&mut self, found: &FollowedRun) {
        let shown = self.tab().action;
        let is_same = |run: &RunModel| run.facts.seed == found.info.seed;
        let run = RunModel::follow(found.info.clone(), &found.rows, found.pace);
        match &mut self.context.run {
            Some(before) if is_same(before) => before.restart(run),
            _ => {
                self.show_run(run);
                self.switch_to(shown);
            }
        }
    }

    /// Handles an event of the run.
    pub fn apply(&mut self, event: RunEvent) {
        if self.context.run.is_none() {
            return;
        }
        match &event {
            RunEvent::Snapshot(snapshot) if self.context.frozen.is_none() => {
                self.context.sample.offer(snapshot);
            }
            RunEvent::Learned(report) if self.context.frozen.is_none() => {
                self.context.sample.offer(&report.snapshot);
            }
            RunEvent::Rejected(problem) => {
                self.context.report_error(format!("rejected: {problem}"));
            }
            _ => {}
        }
        self.tell(&ScreenEvent::Run(&event));
        if let Some(run) = &mut self.context.run {
            run.apply(event);
            let newest = run
                .snapshot
                .as_ref()
                .filter(|_| run.state == RunState::Done);
            if let Some(newest) = newest.filter(|_| self.context.frozen.is_none()) {
                self.context.sample.conclude(newest);
            }
        }
        self.refresh();
    }

    /// Passes an event to all screens.
    pub fn tell(&mut self, event: &ScreenEvent<'_>) {
        let filled = self
            .screens
            .iter_mut()
            .filter_map(|tabbed| tabbed.screen.as_mut());
        for screen in filled {
            screen.receive(event, &mut self.context);
        }
    }

    /// Waits for the results of all background work of the screens.
    pub(crate) fn wait_for_answers(&mut self) {
        self.tell(&ScreenEvent::Answered(WantedAnswers::All));
        self.refresh();
    }

    /// Takes in all results of background work that have arrived.
    pub fn receive_answers(&mut self) {
        self.tell(&ScreenEvent::Answered(WantedAnswers::Arrived));
        match self.context.films.receive() {
            Some(((), Ok(words))) => self.context.notify(&words),
            Some(((), Err(error))) => self.context.report_error(format!("no film: {error}")),
            None => {}
        }
        self.refresh();
    }

    fn refresh(&mut self) {
        let (screen, context) = self.parts();
        screen.receive(&ScreenEvent::Refresh, context);
    }

    /// Carries out the effects that concern the screens, and returns the requests.
    fn carry_out(&mut self, effects: Effects) -> Requests {
        let mut others = Vec::new();
        for effect in effects {
            match effect {
                Effect::Do(action) => others.extend(self.act(action)),
                Effect::Inspect(player) => {
                    self.tell(&ScreenEvent::PlayerInspected(&player));
                    self.inspected_from = Some(self.tab().action);
                }
                Effect::PlayAgainst(player) => {
                    others.extend(self.act(Action::GoPlay));
                    self.tell(&ScreenEvent::OpponentChosen(&player));
                }
                Effect::EditPreset(preset) => {
                    self.tell(&ScreenEvent::PresetOpened(&preset));
                    self.switch_to(Action::GoParameters);
                }
                Effect::PresetChanged(preset) => self.tell(&ScreenEvent::PresetChanged(&preset)),
                Effect::Ask(request) => others.push(request),
            }
        }
        others
    }

    /// Does what had to wait until a frame was drawn. Returns whether another frame is due.
    pub fn after_frame(&mut self) -> bool {
        let (screen, context) = self.parts();
        screen.after_frame(context)
    }

    /// Advances the time; returns whether a frame is due.
    pub fn tick(&mut self, passed: Duration) -> bool {
        let is_covered = self.overlay.is_some();
        let run = self.context.run.as_mut();
        let running = run.filter(|run| run.state.is_running());
        let has_progressed = running.is_some_and(|run| run.timing.tick(passed));
        let has_left = self.context.tick(passed);
        let (screen, context) = self.parts();
        let is_changed = !is_covered && screen.tick(passed, context);
        is_changed || has_progressed || has_left
    }

    /// Time until the next scheduled change, if any.
    pub fn time_to_change(&self) -> Option<Duration> {
        let run = self.context.run.as_ref();
        let running = run.filter(|run| run.state.is_running());
        let clock = running.and_then(|run| run.timing.time_to_tick());
        let screen = match self.overlay {
            Some(_) => None,
            None => self.shown().state(&self.context).due,
        };
        let notice = self.context.time_to_change();
        clock.into_iter().chain(screen).chain(notice).min()
    }

    pub fn resize(&mut self, width: u16, height: u16) {
        self.context.size = (width, height);
        self.refresh();
    }

    /// Shows that the run is being stopped and saved before quitting.
    pub fn begin_stopping(&mut self) {
        self.overlay = None;
        self.context.frozen = None;
        if let Some(run) = &mut self.context.run {
            run.state = RunState::Stopping;
            self.context.notify("saving; Ctrl-C again gives up");
        }
    }

    /// Whether a screen has work that quitting waits for.
    pub fn is_working(&self) -> bool {
        self.filled()
            .any(|screen| screen.state(&self.context).is_working)
    }

    /// Draws into a new buffer.
    pub fn draw(&self, width: u16, height: u16) -> Buffer {
        let area = Rect::new(0, 0, width, height);
        let mut buf = Buffer::empty(area);
        view(self, area, &mut buf);
        buf
    }
}
