//! Draws a strategy table: a column for each position, a row for each move, the table's choice in each column judged.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::arena::decisions::{Decision, Judgment};
use crate::ui::screens::net::sight::Sight;
use crate::ui::theme::Theme;
use crate::ui::widgets::fit::fit;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::text::{inset, put};

use super::{Strategy, Turn};

/// The grid as it fits the room: which positions and moves, and the size of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Plan {
    label: u16,
    /// Lines of the positions' names.
    head: u16,
    tile: (u16, u16),
    first_column: usize,
    columns: usize,
    first_row: usize,
    rows: usize,
}

/// Lines that the panes below the grid should have at least, and lines without which they are left out.
const BELOW: u16 = 9;
const LEAST_BELOW: u16 = 4;

/// The widest tile.
const WIDEST: u16 = 8;

const POSITION: &str = "position";
const CHANGED: &str = "changed";

impl Strategy {
    pub(in crate::ui::screens::net) fn view(
        &self,
        sight: &Sight<'_>,
        mut frame: Frame<'_>,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let below = if sight.zoom.is_in() { 0 } else { BELOW };
        let plan = self.plan(sight.cursor, area, below);
        let height = (plan.height() + 2).min(area.height);
        let height = if sight.zoom.is_in() || area.height - height < LEAST_BELOW {
            area.height
        } else {
            height
        };
        let [grid, below] =
            Layout::vertical([Constraint::Length(height), Constraint::Fill(1)]).areas(area);
        if plan.columns < self.len() {
            let (first, last) = (plan.first_column + 1, plan.first_column + plan.columns);
            let words = format!("{first} to {last} of {} positions", self.len());
            frame.bottom_right = Line::styled(words, sight.theme.dim);
        }
        let inner = inset(frame.draw(Focus::Here, sight.theme, grid, buf), 1);
        self.draw_grid(plan, sight, inner, buf);
        self.view_below(sight, below, buf);
    }

    /// The biggest tiles with which all positions are seen, and room is left for the panes below.
    fn plan(&self, cursor: usize, area: Rect, below: u16) -> Plan {
        let (wide, high) = (area.width.saturating_sub(4), area.height.saturating_sub(2));
        let names = self.moves.iter().map(|name| name.chars().count());
        let label = (names.max().unwrap_or(0) + 5).clamp(POSITION.len(), 14) as u16 + 2;
        let count = self.len().max(1);
        let room = wide.saturating_sub(label).max(2);
        let width = (usize::from(room) / count).clamp(2, WIDEST.into()) as u16;
        let columns = count.min(usize::from(room / width)).max(1);
        let longest = self.decisions.iter().map(|found| found.position.len());
        let longest = longest.max().unwrap_or(0) as u16;
        let head = if longest < width { 1 } else { longest.min(4) };
        // The head, a line for what has changed, and one of air.
        let around = head + 2;
        let moves = self.moves.len().max(1);
        let rows_high = |high: u16| moves as u16 * high;
        let is_square = width >= 5;
        let tall = if is_square && around + rows_high(3) + below <= high {
            3
        } else {
            1
        };
        let rows = moves.min(usize::from(high.saturating_sub(around).max(1) / tall).max(1));
        let chosen = self.decisions.get(cursor).and_then(|found| found.chosen);
        let around = |place: usize, shown: usize, all: usize| {
            place
                .saturating_sub(shown / 2)
                .min(all.saturating_sub(shown))
        };
        Plan {
            label,
            head,
            tile: (width, tall),
            first_column: around(cursor, columns, self.len()),
            columns,
            first_row: around(chosen.unwrap_or(0), rows, moves),
            rows,
        }
    }

    fn draw_grid(&self, plan: Plan, sight: &Sight<'_>, area: Rect, buf: &mut Buffer) {
        let theme = sight.theme;
        let label = usize::from(plan.label);
        let name = |words: &str| Span::styled(fit(words, label.saturating_sub(1)), theme.dim);
        put(buf, area, plan.head - 1, name(POSITION));
        for row in 0..plan.rows {
            let middle = (plan.tile.1 - 1) / 2;
            let y = plan.row(row) + middle;
            let words = format!("move {}", self.moves[plan.first_row + row]);
            put(buf, area, y, name(&words));
        }
        put(buf, area, plan.row(plan.rows), name(CHANGED));
        for column in 0..plan.columns {
            let place = plan.first_column + column;
            if let Some(decision) = self.decisions.get(place) {
                let x = area.x + plan.label + column as u16 * plan.tile.0;
                let column = Rect {
                    x,
                    width: plan.tile.0.min(area.right().saturating_sub(x)),
                    ..area
                };
                self.draw_column(plan, sight, (place, decision), column, buf);
            }
        }
    }

    fn draw_column(
        &self,
        plan: Plan,
        sight: &Sight<'_>,
        (place, decision): (usize, &Decision),
        area: Rect,
        buf: &mut Buffer,
    ) {
        let theme = sight.theme;
        let is_pointed = place == sight.cursor;
        let look = if is_pointed {
            theme.selection
        } else {
            theme.text
        };
        let width = usize::from(plan.fill());
        for (line, words) in plan.name(&decision.position).into_iter().enumerate() {
            let words = format!("{words:^width$}");
            put(buf, area, line as u16, Span::styled(words, look));
        }
        for row in 0..plan.rows {
            let (sign, style) = cell(decision, plan.first_row + row, theme);
            let style = if is_pointed && style == theme.faint {
                theme.focus
            } else {
                style
            };
            plan.tile(sign, style, plan.row(row), area, buf);
        }
        if let Some(change) = self.changes[place] {
            let (sign, style) = turn_sign(change.turn, theme);
            let words = format!("{sign:^width$}");
            put(buf, area, plan.row(plan.rows), Span::styled(words, style));
        }
    }
}

impl Plan {
    /// Lines of the grid.
    fn height(&self) -> u16 {
        self.row(self.rows) + 1
    }

    /// The line at which a row begins.
    fn row(&self, row: usize) -> u16 {
        self.head + row as u16 * self.tile.1
    }

    /// The columns of a tile that are filled.
    fn fill(&self) -> u16 {
        self.tile.0 - 1
    }

    /// A position's name, line by line: upright where it is too wide.
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

    /// Draws a tile with a sign in its middle.
    fn tile(&self, sign: &str, style: Style, y: u16, area: Rect, buf: &mut Buffer) {
        let width = usize::from(self.fill());
        for line in 0..self.tile.1 {
            let is_middle = line == (self.tile.1 - 1) / 2;
            let words = format!("{:^width$}", if is_middle { sign } else { "" });
            put(buf, area, y + line, Span::styled(words, style));
        }
    }
}

/// The sign and look of a move in a position.
fn cell(decision: &Decision, place: usize, theme: &Theme) -> (&'static str, Style) {
    let is_kept = decision.keeps.get(place);
    match (decision.judgment, is_kept) {
        (_, None) => ("", theme.text),
        (judgment, Some(_)) if decision.chosen == Some(place) => {
            let (sign, style) = judgment_sign(judgment, theme);
            let style = match judgment {
                Judgment::Free => style,
                Judgment::Right | Judgment::Wrong => theme.badge(style),
            };
            (sign, style)
        }
        (Judgment::Wrong, Some(true)) => (oracle_sign(theme), theme.warning),
        _ => (if theme.ascii { "." } else { "·" }, theme.faint),
    }
}

/// The sign and look of a judgment.
pub(super) fn judgment_sign(judgment: Judgment, theme: &Theme) -> (&'static str, Style) {
    match (judgment, theme.ascii) {
        (Judgment::Right, false) => ("✓", theme.good),
        (Judgment::Right, true) => ("+", theme.good),
        (Judgment::Wrong, false) => ("✗", theme.bad),
        (Judgment::Wrong, true) => ("x", theme.bad),
        (Judgment::Free, _) => ("=", theme.dim),
    }
}

/// The sign of what the oracle would play.
pub(super) fn oracle_sign(theme: &Theme) -> &'static str {
    if theme.ascii { "o" } else { "○" }
}

/// The sign and look of a change.
pub(super) fn turn_sign(turn: Turn, theme: &Theme) -> (&'static str, Style) {
    match (turn, theme.ascii) {
        (Turn::Better, false) => ("▲", theme.good),
        (Turn::Better, true) => ("^", theme.good),
        (Turn::Worse, false) => ("▼", theme.bad),
        (Turn::Worse, true) => ("v", theme.bad),
        (Turn::Neither, false) => ("◆", theme.text),
        (Turn::Neither, true) => ("*", theme.text),
    }
}
