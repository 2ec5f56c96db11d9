//! Draws the log: the list, the details of the selected entry, and on wide terminals a summary and
//! what the run came to.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::format;
use crate::keymap::{self, Action, Scope};
use crate::model::context::Context;
use crate::mouse::Regions;
use crate::screen::ClickTarget;
use crate::screens::change_history;
use crate::screens::run::charts;
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame, filter_line};
use crate::widgets::key_label::key_label;
use crate::widgets::list::ScrollList;
use crate::widgets::text::{below, columns_of, cut_below, put, put_all, right_of};
use crate::widgets::truncate::{pad, pad_left, truncate_line, widest, wrap};
use finches_runs::log::{Level, LogEntry};

use super::LogScreen;
use super::screen::{LogAction, SCOPE};
use super::sentence::{self, EntryKind};

impl LogScreen {
    pub(super) fn draw(
        &self,
        context: &Context,
        body: Rect,
        buf: &mut Buffer,
    ) -> Regions<ClickTarget> {
        let theme = &context.theme;
        let body = body.intersection(buf.area);
        let shown = self.visible();
        let place = self.selected_index(&shown);
        // Where the list alone would leave the screen empty, the details are shown until they are
        // closed.
        let run = context.shown_run();
        let is_roomy = body.height >= ROOMY && (body.width < WIDE || run.is_none());
        let selected = shown.get(place).filter(|_| self.shows_details != is_roomy);
        let areas = LogAreas::new(body, selected.is_some(), run.is_some());
        let frame = self.frame(shown.len(), theme);
        let inner = frame.pane(Focus::Here, theme, areas.list, buf);
        if let Some(area) = areas.summary {
            self.summary(run, theme, area, buf);
        }
        if let Some(area) = areas.changes {
            change_history::view(run, area, buf, theme);
        }
        if let (Some(run), Some(area)) = (run, areas.chart) {
            charts::objective_beside(run, self.selected_generation(), theme, area, buf);
        }
        if shown.is_empty() {
            put(buf, inner, 0, Span::styled(self.empty_text(), theme.dim));
            return Regions::default();
        }
        if let (Some(entry), Some(area)) = (selected, areas.details) {
            details(entry, theme, area, buf);
        }
        let columns = LogColumns {
            generation: generation_width(&shown),
            width: inner.width.into(),
            theme,
        };
        put(buf, inner, 0, columns.head());
        let inner = below(inner, 1);
        let rows = ScrollList::new(shown.len(), place).highlighting(self.selected.map(|_| place));
        rows.draw(theme, inner, buf, |index| columns.entry(shown[index]));
        rows.scrollbar(theme, inner.height, areas.list, buf);
        rows.regions(inner, ClickTarget::Row)
    }

    fn frame(&self, shown: usize, theme: &Theme) -> Frame<'_> {
        let dot = if theme.ascii { "-" } else { "·" };
        let cursor = if self.is_typing() { "_" } else { "" };
        let count = format::count(shown as f64);
        let all = format::count(self.entries.len() as f64);
        Frame {
            title: Line::from("Log"),
            right: filter_line(&self.filter, cursor, theme),
            bottom_left: Line::styled(
                format!(
                    "{} and above {dot} {count} of {all} {dot} time since finches started",
                    level_name(self.min_level)
                ),
                theme.dim,
            ),
            bottom_right: match self.selected {
                None => Line::styled("following", theme.good),
                Some(_) => Line::from(vec![
                    key_label(SCOPE, &[Action::Last], theme),
                    Span::styled(" follow", theme.dim),
                ]),
            },
            ..Frame::default()
        }
    }

    /// Why the list is empty.
    fn empty_text(&self) -> String {
        let level = keymap::label(SCOPE, LogAction::LogLevel.action());
        if self.entries.is_empty() {
            let home = keymap::label(Scope::GLOBAL, Action::GoHome);
            format!("No entries yet. The messages of a run appear here; {home}: choose a preset.")
        } else if self.filter.is_empty() {
            format!("No entries at this level; {level}: more levels.")
        } else {
            let back = keymap::label(Scope::GLOBAL, Action::Back);
            format!("No matches; {back}: show all, {level}: more levels.")
        }
    }
}

/// The areas of the screen.
struct LogAreas {
    list: Rect,
    details: Option<Rect>,
    /// Only on wide terminals.
    summary: Option<Rect>,
    /// Only for a run, on large terminals.
    changes: Option<Rect>,
    chart: Option<Rect>,
}

/// The rows of the changes, and those of a summary above them.
const CHANGES: u16 = 9;
const SUMMARY: u16 = 16;

/// The rows from which there are details by themselves, and the columns from which a summary stands
/// in their place.
const ROOMY: u16 = 30;
const WIDE: u16 = 160;

/// The rows from which there is a chart.
const LARGE: u16 = 40;

impl LogAreas {
    /// The details stand below the list; on wide terminals they stand beside it, above the summary.
    /// A chart stands below all.
    fn new(area: Rect, shows_details: bool, has_run: bool) -> Self {
        let is_wide = area.width >= WIDE;
        let chart = (is_wide && has_run && area.height >= LARGE)
            .then(|| cut_below(area, area.height * 2 / 5));
        let (area, chart) = chart.map_or((area, None), |(rest, chart)| (rest, Some(chart)));
        let height = (area.height * 2 / 5).clamp(3, 10).min(area.height);
        if !is_wide {
            let (list, details) = cut_below(area, if shows_details { height } else { 0 });
            return Self {
                list,
                details: shows_details.then_some(details),
                summary: None,
                changes: None,
                chart,
            };
        }
        let list = columns_of(area, 0, area.width * 3 / 5);
        let beside = right_of(area, list.width);
        let details = Rect { height, ..beside };
        let rest = if shows_details {
            below(beside, height)
        } else {
            beside
        };
        let has_changes = has_run && rest.height >= SUMMARY + CHANGES;
        let (summary, changes) = cut_below(rest, if has_changes { CHANGES } else { 0 });
        Self {
            list,
            details: shows_details.then_some(details),
            summary: Some(summary),
            changes: has_changes.then_some(changes),
            chart,
        }
    }
}

/// The width of the longest generation number.
fn generation_width(shown: &[&LogEntry]) -> usize {
    let generations = shown.iter().filter_map(|entry| sentence::generation(entry));
    let longest = generations
        .max()
        .map_or(0, |most| format::whole(most).len());
    longest.max(3)
}

/// Draws entries as rows of a table.
struct LogColumns<'t> {
    /// The width of the generations.
    generation: usize,
    /// The width of the list.
    width: usize,
    theme: &'t Theme,
}

impl LogColumns<'_> {
    fn head<'a>(&self) -> Line<'a> {
        let words = format!(
            "{:>7}  {:>2$}  level  what happened",
            "time", "gen", self.generation
        );
        Line::styled(words, self.theme.dim)
    }

    fn entry<'a>(&self, entry: &LogEntry) -> Line<'a> {
        let theme = self.theme;
        let generation = sentence::generation(entry).map_or_else(String::new, format::whole);
        let style = match sentence::kind(entry) {
            EntryKind::Problem => level_style(entry.level, theme),
            EntryKind::Milestone => theme.good,
            EntryKind::Change => theme.key,
            EntryKind::Plain => theme.text,
            EntryKind::Routine => theme.dim,
        };
        let mut line = Line::from(vec![
            Span::styled(format!("{:>7}  ", time(entry)), theme.dim),
            Span::styled(pad_left(&generation, self.generation) + "  ", theme.text),
            Span::styled(
                format!("{:<7}", level_name(entry.level)),
                level_style(entry.level, theme),
            ),
            Span::styled(sentence::sentence(entry), style),
        ]);
        truncate_line(&mut line, self.width, theme.dim);
        line
    }
}

/// Draws all fields of an entry.
fn details(entry: &LogEntry, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let frame = Frame {
        title: Line::from("Details"),
        right: Line::styled(format!("{} UTC", entry.date()), theme.dim),
        bottom_right: Line::from(vec![
            key_label(SCOPE, &[Action::Enter], theme),
            Span::styled(" close", theme.dim),
        ]),
        ..Frame::default()
    };
    let inner = frame.pane(Focus::Elsewhere, theme, area, buf);
    let width = usize::from(inner.width);
    let mut lines: Vec<Line<'_>> = vec![Line::from(vec![
        Span::styled(level_name(entry.level), level_style(entry.level, theme)),
        Span::styled(
            format!(
                " in {}, {} after finches started",
                entry.module,
                time(entry)
            ),
            theme.dim,
        ),
    ])];
    let said = entry.message.lines().flat_map(|line| wrap(line, width));
    lines.extend(said.map(|line| Line::styled(line, theme.text)));
    let fields = entry.fields.iter();
    let fields: Vec<_> = fields
        .map(|(name, value)| sentence::labelled(name, value))
        .collect();
    let label = widest(fields.iter().map(|(name, _)| name.as_str())) + 2;
    for (name, value) in fields {
        let values = wrap(&value, width.saturating_sub(label));
        let labels = std::iter::once(name.as_str()).chain(std::iter::repeat(""));
        lines.extend(labels.zip(values).map(|(name, value)| {
            Line::from(vec![
                Span::styled(pad(name, label), theme.dim),
                Span::styled(value, theme.text),
            ])
        }));
    }
    put_all(buf, inner, lines);
}

fn time(entry: &LogEntry) -> String {
    format::clock(entry.elapsed.as_secs_f64())
}

/// The name of a level; severe levels are in capitals.
pub(super) fn level_name(level: Level) -> &'static str {
    match level {
        Level::ERROR => "ERROR",
        Level::WARN => "WARN",
        Level::INFO => "info",
        Level::DEBUG => "debug",
        _ => "trace",
    }
}

pub(super) fn level_style(level: Level, theme: &Theme) -> Style {
    match level {
        Level::ERROR => theme.bad,
        Level::WARN => theme.warning,
        Level::INFO => theme.accent,
        _ => theme.dim,
    }
}
