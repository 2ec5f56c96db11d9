//! Keys of the user's own: a file that gives actions other keys, in the form in which the table itself is printed. All that
//! is wrong with a file is told at once, each with its place.

use std::fmt::{self, Write as _};
use std::marker::PhantomData;

use crokey::{KeyCombination, OneToThree};
use crossterm::event::{KeyCode, KeyModifiers};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

use crate::params::suggest;

use super::keymap::{Action, Binding, Key, Keymap, Scope};

/// The scopes in the order of the table.
const SCOPES: [Scope; 14] = [
    Scope::Global,
    Scope::Home,
    Scope::Run,
    Scope::Population,
    Scope::Net,
    Scope::Play,
    Scope::Knobs,
    Scope::Log,
    Scope::Games,
    Scope::Compare,
    Scope::Arena,
    Scope::Experiment,
    Scope::Help,
    Scope::Quit,
];

/// A map that keeps its order, and what is in it twice.
struct Pairs<T>(Vec<(String, T)>);

/// Scopes, their actions, and the keys of these.
type Listed = Pairs<Pairs<Vec<String>>>;

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Pairs<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(PairsVisitor(PhantomData))
    }
}

struct PairsVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for PairsVisitor<T> {
    type Value = Pairs<T>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a map of names in quotes")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(Pairs(pairs))
    }
}

/// The default keys with those of a file in their places; `name` is what the file is called in complaints.
pub fn read(text: &str, name: &str) -> Result<Keymap, String> {
    let listed: Listed = ron::from_str(text).map_err(|error| {
        let (at, code) = (error.span.start, error.code);
        format!(
            "{name}:{}:{}: {code}; `finches keys` prints what such a file looks like",
            at.line, at.col
        )
    })?;
    let mut reader = Reader {
        places: places(text).into_iter(),
        keymap: Keymap::default(),
        given: Vec::new(),
        faults: Vec::new(),
    };
    reader.take(listed);
    reader.find_conflicts();
    if reader.faults.is_empty() {
        return Ok(reader.keymap);
    }
    let faults = reader.faults.iter().map(|(place, what)| {
        let Place { line, column } = place;
        format!("{name}:{line}:{column}: {what}")
    });
    Err(faults.collect::<Vec<_>>().join("\n"))
}

/// Where something stands in a file, from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    line: usize,
    column: usize,
}

/// A key that the file gives.
struct Given {
    scope: Scope,
    action: Action,
    key: Key,
    place: Place,
}

struct Reader {
    /// Where each string of the file stands, in its order, which is that of what was read from it.
    places: std::vec::IntoIter<Place>,
    keymap: Keymap,
    given: Vec<Given>,
    faults: Vec<(Place, String)>,
}

impl Reader {
    fn place(&mut self) -> Place {
        self.places.next().unwrap_or_default()
    }

    fn take(&mut self, listed: Listed) {
        let mut seen = Vec::new();
        for (name, actions) in listed.0 {
            let place = self.place();
            let scope = SCOPES.into_iter().find(|scope| word(scope) == name);
            if scope.is_none() {
                let known = SCOPES.map(|scope| word(&scope));
                self.unknown(place, "place for keys", &name, &known);
            }
            for (action, keys) in actions.0 {
                let place = self.place();
                let keys: Vec<(String, Place)> =
                    keys.into_iter().map(|key| (key, self.place())).collect();
                let Some(scope) = scope else { continue };
                if seen.contains(&(scope, action.clone())) {
                    self.faults
                        .push((place, format!("`{action}` is there twice")));
                }
                self.action(scope, &action, place, keys);
                seen.push((scope, action));
            }
        }
    }

    fn unknown(&mut self, place: Place, what: &str, name: &str, known: &[String]) {
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let hint = suggest(name, &known);
        self.faults
            .push((place, format!("there is no {what} `{name}`; {hint}")));
    }

    fn action(&mut self, scope: Scope, name: &str, place: Place, keys: Vec<(String, Place)>) {
        let defaults = Keymap::default();
        let known = actions(&defaults, scope);
        let found = known.iter().find(|(action, _)| word(action) == name);
        let Some(&(action, _)) = found else {
            let known: Vec<String> = known.iter().map(|(action, _)| word(action)).collect();
            let what = format!("action of `{}`", word(&scope));
            return self.unknown(place, &what, name, &known);
        };
        if keys.is_empty() && is_needed(scope, action) {
            let what = format!("`{name}` needs a key: there would be no way out");
            self.faults.push((place, what));
        }
        let mut own = Vec::new();
        for (text, place) in keys {
            match key(&text) {
                Ok(key) => {
                    own.push(key);
                    self.given.push(Given {
                        scope,
                        action,
                        key,
                        place,
                    });
                }
                Err(what) => self.faults.push((place, what)),
            }
        }
        self.keymap.remap(scope, action, &own);
    }

    /// Keys that mean two things in one scope.
    fn find_conflicts(&mut self) {
        for given in &self.given {
            let others = self
                .keymap
                .bindings(given.scope)
                .filter(|binding| binding.key == given.key && (binding.action != given.action));
            for other in others {
                let (key, other) = (given.key.label(), word(&other.action));
                let what =
                    format!("`{key}` is the key of `{other}` already; give one of the two another");
                self.faults.push((given.place, what));
            }
        }
        self.faults.sort();
    }
}

/// Whether an action must keep a key.
fn is_needed(scope: Scope, action: Action) -> bool {
    matches!(scope, Scope::Help | Scope::Quit)
        || (matches!(scope, Scope::Global | Scope::Experiment) && action == Action::Quit)
}

/// The actions of a scope with their keys, in the order of the table; those of the mouse alone are left out.
fn actions(keymap: &Keymap, scope: Scope) -> Vec<(Action, Vec<&Binding>)> {
    let mut found: Vec<(Action, Vec<&Binding>)> = Vec::new();
    let pressed = keymap
        .bindings(scope)
        .filter(|binding| binding.key.is_pressed());
    for binding in pressed {
        match found
            .iter_mut()
            .find(|(action, _)| *action == binding.action)
        {
            Some((_, keys)) => keys.push(binding),
            None => found.push((binding.action, vec![binding])),
        }
    }
    found
}

/// A scope or an action as it is called in files: `NextMetric` is `next_metric`.
fn word(name: &impl fmt::Debug) -> String {
    let mut word = String::new();
    for letter in format!("{name:?}").chars() {
        if letter.is_ascii_uppercase() && !word.is_empty() {
            word.push('_');
        }
        word.push(letter.to_ascii_lowercase());
    }
    word
}

/// A key by its name; a character stands for itself.
fn key(text: &str) -> Result<Key, String> {
    let mut letters = text.chars();
    if let (Some(letter), None) = (letters.next(), letters.next()) {
        return Ok(Key::Char(letter));
    }
    let Ok(KeyCombination { codes, modifiers }) = crokey::parse(text) else {
        return Err(format!(
            "`{text}` is no key; keys are such as `a`, `?`, `space`, `enter`, `f5`, `pageup`, `shift-left`, `ctrl-s`, `alt-x`"
        ));
    };
    let OneToThree::One(code) = codes else {
        let what = "is more than one key, which a terminal can't tell from one after the other";
        return Err(format!("`{text}` {what}"));
    };
    if let Some(why) = useless(code, modifiers) {
        return Err(format!("`{text}` {why}"));
    }
    Ok(match (code, modifiers) {
        (KeyCode::Char(letter), KeyModifiers::NONE | KeyModifiers::SHIFT) => Key::Char(letter),
        (code, KeyModifiers::NONE) => Key::Code(code),
        (code, KeyModifiers::SHIFT) => Key::Shift(code),
        (code, held) => Key::With(held, code),
    })
}

/// Why a key would never come, if so.
fn useless(code: KeyCode, held: KeyModifiers) -> Option<&'static str> {
    let same = match (code, held) {
        (KeyCode::Char('c'), KeyModifiers::CONTROL) => "always saves and leaves",
        (KeyCode::Char('z'), KeyModifiers::CONTROL) => "always goes back to the shell",
        (KeyCode::Char('i'), KeyModifiers::CONTROL) => "is `tab` to a terminal; write that",
        (KeyCode::Char('m'), KeyModifiers::CONTROL) => "is `enter` to a terminal; write that",
        (KeyCode::Char('['), KeyModifiers::CONTROL) => "is `esc` to a terminal; write that",
        (KeyCode::Char(letter), KeyModifiers::SHIFT) if !letter.is_ascii_alphabetic() => {
            "is another character on every keyboard; write that character"
        }
        _ => return None,
    };
    Some(same)
}

/// Where the strings of a RON text stand, in their order.
fn places(text: &str) -> Vec<Place> {
    let mut places = Vec::new();
    let (mut line, mut column) = (1, 0);
    let mut letters = text.chars().peekable();
    let mut within = Within::Nothing;
    while let Some(letter) = letters.next() {
        (line, column) = match letter {
            '\n' => (line + 1, 0),
            _ => (line, column + 1),
        };
        let next = letters.peek().copied();
        within = match (within, letter, next) {
            (Within::Nothing, '"', _) => {
                places.push(Place { line, column });
                Within::String
            }
            (Within::Nothing, '/', Some('/')) => Within::Line,
            (Within::String, '\\', Some(_)) => Within::Escape,
            (Within::Escape, ..) => Within::String,
            (Within::String, '"', _) | (Within::Line, '\n', _) | (Within::Star, '/', _) => {
                Within::Nothing
            }
            (Within::Block | Within::Star, '*', _) => Within::Star,
            (Within::Nothing, '/', Some('*')) | (Within::Star, ..) => Within::Block,
            (same, ..) => same,
        };
    }
    places
}

/// What a character of a text stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Nothing,
    String,
    /// Just behind a backslash in a string.
    Escape,
    Line,
    Block,
    /// Just behind a star in a block.
    Star,
}

/// The keys as a file that [`read`] takes.
pub fn write(keymap: &Keymap) -> String {
    let mut text = String::from(
        "// Keys of finches: of each screen, what is done by which keys. A file of this form, given by --keys FILE, by\n\
         // FINCHES_KEYS, or as finches/keys.ron in the folder of your settings, changes what it lists and no more.\n{\n",
    );
    for scope in SCOPES {
        let actions = actions(keymap, scope);
        if actions.is_empty() {
            continue;
        }
        // Writing to a string can't fail.
        let _ = writeln!(text, "    \"{}\": {{", word(&scope));
        for (action, bindings) in actions {
            let keys = bindings.iter().map(|binding| quoted(binding.key));
            let keys = keys.collect::<Vec<_>>().join(", ");
            let (action, words) = (word(&action), bindings[0].words);
            let entry = format!("\"{action}\": [{keys}],");
            let _ = writeln!(text, "        {entry:<40} // {words}");
        }
        text.push_str("    },\n");
    }
    text.push_str("}\n");
    text
}

/// A key as a file names it.
fn quoted(key: Key) -> String {
    let name = match key {
        Key::Char(' ') => "space".to_owned(),
        Key::Char(letter) => letter.to_string(),
        Key::Code(code) => KeyCombination::from(code).to_string(),
        Key::Shift(code) => KeyCombination::one_key(code, KeyModifiers::SHIFT).to_string(),
        Key::With(held, code) => KeyCombination::one_key(code, held).to_string(),
        Key::Click | Key::Wheel(_) => String::new(),
    };
    // Names are written small; a single character is itself.
    let is_name = name.chars().count() > 1;
    format!("{:?}", if is_name { name.to_lowercase() } else { name })
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyEvent;

    use crate::ui::keymap::BINDINGS;

    use super::*;

    fn check_faults(text: &str, expected: &[&str]) {
        let faults = read(text, "keys.ron").expect_err("it is wrong");
        let faults: Vec<&str> = faults.lines().collect();
        assert_eq!(faults, expected);
    }

    #[test]
    fn what_is_printed_reads_back_as_it_was() {
        let default = Keymap::default();
        assert_eq!(read(&write(&default), "keys.ron"), Ok(default));
        let text = r#"{ "run": { "next_metric": ["ctrl-n", "alt-shift-left", "F5", "é"] } }"#;
        let own = read(text, "keys.ron").expect("it is sound");
        assert_eq!(read(&write(&own), "keys.ron"), Ok(own));
    }

    #[test]
    fn every_scope_is_in_the_file() {
        for binding in BINDINGS {
            assert!(SCOPES.contains(&binding.scope), "{:?}", binding.scope);
        }
    }

    #[test]
    fn a_file_changes_what_it_lists_and_no_more() {
        let text = r#"{
            "global": { "save": ["ctrl-s", "S"], "freeze": [] },
            "run": { "next_metric": ["f5"] }, // by the way
        }"#;
        let keymap = read(text, "keys.ron").expect("it is sound");
        let press = |held, code| keymap.action(Scope::Run, KeyEvent::new(code, held));
        let none = KeyModifiers::NONE;
        let save = Some(Action::Save);
        assert_eq!(press(KeyModifiers::CONTROL, KeyCode::Char('s')), save);
        assert_eq!(press(KeyModifiers::SHIFT, KeyCode::Char('S')), save);
        assert_eq!(press(none, KeyCode::F(5)), Some(Action::NextMetric));
        for gone in ['s', 'm', 'f'] {
            assert_eq!(press(none, KeyCode::Char(gone)), None, "{gone}");
        }
        assert_eq!(press(none, KeyCode::Char('n')), Some(Action::Step));
        assert_eq!(keymap.label(Scope::Global, Action::Save), "ctrl-s");
        let hints = keymap
            .bindings(Scope::Global)
            .filter(|key| key.hint == "save");
        assert_eq!(hints.count(), 1);
    }

    #[test]
    fn everything_wrong_is_told_at_once_with_its_place() {
        check_faults(
            "{\n  /* \"not this\" */ \"rum\": { \"next_metric\": [\"m\"] },\n  \"run\": {\n    \"next_metrik\": [\"m\"], // \"nor this\"\n    \"zoom\": [\"entre\", \"a-b\", \"ctrl-c\", \"shift-1\"],\n  },\n}",
            &[
                "keys.ron:2:20: there is no place for keys `rum`; did you mean `run`?",
                "keys.ron:4:5: there is no action of `run` `next_metrik`; did you mean `next_metric`?",
                "keys.ron:5:14: `entre` is no key; keys are such as `a`, `?`, `space`, `enter`, `f5`, `pageup`, `shift-left`, `ctrl-s`, `alt-x`",
                "keys.ron:5:23: `a-b` is more than one key, which a terminal can't tell from one after the other",
                "keys.ron:5:30: `ctrl-c` always saves and leaves",
                "keys.ron:5:40: `shift-1` is another character on every keyboard; write that character",
            ],
        );
    }

    #[test]
    fn a_key_for_two_actions_is_a_fault_and_so_is_no_way_out() {
        check_faults(
            r#"{ "run": { "zoom": ["m"], "zoom": ["v"] }, "quit": { "back": [] } }"#,
            &[
                "keys.ron:1:21: `m` is the key of `next_metric` already; give one of the two another",
                "keys.ron:1:27: `zoom` is there twice",
                "keys.ron:1:54: `back` needs a key: there would be no way out",
            ],
        );
    }

    #[test]
    fn what_is_no_map_of_lists_is_told_with_its_place() {
        let faults = read("{\n \"run\": [\"m\"] }", "keys.ron").expect_err("it is wrong");
        assert!(faults.starts_with("keys.ron:2:"), "{faults}");
        assert!(faults.contains("finches keys"), "{faults}");
    }
}
