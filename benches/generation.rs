//! The time of a generation, and two ratios that must hold on any machine: more threads are faster,
//! and a late generation takes as long as an early one.

#![allow(clippy::print_stdout, reason = "the ratios are what this bench is for")]

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};

use finches::play::pool::Pool;
use finches::preset::Preset;
use finches::session::{Session, SessionState};
use mimalloc::MiMalloc;

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn preset(name: &str, settings: &[(&str, &str)]) -> Preset {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("presets");
    let text = std::fs::read_to_string(folder.join(format!("{name}.ron")));
    let text = text.expect("the preset is there");
    let pair = |&(key, value): &(&str, &str)| (key.to_owned(), value.to_owned());
    let settings: Vec<(String, String)> = settings.iter().map(pair).collect();
    let read = Preset::parse(&text, name, name).and_then(|preset| preset.with(&settings));
    read.unwrap_or_else(|error| panic!("{error}"))
}

fn session(preset: &Preset, threads: usize) -> Session {
    let pool = Pool::new(threads).expect("the machine has enough threads");
    let session = Session::new(preset.clone(), 1, Vec::new(), pool);
    session.unwrap_or_else(|error| panic!("{error}"))
}

/// A run resumed from a state, on one thread.
fn resume(preset: &Preset, state: &SessionState) -> Session {
    let pool = Pool::new(1).expect("there is a thread");
    let session = Session::resume(preset.clone(), 1, Vec::new(), state.clone(), pool);
    session.unwrap_or_else(|error| panic!("{error}"))
}

/// Plays generations on the pool's threads, as the program does.
fn advance(session: &mut Session, generations: u32) {
    let go = AtomicBool::new(false);
    let pool = session.pool().clone();
    pool.install(|| {
        for _ in 0..generations {
            pool.install(|| session.advance(&go).expect("nothing halts it"));
        }
    });
}

/// The time of a number of generations.
fn time(session: &mut Session, generations: u32) -> Duration {
    let began = Instant::now();
    advance(session, generations);
    began.elapsed()
}

/// Times one generation repeatedly, from a run that has reached a steady state, on one thread.
fn generation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("generation");
    group.sample_size(20);
    group.measurement_time(Duration::from_secs(3));
    for name in ["simple-nim-1to8-direct", "nim-2x4", "nim-2x4-value"] {
        let preset = preset(name, &[]);
        let mut begun = session(&preset, 1);
        advance(&mut begun, if is_measuring() { 50 } else { 1 });
        let again = || resume(&preset, begun.state());
        group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
            bencher.iter_batched_ref(again, |session| advance(session, 1), BatchSize::SmallInput);
        });
    }
    group.finish();
}

/// Whether times are measured; `cargo test --benches` only checks that everything runs.
fn is_measuring() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}

fn ratios(_: &mut Criterion) {
    let scale = if is_measuring() { 1 } else { 20 };
    threads(scale);
    late_and_early(scale);
}

/// The time on one thread divided by the time on two, in runs that have reached a steady state:
/// near 2 with two idle cores. Two runs alternate, some generations each, so that each has the
/// caches to itself for a while. The median of all turns counts.
fn threads(scale: u32) {
    let preset = preset("nim-2x4-value", &[("population", "1000")]);
    let mut sessions = [session(&preset, 1), session(&preset, 2)];
    for session in &mut sessions {
        advance(session, 50 / scale);
    }
    let turn = |_| {
        sessions
            .each_mut()
            .map(|session| time(session, 20 / scale).as_secs_f64())
    };
    let turns: Vec<[f64; 2]> = (0..(20 / scale)).map(turn).collect();
    let mut ratios: Vec<f64> = turns.iter().map(|[one, two]| one / two).collect();
    ratios.sort_by(f64::total_cmp);
    let median = ratios[ratios.len() / 2];
    println!("ratio: two threads are {median:.2} times as fast as one (population 1000)");
}

/// The time of generations after 900 divided by that of the first, with networks and games of
/// constant size: slightly above 1, since the first generations have few earlier champions to play
/// against. The fastest of five alternating rounds counts.
fn late_and_early(scale: u32) {
    let preset = preset("nim-2x4-value", &[("add_edge", "0"), ("add_node", "0")]);
    let mut late = session(&preset, 1);
    advance(&mut late, 1);
    let first = late.state().clone();
    advance(&mut late, 899 / scale);
    let mut fastest = [Duration::MAX; 2];
    for _ in 0..5 {
        let early = time(&mut resume(&preset, &first), 20 / scale);
        fastest[0] = early.min(fastest[0]);
        fastest[1] = time(&mut late, 20 / scale).min(fastest[1]);
    }
    let [early, late] = fastest;
    let ratio = late.as_secs_f64() / early.as_secs_f64();
    println!(
        "ratio: twenty generations after 900 take {ratio:.2} times as long as the first \
        ({late:.1?}, {early:.1?})"
    );
}

criterion_group!(benches, generation, ratios);
criterion_main!(benches);
