//! The dashboard of an experiment. It owns the terminal and a model that is built from the events of the experiment, which
//! runs on other threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, never, select};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTSTP};
use signal_hook::low_level::emulate_default_handler;

use crate::experiment::ExperimentEvent;
use crate::storage::StorageError;
use crate::storage::experiments::ExperimentFolder;

use super::input::{Input, Listeners};
use super::jobs::Waker;
use super::mouse::Regions;
use super::terminal::TerminalGuard;
use super::theme::choice;
use super::{TerminalSettings, UiError, is_interrupt, is_suspend};

use self::histories::HistoryLoader;
use self::model::{ExitRequest, ExperimentModel, ExperimentSetup, ExperimentState};

mod charts;
mod estimate;
mod histories;
mod input;
mod layout;
pub mod model;
mod reading;
mod running;
pub mod status;
mod table;
pub mod trial;
mod view;

/// How the dashboard exited.
#[derive(Debug)]
pub struct ExperimentExit {
    pub how: ExitReason,
    /// Runs with damaged files, to be reported after the terminal is restored.
    pub damaged: Vec<StorageError>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitReason {
    /// The experiment is done or has failed.
    Finished,
    /// It stopped after this signal, or after a key that acts like it.
    Stopped(i32),
    /// The user quit without waiting for it to stop.
    Immediately(i32),
}

/// Minimum time between frames: after a key, and after events.
const FRAME: Duration = Duration::from_millis(33);
const NEWS_FRAME: Duration = Duration::from_millis(100);

/// How often the clock is redrawn.
const SECOND: Duration = Duration::from_secs(1);

/// The pause after a frame or an update of the summary, as a multiple of its own time. It keeps the cost to the runs low.
const IDLE_FACTOR: u32 = 30;

/// Runs the dashboard until the user quits. A request to stop sets `halt` and waits for the last event.
pub fn show_experiment(
    setup: ExperimentSetup,
    folder: &ExperimentFolder,
    news: &Receiver<ExperimentEvent>,
    halt: &AtomicBool,
    wanted: TerminalSettings,
) -> Result<ExperimentExit, UiError> {
    let (waker, woken) = Waker::new();
    let histories = HistoryLoader::new(folder, setup.columns.clone(), waker);
    let (theme, answer) = choice::choose(wanted.theme, wanted.colors, wanted.ascii);
    let model = ExperimentModel::new(theme, setup);
    let listeners = Listeners::start(answer)?;
    let mut dashboard = ExperimentDashboard {
        guard: TerminalGuard::enter(wanted)?,
        model,
        histories,
        halt,
        began: Instant::now(),
        signal: None,
        left: None,
        last_summary: None,
        frame_time: Duration::ZERO,
    };
    let ended = dashboard.event_loop(&listeners.input, news, &woken);
    let ExperimentDashboard { guard, model, .. } = dashboard;
    drop(listeners);
    drop(guard);
    Ok(ExperimentExit {
        how: ended?,
        damaged: model.damaged,
    })
}

/// How soon a frame is due.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum RedrawNeed {
    None,
    /// After events, or when time has passed.
    Soon,
    /// After a key, which must show its effect at once.
    Now,
}

/// The state of the event loop.
struct ExperimentDashboard<'a> {
    guard: TerminalGuard,
    model: ExperimentModel,
    histories: HistoryLoader<'a>,
    halt: &'a AtomicBool,
    began: Instant,
    /// The first signal, or a key that acts like it.
    signal: Option<i32>,
    left: Option<ExitReason>,
    /// When the summary was last updated, and how long that took.
    last_summary: Option<(Instant, Duration)>,
    /// How long the last frame took.
    frame_time: Duration,
}

impl ExperimentDashboard<'_> {
    /// Waits for input, events and timers; draws after changes.
    fn event_loop(
        &mut self,
        input: &Receiver<Input>,
        news: &Receiver<ExperimentEvent>,
        woken: &Receiver<()>,
    ) -> Result<ExitReason, UiError> {
        let size = self.guard.terminal.size()?;
        self.model.resize(size.width, size.height);
        let mut news = news.clone();
        let (mut redraw, mut drawn): (RedrawNeed, Option<Instant>) = (RedrawNeed::Now, None);
        loop {
            self.model.tick(self.began.elapsed());
            let pause = match redraw {
                RedrawNeed::Now => FRAME,
                RedrawNeed::Soon => NEWS_FRAME.max(self.frame_time * IDLE_FACTOR),
                RedrawNeed::None => SECOND,
            };
            let wait = drawn.map_or(Duration::ZERO, |drawn| {
                (drawn + pause).saturating_duration_since(Instant::now())
            });
            if wait.is_zero() {
                self.update_summary();
                self.draw()?;
                (redraw, drawn) = (RedrawNeed::None, Some(Instant::now()));
                continue;
            }
            select! {
                recv(input) -> given => {
                    self.handle_input(given.unwrap_or(Input::Closed))?;
                    redraw = RedrawNeed::Now;
                }
                recv(news) -> event => {
                    if let Ok(event) = event {
                        self.receive(event);
                    } else {
                        // The sender has ended. It has sent its last event, unless it failed.
                        news = never();
                        self.finish();
                    }
                    redraw = redraw.max(RedrawNeed::Soon);
                }
                recv(woken) -> _ => {
                    for (cell, history) in self.histories.receive() {
                        self.model.set_history(cell, history);
                    }
                    redraw = redraw.max(RedrawNeed::Soon);
                }
                default(wait) => {}
            }
            while let Ok(event) = news.try_recv() {
                self.receive(event);
                redraw = redraw.max(RedrawNeed::Soon);
            }
            if let Some(how) = self.left {
                return Ok(how);
            }
        }
    }

    fn receive(&mut self, news: ExperimentEvent) {
        let kept = match &news {
            ExperimentEvent::AlreadyDone { id: cell, .. } => Some(*cell),
            _ => None,
        };
        let is_last = matches!(news, ExperimentEvent::Ended(_));
        self.model.apply(news);
        if let Some(cell) = kept {
            self.histories.load(cell);
        }
        if is_last {
            self.model.update_summary();
            self.finish();
        }
    }

    /// Handles the end of the experiment, for which a request to stop has waited.
    fn finish(&mut self) {
        if let Some(signal) = self.signal {
            self.left = Some(match self.model.state {
                ExperimentState::Running | ExperimentState::Stopping => ExitReason::Stopped(signal),
                ExperimentState::Done | ExperimentState::Failed(_) => ExitReason::Finished,
            });
        } else if !self.model.is_over() {
            let words = "the experiment ended unexpectedly; finished runs are kept";
            self.model
                .apply(ExperimentEvent::Ended(Err(words.to_owned())));
        }
    }

    /// Updates the summary, unless it was updated too recently.
    fn update_summary(&mut self) {
        let rests = |(at, took): (Instant, Duration)| at.elapsed() < took * IDLE_FACTOR;
        if self.model.is_summary_outdated() && !self.last_summary.is_some_and(rests) {
            let began = Instant::now();
            self.model.update_summary();
            self.last_summary = Some((Instant::now(), began.elapsed()));
        }
    }

    fn draw(&mut self) -> Result<(), UiError> {
        let (model, began) = (&self.model, Instant::now());
        let mut regions = Regions::default();
        self.guard.terminal.draw(|frame| {
            let area = frame.area();
            regions = view::view(model, area, frame.buffer_mut());
        })?;
        self.model.regions = regions;
        self.frame_time = began.elapsed();
        Ok(())
    }

    fn handle_input(&mut self, input: Input) -> Result<(), UiError> {
        match input {
            Input::Key(key) if is_interrupt(key) => self.interrupt(SIGINT),
            Input::Key(key) if is_suspend(key) => self.suspend()?,
            Input::Signal(SIGTSTP) => self.suspend()?,
            // A terminal that closes also resumes its processes, and reports its end in other ways.
            Input::Signal(SIGCONT) => drop(self.resume()),
            Input::Key(key) => {
                if let Some(request) = self.model.press(key) {
                    self.carry_out(request, SIGINT);
                }
            }
            Input::Mouse(mouse) => self.model.point(mouse),
            Input::Resize(width, height) => {
                self.model.resize(width, height);
                // A terminal that shrank and grew back has lost cells although its size is the same.
                let size = self.guard.terminal.size()?;
                self.guard.terminal.resize(size.into())?;
            }
            // A dropped line may send several hangups, which do not count as a second signal.
            Input::Signal(SIGHUP) | Input::Closed if self.signal.is_some() => {}
            Input::Signal(signal) => self.interrupt(signal),
            Input::Closed => self.interrupt(SIGHUP),
        }
        Ok(())
    }

    /// Releases the terminal and stops the process until the shell resumes it.
    fn suspend(&mut self) -> Result<(), UiError> {
        self.guard.release();
        emulate_default_handler(SIGTSTP)?;
        self.resume()
    }

    /// Takes the terminal back and redraws all of it.
    fn resume(&mut self) -> Result<(), UiError> {
        self.guard.take()?;
        let size = self.guard.terminal.size()?;
        self.model.resize(size.width, size.height);
        self.guard.terminal.resize(size.into())?;
        Ok(())
    }

    fn interrupt(&mut self, signal: i32) {
        let request = self.model.interrupt();
        self.carry_out(request, signal);
    }

    fn carry_out(&mut self, request: ExitRequest, signal: i32) {
        match request {
            ExitRequest::Stop => {
                self.signal = Some(signal);
                self.halt.store(true, Ordering::Relaxed);
            }
            ExitRequest::LeaveNow => {
                self.left = Some(ExitReason::Immediately(self.signal.unwrap_or(signal)));
            }
            ExitRequest::Leave => self.left = Some(ExitReason::Finished),
        }
    }
}
