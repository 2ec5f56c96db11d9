//! What a generation costs, and the ratios that must hold on any machine: more threads are faster, and a generation late
//! in a run costs what an early one does.

#![allow(clippy::print_stdout, reason = "the ratios are what this bench is for")]

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};

use finches::arena::pool::Pool;
use finches::preset::Preset;
use finches::session::{Session, State};
use mimalloc::MiMalloc;

/// That of the program.
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
    let pool = Pool::new(threads).expect("the machine gives a few threads");
    let session = Session::new(preset.clone(), 1, Vec::new(), pool);
    session.unwrap_or_else(|error| panic!("{error}"))
}

/// A run that goes on from a state, on one thread.
fn resume(preset: &Preset, state: &State) -> Session {
    let pool = Pool::new(1).expect("there is a thread");
    let session = Session::resume(preset.clone(), 1, Vec::new(), state.clone(), pool);
    session.unwrap_or_else(|error| panic!("{error}"))
}

/// Plays generations as the program does, wholly on the pool's threads.
fn advance(session: &mut Session, generations: u32) {
    let go = AtomicBool::new(false);
    let pool = session.pool().clone();
    pool.inside(|| {
        for _ in 0..generations {
            pool.inside(|| session.advance(&go).expect("nothing halts it"));
        }
    });
}

/// The time of so many generations.
fn time(session: &mut Session, generations: u32) -> Duration {
    let began = Instant::now();
    advance(session, generations);
    began.elapsed()
}

/// The same generation again and again, from a run that has found its feet, on one thread.
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

/// Whether times are taken; `cargo test --benches` only sees whether everything runs.
fn is_measuring() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}

fn ratios(_: &mut Criterion) {
    let scale = if is_measuring() { 1 } else { 20 };
    threads(scale);
    late_and_early(scale);
}

/// The time on one thread by the time on two, in runs that have found their feet: near 2 where there are two idle cores. Two runs
/// take turns, some generations each, so that caches are theirs for a while. The median of all turns counts.
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

/// The time of generations after 900 by that of the first, networks and games keeping their size: near 1, and a little above it, since
/// the first generations have few earlier champions to meet. Of five rounds in turns the fastest counts.
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
        "ratio: twenty generations after 900 cost {ratio:.2} of the first ({late:.1?}, {early:.1?})"
    );
}

criterion_group!(benches, generation, ratios);
criterion_main!(benches);
