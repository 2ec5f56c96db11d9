//! Checksums of the first generations of every preset, a line for each of its columns. A
//! refactoring changes none of them; a column or preset that is added brings lines of its own.
//! `FINCHES_GOLDEN=write cargo test --test it golden` records them again.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::{env, fs};

use finches::metrics::Row;
use finches::metrics::csv_text::csv_field;
use finches::preset::Preset;
use finches::session::Session;
use finches::session::progress::GenerationPhase;

use crate::presets::check_rows;
use crate::support::{preset_names, root, session, small};

/// Generations per preset.
const GENERATIONS: usize = 2;

/// A line for each column of a preset: the two names, and the checksum of the column's figures.
fn checksums(preset: &Preset) -> Vec<String> {
    let mut session = session(preset, 7, 2);
    let rows = [(); GENERATIONS].map(|()| counted_generation(&mut session));
    check_rows(&session, &rows);
    let checksum = |(place, column): (usize, &str)| {
        let figures = rows.iter().map(|row| csv_field(row.values()[place]) + "\n");
        let checksum = crc32fast::hash(figures.collect::<String>().as_bytes());
        format!("{} {column} {checksum:08x}", preset.name)
    };
    let columns = session.columns().names().enumerate();
    columns.map(checksum).collect()
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
    let presets = preset_names();
    let mut found: Vec<String> = presets
        .iter()
        .flat_map(|name| checksums(&small(name)))
        .collect();
    found.sort();
    let path = root().join("tests/it/golden.txt");
    if env::var_os("FINCHES_GOLDEN").is_some() {
        fs::write(&path, found.join("\n") + "\n").expect("the folder can be written");
    }
    let recorded = fs::read_to_string(&path).unwrap_or_default();
    let recorded: BTreeSet<&str> = recorded.lines().collect();
    let found: BTreeSet<&str> = found.iter().map(String::as_str).collect();
    let changed: Vec<_> = found.symmetric_difference(&recorded).collect();
    assert!(
        changed.is_empty(),
        "these figures (preset, column, checksum) are found or recorded in {}, not both: \
         {changed:#?}\nwhere they are meant to change, record them again with \
         `FINCHES_GOLDEN=write cargo test --test it golden`",
        path.display()
    );
}
