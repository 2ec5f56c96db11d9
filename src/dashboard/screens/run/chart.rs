//! A chart pane of the Run screen: one or more columns over the course of the run. The frame shows
//! their latest values or the values at the cursor.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::format;
use crate::model::run::RunModel;
use crate::model::zoom::Zoom;
use crate::mouse::Regions;
use crate::screens::placeholder;
use crate::theme::Theme;
use crate::widgets::frame::Frame;
use crate::widgets::gauge::gauge;
use crate::widgets::legend::{Legend, LegendEntry};
use crate::widgets::plot::{Labels, Plot, ReferenceLine, Series, ValueUnit};
use crate::widgets::series_marker::marker;
use crate::widgets::sparkline::{SparklineGlyphs, sparkline};
use crate::widgets::text::{cut_below, middle, put};
use crate::widgets::truncate::{truncate, wrapped};
use crate::widgets::x_axis::RunAxis;
use finches_engine::metrics::Column;
use finches_engine::metrics::history::Bucket;
use finches_engine::session::measures::{Measure, fitness};
use finches_engine::session::progress::GenerationPhase;

use super::RunTarget;
use super::charts::{PaneContext, constant, has_trend};
use super::layout::RunPane;
use super::reading::{CursorSpan, confidence_interval, format_extremes, format_range};

/// One line of a chart.
pub(super) struct ChartLine<'a> {
    pub(super) column: &'a str,
    pub(super) label: &'a str,
    pub(super) style: Style,
}

impl ChartLine<'_> {
    /// The number of games behind a value.
    fn games(&self, watch: &RunModel) -> Option<u32> {
        watch.sample(watch.column(self.column)?.1)
    }
}

/// The contents of a chart pane.
pub(super) struct ChartPane<'a> {
    pub(super) title: &'a str,
    pub(super) lines: Vec<ChartLine<'a>>,
    pub(super) best: Option<(u64, f64)>,
    pub(super) references: Vec<ReferenceLine>,
    /// What the values are, where there is a row for it.
    pub(super) caption: &'a str,
    /// A warning and the chart options.
    pub(super) notes: [Line<'a>; 2],
}

/// The minimum width at which a chart's frame has room for more than values.
const ROOMY_WIDTH: u16 = 46;

/// The minimum number of rows for the plot when a legend is below it.
const MIN_PLOT_ROWS: u16 = 8;

impl<'a> ChartPane<'a> {
    /// A chart without reference lines and notes.
    pub(super) fn of(title: &'a str, lines: Vec<ChartLine<'a>>) -> Self {
        Self {
            title,
            lines,
            best: None,
            references: Vec::new(),
            caption: "",
            notes: [Line::default(), Line::default()],
        }
    }

    /// A chart of one column alone.
    pub(super) fn of_one(title: &'a str, column: &'a str, label: &'a str, style: Style) -> Self {
        let line = ChartLine {
            column,
            label,
            style,
        };
        Self::of(title, vec![line])
    }

    /// Draws the chart and returns the region in which a click moves the cursor.
    pub(super) fn draw(
        self,
        watch: &RunModel,
        context: PaneContext<'_>,
        buf: &mut Buffer,
    ) -> Regions<RunTarget> {
        let theme = context.theme;
        let cursor = context.charts.cursor_generation(watch);
        let cursor = cursor.map(|generation| CursorSpan::of(watch, generation));
        let frame = self.frame(watch, context, cursor);
        let mut inner = frame.draw(context.focus, theme, context.area, buf);
        let mut regions = Regions::default();
        if watch.history.is_empty() {
            draw_empty(watch, context.pane, theme, inner, buf);
            return regions;
        }
        let name = self.axis_name(watch);
        let plot = self.plot(watch, context, cursor, &name);
        let legend = self.legend(watch, &plot, cursor, theme);
        if context.zoom.is_zoomed() && inner.height >= legend.height() + MIN_PLOT_ROWS {
            let (above, below) = cut_below(inner, legend.height());
            legend.draw(theme, below, buf);
            inner = above;
        }
        if let Some(body) = plot.draw(theme, inner, buf) {
            let pane = context.pane;
            regions.add(body, RunTarget::Chart { pane, body });
        }
        regions
    }

    /// The frame with the texts on its border.
    fn frame(
        &self,
        watch: &RunModel,
        context: PaneContext<'_>,
        cursor: Option<CursorSpan>,
    ) -> Frame<'a> {
        let theme = context.theme;
        let title = Line::from(self.title);
        let mut figures = self.latest_values(watch, theme, context.area.width, cursor);
        let (first, _) = context.charts.visible_range(watch);
        // Within the window, the chart has a flag at it.
        if self.best.is_some_and(|(best, _)| best < first) && cursor.is_none() {
            figures.spans.splice(0..0, self.best_value(watch, theme));
        }
        let [mut warning, mut options_text] = self.notes.clone();
        if warning.width() == 0 {
            warning = self.band(watch, context);
        }
        let several = self.lines.len() > 1;
        let hue = self.lines.first().map(|line| line.style);
        if let Some(cursor) = cursor {
            let beside = if several { title.width() } else { 0 };
            let room = usize::from(context.area.width).saturating_sub(beside + 10);
            warning = cursor.summary(watch, theme, room);
            options_text = cursor.nearest_change(watch, theme).unwrap_or(options_text);
        }
        if !several {
            return Frame {
                title,
                right: figures,
                bottom_left: warning,
                bottom_right: options_text,
                hue,
            };
        }
        let all = options_text.width() + figures.width() + 8;
        let fits = all < context.area.width.into();
        Frame {
            title,
            right: warning,
            bottom_left: if fits { options_text } else { Line::default() },
            bottom_right: figures,
            hue,
        }
    }

    /// What the band of the first line means; empty if it has none or if there is no room.
    fn band(&self, watch: &RunModel, context: PaneContext<'_>) -> Line<'a> {
        let (first, last) = context.charts.visible_range(watch);
        let width = u64::from(context.area.width);
        let is_sampled = |line: &ChartLine<'_>| line.games(watch).is_some();
        let words = match self.lines.first() {
            _ if context.area.width < ROOMY_WIDTH && self.lines.len() > 1 => "",
            Some(line) if is_sampled(line) => "dots: 95% interval",
            _ if watch.history.span() > 1 || last.saturating_sub(first) > 2 * width => {
                "dots: lowest to highest"
            }
            _ => "",
        };
        Line::styled(words, context.theme.dim)
    }

    /// The values of all lines: the latest, or those at the cursor.
    fn latest_values(
        &self,
        watch: &RunModel,
        theme: &Theme,
        room: u16,
        cursor: Option<CursorSpan>,
    ) -> Line<'a> {
        let mut line = Line::default();
        let is_tight = room < ROOMY_WIDTH;
        if self.lines.len() > 1 && cursor.is_none() && !is_tight {
            let first = self.lines[0].column;
            let measured = watch.measured(first).filter(|at| *at < watch.history.end());
            let when = measured.map_or("now".to_owned(), |at| format!("g{}", format::whole(at)));
            line.push_span(Span::styled(format!("{when}  "), theme.dim));
        }
        for (number, chart_line) in self.lines.iter().enumerate() {
            let Some((index, column)) = watch.column(chart_line.column) else {
                continue;
            };
            if number > 0 {
                line.push_span(Span::raw(if is_tight { " " } else { "  " }));
            }
            let gap = if is_tight && self.lines.len() > 2 {
                ""
            } else {
                " "
            };
            let sign = format!("{}{gap}", marker(number, theme));
            line.push_span(Span::styled(sign, chart_line.style));
            if !chart_line.label.is_empty() && (cursor.is_none() || self.lines.len() > 1) {
                line.push_span(Span::styled(format!("{} ", chart_line.label), theme.dim));
            }
            let Some(cursor) = cursor else {
                let value = watch.history.last(index);
                let value = value.map_or("-".to_owned(), |value| column.figure(value));
                line.push_span(Span::styled(value, theme.text));
                continue;
            };
            let read = cursor.read(&watch.history, index);
            let value = read.map_or("-".to_owned(), |read| cursor.figure(column, &read));
            line.push_span(Span::styled(value, theme.accent));
            let ends = read.and_then(|read| format_extremes(column, &read));
            if let Some(ends) = ends.filter(|_| !is_tight) {
                line.push_span(Span::styled(format!(" {ends}"), theme.dim));
            }
        }
        line
    }

    /// The best value so far and its generation.
    fn best_value(&self, watch: &RunModel, theme: &Theme) -> Vec<Span<'a>> {
        let column = self
            .lines
            .first()
            .and_then(|chart_line| watch.column(chart_line.column));
        let (Some((generation, value)), Some((_, column))) = (self.best, column) else {
            return Vec::new();
        };
        let star = theme.sign("◆ ", "@ ");
        let generation = format::whole(generation);
        let words = format!("best {} g{generation}   ", column.figure(value));
        vec![
            Span::styled(star, theme.warning),
            Span::styled(words, theme.dim),
        ]
    }

    fn plot<'b>(
        &'b self,
        watch: &'b RunModel,
        context: PaneContext<'_>,
        cursor: Option<CursorSpan>,
        name: &'b str,
    ) -> Plot<'b> {
        let x_unit = context.charts.x_unit;
        let track = RunAxis::of(x_unit, &watch.history, &watch.facts.columns);
        let series = |chart_line: &ChartLine<'_>| Series {
            buckets: watch.buckets(chart_line.column),
            track,
            style: chart_line.style,
            games: chart_line.games(watch),
        };
        let (first, last) = context.charts.visible_range(watch);
        let column = self.first_column(watch);
        Plot {
            unit: match column {
                Some(column) if column.is_share() => ValueUnit::Share,
                _ => ValueUnit::Number,
            },
            scale: context.charts.scale(),
            x_unit,
            window: (track.place(first), track.place(last)),
            marks: watch.marks(),
            references: self.references.clone(),
            caption: self.caption,
            best: self.best,
            cursor: cursor.map(|cursor| track.place(cursor.first.max(first))),
            labels: match context.zoom {
                Zoom::In => Labels::Full(name),
                Zoom::Out => Labels::Ends,
            },
            ..Plot::new(self.lines.iter().map(series).collect(), track)
        }
    }

    fn first_column<'w>(&self, watch: &'w RunModel) -> Option<&'w Column> {
        let columns = self
            .lines
            .iter()
            .map(|chart_line| watch.column(chart_line.column));
        let mut known = columns.flatten();
        known.next().map(|(_, column)| column)
    }

    /// The label of the vertical axis.
    fn axis_name(&self, watch: &RunModel) -> String {
        match self.first_column(watch) {
            Some(column) if column.is_share() => "percent".to_owned(),
            Some(column) if !column.unit.is_empty() => column.unit.to_owned(),
            Some(column) => column.label.clone(),
            None => String::new(),
        }
    }

    /// The table below the plot: latest, lowest, and highest value of each line, and the values at
    /// the cursor.
    fn legend(
        &self,
        watch: &RunModel,
        plot: &Plot<'_>,
        cursor: Option<CursorSpan>,
        theme: &Theme,
    ) -> Legend {
        let mut headings = ["latest", "lowest", "highest"].map(str::to_owned).to_vec();
        if let Some(cursor) = cursor {
            let at = format!("at {}", format_range(cursor.first, cursor.last));
            headings.extend([at, "range".to_owned(), "95% CI".to_owned()]);
        }
        let lines = self.lines.iter().zip(&plot.series).enumerate();
        let entry = |(number, (chart_line, series)): (usize, (&ChartLine<'_>, &Series<'_>))| {
            let (index, column) = watch.column(chart_line.column)?;
            let ends = series.value_range(plot.window);
            let figure =
                |value: Option<f64>| value.map_or("-".to_owned(), |value| column.figure(value));
            let mut figures = vec![
                figure(watch.history.last(index)),
                figure(ends.map(|ends| ends.0)),
                figure(ends.map(|ends| ends.1)),
            ];
            figures.extend(
                cursor
                    .into_iter()
                    .flat_map(|cursor| cursor_values(cursor, watch, index, column)),
            );
            Some(LegendEntry {
                sign: marker(number, theme),
                style: chart_line.style,
                name: column.label.clone(),
                figures,
            })
        };
        Legend {
            headings,
            entries: lines.filter_map(entry).collect(),
        }
    }

    /// Whether the values of all lines fit on the frame.
    pub(super) fn has_room(&self, watch: &RunModel, context: PaneContext<'_>) -> bool {
        let figures = self.latest_values(watch, context.theme, context.area.width, None);
        figures.width() + 4 <= context.area.width.into()
    }

    /// Draws the latest values and sparklines, for panes too small for a chart.
    pub(super) fn list(self, watch: &RunModel, context: PaneContext<'_>, buf: &mut Buffer) {
        let theme = context.theme;
        let [left, _] = self.notes;
        let cursor = context.charts.cursor_generation(watch);
        let cursor = cursor.map(|generation| CursorSpan::of(watch, generation));
        let title = format!("{} and fitness", self.title);
        let fits = title.len() + 4 <= context.area.width.into();
        // Without it, each row has its own name.
        let title = if fits { title.as_str() } else { "Measures" };
        let frame = Frame {
            bottom_left: left,
            bottom_right: cursor.map_or(Line::default(), |cursor| cursor.summary(watch, theme, 0)),
            ..Frame::titled(title)
        };
        let inner = frame.draw(context.focus, theme, context.area, buf);
        let glyphs = SparklineGlyphs::of(theme);
        let line = |measure: Measure, label, number: usize| ChartLine {
            column: measure.name,
            label,
            style: theme.series[number],
        };
        let fitness = [
            line(fitness::BEST, "best fit", 1),
            line(fitness::MEAN, "mean fit", 3),
        ];
        let moving = fitness
            .iter()
            .filter(|line| constant(watch, line.column).is_none());
        let mut row = 0;
        for chart_line in self.lines.iter().chain(moving) {
            let Some((_, column)) = watch.column(chart_line.column) else {
                continue;
            };
            let Some(value) = value(watch, chart_line.column, cursor) else {
                continue;
            };
            let value = column.figure(value);
            let label = match chart_line.label {
                "now" if !fits => truncate(&column.short, 10),
                label => label.to_owned(),
            };
            let room = (inner.width as usize).saturating_sub(18);
            let recent = recent(watch.buckets(chart_line.column), room);
            let mut line = Line::from(vec![
                Span::styled(format!(" {label:<10}"), theme.dim),
                Span::styled(format!("{value:>5} "), theme.text),
            ]);
            if has_trend(recent) {
                let trend = sparkline(recent, room, None, glyphs);
                line.push_span(Span::styled(trend, chart_line.style));
            }
            put(buf, inner, row, line);
            row += 1;
        }
    }
}

/// The legend's entries for a column at the cursor.
fn cursor_values(
    cursor: CursorSpan,
    watch: &RunModel,
    index: usize,
    column: &Column,
) -> [String; 3] {
    let read = cursor.read(&watch.history, index);
    let games = watch.sample(column);
    let figure = read.map(|read| cursor.figure(column, &read));
    let between = read.and_then(|read| format_extremes(column, &read));
    let interval = read
        .zip(games)
        .and_then(|(read, games)| confidence_interval(&read, games));
    [figure, between, interval].map(|words| words.unwrap_or_else(|| "-".to_owned()))
}

/// The latest value of a column, or its value at the cursor.
fn value(watch: &RunModel, name: &str, cursor: Option<CursorSpan>) -> Option<f64> {
    let Some(cursor) = cursor else {
        return watch.last(name);
    };
    let (index, _) = watch.column(name)?;
    cursor.read(&watch.history, index)?.bucket.mean()
}

/// The latest buckets, four to a character.
fn recent(buckets: &[Bucket], width: usize) -> &[Bucket] {
    &buckets[buckets.len().saturating_sub(width * 4)..]
}

/// The text of a chart without data. The main chart says how far the first generation is, and how
/// strong what learns before it has become.
fn draw_empty(watch: &RunModel, pane: RunPane, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let progress = placeholder::progress(watch).filter(|_| pane == RunPane::Objective);
    let words = match &progress {
        _ if watch.end.error.is_some() => "nothing was measured",
        Some(progress) => progress,
        None => "waiting for the first generation",
    };
    let width = words.len().min(area.width.into());
    let phase = watch.timing.within_generation();
    let phase = phase.filter(|_| progress.is_some());
    let mut lines = vec![Line::styled(truncate(words, width), theme.dim)];
    if let Some(phase) = phase {
        let share = phase.share().unwrap_or(1.0);
        lines.push(gauge(share, width as u16, theme.good, theme));
        if phase.phase == GenerationPhase::Learning {
            lines.extend(learned(watch, width, theme));
        }
    }
    let height = lines.len().saturating_sub(1).max(1);
    let at = middle(area, width as u16, height as u16);
    let below = Rect {
        height: area.bottom() - at.y,
        ..at
    };
    for (row, line) in lines.into_iter().enumerate() {
        put(buf, below, row as u16, line);
    }
}

/// The scores so far of what learns before the first generation, below an empty line, and what
/// becomes of it.
fn learned<'a>(watch: &RunModel, width: usize, theme: &Theme) -> Vec<Line<'a>> {
    let columns = watch.facts.columns.all().iter().enumerate();
    let scores = columns.filter_map(|(place, column)| {
        let share = format::percent(watch.learning.scores.last(place)?);
        let name = format!("{:<14}", truncate(&column.label, 14));
        let room = width.saturating_sub(name.len() + 7);
        let buckets = watch.learning.scores.column(place);
        let trend = sparkline(buckets, room, Some((0.0, 1.0)), SparklineGlyphs::of(theme));
        column.is_share().then(|| {
            Line::from(vec![
                Span::styled(name, theme.dim),
                Span::styled(format!("{share:>5}  "), theme.strong),
                Span::styled(trend, theme.series[0]),
            ])
        })
    });
    let mut lines: Vec<Line<'_>> = scores.collect();
    if !lines.is_empty() {
        lines.insert(0, Line::default());
        lines.push(Line::default());
        let words = "It plays against itself; the first generation begins with copies of it.";
        lines.extend(wrapped(words, width, theme.dim));
    }
    lines
}
