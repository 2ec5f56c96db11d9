//! How scopes declare their keys, and the keys that belong to no screen.

use super::{Scope, own_actions};

/// Default bindings in the order of the hints: `key => action, help, hint;`. An action of the
/// screen alone stands in brackets; `@list` stands for the keys of every list.
macro_rules! keys {
    (@ $action:ident) => { $crate::keymap::Action::$action };
    (@ ($own:expr)) => { $own.action() };
    ($($key:expr => $action:tt, $help:literal, $hint:literal;)* @list; $($more:tt)*) => {
        $crate::keymap::keys![
            $($key => $action, $help, $hint;)*
            Code(KeyCode::Up) => Up, "up", "";
            Code(KeyCode::Down) => Down, "down", "";
            Char('k') => Up, "up", "";
            Char('j') => Down, "down", "";
            Key::Wheel(Wheel::Up) => Up, "up", "";
            Key::Wheel(Wheel::Down) => Down, "down", "";
            Code(KeyCode::PageUp) => PageUp, "page up", "";
            Code(KeyCode::PageDown) => PageDown, "page down", "";
            Code(KeyCode::Home) => First, "go to the first", "";
            Code(KeyCode::End) => Last, "go to the last", "";
            $($more)*
        ]
    };
    ($($key:expr => $action:tt, $help:literal, $hint:literal;)+) => {{
        #[allow(unused_imports, reason = "not every scope has every kind of key")]
        use $crate::keymap::Key::{self, Char, Click, Code, Shift};
        #[allow(unused_imports, reason = "not every scope has every kind of key")]
        use $crate::mouse::Wheel;
        #[allow(unused_imports, reason = "not every scope has every kind of key")]
        use crossterm::event::KeyCode;
        &[$($crate::keymap::Binding {
            key: $key,
            action: $crate::keymap::keys!(@ $action),
            help: $help,
            hint: $hint,
        }),+]
    }};
}
pub(crate) use keys;

own_actions! {
    /// What works on every screen, and only the dashboard does.
    pub enum GlobalAction {
        PauseResume = "pause_resume",
        Step = "step",
        Faster = "faster",
        Slower = "slower",
        Breakpoints = "breakpoints",
        Freeze = "freeze",
        Save = "save",
    }
}

own_actions! {
    /// The choices of the quit dialog.
    pub enum QuitAction {
        SaveAndQuit = "save_and_quit",
        QuitNow = "quit_now",
        HandOver = "hand_over",
    }
}

own_actions! {
    /// The choice of the question about cost.
    pub enum CostAction {
        StartCostly = "start_costly",
    }
}

impl Scope {
    /// The keys that work on every screen of a run. The keys that open screens are added in front
    /// of the click on a tab.
    pub const GLOBAL: Self = Self::alone(
        "global",
        keys![
            Char(' ') => (GlobalAction::PauseResume), "pause or resume evolution", "pause";
            Char('n') => (GlobalAction::Step), "run one generation while paused", "step";
            Char('>') => (GlobalAction::Faster), "evolve faster", "";
            Char('<') => (GlobalAction::Slower), "evolve slower", "";
            Char('b') => (GlobalAction::Breakpoints), "set what pauses the run", "";
            Char('F') => Fork, "fork: what does a change do?", "";
            Char('f') => (GlobalAction::Freeze), "freeze the view, not evolution", "freeze";
            Char('s') => (GlobalAction::Save), "save now", "save";
            Click => Click, "open the tab's screen", "";
            Char('t') => NextTheme, "theme: dark, light, no colors", "";
            Code(KeyCode::Esc) => Back, "back; never quits", "back";
            Char('?') => Help, "show these keys", "help";
            Char('q') => Quit, "quit; asks first if a run is active", "quit";
        ],
    );

    /// The help overlay.
    pub const HELP: Self = Self::alone(
        "help",
        keys![
            Code(KeyCode::Esc) => Back, "close", "close";
            Char('?') => Back, "close", "";
            Char('q') => Back, "close", "";
            Char('/') => Filter, "search", "search";
        ],
    );

    /// The quit dialog.
    pub const QUIT: Self = Self::alone(
        "quit",
        keys![
            Char('s') => (QuitAction::SaveAndQuit), "save after this generation and quit", "";
            Char('d') => (QuitAction::QuitNow), "quit now and lose unsaved generations", "";
            Char('k') => (QuitAction::HandOver), "continue without a screen", "";
            Code(KeyCode::Esc) => Back, "back", "";
        ],
    );

    /// The question before a run that takes much memory or disk.
    pub const COST: Self = Self::alone(
        "cost",
        keys![
            Char('y') => (CostAction::StartCostly), "start it all the same", "";
            Char('n') => Back, "do not start it", "";
            Code(KeyCode::Esc) => Back, "do not start it", "";
        ],
    );
}
