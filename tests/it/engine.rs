//! `finches engine`: other programs play champions, by JSON Lines and the Go Text Protocol.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;

use finches::play::phenotype::Phenotype;
use finches::search::{CancelToken, NeverCancel};
use serde_json::{Value, json};

use crate::program::{finches, folder, run, run_with_input};
use crate::support::{advance, preset_with, session};

/// A preset of each game with parameters that make it fast.
const GAMES: [(&str, &[&str]); 5] = [
    ("nim-2x4", &["population=20", "opponents=10"]),
    ("hynek-11", &[]),
    ("weaver-value", &["population=10", "rows=2", "columns=2"]),
    ("reversi-vanilla", &["population=16", "width=4"]),
    ("thien-1ply", &["simulations=4"]),
];

/// Parameters that switch off most measuring.
const UNMEASURED: [&str; 6] = [
    "--set=held_out_games=2",
    "--set=tournament_games=0",
    "--set=population_games=0",
    "--set=growth_games=0",
    "--set=grading_games=2",
    "--set=keep_every=0",
];

/// Saves a run of one generation and returns its name.
fn champion(saves: &Path, (preset, settings): (&str, &[&str])) -> String {
    let settings: Vec<String> = settings.iter().map(|it| format!("--set={it}")).collect();
    let mut words = vec!["run", preset, "--seed=1", "--generations=1"];
    words.extend(UNMEASURED);
    words.extend(settings.iter().map(String::as_str));
    let (_, said, code) = run(saves, &words);
    // A target that is not met within one generation is no fault here.
    assert!([0, 3].contains(&code), "{preset}: {said}");
    format!("{preset}-1")
}

fn reversi(saves: &Path) -> String {
    champion(saves, GAMES[3])
}

/// Sends commands and checks all responses.
fn check(saves: &Path, player: &str, commands: &str, expected: &str) {
    let (out, said, code) = run_with_input(saves, &["engine", player, "--gtp"], commands);
    assert_eq!((out.as_str(), code), (expected, 0), "{commands}: {said}");
}

const START: &str = "black (X) to move
    a b c d e f g h
  1 . . . . . . . .
  2 . . . . . . . .
  3 . . . . . . . .
  4 . . . O X . . .
  5 . . . X O . . .
  6 . . . . . . . .
  7 . . . . . . . .
  8 . . . . . . . .";

#[test]
fn a_champion_of_reversi_speaks_the_go_text_protocol() {
    let folder = folder();
    let (saves, run) = (folder.path(), reversi(folder.path()));
    let told = |commands: &str, expected: &str| check(saves, &run, commands, expected);
    let version = env!("CARGO_PKG_VERSION");
    told(
        "protocol_version\n7 name\nversion\n",
        &format!("= 2\n\n=7 finches\n\n= {version}\n\n"),
    );
    told(
        "known_command genmove\nknown_command reg_genmove\nknown_command\n",
        "= true\n\n= false\n\n? syntax error\n\n",
    );
    told(
        "list_commands\n",
        "= protocol_version\nname\nversion\nknown_command\n\
         list_commands\nboardsize\nclear_board\nkomi\nplay\ngenmove\nundo\nshowboard\nquit\n\n",
    );
    told(
        "boardsize 8\nboardsize 10\nboardsize\nboardsize eight\nkomi 6.5\nkomi\nkomi much\n",
        "=\n\n? unacceptable size\n\n? syntax error\n\n? syntax error\n\n=\n\n? syntax error\n\n? \
            syntax error\n\n",
    );
    told("showboard\n", &format!("= {START}\n\n"));
    // What comes after quit is not read; what is no command says nothing.
    told("# a comment\n\n  \t\r\n12 quit # enough\nname\n", "=12\n\n");
    told("name", "= finches\n\n");
}

#[test]
fn moves_are_made_and_taken_back_and_illegal_ones_refused() {
    let folder = folder();
    let (saves, run) = (folder.path(), reversi(folder.path()));
    let told = |commands: &str, expected: &str| check(saves, &run, commands, expected);
    let board = START
        .replace("black (X)", "white (O)")
        .replace("  3 . . . . ", "  3 . . . X ")
        .replace("  4 . . . O ", "  4 . . . X ");
    told(
        "1 play black d3\nshowboard\n2 undo\nshowboard\nundo\n",
        &format!("=1\n\n= {board}\n\n=2\n\n= {START}\n\n? cannot undo\n\n"),
    );
    told(
        "play B D3\nplay w C3\nplay White pass\nplay black a1\nclear_board\nshowboard\n",
        &format!("=\n\n=\n\n? illegal move\n\n? illegal move\n\n=\n\n= {START}\n\n"),
    );
    // It is black's turn, black must not pass, and d4 is taken.
    told(
        "play white d3\nplay black pass\nplay black d4\ngenmove white\n",
        "? illegal move\n\n? illegal move\n\n? illegal move\n\n? illegal move\n\n",
    );
    told(
        "play\nplay black\nplay red d3\nplay black i9\nplay black d33\ngenmove\ngenmove green\n",
        &"? syntax error\n\n".repeat(7),
    );
    told(
        "3 quick\n4\n5 \u{fc}\nGENMOVE black\n",
        "?3 unknown command\n\n?4 unknown command\n\n?5 unknown command\n\n? unknown command\n\n",
    );
}

#[test]
fn invalid_commands_are_answered_and_do_not_end_the_program() {
    let folder = folder();
    let (saves, run) = (folder.path(), reversi(folder.path()));
    let mut child = finches(saves, &["engine", &run, "--gtp"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    let mut rubbish: Vec<u8> = (0..=255).collect();
    rubbish.extend_from_slice(
        b"\n99999999999999999999999999 play \xff\xfe d3\nplay black \xf0\x9f\x98\x80\n",
    );
    rubbish.extend_from_slice(&b"x".repeat(100_000));
    rubbish.extend_from_slice(b"\nname\n");
    stdin.write_all(&rubbish).expect("the program reads");
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    let text = String::from_utf8(output.stdout).expect("it is text");
    assert!(output.status.success());
    assert!(
        text.ends_with("? unknown command\n\n= finches\n\n"),
        "{text}"
    );
}

/// A program that uses the protocol.
struct Peer {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Peer {
    fn start(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take().expect("it is piped");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        Self {
            child,
            input,
            output,
        }
    }

    /// The response without its sign and the empty line after it.
    fn ask(&mut self, command: &str) -> Result<String, String> {
        writeln!(self.input, "{command}").expect("it reads");
        let mut answer = String::new();
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).expect("it answers");
            assert!(read > 0, "it has ended over {command}");
            if line.trim_end().is_empty() {
                break;
            }
            answer.push_str(&line);
        }
        let text = answer.get(1..).unwrap_or_default().trim_end();
        match answer.chars().next() {
            Some('=') => Ok(text.trim_start_matches(' ').to_owned()),
            _ => Err(text.trim_start().to_owned()),
        }
    }

    fn told(&mut self, command: &str) -> String {
        let answer = self.ask(command);
        answer.unwrap_or_else(|fault| panic!("{command}: {fault}"))
    }

    /// The lines of the board without the text above it.
    fn board(&mut self) -> Vec<String> {
        let shown = self.told("showboard");
        let lines = shown.lines().skip_while(|line| !line.contains("a b c d"));
        lines.map(|line| line.trim().to_owned()).collect()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit");
        let _ = self.child.wait();
    }
}

/// Plays a game to its end, with each program checking the other's moves. Returns the moves and the
/// final board.
fn game(peers: &mut [Peer; 2], opening: &[&str]) -> (String, Vec<String>) {
    const COLORS: [&str; 2] = ["black", "white"];
    for peer in peers.iter_mut() {
        peer.told("boardsize 8");
        peer.told("clear_board");
    }
    let (mut moves, mut passes, mut turn) = (String::new(), 0, 0);
    while passes < 2 {
        let color = COLORS[turn % 2];
        let (own, other) = (turn % 2, (turn + 1) % 2);
        let made = match opening.get(turn) {
            Some(&made) => {
                peers[own].told(&format!("play {color} {made}"));
                made.to_owned()
            }
            None => peers[own].told(&format!("genmove {color}")),
        };
        if made.eq_ignore_ascii_case("pass") {
            // Programs do not agree on whether a pass that must be is told.
            let _ = peers[other].ask(&format!("play {color} pass"));
            passes += 1;
        } else {
            peers[other].told(&format!("play {color} {made}"));
            passes = 0;
        }
        let boards = [peers[0].board(), peers[1].board()];
        assert_eq!(boards[0], boards[1], "after {made} and {moves}");
        let _ = write!(moves, "{made} ");
        turn += 1;
        assert!(turn < 150, "{moves}");
    }
    (moves, peers[0].board())
}

/// The rhino program, if it is installed.
fn rhino() -> Option<Command> {
    let path = PathBuf::from("/usr/games/gtp-rhino");
    path.is_file().then(|| Command::new(path))
}

/// If that program is not installed, the engine plays against itself.
#[test]
fn complete_games_are_played_against_another_program() {
    let folder = folder();
    let (saves, run) = (folder.path(), reversi(folder.path()));
    let own = || Peer::start(finches(saves, &["engine", &run, "--gtp"]));
    let searching = format!("{run}@alpha-beta-2");
    let other = || {
        let command = rhino();
        Peer::start(command.unwrap_or_else(|| finches(saves, &["engine", &searching, "--gtp"])))
    };
    let mut games = Vec::new();
    for opening in [&[][..], &["d3", "c3"], &["f5", "f6", "e6"]] {
        for own_first in [true, false] {
            let mut peers = if own_first {
                [own(), other()]
            } else {
                [other(), own()]
            };
            let (moves, board) = game(&mut peers, opening);
            assert_eq!(board.len(), 9, "{board:?}");
            games.push(moves);
        }
    }
    games.sort_unstable();
    games.dedup();
    assert!(games.len() > 3, "{games:?}");
}

/// Answers to lines of JSON.
fn answers(saves: &Path, player: &str, lines: &[Value]) -> (Vec<Value>, i32) {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    let lines = lines.join("\n");
    let (out, said, code) = run_with_input(saves, &["engine", player], &lines);
    let read = |line: &str| serde_json::from_str(line).expect("it is JSON");
    let answers: Vec<Value> = out.lines().map(read).collect();
    assert!(!answers.is_empty(), "{said}");
    (answers, code)
}

#[test]
fn champions_of_every_game_answer_with_a_legal_move_and_the_record_of_the_line() {
    let folder = folder();
    let saves = folder.path();
    for entry in GAMES {
        let player = champion(saves, entry);
        let (found, code) = answers(saves, &player, &[json!({})]);
        assert_eq!(code, 0, "{found:?}");
        let Some(made) = found[0]["move"].as_str() else {
            // Networks that name moves may name one that loses the game.
            assert!(found[0]["value"].is_null() && player.starts_with("nim"));
            continue;
        };
        assert!(found[0]["value"].is_number(), "{player}: {found:?}");
        let record = found[0]["record"].as_str().expect("there is a record");
        assert!(record.contains(made), "{player}: {made} in {record}");
        // The record leads on to the same place as the moves do, and to a next move.
        let lines = [json!({"moves": [made]}), json!({ "record": record })];
        let (on, code) = answers(saves, &player, &lines);
        assert_eq!((on[0] == on[1], code), (true, 0), "{player}: {on:?}");
        assert_ne!(on[0]["position"], found[0]["position"]);
    }
}

#[test]
fn champions_of_draughts_read_and_write_portable_draughts_notation() {
    let folder = folder();
    let saves = folder.path();
    let player = champion(saves, GAMES[4]);
    let record = "[Event \"A [great] match\"]\n1. 11-15 23-19 2. 8-11";
    let set_up = "[FEN \"W:W22:B9,17,18\"]";
    let lines = [
        json!({ "record": record }),
        json!({ "record": set_up }),
        json!({"start": "W:W22:B9,17,18", "moves": []}),
        json!({"start": "B:W32:B9", "record": "1. 9-20"}),
        json!({"record": "[FEN \"B:W18:B15\"] 1. 15x22"}),
    ];
    let (found, code) = answers(saves, &player, &lines);
    assert_eq!(code, 1, "{found:?}");
    let written = found[0]["record"].as_str().expect("there is a record");
    assert!(written.starts_with("1. 11-15 23-19 2. 8-11 "), "{written}");
    assert_eq!(found[1], found[2]);
    assert!(
        found[1]["move"]
            .as_str()
            .is_some_and(|made| made.starts_with("22x"))
    );
    let fault = found[3]["error"].as_str().expect("it is illegal");
    assert!(fault.starts_with("record[0]: 9-20 is not legal"), "{fault}");
    // The last piece is taken: the game is over.
    assert_eq!(
        (&found[4]["move"], &found[4]["result"]),
        (&Value::Null, &json!(1))
    );
}

#[test]
fn a_player_that_can_not_answer_is_rejected_with_advice() {
    let folder = folder();
    let saves = folder.path();
    let player = champion(saves, GAMES[0]);
    let later = format!("{player}:7");
    let searching = format!("{player}@alpha-beta-3");
    for (words, expected) in [
        (
            &["engine", &player, "--gtp"][..],
            "plays nim, but --gtp supports reversi only",
        ),
        (&["engine", "nim-2x4-2"], "did you mean `nim-2x4-1`?"),
        (
            &["engine", &later],
            "the champion of generation 7 is not saved; the nearest saved one is 0",
        ),
        (
            &["engine", &player, "--generation=9"],
            "generation 9 is not saved",
        ),
        (&["engine", &searching], "the network of this run outputs"),
    ] {
        let (out, said, code) = run(saves, words);
        assert_eq!((out.as_str(), code), ("", 2), "{words:?} said {said}");
        assert!(said.contains(expected), "{words:?} said {said}");
    }
    let lines = [json!({"moves": [], "record": ""}), json!({"start": "x"})];
    let (found, code) = answers(saves, &player, &lines);
    assert_eq!(code, 1);
    assert!(found.iter().all(|it| it["error"].is_string()), "{found:?}");
}

/// A fast preset for each kind of genome in each game that has one.
const KINDS: [(&str, &[&str]); 9] = [
    ("nim-2x4-value", &["population=20", "opponents=10"]),
    ("hynek-11", &[]),
    ("weaver-antibody", &["rows=2", "columns=2"]),
    ("weaver-value", &["population=10", "rows=2", "columns=2"]),
    ("weaver-graph", &["population=10", "rows=2", "columns=2"]),
    ("reversi-vanilla", &["population=16", "width=4"]),
    ("reversi-graph", &["population=16", "width=4"]),
    ("thien-1ply", &["simulations=4"]),
    ("blondie", &["depth=2"]),
];

/// The start position and the first moves of a game that the champion of the first generation plays
/// against itself, without being saved.
fn live(name: &str, settings: &[&str]) -> (String, Vec<String>) {
    let unmeasured = UNMEASURED.map(|it| it.trim_start_matches("--set="));
    let preset = preset_with(name, &[settings, &unmeasured].concat());
    let mut session = session(&preset, 1, 1);
    advance(&mut session, 1);
    let champion = session.state().champion.clone().expect("it has played");
    let arena = session.arena();
    let player = Phenotype::grown(&preset.genome, arena.io_spec(), &champion.genome);
    let hurry: Arc<dyn CancelToken> = Arc::new(NeverCancel);
    let mut table = Arc::clone(arena).interactive_game(0);
    let start = table.position().text.clone();
    let mut moves = Vec::new();
    while moves.len() < 20
        && let Some(wanted) = table.evaluate_moves(&player, &hurry).chosen
    {
        table.play(&wanted).expect("it names legal moves");
        moves.push(wanted);
    }
    (start, moves)
}

#[test]
fn a_saved_champion_plays_the_same_moves_in_another_process() {
    let folder = folder();
    let saves = folder.path();
    for entry in KINDS {
        let (start, moves) = live(entry.0, entry.1);
        assert!(!moves.is_empty(), "{}", entry.0);
        let player = champion(saves, entry);
        let before = |count: usize| json!({"start": start, "moves": moves[..count]});
        let lines: Vec<Value> = (0..moves.len()).map(before).collect();
        let (answers, code) = answers(saves, &player, &lines);
        assert_eq!(code, 0, "{player}: {answers:?}");
        let made: Vec<&str> = answers
            .iter()
            .filter_map(|it| it["move"].as_str())
            .collect();
        assert_eq!(made, moves, "{player}");
    }
}
