//! The dashboard of a sweep as text, from made-up runs.

use std::collections::BTreeMap;
use std::fs;
use std::sync::atomic::AtomicBool;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use finches_dashboard::app::AppModel;
use finches_dashboard::jobs::WantedAnswers;
use finches_dashboard::screen::{ScreenEvent, TabbedScreen};
use finches_dashboard::screens::runs::experiment::Experiment;
use finches_dashboard::screens::runs::{ExperimentSetup, RunsScreen};
use finches_dashboard::theme::Theme;
use finches_engine::metrics::progress_unit::ProgressUnit;
use finches_engine::preset::Preset;
use finches_lab::experiment::sweep::factor::SweepFactor;
use finches_lab::experiment::sweep::{SweepRequest, plan};
use finches_lab::experiment::{ExperimentEnd, ExperimentEvent, RunSpec, Shard, columns, run};
use finches_runs::storage::experiments::ExperimentFolder;
use finches_runs::storage::experiments::manifest::{Manifest, RunId};
use finches_runs::storage::experiments::outcome::RunOutcome;
use finches_runs::storage::experiments::part::RunPart;
use finches_runs::storage::experiments::sweep::{HalvingResource, SweepDesign};

use crate::screens::home;
use crate::support::{SIZES, check_frames, folder, preset_with, screen};

/// A sweep of 18 combinations with three runs each.
fn setup(vary: &[&str]) -> ExperimentSetup {
    let factors = vary
        .iter()
        .map(|text| SweepFactor::parse(text).expect("it is sound"));
    let planned = plan(&SweepRequest {
        preset: preset_with("nim-2x4-value", &["generations=300"]),
        changes: Vec::new(),
        factors: factors.collect(),
        design: SweepDesign::Grid,
        seed: 1,
        skips_invalid: false,
    });
    let planned = planned.expect("every combination is valid");
    let of_base = columns(&planned.definition.base).expect("it is sound");
    let manifest = Manifest::new(planned.presets, 1, 3).expect("the names differ");
    let manifest = manifest.with_sweep(planned.definition);
    ExperimentSetup {
        columns: vec![of_base; manifest.presets.len()],
        manifest,
        shard: Shard::WHOLE,
        threads: 2,
        folder: "experiments/nim-2x4-value-sweep".to_owned(),
        column: None,
        x_unit: ProgressUnit::Generations,
    }
}

/// A made-up result: better with fewer nodes added and with more opponents, and with both together.
fn value(values: &[String], seed: u64) -> f64 {
    let number = |place: usize| values.get(place).and_then(|text| text.parse::<f64>().ok());
    let (add_node, opponents) = (number(0).unwrap_or(0.0), number(1).unwrap_or(0.0));
    let noise = (seed as f64 * 2.3).sin() * 0.03;
    0.5 + 0.3 * (1.0 - add_node) + opponents / 250.0 * (1.2 - add_node) + noise
}

/// The dashboard after the first runs.
fn watched(vary: &[&str], finished: usize) -> AppModel {
    watch(setup(vary), finished)
}

fn watch(setup: ExperimentSetup, finished: usize) -> AppModel {
    let runs = setup.manifest.run_ids();
    let sweep = setup.manifest.sweep.clone().expect("it is a sweep");
    let mut model = AppModel::with_screens(Theme::dark(), |waker| {
        vec![TabbedScreen::ready(RunsScreen::alone(setup, waker.clone()))]
    });
    let shown = screen::<RunsScreen>(&mut model);
    shown.apply(ExperimentEvent::Scheduled(runs.clone(), RunPart::WHOLE));
    for &id in runs.iter().take(finished) {
        let outcome = outcome(id, value(&sweep.combinations[id.preset], id.seed));
        shown.apply(ExperimentEvent::Started(id));
        shown.apply(ExperimentEvent::Finished {
            id,
            part: RunPart::WHOLE,
            outcome,
        });
    }
    shown.catch_up(None);
    model
}

fn outcome(id: RunId, accuracy: f64) -> RunOutcome {
    let latest = [("accuracy_states", accuracy), ("games", 3e5)];
    RunOutcome {
        preset: String::new(),
        seed: id.seed,
        recipe: String::new(),
        generations: 300,
        reached: None,
        latest: BTreeMap::from(latest.map(|(name, value)| (name.to_owned(), value))),
        rows_checksum: String::new(),
        players_checksum: None,
    }
}

fn press(model: &mut AppModel, code: KeyCode) {
    model.press(KeyEvent::new(code, KeyModifiers::NONE));
}

fn text(model: &AppModel, width: u16, height: u16) -> String {
    let buf = model.draw(width, height);
    let cell = |x, y| buf.cell((x, y)).map(|cell| cell.symbol().to_owned());
    let row = |y| {
        let row: String = (0..width).filter_map(|x| cell(x, y)).collect();
        row.trim_end().to_owned()
    };
    (0..height).map(row).collect::<Vec<String>>().join("\n")
}

const VARY: [&str; 3] = [
    "add_node=0.05,0.2,0.8",
    "opponents=5,25,50",
    "add_edge=0.1,0.4",
];

#[test]
fn a_sweep_is_shown_while_it_runs() {
    let mut model = watched(&VARY, 47);
    for (width, height) in SIZES {
        model.resize(width, height);
        check_frames(&text(&model, width, height));
    }
    model.resize(120, 40);
    insta::assert_snapshot!("sweep_120x40", text(&model, 120, 40));
    press(&mut model, KeyCode::Char('h'));
    insta::assert_snapshot!("sweep_map_120x40", text(&model, 120, 40));
}

#[test]
fn groups_whose_runs_go_on_have_no_rank_and_no_p_value_and_lower_bounds_a_sign() {
    let mut setup = setup(&["add_node=0.05,0.2", "opponents=5,25"]);
    for preset in &mut setup.manifest.presets {
        preset.until = "accuracy_states>=1".to_owned();
    }
    if let Some(sweep) = &mut setup.manifest.sweep {
        sweep.base.until = "accuracy_states>=1".to_owned();
    }
    let runs = setup.manifest.run_ids();
    let mut model = watch(setup, 0);
    model.resize(120, 40);
    let shown = screen::<RunsScreen>(&mut model);
    // Of the third combination two runs are missing, and the one that is done was fast.
    for &id in runs.iter().filter(|id| id.preset != 2 || id.seed == 1) {
        let mut outcome = outcome(id, 1.0);
        let at = [100, 60, 5, 200][id.preset] + id.seed;
        outcome.reached = (id.preset != 3 || id.seed == 1).then_some(at);
        let part = RunPart::WHOLE;
        shown.apply(ExperimentEvent::Finished { id, part, outcome });
    }
    shown.catch_up(None);
    let drawn = text(&model, 120, 40);
    let row = |values: &str| {
        let found = drawn
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
        let found: Vec<String> = found.filter(|line| line.contains(values)).collect();
        assert_eq!(found.len(), 1, "{values}: {found:?} in\n{drawn}");
        found[0].clone()
    };
    assert!(row(" 1 0.05 25 3 62 ").contains(" 62 - 3 - "), "{drawn}");
    assert!(row(" 2 0.05 5 3 102 ").contains(" 102 - 3 0.0"), "{drawn}");
    // 201, then two that were cut off at 300.
    assert!(
        row(" 3 0.2 25 3 ≥267 ").contains(" ≥267 - 1 0.0"),
        "{drawn}"
    );
    let wide = text(&model, 200, 60);
    assert!(wide.contains("  ≥300  201  "), "{wide}");
    let running = drawn.lines().filter(|line| line.contains("running"));
    let running: Vec<&str> = running.filter(|line| line.contains(" 0.2 ")).collect();
    assert_eq!(running.len(), 1, "{drawn}");
    assert!(running[0].contains(" 1     6 "), "no rank: {drawn}");
    assert!(
        drawn.contains("generations to right moves, all ≥ 100%"),
        "{drawn}"
    );
    for (key, words) in [('h', "≥267"), ('f', "≥")] {
        press(&mut model, KeyCode::Char(key));
        let drawn = text(&model, 120, 40);
        assert!(drawn.contains(words), "{words} is missing in\n{drawn}");
    }
}

#[test]
fn with_successive_halving_by_generations_effects_are_those_of_the_first_round() {
    let mut setup = setup(&VARY);
    if let Some(sweep) = &mut setup.manifest.sweep {
        (sweep.halving, sweep.resource) = (Some(3), HalvingResource::Generations);
    }
    let runs = setup.manifest.run_ids();
    let mut model = watch(setup, 0);
    model.resize(200, 60);
    let shown = screen::<RunsScreen>(&mut model);
    let finish = |shown: &mut RunsScreen, id: RunId, part: RunPart, accuracy: f64| {
        let mut outcome = outcome(id, accuracy);
        outcome.generations = part.generations(300);
        shown.apply(ExperimentEvent::Started(id));
        shown.apply(ExperimentEvent::Finished { id, part, outcome });
    };
    for &id in &runs {
        finish(shown, id, RunPart::one_in(9), id.preset as f64 / 100.0);
    }
    shown.catch_up(None);
    let effects = |shown: &RunsScreen| {
        let experiment = shown.experiment().expect("it is one");
        let results = experiment.sweep.as_ref().expect("it is a sweep");
        (results.effects.clone(), results.effects_measure.clone())
    };
    let before = effects(shown);
    let whole: Vec<RunId> = runs.iter().copied().filter(|id| id.preset < 2).collect();
    shown.apply(ExperimentEvent::Scheduled(whole.clone(), RunPart::WHOLE));
    assert_eq!(
        shown.experiment().map_or(0, Experiment::done),
        runs.len() - whole.len()
    );
    for &id in &whole {
        finish(shown, id, RunPart::WHOLE, 1.0);
    }
    shown.catch_up(None);
    assert_eq!(effects(shown), before, "the best going on changes nothing");
    let measure = "accuracy_states after 33 generations";
    assert_eq!(before.1.as_deref(), Some(measure));
    assert_eq!(shown.experiment().map_or(0, Experiment::done), runs.len());
    for (key, words) in [
        (
            'f',
            "Effects on right moves, all positions after 33".to_owned(),
        ),
        ('h', "The better".to_owned()),
        ('t', "generations".to_owned()),
    ] {
        press(&mut model, KeyCode::Char(key));
        screen::<RunsScreen>(&mut model).catch_up(None);
        let screen = text(&model, 200, 60);
        assert!(screen.contains(&words), "{words} is missing in\n{screen}");
    }
    let screen = text(&model, 200, 60);
    let has_both = |line: &str| line.contains(" 300 ") || line.contains(" 33 ");
    assert!(screen.lines().filter(|line| has_both(line)).count() > 3);
}

#[test]
fn every_view_can_be_seen_in_a_small_terminal_and_the_map_takes_any_two_parameters() {
    let mut model = watched(&VARY, 54);
    model.resize(80, 24);
    let has = |model: &AppModel, words: &str| {
        let shown = text(model, 80, 24);
        assert!(shown.contains(words), "{words} is missing in\n{shown}");
    };
    press(&mut model, KeyCode::Char('h'));
    has(&model, "Mean by add node (down) and opponents (across)");
    for words in [
        "add node (down) and opponents",
        "add node (down) and add edge",
        "opponents (down) and add edge",
    ] {
        press(&mut model, KeyCode::Right);
        has(&model, words);
    }
    press(&mut model, KeyCode::Left);
    has(&model, "add node (down) and add edge");
    for (key, words) in [
        ('f', "add node explains"),
        ('t', "rank"),
        ('c', "0.05/50"),
        ('h', "Mean by"),
    ] {
        press(&mut model, KeyCode::Char(key));
        has(&model, words);
    }
}

#[test]
fn the_list_goes_by_rank_and_the_best_is_opened_with_three_keys() {
    let mut model = watched(&VARY, 54);
    model.resize(120, 40);
    let first = |model: &AppModel| {
        let drawn = text(model, 120, 40);
        let lines = drawn.lines().filter(|line| line.contains("/50/"));
        lines.map(ToOwned::to_owned).next().unwrap_or_default()
    };
    assert!(first(&model).contains("0.05/50/0.1"), "{}", first(&model));
    press(&mut model, KeyCode::Enter);
    press(&mut model, KeyCode::Enter);
    let drawn = text(&model, 120, 40);
    assert!(drawn.contains("on all screens, from its start: finches run nim-2x4-value"));
    press(&mut model, KeyCode::Esc);
    press(&mut model, KeyCode::Char('g'));
    let drawn = text(&model, 120, 40);
    assert!(drawn.contains("opponents 25"), "means by it: {drawn}");
}

#[test]
fn a_sweep_is_drawn_before_any_run_with_one_parameter_and_in_ascii() {
    for (vary, finished) in [
        (&VARY[..], 0),
        (&VARY[..1], 0),
        (&VARY[..1], 9),
        (&["mode=all,simple"][..], 6),
    ] {
        let mut model = watched(vary, finished);
        model.context.theme.ascii = true;
        for (width, height) in [(20, 6), (80, 24), (120, 40), (200, 60)] {
            model.resize(width, height);
            for key in "cthfd".chars() {
                press(&mut model, KeyCode::Char(key));
                let shown = text(&model, width, height);
                let foreign: Vec<char> =
                    shown.chars().filter(|letter| !letter.is_ascii()).collect();
                assert!(foreign.is_empty(), "{foreign:?} in\n{shown}");
            }
        }
    }
}

#[test]
fn what_fresh_seeds_say_of_the_best_is_told_in_the_head_and_in_the_table() {
    let folder = folder();
    let factor = SweepFactor::parse("population=12,24").expect("it is sound");
    let planned = plan(&SweepRequest {
        preset: preset_with("nim-2x2", &["opponents=6", "generations=4"]),
        changes: Vec::new(),
        factors: vec![factor],
        design: SweepDesign::Grid,
        seed: 1,
        skips_invalid: false,
    });
    let mut planned = planned.expect("every combination is valid");
    planned.definition.confirm = 2;
    let best = planned.presets[1].clone();
    let manifest = Manifest::new(planned.presets, 1, 2).expect("the names differ");
    let sweep = manifest.with_sweep(planned.definition);
    // The same twice: the best is no better than what it is compared with, and no worse.
    let unchanged = Preset {
        name: "unchanged".to_owned(),
        ..best.clone()
    };
    let fresh = Manifest::new(vec![best, unchanged], 3, 2).expect("the names differ");
    for (path, manifest) in [
        (folder.path().to_owned(), sweep),
        (folder.path().join("confirmation"), fresh),
    ] {
        let begun = ExperimentFolder::begin(path, manifest, "").expect("it is new");
        let order = RunSpec {
            folder: &begun,
            shard: Shard::WHOLE,
            threads: 2,
            team: None,
            waits: true,
            halt: &AtomicBool::new(false),
            on_event: &|_| {},
        };
        assert_eq!(run(&order).expect("it can be run"), ExperimentEnd::Done);
    }
    let mut model = AppModel::new(Theme::dark(), home());
    model.resize(120, 40);
    press(&mut model, KeyCode::Char('8'));
    model.tell(&ScreenEvent::ExperimentToShow(folder.path()));
    let wait = |model: &mut AppModel| {
        screen::<RunsScreen>(model).take_answers(WantedAnswers::All, None);
    };
    wait(&mut model);
    let drawn = text(&model, 120, 40);
    assert_eq!(drawn.matches("best: refuted").count(), 2, "{drawn}");
    for words in ["with fresh seeds 3 to 4: ", "Mann-Whitney"] {
        assert!(drawn.contains(words), "{words} is missing in\n{drawn}");
    }
    press(&mut model, KeyCode::Char('f'));
    assert!(text(&model, 120, 40).contains("best: refuted"));
    press(&mut model, KeyCode::Char('e'));
    wait(&mut model);
    let read = |ending: &str| {
        let mut files = fs::read_dir(folder.path())
            .expect("it can be read")
            .flatten();
        let file = files.find(|file| file.path().to_string_lossy().ends_with(ending));
        let file = file.unwrap_or_else(|| panic!("{ending} is missing"));
        fs::read_to_string(file.path()).expect("it is text")
    };
    let effects = read(".effects.csv");
    assert_eq!(
        effects.lines().count(),
        1 + 2,
        "a line for each value: {effects}"
    );
    assert!(effects.starts_with("parameter,value,mean,mean_low,mean_high,is_lower_bound,"));
    assert!(read(".effects.svg").contains("<svg"));
    assert!(
        read(".curves.svg").contains("population 24"),
        "its lines are named"
    );
}

#[test]
fn effects_lie_on_one_axis_and_the_runs_of_a_combination_are_one_key_away() {
    let mut model = watched(&VARY[..1], 9);
    model.resize(120, 40);
    press(&mut model, KeyCode::Char('f'));
    let drawn = text(&model, 120, 40);
    let levels = drawn
        .lines()
        .filter(|line| line.contains('●') && line.contains("% to "));
    let places = levels.map(|line| {
        let place = |sign| line.chars().skip(40).position(|other| other == sign);
        (
            place('│'),
            place('├') < place('●') && place('●') < place('┤'),
        )
    });
    let places: Vec<_> = places.collect();
    assert_eq!(places.len(), 3, "{drawn}");
    assert!(
        places
            .iter()
            .all(|one| one.0.is_some() && *one == (places[0].0, true)),
        "{drawn}"
    );
    press(&mut model, KeyCode::Enter);
    let drawn = text(&model, 120, 40);
    assert!(
        drawn.contains("╭ right moves") && !drawn.contains("explains"),
        "{drawn}"
    );
    press(&mut model, KeyCode::Esc);
    assert!(text(&model, 120, 40).contains("add node explains"));
}
