//! The dashboard: owns the terminal and a model built from a run's events alone. Nothing else draws or reads keys.

use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded, never, select};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTSTP};

use crate::journal::Journal;
use crate::run::message::Event;
use crate::run::{BugPlace, Run};

use self::app::sample::Moved;
use self::app::{Effect, Leave, Model, Screen};
use self::driver::Driver;
use self::input::{Input, Listeners, is_interrupt, is_suspend};
use self::mouse::Regions;
use self::screens::games::GamesScreen;
use self::screens::play::PlayScreen;
use self::terminal::Guard;
use self::theme::Theme;
use self::theme::choice;

pub mod app;
mod driver;
pub mod experiment;
pub mod hops;
mod input;
pub mod keymap;
mod keys;
pub mod mouse;
pub mod remap;
pub mod screens;
mod start;
mod stop;
mod summary;
mod terminal;
pub mod theme;
pub mod walk;
pub mod widgets;
pub mod words;
pub mod zoom;

pub use self::driver::any_seed;
pub use self::start::{Ending, Fresh, Settings, Start, TerminalUse, UiError};

/// Time from one frame to the next at the least.
const FRAME: Duration = Duration::from_millis(33);

/// Opens the dashboard and stays until it is left.
pub fn run(start: Start, settings: Settings) -> Result<Ending, UiError> {
    let wanted = settings.terminal;
    let (theme, answer) = choice::choose(wanted.theme, wanted.colors, wanted.ascii);
    let (saves, journal) = (settings.saves.clone(), settings.journal.clone());
    let told = told_by(&journal);
    tell_terminal(wanted, &theme);
    let mut driver = Driver::new(settings);
    let mut model = Model::new(theme, driver.home());
    model.saves = Some(saves);
    start::open(start, &mut driver, &mut model)?;
    let listeners = Listeners::start(answer)?;
    let mut desk = Desk {
        guard: Guard::enter(wanted)?,
        stopping: never(),
        signal: None,
        sight: Sight::There,
        resized: Resized::No,
        waiting: Vec::new(),
        ending: None,
        driver,
        model,
        journal: journal.clone(),
        told,
        ticked: Instant::now(),
    };
    let ended = desk.work(&listeners.input);
    let Desk {
        guard,
        model,
        signal,
        ..
    } = desk;
    drop(listeners);
    drop(guard);
    let last = ended?;
    let summary = summary::lines(&model, &journal);
    Ok(match (last, signal) {
        (Last::HandOver(run), _) => Ending::HandOver(run),
        (Last::Left, Some(signal)) => Ending::Signalled { signal, summary },
        (Last::Left, None) => Ending::Left { summary },
    })
}

/// Word of everything that is told from now on, once for however much there is.
fn told_by(journal: &Journal) -> Receiver<()> {
    let (tell, told) = bounded(1);
    journal.speak(move |_| {
        // Where word is on its way already, one is enough.
        let _ = tell.try_send(());
    });
    told
}

/// Tells what the dashboard is drawn on.
fn tell_terminal(wanted: TerminalUse, theme: &Theme) {
    let (width, height) = crossterm::terminal::size().unwrap_or_default();
    tracing::info!(
        target: "finches::terminal",
        width, height,
        theme = theme.looks.scheme.word(),
        colors = ?theme.looks.depth,
        ascii = wanted.ascii,
        mouse = wanted.mouse,
        "terminal found"
    );
}

/// How the event loop ended.
enum Last {
    Left,
    HandOver(Box<Run>),
}

/// Everything the event loop works with.
struct Desk {
    guard: Guard,
    driver: Driver,
    model: Model,
    /// What the program tells of itself, and word that there is something new.
    journal: Journal,
    told: Receiver<()>,
    /// When the model was last told what time it is.
    ticked: Instant,
    /// Tells when the run has stopped and is saved.
    stopping: Receiver<Vec<Event>>,
    /// The first signal, or Ctrl-C.
    signal: Option<i32>,
    sight: Sight,
    resized: Resized,
    /// What takes long enough for a frame to be drawn first.
    waiting: Vec<Effect>,
    ending: Option<Last>,
}

/// Whether there is a terminal to draw on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sight {
    There,
    Gone,
}

/// Whether the terminal has changed its size since the last frame.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Resized {
    Yes,
    No,
}

/// Whether a frame is due.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Picture {
    Old,
    Fresh,
}

impl Desk {
    /// Waits for keys, news and time; draws at most thirty times a second, and only what has changed.
    fn work(&mut self, input: &Receiver<Input>) -> Result<Last, UiError> {
        let size = self.guard.terminal.size()?;
        self.model.resize(size.width, size.height);
        let mut picture = Picture::Old;
        let mut drawn: Option<Instant> = None;
        loop {
            if self.pass_time() == Moved::Yes {
                picture = Picture::Old;
            }
            let wait = drawn.map_or(Duration::ZERO, |drawn| {
                (drawn + FRAME).saturating_duration_since(self.ticked)
            });
            if picture == Picture::Old && wait.is_zero() {
                if self.sight == Sight::There && self.draw().is_err() {
                    self.close();
                }
                drawn = Some(Instant::now());
                picture = self.after_frame();
            }
            if let Some(last) = self.ending.take() {
                return Ok(last);
            }
            let patience = match picture {
                Picture::Old => wait,
                Picture::Fresh => self.model.due().unwrap_or(Duration::from_secs(3600)),
            };
            if self.listen(input, patience) == Heard::Something {
                picture = Picture::Old;
            }
        }
    }

    /// Tells the model how much time has passed since it was last told. This comes before all that changes it, so that no time
    /// from before counts for what has only just begun.
    fn pass_time(&mut self) -> Moved {
        let now = Instant::now();
        let passed = now - std::mem::replace(&mut self.ticked, now);
        self.model.tick(passed)
    }

    /// Draws a frame; all of it after a change of size, since a terminal that shrank and grew back has lost cells though
    /// its size is what it was.
    fn draw(&mut self) -> Result<(), UiError> {
        if std::mem::replace(&mut self.resized, Resized::No) == Resized::Yes {
            let size = self.guard.terminal.size()?;
            self.guard.terminal.resize(size.into())?;
        }
        self.err();
        if self.model.screen == Screen::Log {
            let fresh = self.journal.since(self.model.log.next());
            self.model.log.take_in(fresh);
        }
        let (model, mut regions) = (&self.model, Regions::default());
        self.guard.terminal.draw(|frame| {
            let area = frame.area();
            regions = app::view(model, area, frame.buffer_mut());
        })?;
        self.model.regions = regions;
        Ok(())
    }

    /// Panics where that was ordered.
    fn err(&self) {
        let bug = self.driver.settings.bug;
        let on_screen = bug.filter(|bug| bug.place == BugPlace::Screen);
        let watch = self.model.watch.as_ref();
        if let (Some(bug), Some(watch)) = (on_screen, watch)
            && watch.generation >= bug.generation
        {
            panic!("the screen panics as it was told to");
        }
    }

    /// Does what waited for the frame, and lets the champion reply.
    fn after_frame(&mut self) -> Picture {
        let mut picture = match self.pass_time() {
            Moved::Yes => Picture::Old,
            Moved::No => Picture::Fresh,
        };
        if self.model.screen == Screen::Play
            && let Some(play) = &mut self.model.play
            && play.tick()
        {
            picture = Picture::Old;
        }
        for effect in std::mem::take(&mut self.waiting) {
            self.carry_out(effect);
            picture = Picture::Old;
        }
        picture
    }

    /// Waits for something to happen, then takes in all that has.
    fn listen(&mut self, input: &Receiver<Input>, patience: Duration) -> Heard {
        let events = self.driver.events();
        let play = self.model.play.as_ref();
        let thoughts = play.map_or_else(never, PlayScreen::answers);
        let findings = self.model.findings();
        let population = self.model.population_news();
        let arena = self.model.arena.news();
        let seen = self.driver.seen();
        let compared = self.model.compare.findings();
        let games = self.model.games.as_ref();
        let games = games.map_or_else(never, GamesScreen::news);
        let told = match self.model.screen {
            Screen::Log => self.told.clone(),
            _ => never(),
        };
        let mut heard = Heard::Nothing;
        select! {
            recv(input) -> given => {
                self.take(given.unwrap_or(Input::Closed));
                heard = Heard::Something;
            }
            recv(events) -> event => match event {
                Ok(event) => {
                    self.news(event);
                    heard = Heard::Something;
                }
                Err(_) => self.driver.silence(),
            },
            recv(thoughts) -> answer => {
                if let (Ok(answer), Some(play)) = (answer, &mut self.model.play) {
                    play.hear(answer);
                }
                heard = Heard::Something;
            }
            recv(findings) -> finding => {
                self.model.found(finding.ok());
                heard = Heard::Something;
            }
            recv(population) -> news => {
                self.model.hear_population(news.ok());
                heard = Heard::Something;
            }
            recv(seen) -> sight => {
                if let Ok(sight) = sight {
                    self.pass_time();
                    self.model.see(sight);
                }
                heard = Heard::Something;
            }
            recv(compared) -> finding => {
                if let Ok(finding) = finding {
                    let live = self.model.watch.as_ref();
                    self.model.compare.hear(finding, live);
                }
                heard = Heard::Something;
            }
            recv(games) -> news => {
                if let (Ok(news), Some(games)) = (news, &mut self.model.games) {
                    games.hear(news);
                }
                heard = Heard::Something;
            }
            recv(told) -> _ => heard = Heard::Something,
            recv(arena) -> news => {
                self.model.hear_arena(news.ok());
                heard = Heard::Something;
            }
            recv(self.stopping) -> last => {
                for event in last.unwrap_or_default() {
                    self.news(event);
                }
                self.ending = Some(Last::Left);
                heard = Heard::Something;
            }
            default(patience) => {}
        }
        while let Ok(event) = events.try_recv() {
            self.news(event);
            heard = Heard::Something;
        }
        while let Ok(given) = input.try_recv() {
            self.take(given);
            heard = Heard::Something;
        }
        heard
    }

    fn news(&mut self, event: Event) {
        self.pass_time();
        self.model.apply(event);
    }

    fn take(&mut self, input: Input) {
        self.pass_time();
        match input {
            Input::Key(key) if is_interrupt(key) => self.interrupt(SIGINT),
            Input::Key(key) if is_suspend(key) => self.suspend(),
            Input::Signal(SIGTSTP) => self.suspend(),
            Input::Signal(SIGCONT) => self.go_on(),
            Input::Key(key) => {
                for effect in self.model.press(key) {
                    self.effect(effect);
                }
            }
            Input::Mouse(mouse) => {
                for effect in self.model.point(mouse) {
                    self.effect(effect);
                }
            }
            Input::Resize(width, height) => {
                self.model.resize(width, height);
                self.resized = Resized::Yes;
            }
            // One line that drops may be told several times, and none of that is impatience.
            Input::Signal(SIGHUP) if self.signal.is_some() => {}
            Input::Signal(signal) => self.interrupt(signal),
            Input::Closed => self.close(),
        }
    }

    /// The terminal has gone: nothing is drawn any more, and the run is saved.
    fn close(&mut self) {
        self.sight = Sight::Gone;
        if self.signal.is_none() {
            self.interrupt(SIGHUP);
        }
    }

    /// The first signal saves and leaves, the second leaves at once.
    fn interrupt(&mut self, signal: i32) {
        if self.signal.is_some() {
            self.leave(Leave::Now);
        } else {
            self.signal = Some(signal);
            self.model.stopping();
            self.leave(Leave::Saved);
        }
    }

    /// Orders go out at once; what takes time is done after a frame.
    fn effect(&mut self, effect: Effect) {
        match effect {
            Effect::Send(command) => self.driver.send(command),
            Effect::Leave(leave) => self.leave(leave),
            other => self.waiting.push(other),
        }
    }

    fn carry_out(&mut self, effect: Effect) {
        let done = match effect {
            Effect::Start(preset) => self.driver.start_any(preset, &mut self.model),
            Effect::Open(name) => self.driver.open(&name, &mut self.model),
            Effect::Play(name) => self.driver.play(&name, &mut self.model),
            Effect::Rescan => {
                self.model.home.list(self.driver.saved());
                Ok(())
            }
            Effect::Export(export) => self.driver.export(&export, &mut self.model),
            Effect::Send(_) | Effect::Leave(_) => Ok(()),
        };
        if let Err(error) = done {
            driver::tell(&mut self.model, &error);
        }
    }

    fn leave(&mut self, leave: Leave) {
        match leave {
            Leave::Saved => self.stopping = self.driver.stop(),
            Leave::Now => {
                self.driver.abandon();
                self.ending = Some(Last::Left);
            }
            Leave::HandOver => {
                let run = self.driver.hand_over();
                self.ending = Some(run.map_or(Last::Left, |run| Last::HandOver(Box::new(run))));
            }
        }
    }
}

/// Whether anything came.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Heard {
    Something,
    Nothing,
}
