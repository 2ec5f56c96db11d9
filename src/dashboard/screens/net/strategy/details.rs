//! Draws the panes below a strategy table: the selected position, counts of all decisions, and
//! changes.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};

use crate::screens::net::view_options::NetViewOptions;
use crate::screens::net::{fact, pane};
use crate::theme::Theme;
use crate::widgets::board;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::gauge::gauge;
use crate::widgets::text::{below, put_all};
use crate::widgets::truncate::truncate;
use finches_engine::play::decisions::{Decision, DecisionQuality};

use super::view::{effect_sign, judgment_sign, oracle_sign};
use super::{ChangeEffect, DecisionChange, Strategy};

/// The width from which on the wrong decisions are listed.
const WIDE: u16 = 150;

/// Lines from which on the position is drawn as a board.
const MIN_BOARD_HEIGHT: u16 = 5;

impl Strategy {
    pub(super) fn view_details(&self, options: &NetViewOptions<'_>, area: Rect, buf: &mut Buffer) {
        if area.width < 100 {
            let halves = [Constraint::Fill(1), Constraint::Fill(1)];
            let [here, all] = Layout::horizontal(halves).areas(area);
            self.view_position(options, here, buf);
            self.view_counts(options, all, buf);
        } else {
            let wrong = if area.width < WIDE { 0 } else { 3 };
            let has_changes = self.changes.iter().any(Option::is_some);
            let changed = if has_changes { 3 } else { 0 };
            let parts = [4, 4, wrong, changed].map(Constraint::Fill);
            let [here, all, wrong, changed] = Layout::horizontal(parts).areas(area);
            self.view_position(options, here, buf);
            self.view_counts(options, all, buf);
            self.view_wrong(options, wrong, buf);
            self.view_changed(options, changed, buf);
        }
    }

    /// Draws the selected position.
    fn view_position(&self, options: &NetViewOptions<'_>, area: Rect, buf: &mut Buffer) {
        let theme = options.theme;
        let Some(decision) = self.decisions.get(options.cursor) else {
            Frame::titled("Here").draw(Focus::Elsewhere, theme, area, buf);
            return;
        };
        let title = format!("In position {}", decision.position);
        let inner = pane(title, area, buf, theme);
        let mut lines = vec![
            table_line(decision, theme),
            fact("oracle", oracle_words(decision), theme),
        ];
        if let (Some(change), Some(before)) = (self.changes[options.cursor], options.compared_with)
        {
            let words = format!("plays {}", move_words(decision, change.previous_move));
            lines.push(fact(&format!("g{before}"), words, theme));
        }
        lines.push(Line::default());
        lines.push(moves_line(decision, theme));
        let rest = below(put_all(buf, inner, lines), 1);
        if rest.height >= MIN_BOARD_HEIGHT {
            draw_board(decision, options, rest, buf);
        }
    }

    /// Draws the counts of decisions, which also serve as legend.
    fn view_counts(&self, options: &NetViewOptions<'_>, area: Rect, buf: &mut Buffer) {
        let theme = options.theme;
        let inner = pane("All decisions", area, buf, theme);
        let count = |judgment: DecisionQuality, words: &'static str| {
            let (sign, style) = judgment_sign(judgment, theme);
            Line::from(vec![
                Span::styled(sign, style),
                Span::styled(format!(" {:>3} ", self.count(judgment)), theme.strong),
                Span::styled(words, theme.dim),
            ])
        };
        let oracle = Line::from(vec![
            Span::styled(oracle_sign(theme), theme.warning),
            Span::styled("     the oracle's move", theme.dim),
        ]);
        let mut lines = vec![
            count(DecisionQuality::Right, "right: keeps the win"),
            count(DecisionQuality::Wrong, "wrong: gives the win away"),
            count(DecisionQuality::Indifferent, "all moves equal"),
            oracle,
        ];
        lines.extend(self.changed_lines(options));
        if inner.height > 7 {
            let (right, judged) = self.right();
            let share = right as f64 / judged.max(1) as f64;
            let width = inner.width.saturating_sub(16).min(40);
            let mut bar = gauge(share, width, theme.good, theme);
            let words = format!(" {right} of {judged} right");
            bar.push_span(Span::styled(words, theme.text));
            lines.insert(0, bar);
            lines.insert(1, Line::default());
        }
        put_all(buf, inner, lines);
    }

    /// The number of changed decisions, by effect.
    fn changed_lines(&self, options: &NetViewOptions<'_>) -> Vec<Line<'static>> {
        let theme = options.theme;
        let Some(before) = options.compared_with else {
            let words = "no older champion to compare with";
            return vec![Line::styled(words, theme.dim)];
        };
        let mut spans = Vec::new();
        for (effect, words) in [
            (ChangeEffect::Better, "better  "),
            (ChangeEffect::Worse, "worse  "),
            (ChangeEffect::Neither, "other"),
        ] {
            let (sign, style) = effect_sign(effect, theme);
            spans.push(Span::styled(sign, style));
            let count = self.count_changes(effect);
            spans.push(Span::styled(format!(" {count} "), theme.strong));
            spans.push(Span::styled(words, theme.dim));
        }
        vec![
            Line::from(spans),
            Line::styled(format!("  than in generation {before}"), theme.dim),
        ]
    }

    /// Lists the wrong decisions, each with the oracle's move.
    fn view_wrong(&self, options: &NetViewOptions<'_>, area: Rect, buf: &mut Buffer) {
        let theme = options.theme;
        let inner = pane("Wrong decisions", area, buf, theme);
        let wrong = self.decisions.iter().enumerate();
        let wrong = wrong.filter(|(_, decision)| decision.quality == DecisionQuality::Wrong);
        let line = |(place, decision): (usize, &Decision)| {
            let position = format!("{:<6}", truncate(&decision.position, 5));
            let is_own = place == options.cursor;
            let style = if is_own { theme.selection } else { theme.text };
            let chosen = move_words(decision, decision.chosen);
            let words = format!(" plays {chosen}, oracle {}", best_moves(decision));
            Line::from(vec![
                Span::styled(position, style),
                Span::styled(words, theme.dim),
            ])
        };
        put_limited(wrong.map(line), "No wrong decisions.", inner, buf, theme);
    }

    /// Lists the decisions that differ from those of the earlier champion.
    fn view_changed(&self, options: &NetViewOptions<'_>, area: Rect, buf: &mut Buffer) {
        let theme = options.theme;
        let title = match options.compared_with {
            Some(before) => format!("Changed since g{before}"),
            None => "Changed".to_owned(),
        };
        let inner = pane(title, area, buf, theme);
        let arrow = theme.sign("→", ">");
        let changed = self.decisions.iter().zip(&self.changes);
        let line = |(decision, change): (&Decision, &Option<DecisionChange>)| {
            let change = (*change)?;
            let (sign, style) = effect_sign(change.effect, theme);
            let position = format!("{:<6}", truncate(&decision.position, 5));
            let before = move_words(decision, change.previous_move);
            let now = move_words(decision, decision.chosen);
            Some(Line::from(vec![
                Span::styled(format!("{sign} "), style),
                Span::styled(position, theme.text),
                Span::styled(format!("{before} {arrow} {now}"), theme.dim),
            ]))
        };
        put_limited(changed.filter_map(line), "", inner, buf, theme);
    }
}

/// Draws the lines that fit, with the number of the others; `empty` if there are none.
fn put_limited<'a>(
    lines: impl Iterator<Item = Line<'a>>,
    empty: &'a str,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) {
    let mut lines: Vec<Line<'_>> = lines.collect();
    if lines.is_empty() {
        lines.push(Line::styled(empty, theme.dim));
    }
    let room = usize::from(area.height);
    if lines.len() > room {
        let more = lines.len() + 1 - room.max(1);
        lines.truncate(room.saturating_sub(1));
        lines.push(Line::styled(format!("and {more} more"), theme.dim));
    }
    put_all(buf, area, lines);
}

fn table_line(decision: &Decision, theme: &Theme) -> Line<'static> {
    let (sign, style) = judgment_sign(decision.quality, theme);
    let words = match decision.quality {
        DecisionQuality::Right => "right",
        DecisionQuality::Wrong => "wrong",
        DecisionQuality::Indifferent => "all moves equal",
    };
    let chosen = move_words(decision, decision.chosen);
    let mut line = fact("table", format!("plays {chosen}  "), theme);
    line.push_span(Span::styled(format!("{sign} {words}"), style));
    line
}

fn oracle_words(decision: &Decision) -> String {
    if decision.quality == DecisionQuality::Indifferent {
        return "plays any move".to_owned();
    }
    format!("plays {}", best_moves(decision))
}

/// The moves that keep the value of the position.
fn best_moves(decision: &Decision) -> String {
    let pairs = decision.moves.iter().zip(&decision.keeps);
    let best = pairs
        .filter(|(_, keeps)| **keeps)
        .map(|(name, _)| name.as_str());
    best.collect::<Vec<_>>().join(" or ")
}

fn move_words(decision: &Decision, place: Option<usize>) -> String {
    let name = place.and_then(|place| decision.moves.get(place));
    name.map_or("an illegal move".to_owned(), Clone::clone)
}

/// The legal moves, each with its quality.
fn moves_line(decision: &Decision, theme: &Theme) -> Line<'static> {
    let mut spans = vec![Span::styled(format!("{:<8}", "moves"), theme.dim)];
    for (name, keeps) in decision.moves.iter().zip(&decision.keeps) {
        let judgment = match (decision.quality, keeps) {
            (DecisionQuality::Indifferent, _) => DecisionQuality::Indifferent,
            (_, true) => DecisionQuality::Right,
            (_, false) => DecisionQuality::Wrong,
        };
        let (sign, style) = judgment_sign(judgment, theme);
        spans.push(Span::styled(format!("{name} "), theme.text));
        spans.push(Span::styled(format!("{sign}  "), style));
    }
    Line::from(spans)
}

/// Draws the position as a board.
fn draw_board(decision: &Decision, options: &NetViewOptions<'_>, area: Rect, buf: &mut Buffer) {
    let mut table = Arc::clone(options.arena).interactive_game(0);
    if table.set_position(&decision.position).is_err() {
        return;
    }
    let picture = table.board(board::room(area));
    board::draw_plain(&picture, options.theme, area, buf);
}
