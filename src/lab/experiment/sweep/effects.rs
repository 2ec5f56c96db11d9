//! What the parameters of a sweep do, each on its own and the two strongest together.

use serde::Serialize;

use crate::experiment::summary::{PresetSummary, RunValue, column_of};
use finches_engine::metrics::stats::anova::{Anova, AnovaCell, AnovaTerm, Confounding};
use finches_engine::metrics::stats::spread::mean;
use finches_engine::text::{p_value, percentage};
use finches_runs::storage::experiments::sweep::SweepDefinition;

use super::levels::Levels;

/// What a parameter does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FactorEffect {
    /// Its name.
    pub parameter: String,
    /// The index of the parameter.
    #[serde(skip)]
    pub index: usize,
    /// The share of the variance that it explains (omega squared), 0..=1; null if the combinations
    /// can't tell.
    pub share: Option<f64>,
    /// The probability of explaining as much by chance; null with the share.
    pub p: Option<f64>,
    /// What the variance is between: `runs` of the combinations of a full grid, else
    /// `combinations`.
    pub between: &'static str,
    /// Why the combinations can't tell, as a predicate; null if they can.
    pub refusal: Option<String>,
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
    /// The 95% interval of the mean, by the variance that is left to chance; null if none is left.
    /// That of a share is cut at 0 and 1, and that of times or faults at 0, beyond which no mean
    /// lies: it keeps its 95%.
    pub interval: Option<(f64, f64)>,
}

/// What two parameters do together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InteractionEffect {
    /// Their names: rows, columns.
    pub parameters: [String; 2],
    /// The share of the variance that they explain together and not each on its own; null if the
    /// combinations can't tell.
    pub share: Option<f64>,
    /// The probability of explaining as much by chance; null with the share.
    pub p: Option<f64>,
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

impl FactorEffect {
    /// What it explains, or why the combinations can't tell, as a predicate.
    pub fn words(&self) -> String {
        let Some((share, p)) = self.share.zip(self.p) else {
            return self.refusal.clone().unwrap_or_default();
        };
        format!(
            "explains {}% of the variance between {} (p {})",
            percentage(share, 0),
            self.between,
            p_value(p)
        )
    }
}

impl InteractionEffect {
    /// What they explain together, or that the combinations can't tell, as a predicate.
    pub fn words(&self) -> String {
        let Some((share, p)) = self.share.zip(self.p) else {
            return "have too few runs to tell whether they work together".to_owned();
        };
        format!(
            "explain {}% of the variance beyond what each does on its own (p {})",
            percentage(share, 0),
            p_value(p)
        )
    }
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

/// What each parameter does, the strongest first, and what the two strongest do together. Empty
/// without any value.
pub(super) fn effects(
    definition: &SweepDefinition,
    summaries: &[PresetSummary],
) -> (Vec<FactorEffect>, Option<InteractionEffect>) {
    let levels: Vec<Levels> = (0..definition.keys.len())
        .map(|place| {
            let values = definition.combinations.iter();
            Levels::of(
                definition.design,
                values.map(|values| values[place].as_str()),
            )
        })
        .collect();
    let samples = samples(definition, summaries);
    let means: Vec<Option<f64>> = samples
        .iter()
        .map(|values| (!values.is_empty()).then(|| mean(values)))
        .collect();
    let mut cells = Vec::new();
    for (index, (values, mean)) in samples.iter().zip(&means).enumerate() {
        if let &Some(mean) = mean {
            let squares = values.iter().map(|value| (value - mean) * (value - mean));
            cells.push(AnovaCell {
                levels: levels.iter().map(|one| one.places[index]).collect(),
                count: values.len(),
                mean,
                squares: squares.sum(),
            });
        }
    }
    if cells.is_empty() {
        return (Vec::new(), None);
    }
    let (names, combinations) = (definition.names(), cells.len());
    let anova = Anova::of(cells);
    let column = column_of(&summaries[0].measure);
    let bounds = match &summaries[0] {
        // Times and numbers of faults.
        one if one.solved.is_some() || column.goal.is_better(0.0, 1.0) => (0.0, f64::INFINITY),
        _ if column.is_share() => (0.0, 1.0),
        _ => (f64::NEG_INFINITY, f64::INFINITY),
    };
    let effect = |(place, levels): (usize, &Levels)| {
        let term = anova.parameter(place);
        let told = |term: &AnovaTerm| (term.share, term.p);
        let (share, p) = term.as_ref().ok().map(told).unzip();
        let refusal = term
            .err()
            .map(|reason| refusal(&reason, &names, (combinations, anova.is_between_runs)));
        FactorEffect {
            parameter: names[place].to_owned(),
            index: place,
            share,
            p,
            between: if anova.is_between_runs {
                "runs"
            } else {
                "combinations"
            },
            refusal,
            levels: level_effects((place, levels), &means, &anova, bounds),
        }
    };
    let mut effects: Vec<FactorEffect> = levels.iter().enumerate().map(effect).collect();
    let rank = |one: &FactorEffect| (-one.share.unwrap_or(-1.0), one.p.unwrap_or(1.0));
    effects.sort_by(|a, b| {
        let (a, b) = (rank(a), rank(b));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    let interaction = match &effects[..] {
        [a, b, ..] => {
            let term = anova.interaction(a.index, b.index);
            Some(InteractionEffect {
                parameters: [a.parameter.clone(), b.parameter.clone()],
                share: term.map(|term| term.share),
                p: term.map(|term| term.p),
                means: PairMeans::of(&levels[a.index], &levels[b.index], means.into_iter()),
            })
        }
        _ => None,
    };
    (effects, interaction)
}

/// The values of the runs of each combination. With successive halving, only the runs that all
/// combinations have: those that go on are chosen by the values of these.
fn samples(definition: &SweepDefinition, summaries: &[PresetSummary]) -> Vec<Vec<f64>> {
    let sample = |line: &PresetSummary| {
        let counted = |run: &RunValue| run.counted(line.solved.is_some());
        line.values.iter().filter_map(counted).collect()
    };
    let mut samples: Vec<Vec<f64>> = summaries.iter().map(sample).collect();
    if definition.halving.is_some() {
        let sizes = samples.iter().map(Vec::len).filter(|&size| size > 0);
        let fewest = sizes.min().unwrap_or(0);
        for values in &mut samples {
            values.truncate(fewest);
        }
    }
    samples
}

/// Why the combinations can't tell what a parameter explains.
fn refusal(
    reason: &Confounding,
    names: &[&str],
    (combinations, is_between_runs): (usize, bool),
) -> String {
    match reason {
        Confounding::OneLevel => "has one value in all of them".to_owned(),
        Confounding::With(others) => {
            let others: Vec<&str> = others.iter().map(|&other| names[other]).collect();
            format!("cannot be told from {}", others.join(" and "))
        }
        Confounding::NothingLeft if is_between_runs => "too few different runs to tell".to_owned(),
        Confounding::NothingLeft => format!("{combinations} combinations are too few to tell"),
    }
}

/// The means over the combinations with each value of a parameter, if there are any.
fn level_effects(
    (place, levels): (usize, &Levels),
    means: &[Option<f64>],
    anova: &Anova,
    (least, most): (f64, f64),
) -> Vec<LevelEffect> {
    let of_level = |(level, value): (usize, &String)| {
        let own = levels.places.iter().zip(means);
        let own = own.filter(|(own, _)| **own == level);
        let own: Vec<f64> = own.filter_map(|(_, mean)| *mean).collect();
        let mean = mean(&own);
        let half = anova.half_width(|cell| cell.levels[place] == level);
        (!own.is_empty()).then(|| LevelEffect {
            value: value.clone(),
            combinations: own.len(),
            mean,
            interval: half.map(|half| ((mean - half).max(least), (mean + half).min(most))),
        })
    };
    let levels = levels.names.iter().enumerate();
    levels.filter_map(of_level).collect()
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

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::super::{factor::SweepFactor, shares};
    use super::*;
    use crate::experiment::summary::SummaryStatistics;
    use finches_engine::rng::{Purpose, Stream, stream};
    use finches_runs::storage::experiments::sweep::SweepDesign;
    use finches_runs::storage::presets;

    fn definition(design: SweepDesign, keys: &[&str], values: &[Vec<String>]) -> SweepDefinition {
        let base = presets::load("nim-2x4-value").expect("it is included");
        let keys = keys.iter().map(ToString::to_string).collect();
        SweepDefinition {
            design,
            ..SweepDefinition::grid(base, keys, values.to_vec())
        }
    }

    /// The summary of runs with these values.
    fn line(values: &[f64]) -> PresetSummary {
        let run = |(seed, &value): (usize, &f64)| RunValue {
            seed: seed as u64,
            generations: 100,
            value: Some(value),
        };
        PresetSummary {
            preset: String::new(),
            measure: "accuracy_states at the last generation".to_owned(),
            n: values.len(),
            without: 0,
            solved: None,
            solved_interval: None,
            capped: None,
            generations: 100,
            all: None::<SummaryStatistics>,
            is_lower_bound: false,
            published: String::new(),
            source: String::new(),
            differs: Vec::new(),
            values: values.iter().enumerate().map(run).collect(),
        }
    }

    /// A number from a normal distribution with mean 0 and standard deviation 1 (Box & Muller
    /// 1958).
    fn noise(rng: &mut Stream) -> f64 {
        let (radius, angle): (f64, f64) = (rng.random(), rng.random());
        let radius = (-2.0 * libm::log(1.0 - radius)).sqrt();
        radius * libm::cos(std::f64::consts::TAU * angle)
    }

    /// The share of p-values below 0.05 of parameters that do nothing, and of their interactions,
    /// over 200 sweeps of 40 combinations with 5 runs each. Runs differ by chance, and combinations
    /// by what no parameter explains.
    fn false_alarms(design: SweepDesign, ranges: &[&str]) -> [f64; 2] {
        const SWEEPS: u64 = 200;
        let (mut alarms, mut tests) = ([0.0; 2], [0.0; 2]);
        for sweep in 0..SWEEPS {
            let mut combinations = vec![Vec::new(); 40];
            for (place, range) in ranges.iter().enumerate() {
                let factor = SweepFactor::parse(range).expect("it is sound");
                let mut rng = stream(sweep, Purpose::Sweep, 0, place as u64);
                let shares = shares(design, combinations.len(), &mut rng);
                for (values, share) in combinations.iter_mut().zip(shares) {
                    values.push(factor.at(share, range.starts_with("whole")));
                }
            }
            let mut rng = stream(sweep, Purpose::Chance, 0, 0);
            let summaries: Vec<PresetSummary> = combinations
                .iter()
                .map(|_| {
                    let own = noise(&mut rng);
                    let values = [(); 5].map(|()| own + noise(&mut rng));
                    line(&values)
                })
                .collect();
            let definition = definition(design, ranges, &combinations);
            let (effects, interaction) = effects(&definition, &summaries);
            let alone = effects.iter().map(|effect| (0, effect.p));
            for (kind, p) in alone.chain(interaction.map(|both| (1, both.p))) {
                let p = p.expect("forty combinations can tell");
                alarms[kind] += f64::from(u8::from(p < 0.05));
                tests[kind] += 1.0;
            }
        }
        [alarms[0] / tests[0], alarms[1] / tests[1]]
    }

    #[test]
    fn parameters_that_do_nothing_are_hardly_ever_said_to_do_something() {
        let real = ["a=0..1.0", "b=0..9.5", "c=0.1..10 log", "d=-1..1.0"];
        let whole = [
            "whole_a=1..8",
            "whole_b=5..40",
            "whole_c=1..6",
            "whole_d=0..999",
        ];
        for design in [SweepDesign::Random(40), SweepDesign::LatinHypercube(40)] {
            for ranges in [&real[..2], &real, &whole[..2], &whole] {
                let [alone, both] = false_alarms(design, ranges);
                assert!(
                    (0.03..=0.07).contains(&alone),
                    "{design:?} {ranges:?}: {alone}"
                );
                assert!(
                    (0.01..=0.09).contains(&both),
                    "{design:?} {ranges:?}: {both}"
                );
            }
        }
    }

    #[test]
    fn what_is_confounded_is_refused_with_the_reason() {
        let grid = |rows: &[[&str; 2]], runs: &[f64]| {
            let rows: Vec<Vec<String>> = rows
                .iter()
                .map(|row| row.map(str::to_owned).to_vec())
                .collect();
            let lines: Vec<PresetSummary> = (0..rows.len())
                .map(|index| {
                    line(
                        &runs
                            .iter()
                            .map(|run| run + index as f64)
                            .collect::<Vec<_>>(),
                    )
                })
                .collect();
            effects(
                &definition(SweepDesign::Grid, &["x.a", "x.b"], &rows),
                &lines,
            )
            .0
        };
        let check = |effects: &[FactorEffect], expected: &str| {
            let words: Vec<String> = effects.iter().map(FactorEffect::words).collect();
            assert!(words.iter().any(|words| words == expected), "{words:?}");
        };
        let twins = [["1", "10"], ["2", "20"], ["1", "10"], ["2", "20"]];
        check(&grid(&twins, &[0.1, 0.2]), "cannot be told from b");
        let few = [["1", "10"], ["1", "20"], ["2", "10"]];
        let few = grid(&few, &[0.1, 0.2]);
        check(&few, "3 combinations are too few to tell");
        assert!(few[0].levels.iter().all(|level| level.interval.is_none()));
        let full = grid(
            &[["1", "10"], ["1", "20"], ["2", "10"], ["2", "20"]],
            &[0.1, 0.2],
        );
        assert_eq!((full[0].between, full[0].parameter.as_str()), ("runs", "a"));
        let equal = [["1", "10"], ["1", "20"], ["2", "10"], ["2", "20"]];
        check(&grid(&equal, &[0.1, 0.1]), "too few different runs to tell");
    }

    #[test]
    fn the_intervals_of_shares_end_at_their_bounds() {
        let grid = definition(
            SweepDesign::Grid,
            &["x.a"],
            &["1", "2"].map(|value| vec![value.to_owned()]),
        );
        let found = effects(&grid, &[line(&[0.9, 1.0]), line(&[0.0, 0.1])]).0;
        let ends = found[0].levels.iter().map(|level| level.interval);
        let ends: Vec<_> = ends.map(|ends| ends.expect("two are left")).collect();
        assert_eq!((ends[0].1, ends[1].0), (1.0, 0.0));
        // By hand: the mean square is 0.005, t with 2 degrees of freedom 4.302653.
        assert!((ends[0].0 - (0.95 - 4.302_653 * 0.05)).abs() < 1e-6);
    }

    #[test]
    fn the_intervals_of_times_to_a_target_begin_at_generation_0() {
        let levels = ["1", "2"].map(|value| vec![value.to_owned()]);
        let times = |times: [f64; 2]| {
            let mut line = line(&times);
            let measure = "generations to wrong_decisions<=0".to_owned();
            (line.measure, line.solved) = (measure, Some(2));
            for (run, time) in line.values.iter_mut().zip(times) {
                run.generations = time as u64;
            }
            line
        };
        let grid = definition(SweepDesign::Grid, &["x.a"], &levels);
        let found = effects(&grid, &[times([20.0, 40.0]), times([900.0, 1000.0])]).0;
        let ends = found[0].levels.iter().map(|level| level.interval);
        let ends: Vec<_> = ends.map(|ends| ends.expect("two are left")).collect();
        // By hand: the mean square is (200 + 5000) / 2, its root by that of 2 is 36.06.
        let half = 4.302_653 * (2600.0_f64 / 2.0).sqrt();
        assert!(ends[0].0.abs() < 1e-9, "30 less {half} is below 0");
        for (found, expected) in [(ends[0].1, 30.0), (ends[1].1, 950.0)] {
            assert!((found - expected - half).abs() < 1e-3, "{found}");
        }
    }

    #[test]
    fn with_halving_parameters_are_compared_by_the_runs_that_all_combinations_have() {
        let mut halved = definition(
            SweepDesign::Grid,
            &["x.a"],
            &[vec!["1".to_owned()], vec!["2".to_owned()]],
        );
        halved.halving = Some(2);
        let lines = [line(&[0.1, 0.3]), line(&[0.6, 0.4, 0.9, 0.9])];
        let means = effects(&halved, &lines).0[0]
            .levels
            .iter()
            .map(|level| level.mean)
            .collect::<Vec<_>>();
        assert_eq!(means, [0.2, 0.5]);
    }
}
