//! A chart of one or more columns over the generations or the games played: braille lines on light guides, the spread of bundled generations
//! or the interval of what is a sample behind them, marks on the axis, and the best value ever.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use crate::metrics::history::Bucket;
use crate::metrics::stats::wilson;
use crate::ui::theme::Theme;
use crate::ui::widgets::across::{Across, ends};
use crate::ui::widgets::axis::{Range, guides, gutter};
use crate::ui::widgets::canvas::{Canvas, Plain, Strength};
use crate::ui::widgets::text::put;

pub use crate::ui::widgets::axis::{Scale, Unit};

/// One line of a chart.
#[derive(Clone, Debug)]
pub struct Series<'a> {
    pub buckets: &'a [Bucket],
    pub style: Style,
    /// Games behind a figure that is a share of points, whose 95 % interval is drawn behind the first line.
    pub games: Option<u32>,
}

/// Something that happened, marked on the horizontal axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    pub generation: u64,
    pub label: String,
}

/// A chart of columns that share their generations and their unit.
#[derive(Clone, Debug)]
pub struct Plot<'a> {
    /// The most important first.
    pub series: Vec<Series<'a>>,
    pub unit: Unit,
    pub scale: Scale,
    pub across: Across<'a>,
    /// The generation of the first bucket, and how many each stands for.
    pub start: u64,
    pub span: u64,
    /// The generations shown, both included.
    pub window: (u64, u64),
    pub marks: &'a [Mark],
    /// The best value ever, and its generation.
    pub best: Option<(u64, f64)>,
}

/// A stretch of generations that falls on one column of dots.
#[derive(Clone, Copy)]
struct Point {
    x: usize,
    low: f64,
    high: f64,
    mean: f64,
}

impl Plot<'_> {
    pub fn draw(&self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let area = area.intersection(buf.area);
        if area.width < 12 || area.height < 4 {
            return;
        }
        let range = self.range();
        let body_height = area.height - 1;
        let ticks = range.ticks(self.unit, body_height);
        let gutter = gutter(&ticks);
        let body = Rect {
            x: area.x + gutter,
            width: area.width - gutter,
            height: body_height,
            ..area
        };
        guides(&ticks, gutter, theme, area, buf);
        self.lines(range, theme, body, buf);
        self.best_mark(range, theme, body, buf);
        self.axis(theme, body, buf);
    }

    /// Where a generation lies between the edges of the window, 0..=1.
    fn share(&self, generation: u64) -> f64 {
        let first = self.across.place(self.window.0);
        let length = self.across.place(self.window.1) - first;
        if length > 0.0 {
            ((self.across.place(generation) - first) / length).clamp(0.0, 1.0)
        } else {
            0.0
        }
    }

    /// The buckets that fall into the window, each with its middle generation.
    fn shown<'b>(&'b self, buckets: &'b [Bucket]) -> impl Iterator<Item = (u64, &'b Bucket)> {
        let first = (self.window.0.saturating_sub(self.start) / self.span.max(1)) as usize;
        let numbered = buckets.iter().enumerate().skip(first);
        numbered
            .filter(|(_, bucket)| bucket.count > 0)
            .map(|(place, bucket)| (self.start + place as u64 * self.span, bucket))
            .take_while(|(generation, _)| *generation <= self.window.1)
    }

    fn range(&self) -> Range {
        let series = self.series.iter();
        let buckets = series.flat_map(|series| self.shown(series.buckets));
        let ends = buckets.map(|(_, bucket)| (bucket.min, bucket.max));
        let ends = ends.reduce(|(low, high), (min, max)| (low.min(min), high.max(max)));
        Range::of(self.unit, self.scale, ends)
    }

    /// The buckets of a line as columns of dots. What is measured now and then holds until it is measured again: the line
    /// comes in from the figure before the window and goes on to its end.
    fn points(&self, series: &Series<'_>, across: usize) -> Vec<Point> {
        let mut points: Vec<Point> = self.entering(series).into_iter().collect();
        let mut count = 1.0;
        let last = across.saturating_sub(1) as f64;
        for (generation, bucket) in self.shown(series.buckets) {
            let Some(mean) = bucket.mean() else { continue };
            let x = (self.share(generation) * last).round() as usize;
            if let Some(point) = points.last_mut().filter(|point| point.x == x) {
                count += 1.0;
                point.low = point.low.min(bucket.min);
                point.high = point.high.max(bucket.max);
                point.mean += (mean - point.mean) / count;
            } else {
                count = 1.0;
                let (low, high) = (bucket.min, bucket.max);
                points.push(Point { x, low, high, mean });
            }
        }
        let end = across.saturating_sub(1);
        if let Some(&latest) = points.last().filter(|point| point.x < end) {
            points.push(Point { x: end, ..latest });
        }
        if let Some(games) = series.games {
            for point in &mut points {
                (point.low, point.high) = wilson(point.mean.clamp(0.0, 1.0), games);
            }
        }
        points
    }

    /// Where the line enters the window from a figure before it; `None` where there is none, or one at the window's edge.
    fn entering(&self, series: &Series<'_>) -> Option<Point> {
        let first = (self.window.0.saturating_sub(self.start) / self.span.max(1)) as usize;
        let (before, after) = series.buckets.split_at_checked(first)?;
        let from = before.iter().rposition(|bucket| bucket.count > 0)?;
        let to = after.iter().position(|bucket| bucket.count > 0);
        if to == Some(0) {
            return None;
        }
        let start = before[from].mean()?;
        let mean = to.and_then(|to| Some((to, after[to].mean()?)));
        let mean = mean.map_or(start, |(to, end)| {
            let at = |place: usize| self.across.place(self.start + place as u64 * self.span);
            let (gone, all) = (at(first) - at(from), at(first + to) - at(from));
            start + (end - start) * if all > 0.0 { gone / all } else { 1.0 }
        });
        Some(Point {
            x: 0,
            low: mean,
            high: mean,
            mean,
        })
    }

    fn lines(&self, range: Range, theme: &Theme, body: Rect, buf: &mut Buffer) {
        let mut canvas = Canvas::new(body.width, body.height);
        let top = canvas.up().saturating_sub(1) as f64;
        let height = |value: f64| (range.share(value) * top).round() as usize;
        for (line, series) in self.series.iter().enumerate().rev() {
            let points = self.points(series, canvas.across());
            let line = line as u8;
            for point in filled(&points, series).iter().filter(|_| line == 0) {
                for y in height(point.low)..=height(point.high) {
                    // Every second dot, so that the spread stays lighter than the line.
                    if (point.x + y) % 2 == 0 {
                        canvas.dot(point.x, y, line, Strength::Faint);
                    }
                }
            }
            let at = |point: &Point| (point.x, height(point.mean));
            for pair in points.windows(2) {
                canvas.stroke(at(&pair[0]), at(&pair[1]), line);
            }
            if let [only] = &points[..] {
                canvas.dot(only.x, height(only.mean), line, Strength::Strong);
            }
        }
        let style = |line: u8, strength| match strength {
            Strength::Strong => self.series[line as usize].style,
            Strength::Faint => theme.faint,
        };
        let plain = if theme.ascii {
            Plain::Ascii
        } else {
            Plain::Braille
        };
        canvas.draw(body, style, plain, buf);
    }

    /// Marks the best value ever where it was reached.
    fn best_mark(&self, range: Range, theme: &Theme, body: Rect, buf: &mut Buffer) {
        let within =
            |(generation, _): &(u64, f64)| (self.window.0..=self.window.1).contains(generation);
        let Some((generation, value)) = self.best.filter(within) else {
            return;
        };
        let x = self.column(generation, body);
        let row = (range.share(value) * f64::from(body.height - 1)).round() as u16;
        let glyph = if theme.ascii { "@" } else { "◆" };
        let at = Rect {
            x,
            width: 1,
            ..body
        };
        put(
            buf,
            at,
            body.height - 1 - row,
            Span::styled(glyph, theme.warning),
        );
    }

    fn column(&self, generation: u64, body: Rect) -> u16 {
        body.x + (self.share(generation) * f64::from(body.width - 1)).round() as u16
    }

    /// The generations or games at both ends, and the marks between them, the latest with its label.
    fn axis(&self, theme: &Theme, body: Rect, buf: &mut Buffer) {
        let row = body.height;
        let line = Rect {
            height: row + 1,
            ..body
        };
        let place = |generation| self.across.place(generation);
        let over = self.across.over();
        let (first, last) = ends(over, place(self.window.0), place(self.window.1));
        let within = |mark: &&Mark| (self.window.0..=self.window.1).contains(&mark.generation);
        let marks = || self.marks.iter().filter(within);
        let columns = marks().map(|mark| self.column(mark.generation, body));
        let mut columns: Vec<u16> = columns.collect();
        columns.sort_unstable();
        let labels = (first.len() as u16, last.len() as u16);
        let (left, right) = beside(&columns, labels, (body.x, body.right()));
        let from = |x: u16| Rect {
            x,
            width: line.right().saturating_sub(x),
            ..line
        };
        put(buf, from(left), row, Span::styled(first, theme.dim));
        put(buf, from(right), row, Span::styled(last, theme.dim));
        let glyph = if theme.ascii { "^" } else { "▲" };
        let (start, mut end) = (left + labels.0 + 1, right.saturating_sub(1));
        for mark in marks().rev() {
            let x = self.column(mark.generation, body);
            let at = Rect {
                x,
                width: 1,
                ..line
            };
            put(buf, at, row, Span::styled(glyph, theme.key));
            let label = format!(" {}", mark.label);
            let width = label.chars().count() as u16;
            if x + 1 + width <= end && x >= start {
                let at = Rect {
                    x: x + 1,
                    width,
                    ..line
                };
                put(buf, at, row, Span::styled(label, theme.dim));
                end = x;
            } else {
                end = end.min(x);
            }
        }
    }
}

/// Where labels of these widths begin at the left and the right edge: beside the marks in their way, unless that takes them
/// into each other.
fn beside(marks: &[u16], (left, right): (u16, u16), edges: (u16, u16)) -> (u16, u16) {
    let over = |x: u16, width: u16, mark: u16| (x..x + width).contains(&mark);
    let at_edges = (edges.0, edges.1.saturating_sub(right).max(edges.0));
    let first = marks.iter().fold(
        at_edges.0,
        |x, &mark| {
            if over(x, left, mark) { mark + 2 } else { x }
        },
    );
    let last = marks.iter().rev().fold(at_edges.1, |x, &mark| {
        if over(x, right, mark) {
            mark.saturating_sub(right + 1)
        } else {
            x
        }
    });
    if first + left < last {
        (first, last)
    } else {
        at_edges
    }
}

/// The points with those between them, where what lies between is an interval too.
fn filled(points: &[Point], series: &Series<'_>) -> Vec<Point> {
    if series.games.is_none() {
        return points.to_vec();
    }
    let mut all: Vec<Point> = points.first().copied().into_iter().collect();
    for pair in points.windows(2) {
        let [from, to] = [pair[0], pair[1]];
        let between = |x: usize| {
            let share = (x - from.x) as f64 / (to.x - from.x) as f64;
            let blend = |from: f64, to: f64| from + (to - from) * share;
            Point {
                x,
                low: blend(from.low, to.low),
                high: blend(from.high, to.high),
                mean: blend(from.mean, to.mean),
            }
        };
        all.extend((from.x + 1..=to.x).map(between));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Row;
    use crate::metrics::history::History;

    /// A column with a figure in every tenth of so many generations.
    fn sparse(generations: u64) -> History {
        let mut history = History::new(2);
        for generation in 0..generations {
            let figure = (generation % 10 == 0).then_some(0.5);
            history.push(&Row::from_values(vec![Some(generation as f64), figure]));
        }
        history
    }

    /// The points of a line over a window, 81 dots across.
    fn points(history: &History, window: (u64, u64), games: Option<u32>) -> Vec<Point> {
        let series = Series {
            buckets: history.column(1),
            style: Style::new(),
            games,
        };
        let plot = Plot {
            series: vec![series.clone()],
            unit: Unit::Share,
            scale: Scale::Linear,
            across: Across::Generations,
            start: 0,
            span: 1,
            window,
            marks: &[],
            best: None,
        };
        filled(&plot.points(&series, 81), &series)
    }

    /// A chart over games of 100 generations that plays ten times as many of them from generation 50 on.
    fn over_games(window: (u64, u64)) -> String {
        let mut history = History::bounded(2, 16);
        for generation in 0..100_u32 {
            let late = (generation + 1).saturating_sub(50);
            let games = (generation + 1) * 1000 + late * 9000;
            let values = [f64::from(generation), f64::from(games)];
            history.push(&Row::from_values(values.map(Some).to_vec()));
        }
        let marks = [Mark {
            generation: 70,
            label: "here".to_owned(),
        }];
        let plot = Plot {
            series: Vec::new(),
            unit: Unit::Share,
            scale: Scale::Linear,
            across: Across::Games(history.rising(1)),
            start: 0,
            span: history.span(),
            window,
            marks: &marks,
            best: Some((75, 1.0)),
        };
        let area = Rect::new(0, 0, 56, 6);
        let mut buf = Buffer::empty(area);
        plot.draw(&Theme::dark(), area, &mut buf);
        let row = |y: u16| (0..56).map(move |x| (x, y));
        let symbols = |y: u16| row(y).map(|at| buf[at].symbol()).collect::<String>();
        format!("{}\n{}", symbols(0), symbols(5))
    }

    #[test]
    fn marks_lie_where_their_generations_do_also_on_an_axis_of_games() {
        let column = |text: &str, mark: char| {
            let lines = text.lines();
            let mut places = lines.filter_map(|line| line.chars().position(|other| other == mark));
            places.next()
        };
        // The body begins at column 5, 51 columns wide; 550,000 games in all.
        let whole = over_games((0, 99));
        assert!(
            whole.contains("games 1,000") && whole.ends_with("550k"),
            "{whole}"
        );
        assert_eq!(column(&whole, '▲'), Some(5 + 24), "260 of 550 thousand");
        assert_eq!(column(&whole, '◆'), Some(5 + 28), "310 of 550 thousand");
        let late = over_games((56, 99));
        assert!(late.contains("games 120k"), "{late}");
        assert_eq!(column(&late, '◆'), Some(5 + 22), "190 of 430 thousand");
    }

    #[test]
    fn what_stands_at_the_ends_of_an_axis_gives_way_to_marks() {
        for (marks, expected) in [
            (&[][..], (5, 37)),
            (&[20], (5, 37)),
            (&[7], (9, 37)),
            (&[4, 5, 7, 39], (9, 35)),
            (&[10, 15, 20, 25, 30, 35], (5, 37)),
        ] {
            let found = beside(marks, (11, 3), (5, 40));
            assert_eq!(found, expected, "{marks:?}");
        }
    }

    fn check(generations: u64, window: (u64, u64), expected: &[usize]) {
        let points = points(&sparse(generations), window, None);
        let places: Vec<usize> = points.iter().map(|point| point.x).collect();
        assert_eq!(places, expected, "{window:?} of {generations}");
        assert!(points.iter().all(|point| (point.mean - 0.5).abs() < 1e-9));
    }

    #[test]
    fn what_is_measured_now_and_then_is_a_line_from_edge_to_edge() {
        check(41, (0, 40), &[0, 20, 40, 60, 80]);
        check(46, (0, 45), &[0, 18, 36, 53, 71, 80]);
        check(46, (35, 45), &[0, 40, 80]);
        check(48, (43, 47), &[0, 80]);
        check(1, (0, 1), &[0, 80]);
        check(0, (0, 1), &[]);
    }

    #[test]
    fn the_interval_of_a_sample_is_drawn_all_along_its_line() {
        let points = points(&sparse(41), (0, 40), Some(100));
        assert_eq!(points.len(), 81);
        for point in points {
            assert!((point.low - 0.4038).abs() < 1e-4 && (point.high - 0.5962).abs() < 1e-4);
        }
    }
}
