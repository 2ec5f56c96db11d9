//! Publications made again: their pages have every table and figure, and the same runs give the
//! same bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::slice;
use std::sync::atomic::AtomicBool;

use finches::experiment::collect::collect;
use finches::experiment::{RunSpec, Shard, run as run_experiment};
use finches::play::pool::Pool;
use finches::preset::Preset;
use finches::report::page::Page;
use finches::report::paper::Paper;
use finches::report::{papers, render, results};
use finches::storage::experiments::ExperimentFolder;
use finches::storage::experiments::manifest::Manifest;
use finches::storage::experiments::table::fill;
use finches::storage::presets;

use crate::experiment::WORDS;
use crate::program::{folder, run};
use crate::support::{root, small};

/// What has a number in the publications, or a heading of its own where nothing is numbered.
const SHOWN: [(&str, &[&str]); 6] = [
    (
        "hynek",
        &[
            "Figure 1",
            "Table 1",
            "Table 2",
            "Table 3",
            "Tables 2 and 3",
            "Table 2, other readings",
            "Table 3, other readings",
            "Figure 2",
            "Figure 3",
            "Other opponents",
            "Depreciation",
        ],
    ),
    (
        "kissling",
        &[
            "Figure 2.1",
            "Related work",
            "Games of the best players",
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
            "Stacks 2*4, configurations 2 to 5, with the exact player as teacher",
            "What the thesis describes",
            "Two heaps of 10",
            "Past the thesis",
            "Conclusion",
        ],
    ),
    (
        "nim-challenge",
        &[
            "Policy network",
            "Baselines",
            "Generations, games and time",
            "Before evolution",
            "Course of training",
            "Twenty heaps never seen",
            "Misère play",
            "Five heaps",
            "Six heaps",
            "Seven heaps",
            "Two mutations",
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
            "Strength of the players",
            "What the paper proposes",
        ],
    ),
    (
        "thien",
        &[
            "Cumulative growth",
            "Cumulative growth, the report's settings one at a time",
            "Final champion against its predecessors",
            "Origins of champions",
            "Scores by origin",
            "Number of moves",
            "What the report proposes",
            "CPU times",
            "CPU times of single games",
            "Diagrams",
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
            "Games of a generation",
            "Heuristic networks",
            "What the paper proposes",
            "Temporal difference learning",
            "Past the paper",
        ],
    ),
];

#[test]
fn every_table_and_figure_of_a_publication_is_in_its_report() {
    let papers = papers::all();
    assert_eq!(papers.len(), SHOWN.len());
    for (paper, (name, shown)) in papers.iter().zip(SHOWN) {
        assert_eq!(paper.name, name);
        let items: Vec<&str> = paper.items.iter().map(|item| &*item.number).collect();
        assert_eq!(items, shown);
    }
}

#[test]
fn a_variant_says_what_it_changes_and_nothing_that_is_true_of_its_preset_alone() {
    for paper in papers::all() {
        let (presets, _) = paper.plan(false).expect("its presets are valid");
        for variant in &paper.variants {
            let mut made = presets.iter().filter(|one| one.name == *variant.name);
            let made = made.next().expect("it is run");
            let base = presets::load(&variant.preset).expect("it is included");
            let (key, value) = &variant.settings[0];
            let expected = format!("`{}` with {key}={value}", base.name);
            assert!(made.about.starts_with(&expected), "{}", made.about);
            assert!(made.differs.is_empty() && made.settled.is_empty());
        }
    }
}

/// The page of a publication from two runs of two generations of each preset.
fn short_page(paper: &Paper) -> Page {
    let place = folder();
    let (presets, _) = paper.plan(true).expect("its presets are valid");
    let presets = presets.into_iter().map(|preset| {
        let mut preset = small(&preset.name);
        preset.generations = 2;
        preset
    });
    let manifest = Manifest::new(presets.collect(), 1, 2).expect("it is possible");
    let manifest = manifest.with_players(paper.keeps_players());
    let root = place.path().to_owned();
    let folder = ExperimentFolder::begin(root, manifest, "").expect("it is writable");
    run_experiment(&RunSpec {
        folder: &folder,
        shard: Shard::WHOLE,
        threads: 2,
        team: None,
        waits: true,
        halt: &AtomicBool::new(false),
        on_event: &|_| {},
    })
    .expect("nothing fails");
    let runs = collect(slice::from_ref(&folder)).expect("they can be read");
    let page_on = |threads| {
        let pool = Pool::new(threads).expect("there are threads");
        render::page(paper, &runs, true, &pool).expect("there are runs")
    };
    let page = page_on(1);
    if paper.name != "nim-challenge" {
        // Its champions are judged anew each time, which needs the files of players.
        let copy = self::folder();
        let manifest = runs.manifest.clone();
        let copied = ExperimentFolder::begin(copy.path().to_owned(), manifest, "");
        let copied = copied.expect("it is writable");
        let table = copy.path().join("table.csv");
        let text = paper.table(&folder).expect("its runs are readable");
        fs::write(&table, text).expect("it is writable");
        assert_eq!(fill(&copied, &table).expect("it is one"), [""; 0]);
        let runs = collect(slice::from_ref(&copied)).expect("they can be read");
        let pool = Pool::new(1).expect("there are threads");
        let again = render::page(paper, &runs, true, &pool).expect("there are runs");
        let (again, page) = (again.html(), page.html());
        let pairs = again.split('>').zip(page.split('>'));
        let differing = pairs.filter(|(again, page)| again != page);
        let differing: Vec<_> = differing.take(5).collect();
        assert!(
            again == page,
            "{}: from its table {differing:?}",
            paper.name
        );
    }
    let contests = place.path().join("contests.ron");
    let has_contests = contests.exists();
    if has_contests {
        fs::remove_file(&contests).expect("it is writable");
    }
    assert_eq!(
        page.html(),
        page_on(2).html(),
        "the same bytes from the same runs"
    );
    if has_contests {
        games_outlive_their_players(place.path(), &page.html(), || page_on(1).html());
    }
    page
}

/// Without the players of runs, games that were played stay on the page. Those that were not are
/// said to be missing.
fn games_outlive_their_players(folder: &Path, page: &str, again: impl Fn() -> String) {
    let files = fs::read_dir(folder.join("runs")).expect("it is readable");
    for file in files.map(|entry| entry.expect("it is readable").path()) {
        if file.extension().is_some_and(|ending| ending == "ron") {
            fs::remove_file(file).expect("it is writable");
        }
    }
    let readable = ExperimentFolder::open(&[folder.to_owned()]).expect("it is readable");
    let missing = collect(&readable).expect("it is readable").missing;
    assert_eq!(missing, [], "runs without players are finished");
    assert_eq!(again(), page);
    fs::remove_file(folder.join("contests.ron")).expect("it is writable");
    let words = "Games are missing, because the players of these runs are: ";
    assert!(!page.contains(words) && again().contains(words), "{page}");
}

/// Long experiments continue from the tables in `presets/results`, which have no players.
#[test]
fn the_runs_that_are_kept_belong_to_their_publication_and_have_played() {
    let mut found = 0;
    for paper in papers::all() {
        let table = root().join("presets/results");
        let table = table.join(format!("{}.csv", paper.name));
        if !table.exists() {
            continue;
        }
        let place = folder();
        let folder = begun(&paper, false, place.path());
        let changed = fill(&folder, &table).expect("it is a table");
        assert!(changed.is_empty(), "other settings: {changed:?}");
        let runs = collect(slice::from_ref(&folder)).expect("they can be read");
        assert!(runs.damaged.is_empty(), "{:?}", runs.damaged);
        let pool = Pool::new(1).expect("there are threads");
        let page = render::page(&paper, &runs, false, &pool).expect("there are runs");
        // Of Thien's runs of three and six plies, only the first of each met earlier champions
        // while its players were kept; the page says so.
        let is_partial = paper.name == "thien";
        let is_missing = page.html().contains("Games are missing");
        assert_eq!(is_missing, is_partial, "{}", paper.name);
        let text = fs::read_to_string(&table).expect("it is text");
        let again = paper.table(&folder).expect("readable");
        let mut pairs = again.lines().zip(text.lines());
        assert_eq!(
            pairs.find(|(again, kept)| again != kept),
            None,
            "{}",
            paper.name
        );
        assert_eq!(again.len(), text.len(), "{}", paper.name);
        found += runs.finished.len();
    }
    assert!(found >= 12, "{found} runs are kept");
}

/// The fewest runs with a verdict.
const FEW_RUNS: u64 = 5;

/// A table with the first runs alone, and of them, as far as the quick version has them, only the
/// first generations.
fn cut_short(paper: &Paper, is_quick: bool, table: &str) -> String {
    let (presets, runs) = paper.plan(is_quick).expect("its presets are valid");
    let runs = if is_quick { runs } else { FEW_RUNS };
    let generations = |preset: &str| {
        let planned = presets.iter().find(|known| known.name == preset);
        planned.map_or(0, |planned| planned.generations)
    };
    let (head, rows) = table.split_once('\n').expect("it has a head");
    let mut short = vec![head.to_owned()];
    for row in rows.lines() {
        let mut fields = row.split(',');
        let preset = fields.next().unwrap_or_default();
        let mut number = || fields.next().and_then(|field| field.parse::<u64>().ok());
        let (Some(seed), Some(generation)) = (number(), number()) else {
            continue;
        };
        let end: u64 = generations(preset);
        if seed > runs || end == 0 {
            continue;
        }
        // The rows that a page does not need are left out, but the last one says how long it was.
        let last = format!("{preset},{seed},{}", end - 1);
        if generation < end {
            short.push(row.to_owned());
        } else if short.last().is_some_and(|known| !known.starts_with(&last)) {
            short.push(last);
        }
    }
    short.join("\n")
}

/// The verdicts of a page that tell something, by heading, presets and figure.
fn verdicts(paper: &Paper, is_quick: bool, table: &Path) -> BTreeMap<String, String> {
    let place = folder();
    let folder = begun(paper, is_quick, place.path());
    fill(&folder, table).expect("it is a table");
    let runs = collect(slice::from_ref(&folder)).expect("they can be read");
    let pool = Pool::new(1).expect("there are threads");
    let page = render::page(paper, &runs, is_quick, &pool).expect("there are runs");
    let text = results::merged("", &[page], &presets::names()).expect("nothing was there");
    let mut heading = "";
    let mut told = BTreeMap::new();
    for line in text.lines() {
        heading = line.strip_prefix("### ").unwrap_or(heading);
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let verdict = cells.iter().rev().nth(1).copied().unwrap_or_default();
        if cells.len() > 5 && ["agrees", "differs"].contains(&verdict) {
            let row = format!("{heading}: {}", cells[1..4].join(", "));
            told.insert(row, verdict.to_owned());
        }
    }
    told
}

/// Fewer and shorter runs may leave a verdict open. They never turn it round.
#[test]
fn fewer_runs_and_the_quick_version_say_nothing_that_all_runs_contradict() {
    let mut compared = 0;
    for paper in papers::all() {
        let table = root().join("presets/results");
        let table = table.join(format!("{}.csv", paper.name));
        let Ok(text) = fs::read_to_string(&table) else {
            continue;
        };
        let whole = verdicts(&paper, false, &table);
        for is_quick in [false, true] {
            let place = folder();
            let short = place.path().join("short.csv");
            fs::write(&short, cut_short(&paper, is_quick, &text)).expect("it is writable");
            for (row, few) in verdicts(&paper, is_quick, &short) {
                if let Some(whole) = whole.get(&row) {
                    assert_eq!(*whole, few, "{}: {row}", paper.name);
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 10, "{compared} rows");
}

/// The folder of a publication's runs.
fn begun(paper: &Paper, is_quick: bool, place: &Path) -> ExperimentFolder {
    let (presets, runs) = paper.plan(is_quick).expect("its presets are valid");
    let manifest = Manifest::new(presets, 1, runs).expect("it is possible");
    let manifest = manifest.with_players(paper.keeps_players());
    let manifest = manifest.with_rows(paper.rows_every(is_quick));
    ExperimentFolder::begin(place.to_owned(), manifest, "").expect("it is writable")
}

#[test]
fn runs_of_other_settings_are_not_taken_from_a_table() {
    let table = root().join("presets/results/thien.csv");
    let papers = papers::all();
    let paper = papers.iter().find(|paper| paper.name == "thien");
    let paper = paper.expect("it is a publication");
    let place = folder();
    // The quick version has fewer generations.
    let quick = begun(paper, true, place.path());
    let changed = fill(&quick, &table).expect("it is a table");
    assert_eq!(changed.len(), quick.manifest().presets.len(), "{changed:?}");
    let runs = collect(slice::from_ref(&quick)).expect("it is readable");
    assert!(runs.finished.is_empty());
    let path = place.path().join("cut.csv");
    for (text, why) in [
        ("preset,seed,games\n", "is not a table of finished runs"),
        ("", "is not a table of finished runs"),
    ] {
        fs::write(&path, text).expect("it is writable");
        let error = fill(&quick, &path).expect_err(why).to_string();
        assert!(error.contains(why), "{error}");
    }
    let known = fs::read_to_string(&table).expect("it is text");
    let head = known.lines().next().expect("it has a head");
    fs::write(&path, format!("{head}\nthien-1ply,one,0\n")).expect("it is writable");
    let error = fill(&quick, &path).expect_err("no seed").to_string();
    assert!(error.contains("line 2: seed is `one`"), "{error}");
}

/// The file of results, in which nothing is written by hand. `UPDATE_RESULTS=1` writes it anew.
#[test]
fn the_results_of_short_runs_are_those_of_the_fixture() {
    let papers = papers::all();
    let paper = papers.iter().find(|paper| paper.name == "hynek");
    let page = short_page(paper.expect("it is a publication"));
    let text = results::merged("", &[page], &["hynek-11", "nim-2x4"]).expect("nothing was there");
    let path = root().join("tests/it/results-hynek.md");
    if std::env::var_os("UPDATE_RESULTS").is_some() {
        fs::write(&path, &text).expect("it is writable");
    }
    let known = fs::read_to_string(&path).expect("it is there");
    assert_eq!(text, known);
}

/// The published results can be written in parts: one publication anew leaves the others as they
/// are.
#[test]
fn the_published_results_keep_their_sections() {
    let path = root().join("docs/results/publications.md");
    let known = fs::read_to_string(&path).expect("it is there");
    let again = results::merged(&known, &[], &presets::names());
    assert_eq!(again, Ok(known));
}

#[test]
fn the_page_of_a_publication_has_figures_verdicts_and_commands() {
    for paper in papers::all() {
        let page = short_page(&paper).html();
        for item in &paper.items {
            assert!(
                page.contains(&*item.number),
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

/// The numbers in a text, without those in words such as `nim-2x4`, and without 1.
fn numbers(text: &str) -> Vec<&str> {
    let words = text.split([' ', '(', ')', '/', ';']);
    let words = words.map(|word| word.trim_end_matches(['.', ',', ':', '%', 's', '\'']));
    let is_number = |word: &&str| {
        let is_figure = |c: char| c.is_ascii_digit() || c == '.' || c == ',';
        word.starts_with(|c: char| c.is_ascii_digit()) && word.chars().all(is_figure)
    };
    words
        .filter(is_number)
        .filter(|word| *word != "1")
        .collect()
}

/// The last name of the first author, with which the sources of presets begin.
fn first_author(paper: &Paper) -> String {
    let first = paper.authors.split(" and ").next().unwrap_or_default();
    first.split(' ').next_back().unwrap_or_default().to_owned()
}

/// What a preset is from, without the word that marks a preset of our own making.
fn origin(preset: &Preset) -> &str {
    preset.source.trim_start_matches("after ")
}

#[test]
fn what_a_preset_says_of_its_publication_is_read_at_a_place_once() {
    for paper in papers::all() {
        let author = first_author(&paper);
        let quoted = |name: &str| {
            let mut quotes = paper.quotes.iter();
            quotes.any(|(presets, ..)| presets.iter().any(|quoted| **quoted == *name))
        };
        let mut uses: BTreeMap<&str, u32> = BTreeMap::new();
        for (place, words) in &paper.readings {
            assert!(!place.is_empty(), "{}: no place of: {words}", paper.name);
            let known = uses.insert(words, 0);
            assert_eq!(known, None, "{}: twice: {words}", paper.name);
        }
        for name in presets::names() {
            let preset = presets::load(name).expect("it is included");
            if !origin(&preset).starts_with(&author) && !quoted(name) {
                continue;
            }
            for line in preset.differs.iter().chain(&preset.settled) {
                let count = uses.get_mut(&**line);
                *count.unwrap_or_else(|| panic!("{name} has no place for: {line}")) += 1;
            }
        }
        assert!(!uses.is_empty(), "{} has no readings", paper.name);
        let unused: Vec<&str> = uses
            .into_iter()
            .filter_map(|(words, count)| (count == 0).then_some(words))
            .collect();
        assert!(
            unused.is_empty(),
            "{}: in no preset: {unused:?}",
            paper.name
        );
    }
}

#[test]
fn what_a_preset_quotes_is_quoted_with_its_place() {
    let mut quotes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut sources = Vec::new();
    for paper in papers::all() {
        sources.push(first_author(&paper));
        for (presets, place, words) in &paper.quotes {
            assert!(!place.is_empty(), "{}: {words}", paper.name);
            for preset in presets.iter() {
                let known = presets::load(preset).expect("it is included");
                let mut parts = known.published.split("; ");
                let mut notes = known.differs.iter().chain(&known.settled);
                let is_said = parts.any(|part| *part == **words);
                assert!(
                    is_said || notes.any(|note| note.contains(&**words)),
                    "{preset} says not: {words}"
                );
                quotes
                    .entry(preset.to_string())
                    .or_default()
                    .push(words.to_string());
            }
        }
    }
    assert!(quotes.len() > 80, "{}", quotes.len());
    for name in presets::names() {
        let preset = presets::load(name).expect("it is included");
        let source = origin(&preset);
        let is_of_paper = sources.iter().any(|author| source.starts_with(&**author));
        let own = quotes.get(name).cloned().unwrap_or_default();
        if own.is_empty() && !is_of_paper {
            assert!(
                preset.published.is_empty() || !source.is_empty(),
                "{name}: nothing says where it is published: {}",
                preset.published
            );
            continue;
        }
        for part in preset.published.split("; ") {
            assert!(
                own.iter().any(|quote| quote == part),
                "{name} has no place for: {part}"
            );
        }
        let notes = preset.differs.iter().chain(&preset.settled);
        let sentences = notes.flat_map(|words| words.split(". "));
        let clauses = sentences.flat_map(|words| words.split("; "));
        let names_it = |clause: &&str| {
            let mut words = clause.split([' ', '\'']);
            words.any(|word| ["paper", "thesis", "report", "publication"].contains(&word))
        };
        for number in clauses.filter(names_it).flat_map(numbers) {
            let is_quoted = own.iter().any(|quote| numbers(quote).contains(&number));
            assert!(
                is_quoted,
                "{name} has no place for {number}: {:?} {:?}",
                preset.differs, preset.settled
            );
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
        assert!(few < runs);
        assert_eq!(quick.len() + paper.variants.len(), presets.len());
        for quick in &quick {
            let full = presets.iter().find(|full| full.name == quick.name);
            assert!(full.is_some_and(|full| quick.generations <= full.generations));
        }
        for variant in &paper.variants {
            let own = presets.iter().find(|preset| preset.name == *variant.name);
            let base = presets::load(&variant.preset).expect("it is included");
            let own = own.expect("it is run");
            let (own, base) = (own.without_descriptions(), base.without_descriptions());
            let changed = own.params().into_iter().filter(|param| {
                let before = base.param(&param.key).map(|before| before.value);
                param.key != "name" && before.is_some_and(|before| before != param.value)
            });
            // A setting can also put another part in the place of one.
            let keys = variant.settings.iter();
            let keys = keys.map(|(key, _)| base.full_key(key).expect("it is one"));
            let named = keys.filter(|key| base.param(key).is_some()).count();
            assert_eq!(changed.count(), named, "{}", variant.name);
            let renamed = Preset {
                name: base.name.clone(),
                ..own
            };
            assert_ne!(format!("{renamed:?}"), format!("{base:?}"));
        }
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
fn the_kept_players_of_an_experiment_are_shown_and_checked() {
    let place = folder();
    let out = place.path().join("kept");
    let out_text = out.to_str().expect("it is text");
    let words = [
        "experiment",
        "nim-2x2",
        "--runs",
        "2",
        "--generations",
        "20",
        "--set",
        "keep_every=5",
        "--keep-players",
        "--out",
        out_text,
    ];
    assert_eq!(run(place.path(), &words).2, 0);
    let path = out.join("runs/nim-2x2-2.ron");
    let players = fs::read(&path).expect("they are kept");
    assert_eq!(run(place.path(), &["report", out_text]).2, 0);
    let page = fs::read_to_string(out.join("report.html")).expect("it is written");
    for part in [
        "Champion of nim-2x2, seed 1",
        "<figure class=\"network\">",
        "<ol class=\"game\"><li>Start<pre",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    // Another experiment, as far as its folder is concerned.
    let (_, said, code) = run(place.path(), &[&words[..8], &words[9..]].concat());
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("--keep-players is true in the folder"),
        "{said}"
    );
    let mut damaged = players.clone();
    damaged[200] ^= 1;
    fs::write(&path, damaged).expect("it is writable");
    let (_, said, code) = run(place.path(), &words);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("nim-2x2-2.ron: is damaged"), "{said}");
    assert_eq!(fs::read(&path).expect("they are kept"), players);
}

#[test]
fn the_report_of_a_saved_run_has_its_figures_its_course_its_champion_and_its_settings() {
    let place = folder();
    let saves = place.path().join("saves");
    let saves = saves.to_str().expect("it is text");
    let words = [
        "run",
        "nim-2x4",
        "--seed=1",
        "--generations=60",
        "--saves",
        saves,
    ];
    assert_eq!(run(place.path(), &words).2, 0);
    let path = format!("{saves}/nim-2x4-1");
    let pages = ["nim-2x4-1", &path].map(|name| {
        let out = place.path().join("page.html");
        let out_text = out.to_str().expect("it is text");
        let words = ["report", name, "--saves", saves, "--out", out_text];
        let (_, said, code) = run(place.path(), &words);
        assert_eq!(code, 0, "{said}");
        fs::read_to_string(out).expect("it is written")
    });
    for part in [
        "Preset nim-2x4, seed 1, 60 of 60 generations.",
        "<th scope=\"row\">right moves, all positions</th>",
        "over the generations.",
        "The champion of generation 59, fitness",
        "(first) against random (second)",
        "<summary>nim-2x4 in full, as the run began</summary>",
    ] {
        assert!(pages[0].contains(part), "{part}: {}", pages[0]);
    }
    assert!(pages[0].len() < 1_000_000);
    let body = |page: &str| page.split("</h1>").nth(1).map(ToOwned::to_owned);
    assert_eq!(
        body(&pages[0]),
        body(&pages[1]),
        "by its name and by its path"
    );
    let (_, said, code) = run(place.path(), &["report", "nim-2x5-1", "--saves", saves]);
    assert_eq!(code, 2, "{said}");
    assert!(
        said.contains("nim-2x4-1") && said.contains("not the folder of an experiment"),
        "{said}"
    );
    let two = ["report", "nim-2x4-1", "nim-2x4-1", "--saves", saves];
    let (_, said, code) = run(place.path(), &two);
    assert_eq!(code, 2, "{said}");
    assert!(
        said.contains("nim-2x4-1: is a saved run, of which"),
        "{said}"
    );
}

/// A long run makes no long page: its curves are thinned, its games and networks are cut.
#[test]
fn the_page_of_a_long_run_has_at_most_500_kilobytes() {
    let place = folder();
    let saves = place.path().join("saves");
    let saves = saves.to_str().expect("it is text");
    let set = ["--set=agent.simulations=1", "--set=mutation.tries=1"];
    let words = [
        "run",
        "thien-1ply",
        "--seed=1",
        "--generations=1",
        "--saves",
        saves,
    ];
    assert_eq!(run(place.path(), &[&words[..], &set].concat()).2, 0);
    let path = place.path().join("saves/thien-1ply-1/metrics.csv");
    let known = fs::read_to_string(&path).expect("it is text");
    let head = known.lines().next().expect("it has a head");
    let columns = head.split(',').count() as u64;
    let row = |generation: u64| {
        let values = (1..columns).map(|column| generation * column * 7919 % 1000);
        let values: Vec<String> = values.map(|value| value.to_string()).collect();
        format!("{generation},{}", values.join(","))
    };
    let rows = (0..1_000_000).step_by(10).map(row);
    let lines: Vec<String> = [head.to_owned()].into_iter().chain(rows).collect();
    fs::write(&path, lines.join("\n") + "\n").expect("it is writable");
    let out = place.path().join("page.html");
    let words = ["report", "thien-1ply-1", "--saves", saves, "--out"];
    let (_, said, code) = run(
        place.path(),
        &[&words[..], &[out.to_str().expect("it is text")]].concat(),
    );
    assert_eq!(code, 0, "{said}");
    let page = fs::read_to_string(out).expect("it is written");
    assert!(page.len() <= 500_000, "{}", page.len());
    assert!(page.matches("<polyline").count() >= 8, "its columns change");
    assert!(
        page.contains(" with the largest weights are drawn."),
        "{page}"
    );
    assert!(page.contains("999991 of"), "it has the last row");
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

#[test]
fn a_publication_is_made_again_with_as_many_runs_as_one_wants() {
    let place = folder();
    let out = place.path().join("out");
    let out_text = out.to_str().expect("it is text");
    // A shard without runs only plans them.
    let words = ["reproduce", "hynek", "--runs=2", "--shard=999/999", "--out"];
    let (_, said, code) = run(place.path(), &[&words[..], &[out_text]].concat());
    assert_eq!(code, 0, "{said}");
    let plan = fs::read_to_string(out.join("hynek/experiment.ron")).expect("it is planned");
    assert!(plan.contains("runs: 2,"), "{plan}");
    for words in [
        &["reproduce", "hynek", "--runs=0"][..],
        &["reproduce", "hynek", "--runs=2", "--quick"],
    ] {
        assert_eq!(run(place.path(), words).2, 2);
    }
}

/// The file of a publication that the manual shows.
fn publication_of_the_manual() -> String {
    let manual = fs::read_to_string(root().join("docs/manual.md")).expect("it is there");
    let mut blocks = manual.split("```ron\n").skip(1);
    let block = blocks.find(|block| block.contains("authors:"));
    let (text, _) = block
        .expect("it is shown")
        .split_once("```")
        .expect("it ends");
    text.to_owned()
}

#[test]
fn the_publication_of_the_manual_is_made() {
    let place = folder();
    let path = place.path().join("mine.ron");
    fs::write(&path, publication_of_the_manual()).expect("it is writable");
    let out = place.path().join("out");
    let [file, out_text] = [&path, &out].map(|path| path.to_str().expect("it is text"));
    let words = ["reproduce", file, "--quick", "--out", out_text];
    let (_, said, code) = run(place.path(), &words);
    assert_eq!(code, 0, "{said}");
    let page = fs::read_to_string(out.join("mine-quick.html")).expect("it is there");
    for part in [
        "<h1>A. Author and B. Writer, Learning Small Heaps, a journal, 2020</h1>",
        "Table 1, 3 Results",
        "more than nine tenths</td>",
        "nim-2x2, calm over generation",
        "finches experiment nim-2x2 --runs 5 --generations 40",
        "Not made again: it explains the method",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

#[test]
fn mistakes_in_the_file_of_a_publication_are_named_before_anything_is_run() {
    let place = folder();
    let text = publication_of_the_manual().replace("accuracy_states", "acuracy_states");
    let [file, out] = ["mine.ron", "out"].map(|name| place.path().join(name));
    fs::write(&file, text).expect("it is writable");
    let [file, out_text] = [&file, &out].map(|path| path.to_str().expect("it is text"));
    let (_, said, code) = run(place.path(), &["reproduce", file, "--out", out_text]);
    assert_eq!(code, 2, "{said}");
    let message = "`nim-2x2` has no column `acuracy_states`; did you mean `accuracy_states`?";
    assert!(
        said.contains("mine.ron:20:") && said.contains(message),
        "{said}"
    );
    assert!(!out.exists(), "nothing is begun");
    let (_, said, code) = run(place.path(), &["reproduce", "yours.ron"]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("yours.ron: can't be read"), "{said}");
}
