//! N-tuple networks: a tuple is a few squares of a board whose pieces together select an entry of a
//! table, and the value of a position is the sum of the entries of all tuples (Bledsoe & Browning
//! 1959; for Reversi Buro 1997, "Experiments with Multi-ProbCut and a New High-Quality Evaluation
//! Function for Othello", and Lucas 2008). A tuple looks at the board from all sides: symmetric
//! places share its table. Straight tuples of one length in all places are systematic n-tuple
//! networks (Jaśkowski 2014).

use std::iter::repeat_n;

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::board_geometry::BoardGeometry;
use crate::params::{ParamError, params};
use crate::rng::Stream;

use super::capabilities::{
    Activations, Capabilities, Distance, FirstLayerWeights, Numbers, Operations, Training,
};
use super::distance;
use super::mlp::noise::{Noise, Sampler};
use super::network_graph::{NetworkEdge, NetworkGraph, NetworkNode};
use super::op_graph::OpGraph;
use super::shared_list::SharedList;
use super::training_set::TrainingSet;
use super::{Brain, FirstLayerNode, Genome, GenomeParams, IoSpec, Topology};

use self::block::LARGEST_TABLE;
use self::network::TupleNetwork;
use self::shapes::{Sharing, Tuple};

mod block;
mod layout;
mod learning;
mod merge;
mod network;
mod on_board;
mod ops;
mod rows;
mod shapes;
#[cfg(test)]
mod tests;

params! {
    /// The tuples of a network, and the variation of their tables.
    pub struct NTuplesConfig {
        /// Squares of a straight tuple. There is one in every place and direction; symmetric places
        /// share a table. 0 means none. A table has at most 65,535 entries: those of six squares in
        /// draughts, of eight in Reversi.
        fixed length: u32 = 2, in 0.0..=8.0, "squares";
        /// Squares of the shortest straight tuples: with 2 and a length of 4 there are tuples of 2,
        /// 3 and 4 squares. The tables of tuples with more squares than this begin with zeros. 0
        /// means that all have `length` squares.
        fixed shortest: u32 = 0, in 0.0..=8.0, "squares";
        /// Whether there are also tuples of 2×2 squares.
        fixed squares: bool = false;
        /// Further tuples by their squares, such as "a1 b1 a2 b2", at most ten; a1 is the upper
        /// left corner. Symmetric places share their tables.
        fixed tuples: Vec<String> = Vec::new();
        /// Squares of further straight tuples, one in each direction, of this length and of all
        /// shorter ones. All places on the board share its table: one square counts the pieces of
        /// each kind. 0 means none.
        fixed everywhere: u32 = 0, in 0.0..=8.0, "squares";
        /// Stages of the game, by the number of pieces on the board, with tables of their own.
        fixed stages: u32 = 1, in 1.0..=16.0, "stages";
        /// Whether a board seen from the other side has the opposite value. Values after own moves
        /// and after those of the opponent can then be compared, as a search of several depths
        /// needs.
        fixed antisymmetric: bool = false;
        /// Standard deviation of the entries of random tables.
        fixed initial: f64 = 0.1, in 0.0..=1000.0;
        /// Share of the entries that a mutation changes.
        live rate: f64 = 0.1, in 0.0..=1.0, "share";
        /// Standard deviation of the change of an entry.
        live step: f64 = 0.1, in 0.0..=1000.0;
    }
}

/// The largest absolute value of an entry.
const LARGEST_ENTRY: f32 = 1000.0;

/// The most entries of all tables.
const MOST_ENTRIES: usize = 2_000_000;

/// The genome: tuples and the entries of their tables.
///
/// Invariant: every stage has an entry for all values of the squares of each tuple.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NTuples {
    /// The number of inputs.
    inputs: u32,
    /// The number of values of an input.
    levels: u8,
    stages: u32,
    /// The inputs of each tuple in one of its places, the least significant digit first.
    tuples: Vec<Tuple>,
    /// How many of the tuples, the last ones, share their tables everywhere on the board.
    #[serde(default)]
    everywhere: u32,
    /// The tables of the tuples, one after the other, and that for each stage.
    entries: SharedList,
}

impl NTuplesConfig {
    /// The tuples that share their tables with symmetric places, and those that share them
    /// everywhere.
    fn tuples(&self, geometry: &BoardGeometry) -> [Vec<Tuple>; 2] {
        let mut symmetric = Vec::new();
        let shortest = if self.shortest == 0 {
            self.length.max(1)
        } else {
            self.shortest
        };
        let lengths = shortest..=self.length;
        symmetric.extend(
            lengths.flat_map(|length| shapes::straight(geometry, length, Sharing::Symmetric)),
        );
        if self.squares {
            symmetric.extend(shapes::squares(geometry));
        }
        let named = self.tuples.iter();
        symmetric.extend(named.filter_map(|squares| shapes::named(geometry, squares).ok()));
        let lengths = 1..=self.everywhere;
        let everywhere =
            lengths.flat_map(|length| shapes::straight(geometry, length, Sharing::Everywhere));
        [symmetric, everywhere.collect()]
    }
}

impl NTuples {
    /// The tuples, each with the places that share its table.
    fn shared_tuples(&self) -> impl Iterator<Item = (&Tuple, Sharing)> {
        let symmetric = self.tuples.len().saturating_sub(self.everywhere as usize);
        let tuples = self.tuples.iter().enumerate();
        tuples.map(move |(at, tuple)| {
            let sharing = if at < symmetric {
                Sharing::Symmetric
            } else {
                Sharing::Everywhere
            };
            (tuple, sharing)
        })
    }

    /// The number of entries of a tuple's table.
    fn table_len(&self, tuple: &Tuple) -> usize {
        usize::from(self.levels).saturating_pow(tuple.len() as u32)
    }

    /// The number of entries of all tables of a stage.
    fn stage_len(&self) -> usize {
        let lengths = self.tuples.iter().map(|tuple| self.table_len(tuple));
        lengths.fold(0, usize::saturating_add)
    }

    /// The table of a tuple in each stage, of the entries of all.
    fn tables<'a>(
        &self,
        entries: &'a [f32],
        start: usize,
        tuple: &Tuple,
    ) -> impl Iterator<Item = &'a [f32]> {
        let len = self.table_len(tuple);
        let stages = entries.chunks(self.stage_len());
        stages.map(move |stage| &stage[start..start + len])
    }

    /// How much more the highest value of a tuple's digit is worth than the lowest, on average over
    /// the other digits and the stages.
    fn mean_effect(&self, entries: &[f32], start: usize, tuple: &Tuple, digit: usize) -> f32 {
        let levels = usize::from(self.levels);
        let power = levels.pow(digit as u32);
        let (mut sum, mut count) = (0.0, 0.0);
        for table in self.tables(entries, start, tuple) {
            for (index, &entry) in table.iter().enumerate() {
                match index / power % levels {
                    0 => sum -= entry,
                    level if level + 1 == levels => sum += entry,
                    _ => continue,
                }
                count += 0.5;
            }
        }
        sum / count
    }
}

fn bounded(entry: f32) -> f32 {
    entry.clamp(-LARGEST_ENTRY, LARGEST_ENTRY)
}

impl Genome for NTuples {
    type Config = NTuplesConfig;

    fn random(config: &NTuplesConfig, io_spec: &IoSpec, rng: &mut Stream) -> Self {
        let geometry = io_spec.inputs.board.as_deref();
        let tuples = geometry.map(|geometry| config.tuples(geometry));
        let [symmetric, everywhere] = tuples.unwrap_or_default();
        let mut genome = Self {
            inputs: io_spec.inputs.count as u32,
            levels: geometry.map_or(1, |geometry| geometry.levels),
            stages: config.stages,
            everywhere: everywhere.len() as u32,
            tuples: [symmetric, everywhere].concat(),
            entries: SharedList::default(),
        };
        let count = genome.stage_len() * config.stages as usize;
        let mut noise = Sampler::new(Noise::Normal, config.initial);
        let entries = (0..count).map(|_| bounded(noise.draw(rng) as f32));
        let mut entries: Vec<f32> = entries.collect();
        let steps = config.refinement(&genome);
        for (entry, step) in entries.iter_mut().zip(steps) {
            if step > 0 {
                *entry = 0.0;
            }
        }
        genome.entries = genome.entries.with(&entries);
        genome
    }

    /// Each entry comes from either parent.
    fn crossover(&self, other: &Self, _config: &NTuplesConfig, rng: &mut Stream) -> Self {
        let pairs = self.entries.iter().zip(other.entries.iter());
        let entries = pairs.map(|(own, others)| if rng.random() { own } else { others });
        Self {
            entries: self.entries.with(&entries.collect::<Vec<f32>>()),
            ..self.clone()
        }
    }

    fn mutate(&mut self, config: &NTuplesConfig, rng: &mut Stream) {
        let mut noise = Sampler::new(Noise::Normal, config.step);
        let mut entries = self.entries.to_vec();
        for entry in &mut entries {
            if rng.random_bool(config.rate) {
                *entry = bounded(*entry + noise.draw(rng) as f32);
            }
        }
        self.entries = self.entries.with(&entries);
    }

    fn grow(&self, config: &NTuplesConfig, io_spec: &IoSpec) -> Box<dyn Brain> {
        let geometry = io_spec.inputs.board.as_deref();
        let geometry = geometry.expect("a valid network of tuples has a board");
        Box::new(TupleNetwork::new(self, geometry, config))
    }

    /// A hidden node for each tuple.
    fn topology(&self) -> Topology {
        let squares: usize = self.tuples.iter().map(Vec::len).sum();
        Topology {
            layers: vec![self.inputs as usize, self.tuples.len(), 1],
            edges: squares + self.tuples.len(),
        }
    }

    /// Each tuple in one of its places. The edge from a square to a tuple is what the highest value
    /// of the square is worth more than the lowest, on average; that from a tuple to the output is
    /// 1.
    fn network_graph(&self, _config: &NTuplesConfig) -> NetworkGraph {
        let layers = self.topology().layers;
        let (inputs, output) = (layers[0], layers[0] + layers[1]);
        let entries = self.entries.to_vec();
        let (mut edges, mut start) = (Vec::new(), 0);
        for (at, tuple) in self.tuples.iter().enumerate() {
            let hidden = inputs + at;
            for (digit, &input) in tuple.iter().enumerate() {
                edges.push(NetworkEdge {
                    from: input as usize,
                    to: hidden,
                    weight: self.mean_effect(&entries, start, tuple, digit),
                });
            }
            edges.push(NetworkEdge {
                from: hidden,
                to: output,
                weight: 1.0,
            });
            start += self.table_len(tuple);
        }
        NetworkGraph {
            nodes: NetworkNode::of_layers(&layers),
            edges,
        }
    }

    fn capabilities(config: &NTuplesConfig) -> Capabilities<'_> {
        Capabilities {
            keeps_size: true,
            distance: Some(config),
            numbers: Some(config),
            training: Some(config),
            operations: Some(config),
            activations: Some(config),
            first_layer: Some(config),
            ..Capabilities::default()
        }
    }

    fn validation_error(&self, io_spec: &IoSpec) -> Option<String> {
        let Some(geometry) = io_spec.inputs.board.as_deref() else {
            return Some("the network looks at squares of a board, but there is none".to_owned());
        };
        if (self.inputs as usize, self.levels) != (io_spec.inputs.count, geometry.levels)
            || io_spec.outputs != 1
        {
            return Some(format!(
                "the network has {} inputs of {} values and 1 output, {} of {} and {} are needed",
                self.inputs, self.levels, io_spec.inputs.count, geometry.levels, io_spec.outputs
            ));
        }
        let largest = self.tuples.iter().map(|tuple| self.table_len(tuple)).max();
        if largest.is_some_and(|largest| largest > LARGEST_TABLE) {
            return Some(format!(
                "a table of the network has more than {LARGEST_TABLE} entries"
            ));
        }
        let mut squares = self.tuples.iter().flatten();
        if self.tuples.is_empty() || !squares.all(|&input| input < self.inputs) {
            return Some("the network has no tuples, or squares that the board lacks".to_owned());
        }
        let needed = self.stage_len().saturating_mul(self.stages as usize);
        let is_whole = self.stages > 0 && self.entries.len() == needed;
        let mut entries = self.entries.iter();
        let is_bounded = entries.all(|entry| entry.abs() <= LARGEST_ENTRY);
        (!is_whole || !is_bounded).then(|| {
            format!(
                "the tables need {needed} entries, each from -{LARGEST_ENTRY} to {LARGEST_ENTRY}"
            )
        })
    }

    fn problems(config: &NTuplesConfig) -> Vec<ParamError> {
        let has_none = config.length == 0
            && config.everywhere == 0
            && !config.squares
            && config.tuples.is_empty();
        let message = "must be at least 1 without other tuples, is 0";
        let problem = has_none.then(|| ParamError::new("length", message));
        let (shortest, longest) = (config.shortest, config.length.max(config.everywhere));
        let is_longer = shortest > longest;
        let shortest = is_longer.then(|| {
            let message = format!(
                "must be at most {longest}, the squares of the longest tuples, is {shortest}"
            );
            ParamError::new("shortest", message)
        });
        problem.into_iter().chain(shortest).collect()
    }

    fn io_problems(config: &NTuplesConfig, io_spec: &IoSpec) -> Vec<ParamError> {
        let geometry = io_spec
            .inputs
            .board
            .as_deref()
            .filter(|_| io_spec.outputs == 1);
        let Some(geometry) = geometry else {
            let message = "needs an input for each square of a board, and one output; try game: \
                reversi, agent: one_ply";
            return vec![ParamError::new("", message)];
        };
        if config.antisymmetric && !geometry.has_opposite() {
            let message = "needs inputs whose values can be negated";
            return vec![ParamError::new("antisymmetric", message)];
        }
        let named = config.tuples.iter();
        let mut named = named.map(|squares| shapes::named(geometry, squares));
        if let Some(Err(error)) = named.find(Result::is_err) {
            return vec![ParamError::new("tuples", error.to_string())];
        }
        let levels = usize::from(geometry.levels);
        let tuples = config.tuples(geometry).concat();
        if tuples.is_empty() {
            return vec![ParamError::new("length", "is too long for the board")];
        }
        let tables = tuples.iter().map(|tuple| levels.pow(tuple.len() as u32));
        let largest = tables.clone().max().unwrap_or_default();
        if largest > LARGEST_TABLE {
            let message =
                format!("makes a table of {largest} entries, at most {LARGEST_TABLE} are allowed");
            let is_largest = |squares: u32| levels.pow(squares) == largest;
            let key = if is_largest(config.length) {
                "length"
            } else if is_largest(config.everywhere) {
                "everywhere"
            } else {
                "tuples"
            };
            return vec![ParamError::new(key, message)];
        }
        let entries = tables.sum::<usize>() * config.stages as usize;
        if entries > MOST_ENTRIES {
            let message = format!("makes {entries} entries, at most {MOST_ENTRIES} are allowed");
            return vec![ParamError::new("length", message)];
        }
        Vec::new()
    }
}

impl GenomeParams for NTuplesConfig {
    type Genome = NTuples;
}

impl Distance<NTuples> for NTuplesConfig {
    fn distance(&self, one: &NTuples, other: &NTuples) -> f64 {
        let counts = [one, other].map(|genome| genome.entries.len());
        let pairs = one.entries.iter().zip(other.entries.iter());
        let difference = distance::mean_difference(pairs);
        distance::of_shapes(0.0, counts, difference)
    }
}

impl Numbers<NTuples> for NTuplesConfig {
    fn numbers(&self, genome: &NTuples) -> Vec<f32> {
        genome.entries.to_vec()
    }

    fn set_numbers(&self, genome: &mut NTuples, numbers: &[f32]) {
        let entries: Vec<f32> = numbers.iter().copied().map(bounded).collect();
        genome.entries = genome.entries.with(&entries);
    }

    /// Tuples with one square more than the shortest begin to vary one step later.
    fn refinement(&self, genome: &NTuples) -> Vec<u32> {
        let step = |tuple: &Tuple| match self.shortest {
            0 => 0,
            shortest => (tuple.len() as u32).saturating_sub(shortest),
        };
        let tuples = genome.tuples.iter();
        let stage = tuples.flat_map(|tuple| repeat_n(step(tuple), genome.table_len(tuple)));
        stage.collect::<Vec<u32>>().repeat(genome.stages as usize)
    }
}

/// Tables learn what the hyperbolic tangent of their value should be.
impl Training<NTuples> for NTuplesConfig {
    fn train(
        &self,
        genome: &mut NTuples,
        io_spec: &IoSpec,
        examples: &TrainingSet,
        rate: f64,
        _rng: &mut Stream,
    ) {
        let geometry = io_spec.inputs.board.as_deref();
        let geometry = geometry.expect("a valid network of tuples has a board");
        genome.learn(self, geometry, examples, rate as f32);
    }

    fn trained_value(&self, output: f32) -> f32 {
        learning::squashed(output)
    }
}

impl Operations<NTuples> for NTuplesConfig {
    fn ops(&self, genome: &NTuples, io_spec: &IoSpec) -> Option<OpGraph> {
        let geometry = io_spec.inputs.board.as_deref()?;
        Some(TupleNetwork::new(genome, geometry, self).ops())
    }
}

/// The output is the sum of the tuples' values.
impl Activations<NTuples> for NTuplesConfig {
    fn activations(&self, genome: &NTuples, io_spec: &IoSpec, raw_inputs: &[f32]) -> Vec<f32> {
        let geometry = io_spec.inputs.board.as_deref();
        let geometry = geometry.expect("a valid network of tuples has a board");
        let values = genome.tuple_values(self, geometry, raw_inputs);
        let sum = values.iter().sum();
        let inputs = raw_inputs.iter().copied();
        inputs.chain(values).chain([sum]).collect()
    }
}

/// The sum of all tuples, then each of them.
impl FirstLayerWeights<NTuples> for NTuplesConfig {
    fn first_layer(&self, genome: &NTuples, io_spec: &IoSpec) -> Vec<FirstLayerNode> {
        let geometry = io_spec.inputs.board.as_deref();
        geometry.map_or_else(Vec::new, |geometry| genome.maps(self, geometry))
    }
}
