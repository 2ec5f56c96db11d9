//! A line chart of one or more columns over generations, games or time: braille lines on grid lines, bands for the spread of
//! bundled generations or for confidence intervals, marks on the x-axis, the best value, and the crosshair.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use crate::metrics::history::Bucket;
use crate::metrics::progress_unit::ProgressUnit;
use crate::metrics::stats::wilson;
use crate::ui::theme::Theme;
use crate::ui::widgets::canvas::{DotCanvas, DotGlyphs, Strength};
use crate::ui::widgets::series_marker::marker;
use crate::ui::widgets::text::{middle, put};
use crate::ui::widgets::x_axis::{self, RunAxis};
use crate::ui::widgets::y_axis::{AxisRange, crosshair_line, grid_lines, label_width};

mod foot;

pub use crate::ui::widgets::y_axis::{AxisScale, ValueUnit};

/// One line of a chart.
#[derive(Clone, Debug)]
pub struct Series<'a> {
    pub buckets: &'a [Bucket],
    /// The positions of its buckets.
    pub track: RunAxis<'a>,
    pub style: Style,
    /// The number of games behind a value that is a score; its 95 % interval is drawn as a band.
    pub games: Option<u32>,
}

/// An event, marked on the x-axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartMark {
    pub generation: u64,
    pub label: String,
}

/// Which lines have a band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bands {
    First,
    All,
}

/// The labels of the axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels<'a> {
    /// Only the ends of the x-axis.
    Ends,
    /// Also positions between the ends, and the names of both axes; the name given is that of the y-axis.
    Full(&'a str),
}

/// A line chart of columns with the same unit.
#[derive(Clone, Debug)]
pub struct Plot<'a> {
    /// Most important first.
    pub series: Vec<Series<'a>>,
    pub unit: ValueUnit,
    pub scale: AxisScale,
    pub x_unit: ProgressUnit,
    /// The window of the x-axis, in its unit.
    pub window: (f64, f64),
    /// The x-axis of the run that the marks and the best value belong to.
    pub track: RunAxis<'a>,
    pub marks: &'a [ChartMark],
    /// The generation and value of the best.
    pub best: Option<(u64, f64)>,
    /// The position of the crosshair, in the unit of the x-axis.
    pub cursor: Option<f64>,
    pub labels: Labels<'a>,
    pub bands: Bands,
}

/// The generations that fall on one column of dots.
#[derive(Clone, Copy)]
struct PlotPoint {
    x: usize,
    low: f64,
    high: f64,
    mean: f64,
}

impl Plot<'_> {
    /// Draws the chart and returns the area of its lines; `None` if there is no room.
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
        let label_width = label_width(&ticks);
        let body = Rect {
            x: area.x + label_width,
            width: area.width - label_width,
            height: body_height,
            ..area
        };
        grid_lines(&ticks, label_width, theme, area, buf);
        if let Some(place) = self.cursor.filter(|place| self.is_shown(*place)) {
            crosshair_line(self.column(place, body), theme, body, buf);
        }
        self.lines(range, theme, body, buf);
        self.best_mark(range, theme, body, buf);
        self.axis(theme, body, buf);
        Some(body)
    }

    /// Draws the names of the axes above and below the chart; returns the area in between.
    fn names(&self, name: &str, theme: &Theme, area: Rect, buf: &mut Buffer) -> Rect {
        put(buf, area, 0, Span::styled(name, theme.dim));
        let foot = Rect {
            y: area.bottom() - 1,
            height: 1,
            ..area
        };
        let words = x_axis::name(self.x_unit);
        let at = middle(foot, words.len() as u16, 1);
        put(buf, at, 0, Span::styled(words, theme.dim));
        Rect {
            y: area.y + 1,
            height: area.height - 2,
            ..area
        }
    }

    fn share(&self, place: f64) -> f64 {
        x_axis::share(self.window, place)
    }

    fn is_shown(&self, place: f64) -> bool {
        (self.window.0..=self.window.1).contains(&place)
    }

    /// The buckets of a line in the window, each with its first generation.
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

    /// The index of the bucket at the left edge of the window.
    fn first(&self, series: &Series<'_>) -> usize {
        let track = series.track;
        let first = track.generation(self.window.0);
        (first.saturating_sub(track.start) / track.span.max(1)) as usize
    }

    /// The smallest and the largest value of a line in the window.
    pub fn value_range(&self, series: &Series<'_>) -> Option<(f64, f64)> {
        let ends = self
            .shown(series)
            .map(|(_, bucket)| (bucket.min, bucket.max));
        ends.reduce(wider)
    }

    fn range(&self) -> AxisRange {
        let ends = self
            .series
            .iter()
            .filter_map(|series| self.value_range(series));
        AxisRange::of(self.unit, self.scale, ends.reduce(wider))
    }

    /// The points of a line by columns of dots. A value holds until the next measurement: the line starts with the value before
    /// the window and extends to the end of its run or of the window.
    fn points(&self, series: &Series<'_>, across: usize) -> Vec<PlotPoint> {
        let mut points: Vec<PlotPoint> = self.entering(series).into_iter().collect();
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
                points.push(PlotPoint { x, low, high, mean });
            }
        }
        let end = self.end(series, across);
        if let Some(&latest) = points.last().filter(|point| point.x < end) {
            points.push(PlotPoint { x: end, ..latest });
        }
        if let Some(games) = series.games {
            for point in &mut points {
                (point.low, point.high) = wilson(point.mean.clamp(0.0, 1.0), games);
            }
        }
        points
    }

    /// The dot column at which a line ends.
    fn end(&self, series: &Series<'_>, across: usize) -> usize {
        let edge = across.saturating_sub(1);
        if self.window.1 > self.window.0 {
            let end = series.track.place(series.track.end);
            (self.share(end) * edge as f64).round() as usize
        } else {
            edge
        }
    }

    /// The point at which a line enters the window; `None` if there is no value before it, or one exactly at its edge.
    fn entering(&self, series: &Series<'_>) -> Option<PlotPoint> {
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
        Some(PlotPoint {
            x: 0,
            low: mean,
            high: mean,
            mean,
        })
    }

    fn lines(&self, range: AxisRange, theme: &Theme, body: Rect, buf: &mut Buffer) {
        let mut canvas = DotCanvas::new(body.width, body.height);
        let top = canvas.dot_rows().saturating_sub(1) as f64;
        let height = |value: f64| (range.share(value) * top).round() as usize;
        for (line, series) in self.series.iter().enumerate().rev() {
            let points = self.points(series, canvas.dot_columns());
            let line = line as u8;
            let has_band = line == 0 || self.bands == Bands::All;
            for point in filled(&points, series).iter().filter(|_| has_band) {
                for y in height(point.low)..=height(point.high) {
                    // Every second dot, so that the band is lighter than the line.
                    if (point.x + y) % 2 == 0 {
                        canvas.dot(point.x, y, line, Strength::Faint);
                    }
                }
            }
            let at = |point: &PlotPoint| (point.x, height(point.mean));
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
            DotGlyphs::Ascii
        } else {
            DotGlyphs::Braille
        };
        canvas.draw(body, style, plain, buf);
        if self.series.len() > 1 && !theme.ascii {
            self.markers(range, theme, body, buf);
        }
    }

    /// Draws the marker of each line at its end and at intervals, so that lines differ without colors.
    fn markers(&self, range: AxisRange, theme: &Theme, body: Rect, buf: &mut Buffer) {
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
                let sign = Span::styled(marker(line, theme), series.style);
                put(buf, at, body.height - 1 - row, sign);
            }
        }
    }

    /// Marks the best value.
    fn best_mark(&self, range: AxisRange, theme: &Theme, body: Rect, buf: &mut Buffer) {
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
fn filled(points: &[PlotPoint], series: &Series<'_>) -> Vec<PlotPoint> {
    if series.games.is_none() {
        return points.to_vec();
    }
    let mut all: Vec<PlotPoint> = points.first().copied().into_iter().collect();
    for pair in points.windows(2) {
        let [from, to] = [pair[0], pair[1]];
        let between = |x: usize| {
            let share = (x - from.x) as f64 / (to.x - from.x) as f64;
            let blend = |from: f64, to: f64| from + (to - from) * share;
            PlotPoint {
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
    use crate::ui::widgets::x_axis::AxisMapping;

    /// A column with a value every ten generations.
    fn sparse(generations: u64) -> History {
        let mut history = History::new(2);
        for generation in 0..generations {
            let figure = (generation % 10 == 0).then_some(0.5);
            history.push(&Row::from_values(vec![Some(generation as f64), figure]));
        }
        history
    }

    /// The points of a line over a window, 81 dots across.
    fn points(history: &History, window: (u64, u64), games: Option<u32>) -> Vec<PlotPoint> {
        let track = RunAxis {
            axis: AxisMapping::Generations,
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
            unit: ValueUnit::Share,
            scale: AxisScale::Linear,
            x_unit: ProgressUnit::Generations,
            window: (window.0 as f64, window.1 as f64),
            track,
            marks: &[],
            best: None,
            cursor: None,
            labels: Labels::Ends,
            bands: Bands::First,
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
        let marks = [ChartMark {
            generation: 70,
            label: "here".to_owned(),
        }];
        let track = RunAxis {
            axis: AxisMapping::Cumulative(history.rising(1)),
            start: 0,
            span: history.span(),
            end: 99,
        };
        let plot = Plot {
            series: Vec::new(),
            unit: ValueUnit::Share,
            scale: AxisScale::Linear,
            x_unit: ProgressUnit::Games,
            window: (track.place(window.0), track.place(window.1)),
            track,
            marks: &marks,
            best: Some((75, 1.0)),
            cursor: None,
            labels: Labels::Ends,
            bands: Bands::First,
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
