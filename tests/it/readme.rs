//! What the README says that can be known: its table of keys is that of the program, and every preset is in it. With
//! `UPDATE_README=1` the keys are written anew.

use std::fmt::Write as _;
use std::fs;

use finches::storage::presets;
use finches::ui::keymap::{Action, BINDINGS, Scope};

use crate::support::root;

const BEGIN: &str = "<!-- keys -->\n";
const END: &str = "<!-- end of keys -->";

/// Screens in the order of their numbers, with the names of their tabs.
const SCOPES: [(Scope, &str); 12] = [
    (Scope::Global, "everywhere"),
    (Scope::Home, "Home"),
    (Scope::Run, "Run"),
    (Scope::Population, "Population"),
    (Scope::Net, "Net"),
    (Scope::Play, "Play"),
    (Scope::Parameters, "Parameters"),
    (Scope::Log, "Log"),
    (Scope::Games, "Games"),
    (Scope::Compare, "Compare"),
    (Scope::Arena, "Arena"),
    (Scope::Experiment, "an experiment"),
];

/// What the arrows and the mouse do goes without saying.
fn goes_without_saying(action: Action) -> bool {
    use Action::{Click, Down, First, Last, Left, PageDown, PageUp, Right, Up};
    [Up, Down, Left, Right, PageUp, PageDown, First, Last, Click].contains(&action)
}

fn table() -> String {
    let mut table = String::from("| where | keys |\n|---|---|\n");
    for (scope, name) in SCOPES {
        let mut said: Vec<(Action, String)> = Vec::new();
        for binding in BINDINGS.iter().filter(|binding| binding.scope == scope) {
            let is_said = said.iter().any(|(action, _)| *action == binding.action);
            if binding.key.is_pressed() && !is_said && !goes_without_saying(binding.action) {
                let words = format!("`{}` {}", binding.key.label(), binding.help);
                said.push((binding.action, words));
            }
        }
        let said: Vec<String> = said.into_iter().map(|(_, words)| words).collect();
        let _ = writeln!(table, "| {name} | {} |", said.join(" · "));
    }
    table
}

#[test]
fn the_keys_in_the_readme_are_those_of_the_program() {
    let path = root().join("README.md");
    let readme = fs::read_to_string(&path).expect("it is there");
    let (before, rest) = readme.split_once(BEGIN).expect("the table has a place");
    let (kept, after) = rest.split_once(END).expect("the table ends");
    let table = table();
    if std::env::var_os("UPDATE_README").is_some() {
        let text = [before, BEGIN, &table, END, after].concat();
        fs::write(&path, text).expect("the folder is writable");
        return;
    }
    assert!(
        kept == table,
        "the keys have changed: UPDATE_README=1 cargo test --test it readme\n{table}"
    );
}

#[test]
fn every_preset_has_its_place_in_the_readme() {
    let readme = fs::read_to_string(root().join("README.md")).expect("it is there");
    let missing: Vec<&str> = presets::names()
        .into_iter()
        .filter(|name| !readme.contains(&format!("`{name}`")))
        .collect();
    assert!(missing.is_empty(), "not in the README: {missing:?}");
}
