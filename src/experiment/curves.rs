//! A column of many runs over their course: the median and the middle half, preset by preset.

use std::collections::BTreeSet;

use crate::metrics::over::Over;
use crate::metrics::stats::spread::quantile;

use super::Fault;
use super::collect::{Run, Runs};

/// The course of a preset's runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    pub preset: String,
    pub runs: usize,
    pub points: Vec<Point>,
}

/// The runs at one moment of their course.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub at: f64,
    pub lower_quartile: f64,
    pub median: f64,
    pub upper_quartile: f64,
}

/// Moments at which a curve is drawn at most.
const MOST_POINTS: usize = 500;

/// The curves of all presets that have finished runs.
pub fn curves(runs: &Runs<'_>, column: &str, over: Over) -> Result<Vec<Curve>, Fault> {
    let mut curves = Vec::new();
    for (place, preset) in runs.manifest.presets.iter().enumerate() {
        let courses: Result<Vec<Course>, Fault> = runs
            .of(place)
            .map(|run| course(run, column, over))
            .collect();
        let courses = courses?;
        if !courses.is_empty() {
            curves.push(Curve {
                preset: preset.name.clone(),
                runs: courses.len(),
                points: points(&courses),
            });
        }
    }
    Ok(curves)
}

/// The figures of one run by their place in its course.
type Course = Vec<(f64, f64)>;

fn course(run: &Run<'_>, column: &str, over: Over) -> Result<Course, Fault> {
    let (columns, rows) = run.folder.rows(run.cell)?;
    let place = |name: &str| columns.iter().position(|known| known == name);
    let (Some(at), Some(figure)) = (place(over.column()), place(column)) else {
        let name = run.folder.manifest().stem(run.cell);
        return Err(Fault::Usage(format!(
            "run {name} has no column `{column}`; there are {}",
            columns.join(", ")
        )));
    };
    let points = rows.iter();
    Ok(points
        .filter_map(|row| Some((row.values()[at]?, row.values()[figure]?)))
        .filter(|(_, figure)| figure.is_finite())
        .collect())
}

/// A run counts with its latest figure, also beyond its end: it has ended because it met its target.
fn points(courses: &[Course]) -> Vec<Point> {
    let latest = |course: &Course, at: f64| {
        let later = course.partition_point(|(x, _)| *x <= at);
        Some(course[later.checked_sub(1)?].1)
    };
    let point = |at: f64| {
        let mut figures: Vec<f64> = courses.iter().filter_map(|one| latest(one, at)).collect();
        figures.sort_by(f64::total_cmp);
        (!figures.is_empty()).then(|| Point {
            at,
            lower_quartile: quantile(&figures, 0.25),
            median: quantile(&figures, 0.5),
            upper_quartile: quantile(&figures, 0.75),
        })
    };
    moments(courses).into_iter().filter_map(point).collect()
}

/// The places at which any run has a figure, or an even sample of them.
fn moments(courses: &[Course]) -> Vec<f64> {
    // Generations and games are whole numbers.
    let all: BTreeSet<u64> = courses.iter().flatten().map(|(at, _)| *at as u64).collect();
    let all: Vec<f64> = all.into_iter().map(|at| at as f64).collect();
    if all.len() <= MOST_POINTS {
        return all;
    }
    let last = all.len() - 1;
    (0..MOST_POINTS)
        .map(|index| all[index * last / (MOST_POINTS - 1)])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_has_ended_counts_with_its_last_figure() {
        let courses = [
            vec![(0.0, 0.5), (1.0, 1.0)],
            vec![(0.0, 0.25), (1.0, 0.25), (2.0, 0.75)],
            vec![(1.0, 0.5)],
        ];
        let medians = |points: Vec<Point>| -> Vec<(f64, f64)> {
            points
                .iter()
                .map(|point| (point.at, point.median))
                .collect()
        };
        assert_eq!(
            medians(points(&courses)),
            [(0.0, 0.375), (1.0, 0.5), (2.0, 0.75)]
        );
    }

    #[test]
    fn long_courses_are_thinned_and_keep_their_ends() {
        let course: Course = (0..12_345).map(|at| (f64::from(at), 0.0)).collect();
        let moments = moments(&[course]);
        assert_eq!(moments.len(), MOST_POINTS);
        assert_eq!((moments[0], moments[MOST_POINTS - 1]), (0.0, 12_344.0));
    }
}
