//! Every screen in each state of a run, at the standard sizes. The Run screen and the arena have
//! tests of their own.

use crate::support::screen;
use finches_dashboard::app::AppModel;
use finches_dashboard::jobs::WantedAnswers;
use finches_dashboard::screens::games::GamesScreen;
use finches_dashboard::screens::home::Home;
use finches_dashboard::screens::log::LogScreen;
use finches_dashboard::screens::play::PlayScreen;
use finches_dashboard::screens::runs::RunsScreen;
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
    /// How the first line names it.
    fn word(self) -> &'static str {
        match self {
            Self::Empty | Self::Running => "RUNNING",
            Self::Paused => "PAUSED",
            Self::Done => "DONE",
            Self::Failed => "ERROR",
        }
    }
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
    screen::<RunsScreen>(model).take_answers(WantedAnswers::All, live.as_ref());
}

/// What a screen, opened by `keys`, shows in a state.
fn opened(state: State, keys: &str) -> AppModel {
    let (_session, mut model) = dashboard(state);
    model.resize(120, 40);
    press(&mut model, keys);
    settle(&mut model);
    model
}

/// What a screen shows between its first line and its last, so many lines high.
fn body(model: &AppModel, height: u16) -> Vec<String> {
    let drawn = text(model, (120, height));
    let lines: Vec<String> = drawn.lines().map(str::to_owned).collect();
    lines[1..lines.len() - 1].to_vec()
}

/// Checks a screen, opened by `keys`, in all states, from how it looks before the first generation.
/// While a run goes on, it shows `parts`. A run that is paused or done differs from a running one
/// in the first and the last line only. One that has failed has one line more, that says so.
fn check_states(screen: &str, keys: &str, parts: &[&str]) {
    check!(&format!("{screen}_empty"), &mut opened(State::Empty, keys));
    let mut running = opened(State::Running, keys);
    let body_of_running = body(&running, 40);
    for part in parts {
        let drawn = body_of_running.join("\n");
        assert!(drawn.contains(part), "{screen}: {part} in:\n{drawn}");
    }
    for state in [State::Paused, State::Done, State::Failed] {
        let mut model = opened(state, keys);
        let drawn = text(&model, (120, 40));
        assert!(drawn.contains(state.word()), "{screen}: {drawn}");
        if state != State::Failed {
            assert_eq!(body(&model, 40), body_of_running, "{screen} {state:?}");
            continue;
        }
        let told = "The run has failed: generation 30: index out of bounds. Saved generations are \
            safe; 0: open them.";
        let mut lines = body(&model, 40);
        assert_eq!(lines.remove(1).trim(), told, "{screen}");
        model.resize(120, 40);
        running.resize(120, 39);
        assert_eq!(lines, body(&running, 39), "{screen}");
    }
}

#[test]
fn the_population_is_shown_in_each_state() {
    check_states("population", "2vv", &["Members of generation 29", "mutant"]);
}

#[test]
fn the_network_is_shown_in_each_state() {
    check_states("net", "3", &["The champion of generation 29"]);
}

#[test]
fn a_game_against_the_champion_is_shown_in_each_state() {
    check_states("play", "4", &["You vs. the champion of generation 29"]);
}

#[test]
fn the_parameters_are_shown_in_each_state() {
    check_states("parameters", "5", &["absolute nodes"]);
}

#[test]
fn the_log_is_shown_in_each_state() {
    check_states("log", "6", &["Run started: nim-2x4-42, seed 42"]);
}

#[test]
fn the_games_are_shown_in_each_state() {
    check_states("games", "7..", &["g29 vs. g28"]);
}

#[test]
fn the_comparison_is_shown_in_each_state() {
    check_states("runs", "8", &["nim-2x2 #1"]);
}

#[test]
fn home_is_shown_in_each_state() {
    check_states("home", "0", &["A network learns Nim"]);
}
