//! The table of screens: action, names and key scope of each.

use crate::ui::keymap::{Action, Scope};

/// The screens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screen {
    Home,
    Run,
    Population,
    Net,
    Play,
    Parameters,
    Log,
    Games,
    Compare,
    Arena,
}

/// The tab of a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tab {
    pub screen: Screen,
    pub name: &'static str,
    /// A shorter name for narrow terminals.
    pub short: &'static str,
    pub action: Action,
    pub scope: Scope,
}

/// Screens, one per line: `Name Short, Action;`. Each scope has the name of its screen.
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

/// The tabs in order.
pub const TABS: [Tab; 10] = tabs![
    Run Run, GoRun;
    Population Pop, GoPopulation;
    Net Net, GoNet;
    Play Play, GoPlay;
    Parameters Params, GoParameters;
    Log Log, GoLog;
    Games Games, GoGames;
    Compare Cmp, GoCompare;
    Arena Arena, GoArena;
    Home Home, GoHome;
];

impl Screen {
    pub fn tab(self) -> &'static Tab {
        let tab = TABS.iter().find(|tab| tab.screen == self);
        tab.expect("every screen has a tab")
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
