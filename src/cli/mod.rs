//! The command line: parses the arguments and calls the right part of the program. It does no work
//! itself.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::process::{self, ExitCode};

use clap::error::ErrorKind;
use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};

use finches_engine::outside::end_all;
use finches_engine::params::suggest;
use finches_engine::simd::VectorInstructions;
use finches_runs::signals;
use finches_runs::storage::presets;

mod arena;
mod batch;
#[cfg(feature = "dashboard")]
mod dashboard;
mod emit;
mod engine;
mod error;
mod evaluate;
mod experiment;
mod export;
#[cfg(feature = "dashboard")]
mod film;
mod fork;
mod games;
mod headless;
mod health;
mod input;
mod islands;
mod judge;
mod ladder;
mod limits;
mod log;
mod manual;
mod matches;
#[cfg_attr(not(feature = "mpi"), path = "no_mpi.rs")]
mod mpi;
mod options;
mod output;
mod parts;
#[cfg(feature = "dashboard")]
mod plain_play;
mod practice;
mod progress;
mod report;
mod reproduce;
mod rules;
mod shard;
mod show;
mod start;
mod sweep;
#[cfg(feature = "dashboard")]
mod terminal;
mod watch;

pub use self::engine::{serve_gtp, serve_json};
pub use self::rules::serve_rules;

use self::error::CliError;
use self::options::{CostOption, RunOptions, SavesOption, ThreadsOption};

/// Evolve neural networks that play board games: watch, change parameters on the fly, and play the
/// champion.
#[derive(Debug, Parser)]
#[command(
    name = "finches",
    version,
    args_conflicts_with_subcommands = true,
    after_help = AFTER_HELP,
)]
struct Cli {
    #[command(subcommand)]
    command: Option<CliCommand>,
    /// Preset to start in the dashboard: a name or a .ron file [default: open the home screen].
    preset: Option<String>,
    #[command(flatten)]
    options: RunOptions,
}

const AFTER_HELP: &str = "\
Exit codes: 0 done, 1 failure, 2 usage error, 3 --until not reached, 4 an island with --no-wait \
lacks members of another, 129, 130 or 143 stopped by a signal after saving.
Saved runs are in --saves, else $FINCHES_SAVES, else ./saves if it exists, else the user's data \
folder. The champions that come with the program are added there once they are named: \
champion-bounded-nim, champion-dots-and-boxes, champion-draughts, champion-nim, champion-reversi.";

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
    Play(dashboard::PlayArgs),
    /// Follow a run that another process evolves, or that has ended, read-only.
    ///
    /// Of the folder of islands, an experiment or a sweep, all runs are shown on one screen.
    /// Without a terminal, the rows of a run are printed as JSON Lines until it is done.
    Watch(watch::WatchArgs),
    /// Branch from a generation of a saved run with different parameters, as a new run or to
    /// measure the effect.
    Fork(fork::ForkArgs),
    /// List the presets, or show one with all its parameters.
    Presets {
        /// Name of a preset, or a .ron file.
        name: Option<String>,
    },
    /// List the parts that a preset can be made of, or show one or all of a kind: parameters, their
    /// limits and choices, and the other parts that it does not go with as they are.
    ///
    /// `--set selection=rank` and `--set genome=mlp` exchange a part.
    Parts {
        /// A part, such as rank, or a kind, such as selection.
        name: Option<String>,
        /// Print JSON: kinds, parts, parameters with their choices and limits, misfits.
        #[arg(long)]
        json: bool,
    },
    /// Show a saved run: its preset, progress, and the network of its champion.
    Inspect(show::InspectArgs),
    /// Print the metrics of a saved run as CSV or its family tree, or export the run as a bundle.
    ///
    /// Networks are also written as ONNX models, and metrics for TensorBoard.
    Export(export::ExportArgs),
    /// Measure the strength of saved champions and populations: against earlier champions,
    /// reference players, the population of generation 0 and random networks.
    Evaluate(evaluate::EvaluateArgs),
    /// Test saved champions on positions that can be won: how often they find a winning move,
    /// compared with simple players. The board need not be the one they evolved on.
    Judge(judge::JudgeArgs),
    /// Play a round robin between saved champions and reference players.
    Arena(arena::ArenaArgs),
    /// Rate saved champions on the fixed ladder of their game: players from random moves to deep
    /// searches and, for Reversi, gtp-rhino.
    ///
    /// Ratings are on the Elo scale with 95% intervals, and random is 0. With --past, they show
    /// the course of a run. No preset evolves against the players of a ladder but those that say
    /// so.
    Ladder(ladder::LadderArgs),
    /// Say whether the champions of a saved run get better or only different: arms race, cycling,
    /// forgetting, disengagement or over-specialization.
    ///
    /// Champions spread over the run play a round robin and players outside of the run. Prints the
    /// scores against ancestors (CIAO), ratings, α-rank and Nash averaging, and the verdict with
    /// the figures it rests on.
    Health(health::HealthArgs),
    /// Let other programs play against a saved champion, by JSON Lines or the Go Text Protocol.
    ///
    /// Without --gtp, each input line is {"start": TEXT, "moves": [TEXT, ...]}, or has "record":
    /// TEXT instead of moves, as for `finches rules`. Each answer is {"move", "value", "record",
    /// "position", "result"}: the champion's move, its value for the champion, the moves so far in
    /// the game's usual notation (PDN for draughts), the position after the move, and, once the
    /// game is over, the result for the first player: 1, 0 or -1. Without a move, the game was over
    /// or the champion chose an illegal move.
    Engine(engine::EngineArgs),
    /// Run presets with many seeds and summarize the results beside the published ones.
    ///
    /// The folder of an experiment holds two files per finished run, which are the same on every
    /// machine. The same command run again continues the unfinished runs. Each run gives the same
    /// results as `finches run PRESET --seed S`.
    Experiment(experiment::ExperimentArgs),
    /// Run a preset with every combination of the values of some parameters, as one experiment.
    Sweep(sweep::SweepArgs),
    /// Evolve several runs of a preset that send each other members, in one process or in several.
    ///
    /// Islands are an experiment, and their folder is that of one. The result does not depend on
    /// the processes: it is the same whether one process evolves all islands or each has its own,
    /// on one machine or with a shared folder, killed and started again. The same command
    /// continues. With --emit and --shards, jobs of a scheduler evolve them in rounds, one for each
    /// exchange. An island that has met its target goes on sending its last members. Since islands
    /// depend on each other, the interval of their mean is too narrow.
    Islands(islands::IslandsArgs),
    /// Write a page about a saved run or an experiment: settings, charts, the champion and its
    /// games.
    Report(report::ReportArgs),
    /// Write a run or a game as a film: an animation for a page or a talk, or a recording for
    /// asciinema.
    ///
    /// The film shows the dashboard. A saved run is only read: its rows and the champions that are
    /// kept. The same run gives the same film.
    #[cfg(feature = "dashboard")]
    Film(film::FilmArgs),
    /// Rerun the experiments of a publication, and write a page with each of its tables and figures
    /// beside ours.
    Reproduce(reproduce::ReproduceArgs),
    /// List the games of files, convert them to another format, or analyze them.
    ///
    /// Files may be PDN, transcripts with or without numbers, one a line or wrapped, GGF, WTHOR
    /// (.wtb, with the names of a .jou file beside it) or lists of positions, with comments and
    /// variations. A game that can't be read is listed with its place and the reason.
    Games(games::GamesArgs),
    /// Practice positions from games, chiefly your own, in which a move cost a lot.
    ///
    /// It shows a position and asks for a move, one position after the other, those that lost the
    /// most first. After a wrong answer a position comes again on the next day, after right ones in
    /// 2, 4, 8 and up to 64 days.
    Practice(practice::PracticeArgs),
    /// Answer JSON Lines about the rules of a game: {"start": TEXT, "moves": [TEXT, ...]}, or
    /// "record": TEXT instead of moves.
    ///
    /// A record is a sequence of moves in the game's usual notation, such as d3c3b3 in Reversi.
    /// Start and moves are optional.
    ///
    /// An answer is a line too: `legal`, the legal moves at the start and after each move;
    /// `to_move`, first or second, likewise; `position`, the last one; `result`, 1, 0 or -1 for the
    /// first side, null until the game is over; `value` (--solve), for the side to move: 1, 0 or
    /// -1, in dots and boxes the boxes that it will be ahead by from here; `best`, the moves that
    /// keep it; `record`; `inputs` (--encode). Or `error`, what is wrong and where.
    Rules(rules::RulesArgs),
    /// Print the key bindings of the dashboard, in the format of a key file.
    #[cfg(feature = "dashboard")]
    Keys(terminal::KeysOption),
    /// Print a shell completion script.
    Completions { shell: clap_complete::Shell },
    /// Print the manual page: commands, keys, files, columns and environment.
    Man,
}

/// Parses the command line and runs the command.
pub fn main() -> ExitCode {
    signals::survive_file_size_limit();
    let done = bound_instructions().and_then(|()| dispatch(parse()));
    end_all();
    let code = match done {
        Ok(()) => 0,
        Err(CliError::ExitCode(code)) => code,
        Err(CliError::Usage(message)) => output::report_error(&message, 2),
        Err(CliError::Failure(message)) => output::report_error(&message, 1),
    };
    ExitCode::from(matches::exit_code(code))
}

/// Bounds the vector instructions by `FINCHES_SIMD`.
fn bound_instructions() -> Result<(), CliError> {
    let Some(name) = std::env::var_os("FINCHES_SIMD").filter(|name| !name.is_empty()) else {
        return Ok(());
    };
    let limit = VectorInstructions::parse(&name.to_string_lossy());
    let limit = limit.map_err(|error| CliError::Usage(format!("FINCHES_SIMD: {error}")))?;
    limit.set_limit();
    Ok(())
}

/// Parses the command line. Help, the version and errors end the program.
fn parse() -> Cli {
    let arguments: Vec<_> = std::env::args_os().collect();
    let parse = |words: &[OsString]| {
        let matches = command().try_get_matches_from(words)?;
        Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command()))
    };
    let parsed = parse(&arguments).or_else(|error| match command_first(&arguments) {
        Some(ordered) if error.use_stderr() => parse(&ordered),
        _ => Err(error),
    });
    parsed.unwrap_or_else(|error| {
        if !error.use_stderr() {
            error.exit();
        }
        let first = arguments.get(1).map(|word| word.to_string_lossy());
        let first = first.unwrap_or_default();
        let is_known = first.starts_with('-')
            || presets::text(&first).is_some()
            || presets::is_file(&first)
            || Cli::command().find_subcommand(&*first).is_some();
        // Words behind one that is no command are taken for commands.
        if error.kind() == ErrorKind::ArgumentConflict && !is_known {
            output::report_error(&unknown_word(&first), 2);
        } else {
            // The message quotes arguments, which are escaped.
            output::eprint_line(plain(&error.to_string()).trim_end());
        }
        process::exit(error.exit_code())
    })
}

/// The error for a word that is no command and no preset.
fn unknown_word(word: &str) -> String {
    let command = Cli::command();
    let commands = command.get_subcommands().map(clap::Command::get_name);
    let known: Vec<&str> = commands.chain(presets::names()).collect();
    let hint = suggest(word, &known);
    format!("{word}: there is no such command or preset; {hint} (`finches help` lists commands)")
}

/// What Rust says of a text that is no whole number, or too large.
const NO_NUMBER: [&str; 3] = [
    "invalid digit found in string",
    "cannot parse integer from empty string",
    "number too large to fit in target type",
];

/// An error of the parser without the words of Rust for numbers and ranges of them.
fn plain(error: &str) -> String {
    let line = |line: &str| {
        let Some((before, range)) = line.split_once(" is not in ") else {
            let told = |line: String, words: &&str| line.replace(words, "write a whole number");
            return NO_NUMBER.iter().fold(line.to_owned(), told);
        };
        let (least, most) = range.split_once("..").unwrap_or((range, ""));
        match most.strip_prefix('=') {
            Some(most) if most != u32::MAX.to_string() => {
                format!("{before} is not from {least} to {most}")
            }
            _ => format!("{before} is not {least} or more"),
        }
    };
    error.lines().map(|it| line(it) + "\n").collect()
}

/// The command line. Help is not as narrow as `COLUMNS=0`, which some programs set, where there is
/// no terminal to ask.
fn command() -> clap::Command {
    let columns = std::env::var("COLUMNS").unwrap_or_default();
    let is_narrow = columns.parse::<u16>().is_ok_and(|columns| columns < 20);
    // A negative number is a value that is out of range, not an option.
    let negative = |command: clap::Command| command.allow_negative_numbers(true);
    let command = Cli::command().mut_subcommands(negative);
    if is_narrow && !io::stdout().is_terminal() {
        command.term_width(100)
    } else {
        command
    }
}

/// The arguments with the command before the options that were written in front of it.
fn command_first(arguments: &[OsString]) -> Option<Vec<OsString>> {
    let command = Cli::command();
    let is_command = |name: &str| command.find_subcommand(name).is_some();
    let takes_value = |option: &str| {
        let is_it = |arg: &&Arg| {
            arg.get_long()
                .is_some_and(|name| option == format!("--{name}"))
        };
        let known = command.get_arguments().find(is_it);
        known.is_some_and(|arg| arg.get_action().takes_values() && !arg.is_require_equals_set())
    };
    let words: Vec<&str> = arguments.iter().filter_map(|it| it.to_str()).collect();
    let is_option = words.len() == arguments.len() && words.get(1)?.starts_with('-');
    let is_first = |&place: &usize| is_command(words[place]) && !takes_value(words[place - 1]);
    let place = (2..words.len()).find(is_first)?;
    let mut ordered = arguments.to_vec();
    ordered[1..=place].rotate_right(1);
    is_option.then_some(ordered)
}

fn dispatch(cli: Cli) -> Result<(), CliError> {
    match cli.command {
        None => start::home(cli.preset.as_deref(), &cli.options),
        Some(CliCommand::Run {
            preset,
            replay,
            options,
        }) => mpi::on_processes(options.workers.threads, || match (preset, replay) {
            (_, Some(run)) => start::replay(&run, &options),
            (preset, None) => start::run_preset(preset.as_deref().unwrap_or_default(), &options),
        }),
        Some(CliCommand::Resume { run, options }) => {
            mpi::on_processes(options.workers.threads, || start::resume(&run, &options))
        }
        #[cfg(feature = "dashboard")]
        Some(CliCommand::Play(args)) => dashboard::play(&args),
        Some(CliCommand::Watch(args)) => watch::watch(args),
        Some(CliCommand::Fork(args)) => fork::fork(&args),
        Some(CliCommand::Presets { name: None }) => show::presets(),
        Some(CliCommand::Presets { name: Some(name) }) => show::preset_file(&name),
        Some(CliCommand::Parts { name, json }) => parts::parts(name.as_deref(), json),
        Some(CliCommand::Inspect(args)) => show::inspect(&args),
        Some(CliCommand::Export(args)) => export::export(&args),
        Some(CliCommand::Evaluate(args)) => evaluate::evaluate(&args),
        Some(CliCommand::Judge(args)) => judge::judge(&args),
        Some(CliCommand::Arena(args)) => arena::arena(&args),
        Some(CliCommand::Ladder(args)) => ladder::ladder(&args),
        Some(CliCommand::Health(args)) => health::health(&args),
        Some(CliCommand::Engine(args)) => engine::answer(&args),
        Some(CliCommand::Experiment(args)) => {
            mpi::on_processes(args.batch.threads.threads, || experiment::experiment(&args))
        }
        Some(CliCommand::Sweep(args)) => {
            mpi::on_processes(args.batch.threads.threads, || sweep::sweep(&args))
        }
        Some(CliCommand::Islands(args)) => islands::islands(&args),
        Some(CliCommand::Report(args)) => report::report(&args),
        #[cfg(feature = "dashboard")]
        Some(CliCommand::Film(args)) => film::film(&args),
        Some(CliCommand::Reproduce(args)) => reproduce::reproduce(&args),
        Some(CliCommand::Games(args)) => games::games(&args),
        Some(CliCommand::Practice(args)) => practice::practice(&args),
        Some(CliCommand::Rules(args)) => rules::rules(&args),
        #[cfg(feature = "dashboard")]
        Some(CliCommand::Keys(keys)) => terminal::keys(&keys),
        Some(CliCommand::Completions { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "finches", &mut script);
            output::print(&String::from_utf8_lossy(&script))
        }
        Some(CliCommand::Man) => manual::manual(),
    }
}
