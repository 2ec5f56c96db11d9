//! Islands: their rows depend on seeds and the number of islands only, however many processes
//! evolve them and whatever stops these; and they are an experiment like any other.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use finches::experiment::{ExperimentEnd, ExperimentEvent, RunSpec, Shard, run as run_experiment};
use finches::preset::Preset;
use finches::session::{MigrantChoice, Session};
use finches::storage::experiments::ExperimentFolder;
use finches::storage::experiments::islands::{IslandTopology, IslandsDefinition};
use finches::storage::experiments::manifest::Manifest;
use rand::{RngExt, SeedableRng};

use crate::determinism::presets;
use crate::program::{finches, folder, run};
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

/// The rows of all islands, each behind the name of its file.
fn rows(out: &Path) -> String {
    let entries = fs::read_dir(out.join("runs")).expect("it is a folder of islands");
    let paths = entries.map(|entry| entry.expect("it is readable").path());
    let mut paths: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|ending| ending == "csv"))
        .collect();
    paths.sort();
    let named = paths.iter().flat_map(|path| {
        let name = path.file_name().expect("it has a name").to_string_lossy();
        let text = fs::read_to_string(path).expect("it is readable");
        let lines = text.lines().skip(1);
        lines
            .map(|line| format!("{name} {line}\n"))
            .collect::<Vec<_>>()
    });
    named.collect()
}

/// The number of rows of an island.
fn generations(rows: &str, seed: u64) -> usize {
    let start = format!("nim-2x4-value-{seed}.csv ");
    rows.lines().filter(|line| line.starts_with(&start)).count()
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
    assert_eq!(
        (generations(&alone, 5), generations(&expected, 5)),
        (40, 40)
    );
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
            assert_eq!(said.contains("have to evolve first"), code == 4, "{said}");
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
        &[&words[..], &out_words(folder.path())].concat(),
    );
    assert_eq!(code, 0, "{said}");
    assert!(rows(folder.path()) == expected);
}

#[test]
fn an_island_that_has_met_its_target_goes_on_sending_its_last_champion() {
    let mut words = WORDS.to_vec();
    words.extend(["--until=accuracy_states>=0.34"]);
    let expected = of_one_process(&words);
    let all = [5, 6, 7].map(|seed| generations(&expected, seed));
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
fn many_islands_with_members_of_many_others_are_the_same_in_any_order() {
    let words = [
        "islands",
        "nim-2x4-value",
        "--islands=12",
        "--every=4",
        "--generations=30",
        "--set=population=40",
        "--set=opponents=20",
        "--seed=5",
        "--topology=torus",
        "--migrants=3",
        "--choice=random",
        "--island-set=2:add_node=0.9",
        "--island-set=2:add_edge=0.9",
    ];
    let expected = of_one_process(&words);
    let of_island = |rows: &str, seed: u64| {
        let start = format!("nim-2x4-value-{seed}.csv ");
        let rows = rows.lines().filter(|line| line.starts_with(&start));
        rows.take(4).map(str::to_owned).collect::<Vec<_>>()
    };
    let plain = of_one_process(&words[..11]);
    for seed in [5, 7] {
        assert_eq!(of_island(&plain, seed), of_island(&expected, seed));
    }
    assert_ne!(of_island(&plain, 6), of_island(&expected, 6));
    let folder = folder();
    let mut rng = rand::rngs::Xoshiro256PlusPlus::seed_from_u64(5);
    let shard = |shard: u32| {
        let shard = format!("--shard={shard}/3");
        let words = [&words[..], &out_words(folder.path()), &[shard.as_str()]].concat();
        finches(folder.path(), &words)
            .spawn()
            .expect("the program starts")
    };
    for _ in 0..3 {
        let mut shards: Vec<Child> = (1..=3).map(shard).collect();
        thread::sleep(Duration::from_millis(rng.random_range(50..600)));
        for shard in &mut shards {
            shard.kill().expect("it can be killed");
            shard.wait().expect("it ends");
        }
    }
    let all = [&words[..], &out_words(folder.path())].concat();
    let (_, said, code) = run(folder.path(), &all);
    assert_eq!(code, 0, "{said}");
    assert!(rows(folder.path()) == expected);
}

#[test]
fn islands_that_end_together_do_so_at_the_exchange_after_the_first_target() {
    let mut words = WORDS.to_vec();
    words.extend(["--until=accuracy_states>=0.34", "--end-together"]);
    let expected = of_one_process(&words);
    let all = [5, 6, 7].map(|seed| generations(&expected, seed));
    let first = *all.iter().min().expect("there are three");
    // Exchanges are before generations 7, 14 and so on.
    let end = first.next_multiple_of(7);
    assert!(first < 40, "{all:?}");
    assert!(all.iter().all(|&count| count <= end), "{all:?}");
    assert!(all.contains(&end), "{all:?}");
    let folder = folder();
    for turn in 0..24 {
        let island = format!("--island={}", turn % 3 + 1);
        let own = [island.as_str(), "--no-wait"];
        let words = [&words[..], &out_words(folder.path()), &own].concat();
        let (_, said, code) = run(folder.path(), &words);
        assert!([0, 4].contains(&code), "{said}");
    }
    let words = [&words[..], &out_words(folder.path())].concat();
    let (_, said, code) = run(folder.path(), &words);
    assert_eq!(code, 0, "{said}");
    assert!(rows(folder.path()) == expected);
}

#[test]
fn an_island_that_meets_its_target_right_before_an_exchange_keeps_nobody_waiting() {
    let words = [
        "islands",
        "nim-2x2",
        "--islands=2",
        "--every=1",
        "--generations=60",
        "--until=accuracy_states>=1",
    ];
    let folder = folder();
    let all = [&words[..], &out_words(folder.path())].concat();
    let (_, said, code) = run(folder.path(), &all);
    assert_eq!(code, 0, "{said}");
    let rows = rows(folder.path());
    let counts = [1, 2].map(|seed| {
        let start = format!("nim-2x2-{seed}.csv ");
        rows.lines().filter(|line| line.starts_with(&start)).count()
    });
    // One that is done has sent its last champion, and takes part in no exchange.
    for (seed, count) in (1..).zip(counts) {
        let sent = |when: &str| {
            folder
                .path()
                .join(format!("migrants/nim-2x2-{seed}.{when}.ron"))
        };
        assert!(sent("last").is_file());
        assert!(sent(&(count - 1).to_string()).is_file());
        assert!(!sent(&count.to_string()).exists());
    }
    assert_ne!(counts[0], counts[1], "one goes on alone");
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
    let drawn = said(&["islands", "nim-2x4-cma", "--out", "unused"], 2);
    assert!(
        drawn.contains("draws all members from one distribution"),
        "{drawn}"
    );
    let alone = said(&[&WORDS[..], &out, &["--no-wait"]].concat(), 2);
    assert!(alone.contains("--island <I>|--shard <I/N>"), "{alone}");
    let jobs = ["--emit=parallel", "--shards=3", "--generations=100000"];
    let jobs = said(&[&WORDS[..4], &WORDS[5..], &out, &jobs].concat(), 2);
    assert!(jobs.contains("14286 rounds of 3 jobs"), "{jobs}");
    let many = said(
        &[&WORDS[..], &["--migrants=40", "--out", "unused"]].concat(),
        2,
    );
    assert!(many.contains("into a population of 40"), "{many}");
    let fixed = ["--island-set=2:heaps=3,3", "--out", "unused"];
    let fixed = said(&[&WORDS[..], &fixed].concat(), 2);
    assert!(fixed.contains("can't be changed during a run"), "{fixed}");
    let unclear = said(&[&WORDS[..], &["--island-set=add_node=0.4"]].concat(), 2);
    assert!(unclear.contains("such as 3:add_node=0.4"), "{unclear}");
    let many = said(&["watch", out[1]], 2);
    assert!(many.contains("is an experiment"), "{many}");
    let outcome = folder.path().join("runs/nim-2x4-value-7.json");
    fs::remove_file(&outcome).expect("it is there");
    let champion = folder.path().join("migrants/nim-2x4-value-6.14.ron");
    let text = fs::read_to_string(&champion).expect("it was sent");
    fs::write(&champion, text.replace("fitness", "fitnes")).expect("it is writable");
    let damaged = said(&[&WORDS[..], &out, &["--island=3"]].concat(), 1);
    assert!(damaged.contains("14.ron: is damaged"), "{damaged}");
    assert!(damaged.contains("done again and sends"), "{damaged}");
    fs::remove_file(&champion).expect("it is there");
    let other = folder.path().join("migrants/nim-2x4-value-6.21.ron");
    fs::copy(&other, &champion).expect("it is writable");
    let later = said(&[&WORDS[..], &out, &["--island=3"]].concat(), 1);
    assert!(
        later.contains("holds the champion of generation 20"),
        "{later}"
    );
    // The island that sent it sends it again.
    let rows_before = rows(folder.path());
    let sender = folder.path().join("runs/nim-2x4-value-6.json");
    for path in [&champion, &sender] {
        fs::remove_file(path).expect("it is there");
    }
    said(&[&WORDS[..], &out].concat(), 0);
    assert!(rows(folder.path()) == rows_before);
    // One that is not done sends what a power cut has damaged again by itself.
    let last = folder.path().join("migrants/nim-2x4-value-6.last.ron");
    for path in [&outcome, &sender, &last] {
        fs::remove_file(path).expect("it is there");
    }
    fs::write(&champion, &text[..text.len() / 2]).expect("it is writable");
    said(&[&WORDS[..], &out].concat(), 0);
    assert!(rows(folder.path()) == rows_before);
}

#[test]
fn islands_are_summarized_and_reported_as_an_experiment() {
    let folder = folder();
    let out = out_words(folder.path());
    let printed = |words: &[&str]| {
        let (printed, said, code) = run(folder.path(), words);
        assert_eq!(code, 0, "{said}");
        printed
    };
    let jobs = printed(&[&WORDS[..], &out, &["--emit=parallel"]].concat());
    assert!(jobs.contains("job.parallel.sh"), "{jobs}");
    let summary = printed(&[&WORDS[..], &out].concat());
    assert!(summary.contains("seeds 5 to 7"), "{summary}");
    assert_eq!(printed(&["experiment", "--merge", out[1]]), summary);
    printed(&["report", out[1]]);
    let page = fs::read_to_string(folder.path().join("report.html")).expect("it was written");
    assert!(page.contains("send their champions round a ring every 7 generations"));
    assert!(
        page.contains("Champion of nim-2x4-value, seed 5"),
        "players are kept"
    );
}

#[test]
fn islands_of_the_first_version_are_shown_but_not_continued() {
    let folder = folder();
    let place = ["--saves", folder.path().to_str().expect("it is text")];
    let words = [
        "run",
        "nim-2x2",
        "--seed=3",
        "--generations=3",
        "--headless",
    ];
    let (_, said, code) = run(folder.path(), &[&words[..], &place].concat());
    assert_eq!(code, 0, "{said}");
    fs::write(folder.path().join("islands.ron"), "").expect("it is writable");
    for words in [
        &["resume", "nim-2x2-3", "--generations=50"][..],
        &["fork", "nim-2x2-3", "--at=1", "--set=add_node=0.3"],
        &["run", "--replay", "nim-2x2-3"],
    ] {
        let (_, refused, code) = run(folder.path(), &[words, &place].concat());
        assert_eq!(code, 2, "{refused}");
        assert!(
            refused.contains("nim-2x2-3: is an island of finches 0.1"),
            "{refused}"
        );
    }
    let again = [&WORDS[..], &out_words(folder.path())].concat();
    let (_, refused, code) = run(folder.path(), &again);
    assert_eq!(code, 1, "{refused}");
    assert!(refused.contains("choose another folder"), "{refused}");
    let mut terminal = Terminal::open(folder.path(), &["watch", place[1]], &[]);
    terminal.expect("nim-2x2-3");
    terminal.press("q");
    let (code, left) = terminal.end();
    assert_eq!(code, 0, "{left}");
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
    // Together at first, then each.
    terminal.expect("done 3");
    terminal.press("\r");
    for number in 1..4 {
        terminal.expect(&format!("island {number}"));
    }
    terminal.press("q");
    let (code, left) = terminal.end();
    assert_eq!(code, 0, "{left}");
}

#[test]
fn two_processes_never_evolve_the_same_island() {
    let folder = folder();
    let mut first = start(folder.path(), &WORDS, 1);
    // It waits for the third island.
    let migrant = folder.path().join("migrants/nim-2x4-value-5.7.ron");
    while !migrant.is_file() {
        thread::sleep(Duration::from_millis(10));
    }
    let mut second = start(folder.path(), &WORDS, 1);
    let waits = BufReader::new(second.stderr.take().expect("it is read"))
        .lines()
        .next();
    let waits = waits.expect("it says so").expect("it is text");
    assert!(waits.contains("shard 1/3 waits"), "{waits}");
    assert!(
        waits.contains("is open in another finches process"),
        "{waits}"
    );
    for process in [&mut first, &mut second] {
        process.kill().expect("it can be killed");
        process.wait().expect("it ends");
    }
}

const ISLANDS: u64 = 4;

/// The rows of four islands.
fn of_islands(
    preset: &Preset,
    definition: &IslandsDefinition,
    threads: usize,
    evolve_all: impl Fn(&ExperimentFolder, usize),
) -> String {
    let root = folder();
    let mut preset = preset.clone();
    preset.generations = 5;
    let manifest = Manifest::new(vec![preset], 3, ISLANDS).expect("there is one name");
    let manifest = manifest.with_islands(definition.clone());
    let folder = ExperimentFolder::begin(root.path().to_owned(), manifest, "");
    let folder = folder.expect("the folder is new");
    evolve_all(&folder, threads);
    rows(root.path())
}

fn at_once(folder: &ExperimentFolder, threads: usize) {
    let ended = run_experiment(&RunSpec {
        folder,
        shard: Shard::WHOLE,
        threads,
        team: None,
        waits: true,
        halt: &AtomicBool::new(false),
        on_event: &|_| {},
    });
    assert_eq!(ended.expect("they evolve"), ExperimentEnd::Done);
}

/// The islands in turn, each halted as soon as it tells rows.
fn in_small_steps(folder: &ExperimentFolder, threads: usize) {
    let mut done = [false; ISLANDS as usize];
    while done.contains(&false) {
        for (done, island) in done.iter_mut().zip(1..) {
            let halt = AtomicBool::new(false);
            let shard = Shard::parse(&format!("{island}/{ISLANDS}"));
            let ended = run_experiment(&RunSpec {
                folder,
                shard: shard.expect("it is a shard"),
                threads,
                team: None,
                waits: false,
                halt: &halt,
                on_event: &|event| {
                    if matches!(event, ExperimentEvent::Rows { .. }) {
                        halt.store(true, Ordering::Relaxed);
                    }
                },
            });
            *done = ended.expect("it evolves") == ExperimentEnd::Done;
        }
    }
}

#[test]
fn islands_of_every_kind_of_run_are_the_same_at_once_and_in_turn() {
    let kinds = [
        (IslandTopology::Ring, 1, MigrantChoice::Fittest),
        (IslandTopology::Torus, 2, MigrantChoice::Fittest),
        (IslandTopology::All, 1, MigrantChoice::Random),
    ];
    let mut checked = 0;
    for preset in presets() {
        if Session::migration_problem(&preset).is_some() {
            continue;
        }
        let (topology, migrants, choice) = kinds[checked % kinds.len()];
        let definition = IslandsDefinition {
            every: 2,
            topology,
            migrants,
            choice,
            ..IslandsDefinition::default()
        };
        let once = of_islands(&preset, &definition, 1, at_once);
        let turns = of_islands(&preset, &definition, 2, in_small_steps);
        assert!(once == turns, "{}", preset.name);
        assert!(once.lines().count() > ISLANDS as usize, "{}", preset.name);
        checked += 1;
    }
    assert!(checked > 15, "{checked} presets");
}
