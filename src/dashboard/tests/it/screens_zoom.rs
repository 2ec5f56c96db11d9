//! Zooming a pane to the whole screen and back, on every screen with several panes.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use finches_dashboard::app::AppModel;
use finches_dashboard::keymap::Action;
use finches_engine::preset::Preset;

use crate::screens_net::{SMALL, press, tell_games, watching, with};
use crate::screens_population::{go_on, nim};
use crate::support::{SIZES, check, preset, session, text};

/// A run with a champion, its games and its members.
fn run(preset: &Preset) -> AppModel {
    let mut session = session(preset, 1, 2);
    let mut model = watching(&session, None);
    go_on(&mut session, &mut model, 3);
    let champion = session.state().champion.clone();
    tell_games(
        &mut model,
        champion.expect("a generation is done"),
        session.sample_games(0),
    );
    model
}

/// The numbers of panes with and without focus, counted by the corners before their titles.
fn panes(drawn: &str) -> (usize, usize) {
    (drawn.matches("┏ ").count(), drawn.matches("╭ ").count())
}

fn escape(model: &mut AppModel) {
    model.press(KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE));
}

#[test]
fn a_pane_can_be_zoomed_and_restored() {
    let reversi = with("reversi-vanilla", &SMALL);
    for preset in [nim(), reversi, preset("hynek-11")] {
        let mut model = run(&preset);
        for (key, screen) in [
            ("1", Action::GoRun),
            ("2", Action::GoPopulation),
            ("3", Action::GoNet),
            ("4", Action::GoPlay),
            ("7", Action::GoGames),
        ] {
            press(&mut model, key);
            assert_eq!(model.tab().action, screen);
            for size in SIZES {
                model.resize(size.0, size.1);
                let before = text(&model, size);
                assert_ne!(panes(&before), (1, 0), "{before}");
                // On the Play screen, letters type moves.
                let key = if screen == Action::GoPlay { "Z" } else { "z" };
                press(&mut model, key);
                let zoomed = text(&model, size);
                // A board needs the rows of the frame.
                let frames = usize::from(screen != Action::GoPlay);
                assert_eq!(panes(&zoomed), (frames, 0), "{zoomed}");
                escape(&mut model);
                assert_eq!(model.tab().action, screen);
                assert_eq!(text(&model, size), before);
                press(&mut model, &key.repeat(2));
                assert_eq!(text(&model, size), before);
            }
            if screen != Action::GoRun {
                escape(&mut model);
                assert_eq!(model.tab().action, Action::GoRun);
            }
        }
    }
}

#[test]
fn a_network_on_the_whole_screen() {
    let mut model = run(&with("reversi-vanilla", &SMALL));
    press(&mut model, "3z");
    check!("net_zoomed", &mut model);
}
