//! Draws the settings: the list with what is, what would be and what is usual, why to touch one, and what past changes did.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use crate::params::{Kind, Param};
use crate::ui::theme::Theme;
use crate::ui::widgets::bar::bar;
use crate::ui::widgets::fit::{fit, wrap};
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::text::inset;

use super::past::SPAN;
use super::{KnobsScreen, Message, value};

/// The heading a setting stands under.
pub(super) fn heading(param: &Param) -> String {
    if is_description(param) {
        return "Description".to_owned();
    }
    if is_mutation_weight(param) {
        return "Mutation weights".to_owned();
    }
    let group = param.group();
    let mut letters = group.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// Whether a setting only tells what the preset is.
pub(super) fn is_description(param: &Param) -> bool {
    param.kind == Kind::Text && !param.key.contains('.')
}

fn is_mutation_weight(param: &Param) -> bool {
    param.unit == "weight" && param.key.starts_with("genome.")
}

/// A value without the trappings of the file notation.
pub(super) fn pretty(text: &str) -> String {
    let inside = text
        .strip_prefix("Some(")
        .and_then(|text| text.strip_suffix(')'))
        .unwrap_or(text);
    let inside = inside.strip_suffix(".0").unwrap_or(inside);
    inside.trim_matches('"').to_owned()
}

/// Where the panes are, for the size of the area.
struct Places {
    list: Rect,
    why: Rect,
    past: Rect,
    message: Rect,
}

impl Places {
    fn new(area: Rect, has_past: HasPast) -> Self {
        let [body, message] =
            Layout::vertical([Constraint::Fill(1), Constraint::Length(1)]).areas(area);
        let none = Rect::ZERO;
        let past = |room: Constraint| match has_past {
            HasPast::Yes => room,
            HasPast::No => Constraint::Length(0),
        };
        let (list, why, past) = match (body.width, body.height) {
            (..60, _) | (_, ..14) => (body, none, none),
            (..110, _) => {
                let [list, below] =
                    Layout::vertical([Constraint::Fill(1), Constraint::Length(7)]).areas(body);
                let [why, past] =
                    Layout::horizontal([Constraint::Fill(3), past(Constraint::Fill(2))])
                        .areas(below);
                (list, why, past)
            }
            (width, _) => {
                let side = if width < 160 { 46 } else { 72 };
                let [list, column] =
                    Layout::horizontal([Constraint::Fill(1), Constraint::Length(side)]).areas(body);
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
            message,
        }
    }
}

/// Whether there is a run whose past changes can be shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HasPast {
    Yes,
    No,
}

/// A line of the list.
enum Row<'a> {
    Blank,
    Heading(String),
    /// A setting and its place.
    Knob(usize, &'a Param),
}

impl KnobsScreen {
    /// Draws the screen into `area`.
    pub fn view(&self, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let area = area.intersection(buf.area);
        let has_past = if self.live_run {
            HasPast::Yes
        } else {
            HasPast::No
        };
        let places = Places::new(area, has_past);
        let knobs = self.knobs();
        self.view_list(&knobs, places.list, buf, theme);
        self.view_why(knobs.get(self.selected), places.why, buf, theme);
        self.view_past(places.past, buf, theme);
        self.view_message(places.message, buf, theme);
    }

    fn view_list(&self, knobs: &[Param], area: Rect, buf: &mut Buffer, theme: &Theme) {
        let title = if self.live_run {
            "Knobs".to_owned()
        } else {
            format!("Settings of {}", self.next.name)
        };
        let count = self.pending().len() + self.sent.len();
        let pending = match count {
            0 => Line::styled("nothing pending", theme.dim),
            _ => Line::styled(format!("{count} pending"), theme.warning),
        };
        let place = format!("{} of {}", self.selected + 1, knobs.len());
        let frame = Frame {
            bottom_left: Line::styled(place, theme.dim),
            bottom_right: pending,
            ..Frame::titled(title)
        };
        let inner = inset(frame.draw(Focus::Here, theme, area, buf), 1);
        let columns = Columns::new(inner.width);
        let fixed = self.fixed_lines(inner);
        let [head, list, below] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(fixed.len() as u16),
        ])
        .areas(inner);
        columns.titles(theme).render(head, buf);
        let rows = rows(knobs, list.height.into());
        let selected = rows
            .iter()
            .position(|row| matches!(row, Row::Knob(place, _) if *place == self.selected))
            .unwrap_or(0);
        let height = usize::from(list.height);
        let first = selected
            .saturating_sub(height / 2)
            .min(rows.len().saturating_sub(height));
        let total: f64 = knobs
            .iter()
            .filter(|knob| is_mutation_weight(knob))
            .filter_map(|knob| knob.value.parse::<f64>().ok())
            .sum();
        let lines = rows.iter().skip(first).take(height).map(|row| match row {
            Row::Blank => Line::default(),
            Row::Heading(words) => Line::styled(words.clone(), theme.strong),
            Row::Knob(place, knob) => self.knob_line(*place, knob, total, &columns, theme),
        });
        Paragraph::new(lines.collect::<Vec<_>>()).render(list, buf);
        let fixed = fixed.into_iter().map(|line| Line::styled(line, theme.dim));
        Paragraph::new(fixed.collect::<Vec<_>>()).render(below, buf);
    }

    fn knob_line(
        &self,
        place: usize,
        knob: &Param,
        total: f64,
        columns: &Columns,
        theme: &Theme,
    ) -> Line<'static> {
        let is_selected = place == self.selected;
        let now = value(&self.now, &knob.key).unwrap_or_default();
        let is_changed = now != knob.value;
        let is_sent = self.sent.iter().any(|(key, _)| *key == knob.key);
        let cursor = if theme.ascii { "> " } else { "› " };
        let name = if is_selected {
            theme.accent
        } else {
            theme.text
        };
        let fresh = match (is_changed, knob.fault.is_some()) {
            (_, true) => theme.bad,
            (true, false) => theme.warning,
            (false, false) => theme.text,
        };
        let mark = match (is_changed, is_sent) {
            (false, _) => " ",
            (true, false) => "*",
            (true, true) => ">",
        };
        let (label, value) = (columns.label, columns.value);
        let mut spans = vec![
            Span::styled(if is_selected { cursor } else { "  " }, theme.accent),
            Span::styled(format!("{:<label$}", fit(&knob.label(), label)), name),
            Span::styled(format!("{:>value$}", short(&now, value)), theme.text),
            Span::styled(format!("  {mark} "), theme.warning),
        ];
        if is_selected && let Some(entry) = &self.entry {
            let rest = value + columns.default + columns.about + 3;
            spans.push(Span::raw(" "));
            spans.extend(entry.spans(rest, theme));
            return Line::from(spans);
        }
        spans.push(Span::styled(
            format!("{:>value$}", short(&knob.value, value)),
            fresh,
        ));
        if columns.default > 0 {
            let default = columns.default;
            let text = if is_description(knob) {
                String::new()
            } else {
                short(&knob.default, default)
            };
            spans.push(Span::styled(format!("{text:>default$}"), theme.dim));
        }
        spans.push(Span::raw("   "));
        spans.extend(about(knob, total, columns.about, theme));
        Line::from(spans)
    }

    /// What can't be changed, in at most two lines.
    fn fixed_lines(&self, area: Rect) -> Vec<String> {
        if !self.live_run || area.height < 8 {
            return Vec::new();
        }
        let params = self.next.params();
        let fixed = params
            .iter()
            .filter(|param| !param.live && !is_description(param))
            .map(|param| format!("{} {}", param.label(), pretty(&param.value)));
        let fixed: Vec<String> = fixed.collect();
        let text = format!("Fixed for this run: {}", fixed.join(", "));
        let width = usize::from(area.width);
        if area.height < 18 {
            return vec![fit(&text, width)];
        }
        let mut lines = vec![String::new()];
        lines.extend(wrap(&text, width).into_iter().take(2));
        lines
    }

    fn view_why(&self, knob: Option<&Param>, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let frame = Frame::titled("Why touch this?");
        let inner = inset(frame.draw(Focus::Elsewhere, theme, area, buf), 1);
        let Some(knob) = knob else { return };
        let now = value(&self.now, &knob.key).unwrap_or_default();
        let is_roomy = inner.height > 8;
        let width = usize::from(inner.width);
        let mut lines = Vec::new();
        if is_roomy {
            lines.push(Line::styled(knob.label(), theme.accent));
            lines.push(Line::default());
        }
        let help = wrap(&knob.help, width);
        let room = usize::from(inner.height).saturating_sub(if is_roomy { 8 } else { 1 });
        lines.extend(
            help.into_iter()
                .take(room.max(1))
                .map(|line| Line::styled(line, theme.text)),
        );
        let fact = |name: &'static str, value: String| {
            Line::from(vec![
                Span::styled(format!("{name:<9}"), theme.dim),
                Span::styled(fit(&value, width.saturating_sub(9)), theme.text),
            ])
        };
        let unit = if knob.unit.is_empty() {
            String::new()
        } else {
            format!(" {}", knob.unit)
        };
        if is_roomy {
            lines.push(Line::default());
            lines.push(fact("now", format!("{}{unit}", pretty(&now))));
            lines.push(fact("next", format!("{}{unit}", pretty(&knob.value))));
            lines.push(fact("default", pretty(&knob.default)));
            lines.push(fact("allowed", allowed(knob)));
            lines.push(fact("in files", knob.key.clone()));
        } else {
            lines.push(fact("allowed", format!("{}{unit}", allowed(knob))));
        }
        Paragraph::new(lines).render(inner, buf);
    }

    fn view_past(&self, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let frame = Frame::titled("What your past edits did");
        let inner = inset(frame.draw(Focus::Elsewhere, theme, area, buf), 1);
        let width = usize::from(inner.width);
        let edits = self.past.edits();
        if edits.is_empty() {
            let words = format!(
                "Nothing yet. Each edit will be listed here with the objective before it and {SPAN} generations later."
            );
            let lines = wrap(&words, width).into_iter();
            let lines = lines.map(|line| Line::styled(line, theme.dim));
            return Paragraph::new(lines.collect::<Vec<_>>()).render(inner, buf);
        }
        let arrow = if theme.ascii { ">" } else { "→" };
        let outcome = 11;
        let change = if width < 60 { 11 } else { 18 };
        let name = width.saturating_sub(6 + outcome + change);
        let is_wide = name >= 6;
        let mut lines = Vec::new();
        if inner.height > 6 {
            let title = if is_wide {
                format!(
                    "{:<6}{:<name$}{:<change$}{:<outcome$}",
                    "gen", "knob", "change", "objective"
                )
            } else {
                format!("{:<6}{:<14}{:<outcome$}", "gen", "knob", "objective")
            };
            lines.push(Line::styled(title, theme.dim));
        }
        let room = usize::from(inner.height).saturating_sub(lines.len());
        for edit in edits.iter().rev().take(room) {
            let turn = &edit.intervention;
            let percent = |value: f64| format!("{:.0}%", value * 100.0);
            let before = edit.before.map_or("?".to_owned(), percent);
            let after = edit
                .after
                .map_or("...".to_owned(), |(_, value)| percent(value));
            let label = super::label_of(&turn.key);
            let mut spans = vec![Span::styled(format!("{:<6}", turn.generation), theme.dim)];
            if is_wide {
                let change_text = format!("{}{arrow}{}", pretty(&turn.from), pretty(&turn.to));
                spans.push(Span::styled(
                    format!("{:<name$}", fit(&label, name.saturating_sub(1))),
                    theme.text,
                ));
                spans.push(Span::styled(
                    format!("{:<change$}", fit(&change_text, change - 1)),
                    theme.text,
                ));
            } else {
                let name = width.saturating_sub(6 + outcome).max(1);
                let text = format!("{label} {}", pretty(&turn.to));
                spans.push(Span::styled(
                    format!("{:<name$}", fit(&text, name - 1)),
                    theme.text,
                ));
            }
            spans.push(Span::styled(
                format!("{before} {arrow} {after}"),
                trend(edit.before, edit.after, theme),
            ));
            lines.push(Line::from(spans));
        }
        Paragraph::new(lines).render(inner, buf);
    }

    fn view_message(&self, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let (words, style): (&str, Style) = match &self.message {
            Message::Plain(words) => (words, theme.text),
            Message::Good(words) => (words, theme.good),
            Message::Bad(words) => (words, theme.bad),
        };
        let standing = match (self.entry.is_some(), self.pending().is_empty()) {
            (true, _) => "Enter takes the value, esc leaves it.",
            (_, true) => "",
            (_, false) if self.live_run => {
                "a applies what is pending from the next generation on, esc discards it."
            }
            (_, false) => "a takes over what is pending, esc discards it.",
        };
        let (words, style) = if words.is_empty() {
            (standing, theme.dim)
        } else {
            (words, style)
        };
        let width = usize::from(area.width).saturating_sub(2);
        Line::styled(format!(" {}", fit(words, width)), style).render(area, buf);
    }
}

/// The list with its headings; blank lines between groups where there is room for them.
fn rows(knobs: &[Param], height: usize) -> Vec<Row<'_>> {
    let starts = |place: usize| place == 0 || heading(&knobs[place - 1]) != heading(&knobs[place]);
    let groups = (0..knobs.len()).filter(|&place| starts(place)).count();
    let is_roomy = knobs.len() + 2 * groups <= height + 1;
    let mut rows = Vec::new();
    for (place, knob) in knobs.iter().enumerate() {
        if starts(place) {
            if is_roomy && place > 0 {
                rows.push(Row::Blank);
            }
            rows.push(Row::Heading(heading(knob)));
        }
        rows.push(Row::Knob(place, knob));
    }
    rows
}

/// Widths of the list's columns.
struct Columns {
    label: usize,
    value: usize,
    default: usize,
    about: usize,
}

impl Columns {
    fn new(width: u16) -> Self {
        let width = usize::from(width);
        let (label, value, default) = match width {
            0..46 => (18, 8, 0),
            46..90 => (19, 8, 10),
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

    fn titles(&self, theme: &Theme) -> Line<'static> {
        let (label, value, default) = (self.label + 2, self.value, self.default);
        let text = format!("{:<label$}{:>value$}    {:>value$}", "", "now", "next");
        let text = match default {
            0 => text,
            _ => format!("{text}{:>default$}   share, limits", "default"),
        };
        Line::styled(text, theme.dim)
    }
}

/// The share of a mutation weight, or the limits.
fn about(knob: &Param, total: f64, width: usize, theme: &Theme) -> Vec<Span<'static>> {
    if !is_mutation_weight(knob) {
        let limits = allowed(knob);
        let unit = match knob.unit {
            "share" => "",
            unit => unit,
        };
        let full = format!("{limits} {unit}");
        let bare = limits.trim_end_matches(" or None");
        let fitting = [&full, &limits]
            .into_iter()
            .find(|text| text.len() <= width);
        let text = fitting.map_or_else(|| fit(bare, width), Clone::clone);
        return vec![Span::styled(text, theme.dim)];
    }
    let weight = knob.value.parse::<f64>().unwrap_or(0.0);
    let share = if total > 0.0 { weight / total } else { 0.0 };
    let bars = width.saturating_sub(8).min(30) as u16;
    vec![
        Span::styled(format!("{:>5.1}% ", share * 100.0), theme.text),
        Span::styled(bar(share, bars, theme), theme.series[0]),
    ]
}

/// What a setting may be, in a few words.
fn allowed(knob: &Param) -> String {
    let or_none = match knob.kind {
        Kind::OptionalReal => " or None",
        _ => "",
    };
    match (&knob.kind, knob.limits) {
        (Kind::Switch, _) => "true or false".to_owned(),
        (Kind::Choice(names), _) => names.join(", "),
        (Kind::List, Some((low, high))) => format!("[{low} to {high}]"),
        (Kind::List, None) => "a list such as [2, 4]".to_owned(),
        (Kind::Text, _) => "text".to_owned(),
        (_, Some((low, high))) => format!("{low} to {}{or_none}", round_words(high)),
        (_, None) => "any number".to_owned(),
    }
}

/// A large limit in words.
fn round_words(value: f64) -> String {
    match value {
        _ if value >= 1e9 && value % 1e9 == 0.0 => format!("{} billion", value / 1e9),
        _ if value >= 1e6 && value % 1e6 == 0.0 => format!("{} million", value / 1e6),
        _ => value.to_string(),
    }
}

fn short(text: &str, width: usize) -> String {
    fit(&pretty(text), width.saturating_sub(1))
}

/// Whether the objective rose or fell after an edit, in color.
fn trend(before: Option<f64>, after: Option<(u64, f64)>, theme: &Theme) -> Style {
    match (before, after) {
        (Some(before), Some((_, after))) if after > before => theme.good,
        (Some(before), Some((_, after))) if after < before => theme.bad,
        _ => theme.dim,
    }
}
