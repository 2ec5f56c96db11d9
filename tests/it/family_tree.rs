//! Family trees: exported, read by another program, saved, and without an effect on evolution.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use finches::params::notation;
use finches::session::{Session, SessionState};

use crate::program::{folder, run};
use crate::python::python;
use crate::support::{advance, pool, preset_with, session};

/// Loads a phylogeny with phylotrackpy (Dolson et al. 2024) and prints its number of living taxa.
const READER: &str = r#"
from phylotrackpy import systematics
tree = systematics.Systematics(lambda organism: organism)
tree.load_from_file(sys.argv[1], "taxon_label", False, False)
print(tree.get_num_active())
"#;

/// Runs a small preset in a folder.
fn evolve(folder: &Path) {
    let arguments = [
        "run",
        "nim-2x2",
        "--seed",
        "3",
        "--generations",
        "40",
        "--set",
        "population=30",
        "--set",
        "opponents=10",
    ];
    let (_, said, code) = run(folder, &arguments);
    assert_eq!(code, 0, "{said}");
}

#[test]
fn an_exported_phylogeny_is_read_by_phylotrackpy_where_it_is_installed() {
    let folder = folder();
    evolve(folder.path());
    let (csv, said, code) = run(folder.path(), &["export", "nim-2x2-3", "--phylogeny"]);
    assert_eq!(code, 0, "{said}");
    let living = csv.lines().filter(|line| line.contains(",inf,")).count();
    assert!(csv.starts_with("id,ancestor_list,origin_time,destruction_time,"));
    assert!(living > 1 && living <= 30, "{csv}");
    let place = csv.split(['\n', ',']).position(|name| name == "num_orgs");
    let place = place.expect("the standard has it");
    let members = csv.lines().skip(1).map(|line| line.split(',').nth(place));
    let members = members.filter_map(|count| count?.parse::<u32>().ok());
    assert_eq!(members.sum::<u32>(), 30, "{csv}");
    let path = folder.path().join("phylogeny.csv");
    std::fs::write(&path, &csv).expect("the folder is writable");
    let counted = python(&["phylotrackpy"], READER, &[&path], &[]);
    if let Some(counted) = counted {
        assert_eq!(counted.trim(), living.to_string());
    }
}

#[test]
fn networks_of_champions_and_members_are_lines_of_json() {
    let folder = folder();
    evolve(folder.path());
    let export = |words: &[&str]| -> Vec<serde_json::Value> {
        let (lines, said, code) = run(folder.path(), &[&["export", "nim-2x2-3"], words].concat());
        assert_eq!(code, 0, "{said}");
        let lines = lines.lines().map(serde_json::from_str);
        lines.map(|line| line.expect("it is JSON")).collect()
    };
    let champions = export(&["--champions"]);
    assert_eq!(
        champions.last().map(|one| &one["generation"]),
        Some(&39.into())
    );
    assert!(champions.iter().all(|one| one["fitness"].is_number()));
    let members = export(&["--population"]);
    assert_eq!((members.len(), &members[29]["member"]), (30, &29.into()));
    assert_eq!(members[0]["generation"], 40);
    for network in champions.iter().chain(&members) {
        let nodes = network["nodes"].as_array().expect("they are listed").len();
        let edges = network["edges"].as_array().expect("they are listed");
        let is_known = |end: &serde_json::Value| end.as_u64().is_some_and(|end| end < nodes as u64);
        assert!(
            edges
                .iter()
                .all(|edge| is_known(&edge["from"]) && is_known(&edge["to"]))
        );
    }
    let (_, said, code) = run(
        folder.path(),
        &["export", "nim-2x2-3", "--population", "--generation", "7"],
    );
    assert_eq!(code, 2, "it is not saved: {said}");
}

#[test]
fn an_exported_tree_names_every_living_taxon_once() {
    let folder = folder();
    evolve(folder.path());
    let (tree, said, code) = run(folder.path(), &["export", "nim-2x2-3", "--newick"]);
    assert_eq!(code, 0, "{said}");
    let (csv, ..) = run(folder.path(), &["export", "nim-2x2-3", "--phylogeny"]);
    let is_open = tree.matches('(').count() == tree.matches(')').count();
    assert!(is_open && tree.ends_with(";\n"), "{tree}");
    for line in csv.lines().filter(|line| line.contains(",inf,")) {
        let name = line.split(',').nth(5).expect("it has a name");
        let names = tree.split(['(', ')', ',', ':', ';']);
        assert_eq!(names.filter(|found| *found == name).count(), 1, "{name}");
    }
    let (_, said, code) = run(
        folder.path(),
        &["export", "nim-2x2-3", "--newick", "--json"],
    );
    assert_eq!(code, 2, "{said}");
}

#[test]
fn a_state_from_before_family_trees_resumes_with_the_same_members() {
    let settings = ["population=30", "opponents=10"];
    let mut whole = session(&preset_with("nim-2x2", &settings), 1, 1);
    advance(&mut whole, 5);
    let text = notation()
        .to_string(whole.state())
        .expect("it can be written");
    let start = text.find(",phylogeny:(").expect("it is saved");
    let end = text[start..]
        .find("),totals:")
        .expect("the population ends")
        + start;
    let older = format!("{}{}", &text[..start], &text[end..]);
    let state: SessionState = notation().from_str(&older).expect("it is an older state");
    let preset = whole.preset().clone();
    let resumed = Session::resume(preset, 1, Vec::new(), state, pool(2));
    let mut resumed = resumed.expect("it is the same run");
    for _ in 0..5 {
        let halt = AtomicBool::new(false);
        assert_eq!(whole.advance(&halt), resumed.advance(&halt));
        let [one, other] = [&whole, &resumed].map(|session| &session.state().population);
        assert_eq!(one.members, other.members);
        assert_eq!(other.phylogeny.played().len(), 30);
    }
}
