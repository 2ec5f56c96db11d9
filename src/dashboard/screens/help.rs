//! The help overlay: the keys of the current screen, and those that work everywhere, from the key
//! table.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use crate::keymap::{self, Action, Binding, Scope, bindings};
use crate::screen::Tab;
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::key_label::{drawable_keys, key_hints};
use crate::widgets::text::{below, inset, middle, put, put_all};
use crate::widgets::truncate::{width, wrap};

/// The cells around the text of the window: its frame and a margin.
const MARGINS: (u16, u16) = (6, 2);

/// The cells between two columns.
const GAP: u16 = 2;

/// The widest label that the descriptions are aligned by.
const LABEL: usize = 9;

/// How the label of a key begins that is pressed with shift.
const SHIFT: &str = "shift-";

/// Keys with the same or opposite actions, and what they do.
struct HelpEntry {
    keys: Vec<String>,
    words: String,
}

impl HelpEntry {
    /// Adds a key. Shift is named once.
    fn push(&mut self, key: String) {
        let is_shifted = |key: &String| key.starts_with(SHIFT);
        let key = match key.strip_prefix(SHIFT) {
            Some(rest) if self.keys.iter().any(is_shifted) => rest.to_owned(),
            _ => key,
        };
        self.keys.push(key);
    }
}

/// A heading and the entries below it, wrapped.
struct HelpColumn {
    title: &'static str,
    lines: Vec<Line<'static>>,
    width: u16,
}

pub fn view(tab: Tab, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let columns = columns(tab.scope, theme, area);
    let width: u16 = columns.iter().map(|column| column.width + GAP).sum();
    let lines = columns.iter().map(|column| column.lines.len()).max();
    // A blank line below the heading, if there is room.
    let height = lines.unwrap_or(0) as u16 + 2;
    let size = (width - GAP + MARGINS.0, height + MARGINS.1);
    let mut inner = draw_window(tab.name, size, theme, area, buf);
    let first = if inner.height < height { 1 } else { 2 };
    for column in columns {
        let place = Rect {
            width: column.width.min(inner.width),
            ..inner
        };
        put(buf, place, 0, Span::styled(column.title, theme.strong));
        put_all(buf, below(place, first), column.lines);
        let used = (column.width + GAP).min(inner.width);
        inner.x += used;
        inner.width -= used;
    }
}

/// The columns that fit: with one entry for each screen that a key opens, or else with one for all
/// of them. The screen's own column is as wide as it must be. If nothing fits, the global keys are
/// only named.
fn columns(scope: Scope, theme: &Theme, area: Rect) -> Vec<HelpColumn> {
    let width = area.width.saturating_sub(MARGINS.0).clamp(1, 106);
    let rows = usize::from(area.height.saturating_sub(MARGINS.1 + 1));
    let mut own = entries(scope, bindings(scope), theme);
    if !scope.has_globals {
        return vec![HelpColumn::new("This screen", &own, width.min(72), theme)];
    }
    let everywhere = || {
        let all = bindings(Scope::GLOBAL);
        let shown = all.filter(|binding| !keymap::overrides(scope, binding));
        entries(Scope::GLOBAL, shown, theme)
    };
    let brief = with_digits_merged(everywhere());
    let everywhere = everywhere();
    for everywhere in [&everywhere, &brief] {
        for share in [50, 54, 59, 62, 46, 42] {
            let left = (width - GAP.min(width)) * share / 100;
            let right = (width - left).saturating_sub(GAP);
            let columns = vec![
                HelpColumn::new("This screen", &own, left, theme),
                HelpColumn::new("Everywhere", everywhere, right, theme),
            ];
            if columns.iter().all(|column| column.lines.len() <= rows) {
                return columns;
            }
        }
    }
    let keys = brief.into_iter().flat_map(|entry| entry.keys);
    let keys: Vec<String> = keys.collect();
    own.push(HelpEntry {
        keys: Vec::new(),
        words: format!("everywhere: {}", keys.join(" ")),
    });
    vec![HelpColumn::new(
        "This screen, then everywhere",
        &own,
        width.min(72),
        theme,
    )]
}

/// The entries with one for all digits, which open screens.
fn with_digits_merged(entries: Vec<HelpEntry>) -> Vec<HelpEntry> {
    let is_digit = |entry: &HelpEntry| {
        let mut keys = entry.keys.iter().flat_map(|key| key.chars());
        keys.all(|letter| letter.is_ascii_digit())
    };
    let (digits, mut others): (Vec<_>, Vec<_>) = entries.into_iter().partition(is_digit);
    let digits: Vec<&String> = digits.iter().flat_map(|entry| &entry.keys).collect();
    if let (Some(least), Some(most)) = (digits.iter().min(), digits.iter().max()) {
        others.push(HelpEntry {
            keys: vec![format!("{least}-{most}")],
            words: "open a screen".to_owned(),
        });
    }
    others
}

/// Draws an empty frame in the middle and returns the area inside it.
fn draw_window(name: &str, size: (u16, u16), theme: &Theme, area: Rect, buf: &mut Buffer) -> Rect {
    let area = middle(area, size.0, size.1).intersection(buf.area);
    Clear.render(area, buf);
    let frame = Frame {
        bottom_right: key_hints(Scope::HELP, &[(&[Action::Back], " close")], theme),
        ..Frame::titled(format!("Keys: {name}"))
    };
    inset(frame.draw(Focus::Here, theme, area, buf), 2)
}

/// The entries of a scope; keys with the same description share one.
fn entries(
    scope: Scope,
    shown: impl Iterator<Item = &'static Binding>,
    theme: &Theme,
) -> Vec<HelpEntry> {
    let mut entries: Vec<HelpEntry> = Vec::new();
    for binding in shown {
        let label = drawable_keys(&binding.key.label(), theme);
        let words = words(scope, binding);
        match entries.iter_mut().find(|entry| entry.words == words) {
            Some(entry) if entry.keys.contains(&label) => {}
            Some(entry) => entry.push(label),
            None => entries.push(HelpEntry {
                keys: vec![label],
                words,
            }),
        }
    }
    entries
}

/// What a key does, with what its opposite does if both can be said together. The one listed first
/// comes first.
fn words(scope: Scope, binding: &Binding) -> String {
    let pair = binding.action.pair().and_then(|(one, other)| {
        let mut both = bindings(scope).filter(|it| it.action == one || it.action == other);
        let first = both.next()?;
        let second = both.find(|it| it.action != first.action)?;
        either(first.help, second.help)
    });
    pair.unwrap_or_else(|| binding.help.to_owned())
}

/// Two sentences that differ in one or two words as one: `cursor left` and `cursor right` become
/// `cursor left or right`.
fn either(one: &str, other: &str) -> Option<String> {
    let (one, other): (Vec<&str>, Vec<&str>) =
        (one.split(' ').collect(), other.split(' ').collect());
    let same = |(one, other): &(&&str, &&str)| one == other;
    let start = one.iter().zip(&other).take_while(same).count();
    let (first, second) = (&one[start..], &other[start..]);
    let end = first
        .iter()
        .rev()
        .zip(second.iter().rev())
        .take_while(same)
        .count();
    let differing = |words: &[&str]| (1..=2).contains(&(words.len() - end));
    if !differing(first) || !differing(second) {
        return None;
    }
    let (first, rest) = first.split_at(first.len() - end);
    let second = &second[..second.len() - end];
    Some(
        [&one[..start], first, &["or"], second, rest]
            .concat()
            .join(" "),
    )
}

impl HelpColumn {
    /// Wraps entries to a width.
    fn new(title: &'static str, entries: &[HelpEntry], room: u16, theme: &Theme) -> Self {
        let labels: Vec<String> = entries.iter().map(|entry| entry.keys.join(" ")).collect();
        let widths = labels.iter().map(|label| width(label));
        let aligned = widths.filter(|&width| width <= LABEL).max().unwrap_or(0);
        let mut lines = Vec::new();
        for (label, entry) in labels.into_iter().zip(entries) {
            let label = format!("{label:>aligned$}  ");
            let indent = " ".repeat(width(&label));
            let words = usize::from(room).saturating_sub(indent.len()).max(1);
            for (number, words) in wrap(&entry.words, words).into_iter().enumerate() {
                let start = if number == 0 { &label } else { &indent };
                lines.push(Line::from(vec![
                    Span::styled(start.clone(), theme.key),
                    Span::styled(words, theme.text),
                ]));
            }
        }
        Self {
            title,
            lines,
            width: room,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposites_are_said_together_if_they_differ_in_few_words() {
        let check = |one, other, expected: Option<&str>| {
            assert_eq!(either(one, other).as_deref(), expected, "{one}");
        };
        check("cursor left", "cursor right", Some("cursor left or right"));
        check(
            "older champion",
            "newer champion",
            Some("older or newer champion"),
        );
        check("up", "down", Some("up or down"));
        check(
            "fewer, by one",
            "more, by one",
            Some("fewer, or more, by one"),
        );
        check("the same", "the same", None);
        check("go to the first", "go to the last, and follow it", None);
    }
}
