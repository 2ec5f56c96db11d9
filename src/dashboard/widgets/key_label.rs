//! Key labels within text, from the active keymap.

use ratatui::text::{Line, Span};

use crate::keymap::{self, Action, Scope};
use crate::theme::Theme;

/// The key of an action, or the keys of several actions.
pub fn key_label(scope: Scope, actions: &[Action], theme: &Theme) -> Span<'static> {
    let keys = actions.iter().map(|&action| keymap::label(scope, action));
    let keys = keys.collect::<Vec<_>>().join(" ");
    Span::styled(drawable_keys(&keys, theme), theme.key)
}

/// Keys, each followed by words on what they do.
pub fn key_hints(
    scope: Scope,
    hints: &[(&[Action], &'static str)],
    theme: &Theme,
) -> Line<'static> {
    let hint = |&(actions, words): &(&[Action], &'static str)| {
        let words = Span::styled(words, theme.dim);
        [key_label(scope, actions, theme), words]
    };
    hints.iter().flat_map(hint).collect()
}

/// Labels of keys, with the arrows as words if the terminal has none.
pub fn drawable_keys(keys: &str, theme: &Theme) -> String {
    if !theme.ascii {
        return keys.to_owned();
    }
    let arrows = [("←", "left"), ("→", "right"), ("↑", "up"), ("↓", "down")];
    arrows
        .into_iter()
        .fold(keys.to_owned(), |keys, (arrow, name)| {
            keys.replace(arrow, name)
        })
}
