//! The mutations of a growing network (Kissling 2025, §2.3 and §3.1.3). A mutation that finds nothing to do, such as the
//! removal of a node where there is none, leaves the network as it is.

use rand::RngExt;

use crate::rng::Stream;

use super::{Edge, Graph, GraphConfig, fresh};

/// A child with the nodes and edges of `one`. A bias comes from either parent where `other` has a node of the same number, a
/// weight where it has an edge between nodes of the same numbers. Inputs and outputs are the same nodes in all networks;
/// hidden ones are numbered by age, so that the same number means the same node only among near relatives.
pub(super) fn crossed(one: &Graph, other: &Graph, rng: &mut Stream) -> Graph {
    let mut child = one.clone();
    for (bias, &from_other) in child.biases.iter_mut().zip(&other.biases) {
        if rng.random() {
            *bias = from_other;
        }
    }
    let mut known: Vec<&Edge> = other.edges.iter().collect();
    known.sort_unstable_by_key(|edge| (edge.0, edge.1));
    for edge in &mut child.edges {
        let place = known.binary_search_by_key(&(edge.0, edge.1), |edge| (edge.0, edge.1));
        if let Ok(place) = place
            && rng.random()
        {
            edge.2 = known[place].2;
        }
    }
    child
}

type Mutation = fn(&mut Graph, &GraphConfig, &mut Stream);

/// Makes one mutation, drawn by the configured weights; none where they are all 0.
pub(super) fn mutate_once(graph: &mut Graph, config: &GraphConfig, rng: &mut Stream) {
    let table: [(f64, Mutation); 8] = [
        (config.change_weight, change_weight),
        (config.change_bias, change_bias),
        (config.shift_weight, shift_weight),
        (config.shift_bias, shift_bias),
        (config.add_edge, |graph, _, rng| add_edge(graph, rng)),
        (config.add_node, |graph, _, rng| add_node(graph, rng)),
        (config.remove_edge, |graph, _, rng| remove_edge(graph, rng)),
        (config.remove_node, |graph, _, rng| remove_node(graph, rng)),
    ];
    let total: f64 = table.iter().map(|(weight, _)| weight).sum();
    if total <= 0.0 {
        return;
    }
    let mut dart = rng.random_range(0.0..total);
    for (weight, mutation) in table {
        if dart < weight {
            return mutation(graph, config, rng);
        }
        dart -= weight;
    }
}

fn change_weight(graph: &mut Graph, _: &GraphConfig, rng: &mut Stream) {
    if let Some(edge) = some_edge(graph, rng) {
        graph.edges[edge].2 = fresh(rng);
    }
}

fn change_bias(graph: &mut Graph, _: &GraphConfig, rng: &mut Stream) {
    let node = rng.random_range(0..graph.biases.len());
    graph.biases[node] = fresh(rng);
}

fn shift_weight(graph: &mut Graph, config: &GraphConfig, rng: &mut Stream) {
    if let Some(edge) = some_edge(graph, rng) {
        let weight = &mut graph.edges[edge].2;
        *weight = shifted(*weight, config, rng);
    }
}

fn shift_bias(graph: &mut Graph, config: &GraphConfig, rng: &mut Stream) {
    let node = rng.random_range(0..graph.biases.len());
    graph.biases[node] = shifted(graph.biases[node], config, rng);
}

/// Adds ± r² with r uniform in 0..1, within the clamp if there is one.
fn shifted(value: f32, config: &GraphConfig, rng: &mut Stream) -> f32 {
    let r: f32 = rng.random();
    let step = if rng.random() { r * r } else { -r * r };
    match config.clamp {
        Some(bound) => (value + step).clamp(-bound as f32, bound as f32),
        None => value + step,
    }
}

fn some_edge(graph: &Graph, rng: &mut Stream) -> Option<usize> {
    let count = graph.edges.len();
    (count > 0).then(|| rng.random_range(0..count))
}

/// Joins two unconnected nodes of different layers, all such pairs being equally likely.
fn add_edge(graph: &mut Graph, rng: &mut Stream) {
    if let Some((from, to)) = unconnected_pair(graph, rng) {
        graph.edges.push(Edge(from, to, fresh(rng)));
    }
}

/// Draws a pair by trial, which nearly always succeeds at once in a large network, and by listing all pairs where it does not.
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
    let open: Vec<(u32, u32)> = pairs.filter(|&pair| can_join(graph, pair)).collect();
    (!open.is_empty()).then(|| open[rng.random_range(0..open.len())])
}

fn can_join(graph: &Graph, (from, to): (u32, u32)) -> bool {
    let upward = graph.layers[from as usize] < graph.layers[to as usize];
    upward
        && !graph
            .edges
            .iter()
            .any(|edge| (edge.0, edge.1) == (from, to))
}

/// Splits an edge: it goes, and a new node with a random bias and two edges with random weights comes, in a random layer
/// between its ends; where these are neighbors, a new layer is made for it.
fn add_node(graph: &mut Graph, rng: &mut Stream) {
    let Some(edge) = some_edge(graph, rng) else {
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
    graph.biases.push(fresh(rng));
    graph.edges.push(Edge(from, node, fresh(rng)));
    graph.edges.push(Edge(node, to, fresh(rng)));
}

/// Removes an edge if every output that an input reached is still reached by one.
fn remove_edge(graph: &mut Graph, rng: &mut Stream) {
    let Some(edge) = some_edge(graph, rng) else {
        return;
    };
    let before = fed_outputs(graph);
    let removed = graph.edges.swap_remove(edge);
    if fed_outputs(graph) < before {
        graph.edges.push(removed);
        let last = graph.edges.len() - 1;
        graph.edges.swap(edge, last);
    }
}

/// Removes a hidden node with its edges if every output that an input reached is still reached by one.
fn remove_node(graph: &mut Graph, rng: &mut Stream) {
    let first = graph.first_hidden();
    let count = graph.layers.len() as u32;
    if first == count {
        return;
    }
    let node = rng.random_range(first..count);
    let mut smaller = graph.clone();
    cut_out(&mut smaller, node);
    if fed_outputs(&smaller) == fed_outputs(graph) {
        *graph = smaller;
    }
}

/// Takes a hidden node out, closes the gap in the numbering, and drops its layer if it was alone there.
fn cut_out(graph: &mut Graph, node: u32) {
    let layer = graph.layers.remove(node as usize);
    graph.biases.remove((node - graph.inputs) as usize);
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

/// How many outputs some input leads to.
fn fed_outputs(graph: &Graph) -> usize {
    let mut edges: Vec<(u32, u32)> = graph.edges.iter().map(|edge| (edge.0, edge.1)).collect();
    edges.sort_unstable_by_key(|edge| graph.layers[edge.0 as usize]);
    let mut fed: Vec<bool> = (0..graph.layers.len() as u32)
        .map(|node| node < graph.inputs)
        .collect();
    for (from, to) in edges {
        fed[to as usize] |= fed[from as usize];
    }
    let (inputs, hidden) = (graph.inputs as usize, graph.first_hidden() as usize);
    fed[inputs..hidden].iter().filter(|&&fed| fed).count()
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::genomes::{Genome, Ports};
    use crate::rng::{Purpose, stream};

    static PORTS: LazyLock<Ports> = LazyLock::new(|| Ports::new(2, 3));

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
        let mut rng = stream(seed, Purpose::Breeding, 0, 0);
        let mut graph = Graph::random(config, &PORTS, &mut rng);
        for _ in 0..mutations {
            graph.mutate(config, &mut rng);
        }
        graph
    }

    #[test]
    fn every_mix_of_mutations_keeps_the_network_sound() {
        let all = only(|config| {
            config.max_mutations = 3;
            config.change_weight = 1.0;
            config.shift_bias = 1.0;
            config.add_edge = 2.0;
            config.add_node = 2.0;
            config.remove_edge = 1.0;
            config.remove_node = 1.0;
        });
        for seed in 0..20 {
            let mut rng = stream(seed, Purpose::Breeding, 0, 0);
            let mut graph = Graph::random(&all, &PORTS, &mut rng);
            for _ in 0..200 {
                graph.mutate(&all, &mut rng);
                assert_eq!(graph.fault(&PORTS), None, "{graph:?}");
                assert_eq!(
                    fed_outputs(&graph),
                    PORTS.outputs,
                    "an output was cut off: {graph:?}"
                );
            }
            assert!(graph.topology().hidden_nodes() > 0);
        }
    }

    type Set = fn(&mut GraphConfig);

    #[test]
    fn every_bias_and_weight_that_counts_can_change() {
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
                let mut rng = stream(2, Purpose::Breeding, 0, 0);
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
    fn a_child_of_two_has_the_first_ones_edges_and_about_half_of_its_shared_weights_from_each() {
        let config = only(|config| config.add_node = 1.0);
        let (one, other) = (grown(&config, 40, 1), grown(&config, 40, 2));
        let child = crossed(&one, &other, &mut stream(3, Purpose::Breeding, 0, 0));
        assert_eq!(child.fault(&PORTS), None);
        assert_eq!(child.topology(), one.topology());
        let (mut mine, mut others) = (0, 0);
        for (bias, [one, other]) in child.biases.iter().zip(
            one.biases
                .iter()
                .zip(&other.biases)
                .map(|(one, other)| [one, other]),
        ) {
            mine += usize::from(bias.to_bits() == one.to_bits());
            others += usize::from(bias.to_bits() == other.to_bits());
        }
        assert_eq!(mine + others, child.biases.len());
        assert!(mine > 10 && others > 10, "{mine} and {others}");
        for (edge, before) in child.edges.iter().zip(&one.edges) {
            assert!(edge == before || other.edges.contains(edge), "{edge:?}");
        }
    }

    #[test]
    fn edges_are_added_until_every_pair_is_joined() {
        let mut graph = grown(&only(|config| config.add_node = 1.0), 3, 7);
        let mut rng = stream(8, Purpose::Breeding, 0, 0);
        for _ in 0..200 {
            add_edge(&mut graph, &mut rng);
        }
        let layers = &graph.layers;
        let pairs = layers
            .iter()
            .flat_map(|low| layers.iter().filter(move |high| low < high))
            .count();
        assert_eq!(graph.edges.len(), pairs);
        assert_eq!(graph.fault(&PORTS), None);
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
            let mut rng = stream(9, Purpose::Breeding, 0, 0);
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
