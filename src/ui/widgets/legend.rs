//! The legend of a chart: a row for each line with its marker, its name and a value for each heading.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::ui::theme::Theme;
use crate::ui::widgets::text::put;
use crate::ui::widgets::truncate::truncate;

/// A row of the legend.
#[derive(Clone, Debug)]
pub struct LegendEntry {
    pub sign: String,
    pub style: Style,
    pub name: String,
    pub figures: Vec<String>,
}

/// The legend. Columns that do not fit are left out, the last first.
#[derive(Clone, Debug)]
pub struct Legend {
    pub headings: Vec<String>,
    pub entries: Vec<LegendEntry>,
}

/// The smallest and the largest width of the names.
const NAME_WIDTHS: (usize, usize) = (10, 34);

/// Names are not truncated below this width to make room for values.
const MIN_CUT_NAME: usize = 16;

impl Legend {
    /// The number of rows, with the headings.
    pub fn height(&self) -> u16 {
        self.entries.len() as u16 + 1
    }

    pub fn draw(&self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let widths = self.widths();
        let names = self.entries.iter().map(|entry| entry.name.chars().count());
        let longest = names.max().unwrap_or(0).clamp(NAME_WIDTHS.0, NAME_WIDTHS.1);
        let room = usize::from(area.width).saturating_sub(4);
        let all: usize = widths.iter().sum();
        let name = longest
            .min(room.saturating_sub(all))
            .max(longest.min(MIN_CUT_NAME));
        let mut left = room.saturating_sub(name);
        let fitting = widths.iter().take_while(|width| {
            let fits = **width <= left;
            left = left.saturating_sub(**width);
            fits
        });
        let widths: Vec<usize> = fitting.copied().collect();
        let mut head = Line::from(" ".repeat(3 + name));
        for (heading, &width) in self.headings.iter().zip(&widths) {
            head.push_span(Span::styled(format!("{heading:>width$}"), theme.dim));
        }
        put(buf, area, 0, head);
        for (row, entry) in self.entries.iter().enumerate() {
            put(buf, area, row as u16 + 1, entry.line(name, &widths, theme));
        }
    }

    /// The width of each column of values, with two spaces before it.
    fn widths(&self) -> Vec<usize> {
        let headings = self.headings.iter().enumerate();
        let width = |(place, heading): (usize, &String)| {
            let figures = self
                .entries
                .iter()
                .filter_map(|entry| entry.figures.get(place));
            let widths = figures.map(|figure| figure.chars().count());
            widths.max().unwrap_or(0).max(heading.chars().count()) + 2
        };
        headings.map(width).collect()
    }
}

impl LegendEntry {
    fn line(&self, name: usize, widths: &[usize], theme: &Theme) -> Line<'_> {
        let mut line = Line::from(vec![
            Span::styled(format!(" {} ", self.sign), self.style),
            Span::styled(format!("{:<name$}", truncate(&self.name, name)), theme.text),
        ]);
        for (figure, &width) in self.figures.iter().zip(widths) {
            line.push_span(Span::styled(format!("{figure:>width$}"), theme.text));
        }
        line
    }
}
