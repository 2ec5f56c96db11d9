//! The pictures in the README: real runs on the real screens, drawn as SVG and kept fresh by this
//! test. With `UPDATE_PICTURES=1` it writes them anew.

use std::fmt::Write as _;
use std::fs;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use finches_dashboard::app::AppModel;
use finches_dashboard::jobs::WantedAnswers;
use finches_dashboard::model::run::RunModel;
use finches_dashboard::screens::home::Home;
use finches_dashboard::screens::net::NetScreen;
use finches_dashboard::screens::play::PlayScreen;
use finches_dashboard::theme::Theme;
use finches_engine::session::Session;
use finches_runs::run::RunInfo;
use finches_runs::run::message::{Phase, RunEvent, Snapshot, Speed};
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

use crate::support::{advance, preset, root, session};

const SIZE: (u16, u16) = (120, 40);
const BACKGROUND: &str = "#101418";
const FOREGROUND: &str = "#d0d0d0";

/// The dashboard after so many generations of a run, and the run. The pace, in generations per
/// second, is that of a laptop; everything else is the run's own.
fn dashboard(name: &str, seed: u64, generations: usize, pace: f64) -> (AppModel, Session) {
    let mut session = session(&preset(name), seed, 2);
    let facts = RunInfo {
        preset: session.preset().clone(),
        seed,
        columns: session.columns().clone(),
        interventions: Vec::new(),
        arena: Arc::clone(session.arena()),
        threads: 2,
        saved_as: Some(format!("{name}-{seed}")),
        generation: 0,
    };
    let rows = advance(&mut session, generations);
    let champion = session
        .state()
        .champion
        .clone()
        .expect("a generation is done");
    let topology = champion.genome.topology();
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
    model.apply(RunEvent::Snapshot(Box::new(Snapshot {
        layers: topology.layers,
        edges: topology.edges,
        fitness: session.fitness().to_vec(),
        lengths: session.lengths().clone(),
        games: session.sample_games(1),
        champion,
    })));
    model.apply(RunEvent::Saved {
        generation: generations as u64,
    });
    model.tick(Duration::from_millis(700));
    (model, session)
}

/// A screen as SVG: a rectangle per colored cell, a text per run of equal looks.
fn svg(buffer: &Buffer) -> String {
    const WIDTH: f32 = 8.4;
    const HEIGHT: f32 = 17.0;
    let (columns, rows) = (buffer.area.width, buffer.area.height);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"DejaVu Sans \
            Mono, Menlo, Consolas, monospace\" font-size=\"14\">\n<rect width=\"100%\" \
            height=\"100%\" fill=\"{BACKGROUND}\"/>\n",
        f32::from(columns) * WIDTH,
        f32::from(rows) * HEIGHT
    );
    for y in 0..rows {
        let mut x = 0;
        while x < columns {
            let first = &buffer[(x, y)];
            let same = |end: &u16| look(&buffer[(*end, y)]) == look(first);
            let end = (x..columns).take_while(same).last().unwrap_or(x) + 1;
            let words: String = (x..end).map(|x| buffer[(x, y)].symbol()).collect();
            let (fill, behind, bold) = look(first);
            let (left, top) = (f32::from(x) * WIDTH, f32::from(y) * HEIGHT);
            let width = f32::from(end - x) * WIDTH;
            if behind != BACKGROUND {
                let _ = writeln!(
                    text,
                    "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{HEIGHT}\" \
                        fill=\"{behind}\"/>"
                );
            }
            let dots: String = words
                .chars()
                .enumerate()
                .map(|(place, glyph)| dots(glyph, left + place as f32 * WIDTH, top))
                .collect();
            if !dots.is_empty() {
                let _ = writeln!(text, "<path fill=\"{fill}\" d=\"{dots}\"/>");
            }
            let words: String = words
                .chars()
                .map(|glyph| if is_braille(glyph) { ' ' } else { glyph })
                .collect();
            if !words.trim().is_empty() {
                let words = words.replace('&', "&amp;").replace('<', "&lt;");
                let weight = if bold { " font-weight=\"bold\"" } else { "" };
                let _ = writeln!(
                    text,
                    "<text x=\"{left:.1}\" y=\"{:.1}\" fill=\"{fill}\"{weight} \
                        textLength=\"{width:.1}\" xml:space=\"preserve\">{words}</text>",
                    top + 13.0
                );
            }
            x = end;
        }
    }
    text + "</svg>\n"
}

/// Few fonts have the patterns of dots in the width of their letters, so that the dots are drawn
/// one by one.
fn is_braille(glyph: char) -> bool {
    ('\u{2800}'..='\u{28ff}').contains(&glyph)
}

/// The dots of a pattern as squares of a path, the cell's corner being at `left` and `top`.
fn dots(glyph: char, left: f32, top: f32) -> String {
    const PLACES: [(f32, f32); 8] = [
        (0.0, 0.0),
        (0.0, 1.0),
        (0.0, 2.0),
        (1.0, 0.0),
        (1.0, 1.0),
        (1.0, 2.0),
        (0.0, 3.0),
        (1.0, 3.0),
    ];
    let bits = if is_braille(glyph) {
        glyph as u32 - 0x2800
    } else {
        0
    };
    let set = PLACES
        .iter()
        .enumerate()
        .filter(|(bit, _)| bits >> bit & 1 == 1);
    let square = |(_, (x, y)): (usize, &(f32, f32))| {
        format!(
            "M{:.1} {:.1}h2.4v2.4h-2.4z",
            left + 1.0 + x * 4.2,
            top + 1.0 + y * 4.2
        )
    };
    set.map(square).collect()
}

/// Foreground, background and weight of a cell.
fn look(cell: &Cell) -> (String, String, bool) {
    let named = |color: Color, default: &str| match color {
        Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
        Color::Black => "#000000".to_owned(),
        _ => default.to_owned(),
    };
    let (fill, behind) = (named(cell.fg, FOREGROUND), named(cell.bg, BACKGROUND));
    let bold = cell.modifier.contains(Modifier::BOLD);
    if cell.modifier.contains(Modifier::REVERSED) {
        return (behind, fill, bold);
    }
    (fill, behind, bold)
}

fn press(model: &mut AppModel, keys: &str) {
    for letter in keys.chars() {
        let code = match letter {
            '>' => KeyCode::Right,
            '!' => KeyCode::Enter,
            letter => KeyCode::Char(letter),
        };
        model.press(KeyEvent::new(code, KeyModifiers::NONE));
    }
}

/// Compares a screen with its picture.
fn check(name: &str, model: &AppModel) {
    let drawn = svg(&model.draw(SIZE.0, SIZE.1));
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

#[test]
fn the_pictures_in_the_readme_are_what_the_program_draws() {
    let (mut model, _) = dashboard("nim-2x4-value", 1, 180, 240.0);
    check("run", &model);
    press(&mut model, "3");
    model
        .screen_mut::<NetScreen>()
        .expect("a run goes on")
        .take_answers(WantedAnswers::All);
    check("net", &model);
    press(&mut model, "5");
    check("parameters", &model);
    let (mut model, _) = dashboard("nim-5-heaps", 1, 76, 40.0);
    press(&mut model, "3");
    let net = model.screen_mut::<NetScreen>().expect("a run goes on");
    net.take_answers(WantedAnswers::All);
    check("product-units", &model);
    let (mut model, session) = dashboard("reversi-vanilla", 1, 40, 20.0);
    model.apply(RunEvent::Members(Arc::downgrade(session.snapshot())));
    press(&mut model, "2");
    check("population", &model);
    press(&mut model, "4");
    let play = model.screen_mut::<PlayScreen>().expect("a run goes on");
    play.take_answers(WantedAnswers::All);
    check("play", &model);
}
