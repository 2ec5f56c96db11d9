//! The screens and the overlays.

pub mod arena;
pub mod compare;
pub mod experiment;
mod first_layer;
pub mod games;
pub mod help;
pub mod home;
pub mod log;
mod move_marks;
pub mod net;
pub mod parameters;
mod placeholder;
pub mod play;
pub mod population;
pub mod run;
pub mod waiting;

use crate::ui::jobs::Waker;
use crate::ui::screen::Screen;

use self::arena::ArenaScreen;
use self::compare::CompareScreen;
use self::games::GamesScreen;
use self::home::Home;
use self::log::LogScreen;
use self::net::NetScreen;
use self::parameters::ParameterEditor;
use self::play::PlayScreen;
use self::population::PopulationScreen;
use self::run::RunScreen;

/// All screens in the order of their tabs.
pub fn all(home: Home, waker: &Waker) -> Vec<Box<dyn Screen>> {
    vec![
        Box::new(RunScreen::default()),
        Box::new(None::<PopulationScreen>),
        Box::new(None::<NetScreen>),
        Box::new(None::<PlayScreen>),
        Box::new(ParameterEditor::default()),
        Box::new(LogScreen::default()),
        Box::new(None::<GamesScreen>),
        Box::new(CompareScreen::new(waker.clone())),
        Box::new(ArenaScreen::new(waker.clone())),
        Box::new(home),
    ]
}
