//! Many runs on one chart: a braille line for each over its generations or games, and at its end a mark that says what has become of it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use crate::metrics::history::Bucket;
use crate::metrics::over::Over;
use crate::ui::theme::Theme;
use crate::ui::widgets::across::{self, Across};
use crate::ui::widgets::axis::{Range, Scale, Unit, guides, gutter};
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
    /// Generations that a bucket stands for; the first is 0.
    pub span: u64,
    /// Generations done.
    pub generations: u64,
    pub fate: Fate,
    pub across: Across<'a>,
}

impl Strand<'_> {
    /// The smallest and the largest figure.
    pub fn ends(&self) -> Option<(f64, f64)> {
        let figures = self.buckets.iter().filter(|bucket| bucket.count > 0);
        let ends = figures.map(|bucket| (bucket.min, bucket.max));
        ends.reduce(|(low, high), (min, max)| (low.min(min), high.max(max)))
    }

    /// Where it ends, in the unit of its axis.
    pub fn end(&self) -> f64 {
        self.across.place(self.generations.saturating_sub(1))
    }

    /// Places on the axis and figures; the last is as it is, those before it are means.
    fn points(&self) -> Vec<(f64, f64)> {
        let numbered = self.buckets.iter().enumerate();
        let mean = |(place, bucket): (usize, &Bucket)| {
            let at = self.across.place(place as u64 * self.span);
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
    /// The smallest and the largest figure to be shown; those of the strands without them.
    pub ends: Option<(f64, f64)>,
    /// What the axis is of; it begins at 0.
    pub over: Over,
    /// The last generation, or number of games, shown.
    pub last: f64,
}

impl Fan<'_> {
    pub fn draw(&self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let area = area.intersection(buf.area);
        if area.width < 12 || area.height < 3 {
            return;
        }
        let range = Range::of(self.unit, Scale::Linear, self.ends.or_else(|| self.ends()));
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
        self.lines(range, theme, body, buf);
        let axis = Rect {
            y: area.y + height,
            height: 1,
            ..body
        };
        let (first, last) = across::ends(self.over, 0.0, self.last);
        put(buf, axis, 0, Span::styled(first, theme.dim));
        put_right(buf, axis, 0, Span::styled(last, theme.dim));
    }

    fn ends(&self) -> Option<(f64, f64)> {
        let ends = self.strands.iter().filter_map(Strand::ends);
        ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }

    /// The line of a strand as dots from the bottom left. Where lines lie over each other, each is smoothed over a character,
    /// else over a dot; its end is as it is.
    fn dots(&self, strand: &Strand<'_>, range: Range, canvas: &Canvas) -> Vec<(usize, usize)> {
        let (right, top) = (
            canvas.across().saturating_sub(1),
            canvas.up().saturating_sub(1),
        );
        let share = |at: f64| (at / self.last.max(1.0)).min(1.0);
        let x = |at: f64| (share(at) * right as f64).round() as usize;
        let step = if self.strands.len() > 1 { 2 } else { 1 };
        let points = strand.points();
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
            span: history.span(),
            generations: 100,
            fate: Fate::Running,
            across: Across::Generations,
        };
        assert!(strand.buckets.len() <= 8);
        assert_eq!(strand.ends(), Some((0.0, 0.99)));
        assert_eq!(strand.points().last(), Some(&(99.0, 0.99)));
        let empty = Strand {
            buckets: &[],
            ..strand
        };
        assert_eq!((empty.points(), empty.ends()), (Vec::new(), None));
    }
}
