//! Follows a run that another process evolves by its files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use finches::launch::PreparedRun;
use finches::run::follow::{FollowEvent, RunFollower};
use finches::run::message::RunEvent;
use finches::run::{Listener, Run, WorkerOptions};
use finches::session::Session;
use finches::session::team::{SharedWork, Team, TeamFigures};
use finches::storage::run_writer::processes;
use finches::storage::saves::Saves;

use crate::program::{finches, folder, read_rows, run, signal};
use crate::support::{preset_with, session};
use crate::terminal::{RUN, Terminal, wait_for};

/// All files below a folder, with length and modification time.
fn files(folder: &Path) -> BTreeMap<PathBuf, (u64, SystemTime)> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let entry = entry.expect("the folder can be read");
        let facts = entry.metadata().expect("the file is there");
        if facts.is_dir() {
            found.extend(files(&entry.path()));
        } else {
            let changed = facts.modified().expect("the system tells the time");
            found.insert(entry.path(), (facts.len(), changed));
        }
    }
    found
}

/// A finished run with this number of generations.
fn ended(saves: &Path, generations: &str) -> String {
    let words: Vec<&str> = RUN.into_iter().chain([generations, "--json"]).collect();
    let (rows, said, code) = run(saves, &words);
    assert_eq!(code, 0, "{said}");
    rows
}

#[test]
fn a_run_that_has_ended_is_shown_and_nothing_is_written() {
    let folder = folder();
    ended(folder.path(), "60");
    let before = files(folder.path());
    let mut terminal = Terminal::open(folder.path(), &["watch", "nim-2x4-1"], &[]);
    terminal.expect("DONE");
    terminal.expect("60/60");
    terminal.expect("all generations done");
    for key in [" ", "n", "s", "w"] {
        terminal.press(key);
        terminal.expect("is read-only");
        // Any other key takes the words away.
        terminal.press("f");
        terminal.until("no words", |terminal| {
            !terminal.screen.screen().contents().contains("is read-only")
        });
    }
    terminal.press("2");
    terminal.expect("Members of generation 59");
    terminal.press("G");
    terminal.expect("left of the diagonal: older champions");
    terminal.press("q");
    let (code, left) = terminal.end();
    assert_eq!(code, 0, "{left}");
    assert!(left.contains("finches watch nim-2x4-1"), "{left}");
    assert_eq!(files(folder.path()), before);
}

#[test]
fn several_processes_wait_for_and_follow_a_run() {
    let folder = folder();
    let watch = ["watch", "nim-2x4-1"];
    let mut watchers = [(); 2].map(|()| Terminal::open(folder.path(), &watch, &[]));
    for watcher in &mut watchers {
        watcher.expect("there is no run nim-2x4-1");
    }
    let words: Vec<&str> = RUN
        .into_iter()
        .chain(["100000000", "--json", "--checkpoint-every=0.2"])
        .collect();
    let mut child = finches(folder.path(), &words)
        .spawn()
        .expect("the program starts");
    read_rows(&mut child, 3);
    for watcher in &mut watchers {
        watcher.expect("WATCHING");
        watcher.expect("Objective");
        watcher.expect("saved");
    }
    let [mut first, second] = watchers;
    first.press("q");
    assert_eq!(first.end().0, 0);
    second.signal("TERM");
    assert_eq!(second.end().0, 143);
    signal(&child, "TERM");
    drop(child.stdout.take());
    child.wait().expect("it ends");
}

/// A team of which this process does all the work.
struct IdleTeam;

impl IdleTeam {
    const FIGURES: TeamFigures = TeamFigures {
        processes: 3,
        waiting: 1.0,
    };
}

impl Team for IdleTeam {
    fn begin(&self, _session: &Session) {}

    fn work(&self, work: &mut dyn SharedWork) {
        work.do_here(0..work.count());
    }

    fn figures(&self) -> Option<TeamFigures> {
        Some(Self::FIGURES)
    }
}

#[test]
fn a_follower_is_told_how_the_processes_of_a_run_work_while_they_do() {
    let folder = folder();
    let saves = Saves::at(folder.path().to_owned());
    let preset = preset_with("nim-2x4", &["generations=100000000"]);
    let mut session = session(&preset, 1, 1);
    session.set_team(Arc::new(IdleTeam));
    let mut run = PreparedRun::unsaved(session);
    run.save(&saves).expect("the folder is writable");
    let name = run.saved_as().expect("it is saved");
    let run = Run::spawn(run, WorkerOptions::new(Listener::Screen)).expect("there are threads");
    wait_for("figures", || processes(&saves, &name));
    let follower = RunFollower::start(saves.clone(), name.clone()).expect("there are threads");
    let told = follower.events().iter().find_map(|event| match event {
        FollowEvent::Run(run) => run.pace.team,
        FollowEvent::Event(RunEvent::Rows(_, speed)) => speed.team,
        _ => None,
    });
    assert_eq!(told, Some(IdleTeam::FIGURES));
    run.stop();
    assert_eq!(processes(&saves, &name), None);
}

#[test]
fn a_run_that_disappears_is_reported() {
    let folder = folder();
    ended(folder.path(), "30");
    let mut terminal = Terminal::open(folder.path(), &["watch", "nim-2x4-1"], &[]);
    terminal.expect("30/30");
    fs::remove_dir_all(folder.path().join("nim-2x4-1")).expect("it is there");
    terminal.expect("has disappeared");
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn without_a_screen_the_rows_come_as_the_run_printed_them() {
    let folder = folder();
    let rows = ended(folder.path(), "40");
    let (watched, said, code) = run(folder.path(), &["watch", "nim-2x4-1"]);
    assert_eq!((code, said.as_str()), (0, ""));
    assert_eq!(watched, rows);
}

#[test]
fn without_a_screen_watch_waits_for_a_missing_run_until_a_signal() {
    let folder = folder();
    let said = fs::File::create(folder.path().join("said")).expect("the folder is writable");
    let mut command = finches(folder.path(), &["watch", "nim-2x4-1", "--json"]);
    let mut child = command.stderr(said).spawn().expect("the program starts");
    wait_for("the words", || {
        let said = fs::read_to_string(folder.path().join("said")).ok()?;
        said.contains("waiting for it").then_some(())
    });
    signal(&child, "INT");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}
