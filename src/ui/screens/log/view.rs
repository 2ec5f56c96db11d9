//! Draws the log: the list and the details of the selected entry.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::log::{Level, LogEntry};
use crate::ui::format;
use crate::ui::keymap::{self, Action, Scope};
use crate::ui::model::context::Context;
use crate::ui::mouse::Regions;
use crate::ui::screen::ClickTarget;
use crate::ui::theme::Theme;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::key_label::key_label;
use crate::ui::widgets::list::ScrollList;
use crate::ui::widgets::text::{inset, put};
use crate::ui::widgets::truncate::{fit, truncate_line, wrap};

use super::LogScreen;
use super::SCOPE;

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
        let selected = shown.get(place).filter(|_| self.shows_details);
        let (list, below) = match selected {
            Some(_) => parts(body),
            None => (body, Rect::ZERO),
        };
        let inner = inset(
            self.frame(shown.len(), theme)
                .draw(Focus::Here, theme, list, buf),
            1,
        );
        if shown.is_empty() {
            put(buf, inner, 0, Span::styled(self.empty_text(), theme.dim));
            return Regions::default();
        }
        if let Some(entry) = selected {
            details(entry, theme, below, buf);
        }
        let rows = ScrollList::new(shown.len(), place).highlighting(self.selected.map(|_| place));
        rows.draw(theme, inner, buf, |index| {
            entry_line(shown[index], inner.width.into(), theme)
        });
        rows.scrollbar(theme, inner.height, list, buf);
        rows.regions(inner, ClickTarget::Row)
    }

    fn frame(&self, shown: usize, theme: &Theme) -> Frame<'_> {
        let dot = if theme.ascii { "-" } else { "·" };
        let filter = if self.is_typing() || !self.filter.is_empty() {
            let cursor = if self.is_typing() { "_" } else { "" };
            Line::styled(format!("/{}{cursor}", self.filter), theme.accent)
        } else {
            Line::default()
        };
        let count = format::count(shown as f64);
        let all = format::count(self.entries.len() as f64);
        Frame {
            title: Line::from("Log"),
            right: filter,
            bottom_left: Line::styled(
                format!(
                    "{} and above {dot} {count} of {all}",
                    level_name(self.min_level)
                ),
                theme.dim,
            ),
            bottom_right: match self.selected {
                None => Line::styled("following", theme.good),
                Some(_) => Line::from(vec![
                    key_label(SCOPE, &[Action::Follow], theme),
                    Span::styled(" follow", theme.dim),
                ]),
            },
        }
    }

    /// Why the list is empty.
    fn empty_text(&self) -> String {
        let level = keymap::label(SCOPE, Action::LogLevel);
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

/// The areas of the list and the details: stacked, or side by side on wide terminals.
fn parts(area: Rect) -> (Rect, Rect) {
    let (mut list, mut details) = (area, area);
    if area.width >= 160 {
        list.width = area.width * 2 / 3;
        details.x += list.width;
        details.width -= list.width;
    } else {
        details.height = (area.height * 2 / 5).max(3).min(area.height);
        list.height -= details.height;
        details.y += list.height;
    }
    (list, details)
}

/// An entry as one line.
fn entry_line<'a>(entry: &LogEntry, width: usize, theme: &Theme) -> Line<'a> {
    let mut spans = vec![
        Span::styled(format!("{:>7} ", time(entry)), theme.dim),
        Span::styled(
            format!("{:<6}", level_name(entry.level)),
            level_style(entry.level, theme),
        ),
    ];
    if width >= 90 {
        spans.push(Span::styled(fit(&entry.module, 12) + " ", theme.dim));
    }
    let style = match entry.level {
        Level::ERROR | Level::WARN => level_style(entry.level, theme),
        Level::INFO => theme.text,
        _ => theme.dim,
    };
    spans.push(Span::styled(entry.message.replace('\n', " "), style));
    for (name, value) in &entry.fields {
        spans.push(Span::styled(
            format!("  {} ", name.replace('_', " ")),
            theme.dim,
        ));
        spans.push(Span::styled(value.replace('\n', " "), theme.text));
    }
    let mut line = Line::from(spans);
    truncate_line(&mut line, width, theme.dim);
    line
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
    let inner = inset(frame.draw(Focus::Elsewhere, theme, area, buf), 1);
    let width = usize::from(inner.width);
    let mut lines: Vec<Line<'_>> = vec![Line::from(vec![
        Span::styled(level_name(entry.level), level_style(entry.level, theme)),
        Span::styled(
            format!(" in {}, {} after the start", entry.module, time(entry)),
            theme.dim,
        ),
    ])];
    let said = entry.message.lines().flat_map(|line| wrap(line, width));
    lines.extend(said.map(|line| Line::styled(line, theme.text)));
    for (name, value) in &entry.fields {
        let text = format!("{}: {value}", name.replace('_', " "));
        let wrapped = wrap(&text, width).into_iter();
        lines.extend(wrapped.map(|line| Line::styled(line, theme.dim)));
    }
    for (row, line) in (0..inner.height).zip(lines) {
        put(buf, inner, row, line);
    }
}

fn time(entry: &LogEntry) -> String {
    format::clock(entry.elapsed.as_secs_f64())
}

/// The name of a level; severe levels are in capitals.
fn level_name(level: Level) -> &'static str {
    match level {
        Level::ERROR => "ERROR",
        Level::WARN => "WARN",
        Level::INFO => "info",
        Level::DEBUG => "debug",
        _ => "trace",
    }
}

fn level_style(level: Level, theme: &Theme) -> Style {
    match level {
        Level::ERROR => theme.bad,
        Level::WARN => theme.warning,
        Level::INFO => theme.accent,
        _ => theme.dim,
    }
}
