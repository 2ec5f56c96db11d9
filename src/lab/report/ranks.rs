//! The ranks of presets among one another over the generations.

use std::collections::BTreeMap;

use rand::RngExt;

use finches_engine::metrics::progress_unit::ProgressUnit;
use finches_engine::metrics::stats::spread::mean;
use finches_engine::rng::{Purpose, stream};

use super::claims::RankClaim;
use super::measure::RunColumns;
use super::page::{Cell, Table};
use super::render::{PaperWriter, RunRows};
use super::source::listed;
use super::verdict::Agreement;
use crate::words::FigureStyle;

/// Resamples of runs behind a verdict.
const RESAMPLES: usize = 1_000;

/// The ranks of presets among others, by the means of their runs.
pub(super) fn ranks(writer: &PaperWriter<'_>, claims: &[RankClaim]) -> (Table, Vec<Agreement>) {
    let mut rows = Vec::new();
    let claims = claims.iter();
    let claims = claims.flat_map(|claim| claim.presets.iter().map(move |preset| (preset, claim)));
    for (preset, claim) in claims {
        let all = [preset].into_iter().chain(claim.others.iter());
        let samples = all.map(|preset| {
            let runs = writer.columns.get(&**preset).map_or(&[][..], Vec::as_slice);
            let series = |run: &RunRows| run.series(&claim.column, ProgressUnit::Generations);
            runs.iter().map(series).collect()
        });
        let samples: Vec<Vec<Vec<(f64, f64)>>> = samples.collect();
        let generations = complete_generations(&samples);
        let sizes = generations.iter().flatten().map(Vec::len);
        let runs = sizes.min().unwrap_or(0);
        let ranks: Vec<usize> = generations
            .iter()
            .map(|values| first_rank(values))
            .collect();
        let held = share_that_holds(&samples, claim.within);
        let verdict = held.map(|share| Agreement::of_share(share, runs));
        let verdict = verdict.unwrap_or(Agreement::CannotTell);
        let compared = [preset].into_iter().chain(claim.others.iter());
        let verdict = writer.of_whole_runs(verdict, compared, |_| false);
        let within = ranks.iter().filter(|&&rank| rank <= claim.within).count();
        let (ours, share) = match (ranks.iter().min(), ranks.iter().max()) {
            (Some(best), Some(worst)) => (
                format!("{best} to {worst}"),
                format!("{within} of {}", ranks.len()),
            ),
            _ => ("–".to_owned(), "–".to_owned()),
        };
        let row = vec![
            Cell::words(&**preset),
            Cell::words(listed(&claim.others)),
            Cell::words(claim.column.replace('_', " ")),
            Cell::words(&*claim.said),
            Cell::figure(format!("rank {} or better", claim.within)),
            Cell::figure(ours),
            Cell::figure(share),
            Cell::figure(held.map_or("–".to_owned(), |held| FigureStyle::SHARE.text(held))),
            Cell::figure(runs.to_string()),
        ];
        rows.push((row, verdict));
    }
    let head = "preset,among it and,figure,published,read as,our ranks,\
        generations in that range,resamples with all in it,runs";
    let caption = "The rank of a preset by the mean of its runs, 1 for the highest, in each \
        measured generation after generation 0.";
    Table::judged(writer.caption(caption), head, rows)
}

/// The share of resamples in which the first preset has the rank or a better one in every
/// generation. Whole runs are drawn, with replacement. `None` without a generation.
fn share_that_holds(samples: &[Vec<Vec<(f64, f64)>>], within: usize) -> Option<f64> {
    let mut rng = stream(1, Purpose::Bootstrap, 0, 0);
    let mut holds = || {
        let drawn = samples.iter().map(|runs| {
            let draw = |_| &runs[rng.random_range(0..runs.len())];
            (0..runs.len()).map(draw).collect()
        });
        let drawn: Vec<Vec<&Vec<(f64, f64)>>> = drawn.collect();
        let generations = complete_generations(&drawn);
        generations
            .iter()
            .all(|values| first_rank(values) <= within)
    };
    let is_known = !complete_generations(samples).is_empty();
    is_known.then(|| {
        let held = (0..RESAMPLES).filter(|_| holds()).count();
        held as f64 / RESAMPLES as f64
    })
}

/// The generations after the first that all presets have measured, each with the values of every
/// preset.
///
/// `samples` has the runs of each preset, each as pairs of a generation and a value.
fn complete_generations<S: AsRef<[(f64, f64)]>>(samples: &[Vec<S>]) -> Vec<Vec<Vec<f64>>> {
    let mut generations: BTreeMap<u64, Vec<Vec<f64>>> = BTreeMap::new();
    for (preset, runs) in samples.iter().enumerate() {
        let measured = runs.iter().flat_map(AsRef::as_ref);
        for &(at, value) in measured.filter(|(at, _)| *at > 0.0) {
            let known = generations.entry(at as u64);
            known.or_insert_with(|| vec![Vec::new(); samples.len()])[preset].push(value);
        }
    }
    let mut all: Vec<Vec<Vec<f64>>> = generations.into_values().collect();
    all.retain(|presets| presets.iter().all(|values| !values.is_empty()));
    all
}

/// The rank of the first preset by the means of the values, 1 for the highest.
fn first_rank(values: &[Vec<f64>]) -> usize {
    let means: Vec<f64> = values.iter().map(|values| mean(values)).collect();
    1 + means.iter().filter(|other| **other > means[0]).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_go_by_the_means_of_runs_in_generations_that_all_have() {
        let run = |values: [f64; 3]| vec![(0.0, values[0]), (100.0, values[1]), (200.0, values[2])];
        let own = vec![run([0.1, 0.8, 0.2]), run([0.1, 0.6, 0.4])];
        let other = vec![run([0.5, 0.6, 0.5])];
        // The last value of this one is missing.
        let short = vec![run([0.5, 0.9, 0.6])[..2].to_vec()];
        let check = |samples: [&Vec<Vec<(f64, f64)>>; 3], runs: &[usize], expected: &[usize]| {
            let generations = complete_generations(&samples.map(Clone::clone));
            let fewest = generations.iter().map(|values| {
                let sizes = values.iter().map(Vec::len);
                sizes.min().expect("there are presets")
            });
            assert_eq!(fewest.collect::<Vec<usize>>(), runs);
            let ranks = generations.iter().map(|values| first_rank(values));
            assert_eq!(ranks.collect::<Vec<usize>>(), expected);
        };
        check([&own, &other, &short], &[1], &[2]);
        check([&other, &own, &short], &[1], &[3]);
        check([&own, &other, &other], &[1, 1], &[1, 3]);
        check([&own, &own, &own], &[2, 2], &[1, 1]);
        check([&own, &other, &Vec::new()], &[], &[]);
        check([&own, &other, &vec![Vec::new()]], &[], &[]);
    }

    #[test]
    fn a_rank_holds_in_as_many_resamples_as_its_runs_are_apart() {
        let runs = |values: &[f64]| -> Vec<Vec<(f64, f64)>> {
            values.iter().map(|&value| vec![(100.0, value)]).collect()
        };
        let (low, high) = (runs(&[0.1, 0.2, 0.3]), runs(&[0.7, 0.8, 0.9]));
        let mixed = runs(&[0.1, 0.2, 0.9]);
        let share = |samples: [&Vec<Vec<(f64, f64)>>; 2]| {
            share_that_holds(&samples.map(Clone::clone), 1).expect("there is a generation")
        };
        assert!(share([&high, &low]) > 0.999);
        assert!(share([&low, &high]) < 0.001);
        let open = share([&mixed, &low]);
        assert!(open > 0.6 && open < 0.95, "{open}");
        assert_eq!(share_that_holds(&[low, Vec::new()], 1), None);
    }
}
