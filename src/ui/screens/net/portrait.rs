//! What was found out about a champion: all that the screen draws, worked out once.

use std::sync::Arc;

use crate::arena::decisions::Decision;
use crate::arena::player::Player;
use crate::evolution::archive::Champion;
use crate::genomes::GenomeConfig;
use crate::ui::screens::champions::Champions;
use crate::ui::screens::first_layer::FirstLayer;
use crate::ui::screens::population::Exhibit;

use super::graph::Drawing;
use super::strategy::Strategy;
use super::units::Units;

/// A champion, or a member, that has been looked into.
pub(super) struct Found {
    pub(super) exhibit: Exhibit,
    /// The generation of the champion it is compared with.
    pub(super) before: Option<u64>,
    pub(super) portrait: Portrait,
}

/// A champion from the inside.
pub(super) enum Portrait {
    /// What a table plays in every position.
    Strategy(Strategy),
    /// What the first layer of a dense network makes of the board.
    Units(Units),
    /// Nodes and links.
    Graph(Drawing),
    /// There is nothing that could be drawn.
    Nothing,
}

impl Found {
    pub(super) fn new(
        champions: &Champions,
        exhibit: Exhibit,
        before: Option<Arc<Champion>>,
    ) -> Self {
        let champion = &exhibit.champion;
        let older = before.as_deref();
        let portrait = if champions.arena.ports().choices.is_empty() {
            units(champions, champion, older).unwrap_or_else(|| graph(champions, champion, older))
        } else {
            strategy(champions, champion, older).unwrap_or(Portrait::Nothing)
        };
        Self {
            before: before.map(|before| before.generation),
            portrait,
            exhibit,
        }
    }

    /// Who it is.
    pub(super) fn title(&self) -> String {
        let generation = self.generation();
        match self.exhibit.place {
            None => format!("The champion of generation {generation}"),
            Some(place) => format!("Member {} of generation {generation}", place + 1),
        }
    }

    pub(super) fn generation(&self) -> u64 {
        self.exhibit.champion.generation
    }
}

/// The strategy of a champion that is a table.
fn strategy(
    champions: &Champions,
    champion: &Champion,
    before: Option<&Champion>,
) -> Option<Portrait> {
    let decisions = decisions(champions, champion)?;
    let before = before.and_then(|before| self::decisions(champions, before));
    Some(Portrait::Strategy(Strategy::new(
        decisions,
        &before.unwrap_or_default(),
    )))
}

/// The first layer of a champion on the board.
fn units(
    champions: &Champions,
    champion: &Champion,
    before: Option<&Champion>,
) -> Option<Portrait> {
    let sheets = champions.arena.sheets();
    let mut layer = FirstLayer::of(&champion.genome, &sheets)?;
    if matches!(&champions.preset.genome, GenomeConfig::Mlp(mlp) if mlp.bypass) {
        layer = layer.with_bypass(champions.arena.ports().inputs);
    }
    let before = before.and_then(|before| FirstLayer::of(&before.genome, &sheets));
    let topology = champion.genome.topology();
    Some(Portrait::Units(Units::new(
        layer,
        topology,
        before.as_ref(),
    )))
}

/// The network of a champion.
fn graph(champions: &Champions, champion: &Champion, before: Option<&Champion>) -> Portrait {
    let genome = &champions.preset.genome;
    let before = before.map(|before| genome.sketch(&before.genome));
    Portrait::Graph(Drawing::new(
        &genome.sketch(&champion.genome),
        before.as_ref(),
        &champions.arena.sheets(),
    ))
}

/// The arena's judgment of all a champion does.
fn decisions(champions: &Champions, champion: &Champion) -> Option<Vec<Decision>> {
    let arena = &champions.arena;
    let player = Player::grown(&champions.preset.genome, arena.ports(), &champion.genome);
    arena.decisions(&player)
}
