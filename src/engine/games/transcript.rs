//! Whole games as text: tags with the players, the starting position and the result, then the line
//! of play in the game's usual notation.

use super::{Game, NotationError, Side};

/// The format of a game's transcripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TranscriptFormat {
    /// The tags of the first and the second player.
    pub players: [&'static str; 2],
    /// The tag of a non-standard starting position, and a line required before it.
    pub start: &'static str,
    /// A line required before the tag of the starting position; may be empty.
    pub before_start: &'static str,
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
            fixed_tags: &[],
            ends_with_result: false,
            extension: "txt",
        }
    }
}

/// A whole game.
pub struct Transcript<G: Game> {
    /// The names of the first and the second player.
    pub names: [String; 2],
    /// The starting position.
    pub start: G::State,
    /// The moves, all legal.
    pub actions: Vec<G::Move>,
    /// 1, 0 or −1 for the first player.
    pub result: i8,
}

/// Results in text, from the point of view of the player who moves first. The archives of the
/// American Checker Federation, where Black moves first, use the same convention.
const RESULTS: [(&str, i8); 3] = [("1-0", 1), ("0-1", -1), ("1/2-1/2", 0)];

/// The maximal line length in characters, unless a single word is longer.
const WIDTH: usize = 78;

/// A game as text; `event` is the value of the event tag.
pub fn write<G: Game>(game: &G, transcript: &Transcript<G>, event: &str) -> String {
    let tags = game.transcript_format();
    let result = RESULTS
        .iter()
        .find(|(_, result)| *result == transcript.result);
    let result = result.map_or("*", |(word, _)| *word);
    let start = game.position_text(&transcript.start);
    let is_usual = start == game.position_text(&game.standard_start());
    let mut lines = vec![tag("Event", event)];
    lines.extend((0..2).map(|side| tag(tags.players[side], &transcript.names[side])));
    lines.push(tag("Result", result));
    lines.extend(tags.fixed_tags.iter().map(|(name, value)| tag(name, value)));
    if !is_usual {
        lines.extend((!tags.before_start.is_empty()).then(|| tags.before_start.to_owned()));
        lines.push(tag(tags.start, &start));
    }
    let mut play = game.record_text(&transcript.actions);
    if tags.ends_with_result {
        play = format!("{play} {result}");
    }
    format!("{}\n\n{}\n", lines.join("\n"), broken(play.trim()))
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

/// Parses the games of a text. Each may have tags before its line of play. Errors name the game.
pub fn read<G: Game>(game: &G, text: &str) -> Result<Vec<Transcript<G>>, NotationError> {
    let parts = parts(text);
    if parts.is_empty() {
        return Err("the text contains no game".into());
    }
    let several = parts.len() > 1;
    let read = parts.iter().enumerate().map(|(index, part)| {
        one(game, part).map_err(|error| {
            if several {
                error.at(format_args!("game {}", index + 1))
            } else {
                error
            }
        })
    });
    read.collect()
}

/// Splits the text before the tags of each game.
fn parts(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut is_played = true;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let is_tag = line.trim_start().starts_with('[');
        if (is_tag && is_played) || parts.is_empty() {
            parts.push(String::new());
        }
        is_played = !is_tag;
        if let Some(part) = parts.last_mut() {
            part.push_str(line);
            part.push('\n');
        }
    }
    parts
}

fn one<G: Game>(game: &G, text: &str) -> Result<Transcript<G>, NotationError> {
    let tags = game.transcript_format();
    let (head, play) = heading(text);
    let find = |name: &str| {
        let found = head
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.clone())
    };
    let start = match find(tags.start) {
        Some(start) => game
            .parse_position(&start)
            .map_err(|error| error.at(tags.start))?,
        None => game.standard_start(),
    };
    let actions = game.parse_record(&start, play)?;
    let mut state = start.clone();
    for &action in &actions {
        game.play(&mut state, action);
    }
    let transcript = find("Result").or_else(|| play.split_whitespace().last().map(str::to_owned));
    let transcript = RESULTS
        .iter()
        .find(|(word, _)| transcript.as_deref() == Some(*word));
    let over = game
        .outcome(&state)
        .map(|outcome| outcome.result_for(Side::First));
    let result = over
        .or(transcript.map(|(_, result)| *result))
        .ok_or("the game is unfinished and has no result; add a tag such as [Result \"1-0\"]")?;
    let name = |side: usize| {
        let name = find(tags.players[side]).filter(|name| !name.trim().is_empty());
        name.unwrap_or_else(|| tags.players[side].to_lowercase())
    };
    Ok(Transcript {
        names: [name(0), name(1)],
        start,
        actions,
        result,
    })
}

/// The tags at the beginning, and the rest of the text.
fn heading(text: &str) -> (Vec<(String, String)>, &str) {
    let mut tags = Vec::new();
    let mut rest = text.trim_start();
    while let Some(inside) = rest.strip_prefix('[') {
        let Some((name, value)) = inside.split_once('"') else {
            break;
        };
        let Some((value, after)) = value.split_once('"') else {
            break;
        };
        let Some(after) = after.trim_start().strip_prefix(']') else {
            break;
        };
        tags.push((name.trim().to_owned(), value.to_owned()));
        rest = after.trim_start();
    }
    (tags, rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::draughts::DraughtsConfig;
    use crate::games::reversi::ReversiConfig;
    use crate::games::{GameParams, play_text};

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
            names: ["g9".to_owned(), "g8".to_owned()],
            actions: actions.collect(),
            start,
            result,
        };
        let text = write(game, &transcript, "a run");
        let read = read(game, &text).unwrap_or_else(|error| panic!("{text}\n{error}"));
        let [back] = &read[..] else {
            panic!("{text}: {} games", read.len());
        };
        assert_eq!(
            (&back.names, back.result),
            (&transcript.names, result),
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

    fn check_error(text: &str, expected: &str) {
        let game = DraughtsConfig::default().build();
        let error = read(&game, text).err().expect("it is invalid").to_string();
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn several_games_are_read_one_by_one_and_errors_name_theirs() {
        let game = DraughtsConfig::default().build();
        let text =
            "[Black \"A\"]\n[Result \"0-1\"]\n1. 11-15 23-19 0-1\n\n[Black \"B\"]\n11-15 1-0\n";
        let games = read(&game, text).unwrap_or_else(|error| panic!("{error}"));
        let transcript: Vec<(&str, i8)> = games
            .iter()
            .map(|transcript| (transcript.names[0].as_str(), transcript.result))
            .collect();
        assert_eq!(transcript, [("A", -1), ("B", 1)]);
        check_error("", "contains no game");
        check_error("11-15 23-19 *", "is unfinished and has no result");
        check_error("11-15 1-1 1-0", "record[1]: ");
        check_error(&format!("{text}[Black \"C\"]\n5-6\n"), "game 3: record[0]");
        check_error("[FEN \"x\"]\n11-15 1-0", "FEN: ");
    }
}
