//! The cross table of champions: what each made of its games against each other one, in figures on colored ground, and what
//! that says of progress and cycles in words.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::ui::keymap::{self, Action, Scope};
use crate::ui::mouse::Regions;
use crate::ui::theme::Theme;
use crate::ui::widgets::cap::cap;
use crate::ui::widgets::fit::wrap;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::gauge::gauge;
use crate::ui::widgets::text::{below, inset, put, put_right};
use crate::ui::words;

use super::matrix::{Matrix, Results};
use super::rivals::Stage;
use super::{PopulationScreen, Spot};

/// Columns for the name of a champion.
const NAME: u16 = 9;

/// Columns for what it made of all its games.
const TOTAL: u16 = 6;

/// Lines kept for words below the table.
const WORDS: u16 = 4;

/// The size of a cell.
#[derive(Clone, Copy)]
struct Cell {
    width: u16,
    height: u16,
}

impl PopulationScreen {
    pub(super) fn view_cross(
        &self,
        focus: Focus,
        theme: &Theme,
        area: Rect,
        buf: &mut Buffer,
    ) -> Regions<Spot> {
        let frame = Frame {
            title: Line::from("Champions against each other"),
            right: self.how_far(theme),
            ..Frame::default()
        };
        let inner = inset(frame.draw(focus, theme, area, buf), 1);
        match (&self.rivals.matrix, &self.rivals.stage) {
            (_, Stage::Failed(why)) => {
                view_words(&format!("Nobody meets: {why}."), theme, inner, buf);
                Regions::default()
            }
            (Some(matrix), _) => self.view_matrix(matrix, theme, inner, buf),
            (None, Stage::Playing) => {
                view_words("Champions are being fetched.", theme, inner, buf);
                Regions::default()
            }
            (None, _) => {
                let meet = keymap::label(Scope::Population, Action::Meet);
                view_words(&format!("Press {meet} {INVITATION}"), theme, inner, buf);
                Regions::default()
            }
        }
    }

    /// How far the games have come.
    fn how_far(&self, theme: &Theme) -> Line<'static> {
        let (played, all) = self.rivals.games();
        let games = format!("{} games", words::count(played as f64));
        match self.rivals.stage {
            Stage::Idle | Stage::Failed(_) => Line::default(),
            Stage::Done => Line::styled(games, theme.dim),
            Stage::Stopped => Line::styled(format!("stopped after {games}"), theme.dim),
            Stage::Playing => {
                let share = played as f64 / all.max(1) as f64;
                let mut line = gauge(share, 12, theme.accent, theme);
                let words = format!(" {games} of {}, ", words::count(all as f64));
                line.spans.push(Span::styled(words, theme.dim));
                line.spans
                    .push(cap(Scope::Population, &[Action::Meet], theme));
                line.spans.push(Span::styled(" stops", theme.dim));
                line
            }
        }
    }

    fn view_matrix(
        &self,
        matrix: &Matrix,
        theme: &Theme,
        area: Rect,
        buf: &mut Buffer,
    ) -> Regions<Spot> {
        let mut regions = Regions::default();
        let cell = cell(matrix.len(), area);
        head(matrix, cell, theme, area, buf);
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
            regions.add(row, Spot::Champion(one));
            self.view_row(matrix, one, cell, theme, row, buf);
        }
        let table = 1 + matrix.len() as u16 * cell.height;
        let rest = below(area, table);
        let lines = self.words(matrix, theme);
        // A line between the table and what it says, where there is one to spare.
        let gap = u16::from(usize::from(rest.height) > lines.len());
        for (row, line) in lines.into_iter().enumerate() {
            put(buf, rest, row as u16 + gap, line);
        }
        regions
    }

    fn view_row(
        &self,
        matrix: &Matrix,
        one: usize,
        cell: Cell,
        theme: &Theme,
        row: Rect,
        buf: &mut Buffer,
    ) {
        let middle = (cell.height - 1) / 2;
        let is_selected = one == self.champion;
        let style = if is_selected {
            theme.selection
        } else {
            theme.text
        };
        let name = name(matrix, one);
        let width = usize::from(NAME) - 1;
        let name = format!("{} {:>w$}", letter(one), name, w = width - 2);
        put(buf, row, middle, Span::styled(name, style));
        for other in 0..matrix.len() {
            let at = Rect {
                x: row.x + NAME + other as u16 * cell.width,
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
        let all = matrix.total(one).share().map_or(String::new(), figure);
        let at = Rect {
            x: row.x + NAME + matrix.len() as u16 * cell.width,
            width: TOTAL,
            ..row
        };
        put_right(
            buf,
            at.intersection(row),
            middle,
            Span::styled(all, theme.strong),
        );
    }

    /// What the table says.
    fn words(&self, matrix: &Matrix, theme: &Theme) -> Vec<Line<'static>> {
        let plain = |words: String| Line::styled(words, theme.text);
        let (progress, cycles) = (matrix.progress(), matrix.cycles());
        let pairs = progress.newer + progress.even + progress.older;
        let mut lines = vec![
            Line::styled(
                "Percent of the points that the row makes against the column.",
                theme.dim,
            ),
            plain(format!(
                "Newer beats older in {} of {pairs} pairs, loses in {}, is even in {}.",
                progress.newer, progress.older, progress.even
            )),
        ];
        lines.push(match cycles.clearest {
            None if cycles.triples == 0 => {
                plain("Cycles: no three with a winner each yet.".to_owned())
            }
            None => plain(format!(
                "Cycles: none among the {} triples with a winner in each pair.",
                cycles.triples
            )),
            Some([a, b, c]) => {
                let beats = [a, b, c, a].map(letter).map(String::from).join(" beats ");
                Line::styled(
                    format!(
                        "Cycles: {} of {} triples, clearest {beats}.",
                        cycles.round, cycles.triples
                    ),
                    theme.warning,
                )
            }
        });
        lines.push(plain(against(matrix, self.champion)));
        lines
    }
}

const INVITATION: &str = "to let champions of up to twelve generations, spread over the run, meet: every two of them \
    play sixteen games, both sides of eight positions. It takes one thread of its own and evolution goes on. What comes of it \
    stands here: whether newer champions beat older ones, and whether they go round in cycles.";

fn view_words(words: &str, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let lines = wrap(words, usize::from(area.width.min(72))).into_iter();
    for (row, line) in lines.enumerate() {
        put(buf, area, row as u16, Line::styled(line, theme.dim));
    }
}

/// The biggest cell with which the table and its words fit.
fn cell(count: usize, area: Rect) -> Cell {
    let count = count.max(1) as u16;
    let width = area.width.saturating_sub(NAME + TOTAL) / count;
    let height = area.height.saturating_sub(2 + WORDS) / count;
    let width = width.clamp(4, 8);
    Cell {
        width,
        height: height.clamp(1, if width >= 6 { 3 } else { 1 }),
    }
}

/// Champions are called by letters in the columns, where their generations have no room.
fn letter(place: usize) -> char {
    char::from(b'A' + (place % 26) as u8)
}

fn name(matrix: &Matrix, one: usize) -> String {
    format!("g{}", matrix.champions[one].generation)
}

fn head(matrix: &Matrix, cell: Cell, theme: &Theme, area: Rect, buf: &mut Buffer) {
    for other in 0..matrix.len() {
        let at = Rect {
            x: area.x + NAME + other as u16 * cell.width,
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
        x: area.x + NAME + matrix.len() as u16 * cell.width,
        width: TOTAL,
        ..area
    };
    put_right(
        buf,
        at.intersection(area),
        0,
        Span::styled("all", theme.dim),
    );
}

/// A share in percent without its sign.
fn figure(share: f64) -> String {
    format!("{:.0}", share * 100.0)
}

fn centered<'a>(text: &str, width: u16, style: ratatui::style::Style) -> Span<'a> {
    let width = usize::from(width);
    Span::styled(format!("{text:^width$}"), style)
}

/// The figure of a pair on its ground: red for who wins, blue for who loses.
fn view_cell(results: Results, middle: u16, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let Some(share) = results.share() else {
        let blank = if theme.ascii { "?" } else { "…" };
        put(buf, area, middle, centered(blank, area.width, theme.dim));
        return;
    };
    let style = theme.pole(2.0 * share - 1.0).unwrap_or(match share {
        share if share > 0.5 => theme.strong,
        share if share < 0.5 => theme.dim,
        _ => theme.text,
    });
    buf.set_style(area.intersection(buf.area), style);
    put(
        buf,
        area,
        middle,
        centered(&figure(share), area.width, style),
    );
}

/// The games of the selected champion in words.
fn against(matrix: &Matrix, one: usize) -> String {
    let Results {
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
        "beaten by nobody".to_owned()
    } else {
        format!("beaten by {}", beaten.join(" "))
    };
    format!(
        "{} {}: {wins} wins, {draws} draws, {losses} losses; {by}.",
        letter(one),
        name(matrix, one)
    )
}
