//! The curves of the shown lines over generations, games or time, with published values and, below
//! them, the legend.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::keymap::{self, Action};
use crate::model::chart_options::ChartOptions;
use crate::model::run::RunModel;
use crate::mouse::Regions;
use crate::theme::{ELLIPSIS, Theme};
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::plot::{ChartMark, Labels, Plot, ReferenceLine, Series, ValueUnit};
use crate::widgets::series_marker::{line_style, marker};
use crate::widgets::text::{cut_below, inset, put_all};
use crate::widgets::truncate::{truncate, width, wrapped};
use crate::widgets::x_axis;
use finches_engine::metrics::Column;
use finches_engine::metrics::progress_unit::ProgressUnit;
use finches_lab::experiment::summary::column_of;

use super::islands::IslandsSummary;
use super::list::MOST_LINES;
use super::screen::RunsAction;
use super::series::ComparedSeries;
use super::{RunsScreen, RunsTarget, legend};

/// The minimum number of rows of the plot.
const MIN_PLOT_ROWS: u16 = 6;

/// The narrowest chart whose legend has whole names, and that with a whole caption.
const WIDE: u16 = 100;
const BROAD_CAPTION: u16 = 80;

/// Draws the chart and returns its plot as a click target.
pub(super) fn draw_curves(
    screen: &RunsScreen,
    live: Option<&RunModel>,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) -> Regions<RunsTarget> {
    let runs = screen.series(live);
    let column = screen.figures.column.as_ref();
    let crosshair = screen.options.charts.crosshair;
    let cursor = crosshair.position(screen.options.window(&runs, column));
    let cursor = cursor.filter(|_| !runs.is_empty());
    let room = usize::from(area.width).saturating_sub(6);
    let published = column.and_then(|column| published_elsewhere((screen, live), &runs, column));
    let frame = frame((screen, published, room), column, cursor, theme);
    let inner = frame.draw(Focus::Elsewhere, theme, area, buf);
    let mut regions = Regions::default();
    let is_begun = runs.iter().any(|run| !run.history.is_empty());
    let Some(column) = column.filter(|_| is_begun) else {
        let room = usize::from(inner.width).saturating_sub(2);
        let lines = wrapped(&empty_words(screen), room, theme.dim);
        put_all(buf, inset(inner, 1), lines);
        return regions;
    };
    let mut legend = legend::legend(&runs, column, &screen.options, cursor, theme);
    if inner.width >= WIDE {
        let entries = legend.entries.iter_mut().zip(&runs);
        entries.for_each(|(entry, run)| entry.name.clone_from(&run.words));
    }
    let height = legend.height();
    let height = height.min(inner.height.saturating_sub(MIN_PLOT_ROWS));
    let (inner, foot) = cut_below(inner, height);
    legend.draw(theme, foot, buf);
    let plot = plot(screen, &runs, column, cursor, theme);
    let caption = (theme.heat).map_or("", |_| caption(screen, &runs, inner.width));
    let plot = plot.map(|plot| Plot { caption, ..plot });
    if let Some(body) = plot.and_then(|plot| plot.draw(theme, inner, buf)) {
        regions.add(body, RunsTarget::Chart(body));
    }
    regions
}

fn frame<'a>(
    (screen, published, room): (&RunsScreen, Option<String>, usize),
    column: Option<&Column>,
    cursor: Option<f64>,
    theme: &Theme,
) -> Frame<'a> {
    let x_unit = screen.options.charts.x_unit;
    let islands = screen.figures.islands.as_ref().zip(column);
    let read = cursor.map(|place| Line::styled(x_axis::reading(x_unit, place), theme.accent));
    let mut options = screen.options.charts.description();
    if is_averaged(screen) {
        options += " · mean";
        options += if theme.heat.is_some() {
            " and range"
        } else {
            ""
        };
    }
    let list = screen.list();
    let (shown, all) = (screen.figures.lines.len(), list.rows().len());
    if shown == MOST_LINES && shown < all && list.displayed().is_empty() {
        options = format!("{options} · {shown} of {all} lines");
    }
    let note = match islands {
        Some((islands, column)) => Some(islands.arrival_words(column, theme)),
        None => published,
    };
    let leader = islands.and_then(|(islands, _)| islands.leader_words());
    let leader = leader.map(|words| Line::styled(words, theme.good));
    let right = read.or(leader).unwrap_or_default();
    let title = column.map(|column| {
        let fits = width(&column.label) + right.width() + 3 <= room;
        if fits { &column.label } else { &column.short }
    });
    // The note goes first where all generations are shown, which need no words.
    let note = note.unwrap_or_default();
    if !note.is_empty() && screen.options.charts == ChartOptions::default() {
        options.clear();
    }
    let left = match width(&options) {
        0 => room,
        options => room.saturating_sub(options + 3),
    };
    Frame {
        title: Line::from(title.map_or("Curves", String::as_str).to_owned()),
        right,
        bottom_left: Line::styled(truncate(&note, left), theme.dim),
        bottom_right: Line::styled(options, theme.dim),
        ..Frame::default()
    }
}

/// Whether a line of the chart is the mean of several runs.
pub(super) fn is_averaged(screen: &RunsScreen) -> bool {
    let mut lines = screen.figures.lines.iter();
    lines.any(|line| line.members.len() > 1)
}

fn plot<'a>(
    screen: &RunsScreen,
    runs: &'a [ComparedSeries<'_>],
    column: &'a Column,
    cursor: Option<f64>,
    theme: &Theme,
) -> Option<Plot<'a>> {
    let x_unit = screen.options.charts.x_unit;
    let is_averaged = is_averaged(screen);
    let name = |line| marker(line, theme);
    let [references, upright] = references(runs, column, x_unit, &name);
    let series = runs.iter().enumerate().map(|(number, run)| Series {
        buckets: run
            .place(&column.name)
            .map_or(&[][..], |place| run.history.column(place)),
        track: run.track(x_unit),
        style: line_style(number, theme),
        games: run.sample(column).filter(|_| !is_averaged),
    });
    Some(Plot {
        series: series.collect(),
        unit: if column.is_share() {
            ValueUnit::Share
        } else {
            ValueUnit::Number
        },
        scale: screen.options.charts.scale(),
        x_unit,
        window: screen.options.window(runs, Some(column)),
        references,
        upright,
        cursor,
        labels: if screen.options.zoom.is_zoomed() {
            Labels::Full(&column.label)
        } else {
            Labels::Ends
        },
        // Without colors it would hide its line.
        band: match theme.heat {
            Some(_) => band(screen),
            None => usize::MAX,
        },
        marks: arrivals(screen),
        ..Plot::new(Vec::new(), runs.first()?.track(x_unit))
    })
}

/// What dots are. Without groups they are of generations that share a column.
fn caption(screen: &RunsScreen, runs: &[ComparedSeries<'_>], width: u16) -> &'static str {
    let longest = runs.iter().map(|run| run.history.len()).max();
    let is_whole = screen.options.charts.window.is_none();
    match is_averaged(screen) {
        true if width > BROAD_CAPTION => {
            "lines: means; dots: lowest to highest run of the group under the cursor"
        }
        true => "dots: lowest to highest run",
        false if is_whole && longest > Some(2 * u64::from(width)) => {
            "dots: all generations of a column"
        }
        false => "",
    }
}

/// Marks at the generations in which islands receive champions.
fn arrivals(screen: &RunsScreen) -> Vec<ChartMark> {
    let islands = screen.figures.islands.iter();
    let arrivals = islands.flat_map(IslandsSummary::arrivals);
    let mark = |generation| ChartMark {
        generation,
        label: String::new(),
    };
    arrivals.map(mark).collect()
}

/// The line with a band: that of the row under the cursor.
fn band(screen: &RunsScreen) -> usize {
    let current = screen.list().current().map(|row| &row.name);
    let mut lines = screen.figures.lines.iter();
    lines
        .position(|line| Some(&line.name) == current)
        .unwrap_or(0)
}

/// What a chart without data says.
fn empty_words(screen: &RunsScreen) -> String {
    let entries = screen.list().entries();
    let members = screen.figures.lines.iter().flat_map(|line| &line.members);
    let is_begun = members.clone().any(|&place| entries[place].generation > 0);
    let errors = members.clone().find_map(|&place| entries[place].problem());
    match errors {
        _ if let Some((folder, preview)) = &screen.preview => match &*preview.message {
            "" => format!("opening {folder}"),
            error => error.to_owned(),
        },
        _ if screen.figures.lines.is_empty() => format!(
            "Select runs with {}; two or more are compared.",
            keymap::label(screen.scope(), RunsAction::Select.action())
        ),
        Some(error) if screen.set().pending.is_empty() => error.clone(),
        _ if is_begun => format!("reading the runs{ELLIPSIS}"),
        _ => "waiting for the first generation".to_owned(),
    }
}

/// The published value of a line and the keys to its column, if no line has one of the shown
/// column.
fn published_elsewhere(
    (screen, live): (&RunsScreen, Option<&RunModel>),
    runs: &[ComparedSeries<'_>],
    column: &Column,
) -> Option<String> {
    let values = || {
        let values = runs
            .iter()
            .map(|run| (run, run.kind.preset.reported_value()));
        values.filter_map(|(run, value)| Some((&run.kind.preset.name, value?)))
    };
    let (preset, (name, value)) = values().next()?;
    if values().any(|(_, (name, _))| name == column.name) {
        return None;
    }
    let columns = screen.columns(live);
    let place = |name: &str| columns.iter().position(|column| column.name == name);
    let ahead = (place(name)? + columns.len() - place(&column.name)?) % columns.len();
    let (action, times) = if 2 * ahead <= columns.len() {
        (Action::NextMetric, ahead)
    } else {
        (Action::PreviousMetric, columns.len() - ahead)
    };
    let key = keymap::label(screen.scope(), action);
    let keys = if times == 1 {
        key
    } else {
        format!("{key}{ELLIPSIS}")
    };
    let figure = column_of(name).figure(value);
    Some(format!("{keys}: the paper's {figure} for {preset}"))
}

/// What the presets of the lines have of the shown column: published values and targets, then
/// published times to a target, with the names that lines have by index, unless they belong to all.
pub(super) fn references(
    runs: &[ComparedSeries<'_>],
    column: &Column,
    x_unit: ProgressUnit,
    line_name: &dyn Fn(usize) -> String,
) -> [Vec<ReferenceLine>; 2] {
    let mut all: [Vec<(f64, String, Vec<String>)>; 2] = Default::default();
    for (number, run) in runs.iter().enumerate() {
        let mut add = |kind: usize, value, name: String| {
            let mut known = all[kind].iter_mut();
            match known.find(|(_, known, _)| *known == name) {
                Some((.., lines)) => lines.push(line_name(number)),
                None => all[kind].push((value, name, vec![line_name(number)])),
            }
        };
        let preset = &run.kind.preset;
        let published = run.published_value(column);
        let published = published.map(|value| (value, "the paper"));
        let target = preset.stop_condition();
        let target = target.filter(|target| target.column() == column.name);
        let target = target.map(|target| (target.bound(), "target"));
        for (value, what) in published.into_iter().chain(target) {
            add(0, value, format!("{what} {}", column.figure(value)));
        }
        if let Some(time) = run.published_time(column, x_unit) {
            add(1, time, format!("the paper g{time}"));
        }
    }
    let line = |(value, name, lines): (f64, String, Vec<String>)| ReferenceLine {
        value,
        name: if lines.len() < runs.len() {
            format!("{} {name}", lines.join(" "))
        } else {
            name
        },
    };
    all.map(|kind| kind.into_iter().map(line).collect())
}
