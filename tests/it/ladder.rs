//! `finches ladder`: champions on the fixed ladder of their game, which no preset evolves against
//! unless it says so.

use finches::play::ladder::rungs;
use finches::storage::saves::Saves;
use serde_json::Value;

use crate::program::{folder, run};
use crate::support::{preset, preset_names};

/// The presets that evolve against rungs or learn from them, and why.
const DECLARED: [(&str, &str); 10] = [
    ("reversi-specialist", SPECIALIST),
    ("weaver-direct-0", DIRECT),
    ("weaver-direct-0-fast", DIRECT),
    ("weaver-direct-1", DIRECT),
    ("weaver-direct-1-fast", DIRECT),
    ("weaver-modules", DIRECT),
    ("weaver-supervised", TAUGHT),
    ("weaver-supervised-slow", TAUGHT),
    ("weaver-baldwin", TAUGHT),
    ("weaver-lamarck", TAUGHT),
];
const DIRECT: &str = "Weaver & Bossomaier (1996) evolve against a fixed player";
const SPECIALIST: &str = "it evolves against swh alone, and its file says so";
const TAUGHT: &str = "Weaver & Bossomaier (1996) teach by the moves of a fixed player";

#[test]
fn no_preset_evolves_against_a_rung_unless_it_is_declared() {
    for name in preset_names() {
        let preset = preset(&name);
        let evolution = &preset.evolution;
        let lifetime = evolution.lifetime.learning();
        let teachers = [
            evolution.supervision().map(|taught| &taught.teacher),
            lifetime.map(|taught| &taught.teacher),
        ];
        let used = evolution
            .references()
            .iter()
            .chain(teachers.into_iter().flatten());
        let rungs = rungs(&preset.game);
        let used: Vec<&String> = used.filter(|player| rungs.contains(player)).collect();
        let is_declared = DECLARED.iter().any(|(declared, _)| *declared == name);
        assert_eq!(!used.is_empty(), is_declared, "{name}: {used:?}");
    }
}

fn ladder(saves: &std::path::Path, words: &[&str]) -> Value {
    let (out, said, code) = run(saves, &[&["ladder"], words, &["--json"]].concat());
    assert_eq!(code, 0, "{said}");
    serde_json::from_str(&out).expect("it is JSON")
}

fn elo(ladder: &Value, player: &str) -> f64 {
    let mut players = ladder["players"].as_array().expect("a list").iter();
    let found = players.find(|it| it["player"] == player);
    found.expect("it played")["elo"]
        .as_f64()
        .expect("it is a number")
}

#[test]
fn the_random_player_is_at_zero_and_the_oracle_above() {
    let folder = folder();
    let boxes = [
        "dots-and-boxes",
        "--games=20",
        "--set=rows=2",
        "--set=columns=2",
    ];
    let found = ladder(folder.path(), &boxes);
    assert!(elo(&found, "random").abs() < 1e-9);
    assert!(elo(&found, "level-2") > elo(&found, "level-1"), "{found}");
    assert!(elo(&found, "oracle") > elo(&found, "level-2"), "{found}");
    assert_eq!(found["players"][0]["elo_low"], found["players"][0]["elo"]);
    assert_eq!(found, ladder(folder.path(), &boxes));
    let nim = ladder(folder.path(), &["nim", "--games=4"]);
    assert_eq!(nim["left_out"][0]["player"], "level");
}

#[test]
fn a_bundled_champion_and_its_course_stand_on_the_ladder() {
    let folder = folder();
    let plot = folder.path().join("course.svg");
    let file = plot.display().to_string();
    let words = [
        "champion-bounded-nim",
        "swh",
        "--games=4",
        "--past",
        "--champions=3",
        "--plot",
        &file,
    ];
    let (_, said, code) = run(folder.path(), &[&["ladder"], &words[..]].concat());
    assert_eq!(code, 2, "swh plays Reversi: {said}");
    let words: Vec<&str> = words.into_iter().filter(|word| *word != "swh").collect();
    let found = ladder(folder.path(), &words);
    let course = found["course"].as_array().expect("a list");
    let saves = Saves::at(folder.path().to_owned());
    let saved = saves.champions("champion-bounded-nim");
    let saved = saved.expect("it was added");
    assert_eq!(course.len(), saved.len().min(4), "{found}");
    let last = course.last().expect("it has a champion");
    assert_eq!(last["generation"], *saved.last().expect("it has champions"));
    let svg = std::fs::read_to_string(&plot).expect("it was written");
    assert!(svg.contains("<svg") && svg.contains("champion-bounded-nim"));
}

#[test]
fn a_ladder_needs_a_game() {
    let folder = folder();
    let (_, said, code) = run(folder.path(), &["ladder", "random"]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("begin with a game"), "{said}");
    let (_, said, code) = run(folder.path(), &["ladder", "nim", "--past"]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("--past needs"), "{said}");
}
