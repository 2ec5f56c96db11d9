//! The summary filling in: the cells of the printed table, as many columns of it as fit.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::experiment::table::{Group, HEADS, Row, groups};
use crate::ui::theme::Theme;
use crate::ui::widgets::fit::fit;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::text::{inset, put};

use super::model::Model;

/// Columns that give way where there is little room, the first of them first: max, min, capped, median.
const DROPPED: [usize; 4] = [8, 4, 3, 5];

/// The least that a preset's name is cut to.
const LEAST_NAME: usize = 12;

/// Which of the notes below the rows are shown. The last of a row is the publication's figure where there is one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Notes {
    All,
    Last,
    /// The last one of the selected preset.
    Selected,
}

/// Rows that the pane would like to have.
pub(super) fn height(model: &Model) -> u16 {
    needed(&groups(&model.summary), Notes::All)
}

fn needed(groups: &[Group], notes: Notes) -> u16 {
    let of_row = |row: &Row| match notes {
        Notes::All => row.notes.len(),
        Notes::Last => row.notes.len().min(1),
        Notes::Selected => 0,
    };
    let of_group = |group: &Group| {
        let notes: usize = group.rows.iter().map(of_row).sum();
        group.rows.len() + notes + 1
    };
    let titles = if groups.len() > 1 { groups.len() } else { 0 };
    (groups.iter().map(of_group).sum::<usize>() + titles + 2) as u16
}

pub(super) fn view(model: &Model, area: Rect, buf: &mut Buffer) {
    let theme = &model.theme;
    let groups = groups(&model.summary);
    let only = match &groups[..] {
        [only] => format!("Summary: {}", only.title),
        _ => "Summary".to_owned(),
    };
    let notes = [Notes::All, Notes::Last].into_iter();
    let mut notes = notes.filter(|&notes| needed(&groups, notes) <= area.height);
    let notes = notes.next().unwrap_or(Notes::Selected);
    let (lines, selected) = lines(
        model,
        &groups,
        notes,
        (area.width as usize).saturating_sub(4),
    );
    // The selected preset stays in sight.
    let height = area.height.saturating_sub(2) as usize;
    let most = lines.len().saturating_sub(height);
    let first = (selected + 1).saturating_sub(height).min(most);
    let room = (area.width as usize).saturating_sub(6);
    let mut frame = Frame::titled(plain(fit(&only, room), theme));
    if most > 0 {
        let words = format!(
            "{} to {} of {} lines",
            first + 1,
            first + height,
            lines.len()
        );
        frame.bottom_right = Line::styled(words, theme.dim);
    }
    let inner = inset(frame.draw(Focus::Elsewhere, theme, area, buf), 1);
    for (row, line) in lines.into_iter().skip(first).take(height).enumerate() {
        put(buf, inner, row as u16, line);
    }
}

/// The lines of the table, and the last that has to be seen.
fn lines<'a>(
    model: &Model,
    groups: &[Group],
    notes: Notes,
    width: usize,
) -> (Vec<Line<'a>>, usize) {
    let theme = &model.theme;
    let (mut lines, mut selected) = (Vec::new(), 0);
    let name = model.presets().get(model.selected);
    let name = name.map_or("", |preset| &preset.name);
    for group in groups {
        if groups.len() > 1 {
            let title = plain(group.title.clone(), theme);
            lines.push(Line::styled(title, theme.strong));
        }
        let form = Form::of(group, width);
        let heads = form.line(&HEADS.map(ToOwned::to_owned));
        lines.push(Line::styled(heads, theme.dim));
        for row in &group.rows {
            let here = row.cells[0] == name;
            let marked = here && model.presets().len() > 1;
            let style = if marked { theme.accent } else { theme.text };
            lines.push(Line::styled(plain(form.line(&row.cells), theme), style));
            let last = row.notes.len().saturating_sub(1);
            let shown = match notes {
                Notes::All => &row.notes[..],
                Notes::Selected if !here => &[],
                Notes::Last | Notes::Selected => &row.notes[last..],
            };
            let shown = shown.iter().map(|note| fit(&format!("  {note}"), width));
            lines.extend(shown.map(|note| Line::styled(plain(note, theme), theme.dim)));
            if here {
                selected = lines.len() - 1;
            }
        }
    }
    (lines, selected)
}

/// Text with each character that ASCII lacks replaced where only ASCII may be drawn.
fn plain(text: String, theme: &Theme) -> String {
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

/// Which columns of a group are shown, and how wide.
struct Form {
    columns: Vec<(usize, usize)>,
}

impl Form {
    fn of(group: &Group, width: usize) -> Self {
        let widths = group.widths();
        let mut columns: Vec<(usize, usize)> = widths.into_iter().enumerate().collect();
        let needed = |columns: &[(usize, usize)]| {
            let all = columns.iter().map(|(_, width)| width + 2);
            all.sum::<usize>().saturating_sub(2)
        };
        let spare = widths[0].saturating_sub(LEAST_NAME);
        for dropped in DROPPED {
            if needed(&columns) > width + spare {
                columns.retain(|(place, _)| *place != dropped);
            }
        }
        let over = needed(&columns).saturating_sub(width);
        columns[0].1 = widths[0]
            .saturating_sub(over)
            .max(LEAST_NAME.min(widths[0]));
        Self { columns }
    }

    fn line(&self, cells: &[String; 9]) -> String {
        let cell = |(place, width): &(usize, usize)| {
            let text = fit(&cells[*place], *width);
            match *place {
                0 => format!("{text:<width$}"),
                _ => format!("{text:>width$}"),
            }
        };
        let cells: Vec<String> = self.columns.iter().map(cell).collect();
        cells.join("  ")
    }
}
