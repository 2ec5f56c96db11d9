//! Saved runs: resuming is exact whatever happened, and what is damaged is refused and left alone.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use finches::launch::PreparedRun;
use finches::run::message::RunEvent;
use finches::run::{Listener, Run, WorkerOptions};
use finches::session::GenerationSnapshot;
use finches::storage::members::MembersFollower;
use finches::storage::saves::Saves;

use crate::program::{figures, finches, folder, read_rows, run};
use crate::support::{pool, preset, preset_with, session};

#[test]
fn two_hundred_generations_in_one_go_equal_a_hundred_saved_and_resumed() {
    let (whole, parts) = (folder(), folder());
    run(
        whole.path(),
        &[
            "run",
            "nim-2x4-value",
            "--set",
            "population=60",
            "--set",
            "opponents=20",
            "--seed",
            "2",
            "--generations",
            "200",
        ],
    );
    run(
        parts.path(),
        &[
            "run",
            "nim-2x4-value",
            "--set",
            "population=60",
            "--set",
            "opponents=20",
            "--seed",
            "2",
            "--generations",
            "100",
        ],
    );
    let (out, said, code) = run(
        parts.path(),
        &["resume", "nim-2x4-value-2", "--generations", "200"],
    );
    assert_eq!((out.lines().count(), code), (100, 0), "{said}");
    assert_eq!(
        figures(parts.path(), "nim-2x4-value-2"),
        figures(whole.path(), "nim-2x4-value-2")
    );
    let last = |folder: &Path| {
        fs::read_to_string(folder.join("nim-2x4-value-2/champions/199.ron")).expect("it is kept")
    };
    assert_eq!(last(parts.path()), last(whole.path()));
    let games = |folder: &Path| {
        let files = fs::read_dir(folder.join("nim-2x4-value-2/games")).expect("they are kept");
        let mut games: Vec<(String, String)> = files
            .map(|file| file.expect("it can be read"))
            .map(|file| {
                let text = fs::read_to_string(file.path()).expect("it is text");
                (file.file_name().to_string_lossy().into_owned(), text)
            })
            .collect();
        games.sort_unstable();
        games
    };
    // All of 64, then every second of 64 and every fourth of 72, and the latest.
    assert_eq!(games(whole.path()).len(), 64 + 32 + 18 + 1);
    assert_eq!(games(parts.path()), games(whole.path()));
}

#[test]
fn the_best_generation_of_a_run_is_told_after_every_resume() {
    let saves = folder();
    let small = ["--set", "population=20", "--set", "opponents=5"];
    let start = ["run", "nim-2x4", "--seed", "2", "--generations", "40"];
    let (_, whole, code) = run(saves.path(), &[&start[..], &small].concat());
    assert_eq!(code, 0, "{whole}");
    let best = |said: &str| {
        let told = said.split("; ").find(|part| part.starts_with("best "));
        told.map_or_else(|| panic!("it tells no best: {said}"), str::to_owned)
    };
    let generation: u64 = best(&whole)
        .rsplit_once(' ')
        .and_then(|(_, number)| number.parse().ok())
        .expect("it ends with a generation");
    let later: Vec<String> = (41..=43)
        .map(|generations| {
            let generations = generations.to_string();
            let arguments = ["resume", "nim-2x4-2", "--generations", &generations];
            best(&run(saves.path(), &arguments).1)
        })
        .collect();
    assert!(generation < 39, "the best comes before the resumes");
    assert_eq!(later, [best(&whole), best(&whole), best(&whole)]);
}

#[test]
fn rows_are_kept_of_every_tenth_generation_the_bests_and_the_last() {
    let (whole, thin) = (folder(), folder());
    let start = ["run", "nim-2x4", "--seed", "5", "--generations", "48"];
    assert_eq!(run(whole.path(), &start).2, 0);
    let all = figures(whole.path(), "nim-2x4-5");
    let columns: Vec<&str> = all[0].split(',').collect();
    let objective = columns.iter().position(|name| *name == "accuracy_states");
    let objective = objective.expect("it is measured");
    let mut best = f64::NEG_INFINITY;
    let mut expected = vec![all[0].clone()];
    for (generation, row) in all[1..].iter().enumerate() {
        let value = row.split(',').nth(objective).and_then(|it| it.parse().ok());
        let is_best = value.is_some_and(|value| value > best);
        if is_best {
            best = value.unwrap_or(best);
        }
        if is_best || generation % 10 == 0 || generation == 47 {
            expected.push(row.clone());
        }
    }
    assert!((8..30).contains(&expected.len()), "{}", expected.len());
    // It fails in the middle, and goes on as it was asked to at its start.
    let fails = ["--panic-at", "33", "--checkpoint-every", "0.001"];
    let words = [&start[..], &["--rows-every", "10"], &fails].concat();
    let (_, said, code) = run(thin.path(), &words);
    assert_eq!(code, 1, "{said}");
    let (_, said, code) = run(thin.path(), &["resume", "nim-2x4-5"]);
    assert_eq!(code, 0, "{said}");
    assert_eq!(figures(thin.path(), "nim-2x4-5"), expected);
    let unsaved = [&start[..], &["--rows-every", "10", "--no-save"]].concat();
    let (printed, ..) = run(thin.path(), &unsaved);
    assert_eq!(printed.lines().count(), expected.len() - 1, "{printed}");
}

#[test]
fn a_run_killed_twenty_times_resumes_and_comes_out_the_same() {
    const GENERATIONS: &str = "1500";
    let (whole, killed) = (folder(), folder());
    run(
        whole.path(),
        &[
            "run",
            "nim-2x2",
            "--seed",
            "7",
            "--generations",
            GENERATIONS,
        ],
    );
    let begin = [
        "run",
        "nim-2x2",
        "--seed",
        "7",
        "--generations",
        GENERATIONS,
        "--checkpoint-every",
        "0.005",
    ];
    let go_on = [
        "resume",
        "nim-2x2-7",
        "--generations",
        GENERATIONS,
        "--checkpoint-every",
        "0.005",
    ];
    for kill in 0..20 {
        let words: &[&str] = if kill == 0 { &begin } else { &go_on };
        let mut child = finches(killed.path(), words).spawn().expect("it starts");
        // A different moment each time: after 1 row, 24 rows, 47 rows, ...
        read_rows(&mut child, 1 + 23 * kill % 70);
        child.kill().expect("it can be killed");
        let output = child.wait_with_output().expect("it has ended");
        assert_eq!(
            output.status.code(),
            None,
            "kill {kill} came too late: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let (_, said, code) = run(
        killed.path(),
        &["resume", "nim-2x2-7", "--generations", GENERATIONS],
    );
    assert_eq!(code, 0, "{said}");
    assert_eq!(
        figures(killed.path(), "nim-2x2-7"),
        figures(whole.path(), "nim-2x2-7")
    );
}

/// Damages one file of a saved run and sees it refused by name, left alone, and other runs still
/// listed.
fn check_damage(file: &str, damage: impl Fn(&str) -> String, expected: &str) {
    let folder = folder();
    for seed in ["1", "2"] {
        run(
            folder.path(),
            &["run", "nim-2x2", "--seed", seed, "--generations", "3"],
        );
    }
    let path = folder.path().join("nim-2x2-1").join(file);
    let damaged = damage(&fs::read_to_string(&path).expect("it was saved"));
    fs::write(&path, &damaged).expect("it is writable");
    let (_, said, code) = run(
        folder.path(),
        &["resume", "nim-2x2-1", "--generations", "5"],
    );
    assert_eq!(code, 1, "{said}");
    assert!(said.contains(file) && said.contains(expected), "{said}");
    assert_eq!(
        fs::read_to_string(&path).expect("it is there"),
        damaged,
        "a refused file is left as it is"
    );
    let listed = Saves::at(folder.path().to_owned()).list();
    assert_eq!(listed.len(), 2);
    assert!(
        listed
            .iter()
            .any(|run| run.name == "nim-2x2-2" && run.summary.is_ok()),
        "the other run is still there"
    );
}

#[test]
fn a_damaged_save_is_refused_by_name_and_never_overwritten() {
    check_damage(
        "checkpoint.ron",
        |text| text[..text.len() / 2].to_owned(),
        "is truncated",
    );
    check_damage(
        "checkpoint.ron",
        |text| text.replacen("edges: [(0", "edges: [(1", 1),
        "is damaged",
    );
    check_damage(
        "checkpoint.ron",
        |_| String::new(),
        "is not a finches checkpoint",
    );
    check_damage(
        "run.ron",
        |text| text.replace("format 1,", "format 9,"),
        "update finches",
    );
    check_damage(
        "run.ron",
        |_| "(hello: 1)".to_owned(),
        "is not a finches run",
    );
}

#[test]
fn a_run_is_open_in_one_process_at_a_time() {
    let folder = folder();
    let words = [
        "run",
        "nim-2x2",
        "--seed",
        "1",
        "--generations",
        "100000000",
    ];
    let mut first = finches(folder.path(), &words).spawn().expect("it starts");
    read_rows(&mut first, 1);
    let (_, said, code) = run(folder.path(), &["resume", "nim-2x2-1"]);
    assert!(
        code == 1 && said.contains("is open in another finches"),
        "{said}"
    );
    let process = format!("process ({})", first.id());
    assert!(!cfg!(unix) || said.contains(&process), "{said}");
    let saves = Saves::at(folder.path().to_owned());
    saves.delete("nim-2x2-1").expect_err("it is open");
    first.kill().expect("it can be killed");
    first.wait().expect("it ends");
    let (_, said, code) = run(
        folder.path(),
        &["resume", "nim-2x2-1", "--generations", "2"],
    );
    assert_eq!(code, 0, "the lock goes with its process: {said}");
    let path = folder.path().join("nim-2x2-1");
    let elsewhere = Saves::at(folder.path().join("elsewhere"));
    let by_path = elsewhere.delete(&path.to_string_lossy());
    by_path.expect_err("it is in another folder");
    saves.delete("nim-2x2-1").expect("nobody has it open");
    assert!(!path.exists());
}

#[test]
fn a_run_that_can_not_be_saved_is_not_started() {
    let folder = folder();
    let file = folder.path().join("not-a-folder");
    fs::write(&file, "").expect("it is writable");
    let (out, said, code) = run(
        folder.path(),
        &[
            "run",
            "nim-2x2",
            "--seed",
            "1",
            "--generations",
            "5",
            "--saves",
            &file.to_string_lossy(),
        ],
    );
    assert_eq!((out.lines().count(), code), (0, 1));
    assert!(
        said.contains("the run can't be saved") && said.contains("not-a-folder"),
        "{said}"
    );
}

/// A run that is saved after each generation, and what it says until it has done so many.
fn saved_often(
    saves: &Saves,
    lose: impl Fn(&Path),
    generations: usize,
) -> (Vec<String>, Vec<String>) {
    let mut prepared = PreparedRun::unsaved(session(&preset("nim-2x2"), 1, 1));
    prepared.save(saves).expect("the folder is writable");
    lose(&saves.root().join("nim-2x2-1"));
    let mut options = WorkerOptions::new(Listener::Script);
    options.checkpoint_every = Some(std::time::Duration::ZERO);
    let run = Run::spawn(prepared, options).expect("there are threads");
    let (mut refused, mut mended, mut rows) = (Vec::new(), Vec::new(), 0);
    for event in run.events() {
        match event {
            RunEvent::NotSaved(why) => refused.push(why),
            RunEvent::Repaired(what) => mended.push(what),
            RunEvent::Rows(batch, _) => rows += batch.len(),
            _ => {}
        }
        if rows >= generations {
            break;
        }
    }
    (refused, mended)
}

/// Does something to the folder of a run.
type Loss<'a> = &'a dyn Fn(&Path);

#[test]
fn a_run_whose_folder_is_lost_goes_on_in_a_new_one() {
    let (folder, whole) = (folder(), folder());
    let (away, name) = (folder.path().join("away"), "nim-2x2-1");
    let moved = |run: &Path| fs::rename(run, &away).expect("it moves");
    let removed = |run: &Path| fs::remove_dir_all(run).expect("it is writable");
    let replaced = |run: &Path| {
        removed(run);
        fs::create_dir(run).expect("it is writable");
        fs::write(run.join("lock"), "").expect("it is writable");
    };
    let losses: [(Loss<'_>, &str); 3] =
        [(&moved, name), (&removed, name), (&replaced, "nim-2x2-1-2")];
    let words = ["run", "nim-2x2", "--seed=1", "--generations=60"];
    run(whole.path(), &words);
    let whole = figures(whole.path(), name);
    for (place, (lose, name)) in losses.into_iter().enumerate() {
        let root = folder.path().join(place.to_string());
        let saves = Saves::at(root.clone());
        let (refused, mended) = saved_often(&saves, lose, 20);
        assert_eq!((refused, mended.len()), (Vec::new(), 1), "{mended:?}");
        assert!(mended[0].contains(&format!("{name}, with")), "{mended:?}");
        let (_, said, code) = run(&root, &["resume", name, "--generations=60"]);
        assert_eq!(code, 0, "{said}");
        assert_eq!(figures(&root, name), whole);
    }
    assert!(Saves::at(folder.path().to_owned()).load("away").is_ok());
}

#[test]
fn a_folder_that_can_not_be_made_again_is_reported_once_and_stops_nothing() {
    let folder = folder();
    let saves = Saves::at(folder.path().join("saves"));
    let lose = |_: &Path| {
        fs::remove_dir_all(saves.root()).expect("it is writable");
        fs::write(saves.root(), "").expect("it is writable");
    };
    let (refused, mended) = saved_often(&saves, lose, 200);
    assert_eq!(
        (refused.len(), mended.len()),
        (1, 0),
        "{refused:?} {mended:?}"
    );
}

#[test]
fn the_members_of_the_last_generation_are_read_by_resumed_and_followed_runs() {
    let folder = folder();
    let preset = preset_with("nim-2x2", &["population=20", "opponents=5"]);
    let mut session = session(&preset, 1, 1);
    let saves = Saves::at(folder.path().to_owned());
    let mut writer = saves.create(&session).expect("the folder is writable");
    let mut follower = MembersFollower::new(&saves, &writer.name()).expect("it is there");
    let before = follower.poll().expect("the first checkpoint is there");
    assert_eq!((before.generation, before.members.len()), (0, 20));
    assert!(before.fitness.is_empty() && follower.poll().is_none());
    session.advance(&AtomicBool::new(false));
    let saved = writer.checkpoint(&session, 0.0, &[]);
    saved.expect("the folder is writable");
    // The ancestors are saved with the state of the run, kinship is not.
    let expected = GenerationSnapshot {
        phylogeny: Arc::default(),
        kinship: Vec::new(),
        ..GenerationSnapshot::clone(session.snapshot())
    };
    assert_eq!(follower.poll().as_ref(), Some(&expected));
    assert_eq!(follower.poll(), None);
    assert_eq!(writer.members().expect("they were written"), expected);
}

#[test]
fn a_saved_champion_plays_the_same_moves() {
    let folder = folder();
    let saves = Saves::at(folder.path().to_owned());
    let preset = preset("nim-2x4-value").with(&[
        ("population".to_owned(), "50".to_owned()),
        ("opponents".to_owned(), "10".to_owned()),
    ]);
    let mut session = session(&preset.expect("it is sound"), 4, 1);
    let mut writer = saves.create(&session).expect("the folder is writable");
    for _ in 0..30 {
        session
            .advance(&AtomicBool::new(false))
            .expect("nothing halts it");
    }
    writer
        .checkpoint(&session, 0.0, &[])
        .expect("the folder is writable");
    let champion = session.state().champion.clone().expect("there is one");
    let saved = saves.champion("nim-2x4-value-4", 29).expect("it was kept");
    assert_eq!(saved, champion);
    let resumed = saves.load("nim-2x4-value-4").expect("it was saved");
    assert_eq!(&resumed.state, session.state());
    let again = finches::session::Session::resume(
        resumed.run.preset,
        4,
        Vec::new(),
        resumed.state,
        pool(1),
    )
    .expect("it fits");
    assert_eq!(again.sample_games(0), session.sample_games(0));
}
