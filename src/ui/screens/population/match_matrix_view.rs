//! Draws the match matrix of champions: percentages on colored cells, with a summary of progress and cycles below.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::contest::Tally;
use crate::ui::format;
use crate::ui::keymap::{self, Action, Scope};
use crate::ui::mouse::Regions;
use crate::ui::theme::Theme;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::gauge::gauge;
use crate::ui::widgets::key_label::key_label;
use crate::ui::widgets::text::{below, inset, put, put_right};
use crate::ui::widgets::truncate::wrap;

use super::match_matrix::MatchMatrix;
use super::round_robin::RoundRobinState;
use super::{PopulationScreen, PopulationTarget};

/// Columns for a champion's name.
const NAME_WIDTH: u16 = 9;

/// Columns for a champion's total score.
const TOTAL_WIDTH: u16 = 6;

/// Lines reserved for the summary.
const TEXT_HEIGHT: u16 = 4;

#[derive(Clone, Copy)]
struct MatrixCell {
    width: u16,
    height: u16,
}

impl PopulationScreen {
    pub(super) fn view_match_matrix(
        &self,
        focus: Focus,
        theme: &Theme,
        area: Rect,
        buf: &mut Buffer,
    ) -> Regions<PopulationTarget> {
        let frame = Frame {
            title: Line::from("Champions against each other"),
            right: self.progress_line(theme),
            ..Frame::default()
        };
        let inner = inset(frame.draw(focus, theme, area, buf), 1);
        match (&self.round_robin.matrix, &self.round_robin.state) {
            (_, RoundRobinState::Failed(why)) => {
                view_text(&format!("No games: {why}."), theme, inner, buf);
                Regions::default()
            }
            (Some(matrix), _) => self.view_matrix(matrix, theme, inner, buf),
            (None, RoundRobinState::Playing) => {
                view_text("Loading champions.", theme, inner, buf);
                Regions::default()
            }
            (None, _) => {
                let meet = keymap::label(Scope::Population, Action::PlayMatches);
                view_text(&format!("Press {meet} {INTRODUCTION}"), theme, inner, buf);
                Regions::default()
            }
        }
    }

    /// The progress of the games.
    fn progress_line(&self, theme: &Theme) -> Line<'static> {
        let (played, all) = self.round_robin.games();
        let games = format!("{} games", format::count(played as f64));
        match self.round_robin.state {
            RoundRobinState::Idle | RoundRobinState::Failed(_) => Line::default(),
            RoundRobinState::Done => Line::styled(games, theme.dim),
            RoundRobinState::Stopped => Line::styled(format!("stopped after {games}"), theme.dim),
            RoundRobinState::Playing => {
                let share = played as f64 / all.max(1) as f64;
                let mut line = gauge(share, 12, theme.accent, theme);
                let words = format!(" {games} of {}, ", format::count(all as f64));
                line.spans.push(Span::styled(words, theme.dim));
                line.spans
                    .push(key_label(Scope::Population, &[Action::PlayMatches], theme));
                line.spans.push(Span::styled(" stops", theme.dim));
                line
            }
        }
    }

    fn view_matrix(
        &self,
        matrix: &MatchMatrix,
        theme: &Theme,
        area: Rect,
        buf: &mut Buffer,
    ) -> Regions<PopulationTarget> {
        let mut regions = Regions::default();
        let cell = cell_size(matrix.len(), area);
        draw_head(matrix, cell, theme, area, buf);
        for one in 0..matrix.len() {
            let row = Rect {
                y: area.y + 1 + one as u16 * cell.height,
                height: cell.height,
                ..area
            };
            let row = row.intersection(area);
            if row.is_empty() {
                break;
            }
            regions.add(row, PopulationTarget::Champion(one));
            self.view_row(matrix, one, cell, theme, row, buf);
        }
        let table = 1 + matrix.len() as u16 * cell.height;
        let rest = below(area, table);
        let lines = self.summary(matrix, theme);
        // A blank line above the summary if there is room.
        let gap = u16::from(usize::from(rest.height) > lines.len());
        for (row, line) in lines.into_iter().enumerate() {
            put(buf, rest, row as u16 + gap, line);
        }
        regions
    }

    fn view_row(
        &self,
        matrix: &MatchMatrix,
        one: usize,
        cell: MatrixCell,
        theme: &Theme,
        row: Rect,
        buf: &mut Buffer,
    ) {
        let middle = (cell.height - 1) / 2;
        let is_selected = one == self.champion_cursor;
        let style = if is_selected {
            theme.selection
        } else {
            theme.text
        };
        let name = champion_name(matrix, one);
        let width = usize::from(NAME_WIDTH) - 1;
        let name = format!("{} {:>w$}", letter(one), name, w = width - 2);
        put(buf, row, middle, Span::styled(name, style));
        for other in 0..matrix.len() {
            let at = Rect {
                x: row.x + NAME_WIDTH + other as u16 * cell.width,
                width: cell.width,
                ..row
            };
            let at = at.intersection(row);
            if one == other {
                let dot = if theme.ascii { "." } else { "·" };
                put(buf, at, middle, centered(dot, cell.width, theme.dim));
                continue;
            }
            view_cell(matrix.results(one, other), middle, theme, at, buf);
        }
        let all = matrix.total(one).share().map_or(String::new(), percent);
        let at = Rect {
            x: row.x + NAME_WIDTH + matrix.len() as u16 * cell.width,
            width: TOTAL_WIDTH,
            ..row
        };
        put_right(
            buf,
            at.intersection(row),
            middle,
            Span::styled(all, theme.strong),
        );
    }

    /// The lines below the matrix.
    fn summary(&self, matrix: &MatchMatrix, theme: &Theme) -> Vec<Line<'static>> {
        let plain = |words: String| Line::styled(words, theme.text);
        let (progress, cycles) = (matrix.age_comparison(), matrix.cycles());
        let pairs = progress.newer_wins + progress.even + progress.older_wins;
        let mut lines = vec![
            Line::styled("Score of the row against the column in percent.", theme.dim),
            plain(format!(
                "Newer beats older in {} of {pairs} pairs, loses in {}, draws level in {}.",
                progress.newer_wins, progress.older_wins, progress.even
            )),
        ];
        lines.push(match cycles.clearest {
            None if cycles.triples == 0 => {
                plain("No rock-paper-scissors triples so far.".to_owned())
            }
            None => plain(format!(
                "No rock-paper-scissors triples among {} without a tied pair.",
                cycles.triples
            )),
            Some([a, b, c]) => {
                let beats = [a, b, c, a].map(letter).map(String::from).join(" beats ");
                Line::styled(
                    format!(
                        "Rock-paper-scissors triples: {} of {}, clearest: {beats}.",
                        cycles.cyclic, cycles.triples
                    ),
                    theme.warning,
                )
            }
        });
        lines.push(plain(champion_summary(matrix, self.champion_cursor)));
        lines
    }
}

const INTRODUCTION: &str = "to play a round robin of up to twelve champions, spread over the run: each pair plays sixteen \
    games, both sides of eight positions. It uses one thread of its own, and evolution continues. The results show whether newer \
    champions beat older ones, and whether champions beat each other in cycles.";

fn view_text(words: &str, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let lines = wrap(words, usize::from(area.width.min(72))).into_iter();
    for (row, line) in lines.enumerate() {
        put(buf, area, row as u16, Line::styled(line, theme.dim));
    }
}

/// The largest cell size at which matrix and summary fit.
fn cell_size(count: usize, area: Rect) -> MatrixCell {
    let count = count.max(1) as u16;
    let width = area.width.saturating_sub(NAME_WIDTH + TOTAL_WIDTH) / count;
    let height = area.height.saturating_sub(2 + TEXT_HEIGHT) / count;
    let width = width.clamp(4, 8);
    MatrixCell {
        width,
        height: height.clamp(1, if width >= 6 { 3 } else { 1 }),
    }
}

/// The letter of a champion, used as column heading.
fn letter(place: usize) -> char {
    char::from(b'A' + (place % 26) as u8)
}

fn champion_name(matrix: &MatchMatrix, one: usize) -> String {
    format!("g{}", matrix.champions[one].generation)
}

fn draw_head(matrix: &MatchMatrix, cell: MatrixCell, theme: &Theme, area: Rect, buf: &mut Buffer) {
    for other in 0..matrix.len() {
        let at = Rect {
            x: area.x + NAME_WIDTH + other as u16 * cell.width,
            width: cell.width,
            ..area
        };
        let label = letter(other).to_string();
        put(
            buf,
            at.intersection(area),
            0,
            centered(&label, cell.width, theme.dim),
        );
    }
    let at = Rect {
        x: area.x + NAME_WIDTH + matrix.len() as u16 * cell.width,
        width: TOTAL_WIDTH,
        ..area
    };
    put_right(
        buf,
        at.intersection(area),
        0,
        Span::styled("all", theme.dim),
    );
}

/// A share in percent, without the percent sign.
fn percent(share: f64) -> String {
    format!("{:.0}", share * 100.0)
}

fn centered<'a>(text: &str, width: u16, style: ratatui::style::Style) -> Span<'a> {
    let width = usize::from(width);
    Span::styled(format!("{text:^width$}"), style)
}

/// A pair's percentage on a colored cell: red for wins, blue for losses.
fn view_cell(results: Tally, middle: u16, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let Some(share) = results.share() else {
        let blank = if theme.ascii { "?" } else { "…" };
        put(buf, area, middle, centered(blank, area.width, theme.dim));
        return;
    };
    let style = theme
        .diverging_background(2.0 * share - 1.0)
        .unwrap_or(match share {
            share if share > 0.5 => theme.strong,
            share if share < 0.5 => theme.dim,
            _ => theme.text,
        });
    buf.set_style(area.intersection(buf.area), style);
    put(
        buf,
        area,
        middle,
        centered(&percent(share), area.width, style),
    );
}

/// The results of the selected champion as a sentence.
fn champion_summary(matrix: &MatchMatrix, one: usize) -> String {
    let Tally {
        wins,
        draws,
        losses,
    } = matrix.total(one);
    if wins + draws + losses == 0 {
        return String::new();
    }
    let beaten = (0..matrix.len()).filter(|&other| {
        let share = matrix.results(one, other).share();
        share.is_some_and(|share| share < 0.5)
    });
    let beaten: Vec<String> = beaten.map(|other| letter(other).to_string()).collect();
    let by = if beaten.is_empty() {
        "unbeaten".to_owned()
    } else {
        format!("loses to {}", beaten.join(" "))
    };
    format!(
        "{} {}: {wins} wins, {draws} draws, {losses} losses; {by}.",
        letter(one),
        champion_name(matrix, one)
    )
}
