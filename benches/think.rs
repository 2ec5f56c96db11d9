//! What a dense network's thinking costs, and how many times as fast it is as a plain program: a batch is like that of a
//! board game whose moves change a few squares each.

#![allow(clippy::print_stdout, reason = "the ratios are what this bench is for")]

use std::hint::black_box;
use std::time::Instant;

use finches::genomes::{GenomeConfig, Ports, Scratch, Sight};
use finches::params::Params;
use finches::rng::{Purpose, Stream, stream};
use rand::RngExt;

const SQUARES: usize = 64;
/// Positions to choose from in one batch, and the squares in which each differs from the position before the move.
const ROWS: usize = 8;
const CHANGES: usize = 5;
/// Batches in turns, so that no branch is learned by heart.
const BATCHES: usize = 64;

/// One move's worth of positions.
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

    fn sight(&self) -> Sight<'_> {
        Sight {
            base: &self.before,
            changes: &self.changes,
            ends: &self.ends,
        }
    }
}

/// A network with one hidden layer as a plain program computes it: each position in full, with the library's functions.
struct Plain {
    hidden: Vec<(f32, [f32; SQUARES])>,
    output: Vec<f32>,
}

impl Plain {
    fn random(units: usize, rng: &mut Stream) -> Self {
        let mut weight = || rng.random_range(-1.0..1.0);
        Self {
            hidden: (0..units)
                .map(|_| (weight(), std::array::from_fn(|_| weight())))
                .collect(),
            output: (0..units).map(|_| weight()).collect(),
        }
    }

    fn think(&self, sight: Sight<'_>, inputs: &mut [f32], out: &mut Vec<f32>) {
        out.clear();
        for row in 0..sight.ends.len() {
            inputs.copy_from_slice(sight.base);
            for &(input, value) in sight.row(row) {
                inputs[input as usize] = value;
            }
            let units = self.hidden.iter().zip(&self.output);
            let values = units.map(|((bias, weights), output)| {
                let terms = weights.iter().zip(inputs.iter());
                let sum = terms.fold(*bias, |sum, (weight, input)| sum + weight * input);
                output * (1.0 + sum.exp()).ln()
            });
            out.push(values.sum());
        }
    }
}

/// Nanoseconds per batch, the fastest of several rounds.
fn time(rounds: usize, batches: &[Batch], mut think: impl FnMut(&Batch)) -> f64 {
    let mut fastest = f64::MAX;
    for _ in 0..rounds {
        let began = Instant::now();
        for _ in 0..rounds {
            batches.iter().for_each(&mut think);
        }
        let calls = (rounds * batches.len()) as f64;
        fastest = fastest.min(began.elapsed().as_nanos() as f64 / calls);
    }
    fastest
}

/// Nanoseconds a batch takes a network with these hidden layers.
fn network(hidden: &str, activation: &str, rounds: usize, batches: &[Batch]) -> f64 {
    let mut config = GenomeConfig::named("mlp").expect("it is registered");
    config.set("hidden", hidden).expect("it is allowed");
    config.set("activation", activation).expect("it is allowed");
    let ports = Ports::new(SQUARES, 1);
    let genome = config.random(&ports, &mut stream(1, Purpose::Genesis, 0, 0));
    let brain = config.grow(&genome, &ports);
    let (mut scratch, mut out) = (Scratch::default(), Vec::new());
    time(rounds, batches, |batch| {
        brain.think(black_box(batch.sight()), &mut scratch, &mut out);
        black_box(&out);
    })
}

/// Nanoseconds for a child of two networks: crossing and variation.
fn child(rounds: usize) -> f64 {
    let config = GenomeConfig::named("mlp").expect("it is registered");
    let ports = Ports::new(SQUARES, 1);
    let mut rng = stream(1, Purpose::Breeding, 0, 0);
    let parents = [0, 1].map(|_| config.random(&ports, &mut rng));
    let began = Instant::now();
    for _ in 0..rounds {
        let mut child = config.cross(&parents[0], &parents[1], &mut rng);
        config.mutate(&mut child, None, &mut rng);
        black_box(child);
    }
    began.elapsed().as_nanos() as f64 / rounds as f64
}

fn main() {
    let is_measuring = std::env::args().any(|argument| argument == "--bench");
    let rounds = if is_measuring { 100 } else { 1 };
    let mut rng = stream(2, Purpose::Sample, 0, 0);
    let batches: Vec<Batch> = (0..BATCHES).map(|_| Batch::random(&mut rng)).collect();
    let plain = Plain::random(8, &mut rng);
    let (mut inputs, mut out) = (vec![0.0; SQUARES], Vec::new());
    let slow = time(rounds, &batches, |batch| {
        plain.think(black_box(batch.sight()), &mut inputs, &mut out);
        black_box(&out);
    });
    println!("plain 64-8-1 softplus: {slow:.0} ns for {ROWS} rows");
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
                "ratio: the kernel is {:.1} times as fast as a plain program",
                slow / fast
            );
        }
    }
    println!("a child of two: {:.0} ns", child(rounds * 10));
}
