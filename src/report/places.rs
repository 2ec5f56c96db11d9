//! The places of presets among one another over the generations.

use std::collections::BTreeMap;

use crate::metrics::progress_unit::ProgressUnit;
use crate::metrics::stats::spread::mean;

use super::claims::PlaceClaim;
use super::measure::RunColumns;
use super::page::{Cell, Table};
use super::render::{PaperWriter, RunRows};
use super::verdict::Agreement;

impl PaperWriter<'_> {
    /// The places of presets among others, by the means of their runs.
    pub(super) fn places(&self, claims: &[PlaceClaim]) -> (Table, Vec<Agreement>) {
        let mut verdicts = Vec::new();
        let mut rows = Vec::new();
        for claim in claims {
            let samples = claim.among.iter().map(|preset| {
                let runs = self.columns.get(preset).map_or(&[][..], Vec::as_slice);
                let series = |run: &RunRows| run.series(claim.column, ProgressUnit::Generations);
                runs.iter().map(series).collect()
            });
            let samples: Vec<Vec<Vec<(f64, f64)>>> = samples.collect();
            let runs = samples.iter().map(Vec::len).min().unwrap_or(0);
            let own = claim.among.iter().position(|name| *name == claim.preset);
            let places = places_of(&samples, own.expect("it is one of them"));
            let verdict = Agreement::of_places(&places, claim.within, runs);
            let ours = match (places.iter().min(), places.iter().max()) {
                (Some(best), Some(worst)) => format!("{best} to {worst}"),
                _ => "–".to_owned(),
            };
            let met = places.iter().filter(|&&place| place <= claim.within);
            rows.push(vec![
                Cell::words(claim.preset),
                Cell::words(claim.among.join(", ")),
                Cell::words(claim.column.replace('_', " ")),
                Cell::words(claim.said),
                Cell::figure(format!("place {} or better", claim.within)),
                Cell::figure(ours),
                Cell::figure(format!("{} of {}", met.count(), places.len())),
                Cell::figure(runs.to_string()),
                Cell::verdict(verdict),
            ]);
            verdicts.push(verdict);
        }
        let head = [
            "preset",
            "among",
            "figure",
            "published",
            "read as",
            "our places",
            "in how many generations",
            "runs",
            "verdict",
        ];
        let caption =
            "The place of a preset by the mean of its runs, in each generation that is measured.";
        (Table::new(self.caption(caption), &head, rows), verdicts)
    }
}

/// The place of a preset in each generation after the first that all presets have measured, 1 for the highest mean of its runs.
///
/// `samples` has the runs of each preset, each as pairs of a generation and a value, and `own` is the index of the preset.
fn places_of(samples: &[Vec<Vec<(f64, f64)>>], own: usize) -> Vec<usize> {
    let mut values: BTreeMap<u64, Vec<Vec<f64>>> = BTreeMap::new();
    for (preset, runs) in samples.iter().enumerate() {
        for &(at, value) in runs.iter().flatten().filter(|(at, _)| *at > 0.0) {
            let known = values.entry(at as u64);
            known.or_insert_with(|| vec![Vec::new(); samples.len()])[preset].push(value);
        }
    }
    let complete = values
        .into_values()
        .filter(|presets| presets.iter().all(|values| !values.is_empty()));
    let place = |presets: Vec<Vec<f64>>| {
        let means: Vec<f64> = presets.iter().map(|values| mean(values)).collect();
        1 + means.iter().filter(|other| **other > means[own]).count()
    };
    complete.map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_go_by_the_means_of_runs_in_generations_that_all_have() {
        let run = |values: [f64; 3]| vec![(0.0, values[0]), (100.0, values[1]), (200.0, values[2])];
        let samples = vec![
            vec![run([0.1, 0.8, 0.2]), run([0.1, 0.6, 0.4])],
            vec![run([0.5, 0.6, 0.5])],
            // The last value of this one is missing.
            vec![run([0.5, 0.9, 0.6])[..2].to_vec()],
        ];
        assert_eq!(
            places_of(&samples, 0),
            [2],
            "generations 0 and 200 do not count"
        );
        assert_eq!(places_of(&samples, 1), [3]);
        assert_eq!(places_of(&samples[..2], 0), [1, 2]);
        assert_eq!(places_of(&samples[..0], 0), [0; 0]);
    }
}
