//! How far an experiment is that another process may be working on, by the files in its folder.
//! They are counted, not read, so that it takes no longer for long runs.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::storage::StorageError;
use crate::storage::run_writer::Lock;

use super::manifest::Manifest;
use super::read_manifest;

/// How deep folders of experiments lie in others.
const DEPTH: usize = 3;

/// How far an experiment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExperimentProgress {
    /// What it is, as [`Manifest::kind`] says.
    pub kind: &'static str,
    /// All runs.
    pub runs: usize,
    /// Runs with an outcome; with successive halving by generations, it may be that of a part.
    pub finished: usize,
    /// Runs that have a checkpoint.
    pub begun: usize,
    /// The time for which processes have worked on it, if one does.
    pub worked: Option<Duration>,
    /// Runs that were finished in this time.
    pub finished_since: usize,
}

/// The folders of experiments in a folder and those in it, in the order of their names. It may be
/// one itself.
pub fn experiments_below(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(root.to_owned(), DEPTH, &mut found);
    found
}

fn collect(folder: PathBuf, depth: usize, found: &mut Vec<PathBuf>) {
    if folder.join("experiment.ron").is_file() {
        // What is in it is a part of it, such as the confirmation of a sweep.
        return found.push(folder);
    }
    let inside = fs::read_dir(&folder).into_iter().flatten().flatten();
    let mut inside: Vec<PathBuf> = inside.map(|entry| entry.path()).collect();
    inside.retain(|path| depth > 0 && path.is_dir());
    inside.sort();
    for folder in inside {
        collect(folder, depth - 1, found);
    }
}

impl ExperimentProgress {
    /// Reads the definition of the experiment in a folder, and counts its files.
    pub fn read(root: &Path) -> Result<(Manifest, Self), StorageError> {
        let manifest = read_manifest(&root.join("experiment.ron"))?;
        let progress = Self::of(root, &manifest);
        Ok((manifest, progress))
    }

    /// Counts the files of an experiment.
    pub fn of(root: &Path, manifest: &Manifest) -> Self {
        let runs = manifest.presets.len() * manifest.runs as usize;
        let began = files_of(root).filter(|(name, _)| name.starts_with("lock"));
        let began = began.filter(|(name, _)| Lock::is_taken_named(root, name));
        // The lock is written when a process begins.
        let began = began.filter_map(|(_, path)| modified(&path)).min();
        let (mut outcomes, mut begun) = (BTreeMap::new(), 0);
        for (name, path) in files_of(&root.join("runs")) {
            if let Some(stem) = name.strip_suffix(".json") {
                let part = stem
                    .rsplit_once('.')
                    .filter(|(_, part)| part.starts_with("1-of-"));
                let run = part.map_or(stem, |(run, _)| run);
                let is_new = began.is_some_and(|began| modified(&path) >= Some(began));
                *outcomes.entry(run.to_owned()).or_insert(false) |= is_new;
            } else if name.ends_with(".checkpoint.ron") {
                begun += 1;
            }
        }
        let worked = began.map(|began| began.elapsed().unwrap_or_default());
        Self {
            kind: manifest.kind(),
            runs,
            finished: outcomes.len().min(runs),
            begun,
            worked,
            finished_since: outcomes.into_values().filter(|is_new| *is_new).count(),
        }
    }

    /// Whether a process works on it.
    pub fn is_open(&self) -> bool {
        self.worked.is_some()
    }

    /// The time left, if runs go on to be finished as fast; `begun` is how many runs the work on
    /// those in progress is worth. `None` as long as that says nothing.
    pub fn time_left(&self, begun: f64) -> Option<Duration> {
        let done = self.finished_since as f64 + begun;
        let left = (self.runs - self.finished) as f64 - begun;
        let seconds = self.worked?.as_secs_f64() * left / done;
        Duration::try_from_secs_f64(seconds.max(0.0)).ok()
    }
}

/// The names and paths of the files in a folder.
fn files_of(folder: &Path) -> impl Iterator<Item = (String, PathBuf)> + use<> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry.path())))
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).ok()?.modified().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::experiments::ExperimentFolder;
    use crate::storage::presets;

    #[test]
    fn the_files_of_an_experiment_say_how_far_it_is() {
        let root = tempfile::tempdir().expect("temporary folders can be made");
        let preset = presets::load("nim-2x2").expect("it is included");
        let manifest = Manifest::new(vec![preset], 1, 4).expect("one preset");
        let path = root.path().join("group/one");
        let folder = ExperimentFolder::begin(path.clone(), manifest, "");
        let folder = folder.expect("the folder is new");
        fs::create_dir_all(path.join("confirmation/x")).expect("it is writable");
        assert_eq!(experiments_below(root.path()), std::slice::from_ref(&path));
        let read = || ExperimentProgress::read(&path).expect("it is one").1;
        assert_eq!((read().runs, read().finished, read().begun), (4, 0, 0));
        assert_eq!(read().kind, "experiment");
        assert!(read().is_open() && read().time_left(0.0).is_none());
        for name in [
            "a-1.json",
            "a-1.1-of-9.json",
            "a-2.1-of-9.json",
            "a-3.checkpoint.ron",
        ] {
            fs::write(path.join("runs").join(name), "x").expect("it is writable");
        }
        let mut progress = read();
        assert_eq!((progress.finished, progress.begun), (2, 1));
        (progress.finished_since, progress.worked) = (2, Some(Duration::from_secs(60)));
        assert_eq!(progress.time_left(0.0), Some(Duration::from_secs(60)));
        assert_eq!(progress.time_left(1.0), Some(Duration::from_secs(20)));
        drop(folder);
        assert!(!read().is_open() && read().time_left(1.0).is_none());
    }
}
