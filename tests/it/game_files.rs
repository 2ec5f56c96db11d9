//! `finches games`: what it lists, converts and says of the games of people.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::program::{finches, folder, told};

const DRAUGHTS: &str = "[Event \"A club\"]\n[Black \"Ann\"]\n[White \"Bob\"]\n[Result \"0-1\"]\n\n\
    1. 11x15 23x19 2. 8-11 22-17 {so} 0-1\n\n[Black \"Cid\"]\n\n1. 11-15 10x99 1-0\n";

/// Runs the command on a text in a file; what it prints, what it says, and its exit code.
fn games(folder: &Path, text: &str, options: &[&str]) -> (String, String, i32) {
    fs::write(folder.join("club.txt"), text).expect("the folder is writable");
    let words = ["games", "club.txt"].iter().chain(options);
    let mut command = finches(folder, &words.copied().collect::<Vec<&str>>());
    told(
        command
            .current_dir(folder)
            .output()
            .expect("the program starts"),
    )
}

#[test]
fn games_are_listed_with_what_cannot_be_read_and_filtered() {
    let folder = folder();
    let (out, _, code) = games(folder.path(), DRAUGHTS, &[]);
    assert_eq!(code, 0);
    assert!(
        out.starts_with("club.txt: 2 games of draughts, 1 can't be read\n"),
        "{out}"
    );
    assert!(
        out.contains("     1  Ann vs. Bob    0-1            4\n"),
        "{out}"
    );
    assert!(
        out.contains("1-0            1  line 10, move 2: `10x99` is not a move"),
        "{out}"
    );
    let one = |options: &[&str], expected: &str| {
        let (out, ..) = games(folder.path(), DRAUGHTS, options);
        assert!(
            out.contains("1 game of draughts") && out.contains(expected),
            "{out}"
        );
    };
    one(&["--player", "cid"], "Cid vs. white");
    one(&["--result", "0-1"], "Ann vs. Bob");
    one(&["--number", "2"], "Cid vs. white");
    for options in [&[][..], &["--game", "draughts"]] {
        for text in ["no game at all", " \n"] {
            let (_, said, code) = games(folder.path(), text, options);
            assert_eq!(code, 1, "{said}");
            let expected = "club.txt: no game can be read in it: it has no";
            assert!(said.contains(expected), "{said}");
        }
    }
    // What stands in brackets is a move, and no sentence.
    let (out, ..) = games(
        folder.path(),
        "(;GM[2]FF[4]SZ[8]PB[a]PW[b];B[fe];W[df])",
        &["--game", "reversi"],
    );
    assert!(out.contains("line 1, move 1: `fe`"), "{out}");
    // A file that can't be read does not hide the others.
    fs::write(folder.path().join("bad.txt"), "no game").expect("the folder is writable");
    let (out, said, code) = games(folder.path(), DRAUGHTS, &["bad.txt", "nowhere.txt"]);
    assert_eq!(code, 1);
    assert!(out.contains("club.txt: 2 games of draughts"), "{out}");
    assert!(
        said.contains("bad.txt: no game") && said.contains("nowhere.txt"),
        "{said}"
    );
}

#[test]
fn each_game_is_judged_by_the_rules_that_it_states() {
    let folder = folder();
    let text = "[Rules \"last=wins\"]\n[Start \"2,1\"]\n1. 1:1 1:1 2. 2:1\n\n\
        [First \"Ann\"]\n[Start \"2,1\"]\n1. 1:1 1:1 2. 2:1\n";
    let told = |options: &[&str], expected: [&str; 2]| {
        let (out, said, code) = games(folder.path(), text, options);
        assert_eq!(code, 0, "{out}{said}");
        for expected in expected {
            assert!(out.contains(expected), "{expected}: {out}");
        }
    };
    let csv = ["--analyze", "--to", "csv"];
    told(&[], ["first vs. second  1-0 ", "Ann vs. second    0-1 "]);
    told(
        &csv,
        ["1,1,first,1:1,good,1,", "2,1,first,1:1,mistake,0,1:2,"],
    );
    // Rules that are given hold for all games.
    let given = ["--game", "nim", "--set", "last=wins"];
    let given = [&given[..], &csv].concat();
    told(&given, ["1,1,first,1:1,good,1,", "2,1,first,1:1,good,1,"]);
}

#[test]
fn games_are_converted_and_the_exit_code_tells_of_those_that_cannot_be_read() {
    let folder = folder();
    let (out, said, code) = games(folder.path(), DRAUGHTS, &["--to", "transcript"]);
    assert_eq!(
        (out.as_str(), code),
        ("1. 11-15 23-19 2. 8-11 22-17 0-1\n", 1)
    );
    assert!(
        said.contains("club.txt, game 2: line 10, move 2: "),
        "{said}"
    );
    let (out, _, code) = games(folder.path(), "F5D6C3D3C4", &["--to", "ggf"]);
    assert!(out.contains("B[F5]W[D6]B[C3]W[D3]B[C4];)"), "{out}");
    assert_eq!(code, 0);
    let (out, said, _) = games(
        folder.path(),
        "F5D6",
        &["--to", "ggf", "--out", "/dev/stdout"],
    );
    assert!(out.contains("B[F5]W[D6];)"), "{out}{said}");
    let (_, said, code) = games(folder.path(), "F5D6C3D3C4", &["--to", "csv"]);
    assert_eq!(code, 2);
    assert!(said.contains("add --analyze"), "{said}");
}

#[test]
fn the_oracle_says_what_each_move_was_worth() {
    let folder = folder();
    let text = "[Start \"3,3\"]\n[First \"Ann\"]\n1. 1:1 1:1 2. 2:2 1:1 3. 2:1\n";
    let game = ["--game", "nim", "--set", "heaps=[3,3]", "--analyze"];
    let with = |more: &[&str]| games(folder.path(), text, &[&game[..], more].concat());
    let (out, said, code) = with(&[]);
    assert_eq!(code, 0, "{said}");
    assert!(out.contains("[Annotator \"the oracle, accuracy "), "{out}");
    let comment = "2:2 {mistake, best 2:3 100%; the turning point}";
    assert!(out.replace('\n', " ").contains(comment), "{out}");
    let (out, ..) = with(&["--to", "csv"]);
    assert!(
        out.contains("\"club.txt\",1,3,first,2:2,mistake,0,2:3,1,1\n"),
        "{out}"
    );
    let out = ["--to", "json", "--out", "told.jsonl"];
    assert_eq!(with(&out).2, 0);
    let path = folder.path().join("told.jsonl");
    let told = fs::read_to_string(&path).expect("it was written");
    let first: Value = serde_json::from_str(&told).expect("it is JSON");
    assert_eq!(
        (&first["turning_point"], &first["moves"][2]["loss"]),
        (&3.into(), &1.0.into())
    );
    fs::write(&path, format!("{told}{}", &told[..20])).expect("the folder is writable");
    assert_eq!(with(&out).2, 0);
    assert_eq!(
        fs::read_to_string(&path).expect("it is there"),
        told,
        "it is not done again"
    );
}

#[test]
fn a_trained_champion_judges_where_there_is_no_oracle() {
    let folder = folder();
    let options = ["--analyze", "--depth", "2", "--to", "json"];
    let (out, said, code) = games(folder.path(), "F5D6C3D3C4F4F6F3E6E7 1-0", &options);
    assert_eq!(code, 0, "{said}");
    let analysis: Value = serde_json::from_str(&out).expect("it is JSON");
    assert_eq!(
        analysis["player"],
        "champion-reversi@alpha-beta-2,endgame=12"
    );
    let losses = analysis["moves"].as_array().expect("it has moves").iter();
    assert!(
        losses.clone().all(|it| it["loss"].as_f64() >= Some(0.0)),
        "{analysis}"
    );
    assert_eq!(losses.count(), 10);
    let again = games(
        folder.path(),
        "F5D6C3D3C4F4F6F3E6E7 1-0",
        &[&options[..], &["--threads", "1"]].concat(),
    );
    assert_eq!(
        again.0, out,
        "the figures do not depend on the number of threads"
    );
}

/// Asks for positions on a day; what is printed.
fn practice(folder: &Path, day: &str, options: &[&str], answers: &str) -> String {
    let words = [&["practice", "--saves=saves", "--today", day], options].concat();
    let mut command = finches(folder, &words);
    let child = command.current_dir(folder).stdin(Stdio::piped()).spawn();
    let mut child = child.expect("the program starts");
    let mut input = child.stdin.take().expect("it is piped");
    input.write_all(answers.as_bytes()).expect("it is read");
    drop(input);
    let (out, said, code) = told(child.wait_with_output().expect("it ends"));
    assert_eq!(code, 0, "{said}");
    out
}

#[test]
fn mistakes_are_asked_for_again_until_they_are_right_and_then_less_and_less_often() {
    let folder = folder();
    // On heaps of 3, 4 and 5, the first move must leave 1, 4 and 5.
    let game = "[First \"Ann\"]\n[Second \"Bob\"]\n\n1:1 2:1\n";
    fs::write(folder.path().join("mine.txt"), game).expect("the folder is writable");
    let file = [
        "mine.txt",
        "--game=nim",
        "--set=heaps=[3,4,5]",
        "--player=ann",
    ];
    let out = practice(folder.path(), "100", &file, "x\n2:1\n2:9\nnext\n");
    assert!(
        out.contains("Position: 3,4,5\nThe first player moves."),
        "{out}"
    );
    assert!(out.contains("`x` is not a move"), "{out}");
    assert!(
        out.contains(
            "No: 2:1 (0% for you). The reply 3:5 shows why.\n\
             Try again, or type next to see the best move.\n"
        ),
        "{out}"
    );
    assert!(out.contains("\nBest is 1:2 (100% for you). "), "{out}");
    assert!(
        out.contains("In mine.txt, game 1, move 1, 1:1 was played, which lost 100%."),
        "{out}"
    );
    assert!(
        out.ends_with("0 of 1 answer right; the next position comes in 1 day\n"),
        "{out}"
    );
    let again = practice(folder.path(), "100", &file, "1:2\n");
    assert_eq!(again, "the next position comes in 1 day\n", "it is known");
    for (day, days) in [("101", "2 days"), ("103", "4 days"), ("107", "8 days")] {
        let out = practice(folder.path(), day, &[], "1:2\n");
        assert!(out.contains("Right: 1:2 (100% for you)."), "{out}");
        assert!(
            out.ends_with(&format!("right; the next position comes in {days}\n")),
            "{out}"
        );
    }
    let out = practice(folder.path(), "115", &[], "1:1\n3:1\n1:2\n");
    assert_eq!(out.matches("\nNo: ").count(), 2, "{out}");
    assert!(out.contains("\nRight: 1:2 (100% for you).\nIn "), "{out}");
    let first = "0 of 1 answer right; the next position comes in 1 day\n";
    assert!(out.ends_with(first), "the first answer counts: {out}");
}
