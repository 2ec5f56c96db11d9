//! Draws the Home screen: the list, beside the details of the selected item.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::storage::saves::RunSummary;
use crate::ui::format;
use crate::ui::keymap::{self, Action, Scope};
use crate::ui::model::run::RunModel;
use crate::ui::mouse::Regions;
use crate::ui::theme::Theme;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::list::{ListRow, ScrollList};
use crate::ui::widgets::text::{inset, put};
use crate::ui::widgets::truncate::{pad, truncate, widest};

use super::rows::{HomeGroup, HomeRow};
use super::start_here::Recommendation;
use super::{Home, HomeItem, details};

/// Draws the screen and returns the region of each item.
pub(super) fn view(
    home: &Home,
    watch: Option<&RunModel>,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) -> Regions<usize> {
    let (list_area, details_area) = parts(area);
    let filter = if home.is_typing || home.is_filtered() {
        let cursor = if home.is_typing { "_" } else { "" };
        Line::styled(format!("/{}{cursor}", home.filter), theme.accent)
    } else {
        Line::default()
    };
    let frame = Frame {
        title: Line::from("Choose what to evolve"),
        right: filter,
        ..Frame::default()
    };
    let inner = inset(frame.draw(Focus::Here, theme, list_area, buf), 1);
    let rows = home.rows();
    let regions = list(home, &rows, theme, [list_area, inner], buf);
    let selected = home.selected_row(&rows).map(|index| &rows[index]);
    details::view(home, selected, watch, theme, details_area, buf);
    regions
}

/// The areas of the list and the details: side by side, or stacked on narrow terminals.
fn parts(area: Rect) -> (Rect, Rect) {
    let (mut list, mut details) = (area, area);
    if area.width >= 100 {
        list.width = (area.width * 3 / 5).min(area.width.saturating_sub(46));
        details.x += list.width;
        details.width -= list.width;
    } else {
        details.height = (area.height * 2 / 5).clamp(0, 11);
        list.height -= details.height;
        details.y += list.height;
    }
    (list, details)
}

fn list(
    home: &Home,
    rows: &[HomeRow<'_>],
    theme: &Theme,
    [frame, area]: [Rect; 2],
    buf: &mut Buffer,
) -> Regions<usize> {
    let mut regions = Regions::default();
    if rows.is_empty() {
        // While typing, the keys are fixed.
        let all = if home.is_typing {
            "esc".to_owned()
        } else {
            keymap::label(Scope::GLOBAL, Action::Back)
        };
        let words = format!("no matches; {all}: show all");
        put(buf, area, 0, Span::styled(words, theme.dim));
        return regions;
    }
    let scrolled = ScrollList::selecting(rows.len(), home.selected_row(rows).unwrap_or(0));
    scrolled.draw(theme, area, buf, |index| {
        row(rows, index, area.width, theme)
    });
    scrolled.scrollbar(theme, area.height, frame, buf);
    for (index, line) in scrolled.visible(area) {
        if rows[index].key().is_some() {
            regions.add(line, index);
        }
    }
    regions
}

fn row<'a>(rows: &[HomeRow<'_>], index: usize, room: u16, theme: &Theme) -> ListRow<'a> {
    let columns = NameColumn {
        width: name_width(rows, index),
        room: room.into(),
        theme,
    };
    match &rows[index] {
        HomeRow::Gap => ListRow::default(),
        HomeRow::Title(name) => heading(name, "", theme),
        HomeRow::Heading(group) => folding_heading(group, theme),
        HomeRow::Start(start, item) => columns.start(start, item),
        HomeRow::Item(item) => columns.item(item),
    }
}

fn heading<'a>(name: &str, count: &str, theme: &Theme) -> ListRow<'a> {
    Line::from(vec![
        Span::styled(theme.to_drawable(name.to_owned()), theme.accent),
        Span::styled(count.to_owned(), theme.dim),
    ])
    .into()
}

fn folding_heading<'a>(group: &HomeGroup, theme: &Theme) -> ListRow<'a> {
    let sign = match (group.is_open, theme.ascii) {
        (true, false) => "▾",
        (false, false) => "▸",
        (true, true) => "-",
        (false, true) => "+",
    };
    let count = format!("  {}", group.count);
    heading(&format!("{sign} {}", group.name), &count, theme)
}

/// What stands in the name column.
fn name<'a>(row: &'a HomeRow<'_>) -> Option<&'a str> {
    match row {
        HomeRow::Start(start, _) => Some(start.title),
        HomeRow::Item(item) => Some(item.name()),
        HomeRow::Gap | HomeRow::Title(_) | HomeRow::Heading(_) => None,
    }
}

/// The width of the longest name in the group of a row.
fn name_width(rows: &[HomeRow<'_>], index: usize) -> usize {
    let (above, below) = rows.split_at(index);
    let above = above.iter().rev().map_while(name);
    widest(above.chain(below.iter().map_while(name)))
}

/// Draws items with the names of a group in a column.
struct NameColumn<'t> {
    width: usize,
    /// The width of the list.
    room: usize,
    theme: &'t Theme,
}

impl NameColumn<'_> {
    fn row<'a>(&self, name: &str, words: &str, style: Style, note: Line<'a>) -> ListRow<'a> {
        let theme = self.theme;
        let name = pad(&theme.to_drawable(truncate(name, self.room)), self.width);
        let left = self.room.saturating_sub(self.width + 3);
        let left = left.saturating_sub(note.width());
        let words = theme.to_drawable(truncate(words, left));
        let text = Line::from(vec![
            Span::styled(format!(" {name}  "), theme.text),
            Span::styled(words, style),
        ]);
        ListRow { text, note }
    }

    fn start<'a>(&self, start: &Recommendation, item: &HomeItem) -> ListRow<'a> {
        let time = Line::styled(format!("  {} ", start.lasts), self.theme.text);
        let note = match item {
            HomeItem::Preset {
                is_changed: true, ..
            } => self.item_note(item),
            _ => time,
        };
        self.row(start.title, start.shows, self.theme.dim, note)
    }

    fn item<'a>(&self, item: &HomeItem) -> ListRow<'a> {
        let (words, style) = match item {
            HomeItem::Run { summary, .. } => (progress(summary), self.theme.dim),
            HomeItem::Unreadable { .. } => ("cannot be opened".to_owned(), self.theme.bad),
            HomeItem::Preset { preset, .. } => (preset.about.clone(), self.theme.dim),
        };
        self.row(item.name(), &words, style, self.item_note(item))
    }

    /// The state of an item.
    fn item_note<'a>(&self, item: &HomeItem) -> Line<'a> {
        let theme = self.theme;
        match item {
            HomeItem::Run { summary, .. } => {
                let objective = summary.objective.map_or("-".to_owned(), format::percent);
                let (word, style) = state(summary, theme);
                Line::from(vec![
                    Span::styled(format!("{objective:>5}  "), theme.strong),
                    Span::styled(format!("{word:<6} "), style),
                ])
            }
            HomeItem::Preset {
                is_changed: true, ..
            } => Line::styled(" changed ", theme.key),
            _ => Line::default(),
        }
    }
}

/// How far a run is, and what its percentage is the share of.
fn progress(summary: &RunSummary) -> String {
    let words = generations(summary);
    match summary.objective_label.as_str() {
        "" => words,
        label => format!("{words} · {label}"),
    }
}

pub(super) fn generations(summary: &RunSummary) -> String {
    format!(
        "gen {}/{}",
        format::count(summary.generation as f64),
        format::count(summary.generations as f64)
    )
}

/// The state of a saved run in one word.
pub(super) fn state(summary: &RunSummary, theme: &Theme) -> (&'static str, Style) {
    if !summary.can_resume {
        ("play", theme.key)
    } else if summary.is_open {
        ("open", theme.good)
    } else if summary.is_done() {
        ("done", theme.focus)
    } else {
        ("resume", theme.warning)
    }
}
