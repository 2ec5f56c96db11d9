//! The options of the dashboard, what it opens with, and how it exits.

use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use finches_engine::games::Side;
use finches_engine::outside::OutsideSpec;
use finches_lab::experiment::{ExperimentEnd, ExperimentError};
use finches_runs::launch::{LaunchError, LaunchOptions};
use finches_runs::run::Run;
use finches_runs::storage::StorageError;
use finches_runs::storage::saves::RunFile;

use super::theme::choice::{CharacterChoice, ColorChoice, ThemeChoice};

/// What the dashboard shows first.
#[derive(Clone, Debug)]
pub enum DashboardStart {
    Home,
    /// A new run.
    New(Box<RunFile>),
    /// Resume a saved run.
    Saved(String),
    /// A run that another process evolves, or one that has ended.
    Watch(String),
    /// The Runs screen with these saved runs.
    Runs(Vec<String>),
    /// The Runs screen with the experiment in a folder.
    Experiment(PathBuf),
    /// The Games screen of a saved run, with the games of these files.
    Games {
        run: String,
        files: Vec<PathBuf>,
    },
    /// The Play screen against the champion of a saved run.
    PlaySaved {
        run: String,
        setup: PlaySetup,
        /// The outside program that plays in place of the champion, and its time for a move.
        program: Option<(OutsideSpec, Duration)>,
    },
    /// The Play screen against the champion of a new run as it evolves.
    PlayNew {
        run: Box<RunFile>,
        setup: PlaySetup,
    },
}

/// How the user wants to play.
#[derive(Clone, Copy, Debug)]
pub struct PlaySetup {
    /// The side of the user; one that can win if it is not given.
    pub side: Option<Side>,
    /// The generation of the champion; the newest if it is not given.
    pub generation: Option<u64>,
    /// The number of the champion's level; as it evolved if it is not given.
    pub level: Option<u8>,
}

/// The settings of the dashboard.
#[derive(Clone, Debug)]
pub struct DashboardSettings {
    /// How runs are launched.
    pub launch: LaunchOptions,
    pub terminal: TerminalSettings,
    /// The seed of runs started on the home screen; random for each if `None`.
    pub seed: Option<u64>,
}

/// How the terminal is used.
#[derive(Clone, Copy, Debug)]
pub struct TerminalSettings {
    /// The characters to draw with.
    pub characters: CharacterChoice,
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
    Launch(#[from] LaunchError),
    #[error("{0}")]
    Unusable(String),
}
