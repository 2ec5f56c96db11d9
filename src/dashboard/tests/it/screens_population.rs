//! How populations look, at the sizes the screen is made for.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use finches_dashboard::app::AppModel;
use finches_dashboard::jobs::WantedAnswers;
use finches_dashboard::keymap::Action;
use finches_dashboard::mouse::{MouseInput, Wheel};
use finches_dashboard::screens::net::NetScreen;
use finches_dashboard::screens::population::PopulationScreen;
use finches_dashboard::theme::{ColorDepth, Theme, ThemeSpec};
use finches_engine::metrics::Row;
use finches_engine::preset::Preset;
use finches_engine::session::{GenerationSnapshot, Session};
use finches_runs::run::message::{MeanSpeed, RunEvent, Speed};
use finches_runs::storage::saves::Saves;
use ratatui::layout::Position;

use crate::screens_net::{SMALL, press, tell, watching, with};
use crate::support::{advance, check, check_plain, check_sizes, preset, session, text};

const PACE: Speed = Speed {
    generations_per_second: 4.0,
    games_per_second: 21_400.0,
    measuring: 0.08,
    seconds: 30.0,
    team: None,
    mean: MeanSpeed {
        generations_per_second: 4.0,
        games_per_second: 21_400.0,
        measuring: 0.08,
    },
};

/// Runs some generations and sends the events of a worker.
pub(crate) fn go_on(session: &mut Session, model: &mut AppModel, generations: usize) {
    for _ in 0..generations {
        let row = session.advance(&AtomicBool::new(false));
        let mut row: Row = row.expect("it is not canceled");
        row.set(session.columns(), "seconds", 1.0);
        model.apply(RunEvent::Rows(vec![row], PACE));
        let champion = session.state().champion.clone();
        tell(model, champion.expect("a generation is done"));
        model.apply(RunEvent::Members(Arc::downgrade(session.snapshot())));
    }
}

/// The population screen of a run after `generations` generations.
fn listed(preset: &Preset, generations: usize) -> (Session, AppModel) {
    let mut session = session(preset, 1, 2);
    let mut model = watching(&session, None);
    go_on(&mut session, &mut model, generations);
    press(&mut model, "2");
    (session, model)
}

pub(crate) fn nim() -> Preset {
    with("nim-2x2", &[("population", "40"), ("opponents", "10")])
}

fn key(model: &mut AppModel, code: KeyCode) {
    model.press(KeyEvent::new(code, KeyModifiers::NONE));
}

/// Loads an older or a newer population and waits for it.
fn turn(model: &mut AppModel, keys: &str) {
    press(model, keys);
    if let Some(population) = model.screen_mut::<PopulationScreen>() {
        population.take_answers(WantedAnswers::All);
    }
}

/// Plays the round robin to its end.
fn meet(model: &mut AppModel) {
    press(model, "G");
    if let Some(population) = model.screen_mut::<PopulationScreen>() {
        population.take_answers(WantedAnswers::All);
    }
}

#[test]
fn a_population_is_shown_without_colors_too() {
    let (_session, mut model) = listed(&nim(), 30);
    press(&mut model, "vvv");
    check_plain(&mut model);
}

#[test]
fn a_population_that_lives_somewhere_is_shown_on_its_map() {
    let (_session, mut model) = listed(&with("reversi-vanilla", &SMALL), 2);
    press(&mut model, "v");
    check_sizes!("population_torus", &mut model);
    // Sixteen colors have too few for families.
    let looks = ThemeSpec {
        depth: ColorDepth::Named,
        ..model.context.theme.spec
    };
    model.context.theme = Theme::of(looks);
    model.resize(120, 40);
    assert!(!text(&model, (120, 40)).contains("hue: family"));
}

#[test]
fn a_map_of_styles_too_large_for_its_pane_shows_the_best_of_several_cells() {
    let large = [("rows.cells", "4"), ("columns.cells", "60")];
    let (_session, mut model) = listed(&with("nim-2x4-styles", &large), 2);
    key(&mut model, KeyCode::Tab);
    let small = text(&model, (80, 24));
    assert!(
        small.contains("each mark: the best of 2x2 cells"),
        "{small}"
    );
    assert!(small.contains(" of 240 cells, g1"), "{small}");
}

#[test]
fn esc_leaves_one_level_at_a_time() {
    let (_session, mut model) = listed(&nim(), 5);
    for keys in ["d", "G"] {
        press(&mut model, keys);
        key(&mut model, KeyCode::Esc);
        assert_eq!(model.tab().action, Action::GoPopulation, "{keys}");
        assert!(text(&model, (120, 40)).contains("Members of generation"));
    }
    key(&mut model, KeyCode::Esc);
    assert_eq!(model.tab().action, Action::GoRun);
}

#[test]
fn a_round_robin_is_played_on_request_and_its_results_are_shown() {
    let (_session, mut model) = listed(&nim(), 20);
    key(&mut model, KeyCode::Tab);
    check!("champions_invited", &mut model);
    meet(&mut model);
    press(&mut model, "v");
    check!("champions", &mut model);
    check_plain(&mut model);
    key(&mut model, KeyCode::Enter);
    assert_eq!(model.tab().action, Action::GoNet);
}

/// Nobody has asked for a round robin: one is played in the background once there are enough
/// generations.
#[test]
fn the_run_screen_has_a_verdict_on_coevolution_as_an_event_too() {
    let (_session, mut model) = listed(&nim(), 60);
    if let Some(population) = model.screen_mut::<PopulationScreen>() {
        population.take_answers(WantedAnswers::All);
    }
    model.receive_answers();
    press(&mut model, "1");
    check!("run_health", &mut model);
    let drawn = text(&model, (120, 40));
    let lines = drawn.lines().filter(|line| line.contains("coevolution"));
    assert_eq!(lines.count(), 2, "{drawn}");
}

/// The population screen of a run with species after `generations` generations.
fn in_species(generations: usize) -> (Session, AppModel) {
    let settings = [
        ("population", "60"),
        ("opponents", "10"),
        ("evolution.replacement.target_species", "5"),
    ];
    let (session, mut model) = listed(&with("neat-nim-2x4", &settings), generations);
    key(&mut model, KeyCode::Tab);
    (session, model)
}

#[test]
fn species_are_listed_with_their_sizes_and_the_selected_one() {
    let (_session, mut model) = in_species(30);
    check!("species", &mut model);
    press(&mut model, "vvv");
    check_plain(&mut model);
}

#[test]
fn the_fittest_member_of_a_species_can_be_inspected_and_played() {
    let (_session, mut model) = in_species(12);
    key(&mut model, KeyCode::Down);
    let drawn = text(&model, (120, 40));
    let champion = drawn.split("fittest: member ").nth(1);
    let champion = champion.and_then(|rest| rest.split(' ').next());
    let champion = champion.expect("the fittest member is named").to_owned();
    key(&mut model, KeyCode::Enter);
    assert_eq!(model.tab().action, Action::GoNet);
    press(&mut model, "2p");
    assert_eq!(model.tab().action, Action::GoPlay);
    let drawn = text(&model, (120, 40));
    let said = format!("You now play member {champion} of generation 11.");
    assert!(drawn.contains(&said), "{drawn}");
}

#[test]
fn a_selected_species_stays_selected_while_evolution_continues() {
    let (mut session, mut model) = in_species(10);
    key(&mut model, KeyCode::Down);
    let selected = |model: &AppModel| {
        let drawn = text(model, (120, 40));
        let rest = drawn
            .split("Species ")
            .nth(2)
            .unwrap_or_default()
            .to_owned();
        rest.split(' ').next().unwrap_or_default().to_owned()
    };
    let before = selected(&model);
    assert!(before.parse::<u32>().is_ok(), "{before}");
    go_on(&mut session, &mut model, 1);
    assert_eq!(selected(&model), before);
}

#[test]
fn a_reopened_run_shows_its_last_members_or_those_that_play_next() {
    let mut first = session(&nim(), 1, 2);
    advance(&mut first, 3);
    let mut model = watching(&first, None);
    model.apply(RunEvent::Members(Arc::downgrade(first.snapshot())));
    press(&mut model, "2");
    let drawn = text(&model, (80, 24));
    assert!(drawn.contains("Members of generation 2 "), "{drawn}");
    assert!(drawn.contains("▼fitness"), "{drawn}");
    let unplayed = Arc::new(GenerationSnapshot::unplayed(first.state()));
    model.apply(RunEvent::Members(Arc::downgrade(&unplayed)));
    let drawn = text(&model, (120, 40));
    let title = "Members of generation 3, not played yet";
    assert!(drawn.contains(title), "{drawn}");
    assert!(drawn.contains("These members play next"), "{drawn}");
}

#[test]
fn beside_a_wide_table_the_selected_member_is_described() {
    let (_session, mut model) = listed(&nim(), 5);
    let drawn = text(&model, (200, 60));
    assert!(drawn.contains("rank 1 of 40"), "{drawn}");
    assert!(drawn.contains("weights"), "{drawn}");
    meet(&mut model);
    let drawn = text(&model, (200, 60));
    assert!(
        drawn.contains("left of the diagonal: older champions"),
        "{drawn}"
    );
    assert!(drawn.contains("rank 1 of 40"), "{drawn}");
}

#[test]
fn the_round_robin_stops_on_request() {
    let (_session, mut model) = listed(&nim(), 20);
    press(&mut model, "GG");
    let stopped = text(&model, (120, 40));
    assert!(stopped.contains("stopped after 0 games"), "{stopped}");
    // A late event of the stopped round robin is ignored, and a new one can start.
    meet(&mut model);
    let drawn = text(&model, (120, 40));
    assert!(!drawn.contains("stopped after"), "{drawn}");
    assert!(
        drawn.contains("left of the diagonal: older champions"),
        "{drawn}"
    );
}

#[test]
fn a_round_robin_needs_two_champions() {
    let (_session, mut model) = listed(&nim(), 1);
    meet(&mut model);
    let drawn = text(&model, (80, 24));
    assert!(
        drawn.contains("No games: at least two champions"),
        "{drawn}"
    );
}

#[test]
fn members_are_sorted_by_keys_and_by_clicks_on_the_headings() {
    let (_session, mut model) = listed(&nim(), 5);
    let shows = |model: &AppModel, words: &str| {
        let drawn = text(model, (80, 24));
        assert!(drawn.contains(words), "{words}: {drawn}");
    };
    shows(&model, "▼fitness");
    press(&mut model, "R");
    shows(&model, "▲fitness");
    press(&mut model, "o");
    shows(&model, "▲origin");
    let click = |model: &mut AppModel, words: &str| {
        model.resize(80, 24);
        let drawn = text(model, (80, 24));
        let row = drawn.lines().position(|line| line.contains(words));
        let row = row.expect("it is there");
        let line = drawn.lines().nth(row).expect("it is there");
        let before = line.split(words).next().expect("it is there");
        let cell = Position::new(before.chars().count() as u16, row as u16);
        let area = ratatui::layout::Rect::new(0, 0, 80, 24);
        let mut buf = ratatui::buffer::Buffer::empty(area);
        model.regions = finches_dashboard::app::view(model, area, &mut buf);
        model.point(MouseInput::Click(cell));
    };
    click(&mut model, "fitness");
    shows(&model, "▼fitness");
    click(&mut model, "fitness");
    shows(&model, "▲fitness");
    shows(&model, "1 of 40");
    model.point(MouseInput::Wheel(Wheel::Down));
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
    let shows = |model: &AppModel, generation: u64| {
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
    let best = finches_engine::evolution::champion_index(&session.snapshot().fitness);
    key(&mut model, KeyCode::Enter);
    if let Some(net) = model.screen_mut::<NetScreen>() {
        net.take_answers(WantedAnswers::All);
    }
    let drawn = text(&model, (120, 40));
    let words = format!("Member {} of generation 3", best + 1);
    assert!(drawn.contains(&words), "{drawn}");
    press(&mut model, "[");
    assert!(text(&model, (120, 40)).contains("The champion of generation 2"));
    key(&mut model, KeyCode::Esc);
    let drawn = text(&model, (120, 40));
    assert!(drawn.contains("Members of generation"), "{drawn}");
    press(&mut model, "3");
    key(&mut model, KeyCode::Esc);
    let drawn = text(&model, (120, 40));
    assert!(!drawn.contains("Members of generation"), "{drawn}");
}

#[test]
fn no_figure_is_cut_where_there_is_little_room() {
    let (_session, model) = listed(&with("neat-nim-2x4", &[]), 3);
    let drawn = text(&model, (60, 18));
    let is_cut = |line: &str| line.contains("best") && line.contains("mea");
    assert!(drawn.contains("Origins"), "{drawn}");
    assert!(!drawn.lines().any(is_cut), "{drawn}");
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
            let kept = keeper.write_population(generation, members);
            kept.expect("it can be saved");
        }
    }
    let name = keeper.name();
    let mut model = watching(&session, Some((saves, name)));
    let shows = |model: &AppModel, words: &str| {
        let drawn = text(model, (120, 40));
        assert!(drawn.contains(words), "{words}: {drawn}");
    };
    press(&mut model, "2");
    go_on(&mut session, &mut model, 1);
    shows(&model, "Members of generation 5 ");
    turn(&mut model, "[");
    shows(&model, "Members of generation 4 saved, newest g5");
    go_on(&mut session, &mut model, 1);
    shows(&model, "Members of generation 4 saved, newest g6");
    check!("population_kept", &mut model);
    turn(&mut model, "[");
    turn(&mut model, "[");
    shows(&model, "Members of generation 2 saved");
    shows(&model, "no older one was saved; see keep_every");
    press(&mut model, "jj");
    key(&mut model, KeyCode::Enter);
    if let Some(net) = model.screen_mut::<NetScreen>() {
        net.take_answers(WantedAnswers::All);
    }
    shows(&model, "Member 3 of generation 2");
    press(&mut model, "2");
    turn(&mut model, "]");
    shows(&model, "Members of generation 4 saved");
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

/// The family tree of a run after `generations` generations.
fn in_family(preset: &Preset, generations: usize) -> (Session, AppModel) {
    let (session, mut model) = listed(preset, generations);
    press(&mut model, "d");
    (session, model)
}

/// A run whose networks grow, with members that survive.
fn growing() -> Preset {
    let settings = [("population", "40"), ("opponents", "10"), ("elites", "4")];
    with("nim-2x4-value", &settings)
}

/// Measures the ancestors to the end.
fn measure(model: &mut AppModel) {
    press(model, "G");
    if let Some(population) = model.screen_mut::<PopulationScreen>() {
        population.take_answers(WantedAnswers::All);
    }
}

#[test]
fn the_family_tree_stands_beside_the_champions_line_of_descent() {
    let (_session, mut model) = in_family(&growing(), 40);
    check!("family_tree", &mut model);
    measure(&mut model);
    key(&mut model, KeyCode::Tab);
    check_plain(&mut model);
    let drawn = text(&model, (120, 40));
    assert!(drawn.contains("200 games each"), "{drawn}");
}

#[test]
fn members_drawn_from_a_distribution_have_no_ancestors() {
    let settings = [("population", "20"), ("opponents", "8")];
    let (_session, mut model) = in_family(&with("nim-2x4-cma", &settings), 5);
    check!("family_drawn", &mut model);
}

#[test]
fn an_ancestor_can_be_inspected_and_played() {
    let (_session, mut model) = in_family(&growing(), 40);
    key(&mut model, KeyCode::Tab);
    key(&mut model, KeyCode::Down);
    let drawn = text(&model, (120, 40));
    assert!(drawn.contains(" 2 of "), "{drawn}");
    key(&mut model, KeyCode::Enter);
    assert_eq!(model.tab().action, Action::GoNet);
    press(&mut model, "2p");
    assert_eq!(model.tab().action, Action::GoPlay);
    let drawn = text(&model, (120, 40));
    assert!(drawn.contains("You now play member "), "{drawn}");
}

#[test]
fn the_family_tree_follows_evolution_and_the_measurement_stops_on_request() {
    let (mut session, mut model) = in_family(&growing(), 10);
    let drawn = text(&model, (120, 40));
    assert!(drawn.contains("Family tree of g9 "), "{drawn}");
    go_on(&mut session, &mut model, 1);
    press(&mut model, "GG");
    let drawn = text(&model, (120, 40));
    assert!(drawn.contains("Family tree of g10 "), "{drawn}");
    assert!(drawn.contains("G measures 200 games each"), "{drawn}");
    press(&mut model, "d");
    let drawn = text(&model, (120, 40));
    assert!(drawn.contains("Members of generation 10"), "{drawn}");
}

#[test]
fn without_a_generation_there_is_no_family_tree() {
    let (_session, model) = in_family(&growing(), 0);
    let drawn = text(&model, (80, 24));
    assert!(
        drawn.contains("once a generation has been played"),
        "{drawn}"
    );
}
