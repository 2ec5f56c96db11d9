//! A checksum of the first generations of every preset. A refactoring changes none of them.
//! `FINCHES_GOLDEN=write cargo test golden` records them again where figures are meant to change.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::{env, fs};

use finches::metrics::Row;
use finches::preset::Preset;
use finches::session::Session;
use finches::session::progress::GenerationPhase;

use crate::support::{preset_names, root, session, small};

/// Generations per preset.
const GENERATIONS: usize = 2;

/// The checksum of all figures of a run. They are sorted within a generation, so that names and places of columns do not matter.
fn checksum(preset: &Preset) -> u32 {
    let mut session = session(preset, 7, 2);
    let mut text = String::new();
    for _ in 0..GENERATIONS {
        let row = counted_generation(&mut session);
        let mut figures: Vec<String> = row.values().iter().flatten().map(f64::to_string).collect();
        figures.sort();
        writeln!(text, "{}", figures.join(" ")).expect("writing to a string cannot fail");
    }
    crc32fast::hash(text.as_bytes())
}

/// Runs a generation and checks that its games and measures were counted.
fn counted_generation(session: &mut Session) -> Row {
    let name = session.preset().name.clone();
    let progress = Arc::clone(session.progress());
    let check = |phases: &[GenerationPhase]| {
        let read = progress.read();
        assert!(phases.contains(&read.phase), "{name}: {read:?}");
        assert_eq!(read.done, read.expected, "{name}: {read:?}");
        read.expected
    };
    let played = session.play(&AtomicBool::new(false));
    let finished = played.expect("nothing halts it");
    let games = check(&[GenerationPhase::Playing, GenerationPhase::Challenging]);
    assert!(games > 0, "{name}");
    let row = session.measure(&finished);
    check(&[GenerationPhase::Measuring]);
    session.reproduce(finished);
    row
}

#[test]
fn every_preset_gives_the_recorded_figures() {
    let mut found = String::new();
    for name in preset_names() {
        writeln!(found, "{name} {:08x}", checksum(&small(&name)))
            .expect("writing to a string cannot fail");
    }
    let path = root().join("tests/it/golden.txt");
    if env::var_os("FINCHES_GOLDEN").is_some() {
        fs::write(&path, &found).expect("the folder can be written");
    }
    let recorded = fs::read_to_string(&path).unwrap_or_default();
    let changed: Vec<&str> = found
        .lines()
        .filter(|line| !recorded.lines().any(|recorded| recorded == *line))
        .collect();
    assert!(
        changed.is_empty(),
        "figures differ from those in {}: {changed:#?}",
        path.display()
    );
}
