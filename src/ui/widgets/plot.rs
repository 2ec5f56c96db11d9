//! A chart of one or more columns over the generations: braille lines on light guides, the spread of bundled generations
//! or the interval of what is a sample behind them, marks on the axis, and the best value ever.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use crate::metrics::history::Bucket;
use crate::metrics::stats::wilson;
use crate::ui::theme::Theme;
use crate::ui::widgets::axis::{Range, guides, gutter};
use crate::ui::widgets::canvas::{Canvas, Plain, Strength};
use crate::ui::widgets::text::{put, put_right};
use crate::ui::words;

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

    fn generations(&self) -> u64 {
        (self.window.1.saturating_sub(self.window.0)).max(1)
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
            let share = generation.saturating_sub(self.window.0) as f64 / self.generations() as f64;
            let x = (share.min(1.0) * last).round() as usize;
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
            let (gone, all) = ((first - from) as f64, (first + to - from) as f64);
            start + (end - start) * gone / all
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
        let share = generation.saturating_sub(self.window.0) as f64 / self.generations() as f64;
        body.x + (share.min(1.0) * f64::from(body.width - 1)).round() as u16
    }

    /// The generations at both ends, and the marks between them, the latest with its label.
    fn axis(&self, theme: &Theme, body: Rect, buf: &mut Buffer) {
        let row = body.height;
        let line = Rect {
            height: row + 1,
            ..body
        };
        let first = format!("gen {}", words::count(self.window.0 as f64));
        let last = words::count(self.window.1 as f64);
        let (left, right) = (first.len() as u16 + 1, last.len() as u16 + 1);
        put(buf, line, row, Span::styled(first, theme.dim));
        put_right(buf, line, row, Span::styled(last, theme.dim));
        let within = |mark: &&Mark| (self.window.0..=self.window.1).contains(&mark.generation);
        let glyph = if theme.ascii { "^" } else { "▲" };
        let mut end = body.x + body.width.saturating_sub(right);
        let start = body.x + left;
        for mark in self.marks.iter().rev().filter(within) {
            let x = self.column(mark.generation, body).max(body.x);
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
            start: 0,
            span: 1,
            window,
            marks: &[],
            best: None,
        };
        filled(&plot.points(&series, 81), &series)
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
