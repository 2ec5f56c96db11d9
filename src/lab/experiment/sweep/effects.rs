//! What the parameters of a sweep do, each on its own and the two strongest together.

use serde::Serialize;

use crate::experiment::summary::{PresetSummary, RunValue};
use finches_engine::metrics::stats::anova::{Anova, AnovaCell};
use finches_runs::storage::experiments::sweep::SweepDefinition;

use super::levels::Levels;

/// The z of a 95% interval.
const Z: f64 = 1.959_964;

/// What a parameter does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FactorEffect {
    /// Its name.
    pub parameter: String,
    /// The index of the parameter.
    #[serde(skip)]
    pub index: usize,
    /// The share of the variance of the runs that it explains (omega squared), 0..=1.
    pub share: f64,
    /// The probability of explaining as much by chance.
    pub p: f64,
    /// Its values, or ranges of them.
    pub levels: Vec<LevelEffect>,
}

/// What a value of a parameter does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LevelEffect {
    /// The value, or the range.
    pub value: String,
    /// The number of combinations with it.
    pub combinations: usize,
    /// The mean over these combinations.
    pub mean: f64,
    /// The 95% interval of the mean, by the variance that is left to chance.
    pub low: f64,
    /// The upper end of the same interval.
    pub high: f64,
}

/// What two parameters do together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InteractionEffect {
    /// Their names: rows, columns.
    pub parameters: [String; 2],
    /// The share of the variance that they explain together and not each on its own.
    pub share: f64,
    /// The probability of explaining as much by chance.
    pub p: f64,
    /// The means of the pairs of their values.
    pub means: PairMeans,
}

/// The means of all pairs of values of two parameters.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairMeans {
    /// The values of the first parameter, or ranges of them.
    pub rows: Vec<String>,
    /// The values of the second parameter, or ranges of them.
    pub columns: Vec<String>,
    /// By row and column; null without combinations.
    pub means: Vec<Vec<Option<f64>>>,
}

/// The place of a value between the worst and the best of some, 0..=1; 0.5 if they are equal.
pub fn goodness(value: f64, all: impl Iterator<Item = f64>, is_lowest_best: bool) -> f64 {
    let ends = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), one| {
        (low.min(one), high.max(one))
    });
    let share = (value - ends.0) / (ends.1 - ends.0);
    let share = if share.is_finite() {
        share.clamp(0.0, 1.0)
    } else {
        0.5
    };
    if is_lowest_best { 1.0 - share } else { share }
}

/// What each parameter does, the strongest first, and what the two strongest do together. Empty if
/// there are too few runs.
pub(super) fn effects(
    definition: &SweepDefinition,
    summaries: &[PresetSummary],
) -> (Vec<FactorEffect>, Option<InteractionEffect>) {
    let levels: Vec<Levels> = (0..definition.keys.len())
        .map(|place| {
            Levels::of(
                definition
                    .combinations
                    .iter()
                    .map(|values| values[place].as_str()),
            )
        })
        .collect();
    let mut cells = Vec::new();
    for (index, line) in summaries.iter().enumerate() {
        let counted = |run: &RunValue| run.counted(line.solved.is_some());
        let values: Vec<f64> = line.values.iter().filter_map(counted).collect();
        if let Some(mean) = line.all.map(|all| all.mean) {
            cells.push(AnovaCell {
                levels: levels.iter().map(|one| one.places[index]).collect(),
                count: values.len(),
                mean,
                squares: values
                    .iter()
                    .map(|value| (value - mean) * (value - mean))
                    .sum(),
            });
        }
    }
    let Some(anova) = Anova::of(&cells) else {
        return (Vec::new(), None);
    };
    let names = definition.names();
    let effect = |(place, levels): (usize, &Levels)| {
        let term = anova.parameter(place);
        let of_level = |(level, value): (usize, &String)| {
            let cells: Vec<&AnovaCell> = cells
                .iter()
                .filter(|cell| cell.levels[place] == level)
                .collect();
            level_effect(value, &cells, anova.error_mean_square())
        };
        FactorEffect {
            parameter: names[place].to_owned(),
            index: place,
            share: term.share,
            p: term.p,
            levels: levels
                .names
                .iter()
                .enumerate()
                .filter_map(of_level)
                .collect(),
        }
    };
    let mut effects: Vec<FactorEffect> = levels.iter().enumerate().map(effect).collect();
    effects.sort_by(|a, b| b.share.total_cmp(&a.share).then(a.p.total_cmp(&b.p)));
    let means = || summaries.iter().map(|line| line.all.map(|all| all.mean));
    let interaction = match &effects[..] {
        [a, b, ..] => {
            let term = anova.interaction(a.index, b.index);
            Some(InteractionEffect {
                parameters: [a.parameter.clone(), b.parameter.clone()],
                share: term.share,
                p: term.p,
                means: PairMeans::of(&levels[a.index], &levels[b.index], means()),
            })
        }
        _ => None,
    };
    (effects, interaction)
}

/// The mean over the combinations with a value; `None` without any.
fn level_effect(value: &str, cells: &[&AnovaCell], error: f64) -> Option<LevelEffect> {
    let count = cells.len() as f64;
    let inverse: f64 = cells.iter().map(|cell| 1.0 / cell.count as f64).sum();
    let mean = cells.iter().map(|cell| cell.mean).sum::<f64>() / count;
    let half = Z * (error * inverse).sqrt() / count;
    (!cells.is_empty()).then(|| LevelEffect {
        value: value.to_owned(),
        combinations: cells.len(),
        mean,
        low: mean - half,
        high: mean + half,
    })
}

impl PairMeans {
    /// The means of combinations by the levels of two parameters.
    pub(super) fn of(
        rows: &Levels,
        columns: &Levels,
        means: impl Iterator<Item = Option<f64>>,
    ) -> Self {
        let mut sums = vec![vec![(0.0, 0); columns.names.len()]; rows.names.len()];
        for ((row, column), mean) in rows.places.iter().zip(&columns.places).zip(means) {
            if let Some(mean) = mean {
                let sum: &mut (f64, usize) = &mut sums[*row][*column];
                *sum = (sum.0 + mean, sum.1 + 1);
            }
        }
        let mean = |(sum, count): &(f64, usize)| (*count > 0).then(|| sum / *count as f64);
        let rows_of = |sums: &Vec<(f64, usize)>| sums.iter().map(mean).collect();
        Self {
            rows: rows.names.clone(),
            columns: columns.names.clone(),
            means: sums.iter().map(rows_of).collect(),
        }
    }
}
