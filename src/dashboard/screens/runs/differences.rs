//! What differs between the shown lines: their parameters, then their results.

use std::iter;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::format;
use crate::model::run::RunModel;
use crate::theme::Theme;
use crate::widgets::frame::{Frame, content};
use crate::widgets::series_marker::{line_style, marker};
use crate::widgets::table::{TableColumn, TableLayout};
use crate::widgets::truncate::{widest, wrapped};
use finches_engine::metrics::Column;
use finches_engine::session::measures::progress;
use finches_lab::experiment::fork::results::{at_end, change_words};
use finches_runs::storage::run_filter::RunFacts;

use super::curves::is_averaged;
use super::groups::figure;
use super::list::RunRow;
use super::parameters::{MISSING, in_words, short_name};
use super::{RunsScreen, RunsView, fork, groups, view};

/// The parameters that belong to no part of a preset.
const WITHOUT_PARTS: [&str; 2] = ["generations", "until"];

/// Columns that say how much was played, not how well.
const LAST: [&str; 3] = [
    progress::GAMES.name,
    progress::MOVES.name,
    progress::SECONDS.name,
];

/// The narrowest column of names and of values, the widest of values, and the gap between two.
const LEAST_NAME: usize = 16;
const LEAST_VALUE: usize = 4;
const MOST_VALUE: usize = 10;
const GAP: usize = 2;

/// What differs between lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    name: String,
    /// Of each line.
    values: Vec<String>,
    /// Of two lines: from the first to the second, if they are numbers.
    change: String,
    /// The interval of the change in words, if there is one, and whether it leaves out 0.
    interval: String,
    is_clear: Option<bool>,
    /// Whether the change is one for the better, if it can be.
    is_better: Option<bool>,
}

impl Difference {
    /// `None` if the values are the same.
    fn of(name: String, values: Vec<Option<String>>, change: Option<String>) -> Option<Self> {
        let differs = values.windows(2).any(|pair| pair[0] != pair[1]);
        let words = |value: Option<String>| match value.as_deref() {
            None => MISSING.to_owned(),
            Some("") => "none".to_owned(),
            Some(value) => value.to_owned(),
        };
        differs.then(|| Self {
            name,
            values: values.into_iter().map(words).collect(),
            change: change.unwrap_or_default(),
            interval: String::new(),
            is_clear: None,
            is_better: None,
        })
    }

    /// The change with its interval.
    fn change_words(&self) -> String {
        format!("{}{}", self.change, self.interval)
    }
}

/// Draws the lines, then a row for each parameter and each result in which they differ.
pub(super) fn draw(
    screen: &RunsScreen,
    mut parts: [Vec<Difference>; 2],
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let lines = screen.figures.lines.len();
    let width = usize::from(content(area).width);
    let shown = most_lines(&parts.concat(), lines, width);
    if !intervals_fit(&parts.concat(), width) {
        let differences = parts.iter_mut().flatten();
        differences.for_each(|one| one.interval.clear());
    }
    let every = parts.concat();
    let of = if is_averaged(screen) { "means of " } else { "" };
    let mut note = format!("{of}latest values");
    if shown < lines {
        note = format!("{shown} of {lines} lines; {note}");
    }
    if every.iter().any(|one| !one.interval.is_empty()) {
        note += "; differences with 95% intervals";
    }
    let frame = Frame {
        bottom_right: Line::styled(note, theme.dim),
        ..Frame::titled("Differences")
    };
    view::draw_lines(screen, frame, theme, (area, buf), |width| {
        if let Some(refusal) = screen.refusal(RunsView::Differences) {
            return wrapped(&refusal, width, theme.dim);
        }
        let layout = layout(&every, shown, width);
        let mut lines = vec![names(screen, theme)];
        for (title, found) in ["Parameters", "Results"].into_iter().zip(&parts) {
            let count = match found.len() {
                0 => format!("{title}: the same"),
                count => format!("{title}: {}", format::whole(count as u64)),
            };
            let signs =
                (0..shown).map(|line| Span::styled(marker(line, theme), line_style(line, theme)));
            let title = iter::once(Span::styled(count, theme.strong)).chain(signs);
            let change = format!("{} minus {}", marker(1, theme), marker(0, theme));
            let title = title.chain([Span::styled(change, theme.dim)]);
            lines.extend([Line::default(), layout.row(title)]);
            lines.extend(found.iter().map(|one| {
                let values = one.values.iter().take(shown);
                let values = values.map(|value| Span::raw(value.clone()));
                let cells = iter::once(Span::styled(one.name.clone(), theme.text)).chain(values);
                let style = match (one.is_clear, one.is_better) {
                    (Some(false), _) => theme.dim,
                    (None, _) | (_, None) => theme.strong,
                    (_, Some(true)) => theme.good,
                    (_, Some(false)) => theme.bad,
                };
                layout.row(cells.chain([Span::styled(one.change_words(), style)]))
            }));
        }
        lines
    });
}

/// The number of lines whose values fit beside the names.
fn most_lines(all: &[Difference], lines: usize, width: usize) -> usize {
    let mut left = width.saturating_sub(LEAST_NAME);
    let fits = |line: &usize| {
        let widest = widest(all.iter().map(|one| one.values[*line].as_str()));
        let needed = GAP + widest.clamp(LEAST_VALUE, MOST_VALUE);
        let fits = needed <= left;
        left = left.saturating_sub(needed);
        fits
    };
    (0..lines).take_while(fits).count().max(lines.min(2))
}

/// Whether the changes of two lines fit with their intervals.
fn intervals_fit(all: &[Difference], width: usize) -> bool {
    let values = all.iter().map(|one| one.values.iter());
    let values = values.map(|values| widest(values.map(String::as_str)));
    let value = values.max().unwrap_or(0).clamp(LEAST_VALUE, MOST_VALUE);
    LEAST_NAME + 2 * (GAP + value) + GAP + widest_change(all) <= width
}

fn widest_change(all: &[Difference]) -> usize {
    let words: Vec<String> = all.iter().map(Difference::change_words).collect();
    widest(words.iter().map(String::as_str))
}

/// The columns: names, the values of each line and, of two lines, the differences.
fn layout(all: &[Difference], lines: usize, width: usize) -> TableLayout<'static> {
    let widest_of = |text: &dyn Fn(&Difference) -> &str| widest(all.iter().map(text));
    let change = widest_change(all).max("difference".len());
    let has_change = all.iter().all(|one| one.values.len() == 2);
    let change = has_change.then_some(change);
    let left = width.saturating_sub(LEAST_NAME + change.map_or(0, |width| width + GAP));
    let most = (left / lines.max(1)).saturating_sub(GAP).max(LEAST_VALUE);
    let values =
        (0..lines).map(|line| widest_of(&|one| &one.values[line]).clamp(LEAST_VALUE, most));
    let numbers: Vec<usize> = values.chain(change).collect();
    let room = width.saturating_sub(numbers.iter().map(|width| width + GAP).sum());
    let name = widest_of(&|one| &one.name).min(room).max(LEAST_NAME);
    let numbers = numbers
        .into_iter()
        .map(|width| TableColumn::number("", width));
    let columns = iter::once(TableColumn::words("", name)).chain(numbers);
    let columns = columns.collect();
    TableLayout { columns, gap: GAP }.fitted(width)
}

/// The parameters and the results in which the shown lines differ.
pub(super) fn all(screen: &RunsScreen, live: Option<&RunModel>) -> [Vec<Difference>; 2] {
    [parameters(screen), results(screen, live)]
}

/// The number of lines below the names.
pub(super) fn length(parts: &[Vec<Difference>; 2]) -> usize {
    parts.iter().map(|part| part.len() + 2).sum()
}

/// The names of the lines with their markers.
fn names<'a>(screen: &RunsScreen, theme: &Theme) -> Line<'a> {
    let lines = screen.figures.lines.iter().enumerate();
    let names = lines.flat_map(|(place, line)| {
        let sign = format!("{} ", marker(place, theme));
        let name = Span::styled(format!("{}   ", screen.label(line)), theme.text);
        [Span::styled(sign, line_style(place, theme)), name]
    });
    names.collect()
}

/// The parameters in which the lines differ, first the choices of parts; `various` stands for a
/// line whose runs differ.
fn parameters(screen: &RunsScreen) -> Vec<Difference> {
    let entries = screen.list().entries();
    let facts = |line: &RunRow| -> Vec<&RunFacts> {
        let members = line.members.iter();
        members
            .filter_map(|&place| entries[place].facts.as_ref())
            .collect()
    };
    let lines: Vec<Vec<&RunFacts>> = screen.figures.lines.iter().map(facts).collect();
    let kinds = screen.kinds(None);
    let choices = kinds.first().map(|kind| kind.preset.choices());
    let choices = choices.into_iter().flatten().map(|(key, _)| key);
    let first: Vec<String> = choices.chain(WITHOUT_PARTS).map(str::to_owned).collect();
    let mut others = RunFacts::differing(&lines.concat());
    others.retain(|key| !first.contains(key));
    let keys: Vec<String> = first.into_iter().chain(others).collect();
    let name = |key: &String| {
        let is_same = |other: &&String| short_name(other) == short_name(key);
        let is_clear = keys.iter().filter(is_same).count() == 1;
        if is_clear {
            short_name(key)
        } else {
            in_words(key)
        }
    };
    let difference = |key: &String| {
        let value = |line: &Vec<&RunFacts>| {
            let mut values = line.iter().map(|run| run.text(key));
            let first = values.next()?;
            let is_same = values.all(|value| value == first);
            if is_same {
                first
            } else {
                Some("various".to_owned())
            }
        };
        let values: Vec<Option<String>> = lines.iter().map(value).collect();
        let number = |line: usize| values[line].as_ref()?.parse::<f64>().ok();
        let change = || {
            let change = number(1)? - number(0)?;
            let sign = if change > 0.0 { "+" } else { "" };
            Some(sign.to_owned() + &format::parameter(&change.to_string()))
        };
        let change = if lines.len() == 2 { change() } else { None };
        let in_words = |value: Option<String>| value.map(|text| format::parameter(&text));
        let words = values.iter().cloned().map(in_words).collect();
        Difference::of(name(key), words, change)
    };
    let seed = |line: &RunRow| match line.members[..] {
        [one] => Some(entries[one].seed.to_string()),
        _ => None,
    };
    let seeds = screen.figures.lines.iter().map(seed).collect();
    let seeds = Difference::of("seed".to_owned(), seeds, None);
    keys.iter().filter_map(difference).chain(seeds).collect()
}

/// The generations that met the target, or the latest ones, and the columns in whose latest values
/// the lines differ. What is counted or timed comes last.
fn results(screen: &RunsScreen, live: Option<&RunModel>) -> Vec<Difference> {
    let entries = screen.list().entries();
    let latest = |line: &RunRow| {
        let done = line.members.iter().map(|&place| entries[place].generation);
        let latest = done.filter_map(|done| done.checked_sub(1));
        let (sum, runs) = latest.fold((0, 0_u32), |(sum, runs), one| (sum + one, runs + 1));
        (runs > 0).then(|| format!("g{}", format::rounded(sum as f64 / f64::from(runs))))
    };
    let lines = &screen.figures.lines;
    let times = lines
        .iter()
        .map(|line| groups::time_to_target(screen, line));
    let times: Vec<Option<String>> = times.collect();
    let generations = if times.iter().all(Option::is_some) {
        Difference::of("target met at".to_owned(), times, None)
    } else {
        let latest = lines.iter().map(latest).collect();
        Difference::of("latest generation".to_owned(), latest, None)
    };
    let pairs = screen.fork().map(|(experiment, _)| {
        let pairs = fork::pairs(experiment, screen.list());
        (experiment, pairs)
    });
    let difference = |column: Column| {
        let latest = |line: &RunRow| screen.list().mean(line, &column.name);
        let values: Vec<Option<f64>> = screen.figures.lines.iter().map(latest).collect();
        let change = match values[..] {
            [Some(first), Some(second)] => Some(change_words(&column, second - first)),
            _ => None,
        };
        // As precise as the difference.
        let figure = |value| figure(&column.name, value);
        let words = values.into_iter().map(|value| value.map(figure));
        let words = words.collect();
        let is_short = column.label.len() <= LEAST_NAME;
        let name = if is_short {
            &column.label
        } else {
            &column.short
        };
        let mut found = Difference::of(name.clone(), words, change)?;
        let paired = pairs.as_ref().and_then(|(experiment, pairs)| {
            let place = experiment.setup.columns[0].place(&column.name)?;
            at_end(pairs, place).filter(|difference| difference.interval.is_some())
        });
        if let Some(difference) = paired {
            found.change = change_words(&column, difference.mean);
            found.interval = fork::in_parentheses(&column, &difference);
            found.is_clear = Some(difference.is_clear());
            found.is_better = fork::is_better(&column, difference.mean);
        }
        Some(found)
    };
    let mut columns = screen.columns(live);
    columns.sort_by_key(|column| LAST.contains(&column.name.as_str()));
    let columns = columns.into_iter().filter_map(difference);
    generations.into_iter().chain(columns).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_are_no_difference_and_columns_fit_their_values() {
        let of = |name: &str, values: [Option<&str>; 2]| {
            let values = values.map(|value| value.map(str::to_owned));
            Difference::of(name.to_owned(), values.to_vec(), Some("+1".to_owned()))
        };
        assert_eq!(of("population", [Some("80"), Some("80")]), None);
        let found = of("population", [Some("80"), None]).expect("one has none");
        assert_eq!(found.values, ["80", "n/a"]);
        let check = |width, expected: &[usize]| {
            let layout = layout(std::slice::from_ref(&found), 2, width);
            let widths = layout.columns.iter().map(|column| column.width);
            assert_eq!(widths.collect::<Vec<_>>(), expected, "{width}");
        };
        check(60, &[16, 4, 4, 10]);
        check(30, &[16, 4, 4]);
    }
}
