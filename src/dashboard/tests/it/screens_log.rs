//! The Log screen: listing, filtering, following, and export.

use std::time::Duration;

use crate::screens::running;
use crate::support::screen;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use finches_dashboard::app::AppModel;
use finches_dashboard::screen::Request;
use finches_dashboard::screens::home::Home;
use finches_dashboard::screens::log::LogScreen;
use finches_dashboard::theme::Theme;
use finches_runs::log::{Level, LogEntry};

use crate::support::{check, text};

fn entry(number: u64, level: Level, part: &str, words: &str, fields: &[(&str, &str)]) -> LogEntry {
    let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
    LogEntry {
        number,
        elapsed: Duration::from_secs(number * 7),
        unix_seconds: 1_700_000_000 + number * 7,
        level,
        module: part.to_owned(),
        message: words.to_owned(),
        fields: fields.iter().map(owned).collect(),
    }
}

pub(crate) fn entries() -> Vec<LogEntry> {
    let told = [
        (
            Level::DEBUG,
            "terminal",
            "terminal found",
            vec![("width", "120"), ("colors", "24 bit")],
        ),
        (
            Level::INFO,
            "run",
            "started",
            vec![
                ("preset", "nim-2x4"),
                ("seed", "42"),
                ("generation", "0"),
                ("threads", "2"),
                ("saved_as", "nim-2x4-42"),
            ],
        ),
        (
            Level::DEBUG,
            "run",
            "generations done",
            vec![("from", "0"), ("count", "120"), ("playing_ms", "812.5")],
        ),
        (
            Level::INFO,
            "run",
            "new best",
            vec![("generation", "118"), ("objective", "0.79")],
        ),
        (
            Level::WARN,
            "run",
            "not saved: saves/nim-2x4-42: no space left on device; make room and it goes on by \
                itself",
            vec![],
        ),
        (
            Level::INFO,
            "run",
            "saved",
            vec![("generation", "120"), ("took_ms", "3.2")],
        ),
        (Level::TRACE, "run", "a detail", vec![]),
        (
            Level::ERROR,
            "panic",
            "a bout panicked\nat src/arena/bout.rs:12",
            vec![],
        ),
    ];
    let told = (0..).zip(told);
    told.map(|(number, (level, part, words, fields))| entry(number, level, part, words, &fields))
        .collect()
}

fn log(entries: Vec<LogEntry>) -> AppModel {
    let mut model = AppModel::new(Theme::dark(), Home::new(Vec::new(), String::new()));
    screen::<LogScreen>(&mut model).append(entries);
    press(&mut model, "6");
    model
}

/// Presses keys, a letter each; `^_` are arrows, `}` is end, `!` enter and `~` esc.
fn press(model: &mut AppModel, keys: &str) -> Vec<Request> {
    let keys = keys.chars().flat_map(|key| {
        let code = match key {
            '^' => KeyCode::Up,
            '_' => KeyCode::Down,
            '}' => KeyCode::End,
            '!' => KeyCode::Enter,
            '~' => KeyCode::Esc,
            letter => KeyCode::Char(letter),
        };
        model.press(KeyEvent::new(code, KeyModifiers::NONE))
    });
    keys.collect()
}

#[test]
fn entries_are_listed_filtered_and_shown_in_detail() {
    let mut model = log(entries());
    check!("log", &mut model);
    press(&mut model, "LL");
    check!("log_all_levels", &mut model);
    press(&mut model, "/saved!^");
    let drawn = text(&model, (120, 40));
    for part in [
        "/saved ",
        "trace and above · 3 of 8 · time since finches started",
        "Details ──",
        "2023-11-14 22:13:48 UTC",
        "WARN in run, 00:28 after finches started",
        "not saved: saves/nim-2x4-42: no space left on device; make room",
    ] {
        assert!(drawn.contains(part), "{part} in:\n{drawn}");
    }
    press(&mut model, "!");
    let drawn = text(&model, (120, 40));
    assert!(!drawn.contains("Details"), "enter closes them: {drawn}");
    press(&mut model, "!~");
    assert!(text(&model, (120, 40)).contains("8 of 8"), "esc shows all");
    press(&mut model, "/nowhere!");
    assert!(text(&model, (120, 40)).contains("No matches"));
}

#[test]
fn a_large_terminal_shows_where_the_run_was_at_the_selected_entry() {
    let mut model = running();
    screen::<LogScreen>(&mut model).append(entries());
    press(&mut model, "6");
    let drawn = text(&model, (200, 60));
    assert!(drawn.contains("Effects of past changes"), "{drawn}");
    assert!(drawn.contains(" 85% g119 "), "{drawn}");
    press(&mut model, "^^^");
    let drawn = text(&model, (200, 60));
    assert!(drawn.contains("gen 118 · "), "{drawn}");
    screen::<LogScreen>(&mut model).append(vec![entry(8, Level::INFO, "run", "resumed", &[])]);
    let drawn = text(&model, (200, 60));
    assert!(!drawn.contains("gen 118 · "), "it is about another run");
}

#[test]
fn the_newest_entry_is_followed_until_another_is_selected() {
    let many = |from: u64, to: u64| {
        let told = |number| entry(number, Level::INFO, "run", &format!("saved {number}."), &[]);
        (from..to).map(told).collect::<Vec<_>>()
    };
    let mut model = log(many(0, 100));
    assert!(text(&model, (80, 24)).contains("Saved 99."));
    press(&mut model, "^");
    screen::<LogScreen>(&mut model).append(many(100, 200));
    let drawn = text(&model, (80, 24));
    assert!(
        drawn.contains("Saved 98.") && !drawn.contains("Saved 199."),
        "{drawn}"
    );
    press(&mut model, "}");
    assert!(text(&model, (80, 24)).contains("Saved 199."));
    assert_eq!(screen::<LogScreen>(&mut model).next_number(), 200);
}

#[test]
fn levels_cycle_and_visible_entries_are_exported() {
    let mut model = log(entries());
    let shown = |model: &mut AppModel| match &press(model, "e")[..] {
        [Request::Export(export)] => export.text.lines().count(),
        other => panic!("{other:?}"),
    };
    let counts: Vec<usize> = (0..6)
        .map(|_| {
            let count = shown(&mut model);
            press(&mut model, "L");
            count
        })
        .collect();
    assert_eq!(
        counts,
        [5, 7, 8, 1, 2, 5],
        "info, debug, trace, error, warn, info"
    );
}
