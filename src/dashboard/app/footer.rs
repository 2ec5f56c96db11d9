//! The last line of every screen: a notice, or the keys that matter now.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::keymap::{self, Action, Binding, GlobalAction, Key, Scope, bindings};
use crate::model::context::NoticeLevel;
use crate::model::run::RunState;
use crate::screen::KeyHints;
use crate::widgets::key_label::drawable_keys;
use crate::widgets::text::{put, put_right};
use crate::widgets::truncate::truncate;

use super::AppModel;

/// The last line: a notice or the keys of the screen.
pub(super) fn keys(model: &AppModel, area: Rect, buf: &mut Buffer) {
    let theme = &model.context.theme;
    if let Some(notice) = &model.context.notice {
        let style = match notice.level {
            NoticeLevel::Info => theme.accent,
            NoticeLevel::Error => theme.bad,
        };
        let words = truncate(&format!(" {}", notice.words), area.width.into());
        put(buf, area, 0, Span::styled(words, style));
        return;
    }
    let at_right = right_actions(model);
    let outer = outer_bindings(model).filter(|binding| at_right.contains(&binding.action));
    let right: Vec<Span<'_>> = outer.flat_map(|binding| hint(binding, model)).collect();
    let right = Line::from(right);
    let room = area.width.saturating_sub(right.width() as u16 + 2);
    let mut line = Line::from(" ");
    for binding in shown(model) {
        let hint = hint(binding, model);
        if (line.width() + hint.iter().map(Span::width).sum::<usize>()) as u16 > room {
            break;
        }
        line.spans.extend(hint);
    }
    put(buf, area, 0, line);
    put_right(buf, area, 0, right);
}

/// The actions whose keys stand at the right.
fn right_actions(model: &AppModel) -> &'static [Action] {
    let is_reading = model.context.charts.crosshair.is_visible();
    match model.shown().state(&model.context).hints {
        _ if is_reading && model.tab().action == Action::GoRun => {
            &[Action::Back, Action::Help, Action::Quit]
        }
        // Digits don't open screens there, so the key that leaves must be visible.
        KeyHints::Typing => &[Action::Back, Action::Help, Action::Quit],
        _ => &[Action::Help, Action::Quit],
    }
}

/// The bindings that work everywhere in the dashboard.
pub(super) fn outer_bindings(model: &AppModel) -> impl Iterator<Item = &'static Binding> {
    let scope = model.tab().scope;
    bindings(if scope.has_globals {
        Scope::GLOBAL
    } else {
        scope
    })
}

/// The bindings shown as hints. The screen's own come first, except on the Run screen.
fn shown(model: &AppModel) -> Vec<&'static Binding> {
    let changes = [
        GlobalAction::PauseResume,
        GlobalAction::Step,
        GlobalAction::Save,
    ];
    let is_over = matches!(
        model.context.run.as_ref().map(|watch| watch.state),
        None | Some(RunState::Done | RunState::Error)
    );
    let is_fixed = is_over || model.context.followed.is_some();
    let at_left = |binding: &&Binding| {
        let is_refused = is_fixed
            && GlobalAction::of(binding.action).is_some_and(|action| changes.contains(&action));
        let is_outer = [Action::Back, Action::Help, Action::Quit].contains(&binding.action);
        !binding.hint.is_empty() && !is_outer && !is_refused
    };
    let scope = model.tab().scope;
    let globals = bindings(Scope::GLOBAL).filter(at_left);
    let globals = globals.filter(|binding| !keymap::overrides(scope, binding));
    let own = bindings(scope).filter(at_left);
    match model.shown().state(&model.context).hints {
        KeyHints::Own => own.collect(),
        KeyHints::OwnFirst => own.chain(globals).collect(),
        KeyHints::OwnThenOne | KeyHints::Typing => own.chain(globals.take(1)).collect(),
        KeyHints::GlobalFirst => globals.chain(own).collect(),
    }
}

/// The key and the hint of a binding; nothing if it has no hint now.
pub(super) fn hint(binding: &Binding, model: &AppModel) -> Vec<Span<'static>> {
    let theme = &model.context.theme;
    let words = words(binding, model);
    if words.is_empty() {
        return Vec::new();
    }
    vec![
        Span::styled(drawable_keys(&keys_of(binding, model), theme), theme.key),
        Span::styled(format!(" {words}  "), theme.dim),
    ]
}

fn words(binding: &Binding, model: &AppModel) -> &'static str {
    let state = model.context.run.as_ref().map(|watch| watch.state);
    match (GlobalAction::of(binding.action), state) {
        (Some(GlobalAction::PauseResume), Some(RunState::Paused | RunState::Pausing)) => "resume",
        (Some(GlobalAction::Step), Some(state)) if state != RunState::Paused => "",
        _ => model.shown().hint(binding, &model.context),
    }
}

/// The key of a binding, or both keys of a pair if its partner has no hint of its own.
fn keys_of(binding: &Binding, model: &AppModel) -> String {
    let own = || binding.key.label();
    let Some((first, second)) = binding.action.pair() else {
        return own();
    };
    let is_first = binding.action == first;
    let partner = if is_first { second } else { first };
    let mut keys = bindings(model.tab().scope).filter(|other| other.key.is_pressed());
    match keys.find(|other| other.action == partner) {
        Some(other) if !words(other, model).is_empty() => own(),
        Some(other) if is_first => pair_label(binding.key, other.key),
        Some(other) => pair_label(other.key, binding.key),
        None => own(),
    }
}

/// The labels of two keys. If both are pressed with shift, it is named once.
fn pair_label(first: Key, second: Key) -> String {
    let second = match (first, second) {
        (Key::Shift(_), Key::Shift(code)) => Key::Code(code),
        _ => second,
    };
    format!("{} {}", first.label(), second.label())
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyCode;

    use super::*;

    #[test]
    fn shift_is_named_once_in_a_pair() {
        let check = |first, second, expected| assert_eq!(pair_label(first, second), expected);
        let (left, right) = (KeyCode::Left, KeyCode::Right);
        check(Key::Code(left), Key::Code(right), "← →");
        check(Key::Shift(left), Key::Shift(right), "shift-← →");
        check(Key::Char('['), Key::Char(']'), "[ ]");
        check(Key::Code(left), Key::Shift(left), "← shift-←");
    }
}
