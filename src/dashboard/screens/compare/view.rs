//! Draws the comparison: the list of runs at the left, the chart with its table at the right, and
//! the differing parameters at the bottom.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::format;
use crate::keymap::{self, Action};
use crate::model::context::Context;
use crate::model::zoom::Zoom;
use crate::mouse::Regions;
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::key_label::key_label;
use crate::widgets::plot::{Bands, Labels, Plot, Series, ValueUnit};
use crate::widgets::series_marker::{line_style, marker};
use crate::widgets::text::put;
use crate::widgets::truncate::{truncate, wrap};
use crate::widgets::x_axis;
use finches_engine::metrics::Column;

use super::SCOPE;
use super::input::INPUT_ROWS;
use super::options::grouping_words;
use super::parameters::{ParameterDifference, RunParameters, differences};
use super::series::ComparedSeries;
use super::{CompareScreen, CompareTarget, list, table};

/// The minimum number of rows of the plot.
const MIN_PLOT_ROWS: u16 = 6;

impl CompareScreen {
    /// Draws the screen and returns the click targets.
    pub(super) fn draw(
        &self,
        context: &Context,
        body: Rect,
        buf: &mut Buffer,
    ) -> Regions<CompareTarget> {
        let mut regions = Regions::default();
        if self.options.zoom.is_zoomed() {
            regions.extend(self.chart(context, body, buf));
            return regions;
        }
        let runs = self.series(context.run.as_ref());
        let parameters: Vec<&RunParameters> = runs.iter().map(|run| &*run.parameters).collect();
        let differences = differences(&parameters);
        let rows = match self.input {
            Some(_) => INPUT_ROWS,
            None => differences.len().clamp(1, usize::from(body.height) / 4) as u16,
        };
        let (above, foot) = split(body, rows + 2);
        let wide = (above.width * 3 / 10).clamp(24, 52).min(above.width);
        let left = Rect {
            width: wide,
            ..above
        };
        let right = Rect {
            x: above.x + wide,
            width: above.width - wide,
            ..above
        };
        let column = self.column(&runs).and_then(|name| column(&runs, &name));
        match self.shown_fork() {
            Some(fork) => fork.view(column, &context.theme, left, buf),
            None if self.menu.is_open() => {
                regions.extend(self.draw_menu(&context.theme, left, buf));
            }
            None => regions.extend(list::view(self, context, left, buf)),
        }
        regions.extend(self.chart(context, right, buf));
        let theme = &context.theme;
        match &self.input {
            Some(input) => self.draw_input(input, context, foot, buf),
            None => self.draw_parameters(&differences, runs.len(), theme, foot, buf),
        }
        regions
    }

    fn chart(&self, context: &Context, area: Rect, buf: &mut Buffer) -> Regions<CompareTarget> {
        let theme = &context.theme;
        let live = context.run.as_ref();
        let known = self.series(live);
        let name = self.column(&known);
        let runs = self.shown_series(live, name.as_deref().unwrap_or_default());
        let column = name.and_then(|name| column(&runs, &name));
        let cursor = self
            .options
            .charts
            .crosshair
            .position(self.options.window(&runs));
        let cursor = cursor.filter(|_| !runs.is_empty());
        let frame = self.frame(column, cursor, theme);
        let mut inner = frame.draw(Focus::Elsewhere, theme, area, buf);
        let mut regions = Regions::default();
        let is_begun = runs.iter().any(|run| !run.history.is_empty());
        let Some(column) = column.filter(|_| is_begun) else {
            self.draw_empty(theme, inner, buf);
            return regions;
        };
        let legend = table::legend(&runs, column, &self.options, cursor, theme);
        let height = legend
            .height()
            .min(inner.height.saturating_sub(MIN_PLOT_ROWS));
        inner.height -= height;
        let below = Rect {
            y: inner.bottom(),
            height,
            ..inner
        };
        legend.draw(theme, below, buf);
        let plot = self.plot(&runs, column, cursor, theme);
        if let Some(body) = plot.and_then(|plot| plot.draw(theme, inner, buf)) {
            regions.add(body, CompareTarget::Chart(body));
        }
        regions
    }

    fn frame<'a>(&self, column: Option<&Column>, cursor: Option<f64>, theme: &Theme) -> Frame<'a> {
        let x_unit = self.options.charts.x_unit;
        let title = column.map_or("Comparison".to_owned(), |column| column.label.clone());
        let read = cursor.map(|index| {
            let words = format!(
                "at {} {}",
                x_axis::name(x_unit),
                x_axis::label(x_unit, index)
            );
            Line::styled(words, theme.accent)
        });
        let message = match self.options.zoom {
            Zoom::In => self.message(theme),
            Zoom::Out => Line::default(),
        };
        let mut options_text = self.options.charts.description();
        if self.shown_fork().is_some() {
            options_text += " · mean and range of all seeds";
        } else if let Some(words) = grouping_words(&self.options.grouping) {
            options_text += &words;
        }
        Frame {
            title: Line::from(title),
            right: read.unwrap_or_else(|| self.select_hint(theme)),
            bottom_left: message,
            bottom_right: Line::styled(theme.to_drawable(options_text), theme.dim),
        }
    }

    /// The hint how to select runs, while none is selected.
    fn select_hint<'a>(&self, theme: &Theme) -> Line<'a> {
        if self.preview.is_none() || self.shown_fork().is_some() {
            return Line::default();
        }
        Line::from(vec![
            key_label(SCOPE, &[Action::Enter], theme),
            Span::styled(" select this run, then others", theme.dim),
        ])
    }

    fn plot<'a>(
        &self,
        runs: &'a [ComparedSeries<'_>],
        column: &'a Column,
        cursor: Option<f64>,
        theme: &Theme,
    ) -> Option<Plot<'a>> {
        let x_unit = self.options.charts.x_unit;
        let series = runs.iter().enumerate().map(|(number, run)| {
            let index = run.columns.place(&column.name);
            Series {
                buckets: index.map_or(&[][..], |index| run.history.column(index)),
                track: run.track(x_unit),
                style: line_style(number, theme),
                games: run.sample(column).filter(|_| !self.is_averaged()),
                tip: None,
            }
        });
        Some(Plot {
            series: series.collect(),
            unit: if column.is_share() {
                ValueUnit::Share
            } else {
                ValueUnit::Number
            },
            scale: self.options.charts.scale(),
            ends: None,
            x_unit,
            window: self.options.window(runs),
            track: runs.first()?.track(x_unit),
            marks: Vec::new(),
            references: Vec::new(),
            caption: if self.is_averaged() {
                "lines: means of the runs; dots: lowest to highest run"
            } else {
                ""
            },
            best: None,
            cursor,
            labels: match self.options.zoom {
                Zoom::In => Labels::Full(&column.label),
                Zoom::Out => Labels::Ends,
            },
            bands: if self.is_averaged() {
                Bands::All
            } else {
                Bands::First
            },
        })
    }

    /// The result of the last action or an error.
    fn message<'a>(&self, theme: &Theme) -> Line<'a> {
        Line::styled(theme.to_drawable(self.message.clone()), theme.warning)
    }

    /// The text of a chart without data.
    fn draw_empty(&self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let errors = self
            .displayed_names()
            .filter_map(|name| self.known.get(name)?.as_ref().err());
        let errors: Vec<&String> = errors.collect();
        let words = match (
            &errors[..],
            self.displayed_names().next().is_none(),
            self.jobs.is_busy(),
        ) {
            (_, true, _) => format!(
                "Select runs with {}; two or more are compared.",
                keymap::label(SCOPE, Action::Enter)
            ),
            (_, _, true) => "reading the run".to_owned(),
            ([error, ..], _, _) => (*error).clone(),
            ([], _, _) => "waiting for the first generation".to_owned(),
        };
        let lines = wrap(&words, area.width.saturating_sub(2).into());
        for (row, line) in lines.iter().enumerate() {
            put(
                buf,
                area,
                row as u16,
                Span::styled(format!(" {line}"), theme.dim),
            );
        }
    }

    /// Draws the parameters in which the runs differ, one per row; runs with the same value share
    /// an entry.
    fn draw_parameters(
        &self,
        differences: &[ParameterDifference],
        runs: usize,
        theme: &Theme,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let count = match differences.len() {
            0 => Line::default(),
            count => Line::styled(format::count(count as f64), theme.dim),
        };
        let frame = Frame {
            title: Line::from("Parameters that differ"),
            right: count,
            bottom_left: self.message(theme),
            ..Frame::default()
        };
        let inner = frame.draw(Focus::Elsewhere, theme, area, buf);
        let none = match (runs, self.runs.displayed().count()) {
            (0 | 1, 0 | 1) => " select two runs to compare their parameters",
            (0 | 1, _) => " fewer than two of the selected runs can be read",
            _ => " none: these runs differ at most in their seeds",
        };
        if differences.is_empty() {
            put(buf, inner, 0, Span::styled(none, theme.dim));
        }
        let shown = differences.iter().take(inner.height.into());
        for (row, difference) in shown.enumerate() {
            let line = difference_line(difference, inner.width.into(), theme);
            put(buf, inner, row as u16, line);
        }
        let hidden = differences.len().saturating_sub(inner.height.into());
        if hidden > 0 && inner.height > 0 {
            let words = format!(" and {} more", hidden + 1);
            let last = Rect {
                y: inner.bottom() - 1,
                height: 1,
                ..inner
            };
            let blank = " ".repeat(inner.width.into());
            put(buf, last, 0, Span::raw(blank));
            put(buf, last, 0, Span::styled(words, theme.dim));
        }
    }
}

/// The column with this name, from the first run that has it.
fn column<'a>(runs: &'a [ComparedSeries<'_>], name: &str) -> Option<&'a Column> {
    let mut places = runs.iter().map(|run| Some((run, run.columns.place(name)?)));
    let (run, index) = places.find_map(|index| index)?;
    Some(&run.columns.all()[index])
}

/// A parameter with the values of the runs.
fn difference_line<'a>(difference: &ParameterDifference, width: usize, theme: &Theme) -> Line<'a> {
    let name = (width * 2 / 5).clamp(16, 44);
    let mut line = Line::styled(
        format!(" {:<name$} ", truncate(&difference.name(), name)),
        theme.text,
    );
    let room = width.saturating_sub(name + 2) / difference.values.len().max(1);
    for (places, value) in difference.grouped_values(room.saturating_sub(4).max(4)) {
        for index in places {
            let sign = format!("{} ", marker(index, theme));
            line.push_span(Span::styled(sign, line_style(index, theme)));
        }
        line.push_span(Span::styled(format!("{value}  "), theme.strong));
    }
    line
}

/// Splits `foot` rows off the bottom; returns the upper and the lower area.
fn split(area: Rect, foot: u16) -> (Rect, Rect) {
    let foot = foot.min(area.height / 2);
    let above = Rect {
        height: area.height - foot,
        ..area
    };
    let below = Rect {
        y: above.bottom(),
        height: foot,
        ..area
    };
    (above, below)
}
