//! The dashboard. It owns the terminal and a model that is built from the events of a run. Nothing else draws or reads keys.
//!
//! Imports go down: `app` → `screens` → `screen` (the trait) → `model` (what screens read) → `widgets` → `theme`. A new screen is a
//! folder with an `impl Screen`, a line in `screens::all`, and its keys in `keymap`.

use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, never, select};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTSTP};

use crate::log::LogBuffer;
use crate::run::message::RunEvent;
use crate::run::{FaultLocation, Run};

use self::app::AppModel;
use self::driver::Driver;
use self::input::{Input, Listeners, is_interrupt, is_suspend};
use self::mouse::Regions;
use self::screen::{Effect, ExitMode};
use self::terminal::TerminalGuard;
use self::theme::Theme;
use self::theme::choice;

pub mod app;
mod driver;
pub mod experiment;
pub mod format;
mod input;
pub mod jobs;
pub mod keymap;
pub mod model;
pub mod mouse;
pub mod remap;
pub mod screen;
pub mod screens;
mod settings;
mod summary;
mod suspend;
mod terminal;
pub mod theme;
pub mod widgets;

pub use self::settings::{
    DashboardExit, DashboardSettings, DashboardStart, NewRun, TerminalSettings, UiError,
};

/// Minimum time between frames.
const FRAME: Duration = Duration::from_millis(33);

/// Runs the dashboard until the user quits.
pub fn run(start: DashboardStart, settings: DashboardSettings) -> Result<DashboardExit, UiError> {
    let wanted = settings.terminal;
    let (theme, answer) = choice::choose(wanted.theme, wanted.colors, wanted.ascii);
    let (saves, journal) = (settings.saves.clone(), settings.log.clone());
    log_terminal(wanted, &theme);
    let mut driver = Driver::new(settings);
    let mut model = AppModel::new(theme, driver.home());
    model.context.saves = Some(saves);
    model.context.log = Some(journal.clone());
    wake_on_log(&journal, &model);
    driver.list_runs(&mut model);
    driver::open_start(start, &mut driver, &mut model)?;
    let listeners = Listeners::start(answer)?;
    let mut dashboard = Dashboard {
        guard: TerminalGuard::enter(wanted)?,
        stopped: never(),
        signal: None,
        has_terminal: true,
        was_resized: false,
        deferred: Vec::new(),
        exit: None,
        driver,
        model,
        last_tick: Instant::now(),
    };
    let ended = dashboard.event_loop(&listeners.input);
    let Dashboard {
        guard,
        model,
        signal,
        ..
    } = dashboard;
    drop(listeners);
    drop(guard);
    let last = ended?;
    let summary = summary::lines(&model, &journal);
    Ok(match (last, signal) {
        (LoopExit::HandOver(run), _) => DashboardExit::HandOver(run),
        (LoopExit::Quit, Some(signal)) => DashboardExit::Signaled { signal, summary },
        (LoopExit::Quit, None) => DashboardExit::Left { summary },
    })
}

/// Wakes the event loop for new log entries.
fn wake_on_log(journal: &LogBuffer, model: &AppModel) {
    let waker = model.context.waker.clone();
    journal.on_entry(move |_| waker.wake());
}

/// Logs the properties of the terminal.
fn log_terminal(wanted: TerminalSettings, theme: &Theme) {
    let (width, height) = crossterm::terminal::size().unwrap_or_default();
    tracing::info!(
        target: "finches::terminal",
        width, height,
        theme = theme.spec.scheme.word(),
        colors = ?theme.spec.depth,
        ascii = wanted.ascii,
        mouse = wanted.mouse,
        "terminal found"
    );
}

/// How the event loop ended.
enum LoopExit {
    Quit,
    HandOver(Box<Run>),
}

/// The state of the event loop.
struct Dashboard {
    guard: TerminalGuard,
    driver: Driver,
    model: AppModel,
    /// When the model's time was last advanced.
    last_tick: Instant,
    /// Receives the last events once the run has stopped and is saved.
    stopped: Receiver<Vec<RunEvent>>,
    /// The first signal, or Ctrl-C.
    signal: Option<i32>,
    /// Whether there is a terminal to draw on.
    has_terminal: bool,
    /// Whether the terminal has changed its size since the last frame.
    was_resized: bool,
    /// Slow effects, which run after the next frame.
    deferred: Vec<Effect>,
    exit: Option<LoopExit>,
}

impl Dashboard {
    /// Waits for input, events and timers. Draws at most thirty times a second, and only after changes.
    fn event_loop(&mut self, input: &Receiver<Input>) -> Result<LoopExit, UiError> {
        let size = self.guard.terminal.size()?;
        self.model.resize(size.width, size.height);
        let mut is_frame_due = true;
        let mut drawn: Option<Instant> = None;
        loop {
            if self.tick() {
                is_frame_due = true;
            }
            let wait = drawn.map_or(Duration::ZERO, |drawn| {
                (drawn + FRAME).saturating_duration_since(self.last_tick)
            });
            if is_frame_due && wait.is_zero() {
                if self.has_terminal && self.draw().is_err() {
                    self.close();
                }
                drawn = Some(Instant::now());
                is_frame_due = self.after_frame();
            }
            if let Some(last) = self.exit.take() {
                return Ok(last);
            }
            let timeout = if is_frame_due {
                wait
            } else {
                self.model
                    .time_to_change()
                    .unwrap_or(Duration::from_secs(3600))
            };
            if self.wait(input, timeout) {
                is_frame_due = true;
            }
        }
    }

    /// Advances the model's time; returns whether a frame is due. It precedes every change of the model, so that time that
    /// passed before a change does not count for what the change starts.
    fn tick(&mut self) -> bool {
        let now = Instant::now();
        let passed = now - std::mem::replace(&mut self.last_tick, now);
        self.model.tick(passed)
    }

    /// Draws a frame. After a change of size it redraws every cell, since a terminal that shrank and grew back has lost cells
    /// although its size is the same.
    fn draw(&mut self) -> Result<(), UiError> {
        if std::mem::take(&mut self.was_resized) {
            let size = self.guard.terminal.size()?;
            self.guard.terminal.resize(size.into())?;
        }
        self.inject_panic();
        let (model, mut regions) = (&self.model, Regions::default());
        self.guard.terminal.draw(|frame| {
            let area = frame.area();
            regions = app::view(model, area, frame.buffer_mut());
        })?;
        self.model.regions = regions;
        Ok(())
    }

    /// Panics if an injected fault asks for it.
    fn inject_panic(&self) {
        let bug = self.driver.settings.injected_fault;
        let on_screen = bug.filter(|bug| bug.location == FaultLocation::Screen);
        let run = self.model.context.run.as_ref();
        if let (Some(bug), Some(run)) = (on_screen, run)
            && run.generation >= bug.generation
        {
            panic!("injected panic on the screen");
        }
    }

    /// Runs the deferred effects and lets the champion reply. Returns whether another frame is due.
    fn after_frame(&mut self) -> bool {
        let mut is_frame_due = self.tick();
        is_frame_due |= self.model.after_frame();
        for effect in std::mem::take(&mut self.deferred) {
            self.perform(effect);
            is_frame_due = true;
        }
        is_frame_due
    }

    /// Waits for input and events up to `timeout`, then handles all that have arrived. Returns whether there were any.
    fn wait(&mut self, input: &Receiver<Input>, timeout: Duration) -> bool {
        let events = self.driver.events();
        let followed = self.driver.followed_events();
        let mut has_changed = false;
        select! {
            recv(input) -> received => {
                self.handle_input(received.unwrap_or(Input::Closed));
                has_changed = true;
            }
            recv(events) -> event => match event {
                Ok(event) => {
                    self.apply_event(event);
                    has_changed = true;
                }
                Err(_) => self.driver.forget_run(),
            },
            recv(self.model.woken) -> _ => {
                self.model.receive_answers();
                has_changed = true;
            }
            recv(followed) -> event => {
                if let Ok(event) = event {
                    self.tick();
                    self.model.receive_followed(event);
                }
                has_changed = true;
            }
            recv(self.stopped) -> last => {
                for event in last.unwrap_or_default() {
                    self.apply_event(event);
                }
                self.exit = Some(LoopExit::Quit);
                has_changed = true;
            }
            default(timeout) => {}
        }
        while let Ok(event) = events.try_recv() {
            self.apply_event(event);
            has_changed = true;
        }
        while let Ok(received) = input.try_recv() {
            self.handle_input(received);
            has_changed = true;
        }
        has_changed
    }

    fn apply_event(&mut self, event: RunEvent) {
        self.tick();
        self.model.apply(event);
    }

    fn handle_input(&mut self, input: Input) {
        self.tick();
        match input {
            Input::Key(key) if is_interrupt(key) => self.interrupt(SIGINT),
            Input::Key(key) if is_suspend(key) => self.suspend(),
            Input::Signal(SIGTSTP) => self.suspend(),
            Input::Signal(SIGCONT) => self.resume(),
            Input::Key(key) => {
                for effect in self.model.press(key) {
                    self.dispatch(effect);
                }
            }
            Input::Mouse(mouse) => {
                for effect in self.model.point(mouse) {
                    self.dispatch(effect);
                }
            }
            Input::Resize(width, height) => {
                self.model.resize(width, height);
                self.was_resized = true;
            }
            // A dropped line may send several hangups, which do not count as a second signal.
            Input::Signal(SIGHUP) if self.signal.is_some() => {}
            Input::Signal(signal) => self.interrupt(signal),
            Input::Closed => self.close(),
        }
    }

    /// Stops drawing after the terminal has closed, and saves the run.
    fn close(&mut self) {
        self.has_terminal = false;
        if self.signal.is_none() {
            self.interrupt(SIGHUP);
        }
    }

    /// The first signal saves and quits, the second quits at once.
    fn interrupt(&mut self, signal: i32) {
        if self.signal.is_some() {
            self.leave(ExitMode::Immediately);
        } else {
            self.signal = Some(signal);
            self.model.begin_stopping();
            self.leave(ExitMode::SaveFirst);
        }
    }

    /// Sends commands at once; defers slow effects until after a frame.
    fn dispatch(&mut self, effect: Effect) {
        match effect {
            Effect::Send(command) => self.driver.send(command),
            Effect::Leave(leave) => self.leave(leave),
            other => self.deferred.push(other),
        }
    }

    fn perform(&mut self, effect: Effect) {
        let done = match effect {
            Effect::Start(preset) => self.driver.start_any(preset, &mut self.model),
            Effect::Open(name) => self.driver.open(&name, &mut self.model),
            Effect::Play(name) => self.driver.play(&name, &mut self.model),
            Effect::Rescan => {
                self.driver.list_runs(&mut self.model);
                Ok(())
            }
            Effect::Export(export) => self.driver.export(&export, &mut self.model),
            Effect::Send(_)
            | Effect::Leave(_)
            | Effect::Do(_)
            | Effect::Inspect(_)
            | Effect::EditPreset(_)
            | Effect::PresetChanged(_) => Ok(()),
        };
        if let Err(error) = done {
            driver::report_error(&mut self.model, &error);
        }
    }

    fn leave(&mut self, leave: ExitMode) {
        match leave {
            ExitMode::SaveFirst => self.stopped = self.driver.stop(),
            ExitMode::Immediately => {
                self.driver.abandon();
                self.exit = Some(LoopExit::Quit);
            }
            ExitMode::HandOver => {
                let run = self.driver.hand_over();
                self.exit =
                    Some(run.map_or(LoopExit::Quit, |run| LoopExit::HandOver(Box::new(run))));
            }
        }
    }
}
