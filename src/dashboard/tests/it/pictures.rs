//! The pictures in the README: real runs on the real screens, drawn as SVG and kept fresh by this
//! test. With `UPDATE_PICTURES=1` it writes them anew.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use finches_dashboard::app::AppModel;
use finches_dashboard::film::{Film, FilmSettings, film};
use finches_dashboard::jobs::WantedAnswers;
use finches_dashboard::model::run::RunModel;
use finches_dashboard::screens::home::Home;
use finches_dashboard::screens::net::NetScreen;
use finches_dashboard::screens::play::PlayScreen;
use finches_dashboard::theme::Theme;
use finches_engine::games::Side;
use finches_engine::session::Session;
use finches_runs::run::RunInfo;
use finches_runs::run::message::{Phase, RunEvent, Snapshot, Speed};
use finches_runs::run::recording::Recording;

use crate::support::{advance, preset, preset_with, root, session};

const SIZE: (u16, u16) = (120, 40);

/// The dashboard after so many generations of a run, and the run. The pace, in generations per
/// second, is that of a laptop; everything else is the run's own.
fn dashboard(name: &str, seed: u64, generations: usize, pace: f64) -> (AppModel, Session) {
    let mut session = session(&preset(name), seed, 2);
    let facts = RunInfo {
        threads: 2,
        ..RunInfo::of(&session, Some(format!("{name}-{seed}")))
    };
    let rows = advance(&mut session, generations);
    let snapshot = Snapshot::of(&session, 1).expect("a generation is done");
    let mut model = AppModel::new(Theme::dark(), Home::new(Vec::new(), String::new()));
    model.resize(SIZE.0, SIZE.1);
    model.show_run(RunModel::new(facts, 0.0));
    model.apply(RunEvent::Phase(Phase::Running));
    let games = rows
        .last()
        .and_then(|row| row.get(session.columns(), "games"));
    let games = games.expect("every generation has games") / generations as f64;
    let pace = Speed {
        generations_per_second: pace,
        games_per_second: games * pace,
        measuring: 0.02,
        seconds: generations as f64 / pace,
        ..Speed::default()
    };
    model.tick(Duration::from_secs_f64(pace.seconds));
    model.apply(RunEvent::Rows(rows, pace));
    model.apply(RunEvent::Snapshot(Box::new(snapshot)));
    model.apply(RunEvent::Saved {
        generation: generations as u64,
    });
    model.tick(Duration::from_millis(700));
    (model, session)
}

fn key(code: KeyCode) -> KeyEvent {
    KeyEvent::new(code, KeyModifiers::NONE)
}

/// Compares a picture with the one in the repository.
fn check(name: &str, film: &Film) {
    let drawn = film.svg();
    let path = root().join(format!("docs/pictures/{name}.svg"));
    if std::env::var_os("UPDATE_PICTURES").is_some() {
        fs::write(&path, &drawn).expect("the folder is writable");
    }
    let kept = fs::read_to_string(&path).expect("the picture is there");
    assert!(
        kept == drawn,
        "{name}: the screen has changed: UPDATE_PICTURES=1 cargo test pictures"
    );
}

/// Compares a screen with its picture.
fn check_still(name: &str, model: &AppModel) {
    check(name, &Film::still(model.draw(SIZE.0, SIZE.1)));
}

#[test]
fn the_film_in_the_readme_is_what_the_program_makes_and_is_small() {
    let preset = preset_with("nim-2x10-value", &["generations=130"]);
    let run = Recording::evolve(&mut session(&preset, 1, 2));
    let settings = FilmSettings {
        size: (90, 26),
        ..FilmSettings::default()
    };
    let film = film(&run, None, &settings).expect("it has rows");
    check("film", &film);
    assert!(film.svg().len() < 400_000);
}

#[test]
fn the_pictures_in_the_readme_are_what_the_program_draws() {
    let (mut model, _) = dashboard("nim-5-heaps", 1, 76, 40.0);
    model.press(key(KeyCode::Char('3')));
    let net = model.screen_mut::<NetScreen>().expect("a run goes on");
    net.take_answers(WantedAnswers::All);
    check_still("product-units", &model);
    let (mut model, session) = dashboard("reversi-vanilla", 1, 40, 20.0);
    model.apply(RunEvent::Members(Arc::downgrade(session.snapshot())));
    model.press(key(KeyCode::Char('2')));
    check_still("population", &model);
    model.press(key(KeyCode::Char('4')));
    let play = model.screen_mut::<PlayScreen>().expect("a run goes on");
    let champion = session.champion_player().expect("a generation is done");
    while play.game().history().len() < 20 {
        play.take_answers(WantedAnswers::All);
        let position = play.game().position().clone();
        if position.to_move == Side::First {
            let moves = champion.evaluate_moves(&position.text);
            let moves = moves.expect("it is a position").scores;
            let best = moves.iter().max_by(|one, other| one.1.total_cmp(&other.1));
            for letter in best.expect("there is a move").0.chars() {
                play.press(key(KeyCode::Char(letter)));
            }
            play.press(key(KeyCode::Enter));
        }
        play.take_answers(WantedAnswers::All);
        play.tick();
        play.advance_animation(Duration::from_secs(9));
    }
    play.take_answers(WantedAnswers::All);
    check_still("play", &model);
}
