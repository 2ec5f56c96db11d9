//! A line chart over generations, games or time, of one or more columns or of many runs: braille
//! lines on grid lines, bands for the spread of bundled generations or for confidence intervals,
//! marks on the x-axis, the best value, and the crosshair.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Color;
use ratatui::text::Span;

use crate::theme::Theme;
use crate::widgets::canvas::{DotCanvas, DotGlyphs, Strength};
use crate::widgets::series_marker::marker;
use crate::widgets::text::{below, columns_of, cut_below, first_rows, middle, put, right_of};
use crate::widgets::truncate;
use crate::widgets::x_axis::{self, RunAxis};
use crate::widgets::y_axis::{AxisRange, even_height, grid_lines, label_width, upright_line};
use finches_engine::metrics::progress_unit::ProgressUnit;

use self::series::PlotPoint;

mod flags;
mod foot;
mod series;

pub use self::series::{Series, wider};
pub use crate::widgets::y_axis::{AxisScale, ValueUnit};

/// The shares of the line's color at the foot and at the top of a filled area.
const FILL: (f64, f64) = (0.07, 0.42);

/// An event, marked on the x-axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartMark {
    pub generation: u64,
    pub label: String,
}

/// A value to compare the lines with, or a place on the x-axis: a thin line with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceLine {
    pub value: f64,
    pub name: String,
}

/// The labels of the axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels<'a> {
    /// Only the ends of the x-axis.
    Ends,
    /// Also positions between the ends, and the names of both axes; the name given is that of the
    /// y-axis.
    Full(&'a str),
}

/// A line chart of values with the same unit.
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
    pub marks: Vec<ChartMark>,
    pub references: Vec<ReferenceLine>,
    /// Reference lines at places on the x-axis.
    pub upright: Vec<ReferenceLine>,
    /// What the values are, for the row that evenly spaced grid lines leave free; may be empty.
    pub caption: &'a str,
    /// The generation and value of the best.
    pub best: Option<(u64, f64)>,
    /// The position of the crosshair, in the unit of the x-axis.
    pub cursor: Option<f64>,
    pub labels: Labels<'a>,
    /// The line that has a band, by index; beyond the last for none.
    pub band: usize,
}

impl<'a> Plot<'a> {
    /// A plain chart of numbers over all generations of a run.
    pub fn new(series: Vec<Series<'a>>, track: RunAxis<'a>) -> Self {
        Self {
            series,
            unit: ValueUnit::Number,
            scale: AxisScale::Linear,
            x_unit: ProgressUnit::Generations,
            window: (track.place(track.start), track.place(track.end)),
            track,
            marks: Vec::new(),
            references: Vec::new(),
            upright: Vec::new(),
            caption: "",
            best: None,
            cursor: None,
            labels: Labels::Ends,
            band: 0,
        }
    }

    /// Draws the chart and returns the area of its lines; `None` if there is no room.
    pub fn draw(&self, theme: &Theme, area: Rect, buf: &mut Buffer) -> Option<Rect> {
        let mut area = area.intersection(buf.area);
        if area.width < 12 || area.height < 3 {
            return None;
        }
        if let Labels::Full(name) = self.labels
            && area.height > 8
        {
            area = self.names(name, theme, area, buf);
        }
        let body_height = even_height(area.height - 1);
        let (full, free) = (area, area.height - 1 - body_height);
        area.y += free;
        area.height = body_height + 1;
        let range = self.range(body_height);
        let ticks = range.ticks(self.unit, body_height);
        let label_width = label_width(&ticks);
        let body = first_rows(right_of(area, label_width), body_height);
        let above = first_rows(right_of(full, label_width), free);
        if truncate::width(self.caption) <= above.width.into() {
            let caption = Span::styled(self.caption, theme.dim);
            put(buf, above, free.saturating_sub(1), caption);
        }
        grid_lines(&ticks, label_width, theme, area, buf);
        if let Some(place) = self.cursor.filter(|place| self.is_shown(*place)) {
            let bar = Span::styled(theme.sign("│", "|"), theme.accent);
            upright_line(self.column(place, body), &bar, body, buf);
        }
        let names = self.references(range, theme, body, buf);
        let upright = self.upright.iter().filter(|it| self.is_shown(it.value));
        for reference in upright.clone() {
            let dash = Span::styled(theme.sign("╎", ":"), theme.dim);
            upright_line(self.column(reference.value, body), &dash, body, buf);
        }
        self.lines((range, &names), theme, body, buf);
        for (row, name) in &names {
            flags::name_reference((name, *row), &names, theme, body, buf);
        }
        let flagged = self.flags(range, theme, body, buf);
        for reference in upright {
            let column = self.column(reference.value, body);
            let label = format!(" {} ", reference.name);
            flags::name_beside(&label, column, theme.text, body, buf);
        }
        self.axis(&flagged, theme, body, buf);
        Some(body)
    }

    /// Draws the names of the axes above and below the chart; returns the area in between.
    fn names(&self, name: &str, theme: &Theme, area: Rect, buf: &mut Buffer) -> Rect {
        put(buf, area, 0, Span::styled(name, theme.dim));
        let (rest, foot) = cut_below(area, 1);
        let words = x_axis::name(self.x_unit);
        let at = middle(foot, words.len() as u16, 1);
        put(buf, at, 0, Span::styled(words, theme.dim));
        below(rest, 1)
    }

    /// Draws the reference lines within the range, and returns their names by row.
    fn references(
        &self,
        range: AxisRange,
        theme: &Theme,
        body: Rect,
        buf: &mut Buffer,
    ) -> Vec<(u16, String)> {
        let dash = theme.sign("╌", "-");
        let mut named: Vec<(u16, String)> = Vec::new();
        for reference in self.references.iter().filter(|it| range.contains(it.value)) {
            let row = body.height - 1 - range.row(reference.value, body.height);
            let line = dash.repeat(body.width.into());
            put(buf, body, row, Span::styled(line, theme.dim));
            named.push((row, format!(" {} ", reference.name)));
        }
        named
    }

    fn share(&self, place: f64) -> f64 {
        x_axis::share(self.window, place)
    }

    fn is_shown(&self, place: f64) -> bool {
        (self.window.0..=self.window.1).contains(&place)
    }

    fn range(&self, height: u16) -> AxisRange {
        let ends = self
            .series
            .iter()
            .filter_map(|series| series.value_range(self.window));
        AxisRange::of(self.unit, self.scale, ends.reduce(wider), height)
    }

    /// Draws the lines. The band leaves the rows of reference lines free.
    fn lines(
        &self,
        (range, names): (AxisRange, &[(u16, String)]),
        theme: &Theme,
        body: Rect,
        buf: &mut Buffer,
    ) {
        let canvas = DotCanvas::new(body.width, body.height);
        let mut canvas = canvas.with_front(self.band as u8);
        let height = |value: f64| range.dot(value, body.height);
        let is_reference = |dot: usize| {
            let row = usize::from(body.height) - 1 - dot / 4;
            names.iter().any(|(taken, _)| usize::from(*taken) == row)
        };
        // The most important lines last, so that they are on top.
        for (line, series) in self.series.iter().enumerate().rev() {
            let points = series.points(self.window, canvas.dot_columns());
            let has_band = line == self.band;
            let line = line as u8;
            for point in series::filled(&points, series).iter().filter(|_| has_band) {
                for y in height(point.low)..=height(point.high) {
                    // Every second dot, so that the band is lighter than the line.
                    if (point.x + y) % 2 == 0 && !is_reference(y) {
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
        let is_filled = self.series.len() == 1 || self.best.is_some();
        let below = if is_filled {
            canvas.thicken(0)
        } else {
            Vec::new()
        };
        let style = |line: u8, strength| match strength {
            Strength::Strong => self.series[usize::from(line)].style,
            Strength::Faint => theme.faint,
        };
        canvas.draw(body, style, DotGlyphs::of(theme), buf);
        self.fill(&below, theme, body, buf);
        if self.series.len() > 1 && !theme.ascii {
            self.markers(range, theme, body, buf);
        }
    }

    /// Draws the marker of each line where it is read, so that lines differ without colors: at the
    /// crosshair or at its end, or before it where another line has its marker.
    fn markers(&self, range: AxisRange, theme: &Theme, body: Rect, buf: &mut Buffer) {
        let cursor = self.cursor.filter(|place| self.is_shown(*place));
        let last = cursor.map_or(body.right(), |place| self.column(place, body)) - body.x;
        let mut taken: Vec<(u16, u16)> = Vec::new();
        for (line, series) in self.series.iter().enumerate() {
            let points = series.points(self.window, usize::from(body.width) * 2);
            let cell = |point: &PlotPoint| {
                let row = body.height - 1 - range.row(point.mean, body.height);
                ((point.x / 2) as u16, row)
            };
            let mut cells = points.iter().rev().map(cell);
            let free = cells.find(|cell| cell.0 <= last && !taken.contains(cell));
            let Some((x, row)) = free else { continue };
            let symbol = Span::styled(marker(line, theme), series.style);
            put(buf, columns_of(body, x, 1), row, symbol);
            taken.push((x, row));
        }
    }

    /// Fills the area below the first line, of a number of rows by column, the brighter the higher.
    fn fill(&self, below: &[Option<usize>], theme: &Theme, body: Rect, buf: &mut Buffer) {
        let Some(style) = self.series.first().map(|series| series.style) else {
            return;
        };
        let share = |row: u16| f64::from(row) / f64::from(body.height.saturating_sub(1).max(1));
        let color = |row: u16| theme.fill(style, FILL.0 + (FILL.1 - FILL.0) * share(row));
        let colors: Vec<Option<Color>> = (0..body.height).map(color).collect();
        // A letter has no dots to fill its character.
        let own = usize::from(theme.ascii);
        for (x, rows) in (body.x..).zip(below) {
            let Some(rows) = rows else { continue };
            for (row, color) in colors.iter().enumerate().take(rows + own) {
                let y = body.bottom() - 1 - row as u16;
                let Some(cell) = buf.cell_mut((x, y)) else {
                    continue;
                };
                if let Some(color) = *color {
                    cell.set_bg(color);
                }
            }
        }
    }

    fn column(&self, place: f64, body: Rect) -> u16 {
        body.x + (self.share(place) * f64::from(body.width - 1)).round() as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widgets::x_axis::AxisMapping;
    use finches_engine::metrics::Row;
    use finches_engine::metrics::history::History;

    /// A chart over games of 100 generations that plays ten times as many of them from generation
    /// 50 on.
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
            marks: marks.to_vec(),
            references: Vec::new(),
            upright: vec![ReferenceLine {
                value: 260e3,
                name: "the paper".to_owned(),
            }],
            caption: "",
            best: Some((75, 1.0)),
            cursor: None,
            labels: Labels::Ends,
            band: 0,
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
        assert_eq!(column(&whole, '╎'), Some(5 + 24), "the same place");
        assert!(whole.contains("the paper"), "{whole}");
        assert_eq!(column(&whole, '◆'), Some(5 + 28), "310 of 550 thousand");
        let late = over_games((56, 99));
        assert!(late.contains("games 120k"), "{late}");
        assert_eq!(column(&late, '◆'), Some(5 + 22), "190 of 430 thousand");
    }
}
