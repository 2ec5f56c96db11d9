//! The summary so far: the printed table, with as many columns as fit.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::list::ScrollList;
use crate::widgets::table::{TableColumn, TableLayout};
use crate::widgets::text::inset;
use crate::widgets::truncate::truncate;
use finches_lab::experiment::table::{HEADERS, TableGroup, TableRow, groups};

use super::ExperimentScreen;

/// Columns dropped when space is short, in this order: max, min, capped, median.
const DROP_ORDER: [usize; 4] = [8, 4, 3, 5];

/// The spaces between columns.
const GAP: usize = 2;

/// The shortest width of a preset's name.
const MIN_NAME_WIDTH: usize = 12;

/// Which notes below the rows are shown. The last note of a row is the published result, if there
/// is one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ShownNotes {
    All,
    Last,
    /// The last one of the selected preset.
    Selected,
}

/// The preferred height of the pane.
pub(super) fn height(model: &ExperimentScreen) -> u16 {
    needed(&groups(&model.summary), ShownNotes::All)
}

fn needed(groups: &[TableGroup], notes: ShownNotes) -> u16 {
    let of_row = |row: &TableRow| match notes {
        ShownNotes::All => row.notes.len(),
        ShownNotes::Last => row.notes.len().min(1),
        ShownNotes::Selected => 0,
    };
    let of_group = |group: &TableGroup| {
        let notes: usize = group.rows.iter().map(of_row).sum();
        group.rows.len() + notes + 1
    };
    let titles = if groups.len() > 1 { groups.len() } else { 0 };
    (groups.iter().map(of_group).sum::<usize>() + titles + 2) as u16
}

pub(super) fn view(model: &ExperimentScreen, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let groups = groups(&model.summary);
    let only = match &groups[..] {
        [only] => format!("Summary: {}", only.title),
        _ => "Summary".to_owned(),
    };
    let notes = [ShownNotes::All, ShownNotes::Last].into_iter();
    let mut notes = notes.filter(|&notes| needed(&groups, notes) <= area.height);
    let notes = notes.next().unwrap_or(ShownNotes::Selected);
    let (lines, selected) = lines(
        (model, theme),
        &groups,
        notes,
        (area.width as usize).saturating_sub(4),
    );
    // The selected preset stays visible.
    let list = ScrollList::new(lines.len(), selected);
    let height = area.height.saturating_sub(2) as usize;
    let room = (area.width as usize).saturating_sub(6);
    let mut frame = Frame::titled(to_ascii(truncate(&only, room), theme));
    if lines.len() > height {
        let first = list.first(height);
        let words = format!(
            "{} to {} of {} lines",
            first + 1,
            first + height,
            lines.len()
        );
        frame.bottom_right = Line::styled(words, theme.dim);
    }
    let inner = inset(frame.draw(Focus::Elsewhere, theme, area, buf), 1);
    list.draw(theme, inner, buf, |row| lines[row].clone());
    list.scrollbar(theme, inner.height, area, buf);
}

/// The lines of the table, and the index of the last one that must be visible.
fn lines<'a>(
    (model, theme): (&ExperimentScreen, &Theme),
    groups: &[TableGroup],
    notes: ShownNotes,
    width: usize,
) -> (Vec<Line<'a>>, usize) {
    let (mut lines, mut selected) = (Vec::new(), 0);
    let name = model.presets().get(model.selected);
    let name = name.map_or("", |preset| &preset.name);
    for group in groups {
        if groups.len() > 1 {
            let title = to_ascii(group.title.clone(), theme);
            lines.push(Line::styled(title, theme.strong));
        }
        let (places, columns) = columns(group, width);
        let form = |cells: &[&str; 9], style| {
            let cells = places.iter().map(|&place| cells[place]);
            let cells = cells.map(|cell| Span::styled(to_ascii(cell.to_owned(), theme), style));
            columns.row(cells)
        };
        lines.push(form(&HEADERS, theme.dim));
        for row in &group.rows {
            let here = row.cells[0] == name;
            let marked = here && model.presets().len() > 1;
            let style = if marked { theme.accent } else { theme.text };
            lines.push(form(&row.cells.each_ref().map(String::as_str), style));
            let last = row.notes.len().saturating_sub(1);
            let shown = match notes {
                ShownNotes::All => &row.notes[..],
                ShownNotes::Selected if !here => &[],
                ShownNotes::Last | ShownNotes::Selected => &row.notes[last..],
            };
            let shown = shown
                .iter()
                .map(|note| truncate(&format!("  {note}"), width));
            lines.extend(shown.map(|note| Line::styled(to_ascii(note, theme), theme.dim)));
            if here {
                selected = lines.len() - 1;
            }
        }
    }
    (lines, selected)
}

/// Replaces characters outside ASCII if only ASCII may be drawn.
fn to_ascii(text: String, theme: &Theme) -> String {
    if !theme.ascii {
        return text;
    }
    let letter = |letter: char| match letter {
        '≥' => '>',
        '–' => '-',
        '×' => 'x',
        '’' => '\'',
        letter if letter.is_ascii() => letter,
        _ => '?',
    };
    text.chars().map(letter).collect()
}

/// The shown columns of a group, and their places among all.
fn columns(group: &TableGroup, width: usize) -> (Vec<usize>, TableLayout<'static>) {
    let widths = group.widths();
    let spare = widths[0].saturating_sub(MIN_NAME_WIDTH);
    let mut places: Vec<usize> = (0..widths.len()).collect();
    let needed = |places: &[usize]| {
        let all = places.iter().map(|&place| widths[place] + GAP);
        all.sum::<usize>().saturating_sub(GAP)
    };
    for dropped in DROP_ORDER {
        if needed(&places) > width + spare {
            places.retain(|place| *place != dropped);
        }
    }
    let over = needed(&places).saturating_sub(width);
    let name = widths[0]
        .saturating_sub(over)
        .max(MIN_NAME_WIDTH.min(widths[0]));
    let columns = places.iter().map(|&place| match place {
        0 => TableColumn::words("", name),
        _ => TableColumn::number("", widths[place]),
    });
    let columns = columns.collect();
    (places, TableLayout { columns, gap: GAP })
}
