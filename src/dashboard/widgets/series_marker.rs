//! The markers of lines, in the legend and on the chart, which distinguish lines without colors.

use ratatui::style::Style;

use crate::theme::Theme;

use super::canvas::ASCII_MARKERS;

/// The markers, as many as in ASCII. None of them has another meaning on a chart.
pub const MARKERS: [&str; ASCII_MARKERS.len()] =
    ["●", "■", "▼", "○", "□", "▽", "★", "◉", "◧", "☆", "◎", "◨"];

/// The marker of a line, counted from the most important.
pub fn marker(line: usize, theme: &Theme) -> String {
    if theme.ascii {
        ASCII_MARKERS[line % ASCII_MARKERS.len()].to_string()
    } else {
        MARKERS[line % MARKERS.len()].to_owned()
    }
}

/// The style of a line. Colors repeat before markers do.
pub fn line_style(line: usize, theme: &Theme) -> Style {
    theme.series[line % theme.series.len()]
}
