//! The program without pictures: games and runs as lines of text, and the screen in ASCII where the
//! terminal or the locale has nothing else.

use crate::program::{folder, run, run_with_input};
use crate::terminal::{RUN, Terminal};

/// A game in lines: what is printed.
fn played(words: &[&str], input: &str) -> String {
    let folder = folder();
    let words: Vec<&str> = ["play", "bounded-nim", "--plain"]
        .into_iter()
        .chain(words.iter().copied())
        .collect();
    let (out, error, code) = run_with_input(folder.path(), &words, input);
    assert_eq!((code, &*error), (0, ""), "{out}");
    out
}

#[test]
fn a_game_is_played_in_lines() {
    let moves = "1\n".repeat(40);
    let out = played(
        &["--side", "first"],
        &format!("values\n{moves}undo\nquit\n"),
    );
    assert!(out.contains("You move first."), "{out}");
    assert!(out.contains("Your turn. Legal moves: 1 2"), "{out}");
    assert!(out.contains("The champion plays "), "{out}");
    let ends = out
        .lines()
        .filter(|line| line.ends_with(". Type new, undo or quit."));
    let over = out
        .lines()
        .filter(|line| line.starts_with("The game is over."));
    let (ends, over) = (ends.count(), over.count());
    assert!(ends == over + 1 && over > 20, "{ends} {over}\n{out}");
    assert!(
        out.trim_end()
            .lines()
            .last()
            .is_some_and(|line| line.starts_with("Your turn."))
    );
}

#[test]
fn a_line_that_is_no_move_says_what_can_be_done() {
    let out = played(
        &["--side", "first"],
        "first\n\nhelp\nundo\n\u{1b}[2J\nswap\nnew\n",
    );
    assert_eq!(
        out.matches("Type a move, or one of: board").count(),
        2,
        "{out}"
    );
    assert!(out.matches("Legal moves:").count() > 3, "{out}");
    assert!(out.contains("You have made no move."), "{out}");
    assert!(out.contains("The champion moves first."), "{out}");
    assert!(!out.contains('\u{1b}'), "{out}");
}

#[test]
fn a_preset_without_a_champion_is_refused_in_lines() {
    let folder = folder();
    let (_, error, code) = run(folder.path(), &["play", "nim-2x2", "--plain"]);
    assert_eq!(code, 2, "{error}");
    assert!(
        error.contains("evolve one with `finches run nim-2x2`"),
        "{error}"
    );
}

#[test]
fn a_run_is_told_in_sentences() {
    let folder = folder();
    let words: Vec<&str> = RUN.into_iter().chain(["40", "--json"]).collect();
    run(folder.path(), &words);
    let (out, error, code) = run(folder.path(), &["watch", "nim-2x4-1", "--plain"]);
    assert_eq!((code, &*error), (0, ""));
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 2, "{out}");
    assert!(
        lines[0].starts_with("Generation 39 of 40: right moves"),
        "{out}"
    );
    assert!(lines[1].starts_with("Done. Generation 39 of 40: "), "{out}");
    assert!(lines[1].contains("Best still "), "{out}");
}

#[test]
fn a_terminal_without_unicode_gets_ascii() {
    let console = [("TERM", "linux")];
    for environment in [&[("LC_ALL", "C")][..], &console] {
        let folder = folder();
        let mut terminal = Terminal::open(folder.path(), &[], environment);
        terminal.expect("Choose what to evolve");
        let shown = terminal.screen.screen().contents();
        let beyond: String = shown.chars().filter(|letter| !letter.is_ascii()).collect();
        assert_eq!(beyond, "", "{environment:?}\n{shown}");
        terminal.press("q");
        terminal.end();
    }
}
