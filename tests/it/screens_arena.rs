//! The arena on screen, at the sizes it is made for and in every state, and what keys and the mouse do in it.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use finches::arena::league::Tally;
use finches::metrics::lengths::Lengths;
use finches::run::Facts;
use finches::run::message::{Event, Phase, Snapshot};
use finches::storage::saves::Saves;
use finches::tournament::results::Results;
use finches::ui::app::watch::Watch;
use finches::ui::app::{Model, Screen, view};
use finches::ui::mouse::{Mouse, Wheel};
use finches::ui::screens::arena::{Ending, News, Standing};
use finches::ui::screens::home::Home;
use finches::ui::theme::Theme;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use tempfile::TempDir;

use crate::program::{folder, run};
use crate::screens_net::watching;
use crate::support::{advance, check, preset, session, text};

/// Saved runs of a few generations, made once for all tests.
static SAVES: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = folder();
    for (preset, generations) in [("nim-2x4", 15), ("nim-2x4-value", 20), ("hynek-11", 3)] {
        let generations = format!("--generations={generations}");
        let words = ["run", preset, "--seed=1", &generations];
        let small: &[&str] = if preset == "hynek-11" {
            &[]
        } else {
            &["--set=population=40", "--set=opponents=20"]
        };
        let (_, said, code) = run(folder.path(), &[&words, small].concat());
        // A target that is not met so soon is no fault here.
        assert!([0, 3].contains(&code), "{said}");
    }
    folder
});

/// The arena where nobody has looked for players yet.
fn unopened(saves: &Path) -> Model {
    let mut model = Model::new(Theme::dark(), Home::new(Vec::new(), String::new()));
    model.saves = Some(Saves::at(saves.to_owned()));
    press(&mut model, "9");
    model
}

/// The arena with everyone there is to choose from, in Nim.
fn opened() -> Model {
    let mut model = unopened(SAVES.path());
    settle(&mut model);
    // The first saved run is of another game.
    press(&mut model, "g");
    settle(&mut model);
    model
}

/// Hears one piece of news.
fn settle(model: &mut Model) {
    model.arena.settle(model.watch.as_ref());
}

/// Presses keys, a letter each; `<>^v` are arrows, `!` is enter and `|` the tabulator.
fn press(model: &mut Model, keys: &str) {
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

fn check_shows(model: &Model, size: (u16, u16), parts: &[&str]) {
    let drawn = text(model, size);
    for part in parts {
        assert!(drawn.contains(part), "`{part}` in\n{drawn}");
    }
}

/// Results of invented games between so many players.
fn invented(players: usize, games: u64, all: usize) -> Standing {
    let names = (0..players).map(|place| format!("nim-2x4-value-1:{place}@alpha-beta-3"));
    let mut tallies = Vec::new();
    for a in 0..players {
        for b in a + 1..players {
            let wins = (games * (3 + b as u64 - a as u64) / 16).min(games);
            let draws = games / 10 * u64::from(a % 2 == 0);
            let draws = draws.min(games - wins);
            tallies.push(Tally {
                players: [a, b],
                wins,
                draws,
                losses: games - wins - draws,
            });
        }
    }
    let played = tallies.len() * games as usize;
    Standing {
        results: Results::new(names.collect(), tallies),
        played,
        all,
        seconds: 12.0,
    }
}

fn hear(model: &mut Model, news: News) {
    model.hear_arena(Some(news));
}

#[test]
fn before_players_are_found_the_screen_says_so() {
    let folder = folder();
    check!("arena_empty", &mut unopened(folder.path()));
}

#[test]
fn players_are_chosen_from_runs_reference_players_and_other_searches() {
    let mut model = opened();
    press(&mut model, "vca++!");
    check!("arena_choosing", &mut model);
    check_shows(&model, (80, 24), &["nim-2x4-value-1@alpha-beta-4"]);
    // A network that names moves values no positions.
    press(&mut model, "^^^a");
    check_shows(&model, (120, 40), &["does not value positions"]);
    press(&mut model, "d");
    check_shows(&model, (120, 40), &["Only what was added"]);
}

#[test]
fn results_grow_while_the_games_go_on() {
    let mut model = opened();
    press(&mut model, ">>>>>>>>m");
    check_shows(&model, (80, 24), &["The players sit down.", "RUNNING"]);
    hear(
        &mut model,
        News::Standing(1, Box::new(invented(4, 60, 1200))),
    );
    check!("arena_running", &mut model);
    press(&mut model, "m");
    check_shows(&model, (80, 24), &["They are meeting already"]);
    // News of other games are not of these.
    hear(&mut model, News::Ended(7, Ending::Done));
    check_shows(&model, (80, 24), &["RUNNING"]);
}

/// Plays what is chosen to its end.
fn finish(model: &mut Model) {
    while model.arena.is_playing() {
        settle(model);
    }
}

#[test]
fn the_end_is_what_the_command_line_comes_to() {
    let mut model = opened();
    press(&mut model, "va<<<m");
    finish(&mut model);
    check!("arena_done", &mut model);
    model.theme = Theme::monochrome();
    insta::assert_snapshot!("arena_done_no_color", text(&model, (120, 40)));
    model.theme = Theme {
        ascii: true,
        ..Theme::dark()
    };
    let drawn = text(&model, (120, 40));
    assert!(drawn.is_ascii(), "{drawn}");
    insta::assert_snapshot!("arena_done_ascii", drawn);
    press(&mut model, "e");
    settle(&mut model);
    check_shows(
        &model,
        (200, 60),
        &["Written: ", "arena-nim-1.json", "arena-nim-1-pairs.csv"],
    );
    let read = |name: &str| {
        let path = SAVES.path().join(name);
        std::fs::read_to_string(path).expect("it was written")
    };
    let players = [
        "nim-2x4-1:14",
        "nim-2x4-value-1:19@alpha-beta-2",
        "random",
        "perfect",
    ];
    let words = [&["arena"], &players[..], &["--games=10", "--json"]].concat();
    let (told, said, code) = run(SAVES.path(), &words);
    assert_eq!((code, read("arena-nim-1.json")), (0, told), "{said}");
    assert_eq!(read("arena-nim-1.csv").lines().count(), 5);
    assert_eq!(read("arena-nim-1-pairs.csv").lines().count(), 7);
}

#[test]
fn games_stop_when_they_are_told_to() {
    let mut model = opened();
    press(&mut model, "x");
    check_shows(&model, (80, 24), &["No games are being played"]);
    press(&mut model, ">>>>>>>>mx");
    let told = &["STOPPED", "Stopped before the first game was over"];
    check_shows(&model, (80, 24), told);
    // Whatever was played by then; invented here, so that it is the same every time.
    press(&mut model, "m");
    hear(
        &mut model,
        News::Standing(2, Box::new(invented(12, 20, 9000))),
    );
    press(&mut model, "x");
    // What was under way comes to nothing any more.
    hear(
        &mut model,
        News::Standing(2, Box::new(invented(3, 1, 9000))),
    );
    hear(&mut model, News::Ended(2, Ending::Done));
    check!("arena_stopped", &mut model);
    press(&mut model, "vvvvvvvvv");
    insta::assert_snapshot!("arena_stopped_scrolled", text(&model, (80, 24)));
}

#[test]
fn what_goes_wrong_is_told() {
    let mut model = opened();
    press(&mut model, "m");
    let fault = "saves/nim-2x4-1/champions/14.ron: is damaged: its checksum does not fit; restore it from a copy";
    hear(&mut model, News::Ended(1, Ending::Failed(fault.to_owned())));
    check!("arena_failed", &mut model);
    let mut model = opened();
    press(&mut model, "!vv!vm");
    check_shows(&model, (80, 24), &["Choose at least two players"]);
    press(&mut model, "e");
    check_shows(&model, (80, 24), &["There are no results yet"]);
}

#[test]
fn a_click_chooses_the_wheel_scrolls_and_tab_turns_to_the_results() {
    let mut model = opened();
    let (width, height) = (80, 24);
    model.resize(width, height);
    let point = |model: &mut Model, mouse| {
        let area = Rect::new(0, 0, width, height);
        let mut buf = Buffer::empty(area);
        model.regions = view(model, area, &mut buf);
        model.point(mouse);
    };
    let row = |model: &Model, name: &str| {
        let drawn = text(model, (width, height));
        let row = drawn.lines().position(|line| line.contains(name));
        row.unwrap_or_else(|| panic!("{name} in\n{drawn}")) as u16
    };
    check_shows(&model, (width, height), &["◉ random", "3 chosen"]);
    let place = Position::new(9, row(&model, "random"));
    point(&mut model, Mouse::Click(place));
    check_shows(&model, (width, height), &["○ random", "2 chosen"]);
    point(&mut model, Mouse::Wheel(Wheel::Down));
    press(&mut model, "!");
    check_shows(&model, (width, height), &["○ perfect", "1 chosen"]);
    // The lines below the list do what their keys do.
    let before = text(&model, (width, height));
    let place = Position::new(9, row(&model, "a pair"));
    point(&mut model, Mouse::Click(place));
    assert_ne!(text(&model, (width, height)), before);
    press(&mut model, "|");
    check_shows(&model, (width, height), &["Everyone meets everyone"]);
    press(&mut model, "|");
    check_shows(&model, (width, height), &["Players"]);
}

#[test]
fn the_arena_follows_the_game_of_the_run_until_another_is_turned_to() {
    let has_live = |model: &Model| text(model, (120, 40)).contains("no champion yet");
    let mut model = unopened(SAVES.path());
    settle(&mut model);
    assert!(!has_live(&model));
    for name in ["hynek-11", "reversi-vanilla"] {
        let session = session(&preset(name), 1, 2);
        let running = watching(&session, None);
        model.watch(running.watch.expect("it has been started"));
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
    let facts = Facts {
        preset: session.preset().clone(),
        seed: session.seed(),
        columns: session.columns().clone(),
        interventions: Vec::new(),
        arena: Arc::clone(session.arena()),
        threads: 2,
        saved_as: None,
        generation: 0,
    };
    let mut model = unopened(folder().path());
    model.watch(Watch::new(facts, 0.0));
    model.apply(Event::Phase(Phase::Running));
    press(&mut model, "9");
    // Of the two lists that were asked for, in whatever order they come, the second one holds.
    settle(&mut model);
    settle(&mut model);
    check_shows(&model, (80, 24), &["no champion yet"]);
    advance(&mut session, 1);
    let champion = session.state().champion.clone();
    let champion = champion.expect("a generation is done");
    model.apply(Event::Snapshot(Box::new(Snapshot {
        champion,
        layers: Vec::new(),
        edges: 0,
        fitness: Vec::new(),
        lengths: Lengths::default(),
        games: Vec::new(),
    })));
    check_shows(&model, (80, 24), &["live g0"]);
    press(&mut model, "aw<<<<m");
    finish(&mut model);
    assert_eq!(model.screen, Screen::Arena);
    let parts = [
        "DONE",
        "nim-2x4-value-1:0 ",
        "nim-2x4-value-1:0@monte-carlo-300",
        "random",
    ];
    check_shows(&model, (200, 60), &parts);
}
