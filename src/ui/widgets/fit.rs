//! Text cut and broken to fit a width.

/// What stands where text was cut.
pub const LOST: &str = "…";

/// Text cut to `width` characters, its loss marked. The mark is painted over where nothing but ASCII can be drawn.
pub fn fit(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    if width == 0 { kept } else { kept + LOST }
}

/// Text cut to `width` characters in its middle, for names that differ at their ends.
pub fn fit_ends(text: &str, width: usize) -> String {
    let length = text.chars().count();
    let tail = width / 3;
    if length <= width || tail == 0 {
        return fit(text, width);
    }
    let head: String = text.chars().take(width - tail - 1).collect();
    let tail: String = text.chars().skip(length - tail).collect();
    head + LOST + &tail
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
        assert_eq!(fit("champion", 5), "cham…");
        assert_eq!(fit("champion", 0), "");
        assert_eq!(fit_ends("nim-2x4-value-3", 15), "nim-2x4-value-3");
        assert_eq!(fit_ends("nim-2x4-value-3", 12), "nim-2x4…ue-3");
        assert_eq!(fit_ends("nim-2x4-value-3", 2), "n…");
        assert_eq!(
            wrap("you and the champion", 7),
            ["you and", "the", "champi…"]
        );
        assert_eq!(wrap("", 7), [""; 0]);
    }
}
