//! However the dashboard is closed or stopped, the terminal is restored and the run can be resumed.

use std::fs;
use std::time::{Duration, Instant};

use portable_pty::CommandBuilder;

use crate::program::{finches, folder, read_rows, signal};
use crate::terminal::{RUN, Terminal, check_resumes, open_run, saved_generation, wait_for};

/// The arguments of a run.
fn words<'a>(more: &[&'a str]) -> Vec<&'a str> {
    RUN.into_iter().chain(more.iter().copied()).collect()
}

#[test]
fn a_panic_of_the_screen_saves_the_run_and_shows_its_message() {
    let folder = folder();
    let words = words(&["100000000", "--panic-at=20", "--panic-in=screen"]);
    let terminal = Terminal::open(folder.path(), &words, &[]);
    let (code, left) = terminal.end();
    assert_eq!(code, 101);
    assert!(left.contains("injected panic on the screen"), "{left}");
    check_resumes(folder.path());
}

#[test]
fn a_panic_of_the_worker_leaves_the_screen_alive() {
    let folder = folder();
    let words = words(&[
        "1000",
        "--panic-at=20",
        "--panic-in=worker",
        "--checkpoint-every=0.001",
    ]);
    let mut terminal = Terminal::open(folder.path(), &words, &[]);
    terminal.expect("ERROR");
    terminal.expect("injected panic in the worker");
    terminal.press("q");
    let (code, left) = terminal.end();
    assert_eq!(code, 1);
    assert!(left.contains("injected panic in the worker"), "{left}");
    check_resumes(folder.path());
}

#[test]
fn several_signals_in_a_row_are_one_and_lose_nothing() {
    for (names, code) in [
        (["INT", "INT", "INT"], 130),
        (["HUP", "TERM", "TERM"], 129),
        (["TERM", "TERM", "TERM"], 143),
    ] {
        let folder = folder();
        let mut terminal = open_run(folder.path());
        // After a second, far more than twenty generations are done.
        terminal.expect("00:01");
        for name in names {
            terminal.signal(name);
        }
        assert_eq!(terminal.end().0, code, "{names:?}");
        let saved = saved_generation(folder.path());
        assert!(saved >= 20, "{names:?}: {saved}");
        check_resumes(folder.path());
    }
}

#[test]
fn the_commands_that_are_told_at_the_end_name_the_folder_of_the_run() {
    let folder = folder();
    let other = folder.path().join("other");
    let other = other.to_str().expect("it is text");
    let words = [&RUN[..], &["100000000", "--saves", other]].concat();
    let mut terminal = Terminal::open(folder.path(), &words, &[]);
    terminal.expect("00:01");
    terminal.signal("TERM");
    let (_, left) = terminal.end();
    for verb in ["resume", "play"] {
        let command = format!("finches {verb} nim-2x4-1 --saves {other}");
        assert!(left.contains(&command), "{left}");
    }
}

#[test]
#[cfg(unix)]
fn a_run_is_saved_on_request_and_goes_on() {
    let folder = folder();
    let words = [&RUN[..], &["100000000", "--json"]].concat();
    let mut child = finches(folder.path(), &words)
        .spawn()
        .expect("the program starts");
    read_rows(&mut child, 30);
    assert_eq!(
        saved_generation(folder.path()),
        0,
        "nothing has been saved yet"
    );
    signal(&child, "USR1");
    let began = Instant::now();
    while saved_generation(folder.path()) < 30 && began.elapsed() < Duration::from_secs(20) {
        read_rows(&mut child, 1);
    }
    assert!(saved_generation(folder.path()) >= 30);
    read_rows(&mut child, 10);
    signal(&child, "TERM");
    signal(&child, "TERM");
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(143));
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(said.contains("saving; Ctrl-C again gives up"), "{said}");
}

#[test]
fn a_signal_while_the_terminal_is_asked_for_its_colors_leaves_it_as_it_was() {
    for (name, code) in [("INT", 130), ("TERM", 143)] {
        let folder = folder();
        // There is a second to answer, and no answer.
        let environment = [("SSH_CONNECTION", "afar")];
        let mut terminal = Terminal::open(folder.path(), &words(&["1000"]), &environment);
        terminal.until("the question", |terminal| {
            terminal.written().contains("\x1b]11;?")
        });
        assert!(!terminal.is_as_before(), "it is asked in raw mode");
        terminal.signal(name);
        assert_eq!(terminal.end().0, code, "{name}");
    }
}

#[test]
fn a_flood_of_keys_delays_no_signal() {
    for key in ["0", "s", "01234567"] {
        let folder = folder();
        let mut terminal = open_run(folder.path());
        terminal.press(&key.repeat(100_000 / key.len()));
        let asked = Instant::now();
        if key == "s" {
            terminal.press("\x03");
        } else {
            terminal.signal("INT");
        }
        assert_eq!(terminal.end().0, 130, "{key}");
        let took = asked.elapsed();
        assert!(took < Duration::from_secs(5), "{key}: {took:?}");
        check_resumes(folder.path());
    }
}

#[test]
fn a_terminal_that_is_closed_saves_the_run() {
    let folder = folder();
    let terminal = open_run(folder.path());
    assert_eq!(terminal.hang_up(), 129);
    check_resumes(folder.path());
}

/// The state of the process according to the system; `T` is stopped.
fn state(process: u32) -> Option<char> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    text.rsplit_once(')')?.1.trim_start().chars().next()
}

#[test]
fn a_stopped_dashboard_gives_the_terminal_back_and_takes_it_again() {
    for way in ["key", "TSTP"] {
        let folder = folder();
        let mut terminal = open_run(folder.path());
        if way == "key" {
            terminal.press("\x1a");
        } else {
            terminal.signal(way);
        }
        terminal.until("the shell's screen", |terminal| {
            !terminal.screen.screen().alternate_screen()
        });
        wait_for("the stop", || {
            (state(terminal.process()) == Some('T')).then_some(())
        });
        assert!(terminal.is_as_before(), "{way}");
        assert!(!terminal.screen.screen().hide_cursor());
        terminal.signal("CONT");
        terminal.until("the dashboard", |terminal| {
            terminal.screen.screen().alternate_screen()
        });
        terminal.expect("RUNNING");
        assert!(!terminal.is_as_before(), "{way}");
        terminal.press("q");
        terminal.expect("Stop this run?");
        terminal.press("s");
        assert_eq!(terminal.end().0, 0);
        check_resumes(folder.path());
    }
}

/// The program behind a shell that changes where it reads or writes.
fn behind_a_shell(changes: &str) -> (u32, String) {
    let folder = folder();
    let mut command = CommandBuilder::new("sh");
    let program = env!("CARGO_BIN_EXE_finches");
    let line = format!("exec {program} run nim-2x4 --seed 1 --generations 30 {changes}");
    command.args(["-c", &line]);
    let terminal = Terminal::start(command, folder.path(), &[]);
    let ended = terminal.end();
    check_resumes(folder.path());
    ended
}

#[test]
fn without_a_terminal_on_both_sides_there_is_no_screen() {
    let (code, _) = behind_a_shell("< /dev/null");
    assert_eq!(code, 0);
    let (code, _) = behind_a_shell(">&-");
    assert_eq!(code, 0);
}

/// The colors used in a terminal with these options, and whether the terminal was asked for its
/// background.
fn look(words: &[&str], environment: &[(&str, &str)]) -> (Vec<&'static str>, bool) {
    let folder = folder();
    let words: Vec<&str> = ["run", "nim-2x4", "--no-save", "--generations=3"]
        .into_iter()
        .chain(words.iter().copied())
        .collect();
    let mut terminal = Terminal::open(folder.path(), &words, environment);
    terminal.expect("DONE");
    terminal.press("q");
    let (code, _, written) = terminal.end_and_written();
    assert_eq!(code, 0);
    let kinds = ["38;2;86;180;233", "38;2;37;87;198", "38;5;74", "[96"];
    let used = kinds.into_iter().filter(|kind| written.contains(kind));
    (used.collect(), written.contains("\x1b]11;?"))
}

#[test]
fn a_terminal_is_drawn_with_the_colors_it_has() {
    let (sky, blue) = ("38;2;86;180;233", "38;2;37;87;198");
    let truecolor = ("COLORTERM", "truecolor");
    assert_eq!(look(&[], &[truecolor]), (vec![sky], true));
    assert_eq!(look(&["--theme=dark"], &[truecolor]), (vec![sky], false));
    assert_eq!(
        look(&[], &[truecolor, ("FINCHES_THEME", "light")]),
        (vec![blue], false)
    );
    assert_eq!(look(&[], &[]), (vec!["38;5;74"], true));
    assert_eq!(look(&[], &[("TERM", "xterm")]), (vec!["[96"], true));
    assert_eq!(look(&[], &[truecolor, ("NO_COLOR", "1")]), (vec![], false));
    let empty = ("NO_COLOR", "");
    assert_eq!(look(&[], &[truecolor, empty]), (vec![sky], true));
    assert_eq!(look(&[], &[empty]), (vec!["38;5;74"], true));
    assert_eq!(look(&["--colors=none"], &[truecolor]), (vec![], false));
}

#[test]
fn a_light_terminal_that_answers_gets_the_light_theme() {
    let folder = folder();
    let words = ["run", "nim-2x4", "--no-save", "--generations=3"];
    // Over a line from afar there is more time to answer.
    let environment = [("COLORTERM", "truecolor"), ("SSH_CONNECTION", "afar")];
    let mut terminal = Terminal::open(folder.path(), &words, &environment);
    terminal.until("the question", |terminal| {
        terminal.written().contains("\x1b]11;?")
    });
    terminal.press("\x1b]10;rgb:0000/0000/0000\x07\x1b]11;rgb:ffff/ffff/ffff\x07\x1b[?62c");
    terminal.expect("DONE");
    terminal.press("q");
    let (code, _, written) = terminal.end_and_written();
    assert_eq!(code, 0);
    assert!(written.contains("38;2;37;87;198"));
}

#[test]
fn an_answer_that_comes_late_presses_no_keys() {
    let folder = folder();
    let mut terminal = open_run(folder.path());
    // Taken for keys, these would open screens.
    terminal.press("\x1b]10;rgb:5555/6666/7777\x07\x1b]11;rgb:2222/3333/8888\x1b\\\x1b[?62c");
    terminal.press("q");
    terminal.expect("Stop this run?");
    terminal.expect("Objective");
    terminal.press("s");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn custom_keys_are_shown_and_work() {
    let folder = folder();
    let keys = folder.path().join("own.ron");
    let text = r#"{ "global": { "pause_resume": ["ctrl-p"], "go_log": ["f6"] } }"#;
    fs::write(&keys, text).expect("the folder is writable");
    let keys = format!("--keys={}", keys.display());
    let words = words(&["100000000", &keys]);
    let mut terminal = Terminal::open(folder.path(), &words, &[]);
    terminal.expect("ctrl-p pause");
    terminal.expect("f6 Log");
    terminal.press("\x10");
    terminal.expect("PAUSED");
    terminal.press("?");
    terminal.expect("ctrl-p  pause or resume evolution");
    terminal.press("?q");
    terminal.expect("Stop this run?");
    terminal.press("s");
    assert_eq!(terminal.end().0, 0);
}
