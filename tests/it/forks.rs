//! Forks: both branches begin where the run was, one of them is the run itself, and their
//! difference is that of the rows.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use finches::experiment::fork::{Branch, Fork, ForkComparison, ForkRows};
use finches::launch::PreparedRun;
use finches::preset::Preset;
use finches::run::message::{Phase, RunCommand, RunEvent};
use finches::run::{Listener, Run, WorkerOptions};
use finches::session::{Session, SessionState};
use finches::storage::saves::{RunFile, Saves};
use finches::storage::states;

use crate::program::{figures, folder, run};
use crate::support::{advance, pool, preset_names, preset_with, session, small, with_few_games};
use crate::terminal::Terminal;

/// The first parameter that can be changed in a run of this preset, with another value.
fn any_change(preset: &Preset) -> (String, String) {
    let params = preset.params();
    let live = params
        .iter()
        .filter(|param| param.live && param.key != "generations");
    let values = ["0.5", "0.25", "2", "3", "true", "false"];
    let mut changes = live.flat_map(|param| values.map(|value| (param.key.clone(), value)));
    let change = changes.find(|(key, value)| {
        let mut changed = preset.clone();
        changed.change_live(key, value).is_ok() && changed != *preset
    });
    let (key, value) = change.expect("a parameter can be changed in every run");
    (key, value.to_owned())
}

fn definition(preset: &Preset, seed: u64) -> RunFile {
    RunFile {
        seed,
        preset: preset.clone(),
        interventions: Vec::new(),
        breakpoints: Vec::new(),
    }
}

fn reached(fork: &Fork) -> SessionState {
    let go = AtomicBool::new(false);
    let state = fork.state(None, 2, &go, &|_| {});
    state.expect("it is sound").expect("nothing halts it")
}

fn compared(fork: &Fork, end: u64, seeds: &[u64], threads: usize) -> ForkRows {
    let columns = session(fork.preset(Branch::Changed), 0, 1)
        .columns()
        .clone();
    let rows = Mutex::new(ForkRows::new(columns, seeds.len()));
    let comparison = ForkComparison {
        fork,
        state: &reached(fork),
        end,
        seeds,
        threads,
        halt: &AtomicBool::new(false),
        on_row: &|branch, repeat, row| {
            rows.lock()
                .expect("no test panics here")
                .push(branch, repeat, row.clone());
        },
    };
    assert!(comparison.run().expect("it is sound"));
    rows.into_inner().expect("no test panics here")
}

#[test]
fn a_branch_with_the_seed_of_the_run_is_the_run_with_every_preset() {
    const AT: u64 = 1;
    for (index, name) in preset_names().iter().enumerate() {
        let (preset, seed) = (with_few_games(small(name)), 7);
        let (key, value) = any_change(&preset);
        let mut unchanged = session(&preset, seed, 2);
        advance(&mut unchanged, AT as usize);
        let state = unchanged.state().clone();
        let changed = Session::resume(preset.clone(), seed, Vec::new(), state, pool(1));
        let mut changed = changed.expect("it fits its preset");
        changed.change(&key, &value).expect("it is live");
        let without = advance(&mut unchanged, 1);
        let with = advance(&mut changed, 1);
        let recorded = RunFile {
            interventions: changed.interventions().to_vec(),
            ..definition(&preset, seed)
        };
        // A change that the run has had, or, with every other preset, a new one.
        let fork = if index % 2 == 0 {
            Fork::new(recorded, AT, &[])
        } else {
            Fork::new(definition(&preset, seed), AT, &[(key, value)])
        };
        let fork = fork.expect("there is a change");
        let rows = compared(&fork, AT + 1, &fork.seeds(1), 2);
        let expected = [without, with].map(|rows| vec![rows]);
        let found = [Branch::Unchanged, Branch::Changed].map(|branch| rows.of(branch).to_vec());
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn a_branch_can_have_another_population_from_the_next_generation_on() {
    let mut preset = preset_with("nim-2x4-species", &["population=40", "opponents=8"]);
    // What has come is not made again, what comes later is.
    let lines = ["2: add_node=0.5", "6: opponents=4"];
    preset.schedule = lines.map(str::to_owned).to_vec();
    let mut run = definition(&preset, 3);
    run.interventions = session(&preset, 3, 1).interventions().to_vec();
    let change = [("population".to_owned(), "60".to_owned())];
    let fork = Fork::new(run, 3, &change).expect("it is one");
    let rows = compared(&fork, 7, &fork.seeds(1), 2);
    let games = rows.columns.place("games").expect("they are counted");
    let at_end = |branch: Branch| rows.of(branch)[0][3].values()[games].expect("they are counted");
    // Each member meets as many others as there are opponents, on either side.
    let expected = [640.0 * 6.0 + 320.0, 640.0 * 4.0 + 960.0 * 2.0 + 480.0];
    for (branch, expected) in Branch::ALL.into_iter().zip(expected) {
        assert!((at_end(branch) - expected).abs() < 0.5, "{branch:?}");
    }
}

#[test]
fn a_comparison_is_the_same_on_any_number_of_threads() {
    let run = definition(&small("nim-2x4-value"), 3);
    let fork = Fork::new(run, 2, &[("add_node".to_owned(), "0.9".to_owned())]);
    let fork = fork.expect("the change is one");
    assert_eq!(fork.description(), "add_node 0.2 → 0.9");
    let seeds = fork.seeds(3);
    let rows = compared(&fork, 6, &seeds, 1);
    assert_eq!(rows, compared(&fork, 6, &seeds, 4));
    let column = rows
        .columns
        .place("champion_edges")
        .expect("networks have a size");
    let difference = rows.difference(column).expect("all branches are done");
    let at_end = |branch: Branch| {
        let sizes = rows.of(branch).iter();
        sizes.map(|rows| rows[3].values()[column].expect("each row has a size"))
    };
    let by_hand: f64 = at_end(Branch::Changed)
        .zip(at_end(Branch::Unchanged))
        .map(|(with, without)| with - without)
        .sum();
    assert_eq!((difference.generation, difference.at_end.pairs), (5, 3));
    assert!((difference.at_end.mean - by_hand / 3.0).abs() < 1e-12);
}

#[test]
fn a_second_run_is_the_one_that_its_record_replays() {
    let place = folder();
    let (preset, at) = (small("nim-2x4-value"), 4);
    let saves = Saves::at(place.path().to_owned());
    let mut first = session(&preset, 5, 2);
    let mut rows = advance(&mut first, at);
    first.change("add_node", "0.9").expect("it is live");
    rows.extend(advance(&mut first, 3));
    let own = RunFile {
        interventions: first.interventions().to_vec(),
        ..definition(&preset, 5)
    };
    let changes = [
        (own.clone(), Vec::new()),
        (own, vec![("add_edge".to_owned(), "0.6".to_owned())]),
    ];
    for (run, changes) in changes {
        let fork = Fork::new(run, at as u64, &changes).expect("there is a change");
        let writer = fork.save(&saves, "nim", reached(&fork), &rows);
        let name = writer.expect("the folder can be written");
        let loaded = saves.load(&name).expect("it was written");
        let (_, copied) = saves.metrics(&name).expect("it was written");
        assert_eq!(copied, rows[..at]);
        let mut second = loaded.session(pool(2), None).expect("it is sound");
        let mut replayed = crate::support::replay(&preset, 5, 1, loaded.run.interventions.clone());
        advance(&mut replayed, at);
        assert_eq!(advance(&mut second, 3), advance(&mut replayed, 3));
        assert_eq!(second.state(), replayed.state());
    }
}

#[test]
fn a_fork_at_a_change_begins_there_at_once_and_is_the_repeated_run() {
    let place = folder();
    let saves = Saves::at(place.path().to_owned());
    let preset = preset_with(
        "nim-2x2",
        &["population=20", "opponents=10", "generations=40"],
    );
    let session = session(&preset, 3, 2);
    let mut prepared = PreparedRun::unsaved(session);
    prepared.save(&saves).expect("the folder can be written");
    let options = WorkerOptions {
        paused: true,
        ..WorkerOptions::new(Listener::Screen)
    };
    let run = Run::spawn(prepared, options).expect("there are threads");
    let changed_at = |value: &str| {
        for _ in 0..2 {
            run.send(RunCommand::Step);
            let mut events = run.events().iter();
            assert!(events.any(|event| matches!(event, RunEvent::Rows(..))));
        }
        run.send(RunCommand::Change {
            key: "add_node".to_owned(),
            value: value.to_owned(),
        });
        let changed = run.events().iter().find_map(|event| match event {
            RunEvent::Changed(change) => Some(change.generation),
            _ => None,
        });
        changed.expect("it is live")
    };
    let generations = ["0.8", "0.9"].map(changed_at);
    run.send(RunCommand::Resume);
    let mut events = run.events().iter();
    assert!(events.any(|event| matches!(event, RunEvent::Phase(Phase::Done))));
    run.stop();
    let recorded = saves.run_file("nim-2x2-3").expect("it was written");
    assert_eq!(generations, [2, 4]);
    for generation in generations {
        let known = states::before(&saves, "nim-2x2-3", generation);
        let at = known.as_ref().map(|state| state.generation);
        assert_eq!(at, Some(generation));
        let fork = Fork::new(recorded.clone(), generation, &[]).expect("there is a change");
        let go = AtomicBool::new(false);
        let state = fork.state(known, 2, &go, &|_| panic!("nothing is repeated"));
        let state = state.expect("it is sound").expect("nothing halts it");
        assert_eq!(state, reached(&fork));
    }
    let (first, second) = (generations[0], generations[1]);
    let before = |generation| states::before(&saves, "nim-2x2-3", generation);
    assert_eq!(before(first - 1), None);
    let between = before(second - 1).expect("there is an earlier one");
    assert_eq!(between.generation, first);
    let last = before(40).expect("there is a checkpoint");
    assert_eq!(last.generation, 40);
}

#[test]
fn what_is_no_fork_is_refused_with_what_to_do() {
    let preset = small("nim-2x4-value");
    let refused = |interventions, generation, changes: &[(&str, &str)]| {
        let run = RunFile {
            interventions,
            ..definition(&preset, 1)
        };
        let changes: Vec<(String, String)> = changes
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect();
        let error = Fork::new(run, generation, &changes).expect_err("it is refused");
        error.to_string()
    };
    let none = refused(Vec::new(), 3, &[]);
    assert!(none.contains("add_node=0.4"), "{none}");
    let mut changed = session(&preset, 1, 1);
    advance(&mut changed, 2);
    changed.change("add_node", "0.9").expect("it is live");
    let elsewhere = refused(changed.interventions().to_vec(), 3, &[]);
    assert!(elsewhere.contains("but in 2"), "{elsewhere}");
    let same = refused(Vec::new(), 3, &[("add_node", "0.2")]);
    assert!(same.contains("already"), "{same}");
    let fixed = refused(Vec::new(), 3, &[("until", "")]);
    assert!(fixed.contains("can't be changed during a run"), "{fixed}");
    let unknown = refused(Vec::new(), 3, &[("add_nod", "7")]);
    assert!(unknown.contains("add_node"), "{unknown}");
}

#[test]
fn the_command_saves_a_second_run_or_prints_the_differences() {
    let place = folder();
    let small = ["--set=population=20", "--set=opponents=10", "--seed=1"];
    let first = [&["run", "nim-2x4-value", "--generations=12"], &small[..]].concat();
    let (_, said, code) = run(place.path(), &first);
    assert_eq!(code, 0, "{said}");
    let words = ["fork", "nim-2x4-value-1", "--at=5", "--set=add_node=0.9"];
    let (out, said, code) = run(place.path(), &words);
    assert_eq!(code, 0, "{said}");
    assert!(
        out.contains("finches resume nim-2x4-value-1-fork-5"),
        "{out}"
    );
    let resumed = ["resume", "nim-2x4-value-1-fork-5"];
    let (_, said, code) = run(
        place.path(),
        &[&resumed[..], &["--generations=12"]].concat(),
    );
    assert_eq!(code, 0, "{said}");
    let (one, other) = (
        figures(place.path(), "nim-2x4-value-1"),
        figures(place.path(), "nim-2x4-value-1-fork-5"),
    );
    assert_eq!(one[..6], other[..6], "a header and five generations");
    assert_ne!(one[6..], other[6..]);
    let csv = place.path().join("rows.csv");
    let csv_option = format!("--csv={}", csv.display());
    let comparison = [&words[..], &["--seeds=2", &csv_option]].concat();
    let (out, said, code) = run(place.path(), &comparison);
    assert_eq!(code, 0, "{said}");
    assert!(
        out.contains("from generation 5 to 11, 2 seeds: add_node 0.2 → 0.9"),
        "{out}"
    );
    assert!(out.contains("accuracy_states"), "{out}");
    let rows = std::fs::read_to_string(&csv).expect("it was written");
    assert_eq!(rows.lines().count(), 1 + 2 * 2 * 7);
    let nowhere = ["--seeds=500", "--csv=/dev/null/rows.csv"];
    let (_, said, code) = run(place.path(), &[&words[..], &nowhere].concat());
    assert_eq!(code, 1, "{said}");
    let (_, said, code) = run(place.path(), &["fork", "nim-2x4-value-1"]);
    assert_eq!(code, 2, "{said}");
    let late = ["--seeds=2", "--generations=5"];
    let (_, said, code) = run(place.path(), &[&words[..], &late].concat());
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("choose a later one"), "{said}");
}

#[test]
fn a_paused_run_is_forked_in_a_dialog_and_both_branches_are_shown() {
    const DOWN: &str = "\x1b[B";
    let place = folder();
    let words = [
        "run",
        "nim-2x2",
        "--seed=1",
        "--generations=60",
        "--break=generation:20",
    ];
    let mut terminal = Terminal::open(place.path(), &words, &[]);
    terminal.expect("Paused after generation 20: ");
    terminal.press("F");
    terminal.expect("Fork the run: what does a change do?");
    terminal.press("add_nod=0.9\r");
    terminal.expect("did you mean");
    terminal.press("\x7f\x7f\x7f\x7fe=0.9");
    terminal.press(&format!("{DOWN}3{DOWN}41\r"));
    terminal.expect("With minus without");
    terminal.expect("The interval of the");
    terminal.press("l");
    terminal.expect("nim-2x2-1");
    terminal.press("F");
    terminal.press(&format!("add_node=0.9{DOWN}0\r"));
    terminal.expect("nim-2x2-1-fork-21 is saved");
    terminal.press("qd");
    let (code, _) = terminal.end();
    assert_eq!(code, 0);
    let (_, said, code) = run(place.path(), &["resume", "nim-2x2-1-fork-21"]);
    assert_eq!(code, 0, "{said}");
}
