//! The brain grown from a dense network. The first layer's sums are made once for the row that the others are told by, and
//! corrected for each row by the few inputs in which it differs; what follows is computed for several rows side by side.
//!
//! Where inputs are sums of features, the first layer's weights are added up once, and features are taken in in their place.
//!
//! **The same bits always.** The first layer adds in double precision, its weights rounded to multiples of 2⁻²⁴: as long as
//! the numbers shown are whole and the sums stay below 2²⁹, nothing is ever rounded, so that a row gives the same numbers
//! whether it is told in full or by its changes. From there on each row is computed by itself in single precision, in an
//! order of additions that is written down here. The compiler may use whatever vector instructions the machine has, but it
//! does not reorder or fuse additions and products, so that all machines agree.

#![allow(
    clippy::inline_always,
    reason = "only what is part of the dispatched closure is compiled for the machine's instructions"
)]

use pulp::{Arch, NullaryFnOnce};

use crate::features::Features;
use crate::genomes::{Brain, Scratch, Sight};

use super::first::{BLOCK, First, Fold, LANES, Told, note_owners, note_places, on_grid};
use super::{Functions, Mlp};

/// Rows whose later layers are evaluated side by side, where there are more than two.
const ROWS: usize = 8;
/// Values of the first layer that its activation is applied to at least.
const SPAN: usize = 16;
/// Bound on the sums of hidden units above the first layer, so that not even the largest weights lead to infinity.
const SUM_LIMIT: f32 = 1e25;

/// The compiled network.
#[derive(Debug)]
pub(super) struct Dense {
    arch: Arch,
    first: First,
    /// The other layers, the outputs last.
    later: Vec<Layer>,
    outputs: usize,
    functions: Functions,
    /// What each number that is shown adds to the outputs' sums; empty where it adds nothing.
    bypass: Vec<f64>,
    /// Units of all layers but the outputs.
    slots: usize,
}

/// A layer above the first.
#[derive(Debug)]
struct Layer {
    below: usize,
    /// Unit after unit, the weights from the units below.
    weights: Vec<f32>,
    biases: Vec<f32>,
    /// The same for a single row, whose units are summed side by side: units in groups of eight, the last one filled up with
    /// nothing, group after group its biases and then, for each unit below, the weights to it. Empty where units are few.
    groups: Vec<[f32; LANES]>,
}

impl Dense {
    pub(super) fn new(genome: &Mlp, functions: Functions, features: Option<&Features>) -> Self {
        let fold = Fold {
            features,
            inputs: genome.layers[0] as usize,
            weight: genome
                .heavy
                .or(features.and_then(Features::weight))
                .unwrap_or(1.0),
        };
        let first = First::new(genome, &fold);
        let ones = vec![1.0; fold.inputs];
        let bypass = functions
            .bypass
            .then(|| fold.over(&ones).map(on_grid).collect());
        let later: Vec<Layer> = (2..genome.layers.len())
            .map(|layer| Layer::new(genome, layer))
            .collect();
        let last = genome.layers.len() - 1;
        let above: u32 = genome.layers.iter().take(last).skip(2).sum();
        Self {
            arch: Arch::new(),
            slots: first.width + above as usize,
            first,
            later,
            outputs: genome.layers[last] as usize,
            functions,
            bypass: bypass.unwrap_or_default(),
        }
    }

    #[inline(always)]
    fn rows<const L: usize, const R: usize>(
        &self,
        sight: Sight<'_>,
        scratch: &mut Scratch,
        out: &mut Vec<f32>,
    ) {
        let Scratch {
            values,
            inputs,
            sums,
            owners,
            places,
            ..
        } = scratch;
        let width = self.first.width;
        // Once for all units: the conversion costs as much as an addition.
        inputs.clear();
        inputs.extend(sight.base.iter().map(|&input| f64::from(input)));
        sums.resize(width, 0.0);
        let (sums, _) = sums.as_chunks_mut::<L>();
        if note_places(inputs, places) {
            self.first.sum_few(inputs, places, sums);
        } else {
            self.first.sum(inputs, sums);
        }
        values.resize(width * BLOCK + self.slots * R, 0.0);
        let (block, above) = values.split_at_mut(width * BLOCK);
        let (above, _) = above.as_chunks_mut::<R>();
        let rows = sight.ends.len();
        for from in (0..rows).step_by(BLOCK) {
            let count = (rows - from).min(BLOCK);
            let (groups, _) = block.as_chunks_mut::<L>();
            let changes = note_owners(sight, from..from + count, owners);
            let told = Told { inputs, sums };
            let places = &mut groups[..count * width / L];
            self.first.correct(changes, owners, &told, places);
            if self.later.is_empty() {
                let rows = block.chunks_exact(width).take(count);
                rows.for_each(|row| out.extend_from_slice(&row[..self.outputs]));
                continue;
            }
            let filled = (count * width).next_multiple_of(SPAN);
            let (spans, _) = block[..filled].as_chunks_mut::<SPAN>();
            self.functions.hidden.apply_to_all(spans);
            let (groups, _) = block.as_chunks::<L>();
            let sets = groups.chunks_exact(width / L * R);
            for (set, from) in sets.zip((0..count).step_by(R)) {
                turn(set, &mut above[..width]);
                self.rise(above, (count - from).min(R), out);
            }
        }
        if !self.bypass.is_empty() {
            self.pass_by(sight, inputs, out);
        }
        self.functions.outputs.apply_to_slice(out);
    }

    /// Adds to the outputs' sums what reaches them straight from the inputs.
    fn pass_by(&self, sight: Sight<'_>, base: &[f64], out: &mut [f32]) {
        let terms = base.iter().zip(&self.bypass);
        let all: f64 = terms.map(|(value, weight)| value * weight).sum();
        for (row, outputs) in out.chunks_exact_mut(self.outputs).enumerate() {
            let step = |&(place, value): &(u32, f32)| {
                let place = place as usize;
                (f64::from(value) - base[place]) * self.bypass[place]
            };
            let own = all + sight.row(row).iter().map(step).sum::<f64>();
            for output in outputs {
                *output += own as f32;
            }
        }
    }

    /// Computes the later layers. `values` holds the first layer's units, `R` rows of each, and room for the hidden ones.
    #[inline(always)]
    fn rise<const R: usize>(&self, mut values: &mut [[f32; R]], count: usize, out: &mut Vec<f32>) {
        let mut room = self.first.width;
        for layer in &self.later {
            let units = layer.biases.len();
            let (below, above) = std::mem::take(&mut values).split_at_mut(room);
            if above.is_empty() {
                let from = out.len();
                out.resize(from + count * units, 0.0);
                let out = &mut out[from..];
                if R == 1 && !layer.groups.is_empty() {
                    layer.sum_row(below.as_flattened(), out);
                } else {
                    for unit in 0..units {
                        let sums = layer.sums(unit, below);
                        for (row, sum) in sums.into_iter().take(count).enumerate() {
                            out[row * units + unit] = sum;
                        }
                    }
                }
            } else {
                if R == 1 && !layer.groups.is_empty() {
                    layer.sum_row(below.as_flattened(), above[..units].as_flattened_mut());
                } else {
                    for (unit, value) in above[..units].iter_mut().enumerate() {
                        *value = layer.sums(unit, below);
                    }
                }
                for sum in above[..units].as_flattened_mut() {
                    *sum = sum.clamp(-SUM_LIMIT, SUM_LIMIT);
                }
                self.functions.hidden.apply_to_all(&mut above[..units]);
            }
            values = above;
            room = units;
        }
    }
}

impl Layer {
    fn new(genome: &Mlp, layer: usize) -> Self {
        const FEW: usize = 4;
        let units = || genome.units(layer);
        let mut made = Self {
            below: genome.layers[layer - 1] as usize,
            weights: units().flat_map(|(_, row)| row).copied().collect(),
            biases: units().map(|(bias, _)| bias).collect(),
            groups: Vec::new(),
        };
        if made.biases.len() >= FEW {
            made.group();
        }
        made
    }

    /// Writes the weights down once more for a single row.
    fn group(&mut self) {
        let stride = self.below + 1;
        let groups = self.biases.len().div_ceil(LANES);
        self.groups = vec![[0.0; LANES]; groups * stride];
        for (unit, &bias) in self.biases.iter().enumerate() {
            let group = &mut self.groups[unit / LANES * stride..][..stride];
            group[0][unit % LANES] = bias;
            let weights = &self.weights[unit * self.below..][..self.below];
            for (column, &weight) in group[1..].iter_mut().zip(weights) {
                column[unit % LANES] = weight;
            }
        }
    }

    /// The sums of all units for a single row, each added up in the order that [`Layer::sums`] has.
    #[inline(always)]
    fn sum_row(&self, below: &[f32], out: &mut [f32]) {
        let groups = self.groups.chunks_exact(self.below + 1);
        for (group, out) in groups.zip(out.chunks_mut(LANES)) {
            let [biases, columns @ ..] = group else {
                continue;
            };
            let mut sums = *biases;
            for (column, value) in columns.iter().zip(below) {
                for unit in 0..LANES {
                    sums[unit] += column[unit] * value;
                }
            }
            out.copy_from_slice(&sums[..out.len()]);
        }
    }

    /// The sums of one unit for `R` rows.
    #[inline(always)]
    fn sums<const R: usize>(&self, unit: usize, below: &[[f32; R]]) -> [f32; R] {
        let mut sums = [self.biases[unit]; R];
        let weights = &self.weights[unit * self.below..][..self.below];
        for (weight, values) in weights.iter().zip(below) {
            for row in 0..R {
                sums[row] += weight * values[row];
            }
        }
        sums
    }
}

/// Turns `R` rows of units into units of `R` rows each.
#[inline(always)]
fn turn<const L: usize, const R: usize>(groups: &[[f32; L]], units: &mut [[f32; R]]) {
    let across = groups.len() / R;
    let (units, _) = units.as_chunks_mut::<L>();
    for (group, units) in units.iter_mut().enumerate() {
        let rows: [[f32; L]; R] = std::array::from_fn(|row| groups[row * across + group]);
        *units = std::array::from_fn(|unit| std::array::from_fn(|row| rows[row][unit]));
    }
}

/// A batch being thought through. It is a type rather than a closure, since only a function of its own can be made part of
/// the one that has the machine's instructions.
struct Thought<'a, const L: usize, const R: usize> {
    brain: &'a Dense,
    sight: Sight<'a>,
    scratch: &'a mut Scratch,
    out: &'a mut Vec<f32>,
}

impl<const L: usize, const R: usize> NullaryFnOnce for Thought<'_, L, R> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.brain.rows::<L, R>(self.sight, self.scratch, self.out);
    }
}

impl Dense {
    fn dispatch<const L: usize, const R: usize>(
        &self,
        sight: Sight<'_>,
        scratch: &mut Scratch,
        out: &mut Vec<f32>,
    ) {
        self.arch.dispatch(Thought::<L, R> {
            brain: self,
            sight,
            scratch,
            out,
        });
    }
}

impl Brain for Dense {
    fn think(&self, sight: Sight<'_>, scratch: &mut Scratch, out: &mut Vec<f32>) {
        out.clear();
        match (self.first.width == 1, sight.ends.len() <= 2) {
            (true, true) => self.dispatch::<1, 1>(sight, scratch, out),
            (true, false) => self.dispatch::<1, ROWS>(sight, scratch, out),
            (false, true) => self.dispatch::<LANES, 1>(sight, scratch, out),
            (false, false) => self.dispatch::<LANES, ROWS>(sight, scratch, out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::genomes::activation::Activation;
    use crate::genomes::mlp::MlpConfig;
    use crate::genomes::{Genome, Ports};
    use crate::rng::{Purpose, Stream, stream};
    use std::sync::Arc;

    use rand::RngExt;

    /// The definition, unit by unit, in double precision; also how large the terms of the outputs are.
    fn plain(genome: &Mlp, config: &MlpConfig, inputs: &[f32]) -> (Vec<f64>, f64) {
        let mut values: Vec<f64> = inputs.iter().map(|&input| f64::from(input)).collect();
        let all: f64 = values.iter().sum();
        let bypass = if config.bypass { all } else { 0.0 };
        let mut scale: f64 = bypass.abs().max(1.0);
        let last = genome.layers.len() - 1;
        for layer in 1..=last {
            let units = genome.units(layer).map(|(bias, weights)| {
                let terms = weights.iter().zip(&values);
                let terms = terms.map(|(&weight, value)| f64::from(weight) * value);
                let terms: Vec<f64> = terms.chain([f64::from(bias)]).collect();
                let size: f64 = terms.iter().map(|term| term.abs()).sum();
                scale = scale.max(size);
                let sum = terms.iter().sum();
                if layer == last {
                    sum + bypass
                } else {
                    config.activation.defined(sum)
                }
            });
            values = units.collect();
        }
        (values, scale)
    }

    /// A batch as games make them: a row, and others that differ from it in a few inputs.
    struct Batch {
        row: Vec<f32>,
        changes: Vec<(u32, f32)>,
        ends: Vec<u32>,
    }

    impl Batch {
        fn new(inputs: usize, rows: usize, rng: &mut Stream) -> Self {
            let mut square = |_| rng.random_range(-1..=1) as f32;
            let row: Vec<f32> = (0..inputs).map(&mut square).collect();
            let mut batch = Self {
                row,
                changes: Vec::new(),
                ends: Vec::new(),
            };
            for _ in 0..rows {
                for input in 0..inputs as u32 {
                    if rng.random_bool(0.1) {
                        let value = rng.random_range(-1..=1) as f32;
                        batch.changes.push((input, value));
                    }
                }
                batch.ends.push(batch.changes.len() as u32);
            }
            batch
        }

        fn sight(&self) -> Sight<'_> {
            Sight {
                base: &self.row,
                changes: &self.changes,
                ends: &self.ends,
            }
        }

        /// The inputs of a row in full.
        fn numbers(&self, row: usize) -> Vec<f32> {
            let mut inputs = self.row.clone();
            for &(input, value) in self.sight().row(row) {
                inputs[input as usize] = value;
            }
            inputs
        }
    }

    fn check(hidden: &[u16], biases: bool, bypass: bool, ports: &Ports) {
        for activation in Activation::all() {
            let config = MlpConfig {
                hidden: hidden.to_vec(),
                activation,
                biases,
                bypass,
                ..MlpConfig::default()
            };
            let mut rng = stream(1, Purpose::Breeding, 0, hidden.len() as u64);
            let genome = Mlp::random(&config, ports, &mut rng);
            let brain = genome.grow(&config, ports);
            let mut scratch = Scratch::default();
            let (mut out, mut alone) = (Vec::new(), Vec::new());
            for rows in [1, 2, 3, 7, 8, 9, 16, 21] {
                let batch = Batch::new(ports.numbers(), rows, &mut rng);
                brain.think(batch.sight(), &mut scratch, &mut out);
                assert_eq!(out.len(), rows * ports.outputs);
                for (row, outputs) in out.chunks(ports.outputs).enumerate() {
                    let numbers = batch.numbers(row);
                    brain.think(Sight::one(&numbers), &mut scratch, &mut alone);
                    assert_eq!(outputs, alone, "row {row} of {rows}, {hidden:?}");
                    let inputs = ports.added_up(numbers.clone());
                    let (exact, scale) = plain(&genome, &config, &inputs);
                    for (&output, exact) in outputs.iter().zip(exact) {
                        let error = (f64::from(output) - exact).abs();
                        assert!(
                            error <= 1e-5 * scale,
                            "{hidden:?} {activation:?}: {output} is not {exact}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn the_compiled_network_computes_what_its_genome_says_for_any_batch() {
        for (inputs, outputs) in [(64, 1), (5, 3), (1, 9)] {
            let ports = Ports::new(inputs, outputs);
            for hidden in [&[][..], &[8], &[8, 3], &[16, 4], &[1], &[9, 1, 2], &[3, 20]] {
                check(hidden, true, false, &ports);
            }
            check(&[8], false, false, &ports);
            check(&[], false, true, &ports);
            check(&[9, 3], true, true, &ports);
        }
    }

    #[test]
    fn a_network_shown_features_computes_what_their_sums_give() {
        let mut rng = stream(3, Purpose::Sample, 0, 0);
        let feeds = |_| {
            let inputs = (0..7).map(|input| (input, 0.25 * rng.random_range(0..9) as f32));
            inputs.filter(|&(_, times)| times > 1.0).collect()
        };
        let features = Features::new((0..20).map(feeds).collect()).and_heavy(1.3);
        let ports = Ports {
            features: Some(Arc::new(features)),
            ..Ports::new(7, 2)
        };
        for hidden in [&[][..], &[8, 3], &[1], &[40]] {
            check(hidden, true, false, &ports);
            check(hidden, true, true, &ports);
        }
    }

    /// What a network takes in when it is shown these numbers.
    #[test]
    fn wide_and_narrow_instructions_give_the_same_bits() {
        let config = MlpConfig {
            hidden: vec![16, 4],
            ..MlpConfig::default()
        };
        let ports = Ports::new(64, 2);
        let mut rng = stream(2, Purpose::Breeding, 0, 0);
        let genome = Mlp::random(&config, &ports, &mut rng);
        let mut scratch = Scratch::default();
        for activation in Activation::all() {
            let functions = Functions {
                hidden: activation,
                outputs: Activation::Linear,
                bypass: true,
            };
            let brain = Dense::new(&genome, functions, None);
            let batch = Batch::new(64, 21, &mut rng);
            let (mut wide, mut narrow) = (Vec::new(), Vec::new());
            brain.think(batch.sight(), &mut scratch, &mut wide);
            brain.rows::<LANES, ROWS>(batch.sight(), &mut scratch, &mut narrow);
            let bits = |values: &[f32]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&wide), bits(&narrow), "{activation:?}");
        }
    }
}
