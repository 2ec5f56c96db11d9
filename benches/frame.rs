//! A frame of the largest screen over a hundred thousand generations must take less than five milliseconds.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
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
            let value = if column.name == "generation" {
                generation as f64
            } else {
                wave
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

fn frame(criterion: &mut Criterion) {
    let model = model();
    let area = Rect::new(0, 0, 200, 60);
    let mut buf = Buffer::empty(area);
    criterion.bench_function("frame 200x60 of 100,000 generations", |bencher| {
        bencher.iter(|| {
            buf.reset();
            view(black_box(&model), area, &mut buf);
        });
    });
}

criterion_group!(benches, frame);
criterion_main!(benches);
