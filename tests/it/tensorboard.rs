//! Metrics for TensorBoard: what it reads is what the run has measured, each generation once.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use finches::storage::saves::Saves;

use crate::program::{folder, run, told};
use crate::python::python;

/// Prints each scalar of the runs in a folder: run, tag, step and value.
const READER: &str = r#"
import pathlib
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
for folder in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    events = EventAccumulator(str(folder), size_guidance={"scalars": 0})
    events.Reload()
    for tag in events.Tags()["scalars"]:
        for event in events.Scalars(tag):
            assert event.wall_time > 1.7e9, event
            print(folder.name, tag, event.step, float(event.value))
"#;

/// Prints what the plugin `hparams` lists: parameters of each run, then its values of columns.
const PARAMETER_READER: &str = r#"
from tensorboard.backend.event_processing import data_provider, plugin_event_multiplexer
from tensorboard.context import RequestContext
from tensorboard.plugins import base_plugin
from tensorboard.plugins.hparams import api_pb2, backend_context, list_session_groups
events = plugin_event_multiplexer.EventMultiplexer()
events.AddRunsFromDirectory(sys.argv[1])
events.Reload()
provider = data_provider.MultiplexerDataProvider(events, sys.argv[1])
board = base_plugin.TBContext(logdir=sys.argv[1], data_provider=provider)
asked = api_pb2.ListSessionGroupsRequest(slice_size=10, allowed_statuses=[0, 1, 2, 3])
handler = list_session_groups.Handler(
    RequestContext(), backend_context.Context(board), "", asked)
for group in handler.run().session_groups:
    for name, value in group.hparams.items():
        print(group.name, name, repr(getattr(value, value.WhichOneof("kind"))))
    for metric in group.metric_values:
        print(group.name, metric.name.tag, metric.training_step, metric.value)
"#;

const RUN: [&str; 8] = [
    "run",
    "nim-2x2",
    "--seed=3",
    "--headless",
    "--set=population=30",
    "--set=opponents=10",
    "--checkpoint-every=0",
    "--generations=6",
];

/// By tag and step.
type Scalars = BTreeMap<(String, u64), f32>;

/// What a run has measured, but for the time it took.
fn measured(saves: &Path, run: &str) -> Scalars {
    let (names, rows) = Saves::at(saves.to_owned())
        .metrics(run)
        .expect("it is saved");
    let mut scalars = Scalars::new();
    for row in rows {
        let values = names.iter().zip(row.values()).skip(1);
        for (name, value) in values.filter(|(name, _)| *name != "seconds") {
            if let Some(value) = value {
                scalars.insert((name.clone(), row.generation()), *value as f32);
            }
        }
    }
    assert!(scalars.len() > 20, "{scalars:?}");
    scalars
}

/// What TensorBoard reads of a run; `None` without it.
fn read(folder: &Path, run: &str) -> Option<Scalars> {
    let printed = python(&["tensorboard"], READER, &[folder], &[])?;
    let mut scalars = Scalars::new();
    for line in printed.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        if words[0] != run || words[1] == "seconds" {
            continue;
        }
        let step = words[2].parse().expect("it is a generation");
        let value = words[3].parse().expect("it is a number");
        let before = scalars.insert((words[1].to_owned(), step), value);
        assert_eq!(before, None, "twice: {line}");
    }
    Some(scalars)
}

fn expect(saves: &Path, words: &[&str], expected: i32) -> String {
    let (_, said, code) = run(saves, words);
    assert_eq!(code, expected, "{said}");
    said
}

#[test]
fn tensorboard_reads_each_generation_of_a_run_once() {
    let folder = folder();
    let saves = folder.path().join("saves");
    let events = folder.path().join("events");
    let option = format!("--tensorboard={}", events.display());
    // Live from the start, and continued.
    expect(&saves, &[&RUN[..], &[&option]].concat(), 0);
    expect(
        &saves,
        &[
            "resume",
            "nim-2x2-3",
            "--generations=9",
            "--headless",
            &option,
        ],
        0,
    );
    let file = events.join("nim-2x2-3/events.out.tfevents.finches");
    assert!(file.is_file(), "the folder has the name of the run");
    let is_read = read(&events, "nim-2x2-3").inspect(|found| {
        assert_eq!(*found, measured(&saves, "nim-2x2-3"));
    });
    // Begun later: the rows before are added.
    let later = folder.path().join("later");
    let option = format!("--tensorboard={}", later.display());
    expect(
        &saves,
        &[
            "resume",
            "nim-2x2-3",
            "--generations=11",
            "--headless",
            &option,
        ],
        0,
    );
    // Of a saved run, and of one that is not saved.
    let exported = folder.path().join("exported");
    let path = exported.to_str().expect("it is text");
    expect(&saves, &["export", "nim-2x2-3", "--tensorboard", path], 0);
    let unsaved = folder.path().join("unsaved");
    let option = format!("--tensorboard={}", unsaved.display());
    expect(&saves, &[&RUN[..], &[&option, "--no-save"]].concat(), 0);
    if is_read.is_some() {
        for folder in [&later, &exported] {
            let found = read(folder, "nim-2x2-3").expect("it was read before");
            assert_eq!(found, measured(&saves, "nim-2x2-3"));
        }
        let found = read(&unsaved, "nim-2x2-3").expect("it was read before");
        let mut whole = measured(&saves, "nim-2x2-3");
        whole.retain(|(_, step), _| *step < 6);
        assert_eq!(found, whole);
    }
}

#[test]
fn the_plugin_of_hyperparameters_lists_parameters_beside_columns() {
    let folder = folder();
    let saves = folder.path().join("saves");
    expect(&saves, &RUN, 0);
    let exported = folder.path().join("exported");
    let path = exported.to_str().expect("it is text");
    expect(&saves, &["export", "nim-2x2-3", "--tensorboard", path], 0);
    let Some(printed) = python(&["tensorboard"], PARAMETER_READER, &[&exported], &[]) else {
        return;
    };
    let fitness = ("best_fitness".to_owned(), 5);
    let fitness = format!(
        "best_fitness 5 {:.1}",
        measured(&saves, "nim-2x2-3")[&fitness]
    );
    for line in [
        "seed 3.0",
        "preset 'nim-2x2'",
        "agent 'direct'",
        "evolution.replacement 'shares'",
        "evolution.population 30.0",
        "evolution.pairing.opponents 10.0",
        "genome.add_node 0.05",
        "game.heaps '[2,2]'",
        "until ''",
        &fitness,
    ] {
        let line = format!("nim-2x2-3 {line}");
        assert!(printed.lines().any(|it| it == line), "{line}: {printed}");
    }
    assert!(
        !printed.contains("about"),
        "descriptions are left out: {printed}"
    );
}

#[test]
fn events_that_cannot_be_written_are_told() {
    let folder = folder();
    let file = folder.path().join("file");
    fs::write(&file, "").expect("the folder is writable");
    let option = format!("--tensorboard={}", file.display());
    let said = expect(folder.path(), &[&RUN[..], &[&option]].concat(), 1);
    assert!(
        said.contains("TensorBoard's events can't be written: "),
        "{said}"
    );
}

#[cfg(unix)]
#[test]
fn a_run_goes_on_where_its_events_can_no_longer_be_written() {
    use std::process::Command;

    let folder = folder();
    let program = env!("CARGO_BIN_EXE_finches");
    let words = RUN.map(|word| word.replace("=6", "=60")).join(" ");
    let limited = Command::new("sh")
        .arg("-c")
        .arg(format!(
            "ulimit -f 16; exec {program} {words} --no-save --tensorboard events"
        ))
        .current_dir(folder.path())
        .output();
    let (rows, said, code) = told(limited.expect("there is a shell"));
    assert_eq!(rows.lines().count(), 60, "{said}");
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("the run goes on without them"), "{said}");
    assert!(
        said.contains("TensorBoard's events are not complete"),
        "{said}"
    );
    assert!(said.contains("generation 60 of 60"), "{said}");
}
