//! A dashboard in which nothing moves takes next to no time, and its keyboard is never deaf.

use std::fs;
use std::time::{Duration, Instant};

use crate::program::folder;
use crate::support::root;
use crate::terminal::{Terminal, open_run};

/// The seconds that each thread of a process has run, by name.
#[cfg(target_os = "linux")]
fn worked(process: u32) -> Vec<(String, f64)> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).expect("the program runs");
    let paths = tasks.flatten().map(|task| task.path());
    let read = paths.filter_map(|path| {
        let name = fs::read_to_string(path.join("comm")).ok()?;
        let times = fs::read_to_string(path.join("schedstat")).ok()?;
        let nanoseconds: f64 = times.split_whitespace().next()?.parse().ok()?;
        Some((name.trim().to_owned(), nanoseconds / 1e9))
    });
    read.collect()
}

/// Checks that a program that waits for keys works less than a fiftieth of the time, once it has
/// done what it had to do.
#[cfg(target_os = "linux")]
fn check_idle(terminal: &mut Terminal) {
    const WATCHED: Duration = Duration::from_secs(2);
    let work = |terminal: &mut Terminal| {
        let before = worked(terminal.process());
        let end = Instant::now() + WATCHED;
        while Instant::now() < end {
            terminal.take_in(Duration::from_millis(200));
        }
        let after = worked(terminal.process());
        let total = |threads: &[(String, f64)]| threads.iter().map(|(_, time)| time).sum::<f64>();
        let share = (total(&after) - total(&before)) / WATCHED.as_secs_f64();
        (share, before, after)
    };
    let mut found = work(terminal);
    for _ in 0..4 {
        if found.0 < 0.02 {
            return;
        }
        found = work(terminal);
    }
    panic!("{found:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_dashboard_that_waits_takes_next_to_no_time() {
    let saves = folder();
    let mut home = Terminal::open(saves.path(), &[], &[]);
    home.expect("Start here");
    check_idle(&mut home);
    let mut paused = open_run(saves.path());
    paused.press(" 3");
    paused.expect("PAUSED");
    check_idle(&mut paused);
    let champions = root().join("saves");
    let mut play = Terminal::open(&champions, &["play", "champion-reversi"], &[]);
    play.expect("Your turn");
    check_idle(&mut play);
}

#[test]
fn sequences_without_an_end_do_not_deafen_the_keyboard() {
    let saves = folder();
    let mut terminal = Terminal::open(saves.path(), &[], &[]);
    terminal.expect("Start here");
    for unfinished in [
        "\u{1b}[200~",
        "\u{1b}[200~..",
        "\u{1b}[?",
        "\u{1b}[<0;1",
        "\u{1b}[M",
        "\u{1b}[1;",
        "\u{1b}P",
    ] {
        terminal.press(unfinished);
        // The rest of a sequence comes at once or not at all.
        terminal.take_in(Duration::from_millis(500));
        terminal.press("\u{1b}");
        terminal.take_in(Duration::from_millis(100));
        terminal.press("\u{1b}");
        terminal.take_in(Duration::from_millis(100));
        terminal.press("?");
        terminal.expect("show these keys");
        terminal.press("?");
        terminal.expect("Start here");
    }
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn keys_are_read_after_a_suspended_wait_and_in_one_piece() {
    let saves = folder();
    let mut terminal = Terminal::open(saves.path(), &[], &[]);
    terminal.expect("Start here");
    terminal.resize(24, 80);
    terminal.press("/2x4-val");
    terminal.expect("/2x4-val");
    terminal.press("ue\r");
    terminal.expect("Objective");
    terminal.press("\u{3}");
    assert_eq!(terminal.end().0, 130);
}
