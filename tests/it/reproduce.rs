//! Publications made again: their pages have every table and figure, and the same runs give the same bytes.

use std::collections::BTreeSet;
use std::fs;
use std::slice;
use std::sync::atomic::AtomicBool;

use finches::experiment::collect::collect;
use finches::experiment::{RunSpec, Shard, run as run_experiment};
use finches::report::paper::Paper;
use finches::report::{papers, render};
use finches::storage::experiments::ExperimentFolder;
use finches::storage::experiments::manifest::Manifest;

use crate::experiment::WORDS;
use crate::golden::small;
use crate::program::{folder, run};

/// What has a number in the publications, or a heading of its own where nothing is numbered.
const SHOWN: [(&str, &[&str]); 5] = [
    (
        "kissling",
        &[
            "Figure 2.1",
            "Stack 2, configuration 1",
            "Stack 8, configuration 1",
            "Figure 3.1",
            "Stack 1-8, configuration 1",
            "Figure 3.2",
            "Stack 1-8, configuration 6",
            "Stack 1-1000, configuration 1",
            "Stacks 2*2, configuration 1",
            "Stacks 2*4, configuration 1",
            "Stacks 2*4, configuration 2",
            "Stacks 2*4, configurations 2 to 5",
        ],
    ),
    (
        "thien",
        &[
            "Cumulative growth",
            "Final champion against its predecessors",
            "Origins of champions",
            "Scores by origin",
            "Number of moves",
            "CPU times",
        ],
    ),
    (
        "weaver",
        &[
            "Figure 1",
            "Human strategies",
            "Figure 2",
            "Figure 3",
            "Figure 4",
            "Figure 5",
            "Higher mutation rate",
        ],
    ),
    (
        "porter",
        &[
            "Figure 1",
            "Figure 2",
            "Figure 3",
            "Figures 4a and 4b",
            "Figures 5a and 5b",
            "Figures 6a and 6b",
            "Figures 7a and 7b",
        ],
    ),
    (
        "hynek",
        &[
            "Figure 1",
            "Table 1",
            "Table 2",
            "Table 3",
            "Tables 2 and 3",
            "Figure 2",
            "Figure 3",
            "Depreciation",
        ],
    ),
];

#[test]
fn every_table_and_figure_of_a_publication_is_in_its_report() {
    let papers = papers::all();
    assert_eq!(papers.len(), SHOWN.len());
    for (paper, (name, shown)) in papers.iter().zip(SHOWN) {
        assert_eq!(paper.name, name);
        let items: Vec<&str> = paper.items.iter().map(|item| item.number).collect();
        assert_eq!(items, shown);
    }
}

/// The page of a publication from two runs of two generations of each preset.
fn short_page(paper: &Paper) -> String {
    let place = folder();
    let (presets, _) = paper.plan(true).expect("its presets are valid");
    let presets = presets.into_iter().map(|preset| {
        let mut preset = small(&preset.name);
        preset.generations = 2;
        preset
    });
    let manifest = Manifest::new(presets.collect(), 1, 2).expect("it is possible");
    let root = place.path().to_owned();
    let folder = ExperimentFolder::begin(root, manifest, "").expect("it is writable");
    run_experiment(&RunSpec {
        folder: &folder,
        shard: Shard::WHOLE,
        threads: 2,
        halt: &AtomicBool::new(false),
        on_event: &|_| {},
    })
    .expect("nothing fails");
    let runs = collect(slice::from_ref(&folder)).expect("they can be read");
    let [page, again] = [(), ()].map(|()| {
        let page = render::page(paper, &runs, true).expect("there are runs");
        page.html()
    });
    assert_eq!(page, again, "the same bytes from the same runs");
    page
}

#[test]
fn the_page_of_a_publication_has_figures_verdicts_and_commands() {
    for paper in papers::all() {
        let page = short_page(&paper);
        for item in &paper.items {
            assert!(
                page.contains(item.number),
                "{}: {}",
                paper.name,
                item.number
            );
        }
        for part in [
            "This is the quick version",
            "can't tell",
            "<figcaption>",
            "finches experiment",
            "role=\"img\" aria-label=\"",
        ] {
            assert!(page.contains(part), "{}: {part}", paper.name);
        }
        assert!(page.len() < 1_000_000, "{}: {}", paper.name, page.len());
        for tag in ["section", "table", "tr", "figure", "svg", "ul", "p", "pre"] {
            let opened = page.matches(&format!("<{tag}>")).count()
                + page.matches(&format!("<{tag} ")).count();
            let closed = page.matches(&format!("</{tag}>")).count();
            assert_eq!(opened, closed, "{}: <{tag}>", paper.name);
        }
    }
}

#[test]
fn each_preset_of_a_publication_is_run_once() {
    for paper in papers::all() {
        let names = paper.preset_names();
        let distinct: BTreeSet<&str> = names.iter().copied().collect();
        assert_eq!(names.len(), distinct.len(), "{}", paper.name);
        let (presets, runs) = paper.plan(false).expect("its presets are valid");
        assert!(runs >= 5 && presets.len() == names.len());
        let (quick, few) = paper.plan(true).expect("its presets are valid");
        let shorter = presets.iter().zip(&quick);
        assert!(few < runs);
        assert!(
            shorter
                .clone()
                .all(|(full, quick)| quick.generations <= full.generations)
        );
    }
}

#[test]
fn the_report_of_an_experiment_has_its_summary_its_charts_and_its_presets() {
    let place = folder();
    let out = place.path().join("walls");
    let out_text = out.to_str().expect("it is text");
    let words = [&WORDS[..], &["--out", out_text]].concat();
    assert_eq!(run(place.path(), &words).2, 0);
    let pages = [(), ()].map(|()| {
        let (_, said, code) = run(place.path(), &["report", out_text]);
        assert_eq!(code, 0, "{said}");
        fs::read_to_string(out.join("report.html")).expect("it is written")
    });
    for part in [
        "<title>Experiment: simple-nim-1to8-direct, nim-2x2</title>",
        "A row for each preset",
        "generations to accuracy states&gt;=1",
        "simple-nim-1to8-direct over nim-2x2",
        "accuracy states ends at",
        "Left open, settled: ",
        "<summary>nim-2x2 in full</summary>",
        "add_node: 0.05",
    ] {
        assert!(pages[0].contains(part), "{part}: {}", pages[0]);
    }
    assert_eq!(pages[0], pages[1], "the same bytes from the same runs");
}

#[test]
fn an_unknown_publication_is_refused_with_those_there_are() {
    let place = folder();
    let (_, said, code) = run(place.path(), &["reproduce", "kisling"]);
    assert_eq!(code, 2);
    for name in ["kissling", "thien", "weaver", "porter", "hynek", "all"] {
        assert!(said.contains(name), "{said}");
    }
}
