//! A chart of many runs: a braille line for each, with a symbol of its status at the end.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use crate::metrics::history::Bucket;
use crate::metrics::progress_unit::ProgressUnit;
use crate::ui::theme::Theme;
use crate::ui::widgets::canvas::{DotCanvas, DotGlyphs};
use crate::ui::widgets::text::{put, put_right};
use crate::ui::widgets::x_axis::{self, RunAxis};
use crate::ui::widgets::y_axis::{
    AxisRange, AxisScale, ValueUnit, crosshair_line, grid_lines, label_width,
};

/// The status of a run of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TrialStatus {
    Waiting,
    /// Ended; there was no target.
    Done,
    /// Ended without meeting its target.
    Unsolved,
    /// Met its target.
    Solved,
    Running,
}

impl TrialStatus {
    /// All statuses, in display order.
    pub const ALL: [Self; 5] = [
        Self::Solved,
        Self::Unsolved,
        Self::Done,
        Self::Running,
        Self::Waiting,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Done => "done",
            Self::Unsolved => "unsolved",
            Self::Solved => "solved",
            Self::Running => "running",
        }
    }

    pub fn glyph(self, theme: &Theme) -> &'static str {
        match (self, theme.ascii) {
            (Self::Waiting, false) => "·",
            (Self::Waiting, true) => ".",
            (Self::Done, false) => "■",
            (Self::Done, true) => "D",
            (Self::Unsolved, false) => "✗",
            (Self::Unsolved, true) => "X",
            (Self::Solved, false) => "✓",
            (Self::Solved, true) => "S",
            (Self::Running, false) => "●",
            (Self::Running, true) => "@",
        }
    }

    pub fn style(self, theme: &Theme) -> Style {
        match self {
            Self::Waiting => theme.dim,
            Self::Done => theme.text,
            Self::Unsolved => theme.bad,
            Self::Solved => theme.good,
            Self::Running => theme.accent,
        }
    }

    /// The priority of its line. If two lines meet, that of a running run is shown.
    fn line(self) -> u8 {
        match self {
            Self::Running => 0,
            Self::Waiting | Self::Done | Self::Solved => 1,
            Self::Unsolved => 2,
        }
    }
}

/// The line of one run.
#[derive(Clone, Copy, Debug)]
pub struct RunLine<'a> {
    pub buckets: &'a [Bucket],
    pub status: TrialStatus,
    /// The positions of its buckets.
    pub track: RunAxis<'a>,
}

impl RunLine<'_> {
    /// The smallest and the largest value from a position on.
    pub fn ends(&self, from: f64) -> Option<(f64, f64)> {
        if self.end() < from {
            return None;
        }
        let before = self.track.generation(from) - self.track.start;
        let shown = self
            .buckets
            .iter()
            .skip((before / self.track.span) as usize);
        let figures = shown.filter(|bucket| bucket.count > 0);
        let ends = figures.map(|bucket| (bucket.min, bucket.max));
        ends.reduce(|(low, high), (min, max)| (low.min(min), high.max(max)))
    }

    /// The position of its end.
    pub fn end(&self) -> f64 {
        self.track.place(self.track.end)
    }

    /// Positions and values. The last value is exact, the others are means.
    fn points(&self) -> Vec<(f64, f64)> {
        let numbered = self.buckets.iter().enumerate();
        let mean = |(place, bucket): (usize, &Bucket)| {
            let at = self
                .track
                .place(self.track.start + place as u64 * self.track.span);
            Some((at, bucket.mean()?))
        };
        let mut points: Vec<(f64, f64)> = numbered.filter_map(mean).collect();
        let last = self.buckets.iter().rfind(|bucket| bucket.count > 0);
        points.extend(last.map(|bucket| (self.end(), bucket.last)));
        points
    }
}

/// A chart of many runs.
#[derive(Clone, Debug)]
pub struct MultiLineChart<'a> {
    pub lines: Vec<RunLine<'a>>,
    pub unit: ValueUnit,
    pub scale: AxisScale,
    /// The smallest and the largest value shown; those of the lines if `None`.
    pub ends: Option<(f64, f64)>,
    /// The unit of the x-axis.
    pub x_unit: ProgressUnit,
    /// The window of the x-axis, in its unit.
    pub window: (f64, f64),
    /// The position of the crosshair, in the unit of the x-axis.
    pub cursor: Option<f64>,
}

impl MultiLineChart<'_> {
    pub fn draw(&self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let area = area.intersection(buf.area);
        if area.width < 12 || area.height < 3 {
            return;
        }
        let range = AxisRange::of(self.unit, self.scale, self.ends.or_else(|| self.ends()));
        let height = area.height - 1;
        let ticks = range.ticks(self.unit, height);
        let left = label_width(&ticks);
        grid_lines(&ticks, left, theme, area, buf);
        let body = Rect {
            x: area.x + left,
            width: area.width.saturating_sub(left),
            height,
            ..area
        };
        self.cursor_line(theme, body, buf);
        self.lines(range, theme, body, buf);
        let axis = Rect {
            y: area.y + height,
            height: 1,
            ..body
        };
        let (first, last) = x_axis::end_labels(self.x_unit, self.window.0, self.window.1);
        put(buf, axis, 0, Span::styled(first, theme.dim));
        put_right(buf, axis, 0, Span::styled(last, theme.dim));
    }

    fn ends(&self) -> Option<(f64, f64)> {
        let ends = |line: &RunLine<'_>| line.ends(self.window.0);
        let ends = self.lines.iter().filter_map(ends);
        ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }

    /// Draws the crosshair if it lies in the window.
    fn cursor_line(&self, theme: &Theme, body: Rect, buf: &mut Buffer) {
        let is_shown = |place: &f64| (self.window.0..=self.window.1).contains(place);
        let canvas = DotCanvas::new(body.width, body.height);
        if let Some(place) = self.cursor.filter(is_shown) {
            let column = body.x + self.dot(place, &canvas) as u16 / 2;
            crosshair_line(column, theme, body, buf);
        }
    }

    /// The dot column of a position.
    fn dot(&self, place: f64, canvas: &DotCanvas) -> usize {
        let right = canvas.dot_columns().saturating_sub(1) as f64;
        (x_axis::share(self.window, place) * right).round() as usize
    }

    /// The points of a line in dots from the bottom left. With several lines each is averaged over a character, otherwise over
    /// a dot. Its last point is exact.
    fn dots(
        &self,
        line: &RunLine<'_>,
        range: AxisRange,
        canvas: &DotCanvas,
    ) -> Vec<(usize, usize)> {
        let top = canvas.dot_rows().saturating_sub(1);
        let x = |at: f64| self.dot(at, canvas);
        let step = if self.lines.len() > 1 { 2 } else { 1 };
        let points = entering(line.points(), self.window.0);
        let Some((&(last, figure), before)) = points.split_last() else {
            return Vec::new();
        };
        let before = before.iter().map(|&(at, figure)| (x(at), figure));
        let mut means = smoothed(before, step);
        means.retain(|&(at, _)| at < x(last));
        means.push((x(last), figure));
        let up = |figure: f64| (range.share(figure) * top as f64).round() as usize;
        means
            .into_iter()
            .map(|(x, figure)| (x, up(figure)))
            .collect()
    }

    /// Draws the lines and a status symbol at the end of each, those of running runs on top.
    fn lines(&self, range: AxisRange, theme: &Theme, body: Rect, buf: &mut Buffer) {
        let mut canvas = DotCanvas::new(body.width, body.height);
        let mut heads = Vec::new();
        for line in &self.lines {
            let dots = self.dots(line, range, &canvas);
            for pair in dots.windows(2) {
                canvas.stroke(pair[0], pair[1], line.status.line());
            }
            heads.extend(dots.last().map(|&head| (line.status, head)));
        }
        let many = self.lines.len() > 1;
        let style = |line: u8, _| match line {
            0 => theme.series[0],
            _ if many => theme.faint,
            _ => theme.dim,
        };
        let plain = if theme.ascii {
            DotGlyphs::Ascii
        } else {
            DotGlyphs::Braille
        };
        canvas.draw(body, style, plain, buf);
        heads.sort_by_key(|(status, _)| *status);
        for (status, (x, up)) in heads {
            let at = Rect {
                x: body.x + x as u16 / 2,
                width: 1,
                ..body
            };
            let row = body.height - 1 - up as u16 / 4;
            put(
                buf,
                at,
                row,
                Span::styled(status.glyph(theme), status.style(theme)),
            );
        }
    }
}

/// The points from the left edge of a window on, with an interpolated point at the edge.
fn entering(mut points: Vec<(f64, f64)>, first: f64) -> Vec<(f64, f64)> {
    let Some(before) = points.iter().rposition(|&(at, _)| at <= first) else {
        return points;
    };
    let (at, figure) = points[before];
    if at < first {
        let Some(&(to, next)) = points.get(before + 1) else {
            return Vec::new();
        };
        let gone = (first - at) / (to - at);
        points[before] = (first, figure + (next - figure) * gone);
    }
    points.split_off(before)
}

/// The means of the values in groups of `step` dots.
fn smoothed(points: impl Iterator<Item = (usize, f64)>, step: usize) -> Vec<(usize, f64)> {
    let (mut means, mut count): (Vec<(usize, f64)>, f64) = (Vec::new(), 0.0);
    for (x, figure) in points {
        let x = x / step * step + step / 2;
        if let Some(mean) = means.last_mut().filter(|mean| mean.0 == x) {
            count += 1.0;
            mean.1 += (figure - mean.1) / count;
        } else {
            count = 1.0;
            means.push((x, figure));
        }
    }
    means
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Row;
    use crate::metrics::history::History;
    use crate::ui::widgets::x_axis::AxisMapping;

    #[test]
    fn a_line_starts_at_the_left_edge_of_its_window() {
        let points = [(0.0, 0.25), (10.0, 0.5), (20.0, 1.0)];
        let check = |first: f64, expected: &[(f64, f64)]| {
            assert_eq!(entering(points.to_vec(), first), expected, "{first}");
        };
        check(0.0, &points);
        check(10.0, &points[1..]);
        check(15.0, &[(15.0, 0.75), points[2]]);
        check(20.0, &points[2..]);
        check(21.0, &[]);
    }

    #[test]
    fn a_line_ends_with_the_latest_value_of_its_run() {
        let mut history = History::bounded(2, 8);
        for generation in 0..100 {
            let figure = f64::from(generation) / 100.0;
            history.push(&Row::from_values(vec![
                Some(f64::from(generation)),
                Some(figure),
            ]));
        }
        let line = RunLine {
            buckets: history.column(1),
            status: TrialStatus::Running,
            track: RunAxis {
                axis: AxisMapping::Generations,
                start: history.start(),
                span: history.span(),
                end: history.end(),
            },
        };
        assert!(line.buckets.len() <= 8);
        assert_eq!(line.ends(0.0), Some((0.0, 0.99)));
        assert_eq!(line.ends(99.0), Some((0.96, 0.99)), "the last bucket");
        assert_eq!(line.ends(100.0), None, "it has ended before");
        assert_eq!(line.points().last(), Some(&(99.0, 0.99)));
        let empty = RunLine {
            buckets: &[],
            ..line
        };
        assert_eq!((empty.points(), empty.ends(0.0)), (Vec::new(), None));
    }
}
