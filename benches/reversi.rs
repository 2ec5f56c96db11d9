//! What counting move sequences in Reversi costs, and the ratio that wide instructions are worth,
//! which must stay above 1 where a machine has them.

#![allow(clippy::print_stdout, reason = "the ratio is what this bench is for")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

use finches::games::reversi::{Reversi, ReversiConfig};
use finches::games::rules::count_sequences;
use finches::games::{GameParams, Rules};

/// Both ways of looking at boards: with what the machine has, and the one that works everywhere.
fn games() -> [(&'static str, Reversi); 2] {
    let game = ReversiConfig::default().build();
    [("detected", game.clone()), ("plain", game.portable())]
}

fn count(game: &Reversi, depth: usize) -> u64 {
    count_sequences(game, black_box(&game.standard_start()), depth)
}

/// Whether times are taken; `cargo test --benches` only sees whether everything runs.
fn is_measuring() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}

fn depth() -> usize {
    if is_measuring() { 7 } else { 3 }
}

fn perft(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("reversi sequences");
    for (name, game) in games() {
        group.throughput(Throughput::Elements(count(&game, depth())));
        group.bench_function(name, |bencher| bencher.iter(|| count(&game, depth())));
    }
    group.finish();
}

/// The plain time by the detected one; of several rounds in turns the fastest counts, so that a
/// busy moment hits neither.
fn ratio(_: &mut Criterion) {
    let games = games();
    let mut fastest = [Duration::MAX; 2];
    for _ in 0..if is_measuring() { 50 } else { 1 } {
        for ((_, game), fastest) in games.iter().zip(&mut fastest) {
            let began = Instant::now();
            black_box(count(game, depth()));
            *fastest = began.elapsed().min(*fastest);
        }
    }
    let [detected, plain] = fastest;
    let ratio = plain.as_secs_f64() / detected.as_secs_f64();
    println!("ratio: the detected way counts {ratio:.2} times as fast as the plain one");
}

criterion_group!(benches, perft, ratio);
criterion_main!(benches);
