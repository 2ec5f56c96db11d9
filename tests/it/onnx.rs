//! Networks as ONNX models: onnxruntime computes with them what our own networks compute.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64};

use finches::contest::{Pairing, Seat};
use finches::games::Side;
use finches::genomes::{AnyGenome, GenomeConfig, InputBatch, IoSpec, Scratch};
use finches::play::reference_player::ReferencePlayer;
use finches::play::{Arena, Schedule};
use finches::preset::Preset;
use finches::rng::{Purpose, stream};
use finches::storage::onnx::{ModelWords, write_onnx};
use finches::storage::saves::Saves;
use rand::RngExt;

use crate::program::{folder, run};
use crate::python::python;
use crate::support::preset;

/// The rows that each model is compared on: positions of random games, random whole numbers, and
/// random numbers.
const ROWS: usize = 10_000;

/// The largest deviation, relative to the output where it is above 1.
const TOLERANCE: f64 = 1e-6;

/// Runs every model of the list on its inputs, and prints its largest deviation from the outputs
/// expected. What a model says of its scales holds for positions, which are the first half of the
/// inputs of all but lookup tables, and for outputs.
const RUNNER: &str = r#"
import json
import pathlib
import numpy as np
import onnx
import onnxruntime as ort
folder = pathlib.Path(sys.argv[1])
for line in (folder / "list.txt").read_text().splitlines():
    name, inputs, outputs, made = line.split()
    model = onnx.load(folder / f"{name}.onnx")
    onnx.checker.check_model(model, full_check=True)
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    session = ort.InferenceSession(str(folder / f"{name}.onnx"), options)
    (given,), (got,) = session.get_inputs(), session.get_outputs()
    assert (given.name, given.shape) == ("position", ["batch", int(inputs)]), (name, given)
    value = "value" if outputs == "1" else "outputs"
    assert (got.name, got.shape) == (value, ["batch", int(outputs)]), (name, got)
    rows = np.fromfile(folder / f"{name}.in", "<f4").reshape(-1, int(inputs))
    expected = np.fromfile(folder / f"{name}.out", "<f4").reshape(-1, int(outputs))
    found = session.run(None, {"position": rows})[0]
    assert found.shape == expected.shape, (name, found.shape)
    expected, found = expected.astype(float), found.astype(float)
    deviation = np.abs(found - expected) / np.maximum(1, np.abs(expected))
    spread = expected.std(axis=0).max()
    assert np.isfinite(expected).all() and spread > 0, (name, spread)
    if made == "exported":
        facts = {entry.key: entry.value for entry in model.metadata_props}
        assert facts["run"] == f"{name}-1" and facts["generation"] == "1", facts
        assert model.graph.input[0].doc_string and model.doc_string, name
        scales, (low, high) = (json.loads(facts[key]) for key in ("input_scales", "output_scale"))
        assert len(scales) == len(json.loads(facts["inputs"])) == int(inputs), (name, scales)
        positions = rows[:len(rows) // 2].T if facts["agent"] != "lookup" else []
        for column, scale in zip(positions, scales):
            assert scale is None or scale[0] <= column.min() <= column.max() <= scale[1], name
        assert low is None or low <= expected.min(), (name, low)
        assert high is None or expected.max() <= high, (name, high)
        if name == "nim-2x4":
            assert (scales, low, high) == ([[0, 4], [0, 4]], None, None), facts
        if name == "hynek-11":
            assert scales == [[0, 11]], facts
        if name == "reversi-vanilla":
            assert (scales, low, high) == ([[-1, 1]] * 64, -1, 1), facts
    print(name, len(rows), f"{deviation.max():.3g}", len(model.graph.node))
"#;

/// Small runs of every kind of genome: a preset, and settings that make it fast.
const RUNS: [(&str, &[&str]); 9] = [
    ("hynek-11", &[]),
    ("neat-nim-2x4", &["population=30", "opponents=10"]),
    ("nim-2x4", &["population=40", "opponents=10"]),
    (
        "reversi-vanilla",
        &["population=16", "width=4", "outputs=tanh"],
    ),
    ("weaver-direct-0-fast", &[]),
    ("weaver-modules", &[]),
    ("nim-5-heaps", &[]),
    ("nim-5-heaps-own-tables", &[]),
    ("reversi-tuples", &["population=12"]),
];

/// Presets whose networks differ from those: in activation functions, node functions, projections,
/// symmetries, stages and outputs.
const OTHERS: [&str; 16] = [
    "blondie",
    "dots-record-3x3",
    "draughts-record",
    "nim-7-heaps-products",
    "reversi-graph",
    "reversi-neat",
    "reversi-own-enemy",
    "reversi-record",
    "reversi-sigmoid",
    "reversi-softsign",
    "reversi-symmetric",
    "reversi-threshold",
    "reversi-windows",
    "simple-nim-8",
    "thien-1ply",
    "weaver-graph",
];

/// Encoded positions of games between random players.
fn positions(arena: &dyn Arena, count: usize) -> Vec<Vec<f32>> {
    let pairing = |game| Pairing::new(Seat::Reference(0), Seat::Reference(0), game);
    let pairings: Vec<Pairing> = (0..count as u32).map(pairing).collect();
    let schedule = Schedule {
        seed: 1,
        generation: 0,
        first_game: 0,
        pairings: &pairings,
        members: &[],
        hall_of_fame: &[],
        references: &[ReferencePlayer::Random],
        random_moves: 0.0,
        halt: &AtomicBool::new(false),
        played: &AtomicU64::new(0),
    };
    let mut rows = Vec::new();
    for game in 0..count {
        let side = if game % 2 == 0 {
            Side::First
        } else {
            Side::Second
        };
        rows.extend_from_slice(arena.replay_buffer(&schedule, game, side).rows());
        if rows.len() >= count {
            break;
        }
    }
    rows.truncate(count);
    rows
}

/// Inputs for a network: positions where there are any, and random rows that begin with whole
/// numbers.
fn inputs(arena: &dyn Arena) -> Vec<Vec<f32>> {
    let io_spec = arena.io_spec();
    let is_number = !io_spec.choice_counts.is_empty();
    let mut rows = if is_number {
        Vec::new()
    } else {
        positions(arena, ROWS / 2)
    };
    let mut rng = stream(1, Purpose::Sample, 0, 0);
    while rows.len() < ROWS {
        let is_whole = rows.len() < ROWS * 3 / 4;
        let mut number = |input: usize| {
            let (low, high) = range(io_spec, input);
            let number = rng.random_range(low..=high);
            if is_whole { number.round() } else { number }
        };
        rows.push((0..io_spec.inputs.raw_count()).map(&mut number).collect());
    }
    rows
}

/// The lowest and the highest value of a raw input, and a little beyond.
fn range(io_spec: &IoSpec, input: usize) -> (f32, f32) {
    if !io_spec.choice_counts.is_empty() {
        return (-1.0, io_spec.choice_counts.len() as f32 + 2.0);
    }
    if let Some(&levels) = io_spec.inputs.levels.get(input) {
        return (0.0, f32::from(levels) + 1.0);
    }
    let largest = f32::from(io_spec.inputs.whole.unwrap_or(1).min(8));
    (-largest, largest)
}

/// Writes the inputs of a network and its own outputs, and the line of the list.
fn write_case(
    folder: &Path,
    name: &str,
    made: &str,
    preset: &Preset,
    genome: &AnyGenome,
) -> String {
    let arena = preset.arena().expect("the preset is valid");
    let io_spec = arena.io_spec();
    let brain = preset.genome.grow(genome, io_spec);
    let rows = inputs(&*arena);
    let (mut scratch, mut out) = (Scratch::default(), Vec::new());
    let mut outputs = Vec::new();
    for row in &rows {
        brain.forward(InputBatch::single(row), &mut scratch, &mut out);
        outputs.extend_from_slice(&out);
    }
    for (ending, numbers) in [("in", rows.concat()), ("out", outputs)] {
        let bytes: Vec<u8> = numbers
            .iter()
            .flat_map(|number| number.to_le_bytes())
            .collect();
        let path = folder.join(format!("{name}.{ending}"));
        fs::write(path, bytes).expect("the folder is writable");
    }
    let (inputs, outputs) = (io_spec.inputs.raw_count(), io_spec.outputs);
    format!("{name} {inputs} {outputs} {made}\n")
}

/// Evolves a preset for two generations and exports its champion.
fn export(folder: &Path, name: &str, settings: &[&str]) -> String {
    let settings: Vec<String> = settings.iter().map(|one| format!("--set={one}")).collect();
    let mut words = vec!["run", name, "--seed=1", "--generations=2", "--headless"];
    words.extend(settings.iter().map(String::as_str));
    let (_, said, code) = run(folder, &words);
    // The target of the preset need not be met.
    assert!([0, 3].contains(&code), "{name}: {said}");
    let path = folder.join(format!("{name}.onnx"));
    let saved = format!("{name}-1");
    let path = path.to_str().expect("it is text");
    let (printed, said, code) = run(folder, &["export", &saved, "--onnx", path]);
    assert_eq!((printed.as_str(), code), ("", 0), "{name}: {said}");
    let saves = Saves::at(folder.to_owned());
    let champion = saves.champion(&saved, 1).expect("it is saved");
    let preset = saves.run_file(&saved).expect("it is saved").preset;
    write_case(folder, name, "exported", &preset, &champion.genome)
}

/// Writes a random network of a preset that has been mutated often.
fn mutated(folder: &Path, name: &str) -> String {
    let preset = preset(name);
    let arena = preset.arena().expect("the preset is valid");
    let mut rng = stream(2, Purpose::Initialization, 0, 0);
    let mut genome = preset.genome.random(arena.io_spec(), &mut rng);
    for _ in 0..100 {
        preset.genome.mutate(&mut genome, &mut rng);
    }
    let graph = preset.genome.ops(&genome, arena.io_spec());
    let graph = graph.expect("it has operations");
    let path = folder.join(format!("{name}.onnx"));
    write_onnx(&path, &graph, &ModelWords::default()).expect("the folder is writable");
    write_case(folder, name, "written", &preset, &genome)
}

#[test]
fn onnxruntime_computes_what_networks_of_every_kind_compute() {
    let kinds: BTreeSet<&str> = RUNS
        .iter()
        .map(|(name, _)| preset(name).genome.name())
        .collect();
    let all = GenomeConfig::all();
    let own = all
        .iter()
        .filter(|config| !matches!(config, GenomeConfig::Custom(_)));
    assert_eq!(
        kinds,
        own.map(GenomeConfig::name).collect(),
        "every kind has a run"
    );
    if python(&["onnxruntime", "onnx", "numpy"], "", &[], &[]).is_none() {
        return;
    }
    let folder = folder();
    let mut list = String::new();
    for (name, settings) in RUNS {
        list += &export(folder.path(), name, settings);
    }
    for name in OTHERS {
        list += &mutated(folder.path(), name);
    }
    fs::write(folder.path().join("list.txt"), &list).expect("the folder is writable");
    let ran = python(
        &["onnxruntime", "onnx", "numpy"],
        RUNNER,
        &[folder.path()],
        &[],
    );
    let printed = ran.expect("the packages are there");
    eprint!("{printed}");
    let mut wrong = String::new();
    assert_eq!(printed.lines().count(), RUNS.len() + OTHERS.len());
    for line in printed.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[1], ROWS.to_string(), "{line}");
        let deviation: f64 = words[2].parse().expect("it is a number");
        if deviation.is_nan() || deviation > TOLERANCE {
            let _ = writeln!(wrong, "{line}");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn what_cannot_be_exported_is_said() {
    let folder = folder();
    let words = [
        "run",
        "hynek-11",
        "--seed=1",
        "--generations=1",
        "--headless",
    ];
    let (_, said, code) = run(folder.path(), &words);
    assert!([0, 3].contains(&code), "{said}");
    let check = |words: &[&str], code: i32, expected: &str| {
        let (_, said, found) = run(folder.path(), &[&["export", "hynek-11-1"], words].concat());
        assert_eq!(found, code, "{said}");
        assert!(said.contains(expected), "{said}");
    };
    check(
        &["--onnx", "a.onnx", "--generation", "7"],
        2,
        "generation 7 is not saved",
    );
    check(&["--onnx", "no-folder/a.onnx"], 1, "no-folder/a.onnx");
    check(&["--onnx", "a.onnx", "--json"], 2, "cannot be used with");
    check(&["--generation", "0"], 2, "--onnx");
}
