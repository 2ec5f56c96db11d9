//! The legend of a chart: a row for each line with its marker, its name and a value for each
//! heading.

use std::iter;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use crate::theme::Theme;
use crate::widgets::table::{TableColumn, TableLayout};
use crate::widgets::text::put;
use crate::widgets::truncate::widest;

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
        let columns = self.columns(usize::from(area.width).saturating_sub(4));
        let mut head = columns.headings(theme.dim);
        head.spans.insert(0, Span::raw("   "));
        put(buf, area, 0, head);
        for (row, entry) in (1..).zip(&self.entries) {
            let cells = iter::once(&entry.name).chain(&entry.figures);
            let mut line = columns.row(cells.map(|cell| Span::styled(&**cell, theme.text)));
            let sign = Span::styled(format!(" {} ", entry.sign), entry.style);
            line.spans.insert(0, sign);
            put(buf, area, row, line);
        }
    }

    /// The column of names and those of the values that fit into `room`.
    fn columns(&self, room: usize) -> TableLayout<'_> {
        let headings = self.headings.iter().enumerate();
        let values: Vec<TableColumn<'_>> = headings
            .map(|(place, heading)| {
                let figures = self
                    .entries
                    .iter()
                    .filter_map(|entry| entry.figures.get(place));
                let width = widest(figures.chain([heading]).map(String::as_str));
                // Two spaces before each.
                TableColumn::number(heading, width + 2)
            })
            .collect();
        let names = widest(self.entries.iter().map(|entry| entry.name.as_str()));
        let longest = names.clamp(NAME_WIDTHS.0, NAME_WIDTHS.1);
        let mut columns = vec![TableColumn::words("", longest.min(MIN_CUT_NAME))];
        columns.extend(values);
        let mut layout = TableLayout { columns, gap: 0 }.fitted(room);
        let left = room.saturating_sub(layout.width());
        if let Some(name) = layout.columns.first_mut() {
            name.width = (name.width + left).min(longest);
        }
        layout
    }
}
