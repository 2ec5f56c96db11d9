//! Everything the screen draws of a champion, computed once.

use std::borrow::Cow;
use std::sync::Arc;

use crate::model::champions::Champions;
use crate::model::champions::InspectedPlayer;
use crate::screens::first_layer::FirstLayerMaps;
use finches_engine::evolution::archive::Champion;
use finches_engine::genomes::{AnyGenome, GenomeConfig};
use finches_engine::play::decisions::Decision;
use finches_engine::play::phenotype::Phenotype;

use super::graph::NetworkDrawing;
use super::layer_nodes::LayerNodes;
use super::strategy::Strategy;
use super::table_units::TableUnits;

/// An inspected champion or member.
pub(super) struct Inspection {
    pub(super) player: InspectedPlayer,
    /// The generation of the champion it is compared with.
    pub(super) compared_with: Option<u64>,
    pub(super) genome_view: GenomeView,
}

/// The view that suits the genome.
pub(super) enum GenomeView {
    /// What a lookup table plays in each position.
    Strategy(Strategy),
    /// The first layer of a dense network, drawn on the board.
    LayerNodes(LayerNodes),
    /// The tables of units that look up a number for each input.
    TableUnits(TableUnits),
    /// Nodes and edges.
    Graph(NetworkDrawing),
    /// The genome cannot be drawn.
    Nothing,
}

impl Inspection {
    pub(super) fn new(
        champions: &Champions,
        player: InspectedPlayer,
        before: Option<Arc<Champion>>,
    ) -> Self {
        let champion = &player.champion;
        let older = before.as_deref();
        let genome_view = if champions.arena.io_spec().choice_counts.is_empty() {
            layer_nodes(champions, champion, older)
                .or_else(|| table_units(champions, champion, older))
                .unwrap_or_else(|| graph(champions, champion, older))
        } else {
            strategy(champions, champion, older).unwrap_or(GenomeView::Nothing)
        };
        Self {
            compared_with: before.map(|before| before.generation),
            genome_view,
            player,
        }
    }

    /// The player's title.
    pub(super) fn title(&self) -> String {
        let generation = self.generation();
        match self.player.member {
            None => format!("The champion of generation {generation}"),
            Some(place) => format!("Member {} of generation {generation}", place + 1),
        }
    }

    pub(super) fn generation(&self) -> u64 {
        self.player.champion.generation
    }
}

/// The strategy of a lookup table.
fn strategy(
    champions: &Champions,
    champion: &Champion,
    before: Option<&Champion>,
) -> Option<GenomeView> {
    let decisions = decisions(champions, champion)?;
    let before = before.and_then(|before| self::decisions(champions, before));
    Some(GenomeView::Strategy(Strategy::new(
        decisions,
        &before.unwrap_or_default(),
    )))
}

/// The first layer of a dense network.
fn layer_nodes(
    champions: &Champions,
    champion: &Champion,
    before: Option<&Champion>,
) -> Option<GenomeView> {
    let planes = &champions.arena.info().input_planes;
    let io_spec = champions.arena.io_spec();
    let maps = |champion: &Champion| {
        let genome = learned(champions, champion);
        FirstLayerMaps::of(&champions.preset.genome, &genome, io_spec, planes)
    };
    let mut layer = maps(champion)?;
    if matches!(&champions.preset.genome, GenomeConfig::Mlp(mlp) if mlp.bypass) {
        layer = layer.with_bypass(io_spec.inputs.count);
    }
    let before = before.and_then(maps);
    let topology = champion.genome.topology();
    Some(GenomeView::LayerNodes(LayerNodes::new(
        layer,
        topology,
        before.as_ref(),
    )))
}

/// The tables of a network whose units have some.
fn table_units(
    champions: &Champions,
    champion: &Champion,
    before: Option<&Champion>,
) -> Option<GenomeView> {
    let known = champions.preset.genome.capabilities().unit_tables?;
    let units = known.unit_tables(&champion.genome);
    let before = before.map(|before| known.unit_tables(&before.genome));
    Some(GenomeView::TableUnits(TableUnits::new(
        units,
        before.as_deref(),
    )))
}

/// The network as a graph.
fn graph(champions: &Champions, champion: &Champion, before: Option<&Champion>) -> GenomeView {
    let genome = &champions.preset.genome;
    let before = before.map(|before| genome.network_graph(&learned(champions, before)));
    GenomeView::Graph(NetworkDrawing::new(
        &genome.network_graph(&learned(champions, champion)),
        before.as_ref(),
        &champions.arena.info().input_planes,
    ))
}

/// The genome of the network that plays.
fn learned<'a>(champions: &Champions, champion: &'a Champion) -> Cow<'a, AnyGenome> {
    let io_spec = champions.arena.io_spec();
    (champions.preset.genome).learned(&champion.genome, io_spec)
}

/// The champion's decision in every position, judged by the oracle.
fn decisions(champions: &Champions, champion: &Champion) -> Option<Vec<Decision>> {
    let arena = &champions.arena;
    let player = Phenotype::grown(&champions.preset.genome, arena.io_spec(), &champion.genome);
    arena.decisions(&player)
}
