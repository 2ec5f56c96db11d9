//! Games as text: positions, moves, records and transcripts of every game, and the protocols that
//! speak of them.

use std::sync::{Arc, OnceLock};

use finches::cli::{serve_gtp, serve_json, serve_rules};
use finches::games::board::MaxSize;
use finches::games::rules::{LineOfPlay, line_as_text};
use finches::games::transcript::{FileFormat, GameFile, convert, list_by_rules};
use finches::games::{GameConfig, Side};
use finches::play::interactive::MoveSequence;
use finches::play::match_setup::ChampionPlayer;
use finches::play::search_spec::SearchSpec;
use finches::play::{self, Arena};
use finches::search::queries::{AnswerOptions, answer};
use finches::storage::presets;
use finches::storage::saves::Saves;

use super::saves::use_records;
use super::target::{Target, check};
use crate::support::root;

/// Every game at its usual size, and variants: a preset and settings.
const GAMES: [(&str, &[(&str, &str)]); 10] = [
    ("nim-2x4", &[]),
    ("nim-2x4", &[("heaps", "[9, 9, 9, 9]")]),
    ("hynek-31-chicken", &[]),
    ("simple-nim-1to1000", &[]),
    ("weaver-graph", &[]),
    ("weaver-graph", &[("rows", "3"), ("columns", "4")]),
    ("thien-1ply", &[]),
    ("blondie", &[]),
    ("reversi-vanilla", &[]),
    ("reversi-windows", &[]),
];

struct Played {
    config: GameConfig,
    arena: Arc<dyn Arena>,
}

fn games() -> &'static [Played] {
    static ALL: OnceLock<Vec<Played>> = OnceLock::new();
    ALL.get_or_init(|| {
        let all = GAMES.iter().map(|(name, settings)| {
            let preset = presets::load(name).expect("it ships");
            let settings: Vec<(String, String)> = settings
                .iter()
                .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
                .collect();
            let config = preset.game.with_parameters(&settings).expect("it is sound");
            let arena = play::build(&config, &preset.agent).expect("it can be played");
            Played { config, arena }
        });
        all.collect()
    })
}

/// The game that the first byte chooses, and the text behind it.
fn game_and_text(data: &[u8]) -> (&'static Played, u8, String) {
    let (&first, rest) = data.split_first().unwrap_or((&0, &[]));
    let games = games();
    let text = String::from_utf8_lossy(rest).into_owned();
    (&games[first as usize % games.len()], first, text)
}

const MOVES: [&str; 56] = [
    "d3",
    "c4",
    "e6",
    "f5",
    "d3c3b3",
    "pass",
    "a1",
    "h8",
    "1:1",
    "2:3",
    "1,2",
    "9,9,9,9",
    "8",
    "h01",
    "v10",
    "h12",
    "11-15",
    "22x15x8",
    "9-14",
    "K1",
    "B:W22,29:B9,11,4,K1",
    "W:W18:B14,K3",
    "1.",
    "2. ",
    "1-0",
    "0-1",
    "1/2-1/2",
    "*",
    "[Event \"a\"]",
    "[Result \"1-0\"]",
    "[FEN \"B:W22,29:B9,11,4,K1\"]",
    "[SetUp \"1\"]",
    "[Start \"4,3\"]",
    "[Black \"b\"]",
    "{a comment}",
    "(1. 11-15)",
    "{",
    "x",
    "o",
    "-",
    " x",
    " o",
    "H3",
    "T",
    "\n\n",
    "\n",
    "(;",
    ";)",
    "B[F5]",
    "W[PA]",
    "BO[",
    "2-0",
    "34-30",
    "1...",
    "$3",
    "[%clock",
];

/// Lines of play: a start, a line break, and the moves or the record.
fn lines() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for (index, played) in games().iter().enumerate() {
        let mut table = Arc::clone(&played.arena).interactive_game(1);
        let start = table.position().text.clone();
        let mut moves = Vec::new();
        for number in 0..60 {
            let legal = table.position().legal_moves.clone();
            let Some(chosen) = legal.get((number * 7 + index) % legal.len().max(1)) else {
                break;
            };
            table.play(chosen).expect("it is legal");
            moves.push(chosen.clone());
            if number % 9 == 4 {
                let text = format!("{start}\n{}", moves.join(" "));
                all.push([&[index as u8], text.as_bytes()].concat());
                all.push([&[index as u8], table.position().text.as_bytes()].concat());
            }
        }
        let options = AnswerOptions {
            solution: false,
            record: true,
            ..AnswerOptions::default()
        };
        let told = answer(
            &played.config,
            Some(&start),
            LineOfPlay::Moves(&moves),
            options,
        );
        let record = told.expect("it is legal").record.unwrap_or_default();
        let text = format!("{start}\n{record}");
        all.push([&[index as u8 + 100], text.as_bytes()].concat());
    }
    all
}

/// Sets a position up and plays moves as a person does, and draws everything.
fn play_by_hand(arena: &Arc<dyn Arena>, start: &str, moves: &[String]) -> String {
    let mut table = Arc::clone(arena).interactive_game(1);
    let checked = table.check_position(start);
    let set = table.set_position(start);
    assert!(checked.is_err() || set.is_ok(), "{start}");
    let _ = arena.encoded_position(start);
    let mut result = set
        .err()
        .map_or_else(String::new, |error| error.to_string());
    let before = table.position().text.clone();
    let mut made = Vec::new();
    for word in moves.iter().take(80) {
        let _ = word.chars().next().map(|first| table.begins_move(first));
        match table.play(word) {
            Ok(()) => made.push(word.clone()),
            Err(error) => result = error.to_string(),
        }
        for (width, height) in [(0, 0), (17, 9), (60, 30)] {
            let room = MaxSize { width, height };
            let stages = table.position().stages;
            drop((table.board(room), table.board_during_move(stages, room)));
        }
    }
    let (legal, over) = (
        table.position().legal_moves.clone(),
        table.position().result,
    );
    assert_eq!(
        legal.is_empty(),
        over.is_some(),
        "{}",
        table.position().text
    );
    let _ = (
        table.position().must_pass,
        table.position().points,
        table.position().obligation,
        table.position().to_move == Side::First,
    );
    let _ = (
        table.turn_board(),
        table.record(["a", "b"].map(str::to_owned)),
    );
    let line = MoveSequence::from_position(before.clone(), made.clone());
    let mut again = Arc::clone(arena).interactive_game(2);
    again.replay_sequence(&line).expect("the moves were legal");
    assert_eq!(again.position().text, table.position().text);
    while table.undo() {}
    assert_eq!(table.position().text, before);
    format!("{result} {} {over:?}", made.len().min(3))
}

fn read_line(data: &[u8]) -> String {
    let (played, first, text) = game_and_text(data);
    let (start, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let start = Some(start).filter(|start| !start.is_empty());
    let moves: Vec<String> = rest.split_whitespace().map(ToOwned::to_owned).collect();
    let line = match first {
        100.. => LineOfPlay::Record(rest),
        _ => LineOfPlay::Moves(&moves),
    };
    let options = AnswerOptions {
        solution: false,
        record: true,
        ..AnswerOptions::default()
    };
    let told = answer(&played.config, start, line, options);
    if let Ok(told) = &told {
        // What is written can be read.
        let begin = line_as_text(&played.config, start, line)
            .expect("it was read")
            .0;
        let record = told.record.clone().unwrap_or_default();
        let again = answer(
            &played.config,
            Some(&begin),
            LineOfPlay::Record(&record),
            options,
        );
        let again = again.unwrap_or_else(|error| panic!("{begin}: {record}: {error}"));
        assert_eq!(&again, told, "{begin}: {record}");
    }
    let told = told
        .err()
        .map_or_else(|| "ok".to_owned(), |error| error.to_string());
    format!(
        "{told} {}",
        play_by_hand(&played.arena, start.unwrap_or_default(), &moves)
    )
}

#[test]
fn any_position_and_move_is_read_or_refused() {
    check(&Target {
        name: "line",
        corpus: lines(),
        words: MOVES.to_vec(),
        read: read_line,
    });
}

/// Lists a file of games, and reads, writes and shows the first of them.
fn read_games(data: &[u8]) -> String {
    let (&first, bytes) = data.split_first().unwrap_or((&0, &[]));
    let games = games();
    let arena = games[first as usize % games.len()].arena.as_ref();
    let file = GameFile::new(bytes);
    let listed = arena.list_games(&file);
    let mut kinds = String::new();
    for game in listed.iter().take(4) {
        let read = arena.read_game(&file, game);
        let Ok(record) = read else {
            kinds += game.problem.as_deref().expect("another game can be read");
            continue;
        };
        assert_eq!(
            (record.plies.len(), record.result),
            (game.moves, game.result)
        );
        let written = arena.transcript(&record, &[]);
        let written = written.unwrap_or_else(|error| panic!("{bytes:?}: {error}"));
        let again = GameFile::new(written.as_bytes());
        let listed = arena.list_games(&again);
        assert_eq!(listed.len(), 1, "{written}");
        let again = arena.read_game(&again, &listed[0]);
        let again = again.unwrap_or_else(|error| panic!("{written}: {error}"));
        assert_eq!(
            (&again.plies, again.result),
            (&record.plies, record.result),
            "{written}"
        );
        if !record.plies.is_empty() {
            use_records(arena, &record.to_string());
        }
        kinds += if record.result.is_some() {
            "over"
        } else {
            "open"
        };
    }
    format!("{} games {kinds}", listed.len().min(3))
}

#[test]
fn any_transcript_is_read_or_refused() {
    let mut corpus = Vec::new();
    for (index, played) in games().iter().enumerate() {
        for line in lines().iter().filter(|line| line[0] == index as u8 + 100) {
            let text = String::from_utf8_lossy(&line[1..]).into_owned();
            let (start, record) = text.split_once('\n').expect("it has two lines");
            let tag = if start.starts_with("B:") {
                "FEN"
            } else {
                "Start"
            };
            let text = format!(
                "[Event \"a\"]\n[First \"b\"]\n[Result \"1-0\"]\n[{tag} \"{start}\"]\n\n{record} \
                    1-0\n"
            );
            corpus.push([&[index as u8], text.as_bytes()].concat());
        }
        let board = played.arena.info().transcript_extension.as_bytes();
        corpus.push([&[index as u8], board].concat());
    }
    corpus.extend(shared_files());
    check(&Target {
        name: "transcript",
        corpus,
        words: MOVES.to_vec(),
        read: read_games,
    });
}

/// The largest file of games that is mutated further, in bytes.
const LARGE: usize = 2000;

/// Lists a file of games in a game that the first byte chooses. The spans of the games are read as
/// the whole file is.
fn list_games(data: &[u8]) -> String {
    let (&first, bytes) = data.split_first().unwrap_or((&0, &[]));
    let games = games();
    let config = &games[first as usize % games.len()].config;
    let file = GameFile::new(bytes);
    let listed = list_by_rules(config, &file);
    for game in listed.iter().filter(|game| game.problem.is_none()).take(2) {
        let told = convert(config, &file, game, FileFormat::Json).expect("it was listed");
        let told: serde_json::Value = serde_json::from_str(&told).expect("it is JSON");
        let moves = told["moves"].as_array().expect("it has moves").len();
        assert_eq!(
            (moves, told["result"].as_i64()),
            (game.moves, game.result.map(i64::from))
        );
    }
    // Large inputs are not mutated further, so that most are small and many.
    if bytes.len() > LARGE {
        return "0 games ".to_owned();
    }
    // Inputs with problems of the same kind are alike.
    let kinds = [
        "not legal",
        "is not a move",
        "is not a position",
        "not closed",
        "after the end",
    ];
    let kind = |problem: &str| kinds.iter().position(|kind| problem.contains(kind));
    let problems = listed
        .iter()
        .filter_map(|game| Some(kind(game.problem.as_deref()?)));
    let first = problems
        .take(1)
        .map(|kind| ["a", "b", "c", "d", "e", "f"][kind.unwrap_or(5)]);
    format!(
        "{} games {}",
        listed.len().min(3),
        first.collect::<String>()
    )
}

/// Files of the formats that people share, made up.
fn shared_files() -> Vec<Vec<u8>> {
    const DRAUGHTS: u8 = 7;
    const REVERSI: u8 = 8;
    let start = "---------------------------OX------XO---------------------------";
    let ggf = "(;GM[Othello]PC[x]PB[a]PW[b]RE[+2.00:r]TY[8]BO[8 -------- -------- -------- \
        ---O*--- ---*O--- -------- -------- -------- *]B[F5//0.01]W[D6]B[PA];)";
    let mut wthor = vec![20, 26, 1, 31, 2, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0];
    for moves in [[56, 64, 33, 34, 0], [65, 46, 35, 64, 99]] {
        let head = [1, 0, 7, 1, 9, 0, 34, 30];
        wthor.extend(head.into_iter().chain(moves).chain([0; 55]));
    }
    let texts = [
        (DRAUGHTS, "\u{feff}[Event \"a\"]\r\n[Black \"b\"]\r\n[Result \"2-0\"]\r\n1. 11x15 23x19 \
            {[%clock w0:05\r\n[%clock B0:04]} 2. 8-11 22-17 (22-18 (25-22)) $4 *\r\n\r\n[Event \"c\"]\r\n1. \
            ... 19-16".to_owned()),
        (DRAUGHTS, "[FEN \"W:WK1,2:B3,12:H0:F1\"] *\nB:W18:B14 14x23 1-0\n".to_owned()),
        (DRAUGHTS, "11-15 23-19\n11-15 23-19 8-11\n\n1. 9-14 22-18 1/2-1/2 9-13".to_owned()),
        (REVERSI, "F5D6C3D3C4\nf5f6e6 PA\n1. F5 d6 2. C3 d3 34-30\n".to_owned()),
        (REVERSI, format!("2 {ggf}{ggf}\n")),
        (REVERSI, format!("{start} X; f5:+0;\n{start} O % as ever\n")),
    ];
    let texts = texts.into_iter();
    let texts = texts.map(|(game, text)| [&[game], text.as_bytes()].concat());
    let binary = [&[REVERSI], &wthor[..]].concat();
    texts.chain([binary, vec![DRAUGHTS]]).collect()
}

#[test]
fn any_file_of_games_is_listed() {
    check(&Target {
        name: "games",
        corpus: shared_files(),
        words: MOVES.to_vec(),
        read: list_games,
    });
}

fn read_question(data: &[u8]) -> String {
    let (&first, rest) = data.split_first().unwrap_or((&0, &[]));
    // Each line is a game to be thought about.
    let lines = rest.split_inclusive(|byte| *byte == b'\n').take(40);
    let rest = &lines.collect::<Vec<_>>().concat()[..];
    let games = games();
    let config = &games[first as usize % games.len()].config;
    let solution = first >= 128 && config.name() == "nim";
    let mut out = Vec::new();
    let extras = AnswerOptions {
        solution,
        record: true,
        ..AnswerOptions::default()
    };
    serve_rules(config, extras, rest, &mut out).expect("memory can be read and written");
    let champions = champions();
    let champion = &champions[first as usize % champions.len()];
    serve_json(champion, rest, &mut out).expect("memory can be read and written");
    let text = String::from_utf8(out).expect("it is text");
    for line in text.lines() {
        let answer: serde_json::Value = serde_json::from_str(line).expect("it is JSON");
        assert!(answer.is_object());
    }
    text
}

/// The included champions with the search that takes least.
fn champions() -> &'static [ChampionPlayer] {
    static ALL: OnceLock<Vec<ChampionPlayer>> = OnceLock::new();
    ALL.get_or_init(|| {
        let saves = Saves::at(root().join("saves"));
        let read = |name: String| {
            let preset = saves.run_file(&name).expect("it is intact").preset;
            let last = saves.champions(&name).expect("it is a run").pop();
            let champion = saves.champion(&name, last.expect("it has one"));
            let config = preset.player_config();
            let search = SearchSpec::parse("one-ply").expect("it is one");
            let search = search.agent_for(config).is_ok().then_some(search);
            let genome = champion.expect("it is intact").genome;
            ChampionPlayer::new(config, &genome, &[], search.as_ref())
                .unwrap_or_else(|error| panic!("{error:?}"))
        };
        saves.names().into_iter().map(read).collect()
    })
}

#[test]
fn any_json_line_is_answered() {
    let mut corpus: Vec<Vec<u8>> = Vec::new();
    for line in lines() {
        let text = String::from_utf8_lossy(&line[1..]).into_owned();
        let (start, rest) = text.split_once('\n').unwrap_or((&text, ""));
        let words: Vec<&str> = rest.split_whitespace().collect();
        let question = match line[0] {
            100.. => serde_json::json!({ "start": start, "record": rest }),
            _ => serde_json::json!({ "start": start, "moves": words }),
        };
        corpus.push([&[line[0] % 100], question.to_string().as_bytes(), b"\n{}\n"].concat());
    }
    let mut words = MOVES.to_vec();
    words.extend([
        "\"start\": ",
        "\"moves\": []",
        "\"record\": ",
        "null",
        "\\ud800",
        "\\u0000",
        "{}",
        "[[",
        "1e999",
    ]);
    check(&Target {
        name: "question",
        corpus,
        words,
        read: read_question,
    });
}

fn read_gtp(data: &[u8]) -> String {
    let champion = champions()
        .iter()
        .find(|champion| champion.game.name() == "reversi");
    let champion = champion.expect("there is one").clone();
    let mut out = Vec::new();
    serve_gtp(champion, data, &mut out).expect("memory can be read and written");
    String::from_utf8(out).expect("it is text")
}

#[test]
fn any_gtp_command_is_answered() {
    let text = "1 protocol_version\n2 boardsize 8\nclear_board\nkomi 6.5\nplay black d3\ngenmove \
        white\nundo\nshowboard # now\nknown_command undo\nlist_commands\nplay b e6\nplay w \
        f4\nplay b pass\nquit\n";
    let lines = text
        .split_inclusive('\n')
        .map(|line| line.as_bytes().to_vec());
    check(&Target {
        name: "gtp",
        corpus: [text.as_bytes().to_vec()]
            .into_iter()
            .chain(lines)
            .collect(),
        words: vec![
            "play black ",
            "play white ",
            "genmove black\n",
            "genmove white\n",
            "undo\n",
            "undo\nundo\n",
            "pass\n",
            "clear_board\n",
            "D3",
            "c4",
            "e6",
            "f4",
            "#",
            "\t",
        ],
        read: read_gtp,
    });
}
