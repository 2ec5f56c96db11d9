//! Keys and mouse bindings. Each screen declares its own; they define the dispatch, the hints in
//! the last row and the help.

use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::mouse::Wheel;

mod active;
pub mod layout;
mod table;

pub use self::active::{Keymap, action, bindings, install, label, named, overrides, wheel};
pub(crate) use self::table::keys;
pub use self::table::{CostAction, GlobalAction, QuitAction};

/// A set of keys: those of a screen, of an overlay, or the global ones.
#[derive(Clone, Copy)]
pub struct Scope {
    /// The name in files.
    pub name: &'static str,
    /// The default keys, in the order of the hints.
    pub keys: &'static [Binding],
    /// Whether the global keys work too. The scope's own keys take precedence.
    pub has_globals: bool,
}

impl Scope {
    /// The keys of a screen.
    pub const fn of_screen(name: &'static str, keys: &'static [Binding]) -> Self {
        Self {
            name,
            keys,
            has_globals: true,
        }
    }

    /// Keys that work without the global ones.
    pub const fn alone(name: &'static str, keys: &'static [Binding]) -> Self {
        Self {
            name,
            keys,
            has_globals: false,
        }
    }
}

impl PartialEq for Scope {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Scope {}

impl fmt::Debug for Scope {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name)
    }
}

/// The action of a key: of the whole dashboard, of several screens, or one screen's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    // Everywhere
    Fork,
    Help,
    Quit,
    GoRun,
    GoNet,
    GoPlay,
    GoParameters,
    GoPopulation,
    GoLog,
    GoGames,
    GoRuns,
    GoArena,
    GoHome,
    NextTheme,
    NextPane,
    Zoom,
    Back,
    /// Acts on the target under the pointer.
    Click,
    // Lists and boards
    Up,
    Down,
    Left,
    Right,
    Enter,
    PageUp,
    PageDown,
    First,
    Last,
    Filter,
    Export,
    // Charts
    NextXAxis,
    ToggleLogScale,
    WindowWider,
    WindowNarrower,
    NextMetric,
    PreviousMetric,
    ReadValues,
    FarLeft,
    FarRight,
    // Games and champions
    PreviousMove,
    NextMove,
    OlderChampion,
    NewerChampion,
    SearchDeeper,
    SearchShallower,
    /// An action of one screen or dialog alone, by its name in files.
    Own(&'static str),
}

/// Declares the actions of one screen or dialog alone, with their names in files.
macro_rules! own_actions {
    ($(#[$doc:meta])* $view:vis enum $all:ident {
        $($(#[$what:meta])* $action:ident = $name:literal,)+
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $view enum $all { $($(#[$what])* $action),+ }

        impl $all {
            /// The action of a key.
            $view const fn action(self) -> $crate::keymap::Action {
                $crate::keymap::Action::Own(match self { $(Self::$action => $name),+ })
            }

            /// The own action that the action of a key is.
            #[allow(dead_code, reason = "not every place reads them")]
            $view fn of(action: $crate::keymap::Action) -> Option<Self> {
                match action {
                    $($crate::keymap::Action::Own($name) => Some(Self::$action),)+
                    _ => None,
                }
            }
        }
    };
}
pub(crate) use own_actions;

/// Opposite actions, in the order in which a screen names them.
const PAIRS: [(Action, Action); 16] = [
    (Action::Up, Action::Down),
    (Action::Left, Action::Right),
    (Action::FarLeft, Action::FarRight),
    (Action::PageUp, Action::PageDown),
    (Action::First, Action::Last),
    (GlobalAction::Slower.action(), GlobalAction::Faster.action()),
    (Action::WindowWider, Action::WindowNarrower),
    (Action::NextMetric, Action::PreviousMetric),
    (Action::PreviousMove, Action::NextMove),
    (Action::OlderChampion, Action::NewerChampion),
    (Action::SearchDeeper, Action::SearchShallower),
    // Of one screen each.
    (
        Action::Own("older_population"),
        Action::Own("newer_population"),
    ),
    (Action::Own("decrease"), Action::Own("increase")),
    (Action::Own("decrease_far"), Action::Own("increase_far")),
    (Action::Own("higher_bound"), Action::Own("lower_bound")),
    (Action::Own("fewer_games"), Action::Own("more_games")),
];

impl Action {
    /// The rows by which it moves the cursor of a list with `page` rows on a page, if it does.
    pub fn rows(self, page: i32) -> Option<i32> {
        match self {
            Self::Up => Some(-1),
            Self::Down => Some(1),
            Self::PageUp => Some(-page),
            Self::PageDown => Some(page),
            Self::First => Some(i32::MIN / 2),
            Self::Last => Some(i32::MAX / 2),
            _ => None,
        }
    }

    /// How many steps the action moves the crosshair of charts; `None` if it does not.
    pub fn crosshair_steps(self) -> Option<i64> {
        match self {
            Self::Left => Some(-1),
            Self::Right => Some(1),
            Self::FarLeft => Some(-10),
            Self::FarRight => Some(10),
            Self::First => Some(i64::MIN),
            Self::Last => Some(i64::MAX),
            _ => None,
        }
    }

    /// The name in files: `NextMetric` becomes `next_metric`.
    pub fn name(self) -> String {
        if let Self::Own(name) = self {
            return name.to_owned();
        }
        let mut name = String::new();
        for letter in format!("{self:?}").chars() {
            if letter.is_ascii_uppercase() && !name.is_empty() {
                name.push('_');
            }
            name.push(letter.to_ascii_lowercase());
        }
        name
    }

    /// The pair of opposite actions that this one belongs to.
    pub fn pair(self) -> Option<(Self, Self)> {
        PAIRS
            .into_iter()
            .find(|&(one, other)| one == self || other == self)
    }
}

/// A key binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    pub key: Key,
    pub action: Action,
    /// The description for the help.
    pub help: &'static str,
    /// A short label for the last row; empty for none.
    pub hint: &'static str,
}

/// A key, independent of how the terminal reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Char(char),
    Code(KeyCode),
    Shift(KeyCode),
    /// With exactly these modifiers, not shift alone.
    With(KeyModifiers, KeyCode),
    /// A mouse click, listed for the help. [`wheel`] looks up the wheel.
    Click,
    Wheel(Wheel),
}

impl Key {
    pub(super) fn matches(self, event: KeyEvent) -> bool {
        if let Self::With(held, code) = self {
            return event.code == code && event.modifiers == held;
        }
        let shift = event.modifiers.contains(KeyModifiers::SHIFT);
        let plain = !event
            .modifiers
            .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        plain
            && match self {
                Self::Char(wanted) => event.code == KeyCode::Char(wanted),
                Self::Code(code) => event.code == code && !shift,
                Self::Shift(code) => event.code == code && shift,
                Self::With(..) | Self::Click | Self::Wheel(_) => false,
            }
    }

    /// Whether this is a key and not the mouse.
    pub fn is_pressed(self) -> bool {
        !matches!(self, Self::Click | Self::Wheel(_))
    }

    /// The key's name on screen.
    pub fn label(self) -> String {
        let name = |code: KeyCode| match code {
            KeyCode::Enter => "enter".to_owned(),
            KeyCode::Esc => "esc".to_owned(),
            KeyCode::Tab => "tab".to_owned(),
            KeyCode::Up => "↑".to_owned(),
            KeyCode::Down => "↓".to_owned(),
            KeyCode::Left => "←".to_owned(),
            KeyCode::Right => "→".to_owned(),
            KeyCode::PageUp => "pgup".to_owned(),
            KeyCode::PageDown => "pgdn".to_owned(),
            KeyCode::Home => "home".to_owned(),
            KeyCode::End => "end".to_owned(),
            KeyCode::Backspace => "backspace".to_owned(),
            KeyCode::Char(' ') => "space".to_owned(),
            KeyCode::Char(letter) => letter.to_string(),
            KeyCode::F(number) => format!("f{number}"),
            other => format!("{other:?}").to_lowercase(),
        };
        match self {
            Self::Char(letter) => name(KeyCode::Char(letter)),
            Self::With(held, code) => held_label(held) + &name(code),
            Self::Code(code) => name(code),
            Self::Shift(code) => format!("shift-{}", name(code)),
            Self::Click => "click".to_owned(),
            Self::Wheel(_) => "wheel".to_owned(),
        }
    }
}

/// The names of modifiers, each followed by a hyphen.
fn held_label(held: KeyModifiers) -> String {
    let known = [
        (KeyModifiers::CONTROL, "ctrl-"),
        (KeyModifiers::ALT, "alt-"),
        (KeyModifiers::SUPER, "cmd-"),
        (KeyModifiers::SHIFT, "shift-"),
    ];
    let held = known.into_iter().filter(|(key, _)| held.contains(*key));
    held.map(|(_, label)| label).collect()
}
