//! What a screen and the dashboard exchange: click targets and effects.

use ratatui::layout::Rect;

use crate::preset::Preset;
use crate::run::message::RunCommand;
use crate::ui::keymap::Action;
use crate::ui::screens::compare::CompareTarget;
use crate::ui::screens::play::PartialMove;
use crate::ui::screens::run::layout::RunPane;
use crate::ui::screens::{parameters, population};

/// How to quit the dashboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitMode {
    /// Stop the run between two games and save it.
    SaveFirst,
    /// Quit without saving.
    Immediately,
    /// Continue the run without a screen.
    HandOver,
}

/// A request of the model to the outside.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    Send(RunCommand),
    Start(Box<Preset>),
    /// Resume a saved run.
    Open(String),
    /// Play a saved run's champion.
    Play(String),
    /// List the saved runs again.
    Rescan,
    /// Write a file for the user.
    Export(ExportFile),
    Leave(ExitMode),
}

pub type Effects = Vec<Effect>;

/// A text file to write for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportFile {
    /// The saved run that it belongs to, if any.
    pub run: Option<String>,
    /// The file name without and its extension.
    pub stem: String,
    pub ending: &'static str,
    pub text: String,
}

/// The target of a click.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClickTarget {
    /// An action, as of a key.
    Do(Action),
    /// A square of the board that belongs to a move.
    Move(PartialMove),
    /// An item of the Home screen, by index.
    Item(usize),
    /// A part of a parameter's row.
    Parameter(parameters::ParameterTarget),
    /// A part of the Population screen.
    Population(population::PopulationTarget),
    /// A pane of the Run screen.
    Pane(RunPane),
    Chart {
        pane: RunPane,
        body: Rect,
    },
    /// A part of the Compare screen.
    Compared(CompareTarget),
    /// A row of the screen's list.
    Row(usize),
    /// A move of the game shown, by its number.
    Ply(usize),
    /// A row in the Arena's list of players.
    ArenaPlayer(usize),
}
