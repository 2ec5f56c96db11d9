//! How many strategies there are for one heap of which players take up to so many: a list with one
//! decision for each number of stones.

use serde::Deserialize;

use super::page::{Cell, PageBlock, Table};
use super::paper::Computed;
use super::verdict::Agreement;

/// Published numbers of strategies. Numbers are compared as they are printed: `96`, or `1.01E+08`
/// from seven digits on.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrategyCounts {
    /// The most stones that can be taken, one for each column of the table.
    most: Vec<u32>,
    /// The rows of the table: a number of stones, and what is printed in each column.
    rows: Vec<(u32, Vec<String>)>,
    /// All strategies and optimal ones for one heap, of which the text speaks.
    totals: StrategyTotals,
}

/// The numbers of strategies for one heap. They are printed with three decimals from `1E+04` on.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct StrategyTotals {
    /// Its stones.
    stones: u32,
    /// The most that can be taken.
    most: u32,
    /// All strategies, as printed.
    all: String,
    /// Those that win whenever they can, as printed.
    optimal: String,
}

impl StrategyCounts {
    /// The tables.
    pub(super) fn computed(&self) -> Computed {
        let mut head = vec!["N".to_owned()];
        for most in &self.most {
            head.extend([format!("k = {most}"), "ours".to_owned()]);
        }
        let mut verdicts = Vec::new();
        let mut rows = Vec::new();
        for (stones, printed) in &self.rows {
            let mut row = vec![Cell::figure(stones.to_string())];
            for (most, printed) in self.most.iter().zip(printed) {
                let ours = with_places(strategies(*stones, *most), 1e7, 2);
                verdicts.push(Agreement::of_print(&ours, printed));
                row.extend([Cell::figure(printed), Cell::figure(ours)]);
            }
            rows.push(row);
        }
        let counts = Table {
            caption: "Number of strategies: the paper's figure, then ours".to_owned(),
            head,
            rows,
        };
        let StrategyTotals { stones, most, .. } = self.totals;
        let numbers = [
            ("all strategies", &self.totals.all, strategies(stones, most)),
            (
                "optimal strategies",
                &self.totals.optimal,
                optimal_strategies(stones, most),
            ),
        ];
        let rows = numbers.map(|(what, printed, count)| {
            let ours = with_places(count, 1e4, 3);
            let verdict = Agreement::of_print(&ours, printed);
            let row = vec![Cell::words(what), Cell::figure(printed), Cell::figure(ours)];
            (row, verdict)
        });
        let (totals, known) = Table::judged(
            format!("{stones} stones, at most {most} at a time"),
            "number of,published,ours",
            rows.into(),
        );
        verdicts.extend(known);
        Computed {
            blocks: vec![PageBlock::Table(counts), PageBlock::Table(totals)],
            verdicts,
        }
    }
}

/// The number of strategies that win whenever they can: any move will do where all lose.
fn optimal_strategies(stones: u32, most: u32) -> f64 {
    let lost = (1..=stones).filter(|left| (left - 1) % (most + 1) == 0);
    lost.map(|left| f64::from(left.min(most))).product()
}

/// The number of strategies; below 2^53 it is exact.
fn strategies(stones: u32, most: u32) -> f64 {
    (1..=stones).map(|left| f64::from(left.min(most))).product()
}

/// In full below a bound, else with decimal places and the power of ten.
fn with_places(count: f64, bound: f64, places: usize) -> String {
    if count < bound {
        return count.to_string();
    }
    let scientific = format!("{count:.places$e}");
    let (digits, power) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    format!("{digits}E+{power:0>2}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::paper::{Evidence, Paper};
    use crate::report::papers;

    #[test]
    fn the_numbers_of_strategies_are_the_papers() {
        let papers = papers::all();
        let mut evidence = papers.iter().flat_map(Paper::evidence);
        let counts = evidence.find_map(|one| match one {
            Evidence::Strategies(counts) => Some(counts),
            _ => None,
        });
        let verdicts = counts.expect("Hynek's paper has them").computed().verdicts;
        assert_eq!(verdicts, [Agreement::Agrees; 26]);
    }
}
