//! Every key of the dashboard, and what the mouse does, once: from this table come the dispatch, the hints on the last row and the help overlay.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::mouse::Wheel;

mod table;

pub use self::table::BINDINGS;
pub use super::keys::{Keymap, action, adopt, bindings, label, wheel};

/// Where a key means something. A screen's own keys come before the global ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    Global,
    Home,
    Run,
    Net,
    Population,
    Play,
    Knobs,
    Log,
    Games,
    Compare,
    Arena,
    /// The dashboard of an experiment, where the global keys mean nothing.
    Experiment,
    /// The help overlay.
    Help,
    /// The quit dialog.
    Quit,
}

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    // Everywhere
    PauseResume,
    Step,
    Freeze,
    Save,
    Help,
    Quit,
    GoRun,
    GoNet,
    GoPlay,
    GoKnobs,
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
    /// Means what lies under the pointer.
    Point,
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
    GamesAxis,
    LogAxis,
    WindowWider,
    WindowNarrower,
    NextMetric,
    Read,
    FarLeft,
    FarRight,
    NewSample,
    NextGame,
    PlyBack,
    PlyForward,
    Autoplay,
    // Play
    Clock,
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
    LookFurther,
    LookLess,
    ShowValues,
    // Net
    AllLinks,
    Activity,
    // Net, Log, Games
    Export,
    // Population
    NextOrder,
    Reverse,
    Meet,
    // Log
    LeastLevel,
    Follow,
    // Games
    OtherJudge,
    Import,
    // Knobs
    NudgeDown,
    NudgeUp,
    NudgeDownFar,
    NudgeUpFar,
    Default,
    AllDefaults,
    Apply,
    Discard,
    // Compare
    ClearChosen,
    ReadAgain,
    GroupRuns,
    HigherBound,
    LowerBound,
    ExportRuns,
    // Arena
    AddOlder,
    AddSearch,
    NextSearch,
    TakeOff,
    FewerGames,
    MoreGames,
    StopGames,
    // Experiment
    PreviousMetric,
    SameAxes,
    // Quit dialog
    SaveAndQuit,
    QuitNow,
    HandOver,
}

/// One key of one scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    pub scope: Scope,
    pub key: Key,
    pub action: Action,
    /// What it does, for the help overlay.
    pub words: &'static str,
    /// A word or two for the last row, or nothing.
    pub hint: &'static str,
}

/// A key without regard to how the terminal reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Char(char),
    Code(KeyCode),
    Shift(KeyCode),
    /// With exactly these held, one of which is not shift.
    With(KeyModifiers, KeyCode),
    /// The mouse, which stands here for its words; [`wheel`] looks the wheel up.
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

    /// Whether it is a key at all, and not the mouse.
    pub fn is_pressed(self) -> bool {
        !matches!(self, Self::Click | Self::Wheel(_))
    }

    /// The key as it is written on screen.
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

/// Keys that are held, each followed by a hyphen.
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
            action(Scope::Knobs, key(KeyCode::Esc)),
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
