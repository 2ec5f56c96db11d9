//! The command line: what it prints, how it refuses, how it ends.

use std::fs;

use crate::program::{figures, finches, folder, read_rows, run, run_with_input, signal, told};

fn check_refused(words: &[&str], code: i32, expected: &[&str]) {
    let (out, said, ended) = run(folder().path(), words);
    assert_eq!(ended, code, "{words:?} said {said}");
    assert_eq!(out, "", "{words:?} prints nothing but words");
    for part in expected {
        assert!(said.contains(part), "{words:?} said {said}");
    }
}

#[test]
fn what_makes_no_sense_is_refused_by_name_with_what_would_do() {
    check_refused(&["run", "nim-2x5"], 2, &["nim-2x5", "did you mean `nim-2x"]);
    check_refused(&["run", "nothing.ron"], 2, &["nothing.ron: can't be read"]);
    check_refused(
        &["run", "nim-2x4", "--set", "ad_node=1"],
        2,
        &["ad_node", "did you mean `add_node`?"],
    );
    check_refused(
        &["run", "nim-2x4", "--set", "add_node=x"],
        2,
        &["genome.add_node", "`x` is not valid"],
    );
    check_refused(
        &[
            "run",
            "nim-2x4",
            "--set",
            "add_node=-1",
            "--set",
            "opponents=51",
        ],
        2,
        &["add_node: must be from 0 to 1000, is -1"],
    );
    check_refused(
        &["run", "nim-2x4", "--until", "accuracy>=1"],
        2,
        &["no column `accuracy`", "accuracy_"],
    );
    check_refused(
        &["run", "nim-2x4", "--until", "accuracy_states"],
        2,
        &["write COLUMN>=NUMBER"],
    );
    check_refused(
        &["resume", "nothing"],
        2,
        &["nothing: there is no such run"],
    );
    check_refused(
        &["resume", "nothing", "--seed", "1"],
        2,
        &["keeps its parameters and seed"],
    );
    check_refused(&["rules", "chess"], 2, &["no game `chess`", "`nim`"]);
    check_refused(
        &["rules", "nim", "--set", "heaps=[]"],
        2,
        &["heaps: must list 1 to 20 heaps"],
    );
    for (option, value, expected) in [
        (
            "--out",
            "film.gif",
            "film.gif: a film ends with .svg or, for asciinema, .cast",
        ),
        ("--size", "9x9", "--size 9x9: a film has 60x18 to 300x100"),
        ("--seconds", "0", "a film takes 1 to 600 seconds"),
        ("--generations", "9..2", "generations, such as 20..80"),
    ] {
        check_refused(&["film", "nim-2x2", option, value], 2, &[expected]);
    }
    check_refused(&["film", "nim-2x2", "--game", "no.txt"], 1, &["no.txt"]);
    check_refused(&["film", "nothing"], 2, &["no such preset", "no saved run"]);
    check_refused(&[], 2, &["needs a terminal", "nim-2x4"]);
    check_refused(&["play", "nim-2x4"], 2, &["needs a terminal"]);
}

#[test]
fn a_name_of_another_kind_is_told_with_the_commands_that_take_it() {
    check_refused(&["fly"], 2, &["fly: there is no such command or preset"]);
    for words in [&["runs"][..], &["runs", "nim-2x4"]] {
        check_refused(
            words,
            2,
            &["runs: there is no such command", "did you mean `run`?"],
        );
    }
    check_refused(
        &["resume", "nim-2x4"],
        2,
        &["nim-2x4: is a preset, of which"],
    );
    check_refused(&["judge", "random"], 2, &["random: is a reference player"]);
    for words in [
        &["champion-nim"][..],
        &["run", "champion-nim"],
        &["presets", "champion-nim"],
    ] {
        check_refused(words, 2, &["champion-nim: is a champion that comes"]);
    }
    for command in ["evaluate", "inspect", "film"] {
        check_refused(
            &[command, "champion-nim:3"],
            2,
            &["name the run alone, champion-nim;"],
        );
    }
    check_refused(
        &["play", "chess", "--plain"],
        2,
        &["no such preset", "no game (nim, ", "no saved run"],
    );
    check_refused(
        &["ladder", "nim", "--past", "--plot=a.png"],
        2,
        &["ends with .svg"],
    );
}

#[test]
fn numbers_out_of_range_are_told_in_plain_words() {
    for (option, expected) in [
        ("--seed=x", "write a whole number"),
        ("--rows-every=0", "0 is not 1 or more"),
        ("--seed=-1", "write a whole number"),
    ] {
        check_refused(&["run", "nim-2x4", option], 2, &[expected]);
    }
    check_refused(
        &["run", "nim-2x4", "--seed", "-1"],
        2,
        &["write a whole number"],
    );
}

#[test]
fn all_faults_of_a_preset_file_are_told_at_once_with_their_places() {
    let folder = folder();
    let path = folder.path().join("mine.ron");
    fs::write(
        &path,
        "(\n    generatons: 5,\n    game: nim(heaps: [20000]),\n    agent: oneply,\n)\n",
    )
    .expect("it is writable");
    let (_, said, code) = run(folder.path(), &["run", &path.to_string_lossy()]);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!((code, lines.len()), (2, 3), "{said}");
    assert!(
        lines[0].contains(
            "mine.ron:2:17: generatons: there is no such parameter; did you mean `generations`?"
        ),
        "{said}"
    );
    assert!(
        lines[1].contains("mine.ron:3:22: game.heaps: must be from 1 to 10000, is 20000"),
        "{said}"
    );
    assert!(
        lines[2].contains("mine.ron:4:12: agent: there is no `oneply`; did you mean `one_ply`?"),
        "{said}"
    );
}

#[test]
fn without_a_terminal_rows_come_as_json_with_the_column_names_as_keys() {
    let folder = folder();
    let (out, said, code) = run(
        folder.path(),
        &["run", "nim-2x2", "--seed", "3", "--generations", "12"],
    );
    assert_eq!(code, 0, "{said}");
    let rows: Vec<serde_json::Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line is JSON"))
        .collect();
    assert_eq!(rows.len(), 12);
    let names = |row: &serde_json::Value| {
        row.as_object()
            .expect("a row is an object")
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    let always = [
        "accuracy_games",
        "accuracy_states",
        "best_fitness",
        "champion_edges",
        "champion_nodes",
        "games",
        "generation",
        "hidden_layers",
        "hidden_nodes_per_layer",
        "mean_fitness",
        "mean_turns",
        "moves",
        "seconds",
    ];
    assert!(
        always
            .iter()
            .all(|name| names(&rows[5]).iter().any(|key| key == name)),
        "{:?}",
        names(&rows[5])
    );
    assert!(
        names(&rows[0]).contains(&"vs_random".to_owned()),
        "graded in the first generation"
    );
    assert!(
        !names(&rows[1]).contains(&"vs_random".to_owned()),
        "and not in the second"
    );
    assert_eq!(rows[11]["generation"], 11);
}

#[test]
fn options_may_come_before_the_command() {
    let words = ["--seed", "3", "run", "nim-2x2", "--generations", "2"];
    let (out, said, code) = run(folder().path(), &words);
    assert_eq!((out.lines().count(), code), (2, 0), "{said}");
    let words = ["--ascii", "run", "nim-2x2", "--generations", "2"];
    let (out, said, code) = run(folder().path(), &words);
    assert_eq!((out.lines().count(), code), (2, 0), "{said}");
    let unknown = ["--seed", "3", "run", "--nothing"];
    check_refused(&unknown, 2, &["unexpected argument '--nothing'"]);
    check_refused(&["nim-2x2", "run", "nim-2x2"], 2, &["cannot be used with"]);
    // The value of an option is no command.
    let elsewhere = ["--saves", "run", "resume", "nothing"];
    check_refused(&elsewhere, 2, &["nothing: there is no such run in run"]);
}

#[test]
fn a_run_ends_with_its_condition_or_says_that_it_was_not_reached() {
    let folder = folder();
    let until = |goal: &str| {
        let words = [
            "run",
            "simple-nim-2",
            "--seed",
            "1",
            "--generations",
            "30",
            "--no-save",
            "--until",
            goal,
        ];
        run(folder.path(), &words)
    };
    let (out, said, code) = until("accuracy_states>=1");
    assert_eq!(code, 0);
    assert!(said.contains("; ended at accuracy_states>=1"), "{said}");
    let last: serde_json::Value =
        serde_json::from_str(out.lines().last().expect("there are rows")).expect("it is JSON");
    assert_eq!(last["accuracy_states"], 1);
    assert!(
        out.lines().count() < 30,
        "it stops at the first row that fulfills the condition"
    );
    let (out, said, code) = until("accuracy_states>=2");
    assert_eq!((out.lines().count(), code), (30, 3));
    assert!(said.contains("; accuracy_states>=2 not reached"), "{said}");
    let (out, said, code) = until("plateau:5");
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("ended at plateau:5"), "{said}");
    assert!(out.lines().count() < 30, "{out}");
    let (_, said, code) = until("plateau:100");
    assert_eq!(code, 3, "{said}");
    let (_, said, code) = until("beats:nobody");
    assert_eq!(code, 2, "{said}");
    let (_, said, code) = until("time:0s");
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("its time is over"), "{said}");
    assert!(
        !folder.path().join("simple-nim-2-1").exists(),
        "--no-save saves nothing"
    );
}

#[test]
fn the_command_that_continues_a_run_works_as_it_is_written() {
    let folder = folder();
    let words = "run nim-2x4 --seed 1 --generations 2 --saves";
    let other = folder.path().join("other runs");
    let other = other.to_str().expect("it is text");
    let mut words: Vec<&str> = words.split(' ').collect();
    words.push(other);
    let (_, said, _) = run(folder.path(), &words);
    let expected = "; continue with: finches resume nim-2x4-1 --generations 4 --saves '";
    assert!(
        said.contains(expected) && said.contains("other runs'"),
        "{said}"
    );
    let resume = |count: &str| {
        let words = [
            "resume",
            "nim-2x4-1",
            "--generations",
            count,
            "--saves",
            other,
        ];
        run(folder.path(), &words)
    };
    let (out, said, code) = resume("4");
    assert_eq!((out.lines().count(), code), (2, 0), "{said}");
    let (_, said, code) = resume("3");
    assert_eq!(code, 2);
    assert!(
        said.contains("nim-2x4-1: has done 4 generations; give more"),
        "{said}"
    );
    let (_, said, code) = resume("4");
    assert_eq!(code, 0);
    assert!(
        said.contains("nim-2x4-1: all 4 generations are done"),
        "{said}"
    );
}

#[test]
fn a_run_without_a_screen_ends_at_its_breakpoints() {
    let folder = folder();
    let words = [
        "run",
        "simple-nim-2",
        "--seed",
        "1",
        "--generations",
        "30",
        "--headless",
        "--break",
        "generation:7",
    ];
    let (out, said, code) = run(folder.path(), &words);
    assert_eq!((out.lines().count(), code), (8, 0), "{said}");
    assert!(said.contains("ended at generation>=7"), "{said}");
    let resumed = [
        "resume",
        "simple-nim-2-1",
        "--headless",
        "--break",
        "generation:7",
    ];
    let (out, said, code) = run(folder.path(), &resumed);
    assert_eq!((out.lines().count(), code), (22, 0), "met before: {said}");
}

#[test]
fn the_rules_answer_each_line_and_the_exit_code_tells_of_faults() {
    let folder = folder();
    let (out, _, code) = run_with_input(
        folder.path(),
        &["rules", "nim", "--solve"],
        "{\"start\":\"2,4\",\"moves\":[\"2:2\"]}\n\n{}\n",
    );
    assert_eq!(code, 0, "{out}");
    let first: serde_json::Value =
        serde_json::from_str(out.lines().next().expect("an answer")).expect("it is JSON");
    assert_eq!(
        first["legal"][0],
        serde_json::json!(["1:1", "1:2", "2:1", "2:2", "2:3", "2:4"])
    );
    assert_eq!(
        (&first["position"], &first["value"]),
        (&serde_json::json!("2,2"), &serde_json::json!(-1))
    );
    let faulty = "junk\n{\"start\":\"2,4\",\"moves\":[\"2:2\",\"1:9\"]}\n\
        {\"moves\":[],\"more\":1}\n{\"start\":\"1\",\"moves\":[\"1:1\"]}\n";
    let (out, _, code) = run_with_input(folder.path(), &["rules", "nim"], faulty);
    let answers: Vec<&str> = out.lines().collect();
    assert_eq!((answers.len(), code), (4, 1), "{out}");
    assert!(answers[0].contains("error") && answers[2].contains("error"));
    assert!(
        answers[1].contains("moves[1]: 1:9 is not legal"),
        "{}",
        answers[1]
    );
    assert!(answers[3].contains("\"result\":-1"), "{}", answers[3]);
    let (out, ..) = run(
        folder.path(),
        &["rules", "nim", "--perft", "3", "--start", "2,2"],
    );
    assert_eq!(out, "{\"perft\":[4,10,14]}\n");
}

#[test]
fn a_line_of_play_may_be_asked_and_answered_as_a_record() {
    let folder = folder();
    let lines = "{\"record\":\"D3 c3b3\"}\n{\"moves\":[\"d3\",\"c3\",\"b3\"]}\n\
        {\"record\":\"d3c9\"}\n{\"record\":\"d3\",\"moves\":[]}\n";
    let (out, _, code) = run_with_input(folder.path(), &["rules", "reversi", "--record"], lines);
    let answers: Vec<&str> = out.lines().collect();
    assert_eq!((answers.len(), code), (4, 1), "{out}");
    assert!(
        answers[0].contains("\"record\":\"d3c3b3\""),
        "{}",
        answers[0]
    );
    assert_eq!(answers[0], answers[1]);
    assert!(
        answers[2].contains("record[1]: `c9` is not a move"),
        "{}",
        answers[2]
    );
    assert!(
        answers[3].contains("both `moves` and `record`"),
        "{}",
        answers[3]
    );
    let (out, ..) = run_with_input(
        folder.path(),
        &["rules", "reversi"],
        "{\"record\":\"d3\"}\n",
    );
    assert!(!out.contains("record"), "{out}");
    let (out, ..) = run(folder.path(), &["rules", "reversi", "--perft", "3"]);
    assert_eq!(out, "{\"perft\":[4,12,56]}\n");
}

#[test]
fn a_saved_run_can_be_inspected_and_exported() {
    let folder = folder();
    run(
        folder.path(),
        &["run", "nim-2x2", "--seed", "3", "--generations", "5"],
    );
    let (words, ..) = run(folder.path(), &["inspect", "nim-2x2-3"]);
    assert!(
        words.contains("generation 5 of 5")
            && words.contains("saved champions, by generation: 0 1 2 3 4"),
        "{words}"
    );
    let (svg, ..) = run(
        folder.path(),
        &["inspect", "nim-2x2-3", "--svg", "--generation", "2"],
    );
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    let (dot, ..) = run(folder.path(), &["inspect", "nim-2x2-3", "--dot"]);
    assert!(dot.starts_with("digraph \"nim-2x2-3 g4\""));
    let (json, ..) = run(folder.path(), &["inspect", "nim-2x2-3", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    assert!(json["edges"].as_array().expect("edges are listed").len() >= 2);
    let (csv, ..) = run(folder.path(), &["export", "nim-2x2-3"]);
    assert_eq!(csv.lines().count(), 6);
    let (rows, ..) = run(folder.path(), &["export", "nim-2x2-3", "--json"]);
    assert_eq!(rows.lines().count(), 5);
    let (_, said, code) = run(
        folder.path(),
        &["inspect", "nim-2x2-3", "--generation", "77"],
    );
    assert!(
        code == 2 && said.contains("the nearest saved one is 4"),
        "{said}"
    );
}

#[test]
fn a_run_without_its_population_can_be_inspected() {
    let folder = folder();
    let run = |words: &[&str]| run(folder.path(), words);
    run(&["run", "nim-2x2", "--seed", "3", "--generations", "5"]);
    let kept = folder.path().join("kept");
    let kept = kept.to_str().expect("it is text");
    run(&["export", "nim-2x2-3", "--bundle", kept]);
    let (words, said, code) = run(&["inspect", kept]);
    assert!(
        code == 0 && words.contains("5 generations; its champions can be played"),
        "{words} {said}"
    );
}

#[test]
fn help_completions_and_the_manual_name_every_command() {
    let folder = folder();
    for words in [&["--help"][..], &["completions", "bash"], &["man"]] {
        let (out, _, code) = run(folder.path(), words);
        assert_eq!(code, 0);
        for command in [
            "resume", "play", "presets", "inspect", "export", "games", "rules",
        ] {
            assert!(out.contains(command), "{words:?} leaves out {command}");
        }
    }
    let mut narrow = finches(folder.path(), &["--help"]);
    let (out, ..) = told(narrow.env("COLUMNS", "0").output().expect("it starts"));
    assert!(out.contains("play board games"), "{out}");
    let (page, ..) = run(folder.path(), &["man"]);
    for part in [
        "checkpoint.ron",
        "accuracy_states",
        "vs_NAME",
        "FINCHES_LOG",
        "new game with sides swapped",
    ] {
        assert!(page.contains(part), "the manual leaves out {part}");
    }
    let (out, ..) = run(folder.path(), &["presets", "nim-2x4"]);
    assert!(
        out.contains("genome.add_node = 0.05  (0 to 1000, weight, live)"),
        "{out}"
    );
}

#[test]
fn kept_populations_are_graded_as_the_run_measured_them_and_in_full() {
    let folder = folder();
    let few = [
        "held_out_games=2",
        "population_games=2",
        "keep_every=2",
        "grading_games=200",
    ];
    let mut words = vec![
        "run",
        "reversi-vanilla",
        "--seed",
        "1",
        "--generations",
        "3",
        "--json",
    ];
    words.extend(few.into_iter().flat_map(|setting| ["--set", setting]));
    let (rows, _, code) = run(folder.path(), &words);
    assert_eq!(code, 0);
    let rows: Vec<serde_json::Value> = rows
        .lines()
        .map(|line| serde_json::from_str(line).expect("a row is JSON"))
        .collect();
    assert!(
        rows[1].get("progress").is_none(),
        "nothing is kept of generation 1"
    );
    let evaluate = |more: &[&str]| {
        let words = [
            &["evaluate", "reversi-vanilla-1", "--baseline", "--json"],
            more,
        ]
        .concat();
        let (lines, said, code) = run(folder.path(), &words);
        assert_eq!(code, 0, "{said}");
        let lines = lines.lines();
        let lines = lines.map(|line| serde_json::from_str(line).expect("a result is JSON"));
        lines.collect::<Vec<serde_json::Value>>()
    };
    let sampled = evaluate(&["--games", "200"]);
    assert_eq!(sampled.len(), 4);
    for (lines, row) in sampled.chunks(2).zip([&rows[0], &rows[2]]) {
        for (line, figure) in lines.iter().zip(["progress", "baseline"]) {
            assert_eq!(line["generation"].as_f64(), row["generation"].as_f64());
            assert_eq!(line["share"].as_f64(), row[figure].as_f64(), "{figure}");
            let counts = ["wins", "draws", "losses"].map(|what| line[what].as_u64());
            assert_eq!(counts.into_iter().flatten().sum::<u64>(), 200);
        }
    }
    let (out, said, code) = run(
        folder.path(),
        &[
            "evaluate",
            "reversi-vanilla-1",
            "--baseline",
            "--generation",
            "1",
        ],
    );
    assert_eq!(code, 2, "{out}{said}");
    assert!(
        said.contains("generation 1 is not saved; the nearest saved one is"),
        "{said}"
    );
    let words = ["run", "nim-2x2", "--seed", "1", "--generations", "2"];
    assert_eq!(run(folder.path(), &words).2, 0);
    let (_, said, code) = run(folder.path(), &["evaluate", "nim-2x2-1", "--baseline"]);
    assert_eq!(code, 1);
    assert!(said.contains("has no saved populations"), "{said}");
}

#[test]
fn a_champion_is_evaluated_against_earlier_champions_and_named_players() {
    let folder = folder();
    let words = ["run", "nim-2x2", "--seed", "1", "--generations", "12"];
    assert_eq!(run(folder.path(), &words).2, 0);
    let evaluate = |more: &[&str]| {
        let words = [&["evaluate", "nim-2x2-1"], more].concat();
        run(folder.path(), &words)
    };
    let (lines, said, code) = evaluate(&["--opponents", "3", "--games", "16", "--json"]);
    assert_eq!(code, 0, "{said}");
    let lines = lines.lines();
    let lines = lines.map(|line| serde_json::from_str(line).expect("a result is JSON"));
    let lines: Vec<serde_json::Value> = lines.collect();
    let names: Vec<&str> = lines
        .iter()
        .filter_map(|line| line["opponent"].as_str())
        .collect();
    assert_eq!(names, ["g0", "g3", "g7", "earlier", "random"]);
    let count = |line: &serde_json::Value, what: &str| line[what].as_u64().expect("a count");
    let games = |line| ["wins", "draws", "losses"].map(|what| count(line, what));
    for line in &lines {
        let expected = if line["opponent"] == "earlier" {
            48
        } else {
            16
        };
        assert_eq!(games(line).into_iter().sum::<u64>(), expected, "{line}");
    }
    let [one, two, three] = [0, 1, 2].map(|place| games(&lines[place]));
    let sum: Vec<u64> = (0..3)
        .map(|what| one[what] + two[what] + three[what])
        .collect();
    assert_eq!(games(&lines[3]).to_vec(), sum);
    let (table, _, code) = evaluate(&["--against", "oracle", "nim-2x2-1:3"]);
    assert_eq!(code, 0);
    assert!(
        table.starts_with("champion of nim-2x2-1, generation 11\n"),
        "{table}"
    );
    let opponents: Vec<&str> = table
        .lines()
        .skip(2)
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert_eq!(opponents, ["oracle", "nim-2x2-1:3"]);
    let (_, said, code) = evaluate(&["--generation", "0"]);
    assert_eq!(code, 1);
    assert!(
        said.contains("has no saved champion from before generation 0"),
        "{said}"
    );
}

#[test]
fn a_closed_pipe_ends_the_run_quietly() {
    let folder = folder();
    let mut child = finches(
        folder.path(),
        &[
            "run",
            "nim-2x2",
            "--seed",
            "1",
            "--generations",
            "100000000",
        ],
    )
    .spawn()
    .expect("it starts");
    assert_eq!(read_rows(&mut child, 3).len(), 3);
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).as_ref()
        ),
        (Some(0), "")
    );
}

#[test]
fn a_signal_saves_and_the_run_goes_on_where_it_stopped() {
    let whole = folder();
    run(
        whole.path(),
        &["run", "nim-2x4", "--seed", "5", "--generations", "400"],
    );
    for (name, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let folder = folder();
        let words = ["run", "nim-2x4", "--seed", "5", "--generations", "400"];
        let mut child = finches(folder.path(), &words).spawn().expect("it starts");
        read_rows(&mut child, 20);
        signal(&child, name);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(
            output.status.code(),
            Some(code),
            "{name}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        let (_, said, code) = run(
            folder.path(),
            &["resume", "nim-2x4-5", "--generations", "400"],
        );
        assert_eq!(code, 0, "{said}");
        assert_eq!(
            figures(folder.path(), "nim-2x4-5"),
            figures(whole.path(), "nim-2x4-5"),
            "{name}"
        );
    }
}

#[test]
fn a_replay_repeats_what_was_run() {
    let folder = folder();
    run(
        folder.path(),
        &[
            "run",
            "nim-2x4",
            "--seed",
            "5",
            "--generations",
            "30",
            "--set",
            "add_node=3",
        ],
    );
    let (_, said, code) = run(folder.path(), &["run", "--replay", "nim-2x4-5"]);
    assert_eq!(code, 0, "{said}");
    assert_eq!(
        figures(folder.path(), "nim-2x4-5-2"),
        figures(folder.path(), "nim-2x4-5")
    );
}

#[test]
fn a_panic_in_a_bout_is_told_and_the_last_checkpoint_resumes() {
    let (whole, folder) = (folder(), folder());
    run(
        whole.path(),
        &["run", "nim-2x4", "--seed", "5", "--generations", "60"],
    );
    let words = [
        "run",
        "nim-2x4",
        "--seed",
        "5",
        "--generations",
        "60",
        "--panic-at",
        "40",
        "--checkpoint-every",
        "0.001",
    ];
    let (_, said, code) = run(folder.path(), &words);
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("the run failed in generation 40: injected panic in a game"),
        "{said}"
    );
    let (_, said, code) = run(folder.path(), &["resume", "nim-2x4-5"]);
    assert_eq!(code, 0, "{said}");
    assert_eq!(
        figures(folder.path(), "nim-2x4-5"),
        figures(whole.path(), "nim-2x4-5")
    );
}
