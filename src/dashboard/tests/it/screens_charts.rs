//! The charts of the Run screen: the cursor, the axes, zooming, and the mouse.

use crate::support::run_screen;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use finches_dashboard::app::{AppModel, view};
use finches_dashboard::model::zoom::Zoom;
use finches_dashboard::mouse::{MouseInput, Wheel};
use finches_dashboard::screens::run::layout::RunPane;
use finches_dashboard::theme::Theme;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::screens::{click, key, letter, running, text};
use crate::support::{SIZES, check};

/// The run after 120 generations, with the cursor `steps` steps before the latest.
fn reading(steps: usize) -> AppModel {
    let mut model = running();
    model.resize(120, 40);
    model.press(letter('i'));
    for _ in 0..steps {
        model.press(key(KeyCode::Left));
    }
    model
}

/// The generation at the crosshair, if shown.
fn cursor(model: &AppModel) -> Option<u64> {
    let run = model.context.run.as_ref()?;
    model.context.charts.cursor_generation(run)
}

fn focus(model: &mut AppModel, pane: RunPane) {
    for _ in 0..20 {
        if run_screen(model).pane == pane {
            return;
        }
        model.press(key(KeyCode::Tab));
    }
    panic!("no {pane:?} at {:?}", model.context.size);
}

#[test]
fn all_charts_show_the_values_at_the_cursor() {
    let mut model = reading(50);
    check!("charts_reading", &mut model);
}

#[test]
fn the_cursor_shows_the_values_of_its_generation() {
    // Generation 69: 69 * 5000 games, a quarter of a second each.
    let drawn = text(&reading(50), 120, 40);
    for words in [
        "gen 69 · 345k games · 00:17",
        "● 73",
        "add node 2.5 at gen 60",
    ] {
        assert!(drawn.contains(words), "no `{words}`:\n{drawn}");
    }
    let mut model = reading(0);
    model.press(key(KeyCode::Home));
    assert!(text(&model, 120, 40).contains("gen 0 · 0 games"));
    model.press(KeyEvent::new(KeyCode::Right, KeyModifiers::SHIFT));
    assert!(text(&model, 120, 40).contains("gen 10 · 50k games"));
    model.press(key(KeyCode::End));
    assert_eq!(cursor(&model), Some(119));
    model.press(key(KeyCode::Esc));
    assert_eq!(cursor(&model), None);
    model.press(letter('z'));
    model.press(letter('i'));
    model.press(key(KeyCode::Esc));
    assert_eq!((cursor(&model), run_screen(&model).zoom), (None, Zoom::In));
    model.press(key(KeyCode::Esc));
    assert_eq!(run_screen(&model).zoom, Zoom::Out);
}

#[test]
fn the_charts_of_a_run_can_have_time_on_the_x_axis() {
    let mut model = running();
    model.press(letter('x'));
    model.press(letter('x'));
    check!("charts_seconds", &mut model);
}

#[test]
fn a_zoomed_chart_shows_more() {
    let mut model = running();
    model.press(letter('z'));
    check!("charts_zoomed", &mut model);
    model.press(letter('y'));
    for _ in 0..50 {
        model.press(letter('i'));
        model.press(letter('i'));
        model.press(key(KeyCode::Left));
    }
    model.resize(120, 40);
    model.press(letter('z'));
    focus(&mut model, RunPane::Fitness);
    model.press(letter('z'));
    model.press(letter('i'));
    for _ in 0..3 {
        model.press(KeyEvent::new(KeyCode::Left, KeyModifiers::SHIFT));
    }
    check!("charts_zoomed_reading", &mut model);
}

#[test]
fn every_pane_can_be_zoomed_and_restored() {
    for (width, height) in SIZES {
        let mut model = running();
        model.resize(width, height);
        let first = run_screen(&model).pane;
        let whole = text(&model, width, height);
        for _ in 0..20 {
            model.press(letter('z'));
            let drawn = text(&model, width, height);
            let frames = drawn.matches('┏').count();
            assert!(
                (1..=2).contains(&frames),
                "{:?}:\n{drawn}",
                run_screen(&model).pane
            );
            model.press(key(KeyCode::Enter));
            model.press(key(KeyCode::Tab));
            if run_screen(&model).pane == first {
                break;
            }
        }
        assert_eq!(run_screen(&model).pane, first);
        assert_eq!(text(&model, width, height), whole);
    }
}

#[test]
fn lines_can_be_distinguished_without_colors() {
    let mut model = running();
    model.context.theme = Theme::monochrome();
    model.resize(120, 40);
    let title = "Score against reference players";
    for _ in 0..20 {
        if text(&model, 120, 40).contains(title) {
            break;
        }
        model.press(letter('m'));
    }
    // The sign of the second line is in the legend and on its line.
    let drawn = text(&model, 120, 40);
    assert!(drawn.contains(title), "{drawn}");
    assert!(drawn.matches('■').count() >= 2, "{drawn}");
}

/// Draws a frame and clicks on a cell.
fn click_at(model: &mut AppModel, x: u16, y: u16) {
    let area = Rect::new(0, 0, model.context.size.0, model.context.size.1);
    model.regions = view(model, area, &mut Buffer::empty(area));
    assert_eq!(model.point(MouseInput::Click(Position::new(x, y))), []);
}

#[test]
fn a_click_focuses_a_pane_and_the_next_click_zooms_it() {
    let mut model = running();
    model.resize(120, 40);
    click(&mut model, "Events");
    assert_eq!(
        (run_screen(&model).pane, run_screen(&model).zoom),
        (RunPane::Events, Zoom::Out)
    );
    click(&mut model, "Events");
    assert_eq!(run_screen(&model).zoom, Zoom::In);
    click(&mut model, "Events");
    assert_eq!(
        (run_screen(&model).pane, run_screen(&model).zoom),
        (RunPane::Events, Zoom::Out)
    );
    click(&mut model, "Sample game");
    assert_eq!(
        (run_screen(&model).pane, run_screen(&model).zoom),
        (RunPane::Sample, Zoom::Out)
    );
}

#[test]
fn a_click_on_a_chart_moves_the_cursor() {
    let mut model = running();
    model.resize(120, 40);
    // The lines of the main chart begin behind its labels, in column 6, and end in column 74.
    click_at(&mut model, 6, 9);
    assert_eq!(
        (run_screen(&model).pane, cursor(&model)),
        (RunPane::Objective, Some(0))
    );
    click_at(&mut model, 40, 9);
    assert_eq!(cursor(&model), Some(59));
    click_at(&mut model, 74, 9);
    assert_eq!(cursor(&model), Some(119));
    assert_eq!(run_screen(&model).zoom, Zoom::Out);
}

#[test]
fn the_wheel_changes_the_window_of_the_charts() {
    let mut model = running();
    model.point(MouseInput::Wheel(Wheel::Up));
    assert_eq!(model.context.charts.window, Some(100));
    model.point(MouseInput::Wheel(Wheel::Up));
    assert_eq!(model.context.charts.window, Some(30));
    model.point(MouseInput::Wheel(Wheel::Down));
    assert_eq!(model.context.charts.window, Some(100));
}
