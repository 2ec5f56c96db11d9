//! Crossover of networks of different shapes, and the distance between them: genes are lined up by
//! their innovation numbers (Stanley & Miikkulainen 2002, §3.2 and §3.3).

use std::cmp::Ordering;

use rand::RngExt;

use crate::genomes::Relative;
use crate::genomes::distance::per_gene;
use crate::rng::Stream;

use super::{EdgeGene, Neat, NeatConfig, NodeGene};

/// A gene of one parent or of both, which then have the same number.
#[derive(Clone, Copy)]
enum Lined<'a> {
    Both([&'a EdgeGene; 2]),
    /// Of the first (0) or the second (1).
    One(usize, &'a EdgeGene),
}

/// The genes of two genomes in the order of their numbers.
fn lined_up([one, other]: [&Neat; 2]) -> impl Iterator<Item = Lined<'_>> {
    let mut one = one.edges.iter().peekable();
    let mut other = other.edges.iter().peekable();
    std::iter::from_fn(move || {
        let order = match (one.peek(), other.peek()) {
            (Some(one), Some(other)) => one.number.cmp(&other.number),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return None,
        };
        match order {
            Ordering::Less => one.next().map(|gene| Lined::One(0, gene)),
            Ordering::Greater => other.next().map(|gene| Lined::One(1, gene)),
            Ordering::Equal => one
                .next()
                .zip(other.next())
                .map(|both| Lined::Both(both.into())),
        }
    })
}

/// The offspring of two parents. Identical parents have an identical offspring.
pub(super) fn crossover(
    parents: [&Neat; 2],
    rank: Relative,
    config: &NeatConfig,
    rng: &mut Stream,
) -> Neat {
    if parents[0] == parents[1] {
        return parents[0].clone();
    }
    let takes_mean = rng.random_bool(config.mean_weights);
    let mut offspring = Neat {
        hidden: Vec::new(),
        edges: Vec::with_capacity(parents[0].edges.len().max(parents[1].edges.len())),
        ..*parents[0]
    };
    // The genes that the fitter parent has can make no cycle; of those of equal parents, some are
    // inherited if they do not.
    let mut uncertain = Vec::new();
    for gene in lined_up(parents) {
        match gene {
            Lined::Both(both) => offspring
                .edges
                .push(inherited(both, takes_mean, config, rng)),
            Lined::One(parent, gene) => {
                let comes_from = match rank {
                    Relative::Fitter => parent == 0,
                    Relative::LessFit => parent == 1,
                    Relative::Equal => rng.random(),
                };
                let is_certain = rank != Relative::Equal;
                if comes_from && is_certain {
                    offspring.edges.push(kept(*gene, config, rng));
                } else if comes_from {
                    uncertain.push(kept(*gene, config, rng));
                }
            }
        }
    }
    for gene in uncertain {
        if !offspring.is_joined(gene.from, gene.to) && !offspring.leads_to(gene.to, gene.from) {
            offspring.edges.push(gene);
        }
    }
    offspring.edges.sort_unstable_by_key(|edge| edge.number);
    offspring.hidden = hidden_of(&offspring, parents, rng);
    offspring
}

/// A gene of both parents.
fn inherited(
    both: [&EdgeGene; 2],
    takes_mean: bool,
    config: &NeatConfig,
    rng: &mut Stream,
) -> EdgeGene {
    let weight = if takes_mean {
        f32::midpoint(both[0].weight, both[1].weight)
    } else {
        both[usize::from(rng.random::<bool>())].weight
    };
    let is_enabled =
        both.iter().all(|gene| gene.is_enabled) || !rng.random_bool(config.stay_disabled);
    EdgeGene {
        weight,
        is_enabled,
        ..*both[0]
    }
}

/// A gene of one parent.
fn kept(gene: EdgeGene, config: &NeatConfig, rng: &mut Stream) -> EdgeGene {
    EdgeGene {
        is_enabled: gene.is_enabled || !rng.random_bool(config.stay_disabled),
        ..gene
    }
}

/// The hidden nodes that the edges of an offspring need. A node of both parents comes from either.
fn hidden_of(offspring: &Neat, parents: [&Neat; 2], rng: &mut Stream) -> Vec<NodeGene> {
    let first = offspring.first_hidden();
    let ends = offspring.edges.iter().flat_map(|edge| [edge.from, edge.to]);
    let mut numbers: Vec<u32> = ends.filter(|&node| node >= first).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let gene = |parent: usize, node| {
        let place = parents[parent].place_of_hidden(node)?;
        Some(parents[parent].hidden[place])
    };
    let inherited = numbers.into_iter().filter_map(|node| {
        let from = usize::from(rng.random::<bool>());
        gene(from, node).or_else(|| gene(1 - from, node))
    });
    inherited.collect()
}

/// The compatibility distance.
pub(super) fn distance(genomes: [&Neat; 2], config: &NeatConfig) -> f64 {
    let [mut one, mut other] = genomes.map(|genome| &genome.edges[..]);
    let (mut disjoint, mut shared, mut difference) = (0_u32, 0_u32, 0.0);
    while let ([first, ..], [second, ..]) = (one, other) {
        // Which gene comes next can't be predicted, so there is no branch; adding 0 changes no sum.
        let order = first.number.cmp(&second.number);
        let gap = f64::from((first.weight - second.weight).abs());
        difference += if order.is_eq() { gap } else { 0.0 };
        shared += u32::from(order.is_eq());
        disjoint += u32::from(order.is_ne());
        one = &one[usize::from(order.is_le())..];
        other = &other[usize::from(order.is_ge())..];
    }
    // What is left of one of them is younger than all of the other.
    let excess = (one.len() + other.len()) as f64;
    let unshared = config.excess_weight * excess + config.disjoint_weight * f64::from(disjoint);
    let genes = genomes.map(|genome| genome.edges.len());
    let mean = difference / f64::from(shared.max(1));
    per_gene(unshared, genes) + config.difference_weight * mean
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::genomes::capabilities::{Distance, Markings};
    use crate::genomes::innovations::Innovations;
    use crate::genomes::sparse::node_rule::{Aggregation, NodeFunction};
    use crate::genomes::{Genome, IoSpec};
    use crate::rng::{Purpose, stream};

    /// The parents of the publication's figure 4: genes by number, with the disabled ones.
    fn figure(numbers: &[u32], disabled: &[u32], weight: f32, hidden: &[u32]) -> Neat {
        // Inputs 0 to 2, bias 3, output 4; the figure's nodes 5 and 6 are hidden.
        let ends = [
            (0, 4),
            (1, 4),
            (2, 4),
            (1, 5),
            (5, 4),
            (5, 6),
            (6, 4),
            (0, 5),
            (2, 5),
            (0, 6),
        ];
        let edge = |&number: &u32| EdgeGene {
            number,
            from: ends[number as usize - 1].0,
            to: ends[number as usize - 1].1,
            weight,
            is_enabled: !disabled.contains(&number),
        };
        let node = |&number: &u32| NodeGene(number, 2, Aggregation::Sum, NodeFunction::Tanh);
        Neat {
            inputs: 3,
            outputs: 1,
            hidden: hidden.iter().map(node).collect(),
            edges: numbers.iter().map(edge).collect(),
        }
    }

    fn parents() -> [Neat; 2] {
        let one = figure(&[1, 2, 3, 4, 5, 8], &[2], 1.0, &[5]);
        let other = figure(&[1, 2, 3, 4, 5, 6, 7, 9, 10], &[2, 5], -1.0, &[5, 6]);
        [one, other]
    }

    fn numbers(genome: &Neat) -> Vec<u32> {
        genome.edges.iter().map(|edge| edge.number).collect()
    }

    fn cross(rank: Relative, index: u64) -> Neat {
        let [one, other] = parents();
        let mut rng = stream(1, Purpose::Reproduction, 0, index);
        let config = NeatConfig::default();
        let offspring = one.crossover_ranked(&other, rank, &config, &mut rng);
        assert_eq!(offspring.validation_error(&IoSpec::new(3, 1)), None);
        offspring
    }

    #[test]
    fn genes_that_only_one_parent_has_come_from_the_fitter_one() {
        let [one, other] = parents();
        let mut flips = 0;
        for index in 0..400 {
            let first = cross(Relative::Fitter, index);
            assert_eq!(numbers(&first), numbers(&one));
            assert_eq!(numbers(&cross(Relative::LessFit, index)), numbers(&other));
            let weights = first.edges.iter().map(|edge| edge.weight);
            let shared = weights.take(5).filter(|&weight| weight > 0.0).count();
            assert!(shared <= 5);
            flips += shared;
            assert!(first.edges[0].is_enabled);
        }
        assert!(
            (900..1100).contains(&flips),
            "{flips} of 2000 come from the first"
        );
        let disabled =
            (0..400).filter(|&index| !cross(Relative::Fitter, index).edges[4].is_enabled);
        let disabled = disabled.count();
        assert!(
            (270..330).contains(&disabled),
            "{disabled} of 400 stay disabled"
        );
    }

    #[test]
    fn equally_fit_parents_pass_on_half_of_what_only_one_has() {
        let mut counts = [0; 11];
        for index in 0..400 {
            for number in numbers(&cross(Relative::Equal, index)) {
                counts[number as usize] += 1;
            }
        }
        assert!(
            counts[1..=5].iter().all(|&count| count == 400),
            "{counts:?}"
        );
        assert!(
            counts[6..=10]
                .iter()
                .all(|count| (150..250).contains(count)),
            "{counts:?}"
        );
    }

    #[test]
    fn the_distance_counts_excess_and_disjoint_genes_and_the_difference_of_weights() {
        let [one, other] = parents();
        // Genes 6, 7 and 8 are disjoint, 9 and 10 excess; the five others differ by 2.
        let weights = |excess, disjoint, difference| NeatConfig {
            excess_weight: excess,
            disjoint_weight: disjoint,
            difference_weight: difference,
            ..NeatConfig::default()
        };
        for (config, expected) in [
            (weights(1.0, 0.0, 0.0), 2.0),
            (weights(0.0, 1.0, 0.0), 3.0),
            (weights(0.0, 0.0, 1.0), 2.0),
            (NeatConfig::default(), 5.8),
        ] {
            assert!((config.distance(&one, &other) - expected).abs() < 1e-9);
            assert!((config.distance(&other, &one) - expected).abs() < 1e-9);
        }
        assert!(NeatConfig::default().distance(&one, &one).abs() < 1e-12);
    }

    #[test]
    fn edges_that_would_make_a_cycle_together_are_not_both_inherited() {
        let config = NeatConfig {
            add_edge: 1.0,
            add_node: 0.3,
            ..NeatConfig::default()
        };
        let io_spec = IoSpec::new(2, 2);
        let mut innovations = Innovations::default();
        let mut rng = stream(5, Purpose::Reproduction, 0, 0);
        let mut members: Vec<Neat> = (0..10)
            .map(|_| Neat::random(&config, &io_spec, &mut rng))
            .collect();
        for _ in 0..40 {
            let mut generation = innovations.of_generation();
            let crossed = (0..10).map(|place| {
                let [one, other] = [&members[place], &members[(place * 7 + 3) % 10]];
                let mut offspring = one.crossover(other, &config, &mut rng);
                offspring.mutate(&config, &mut rng);
                assert_eq!(offspring.validation_error(&io_spec), None);
                offspring
            });
            members = crossed.collect();
            for member in &mut members {
                config.number_new_genes(member, &mut generation);
                assert_eq!(member.validation_error(&io_spec), None);
            }
        }
        assert!(members[0].hidden.len() > 5);
    }
}
