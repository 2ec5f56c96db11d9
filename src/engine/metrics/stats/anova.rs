//! Analysis of variance of unbalanced tables (type II; Searle 1971, chapter 7): how much of the
//! variance of runs each of several parameters explains.

use std::collections::BTreeSet;

use statrs::distribution::{ContinuousCDF, FisherSnedecor};

use super::linear::{dot, new_direction};
use super::paired::t_quantile;

/// The runs of a combination of values of all parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct AnovaCell {
    /// The level of each parameter, from 0.
    pub levels: Vec<usize>,
    /// The number of runs.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// The sum of the squared distances from it.
    pub squares: f64,
}

/// What a parameter, or two together, explain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnovaTerm {
    /// The share of the variance that it explains, 0..=1, corrected for what chance explains (omega
    /// squared; Hays 1963).
    pub share: f64,
    /// The probability of explaining as much by chance.
    pub p: f64,
}

/// Why a design can't tell what a parameter explains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confounding {
    /// All cells have the same level.
    OneLevel,
    /// Its levels go with those of these others: with each of them, or with all together.
    With(Vec<usize>),
    /// The levels are as many as the cells can tell apart, or all runs of a cell are equal, so that
    /// nothing is left to chance.
    NothingLeft,
}

/// An analysis of variance.
///
/// Where the cells are a full grid, each combination of levels once, chance is what differs between
/// the runs of a cell (fixed effects: Montgomery 2017, section 5.3). Elsewhere the runs of a cell
/// also share what its levels do not say: where in a range its values lie, and what several
/// parameters do together. A cell is one observation then, its mean, and chance is what the
/// parameters on their own leave between cells; runs in their place would be pseudoreplicates
/// (Hurlbert 1984).
#[derive(Clone, Debug, PartialEq)]
pub struct Anova {
    cells: Vec<AnovaCell>,
    /// The means of the cells, weighted by the square roots of their counts.
    weighted: Vec<f64>,
    total: f64,
    /// The mean square of what is left to chance, and its degrees of freedom, if there are any.
    error: Option<(f64, usize)>,
    /// Whether chance is what differs between the runs of a cell.
    pub is_between_runs: bool,
}

/// Directions shorter than this, of length 1 before, are rounding errors, and so are squares below
/// this share of all.
const LEAST: f64 = 1e-9;

impl Anova {
    /// Analyses runs.
    pub fn of(mut cells: Vec<AnovaCell>) -> Self {
        let is_between_runs = is_full_grid(&cells) && cells.iter().any(|cell| cell.count > 1);
        if !is_between_runs {
            for cell in &mut cells {
                (cell.count, cell.squares) = (1, 0.0);
            }
        }
        let runs: usize = cells.iter().map(|cell| cell.count).sum();
        let weight = |cell: &AnovaCell| cell.count as f64;
        let sum: f64 = cells.iter().map(|cell| weight(cell) * cell.mean).sum();
        let mean = sum / runs as f64;
        let centered = cells
            .iter()
            .map(|cell| weight(cell).sqrt() * (cell.mean - mean));
        let mut weighted: Vec<f64> = centered.collect();
        let is_rounding = |part: &f64| part.abs() < LEAST * mean.abs();
        if weighted.iter().all(is_rounding) {
            weighted.fill(0.0);
        }
        let within: f64 = cells.iter().map(|cell| cell.squares).sum();
        let mut anova = Self {
            total: within + dot(&weighted, &weighted),
            cells,
            weighted,
            error: None,
            is_between_runs,
        };
        anova.error = if is_between_runs {
            anova.mean_square(within, runs - anova.cells.len())
        } else {
            anova.left_between(&anova.alone(None))
        };
        anova
    }

    /// The half of the 95% interval of the mean of some cells' means by what is left to chance
    /// (Student's t); `None` if nothing is left.
    pub fn half_width(&self, is_in: impl Fn(&AnovaCell) -> bool) -> Option<f64> {
        let (square, freedom) = self.error?;
        let chosen = self.cells.iter().filter(|cell| is_in(cell));
        let inverse: Vec<f64> = chosen.map(|cell| 1.0 / cell.count as f64).collect();
        let error = (square * inverse.iter().sum::<f64>()).sqrt() / inverse.len() as f64;
        Some(t_quantile(freedom as f64) * error)
    }

    /// What a parameter explains beyond all others.
    pub fn parameter(&self, parameter: usize) -> Result<AnovaTerm, Confounding> {
        let own = self.columns(&[parameter]);
        let beyond = |known: &[Vec<f64>]| self.explained(&own, known).1;
        let levels = beyond(&[]);
        if levels == 0 {
            return Err(Confounding::OneLevel);
        }
        let others = self.alone(Some(parameter));
        if beyond(&others) < levels {
            let rest = (0..self.parameters()).filter(|&other| other != parameter);
            let goes_with = |other: &usize| beyond(&self.columns(&[*other])) < levels;
            let (with, all): (Vec<usize>, Vec<usize>) =
                (rest.clone().filter(goes_with).collect(), rest.collect());
            return Err(Confounding::With(if with.is_empty() { all } else { with }));
        }
        let error = self.error.ok_or(Confounding::NothingLeft)?;
        Ok(self.term(&own, &others, error))
    }

    /// What two parameters explain together beyond all parameters on their own; `None` if the
    /// cells can't tell. Where chance is what is left between cells, it is what this leaves, too.
    pub fn interaction(&self, a: usize, b: usize) -> Option<AnovaTerm> {
        let (alone, together) = (self.alone(None), self.columns(&[a, b]));
        let error = if self.is_between_runs {
            self.error?
        } else {
            self.left_between(&[alone.clone(), together.clone()].concat())?
        };
        let is_known = self.explained(&together, &alone).1 == 0;
        (!is_known).then(|| self.term(&together, &alone, error))
    }

    /// The columns of all parameters, or of all but one.
    fn alone(&self, without: Option<usize>) -> Vec<Vec<f64>> {
        let all = (0..self.parameters()).filter(|&one| Some(one) != without);
        all.flat_map(|one| self.columns(&[one])).collect()
    }

    /// The mean square of what columns leave between cells, and its degrees of freedom.
    fn left_between(&self, columns: &[Vec<f64>]) -> Option<(f64, usize)> {
        let (explained, freedom) = self.explained(columns, &[]);
        let left = self.cells.len().saturating_sub(1 + freedom);
        self.mean_square((self.total - explained).max(0.0), left)
    }

    /// A mean square with its degrees of freedom; `None` without any, or if what differs leaves
    /// nothing to chance.
    fn mean_square(&self, squares: f64, freedom: usize) -> Option<(f64, usize)> {
        let is_left = squares > LEAST * self.total || self.total == 0.0;
        (is_left && freedom > 0).then(|| (squares / freedom as f64, freedom))
    }

    fn parameters(&self) -> usize {
        self.cells.first().map_or(0, |cell| cell.levels.len())
    }

    /// A column for each level of a parameter, or for each pair of levels of two: 1 in its cells,
    /// weighted, else 0.
    fn columns(&self, parameters: &[usize]) -> Vec<Vec<f64>> {
        let level = |cell: &AnovaCell| -> Vec<usize> {
            parameters.iter().map(|&one| cell.levels[one]).collect()
        };
        let mut levels: Vec<Vec<usize>> = self.cells.iter().map(level).collect();
        levels.sort();
        levels.dedup();
        let column = |chosen: &Vec<usize>| {
            let cells = self.cells.iter();
            let weights = cells.map(|cell| {
                let is_in = level(cell) == *chosen;
                if is_in {
                    (cell.count as f64).sqrt()
                } else {
                    0.0
                }
            });
            let weights: Vec<f64> = weights.collect();
            let length = dot(&weights, &weights).sqrt();
            weights.into_iter().map(|weight| weight / length).collect()
        };
        levels.iter().map(column).collect()
    }

    /// The sum of squares that columns explain beyond the mean and `known` columns, and its degrees
    /// of freedom.
    fn explained(&self, columns: &[Vec<f64>], known: &[Vec<f64>]) -> (f64, usize) {
        let mean = self.columns(&[]);
        let mut span: Vec<Vec<f64>> = Vec::new();
        for column in mean.iter().chain(known) {
            span.extend(new_direction(column.clone(), &span, LEAST));
        }
        let before = span.len();
        for column in columns {
            span.extend(new_direction(column.clone(), &span, LEAST));
        }
        let along = span[before..]
            .iter()
            .map(|direction| dot(&self.weighted, direction));
        (along.map(|part| part * part).sum(), span.len() - before)
    }

    fn term(
        &self,
        columns: &[Vec<f64>],
        known: &[Vec<f64>],
        (error, error_freedom): (f64, usize),
    ) -> AnovaTerm {
        let (squares, freedom) = self.explained(columns, known);
        let noise = freedom as f64 * error;
        let whole = self.total + error;
        let share = ((squares - noise) / whole).max(0.0);
        AnovaTerm {
            share: if share.is_finite() { share } else { 0.0 },
            p: chance(squares / noise, freedom, error_freedom),
        }
    }
}

/// Whether there is one cell for each combination of levels.
fn is_full_grid(cells: &[AnovaCell]) -> bool {
    let parameters = cells.first().map_or(0, |cell| cell.levels.len());
    let distinct = |parameter: usize| {
        let levels: BTreeSet<usize> = cells.iter().map(|cell| cell.levels[parameter]).collect();
        levels.len()
    };
    let combinations = (0..parameters).map(distinct).fold(1, usize::saturating_mul);
    let known: BTreeSet<&[usize]> = cells.iter().map(|cell| &cell.levels[..]).collect();
    combinations == cells.len() && known.len() == cells.len()
}

/// The probability of an F as large by chance. Without any squares to compare there is nothing to
/// explain.
fn chance(f: f64, freedom: usize, error_freedom: usize) -> f64 {
    if f.is_nan() || freedom == 0 {
        return 1.0;
    }
    let distribution = FisherSnedecor::new(freedom as f64, error_freedom as f64);
    distribution.map_or(1.0, |distribution| distribution.sf(f))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(levels: &[usize], values: &[f64]) -> AnovaCell {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        AnovaCell {
            levels: levels.to_vec(),
            count: values.len(),
            mean,
            squares: values.iter().map(|value| (value - mean).powi(2)).sum(),
        }
    }

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-6, "{found}, not {expected}");
    }

    #[test]
    fn one_parameter_is_the_textbook_analysis() {
        // By hand: between 54 with 2 degrees of freedom, within 6 with 6, F = 27.
        let cells = [
            cell(&[0], &[1.0, 2.0, 3.0]),
            cell(&[1], &[4.0, 5.0, 6.0]),
            cell(&[2], &[7.0, 8.0, 9.0]),
        ];
        let anova = Anova::of(cells.to_vec());
        // t with 6 degrees of freedom is 2.446912; a mean of three has the error √(1 / 3).
        let half = anova.half_width(|cell| cell.levels == [0]);
        near(half.expect("six are left"), 2.446_911_85 / 3.0_f64.sqrt());
        let term = anova.parameter(0).expect("six are left");
        near(term.share, (54.0 - 2.0) / (60.0 + 1.0));
        near(term.p, 0.001);
    }

    #[test]
    fn two_parameters_without_an_interaction_are_told_apart_even_if_unbalanced() {
        // a adds 10, b adds 1; the noise is ±0.1.
        let noisy = |base: f64, count: usize| -> Vec<f64> {
            let sign = |index: usize| if index.is_multiple_of(2) { 0.1 } else { -0.1 };
            (0..count).map(|index| base + sign(index)).collect()
        };
        let cells = [
            cell(&[0, 0], &noisy(0.0, 2)),
            cell(&[0, 1], &noisy(1.0, 8)),
            cell(&[1, 0], &noisy(10.0, 6)),
            cell(&[1, 1], &noisy(11.0, 2)),
        ];
        let anova = Anova::of(cells.to_vec());
        let [a, b] = [0, 1].map(|one| anova.parameter(one).expect("there are repeated runs"));
        let both = anova.interaction(0, 1).expect("there are repeated runs");
        assert!(
            a.share > 0.7 && b.share < 0.02 && both.share < 1e-3,
            "{a:?} {b:?} {both:?}"
        );
        assert!(
            a.p < 1e-6 && b.p < 1e-6 && both.p > 0.9,
            "{a:?} {b:?} {both:?}"
        );
    }

    #[test]
    fn an_interaction_is_found_and_no_parameter_on_its_own() {
        let cells = [
            cell(&[0, 0], &[1.0, 1.2]),
            cell(&[0, 1], &[0.0, 0.2]),
            cell(&[1, 0], &[0.0, 0.2]),
            cell(&[1, 1], &[1.0, 1.2]),
        ];
        let anova = Anova::of(cells.to_vec());
        near(anova.parameter(0).expect("four are left").share, 0.0);
        // Squares 2 with 1 degree of freedom, error 0.02, total 2.08.
        let both = anova.interaction(0, 1).expect("four are left");
        near(both.share, (2.0 - 0.02) / (2.08 + 0.02));
    }

    #[test]
    fn without_repeated_runs_chance_is_what_the_parameters_leave() {
        let cells: Vec<AnovaCell> = (0..3)
            .flat_map(|a| (0..3).map(move |b| (a, b)))
            .map(|(a, b)| cell(&[a, b], &[a as f64 + if a == b { 0.1 } else { 0.0 }]))
            .collect();
        let anova = Anova::of(cells.clone());
        assert!(!anova.is_between_runs);
        let share = |one| anova.parameter(one).expect("four are left").share;
        assert!(share(0) > 0.9 && share(1) < 0.01);
        assert_eq!(anova.interaction(0, 1), None, "it would leave nothing");
        let two = Anova::of(cells[..2].to_vec());
        assert_eq!(two.parameter(0), Err(Confounding::OneLevel));
        assert_eq!(two.parameter(1), Err(Confounding::NothingLeft));
    }

    #[test]
    fn runs_of_a_combination_are_no_observations_of_their_own_unless_the_grid_is_full() {
        // The runs of a combination hardly differ, but those of one level do.
        let cells: Vec<AnovaCell> = [(0, 1.0), (0, 3.0), (1, 1.5), (1, 4.0)]
            .map(|(level, mean)| cell(&[level], &[mean - 0.01, mean + 0.01]))
            .to_vec();
        let term = Anova::of(cells.clone()).parameter(0).expect("two are left");
        // By hand: between 0.5625, within 5.125 with 2 degrees of freedom.
        near(term.p, 1.0 - f64::sqrt(0.5625 / (0.5625 + 5.125)));
        let full = Anova::of([&cells[..1], &cells[3..]].concat());
        assert!(full.is_between_runs && full.parameter(0).is_ok_and(|term| term.p < 1e-4));
    }

    #[test]
    fn what_goes_with_other_parameters_is_told_with_their_names() {
        let cells = |levels: &[[usize; 3]]| {
            let cells = levels.iter().zip([1.0, 4.0, 2.0, 8.0, 5.0, 7.0]);
            cells.map(|(levels, mean)| cell(levels, &[mean])).collect()
        };
        let twins = [
            [0, 0, 0],
            [1, 1, 0],
            [0, 0, 1],
            [1, 1, 1],
            [2, 0, 0],
            [2, 0, 1],
        ];
        let anova = Anova::of(cells(&twins));
        assert_eq!(anova.parameter(0), Err(Confounding::With(vec![1])));
        assert_eq!(anova.parameter(1), Err(Confounding::With(vec![0])));
        assert!(anova.parameter(2).is_ok());
        // The sum of the two others goes with neither of them alone.
        let sum = Anova::of(cells(&[[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 2]]));
        assert_eq!(sum.parameter(2), Err(Confounding::With(vec![0, 1])));
        let half = Anova::of(cells(&[[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]]));
        assert_eq!(half.parameter(2), Err(Confounding::NothingLeft));
    }

    #[test]
    fn where_nothing_differs_nothing_is_explained_and_equal_runs_of_a_cell_tell_no_chance() {
        let of = |second: &[f64]| Anova::of(vec![cell(&[0], &[1.0]), cell(&[1], second)]);
        let term = AnovaTerm { share: 0.0, p: 1.0 };
        assert_eq!(of(&[1.0, 1.0]).parameter(0), Ok(term));
        let rounded = Anova::of(vec![cell(&[0], &[0.1 + 0.2]), cell(&[1], &[0.3, 0.3])]);
        assert_eq!(rounded.parameter(0), Ok(term));
        // Of three runs, any one would differ as clearly.
        let found = of(&[0.85, 0.85]);
        assert_eq!(found.parameter(0), Err(Confounding::NothingLeft));
        assert_eq!(found.half_width(|_| true), None);
        let rounded = of(&[0.1 + 0.2, 0.3, 0.3]);
        assert_eq!(rounded.parameter(0), Err(Confounding::NothingLeft));
        assert!(of(&[0.85, 0.86]).parameter(0).is_ok());
    }
}
