//! Films of runs and games: the same bytes for the same run, all of it shown, and refusals in
//! words.

use std::fs;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use finches_dashboard::app::AppModel;
use finches_dashboard::film::{Film, FilmSettings, SCREENS, film};
use finches_dashboard::jobs::WantedAnswers;
use finches_dashboard::keymap::Action;
use finches_dashboard::model::run::RunModel;
use finches_dashboard::screens::home::Home;
use finches_dashboard::screens::play::PlayScreen;
use finches_dashboard::theme::{ColorScheme, Theme};
use finches_engine::play::record::GameRecord;
use finches_engine::preset::Preset;
use finches_engine::session::Session;
use finches_runs::run::recording::Recording;
use finches_runs::storage::saves::Saves;
use serde_json::Value;

use crate::support::{advance, folder, preset_with, session, text};

/// A film of three seconds and 21 frames.
fn settings() -> FilmSettings {
    FilmSettings {
        size: (80, 24),
        seconds: 3.0,
        ..FilmSettings::default()
    }
}

fn small(generations: u64) -> Preset {
    let generations = format!("generations={generations}");
    preset_with(
        "nim-2x4-value",
        &["population=20", "opponents=4", &generations],
    )
}

fn made(run: &Recording, game: Option<&GameRecord>, settings: &FilmSettings) -> Film {
    film(run, game, settings).expect("it can be made")
}

fn evolved() -> Recording {
    Recording::evolve(&mut session(&small(30), 1, 2))
}

#[test]
fn the_same_run_gives_the_same_film_and_it_needs_no_script() {
    let films: Vec<String> = (0..2)
        .map(|_| made(&evolved(), None, &settings()).svg())
        .collect();
    assert!(films[0] == films[1], "the bytes differ");
    assert!(!films[0].contains("<script") && films[0].contains("begin=\"0;l.end\" dur=\"3\""));
    assert!(
        films[0].contains("begin=\"l.begin+2.375\" dur=\"0.125\""),
        "the frame before the last"
    );
    assert!(
        films[0].contains("begin=\"l.begin+2.5\" dur=\"0.5\""),
        "the last frame stands"
    );
    let light = FilmSettings {
        scheme: ColorScheme::Light,
        ..settings()
    };
    let light = made(&evolved(), None, &light).svg();
    assert!(light.contains(".c0{color:#fafaf7}"), "its paper");
}

#[test]
fn each_screen_that_shows_a_run_gives_a_film_of_its_own_at_any_rate() {
    let film = |screen, rate| {
        let settings = FilmSettings {
            screen,
            rate,
            ..settings()
        };
        made(&evolved(), None, &settings).svg()
    };
    let films = SCREENS.map(|(_, screen)| film(screen, 4.0));
    let again = SCREENS.map(|(_, screen)| film(screen, 4.0));
    assert!(films == again, "the bytes differ");
    assert_ne!(films[0], films[1]);
    assert!(
        films[1].contains("begin=\"l.begin+2.25\" dur=\"0.25\""),
        "the frame before the last"
    );
}

#[test]
fn a_recording_for_asciinema_begins_with_its_size_and_its_times_rise() {
    let cast = made(&evolved(), None, &settings());
    let cast = cast.asciicast("a \"film\"");
    let lines = cast.lines().map(serde_json::from_str);
    let lines: Vec<Value> = lines.map(|line| line.expect("it is JSON")).collect();
    let header = &lines[0];
    let known = ["version", "width", "height"].map(|name| header[name].as_u64());
    assert_eq!(known, [Some(2), Some(80), Some(24)], "{header}");
    assert_eq!(header["title"], "a \"film\"");
    let times: Vec<f64> = lines[1..]
        .iter()
        .filter_map(|event| event[0].as_f64())
        .collect();
    assert!(
        times.is_sorted() && times.len() == lines.len() - 1,
        "{times:?}"
    );
    assert_eq!((times[0], times.last()), (0.0, Some(&3.0)));
    let shown = lines[1..].iter().filter_map(|event| event[2].as_str());
    let shown: String = shown.collect();
    assert!(
        shown.contains("nim-2x4-value") && shown.contains("\x1b["),
        "{shown}"
    );
    assert!(shown.contains("DONE"), "the end is shown");
}

/// A saved run of twelve generations, with all its champions, and its name.
fn saved(saves: &Saves) -> (Session, String) {
    let mut session = session(&small(12), 1, 2);
    let mut writer = saves.create(&session).expect("it is writable");
    for _ in 0..12 {
        let rows = advance(&mut session, 1);
        for row in &rows {
            writer.write_row(row);
        }
        let games = session.sample_games(0);
        writer.add_games(session.generation() - 1, &games);
        let written = writer.checkpoint(&session, 0.0, &games);
        written.expect("it is writable");
    }
    (session, writer.name())
}

#[test]
fn a_saved_run_is_filmed_from_its_files_with_the_champions_that_are_kept() {
    let folder = folder();
    let saves = Saves::at(folder.path().to_owned());
    let (session, name) = saved(&saves);
    let run = Recording::read(&saves, &name).expect("it is readable");
    assert_eq!((run.rows.len(), run.snapshots.len()), (12, 12));
    let last = run.snapshots.last().expect("there are champions");
    assert_eq!(last.games, session.sample_games(0), "as they were saved");
    let whole = made(&run, None, &settings()).svg();
    assert!(whole.contains("<set"));
    let mut part = run.clone();
    part.cut(6);
    let late = FilmSettings {
        first: 3,
        ..settings()
    };
    assert_ne!(made(&part, None, &late).svg(), whole);
    let late = FilmSettings {
        first: 12,
        ..settings()
    };
    let error = film(&run, None, &late).err().expect("it is shorter");
    assert!(
        error.contains("12 generations are done, so there is no film from 12 on"),
        "{error}"
    );
}

#[test]
fn a_game_is_filmed_move_by_move() {
    let run = evolved();
    let last = run.snapshots.last().expect("there are champions");
    let record = &last.games[0];
    let cast = made(&run, Some(record), &settings()).asciicast("game");
    let changes = cast.lines().filter(|line| line.len() > 60).count() - 1;
    assert!(changes >= record.plies.len(), "{changes} of {record}");
    assert!(cast.contains(&record.names[0]), "{cast}");
}

#[test]
fn a_film_that_can_not_be_says_what_can() {
    let check = |size: (u16, u16), seconds: f64, expected: &str| {
        let settings = FilmSettings {
            size,
            seconds,
            ..settings()
        };
        let error = film(&evolved(), None, &settings).err();
        let error = error.expect("it is refused");
        assert!(error.contains(expected), "{error}");
    };
    check((59, 24), 3.0, "--size 59x24: a film has 60x18 to 300x100");
    check((80, 101), 3.0, "--size 80x101");
    check((80, 24), 0.0, "--seconds 0: a film takes 1 to 600 seconds");
    check((80, 24), f64::NAN, "--seconds NaN");
    let fast = FilmSettings {
        rate: 31.0,
        ..settings()
    };
    let error = film(&evolved(), None, &fast).err();
    let error = error.expect("a second has no more frames");
    assert_eq!(error, "--fps 31: a film has 1 to 30 frames a second");
    let mut empty = evolved();
    empty.cut(0);
    let error = film(&empty, None, &settings()).err();
    let error = error.expect("there are no rows");
    assert!(
        error.contains("nim-2x4-value-1: 0 generations are done"),
        "{error}"
    );
}

fn press(model: &mut AppModel, code: KeyCode) {
    model.press(KeyEvent::new(code, KeyModifiers::NONE));
}

/// What there is to say once the film is made.
fn told(model: &mut AppModel) -> String {
    let ((), answer) = model.context.films.wait().expect("a film is being made");
    answer.expect("there is a film")
}

#[test]
fn a_key_on_run_and_play_writes_a_film_beside_the_other_exports() {
    let folder = folder();
    let saves = Saves::at(folder.path().to_owned());
    let (_, name) = saved(&saves);
    let run = Recording::read(&saves, &name).expect("it is readable");
    let mut model = AppModel::new(Theme::dark(), Home::new(Vec::new(), String::new()));
    model.context.saves = Some(saves);
    model.resize(80, 24);
    model.show_run(RunModel::new(run.info, 0.0));
    press(&mut model, KeyCode::Char('E'));
    let words = told(&mut model);
    let exports = folder.path().join(&name).join("exports");
    let path = exports.join(format!("{name}.svg"));
    assert_eq!(words, format!("wrote {}", path.display()));
    let film = fs::read_to_string(path).expect("it is there");
    assert!(film.contains("viewBox=\"0 0 640 384\"") && film.contains("<set"));

    model.act(Action::GoPlay);
    press(&mut model, KeyCode::Char('E'));
    assert!(text(&model, (120, 40)).contains("the game is not over"));
    for _ in 0..40 {
        let play = model.screen_mut::<PlayScreen>().expect("there is a board");
        play.take_answers(WantedAnswers::All);
        play.tick();
        // An arrow places the cursor.
        for code in [KeyCode::Down, KeyCode::Enter] {
            play.press(KeyEvent::new(code, KeyModifiers::NONE));
        }
        play.take_answers(WantedAnswers::All);
    }
    press(&mut model, KeyCode::Char('E'));
    let words = told(&mut model);
    assert!(words.ends_with("-game.svg"), "{words}");
    let mut unsaved = AppModel::new(Theme::dark(), Home::new(Vec::new(), String::new()));
    unsaved.context.film_run();
    assert!(
        unsaved
            .context
            .notice
            .is_some_and(|it| it.words.contains("is not saved"))
    );
}
