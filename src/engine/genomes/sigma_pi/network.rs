//! The network grown from product units. Units are evaluated eight at a time. Rows of a batch
//! mostly differ from the base row in one input, so the products over the inputs before it are
//! computed once for all of them. Factors are multiplied in the order of the inputs, so that a row
//! has the same value in any batch.

use std::array;

use super::{ProductUnit, SigmaPi};
use crate::genomes::{Brain, InputBatch, IoSpec, Scratch};

/// Units that are evaluated at once.
pub(super) const LANES: usize = 8;

type UnitBlock = [f32; LANES];

/// The tables of all units, eight units side by side.
pub(super) struct ProductNetwork {
    /// Blocks of eight units.
    pub(super) blocks: usize,
    pub(super) inputs: Vec<InputTable>,
    /// The factors of all blocks, by table and level. Those of units that do not exist are 0.
    pub(super) factors: Vec<UnitBlock>,
    /// The weights of all blocks, by output.
    pub(super) weights: Vec<UnitBlock>,
}

/// The factors of an input.
#[derive(Clone, Copy)]
pub(super) struct InputTable {
    /// The first of its factors.
    pub(super) start: usize,
    /// The highest level.
    pub(super) top: usize,
}

/// Buffers for products.
#[derive(Clone, Debug, Default)]
struct ProductBuffers {
    /// The products over the first inputs of the base row: over none, over one, and so on, each for
    /// all blocks.
    prefixes: Vec<UnitBlock>,
    products: Vec<UnitBlock>,
    /// The first factor of each input in the base row, and in the row.
    base: Vec<usize>,
    row: Vec<usize>,
}

impl ProductNetwork {
    pub(super) fn new(genome: &SigmaPi, io_spec: &IoSpec) -> Self {
        let blocks = genome.units.len().div_ceil(LANES);
        let inputs = (0..io_spec.inputs.count).map(|input| InputTable {
            start: genome.table_start(input) * blocks,
            top: genome.level_count(input) - 1,
        });
        let values = |value: &dyn Fn(&ProductUnit) -> f32| {
            let units = genome.units.chunks(LANES);
            let block = |units: &[ProductUnit]| {
                let mut lanes = [0.0; LANES];
                for (lane, unit) in lanes.iter_mut().zip(units) {
                    *lane = value(unit);
                }
                lanes
            };
            units.map(block).collect::<Vec<UnitBlock>>()
        };
        let factors =
            (0..genome.units[0].factors.len()).flat_map(|at| values(&|unit| unit.factors[at]));
        let weights = (0..io_spec.outputs).flat_map(|at| values(&|unit| unit.weights[at]));
        Self {
            blocks,
            inputs: inputs.collect(),
            factors: factors.collect(),
            weights: weights.collect(),
        }
    }

    /// The first factor of a level of an input. A level above the highest counts as the highest.
    fn place(&self, input: usize, value: f32) -> usize {
        let table = self.inputs[input];
        table.start + (value as usize).min(table.top) * self.blocks
    }

    /// The products of the first inputs of the base row.
    fn prepare(&self, base: &[f32], buffers: &mut ProductBuffers) {
        let places = base.iter().enumerate();
        buffers.base.clear();
        buffers
            .base
            .extend(places.map(|(input, &value)| self.place(input, value)));
        buffers.row.clone_from(&buffers.base);
        buffers.prefixes.clear();
        buffers.prefixes.resize(self.blocks, [1.0; LANES]);
        for (input, &place) in buffers.base.iter().enumerate() {
            for block in 0..self.blocks {
                let before = buffers.prefixes[input * self.blocks + block];
                let product = multiply(before, &self.factors[place + block]);
                buffers.prefixes.push(product);
            }
        }
    }
}

fn multiply(mut product: UnitBlock, factors: &UnitBlock) -> UnitBlock {
    for (product, factor) in product.iter_mut().zip(factors) {
        *product *= factor;
    }
    product
}

/// The sum of eight numbers, always in the same order.
fn sum(lanes: UnitBlock) -> f32 {
    let fours: [f32; 4] = array::from_fn(|lane| lanes[lane] + lanes[lane + 4]);
    (fours[0] + fours[2]) + (fours[1] + fours[3])
}

impl Brain for ProductNetwork {
    fn forward(&self, batch: InputBatch<'_>, scratch: &mut Scratch, out: &mut Vec<f32>) {
        let buffers: &mut ProductBuffers = scratch.buffers();
        self.prepare(batch.base, buffers);
        out.clear();
        for row in 0..batch.ends.len() {
            let changes = batch.row_changes(row);
            let mut first = self.inputs.len();
            for &(input, value) in changes {
                let input = input as usize;
                buffers.row[input] = self.place(input, value);
                first = first.min(input);
            }
            let known = first * self.blocks;
            buffers.products.clear();
            buffers
                .products
                .extend_from_slice(&buffers.prefixes[known..known + self.blocks]);
            for &place in &buffers.row[first..] {
                let factors = &self.factors[place..place + self.blocks];
                for (product, factors) in buffers.products.iter_mut().zip(factors) {
                    *product = multiply(*product, factors);
                }
            }
            for weights in self.weights.chunks_exact(self.blocks) {
                let mut total = [0.0; LANES];
                for (product, weights) in buffers.products.iter().zip(weights) {
                    for (total, weighted) in total.iter_mut().zip(multiply(*product, weights)) {
                        *total += weighted;
                    }
                }
                out.push(sum(total));
            }
            for &(input, _) in changes {
                buffers.row[input as usize] = buffers.base[input as usize];
            }
        }
    }
}
