//! How long the runs of an experiment took, beside their results, which do not depend on it.

use std::path::PathBuf;
use std::time::Duration;
use std::{env, fs, thread};

use serde::{Deserialize, Serialize};

use super::ExperimentFolder;
use super::manifest::RunId;
use crate::storage::StorageError;
use crate::storage::files::{self, Durability};

/// How long a run took: the content of `times/PRESET-SEED.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunTime {
    /// Wall-clock time, measuring included.
    pub seconds: f64,
    /// The cores of the machine. A run has one of them, or more while fewer runs are left than
    /// threads.
    pub cores: usize,
    /// The processor, or its kind where the system does not name it.
    pub processor: String,
}

impl RunTime {
    fn new(worked: Duration) -> Self {
        Self {
            seconds: worked.as_secs_f64(),
            cores: thread::available_parallelism().map_or(1, Into::into),
            processor: processor().unwrap_or_else(|| env::consts::ARCH.to_owned()),
        }
    }

    /// The time of no work on this machine.
    pub fn zero() -> Self {
        Self::new(Duration::ZERO)
    }

    /// Whether both were measured on machines of one kind.
    pub fn has_machine_of(&self, other: &Self) -> bool {
        (self.cores, &self.processor) == (other.cores, &other.processor)
    }
}

/// The name of the processor, where the system has a list of them.
fn processor() -> Option<String> {
    let list = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = list.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn path_of(folder: &ExperimentFolder, id: RunId) -> PathBuf {
    let name = format!("{}.json", folder.manifest.run_name(id));
    folder.root.join("times").join(name)
}

/// How long a run took; `None` if that is not known.
pub fn time(folder: &ExperimentFolder, id: RunId) -> Option<RunTime> {
    let text = fs::read_to_string(path_of(folder, id)).ok()?;
    let time: RunTime = serde_json::from_str(&text).ok()?;
    (time.seconds.is_finite() && time.seconds >= 0.0).then_some(time)
}

/// Keeps how long a run took on this machine.
pub fn keep_time(
    folder: &ExperimentFolder,
    id: RunId,
    worked: Duration,
) -> Result<(), StorageError> {
    write_time(folder, id, &RunTime::new(worked))
}

/// Keeps how long a run took.
pub(super) fn write_time(
    folder: &ExperimentFolder,
    id: RunId,
    time: &RunTime,
) -> Result<(), StorageError> {
    let path = path_of(folder, id);
    let times = folder.root.join("times");
    files::create_own_folder(&times)?;
    let text = serde_json::to_string(time).expect("text and numbers fit JSON") + "\n";
    files::replace(&path, text.as_bytes(), Durability::Lazy)
}
