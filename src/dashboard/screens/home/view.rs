//! Draws the Home screen: the list, beside the details of the selected item.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::format;
use crate::keymap::{self, Action, Scope};
use crate::model::run::RunModel;
use crate::mouse::Regions;
use crate::theme::{ELLIPSIS, Theme};
use crate::widgets::frame::{Focus, Frame, filter_line};
use crate::widgets::list::{ListRow, ScrollList};
use crate::widgets::sparkline::{SparklineGlyphs, sparkline};
use crate::widgets::text::{columns_of, cut_below, put, right_of};
use crate::widgets::truncate::{pad, truncate, widest, width};
use finches_runs::storage::saves::RunSummary;

use super::details::home_key;
use super::rows::{HomeGroup, HomeRow, START_HERE};
use super::start_here::Recommendation;
use super::timing::Estimate;
use super::trends::OBJECTIVE;
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
    let cursor = if home.is_typing { "_" } else { "" };
    let rows = home.rows();
    let room = usize::from(list_area.width).saturating_sub(4);
    let frame = Frame {
        right: filter_line(&home.filter, cursor, theme),
        bottom_left: (home.prompt.as_ref())
            .map_or(Line::default(), |prompt| prompt.line(room, theme)),
        ..Frame::titled(list_title(home, &rows, list_rows(area), theme))
    };
    let inner = frame.pane(Focus::Here, theme, list_area, buf);
    let regions = list(home, &rows, theme, [list_area, inner], buf);
    let selected = home.selected_row(&rows).map(|index| &rows[index]);
    details::view(home, selected, watch, theme, details_area, buf);
    regions
}

/// The title of the list: the group of its first visible row, if the heading of that group is
/// scrolled away.
fn list_title(home: &Home, rows: &[HomeRow<'_>], height: u16, theme: &Theme) -> String {
    let cursor = home.selected_row(rows).unwrap_or(0);
    let first = ScrollList::new(rows.len(), cursor).first(height.into());
    let group = match rows.get(first) {
        Some(HomeRow::Item(item)) => item.group(),
        Some(HomeRow::Start(..)) => START_HERE.to_owned(),
        _ => return "Choose what to evolve".to_owned(),
    };
    let sign = theme.sign("▴", "^");
    format!("{sign} {group}")
}

/// The areas of the list and the details: side by side, or stacked on narrow terminals.
fn parts(area: Rect) -> (Rect, Rect) {
    if area.width < 100 {
        return cut_below(area, (area.height * 9 / 20).min(11));
    }
    let list = (area.width * 3 / 5).min(area.width - 46);
    (columns_of(area, 0, list), right_of(area, list))
}

/// The rows of the list within its frame.
pub(super) fn list_rows(area: Rect) -> u16 {
    parts(area).0.height.saturating_sub(2)
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
        row(home, rows, index, area.width, theme)
    });
    scrolled.scrollbar(theme, area.height, frame, buf);
    for (index, line) in scrolled.visible(area) {
        if rows[index].key().is_some() {
            regions.add(line, index);
        }
    }
    regions
}

fn row<'a>(
    home: &Home,
    rows: &[HomeRow<'_>],
    index: usize,
    room: u16,
    theme: &Theme,
) -> ListRow<'a> {
    let columns = RowColumns {
        home,
        name: width_in_group(rows, index, |row| name(row).map(ToOwned::to_owned)),
        progress: width_in_group(rows, index, |row| of_run(row, generations)),
        objective: width_in_group(rows, index, |row| of_run(row, objective)),
        room: room.into(),
        is_selected: home.selected_row(rows) == Some(index),
        theme,
    };
    match &rows[index] {
        HomeRow::Gap => ListRow::default(),
        HomeRow::Title(name) => heading(name, "", theme),
        HomeRow::Heading(group) => folding_heading(group, theme),
        HomeRow::Start(start, item) => columns.start(start, item),
        HomeRow::Item(item) => columns.item(item),
        HomeRow::More(_, count) => {
            let words = format!(" {ELLIPSIS} {count} more");
            Line::styled(words, theme.dim).into()
        }
    }
}

fn heading<'a>(name: &str, count: &str, theme: &Theme) -> ListRow<'a> {
    Line::from(vec![
        Span::styled(name.to_owned(), theme.accent),
        Span::styled(count.to_owned(), theme.dim),
    ])
    .into()
}

fn folding_heading<'a>(group: &HomeGroup, theme: &Theme) -> ListRow<'a> {
    let sign = if group.is_open {
        theme.sign("▾", "-")
    } else {
        theme.sign("▸", "+")
    };
    let count = format!("  {}", group.count);
    heading(&format!("{sign} {}", group.name), &count, theme)
}

/// What stands in the name column.
fn name<'a>(row: &'a HomeRow<'_>) -> Option<&'a str> {
    match row {
        HomeRow::Start(start, _) => Some(start.title),
        HomeRow::Item(item) => Some(item.name()),
        HomeRow::Gap | HomeRow::Title(_) | HomeRow::Heading(_) | HomeRow::More(..) => None,
    }
}

/// A text about the saved run of a row; empty for other items.
fn of_run(row: &HomeRow<'_>, words: impl Fn(&RunSummary) -> String) -> Option<String> {
    name(row)?;
    Some(match row.item() {
        Some(HomeItem::Run { summary, .. }) => words(summary),
        _ => String::new(),
    })
}

/// The width of the longest text in the group of a row.
fn width_in_group<'r, 'h>(
    rows: &'r [HomeRow<'h>],
    index: usize,
    text: impl Fn(&'r HomeRow<'h>) -> Option<String>,
) -> usize {
    let (above, below) = rows.split_at(index);
    let above = above.iter().rev().map_while(&text);
    let texts: Vec<String> = above.chain(below.iter().map_while(&text)).collect();
    widest(texts.iter().map(String::as_str))
}

/// Draws items with what a group says of them in columns.
struct RowColumns<'t> {
    home: &'t Home,
    /// The widths of the columns.
    name: usize,
    progress: usize,
    objective: usize,
    /// The width of the list.
    room: usize,
    /// Whether the row is selected, so that it says what Enter does.
    is_selected: bool,
    theme: &'t Theme,
}

impl RowColumns<'_> {
    /// The columns that words can take beside a note.
    fn left(&self, note: &Line<'_>) -> usize {
        let taken = self.name + 3 + note.width();
        self.room.saturating_sub(taken)
    }

    fn row<'a>(&self, name: &str, words: Vec<Span<'a>>, note: Line<'a>) -> ListRow<'a> {
        let theme = self.theme;
        let most = self.room.saturating_sub(note.width() + 3);
        let name = pad(&truncate(name, most), self.name.min(most));
        let mut text = Line::from(vec![Span::styled(format!(" {name}  "), theme.text)]);
        text.spans.extend(words);
        ListRow { text, note }
    }

    fn start<'a>(&self, start: &Recommendation, item: &HomeItem) -> ListRow<'a> {
        let note = match item {
            HomeItem::Preset {
                is_changed: true, ..
            } => Line::styled(" changed ", self.theme.key),
            HomeItem::Preset { preset, .. } => {
                let timing = &self.home.timing;
                let known = timing.estimate(&preset.name, start.generations, preset.pace);
                let known = known.map(Estimate::short);
                self.time(&known.unwrap_or_else(|| format!("≈ {}", start.lasts)))
            }
            _ => self.time(&format!("≈ {}", start.lasts)),
        };
        self.described(start.title, start.shows, note)
    }

    fn time<'a>(&self, words: &str) -> Line<'a> {
        Line::styled(format!("  {words} "), self.theme.text)
    }

    /// A name and as much of a description as there is room for.
    fn described<'a>(&self, name: &str, about: &str, note: Line<'a>) -> ListRow<'a> {
        let words = clauses(about, self.left(&note));
        self.row(name, vec![Span::styled(words, self.theme.dim)], note)
    }

    fn item<'a>(&self, item: &HomeItem) -> ListRow<'a> {
        let theme = self.theme;
        match item {
            HomeItem::Run { name, summary } => self.run(name, summary),
            HomeItem::Unreadable { name, .. } => {
                let words = Span::styled("cannot be opened", theme.bad);
                self.row(name, vec![words], Line::default())
            }
            HomeItem::Preset { preset, is_changed } if *is_changed => {
                let note = Line::styled(" changed ", theme.key);
                self.described(&preset.name, &preset.about, note)
            }
            HomeItem::Preset { preset, .. } => {
                let timing = &self.home.timing;
                let known = timing.estimate(&preset.name, preset.generations, preset.pace);
                let note = known.map_or(Line::default(), |known| {
                    // It ends before, at its target.
                    let sign = if preset.until.is_empty() {
                        "≈"
                    } else {
                        "≤"
                    };
                    self.time(&known.short().replace('≈', sign))
                        .style(theme.dim)
                });
                // What is special about a preset comes before its time.
                let has_room = width(title(&preset.about)) <= self.left(&note);
                let note = if has_room { note } else { Line::default() };
                self.described(&preset.name, &preset.about, note)
            }
        }
    }

    /// A saved run: how far it is, its tags, and its objective with the course of it.
    fn run<'a>(&self, name: &str, summary: &RunSummary) -> ListRow<'a> {
        const TREND: (usize, usize) = (8, 24);
        let theme = self.theme;
        let (word, style) = state(summary, theme);
        let word = if self.is_selected {
            what_enter_does(summary)
        } else {
            format!("{word:<6}")
        };
        let objective = objective(summary);
        // The name comes first: without room, the value stands without what it is of.
        let has_room = self.name + self.objective + width(&word) + 6 <= self.room;
        let objective = match objective.trim_start().split_once(' ') {
            Some((value, _)) if !has_room => format!("{value:>4}"),
            _ => pad(&objective, self.objective),
        };
        let note = Line::from(vec![
            Span::styled(objective, theme.strong),
            Span::styled(format!("  {word} "), style),
        ]);
        let mut progress = pad(&generations(summary), self.progress) + "  ";
        if width(&progress) > self.left(&note) {
            progress.clear();
        }
        let mut left = self.left(&note).saturating_sub(width(&progress));
        let mut words = vec![Span::styled(progress, theme.dim)];
        for tag in &summary.tags {
            let tag = format!("#{tag} ");
            if width(&tag) < left {
                left -= width(&tag);
                words.push(Span::styled(tag, theme.accent));
            }
        }
        let trend = (left.saturating_sub(2)).min(TREND.1);
        if let Some(known) = self.home.trends.of(name).filter(|_| trend >= TREND.0) {
            let glyphs = SparklineGlyphs::of(theme);
            let line = sparkline(
                known.history.column(OBJECTIVE),
                trend,
                Some((0.0, 1.0)),
                glyphs,
            );
            words.push(Span::raw(" ".repeat(left - trend - 2)));
            words.push(Span::styled(line, theme.series[0]));
        }
        self.row(name, words, note)
    }
}

/// The first words of a description, up to a colon: what is special.
fn title(about: &str) -> &str {
    about.split(": ").next().unwrap_or(about)
}

/// As many clauses of a description as fit, at least its title.
fn clauses(about: &str, room: usize) -> String {
    let title = title(about);
    let ends = about
        .match_indices([',', ':', ';'])
        .map(|(end, _)| &about[..end])
        .filter(|head| head.len() >= title.len() && about[head.len() + 1..].starts_with(' '));
    let heads = ends.chain([about]);
    let longest = heads.take_while(|head| width(head) <= room).last();
    longest.map_or_else(|| truncate(title, room), ToOwned::to_owned)
}

/// The objective of a run: the value and, in a few words, what it is the share of.
pub(super) fn objective(summary: &RunSummary) -> String {
    let label = summary.objective_label.split(',').next().unwrap_or("");
    match summary.objective {
        Some(value) => {
            let label = format::in_words(label);
            format!("{:>4} {label}", format::percent(value))
        }
        None => String::new(),
    }
}

pub(super) fn generations(summary: &RunSummary) -> String {
    format!(
        "{}/{} gen",
        format::count(summary.generation as f64),
        format::count(summary.generations as f64)
    )
}

/// What Enter does with a saved run.
fn what_enter_does(summary: &RunSummary) -> String {
    let enter = home_key(Action::Enter);
    if !summary.can_resume {
        format!("{enter} plays it")
    } else if summary.is_open || summary.is_done() {
        format!("{enter} shows it")
    } else {
        let generation = format::whole(summary.generation);
        format!("{enter} goes on at generation {generation}")
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_shows_as_many_clauses_as_fit_but_at_least_the_title() {
        let about = "Heap of 11, both variations: parents by tournament, at most 4";
        let check = |room, expected: &str| assert_eq!(clauses(about, room), expected);
        check(80, about);
        check(52, "Heap of 11, both variations: parents by tournament");
        check(49, "Heap of 11, both variations");
        check(27, "Heap of 11, both variations");
        check(20, "Heap of 11, both va…");
        let about = "Shares: 45% and 2,500 players";
        assert_eq!(clauses(about, 24), "Shares", "a number is not cut");
        assert_eq!(
            clauses("From 1 to 1,000 matches: long", 28),
            "From 1 to 1,000 matches"
        );
    }
}
