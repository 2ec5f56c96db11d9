//! Every key and mouse binding of the dashboard, in one table. It defines the dispatch, the hints in the last row and the
//! help.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::mouse::Wheel;

mod active;
mod table;

pub use self::active::{Keymap, action, bindings, install, label, wheel};
pub use self::table::BINDINGS;

/// Where a binding applies. A screen's own keys take precedence over the global ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    Global,
    Home,
    Run,
    Net,
    Population,
    Play,
    Parameters,
    Log,
    Games,
    Compare,
    Arena,
    /// The dashboard of an experiment, which has no global keys.
    Experiment,
    /// The help overlay.
    Help,
    /// The quit dialog.
    Quit,
}

/// The action of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    // Everywhere
    PauseResume,
    Step,
    Faster,
    Slower,
    Freeze,
    Save,
    Help,
    Quit,
    GoRun,
    GoNet,
    GoPlay,
    GoParameters,
    GoPopulation,
    GoLog,
    GoGames,
    GoCompare,
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
    // Home
    PlaySaved,
    EditPreset,
    // Run
    NextXAxis,
    ToggleLogScale,
    WindowWider,
    WindowNarrower,
    NextMetric,
    ReadValues,
    FarLeft,
    FarRight,
    NewSample,
    NextGame,
    PreviousMove,
    NextMove,
    Autoplay,
    // Play
    ThinkingTime,
    MoveNow,
    TypeMove,
    Undo,
    Hint,
    SwapSides,
    NewGame,
    OlderChampion,
    OlderPopulation,
    NewerPopulation,
    NewerChampion,
    SearchDeeper,
    SearchShallower,
    ShowValues,
    // Net
    ShowAllEdges,
    Activity,
    // Net, Log, Games
    Export,
    // Population
    NextSort,
    ReverseSort,
    PlayMatches,
    // Log
    LogLevel,
    Follow,
    // Games
    NextAnalysis,
    Import,
    // Parameters
    Decrease,
    Increase,
    DecreaseFar,
    IncreaseFar,
    ResetParameter,
    ResetAll,
    Apply,
    Discard,
    // Compare
    ClearSelection,
    Reload,
    GroupRuns,
    HigherBound,
    LowerBound,
    ExportRuns,
    // Arena
    AddOlder,
    AddSearch,
    NextSearch,
    RemovePlayer,
    FewerGames,
    MoreGames,
    StopGames,
    // Experiment
    PreviousMetric,
    ToggleSharedAxes,
    // Quit dialog
    SaveAndQuit,
    QuitNow,
    HandOver,
}

/// A key binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    pub scope: Scope,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_scope_binds_a_key_twice() {
        for (index, binding) in BINDINGS.iter().enumerate() {
            let again = BINDINGS[index + 1..]
                .iter()
                .find(|other| other.scope == binding.scope && other.key == binding.key);
            assert_eq!(again, None, "bound twice");
        }
    }

    #[test]
    fn a_screen_overrides_the_global_keys_and_overlays_hide_them() {
        let key = |code| KeyEvent::new(code, KeyModifiers::NONE);
        assert_eq!(
            action(Scope::Parameters, key(KeyCode::Esc)),
            Some(Action::Discard)
        );
        assert_eq!(action(Scope::Run, key(KeyCode::Esc)), Some(Action::Back));
        assert_eq!(action(Scope::Help, key(KeyCode::Char(' '))), None);
        assert_eq!(
            action(
                Scope::Run,
                KeyEvent::new(KeyCode::Char('s'), KeyModifiers::CONTROL)
            ),
            None
        );
    }
}
