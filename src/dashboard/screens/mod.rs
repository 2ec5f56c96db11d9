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
mod sides;
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
    let play: MakeScreen = |facts, saved, context| {
        Box::new(
            PlayScreen::new(facts, saved, context.waker.clone())
                .keeping_games(context.saves.clone()),
        )
    };
    let games: MakeScreen =
        |facts, saved, context| Box::new(GamesScreen::new(facts, saved, context));
    vec![
        TabbedScreen::ready(RunScreen::new(waker.clone())),
        TabbedScreen::of_run(population::TAB, Made::PerRun(population)),
        TabbedScreen::of_run(net::TAB, Made::PerRun(net)),
        TabbedScreen::of_run(play::TAB, Made::WhenOpened(play)),
        TabbedScreen::ready(ParameterEditor::default()),
        TabbedScreen::ready(LogScreen::default()),
        TabbedScreen {
            made: Some(Made::PerRun(games)),
            ..TabbedScreen::ready(GamesScreen::without_run(waker.clone()))
        },
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
    use std::collections::BTreeMap;

    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    use crate::keymap::{self, Action, Key};

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

    /// The verbs of keys that do the same to different things, with the actions that they are.
    const VERBS: [(&str, &[&str]); 28] = [
        ("act", &["enter", "zoom"]),
        (
            "move left",
            &["left", "decrease", "fewer_games", "previous_move"],
        ),
        (
            "move right",
            &["right", "increase", "more_games", "next_move"],
        ),
        ("move far left", &["far_left", "decrease_far"]),
        ("move far right", &["far_right", "increase_far"]),
        ("go back", &["back", "discard"]),
        ("type", &["filter", "type_move"]),
        ("next part", &["next_pane", "next_set"]),
        ("more", &["window_wider", "search_deeper"]),
        ("less", &["window_narrower", "search_shallower"]),
        ("older", &["older_champion", "older_population"]),
        ("newer", &["newer_champion", "newer_population"]),
        ("autoplay", &["autoplay"]),
        ("all", &["show_all_edges", "select_listed"]),
        ("drop", &["remove_player", "reset_parameter"]),
        ("delete", &["delete_run", "delete_view"]),
        ("write", &["export", "export_runs"]),
        ("next game", &["next_game"]),
        ("play games", &["play_matches"]),
        (
            "open from elsewhere",
            &["add_program", "import", "open_folder"],
        ),
        ("order", &["next_sort", "order_runs"]),
        (
            "play against it",
            &["play_saved", "play_shown", "play_selected"],
        ),
        ("another view", &["next_analysis", "saved_views"]),
        ("values", &["show_values", "activity"]),
        ("level", &["log_level", "next_level"]),
        ("undo", &["undo"]),
        ("theme", &["next_theme"]),
        ("copy", &["add_search"]),
    ];

    /// Keys that mean something else on one screen, each with its reason: Runs has a letter for
    /// each of its views, and there nothing evolves or has a breakpoint; letters of Play are
    /// capitals.
    const EXCEPTIONS: [(&str, &str); 5] = [
        ("home", "e"),
        ("parameters", "aD"),
        ("population", "d"),
        ("runs", " gbcthfdr"),
        ("play", "tlABCRTP"),
    ];

    #[test]
    fn a_key_means_the_same_on_all_screens() {
        let keymap = keymap();
        let all = keymap.scopes();
        let dialogs = [Scope::HELP.name, Scope::QUIT.name, Scope::COST.name];
        let screens: Vec<Scope> = all.filter(|scope| !dialogs.contains(&scope.name)).collect();
        let mut meanings: BTreeMap<String, BTreeMap<String, Vec<&str>>> = BTreeMap::new();
        for scope in screens {
            let shown = scope.name.replace("experiment", "runs");
            let excepted = EXCEPTIONS.iter().find(|(name, _)| *name == shown);
            for binding in keymap.bindings(scope) {
                let is_excepted = matches!(binding.key, Key::Char(letter)
                    if excepted.is_some_and(|(_, letters)| letters.contains(letter)));
                if binding.key.is_pressed() && !is_excepted {
                    let name = binding.action.name();
                    let verb = VERBS.iter().find(|(_, actions)| actions.contains(&&*name));
                    let verb = verb.map_or(name, |(verb, _)| (*verb).to_owned());
                    let key = meanings.entry(binding.key.label()).or_default();
                    key.entry(verb).or_default().push(scope.name);
                }
            }
        }
        meanings.retain(|_, verbs| verbs.len() > 1);
        assert!(meanings.is_empty(), "{meanings:#?}");
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
