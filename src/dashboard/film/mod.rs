//! Films: the dashboard drawn frame by frame, of a run as it learns or of a game move by move, as an
//! animated SVG or a recording for asciinema. They use no terminal and no clock, so the same run
//! gives the same bytes.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::style::Color;
use thiserror::Error;

use crate::app::AppModel;
use crate::jobs::WantedAnswers;
use crate::keymap::Action;
use crate::model::run::RunModel;
use crate::screen::MIN_SIZE;
use crate::screens::games::GamesScreen;
use crate::screens::home::Home;
use crate::screens::net::NetScreen;
use crate::theme::{Background, ColorDepth, ColorScheme, Theme, ThemeSpec};
use finches_engine::metrics::Row;
use finches_engine::play::record::GameRecord;
use finches_engine::session::measures::progress;
use finches_runs::run::message::{Phase, RunEvent, Snapshot, Speed};

pub use self::job::FilmJobs;
pub use self::recording::Recording;

mod asciicast;
mod glyphs;
mod job;
mod recording;
mod svg;

/// The largest film, in columns and rows.
const MAX_SIZE: (u16, u16) = (300, 100);

/// The longest film, in seconds, and the most frames per second.
const MAX_SECONDS: f64 = 600.0;
const MAX_RATE: f64 = 30.0;

/// The background of a picture whose theme leaves it to the terminal.
const PAPER: [u8; 3] = [0x14, 0x16, 0x1a];

/// How a film looks and how long it is.
#[derive(Clone, Debug)]
pub struct FilmSettings {
    /// Columns and rows.
    pub size: (u16, u16),
    /// Its length. The last frame stands for a sixth of it, two seconds at most.
    pub seconds: f64,
    pub frames_per_second: f64,
    pub scheme: ColorScheme,
    pub screen: FilmScreen,
}

/// The screen on which a run is filmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilmScreen {
    Run,
    Net,
}

/// Why there is no film.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum FilmError {
    #[error(
        "--size {0}x{1}: a film has {min_columns}x{min_rows} to {max_columns}x{max_rows} columns \
        and rows",
        min_columns = MIN_SIZE.0,
        min_rows = MIN_SIZE.1,
        max_columns = MAX_SIZE.0,
        max_rows = MAX_SIZE.1
    )]
    Size(u16, u16),
    #[error("--seconds {0}: a film takes 1 to {MAX_SECONDS} seconds")]
    Seconds(f64),
    #[error("--fps {0}: a film has 1 to {MAX_RATE} frames per second")]
    Rate(f64),
    #[error("{0}: no generation is done yet, so there is nothing to film; let it run first")]
    NoRows(String),
    #[error("--generations {first}..: {run} has only {done} generations")]
    Range { run: String, first: u64, done: u64 },
    #[error("--game {number}: there are {count} games of the champion, numbered from 1")]
    Game { number: usize, count: usize },
}

impl Default for FilmSettings {
    fn default() -> Self {
        Self {
            size: (100, 30),
            seconds: 12.0,
            frames_per_second: 10.0,
            scheme: ColorScheme::Dark,
            screen: FilmScreen::Run,
        }
    }
}

impl FilmSettings {
    /// Whether there can be such a film.
    ///
    /// # Errors
    ///
    /// What can't be, and what can.
    pub fn check(&self) -> Result<(), FilmError> {
        let (width, height) = self.size;
        let is_within = |size: u16, least: u16, most: u16| (least..=most).contains(&size);
        if !is_within(width, MIN_SIZE.0, MAX_SIZE.0) || !is_within(height, MIN_SIZE.1, MAX_SIZE.1) {
            return Err(FilmError::Size(width, height));
        }
        if !(1.0..=MAX_SECONDS).contains(&self.seconds) {
            return Err(FilmError::Seconds(self.seconds));
        }
        if !(1.0..=MAX_RATE).contains(&self.frames_per_second) {
            return Err(FilmError::Rate(self.frames_per_second));
        }
        Ok(())
    }

    /// The time in which something moves.
    fn moving(&self) -> f64 {
        self.seconds - (self.seconds / 6.0).min(2.0)
    }

    fn frames(&self) -> usize {
        (self.moving() * self.frames_per_second) as usize + 1
    }

    /// The theme in 24-bit colors, which paints its own background.
    fn theme(&self) -> Theme {
        Theme::of(ThemeSpec {
            scheme: self.scheme,
            depth: ColorDepth::True,
            ground: match self.scheme {
                ColorScheme::Light => Background::Dark,
                ColorScheme::Dark | ColorScheme::Mono => Background::Light,
            },
        })
    }

    /// A dashboard that shows a run.
    fn dashboard(&self, run: RunModel) -> AppModel {
        let mut model = AppModel::new(self.theme(), Home::new(Vec::new(), String::new()));
        model.resize(self.size.0, self.size.1);
        model.show_run(run);
        model
    }

    /// The time between two frames.
    fn tick(&self) -> Duration {
        Duration::from_secs_f64(1.0 / self.frames_per_second)
    }

    fn film(&self, frames: Vec<Buffer>) -> Film {
        let base = self.theme().base;
        Film {
            paper: base.map_or(PAPER, |(_, paper)| rgb(paper, PAPER)),
            frames,
            seconds: self.seconds,
            frames_per_second: self.frames_per_second,
        }
    }
}

/// The frames of a film.
pub struct Film {
    /// At least one, all of one size.
    frames: Vec<Buffer>,
    /// The background.
    paper: [u8; 3],
    seconds: f64,
    frames_per_second: f64,
}

impl Film {
    /// A picture: a film of one frame.
    pub fn still(frame: Buffer) -> Self {
        Self {
            frames: vec![frame],
            paper: PAPER,
            seconds: 1.0,
            frames_per_second: 1.0,
        }
    }

    /// When a frame begins; the one after the last is the end of the film.
    fn time(&self, frame: usize) -> f64 {
        if frame == self.frames.len() {
            self.seconds
        } else {
            (frame as f64 / self.frames_per_second * 1e3).round() / 1e3
        }
    }

    /// The film as an SVG without a script, which repeats. Readers who want less motion see the
    /// last frame.
    pub fn svg(&self) -> String {
        svg::svg(self)
    }

    /// The film as a recording for asciinema, version 2.
    pub fn asciicast(&self, title: &str) -> String {
        asciicast::asciicast(self, title)
    }
}

/// Films a run. The first generations take more of the time than the later ones, since most is
/// learned in them.
///
/// # Errors
///
/// If the settings are unusable, or nothing of the run is within its range of generations.
pub fn of_run(run: &Recording, settings: &FilmSettings) -> Result<Film, FilmError> {
    settings.check()?;
    let (first, last) = run.range()?;
    let mut facts = run.facts.clone();
    facts.generation = first;
    let mut shown = RunModel::new(facts, 0.0);
    shown.load_history(&run.rows);
    let mut model = settings.dashboard(shown);
    model.apply(RunEvent::Phase(Phase::Running));
    let (count, rate) = (settings.frames(), (last - first) as f64 / settings.moving());
    let (mut done, mut frames) = (first, Vec::new());
    for frame in 0..count {
        let share = (frame as f64 / (count - 1).max(1) as f64).powi(2);
        let next = first + 1 + ((last - first - 1) as f64 * share).round() as u64;
        model.tick(settings.tick());
        show_generations(&mut model, run, (done, next), |row| {
            speed(run, row, rate, frame as f64 / settings.frames_per_second)
        });
        done = next;
        if frame + 1 == count && run.is_done() {
            model.apply(RunEvent::Phase(Phase::Done));
        }
        if settings.screen == FilmScreen::Net {
            model.act(Action::GoNet);
            if let Some(net) = model.screen_mut::<NetScreen>() {
                net.take_answers(WantedAnswers::All);
            }
        }
        frames.push(model.draw(settings.size.0, settings.size.1));
    }
    Ok(settings.film(frames))
}

/// Shows some generations, from `done` to below `next`: changes, rows and the latest champion.
fn show_generations(
    model: &mut AppModel,
    run: &Recording,
    (done, next): (u64, u64),
    speed: impl Fn(&Row) -> Speed,
) {
    let is_new = |generation: u64| (done..next).contains(&generation);
    for change in run.changes.iter().filter(|it| is_new(it.generation)) {
        model.apply(RunEvent::Changed(change.clone()));
    }
    let rows = run.rows.iter().filter(|row| is_new(row.generation()));
    let rows: Vec<Row> = rows.cloned().collect();
    if let Some(speed) = rows.last().map(speed) {
        model.apply(RunEvent::Rows(rows, speed));
    }
    let shown = model.context.run.as_ref();
    let shown = shown.and_then(|run| Some(run.snapshot.as_ref()?.champion.generation));
    let mut kept = run.snapshots.iter().rev();
    let newest = kept.find(|kept| kept.champion.generation < next);
    if let Some(newest) = newest.filter(|newest| Some(newest.champion.generation) != shown) {
        model.apply(RunEvent::Snapshot(Box::new(newest.clone())));
    }
    if let Some(run) = &mut model.context.run {
        run.saving.generation = Some(next);
    }
}

/// The speed of a film, after some seconds of it.
fn speed(run: &Recording, row: &Row, rate: f64, seconds: f64) -> Speed {
    let games = row.get(&run.facts.columns, &progress::GAMES);
    let each = games.unwrap_or_default() / (row.generation() + 1) as f64;
    Speed {
        generations_per_second: rate,
        games_per_second: rate * each,
        seconds,
        ..Speed::default()
    }
}

/// Films a game move by move, as the latest champion of a run judges it where no oracle does.
///
/// # Errors
///
/// If the settings are unusable, or the run has no champion.
pub fn of_game(
    run: &Recording,
    record: &GameRecord,
    settings: &FilmSettings,
) -> Result<Film, FilmError> {
    settings.check()?;
    let champion = run.champion();
    let champion = champion.ok_or_else(|| FilmError::NoRows(run.name()))?;
    let mut facts = run.facts.clone();
    facts.generation = champion.champion.generation + 1;
    let mut shown = RunModel::new(facts, 0.0);
    shown.load_history(&run.rows);
    let mut model = settings.dashboard(shown);
    model.apply(RunEvent::Phase(Phase::Paused));
    model.apply(RunEvent::Snapshot(Box::new(Snapshot {
        games: vec![record.clone()],
        ..champion.clone()
    })));
    model.act(Action::GoGames);
    let (count, mut frames, mut moves) = (settings.frames(), Vec::new(), 0);
    for frame in 0..count {
        model.tick(settings.tick());
        if let Some(games) = model.screen_mut::<GamesScreen>() {
            games.take_answers(WantedAnswers::All);
            while moves < frame * (record.plies.len() + 1) / count {
                games.handle_action(Action::NextMove);
                moves += 1;
            }
        }
        frames.push(model.draw(settings.size.0, settings.size.1));
    }
    Ok(settings.film(frames))
}

/// A color as a picture has it.
fn rgb(color: Color, otherwise: [u8; 3]) -> [u8; 3] {
    match color {
        Color::Rgb(red, green, blue) => [red, green, blue],
        Color::Black => [0; 3],
        Color::White => [255; 3],
        _ => otherwise,
    }
}
