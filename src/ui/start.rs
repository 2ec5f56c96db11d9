//! What the dashboard is opened with, how it is opened so, and how it is left.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use thiserror::Error;

use crate::games::Side;
use crate::journal::Journal;
use crate::preset::{Intervention, Preset};
use crate::run::{Bug, Run};
use crate::storage::StorageError;
use crate::storage::saves::Saves;

use super::app::Model;
use super::driver::Driver;
use super::theme::choice::{Colors, Wanted};

/// What the dashboard opens with.
#[derive(Clone, Debug)]
pub enum Start {
    Home,
    /// A new run.
    Fresh(Fresh),
    /// A saved run, which goes on.
    Saved(String),
    /// A run that another process evolves, or that has ended.
    Watch(String),
    /// The board, against the champion of a saved run.
    PlaySaved {
        run: String,
        side: Side,
        generation: Option<u64>,
    },
    /// The board, against the champion of a new run as it evolves.
    PlayFresh {
        run: Fresh,
        side: Side,
    },
}

/// A run at its beginning.
#[derive(Clone, Debug)]
pub struct Fresh {
    pub preset: Box<Preset>,
    pub seed: u64,
    /// Settings to be turned on the way, as an earlier run recorded them.
    pub interventions: Vec<Intervention>,
}

/// How the dashboard works.
#[derive(Clone, Debug)]
pub struct Settings {
    pub saves: Saves,
    /// Whether new runs are saved.
    pub save: bool,
    pub threads: usize,
    pub terminal: TerminalUse,
    /// The seed of runs started on the home screen; drawn for each where there is none.
    pub seed: Option<u64>,
    /// The generation at which a resumed run stops, where the command line says so.
    pub generations: Option<u64>,
    /// Time from one checkpoint to the next.
    pub checkpoint_every: Duration,
    /// What the program tells of itself.
    pub journal: Journal,
    /// A bug to order, to see that all ends well; never set in earnest.
    pub bug: Option<Bug>,
}

/// What is used of the terminal.
#[derive(Clone, Copy, Debug)]
pub struct TerminalUse {
    /// Draw with ASCII only.
    pub ascii: bool,
    /// Take clicks and the wheel, which the terminal then has no use of itself.
    pub mouse: bool,
    pub theme: Wanted,
    pub colors: Colors,
}

/// How the dashboard was left.
#[derive(Debug)]
pub enum Ending {
    /// The terminal is as it was; these lines tell what was done.
    Left { summary: Vec<String> },
    /// The run goes on without a screen.
    HandOver(Box<Run>),
    /// A signal, or Ctrl-C, came; the run is saved where there was time.
    Signalled { signal: i32, summary: Vec<String> },
}

/// Why the dashboard could not open.
#[derive(Debug, Error)]
pub enum UiError {
    #[error("the terminal: {0}")]
    Terminal(#[from] std::io::Error),
    #[error(transparent)]
    Storage(#[from] StorageError),
    #[error("{0}")]
    Unusable(String),
}

/// Does what the dashboard was opened for.
pub(super) fn open(start: Start, driver: &mut Driver, model: &mut Model) -> Result<(), UiError> {
    match start {
        Start::Home => Ok(()),
        Start::Fresh(run) => driver.start(run, model),
        Start::Saved(name) => driver.open(&name, model),
        Start::Watch(name) => driver.follow(name, model),
        Start::PlaySaved {
            run,
            side,
            generation,
        } => {
            driver.play(&run, model)?;
            sit(model, side, generation);
            Ok(())
        }
        Start::PlayFresh { run, side } => {
            driver.start(run, model)?;
            model.press(KeyEvent::new(KeyCode::Char('4'), KeyModifiers::NONE));
            sit(model, side, None);
            Ok(())
        }
    }
}

/// Takes the seat that the command line asks for.
fn sit(model: &mut Model, side: Side, generation: Option<u64>) {
    if let Some(play) = &mut model.play {
        play.seat(side, generation);
    }
}
