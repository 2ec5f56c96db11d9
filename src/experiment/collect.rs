//! Collects the finished runs of an experiment from one or more folders.

use crate::storage::StorageError;
use crate::storage::experiments::manifest::{Manifest, RunId};
use crate::storage::experiments::outcome::RunOutcome;
use crate::storage::experiments::{ExperimentFolder, RunStatus};

use super::ExperimentError;

/// A finished run and its folder.
pub struct FinishedRun<'a> {
    /// The preset and the seed.
    pub id: RunId,
    /// How it ended.
    pub outcome: RunOutcome,
    /// Where its rows are.
    pub folder: &'a ExperimentFolder,
}

/// The runs of an experiment.
pub struct CollectedRuns<'a> {
    /// What was to be run.
    pub manifest: &'a Manifest,
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

    /// The names of the missing runs.
    pub fn missing(&self) -> Vec<String> {
        let missing = self.missing.iter();
        missing.map(|&id| self.manifest.run_name(id)).collect()
    }
}

/// Collects the runs of one or more folders of the same experiment. A run found in several folders must have the same outcome.
pub fn collect(folders: &[ExperimentFolder]) -> Result<CollectedRuns<'_>, ExperimentError> {
    let manifest = folders[0].manifest();
    let mut runs = CollectedRuns {
        manifest,
        finished: Vec::new(),
        missing: Vec::new(),
        damaged: Vec::new(),
    };
    for id in manifest.run_ids() {
        let mut known: Option<FinishedRun<'_>> = None;
        for folder in folders {
            match folder.status(id) {
                RunStatus::Missing => {}
                RunStatus::Damaged(error) => {
                    folder.move_damaged_files(id)?;
                    runs.damaged.push(error);
                }
                RunStatus::Finished(outcome) => match &known {
                    None => {
                        known = Some(FinishedRun {
                            id,
                            outcome,
                            folder,
                        });
                    }
                    Some(other) if other.outcome == outcome => {}
                    Some(other) => return Err(contradiction(other, folder)),
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
