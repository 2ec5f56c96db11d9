//! The cost of the forward pass of a dense network, compared with a straightforward implementation.
//! A batch is like that of a board game whose moves change a few squares each.

#![allow(clippy::print_stdout, reason = "the ratios are what this bench is for")]

use std::hint::black_box;
use std::time::Instant;

use finches::genomes::{GenomeConfig, InputBatch, IoSpec, Scratch};
use finches::params::Params;
use finches::rng::{Purpose, Stream, stream};
use rand::RngExt;

const SQUARES: usize = 64;
/// Positions to choose from in one batch, and the squares in which each differs from the position
/// before the move.
const ROWS: usize = 8;
const CHANGES: usize = 5;
/// Different batches in turn, so that branch prediction cannot memorize them.
const BATCHES: usize = 64;

/// The positions after the legal moves of one position.
struct Batch {
    before: Vec<f32>,
    changes: Vec<(u32, f32)>,
    ends: Vec<u32>,
}

impl Batch {
    fn random(rng: &mut Stream) -> Self {
        let before: Vec<f32> = (0..SQUARES)
            .map(|_| rng.random_range(-1..=1) as f32)
            .collect();
        let mut changes = Vec::new();
        for _ in 0..ROWS {
            let first = rng.random_range(0..SQUARES);
            let squares = (0..CHANGES).map(|step| (first + 9 * step) % SQUARES);
            changes.extend(squares.map(|square| (square as u32, 1.0 - before[square])));
        }
        Self {
            before,
            changes,
            ends: (1..=ROWS).map(|row| (row * CHANGES) as u32).collect(),
        }
    }

    fn as_input_batch(&self) -> InputBatch<'_> {
        InputBatch {
            base: &self.before,
            changes: &self.changes,
            ends: &self.ends,
        }
    }
}

/// A straightforward network with one hidden layer: each position is computed in full, with library
/// functions.
struct ReferenceNetwork {
    hidden: Vec<(f32, [f32; SQUARES])>,
    output: Vec<f32>,
}

impl ReferenceNetwork {
    fn random(nodes: usize, rng: &mut Stream) -> Self {
        let mut weight = || rng.random_range(-1.0..1.0);
        Self {
            hidden: (0..nodes)
                .map(|_| (weight(), std::array::from_fn(|_| weight())))
                .collect(),
            output: (0..nodes).map(|_| weight()).collect(),
        }
    }

    fn forward(&self, batch: InputBatch<'_>, inputs: &mut [f32], out: &mut Vec<f32>) {
        out.clear();
        for row in 0..batch.ends.len() {
            inputs.copy_from_slice(batch.base);
            for &(input, value) in batch.row_changes(row) {
                inputs[input as usize] = value;
            }
            let nodes = self.hidden.iter().zip(&self.output);
            let values = nodes.map(|((bias, weights), output)| {
                let terms = weights.iter().zip(inputs.iter());
                let sum = terms.fold(*bias, |sum, (weight, input)| sum + weight * input);
                output * (1.0 + sum.exp()).ln()
            });
            out.push(values.sum());
        }
    }
}

/// Nanoseconds per batch, the fastest of several rounds.
fn time(rounds: usize, batches: &[Batch], mut forward: impl FnMut(&Batch)) -> f64 {
    let mut fastest = f64::MAX;
    for _ in 0..rounds {
        let began = Instant::now();
        for _ in 0..rounds {
            batches.iter().for_each(&mut forward);
        }
        let calls = (rounds * batches.len()) as f64;
        fastest = fastest.min(began.elapsed().as_nanos() as f64 / calls);
    }
    fastest
}

/// Nanoseconds per batch for a network with these hidden layers.
fn network(hidden: &str, activation: &str, rounds: usize, batches: &[Batch]) -> f64 {
    let mut config = GenomeConfig::named("mlp").expect("it is registered");
    config.set("hidden", hidden).expect("it is allowed");
    config.set("activation", activation).expect("it is allowed");
    let io_spec = IoSpec::new(SQUARES, 1);
    let genome = config.random(&io_spec, &mut stream(1, Purpose::Initialization, 0, 0));
    let brain = config.grow(&genome, &io_spec);
    let (mut scratch, mut out) = (Scratch::default(), Vec::new());
    time(rounds, batches, |batch| {
        brain.forward(black_box(batch.as_input_batch()), &mut scratch, &mut out);
        black_box(&out);
    })
}

/// Nanoseconds per offspring of two networks: crossover and mutation.
fn breed_offspring(rounds: usize) -> f64 {
    let config = GenomeConfig::named("mlp").expect("it is registered");
    let io_spec = IoSpec::new(SQUARES, 1);
    let mut rng = stream(1, Purpose::Reproduction, 0, 0);
    let parents = [0, 1].map(|_| config.random(&io_spec, &mut rng));
    let began = Instant::now();
    for _ in 0..rounds {
        let mut offspring = config.crossover(&parents[0], &parents[1], &mut rng);
        config.mutate(&mut offspring, &mut rng);
        black_box(offspring);
    }
    began.elapsed().as_nanos() as f64 / rounds as f64
}

fn main() {
    let is_measuring = std::env::args().any(|argument| argument == "--bench");
    let rounds = if is_measuring { 100 } else { 1 };
    let mut rng = stream(2, Purpose::Sample, 0, 0);
    let batches: Vec<Batch> = (0..BATCHES).map(|_| Batch::random(&mut rng)).collect();
    let reference = ReferenceNetwork::random(8, &mut rng);
    let (mut inputs, mut out) = (vec![0.0; SQUARES], Vec::new());
    let slow = time(rounds, &batches, |batch| {
        reference.forward(black_box(batch.as_input_batch()), &mut inputs, &mut out);
        black_box(&out);
    });
    println!("reference 64-8-1 softplus: {slow:.0} ns for {ROWS} rows");
    for (hidden, activation) in [
        ("[8]", "softplus"),
        ("[8]", "relu"),
        ("[8]", "sigmoid"),
        ("[]", "softplus"),
        ("[8, 3]", "softplus"),
        ("[16, 4]", "softplus"),
    ] {
        let fast = network(hidden, activation, rounds, &batches);
        let row = fast / ROWS as f64;
        println!("{hidden} {activation}: {fast:.0} ns for {ROWS} rows, {row:.1} ns each");
        if (hidden, activation) == ("[8]", "softplus") {
            println!(
                "ratio: the kernel is {:.1} times as fast as a reference program",
                slow / fast
            );
        }
    }
    println!(
        "an offspring of two parents: {:.0} ns",
        breed_offspring(rounds * 10)
    );
}
