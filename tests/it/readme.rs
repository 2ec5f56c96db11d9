//! What the README says that a test can know: its length, its links, and that every preset has its
//! results.

use std::fs;

use finches::storage::presets;

use crate::support::root;

/// A README is read from top to bottom; the rest belongs to the manual page and the documentation.
const MAX_LINES: usize = 130;

#[test]
fn the_readme_is_short_and_its_links_lead_somewhere() {
    let readme = fs::read_to_string(root().join("README.md")).expect("it is there");
    assert!(readme.lines().count() <= MAX_LINES);
    let links = readme.split("](").skip(1);
    for link in links.filter_map(|rest| Some(rest.split_once(')')?.0)) {
        assert!(root().join(link).exists(), "{link} does not exist");
    }
}

#[test]
fn every_preset_has_its_place_in_the_results() {
    let files = ["docs/results/publications.md", "docs/results/further.md"];
    let files = files.map(|path| fs::read_to_string(root().join(path)).expect("it is there"));
    let results = files.concat();
    let missing: Vec<&str> = presets::names()
        .into_iter()
        .filter(|name| !results.contains(&format!("`{name}`")))
        .collect();
    assert!(missing.is_empty(), "not in the results: {missing:?}");
}
