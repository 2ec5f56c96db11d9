//! Whether the screens name the keys in force: with every key remapped, no old one may be named.

use std::env;
use std::process::Command;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use finches::run::message::{Event, Phase};
use finches::ui::app::Model;
use finches::ui::keymap::{self, Action, BINDINGS, Key, Keymap, Scope};
use finches::ui::theme::Theme;
use ratatui::style::{Color, Style};

use crate::screens::{home, reversi, running, saved};
use crate::support::SIZES;

/// Set in the process of its own that the walk needs, since the keys in force hold for a process.
const WALKING: &str = "FINCHES_TEST_REMAPPED";

/// The letters that become keys: none of them is on a screen otherwise.
const LETTERS: std::ops::Range<u32> = 0x100..0x240;

/// A color that only keys have.
const KEY: Color = Color::Rgb(1, 2, 3);

/// Words in the color of keys that are none: what the mouse does, signs on boards and beside settings, states of runs.
const NO_KEYS: [&str; 11] = [
    "click", "wheel", "‹", "›", "<", ">", "▲", "play", "changed", "Move", "/",
];

/// Keys that are named by words.
const NAMES: [&str; 7] = [
    "enter",
    "esc",
    "space",
    "pgup",
    "pgdn",
    "backspace",
    "arrows",
];

/// What is said of a key right behind its name.
const DONE: [&str; 16] = [
    "leads", "opens", "shows", "plays", "applies", "takes", "lets", "starts", "begins", "stops",
    "adds", "thaws", "leaves", "discards", "chooses", "scroll",
];

/// Every action on a letter of its own.
fn elsewhere() -> Keymap {
    let mut keymap = Keymap::default();
    let mut letters = LETTERS.filter_map(char::from_u32);
    let mut seen = Vec::new();
    for binding in BINDINGS.iter().filter(|binding| binding.key.is_pressed()) {
        let place = (binding.scope, binding.action);
        if !seen.contains(&place) {
            let letter = letters.next().expect("there are letters for all");
            keymap.remap(place.0, place.1, &[Key::Char(letter)]);
            seen.push(place);
        }
    }
    keymap
}

fn press(model: &mut Model, scope: Scope, action: Action) {
    let found = keymap::bindings(scope).find(|binding| binding.action == action);
    let Some(Key::Char(letter)) = found.map(|binding| binding.key) else {
        panic!("{action:?} of {scope:?} has a letter");
    };
    model.press(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE));
    model.compare.settle(model.watch.as_ref());
}

fn is_new(word: &str) -> bool {
    word.chars().all(|letter| LETTERS.contains(&letter.into()))
}

/// Fails where the model names an old key at any size.
fn check(what: &str, model: &mut Model) {
    model.theme.key = Style::new().fg(KEY);
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

/// The old key that a line names in its words.
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

/// Looks at the screens of a run with everything remapped.
fn walk(mut model: Model) {
    use Action::*;
    for overlay in [None, Some(Help)] {
        for go in [
            GoHome,
            GoRun,
            GoPopulation,
            GoNet,
            GoPlay,
            GoKnobs,
            GoLog,
            GoGames,
            GoCompare,
            GoArena,
        ] {
            press(&mut model, Scope::Global, go);
            if let Some(overlay) = overlay {
                press(&mut model, Scope::Global, overlay);
            }
            check(&format!("{go:?} {overlay:?}"), &mut model);
            if overlay.is_some() {
                press(&mut model, Scope::Help, Back);
            }
        }
    }
    press(&mut model, Scope::Global, GoRun);
    press(&mut model, Scope::Run, Read);
    check("reading", &mut model);
    press(&mut model, Scope::Global, Back);
    press(&mut model, Scope::Global, Freeze);
    check("frozen", &mut model);
    press(&mut model, Scope::Global, Freeze);
    press(&mut model, Scope::Global, GoKnobs);
    press(&mut model, Scope::Knobs, NudgeUp);
    check("pending", &mut model);
    press(&mut model, Scope::Knobs, Discard);
    press(&mut model, Scope::Global, Quit);
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
    keymap::adopt(elsewhere());
    let mut start = Model::new(Theme::dark(), home());
    check("nothing runs", &mut start);
    start.home.list(saved());
    check("saved runs", &mut start);
    walk(running());
    walk(reversi());
    let mut done = running();
    done.apply(Event::Phase(Phase::Done));
    walk(done);
}
