//! The recipes of the manual for Python: they run as they are printed, only shorter.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::program::{folder, run};
use crate::python::python;
use crate::support::root;

/// The blocks of Python in the manual, with fewer generations and trials.
fn recipes() -> Vec<String> {
    let manual = fs::read_to_string(root().join("docs/manual.md")).expect("it is there");
    let blocks = manual.split("```python\n").skip(1);
    let code = blocks.filter_map(|rest| Some(rest.split_once("```")?.0));
    let shorter = |code: &str| {
        let code = code.replace("--generations=200", "--generations=6");
        code.replace("n_trials=20", "n_trials=3")
    };
    let recipes: Vec<String> = code.map(shorter).collect();
    assert_eq!(recipes.len(), 3);
    recipes
}

/// Runs a recipe and then `more`, with this program as `finches`.
fn printed(place: &Path, packages: &[&str], recipe: usize, more: &str) -> Option<String> {
    let program = Path::new(env!("CARGO_BIN_EXE_finches"));
    let path = env::var_os("PATH").unwrap_or_default();
    let own = program.parent().map(Path::to_owned).into_iter();
    let path = env::join_paths(own.chain(env::split_paths(&path)));
    let path = PathBuf::from(path.expect("no folder has a separator in its name"));
    let environment = [
        ("PATH", path.as_path()),
        ("FINCHES_SAVES", place),
        ("WANDB_DIR", place),
        ("WANDB_MODE", Path::new("offline")),
        ("WANDB_SILENT", Path::new("true")),
    ];
    let script = format!("{}\n{more}", recipes()[recipe]);
    python(packages, &script, &[], &environment)
}

#[test]
fn networks_are_read_in_three_lines() {
    let place = folder();
    let words = ["run", "nim-2x4-value", "--seed=1", "--generations=4"];
    let small = ["--set=population=20", "--set=opponents=5", "--headless"];
    let (_, said, code) = run(place.path(), &[&words[..], &small].concat());
    assert!([0, 3].contains(&code), "{said}");
    let first = &recipes()[0];
    assert_eq!(first.lines().count(), 3);
    let count = "\nprint([one['generation'] for one in champions], len(champions[0]['nodes']) > 2)";
    let found = printed(place.path(), &["json"], 0, count);
    assert!(found.is_none_or(|text| text == "[0, 1, 2, 3] True\n"));
    let (members, said, code) = run(place.path(), &["export", "nim-2x4-value-1", "--population"]);
    assert_eq!((members.lines().count(), code), (20, 0), "{said}");
}

#[test]
fn optuna_tries_values_and_finds_the_best() {
    let more = "assert len(study.trials) == 3 and 0 < study.best_value <= 1\n\
        assert 0.02 <= study.best_params['add_node'] <= 2";
    let place = folder();
    if let Some(found) = printed(place.path(), &["optuna"], 1, more) {
        assert!(found.starts_with("{'add_node': "), "{found}");
    }
}

#[test]
fn weights_and_biases_has_the_rows_of_a_run() {
    let place = folder();
    // Within the `with` of the recipe: afterwards the run is closed.
    let more = "    print(board.step, board.config['population'], board.summary['games'] > 0)";
    let Some(found) = printed(place.path(), &["wandb"], 2, more) else {
        return;
    };
    assert!(found.contains("5 100 True\n"), "{found}");
    let kept = fs::read_dir(place.path().join("wandb")).expect("the run is kept");
    let mut names = kept.flatten().map(|entry| entry.file_name());
    assert!(names.any(|name| name.to_string_lossy().starts_with("offline-run-")));
}
