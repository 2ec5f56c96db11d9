//! Crossover and mutations of a growing network (Kissling 2025, §2.3 and §3.1.3). A mutation that
//! is not possible, such as removing a node when there is none, leaves the network unchanged.

use rand::RngExt;

use crate::genomes::{distance, weighted};
use crate::rng::Stream;

use super::node_kind::NodeKind;
use super::{Edge, Graph, GraphConfig, random_weight};

/// An offspring with the nodes and edges of `one`. A bias comes from either parent if `other` has a
/// node with the same number, a weight if `other` has an edge between the same nodes. Inputs and
/// outputs are the same nodes in all networks. Hidden nodes are numbered by age, so that equal
/// numbers mean the same node only among close relatives.
pub(super) fn crossover(one: &Graph, other: &Graph, rng: &mut Stream) -> Graph {
    let mut offspring = one.clone();
    for (bias, &from_other) in offspring.biases.iter_mut().zip(&other.biases) {
        if rng.random() {
            *bias = from_other;
        }
    }
    let weights = EdgeWeights::of(other);
    for edge in &mut offspring.edges {
        if let Some(weight) = weights.between(edge)
            && rng.random()
        {
            edge.2 = weight;
        }
    }
    offspring
}

/// The weights of a network's edges, found by the nodes that they connect.
struct EdgeWeights<'a>(Vec<&'a Edge>);

impl<'a> EdgeWeights<'a> {
    fn of(graph: &'a Graph) -> Self {
        let mut edges: Vec<&Edge> = graph.edges.iter().collect();
        edges.sort_unstable_by_key(|edge| (edge.0, edge.1));
        Self(edges)
    }

    /// The weight of the edge between the same nodes as another edge.
    fn between(&self, other: &Edge) -> Option<f32> {
        let ends = (other.0, other.1);
        let place = self.0.binary_search_by_key(&ends, |edge| (edge.0, edge.1));
        place.ok().map(|place| self.0[place].2)
    }
}

/// How different two networks are.
pub(super) fn distance([one, other]: [&Graph; 2]) -> f64 {
    let weights = EdgeWeights::of(other);
    let shared = one.edges.iter();
    let shared = shared.filter_map(|edge| Some((edge.2, weights.between(edge)?)));
    let shared: Vec<(f32, f32)> = shared.collect();
    let counts = [one, other].map(|graph| graph.edges.len());
    let unshared = counts[0] + counts[1] - 2 * shared.len();
    let biases = one.biases.iter().copied().zip(other.biases.iter().copied());
    let difference = distance::mean_difference(shared.into_iter().chain(biases));
    distance::of_shapes(unshared as f64, counts, difference)
}

type GraphMutation = fn(&mut Graph, &GraphConfig, &mut Stream);

/// Applies one mutation, drawn by the configured weights; none if all weights are 0.
pub(super) fn mutate_once(graph: &mut Graph, config: &GraphConfig, rng: &mut Stream) {
    let table: [(f64, GraphMutation); 9] = [
        (config.change_weight, change_weight),
        (config.change_bias, change_bias),
        (config.shift_weight, shift_weight),
        (config.shift_bias, shift_bias),
        (config.add_edge, |graph, _, rng| add_edge(graph, rng)),
        (config.add_node, add_node),
        (config.remove_edge, |graph, _, rng| remove_edge(graph, rng)),
        (config.remove_node, |graph, _, rng| remove_node(graph, rng)),
        (config.change_kind, change_kind),
    ];
    if let Some(mutation) = weighted::draw(&table, rng) {
        mutation(graph, config, rng);
    }
}

fn change_weight(graph: &mut Graph, _: &GraphConfig, rng: &mut Stream) {
    if let Some(edge) = random_edge(graph, rng) {
        graph.edges[edge].2 = random_weight(rng);
    }
}

fn change_bias(graph: &mut Graph, config: &GraphConfig, rng: &mut Stream) {
    if let Some(node) = random_bias(graph, config, rng) {
        graph.biases[node] = random_weight(rng);
    }
}

fn shift_weight(graph: &mut Graph, config: &GraphConfig, rng: &mut Stream) {
    if let Some(edge) = random_edge(graph, rng) {
        let weight = &mut graph.edges[edge].2;
        *weight = shifted(*weight, config, rng);
    }
}

fn shift_bias(graph: &mut Graph, config: &GraphConfig, rng: &mut Stream) {
    if let Some(node) = random_bias(graph, config, rng) {
        graph.biases[node] = shifted(graph.biases[node], config, rng);
    }
}

/// A bias that may change; those of outputs come first.
fn random_bias(graph: &Graph, config: &GraphConfig, rng: &mut Stream) -> Option<usize> {
    let fixed = [graph.outputs as usize, 0][usize::from(config.output_biases)];
    let free = fixed..graph.biases.len();
    (!free.is_empty()).then(|| rng.random_range(free))
}

/// Adds ± r² with r uniform in 0..1, and clamps the result if a bound is configured.
fn shifted(value: f32, config: &GraphConfig, rng: &mut Stream) -> f32 {
    let r: f32 = rng.random();
    let step = if rng.random() { r * r } else { -r * r };
    match config.clamp {
        Some(bound) => (value + step).clamp(-bound as f32, bound as f32),
        None => value + step,
    }
}

fn random_edge(graph: &Graph, rng: &mut Stream) -> Option<usize> {
    let count = graph.edges.len();
    (count > 0).then(|| rng.random_range(0..count))
}

/// Connects two unconnected nodes of different layers. All such pairs are equally likely.
fn add_edge(graph: &mut Graph, rng: &mut Stream) {
    if let Some((from, to)) = unconnected_pair(graph, rng) {
        graph.edges.push(Edge(from, to, random_weight(rng)));
    }
}

/// Draws an unconnected pair by rejection sampling, which nearly always succeeds in a large
/// network, else from a list of all such pairs.
fn unconnected_pair(graph: &Graph, rng: &mut Stream) -> Option<(u32, u32)> {
    const TRIALS: usize = 16;
    let count = graph.layers.len() as u32;
    for _ in 0..TRIALS {
        let pair = (rng.random_range(0..count), rng.random_range(0..count));
        if can_join(graph, pair) {
            return Some(pair);
        }
    }
    let pairs = (0..count).flat_map(|from| (0..count).map(move |to| (from, to)));
    let free_pairs: Vec<(u32, u32)> = pairs.filter(|&pair| can_join(graph, pair)).collect();
    (!free_pairs.is_empty()).then(|| free_pairs[rng.random_range(0..free_pairs.len())])
}

fn can_join(graph: &Graph, (from, to): (u32, u32)) -> bool {
    let upward = graph.layers[from as usize] < graph.layers[to as usize];
    upward
        && !graph
            .edges
            .iter()
            .any(|edge| (edge.0, edge.1) == (from, to))
}

/// Splits an edge: replaces it by a new node with a random bias and two edges with random weights.
/// The node is in a random layer between the ends of the edge; if there is none, a new layer is
/// inserted.
fn add_node(graph: &mut Graph, config: &GraphConfig, rng: &mut Stream) {
    let Some(edge) = random_edge(graph, rng) else {
        return;
    };
    let Edge(from, to, _) = graph.edges.swap_remove(edge);
    let (low, high) = (graph.layers[from as usize], graph.layers[to as usize]);
    let layer = if high == low + 1 {
        for other in graph.layers.iter_mut().filter(|layer| **layer >= high) {
            *other += 1;
        }
        high
    } else {
        rng.random_range(low + 1..high)
    };
    let node = graph.layers.len() as u32;
    graph.layers.push(layer);
    graph.biases.push(random_weight(rng));
    if !graph.kinds.is_empty() {
        graph.kinds.push(NodeKind::Plain);
    }
    graph.set_kind(node as usize, NodeKind::draw(config, rng));
    graph.edges.push(Edge(from, node, random_weight(rng)));
    graph.edges.push(Edge(node, to, random_weight(rng)));
}

/// Gives a random hidden node a new kind.
fn change_kind(graph: &mut Graph, config: &GraphConfig, rng: &mut Stream) {
    let hidden = graph.first_hidden() as usize..graph.layers.len();
    if !hidden.is_empty() {
        graph.set_kind(rng.random_range(hidden), NodeKind::draw(config, rng));
    }
}

/// Removes an edge, unless an output would lose its last connection to the inputs.
fn remove_edge(graph: &mut Graph, rng: &mut Stream) {
    let Some(edge) = random_edge(graph, rng) else {
        return;
    };
    let before = count_connected_outputs(graph);
    let removed = graph.edges.swap_remove(edge);
    if count_connected_outputs(graph) < before {
        graph.edges.push(removed);
        let last = graph.edges.len() - 1;
        graph.edges.swap(edge, last);
    }
}

/// Removes a hidden node and its edges, unless an output would lose its last connection to the
/// inputs.
fn remove_node(graph: &mut Graph, rng: &mut Stream) {
    let first = graph.first_hidden();
    let count = graph.layers.len() as u32;
    if first == count {
        return;
    }
    let node = rng.random_range(first..count);
    let mut smaller = graph.clone();
    delete_hidden_node(&mut smaller, node);
    if count_connected_outputs(&smaller) == count_connected_outputs(graph) {
        *graph = smaller;
    }
}

/// Deletes a hidden node, closes the gap in the numbering, and removes its layer if it is now
/// empty.
fn delete_hidden_node(graph: &mut Graph, node: u32) {
    let layer = graph.layers.remove(node as usize);
    graph.biases.remove((node - graph.inputs) as usize);
    if !graph.kinds.is_empty() {
        graph.kinds.remove((node - graph.first_hidden()) as usize);
    }
    graph.edges.retain(|edge| edge.0 != node && edge.1 != node);
    for edge in &mut graph.edges {
        edge.0 -= u32::from(edge.0 > node);
        edge.1 -= u32::from(edge.1 > node);
    }
    if !graph.layers.contains(&layer) {
        for other in graph.layers.iter_mut().filter(|other| **other > layer) {
            *other -= 1;
        }
    }
}

/// The number of outputs that are connected to an input.
fn count_connected_outputs(graph: &Graph) -> usize {
    let mut edges: Vec<(u32, u32)> = graph.edges.iter().map(|edge| (edge.0, edge.1)).collect();
    edges.sort_unstable_by_key(|edge| graph.layers[edge.0 as usize]);
    let mut connected: Vec<bool> = (0..graph.layers.len() as u32)
        .map(|node| node < graph.inputs)
        .collect();
    for (from, to) in edges {
        connected[to as usize] |= connected[from as usize];
    }
    let (inputs, hidden) = (graph.inputs as usize, graph.first_hidden() as usize);
    connected[inputs..hidden]
        .iter()
        .filter(|&&connected| connected)
        .count()
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::genomes::{Genome, IoSpec};
    use crate::rng::{Purpose, stream};

    static IO_SPEC: LazyLock<IoSpec> = LazyLock::new(|| IoSpec::new(2, 3));

    fn only(set: impl Fn(&mut GraphConfig)) -> GraphConfig {
        let mut config = GraphConfig {
            min_mutations: 1,
            change_weight: 0.0,
            change_bias: 0.0,
            shift_weight: 0.0,
            shift_bias: 0.0,
            add_edge: 0.0,
            add_node: 0.0,
            ..GraphConfig::default()
        };
        set(&mut config);
        config
    }

    fn grown(config: &GraphConfig, mutations: usize, seed: u64) -> Graph {
        let mut rng = stream(seed, Purpose::Reproduction, 0, 0);
        let mut graph = Graph::random(config, &IO_SPEC, &mut rng);
        for _ in 0..mutations {
            graph.mutate(config, &mut rng);
        }
        graph
    }

    #[test]
    fn every_mix_of_mutations_keeps_the_network_valid() {
        let all = only(|config| {
            config.max_mutations = 3;
            config.change_weight = 1.0;
            config.shift_bias = 1.0;
            config.add_edge = 2.0;
            config.add_node = 2.0;
            config.remove_edge = 1.0;
            config.remove_node = 1.0;
            config.change_kind = 1.0;
            config.product_nodes = 1.0;
            config.cosine_nodes = 1.0;
        });
        for seed in 0..20 {
            let mut rng = stream(seed, Purpose::Reproduction, 0, 0);
            let mut graph = Graph::random(&all, &IO_SPEC, &mut rng);
            for _ in 0..200 {
                graph.mutate(&all, &mut rng);
                assert_eq!(graph.validation_error(&IO_SPEC), None, "{graph:?}");
                assert_eq!(
                    count_connected_outputs(&graph),
                    IO_SPEC.outputs,
                    "an output was cut off: {graph:?}"
                );
            }
            assert!(graph.topology().hidden_nodes() > 0);
        }
    }

    #[test]
    fn new_nodes_are_of_the_kinds_that_are_allowed_and_old_ones_stay_what_they_are() {
        let products = only(|config| {
            config.add_node = 1.0;
            config.product_nodes = 3.0;
            config.sine_nodes = 1.0;
        });
        let plain = grown(&only(|config| config.add_node = 1.0), 30, 1);
        assert!(plain.kinds.is_empty());
        let mut graph = plain.clone();
        let mut rng = stream(2, Purpose::Reproduction, 0, 0);
        for _ in 0..100 {
            graph.mutate(&products, &mut rng);
        }
        let (old, new) = graph.kinds.split_at(30);
        assert!(old.iter().all(|&kind| kind == NodeKind::Plain));
        let count = |kind| new.iter().filter(|known| **known == kind).count();
        let counts = [NodeKind::Plain, NodeKind::Product, NodeKind::Sine].map(count);
        assert_eq!(counts.iter().sum::<usize>(), 100);
        assert!(
            counts[1] > counts[0] + counts[2] && counts[2] > 5,
            "{counts:?}"
        );
        let changing = only(|config| {
            config.change_kind = 1.0;
            config.plain_nodes = 0.0;
            config.step_nodes = 1.0;
        });
        for _ in 0..2000 {
            graph.mutate(&changing, &mut rng);
        }
        assert!(graph.kinds.iter().all(|&kind| kind == NodeKind::Step));
    }

    type Set = fn(&mut GraphConfig);

    #[test]
    fn every_bias_and_weight_can_change() {
        let start = grown(&only(|config| config.add_node = 1.0), 4, 1);
        let kinds: [(Set, Set); 2] = [
            (
                |config| config.change_bias = 1.0,
                |config| config.shift_bias = 1.0,
            ),
            (
                |config| config.change_weight = 1.0,
                |config| config.shift_weight = 1.0,
            ),
        ];
        for (biases, pair) in [(true, kinds[0]), (false, kinds[1])] {
            for set in [pair.0, pair.1] {
                let config = only(set);
                let mut graph = start.clone();
                let mut rng = stream(2, Purpose::Reproduction, 0, 0);
                for _ in 0..400 {
                    graph.mutate(&config, &mut rng);
                }
                let same_biases = graph
                    .biases
                    .iter()
                    .zip(&start.biases)
                    .filter(|(a, b)| a.to_bits() == b.to_bits())
                    .count();
                let same_weights = graph
                    .edges
                    .iter()
                    .zip(&start.edges)
                    .filter(|(a, b)| a == b)
                    .count();
                let (moved, kept) = if biases {
                    (same_biases, same_weights)
                } else {
                    (same_weights, same_biases)
                };
                assert_eq!(moved, 0, "all of them are reached");
                assert!(kept > 0, "the others are left alone");
            }
        }
    }

    #[test]
    fn biases_of_outputs_stay_as_they_are_if_they_may_not_change() {
        for set in [(|config| config.change_bias = 1.0) as Set, |config| {
            config.shift_bias = 1.0;
        }] {
            let config = only(|config| {
                set(config);
                config.output_biases = false;
            });
            for hidden in [0, 3] {
                let start = grown(&only(|config| config.add_node = 1.0), hidden, 1);
                let mut graph = start.clone();
                let mut rng = stream(2, Purpose::Reproduction, 0, 0);
                for _ in 0..200 {
                    graph.mutate(&config, &mut rng);
                }
                let outputs = start.outputs as usize;
                assert_eq!(graph.biases[..outputs], start.biases[..outputs]);
                let pairs = graph.biases[outputs..].iter().zip(&start.biases[outputs..]);
                assert!(
                    pairs
                        .clone()
                        .all(|(one, other)| one.to_bits() != other.to_bits())
                );
                assert_eq!(pairs.count(), hidden);
            }
        }
    }

    #[test]
    fn a_split_edge_is_replaced_by_two_through_the_new_node() {
        let before = grown(&only(|config| config.add_node = 1.0), 0, 5);
        let after = grown(&only(|config| config.add_node = 1.0), 1, 5);
        assert_eq!(after.edges.len(), before.edges.len() + 1);
        assert_eq!(after.topology().layers, [2, 1, 3]);
        let gone: Vec<&Edge> = before
            .edges
            .iter()
            .filter(|edge| !after.edges.contains(edge))
            .collect();
        assert_eq!(gone.len(), 1);
        let node = after.first_hidden();
        assert!(
            after
                .edges
                .iter()
                .any(|edge| (edge.0, edge.1) == (gone[0].0, node))
        );
        assert!(
            after
                .edges
                .iter()
                .any(|edge| (edge.0, edge.1) == (node, gone[0].1))
        );
    }

    #[test]
    fn an_offspring_has_the_edges_of_its_first_parent_and_half_of_the_shared_weights_from_each() {
        let config = only(|config| config.add_node = 1.0);
        let (one, other) = (grown(&config, 40, 1), grown(&config, 40, 2));
        let offspring = crossover(&one, &other, &mut stream(3, Purpose::Reproduction, 0, 0));
        assert_eq!(offspring.validation_error(&IO_SPEC), None);
        assert_eq!(offspring.topology(), one.topology());
        let (mut mine, mut others) = (0, 0);
        for (bias, [one, other]) in offspring.biases.iter().zip(
            one.biases
                .iter()
                .zip(&other.biases)
                .map(|(one, other)| [one, other]),
        ) {
            mine += usize::from(bias.to_bits() == one.to_bits());
            others += usize::from(bias.to_bits() == other.to_bits());
        }
        assert_eq!(mine + others, offspring.biases.len());
        assert!(mine > 10 && others > 10, "{mine} and {others}");
        for (edge, before) in offspring.edges.iter().zip(&one.edges) {
            assert!(edge == before || other.edges.contains(edge), "{edge:?}");
        }
    }

    #[test]
    fn edges_are_added_until_every_pair_is_connected() {
        let mut graph = grown(&only(|config| config.add_node = 1.0), 3, 7);
        let mut rng = stream(8, Purpose::Reproduction, 0, 0);
        for _ in 0..200 {
            add_edge(&mut graph, &mut rng);
        }
        let layers = &graph.layers;
        let pairs = layers
            .iter()
            .flat_map(|low| layers.iter().filter(move |high| low < high))
            .count();
        assert_eq!(graph.edges.len(), pairs);
        assert_eq!(graph.validation_error(&IO_SPEC), None);
    }

    #[test]
    fn a_shift_stays_within_its_clamp_and_within_one() {
        let start = grown(&only(|_| ()), 0, 3);
        for (clamp, bound) in [(Some(1.0), 1.0), (None, f32::MAX)] {
            let config = only(|config| {
                config.shift_weight = 1.0;
                config.clamp = clamp;
            });
            let mut graph = start.clone();
            let mut rng = stream(9, Purpose::Reproduction, 0, 0);
            for _ in 0..300 {
                let before: Vec<f32> = graph.edges.iter().map(|edge| edge.2).collect();
                graph.mutate(&config, &mut rng);
                let moved = graph
                    .edges
                    .iter()
                    .zip(before)
                    .map(|(edge, before)| (edge.2 - before).abs());
                assert!(moved.fold(0.0, f32::max) <= 1.0);
                assert!(graph.edges.iter().all(|edge| edge.2.abs() <= bound));
            }
            let widest = graph
                .edges
                .iter()
                .map(|edge| edge.2.abs())
                .fold(0.0, f32::max);
            assert_eq!(
                widest > 1.0,
                clamp.is_none(),
                "without a clamp, weights leave -1..1"
            );
        }
    }
}
