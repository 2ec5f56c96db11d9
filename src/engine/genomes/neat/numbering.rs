//! Gives new genes their historical markings.

use crate::genomes::innovations::{GenerationInnovations, is_provisional};

use super::Neat;

/// Replaces provisional numbers. A node gets its number before the edges that lead to or from it,
/// since an edge is known by its ends.
pub(super) fn number_new_genes(genome: &mut Neat, innovations: &mut GenerationInnovations<'_>) {
    // Genes are sorted, so that those with provisional numbers come last.
    let nodes = genome
        .hidden
        .partition_point(|node| !is_provisional(node.0));
    let mut place = genome
        .edges
        .partition_point(|edge| !is_provisional(edge.number));
    let last_node = genome.hidden[..nodes].last().map_or(0, |node| node.0);
    let last_edge = genome.edges[..place].last().map_or(0, |edge| edge.number);
    innovations.above(last_node.max(genome.first_hidden() - 1), last_edge);
    if nodes == genome.hidden.len() && place == genome.edges.len() {
        return;
    }
    while place < genome.edges.len() {
        for end in [genome.edges[place].from, genome.edges[place].to] {
            number_node(genome, end, innovations);
        }
        let edge = genome.edges[place];
        let number = innovations.edge(edge.from, edge.to);
        renumber_edge(genome, edge.number, number);
        place += 1;
    }
    genome.hidden.sort_unstable_by_key(|node| node.0);
    genome.edges.sort_unstable_by_key(|edge| edge.number);
}

/// Numbers a node, unless it has a number. The edge that it splits is older than its own edges, so
/// that one has a number.
fn number_node(genome: &mut Neat, node: u32, innovations: &mut GenerationInnovations<'_>) {
    if !is_provisional(node) {
        return;
    }
    let place = genome.hidden.iter().position(|hidden| hidden.0 == node);
    let place = place.expect("the ends of edges are nodes");
    let is_taken = |number| genome.hidden.iter().any(|hidden| hidden.0 == number);
    let number = innovations.node(genome.hidden[place].1, is_taken);
    genome.hidden[place].0 = number;
    for edge in &mut genome.edges {
        for end in [&mut edge.from, &mut edge.to] {
            if *end == node {
                *end = number;
            }
        }
    }
}

/// Replaces the number of an edge, also where a node splits it.
fn renumber_edge(genome: &mut Neat, provisional: u32, number: u32) {
    for edge in &mut genome.edges {
        if edge.number == provisional {
            edge.number = number;
        }
    }
    for node in &mut genome.hidden {
        if node.1 == provisional {
            node.1 = number;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::genomes::capabilities::Activations;
    use crate::genomes::innovations::Innovations;
    use crate::genomes::neat::NeatConfig;
    use crate::genomes::{Genome, IoSpec};
    use crate::rng::{Purpose, stream};

    fn grown(seed: u64, rounds: usize) -> Neat {
        let config = NeatConfig {
            add_node: 0.5,
            add_edge: 0.5,
            ..NeatConfig::default()
        };
        let mut rng = stream(seed, Purpose::Reproduction, 0, 0);
        let mut genome = Neat::random(&config, &IoSpec::new(2, 1), &mut rng);
        for _ in 0..rounds {
            genome.mutate(&config, &mut rng);
        }
        genome
    }

    /// The structure without numbers.
    fn pattern(genome: &Neat) -> (usize, Vec<(f32, bool)>) {
        let mut edges: Vec<(f32, bool)> = (genome.edges.iter())
            .map(|edge| (edge.weight, edge.is_enabled))
            .collect();
        edges.sort_by(|a, b| a.partial_cmp(b).expect("weights are numbers"));
        (genome.hidden.len(), edges)
    }

    #[test]
    fn numbered_genomes_are_valid_and_compute_the_same() {
        let io_spec = IoSpec::new(2, 1);
        let mut innovations = Innovations::default();
        for rounds in [0, 1, 3, 40] {
            let mut generation = innovations.of_generation();
            for seed in 0..20 {
                let mut genome = grown(seed, rounds);
                let before = genome.clone();
                number_new_genes(&mut genome, &mut generation);
                assert_eq!(genome.validation_error(&io_spec), None, "{genome:?}");
                assert_eq!(pattern(&genome), pattern(&before));
                let nodes = genome.hidden.iter().map(|node| node.0);
                let splits = genome.hidden.iter().map(|node| node.1);
                let edges = genome.edges.iter().map(|edge| edge.number);
                assert!(!nodes.chain(splits).chain(edges).any(is_provisional));
                let config = NeatConfig::default();
                let values = |genome: &Neat| {
                    let values = config.activations(genome, &io_spec, &[0.3, -0.7]);
                    values.last().copied().expect("there is an output")
                };
                assert!((values(&genome) - values(&before)).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn twins_get_the_same_numbers_and_their_descendants_others() {
        let mut innovations = Innovations::default();
        let mut generation = innovations.of_generation();
        let [mut one, mut twin] = [grown(3, 12), grown(3, 12)];
        number_new_genes(&mut one, &mut generation);
        number_new_genes(&mut twin, &mut generation);
        assert_eq!(one, twin);
        assert!(!one.hidden.is_empty());
        let mut later = grown(3, 12);
        number_new_genes(&mut later, &mut innovations.of_generation());
        assert_ne!(one, later, "invented again in another generation");
    }
}
