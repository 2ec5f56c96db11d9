//! `finches arena`: round robins of reference players and saved champions.

use std::path::Path;

use crate::program::{folder, run};

fn round_robin(saves: &Path, words: &[&str]) -> serde_json::Value {
    let (out, said, code) = run(saves, &[&["arena"], words, &["--json"]].concat());
    assert_eq!(code, 0, "{said}");
    serde_json::from_str(&out).expect("it is JSON")
}

fn score(results: &serde_json::Value, pair: usize) -> f64 {
    results["pairs"][pair]["score"]
        .as_f64()
        .expect("it is a number")
}

#[test]
fn reference_players_are_as_strong_as_they_should_be() {
    let folder = folder();
    let nim = round_robin(
        folder.path(),
        &["oracle", "random", "random", "--preset=nim-2x4"],
    );
    assert!(score(&nim, 0) > 0.8, "{nim}");
    assert!((score(&nim, 2) - 0.5).abs() < 0.06, "{nim}");
    let reversi = round_robin(
        folder.path(),
        &["swh", "random", "--game=reversi", "--games=60"],
    );
    assert!(score(&reversi, 0) > 0.6, "{reversi}");
}

/// The rates are from Weaver & Bossomaier (1996), for a board of 3x3.
#[test]
fn strategies_of_dots_and_boxes_beat_one_another_as_often_as_published() {
    let folder = folder();
    let words = [
        "level-2",
        "level-1",
        "random",
        "--game=dots_and_boxes",
        "--games=40000",
    ];
    let results = round_robin(folder.path(), &words);
    for (pair, published, most) in [(0, 0.8383, 0.008), (1, 0.9969, 0.0015), (2, 0.9963, 0.0015)] {
        let error = (score(&results, pair) - published).abs();
        assert!(error <= most, "pair {pair} of {results}");
    }
}

#[test]
fn the_results_are_one_json_object_and_the_same_every_time() {
    let folder = folder();
    let words = [
        "oracle",
        "random",
        "--preset=nim-2x2",
        "--games=101",
        "--seed=7",
        "--noise=0.1",
    ];
    let results = round_robin(folder.path(), &words);
    assert_eq!(
        results,
        round_robin(folder.path(), &[&words[..], &["--threads=1"]].concat())
    );
    assert_eq!(results["players"], serde_json::json!(["oracle", "random"]));
    let pair = &results["pairs"][0];
    let count = |key: &str| pair[key].as_u64().expect("it is a number");
    assert_eq!(
        (&pair["a"], &pair["b"]),
        (&"oracle".into(), &"random".into())
    );
    assert_eq!(count("games"), 102, "as many from each side");
    assert_eq!(count("wins") + count("draws") + count("losses"), 102);
    let points = count("wins") as f64 + count("draws") as f64 / 2.0;
    assert!((score(&results, 0) - points / 102.0).abs() < 1e-12);
    let elo = |place: usize| results["elo"][place].as_f64().expect("it is a number");
    assert!(elo(0) > 0.0 && (elo(0) + elo(1)).abs() < 1e-6, "{results}");
    for place in 0..2 {
        let bound = |key: &str| results[key][place].as_f64().expect("it is a number");
        assert!(bound("elo_low") < elo(place) && elo(place) < bound("elo_high"));
    }
}

/// A deeper search helps even a network of a few generations.
#[test]
fn champions_and_heuristics_can_use_another_search() {
    let folder = folder();
    let words = [
        "run",
        "nim-2x4-value",
        "--seed=1",
        "--generations=5",
        "--set=population=40",
        "--set=opponents=20",
    ];
    let (_, said, code) = run(folder.path(), &words);
    assert_eq!(code, 0, "{said}");
    let own = "nim-2x4-value-1:4";
    let names = ["", "@alpha-beta-6", "@one-ply", "@monte-carlo-50,playout=2"];
    let names: Vec<String> = names
        .iter()
        .map(|search| format!("{own}{search}"))
        .collect();
    let mut words: Vec<&str> = names.iter().map(String::as_str).collect();
    words.extend(["oracle", "--games=200"]);
    let results = round_robin(folder.path(), &words);
    let score = |a: &str, b: &str| {
        let pairs = results["pairs"].as_array().expect("there are pairs");
        let pair = pairs.iter().find(|pair| pair["a"] == a && pair["b"] == b);
        pair.and_then(|pair| pair["score"].as_f64())
            .unwrap_or_else(|| panic!("{a} and {b} met"))
    };
    // The run looks one move ahead; six moves ahead reach the end of the game.
    assert!((score(own, &names[2]) - 0.5).abs() < 1e-9, "{results}");
    assert!(
        score(&names[1], "oracle") > score(own, "oracle"),
        "{results}"
    );
    let deeper = round_robin(
        folder.path(),
        &["swh@alpha-beta-3", "swh", "--game=reversi", "--games=30"],
    );
    assert!(deeper["elo"][0].as_f64() > Some(0.0), "{deeper}");
    for (player, expected) in [
        (
            "nim-2x4-value-1@alpha-beat-3",
            "did you mean `alpha-beta-2`?",
        ),
        ("nim-2x4-value-1@alpha-beta-0", "depth"),
        (
            "nim-2x4-value-1@one-hot",
            "use one-ply, alpha-beta or monte-carlo",
        ),
        ("random@alpha-beta-3", "has no heuristic to search with"),
        (
            "nobody@alpha-beta-3",
            "nobody: there is no reference player",
        ),
    ] {
        let words = ["arena", player, "oracle", "--preset=nim-2x4"];
        let (out, said, ended) = run(folder.path(), &words);
        assert_eq!((out.as_str(), ended), ("", 2), "{player} said {said}");
        assert!(said.contains(expected), "{player} said {said}");
    }
    let words = ["arena", "swh@monte-carlo-9", "swh", "--game=reversi"];
    let (_, said, ended) = run(folder.path(), &words);
    assert!(
        ended == 2 && said.contains("only be searched by alpha-beta"),
        "{said}"
    );
}

#[test]
fn champions_of_runs_with_different_agents_play_each_other_in_the_game_they_share() {
    let folder = folder();
    for preset in ["nim-2x4", "nim-2x4-value", "nim-2x2"] {
        let (_, said, code) = run(
            folder.path(),
            &[
                "run",
                preset,
                "--seed=1",
                "--generations=15",
                "--set=population=40",
                "--set=opponents=20",
            ],
        );
        assert_eq!(code, 0, "{said}");
    }
    let words = ["nim-2x4-1", "nim-2x4-value-1:0", "random", "--games=40"];
    let results = round_robin(folder.path(), &words);
    assert_eq!(results["pairs"].as_array().map(Vec::len), Some(3));
    // An illegal move loses, or the next best move is made: both players support either rule.
    let changed = [&words[..], &["--set=grading=safe"]].concat();
    let changed = round_robin(folder.path(), &changed);
    assert_eq!(changed["pairs"].as_array().map(Vec::len), Some(3));
    assert_ne!(changed, results);
    let (table, said, code) = run(folder.path(), &[&["arena"], &words[..]].concat());
    assert_eq!(code, 0, "{said}");
    for part in ["nim-2x4-value-1:0", "95% CI", "rating", "mean 0"] {
        assert!(table.contains(part), "{part} in {table}");
    }
    for (words, code, expected) in [
        (
            &["nim-2x4-1", "nim-2x2-1"][..],
            2,
            "nim-2x2-1: plays heaps=[2,2], but this game is heaps=[4,4]",
        ),
        (
            &["nim-2x4-1", "champion-nim"],
            2,
            "champion-nim: plays heaps=[8,8], but this game is heaps=[4,4]",
        ),
        (
            &["nim-2x4-1", "random", "--game=reversi"],
            2,
            "nim-2x4-1: plays nim, but this game is reversi",
        ),
        (&["nim-2x4-1", "nobody"], 2, "random, oracle"),
        (
            &["nim-2x4-1", "random", "--set=stakes=[2,2]"],
            2,
            "stakes: there is no such parameter",
        ),
        (
            &["nim-2x4-1", "swh"],
            2,
            "swh: there is no reference player",
        ),
        (
            &["nim-2x4-1", "nim-2x4-1:9999"],
            2,
            "generation 9999 is not saved",
        ),
        (&["random", "random"], 2, "--game or --preset"),
        (
            &["random", "nobody"],
            2,
            "nobody: there is no reference player",
        ),
        (&["oracle", "random", "--game=reversi"], 2, "random, "),
        (
            &["random", "random", "--game=nim", "--noise=2"],
            2,
            "is not a number from 0 to 1",
        ),
    ] {
        let (out, said, ended) = run(folder.path(), &[&["arena"], words].concat());
        assert_eq!((out.as_str(), ended), ("", code), "{words:?} said {said}");
        assert!(said.contains(expected), "{words:?} said {said}");
    }
}

/// A test of the Arena screen compares what it writes with the same file.
#[test]
fn a_round_robin_of_saved_champions_prints_the_recorded_results() {
    let folder = folder();
    for (preset, generations) in [("nim-2x4", 15), ("nim-2x4-value", 20)] {
        let generations = format!("--generations={generations}");
        let small = ["--set=population=40", "--set=opponents=20"];
        let words = [&["run", preset, "--seed=1", &generations], &small[..]].concat();
        let (_, said, code) = run(folder.path(), &words);
        // Exit code 3: the target was not reached.
        assert!([0, 3].contains(&code), "{said}");
    }
    let words = [
        "arena",
        "nim-2x4-1:14",
        "nim-2x4-value-1:19@alpha-beta-2",
        "random",
        "oracle",
        "--games=10",
        "--json",
    ];
    let (printed, said, code) = run(folder.path(), &words);
    assert_eq!(code, 0, "{said}");
    assert_eq!(printed, include_str!("arena-nim.json"));
}
