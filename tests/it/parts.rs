//! `finches parts`, and presets that are made from another one.

use std::fs;

use finches::storage::presets;
use serde_json::Value;

use crate::program::{folder, run};

fn json(words: &[&str]) -> Value {
    let at = folder();
    let (shown, said, code) = run(at.path(), &[words, &["--json"]].concat());
    assert_eq!(code, 0, "{said}");
    serde_json::from_str(&shown).expect("it is JSON")
}

#[test]
fn every_part_that_is_listed_can_be_set_by_its_path_with_each_of_its_parameters() {
    let kinds = json(&["parts"]);
    let base = presets::load("nim-2x4").expect("it is bundled");
    let mut parts = 0;
    for kind in kinds.as_array().expect("a list of kinds") {
        let key = kind["key"].as_str().expect("it has a path");
        for part in kind["parts"].as_array().expect("a list of parts") {
            let name = part["name"].as_str().expect("it has a name");
            let mut preset = base.clone();
            let path = match key {
                "preset" => String::new(),
                "evolution" | "measures" => format!("{key}."),
                _ => {
                    preset.change(key, name).expect("a part is set by its path");
                    format!("{key}.")
                }
            };
            for parameter in part["parameters"].as_array().expect("a list") {
                let parameter_key = parameter["key"].as_str().expect("it has a key");
                let last = parameter_key.strip_prefix(&path).unwrap_or(parameter_key);
                let full = format!("{path}{last}");
                assert!(preset.param(&full).is_some(), "{key} {name}: {full}");
            }
            assert!(!part["about"].as_str().unwrap_or("").is_empty(), "{name}");
            parts += 1;
        }
    }
    assert!(parts > 60, "{parts} parts");
}

#[test]
fn a_part_says_beside_which_others_it_needs_more() {
    let rank = json(&["parts", "rank"]);
    let misfits = rank[0]["parts"][0]["misfits"].to_string();
    assert!(misfits.contains("\"cma_es\""), "{misfits}");
    assert!(!misfits.contains("\"nim\""), "{misfits}");
    let at = folder();
    let (_, said, code) = run(at.path(), &["parts", "rnak"]);
    assert!(code == 2 && said.contains("did you mean `rank`?"), "{said}");
    let (shown, _, _) = run(at.path(), &["parts", "selection"]);
    assert!(shown.contains("rank (evolution.selection)"), "{shown}");
    assert!(
        shown.contains("tournament (evolution.selection)"),
        "{shown}"
    );
}

#[test]
fn a_preset_on_a_base_has_what_it_does_not_name_from_it_and_is_saved_whole() {
    let at = folder();
    let write = |name: &str, text: &str| {
        fs::write(at.path().join(name), text).expect("the folder is writable");
    };
    write(
        "mine.ron",
        "(base: \"nim-2x4-large\", about: \"smaller\", evolution: (population: 20, pairing: \
         circular(opponents: 4)))",
    );
    write(
        "yours.ron",
        "(base: \"mine.ron\", generations: 3, evolution: (selection: rank()))",
    );
    let path = |name: &str| at.path().join(name).display().to_string();
    let mine = presets::load(&path("mine.ron")).expect("it is valid");
    let base = presets::load("nim-2x4-large").expect("it is bundled");
    let [pairing, selection] = ["evolution.pairing", "evolution.selection"];
    let changes = [
        ("evolution.population", "20"),
        (pairing, "circular(opponents: 4)"),
    ];
    let changes = changes.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let expected = base.with(&changes).expect("it is valid");
    assert_eq!(mine.game, expected.game);
    assert_eq!(mine.evolution, expected.evolution);
    assert_eq!(
        (&*mine.about, &*mine.published, &*mine.name),
        ("smaller", "", "mine")
    );
    let yours = presets::load(&path("yours.ron")).expect("it is valid");
    let mut expected = mine.evolution.clone();
    let mut whole = mine.clone();
    whole
        .change(selection, "rank")
        .expect("there is such a part");
    expected.selection = whole.evolution.selection;
    assert_eq!((yours.generations, &yours.evolution), (3, &expected));

    let (_, said, code) = run(
        at.path(),
        &["run", &path("yours.ron"), "--headless", "--seed", "1"],
    );
    assert_eq!(code, 0, "{said}");
    let saved = fs::read_to_string(at.path().join("yours-1/run.ron")).expect("it is saved");
    assert!(
        saved.contains("base: \"mine.ron\"") && saved.contains("population: 20"),
        "{saved}"
    );

    for (text, expected) in [
        (
            "(base: \"nim-9x9\")",
            "base: nim-9x9: there is no such preset",
        ),
        ("(base: \"bad.ron\")", "has more than 8 bases"),
        ("(base: \"none.ron\")", "none.ron: can't be read"),
    ] {
        let bad = path("bad.ron");
        write("bad.ron", text);
        let (_, said, code) = run(at.path(), &["presets", &bad]);
        assert!(code == 2 && said.contains(expected), "{text}: {said}");
    }
}

#[test]
fn a_faulty_preset_file_is_shown_as_far_as_it_can_be_read() {
    let at = folder();
    let text = "(generations: 7, game: nym(), evolution: (population: 1))";
    let bad = at.path().join("bad.ron");
    fs::write(&bad, text).expect("the folder is writable");
    let bad = bad.display().to_string();
    let (shown, said, code) = run(at.path(), &["presets", &bad]);
    assert_eq!(code, 2, "{said}");
    assert!(shown.contains("generations = 7"), "{shown}");
    assert!(
        said.contains("there is no `nym`") && said.contains("population: must be"),
        "{said}"
    );
}
