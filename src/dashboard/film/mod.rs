//! Films: the dashboard drawn frame by frame, of a run as it learns or of a game move by move. They
//! use no terminal and no clock, so the same run gives the same bytes.

use std::mem;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::style::Color;

use crate::app::AppModel;
use crate::jobs::WantedAnswers;
use crate::keymap::Action;
use crate::model::run::RunModel;
use crate::screen::MIN_SIZE;
use crate::screens::games::GamesScreen;
use crate::screens::home::Home;
use crate::theme::{Background, ColorDepth, ColorScheme, Theme, ThemeSpec};
use finches_engine::metrics::Row;
use finches_engine::play::record::GameRecord;
use finches_engine::preset::Intervention;
use finches_engine::session::measures::progress;
use finches_runs::run::message::{Phase, RunEvent, Snapshot, Speed};
use finches_runs::run::recording::Recording;

mod asciicast;
mod glyphs;
mod job;
mod svg;

/// The largest film, in columns and rows.
const MAX_SIZE: (u16, u16) = (300, 100);

/// The screens that show how a run evolved, by their names: a recording has its rows and champions.
pub const SCREENS: [(&str, Action); 2] = [("run", Action::GoRun), ("net", Action::GoNet)];

/// The background of a picture whose theme leaves it to the terminal.
const PAPER: [u8; 3] = [0x14, 0x16, 0x1a];

/// How a film looks and how long it is.
#[derive(Clone, Debug)]
pub struct FilmSettings {
    /// Columns and rows.
    pub size: (u16, u16),
    /// Its length. The last frame stands for a sixth of it, two seconds at most.
    pub seconds: f64,
    /// Frames per second, 1 to 30.
    pub rate: f64,
    /// What opens the screen that is filmed, unless it is a game; of [`SCREENS`].
    pub screen: Action,
    /// The generation that a film of a run begins with.
    pub first: u64,
    pub scheme: ColorScheme,
}

impl Default for FilmSettings {
    fn default() -> Self {
        Self {
            size: (100, 30),
            seconds: 12.0,
            rate: 8.0,
            screen: Action::GoRun,
            first: 0,
            scheme: ColorScheme::Dark,
        }
    }
}

impl FilmSettings {
    /// Whether there can be such a film.
    ///
    /// # Errors
    ///
    /// What can't be, and what can.
    pub fn check(&self) -> Result<(), String> {
        let (columns, rows) = self.size;
        let ((least, low), (most, high)) = (MIN_SIZE, MAX_SIZE);
        if !(least..=most).contains(&columns) || !(low..=high).contains(&rows) {
            return Err(format!(
                "--size {columns}x{rows}: a film has {least}x{low} to {most}x{high} columns and \
                rows"
            ));
        }
        if !(1.0..=600.0).contains(&self.seconds) {
            return Err(format!(
                "--seconds {}: a film takes 1 to 600 seconds",
                self.seconds
            ));
        }
        if !(1.0..=30.0).contains(&self.rate) {
            let rate = self.rate;
            return Err(format!("--fps {rate}: a film has 1 to 30 frames a second"));
        }
        Ok(())
    }
}

/// The frames of a film.
pub struct Film {
    /// At least one, all of one size.
    frames: Vec<Buffer>,
    /// The background.
    paper: [u8; 3],
    seconds: f64,
    /// Frames per second.
    rate: f64,
}

impl Film {
    /// A picture: a film of one frame.
    pub fn still(frame: Buffer) -> Self {
        Self {
            frames: vec![frame],
            paper: PAPER,
            seconds: 0.0,
            rate: 1.0,
        }
    }

    /// A picture with the colors and the background of a theme.
    pub fn painted(mut frame: Buffer, theme: &Theme) -> Self {
        theme.paint(frame.area, &mut frame);
        Self {
            paper: paper(theme),
            ..Self::still(frame)
        }
    }

    /// When a frame begins; the one after the last is the end of the film.
    fn time(&self, frame: usize) -> f64 {
        let is_end = frame == self.frames.len();
        if is_end {
            self.seconds
        } else {
            frame as f64 / self.rate
        }
    }
}

/// Films a run, or a game move by move, as an oracle or the run's last champion judges it. The
/// first generations take more of the time than the later ones, since most is learned in them.
///
/// # Errors
///
/// What can't be filmed, and what can.
pub fn film(
    run: &Recording,
    game: Option<&GameRecord>,
    settings: &FilmSettings,
) -> Result<Film, String> {
    settings.check()?;
    let (columns, rows) = settings.size;
    let mut info = run.info.clone();
    let changes = mem::take(&mut info.interventions);
    let done = run.rows.last().map_or(0, |row| row.generation() + 1);
    let first = if game.is_some() { done } else { settings.first };
    if game.is_none() && first >= done {
        let name = run.name();
        return Err(format!(
            "{name}: {done} generations are done, so there is no film from {first} on"
        ));
    }
    info.generation = first;
    let mut shown = RunModel::new(info, 0.0);
    shown.load_history(&run.rows);
    // A theme for another background than the terminal's paints its own.
    let theme = Theme::of(ThemeSpec {
        scheme: settings.scheme,
        depth: ColorDepth::True,
        ground: if settings.scheme == ColorScheme::Light {
            Background::Dark
        } else {
            Background::Light
        },
    });
    let paper = paper(&theme);
    let mut model = AppModel::new(theme, Home::new(Vec::new(), String::new()));
    model.resize(columns, rows);
    model.show_run(shown);
    if let Some(record) = game {
        open_game(&mut model, run, record);
    } else {
        model.apply(RunEvent::Phase(Phase::Running));
        model.act(settings.screen);
    }
    let moving = settings.seconds - (settings.seconds / 6.0).min(2.0);
    let count = (moving * settings.rate) as usize + 1;
    let (mut next, mut frames) = (first, Vec::new());
    for frame in 0..count {
        model.tick(Duration::from_secs_f64(1.0 / settings.rate));
        if let Some(record) = game {
            show_moves(&mut model, frame * (record.plies.len() + 1) / count);
        } else {
            let share = (frame as f64 / (count - 1) as f64).powi(2);
            let before = mem::replace(
                &mut next,
                first + 1 + ((done - first - 1) as f64 * share).round() as u64,
            );
            let speed = Speed {
                generations_per_second: (done - first) as f64 / moving,
                seconds: frame as f64 / settings.rate,
                ..Speed::default()
            };
            show_generations(&mut model, run, &changes, (before, next), speed);
            if frame + 1 == count && run.is_done() {
                model.apply(RunEvent::Phase(Phase::Done));
            }
        }
        if settings.screen != Action::GoRun {
            model.wait_for_answers();
        }
        frames.push(model.draw(columns, rows));
    }
    Ok(Film {
        frames,
        paper,
        seconds: settings.seconds,
        rate: settings.rate,
    })
}

/// The background of pictures with a theme.
fn paper(theme: &Theme) -> [u8; 3] {
    theme.base.map_or(PAPER, |(_, paper)| rgb(paper, PAPER))
}

fn open_game(model: &mut AppModel, run: &Recording, record: &GameRecord) {
    model.apply(RunEvent::Phase(Phase::Paused));
    if let Some(last) = run.snapshots.last() {
        model.apply(RunEvent::Snapshot(Box::new(Snapshot {
            games: vec![record.clone()],
            ..last.clone()
        })));
    }
    model.act(Action::GoGames);
}

/// Shows the game after so many moves.
fn show_moves(model: &mut AppModel, moves: usize) {
    if let Some(games) = model.screen_mut::<GamesScreen>() {
        games.take_answers(WantedAnswers::All);
        while games.moves() < moves {
            games.handle_action(Action::NextMove);
        }
    }
}

/// Shows some generations: changes, rows and the latest champion.
fn show_generations(
    model: &mut AppModel,
    run: &Recording,
    changes: &[Intervention],
    (first, next): (u64, u64),
    mut speed: Speed,
) {
    let is_new = |generation: u64| (first..next).contains(&generation);
    for change in changes.iter().filter(|it| is_new(it.generation)) {
        model.apply(RunEvent::Changed(change.clone()));
    }
    let rows = run.rows.iter().filter(|row| is_new(row.generation()));
    let rows: Vec<Row> = rows.cloned().collect();
    if let Some(last) = rows.last() {
        let games = last.get(&run.info.columns, &progress::GAMES);
        let each = games.unwrap_or_default() / (last.generation() + 1) as f64;
        speed.games_per_second = speed.generations_per_second * each;
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

/// A color as a picture has it.
fn rgb(color: Color, otherwise: [u8; 3]) -> [u8; 3] {
    match color {
        Color::Rgb(red, green, blue) => [red, green, blue],
        Color::Black => [0; 3],
        _ => otherwise,
    }
}
