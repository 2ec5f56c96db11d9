//! A line of text input.

use crossterm::event::{Event, KeyCode, KeyEvent};
use ratatui::text::Span;
use tui_input::Input;
use tui_input::backend::crossterm::EventHandler;

use crate::ui::theme::Theme;

/// A line of text being typed.
#[derive(Clone, Debug, Default)]
pub struct TextInput {
    input: Input,
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
        }
    }

    /// Handles a key.
    pub fn press(&mut self, key: KeyEvent) -> TextInputResult {
        match key.code {
            KeyCode::Enter => return TextInputResult::Done(self.input.value().trim().to_owned()),
            KeyCode::Esc => return TextInputResult::Canceled,
            _ => {}
        }
        self.input.handle_event(&Event::Key(key));
        TextInputResult::Editing
    }

    pub fn text(&self) -> &str {
        self.input.value()
    }

    /// The line with its cursor, in at most `width` cells.
    pub fn spans(&self, width: usize, theme: &Theme) -> Vec<Span<'static>> {
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
