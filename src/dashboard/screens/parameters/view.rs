//! Draws the list of parameters: current, next, and default value, with share or range.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use crate::format;
use crate::keymap::{self, Action};
use crate::model::run::RunModel;
use crate::mouse::Regions;
use crate::screens::change_history;
use crate::screens::run::charts;
use crate::theme::{ELLIPSIS, Theme};
use crate::widgets::bar::bar;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::list::ScrollList;
use crate::widgets::text::{columns_of, cut_below, cut_right};
use crate::widgets::truncate::{fit, pad_left, truncate};
use finches_engine::params::Param;

use super::screen::{ParameterAction, SCOPE};
use super::words::{
    heading, is_description, is_mutation_weight, unit, valid_values, value_with_unit,
};
use super::{ParameterOwner, ParameterTarget, ParametersScreen, StatusMessage, share, value};

/// The areas of the panes.
struct ParametersLayout {
    list: Rect,
    why: Rect,
    past: Rect,
    /// Only on large terminals.
    chart: Rect,
    message: Rect,
}

/// The rows from which there is a chart.
const LARGE: u16 = 40;

/// The columns of a parameter among those that are fixed.
const FIXED_CELL: usize = 36;

impl ParametersLayout {
    /// The areas; a preset has no past changes.
    fn new(area: Rect, owner: ParameterOwner) -> Self {
        let (body, message) = cut_below(area, 1);
        let none = Rect::ZERO;
        let mut chart = none;
        let past = |room: Constraint| match owner {
            ParameterOwner::Preset => Constraint::Length(0),
            _ => room,
        };
        let (list, why, past) = match (body.width, body.height) {
            (..60, _) | (_, ..14) => (body, none, none),
            (..110, _) => {
                // All mutation weights are visible on 24 rows.
                let below = if body.height < 24 { 6 } else { 7 };
                let (list, below) = cut_below(body, below);
                let [why, past] =
                    Layout::horizontal([Constraint::Fill(1), past(Constraint::Fill(1))])
                        .areas(below);
                (list, why, past)
            }
            (width, _) => {
                let side = if width < 160 { 40 } else { 72 };
                let (list, column) = cut_right(body, side);
                let is_large = column.height >= LARGE && owner != ParameterOwner::Preset;
                let rows = if is_large { column.height / 2 } else { 0 };
                let (column, below) = cut_below(column, rows);
                chart = below;
                let [why, past] =
                    Layout::vertical([Constraint::Fill(1), past(Constraint::Fill(1))])
                        .areas(column);
                (list, why, past)
            }
        };
        Self {
            list,
            why,
            past,
            chart,
            message,
        }
    }
}

/// A line of the list.
enum ParameterRow<'a> {
    Blank,
    Heading(String),
    /// A parameter and its index.
    Parameter(usize, &'a Param),
}

impl ParametersScreen {
    /// Draws the screen into `area` and returns the click targets.
    pub fn view(
        &self,
        run: Option<&RunModel>,
        area: Rect,
        buf: &mut Buffer,
        theme: &Theme,
    ) -> Regions<ParameterTarget> {
        let area = area.intersection(buf.area);
        let layout = ParametersLayout::new(area, self.owner);
        let params = self.editable();
        let regions = self.view_list(&params, layout.list, buf, theme);
        let changes = run.map_or(&[][..], |run| &run.changes);
        self.view_help((params.get(self.selected), changes), layout.why, buf, theme);
        change_history::view(run, layout.past, buf, theme);
        if let Some(run) = run.filter(|_| !layout.chart.is_empty()) {
            charts::objective_beside(run, None, theme, layout.chart, buf);
        }
        self.view_message(layout.message, buf, theme);
        regions
    }

    fn view_list(
        &self,
        params: &[Param],
        area: Rect,
        buf: &mut Buffer,
        theme: &Theme,
    ) -> Regions<ParameterTarget> {
        let title = match self.owner {
            ParameterOwner::Run => "Parameters".to_owned(),
            ParameterOwner::FollowedRun => "Parameters (read-only)".to_owned(),
            ParameterOwner::Preset => format!("Settings of the preset {}", self.next.name),
        };
        let pending = match (self.pending().len(), self.sent.len()) {
            _ if self.owner == ParameterOwner::FollowedRun => {
                Line::styled("another process evolves this run", theme.dim)
            }
            (0, 0) => Line::styled("no pending changes", theme.dim),
            (0, sent) => Line::styled(format!("{sent} sent"), theme.dim),
            (count, _) => Line::styled(format!("{count} pending"), theme.warning),
        };
        let index = format!("{} of {}", self.selected + 1, params.len());
        let frame = Frame {
            bottom_left: Line::styled(index, theme.dim),
            bottom_right: pending,
            ..Frame::titled(title)
        };
        let inner = frame.pane(Focus::Here, theme, area, buf);
        let columns = ColumnWidths::new(inner.width);
        let fixed = self.fixed_lines(inner);
        let [keys, head, list, below] = Layout::vertical([
            Constraint::Length(u16::from(self.is_preset())),
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(fixed.len() as u16),
        ])
        .areas(inner);
        Line::styled(preset_keys(), theme.dim).render(keys, buf);
        columns.titles(theme).render(head, buf);
        let rows = rows(params, list.height.into());
        let selected = rows
            .iter()
            .position(
                |row| matches!(row, ParameterRow::Parameter(index, _) if *index == self.selected),
            )
            .unwrap_or(0);
        let scrolled = ScrollList::new(rows.len(), selected);
        let total: f64 = params
            .iter()
            .filter(|param| is_mutation_weight(param))
            .filter_map(|param| param.value.parse::<f64>().ok())
            .sum();
        scrolled.draw(theme, list, buf, |row| match &rows[row] {
            ParameterRow::Blank => Line::default(),
            ParameterRow::Heading(words) => Line::styled(words.clone(), theme.strong),
            ParameterRow::Parameter(index, param) => {
                self.param_line(*index, param, total, &columns, theme)
            }
        });
        scrolled.scrollbar(theme, list.height, area, buf);
        let fixed = fixed.into_iter().map(|line| Line::styled(line, theme.dim));
        Paragraph::new(fixed.collect::<Vec<_>>()).render(below, buf);
        let mut regions = Regions::default();
        for (row, line) in scrolled.visible(list) {
            let ParameterRow::Parameter(index, param) = &rows[row] else {
                continue;
            };
            regions.add(line, ParameterTarget::Row(*index));
            if *index == self.selected {
                columns.add_nudge_targets(param, total, line, &mut regions);
            }
        }
        regions
    }

    fn param_line(
        &self,
        index: usize,
        param: &Param,
        total: f64,
        columns: &ColumnWidths,
        theme: &Theme,
    ) -> Line<'static> {
        let is_selected = index == self.selected;
        let now = value(&self.now, &param.key).unwrap_or_default();
        let is_changed = now != param.value;
        let is_sent = self.sent.iter().any(|(key, _)| *key == param.key);
        let cursor = if theme.ascii { "> " } else { "› " };
        let name = if is_selected {
            theme.accent
        } else {
            theme.text
        };
        let initial = self.initial_value(param);
        let plain = match self.owner {
            ParameterOwner::FollowedRun => theme.dim,
            _ => theme.text,
        };
        let fresh = match (is_changed, param.problem.is_some()) {
            (_, true) => theme.bad,
            (true, false) => theme.warning,
            (false, false) => plain,
        };
        let in_force = if now == initial { plain } else { theme.accent };
        let mark = match (is_changed, is_sent) {
            (false, _) => " ",
            (true, false) => "*",
            (true, true) => ">",
        };
        let can_nudge = self.owner != ParameterOwner::FollowedRun && self.entry.is_none();
        let arrows = if is_selected && can_nudge {
            theme.sign(("‹", "›"), ("<", ">"))
        } else {
            (" ", " ")
        };
        let (label, value) = (columns.label, columns.value);
        let mut spans = vec![
            Span::styled(if is_selected { cursor } else { "  " }, theme.accent),
            Span::styled(fit(&param.label(), label), name),
            Span::styled(pad_left(&fit_value(&now, value), value), in_force),
            Span::styled(format!("  {mark}"), theme.warning),
            Span::styled(arrows.0, theme.key),
        ];
        if is_selected && let Some(entry) = self.entry.as_ref().filter(|_| !self.is_finding) {
            let rest = value + columns.default + columns.about + 3;
            spans.push(Span::raw(" "));
            spans.extend(entry.spans(rest, theme));
            return Line::from(spans);
        }
        spans.push(Span::styled(
            pad_left(&fit_value(&param.value, value), value),
            fresh,
        ));
        spans.push(Span::styled(arrows.1, theme.key));
        if columns.default > 0 {
            let default = columns.default - 1;
            let text = if is_description(param) {
                String::new()
            } else {
                fit_value(&initial, columns.default)
            };
            spans.push(Span::styled(format!("{text:>default$}"), theme.dim));
        }
        let gap = if columns.default > 0 { "   " } else { "  " };
        spans.push(Span::raw(gap));
        spans.extend(about(param, total, columns.about, theme));
        Line::from(spans)
    }

    /// The fixed parameters, in a few lines.
    fn fixed_lines(&self, area: Rect) -> Vec<String> {
        if self.is_preset() || area.height < 8 {
            return Vec::new();
        }
        let params = self.next.params();
        // The header has the pace, which is the preset's only at first.
        let fixed = params
            .iter()
            .filter(|param| !param.live && !is_description(param) && param.key != "pace")
            .map(|param| format!("{} {}", param.label(), value_with_unit(param, &param.value)));
        let fixed: Vec<String> = fixed.collect();
        let width = usize::from(area.width);
        if area.height < 18 {
            let text = format!("Fixed for this run: {}", fixed.join(", "));
            return vec![truncate(&text, width)];
        }
        let columns = (width / FIXED_CELL).max(1);
        let most = columns * if area.height < 40 { 2 } else { 6 };
        let hidden = match fixed.len() {
            all if all > most => all - most + 1,
            _ => 0,
        };
        let mut cells: Vec<String> = fixed.into_iter().take(most).collect();
        if let Some(last) = cells.last_mut().filter(|_| hidden > 0) {
            *last = format!("{ELLIPSIS} {hidden} more");
        }
        let mut lines = vec![String::new(), "Fixed for this run".to_owned()];
        let cell = |text: &String| fit(text, FIXED_CELL - 2) + "  ";
        let row = |cells: &[String]| cells.iter().map(cell).collect::<String>();
        lines.extend(cells.chunks(columns).map(row));
        lines
    }

    fn view_message(&self, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let (words, style): (&str, Style) = match &self.message {
            StatusMessage::Plain(words) => (words, theme.text),
            StatusMessage::Good(words) => (words, theme.good),
            StatusMessage::Bad(words) => (words, theme.bad),
        };
        let key = |action| keymap::label(SCOPE, action);
        let (apply, discard) = (
            key(ParameterAction::Apply.action()),
            key(ParameterAction::Discard.action()),
        );
        let standing = match (self.entry.is_some(), self.pending().is_empty()) {
            // While typing, the keys are fixed.
            (true, _) => "enter: accept, esc: cancel".to_owned(),
            (_, true) => String::new(),
            (_, false) if self.is_preset() => {
                format!("{apply}: apply pending changes, {discard}: discard")
            }
            (_, false) => format!(
                "{apply}: apply pending changes from the next generation on, {discard}: discard"
            ),
        };
        let (words, style) = if words.is_empty() {
            (&*standing, theme.dim)
        } else {
            (words, style)
        };
        let width = usize::from(area.width).saturating_sub(2);
        if let Some(entry) = self.entry.as_ref().filter(|_| self.is_finding) {
            let mut line = Line::styled(" find: ", theme.accent);
            line.extend(entry.spans(width.saturating_sub(7).min(30), theme));
            line.push_span(Span::styled(format!("  {words}"), style));
            line.render(area, buf);
            return;
        }
        Line::styled(format!(" {}", truncate(words, width)), style).render(area, buf);
    }
}

/// What the keys do to the settings of a preset.
fn preset_keys() -> String {
    let key = |action| keymap::label(SCOPE, action);
    let start = keymap::label(keymap::named("home"), Action::Enter);
    format!(
        "{} keeps the changes and goes home, where {start} starts the run; {} goes back",
        key(ParameterAction::Apply.action()),
        key(ParameterAction::Discard.action())
    )
}

/// The list with its headings, and blank lines between groups if they fit.
fn rows(params: &[Param], height: usize) -> Vec<ParameterRow<'_>> {
    let starts =
        |index: usize| index == 0 || heading(&params[index - 1]) != heading(&params[index]);
    let groups = (0..params.len()).filter(|&index| starts(index)).count();
    let is_roomy = params.len() + 2 * groups <= height + 1;
    let mut rows = Vec::new();
    for (index, param) in params.iter().enumerate() {
        if starts(index) {
            if is_roomy && index > 0 {
                rows.push(ParameterRow::Blank);
            }
            rows.push(ParameterRow::Heading(heading(param)));
        }
        rows.push(ParameterRow::Parameter(index, param));
    }
    rows
}

/// The widths of the list's columns.
struct ColumnWidths {
    label: usize,
    value: usize,
    default: usize,
    about: usize,
}

impl ColumnWidths {
    fn new(width: u16) -> Self {
        let width = usize::from(width);
        let (label, value, default) = match width {
            0..46 => (18, 8, 0),
            46..70 => (19, 8, 10),
            70..90 => (19, 11, 11),
            _ => (26, 11, 13),
        };
        let taken = 2 + label + value + 4 + value + default + 3;
        Self {
            label,
            value,
            default,
            about: width.saturating_sub(taken),
        }
    }

    /// The click targets that decrease or increase a parameter: the arrows, and the bar of a weight
    /// left and right of its end.
    fn add_nudge_targets(
        &self,
        param: &Param,
        total: f64,
        line: Rect,
        regions: &mut Regions<ParameterTarget>,
    ) {
        let mut add = |from: usize, width: usize, spot| {
            regions.add(columns_of(line, from as u16, width as u16), spot);
        };
        let less = 2 + self.label + self.value + 2;
        add(less, 2, ParameterTarget::Decrease);
        let more = less + 2 + self.value;
        add(more, 2, ParameterTarget::Increase);
        if is_mutation_weight(param) {
            let about = more + self.default.max(1) + if self.default > 0 { 3 } else { 2 };
            let (from, width) = (about + SHARE, bar_width(self.about));
            let full = (share(param, total) * width as f64).round() as usize;
            add(from, full, ParameterTarget::Decrease);
            add(
                from + full,
                width - full.min(width),
                ParameterTarget::Increase,
            );
        }
    }

    fn titles(&self, theme: &Theme) -> Line<'static> {
        let (label, value, default) = (self.label + 2, self.value, self.default);
        let text = format!("{:<label$}{:>value$}    {:>value$}", "", "now", "next");
        let text = match default {
            0 => text,
            _ => format!("{text}{:>default$}   share or range", "preset"),
        };
        Line::styled(text, theme.dim)
    }
}

/// The share of a mutation weight, or the range of another parameter.
fn about(param: &Param, total: f64, width: usize, theme: &Theme) -> Vec<Span<'static>> {
    if !is_mutation_weight(param) {
        let limits = valid_values(param);
        let full = format!("{limits} {}", unit(param));
        let bare = limits.trim_end_matches(" or off");
        let fitting = [&full, &limits]
            .into_iter()
            .find(|text| text.len() <= width);
        let text = fitting.map_or_else(|| truncate(bare, width), Clone::clone);
        return vec![Span::styled(text, theme.dim)];
    }
    let share = share(param, total);
    vec![
        Span::styled(format!("{:>5.1}% ", share * 100.0), theme.text),
        Span::styled(bar(share, bar_width(width) as u16, theme), theme.series[0]),
    ]
}

/// The width of a share in percent, before its bar.
const SHARE: usize = 7;

/// The width of the bar of a share, given the width for share and bar.
fn bar_width(width: usize) -> usize {
    width.saturating_sub(SHARE + 1).min(30)
}

/// A value cut to a width.
fn fit_value(text: &str, width: usize) -> String {
    truncate(&format::parameter(text), width.saturating_sub(1))
}
