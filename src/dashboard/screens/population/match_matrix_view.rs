//! Draws the match matrix of champions: percentages on colored cells, with a summary of progress
//! and cycles below.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::format;
use crate::keymap::{self, Action};
use crate::model::health::RunHealth;
use crate::mouse::Regions;
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::gauge::gauge;
use crate::widgets::key_label::{key_hints, key_label};
use crate::widgets::matrix::{PairMatrix, score_style};
use crate::widgets::text::{below, put_all, put_right};
use crate::widgets::truncate::wrapped;
use finches_engine::contest::Tally;
use finches_engine::text::percentage;

use super::match_matrix::MatchMatrix;
use super::round_robin::RoundRobinState;
use super::screen::{PopulationAction, SCOPE};
use super::{PopulationPane, PopulationScreen, PopulationTarget};

/// Columns for a champion's name.
const NAME_WIDTH: u16 = 9;

/// Columns for a champion's total score, and for its Elo rating.
const TOTAL_WIDTH: u16 = 6;
const ELO_WIDTH: u16 = 7;

/// The least width of a cell.
const MIN_CELL: u16 = 4;

/// Lines reserved for the summary.
const TEXT_HEIGHT: u16 = 6;

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
        let inner = frame.pane(focus, theme, area, buf);
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
                let meet = keymap::label(SCOPE, PopulationAction::PlayMatches.action());
                view_text(&format!("Press {meet} {INTRODUCTION}"), theme, inner, buf);
                Regions::default()
            }
        }
    }

    /// The height that the pane needs in an area, frame included.
    pub(super) fn champions_height(&self, area: Rect) -> u16 {
        const INVITATION: u16 = 9;
        match &self.round_robin.matrix {
            None => INVITATION,
            Some(matrix) => {
                let (_, height) = cell_size(matrix.len(), area);
                2 + 1 + matrix.len() as u16 * height + 1 + TEXT_HEIGHT
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
                line.spans.push(key_label(
                    SCOPE,
                    &[PopulationAction::PlayMatches.action()],
                    theme,
                ));
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
        let (width, height) = cell_size(matrix.len(), area);
        let right = area.x + NAME_WIDTH + matrix.len() as u16 * width;
        let centered = |text: String, style| {
            Span::styled(format!("{text:^width$}", width = usize::from(width)), style)
        };
        let value = |row: usize, column: usize| {
            if row == column {
                let dot = if theme.ascii { "." } else { "·" };
                return centered(dot.to_owned(), theme.dim);
            }
            let (text, style) = share_text(matrix.table.results(row, column), theme);
            centered(text, style)
        };
        let grid = PairMatrix {
            rows: 0..matrix.len(),
            columns: 0..matrix.len(),
            label_width: NAME_WIDTH,
            cell: (width, height),
            corner: Span::default(),
            heading: &|column| centered(letter(column).to_string(), theme.dim),
            label: &|row| self.label(matrix, row, theme),
            value: &value,
        };
        let lines = self.summary(matrix, area.width, theme);
        if usize::from(grid.height()) + lines.len() > area.height.into() && self.zoom.is_zoomed() {
            // The figures are what was asked for.
            put_all(buf, area, lines);
            return Regions::default();
        }
        let regions = grid.draw(area, buf);
        let columns = [(right, TOTAL_WIDTH), (right + TOTAL_WIDTH, ELO_WIDTH)];
        let [totals, ratings] =
            columns.map(|(x, width)| Rect { x, width, ..area }.intersection(area));
        put_right(buf, totals, 0, Span::styled("all", theme.dim));
        let standings = self.round_robin.standings.as_ref();
        if standings.is_some() {
            put_right(buf, ratings, 0, Span::styled("elo", theme.dim));
        }
        for row in 0..matrix.len() {
            let y = 1 + row as u16 * height + (height - 1) / 2;
            let share = matrix.table.total(row).share();
            let share = share.map_or(String::new(), |share| percentage(share, 0));
            put_right(buf, below(totals, y), 0, Span::styled(share, theme.strong));
            let elo = standings.map_or(String::new(), |known| format!("{:.0}", known.elo[row]));
            put_right(buf, below(ratings, y), 0, Span::styled(elo, theme.text));
        }
        let rest = below(area, grid.height());
        // A blank line above the summary if there is room.
        let gap = u16::from(usize::from(rest.height) > lines.len());
        put_all(buf, below(rest, gap), lines);
        regions.map(|row| PopulationTarget::Row(PopulationPane::Champions, row))
    }

    /// What is known of the health of the run, once the games are over. It may be newer than they.
    fn judged_health(&self) -> Option<&RunHealth> {
        let standings = self.round_robin.standings.as_ref();
        standings.and(self.health.latest.as_ref())
    }

    /// The verdict in lines of this width.
    fn verdict(&self, width: u16, theme: &Theme) -> Vec<Line<'static>> {
        let Some(health) = self.judged_health() else {
            return Vec::new();
        };
        let diagnosis = &health.diagnosis;
        let style = if health.is_ill() {
            theme.warning
        } else {
            theme.strong
        };
        let words = format!(
            "Verdict at g{}: {}. {}",
            format::whole(health.generation),
            diagnosis.verdict.name(),
            diagnosis.meaning()
        );
        wrapped(&words, width.into(), style)
    }

    /// The figures that the verdict rests on.
    fn evidence(&self, width: u16, theme: &Theme) -> Vec<Line<'static>> {
        let health = self.judged_health();
        let sentences = health.map_or_else(Vec::new, |known| known.diagnosis.evidence());
        wrapped(&sentences.join(" "), width.into(), theme.dim)
    }

    /// The letter and the generation of a champion.
    fn label(&self, matrix: &MatchMatrix, row: usize, theme: &Theme) -> Line<'static> {
        let style = if row == self.cursor(PopulationPane::Champions) {
            theme.selection
        } else {
            theme.text
        };
        let width = usize::from(NAME_WIDTH) - 3;
        let name = champion_name(matrix, row);
        Line::from(Span::styled(
            format!("{} {name:>width$}", letter(row)),
            style,
        ))
    }

    /// The lines below the matrix.
    fn summary(&self, matrix: &MatchMatrix, width: u16, theme: &Theme) -> Vec<Line<'static>> {
        let mut lines = wrapped(&about(matrix), width.into(), theme.dim);
        lines.extend(self.verdict(width, theme));
        let selected = champion_summary(matrix, self.cursor(PopulationPane::Champions));
        lines.extend(wrapped(&selected, width.into(), theme.text));
        if self.zoom.is_zoomed() {
            lines.extend(self.evidence(width, theme));
        } else if self.judged_health().is_some() {
            let figures = [(&[Action::Zoom][..], " shows the figures behind it")];
            lines.push(key_hints(SCOPE, &figures, theme));
        }
        lines
    }
}

const INTRODUCTION: &str = "to play a round robin of up to twelve champions, spread over the run: \
    each pair plays sixteen \
    games, both sides of eight positions. It uses one thread of its own, and evolution continues. \
    The results show whether newer \
    champions beat older ones, and whether champions beat each other in cycles. A verdict says \
    whether this is an arms race, \
    cycling, forgetting or disengagement.";

pub(super) fn view_text(words: &str, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let room = area.width.min(72).into();
    put_all(buf, area, wrapped(words, room, theme.dim));
}

/// The largest cell size at which matrix, ratings and summary fit.
fn cell_size(count: usize, area: Rect) -> (u16, u16) {
    let count = count.max(1) as u16;
    let width = area
        .width
        .saturating_sub(NAME_WIDTH + TOTAL_WIDTH + ELO_WIDTH)
        / count;
    let height = area.height.saturating_sub(2 + TEXT_HEIGHT) / count;
    let width = width.clamp(MIN_CELL, 8);
    (width, height.clamp(1, if width >= 6 { 3 } else { 1 }))
}

/// The letter of a champion, used as column heading.
fn letter(place: usize) -> char {
    char::from(b'A' + (place % 26) as u8)
}

fn champion_name(matrix: &MatchMatrix, one: usize) -> String {
    format!("g{}", matrix.champions[one].generation)
}

/// A pair's percentage and its colors.
fn share_text(results: Tally, theme: &Theme) -> (String, Style) {
    let Some(share) = results.share() else {
        let blank = if theme.ascii { "?" } else { "…" };
        return (blank.to_owned(), theme.dim);
    };
    (percentage(share, 0), score_style(share, theme))
}

/// What the matrix shows, with the pairs that speak against progress.
fn about(matrix: &MatchMatrix) -> String {
    let pairs = (0..matrix.len()).flat_map(|newer| (0..newer).map(move |older| (newer, older)));
    let shares = pairs.filter_map(|(newer, older)| matrix.table.results(newer, older).share());
    let shares: Vec<f64> = shares.collect();
    let lost = shares.iter().filter(|&&share| share < 0.5).count();
    let words = "Row against column in percent; left of the diagonal: older champions";
    match shares.len() {
        0 => format!("{words}."),
        all => format!("{words}, which win {lost} of {all} pairs."),
    }
}

/// The results of the selected champion as a sentence.
fn champion_summary(matrix: &MatchMatrix, one: usize) -> String {
    let Tally {
        wins,
        draws,
        losses,
    } = matrix.table.total(one);
    if wins + draws + losses == 0 {
        return String::new();
    }
    let beaten = (0..matrix.len()).filter(|&other| {
        let share = matrix.table.results(one, other).share();
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
