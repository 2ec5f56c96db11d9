//! The table of a set: runs, groups with their tests, combinations of a sweep by rank, or schemes
//! by games. One table with other columns.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::format;
use crate::mouse::Regions;
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::list::ScrollList;
use crate::widgets::table::{TableColumn, TableLayout};
use crate::widgets::text::{below, cut_below, inset, put, put_all};
use crate::widgets::truncate::{widest, wrapped};
use finches_engine::text::{counted, p_value};
use finches_lab::experiment::matrix::results::{CellResult, MatrixResults, SchemeResult};
use finches_lab::experiment::table::notes as printed_notes;

use super::groups::{GroupSummary, figure, measure_words};
use super::parameters::in_words;
use super::{RunsScreen, RunsTarget};

/// The widest column of a parameter or a game, and the widest name.
const MOST_WIDTH: usize = 16;
const MOST_NAME: usize = 34;

/// Most notes about a row.
const MOST_NOTES: usize = 4;

/// A table of figures.
struct FigureTable {
    title: String,
    /// What its styles mean.
    legend: Line<'static>,
    /// The headings, and whether the column is one of words.
    headings: Vec<(String, bool)>,
    /// The row of the list that each row belongs to, if any, and its cells.
    rows: Vec<(Option<usize>, Vec<Span<'static>>)>,
    /// The row that stays visible.
    cursor: usize,
    /// What is to be said about that row.
    notes: Vec<String>,
}

impl FigureTable {
    fn column(&self, place: usize) -> TableColumn<'static> {
        let (heading, is_words) = &self.headings[place];
        let cells = self.rows.iter().map(|(_, cells)| &*cells[place].content);
        let width = widest(cells.chain([heading.as_str()]));
        if *is_words {
            TableColumn::words(heading.clone(), width.min(MOST_NAME))
        } else {
            TableColumn::number(heading.clone(), width.min(MOST_WIDTH.max(heading.len())))
        }
    }

    fn draw(&self, theme: &Theme, area: Rect, buf: &mut Buffer) -> Regions<RunsTarget> {
        let frame = Frame {
            bottom_right: self.legend.clone(),
            ..Frame::titled(self.title.clone())
        };
        let inner = inset(frame.draw(Focus::Elsewhere, theme, area, buf), 1);
        let notes = self.notes.iter();
        let notes = notes.flat_map(|note| wrapped(note, inner.width.into(), theme.dim));
        let notes: Vec<Line<'_>> = notes.take(MOST_NOTES).collect();
        let least = notes.len() as u16 + 6;
        let height = if inner.height < least {
            0
        } else {
            notes.len() as u16
        };
        let (inner, foot) = cut_below(inner, height);
        put_all(buf, foot, notes);
        let columns = (0..self.headings.len()).map(|place| self.column(place));
        let layout = TableLayout {
            columns: columns.collect(),
            gap: 2,
        };
        let layout = layout.fitted(inner.width.into());
        put(buf, inner, 0, layout.headings(theme.dim));
        let body = below(inner, 1);
        let list = ScrollList::selecting(self.rows.len(), self.cursor);
        let mut regions = Regions::default();
        for (row, line) in list.visible(body) {
            if let Some(target) = self.rows[row].0 {
                regions.add(line, RunsTarget::Row(target));
            }
        }
        list.draw(theme, body, buf, |row| {
            layout.row(self.rows[row].1.iter().cloned())
        });
        list.scrollbar(theme, body.height, area, buf);
        regions
    }
}

/// Draws the table and returns its rows as click targets.
pub(super) fn draw_table(
    screen: &RunsScreen,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) -> Regions<RunsTarget> {
    table(screen, theme).draw(theme, area, buf)
}

/// The headings and the cells of the table.
pub(super) fn records(screen: &RunsScreen) -> Vec<Vec<String>> {
    let table = table(screen, &Theme::dark());
    let headings = table.headings.into_iter().map(|(heading, _)| heading);
    let cells = |row: Vec<Span<'_>>| {
        row.into_iter()
            .map(|cell| cell.content.into_owned())
            .collect()
    };
    let rows = table.rows.into_iter().map(|(_, row)| cells(row));
    std::iter::once(headings.collect()).chain(rows).collect()
}

fn table(screen: &RunsScreen, theme: &Theme) -> FigureTable {
    let matrix = screen
        .experiment()
        .and_then(|experiment| experiment.matrix.as_ref());
    match matrix.filter(|_| screen.list().has_groups()) {
        Some(results) => schemes(screen, results, theme),
        None if screen.list().has_groups() => groups(screen, theme),
        None => runs(screen, theme),
    }
}

/// A row for each run of the list.
fn runs(screen: &RunsScreen, theme: &Theme) -> FigureTable {
    let list = screen.list();
    let column = screen.figures.column.as_ref();
    let label = column.map_or("result", |column| &column.short);
    let headings = [
        ("run", true),
        ("", true),
        ("generations", false),
        (label, false),
    ];
    let headings = headings
        .into_iter()
        .chain([("seed", false), ("preset", true)]);
    let runs = list.rows().iter().enumerate().map(|(index, row)| {
        let run = &list.entries()[row.members[0]];
        (index, run)
    });
    let runs = runs.filter(|(_, run)| run.experiment.is_none());
    let rows = runs.map(|(index, run)| {
        let value = column.and_then(|column| Some((column, run.latest(&column.name)?)));
        let value = value.map_or("-".to_owned(), |(column, value)| {
            format::figure(column, value)
        });
        let cells = [
            (run.name.clone(), theme.text),
            (run.status.word().to_owned(), run.status.style(theme)),
            (format::whole(run.generation), theme.text),
            (value, theme.strong),
            (run.seed.to_string(), theme.dim),
            (run.preset.clone(), theme.dim),
        ];
        let cells = cells.map(|(text, style)| Span::styled(text, style));
        (Some(index), cells.to_vec())
    });
    let rows: Vec<_> = rows.collect();
    FigureTable {
        title: format!("{}: latest values", counted(rows.len() as u64, "run")),
        legend: Line::default(),
        headings: headings
            .map(|(name, is_words)| (name.to_owned(), is_words))
            .collect(),
        cursor: rows
            .iter()
            .position(|(row, _)| *row == Some(list.cursor()))
            .unwrap_or(0),
        notes: Vec::new(),
        rows,
    }
}

/// A row for each group, or for each combination of a sweep.
fn groups(screen: &RunsScreen, theme: &Theme) -> FigureTable {
    let groups = &screen.figures.groups;
    let sweep = screen.ranked_sweep();
    let parameters = sweep.as_ref().map(|sweep| &sweep.results.parameters[..]);
    let has_target = groups.iter().any(|group| group.summary.solved.is_some());
    let has_parts = sweep
        .as_ref()
        .is_some_and(|sweep| sweep.results.has_parts());
    let mut headings: Vec<(String, bool)> = match parameters {
        Some(names) => std::iter::once(("rank".to_owned(), false))
            .chain(names.iter().map(|name| (in_words(name), false)))
            .collect(),
        None => vec![("group".to_owned(), true)],
    };
    let mut add = |name: &str| headings.push((name.to_owned(), false));
    ["runs", "mean", "95 % CI of mean"]
        .into_iter()
        .for_each(&mut add);
    if has_target {
        add("solved");
    }
    if has_parts {
        add("generations");
    }
    ["p", "median", "min", "max"].into_iter().for_each(&mut add);
    let rows = groups.iter().enumerate().map(|(rank, group)| {
        let mut cells = labels(screen, rank, group);
        cells.extend(figures(group, has_target));
        if has_parts {
            let place = cells.len() - 4;
            let values = group.summary.values.iter();
            let most = values.map(|run| run.generations).max().unwrap_or(0);
            cells.insert(place, format::whole(most));
        }
        let is_clear = group.p.is_some_and(|p| p < 0.05);
        let style = match group.p {
            None => theme.good,
            Some(_) if is_clear => theme.dim,
            Some(_) => theme.text,
        };
        let cells = cells.into_iter().map(|text| Span::styled(text, style));
        (Some(group.row), cells.collect())
    });
    let rows: Vec<_> = rows.collect();
    let cursor = groups
        .iter()
        .position(|group| group.row == screen.list().cursor());
    let title = groups.first();
    let title = title.map(|group| measure_words(&group.summary.measure));
    FigureTable {
        title: title.unwrap_or_else(|| "no finished run yet".to_owned()),
        legend: Line::from(vec![
            Span::styled("best", theme.good),
            Span::styled(", not clearly worse", theme.text),
            Span::styled(", clearly worse", theme.dim),
        ]),
        headings,
        rows,
        cursor: cursor.unwrap_or(0),
        notes: cursor.map_or(Vec::new(), |place| notes(&groups[place])),
    }
}

/// What a group is: its name, or its rank and the values of its parameters.
fn labels(screen: &RunsScreen, rank: usize, group: &GroupSummary) -> Vec<String> {
    let name = &screen.list().rows()[group.row].name;
    let sweep = screen.ranked_sweep();
    let combination = sweep.and_then(|sweep| {
        let mut all = sweep.results.combinations.iter();
        all.find(|one| one.preset == *name)
    });
    match combination {
        Some(one) => {
            let values = one.values.iter().cloned();
            std::iter::once((rank + 1).to_string())
                .chain(values)
                .collect()
        }
        None => vec![name.clone()],
    }
}

/// A row for each scheme, a column for each game.
fn schemes(screen: &RunsScreen, results: &MatrixResults, theme: &Theme) -> FigureTable {
    let games = results.games();
    let headings = games.iter().map(|game| (game.replace('_', " "), false));
    let first = [("rank".to_owned(), false), ("scheme".to_owned(), true)];
    let current = screen
        .list()
        .current()
        .and_then(|row| row.members.first().copied());
    let current = screen.experiment().zip(current);
    let selected = current.map(|(experiment, place)| experiment.id(place).preset);
    let rows = results
        .schemes
        .iter()
        .map(|scheme| (None, scheme_cells(results, scheme, selected, theme)));
    let mut schemes = results.schemes.iter();
    let shown = selected.and_then(|place| results.cells.get(place));
    let cursor = schemes.position(|one| shown.is_some_and(|cell| cell.scheme == one.scheme));
    FigureTable {
        title: "Schemes by mean rank: the mean of the last champions, and its rank".to_owned(),
        legend: Line::from(vec![
            Span::styled("best of a game", theme.good),
            Span::styled(", not clearly worse", theme.strong),
            Span::styled(", clearly worse", theme.dim),
        ]),
        headings: first.into_iter().chain(headings).collect(),
        rows: rows.collect(),
        cursor: cursor.unwrap_or(0),
        notes: Vec::new(),
    }
}

/// The figures of a group, in the order of the headings.
fn figures(group: &GroupSummary, has_target: bool) -> Vec<String> {
    let summary = &group.summary;
    let bound = if summary.is_lower_bound { "≥" } else { "" };
    let figure = |value: f64| figure(&summary.measure, value);
    let mut cells = vec![summary.n.to_string()];
    let Some(all) = summary.all else {
        cells.extend(vec![String::new(); 6 + usize::from(has_target)]);
        return cells;
    };
    let ends = [all.mean_low, all.mean_high].map(figure);
    cells.push(format!("{bound}{}", figure(all.mean)));
    cells.push(ends.join(" to "));
    if has_target {
        let solved = summary.solved.map(|count| count.to_string());
        cells.push(solved.unwrap_or_default());
    }
    cells.push(group.p.map_or_else(|| "-".to_owned(), p_value));
    cells.extend([all.median, all.min, all.max].map(figure));
    cells
}

/// The notes of the printed table about a group.
fn notes(group: &GroupSummary) -> Vec<String> {
    let mut notes = printed_notes(&group.summary);
    // The published result comes last and matters most.
    notes.reverse();
    notes
}

fn scheme_cells(
    results: &MatrixResults,
    scheme: &SchemeResult,
    selected: Option<usize>,
    theme: &Theme,
) -> Vec<Span<'static>> {
    let rank = scheme.mean_rank.map(|rank| format!("{rank:.1}"));
    let mut cells = vec![
        Span::styled(rank.unwrap_or_else(|| "-".to_owned()), theme.text),
        Span::styled(scheme.scheme.clone(), theme.text),
    ];
    for game in results.games() {
        let mut places = results.cells.iter().enumerate();
        let cell = places.find(|(_, cell)| cell.game == game && cell.scheme == scheme.scheme);
        let best = results.best.iter().find(|best| best.game == game);
        let name = &scheme.scheme;
        let style: Style = match (cell, best) {
            (Some((place, _)), _) if Some(place) == selected => theme.selection,
            (_, Some(best)) if best.scheme == *name => theme.good,
            (_, Some(best)) if best.rivals.contains(name) => theme.strong,
            _ => theme.dim,
        };
        let words = |(_, cell): (usize, &CellResult)| match cell.mean.zip(cell.rank) {
            Some((mean, rank)) => format!("{} ({})", figure(&cell.column, mean), rank.floor()),
            None => "-".to_owned(),
        };
        cells.push(Span::styled(cell.map_or_else(String::new, words), style));
    }
    cells
}
