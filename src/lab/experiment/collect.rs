//! Collects the finished runs of an experiment from one or more folders.

use finches_engine::metrics::Row;
use finches_runs::storage::StorageError;
use finches_runs::storage::experiments::manifest::{Manifest, RunId};
use finches_runs::storage::experiments::outcome::RunOutcome;
use finches_runs::storage::experiments::part::RunPart;
use finches_runs::storage::experiments::{ExperimentFolder, RunStatus};

use super::ExperimentError;
use super::sweep::halving::parts;

/// A finished run and its folder.
pub struct FinishedRun<'a> {
    /// The preset and the seed.
    pub id: RunId,
    /// The part of the run that is done: with successive halving by generations, only a part of
    /// some runs is.
    pub part: RunPart,
    /// How it ended.
    pub outcome: RunOutcome,
    /// Where its rows are.
    pub folder: &'a ExperimentFolder,
}

/// The runs of an experiment.
pub struct CollectedRuns<'a> {
    /// What was to be run.
    pub manifest: &'a Manifest,
    /// Where they are.
    pub folders: &'a [ExperimentFolder],
    /// Ordered by preset and seed.
    pub finished: Vec<FinishedRun<'a>>,
    /// Runs that are not finished, ordered by preset and seed.
    pub missing: Vec<RunId>,
    /// Damaged files, which have been renamed.
    pub damaged: Vec<StorageError>,
}

impl CollectedRuns<'_> {
    /// The finished runs of a preset, ordered by seed.
    pub fn of_preset(&self, preset: usize) -> impl Iterator<Item = &FinishedRun<'_>> {
        let runs = self.finished.iter();
        runs.filter(move |run| run.id.preset == preset)
    }

    /// The finished runs of the preset of this name.
    pub fn of_name(&self, name: &str) -> impl Iterator<Item = &FinishedRun<'_>> {
        let mut presets = self.manifest.presets.iter();
        let place = presets.position(|preset| preset.name == name);
        place.into_iter().flat_map(|place| self.of_preset(place))
    }

    /// The names of the missing runs.
    pub fn missing(&self) -> Vec<String> {
        let missing = self.missing.iter();
        missing.map(|&id| self.manifest.run_name(id)).collect()
    }
}

impl FinishedRun<'_> {
    /// The names of its columns, and its rows.
    pub fn rows(&self) -> Result<(Vec<String>, Vec<Row>), StorageError> {
        self.folder.rows(self.id, self.part)
    }
}

/// Collects the runs of one or more folders of the same experiment, each as far as it is done. A
/// run found in several folders must have the same outcome.
pub fn collect(folders: &[ExperimentFolder]) -> Result<CollectedRuns<'_>, ExperimentError> {
    let parts = parts(folders[0].manifest());
    collect_parts(folders, |folder, id| {
        let mut parts = parts.iter().rev();
        let first = parts.find_map(|&part| match folder.status(id, part) {
            RunStatus::Missing => None,
            found => Some((part, found)),
        });
        first.unwrap_or((RunPart::WHOLE, RunStatus::Missing))
    })
}

/// Collects a part of the runs of an experiment.
pub(super) fn collect_part(
    folders: &[ExperimentFolder],
    part: RunPart,
) -> Result<CollectedRuns<'_>, ExperimentError> {
    collect_parts(folders, |folder, id| part_status(folder, id, part))
}

/// Whether a part of a run is finished. A run that has met its target earlier has no files of a
/// part but those of the whole run.
pub(super) fn part_status(
    folder: &ExperimentFolder,
    id: RunId,
    part: RunPart,
) -> (RunPart, RunStatus) {
    let found = folder.status(id, part);
    if !matches!(found, RunStatus::Missing) || part == RunPart::WHOLE {
        return (part, found);
    }
    let most = part.generations(folder.manifest().presets[id.preset].generations);
    match folder.status(id, RunPart::WHOLE) {
        RunStatus::Finished(outcome) if outcome.generations > most => (part, RunStatus::Missing),
        whole => (RunPart::WHOLE, whole),
    }
}

fn collect_parts(
    folders: &[ExperimentFolder],
    status: impl Fn(&ExperimentFolder, RunId) -> (RunPart, RunStatus),
) -> Result<CollectedRuns<'_>, ExperimentError> {
    let manifest = folders[0].manifest();
    let mut runs = CollectedRuns {
        manifest,
        folders,
        finished: Vec::new(),
        missing: Vec::new(),
        damaged: Vec::new(),
    };
    for id in manifest.run_ids() {
        let mut known: Option<FinishedRun<'_>> = None;
        for folder in folders {
            let (part, status) = status(folder, id);
            match status {
                RunStatus::Missing => {}
                RunStatus::Damaged(error) => {
                    folder.move_damaged_files(id, part)?;
                    runs.damaged.push(error);
                }
                RunStatus::Finished(outcome) => match &known {
                    Some(other) if other.part == part => {
                        if other.outcome != outcome {
                            return Err(contradiction(other, folder));
                        }
                    }
                    // Of two folders, that with the larger part counts.
                    Some(other) if other.part.is_longer_than(part) => {}
                    _ => {
                        known = Some(FinishedRun {
                            id,
                            part,
                            outcome,
                            folder,
                        });
                    }
                },
            }
        }
        match known {
            Some(run) => runs.finished.push(run),
            None => runs.missing.push(id),
        }
    }
    Ok(runs)
}

fn contradiction(run: &FinishedRun<'_>, other: &ExperimentFolder) -> ExperimentError {
    let name = run.folder.manifest().run_name(run.id);
    let folders = [run.folder, other].map(|folder| folder.root().display().to_string());
    ExperimentError::Failed(format!(
        "run {name} has different outcomes in {} and in {}; remove one of them",
        folders[0], folders[1]
    ))
}
