//! A checksum of the first generations of every preset. A refactoring changes none of them.
//! `FINCHES_GOLDEN=write cargo test golden` records them again where figures are meant to change.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::{env, fs};

use finches::metrics::Row;
use finches::params::Param;
use finches::preset::Preset;
use finches::session::Session;
use finches::session::progress::GenerationPhase;

use crate::support::{preset_names, preset_with, root, session};

/// Generations per preset.
const GENERATIONS: usize = 2;

/// A preset, small enough to take well under a second.
pub(crate) fn small(name: &str) -> Preset {
    let parameters: &[&str] = match name {
        "blondie" => &["population=8", "elites=4", "pairing.games=2", "depth=2"],
        "reversi-alpha-beta" => &["population=24", "width=6", "depth=2"],
        "dots-record-3x3" | "dots-record-5x5" => &["population=21", "opponents=2"],
        "draughts-record" => &["population=11", "opponents=2"],
        "reversi-record" => &["population=11", "opponents=2", "hall_opponents=2"],
        "reversi-tuples" | "reversi-tuples-4" => &["population=11"],
        "reversi-specialist" => &["population=101", "matches=10"],
        "thien-1ply-minimax" => &[],
        _ if name.ends_with("minimax") => &["depth=2"],
        _ if name.starts_with("thien") => &["simulations=8"],
        _ if name.starts_with("weaver-supervised") => {
            &["population=6", "mutation.games=20", "training_sets=3"]
        }
        _ if name.starts_with("weaver") => &["population=24"],
        _ => &[],
    };
    let few: &[&str] = &["held_out_games=4", "population_games=2", "grading_games=40"];
    preset_with(name, &[parameters, few].concat())
}

/// The preset with fewer opponents and positions to be judged, so that ten generations of it are short.
pub(crate) fn with_few_games(mut preset: Preset) -> Preset {
    // A target may be about all positions.
    preset.until.clear();
    for (name, most) in [
        ("opponents", 4),
        ("hall_opponents", 4),
        ("judged_positions", 100),
    ] {
        let is_large = |param: &Param| {
            let last = param.key.rsplit('.').next();
            last == Some(name) && param.value.parse::<u32>().is_ok_and(|value| value > most)
        };
        if let Some(param) = preset.params().into_iter().find(is_large) {
            let changed = preset.change(&param.key, &most.to_string());
            changed.unwrap_or_else(|error| panic!("{}: {error}", preset.name));
        }
    }
    preset
}

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
