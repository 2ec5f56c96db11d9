//! Options that several commands share.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Args, Command};

use finches_engine::metrics::stop_condition::StopCondition;
use finches_engine::params::key_value;
use finches_engine::play::pool::{Pool, thread_count};
use finches_engine::preset::{GENERATIONS, MAX_GENERATIONS, Preset};
use finches_engine::session::breakpoint::Breakpoint;
use finches_engine::session::cost::RunCost;
use finches_runs::launch::{LaunchOptions, PreparedRun};
use finches_runs::log::LogBuffer;
#[cfg(feature = "dashboard")]
use finches_runs::run::pace::Pace;
use finches_runs::run::{FaultLocation, InjectedFault};
use finches_runs::storage::meaning::meaning;
use finches_runs::storage::paths::saves_folder;
use finches_runs::storage::presets;
use finches_runs::storage::saves::Saves;
use finches_runs::storage::tensorboard::EventFile;

use super::limits::{seconds, threads};
#[cfg(feature = "dashboard")]
use super::terminal::TerminalOptions;
use super::{CliError, mpi};

/// The folder of saved runs.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct SavesOption {
    /// Folder of saved runs.
    #[arg(long, value_name = "DIR")]
    pub(super) saves: Option<PathBuf>,
}

impl SavesOption {
    /// The saved runs, to which a champion that ships is added once the user names it.
    pub(super) fn open(&self) -> Saves {
        Saves::at(saves_folder(self.saves.as_deref())).adding_shipped()
    }

    /// The option that names this folder.
    #[cfg(feature = "dashboard")]
    pub(super) fn naming(folder: &std::path::Path) -> Self {
        let saves = Some(folder.to_owned());
        Self { saves }
    }

    /// The command that continues a run, which has done so many of its generations: with twice as
    /// many if it is whole.
    pub(super) fn resume_command(&self, run: &str, done: u64, generations: u64) -> String {
        let more = (2 * done).clamp(1, MAX_GENERATIONS);
        let more = (done >= generations).then(|| format!(" --generations {more}"));
        let (more, folder) = (more.unwrap_or_default(), self.open().option());
        format!("finches resume {run}{more}{folder}")
    }
}

/// A preset by its name or file. If the name is that of something else, the error says so.
pub(super) fn preset(name: &str, saves: &SavesOption) -> Result<Preset, CliError> {
    presets::load(name).map_err(|error| told(name, &saves.open()).unwrap_or(error.into()))
}

/// A preset where `other` things are looked for before, such as saved runs.
#[cfg(feature = "dashboard")]
pub(super) fn preset_or(other: &str, name: &str, saves: &Saves) -> Result<Preset, CliError> {
    presets::load(name).map_err(|error| {
        told(name, saves).unwrap_or_else(|| {
            let root = saves.root().display();
            CliError::Usage(format!("{error}\nit is no {other} in {root} either"))
        })
    })
}

/// The error for what is no preset: what it is instead.
fn told(name: &str, saves: &Saves) -> Option<CliError> {
    let what = meaning(name, saves).filter(|_| !presets::is_file(name))?;
    Some(CliError::Usage(format!("{name}: {what}")))
}

/// What a run may cost.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct CostOption {
    /// Start even if a run takes more than 4 GB of memory or 10 GB of disk.
    #[arg(long)]
    pub(super) yes: bool,
}

impl CostOption {
    /// Refuses a run that takes much memory or disk, unless the user has agreed.
    pub(super) fn check(self, preset: &Preset) -> Result<(), CliError> {
        match RunCost::of(preset).excess() {
            Some(excess) if !self.yes => Err(CliError::Usage(format!(
                "{}: {excess}; add --yes to start it all the same",
                preset.name
            ))),
            _ => Ok(()),
        }
    }
}

/// The number of threads.
#[derive(Clone, Debug, Args)]
pub(super) struct ThreadsOption {
    /// Number of threads that play games [default: the number of cores, minus one if there are four
    /// or more].
    #[arg(
        long,
        value_name = "T",
        default_value_t = 0,
        hide_default_value = true,
        value_parser = threads,
    )]
    pub(super) threads: usize,
}

impl ThreadsOption {
    pub(super) fn pool(&self) -> Result<Pool, CliError> {
        Ok(Pool::new(self.threads)?)
    }

    /// The number that was asked for, or else the share of this process in those of this machine.
    pub(super) fn count(&self) -> usize {
        thread_count(mpi::threads(self.threads))
    }
}

/// What `--threads` is in commands that do many runs.
pub(super) const RUN_THREADS: &str = "Number of threads; each run gets its own [default: the \
    number of cores, minus one if there are four or more]";

/// What a command changes about its presets.
#[derive(Clone, Debug, Args)]
pub(super) struct PresetOptions {
    /// Stop after N generations, numbered 0 to N − 1.
    #[arg(long, value_name = "N")]
    pub(super) generations: Option<u64>,
    /// Stop once a column reaches a bound: 'COLUMN>=X' or 'COLUMN<=X' [default: the preset's]. A
    /// single run can also end at plateau:N, beats:PLAYER, best, mistake or time:10m.
    #[arg(long, value_name = "CONDITION", value_parser = condition)]
    pub(super) until: Option<String>,
    /// Change a parameter of the preset, by its full path or last word, e.g. `--set add_node=0.2`
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    pub(super) parameters: Vec<(String, String)>,
}

impl PresetOptions {
    /// All changes as parameters, in the order in which they are made.
    pub(super) fn changes(&self) -> Vec<(String, String)> {
        let generations = self.generations.map(|count| count.to_string());
        let generations = generations.map(|text| (GENERATIONS.to_owned(), text));
        let until = self.until.clone().map(|text| ("until".to_owned(), text));
        let given = self.parameters.iter().cloned();
        given.chain(generations).chain(until).collect()
    }
}

/// Reads one of some words, each of which stands for a value.
pub(super) fn one_of<T: Copy + Send + Sync + 'static>(
    words: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    let names = words.iter().map(|(name, _)| *name);
    PossibleValuesParser::new(names).map(|word| {
        let found = words.iter().find(|(name, _)| *name == word);
        found.expect("no other word is possible").1
    })
}

/// Reads one of the words that a function lists, or a text of another kind. The words are listed
/// only where the option is given or its help is printed, so that reading them from a file of data
/// costs other commands nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListedWords {
    /// The words.
    pub(super) list: fn() -> Vec<&'static str>,
    /// Whether a text that is none of the words is taken as it is.
    pub(super) is_other: fn(&str) -> bool,
}

impl ListedWords {
    /// Reads one of these words only.
    pub(super) const fn of(list: fn() -> Vec<&'static str>) -> Self {
        let is_other = |_: &str| false;
        Self { list, is_other }
    }
}

impl TypedValueParser for ListedWords {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        match value.to_str() {
            Some(text) if (self.is_other)(text) => Ok(text.to_owned()),
            _ => PossibleValuesParser::new((self.list)()).parse_ref(command, argument, value),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.list)().into_iter().map(PossibleValue::new)))
    }
}

/// Checks a condition and returns its text.
fn condition(text: &str) -> Result<String, String> {
    EarlyEnd::parse(text).map(|_| text.to_owned())
}

/// What ends a run before its last generation.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum EarlyEnd {
    /// A column reaches a bound.
    Bound(StopCondition),
    /// Another breakpoint is met.
    Breakpoint(Breakpoint),
    /// It has gone on for this time.
    Time(Duration),
}

impl EarlyEnd {
    fn parse(text: &str) -> Result<Self, String> {
        if let Some(time) = text.trim().strip_prefix("time:") {
            let time = humantime::parse_duration(time);
            return time.map(Self::Time).map_err(|error| error.to_string());
        }
        match Breakpoint::parse(text) {
            Ok(Breakpoint::Bound(bound)) => Ok(Self::Bound(bound)),
            Ok(breakpoint) => Ok(Self::Breakpoint(breakpoint)),
            Err(_) => Err(format!(
                "`{text}` is not a condition; write COLUMN>=NUMBER or COLUMN<=NUMBER, such as \
                accuracy_states>=0.99, or for a single run plateau:100, beats:random or time:10m"
            )),
        }
    }
}

/// Options of a run.
#[derive(Clone, Debug, Args)]
pub(super) struct RunOptions {
    /// Run without the dashboard. Automatic without a terminal, and with --until, --json or
    /// --tensorboard.
    #[arg(long)]
    pub(super) headless: bool,
    #[command(flatten)]
    pub(super) changes: PresetOptions,
    /// Random seed [default: a random one].
    #[arg(long, value_name = "S")]
    pub(super) seed: Option<u64>,
    /// Generations per second on screen: 1, 2, 5, 10, 25, 50, 100, 250, 500 or full [default: the
    /// preset's].
    #[cfg(feature = "dashboard")]
    #[arg(long, value_name = "PACE", value_parser = Pace::parse)]
    pub(super) pace: Option<Pace>,
    /// Pause on screen at a breakpoint, or end without one: best, mistake, plateau:N,
    /// beats:PLAYER, generation:N, 'COLUMN>=X' or 'COLUMN<=X'.
    #[arg(long = "break", value_name = "BREAKPOINT", value_parser = Breakpoint::parse)]
    pub(super) breakpoints: Vec<Breakpoint>,
    #[command(flatten)]
    pub(super) workers: ThreadsOption,
    #[command(flatten)]
    pub(super) saves: SavesOption,
    /// Time between checkpoints in seconds. Default: 10, or more where a checkpoint takes so long
    /// that saving would take over 3% of the time.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) checkpoint_every: Option<f64>,
    /// Keep the rows of every N-th generation only, those with a new best objective, and that of
    /// the last, in the run's folder and on standard output: long runs take less room. A resumed
    /// run goes on as before.
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u64).range(1..),
    )]
    pub(super) rows_every: Option<u64>,
    /// Do not save the run.
    #[arg(long)]
    pub(super) no_save: bool,
    #[command(flatten)]
    pub(super) cost: CostOption,
    /// Print one JSON object per generation.
    #[arg(long)]
    pub(super) json: bool,
    /// Write the metrics for TensorBoard while the run goes on, to a folder of its name in this
    /// one.
    #[arg(long, value_name = "DIR")]
    pub(super) tensorboard: Option<PathBuf>,
    #[cfg(feature = "dashboard")]
    #[command(flatten)]
    pub(super) terminal: TerminalOptions,
    /// Panic in this generation, for tests.
    #[arg(long, hide = true)]
    pub(super) panic_at: Option<u64>,
    /// Where to panic.
    #[arg(
        long,
        hide = true,
        default_value = "game",
        requires = "panic_at",
        value_parser = one_of(&FAULTS),
    )]
    pub(super) panic_in: FaultLocation,
}

const FAULTS: [(&str, FaultLocation); 3] = [
    ("game", FaultLocation::Game),
    ("worker", FaultLocation::Worker),
    ("screen", FaultLocation::Screen),
];

impl RunOptions {
    /// What the options say about the runs of the program.
    pub(super) fn launch(&self, log: LogBuffer) -> LaunchOptions {
        LaunchOptions {
            is_saving: !self.no_save,
            allow_cost: self.cost.yes,
            threads: mpi::threads(self.workers.threads),
            generations: self.changes.generations,
            #[cfg(feature = "dashboard")]
            pace: self.pace,
            breakpoints: self.breakpoints.clone(),
            checkpoint_every: self.checkpoint_every.map(Duration::from_secs_f64),
            rows_every: self.rows_every,
            injected_fault: self.injected_fault(),
            ..LaunchOptions::new(self.saves.open(), log)
        }
    }

    fn injected_fault(&self) -> Option<InjectedFault> {
        let location = self.panic_in;
        self.panic_at.map(|generation| InjectedFault {
            generation,
            location,
        })
    }

    /// The event file of the run that is about to start or to continue, if one is wanted.
    pub(super) fn events(&self, run: &PreparedRun) -> Result<Option<EventFile>, CliError> {
        let Some(folder) = &self.tensorboard else {
            return Ok(None);
        };
        let session = &run.session;
        let named = || format!("{}-{}", session.preset().name, session.seed());
        let run = run.saved_as().unwrap_or_else(named);
        let columns: Vec<String> = session.columns().names().map(str::to_owned).collect();
        let began = (session.initial_preset(), session.seed());
        let mut opened = EventFile::open(folder, &run, &columns, began);
        if session.generation() == 0 {
            opened = opened.and_then(EventFile::emptied);
        }
        let events = opened.map_err(|error| {
            CliError::Failure(format!(
                "TensorBoard's events can't be written: {error}; name another folder with \
                --tensorboard"
            ))
        })?;
        Ok(Some(events))
    }

    /// What ends the run. A bound takes the place of its preset's.
    pub(super) fn until(&self) -> Option<EarlyEnd> {
        let until = self.changes.until.as_deref();
        until.and_then(|text| EarlyEnd::parse(text).ok())
    }

    /// The preset with the changes from the command line. What ends this run is no part of it.
    pub(super) fn apply(&self, preset: &Preset) -> Result<Preset, CliError> {
        let mut changes = self.changes.clone();
        changes.until = None;
        Ok(preset.with(&changes.changes())?)
    }
}
