//! Files and arguments that mean harm: nothing in them reaches the terminal as a command, and
//! nothing absurd is begun.

use std::fs;
use std::path::Path;

use finches::preset::Preset;
use finches::ui::app::AppModel;
use finches::ui::screens::home::Home;
use finches::ui::theme::Theme;

use crate::program::{figures, folder, run, run_with_input};
const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 60)];
use crate::terminal::Terminal;

/// Sets the title and clears the screen of a terminal, once with the bytes of C0 and once with
/// those of C1, and turns the direction of writing.
const EVIL: &str = "a\u{1b}]0;TITLE\u{7}\u{1b}[2J\u{9b}2Jb\u{202e}c\r\u{200b}";

/// Checks that a text has no character that a terminal acts on, but says that there was one.
#[track_caller]
fn check_harmless(text: &str) {
    let evil = |c: char| c != '\n' && (c.is_control() || EVIL.contains(c) && !c.is_ascii());
    assert!(!text.contains(evil), "{text:?}");
    assert!(text.contains("\\u{") || text.contains("\\u00"), "{text:?}");
}

/// Changes a sealed file, and its checksum with it.
fn reseal(path: &Path, prefix: &str, change: impl Fn(&str) -> String) {
    let text = fs::read_to_string(path).expect("it was written");
    let (body, sealed) = text.rsplit_once(prefix).expect("it is sealed");
    let changed = change(body);
    assert_ne!(changed, body, "there is something to change");
    let sum = crc32fast::hash(changed.as_bytes());
    let end = &sealed[8..];
    fs::write(path, format!("{changed}{prefix}{sum:08x}{end}")).expect("it is writable");
}

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).expect("it is writable");
    path.to_str().expect("it is text").to_owned()
}

/// A run of some generations that is saved as `nim-2x4-1`.
fn saved(saves: &Path, generations: &str) {
    let words = ["run", "nim-2x4", "--seed=1", "--generations", generations];
    let (_, said, code) = run(saves, &words);
    assert_eq!(code, 0, "{said}");
}

#[test]
fn nothing_in_a_preset_file_or_argument_reaches_the_terminal_as_a_command() {
    let folder = folder();
    let words = EVIL.replace('\r', "\\r");
    let text = format!("(about: \"{words}\", game: nim(heaps: [1, 2]))");
    let file = write(folder.path(), "mine.ron", &text);
    let (shown, _, code) = run(folder.path(), &["presets", &file]);
    assert_eq!(code, 0, "{shown}");
    check_harmless(&shown);
    let file = write(folder.path(), "wrong.ron", &format!("({words}: 1)"));
    let (_, said, code) = run(folder.path(), &["run", &file]);
    assert_eq!(code, 2);
    assert!(said.contains("wrong.ron:"), "{said}");
    let fields = format!("(agent: `{words}`(), until: \"{words}\")");
    let file = write(folder.path(), "until.ron", &fields);
    assert_eq!(run(folder.path(), &["run", &file]).2, 2);
    for words in [
        &["run", EVIL][..],
        &[EVIL],
        &["run", "nim-2x4", "--set", EVIL],
        &["run", "nim-2x4", &format!("--{EVIL}")],
        &["run", "nim-2x4", "--until", EVIL],
        &["resume", EVIL],
        &["inspect", EVIL],
        &["arena", "random", EVIL, "--game=nim"],
        &["rules", EVIL],
        &["experiment", "nim-2x2", "--runs=1", "--shard", EVIL],
    ] {
        let (out, said, code) = run(folder.path(), words);
        assert_eq!((out.as_str(), code), ("", 2), "{words:?}: {said}");
        check_harmless(&said);
    }
    let question = serde_json::json!({ "start": EVIL }).to_string();
    let (out, ..) = run_with_input(folder.path(), &["rules", "nim"], &question);
    check_harmless(&out);
    let answer: serde_json::Value = serde_json::from_str(&out).expect("it is JSON");
    assert!(
        answer["error"]
            .as_str()
            .is_some_and(|error| error.contains('\u{1b}')),
        "{out}"
    );
}

#[test]
fn nothing_in_a_save_reaches_the_terminal_as_a_command() {
    let folder = folder();
    saved(folder.path(), "5");
    let run_file = folder.path().join("nim-2x4-1/run.ron");
    let change = format!(
        "interventions: [(generation: 3, key: \"measures.every\", from: \"{EVIL}\", to: \"11\")]"
    );
    reseal(&run_file, "// checksum ", |body| {
        body.replace("interventions: []", &change)
    });
    let name = folder.path().join(format!("x{EVIL}"));
    fs::rename(folder.path().join("nim-2x4-1"), &name).expect("it can be renamed");
    let name = name
        .file_name()
        .and_then(|name| name.to_str())
        .expect("it is text");
    let (shown, said, code) = run(folder.path(), &["inspect", name]);
    assert_eq!(code, 0, "{said}");
    assert!(shown.contains("changed at generation 3"), "{shown}");
    check_harmless(&shown);
    let (_, said, _) = run(folder.path(), &["resume", name, "--generations=8"]);
    check_harmless(&said);
    let (_, said, _) = run(folder.path(), &["inspect", "x"]);
    check_harmless(&said);
    let log = folder.path().join(name).join("run.log");
    check_harmless(&fs::read_to_string(log).expect("there is a log"));
    let [page, words] = ["page.html", "words.md"].map(|file| folder.path().join(file));
    let [to_page, to_words] = [&page, &words].map(|path| path.to_str().expect("it is text"));
    let report = ["report", name, "--out", to_page, "--into", to_words];
    let (_, said, code) = run(folder.path(), &report);
    assert_eq!(code, 0, "{said}");
    for path in [page, words] {
        check_harmless(&fs::read_to_string(path).expect("it was written"));
    }
    let mut terminal = Terminal::open(folder.path(), &["watch", name], &[]);
    terminal.expect("DONE");
    terminal.press("q");
    let (_, left, written) = terminal.end_and_written();
    assert!(left.contains("finches watch x"), "{left}");
    assert!(!written.contains("TITLE\u{7}") && !written.contains("\u{9b}2J"));
}

#[test]
fn a_preset_whose_name_is_a_path_is_refused_in_a_save_too() {
    let folder = folder();
    saved(folder.path(), "5");
    let file = folder.path().join("nim-2x4-1/run.ron");
    for name in [
        "../../victim",
        "/tmp/victim",
        ".hidden",
        "a b",
        "x\\r; touch y #",
    ] {
        reseal(&file, "// checksum ", |body| {
            let (before, rest) = body.split_once("name: \"").expect("it has a name");
            let (_, after) = rest.split_once('"').expect("the name ends");
            format!("{before}name: \"{name}\"{after}")
        });
        for words in [
            &["run", "--replay", "nim-2x4-1"][..],
            &["resume", "nim-2x4-1"],
            &["inspect", "nim-2x4-1"],
        ] {
            let (out, said, code) = run(folder.path(), words);
            assert_eq!((out.as_str(), code), ("", 1), "{words:?}: {said}");
            assert!(
                said.contains("run.ron: ") && said.contains("letters, digits"),
                "{said}"
            );
        }
    }
    let entries = fs::read_dir(folder.path()).expect("it can be read");
    assert_eq!(entries.count(), 1, "nothing else was made");
}

#[test]
fn text_that_turns_direction_does_not_reach_a_screen() {
    let about = "a\u{202e}b\u{2066}c\u{200b}d\u{2028}e\u{feff}f e\u{301} 棋 \u{1b}[2J";
    let text = format!("(about: \"{about}\", source: \"{about}\", published: \"{about}\")");
    let preset = Preset::parse(&text, "mine", "mine.ron").expect("it is valid");
    let mut model = AppModel::new(Theme::dark(), Home::new(vec![preset], "saves".to_owned()));
    for (width, height) in SIZES {
        model.resize(width, height);
        let drawn = model.draw(width, height);
        let symbols: Vec<&str> = drawn
            .content
            .iter()
            .map(ratatui::buffer::Cell::symbol)
            .collect();
        let unsafe_ones =
            |c: char| c.is_control() || "\u{202e}\u{2066}\u{200b}\u{2028}\u{feff}".contains(c);
        let found: Vec<&&str> = symbols
            .iter()
            .filter(|symbol| symbol.contains(unsafe_ones))
            .collect();
        assert!(found.is_empty(), "{found:?}");
        assert!(symbols.contains(&"e\u{301}"), "the description is shown");
    }
}

#[test]
fn a_preset_file_is_small_and_may_begin_with_a_byte_order_mark() {
    let folder = folder();
    let marked = write(folder.path(), "marked.ron", "\u{feff}(generations: 7)");
    let (shown, said, code) = run(folder.path(), &["presets", &marked]);
    assert_eq!(code, 0, "{said}");
    assert!(shown.contains("generations = 7"), "{shown}");
    let large = write(
        folder.path(),
        "large.ron",
        &format!("(about: \"{}\")", "x".repeat(1 << 20)),
    );
    let (_, said, code) = run(folder.path(), &["presets", &large]);
    assert_eq!(code, 2);
    assert!(
        said.contains("large.ron: has 1048587 bytes, but a preset has at most 1048576"),
        "{said}"
    );
    let (_, said, code) = run(
        folder.path(),
        &["run", &format!("{}.ron", folder.path().display())],
    );
    assert_eq!(code, 2, "{said}");
}

#[test]
fn numbers_beyond_reason_are_refused() {
    let most = u64::MAX.to_string();
    for (words, expected) in [
        (
            &["run", "nim-2x4", "--threads", &most][..],
            "8 for each core",
        ),
        (&["run", "nim-2x4", "--threads=1000000"], "8 for each core"),
        (
            &["experiment", "nim-2x2", "--runs=2", "--threads=1000000"],
            "8 for each core",
        ),
        (
            &[
                "arena",
                "random",
                "oracle",
                "--game=nim",
                "--threads=1000000",
            ],
            "8 for each core",
        ),
        (
            &["run", "nim-2x4", "--checkpoint-every=-5"],
            "from 0 to 1000000000",
        ),
        (
            &["run", "nim-2x4", "--checkpoint-every=nan"],
            "from 0 to 1000000000",
        ),
        (
            &["run", "nim-2x4", "--checkpoint-every=1e400"],
            "from 0 to 1000000000",
        ),
        (
            &["run", "nim-2x4", "--until=games>=NaN"],
            "is not a condition",
        ),
        (
            &["run", "nim-2x4", "--until=games>=inf"],
            "is not a condition",
        ),
        (
            &["run", "nim-2x4", "--set=until=games>=inf"],
            "is not a condition",
        ),
        (
            &["experiment", "nim-2x2", "--seed=0", "--runs", &most],
            "from 1 to 1000000",
        ),
        (
            &["experiment", "nim-2x2", "--runs=10000000000"],
            "from 1 to 1000000",
        ),
        (
            &["experiment", "nim-2x2", "--runs=9", "--seed", &most],
            "exceed the largest seed",
        ),
        (
            &[
                "arena",
                "random",
                "oracle",
                "--game=nim",
                "--games=4294967295",
            ],
            "from 1 to 1000000",
        ),
        (
            &[
                "arena",
                "random",
                "oracle",
                "random",
                "oracle",
                "random",
                "oracle",
                "--game=nim",
                "--games=1000000",
            ],
            "at most 10000000",
        ),
        (
            &["evaluate", "champion-nim", "--games=4294967294"],
            "from 1 to 1000000",
        ),
        (
            &["fork", "nim-2x4-1", "--seeds=2", "--generations", &most],
            "from 1 to 1000000000",
        ),
        (&["rules", "nim", "--perft", &most], "from 1 to 100"),
        (&["rules", "nim", "--perft=200000"], "from 1 to 100"),
    ] {
        let folder = folder();
        let (out, said, code) = run(folder.path(), words);
        assert_eq!((out.as_str(), code), ("", 2), "{words:?}: {said}");
        assert!(said.contains(expected), "{words:?}: {said}");
        let made = fs::read_dir(folder.path()).expect("it can be read").count();
        assert_eq!(made, 0, "{words:?}");
    }
}

#[test]
fn a_line_that_is_too_long_is_answered_with_an_error() {
    let folder = folder();
    let long = "x".repeat(3 << 20);
    let lines = format!("{long}\n{{\"start\":\"2,2\"}}\n");
    let (out, said, code) = run_with_input(folder.path(), &["rules", "nim"], &lines);
    let answers: Vec<&str> = out.lines().collect();
    assert_eq!((answers.len(), code), (2, 1), "{said}");
    assert!(answers[0].contains("longer than 1048576 bytes"), "{out}");
    assert!(answers[1].contains("\"position\":\"2,2\""), "{out}");
}

#[test]
fn a_number_of_generations_that_is_impossible_is_refused_before_it_is_saved() {
    let folder = folder();
    saved(folder.path(), "5");
    let file = folder.path().join("nim-2x4-1/run.ron");
    let before = fs::read_to_string(&file).expect("it is saved");
    for generations in ["0", "9999999999"] {
        let (out, said, code) = run(
            folder.path(),
            &["resume", "nim-2x4-1", "--generations", generations],
        );
        assert_eq!((out.as_str(), code), ("", 2), "{said}");
        assert!(
            said.contains("generations: must be from 1 to 1000000000"),
            "{said}"
        );
    }
    assert_eq!(fs::read_to_string(&file).expect("it is saved"), before);
}

#[test]
fn a_replay_stops_at_the_generation_that_was_asked_for() {
    let folder = folder();
    saved(folder.path(), "9");
    let file = folder.path().join("nim-2x4-1/run.ron");
    reseal(&file, "// checksum ", |body| {
        let change =
            "interventions: [(generation: 3, key: \"generations\", from: \"9\", to: \"30\")]";
        body.replace("interventions: []", change)
    });
    for (words, rows) in [
        (&["run", "--replay", "nim-2x4-1", "--generations=6"][..], 6),
        (&["run", "--replay", "nim-2x4-1"], 30),
    ] {
        let (out, said, code) = run(folder.path(), words);
        assert_eq!((out.lines().count(), code), (rows, 0), "{said}");
    }
    // The change is due in the generation in which the replay stopped before.
    let (_, said, code) = run(
        folder.path(),
        &["run", "--replay", "nim-2x4-1", "--until=generation>=2"],
    );
    assert_eq!(code, 0, "{said}");
    let (out, said, code) = run(folder.path(), &["resume", "nim-2x4-1-4", "--generations=6"]);
    assert_eq!((out.lines().count(), code), (3, 0), "{said}");
    assert_eq!(
        figures(folder.path(), "nim-2x4-1-4")[..7],
        figures(folder.path(), "nim-2x4-1-3")[..7]
    );
}

#[test]
fn a_folder_without_a_definition_is_no_run() {
    let folder = folder();
    saved(folder.path(), "5");
    fs::create_dir_all(folder.path().join("nim-2x4-2/champions")).expect("it is writable");
    let (_, said, code) = run(folder.path(), &["inspect", "nim-2x4-2"]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("did you mean `nim-2x4-1`?"), "{said}");
    for name in ["checkpoint.ron", "champions"] {
        let path = folder.path().join("nim-2x4-1").join(name);
        let removed = if path.is_dir() {
            fs::remove_dir_all(&path)
        } else {
            fs::remove_file(&path)
        };
        removed.expect("it was there");
    }
    let (_, said, code) = run(folder.path(), &["resume", "nim-2x4-1"]);
    assert_eq!(code, 2, "{said}");
    assert!(
        said.contains("it ended before its first checkpoint"),
        "{said}"
    );
    let (shown, said, _) = run(folder.path(), &["inspect", "nim-2x4-1"]);
    assert!(
        shown.contains("no checkpoint and no champions"),
        "{shown}{said}"
    );
}

#[test]
fn a_network_is_well_formed_whatever_its_run_is_called() {
    let folder = folder();
    saved(folder.path(), "5");
    let name = "a&b<script>\"q\"'\u{1b}";
    fs::rename(folder.path().join("nim-2x4-1"), folder.path().join(name))
        .expect("it can be renamed");
    let (svg, said, code) = run(folder.path(), &["inspect", name, "--svg"]);
    assert_eq!(code, 0, "{said}");
    let title = "<title>a&amp;b&lt;script&gt;&quot;q&quot;&apos;\\u{1b} g4</title>";
    assert!(svg.contains(title), "{svg}");
    let (dot, ..) = run(folder.path(), &["inspect", name, "--dot"]);
    assert!(
        dot.starts_with("digraph \"a&b<script>\\\"q\\\"'\\\\u{1b} g4\" {"),
        "{dot}"
    );
    let (json, ..) = run(folder.path(), &["inspect", name, "--json"]);
    let network: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(network["title"], format!("{name} g4"));
}

#[test]
fn a_summary_has_no_formulas_and_no_values_that_no_run_has() {
    let folder = folder();
    let text = "(published: \"=cmd|calc\", game: nim(heaps: [1, 2]), evolution: (population: 10, \
        pairing: circular(opponents: 4)))";
    let file = write(folder.path(), "mine.ron", text);
    let out = folder.path().join("out");
    let out = out.to_str().expect("it is text");
    let (_, said, code) = run(
        folder.path(),
        &[
            "experiment",
            &file,
            "--runs=2",
            "--generations=3",
            "--out",
            out,
        ],
    );
    assert_eq!(code, 0, "{said}");
    let summary = fs::read_to_string(Path::new(out).join("summary.csv")).expect("it is written");
    assert!(summary.contains(",'=cmd|calc,"), "{summary}");
    let outcome = Path::new(out).join("runs/mine-1.json");
    let whole = fs::read_to_string(&outcome).expect("it is written");
    let latest: serde_json::Value = serde_json::from_str(&whole).expect("it is JSON");
    let value = &latest["latest"]["accuracy_states"];
    reseal(&outcome, "  \"checksum\": \"", |body| {
        body.replace(
            &format!("\"accuracy_states\": {value}"),
            "\"accuracy_states\": 1e308",
        )
    });
    let (_, said, code) = run(folder.path(), &["experiment", "--merge", out]);
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("mine-1.json: latest.accuracy_states: is 1000"),
        "{said}"
    );
    // Neither does a definition with absurd numbers begin anything.
    for (from, to) in [
        ("runs: 2,", "runs: 100000000000,"),
        ("runs: 100000000000,", "runs: 0,"),
    ] {
        let definition = Path::new(out).join("experiment.ron");
        reseal(&definition, "// checksum ", |body| body.replace(from, to));
        let (_, said, code) = run(folder.path(), &["experiment", "--merge", out]);
        assert_eq!(code, 1, "{said}");
        assert!(
            said.contains("experiment.ron: ") && said.contains("from 1 to 1000000"),
            "{said}"
        );
    }
}
