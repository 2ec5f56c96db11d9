//! Lays out the Arena screen: the players beside the results, or one of them if room is short.

use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::text::{Line, Span};

use crate::format;
use crate::keymap::Action;
use crate::model::context::Context;
use crate::mouse::Regions;
use crate::screen::ClickTarget;
use crate::theme::Theme;
use crate::widgets::board;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::gauge::gauge;
use crate::widgets::text::{
    below, columns_of, cut_below, first_rows, put, put_all, put_right, right_of,
};
use crate::widgets::truncate::{truncate, wrapped};
use finches_engine::games::GameConfig;
use finches_engine::play;
use finches_engine::play::results::RoundRobinResults;

use super::match_job::{ArenaEnd, ArenaProgress};
use super::{
    ArenaPane, ArenaScreen, ArenaState, key, live_generation, matrix, players_pane, standings,
};

/// Columns from which on both panes are drawn, and the width of the list.
const WIDE_LAYOUT: u16 = 110;
const LIST: u16 = 46;

/// A larger start position says no more.
const LARGEST_START: Size = Size::new(64, 22);

impl ArenaScreen {
    pub(super) fn draw(
        &self,
        context: &Context,
        area: Rect,
        buf: &mut Buffer,
    ) -> Regions<ClickTarget> {
        let area = area.intersection(buf.area);
        let (body, _) = cut_below(area, 1);
        let theme = &context.theme;
        let width = usize::from(area.width).saturating_sub(2);
        let message = match &self.entry {
            Some(entry) => {
                let label = Span::styled(" program: ", theme.accent);
                let room = width.saturating_sub(label.width());
                let spans = entry.spans(room, theme).into_iter();
                [label].into_iter().chain(spans).collect()
            }
            None => Line::styled(format!(" {}", truncate(&self.message, width)), theme.accent),
        };
        put(buf, area, body.height, message);
        let (selection, results) = match self.pane {
            _ if area.width >= WIDE_LAYOUT => (columns_of(body, 0, LIST), right_of(body, LIST)),
            ArenaPane::Players => (body, Rect::ZERO),
            ArenaPane::Results => (Rect::ZERO, body),
        };
        let mut regions = Regions::default();
        if !selection.is_empty() {
            let focus = self.focus(ArenaPane::Players);
            regions = players_pane::draw(self, context, focus, selection, buf);
        }
        if !results.is_empty() {
            self.view_results(context, results, buf);
        }
        regions
    }

    fn focus(&self, pane: ArenaPane) -> Focus {
        Focus::from(self.pane == pane)
    }

    fn view_results(&self, context: &Context, area: Rect, buf: &mut Buffer) {
        let theme = &context.theme;
        let game = self.played.as_ref();
        let title = game.map_or("Results".to_owned(), |game| {
            format!("Results in {}", game.name().replace('_', " "))
        });
        let frame = Frame {
            right: self.state_badge(theme),
            ..Frame::titled(title)
        };
        let inner = frame.pane(self.focus(ArenaPane::Results), theme, area, buf);
        let Some(progress) = &self.progress else {
            let rest = put_all(buf, inner, self.intro_lines(inner.width.into(), theme));
            if let Some(list) = &self.player_list
                && self.state == ArenaState::Choosing
            {
                let lines = self.planned_lines(context, &list.game, inner.width.into());
                let rest = put_all(buf, rest, lines);
                draw_start(&list.game, theme, rest, buf);
            }
            return;
        };
        let line = self.progress_line(progress, inner.width, theme);
        let mut rest = put_all(buf, inner, [line]);
        if let ArenaState::Ended(ArenaEnd::Failed(error)) = &self.state {
            let error = truncate(error, inner.width.into());
            rest = put_all(buf, rest, [Line::styled(error, theme.bad)]);
        }
        let results = &progress.results;
        let order = results.ranking();
        let split = TableSplit::of(order.len(), self.scrolled, rest.height);
        if split.rows < order.len() {
            let (up, down) = (key(Action::Up), key(Action::Down));
            let (rows, all) = (split.rows, order.len());
            let shown = format!("{rows} of {all} players, {up} and {down} scroll");
            put_right(buf, rest, 0, Span::styled(shown, theme.dim));
        }
        rest = below(rest, 1);
        let table = first_rows(rest, split.rows as u16 + 1);
        standings::draw(results, &order, split.first, theme, table, buf);
        let grid = below(rest, table.height + 1);
        let drawn = matrix::draw(results, &order, split.first, theme, grid, buf);
        let notes_area = below(grid, drawn + 1);
        let notes = notes(results).into_iter();
        let width = notes_area.width.into();
        let lines = notes.flat_map(|note| wrapped(note, width, theme.dim));
        put_all(buf, notes_area, lines);
    }

    /// The text shown before there are results.
    fn intro_lines(&self, width: usize, theme: &Theme) -> Vec<Line<'static>> {
        let words = match &self.state {
            ArenaState::Choosing => INTRODUCTION,
            ArenaState::Running => "Loading the players.",
            ArenaState::Ended(ArenaEnd::Failed(error)) => error,
            ArenaState::Ended(_) => "Stopped before the first game ended.",
        };
        let parts = words.split('\n');
        let lines = parts.flat_map(|part| {
            let mut lines = wrapped(part, width, theme.dim);
            lines.push(Line::default());
            lines
        });
        lines.collect()
    }

    /// Who will meet whom, with what each does.
    fn planned_lines(
        &self,
        context: &Context,
        game: &GameConfig,
        width: usize,
    ) -> Vec<Line<'static>> {
        let theme = &context.theme;
        let live = context.run.as_ref().and_then(live_generation);
        let planned = self.selection.planned(live).into_iter();
        let lines = planned.flat_map(|player| {
            let name = player.name(live.unwrap_or_default());
            let about = format!("  {}", players_pane::description(player, game));
            [(name, theme.strong), (about, theme.dim)]
        });
        let lines = lines.map(|(words, style)| Line::styled(truncate(&words, width), style));
        lines.chain([Line::default()]).collect()
    }

    /// The state as a badge.
    fn state_badge<'a>(&self, theme: &Theme) -> Line<'a> {
        let (word, style) = match &self.state {
            ArenaState::Choosing => return Line::default(),
            ArenaState::Running => ("RUNNING", theme.good),
            ArenaState::Ended(ArenaEnd::Done) => ("DONE", theme.focus),
            ArenaState::Ended(ArenaEnd::Stopped) => ("STOPPED", theme.warning),
            ArenaState::Ended(ArenaEnd::Failed(_)) => ("FAILED", theme.bad),
        };
        Line::styled(format!(" {word} "), theme.badge(style))
    }

    /// The games played and the remaining time.
    fn progress_line<'a>(&self, progress: &ArenaProgress, width: u16, theme: &Theme) -> Line<'a> {
        let share = progress.played as f64 / progress.all.max(1) as f64;
        let width = width.saturating_sub(44).clamp(8, 40);
        let mut line = gauge(share, width, theme.focus, theme);
        let (played, all) = (progress.played as f64, progress.all as f64);
        let games = format!(" {} of {} games", format::count(played), format::count(all));
        line.push_span(Span::styled(games, theme.text));
        let left = progress.seconds * (all - played) / played.max(1.0);
        if self.state == ArenaState::Running && played > 0.0 {
            let left = format!("   {} left", format::span(left));
            line.push_span(Span::styled(left, theme.dim));
        }
        line
    }
}

/// Draws the start position of a game, if there is room for it, no larger than [`LARGEST_START`].
pub(super) fn draw_start(game: &GameConfig, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let area = Rect {
        width: area.width.min(LARGEST_START.width),
        height: area.height.min(LARGEST_START.height),
        ..area
    };
    let board = play::start_board(game, board::room(area));
    if !board.is_cut {
        board::draw_plain(&board, theme, area, buf);
    }
}

/// The players seen in the table and in the matrix below it.
struct TableSplit {
    first: usize,
    /// The number of players in the table.
    rows: usize,
}

impl TableSplit {
    /// The table has a row per player if the matrix can have one too, else half of the room.
    fn of(players: usize, scrolled: usize, height: u16) -> Self {
        // A heading and a blank line for each.
        let room = usize::from(height.saturating_sub(4));
        let rows = players.min(room.div_ceil(2)).max(1);
        let first = scrolled.min(players.saturating_sub(rows));
        Self { first, rows }
    }
}

/// Notes below the results.
fn notes(results: &RoundRobinResults) -> Vec<&'static str> {
    let mut notes =
        vec!["Elo (Bradley-Terry, mean 0) with 95% interval, assuming independent games."];
    if results.players.iter().any(|player| player.contains(':')) {
        notes.push("After a colon: the generation of the champion that plays.");
    }
    if results.ratings.is_regularized {
        notes.push(
            "One draw is added to each pair, because a player without losses would have an \
            infinite rating.",
        );
    }
    notes
}

const INTRODUCTION: &str = "Each pair of players plays both sides of the same positions. Results \
    are updated during play.";
