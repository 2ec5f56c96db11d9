//! Whole games as texts to give away: tags that tell who played, where the game began and how it ended, then the line of play
//! as players of the game write it down. It knows neither files nor who the players were.

use super::{Game, Side};

/// How the transcripts of a game are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tags {
    /// What the player who moves first is called, and the other.
    pub players: [&'static str; 2],
    /// The tag of a start that is not the usual one, and what has to stand above it.
    pub start: &'static str,
    pub before_start: &'static str,
    /// Tags that every game has.
    pub always: &'static [(&'static str, &'static str)],
    pub closing: Closing,
    /// The ending of files of such games, without the dot.
    pub ending: &'static str,
}

/// What a line of play ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closing {
    /// The result once more.
    Result,
    /// Its last move.
    Move,
}

impl Default for Tags {
    fn default() -> Self {
        Self {
            players: ["First", "Second"],
            start: "Start",
            before_start: "",
            always: &[],
            closing: Closing::Move,
            ending: "txt",
        }
    }
}

/// A game from its start to its end.
pub struct Told<G: Game> {
    /// Who moved first, who second.
    pub names: [String; 2],
    pub start: G::State,
    pub actions: Vec<G::Move>,
    /// 1, 0 or −1 for the first player.
    pub result: i8,
}

/// Results as they are written, for the player who moves first: so they are meant in the archives of the American Checker
/// Federation too, where Black moves first.
const RESULTS: [(&str, i8); 3] = [("1-0", 1), ("0-1", -1), ("1/2-1/2", 0)];

/// Lines are broken before this many characters where they can be.
const WIDTH: usize = 78;

/// A game as text; `event` says where it comes from.
pub fn write<G: Game>(game: &G, told: &Told<G>, event: &str) -> String {
    let tags = game.tags();
    let result = RESULTS.iter().find(|(_, result)| *result == told.result);
    let result = result.map_or("*", |(word, _)| *word);
    let start = game.position_text(&told.start);
    let is_usual = start == game.position_text(&game.standard_start());
    let mut lines = vec![tag("Event", event)];
    lines.extend((0..2).map(|side| tag(tags.players[side], &told.names[side])));
    lines.push(tag("Result", result));
    lines.extend(tags.always.iter().map(|(name, value)| tag(name, value)));
    if !is_usual {
        lines.extend((!tags.before_start.is_empty()).then(|| tags.before_start.to_owned()));
        lines.push(tag(tags.start, &start));
    }
    let mut play = game.record_text(&told.actions);
    if tags.closing == Closing::Result {
        play = format!("{play} {result}");
    }
    format!("{}\n\n{}\n", lines.join("\n"), broken(play.trim()))
}

fn tag(name: &str, value: &str) -> String {
    format!("[{name} \"{}\"]", value.replace('"', "'"))
}

/// The words in lines.
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

/// Reads the games of a text, each of which may have tags before its line of play. An error says which of them is at fault.
pub fn read<G: Game>(game: &G, text: &str) -> Result<Vec<Told<G>>, String> {
    let parts = parts(text);
    if parts.is_empty() {
        return Err("there is no game in it".to_owned());
    }
    let several = parts.len() > 1;
    let read = parts.iter().enumerate().map(|(index, part)| {
        one(game, part).map_err(|fault| {
            if several {
                format!("game {}: {fault}", index + 1)
            } else {
                fault
            }
        })
    });
    read.collect()
}

/// The text cut before the tags of each game.
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

fn one<G: Game>(game: &G, text: &str) -> Result<Told<G>, String> {
    let tags = game.tags();
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
            .map_err(|fault| format!("{}: {fault}", tags.start))?,
        None => game.standard_start(),
    };
    let actions = game.parse_record(&start, play)?;
    let mut state = start.clone();
    for &action in &actions {
        game.play(&mut state, action);
    }
    let told = find("Result").or_else(|| play.split_whitespace().last().map(str::to_owned));
    let told = RESULTS
        .iter()
        .find(|(word, _)| told.as_deref() == Some(*word));
    let over = game
        .outcome(&state)
        .map(|outcome| outcome.result_for(Side::First));
    let result = over
        .or(told.map(|(_, result)| *result))
        .ok_or("the game is not over and no result is given; add a tag such as [Result \"1-0\"]")?;
    let name = |side: usize| {
        let name = find(tags.players[side]).filter(|name| !name.trim().is_empty());
        name.unwrap_or_else(|| tags.players[side].to_lowercase())
    };
    Ok(Told {
        names: [name(0), name(1)],
        start,
        actions,
        result,
    })
}

/// The tags at the top, and what comes after them.
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
    use crate::games::{Playable, advance};

    /// The transcript of a line of play from the usual start, or from another.
    fn written<G: Game>(game: &G, start: Option<&str>, moves: &str, result: i8) -> String {
        let start = start.map_or_else(
            || game.standard_start(),
            |text| {
                game.parse_position(text)
                    .expect("the test writes positions")
            },
        );
        let mut state = start.clone();
        let actions = moves.split_whitespace().map(|word| {
            advance(game, &mut state, word).unwrap_or_else(|fault| panic!("{word}: {fault}"))
        });
        let told = Told {
            names: ["g9".to_owned(), "g8".to_owned()],
            actions: actions.collect(),
            start,
            result,
        };
        let text = write(game, &told, "a run");
        let read = read(game, &text).unwrap_or_else(|fault| panic!("{text}\n{fault}"));
        let [back] = &read[..] else {
            panic!("{text}: {} games", read.len());
        };
        assert_eq!((&back.names, back.result), (&told.names, result), "{text}");
        assert_eq!((&back.start, &back.actions), (&told.start, &told.actions));
        text
    }

    #[test]
    fn draughts_are_written_as_portable_draughts_notation() {
        let game = DraughtsConfig::default().build();
        assert_eq!(
            written(&game, None, "11-15 23-19 8-11", 1),
            "[Event \"a run\"]\n[Black \"g9\"]\n[White \"g8\"]\n[Result \"1-0\"]\n[GameType \"21\"]\n\n\
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

    fn check_fault(text: &str, expected: &str) {
        let game = DraughtsConfig::default().build();
        let fault = read(&game, text).err().expect("it is faulty");
        assert!(fault.contains(expected), "{fault}");
    }

    #[test]
    fn several_games_are_read_one_by_one_and_faults_name_theirs() {
        let game = DraughtsConfig::default().build();
        let text =
            "[Black \"A\"]\n[Result \"0-1\"]\n1. 11-15 23-19 0-1\n\n[Black \"B\"]\n11-15 1-0\n";
        let games = read(&game, text).unwrap_or_else(|fault| panic!("{fault}"));
        let told: Vec<(&str, i8)> = games
            .iter()
            .map(|told| (told.names[0].as_str(), told.result))
            .collect();
        assert_eq!(told, [("A", -1), ("B", 1)]);
        check_fault("", "there is no game");
        check_fault("11-15 23-19 *", "is not over and no result is given");
        check_fault("11-15 1-1 1-0", "record[1]: ");
        check_fault(&format!("{text}[Black \"C\"]\n5-6\n"), "game 3: record[0]");
        check_fault("[FEN \"x\"]\n11-15 1-0", "FEN: ");
    }
}
