//! What several tests need: the presets in the repository, sessions of them, and brains that are
//! plain functions.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use finches_engine::genomes::{Brain, InputBatch, Scratch};
use finches_engine::metrics::Row;
use finches_engine::params::Param;
use finches_engine::play::pool::Pool;
use finches_engine::preset::{Intervention, Preset};
use finches_engine::session::Session;

/// The folder of the repository.
pub(crate) fn root() -> PathBuf {
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let mut roots = folders.filter(|folder| folder.join("presets").is_dir());
    roots
        .next()
        .expect("a room is below the repository")
        .to_owned()
}

/// The names of all preset files, in ascending order.
pub(crate) fn preset_names() -> Vec<String> {
    let folder = fs::read_dir(root().join("presets")).expect("the presets are there");
    let mut names: Vec<String> = folder
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "ron"))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    assert!(!names.is_empty(), "there are presets");
    names
}

/// The text of a preset file.
pub(crate) fn preset_text(name: &str) -> String {
    let path = root().join("presets").join(format!("{name}.ron"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A preset of the repository.
pub(crate) fn preset(name: &str) -> Preset {
    let read = Preset::parse(&preset_text(name), name, &format!("{name}.ron"));
    read.unwrap_or_else(|error| panic!("{error}"))
}

/// A preset with settings changed, given as `key=value`.
pub(crate) fn preset_with(name: &str, settings: &[&str]) -> Preset {
    let pair = |setting: &&str| {
        let (key, value) = setting.split_once('=').expect("a setting is key=value");
        (key.to_owned(), value.to_owned())
    };
    let settings: Vec<(String, String)> = settings.iter().map(pair).collect();
    let changed = preset(name).with(&settings);
    changed.unwrap_or_else(|error| panic!("{error}"))
}

/// A preset, small enough to take well under a second.
pub(crate) fn small(name: &str) -> Preset {
    let parameters: &[&str] = match name {
        "blondie" => &["population=8", "elites=4", "pairing.games=2", "depth=2"],
        "reversi-alpha-beta" => &["population=24", "width=6", "depth=2"],
        "dots-record-3x3" => &["population=21", "opponents=2"],
        "draughts-record" => &["population=11", "opponents=2"],
        "reversi-record" => &["population=11", "opponents=2", "hall_opponents=2"],
        "dots-learned-3x3" => &["pretraining.games=32", "lifetime.games=32"],
        "dots-record-5x5" => &[
            "population=11",
            "opponents=2",
            "hall_opponents=2",
            "pretraining.games=32",
        ],
        "reversi-learned" | "reversi-one-ply" => &[
            "population=11",
            "opponents=2",
            "hall_opponents=2",
            "length=3",
            "tuples=[]",
            "pretraining.games=32",
        ],
        "reversi-tuples" | "reversi-tuples-4" => &["population=11"],
        "reversi-specialist" => &["population=101", "matches=10"],
        "nim-2x10" => &["population=100", "opponents=50"],
        "thien-1ply-minimax" => &[],
        // They are judged in all positions.
        _ if name.starts_with("nim-6-heaps") => &["heaps=[1,3,5,7,2,2]"],
        _ if name.starts_with("nim-7-heaps") => &["heaps=[1,3,5,7,2,2,2]"],
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

/// The preset without a target, and with few opponents, judged positions and games to learn from
/// before evolution, so that a generation is short.
pub(crate) fn with_few_games(mut preset: Preset) -> Preset {
    // A target may be about all positions.
    preset.until.clear();
    for (name, most) in [
        ("opponents", 4),
        ("hall_opponents", 4),
        ("matches", 4),
        ("judged_positions", 100),
        ("pretraining.games", 100),
        ("lifetime.games", 100),
    ] {
        let is_large = |param: &Param| {
            let is_it = param.key == name || param.key.ends_with(&format!(".{name}"));
            is_it && param.value.parse::<u32>().is_ok_and(|value| value > most)
        };
        if let Some(param) = preset.params().into_iter().find(is_large) {
            let changed = preset.change(&param.key, &most.to_string());
            changed.unwrap_or_else(|error| panic!("{}: {error}", preset.name));
        }
    }
    preset
}

pub(crate) fn pool(threads: usize) -> Pool {
    Pool::new(threads).expect("the machine gives a few threads")
}

/// A run at its beginning.
pub(crate) fn session(preset: &Preset, seed: u64, threads: usize) -> Session {
    replay(preset, seed, threads, Vec::new())
}

/// A run at its beginning that repeats what another run recorded.
pub(crate) fn replay(
    preset: &Preset,
    seed: u64,
    threads: usize,
    interventions: Vec<Intervention>,
) -> Session {
    let session = Session::new(preset.clone(), seed, interventions, pool(threads));
    session.unwrap_or_else(|error| panic!("{error}"))
}

/// The rows of so many generations.
pub(crate) fn advance(session: &mut Session, generations: usize) -> Vec<Row> {
    let go = AtomicBool::new(false);
    (0..generations)
        .map(|_| session.advance(&go).expect("nothing halts it"))
        .collect()
}

/// The place of the first column whose figure is at least `share`, within so many generations.
pub(crate) fn first_generation(
    session: &mut Session,
    column: &str,
    share: f64,
    within: u64,
) -> Option<u64> {
    (0..within).find(|_| {
        let row = advance(session, 1).remove(0);
        row.get(session.columns(), column)
            .is_some_and(|figure| figure >= share)
    })
}

/// A brain that is a plain function from inputs to outputs.
pub(crate) struct Plain<F>(pub(crate) F);

impl<F: Fn(&[f32]) -> Vec<f32> + Send + Sync> Brain for Plain<F> {
    fn forward(&self, sight: InputBatch<'_>, _scratch: &mut Scratch, out: &mut Vec<f32>) {
        out.clear();
        for row in 0..sight.ends.len() {
            let mut inputs = sight.base.to_vec();
            for &(input, value) in sight.row_changes(row) {
                inputs[input as usize] = value;
            }
            out.extend((self.0)(&inputs));
        }
    }
}
