//! Forks: what would a run have become from one generation on, with other parameters? Both branches
//! of a fork begin with the same population. As an experiment they are repeated with several seeds,
//! the same for both, so that their difference has an interval.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use finches_engine::metrics::Row;
use finches_engine::play::pool::Pool;
use finches_engine::preset::{Intervention, Preset};
use finches_engine::session::structure::change_in_fork;
use finches_engine::session::{Session, SessionState};
use finches_runs::launch::{LaunchError, PreparedRun};
use finches_runs::storage::experiments::ExperimentFolder;
use finches_runs::storage::experiments::fork::{self, BRANCHES, ForkDefinition};
use finches_runs::storage::experiments::manifest::Manifest;
use finches_runs::storage::saves::{RunFile, Saves};

use super::ExperimentError;

pub mod results;

/// The parameter that sets the length of a run. It changes nothing in a generation.
const LENGTH: &str = "generations";

/// The changes of a run that a fork can be about: all but those of its length.
pub fn forkable(interventions: &[Intervention]) -> impl DoubleEndedIterator<Item = &Intervention> {
    interventions.iter().filter(|change| change.key != LENGTH)
}

/// Changes in words, such as `add_node 0.2 → 0.4`; several are separated by commas.
pub fn describe<'a>(changes: impl IntoIterator<Item = &'a Intervention>) -> String {
    let change = |change: &Intervention| {
        let name = change.key.rsplit('.').next().unwrap_or_default();
        format!("{name} {} → {}", change.from, change.to)
    };
    let changes: Vec<String> = changes.into_iter().map(change).collect();
    changes.join(", ")
}

/// A run and a change of its parameters at one generation. Changes that the run made later are left
/// out of both branches.
#[derive(Clone, Debug, PartialEq)]
pub struct Fork {
    run: RunFile,
    generation: u64,
    changes: Vec<Intervention>,
    is_recorded: bool,
    /// The parameters without and with the change.
    branches: [Preset; 2],
}

impl Fork {
    /// Changes parameters at a generation: the first generation with the new values. Without
    /// `changes`, the fork is about the changes that the run itself made there.
    ///
    /// # Errors
    ///
    /// A parameter that a fork can't change, or no difference between the branches.
    pub fn new(
        run: RunFile,
        generation: u64,
        changes: &[(String, String)],
    ) -> Result<Self, ExperimentError> {
        let recorded = |change: &Intervention| change.generation == generation;
        let is_kept = |change: &Intervention| {
            change.generation < generation
                || recorded(change) && (!changes.is_empty() || change.key == LENGTH)
        };
        let (kept, others): (Vec<_>, Vec<_>) = run.interventions.iter().cloned().partition(is_kept);
        let mut unchanged = run.preset.clone();
        for change in &kept {
            unchanged.change(&change.key, &change.to)?;
        }
        let mut changed = unchanged.clone();
        let mut made = Vec::new();
        if changes.is_empty() {
            made.extend(others.into_iter().filter(recorded));
            for change in &made {
                changed.change(&change.key, &change.to)?;
            }
        }
        for (key, value) in changes {
            let before = changed.clone();
            let key = change_in_fork(&mut changed, key, value)?;
            made.push(Intervention {
                generation,
                from: before.value_text(&key),
                to: changed.value_text(&key),
                key,
            });
        }
        if unchanged == changed {
            let message = nothing_to_change(&run, generation, changes);
            return Err(ExperimentError::Usage(message));
        }
        Ok(Self {
            is_recorded: changes.is_empty(),
            generation,
            changes: made,
            branches: [unchanged, changed],
            run: RunFile {
                interventions: kept,
                ..RunFile::new(run.preset, run.seed)
            },
        })
    }

    /// The first generation in which the branches differ.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The branches as an experiment: each is done up to a generation with so many seeds, that of
    /// the run, whose branch repeats the run itself, and those after it. Targets do not stop them.
    /// `name` is that of the run.
    ///
    /// # Errors
    ///
    /// A last generation or a number of seeds that is not possible.
    pub fn manifest(&self, name: &str, end: u64, seeds: u64) -> Result<Manifest, ExperimentError> {
        let mut presets = self.branches.clone();
        for (preset, branch) in presets.iter_mut().zip(BRANCHES) {
            branch.clone_into(&mut preset.name);
            preset.until.clear();
            preset.forget_schedule_until(self.generation);
            preset.change(LENGTH, &end.to_string())?;
        }
        let mut preset = self.run.preset.clone();
        preset.forget_schedule_until(self.generation);
        let manifest = Manifest::new(presets.to_vec(), self.run.seed, seeds)?;
        Ok(manifest.with_fork(ForkDefinition {
            run: name.to_owned(),
            preset,
            earlier: self.run.interventions.clone(),
            generation: self.generation,
            changes: self.changes.clone(),
        }))
    }

    /// The usual folder of the branches of a run.
    pub fn folder(&self, name: &str) -> PathBuf {
        Path::new("experiments").join(format!("{name}-from-{}", self.generation))
    }

    /// Keeps the state in which the branches begin in the folder of their experiment, unless it is
    /// there: see [`Self::state`]. False if `halt` was set before.
    pub fn keep_state(
        &self,
        folder: &ExperimentFolder,
        known: impl FnOnce() -> Option<SessionState>,
        (threads, halt): (usize, &AtomicBool),
        on_generation: &dyn Fn(u64),
    ) -> Result<bool, ExperimentError> {
        if fork::state(folder)?.is_none() {
            let Some(state) = self.state(known(), threads, halt, on_generation)? else {
                return Ok(false);
            };
            fork::keep_state(folder, &state)?;
        }
        Ok(true)
    }

    /// Evolves the run to the generation of the fork: from `known`, a state of the run that is not
    /// later, or from the beginning. `None` if `halt` was set before.
    pub fn state(
        &self,
        known: Option<SessionState>,
        threads: usize,
        halt: &AtomicBool,
        on_generation: &dyn Fn(u64),
    ) -> Result<Option<SessionState>, ExperimentError> {
        let RunFile {
            preset,
            seed,
            interventions,
            ..
        } = self.run.clone();
        let pool = Pool::new(threads)?;
        // What has learned for the run alone says nothing of the fork.
        let fits =
            |state: &SessionState| state.generation <= self.generation && state.learner.is_none();
        let known = known.filter(fits);
        let mut session = match known {
            Some(state) => Session::resume(preset, seed, interventions, state, pool)
                .map_err(LaunchError::from)?,
            None => Session::new(preset, seed, interventions, pool)?,
        };
        while session.generation() < self.generation {
            if session.advance(halt).is_none() {
                return Ok(None);
            }
            on_generation(session.generation());
        }
        Ok(Some(session.state().clone()))
    }

    /// Saves a second run, which has evolved like the first up to the generation of the fork and
    /// goes on with the other parameters: with the change or, if the run itself made it, without.
    /// Returns the name of its folder.
    ///
    /// `rows` are the rows of the first run.
    pub fn save(
        &self,
        saves: &Saves,
        name: &str,
        state: SessionState,
        rows: &[Row],
    ) -> Result<String, ExperimentError> {
        let mut run = self.run.clone();
        if !self.is_recorded {
            run.interventions.extend(self.changes.iter().cloned());
        }
        let fork = PreparedRun::fork(saves, name, run, (state, rows))?;
        Ok(fork.saved_as().expect("a fork is saved"))
    }
}

fn nothing_to_change(run: &RunFile, generation: u64, changes: &[(String, String)]) -> String {
    if let [(key, value), ..] = changes {
        return format!("{key} is {value} in generation {generation} already");
    }
    let mut generations: Vec<String> = forkable(&run.interventions)
        .map(|change| change.generation.to_string())
        .collect();
    generations.dedup();
    match generations.join(", ") {
        none if none.is_empty() => {
            "the run changed no parameter; name a change, such as add_node=0.4".to_owned()
        }
        some => format!(
            "the run changed no parameter in generation {generation}, but in {some}; name one of \
            these, or a change such as add_node=0.4"
        ),
    }
}
