//! `finches film`: writes a run or a game as a moving picture.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::PossibleValuesParser;

use finches_dashboard::film::{FilmSettings, SCREENS, film as make};
use finches_dashboard::theme::ColorScheme;
use finches_dashboard::theme::choice::ThemeChoice;
use finches_engine::games::transcript::GameFile;
use finches_engine::play::record::GameRecord;
use finches_engine::text::counted;
use finches_runs::launch::LaunchOptions;
use finches_runs::run::follow::FollowError;
use finches_runs::run::recording::Recording;
use finches_runs::storage::experiments::write_named_text;
use finches_runs::storage::games;
use finches_runs::storage::saves::RunFile;

use super::options::{CostOption, SavesOption, ThreadsOption, preset_or};
use super::terminal::ThemeArg;
use super::{CliError, log, output};

/// Options of `finches film`.
#[derive(Clone, Debug, Args)]
pub(super) struct FilmArgs {
    /// A saved run, by its name or folder, or a preset, which is evolved for the film.
    #[arg(value_name = "RUN|PRESET")]
    subject: String,
    /// FILE.svg, an animation, or FILE.cast, a recording for asciinema [default: the name
    /// of the run with .svg].
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Columns and rows.
    #[arg(long, value_name = "WxH", default_value = "100x30", value_parser = size)]
    size: (u16, u16),
    /// The length of the film, 1 to 600.
    #[arg(long, value_name = "SECONDS", default_value_t = 12.0)]
    seconds: f64,
    /// Frames per second, 1 to 30.
    #[arg(long, value_name = "N", default_value_t = 8.0)]
    fps: f64,
    /// The screen that is filmed, unless --game says a game.
    #[arg(
        long,
        value_name = "NAME",
        default_value = SCREENS[0].0,
        value_parser = PossibleValuesParser::new(SCREENS.map(|(name, _)| name)),
        conflicts_with = "game",
    )]
    screen: String,
    /// Generations A to B, without B, or the first N [default: all].
    #[arg(long, value_name = "A..B|N", value_parser = generations)]
    generations: Option<(u64, u64)>,
    /// Film a game move by move: sample game N of the last champion, or the first game of a file.
    #[arg(long, value_name = "N|FILE")]
    game: Option<String>,
    /// The colors of the film.
    #[arg(long, value_name = "THEME", default_value = "dark")]
    theme: ThemeArg,
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
    let ending = args
        .out
        .as_ref()
        .map(|path| path.extension().unwrap_or_default());
    if ending.is_some_and(|ending| ending != "svg" && ending != "cast") {
        let path = args.out.as_deref().unwrap_or(Path::new("")).display();
        return Err(CliError::Usage(format!(
            "--out {path}: a film ends with .svg or, for asciinema, .cast"
        )));
    }
    let named = SCREENS.iter().find(|(name, _)| *name == args.screen);
    let (_, action) = *named.expect("the parser knows the names");
    let settings = FilmSettings {
        size: args.size,
        seconds: args.seconds,
        rate: args.fps,
        screen: action,
        first: args.generations.map_or(0, |range| range.0),
        scheme: match args.theme.into() {
            ThemeChoice::ColorScheme(scheme) => scheme,
            ThemeChoice::Auto => ColorScheme::Dark,
        },
    };
    settings.check().map_err(CliError::Usage)?;
    // Opened before a preset evolves, which may take long.
    let is_file = |game: &&String| game.parse::<usize>().is_err();
    let file = args.game.as_ref().filter(is_file);
    let file = file.map(|path| games::open(Path::new(path))).transpose()?;
    let run = recording(args)?;
    let game = args.game.as_ref();
    let record = game.map(|game| record(&run, game, file.as_ref()));
    let record = record.transpose()?;
    let film = make(&run, record.as_ref(), &settings).map_err(CliError::Usage)?;
    let name = Path::new(run.name()).file_name().unwrap_or_default();
    let name = name.to_string_lossy();
    let text = match ending {
        Some(ending) if ending == "cast" => film.asciicast(&name),
        _ => film.svg(),
    };
    let own = || PathBuf::from(format!("{name}.svg"));
    let path = args.out.clone().unwrap_or_else(own);
    write_named_text(&path, &text)?;
    let kilobytes = text.len().div_ceil(1000);
    output::eprint_line(&format!("the film is {}, {kilobytes} kB", path.display()));
    Ok(())
}

/// What is filmed: a saved run, or a preset, which evolves.
fn recording(args: &FilmArgs) -> Result<Recording, CliError> {
    let (saves, subject) = (args.saves.open(), &args.subject);
    let last = args.generations.map_or(u64::MAX, |range| range.1);
    if saves.find(subject).is_some() {
        let mut run = Recording::read(&saves, subject)?;
        run.cut(last);
        return Ok(run);
    }
    let mut preset = preset_or("saved run", subject, &saves)?;
    preset.generations = preset.generations.min(last);
    args.cost.check(&preset)?;
    output::eprint_line(&format!(
        "{subject} evolves for {} before it is filmed; --generations N takes the first N",
        counted(preset.generations, "generation")
    ));
    let mut launch = LaunchOptions::new(saves, log::for_script()?);
    launch.threads = args.threads.threads;
    let mut run = launch.start(RunFile::new(preset, args.seed))?;
    Ok(Recording::evolve(&mut run.session))
}

/// The game that is filmed: a sample game of the last champion, or the first game of a file.
fn record(run: &Recording, game: &str, file: Option<&GameFile>) -> Result<GameRecord, CliError> {
    let (records, number) = if let Some(file) = file {
        let arena = &run.info.arena;
        let listed = arena.list_games(file);
        let read = listed.first().map(|first| arena.read_game(file, first));
        let read = read
            .transpose()
            .map_err(|error| CliError::failure(error.at(game)))?;
        (Some(read.into_iter().collect()), 1)
    } else {
        let last = run.snapshots.last().map(|last| last.games.clone());
        (last, game.parse::<usize>().unwrap_or(0))
    };
    let records = records.unwrap_or_default();
    let record = number.checked_sub(1).and_then(|place| records.get(place));
    record.cloned().ok_or_else(|| {
        let count = records.len();
        CliError::Usage(format!(
            "--game {game}: the games are numbered 1 to {count}"
        ))
    })
}

/// Reads `100x30`.
fn size(text: &str) -> Result<(u16, u16), String> {
    let parts = text.split_once('x');
    let numbers = parts.and_then(|(width, height)| width.parse().ok().zip(height.parse().ok()));
    numbers.ok_or_else(|| "columns and rows, such as 100x30".to_owned())
}

/// Reads `A..B` or `N`.
fn generations(text: &str) -> Result<(u64, u64), String> {
    let (first, last) = text.split_once("..").unwrap_or(("0", text));
    let numbers = first.parse().ok().zip(last.parse().ok());
    let range = numbers.filter(|(first, last)| first < last);
    range.ok_or_else(|| "generations, such as 20..80, or the number of the first ones".to_owned())
}
