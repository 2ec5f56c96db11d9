//! Forks: both branches begin where the run was, one of them is the run itself, and their
//! difference is that of the rows.

use std::path::Path;
use std::slice;
use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};

use finches::experiment::collect::collect;
use finches::experiment::fork::Fork;
use finches::experiment::fork::results::ForkResults;
use finches::experiment::{self, ExperimentEnd, ExperimentEvent, RunSpec, Shard};
use finches::launch::PreparedRun;
use finches::metrics::Row;
use finches::preset::Preset;
use finches::run::message::{Phase, RunCommand, RunEvent};
use finches::run::{Listener, Run, WorkerOptions};
use finches::session::{Session, SessionState};
use finches::storage::experiments::ExperimentFolder;
use finches::storage::saves::{RunFile, Saves};
use finches::storage::states;
use portable_pty::CommandBuilder;

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
    RunFile::new(preset.clone(), seed)
}

fn reached(fork: &Fork) -> SessionState {
    let go = AtomicBool::new(false);
    let state = fork.state(None, 2, &go, &|_| {});
    state.expect("it is sound").expect("nothing halts it")
}

/// The rows of the branches, without and with the change, by seed.
type BranchRows = [Vec<Vec<Row>>; 2];

/// The folder of a comparison, with its common state.
fn begun(fork: &Fork, (end, seeds): (u64, u64), root: &Path) -> ExperimentFolder {
    let manifest = fork.manifest("first", end, seeds).expect("it is sound");
    let folder = ExperimentFolder::begin(root.to_owned(), manifest, "");
    let folder = folder.expect("the folder can be written");
    let go = AtomicBool::new(false);
    let kept = fork.keep_state(&folder, || None, (2, &go), &|_| {});
    assert!(kept.expect("it is sound"));
    folder
}

/// Does the runs of a comparison, or a part of them: it is halted after so many generations.
fn evolve(folder: &ExperimentFolder, threads: usize, most: usize) -> BranchRows {
    let runs = folder.manifest().runs as usize;
    let rows = Mutex::new([vec![Vec::new(); runs], vec![Vec::new(); runs]]);
    let (halt, left) = (AtomicBool::new(false), AtomicUsize::new(most));
    let spec = RunSpec {
        folder,
        shard: Shard::WHOLE,
        threads,
        team: None,
        waits: true,
        halt: &halt,
        on_event: &|event| {
            if let ExperimentEvent::Rows { id, rows: new } = event {
                if left.fetch_sub(new.len().min(left.load(Relaxed)), Relaxed) <= new.len() {
                    halt.store(true, Relaxed);
                }
                let place = (id.seed - folder.manifest().first_seed) as usize;
                let mut rows = rows.lock().expect("no test panics here");
                rows[id.preset][place].extend(new);
            }
        },
    };
    let ended = experiment::run(&spec).expect("it is sound");
    let is_whole = ended == ExperimentEnd::Done;
    assert_eq!(is_whole, most == usize::MAX);
    rows.into_inner().expect("no test panics here")
}

fn compared(fork: &Fork, end: u64, seeds: u64, threads: usize) -> BranchRows {
    let place = folder();
    evolve(
        &begun(fork, (end, seeds), place.path()),
        threads,
        usize::MAX,
    )
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
        let expected = [without, with].map(|rows| vec![rows]);
        assert_eq!(compared(&fork, AT + 1, 1, 2), expected, "{name}");
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
    let rows = compared(&fork, 7, 1, 2);
    let games = session(&preset, 3, 1).columns().place("games");
    let games = games.expect("they are counted");
    // Each member meets as many others as there are opponents, on either side.
    let expected = [640.0 * 6.0 + 320.0, 640.0 * 4.0 + 960.0 * 2.0 + 480.0];
    for (branch, expected) in rows.iter().zip(expected) {
        let played = branch[0][3].values()[games].expect("they are counted");
        assert!((played - expected).abs() < 0.5, "{played}, not {expected}");
    }
}

#[test]
fn a_comparison_is_the_same_on_any_number_of_threads_and_stopped_in_between() {
    let run = definition(&small("nim-2x4-value"), 3);
    let fork = Fork::new(run, 2, &[("add_node".to_owned(), "0.9".to_owned())]);
    let fork = fork.expect("the change is one");
    let rows = compared(&fork, 6, 3, 1);
    assert_eq!(rows, compared(&fork, 6, 3, 4));
    let place = folder();
    let folder = begun(&fork, (6, 3), place.path());
    evolve(&folder, 1, 3);
    evolve(&folder, 2, usize::MAX);
    let runs = collect(slice::from_ref(&folder)).expect("they are sound");
    let definition = folder.manifest().fork.as_ref().expect("it is one");
    let results = ForkResults::of(&runs, definition).expect("they are sound");
    assert_eq!((results.generations, results.pairs), ([2, 5], 3));
    assert_eq!(results.change, "add_node 0.2 → 0.9");
    let columns = session(&folder.manifest().presets[0], 0, 1)
        .columns()
        .clone();
    let column = columns
        .place("champion_edges")
        .expect("networks have a size");
    let found = results
        .columns
        .iter()
        .find(|one| one.column == "champion_edges");
    let found = found.expect("they differ");
    let sizes = |branch: &[Vec<Row>]| -> Vec<Vec<f64>> {
        let size = |row: &Row| row.values()[column].expect("each row has a size");
        branch
            .iter()
            .map(|run| run.iter().map(size).collect())
            .collect()
    };
    let [without, with] = rows.each_ref().map(|branch| sizes(branch));
    let mean = |value: &dyn Fn(&Vec<f64>) -> f64| {
        let pairs = with.iter().zip(&without);
        pairs
            .map(|(with, without)| value(with) - value(without))
            .sum::<f64>()
            / 3.0
    };
    let (at_end, on_average) = (
        mean(&|run| run[3]),
        mean(&|run| run.iter().sum::<f64>() / 4.0),
    );
    assert!((found.difference.at_end.mean - at_end).abs() < 1e-12);
    assert!((found.difference.on_average.mean - on_average).abs() < 1e-12);
    assert!(found.difference.at_end.interval.is_some());
}

#[test]
fn other_branches_are_not_mixed_with_those_of_a_folder() {
    let (place, preset) = (folder(), small("nim-2x4-value"));
    let fork = |value: &str| {
        let changes = [("add_node".to_owned(), value.to_owned())];
        Fork::new(definition(&preset, 3), 2, &changes).expect("the change is one")
    };
    drop(begun(&fork("0.9"), (6, 3), place.path()));
    let manifest = fork("0.8").manifest("first", 6, 3).expect("it is sound");
    let refused = ExperimentFolder::begin(place.path().to_owned(), manifest, "");
    let refused = refused.expect_err("it is another fork").to_string();
    assert!(refused.contains("the change is"), "{refused}");
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
fn a_fork_can_change_how_members_play_whom_they_meet_and_what_it_is_worth() {
    let preset = preset_with("nim-2x4-cma", &["population=12", "opponents=4"]);
    let run = definition(&preset, 5);
    let rows = advance(&mut session(&preset, 5, 2), 7);
    for (key, value) in [
        ("agent", "alpha_beta(depth: 2)"),
        ("activation", "sigmoid"),
        ("pairing", "round_robin"),
        ("fitness", "competitive_sharing"),
    ] {
        let place = folder();
        let saves = Saves::at(place.path().to_owned());
        let changes = [(key.to_owned(), value.to_owned())];
        let fork = Fork::new(run.clone(), 4, &changes).expect(key);
        let name = fork.save(&saves, "nim", reached(&fork), &rows);
        let name = name.expect("the folder can be written");
        let loaded = saves.load(&name).expect("it was written");
        // It goes on with the change, and is what its record repeats from the beginning.
        let mut second = loaded.session(pool(2), None).expect("it is sound");
        let interventions = loaded.run.interventions.clone();
        let mut replayed = crate::support::replay(&preset, 5, 1, interventions);
        assert_eq!(advance(&mut replayed, 4), rows[..4], "{key}");
        let with = advance(&mut second, 3);
        assert_eq!(with, advance(&mut replayed, 3), "{key}");
        assert_eq!(second.state(), replayed.state(), "{key}");
        assert_ne!(with, rows[4..], "{key}");
        assert_eq!(second.preset(), &loaded.run.preset_in(4), "{key}");
        assert_ne!(second.preset(), &loaded.run.preset_in(3), "{key}");
        // Resumed again, it still has the change.
        let state = second.state().clone();
        let again = Session::resume(
            preset.clone(),
            5,
            loaded.run.interventions.clone(),
            state,
            pool(1),
        );
        let mut again = again.expect("it is sound");
        assert_eq!(advance(&mut again, 2), advance(&mut replayed, 2), "{key}");
        // As an experiment, one branch is the run, and the other is the second run.
        let expected = [vec![rows[4..].to_vec()], vec![with]];
        assert_eq!(compared(&fork, 7, 1, 2), expected, "{key}");
    }
}

#[test]
fn a_structure_that_the_run_does_not_fit_is_refused_with_the_reason() {
    let check = |key: &str, value: &str, reason: &str| {
        let run = definition(&preset_with("nim-2x4-cma", &[]), 1);
        let refused = Fork::new(run, 3, &[(key.to_owned(), value.to_owned())]);
        let refused = refused.expect_err(key).to_string();
        assert!(refused.contains(reason), "{refused}");
    };
    let new_run = "start a new run to change it";
    check("hidden", "[9]", "makes genomes of another size");
    check("genome", "neat", "is no list of numbers; try genome: mlp");
    check("hidden", "[9]", new_run);
    check("agent", "direct", "does not fit the genomes of the run");
    check("agent", "direct", new_run);
    check(
        "heaps",
        "[5, 5]",
        "can't be changed during a run; start a new run",
    );
    check(
        "replacement",
        "shares",
        "can't be changed during a run; start a new run",
    );
    check("pairing", "neighbors", "needs neighborhoods");
}

#[test]
fn a_resumed_run_names_the_fork_that_has_other_parameters() {
    let place = folder();
    let words = [
        "run",
        "nim-2x4-cma",
        "--seed=1",
        "--generations=6",
        "--set=population=12",
    ];
    let (_, said, code) = run(place.path(), &[&words[..], &["--set=opponents=4"]].concat());
    assert_eq!(code, 0, "{said}");
    let check = |setting: &str, expected: &str| {
        let words = ["resume", "nim-2x4-cma-1", "--generations=9", setting];
        let (_, said, code) = run(place.path(), &words);
        assert_eq!(code, 2, "{said}");
        assert!(said.contains(expected), "{said}");
    };
    check(
        "--set=agent=alpha_beta",
        "finches fork nim-2x4-cma-1 --at 6 --set ...",
    );
    check(
        "--set=opponents=3",
        "finches fork nim-2x4-cma-1 --at 6 --set ...",
    );
    check(
        "--set=heaps=[5,5]",
        "a fork can't have these: game.heaps: can't be changed",
    );
    check("--seed=2", "keeps its parameters and seed; start a new run");
    let words = [
        "fork",
        "nim-2x4-cma-1",
        "--at=6",
        "--set=agent=alpha_beta(depth: 2)",
    ];
    let (out, said, code) = run(place.path(), &words);
    assert_eq!(code, 0, "{said}");
    assert!(out.contains("finches resume nim-2x4-cma-1-fork-6"), "{out}");
    let words = ["resume", "nim-2x4-cma-1-fork-6", "--generations=9"];
    let (rows, said, code) = run(place.path(), &words);
    assert_eq!((rows.lines().count(), code), (3, 0), "{said}");
    let words = ["inspect", "nim-2x4-cma-1-fork-6"];
    let (_, said, code) = run(place.path(), &words);
    assert_eq!(code, 0, "{said}");
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
    let to = place.path().join("branches");
    let (to, to_option) = (to.display().to_string(), format!("--out={}", to.display()));
    let comparison = [&words[..], &["--seeds=2", &to_option]].concat();
    let (_, said, code) = run(place.path(), &[&comparison[..], &["--shard=2/2"]].concat());
    assert_eq!(code, 0, "{said}");
    let (out, said, code) = run(place.path(), &comparison);
    assert_eq!(code, 0, "{said}");
    assert!(
        out.contains("from generation 5 to 11, 2 seeds: add_node 0.2 → 0.9"),
        "{out}"
    );
    assert!(out.contains("right moves, all positions "), "{out}");
    let read = |name: &str| {
        let path = place.path().join("branches").join(name);
        std::fs::read_to_string(path).expect("it was written")
    };
    for run in ["without-1", "without-2", "with-1", "with-2"] {
        assert_eq!(read(&format!("runs/{run}.csv")).lines().count(), 1 + 7);
    }
    let without: Vec<String> = read("runs/without-1.csv")
        .lines()
        .map(str::to_owned)
        .collect();
    assert_eq!(without[1..], one[6..], "the run is repeated");
    assert!(read("fork.csv").starts_with("column,pairs,at_end"));
    // The same command, and that for any experiment, do nothing again.
    let merge = ["experiment", "--merge", &to];
    for words in [&comparison[..], &merge] {
        let (again, said, code) = run(place.path(), words);
        assert_eq!((&again, code), (&out, 0), "{said}");
    }
    let (_, said, code) = run(place.path(), &["report", &to]);
    assert_eq!(code, 0, "{said}");
    let page = read("report.html");
    assert!(
        page.contains("With the change minus without"),
        "it has a table"
    );
    let (_, said, code) = run(place.path(), &[&words[..], &["--json"]].concat());
    assert_eq!(code, 2, "{said}");
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
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_finches"));
    command.args(words);
    command.cwd(place.path());
    let mut terminal = Terminal::start(command, place.path(), &[]);
    terminal.expect("Paused after generation 20: ");
    terminal.press("F");
    terminal.expect("Fork the run: what does a change do?");
    terminal.press("add_nod=0.9\r");
    terminal.expect("did you mean");
    terminal.press("\x7f\x7f\x7f\x7fe=0.9");
    terminal.press(&format!("{DOWN}3{DOWN}41\r"));
    terminal.expect("With the change minus");
    terminal.expect("on average: ");
    // All three seeds of both branches.
    terminal.expect("done 6");
    terminal.press("l");
    terminal.expect("nim-2x2-1");
    terminal.press("F");
    terminal.press(&format!("add_node=0.9{DOWN}0\r"));
    terminal.expect("nim-2x2-1-fork-21 is saved");
    terminal.press("qd");
    let (code, _) = terminal.end();
    assert_eq!(code, 0);
    // What the screen has shown is a folder like that of the command.
    let folder = place.path().join("experiments/nim-2x2-1-from-21");
    let merge = ["experiment", "--merge", &folder.display().to_string()];
    let (out, said, code) = run(place.path(), &merge);
    assert_eq!(code, 0, "{said}");
    assert!(out.contains("from generation 21 to 41, 3 seeds"), "{out}");
    let (_, said, code) = run(place.path(), &["resume", "nim-2x2-1-fork-21"]);
    assert_eq!(code, 0, "{said}");
}

#[test]
fn a_fork_at_the_beginning_learns_anew() {
    let preset = small("dots-record-5x5");
    let preset = preset.with(&[("pretraining.games".to_owned(), "96".to_owned())]);
    let preset = preset.expect("it is sound");
    let mut halted = session(&preset, 1, 1);
    assert!(halted.teach());
    let known = halted.state().clone();
    assert!(known.learner.is_some());
    let change = [("agent".to_owned(), "alpha_beta(depth: 1)".to_owned())];
    let fork = Fork::new(definition(&preset, 1), 0, &change).expect("the change is one");
    let state = fork.state(Some(known), 1, &AtomicBool::new(false), &|_| {});
    let state = state.expect("it is sound").expect("it is not halted");
    assert!(state.learner.is_none());
}
