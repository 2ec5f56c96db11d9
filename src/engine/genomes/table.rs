//! A strategy table: the move to make in each position, for small games whose positions are
//! numbered (Hynek, "Genetic Algorithm Implementation").

use std::sync::Arc;

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::params::{ParamError, params};
use crate::rng::Stream;

use super::capabilities::{Capabilities, Distance, Operations};
use super::crossover::GeneCrossover;
use super::distance::mean_difference;
use super::network_graph::{NetworkGraph, NetworkNode};
use super::op_graph::{Op, OpGraph};
use super::{Brain, Genome, GenomeParams, InputBatch, IoSpec, Scratch, Topology};

params! {
    /// Crossover and mutation of strategy tables.
    pub struct TableConfig {
        /// How the tables of two parents are combined.
        live crossover: GeneCrossover = GeneCrossover::TwoPoint;
        /// Probability that a gene of an offspring is replaced by a random one. Raise it to escape
        /// a local optimum.
        live mutation_rate: f64 = 0.005, in 0.0..=1.0, "chance";
    }
}

/// The genome: for each position, the index of a legal move.
///
/// Invariant: each gene is below the number of moves in its position, or 0 if there are none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrategyTable {
    genes: Vec<u16>,
    /// The number of moves in each position.
    choices: Arc<[u16]>,
}

/// A random move index below `choices`.
fn random_gene(choices: u16, rng: &mut Stream) -> u16 {
    if choices > 1 {
        rng.random_range(0..choices)
    } else {
        0
    }
}

impl Genome for StrategyTable {
    type Config = TableConfig;

    fn random(_config: &TableConfig, io_spec: &IoSpec, rng: &mut Stream) -> Self {
        Self {
            genes: io_spec
                .choice_counts
                .iter()
                .map(|&choices| random_gene(choices, rng))
                .collect(),
            choices: Arc::clone(&io_spec.choice_counts),
        }
    }

    fn crossover(&self, other: &Self, config: &TableConfig, rng: &mut Stream) -> Self {
        let mut offspring = self.clone();
        let length = self.genes.len().min(other.genes.len());
        if length == 0 {
            return offspring;
        }
        if let Some(cut) = config.crossover.cut(length, rng) {
            offspring.genes[cut.clone()].copy_from_slice(&other.genes[cut]);
        } else {
            for (gene, &other) in offspring.genes.iter_mut().zip(&other.genes) {
                *gene = if rng.random() { *gene } else { other };
            }
        }
        offspring
    }

    fn mutate(&mut self, config: &TableConfig, rng: &mut Stream) {
        for (gene, &choices) in self.genes.iter_mut().zip(self.choices.iter()) {
            if rng.random_bool(config.mutation_rate) {
                *gene = random_gene(choices, rng);
            }
        }
    }

    fn grow(&self, _config: &TableConfig, _ports: &IoSpec) -> Box<dyn Brain> {
        Box::new(TableLookup(self.genes.clone()))
    }

    /// A table is not a network: it has one input, one output and no edges.
    fn topology(&self) -> Topology {
        Topology {
            layers: vec![1, 1],
            edges: 0,
        }
    }

    fn network_graph(&self, _config: &Self::Config) -> NetworkGraph {
        NetworkGraph {
            nodes: NetworkNode::of_layers(&[1, 1]),
            edges: Vec::new(),
        }
    }

    fn capabilities(config: &TableConfig) -> Capabilities<'_> {
        Capabilities {
            keeps_size: true,
            distance: Some(config),
            operations: Some(config),
            ..Capabilities::default()
        }
    }

    fn validation_error(&self, io_spec: &IoSpec) -> Option<String> {
        if self.choices != io_spec.choice_counts || self.genes.len() != self.choices.len() {
            return Some(format!(
                "the table has {} positions, {} are needed",
                self.genes.len(),
                io_spec.choice_counts.len()
            ));
        }
        let fits = |(&gene, &choices): (&u16, &u16)| gene < choices.max(1);
        let genes = self.genes.iter().zip(self.choices.iter());
        let position = genes.map(fits).position(|fits| !fits)?;
        let (gene, choices) = (self.genes[position], self.choices[position]);
        Some(format!(
            "position {position} has {choices} moves, the table names move {gene}, counted from 0"
        ))
    }

    fn io_problems(_config: &TableConfig, io_spec: &IoSpec) -> Vec<ParamError> {
        if io_spec.choice_counts.is_empty() {
            let message =
                "a table needs an agent that looks up positions by number; try agent: lookup";
            vec![ParamError::new("", message.to_owned())]
        } else {
            Vec::new()
        }
    }
}

impl GenomeParams for TableConfig {
    type Genome = StrategyTable;
}

/// The share of positions with different moves.
impl Distance<StrategyTable> for TableConfig {
    fn distance(&self, one: &StrategyTable, other: &StrategyTable) -> f64 {
        let pairs = one.genes.iter().zip(&other.genes);
        mean_difference(pairs.map(|(one, other)| (0.0, f32::from(u8::from(one != other)))))
    }
}

impl Operations<StrategyTable> for TableConfig {
    fn ops(&self, genome: &StrategyTable, _io_spec: &IoSpec) -> Option<OpGraph> {
        let mut graph = OpGraph::new(1);
        let input = graph.input();
        let position = graph.whole(input, genome.genes.len() as f32);
        let moves = genome.genes.iter().map(|&gene| f32::from(gene));
        let beyond = -1.0;
        graph.output = graph.push(Op::Lookup(position, moves.chain([beyond]).collect()));
        Some(graph)
    }
}

/// The table as a brain: the input is the number of a position, the output the index of the move,
/// or −1 if there is none.
struct TableLookup(Vec<u16>);

impl Brain for TableLookup {
    fn forward(&self, batch: InputBatch<'_>, _scratch: &mut Scratch, out: &mut Vec<f32>) {
        out.clear();
        out.extend((0..batch.ends.len()).map(|row| {
            let mut changes = batch.row_changes(row).iter();
            let changed = changes.find(|change| change.0 == 0);
            let input = changed.map_or(batch.base[0], |&(_, value)| value);
            self.0.get(input as usize).map_or(-1.0, |&gene| gene.into())
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, stream};

    fn tables() -> [StrategyTable; 2] {
        let choices: Arc<[u16]> = vec![5; 40].into();
        [0, 4].map(|gene| StrategyTable {
            genes: vec![gene; 40],
            choices: Arc::clone(&choices),
        })
    }

    /// How often the source parent changes along the offspring of a table of 0s and a table of 4s.
    fn changes(crossover: GeneCrossover, index: u64) -> usize {
        let [zeros, fours] = tables();
        let config = TableConfig {
            crossover,
            ..TableConfig::default()
        };
        let mut rng = stream(1, Purpose::Reproduction, 0, index);
        let offspring = zeros.crossover(&fours, &config, &mut rng);
        assert!(offspring.genes.iter().all(|gene| [0, 4].contains(gene)));
        offspring
            .genes
            .windows(2)
            .filter(|pair| pair[0] != pair[1])
            .count()
    }

    #[test]
    fn crossover_cuts_as_often_as_its_name_says() {
        let most = |crossover| (0..200).map(|index| changes(crossover, index)).max();
        assert_eq!(most(GeneCrossover::OnePoint), Some(1));
        assert_eq!(most(GeneCrossover::TwoPoint), Some(2));
        assert!(most(GeneCrossover::Uniform) > Some(15));
    }

    #[test]
    fn mutation_replaces_genes_at_its_rate() {
        let config = TableConfig {
            mutation_rate: 0.25,
            ..TableConfig::default()
        };
        let mut changed = 0;
        for index in 0..500 {
            let [mut table, _] = tables();
            table.mutate(&config, &mut stream(2, Purpose::Reproduction, 0, index));
            changed += table.genes.iter().filter(|&&gene| gene != 0).count();
        }
        // A fresh gene is the old one in one case of five.
        let expected = 500.0 * 40.0 * 0.25 * 0.8;
        assert!((changed as f64 / expected - 1.0).abs() < 0.05, "{changed}");
    }
}
