//! The charts of the Run screen: the objective and other measures of success, fitness, size, and wins against the past.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::metrics::history::Bucket;
use crate::ui::app::watch::Watch;
use crate::ui::theme::Theme;
use crate::ui::widgets::across::Across;
use crate::ui::widgets::canvas::MARKS;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::plot::{Plot, Series, Unit};
use crate::ui::widgets::spark::{Glyphs, spark};
use crate::ui::widgets::text::put;
use crate::ui::words;

use super::lens::Charts;
use super::measures::pages;

/// One line of a pane's chart.
struct Part<'a> {
    column: &'a str,
    label: &'a str,
    style: Style,
}

/// What a chart pane shows.
struct Chart<'a> {
    title: &'a str,
    parts: Vec<Part<'a>>,
    best: Option<(u64, f64)>,
    /// Games behind a figure of the first part, where it is a sample.
    games: Option<u32>,
    notes: [Line<'a>; 2],
}

/// Where and how a pane is drawn.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    pub theme: &'a Theme,
    pub charts: Charts,
    pub focus: Focus,
    pub area: Rect,
}

/// The main chart.
pub fn objective(watch: &Watch, place: Place<'_>, buf: &mut Buffer) {
    let pages = pages(watch);
    let theme = place.theme;
    let Some(page) = pages.get(place.charts.metric % pages.len().max(1)) else {
        Frame::titled("Objective").draw(place.focus, theme, place.area, buf);
        return;
    };
    let several = page.lines.len() > 1;
    let parts: Vec<Part<'_>> = page
        .lines
        .iter()
        .zip(theme.series)
        .map(|(line, style)| Part {
            column: &line.column,
            label: if several { &line.label } else { "now" },
            style,
        })
        .collect();
    let is_objective = parts
        .first()
        .and_then(|part| watch.column(part.column))
        .is_some_and(|(found, _)| Some(found) == watch.objective());
    let title = match is_objective {
        true if place.area.width < 66 => "Objective".to_owned(),
        true => format!("Objective: {}", page.title.to_lowercase()),
        false => page.title.to_owned(),
    };
    let warning = match watch.misled() {
        Some(length) => Line::styled(
            format!("fitness up, objective down over {length} generations"),
            theme.warning,
        ),
        None => Line::default(),
    };
    let chart = Chart {
        title: &title,
        best: watch.best.filter(|_| is_objective),
        games: parts.first().and_then(|part| watch.sample(part.column)),
        parts,
        notes: [warning, Line::styled(place.charts.words(), theme.dim)],
    };
    chart.draw(watch, place, buf);
}

/// Best and mean fitness, which only mean something within a generation.
pub fn fitness(watch: &Watch, place: Place<'_>, buf: &mut Buffer) {
    let theme = place.theme;
    let title = if place.area.width < 44 {
        "Fitness, relative"
    } else {
        "Fitness, relative to its generation"
    };
    let chart = Chart {
        title,
        parts: vec![
            Part {
                column: "best_fitness",
                label: "best",
                style: theme.series[1],
            },
            Part {
                column: "mean_fitness",
                label: "mean",
                style: theme.series[3],
            },
        ],
        best: None,
        games: None,
        notes: [Line::default(), Line::default()],
    };
    chart.draw(watch, place, buf);
}

/// The champion's nodes and edges and the population's hidden nodes.
pub fn size(watch: &Watch, place: Place<'_>, buf: &mut Buffer) {
    let theme = place.theme;
    let parts = vec![
        Part {
            column: "champion_edges",
            label: "edges",
            style: theme.series[2],
        },
        Part {
            column: "champion_nodes",
            label: "nodes",
            style: theme.series[0],
        },
        Part {
            column: "hidden_nodes_per_layer",
            label: "hidden",
            style: theme.series[4],
        },
    ];
    let chart = Chart {
        title: "Network size",
        parts,
        best: None,
        games: None,
        notes: [layers(watch, theme), Line::default()],
    };
    if place.area.width < 34 || place.area.height < 9 {
        chart.list(watch, place, buf);
    } else {
        chart.draw(watch, place, buf);
    }
}

/// The champion's layers, such as `2-3-1`.
fn layers<'a>(watch: &Watch, theme: &Theme) -> Line<'a> {
    let Some(snapshot) = &watch.snapshot else {
        return Line::default();
    };
    let layers: Vec<String> = snapshot.layers.iter().map(ToString::to_string).collect();
    let mut text = layers.join("-");
    if text.len() > 15 {
        text = format!("{} layers", layers.len());
    }
    Line::styled(text, theme.dim)
}

/// Wins against earlier champions, and beside them the length of games.
pub fn past(watch: &Watch, place: Place<'_>, buf: &mut Buffer) {
    let theme = place.theme;
    let wins = Chart {
        title: "Wins v earlier champions",
        parts: vec![Part {
            column: "wins_vs_past",
            label: "",
            style: theme.series[2],
        }],
        best: None,
        games: None,
        notes: [Line::default(), Line::default()],
    };
    let turns = Chart {
        title: "Moves a game",
        parts: vec![Part {
            column: "mean_turns",
            label: "",
            style: theme.series[4],
        }],
        best: None,
        games: None,
        notes: [Line::default(), Line::default()],
    };
    if watch.preset.measures.tournament_games == 0 {
        turns.draw(watch, place, buf);
        return;
    }
    if place.area.width < 56 {
        wins.draw(watch, place, buf);
        return;
    }
    let left = place.area.width.div_ceil(2);
    let (mut first, mut second) = (place.area, place.area);
    first.width = left;
    second.x += left;
    second.width -= left;
    wins.draw(
        watch,
        Place {
            area: first,
            ..place
        },
        buf,
    );
    let beside = Place {
        area: second,
        focus: Focus::Elsewhere,
        ..place
    };
    turns.draw(watch, beside, buf);
}

impl<'a> Chart<'a> {
    /// The latest values with the color of their lines.
    fn legend(&self, watch: &Watch, theme: &Theme, room: u16) -> Line<'a> {
        let dot = |place: usize| if theme.ascii { MARKS[place] } else { '●' };
        let mut spans: Vec<Span<'a>> = Vec::new();
        if let (Some((generation, value)), Some(part)) = (self.best, self.parts.first())
            && let Some((_, column)) = watch.column(part.column)
        {
            let star = if theme.ascii { "@ " } else { "◆ " };
            spans.push(Span::styled(star, theme.warning));
            spans.push(Span::styled(
                format!("best {} g{generation}   ", words::figure(column, value)),
                theme.dim,
            ));
        }
        for (place, part) in self.parts.iter().enumerate() {
            let Some((_, column)) = watch.column(part.column) else {
                continue;
            };
            let value = watch.last(part.column);
            let value = value.map_or("-".to_owned(), |value| words::figure(column, value));
            if place > 0 {
                spans.push(Span::raw(if room < 46 { " " } else { "  " }));
            }
            let gap = if room < 46 && self.parts.len() > 2 {
                ""
            } else {
                " "
            };
            spans.push(Span::styled(format!("{}{gap}", dot(place)), part.style));
            if !part.label.is_empty() {
                spans.push(Span::styled(format!("{} ", part.label), theme.dim));
            }
            spans.push(Span::styled(value, theme.text));
        }
        Line::from(spans)
    }

    fn draw(self, watch: &Watch, place: Place<'_>, buf: &mut Buffer) {
        let theme = place.theme;
        let legend = self.legend(watch, theme, place.area.width);
        let [left, right] = self.notes;
        let frame = if self.parts.len() > 1 {
            let both = left.width() + right.width() + legend.width() + 8;
            Frame {
                title: Line::from(self.title),
                bottom_left: if both < place.area.width.into() {
                    right
                } else {
                    Line::default()
                },
                right: left,
                bottom_right: legend,
            }
        } else {
            Frame {
                title: Line::from(self.title),
                right: legend,
                bottom_left: left,
                bottom_right: right,
            }
        };
        let inner = frame.draw(place.focus, theme, place.area, buf);
        if watch.history.is_empty() {
            waiting(watch, theme, inner, buf);
            return;
        }
        let unit = self
            .parts
            .first()
            .and_then(|part| watch.column(part.column))
            .map_or(Unit::Number, |(_, column)| {
                if column.is_share() {
                    Unit::Share
                } else {
                    Unit::Number
                }
            });
        let series = |part: &Part<'_>| Series {
            buckets: watch.buckets(part.column),
            style: part.style,
            games: self.games,
        };
        let plot = Plot {
            series: self.parts.iter().map(series).collect(),
            unit,
            scale: place.charts.scale(),
            across: Across::of(place.charts.over, &watch.history, &watch.facts.columns),
            start: watch.history.start(),
            span: watch.history.span(),
            window: place.charts.shown(watch),
            marks: &watch.marks,
            best: self.best,
        };
        plot.draw(theme, inner, buf);
    }

    /// The latest values and sparklines, where there is no room for a chart.
    fn list(self, watch: &Watch, place: Place<'_>, buf: &mut Buffer) {
        let theme = place.theme;
        let [left, _] = self.notes;
        let frame = Frame {
            title: Line::from(self.title),
            bottom_left: left,
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
            let value = watch.last(part.column).map_or("-".to_owned(), words::short);
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
    let width = (words.len() as u16).min(area.width);
    let area = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + area.height / 2,
        width,
        height: area.height.min(1),
    };
    put(buf, area, 0, Span::styled(words, theme.dim));
}
