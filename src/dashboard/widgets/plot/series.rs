//! A line of a chart, and its points within a window of the x-axis.

use ratatui::style::Style;

use crate::widgets::x_axis::{self, RunAxis};
use finches_engine::metrics::history::Bucket;
use finches_engine::metrics::stats::wilson;

/// One line of a chart.
#[derive(Clone, Debug)]
pub struct Series<'a> {
    pub buckets: &'a [Bucket],
    /// The positions of its buckets.
    pub track: RunAxis<'a>,
    pub style: Style,
    /// The number of games behind a value that is a score; its 95% interval is drawn as a band.
    pub games: Option<u32>,
}

/// The generations that fall on one column of dots.
#[derive(Clone, Copy)]
pub(super) struct PlotPoint {
    pub(super) x: usize,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) mean: f64,
}

impl PlotPoint {
    fn exact(x: usize, value: f64) -> Self {
        Self {
            x,
            low: value,
            high: value,
            mean: value,
        }
    }
}

impl<'a> Series<'a> {
    /// The smallest and the largest value in a window.
    pub fn value_range(&self, window: (f64, f64)) -> Option<(f64, f64)> {
        let ends = self
            .shown(window)
            .map(|(_, bucket)| (bucket.min, bucket.max));
        ends.reduce(wider)
    }

    /// The buckets in a window, each with its first generation.
    fn shown(&self, window: (f64, f64)) -> impl Iterator<Item = (u64, &'a Bucket)> {
        let track = self.track;
        let last = track.generation(window.1);
        let is_shown = track.place(track.start) <= window.1 && track.place(track.end) >= window.0;
        let numbered = self.buckets.iter().enumerate().skip(self.first(window));
        numbered
            .filter(move |(_, bucket)| is_shown && bucket.count > 0)
            .map(move |(place, bucket)| (track.start + place as u64 * track.span, bucket))
            .take_while(move |(generation, _)| *generation <= last)
    }

    /// The index of the bucket at the left edge of a window.
    fn first(&self, window: (f64, f64)) -> usize {
        let track = self.track;
        let first = track.generation(window.0);
        (first.saturating_sub(track.start) / track.span.max(1)) as usize
    }

    /// The points by columns of dots. A value holds until the next measurement: the line starts
    /// with the value before the window and extends to the end of its run or of the window.
    pub(super) fn points(&self, window: (f64, f64), across: usize) -> Vec<PlotPoint> {
        if self.track.place(self.track.end) < window.0 {
            return Vec::new();
        }
        let mut points: Vec<PlotPoint> = self.entering(window).into_iter().collect();
        let mut count = 1.0;
        let last = across.saturating_sub(1) as f64;
        for (generation, bucket) in self.shown(window) {
            let Some(mean) = bucket.mean() else { continue };
            let x = (x_axis::share(window, self.track.place(generation)) * last).round() as usize;
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
        let end = self.end(window, across);
        if let Some(&latest) = points.last().filter(|point| point.x < end) {
            points.push(PlotPoint { x: end, ..latest });
        }
        if let Some(games) = self.games {
            for point in &mut points {
                (point.low, point.high) = wilson(point.mean.clamp(0.0, 1.0), games);
            }
        }
        points
    }

    /// The dot column at which the line ends.
    fn end(&self, window: (f64, f64), across: usize) -> usize {
        let edge = across.saturating_sub(1);
        if window.1 > window.0 {
            let end = self.track.place(self.track.end);
            (x_axis::share(window, end) * edge as f64).round() as usize
        } else {
            edge
        }
    }

    /// The point at which the line enters a window; `None` if there is no value before it, or one
    /// exactly at its edge.
    fn entering(&self, window: (f64, f64)) -> Option<PlotPoint> {
        let first = self.first(window);
        let (before, after) = self.buckets.split_at_checked(first)?;
        let from = before.iter().rposition(|bucket| bucket.count > 0)?;
        let to = after.iter().position(|bucket| bucket.count > 0);
        if to == Some(0) {
            return None;
        }
        let start = before[from].mean()?;
        let mean = to.and_then(|to| Some((to, after[to].mean()?)));
        let mean = mean.map_or(start, |(to, end)| {
            let track = self.track;
            let at = |place: usize| track.place(track.start + place as u64 * track.span);
            let (gone, all) = (at(first) - at(from), at(first + to) - at(from));
            start + (end - start) * if all > 0.0 { gone / all } else { 1.0 }
        });
        Some(PlotPoint::exact(0, mean))
    }
}

/// The ends of two ranges together.
pub fn wider(one: (f64, f64), other: (f64, f64)) -> (f64, f64) {
    (one.0.min(other.0), one.1.max(other.1))
}

/// The points with those between them, where what lies between is an interval too.
pub(super) fn filled(points: &[PlotPoint], series: &Series<'_>) -> Vec<PlotPoint> {
    if series.games.is_none() && points.iter().all(|point| point.low >= point.high) {
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
    use crate::widgets::x_axis::AxisMapping;
    use finches_engine::metrics::Row;
    use finches_engine::metrics::history::History;

    /// A column with a value every ten generations.
    fn sparse(generations: u64) -> History {
        let mut history = History::new(2);
        for generation in 0..generations {
            let figure = (generation % 10 == 0).then_some(0.5);
            history.push(&Row::from_values(vec![Some(generation as f64), figure]));
        }
        history
    }

    fn series(history: &History) -> Series<'_> {
        Series {
            buckets: history.column(1),
            track: RunAxis {
                axis: AxisMapping::Generations,
                start: history.start(),
                span: history.span(),
                end: history.end(),
            },
            style: Style::new(),
            games: None,
        }
    }

    fn check(generations: u64, window: (f64, f64), expected: &[usize]) {
        let points = series(&sparse(generations)).points(window, 81);
        let places: Vec<usize> = points.iter().map(|point| point.x).collect();
        assert_eq!(places, expected, "{window:?} of {generations}");
        assert!(points.iter().all(|point| (point.mean - 0.5).abs() < 1e-9));
    }

    #[test]
    fn what_is_measured_now_and_then_is_a_line_from_edge_to_edge() {
        check(41, (0.0, 40.0), &[0, 20, 40, 60, 80]);
        check(46, (0.0, 45.0), &[0, 18, 36, 53, 71, 80]);
        check(46, (35.0, 45.0), &[0, 40, 80]);
        check(48, (43.0, 47.0), &[0, 80]);
        check(1, (0.0, 0.0), &[0, 80]);
        check(0, (0.0, 1.0), &[]);
    }

    #[test]
    fn a_line_ends_where_its_run_does() {
        check(41, (0.0, 80.0), &[0, 10, 20, 30, 40]);
        check(46, (0.0, 90.0), &[0, 9, 18, 27, 36, 40]);
        check(41, (50.0, 80.0), &[]);
    }

    #[test]
    fn the_interval_of_a_sample_is_drawn_all_along_its_line() {
        let history = sparse(41);
        let sample = Series {
            games: Some(100),
            ..series(&history)
        };
        let points = filled(&sample.points((0.0, 40.0), 81), &sample);
        assert_eq!(points.len(), 81);
        for point in points {
            assert!((point.low - 0.4038).abs() < 1e-4 && (point.high - 0.5962).abs() < 1e-4);
        }
    }

    #[test]
    fn the_range_of_values_is_that_of_the_window() {
        let mut history = History::bounded(2, 8);
        for generation in 0..100_u32 {
            let values = [f64::from(generation), f64::from(generation) / 100.0];
            history.push(&Row::from_values(values.map(Some).to_vec()));
        }
        let run = series(&history);
        assert!(run.buckets.len() <= 8);
        assert_eq!(run.value_range((0.0, 99.0)), Some((0.0, 0.99)));
        assert_eq!(run.value_range((99.0, 99.0)), Some((0.96, 0.99)));
        assert_eq!(run.value_range((100.0, 120.0)), None, "it has ended before");
    }
}
