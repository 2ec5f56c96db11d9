//! The help overlay: the keys of the current screen, from the key table.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use crate::ui::keymap::{Action, Key, Scope, bindings};
use crate::ui::screen::Tab;
use crate::ui::theme::Theme;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::key_label::key_label;
use crate::ui::widgets::text::{inset, middle, put};
use crate::ui::widgets::truncate::width;

/// Keys with the same action, and its description.
struct HelpEntry {
    keys: String,
    words: String,
}

pub fn view(tab: Tab, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let own = entries(tab.scope, theme);
    if !tab.scope.has_globals {
        let size = (74, own.len() as u16 + 5);
        let inner = draw_window(tab.name, size, theme, area, buf);
        return column("This screen", &own, theme, inner, buf);
    }
    let everywhere = entries(Scope::GLOBAL, theme);
    let rows = own.len().max(everywhere.len()) as u16;
    let beside = area.width >= 96;
    let (width, height) = if beside {
        (110, rows + 5)
    } else {
        (58, (own.len() + everywhere.len()) as u16 + 6)
    };
    let inner = draw_window(tab.name, (width, height), theme, area, buf);
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
        // If not all fit, the global keys are listed without descriptions.
        if all.len() + everywhere.len() < inner.height as usize {
            all.extend(everywhere);
        } else {
            all.push(HelpEntry {
                keys: String::new(),
                words: format!("everywhere: {}", keys(&everywhere)),
            });
        }
        column("This screen, then everywhere", &all, theme, inner, buf);
    }
}

/// The keys of entries in one line; digits are merged into a range.
fn keys(entries: &[HelpEntry]) -> String {
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

/// Draws an empty frame in the middle and returns the area inside it.
fn draw_window(name: &str, size: (u16, u16), theme: &Theme, area: Rect, buf: &mut Buffer) -> Rect {
    let area = middle(area, size.0, size.1).intersection(buf.area);
    Clear.render(area, buf);
    let frame = Frame {
        title: Line::from(format!("Keys: {name}")),
        bottom_right: Line::from(vec![
            key_label(Scope::HELP, &[Action::Back], theme),
            Span::styled(" close", theme.dim),
        ]),
        ..Frame::default()
    };
    inset(frame.draw(Focus::Here, theme, area, buf), 2)
}

/// The entries of a scope; keys with the same description share one.
fn entries(scope: Scope, theme: &Theme) -> Vec<HelpEntry> {
    let mut entries: Vec<HelpEntry> = Vec::new();
    for binding in bindings(scope) {
        let mut label = binding.key.label();
        if theme.ascii {
            for (arrow, name) in [("←", "left"), ("→", "right"), ("↑", "up"), ("↓", "down")]
            {
                label = label.replace(arrow, name);
            }
        }
        match entries.iter_mut().find(|entry| entry.words == binding.help) {
            Some(entry) => entry.keys = format!("{} {label}", entry.keys),
            None => entries.push(HelpEntry {
                keys: label,
                words: binding.help.to_owned(),
            }),
        }
    }
    entries
}

fn column(title: &str, entries: &[HelpEntry], theme: &Theme, area: Rect, buf: &mut Buffer) {
    put(buf, area, 0, Span::styled(title, theme.strong));
    let first = if area.height > entries.len() as u16 + 1 {
        2
    } else {
        1
    };
    let widths = entries.iter().map(|entry| width(&entry.keys));
    let width = widths.max().unwrap_or(0).max(9);
    for (row, entry) in entries.iter().enumerate() {
        let line = Line::from(vec![
            Span::styled(format!("{:>width$}", entry.keys), theme.key),
            Span::styled(format!("  {}", entry.words), theme.text),
        ]);
        put(buf, area, row as u16 + first, line);
    }
}
