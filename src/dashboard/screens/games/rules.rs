//! The rules by which a game is read, drawn and judged. A game of a file may have others than those
//! of the run.

use std::sync::Arc;

use crate::model::champions::Champions;
use finches_engine::games::GameConfig;
use finches_engine::games::transcript::{FileGame, GameFile};
use finches_engine::play::Arena;
use finches_engine::play::match_setup::{PlayerError, arena_for};

use super::game_list::OpenedGame;

/// The rules of a game.
pub(super) struct GameRules {
    pub(super) game: GameConfig,
    pub(super) arena: Arc<dyn Arena>,
}

impl GameRules {
    /// Those of a run.
    pub(super) fn of_run(run: &Champions) -> Arc<Self> {
        Arc::new(Self {
            game: run.preset.game.clone(),
            arena: Arc::clone(&run.arena),
        })
    }

    pub(super) fn new(game: GameConfig) -> Result<Arc<Self>, PlayerError> {
        let arena = arena_for(&game)?;
        Ok(Arc::new(Self { game, arena }))
    }
}

/// The games of a file, which were listed by these rules, except those that state others.
pub(super) fn games_of(
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
