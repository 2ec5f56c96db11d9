//! `finches film`: writes a run or a game as a moving picture.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use finches_dashboard::film::{self, Film, FilmScreen, FilmSettings, Recording};
use finches_dashboard::theme::ColorScheme;
use finches_engine::play::record::GameRecord;
use finches_runs::launch::LaunchOptions;
use finches_runs::run::follow::FollowError;
use finches_runs::storage::experiments::write_text;
use finches_runs::storage::games;
use finches_runs::storage::presets;
use finches_runs::storage::saves::{RunFile, Saves};

use super::options::{CostOption, SavesOption, ThreadsOption};
use super::{CliError, log, output};

/// Options of `finches film`.
#[derive(Clone, Debug, Args)]
pub(super) struct FilmArgs {
    /// A saved run, by its name or folder, or a preset, which is evolved for the film.
    #[arg(value_name = "RUN|PRESET")]
    subject: String,
    /// The film: FILE.svg is a picture that moves, FILE.cast a recording for asciinema [default:
    /// the run's name with .svg].
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Columns and rows, 60x18 to 300x100.
    #[arg(long, value_name = "WxH", default_value = "100x30", value_parser = size)]
    size: (u16, u16),
    /// The length of the film.
    #[arg(long, value_name = "SECONDS", default_value_t = 12.0)]
    seconds: f64,
    /// Frames per second.
    #[arg(long, value_name = "N", default_value_t = 10.0)]
    fps: f64,
    /// Generations A to B, without B, or the first N [default: all].
    #[arg(long, value_name = "A..B|N", value_parser = generations)]
    generations: Option<(u64, u64)>,
    /// The screen that is filmed.
    #[arg(
        long,
        value_name = "SCREEN",
        default_value = "run",
        conflicts_with = "game"
    )]
    screen: ScreenArg,
    /// Film a game move by move: sample game N of the last champion, or the first game of a file.
    #[arg(long, value_name = "N|FILE")]
    game: Option<String>,
    /// The colors of the film.
    #[arg(long, value_name = "THEME", default_value = "dark")]
    theme: FilmThemeArg,
    /// The seed of a preset.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadsOption,
    #[command(flatten)]
    cost: CostOption,
    #[command(flatten)]
    saves: SavesOption,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ScreenArg {
    Run,
    Net,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FilmThemeArg {
    Dark,
    Light,
    Mono,
}

/// The format of a film, by the end of its name.
#[derive(Clone, Copy)]
enum Format {
    Svg,
    Asciicast,
}

impl From<FollowError> for CliError {
    fn from(error: FollowError) -> Self {
        match error {
            FollowError::Storage(error) => error.into(),
            other => Self::failure(other),
        }
    }
}

/// Writes the film of a run or of a game.
pub(super) fn film(args: &FilmArgs) -> Result<(), CliError> {
    let settings = FilmSettings {
        size: args.size,
        seconds: args.seconds,
        frames_per_second: args.fps,
        scheme: match args.theme {
            FilmThemeArg::Dark => ColorScheme::Dark,
            FilmThemeArg::Light => ColorScheme::Light,
            FilmThemeArg::Mono => ColorScheme::Mono,
        },
        screen: match args.screen {
            ScreenArg::Run => FilmScreen::Run,
            ScreenArg::Net => FilmScreen::Net,
        },
    };
    settings.check().map_err(CliError::usage)?;
    let named = args.out.as_deref().map(format).transpose()?;
    let run = recording(args)?;
    let name = run.name();
    let last = Path::new(&name).file_name();
    let name = last.map_or(name.clone(), |last| last.to_string_lossy().into_owned());
    let path = args.out.clone();
    let path = path.unwrap_or_else(|| PathBuf::from(format!("{name}.svg")));
    let film: Film = match &args.game {
        None => film::of_run(&run, &settings),
        Some(game) => film::of_game(&run, &record(&run, game)?, &settings),
    }
    .map_err(CliError::usage)?;
    let text = match named.unwrap_or(Format::Svg) {
        Format::Svg => film.svg(),
        Format::Asciicast => film.asciicast(&name),
    };
    write_text(&path, &text)?;
    let kilobytes = text.len().div_ceil(1000);
    output::eprint_line(&format!("the film is {}, {kilobytes} kB", path.display()));
    Ok(())
}

/// What is filmed: a saved run, or a preset, which evolves.
fn recording(args: &FilmArgs) -> Result<Recording, CliError> {
    let saves = args.saves.open();
    let mut run = if saves.find(&args.subject).is_some() {
        Recording::read(&saves, &args.subject)?
    } else {
        evolved(args, saves)?
    };
    run.generations = args.generations.unwrap_or(run.generations);
    Ok(run)
}

fn evolved(args: &FilmArgs, saves: Saves) -> Result<Recording, CliError> {
    let mut preset = presets::load(&args.subject).map_err(|error| {
        let root = saves.root().display();
        CliError::Usage(format!(
            "{error}\nthere is also no saved run of that name in {root}"
        ))
    })?;
    if let Some((_, last)) = args.generations {
        preset.generations = preset.generations.min(last);
    }
    args.cost.check(&preset)?;
    let launch = LaunchOptions {
        threads: args.threads.threads,
        ..LaunchOptions::new(saves, log::for_script()?)
    };
    let mut run = launch.start(RunFile::new(preset, args.seed))?;
    Ok(Recording::evolve(&mut run.session))
}

/// The game that is filmed: a sample game of the last champion within the film, or the first game
/// of a file.
fn record(run: &Recording, game: &str) -> Result<GameRecord, CliError> {
    let Ok(number) = game.parse::<usize>() else {
        let records = games::read_transcript(Path::new(game), run.facts.arena.as_ref())?;
        let first = records.into_iter().next();
        return first
            .ok_or_else(|| CliError::Usage(format!("--game {game}: there is no game in it")));
    };
    run.game(number).map_err(CliError::usage)
}

fn format(path: &Path) -> Result<Format, CliError> {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("svg") => Ok(Format::Svg),
        Some("cast") => Ok(Format::Asciicast),
        _ => Err(CliError::Usage(format!(
            "--out {}: a film ends with .svg or, for asciinema, .cast",
            path.display()
        ))),
    }
}

/// Reads `100x30`.
fn size(text: &str) -> Result<(u16, u16), String> {
    let parts = text.split_once('x');
    let numbers =
        parts.and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    numbers.ok_or_else(|| "columns and rows, such as 100x30".to_owned())
}

/// Reads `A..B` or `N`.
fn generations(text: &str) -> Result<(u64, u64), String> {
    let (first, last) = text.split_once("..").unwrap_or(("0", text));
    let numbers = first.parse().ok().zip(last.parse().ok());
    let range = numbers.filter(|(first, last)| first < last);
    range.ok_or_else(|| "generations, such as 20..80, or the number of the first ones".to_owned())
}
