//! The frame of a pane: a border with a title, and notes in its corners.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::Style;
use ratatui::symbols::border::{self, Set};
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Widget};

use crate::theme::Theme;
use crate::widgets::text::{inset, middle};
use crate::widgets::truncate::truncate_line;

/// Whether a pane has the focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Focus {
    Here,
    Elsewhere,
}

impl From<bool> for Focus {
    fn from(is_here: bool) -> Self {
        if is_here { Self::Here } else { Self::Elsewhere }
    }
}

/// The texts on a pane's border.
#[derive(Clone, Debug, Default)]
pub struct Frame<'a> {
    pub title: Line<'a>,
    pub right: Line<'a>,
    pub bottom_left: Line<'a>,
    pub bottom_right: Line<'a>,
    /// The hue of the border without the focus; that of borders if `None`.
    pub hue: Option<Style>,
}

const PLAIN: Set<'static> = Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

const PLAIN_FOCUS: Set<'static> = Set {
    vertical_left: "#",
    vertical_right: "#",
    horizontal_top: "=",
    horizontal_bottom: "=",
    ..PLAIN
};

impl<'a> Frame<'a> {
    pub fn titled(title: impl Into<Line<'a>>) -> Self {
        Self {
            title: title.into(),
            ..Self::default()
        }
    }

    /// Draws the border and returns the area inside it.
    pub fn draw(self, focus: Focus, theme: &Theme, area: Rect, buf: &mut Buffer) -> Rect {
        let area = area.intersection(buf.area);
        let dim = theme.frame(self.hue.unwrap_or(theme.border));
        let (set, style) = match (focus, theme.ascii) {
            (Focus::Here, false) => (border::THICK, theme.focus),
            (Focus::Here, true) => (PLAIN_FOCUS, theme.focus),
            (Focus::Elsewhere, false) => (border::ROUNDED, dim),
            (Focus::Elsewhere, true) => (PLAIN, dim),
        };
        let title_style = match focus {
            Focus::Here => theme.accent,
            Focus::Elsewhere => theme.strong,
        };
        let room = area.width.saturating_sub(4) as usize;
        let mut block = Block::bordered().border_set(set).border_style(style);
        let mut title = self.title;
        truncate_line(&mut title, room, title_style);
        let (title, right) = (padded(title), padded(self.right));
        let both = title.width() + right.width() <= room;
        if title.width() > 2 {
            block = block.title_top(title.patch_style_under(title_style));
        }
        if right.width() > 2 && both {
            block = block.title_top(right.right_aligned());
        }
        let mut right = self.bottom_right;
        truncate_line(&mut right, room.saturating_sub(2), theme.dim);
        let mut left = self.bottom_left;
        truncate_line(&mut left, room, theme.dim);
        let (left, right) = (padded(left), padded(right));
        let both = left.width() <= 2 || left.width() + right.width() <= room;
        if left.width() > 2 {
            block = block.title_bottom(left);
        }
        if right.width() > 2 && both {
            block = block.title_bottom(right.right_aligned());
        }
        let inner = block.inner(area);
        block.render(area, buf);
        inner
    }

    /// Draws a dialog of at most this size in the middle of an area, over what is there. Returns
    /// the area inside it without a column on each side.
    pub fn dialog(self, size: (u16, u16), theme: &Theme, area: Rect, buf: &mut Buffer) -> Rect {
        let area = middle(area, size.0, size.1).intersection(buf.area);
        // With a margin, so that no cut words stand beside it.
        let around = area.outer(Margin::new(2, 0));
        Clear.render(around.intersection(buf.area), buf);
        self.pane(Focus::Here, theme, area, buf)
    }

    /// Draws the border and returns the area inside it without a column on each side.
    pub fn pane(self, focus: Focus, theme: &Theme, area: Rect, buf: &mut Buffer) -> Rect {
        inset(self.draw(focus, theme, area, buf), 1)
    }
}

/// The area inside a frame around `area`, without a column on each side.
pub fn content(area: Rect) -> Rect {
    inset(Block::bordered().inner(area), 1)
}

/// The filter of a list at the right of its title, with the cursor while it is typed.
pub fn filter_line<'a>(filter: &str, cursor: &str, theme: &Theme) -> Line<'a> {
    if filter.is_empty() && cursor.is_empty() {
        return Line::default();
    }
    Line::styled(format!("/{filter}{cursor}"), theme.accent)
}

/// The line with a space on both sides.
fn padded(mut line: Line<'_>) -> Line<'_> {
    line.spans.insert(0, " ".into());
    line.spans.push(" ".into());
    line
}

/// Applies a style below those of a line's spans.
trait Under {
    fn patch_style_under(self, style: Style) -> Self;
}

impl Under for Line<'_> {
    fn patch_style_under(self, style: Style) -> Self {
        let own = self.style;
        self.style(style.patch(own))
    }
}
