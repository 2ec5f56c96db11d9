//! Outside programs as players: each runs as a process and is asked for its moves by one of several
//! protocols. A program that crashes, hangs or plays an illegal move loses that game and is started
//! anew for the next. This module does not know runs, saves or the screen.
//!
//! A protocol is one file and one line in `PROTOCOLS`.

use std::sync::Arc;
use std::time::Duration;

use crate::games::{GameConfig, GameParams, with_game};
use crate::play::forfeits::ForfeitLog;
use crate::play::match_setup::PlayerError;
use crate::play::matches::MatchPlayer;

use self::engine::EnginePool;
use self::player::OutsidePlayer;
use self::protocol::ProtocolKind;

mod engine;
mod game_line;
mod gtp;
mod lines;
mod nboard;
mod opponent;
mod pipe;
mod player;
mod process;
mod protocol;

pub use self::opponent::OutsideOpponent;
pub use self::process::end_all;

/// The time for a move, unless specified.
pub const DEFAULT_MOVE_TIME: Duration = Duration::from_secs(30);

/// The protocols that programs are asked by.
static PROTOCOLS: [ProtocolKind; 3] = [gtp::KIND, nboard::KIND, lines::KIND];

/// Separates a protocol from the command that starts the program.
const SEPARATOR: char = ':';

/// Separates a protocol from the level of the program.
const LEVEL_SEPARATOR: char = '-';

/// An outside program: its protocol and the command that starts it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutsideSpec {
    /// The whole name, as written.
    pub text: String,
    protocol: &'static ProtocolKind,
    /// The level that the protocol sets.
    level: Option<u32>,
    /// The program and its arguments; not empty.
    words: Vec<String>,
}

impl OutsideSpec {
    /// Parses a name such as `gtp:gtp-rhino --level 1`, `nboard-6:edax -nboard` or
    /// `lines:my-engine`; `None` if it begins with no protocol.
    pub fn parse(text: &str) -> Option<Result<Self, PlayerError>> {
        let (head, command) = text.split_once(SEPARATOR)?;
        let (protocol, level) = protocol_named(head)?;
        let usage = |what: String| PlayerError::Usage(format!("{text}: {what}"));
        // A path of Windows has backslashes, which a shell would take away.
        let command = if cfg!(windows) {
            &command.replace('\\', r"\\")
        } else {
            command
        };
        Some(match shell_words::split(command) {
            Ok(words) if words.is_empty() => {
                let what = format!("write the command that starts the program after `{head}:`");
                Err(usage(what))
            }
            Ok(words) => Ok(Self {
                text: text.to_owned(),
                protocol,
                level,
                words,
            }),
            Err(error) => Err(usage(error.to_string())),
        })
    }

    /// The name of the game that it plays, if its protocol is for one alone.
    pub fn only_game(&self) -> Option<&'static str> {
        let [game] = self.protocol.games else {
            return None;
        };
        Some(game)
    }

    /// Checks that the protocol knows a game.
    fn check_game(&self, game: &GameConfig) -> Result<(), PlayerError> {
        let ProtocolKind { name, games, .. } = self.protocol;
        if games.is_empty() || games.contains(&game.name()) {
            return Ok(());
        }
        Err(PlayerError::Usage(format!(
            "{}: {name} is for {} only, but this game is {}; use lines",
            self.text,
            games.join(" and "),
            game.name()
        )))
    }
}

/// The protocol and the level in a text such as `gtp` or `nboard-6`.
fn protocol_named(head: &str) -> Option<(&'static ProtocolKind, Option<u32>)> {
    PROTOCOLS.iter().find_map(|protocol| {
        let rest = head.strip_prefix(protocol.name)?;
        if rest.is_empty() {
            return Some((protocol, None));
        }
        let level = rest.strip_prefix(LEVEL_SEPARATOR)?.parse().ok()?;
        protocol.has_level.then_some((protocol, Some(level)))
    })
}

/// An outside program as a participant in matches of a game. It is started once, to find out
/// whether it can be.
pub fn match_player(
    game: &GameConfig,
    spec: &OutsideSpec,
    move_time: Duration,
) -> Result<MatchPlayer, PlayerError> {
    spec.check_game(game)?;
    let engines = EnginePool::new(spec.clone(), move_time);
    let first = engines.take();
    let first =
        first.map_err(|failure| PlayerError::Failure(format!("{}: {failure}", spec.text)))?;
    engines.give(first);
    let forfeits = Arc::new(ForfeitLog::default());
    Ok(with_game!(game, config => {
        MatchPlayer::fallible(
            OutsidePlayer::new(config.build(), engines, Arc::clone(&forfeits)),
            forfeits,
        )
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<(&str, Option<u32>, &[&str])>) {
        let found = OutsideSpec::parse(text).map(|spec| spec.expect("it is valid"));
        let found = found.as_ref().map(|spec| {
            let words: Vec<&str> = spec.words.iter().map(String::as_str).collect();
            (spec.protocol.name, spec.level, words)
        });
        let expected = expected.map(|(name, level, words)| (name, level, words.to_vec()));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_name_has_a_protocol_a_level_and_a_command() {
        check(
            "gtp:gtp-rhino --level 1",
            Some(("gtp", None, &["gtp-rhino", "--level", "1"])),
        );
        check("nboard:edax", Some(("nboard", None, &["edax"])));
        check(
            "nboard-6:edax -q",
            Some(("nboard", Some(6), &["edax", "-q"])),
        );
        check(
            "lines:'my engine' a:b@c",
            Some(("lines", None, &["my engine", "a:b@c"])),
        );
        check("gtp-3:x", None);
        check("nboard-x:x", None);
        check("blondie-1:30", None);
        check("random", None);
    }

    #[test]
    fn a_command_must_be_there() {
        for text in ["gtp:", "lines:  ", "gtp:'a"] {
            let parsed = OutsideSpec::parse(text).expect("it names a protocol");
            let error = parsed.expect_err("there is no command").to_string();
            assert!(error.starts_with(text), "{error}");
        }
    }

    #[test]
    fn a_protocol_knows_its_games() {
        let spec = OutsideSpec::parse("gtp:gtp-rhino").expect("it names a protocol");
        let spec = spec.expect("it is valid");
        let games = GameConfig::all().into_iter();
        let fit: Vec<&str> = games
            .filter(|game| spec.check_game(game).is_ok())
            .map(|game| game.name())
            .collect();
        assert_eq!(fit, ["reversi"]);
    }
}
