//! A horizontal bar with a resolution of an eighth of a cell.

use crate::theme::Theme;

const EIGHTHS: [char; 8] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];

/// The filled part of a bar of `width` cells for `share` (0..=1). A share above 0 is always
/// visible.
pub fn bar(share: f64, width: u16, theme: &Theme) -> String {
    let share = if share.is_finite() {
        share.clamp(0.0, 1.0)
    } else {
        0.0
    };
    let steps = if theme.ascii { 1 } else { 8 };
    let exact = share * f64::from(width) * f64::from(steps);
    let filled = (exact.round() as u32).max(u32::from(share > 0.0 && width > 0));
    let full = theme.sign('█', '#');
    let mut text: String = std::iter::repeat_n(full, (filled / steps) as usize).collect();
    if filled % steps > 0 {
        text.push(EIGHTHS[(filled % steps) as usize - 1]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(share: f64, ascii: bool, expected: &str) {
        let theme = Theme {
            ascii,
            ..Theme::dark()
        };
        assert_eq!(bar(share, 4, &theme), expected, "{share}");
    }

    #[test]
    fn a_bar_is_as_long_as_its_share() {
        check(0.0, false, "");
        check(0.001, false, "▏");
        check(0.5, false, "██");
        check(0.53, false, "██▏");
        check(1.0, false, "████");
        check(7.0, false, "████");
        check(f64::NAN, false, "");
        check(0.5, true, "##");
        check(0.01, true, "#");
    }
}
