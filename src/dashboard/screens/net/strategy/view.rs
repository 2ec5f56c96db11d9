//! Draws a strategy table: a column for each position, a row for each move, with the chosen move
//! judged.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::screens::net::view_options::NetViewOptions;
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::text::{below, columns_of, first_rows, put};
use crate::widgets::truncate::{truncate, width};
use finches_engine::play::decisions::{Decision, DecisionQuality};

use super::{ChangeEffect, Strategy};

/// The visible part of the grid and the size of its tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct StrategyLayout {
    label: u16,
    /// Lines of the column headings.
    head: u16,
    tile: (u16, u16),
    first_column: usize,
    columns: usize,
    first_row: usize,
    rows: usize,
}

/// Preferred height of the panes below the grid, and the height below which they are left out.
const DETAILS_HEIGHT: u16 = 9;
const MIN_DETAILS_HEIGHT: u16 = 4;

const MAX_TILE_WIDTH: u16 = 8;

const POSITION: &str = "position";
const CHANGED: &str = "changed";

impl Strategy {
    pub(in crate::screens::net) fn view(
        &self,
        options: &NetViewOptions<'_>,
        mut frame: Frame<'_>,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let is_zoomed = options.zoom.is_zoomed();
        let wanted = if is_zoomed { 0 } else { DETAILS_HEIGHT };
        let room = (area.width.saturating_sub(4), area.height.saturating_sub(2));
        let layout = self.layout(options.cursor, room, wanted);
        let height = (layout.height() + 2).min(area.height);
        let is_whole = is_zoomed || area.height - height < MIN_DETAILS_HEIGHT;
        let height = if is_whole { area.height } else { height };
        let (grid, below) = (first_rows(area, height), below(area, height));
        if layout.columns < self.len() {
            let first = layout.first_column;
            let (last, all) = (first + layout.columns, self.len());
            let words = format!("{} to {last} of {all} positions", first + 1);
            frame.bottom_right = Line::styled(words, options.theme.dim);
        }
        let inner = frame.pane(Focus::Here, options.theme, grid, buf);
        self.draw_grid(layout, options, inner, buf);
        self.view_details(options, below, buf);
    }

    /// Draws the grid alone.
    pub(in crate::screens) fn draw(
        &self,
        options: &NetViewOptions<'_>,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let layout = self.layout(options.cursor, (area.width, area.height), 0);
        self.draw_grid(layout, options, area, buf);
    }

    /// What the signs of the grid mean.
    pub(in crate::screens) fn legend(theme: &Theme) -> Line<'static> {
        let sign = |quality, words| {
            let (sign, style) = judgment_sign(quality, theme);
            [Span::styled(sign, style), Span::styled(words, theme.dim)]
        };
        let kinds = [
            sign(DecisionQuality::Right, " right  "),
            sign(DecisionQuality::Wrong, " wrong  "),
            sign(DecisionQuality::Indifferent, " all equal"),
        ];
        kinds.into_iter().flatten().collect()
    }

    /// Chooses the largest tiles that show all positions and leave room for the panes below.
    fn layout(&self, cursor: usize, (wide, high): (u16, u16), below: u16) -> StrategyLayout {
        let names = self.moves.iter().map(|name| width(name));
        let label = (names.max().unwrap_or(0) + 5).clamp(POSITION.len(), 14) as u16 + 1;
        let count = self.len().max(1);
        let room = wide.saturating_sub(label).max(2);
        let width = (usize::from(room) / count).clamp(2, MAX_TILE_WIDTH.into()) as u16;
        let columns = count.min(usize::from(room / width)).max(1);
        let longest = self.decisions.iter().map(|found| found.position.len());
        let longest = longest.max().unwrap_or(0) as u16;
        let head = if longest < width { 1 } else { longest.min(4) };
        // The headings, the line of changes, and a blank line.
        let around = head + 2;
        let moves = self.moves.len().max(1);
        let rows_high = |high: u16| moves as u16 * high;
        // Taller tiles use the room of a large screen, but not that of the panes below.
        let tall = [(7, 2 * below), (5, 2 * below), (3, below)]
            .into_iter()
            .filter(|&(tall, _)| tall <= width + 2)
            .find(|&(tall, below)| around + rows_high(tall) + below <= high)
            .map_or(1, |(tall, _)| tall);
        let rows = moves.min(usize::from(high.saturating_sub(around).max(1) / tall).max(1));
        let chosen = self.decisions.get(cursor).and_then(|found| found.chosen);
        let around = |place: usize, shown: usize, all: usize| {
            place
                .saturating_sub(shown / 2)
                .min(all.saturating_sub(shown))
        };
        StrategyLayout {
            label,
            head,
            tile: (width, tall),
            first_column: around(cursor, columns, self.len()),
            columns,
            first_row: around(chosen.unwrap_or(0), rows, moves),
            rows,
        }
    }

    fn draw_grid(
        &self,
        layout: StrategyLayout,
        options: &NetViewOptions<'_>,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let theme = options.theme;
        let label = usize::from(layout.label);
        let name = |words: &str| Span::styled(truncate(words, label.saturating_sub(1)), theme.dim);
        put(buf, area, layout.head - 1, name(POSITION));
        for row in 0..layout.rows {
            let middle = (layout.tile.1 - 1) / 2;
            let y = layout.row(row) + middle;
            let words = format!("move {}", self.moves[layout.first_row + row]);
            put(buf, area, y, name(&words));
        }
        put(buf, area, layout.row(layout.rows), name(CHANGED));
        for column in 0..layout.columns {
            let place = layout.first_column + column;
            if let Some(decision) = self.decisions.get(place) {
                let (width, _) = layout.tile;
                let column = columns_of(area, layout.label + column as u16 * width, width);
                self.draw_column(layout, options, (place, decision), column, buf);
            }
        }
    }

    fn draw_column(
        &self,
        layout: StrategyLayout,
        options: &NetViewOptions<'_>,
        (place, decision): (usize, &Decision),
        area: Rect,
        buf: &mut Buffer,
    ) {
        let theme = options.theme;
        let is_pointed = place == options.cursor;
        let look = if is_pointed {
            theme.selection
        } else {
            theme.text
        };
        let width = usize::from(layout.fill());
        for (line, words) in layout.name(&decision.position).into_iter().enumerate() {
            let words = format!("{words:^width$}");
            put(buf, area, line as u16, Span::styled(words, look));
        }
        for row in 0..layout.rows {
            let (sign, style) = cell(decision, layout.first_row + row, theme);
            let style = if is_pointed && style == theme.faint {
                theme.focus
            } else {
                style
            };
            layout.tile(sign, style, layout.row(row), area, buf);
        }
        if let Some(change) = self.changes[place] {
            let (sign, style) = effect_sign(change.effect, theme);
            let words = format!("{sign:^width$}");
            let row = layout.row(layout.rows);
            put(buf, area, row, Span::styled(words, style));
        }
    }
}

impl StrategyLayout {
    /// The height of the grid.
    fn height(&self) -> u16 {
        self.row(self.rows) + 1
    }

    /// The first line of a row.
    fn row(&self, row: usize) -> u16 {
        self.head + row as u16 * self.tile.1
    }

    /// The filled columns of a tile.
    fn fill(&self) -> u16 {
        self.tile.0 - 1
    }

    /// A position as heading, line by line; vertical if it is too wide.
    fn name(&self, position: &str) -> Vec<String> {
        if self.head == 1 {
            return vec![position.to_owned()];
        }
        let head = usize::from(self.head);
        let letters: Vec<char> = position.chars().take(head).collect();
        let lines = std::iter::repeat_n(String::new(), head - letters.len());
        lines
            .chain(letters.iter().map(ToString::to_string))
            .collect()
    }

    /// Draws a tile with a symbol in the middle.
    fn tile(&self, sign: &str, style: Style, y: u16, area: Rect, buf: &mut Buffer) {
        let width = usize::from(self.fill());
        for line in 0..self.tile.1 {
            let is_middle = line == (self.tile.1 - 1) / 2;
            let words = format!("{:^width$}", if is_middle { sign } else { "" });
            put(buf, area, y + line, Span::styled(words, style));
        }
    }
}

/// The symbol and style of a move in a position.
fn cell(decision: &Decision, place: usize, theme: &Theme) -> (&'static str, Style) {
    let is_kept = decision.keeps.get(place);
    match (decision.quality, is_kept) {
        (_, None) => ("", theme.text),
        (judgment, Some(_)) if decision.chosen == Some(place) => {
            let (sign, style) = judgment_sign(judgment, theme);
            let style = match judgment {
                DecisionQuality::Indifferent => style,
                DecisionQuality::Right | DecisionQuality::Wrong => theme.badge(style),
            };
            (sign, style)
        }
        (DecisionQuality::Wrong, Some(true)) => (oracle_sign(theme), theme.warning),
        _ => (theme.sign("·", "."), theme.faint),
    }
}

/// The symbol and style of a decision's quality.
pub(super) fn judgment_sign(judgment: DecisionQuality, theme: &Theme) -> (&'static str, Style) {
    match judgment {
        DecisionQuality::Right => (theme.sign("✓", "+"), theme.good),
        DecisionQuality::Wrong => (theme.sign("✗", "x"), theme.bad),
        DecisionQuality::Indifferent => ("=", theme.dim),
    }
}

/// The symbol of the oracle's move.
pub(super) fn oracle_sign(theme: &Theme) -> &'static str {
    theme.sign("○", "o")
}

/// The symbol and style of a change.
pub(super) fn effect_sign(effect: ChangeEffect, theme: &Theme) -> (&'static str, Style) {
    match effect {
        ChangeEffect::Better => (theme.sign("▲", "^"), theme.good),
        ChangeEffect::Worse => (theme.sign("▼", "v"), theme.bad),
        ChangeEffect::Neither => (theme.sign("◆", "*"), theme.text),
    }
}
