//! Outside programs as players: our own engine by each protocol, programs that fail, and
//! `gtp-rhino` if it is installed.

#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use finches::storage::bundled_champions;
use finches::storage::saves::Saves;
use serde_json::Value;

use crate::program::{finches, folder, run, signal, told};
use crate::skipped::is_missing;

/// A temporary folder of saved runs with the bundled champion of a game.
fn saves_with(game: &str) -> tempfile::TempDir {
    let folder = folder();
    let added = bundled_champions::add(&Saves::at(folder.path().to_owned()), game);
    added.expect("it can be added").expect("there is one");
    folder
}

/// A round robin as JSON.
fn arena(saves: &Path, words: &[&str]) -> Value {
    let (out, said, code) = run(saves, &[&["arena"], words, &["--json"]].concat());
    assert_eq!(code, 0, "{words:?}: {said}");
    serde_json::from_str(&out).expect("it is JSON")
}

/// A program that is a shell script.
fn script(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).expect("the folder is writable");
    path
}

/// A program that speaks the Go Text Protocol until it is asked for a move.
fn gtp_script(folder: &Path, name: &str, on_genmove: &str) -> String {
    let text = format!(
        "while read -r line; do case \"$line\" in\n\
         genmove*) {on_genmove};;\nknown_command*) printf '= false\\n\\n';;\n*) printf \
         '=\\n\\n';;\nesac; done\n"
    );
    let path = script(folder, name, &text);
    format!("gtp:sh '{}'", path.display())
}

const PROGRAM: &str = env!("CARGO_BIN_EXE_finches");

#[test]
fn a_champion_plays_the_same_games_by_any_protocol() {
    let saves = saves_with("reversi");
    let games = ["random", "--games=6", "--seed=3"];
    let own = arena(saves.path(), &[&["champion-reversi"], &games[..]].concat());
    for (protocol, option) in [("gtp", "--gtp"), ("lines", "")] {
        let name = format!("{protocol}:'{PROGRAM}' engine champion-reversi {option}");
        let words = [&[name.trim()], &games[..], &["--game=reversi"]].concat();
        let outside = arena(saves.path(), &words);
        assert!(outside.get("forfeits").is_none(), "{outside}");
        for key in ["wins", "draws", "losses"] {
            assert_eq!(outside["pairs"][0][key], own["pairs"][0][key], "{protocol}");
        }
    }
}

#[test]
fn a_program_plays_draughts_and_nim_by_lines() {
    for game in ["draughts", "nim"] {
        let saves = saves_with(game);
        let champion = format!("champion-{game}");
        let name = format!("lines:'{PROGRAM}' engine {champion}");
        let results = arena(
            saves.path(),
            &[&champion, &name, "--games=2", "--noise=0.2"],
        );
        assert!(results.get("forfeits").is_none(), "{results}");
        assert_eq!(results["pairs"][0]["games"], 2);
    }
}

/// Answers each request of `NBoard` by the first legal move.
const NBOARD: &str = r#"while read -r line; do case "$line" in
"set game"*) game="$line";;
"set depth 2") depth=2;;
ping*) echo "status ready"; echo "pong ${line#ping }";;
go) test "$depth" = 2 || exit 4
    start=$(echo "$game" | sed 's/.*BO\[8 \([^ ]*\) \([*O]\)\].*/\1 \2/' | tr '*' X)
    moves=$(echo "$game" | sed 's/.*BO[^]]*\]//; s/;)//; s/[BW]\[\([^]]*\)\]/"\1",/g; s/,$//' \
        | tr A-Z a-z | sed 's/"pa"/"pass"/g')
    echo "{\"start\": \"$start\", \"moves\": [$moves]}" | FINCHES rules reversi \
        | sed 's/.*\["\([a-h][1-8]\)"[^]]*\]\].*/=== \1\/0.0\/0.1/' | tr a-h A-H;;
esac; done
"#;

#[test]
fn a_program_plays_by_the_protocol_of_nboard() {
    let folder = folder();
    let text = NBOARD.replace("FINCHES", &format!("'{PROGRAM}'"));
    let path = script(folder.path(), "nboard.sh", &text);
    let name = format!("nboard-2:sh '{}'", path.display());
    let results = arena(
        folder.path(),
        &["random", &name, "--game=reversi", "--games=2"],
    );
    assert!(results.get("forfeits").is_none(), "{results}");
}

/// Plays two games against a program that fails in each, and checks the reason.
fn check_failure(on_genmove: &str, reason: &str, last: &str) {
    let folder = folder();
    let name = gtp_script(folder.path(), "fails.sh", on_genmove);
    let words = [
        "random",
        &name,
        "--game=reversi",
        "--games=2",
        "--move-time=0.5",
    ];
    let results = arena(folder.path(), &words);
    assert_eq!(results["pairs"][0]["wins"], 2, "{results}");
    let forfeits = results["forfeits"].as_array().expect("there are forfeits");
    assert_eq!(forfeits.len(), 2, "{results}");
    for (index, forfeit) in forfeits.iter().enumerate() {
        assert_eq!(forfeit["player"], name.as_str());
        assert_eq!(forfeit["opponent"], "random");
        assert_eq!(forfeit["game"], index + 1);
        let told = forfeit["reason"].as_str().expect("it is text");
        assert!(told.contains(reason) && told.contains(last), "{told}");
    }
    // The program moves second in the first game, after one move, and first in the second game.
    assert!(forfeits[0]["after"].is_string(), "{results}");
    assert!(forfeits[1]["after"].is_null(), "{results}");
}

#[test]
fn a_program_that_fails_loses_the_game_and_the_reason_is_told() {
    check_failure("echo no >&2; exit 3", "it ended (exit status: 3)", "`no`");
    check_failure("sleep 2", "no answer within 0.5 s", "it said last `=`");
    check_failure("echo hm", "no response of the Go Text Protocol", "`hm`");
    check_failure("printf '= a1\\n\\n'", "illegal move", "`= a1`");
    check_failure("printf '= xyzzy\\n\\n'", "illegal move", "`= xyzzy`");
    check_failure("printf '? sorry\\n\\n'", "by `? sorry`", "`? sorry`");
    check_failure("printf '= resign\\n\\n'", "it resigned", "");
    check_failure(
        "printf '= '; yes",
        "it printed more than 64 kB instead of an answer",
        "`y`",
    );
    // What it has started holds its pipes, and ends with it.
    check_failure("sleep 300 & exit 3", "it ended (exit status: 3)", "`=`");
}

#[test]
fn a_program_may_introduce_itself_before_its_first_answer() {
    let saves = saves_with("reversi");
    let text = format!("echo Rhino 1.0; echo; exec '{PROGRAM}' engine champion-reversi --gtp\n");
    let path = script(saves.path(), "banner.sh", &text);
    let name = format!("gtp:sh '{}'", path.display());
    let results = arena(saves.path(), &["random", &name, "--games=2"]);
    assert!(results.get("forfeits").is_none(), "{results}");
    assert_eq!(results["pairs"][0]["games"], 2, "{results}");
}

#[test]
fn three_failures_in_a_row_end_the_match() {
    let folder = folder();
    let name = gtp_script(folder.path(), "crash.sh", "exit 1");
    let words = [
        "arena",
        "random",
        &name,
        "--game=reversi",
        "--games=50",
        "--threads=1",
    ];
    let (out, said, code) = run(folder.path(), &words);
    assert_eq!((out.as_str(), code), ("", 1), "{said}");
    assert!(said.contains("failed 3 times in a row"), "{said}");
    assert!(said.contains("lost game 3 against random"), "{said}");
    assert!(!said.contains("lost game 4"), "{said}");
}

#[test]
fn a_program_that_failed_is_started_anew() {
    let saves = saves_with("reversi");
    let mark = saves.path().join("mark");
    let text = format!(
        "test -e '{mark}' && exec '{PROGRAM}' engine champion-reversi --gtp\n\
         while read -r line; do case \"$line\" in genmove*) : > '{mark}'; exit 1;; *) printf \
         '=\\n\\n';; esac; done\n",
        mark = mark.display()
    );
    let path = script(saves.path(), "once.sh", &text);
    let name = format!("gtp:sh '{}'", path.display());
    let words = [
        "random",
        &name,
        "--game=reversi",
        "--games=6",
        "--threads=1",
    ];
    let results = arena(saves.path(), &words);
    let forfeits = results["forfeits"].as_array().expect("there is a forfeit");
    assert_eq!(forfeits.len(), 1, "{results}");
    assert_eq!(results["pairs"][0]["games"], 6);
}

#[test]
fn a_program_that_cannot_be_started_is_a_failure_with_its_name() {
    let folder = folder();
    for (name, reason, expected) in [
        ("gtp:no-such-program", "can't start it", 1),
        ("gtp:true", "it ended", 1),
        ("gtp:", "write the command", 2),
        ("nboard-x:true", "there is no reference player", 2),
    ] {
        let (_, said, code) = run(folder.path(), &["arena", "random", name, "--game=reversi"]);
        assert_eq!(code, expected, "{said}");
        assert!(said.contains(name) && said.contains(reason), "{said}");
    }
    let (_, said, code) = run(
        folder.path(),
        &["arena", "random", "gtp:true", "--game=nim"],
    );
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("gtp is for reversi only"), "{said}");
}

/// Whether a process of this number runs. One that nobody has waited for has ended.
fn runs(pid: &str) -> bool {
    let sent = Command::new("kill").args(["-0", pid.trim()]).output();
    let is_there = sent.expect("there is a kill command").status.success();
    let status = fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
    is_there && !status.is_ok_and(|status| status.contains(") Z "))
}

/// The numbers in a file that hanging programs write to, once there is one.
fn hanging(pids: &Path) -> Vec<String> {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(20) {
        let text = fs::read_to_string(pids).unwrap_or_default();
        if text.ends_with('\n') {
            return text.lines().map(str::to_owned).collect();
        }
        std::thread::yield_now();
    }
    panic!("the program was never asked for a move");
}

#[test]
fn no_program_outlives_this_one() {
    let folder = folder();
    let pids = folder.path().join("pids");
    let hang = format!("sleep 300 & echo $! >> '{}'; wait", pids.display());
    let name = gtp_script(folder.path(), "hang.sh", &hang);
    let words = ["arena", "random", &name, "--game=reversi", "--games=2"];
    let (_, said, code) = run(
        folder.path(),
        &[&words[..], &["--move-time=0.1", "--threads=1"]].concat(),
    );
    assert_eq!(code, 0, "{said}");
    let ended = hanging(&pids);
    assert_eq!(ended.len(), 2);
    assert!(!ended.iter().any(|pid| runs(pid)), "{ended:?}");
    for (name, code) in [("TERM", 143), ("INT", 130)] {
        fs::remove_file(&pids).expect("it is there");
        let child = finches(folder.path(), &words).spawn();
        let child = child.expect("the program starts");
        let hanging = hanging(&pids);
        signal(&child, name);
        let (_, said, ended) = told(child.wait_with_output().expect("it ends"));
        assert_eq!(ended, code, "{said}");
        assert!(!hanging.iter().any(|pid| runs(pid)), "{name}: {hanging:?}");
    }
}

#[test]
fn evaluate_counts_forfeits_apart() {
    let saves = saves_with("reversi");
    let name = gtp_script(saves.path(), "crash.sh", "exit 1");
    let words = [
        "evaluate",
        "champion-reversi",
        "--against",
        "random",
        &name,
        "--games=2",
        "--json",
    ];
    let (out, said, code) = run(saves.path(), &words);
    assert_eq!(code, 0, "{said}");
    let rows: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).expect("it is JSON"))
        .collect();
    assert!(rows[0].get("forfeits").is_none(), "{out}");
    assert_eq!(rows[1]["wins"], 2, "{out}");
    assert_eq!(rows[1]["forfeits"][1]["game"], 2, "{out}");
}

#[test]
fn grhino_plays_if_it_is_installed() {
    let ran = Command::new("/usr/games/gtp-rhino").arg("--help").output();
    if is_missing("grhino", ran.is_ok()) {
        return;
    }
    let saves = saves_with("reversi");
    let words = [
        "champion-reversi",
        "gtp:/usr/games/gtp-rhino --level 1",
        "--games=2",
    ];
    let results = arena(saves.path(), &words);
    assert!(results.get("forfeits").is_none(), "{results}");
}
