//! The keys of the screen below, from the key table.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use crate::ui::app::Screen;
use crate::ui::keymap::{Action, Key, Scope, bindings};
use crate::ui::theme::Theme;
use crate::ui::widgets::cap::cap;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::text::{inset, middle, put};

/// A key or several that do the same, and what that is.
struct Entry {
    keys: String,
    words: String,
}

pub fn view(screen: Screen, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let tab = screen.tab();
    let (own, everywhere) = (entries(tab.scope, theme), entries(Scope::Global, theme));
    let rows = own.len().max(everywhere.len()) as u16;
    let beside = area.width >= 96;
    let (width, height) = if beside {
        (110, rows + 5)
    } else {
        (58, (own.len() + everywhere.len()) as u16 + 6)
    };
    let inner = window(tab.name, (width, height), theme, area, buf);
    if beside {
        let half = Rect {
            width: inner.width / 2,
            ..inner
        };
        column("This screen", &own, theme, half, buf);
        let half = Rect {
            x: inner.x + inner.width / 2 + 1,
            width: inner.width.saturating_sub(inner.width / 2 + 1),
            ..inner
        };
        column("Everywhere", &everywhere, theme, half, buf);
    } else {
        let mut all = own;
        // Where not all fit, the keys that mean the same everywhere are only named.
        if all.len() + everywhere.len() < inner.height as usize {
            all.extend(everywhere);
        } else {
            all.push(Entry {
                keys: String::new(),
                words: format!("everywhere: {}", keys(&everywhere)),
            });
        }
        column("This screen, then everywhere", &all, theme, inner, buf);
    }
}

/// The keys of a scope where the global ones mean nothing.
pub fn alone(name: &str, scope: Scope, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let own = entries(scope, theme);
    let size = (74, own.len() as u16 + 5);
    let inner = window(name, size, theme, area, buf);
    column("This screen", &own, theme, inner, buf);
}

/// The keys of entries in a row; digits that follow one another are drawn together.
fn keys(entries: &[Entry]) -> String {
    let keys = entries.iter().map(|entry| entry.keys.as_str());
    let pressed = keys.filter(|keys| *keys != Key::Click.label());
    let (digits, others): (Vec<&str>, Vec<&str>) =
        pressed.partition(|keys| keys.len() == 1 && keys.chars().all(|key| key.is_ascii_digit()));
    let (least, most) = (digits.iter().min(), digits.iter().max());
    let range = least
        .zip(most)
        .map(|(least, most)| format!("{least}-{most}"));
    let others = others.into_iter().map(ToOwned::to_owned);
    others.chain(range).collect::<Vec<_>>().join(" ")
}

/// Clears a frame in the middle and returns the area inside it.
fn window(name: &str, size: (u16, u16), theme: &Theme, area: Rect, buf: &mut Buffer) -> Rect {
    let area = middle(area, size.0, size.1).intersection(buf.area);
    Clear.render(area, buf);
    let frame = Frame {
        title: Line::from(format!("Keys: {name}")),
        bottom_right: Line::from(vec![
            cap(Scope::Help, &[Action::Back], theme),
            Span::styled(" close", theme.dim),
        ]),
        ..Frame::default()
    };
    inset(frame.draw(Focus::Here, theme, area, buf), 2)
}

/// The keys of a scope; those that do the same share a line.
fn entries(scope: Scope, theme: &Theme) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for binding in bindings(scope) {
        let mut label = binding.key.label();
        if theme.ascii {
            for (arrow, name) in [("←", "left"), ("→", "right"), ("↑", "up"), ("↓", "down")]
            {
                label = label.replace(arrow, name);
            }
        }
        match entries
            .iter_mut()
            .find(|entry| entry.words == binding.words)
        {
            Some(entry) => entry.keys = format!("{} {label}", entry.keys),
            None => entries.push(Entry {
                keys: label,
                words: binding.words.to_owned(),
            }),
        }
    }
    entries
}

fn column(title: &str, entries: &[Entry], theme: &Theme, area: Rect, buf: &mut Buffer) {
    put(buf, area, 0, Span::styled(title, theme.strong));
    let first = if area.height > entries.len() as u16 + 1 {
        2
    } else {
        1
    };
    let widths = entries.iter().map(|entry| entry.keys.chars().count());
    let width = widths.max().unwrap_or(0).max(9);
    for (row, entry) in entries.iter().enumerate() {
        let line = Line::from(vec![
            Span::styled(format!("{:>width$}", entry.keys), theme.key),
            Span::styled(format!("  {}", entry.words), theme.text),
        ]);
        put(buf, area, row as u16 + first, line);
    }
}
