//! Draws what has happened: the list, and what is known of the chosen entry.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::journal::{Entry, Level};
use crate::ui::app::Model;
use crate::ui::app::point::Target;
use crate::ui::keymap::{self, Action, Scope};
use crate::ui::mouse::Regions;
use crate::ui::theme::Theme;
use crate::ui::widgets::cap::cap;
use crate::ui::widgets::fit::{LOST, fit, wrap};
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::text::{inset, put};
use crate::ui::words;

use super::{Details, LogScreen};

impl LogScreen {
    pub fn view(&self, model: &Model, body: Rect, buf: &mut Buffer) -> Regions<Target> {
        let theme = &model.theme;
        let body = body.intersection(buf.area);
        let shown = self.shown();
        let place = self.place(&shown);
        let chosen = shown.get(place).filter(|_| self.details == Details::Shown);
        let (list, below) = match chosen {
            Some(_) => parts(body),
            None => (body, Rect::ZERO),
        };
        let inner = inset(
            self.frame(shown.len(), theme)
                .draw(Focus::Here, theme, list, buf),
            1,
        );
        if shown.is_empty() {
            put(buf, inner, 0, Span::styled(self.nothing(), theme.dim));
            return Regions::default();
        }
        if let Some(entry) = chosen {
            details(entry, theme, below, buf);
        }
        self.rows(&shown, place, theme, inner, buf)
    }

    fn frame(&self, shown: usize, theme: &Theme) -> Frame<'_> {
        let dot = if theme.ascii { "-" } else { "·" };
        let filter = if self.is_typing() || !self.filter.is_empty() {
            let cursor = if self.is_typing() { "_" } else { "" };
            Line::styled(format!("/{}{cursor}", self.filter), theme.accent)
        } else {
            Line::default()
        };
        let count = words::count(shown as f64);
        let all = words::count(self.entries.len() as f64);
        Frame {
            title: Line::from("What has happened"),
            right: filter,
            bottom_left: Line::styled(
                format!("{} and above {dot} {count} of {all}", name(self.least)),
                theme.dim,
            ),
            bottom_right: match self.chosen {
                None => Line::styled("following", theme.good),
                Some(_) => Line::from(vec![
                    cap(Scope::Log, &[Action::Follow], theme),
                    Span::styled(" follows", theme.dim),
                ]),
            },
        }
    }

    /// Why there is nothing to see.
    fn nothing(&self) -> String {
        let level = keymap::label(Scope::Log, Action::LeastLevel);
        if self.entries.is_empty() {
            let home = keymap::label(Scope::Global, Action::GoHome);
            format!(
                "Nothing has happened yet. What a run tells stands here; {home} leads to presets."
            )
        } else if self.filter.is_empty() {
            format!("Nothing of this level; {level} shows more.")
        } else {
            let back = keymap::label(Scope::Global, Action::Back);
            format!("Nothing matches; {back} shows all, {level} more levels.")
        }
    }

    fn rows(
        &self,
        shown: &[&Entry],
        place: usize,
        theme: &Theme,
        area: Rect,
        buf: &mut Buffer,
    ) -> Regions<Target> {
        let room = usize::from(area.height);
        let first = (place + 1).saturating_sub(room.max(1));
        let mut regions = Regions::default();
        let visible = shown.iter().enumerate().skip(first).take(room);
        for (row, (index, entry)) in (0..).zip(visible) {
            let line = Rect {
                y: area.y + row,
                height: 1,
                ..area
            };
            put(buf, line, 0, told(entry, area.width.into(), theme));
            if index == place && self.chosen.is_some() {
                buf.set_style(line, theme.selection);
            }
            regions.add(line, Target::Row(index));
        }
        regions
    }
}

/// The list, and below it the details; beside it where there is much room.
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

/// An entry in one line.
fn told<'a>(entry: &Entry, width: usize, theme: &Theme) -> Line<'a> {
    let mut spans = vec![
        Span::styled(format!("{:>7} ", time(entry)), theme.dim),
        Span::styled(
            format!("{:<6}", name(entry.level)),
            look(entry.level, theme),
        ),
    ];
    if width >= 90 {
        spans.push(Span::styled(
            format!("{:<12} ", fit(&entry.part, 12)),
            theme.dim,
        ));
    }
    let style = match entry.level {
        Level::ERROR | Level::WARN => look(entry.level, theme),
        Level::INFO => theme.text,
        _ => theme.dim,
    };
    spans.push(Span::styled(entry.words.replace('\n', " "), style));
    for (name, value) in &entry.fields {
        spans.push(Span::styled(
            format!("  {} ", name.replace('_', " ")),
            theme.dim,
        ));
        spans.push(Span::styled(value.replace('\n', " "), theme.text));
    }
    let mut line = Line::from(spans);
    shorten(&mut line, width, theme);
    line
}

/// Cuts a line that is too long, its loss marked.
fn shorten(line: &mut Line<'_>, width: usize, theme: &Theme) {
    if line.width() <= width {
        return;
    }
    let mut left = width.saturating_sub(1);
    for span in &mut line.spans {
        let kept: String = span.content.chars().take(left).collect();
        left -= kept.chars().count();
        span.content = kept.into();
    }
    line.push_span(Span::styled(LOST, theme.dim));
}

/// All that is known of an entry.
fn details(entry: &Entry, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let frame = Frame {
        title: Line::from("Details"),
        right: Line::styled(format!("{} UTC", entry.date()), theme.dim),
        bottom_right: Line::from(vec![
            cap(Scope::Log, &[Action::Enter], theme),
            Span::styled(" closes", theme.dim),
        ]),
        ..Frame::default()
    };
    let inner = inset(frame.draw(Focus::Elsewhere, theme, area, buf), 1);
    let width = usize::from(inner.width);
    let mut lines: Vec<Line<'_>> = vec![Line::from(vec![
        Span::styled(name(entry.level), look(entry.level, theme)),
        Span::styled(
            format!(" in {}, {} after the start", entry.part, time(entry)),
            theme.dim,
        ),
    ])];
    let said = entry.words.lines().flat_map(|line| wrap(line, width));
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

fn time(entry: &Entry) -> String {
    words::clock(entry.since.as_secs_f64())
}

/// A level as a word; what is urgent is written in capitals.
fn name(level: Level) -> &'static str {
    match level {
        Level::ERROR => "ERROR",
        Level::WARN => "WARN",
        Level::INFO => "info",
        Level::DEBUG => "debug",
        _ => "trace",
    }
}

fn look(level: Level, theme: &Theme) -> Style {
    match level {
        Level::ERROR => theme.bad,
        Level::WARN => theme.warning,
        Level::INFO => theme.accent,
        _ => theme.dim,
    }
}
