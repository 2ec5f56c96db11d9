//! Files and arguments that mean harm: nothing in them reaches the terminal as a command, and nothing absurd is begun.

use std::fs;
use std::path::Path;


use crate::program::{folder, run, run_with_input};

/// Sets the title and clears the screen of a terminal, once with the bytes of C0 and once with those of C1, and turns the
/// direction of writing.
const EVIL: &str = "a\u{1b}]0;TITLE\u{7}\u{1b}[2J\u{9b}2Jb\u{202e}c\r\u{200b}";

/// Checks that a text has no character that a terminal acts on, but says that there was one.
#[track_caller]
fn check_harmless(text: &str) {
    let evil = |c: char| c != '\n' && (c.is_control() || EVIL.contains(c) && !c.is_ascii());
    assert!(!text.contains(evil), "{text:?}");
    assert!(text.contains("\\u{") || text.contains("\\u00"), "{text:?}");
}

/// Changes a sealed file, and its checksum with it.
fn reseal(path: &Path, prefix: &str, change: impl Fn(&str) -> String) {
    let text = fs::read_to_string(path).expect("it was written");
    let (body, sealed) = text.rsplit_once(prefix).expect("it is sealed");
    let changed = change(body);
    assert_ne!(changed, body, "there is something to change");
    let sum = crc32fast::hash(changed.as_bytes());
    let end = &sealed[8..];
    fs::write(path, format!("{changed}{prefix}{sum:08x}{end}")).expect("it is writable");
}

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).expect("it is writable");
    path.to_str().expect("it is text").to_owned()
}

/// A run of some generations that is saved as `nim-2x4-1`.
fn saved(saves: &Path, generations: &str) {
    let words = ["run", "nim-2x4", "--seed=1", "--generations", generations];
    let (_, said, code) = run(saves, &words);
    assert_eq!(code, 0, "{said}");
}

#[test]
fn numbers_beyond_reason_are_refused() {
    let most = u64::MAX.to_string();
    for (words, expected) in [
        (
            &["run", "nim-2x4", "--threads", &most][..],
            "8 for each core",
        ),
        (&["run", "nim-2x4", "--threads=1000000"], "8 for each core"),
        (
            &["experiment", "nim-2x2", "--runs=2", "--threads=1000000"],
            "8 for each core",
        ),
        (
            &[
                "arena",
                "random",
                "oracle",
                "--game=nim",
                "--threads=1000000",
            ],
            "8 for each core",
        ),
        (
            &["run", "nim-2x4", "--checkpoint-every=-5"],
            "from 0 to 1000000000",
        ),
        (
            &["run", "nim-2x4", "--checkpoint-every=nan"],
            "from 0 to 1000000000",
        ),
        (
            &["run", "nim-2x4", "--checkpoint-every=1e400"],
            "from 0 to 1000000000",
        ),
        (
            &["run", "nim-2x4", "--until=games>=NaN"],
            "is not a condition",
        ),
        (
            &["run", "nim-2x4", "--until=games>=inf"],
            "is not a condition",
        ),
        (
            &["run", "nim-2x4", "--set=until=games>=inf"],
            "is not a condition",
        ),
        (
            &["experiment", "nim-2x2", "--seed=0", "--runs", &most],
            "1..=1000000",
        ),
        (
            &["experiment", "nim-2x2", "--runs=10000000000"],
            "1..=1000000",
        ),
        (
            &["experiment", "nim-2x2", "--runs=9", "--seed", &most],
            "exceed the largest seed",
        ),
        (
            &[
                "arena",
                "random",
                "oracle",
                "--game=nim",
                "--games=4294967295",
            ],
            "1..=1000000",
        ),
        (
            &[
                "arena",
                "random",
                "oracle",
                "random",
                "oracle",
                "random",
                "oracle",
                "--game=nim",
                "--games=1000000",
            ],
            "at most 10000000",
        ),
        (
            &["evaluate", "champion-nim", "--games=4294967294"],
            "1..=1000000",
        ),
        (&["rules", "nim", "--perft", &most], "1..=100"),
        (&["rules", "nim", "--perft=200000"], "1..=100"),
    ] {
        let folder = folder();
        let (out, said, code) = run(folder.path(), words);
        assert_eq!((out.as_str(), code), ("", 2), "{words:?}: {said}");
        assert!(said.contains(expected), "{words:?}: {said}");
        let made = fs::read_dir(folder.path()).expect("it can be read").count();
        assert_eq!(made, 0, "{words:?}");
    }
}

#[test]
fn a_line_that_is_too_long_is_answered_with_an_error() {
    let folder = folder();
    let long = "x".repeat(3 << 20);
    let lines = format!("{long}\n{{\"start\":\"2,2\"}}\n");
    let (out, said, code) = run_with_input(folder.path(), &["rules", "nim"], &lines);
    let answers: Vec<&str> = out.lines().collect();
    assert_eq!((answers.len(), code), (2, 1), "{said}");
    assert!(answers[0].contains("longer than 1048576 bytes"), "{out}");
    assert!(answers[1].contains("\"position\":\"2,2\""), "{out}");
}

