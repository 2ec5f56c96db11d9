//! How the comparison is laid out: the runs at the left, their chart at the right with its figures below, and along the foot the
//! settings in which they differ.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::metrics::Column;
use crate::ui::app::Model;
use crate::ui::app::point::Target;
use crate::ui::keymap::{self, Action, Scope};
use crate::ui::mouse::Regions;
use crate::ui::theme::Theme;
use crate::ui::widgets::across;
use crate::ui::widgets::cap::cap;
use crate::ui::widgets::fit::{fit, wrap};
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::plot::{Bands, Labels, Plot, Series, Unit};
use crate::ui::widgets::sign::{line_style, sign};
use crate::ui::widgets::text::put;
use crate::ui::words;
use crate::ui::zoom::Zoom;

use super::course::Runner;
use super::settings::{Difference, Settings, differences};
use super::{CompareScreen, Pointed, figures, list};

/// Rows that are left to the lines of the chart.
const LEAST_ROWS: u16 = 6;

impl CompareScreen {
    /// Draws the screen, and tells what can be clicked on.
    pub fn view(&self, model: &Model, body: Rect, buf: &mut Buffer) -> Regions<Target> {
        let mut regions = Regions::default();
        if self.look.zoom.is_in() {
            regions.extend(self.chart(model, body, buf));
            return regions.map(Target::Compared);
        }
        let runs = self.runners(model.watch.as_ref());
        let settings: Vec<&Settings> = runs.iter().map(|run| &*run.settings).collect();
        let differences = differences(&settings);
        let rows = differences.len().clamp(1, usize::from(body.height) / 4) as u16;
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
        regions.extend(list::view(self, model, left, buf));
        regions.extend(self.chart(model, right, buf));
        let theme = &model.theme;
        self.settings(&differences, runs.len(), theme, foot, buf);
        regions.map(Target::Compared)
    }

    fn chart(&self, model: &Model, area: Rect, buf: &mut Buffer) -> Regions<Pointed> {
        let theme = &model.theme;
        let live = model.watch.as_ref();
        let known = self.runners(live);
        let name = self.column(&known);
        let runs = self.shown(live, name.as_deref().unwrap_or_default());
        let column = name.and_then(|name| column(&runs, &name));
        let cursor = self.look.needle.at(self.look.window(&runs));
        let cursor = cursor.filter(|_| !runs.is_empty());
        let frame = self.frame(column, cursor, theme);
        let mut inner = frame.draw(Focus::Elsewhere, theme, area, buf);
        let mut regions = Regions::default();
        let is_begun = runs.iter().any(|run| !run.history.is_empty());
        let Some(column) = column.filter(|_| is_begun) else {
            self.waiting(theme, inner, buf);
            return regions;
        };
        let legend = figures::legend(&runs, column, &self.look, cursor, theme);
        let height = legend.height().min(inner.height.saturating_sub(LEAST_ROWS));
        inner.height -= height;
        let below = Rect {
            y: inner.bottom(),
            height,
            ..inner
        };
        legend.draw(theme, below, buf);
        let plot = self.plot(&runs, column, cursor, theme);
        if let Some(body) = plot.and_then(|plot| plot.draw(theme, inner, buf)) {
            regions.add(body, Pointed::Chart(body));
        }
        regions
    }

    fn frame<'a>(&self, column: Option<&Column>, cursor: Option<f64>, theme: &Theme) -> Frame<'a> {
        let over = self.look.charts.over;
        let title = column.map_or("Runs over one another".to_owned(), |column| {
            column.label.clone()
        });
        let read = cursor.map(|place| {
            let words = format!("at {} {}", across::name(over), across::label(over, place));
            Line::styled(words, theme.accent)
        });
        let message = match self.look.zoom {
            Zoom::In => self.message(theme),
            Zoom::Out => Line::default(),
        };
        let mut lens = self.look.charts.words();
        if self.look.is_grouped() {
            lens += " · presets as one";
        }
        Frame {
            title: Line::from(title),
            right: read.unwrap_or_else(|| self.invitation(theme)),
            bottom_left: message,
            bottom_right: Line::styled(theme.plain(lens), theme.dim),
        }
    }

    /// How runs are chosen, while none is.
    fn invitation<'a>(&self, theme: &Theme) -> Line<'a> {
        if self.pointed.is_none() {
            return Line::default();
        }
        Line::from(vec![
            cap(Scope::Compare, &[Action::Enter], theme),
            Span::styled(" chooses it, then others", theme.dim),
        ])
    }

    fn plot<'a>(
        &self,
        runs: &'a [Runner<'_>],
        column: &'a Column,
        cursor: Option<f64>,
        theme: &Theme,
    ) -> Option<Plot<'a>> {
        let over = self.look.charts.over;
        let series = runs.iter().enumerate().map(|(number, run)| {
            let place = run.columns.place(&column.name);
            Series {
                buckets: place.map_or(&[][..], |place| run.history.column(place)),
                track: run.track(over),
                style: line_style(number, theme),
                games: run.sample(&column.name).filter(|_| !self.look.is_grouped()),
            }
        });
        Some(Plot {
            series: series.collect(),
            unit: if column.is_share() {
                Unit::Share
            } else {
                Unit::Number
            },
            scale: self.look.charts.scale(),
            over,
            window: self.look.window(runs),
            track: runs.first()?.track(over),
            marks: &[],
            best: None,
            cursor,
            labels: match self.look.zoom {
                Zoom::In => Labels::Full(&column.label),
                Zoom::Out => Labels::Ends,
            },
            bands: if self.look.is_grouped() {
                Bands::OfAll
            } else {
                Bands::OfFirst
            },
        })
    }

    /// What has just come of something, or what was wrong with it.
    fn message<'a>(&self, theme: &Theme) -> Line<'a> {
        Line::styled(theme.plain(self.message.clone()), theme.warning)
    }

    /// What stands in the chart before there is anything to draw.
    fn waiting(&self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let faults = self
            .laid()
            .filter_map(|name| self.known.get(name)?.as_ref().err());
        let faults: Vec<&String> = faults.collect();
        let words = match (
            &faults[..],
            self.laid().next().is_none(),
            self.reader.is_busy(),
        ) {
            (_, true, _) => format!(
                "Choose runs with {}; two or more lie over one another.",
                keymap::label(Scope::Compare, Action::Enter)
            ),
            (_, _, true) => "reading".to_owned(),
            ([fault, ..], _, _) => (*fault).clone(),
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

    /// The settings in which the runs differ, a row each; runs that have a value in common share it.
    fn settings(
        &self,
        differences: &[Difference],
        runs: usize,
        theme: &Theme,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let count = match differences.len() {
            0 => Line::default(),
            count => Line::styled(words::count(count as f64), theme.dim),
        };
        let frame = Frame {
            title: Line::from("Settings that differ"),
            right: count,
            bottom_left: self.message(theme),
            ..Frame::default()
        };
        let inner = frame.draw(Focus::Elsewhere, theme, area, buf);
        let none = match (runs, self.chosen.len()) {
            (0 | 1, 0 | 1) => " two or more runs are needed to differ",
            (0 | 1, _) => " of the chosen runs, one at most can be read",
            _ => " none: these runs differ in their seeds alone, if at all",
        };
        if differences.is_empty() {
            put(buf, inner, 0, Span::styled(none, theme.dim));
        }
        let shown = differences.iter().take(inner.height.into());
        for (row, difference) in shown.enumerate() {
            let line = told(difference, inner.width.into(), theme);
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

/// A column as the first run that has it knows it.
fn column<'a>(runs: &'a [Runner<'_>], name: &str) -> Option<&'a Column> {
    let mut places = runs.iter().map(|run| Some((run, run.columns.place(name)?)));
    let (run, place) = places.find_map(|place| place)?;
    Some(&run.columns.all()[place])
}

/// A setting with the values of the runs.
fn told<'a>(difference: &Difference, width: usize, theme: &Theme) -> Line<'a> {
    let name = (width * 2 / 5).clamp(16, 44);
    let mut line = Line::styled(
        format!(" {:<name$} ", fit(&difference.name(), name)),
        theme.text,
    );
    let room = width.saturating_sub(name + 2) / difference.values.len().max(1);
    for (places, value) in difference.grouped(room.saturating_sub(4).max(4)) {
        for place in places {
            let sign = format!("{} ", sign(place, theme));
            line.push_span(Span::styled(sign, line_style(place, theme)));
        }
        line.push_span(Span::styled(format!("{value}  "), theme.strong));
    }
    line
}

/// The area without so many rows at its foot, and these.
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
