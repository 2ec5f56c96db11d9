//! Player names: a reference player by its name, the champion of a saved run as `RUN` or
//! `RUN:GENERATION`, or an outside program as `PROTOCOL:COMMAND`. The first two can be followed by
//! `@` and another search.

use std::time::Duration;

use finches_engine::games::GameConfig;
use finches_engine::outside::{self, OutsideSpec};
use finches_engine::play;
use finches_engine::play::match_setup::{ChampionPlayer, MatchSetup, PlayerError};
use finches_engine::play::matches::MatchPlayer;
use finches_engine::play::reference_player::ReferencePlayer;
use finches_engine::play::search_spec::SearchSpec;

use super::StorageError;
use super::saves::Saves;

/// Separates a player from its search.
pub const SEARCH_SEPARATOR: char = '@';

/// Separates a run from the generation of its champion.
const GENERATION_SEPARATOR: char = ':';

/// A parsed player name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerName {
    /// The whole name, as written.
    pub text: String,
    /// The player without the search.
    pub player: NamedPlayer,
    /// The text behind the `@`, if any.
    pub search: Option<String>,
}

/// The player that a name refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedPlayer {
    /// A reference player, or an unknown name.
    Reference(String),
    /// A champion of a saved run.
    Champion {
        /// The name or the folder of the run.
        run: String,
        /// `None` means the latest.
        generation: Option<u64>,
    },
    /// An outside program, by the whole name.
    Outside,
}

impl PlayerName {
    /// Parses a name. A reference player takes precedence over a saved run of the same name, which
    /// can be named by its path; a saved run takes precedence over an outside program.
    pub fn parse(text: &str, saves: &Saves) -> Self {
        let (player, search) = match parse_exact(text, saves) {
            Some(player) => (player, None),
            None if OutsideSpec::parse(text).is_some() => (NamedPlayer::Outside, None),
            None => match text.rsplit_once(SEARCH_SEPARATOR) {
                Some((player, search)) => (parse_player(player, saves), Some(search.to_owned())),
                None => (parse_player(text, saves), None),
            },
        };
        let text = text.to_owned();
        Self {
            text,
            player,
            search,
        }
    }

    /// The saved run whose champion it is.
    pub fn run(&self) -> Option<&str> {
        match &self.player {
            NamedPlayer::Champion { run, .. } => Some(run),
            NamedPlayer::Reference(_) | NamedPlayer::Outside => None,
        }
    }

    /// The parsed search.
    fn search(&self) -> Result<Option<SearchSpec>, PlayerError> {
        let search = self.search.as_deref().map(SearchSpec::parse).transpose();
        search.map_err(|error| error.with_name(&self.text))
    }

    /// Whether no game has a player of this name.
    pub fn is_unknown(&self) -> bool {
        match &self.player {
            NamedPlayer::Champion { .. } | NamedPlayer::Outside => false,
            NamedPlayer::Reference(name) => !is_reference(name),
        }
    }
}

impl From<StorageError> for PlayerError {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::Unknown(what) => Self::Usage(what),
            other => Self::Failure(other.to_string()),
        }
    }
}

/// The player that a name refers to, as a participant in matches. `move_time` is the time of an
/// outside program for a move.
pub fn match_player(
    setup: &MatchSetup,
    name: &PlayerName,
    saves: &Saves,
    move_time: Duration,
) -> Result<MatchPlayer, PlayerError> {
    match &name.player {
        NamedPlayer::Reference(player) => {
            let found = setup.reference_named(player).ok_or_else(|| {
                PlayerError::Usage(format!(
                    "{}; choose a reference player ({}), a champion (RUN or RUN:GENERATION) or an \
                    outside program (PROTOCOL:COMMAND)",
                    unknown_player(player, saves),
                    setup.reference_names().join(", ")
                ))
            })?;
            let found = setup.reference(found, name.search()?.as_ref());
            found.map_err(|error| error.with_name(&name.text))
        }
        NamedPlayer::Champion { run, .. } => {
            setup.check_rules(&name.text, &saves.run_file(run)?.preset.game)?;
            Ok(champion(name, setup.parameters(), saves)?.match_player())
        }
        NamedPlayer::Outside => {
            outside::match_player(setup.game(), &outside_spec(name)?, move_time)
        }
    }
}

/// The outside program that a name refers to.
pub fn outside_spec(name: &PlayerName) -> Result<OutsideSpec, PlayerError> {
    OutsideSpec::parse(&name.text).unwrap_or_else(|| {
        let message = "is no outside program; write PROTOCOL:COMMAND, such as gtp:gtp-rhino";
        Err(PlayerError::Usage(message.to_owned()).with_name(&name.text))
    })
}

/// The champion of a saved run, by its name, in its run's game with some parameters changed.
pub fn champion(
    name: &PlayerName,
    parameters: &[(String, String)],
    saves: &Saves,
) -> Result<ChampionPlayer, PlayerError> {
    let (run, generation) = match &name.player {
        NamedPlayer::Champion { run, generation } => (run, generation),
        NamedPlayer::Reference(player) => {
            return Err(match saves.folder(player) {
                Err(unknown) => unknown.into(),
                Ok(_) => unknown_player(&name.text, saves),
            });
        }
        NamedPlayer::Outside => {
            let message = "is an outside program; name the champion of a saved run";
            return Err(PlayerError::Usage(message.to_owned()).with_name(&name.text));
        }
    };
    let generation = match *generation {
        Some(generation) => generation,
        None => latest_champion(run, saves)?,
    };
    let preset = saves.run_file(run)?.preset_in(generation);
    let search = name.search()?;
    let genome = saves.champion(run, generation)?.genome;
    let grown = ChampionPlayer::new(preset.player_config(), &genome, parameters, search.as_ref());
    grown.map_err(|error| error.with_name(&name.text))
}

/// The generation of the latest saved champion of a run.
pub fn latest_champion(run: &str, saves: &Saves) -> Result<u64, PlayerError> {
    saves.champions(run)?.last().copied().ok_or_else(|| {
        let message = "has no champion yet; let it finish a generation";
        PlayerError::Failure(message.to_owned()).with_name(run)
    })
}

/// The error for a name of no player.
pub fn unknown_player(name: &str, saves: &Saves) -> PlayerError {
    let (root, hint) = (saves.root().display(), saves.suggest(name));
    PlayerError::Usage(format!(
        "{name}: there is no reference player and no saved run of that name in {root} ({hint})"
    ))
}

/// The name of the champion of a run and generation.
pub fn champion_name(run: &str, generation: u64) -> String {
    format!("{run}{GENERATION_SEPARATOR}{generation}")
}

/// The reference player or the saved run with exactly this name.
fn parse_exact(text: &str, saves: &Saves) -> Option<NamedPlayer> {
    if is_reference(text) {
        return Some(NamedPlayer::Reference(text.to_owned()));
    }
    saves.find(text).map(|_| NamedPlayer::Champion {
        run: text.to_owned(),
        generation: None,
    })
}

/// Parses a name without a search.
fn parse_player(text: &str, saves: &Saves) -> NamedPlayer {
    parse_exact(text, saves).unwrap_or_else(|| {
        let numbered = text
            .rsplit_once(GENERATION_SEPARATOR)
            .and_then(|(run, generation)| Some((run, generation.parse().ok()?)));
        match numbered {
            Some((run, generation)) => NamedPlayer::Champion {
                run: run.to_owned(),
                generation: Some(generation),
            },
            None => NamedPlayer::Reference(text.to_owned()),
        }
    })
}

/// Whether some game has a reference player of this name.
pub(super) fn is_reference(name: &str) -> bool {
    let mut games = GameConfig::all().into_iter();
    games.any(|game| ReferencePlayer::named(name, play::heuristics(&game)).is_some())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn check(text: &str, run: Option<(&str, Option<u64>)>, search: Option<&str>) {
        let name = PlayerName::parse(text, &Saves::at(PathBuf::from("nowhere")));
        let found = match &name.player {
            NamedPlayer::Champion { run, generation } => Some((run.as_str(), *generation)),
            NamedPlayer::Reference(_) | NamedPlayer::Outside => None,
        };
        assert_eq!((found, name.search.as_deref()), (run, search), "{text}");
        assert_eq!(name.text, text);
    }

    #[test]
    fn a_name_has_a_run_a_generation_and_a_search() {
        check("random", None, None);
        check("swh-3", None, None);
        check("swh@alpha-beta-5", None, Some("alpha-beta-5"));
        check("blondie-1:840", Some(("blondie-1", Some(840))), None);
        check(
            "a:b:7@alpha-beta-4",
            Some(("a:b", Some(7))),
            Some("alpha-beta-4"),
        );
        check("nobody", None, None);
        check("nobody:x", None, None);
        check("@", None, Some(""));
    }

    #[test]
    fn an_outside_program_may_have_any_sign_in_its_command() {
        let saves = Saves::at(PathBuf::from("nowhere"));
        for text in ["gtp:x --level 3", "lines:a@b", "nboard-6:/usr/bin/x:3"] {
            let name = PlayerName::parse(text, &saves);
            assert_eq!((name.player, name.search), (NamedPlayer::Outside, None));
        }
    }

    #[test]
    fn unknown_names_are_recognized() {
        let is_unknown =
            |text| PlayerName::parse(text, &Saves::at(PathBuf::from("nowhere"))).is_unknown();
        assert!(!is_unknown("random"));
        assert!(!is_unknown("swh@alpha-beta-2"));
        assert!(is_unknown("nobody"));
        assert!(is_unknown("nobody@one-ply"));
    }
}
