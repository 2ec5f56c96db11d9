//! Draws the list of runs, or of groups of them.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::format;
use crate::keymap::{self, Action, Scope};
use crate::model::context::Context;
use crate::mouse::Regions;
use crate::theme::{ELLIPSIS, Theme};
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::list::ScrollList;
use crate::widgets::series_marker::{line_style, marker};
use crate::widgets::text::{inset, put_all};
use crate::widgets::truncate::{self, wrapped};
use finches_engine::text::counted;

use super::entry::RunEntry;
use super::experiment::Experiment;
use super::groups::{figure, judged_time};
use super::list::RunRow;
use super::stage::RunStage;
use super::sweep::{PresetValues, verdict};
use super::{RunSource, RunsScreen, RunsTarget, RunsView};

/// The rows by which the list is as wide as it is, and the columns beside their names.
const MOST_ROWS: usize = 60;
const BESIDE: usize = 20;

/// Draws the list and returns the region of each row.
pub(super) fn view(
    screen: &RunsScreen,
    context: &Context,
    area: Rect,
    buf: &mut Buffer,
) -> Regions<RunsTarget> {
    let theme = &context.theme;
    let list = screen.list();
    let room = usize::from(area.width).saturating_sub(4);
    let sweep = screen.experiment().and_then(|it| it.sweep.as_ref());
    let verdict = sweep.and_then(|sweep| verdict(sweep, theme));
    let is_wide = area.width >= width(screen);
    let values = list.values.as_ref();
    let key = values.filter(|_| list.has_groups() && !is_wide);
    let key = key.map(PresetValues::key);
    let frame = Frame {
        title: Line::from(title(screen)),
        bottom_left: Line::styled(key.unwrap_or_default(), theme.dim),
        right: verdict.unwrap_or_else(|| Line::styled(right_words(screen), theme.dim)),
        bottom_right: foot(screen, theme, room),
        ..Frame::default()
    };
    let inner = frame.draw(Focus::Here, theme, area, buf);
    let rows = list.rows();
    if rows.is_empty() {
        let inner = inset(inner, 1);
        put_all(
            buf,
            inner,
            wrapped(&empty_words(screen), inner.width.into(), theme.dim),
        );
        return Regions::default();
    }
    let scroll = ScrollList::selecting(rows.len(), list.cursor()).marked(3);
    scroll.draw(theme, inner, buf, |index| {
        let row = &rows[index];
        let name = if is_wide {
            screen.words(row)
        } else {
            screen.label(row)
        };
        line(screen, context, (row, &name), inner.width.into())
    });
    scroll.scrollbar(theme, inner.height, area, buf);
    scroll.regions(inner, RunsTarget::Row)
}

/// The width that the list needs, by the names of its first rows.
pub(super) fn width(screen: &RunsScreen) -> u16 {
    let rows = screen.list().rows().iter().take(MOST_ROWS);
    let names: Vec<String> = rows.map(|row| screen.words(row)).collect();
    (truncate::widest(names.iter().map(String::as_str)) + BESIDE) as u16
}

fn empty_words(screen: &RunsScreen) -> String {
    let list = screen.list();
    if !list.is_listed() {
        "reading the saved runs".to_owned()
    } else if list.entries().is_empty() {
        let home = keymap::label(Scope::GLOBAL, Action::GoHome);
        format!("No saved runs yet. {home}: choose a preset; its run is saved and listed here.")
    } else if screen.input.is_some() {
        "No run fits the filter.".to_owned()
    } else {
        let filter = keymap::label(screen.scope(), Action::Filter);
        format!("No run fits the filter. {filter}: change it.")
    }
}

/// What is listed: the set, the opened group, the filter with how many runs it leaves, the order.
fn title(screen: &RunsScreen) -> String {
    let list = screen.list();
    let mut parts = Vec::new();
    match &screen.set().source {
        RunSource::Experiment(experiment) if !screen.is_alone() => {
            let folder = &experiment.setup.folder;
            let name = folder.trim_end_matches('/').rsplit('/').next();
            parts.push(name.unwrap_or(folder).to_owned());
        }
        _ => {}
    }
    let opened = list.opened();
    let words = |preset: &String| list.values.as_ref()?.words(preset);
    parts.extend(opened.map(|it| words(it).unwrap_or_else(|| it.clone())));
    let filter = list.filter().text();
    if !filter.is_empty() {
        let (left, all) = list.counts();
        parts.push(format!("Runs: {left} of {all} · {filter}"));
    }
    let order = list.order().words();
    parts.extend((!order.is_empty()).then_some(order));
    if parts.is_empty() {
        return if list.has_groups() { "Groups" } else { "Runs" }.to_owned();
    }
    parts.join(" · ")
}

/// How long an experiment takes that another process works on, else the column of the values in the
/// list.
fn right_words(screen: &RunsScreen) -> String {
    let left = screen.experiment().and_then(Experiment::time_left);
    let list = screen.list();
    let group = list.current().filter(|_| list.has_groups());
    let heading = || match &screen.figures.column {
        _ if group.is_some_and(|row| judged_time(screen, row).is_some()) => "target met".to_owned(),
        column => column
            .as_ref()
            .map_or_else(String::new, |column| column.short.clone()),
    };
    left.map_or_else(heading, left_words)
}

/// A time left in words.
pub(super) fn left_words(left: Duration) -> String {
    format!("{} left", format::span(left.as_secs_f64()))
}

/// How many runs are selected and pinned or, of an experiment, how far they are.
fn foot<'a>(screen: &RunsScreen, theme: &Theme, room: usize) -> Line<'a> {
    let list = screen.list();
    let (selected, pinned) = (list.selected().len(), list.pinned().len());
    if !matches!(screen.set().source, RunSource::Saved(_)) && selected + pinned == 0 {
        return counts(list.entries(), theme);
    }
    let (_, all) = list.counts();
    let selected = format!("{selected} of {all} selected");
    let both = format!("{selected}, {pinned} pinned");
    let words = if pinned > 0 && both.len() <= room {
        both
    } else {
        selected
    };
    Line::styled(words, theme.dim)
}

/// The numbers of runs by status.
fn counts<'a>(runs: &[RunEntry], theme: &Theme) -> Line<'a> {
    let mut line = Line::default();
    for status in RunStage::ALL {
        let count = runs.iter().filter(|run| run.status == status).count();
        if count > 0 {
            let gap = if line.spans.is_empty() { "" } else { " " };
            let glyph = match (status, status.glyph(theme)) {
                (RunStage::Waiting, _) | (_, " ") => status.word(),
                (_, glyph) => glyph,
            };
            line.push_span(Span::styled(format!("{gap}{glyph} "), status.style(theme)));
            line.push_span(Span::styled(format::whole(count as u64), theme.text));
        }
    }
    line
}

/// A row with its pin, its line marker if it is shown, and how far it is.
fn line<'a>(
    screen: &RunsScreen,
    context: &Context,
    (row, name): (&RunRow, &str),
    width: usize,
) -> Line<'a> {
    let theme = &context.theme;
    let list = screen.list();
    let (sign, style) = sign_of(screen, row, theme);
    let (mut state, style_of_state) = if list.has_groups() {
        group_state(screen, row, theme)
    } else {
        run_state(screen, row.members[0], context)
    };
    let room = |state: &str| width.saturating_sub(truncate::width(state) + 5);
    // Names differ at their ends, so they come first; the objective matters more than the
    // generation.
    if let Some((_, objective)) = state.rsplit_once(' ')
        && room(&state) < truncate::width(name)
    {
        state = objective.to_owned();
    }
    let room = room(&state);
    let pin = if list.is_pinned(row) {
        theme.sign("↑", "^")
    } else {
        " "
    };
    Line::from(vec![
        Span::styled(pin, theme.accent),
        Span::styled(format!("{sign} "), style),
        Span::styled(truncate::fit_both_ends(name, room), theme.text),
        Span::styled(format!(" {state} "), style_of_state),
    ])
}

/// The marker of a row's line, or another sign if it has none.
pub(super) fn sign_of(screen: &RunsScreen, row: &RunRow, theme: &Theme) -> (String, Style) {
    let list = screen.list();
    let entries = list.entries();
    let is_chosen = list.is_selected(row) || list.is_pinned(row);
    let mut members = row.members.iter();
    let is_damaged = members.all(|&place| entries[place].problem().is_some());
    let mut lines = screen.figures.lines.iter();
    match lines.position(|line| line.name == row.name) {
        Some(_) if !is_chosen && !list.has_groups() && !list.shows_all => {
            (" ".to_owned(), theme.dim)
        }
        Some(_) if is_damaged => ("!".to_owned(), theme.bad),
        Some(line) => (marker(line, theme), line_style(line, theme)),
        None if is_chosen => (ELLIPSIS.to_owned(), theme.dim),
        None => (" ".to_owned(), theme.dim),
    }
}

/// The number of runs of a group or how many are finished, and the mean of the shown column or, if
/// they are judged by it, of the times to the target.
fn group_state(screen: &RunsScreen, row: &RunRow, theme: &Theme) -> (String, Style) {
    let list = screen.list();
    let members = row.members.iter().map(|&place| &list.entries()[place]);
    let all = row.members.len();
    let ended = members.clone().filter(|run| run.end.is_some()).count();
    let count = if ended < all {
        Some(format!("{ended}/{all}"))
    } else {
        // All presets of an experiment have as many.
        (screen.experiment().is_none()).then(|| counted(all as u64, "run"))
    };
    let mean = || {
        let column = &screen.figures.column.as_ref()?.name;
        Some(figure(column, list.mean(row, column)?))
    };
    let mean = match judged_time(screen, row) {
        _ if screen.loading(RunsView::Table).is_some() => Some(ELLIPSIS.to_owned()),
        time => time.or_else(mean),
    };
    let is_running = members.clone().any(|run| run.status == RunStage::Running);
    let style = if is_running { theme.accent } else { theme.dim };
    let words: Vec<String> = count.into_iter().chain(mean).collect();
    (words.join(" "), style)
}

/// The generation of a run and, if known, the latest value of the shown column.
fn run_state(screen: &RunsScreen, place: usize, context: &Context) -> (String, Style) {
    let (theme, run) = (&context.theme, &screen.list().entries()[place]);
    if run.status == RunStage::Damaged {
        return ("damaged".to_owned(), theme.bad);
    }
    if let Some(progress) = &run.experiment {
        let counts = [progress.finished, progress.runs].map(|count| format::whole(count as u64));
        let left = progress.time_left(0.0).map(left_words);
        let words = left.unwrap_or_else(|| progress.kind.to_owned());
        let words = [words, counts.join("/")].into_iter();
        let words = words.collect::<Vec<String>>().join(" ");
        return (words, run.status.style(theme));
    }
    let live = context.run.as_ref();
    let is_live = live.is_some_and(|live| screen.saves_live(&run.name, live));
    let glyph = run.status.glyph(theme);
    if run.status == RunStage::Waiting && run.generation == 0 {
        return (glyph.to_owned(), theme.dim);
    }
    let sign = (glyph != " " && !is_live).then(|| glyph.to_owned());
    // The latest generation, as on the axis of the chart.
    let latest = run.generation.checked_sub(1);
    let generation = latest.map(|latest| format!("g{}", format::rounded(latest as f64)));
    let column = screen.figures.column.as_ref();
    let value = match column {
        Some(column) => run.latest(&column.name).map(|value| column.figure(value)),
        None => run.objective.clone(),
    };
    let parts = [sign, generation, value];
    let words = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let style = match run.status {
        _ if is_live => theme.good,
        RunStage::Running => theme.accent,
        _ => theme.dim,
    };
    (words, style)
}
