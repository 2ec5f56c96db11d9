//! Every key of the dashboard, once: from this table come the dispatch, the hints on the last row and the help overlay.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Where a key means something. A screen's own keys come before the global ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    Global,
    Home,
    Run,
    Play,
    Knobs,
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
    GoPlay,
    GoKnobs,
    GoHome,
    NextPane,
    Zoom,
    Back,
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
    LogAxis,
    WindowWider,
    WindowNarrower,
    NextMetric,
    NewSample,
    NextGame,
    PlyBack,
    PlyForward,
    Autoplay,
    // Play
    TypeMove,
    Undo,
    Hint,
    SwapSides,
    NewGame,
    OlderChampion,
    NewerChampion,
    LookFurther,
    LookLess,
    ShowValues,
    // Knobs
    NudgeDown,
    NudgeUp,
    NudgeDownFar,
    NudgeUpFar,
    Default,
    AllDefaults,
    Apply,
    Discard,
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
}

impl Key {
    fn matches(self, event: KeyEvent) -> bool {
        let shift = event.modifiers.contains(KeyModifiers::SHIFT);
        let plain = !event
            .modifiers
            .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        plain
            && match self {
                Self::Char(wanted) => event.code == KeyCode::Char(wanted),
                Self::Code(code) => event.code == code && !shift,
                Self::Shift(code) => event.code == code && shift,
            }
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
            other => format!("{other:?}").to_lowercase(),
        };
        match self {
            Self::Char(' ') => "space".to_owned(),
            Self::Char(c) => c.to_string(),
            Self::Code(code) => name(code),
            Self::Shift(code) => format!("shift-{}", name(code)),
        }
    }
}

const fn bind(
    scope: Scope,
    key: Key,
    action: Action,
    words: &'static str,
    hint: &'static str,
) -> Binding {
    Binding {
        scope,
        key,
        action,
        words,
        hint,
    }
}

use Key::{Char, Code, Shift};

/// The table. Within a scope the order is that of the hints.
pub const BINDINGS: &[Binding] = &[
    bind(
        Scope::Global,
        Char(' '),
        Action::PauseResume,
        "pause or resume evolution",
        "pause",
    ),
    bind(
        Scope::Global,
        Char('n'),
        Action::Step,
        "one generation while paused",
        "step",
    ),
    bind(
        Scope::Global,
        Char('f'),
        Action::Freeze,
        "freeze the view, evolution goes on",
        "freeze",
    ),
    bind(Scope::Global, Char('s'), Action::Save, "save now", "save"),
    bind(
        Scope::Global,
        Code(KeyCode::Tab),
        Action::NextPane,
        "next pane",
        "pane",
    ),
    bind(
        Scope::Global,
        Char('z'),
        Action::Zoom,
        "pane to the whole screen and back",
        "zoom",
    ),
    bind(
        Scope::Global,
        Char('1'),
        Action::GoRun,
        "screen 1: the run",
        "",
    ),
    bind(
        Scope::Global,
        Char('4'),
        Action::GoPlay,
        "screen 4: play the champion",
        "",
    ),
    bind(
        Scope::Global,
        Char('5'),
        Action::GoKnobs,
        "screen 5: turn settings",
        "",
    ),
    bind(
        Scope::Global,
        Code(KeyCode::Esc),
        Action::Back,
        "back; never quits",
        "",
    ),
    bind(
        Scope::Global,
        Char('?'),
        Action::Help,
        "the keys of this screen",
        "help",
    ),
    bind(
        Scope::Global,
        Char('q'),
        Action::Quit,
        "quit; asks while a run goes on",
        "quit",
    ),
    bind(
        Scope::Home,
        Code(KeyCode::Enter),
        Action::Enter,
        "start the preset, resume the run",
        "start",
    ),
    bind(
        Scope::Home,
        Char('e'),
        Action::EditPreset,
        "change settings first",
        "edit",
    ),
    bind(
        Scope::Home,
        Char('p'),
        Action::PlaySaved,
        "play a saved run's champion",
        "play",
    ),
    bind(
        Scope::Home,
        Char('/'),
        Action::Filter,
        "type to filter the list",
        "filter",
    ),
    bind(Scope::Home, Code(KeyCode::Up), Action::Up, "up", ""),
    bind(Scope::Home, Code(KeyCode::Down), Action::Down, "down", ""),
    bind(Scope::Home, Char('k'), Action::Up, "up", ""),
    bind(Scope::Home, Char('j'), Action::Down, "down", ""),
    bind(
        Scope::Home,
        Code(KeyCode::PageUp),
        Action::PageUp,
        "a page up",
        "",
    ),
    bind(
        Scope::Home,
        Code(KeyCode::PageDown),
        Action::PageDown,
        "a page down",
        "",
    ),
    bind(
        Scope::Home,
        Code(KeyCode::Home),
        Action::First,
        "to the first",
        "",
    ),
    bind(
        Scope::Home,
        Code(KeyCode::End),
        Action::Last,
        "to the last",
        "",
    ),
    bind(
        Scope::Run,
        Char('m'),
        Action::NextMetric,
        "next metric in the main chart",
        "metric",
    ),
    bind(
        Scope::Run,
        Char('+'),
        Action::WindowWider,
        "a wider window of generations",
        "window",
    ),
    bind(
        Scope::Run,
        Char('-'),
        Action::WindowNarrower,
        "a narrower window",
        "",
    ),
    bind(
        Scope::Run,
        Char('y'),
        Action::LogAxis,
        "linear or logarithmic axis",
        "",
    ),
    bind(
        Scope::Run,
        Char('w'),
        Action::NewSample,
        "other sample games",
        "game",
    ),
    bind(
        Scope::Run,
        Char('g'),
        Action::NextGame,
        "the other sample game",
        "",
    ),
    bind(
        Scope::Run,
        Char(','),
        Action::PlyBack,
        "a move back in the sample game",
        "",
    ),
    bind(
        Scope::Run,
        Char('.'),
        Action::PlyForward,
        "a move forward",
        "",
    ),
    bind(
        Scope::Run,
        Char('a'),
        Action::Autoplay,
        "play the sample game by itself or not",
        "",
    ),
    bind(
        Scope::Run,
        Char('h'),
        Action::GoHome,
        "home: presets and saved runs",
        "home",
    ),
    bind(
        Scope::Run,
        Code(KeyCode::Enter),
        Action::Zoom,
        "pane to the whole screen",
        "",
    ),
    bind(
        Scope::Play,
        Code(KeyCode::Enter),
        Action::Enter,
        "make the move under the cursor or the typed one",
        "move",
    ),
    bind(
        Scope::Play,
        Code(KeyCode::Left),
        Action::Left,
        "cursor left",
        "",
    ),
    bind(
        Scope::Play,
        Code(KeyCode::Right),
        Action::Right,
        "cursor right",
        "",
    ),
    bind(Scope::Play, Code(KeyCode::Up), Action::Up, "cursor up", ""),
    bind(
        Scope::Play,
        Code(KeyCode::Down),
        Action::Down,
        "cursor down",
        "",
    ),
    bind(Scope::Play, Char('h'), Action::Left, "cursor left", ""),
    bind(Scope::Play, Char('l'), Action::Right, "cursor right", ""),
    bind(Scope::Play, Char('k'), Action::Up, "cursor up", ""),
    bind(Scope::Play, Char('j'), Action::Down, "cursor down", ""),
    bind(
        Scope::Play,
        Char('t'),
        Action::TypeMove,
        "type a move; so does a digit",
        "type",
    ),
    bind(Scope::Play, Char('/'), Action::TypeMove, "type a move", ""),
    bind(
        Scope::Play,
        Char('u'),
        Action::Undo,
        "take your last move back",
        "undo",
    ),
    bind(Scope::Play, Char('H'), Action::Hint, "a hint", "hint"),
    bind(
        Scope::Play,
        Char('c'),
        Action::SwapSides,
        "change sides in a new game",
        "side",
    ),
    bind(Scope::Play, Char('R'), Action::NewGame, "a new game", "new"),
    bind(
        Scope::Play,
        Char('['),
        Action::OlderChampion,
        "an older champion",
        "champion",
    ),
    bind(
        Scope::Play,
        Char(']'),
        Action::NewerChampion,
        "a newer champion",
        "",
    ),
    bind(
        Scope::Play,
        Char('+'),
        Action::LookFurther,
        "the champion looks a move further ahead",
        "depth",
    ),
    bind(
        Scope::Play,
        Char('-'),
        Action::LookLess,
        "the champion looks less far ahead",
        "",
    ),
    bind(
        Scope::Play,
        Char('v'),
        Action::ShowValues,
        "its value of each move on the board or not",
        "values",
    ),
    bind(
        Scope::Knobs,
        Code(KeyCode::Left),
        Action::NudgeDown,
        "a little less",
        "nudge",
    ),
    bind(
        Scope::Knobs,
        Code(KeyCode::Right),
        Action::NudgeUp,
        "a little more",
        "",
    ),
    bind(
        Scope::Knobs,
        Shift(KeyCode::Left),
        Action::NudgeDownFar,
        "ten times less",
        "",
    ),
    bind(
        Scope::Knobs,
        Shift(KeyCode::Right),
        Action::NudgeUpFar,
        "ten times more",
        "",
    ),
    bind(
        Scope::Knobs,
        Code(KeyCode::Enter),
        Action::Enter,
        "type a value",
        "type",
    ),
    bind(
        Scope::Knobs,
        Char('a'),
        Action::Apply,
        "apply what is pending at the next generation",
        "apply",
    ),
    bind(
        Scope::Knobs,
        Char('d'),
        Action::Default,
        "back to the default",
        "default",
    ),
    bind(
        Scope::Knobs,
        Char('D'),
        Action::AllDefaults,
        "everything back to the default",
        "",
    ),
    bind(
        Scope::Knobs,
        Char('u'),
        Action::Undo,
        "take the pending change of this knob back",
        "undo",
    ),
    bind(
        Scope::Knobs,
        Code(KeyCode::Esc),
        Action::Discard,
        "discard what is pending, then back",
        "",
    ),
    bind(Scope::Knobs, Code(KeyCode::Up), Action::Up, "up", ""),
    bind(Scope::Knobs, Code(KeyCode::Down), Action::Down, "down", ""),
    bind(Scope::Knobs, Char('k'), Action::Up, "up", ""),
    bind(Scope::Knobs, Char('j'), Action::Down, "down", ""),
    bind(
        Scope::Knobs,
        Code(KeyCode::PageUp),
        Action::PageUp,
        "a page up",
        "",
    ),
    bind(
        Scope::Knobs,
        Code(KeyCode::PageDown),
        Action::PageDown,
        "a page down",
        "",
    ),
    bind(
        Scope::Knobs,
        Code(KeyCode::Home),
        Action::First,
        "to the first",
        "",
    ),
    bind(
        Scope::Knobs,
        Code(KeyCode::End),
        Action::Last,
        "to the last",
        "",
    ),
    bind(
        Scope::Experiment,
        Char('m'),
        Action::NextMetric,
        "the next column in the charts",
        "column",
    ),
    bind(
        Scope::Experiment,
        Char('M'),
        Action::PreviousMetric,
        "the column before",
        "",
    ),
    bind(
        Scope::Experiment,
        Code(KeyCode::Enter),
        Action::Zoom,
        "the runs of the selected preset one by one, and back",
        "runs",
    ),
    bind(
        Scope::Experiment,
        Char('z'),
        Action::Zoom,
        "the runs of the selected preset one by one, and back",
        "",
    ),
    bind(
        Scope::Experiment,
        Code(KeyCode::Up),
        Action::Up,
        "the preset above",
        "",
    ),
    bind(
        Scope::Experiment,
        Code(KeyCode::Down),
        Action::Down,
        "the preset below",
        "preset",
    ),
    bind(
        Scope::Experiment,
        Char('k'),
        Action::Up,
        "the preset above",
        "",
    ),
    bind(
        Scope::Experiment,
        Char('j'),
        Action::Down,
        "the preset below",
        "",
    ),
    bind(
        Scope::Experiment,
        Code(KeyCode::Home),
        Action::First,
        "the first preset",
        "",
    ),
    bind(
        Scope::Experiment,
        Code(KeyCode::End),
        Action::Last,
        "the last preset",
        "",
    ),
    bind(
        Scope::Experiment,
        Code(KeyCode::PageUp),
        Action::PageUp,
        "a page of charts back",
        "",
    ),
    bind(
        Scope::Experiment,
        Code(KeyCode::PageDown),
        Action::PageDown,
        "a page of charts on",
        "page",
    ),
    bind(
        Scope::Experiment,
        Char('x'),
        Action::SameAxes,
        "the same axes for all charts, or its own for each",
        "axes",
    ),
    bind(
        Scope::Experiment,
        Code(KeyCode::Esc),
        Action::Back,
        "back; never quits",
        "",
    ),
    bind(
        Scope::Experiment,
        Char('?'),
        Action::Help,
        "the keys of this screen",
        "help",
    ),
    bind(
        Scope::Experiment,
        Char('q'),
        Action::Quit,
        "stop, finished runs are kept; again: leave at once",
        "stop",
    ),
    bind(
        Scope::Help,
        Code(KeyCode::Esc),
        Action::Back,
        "close",
        "close",
    ),
    bind(Scope::Help, Char('?'), Action::Back, "close", ""),
    bind(Scope::Help, Char('q'), Action::Back, "close", ""),
    bind(
        Scope::Quit,
        Char('s'),
        Action::SaveAndQuit,
        "save at the end of this generation and quit",
        "",
    ),
    bind(
        Scope::Quit,
        Char('d'),
        Action::QuitNow,
        "quit now, lose what is not saved",
        "",
    ),
    bind(
        Scope::Quit,
        Char('k'),
        Action::HandOver,
        "keep running without a screen",
        "",
    ),
    bind(Scope::Quit, Code(KeyCode::Esc), Action::Back, "back", ""),
];

/// What a key does in a scope: its own table first, then the global one. Overlays do not pass keys on.
pub fn action(scope: Scope, event: KeyEvent) -> Option<Action> {
    let within = |wanted: Scope| {
        let found = BINDINGS
            .iter()
            .find(|binding| binding.scope == wanted && binding.key.matches(event));
        found.map(|binding| binding.action)
    };
    let own = within(scope);
    match scope {
        Scope::Help | Scope::Quit | Scope::Experiment => own,
        _ => own.or_else(|| within(Scope::Global)),
    }
}

/// The keys of one scope, in the order of the table.
pub fn bindings(scope: Scope) -> impl Iterator<Item = &'static Binding> {
    BINDINGS
        .iter()
        .filter(move |binding| binding.scope == scope)
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
