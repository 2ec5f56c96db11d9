//! Vector instructions and threads change no figure: the real program with each kind, over presets
//! of every game.

use std::path::Path;

use crate::program::{finches, folder, told};

/// Presets of every game and every kind of network, with settings that keep them small.
const PRESETS: [(&str, &[&str]); 8] = [
    ("nim-2x4", &[]),
    ("nim-2x10-value", &["population=20", "opponents=6"]),
    ("hynek-21-chicken", &["population=24", "elites=4"]),
    ("simple-nim-1to8-onehot", &[]),
    ("weaver-graph", &["population=12"]),
    ("weaver-value", &["population=12"]),
    (
        "thien-1ply",
        &["pairing.games=1", "held_out_games=2", "growth_games=2"],
    ),
    (
        "reversi-vanilla",
        &["held_out_games=20", "grading_games=20"],
    ),
];

/// The rows of three generations without the times.
fn rows(
    saves: &Path,
    (preset, settings): (&str, &[&str]),
    simd: &str,
    threads: &str,
) -> Vec<String> {
    let mut words = vec![
        "run",
        preset,
        "--seed=3",
        "--generations=3",
        "--json",
        "--no-save",
    ];
    words.extend(["--threads", threads]);
    words.extend(settings.iter().flat_map(|setting| ["--set", setting]));
    let mut command = finches(saves, &words);
    command.env("FINCHES_SIMD", simd);
    let (out, said, code) = told(command.output().expect("the program starts"));
    // A preset may have a target that a few generations do not reach.
    assert!([0, 3].contains(&code), "{preset}: {said}");
    let without_time = |line: &str| {
        let mut row: serde_json::Value = serde_json::from_str(line).expect("it is JSON");
        let row = row.as_object_mut().expect("it is an object");
        row.remove("seconds").expect("it has a time");
        format!("{row:?}")
    };
    out.lines().map(without_time).collect()
}

#[test]
fn vector_instructions_and_threads_change_no_figure() {
    let saves = folder();
    for preset in PRESETS {
        let expected = rows(saves.path(), preset, "avx512", "1");
        assert_eq!(expected.len(), 3, "{preset:?}");
        for (simd, threads) in [("none", "1"), ("avx2", "2"), ("", "8")] {
            let found = rows(saves.path(), preset, simd, threads);
            assert_eq!(found, expected, "{preset:?} {simd} {threads}");
        }
    }
}

#[test]
fn unknown_vector_instructions_are_refused() {
    let saves = folder();
    let mut command = finches(saves.path(), &["presets"]);
    command.env("FINCHES_SIMD", "sse");
    let (_, said, code) = told(command.output().expect("the program starts"));
    assert_eq!(code, 2);
    assert!(
        said.contains("FINCHES_SIMD: there are no vector instructions `sse`"),
        "{said}"
    );
}
