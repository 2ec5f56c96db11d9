//! Checks the sources against the module map and the house rules. A module that is not on the map is a breach too.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path as FilePath;

use crate::support::root;

/// Modules by row. A module may import modules of lower rows only, not those of its own row.
const ROWS: [&[&str]; 13] = [
    &[
        "rng",
        "params",
        "projection",
        "io_module",
        "board_geometry",
        "text",
        "simd",
    ],
    &["registry"],
    &["games", "genomes", "metrics", "contest"],
    &["search"],
    &["agents"],
    &["play", "evolution"],
    &["preset", "outside"],
    &["session"],
    &["storage"],
    &["run", "experiment", "islands", "log", "signals"],
    &["ui", "report"],
    &["cli"],
    &["program"],
];

/// The modules inside `ui` by row, in the same way. A screen that is not listed is on the row of `screens/*`.
const UI_ROWS: [&[&str]; 13] = [
    &["format", "mouse", "jobs", "terminal_keys"],
    &["keymap", "terminal_input"],
    &["theme"],
    &["widgets", "input", "settings"],
    &["model", "terminal"],
    &["screen"],
    &[
        "screens/change_history",
        "screens/first_layer",
        "screens/help",
        "screens/move_marks",
        "screens/node_names",
        "screens/placeholder",
        "screens/waiting",
    ],
    &["screens/run"],
    &["screens/*"],
    &["screens"],
    &["app", "remap"],
    &["driver", "summary"],
    &["event_loop"],
];

/// Modules that may import less than their row allows.
const NARROW: [(&str, &[&str]); 3] = [
    ("search", &["rng", "params", "registry", "games"]),
    (
        "play",
        &[
            "rng",
            "params",
            "registry",
            "projection",
            "io_module",
            "contest",
            "metrics",
            "games",
            "genomes",
            "search",
            "agents",
        ],
    ),
    (
        "evolution",
        &["rng", "params", "registry", "contest", "genomes", "metrics"],
    ),
];

/// Names reserved for some modules: the name, the modules, and what to do elsewhere.
const RESERVED: [(&str, &[&str], &str); 10] = [
    ("ratatui", &["ui"], "draw in ui, hand it plain data"),
    ("crossterm", &["ui"], "the terminal belongs to ui"),
    ("tui_input", &["ui"], "the terminal belongs to ui"),
    (
        "rayon",
        &["play", "experiment"],
        "go through play::pool::Pool",
    ),
    (
        "crossbeam_channel",
        &["run", "ui", "cli"],
        "return a value, let run send it",
    ),
    (
        "std::fs",
        &["storage", "ui/terminal_input"],
        "let storage touch the files",
    ),
    ("include_dir", &["storage"], "let storage touch the files"),
    (
        "std::process::Command",
        &["outside", "storage"],
        "let outside run the programs that play",
    ),
    (
        "std::env",
        &["storage", "cli", "main", "ui/theme"],
        "take it as an argument",
    ),
    (
        "std::time",
        &[
            "run",
            "storage",
            "ui",
            "cli",
            "experiment",
            "islands",
            "log",
            "signals",
            "outside",
        ],
        "results depend on preset and seed alone; let run keep the time",
    ),
];

/// Macros that print. Only the modules in `PRINTERS` may use them.
const PRINTING: [&str; 5] = ["println!", "eprintln!", "print!", "eprint!", "dbg!"];
const PRINTERS: [&str; 3] = ["ui", "cli", "main"];

/// Maximum number of lines of production code in a file.
const MAX_LINES: usize = 450;

/// A source file, its path relative to `src` with forward slashes.
struct Source {
    path: String,
    text: String,
}

impl Source {
    /// The module path, such as `games/nim`; `games/mod.rs` is `games`.
    fn place(&self) -> &str {
        let stem = self.path.trim_end_matches(".rs");
        stem.strip_suffix("/mod").unwrap_or(stem)
    }

    /// The top-level module of the file.
    fn module(&self) -> &str {
        self.place().split('/').next().unwrap_or_default()
    }

    fn is_within(&self, places: &[&str]) -> bool {
        let place = self.place();
        let inside = |under: &&str| {
            place
                .strip_prefix(*under)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        places.iter().any(inside)
    }
}

/// All breaches, one line each: where, what, and what to do instead.
fn breaches(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources {
        let code = code_of(&source.text);
        let tests_from = if is_test_module(source, sources) {
            0
        } else {
            production_lines(&source.text)
        };
        let mut report = |line: usize, what: String| {
            found.push(format!("src/{}:{line}: {what}", source.path));
        };
        check_form(source, tests_from, &mut report);
        for path in paths_of(&code) {
            check_path(source, &path, path.line > tests_from, &mut report);
        }
        for (index, line) in code.lines().enumerate().take(tests_from) {
            if line.contains(".unwrap()") {
                let what = "unwraps; handle the case, or `expect` the invariant that rules it out";
                report(index + 1, what.to_owned());
            }
        }
    }
    found
}

fn check_form(source: &Source, production: usize, report: &mut impl FnMut(usize, String)) {
    if !source.text.starts_with("//!") {
        let what = "does not open with `//!`; say what the file is and what it does not know";
        report(1, what.to_owned());
    }
    if production > MAX_LINES {
        let what = format!(
            "has {production} lines before its tests, at most {MAX_LINES} are allowed; split it by idea"
        );
        report(MAX_LINES + 1, what);
    }
}

fn check_path(
    source: &Source,
    path: &Named,
    is_test: bool,
    report: &mut impl FnMut(usize, String),
) {
    let name = path.name.as_str();
    if let Some(rest) = name.strip_prefix("crate::") {
        let wanted = rest.split("::").next().unwrap_or_default();
        if let Some(what) = import_fault(source.module(), wanted) {
            report(path.line, what);
        }
    }
    if let Some(what) = ui_import_fault(source.place(), name).filter(|_| !is_test) {
        report(path.line, what);
    }
    for (reserved, places, instead) in RESERVED {
        let used = name
            .strip_prefix(reserved)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
        if used && !source.is_within(places) {
            let what = format!(
                "uses {reserved}, which only {} may; {instead}",
                places.join(", ")
            );
            report(path.line, what);
        }
    }
    if PRINTING.contains(&name) && !source.is_within(&PRINTERS) && !is_test {
        let what = format!(
            "prints with {name}; return the text and let {} show it",
            PRINTERS.join(", ")
        );
        report(path.line, what);
    }
    if name == "unsafe" {
        report(
            path.line,
            "is unsafe; write it with slices and chunks".to_owned(),
        );
    }
}

/// Why a module may not import another, or `None` if it may. `main` and `lib` may import everything.
fn import_fault(module: &str, wanted: &str) -> Option<String> {
    let row = |name: &str| ROWS.iter().position(|row| row.contains(&name));
    if module == wanted || ["main", "lib"].contains(&module) {
        return None;
    }
    let Some(own) = row(module) else {
        return Some(format!(
            "`{module}` is not on the module map; give it a row in tests/it/tidy.rs and in the crate doc"
        ));
    };
    let narrow = NARROW.iter().find(|(name, _)| *name == module);
    let allowed = narrow.map(|(_, allowed)| *allowed);
    let fits = match allowed {
        Some(allowed) => allowed.contains(&wanted),
        None => row(wanted).is_some_and(|row| row < own),
    };
    (!fits).then(|| {
        let lower = ROWS[..own].concat();
        let may = allowed.unwrap_or(&lower).join(", ");
        format!("`{module}` imports `{wanted}`; it may import {may}: move what is needed down, or pass it in as plain data")
    })
}

/// Why a module inside `ui` may not import another, if it may not. `screens` itself lists all screens.
fn ui_import_fault(place: &str, name: &str) -> Option<String> {
    let own = place.strip_prefix("ui/")?;
    let wanted = within_crate(place, name)?;
    let wanted = wanted.strip_prefix("ui/")?;
    let Some((row, own)) = ui_row(own) else {
        return Some(format!("`{place}` has no row in tests/it/tidy.rs"));
    };
    let above = (UI_ROWS.len(), "what starts the dashboard".to_owned());
    let (wanted_row, wanted) = ui_row(wanted).unwrap_or(above);
    (own != wanted && wanted_row >= row)
        .then(|| format!("`ui/{own}` imports `{wanted}`; inside ui, imports go to lower rows only"))
}

/// The row and the name of the module that contains a path inside `ui`.
fn ui_row(path: &str) -> Option<(usize, String)> {
    let row_of = |name: &str| UI_ROWS.iter().position(|row| row.contains(&name));
    let mut names: Vec<&str> = path.splitn(3, '/').take(2).collect();
    while !names.is_empty() {
        let name = names.join("/");
        let other_screen = || row_of("screens/*").filter(|_| is_screen(&names));
        if let Some(row) = row_of(&name).or_else(other_screen) {
            return Some((row, name));
        }
        names.pop();
    }
    None
}

/// Whether these are the names of a module below `screens`, not of a function.
fn is_screen(names: &[&str]) -> bool {
    let folder = root().join("src/ui/screens");
    let exists =
        |name: &str| folder.join(name).exists() || folder.join(format!("{name}.rs")).exists();
    matches!(names, ["screens", name] if exists(name))
}

/// A path as seen from the root of the crate, with slashes; `None` for what is outside of it.
fn within_crate(place: &str, name: &str) -> Option<String> {
    let (mut base, mut rest) = match name.strip_prefix("crate::") {
        Some(rest) => ("", rest),
        None => (place, name),
    };
    while let Some(after) = rest.strip_prefix("super::") {
        base = base.rsplit_once('/').map_or("", |(parent, _)| parent);
        rest = after;
    }
    let is_inside = base != place || place.is_empty();
    is_inside.then(|| {
        format!("{base}/{}", rest.replace("::", "/"))
            .trim_start_matches('/')
            .to_owned()
    })
}

/// Whether the parent module declares the file with `#[cfg(test)]`.
fn is_test_module(source: &Source, sources: &[Source]) -> bool {
    let Some((parent, name)) = source.place().rsplit_once('/') else {
        return false;
    };
    let declares = |text: &str| {
        ["mod", "pub(crate) mod"]
            .iter()
            .any(|word| text.contains(&format!("#[cfg(test)]\n{word} {name};")))
    };
    sources
        .iter()
        .any(|other| other.place() == parent && declares(&other.text))
}

/// The lines before the tests of a file.
fn production_lines(text: &str) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let tests = lines
        .windows(2)
        .position(|pair| pair[0] == "#[cfg(test)]" && pair[1].ends_with('{'));
    tests.unwrap_or(lines.len())
}

/// The text with comments and literals replaced by spaces; line breaks are kept.
fn code_of(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let kept = code.chars().next_back().is_some_and(is_word);
        let length = hidden_length(rest, kept);
        let (hidden, after) = rest.split_at(length.unwrap_or(first.len_utf8()));
        if length.is_some() {
            code.extend(hidden.chars().map(|c| if c == '\n' { c } else { ' ' }));
        } else {
            code.push(first);
        }
        rest = after;
    }
    code
}

/// The length of the comment or literal at the start of `text`, if there is one.
fn hidden_length(text: &str, follows_word: bool) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if text.starts_with("/*") {
        return Some(text.find("*/").map_or(text.len(), |end| end + 2));
    }
    if !follows_word && (text.starts_with("r\"") || text.starts_with("r#")) {
        let hashes = text[1..].chars().take_while(|&c| c == '#').count();
        let close = format!("\"{}", "#".repeat(hashes));
        let opening = 2 + hashes;
        let is_string = text[1 + hashes..].starts_with('"');
        return is_string.then(|| {
            let end = text[opening..].find(&close);
            end.map_or(text.len(), |end| opening + end + close.len())
        });
    }
    match text.chars().next() {
        Some('"') => Some(quoted_length(text, '"')),
        Some('\'') if is_character(text) => Some(quoted_length(text, '\'')),
        _ => None,
    }
}

/// Whether a quote opens a character rather than a lifetime.
fn is_character(text: &str) -> bool {
    let mut chars = text.chars().skip(1);
    match (chars.next(), chars.next()) {
        (Some('\\'), _) => true,
        (_, second) => second == Some('\''),
    }
}

fn quoted_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (place, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return place + 1,
            _ => {}
        }
    }
    text.len()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A path, macro or keyword in the code, in full: `use a::{b, c::d}` contains `a::b` and `a::c::d`.
struct Named {
    line: usize,
    name: String,
}

/// All paths in the code. Paths that start with `$crate` are left out, since they belong to the user of the macro.
fn paths_of(code: &str) -> Vec<Named> {
    let mut reader = Reader {
        code: code.as_bytes(),
        at: 0,
        found: Vec::new(),
    };
    while reader.at < reader.code.len() {
        let before = reader.at.checked_sub(1).map(|at| reader.code[at]);
        if reader.at_word() && before != Some(b'$') {
            reader.path("");
        } else if reader.at_word() {
            reader.skip_path();
        } else {
            reader.at += 1;
        }
    }
    reader.found
}

/// Reads code without comments and literals, which is ASCII.
struct Reader<'a> {
    code: &'a [u8],
    at: usize,
    found: Vec<Named>,
}

impl Reader<'_> {
    fn at_word(&self) -> bool {
        self.code
            .get(self.at)
            .is_some_and(|&byte| is_word(char::from(byte)))
    }

    fn word(&mut self) -> String {
        let from = self.at;
        while self.at_word() {
            self.at += 1;
        }
        String::from_utf8_lossy(&self.code[from..self.at]).into_owned()
    }

    fn skip_space(&mut self) {
        while self.code.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn takes(&mut self, text: &str) -> bool {
        let fits = self.code[self.at..].starts_with(text.as_bytes());
        self.at += if fits { text.len() } else { 0 };
        fits
    }

    fn skip_path(&mut self) {
        let known = self.found.len();
        self.path("");
        self.found.truncate(known);
    }

    /// Reads the path that begins here, below `prefix`.
    fn path(&mut self, prefix: &str) {
        let from = self.at;
        let mut name = prefix.to_owned();
        loop {
            name += &self.word();
            if !self.takes("::") {
                break;
            }
            if self.takes("{") {
                return self.group(&format!("{name}::"));
            }
            if !self.at_word() {
                break;
            }
            name += "::";
        }
        if self.code.get(self.at) == Some(&b'!') && self.code.get(self.at + 1) != Some(&b'=') {
            name.push('!');
        }
        let line = self.code[..from].split(|&byte| byte == b'\n').count();
        self.found.push(Named { line, name });
    }

    /// Reads the paths between braces, each below `prefix`.
    fn group(&mut self, prefix: &str) {
        while self.at < self.code.len() {
            self.skip_space();
            if self.at_word() {
                self.path(prefix);
            } else {
                let byte = self.code[self.at];
                self.at += 1;
                if byte == b'}' {
                    return;
                }
            }
        }
    }
}

fn read_sources(folder: &FilePath, prefix: &str, out: &mut Vec<Source>) {
    let entries = fs::read_dir(folder).expect("the sources are there");
    for entry in entries {
        let entry = entry.expect("the folder can be read");
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            read_sources(&entry.path(), &format!("{path}/"), out);
        } else if entry
            .path()
            .extension()
            .is_some_and(|ending| ending == "rs")
        {
            let text = fs::read_to_string(entry.path()).expect("sources are text");
            out.push(Source { path, text });
        }
    }
}

#[test]
fn the_sources_keep_to_the_module_map_and_the_house_rules() {
    let mut sources = Vec::new();
    read_sources(&root().join("src"), "", &mut sources);
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(sources.len() > 20, "the sources were found");
    let mut report = String::new();
    for breach in breaches(&sources) {
        let _ = writeln!(report, "{breach}");
    }
    assert!(report.is_empty(), "\n{report}");
}

/// The types that the production code of a source declares, with their lines: structs, enums, traits, unions, and type aliases
/// outside of other items.
fn declared_types(source: &Source) -> Vec<(usize, String)> {
    let code = code_of(&source.text);
    let lines = code
        .lines()
        .enumerate()
        .take(production_lines(&source.text));
    lines
        .filter_map(|(index, line)| {
            let is_top_level = !line.starts_with(char::is_whitespace);
            let mut words = line.split_whitespace().peekable();
            words.next_if(|word| word.starts_with("pub"));
            let is_declaration = match words.next()? {
                "struct" | "enum" | "trait" | "union" => true,
                "type" => is_top_level,
                _ => false,
            };
            let name = words.next().filter(|_| is_declaration)?;
            let name: String = name.chars().take_while(|&c| is_word(c)).collect();
            (!name.is_empty()).then_some((index + 1, name))
        })
        .collect()
}

#[test]
fn a_type_name_stands_once_in_the_crate() {
    let mut sources = Vec::new();
    read_sources(&root().join("src"), "", &mut sources);
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    let mut declared: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for source in &sources {
        if is_test_module(source, &sources) {
            continue;
        }
        for (line, name) in declared_types(source) {
            let place = format!("src/{}:{line}", source.path);
            declared.entry(name).or_default().push(place);
        }
    }
    assert!(declared.len() > 100, "the types were found");
    let mut report = String::new();
    for (name, places) in declared.iter().filter(|(_, places)| places.len() > 1) {
        let _ = writeln!(report, "{name}: {}", places.join(" "));
    }
    assert!(
        report.is_empty(),
        "type names declared more than once:\n{report}"
    );
}

#[test]
fn declared_types_are_found_outside_of_tests_and_comments() {
    let text = "//! Made up.\n\
        pub struct One;\n\
        pub(crate) enum Two<'a> { A(&'a str) }\n\
        // struct No;\n\
        trait Three: Copy {\n    type No;\n}\n\
        type Four<T> = Vec<T>;\n\
        fn f() {\n    struct Five(u8);\n}\n\
        #[cfg(test)]\nmod tests {\n    struct No;\n}\n";
    let source = Source {
        path: "made_up.rs".to_owned(),
        text: text.to_owned(),
    };
    let names: Vec<String> = declared_types(&source)
        .into_iter()
        .map(|(_, name)| name)
        .collect();
    assert_eq!(names, ["One", "Two", "Three", "Four", "Five"]);
}

/// Checks one made-up file; `expected` are beginnings of the breaches, in order.
fn check(path: &str, body: &str, expected: &[&str]) {
    let source = |path: &str, text: &str| Source {
        path: path.to_owned(),
        text: text.to_owned(),
    };
    let sources = [
        source(path, &format!("//! Made up.\n{body}")),
        source("games/mod.rs", "//! Made up.\n#[cfg(test)]\nmod proof;\n"),
    ];
    let found = breaches(&sources);
    let agrees = found.len() == expected.len()
        && found
            .iter()
            .zip(expected)
            .all(|(found, expected)| found.starts_with(expected));
    assert!(
        agrees,
        "{path}: {body}\n found {found:#?}\n expected {expected:#?}"
    );
}

#[test]
fn imports_from_higher_rows_and_from_siblings_are_breaches() {
    check("games/nim.rs", "use crate::rng::Stream;", &[]);
    check("games/nim.rs", "use crate::games::Game;", &[]);
    let sibling = "src/games/nim.rs:2: `games` imports `genomes`; it may import rng, params, projection, io_module, board_geometry, text, simd, registry:";
    check("games/nim.rs", "use crate::genomes::Genome;", &[sibling]);
    check(
        "games/nim.rs",
        "use crate::{\n    rng,\n    play::{self, Arena},\n};",
        &[
            "src/games/nim.rs:4: `games` imports `play`",
            "src/games/nim.rs:4: `games` imports `play`",
        ],
    );
    check(
        "rng.rs",
        "fn f() -> crate::params::Kind {}",
        &["src/rng.rs:2: `rng` imports `params`"],
    );
    check(
        "play/game.rs",
        "use crate::preset::Preset;",
        &["src/play/game.rs:2: `play` imports `preset`"],
    );
    check(
        "evolution/pair/hex.rs",
        "use crate::games::Game;",
        &["src/evolution/pair/hex.rs:2: `evolution` imports `games`"],
    );
    check("preset.rs", "use crate::play;", &[]);
    check("session.rs", "use crate::preset::Preset;", &[]);
    check(
        "preset.rs",
        "use crate::session::Session;",
        &["src/preset.rs:2: `preset` imports `session`"],
    );
    check("main.rs", "use crate::cli;", &[]);
    check(
        "manager.rs",
        "use crate::rng;",
        &["src/manager.rs:2: `manager` is not on the module map"],
    );
    check(
        "params.rs",
        "macro_rules! m { () => { $crate::games::Game } }",
        &[],
    );
}

#[test]
fn inside_ui_imports_go_down_too() {
    check("ui/app/mod.rs", "use crate::ui::screens::log;", &[]);
    check("ui/model/run.rs", "use crate::ui::model::zoom::Zoom;", &[]);
    check("ui/mod.rs", "use crate::ui::app::AppModel;", &[]);
    check(
        "ui/screens/net/mod.rs",
        "use crate::ui::{app::AppModel, screens::play};",
        &[
            "src/ui/screens/net/mod.rs:2: `ui/screens/net` imports `app`",
            "src/ui/screens/net/mod.rs:2: `ui/screens/net` imports `screens/play`",
        ],
    );
    check(
        "ui/theme/mod.rs",
        "use crate::ui::widgets;",
        &["src/ui/theme/mod.rs:2: `ui/theme` imports `widgets`"],
    );
    check(
        "ui/terminal.rs",
        "use super::settings::TerminalSettings;",
        &[],
    );
    check(
        "ui/screens/net/graph/view.rs",
        "use super::super::view;",
        &[],
    );
    check(
        "ui/terminal.rs",
        "use super::UiError;",
        &["src/ui/terminal.rs:2: `ui/terminal` imports `what starts the dashboard`"],
    );
    check(
        "ui/new.rs",
        "use super::theme;",
        &["src/ui/new.rs:2: `ui/new` has no row"],
    );
}

#[test]
fn reserved_names_are_breaches_elsewhere() {
    check(
        "play/mod.rs",
        "use std::{fmt, fs::File};",
        &[
            "src/play/mod.rs:2: uses std::fs, which only storage, ui/terminal_input may; let storage touch the files",
        ],
    );
    check("storage/mod.rs", "use std::{env, fs, time};", &[]);
    check("ui/theme.rs", "fn f() { std::env::var(); }", &[]);
    check(
        "ui/app.rs",
        "fn f() { std::env::var(); }",
        &["src/ui/app.rs:2: uses std::env"],
    );
    check(
        "session.rs",
        "use std::time::Instant;",
        &["src/session.rs:2: uses std::time"],
    );
    check(
        "run/mod.rs",
        "use rayon::prelude::*;",
        &["src/run/mod.rs:2: uses rayon"],
    );
    check("play/pool.rs", "use rayon::prelude::*;", &[]);
    check(
        "cli.rs",
        "use crossterm::event;\nuse crossbeam_channel::Sender;",
        &["src/cli.rs:2: uses crossterm"],
    );
    check(
        "games/board.rs",
        "use ratatui::Frame;\nuse tui_input::Input;\nuse include_dir::Dir;",
        &[
            "src/games/board.rs:2: uses ratatui",
            "src/games/board.rs:3: uses tui_input",
            "src/games/board.rs:4: uses include_dir",
        ],
    );
    check("play/mod.rs", "use rayonnant::Sun;", &[]);
}

#[test]
fn comments_and_strings_are_not_breaches() {
    check(
        "games/nim.rs",
        "// use crate::ui;\nconst A: &str = \"crate::ui \\\" println!\";\nconst B: &str = r#\"std::fs \" unsafe\"#;",
        &[],
    );
    check(
        "games/nim.rs",
        "const C: char = '\"'; fn f<'a>(x: &'a str) -> bool { print != '\\'' }\nuse crate::ui;",
        &["src/games/nim.rs:3: `games` imports `ui`"],
    );
}

#[test]
fn printing_unwrapping_and_unsafe_code_are_breaches_outside_of_tests() {
    check(
        "games/nim.rs",
        "fn f() { println!(\"\"); x.unwrap(); unsafe { y } }",
        &[
            "src/games/nim.rs:2: prints with println!",
            "src/games/nim.rs:2: is unsafe",
            "src/games/nim.rs:2: unwraps",
        ],
    );
    check("cli.rs", "fn f() { println!(\"\"); }", &[]);
    let tests = "#[cfg(test)]\nmod tests {\n    fn f() { println!(\"\"); x.unwrap(); }\n}";
    check("games/nim.rs", tests, &[]);
    check("games/proof.rs", "fn f() { x.unwrap(); }", &[]);
}

#[test]
fn files_without_a_module_doc_and_long_files_are_breaches() {
    let bare = Source {
        path: "rng.rs".to_owned(),
        text: "fn f() {}\n".to_owned(),
    };
    assert!(breaches(&[bare])[0].starts_with("src/rng.rs:1: does not open with `//!`"));
    let (fits, long) = ("\n".repeat(449), "\n".repeat(450));
    check("rng.rs", &fits, &[]);
    check(
        "rng.rs",
        &long,
        &["src/rng.rs:451: has 451 lines before its tests"],
    );
    let tested = format!("#[cfg(test)]\nmod tests {{\n{long}}}");
    check("rng.rs", &tested, &[]);
}
