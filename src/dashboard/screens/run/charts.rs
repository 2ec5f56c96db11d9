//! The charts of the Run screen: the objective and other measures, fitness, network size, and wins
//! against past champions.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::format;
use crate::model::context::Context;
use crate::model::run::RunModel;
use crate::model::zoom::Zoom;
use crate::mouse::Regions;
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::plot::{ReferenceLine, wider};
use crate::widgets::series_marker::line_style;
use crate::widgets::text::{columns_of, right_of};
use finches_engine::metrics::history::Bucket;
use finches_engine::metrics::{Basis, Column};
use finches_engine::session::measures::{
    Measure, accuracy, fitness, growth, hall_of_fame, network_size, progress, species, versus,
};

use super::chart::{ChartLine, ChartPane};
use super::layout::RunPane;
use super::measures::pages;
use super::{RunTarget, weights};
use crate::model::chart_options::ChartOptions;

/// The title of the chart of wins against earlier champions.
const WINS_VS_PAST: &str = "vs. past champions";

/// The title of the chart of the length of games.
const MEAN_MOVES: &str = "Mean moves per game";

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

impl<'a> PaneContext<'a> {
    /// That of a pane on another screen, where it has no focus.
    pub fn beside(context: &'a Context, pane: RunPane, area: Rect) -> Self {
        Self {
            theme: &context.theme,
            charts: context.charts,
            pane,
            zoom: Zoom::Out,
            focus: Focus::Elsewhere,
            area,
        }
    }
}

/// The main chart beside other things, with the crosshair at a generation.
pub fn objective_beside(
    watch: &RunModel,
    generation: Option<u64>,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let mut charts = ChartOptions::default();
    if let Some(generation) = generation {
        let last = watch.generation.saturating_sub(1);
        charts.crosshair.move_to(generation as f64, last as f64);
    }
    let context = PaneContext {
        theme,
        charts,
        pane: RunPane::Objective,
        zoom: Zoom::Out,
        focus: Focus::Elsewhere,
        area,
    };
    objective(watch, context, buf);
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
            column: &line.name,
            label: if several { &line.short } else { "now" },
            style: line_style(number, theme),
        })
        .collect();
    let is_objective = lines
        .first()
        .and_then(|chart_line| watch.column(chart_line.column))
        .is_some_and(|(found, _)| Some(found) == watch.objective());
    let title = match is_objective {
        true if context.area.width < 66 => "Objective".to_owned(),
        true => match watch.replaced_objective() {
            Some(reason) => format!("Objective: {} ({reason})", page.lines[0].label),
            None => format!("Objective: {}", page.title()),
        },
        false => {
            let (initial, rest) = page.title().split_at(1);
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
    let references = references(watch, &page.lines);
    let caption = page.caption();
    let chart = ChartPane {
        title: &title,
        best: watch.best.filter(|_| is_objective),
        lines,
        references,
        caption: &caption,
        notes: [
            warning,
            Line::styled(context.charts.description(), theme.dim),
        ],
    };
    chart.draw(watch, context, buf)
}

/// What the values of a page can be compared with: the bound at which the run stops, a player that
/// moves at random, and as many points as the opponent.
fn references(watch: &RunModel, lines: &[&Column]) -> Vec<ReferenceLine> {
    let figure = |value: f64| match lines.first() {
        Some(column) => column.figure(value),
        None => format::short(value),
    };
    let line = |value: f64, name: &str| ReferenceLine {
        value,
        name: format!("{name} {}", figure(value)),
    };
    let has = |name: &str| lines.iter().any(|line| line.name == name);
    let rest_on = |basis: Basis| lines.iter().any(|line| line.basis == basis);
    let mut all = Vec::new();
    if let Some(until) = watch
        .preset
        .stop_condition()
        .filter(|until| has(until.column()))
    {
        all.push(line(until.bound(), "target"));
    }
    if let Some((_, value)) = watch
        .preset
        .reported_value()
        .filter(|(column, _)| has(column))
    {
        all.push(line(value, "paper"));
    }
    if let Some(chance) = watch.baselines.chance.filter(|_| rest_on(Basis::Positions)) {
        all.push(line(chance, "random moves"));
    }
    if rest_on(Basis::WinnablePositions) {
        let shares = watch.baselines.judged.iter();
        let known = watch.facts.arena.info().heuristics;
        all.extend(shares.map(|(name, share)| {
            // The name of a player may be an English word.
            let is_player = known.iter().any(|player| player.name == *name);
            let name = if is_player {
                format!("player \"{name}\"")
            } else {
                name.clone()
            };
            line(*share, &name)
        }));
    }
    if rest_on(Basis::HeldOut) || rest_on(Basis::Tournament) {
        all.push(ReferenceLine {
            value: 0.5,
            name: "even".to_owned(),
        });
    }
    all
}

/// The fitness of the champion, which need not be the highest, and of the mean. Fitness is
/// comparable only within a generation.
pub fn fitness(watch: &RunModel, context: PaneContext<'_>, buf: &mut Buffer) -> Regions<RunTarget> {
    let theme = context.theme;
    let (champion, mean) = (fitness::BEST.name, fitness::MEAN.name);
    let remark = "comparable only within a generation";
    let mut chart = ChartPane::of_one("Fitness", champion, "now", theme.series[1]);
    if constant(watch, mean).is_none() {
        chart.lines[0].label = "champion";
        chart.lines.push(ChartLine {
            column: mean,
            label: "mean",
            style: theme.series[3],
        });
    }
    // On the frame it always has a row.
    if usize::from(context.area.width) > 2 * remark.len() {
        chart.notes[1] = Line::styled(remark, theme.dim);
    } else {
        chart.caption = remark;
    }
    chart.draw(watch, context, buf)
}

/// The value of a column that has had only one for a while.
pub(super) fn constant(watch: &RunModel, name: &str) -> Option<f64> {
    const WHILE: usize = 3;
    let buckets = watch.buckets(name).iter().filter(|bucket| bucket.count > 0);
    let ends = buckets.clone().map(|bucket| (bucket.min, bucket.max));
    let (low, high) = ends.reduce(wider)?;
    let is_constant = high - low <= high.abs() * 1e-9 && buckets.count() >= WHILE;
    is_constant.then_some(high)
}

/// Whether there are two values, so that there is a trend.
pub(super) fn has_trend(buckets: &[Bucket]) -> bool {
    buckets
        .iter()
        .filter(|bucket| bucket.count > 0)
        .nth(1)
        .is_some()
}

/// The size of the champion and of the population's networks or, where it is fixed, a measure that
/// moves.
pub fn size(watch: &RunModel, context: PaneContext<'_>, buf: &mut Buffer) -> Regions<RunTarget> {
    let theme = context.theme;
    let line = |column, label, number: usize| ChartLine {
        column,
        label,
        style: theme.series[number],
    };
    let growing = vec![
        line(network_size::EDGES.name, network_size::EDGES.short, 2),
        line(network_size::NODES.name, network_size::NODES.short, 0),
    ];
    let moving = has_fixed_size(watch)
        .then(|| moving_measure(watch))
        .flatten();
    let (title, lines) = match &moving {
        Some((title, column)) => (*title, vec![line(column.as_str(), "now", 2)]),
        None => ("Network size", growing),
    };
    let caption = match moving {
        Some(_) => "",
        None => "edges and nodes of the champion",
    };
    let chart = ChartPane {
        caption,
        ..ChartPane::of(title, lines)
    };
    if context.area.width < 34 || context.area.height < 9 || !chart.has_room(watch, context) {
        chart.list(watch, context, buf);
        Regions::default()
    } else {
        chart.draw(watch, context, buf)
    }
}

/// The distance up to which a genome belongs to a species.
pub fn species_threshold(
    watch: &RunModel,
    context: PaneContext<'_>,
    buf: &mut Buffer,
) -> Regions<RunTarget> {
    let (title, style) = ("Distance within a species", context.theme.series[0]);
    let chart = ChartPane::of_one(title, species::THRESHOLD.name, "now", style);
    chart.draw(watch, context, buf)
}

/// The title and the column of a measure that moves where the size of networks does not, and that
/// no other pane shows.
pub(super) fn moving_measure(watch: &RunModel) -> Option<(&'static str, String)> {
    let objective = watch.objective_column();
    let objective = objective.filter(|column| column.basis == Basis::HeldOut);
    let mean = objective.map(|column| versus::MEAN.name_against(&column.short));
    let has_weights = weights::has_weights(watch, watch.snapshot.as_deref());
    let past = watch.preset.measures.tournament_games > 0 && has_weights;
    let own = |measure: Measure| Some(measure.name.to_owned());
    let all = [
        ("Fewest mistakes", own(hall_of_fame::WRONG_DECISIONS)),
        ("Total growth", own(growth::SUM)),
        ("Population mean", mean),
        (WINS_VS_PAST, own(accuracy::WINS_VS_PAST).filter(|_| past)),
        (
            MEAN_MOVES,
            own(progress::MEAN_TURNS).filter(|_| has_weights),
        ),
    ];
    all.into_iter().find_map(|(title, column)| {
        let column = column.filter(|column| watch.column(column).is_some())?;
        Some((title, column))
    })
}

/// Whether all networks of the run have the same size.
pub(super) fn has_fixed_size(watch: &RunModel) -> bool {
    watch.preset.genome.capabilities().keeps_size
}

/// Wins against earlier champions and, next to them, the length of games.
pub fn past(watch: &RunModel, context: PaneContext<'_>, buf: &mut Buffer) -> Regions<RunTarget> {
    let theme = context.theme;
    let (wins, moves) = (accuracy::WINS_VS_PAST.name, progress::MEAN_TURNS.name);
    let wins = ChartPane::of_one(WINS_VS_PAST, wins, "", theme.series[2]);
    let moves = ChartPane::of_one(MEAN_MOVES, moves, "", theme.series[3]);
    if watch.preset.measures.tournament_games == 0 {
        return moves.draw(watch, context, buf);
    }
    if context.area.width < 56 {
        return wins.draw(watch, context, buf);
    }
    let left = context.area.width.div_ceil(2);
    let before = PaneContext {
        area: columns_of(context.area, 0, left),
        ..context
    };
    let mut regions = wins.draw(watch, before, buf);
    let beside = PaneContext {
        area: right_of(context.area, left),
        focus: Focus::Elsewhere,
        ..context
    };
    regions.extend(moves.draw(watch, beside, buf));
    regions
}
