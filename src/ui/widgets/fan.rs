//! Many runs on one chart: a braille line for each over its generations or games, and at its end a mark that says what has become of it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use crate::metrics::history::Bucket;
use crate::metrics::over::Over;
use crate::ui::theme::Theme;
use crate::ui::widgets::across::{self, Track};
use crate::ui::widgets::axis::{Range, Scale, Unit, guides, gutter, upright};
use crate::ui::widgets::canvas::{Canvas, Plain};
use crate::ui::widgets::text::{put, put_right};

/// What has become of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    Waiting,
    /// It has ended, and there was no target.
    Done,
    /// It has ended without its target.
    Without,
    /// It has met its target.
    Solved,
    Running,
}

impl Fate {
    /// All, in the order in which they are told.
    pub const ALL: [Self; 5] = [
        Self::Solved,
        Self::Without,
        Self::Done,
        Self::Running,
        Self::Waiting,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Done => "done",
            Self::Without => "without",
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
            (Self::Without, false) => "✗",
            (Self::Without, true) => "X",
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
            Self::Without => theme.bad,
            Self::Solved => theme.good,
            Self::Running => theme.accent,
        }
    }

    /// Its place among the lines; where two meet, that of a run under way is seen.
    fn line(self) -> u8 {
        match self {
            Self::Running => 0,
            Self::Waiting | Self::Done | Self::Solved => 1,
            Self::Without => 2,
        }
    }
}

/// One run of a fan.
#[derive(Clone, Copy, Debug)]
pub struct Strand<'a> {
    pub buckets: &'a [Bucket],
    pub fate: Fate,
    /// Where its buckets lie.
    pub track: Track<'a>,
}

impl Strand<'_> {
    /// The smallest and the largest figure from a place on the axis on.
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

    /// Where it ends, in the unit of its axis.
    pub fn end(&self) -> f64 {
        self.track.place(self.track.end)
    }

    /// Places on the axis and figures; the last is as it is, those before it are means.
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
pub struct Fan<'a> {
    pub strands: Vec<Strand<'a>>,
    pub unit: Unit,
    pub scale: Scale,
    /// The smallest and the largest figure to be shown; those of the strands without them.
    pub ends: Option<(f64, f64)>,
    /// What the axis is of.
    pub over: Over,
    /// What is shown from left to right, in the unit of the axis.
    pub window: (f64, f64),
    /// Where values are read, in the unit of the axis.
    pub cursor: Option<f64>,
}

impl Fan<'_> {
    pub fn draw(&self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let area = area.intersection(buf.area);
        if area.width < 12 || area.height < 3 {
            return;
        }
        let range = Range::of(self.unit, self.scale, self.ends.or_else(|| self.ends()));
        let height = area.height - 1;
        let ticks = range.ticks(self.unit, height);
        let left = gutter(&ticks);
        guides(&ticks, left, theme, area, buf);
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
        let (first, last) = across::ends(self.over, self.window.0, self.window.1);
        put(buf, axis, 0, Span::styled(first, theme.dim));
        put_right(buf, axis, 0, Span::styled(last, theme.dim));
    }

    fn ends(&self) -> Option<(f64, f64)> {
        let ends = |strand: &Strand<'_>| strand.ends(self.window.0);
        let ends = self.strands.iter().filter_map(ends);
        ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }

    /// A line from top to bottom where values are read, unless that is not on the chart.
    fn cursor_line(&self, theme: &Theme, body: Rect, buf: &mut Buffer) {
        let is_shown = |place: &f64| (self.window.0..=self.window.1).contains(place);
        let canvas = Canvas::new(body.width, body.height);
        if let Some(place) = self.cursor.filter(is_shown) {
            let column = body.x + self.dot(place, &canvas) as u16 / 2;
            upright(column, theme, body, buf);
        }
    }

    /// The column of dots that a place on the axis falls on.
    fn dot(&self, place: f64, canvas: &Canvas) -> usize {
        let right = canvas.across().saturating_sub(1) as f64;
        (across::share(self.window, place) * right).round() as usize
    }

    /// The line of a strand as dots from the bottom left. Where lines lie over each other, each is smoothed over a character,
    /// else over a dot; its end is as it is.
    fn dots(&self, strand: &Strand<'_>, range: Range, canvas: &Canvas) -> Vec<(usize, usize)> {
        let top = canvas.up().saturating_sub(1);
        let x = |at: f64| self.dot(at, canvas);
        let step = if self.strands.len() > 1 { 2 } else { 1 };
        let points = entering(strand.points(), self.window.0);
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

    /// Draws the lines, and a mark at the end of each, those of runs under way over all others.
    fn lines(&self, range: Range, theme: &Theme, body: Rect, buf: &mut Buffer) {
        let mut canvas = Canvas::new(body.width, body.height);
        let mut heads = Vec::new();
        for strand in &self.strands {
            let dots = self.dots(strand, range, &canvas);
            for pair in dots.windows(2) {
                canvas.stroke(pair[0], pair[1], strand.fate.line());
            }
            heads.extend(dots.last().map(|&head| (strand.fate, head)));
        }
        let many = self.strands.len() > 1;
        let style = |line: u8, _| match line {
            0 => theme.series[0],
            _ if many => theme.faint,
            _ => theme.dim,
        };
        let plain = if theme.ascii {
            Plain::Ascii
        } else {
            Plain::Braille
        };
        canvas.draw(body, style, plain, buf);
        heads.sort_by_key(|(fate, _)| *fate);
        for (fate, (x, up)) in heads {
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
                Span::styled(fate.glyph(theme), fate.style(theme)),
            );
        }
    }
}

/// The points from the left edge of a window on, with the one at which the line comes in.
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

/// The mean of the figures on so many dots.
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
    use crate::ui::widgets::across::Across;

    #[test]
    fn a_line_comes_in_at_the_left_edge_of_its_window() {
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
    fn a_line_ends_where_its_run_does_with_its_latest_figure() {
        let mut history = History::bounded(2, 8);
        for generation in 0..100 {
            let figure = f64::from(generation) / 100.0;
            history.push(&Row::from_values(vec![
                Some(f64::from(generation)),
                Some(figure),
            ]));
        }
        let strand = Strand {
            buckets: history.column(1),
            fate: Fate::Running,
            track: Track {
                across: Across::Generations,
                start: history.start(),
                span: history.span(),
                end: history.end(),
            },
        };
        assert!(strand.buckets.len() <= 8);
        assert_eq!(strand.ends(0.0), Some((0.0, 0.99)));
        assert_eq!(strand.ends(99.0), Some((0.96, 0.99)), "the last bucket");
        assert_eq!(strand.ends(100.0), None, "it has ended before");
        assert_eq!(strand.points().last(), Some(&(99.0, 0.99)));
        let empty = Strand {
            buckets: &[],
            ..strand
        };
        assert_eq!((empty.points(), empty.ends(0.0)), (Vec::new(), None));
    }
}
