//! The options of the dashboard, what it opens with, and how it exits.

use std::time::Duration;

use thiserror::Error;

use finches_engine::games::Side;
use finches_engine::metrics::breakpoint::Breakpoint;
use finches_engine::outside::OutsideSpec;
use finches_engine::play::pool::PoolError;
use finches_engine::preset::{Intervention, Preset};
use finches_lab::experiment::{ExperimentEnd, ExperimentError};
use finches_runs::log::LogBuffer;
use finches_runs::run::pace::Pace;
use finches_runs::run::{InjectedFault, Run};
use finches_runs::storage::StorageError;
use finches_runs::storage::saves::Saves;

use super::theme::choice::{ColorChoice, ThemeChoice};

/// What the dashboard shows first.
#[derive(Clone, Debug)]
pub enum DashboardStart {
    Home,
    /// A new run.
    New(NewRun),
    /// Resume a saved run.
    Saved(String),
    /// A run that another process evolves, or one that has ended.
    Watch(String),
    /// The Compare screen with these saved runs.
    Compare(Vec<String>),
    /// The Play screen against the champion of a saved run.
    PlaySaved {
        run: String,
        setup: PlaySetup,
        /// The outside program that plays in place of the champion, and its time for a move.
        program: Option<(OutsideSpec, Duration)>,
    },
    /// The Play screen against the champion of a new run as it evolves.
    PlayNew {
        run: NewRun,
        setup: PlaySetup,
    },
}

/// How the user wants to play.
#[derive(Clone, Copy, Debug)]
pub struct PlaySetup {
    /// The side of the user.
    pub side: Side,
    /// The generation of the champion; the newest if it is not given.
    pub generation: Option<u64>,
    /// The number of the champion's level; as it evolved if it is not given.
    pub level: Option<u8>,
}

/// A run to start.
#[derive(Clone, Debug)]
pub struct NewRun {
    pub preset: Box<Preset>,
    pub seed: u64,
    /// Parameter changes to replay, as recorded by an earlier run.
    pub interventions: Vec<Intervention>,
    /// What made it pause.
    pub breakpoints: Vec<Breakpoint>,
}

/// The settings of the dashboard.
#[derive(Clone, Debug)]
pub struct DashboardSettings {
    pub saves: Saves,
    /// Whether new runs are saved.
    pub save: bool,
    /// Whether runs may take much memory or disk without a question.
    pub allow_cost: bool,
    pub threads: usize,
    pub terminal: TerminalSettings,
    /// The seed of runs started on the home screen; random for each if `None`.
    pub seed: Option<u64>,
    /// The generation at which a resumed run stops, if given on the command line.
    pub generations: Option<u64>,
    /// The pace of runs, if given on the command line.
    pub pace: Option<Pace>,
    /// What makes runs pause, if given on the command line.
    pub breakpoints: Vec<Breakpoint>,
    /// Time between checkpoints.
    pub checkpoint_every: Duration,
    /// The log of the program.
    pub log: LogBuffer,
    /// A fault to inject, for tests.
    pub injected_fault: Option<InjectedFault>,
}

/// How the terminal is used.
#[derive(Clone, Copy, Debug)]
pub struct TerminalSettings {
    /// Draw with ASCII characters only.
    pub ascii: bool,
    /// Use mouse clicks and the wheel, which the terminal then cannot use itself.
    pub mouse: bool,
    /// Ring the bell when a breakpoint pauses a run.
    pub bell: bool,
    pub theme: ThemeChoice,
    pub colors: ColorChoice,
}

/// How the dashboard exited.
#[derive(Debug)]
pub enum DashboardExit {
    /// The user quit; `summary` describes the run, which has failed or not.
    Left { summary: Vec<String>, failed: bool },
    /// The run continues without a screen.
    HandOver(Box<Run>),
    /// A signal or Ctrl-C ended it; the run is saved unless there was a second one.
    Signaled { signal: i32, summary: Vec<String> },
}

/// How the dashboard of an experiment exited.
#[derive(Debug)]
pub struct ExperimentExit {
    /// How the experiment ended; `None` if the user did not wait for it to stop.
    pub ended: Option<Result<ExperimentEnd, ExperimentError>>,
    /// Runs with damaged files, to be reported after the terminal is restored.
    pub damaged: Vec<StorageError>,
    /// The first signal, or Ctrl-C.
    pub signal: Option<i32>,
}

/// Why the dashboard or a run could not open.
#[derive(Debug, Error)]
pub enum UiError {
    #[error("terminal error: {0}")]
    Terminal(#[from] std::io::Error),
    #[error(transparent)]
    Storage(#[from] StorageError),
    #[error(transparent)]
    Threads(#[from] PoolError),
    #[error("{0}")]
    Unusable(String),
}
