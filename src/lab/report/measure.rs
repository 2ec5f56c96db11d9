//! What is measured of a run: one figure from the series of a column.

use finches_engine::metrics::progress_unit::ProgressUnit;
use finches_engine::metrics::stats::spread::mean;
use finches_engine::text::grouped;
use serde::Deserialize;

use super::source::Name;
use crate::words::FigureStyle;

/// A figure of a run.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum RunFigure {
    /// The first generation in which the column is at least this; the number of generations if it
    /// never is, a lower bound.
    FirstAtLeast(Name, f64),
    /// The first generation in which the column is at most this; the number of generations if it
    /// never is, a lower bound.
    FirstAtMost(Name, f64),
    /// Whether the column is at least this by a generation: 1 or 0.
    ReachesBy(Name, f64, u64),
    /// The first value of the column, before anything has evolved.
    Initial(Name),
    /// The last value of the column.
    Last(Name),
    /// The highest value of the column.
    Highest(Name),
    /// The mean of the column over so many generations at the end.
    LateMean(Name, u64),
    /// The last value of the column less its first.
    Gain(Name),
    /// The share of the column's values from this bound on.
    ShareFrom(Name, f64),
    /// The last value of the column over the number of generations.
    PerGeneration(Name),
    /// The mean absolute change of the column from one measurement to the next, the first
    /// measurement aside.
    MeanAbsoluteChange(Name),
    /// The part of its gain over the run that the column has made by a generation.
    GainBy(Name, u64),
    /// A measure of a group of generations, less the highest of the others'. A column has the
    /// group's value in each of its generations.
    Lead {
        /// What is measured.
        of: GroupMeasure,
        /// The column that tells the groups apart.
        by: Name,
        /// The group that leads.
        first: NamedValue,
        /// The other groups.
        others: Vec<NamedValue>,
    },
}

/// A value of a column, and its name.
pub type NamedValue = (f64, String);

/// What is measured of a group of a run's generations.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupMeasure {
    /// Their share of all generations.
    Share,
    /// The mean of a column.
    Mean(Name),
}

/// The values of a run's columns, in the order of the generations.
pub trait RunColumns {
    /// The pairs of x and y of a column; empty if it has no values.
    fn series(&self, column: &str, over: ProgressUnit) -> Vec<(f64, f64)>;

    /// The number of generations done.
    fn generations(&self) -> u64;
}

impl RunFigure {
    /// The column that it is read from; that of the groups if it is a lead.
    pub fn column(&self) -> &Name {
        match self {
            Self::FirstAtLeast(column, _)
            | Self::FirstAtMost(column, _)
            | Self::ReachesBy(column, _, _)
            | Self::Initial(column)
            | Self::Last(column)
            | Self::Highest(column)
            | Self::LateMean(column, _)
            | Self::ShareFrom(column, _)
            | Self::PerGeneration(column)
            | Self::MeanAbsoluteChange(column)
            | Self::GainBy(column, _)
            | Self::Lead { by: column, .. }
            | Self::Gain(column) => column,
        }
    }

    /// All columns that it reads.
    pub(super) fn columns(&self) -> Vec<&Name> {
        let other = match self {
            Self::Lead {
                of: GroupMeasure::Mean(column),
                ..
            } => Some(column),
            _ => None,
        };
        [self.column()].into_iter().chain(other).collect()
    }

    /// Whether it is a value of the column, or a mean of such.
    pub fn is_value(&self) -> bool {
        matches!(
            self,
            Self::Initial(_) | Self::Last(_) | Self::Highest(_) | Self::LateMean(..)
        )
    }

    /// Which points of the column's series it needs, so that it is the same of these alone.
    pub(super) fn points_needed(&self, series: &[(f64, f64)]) -> Vec<bool> {
        let end = series.last().map_or(0.0, |last| last.0);
        let first_with = |meets: &dyn Fn(f64) -> bool| {
            let at = series.iter().position(|(_, value)| meets(*value));
            (0..series.len()).map(|place| at == Some(place)).collect()
        };
        let mut needed: Vec<bool> = match self {
            Self::Initial(_) | Self::Last(_) | Self::Gain(_) | Self::PerGeneration(_) => {
                vec![false; series.len()]
            }
            Self::FirstAtLeast(_, bound) | Self::ReachesBy(_, bound, _) => {
                first_with(&|value| value >= *bound)
            }
            Self::FirstAtMost(_, bound) => first_with(&|value| value <= *bound),
            Self::Highest(_) => {
                let values = series.iter().map(|(_, value)| *value);
                let most = values.fold(f64::NEG_INFINITY, f64::max);
                first_with(&|value| value >= most)
            }
            Self::LateMean(_, last) => {
                let is_late = |(at, _): &(f64, f64)| *at > end - *last as f64;
                series.iter().map(is_late).collect()
            }
            Self::GainBy(_, by) => {
                let early = series.partition_point(|(at, _)| *at <= *by as f64);
                (1..=series.len()).map(|place| place == early).collect()
            }
            Self::ShareFrom(..) | Self::MeanAbsoluteChange(_) | Self::Lead { .. } => {
                vec![true; series.len()]
            }
        };
        if let Some(first) = needed.first_mut() {
            *first = true;
        }
        if let Some(last) = needed.last_mut() {
            *last = true;
        }
        needed
    }

    /// Whether runs of so many generations, fewer than those of the preset, have it all the
    /// same. A generation that is not reached is a lower bound.
    pub(super) fn is_whole_in(&self, generations: u64) -> bool {
        match self {
            Self::Initial(_) | Self::FirstAtLeast(..) | Self::FirstAtMost(..) => true,
            Self::ReachesBy(_, _, by) => *by < generations,
            _ => false,
        }
    }

    /// How it is written.
    pub(super) fn style(&self) -> FigureStyle {
        match self {
            Self::FirstAtLeast(..) | Self::FirstAtMost(..) | Self::PerGeneration(_) => {
                FigureStyle::NUMBER
            }
            Self::ReachesBy(..)
            | Self::ShareFrom(..)
            | Self::GainBy(..)
            | Self::Lead {
                of: GroupMeasure::Share,
                ..
            } => FigureStyle::SHARE,
            Self::Lead {
                of: GroupMeasure::Mean(column),
                ..
            } => FigureStyle::of(column),
            _ => FigureStyle::of(self.column()),
        }
    }

    /// What it is, such as "first generation with accuracy states ≥ 1".
    pub fn words(&self) -> String {
        let column = self.column().replace('_', " ");
        match self {
            Self::FirstAtLeast(_, bound) => format!("first generation with {column} ≥ {bound}"),
            Self::FirstAtMost(_, bound) => format!("first generation with {column} ≤ {bound}"),
            Self::ReachesBy(_, bound, by) => {
                let by = grouped(&by.to_string());
                format!("share of runs with {column} ≥ {bound} by generation {by}")
            }
            Self::Initial(_) => format!("{column} in the first generation"),
            Self::Last(_) => format!("{column} at the end"),
            Self::Highest(_) => format!("highest {column}"),
            Self::LateMean(_, last) => format!("{column}, mean of the last {last} generations"),
            Self::Gain(_) => format!("{column}, last less first"),
            Self::ShareFrom(_, bound) => format!("share of generations with {column} ≥ {bound}"),
            Self::PerGeneration(_) => format!("{column} of a generation"),
            Self::MeanAbsoluteChange(_) => {
                format!("{column}, mean absolute change between measurements after the first")
            }
            Self::GainBy(_, by) => {
                let by = grouped(&by.to_string());
                format!("share of the gain in {column} made by generation {by}")
            }
            Self::Lead {
                of,
                first: (_, first),
                others,
                ..
            } => {
                let measured = match of {
                    GroupMeasure::Share => "share of generations".to_owned(),
                    GroupMeasure::Mean(other) => format!("mean {}", other.replace('_', " ")),
                };
                let others: Vec<&str> = others.iter().map(|(_, name)| &name[..]).collect();
                let others = others.join(" and ");
                format!("{measured} with {column} {first}, less the higher of {others}")
            }
        }
    }

    /// The figure of a run, and whether it is only a lower bound. `None` if the column has no
    /// value.
    pub fn of(&self, run: &dyn RunColumns) -> Option<(f64, bool)> {
        let series = run.series(self.column(), ProgressUnit::Generations);
        let (first, last) = (series.first()?.1, series.last()?.1);
        let first_with = |meets: &dyn Fn(f64) -> bool| {
            let met = series.iter().find(|(_, value)| meets(*value));
            met.map_or((run.generations() as f64, true), |(at, _)| (*at, false))
        };
        let values = || series.iter().map(|(_, value)| *value);
        Some(match self {
            Self::FirstAtLeast(_, bound) => first_with(&|value| value >= *bound),
            Self::FirstAtMost(_, bound) => first_with(&|value| value <= *bound),
            Self::ReachesBy(_, bound, by) => {
                let early = series.iter().take_while(|(at, _)| *at <= *by as f64);
                let is_met = early.into_iter().any(|(_, value)| *value >= *bound);
                (f64::from(is_met), false)
            }
            Self::Initial(_) => (first, false),
            Self::Last(_) => (last, false),
            Self::Highest(_) => (values().fold(f64::NEG_INFINITY, f64::max), false),
            Self::LateMean(_, last) => {
                let from = series.last()?.0 - *last as f64;
                let late = series.iter().filter(|(at, _)| *at > from);
                let sum: f64 = late.clone().map(|(_, value)| value).sum();
                (sum / late.count() as f64, false)
            }
            Self::Gain(_) => (last - first, false),
            Self::ShareFrom(_, bound) => {
                let met = values().filter(|value| value >= bound).count();
                (met as f64 / series.len() as f64, false)
            }
            Self::PerGeneration(_) => (last / run.generations() as f64, false),
            Self::MeanAbsoluteChange(_) => {
                let changes = series[1..]
                    .windows(2)
                    .map(|pair| (pair[1].1 - pair[0].1).abs());
                let changes: Vec<f64> = changes.collect();
                if changes.is_empty() {
                    return None;
                }
                (mean(&changes), false)
            }
            Self::GainBy(_, by) => {
                let early = series.iter().take_while(|(at, _)| *at <= *by as f64);
                let (_, value) = early.last()?;
                let gain = last - first;
                if gain == 0.0 {
                    return None;
                }
                ((value - first) / gain, false)
            }
            Self::Lead {
                of, first, others, ..
            } => {
                let measured = |group: &NamedValue| of.in_group(run, &series, group.0);
                let second = others.iter().filter_map(measured).reduce(f64::max);
                (measured(first)? - second?, false)
            }
        })
    }
}

impl GroupMeasure {
    /// The measure of the generations in which a column has a value. `None` for a mean of none.
    fn in_group(&self, run: &dyn RunColumns, column: &[(f64, f64)], value: f64) -> Option<f64> {
        let has_value = |known: &f64| known.total_cmp(&value).is_eq();
        let group = column.iter().filter(|(_, known)| has_value(known));
        let Self::Mean(other) = self else {
            return Some(group.count() as f64 / column.len() as f64);
        };
        let generations: Vec<f64> = group.map(|(at, _)| *at).collect();
        let is_of_group = |at: f64| {
            generations
                .binary_search_by(|one| one.total_cmp(&at))
                .is_ok()
        };
        let series = run.series(other, ProgressUnit::Generations).into_iter();
        let values: Vec<f64> = series
            .filter_map(|(at, value)| is_of_group(at).then_some(value))
            .collect();
        (!values.is_empty()).then(|| mean(&values))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Known(Vec<(f64, f64)>);

    impl RunColumns for Known {
        fn series(&self, column: &str, _over: ProgressUnit) -> Vec<(f64, f64)> {
            if column == "accuracy" {
                self.0.clone()
            } else {
                Vec::new()
            }
        }

        fn generations(&self) -> u64 {
            500
        }
    }

    #[test]
    fn figures_are_read_from_the_series() {
        let run = Known(
            (0..400)
                .map(|at| (f64::from(at), f64::from(at) / 100.0))
                .collect(),
        );
        for (figure, expected) in [
            (
                RunFigure::FirstAtLeast("accuracy".into(), 1.5),
                (150.0, false),
            ),
            (
                RunFigure::FirstAtLeast("accuracy".into(), 9.0),
                (500.0, true),
            ),
            (RunFigure::FirstAtMost("accuracy".into(), 0.0), (0.0, false)),
            (
                RunFigure::ReachesBy("accuracy".into(), 1.5, 150),
                (1.0, false),
            ),
            (
                RunFigure::ReachesBy("accuracy".into(), 1.5, 149),
                (0.0, false),
            ),
            (RunFigure::Initial("accuracy".into()), (0.0, false)),
            (RunFigure::Last("accuracy".into()), (3.99, false)),
            (RunFigure::Highest("accuracy".into()), (3.99, false)),
            (RunFigure::Gain("accuracy".into()), (3.99, false)),
            (RunFigure::ShareFrom("accuracy".into(), 3.0), (0.25, false)),
            (
                RunFigure::PerGeneration("accuracy".into()),
                (3.99 / 500.0, false),
            ),
            (RunFigure::GainBy("accuracy".into(), 0), (0.0, false)),
            (RunFigure::GainBy("accuracy".into(), 399), (1.0, false)),
        ] {
            assert_eq!(figure.of(&run), Some(expected), "{figure:?}");
        }
        for (last, expected) in [(100, 3.495), (2, 3.985)] {
            let late = RunFigure::LateMean("accuracy".into(), last).of(&run);
            let (late, _) = late.expect("it has values");
            assert!((late - expected).abs() < 1e-9, "{late}");
        }
        assert_eq!(RunFigure::Last("nothing".into()).of(&run), None);
    }

    #[test]
    fn a_figure_is_the_same_of_the_points_that_it_needs() {
        let column = || Name::from("accuracy");
        let wave = |at: u32| (f64::from(at) * 0.7).sin() + f64::from(at.min(200)) / 100.0;
        let series: Vec<(f64, f64)> = (3..300)
            .step_by(3)
            .map(|at| (f64::from(at), wave(at)))
            .collect();
        let figures = [
            (RunFigure::FirstAtLeast(column(), 1.5), 3),
            (RunFigure::FirstAtLeast(column(), 99.0), 2),
            (RunFigure::FirstAtMost(column(), 0.0), 3),
            (RunFigure::ReachesBy(column(), 1.5, 100), 3),
            (RunFigure::ReachesBy(column(), 1.5, 299), 3),
            (RunFigure::Initial(column()), 2),
            (RunFigure::Last(column()), 2),
            (RunFigure::Highest(column()), 3),
            (RunFigure::LateMean(column(), 30), 11),
            (RunFigure::Gain(column()), 2),
            (RunFigure::PerGeneration(column()), 2),
            (RunFigure::GainBy(column(), 100), 3),
            (RunFigure::ShareFrom(column(), 1.0), series.len()),
            (RunFigure::MeanAbsoluteChange(column()), series.len()),
        ];
        for (figure, count) in figures {
            let needed = figure.points_needed(&series);
            let kept = series.iter().zip(needed);
            let kept = kept.filter_map(|(point, is_needed)| is_needed.then_some(*point));
            let kept = Known(kept.collect());
            assert_eq!(kept.0.len(), count, "{figure:?}");
            assert_eq!(
                figure.of(&kept),
                figure.of(&Known(series.clone())),
                "{figure:?}"
            );
        }
        assert!(RunFigure::Last(column()).points_needed(&[]).is_empty());
    }

    #[test]
    fn changes_count_up_and_down_from_the_second_measurement_on() {
        let change = RunFigure::MeanAbsoluteChange("accuracy".into());
        let points = [(0.0, 0.0), (100.0, 0.5), (200.0, 1.0), (300.0, 0.75)];
        assert_eq!(change.of(&Known(points.to_vec())), Some((0.375, false)));
        assert_eq!(change.of(&Known(points[..2].to_vec())), None);
        assert_eq!(
            change.words(),
            "accuracy, mean absolute change between measurements after the first"
        );
    }

    #[test]
    fn a_lead_compares_a_group_of_generations_with_the_best_of_the_others() {
        struct Origins;

        impl RunColumns for Origins {
            fn series(&self, column: &str, _over: ProgressUnit) -> Vec<(f64, f64)> {
                match column {
                    "origin" => vec![(1.0, 2.0), (2.0, 3.0), (3.0, 2.0), (4.0, 2.0)],
                    // The first has no growth.
                    "growth" => vec![(2.0, 5.0), (3.0, 1.0), (4.0, 3.0)],
                    _ => Vec::new(),
                }
            }

            fn generations(&self) -> u64 {
                5
            }
        }

        let names = [(1.0, "elite"), (2.0, "crossover"), (3.0, "mutant")];
        let [elite, crossed, mutated] = names;
        let lead = |of: GroupMeasure, [first, others @ ..]: [(f64, &str); 3]| RunFigure::Lead {
            of,
            by: "origin".into(),
            first: (first.0, first.1.to_owned()),
            others: others
                .map(|(value, name)| (value, name.to_owned()))
                .to_vec(),
        };
        let growth = || GroupMeasure::Mean("growth".into());
        for (of, groups, expected) in [
            (GroupMeasure::Share, [crossed, mutated, elite], Some(0.5)),
            (GroupMeasure::Share, [elite, crossed, mutated], Some(-0.75)),
            (growth(), [crossed, elite, mutated], Some(-3.0)),
            (growth(), [mutated, elite, crossed], Some(3.0)),
            (growth(), [elite, crossed, mutated], None),
        ] {
            let figure = lead(of, groups);
            let found = figure.of(&Origins);
            assert_eq!(found, expected.map(|lead| (lead, false)), "{figure:?}");
        }
        let figure = lead(growth(), [crossed, elite, mutated]);
        assert_eq!(
            figure.words(),
            "mean growth with origin crossover, less the higher of elite and mutant"
        );
        let columns = figure.columns().into_iter().map(|name| &**name);
        assert_eq!(columns.collect::<Vec<&str>>(), ["origin", "growth"]);
    }
}
