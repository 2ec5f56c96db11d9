//! The two tasks that NEAT is judged by, exclusive or and the balancing of two poles (Stanley &
//! Miikkulainen 2002, §4): how many generations each takes, beside the publication's figures.
//! `cargo run --release --example neat_tasks -- 100` takes 100 seeds.
//!
//! Exclusive or takes longer here than published: 44.8 generations in the mean of 100 seeds, all
//! solved, against 32. Twelve other readings of what the publication leaves open took 46 to 66,
//! those of its own program among them: weights that start within 1 of 0 and are shifted by up to
//! 2.5, or replaced in part; an offspring with a new node or edge keeps its weights; a species that
//! stagnates has a hundredth of its fitness; its fittest member represents it.

#![allow(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;

use finches::evolution::EvolutionConfig;
use finches::evolution::task::TaskEvolution;
use finches::genomes::{Brain, GenomeConfig, InputBatch, IoSpec, Scratch};
use finches::params::{ParamError, Params};

/// A task for a network.
struct Task {
    name: &'static str,
    inputs: usize,
    /// Generations after which a seed counts as failed.
    generations: u64,
    /// The fitness of a network, and whether it solves the task.
    judge: fn(&mut Network) -> (f64, bool),
    published: &'static str,
}

const TASKS: [Task; 2] = [
    Task {
        name: "exclusive or",
        inputs: 2,
        generations: 500,
        judge: exclusive_or,
        published: "32 generations, 4755 networks, 2.35 hidden nodes, all of 100 runs solved",
    },
    Task {
        name: "two poles, with velocities",
        inputs: 6,
        generations: 500,
        judge: balance,
        published: "24 generations, 3600 networks",
    },
];

/// A network of one output, with memory for its values.
struct Network {
    brain: Box<dyn Brain>,
    scratch: Scratch,
    outputs: Vec<f32>,
}

impl Network {
    fn output(&mut self, inputs: &[f32]) -> f64 {
        let batch = InputBatch::single(inputs);
        self.outputs.clear();
        self.brain
            .forward(batch, &mut self.scratch, &mut self.outputs);
        self.outputs[0].into()
    }
}

/// (4 − the sum of the errors)² over the four cases; solved if every output is nearer to the right
/// one.
fn exclusive_or(network: &mut Network) -> (f64, bool) {
    let mut errors = 0.0;
    let mut is_solved = true;
    for (inputs, expected) in [
        ([0.0, 0.0], 0.0),
        ([0.0, 1.0], 1.0),
        ([1.0, 0.0], 1.0),
        ([1.0, 1.0], 0.0),
    ] {
        let error = (expected - network.output(&inputs)).abs();
        errors += error;
        is_solved &= error < 0.5;
    }
    ((4.0 - errors).powi(2), is_solved)
}

/// Steps of a hundredth of a second; the force is chosen anew every second step.
const STEP: f64 = 0.01;
/// The number of choices for which the poles must stay up.
const ENOUGH: u32 = 100_000;
/// The length of the track to either side, in meters.
const TRACK: f64 = 2.4;
/// The largest angle, 36 degrees, in radians.
const FARTHEST: f64 = std::f64::consts::PI / 5.0;
/// Half the length in meters and the mass in kilograms of each pole.
const POLES: [(f64, f64); 2] = [(0.5, 0.1), (0.05, 0.01)];
/// The cart's mass in kilograms, the largest force in newtons, and gravity.
const CART: f64 = 1.0;
const FORCE: f64 = 10.0;
const GRAVITY: f64 = -9.8;
/// The friction of the poles' hinges; the track has none.
const FRICTION: f64 = 0.000_002;

/// A cart with two poles: its position and speed, then the angle and angular velocity of each pole.
type Cart = [f64; 6];

/// How long a network balances two poles on a cart from 1 degree on (Wieland 1991): the number of
/// choices; solved if 100,000.
fn balance(network: &mut Network) -> (f64, bool) {
    let mut cart = [0.0, 0.0, 1.0_f64.to_radians(), 0.0, 0.0, 0.0];
    for choices in 0..ENOUGH {
        let scales = [TRACK, 1.5, FARTHEST, 2.0, FARTHEST, 2.0];
        let inputs: [f32; 6] = std::array::from_fn(|at| (cart[at] / scales[at]) as f32);
        let force = (network.output(&inputs) - 0.5) * 2.0 * FORCE;
        for _ in 0..2 {
            cart = runge_kutta(&cart, force);
        }
        let is_down =
            cart[0].abs() > TRACK || [2, 4].iter().any(|&pole| cart[pole].abs() > FARTHEST);
        if is_down {
            return (choices.into(), false);
        }
    }
    (ENOUGH.into(), true)
}

/// The change of a cart by time.
fn change(cart: &Cart, force: f64) -> Cart {
    let (mut total_force, mut total_mass) = (force, CART);
    let mut pulls = [0.0; 2];
    for (pole, &(half, mass)) in POLES.iter().enumerate() {
        let (angle, speed) = (cart[2 + 2 * pole], cart[3 + 2 * pole]);
        let (sine, cosine) = angle.sin_cos();
        pulls[pole] = FRICTION * speed / (mass * half) + GRAVITY * sine;
        total_force += mass * half * speed * speed * sine + 0.75 * mass * cosine * pulls[pole];
        total_mass += mass * (1.0 - 0.75 * cosine * cosine);
    }
    let acceleration = total_force / total_mass;
    let mut change = [cart[1], acceleration, 0.0, 0.0, 0.0, 0.0];
    for (pole, &(half, _)) in POLES.iter().enumerate() {
        let angle = cart[2 + 2 * pole];
        change[2 + 2 * pole] = cart[3 + 2 * pole];
        change[3 + 2 * pole] = -0.75 * (acceleration * angle.cos() + pulls[pole]) / half;
    }
    change
}

/// A cart one step later, by the Runge-Kutta method of fourth order.
fn runge_kutta(cart: &Cart, force: f64) -> Cart {
    let after =
        |slope: &Cart, time: f64| -> Cart { std::array::from_fn(|at| cart[at] + time * slope[at]) };
    let first = change(cart, force);
    let second = change(&after(&first, STEP / 2.0), force);
    let third = change(&after(&second, STEP / 2.0), force);
    let fourth = change(&after(&third, STEP), force);
    std::array::from_fn(|at| {
        cart[at] + STEP / 6.0 * (first[at] + 2.0 * second[at] + 2.0 * third[at] + fourth[at])
    })
}

/// What a seed took.
struct Solved {
    generations: u64,
    networks: usize,
    hidden: usize,
    edges: usize,
}

/// The publication's parameters (§4.1). It does not say how large initial weights are and how far
/// weights are shifted.
fn parts() -> Result<(EvolutionConfig, GenomeConfig), ParamError> {
    let mut genome =
        GenomeConfig::named("neat").ok_or_else(|| ParamError::new("neat", "is unknown"))?;
    for (name, value) in [
        ("output", "steep_sigmoid"),
        ("functions", "[steep_sigmoid]"),
        ("initial_weight", "2"),
        ("weight_step", "1.5"),
    ] {
        genome.set(name, value)?;
    }
    let mut evolution = EvolutionConfig::default();
    for (name, value) in [
        ("population", "150"),
        ("selection", "uniform()"),
        ("crossover", "mate(rate: 0.75)"),
        (
            "replacement",
            "species(threshold: 3, stagnation: 15, crisis: 20)",
        ),
    ] {
        evolution.set(name, value)?;
    }
    Ok((evolution, genome))
}

/// Evolves until a member solves the task; `None` if none does in time.
fn solve(task: &Task, seed: u64) -> Result<Option<Solved>, Box<dyn Error>> {
    let (config, genome) = parts()?;
    let mut evolution = TaskEvolution::new(config, genome, IoSpec::new(task.inputs, 1), seed)?;
    while evolution.generation() < task.generations {
        let mut fitness = Vec::new();
        for (place, brain) in evolution.brains().enumerate() {
            let (scratch, outputs) = (Scratch::default(), Vec::new());
            let (own, is_solved) = (task.judge)(&mut Network {
                brain,
                scratch,
                outputs,
            });
            fitness.push(own);
            if is_solved {
                let topology = evolution.members()[place].topology();
                return Ok(Some(Solved {
                    generations: evolution.generation() + 1,
                    networks: evolution.generation() as usize * evolution.members().len()
                        + place
                        + 1,
                    hidden: topology.hidden_nodes(),
                    edges: topology.edges,
                }));
            }
        }
        evolution.advance(&fitness);
    }
    Ok(None)
}

fn main() -> Result<(), Box<dyn Error>> {
    let seeds: u64 = match std::env::args().nth(1) {
        Some(number) => number.parse()?,
        None => 10,
    };
    for task in &TASKS {
        let mut solved = Vec::new();
        for seed in 1..=seeds {
            solved.extend(solve(task, seed)?);
        }
        let mean = |figure: fn(&Solved) -> f64| {
            solved.iter().map(figure).sum::<f64>() / solved.len() as f64
        };
        println!("{}: {} of {seeds} seeds solved", task.name, solved.len());
        println!(
            "  in the mean {:.1} generations, {:.0} networks, {:.2} hidden nodes, {:.2} edges; at \
            most {} generations",
            mean(|run| run.generations as f64),
            mean(|run| run.networks as f64),
            mean(|run| run.hidden as f64),
            mean(|run| run.edges as f64),
            solved.iter().map(|run| run.generations).max().unwrap_or(0),
        );
        println!("  published: {}", task.published);
    }
    Ok(())
}
