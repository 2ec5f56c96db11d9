//! The frame around a part of a screen, and text cut to fit into it.

use ratatui::symbols::border;
use ratatui::widgets::{Block, Borders, Padding};

use crate::ui::theme::Theme;

/// How much a pane stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// The pane the keys act on.
    Main,
    Side,
}

const PLAIN: border::Set<'static> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

/// An empty pane with a title.
pub fn pane<'a>(title: &str, weight: Weight, theme: &Theme) -> Block<'a> {
    let (border, heading) = match weight {
        Weight::Main => (theme.focus, theme.accent),
        Weight::Side => (theme.border, theme.strong),
    };
    Block::new()
        .borders(Borders::ALL)
        .border_set(if theme.ascii { PLAIN } else { border::ROUNDED })
        .border_style(border)
        .title(ratatui::text::Span::styled(format!(" {title} "), heading))
        .padding(Padding::horizontal(1))
}

/// Text cut to `width` characters, its loss marked.
pub fn fit(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    if width == 0 { kept } else { kept + "~" }
}

/// Words broken into lines of at most `width` characters; a longer word is cut.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let room = lines
            .last()
            .map_or(0, |line| width.saturating_sub(line.chars().count()));
        match lines.last_mut() {
            Some(line) if word.chars().count() < room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(fit(word, width)),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_and_wrapped_to_its_width() {
        assert_eq!(fit("champion", 8), "champion");
        assert_eq!(fit("champion", 5), "cham~");
        assert_eq!(fit("champion", 0), "");
        assert_eq!(wrap("you and the champion", 7), ["you and", "the", "champi~"]);
        assert_eq!(wrap("", 7), [""; 0]);
    }
}
