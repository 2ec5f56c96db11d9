//! The size of networks, in the population and of the champion.

use crate::genomes::AnyGenome;
use crate::play::pool::Pool;

use super::{ColumnPage, Measure};

const POPULATION: Option<ColumnPage> = ColumnPage::shared(
    11,
    "size of the population's networks",
    "hidden layers, and nodes in one of them",
);

/// The mean number of hidden layers.
pub const HIDDEN_LAYERS: Measure = Measure {
    name: "hidden_layers",
    short: "layers",
    unit: "layers",
    help: "Mean number of hidden layers in the population.",
    page: POPULATION,
    figure: |run| Some(run.hidden_size.0),
    ..Measure::PLAIN
};

/// The mean number of nodes in a hidden layer.
pub const HIDDEN_NODES: Measure = Measure {
    name: "hidden_nodes_per_layer",
    short: "nodes per layer",
    unit: "nodes",
    help: "Mean number of nodes in a hidden layer, over the population.",
    page: POPULATION,
    figure: |run| Some(run.hidden_size.1),
    ..Measure::PLAIN
};

/// The nodes of the champion.
pub const NODES: Measure = Measure {
    name: "champion_nodes",
    short: "nodes",
    unit: "nodes",
    help: "Nodes of the champion's network, inputs and outputs included.",
    page: None,
    figure: |run| Some(run.finished.champion.genome.topology().nodes() as f64),
    ..Measure::PLAIN
};

/// The edges of the champion.
pub const EDGES: Measure = Measure {
    name: "champion_edges",
    short: "edges",
    unit: "edges",
    help: "Edges of the champion's network.",
    page: None,
    figure: |run| Some(run.finished.champion.genome.topology().edges as f64),
    ..Measure::PLAIN
};

/// The mean number of hidden layers and of nodes per hidden layer of some networks. One without
/// hidden layers counts as 0 nodes.
pub(super) fn mean_hidden(pool: &Pool, members: &[AnyGenome]) -> (f64, f64) {
    let size = |(): &mut (), member: usize| {
        let topology = members[member].topology();
        let layers = topology.hidden_layers() as f64;
        let nodes = topology.hidden_nodes() as f64;
        (layers, if layers > 0.0 { nodes / layers } else { 0.0 })
    };
    let sizes = pool.map_with(members.len(), || (), size);
    let count = members.len() as f64;
    let layers: f64 = sizes.iter().map(|size| size.0).sum();
    let nodes: f64 = sizes.iter().map(|size| size.1).sum();
    (layers / count, nodes / count)
}
