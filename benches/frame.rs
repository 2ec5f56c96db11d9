//! Frame times with a history of 100,000 generations, by screen, with zoomed charts and with the
//! crosshair. The goal is a median below four milliseconds and a 99th percentile below eight.

#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use finches::metrics::Row;
use finches::play::pool::Pool;
use finches::run::RunInfo;
use finches::run::message::{Phase, RunEvent, Speed};
use finches::session::Session;
use finches::storage::presets;
use finches::ui::app::{AppModel, view};
use finches::ui::model::run::RunModel;
use finches::ui::screens::home::Home;
use finches::ui::theme::Theme;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

const GENERATIONS: u64 = 100_000;

fn model() -> AppModel {
    let preset = presets::load("nim-2x4").expect("a bundled preset");
    let pool = Pool::new(1).expect("one thread");
    let session = Session::new(preset, 42, Vec::new(), pool).expect("a valid session");
    let columns = session.columns().clone();
    let facts = RunInfo::of(&session, None);
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
    let mut model = AppModel::new(Theme::dark(), Home::new(Vec::new(), String::new()));
    model.show_run(RunModel::new(facts, 0.0));
    model.apply(RunEvent::Phase(Phase::Running));
    model.apply(RunEvent::Rows(rows, Speed::default()));
    model
}

const AREA: Rect = Rect::new(0, 0, 200, 60);

/// Scenes, and the keys that lead to them from the Run screen; `>` is Tab, `<` is Left, `_` is
/// the space bar.
const SCENES: [(&str, &str); 15] = [
    ("run", ""),
    ("run, over games", "x"),
    ("run, over time, logarithmic", "xxy"),
    ("run, last 1,000", "--------"),
    ("run, crosshair", "i<<<"),
    ("objective zoomed", "z"),
    ("objective zoomed, crosshair over games", "xzi<<<"),
    ("fitness zoomed, crosshair", ">zi<<<"),
    ("network size zoomed, crosshair", ">>>>zi<<<"),
    ("past zoomed, crosshair", ">>>>>zi<<<"),
    ("runs", "8_"),
    ("runs, crosshair over time", "8_xxi<<<"),
    ("runs zoomed, grouped", "8_gz"),
    ("parameters", "5"),
    ("help", "?"),
];

fn press(model: &mut AppModel, keys: &str) {
    for key in keys.chars() {
        let code = match key {
            '>' => KeyCode::Tab,
            '<' => KeyCode::Left,
            '_' => KeyCode::Char(' '),
            letter => KeyCode::Char(letter),
        };
        model.press(KeyEvent::new(code, KeyModifiers::NONE));
    }
}

/// The times of `frames` frames, in ascending order.
fn times(model: &AppModel, frames: usize) -> Vec<Duration> {
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

/// Prints the median and the 99th percentile of every scene.
fn scenes(_: &mut Criterion) {
    let frames = if std::env::args().any(|word| word == "--bench") {
        1000
    } else {
        1
    };
    let begin = model();
    println!("{:<40} {:>10} {:>10}", "frame of 200x60", "median", "99%");
    for (name, keys) in SCENES {
        let mut model = model_like(&begin);
        press(&mut model, keys);
        let times = times(&model, frames);
        let at = |share: usize| times[(times.len() - 1) * share / 100];
        println!("{name:<40} {:>10.1?} {:>10.1?}", at(50), at(99));
    }
}

/// A new model of the same run.
fn model_like(begin: &AppModel) -> AppModel {
    let mut model = AppModel::new(Theme::dark(), Home::new(Vec::new(), String::new()));
    model.resize(AREA.width, AREA.height);
    model.show_run(begin.context.run.clone().expect("a run"));
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
