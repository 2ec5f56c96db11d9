//! Draws the arena: who can be chosen beside what has come of it, or one of them where there is no room for both.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::ui::app::Model;
use crate::ui::app::point::Target;
use crate::ui::mouse::Regions;
use crate::ui::theme::Theme;
use crate::ui::widgets::fit::fit;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::gauge::gauge;
use crate::ui::widgets::text::{below, inset, put, put_all};
use crate::ui::words;

use super::referee::{Ending, Standing};
use super::{ArenaScreen, Pane, Stage, matrix, players, standings};

/// Columns from which on both panes are seen, and how many of them the list has.
const WIDE: u16 = 110;
const LIST: u16 = 46;

impl ArenaScreen {
    pub fn view(&self, model: &Model, area: Rect, buf: &mut Buffer) -> Regions<Target> {
        let area = area.intersection(buf.area);
        let body = Rect {
            height: area.height.saturating_sub(1),
            ..area
        };
        let theme = &model.theme;
        let width = usize::from(area.width).saturating_sub(2);
        let message = Line::styled(format!(" {}", fit(&self.message, width)), theme.accent);
        put(buf, area, body.height, message);
        let (mut list, mut results) = (body, body);
        if area.width >= WIDE {
            list.width = LIST;
            results.x += LIST;
            results.width -= LIST;
        } else {
            match self.pane {
                Pane::Players => results.width = 0,
                Pane::Results => list.width = 0,
            }
        }
        let mut regions = Regions::default();
        if !list.is_empty() {
            regions = players::draw(self, model, self.focus(Pane::Players), list, buf);
        }
        if !results.is_empty() {
            self.view_results(theme, results, buf);
        }
        regions
    }

    fn focus(&self, pane: Pane) -> Focus {
        if self.pane == pane {
            Focus::Here
        } else {
            Focus::Elsewhere
        }
    }

    fn view_results(&self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let game = self.played.as_ref();
        let title = game.map_or("Results".to_owned(), |game| {
            format!("Results in {}", game.name().replace('_', " "))
        });
        let frame = Frame {
            title: Line::from(title),
            right: self.badge(theme),
            ..Frame::default()
        };
        let inner = inset(frame.draw(self.focus(Pane::Results), theme, area, buf), 1);
        let Some(standing) = &self.standing else {
            let lines = self.prose(inner.width.into());
            let lines = lines.into_iter().map(|line| Line::styled(line, theme.dim));
            put_all(buf, inner, lines);
            return;
        };
        let mut rest = put_all(buf, inner, [self.progress(standing, inner.width, theme)]);
        if let Stage::Ended(Ending::Failed(fault)) = &self.stage {
            let fault = fit(fault, inner.width.into());
            rest = put_all(buf, rest, [Line::styled(fault, theme.bad)]);
        }
        rest = below(rest, 1);
        let order = standing.results.order();
        let rows = order.len() as u16;
        // The table and the matrix have a line each per player, one above and one between them.
        let room = rest.height.saturating_sub(3);
        let table_rows = rows.min(room.div_ceil(2).max(room.saturating_sub(rows)));
        let first = self.scrolled.min(order.len() - 1);
        let first = first.min(
            order
                .len()
                .saturating_sub(usize::from(table_rows.min(room / 2)).max(1)),
        );
        let table = Rect {
            height: rest.height.min(table_rows + 1),
            ..rest
        };
        standings::draw(&standing.results, &order, first, theme, table, buf);
        let grid = below(rest, table.height + 1);
        matrix::draw(&standing.results, &order, first, theme, grid, buf);
    }

    /// What to do, or what is being done, before there are results.
    fn prose(&self, width: usize) -> Vec<String> {
        let words = match &self.stage {
            Stage::Choosing => CHOOSE,
            Stage::Running | Stage::Stopping => "The players sit down.",
            Stage::Ended(Ending::Failed(fault)) => fault,
            Stage::Ended(_) => "Stopped before the first game was over.",
        };
        let parts = words.split('\n');
        let lines = parts.flat_map(|part| {
            let mut lines = crate::ui::widgets::fit::wrap(part, width);
            lines.push(String::new());
            lines
        });
        lines.collect()
    }

    /// What is going on, in a word.
    fn badge<'a>(&self, theme: &Theme) -> Line<'a> {
        let (word, style) = match &self.stage {
            Stage::Choosing => return Line::default(),
            Stage::Running => ("RUNNING", theme.good),
            Stage::Stopping => ("STOPPING", theme.warning),
            Stage::Ended(Ending::Done) => ("DONE", theme.focus),
            Stage::Ended(Ending::Stopped) => ("STOPPED", theme.warning),
            Stage::Ended(Ending::Failed(_)) => ("FAILED", theme.bad),
        };
        Line::styled(format!(" {word} "), theme.badge(style))
    }

    /// How many games have been played, and how long the rest will take.
    fn progress<'a>(&self, standing: &Standing, width: u16, theme: &Theme) -> Line<'a> {
        let share = standing.played as f64 / standing.all.max(1) as f64;
        let mut line = gauge(
            share,
            width.saturating_sub(44).clamp(8, 40),
            theme.focus,
            theme,
        );
        let (played, all) = (standing.played as f64, standing.all as f64);
        let games = format!(" {} of {} games", words::count(played), words::count(all));
        line.push_span(Span::styled(games, theme.text));
        let left = standing.seconds * (all - played) / played.max(1.0);
        if self.stage == Stage::Running && played > 0.0 {
            let left = format!("   {} left", words::span(left));
            line.push_span(Span::styled(left, theme.dim));
        }
        line
    }
}

const CHOOSE: &str = "Everyone meets everyone, on both sides of the same positions. Choose players with enter and let them meet with m; \
    results grow while they play, and evolution goes on.\n[ and ] turn to an older or a newer champion of a run. c adds an older one \
    beside it. a adds a player once more with another search, whose depth + and - change and whose kind w changes.";
