//! A frame of the largest screen over a hundred thousand generations must take less than four milliseconds as a rule, and less
//! than eight in 99 of a hundred: screen by screen, also with charts that fill it and with values read in them.

#![allow(clippy::print_stdout, reason = "a bench tells what it has found")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use finches::arena::pool::Pool;
use finches::metrics::Row;
use finches::run::Facts;
use finches::run::message::{Event, Pace, Phase};
use finches::session::Session;
use finches::storage::presets;
use finches::ui::app::watch::Watch;
use finches::ui::app::{Model, view};
use finches::ui::screens::home::Home;
use finches::ui::theme::Theme;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

const GENERATIONS: u64 = 100_000;

fn model() -> Model {
    let preset = presets::load("nim-2x4").expect("it ships");
    let pool = Pool::new(1).expect("one thread");
    let session = Session::new(preset, 42, Vec::new(), pool).expect("it is sound");
    let columns = session.columns().clone();
    let facts = Facts {
        preset: session.preset().clone(),
        seed: 42,
        columns: columns.clone(),
        interventions: Vec::new(),
        arena: Arc::clone(session.arena()),
        threads: 1,
        saved_as: None,
        generation: 0,
    };
    let row = |generation: u64| {
        let mut row = Row::empty(&columns);
        for column in columns.all() {
            let wave = (generation as f64 * 0.013).sin().abs();
            let value = match column.name.as_str() {
                "generation" => generation as f64,
                "games" => generation as f64 * 9_900.0,
                "moves" => generation as f64 * 50_000.0,
                "seconds" => generation as f64 * 0.011,
                _ => wave,
            };
            row.set(&columns, &column.name, value);
        }
        row
    };
    let rows = (0..GENERATIONS).map(row).collect();
    let mut model = Model::new(Theme::dark(), Home::new(Vec::new(), String::new()));
    model.watch(Watch::new(facts, 0.0));
    model.apply(Event::Phase(Phase::Running));
    model.apply(Event::Rows(rows, Pace::default()));
    model
}

/// The size of the frames.
const AREA: Rect = Rect::new(0, 0, 200, 60);

/// What is drawn, and the keys that lead there from the Run screen; `>` is Tab, `<` goes back to an earlier generation, `!` is
/// Enter.
const SCENES: [(&str, &str); 15] = [
    ("run", ""),
    ("run, over games", "x"),
    ("run, over time, logarithmic", "xxy"),
    ("run, last 1,000", "--------"),
    ("run, reading", "i<<<"),
    ("objective zoomed", "z"),
    ("objective zoomed, reading over games", "xzi<<<"),
    ("fitness zoomed, reading", ">zi<<<"),
    ("network size zoomed, reading", ">>>>zi<<<"),
    ("past zoomed, reading", ">>>>>zi<<<"),
    ("compare", "8!"),
    ("compare, reading over time", "8!xxi<<<"),
    ("compare zoomed, grouped", "8!gz"),
    ("knobs", "5"),
    ("help", "?"),
];

fn press(model: &mut Model, keys: &str) {
    for key in keys.chars() {
        let code = match key {
            '>' => KeyCode::Tab,
            '<' => KeyCode::Left,
            '!' => KeyCode::Enter,
            letter => KeyCode::Char(letter),
        };
        model.press(KeyEvent::new(code, KeyModifiers::NONE));
    }
}

/// The time of each of so many frames, in ascending order.
fn times(model: &Model, frames: usize) -> Vec<Duration> {
    let mut buf = Buffer::empty(AREA);
    let mut time = || {
        buf.reset();
        let begun = Instant::now();
        black_box(view(black_box(model), AREA, &mut buf));
        begun.elapsed()
    };
    let mut times: Vec<Duration> = (0..frames).map(|_| time()).collect();
    times.sort_unstable();
    times
}

/// Tells the median and the 99th percentile of every scene.
fn scenes(_: &mut Criterion) {
    let frames = if std::env::args().any(|word| word == "--bench") {
        1000
    } else {
        1
    };
    let begin = model();
    println!("{:<40} {:>10} {:>10}", "frame of 200x60", "median", "99 %");
    for (name, keys) in SCENES {
        let mut model = model_like(&begin);
        press(&mut model, keys);
        let times = times(&model, frames);
        let at = |share: usize| times[(times.len() - 1) * share / 100];
        println!("{name:<40} {:>10.1?} {:>10.1?}", at(50), at(99));
    }
}

/// Another model of the same run.
fn model_like(begin: &Model) -> Model {
    let mut model = Model::new(Theme::dark(), Home::new(Vec::new(), String::new()));
    model.resize(AREA.width, AREA.height);
    model.watch(begin.watch.clone().expect("a run goes on"));
    model
}

fn frame(criterion: &mut Criterion) {
    let model = model();
    let mut buf = Buffer::empty(AREA);
    criterion.bench_function("frame 200x60 of 100,000 generations", |bencher| {
        bencher.iter(|| {
            buf.reset();
            view(black_box(&model), AREA, &mut buf);
        });
    });
}

criterion_group!(benches, scenes, frame);
criterion_main!(benches);
