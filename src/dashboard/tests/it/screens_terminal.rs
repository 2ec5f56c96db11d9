//! Features that depend on the terminal: themes, clicks on lists and parameters, and the dashboard
//! of a followed run.

use std::fmt::Write as _;

use crate::support::screen;
use crossterm::event::KeyCode;
use finches_dashboard::app::AppModel;
use finches_dashboard::keymap::Action;
use finches_dashboard::screen::{ExitMode, Request};
use finches_dashboard::screens::home::Home;
use finches_dashboard::theme::{Background, ColorDepth, ColorScheme, Theme, ThemeSpec};
use finches_engine::metrics::Row;
use finches_runs::run::follow::{FollowEvent, FollowedRun};
use finches_runs::run::message::{Phase, RunCommand, RunEvent, Speed};
use ratatui::style::{Color, Style};

use crate::screens::{click, home, key, letter, reversi, row, running, saved, text, watched};
use crate::support::{SIZES, check};

/// Every theme by its name.
fn themes() -> Vec<(String, Theme)> {
    let mut themes = vec![("mono".to_owned(), Theme::monochrome())];
    for (scheme, ground) in [
        (ColorScheme::Dark, Background::Dark),
        (ColorScheme::Light, Background::Light),
    ] {
        for depth in [ColorDepth::True, ColorDepth::Indexed, ColorDepth::Named] {
            let looks = ThemeSpec {
                scheme,
                depth,
                ground,
            };
            themes.push((format!("{scheme:?} {depth:?}"), Theme::of(looks)));
        }
    }
    themes
}

#[test]
fn screens_show_the_same_text_in_every_theme() {
    let helping = || {
        let mut model = running();
        model.press(letter('?'));
        model
    };
    let leaving = || {
        let mut model = running();
        model.press(letter('q'));
        model
    };
    let at_home = || AppModel::new(Theme::dark(), home());
    for open in [
        &running as &dyn Fn() -> AppModel,
        &helping,
        &leaving,
        &at_home,
    ] {
        for (width, height) in SIZES {
            let mut model = open();
            model.resize(width, height);
            let plain = text(&model, width, height);
            for (name, theme) in themes() {
                model.context.theme = theme;
                assert_eq!(text(&model, width, height), plain, "{name}");
            }
        }
    }
    // Without colors a heat map is one of signs.
    let mut model = reversi();
    let plain = text(&model, 120, 40);
    for (name, theme) in themes().split_off(1) {
        // Neighbors that look the same become one where there are few colors.
        if theme.spec.depth != ColorDepth::True {
            continue;
        }
        model.context.theme = theme;
        assert_eq!(text(&model, 120, 40), plain, "{name}");
    }
}

fn styles(theme: &Theme) -> Vec<(String, Style)> {
    let mut styles: Vec<(String, Style)> = [
        ("text", theme.text),
        ("dim", theme.dim),
        ("strong", theme.strong),
        ("border", theme.border),
        ("focus", theme.focus),
        ("guide", theme.guide),
        ("faint", theme.faint),
        ("accent", theme.accent),
        ("selection", theme.selection),
        ("good", theme.good),
        ("bad", theme.bad),
        ("warning", theme.warning),
        ("key", theme.key),
        ("badge", theme.badge(theme.good)),
    ]
    .map(|(name, style)| (name.to_owned(), style))
    .into();
    for (place, style) in theme.series.into_iter().enumerate() {
        styles.push((format!("series {place}"), style));
    }
    for step in 0..=4 {
        let share = f64::from(step) / 4.0;
        let heat = theme.heat(share).unwrap_or_default();
        styles.push((format!("heat {share}"), heat));
        let pole = theme
            .diverging_background(share * 2.0 - 1.0)
            .unwrap_or_default();
        styles.push((format!("pole {}", share * 2.0 - 1.0), pole));
    }
    styles
}

#[test]
fn the_styles_of_each_theme_are_what_they_were() {
    let mut dump = String::new();
    for (name, theme) in themes() {
        // Writing to a string can't fail.
        let _ = writeln!(dump, "{name}");
        for (class, style) in styles(&theme) {
            let color = |color: Option<Color>| color.map_or("-".to_owned(), |it| it.to_string());
            let (fg, bg) = (color(style.fg), color(style.bg));
            let _ = writeln!(
                dump,
                "  {class:<10} {fg:<13} on {bg:<13} {:?}",
                style.add_modifier
            );
        }
    }
    insta::assert_snapshot!("styles", dump);
}

#[test]
fn a_key_changes_the_theme_and_paints_what_the_terminal_is_not() {
    let mut model = running();
    let ground = |model: &AppModel| model.draw(80, 24)[(79, 23)].bg;
    assert_eq!(ground(&model), Color::Reset);
    model.press(letter('t'));
    assert_eq!(model.context.theme.spec.scheme, ColorScheme::Light);
    assert_ne!(ground(&model), Color::Reset);
    model.press(letter('?'));
    let painted = model.draw(80, 24);
    let left = painted
        .content
        .iter()
        .filter(|cell| cell.bg == Color::Reset);
    assert_eq!(left.count(), 0);
    model.press(letter('?'));
    model.press(letter('t'));
    assert_eq!(ground(&model), Color::Reset);
    model.press(letter('t'));
    assert_eq!(model.context.theme.spec.scheme, ColorScheme::Dark);
}

#[test]
fn a_click_selects_an_item_and_a_second_one_opens_it() {
    let mut model = AppModel::new(Theme::dark(), home());
    screen::<Home>(&mut model).set_saved_runs(saved());
    model.resize(120, 40);
    assert_eq!(click(&mut model, "nim-2x4-8  "), []);
    let opened = click(&mut model, "nim-2x4-8  ");
    assert_eq!(opened, [Request::Open("nim-2x4-8".to_owned())]);
    assert_eq!(click(&mut model, "nim-2x2  "), []);
    let started = click(&mut model, "nim-2x2  ");
    assert!(matches!(&started[..], [Request::Start(preset)] if preset.name == "nim-2x2"));
}

#[test]
fn a_click_selects_a_knob_nudges_it_and_opens_it() {
    let mut model = running();
    model.resize(120, 40);
    model.press(letter('5'));
    let shows = |model: &AppModel, words: &str| {
        let shown = text(model, 120, 40);
        assert!(shown.contains(words), "no `{words}`:\n{shown}");
    };
    click(&mut model, "add node");
    shows(&model, "› add node");
    click(&mut model, "opponents");
    shows(&model, "› opponents");
    shows(&model, "no pending changes");
    click(&mut model, "›  ");
    shows(&model, "1 pending");
    click(&mut model, "‹  ");
    shows(&model, "no pending changes");
    click(&mut model, "› opponents");
    shows(&model, "enter: accept");
    click(&mut model, "remove node");
    shows(&model, "› opponents");
}

#[test]
fn the_parameters_of_a_followed_run_cannot_be_changed() {
    let mut model = followed();
    model.resize(80, 24);
    for key in ["5", "a", "d", "u"].map(|key| letter(key.chars().next().unwrap_or(' '))) {
        model.press(key);
    }
    model.press(key(KeyCode::Right));
    let shown = text(&model, 80, 24);
    assert!(shown.contains("Read-only: another process"), "{shown}");
    check!("parameters_followed", &mut model);
}

/// The dashboard of a run of another process at generation 60.
fn followed() -> AppModel {
    let (watch, _) = watched("nim-2x4");
    let rows: Vec<Row> = (0..60).map(|generation| row(&watch, generation)).collect();
    let mut facts = watch.facts.clone();
    facts.generation = 60;
    facts.threads = 0;
    let pace = Speed {
        generations_per_second: 4.0,
        games_per_second: 900.0,
        measuring: 0.0,
        seconds: 15.0,
        ..Speed::default()
    };
    let mut model = AppModel::new(Theme::dark(), home());
    model.follow_run("nim-2x4-42");
    model.receive_followed(FollowEvent::Run(Box::new(FollowedRun {
        info: facts,
        rows,
        pace,
    })));
    model.receive_followed(FollowEvent::Event(RunEvent::Saved { generation: 60 }));
    model
}

#[test]
fn a_run_of_another_process_is_shown_awaited_and_missed() {
    let mut model = AppModel::new(Theme::dark(), home());
    model.follow_run("nim-2x4-42");
    model.receive_followed(FollowEvent::Missing(
        "there is no run nim-2x4-42 in saves yet".to_owned(),
    ));
    check!("awaited", &mut model);
    let mut model = followed();
    check!("watching", &mut model);
    model.receive_followed(FollowEvent::Missing(
        "the run nim-2x4-42 has vanished from saves".to_owned(),
    ));
    for (width, height) in SIZES {
        model.resize(width, height);
        let missed = text(&model, width, height);
        assert!(
            missed.contains("Waiting: the run nim-2x4-42 has vanished"),
            "{missed}"
        );
    }
}

#[test]
fn nothing_of_another_processs_run_can_be_changed_and_leaving_asks_nothing() {
    let mut model = followed();
    model.resize(120, 40);
    for key in [' ', 'n', 's', 'w'] {
        assert_eq!(model.press(letter(key)), [], "{key}");
        let shown = text(&model, 120, 40);
        assert!(shown.contains("nim-2x4-42 is read-only"), "{key}: {shown}");
    }
    model.press(letter('5'));
    model.press(key(KeyCode::Right));
    let effects = model.press(letter('a'));
    assert!(
        !effects
            .iter()
            .any(|effect| matches!(effect, Request::Send(RunCommand::Change { .. })))
    );
    model.press(letter('0'));
    assert!(!matches!(
        model.press(key(KeyCode::Enter))[..],
        [Request::Start(_)]
    ));
    assert_eq!(model.tab().action, Action::GoHome);
    assert_eq!(
        model.press(letter('q')),
        [Request::Leave(ExitMode::SaveFirst)]
    );
}

#[test]
fn a_run_that_is_resumed_from_an_earlier_checkpoint_is_shown_from_there() {
    let mut model = followed();
    let (watch, _) = watched("nim-2x4");
    let rows: Vec<Row> = (0..40).map(|generation| row(&watch, generation)).collect();
    let mut facts = watch.facts.clone();
    facts.generation = 40;
    let pace = Speed::default();
    model.receive_followed(FollowEvent::Run(Box::new(FollowedRun {
        info: facts,
        rows,
        pace,
    })));
    let shown = model.context.run.as_ref().expect("it is shown");
    assert_eq!((shown.generation, shown.history.last(0)), (40, Some(39.0)));
    model.receive_followed(FollowEvent::Event(RunEvent::Rows(
        vec![row(&watch, 40)],
        pace,
    )));
    model.receive_followed(FollowEvent::Event(RunEvent::Phase(Phase::Done)));
    let shown = model.context.run.as_ref().expect("it is shown");
    assert_eq!(shown.generation, 41);
    assert_eq!(shown.state.word(), "DONE");
    assert!(
        shown
            .events
            .iter()
            .any(|note| note.words == "resumed at generation 40")
    );
}
