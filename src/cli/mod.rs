//! The command line: what was written becomes what runs, in one place. It knows every part and does no work of its own.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};

use crate::arena::pool::Pool;
use crate::games::Side;
use crate::games::rules::Extras;
use crate::metrics::until::Until;
use crate::preset::Preset;
use crate::run::{Bug, BugPlace};
use crate::storage::places::saves_folder;
use crate::storage::presets;
use crate::storage::saves::Saves;

mod ancestors;
mod arena;
mod engine;
mod experiment;
mod grade;
mod headless;
mod journal;
mod output;
mod progress;
mod rules;
mod show;
mod start;
mod stop;
mod terminal;
mod watch;

use self::stop::Stop;
use self::terminal::{KeysOption, TerminalOptions};

/// Watch neural networks evolve to play board games, steer them, and play the champion.
#[derive(Debug, Parser)]
#[command(name = "finches", version, args_conflicts_with_subcommands = true, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// A preset to start in the dashboard, by name or file; without one, the home screen.
    preset: Option<String>,
    #[command(flatten)]
    options: RunOptions,
}

const AFTER_HELP: &str = "\
Exit codes: 0 done, 1 failure, 2 usage, 3 --until not reached, 129, 130 or 143 ended by a signal after saving.
Files: saved runs are in --saves, else $FINCHES_SAVES, else ./saves if it is there, else the user's data folder.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Start a run: in the dashboard, or without a screen.
    Run {
        /// A preset's name, or a .ron file.
        #[arg(required_unless_present = "replay")]
        preset: Option<String>,
        /// Start from the preset, seed and turned settings of a saved run, and so repeat it.
        #[arg(long, value_name = "RUN", conflicts_with_all = ["preset", "settings"])]
        replay: Option<String>,
        #[command(flatten)]
        options: RunOptions,
    },
    /// Go on with a saved run, exactly where it stopped.
    Resume {
        /// The run's name, or its folder.
        run: String,
        #[command(flatten)]
        options: RunOptions,
    },
    /// Play against the champion of a saved run, or of a preset that starts to evolve meanwhile.
    Play {
        /// A saved run; a game, for its latest saved run; or a preset. Without it, the home screen with all champions there are.
        run: Option<String>,
        /// The generation whose champion to play; the latest without it.
        #[arg(long, value_name = "G")]
        generation: Option<u64>,
        /// The side you play.
        #[arg(long = "as", value_name = "SIDE", default_value = "first")]
        side: SideArg,
        #[command(flatten)]
        place: Place,
        #[command(flatten)]
        terminal: TerminalOptions,
    },
    /// Follow a run that another process evolves, or that has ended, without touching it.
    ///
    /// Where there is no terminal, its rows are printed as JSON Lines as they come, until it is done.
    Watch {
        /// The run's name, or its folder; it need not be there yet.
        run: String,
        /// One JSON object per generation on standard output; without a screen.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        place: Place,
        #[command(flatten)]
        terminal: TerminalOptions,
    },
    /// List the presets, or show one with all its settings.
    Presets { name: Option<String> },
    /// Show a saved run: what it is, where it stands, its champion's network.
    Inspect {
        run: String,
        /// The generation whose champion to show; the latest without it.
        #[arg(long, value_name = "G")]
        generation: Option<u64>,
        #[command(flatten)]
        format: Format,
        #[command(flatten)]
        place: Place,
    },
    /// Print the metrics of a saved run as CSV, or give the run away.
    Export {
        run: String,
        /// One JSON object per generation instead.
        #[arg(long)]
        json: bool,
        /// Write the run without its population to a new folder instead: what it was, its metrics and its champions, to be
        /// played and graded but not resumed.
        #[arg(long, value_name = "DIR", conflicts_with = "json")]
        keepsake: Option<PathBuf>,
        #[command(flatten)]
        place: Place,
    },
    /// Grade the populations a run has kept: progress against generation 0, baseline against fresh networks.
    Grade(grade::Ask),
    /// Let saved champions and reference players meet, everyone with everyone.
    Arena(arena::Ask),
    /// Let a saved champion answer other programs, as JSON Lines or by the Go Text Protocol.
    ///
    /// Without --gtp it reads {"start": TEXT, "moves": [TEXT, ...]}, or "record": TEXT instead of moves, a line each as `finches rules`
    /// does, and answers {"move", "value", "record", "position", "result"}: its move, what it holds of it, the line of play with that
    /// move as players of the game write it down (PDN in draughts), where that leads, and 1, 0 or -1 for the first player once the
    /// game is over. No move means that the game was over or that the champion wants one that is not legal.
    Engine(engine::Ask),
    /// Grade a run's champion: its games against champions of earlier generations and the random player.
    Ancestors(ancestors::Ask),
    /// Run presets with many seeds and sum up what they come to, beside what was published.
    ///
    /// The folder of an experiment holds two files for each finished run, the same wherever it was run. Asked for again, an
    /// experiment goes on with the runs that are missing. A run gives the figures of `finches run PRESET --seed S`.
    Experiment(experiment::Ask),
    /// Answer JSON Lines about the rules of a game: {"start": TEXT, "moves": [TEXT, ...]}, or "record": TEXT instead of moves.
    ///
    /// A record is a line of play as players of the game write it down, such as d3c3b3 in Reversi. Start and moves may be left
    /// out.
    Rules {
        game: String,
        /// Settings of the game, such as grading=safe.
        #[arg(long = "set", value_name = "KEY=VALUE", value_parser = setting)]
        settings: Vec<(String, String)>,
        /// Add the exact value and the best moves of the last position.
        #[arg(long)]
        solve: bool,
        /// Add the line of play as a record.
        #[arg(long)]
        record: bool,
        /// Count the move sequences of length 1 to N instead.
        #[arg(long, value_name = "N")]
        perft: Option<usize>,
        /// The position to count from.
        #[arg(long, value_name = "TEXT", requires = "perft")]
        start: Option<String>,
    },
    /// Print the keys of the dashboard, in the form of a file that changes them.
    Keys {
        #[command(flatten)]
        keys: KeysOption,
    },
    /// Print a completion script for a shell.
    Completions { shell: clap_complete::Shell },
    /// Print the manual page.
    Man,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SideArg {
    First,
    Second,
}

/// Where saved runs are.
#[derive(Clone, Debug, Args)]
struct Place {
    /// The folder of saved runs.
    #[arg(long, value_name = "DIR")]
    saves: Option<PathBuf>,
}

impl Place {
    fn open(&self) -> Saves {
        Saves::at(saves_folder(self.saves.as_deref()))
    }
}

/// How many threads play.
#[derive(Clone, Debug, Args)]
struct Workers {
    /// Threads to play games on; as many as there are cores without it, from four cores on one fewer.
    #[arg(long, value_name = "T", default_value_t = 0, hide_default_value = true)]
    threads: usize,
}

impl Workers {
    fn pool(&self) -> Result<Pool, Stop> {
        Pool::new(self.threads).map_err(Stop::Failure)
    }
}

/// How a run is run.
#[derive(Clone, Debug, Args)]
struct RunOptions {
    /// Run without a screen; by itself where there is no terminal.
    #[arg(long)]
    headless: bool,
    /// The generation at which the run stops; rows 0 to N − 1.
    #[arg(long, value_name = "N")]
    generations: Option<u64>,
    /// Stop once a column reaches a bound: 'COLUMN>=X' or 'COLUMN<=X'; without a screen. It takes the place of the preset's.
    #[arg(long, value_name = "CONDITION", value_parser = Until::parse)]
    until: Option<Until>,
    /// The seed; a random one without it.
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    #[command(flatten)]
    workers: Workers,
    /// Change a setting of the preset, by its path or its last word, as in `--set add_node=0.2`
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = setting)]
    settings: Vec<(String, String)>,
    #[command(flatten)]
    place: Place,
    /// Seconds from one checkpoint to the next.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    checkpoint_every: f64,
    /// Save nothing.
    #[arg(long)]
    no_save: bool,
    /// One JSON object per generation on standard output; without a screen.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    terminal: TerminalOptions,
    /// Panic in this generation, to see that all ends well.
    #[arg(long, hide = true)]
    panic_at: Option<u64>,
    /// Where to panic.
    #[arg(long, hide = true, default_value = "bout", requires = "panic_at")]
    panic_in: PanicArg,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PanicArg {
    Bout,
    Worker,
    Screen,
}

/// What a champion's network is printed as.
#[derive(Clone, Copy, Debug, Args)]
#[group(multiple = false)]
struct Format {
    /// The network as a Graphviz graph.
    #[arg(long)]
    dot: bool,
    /// The network as a drawing.
    #[arg(long)]
    svg: bool,
    /// The network as JSON.
    #[arg(long)]
    json: bool,
}

fn setting(text: &str) -> Result<(String, String), String> {
    let pair = text
        .split_once('=')
        .map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()));
    pair.ok_or_else(|| format!("`{text}` is not KEY=VALUE"))
}

/// Parses the command line and does what it says.
pub fn main() -> ExitCode {
    let code = match dispatch(Cli::parse()) {
        Ok(()) => 0,
        Err(Stop::Code(code)) => code,
        Err(Stop::Usage(message)) => output::complain(&message, 2),
        Err(Stop::Failure(message)) => output::complain(&message, 1),
    };
    ExitCode::from(code)
}

fn dispatch(cli: Cli) -> Result<(), Stop> {
    match cli.command {
        None => start::dashboard(cli.preset.as_deref(), &cli.options),
        Some(Command::Run {
            preset,
            replay,
            options,
        }) => match (preset, replay) {
            (_, Some(run)) => start::replay(&run, &options),
            (preset, None) => start::fresh(preset.as_deref().unwrap_or_default(), &options),
        },
        Some(Command::Resume { run, options }) => start::resume(&run, &options),
        Some(Command::Play {
            run,
            generation,
            side,
            place,
            terminal,
        }) => {
            let side = match side {
                SideArg::First => Side::First,
                SideArg::Second => Side::Second,
            };
            start::play(run.as_deref(), generation, side, &place, &terminal)
        }
        Some(Command::Watch {
            run,
            json,
            place,
            terminal,
        }) => {
            if json || !output::has_terminal() {
                watch::rows(place.open(), run)
            } else {
                start::watch(run, &place, &terminal)
            }
        }
        Some(Command::Presets { name: None }) => show::presets(),
        Some(Command::Presets { name: Some(name) }) => show::preset(&presets::load(&name)?),
        Some(Command::Inspect {
            run,
            generation,
            format,
            place,
        }) => show::inspect(&place.open(), &run, generation, format),
        Some(Command::Export {
            run,
            json,
            keepsake,
            place,
        }) => match (keepsake, json) {
            (Some(folder), _) => Ok(place.open().keepsake(&run, &folder)?),
            (None, false) => output::print(&place.open().metrics_text(&run)?),
            (None, true) => show::export_json(&place.open(), &run),
        },
        Some(Command::Grade(ask)) => grade::grade(&ask),
        Some(Command::Ancestors(ask)) => ancestors::ancestors(&ask),
        Some(Command::Arena(ask)) => arena::meet(&ask),
        Some(Command::Engine(ask)) => engine::answer(&ask),
        Some(Command::Experiment(ask)) => experiment::experiment(&ask),
        Some(Command::Rules {
            game,
            settings,
            solve,
            record,
            perft,
            start,
        }) => {
            let config = rules::game(&game, &settings)?;
            if let Some(depth) = perft {
                return rules::perft(&config, start.as_deref(), depth);
            }
            let solution = solve;
            rules::answer_lines(&config, Extras { solution, record })
        }
        Some(Command::Keys { keys }) => terminal::keys(&keys),
        Some(Command::Completions { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "finches", &mut script);
            output::print(&String::from_utf8_lossy(&script))
        }
        Some(Command::Man) => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Cli::command()).render(&mut page)?;
            output::print(&String::from_utf8_lossy(&page))
        }
    }
}

impl RunOptions {
    fn checkpoint_every(&self) -> Duration {
        Duration::try_from_secs_f64(self.checkpoint_every).unwrap_or(Duration::MAX)
    }

    fn bug(&self) -> Option<Bug> {
        let place = match self.panic_in {
            PanicArg::Bout => BugPlace::Bout,
            PanicArg::Worker => BugPlace::Worker,
            PanicArg::Screen => BugPlace::Screen,
        };
        self.panic_at.map(|generation| Bug { generation, place })
    }

    /// A preset with what the command line changes.
    fn apply(&self, preset: &Preset) -> Result<Preset, Stop> {
        let mut settings = self.settings.clone();
        settings.extend(
            self.generations
                .map(|generations| ("generations".to_owned(), generations.to_string())),
        );
        Ok(preset.with(&settings)?)
    }
}
