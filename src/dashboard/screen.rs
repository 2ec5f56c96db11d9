//! A screen as the dashboard sees it, and what they exchange: events, click targets and effects. It
//! knows no particular screen.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use crate::jobs::WantedAnswers;
use crate::keymap::{self, Action, Binding, Key, Scope};
use crate::model::champions::InspectedPlayer;
use crate::model::context::Context;
use crate::model::fork::ForkRequest;
use crate::model::run::RunState;
use crate::mouse::{Regions, Wheel};
use crate::settings::PlaySetup;
use finches_engine::outside::OutsideSpec;
use finches_engine::preset::Preset;
use finches_runs::run::RunInfo;
use finches_runs::run::message::{RunCommand, RunEvent};
use finches_runs::storage::saves::{RunFile, SavedRunEntry, Saves};

/// The smallest terminal (columns, rows) that shows the panes; smaller ones show a summary card.
pub const MIN_SIZE: (u16, u16) = (60, 18);

/// A screen of the dashboard.
pub trait Screen: Any {
    fn tab(&self) -> Tab;

    /// What the dashboard has to know of its state.
    fn state(&self, _context: &Context) -> ScreenState {
        ScreenState::default()
    }

    /// Prepares it for being shown. `Err` says what has to be done first.
    fn open(&mut self, _context: &mut Context) -> Result<Effects, String> {
        Ok(Vec::new())
    }

    /// Handles a key or the wheel: the action that is bound to it, unless text is being typed.
    fn press(&mut self, input: ScreenInput, context: &mut Context) -> Effects {
        let action = input.action(self.tab().scope);
        action.map_or_else(Vec::new, |action| self.act(action, context))
    }

    /// Handles an action. Those of other places are returned as [`Effect::Do`].
    fn act(&mut self, action: Action, _context: &mut Context) -> Effects {
        vec![Effect::Do(action)]
    }

    /// Handles a click on a target that [`Screen::view`] has returned. Actions are handled by
    /// [`Screen::act`].
    fn click(&mut self, _target: &ClickTarget, _cell: Position, _context: &mut Context) -> Effects {
        Vec::new()
    }

    /// Takes note of an event, also while another screen is shown.
    fn receive(&mut self, _event: &ScreenEvent<'_>, _context: &mut Context) {}

    /// Does what had to wait until a frame was drawn. Returns whether another frame is due.
    fn after_frame(&mut self, _context: &mut Context) -> bool {
        false
    }

    /// Advances the time while it is shown. Returns whether a frame is due.
    fn tick(&mut self, _passed: Duration, _context: &mut Context) -> bool {
        false
    }

    /// The hint of one of its own keys; empty for none.
    fn hint(&self, binding: &Binding, _context: &Context) -> &'static str {
        binding.hint
    }

    /// Its state in a few lines, for terminals that are too small for it; `None` for the state of
    /// the run.
    fn summary(&self, _context: &Context, _width: u16) -> Option<Vec<Line<'static>>> {
        None
    }

    /// Draws it and returns what can be clicked.
    fn view(&self, context: &Context, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget>;
}

/// What the dashboard has to know of the state of a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScreenState {
    /// Whether it has content.
    pub can_open: bool,
    /// The keys that the last row lists.
    pub hints: KeyHints,
    /// Whether work is running that quitting waits for.
    pub is_working: bool,
    /// The time until its next change, if any.
    pub due: Option<Duration>,
}

impl Default for ScreenState {
    fn default() -> Self {
        Self {
            can_open: true,
            hints: KeyHints::OwnFirst,
            is_working: false,
            due: None,
        }
    }
}

/// What a screen is pressed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScreenInput {
    Key(KeyEvent),
    Wheel(Wheel),
}

impl ScreenInput {
    /// The action that is bound to it in a scope.
    pub fn action(self, scope: Scope) -> Option<Action> {
        match self {
            Self::Key(key) => keymap::action(scope, key),
            Self::Wheel(wheel) => keymap::wheel(scope, wheel),
        }
    }
}

/// When a screen is made.
#[derive(Clone, Copy)]
pub enum Made {
    /// With each run, or with the champions of a saved run.
    PerRun(MakeScreen),
    /// The same, but of a run only when it is opened.
    WhenOpened(MakeScreen),
}

/// Makes a screen for a run and, if it is saved, its place.
pub type MakeScreen = fn(&RunInfo, Option<(Saves, String)>, &mut Context) -> Box<dyn Screen>;

/// A screen in the row of tabs.
pub struct TabbedScreen {
    pub tab: Tab,
    /// `None` for a screen that is there from the start.
    pub made: Option<Made>,
    /// `None` before there is what it shows.
    pub screen: Option<Box<dyn Screen>>,
}

impl TabbedScreen {
    /// A screen that is there from the start.
    pub fn ready(screen: impl Screen) -> Self {
        Self {
            tab: screen.tab(),
            made: None,
            screen: Some(Box::new(screen)),
        }
    }

    /// A screen that shows a run.
    pub fn of_run(tab: Tab, made: Made) -> Self {
        Self {
            tab,
            made: Some(made),
            screen: None,
        }
    }

    /// Whether it has content.
    pub fn can_open(&self, context: &Context) -> bool {
        match &self.screen {
            Some(screen) => screen.state(context).can_open,
            None => matches!(self.made, Some(Made::WhenOpened(_))) && context.run.is_some(),
        }
    }
}

/// The tab of a screen. A screen without the global keys has a header of its own, in place of the
/// run and the tabs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tab {
    pub name: &'static str,
    /// A shorter name for narrow terminals.
    pub short: &'static str,
    /// The action that opens the screen, its key, and what that is for.
    pub action: Action,
    pub key: char,
    pub purpose: &'static str,
    /// The keys of the screen.
    pub scope: Scope,
}

/// The keys that the last row lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyHints {
    /// The screen's own keys.
    Own,
    /// The screen's own keys, then the global ones.
    OwnFirst,
    /// The screen's own keys, then the first global one.
    OwnThenOne,
    /// The same; `Back` is listed too, since digits are typed and don't open screens.
    Typing,
    GlobalFirst,
}

impl Tab {
    /// The key that opens the screen.
    pub fn binding(&self) -> Binding {
        Binding {
            key: Key::Char(self.key),
            action: self.action,
            help: self.purpose,
            hint: "",
        }
    }
}

/// Something that happens outside of a screen.
pub enum ScreenEvent<'a> {
    /// An event of the run. [`Context::run`] does not include it yet.
    Run(&'a RunEvent),
    /// Another run is shown: [`Context::run`].
    RunShown,
    /// The current screen is about to be left for another. Only it receives this.
    Left,
    /// Background work may have results: take those that have arrived, or wait for all.
    Answered(WantedAnswers),
    /// Brings what the current screen shows up to date, after events and results. Only it receives
    /// this.
    Refresh,
    /// How the user wants to play.
    PlaySetUp(PlaySetup),
    /// An outside program is to make the opponent's moves, each within this time.
    ProgramChosen(&'a OutsideSpec, Duration),
    SavedRunsListed(&'a [SavedRunEntry]),
    /// Work is to be stopped and saved before quitting.
    Stopping,
    PlayerInspected(&'a InspectedPlayer),
    /// A player is to be the user's opponent.
    OpponentChosen(&'a InspectedPlayer),
    /// The parameters of a preset are to be edited.
    PresetOpened(&'a Preset),
    PresetChanged(&'a Preset),
    /// The run is to be forked, and the branches are to be shown.
    ForkRequested(&'a ForkRequest),
    /// These saved runs are to be compared.
    RunsToCompare(&'a [String]),
    /// The experiment in this folder is to be shown.
    ExperimentToShow(&'a Path),
    /// The games of these files are to be listed.
    GamesToOpen(&'a [PathBuf]),
}

/// The target of a click.
#[derive(Clone, Debug)]
pub enum ClickTarget {
    /// An action, as of a key.
    Do(Action),
    /// A row of the screen's list.
    Row(usize),
    /// A target of a type that only the screen knows.
    Own(Rc<dyn Any>),
}

impl ClickTarget {
    pub fn own(target: impl Any) -> Self {
        Self::Own(Rc::new(target))
    }

    /// A target of the screen's own type.
    pub fn as_own<T: Any>(&self) -> Option<&T> {
        match self {
            Self::Own(target) => target.downcast_ref(),
            Self::Do(_) | Self::Row(_) => None,
        }
    }
}

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

/// What a screen wants of the rest of the program.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// An action that is not the screen's own, such as opening another screen.
    Do(Action),
    /// Inspect a network.
    Inspect(InspectedPlayer),
    /// Play against a network.
    PlayAgainst(InspectedPlayer),
    /// Edit the parameters of a preset.
    EditPreset(Box<Preset>),
    /// The parameters of a preset have been edited.
    PresetChanged(Box<Preset>),
    /// What goes beyond the screens.
    Ask(Request),
}

/// What needs the run, files, or the end of the dashboard, and not the screens.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    Send(RunCommand),
    Start(Box<Preset>),
    /// Start a run with a given seed.
    Replay(Box<RunFile>),
    /// Start the run whose cost the user has agreed to.
    StartCostly,
    /// Resume a saved run.
    Open(String),
    /// Open a saved run, paused, with the dialog in which it is forked.
    Fork(String),
    /// Play a saved run's champion.
    Play(String),
    /// Delete a saved run.
    Delete(String),
    /// Give a saved run another name.
    Rename {
        run: String,
        name: String,
    },
    /// Replace the tags of a saved run.
    Tag {
        run: String,
        tags: Vec<String>,
    },
    /// Open the folder of a saved run in the file manager.
    OpenFolder(String),
    /// List the saved runs again.
    Rescan,
    /// Write a file for the user.
    Export(ExportFile),
    Leave(ExitMode),
}

pub type Effects = Vec<Effect>;

pub type Requests = Vec<Request>;

/// The effects of an action that a screen has passed on, if it has.
pub fn passed(action: Option<Action>) -> Effects {
    action.map(Effect::Do).into_iter().collect()
}

/// Sends a command to the run, if there is one that can handle it.
pub fn send(command: RunCommand, context: &mut Context) -> Requests {
    if context.refuse_followed() {
        return Vec::new();
    }
    match &context.run {
        Some(run) if run.state != RunState::Error => vec![Request::Send(command)],
        _ => Vec::new(),
    }
}

/// The notice that a screen needs a run first, with the key of an action of the Home screen.
pub fn start_first(action: &'static str, what: &str) -> String {
    let key = keymap::label(keymap::named("home"), Action::Own(action));
    format!("start a run first, or press {key} on {what}")
}

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
