//! Writes games of a file in another format, or with comments.

use serde_json::json;

use crate::games::{Game, GameConfig, GameParams, NotationError, with_game};

use super::{FileGame, GameFile, Transcript, read, result_word, unlimited, write};

/// A format of files of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// Tags and the line of play, for draughts in Portable Draughts Notation.
    Tagged,
    /// The line of play alone, a game a line.
    Line,
    /// The Generic Game Format of Othello.
    Ggf,
    /// A JSON object a line.
    Json,
}

/// A game that was found in a file, in another format.
///
/// # Errors
///
/// The reason why it can't be read, or why the format can't express it.
pub fn convert(
    config: &GameConfig,
    file: &GameFile,
    listed: &FileGame,
    format: FileFormat,
) -> Result<String, NotationError> {
    with_game!(config, config => {
        let game = unlimited(&config.build());
        let transcript = read(&game, file, listed)?;
        match format {
            FileFormat::Tagged => Ok(write(&game, &transcript, &[]) + "\n"),
            FileFormat::Line => line(&game, &transcript),
            FileFormat::Ggf => ggf(&game, &transcript),
            FileFormat::Json => Ok(json_line(&game, &transcript)),
        }
    })
}

/// A game that was found in a file, with a comment on each move and the name of their author.
///
/// # Errors
///
/// The reason why it can't be read.
pub fn annotate(
    config: &GameConfig,
    file: &GameFile,
    listed: &FileGame,
    author: &str,
    comments: &[String],
) -> Result<String, NotationError> {
    const AUTHOR: &str = "Annotator";
    with_game!(config, config => {
        let game = unlimited(&config.build());
        let mut transcript = read(&game, file, listed)?;
        transcript.tags.retain(|(name, _)| name != AUTHOR);
        transcript.tags.push((AUTHOR.to_owned(), author.to_owned()));
        Ok(write(&game, &transcript, comments) + "\n")
    })
}

fn line<G: Game>(game: &G, transcript: &Transcript<G>) -> Result<String, NotationError> {
    if transcript.start != game.standard_start() {
        return Err("a transcript has no place for its starting position; use pdn".into());
    }
    let play = game.record_text(&transcript.actions);
    Ok(if game.transcript_format().ends_with_result {
        format!("{play} {}\n", result_word(transcript.result))
    } else {
        play + "\n"
    })
}

fn json_line<G: Game>(game: &G, transcript: &Transcript<G>) -> String {
    let moves = transcript.actions.iter();
    let moves: Vec<String> = moves.map(|&action| game.move_text(action)).collect();
    let told = json!({
        "names": transcript.names,
        "start": game.position_text(&transcript.start),
        "moves": moves,
        "result": transcript.result,
    });
    format!("{told}\n")
}

/// The position and the squares are those of Reversi, which no other game has.
fn ggf<G: Game>(game: &G, transcript: &Transcript<G>) -> Result<String, NotationError> {
    let start = game.position_text(&transcript.start);
    let Some((board, mover)) = start.split_once(' ').filter(|(board, _)| board.len() == 64) else {
        return Err("the Generic Game Format is one of Othello; use pdn".into());
    };
    let stars = |text: &str| text.replace('X', "*");
    let rows: Vec<String> = (0..8)
        .map(|row| stars(&board[8 * row..8 * row + 8]))
        .collect();
    let [first, second] = &transcript.names;
    let mut state = transcript.start.clone();
    let moves = transcript.actions.iter().map(|&action| {
        let side = ["B", "W"][game.to_move(&state).index()];
        let text = game.move_text(action).to_uppercase();
        let text = if game.is_pass(action) { "PA" } else { &text };
        game.play(&mut state, action);
        format!("{side}[{text}]")
    });
    let moves: String = moves.collect();
    let over = game.outcome(&state).is_some();
    let [own, other] = game.points(&state).map(i32::from);
    let result = match transcript.result {
        _ if over => format!("{:+}.00", own - other),
        // The margin is not known: a player resigned or ran out of time.
        Some(result) => format!("{result:+}.00:r"),
        None => "?".to_owned(),
    };
    Ok(format!(
        "(;GM[Othello]PB[{first}]PW[{second}]RE[{result}]TY[8]BO[8 {} {}]{moves};)\n",
        rows.join(" "),
        stars(mover)
    ))
}

#[cfg(test)]
mod tests {
    use super::super::list_by_rules;
    use super::*;

    /// Checks a game in every format, and that it can be read from there.
    fn check(game: &str, text: &str, expected: [&str; 4]) {
        let config = GameConfig::named(game).expect("it is registered");
        let formats = [
            FileFormat::Tagged,
            FileFormat::Line,
            FileFormat::Ggf,
            FileFormat::Json,
        ];
        for (format, expected) in formats.into_iter().zip(expected) {
            let file = GameFile::new(text.as_bytes());
            let listed = list_by_rules(&config, &file).swap_remove(0);
            match convert(&config, &file, &listed, format) {
                Ok(written) => {
                    assert_eq!(written, expected);
                    let file = GameFile::new(written.as_bytes());
                    let again = list_by_rules(&config, &file);
                    let is_json = format == FileFormat::Json;
                    assert!(is_json || again[0].moves == listed.moves, "{written}");
                }
                Err(error) => assert_eq!(error.to_string(), expected),
            }
        }
    }

    #[test]
    fn a_game_is_written_in_every_format_that_can_express_it() {
        check(
            "draughts",
            "[Event \"e\"]\n[Black \"a\"]\n1. 11x15 23-19 {so} *",
            [
                "[Event \"e\"]\n[Black \"a\"]\n[White \"white\"]\n[Result \"*\"]\n\
                 [GameType \"21\"]\n\n\
                 1. 11-15 23-19 *\n\n",
                "1. 11-15 23-19 *\n",
                "the Generic Game Format is one of Othello; use pdn",
                "{\"moves\":[\"11-15\",\"23-19\"],\"names\":[\"a\",\"white\"],\"result\":null,\
                 \"start\":\
                 \"B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12\"}\n",
            ],
        );
        check(
            "reversi",
            "F5 d6 34-30",
            [
                "[Black \"black\"]\n[White \"white\"]\n[Result \"1-0\"]\n\nf5d6\n\n",
                "f5d6\n",
                "(;GM[Othello]PB[black]PW[white]RE[+1.00:r]TY[8]BO[8 -------- -------- -------- \
                 ---O*--- ---*O--- -------- -------- -------- *]B[F5]W[D6];)\n",
                "{\"moves\":[\"f5\",\"d6\"],\"names\":[\"black\",\"white\"],\"result\":1,\"start\":\
                 \"---------------------------OX------XO--------------------------- X\"}\n",
            ],
        );
    }

    #[test]
    fn comments_follow_their_moves_and_are_read_over() {
        let config = GameConfig::named("reversi").expect("it is registered");
        let file = GameFile::new(b"f5d6c3");
        let listed = &list_by_rules(&config, &file)[0];
        let comments = ["best", "", "48%, best {d3}"].map(str::to_owned);
        let text = annotate(&config, &file, listed, "me", &comments).expect("it was read");
        assert!(text.starts_with("[Annotator \"me\"]\n"), "{text}");
        assert!(
            text.contains("\n\n1. f5 {best} d6 2. c3 {48%, best 'd3'}\n"),
            "{text}"
        );
        assert_eq!(
            list_by_rules(&config, &GameFile::new(text.as_bytes()))[0].moves,
            3
        );
    }
}
