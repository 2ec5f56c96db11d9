//! Draws what was found out about a champion, or why there is nothing to see yet.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use crate::ui::keymap::{Action, Scope};
use crate::ui::theme::Theme;
use crate::ui::widgets::cap::cap;
use crate::ui::widgets::fit::{fit, wrap};
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::text::inset;

use super::NetScreen;
use super::portrait::{Found, Portrait};
use super::sight::Sight;

impl NetScreen {
    /// Draws the screen into `area`.
    pub fn view(&self, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let area = area.intersection(buf.area);
        let [body, below] =
            Layout::vertical([Constraint::Fill(1), Constraint::Length(1)]).areas(area);
        match self.shown() {
            Some((found, cursor)) => self.view_found(found, cursor, body, buf, theme),
            None => view_nothing(NOBODY, Frame::titled("Net"), body, buf, theme),
        }
        self.view_message(below, buf, theme);
    }

    fn view_found(
        &self,
        found: &Found,
        cursor: usize,
        area: Rect,
        buf: &mut Buffer,
        theme: &Theme,
    ) {
        let title = found.title();
        let frame = Frame {
            title: Line::from(fit(&title, usize::from(area.width.saturating_sub(6)))),
            right: self.others(theme),
            ..Frame::default()
        };
        let sight = Sight {
            theme,
            cursor,
            before: found.before,
            arena: &self.champions.arena,
            amount: self.amount,
            zoom: self.zoom,
            values: self.activity.values(),
        };
        match &found.portrait {
            Portrait::Strategy(strategy) => strategy.view(&sight, frame, area, buf),
            Portrait::Units(units) => units.view(&sight, frame, area, buf),
            Portrait::Graph(drawing) => drawing.view(&sight, frame, area, buf),
            Portrait::Nothing => view_nothing(UNDRAWN, frame, area, buf, theme),
        }
    }

    /// Whether there are others to look at.
    fn others(&self, theme: &Theme) -> Line<'static> {
        let newer = self
            .newer()
            .map(|live| Span::styled(format!("newest g{live}   "), theme.dim));
        let mut spans: Vec<Span<'static>> = newer.into_iter().collect();
        let keys = [Action::OlderChampion, Action::NewerChampion];
        spans.push(cap(Scope::Net, &keys, theme));
        spans.push(Span::styled(" others", theme.dim));
        Line::from(spans)
    }

    fn view_message(&self, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let width = usize::from(area.width).saturating_sub(2);
        let (words, style) = if self.message.is_empty() {
            (&self.activity.words(), theme.dim)
        } else {
            (&self.message, theme.accent)
        };
        let words = format!(" {}", fit(words, width));
        Line::styled(words, style).render(area, buf);
    }
}

const NOBODY: &str = "No champion yet. There is one once a generation has been played; then you see here what it is made of.";

const UNDRAWN: &str = "Networks of this kind cannot be drawn.";

/// A pane with nothing but words.
fn view_nothing(words: &str, frame: Frame<'_>, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let inner = inset(frame.draw(Focus::Here, theme, area, buf), 1);
    let lines = wrap(words, inner.width.into()).into_iter();
    let lines: Vec<Line<'_>> = lines.map(|line| Line::styled(line, theme.dim)).collect();
    Paragraph::new(lines).render(inner, buf);
}
