//! Commands that open the dashboard. Absent from a program that was built without it.

use std::path::{Path, PathBuf};

use clap::Args;

use finches_dashboard::{DashboardExit, DashboardSettings, DashboardStart, PlaySetup};
use finches_engine::games::{GameConfig, Side};
use finches_engine::outside::OutsideOpponent;
use finches_engine::rng::any_seed;
use finches_runs::launch::LaunchOptions;
use finches_runs::storage::experiments::is_experiment;
use finches_runs::storage::game_judge::trained;
use finches_runs::storage::players::{PlayerName, outside_spec};
use finches_runs::storage::saves::{RunFile, Saves};

use super::matches::MoveTimeOption;
use super::options::{one_of, preset_or};
use super::terminal::TerminalOptions;
use super::{CliError, RunOptions, SavesOption, headless, log, output, plain_play};

/// Options of `finches play`.
#[derive(Debug, Args)]
pub(super) struct PlayArgs {
    /// A saved run, a game (its trained champion, else its latest saved run), or a preset [default:
    /// choose on the home screen].
    run: Option<String>,
    /// Generation of the champion [default: the latest].
    #[arg(long, value_name = "G")]
    generation: Option<u64>,
    /// The side you play [default: one that can win, else the first and the second in turns].
    #[arg(long, value_name = "SIDE", value_parser = one_of(&SIDES))]
    side: Option<Side>,
    /// The level of the champion, from 1, the easiest, to 11, the hardest, which only Reversi and
    /// draughts tell from 10 [default: it plays as it evolved].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=11))]
    level: Option<u8>,
    /// Play in lines of text: print positions and read moves, without a screen.
    #[arg(long, requires = "run", conflicts_with = "against")]
    plain: bool,
    /// Play an outside program, PROTOCOL:COMMAND as in `finches arena`; the champion of the run
    /// analyzes the game.
    #[arg(long, value_name = "PROGRAM", requires = "run")]
    against: Option<String>,
    #[command(flatten)]
    move_time: MoveTimeOption,
    #[command(flatten)]
    saves: SavesOption,
    #[command(flatten)]
    terminal: TerminalOptions,
}

const SIDES: [(&str, Side); 2] = [("first", Side::First), ("second", Side::Second)];

/// `finches play [RUN|GAME|PRESET]`.
pub(super) fn play(args: &PlayArgs) -> Result<(), CliError> {
    let saves = args.saves.open();
    let setup = PlaySetup {
        side: args.side,
        generation: args.generation,
        level: args.level,
    };
    if let Some(run) = args.run.as_deref().filter(|_| args.plain) {
        return play_in_lines(run, setup, &saves);
    }
    if !output::has_terminal() {
        let message = "playing on screen needs a terminal; --plain plays in lines of text";
        return Err(CliError::Usage(message.to_owned()));
    }
    let mut start = match &args.run {
        Some(name) => opponent(name, setup, &saves)?,
        None => DashboardStart::Home,
    };
    if let Some(text) = &args.against {
        set_program(&mut start, text, args.move_time, &saves)?;
    }
    show_with_defaults(start, saves, &args.terminal)
}

/// `finches games FILE... --dashboard`, on the screens of the trained champion of the game.
pub(super) fn games(
    game: &GameConfig,
    files: Vec<PathBuf>,
    saves: &SavesOption,
    terminal: &TerminalOptions,
) -> Result<(), CliError> {
    if !output::has_terminal() {
        let message = "--dashboard needs a terminal; without it, the games are listed";
        return Err(CliError::Usage(message.to_owned()));
    }
    let saves = saves.open();
    let run = trained(game, &saves)?;
    let start = DashboardStart::Games { run, files };
    show_with_defaults(start, saves, terminal)
}

/// `finches play GAME --plain`.
fn play_in_lines(name: &str, setup: PlaySetup, saves: &Saves) -> Result<(), CliError> {
    match opponent(name, setup, saves)? {
        DashboardStart::PlaySaved { run, .. } => plain_play::play(&run, setup, saves),
        _ => Err(CliError::Usage(format!(
            "{name}: --plain needs a champion that is there already; evolve one with `finches run \
            {name}`"
        ))),
    }
}

/// Lets an outside program play in place of the champion of a saved run.
fn set_program(
    start: &mut DashboardStart,
    text: &str,
    move_time: MoveTimeOption,
    saves: &Saves,
) -> Result<(), CliError> {
    let spec = outside_spec(&PlayerName::parse(text, saves))?;
    let DashboardStart::PlaySaved { run, program, .. } = start else {
        let message = "--against needs a saved run or a game with a trained champion, which \
            analyzes the games";
        return Err(CliError::Usage(message.to_owned()));
    };
    let game = saves.run_file(run)?.preset.game;
    OutsideOpponent::new(spec.clone(), &game, move_time.duration())?;
    *program = Some((spec, move_time.duration()));
    Ok(())
}

/// `finches watch RUN` on a screen. A folder may also be that of an experiment, or of islands of
/// finches 0.1, which are saved runs.
pub(super) fn watch(
    run: String,
    saves: &SavesOption,
    terminal: &TerminalOptions,
) -> Result<(), CliError> {
    let folder = Path::new(&run);
    let inside = Saves::at(folder.to_owned());
    if inside.has_former_islands() {
        let start = DashboardStart::Runs(inside.names());
        return show_with_defaults(start, inside, terminal);
    }
    let saves = saves.open();
    if saves.find(&run).is_none() && is_experiment(folder) {
        let start = DashboardStart::Experiment(folder.to_owned());
        return show_with_defaults(start, saves, terminal);
    }
    show_with_defaults(DashboardStart::Watch(run), saves, terminal)
}

/// Runs the dashboard with default options, except those of the terminal.
fn show_with_defaults(
    start: DashboardStart,
    saves: Saves,
    terminal: &TerminalOptions,
) -> Result<(), CliError> {
    let settings = DashboardSettings {
        launch: LaunchOptions::new(saves, log::for_dashboard()?),
        terminal: terminal.setup()?,
        seed: None,
    };
    run_dashboard(start, settings)
}

/// The opponent: the champion of a saved run by its name, the trained champion of a game or,
/// without one, that of the latest run of the game, or the champion of a new run of a preset.
fn opponent(name: &str, setup: PlaySetup, saves: &Saves) -> Result<DashboardStart, CliError> {
    let trained = format!("champion-{}", name.replace('_', "-"));
    let mut known = [name, &trained].into_iter();
    let run = known.find(|run| saves.find(run).is_some());
    let run = run
        .map(str::to_owned)
        .or_else(|| latest_of_game(name, saves));
    if let Some(run) = run {
        if let Some(generation) = setup.generation {
            saves.champion(&run, generation)?;
        }
        return Ok(DashboardStart::PlaySaved {
            run,
            setup,
            program: None,
        });
    }
    let games = GameConfig::names().join(", ").replace('_', "-");
    let preset = preset_or(&format!("game ({games}) and no saved run"), name, saves)?;
    let run = Box::new(RunFile::new(preset, any_seed()));
    Ok(DashboardStart::PlayNew { run, setup })
}

/// The latest saved run of a game, among those with a champion.
fn latest_of_game(name: &str, saves: &Saves) -> Option<String> {
    let game = name.replace('-', "_");
    let has_champion = |run: &str| saves.champions(run).is_ok_and(|kept| !kept.is_empty());
    let mut runs = saves.list().into_iter();
    let found = runs.find(|listed| {
        let summary = listed.summary.as_ref();
        summary.is_ok_and(|brief| brief.game.name() == game) && has_champion(&listed.name)
    });
    found.map(|listed| listed.name)
}

/// Runs the dashboard.
pub(super) fn show(start: DashboardStart, options: &RunOptions) -> Result<(), CliError> {
    let settings = DashboardSettings {
        launch: options.launch(log::for_dashboard()?),
        terminal: options.terminal.setup()?,
        seed: options.seed,
    };
    run_dashboard(start, settings)
}

/// Runs the dashboard and prints the summary after it has closed, or continues its run without a
/// screen.
fn run_dashboard(start: DashboardStart, settings: DashboardSettings) -> Result<(), CliError> {
    let saves = SavesOption::naming(settings.launch.saves.root());
    let ended = finches_dashboard::run(start, settings);
    match ended.map_err(|error| CliError::Failure(error.to_string()))? {
        DashboardExit::Left { summary, failed } => {
            output::eprint_line(&summary.join("\n"));
            if failed {
                Err(CliError::ExitCode(1))
            } else {
                Ok(())
            }
        }
        DashboardExit::HandOver(run) => headless::continue_headless(*run, saves),
        DashboardExit::Signaled { signal, summary } => {
            output::eprint_line(&summary.join("\n"));
            Err(CliError::ExitCode(128 + signal as u8))
        }
    }
}
