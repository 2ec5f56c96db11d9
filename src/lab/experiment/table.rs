//! The summary of an experiment as a table, with the published results beside ours: as cells and as
//! text.

use std::fmt::Write as _;

use crate::words::p_value;
use finches_engine::text::counted;

use super::summary::{PresetComparison, PresetSummary, Summary, SummaryStatistics};

/// The column headers of the table.
pub const HEADERS: [&str; 9] = [
    "preset",
    "n",
    "solved",
    "capped",
    "min",
    "median",
    "mean",
    "95 % CI of mean",
    "max",
];

/// A group of presets with the same measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableGroup {
    /// The measure.
    pub title: String,
    /// One per preset.
    pub rows: Vec<TableRow>,
}

/// A preset's row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// The texts of the columns, from the preset's name to the maximum.
    pub cells: [String; 9],
    /// Notes below the row, one line each; the published result comes last.
    pub notes: Vec<String>,
}

/// The table as text: a group for each measure, then the comparisons.
pub fn table(summary: &Summary) -> String {
    let mut text = String::new();
    for group in groups(summary) {
        push_group(&mut text, &group);
    }
    if !summary.comparisons.is_empty() {
        push_comparisons(&mut text, &summary.comparisons);
    }
    text
}

/// The table as groups of rows.
pub fn groups(summary: &Summary) -> Vec<TableGroup> {
    let mut measures: Vec<&str> = Vec::new();
    for line in &summary.presets {
        if !measures.contains(&line.measure.as_str()) {
            measures.push(&line.measure);
        }
    }
    let last = summary.first_seed + summary.runs - 1;
    let row = |line: &PresetSummary| TableRow {
        cells: cells(line, summary.runs),
        notes: notes(line),
    };
    let group = |measure: &str| {
        let lines = summary.presets.iter();
        TableGroup {
            title: format!("{measure}, seeds {} to {last}", summary.first_seed),
            rows: lines
                .filter(|line| line.measure == measure)
                .map(row)
                .collect(),
        }
    };
    measures.into_iter().map(group).collect()
}

impl TableGroup {
    /// The width of each column in characters.
    pub fn widths(&self) -> [usize; 9] {
        std::array::from_fn(|index| {
            let cells = self.rows.iter().map(|row| row.cells[index].chars().count());
            cells.fold(HEADERS[index].chars().count(), usize::max)
        })
    }
}

fn push_group(text: &mut String, group: &TableGroup) {
    push(text, format_args!("{}\n\n", group.title));
    let widths = group.widths();
    push_row(text, &HEADERS.map(ToOwned::to_owned), &widths);
    for row in &group.rows {
        push_row(text, &row.cells, &widths);
        for note in &row.notes {
            push(text, format_args!("    {note}\n"));
        }
    }
    text.push('\n');
}

fn push_row(text: &mut String, row: &[String; 9], widths: &[usize; 9]) {
    let first = format!("{:<width$}", row[0], width = widths[0]);
    let others = row[1..].iter().zip(&widths[1..]);
    let others = others.map(|(cell, width)| format!("{cell:>width$}"));
    let cells: Vec<String> = std::iter::once(first).chain(others).collect();
    push(text, format_args!("{}\n", cells.join("  ").trim_end()));
}

fn cells(line: &PresetSummary, runs: u64) -> [String; 9] {
    let count = |count: Option<usize>| count.map_or_else(|| "-".to_owned(), |n| n.to_string());
    let digits = digits(line);
    let cap = line.generations as f64;
    let figure = |pick: fn(&SummaryStatistics) -> f64| {
        let text = |stats: &SummaryStatistics| {
            let value = pick(stats);
            let mark = if line.is_lower_bound && value >= cap {
                "≥"
            } else {
                ""
            };
            format!("{mark}{}", number(value, digits))
        };
        line.all.as_ref().map_or_else(|| "-".to_owned(), text)
    };
    let mark = if line.is_lower_bound { "≥" } else { "" };
    let mean = line.all.map_or_else(
        || "-".to_owned(),
        |stats| format!("{mark}{}", number(stats.mean, digits)),
    );
    let interval = line.all.map_or_else(
        || "-".to_owned(),
        |stats| format!("{mark}[{}]", interval(&stats, digits)),
    );
    [
        line.preset.clone(),
        if line.n as u64 == runs {
            line.n.to_string()
        } else {
            format!("{} of {runs}", line.n)
        },
        count(line.solved),
        count(line.capped),
        figure(|stats| stats.min),
        figure(|stats| stats.median),
        mean,
        interval,
        figure(|stats| stats.max),
    ]
}

/// Decimal places: one for generations, four for values of columns.
fn digits(line: &PresetSummary) -> usize {
    if line.solved.is_some() { 1 } else { 4 }
}

fn interval(stats: &SummaryStatistics, digits: usize) -> String {
    let (low, high) = (stats.mean_low, stats.mean_high);
    format!("{}, {}", number(low, digits), number(high, digits))
}

fn number(value: f64, digits: usize) -> String {
    if value.fract() == 0.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.digits$}")
    }
}

/// The notes below a row.
fn notes(line: &PresetSummary) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(capped) = line.capped.filter(|&capped| capped > 0) {
        let (generations, digits) = (line.generations, digits(line));
        notes.push(format!(
            "{} did not reach the target by generation {generations}, counted as {generations}; ≥ \
            marks lower bounds",
            counted(capped, "run")
        ));
        notes.push(match line.of_solved {
            None => "solved runs only: none".to_owned(),
            Some(stats) => format!(
                "solved runs only: min {}, median {}, mean {} [{}], max {}",
                number(stats.min, digits),
                number(stats.median, digits),
                number(stats.mean, digits),
                interval(&stats, digits),
                number(stats.max, digits)
            ),
        });
    }
    if line.without > 0 {
        notes.push(format!(
            "left out: {} without a value",
            counted(line.without, "run")
        ));
    }
    notes.extend(line.differs.iter().map(|words| format!("differs: {words}")));
    if !line.published.is_empty() {
        let source = if line.source.is_empty() {
            String::new()
        } else {
            format!(" ({})", line.source)
        };
        notes.push(format!("published: {}{source}", line.published));
    }
    notes
}

fn push_comparisons(text: &mut String, pairs: &[PresetComparison]) {
    text.push_str(
        "Mann-Whitney U test, two-sided; Holm: p adjusted for multiple comparisons; A: \
        probability that the first preset has the higher value, ties counted as half\n\n",
    );
    let width = |name: fn(&PresetComparison) -> &str| {
        let widths = pairs.iter().map(|pair| name(pair).chars().count());
        widths.max().unwrap_or(0)
    };
    let (first, second) = (width(|pair| &pair.a), width(|pair| &pair.b));
    for pair in pairs {
        push(
            text,
            format_args!(
                "{:<first$}  {:<second$}  U {:>8}  p {:>8}  Holm {:>8}  A {:.3}\n",
                pair.a,
                pair.b,
                number(pair.u, 1),
                p_value(pair.p),
                p_value(pair.p_holm),
                pair.a12
            ),
        );
    }
}

/// Adds rows in columns; one column is aligned to the left, all others to the right.
pub(super) fn push_rows(text: &mut String, headers: &[String], rows: &[Vec<String>], left: usize) {
    let all = || std::iter::once(headers).chain(rows.iter().map(Vec::as_slice));
    let width = |column: usize| {
        let cells = all().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..headers.len()).map(width).collect();
    for row in all() {
        let cell = |(column, width): (usize, &usize)| {
            let words = &row[column];
            if column == left {
                format!("{words:<width$}")
            } else {
                format!("{words:>width$}")
            }
        };
        let cells: Vec<String> = widths.iter().enumerate().map(cell).collect();
        push(text, format_args!("{}\n", cells.join("  ").trim_end()));
    }
    text.push('\n');
}

fn push(text: &mut String, args: std::fmt::Arguments<'_>) {
    // Writing to a string can't fail.
    let _ = text.write_fmt(args);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(preset: &str, capped: usize) -> PresetSummary {
        let stats = |mean: f64, max: f64| SummaryStatistics {
            min: 2.0,
            median: 9.5,
            mean,
            mean_low: mean - 5.25,
            mean_high: mean + 5.25,
            max,
        };
        PresetSummary {
            preset: preset.to_owned(),
            measure: "generations to accuracy_states>=1".to_owned(),
            n: 10,
            without: 0,
            solved: Some(10 - capped),
            capped: Some(capped),
            generations: 100,
            all: Some(stats(17.25, if capped > 0 { 100.0 } else { 77.0 })),
            is_lower_bound: capped > 0,
            of_solved: (capped < 10).then(|| stats(12.5, 77.0)),
            published: "100 %".to_owned(),
            source: "Kissling 2025".to_owned(),
            differs: vec!["Heaps are never empty.".to_owned()],
            values: Vec::new(),
        }
    }

    #[test]
    fn capped_runs_are_counted_and_lower_bounds_are_marked() {
        let summary = Summary {
            first_seed: 1,
            runs: 10,
            presets: vec![line("easy", 0), line("hard", 3), line("never", 10)],
            comparisons: Vec::new(),
        };
        let text = table(&summary);
        let head = "generations to accuracy_states>=1, seeds 1 to 10";
        assert_eq!(text.lines().next(), Some(head));
        let row = |name: &str| {
            let found = text.lines().find(|line| line.starts_with(name));
            let words = found.expect("it has a row").split_whitespace();
            words.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(row("easy"), "easy 10 10 0 2 9.5 17.2 [12, 22.5] 77");
        assert_eq!(row("hard"), "hard 10 7 3 2 9.5 ≥17.2 ≥[12, 22.5] ≥100");
        let said = |part: &str| text.matches(part).count();
        assert_eq!(said("solved runs only: min 2, median 9.5, mean 12.5"), 1);
        assert_eq!(said("solved runs only: none"), 1);
        assert_eq!(
            said("10 runs did not reach the target by generation 100"),
            1
        );
        assert_eq!(said("published: 100 % (Kissling 2025)"), 3);
        assert_eq!(said("differs: Heaps are never empty.\n"), 3);
    }
}
