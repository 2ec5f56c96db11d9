//! Measures, truncates, pads and wraps text, in columns of the terminal.

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_truncate::UnicodeTruncateStr;

use crate::theme::ELLIPSIS;

/// The columns that text takes.
pub fn width(text: &str) -> usize {
    Span::raw(text).width()
}

/// The largest width of some texts.
pub fn widest<'a>(texts: impl IntoIterator<Item = &'a str>) -> usize {
    texts.into_iter().map(width).max().unwrap_or(0)
}

/// Truncates text to `room` columns with an ellipsis. In ASCII mode,
/// [`Theme::paint`](crate::theme::Theme::paint) replaces it.
pub fn truncate(text: &str, room: usize) -> String {
    match room {
        _ if width(text) <= room => text.to_owned(),
        0 => String::new(),
        _ => head(text, room - 1) + ELLIPSIS,
    }
}

/// Truncates text and pads it with spaces on the right, so that it takes exactly `room` columns.
pub fn fit(text: &str, room: usize) -> String {
    pad(&truncate(text, room), room)
}

/// The same of names that differ at their ends: what is too long is left out in the middle.
pub fn fit_both_ends(text: &str, room: usize) -> String {
    const LEAST: usize = 8;
    if width(text) <= room || room < LEAST {
        return fit(text, room);
    }
    let tail_room = (room - 1) / 2;
    let (tail, _) = text.unicode_truncate_start(tail_room);
    let head = head(text, room - 1 - width(tail));
    pad(&format!("{head}{ELLIPSIS}{tail}"), room)
}

/// Pads text with spaces on the right.
pub fn pad(text: &str, room: usize) -> String {
    text.to_owned() + &" ".repeat(room.saturating_sub(width(text)))
}

/// Pads text with spaces on the left.
pub fn pad_left(text: &str, room: usize) -> String {
    " ".repeat(room.saturating_sub(width(text))) + text
}

/// Truncates a styled line.
pub fn truncate_line(line: &mut Line<'_>, room: usize, mark: Style) {
    if line.width() <= room {
        return;
    }
    let mut left = room.saturating_sub(1);
    for span in &mut line.spans {
        let kept = head(&span.content, left);
        left -= width(&kept);
        span.content = kept.into();
    }
    line.push_span(Span::styled(ELLIPSIS, mark));
}

/// Wraps words into lines of at most `room` columns. Longer words are truncated.
pub fn wrap(text: &str, room: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line) + width(word) < room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(truncate(word, room)),
        }
    }
    lines
}

/// At most `rows` lines; the last ends with an ellipsis if any are left out.
pub fn shortened(mut lines: Vec<String>, rows: usize, room: usize) -> Vec<String> {
    if lines.len() > rows {
        lines.truncate(rows);
        if let Some(last) = lines.last_mut() {
            *last = head(last, room.saturating_sub(1)) + ELLIPSIS;
        }
    }
    lines
}

/// Wraps words into lines of one style.
pub fn wrapped(text: &str, room: usize, style: Style) -> Vec<Line<'static>> {
    let lines = wrap(text, room).into_iter();
    lines.map(|line| Line::styled(line, style)).collect()
}

/// The longest beginning that fits.
fn head(text: &str, room: usize) -> String {
    text.unicode_truncate(room).0.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_and_wrapped_to_its_width() {
        assert_eq!(truncate("champion", 8), "champion");
        assert_eq!(truncate("champion", 5), "cham…");
        assert_eq!(truncate("champion", 0), "");
        assert_eq!(
            wrap("you and the champion", 7),
            ["you and", "the", "champi…"]
        );
        assert_eq!(wrap("", 7), [""; 0]);
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(truncate("五目並べ", 8), "五目並べ");
        assert_eq!(truncate("五目並べ", 6), "五目…");
        assert_eq!(fit("五目並べ", 6), "五目… ");
        assert_eq!(pad_left("五", 4), "  五");
        assert_eq!(wrap("五目 並べ", 8), ["五目", "並べ"]);
        assert_eq!(wrap("五目 並べ", 9), ["五目 並べ"]);
    }
}
