//! Tests that the screens name the active keys: with every key remapped, no default key may appear.

use std::env;
use std::process::Command;

use crate::support::screen;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use finches_dashboard::app::AppModel;
use finches_dashboard::jobs::WantedAnswers;
use finches_dashboard::keymap::{self, Action, Key, Keymap, Scope};
use finches_dashboard::screens;
use finches_dashboard::screens::home::Home;
use finches_dashboard::screens::runs::RunsScreen;
use finches_dashboard::theme::Theme;
use finches_runs::run::message::{Phase, RunEvent};
use ratatui::style::{Color, Style};

use crate::screens::{home, reversi, running, saved};
use crate::support::SIZES;

/// Set in the child process that runs the test, since the keymap is fixed per process.
const WALKING: &str = "FINCHES_TEST_REMAPPED";

/// The letters used as keys. None of them appears on a screen otherwise.
const LETTERS: std::ops::Range<u32> = 0x100..0x240;

/// A color used only for keys.
const KEY: Color = Color::Rgb(1, 2, 3);

/// Texts in the key color that are not keys: mouse actions, markers on boards and beside
/// parameters, states of runs.
const NO_KEYS: [&str; 11] = [
    "click", "wheel", "‹", "›", "<", ">", "▲", "play", "changed", "Move", "/",
];

/// Keys with names.
const NAMES: [&str; 7] = [
    "enter",
    "esc",
    "space",
    "pgup",
    "pgdn",
    "backspace",
    "arrows",
];

/// Verbs that follow the name of a key.
const DONE: [&str; 18] = [
    "leads", "opens", "shows", "plays", "applies", "takes", "lets", "starts", "begins", "stops",
    "adds", "thaws", "leaves", "quits", "closes", "discards", "chooses", "scroll",
];

/// A keymap with a different letter for every action.
fn elsewhere() -> Keymap {
    let (defaults, mut keymap) = (screens::keymap(), screens::keymap());
    let mut letters = LETTERS.filter_map(char::from_u32);
    for scope in defaults.scopes() {
        let mut seen = Vec::new();
        let bindings = defaults.bindings(scope).iter();
        for binding in bindings.filter(|binding| binding.key.is_pressed()) {
            if !seen.contains(&binding.action) {
                let letter = letters.next().expect("there are letters for all");
                keymap.remap(scope, binding.action, &[Key::Char(letter)]);
                seen.push(binding.action);
            }
        }
    }
    keymap
}

fn press(model: &mut AppModel, scope: Scope, action: Action) {
    let found = keymap::bindings(scope).find(|binding| binding.action == action);
    let Some(Key::Char(letter)) = found.map(|binding| binding.key) else {
        panic!("{action:?} of {scope:?} has a letter");
    };
    model.press(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE));
    let live = model.context.run.clone();
    screen::<RunsScreen>(model).take_answers(WantedAnswers::All, live.as_ref());
}

fn is_new(word: &str) -> bool {
    word.chars().all(|letter| LETTERS.contains(&letter.into()))
}

/// Checks that the model names no default key at any size.
fn check(what: &str, model: &mut AppModel) {
    model.context.theme.key = Style::new().fg(KEY);
    for (width, height) in SIZES.into_iter().chain([(44, 12)]) {
        model.resize(width, height);
        let buf = model.draw(width, height);
        for row in buf.content.chunks(width.into()) {
            let line: String = row.iter().map(ratatui::buffer::Cell::symbol).collect();
            let keys = row.iter().map(|cell| match cell.fg {
                KEY => cell.symbol(),
                _ => " ",
            });
            let keys: String = keys.collect();
            // What was turned, from which value to which, has the color of keys too.
            let is_turned = keys.contains('→');
            for word in keys.split_whitespace() {
                let known = is_new(word) || NO_KEYS.contains(&word) || is_turned;
                assert!(known, "{what}: `{word}` in: {line}");
            }
            let old = named(&line);
            assert_eq!(old, None, "{what}: {line}");
        }
    }
}

/// The default key that a line names, if any.
fn named(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let bare = |word: &str| word.trim_matches([',', '.', ';', ':']).to_lowercase();
    let by_name = words.iter().find(|word| {
        let word = bare(word);
        NAMES.contains(&&*word) || word.starts_with("shift-")
    });
    let by_deed = words.windows(2).find(|pair| {
        let is_one = pair[0].chars().count() == 1 && pair[0].is_ascii();
        is_one && DONE.contains(&&*bare(pair[1]))
    });
    let in_brackets = words.iter().find(|word| {
        let inside = word.trim_matches([',', '.']).strip_prefix('(');
        let inside = inside.and_then(|word| word.strip_suffix(')'));
        inside.is_some_and(|inside| inside.len() == 1)
    });
    let found = by_name.or(by_deed.map(|pair| &pair[0])).or(in_brackets);
    found.map(|word| (*word).to_owned())
}

/// Visits the screens of a run with everything remapped.
fn walk(mut model: AppModel) {
    use Action::*;
    for overlay in [None, Some(Help)] {
        for go in [
            GoHome,
            GoRun,
            GoPopulation,
            GoNet,
            GoPlay,
            GoParameters,
            GoLog,
            GoGames,
            GoRuns,
            GoArena,
        ] {
            press(&mut model, Scope::GLOBAL, go);
            if let Some(overlay) = overlay {
                press(&mut model, Scope::GLOBAL, overlay);
            }
            check(&format!("{go:?} {overlay:?}"), &mut model);
            if overlay.is_some() {
                press(&mut model, Scope::HELP, Back);
            }
        }
    }
    press(&mut model, Scope::GLOBAL, GoRun);
    press(&mut model, keymap::named("run"), ReadValues);
    check("reading", &mut model);
    press(&mut model, Scope::GLOBAL, Back);
    press(&mut model, Scope::GLOBAL, Own("freeze"));
    check("frozen", &mut model);
    press(&mut model, Scope::GLOBAL, Own("freeze"));
    press(&mut model, Scope::GLOBAL, GoParameters);
    press(&mut model, keymap::named("parameters"), Own("increase"));
    check("pending", &mut model);
    press(&mut model, keymap::named("parameters"), Own("discard"));
    press(&mut model, Scope::GLOBAL, Quit);
    check("quitting", &mut model);
}

#[test]
fn screens_name_the_keys_in_force() {
    if env::var_os(WALKING).is_none() {
        let program = env::current_exe().expect("it is known");
        let walk = Command::new(program)
            .args(["--exact", "remapped::screens_name_the_keys_in_force"])
            .env(WALKING, "1")
            .output()
            .expect("it starts");
        let said = String::from_utf8_lossy(&walk.stdout);
        assert!(walk.status.success() && said.contains("1 passed"), "{said}");
        return;
    }
    keymap::install(elsewhere);
    let mut start = AppModel::new(Theme::dark(), home());
    check("nothing runs", &mut start);
    screen::<Home>(&mut start).set_saved_runs(saved());
    check("saved runs", &mut start);
    walk(running());
    walk(reversi());
    let mut done = running();
    done.apply(RunEvent::Phase(Phase::Done));
    walk(done);
}
