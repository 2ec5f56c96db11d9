//! A line of text input.

use crossterm::event::{Event, KeyCode, KeyEvent};
use ratatui::text::Span;
use tui_input::Input;
use tui_input::backend::crossterm::EventHandler;

use crate::theme::Theme;

/// A line of text being typed.
#[derive(Clone, Debug, Default)]
pub struct TextInput {
    input: Input,
    /// Whether the whole text is selected: a typed character replaces it, a movement of the cursor
    /// keeps it.
    selected: bool,
}

/// The effect of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextInputResult {
    Editing,
    /// Enter was pressed; the text.
    Done(String),
    /// Esc was pressed.
    Canceled,
}

impl TextInput {
    /// A line that starts with `text`, with the cursor after it.
    pub fn new(text: &str) -> Self {
        Self {
            input: Input::new(text.to_owned()),
            selected: false,
        }
    }

    /// A line that starts with a text to replace or to edit.
    pub fn selected(text: &str) -> Self {
        Self {
            selected: true,
            ..Self::new(text)
        }
    }

    /// Handles a key.
    pub fn press(&mut self, key: KeyEvent) -> TextInputResult {
        match key.code {
            KeyCode::Enter => return TextInputResult::Done(self.input.value().trim().to_owned()),
            KeyCode::Esc => return TextInputResult::Canceled,
            KeyCode::Char(_) | KeyCode::Backspace | KeyCode::Delete if self.selected => {
                self.input.reset();
            }
            _ => {}
        }
        self.selected = false;
        self.input.handle_event(&Event::Key(key));
        TextInputResult::Editing
    }

    pub fn text(&self) -> &str {
        self.input.value()
    }

    /// The line with its cursor, in at most `width` cells.
    pub fn spans(&self, width: usize, theme: &Theme) -> Vec<Span<'static>> {
        if self.selected && !self.text().is_empty() {
            let text: String = self.text().chars().take(width).collect();
            return vec![Span::styled(text, theme.selection)];
        }
        let skip = self.input.visual_scroll(width.saturating_sub(1));
        let shown: Vec<char> = self.text().chars().skip(skip).take(width).collect();
        let at = self.input.cursor().saturating_sub(skip).min(shown.len());
        let part = |chars: &[char]| chars.iter().collect::<String>();
        let under = shown.get(at).copied().unwrap_or(' ');
        vec![
            Span::styled(part(&shown[..at]), theme.strong),
            Span::styled(under.to_string(), theme.selection),
            Span::styled(part(shown.get(at + 1..).unwrap_or(&[])), theme.strong),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::KeyModifiers;

    #[test]
    fn typing_replaces_a_selected_text_and_an_arrow_keeps_it() {
        use KeyCode::{Backspace, Char, End, Left};
        for (keys, expected) in [
            (&[Char('2')][..], "2"),
            (&[Char('2'), Char('5')], "25"),
            (&[Backspace], ""),
            (&[End, Char('2')], "0.282"),
            (&[Left, Char('2')], "0.228"),
            (&[], "0.28"),
        ] {
            let mut input = TextInput::selected("0.28");
            for &code in keys {
                input.press(KeyEvent::new(code, KeyModifiers::NONE));
            }
            assert_eq!(input.text(), expected, "{keys:?}");
        }
    }
}
