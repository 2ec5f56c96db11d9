//! A run of an experiment in progress: from its start, from a part of it that is done, or from its checkpoint.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::metrics::Row;
use crate::play::pool::Pool;
use crate::preset::Preset;
use crate::session::{Session, SessionState};
use crate::storage::StorageError;
use crate::storage::experiments::ExperimentFolder;
use crate::storage::experiments::checkpoint::RunCheckpoint;
use crate::storage::experiments::manifest::RunId;
use crate::storage::experiments::outcome::RunOutcome;
use crate::storage::experiments::outcome_writer::ExperimentRunWriter;
use crate::storage::experiments::part::RunPart;
use crate::storage::experiments::players::KeptPlayers;

use super::worker_pool::WorkerSlot;
use super::{ExperimentError, RunLeg, TIME_SLICE};

/// The shortest time between two checkpoints of a run.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(60);

/// The time between two checkpoints is at least this many times the time that it takes to write one, which grows with the rows.
const CHECKPOINT_PAUSE: u32 = 50;

/// The column names and rows of the checkpoint from which a run continues.
type EarlierRows = (Vec<String>, Vec<Row>);

/// A run in progress.
pub(super) struct ActiveRun<'a> {
    folder: &'a ExperimentFolder,
    id: RunId,
    /// The part that is done at the end.
    part: RunPart,
    session: Session,
    /// The number of generations to be done.
    until: u64,
    writer: ExperimentRunWriter<'a>,
    /// The generation in which the target was met.
    reached: Option<u64>,
    /// The time that its generations took.
    worked: Duration,
    /// The players that are kept, if any.
    players: Option<KeptPlayers>,
    /// The number of generations at the latest checkpoint.
    saved: u64,
    /// When the next checkpoint is due.
    save_at: Instant,
}

impl<'a> ActiveRun<'a> {
    /// Starts a run, or continues it from its checkpoint or from a finished part. Then it also returns the earlier column names and rows.
    pub(super) fn start(
        folder: &'a ExperimentFolder,
        (id, leg): (RunId, RunLeg),
        pool: Pool,
    ) -> Result<(Self, Option<EarlierRows>), ExperimentError> {
        let preset = folder.manifest().presets[id.preset].clone();
        let until = leg.to.generations(preset.generations);
        let part = || leg.from.and_then(|part| folder.partial_run(id, part));
        let done = folder.checkpoint(id, leg.to).or_else(part);
        let (session, writer, earlier, worked, players) = match done {
            None => {
                let session = Session::new(preset, id.seed, Vec::new(), pool)?;
                let writer = folder.writer(id, leg.to, session.columns())?;
                (session, writer, None, Duration::ZERO, None)
            }
            Some(done) => {
                let rows = done.rows(folder, id)?;
                let session = resumed((folder, id), preset, done.state, pool)?;
                let so_far = (session.columns(), session.generation(), done.written);
                let writer = folder.continued_writer(id, leg.to, so_far)?;
                // A run that goes on has taken the time of its beginning, too.
                let worked = Duration::try_from_secs_f64(done.seconds).unwrap_or_default();
                (session, writer, Some(rows), worked, done.players)
            }
        };
        let keeps_players = folder.manifest().keeps_players;
        let run = Self {
            folder,
            id,
            part: leg.to,
            saved: session.generation(),
            save_at: Instant::now() + CHECKPOINT_INTERVAL,
            session,
            until,
            writer,
            reached: None,
            worked,
            players: keeps_players.then(|| players.unwrap_or_default()),
        };
        Ok((run, earlier))
    }

    /// The number of generations that are done.
    pub(super) fn generations(&self) -> u64 {
        self.session.generation()
    }

    /// Writes how it ended, the time that it took and, if it can go on, its state.
    pub(super) fn finish(mut self) -> Result<(RunPart, RunOutcome), StorageError> {
        let (folder, id, part) = (self.folder, self.id, self.part);
        if let Some(players) = &mut self.players {
            players.add_champions(self.session.state());
        }
        if part != RunPart::WHOLE && self.reached.is_none() {
            folder.keep_state(id, part, self.session.state())?;
        }
        folder.keep_time(id, self.worked)?;
        let finished = self.writer.finish(self.reached, self.players.as_ref())?;
        folder.remove_checkpoint(id, part);
        Ok(finished)
    }

    /// Writes a checkpoint if one is due. If it can't be written, the run goes on, and the reason is logged.
    pub(super) fn save_if_due(&mut self) {
        if Instant::now() < self.save_at || self.is_done() {
            return;
        }
        if let Err(error) = self.save() {
            tracing::warn!(target: "finches::experiment", "no checkpoint: {error}");
            self.save_at = Instant::now() + CHECKPOINT_INTERVAL;
        }
    }

    /// Writes a checkpoint, unless the latest one is of the same generation.
    pub(super) fn save(&mut self) -> Result<(), StorageError> {
        if self.saved == self.session.generation() {
            return Ok(());
        }
        let began = Instant::now();
        let checkpoint = RunCheckpoint {
            seconds: self.worked.as_secs_f64(),
            written: self.writer.written()?,
            players: self.players.clone(),
            state: self.session.state().clone(),
        };
        self.folder
            .keep_checkpoint((self.id, self.part), checkpoint)?;
        self.saved = self.session.generation();
        let pause = began.elapsed() * CHECKPOINT_PAUSE;
        self.save_at = Instant::now() + pause.max(CHECKPOINT_INTERVAL);
        Ok(())
    }

    pub(super) fn set_pool(&mut self, pool: Pool) {
        self.session.set_pool(pool);
    }

    pub(super) fn is_done(&self) -> bool {
        self.reached.is_some() || self.session.generation() >= self.until
    }

    /// Runs generations for one time slice. Returns their rows, or `None` if halted.
    pub(super) fn run_slice(
        &mut self,
        halt: &AtomicBool,
        slot: &WorkerSlot<'_>,
    ) -> Result<Option<Vec<Row>>, StorageError> {
        let (began, mut rows) = (Instant::now(), Vec::new());
        while !self.is_done() {
            let Some(row) = self.advance(halt)? else {
                return Ok(None);
            };
            rows.push(row);
            if began.elapsed() >= TIME_SLICE || slot.is_outdated() {
                break;
            }
        }
        Ok(Some(rows))
    }

    /// Runs one generation. Returns its row, or `None` if halted.
    fn advance(&mut self, halt: &AtomicBool) -> Result<Option<Row>, StorageError> {
        let began = Instant::now();
        if let Some(players) = &mut self.players {
            players.add_population(&self.session);
        }
        let row = self.session.advance(halt);
        if let Some(row) = &row {
            self.writer.write_row(row)?;
            let target = self.session.preset().stop_condition();
            if target.is_some_and(|target| target.is_met(self.session.columns(), row)) {
                self.reached = Some(row.generation());
            }
        }
        self.worked += began.elapsed();
        Ok(row)
    }
}

/// The session of a run that continues.
fn resumed(
    (folder, id): (&ExperimentFolder, RunId),
    preset: Preset,
    state: SessionState,
    pool: Pool,
) -> Result<Session, ExperimentError> {
    let session = Session::resume(preset, id.seed, Vec::new(), state, pool);
    session.map_err(|error| {
        let name = folder.manifest().run_name(id);
        ExperimentError::Failed(format!(
            "run {name} can't go on: {error}; remove its files to repeat it"
        ))
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::storage::experiments::RunStatus;
    use crate::storage::experiments::manifest::Manifest;
    use crate::storage::presets;

    /// One preset of which every fifth row and populations are kept, and one that meets a target.
    fn manifest() -> Manifest {
        let preset = |name: &str, generations, changes: &[(&str, &str)]| {
            let changes = changes.iter();
            let changes = changes.map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
            let preset = presets::load(name).expect("it is included");
            let preset = preset.with(&changes.collect::<Vec<_>>());
            Preset {
                generations,
                ..preset.expect("it is valid")
            }
        };
        let torus = [
            ("population", "16"),
            ("width", "4"),
            ("every", "2"),
            ("keep_every", "4"),
            ("grading_games", "20"),
            ("held_out_games", "2"),
            ("population_games", "2"),
        ];
        let heaps = [
            ("population", "40"),
            ("opponents", "20"),
            ("until", "generation>=23"),
        ];
        let presets = vec![
            preset("reversi-single", 14, &torus),
            preset("nim-2x2", 40, &heaps),
        ];
        let manifest = Manifest::new(presets, 1, 1).expect("the names differ");
        manifest.with_players(true).with_rows(5)
    }

    fn folder(root: &Path) -> ExperimentFolder {
        ExperimentFolder::begin(root.to_owned(), manifest(), "").expect("it is the same experiment")
    }

    /// Does all runs. After so many generations each is stopped within a generation and goes on.
    fn run_all(root: &Path, at_once: usize) {
        let (go, stop) = (AtomicBool::new(false), AtomicBool::new(true));
        let folder = folder(root);
        for id in folder.manifest().run_ids() {
            let start = || {
                let pool = Pool::new(1).expect("there is a thread");
                ActiveRun::start(&folder, (id, RunLeg::WHOLE), pool).expect("it starts")
            };
            let (mut run, mut done) = (start().0, 0);
            while !run.is_done() {
                run.advance(&go).expect("writable").expect("not halted");
                done += 1;
                if done % at_once == 0 && !run.is_done() {
                    assert!(run.advance(&stop).expect("writable").is_none());
                    run.save().expect("writable");
                    drop(run);
                    let earlier;
                    (run, earlier) = start();
                    let rows = earlier.expect("it goes on").1;
                    assert_eq!(rows.len(), done.div_ceil(5), "every fifth row is written");
                    assert_eq!(run.session.generation(), done as u64);
                    assert!(run.worked > Duration::ZERO);
                }
            }
            run.finish().expect("writable");
        }
    }

    #[test]
    fn runs_that_are_stopped_again_and_again_end_with_the_same_files() {
        let roots = [(); 2].map(|()| tempfile::tempdir().expect("temporary folders can be made"));
        let [whole, stopped] = roots.each_ref().map(tempfile::TempDir::path);
        run_all(whole, usize::MAX);
        run_all(stopped, 3);
        let [whole, stopped] = [whole, stopped].map(folder);
        for id in manifest().run_ids() {
            // An outcome has the checksums of the other files.
            let outcomes = [&whole, &stopped].map(|folder| folder.status(id, RunPart::WHOLE));
            let [RunStatus::Finished(whole), RunStatus::Finished(stopped)] = outcomes else {
                panic!("both are finished: {outcomes:?}");
            };
            assert_eq!(whole, stopped);
            assert!(whole.players_checksum.is_some());
        }
        let id = manifest().run_ids()[0];
        assert!(stopped.checkpoint(id, RunPart::WHOLE).is_none());
    }
}
