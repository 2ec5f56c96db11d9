//! Networks of product units (sigma-pi networks; Rumelhart, Hinton & McClelland 1986; Durbin &
//! Rumelhart 1989). Inputs are small whole numbers, such as the sizes of heaps. A unit looks up a
//! factor for each of them in a table and multiplies the factors; an output is the weighted sum of
//! the units.

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::params::{ParamError, params};
use crate::rng::Stream;

use super::capabilities::{Capabilities, Distance, Numbers, Operations, UnitTables};
use super::distance::{self, mean_difference};
use super::network_graph::{NetworkEdge, NetworkGraph, NetworkNode};
use super::op_graph::OpGraph;
use super::unit_tables::TableUnit;
use super::weighted;
use super::{Brain, Genome, GenomeParams, IoSpec, Topology};

use self::network::ProductNetwork;

mod network;
mod ops;
#[cfg(test)]
mod tests;
mod variation;

/// The most inputs that a shared table is for. No game has nearly as many.
const MOST_INPUTS: usize = 1000;

params! {
    /// The number of product units, and their variation.
    pub struct SigmaPiConfig {
        /// Number of product units of a random network.
        fixed units: u32 = 24, in 1.0..=1000.0, "units";
        /// Most product units. Networks grow up to this number where units are added or doubled.
        fixed most_units: u32 = 64, in 1.0..=1000.0, "units";
        /// Whether a unit has one table for all inputs. What it learns about one heap then holds
        /// for all heaps, and a network plays with any number of them. Otherwise each input has a
        /// table of its own.
        fixed shared: bool = true;
        /// Fewest mutations per offspring.
        live min_mutations: u32 = 1, in 0.0..=1000.0, "per offspring";
        /// Most mutations per offspring. All numbers from the minimum to the maximum are equally
        /// likely.
        live max_mutations: u32 = 1, in 0.0..=1000.0, "per offspring";
        /// How often a mutation gives a factor a new random value. Raise it to escape a local
        /// optimum.
        live set_factor: f64 = 1.0, in 0.0..=1000.0, "weight";
        /// How often a mutation changes the sign of a factor.
        live flip_factor: f64 = 1.0, in 0.0..=1000.0, "weight";
        /// How often a mutation shifts a factor a little.
        live shift_factor: f64 = 1.0, in 0.0..=1000.0, "weight";
        /// How often a mutation shifts the weight of a unit a little.
        live shift_weight: f64 = 0.5, in 0.0..=1000.0, "weight";
        /// How often a mutation replaces a unit by a random one.
        live renew_unit: f64 = 0.3, in 0.0..=1000.0, "weight";
        /// How often a mutation adds a random unit.
        live add_unit: f64 = 0.0, in 0.0..=1000.0, "weight";
        /// How often a mutation doubles a unit. Both copies have half its weight, so that the
        /// outputs stay the same.
        live double_unit: f64 = 0.0, in 0.0..=1000.0, "weight";
        /// How often a mutation removes a unit, unless it is the last.
        live remove_unit: f64 = 0.0, in 0.0..=1000.0, "weight";
        /// How often a mutation copies the table of an input to another input of the same unit, as
        /// far as both have the same levels. What a unit learned about one heap then holds for
        /// another. Without tables of their own there is nothing to copy.
        live copy_table: f64 = 0.0, in 0.0..=1000.0, "weight";
        /// How often a mutation exchanges the factors of two levels of a table in all units. Levels
        /// that all units mistake for each other are set right at once.
        live swap_levels: f64 = 0.2, in 0.0..=1000.0, "weight";
        /// The largest shift. Smaller ones, up or down, are equally likely.
        live step: f64 = 0.5, in 0.0..=100.0;
    }
}

/// The largest absolute value of a factor. With larger ones a product over many inputs would drown
/// all others.
const LARGEST_FACTOR: f32 = 1.0;

/// The largest absolute value of the weight of a unit.
const LARGEST_WEIGHT: f32 = 1000.0;

/// The genome: tables of factors and weights of product units.
///
/// Invariant: there is a unit, and every unit has a factor for each level of each table and a
/// weight for each output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SigmaPi {
    /// Whether the first table serves all inputs.
    shared: bool,
    /// The number of levels of each table: an input with as many levels is 0 or more, and less than
    /// this.
    levels: Vec<u16>,
    /// The number of inputs where the network evolved.
    inputs: usize,
    units: Vec<ProductUnit>,
}

/// A product unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProductUnit {
    /// The factors of all tables, one table after the other, by level. That of level 0 is 1: what
    /// is not there changes no product.
    factors: Vec<f32>,
    /// From the unit to each output.
    weights: Vec<f32>,
}

/// The levels of the tables of a network with these inputs.
fn table_levels(io_spec: &IoSpec, shared: bool) -> Vec<u16> {
    if shared {
        vec![io_spec.inputs.levels.iter().copied().max().unwrap_or(1)]
    } else {
        io_spec.inputs.levels.to_vec()
    }
}

impl ProductUnit {
    /// Random signs.
    fn random(levels: &[u16], outputs: usize, rng: &mut Stream) -> Self {
        let mut factors = Vec::new();
        for &levels in levels {
            factors.push(1.0);
            factors.extend((1..levels).map(|_| if rng.random() { 1.0 } else { -1.0 }));
        }
        let weights = (0..outputs).map(|_| rng.random_range(-1.0..=1.0)).collect();
        Self { factors, weights }
    }
}

impl SigmaPi {
    /// Where the table of an input begins among the factors of a unit.
    fn table_start(&self, input: usize) -> usize {
        let before = if self.shared { 0 } else { input };
        let lengths = self.levels[..before].iter();
        lengths.map(|&levels| usize::from(levels)).sum()
    }

    /// The number of levels of the table of an input.
    fn level_count(&self, input: usize) -> usize {
        usize::from(self.levels[if self.shared { 0 } else { input }])
    }

    /// The numbers that can change: of each unit the factors of levels above 0, then the weights.
    fn free_numbers(&mut self) -> impl Iterator<Item = &mut f32> {
        let tables = self.levels.iter();
        let is_free = tables.flat_map(|&levels| (0..levels).map(|level| level > 0));
        let is_free: Vec<bool> = is_free.collect();
        self.units.iter_mut().flat_map(move |unit| {
            let factors = unit.factors.iter_mut().zip(is_free.clone());
            let factors = factors.filter_map(|(factor, is_free)| is_free.then_some(factor));
            factors.chain(&mut unit.weights)
        })
    }
}

impl Genome for SigmaPi {
    type Config = SigmaPiConfig;

    fn random(config: &SigmaPiConfig, io_spec: &IoSpec, rng: &mut Stream) -> Self {
        let levels = table_levels(io_spec, config.shared);
        let units = (0..config.units)
            .map(|_| ProductUnit::random(&levels, io_spec.outputs, rng))
            .collect();
        Self {
            shared: config.shared,
            levels,
            inputs: io_spec.inputs.count,
            units,
        }
    }

    fn crossover(&self, other: &Self, _config: &SigmaPiConfig, rng: &mut Stream) -> Self {
        variation::crossover(self, other, rng)
    }

    fn mutate(&mut self, config: &SigmaPiConfig, rng: &mut Stream) {
        let limits = [config.min_mutations, config.max_mutations];
        for _ in 0..weighted::count(limits, rng) {
            variation::mutate_once(self, config, rng);
        }
    }

    fn grow(&self, _config: &SigmaPiConfig, io_spec: &IoSpec) -> Box<dyn Brain> {
        Box::new(ProductNetwork::new(self, io_spec))
    }

    fn topology(&self) -> Topology {
        let (inputs, units) = (self.inputs, self.units.len());
        let outputs = self.units[0].weights.len();
        Topology {
            layers: vec![inputs, units, outputs],
            edges: units * (inputs + outputs),
        }
    }

    /// The edge from an input to a unit has the mean factor of the levels above 0.
    fn network_graph(&self, _config: &SigmaPiConfig) -> NetworkGraph {
        let layers = self.topology().layers;
        let (inputs, units) = (layers[0], layers[1]);
        let mut edges = Vec::new();
        for (at, unit) in self.units.iter().enumerate() {
            for input in 0..inputs {
                let start = self.table_start(input);
                let factors = &unit.factors[start + 1..start + self.level_count(input)];
                let weight = factors.iter().sum::<f32>() / factors.len().max(1) as f32;
                let (from, to) = (input, inputs + at);
                edges.push(NetworkEdge { from, to, weight });
            }
            for (output, &weight) in unit.weights.iter().enumerate() {
                let (from, to) = (inputs + at, inputs + units + output);
                edges.push(NetworkEdge { from, to, weight });
            }
        }
        NetworkGraph {
            nodes: NetworkNode::of_layers(&layers),
            edges,
        }
    }

    fn capabilities(config: &SigmaPiConfig) -> Capabilities<'_> {
        Capabilities {
            // No mutation changes the number of units.
            keeps_size: config.add_unit + config.double_unit + config.remove_unit <= 0.0,
            distance: Some(config),
            numbers: Some(config),
            operations: Some(config),
            unit_tables: Some(config),
            ..Capabilities::default()
        }
    }

    fn validation_error(&self, io_spec: &IoSpec) -> Option<String> {
        let factors: usize = self.levels.iter().map(|&levels| usize::from(levels)).sum();
        if self.units.is_empty() || self.levels.is_empty() || self.levels.contains(&0) {
            return Some("the network has no units, or no tables".to_owned());
        }
        if !self.shared && self.inputs != self.levels.len() {
            return Some("each input needs a table of its own".to_owned());
        }
        if self.inputs > MOST_INPUTS {
            return Some(format!(
                "it has {} inputs, at most {MOST_INPUTS} fit",
                self.inputs
            ));
        }
        let fits = |unit: &ProductUnit| {
            let values = || unit.factors.iter().chain(&unit.weights);
            unit.factors.len() == factors
                && unit.weights.len() == io_spec.outputs
                && values().all(|value| value.is_finite())
        };
        if !self.units.iter().all(fits) {
            return Some(format!(
                "a unit needs {factors} factors and {} weights, all finite",
                io_spec.outputs
            ));
        }
        if io_spec.inputs.levels.is_empty() {
            return Some(
                "the network looks up whole numbers, but the inputs are not such".to_owned(),
            );
        }
        let needed = table_levels(io_spec, self.shared);
        let fits = needed.len() == self.levels.len()
            && if self.shared {
                needed <= self.levels
            } else {
                needed == self.levels
            };
        (!fits).then(|| {
            format!(
                "the network has tables for {:?} levels, {needed:?} are needed",
                self.levels
            )
        })
    }

    fn problems(config: &SigmaPiConfig) -> Vec<ParamError> {
        let (units, most) = (config.units, config.most_units);
        let message = format!("must be at most most_units ({most}), is {units}");
        let problem = (units > most).then(|| ParamError::new("units", message));
        let limits = [config.min_mutations, config.max_mutations];
        let problems = problem.into_iter().chain(weighted::count_problem(limits));
        problems.collect()
    }

    fn io_problems(_config: &SigmaPiConfig, io_spec: &IoSpec) -> Vec<ParamError> {
        if io_spec.inputs.levels.is_empty() {
            let message =
                "needs inputs that are small whole numbers; try game: nim, agent: one_ply";
            return vec![ParamError::new("", message)];
        }
        Vec::new()
    }
}

impl GenomeParams for SigmaPiConfig {
    type Genome = SigmaPi;
}

/// By how many units only one of them has, and the mean difference of the factors and weights of
/// both. Units are matched by their places.
impl Distance<SigmaPi> for SigmaPiConfig {
    fn distance(&self, one: &SigmaPi, other: &SigmaPi) -> f64 {
        let counts = [one, other].map(|genome| genome.units.len());
        let pairs = one.units.iter().zip(&other.units);
        let numbers = |unit: &ProductUnit| [&unit.factors[..], &unit.weights].concat();
        let pairs = pairs.flat_map(|(one, other)| numbers(one).into_iter().zip(numbers(other)));
        let difference = mean_difference(pairs);
        distance::of_shapes(counts[0].abs_diff(counts[1]) as f64, counts, difference)
    }
}

impl Numbers<SigmaPi> for SigmaPiConfig {
    fn numbers(&self, genome: &SigmaPi) -> Vec<f32> {
        let mut genome = genome.clone();
        genome.free_numbers().map(|number| *number).collect()
    }

    fn set_numbers(&self, genome: &mut SigmaPi, numbers: &[f32]) {
        for (own, &number) in genome.free_numbers().zip(numbers) {
            *own = number;
        }
    }
}

impl Operations<SigmaPi> for SigmaPiConfig {
    fn ops(&self, genome: &SigmaPi, io_spec: &IoSpec) -> Option<OpGraph> {
        Some(ProductNetwork::new(genome, io_spec).ops())
    }
}

impl UnitTables<SigmaPi> for SigmaPiConfig {
    fn unit_tables(&self, genome: &SigmaPi) -> Vec<TableUnit> {
        let table = |unit: &ProductUnit, input: usize| {
            let start = genome.table_start(input);
            unit.factors[start..start + genome.level_count(input)].to_vec()
        };
        let inputs = 0..genome.levels.len();
        let unit = |unit: &ProductUnit| TableUnit {
            weight: unit.weights[0],
            tables: inputs.clone().map(|input| table(unit, input)).collect(),
        };
        genome.units.iter().map(unit).collect()
    }
}
