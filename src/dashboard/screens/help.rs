//! The help overlay: the keys of the current screen, and those that work everywhere, from the key
//! table, in groups. A search finds keys of all screens.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::keymap::{self, Action, Binding, GlobalAction, Scope, bindings};
use crate::screen::Tab;
use crate::theme::{ELLIPSIS, Theme};
use crate::widgets::frame::Frame;
use crate::widgets::key_label::{drawable_keys, key_hints};
use crate::widgets::text::{columns_of, inset, put_all, right_of};
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

/// Entries below a heading.
struct HelpSection {
    title: String,
    entries: Vec<HelpEntry>,
}

/// Sections, wrapped.
struct HelpColumn {
    lines: Vec<Line<'static>>,
    width: u16,
}

/// What is searched for in the help; `None` before that.
#[derive(Debug, Default)]
pub struct HelpSearch(Option<String>);

impl HelpSearch {
    /// Handles a key. Returns whether the help stays open.
    pub fn press(&mut self, key: KeyEvent) -> bool {
        let held = KeyModifiers::CONTROL | KeyModifiers::ALT;
        let Some(words) = &mut self.0 else {
            let action = keymap::action(Scope::HELP, key);
            if action == Some(Action::Filter) {
                self.0 = Some(String::new());
            }
            return action.is_none_or(|action| action == Action::Filter);
        };
        match key.code {
            KeyCode::Esc => self.0 = None,
            KeyCode::Backspace => drop(words.pop()),
            KeyCode::Char(letter) if !key.modifiers.intersects(held) => words.push(letter),
            _ => {}
        }
        true
    }
}

/// The headings of the groups of keys, in their order. The first is that of keys of one screen.
const GROUPS: [&str; 5] = ["", "run", "view", "files", "move"];

/// The group of a key.
fn group(action: Action) -> &'static str {
    use Action as A;
    const RUN: [GlobalAction; 5] = [
        GlobalAction::PauseResume,
        GlobalAction::Step,
        GlobalAction::Faster,
        GlobalAction::Slower,
        GlobalAction::Breakpoints,
    ];
    const VIEW: [Action; 11] = [
        A::Zoom,
        A::NextTheme,
        A::Help,
        A::NextXAxis,
        A::ToggleLogScale,
        A::WindowWider,
        A::WindowNarrower,
        A::ReadValues,
        A::Filter,
        A::NextMetric,
        A::PreviousMetric,
    ];
    match (action, GlobalAction::of(action)) {
        (A::Fork, _) => "run",
        (_, Some(global)) if RUN.contains(&global) => "run",
        (A::Export | A::Quit, _) | (_, Some(GlobalAction::Save)) => "files",
        (action, global) if VIEW.contains(&action) || global == Some(GlobalAction::Freeze) => {
            "view"
        }
        (A::Enter | A::SearchDeeper | A::SearchShallower | A::Own(_), _) => "",
        _ => "move",
    }
}

pub fn view(
    tab: Tab,
    all: &[Tab],
    search: &HelpSearch,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let columns = match search.0.as_deref() {
        Some(words) if !words.is_empty() => vec![found(tab, all, words, theme, area)],
        _ => columns(tab.scope, theme, area),
    };
    let width: u16 = columns.iter().map(|column| column.width + GAP).sum();
    let lines = columns.iter().map(|column| column.lines.len()).max();
    let size = (
        width - GAP + MARGINS.0,
        lines.unwrap_or(0) as u16 + MARGINS.1,
    );
    let mut inner = inset(
        frame(tab.name, search, theme).dialog(size, theme, area, buf),
        1,
    );
    for column in columns {
        put_all(buf, columns_of(inner, 0, column.width), column.lines);
        inner = right_of(inner, column.width + GAP);
    }
}

/// The keys of all screens of which the words speak, those of this screen first.
fn found(tab: Tab, all: &[Tab], words: &str, theme: &Theme, area: Rect) -> HelpColumn {
    let wanted = words.to_lowercase();
    let others = all.iter().copied().filter(|other| *other != tab);
    let screens = std::iter::once(tab).chain(others);
    let screens = screens.map(|tab| (tab.name, tab.scope));
    let mut found = Vec::new();
    for (name, scope) in screens.chain([("everywhere", Scope::GLOBAL)]) {
        for (_, mut entry) in entries(scope, bindings(scope), theme) {
            let is_key = entry.keys.iter().any(|key| *key == words);
            if is_key || entry.words.to_lowercase().contains(&wanted) {
                entry.words = format!("{name}: {}", entry.words);
                found.push(entry);
            }
        }
    }
    let title = match found.len() {
        0 => "Nothing found",
        _ => "Found",
    };
    let section = HelpSection {
        title: title.to_owned(),
        entries: found,
    };
    let width = area.width.saturating_sub(MARGINS.0).clamp(1, 72);
    let mut column = HelpColumn::new(&[section], width, theme);
    let rows = usize::from(area.height.saturating_sub(MARGINS.1));
    let left = (column.lines.len() + 1).saturating_sub(rows);
    if left > 1 {
        column.lines.truncate(rows.saturating_sub(1));
        let more = format!("{ELLIPSIS} {left} more lines");
        column.lines.push(Line::styled(more, theme.dim));
    }
    column
}

/// The columns that fit: with one entry for each screen that a key opens, or else with one for all
/// of them. The screen's own column is as wide as it must be. If nothing fits, the global keys are
/// only named.
fn columns(scope: Scope, theme: &Theme, area: Rect) -> Vec<HelpColumn> {
    let width = area.width.saturating_sub(MARGINS.0).clamp(1, 106);
    let rows = usize::from(area.height.saturating_sub(MARGINS.1));
    let own = || grouped("This screen", entries(scope, bindings(scope), theme));
    if !scope.has_globals {
        return vec![HelpColumn::new(&own(), width.min(72), theme)];
    }
    let everywhere = || {
        let all = bindings(Scope::GLOBAL);
        let shown = all.filter(|binding| !keymap::overrides(scope, binding));
        entries(Scope::GLOBAL, shown, theme)
    };
    let brief = || with_digits_merged(everywhere());
    let choices = [
        (own(), grouped("Everywhere", everywhere())),
        (own(), grouped("Everywhere", brief())),
        (flat("This screen", own()), grouped("Everywhere", brief())),
        (
            flat("This screen", own()),
            flat("Everywhere", grouped("", brief())),
        ),
    ];
    for (own, everywhere) in choices {
        for share in [50, 54, 59, 62, 46, 42] {
            let left = (width - GAP.min(width)) * share / 100;
            let right = (width - left).saturating_sub(GAP);
            let columns = vec![
                HelpColumn::new(&own, left, theme),
                HelpColumn::new(&everywhere, right, theme),
            ];
            if columns.iter().all(|column| column.lines.len() <= rows) {
                return columns;
            }
        }
    }
    let keys = brief().into_iter().flat_map(|(_, entry)| entry.keys);
    let keys: Vec<String> = keys.collect();
    let mut all = flat("This screen, then everywhere", own());
    all[0].entries.push(HelpEntry {
        keys: Vec::new(),
        words: format!("everywhere: {}", keys.join(" ")),
    });
    vec![HelpColumn::new(&all, width.min(72), theme)]
}

/// A section for each group; `of` stands before the heading of the first.
fn grouped(of: &str, entries: Vec<(&'static str, HelpEntry)>) -> Vec<HelpSection> {
    let mut sections: Vec<HelpSection> = GROUPS
        .map(|title| HelpSection {
            title: title.to_owned(),
            entries: Vec::new(),
        })
        .into();
    for (group, entry) in entries {
        let place = GROUPS.iter().position(|title| *title == group).unwrap_or(0);
        sections[place].entries.push(entry);
    }
    sections.retain(|section| !section.entries.is_empty());
    if let Some(first) = sections.first_mut() {
        let parts = [of, &first.title].map(ToOwned::to_owned);
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        first.title = parts.collect::<Vec<_>>().join(": ");
    }
    sections
}

/// All sections as one.
fn flat(title: &str, sections: Vec<HelpSection>) -> Vec<HelpSection> {
    let entries = sections.into_iter().flat_map(|section| section.entries);
    vec![HelpSection {
        title: title.to_owned(),
        entries: entries.collect(),
    }]
}

/// The entries with one for all digits, which open screens.
fn with_digits_merged(entries: Vec<(&'static str, HelpEntry)>) -> Vec<(&'static str, HelpEntry)> {
    let is_digit = |(_, entry): &(&str, HelpEntry)| {
        let mut keys = entry.keys.iter().flat_map(|key| key.chars());
        keys.all(|letter| letter.is_ascii_digit())
    };
    let (digits, mut others): (Vec<_>, Vec<_>) = entries.into_iter().partition(is_digit);
    let digits: Vec<&String> = digits.iter().flat_map(|(_, entry)| &entry.keys).collect();
    if let (Some(least), Some(most)) = (digits.iter().min(), digits.iter().max()) {
        let entry = HelpEntry {
            keys: vec![format!("{least}-{most}")],
            words: "open a screen".to_owned(),
        };
        others.push(("move", entry));
    }
    others
}

/// The frame with its title, and what is searched for or how to search.
fn frame<'a>(name: &str, search: &HelpSearch, theme: &Theme) -> Frame<'a> {
    let (searching, hints) = if let Some(words) = &search.0 {
        let typed = Line::styled(format!("/{words}_"), theme.accent);
        (typed, Line::default())
    } else {
        let hints: [(&[Action], &str); 2] = [
            (&[Action::Filter], " search  "),
            (&[Action::Back], " close"),
        ];
        (Line::default(), key_hints(Scope::HELP, &hints, theme))
    };
    Frame {
        bottom_left: searching,
        bottom_right: hints,
        ..Frame::titled(format!("Keys: {name}"))
    }
}

/// The entries of a scope with their groups; keys with the same description share one.
fn entries(
    scope: Scope,
    shown: impl Iterator<Item = &'static Binding>,
    theme: &Theme,
) -> Vec<(&'static str, HelpEntry)> {
    let mut entries: Vec<(&'static str, HelpEntry)> = Vec::new();
    for binding in shown {
        let label = drawable_keys(&binding.key.label(), theme);
        let words = words(scope, binding);
        match entries.iter_mut().find(|(_, entry)| entry.words == words) {
            Some((_, entry)) if entry.keys.contains(&label) => {}
            Some((_, entry)) => entry.push(label),
            None => {
                let keys = vec![label];
                entries.push((group(binding.action), HelpEntry { keys, words }));
            }
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
    /// Wraps sections to a width.
    fn new(sections: &[HelpSection], room: u16, theme: &Theme) -> Self {
        let all = sections.iter().flat_map(|section| &section.entries);
        let labels = all.map(|entry| width(&entry.keys.join(" ")));
        let aligned = labels.filter(|&label| label <= LABEL).max().unwrap_or(0);
        let mut lines = Vec::new();
        for section in sections {
            lines.push(Line::styled(section.title.clone(), theme.strong));
            let entries = section.entries.iter();
            lines.extend(entries.flat_map(|entry| entry.lines(aligned, room, theme)));
        }
        Self { lines, width: room }
    }
}

impl HelpEntry {
    /// Its keys, `aligned` cells wide, and what they do, wrapped.
    fn lines(&self, aligned: usize, room: u16, theme: &Theme) -> Vec<Line<'static>> {
        let label = format!("{:>aligned$}  ", self.keys.join(" "));
        let indent = " ".repeat(width(&label));
        let words = usize::from(room).saturating_sub(indent.len()).max(1);
        let words = wrap(&self.words, words).into_iter().enumerate();
        let line = |(number, words)| {
            let start = if number == 0 { &label } else { &indent };
            Line::from(vec![
                Span::styled(start.clone(), theme.key),
                Span::styled(words, theme.text),
            ])
        };
        words.map(line).collect()
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
