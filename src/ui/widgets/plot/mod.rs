//! A chart of one or more columns over the generations, the games played or the time worked: braille lines on light guides, the
//! spread of bundled generations or the interval of what is a sample behind them, marks on the axis, the best value ever, and
//! the place at which values are read.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use crate::metrics::history::Bucket;
use crate::metrics::over::Over;
use crate::metrics::stats::wilson;
use crate::ui::theme::Theme;
use crate::ui::widgets::across::{self, Track};
use crate::ui::widgets::axis::{Range, guides, gutter, upright};
use crate::ui::widgets::canvas::{Canvas, Plain, Strength};
use crate::ui::widgets::sign::sign;
use crate::ui::widgets::text::{middle, put};

mod foot;

pub use crate::ui::widgets::axis::{Scale, Unit};

/// One line of a chart.
#[derive(Clone, Debug)]
pub struct Series<'a> {
    pub buckets: &'a [Bucket],
    /// Where its buckets lie.
    pub track: Track<'a>,
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

/// Which lines have their spread or interval behind them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bands {
    OfFirst,
    OfAll,
}

/// What is written along the axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels<'a> {
    /// The ends of the horizontal axis.
    Ends,
    /// Places between them as well, and what the axes are of; the name is that of the vertical one.
    Full(&'a str),
}

/// A chart of columns that share their unit.
#[derive(Clone, Debug)]
pub struct Plot<'a> {
    /// The most important first.
    pub series: Vec<Series<'a>>,
    pub unit: Unit,
    pub scale: Scale,
    pub over: Over,
    /// What is shown from left to right, in the unit of the axis.
    pub window: (f64, f64),
    /// The run that the marks and the best value belong to.
    pub track: Track<'a>,
    pub marks: &'a [Mark],
    /// The best value ever, and its generation.
    pub best: Option<(u64, f64)>,
    /// Where values are read, in the unit of the axis.
    pub cursor: Option<f64>,
    pub labels: Labels<'a>,
    pub bands: Bands,
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
    /// Draws the chart and tells where its lines are; nowhere where there is no room for them.
    pub fn draw(&self, theme: &Theme, area: Rect, buf: &mut Buffer) -> Option<Rect> {
        let mut area = area.intersection(buf.area);
        if area.width < 12 || area.height < 4 {
            return None;
        }
        if let Labels::Full(name) = self.labels
            && area.height > 8
        {
            area = self.names(name, theme, area, buf);
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
        if let Some(place) = self.cursor.filter(|place| self.is_shown(*place)) {
            upright(self.column(place, body), theme, body, buf);
        }
        self.lines(range, theme, body, buf);
        self.best_mark(range, theme, body, buf);
        self.axis(theme, body, buf);
        Some(body)
    }

    /// Writes what the axes are of above and below the chart; what is left between.
    fn names(&self, name: &str, theme: &Theme, area: Rect, buf: &mut Buffer) -> Rect {
        put(buf, area, 0, Span::styled(name, theme.dim));
        let foot = Rect {
            y: area.bottom() - 1,
            height: 1,
            ..area
        };
        let words = across::name(self.over);
        let at = middle(foot, words.len() as u16, 1);
        put(buf, at, 0, Span::styled(words, theme.dim));
        Rect {
            y: area.y + 1,
            height: area.height - 2,
            ..area
        }
    }

    fn share(&self, place: f64) -> f64 {
        across::share(self.window, place)
    }

    fn is_shown(&self, place: f64) -> bool {
        (self.window.0..=self.window.1).contains(&place)
    }

    /// The buckets of a line that fall into the window, each with its first generation.
    fn shown<'b>(&self, series: &Series<'b>) -> impl Iterator<Item = (u64, &'b Bucket)> {
        let track = series.track;
        let last = track.generation(self.window.1);
        let begins = track.place(track.start) <= self.window.1;
        let numbered = series.buckets.iter().enumerate().skip(self.first(series));
        numbered
            .filter(move |(_, bucket)| begins && bucket.count > 0)
            .map(move |(place, bucket)| (track.start + place as u64 * track.span, bucket))
            .take_while(move |(generation, _)| *generation <= last)
    }

    /// The bucket of a line at the left edge of the window.
    fn first(&self, series: &Series<'_>) -> usize {
        let track = series.track;
        let first = track.generation(self.window.0);
        (first.saturating_sub(track.start) / track.span.max(1)) as usize
    }

    /// The smallest and the largest figure of a line in the window.
    pub fn ends_of(&self, series: &Series<'_>) -> Option<(f64, f64)> {
        let ends = self
            .shown(series)
            .map(|(_, bucket)| (bucket.min, bucket.max));
        ends.reduce(wider)
    }

    fn range(&self) -> Range {
        let ends = self.series.iter().filter_map(|series| self.ends_of(series));
        Range::of(self.unit, self.scale, ends.reduce(wider))
    }

    /// The buckets of a line as columns of dots. What is measured now and then holds until it is measured again: the line
    /// comes in from the figure before the window and goes on to its end, or to that of its run.
    fn points(&self, series: &Series<'_>, across: usize) -> Vec<Point> {
        let mut points: Vec<Point> = self.entering(series).into_iter().collect();
        let mut count = 1.0;
        let last = across.saturating_sub(1) as f64;
        for (generation, bucket) in self.shown(series) {
            let Some(mean) = bucket.mean() else { continue };
            let x = (self.share(series.track.place(generation)) * last).round() as usize;
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
        let end = self.end(series, across);
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

    /// The column of dots that a line goes on to.
    fn end(&self, series: &Series<'_>, across: usize) -> usize {
        let edge = across.saturating_sub(1);
        if self.window.1 > self.window.0 {
            let end = series.track.place(series.track.end);
            (self.share(end) * edge as f64).round() as usize
        } else {
            edge
        }
    }

    /// Where the line enters the window from a figure before it; `None` where there is none, or one at the window's edge.
    fn entering(&self, series: &Series<'_>) -> Option<Point> {
        let first = self.first(series);
        let (before, after) = series.buckets.split_at_checked(first)?;
        let from = before.iter().rposition(|bucket| bucket.count > 0)?;
        let to = after.iter().position(|bucket| bucket.count > 0);
        if to == Some(0) {
            return None;
        }
        let start = before[from].mean()?;
        let mean = to.and_then(|to| Some((to, after[to].mean()?)));
        let mean = mean.map_or(start, |(to, end)| {
            let track = series.track;
            let at = |place: usize| track.place(track.start + place as u64 * track.span);
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
            let has_band = line == 0 || self.bands == Bands::OfAll;
            for point in filled(&points, series).iter().filter(|_| has_band) {
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
        if self.series.len() > 1 && !theme.ascii {
            self.signs(range, theme, body, buf);
        }
    }

    /// Puts the sign of each line on its end and here and there on its way, so that lines can be told apart without colors.
    fn signs(&self, range: Range, theme: &Theme, body: Rect, buf: &mut Buffer) {
        const APART: usize = 30;
        let across = usize::from(body.width) * 2;
        let top = f64::from(body.height) * 4.0 - 1.0;
        for (line, series) in self.series.iter().enumerate().rev() {
            let points = self.points(series, across);
            let mut next = APART / 2 + line * 7;
            let end = points.last().map_or(0, |point| point.x);
            for point in points {
                let column = point.x / 2;
                if column < next && point.x != end {
                    continue;
                }
                next = column + APART;
                let row = (range.share(point.mean) * top).round() as u16 / 4;
                let at = Rect {
                    x: body.x + column as u16,
                    width: 1,
                    ..body
                };
                let sign = Span::styled(sign(line, theme), series.style);
                put(buf, at, body.height - 1 - row, sign);
            }
        }
    }

    /// Marks the best value ever where it was reached.
    fn best_mark(&self, range: Range, theme: &Theme, body: Rect, buf: &mut Buffer) {
        let at = |(generation, value): (u64, f64)| (self.track.place(generation), value);
        let best = self.best.map(at).filter(|(place, _)| self.is_shown(*place));
        let Some((place, value)) = best else {
            return;
        };
        let x = self.column(place, body);
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

    fn column(&self, place: f64, body: Rect) -> u16 {
        body.x + (self.share(place) * f64::from(body.width - 1)).round() as u16
    }
}

/// The ends of two ranges together.
fn wider(one: (f64, f64), other: (f64, f64)) -> (f64, f64) {
    (one.0.min(other.0), one.1.max(other.1))
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
    use crate::ui::widgets::across::Across;

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
        let track = Track {
            across: Across::Generations,
            start: 0,
            span: 1,
            end: history.end(),
        };
        let series = Series {
            buckets: history.column(1),
            track,
            style: Style::new(),
            games,
        };
        let plot = Plot {
            series: vec![series.clone()],
            unit: Unit::Share,
            scale: Scale::Linear,
            over: Over::Generations,
            window: (window.0 as f64, window.1 as f64),
            track,
            marks: &[],
            best: None,
            cursor: None,
            labels: Labels::Ends,
            bands: Bands::OfFirst,
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
        let track = Track {
            across: Across::Grown(history.rising(1)),
            start: 0,
            span: history.span(),
            end: 99,
        };
        let plot = Plot {
            series: Vec::new(),
            unit: Unit::Share,
            scale: Scale::Linear,
            over: Over::Games,
            window: (track.place(window.0), track.place(window.1)),
            track,
            marks: &marks,
            best: Some((75, 1.0)),
            cursor: None,
            labels: Labels::Ends,
            bands: Bands::OfFirst,
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
        check(1, (0, 0), &[0, 80]);
        check(0, (0, 1), &[]);
    }

    #[test]
    fn a_line_ends_where_its_run_does() {
        check(41, (0, 80), &[0, 10, 20, 30, 40]);
        check(46, (0, 90), &[0, 9, 18, 27, 36, 40]);
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
