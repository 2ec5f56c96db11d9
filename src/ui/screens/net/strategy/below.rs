//! Draws what stands below a strategy table: the position under the cursor, the count of all decisions, and what has changed.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use crate::arena::decisions::{Decision, Judgment};
use crate::games::board::Room;
use crate::ui::screens::net::sight::Sight;
use crate::ui::theme::Theme;
use crate::ui::widgets::board::{self, Over};
use crate::ui::widgets::fit::fit;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::gauge::gauge;
use crate::ui::widgets::text::{below, inset};

use super::view::{judgment_sign, oracle_sign, turn_sign};
use super::{Strategy, Turn};

/// Lines from which on the position is drawn as a board.
const BOARD: u16 = 5;

impl Strategy {
    pub(super) fn view_below(&self, sight: &Sight<'_>, area: Rect, buf: &mut Buffer) {
        if area.width < 100 {
            let halves = [Constraint::Fill(1), Constraint::Fill(1)];
            let [here, all] = Layout::horizontal(halves).areas(area);
            self.view_here(sight, here, buf);
            self.view_all(sight, all, buf);
        } else {
            let thirds = [
                Constraint::Fill(4),
                Constraint::Fill(4),
                Constraint::Fill(3),
            ];
            let [here, all, changed] = Layout::horizontal(thirds).areas(area);
            self.view_here(sight, here, buf);
            self.view_all(sight, all, buf);
            self.view_changed(sight, changed, buf);
        }
    }

    /// The position under the cursor.
    fn view_here(&self, sight: &Sight<'_>, area: Rect, buf: &mut Buffer) {
        let theme = sight.theme;
        let Some(decision) = self.decisions.get(sight.cursor) else {
            Frame::titled("Here").draw(Focus::Elsewhere, theme, area, buf);
            return;
        };
        let title = format!("In position {}", decision.position);
        let inner = pane(title, area, buf, theme);
        let mut lines = vec![
            table_line(decision, theme),
            fact("oracle", oracle_words(decision), theme),
        ];
        if let (Some(change), Some(before)) = (self.changes[sight.cursor], sight.before) {
            let words = format!("plays {}", move_words(decision, change.chosen));
            lines.push(fact(&format!("g{before}"), words, theme));
        }
        lines.push(Line::default());
        lines.push(moves_line(decision, theme));
        let rows = lines.len() as u16;
        Paragraph::new(lines).render(inner, buf);
        let rest = below(inner, rows + 1);
        if rest.height >= BOARD {
            draw_board(decision, sight, rest, buf);
        }
    }

    /// The count of all decisions, which is the legend as well.
    fn view_all(&self, sight: &Sight<'_>, area: Rect, buf: &mut Buffer) {
        let theme = sight.theme;
        let inner = pane("All decisions".to_owned(), area, buf, theme);
        let [right, wrong, free] =
            [Judgment::Right, Judgment::Wrong, Judgment::Free].map(|judgment| self.count(judgment));
        let count = |judgment: Judgment, count: usize, words: &'static str| {
            let (sign, style) = judgment_sign(judgment, theme);
            Line::from(vec![
                Span::styled(sign, style),
                Span::styled(format!(" {count:>3} "), theme.strong),
                Span::styled(words, theme.dim),
            ])
        };
        let oracle = Line::from(vec![
            Span::styled(oracle_sign(theme), theme.warning),
            Span::styled("     what the oracle would play", theme.dim),
        ]);
        let mut lines = vec![
            count(Judgment::Right, right, "right: it keeps the win"),
            count(Judgment::Wrong, wrong, "wrong: it gives the win away"),
            count(Judgment::Free, free, "don't care: all moves equal"),
            oracle,
        ];
        lines.extend(self.changed_lines(sight));
        if inner.height > 7 {
            let share = right as f64 / (right + wrong).max(1) as f64;
            let mut bar = gauge(
                share,
                inner.width.saturating_sub(16).min(40),
                theme.good,
                theme,
            );
            let words = format!(" {right} of {} right", right + wrong);
            bar.push_span(Span::styled(words, theme.text));
            lines.insert(0, bar);
            lines.insert(1, Line::default());
        }
        Paragraph::new(lines).render(inner, buf);
    }

    /// How many decisions have changed, and what that is worth.
    fn changed_lines(&self, sight: &Sight<'_>) -> Vec<Line<'static>> {
        let theme = sight.theme;
        let Some(before) = sight.before else {
            let words = "no older champion to compare with";
            return vec![Line::styled(words, theme.dim)];
        };
        let mut spans = Vec::new();
        for (turn, words) in [
            (Turn::Better, "better  "),
            (Turn::Worse, "worse  "),
            (Turn::Neither, "other"),
        ] {
            let (sign, style) = turn_sign(turn, theme);
            spans.push(Span::styled(sign, style));
            let count = self.turned(turn);
            spans.push(Span::styled(format!(" {count} "), theme.strong));
            spans.push(Span::styled(words, theme.dim));
        }
        vec![
            Line::from(spans),
            Line::styled(format!("  than in generation {before}"), theme.dim),
        ]
    }

    /// The decisions that differ from the earlier table's.
    fn view_changed(&self, sight: &Sight<'_>, area: Rect, buf: &mut Buffer) {
        let theme = sight.theme;
        let title = match sight.before {
            Some(before) => format!("Changed since g{before}"),
            None => "Changed".to_owned(),
        };
        let inner = pane(title, area, buf, theme);
        let arrow = if theme.ascii { ">" } else { "→" };
        let changed = self.decisions.iter().zip(&self.changes);
        let mut lines: Vec<Line<'_>> = changed
            .filter_map(|(decision, change)| Some((decision, (*change)?)))
            .map(|(decision, change)| {
                let (sign, style) = turn_sign(change.turn, theme);
                let before = move_words(decision, change.chosen);
                let now = move_words(decision, decision.chosen);
                Line::from(vec![
                    Span::styled(format!("{sign} "), style),
                    Span::styled(format!("{:<6}", fit(&decision.position, 5)), theme.text),
                    Span::styled(format!("{before} {arrow} {now}"), theme.dim),
                ])
            })
            .collect();
        if lines.is_empty() {
            lines.push(Line::styled("Nothing.", theme.dim));
        }
        let room = usize::from(inner.height);
        if lines.len() > room {
            let more = lines.len() + 1 - room.max(1);
            lines.truncate(room.saturating_sub(1));
            lines.push(Line::styled(format!("and {more} more"), theme.dim));
        }
        Paragraph::new(lines).render(inner, buf);
    }
}

fn pane(title: String, area: Rect, buf: &mut Buffer, theme: &Theme) -> Rect {
    inset(
        Frame::titled(title).draw(Focus::Elsewhere, theme, area, buf),
        1,
    )
}

fn fact(name: &str, words: String, theme: &Theme) -> Line<'static> {
    Line::from(vec![
        Span::styled(format!("{name:<8}"), theme.dim),
        Span::styled(words, theme.text),
    ])
}

fn table_line(decision: &Decision, theme: &Theme) -> Line<'static> {
    let (sign, style) = judgment_sign(decision.judgment, theme);
    let words = match decision.judgment {
        Judgment::Right => "right",
        Judgment::Wrong => "wrong",
        Judgment::Free => "as good as any",
    };
    let chosen = move_words(decision, decision.chosen);
    let mut line = fact("table", format!("plays {chosen}  "), theme);
    line.push_span(Span::styled(format!("{sign} {words}"), style));
    line
}

fn oracle_words(decision: &Decision) -> String {
    if decision.judgment == Judgment::Free {
        return "plays anything".to_owned();
    }
    let pairs = decision.moves.iter().zip(&decision.keeps);
    let best = pairs
        .filter(|(_, keeps)| **keeps)
        .map(|(name, _)| name.as_str());
    format!("plays {}", best.collect::<Vec<_>>().join(" or "))
}

fn move_words(decision: &Decision, place: Option<usize>) -> String {
    let name = place.and_then(|place| decision.moves.get(place));
    name.map_or("an illegal move".to_owned(), Clone::clone)
}

/// Each legal move with its worth.
fn moves_line(decision: &Decision, theme: &Theme) -> Line<'static> {
    let mut spans = vec![Span::styled(format!("{:<8}", "moves"), theme.dim)];
    for (name, keeps) in decision.moves.iter().zip(&decision.keeps) {
        let judgment = match (decision.judgment, keeps) {
            (Judgment::Free, _) => Judgment::Free,
            (_, true) => Judgment::Right,
            (_, false) => Judgment::Wrong,
        };
        let (sign, style) = judgment_sign(judgment, theme);
        spans.push(Span::styled(format!("{name} "), theme.text));
        spans.push(Span::styled(format!("{sign}  "), style));
    }
    Line::from(spans)
}

/// The position as a board.
fn draw_board(decision: &Decision, sight: &Sight<'_>, area: Rect, buf: &mut Buffer) {
    let mut table = Arc::clone(sight.arena).table(0);
    if table.set_up(&decision.position).is_err() {
        return;
    }
    let room = Room {
        width: area.width,
        height: area.height,
    };
    board::draw(&table.board(room), sight.theme, &Over::default(), area, buf);
}
