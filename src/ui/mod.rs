//! The dashboard: owns the terminal and a model built from a run's events alone. Nothing else draws or reads keys.

pub mod keymap;
pub mod theme;

use crate::preset::{Intervention, Preset};
use crate::run::Run;
use crate::storage::saves::Saves;

/// What the dashboard opens with.
#[derive(Debug)]
pub enum Start {
    Home,
    /// A new run.
    Fresh {
        preset: Box<Preset>,
        seed: u64,
        interventions: Vec<Intervention>,
    },
    /// A saved run, by name.
    Saved(String),
    /// The play screen.
    Play {
        source: PlaySource,
        generation: Option<u64>,
        as_second: bool,
    },
}

/// Whose champion is played.
#[derive(Debug)]
pub enum PlaySource {
    Saved(String),
    Fresh(Box<Preset>, u64),
}

/// What the command line says about every run of the dashboard.
#[derive(Debug)]
pub struct Settings {
    pub saves: Saves,
    pub save: bool,
    /// Threads to play games on, 0 for the default.
    pub threads: usize,
    pub ascii: bool,
    /// The seed of new runs; each gets a random one without it.
    pub seed: Option<u64>,
    /// The generation at which runs stop, where the command line says so.
    pub generations: Option<u64>,
}

/// How the dashboard ended.
#[derive(Debug)]
pub enum Ending {
    Left {
        summary: Vec<String>,
    },
    /// The run goes on without a screen.
    HandOver(Box<Run>),
    Signalled {
        signal: u8,
        summary: Vec<String>,
    },
}

/// Why there is no dashboard.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UiError(pub String);

/// Runs the dashboard until it is left.
pub fn run(_start: Start, _settings: Settings) -> Result<Ending, UiError> {
    Err(UiError("not merged".to_owned()))
}
