//! Every screen in each state of a run, at the standard sizes. The Run screen and the arena have tests of their own.

use crate::support::screen;
use finches_dashboard::app::AppModel;
use finches_dashboard::jobs::WantedAnswers;
use finches_dashboard::screens::compare::CompareScreen;
use finches_dashboard::screens::games::GamesScreen;
use finches_dashboard::screens::home::Home;
use finches_dashboard::screens::log::LogScreen;
use finches_dashboard::screens::play::PlayScreen;
use finches_engine::session::Session;
use finches_runs::run::message::{Phase, RunEvent};

use crate::screens::{home, saved};
use crate::screens_log::entries;
use crate::screens_net::{press, tell_games, watching};
use crate::screens_population::{go_on, nim};
use crate::support::{check, session, text};

/// The state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Started, without a finished generation.
    Empty,
    Running,
    Paused,
    Done,
    Failed,
}

impl State {
    const ALL: [Self; 5] = [
        Self::Empty,
        Self::Running,
        Self::Paused,
        Self::Done,
        Self::Failed,
    ];
}

/// The dashboard of a run in a state, and its session, which owns the members.
fn dashboard(state: State) -> (Session, AppModel) {
    let mut session = session(&nim(), 1, 2);
    let mut model = watching(&session, None);
    *screen(&mut model) = home();
    if state == State::Empty {
        return (session, model);
    }
    screen::<Home>(&mut model).set_saved_runs(saved());
    screen::<LogScreen>(&mut model).append(entries());
    go_on(&mut session, &mut model, 30);
    let champion = session.state().champion.clone();
    let games = session.sample_games(0);
    tell_games(&mut model, champion.expect("generations are done"), games);
    let event = match state {
        State::Empty | State::Running => RunEvent::Phase(Phase::Running),
        State::Paused => RunEvent::Phase(Phase::Paused),
        State::Done => RunEvent::Phase(Phase::Done),
        State::Failed => RunEvent::Failed("generation 30: index out of bounds".to_owned()),
    };
    model.apply(event);
    (session, model)
}

/// Waits for background work.
fn settle(model: &mut AppModel) {
    if let Some(play) = model.screen_mut::<PlayScreen>() {
        play.take_answers(WantedAnswers::All);
    }
    if let Some(games) = model.screen_mut::<GamesScreen>() {
        games.take_answers(WantedAnswers::All);
    }
    let live = model.context.run.clone();
    screen::<CompareScreen>(model).take_answers(WantedAnswers::All, live.as_ref());
}

/// What a screen, opened by `keys`, shows in a state.
fn opened(state: State, keys: &str) -> AppModel {
    let (_session, mut model) = dashboard(state);
    model.resize(120, 40);
    press(&mut model, keys);
    settle(&mut model);
    model
}

/// What a screen shows between its first and its last line.
fn body(model: &AppModel) -> Vec<String> {
    let drawn = text(model, (120, 40));
    let lines: Vec<String> = drawn.lines().map(str::to_owned).collect();
    lines[1..lines.len() - 1].to_vec()
}

/// Checks a screen, opened by `keys`, in all states. A run that is paused or done differs from a running one in the first and
/// the last line only, so these states have no snapshots.
fn check_states(screen: &str, keys: &str) {
    let running = body(&opened(State::Running, keys));
    for state in State::ALL {
        let mut model = opened(state, keys);
        let name = format!("{screen}_{state:?}").to_lowercase();
        if let State::Paused | State::Done = state {
            assert_eq!(body(&model), running, "{name}");
            let word = format!("{state:?}").to_uppercase();
            let drawn = text(&model, (120, 40));
            assert!(drawn.contains(&word), "{name}: {drawn}");
        } else {
            check!(&name, &mut model);
        }
    }
}

#[test]
fn the_population_is_shown_in_each_state() {
    check_states("population", "2vv");
}

#[test]
fn the_network_is_shown_in_each_state() {
    check_states("net", "3");
}

#[test]
fn a_game_against_the_champion_is_shown_in_each_state() {
    check_states("play", "4");
}

#[test]
fn the_parameters_are_shown_in_each_state() {
    check_states("parameters", "5");
}

#[test]
fn the_log_is_shown_in_each_state() {
    check_states("log", "6");
}

#[test]
fn the_games_are_shown_in_each_state() {
    check_states("games", "7..");
}

#[test]
fn the_comparison_is_shown_in_each_state() {
    check_states("compare", "8!");
}

#[test]
fn home_is_shown_in_each_state() {
    check_states("home", "0");
}
