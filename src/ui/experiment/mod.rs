//! The dashboard of an experiment: owns the terminal and a model built from the experiment's news alone, which others run.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, never, select, unbounded};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTSTP};
use signal_hook::low_level::emulate_default_handler;

use crate::experiment::News;
use crate::metrics::Columns;
use crate::metrics::history::History;
use crate::storage::StorageError;
use crate::storage::experiments::Folder;
use crate::storage::experiments::manifest::Cell;

use super::input::{Input, Listeners};
use super::mouse::Regions;
use super::terminal::Guard;
use super::theme::choice;
use super::{TerminalUse, UiError, is_interrupt, is_suspend};

use self::model::{Ask, Model, Setup, State};

mod charts;
pub mod model;
mod pace;
mod places;
mod press;
mod reading;
mod table;
pub mod trial;
mod underway;
mod view;

/// How the dashboard was left.
#[derive(Debug)]
pub struct Left {
    pub how: How,
    /// Runs whose files could not be trusted, to be told of once the terminal is whole.
    pub damaged: Vec<StorageError>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Nothing goes on any more: all is done or has failed.
    Over,
    /// It was asked to stop, by this signal or as if by it, and has stopped.
    Stopped(i32),
    /// It was asked twice, and may still go on.
    AtOnce(i32),
}

/// Time from one frame to the next at the least: after a key, and after news.
const FRAME: Duration = Duration::from_millis(33);
const NEWS_FRAME: Duration = Duration::from_millis(100);

/// How often the clock is drawn.
const SECOND: Duration = Duration::from_secs(1);

/// How much longer than a drawing or a summing up the time to the next must be, so that they cost the runs next to nothing.
const REST: u32 = 30;

/// Opens the dashboard and stays until it is left. Asked to stop, it sets `halt` and waits for the last news.
pub fn watch(
    setup: Setup,
    folder: &Folder,
    news: &Receiver<News>,
    halt: &AtomicBool,
    wanted: TerminalUse,
) -> Result<Left, UiError> {
    let columns = setup.columns.clone();
    let (theme, answer) = choice::choose(wanted.theme, wanted.colors, wanted.ascii);
    let model = Model::new(theme, setup);
    let listeners = Listeners::start(answer)?;
    let mut desk = Desk {
        guard: Guard::enter(wanted)?,
        model,
        halt,
        began: Instant::now(),
        signal: None,
        left: None,
        summed: None,
        drawing: Duration::ZERO,
    };
    let ended = thread::scope(|scope| {
        let (wanted, to_read) = unbounded();
        let (found, courses) = unbounded();
        scope.spawn(move || recall(folder, &columns, &to_read, &found));
        // Dropping what is wanted ends the reader.
        let ended = desk.work(&listeners.input, news, &courses, &wanted);
        drop(wanted);
        ended
    });
    let Desk { guard, model, .. } = desk;
    drop(listeners);
    drop(guard);
    Ok(Left {
        how: ended?,
        damaged: model.damaged,
    })
}

/// A finished run whose course is wanted, and the number of runs among which memory is divided.
type Wanted = (Cell, usize);

/// Reads the courses of runs that were finished before, so that the screen need not wait for the disk.
fn recall(
    folder: &Folder,
    columns: &[Columns],
    wanted: &Receiver<Wanted>,
    found: &Sender<(Cell, History)>,
) {
    for (cell, runs) in wanted {
        // A file that can't be read leaves a chart empty; the experiment itself tells of damage.
        let Ok((names, rows)) = folder.rows(cell) else {
            continue;
        };
        let course = trial::recall(&columns[cell.preset], runs, &names, &rows);
        if found.send((cell, course)).is_err() {
            return;
        }
    }
}

/// Whether a frame is due.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Picture {
    Fresh,
    /// News have come, or time has passed.
    Old,
    /// A key has come, and must be seen to have.
    Pressed,
}

/// Everything the event loop works with.
struct Desk<'a> {
    guard: Guard,
    model: Model,
    halt: &'a AtomicBool,
    began: Instant,
    /// The first signal, or a key as if it.
    signal: Option<i32>,
    left: Option<How>,
    /// When the summary was last brought up to date, and how long that took.
    summed: Option<(Instant, Duration)>,
    /// How long the latest frame took.
    drawing: Duration,
}

impl Desk<'_> {
    /// Waits for keys, news and time; draws what has changed.
    fn work(
        &mut self,
        input: &Receiver<Input>,
        news: &Receiver<News>,
        courses: &Receiver<(Cell, History)>,
        wanted: &Sender<Wanted>,
    ) -> Result<How, UiError> {
        let size = self.guard.terminal.size()?;
        self.model.resize(size.width, size.height);
        let mut news = news.clone();
        let (mut picture, mut drawn): (Picture, Option<Instant>) = (Picture::Pressed, None);
        loop {
            self.model.tick(self.began.elapsed());
            let pause = match picture {
                Picture::Pressed => FRAME,
                Picture::Old => NEWS_FRAME.max(self.drawing * REST),
                Picture::Fresh => SECOND,
            };
            let wait = drawn.map_or(Duration::ZERO, |drawn| {
                (drawn + pause).saturating_duration_since(Instant::now())
            });
            if wait.is_zero() {
                self.sum_up();
                self.draw()?;
                (picture, drawn) = (Picture::Fresh, Some(Instant::now()));
                continue;
            }
            select! {
                recv(input) -> given => {
                    self.take(given.unwrap_or(Input::Closed))?;
                    picture = Picture::Pressed;
                }
                recv(news) -> told => {
                    if let Ok(told) = told {
                        self.hear(told, wanted);
                    } else {
                        // Whoever tells has ended, and has said so unless by a bug.
                        news = never();
                        self.over();
                    }
                    picture = picture.max(Picture::Old);
                }
                recv(courses) -> course => {
                    if let Ok((cell, course)) = course {
                        self.model.recall(cell, course);
                    }
                    picture = picture.max(Picture::Old);
                }
                default(wait) => {}
            }
            while let Ok(told) = news.try_recv() {
                self.hear(told, wanted);
                picture = picture.max(Picture::Old);
            }
            if let Some(how) = self.left {
                return Ok(how);
            }
        }
    }

    fn hear(&mut self, news: News, wanted: &Sender<Wanted>) {
        let kept = match &news {
            News::Kept { cell, .. } => Some(*cell),
            _ => None,
        };
        let is_last = matches!(news, News::Ended(_));
        self.model.apply(news);
        if let Some(cell) = kept {
            let runs = self.model.setup.manifest.cells().len();
            // The reader lives as long as anything can be wanted.
            let _ = wanted.send((cell, runs));
        }
        if is_last {
            self.model.sum_up();
            self.over();
        }
    }

    /// Nothing goes on any more: whoever asked to stop has waited for it.
    fn over(&mut self) {
        if let Some(signal) = self.signal {
            self.left = Some(match self.model.state {
                State::Running | State::Stopping => How::Stopped(signal),
                State::Done | State::Failed(_) => How::Over,
            });
        } else if !self.model.is_over() {
            let words = "the experiment has ended by a bug; the finished runs are kept";
            self.model.apply(News::Ended(Err(words.to_owned())));
        }
    }

    /// Brings the summary up to date, unless that has taken much of the time lately.
    fn sum_up(&mut self) {
        let rests = |(at, took): (Instant, Duration)| at.elapsed() < took * REST;
        if self.model.is_dirty() && !self.summed.is_some_and(rests) {
            let began = Instant::now();
            self.model.sum_up();
            self.summed = Some((Instant::now(), began.elapsed()));
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
        self.drawing = began.elapsed();
        Ok(())
    }

    fn take(&mut self, input: Input) -> Result<(), UiError> {
        match input {
            Input::Key(key) if is_interrupt(key) => self.interrupt(SIGINT),
            Input::Key(key) if is_suspend(key) => self.suspend()?,
            Input::Signal(SIGTSTP) => self.suspend()?,
            // A terminal that was closed lets its processes go on, too, and tells of its end in other ways.
            Input::Signal(SIGCONT) => drop(self.resume()),
            Input::Key(key) => {
                if let Some(ask) = self.model.press(key) {
                    self.ask(ask, SIGINT);
                }
            }
            Input::Mouse(mouse) => self.model.point(mouse),
            Input::Resize(width, height) => {
                self.model.resize(width, height);
                // A terminal that shrank and grew back has lost cells though its size is what it was.
                let size = self.guard.terminal.size()?;
                self.guard.terminal.resize(size.into())?;
            }
            // One line that drops may be told several times, and none of that is impatience.
            Input::Signal(SIGHUP) | Input::Closed if self.signal.is_some() => {}
            Input::Signal(signal) => self.interrupt(signal),
            Input::Closed => self.interrupt(SIGHUP),
        }
        Ok(())
    }

    /// Gives the terminal back and stops the process until the shell lets it go on.
    fn suspend(&mut self) -> Result<(), UiError> {
        self.guard.let_go();
        emulate_default_handler(SIGTSTP)?;
        self.resume()
    }

    /// Takes the terminal again and draws all of it.
    fn resume(&mut self) -> Result<(), UiError> {
        self.guard.take()?;
        let size = self.guard.terminal.size()?;
        self.model.resize(size.width, size.height);
        self.guard.terminal.resize(size.into())?;
        Ok(())
    }

    fn interrupt(&mut self, signal: i32) {
        let ask = self.model.interrupt();
        self.ask(ask, signal);
    }

    fn ask(&mut self, ask: Ask, signal: i32) {
        match ask {
            Ask::Stop => {
                self.signal = Some(signal);
                self.halt.store(true, Ordering::Relaxed);
            }
            Ask::LeaveNow => self.left = Some(How::AtOnce(self.signal.unwrap_or(signal))),
            Ask::Leave => self.left = Some(How::Over),
        }
    }
}
