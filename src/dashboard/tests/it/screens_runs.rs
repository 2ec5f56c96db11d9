//! The Runs screen of saved runs at the standard sizes. The saved runs are invented, so that they
//! are always the same.

use std::fs;
use std::path::Path;

use crate::support::screen;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use finches_dashboard::app::{AppModel, view};
use finches_dashboard::jobs::WantedAnswers;
use finches_dashboard::keymap::Action;
use finches_dashboard::model::run::RunState;
use finches_dashboard::mouse::{MouseInput, Wheel};
use finches_dashboard::screen::Request;
use finches_dashboard::screens::runs::RunsScreen;
use finches_dashboard::theme::Theme;
use finches_engine::metrics::Row;
use finches_runs::storage::saves::Saves;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::screens::{home, letter, running, text};
use crate::support::folder;
use crate::support::{check, preset_with, session};

/// Saves a run of `generations` generations whose objective approaches `best`.
pub(crate) fn save(
    folder: &Path,
    settings: &[&str],
    seed: u64,
    generations: u64,
    best: f64,
) -> String {
    save_of((folder, "nim-2x4"), settings, seed, generations, best)
}

fn save_of(
    (folder, preset): (&Path, &str),
    settings: &[&str],
    seed: u64,
    generations: u64,
    best: f64,
) -> String {
    let session = session(&preset_with(preset, settings), seed, 1);
    let keeper = Saves::at(folder.to_owned()).create(&session);
    drop(keeper.expect("the folder can be written to"));
    let columns = session.columns();
    let mut text = columns.names().collect::<Vec<_>>().join(",") + "\n";
    for generation in 0..generations {
        let at = generation as f64;
        let mut row = Row::empty(columns);
        for (name, value) in [
            ("generation", at),
            ("seconds", at * 0.5),
            ("games", (at + 1.0) * 1000.0),
            ("best_fitness", 40.0 + at / 10.0),
            ("accuracy_states", best * (1.0 - (-at / 80.0).exp())),
        ] {
            row.set(columns, name, value);
        }
        let fields = row.values().iter();
        let fields: Vec<String> = fields
            .map(|value| value.map_or_else(String::new, |value| value.to_string()))
            .collect();
        text += &(fields.join(",") + "\n");
    }
    let name = format!("{preset}-{seed}");
    fs::write(folder.join(&name).join("metrics.csv"), text).expect("it is writable");
    name
}

/// Three runs, one of them damaged; the latest is first in the list.
pub(crate) fn saved() -> tempfile::TempDir {
    let folder = folder();
    let damaged = save(folder.path(), &[], 3, 20, 0.5);
    fs::write(folder.path().join(damaged).join("run.ron"), "what").expect("it is writable");
    save(
        folder.path(),
        &["population=60", "opponents=20", "add_node=2.5"],
        2,
        400,
        0.8,
    );
    save(folder.path(), &[], 1, 250, 0.95);
    folder
}

pub(crate) fn press(model: &mut AppModel, keys: &str) {
    for key in keys.chars() {
        let (code, modifiers) = match key {
            '<' => (KeyCode::Left, KeyModifiers::NONE),
            '«' => (KeyCode::Left, KeyModifiers::SHIFT),
            'v' => (KeyCode::Down, KeyModifiers::NONE),
            '^' => (KeyCode::Home, KeyModifiers::NONE),
            '!' => (KeyCode::Char(' '), KeyModifiers::NONE),
            '>' => (KeyCode::Enter, KeyModifiers::NONE),
            '~' => (KeyCode::Esc, KeyModifiers::NONE),
            letter => (KeyCode::Char(letter), KeyModifiers::NONE),
        };
        model.press(KeyEvent::new(code, modifiers));
        let live = model.context.run.clone();
        screen::<RunsScreen>(model).take_answers(WantedAnswers::All, live.as_ref());
    }
}

/// The screen with the runs of a folder, after pressing `keys`.
pub(crate) fn compare(folder: &Path, keys: &str) -> AppModel {
    let mut model = AppModel::new(Theme::dark(), home());
    model.context.saves = Some(Saves::at(folder.to_owned()));
    model.resize(120, 40);
    press(&mut model, "8");
    press(&mut model, keys);
    model
}

#[test]
fn runs_are_compared_in_all_states() {
    let (nothing, folder) = (folder(), saved());
    check!("runs_empty", &mut compare(nothing.path(), ""));
    check!("runs_none_chosen", &mut compare(folder.path(), ""));
    check!("runs_two", &mut compare(folder.path(), "!v!"));
    check!("runs_damaged", &mut compare(folder.path(), "!v!v!^"));
    check!("runs_zoomed", &mut compare(folder.path(), "!v!z"));
    check!("runs_reading", &mut compare(folder.path(), "!v!i««««««««"));
    check!("runs_grouped", &mut compare(folder.path(), "!v!g"));
}

#[test]
fn the_live_run_comes_first_and_needs_no_disk() {
    let folder = saved();
    let mut model = running();
    model.context.saves = Some(Saves::at(folder.path().to_owned()));
    model.resize(120, 40);
    press(&mut model, "8!v!");
    let drawn = text(&model, 120, 40);
    let places = ["nim-2x4-42", "nim-2x4-1 "].map(|name| drawn.find(name));
    assert!(places[0].is_some() && places[0] < places[1], "{drawn}");
    assert!(drawn.contains("2 of 4 selected"), "{drawn}");
    press(&mut model, "t");
    let drawn = text(&model, 120, 40);
    let row = drawn.lines().find(|line| line.contains("│ ●  nim-2x4-42 "));
    let row = row.expect("the live run has a row");
    assert!(
        row.contains("running") && row.contains('%'),
        "its figures so far: {row}"
    );
    press(&mut model, "cN");
    assert!(text(&model, 120, 40).contains("0 of 4 selected"));
}

#[test]
fn a_damaged_run_is_named_and_the_others_stay() {
    let folder = saved();
    let model = compare(folder.path(), "!v!v!");
    let drawn = text(&model, 120, 40);
    assert!(drawn.contains("nim-2x4-3/run.ron: "), "{drawn}");
    assert!(
        drawn.contains("● nim-2x4-1") && drawn.contains("■ nim-2x4-2"),
        "{drawn}"
    );
}

#[test]
fn cursor_values_and_thresholds_are_computed_per_run() {
    let folder = saved();
    // On the generation axis a step is two or three generations; ten back from the end.
    let mut model = compare(folder.path(), "!v!i«««««««««");
    let drawn = text(&model, 200, 60);
    let figure = |best: f64, at: f64| format!("{:.0}%", best * (1.0 - (-at / 80.0).exp()) * 100.0);
    let at: f64 = drawn
        .split("at generation ")
        .nth(1)
        .and_then(|rest| rest.split_whitespace().next()?.parse().ok())
        .expect("it says where it reads");
    for best in [0.95, 0.8] {
        assert!(
            drawn.contains(&figure(best, at)),
            "{}:\n{drawn}",
            figure(best, at)
        );
    }
    // 95% of 1 - exp(-g / 80) is 0.8 at generation 148; the other never gets there.
    press(&mut model, "~BB");
    let drawn = text(&model, 200, 60);
    assert!(drawn.contains("≥ 70%") && drawn.contains("g107"), "{drawn}");
    press(&mut model, "bbb");
    assert!(text(&model, 200, 60).contains("not reached"));
}

#[test]
fn columns_axes_windows_and_scales_can_be_cycled() {
    let folder = saved();
    let mut model = compare(folder.path(), "!v!");
    let column = |model: &AppModel| text(model, 120, 40).contains("best fitness");
    assert!(!column(&model));
    for _ in 0..40 {
        if column(&model) {
            break;
        }
        press(&mut model, "m");
    }
    assert!(column(&model));
    press(&mut model, "mM");
    assert!(column(&model));
    press(&mut model, "x-y");
    let drawn = text(&model, 120, 40);
    assert!(drawn.contains("last 300 · by games · log"), "{drawn}");
    press(&mut model, "x");
    assert!(text(&model, 120, 40).contains("by time"));
}

#[test]
fn a_comparison_is_exported_as_a_table_and_a_drawing() {
    let folder = saved();
    let mut model = compare(folder.path(), "!v!e");
    let drawn = text(&model, 200, 60)
        .replace("│", "")
        .replace(['\n', ' '], "");
    let kinds = "curves.svg,curves.csv,table.csv;namesbeginwith";
    let words = format!("{kinds}nim-2x4-1-and-nim-2x4-2-accuracy-states");
    assert!(drawn.contains(&words), "{drawn}");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("it is written");
    let table = read("nim-2x4-1-and-nim-2x4-2-accuracy-states.curves.csv");
    assert_eq!(table.lines().count(), 1 + 250 + 400);
    for part in [
        "run,preset,runs,seed,",
        ",accuracy_states_mean,accuracy_states_lowest,accuracy_states_highest\n",
        "nim-2x4-1,nim-2x4,1,1,249,249,250000,124.5,",
    ] {
        assert!(table.contains(part), "{part}: {table}");
    }
    let drawing = read("nim-2x4-1-and-nim-2x4-2-accuracy-states.curves.svg");
    assert!(drawing.contains("nim-2x4-2") && drawing.trim_end().ends_with("</svg>"));
    assert!(
        drawing.contains("nim-2x4; seeds 1 to 2; finches "),
        "it names its source"
    );
    let figures = read("nim-2x4-1-and-nim-2x4-2-accuracy-states.table.csv");
    assert!(
        figures.contains("nim-2x4-2,stopped,g399,0.79,2,nim-2x4\n"),
        "{figures}"
    );
    assert_eq!(figures.lines().count(), 1 + 2, "of the chosen runs alone");
    let count = |model: &mut AppModel| {
        press(model, "e");
        screen::<RunsScreen>(model).take_answers(WantedAnswers::All, None);
        let files = fs::read_dir(folder.path()).expect("it can be read");
        files.count()
    };
    let before = count(&mut model);
    assert_eq!(count(&mut model), before, "the same files are there");
    press(&mut model, "x");
    assert_eq!(count(&mut model), before + 3);
    assert_eq!(
        read("nim-2x4-1-and-nim-2x4-2-accuracy-states.curves.csv"),
        table,
        "nothing is overwritten"
    );
}

#[test]
fn runs_without_a_value_of_the_shown_column_hide_no_effects_of_the_others() {
    let folder = folder();
    for (seed, population) in (1..).zip(["60", "60", "100", "100"]) {
        let settings = [&*format!("population={population}"), "opponents=20"];
        save(folder.path(), &settings, seed, 40, 0.5);
    }
    let small = ["population=16", "width=4", "grading_games=20"];
    save_of((folder.path(), "reversi-single"), &small, 5, 40, 0.5);
    let drawn = text(&compare(folder.path(), "jf"), 120, 40);
    assert!(drawn.contains("population explains "), "{drawn}");
}

#[test]
fn saved_runs_that_differ_in_parameters_have_a_map_and_effects() {
    let folder = folder();
    for seed in 0..8 {
        let (population, add_node) = (50 + seed % 2 * 50, 1 + seed / 2 % 2);
        let settings = [
            format!("population={population}"),
            "opponents=20".to_owned(),
            format!("add_node={add_node}"),
        ];
        let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
        // More players are better; the other parameter does nothing.
        let best = 0.7 + population as f64 / 400.0 + seed as f64 / 1000.0;
        save(folder.path(), &settings, seed, 400, best);
    }
    let mut model = compare(folder.path(), "h");
    check!("runs_map", &mut model);
    press(&mut model, "f");
    let drawn = text(&model, 120, 40);
    let strongest = drawn.find("population explains 100%");
    assert!(
        strongest.is_some() && strongest < drawn.find("add node explains"),
        "{drawn}"
    );
    let ends = drawn
        .lines()
        .filter(|line| line.contains('●'))
        .filter_map(|line| line.split_once("% to ")?.1.split('%').next());
    let ends: Vec<f64> = ends.filter_map(|end| end.trim().parse().ok()).collect();
    assert!(
        ends.len() == 4 && ends.iter().all(|&end| end <= 100.0),
        "{drawn}"
    );
    press(&mut model, "!v!");
    assert!(text(&model, 120, 40).contains("combinations are too few"));
    press(&mut model, "v!h");
    let drawn = text(&model, 120, 40);
    assert!(drawn.contains("Mean by"), "of the selected runs: {drawn}");
}

#[test]
fn more_differences_than_fit_are_scrolled_to() {
    let folder = folder();
    save(folder.path(), &[], 1, 250, 0.95);
    let settings = [
        "population=60",
        "opponents=20",
        "add_node=2.5",
        "add_edge=0.3",
        "generations=900",
    ];
    save(folder.path(), &settings, 2, 400, 0.8);
    let mut model = compare(folder.path(), "!v!d");
    model.resize(60, 18);
    let drawn = text(&model, 60, 18);
    assert!(
        drawn.contains("pgdn: more") && !drawn.contains("│ seconds"),
        "{drawn}"
    );
    model.press(KeyEvent::new(KeyCode::PageDown, KeyModifiers::NONE));
    assert!(text(&model, 60, 18).contains("│ seconds"));
    model.press(KeyEvent::new(KeyCode::PageUp, KeyModifiers::NONE));
    assert_eq!(text(&model, 60, 18), drawn);
}

#[test]
fn escape_hides_the_cursor_then_the_zoom_then_leaves_the_screen() {
    let folder = saved();
    let mut model = compare(folder.path(), "!v!zi");
    press(&mut model, "~");
    assert!(!text(&model, 120, 40).contains("at generation "));
    assert!(!text(&model, 120, 40).contains("2 of 3 selected"));
    press(&mut model, "~");
    assert!(text(&model, 120, 40).contains("2 of 3 selected"));
    press(&mut model, "~");
    assert_eq!(model.tab().action, Action::GoHome);
    press(&mut model, "8");
    assert!(
        text(&model, 120, 40).contains("2 of 3 selected"),
        "the selection is kept"
    );
}

#[test]
fn the_mouse_selects_runs_and_moves_the_cursor() {
    let folder = saved();
    let mut model = compare(folder.path(), "");
    let click = |model: &mut AppModel, x: u16, y: u16| {
        let area = Rect::new(0, 0, 120, 40);
        model.regions = view(model, area, &mut Buffer::empty(area));
        model.point(MouseInput::Click(Position::new(x, y)));
        let live = model.context.run.clone();
        screen::<RunsScreen>(model).take_answers(WantedAnswers::All, live.as_ref());
    };
    click(&mut model, 5, 3);
    click(&mut model, 5, 4);
    assert!(text(&model, 120, 40).contains("2 of 3 selected"));
    click(&mut model, 80, 10);
    assert!(text(&model, 120, 40).contains("at generation "));
    model.press(letter('z'));
    model.point(MouseInput::Wheel(Wheel::Up));
    assert!(text(&model, 120, 40).contains("last 300"));
}

#[test]
fn the_published_value_of_another_column_is_told_with_the_key_that_leads_to_it() {
    let folder = saved();
    let mut model = compare(folder.path(), "!v!");
    let note = "the paper's 57% for nim-2x4";
    let drawn = text(&model, 120, 40);
    let keys = drawn
        .lines()
        .find(|line| line.contains(note))
        .expect("it is told");
    let keys = keys
        .split_once(": the paper")
        .expect("the keys come first")
        .0;
    for key in keys
        .split_whitespace()
        .filter(|word| ["m", "M"].contains(word))
    {
        press(&mut model, key);
    }
    let drawn = text(&model, 120, 40);
    assert!(!drawn.contains(note), "{drawn}");
    assert!(drawn.contains("right moves, its own games"), "{drawn}");
    assert!(drawn.contains(" the paper 57% "), "{drawn}");
}

#[test]
fn single_runs_whose_two_parameters_change_together_have_no_map() {
    let folder = folder();
    for (seed, population) in [(1, 50), (2, 100)] {
        let settings = [
            format!("population={population}"),
            "opponents=20".to_owned(),
            format!("add_node={}", population / 50),
        ];
        let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
        save(folder.path(), &settings, seed, 100, 0.5);
    }
    let mut model = compare(folder.path(), "h");
    let drawn = text(&model, 120, 40);
    assert!(drawn.contains("A map needs finished runs"), "{drawn}");
    press(&mut model, "f");
    let drawn = text(&model, 120, 40);
    assert!(drawn.contains("combinations are too few"), "{drawn}");
}

#[test]
fn a_selected_run_is_the_one_that_is_forked() {
    let folder = saved();
    let mut model = compare(folder.path(), "v");
    let asked = model.press(KeyEvent::new(KeyCode::Char('F'), KeyModifiers::NONE));
    assert_eq!(asked, [Request::Fork("nim-2x4-2".to_owned())]);
}

#[test]
fn the_fork_dialog_chooses_a_parameter_by_arrows_until_a_value_is_typed() {
    let mut model = running();
    model.press(letter('F'));
    let mut type_in = |keys: &str| {
        for key in keys.chars() {
            let code = match key {
                '↓' => KeyCode::Down,
                '→' => KeyCode::Right,
                '←' => KeyCode::Left,
                letter => KeyCode::Char(letter),
            };
            model.press(KeyEvent::new(code, KeyModifiers::NONE));
        }
        text(&model, 120, 40)
    };
    let drawn = type_in("↓");
    assert!(
        drawn.contains("left and right choose one; empty: add_node 1.0 → 2.5"),
        "{drawn}"
    );
    let drawn = type_in("add_n→");
    assert!(
        drawn.contains("add_node=") && drawn.contains("now 2.5; type"),
        "{drawn}"
    );
    let next = type_in("→");
    assert!(!next.contains("add_node="), "{next}");
    assert!(type_in("←").contains("add_node="));
    let shown = type_in("0.8→");
    assert!(
        shown.contains("add_node=0.8") && drawn.contains("while this run goes on"),
        "{drawn}"
    );
    model.context.run.as_mut().expect("it runs").state = RunState::Done;
    model.press(KeyEvent::new(KeyCode::Char('1'), KeyModifiers::NONE));
    assert!(!text(&model, 120, 40).contains("while this run goes on"));
}

#[test]
fn the_fork_dialog_takes_names_as_screens_show_them_and_says_at_once_what_is_wrong() {
    let typed = |change: &str| {
        let mut model = running();
        model.press(letter('F'));
        for key in std::iter::once(KeyCode::Down).chain(change.chars().map(KeyCode::Char)) {
            model.press(KeyEvent::new(key, KeyModifiers::NONE));
        }
        text(&model, 120, 40)
    };
    let drawn = typed("add node=0.4");
    assert!(drawn.contains("Enter evolves"), "{drawn}");
    let drawn = typed("add nodes=0.4");
    assert!(drawn.contains("did you mean `add_node`?"), "{drawn}");
    // In another generation than the suggested one the run changed nothing.
    let from = |generation: &str| {
        let mut model = running();
        model.press(letter('F'));
        let erased = std::iter::repeat_n(KeyCode::Backspace, 4);
        for key in erased.chain(generation.chars().map(KeyCode::Char)) {
            model.press(KeyEvent::new(key, KeyModifiers::NONE));
        }
        text(&model, 120, 40)
    };
    assert!(from("").contains("Type the generation from which"));
    let drawn = from("3");
    assert!(drawn.contains("changed nothing in generation 3"), "{drawn}");
}

#[test]
fn a_small_screen_has_whole_names_and_the_keys_that_matter_and_a_large_one_two_views() {
    let folder = saved();
    let mut model = compare(folder.path(), "!v!");
    model.resize(80, 24);
    let drawn = text(&model, 80, 24);
    for part in [
        "nim-2x4-1 ",
        "nim-2x4-2 ",
        "d differences",
        "g group",
        "e export",
        "m M column",
    ] {
        assert!(drawn.contains(part), "{part}: {drawn}");
    }
    assert!(
        !drawn.contains("n step"),
        "there is no run to step: {drawn}"
    );
    press(&mut model, "t");
    let drawn = text(&model, 80, 24);
    let rows = drawn.lines().filter(|row| row.contains("nim-2x4-"));
    let marks = rows.map(|row| row.chars().nth(2).unwrap_or(' '));
    assert_eq!(marks.collect::<String>(), "●■ ", "of the selected: {drawn}");
    model.resize(200, 60);
    for key in ["c", "t"] {
        press(&mut model, key);
        let drawn = text(&model, 200, 60);
        for part in [
            "last 100 mean",
            "Latest values: 2 of 3 runs chosen",
            "100% ┈┈",
            "Results: ",
        ] {
            assert!(drawn.contains(part), "{part}: {drawn}");
        }
        let beside = drawn
            .lines()
            .nth(3)
            .map_or(0, |line| line.matches('╭').count());
        assert_eq!(beside, 2, "side by side: {drawn}");
    }
}

#[test]
fn figures_of_a_part_of_the_runs_are_told_from_those_of_all() {
    let folder = saved();
    let mut model = AppModel::new(Theme::dark(), home());
    model.context.saves = Some(Saves::at(folder.path().to_owned()));
    model.resize(120, 40);
    model.press(letter('8'));
    screen::<RunsScreen>(&mut model).take_answers(WantedAnswers::All, None);
    // The run under the cursor has been read; the other has not.
    model.press(letter('A'));
    assert!(text(&model, 120, 40).contains(" loading 1 of 2 "));
    press(&mut model, "c");
    assert!(!text(&model, 120, 40).contains("loading"));
}

#[test]
fn runs_of_other_presets_are_other_groups_and_no_cause_is_made_of_their_parameters() {
    let folder = folder();
    for (preset, seed, population) in [
        ("nim-2x4", 1, 60),
        ("nim-2x4", 2, 100),
        ("nim-2x4-value", 3, 100),
        ("nim-2x4-value", 4, 100),
    ] {
        let population = format!("population={population}");
        let settings = [population.as_str(), "opponents=20"];
        save_of((folder.path(), preset), &settings, seed, 100, 0.5);
    }
    let mut model = compare(folder.path(), "gg");
    let drawn = text(&model, 120, 40);
    for group in [
        "population 60, nim-2x4",
        "population 100, nim-2x4 ",
        "population 1…m-2x4-value",
    ] {
        assert!(drawn.contains(group), "{group}: {drawn}");
    }
    press(&mut model, "g");
    assert!(
        text(&model, 120, 40).contains("┏ Runs ━"),
        "nothing else differs within a preset"
    );
    press(&mut model, "f");
    let drawn = text(&model, 120, 40);
    assert!(
        drawn.contains("│ preset 3 combinations") && drawn.contains("│ population 3 "),
        "{drawn}"
    );
    assert!(!drawn.contains(" more "), "{drawn}");
}

#[test]
fn a_part_of_which_runs_have_another_is_the_first_of_what_differs() {
    let folder = folder();
    save_of((folder.path(), "hynek-21"), &[], 1, 40, 0.5);
    save_of((folder.path(), "hynek-21-chicken"), &[], 2, 40, 0.6);
    let drawn = text(&compare(folder.path(), "!v!d"), 120, 40);
    let mut lines = drawn
        .lines()
        .skip_while(|line| !line.contains("Parameters: 3"));
    let row = lines.nth(1).unwrap_or_default();
    let words = row.split_once("│ crossover").map_or("", |(_, rest)| rest);
    let words: Vec<&str> = words.split_whitespace().take(3).collect();
    assert_eq!(words.join(" "), "headless chicken mate", "{drawn}");
}

#[test]
fn what_differs_between_two_runs_has_columns_and_a_difference() {
    let folder = saved();
    let drawn = text(&compare(folder.path(), "!v!d"), 120, 40);
    let row = |name: &str| {
        let line = drawn
            .lines()
            .find_map(|line| line.split_once(&format!("│ {name}")));
        let words = line.map(|(_, rest)| rest.split_whitespace().collect::<Vec<_>>());
        words.unwrap_or_default().join(" ")
    };
    assert!(row("population").starts_with("100 60 -40"), "{drawn}");
    let points = row("right moves, all");
    assert!(points.starts_with("90.8% 79.5% -11.3 points"), "{drawn}");
}
