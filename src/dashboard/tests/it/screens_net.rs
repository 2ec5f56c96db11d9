//! How champions look from the inside, at the sizes the screen is made for.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use finches_dashboard::app::AppModel;
use finches_dashboard::jobs::WantedAnswers;
use finches_dashboard::model::run::RunModel;
use finches_dashboard::screens::home::Home;
use finches_dashboard::screens::net::NetScreen;
use finches_dashboard::theme::Theme;
use finches_engine::evolution::archive::Champion;
use finches_engine::play::record::GameRecord;
use finches_engine::preset::Preset;
use finches_engine::session::Session;
use finches_runs::run::RunInfo;
use finches_runs::run::message::{Phase, RunEvent, Snapshot};
use finches_runs::storage::saves::Saves;

use crate::support::{advance, check, check_plain, check_signs, preset, session, text};

/// A torus small enough for fast generations.
pub(crate) const SMALL: [(&str, &str); 2] = [("population", "16"), ("width", "4")];

/// The dashboard of a run that has begun.
pub(crate) fn watching(session: &Session, saves: Option<(Saves, String)>) -> AppModel {
    let (saves, name) = saves.unzip();
    let facts = RunInfo {
        threads: 2,
        generation: 0,
        ..RunInfo::of(session, name)
    };
    let mut model = AppModel::new(Theme::dark(), Home::new(Vec::new(), String::new()));
    model.context.saves = saves;
    model.show_run(RunModel::new(facts, 0.0));
    model.apply(RunEvent::Phase(Phase::Running));
    model
}

/// The net screen of a run that has reported its champion at these generations.
fn inside(preset: &Preset, generations: &[usize]) -> AppModel {
    let mut session = session(preset, 1, 2);
    let mut model = watching(&session, None);
    for &generation in generations {
        let done = session.generation() as usize;
        advance(&mut session, generation - done);
        let champion = session.state().champion.clone();
        tell(&mut model, champion.expect("a generation is done"));
    }
    press(&mut model, "3");
    model
}

pub(crate) fn tell(model: &mut AppModel, champion: Champion) {
    tell_games(model, champion, Vec::new());
}

/// The same, with sample games.
pub(crate) fn tell_games(model: &mut AppModel, champion: Champion, games: Vec<GameRecord>) {
    let snapshot = Snapshot::new(champion, games);
    model.apply(RunEvent::Snapshot(Box::new(snapshot)));
    settle(model);
}

fn settle(model: &mut AppModel) {
    if let Some(net) = model.screen_mut::<NetScreen>() {
        net.take_answers(WantedAnswers::All);
    }
}

/// Presses keys, a letter each; `<>^v` are arrows, `!` is enter.
pub(crate) fn press(model: &mut AppModel, keys: &str) {
    for key in keys.chars() {
        let code = match key {
            '<' => KeyCode::Left,
            '>' => KeyCode::Right,
            '^' => KeyCode::Up,
            'v' => KeyCode::Down,
            '!' => KeyCode::Enter,
            letter => KeyCode::Char(letter),
        };
        model.press(KeyEvent::new(code, KeyModifiers::NONE));
        settle(model);
    }
}

#[test]
fn a_strategy_is_shown_with_each_wrong_decision_marked() {
    let mut model = inside(&preset("hynek-21-chicken"), &[2, 6]);
    check!("net_strategy", &mut model);
    check_signs!("net_strategy", &mut model);
}

#[test]
fn a_dense_network_is_shown_by_its_nodes_on_the_board() {
    let mut model = inside(&with("reversi-vanilla", &SMALL), &[1, 2]);
    press(&mut model, ">");
    check!("net_units", &mut model);
    let drawn = text(&model, (120, 40));
    assert!(drawn.contains("2nd of 8"), "{drawn}");
}

#[test]
fn tuples_are_shown_by_the_squares_that_they_read_and_their_tables() {
    let small = [
        ("population", "11"),
        ("opponents", "2"),
        ("hall_opponents", "2"),
        ("held_out_games", "20"),
    ];
    let own = [
        ("shortest", "0"),
        ("refine_every", "0"),
        ("random_moves", "0"),
    ];
    let settings = [&small[..], &own].concat();
    let mut model = inside(&with("reversi-tuples-4", &settings), &[1, 2]);
    check!("net_tuples", &mut model);
    check_plain(&mut model);
    press(&mut model, ">>");
    check!("net_tuples_one", &mut model);
    let mut model = inside(&with("draughts-record", &small), &[1]);
    press(&mut model, ">");
    check!("net_tuples_draughts", &mut model);
}

#[test]
fn product_units_are_a_map_of_signs_with_the_digits_that_they_follow() {
    let mut model = inside(&preset("nim-5-heaps"), &[20, 30]);
    check!("net_products", &mut model);
    check_plain(&mut model);
    press(&mut model, "<");
    let drawn = text(&model, (120, 40));
    assert!(drawn.contains("weight  size"), "{drawn}");
    let own = with("nim-5-heaps", &[("shared", "false"), ("units", "6")]);
    check!("net_products_own_tables", &mut inside(&own, &[3]));
}

#[test]
fn a_growing_network_is_drawn_layer_by_layer() {
    let mut model = inside(&preset("nim-2x2"), &[20, 40]);
    press(&mut model, "<");
    check!("net_graph", &mut model);
    check_signs!("net_graph", &mut model);
}

#[test]
fn of_a_large_network_the_strongest_edges_are_drawn_by_default() {
    let preset = with("reversi-graph", &SMALL);
    let mut model = inside(&preset, &[1]);
    insta::assert_snapshot!("net_graph_large", text(&model, (120, 40)));
    press(&mut model, "<");
    let drawn = text(&model, (80, 24));
    assert!(drawn.contains("/64 edges"), "{drawn}");
    press(&mut model, "A");
    let drawn = text(&model, (80, 24));
    assert!(!drawn.contains("/64 edges"), "{drawn}");
}

#[test]
fn inactive_parts_of_a_network_are_hidden_until_they_are_asked_for() {
    let settings = [
        ("remove_edge", "3"),
        ("add_edge", "1"),
        ("add_node", "1"),
        ("max_mutations", "4"),
    ];
    let mut model = inside(&with("nim-2x2", &settings), &[30]);
    let hidden = text(&model, (120, 40));
    assert!(hidden.contains("inactive, hidden (I)"), "{hidden}");
    assert!(!hidden.contains('◌'), "{hidden}");
    press(&mut model, "I");
    let shown = text(&model, (120, 40));
    assert!(shown.contains("inactive shown (I)"), "{shown}");
    assert!(shown.contains('◌'), "{shown}");
    press(&mut model, "I");
    assert_eq!(text(&model, (120, 40)), hidden);
}

#[test]
fn layers_that_do_not_fit_follow_the_selection() {
    let settings = [
        ("add_node", "10"),
        ("min_mutations", "2"),
        ("max_mutations", "4"),
    ];
    let mut model = inside(&with("nim-2x4-value", &settings), &[40]);
    let end = text(&model, (80, 24));
    assert!(end.contains(" layers ") && end.contains('‹'), "{end}");
    assert!(!end.contains('›') && end.contains("out1"), "{end}");
    press(&mut model, &"<".repeat(99));
    let start = text(&model, (80, 24));
    assert!(start.contains("layer 0 ") && start.contains('›'), "{start}");
    assert!(!start.contains('‹') && start.contains(" in1 "), "{start}");
}

/// A preset with settings changed.
pub(crate) fn with(name: &str, settings: &[(&str, &str)]) -> Preset {
    let owned = |&(key, value): &(&str, &str)| (key.to_owned(), value.to_owned());
    let settings: Vec<(String, String)> = settings.iter().map(owned).collect();
    preset(name).with(&settings).expect("it is sound")
}

#[test]
fn a_strategy_of_many_positions_is_shown_around_the_cursor() {
    let settings = [("stones", "100"), ("most", "30"), ("population", "40")];
    let preset = with("hynek-31", &settings);
    let mut model = inside(&preset, &[1]);
    press(&mut model, "^^^");
    insta::assert_snapshot!("net_strategy_large", text(&model, (80, 24)));
}

#[test]
fn the_cursor_tells_what_the_table_and_the_oracle_play() {
    let mut model = inside(&preset("hynek-11"), &[1]);
    for _ in 0..11 {
        press(&mut model, "<");
    }
    let drawn = text(&model, (80, 24));
    assert!(drawn.contains("In position 1 "), "{drawn}");
    assert!(drawn.contains("oracle  plays any move"), "{drawn}");
    press(&mut model, ">");
    let drawn = text(&model, (80, 24));
    assert!(drawn.contains("In position 2 "), "{drawn}");
    assert!(drawn.contains("oracle  plays 1"), "{drawn}");
}

#[test]
fn older_champions_stay_until_the_newest_is_asked_for_again() {
    let mut model = inside(&preset("hynek-11"), &[1, 2, 3]);
    let shows = |model: &AppModel, generation: u64| {
        let drawn = text(model, (80, 24));
        let wanted = format!("The champion of generation {generation} ");
        assert!(drawn.contains(&wanted), "{drawn}");
    };
    shows(&model, 2);
    press(&mut model, "[");
    shows(&model, 1);
    let fourth = champion_of(4);
    tell(&mut model, fourth);
    shows(&model, 1);
    assert!(text(&model, (80, 24)).contains("newest g4"));
    press(&mut model, "[[");
    shows(&model, 0);
    assert!(text(&model, (80, 24)).contains("There is no older champion."));
    press(&mut model, "]]]]");
    shows(&model, 4);
    tell(&mut model, champion_of(5));
    shows(&model, 5);
    press(&mut model, "f");
    tell(&mut model, champion_of(6));
    shows(&model, 5);
    press(&mut model, "f");
    shows(&model, 6);
}

#[test]
fn a_table_is_shown_on_run_too_with_its_right_decisions() {
    let mut model = inside(&preset("hynek-11"), &[1, 2, 3]);
    let inside = text(&model, (120, 40));
    press(&mut model, "1");
    let drawn = text(&model, (120, 40));
    let (_, right) = drawn.split_once("Champion's table").expect("it is shown");
    let right = right.split_once(" right").expect("it is counted").0;
    let right = right.trim_start_matches([' ', '─']);
    assert!(
        inside.contains(&format!(" {right} right")),
        "{right}: {inside}"
    );
    assert!(
        drawn.contains("move 4") && !drawn.contains("Mean moves"),
        "{drawn}"
    );
}

/// Some champion of `hynek-11`.
fn champion_of(generation: u64) -> Champion {
    let mut session = session(&preset("hynek-11"), generation, 1);
    advance(&mut session, 1);
    let champion = session.state().champion.clone();
    Champion {
        generation,
        ..champion.expect("a generation is done")
    }
}

#[test]
fn before_the_first_champion_the_screen_says_so() {
    let model = inside(&preset("hynek-11"), &[]);
    let drawn = text(&model, (80, 24));
    assert!(drawn.contains("No champion yet."), "{drawn}");
}

#[test]
fn a_champion_that_is_not_there_is_not_looked_for_again_and_again() {
    let mut model = inside(&preset("hynek-11"), &[]);
    let net = model.screen_mut::<NetScreen>().expect("a run is shown");
    net.take_answers(WantedAnswers::All);
    net.refresh();
    assert!(!net.is_inspecting());
    net.add_champion(&champion_of(0));
    net.refresh();
    assert!(net.is_inspecting());
}

/// The net screen of a run after `generations` generations, with its champion's sample games.
fn playing(preset: &Preset, generations: usize) -> AppModel {
    let mut session = session(preset, 1, 2);
    let mut model = watching(&session, None);
    advance(&mut session, generations);
    let champion = session.state().champion.clone();
    let games = session.sample_games(0);
    tell_games(&mut model, champion.expect("a generation is done"), games);
    press(&mut model, "3");
    model
}

#[test]
fn the_activity_of_a_network_is_that_in_the_sample_games_position() {
    let mut model = playing(&preset("nim-2x2"), 20);
    press(&mut model, "V");
    check!("net_activity_graph", &mut model);
    let first = text(&model, (120, 40));
    assert!(first.contains("after move 0: "), "{first}");
    press(&mut model, ".");
    let second = text(&model, (120, 40));
    assert!(second.contains("after move 1: "), "{second}");
    press(&mut model, "........");
    let end = text(&model, (120, 40));
    assert!(!end.contains(": 0,0,"), "a move is left to choose: {end}");
    press(&mut model, ".");
    assert_eq!(text(&model, (120, 40)), end);
    press(&mut model, ",,,,,,,,");
    assert_eq!(text(&model, (120, 40)), first);
    press(&mut model, "V");
    assert!(!text(&model, (120, 40)).contains("Activation"));
}

#[test]
fn the_activity_of_a_dense_network_is_shown_node_by_node() {
    let mut model = playing(&with("reversi-vanilla", &SMALL), 1);
    press(&mut model, "V");
    check!("net_activity_units", &mut model);
}

#[test]
fn a_strategy_has_no_activity() {
    let mut model = playing(&preset("hynek-11"), 1);
    press(&mut model, "V");
    let drawn = text(&model, (80, 24));
    assert!(
        drawn.contains("A lookup table has no activations"),
        "{drawn}"
    );
}

#[test]
fn a_bypass_is_drawn_beside_the_nodes_and_squares_without_weight_are_blank() {
    let session = session(&preset("blondie"), 1, 2);
    let mut model = watching(&session, None);
    press(&mut model, "3");
    tell(
        &mut model,
        Champion {
            generation: 0,
            fitness: 5.0,
            genome: session.state().population.members[0].clone(),
        },
    );
    check!("net_bypass", &mut model);
    let drawn = text(&model, (200, 60));
    assert!(drawn.contains("40 nodes and the bypass"), "{drawn}");
    press(&mut model, &">".repeat(40));
    let drawn = text(&model, (200, 60));
    assert!(drawn.contains("adds all inputs unchanged"), "{drawn}");
    assert!(!drawn.contains("-0 "), "{drawn}");
}

#[test]
fn a_network_is_written_beside_its_saved_run() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let saves = Saves::at(folder.path().to_owned());
    let mut session = session(&preset("nim-2x2"), 1, 2);
    let keeper = saves.create(&session).expect("the folder is writable");
    let mut model = watching(&session, Some((saves, keeper.name())));
    press(&mut model, "3e");
    assert!(text(&model, (200, 60)).contains("There is nothing to export yet."));
    advance(&mut session, 3);
    let champion = session.state().champion.clone();
    tell(&mut model, champion.expect("a generation is done"));
    press(&mut model, "e");
    let drawn = text(&model, (200, 60));
    let name = keeper.name();
    let written = format!("Written: exports/{name}-g2.dot, .svg, .json in ");
    assert!(drawn.contains(&written), "{drawn}");
    let exports = folder.path().join(&name).join("exports");
    for (ending, begins) in [("dot", "digraph "), ("svg", "<svg "), ("json", "{")] {
        let path = exports.join(format!("{name}-g2.{ending}"));
        let text = std::fs::read_to_string(&path).expect("it was written");
        assert!(text.starts_with(begins), "{text}");
    }
}

#[test]
fn a_network_that_cannot_be_written_says_why() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let saves = Saves::at(folder.path().to_owned());
    let mut session = session(&preset("nim-2x2"), 1, 2);
    let keeper = saves.create(&session).expect("the folder is writable");
    let name = keeper.name();
    let mut model = watching(&session, Some((saves, name.clone())));
    press(&mut model, "3");
    advance(&mut session, 1);
    let champion = session.state().champion.clone();
    tell(&mut model, champion.expect("a generation is done"));
    let exports = folder.path().join(&name).join("exports");
    let in_the_way = exports.join(format!("{name}-g0.svg"));
    std::fs::create_dir_all(in_the_way).expect("the folder is writable");
    press(&mut model, "e");
    let drawn = text(&model, (200, 60));
    assert!(drawn.contains("-g0.svg: "), "{drawn}");
}
