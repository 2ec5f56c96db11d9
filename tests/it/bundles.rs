//! Bundles of runs without their population, and the bundled champions.

use std::fs;

use finches::games::GameConfig;
use finches::storage::saves::Saves;

use crate::program::{finches, folder, run, told};
use crate::support::root;

#[test]
fn a_bundle_has_the_champions_of_its_run_and_can_not_be_resumed() {
    let (here, there) = (folder(), folder());
    let words = ["run", "nim-2x2", "--seed=3", "--generations=20"];
    let (_, said, code) = run(here.path(), &words);
    assert_eq!(code, 0, "{said}");
    let given = there.path().join("nim");
    let given = given.to_str().expect("it is a plain path");
    let words = ["export", "nim-2x2-3", "--bundle", given];
    let (_, said, code) = run(here.path(), &words);
    assert_eq!(code, 0, "{said}");

    let (whole, kept) = (
        Saves::at(here.path().to_owned()),
        Saves::at(there.path().to_owned()),
    );
    assert_eq!(
        kept.champions("nim").expect("they are kept"),
        [0, 1, 2, 4, 9, 19]
    );
    for generation in [9, 19] {
        assert_eq!(
            kept.champion("nim", generation).expect("it is kept"),
            whole.champion("nim-2x2-3", generation).expect("it is kept")
        );
    }
    assert_eq!(
        kept.metrics_text("nim").expect("they are kept"),
        whole.metrics_text("nim-2x2-3").expect("they are kept")
    );
    let listed = kept.list().remove(0).summary.expect("it can be read");
    assert!(!listed.can_resume && listed.generation == 20);

    let (_, said, code) = run(there.path(), &["resume", "nim"]);
    assert!(
        said.contains("has no checkpoint, so it can't be resumed or forked"),
        "{said}"
    );
    assert_eq!(code, 2);
    let (_, said, code) = run(here.path(), &["export", "nim-2x2-3", "--bundle", given]);
    assert!(said.contains("already exists"), "{said}");
    assert_eq!(code, 2);
}

#[test]
fn a_champion_of_every_game_comes_with_the_program_and_beats_the_random_player() {
    let saves = Saves::at(root().join("saves"));
    let said = fs::read_to_string(root().join("saves/README.md")).expect("it is there");
    for game in GameConfig::all() {
        let name = format!("champion-{}", game.name().replace('_', "-"));
        let file = saves.run_file(&name).expect("it comes with the program");
        assert_eq!(file.preset.game.name(), game.name());
        let command = format!("finches run {} --seed {}", file.preset.name, file.seed);
        assert!(said.contains(&command), "{command} is not told");
        let words = ["arena", &name, "random", "--games=60", "--json"];
        let (out, fault, code) = run(saves.root(), &words);
        assert_eq!(code, 0, "{fault}");
        let results: serde_json::Value = serde_json::from_str(&out).expect("it is JSON");
        let score = results["pairs"][0]["score"].as_f64();
        assert!(score.is_some_and(|score| score > 0.8), "{name}: {results}");
    }
}

#[test]
fn far_from_the_sources_the_champions_are_in_the_users_own_folder_and_come_back_when_named() {
    let home = folder();
    let at_home = |words: &[&str]| {
        let mut command = finches(home.path(), words);
        command.env_remove("FINCHES_SAVES").current_dir(&home);
        command.env("HOME", home.path());
        command.env("XDG_DATA_HOME", home.path().join("data"));
        told(command.output().expect("the program starts"))
    };
    let words = ["arena", "champion-nim", "random", "--games=10"];
    let (_, said, code) = at_home(&words);
    assert_eq!(code, 0, "{said}");

    let brought = Saves::at(home.path().join("data/finches/saves"));
    let shipped = Saves::at(root().join("saves"));
    for game in GameConfig::all() {
        let name = format!("champion-{}", game.name().replace('_', "-"));
        let run = brought.run_file(&name).expect("it is there");
        assert_eq!(run, shipped.run_file(&name).expect("it is there"), "{name}");
    }

    fs::remove_dir_all(brought.root().join("champion-nim")).expect("it can be removed");
    let (_, said, code) = at_home(&words);
    assert_eq!(code, 0, "{said}");
}
