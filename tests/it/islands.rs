//! Islands: their rows depend on seeds and the number of islands only, however many processes
//! evolve them and whatever stops these.

use std::fs;
use std::path::Path;
use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use finches::islands::{IslandEnd, IslandEvent, IslandSpec, evolve};
use finches::preset::Preset;
use finches::session::Session;
use finches::storage::islands::{IslandsDefinition, IslandsFolder};
use rand::{RngExt, SeedableRng};

use crate::determinism::presets;
use crate::program::{finches, folder, run};
use crate::support::pool;
use crate::terminal::Terminal;

/// Three small islands.
const WORDS: [&str; 8] = [
    "islands",
    "nim-2x4-value",
    "--islands=3",
    "--every=7",
    "--generations=40",
    "--set=population=40",
    "--set=opponents=20",
    "--seed=5",
];

fn out_words(out: &Path) -> [&str; 2] {
    ["--out", out.to_str().expect("it is text")]
}

/// The rows of islands that one process has evolved.
fn of_one_process(words: &[&str]) -> String {
    let folder = folder();
    let (_, said, code) = run(folder.path(), &[words, &out_words(folder.path())].concat());
    assert_eq!(code, 0, "{said}");
    rows(folder.path())
}

fn rows(out: &Path) -> String {
    fs::read_to_string(out.join("islands.csv")).expect("all islands are done")
}

/// Starts one island in a process of its own.
fn start(out: &Path, words: &[&str], island: u32) -> Child {
    let island = format!("--island={island}");
    let words = [words, &out_words(out), &[island.as_str()]].concat();
    finches(out, &words).spawn().expect("the program starts")
}

#[test]
fn a_process_for_each_island_makes_the_rows_of_one_process_for_all() {
    let expected = of_one_process(&WORDS);
    let one_thread = of_one_process(&[&WORDS[..], &["--threads=1"]].concat());
    assert!(
        one_thread == expected,
        "the number of threads makes a difference"
    );
    let folder = folder();
    let islands: Vec<Child> = (1..=3)
        .map(|island| start(folder.path(), &WORDS, island))
        .collect();
    for island in islands {
        let output = island.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{output:?}");
    }
    assert!(rows(folder.path()) == expected);
    let alone = of_one_process(&[&WORDS[..2], &["--islands=1"], &WORDS[3..]].concat());
    let of_first = |text: &str| text.lines().filter(|line| line.starts_with("1,")).count();
    assert_eq!((of_first(&alone), of_first(&expected)), (40, 40));
    assert!(
        !expected.contains(alone.trim_end()),
        "migrants change an island"
    );
}

#[test]
fn islands_that_do_not_wait_take_turns() {
    let expected = of_one_process(&WORDS);
    let folder = folder();
    let (mut done, mut turns) = ([false; 3], 0);
    while done.contains(&false) {
        for island in 1..=3 {
            let number = format!("--island={island}");
            let own = ["--no-wait", number.as_str()];
            let (_, said, code) = run(
                folder.path(),
                &[&WORDS[..], &own, &out_words(folder.path())].concat(),
            );
            assert!([0, 4].contains(&code), "{said}");
            assert_eq!(said.contains("has to evolve first"), code == 4, "{said}");
            done[island - 1] = code == 0;
        }
        turns += 1;
    }
    // There are five exchanges.
    assert!((3..=6).contains(&turns), "{turns} turns");
    assert!(rows(folder.path()) == expected);
}

#[test]
fn killed_islands_go_on_as_if_nothing_had_happened() {
    let mut words = WORDS;
    words[4] = "--generations=400";
    let expected = of_one_process(&words);
    let folder = folder();
    let mut rng = rand::rngs::Xoshiro256PlusPlus::seed_from_u64(3);
    for _ in 0..4 {
        let mut islands: Vec<Child> = (1..=3)
            .map(|island| start(folder.path(), &words, island))
            .collect();
        thread::sleep(Duration::from_millis(rng.random_range(50..400)));
        for island in &mut islands {
            island.kill().expect("it can be killed");
            island.wait().expect("it ends");
        }
    }
    let (_, said, code) = run(
        folder.path(),
        &[
            "islands",
            "--out",
            folder.path().to_str().expect("it is text"),
        ],
    );
    assert_eq!(code, 0, "{said}");
    assert!(rows(folder.path()) == expected);
}

#[test]
fn an_island_that_has_met_its_target_goes_on_sending_its_last_champion() {
    let mut words = WORDS.to_vec();
    words.extend(["--until=accuracy_states>=0.34"]);
    let expected = of_one_process(&words);
    let generations = |island: &str| {
        expected
            .lines()
            .filter(|line| line.starts_with(island))
            .count()
    };
    let all = ["1,", "2,", "3,"].map(generations);
    assert!(
        all.iter().any(|&count| count < 40),
        "one stops early: {all:?}"
    );
    let folder = folder();
    let mut islands: Vec<Child> = (1..=3)
        .map(|island| start(folder.path(), &words, island))
        .collect();
    assert!(
        islands
            .iter_mut()
            .all(|island| island.wait().expect("it ends").success())
    );
    assert!(rows(folder.path()) == expected);
    let (_, said, code) = run(
        folder.path(),
        &[&words[..], &out_words(folder.path())].concat(),
    );
    assert_eq!((code, rows(folder.path()) == expected), (0, true), "{said}");
}

#[test]
fn what_islands_can_not_do_is_said() {
    let folder = folder();
    let out = out_words(folder.path());
    let said = |words: &[&str], expected: i32| {
        let (_, said, code) = run(folder.path(), words);
        assert_eq!(code, expected, "{said}");
        said
    };
    said(&[&WORDS[..], &out].concat(), 0);
    let more = said(
        &[&WORDS[..2], &["--islands=4"], &WORDS[3..], &out].concat(),
        1,
    );
    assert!(
        more.contains("--islands is 3 in the folder, but 4 here"),
        "{more}"
    );
    let ninth = said(&[&WORDS[..], &out, &["--island=9"]].concat(), 2);
    assert!(
        ninth.contains("there is no island 9; choose one from 1 to 3"),
        "{ninth}"
    );
    for words in [
        &["resume", "nim-2x4-value-5", "--generations=50"][..],
        &["fork", "nim-2x4-value-5", "--at=3", "--set=add_node=0.3"],
        &["run", "--replay", "nim-2x4-value-5"],
    ] {
        let refused = said(words, 2);
        assert!(
            refused.contains("nim-2x4-value-5: is an island"),
            "{refused}"
        );
        assert!(
            refused.contains("continue all with: finches islands --out"),
            "{refused}"
        );
    }
    let drawn = said(&["islands", "nim-2x4-cma", "--out", "unused"], 2);
    assert!(
        drawn.contains("draws all members from one distribution"),
        "{drawn}"
    );
    let nothing = said(&["islands", "--out", "no-such-folder"], 1);
    assert!(nothing.contains("no-such-folder"), "{nothing}");
    let many = said(&["watch", out[1]], 2);
    assert!(
        many.contains("has 3 islands; name one of them, such as"),
        "{many}"
    );
    let stopped = folder.path().join("nim-2x4-value-7");
    fs::remove_dir_all(&stopped).expect("it is there");
    let champion = folder.path().join("nim-2x4-value-6/migrants/14.ron");
    let text = fs::read_to_string(&champion).expect("it was sent");
    fs::write(&champion, text.replace("fitness", "fitnes")).expect("it is writable");
    let damaged = said(&[&WORDS[..], &out, &["--island=3"]].concat(), 1);
    assert!(damaged.contains("14.ron: is damaged"), "{damaged}");
    fs::remove_file(&champion).expect("it is there");
    let other = folder.path().join("nim-2x4-value-6/migrants/21.ron");
    fs::copy(&other, &champion).expect("it is writable");
    let later = said(&[&WORDS[..], &out, &["--island=3"]].concat(), 1);
    assert!(
        later.contains("holds the champion of generation 20"),
        "{later}"
    );
}

#[test]
fn all_islands_are_watched_on_one_screen() {
    let folder = folder();
    let (_, said, code) = run(
        folder.path(),
        &[&WORDS[..], &out_words(folder.path())].concat(),
    );
    assert_eq!(code, 0, "{said}");
    let mut terminal = Terminal::open(folder.path(), &["watch", out_words(folder.path())[1]], &[]);
    for seed in 5..8 {
        terminal.expect(&format!("nim-2x4-value-{seed}"));
    }
    terminal.expect("3 of 3 selected");
    terminal.press("q");
    let (code, left) = terminal.end();
    assert_eq!(code, 0, "{left}");
}

#[test]
fn two_processes_never_evolve_the_same_island() {
    let folder = folder();
    let mut first = start(folder.path(), &WORDS, 1);
    // It waits for the third island.
    let migrant = folder.path().join("nim-2x4-value-5/migrants/7.ron");
    while !migrant.is_file() {
        thread::sleep(Duration::from_millis(10));
    }
    let (_, said, code) = run(
        folder.path(),
        &[&WORDS[..], &["--island=1"], &out_words(folder.path())].concat(),
    );
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("is open in another finches process"),
        "{said}"
    );
    first.kill().expect("it can be killed");
    first.wait().expect("it ends");
}

const ISLANDS: u32 = 2;

/// The rows of two islands that exchange champions every other generation.
fn of_islands(
    preset: &Preset,
    threads: usize,
    evolve_all: impl Fn(&IslandsFolder, usize),
) -> String {
    let root = folder();
    let mut preset = preset.clone();
    preset.generations = 5;
    let definition = IslandsDefinition {
        preset: preset.clone(),
        seed: 3,
        islands: ISLANDS,
        every: 2,
    };
    let folder = IslandsFolder::begin(root.path().to_owned(), definition);
    let folder = folder.expect("the folder is new");
    evolve_all(&folder, threads);
    let session = Session::new(preset, 3, Vec::new(), pool(1)).expect("it is valid");
    let path = folder
        .write_rows(session.columns())
        .expect("it is writable");
    fs::read_to_string(path).expect("it was written")
}

fn at_once(folder: &IslandsFolder, threads: usize) {
    let halt = AtomicBool::new(false);
    thread::scope(|scope| {
        for island in 0..ISLANDS {
            let halt = &halt;
            scope.spawn(move || {
                let ended = evolve(&IslandSpec {
                    folder,
                    island,
                    threads,
                    waits: true,
                    halt,
                    on_event: &|_| {},
                });
                assert_eq!(ended.expect("it evolves"), IslandEnd::Done);
            });
        }
    });
}

/// The islands in turn, each halted after every generation.
fn in_small_steps(folder: &IslandsFolder, threads: usize) {
    let mut done = [false; ISLANDS as usize];
    while done.contains(&false) {
        for island in 0..ISLANDS {
            let halt = AtomicBool::new(false);
            let ended = evolve(&IslandSpec {
                folder,
                island,
                threads,
                waits: false,
                halt: &halt,
                on_event: &|event| {
                    if matches!(event, IslandEvent::Row(_)) {
                        halt.store(true, Ordering::Relaxed);
                    }
                },
            });
            done[island as usize] = ended.expect("it evolves") == IslandEnd::Done;
        }
    }
}

#[test]
fn islands_of_every_kind_of_run_are_the_same_at_once_and_in_turn() {
    let mut checked = 0;
    for preset in presets() {
        if Session::migration_problem(&preset).is_some() {
            continue;
        }
        let once = of_islands(&preset, 1, at_once);
        let turns = of_islands(&preset, 2, in_small_steps);
        assert!(once == turns, "{}", preset.name);
        checked += 1;
    }
    assert!(checked > 15, "{checked} presets");
}
