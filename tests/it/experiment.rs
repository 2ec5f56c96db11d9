//! Experiments: the same whether sharded, killed or damaged, the same as single runs, and honest
//! about runs without the target.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::program::{figures, finches, folder, run, signal};

/// Two small presets, three seeds each; one of the six runs solves its game within twelve
/// generations at most.
pub(crate) const WORDS: [&str; 8] = [
    "experiment",
    "simple-nim-1to8-direct",
    "nim-2x2",
    "--runs=3",
    "--generations=12",
    "--until=accuracy_states>=1",
    "--set=population=40",
    "--set=opponents=20",
];

fn experiment(out: &Path, more: &[&str]) -> (String, String) {
    let (printed, said, code) = attempt(out, more);
    assert_eq!(code, 0, "{said}");
    (printed, said)
}

fn attempt(out: &Path, more: &[&str]) -> (String, String, i32) {
    let out_words = ["--out", out.to_str().expect("it is text")];
    run(out, &[&WORDS[..], &out_words, more].concat())
}

fn merge(folders: &[&Path], more: &[&str]) -> (String, String, i32) {
    let folders = folders.iter().map(|one| one.to_str().expect("it is text"));
    let words: Vec<&str> = ["experiment", "--merge"]
        .into_iter()
        .chain(folders)
        .collect();
    run(Path::new("."), &[&words, more].concat())
}

/// Every file by its path, in order.
pub(crate) fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for part in ["", "runs"] {
        let entries = fs::read_dir(folder.join(part)).expect("the folder is there");
        for entry in entries.flatten().filter(|entry| entry.path().is_file()) {
            let name = format!("{part}/{}", entry.file_name().to_string_lossy());
            if !name.contains("lock") {
                found.push((name, fs::read(entry.path()).expect("it can be read")));
            }
        }
    }
    found.sort();
    found
}

fn summaries(folder: &Path) -> [String; 2] {
    ["summary.csv", "summary.json"]
        .map(|name| fs::read_to_string(folder.join(name)).expect("there is a summary"))
}

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).expect("it is JSON")
}

#[test]
fn shards_put_together_are_the_whole_experiment_byte_for_byte() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let (printed, _) = experiment(&at("whole"), &["--threads=2"]);
    for (place, shard) in ["1/3", "2/3", "3/3"].into_iter().enumerate() {
        experiment(&at("together"), &["--shard", shard]);
        experiment(&at("apart").join(place.to_string()), &["--shard", shard]);
    }
    let (merged, said, code) = merge(&[&at("together")], &[]);
    assert_eq!((merged, code), (printed, 0), "{said}");
    assert_eq!(files(&at("together")), files(&at("whole")));
    let parts = ["0", "1", "2"].map(|part| at("apart").join(part));
    let sum = at("sum");
    let out = ["--out", sum.to_str().expect("it is text")];
    let (_, said, code) = merge(&parts.each_ref().map(AsRef::as_ref), &out);
    assert_eq!(code, 0, "{said}");
    assert_eq!(summaries(&at("sum")), summaries(&at("whole")));
    // Folders in a folder are found too, and a part alone says what it lacks.
    let (_, said, code) = merge(&[&at("apart")], &[]);
    assert_eq!(code, 0, "{said}");
    assert_eq!(summaries(&at("apart")), summaries(&at("whole")));
    let (_, said, _) = merge(&[&parts[0]], &[]);
    assert!(said.contains("4 of 6 runs are missing"), "{said}");
}

#[test]
fn values_of_a_parameter_are_compared_as_presets_are() {
    let folder = folder();
    let vary = ["--vary=add_node=0.05,0.5", "--vary=add_edge=0.1", "--json"];
    let (printed, _) = experiment(&folder.path().join("out"), &vary);
    let summary: serde_json::Value = serde_json::from_str(&printed).expect("it is JSON");
    let names = summary["presets"]
        .as_array()
        .expect("they are listed")
        .iter();
    let names: Vec<&str> = names
        .filter_map(|preset| preset["preset"].as_str())
        .collect();
    let expected = [
        "simple-nim-1to8-direct-add_node-0.05-add_edge-0.1",
        "simple-nim-1to8-direct-add_node-0.5-add_edge-0.1",
        "nim-2x2-add_node-0.05-add_edge-0.1",
        "nim-2x2-add_node-0.5-add_edge-0.1",
    ];
    assert_eq!(names, expected);
    let pairs = summary["comparisons"].as_array().map(Vec::len);
    assert_eq!(pairs, Some(6));
}

#[test]
fn an_experiment_that_is_killed_goes_on_with_the_rest_and_ends_the_same() {
    let folder = folder();
    let (whole, killed) = (folder.path().join("whole"), folder.path().join("killed"));
    let long = [
        "--generations=300",
        "--until=mean_turns<=-1",
        "--runs=6",
        "--threads=1",
    ];
    let words = |out: &Path| {
        let words = [
            "experiment",
            "nim-2x2",
            "--set=population=40",
            "--set=opponents=20",
            "--out",
        ];
        let words = words.map(ToOwned::to_owned).into_iter();
        words
            .chain([out.to_str().expect("it is text").to_owned()])
            .chain(long.map(ToOwned::to_owned))
            .collect::<Vec<String>>()
    };
    let all = |out: &Path| {
        let words = words(out);
        run(out, &words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    for name in ["KILL", "TERM"] {
        let words = words(&killed);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let before = finished(&killed);
        let mut child = finches(&killed, &words)
            .spawn()
            .expect("the program starts");
        let deadline = Instant::now() + Duration::from_secs(60);
        while finished(&killed).len() <= before.len() && Instant::now() < deadline {
            std::thread::yield_now();
        }
        signal(&child, name);
        let ended = child.wait().expect("it ends");
        let expected = if name == "TERM" { Some(143) } else { None };
        assert_eq!(ended.code(), expected, "by {name}");
    }
    let before = finished(&killed);
    let times = |names: &[String]| -> Vec<std::time::SystemTime> {
        let changed = |name: &String| fs::metadata(killed.join("runs").join(name))?.modified();
        names
            .iter()
            .map(|name| changed(name).expect("it is there"))
            .collect()
    };
    let written = times(&before);
    assert!((2..6).contains(&before.len()), "{before:?}");
    let (printed, said, code) = all(&killed);
    assert_eq!(code, 0, "{said}");
    assert_eq!(times(&before), written, "finished runs are left alone");
    let (expected, said, code) = all(&whole);
    assert_eq!((printed, code), (expected, 0), "{said}");
    assert_eq!(files(&killed), files(&whole));
}

/// The results that are on disk.
pub(crate) fn finished(out: &Path) -> Vec<String> {
    let entries = fs::read_dir(out.join("runs"))
        .into_iter()
        .flatten()
        .flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names
        .filter(|name| name.rsplit('.').next() == Some("json"))
        .collect();
    names.sort();
    names
}

#[test]
fn damaged_files_are_reported_renamed_and_made_again() {
    let folder = folder();
    let out = folder.path().join("out");
    experiment(&out, &[]);
    let whole = files(&out);
    let at = |name: &str| out.join("runs").join(name);
    let spoil = |name: &str, from: &str, to: &str| {
        let text = fs::read_to_string(at(name)).expect("it is there");
        assert!(text.contains(from), "{text}");
        fs::write(at(name), text.replacen(from, to, 1)).expect("it is writable");
    };
    spoil("nim-2x2-1.json", "\"generations\": ", "\"generations\": 1");
    spoil("nim-2x2-2.csv", "\n0,", "\n0,1");
    let (_, said, code) = merge(
        &[&out],
        &["--out", folder.path().to_str().expect("it is text")],
    );
    assert_eq!(code, 0, "{said}");
    for part in [
        "nim-2x2-1.json: is damaged",
        "nim-2x2-2.csv: is damaged",
        "2 of 6 runs are missing: nim-2x2-1 nim-2x2-2",
    ] {
        assert!(said.contains(part), "{said}");
    }
    spoil("nim-2x2-3.csv", "\n1,", "\n7,");
    let (_, said) = experiment(&out, &[]);
    assert!(said.contains("nim-2x2-3.csv: is damaged"), "{said}");
    assert!(said.contains("renamed to *.damaged"), "{said}");
    assert_eq!(
        said.matches(" seed ").count(),
        3,
        "only these are run: {said}"
    );
    for name in ["nim-2x2-1.json", "nim-2x2-2.csv", "nim-2x2-3.csv"] {
        let aside = at(&format!("{name}.damaged"));
        assert!(aside.is_file(), "{name} is renamed");
    }
    let left: Vec<(String, Vec<u8>)> = files(&out)
        .into_iter()
        .filter(|(name, _)| !name.ends_with(".damaged"))
        .collect();
    assert_eq!(left, whole);
}

#[test]
fn an_experiment_can_write_every_fifth_row_and_the_last_of_each_run() {
    let folder = folder();
    let [all, fifths] = ["all", "fifths"].map(|name| folder.path().join(name));
    experiment(&all, &[]);
    experiment(&fifths, &["--rows-every=5"]);
    let mut ends = Vec::new();
    let names = ["simple-nim-1to8-direct", "nim-2x2"].into_iter();
    for name in names.flat_map(|name| [1, 2, 3].map(|seed| format!("runs/{name}-{seed}.csv"))) {
        let [all, fifths] =
            [&all, &fifths].map(|out| fs::read_to_string(out.join(&name)).expect("it is written"));
        let (head, rows) = all.split_once('\n').expect("there is a head");
        let rows: Vec<&str> = rows.lines().collect();
        let is_kept = |at: usize| at.is_multiple_of(5) || at + 1 == rows.len();
        let kept = rows.iter().enumerate().filter(|(at, _)| is_kept(*at));
        let kept = kept.map(|(_, row)| *row);
        let expected: Vec<&str> = [head].into_iter().chain(kept).collect();
        assert_eq!(fifths.lines().collect::<Vec<&str>>(), expected, "{name}");
        ends.push(rows.len());
    }
    assert!(
        ends.iter().any(|end| *end < 12 && end % 5 != 1),
        "a run meets its target between: {ends:?}"
    );
    assert_eq!(summaries(&all), summaries(&fifths));
    let (_, said, code) = attempt(&fifths, &[]);
    assert_eq!(code, 1);
    assert!(
        said.contains("--rows-every is 5 in the folder, but 1 here"),
        "{said}"
    );
}

#[test]
fn a_run_of_an_experiment_is_the_single_run_with_its_seed() {
    let folder = folder();
    let out = folder.path().join("out");
    experiment(&out, &["--threads=2"]);
    for preset in [WORDS[1], WORDS[2]] {
        let words = ["run", preset, "--seed=2", "--threads=2"];
        run(folder.path(), &[&words, &WORDS[4..]].concat());
        let single = figures(folder.path(), &format!("{preset}-2"));
        let path = out.join("runs").join(format!("{preset}-2.csv"));
        let text = fs::read_to_string(path).expect("the run is kept");
        assert_eq!(text.lines().collect::<Vec<_>>(), single, "{preset}");
    }
}

#[test]
fn runs_without_the_target_are_shown_and_counted_at_the_cap() {
    let folder = folder();
    let out = folder.path().join("out");
    let (printed, _) = experiment(&out, &["--json"]);
    let summary = json(&printed);
    assert_eq!(printed, summaries(&out)[1]);
    let mut of_all = 0;
    for line in summary["presets"].as_array().expect("there are presets") {
        let count = |key: &str| line[key].as_u64().expect("it is a number");
        assert_eq!((count("n"), count("solved") + count("capped")), (3, 3));
        of_all += count("capped");
        let reached: Vec<Option<u64>> = line["values"]
            .as_array()
            .expect("there are runs")
            .iter()
            .map(|value| value["value"].as_f64().map(|value| value as u64))
            .collect();
        let capped = reached.iter().filter(|value| value.is_none()).count();
        assert_eq!(count("capped"), capped as u64, "{line}");
        let sum: u64 = reached.iter().map(|value| value.unwrap_or(12)).sum();
        let mean = line["all"]["mean"].as_f64().expect("it is a number");
        assert!((mean - sum as f64 / 3.0).abs() < 1e-12, "{line}");
        assert_eq!(line["is_lower_bound"], capped > 0);
    }
    assert!((1..6).contains(&of_all), "the test needs both: {summary}");
    assert_eq!(summary["comparisons"][0]["a"], WORDS[1]);
    let (table, said, code) = merge(&[&out], &[]);
    assert_eq!(code, 0, "{said}");
    for part in [
        "did not reach the target within",
        "≥",
        "published: ",
        "log-rank",
    ] {
        assert!(table.contains(part), "{part} in {table}");
    }
}

#[test]
fn a_different_experiment_in_the_same_folder_is_rejected_with_the_differences() {
    let folder = folder();
    let out = folder.path().join("out");
    experiment(&out, &["--shard=6/6"]);
    for (change, expected) in [
        ("--seed=5", "--seed is 1 in the folder, but 5 here"),
        ("--set=add_node=0.125", "genome.add_node is "),
        (
            "--set=agent=one_hot",
            "agent is direct in the folder, but one_hot here",
        ),
    ] {
        let (_, said, code) = attempt(&out, &["--shard=6/6", change]);
        assert_eq!(code, 1, "{said}");
        for part in [
            "experiment.ron: is a different experiment",
            expected,
            "--out",
        ] {
            assert!(said.contains(part), "{change}: {said}");
        }
    }
}

#[test]
fn columns_are_compared_where_there_is_no_target_and_drawn() {
    let folder = folder();
    let out = folder.path().join("out");
    let plot = folder.path().join("drawings/turns.svg");
    let words = [
        "experiment",
        "nim-2x2",
        "--runs=2",
        "--generations=5",
        "--column=mean_turns",
    ];
    let places = ["--out", "--plot", "--over"];
    let at = [out.to_str(), plot.to_str(), Some("games")];
    let pairs = places
        .iter()
        .zip(at)
        .flat_map(|(key, at)| [*key, at.expect("it is text")]);
    let (printed, said, code) = run(&out, &words.into_iter().chain(pairs).collect::<Vec<_>>());
    assert_eq!(code, 0, "{said}");
    assert!(
        printed.contains("mean_turns at the last generation"),
        "{printed}"
    );
    let drawing = fs::read_to_string(&plot).expect("it is drawn");
    for part in ["<svg", "nim-2x2 (n 2)", "games", "mean turns (moves)"] {
        assert!(drawing.contains(part), "{part} in {drawing}");
    }
    let line = &json(&summaries(&out)[1])["presets"][0];
    let (judged, said, code) = merge(&[&out], &[]);
    assert_eq!(code, 0, "{said}");
    assert!(
        judged.contains("accuracy_states at the last generation"),
        "{judged}"
    );
    assert_eq!(
        (&line["solved"], &line["n"]),
        (&serde_json::Value::Null, &json("2"))
    );
}

#[test]
fn what_makes_no_sense_is_refused_before_anything_is_run() {
    for (words, expected) in [
        (&["experiment", "nim-2x2"][..], "--runs"),
        (&["experiment", "--runs=2"], "PRESET"),
        (
            &["experiment", "nim-2x5", "--runs=2"],
            "did you mean `nim-2x",
        ),
        (
            &["experiment", "nim-2x2", "nim-2x2", "--runs=2"],
            "two presets are called nim-2x2",
        ),
        (
            &["experiment", "nim-2x2", "--runs=2", "--shard=3/2"],
            "`3/2` is not a shard",
        ),
        (
            &["experiment", "nim-2x2", "--runs=2", "--until=speed>=1"],
            "no column `speed`",
        ),
        (
            &["experiment", "nim-2x2", "--runs=2", "--column=speed"],
            "no column `speed`",
        ),
        (
            &["experiment", "nim-2x2", "--runs=2", "--x=games"],
            "--plot",
        ),
        (
            &["experiment", "--merge", "tests"],
            "contains no experiment.ron",
        ),
    ] {
        let (out, said, code) = run(folder().path(), words);
        assert_eq!((out.as_str(), code), ("", 2), "{words:?} said {said}");
        assert!(said.contains(expected), "{words:?} said {said}");
    }
}

#[test]
fn a_preset_can_have_a_target_of_its_own() {
    let folder = folder();
    let rows = |until: &[&str]| {
        let words = ["run", "nim-2x2", "--seed=1", "--generations=9", "--no-save"];
        let (out, _, code) = run(folder.path(), &[&words, until].concat());
        (out.lines().count(), code)
    };
    assert_eq!(rows(&["--set=until=generation>=4"]), (5, 0));
    assert_eq!(
        rows(&["--set=until=generation>=4", "--until=generation>=2"]),
        (3, 0)
    );
    assert_eq!(rows(&["--set=until=generation>=50"]), (9, 3));
    assert_eq!(rows(&["--set=until=genration>=4"]), (0, 2));
    let target = "--set=until=generation>=4";
    run(folder.path(), &["run", "nim-2x2", "--seed=1", target]);
    let (out, said, code) = run(folder.path(), &["resume", "nim-2x2-1"]);
    assert_eq!((out.as_str(), code), ("", 0), "{said}");
    assert!(said.contains("generation>=4 has been met"), "{said}");
}

/// A small table: two games by three schemes. A generation of the last one has more games than a
/// run may play.
const MATRIX: [&str; 5] = [
    "experiment",
    "--matrix",
    "--games=nim,bounded_nim",
    "--schemes=podium,torus,cma-es",
    "--runs=2",
];

fn matrix(out: &Path, more: &[&str]) -> (String, String, i32) {
    let out_words = ["--out", out.to_str().expect("it is text")];
    let budget = ["--budget-games=2500"];
    run(out, &[&MATRIX[..], &budget, &out_words, more].concat())
}

#[test]
fn a_table_is_the_same_on_any_number_of_threads_and_from_shards() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let (printed, said, code) = matrix(&at("one"), &["--threads=1"]);
    assert_eq!(code, 0, "{said}");
    let (again, said, code) = matrix(&at("two"), &["--threads=2"]);
    assert_eq!((&again, code), (&printed, 0), "{said}");
    for shard in ["1/2", "2/2"] {
        let (_, said, code) = matrix(&at("shards"), &["--shard", shard]);
        assert_eq!(code, 0, "{said}");
    }
    let (merged, said, code) = merge(&[&at("shards")], &[]);
    assert_eq!((&merged, code), (&printed, 0), "{said}");
    assert_eq!(files(&at("one")), files(&at("two")));
    assert_eq!(files(&at("one")), files(&at("shards")));
    // Run again, it repeats nothing and prints the same.
    let (again, said, code) = matrix(&at("one"), &[]);
    assert_eq!((&again, code), (&printed, 0), "{said}");
    for part in [
        "nim: accuracy_states of the last champion after 2,500 games, seeds 1 to 2",
        "ranks over all games",
        "Friedman test of 3 schemes with 2 games as blocks",
    ] {
        assert!(printed.contains(part), "{part} in {printed}");
    }
}

#[test]
fn a_table_says_how_many_games_its_runs_played_and_has_a_page() {
    let folder = folder();
    let out = folder.path().join("out");
    let (printed, said, code) = matrix(&out, &["--json"]);
    assert_eq!(code, 0, "{said}");
    let results = json(&printed);
    let cells = results["cells"].as_array().expect("there are cells");
    assert_eq!(cells.len(), 6);
    for cell in cells {
        // The games of a generation: 15 × 5, 100 × 6 and 100 × 40.
        let expected = match cell["scheme"].as_str() {
            Some("podium") => 2475.0,
            Some("torus") => 2400.0,
            _ => 4000.0,
        };
        assert_eq!(cell["games"], expected, "{cell}");
        assert_eq!(cell["n"], 2, "{cell}");
    }
    let csv = fs::read_to_string(out.join("matrix.csv")).expect("it is written");
    assert_eq!(csv.lines().count(), 7);
    let report = |name: &str| {
        let into = format!("--into={}", out.join(name).display());
        run(&out, &["report", out.to_str().expect("it is text"), &into])
    };
    let (_, said, code) = report("results.md");
    assert_eq!(code, 0, "{said}");
    let page = fs::read_to_string(out.join("report.html")).expect("it is written");
    for part in [
        "Which scheme for which game",
        "Ranks over all games",
        "Porter &amp; LeGrand",
    ] {
        assert!(page.contains(part), "{part}");
    }
    let results = fs::read_to_string(out.join("results.md")).expect("it is written");
    assert!(results.contains("\n## Games and schemes\n"), "{results}");
    assert!(
        !results.contains("### Presets\n"),
        "what is folded is left out"
    );
    let (_, said, code) = report("matrix.csv");
    assert!(
        code == 1 && said.contains("is not a file of results"),
        "{said}"
    );
    assert_eq!(fs::read_to_string(out.join("matrix.csv")).ok(), Some(csv));
    assert!(
        !page.contains("Hynek"),
        "only its own schemes are explained"
    );
}

#[test]
fn a_table_that_cannot_be_made_is_refused_with_a_reason() {
    let folder = folder();
    let check = |words: &[&str], expected: &str| {
        let (_, said, code) = run(folder.path(), &[&["experiment"], words].concat());
        assert_eq!(code, 2, "{said}");
        assert!(said.contains(expected), "{said}");
    };
    check(&["--matrix", "--games=nym"], "invalid value 'nym'");
    check(&["--matrix", "--schemes=torsu"], "invalid value 'torsu'");
    check(
        &["--matrix", "--budget-games=0"],
        "0 is not from 1 to 5000000",
    );
    check(&["--matrix", "nim-2x2"], "cannot be used with");
    check(
        &["--games=nim", "nim-2x2", "--runs=1"],
        "cannot be used with",
    );
    check(&["--quick", "--runs=1"], "--matrix");
    check(
        &["--matrix", "--games=nim", "--set=add_nod=1"],
        "there is no such parameter",
    );
    let out = folder.path().join("out");
    let (_, said, code) = matrix(&out, &["--shard=6/6"]);
    assert_eq!(code, 0, "{said}");
    let out_words = ["--out", out.to_str().expect("it is text")];
    let other = [&MATRIX[..], &["--budget-games=5000"], &out_words].concat();
    let (_, said, code) = run(&out, &other);
    assert_eq!(code, 1, "{said}");
    let expected = "--budget-games is 2500 in the folder, but 5000 here";
    assert!(said.contains(expected), "{said}");
}
