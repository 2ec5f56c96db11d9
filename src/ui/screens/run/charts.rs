//! The charts of the Run screen: the objective and other measures of success, fitness, size, and wins against the past.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::ui::app::point::Target;
use crate::ui::app::watch::Watch;
use crate::ui::mouse::Regions;
use crate::ui::theme::Theme;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::sign::line_style;
use crate::ui::zoom::Zoom;

use super::chart::{Chart, Part};
use super::layout::Pane;
use super::lens::Charts;
use super::measures::pages;

/// Where and how a pane is drawn.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    pub theme: &'a Theme,
    pub charts: Charts,
    pub pane: Pane,
    pub zoom: Zoom,
    pub focus: Focus,
    pub area: Rect,
}

/// The main chart.
pub fn objective(watch: &Watch, place: Place<'_>, buf: &mut Buffer) -> Regions<Target> {
    let pages = pages(watch);
    let theme = place.theme;
    let Some(page) = pages.get(place.charts.metric % pages.len().max(1)) else {
        Frame::titled("Objective").draw(place.focus, theme, place.area, buf);
        return Regions::default();
    };
    let several = page.lines.len() > 1;
    let parts: Vec<Part<'_>> = page
        .lines
        .iter()
        .enumerate()
        .map(|(number, line)| Part {
            column: &line.column,
            label: if several { &line.label } else { "now" },
            style: line_style(number, theme),
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
        parts,
        notes: [
            warning,
            Line::styled(theme.plain(place.charts.words()), theme.dim),
        ],
    };
    chart.draw(watch, place, buf)
}

/// Best and mean fitness, which only mean something within a generation.
pub fn fitness(watch: &Watch, place: Place<'_>, buf: &mut Buffer) -> Regions<Target> {
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
        notes: [Line::default(), Line::default()],
    };
    chart.draw(watch, place, buf)
}

/// The champion's nodes and edges and the population's hidden nodes.
pub fn size(watch: &Watch, place: Place<'_>, buf: &mut Buffer) -> Regions<Target> {
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
        notes: [layers(watch, theme), Line::default()],
    };
    if place.area.width < 34 || place.area.height < 9 || !chart.has_room(watch, place) {
        chart.list(watch, place, buf);
        Regions::default()
    } else {
        chart.draw(watch, place, buf)
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
pub fn past(watch: &Watch, place: Place<'_>, buf: &mut Buffer) -> Regions<Target> {
    let theme = place.theme;
    let wins = Chart {
        title: "Wins v earlier champions",
        parts: vec![Part {
            column: "wins_vs_past",
            label: "",
            style: theme.series[2],
        }],
        best: None,
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
        notes: [Line::default(), Line::default()],
    };
    if watch.preset.measures.tournament_games == 0 {
        return turns.draw(watch, place, buf);
    }
    if place.area.width < 56 {
        return wins.draw(watch, place, buf);
    }
    let left = place.area.width.div_ceil(2);
    let (mut first, mut second) = (place.area, place.area);
    first.width = left;
    second.x += left;
    second.width -= left;
    let before = Place {
        area: first,
        ..place
    };
    let mut regions = wins.draw(watch, before, buf);
    let beside = Place {
        area: second,
        focus: Focus::Elsewhere,
        ..place
    };
    regions.extend(turns.draw(watch, beside, buf));
    regions
}
