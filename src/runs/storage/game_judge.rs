//! Judges the moves of games: the oracle, or a champion by the name of its run or its file.

use std::path::Path;
use std::sync::Arc;

use finches_engine::games::{GameConfig, NotationError};
use finches_engine::play::Arena;
use finches_engine::play::game_analysis::{GameAnalysis, MoveJudges};
use finches_engine::play::match_setup::{PlayerError, arena_for};
use finches_engine::play::phenotype::Phenotype;
use finches_engine::play::pool::Pool;
use finches_engine::play::record::GameRecord;

use super::bundled_champions;
use super::players::{PlayerName, SEARCH_SEPARATOR, champion, champion_name};
use super::saves::Saves;

/// How many moves a champion looks ahead unless something else is asked for.
pub const DEPTH: u8 = 6;

/// Positions with at most this many moves left are searched to the end of the game.
const ENDGAME: u32 = 12;

/// What judges the moves of a game.
pub struct GameJudge {
    /// The game with its rules.
    pub game: GameConfig,
    /// The arena of the game.
    pub arena: Arc<dyn Arena>,
    /// What it is called.
    pub name: String,
    /// Whether it judges by the oracle where it knows the position.
    pub uses_oracle: bool,
    /// Its name in the records of games, if it judges alone and may be one of the players.
    pub plays_as: Option<String>,
    player: Option<Arc<Phenotype>>,
}

impl GameJudge {
    /// The oracle of a game, if it knows every position.
    pub fn oracle(game: &GameConfig) -> Option<Self> {
        let arena = arena_for(game).ok();
        Some(Self {
            game: game.clone(),
            arena: arena.filter(|arena| arena.info().is_solved)?,
            name: "the oracle".to_owned(),
            uses_oracle: true,
            plays_as: None,
            player: None,
        })
    }

    /// The oracle or, without one, the trained champion of the game.
    ///
    /// # Errors
    ///
    /// There is neither.
    pub fn strongest(game: &GameConfig, saves: Option<&Saves>) -> Result<Self, PlayerError> {
        let without = || PlayerError::Usage(format!("nothing can judge {}", game.name()));
        match saves {
            Some(saves) => Self::new(("", DEPTH), game, saves),
            None => Self::oracle(game).ok_or_else(without),
        }
    }

    /// The judge by its name, which looks this many moves ahead: a champion as `RUN` or
    /// `RUN:GENERATION`, also with a search, or its file. With an empty name, the oracle or the
    /// trained champion of the game.
    ///
    /// # Errors
    ///
    /// The reason why there is no such champion, or why it can't play this game.
    pub fn new(
        (name, depth): (&str, u8),
        game: &GameConfig,
        saves: &Saves,
    ) -> Result<Self, PlayerError> {
        let oracle = name.is_empty().then(|| Self::oracle(game)).flatten();
        if let Some(oracle) = oracle {
            return Ok(oracle);
        }
        let mut text = if name.is_empty() {
            trained(game, saves)?
        } else {
            of_file(Path::new(name)).unwrap_or_else(|| name.to_owned())
        };
        if !text.contains(SEARCH_SEPARATOR) {
            text = format!("{text}{SEARCH_SEPARATOR}alpha-beta-{depth},endgame={ENDGAME}");
        }
        let parameters = game.rule_parameters();
        let champion = champion(&PlayerName::parse(&text, saves), &parameters, saves)?;
        if champion.game.name() != game.name() {
            let (own, here) = (champion.game.name(), game.name());
            let message = format!("plays {own}, but the games are of {here}");
            return Err(PlayerError::Usage(message).with_name(&text));
        }
        Ok(Self {
            game: champion.game,
            arena: champion.arena,
            name: text,
            uses_oracle: true,
            plays_as: None,
            player: Some(champion.player),
        })
    }

    /// A champion that judges alone, by its name in records.
    pub fn of_player(
        game: &GameConfig,
        arena: &Arc<dyn Arena>,
        player: Phenotype,
        name: String,
    ) -> Self {
        Self {
            game: game.clone(),
            arena: Arc::clone(arena),
            name: format!("champion {name}"),
            uses_oracle: false,
            plays_as: Some(name),
            player: Some(Arc::new(player)),
        }
    }

    /// Its name without its search.
    pub fn short_name(&self) -> &str {
        let name = self.name.split_once(SEARCH_SEPARATOR);
        name.map_or(&self.name, |(name, _)| name)
    }

    /// Analyzes a game; `go_on` is called after each position, and says whether to go on.
    ///
    /// # Errors
    ///
    /// The first position or move of the game that is invalid.
    pub fn analyze(
        &self,
        pool: &Pool,
        record: &GameRecord,
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<GameAnalysis, NotationError> {
        let judges = MoveJudges {
            uses_oracle: self.uses_oracle,
            player: self.player.as_deref(),
        };
        self.arena.analyze(pool, judges, record, go_on)
    }
}

/// The name of the champion of a game that ships with the program, which is added to the saves.
///
/// # Errors
///
/// There is none, or it can't be written.
pub fn trained(game: &GameConfig, saves: &Saves) -> Result<String, PlayerError> {
    bundled_champions::add(saves, game.name())?.ok_or_else(|| {
        let game = game.name().replace('_', "-");
        let message = format!("there is no trained champion of {game}; name another champion");
        PlayerError::Usage(message)
    })
}

/// The name of the champion in a file of a saved run, such as `RUN/champions/120.ron`.
fn of_file(path: &Path) -> Option<String> {
    let generation = path.file_stem()?.to_str()?.parse().ok()?;
    let folder = path.parent().filter(|_| path.is_file())?;
    let run = folder.parent().filter(|_| folder.ends_with("champions"))?;
    Some(champion_name(&run.display().to_string(), generation))
}
