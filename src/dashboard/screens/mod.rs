//! The screens and the overlays.

pub mod arena;
mod change_history;
mod first_layer;
pub mod games;
pub mod help;
pub mod home;
pub mod log;
mod move_marks;
pub mod net;
mod node_names;
pub mod parameters;
pub(super) mod placeholder;
pub mod play;
pub mod population;
pub mod run;
pub mod runs;
pub mod waiting;

use crate::jobs::Waker;
use crate::keymap::{Binding, Keymap, Scope};
use crate::screen::{Made, MakeScreen, Tab, TabbedScreen};

use self::arena::ArenaScreen;
use self::games::GamesScreen;
use self::home::Home;
use self::log::LogScreen;
use self::net::NetScreen;
use self::parameters::ParameterEditor;
use self::play::PlayScreen;
use self::population::PopulationScreen;
use self::run::RunScreen;
use self::runs::RunsScreen;

/// All screens in the order of their tabs.
pub fn all(home: Home, waker: &Waker) -> Vec<TabbedScreen> {
    let population: MakeScreen = |facts, saved, context| {
        Box::new(PopulationScreen::new(facts, saved, context.waker.clone()))
    };
    let net: MakeScreen =
        |facts, saved, context| Box::new(NetScreen::new(facts, saved, context.waker.clone()));
    let play: MakeScreen =
        |facts, saved, context| Box::new(PlayScreen::new(facts, saved, context.waker.clone()));
    let games: MakeScreen = |facts, saved, context| {
        let played = context.played.drain(..).collect();
        let waker = context.waker.clone();
        Box::new(GamesScreen::new(facts, saved, played, waker))
    };
    vec![
        TabbedScreen::ready(RunScreen::new(waker.clone())),
        TabbedScreen::of_run(population::TAB, Made::PerRun(population)),
        TabbedScreen::of_run(net::TAB, Made::PerRun(net)),
        TabbedScreen::of_run(play::TAB, Made::WhenOpened(play)),
        TabbedScreen::ready(ParameterEditor::default()),
        TabbedScreen::ready(LogScreen::default()),
        TabbedScreen::of_run(games::TAB, Made::PerRun(games)),
        TabbedScreen::ready(RunsScreen::new(waker.clone())),
        TabbedScreen::ready(ArenaScreen::new(waker.clone())),
        TabbedScreen::ready(home),
    ]
}

/// The default keys of all screens and overlays.
pub fn keymap() -> Keymap {
    let screens = all(Home::new(Vec::new(), String::new()), &Waker::default());
    let tabs: Vec<Tab> = screens.iter().map(|screen| screen.tab).collect();
    let own = tabs.iter().map(|tab| tab.scope);
    let alone = [runs::ALONE, Scope::HELP, Scope::QUIT, Scope::COST];
    let scopes = std::iter::once(Scope::GLOBAL).chain(own).chain(alone);
    let tabs: Vec<Binding> = tabs.iter().map(Tab::binding).collect();
    Keymap::new(scopes, &tabs)
}

#[cfg(test)]
mod tests {
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    use crate::keymap::{self, Action};

    use super::*;

    #[test]
    fn no_scope_binds_a_key_twice_and_no_name_stands_twice() {
        let keymap = keymap();
        let mut names = Vec::new();
        for scope in keymap.scopes() {
            assert!(!names.contains(&scope.name), "{scope:?}");
            names.push(scope.name);
            let bindings = keymap.bindings(scope);
            for (index, binding) in bindings.iter().enumerate() {
                let mut others = bindings[index + 1..].iter();
                let again = others.find(|other| other.key == binding.key);
                assert_eq!(again, None, "bound twice in {scope:?}");
            }
        }
    }

    #[test]
    fn a_screen_overrides_the_global_keys_and_overlays_hide_them() {
        keymap::install(keymap);
        let action = |scope, code, held| keymap::action(scope, KeyEvent::new(code, held));
        let (none, escape) = (KeyModifiers::NONE, KeyCode::Esc);
        let parameters = keymap::named("parameters");
        let run = keymap::named("run");
        assert_eq!(
            action(parameters, escape, none),
            Some(Action::Own("discard"))
        );
        assert_eq!(action(run, escape, none), Some(Action::Back));
        assert_eq!(action(run, KeyCode::Char('8'), none), Some(Action::GoRuns));
        assert_eq!(action(Scope::HELP, KeyCode::Char(' '), none), None);
        let held = KeyModifiers::CONTROL;
        assert_eq!(action(run, KeyCode::Char('s'), held), None);
    }
}
