use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::*;
use crate::ui::theme::Theme;

fn screen() -> KnobsScreen {
    KnobsScreen::new(&Preset::default(), true)
}

/// Selects a setting by the last word of its key.
fn select(screen: &mut KnobsScreen, name: &str) {
    let knobs = screen.knobs();
    let wanted = |knob: &Param| label_of(&knob.key) == name.replace('_', " ");
    screen.selected = knobs
        .iter()
        .position(wanted)
        .expect("there is such a setting");
}

fn press(screen: &mut KnobsScreen, keys: &str) -> KnobsAnswer {
    let mut answer = KnobsAnswer::Handled;
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

fn words(screen: &KnobsScreen) -> &str {
    match &screen.message {
        Message::Plain(words) | Message::Good(words) | Message::Bad(words) => words,
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
        ("evolution.breeding.elites", "10"),
    ]);
    assert_eq!(press(&mut screen, "a"), KnobsAnswer::Apply(expected));
    assert_eq!(screen.preset(), &Preset::default(), "not in force yet");
    assert_eq!(press(&mut screen, "a"), KnobsAnswer::Handled);
    assert_eq!(words(&screen), "Nothing is pending.");
}

#[test]
fn nudges_stop_at_the_limits() {
    let mut screen = screen();
    select(&mut screen, "games_per_pair");
    press(&mut screen, "[right] [shift-right]");
    assert_eq!(screen.pending(), [], "2 is the most");
    press(&mut screen, "[shift-left]");
    assert_eq!(
        screen.pending(),
        pairs(&[("evolution.pairing.games_per_pair", "1")])
    );
}

#[test]
fn a_typed_value_is_checked_and_can_be_mended() {
    let mut screen = screen();
    select(&mut screen, "add_node");
    press(&mut screen, "[enter] [clear] many [enter]");
    assert!(
        words(&screen).contains("`many` will not do"),
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
    assert_eq!(screen.entry.as_ref().map(Entry::text), None);
}

#[test]
fn what_is_pending_is_checked_as_a_whole() {
    let mut screen = screen();
    select(&mut screen, "opponents");
    press(&mut screen, "[right]");
    assert!(
        words(&screen).contains("half the population (50)"),
        "{}",
        words(&screen)
    );
    assert_eq!(press(&mut screen, "a"), KnobsAnswer::Handled);
    assert!(words(&screen).contains("half the population (50)"));
    press(&mut screen, "u");
    assert_eq!(screen.pending(), []);
}

#[test]
fn changes_are_applied_in_an_order_in_which_each_is_sound() {
    let mut preset = Preset::default();
    preset
        .change("past_share", "0.5")
        .and_then(|()| preset.change("new_share", "0.5"))
        .expect("both are within limits");
    let mut screen = KnobsScreen::new(&preset, true);
    screen.set("evolution.breeding.past_share", "0.8");
    screen.set("evolution.breeding.new_share", "0.2");
    let expected = pairs(&[
        ("evolution.breeding.new_share", "0.2"),
        ("evolution.breeding.past_share", "0.8"),
    ]);
    assert_eq!(press(&mut screen, "a"), KnobsAnswer::Apply(expected));
}

#[test]
fn esc_discards_first_and_leaves_then() {
    let mut screen = screen();
    select(&mut screen, "add_node");
    press(&mut screen, "[right]");
    assert_eq!(press(&mut screen, "[esc]"), KnobsAnswer::Handled);
    assert_eq!(screen.pending(), []);
    assert_eq!(press(&mut screen, "[esc]"), KnobsAnswer::Leave);
}

#[test]
fn what_was_sent_is_in_force_once_the_run_says_so() {
    let mut screen = screen();
    select(&mut screen, "add_node");
    press(&mut screen, "[right] a");
    assert_eq!(screen.sent.len(), 1);
    screen.objective(7, 0.25);
    screen.turned(&Intervention {
        generation: 8,
        key: "genome.add_node".to_owned(),
        from: "1.0".to_owned(),
        to: "1.1".to_owned(),
    });
    assert_eq!(screen.sent, []);
    assert_eq!(screen.pending(), []);
    let value = screen.preset().param("genome.add_node");
    assert_eq!(value.map(|param| param.value).as_deref(), Some("1.1"));
    assert_eq!(words(&screen), "Generation 8: add node is now 1.1.");
}

#[test]
fn a_refusal_is_told_and_the_value_is_pending_again() {
    let mut screen = screen();
    select(&mut screen, "add_node");
    press(&mut screen, "[right] a");
    screen.refused(&Problem::new("genome.add_node", "will not do"));
    assert_eq!(words(&screen), "genome.add_node: will not do");
    assert_eq!(screen.pending().len(), 1);
}

#[test]
fn defaults_come_back_one_by_one_or_all_at_once() {
    let mut preset = Preset::default();
    preset
        .change("add_node", "3")
        .and_then(|()| preset.change("add_edge", "3"))
        .expect("both are within limits");
    let mut screen = KnobsScreen::new(&preset, true);
    select(&mut screen, "add_node");
    press(&mut screen, "d");
    assert_eq!(screen.pending(), pairs(&[("genome.add_node", "1.0")]));
    press(&mut screen, "D");
    assert_eq!(screen.pending().len(), 2);
}

#[test]
fn only_live_settings_are_turned_in_a_run_and_all_before_it() {
    let live = screen();
    assert!(live.knobs().iter().all(|knob| knob.live));
    let mut preset = KnobsScreen::new(&Preset::default(), false);
    assert_eq!(preset.knobs().len(), Preset::default().params().len());
    select(&mut preset, "population");
    press(&mut preset, "[right]");
    assert_eq!(preset.preset().evolution.population, 101);
    let expected = pairs(&[("evolution.population", "101")]);
    assert_eq!(press(&mut preset, "a"), KnobsAnswer::Apply(expected));
}

#[test]
fn what_is_not_this_screens_business_is_passed_on() {
    let mut screen = screen();
    assert_eq!(press(&mut screen, "?"), KnobsAnswer::Pass(Action::Help));
    assert_eq!(press(&mut screen, "1"), KnobsAnswer::Pass(Action::GoRun));
}

#[test]
fn every_setting_can_be_reached_and_is_on_screen_when_selected() {
    for live_run in [true, false] {
        let mut screen = KnobsScreen::new(&Preset::default(), live_run);
        let area = Rect::new(0, 0, 80, 20);
        for knob in screen.knobs() {
            let mut buf = Buffer::empty(area);
            screen.view(area, &mut buf, &Theme::dark());
            let text: String = buf
                .content
                .iter()
                .map(ratatui::buffer::Cell::symbol)
                .collect();
            assert!(
                text.contains(&format!("› {}", knob.label())),
                "{}",
                knob.key
            );
            press(&mut screen, "j");
        }
    }
}

#[test]
fn it_can_be_drawn_at_any_size() {
    let mut screen = screen();
    press(&mut screen, "[right] a j [right] j [enter]");
    screen.turned(&Intervention {
        generation: 8,
        key: "genome.add_node".to_owned(),
        from: "1.0".to_owned(),
        to: "1.1".to_owned(),
    });
    for theme in [Theme::dark(), Theme::monochrome()] {
        for width in [0, 1, 2, 5, 20, 59, 60, 80, 110, 120, 200] {
            for height in [0, 1, 2, 5, 13, 14, 21, 37, 57] {
                let area = Rect::new(0, 0, width, height);
                screen.view(area, &mut Buffer::empty(area), &theme);
                screen.view(Rect::new(3, 2, 200, 60), &mut Buffer::empty(area), &theme);
            }
        }
    }
}
