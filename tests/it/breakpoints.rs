//! Breakpoints and the pace of runs on screen, in a real terminal.

use std::path::Path;

use crate::program::{folder, run};
use crate::terminal::Terminal;

/// A run of `nim-2x2` with seed 11, whose rows are known.
fn open(saves: &Path, options: &[&str]) -> Terminal {
    let words = ["run", "nim-2x2", "--seed=11", "--generations=60"];
    Terminal::open(saves, &[&words, options].concat(), &[])
}

fn quit(mut terminal: Terminal, keys: &str) -> String {
    terminal.press(keys);
    let (code, _, written) = terminal.end_and_written();
    assert_eq!(code, 0);
    written
}

/// Checks that a breakpoint pauses the run after a generation.
fn check(breakpoint: &str, generation: u64) {
    let folder = folder();
    let option = format!("--break={breakpoint}");
    let mut terminal = open(folder.path(), &["--no-save", &option]);
    terminal.expect(&format!("Paused after generation {generation}: "));
    terminal.expect("PAUSED");
    let written = quit(terminal, "qd");
    assert!(
        written.contains("\x1b]9;finches: "),
        "{breakpoint}: the bell rings"
    );
}

#[test]
fn each_kind_of_breakpoint_pauses_the_run_in_its_generation() {
    check("best", 4);
    check("plateau:5", 9);
    check("generation:4", 4);
    check("beats:random", 0);
    check("mistake", 5);
    check("accuracy_states>=1", 13);
}

#[test]
fn breakpoints_are_set_in_a_dialog_and_a_resumed_run_knows_them() {
    let folder = folder();
    let mut terminal = open(folder.path(), &["--break=generation:4", "--no-bell"]);
    terminal.expect("Paused after generation 4: ");
    terminal.press("b");
    terminal.expect("Pause the run at");
    terminal.press(", bst\r");
    terminal.expect("`bst` is not a breakpoint");
    terminal.press("\x7f\x7fest\r");
    terminal.expect("the run pauses at: generation>=4, best");
    let written = quit(terminal, "qs");
    assert!(!written.contains("\x1b]9;"), "the bell is off");
    let mut resumed = Terminal::open(folder.path(), &["resume", "nim-2x2-11"], &[]);
    resumed.expect("Paused after generation 13: best");
    quit(resumed, "qd");
}

#[test]
fn breakpoints_of_the_command_line_are_kept_by_runs_resumed_with_and_without_a_screen() {
    let folder = folder();
    let words = ["--break=generation:4", "--break=best"];
    let mut terminal = open(folder.path(), &words);
    terminal.expect("Paused after generation 4: ");
    quit(terminal, "qs");
    let (_, _, code) = run(folder.path(), &["resume", "nim-2x2-11", "--generations=6"]);
    assert_eq!(code, 0);
    let words = ["resume", "nim-2x2-11", "--generations=60"];
    let mut resumed = Terminal::open(folder.path(), &words, &[]);
    resumed.expect("Paused after generation 13: best");
    quit(resumed, "qd");
}

#[test]
fn a_breakpoint_on_an_unknown_column_is_refused() {
    let folder = folder();
    let mut terminal = open(folder.path(), &["--no-save", "--break=acuracy_states>=1"]);
    terminal.expect("did you mean `accuracy_states`?");
    terminal.press("q");
    terminal.wait();
}

#[test]
fn a_run_at_a_slow_pace_is_made_faster_and_says_when_it_is_done() {
    let folder = folder();
    let mut terminal = open(folder.path(), &["--no-save", "--pace=1"]);
    terminal.expect("pace 1 gen/s");
    terminal.press(">");
    terminal.expect("pace: 2 gen/s");
    terminal.press(">>>>>>>>");
    terminal.expect("pace: full speed");
    terminal.expect("Solved at generation 13");
    terminal.expect("all generations done");
    terminal.press(">");
    terminal.expect("500 more generations");
    terminal.expect("/560");
    quit(terminal, "qd");
}
