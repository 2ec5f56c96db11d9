//! The command line: parses the arguments and calls the right part of the program. It does no work itself.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};

#[cfg(feature = "dashboard")]
use crate::games::Side;
#[cfg(feature = "dashboard")]
use crate::metrics::breakpoint::Breakpoint;
use crate::metrics::stop_condition::StopCondition;
use crate::params::key_value;
use crate::play::pool::Pool;
use crate::preset::Preset;
#[cfg(feature = "dashboard")]
use crate::run::pace::Pace;
use crate::run::{FaultLocation, InjectedFault};
use crate::search::queries::AnswerOptions;
use crate::signals;
use crate::storage::paths::saves_folder;
use crate::storage::presets;
use crate::storage::saves::Saves;

mod arena;
#[cfg(feature = "dashboard")]
mod dashboard;
mod engine;
mod error;
mod evaluate;
mod experiment;
mod fork;
mod headless;
mod log;
mod manual;
mod output;
mod progress;
mod rules;
mod show;
mod start;
#[cfg(feature = "dashboard")]
mod terminal;
mod watch;

use self::error::CliError;
#[cfg(feature = "dashboard")]
use self::terminal::{KeysOption, TerminalOptions};

/// Evolve neural networks that play board games: watch, change parameters on the fly, and play the champion.
#[derive(Debug, Parser)]
#[command(name = "finches", version, args_conflicts_with_subcommands = true, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Option<CliCommand>,
    /// Preset to start in the dashboard: a name or a .ron file [default: open the home screen].
    preset: Option<String>,
    #[command(flatten)]
    options: RunOptions,
}

const AFTER_HELP: &str = "\
Exit codes: 0 done, 1 failure, 2 usage error, 3 --until not reached, 129, 130 or 143 stopped by a signal after saving.
Saved runs are in --saves, else $FINCHES_SAVES, else ./saves if it exists, else the user's data folder.";

#[derive(Debug, Subcommand)]
enum CliCommand {
    /// Start a run, in the dashboard or headless.
    Run {
        /// Name of a preset, or a .ron file.
        #[arg(required_unless_present = "replay")]
        preset: Option<String>,
        /// Repeat a saved run: same preset, seed and parameter changes.
        #[arg(long, value_name = "RUN", conflicts_with_all = ["preset", "parameters"])]
        replay: Option<String>,
        #[command(flatten)]
        options: RunOptions,
    },
    /// Continue a saved run exactly where it stopped.
    Resume {
        /// Name or folder of the run.
        run: String,
        #[command(flatten)]
        options: RunOptions,
    },
    /// Play against the champion of a saved run, or of a new run that evolves while you play.
    #[cfg(feature = "dashboard")]
    Play {
        /// A saved run, a game (its latest saved run), or a preset [default: choose on the home screen].
        run: Option<String>,
        /// Generation of the champion [default: the latest].
        #[arg(long, value_name = "G")]
        generation: Option<u64>,
        /// The side you play.
        #[arg(long, value_name = "SIDE", default_value = "first")]
        side: SideArg,
        #[command(flatten)]
        saves: SavesOption,
        #[command(flatten)]
        terminal: TerminalOptions,
    },
    /// Follow a run that another process evolves, or that has ended. Its files are only read.
    ///
    /// Without a terminal, rows are printed as JSON Lines until the run is done.
    Watch {
        /// Name or folder of the run, which need not exist yet.
        run: String,
        /// Print one JSON object per generation instead of opening the dashboard.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        saves: SavesOption,
        #[cfg(feature = "dashboard")]
        #[command(flatten)]
        terminal: TerminalOptions,
    },
    /// Go on from a generation of a saved run with other parameters: as a second run, or to measure what the change does.
    Fork(fork::ForkArgs),
    /// List the presets, or show one with all its parameters.
    Presets { name: Option<String> },
    /// Show a saved run: its preset, progress, and the network of its champion.
    Inspect {
        run: String,
        /// Generation of the champion [default: the latest].
        #[arg(long, value_name = "G")]
        generation: Option<u64>,
        #[command(flatten)]
        format: NetworkFormat,
        #[command(flatten)]
        saves: SavesOption,
    },
    /// Print the metrics of a saved run as CSV, or export the run as a bundle.
    Export {
        run: String,
        /// Print one JSON object per generation instead of CSV.
        #[arg(long)]
        json: bool,
        /// Write a small bundle to a new folder: definition, metrics and champions. It can be played and graded but not resumed.
        #[arg(long, value_name = "DIR", conflicts_with = "json")]
        bundle: Option<PathBuf>,
        #[command(flatten)]
        saves: SavesOption,
    },
    /// Measure the strength of saved champions and populations: against earlier champions, reference players, the population of
    /// generation 0 and random networks.
    Evaluate(evaluate::EvaluateArgs),
    /// Play a round robin between saved champions and reference players.
    Arena(arena::ArenaArgs),
    /// Let other programs play a saved champion, by JSON Lines or the Go Text Protocol.
    ///
    /// Without --gtp, each input line is {"start": TEXT, "moves": [TEXT, ...]}, or has "record": TEXT instead of moves, as for
    /// `finches rules`. Each answer is {"move", "value", "record", "position", "result"}: the champion's move, its value for the
    /// champion, the moves so far in the game's usual notation (PDN for draughts), the position after the move, and, once the
    /// game is over, the result for the first player: 1, 0 or -1. Without a move, the game was over or the champion chose an
    /// illegal move.
    Engine(engine::EngineArgs),
    /// Run presets with many seeds and summarize the results beside the published ones.
    ///
    /// The folder of an experiment holds two files per finished run, which are the same on every machine. The same command run
    /// again continues with the missing runs. Each run gives the same results as `finches run PRESET --seed S`.
    Experiment(experiment::ExperimentArgs),
    /// Answer JSON Lines about the rules of a game: {"start": TEXT, "moves": [TEXT, ...]}, or "record": TEXT instead of moves.
    ///
    /// A record is a sequence of moves in the game's usual notation, such as d3c3b3 in Reversi. Start and moves are optional.
    Rules {
        game: String,
        /// Change a parameter of the game, e.g. `--set grading=safe`
        #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
        parameters: Vec<(String, String)>,
        /// Add the exact value and the best moves of the final position.
        #[arg(long)]
        solve: bool,
        /// Add the moves as a record.
        #[arg(long)]
        record: bool,
        /// Count the move sequences of lengths 1 to N instead.
        #[arg(long, value_name = "N")]
        perft: Option<usize>,
        /// Position to count from.
        #[arg(long, value_name = "TEXT", requires = "perft")]
        start: Option<String>,
    },
    /// Print the key bindings of the dashboard, in the format of a key file.
    #[cfg(feature = "dashboard")]
    Keys {
        #[command(flatten)]
        keys: KeysOption,
    },
    /// Print a shell completion script.
    Completions { shell: clap_complete::Shell },
    /// Print the manual page: commands, keys, files, columns and environment.
    Man,
}

#[cfg(feature = "dashboard")]
#[derive(Clone, Copy, Debug, ValueEnum)]
enum SideArg {
    First,
    Second,
}

#[cfg(feature = "dashboard")]
impl From<SideArg> for Side {
    fn from(side: SideArg) -> Self {
        match side {
            SideArg::First => Self::First,
            SideArg::Second => Self::Second,
        }
    }
}

/// The folder of saved runs.
#[derive(Clone, Debug, Args)]
struct SavesOption {
    /// Folder of saved runs.
    #[arg(long, value_name = "DIR")]
    saves: Option<PathBuf>,
}

impl SavesOption {
    fn open(&self) -> Saves {
        Saves::at(saves_folder(self.saves.as_deref()))
    }
}

/// The number of threads.
#[derive(Clone, Debug, Args)]
struct ThreadsOption {
    /// Number of threads that play games [default: the number of cores, minus one if there are four or more].
    #[arg(long, value_name = "T", default_value_t = 0, hide_default_value = true)]
    threads: usize,
}

impl ThreadsOption {
    fn pool(&self) -> Result<Pool, CliError> {
        Ok(Pool::new(self.threads)?)
    }
}

/// Options of a run.
#[derive(Clone, Debug, Args)]
struct RunOptions {
    /// Run without the dashboard. Automatic without a terminal.
    #[arg(long)]
    headless: bool,
    /// Stop after N generations, numbered 0 to N − 1.
    #[arg(long, value_name = "N")]
    generations: Option<u64>,
    /// Stop once a column reaches a bound: 'COLUMN>=X' or 'COLUMN<=X' [default: the preset's]. Implies --headless.
    #[arg(long, value_name = "CONDITION", value_parser = StopCondition::parse)]
    until: Option<StopCondition>,
    /// Random seed [default: a random one].
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Generations per second on screen: 1, 2, 5, 10, 25, 50, 100, 250, 500 or full [default: the preset's].
    #[cfg(feature = "dashboard")]
    #[arg(long, value_name = "PACE", value_parser = Pace::parse)]
    pace: Option<Pace>,
    /// Pause on screen at a breakpoint: best, mistake, plateau:N, beats:PLAYER, generation:N, 'COLUMN>=X' or 'COLUMN<=X'.
    #[cfg(feature = "dashboard")]
    #[arg(long = "break", value_name = "BREAKPOINT", value_parser = Breakpoint::parse)]
    breakpoints: Vec<Breakpoint>,
    #[command(flatten)]
    workers: ThreadsOption,
    /// Change a parameter of the preset, by its full path or last word, e.g. `--set add_node=0.2`
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    parameters: Vec<(String, String)>,
    #[command(flatten)]
    saves: SavesOption,
    /// Time between checkpoints in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    checkpoint_every: f64,
    /// Do not save the run.
    #[arg(long)]
    no_save: bool,
    /// Start a run even if it takes more than 4 GB of memory or 10 GB of disk.
    #[arg(long)]
    yes: bool,
    /// Print one JSON object per generation. Implies --headless.
    #[arg(long)]
    json: bool,
    #[cfg(feature = "dashboard")]
    #[command(flatten)]
    terminal: TerminalOptions,
    /// Panic in this generation, for tests.
    #[arg(long, hide = true)]
    panic_at: Option<u64>,
    /// Where to panic.
    #[arg(long, hide = true, default_value = "game", requires = "panic_at")]
    panic_in: InjectedFaultArg,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum InjectedFaultArg {
    Game,
    Worker,
    Screen,
}

/// The format in which a champion's network is printed.
#[derive(Clone, Copy, Debug, Args)]
#[group(multiple = false)]
struct NetworkFormat {
    /// Print the network as a Graphviz graph.
    #[arg(long)]
    dot: bool,
    /// Print the network as an SVG drawing.
    #[arg(long)]
    svg: bool,
    /// Print the network as JSON.
    #[arg(long)]
    json: bool,
}

/// Parses the command line and runs the command.
pub fn main() -> ExitCode {
    signals::survive_file_size_limit();
    let code = match dispatch(Cli::parse()) {
        Ok(()) => 0,
        Err(CliError::ExitCode(code)) => code,
        Err(CliError::Usage(message)) => output::report_error(&message, 2),
        Err(CliError::Failure(message)) => output::report_error(&message, 1),
    };
    ExitCode::from(code)
}

fn dispatch(cli: Cli) -> Result<(), CliError> {
    match cli.command {
        None => start::home(cli.preset.as_deref(), &cli.options),
        Some(CliCommand::Run {
            preset,
            replay,
            options,
        }) => match (preset, replay) {
            (_, Some(run)) => start::replay(&run, &options),
            (preset, None) => start::run_preset(preset.as_deref().unwrap_or_default(), &options),
        },
        Some(CliCommand::Resume { run, options }) => start::resume(&run, &options),
        #[cfg(feature = "dashboard")]
        Some(CliCommand::Play {
            run,
            generation,
            side,
            saves,
            terminal,
        }) => dashboard::play(run.as_deref(), generation, side.into(), &saves, &terminal),
        #[cfg(feature = "dashboard")]
        Some(CliCommand::Watch {
            run,
            json: false,
            saves,
            terminal,
        }) if output::has_terminal() => dashboard::watch(run, &saves, &terminal),
        Some(CliCommand::Watch { run, saves, .. }) => watch::print_rows(saves.open(), run),
        Some(CliCommand::Fork(args)) => fork::fork(&args),
        Some(CliCommand::Presets { name: None }) => show::presets(),
        Some(CliCommand::Presets { name: Some(name) }) => show::preset(&presets::load(&name)?),
        Some(CliCommand::Inspect {
            run,
            generation,
            format,
            saves,
        }) => show::inspect(&saves.open(), &run, generation, format),
        Some(CliCommand::Export {
            run,
            json,
            bundle,
            saves,
        }) => match (bundle, json) {
            (Some(folder), _) => Ok(saves.open().export_bundle(&run, &folder)?),
            (None, false) => output::print(&saves.open().metrics_text(&run)?),
            (None, true) => show::export_json(&saves.open(), &run),
        },
        Some(CliCommand::Evaluate(args)) => evaluate::evaluate(&args),
        Some(CliCommand::Arena(args)) => arena::arena(&args),
        Some(CliCommand::Engine(args)) => engine::answer(&args),
        Some(CliCommand::Experiment(args)) => experiment::experiment(&args),
        Some(CliCommand::Rules {
            game,
            parameters,
            solve,
            record,
            perft,
            start,
        }) => {
            let config = rules::game(&game, &parameters)?;
            if let Some(depth) = perft {
                return rules::perft(&config, start.as_deref(), depth);
            }
            let solution = solve;
            rules::answer_lines(&config, AnswerOptions { solution, record })
        }
        #[cfg(feature = "dashboard")]
        Some(CliCommand::Keys { keys }) => terminal::keys(&keys),
        Some(CliCommand::Completions { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "finches", &mut script);
            output::print(&String::from_utf8_lossy(&script))
        }
        Some(CliCommand::Man) => manual::manual(),
    }
}

impl RunOptions {
    fn checkpoint_every(&self) -> Duration {
        Duration::try_from_secs_f64(self.checkpoint_every).unwrap_or(Duration::MAX)
    }

    fn injected_fault(&self) -> Option<InjectedFault> {
        let location = match self.panic_in {
            InjectedFaultArg::Game => FaultLocation::Game,
            InjectedFaultArg::Worker => FaultLocation::Worker,
            InjectedFaultArg::Screen => FaultLocation::Screen,
        };
        self.panic_at.map(|generation| InjectedFault {
            generation,
            location,
        })
    }

    /// The preset with the changes from the command line.
    fn apply(&self, preset: &Preset) -> Result<Preset, CliError> {
        let mut parameters = self.parameters.clone();
        parameters.extend(
            self.generations
                .map(|generations| ("generations".to_owned(), generations.to_string())),
        );
        Ok(preset.with(&parameters)?)
    }
}
