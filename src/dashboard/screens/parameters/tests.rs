//! Tests of parameter changes: ranges, pending changes, sent and rejected changes.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::*;
use crate::theme::Theme;

fn screen() -> ParametersScreen {
    ParametersScreen::new(Preset::default(), &Preset::default(), ParameterOwner::Run)
}

/// Selects a parameter by the last segment of its key.
fn select(screen: &mut ParametersScreen, name: &str) {
    let params = screen.editable();
    let wanted = |param: &Param| parameter_name(&param.key) == name.replace('_', " ");
    screen.selected = params
        .iter()
        .position(wanted)
        .expect("the parameter exists");
}

fn press(screen: &mut ParametersScreen, keys: &str) -> ParametersOutcome {
    let mut answer = ParametersOutcome::Handled;
    for key in keys.split(' ') {
        let codes: Vec<(KeyCode, KeyModifiers)> = match key {
            "[enter]" => vec![(KeyCode::Enter, KeyModifiers::NONE)],
            "[esc]" => vec![(KeyCode::Esc, KeyModifiers::NONE)],
            "[left]" => vec![(KeyCode::Left, KeyModifiers::NONE)],
            "[right]" => vec![(KeyCode::Right, KeyModifiers::NONE)],
            "[shift-left]" => vec![(KeyCode::Left, KeyModifiers::SHIFT)],
            "[shift-right]" => vec![(KeyCode::Right, KeyModifiers::SHIFT)],
            "[clear]" => vec![(KeyCode::Char('u'), KeyModifiers::CONTROL)],
            word => word
                .chars()
                .map(|letter| (KeyCode::Char(letter), KeyModifiers::NONE))
                .collect(),
        };
        for (code, modifiers) in codes {
            answer = screen.press(KeyEvent::new(code, modifiers));
        }
    }
    answer
}

/// A change of a mutation weight from 1 in generation 8.
fn change(name: &str, to: &str) -> Intervention {
    Intervention {
        generation: 8,
        key: format!("genome.{name}"),
        from: "1.0".to_owned(),
        to: to.to_owned(),
    }
}

fn words(screen: &ParametersScreen) -> &str {
    match &screen.message {
        StatusMessage::Plain(words) | StatusMessage::Good(words) | StatusMessage::Bad(words) => {
            words
        }
    }
}

fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |&(key, value): &(&str, &str)| (key.to_owned(), value.to_owned());
    list.iter().map(owned).collect()
}

#[test]
fn nudges_collect_and_are_applied_as_keys_and_values() {
    let mut screen = screen();
    select(&mut screen, "add_node");
    press(&mut screen, "[right] [right]");
    select(&mut screen, "elites");
    press(&mut screen, "[shift-right]");
    let expected = pairs(&[
        ("genome.add_node", "1.2"),
        ("evolution.replacement.elites", "10"),
    ]);
    assert_eq!(press(&mut screen, "a"), ParametersOutcome::Apply(expected));
    assert_eq!(screen.preset(), &Preset::default(), "not in force yet");
    assert_eq!(press(&mut screen, "a"), ParametersOutcome::Handled);
    assert_eq!(words(&screen), "No pending changes.");
}

#[test]
fn nudges_stop_at_the_ends_of_the_range() {
    let mut screen = screen();
    select(&mut screen, "games_per_pair");
    press(&mut screen, "[right] [shift-right]");
    assert_eq!(screen.pending(), [], "2 is the maximum");
    press(&mut screen, "[shift-left]");
    assert_eq!(
        screen.pending(),
        pairs(&[("evolution.pairing.games_per_pair", "1")])
    );
}

#[test]
fn a_typed_value_is_checked_and_can_be_corrected() {
    let mut screen = screen();
    select(&mut screen, "add_node");
    press(&mut screen, "[enter] many [enter]");
    assert!(
        words(&screen).contains("`many` is not valid"),
        "{}",
        words(&screen)
    );
    press(&mut screen, "[clear] 5000 [enter]");
    assert!(
        words(&screen).contains("must be from 0 to 1000, is 5000"),
        "{}",
        words(&screen)
    );
    press(&mut screen, "[clear] 2.5 [enter]");
    assert_eq!(screen.pending(), pairs(&[("genome.add_node", "2.5")]));
    assert_eq!(screen.entry.as_ref().map(TextInput::text), None);
}

#[test]
fn pending_changes_are_checked_as_a_whole() {
    let mut screen = screen();
    select(&mut screen, "opponents");
    press(&mut screen, "[right]");
    assert!(
        words(&screen).contains("half the population (50)"),
        "{}",
        words(&screen)
    );
    assert_eq!(press(&mut screen, "a"), ParametersOutcome::Handled);
    assert!(words(&screen).contains("half the population (50)"));
    press(&mut screen, "u");
    assert_eq!(screen.pending(), []);
}

#[test]
fn changes_are_applied_in_an_order_in_which_each_is_valid() {
    let mut preset = Preset::default();
    preset
        .change("past_share", "0.5")
        .and_then(|()| preset.change("immigrant_share", "0.5"))
        .expect("both are within limits");
    let mut screen = ParametersScreen::new(Preset::default(), &preset, ParameterOwner::Run);
    screen.set("evolution.replacement.past_share", "0.8");
    screen.set("evolution.replacement.immigrant_share", "0.2");
    let expected = pairs(&[
        ("evolution.replacement.immigrant_share", "0.2"),
        ("evolution.replacement.past_share", "0.8"),
    ]);
    assert_eq!(press(&mut screen, "a"), ParametersOutcome::Apply(expected));
}

#[test]
fn esc_discards_first_and_then_leaves() {
    let mut screen = screen();
    select(&mut screen, "add_node");
    press(&mut screen, "[right]");
    assert_eq!(press(&mut screen, "[esc]"), ParametersOutcome::Handled);
    assert_eq!(screen.pending(), []);
    assert_eq!(press(&mut screen, "[esc]"), ParametersOutcome::Leave);
}

#[test]
fn a_sent_change_is_in_force_once_the_run_confirms_it() {
    let mut screen = screen();
    select(&mut screen, "add_node");
    press(&mut screen, "[right] a");
    assert_eq!(screen.sent.len(), 1);
    screen.record_change(&change("add_node", "1.1"));
    assert_eq!(screen.sent, []);
    assert_eq!(screen.pending(), []);
    let value = screen.preset().param("genome.add_node");
    assert_eq!(value.map(|param| param.value).as_deref(), Some("1.1"));
    assert_eq!(words(&screen), "Generation 8: add node is now 1.1.");
}

#[test]
fn a_rejection_is_shown_and_the_value_is_pending_again() {
    let mut screen = screen();
    select(&mut screen, "add_node");
    press(&mut screen, "[right] a");
    screen.report_rejection(&ParamError::new("genome.add_node", "will not do"));
    assert_eq!(words(&screen), "genome.add_node: will not do");
    assert_eq!(screen.pending().len(), 1);
}

#[test]
fn defaults_are_restored_one_by_one_or_all_at_once() {
    let mut preset = Preset::default();
    preset
        .change("add_node", "3")
        .and_then(|()| preset.change("add_edge", "3"))
        .expect("both are within limits");
    let mut screen = ParametersScreen::new(Preset::default(), &preset, ParameterOwner::Run);
    select(&mut screen, "add_node");
    press(&mut screen, "d");
    assert_eq!(screen.pending(), pairs(&[("genome.add_node", "1.0")]));
    press(&mut screen, "D");
    assert_eq!(screen.pending().len(), 2);
}

#[test]
fn the_values_of_the_preset_are_restored_rather_than_those_of_the_engine() {
    let mut initial = Preset::default();
    initial.change("generations", "600").expect("it is valid");
    let mut now = initial.clone();
    now.change("generations", "700").expect("it is valid");
    let mut screen = ParametersScreen::new(initial, &now, ParameterOwner::Run);
    press(&mut screen, "D");
    assert_eq!(screen.pending(), pairs(&[("generations", "600")]));
}

#[test]
fn a_typed_value_replaces_the_old_one_and_may_be_words() {
    for (name, typed, expected) in [
        ("add_node", "[enter] 2.5", "2.5"),
        ("add_node", "[enter] [right] 5", "15.0"),
        ("generations", "[enter] 2,000", "2000"),
        ("clamp", "[enter] off", "None"),
    ] {
        let mut screen = screen();
        select(&mut screen, name);
        press(&mut screen, typed);
        press(&mut screen, "[enter]");
        let value = screen.selected_param().map(|param| param.value);
        assert_eq!(value.as_deref(), Some(expected), "{name}: {typed}");
    }
}

#[test]
fn changes_of_one_generation_are_told_together() {
    let mut screen = screen();
    for (name, to) in [("add_node", "1.5"), ("add_edge", "2.0")] {
        screen.record_change(&change(name, to));
    }
    let told = "Generation 8: add node is now 1.5, add edge is now 2.";
    assert_eq!(words(&screen), told);
}

#[test]
fn the_parameters_of_a_followed_run_stay() {
    let preset = Preset::default();
    let owner = ParameterOwner::FollowedRun;
    let mut screen = ParametersScreen::new(preset.clone(), &preset, owner);
    press(&mut screen, "[right] [enter] d D a");
    assert_eq!((screen.pending(), screen.entry.is_none()), (vec![], true));
    assert_eq!(press(&mut screen, "[esc]"), ParametersOutcome::Leave);
}

#[test]
fn a_run_offers_its_live_parameters_and_a_preset_all() {
    let live = screen();
    assert!(live.editable().iter().all(|param| param.live));
    let mut preset = ParametersScreen::new(
        Preset::default(),
        &Preset::default(),
        ParameterOwner::Preset,
    );
    assert_eq!(preset.editable().len(), Preset::default().params().len());
    select(&mut preset, "population");
    press(&mut preset, "[right]");
    assert_eq!(preset.preset().evolution.population, 101);
    let expected = pairs(&[("evolution.population", "101")]);
    assert_eq!(press(&mut preset, "a"), ParametersOutcome::Apply(expected));
}

#[test]
fn other_actions_are_passed_on() {
    let mut screen = screen();
    assert_eq!(
        press(&mut screen, "?"),
        ParametersOutcome::Pass(Action::Help)
    );
    assert_eq!(
        press(&mut screen, "n"),
        ParametersOutcome::Pass(Action::Own("step"))
    );
}

#[test]
fn every_parameter_can_be_selected_and_is_then_visible() {
    for owner in [
        ParameterOwner::Run,
        ParameterOwner::FollowedRun,
        ParameterOwner::Preset,
    ] {
        let mut screen = ParametersScreen::new(Preset::default(), &Preset::default(), owner);
        let area = Rect::new(0, 0, 80, 20);
        for param in screen.editable() {
            let mut buf = Buffer::empty(area);
            screen.view(None, area, &mut buf, &Theme::dark());
            let text: String = buf
                .content
                .iter()
                .map(ratatui::buffer::Cell::symbol)
                .collect();
            assert!(
                text.contains(&format!("› {}", param.label())),
                "{}",
                param.key
            );
            press(&mut screen, "j");
        }
    }
}

#[test]
fn it_can_be_drawn_at_any_size() {
    let mut screen = screen();
    press(&mut screen, "[right] a j [right] j [enter]");
    screen.record_change(&change("add_node", "1.1"));
    for theme in [Theme::dark(), Theme::monochrome()] {
        for width in [0, 1, 2, 5, 20, 59, 60, 80, 110, 120, 200] {
            for height in [0, 1, 2, 5, 13, 14, 21, 37, 57] {
                let area = Rect::new(0, 0, width, height);
                screen.view(None, area, &mut Buffer::empty(area), &theme);
                screen.view(
                    None,
                    Rect::new(3, 2, 200, 60),
                    &mut Buffer::empty(area),
                    &theme,
                );
            }
        }
    }
}

#[test]
fn a_value_in_force_says_from_when_it_is_and_by_what() {
    let initial = Preset {
        schedule: vec!["9: elites=3".to_owned()],
        ..Preset::default()
    };
    let mut screen = ParametersScreen::new(initial.clone(), &initial, ParameterOwner::Run);
    let mut changes = initial.scheduled().expect("it is sound");
    screen.record_change(&changes[0]);
    changes.push(change("add_node", "2.0"));
    screen.record_change(&changes[1]);
    for (name, words) in [
        ("elites", "3 from g9, by schedule"),
        ("add_node", "2 from g8, by hand"),
    ] {
        select(&mut screen, name);
        for size in [(40, 20), (40, 6)] {
            let area = Rect::new(0, 0, size.0, size.1);
            let mut buf = Buffer::empty(area);
            let param = screen.selected_param();
            screen.view_help((param.as_ref(), &changes), area, &mut buf, &Theme::dark());
            let cells = buf.content().iter();
            let text: String = cells.map(ratatui::buffer::Cell::symbol).collect();
            assert!(text.contains(words), "{name} {size:?}: {text}");
        }
    }
}

#[test]
fn a_parameter_is_found_by_a_part_of_its_name() {
    let mut screen = screen();
    press(&mut screen, "/opponents [enter]");
    let found = screen.selected_param().map(|param| param.label());
    assert_eq!(found.as_deref(), Some("opponents"));
    press(&mut screen, "/xyz");
    assert_eq!(words(&screen), "No name contains \"xyz\".");
    press(&mut screen, "[esc] [right]");
    assert_eq!(screen.pending().len(), 1, "keys are commands again");
}
