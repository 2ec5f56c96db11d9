//! How champions look from the inside, at the sizes the screen is made for.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use finches::evolution::archive::Champion;
use finches::metrics::lengths::Lengths;
use finches::preset::Preset;
use finches::run::Facts;
use finches::run::message::{Event, Phase, Snapshot};
use finches::ui::app::Model;
use finches::ui::app::watch::Watch;
use finches::ui::screens::home::Home;
use finches::ui::theme::Theme;

use crate::support::{advance, preset, session};

/// A torus of so few members that a generation takes no time.
const SMALL: [(&str, &str); 2] = [("population", "16"), ("width", "4")];

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 60)];

/// The net screen of a run that told its champion at each of these generations.
fn inside(preset: &Preset, generations: &[usize]) -> Model {
    let mut session = session(preset, 1, 2);
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
    let mut model = Model::new(Theme::dark(), Home::new(Vec::new(), String::new()));
    model.watch(Watch::new(facts, 0.0));
    model.apply(Event::Phase(Phase::Running));
    for &generation in generations {
        let done = session.generation() as usize;
        advance(&mut session, generation - done);
        let champion = session.state().champion.clone();
        tell(&mut model, champion.expect("a generation is done"));
    }
    press(&mut model, "3");
    model
}

fn tell(model: &mut Model, champion: Champion) {
    let topology = champion.genome.topology();
    model.apply(Event::Snapshot(Box::new(Snapshot {
        champion,
        layers: topology.layers,
        edges: topology.edges,
        fitness: Vec::new(),
        lengths: Lengths::default(),
        games: Vec::new(),
    })));
    settle(model);
}

fn settle(model: &mut Model) {
    if let Some(net) = &mut model.net {
        net.settle();
    }
}

/// Presses keys, a letter each; `<>^v` are arrows.
fn press(model: &mut Model, keys: &str) {
    for key in keys.chars() {
        let code = match key {
            '<' => KeyCode::Left,
            '>' => KeyCode::Right,
            '^' => KeyCode::Up,
            'v' => KeyCode::Down,
            letter => KeyCode::Char(letter),
        };
        model.press(KeyEvent::new(code, KeyModifiers::NONE));
        settle(model);
    }
}

fn text(model: &Model, (width, height): (u16, u16)) -> String {
    let buf = model.draw(width, height);
    let rows = buf.content.chunks(width.into());
    let lines = rows.map(|row| {
        let line: String = row.iter().map(ratatui::buffer::Cell::symbol).collect();
        line.trim_end().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn check(name: &str, model: &mut Model) {
    for size in SIZES {
        model.resize(size.0, size.1);
        insta::assert_snapshot!(format!("{name}_{}x{}", size.0, size.1), text(model, size));
    }
    model.theme = Theme::monochrome();
    model.resize(120, 40);
    let plain = text(model, (120, 40));
    insta::assert_snapshot!(format!("{name}_no_color"), plain);
    model.theme = Theme {
        ascii: true,
        ..Theme::dark()
    };
    let drawn = text(model, (120, 40));
    assert!(drawn.is_ascii(), "{drawn}");
    insta::assert_snapshot!(format!("{name}_ascii"), drawn);
    model.theme = Theme::dark();
}

#[test]
fn a_strategy_is_shown_with_each_wrong_decision_marked() {
    let mut model = inside(&preset("hynek-21-chicken"), &[2, 6]);
    check("net_strategy", &mut model);
}

#[test]
fn a_dense_network_is_shown_by_its_units_on_the_board() {
    let mut model = inside(&with("reversi-vanilla", &SMALL), &[1, 2]);
    press(&mut model, ">");
    check("net_units", &mut model);
    let drawn = text(&model, (120, 40));
    assert!(drawn.contains("2nd of 8"), "{drawn}");
}

#[test]
fn a_growing_network_is_drawn_layer_by_layer() {
    let mut model = inside(&preset("nim-2x2"), &[20, 40]);
    press(&mut model, "<");
    check("net_graph", &mut model);
}

#[test]
fn of_a_large_network_the_strongest_links_are_drawn_unless_all_are_asked_for() {
    let preset = with("reversi-graph", &SMALL);
    let mut model = inside(&preset, &[1]);
    insta::assert_snapshot!("net_graph_large", text(&model, (120, 40)));
    assert!(text(&model, (80, 24)).contains("strongest "));
    press(&mut model, "w");
    assert!(!text(&model, (80, 24)).contains("w draws all"));
}

/// A preset with settings changed.
fn with(name: &str, settings: &[(&str, &str)]) -> Preset {
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
    assert!(drawn.contains("oracle  plays anything"), "{drawn}");
    press(&mut model, ">");
    let drawn = text(&model, (80, 24));
    assert!(drawn.contains("In position 2 "), "{drawn}");
    assert!(drawn.contains("oracle  plays 1"), "{drawn}");
}

#[test]
fn older_champions_stay_until_the_newest_is_asked_for_again() {
    let mut model = inside(&preset("hynek-11"), &[1, 2, 3]);
    let shows = |model: &Model, generation: u64| {
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
