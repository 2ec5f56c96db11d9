//! Draws the settings: the list with what is, what would be and what is usual, why to touch one, and what past changes did.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use crate::params::{Kind, Param};
use crate::ui::keymap::{self, Action, Scope};
use crate::ui::mouse::Regions;
use crate::ui::theme::Theme;
use crate::ui::widgets::bar::bar;
use crate::ui::widgets::fit::{fit, wrap};
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::text::inset;

use super::side::allowed;
use super::{KnobsScreen, Message, Spot, value};

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
                let side = if width < 160 { 40 } else { 72 };
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
    /// Draws the screen into `area`; what lies where.
    pub fn view(&self, area: Rect, buf: &mut Buffer, theme: &Theme) -> Regions<Spot> {
        let area = area.intersection(buf.area);
        let has_past = if self.live_run {
            HasPast::Yes
        } else {
            HasPast::No
        };
        let places = Places::new(area, has_past);
        let knobs = self.knobs();
        let regions = self.view_list(&knobs, places.list, buf, theme);
        self.view_why(knobs.get(self.selected), places.why, buf, theme);
        self.view_past(places.past, buf, theme);
        self.view_message(places.message, buf, theme);
        regions
    }

    fn view_list(
        &self,
        knobs: &[Param],
        area: Rect,
        buf: &mut Buffer,
        theme: &Theme,
    ) -> Regions<Spot> {
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
        let mut regions = Regions::default();
        for (y, row) in (list.y..list.bottom()).zip(rows.iter().skip(first)) {
            let Row::Knob(place, knob) = row else {
                continue;
            };
            let line = Rect {
                y,
                height: 1,
                ..list
            };
            regions.add(line, Spot::Knob(*place));
            if *place == self.selected {
                columns.nudging(knob, total, line, &mut regions);
            }
        }
        regions
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
        let arrows = match (is_selected && self.entry.is_none(), theme.ascii) {
            (false, _) => (" ", " "),
            (true, true) => ("<", ">"),
            (true, false) => ("‹", "›"),
        };
        let (label, value) = (columns.label, columns.value);
        let mut spans = vec![
            Span::styled(if is_selected { cursor } else { "  " }, theme.accent),
            Span::styled(format!("{:<label$}", fit(&knob.label(), label)), name),
            Span::styled(format!("{:>value$}", short(&now, value)), theme.text),
            Span::styled(format!("  {mark}"), theme.warning),
            Span::styled(arrows.0, theme.key),
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
        spans.push(Span::styled(arrows.1, theme.key));
        if columns.default > 0 {
            let default = columns.default - 1;
            let text = if is_description(knob) {
                String::new()
            } else {
                short(&knob.default, columns.default)
            };
            spans.push(Span::styled(format!("{text:>default$}"), theme.dim));
        }
        let gap = if columns.default > 0 { "   " } else { "  " };
        spans.push(Span::raw(gap));
        spans.extend(about(knob, total, columns.about, theme));
        Line::from(spans)
    }

    /// What can't be changed, in a few lines.
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
        let most = if area.height < 40 { 2 } else { 6 };
        let told = wrap(&text, width);
        let is_cut = told.len() > most;
        let mut lines = vec![String::new()];
        lines.extend(told.into_iter().take(most));
        if let Some(last) = lines.last_mut().filter(|_| is_cut) {
            *last = fit(&format!("{last} ..."), width);
        }
        lines
    }

    fn view_message(&self, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let (words, style): (&str, Style) = match &self.message {
            Message::Plain(words) => (words, theme.text),
            Message::Good(words) => (words, theme.good),
            Message::Bad(words) => (words, theme.bad),
        };
        let key = |action| keymap::label(Scope::Knobs, action);
        let (apply, discard) = (key(Action::Apply), key(Action::Discard));
        let standing = match (self.entry.is_some(), self.pending().is_empty()) {
            // What is typed into takes its own keys.
            (true, _) => "enter takes the value, esc leaves it".to_owned(),
            (_, true) => String::new(),
            (_, false) if self.live_run => format!(
                "{apply} applies what is pending from the next generation on, {discard} discards it"
            ),
            (_, false) => format!("{apply} takes over what is pending, {discard} discards it"),
        };
        let (words, style) = if words.is_empty() {
            (&*standing, theme.dim)
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

    /// Where a click makes a setting less or more: on the arrows, and on the bar of a weight to either side of its end.
    fn nudging(&self, knob: &Param, total: f64, line: Rect, regions: &mut Regions<Spot>) {
        let mut add = |from: usize, width: usize, spot| {
            let area = Rect {
                x: line.x.saturating_add(from as u16),
                width: width as u16,
                ..line
            };
            regions.add(area.intersection(line), spot);
        };
        let less = 2 + self.label + self.value + 2;
        add(less, 2, Spot::Less);
        let more = less + 2 + self.value;
        add(more, 2, Spot::More);
        if is_mutation_weight(knob) {
            let about = more + self.default.max(1) + if self.default > 0 { 3 } else { 2 };
            let (from, width) = (about + SHARE, bar_width(self.about));
            let full = (share(knob, total) * width as f64).round() as usize;
            add(from, full, Spot::Less);
            add(from + full, width - full.min(width), Spot::More);
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
    let share = share(knob, total);
    vec![
        Span::styled(format!("{:>5.1}% ", share * 100.0), theme.text),
        Span::styled(bar(share, bar_width(width) as u16, theme), theme.series[0]),
    ]
}

/// Columns of a share in percent, before its bar.
const SHARE: usize = 7;

/// Columns of the bar of a share, where there are so many for both.
fn bar_width(width: usize) -> usize {
    width.saturating_sub(SHARE + 1).min(30)
}

/// The share of a mutation weight in all of them.
fn share(knob: &Param, total: f64) -> f64 {
    let weight = knob.value.parse::<f64>().unwrap_or(0.0);
    if total > 0.0 { weight / total } else { 0.0 }
}

/// A value in so much room.
pub(super) fn short(text: &str, width: usize) -> String {
    fit(&pretty(text), width.saturating_sub(1))
}
