//! The summary of an experiment as a table of text, with the published results beside ours.

use std::iter;

use crate::words::{FigureStyle, number, or_dash};
use finches_engine::text::{counted, p_value};

use super::summary::{PresetComparison, PresetSummary, Summary, SummaryStatistics};

/// The column headers of the table.
const HEADERS: &str = "preset,n,solved,capped,min,median,mean,95% CI of mean,max";

/// What comparisons are.
pub(crate) const COMPARISONS: &str = "A is the share of pairs of runs in which the first preset is \
    higher, ties counting half. Times to a target are compared by the log-rank test, in which runs \
    without it are censored, shares of solved runs by Fisher's exact test, other values by the \
    Mann-Whitney U test; all two-sided, adjusted for the number of pairs (Holm).";

/// Rows of words below headers.
pub struct TextTable {
    /// The headers.
    pub head: Vec<String>,
    /// As many words in each row.
    pub rows: Vec<Vec<String>>,
    /// The column that is aligned to the left; all others are to the right.
    pub left: usize,
}

impl TextTable {
    /// The table as it is printed.
    pub(super) fn text(&self) -> String {
        self.noted(|_| Vec::new())
    }

    /// The same with lines of notes below rows.
    fn noted(&self, notes: impl Fn(usize) -> Vec<String>) -> String {
        let all = || iter::once(&self.head).chain(&self.rows);
        let width = |column: usize| {
            let cells = all().map(|row| row[column].chars().count());
            cells.max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let mut lines = Vec::new();
        for (place, row) in all().enumerate() {
            let cells = row.iter().zip(&widths).enumerate();
            let cells = cells.map(|(column, (words, width))| {
                if column == self.left {
                    format!("{words:<width$}")
                } else {
                    format!("{words:>width$}")
                }
            });
            let cells: Vec<String> = cells.collect();
            lines.push(cells.join("  ").trim_end().to_owned());
            let notes = place.checked_sub(1).map_or_else(Vec::new, &notes);
            lines.extend(notes.iter().map(|note| format!("    {note}")));
        }
        lines.join("\n") + "\n"
    }
}

/// The table: a group of rows for each measure, then the comparisons.
pub fn table(summary: &Summary) -> String {
    let mut measures: Vec<&str> = Vec::new();
    for line in &summary.presets {
        if !measures.contains(&line.measure.as_str()) {
            measures.push(&line.measure);
        }
    }
    let groups = measures.iter().map(|measure| group(summary, measure));
    let text: String = groups.collect();
    if summary.comparisons.is_empty() {
        return text;
    }
    let comparisons = comparisons(&summary.comparisons).text();
    format!("{text}{COMPARISONS}\n\n{comparisons}\n")
}

/// The rows of the presets with a measure, each with its notes below it.
fn group(summary: &Summary, measure: &str) -> String {
    let (first, last) = (summary.first_seed, summary.first_seed + summary.runs - 1);
    let lines = summary.presets.iter();
    let lines: Vec<&PresetSummary> = lines.filter(|line| line.measure == measure).collect();
    let rows = lines.iter().map(|line| cells(line, summary.runs).to_vec());
    let table = TextTable {
        head: HEADERS.split(',').map(str::to_owned).collect(),
        rows: rows.collect(),
        left: 0,
    };
    let table = table.noted(|row| notes(lines[row]));
    format!("{measure}, seeds {first} to {last}\n\n{table}\n")
}

/// What stands before a lower bound.
pub fn bound_sign(is_bound: bool) -> &'static str {
    if is_bound { "≥" } else { "" }
}

fn cells(line: &PresetSummary, runs: u64) -> [String; 9] {
    let count = |count: Option<usize>| or_dash(count.map(|count| count.to_string()));
    let style = FigureStyle::of(&line.measure);
    let [min, median, mean, max] = line.bounds().map(bound_sign);
    let figure = |mark: &str, pick: fn(&SummaryStatistics) -> f64| {
        let text = |stats: &SummaryStatistics| format!("{mark}{}", style.text(pick(stats)));
        or_dash(line.all.as_ref().map(text))
    };
    let ends = line.all.and_then(|all| all.ends(style));
    [
        line.preset.clone(),
        finished(line.n, runs),
        or_dash(solved_words(line)),
        count(line.capped),
        figure(min, |stats| stats.min),
        figure(median, |stats| stats.median),
        figure(mean, |stats| stats.mean),
        or_dash(ends.map(|ends| format!("{mean}{ends}"))),
        figure(max, |stats| stats.max),
    ]
}

/// The number of runs, of as many as there should be.
pub(super) fn finished(n: usize, runs: u64) -> String {
    if n as u64 == runs {
        n.to_string()
    } else {
        format!("{n} of {runs}")
    }
}

/// The number of runs that met the target, with the 95% interval of their share; `None` without a
/// target.
pub(crate) fn solved_words(line: &PresetSummary) -> Option<String> {
    let (solved, ends) = line.solved.zip(line.solved_interval)?;
    Some(format!("{solved} ({})", FigureStyle::SHARE.ends(ends)))
}

/// The notes below the row of a preset, one line each; the published result comes last.
pub fn notes(line: &PresetSummary) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(capped) = line.capped.filter(|&capped| capped > 0) {
        let generations = line.generations;
        notes.push(format!(
            "{} did not reach the target within {generations} generations, counted as \
            {generations}; ≥ marks lower bounds",
            counted(capped, "run")
        ));
    }
    if line.without > 0 {
        notes.push(format!(
            "left out: {} without a value",
            counted(line.without, "run")
        ));
    }
    notes.extend(line.differs.iter().map(|words| format!("differs: {words}")));
    notes.extend(published_words(line));
    notes
}

/// The published result of a preset with its source, if there is one.
pub fn published_words(line: &PresetSummary) -> Option<String> {
    let source = match line.source.as_str() {
        "" => String::new(),
        source => format!(" ({source})"),
    };
    let words = format!("published: {}{source}", line.published);
    (!line.published.is_empty()).then_some(words)
}

/// A row for each pair of presets, below headers.
pub(crate) fn comparisons(pairs: &[PresetComparison]) -> TextTable {
    let has_target = pairs.iter().any(|pair| pair.solved_p.is_some());
    let head = ["pair", "A", "test", "p", "p (Holm)"].into_iter();
    let head = head.chain(has_target.then_some("solved: p (Holm)"));
    let row = |pair: &PresetComparison| {
        let mut row = vec![
            format!("{} over {}", pair.a, pair.b),
            number(pair.a12),
            pair.test.to_owned(),
            p_value(pair.p),
            p_value(pair.p_holm),
        ];
        row.extend(has_target.then(|| or_dash(pair.solved_p.map(p_value))));
        row
    };
    TextTable {
        head: head.map(str::to_owned).collect(),
        rows: pairs.iter().map(row).collect(),
        left: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(preset: &str, capped: usize) -> PresetSummary {
        let stats = |mean: f64, max: f64| SummaryStatistics {
            min: 2.0,
            median: 9.5,
            mean,
            mean_low: Some(mean - 5.25),
            mean_high: Some(mean + 5.25),
            max,
        };
        PresetSummary {
            preset: preset.to_owned(),
            measure: "generations to accuracy_states>=1".to_owned(),
            n: 10,
            without: 0,
            solved: Some(10 - capped),
            solved_interval: Some((0.0, 0.5)),
            capped: Some(capped),
            generations: 100,
            all: Some(stats(17.25, if capped > 0 { 100.0 } else { 77.0 })),
            is_lower_bound: capped > 0,
            published: "100%".to_owned(),
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
            presets: vec![
                line("easy", 0),
                line("hard", 3),
                line("half", 5),
                line("never", 10),
            ],
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
        assert_eq!(
            row("easy"),
            "easy 10 10 (0 to 50.0%) 0 2 9.50 17.2 12 to 22.5 77"
        );
        assert_eq!(
            row("hard"),
            "hard 10 7 (0 to 50.0%) 3 2 9.50 ≥17.2 ≥12 to 22.5 ≥100"
        );
        // The middle of ten values is between the fifth and the sixth.
        assert_eq!(
            row("half"),
            "half 10 5 (0 to 50.0%) 5 2 ≥9.50 ≥17.2 ≥12 to 22.5 ≥100"
        );
        assert!(row("never").contains("10 ≥2 ≥9.50 ≥17.2"), "{text}");
        let said = |part: &str| text.matches(part).count();
        assert_eq!(
            said("10 runs did not reach the target within 100 generations"),
            1
        );
        assert_eq!(said("published: 100% (Kissling 2025)"), 4);
        assert_eq!(said("differs: Heaps are never empty.\n"), 4);
    }
}
