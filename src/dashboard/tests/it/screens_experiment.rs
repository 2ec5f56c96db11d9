//! The dashboard of an experiment as text, from made-up events, and its figures from a real one.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use finches_dashboard::app::AppModel;
use finches_dashboard::jobs::WantedAnswers;
use finches_dashboard::screen::{ExitMode, Request, Requests, ScreenEvent, TabbedScreen};
use finches_dashboard::screens::runs::experiment::Experiment;
use finches_dashboard::screens::runs::{ExperimentSetup, ExperimentState, RunsScreen};
use finches_dashboard::theme::Theme;
use finches_engine::metrics::progress_unit::ProgressUnit;
use finches_engine::metrics::{Columns, Row};
use finches_lab::experiment::collect::collect;
use finches_lab::experiment::matrix::{MatrixRequest, plan};
use finches_lab::experiment::summary::Summary;
use finches_lab::experiment::{
    ExperimentEnd, ExperimentError, ExperimentEvent, RunSpec, Shard, columns, run,
};
use finches_runs::storage::experiments::ExperimentFolder;
use finches_runs::storage::experiments::islands::IslandsDefinition;
use finches_runs::storage::experiments::manifest::{Manifest, RunId};
use finches_runs::storage::experiments::outcome::RunOutcome;
use finches_runs::storage::experiments::part::RunPart;
use finches_runs::storage::saves::Saves;
use ratatui::style::Color;

use crate::screens::home;
use crate::support::folder;
use crate::support::{SIZES, check_frames, check_plain, preset_with, screen, session};

/// The dashboard of an experiment that has not begun.
fn dashboard(setup: ExperimentSetup) -> AppModel {
    AppModel::with_screens(Theme::dark(), |waker| {
        vec![TabbedScreen::ready(RunsScreen::alone(setup, waker.clone()))]
    })
}

fn shown(model: &AppModel) -> &Experiment {
    let screen: &RunsScreen = model.screen().expect("it is the only screen");
    screen.experiment().expect("it shows an experiment")
}

fn apply(model: &mut AppModel, event: ExperimentEvent) {
    screen::<RunsScreen>(model).apply(event);
}

fn press(model: &mut AppModel, code: KeyCode) -> Requests {
    model.press(KeyEvent::new(code, KeyModifiers::NONE))
}

fn letter(model: &mut AppModel, letter: char) -> Requests {
    press(model, KeyCode::Char(letter))
}

fn text(model: &AppModel, width: u16, height: u16) -> String {
    let buf = model.draw(width, height);
    let rows = (0..height).map(|y| {
        let row: String = (0..width)
            .filter_map(|x| buf.cell((x, y)).map(|cell| cell.symbol().to_owned()))
            .collect();
        row.trim_end().to_owned()
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// Compares the screen with its snapshot, and draws it at every size.
fn check(name: &str, model: &mut AppModel) {
    for (width, height) in SIZES {
        model.resize(width, height);
        check_frames(&text(model, width, height));
    }
    model.resize(120, 40);
    insta::assert_snapshot!(format!("{name}_120x40"), text(model, 120, 40));
}

fn setup(names: &[&str], runs: u64, settings: &[&str]) -> ExperimentSetup {
    let presets: Vec<_> = names
        .iter()
        .map(|name| preset_with(name, settings))
        .collect();
    let columns = presets
        .iter()
        .map(|preset| columns(preset).expect("it is sound"));
    ExperimentSetup {
        columns: columns.collect(),
        manifest: Manifest::new(presets, 1, runs).expect("the presets differ"),
        shard: Shard::WHOLE,
        threads: 2,
        folder: "experiments/walls".to_owned(),
        column: None,
        x_unit: ProgressUnit::Generations,
    }
}

const UNTIL: [&str; 2] = ["until=accuracy_states>=1", "generations=400"];

/// The generations that a made-up run takes, and whether it meets its target.
fn status(cell: RunId) -> (u64, bool) {
    let taken = 60 + (cell.seed * 97 + cell.preset as u64 * 31) % 360;
    (taken.min(400), taken < 400)
}

/// The rows of a made-up run that improves in steps.
fn rows(columns: &Columns, cell: RunId, from: u64, to: u64) -> Vec<Row> {
    let (end, solves) = status(cell);
    let row = |generation: u64| {
        let share = generation as f64 / (end - 1) as f64;
        let steps = (share * 8.0).floor() / 8.0;
        let wave = ((generation + cell.seed * 13) as f64 * 0.4).sin() * 0.04;
        let high = if solves { 1.0 } else { 0.7 };
        let accuracy = if generation + 1 == end && solves {
            1.0
        } else {
            (0.2 + (high - 0.25) * steps + wave).clamp(0.0, 0.99)
        };
        let mut row = Row::empty(columns);
        row.set(columns, "generation", generation as f64);
        row.set(columns, "accuracy_states", accuracy);
        // Generations of the second preset are six times as long.
        let games = (generation + 1) * [1650, 9900][cell.preset % 2];
        row.set(columns, "games", games as f64);
        row.set(columns, "champion_edges", 8.0 + 40.0 * share);
        row
    };
    (from..to).map(row).collect()
}

fn outcome(cell: RunId) -> RunOutcome {
    let (end, solves) = status(cell);
    RunOutcome {
        preset: String::new(),
        seed: cell.seed,
        recipe: String::new(),
        generations: end,
        reached: solves.then_some(end - 1),
        latest: BTreeMap::from([("accuracy_states".to_owned(), if solves { 1.0 } else { 0.7 })]),
        rows_checksum: String::new(),
        players_checksum: None,
    }
}

/// An experiment with some finished runs and two running ones, after some time.
fn watched(names: &[&str], runs: u64, settings: &[&str], finished: usize) -> AppModel {
    let setup = setup(names, runs, settings);
    let cells = setup.manifest.run_ids();
    let columns = setup.columns.clone();
    let mut model = dashboard(setup);
    apply(
        &mut model,
        ExperimentEvent::Scheduled(cells.clone(), RunPart::WHOLE),
    );
    let mut now = Duration::ZERO;
    for (place, &cell) in cells.iter().enumerate().take(finished + 2) {
        let end = if place < finished {
            status(cell).0
        } else {
            25 + 20 * (place - finished) as u64
        };
        apply(&mut model, ExperimentEvent::Started(cell));
        let mut from = 0;
        while from < end {
            let to = (from + 30).min(end);
            now += Duration::from_millis(100);
            screen::<RunsScreen>(&mut model).set_time(now);
            let rows = rows(&columns[cell.preset], cell, from, to);
            apply(&mut model, ExperimentEvent::Rows { id: cell, rows });
            from = to;
        }
        if place < finished {
            let outcome = outcome(cell);
            apply(
                &mut model,
                ExperimentEvent::Finished {
                    id: cell,
                    part: RunPart::WHOLE,
                    outcome,
                },
            );
        }
    }
    screen::<RunsScreen>(&mut model).catch_up(None);
    model
}

#[test]
fn list_table_and_legend_agree_on_a_group_of_which_runs_go_on() {
    // The first run has ended at 100%, two others are below it.
    let mut model = watched(&["nim-2x4"], 3, &["generations=400"], 1);
    let drawn = text(&model, 120, 40);
    for words in ["1/3 100%", "3 runs, 1 done"] {
        assert!(drawn.contains(words), "{words} is missing in\n{drawn}");
    }
    letter(&mut model, 't');
    screen::<RunsScreen>(&mut model).catch_up(None);
    let drawn = text(&model, 120, 40);
    let row = drawn.lines().find_map(|line| line.split_once("│ ● "));
    let row = row.map(|(_, row)| row.split_whitespace().take(3).collect::<Vec<_>>());
    assert_eq!(row.unwrap_or_default(), ["nim-2x4", "1", "100%"], "{drawn}");
}

#[test]
fn effects_of_runs_with_one_target_are_those_on_the_time_to_it() {
    let mut model = watched(&["nim-2x4", "nim-2x4-value"], 6, &UNTIL, 12);
    letter(&mut model, 'f');
    screen::<RunsScreen>(&mut model).catch_up(None);
    let drawn = text(&model, 120, 40);
    let title = "What each parameter does: generations to right moves, all ≥ 100%";
    assert!(
        drawn.contains(title) && drawn.contains("low is good"),
        "{drawn}"
    );
}

/// A table of two games and all schemes, of which some have runs: the later a scheme, the better.
fn tabulated(finished: usize) -> AppModel {
    let request = MatrixRequest {
        games: vec!["nim".to_owned(), "bounded_nim".to_owned()],
        budget: 20_000,
        ..MatrixRequest::default()
    };
    let planned = plan(&request).expect("it can be planned");
    let manifest = Manifest::new(planned.presets, 1, 5).expect("the presets differ");
    let mut setup = setup(&["nim-2x2"], 1, &[]);
    let presets = manifest.presets.iter();
    let columns_of = presets.map(|preset| columns(preset).expect("it is sound"));
    setup.columns = columns_of.collect();
    setup.manifest = manifest.with_matrix(planned.definition);
    let cells = setup.manifest.run_ids();
    let mut model = dashboard(setup);
    let scheduled = ExperimentEvent::Scheduled(cells.clone(), RunPart::WHOLE);
    apply(&mut model, scheduled);
    for &id in &cells[..finished] {
        let share = (id.preset % 18) as f64 / 20.0 + id.seed as f64 / 50.0;
        let outcome = RunOutcome {
            latest: BTreeMap::from([("accuracy_states".to_owned(), share)]),
            ..outcome(id)
        };
        let part = RunPart::WHOLE;
        apply(&mut model, ExperimentEvent::Finished { id, part, outcome });
    }
    screen::<RunsScreen>(&mut model).catch_up(None);
    model
}

fn running() -> AppModel {
    watched(&["nim-2x4", "nim-2x4-value"], 12, &UNTIL, 17)
}

fn done() -> AppModel {
    let mut model = watched(&["nim-2x4", "nim-2x4-value"], 6, &UNTIL, 12);
    screen::<RunsScreen>(&mut model).end(Ok(ExperimentEnd::Done));
    screen::<RunsScreen>(&mut model).catch_up(None);
    model
}

fn many() -> AppModel {
    let names = [
        "nim-2x2",
        "nim-2x4",
        "nim-2x4-value",
        "nim-2x8-value",
        "simple-nim-8",
        "simple-nim-1to8-direct",
        "nim-2x10-value",
        "simple-nim-1to8-onehot",
    ];
    watched(&names, 40, &UNTIL, 111)
}

#[test]
fn ascii_and_no_color_say_the_same() {
    let mut model = running();
    model.context.theme.ascii = true;
    for (width, height) in SIZES {
        model.resize(width, height);
        let drawn = text(&model, width, height);
        let odd: Vec<char> = drawn.chars().filter(|letter| !letter.is_ascii()).collect();
        assert!(odd.is_empty(), "not ASCII: {odd:?}");
    }
    model.resize(120, 40);
    model.context.theme.ascii = false;
    check_plain(&mut model);
    model.context.theme.ascii = true;
    letter(&mut model, 'i');
    assert!(text(&model, 120, 40).is_ascii());
    letter(&mut model, '?');
    assert!(text(&model, 80, 24).is_ascii());
    let mut model = running();
    // But for the range of a group, which would hide its line.
    let words = |model: &AppModel| {
        let drawn = text(model, 120, 40);
        let is_dots = |letter: char| ('\u{2800}'..='\u{28ff}').contains(&letter);
        let plain = drawn.replace(|letter| is_dots(letter) || letter == '┈', " ");
        plain.replace(" · mean and range", "").replace("━ mean", "")
    };
    let colored = words(&model);
    model.context.theme = Theme::monochrome();
    assert_eq!(words(&model), colored);
    let drawn = model.draw(120, 40);
    let colors = drawn.content().iter().flat_map(|cell| [cell.fg, cell.bg]);
    assert!(colors.into_iter().all(|color| color == Color::Reset));
}

#[test]
fn every_size_is_survived_and_every_state_is_told_in_each() {
    for mut model in [running(), done(), many()] {
        for (width, height) in [
            (1, 1),
            (2, 300),
            (20, 6),
            (44, 12),
            (59, 40),
            (60, 18),
            (300, 19),
        ] {
            model.resize(width, height);
            for key in "zmxiy-?? tcdofhg".chars() {
                press(&mut model, KeyCode::Left);
                letter(&mut model, key);
                press(&mut model, KeyCode::PageDown);
                model.draw(width, height);
            }
            press(&mut model, KeyCode::Esc);
        }
        for (width, height) in [(44, 12), (60, 18), (80, 24), (120, 40)] {
            model.resize(width, height);
            let word = if shown(&model).state == ExperimentState::Done {
                " DONE "
            } else {
                " RUNNING "
            };
            assert!(
                text(&model, width, height).contains(word),
                "{width}x{height}"
            );
        }
    }
    let mut model = running();
    let error = ExperimentError::Failed("run nim-2x4-7 has failed by a bug".to_owned());
    screen::<RunsScreen>(&mut model).end(Err(error));
    let drawn = text(&model, 80, 24);
    assert!(
        drawn.contains(" ERROR ") && drawn.contains("nim-2x4-7 has failed"),
        "{drawn}"
    );
}

#[test]
fn keys_stop_and_leave_and_escape_never_does() {
    let leave = |mode| vec![Request::Leave(mode)];
    let mut model = running();
    for _ in 0..3 {
        assert_eq!(press(&mut model, KeyCode::Esc), []);
    }
    letter(&mut model, '?');
    assert_eq!(letter(&mut model, 'q'), [], "it closes the help");
    assert_eq!(letter(&mut model, 'q'), leave(ExitMode::SaveFirst));
    model.tell(&ScreenEvent::Stopping);
    let drawn = text(&model, 80, 24);
    assert!(
        drawn.contains(" STOPPING ") && drawn.contains("runs are saved"),
        "{drawn}"
    );
    assert_eq!(press(&mut model, KeyCode::Esc), []);
    assert_eq!(letter(&mut model, 'q'), leave(ExitMode::Immediately));
    assert_eq!(letter(&mut done(), 'q'), leave(ExitMode::SaveFirst));
}

#[test]
fn an_experiment_is_shown_while_it_runs_and_when_it_is_done() {
    let mut model = dashboard(setup(&["nim-2x4"], 6, &UNTIL));
    let cells = shown(&model).setup.manifest.run_ids();
    apply(
        &mut model,
        ExperimentEvent::Scheduled(cells, RunPart::WHOLE),
    );
    check("experiment_begun", &mut model);
    check("experiment_running", &mut running());
    check("experiment_many", &mut many());
    let mut model = done();
    letter(&mut model, 't');
    screen::<RunsScreen>(&mut model).catch_up(None);
    check("experiment_table", &mut model);
}

#[test]
fn enter_lists_the_runs_of_a_group_then_says_how_one_is_opened() {
    let mut model = running();
    press(&mut model, KeyCode::Down);
    press(&mut model, KeyCode::Enter);
    press(&mut model, KeyCode::Down);
    check("experiment_runs_of_a_group", &mut model);
    press(&mut model, KeyCode::Enter);
    let drawn = text(&model, 120, 40);
    let command = "on all screens, from its start: finches run nim-2x4-value";
    assert!(drawn.contains(command), "{drawn}");
    press(&mut model, KeyCode::Esc);
    let drawn = text(&model, 120, 40);
    assert!(drawn.contains("Groups"), "{drawn}");
}

#[test]
fn the_table_of_games_and_schemes_is_shown_as_it_fills() {
    check("experiment_matrix", &mut tabulated(150));
    let drawn = text(&tabulated(0), 80, 24);
    assert!(drawn.contains("circular"), "{drawn}");
}

#[test]
fn values_are_read_at_a_cursor_as_means_of_the_runs() {
    let mut model = running();
    model.resize(120, 40);
    letter(&mut model, 'i');
    press(&mut model, KeyCode::Home);
    let drawn = text(&model, 120, 40);
    assert!(drawn.contains("at generation 0 "), "{drawn}");
    press(&mut model, KeyCode::Right);
    assert!(!text(&model, 120, 40).contains("at generation 0 "));
    letter(&mut model, 'x');
    assert!(text(&model, 120, 40).contains(" games ╮"));
    letter(&mut model, 'x');
    assert!(
        text(&model, 120, 40).contains("at generation "),
        "there are no times"
    );
}

#[test]
fn all_keys_of_an_experiment_are_in_its_help() {
    let mut model = running();
    letter(&mut model, '?');
    let drawn = text(&model, 120, 40);
    for words in [
        "show or hide the crosshair",
        "logarithmic",
        "stop, to continue later",
    ] {
        assert!(drawn.contains(words), "{words}\n{drawn}");
    }
}

#[test]
fn the_column_shown_is_that_of_the_target_and_can_be_changed() {
    let check = |model: &AppModel, label: &str| {
        let drawn = text(model, 120, 40);
        assert!(drawn.contains(label), "{label}: {drawn}");
    };
    let mut model = running();
    check(&model, "right moves, all positions");
    letter(&mut model, 'm');
    assert!(!text(&model, 120, 40).contains("right moves, all positions"));
    letter(&mut model, 'M');
    check(&model, "right moves, all positions");
    let started = |setup: ExperimentSetup| {
        let mut model = dashboard(setup);
        screen::<RunsScreen>(&mut model).catch_up(None);
        model
    };
    check(&started(setup(&["hynek-11"], 2, &[])), "wrong");
    let mut asked = setup(&["hynek-11"], 2, &[]);
    asked.column = Some("best_fitness".to_owned());
    check(&started(asked), "best fitness");
}

#[test]
fn the_live_summary_is_the_printed_one() {
    let folder = folder();
    let settings = [
        "population=40",
        "opponents=20",
        "generations=12",
        "until=accuracy_states>=1",
    ];
    let mut setup = setup(&["nim-2x2", "simple-nim-1to8-direct"], 3, &settings);
    // Runs record what their preset changes on the way.
    setup.manifest.presets[0].schedule = vec!["5: opponents=10".to_owned()];
    let out = ExperimentFolder::begin(folder.path().to_owned(), setup.manifest.clone(), "");
    let out = out.expect("the folder is there");
    let told = Mutex::new(Vec::new());
    let order = RunSpec {
        folder: &out,
        shard: Shard::WHOLE,
        threads: 2,
        team: None,
        waits: true,
        halt: &AtomicBool::new(false),
        on_event: &|news| told.lock().expect("nobody panics").push(news),
    };
    assert_eq!(run(&order).expect("it can be run"), ExperimentEnd::Done);
    let mut model = dashboard(setup);
    for news in told.into_inner().expect("nobody panics") {
        apply(&mut model, news);
    }
    assert_eq!(shown(&model).done(), 6);
    screen::<RunsScreen>(&mut model).catch_up(None);
    let folders = [out];
    let runs = collect(&folders).expect("they agree");
    let printed = Summary::of(&runs, None).expect("there are figures");
    let live: Vec<_> = shown(&model).summaries.values().cloned().collect();
    assert_eq!(live, printed.presets);
    for run in &runs.finished {
        let trial = &shown(&model).trials[&run.id];
        assert_eq!(trial.generations, run.outcome.generations);
    }
    drop(folders);
    opened_by_path(folder.path(), &printed);
}

/// The same experiment read from its folder gives the same figures.
fn opened_by_path(folder: &Path, printed: &Summary) {
    let mut model = AppModel::new(Theme::dark(), home());
    model.resize(120, 40);
    letter(&mut model, '8');
    model.tell(&ScreenEvent::ExperimentToShow(folder));
    screen::<RunsScreen>(&mut model).take_answers(WantedAnswers::All, None);
    let live: Vec<_> = shown(&model).summaries.values().cloned().collect();
    assert_eq!(live, printed.presets);
    letter(&mut model, 't');
    let drawn = text(&model, 120, 40);
    assert!(drawn.contains("95% CI"), "{drawn}");
    press(&mut model, KeyCode::Enter);
    let requests = press(&mut model, KeyCode::Enter);
    let [Request::Replay(run)] = &requests[..] else {
        panic!("it starts a run: {requests:?}");
    };
    assert_eq!((&*run.preset.name, run.seed), ("nim-2x2", 1));
    let saves = tempfile::tempdir().expect("there is a folder for temporary files");
    let saves = Saves::at(saves.path().to_owned());
    drop(
        saves
            .create(&session(&run.preset, 1, 1))
            .expect("it is writable"),
    );
    model.context.saves = Some(saves);
    letter(&mut model, '0');
    letter(&mut model, '8');
    screen::<RunsScreen>(&mut model).take_answers(WantedAnswers::All, None);
    let copy = "nim-2x2-1".to_owned();
    assert!(text(&model, 120, 40).contains("enter open its copy"));
    assert_eq!(
        press(&mut model, KeyCode::Enter),
        [Request::Open(copy.clone())],
        "no second copy"
    );
    assert_eq!(letter(&mut model, 'F'), [Request::Fork(copy)]);
    model.press(KeyEvent::new(KeyCode::Tab, KeyModifiers::NONE));
    assert!(text(&model, 120, 40).contains("nim-2x2-1"));
    model.press(KeyEvent::new(KeyCode::Tab, KeyModifiers::NONE));
    assert_eq!(shown(&model).done(), 6);
}

#[test]
fn experiments_are_listed_before_the_runs_and_opened_in_place() {
    let folder = folder();
    let settings = ["population=40", "opponents=20", "generations=12"];
    let begin = |name: &str, preset: &str, runs| {
        let manifest = setup(&[preset], runs, &settings).manifest;
        let begun = ExperimentFolder::begin(folder.path().join(name), manifest, "");
        begun.expect("the folder is new")
    };
    let (done, begun) = (begin("done", "nim-2x2", 2), begin("begun", "nim-2x4", 3));
    let order = RunSpec {
        folder: &done,
        shard: Shard::WHOLE,
        threads: 1,
        team: None,
        waits: true,
        halt: &AtomicBool::new(false),
        on_event: &|_| {},
    };
    assert_eq!(run(&order).expect("it can be run"), ExperimentEnd::Done);
    drop(done);
    let mut model = AppModel::new(Theme::dark(), home());
    model.context.saves = Some(Saves::at(folder.path().join("saves")));
    model.resize(120, 40);
    let wait = |model: &mut AppModel| {
        screen::<RunsScreen>(model).take_answers(WantedAnswers::All, None);
    };
    model.tell(&ScreenEvent::ExperimentToShow(folder.path()));
    letter(&mut model, '8');
    wait(&mut model);
    let drawn = text(&model, 120, 40);
    let places = ["begun/ ", " 0/3 ", "done/ ", " 2/2 "].map(|words| drawn.find(words));
    assert!(places.is_sorted() && places[0].is_some(), "{drawn}");
    drop(begun);
    letter(&mut model, ' ');
    assert!(text(&model, 120, 40).contains("an experiment is opened, not selected"));
    press(&mut model, KeyCode::Down);
    wait(&mut model);
    let has = |model: &AppModel, words: &str| {
        let drawn = text(model, 120, 40);
        assert!(drawn.contains(words), "{words}: {drawn}");
    };
    has(&model, " 2 runs ");
    letter(&mut model, 't');
    wait(&mut model);
    has(&model, "95% CI");
    press(&mut model, KeyCode::Enter);
    wait(&mut model);
    assert_eq!(shown(&model).done(), 2);
    assert!(text(&model, 120, 40).contains("┏ done"));
    press(&mut model, KeyCode::Esc);
    let drawn = text(&model, 120, 40);
    assert!(drawn.contains("begun/ "), "it goes back");
    assert!(
        !drawn.contains("right moves, all ━"),
        "the column of another list: {drawn}"
    );
}

#[test]
fn the_table_of_groups_has_the_chosen_column_and_a_value_that_one_group_alone_has_is_named() {
    let mut model = done();
    letter(&mut model, 't');
    screen::<RunsScreen>(&mut model).catch_up(None);
    let title = |model: &AppModel| {
        let drawn = text(model, 120, 40);
        let line = drawn.lines().find(|line| line.contains("╭ "));
        line.expect("the table has a frame").to_owned()
    };
    assert!(
        title(&model).contains("generations to"),
        "{}",
        title(&model)
    );
    for _ in 0..60 {
        letter(&mut model, 'm');
        screen::<RunsScreen>(&mut model).catch_up(None);
        if title(&model).contains("edges at the last generation") {
            break;
        }
    }
    let drawn = text(&model, 120, 40);
    assert!(title(&model).contains("edges at the last"), "{drawn}");
    let rows = drawn.lines().filter(|line| line.contains("  nim-2x4"));
    assert_eq!(
        rows.filter(|row| row.contains(" 48 to 48 ")).count(),
        2,
        "{drawn}"
    );
    for _ in 0..60 {
        if title(&model).contains("right moves, all positions") {
            break;
        }
        letter(&mut model, 'M');
        letter(&mut model, 'c');
    }
    letter(&mut model, 'M');
    let drawn = text(&model, 120, 40);
    assert!(drawn.contains(" ● the paper 57% "), "{drawn}");
    letter(&mut model, 'm');
    letter(&mut model, 't');
    screen::<RunsScreen>(&mut model).catch_up(None);
    assert!(
        title(&model).contains("generations to"),
        "{}",
        title(&model)
    );
}

#[test]
fn islands_say_which_leads_and_what_arrivals_bring() {
    let folder = folder();
    let settings = ["population=20", "opponents=10", "generations=12"];
    let manifest = setup(&["nim-2x2"], 3, &settings).manifest;
    let manifest = manifest.with_islands(IslandsDefinition {
        every: 4,
        ..IslandsDefinition::default()
    });
    let out = ExperimentFolder::begin(folder.path().to_owned(), manifest, "");
    let out = out.expect("the folder is new");
    let order = RunSpec {
        folder: &out,
        shard: Shard::WHOLE,
        threads: 3,
        team: None,
        waits: true,
        halt: &AtomicBool::new(false),
        on_event: &|_| {},
    };
    assert_eq!(run(&order).expect("it can be run"), ExperimentEnd::Done);
    drop(out);
    let mut model = AppModel::new(Theme::dark(), home());
    model.resize(120, 40);
    letter(&mut model, '8');
    model.tell(&ScreenEvent::ExperimentToShow(folder.path()));
    screen::<RunsScreen>(&mut model).take_answers(WantedAnswers::All, None);
    let drawn = text(&model, 120, 40);
    for part in ["exchange ▲: ", ", else ", "● island 1", "▼ island 3"] {
        assert!(drawn.contains(part), "{part}: {drawn}");
    }
    let mut leaders = ["leads g", "lead g", "level g"].iter();
    assert!(leaders.any(|words| drawn.contains(words)), "{drawn}");
    // Both in one row: that of the axis has no room for the first.
    let counts = |drawn: &str| -> Vec<usize> {
        let rows = drawn.lines().filter(|line| !line.contains("exchange ▲: "));
        let counts = rows.map(|line| line.matches('▲').count());
        counts.filter(|count| *count > 0).collect()
    };
    assert_eq!(counts(&drawn), [2], "{drawn}");
    letter(&mut model, 'g');
    screen::<RunsScreen>(&mut model).take_answers(WantedAnswers::All, None);
    let drawn = text(&model, 120, 40);
    assert!(
        drawn.contains("● nim-2x2") && !drawn.contains("island 1"),
        "{drawn}"
    );
    letter(&mut model, 'g');
    letter(&mut model, 't');
    let drawn = text(&model, 120, 40);
    let ring = drawn.lines().find(|line| line.contains("│ ●  island 1 "));
    assert!(
        ring.is_some_and(|line| line.contains("island 3")),
        "{drawn}"
    );
    for part in [
        "receives from",
        "led (ties shared)",
        "exchange ▲: ",
        ", else ",
    ] {
        assert!(drawn.contains(part), "{part}: {drawn}");
    }
}
