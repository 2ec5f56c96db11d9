//! The rules by which the games of a file are read, drawn and judged: those that a game states,
//! else those of the others.

use std::sync::Arc;

use finches_engine::games::GameConfig;
use finches_engine::games::transcript::{FileGame, GameFile};
use finches_engine::play::Arena;
use finches_engine::play::match_setup::{PlayerError, arena_for};

/// The rules of a game.
pub struct GameRules {
    /// The game with its parameters.
    pub game: GameConfig,
    /// The arena of the game.
    pub arena: Arc<dyn Arena>,
}

impl GameRules {
    /// The rules of a game.
    ///
    /// # Errors
    ///
    /// Its parameters do not fit.
    pub fn new(game: GameConfig) -> Result<Arc<Self>, PlayerError> {
        let arena = arena_for(&game)?;
        Ok(Arc::new(Self { game, arena }))
    }
}

/// A game of a file with its rules.
#[derive(Clone)]
pub struct OpenedGame {
    /// The file that it is in.
    pub file: Arc<GameFile>,
    /// Where it is, and what a list shows of it.
    pub listed: FileGame,
    /// Those that it states, else those by which the file was listed.
    pub rules: Arc<GameRules>,
}

/// The games of a file, which were listed by these rules, except those that state others.
pub fn by_own_rules(
    file: &Arc<GameFile>,
    usual: &Arc<GameRules>,
    plain: &[FileGame],
) -> Vec<OpenedGame> {
    let mut known = vec![(usual.game.rule_parameters(), Arc::clone(usual), Vec::new())];
    let opened = |(at, game): (usize, &FileGame)| {
        let is_own = |own: &[_]| game.parameters.is_empty() || own == game.parameters;
        let place = known.iter().position(|(own, ..)| is_own(own));
        let place = place.or_else(|| {
            let changed = GameConfig::named(usual.game.name())?;
            let changed = changed.with_parameters(&game.parameters).ok()?;
            let rules = GameRules::new(changed).ok()?;
            let listed = rules.arena.list_games(file);
            known.push((game.parameters.clone(), rules, listed));
            Some(known.len() - 1)
        });
        let (_, rules, listed) = &known[place.unwrap_or(0)];
        OpenedGame {
            file: Arc::clone(file),
            listed: listed.get(at).unwrap_or(game).clone(),
            rules: Arc::clone(rules),
        }
    };
    plain.iter().enumerate().map(opened).collect()
}
