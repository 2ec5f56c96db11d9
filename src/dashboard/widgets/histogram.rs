//! A histogram of vertical bars, one of them marked.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use crate::theme::Theme;
use crate::widgets::text::{columns_of, put};

/// The glyphs for eighths of a character.
pub const BLOCKS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
const ASCII: [&str; 9] = [" ", ".", ".", ".", ":", ":", ":", "#", "#"];

/// The share of its color that a bar has at the foot, and how much is added up to the top.
const BRIGHTNESS: (f64, f64) = (0.35, 0.5);

/// A histogram.
pub struct Histogram<'a> {
    pub counts: &'a [u32],
    /// The marked bar.
    pub marked: Option<usize>,
    pub style: Style,
    /// Columns between two bars, of those of each.
    pub gap: u16,
}

impl Histogram<'_> {
    /// The width of one bar, with its gap, if the histogram has `width` columns.
    pub fn bar(&self, width: u16) -> u16 {
        width / (self.counts.len() as u16).max(1)
    }

    /// The width of all bars in `width` columns.
    pub fn width(&self, width: u16) -> u16 {
        self.bar(width) * self.counts.len() as u16
    }

    /// Draws the bars from the left, the brighter the higher. The highest fills the area; a count
    /// above 0 is always visible.
    pub fn draw(&self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let highest = self.counts.iter().copied().max().unwrap_or(0).max(1);
        let glyphs = theme.sign(BLOCKS, ASCII);
        let pitch = self.bar(area.width);
        let width = pitch.saturating_sub(self.gap);
        for (place, &count) in self.counts.iter().enumerate() {
            let eighths = u64::from(count) * 8 * u64::from(area.height);
            let eighths = eighths.div_ceil(u64::from(highest)) as u16;
            let style = if self.marked == Some(place) {
                theme.accent
            } else {
                self.style
            };
            let bar = columns_of(area, place as u16 * pitch, width);
            for row in 0..area.height {
                let share = f64::from(area.height - row) / f64::from(area.height);
                let color = theme.shade(style, BRIGHTNESS.0 + BRIGHTNESS.1 * share);
                let style = color.map_or(style, |color| style.fg(color));
                let above = 8 * (area.height - 1 - row);
                let glyph = glyphs[usize::from(eighths.saturating_sub(above).min(8))];
                let text = glyph.repeat(width.into());
                put(buf, bar, row, Span::styled(text, style));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(counts: &[u32], (width, height): (u16, u16), ascii: bool, expected: &[&str]) {
        let area = Rect::new(0, 0, width, height);
        let mut buf = Buffer::empty(area);
        let theme = Theme {
            ascii,
            ..Theme::monochrome()
        };
        let histogram = Histogram {
            counts,
            marked: None,
            style: theme.text,
            gap: 0,
        };
        histogram.draw(&theme, area, &mut buf);
        let rows = buf.content.chunks(width.into());
        let rows: Vec<String> = rows
            .map(|row| row.iter().map(ratatui::buffer::Cell::symbol).collect())
            .collect();
        assert_eq!(rows, expected);
    }

    #[test]
    fn the_highest_bar_fills_the_area_and_small_counts_are_visible() {
        check(&[4, 0, 2, 1], (4, 2), false, &["█   ", "█ █▄"]);
        check(&[1000, 1, 500], (7, 1), false, &["██▁▁▄▄ "]);
        check(&[4, 0, 2, 1], (4, 2), true, &["#   ", "# #:"]);
        check(&[0, 0], (2, 1), false, &["  "]);
        check(&[], (2, 1), false, &["  "]);
        check(&[1, 2, 3], (2, 1), false, &["  "]);
    }
}
