//! The arena on screen, at the sizes it is made for and in every state, and what keys and the mouse
//! do in it.

use std::path::Path;
use std::sync::LazyLock;

use crate::support::screen;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use finches_dashboard::app::{AppModel, view};
use finches_dashboard::keymap::Action;
use finches_dashboard::model::run::RunModel;
use finches_dashboard::mouse::{MouseInput, Wheel};
use finches_dashboard::screens::arena::ArenaScreen;
use finches_dashboard::screens::arena::{ArenaAnswer, ArenaEnd, ArenaProgress};
use finches_dashboard::screens::home::Home;
use finches_dashboard::theme::Theme;
use finches_engine::contest::Tally;
use finches_engine::metrics::lengths::GameLengths;
use finches_engine::play::results::RoundRobinResults;
use finches_engine::play::round_robin::PairTally;
use finches_runs::run::RunInfo;
use finches_runs::run::message::{Phase, RunEvent, Snapshot};
use finches_runs::storage::saves::Saves;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use tempfile::TempDir;

use crate::screens_net::watching;
use crate::support::folder;
use crate::support::{advance, check, check_plain, preset, preset_with, root, session, text};

/// Saved runs of a few generations, made once for all tests.
static SAVES: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = folder();
    for (preset, generations) in [("nim-2x4", 15), ("nim-2x4-value", 20), ("hynek-11", 3)] {
        let small: &[&str] = match preset {
            "hynek-11" => &[],
            _ => &["population=40", "opponents=20"],
        };
        let mut session = session(&preset_with(preset, small), 1, 1);
        let saves = Saves::at(folder.path().to_owned());
        let mut writer = saves.create(&session).expect("it is writable");
        for row in advance(&mut session, generations) {
            writer.write_row(&row);
        }
        let saved = writer.checkpoint(&session, 0.0, &[]);
        saved.expect("it is writable");
    }
    folder
});

/// The arena before players are loaded.
fn unopened(saves: &Path) -> AppModel {
    let mut model = AppModel::new(Theme::dark(), Home::new(Vec::new(), String::new()));
    model.context.saves = Some(Saves::at(saves.to_owned()));
    press(&mut model, "9");
    model
}

/// The arena with all players of Nim.
fn opened() -> AppModel {
    let mut model = unopened(SAVES.path());
    settle(&mut model);
    // The first saved run is of another game.
    press(&mut model, "g");
    settle(&mut model);
    model
}

/// Handles one background event.
fn settle(model: &mut AppModel) {
    let live = model.context.run.clone();
    screen::<ArenaScreen>(model).settle(live.as_ref());
}

/// Presses keys, a letter each; `<>^v` are arrows, `!` is enter and `|` the tabulator.
fn press(model: &mut AppModel, keys: &str) {
    for key in keys.chars() {
        let code = match key {
            '<' => KeyCode::Left,
            '>' => KeyCode::Right,
            '^' => KeyCode::Up,
            'v' => KeyCode::Down,
            '!' => KeyCode::Enter,
            '|' => KeyCode::Tab,
            letter => KeyCode::Char(letter),
        };
        model.press(KeyEvent::new(code, KeyModifiers::NONE));
    }
}

fn check_shows(model: &AppModel, size: (u16, u16), parts: &[&str]) {
    let drawn = text(model, size);
    for part in parts {
        assert!(drawn.contains(part), "`{part}` in\n{drawn}");
    }
}

/// Invented results between `players` players.
fn invented(players: usize, games: u64, all: usize) -> ArenaProgress {
    let names = (0..players).map(|place| format!("nim-2x4-value-1:{place}@alpha-beta-3"));
    let mut tallies = Vec::new();
    for a in 0..players {
        for b in a + 1..players {
            let wins = (games * (3 + b as u64 - a as u64) / 16).min(games);
            let draws = games / 10 * u64::from(a % 2 == 0);
            let draws = draws.min(games - wins);
            let tally = Tally {
                wins,
                draws,
                losses: games - wins - draws,
            };
            tallies.push(PairTally {
                players: [a, b],
                tally,
            });
        }
    }
    let played = tallies.len() * games as usize;
    ArenaProgress {
        results: RoundRobinResults::new(names.collect(), tallies),
        played,
        all,
        seconds: 12.0,
    }
}

/// Handles an invented result of the games.
fn receive(model: &mut AppModel, answer: ArenaAnswer) {
    let live = model.context.run.clone();
    screen::<ArenaScreen>(model).handle(answer, live.as_ref());
}

/// Handles invented results between `players` players.
fn receive_progress(model: &mut AppModel, players: usize, games: u64, all: usize) {
    let progress = invented(players, games, all);
    receive(model, ArenaAnswer::Progress(Box::new(progress)));
}

#[test]
fn before_players_are_found_the_screen_says_so() {
    let folder = folder();
    check!("arena_empty", &mut unopened(folder.path()));
}

#[test]
fn players_are_selected_from_runs_reference_players_and_other_searches() {
    let mut model = opened();
    press(&mut model, "vCc++!");
    check!("arena_choosing", &mut model);
    check_shows(&model, (80, 24), &["nim-2x4-value-1@alpha-beta-4"]);
    // A direct network does not evaluate positions.
    press(&mut model, "^^^c");
    check_shows(&model, (120, 40), &["does not evaluate positions"]);
    press(&mut model, "d");
    check_shows(&model, (120, 40), &["Only players added here"]);
}

#[test]
fn results_are_updated_during_play() {
    let mut model = opened();
    press(&mut model, ">>>>>>>>G");
    check_shows(&model, (80, 24), &["Loading the players.", "RUNNING"]);
    receive_progress(&mut model, 4, 60, 1200);
    check!("arena_running", &mut model);
    press(&mut model, "G");
    check_shows(&model, (80, 24), &["Games are being played already"]);
}

/// Plays the match to its end.
fn finish(model: &mut AppModel) {
    while screen::<ArenaScreen>(model).is_playing() {
        settle(model);
    }
}

#[test]
fn final_results_equal_those_of_the_command_line() {
    let mut model = opened();
    press(&mut model, "vc<<<G");
    finish(&mut model);
    check!("arena_done", &mut model);
    check_plain(&mut model);
    press(&mut model, "e");
    settle(&mut model);
    check_shows(
        &model,
        (200, 60),
        &["Written: ", "arena-nim.json", "arena-nim-pairs.csv"],
    );
    let read = |name: &str| {
        let path = SAVES.path().join(name);
        std::fs::read_to_string(path).expect("it was written")
    };
    // A test of the program compares what `finches arena` prints with the same file.
    let printed = root().join("tests/it/arena-nim.json");
    let printed = std::fs::read_to_string(printed).expect("it is there");
    assert_eq!(read("arena-nim.json"), printed);
    assert_eq!(read("arena-nim.csv").lines().count(), 5);
    assert_eq!(read("arena-nim-pairs.csv").lines().count(), 7);
}

#[test]
fn games_stop_on_request() {
    let mut model = opened();
    press(&mut model, "X");
    check_shows(&model, (80, 24), &["No games are being played"]);
    press(&mut model, ">>>>>>>>GX");
    let parts = &["STOPPED", "Stopped before the first game ended"];
    check_shows(&model, (80, 24), parts);
    // Invented results, so that the picture is always the same.
    press(&mut model, "G");
    receive_progress(&mut model, 12, 20, 9000);
    press(&mut model, "X");
    // Nothing more is received from the games under way.
    settle(&mut model);
    check!("arena_stopped", &mut model);
    press(&mut model, "vvvvvvvvv");
    let parts = [
        "1,320 of 9,000 games",
        "7 of 12 players, ↑ and ↓ scroll",
        "  6 nim-2x4-value-1:6@alpha-beta-3     +3 ±42     50%   103    16   101",
        " 12 nim-2x4-value-1:11@alpha-beta-3   -47 ±43     43%    88    12   120",
        " 11 nim-2x4-va…  15   30   40   25   40   55   50   65   65   75    ·   30",
    ];
    check_shows(&model, (80, 24), &parts);
    assert!(!text(&model, (80, 24)).contains("  5 nim"), "it is above");
}

#[test]
fn errors_are_shown() {
    let mut model = opened();
    press(&mut model, "G");
    let fault = "saves/nim-2x4-1/champions/14.ron: is damaged: its checksum does not fit; restore \
        it from a copy";
    receive(
        &mut model,
        ArenaAnswer::Ended(ArenaEnd::Failed(fault.to_owned())),
    );
    check!("arena_failed", &mut model);
    let mut model = opened();
    press(&mut model, "!vv!vG");
    check_shows(&model, (80, 24), &["Select at least two players"]);
    press(&mut model, "e");
    check_shows(&model, (80, 24), &["There are no results yet"]);
}

#[test]
fn a_click_chooses_the_wheel_scrolls_and_tab_turns_to_the_results() {
    let mut model = opened();
    let (width, height) = (80, 24);
    model.resize(width, height);
    let point = |model: &mut AppModel, mouse| {
        let area = Rect::new(0, 0, width, height);
        let mut buf = Buffer::empty(area);
        model.regions = view(model, area, &mut buf);
        model.point(mouse);
    };
    let row = |model: &AppModel, name: &str| {
        let drawn = text(model, (width, height));
        let row = drawn.lines().position(|line| line.contains(name));
        row.unwrap_or_else(|| panic!("{name} in\n{drawn}")) as u16
    };
    check_shows(&model, (width, height), &["◉ random", "3 selected"]);
    let place = Position::new(9, row(&model, "random"));
    point(&mut model, MouseInput::Click(place));
    check_shows(&model, (width, height), &["○ random", "2 selected"]);
    point(&mut model, MouseInput::Wheel(Wheel::Down));
    press(&mut model, "!");
    check_shows(&model, (width, height), &["○ oracle", "1 selected"]);
    // The lines below the list do what their keys do.
    let before = text(&model, (width, height));
    let place = Position::new(9, row(&model, "per pair"));
    point(&mut model, MouseInput::Click(place));
    assert_ne!(text(&model, (width, height)), before);
    press(&mut model, "|");
    check_shows(&model, (width, height), &["Each pair of players plays"]);
    press(&mut model, "|");
    check_shows(&model, (width, height), &["Players"]);
}

#[test]
fn the_arena_follows_the_game_of_the_run_until_another_is_turned_to() {
    let has_live = |model: &AppModel| text(model, (120, 40)).contains("no champion yet");
    let mut model = unopened(SAVES.path());
    settle(&mut model);
    assert!(!has_live(&model));
    for name in ["hynek-11", "reversi-vanilla"] {
        let session = session(&preset(name), 1, 2);
        let running = watching(&session, None);
        model.show_run(running.context.run.expect("it has been started"));
        press(&mut model, "9");
        settle(&mut model);
        assert!(has_live(&model), "{name}");
    }
    press(&mut model, "g");
    settle(&mut model);
    assert!(!has_live(&model));
    press(&mut model, "19");
    settle(&mut model);
    assert!(!has_live(&model));
}

#[test]
fn the_champion_of_the_run_that_goes_on_takes_part() {
    let mut session = session(&preset("nim-2x4-value"), 1, 2);
    let facts = RunInfo {
        threads: 2,
        ..RunInfo::of(&session, None)
    };
    let mut model = unopened(folder().path());
    model.show_run(RunModel::new(facts, 0.0));
    model.apply(RunEvent::Phase(Phase::Running));
    press(&mut model, "9");
    // Of the two lists that were asked for the second one counts.
    settle(&mut model);
    check_shows(&model, (80, 24), &["no champion yet"]);
    advance(&mut session, 1);
    let champion = session.state().champion.clone();
    let champion = champion.expect("a generation is done");
    model.apply(RunEvent::Snapshot(Box::new(Snapshot {
        champion,
        layers: Vec::new(),
        edges: 0,
        fitness: Vec::new(),
        lengths: GameLengths::default(),
        games: Vec::new(),
    })));
    check_shows(&model, (80, 24), &["live g0"]);
    press(&mut model, "c=<<<<G");
    finish(&mut model);
    assert_eq!(model.tab().action, Action::GoArena);
    let parts = [
        "DONE",
        "nim-2x4-value-1:0 ",
        "nim-2x4-value-1:0@monte-carlo-300",
        "random",
    ];
    check_shows(&model, (200, 60), &parts);
}
