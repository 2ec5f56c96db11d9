//! Sweeps: the same whether sharded, stopped or read from a file; halving spends less; what can't be run is refused with a reason.

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
    fs::write(&file, "(preset: \"nim-2x2\", vary: [\"opponents=5,20\", \"add_node=0.1..0.5 3\"], set: [\"population=40\", \"opponents=20\", \"generations=6\"], runs: 2)").expect("it is written");
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
    for least in [3, 10] {
        let mut child = finches(&killed, &with_out)
            .spawn()
            .expect("the program starts");
        let deadline = Instant::now() + Duration::from_secs(60);
        while finished(&killed) < least && Instant::now() < deadline {
            std::thread::yield_now();
        }
        signal(&child, "KILL");
        child.wait().expect("it ends");
    }
    sweep(&killed, &words, &[]);
    assert_eq!(all_files(&killed), all_files(&whole));
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
        "2..=100",
    );
    check(
        &["nim-2x2", "--vary=add_node=1,2", "--halving", "--shard=1/2"],
        "cannot be used with",
    );
    check(
        &["nim-2x2", "--vary=add_node=0..1", "--random=20000"],
        "choose from 1 to 10000",
    );
}
