//! Sweeps: the same whether sharded, stopped or read from a file; halving spends less; what can't
//! be run is refused with a reason.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::experiment::files;
use crate::program::{finches, folder, run, signal};

/// A sweep of six small combinations.
const WORDS: [&str; 8] = [
    "sweep",
    "nim-2x2",
    "--vary=opponents=5,20",
    "--vary=add_node=0.1..0.5 3",
    "--set=population=40",
    "--set=opponents=20",
    "--generations=6",
    "--runs=2",
];

fn sweep(out: &Path, words: &[&str], more: &[&str]) -> (String, String) {
    let out_words = ["--out", out.to_str().expect("it is text")];
    let (printed, said, code) = run(out, &[words, &out_words, more].concat());
    assert_eq!(code, 0, "{said}");
    (printed, said)
}

/// All files of a sweep and of its runs with fresh seeds.
fn all_files(root: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = files(root);
    found.extend(files(&root.join("confirmation")));
    found
}

fn json(root: &Path) -> serde_json::Value {
    let text = fs::read_to_string(root.join("sweep.json")).expect("there are results");
    serde_json::from_str(&text).expect("it is JSON")
}

/// The number of finished runs.
fn finished(root: &Path) -> usize {
    let entries = fs::read_dir(root.join("runs"));
    let names = entries.into_iter().flatten().flatten();
    let is_outcome = |name: &std::ffi::OsString| name.to_string_lossy().ends_with(".json");
    names
        .map(|entry| entry.file_name())
        .filter(is_outcome)
        .count()
}

#[test]
fn a_sweep_is_the_same_in_shards_and_from_a_file_and_says_what_it_found() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let (printed, said) = sweep(&at("whole"), &WORDS, &["--threads=2"]);
    for part in [
        "6 combinations, 12 runs",
        "opponents: explains",
        "add_node: explains",
        "together explain",
        "with fresh seeds 3 to 4: ",
        "nim-2x2 unchanged has",
    ] {
        assert!(printed.contains(part), "{part} is missing in\n{printed}");
    }
    assert!(said.contains("best.ron (a preset)"), "{said}");
    for shard in ["1/2", "2/2"] {
        sweep(&at("parts"), &WORDS, &["--shard", shard]);
    }
    let (merged, said) = sweep(&at("parts"), &WORDS, &[]);
    assert_eq!(merged, printed, "{said}");
    assert_eq!(all_files(&at("parts")), all_files(&at("whole")));
    // Reading it again repeats no run, and prints the same.
    let before = fs::metadata(at("whole").join("runs")).and_then(|of| of.modified());
    let merge = [
        "experiment",
        "--merge",
        at("whole").to_str().expect("it is text"),
    ]
    .map(str::to_owned);
    let merge: Vec<&str> = merge.iter().map(String::as_str).collect();
    let (again, _, code) = run(Path::new("."), &merge);
    assert_eq!((again, code), (printed, 0));
    let after = fs::metadata(at("whole").join("runs")).and_then(|of| of.modified());
    assert_eq!(before.ok(), after.ok());

    let file = at("sweep.ron");
    fs::write(
        &file,
        "(preset: \"nim-2x2\", vary: [\"opponents=5,20\", \"add_node=0.1..0.5 3\"], \
        set: [\"population=40\", \"opponents=20\", \"generations=6\"], runs: 2)",
    )
    .expect("it is written");
    sweep(
        &at("file"),
        &["sweep", "--file", file.to_str().expect("it is text")],
        &[],
    );
    assert_eq!(json(&at("file")), json(&at("whole")));

    // The best is a preset like any other.
    let best = at("whole").join("best.ron");
    let (shown, said, code) = run(
        folder.path(),
        &["presets", best.to_str().expect("it is text")],
    );
    assert!(
        code == 0 && shown.contains("best of a sweep: opponents"),
        "{said}"
    );
    // One line a run, with the values of its parameters.
    let runs = fs::read_to_string(at("whole").join("runs.csv")).expect("there are runs");
    assert_eq!(runs.lines().count(), 13);
    assert!(
        runs.starts_with("preset,opponents,add_node,seed,"),
        "{runs}"
    );
}

/// Starts a sweep and kills it once so many outcomes are on the disk, again and again.
fn kill_after(root: &Path, words: &[&str], outcomes: &[usize]) {
    for &least in outcomes {
        let mut child = finches(root, words).spawn().expect("the program starts");
        let deadline = Instant::now() + Duration::from_secs(60);
        while finished(root) < least && Instant::now() < deadline {
            std::thread::yield_now();
        }
        signal(&child, "KILL");
        child.wait().expect("it ends");
    }
}

#[test]
fn halving_spends_less_ends_the_same_after_a_kill_and_gives_the_best_all_runs() {
    let folder = folder();
    let (whole, killed) = (folder.path().join("whole"), folder.path().join("killed"));
    let words = [
        "sweep",
        "nim-2x2",
        "--set=population=40",
        "--vary=opponents=1..20",
        "--vary=add_node=0.01..1 log",
        "--latin-hypercube=8",
        "--halving=2",
        "--runs=8",
        "--generations=30",
        "--confirm=2",
        "--threads=1",
    ];
    sweep(&whole, &words, &[]);
    // 8 × 1, 4 × 2, 2 × 4 and 1 × 8 runs, earlier ones used again.
    assert_eq!(finished(&whole), 8 + 4 + 2 * 2 + 4);
    let results = json(&whole);
    let runs = |place: usize| results["combinations"][place]["n"].as_u64();
    assert_eq!([0, 1, 2, 4].map(runs), [8, 4, 2, 1].map(Some));
    let out = killed.to_str().expect("it is text").to_owned();
    let with_out = [&words[..], &["--out", &out]].concat();
    kill_after(&killed, &with_out, &[3, 10]);
    sweep(&killed, &words, &[]);
    assert_eq!(all_files(&killed), all_files(&whole));
}

/// Eight combinations, two runs each.
const BY_GENERATIONS: [&str; 11] = [
    "sweep",
    "nim-2x2",
    "--set=population=40",
    "--vary=opponents=1..20",
    "--vary=add_node=0.01..1 log",
    "--latin-hypercube=8",
    "--halving=2",
    "--resource=generations",
    "--runs=2",
    "--generations=32",
    "--confirm=0",
];

#[test]
fn halving_by_generations_goes_on_with_the_best_as_if_they_had_never_stopped() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    sweep(&at("halved"), &BY_GENERATIONS, &["--threads=2"]);
    let plain: Vec<&str> = BY_GENERATIONS.to_vec();
    let plain: Vec<&str> = plain
        .into_iter()
        .filter(|word| !word.starts_with("--halving") && !word.starts_with("--resource"))
        .collect();
    sweep(&at("plain"), &plain, &[]);
    let results = json(&at("halved"));
    let generations = |place: usize| results["combinations"][place]["generations"].as_u64();
    // 8 combinations do 4 generations, 4 of them 8, 2 of them 16, and the best all 32.
    let expected = [32, 16, 8, 8, 4, 4, 4, 4];
    assert_eq!(
        (0..8).map(generations).collect::<Vec<_>>(),
        expected.map(Some)
    );
    let name = results["combinations"][0]["preset"].as_str();
    let name = name.expect("the best has a name").to_owned();
    for seed in [1, 2] {
        for ending in ["csv", "json"] {
            let file = format!("runs/{name}-{seed}.{ending}");
            let read = |root: &str| fs::read(at(root).join(&file)).expect("the run is whole");
            assert_eq!(read("halved"), read("plain"), "{file}");
        }
    }
    let left = fs::read_dir(at("halved").join("runs")).expect("there are runs");
    let names = left.map(|entry| entry.expect("it is read").file_name());
    let states = names.filter(|name| name.to_string_lossy().ends_with(".ron"));
    assert_eq!(states.count(), 0, "states are removed at the end");
    // A part of a run is a beginning of the whole.
    let part = format!("runs/{name}-1.1-of-4.csv");
    let part = fs::read(at("halved").join(part)).expect("the part is kept");
    let whole = fs::read(at("halved").join(format!("runs/{name}-1.csv"))).expect("it is whole");
    assert!(whole.starts_with(&part) && whole.len() > part.len());

    let killed = at("killed");
    let out = killed.to_str().expect("it is text").to_owned();
    let with_out = [&BY_GENERATIONS[..], &["--out", &out]].concat();
    kill_after(&killed, &with_out, &[3, 18, 25]);
    sweep(&killed, &BY_GENERATIONS, &[]);
    assert_eq!(files(&killed), files(&at("halved")));
}

#[test]
fn a_run_that_has_met_its_target_in_a_part_is_whole_and_one_without_its_state_is_repeated() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let words = [&BY_GENERATIONS[..], &["--until=accuracy_states>=1"]].concat();
    sweep(&at("whole"), &words, &["--stop-after=60s"]);
    let results = json(&at("whole"));
    assert!(
        results["measure"]
            .as_str()
            .is_some_and(|text| text.contains("generations to"))
    );
    let solved = results["combinations"][0]["solved"].as_u64();
    assert!(solved > Some(0), "{results}");
    let about = &results["effects_measure"];
    assert_eq!(about, "accuracy_states after 4 generations");
    let mean = results["effects"][0]["levels"][0]["mean"].as_f64();
    assert!(mean.is_some_and(|mean| mean <= 1.0), "{results}");
    // Without any states, the last rounds begin at the first generation, and find the same.
    sweep(&at("parts"), &words, &[]);
    let runs = at("parts").join("runs");
    for entry in fs::read_dir(&runs).expect("there are runs").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.contains(".1-of-8") {
            fs::remove_file(entry.path()).expect("it is removed");
        }
    }
    sweep(&at("parts"), &words, &[]);
    assert_eq!(files(&at("parts")), files(&at("whole")));
}

#[test]
fn shards_of_a_sweep_with_brackets_take_turns_and_make_the_same_files() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let words = [&BY_GENERATIONS[..], &["--hyperband"]].concat();
    let (printed, _) = sweep(&at("whole"), &words, &[]);
    assert!(printed.contains("generations"), "{printed}");
    let mut waits = 0;
    for _ in 0..8 {
        let mut are_done = true;
        for shard in ["1/2", "2/2"] {
            let (_, said) = sweep(&at("parts"), &words, &["--shard", shard]);
            if said.contains("run them again for the next") {
                (are_done, waits) = (false, waits + 1);
            }
        }
        if are_done {
            break;
        }
    }
    assert!((1..8).contains(&waits), "{waits}");
    sweep(&at("parts"), &words, &[]);
    assert_eq!(files(&at("parts")), files(&at("whole")));
}

#[test]
fn a_budget_of_games_gives_fewer_generations_where_more_games_are_played() {
    let folder = folder();
    let words = [
        "sweep",
        "nim-2x2",
        "--set=population=40",
        "--vary=opponents=5,20",
        "--runs=1",
        "--confirm=0",
        "--budget-games=4000",
    ];
    sweep(folder.path(), &words, &[]);
    let runs = fs::read_to_string(folder.path().join("runs.csv")).expect("there are runs");
    let lines = runs.lines().skip(1);
    let generations = lines.filter_map(|line| line.split(',').nth(3).map(str::to_owned));
    assert_eq!(generations.collect::<Vec<_>>(), ["10", "2"]);
}

#[test]
fn what_can_not_be_swept_is_refused() {
    let place = folder();
    let file = place.path().join("sweep.ron");
    let text = "(preset: \"nim-2x2\", vary: [\"add_node=1,2\"], halving: Some(1))";
    fs::write(&file, text).expect("it is written");
    let words = ["sweep", "--file", file.to_str().expect("it is text")];
    let (_, said, code) = run(place.path(), &words);
    let expected = "halving: is 1; choose from 2 to 100";
    assert!(said.contains(expected) && code == 2, "{said}");
    let text = "(preset: \"nim-2x2\", vary: [\"add_node=1,2\"], hyperband: true)";
    fs::write(&file, text).expect("it is written");
    let (_, said, code) = run(place.path(), &words);
    assert!(said.contains("need halving") && code == 2, "{said}");
    let (_, said, code) = run(Path::new("."), &["sweep", "--file=/nowhere/sweep.ron"]);
    assert!(said.contains("/nowhere/sweep.ron") && code == 1, "{said}");
    let check = |more: &[&str], expected: &str| {
        let folder = folder();
        let (_, said, code) = run(folder.path(), &[&["sweep"], more].concat());
        assert!(said.contains(expected) && code == 2, "{code}: {said}");
    };
    check(&["nim-2x2"], "--vary <KEY=VALUES>");
    check(
        &["nim-2x2", "--vary=add_node=0..1"],
        "a grid needs the number of values",
    );
    check(&["nim-2x2", "--vary=add_node=1..0 3"], "varies nothing");
    check(
        &["nim-2x2", "--vary=nothing=1,2"],
        "there is no such parameter",
    );
    check(
        &["nim-2x2", "--vary=population=0,100"],
        "1 of 2 combinations are invalid; --skip-invalid",
    );
    check(
        &["nim-2x2", "--vary=add_node=1,2", "--column=none"],
        "there is no column `none`",
    );
    check(
        &["nim-2x2", "--vary=add_node=1,2", "--halving=1"],
        "from 2 to 100",
    );
    check(
        &["nim-2x2", "--vary=add_node=0..1", "--random=20000"],
        "choose from 1 to 10000",
    );
}
