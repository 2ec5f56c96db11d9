//! Key labels within text, from the active keymap.

use ratatui::text::Span;

use crate::ui::keymap::{self, Action, Scope};
use crate::ui::theme::Theme;

/// The key of an action, or the keys of several actions.
pub fn key_label(scope: Scope, actions: &[Action], theme: &Theme) -> Span<'static> {
    let keys = actions.iter().map(|&action| keymap::label(scope, action));
    let keys = keys.collect::<Vec<_>>().join(" ");
    Span::styled(theme.to_drawable(keys), theme.key)
}
