//! How populations look, at the sizes the screen is made for.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use finches::metrics::Row;
use finches::preset::Preset;
use finches::run::message::{Event, Pace};
use finches::session::Session;
use finches::storage::saves::Saves;
use finches::ui::app::{Model, Screen};
use finches::ui::mouse::{Mouse, Wheel};
use finches::ui::theme::Theme;
use ratatui::layout::Position;

use crate::screens_net::{SMALL, press, tell, watching, with};
use crate::support::{check, preset, session, text};

const PACE: Pace = Pace {
    generations_per_second: 4.0,
    games_per_second: 21_400.0,
    measuring: 0.08,
    seconds: 30.0,
};

/// Goes on for some generations and tells what the worker would.
pub(crate) fn go_on(session: &mut Session, model: &mut Model, generations: usize) {
    for _ in 0..generations {
        let row = session.advance(&AtomicBool::new(false));
        let mut row: Row = row.expect("nobody halts it");
        row.set(session.columns(), "seconds", 1.0);
        model.apply(Event::Rows(vec![row], PACE));
        let champion = session.state().champion.clone();
        tell(model, champion.expect("a generation is done"));
        model.apply(Event::Members(Arc::downgrade(session.census())));
    }
}

/// The population screen of a run after so many generations.
fn listed(preset: &Preset, generations: usize) -> (Session, Model) {
    let mut session = session(preset, 1, 2);
    let mut model = watching(&session, None);
    go_on(&mut session, &mut model, generations);
    press(&mut model, "2");
    (session, model)
}

pub(crate) fn nim() -> Preset {
    with("nim-2x2", &[("population", "40"), ("opponents", "10")])
}

fn check_plain(name: &str, model: &mut Model) {
    model.theme = Theme::monochrome();
    insta::assert_snapshot!(format!("{name}_no_color"), text(model, (120, 40)));
    model.theme = Theme {
        ascii: true,
        ..Theme::dark()
    };
    let drawn = text(model, (120, 40));
    assert!(drawn.is_ascii(), "{drawn}");
    insta::assert_snapshot!(format!("{name}_ascii"), drawn);
    model.theme = Theme::dark();
}

fn key(model: &mut Model, code: KeyCode) {
    model.press(KeyEvent::new(code, KeyModifiers::NONE));
}

/// Turns to an older or a newer population, and waits for it.
fn turn(model: &mut Model, keys: &str) {
    press(model, keys);
    if let Some(population) = &mut model.population {
        population.settle();
    }
}

/// Lets champions meet until all have.
fn meet(model: &mut Model) {
    press(model, "m");
    if let Some(population) = &mut model.population {
        population.settle();
    }
}

#[test]
fn a_population_is_shown_without_colors_too() {
    let (_session, mut model) = listed(&nim(), 30);
    press(&mut model, "vvv");
    check_plain("population", &mut model);
}

#[test]
fn a_population_that_lives_somewhere_is_shown_on_its_map() {
    let (_session, mut model) = listed(&with("reversi-vanilla", &SMALL), 2);
    press(&mut model, "v");
    check!("population_torus", &mut model);
}

#[test]
fn champions_meet_when_they_are_asked_to_and_their_results_are_shown() {
    let (_session, mut model) = listed(&nim(), 20);
    key(&mut model, KeyCode::Tab);
    check!("champions_invited", &mut model);
    meet(&mut model);
    press(&mut model, "v");
    check!("champions", &mut model);
    check_plain("champions", &mut model);
    key(&mut model, KeyCode::Enter);
    assert_eq!(model.screen, Screen::Net);
}

#[test]
fn champions_stop_meeting_as_soon_as_they_are_told_to() {
    let (_session, mut model) = listed(&nim(), 20);
    press(&mut model, "mm");
    let stopped = text(&model, (120, 40));
    assert!(stopped.contains("stopped after 0 games"), "{stopped}");
    // What was under way comes to nothing any more, and they can meet anew.
    meet(&mut model);
    let drawn = text(&model, (120, 40));
    assert!(!drawn.contains("stopped after"), "{drawn}");
    assert!(drawn.contains("Newer beats older in "), "{drawn}");
}

#[test]
fn a_single_champion_has_nobody_to_meet() {
    let (_session, mut model) = listed(&nim(), 1);
    meet(&mut model);
    let drawn = text(&model, (80, 24));
    assert!(drawn.contains("Nobody meets: two champions"), "{drawn}");
}

#[test]
fn members_are_sorted_by_keys_and_by_clicks_on_the_headings() {
    let (_session, mut model) = listed(&nim(), 5);
    let shows = |model: &Model, words: &str| {
        let drawn = text(model, (80, 24));
        assert!(drawn.contains(words), "{words}: {drawn}");
    };
    shows(&model, "▼fitness");
    press(&mut model, "O");
    shows(&model, "▲fitness");
    press(&mut model, "o");
    shows(&model, "▲origin");
    let click = |model: &mut Model, words: &str| {
        model.resize(80, 24);
        let drawn = text(model, (80, 24));
        let row = drawn.lines().position(|line| line.contains(words));
        let row = row.expect("it is there");
        let line = drawn.lines().nth(row).expect("it is there");
        let before = line.split(words).next().expect("it is there");
        let cell = Position::new(before.chars().count() as u16, row as u16);
        let area = ratatui::layout::Rect::new(0, 0, 80, 24);
        let mut buf = ratatui::buffer::Buffer::empty(area);
        model.regions = finches::ui::app::view(model, area, &mut buf);
        model.point(Mouse::Click(cell));
    };
    click(&mut model, "fitness");
    shows(&model, "▼fitness");
    click(&mut model, "fitness");
    shows(&model, "▲fitness");
    shows(&model, "1 of 40");
    model.point(Mouse::Wheel(Wheel::Down));
    shows(&model, "2 of 40");
    key(&mut model, KeyCode::End);
    shows(&model, "40 of 40");
    key(&mut model, KeyCode::PageUp);
    key(&mut model, KeyCode::Home);
    press(&mut model, "^");
    shows(&model, "1 of 40");
}

#[test]
fn a_frozen_view_keeps_the_members_it_shows() {
    let (mut session, mut model) = listed(&nim(), 3);
    let shows = |model: &Model, generation: u64| {
        let drawn = text(model, (80, 24));
        let words = format!("Members of generation {generation} ");
        assert!(drawn.contains(&words), "{drawn}");
    };
    shows(&model, 2);
    press(&mut model, "f");
    go_on(&mut session, &mut model, 1);
    shows(&model, 2);
    press(&mut model, "f");
    shows(&model, 3);
}

#[test]
fn the_selected_member_is_opened_in_net() {
    let (session, mut model) = listed(&nim(), 4);
    let best = finches::evolution::champion(&session.census().fitness);
    key(&mut model, KeyCode::Enter);
    if let Some(net) = &mut model.net {
        net.settle();
    }
    let drawn = text(&model, (120, 40));
    let words = format!("Member {} of generation 3", best + 1);
    assert!(drawn.contains(&words), "{drawn}");
    press(&mut model, "[");
    assert!(text(&model, (120, 40)).contains("The champion of generation 2"));
}

#[test]
fn members_of_populations_that_were_kept_are_listed_and_opened() {
    let folder = tempfile::tempdir().expect("there is room");
    let mut session = session(&nim(), 1, 2);
    let saves = Saves::at(folder.path().to_owned());
    let keeper = saves.create(&session).expect("it can be saved");
    for generation in 1..6 {
        session.advance(&AtomicBool::new(false));
        if generation % 2 == 0 {
            let members = &session.state().population.members;
            let kept = keeper.keep_population(generation, members);
            kept.expect("it can be kept");
        }
    }
    let name = keeper.name();
    let mut model = watching(&session, Some((saves, name)));
    let shows = |model: &Model, words: &str| {
        let drawn = text(model, (120, 40));
        assert!(drawn.contains(words), "{words}: {drawn}");
    };
    press(&mut model, "2");
    go_on(&mut session, &mut model, 1);
    shows(&model, "Members of generation 5 ");
    turn(&mut model, "[");
    shows(&model, "Members of generation 4 kept, newest g5");
    go_on(&mut session, &mut model, 1);
    shows(&model, "Members of generation 4 kept, newest g6");
    check!("population_kept", &mut model);
    turn(&mut model, "[");
    turn(&mut model, "[");
    shows(&model, "Members of generation 2 kept");
    shows(&model, "no older population is kept");
    press(&mut model, "jj");
    key(&mut model, KeyCode::Enter);
    if let Some(net) = &mut model.net {
        net.settle();
    }
    shows(&model, "Member 3 of generation 2");
    press(&mut model, "2");
    turn(&mut model, "]");
    shows(&model, "Members of generation 4 kept");
    turn(&mut model, "]");
    shows(&model, "Members of generation 6 ");
    go_on(&mut session, &mut model, 1);
    shows(&model, "Members of generation 7 ");
}

#[test]
fn looking_at_members_changes_nothing_of_a_run() {
    let (looked, _) = listed(&preset("hynek-11"), 6);
    let mut alone = session(&preset("hynek-11"), 1, 2);
    for _ in 0..6 {
        alone.advance(&AtomicBool::new(false));
    }
    assert_eq!(looked.state(), alone.state());
}
