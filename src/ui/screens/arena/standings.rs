//! Draws the standings, best player first: rating with interval, score, wins, draws and losses.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::play::results::RoundRobinResults;
use crate::ui::format;
use crate::ui::theme::Theme;
use crate::ui::widgets::text::put;
use crate::ui::widgets::truncate::truncate;

/// Columns of the figures, of the drawn interval, and of the shortest name.
const FIGURES_WIDTH: u16 = 36;
const MIN_INTERVAL_WIDTH: u16 = 20;
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
        name: name.into(),
        drawn: if drawn >= MIN_INTERVAL_WIDTH {
            drawn.min(60)
        } else {
            0
        },
    };
    put(buf, area, 0, sheet.heading());
    let rows = usize::from(area.height.saturating_sub(1));
    for (row, (rank, &player)) in order.iter().enumerate().skip(first).take(rows).enumerate() {
        put(buf, area, row as u16 + 1, sheet.line(rank + 1, player));
    }
}

struct StandingsTable<'a> {
    results: &'a RoundRobinResults,
    theme: &'a Theme,
    /// Columns of the names and of the drawn intervals.
    name: usize,
    drawn: u16,
}

impl StandingsTable<'_> {
    fn heading<'a>(&self) -> Line<'a> {
        let width = self.name;
        let sign = self.sign();
        let mut text = format!(
            "  # {:<width$} {:>5} {sign:<5} {:>5} {:>5} {:>5} {:>5}",
            "player", "Elo", "score", "won", "drawn", "lost"
        );
        if self.drawn > 0 {
            text.push_str("  95 % interval");
        }
        Line::styled(text, self.theme.dim)
    }

    fn sign(&self) -> &'static str {
        if self.theme.ascii { "+-" } else { "±" }
    }

    fn line<'a>(&self, rank: usize, player: usize) -> Line<'a> {
        let (results, theme, width) = (self.results, self.theme, self.name);
        let score = results.score(player);
        let margin = results.ratings.margins[player];
        let known = margin.is_finite();
        let elo = if known {
            format!("{:+.0}", results.ratings.elo[player])
        } else {
            "-".to_owned()
        };
        let margin = if known {
            format!("{}{margin:.0}", self.sign())
        } else {
            String::new()
        };
        let share = score.share().map_or("-".to_owned(), format::percent);
        let count = |number: u64| format::short(number as f64);
        let mut line = Line::from(vec![
            Span::styled(format!("{rank:>3} "), theme.dim),
            Span::styled(
                format!("{:<width$} ", truncate(&results.players[player], width)),
                theme.text,
            ),
            Span::styled(format!("{elo:>5} "), theme.strong),
            Span::styled(format!("{margin:<5} "), theme.dim),
            Span::styled(format!("{share:>5} "), theme.text),
            Span::styled(format!("{:>5} ", count(score.wins)), theme.good),
            Span::styled(format!("{:>5} ", count(score.draws)), theme.dim),
            Span::styled(format!("{:>5}", count(score.losses)), theme.bad),
        ]);
        if self.drawn > 0 && known {
            line.push_span(Span::raw("  "));
            line.spans.extend(self.interval(player));
        }
        line
    }

    /// The rating and its interval, on an axis shared by all players.
    fn interval<'a>(&self, player: usize) -> Vec<Span<'a>> {
        let ratings = &self.results.ratings;
        let all = (0..ratings.elo.len()).map(|player| ratings.interval(player));
        let (low, high) = all.fold((f64::MAX, f64::MIN), |(low, high), (from, to)| {
            (low.min(from), high.max(to))
        });
        let last = usize::from(self.drawn) - 1;
        let place = |value: f64| {
            let share = (value - low) / (high - low).max(1e-9);
            (share * last as f64).round() as usize
        };
        let (from, to) = ratings.interval(player);
        let (from, at, to) = (place(from), place(ratings.elo[player]), place(to));
        let (line, dot) = if self.theme.ascii {
            ("-", "o")
        } else {
            ("─", "●")
        };
        let part = |text: String, style: Style| Span::styled(text, style);
        vec![
            part(" ".repeat(from), self.theme.text),
            part(line.repeat(at - from), self.theme.dim),
            part(dot.to_owned(), self.theme.accent),
            part(line.repeat(to - at), self.theme.dim),
        ]
    }
}
