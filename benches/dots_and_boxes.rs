//! What a game of dots and boxes between two networks of 24-9-24 costs on one thread, and a round
//! robin of 100 on two.

#![allow(
    clippy::print_stdout,
    reason = "the figures are what this bench is for"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

use finches::evolution::pairing::PlayedRounds;
use finches::evolution::{Population, next_round};
use finches::play::phenotype::Phenotype;
use finches::play::pool::{Pool, Slots};
use finches::play::{Schedule, build};
use finches::preset::Preset;

/// The settings of the published round robin.
const PRESET: &str = include_str!("../presets/weaver-round-robin.ron");

fn main() {
    let is_measuring = std::env::args().any(|argument| argument == "--bench");
    let rounds = if is_measuring { 40 } else { 1 };
    let preset = Preset::parse(PRESET, "round-robin", "the bench").expect("it is sound");
    let arena = build(&preset.game, &preset.agent).expect("they go together");
    let population = Population::random(&preset.evolution, &preset.genome, arena.io_spec(), 1);
    let context = population.pairing_context(population.members.len(), &[]);
    let none = PlayedRounds::default();
    let pairings = next_round(&preset.evolution, &context, &none, 1, 0).expect("it has games");
    let grown = |genome| Arc::new(Phenotype::grown(&preset.genome, arena.io_spec(), genome));
    let members: Vec<Arc<Phenotype>> = population.members.iter().map(grown).collect();
    for threads in [1, 2] {
        let pool = Pool::new(threads).expect("there are threads");
        let schedule = Schedule {
            seed: 1,
            generation: 0,
            first_game: 0,
            pairings: &pairings,
            members: &members,
            hall_of_fame: &[],
            references: &[],
            random_moves: 0.0,
            halt: &AtomicBool::new(false),
            played: &AtomicU64::new(0),
        };
        let mut fastest = Duration::MAX;
        for _ in 0..rounds {
            let mut played = Slots::new(pairings.len());
            let began = Instant::now();
            arena.play(&pool, &schedule, &mut played);
            fastest = fastest.min(began.elapsed());
            assert!(played.is_full());
        }
        let games = pairings.len();
        let each = fastest.as_secs_f64() * 1e6 / games as f64;
        println!(
            "{threads} threads: {games} games in {:.1} ms, {each:.2} us a game",
            fastest.as_secs_f64() * 1e3
        );
    }
}
