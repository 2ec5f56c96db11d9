//! Mutations (Stanley & Miikkulainen 2002, §3.1 and §4.1). A mutation that is not possible leaves
//! the network unchanged.

use rand::RngExt;

use crate::genomes::innovations::provisional;
use crate::rng::Stream;

use super::{EdgeGene, Neat, NeatConfig, NodeGene};

/// How often two unconnected nodes are sought.
const TRIALS: usize = 20;

/// Mutates weights, then the structure.
pub(super) fn mutate(genome: &mut Neat, config: &NeatConfig, rng: &mut Stream) {
    if rng.random_bool(config.change_weights) {
        change_weights(genome, config, rng);
    }
    if rng.random_bool(config.add_edge) {
        add_edge(genome, config, rng);
    }
    if rng.random_bool(config.add_node) {
        add_node(genome, config, rng);
    }
    if rng.random_bool(config.change_function) {
        change_function(genome, config, rng);
    }
    if rng.random_bool(config.change_aggregation) {
        change_aggregation(genome, config, rng);
    }
}

/// A weight for an initial or new edge.
pub(super) fn random_weight(config: &NeatConfig, rng: &mut Stream) -> f32 {
    uniform(config.initial_weight, rng)
}

/// A number uniform within ± a bound.
fn uniform(bound: f64, rng: &mut Stream) -> f32 {
    (rng.random_range(-1.0..1.0) * bound) as f32
}

fn change_weights(genome: &mut Neat, config: &NeatConfig, rng: &mut Stream) {
    let bound = config.weight_bound as f32;
    for edge in &mut genome.edges {
        edge.weight = if rng.random_bool(config.new_weights) {
            random_weight(config, rng)
        } else {
            (edge.weight + uniform(config.weight_step, rng)).clamp(-bound, bound)
        };
    }
}

/// Connects two unconnected nodes, unless that would make a cycle.
fn add_edge(genome: &mut Neat, config: &NeatConfig, rng: &mut Stream) {
    let hidden = genome.hidden.len() as u32;
    // Sources are inputs, the bias and hidden nodes; targets are outputs and hidden nodes.
    let node = |place: u32, ends: u32, first: u32| match place.checked_sub(ends) {
        Some(place) => genome.hidden[place as usize].0,
        None => first + place,
    };
    let sources = genome.inputs + 1;
    let found = (0..TRIALS).find_map(|_| {
        let from = node(rng.random_range(0..sources + hidden), sources, 0);
        let place = rng.random_range(0..genome.outputs + hidden);
        let to = node(place, genome.outputs, genome.first_output());
        let is_free = !genome.is_joined(from, to) && !genome.leads_to(to, from);
        is_free.then_some((from, to))
    });
    if let Some((from, to)) = found {
        let weight = random_weight(config, rng);
        push_edge(genome, from, to, weight);
    }
}

fn push_edge(genome: &mut Neat, from: u32, to: u32, weight: f32) {
    let last = genome.edges.last().map(|edge| edge.number);
    genome.edges.push(EdgeGene {
        number: provisional(last),
        from,
        to,
        weight,
        is_enabled: true,
    });
}

/// Splits an enabled edge: disables it, and leads to a new node with weight 1 and from it with the
/// weight of the edge.
fn add_node(genome: &mut Neat, config: &NeatConfig, rng: &mut Stream) {
    let bias = genome.bias();
    let can_split = |(_, edge): &(usize, &EdgeGene)| edge.is_enabled && edge.from != bias;
    let edges = genome.edges.iter().enumerate().filter(can_split);
    let places: Vec<usize> = edges.map(|(place, _)| place).collect();
    let (Some(&aggregation), Some(&function)) =
        (config.aggregations.first(), config.functions.first())
    else {
        return;
    };
    if places.is_empty() {
        return;
    }
    let edge = &mut genome.edges[places[rng.random_range(0..places.len())]];
    edge.is_enabled = false;
    let split = *edge;
    let node = provisional(genome.hidden.last().map(|hidden| hidden.0));
    genome
        .hidden
        .push(NodeGene(node, split.number, aggregation, function));
    push_edge(genome, split.from, node, 1.0);
    push_edge(genome, node, split.to, split.weight);
}

fn change_function(genome: &mut Neat, config: &NeatConfig, rng: &mut Stream) {
    if let Some(node) = random_hidden(genome, rng) {
        let others = config.functions.iter().filter(|&&known| known != node.3);
        let others: Vec<_> = others.collect();
        if !others.is_empty() {
            node.3 = *others[rng.random_range(0..others.len())];
        }
    }
}

fn change_aggregation(genome: &mut Neat, config: &NeatConfig, rng: &mut Stream) {
    if let Some(node) = random_hidden(genome, rng) {
        let others = config.aggregations.iter().filter(|&&known| known != node.2);
        let others: Vec<_> = others.collect();
        if !others.is_empty() {
            node.2 = *others[rng.random_range(0..others.len())];
        }
    }
}

fn random_hidden<'a>(genome: &'a mut Neat, rng: &mut Stream) -> Option<&'a mut NodeGene> {
    let count = genome.hidden.len();
    (count > 0).then(|| &mut genome.hidden[rng.random_range(0..count)])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::genomes::capabilities::Activations;
    use crate::genomes::sparse::node_rule::{Aggregation, NodeFunction};
    use crate::genomes::{Genome, IoSpec};
    use crate::rng::{Purpose, stream};

    fn still() -> NeatConfig {
        NeatConfig {
            change_weights: 0.0,
            add_edge: 0.0,
            add_node: 0.0,
            ..NeatConfig::default()
        }
    }

    fn start(seed: u64) -> (Neat, Stream) {
        let mut rng = stream(seed, Purpose::Reproduction, 0, 0);
        let genome = Neat::random(&still(), &IoSpec::new(3, 2), &mut rng);
        (genome, rng)
    }

    #[test]
    fn a_split_edge_is_disabled_and_its_two_halves_carry_the_same_signal() {
        let config = NeatConfig {
            add_node: 1.0,
            functions: vec![NodeFunction::Linear],
            ..still()
        };
        let (mut genome, mut rng) = start(1);
        let output = |genome: &Neat| {
            let values = config.activations(genome, &IoSpec::new(3, 2), &[0.5, -1.0, 2.0]);
            values[values.len() - 2..].to_vec()
        };
        let before = (genome.clone(), output(&genome));
        genome.mutate(&config, &mut rng);
        assert_eq!(genome.edges.len(), before.0.edges.len() + 2);
        let disabled: Vec<&EdgeGene> = genome
            .edges
            .iter()
            .filter(|edge| !edge.is_enabled)
            .collect();
        let [split] = disabled[..] else {
            panic!("one edge is split: {genome:?}");
        };
        let node = genome.hidden[0];
        assert_eq!((node.1, node.3), (split.number, NodeFunction::Linear));
        let [into, out] = &genome.edges[genome.edges.len() - 2..] else {
            panic!("two edges are new");
        };
        assert_eq!((into.from, into.to, into.weight), (split.from, node.0, 1.0));
        assert_eq!(
            (out.from, out.to, out.weight),
            (node.0, split.to, split.weight)
        );
        for (old, new) in before.1.iter().zip(output(&genome)) {
            assert!((old - new).abs() < 1e-6);
        }
    }

    #[test]
    fn any_mix_of_mutations_keeps_the_network_valid_and_fills_it_to_the_last_edge() {
        let config = NeatConfig {
            add_edge: 1.0,
            add_node: 0.1,
            change_function: 0.1,
            change_aggregation: 0.1,
            functions: vec![NodeFunction::Tanh, NodeFunction::Sine],
            aggregations: vec![Aggregation::Sum, Aggregation::Product],
            ..NeatConfig::default()
        };
        let mut kinds = BTreeSet::new();
        for seed in 0..10 {
            let (mut genome, mut rng) = start(seed);
            for _ in 0..60 {
                genome.mutate(&config, &mut rng);
                assert_eq!(genome.validation_error(&IoSpec::new(3, 2)), None);
            }
            let hidden = genome.hidden.iter();
            kinds.extend(hidden.map(|node| (node.2 as u8, node.3 as u8)));
            let only_edges = NeatConfig {
                add_edge: 1.0,
                ..still()
            };
            for _ in 0..2000 {
                genome.mutate(&only_edges, &mut rng);
            }
            let nodes = genome.hidden.len();
            // Inputs and bias to hidden nodes and outputs, hidden nodes to outputs, and one edge
            // for each pair of hidden nodes.
            let most = 4 * (nodes + 2) + 2 * nodes + nodes * nodes.saturating_sub(1) / 2;
            assert!(
                genome.edges.len() * 100 >= most * 97,
                "{} of {most}",
                genome.edges.len()
            );
        }
        assert_eq!(kinds.len(), 4, "{kinds:?}");
    }

    #[test]
    fn shifted_weights_stay_within_their_bound() {
        let config = NeatConfig {
            change_weights: 1.0,
            new_weights: 0.0,
            weight_step: 3.0,
            weight_bound: 2.0,
            ..still()
        };
        let (mut genome, mut rng) = start(4);
        for _ in 0..50 {
            genome.mutate(&config, &mut rng);
        }
        assert!(genome.edges.iter().all(|edge| edge.weight.abs() <= 2.0));
        assert!(genome.edges.iter().any(|edge| edge.weight.abs() > 1.0));
    }
}
