//! With successive halving by generations: how the shortest part of each run has ended.

use std::collections::BTreeMap;

use finches_engine::preset::Preset;
use finches_lab::experiment::summary::PresetSummary;
use finches_lab::experiment::sweep::results::first_summary;
use finches_runs::storage::experiments::manifest::RunId;
use finches_runs::storage::experiments::outcome::RunOutcome;
use finches_runs::storage::experiments::part::RunPart;

/// The shortest part of the runs.
pub(super) struct FirstPart {
    part: RunPart,
    outcomes: BTreeMap<RunId, RunOutcome>,
    /// Their summaries by preset.
    summaries: BTreeMap<usize, PresetSummary>,
}

impl FirstPart {
    pub(super) fn new(part: RunPart) -> Self {
        Self {
            part,
            outcomes: BTreeMap::new(),
            summaries: BTreeMap::new(),
        }
    }

    /// Takes note of the outcome of a run, if it is that of this part.
    pub(super) fn finish(&mut self, id: RunId, outcome: &RunOutcome, preset: &Preset) {
        if outcome.generations <= self.part.generations(preset.generations) {
            self.outcomes.insert(id, outcome.clone());
        }
    }

    /// Updates the summary of the runs of a preset.
    pub(super) fn update(&mut self, place: usize, preset: &Preset, column: Option<&str>) {
        let run = |seed| RunId {
            preset: place,
            seed,
        };
        let own = self.outcomes.range(run(0)..=run(u64::MAX));
        let own: Vec<(RunId, &RunOutcome)> = own.map(|(id, outcome)| (*id, outcome)).collect();
        if let Ok(line) = first_summary((place, preset), (&own, self.part), column) {
            self.summaries.insert(place, line);
        }
    }

    /// The summaries so far, by preset.
    pub(super) fn summaries(&self) -> Vec<PresetSummary> {
        self.summaries.values().cloned().collect()
    }
}
