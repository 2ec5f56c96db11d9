//! Whole games as text: tags with the players, the starting position and the result, then the line
//! of play in the game's usual notation.

use std::ops::Range;

use super::{Game, GameConfig, GameParams, NotationError, with_game};

pub use self::convert::{FileFormat, annotate, convert};
pub use self::file::GameFile;
use self::reader::Reader;
pub(super) use self::tokens::SIGNS;

mod convert;
mod file;
mod reader;
mod tokens;

/// The format of a game's transcripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TranscriptFormat {
    /// The tags of the first and the second player.
    pub players: [&'static str; 2],
    /// The tag of a non-standard starting position, and a line required before it.
    pub start: &'static str,
    /// A line required before the tag of the starting position; may be empty.
    pub before_start: &'static str,
    /// Whether a standard starting position is stated too, since it depends on parameters.
    pub states_start: bool,
    /// Tags that every game has.
    pub fixed_tags: &'static [(&'static str, &'static str)],
    /// Whether the line of play ends with the result.
    pub ends_with_result: bool,
    /// The file extension, without the dot.
    pub extension: &'static str,
}

impl Default for TranscriptFormat {
    fn default() -> Self {
        Self {
            players: ["First", "Second"],
            start: "Start",
            before_start: "",
            states_start: true,
            fixed_tags: &[],
            ends_with_result: false,
            extension: "txt",
        }
    }
}

/// A whole game.
pub struct Transcript<G: Game> {
    /// Tags without a meaning to the game, such as the event.
    pub tags: Vec<(String, String)>,
    /// The names of the first and the second player.
    pub names: [String; 2],
    /// The starting position.
    pub start: G::State,
    /// The moves, all legal.
    pub actions: Vec<G::Move>,
    /// 1, 0 or −1 for the first player; `None` if the game is unfinished.
    pub result: Option<i8>,
}

/// Results in text, from the point of view of the player who moves first. The archives of the
/// American Checker Federation, where Black moves first, use the same convention.
const RESULTS: [(&str, i8); 3] = [("1-0", 1), ("0-1", -1), ("1/2-1/2", 0)];

/// The maximal line length in characters, unless a single word is longer.
const WIDTH: usize = 78;

/// A result as a word, `*` if there is none.
fn result_word(result: Option<i8>) -> &'static str {
    let found = RESULTS.iter().find(|(_, known)| Some(*known) == result);
    found.map_or("*", |(word, _)| *word)
}

/// The tag with the parameters of the rules that are not the usual ones.
pub(super) const RULES: &str = "Rules";

/// What stands between two parameters in it.
pub(super) const SEPARATOR: &str = "; ";

/// A game as text, each move with its comment if there are comments.
pub fn write<G: Game>(game: &G, transcript: &Transcript<G>, comments: &[String]) -> String {
    let tags = game.transcript_format();
    let result = result_word(transcript.result);
    let start = game.position_text(&transcript.start);
    let is_usual = start == game.position_text(&game.standard_start());
    let others = transcript.tags.iter();
    let mut lines: Vec<String> = others.map(|(name, value)| tag(name, value)).collect();
    lines.extend((0..2).map(|side| tag(tags.players[side], &transcript.names[side])));
    lines.push(tag("Result", result));
    lines.extend(tags.fixed_tags.iter().map(|(name, value)| tag(name, value)));
    if tags.states_start || !is_usual {
        lines.extend((!tags.before_start.is_empty()).then(|| tags.before_start.to_owned()));
        lines.push(tag(tags.start, &start));
    }
    let mut play = if comments.is_empty() {
        game.record_text(&transcript.actions)
    } else {
        numbered(game, &transcript.actions, comments)
    };
    if tags.ends_with_result {
        play = format!("{play} {result}");
    }
    format!("{}\n\n{}\n", lines.join("\n"), broken(play.trim()))
}

/// The moves in numbered pairs, each with its comment if there is one.
pub(super) fn numbered<G: Game>(game: &G, actions: &[G::Move], comments: &[String]) -> String {
    let word = |(index, &action): (usize, &G::Move)| {
        let number = format!("{}. ", index / 2 + 1);
        let number = if index % 2 == 0 { &number } else { "" };
        let comment = comments.get(index).map_or("", String::as_str);
        let comment = format!(" {{{}}}", comment.replace(['{', '}'], "'"));
        let comment = if comment == " {}" { "" } else { &comment };
        format!("{number}{}{comment}", game.move_text(action))
    };
    let words: Vec<String> = actions.iter().enumerate().map(word).collect();
    words.join(" ")
}

fn tag(name: &str, value: &str) -> String {
    format!("[{name} \"{}\"]", value.replace('"', "'"))
}

/// Wraps the words of a text into lines.
fn broken(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

/// A game of a file: where it is and what a list shows of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileGame {
    /// The names of the first and the second player.
    pub names: [String; 2],
    /// 1, 0 or −1 for the first player; `None` if the game is unfinished.
    pub result: Option<i8>,
    /// The number of moves, or of those before the first that can't be read.
    pub moves: usize,
    /// Why the game can't be read, with the place.
    pub problem: Option<String>,
    /// The parameters of the rules that it states, as key and value.
    pub parameters: Vec<(String, String)>,
    span: Range<usize>,
}

/// Lists the games of a file. Those that can't be read are among them.
pub fn list<G: Game>(game: &G, file: &GameFile) -> Vec<FileGame> {
    let games = Reader::new(game, &file.text).map(|read| FileGame {
        names: read.names(game),
        result: read.result(game),
        moves: read.actions.len(),
        problem: read.problem.as_ref().map(|problem| problem.text(file)),
        parameters: read.parameters(),
        span: read.span.clone(),
    });
    games.collect()
}

/// Lists the games of a file by the rules of a game, without limits that only evolution needs.
pub fn list_by_rules(config: &GameConfig, file: &GameFile) -> Vec<FileGame> {
    with_game!(config, config => list(&unlimited(&config.build()), file))
}

/// The rules without limits that only evolution needs.
pub fn unlimited<G: Game>(game: &G) -> G {
    game.unlimited().unwrap_or_else(|| game.clone())
}

/// Reads a game that [`list`] has found in a file.
///
/// # Errors
///
/// The reason why it can't be read.
pub fn read<G: Game>(
    game: &G,
    file: &GameFile,
    listed: &FileGame,
) -> Result<Transcript<G>, NotationError> {
    if let Some(problem) = &listed.problem {
        return Err(problem.clone().into());
    }
    let text = file.text.get(listed.span.clone()).unwrap_or_default();
    let read = Reader::new(game, text).next();
    let read = read.ok_or("the game is not in this file")?;
    Ok(Transcript {
        tags: read.other_tags(game),
        names: read.names(game),
        result: read.result(game),
        start: read.start,
        actions: read.actions,
    })
}

/// Reads a line of play in the game's usual notation, with or without tags, numbers and comments,
/// from a position, else from the position that it states, else from the standard start.
///
/// # Errors
///
/// The first move that can't be read, with its index from 0, as in `record[2]: ...`.
pub fn read_record<G: Game>(
    game: &G,
    start: Option<&G::State>,
    text: &str,
) -> Result<(G::State, Vec<G::Move>), NotationError> {
    let mut games = Reader::of_record(game, start, text);
    let Some(first) = games.next() else {
        let start = start.map_or_else(|| game.standard_start(), Clone::clone);
        return Ok((start, Vec::new()));
    };
    let moves = first.actions.len();
    let at = |moves: usize| format!("record[{moves}]");
    if let Some(problem) = first.problem {
        return Err(problem.error.at(at(problem.moves)));
    }
    match games.next() {
        Some(_) => {
            let error = "another game begins here; give one game at a time";
            Err(NotationError::from(error).at(at(moves)))
        }
        None => Ok((first.start, first.actions)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::draughts::DraughtsConfig;
    use crate::games::play_text;
    use crate::games::reversi::ReversiConfig;

    /// The transcript of a line of play from the standard start, or from another.
    fn written<G: Game>(game: &G, start: Option<&str>, moves: &str, result: i8) -> String {
        let start = start.map_or_else(
            || game.standard_start(),
            |text| game.parse_position(text).expect("the position is valid"),
        );
        let mut state = start.clone();
        let actions = moves.split_whitespace().map(|word| {
            play_text(game, &mut state, word).unwrap_or_else(|error| panic!("{word}: {error}"))
        });
        let transcript = Transcript {
            tags: vec![("Event".to_owned(), "a run".to_owned())],
            names: ["g9".to_owned(), "g8".to_owned()],
            actions: actions.collect(),
            start,
            result: Some(result),
        };
        let text = write(game, &transcript, &[]);
        let back = only(game, &text);
        assert_eq!(
            (&back.names, back.result),
            (&transcript.names, Some(result)),
            "{text}"
        );
        assert_eq!(
            (&back.start, &back.actions),
            (&transcript.start, &transcript.actions)
        );
        text
    }

    #[test]
    fn draughts_are_written_as_portable_draughts_notation() {
        let game = DraughtsConfig::default().build();
        assert_eq!(
            written(&game, None, "11-15 23-19 8-11", 1),
            "[Event \"a run\"]\n[Black \"g9\"]\n[White \"g8\"]\n[Result \"1-0\"]\n[GameType \
            \"21\"]\n\n\
             1. 11-15 23-19 2. 8-11 1-0\n"
        );
        let text = written(&game, Some("B:W22,29:B9,11,4,K1"), "9-14 22-18", -1);
        assert!(text.contains("[SetUp \"1\"]\n[FEN \"B:W22,29:B"), "{text}");
    }

    #[test]
    fn reversi_is_written_as_squares() {
        let game = ReversiConfig::default().build();
        let text = written(&game, None, "d3 c3", 0);
        assert!(text.ends_with("[Result \"1/2-1/2\"]\n\nd3c3\n"), "{text}");
    }

    /// The only game of a text.
    fn only<G: Game>(game: &G, text: &str) -> Transcript<G> {
        let file = GameFile::new(text.as_bytes());
        let games = list(game, &file);
        assert_eq!(games.len(), 1, "{text}: {games:?}");
        read(game, &file, &games[0]).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    /// Checks the games of a text of draughts: the players, the result, the number of moves, and
    /// the beginning of the problem.
    #[track_caller]
    fn check_games<G: Game>(game: &G, text: &str, expected: &[&str]) {
        let file = GameFile::new(text.as_bytes());
        let listed = list(game, &file);
        let shown = listed.iter().map(|it| {
            let [first, second] = &it.names;
            let result = it
                .result
                .map_or("*".to_owned(), |result| result.to_string());
            let problem = it
                .problem
                .as_ref()
                .map_or("", |problem| &problem[..problem.len().min(33)]);
            format!("{first} v {second} {result} {} {problem}", it.moves)
                .trim_end()
                .to_owned()
        });
        assert_eq!(shown.collect::<Vec<_>>(), expected, "{text}");
        for it in listed.iter().filter(|it| it.problem.is_none()) {
            let again = read(game, &file, it).expect("it was listed");
            assert_eq!(
                (again.actions.len(), again.result),
                (it.moves, it.result),
                "{text}"
            );
        }
    }

    fn check_draughts(text: &str, expected: &[&str]) {
        check_games(&DraughtsConfig::default().build(), text, expected);
    }

    fn check_reversi(text: &str, expected: &[&str]) {
        check_games(&ReversiConfig::default().build(), text, expected);
    }

    #[test]
    fn a_game_that_cannot_be_read_does_not_hide_the_others() {
        let good = "[Black \"A\"]\n[Result \"0-1\"]\n1. 11-15 23-19 0-1\n\n";
        let bad = "[Black \"B\"]\n1. 11-15 10x99 2. 8-11 1-0\n\n";
        check_draughts(
            &format!("{good}{bad}{good}"),
            &[
                "A v white -1 2",
                "B v white 1 1 line 6, move 2: `10x99` is not a",
                "A v white -1 2",
            ],
        );
        check_draughts(
            "[FEN \"x\"]\n11-15 1-0",
            &["black v white 1 0 line 1, move 1: FEN: `x` is not a"],
        );
        check_draughts(
            "A sentence.\n\n11-15 1-0 was all.\n",
            &["black v white 1 1"],
        );
        check_draughts(
            "1. 11-15 {so",
            &["black v white * 1 line 1, move 2: `{` is not closed"],
        );
        check_draughts("", &[]);
        check_draughts(
            "[FEN \"W:W18:B15,99\"]\n1. 18x11 1-6",
            &["black v white * 0 line 1, move 1: FEN: `W:W18:B15,9"],
        );
        check_draughts(
            "[GameType \"20\"]\n1. 32-28",
            &["black v white * 0 line 2, move 1: another game: its"],
        );
        check_reversi(
            "f5d6c3\nf5d6h8c3\nf5d6c3d3",
            &[
                "black v white * 3",
                "black v white * 2 line 2, move 3: h8 is not legal h",
                "black v white * 4",
            ],
        );
    }

    #[test]
    fn games_are_told_apart_by_tags_numbers_results_and_lines() {
        let two = ["black v white * 2", "black v white * 3"];
        check_draughts("1. 11-15 23-19 1. 11-15 23-19 2. 8-11", &two);
        check_draughts("1. 11-15 23-19 *\n11-15 23-19 8-11", &two);
        check_draughts("11-15 23-19\n\n11-15 23-19 8-11\n", &two);
        check_draughts("11-15 23-19\n11-15 23-19 8-11\n", &two);
        check_draughts("11-15 23-19\r\n11-15 23-19\r\n8-11\r\n", &two);
        check_draughts(
            "1. 11-15 23-19\n\n2. 8-11\n\n1... 22-17",
            &["black v white * 4"],
        );
        check_draughts(
            "[Black \"A\"]\n[Result \"1-0\"]\n\n[Black \"B\"]\n\n",
            &["A v white 1 0", "B v white * 0"],
        );
        check_reversi(
            "F5D6C3D3C4\nf5f6e6",
            &["black v white * 5", "black v white * 3"],
        );
        check_reversi("f5d6c3d3c4f4\nc5b3c2e6c6b4", &["black v white * 12"]);
    }

    #[test]
    fn words_between_the_moves_are_read_over() {
        check_draughts(
            "Game 1: a friendly one\n\n1. 11-15 N 23-19 White resigns 1-0",
            &["black v white 1 2"],
        );
        check_draughts("[Black \"A\"]\n1. 11-15 23-19 Drawn", &["A v white 0 2"]);
        check_draughts(
            "Round 3, 12-10-1998: Ann 2 - 0 Bob\n\n1. 11-15 23-19 0-1\n\nRound 4, 3rd table\n9-14",
            &["black v white -1 2", "black v white * 1"],
        );
    }

    #[test]
    fn lists_of_games_may_be_numbered_and_numbers_may_lack_dots() {
        let dotless = "1 11-15 23-19 2 8-11\n\n1 11-15 23-19";
        check_draughts(dotless, &["black v white * 3", "black v white * 2"]);
        for number in ["1.", "1", "1)", "1:", "Ann - Bob"] {
            let [second, third] = ["2", "3"].map(|digit| number.replace('1', digit));
            let moves = "f5d6c3d3c4f4f6f3";
            let list = format!("{number} {moves}\n{second} {moves}e6\n{third} {moves}");
            let games = [8, 9, 8].map(|moves| format!("black v white * {moves}"));
            check_reversi(&list, &games.each_ref().map(String::as_str));
        }
        for plies in [
            "1 f5 2 d6 3 c3 4 d3",
            "1: f5 d6 2: c3 d3",
            "1) f5 2) d6 3) c3 4) d3",
        ] {
            check_reversi(plies, &["black v white * 4"]);
        }
    }

    #[test]
    fn results_are_read_as_people_write_them() {
        for (word, result) in [
            ("1-0", "1"),
            ("2-0", "1"),
            ("0-2", "-1"),
            ("1-1", "0"),
            ("0-0", "0"),
            ("1/2-1/2", "0"),
            ("½-½", "0"),
            ("*", "*"),
            ("34-30", "1"),
            ("30-34", "-1"),
            ("", "*"),
            ("0.5-0.5", "0"),
            ("1 - 0", "1"),
            ("1/2 - 1/2", "0"),
            ("0-2.", "-1"),
            ("Drawn.", "0"),
            ("White wins", "-1"),
            ("Black won.", "1"),
            ("WHITE RESIGNS", "1"),
            ("Red loses", "-1"),
        ] {
            let expected = format!("black v white {result} 1");
            check_draughts(&format!("1. 11-15 {word}"), &[&expected]);
            check_reversi(&format!("[Result \"{word}\"]\nf5"), &[&expected]);
        }
        for (tag, result) in [
            ("44-19", "1"),
            ("20 : 40", "-1"),
            ("W+4", "-1"),
            ("1:1", "0"),
        ] {
            let expected = format!("black v white {result} 1");
            check_reversi(&format!("[Result \"{tag}\"]\nf5"), &[&expected]);
            check_reversi(&format!("1. f5 {tag}"), &[&expected]);
        }
        for (word, result) in [("1:0", "1"), ("1/2 : 1/2", "0"), ("B+4", "1")] {
            let expected = format!("black v white {result} 1");
            check_draughts(&format!("1. 11-15 {word}"), &[&expected]);
        }
        check_draughts(
            "1. 11-15 23-19 1-0 2. 8-11 22-17 0-1",
            &["black v white -1 4"],
        );
        let kings = "[FEN \"B:WK1:BK20\"]\n40.20-24 1-5";
        check_draughts(kings, &["black v white * 2"]);
        check_reversi(
            "1.f5 d6 2.c3 d3 3.c4 f4 4.f6 f3 5.e6 e7",
            &["black v white * 10"],
        );
    }

    #[test]
    fn othello_is_read_from_every_usual_format() {
        check_reversi("1. F5 d6 2. C3 d3", &["black v white * 4"]);
        let board = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *";
        let game = |moves: &str| {
            format!("(;GM[Othello]PC[x]PB[a]PW[b]RE[+12.00:t]TY[8]BO[{board}]{moves};)")
        };
        check_reversi(&game("B[F5//0.01]W[D6]B[C3]"), &["a v b 1 3"]);
        check_reversi(
            &format!("2 {}{}\n", game("B[F5]W[D6]"), game("B[F5]W[A1]")),
            &["a v b 1 2", "a v b 1 1 line 1, move 2: a1 is not legal h"],
        );
        let obf = "---------------------------OX------XO--------------------------- X; f5:+0;\n";
        check_reversi(&obf.repeat(2), &["black v white * 0", "black v white * 0"]);
    }
}
