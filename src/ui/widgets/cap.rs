//! Keys as they stand in a line of text: from the table in force, in the color of keys.

use ratatui::text::Span;

use crate::ui::keymap::{self, Action, Scope};
use crate::ui::theme::Theme;

/// The key of an action, or those of several one after the other.
pub fn cap(scope: Scope, actions: &[Action], theme: &Theme) -> Span<'static> {
    let keys = actions.iter().map(|&action| keymap::label(scope, action));
    let keys = keys.collect::<Vec<_>>().join(" ");
    Span::styled(theme.plain(keys), theme.key)
}
