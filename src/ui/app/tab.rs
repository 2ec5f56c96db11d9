//! The screens there are, each once: its key, its names and the table of its keys.

use crate::ui::keymap::{Action, Scope};

/// The screens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screen {
    Home,
    Run,
    Population,
    Net,
    Play,
    Knobs,
    Log,
    Games,
    Compare,
    Arena,
}

/// What leads to a screen, and what it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tab {
    pub screen: Screen,
    pub name: &'static str,
    /// The name where there is little room.
    pub short: &'static str,
    pub action: Action,
    pub scope: Scope,
}

/// Screens, one a line: `Name short, action;`. A scope is named like its screen.
macro_rules! tabs {
    ($($name:ident $short:ident, $action:ident;)+) => {
        [$(Tab {
            screen: Screen::$name,
            name: stringify!($name),
            short: stringify!($short),
            action: Action::$action,
            scope: Scope::$name,
        }),+]
    };
}

/// The table, in the order of the tabs.
pub const TABS: [Tab; 10] = tabs![
    Run Run, GoRun;
    Population Pop, GoPopulation;
    Net Net, GoNet;
    Play Play, GoPlay;
    Knobs Knobs, GoKnobs;
    Log Log, GoLog;
    Games Games, GoGames;
    Compare Cmp, GoCompare;
    Arena Arena, GoArena;
    Home Home, GoHome;
];

impl Screen {
    pub fn tab(self) -> &'static Tab {
        let tab = TABS.iter().find(|tab| tab.screen == self);
        tab.expect("every screen has its line in the table")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_screen_has_its_tab_and_every_tab_a_key() {
        use crate::ui::keymap::BINDINGS;
        for tab in &TABS {
            assert_eq!(tab.screen.tab(), tab);
            assert!(
                BINDINGS.iter().any(|binding| binding.action == tab.action),
                "{} has no key",
                tab.name
            );
        }
    }
}
