//! The table of a set: runs, groups with their tests, combinations of a sweep by rank, or schemes
//! by games. One table with other columns.

use std::collections::BTreeMap;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::format;
use crate::keymap::{self, Action};
use crate::mouse::Regions;
use crate::theme::{ELLIPSIS, Theme};
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::list::ScrollList;
use crate::widgets::table::{TableColumn, TableLayout};
use crate::widgets::text::{below, cut_below, put, put_all};
use crate::widgets::truncate::{truncate, widest, wrapped};
use finches_engine::text::{counted, p_value};
use finches_lab::experiment::matrix::results::{CellResult, MatrixResults, SchemeResult};
use finches_lab::experiment::summary::{PresetSummary, SummaryStatistics};
use finches_lab::experiment::sweep::results::SweepResults;
use finches_lab::experiment::sweep::table::confirmation_text;
use finches_lab::experiment::table::{bound_sign, notes as printed_notes, published_words};
use finches_runs::storage::experiments::manifest::RunId;

use super::actions::AGAIN;
use super::groups::{GroupSummary, figure, measure_words};
use super::islands::IslandsSummary;
use super::list_view::sign_of;
use super::parameters::{in_words, last_word};
use super::sweep::verdict;
use super::{RunsScreen, RunsTarget, island_name};

/// The widest column of a parameter or a game, and the widest name.
const MOST_WIDTH: usize = 16;
const MOST_NAME: usize = 34;

/// The heading of the column of the markers in the chart.
const MARK: &str = "";

/// The rows that notes leave to a table at least, if it has as many.
const LEAST_ROWS: usize = 5;

/// A table of figures.
#[derive(Default)]
pub(super) struct FigureTable {
    title: String,
    /// At the right of the title.
    verdict: Line<'static>,
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

    /// The notes as lines.
    fn noted(&self, width: u16, theme: &Theme) -> Vec<Line<'static>> {
        let room = usize::from(width).saturating_sub(1);
        let notes = self.notes.iter();
        notes
            .flat_map(|note| wrapped(note, room, theme.dim))
            .collect()
    }

    /// The rows that it needs with its frame, in an area of some width.
    pub(super) fn height(&self, width: u16, theme: &Theme) -> usize {
        self.rows.len() + 4 + self.noted(width.saturating_sub(4), theme).len()
    }

    /// Draws the table and returns its rows as click targets.
    pub(super) fn draw(&self, theme: &Theme, area: Rect, buf: &mut Buffer) -> Regions<RunsTarget> {
        let columns = (0..self.headings.len()).map(|place| self.column(place));
        let layout = TableLayout {
            columns: columns.collect(),
            gap: 2,
        };
        let layout = layout.fitted(usize::from(area.width).saturating_sub(4));
        let left_out = self.headings[layout.columns.len()..].iter();
        let left_out: Vec<&str> = left_out.map(|(heading, _)| heading.as_str()).collect();
        let left_out = match left_out.join(", ").as_str() {
            "" => String::new(),
            some => format!("left out: {some}"),
        };
        let room = usize::from(area.width).saturating_sub(6);
        // What its colors mean gives way to what it lacks.
        let fits = left_out.chars().count() + self.legend.width() < room;
        let legend = Some(self.legend.clone()).filter(|_| fits);
        let frame = Frame {
            bottom_left: Line::styled(truncate(&left_out, room), theme.dim),
            right: self.verdict.clone(),
            bottom_right: legend.unwrap_or_default(),
            ..Frame::titled(self.title.clone())
        };
        let inner = frame.pane(Focus::Elsewhere, theme, area, buf);
        let mut notes = self.noted(inner.width, theme);
        let most = usize::from(inner.height).saturating_sub(self.rows.len().min(LEAST_ROWS) + 1);
        if notes.len() > most {
            notes.truncate(most);
            let last = notes.last_mut().into_iter();
            last.for_each(|last| last.push_span(Span::styled(ELLIPSIS, theme.dim)));
        }
        // Below the rows, or at the foot where these need all room.
        let (above, _) = cut_below(inner, notes.len() as u16);
        let foot = below(inner, above.height.min(self.rows.len() as u16 + 2));
        let inner = above;
        put_all(buf, foot, notes);
        put(buf, inner, 0, layout.headings(theme.dim));
        let body = below(inner, 1);
        let marks = self.headings.first().is_some_and(|it| it.0 == MARK);
        let list = ScrollList::selecting(self.rows.len(), self.cursor);
        let list = list.marked(if marks { 2 } else { 0 });
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

/// The headings and the cells of the table, with what its figures are of.
pub(super) fn records(screen: &RunsScreen) -> Vec<Vec<String>> {
    if !screen.figures.groups.is_empty() {
        return group_records(screen);
    }
    let table = table(screen, &Theme::dark());
    let marks = table.headings.iter().take_while(|it| it.0 == MARK).count();
    let headings = table.headings[marks..].iter().map(|it| it.0.clone());
    let headings: Vec<String> = headings.collect();
    let chosen = screen.list().displayed();
    let is_shown = |(row, _): &(Option<usize>, Vec<_>)| {
        let members = row.map(|row| &screen.list().rows()[row].members);
        chosen.is_empty() || members.is_none_or(|all| all.iter().any(|it| chosen.contains(it)))
    };
    let rows = table.rows.into_iter().filter(is_shown).map(|(_, row)| {
        let cells = row.into_iter().map(|cell| cell.content.into_owned());
        cells.skip(marks).collect()
    });
    std::iter::once(headings).chain(rows).collect()
}

/// The records of groups: those of `summary.csv`, with the p-value beside the best.
fn group_records(screen: &RunsScreen) -> Vec<Vec<String>> {
    let head = PresetSummary::HEADER.split(',');
    let head = ["group"].into_iter().chain(head).chain(["p_vs_best"]);
    let head = head.map(str::to_owned).collect();
    let record = |group: &GroupSummary| {
        let name = screen.words(&screen.list().rows()[group.row]);
        let p = group.p.map(|p| p.to_string()).unwrap_or_default();
        let own = group.summary.fields().into_iter();
        [name].into_iter().chain(own).chain([p]).collect()
    };
    let records = screen.figures.groups.iter().map(record);
    std::iter::once(head).chain(records).collect()
}

pub(super) fn table(screen: &RunsScreen, theme: &Theme) -> FigureTable {
    let matrix = screen.experiment().and_then(|it| it.matrix.as_ref());
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
    let islands = screen.figures.islands.as_ref();
    // The parameters that islands have of their own.
    let all: Vec<usize> = (0..list.entries().len()).collect();
    let own = islands.map_or_else(Vec::new, |_| list.differing(&all));
    let label = column.map_or("objective", |column| column.short.as_str());
    let rows = list.rows().iter().enumerate();
    let rows = rows.map(|(index, row)| (index, row, &list.entries()[row.members[0]]));
    let rows = rows.filter(|(.., run)| run.experiment.is_none());
    let rows = rows.map(|(index, row, run)| {
        // Without a column it is that of each run.
        let objective = || {
            let own = run.objective.clone().filter(|_| column.is_none());
            own.unwrap_or_else(|| "-".to_owned())
        };
        let value = column.and_then(|column| {
            let value = run.latest(&column.name)?;
            Some(column.figure(value))
        });
        let cell = |heading: &str, is_words, (text, style)| {
            ((last_word(heading), is_words), Span::styled(text, style))
        };
        let value = (value.unwrap_or_else(objective), theme.strong);
        let seed = (run.seed.to_string(), theme.dim);
        // The latest generation, as in the list and on the axis of the chart.
        let latest = run.generation.checked_sub(1);
        let latest = latest.map_or_else(String::new, |at| format!("g{}", format::whole(at)));
        let state = (run.status.word().to_owned(), run.status.style(theme));
        let first = [
            cell(MARK, true, sign_of(screen, row, theme)),
            cell("run", true, (screen.label(row), theme.text)),
        ];
        let state = [
            cell("state", true, state),
            cell("latest", false, (latest, theme.text)),
        ];
        let mut cells = Vec::from(first);
        match islands {
            None => {
                cells.extend(state);
                cells.push(cell(label, false, value));
                cells.push(cell("seed", false, seed));
                cells.push(cell("preset", true, (run.preset.clone(), theme.dim)));
            }
            // They have one preset, and names with their seeds. What is of islands alone comes
            // before what may not fit.
            Some(islands) => {
                let led = format::percent(islands.led[row.members[0]]);
                let senders = sources_of(screen, run.seed).unwrap_or_default();
                cells.push(cell(label, false, value));
                cells.push(cell("led (ties shared)", false, (led, theme.text)));
                cells.push(cell("receives from", true, (senders, theme.text)));
                cells.extend(own.iter().map(|key| {
                    let value = run.facts.as_ref().and_then(|facts| facts.text(key));
                    let value = value.map_or_else(String::new, |text| format::parameter(&text));
                    cell(key, false, (value, theme.text))
                }));
                cells.extend(state);
            }
        }
        (index, cells)
    });
    let rows: Vec<_> = rows.collect();
    let cursor = rows.iter().position(|(row, _)| *row == list.cursor());
    let headings = rows.first().into_iter().flat_map(|(_, cells)| cells);
    let headings = headings.map(|(heading, _)| heading.clone()).collect();
    let spans = |(row, cells): (usize, Vec<(_, Span<'static>)>)| {
        (Some(row), cells.into_iter().map(|(_, cell)| cell).collect())
    };
    let leader = islands.and_then(IslandsSummary::leader_words);
    let enter = keymap::label(screen.scope(), Action::Enter);
    let again = (screen.opening_words() == AGAIN).then(|| {
        let words = "evolves it again from generation 0, with the same result, and saves that run";
        format!("{enter} {words}")
    });
    let most = islands.and_then(IslandsSummary::most_words);
    let arrivals = islands.zip(column);
    let arrivals = arrivals.map(|(islands, column)| islands.arrival_words(column, theme));
    FigureTable {
        title: match list.displayed().len() {
            0 => format!("{}: latest values", counted(rows.len() as u64, "run")),
            chosen => format!("Latest values: {chosen} of {} runs chosen", rows.len()),
        },
        verdict: Line::styled(leader.unwrap_or_default(), theme.good),
        headings,
        cursor: cursor.unwrap_or(0),
        notes: most.into_iter().chain(arrivals).chain(again).collect(),
        rows: rows.into_iter().map(spans).collect(),
        ..FigureTable::default()
    }
}

/// The islands from which the one with a seed receives members.
fn sources_of(screen: &RunsScreen, seed: u64) -> Option<String> {
    let manifest = &screen.experiment()?.setup.manifest;
    let sources = manifest.sources(RunId { preset: 0, seed });
    let places = sources
        .iter()
        .map(|it| (it.seed - manifest.first_seed) as usize);
    let places: Vec<usize> = places.collect();
    Some(match places[..] {
        [one] => island_name(one),
        _ if places.len() as u64 + 1 == manifest.runs => "all others".to_owned(),
        _ => {
            let numbers = places.iter().map(|place| (place + 1).to_string());
            format!("islands {}", numbers.collect::<Vec<_>>().join(", "))
        }
    })
}

/// A row for each group, or for each combination of a sweep.
fn groups(screen: &RunsScreen, theme: &Theme) -> FigureTable {
    let groups = &screen.figures.groups;
    let (headings, columns) = group_columns(screen);
    // Runs of a fork are compared in pairs, beside the table.
    let is_fork = screen.fork().is_some();
    let is_worse = |group: &GroupSummary| group.p.is_some_and(|p| p < 0.05);
    // Without a worse one, none is marked as the best.
    let has_best = groups.len() == 1 || groups.iter().any(is_worse);
    let has_best = |group: &GroupSummary| has_best && group.is_complete;
    let rows = groups.iter().enumerate().map(|(place, group)| {
        let style = match group.p {
            _ if is_fork => theme.text,
            None if has_best(group) => theme.good,
            Some(_) if is_worse(group) => theme.dim,
            _ => theme.text,
        };
        let cells = columns.iter().map(|column| column[place].clone());
        let cells = cells.map(|text| Span::styled(text, style));
        let (sign, style) = sign_of(screen, &screen.list().rows()[group.row], theme);
        let mark = std::iter::once(Span::styled(sign, style));
        (Some(group.row), mark.chain(cells).collect())
    });
    let mut places = groups.iter();
    let cursor = places.position(|group| group.row == screen.list().cursor());
    let notes = notes(screen, groups, cursor);
    let unfinished = unfinished(screen);
    let sweep = screen.ranked_sweep().filter(|_| screen.is_sweep());
    let confirmed = sweep.and_then(|it| {
        let confirmation = it.confirmation.as_ref()?;
        // The table has values where the printed one has a name.
        let name = screen.list().values.as_ref()?.words(&confirmation.preset)?;
        Some(confirmation_text((it, confirmation), &name))
    });
    let title = groups.first();
    let title = title.map(|group| measure_words(&group.summary.measure));
    FigureTable {
        title: match title {
            Some(title) => title,
            None if screen.figures.asked.is_some() => format!("working them out{ELLIPSIS}"),
            None => "no finished run with a value yet".to_owned(),
        },
        verdict: sweep.and_then(|it| verdict(it, theme)).unwrap_or_default(),
        legend: if is_fork
            || groups
                .iter()
                .all(|group| group.is_too_few || group.p.is_none())
        {
            Line::default()
        } else {
            color_legend(["best", "not clearly worse"], theme.text, theme)
        },
        headings,
        rows: rows.collect(),
        cursor: cursor.unwrap_or(0),
        notes: confirmed
            .into_iter()
            .chain(unfinished)
            .chain(notes)
            .collect(),
    }
}

/// What the colors of rows or cells mean, where they can be told apart.
fn color_legend([best, close]: [&'static str; 2], style: Style, theme: &Theme) -> Line<'static> {
    if theme.dim == style {
        return Line::default();
    }
    let gap = || Span::styled(" · ", theme.dim);
    Line::from(vec![
        Span::styled(best, theme.good),
        gap(),
        Span::styled(close, style),
        gap(),
        Span::styled("clearly worse", theme.dim),
    ])
}

/// The groups that have no row because none of their runs has finished, in words.
fn unfinished(screen: &RunsScreen) -> Option<String> {
    let has_row = |place: usize| screen.figures.groups.iter().any(|it| it.row == place);
    let rows = screen.list().rows().iter().enumerate();
    let left = rows.filter(|(place, _)| !screen.figures.groups.is_empty() && !has_row(*place));
    let names: Vec<String> = left.map(|(_, row)| screen.label(row)).collect();
    match &names[..] {
        [] => None,
        [one] => Some(format!("no finished run with a value: {one}")),
        [first, rest @ ..] => Some(format!(
            "no finished run with a value: {first} and {} more",
            rest.len()
        )),
    }
}

/// The headings of the table of groups, and the cells of each column.
fn group_columns(screen: &RunsScreen) -> (Vec<(String, bool)>, Vec<Vec<String>>) {
    type CellText<'a> = &'a dyn Fn(&GroupSummary) -> String;
    let groups = &screen.figures.groups;
    let (mut headings, mut columns) = (vec![(MARK.to_owned(), true)], Vec::new());
    let mut add = |heading: &str, is_words, cell: CellText<'_>| {
        headings.push((heading.to_owned(), is_words));
        columns.push(groups.iter().map(cell).collect());
    };
    let name = |group: &GroupSummary| &screen.list().rows()[group.row].name;
    let sweep = screen.ranked_sweep();
    match sweep {
        None => add("group", true, &|group| name(group).clone()),
        Some(sweep) => {
            let combinations = (1..).zip(&sweep.combinations);
            let known = combinations.map(|(rank, one)| (&one.preset, (rank, &one.values)));
            let known: BTreeMap<&String, (usize, &Vec<String>)> = known.collect();
            let of = |group: &GroupSummary| known.get(name(group));
            add("rank", false, &|group| {
                let rank = of(group).filter(|_| group.is_complete);
                rank.map_or_else(String::new, |(rank, _)| rank.to_string())
            });
            for (index, parameter) in sweep.parameters.iter().enumerate() {
                add(&in_words(parameter), false, &|group| {
                    of(group).map_or_else(String::new, |(_, values)| values[index].clone())
                });
            }
        }
    }
    let sign = |group: &GroupSummary, place: usize| bound_sign(group.summary.bounds()[place]);
    let figure = |group: &GroupSummary, place, value: fn(&SummaryStatistics) -> f64| {
        let all = group.summary.all.as_ref();
        all.map_or_else(String::new, |all| {
            let figure = figure(&group.summary.measure, value(all));
            format!("{}{figure}", sign(group, place))
        })
    };
    add("runs", false, &|group| group.summary.n.to_string());
    add("mean", false, &|group| figure(group, 2, |all| all.mean));
    let interval = |group: &GroupSummary| {
        let all = group.summary.all;
        let Some((low, high)) = all.and_then(|all| all.mean_low.zip(all.mean_high)) else {
            return "-".to_owned();
        };
        let [low, high] = [low, high].map(|end| super::groups::figure(&group.summary.measure, end));
        let low = low.trim_end_matches('%');
        format!("{}{low} to {high}", sign(group, 2))
    };
    add("95% CI", false, &interval);
    if groups.iter().any(|group| group.summary.solved.is_some()) {
        add("solved", false, &|group| {
            group
                .summary
                .solved
                .map_or_else(String::new, |count| count.to_string())
        });
    }
    if sweep.is_some_and(SweepResults::has_parts) {
        add("generations", false, &|group| {
            let values = group.summary.values.iter();
            format::whole(values.map(|run| run.generations).max().unwrap_or(0))
        });
    }
    if screen.fork().is_none() {
        add("p vs. best", false, &|group| match group.p {
            None if !group.is_complete => "running".to_owned(),
            _ if group.is_too_few => "too few runs".to_owned(),
            p => p.map_or_else(|| "-".to_owned(), p_value),
        });
    }
    add("median", false, &|group| figure(group, 1, |all| all.median));
    add("min", false, &|group| figure(group, 0, |all| all.min));
    add("max", false, &|group| figure(group, 3, |all| all.max));
    (headings, columns)
}

/// A row for each scheme, a column for each game.
fn schemes(screen: &RunsScreen, results: &MatrixResults, theme: &Theme) -> FigureTable {
    let games = results.games();
    let headings = games.iter().map(|game| (game.replace('_', " "), false));
    let first = [("rank".to_owned(), false), ("scheme".to_owned(), true)];
    let current = screen.experiment().zip(screen.list().current());
    let selected = current.map(|(experiment, row)| experiment.id(row.members[0]).preset);
    let rows = results.schemes.iter();
    let rows = rows.map(|scheme| (None, scheme_cells(results, scheme, selected, theme)));
    let mut schemes = results.schemes.iter();
    let shown = selected.and_then(|place| results.cells.get(place));
    let cursor = schemes.position(|one| shown.is_some_and(|cell| cell.scheme == one.scheme));
    FigureTable {
        title: "Schemes by mean rank: the mean of the last champions, and its rank".to_owned(),
        legend: color_legend(["best of a game", "not clearly worse"], theme.strong, theme),
        headings: first.into_iter().chain(headings).collect(),
        rows: rows.collect(),
        cursor: cursor.unwrap_or(0),
        ..FigureTable::default()
    }
}

/// The notes of the printed table: first what is published, of all presets if it differs between
/// them, then what is to be said of the group under the cursor.
fn notes(screen: &RunsScreen, groups: &[GroupSummary], cursor: Option<usize>) -> Vec<String> {
    let mut known: Vec<(String, &String)> = Vec::new();
    for line in groups.iter().map(|group| &group.summary) {
        let words = published_words(line);
        let words = words.filter(|words| known.iter().all(|(other, _)| other != words));
        known.extend(words.map(|words| (words, &line.preset)));
    }
    let named = known.iter().map(|(words, preset)| match known.len() {
        1 => words.clone(),
        _ => format!("{preset}: {words}"),
    });
    let own = cursor.map_or(Vec::new(), |place| printed_notes(&groups[place].summary));
    let own = own.into_iter();
    // What is known of a preset is not of its combinations with other values.
    let is_sweep = screen.ranked_sweep().is_some();
    let own = own.filter(|note| known.iter().all(|(other, _)| other != note));
    let own = own.filter(|note| !is_sweep || !note.starts_with("differs"));
    let name = cursor.filter(|_| groups.len() > 1);
    let name = name.map(|place| screen.label(&screen.list().rows()[groups[place].row]) + ": ");
    let own = own.map(|note| name.clone().unwrap_or_default() + &note);
    named.chain(own).collect()
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
