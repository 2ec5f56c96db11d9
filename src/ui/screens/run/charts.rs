//! The charts of the Run screen: the objective and other measures, fitness, network size, and wins against past champions.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::ui::model::run::RunModel;
use crate::ui::model::zoom::Zoom;
use crate::ui::mouse::Regions;
use crate::ui::theme::Theme;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::series_marker::line_style;

use super::RunTarget;
use super::chart::{ChartLine, ChartPane};
use super::layout::RunPane;
use super::measures::pages;
use crate::ui::model::chart_options::ChartOptions;

/// What every pane needs to draw itself.
#[derive(Clone, Copy)]
pub struct PaneContext<'a> {
    pub theme: &'a Theme,
    pub charts: ChartOptions,
    pub pane: RunPane,
    pub zoom: Zoom,
    pub focus: Focus,
    pub area: Rect,
}

/// The main chart.
pub fn objective(
    watch: &RunModel,
    context: PaneContext<'_>,
    buf: &mut Buffer,
) -> Regions<RunTarget> {
    let pages = pages(watch);
    let theme = context.theme;
    let Some(page) = pages.get(context.charts.metric % pages.len().max(1)) else {
        Frame::titled("Objective").draw(context.focus, theme, context.area, buf);
        return Regions::default();
    };
    let several = page.lines.len() > 1;
    let lines: Vec<ChartLine<'_>> = page
        .lines
        .iter()
        .enumerate()
        .map(|(number, line)| ChartLine {
            column: &line.column,
            label: if several { &line.label } else { "now" },
            style: line_style(number, theme),
        })
        .collect();
    let is_objective = lines
        .first()
        .and_then(|chart_line| watch.column(chart_line.column))
        .is_some_and(|(found, _)| Some(found) == watch.objective());
    let title = match is_objective {
        true if context.area.width < 66 => "Objective".to_owned(),
        true => format!("Objective: {}", page.title),
        false => {
            let (initial, rest) = page.title.split_at(1);
            initial.to_uppercase() + rest
        }
    };
    let warning = match watch.overfitting_window() {
        Some(length) => Line::styled(
            format!("fitness up, objective down over {length} generations"),
            theme.warning,
        ),
        None => Line::default(),
    };
    let chart = ChartPane {
        title: &title,
        best: watch.best.filter(|_| is_objective),
        lines,
        notes: [
            warning,
            Line::styled(theme.to_drawable(context.charts.description()), theme.dim),
        ],
    };
    chart.draw(watch, context, buf)
}

/// Best and mean fitness. Fitness is comparable only within a generation.
pub fn fitness(watch: &RunModel, context: PaneContext<'_>, buf: &mut Buffer) -> Regions<RunTarget> {
    let theme = context.theme;
    let title = if context.area.width < 44 {
        "Fitness (within gen)"
    } else {
        "Fitness (within its generation)"
    };
    let chart = ChartPane {
        title,
        lines: vec![
            ChartLine {
                column: "best_fitness",
                label: "best",
                style: theme.series[1],
            },
            ChartLine {
                column: "mean_fitness",
                label: "mean",
                style: theme.series[3],
            },
        ],
        best: None,
        notes: [Line::default(), Line::default()],
    };
    chart.draw(watch, context, buf)
}

/// The champion's nodes and edges and the population's hidden nodes.
pub fn size(watch: &RunModel, context: PaneContext<'_>, buf: &mut Buffer) -> Regions<RunTarget> {
    let theme = context.theme;
    let lines = vec![
        ChartLine {
            column: "champion_edges",
            label: "edges",
            style: theme.series[2],
        },
        ChartLine {
            column: "champion_nodes",
            label: "nodes",
            style: theme.series[0],
        },
        ChartLine {
            column: "hidden_nodes_per_layer",
            label: "width",
            style: theme.series[4],
        },
    ];
    let chart = ChartPane {
        title: "Network size",
        lines,
        best: None,
        notes: [layers(watch, theme), Line::default()],
    };
    if context.area.width < 34 || context.area.height < 9 || !chart.has_room(watch, context) {
        chart.list(watch, context, buf);
        Regions::default()
    } else {
        chart.draw(watch, context, buf)
    }
}

/// The champion's layers, such as `2-3-1`.
fn layers<'a>(watch: &RunModel, theme: &Theme) -> Line<'a> {
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

/// Wins against earlier champions and, next to them, the length of games.
pub fn past(watch: &RunModel, context: PaneContext<'_>, buf: &mut Buffer) -> Regions<RunTarget> {
    let theme = context.theme;
    let wins = ChartPane {
        title: "Wins v past champions",
        lines: vec![ChartLine {
            column: "wins_vs_past",
            label: "",
            style: theme.series[2],
        }],
        best: None,
        notes: [Line::default(), Line::default()],
    };
    let moves = ChartPane {
        title: "Mean moves per game",
        lines: vec![ChartLine {
            column: "mean_turns",
            label: "",
            style: theme.series[4],
        }],
        best: None,
        notes: [Line::default(), Line::default()],
    };
    if watch.preset.measures.tournament_games == 0 {
        return moves.draw(watch, context, buf);
    }
    if context.area.width < 56 {
        return wins.draw(watch, context, buf);
    }
    let left = context.area.width.div_ceil(2);
    let (mut first, mut second) = (context.area, context.area);
    first.width = left;
    second.x += left;
    second.width -= left;
    let before = PaneContext {
        area: first,
        ..context
    };
    let mut regions = wins.draw(watch, before, buf);
    let beside = PaneContext {
        area: second,
        focus: Focus::Elsewhere,
        ..context
    };
    regions.extend(moves.draw(watch, beside, buf));
    regions
}
