//! Games written down position by position: a change in the rules, the text forms or the pictures
//! shows as a difference.

use std::fmt::Write as _;
use std::sync::Arc;

use rand::RngExt;

use finches::agents::AgentConfig;
use finches::games::GameConfig;
use finches::games::board::{Board, MaxSize};
use finches::params::Params;
use finches::play::build;
use finches::rng::{Purpose, stream};

/// Keys and values.
type Settings = &'static [(&'static str, &'static str)];

/// Settings in which a game is worth a playthrough besides its default.
const VARIED: [(&str, &str, Settings); 3] = [
    (
        "nim",
        "three full heaps",
        &[("heaps", "[3, 5, 7]"), ("start", "full")],
    ),
    (
        "nim",
        "one heap of two",
        &[("heaps", "[6, 9]"), ("mode", "simple")],
    ),
    (
        "nim",
        "a long heap",
        &[("heaps", "[1000]"), ("start", "full")],
    ),
];

/// The characters of a picture in ASCII, without the white space at the ends of lines.
fn plain(board: &Board) -> String {
    let mut text = String::new();
    for row in board.rows() {
        let line: String = row.iter().map(|cell| cell.plain).collect();
        let _ = writeln!(text, "  | {}", line.trim_end());
    }
    text.replace("| \n", "|\n")
}

/// Plays moves drawn at random, always the same, and writes down all that is seen.
fn playthrough(game: &GameConfig, seed: u64) -> String {
    let agent = AgentConfig::named("one_ply").expect("it is registered");
    let arena = build(game, &agent).expect("it plays any game");
    let mut table = Arc::clone(&arena).interactive_game(seed);
    let mut rng = stream(seed, Purpose::Sample, 0, 1);
    let mut text = String::new();
    let room = MaxSize {
        width: 40,
        height: 12,
    };
    while table.position().result.is_none() {
        let legal = &table.position().legal_moves;
        let action = legal[rng.random_range(0..legal.len())].clone();
        let shown: Vec<&str> = legal.iter().take(15).map(String::as_str).collect();
        let more = legal.len() - shown.len();
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        let side = table.position().to_move.name();
        let _ = writeln!(text, "{}  {side} to move", table.position().text);
        text += &plain(&table.board(room));
        let _ = writeln!(text, "  legal: {}{more}", shown.join(" "));
        let _ = writeln!(text, "  best: {}", table.position().best_moves.join(" "));
        table.play(&action).expect("it is legal");
        let verdict = table.history().last().map_or("", |ply| ply.verdict.word());
        let _ = writeln!(text, "  move: {action}  {verdict}\n");
    }
    let _ = writeln!(text, "{}", table.position().text);
    text += &plain(&table.board(room));
    let _ = writeln!(
        text,
        "  result: {}",
        table.position().result.unwrap_or_default()
    );
    text
}

#[test]
fn every_game_in_its_default_setting() {
    for game in GameConfig::all() {
        insta::assert_snapshot!(game.name(), playthrough(&game, 1));
    }
}

#[test]
fn games_in_varied_settings() {
    for (name, title, settings) in VARIED {
        let mut game = GameConfig::named(name).expect("it is registered");
        for (key, value) in settings {
            game.set(key, value).expect("it is allowed");
        }
        let file = format!("{name}, {title}")
            .replace(", ", "-")
            .replace(' ', "-");
        insta::assert_snapshot!(file, playthrough(&game, 2));
    }
}

#[test]
fn moves_can_be_taken_back_to_the_start() {
    for game in GameConfig::all() {
        let agent = AgentConfig::named("one_ply").expect("it is registered");
        let mut table = build(&game, &agent)
            .expect("it plays any game")
            .interactive_game(3);
        let start = table.position().text.clone();
        let mut positions = Vec::new();
        // Always the first move may lead in a circle; moves at random come to an end.
        let mut rng = stream(3, Purpose::Sample, 0, 1);
        while table.position().result.is_none() {
            positions.push(table.position().text.clone());
            let legal = &table.position().legal_moves;
            let action = legal[rng.random_range(0..legal.len())].clone();
            table.play(&action).expect("it is legal");
        }
        assert!(
            table.play("1:1").is_err() && table.position().legal_moves.is_empty(),
            "it is over"
        );
        while let Some(position) = positions.pop() {
            assert!(table.undo());
            assert_eq!(table.position().text, position);
        }
        assert_eq!(
            (table.position().text.clone(), table.undo()),
            (start, false)
        );
        assert!(table.history().is_empty());
    }
}
