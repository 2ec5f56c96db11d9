//! The one way to start, resume and fork a run: from its definition or its files to a session with
//! all that belongs to it, and from there to a worker thread. It asks nothing and shows nothing.

use std::path::Path;
use std::time::Duration;

use thiserror::Error;

use finches_engine::metrics::Row;
use finches_engine::play::pool::{Pool, PoolError};
use finches_engine::preset::PresetError;
use finches_engine::session::breakpoint::{Breakpoint, BreakpointError, BreakpointWatch};
use finches_engine::session::{ResumeError, Session, SessionState};

use crate::log::LogBuffer;
use crate::run::pace::Pace;
use crate::run::{InjectedFault, Listener, Run, WorkerOptions};
use crate::storage::StorageError;
use crate::storage::run_writer::RunWriter;
use crate::storage::saves::{LoadedRun, RunFile, Saves};

/// Why a run can't be launched.
#[derive(Debug, Error)]
pub enum LaunchError {
    /// The preset is invalid.
    #[error(transparent)]
    Preset(#[from] PresetError),
    /// The state does not fit the preset.
    #[error(transparent)]
    Resume(#[from] ResumeError),
    /// A file can't be read or written.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The run has no such column for a breakpoint.
    #[error(transparent)]
    Breakpoint(#[from] BreakpointError),
    /// The threads of its games can't be started.
    #[error(transparent)]
    Threads(#[from] PoolError),
    /// The worker's thread can't be started.
    #[error("the run's thread can't be started: {0}")]
    Worker(std::io::Error),
}

/// The options that the runs of a program share.
#[derive(Clone, Debug)]
pub struct LaunchOptions {
    /// The folder of saved runs.
    pub saves: Saves,
    /// Whether new runs are saved.
    pub is_saving: bool,
    /// Whether runs may take much memory or disk without a question.
    pub allow_cost: bool,
    /// The number of threads that play games; 0 for that of this machine.
    pub threads: usize,
    /// The generation at which a resumed run stops, if not at its own.
    pub generations: Option<u64>,
    /// The pace of runs on screen, if not that of their presets.
    pub pace: Option<Pace>,
    /// What makes runs pause, or end without a screen; if none, a run on screen has those that it
    /// had before.
    pub breakpoints: Vec<Breakpoint>,
    /// As in [`WorkerOptions`].
    pub checkpoint_every: Option<Duration>,
    /// How many rows are kept of a run, if not as many as before: see [`RunFile::rows_every`].
    pub rows_every: Option<u64>,
    /// The log of the program, which is also written to the folder of the run.
    pub log: LogBuffer,
    /// A panic to cause on purpose, for tests.
    pub injected_fault: Option<InjectedFault>,
}

impl LaunchOptions {
    /// Runs are saved in a folder; all else has defaults. A champion that ships and was deleted is
    /// not added again.
    pub fn new(saves: Saves, log: LogBuffer) -> Self {
        Self {
            saves: saves.as_it_is(),
            is_saving: true,
            allow_cost: false,
            threads: 0,
            generations: None,
            pace: None,
            breakpoints: Vec::new(),
            checkpoint_every: None,
            rows_every: None,
            log,
            injected_fault: None,
        }
    }

    /// The options of a worker for a run without a screen. Fails if it has no column that a
    /// breakpoint needs, or if its rows can't be read.
    pub fn worker(&self, run: &PreparedRun) -> Result<WorkerOptions, LaunchError> {
        let columns = run.session.columns();
        let mut watch = BreakpointWatch::default();
        if let Some(writer) = &run.writer {
            writer.for_each_row(|row| drop(watch.observe(columns, row)))?;
        }
        set(&mut watch, &self.breakpoints, run)?;
        Ok(self.worker_with(watch, Listener::Script))
    }

    fn worker_with(&self, breakpoints: BreakpointWatch, listener: Listener) -> WorkerOptions {
        WorkerOptions {
            checkpoint_every: self.checkpoint_every,
            injected_fault: self.injected_fault,
            breakpoints,
            ..WorkerOptions::new(listener)
        }
    }

    /// The options of a worker for a run on screen, whose earlier rows are given. It has a pace,
    /// stops at its breakpoints, and does not go on by itself if it has met its target. Fails if it
    /// has no column that a breakpoint needs.
    pub fn worker_on_screen(
        &self,
        run: &PreparedRun,
        past: &[Row],
    ) -> Result<WorkerOptions, BreakpointError> {
        let until = run.session.preset().stop_condition();
        let met = until.zip(past.last());
        let columns = run.session.columns();
        let mut watch = BreakpointWatch::default();
        for row in past {
            watch.observe(columns, row);
        }
        let given = Some(&self.breakpoints).filter(|given| !given.is_empty());
        set(&mut watch, given.unwrap_or(&run.breakpoints), run)?;
        Ok(WorkerOptions {
            is_target_met: met.is_some_and(|(until, row)| until.is_met(columns, row)),
            pace: self.first_pace(&run.session),
            ..self.worker_with(watch, Listener::Screen)
        })
    }

    /// The pace on screen. A resumed run goes on at full speed, since its beginning has been seen.
    fn first_pace(&self, session: &Session) -> Pace {
        let opening = session.preset().pace.filter(|_| session.generation() == 0);
        let opening = opening.map(Pace::nearest);
        self.pace.or(opening).unwrap_or_default()
    }

    /// Puts a run on a worker thread. Its folder gets the log.
    pub fn spawn(&self, mut run: PreparedRun, options: WorkerOptions) -> Result<Run, LaunchError> {
        run.rows_every = self.rows_every.unwrap_or(run.rows_every);
        self.log.write_to_folder(run.folder());
        Run::spawn(run, options).map_err(LaunchError::Worker)
    }

    /// A new run, which is not saved yet: see [`PreparedRun::save`].
    pub fn start(&self, run: RunFile) -> Result<PreparedRun, LaunchError> {
        let pool = Pool::new(self.threads)?;
        let session = Session::new(run.preset, run.seed, run.interventions, pool)?;
        Ok(PreparedRun {
            breakpoints: parse(&run.breakpoints),
            rows_every: run.rows_every,
            ..PreparedRun::unsaved(session)
        })
    }

    /// Resumes the session of a loaded run. Nothing is written: see [`PreparedRun::resume`].
    pub fn session(&self, loaded: &LoadedRun) -> Result<Session, LaunchError> {
        let pool = Pool::new(self.threads)?;
        Ok(loaded.session(pool, self.generations)?)
    }
}

/// Gives a watch its breakpoints, if a run has the columns that they need.
fn set(
    watch: &mut BreakpointWatch,
    breakpoints: &[Breakpoint],
    run: &PreparedRun,
) -> Result<(), BreakpointError> {
    let columns = run.session.columns();
    breakpoints.iter().try_for_each(|one| one.check(columns))?;
    watch.set(breakpoints.to_vec(), columns);
    Ok(())
}

/// A run that is ready to go.
pub struct PreparedRun {
    /// Its session.
    pub session: Session,
    /// Writes its files; `None` if it is not saved.
    pub writer: Option<RunWriter>,
    /// Working time of its earlier generations, in seconds.
    pub seconds: f64,
    /// What made it pause.
    pub breakpoints: Vec<Breakpoint>,
    /// How many of its rows are kept: see [`RunFile::rows_every`].
    pub rows_every: u64,
}

impl PreparedRun {
    /// A session that is not saved, without a past.
    pub fn unsaved(session: Session) -> Self {
        Self {
            session,
            writer: None,
            seconds: 0.0,
            breakpoints: Vec::new(),
            rows_every: 1,
        }
    }

    /// Saves a new run in a folder of its own.
    pub fn save(&mut self, saves: &Saves) -> Result<(), StorageError> {
        self.writer = Some(saves.create(&self.session)?);
        Ok(())
    }

    /// A saved run that continues exactly where it stopped. Fails while another process has it
    /// open.
    pub fn resume(
        saves: &Saves,
        loaded: &LoadedRun,
        session: Session,
    ) -> Result<Self, StorageError> {
        Ok(Self {
            writer: Some(saves.reopen(loaded, session.columns())?),
            seconds: loaded.seconds,
            breakpoints: parse(&loaded.run.breakpoints),
            rows_every: loaded.run.rows_every,
            session,
        })
    }

    /// A second run, which goes on from a state of another one with other parameters, and is saved
    /// beside it. `name` is that of the other, and `rows` are its rows.
    pub fn fork(
        saves: &Saves,
        name: &str,
        run: RunFile,
        (state, rows): (SessionState, &[Row]),
    ) -> Result<Self, LaunchError> {
        let pool = Pool::new(1)?;
        let session = Session::resume(run.preset, run.seed, run.interventions, state, pool)?;
        let earlier = rows
            .iter()
            .filter(|row| row.generation() < session.generation());
        let past: Vec<Row> = earlier.cloned().collect();
        let (writer, seconds) = saves.create_fork(name, &session, &past)?;
        Ok(Self {
            writer: Some(writer),
            seconds,
            ..Self::unsaved(session)
        })
    }

    /// The rows of its earlier generations, oldest first. They are read from disk.
    pub fn past(&self) -> Result<Vec<Row>, StorageError> {
        self.writer.as_ref().map_or(Ok(Vec::new()), RunWriter::rows)
    }

    /// The name of its folder, if it is saved.
    pub fn saved_as(&self) -> Option<String> {
        self.writer.as_ref().map(RunWriter::name)
    }

    /// Its folder, if it is saved.
    pub fn folder(&self) -> Option<&Path> {
        self.writer.as_ref().map(RunWriter::folder)
    }
}

/// Breakpoints as they are kept in a file. One that this version does not know is left out.
fn parse(texts: &[String]) -> Vec<Breakpoint> {
    let parsed = texts.iter().map(|text| Breakpoint::parse(text));
    parsed.filter_map(Result::ok).collect()
}
