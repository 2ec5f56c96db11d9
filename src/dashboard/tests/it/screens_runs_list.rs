//! The list of the Runs screen: its filter, pinned runs and saved views.

use std::fs;
use std::path::Path;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use finches_dashboard::app::AppModel;
use finches_dashboard::jobs::WantedAnswers;
use finches_dashboard::keymap::Action;
use finches_dashboard::screens::runs::RunsScreen;
use finches_dashboard::widgets::series_marker::MARKERS;
use finches_runs::storage::saves::Saves;
use finches_runs::storage::views::{self, VIEWS_FILE};

use crate::screens::{click, running, text};
use crate::screens_runs::{compare, save, saved};
use crate::support::folder;
use crate::support::{check, screen};

/// Presses a key and waits for what it starts.
fn code(model: &mut AppModel, code: KeyCode) {
    model.press(KeyEvent::new(code, KeyModifiers::NONE));
    let live = model.context.run.clone();
    screen::<RunsScreen>(model).take_answers(WantedAnswers::All, live.as_ref());
}

/// Presses the keys of letters.
fn keys(model: &mut AppModel, letters: &str) {
    for letter in letters.chars() {
        code(model, KeyCode::Char(letter));
    }
}

fn enter(model: &mut AppModel) {
    code(model, KeyCode::Enter);
}

fn filter(model: &mut AppModel, text: &str) {
    keys(model, "/");
    keys(model, text);
    enter(model);
}

/// Saves what is shown as a view.
fn save_view(model: &mut AppModel, name: &str) {
    keys(model, "v");
    code(model, KeyCode::Home);
    enter(model);
    keys(model, name);
    enter(model);
}

fn check_has(model: &AppModel, parts: &[&str]) {
    let drawn = text(model, 120, 40);
    for part in parts {
        assert!(drawn.contains(part), "`{part}` in:\n{drawn}");
    }
}

fn check_lacks(model: &AppModel, parts: &[&str]) {
    let drawn = text(model, 120, 40);
    for part in parts {
        assert!(!drawn.contains(part), "`{part}` in:\n{drawn}");
    }
}

/// The names in the list, from the top.
fn listed(model: &AppModel) -> Vec<String> {
    let drawn = text(model, 120, 40);
    let lines = drawn.lines().skip(3);
    let cells = lines.filter_map(|line| line.strip_prefix('┃')?.split('┃').next());
    let words = cells.filter_map(|cell| {
        cell.split_whitespace()
            .find(|word| word.starts_with("nim-"))
    });
    words.map(ToOwned::to_owned).collect()
}

/// More runs than can be compared.
fn many() -> tempfile::TempDir {
    let folder = folder();
    for seed in 10..25 {
        save(folder.path(), &[], seed, 30, 0.9);
    }
    folder
}

#[test]
fn the_filter_is_shown_while_it_is_typed_and_after() {
    let folder = saved();
    let mut model = compare(folder.path(), "!v!");
    keys(&mut model, "/");
    check!("filter_empty", &mut model);
    keys(&mut model, "popultion");
    check_has(&model, &["No run fits the filter"]);
    keys(&mut model, ">60");
    check_has(
        &model,
        &[
            "popultion>60",
            "no run has `popultion`; did you mean `population`?",
        ],
    );
    check_has(&model, &["nim-2x4-1", "nim-2x4-2", "2 of 3 selected"]);
    for _ in 0.."popultion>60".len() {
        code(&mut model, KeyCode::Backspace);
    }
    keys(&mut model, "population>60 and accuracy_states>=90%");
    check!("filter_typed", &mut model);
    enter(&mut model);
    check!("filter_set", &mut model);
}

#[test]
fn the_list_is_filtered_by_parameters_columns_seeds_and_names() {
    let folder = saved();
    let saves = Saves::at(folder.path().to_owned());
    let tags = ["best".to_owned()];
    saves.set_tags("nim-2x4-2", &tags).expect("it is writable");
    let mut model = compare(folder.path(), "");
    let mut check = |text: &str, expected: &[&str]| {
        filter(&mut model, text);
        assert_eq!(listed(&model), expected, "{text}");
    };
    let (first, second, damaged) = ("nim-2x4-1", "nim-2x4-2", "nim-2x4-3");
    check("add_node>0.1", &[second]);
    check("population=100", &[first]);
    check("game=nim", &[first, second]);
    check("game=nim and seed=2 or 4-3", &[second, damaged]);
    check("generation<300", &[first]);
    check("preset~2x4 and tag!=best", &[first]);
    check("tag=best", &[second]);
    check("best_fitness>70", &[second]);
    check("4-3", &[damaged]);
    keys(&mut model, "/");
    code(&mut model, KeyCode::Backspace);
    enter(&mut model);
    assert_eq!(listed(&model), [first, second, damaged]);
}

#[test]
fn escape_leaves_the_filter_as_it_was_and_a_mistake_is_not_accepted() {
    let folder = saved();
    let mut model = compare(folder.path(), "");
    filter(&mut model, "seed=2");
    keys(&mut model, "/seed=1");
    assert_eq!(listed(&model), ["nim-2x4-1"]);
    code(&mut model, KeyCode::Esc);
    assert_eq!(listed(&model), ["nim-2x4-2"]);
    check_has(&model, &["Runs: 1 of 3 · seed=2"]);
    filter(&mut model, "sed=1");
    check_has(&model, &["did you mean `seed`?", "Filter the runs"]);
    assert_eq!(listed(&model), ["nim-2x4-2"], "it is filtered as before");
    keys(&mut model, "8q?");
    check_has(&model, &["sed=18q?"]);
    code(&mut model, KeyCode::Esc);
    check_lacks(&model, &["Filter the runs"]);
    code(&mut model, KeyCode::Char('0'));
    keys(&mut model, "8");
    assert_eq!(listed(&model), ["nim-2x4-2"], "the filter is kept");
    code(&mut model, KeyCode::Esc);
    assert_eq!(listed(&model).len(), 3, "without the filter");
    code(&mut model, KeyCode::Esc);
    assert_eq!(model.tab().action, Action::GoHome);
}

#[test]
fn what_is_typed_is_dropped_when_another_screen_is_opened() {
    let folder = saved();
    let mut model = compare(folder.path(), "");
    filter(&mut model, "seed=2");
    keys(&mut model, "/seed=1");
    click(&mut model, "0 Home");
    keys(&mut model, "8");
    assert_eq!(listed(&model), ["nim-2x4-2"]);
    check_lacks(&model, &["Filter the runs"]);
}

#[test]
fn the_live_run_is_filtered_by_what_it_is_now() {
    let folder = saved();
    let mut model = running();
    model.context.saves = Some(Saves::at(folder.path().to_owned()));
    model.resize(120, 40);
    keys(&mut model, "8");
    filter(&mut model, "generation<200");
    assert_eq!(listed(&model), ["nim-2x4-42"]);
    filter(&mut model, "add_node=2.5 and mean_turns>0");
    assert_eq!(listed(&model), ["nim-2x4-42"], "as it was changed");
    filter(&mut model, "mean_turns>0 and seed=42");
    assert_eq!(listed(&model), ["nim-2x4-42"]);
}

#[test]
fn all_runs_that_the_filter_leaves_are_selected_up_to_what_can_be_compared() {
    let folder = saved();
    let mut model = compare(folder.path(), "");
    filter(&mut model, "seed>1");
    keys(&mut model, "A");
    check_has(&model, &["1 of 3 selected"]);
    filter(&mut model, "2x4");
    keys(&mut model, "A");
    check_has(&model, &["2 of 3 selected", "damaged"]);
    let folder = many();
    let mut model = compare(folder.path(), "");
    keys(&mut model, "A");
    check_has(
        &model,
        &[
            "12 of 15 selected",
            "at most 12 runs can be compared; 3 more are listed",
        ],
    );
}

#[test]
fn the_cursor_takes_no_marker_from_the_first_groups_of_more_than_have_one() {
    let folder = folder();
    for seed in 1..=14 {
        let population = format!("population={}", 100 + 2 * seed);
        save(folder.path(), &[&population], seed, 30, 0.9);
    }
    let mut model = compare(folder.path(), "gg");
    let marked = |model: &AppModel| {
        let drawn = text(model, 120, 40);
        let cells = drawn.lines().skip(3);
        let cells = cells.filter_map(|line| line.strip_prefix('┃')?.split('┃').next());
        let marked = cells.filter(|cell| MARKERS.iter().any(|marker| cell.contains(marker)));
        marked
            .map(|cell| cell.trim().to_owned())
            .collect::<Vec<_>>()
    };
    let first = marked(&model);
    assert_eq!(first.len(), MARKERS.len());
    for _ in 0..13 {
        code(&mut model, KeyCode::Down);
        assert_eq!(marked(&model)[..11], first[..11]);
    }
    assert_ne!(
        marked(&model)[11],
        first[11],
        "the current group has the last one"
    );
}

#[test]
fn enter_says_resume_only_of_a_run_that_can_go_on() {
    let folder = saved();
    let mut model = compare(folder.path(), "");
    check_has(&model, &["enter resume"]);
    fs::remove_file(folder.path().join("nim-2x4-1").join("checkpoint.ron")).expect("it is there");
    model = compare(folder.path(), "");
    filter(&mut model, "seed=1");
    check_has(&model, &["nim-2x4-1", "enter open"]);
    check_lacks(&model, &["enter resume"]);
    filter(&mut model, "seed=2");
    check_has(&model, &["nim-2x4-2", "enter resume"]);
}

#[test]
fn a_pinned_run_stays_on_top_and_in_the_chart() {
    let folder = saved();
    let mut model = compare(folder.path(), "!v");
    keys(&mut model, "P");
    assert_eq!(listed(&model), ["nim-2x4-2", "nim-2x4-1", "nim-2x4-3"]);
    check!("pinned", &mut model);
    filter(&mut model, "seed=1");
    assert_eq!(listed(&model), ["nim-2x4-2", "nim-2x4-1"]);
    check_has(&model, &["Runs: 1 of 3", "↑● nim-2x4-2", " ■ nim-2x4-1"]);
    keys(&mut model, "N");
    check_has(&model, &["0 of 3 selected, 1 pinned", "↑● nim-2x4-2"]);
    check_lacks(&model, &["■"]);
    code(&mut model, KeyCode::Home);
    keys(&mut model, " ");
    check_has(&model, &["nim-2x4-2 is pinned, so it is shown in any case"]);
    keys(&mut model, "P");
    assert_eq!(listed(&model), ["nim-2x4-1"]);
    check_lacks(&model, &["pinned"]);
}

#[test]
fn pins_and_selected_runs_share_the_places_in_the_chart() {
    let folder = many();
    let mut model = compare(folder.path(), "");
    for _ in 0..12 {
        keys(&mut model, "P");
        code(&mut model, KeyCode::End);
    }
    keys(&mut model, "P");
    check_has(&model, &["at most 12 runs can be compared", "12 pinned"]);
    keys(&mut model, " ");
    check_has(
        &model,
        &["at most 12 runs can be compared", "0 of 15 selected"],
    );
}

#[test]
fn a_view_is_saved_and_shown_again_after_a_restart() {
    let folder = saved();
    let mut model = compare(folder.path(), "!v");
    keys(&mut model, "P");
    filter(&mut model, "population>=60");
    keys(&mut model, "gxy");
    while !text(&model, 120, 40).contains("best fitness") {
        keys(&mut model, "m");
    }
    save_view(&mut model, "first");
    check_has(&model, &["view first is saved"]);
    let before = text(&model, 120, 40);
    let mut model = compare(folder.path(), "");
    keys(&mut model, "v");
    check!("views", &mut model);
    code(&mut model, KeyCode::Down);
    enter(&mut model);
    check_has(&model, &["view first", "Runs: 2 of 3 · population>=60"]);
    let after = text(&model, 120, 40);
    let chart = |drawn: &str| {
        let lines = drawn.lines().filter(|line| line.starts_with('┃'));
        let lines = lines.filter_map(|line| line.split_once('│'));
        lines.map(|(_, chart)| chart.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(chart(&after), chart(&before));
    assert_eq!(listed(&model), ["nim-2x4"]);
    keys(&mut model, "t");
    save_view(&mut model, "table");
    let mut model = compare(folder.path(), "");
    keys(&mut model, "v");
    code(&mut model, KeyCode::End);
    enter(&mut model);
    check_has(&model, &["view table", "95% CI"]);
}

#[test]
fn a_view_is_replaced_under_its_name_and_deleted_when_asked_twice() {
    let folder = saved();
    let mut model = compare(folder.path(), "!");
    save_view(&mut model, "one");
    save_view(&mut model, "two");
    filter(&mut model, "seed=2");
    keys(&mut model, "v");
    code(&mut model, KeyCode::Home);
    enter(&mut model);
    check!("view_name", &mut model);
    check_has(&model, &["replaces the view two"]);
    enter(&mut model);
    keys(&mut model, "v");
    check_has(&model, &[" one  1 run", " two  1 run · seed=2"]);
    keys(&mut model, "D");
    check_has(&model, &["Delete the view two? D: yes"]);
    code(&mut model, KeyCode::Up);
    keys(&mut model, "D");
    check_has(&model, &["Delete the view one? D: yes"]);
    keys(&mut model, "D");
    check_has(&model, &["view one is deleted"]);
    let views = views::all(&Saves::at(folder.path().to_owned()));
    let views = views.expect("it is readable");
    assert_eq!(views.into_keys().collect::<Vec<_>>(), ["two"]);
}

#[test]
fn the_menu_of_views_closes_and_a_view_needs_a_name() {
    let folder = saved();
    let mut model = compare(folder.path(), "");
    keys(&mut model, "vv");
    check_lacks(&model, &["save this view"]);
    keys(&mut model, "v");
    code(&mut model, KeyCode::Esc);
    check_lacks(&model, &["save this view"]);
    keys(&mut model, "vz");
    code(&mut model, KeyCode::Esc);
    check_has(&model, &["Runs"]);
    keys(&mut model, "v");
    enter(&mut model);
    enter(&mut model);
    check_has(&model, &["a view needs a name"]);
    code(&mut model, KeyCode::Esc);
    check_has(&model, &["save this view"]);
    click(&mut model, "save this view");
    check_has(&model, &["Save this view as"]);
}

#[test]
fn a_view_whose_runs_are_gone_shows_the_others_and_says_so() {
    let folder = saved();
    let mut model = compare(folder.path(), "!v!");
    filter(&mut model, "add_node>1");
    save_view(&mut model, "both");
    fs::remove_dir_all(folder.path().join("nim-2x4-2")).expect("it is writable");
    keys(&mut model, "r");
    check_has(&model, &["the run nim-2x4-2 is gone", "1 of 2 selected"]);
    let mut model = compare(folder.path(), "");
    keys(&mut model, "v");
    code(&mut model, KeyCode::Down);
    enter(&mut model);
    check_has(
        &model,
        &["view both: the run nim-2x4-2 is gone", "Runs: 0 of 2"],
    );
    check_has(&model, &["1 of 2 selected", "● nim-2x4-1"]);
}

fn write_views(folder: &Path, text: &str) {
    fs::write(folder.join(VIEWS_FILE), text).expect("it is writable");
}

#[test]
fn a_damaged_file_of_views_is_named_and_kept() {
    let folder = saved();
    write_views(folder.path(), "what");
    let mut model = compare(folder.path(), "");
    check_has(
        &model,
        &["views.ron: is not a finches views file; delete it"],
    );
    save_view(&mut model, "first");
    check_has(
        &model,
        &["views.ron: is not a finches views file; delete it"],
    );
    check_lacks(&model, &["is saved"]);
    let kept = fs::read_to_string(folder.path().join(VIEWS_FILE));
    assert_eq!(kept.expect("it is there"), "what");
    write_views(folder.path(), "");
    keys(&mut model, "08");
    check_has(&model, &["views.ron: is not a finches views file"]);
}
