//! The event loop of every dashboard: it waits for input, events, answers and time, passes them to
//! the model, draws, and stops the work before the dashboard closes.

use std::io;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, never, select};
use crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use crossterm::{execute, queue};

use finches_runs::run::message::{RunCommand, RunEvent};
use finches_runs::run::{FaultLocation, Run};
use finches_runs::signals::{
    EndRequest, EndRequests, SIGCONT, SIGHUP, SIGTERM, SIGTSTP, SIGUSR1, stop_process,
};

use super::app::{self, AppModel};
use super::driver::Driver;
use super::input::{Input, Listeners, SignalListener, is_suspend};
use super::mouse::Regions;
use super::screen::{ExitMode, Request, ScreenEvent};
use super::settings::{TerminalSettings, UiError};
use super::terminal::{self, TerminalGuard};
use super::theme::choice::TerminalReply;

/// Minimum time between frames.
const FRAME: Duration = Duration::from_millis(33);

/// Minimum time between frames after events of an experiment, and the same as a multiple of the
/// time that a frame takes. Its runs may use all cores, so frames must cost little.
const EXPERIMENT_FRAME: Duration = Duration::from_millis(100);
const IDLE_FACTOR: u32 = 30;

/// How long queued input is handled before the event loop looks at all else again.
const INPUT_TIME: Duration = Duration::from_millis(20);

/// Most slow requests that wait for a frame. Further input waits too.
const MAX_DEFERRED: usize = 8;

/// How the event loop ended.
pub(super) enum LoopExit {
    Quit,
    HandOver(Box<Run>),
}

/// What is left of a dashboard after its end.
pub(super) struct ClosedDashboard {
    pub(super) model: AppModel,
    pub(super) exit: LoopExit,
    /// The first signal, or Ctrl-C.
    pub(super) signal: Option<i32>,
}

/// How soon a frame is due.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum RedrawNeed {
    None,
    /// After events.
    Soon,
    /// After input, which must show its effect at once, and when time has passed.
    Now,
}

/// The state of the event loop.
struct Dashboard {
    model: AppModel,
    /// Absent in the dashboard of an experiment.
    driver: Option<Driver>,
    guard: TerminalGuard,
    /// When the model's time was last advanced.
    last_tick: Instant,
    /// How long the last frame took.
    frame_time: Duration,
    end_requests: EndRequests,
    /// The first signal, or Ctrl-C.
    signal: Option<i32>,
    /// Whether the dashboard closes as soon as all work is stopped and saved.
    is_stopping: bool,
    /// Whether there is a terminal to draw on.
    has_terminal: bool,
    /// Whether the terminal has changed its size since the last frame.
    was_resized: bool,
    /// Signals, which precede all other input.
    signals: Receiver<i32>,
    /// Slow requests, which run after the next frame.
    deferred: Vec<Request>,
    exit: Option<LoopExit>,
}

/// Takes the terminal, runs the dashboard until the user quits, and restores the terminal.
pub(super) fn show(
    model: AppModel,
    driver: Option<Driver>,
    (wanted, reply): (TerminalSettings, TerminalReply),
    listener: SignalListener,
) -> Result<ClosedDashboard, UiError> {
    let signals = listener.signals.clone();
    let listeners = Listeners::start(listener, reply)?;
    let mut dashboard = Dashboard {
        model,
        driver,
        guard: TerminalGuard::enter(wanted)?,
        last_tick: Instant::now(),
        frame_time: Duration::ZERO,
        end_requests: EndRequests::default(),
        signal: None,
        is_stopping: false,
        has_terminal: true,
        was_resized: false,
        signals,
        deferred: Vec::new(),
        exit: None,
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
    Ok(ClosedDashboard {
        model,
        exit: ended?,
        signal,
    })
}

impl Dashboard {
    /// Waits for input, events and timers. Draws at most thirty times a second, and only after
    /// changes.
    fn event_loop(&mut self, input: &Receiver<Input>) -> Result<LoopExit, UiError> {
        let size = self.guard.terminal.size()?;
        self.model.resize(size.width, size.height);
        let mut redraw = RedrawNeed::Now;
        let mut drawn: Option<Instant> = None;
        loop {
            redraw = redraw.max(self.tick());
            let wait = drawn.map_or(Duration::ZERO, |drawn| {
                (drawn + self.pause(redraw)).saturating_duration_since(self.last_tick)
            });
            if redraw != RedrawNeed::None && wait.is_zero() {
                if self.has_terminal && self.draw().is_err() {
                    self.close();
                }
                drawn = Some(Instant::now());
                redraw = self.after_frame();
            }
            if let Some(exit) = self.exit.take() {
                return Ok(exit);
            }
            let timeout = match redraw {
                RedrawNeed::None => self.model.time_to_change(),
                _ => Some(wait),
            };
            redraw = redraw.max(self.wait(input, timeout.unwrap_or(Duration::from_secs(3600))));
            if self.is_stopping && !self.is_working() {
                self.exit.get_or_insert(LoopExit::Quit);
            }
        }
    }

    /// The minimum time between the last frame and the next one.
    fn pause(&self, redraw: RedrawNeed) -> Duration {
        if redraw == RedrawNeed::Soon && self.driver.is_none() {
            EXPERIMENT_FRAME.max(self.frame_time * IDLE_FACTOR)
        } else {
            FRAME
        }
    }

    /// Advances the model's time; returns whether a frame is due. It precedes every change of the
    /// model, so that time that passed before a change does not count for what the change starts.
    fn tick(&mut self) -> RedrawNeed {
        let now = Instant::now();
        let passed = now - std::mem::replace(&mut self.last_tick, now);
        if self.model.tick(passed) {
            RedrawNeed::Now
        } else {
            RedrawNeed::None
        }
    }

    /// Draws a frame. After a change of size it redraws every cell, since a terminal that shrank
    /// and grew back has lost cells although its size is the same.
    fn draw(&mut self) -> Result<(), UiError> {
        let began = Instant::now();
        if std::mem::take(&mut self.was_resized) {
            let size = self.guard.terminal.size()?;
            self.guard.terminal.resize(size.into())?;
        }
        self.inject_panic();
        let (model, mut regions) = (&self.model, Regions::default());
        // A terminal that knows these marks shows the frame at once, without tearing.
        queue!(io::stdout(), BeginSynchronizedUpdate)?;
        let drawn = self.guard.terminal.draw(|frame| {
            let area = frame.area();
            regions = app::view(model, area, frame.buffer_mut());
        });
        let drawn = drawn.map(|_| ());
        execute!(io::stdout(), EndSynchronizedUpdate)?;
        drawn?;
        self.model.regions = regions;
        self.frame_time = began.elapsed();
        Ok(())
    }

    /// Panics if an injected fault asks for it.
    fn inject_panic(&self) {
        let driver = self.driver.as_ref();
        let fault = driver.and_then(|driver| driver.settings.launch.injected_fault);
        let on_screen = fault.filter(|fault| fault.location == FaultLocation::Screen);
        let run = self.model.context.run.as_ref();
        if let (Some(fault), Some(run)) = (on_screen, run)
            && run.generation >= fault.generation
        {
            panic!("injected panic on the screen");
        }
    }

    /// Carries out the deferred requests and lets the champion reply. Returns whether another frame
    /// is due.
    fn after_frame(&mut self) -> RedrawNeed {
        let mut redraw = self.tick();
        if self.model.after_frame() {
            redraw = redraw.max(RedrawNeed::Soon);
        }
        for request in std::mem::take(&mut self.deferred) {
            // A signal ends the program, so it does not wait for them.
            if !self.signals.is_empty() {
                break;
            }
            if let Some(driver) = &mut self.driver {
                driver.perform(request, &mut self.model);
            }
            redraw = RedrawNeed::Now;
        }
        if let Some(text) = self.model.context.copied.take() {
            terminal::copy(&text);
        }
        redraw
    }

    /// Waits for signals, input and events up to `timeout`, then handles those that have arrived.
    /// Signals come first. Input is handled for a limited time, since there may be any amount of
    /// it.
    fn wait(&mut self, input: &Receiver<Input>, timeout: Duration) -> RedrawNeed {
        if let Ok(signal) = self.signals.try_recv() {
            self.handle_signal(signal);
            return RedrawNeed::Now;
        }
        let (signals, began) = (self.signals.clone(), Instant::now());
        let ready = if self.deferred.len() < MAX_DEFERRED {
            input
        } else {
            &never()
        };
        let driver = self.driver.as_ref();
        let events = driver.map_or_else(never, Driver::events);
        let followed = driver.map_or_else(never, Driver::followed_events);
        let mut redraw = RedrawNeed::None;
        select! {
            recv(signals) -> signal => {
                self.handle_signal(signal.unwrap_or(SIGHUP));
                redraw = RedrawNeed::Now;
            }
            recv(ready) -> received => {
                self.handle_input(received.unwrap_or(Input::Closed));
                redraw = RedrawNeed::Now;
            }
            recv(events) -> event => {
                if let Ok(event) = event {
                    self.apply_event(event);
                    redraw = RedrawNeed::Soon;
                } else if let Some(driver) = &mut self.driver {
                    driver.forget_run();
                }
            }
            recv(self.model.woken) -> _ => {
                self.receive_answers();
                redraw = RedrawNeed::Soon;
            }
            recv(followed) -> event => {
                if let Ok(event) = event {
                    self.tick();
                    self.model.receive_followed(event);
                }
                redraw = RedrawNeed::Soon;
            }
            default(timeout) => {}
        }
        while let Ok(event) = events.try_recv() {
            self.apply_event(event);
            redraw = redraw.max(RedrawNeed::Soon);
        }
        while self.takes_input(began)
            && let Ok(received) = input.try_recv()
        {
            self.handle_input(received);
            redraw = RedrawNeed::Now;
        }
        redraw
    }

    /// Whether more input is handled now, after input since `began`.
    fn takes_input(&self, began: Instant) -> bool {
        self.signals.is_empty()
            && self.deferred.len() < MAX_DEFERRED
            && began.elapsed() < INPUT_TIME
    }

    fn apply_event(&mut self, event: RunEvent) {
        self.tick();
        if let RunEvent::BreakpointHit { reason, .. } = &event {
            self.guard.ring(reason);
        }
        self.model.apply(event);
    }

    /// Takes in the results of background work, and the last events of a run that has stopped.
    fn receive_answers(&mut self) {
        self.model.receive_answers();
        let driver = self.driver.as_mut();
        for event in driver.map(Driver::last_events).unwrap_or_default() {
            self.apply_event(event);
        }
    }

    fn handle_input(&mut self, input: Input) {
        self.tick();
        match input {
            Input::Key(key) if is_suspend(key) => self.suspend(),
            Input::Key(key) => {
                for request in self.model.press(key) {
                    self.dispatch(request);
                }
            }
            Input::Mouse(mouse) => {
                for request in self.model.point(mouse) {
                    self.dispatch(request);
                }
            }
            Input::Resize(width, height) => {
                self.model.resize(width, height);
                self.was_resized = true;
            }
            Input::Closed => self.close(),
        }
    }

    fn handle_signal(&mut self, signal: i32) {
        self.tick();
        match signal {
            SIGTSTP => self.suspend(),
            SIGCONT => self.resume(),
            SIGUSR1 => self.dispatch(Request::Send(RunCommand::Save)),
            signal => self.interrupt(signal),
        }
    }

    /// Releases the terminal and stops the process, including the run, until the shell resumes it.
    fn suspend(&mut self) {
        self.guard.release();
        stop_process();
        self.resume();
    }

    /// Resumes after a stop. A terminal that closes also resumes its processes.
    fn resume(&mut self) {
        if self.has_terminal && self.retake_terminal().is_err() {
            self.close();
        }
    }

    /// Takes the terminal back and redraws all of it.
    fn retake_terminal(&mut self) -> Result<(), UiError> {
        self.guard.take()?;
        let size = self.guard.terminal.size()?;
        self.model.resize(size.width, size.height);
        self.was_resized = true;
        // The time while suspended does not count.
        self.last_tick = Instant::now();
        Ok(())
    }

    /// Stops drawing after the terminal has closed, saves and quits.
    fn close(&mut self) {
        self.has_terminal = false;
        if !self.is_stopping {
            self.interrupt(SIGHUP);
        }
    }

    /// The first request saves and quits, an interrupt a while after it quits at once.
    fn interrupt(&mut self, signal: i32) {
        self.signal.get_or_insert(signal);
        match self.end_requests.take(signal, Instant::now()) {
            EndRequest::First => {
                self.model.begin_stopping();
                self.leave(ExitMode::SaveFirst);
            }
            EndRequest::Repeated => {}
            EndRequest::GiveUp => self.leave(ExitMode::Immediately),
        }
    }

    /// Sends quick commands at once; defers slow requests until after a frame. The same one twice
    /// in a row is one.
    fn dispatch(&mut self, request: Request) {
        match (request, &mut self.driver) {
            (Request::Leave(leave), _) => self.leave(leave),
            (Request::Send(command), Some(driver)) if command != RunCommand::Save => {
                driver.send(command);
            }
            (slow, _) if self.deferred.last() == Some(&slow) => {}
            (slow, _) => self.deferred.push(slow),
        }
    }

    fn leave(&mut self, leave: ExitMode) {
        let driver = self.driver.as_mut();
        match leave {
            ExitMode::SaveFirst => {
                self.is_stopping = true;
                // What asked for it does not matter: an interrupt at once repeats it.
                self.end_requests.take(SIGTERM, Instant::now());
                self.model.tell(&ScreenEvent::Stopping);
                if let Some(driver) = driver {
                    driver.stop(&self.model.context.waker);
                }
            }
            ExitMode::Immediately => {
                if let Some(driver) = driver {
                    driver.abandon();
                }
                self.exit = Some(LoopExit::Quit);
            }
            ExitMode::HandOver => {
                let run = driver.and_then(Driver::hand_over);
                let hand_over = |run| LoopExit::HandOver(Box::new(run));
                self.exit = Some(run.map_or(LoopExit::Quit, hand_over));
            }
        }
    }

    /// Whether there is work that quitting waits for.
    fn is_working(&self) -> bool {
        let driver = self.driver.as_ref();
        driver.is_some_and(Driver::is_stopping) || self.model.is_working()
    }
}
