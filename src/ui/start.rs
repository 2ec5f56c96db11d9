//! What the dashboard opens with, and how it is opened so.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::games::Side;
use crate::preset::{Intervention, Preset};

use super::UiError;
use super::app::Model;
use super::driver::Driver;

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
