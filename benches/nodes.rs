//! Positions a second of alpha-beta search in Reversi, with tables of four squares as in
//! `reversi-record`, on one core. Other engines count positions in the same way: all that are
//! searched or evaluated.

#![allow(clippy::print_stdout, reason = "the figure is what this bench is for")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use rand::RngExt;

use finches::agents::{AgentConfig, Turn, Workspace};
use finches::games::reversi::{Reversi, ReversiConfig};
use finches::games::{Encoding, GameParams, Rules};
use finches::genomes::{Brain, GenomeConfig};
use finches::params::Params;
use finches::rng::{Purpose, stream};

/// The positions of each search.
const NODES: u32 = 1_000_000;

/// Moves before the positions that are searched.
const PLIES: [u64; 4] = [6, 14, 22, 30];

/// A component of the library with some parameters, written `key=value`.
fn with<T: Params>(mut config: T, assignments: &[&str]) -> T {
    for assignment in assignments {
        let (key, value) = assignment.split_once('=').expect("it assigns a value");
        config.set(key, value).expect("the value is allowed");
    }
    config
}

/// A position after random moves.
fn position(game: &Reversi, plies: u64) -> <Reversi as Rules>::State {
    let mut rng = stream(1, Purpose::Sample, 0, plies);
    let mut state = game.standard_start();
    let mut moves = Vec::new();
    for _ in 0..plies {
        moves.clear();
        game.moves(&state, &mut moves);
        game.play(&mut state, moves[rng.random_range(0..moves.len())]);
    }
    state
}

fn main() {
    let is_measuring = std::env::args().any(|argument| argument == "--bench");
    let (rounds, nodes) = if is_measuring {
        (3, NODES)
    } else {
        (1, NODES / 1000)
    };
    let game = ReversiConfig::default().build();
    let named = AgentConfig::named("alpha_beta").expect("it is registered");
    let agent = with(named, &["depth=64", &format!("nodes={nodes}")]);
    let agent = agent.build::<Reversi>();
    let io_spec = agent.io_spec(&game.shape()).expect("they go together");
    let tuples = GenomeConfig::named("n_tuples").expect("it is registered");
    let tuples = with(tuples, &["length=4", "squares=true", "antisymmetric=true"]);
    let genome = tuples.random(&io_spec, &mut stream(1, Purpose::Initialization, 0, 0));
    let brain: Box<dyn Brain> = tuples.grow(&genome, &io_spec);
    for plies in PLIES {
        let state = position(&game, plies);
        let mut fastest = Duration::MAX;
        for _ in 0..rounds {
            let mut workspace = Workspace::new(&game);
            let mut turn = Turn::new(&game, brain.as_ref(), &state, &mut workspace);
            let mut rng = stream(2, Purpose::Chance, 0, plies);
            let began = Instant::now();
            black_box(agent.choose(&mut turn, &mut rng));
            fastest = fastest.min(began.elapsed());
        }
        let speed = f64::from(nodes) / fastest.as_secs_f64() / 1e6;
        println!("after {plies} moves: {speed:.2} million positions a second");
    }
}
