//! Draws the standings, best player first: rating with interval, score, wins, draws and losses.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::format;
use crate::theme::Theme;
use crate::widgets::plot::wider;
use crate::widgets::table::{TableColumn, TableLayout};
use crate::widgets::text::put_all;
use finches_engine::play::results::RoundRobinResults;

/// Columns of the figures, of the drawn interval, and of the shortest name.
const FIGURES_WIDTH: u16 = 36;
const MIN_INTERVAL_WIDTH: u16 = 32;
const MIN_NAME_WIDTH: u16 = 14;

/// Draws the heading and the players from index `first` on, as many as fit.
pub(super) fn draw(
    results: &RoundRobinResults,
    order: &[usize],
    first: usize,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let longest = results.longest_name() as u16;
    let rest = area.width.saturating_sub(FIGURES_WIDTH + 4);
    let name = longest.max(6).min(rest.max(MIN_NAME_WIDTH));
    let drawn = rest.saturating_sub(name + 2);
    let sheet = StandingsTable {
        results,
        theme,
        columns: columns(name.into(), sign(theme)),
        drawn: if drawn >= MIN_INTERVAL_WIDTH {
            drawn.min(60)
        } else {
            0
        },
    };
    let players = order.iter().enumerate().skip(first);
    let rows = players.map(|(rank, &player)| sheet.line(rank + 1, player));
    let height = area.height.into();
    let lines = std::iter::once(sheet.heading()).chain(rows).take(height);
    put_all(buf, area, lines);
}

fn columns(name: usize, sign: &str) -> TableLayout<'_> {
    let columns = vec![
        TableColumn::number("#", 3),
        TableColumn::words("player", name),
        TableColumn::number("Elo", 5),
        TableColumn::words(sign, 5),
        TableColumn::number("score", 5),
        TableColumn::number("won", 5),
        TableColumn::number("drawn", 5),
        TableColumn::number("lost", 5),
    ];
    TableLayout { columns, gap: 1 }
}

fn sign(theme: &Theme) -> &'static str {
    theme.sign("±", "+-")
}

struct StandingsTable<'a> {
    results: &'a RoundRobinResults,
    theme: &'a Theme,
    columns: TableLayout<'a>,
    /// The width of the drawn intervals.
    drawn: u16,
}

impl StandingsTable<'_> {
    fn heading<'a>(&self) -> Line<'a> {
        let mut line = self.columns.headings(self.theme.dim);
        if self.drawn > 0 {
            let (low, high) = self.ends();
            let (low, high) = (format!("{low:+.0}"), format!("{high:+.0}"));
            let room = usize::from(self.drawn) - low.len() - high.len();
            let words = format!("  {low}{:^room$}{high}", "Elo, 95% interval");
            line.push_span(Span::styled(words, self.theme.dim));
        }
        line
    }

    fn line<'a>(&self, rank: usize, player: usize) -> Line<'a> {
        let (results, theme) = (self.results, self.theme);
        let score = results.score(player);
        let margin = results.ratings.margins[player];
        let known = margin.is_finite();
        let elo = if known {
            format!("{:+.0}", results.ratings.elo[player])
        } else {
            "-".to_owned()
        };
        let margin = if known {
            format!("{}{margin:.0}", sign(theme))
        } else {
            String::new()
        };
        let share = score.share().map_or("-".to_owned(), format::percent);
        let count = |number: u64| format::short(number as f64);
        let mut line = self.columns.row([
            Span::styled(rank.to_string(), theme.dim),
            Span::styled(results.players[player].clone(), theme.text),
            Span::styled(elo, theme.strong),
            Span::styled(margin, theme.dim),
            Span::styled(share, theme.text),
            Span::styled(count(score.wins), theme.good),
            Span::styled(count(score.draws), theme.dim),
            Span::styled(count(score.losses), theme.bad),
        ]);
        if self.drawn > 0 && known {
            line.push_span(Span::raw("  "));
            line.spans.extend(self.interval(player));
        }
        line
    }

    /// The ends of the axis of the drawn intervals.
    fn ends(&self) -> (f64, f64) {
        let ratings = &self.results.ratings;
        let all = (0..ratings.elo.len()).map(|player| ratings.interval(player));
        let known = all.filter(|(low, high)| low.is_finite() && high.is_finite());
        known.reduce(wider).unwrap_or_default()
    }

    /// The rating and its interval, on an axis shared by all players.
    fn interval<'a>(&self, player: usize) -> Vec<Span<'a>> {
        let ratings = &self.results.ratings;
        let (low, high) = self.ends();
        let last = usize::from(self.drawn) - 1;
        let place = |value: f64| {
            let share = (value - low) / (high - low).max(1e-9);
            (share * last as f64).round() as usize
        };
        let (from, to) = ratings.interval(player);
        let (from, at, to) = (place(from), place(ratings.elo[player]), place(to));
        let (line, dot) = self.theme.sign(("─", "●"), ("-", "o"));
        let part = |text: String, style: Style| Span::styled(text, style);
        vec![
            part(" ".repeat(from), self.theme.text),
            part(line.repeat(at - from), self.theme.dim),
            part(dot.to_owned(), self.theme.accent),
            part(line.repeat(to - at), self.theme.dim),
        ]
    }
}
