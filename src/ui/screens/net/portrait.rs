//! What was found out about a champion: all that the screen draws, worked out once.

use std::sync::Arc;

use crate::arena::decisions::Decision;
use crate::arena::player::Player;
use crate::evolution::archive::Champion;
use crate::ui::screens::champions::Champions;

use super::strategy::Strategy;

/// A champion that has been looked into.
pub(super) struct Found {
    champion: Arc<Champion>,
    /// The generation of the champion it is compared with.
    pub(super) before: Option<u64>,
    pub(super) portrait: Portrait,
}

/// A champion from the inside.
pub(super) enum Portrait {
    /// What a table plays in every position.
    Strategy(Strategy),
    /// There is nothing that could be drawn.
    Nothing,
}

impl Found {
    pub(super) fn new(
        champions: &Champions,
        champion: Arc<Champion>,
        before: Option<Arc<Champion>>,
    ) -> Self {
        let portrait = strategy(champions, &champion, before.as_deref());
        Self {
            before: before.map(|before| before.generation),
            portrait: portrait.unwrap_or(Portrait::Nothing),
            champion,
        }
    }

    pub(super) fn generation(&self) -> u64 {
        self.champion.generation
    }
}

/// The strategy of a champion that is a table.
fn strategy(
    champions: &Champions,
    champion: &Champion,
    before: Option<&Champion>,
) -> Option<Portrait> {
    let is_table = !champions.arena.ports().choices.is_empty();
    let decisions = decisions(champions, champion).filter(|_| is_table)?;
    let before = before.and_then(|before| self::decisions(champions, before));
    Some(Portrait::Strategy(Strategy::new(
        decisions,
        &before.unwrap_or_default(),
    )))
}

/// The arena's judgment of all a champion does.
fn decisions(champions: &Champions, champion: &Champion) -> Option<Vec<Decision>> {
    let player = Player::new(champions.preset.genome.grow(&champion.genome));
    champions.arena.decisions(&player)
}
