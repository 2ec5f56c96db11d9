//! A run of an experiment in progress: from its start or from a part of it that is done.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::metrics::{Columns, Row};
use crate::play::pool::Pool;
use crate::preset::Preset;
use crate::session::Session;
use crate::storage::StorageError;
use crate::storage::experiments::ExperimentFolder;
use crate::storage::experiments::manifest::RunId;
use crate::storage::experiments::outcome::RunOutcome;
use crate::storage::experiments::outcome_writer::ExperimentRunWriter;
use crate::storage::experiments::part::{PartialRun, RunPart};
use crate::storage::experiments::players::KeptPlayers;

use super::worker_pool::WorkerSlot;
use super::{ExperimentError, RunLeg, TIME_SLICE};

/// The column names and rows of the part from which a run goes on.
type EarlierRows = (Vec<String>, Vec<Row>);

/// A run in progress.
pub(super) struct ActiveRun<'a> {
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
}

impl<'a> ActiveRun<'a> {
    /// Starts a run, or goes on with it after a part, whose column names and rows are returned.
    pub(super) fn start(
        folder: &'a ExperimentFolder,
        (id, leg): (RunId, RunLeg),
        pool: Pool,
    ) -> Result<(Self, Option<EarlierRows>), ExperimentError> {
        let preset = folder.manifest().presets[id.preset].clone();
        let until = leg.to.generations(preset.generations);
        let done = leg.from.and_then(|part| folder.partial_run(id, part));
        let (session, writer, earlier) = match done {
            None => {
                let session = Session::new(preset, id.seed, Vec::new(), pool)?;
                let writer = folder.writer(id, leg.to, session.columns())?;
                (session, writer, None)
            }
            Some(done) => {
                let rows = folder.rows(id, done.part)?;
                let (session, writer) = continued(folder, (id, leg.to), (done, preset, pool))?;
                (session, writer, Some(rows))
            }
        };
        let run = Self {
            session,
            until,
            writer,
            reached: None,
            // A run that goes on has taken the time of the part, too.
            worked: earlier
                .as_ref()
                .and_then(|_| folder.time(id))
                .map_or(Duration::ZERO, |time| Duration::from_secs_f64(time.seconds)),
            players: (folder.manifest().keeps_players).then(KeptPlayers::default),
        };
        Ok((run, earlier))
    }

    /// Writes how it ended, the time that it took and, if it can go on, its state.
    pub(super) fn finish(
        mut self,
        folder: &ExperimentFolder,
        (id, leg): (RunId, RunLeg),
    ) -> Result<(RunPart, RunOutcome), StorageError> {
        if let Some(players) = &mut self.players {
            players.add_champions(self.session.state());
        }
        if leg.to != RunPart::WHOLE && self.reached.is_none() {
            folder.keep_state(id, leg.to, self.session.state())?;
        }
        folder.keep_time(id, self.worked)?;
        self.writer.finish(self.reached, self.players.as_ref())
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
        let target = self.session.preset().stop_condition();
        let meets = |columns: &Columns, row: &Row| {
            target
                .as_ref()
                .is_some_and(|target| target.is_met(columns, row))
        };
        let (began, mut rows) = (Instant::now(), Vec::new());
        while !self.is_done() {
            if let Some(players) = &mut self.players {
                players.add_population(&self.session);
            }
            let Some(row) = self.session.advance(halt) else {
                return Ok(None);
            };
            self.writer.write_row(&row)?;
            if meets(self.session.columns(), &row) {
                self.reached = Some(row.generation());
            }
            rows.push(row);
            if began.elapsed() >= TIME_SLICE || slot.is_outdated() {
                break;
            }
        }
        self.worked += began.elapsed();
        Ok(Some(rows))
    }
}

/// Goes on with a run after a part of it.
fn continued(
    folder: &ExperimentFolder,
    (id, part): (RunId, RunPart),
    (done, preset, pool): (PartialRun, Preset, Pool),
) -> Result<(Session, ExperimentRunWriter<'_>), ExperimentError> {
    let name = folder.manifest().run_name(id);
    let (of, rows) = (done.part, done.outcome);
    let session = Session::resume(preset, id.seed, Vec::new(), done.state, pool);
    let session = session.map_err(|error| {
        ExperimentError::Failed(format!(
            "run {name} can't go on: {error}; remove its files to repeat it"
        ))
    })?;
    let writer = folder.continued_writer(id, part, (session.columns(), of, &rows))?;
    Ok((session, writer))
}
