//! The sign of a line, in its legend and on the line, by which lines are told apart without colors.

use ratatui::style::Style;

use crate::ui::theme::Theme;

use super::canvas::MARKS;

/// As many signs as there are marks in ASCII; none of them marks anything else on a chart.
pub const SIGNS: [&str; MARKS.len()] = ["●", "■", "▼", "○", "□", "▽", "★", "◉", "◧", "☆", "◎", "◨"];

/// The sign of a line, counted from the most important.
pub fn sign(line: usize, theme: &Theme) -> String {
    if theme.ascii {
        MARKS[line % MARKS.len()].to_string()
    } else {
        SIGNS[line % SIGNS.len()].to_owned()
    }
}

/// The look of a line; colors come again, signs then differ.
pub fn line_style(line: usize, theme: &Theme) -> Style {
    theme.series[line % theme.series.len()]
}
