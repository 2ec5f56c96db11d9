//! User-defined keys: a RON file that assigns other keys to actions, in the format that
//! `finches keys` prints. All errors of a file are reported together, each with its position.

use std::fmt::{self, Write as _};
use std::marker::PhantomData;

use crokey::{KeyCombination, OneToThree};
use crossterm::event::{KeyCode, KeyModifiers};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

use finches_engine::params::suggest;

use super::keymap::{Action, Binding, Key, Keymap, Scope};
use super::screens;

/// The former name of the scope `runs`, and those of some of its actions.
const FORMER_SCOPE: &str = "compare";
const FORMER_ACTIONS: [(&str, &str); 2] = [("enter", "select_run"), ("show_fork", "next_set")];

/// The present name of an action of the former scope.
fn renamed(action: String) -> String {
    let known = FORMER_ACTIONS
        .into_iter()
        .find(|(former, _)| *former == action);
    known.map_or(action, |(_, name)| name.to_owned())
}

/// A map that keeps its order and its duplicate keys.
struct OrderedMap<T>(Vec<(String, T)>);

/// Scopes, their actions, and the keys of each action.
type KeymapFile = OrderedMap<OrderedMap<Vec<String>>>;

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OrderedMap<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(OrderedMapVisitor(PhantomData))
    }
}

struct OrderedMapVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for OrderedMapVisitor<T> {
    type Value = OrderedMap<T>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a map with names in quotes")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(OrderedMap(pairs))
    }
}

/// The default keymap with the changes of a file. `name` is the file's name in error messages.
pub fn parse(text: &str, name: &str) -> Result<Keymap, String> {
    // Some editors write a byte order mark.
    let text = text.trim_start_matches('\u{feff}');
    let listed: KeymapFile = ron::from_str(text).map_err(|error| {
        let (at, code) = (error.span.start, error.code);
        format!(
            "{name}:{}:{}: {code}; `finches keys` prints what such a file looks like",
            at.line, at.col
        )
    })?;
    let mut reader = KeymapReader {
        places: string_positions(text).into_iter(),
        defaults: screens::keymap(),
        keymap: screens::keymap(),
        custom: Vec::new(),
        errors: Vec::new(),
    };
    reader.read_scopes(listed);
    reader.find_conflicts();
    if reader.errors.is_empty() {
        return Ok(reader.keymap);
    }
    let faults = reader.errors.iter().map(|(place, what)| {
        let TextPosition { line, column } = place;
        format!("{name}:{line}:{column}: {what}")
    });
    Err(faults.collect::<Vec<_>>().join("\n"))
}

/// A position in a file, from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct TextPosition {
    line: usize,
    column: usize,
}

/// A key that the file assigns.
struct CustomKey {
    scope: Scope,
    action: Action,
    key: Key,
    place: TextPosition,
}

struct KeymapReader {
    /// The positions of the strings of the file, in reading order.
    places: std::vec::IntoIter<TextPosition>,
    defaults: Keymap,
    keymap: Keymap,
    custom: Vec<CustomKey>,
    errors: Vec<(TextPosition, String)>,
}

impl KeymapReader {
    fn place(&mut self) -> TextPosition {
        self.places.next().unwrap_or_default()
    }

    fn read_scopes(&mut self, listed: KeymapFile) {
        let mut seen = Vec::new();
        for (name, actions) in listed.0 {
            let place = self.place();
            let was_renamed = name == FORMER_SCOPE;
            let name = if was_renamed { "runs".to_owned() } else { name };
            let scope = self.keymap.scopes().find(|scope| scope.name == name);
            if scope.is_none() {
                let known: Vec<&str> = self.keymap.scopes().map(|scope| scope.name).collect();
                self.report_unknown(place, "scope", &name, &known);
            }
            for (action, keys) in actions.0 {
                let place = self.place();
                let keys: Vec<(String, TextPosition)> =
                    keys.into_iter().map(|key| (key, self.place())).collect();
                let Some(scope) = scope else { continue };
                let action = if was_renamed { renamed(action) } else { action };
                if seen.contains(&(scope, action.clone())) {
                    self.errors
                        .push((place, format!("`{action}` appears twice")));
                }
                self.action(scope, &action, place, keys);
                seen.push((scope, action));
            }
        }
    }

    fn report_unknown(&mut self, place: TextPosition, what: &str, name: &str, known: &[&str]) {
        let hint = suggest(name, known);
        self.errors
            .push((place, format!("unknown {what} `{name}`; {hint}")));
    }

    fn action(
        &mut self,
        scope: Scope,
        name: &str,
        place: TextPosition,
        keys: Vec<(String, TextPosition)>,
    ) {
        let known = actions(&self.defaults, scope);
        let names: Vec<String> = known.iter().map(|(action, _)| action.name()).collect();
        let Some(found) = names.iter().position(|known| known == name) else {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let what = format!("action of `{}`", scope.name);
            return self.report_unknown(place, &what, name, &names);
        };
        let action = known[found].0;
        if keys.is_empty() && is_required(scope, action) {
            let what = format!("`{name}` needs a key: without one there is no way out");
            self.errors.push((place, what));
        }
        let mut own = Vec::new();
        for (text, place) in keys {
            match key(&text) {
                Ok(key) if own.contains(&key) => {}
                Ok(key) => {
                    own.push(key);
                    self.custom.push(CustomKey {
                        scope,
                        action,
                        key,
                        place,
                    });
                }
                Err(what) => self.errors.push((place, what)),
            }
        }
        self.keymap.remap(scope, action, &own);
    }

    /// Reports keys that are bound to two actions in one scope.
    fn find_conflicts(&mut self) {
        for given in &self.custom {
            let bindings = self.keymap.bindings(given.scope).iter();
            let others = bindings
                .filter(|binding| binding.key == given.key && (binding.action != given.action));
            for other in others {
                let (key, other) = (given.key.label(), other.action.name());
                let what = format!("`{key}` is already bound to `{other}`; change one of them");
                self.errors.push((given.place, what));
            }
        }
        self.errors.sort();
    }
}

/// Whether an action must have a key.
fn is_required(scope: Scope, action: Action) -> bool {
    [Scope::HELP, Scope::QUIT, Scope::COST].contains(&scope)
        || (!scope.has_globals && action == Action::Quit)
}

/// The actions of a scope with their keys, in table order, without those that only the mouse has.
fn actions(keymap: &Keymap, scope: Scope) -> Vec<(Action, Vec<&Binding>)> {
    let mut found: Vec<(Action, Vec<&Binding>)> = Vec::new();
    let bindings = keymap.bindings(scope).iter();
    let pressed = bindings.filter(|binding| binding.key.is_pressed());
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

/// Parses the name of a key. A single character is that key.
fn key(text: &str) -> Result<Key, String> {
    let mut letters = text.chars();
    if let (Some(letter), None) = (letters.next(), letters.next()) {
        return Ok(Key::Char(letter));
    }
    let Ok(KeyCombination { codes, modifiers }) = crokey::parse(text) else {
        return Err(format!(
            "`{text}` is not a key; examples are `a`, `?`, `space`, `enter`, `f5`, `pageup`, \
            `shift-left`, `ctrl-s`, `alt-x`"
        ));
    };
    let OneToThree::One(code) = codes else {
        let what = "is more than one key, which a terminal cannot tell from keys pressed one after \
                    another";
        return Err(format!("`{text}` {what}"));
    };
    if let Some(why) = unusable(code, modifiers) {
        return Err(format!("`{text}` {why}"));
    }
    Ok(match (code, modifiers) {
        (KeyCode::Char(letter), KeyModifiers::NONE | KeyModifiers::SHIFT) => Key::Char(letter),
        (code, KeyModifiers::NONE) => Key::Code(code),
        (code, KeyModifiers::SHIFT) => Key::Shift(code),
        (code, held) => Key::With(held, code),
    })
}

/// Why a terminal never sends a key, if so.
fn unusable(code: KeyCode, held: KeyModifiers) -> Option<&'static str> {
    let same = match (code, held) {
        (KeyCode::Char('c'), KeyModifiers::CONTROL) => "always saves and quits",
        (KeyCode::Char('z'), KeyModifiers::CONTROL) => "always suspends the program",
        (KeyCode::Char('i'), KeyModifiers::CONTROL) => "is sent as `tab`; write that",
        (KeyCode::Char('m'), KeyModifiers::CONTROL) => "is sent as `enter`; write that",
        (KeyCode::Char('['), KeyModifiers::CONTROL) => "is sent as `esc`; write that",
        (KeyCode::Char(letter), KeyModifiers::SHIFT) if !letter.is_ascii_alphabetic() => {
            "types another character; write that character"
        }
        _ => return None,
    };
    Some(same)
}

/// The positions of the strings in a RON text, in order.
fn string_positions(text: &str) -> Vec<TextPosition> {
    let mut places = Vec::new();
    let (mut line, mut column) = (1, 0);
    let mut letters = text.chars().peekable();
    let mut within = LexState::Nothing;
    while let Some(letter) = letters.next() {
        (line, column) = match letter {
            '\n' => (line + 1, 0),
            _ => (line, column + 1),
        };
        let next = letters.peek().copied();
        within = match (within, letter, next) {
            (LexState::Nothing, '"', _) => {
                places.push(TextPosition { line, column });
                LexState::String
            }
            (LexState::Nothing, '/', Some('/')) => LexState::Line,
            (LexState::String, '\\', Some(_)) => LexState::Escape,
            (LexState::Escape, ..) => LexState::String,
            (LexState::String, '"', _) | (LexState::Line, '\n', _) | (LexState::Star, '/', _) => {
                LexState::Nothing
            }
            (LexState::Block | LexState::Star, '*', _) => LexState::Star,
            (LexState::Nothing, '/', Some('*')) | (LexState::Star, ..) => LexState::Block,
            (same, ..) => same,
        };
    }
    places
}

/// The lexical context of a character.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LexState {
    Nothing,
    String,
    /// After a backslash in a string.
    Escape,
    Line,
    Block,
    /// After a star in a block comment.
    Star,
}

/// A keymap in the format that [`parse`] reads.
pub fn to_ron(keymap: &Keymap) -> String {
    let mut text = String::from(
        "// Keys of finches: for each screen, the actions and their keys. A file in this format, \
        named by --keys FILE or\n\
         // FINCHES_KEYS, or stored as finches/keys.ron in your configuration folder, changes \
        only\n// the keys it lists.\n{\n",
    );
    for scope in keymap.scopes() {
        let actions = actions(keymap, scope);
        if actions.is_empty() {
            continue;
        }
        // Writing to a string cannot fail.
        let _ = writeln!(text, "    \"{}\": {{", scope.name);
        for (action, bindings) in actions {
            let keys = bindings.iter().map(|binding| quoted(binding.key));
            let keys = keys.collect::<Vec<_>>().join(", ");
            let (action, words) = (action.name(), bindings[0].help);
            let entry = format!("\"{action}\": [{keys}],");
            let _ = writeln!(text, "        {entry:<40} // {words}");
        }
        text.push_str("    },\n");
    }
    text.push_str("}\n");
    text
}

/// The name of a key in a file, in quotes.
fn quoted(key: Key) -> String {
    let name = match key {
        Key::Char(' ') => "space".to_owned(),
        Key::Char(letter) => letter.to_string(),
        Key::Code(code) => KeyCombination::from(code).to_string(),
        Key::Shift(code) => KeyCombination::one_key(code, KeyModifiers::SHIFT).to_string(),
        Key::With(held, code) => KeyCombination::one_key(code, held).to_string(),
        Key::Click | Key::Wheel(_) => String::new(),
    };
    // Names are lowercase; a single character keeps its case.
    let is_name = name.chars().count() > 1;
    format!("{:?}", if is_name { name.to_lowercase() } else { name })
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyEvent;

    use super::*;

    fn check_errors(text: &str, expected: &[&str]) {
        let errors = parse(text, "keys.ron").expect_err("an invalid keymap");
        let errors: Vec<&str> = errors.lines().collect();
        assert_eq!(errors, expected);
    }

    #[test]
    fn a_printed_keymap_can_be_read_back() {
        let default = screens::keymap();
        assert_eq!(parse(&to_ron(&default), "keys.ron"), Ok(default));
        let text = "\u{feff}".to_owned()
            + r#"{ "run": { "next_metric": ["ctrl-n", "alt-shift-left", "F5", "é"] } }"#;
        let own = parse(&text, "keys.ron").expect("a valid keymap");
        assert_eq!(parse(&to_ron(&own), "keys.ron"), Ok(own));
    }

    #[test]
    fn a_file_changes_only_what_it_lists() {
        let text = r#"{
            "global": { "save": ["ctrl-s", "S"], "freeze": [] },
            "run": { "next_metric": ["f5"] }, // by the way
        }"#;
        let keymap = parse(text, "keys.ron").expect("a valid keymap");
        let run = keymap.scopes().find(|scope| scope.name == "run");
        let run = run.expect("a screen");
        let press = |held, code| {
            let both = [run, Scope::GLOBAL].map(|scope| keymap.bindings(scope));
            let event = KeyEvent::new(code, held);
            let mut both = both.into_iter().flatten();
            both.find(|binding| binding.key.matches(event))
                .map(|binding| binding.action)
        };
        let none = KeyModifiers::NONE;
        let save = Some(Action::Own("save"));
        assert_eq!(press(KeyModifiers::CONTROL, KeyCode::Char('s')), save);
        assert_eq!(press(KeyModifiers::SHIFT, KeyCode::Char('S')), save);
        assert_eq!(press(none, KeyCode::F(5)), Some(Action::NextMetric));
        for gone in ['s', 'm', 'f'] {
            assert_eq!(press(none, KeyCode::Char(gone)), None, "{gone}");
        }
        assert_eq!(press(none, KeyCode::Char('n')), Some(Action::Own("step")));
        let global = keymap.bindings(Scope::GLOBAL).iter();
        let hints: Vec<String> = global
            .filter(|binding| binding.hint == "save")
            .map(|binding| binding.key.label())
            .collect();
        assert_eq!(hints, ["ctrl-s"]);
    }

    #[test]
    fn keys_under_former_names_are_read() {
        let former = r#"{ "compare": { "enter": ["u"], "pin_run": ["U"], "show_fork": ["w"] } }"#;
        let names = r#"{ "runs": { "select_run": ["u"], "pin_run": ["U"], "next_set": ["w"] } }"#;
        let read = |text| parse(text, "keys.ron").expect("a valid keymap");
        assert_eq!(read(former), read(names));
    }

    #[test]
    fn all_errors_are_reported_with_their_positions() {
        check_errors(
            "{\n  /* \"not this\" */ \"rum\": { \"next_metric\": [\"m\"] },\n  \"run\": {\n    \
            \"next_metrik\": [\"m\"], // \"nor this\"\n    \"zoom\": [\"entre\", \"a-b\", \
            \"ctrl-c\", \"shift-1\"],\n  },\n}",
            &[
                "keys.ron:2:20: unknown scope `rum`; did you mean `run`?",
                "keys.ron:4:5: unknown action of `run` `next_metrik`; did you mean `next_metric`?",
                "keys.ron:5:14: `entre` is not a key; examples are `a`, `?`, `space`, `enter`, \
                `f5`, `pageup`, `shift-left`, `ctrl-s`, `alt-x`",
                "keys.ron:5:23: `a-b` is more than one key, which a terminal cannot tell from keys \
                 pressed one after another",
                "keys.ron:5:30: `ctrl-c` always saves and quits",
                "keys.ron:5:40: `shift-1` types another character; write that character",
            ],
        );
    }

    #[test]
    fn a_key_for_two_actions_is_an_error_and_so_is_no_way_out() {
        check_errors(
            r#"{ "run": { "zoom": ["m"], "zoom": ["v"] }, "quit": { "back": [] } }"#,
            &[
                "keys.ron:1:21: `m` is already bound to `next_metric`; change one of them",
                "keys.ron:1:27: `zoom` appears twice",
                "keys.ron:1:54: `back` needs a key: without one there is no way out",
            ],
        );
    }

    #[test]
    fn a_wrong_type_is_reported_with_its_position() {
        let errors = parse("{\n \"run\": [\"m\"] }", "keys.ron").expect_err("an invalid keymap");
        assert!(errors.starts_with("keys.ron:2:"), "{errors}");
        assert!(errors.contains("finches keys"), "{errors}");
    }
}
