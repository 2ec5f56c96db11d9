//! A strategy written down: for each position the move to make. It is for small games whose positions are numbered; what
//! grows from it looks the move up (Hynek, "Genetic Algorithm Implementation").

use std::sync::Arc;

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::params::{Problem, params};
use crate::rng::Stream;

use super::crossover::Crossover;
use super::sketch::{Node, Sketch};
use super::{Brain, Genome, Ports, Scratch, Sight, Topology};

params! {
    /// How tables vary.
    pub struct TableConfig {
        /// How the tables of two parents become a child's.
        live crossover: Crossover = Crossover::TwoPoint;
        /// Chance of each gene of a child to be drawn anew. Raise it against a local minimum.
        live mutation_rate: f64 = 0.005, in 0.0..=1.0, "chance";
    }
}

/// The genome: for each position, by number, the place of a move among the legal ones.
///
/// Invariant: each gene is below the number of choices at its place, or 0 where there are none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    genes: Vec<u16>,
    /// How many moves each position has.
    choices: Arc<[u16]>,
}

/// Any move of so many.
fn fresh(choices: u16, rng: &mut Stream) -> u16 {
    if choices > 1 {
        rng.random_range(0..choices)
    } else {
        0
    }
}

impl Genome for Table {
    type Config = TableConfig;

    fn random(_config: &TableConfig, ports: &Ports, rng: &mut Stream) -> Self {
        Self {
            genes: ports
                .choices
                .iter()
                .map(|&choices| fresh(choices, rng))
                .collect(),
            choices: Arc::clone(&ports.choices),
        }
    }

    fn cross(&self, other: &Self, config: &TableConfig, rng: &mut Stream) -> Self {
        let mut child = self.clone();
        let length = self.genes.len().min(other.genes.len());
        if length == 0 {
            return child;
        }
        if let Some(cut) = config.crossover.cut(length, rng) {
            child.genes[cut.clone()].copy_from_slice(&other.genes[cut]);
        } else {
            for (gene, &other) in child.genes.iter_mut().zip(&other.genes) {
                *gene = if rng.random() { *gene } else { other };
            }
        }
        child
    }

    fn mutate(&mut self, config: &TableConfig, rng: &mut Stream) {
        for (gene, &choices) in self.genes.iter_mut().zip(self.choices.iter()) {
            if rng.random_bool(config.mutation_rate) {
                *gene = fresh(choices, rng);
            }
        }
    }

    fn grow(&self, _config: &TableConfig, _ports: &Ports) -> Box<dyn Brain> {
        Box::new(Book(self.genes.clone()))
    }

    /// A table is no network: it has what goes in and what comes out, and nothing between.
    fn topology(&self) -> Topology {
        Topology {
            layers: vec![1, 1],
            edges: 0,
        }
    }

    fn sketch(&self, _config: &Self::Config) -> Sketch {
        let node = |layer| Node {
            layer,
            place: 0,
            bias: 0.0,
        };
        Sketch {
            nodes: vec![node(0), node(1)],
            links: Vec::new(),
        }
    }

    fn fault(&self, ports: &Ports) -> Option<String> {
        if self.choices != ports.choices || self.genes.len() != self.choices.len() {
            return Some(format!(
                "the table has {} positions, {} are needed",
                self.genes.len(),
                ports.choices.len()
            ));
        }
        let fits = |(&gene, &choices): (&u16, &u16)| gene < choices.max(1);
        let genes = self.genes.iter().zip(self.choices.iter());
        let place = genes.map(fits).position(|fits| !fits)?;
        let (gene, choices) = (self.genes[place], self.choices[place]);
        Some(format!(
            "position {place} has {choices} moves, the table names move {gene}, counted from 0"
        ))
    }

    fn problems(_config: &TableConfig) -> Vec<Problem> {
        Vec::new()
    }

    fn misfits(_config: &TableConfig, ports: &Ports) -> Vec<Problem> {
        if ports.choices.is_empty() {
            let message =
                "a table needs positions to be looked up by their numbers; try agent: lookup";
            vec![Problem::new("", message.to_owned())]
        } else {
            Vec::new()
        }
    }
}

/// The table as a brain: the input is the number of a position, the output the place of the move.
struct Book(Vec<u16>);

impl Brain for Book {
    fn think(&self, sight: Sight<'_>, _scratch: &mut Scratch, out: &mut Vec<f32>) {
        out.clear();
        out.extend((0..sight.ends.len()).map(|row| {
            let mut changes = sight.row(row).iter();
            let changed = changes.find(|change| change.0 == 0);
            let input = changed.map_or(sight.base[0], |&(_, value)| value);
            self.0.get(input as usize).map_or(-1.0, |&gene| gene.into())
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, stream};

    fn tables() -> [Table; 2] {
        let choices: Arc<[u16]> = vec![5; 40].into();
        [0, 4].map(|gene| Table {
            genes: vec![gene; 40],
            choices: Arc::clone(&choices),
        })
    }

    /// How often the source changes along a child of a table of 0s and one of 4s.
    fn changes(crossover: Crossover, index: u64) -> usize {
        let [zeros, fours] = tables();
        let config = TableConfig {
            crossover,
            ..TableConfig::default()
        };
        let mut rng = stream(1, Purpose::Breeding, 0, index);
        let child = zeros.cross(&fours, &config, &mut rng);
        assert!(child.genes.iter().all(|gene| [0, 4].contains(gene)));
        child
            .genes
            .windows(2)
            .filter(|pair| pair[0] != pair[1])
            .count()
    }

    #[test]
    fn crossover_cuts_as_often_as_its_name_says() {
        let most = |crossover| (0..200).map(|index| changes(crossover, index)).max();
        assert_eq!(most(Crossover::OnePoint), Some(1));
        assert_eq!(most(Crossover::TwoPoint), Some(2));
        assert!(most(Crossover::Uniform) > Some(15));
    }

    #[test]
    fn mutation_draws_as_many_genes_anew_as_its_rate_says() {
        let config = TableConfig {
            mutation_rate: 0.25,
            ..TableConfig::default()
        };
        let mut changed = 0;
        for index in 0..500 {
            let [mut table, _] = tables();
            table.mutate(&config, &mut stream(2, Purpose::Breeding, 0, index));
            changed += table.genes.iter().filter(|&&gene| gene != 0).count();
        }
        // A fresh gene is the old one in one case of five.
        let expected = 500.0 * 40.0 * 0.25 * 0.8;
        assert!((changed as f64 / expected - 1.0).abs() < 0.05, "{changed}");
    }
}
