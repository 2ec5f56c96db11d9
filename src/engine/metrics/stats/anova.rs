//! Analysis of variance of unbalanced tables (type II; Searle 1971, chapter 7): how much of the
//! variance of runs each of several parameters explains.

use statrs::distribution::{ContinuousCDF, FisherSnedecor};

use super::linear::{dot, new_direction};

/// The runs with the same values of all parameters.
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

/// An analysis of variance.
#[derive(Clone, Debug, PartialEq)]
pub struct Anova<'a> {
    cells: &'a [AnovaCell],
    /// The means of the cells, weighted by the square roots of their counts.
    weighted: Vec<f64>,
    total: f64,
    /// The mean square of what is left to chance, and its degrees of freedom.
    error: (f64, usize),
    /// Whether chance is what differs between runs with the same values, and not what the
    /// parameters on their own do not explain.
    pub is_from_repeated_runs: bool,
}

/// Directions shorter than this, of length 1 before, are rounding errors.
const LEAST: f64 = 1e-9;

impl<'a> Anova<'a> {
    /// Analyses runs. `None` if there are too few to tell what is left to chance.
    pub fn of(cells: &'a [AnovaCell]) -> Option<Self> {
        let runs: usize = cells.iter().map(|cell| cell.count).sum();
        let weight = |cell: &AnovaCell| cell.count as f64;
        let sum: f64 = cells.iter().map(|cell| weight(cell) * cell.mean).sum();
        let mean = sum / runs as f64;
        let centered = cells
            .iter()
            .map(|cell| weight(cell).sqrt() * (cell.mean - mean));
        let within: f64 = cells.iter().map(|cell| cell.squares).sum();
        let mut anova = Self {
            cells,
            weighted: centered.collect(),
            total: 0.0,
            error: (0.0, 0),
            is_from_repeated_runs: runs > cells.len(),
        };
        anova.total = within + dot(&anova.weighted, &anova.weighted);
        if anova.is_from_repeated_runs {
            let freedom = runs - cells.len();
            anova.error = (within / freedom as f64, freedom);
            return Some(anova);
        }
        let parameters = cells.first()?.levels.len();
        let main: Vec<Vec<f64>> = (0..parameters)
            .flat_map(|one| anova.columns(&[one]))
            .collect();
        let (explained, freedom) = anova.explained(&main, &[]);
        let left = (runs - 1).checked_sub(freedom).filter(|&left| left > 0)?;
        anova.error = ((anova.total - explained).max(0.0) / left as f64, left);
        Some(anova)
    }

    /// The mean square of what is left to chance.
    pub fn error_mean_square(&self) -> f64 {
        self.error.0
    }

    /// What a parameter explains beyond all others.
    pub fn parameter(&self, parameter: usize) -> AnovaTerm {
        let all = 0..self.parameters();
        let others = all.filter(|&other| other != parameter);
        let others: Vec<Vec<f64>> = others.flat_map(|other| self.columns(&[other])).collect();
        self.term(&self.columns(&[parameter]), &others)
    }

    /// What two parameters explain together beyond all parameters on their own.
    pub fn interaction(&self, a: usize, b: usize) -> AnovaTerm {
        let all = 0..self.parameters();
        let alone: Vec<Vec<f64>> = all.flat_map(|one| self.columns(&[one])).collect();
        self.term(&self.columns(&[a, b]), &alone)
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

    fn term(&self, columns: &[Vec<f64>], known: &[Vec<f64>]) -> AnovaTerm {
        let (squares, freedom) = self.explained(columns, known);
        let (error, error_freedom) = self.error;
        let noise = freedom as f64 * error;
        let whole = self.total + error;
        let share = ((squares - noise) / whole).max(0.0);
        AnovaTerm {
            share: if share.is_finite() { share } else { 0.0 },
            p: chance(squares / noise, freedom, error_freedom),
        }
    }
}

/// The probability of an F as large by chance. Without any squares to compare there is nothing to
/// explain.
fn chance(f: f64, freedom: usize, error_freedom: usize) -> f64 {
    if f.is_nan() || freedom == 0 {
        return 1.0;
    }
    if f.is_infinite() {
        return 0.0;
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
        let anova = Anova::of(&cells).expect("there are repeated runs");
        near(anova.error_mean_square(), 1.0);
        let term = anova.parameter(0);
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
        let anova = Anova::of(&cells).expect("there are repeated runs");
        let (a, b, both) = (
            anova.parameter(0),
            anova.parameter(1),
            anova.interaction(0, 1),
        );
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
        let anova = Anova::of(&cells).expect("there are repeated runs");
        near(anova.parameter(0).share, 0.0);
        // Squares 2 with 1 degree of freedom, error 0.02, total 2.08.
        near(anova.interaction(0, 1).share, (2.0 - 0.02) / (2.08 + 0.02));
    }

    #[test]
    fn without_repeated_runs_chance_is_what_the_parameters_leave() {
        let cells: Vec<AnovaCell> = (0..3)
            .flat_map(|a| (0..3).map(move |b| (a, b)))
            .map(|(a, b)| cell(&[a, b], &[a as f64 + if a == b { 0.1 } else { 0.0 }]))
            .collect();
        let anova = Anova::of(&cells).expect("nine runs, four parameters of the model");
        assert!(!anova.is_from_repeated_runs);
        assert!(anova.parameter(0).share > 0.9 && anova.parameter(1).share < 0.01);
        assert_eq!(Anova::of(&cells[..2]), None);
    }

    #[test]
    fn where_nothing_differs_nothing_is_explained() {
        let cells = [cell(&[0], &[1.0, 1.0]), cell(&[1], &[1.0, 1.0])];
        let term = Anova::of(&cells)
            .expect("there are repeated runs")
            .parameter(0);
        assert_eq!(term, AnovaTerm { share: 0.0, p: 1.0 });
        let cells = [cell(&[0], &[1.0, 1.0]), cell(&[1], &[2.0, 2.0])];
        let term = Anova::of(&cells)
            .expect("there are repeated runs")
            .parameter(0);
        near(term.share, 1.0);
        near(term.p, 0.0);
    }
}
