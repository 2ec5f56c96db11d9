//! A run on its worker thread: commands, events, and listeners that stop reading.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use finches::launch::PreparedRun;
use finches::run::message::{Phase, RunCommand, RunEvent};
use finches::run::pace::Pace;
use finches::run::{Listener, Run, WorkerOptions};
use finches::storage::saves::Saves;

use crate::program::{finches, folder};
use crate::support::{pool, preset_with, session};

/// A generous limit for things that normally take a moment, since the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(60);

fn spawn(settings: &[&str], listener: Listener) -> Run {
    let session = session(&preset_with("nim-2x2", settings), 1, 2);
    Run::spawn(PreparedRun::unsaved(session), WorkerOptions::new(listener))
        .expect("there are threads")
}

/// The first event for which `wanted` returns a value.
fn first_event<T>(run: &Run, wanted: impl Fn(RunEvent) -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let event = run
            .events()
            .recv_deadline(deadline)
            .expect("the worker tells in time");
        if let Some(found) = wanted(event) {
            return found;
        }
    }
}

#[test]
fn a_snapshot_contains_the_game_lengths_of_its_generation() {
    // Challengers play games too.
    for name in ["nim-2x2", "hynek-11-chicken"] {
        let mut session = session(&preset_with(name, &[]), 1, 2);
        for _ in 0..3 {
            let before = session.state().totals;
            session.advance(&AtomicBool::new(false));
            let (totals, lengths) = (session.state().totals, session.lengths());
            assert_eq!(lengths.games(), totals.games - before.games, "{name}");
            assert_eq!(lengths.moves(), totals.moves - before.moves, "{name}");
        }
    }
    let run = spawn(&["generations=4"], Listener::Screen);
    let lengths = first_event(&run, |event| match event {
        RunEvent::Snapshot(snapshot) => Some(snapshot.lengths),
        _ => None,
    });
    assert!(lengths.games() > 0);
    run.stop();
}

#[test]
fn what_learns_before_the_first_generation_is_reported_and_saved() {
    let settings = [
        "population=11",
        "opponents=2",
        "hall_opponents=2",
        "pretraining.games=1500",
        "generations=2",
    ];
    let preset = preset_with("dots-record-5x5", &settings);
    let mut whole = session(&preset, 1, 2);
    let row = whole
        .advance(&AtomicBool::new(false))
        .expect("it is not halted");
    let folder = folder();
    let saves = Saves::at(folder.path().to_owned());
    let mut prepared = PreparedRun::unsaved(session(&preset, 1, 2));
    prepared.save(&saves).expect("the folder is writable");
    let run = Run::spawn(prepared, WorkerOptions::new(Listener::Screen));
    let run = run.expect("there are threads");
    let (games, names) = first_event(&run, |event| match event {
        RunEvent::Learned(report) => {
            let games = report.scores.generation();
            Some((games, report.snapshot.games[0].names.clone()))
        }
        RunEvent::Rows(..) => panic!("it learns first"),
        _ => None,
    });
    assert!(
        games < 1500 && names.contains(&"learner".to_owned()),
        "{names:?}"
    );
    run.stop();
    let loaded = saves.load("dots-record-5x5-1").expect("it was saved");
    let learner = loaded.state.learner.as_ref().expect("it learns");
    assert!(learner.games >= games && loaded.state.generation == 0);
    let mut resumed = loaded.session(pool(1), None).expect("it is sound");
    assert!(resumed.is_within_generation());
    assert_eq!(resumed.advance(&AtomicBool::new(false)), Some(row));
    assert_eq!(resumed.state(), whole.state());
}

fn phase(run: &Run, wanted: Phase) {
    first_event(run, |event| {
        matches!(event, RunEvent::Phase(phase) if phase == wanted).then_some(())
    });
}

/// Pauses, and returns the next generation.
fn pause(run: &Run) -> u64 {
    run.send(RunCommand::Pause);
    let mut next = 0;
    let deadline = Instant::now() + PATIENCE;
    loop {
        match run
            .events()
            .recv_deadline(deadline)
            .expect("the worker tells in time")
        {
            RunEvent::Phase(Phase::Paused) => return next,
            RunEvent::Rows(rows, _) => next = rows.last().map_or(next, |row| row.generation() + 1),
            _ => {}
        }
    }
}

#[test]
fn a_pause_takes_hold_within_a_tenth_of_a_second_inside_a_long_generation() {
    let run = spawn(
        &["population=2500", "generations=1000000", "opponents=1000"],
        Listener::Screen,
    );
    let time = |_| {
        run.send(RunCommand::Resume);
        phase(&run, Phase::Running);
        let begun = Instant::now();
        run.send(RunCommand::Pause);
        phase(&run, Phase::Paused);
        begun.elapsed()
    };
    let fastest = (0..10).map(time).min().expect("it was tried");
    assert!(fastest < Duration::from_millis(100), "{fastest:?}");
}

/// All rows of a run of ten generations without their times, and the time it took.
fn rows_at(pace: Pace) -> (Vec<String>, Duration) {
    let session = session(&preset_with("nim-2x2", &["generations=10"]), 1, 2);
    let columns = session.columns().clone();
    let options = WorkerOptions {
        pace,
        ..WorkerOptions::new(Listener::Script)
    };
    let begun = Instant::now();
    let run = Run::spawn(PreparedRun::unsaved(session), options).expect("there are threads");
    let mut found = Vec::new();
    while found.len() < 10 {
        found.extend(first_event(&run, |event| match event {
            RunEvent::Rows(rows, _) => Some(rows),
            _ => None,
        }));
    }
    let took = begun.elapsed();
    let text = found.into_iter().map(|mut row| {
        row.set(&columns, "seconds", 0.0);
        row.json(&columns)
    });
    (text.collect(), took)
}

#[test]
fn a_pace_limits_generations_and_changes_no_figure() {
    let pace = Pace::parse("50").expect("there is this pace");
    let (slow, took) = rows_at(pace);
    // The first of ten generations starts at once.
    assert!(took >= Duration::from_millis(180), "{took:?}");
    assert_eq!(rows_at(Pace::FULL).0, slow);
}

#[test]
fn a_run_that_has_met_its_target_goes_on_when_it_is_told_to() {
    let settings = ["generations=40", "until=generation>=4"];
    let run = spawn(&settings, Listener::Screen);
    phase(&run, Phase::Done);
    run.send(RunCommand::Resume);
    run.send(RunCommand::GoOn);
    phase(&run, Phase::Running);
    first_event(&run, |event| match event {
        RunEvent::Rows(rows, _) => rows.iter().find(|row| row.generation() == 39).map(|_| ()),
        _ => None,
    });
    phase(&run, Phase::Done);
}

#[test]
fn a_run_at_a_slow_pace_pauses_and_speeds_up_at_once() {
    let run = spawn(&["generations=1000000"], Listener::Screen);
    let slow = Pace::parse("1").expect("there is this pace");
    let answer = |command: RunCommand, wanted| {
        let begun = Instant::now();
        run.send(command);
        phase(&run, wanted);
        begun.elapsed()
    };
    let time = |_| {
        run.send(RunCommand::SetPace(slow));
        answer(RunCommand::Resume, Phase::Running);
        answer(RunCommand::Pause, Phase::Paused)
    };
    let fastest = (0..5).map(time).min().expect("it was tried");
    assert!(fastest < Duration::from_millis(100), "{fastest:?}");
    let next = pause(&run);
    run.send(RunCommand::SetPace(Pace::FULL));
    run.send(RunCommand::Resume);
    first_event(&run, |event| match event {
        RunEvent::Rows(rows, _) => rows
            .last()
            .filter(|row| row.generation() > next + 50)
            .map(|_| ()),
        _ => None,
    });
}

#[test]
fn a_step_makes_one_generation_and_then_waits() {
    let run = spawn(&["generations=1000000"], Listener::Screen);
    phase(&run, Phase::Running);
    let next = pause(&run);
    run.send(RunCommand::Step);
    let rows = first_event(&run, |event| match event {
        RunEvent::Rows(rows, _) => Some(rows),
        _ => None,
    });
    let generations: Vec<u64> = rows.iter().map(finches::metrics::Row::generation).collect();
    assert_eq!(generations, [next]);
}

#[test]
fn a_parameter_is_changed_between_generations_and_an_invalid_change_is_rejected() {
    let run = spawn(&["generations=1000000"], Listener::Screen);
    let change = |key: &str, value: &str| {
        run.send(RunCommand::Change {
            key: key.to_owned(),
            value: value.to_owned(),
        });
    };
    change("add_node", "7.5");
    let changed = first_event(&run, |event| match event {
        RunEvent::Changed(changed) => Some(changed),
        _ => None,
    });
    assert_eq!(
        (
            changed.key.as_str(),
            changed.from.as_str(),
            changed.to.as_str()
        ),
        ("genome.add_node", "0.05", "7.5")
    );
    change("opponents", "51");
    change("until", "");
    for expected in ["half the population", "can't be changed during a run"] {
        let problem = first_event(&run, |event| match event {
            RunEvent::Rejected(problem) => Some(problem.to_string()),
            _ => None,
        });
        assert!(problem.contains(expected), "{problem}");
    }
}

#[test]
fn a_change_of_the_schedule_is_reported_when_it_comes_into_force_and_not_before() {
    let mut preset = preset_with("nim-2x2", &["generations=20"]);
    preset.schedule = vec!["9: add_node=0.5".to_owned(), "30: add_node=0.7".to_owned()];
    let prepared = PreparedRun::unsaved(session(&preset, 1, 2));
    let run = Run::spawn(prepared, WorkerOptions::new(Listener::Screen));
    let run = run.expect("there are threads");
    assert_eq!(run.info().interventions, []);
    let mut changes = Vec::new();
    let deadline = Instant::now() + PATIENCE;
    loop {
        let event = run.events().recv_deadline(deadline);
        match event.expect("the worker tells in time") {
            RunEvent::Changed(change) => changes.push((change.generation, change.key, change.to)),
            RunEvent::Phase(Phase::Done) => break,
            _ => {}
        }
    }
    assert_eq!(
        changes,
        [(9, "genome.add_node".to_owned(), "0.5".to_owned())]
    );
}

#[test]
fn a_screen_that_stops_reading_slows_nothing_and_still_gets_the_end() {
    const GENERATIONS: u64 = 3000;
    let folder = folder();
    let saves = Saves::at(folder.path().to_owned());
    let session = session(
        &preset_with(
            "nim-2x2",
            &["population=10", "opponents=5", "generations=3000"],
        ),
        1,
        1,
    );
    let mut prepared = PreparedRun::unsaved(session);
    prepared.save(&saves).expect("the folder is writable");
    let run =
        Run::spawn(prepared, WorkerOptions::new(Listener::Screen)).expect("there are threads");
    let done = || {
        saves.list().iter().any(|run| {
            run.summary
                .as_ref()
                .is_ok_and(|brief| brief.generation == GENERATIONS)
        })
    };
    let deadline = Instant::now() + PATIENCE;
    while !done() {
        assert!(
            Instant::now() < deadline,
            "evolution waits for a screen that does not read"
        );
        std::thread::yield_now();
    }
    let (mut last, mut rows) = (0, 0);
    for event in run.stop() {
        if let RunEvent::Rows(batch, _) = event {
            rows += batch.len();
            last = batch.last().map_or(last, finches::metrics::Row::generation);
        }
    }
    assert_eq!(
        last,
        GENERATIONS - 1,
        "the end is told however late one listens"
    );
    assert!(rows > 0);
}

#[test]
fn a_script_gets_every_row_in_order() {
    let run = spawn(&["generations=300"], Listener::Script);
    let mut next = 0;
    for event in run.events() {
        match event {
            RunEvent::Rows(rows, _) => {
                for row in rows {
                    assert_eq!(row.generation(), next);
                    next += 1;
                }
            }
            RunEvent::Phase(Phase::Done) => break,
            _ => {}
        }
    }
    assert_eq!(next, 300);
}

#[test]
fn a_log_has_the_best_value_before_what_follows_from_it() {
    let folder = folder();
    let words = [
        "run",
        "nim-2x2",
        "--headless",
        "--seed=5",
        "--set",
        "until=\"accuracy_states>=0.5\"",
    ];
    let output = finches(folder.path(), &words).output();
    assert!(output.expect("the program runs").status.success());
    let log = std::fs::read_to_string(folder.path().join("nim-2x2-5").join("run.log"));
    let log = log.expect("the log is beside the run");
    let place = |words: &str| log.find(words).unwrap_or_else(|| panic!("{words}: {log}"));
    assert!(place("new best") < place("target reached"), "{log}");
    assert!(place("target reached") < place("run: done"), "{log}");
}

#[test]
fn a_headless_run_writes_its_log_at_the_requested_level() {
    let folder = folder();
    let run = |level: &str| {
        let words = [
            "run",
            "nim-2x2",
            "--headless",
            "--generations=3",
            "--seed=5",
        ];
        let output = finches(folder.path(), &words)
            .env("FINCHES_LOG", level)
            .output();
        output.expect("the program runs")
    };
    let words = |level: &str| String::from_utf8_lossy(&run(level).stderr).into_owned();
    assert!(
        !words("").contains("INFO"),
        "the log is not repeated on stderr"
    );
    let log = std::fs::read_to_string(folder.path().join("nim-2x2-5").join("run.log"));
    let log = log.expect("the log is beside the run");
    assert!(
        log.contains("INFO  run: started preset=nim-2x2 seed=5"),
        "{log}"
    );
    assert!(log.contains("run: saved generation=2 took_ms="), "{log}");
    assert!(!log.contains("DEBUG"), "{log}");
    let told = words("debug");
    assert!(told.contains("DEBUG run: generations done"), "{told}");
    let refused = run("loud");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("FINCHES_LOG: `loud`"));
}
