//! A chart of the Run screen: some columns over the course of the run in a frame with their figures, which are the latest or
//! those where the cursor is.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::metrics::Column;
use crate::metrics::history::Bucket;
use crate::ui::app::point::Target;
use crate::ui::app::watch::Watch;
use crate::ui::mouse::Regions;
use crate::ui::theme::Theme;
use crate::ui::widgets::across::Track;
use crate::ui::widgets::frame::Frame;
use crate::ui::widgets::legend::{Entry, Legend};
use crate::ui::widgets::plot::{Bands, Labels, Plot, Series, Unit};
use crate::ui::widgets::sign::sign;
use crate::ui::widgets::spark::{Glyphs, spark};
use crate::ui::widgets::text::{middle, put};
use crate::ui::words;
use crate::ui::zoom::Zoom;

use super::charts::Place;
use super::reading::{Spot, ends, interval, stretch};

/// One line of a pane's chart.
pub(super) struct Part<'a> {
    pub(super) column: &'a str,
    pub(super) label: &'a str,
    pub(super) style: Style,
}

/// What a chart pane shows.
pub(super) struct Chart<'a> {
    pub(super) title: &'a str,
    pub(super) parts: Vec<Part<'a>>,
    pub(super) best: Option<(u64, f64)>,
    /// A warning, and how the chart is looked at.
    pub(super) notes: [Line<'a>; 2],
}

/// The width from which on a chart's frame has room for more than figures.
const ROOMY: u16 = 46;

/// Rows that are left to the lines before a legend is put below them.
const LEAST_ROWS: u16 = 8;

impl<'a> Chart<'a> {
    /// Draws the chart, and tells where a click reads values.
    pub(super) fn draw(self, watch: &Watch, place: Place<'_>, buf: &mut Buffer) -> Regions<Target> {
        let theme = place.theme;
        let spot = place.charts.reading(watch);
        let spot = spot.map(|generation| Spot::of(watch, generation));
        let frame = self.frame(watch, place, spot);
        let mut inner = frame.draw(place.focus, theme, place.area, buf);
        let mut regions = Regions::default();
        if watch.history.is_empty() {
            waiting(watch, theme, inner, buf);
            return regions;
        }
        let name = self.axis_name(watch);
        let plot = self.plot(watch, place, spot, &name);
        let legend = self.legend(watch, &plot, spot, theme);
        if place.zoom.is_in() && inner.height >= legend.height() + LEAST_ROWS {
            inner.height -= legend.height();
            let below = Rect {
                y: inner.bottom(),
                height: legend.height(),
                ..inner
            };
            legend.draw(theme, below, buf);
        }
        if let Some(body) = plot.draw(theme, inner, buf) {
            let pane = place.pane;
            regions.add(body, Target::Chart { pane, body });
        }
        regions
    }

    /// The frame with what is written on it.
    fn frame(&self, watch: &Watch, place: Place<'_>, spot: Option<Spot>) -> Frame<'a> {
        let theme = place.theme;
        let title = Line::from(self.title);
        let figures = self.figures(watch, theme, place.area.width, spot);
        let [mut warning, mut lens] = self.notes.clone();
        let several = self.parts.len() > 1;
        if let Some(spot) = spot {
            let beside = if several { title.width() } else { 0 };
            let room = usize::from(place.area.width).saturating_sub(beside + 10);
            warning = spot.words(watch, theme, room);
            lens = spot.edit(watch, theme).unwrap_or(lens);
        }
        if !several {
            return Frame {
                title,
                right: figures,
                bottom_left: warning,
                bottom_right: lens,
            };
        }
        let all = warning.width() + lens.width() + figures.width() + 8;
        let fits = all < place.area.width.into();
        Frame {
            title,
            right: warning,
            bottom_left: if fits { lens } else { Line::default() },
            bottom_right: figures,
        }
    }

    /// The figures of all lines: the latest, or those of a place.
    fn figures(&self, watch: &Watch, theme: &Theme, room: u16, spot: Option<Spot>) -> Line<'a> {
        let mut line = Line::default();
        if spot.is_none() {
            line.spans.extend(self.best_words(watch, theme));
        }
        let is_tight = room < ROOMY;
        for (number, part) in self.parts.iter().enumerate() {
            let Some((place, column)) = watch.column(part.column) else {
                continue;
            };
            if number > 0 {
                line.push_span(Span::raw(if is_tight { " " } else { "  " }));
            }
            let gap = if is_tight && self.parts.len() > 2 {
                ""
            } else {
                " "
            };
            let sign = format!("{}{gap}", sign(number, theme));
            line.push_span(Span::styled(sign, part.style));
            if !part.label.is_empty() && (spot.is_none() || self.parts.len() > 1) {
                line.push_span(Span::styled(format!("{} ", part.label), theme.dim));
            }
            let Some(spot) = spot else {
                let value = watch.history.last(place);
                let value = value.map_or("-".to_owned(), |value| words::figure(column, value));
                line.push_span(Span::styled(value, theme.text));
                continue;
            };
            let read = spot.read(&watch.history, place);
            let value = read.map_or("-".to_owned(), |read| spot.figure(column, &read));
            line.push_span(Span::styled(value, theme.accent));
            let ends = read.and_then(|read| ends(column, &read));
            if let Some(ends) = ends.filter(|_| !is_tight) {
                let ends = theme.plain(format!(" {ends}"));
                line.push_span(Span::styled(ends, theme.dim));
            }
        }
        line
    }

    /// The best value ever, and when it was reached.
    fn best_words(&self, watch: &Watch, theme: &Theme) -> Vec<Span<'a>> {
        let column = self
            .parts
            .first()
            .and_then(|part| watch.column(part.column));
        let (Some((generation, value)), Some((_, column))) = (self.best, column) else {
            return Vec::new();
        };
        let star = if theme.ascii { "@ " } else { "◆ " };
        let words = format!("best {} g{generation}   ", words::figure(column, value));
        vec![
            Span::styled(star, theme.warning),
            Span::styled(words, theme.dim),
        ]
    }

    fn plot<'b>(
        &self,
        watch: &'b Watch,
        place: Place<'_>,
        spot: Option<Spot>,
        name: &'b str,
    ) -> Plot<'b> {
        let over = place.charts.over;
        let track = Track::of(over, &watch.history, &watch.facts.columns);
        let series = |part: &Part<'_>| Series {
            buckets: watch.buckets(part.column),
            track,
            style: part.style,
            games: watch.sample(part.column),
        };
        let (first, last) = place.charts.shown(watch);
        let column = self.first_column(watch);
        Plot {
            series: self.parts.iter().map(series).collect(),
            unit: match column {
                Some(column) if column.is_share() => Unit::Share,
                _ => Unit::Number,
            },
            scale: place.charts.scale(),
            over,
            window: (track.place(first), track.place(last)),
            track,
            marks: &watch.marks,
            best: self.best,
            cursor: spot.map(|spot| track.place(spot.first.max(first))),
            labels: match place.zoom {
                Zoom::In => Labels::Full(name),
                Zoom::Out => Labels::Ends,
            },
            bands: Bands::OfFirst,
        }
    }

    fn first_column<'w>(&self, watch: &'w Watch) -> Option<&'w Column> {
        let columns = self.parts.iter().map(|part| watch.column(part.column));
        let mut known = columns.flatten();
        known.next().map(|(_, column)| column)
    }

    /// What the vertical axis is of.
    fn axis_name(&self, watch: &Watch) -> String {
        match self.first_column(watch) {
            Some(column) if column.is_share() => "percent".to_owned(),
            Some(column) if !column.unit.is_empty() => column.unit.to_owned(),
            Some(column) => column.label.clone(),
            None => String::new(),
        }
    }

    /// The lines in figures: the latest, the ends of what is shown, and what is read at the cursor.
    fn legend(&self, watch: &Watch, plot: &Plot<'_>, spot: Option<Spot>, theme: &Theme) -> Legend {
        let mut headings = ["last", "lowest", "highest"].map(str::to_owned).to_vec();
        if let Some(spot) = spot {
            let at = format!("at {}", stretch(spot.first, spot.last));
            headings.extend([at, "from–to".to_owned(), "95 %".to_owned()]);
        }
        let parts = self.parts.iter().zip(&plot.series).enumerate();
        let entry = |(number, (part, series)): (usize, (&Part<'_>, &Series<'_>))| {
            let (place, column) = watch.column(part.column)?;
            let ends = plot.ends_of(series);
            let figure = |value: Option<f64>| {
                value.map_or("-".to_owned(), |value| words::figure(column, value))
            };
            let mut figures = vec![
                figure(watch.history.last(place)),
                figure(ends.map(|ends| ends.0)),
                figure(ends.map(|ends| ends.1)),
            ];
            figures.extend(
                spot.into_iter()
                    .flat_map(|spot| at(spot, watch, place, column)),
            );
            Some(Entry {
                sign: sign(number, theme),
                style: part.style,
                name: column.label.clone(),
                figures: figures
                    .into_iter()
                    .map(|words| theme.plain(words))
                    .collect(),
            })
        };
        Legend {
            headings: headings
                .into_iter()
                .map(|words| theme.plain(words))
                .collect(),
            entries: parts.filter_map(entry).collect(),
        }
    }

    /// Whether there is room for the figures of all lines on the frame.
    pub(super) fn has_room(&self, watch: &Watch, place: Place<'_>) -> bool {
        let figures = self.figures(watch, place.theme, place.area.width, None);
        figures.width() + 4 <= place.area.width.into()
    }

    /// The latest values and sparklines, where there is no room for a chart.
    pub(super) fn list(self, watch: &Watch, place: Place<'_>, buf: &mut Buffer) {
        let theme = place.theme;
        let [left, _] = self.notes;
        let spot = place.charts.reading(watch);
        let spot = spot.map(|generation| Spot::of(watch, generation));
        let frame = Frame {
            title: Line::from(self.title),
            bottom_left: left,
            bottom_right: spot.map_or(Line::default(), |spot| spot.words(watch, theme, 0)),
            ..Frame::default()
        };
        let inner = frame.draw(place.focus, theme, place.area, buf);
        let glyphs = if theme.ascii {
            Glyphs::Ascii
        } else {
            Glyphs::Blocks
        };
        let fitness = [
            Part {
                column: "best_fitness",
                label: "best fit",
                style: theme.series[1],
            },
            Part {
                column: "mean_fitness",
                label: "mean fit",
                style: theme.series[3],
            },
        ];
        for (row, part) in self.parts.iter().chain(&fitness).enumerate() {
            let value = value(watch, part.column, spot).map_or("-".to_owned(), words::short);
            let room = (inner.width as usize).saturating_sub(17);
            let recent = recent(watch.buckets(part.column), room);
            let line = Line::from(vec![
                Span::styled(format!(" {:<9}", part.label), theme.dim),
                Span::styled(format!("{value:>5} "), theme.text),
                Span::styled(spark(recent, room, None, glyphs), part.style),
            ]);
            put(buf, inner, row as u16, line);
        }
    }
}

/// What a legend says of a column at a place.
fn at(spot: Spot, watch: &Watch, place: usize, column: &Column) -> [String; 3] {
    let read = spot.read(&watch.history, place);
    let games = watch.sample(&column.name);
    let figure = read.map(|read| spot.figure(column, &read));
    let between = read.and_then(|read| ends(column, &read));
    let interval = read
        .zip(games)
        .and_then(|(read, games)| interval(&read, games));
    [figure, between, interval].map(|words| words.unwrap_or_else(|| "-".to_owned()))
}

/// The latest figure of a column, or that of a place.
fn value(watch: &Watch, name: &str, spot: Option<Spot>) -> Option<f64> {
    let Some(spot) = spot else {
        return watch.last(name);
    };
    let (place, _) = watch.column(name)?;
    spot.read(&watch.history, place)?.bucket.mean()
}

/// The latest buckets, four to a character.
fn recent(buckets: &[Bucket], width: usize) -> &[Bucket] {
    &buckets[buckets.len().saturating_sub(width * 4)..]
}

/// What stands in a chart before there is anything to draw.
fn waiting(watch: &Watch, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let words = if watch.fault.is_some() {
        "nothing was measured"
    } else {
        "waiting for the first generation"
    };
    let at = middle(area, words.len() as u16, 1);
    put(buf, at, 0, Span::styled(words, theme.dim));
}
