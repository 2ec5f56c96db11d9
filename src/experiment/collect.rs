//! The finished runs of an experiment, from one folder or several.

use crate::storage::StorageError;
use crate::storage::experiments::manifest::{Cell, Manifest};
use crate::storage::experiments::outcome::Outcome;
use crate::storage::experiments::{Folder, Found};

use super::Fault;

/// A finished run and where it lies.
pub struct Run<'a> {
    pub cell: Cell,
    pub outcome: Outcome,
    pub folder: &'a Folder,
}

/// What there is of an experiment.
pub struct Runs<'a> {
    pub manifest: &'a Manifest,
    /// In the order of the experiment: preset by preset, by seed.
    pub finished: Vec<Run<'a>>,
    pub missing: Vec<Cell>,
    /// Files that can't be trusted and have been moved out of the way.
    pub damaged: Vec<StorageError>,
}

impl Runs<'_> {
    /// The finished runs of a preset, by seed.
    pub fn of(&self, preset: usize) -> impl Iterator<Item = &Run<'_>> {
        let runs = self.finished.iter();
        runs.filter(move |run| run.cell.preset == preset)
    }

    /// The names of the runs that are missing.
    pub fn missing(&self) -> Vec<String> {
        let missing = self.missing.iter();
        missing.map(|&cell| self.manifest.stem(cell)).collect()
    }
}

/// Collects the runs of folders that all belong to one experiment; there is at least one. A run that lies in several folders
/// must be the same in all.
pub fn collect(folders: &[Folder]) -> Result<Runs<'_>, Fault> {
    let manifest = folders[0].manifest();
    let mut runs = Runs {
        manifest,
        finished: Vec::new(),
        missing: Vec::new(),
        damaged: Vec::new(),
    };
    for cell in manifest.cells() {
        let mut known: Option<Run<'_>> = None;
        for folder in folders {
            match folder.find(cell) {
                Found::Nothing => {}
                Found::Damaged(fault) => {
                    folder.set_aside(cell)?;
                    runs.damaged.push(fault);
                }
                Found::Finished(outcome) => match &known {
                    None => {
                        known = Some(Run {
                            cell,
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
            None => runs.missing.push(cell),
        }
    }
    Ok(runs)
}

fn contradiction(run: &Run<'_>, other: &Folder) -> Fault {
    let name = run.folder.manifest().stem(run.cell);
    let places = [run.folder, other].map(|folder| folder.root().display().to_string());
    Fault::Failed(format!(
        "run {name} came out differently in {} and in {}; remove one of them",
        places[0], places[1]
    ))
}
