//! Truncates and wraps text.

/// The mark of truncated text.
pub const ELLIPSIS: &str = "…";

/// Truncates text to `width` characters with an ellipsis. In ASCII mode, [`Theme::paint`](crate::ui::theme::Theme::paint)
/// replaces it.
pub fn truncate(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    if width == 0 { kept } else { kept + ELLIPSIS }
}

/// Truncates text to `width` characters in the middle, for names that differ at the end.
pub fn truncate_middle(text: &str, width: usize) -> String {
    let length = text.chars().count();
    let tail = width / 3;
    if length <= width || tail == 0 {
        return truncate(text, width);
    }
    let head: String = text.chars().take(width - tail - 1).collect();
    let tail: String = text.chars().skip(length - tail).collect();
    head + ELLIPSIS + &tail
}

/// Wraps words into lines of at most `width` characters. Longer words are truncated.
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
            _ => lines.push(truncate(word, width)),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_and_wrapped_to_its_width() {
        assert_eq!(truncate("champion", 8), "champion");
        assert_eq!(truncate("champion", 5), "cham…");
        assert_eq!(truncate("champion", 0), "");
        assert_eq!(truncate_middle("nim-2x4-value-3", 15), "nim-2x4-value-3");
        assert_eq!(truncate_middle("nim-2x4-value-3", 12), "nim-2x4…ue-3");
        assert_eq!(truncate_middle("nim-2x4-value-3", 2), "n…");
        assert_eq!(
            wrap("you and the champion", 7),
            ["you and", "the", "champi…"]
        );
        assert_eq!(wrap("", 7), [""; 0]);
    }
}
