//! Films of runs and games: the same bytes for the same run, all of it shown, and refusals in words.

use std::fs;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use finches_dashboard::app::AppModel;
use finches_dashboard::film::{self, FilmError, FilmScreen, FilmSettings, Recording};
use finches_dashboard::jobs::WantedAnswers;
use finches_dashboard::keymap::Action;
use finches_dashboard::model::context::NoticeLevel;
use finches_dashboard::model::run::RunModel;
use finches_dashboard::screens::home::Home;
use finches_dashboard::screens::play::PlayScreen;
use finches_dashboard::theme::{ColorScheme, Theme};
use finches_engine::preset::Preset;
use finches_engine::session::Session;
use finches_runs::storage::saves::Saves;
use serde_json::Value;

use crate::support::{advance, folder, preset_with, session, text};

/// A film of three seconds and 26 frames.
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

fn evolved() -> Recording {
    Recording::evolve(&mut session(&small(30), 1, 2))
}

#[test]
fn the_same_run_gives_the_same_film_and_it_needs_no_script() {
    let films: Vec<String> = (0..2)
        .map(|_| {
            film::of_run(&evolved(), &settings())
                .expect("it has rows")
                .svg()
        })
        .collect();
    assert!(films[0] == films[1], "the bytes differ");
    assert!(!films[0].contains("<script") && films[0].contains("begin=\"0;l.end\" dur=\"3\""));
    assert!(
        films[0].contains("begin=\"l.begin+2.4\" dur=\"0.1\""),
        "the frame before the last"
    );
    assert!(
        films[0].contains("begin=\"l.begin+2.5\" dur=\"0.5\""),
        "the last frame stands"
    );
    let net = FilmSettings {
        screen: FilmScreen::Net,
        scheme: ColorScheme::Light,
        ..settings()
    };
    let net = film::of_run(&evolved(), &net).expect("it has rows").svg();
    assert!(
        net.contains("height=\"100%\" fill=\"#fafaf7\""),
        "its paper"
    );
    assert_ne!(net, films[0]);
}

#[test]
fn a_recording_for_asciinema_begins_with_its_size_and_its_times_rise() {
    let cast = film::of_run(&evolved(), &settings()).expect("it has rows");
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
    let games = session.sample_games(0);
    assert_eq!(run.game(1), Ok(games[0].clone()), "as it was saved");
    let film = film::of_run(&run, &settings()).expect("it has rows").svg();
    assert!(film.contains("<set"));
    let part = Recording {
        generations: (3, 6),
        ..run.clone()
    };
    assert_ne!(
        film::of_run(&part, &settings()).expect("it has rows").svg(),
        film
    );
    assert_eq!(
        part.game(9),
        Err(FilmError::Game {
            number: 9,
            count: 2
        })
    );
    let late = Recording {
        generations: (12, 20),
        ..run
    };
    let error = film::of_run(&late, &settings()).err();
    let error = error.expect("it is shorter").to_string();
    assert!(error.contains("has only 12 generations"), "{error}");
}

#[test]
fn a_game_is_filmed_move_by_move() {
    let run = evolved();
    let record = run.game(1).expect("there is a sample game");
    let film = film::of_game(&run, &record, &settings()).expect("there is a champion");
    let cast = film.asciicast("game");
    let changes = cast.lines().count() - 3;
    assert!(changes >= record.plies.len(), "{changes} of {record}");
    assert!(cast.contains(&record.names[0]), "{cast}");
}

#[test]
fn a_film_that_can_not_be_says_what_can() {
    let check = |settings: FilmSettings, expected: &str| {
        let error = film::of_run(&evolved(), &settings).err();
        let error = error.expect("it is refused").to_string();
        assert!(error.contains(expected), "{error}");
    };
    let size = (59, 24);
    check(
        FilmSettings { size, ..settings() },
        "--size 59x24: a film has 60x18 to 300x100",
    );
    let size = (80, 101);
    check(FilmSettings { size, ..settings() }, "--size 80x101");
    let seconds = 0.0;
    check(
        FilmSettings {
            seconds,
            ..settings()
        },
        "--seconds 0: a film takes 1 to 600 seconds",
    );
    let frames_per_second = f64::NAN;
    check(
        FilmSettings {
            frames_per_second,
            ..settings()
        },
        "--fps NaN",
    );
    let empty = Recording {
        rows: Vec::new(),
        ..evolved()
    };
    let error = film::of_run(&empty, &settings()).err();
    assert_eq!(error, Some(FilmError::NoRows("nim-2x4-value-1".to_owned())));
}

fn press(model: &mut AppModel, code: KeyCode) {
    model.press(KeyEvent::new(code, KeyModifiers::NONE));
}

/// The notice once the film is made.
fn made(model: &mut AppModel) -> String {
    model.context.take_film(WantedAnswers::All);
    let (level, words) = model.context.notice.clone().expect("it is told");
    assert_eq!(level, NoticeLevel::Info, "{words}");
    words
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
    model.show_run(RunModel::new(run.facts, 0.0));
    press(&mut model, KeyCode::Char('E'));
    let words = made(&mut model);
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
        play.press(KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE));
        play.take_answers(WantedAnswers::All);
    }
    press(&mut model, KeyCode::Char('E'));
    let words = made(&mut model);
    assert!(words.ends_with("-game.svg"), "{words}");
    let mut unsaved = AppModel::new(Theme::dark(), Home::new(Vec::new(), String::new()));
    unsaved.context.film_run();
    assert!(
        unsaved
            .context
            .notice
            .is_some_and(|it| it.1.contains("is not saved"))
    );
}
