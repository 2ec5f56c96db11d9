//! Presets × seeds: many runs at once, each as it would be alone, kept as they finish so that only the rest is left to do. It
//! knows neither screen nor signals: news are told to a function, and a flag stops it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::arena::pool::Pool;
use crate::metrics::{Columns, Row};
use crate::preset::{BadPreset, Preset};
use crate::session::Session;
use crate::storage::StorageError;
use crate::storage::experiments::manifest::Cell;
use crate::storage::experiments::outcome::Outcome;
use crate::storage::experiments::{Folder, Found, RunWriter};

use self::crew::{Crew, Place};

pub mod collect;
mod crew;
pub mod curves;
pub mod plot;
pub mod summary;
pub mod table;

/// Time from one piece of news of a run to the next.
const STINT: Duration = Duration::from_millis(100);

/// Why an experiment can't go on.
#[derive(Debug, Error)]
pub enum Fault {
    #[error(transparent)]
    Preset(#[from] BadPreset),
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// What was asked for makes no sense.
    #[error("{0}")]
    Usage(String),
    #[error("{0}")]
    Failed(String),
}

/// Every `of`-th run of an experiment, from the `index`-th on; both count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: usize,
    of: usize,
}

impl Shard {
    /// The whole experiment.
    pub const WHOLE: Self = Self { index: 1, of: 1 };

    /// Reads `I/N`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/');
        let numbers = parts.and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((index, of)) if (1..=of).contains(&index) => Ok(Self { index, of }),
            _ => Err(format!(
                "`{text}` is not a shard; write I/N with I from 1 to N, such as 2/10"
            )),
        }
    }

    fn has(self, place: usize) -> bool {
        place % self.of == self.index - 1
    }

    /// What tells the files of this shard's process from those of others; nothing for the whole.
    pub fn mark(self) -> String {
        if self == Self::WHOLE {
            String::new()
        } else {
            format!("-{}-of-{}", self.index, self.of)
        }
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}/{}", self.index, self.of)
    }
}

/// What happens while an experiment runs.
#[derive(Debug)]
pub enum News {
    /// The files of a run can't be trusted and have been moved out of the way; it is run again.
    Damaged(StorageError),
    /// A run was finished before and is on disk.
    Kept { cell: Cell, outcome: Outcome },
    /// These runs are to be done now.
    ToDo(Vec<Cell>),
    /// A worker has taken up a run.
    Begun(Cell),
    /// A run has done some generations more; a row for each.
    Rows { cell: Cell, rows: Vec<Row> },
    /// A run is finished and on disk.
    Finished { cell: Cell, outcome: Outcome },
    /// Nothing more is done: how that came, or the fault.
    Ended(Result<Ended, String>),
}

/// How an experiment is run.
pub struct Order<'a> {
    pub folder: &'a Folder,
    pub shard: Shard,
    pub threads: usize,
    /// Once set, runs stop between two games and only finished ones are kept.
    pub halt: &'a AtomicBool,
    pub tell: &'a (dyn Fn(News) + Sync),
}

/// How an experiment has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    Done,
    Halted,
}

/// The columns of a preset's runs, or what is wrong with it.
pub fn columns(preset: &Preset) -> Result<Columns, Fault> {
    let pool = Pool::new(1).map_err(Fault::Failed)?;
    let session = Session::new(preset.clone(), 0, Vec::new(), pool)?;
    Ok(session.columns().clone())
}

/// Does the runs of a shard that are not done yet.
pub fn run(order: &Order<'_>) -> Result<Ended, Fault> {
    tracing::info!(
        target: "finches::experiment",
        shard = %order.shard,
        threads = order.threads,
        "experiment begins"
    );
    let ended = all(order);
    let told = ended.as_ref().map_err(ToString::to_string).copied();
    (order.tell)(News::Ended(told));
    ended
}

fn all(order: &Order<'_>) -> Result<Ended, Fault> {
    let cells = left_to_do(order)?;
    let crew = Crew::new(order.threads, cells);
    let ended: Vec<Result<(), Fault>> = thread::scope(|scope| {
        let start = |worker| {
            let crew = &crew;
            let work = move || {
                let ended = work(order, crew.enter(worker)?);
                if ended.is_err() {
                    order.halt.store(true, Ordering::Relaxed);
                }
                ended
            };
            scope.spawn(work)
        };
        let workers: Vec<_> = (0..crew.size()).map(start).collect();
        let ended = workers.into_iter().map(thread::ScopedJoinHandle::join);
        ended
            .map(|joined| joined.expect("a panic of a run is caught where it happens"))
            .collect()
    });
    ended.into_iter().collect::<Result<(), Fault>>()?;
    Ok(if crew.is_done() {
        Ended::Done
    } else {
        Ended::Halted
    })
}

/// The runs of the shard that are not on disk; those that can't be trusted are moved out of the way.
fn left_to_do(order: &Order<'_>) -> Result<Vec<Cell>, Fault> {
    let manifest = order.folder.manifest();
    let all = manifest.cells().into_iter().enumerate();
    let own = all.filter(|(place, _)| order.shard.has(*place));
    let mut cells = Vec::new();
    for (_, cell) in own {
        match order.folder.find(cell) {
            Found::Finished(outcome) => {
                (order.tell)(News::Kept { cell, outcome });
                continue;
            }
            Found::Nothing => {}
            Found::Damaged(fault) => {
                order.folder.set_aside(cell)?;
                (order.tell)(News::Damaged(fault));
            }
        }
        cells.push(cell);
    }
    order.folder.sweep(&cells);
    (order.tell)(News::ToDo(cells.clone()));
    Ok(cells)
}

/// What one worker does: runs, one after another, while there are any left.
fn work(order: &Order<'_>, mut place: Place<'_>) -> Result<(), Fault> {
    while !order.halt.load(Ordering::Relaxed)
        && let Some(cell) = place.next()
    {
        let ran = catch_unwind(AssertUnwindSafe(|| one(order, cell, &mut place)));
        let whole = ran.unwrap_or_else(|_| {
            let name = order.folder.manifest().stem(cell);
            Err(Fault::Failed(format!(
                "run {name} has failed by a bug; the runs finished before are kept"
            )))
        })?;
        if whole {
            place.finished();
        }
    }
    Ok(())
}

/// One run from its beginning to its end; false where it was halted.
fn one(order: &Order<'_>, cell: Cell, place: &mut Place<'_>) -> Result<bool, Fault> {
    let preset = order.folder.manifest().presets[cell.preset].clone();
    let session = Session::new(preset, cell.seed, Vec::new(), place.pool().clone())?;
    let mut run = Running {
        writer: order.folder.writer(cell, session.columns())?,
        session,
        reached: None,
    };
    (order.tell)(News::Begun(cell));
    while !run.is_done() {
        if place.renew()? {
            run.session.play_on(place.pool().clone());
        }
        let pool = place.pool().clone();
        let Some(rows) = pool.inside(|| run.stint(order.halt, place))? else {
            return Ok(false);
        };
        (order.tell)(News::Rows { cell, rows });
    }
    let outcome = run.writer.finish(run.reached)?;
    (order.tell)(News::Finished { cell, outcome });
    Ok(true)
}

/// A run in progress.
struct Running<'a> {
    session: Session,
    writer: RunWriter<'a>,
    /// The generation in which the target was met.
    reached: Option<u64>,
}

impl Running<'_> {
    fn is_done(&self) -> bool {
        self.reached.is_some() || self.session.is_done()
    }

    /// Does generations for a moment; their rows, or `None` where it was halted.
    fn stint(
        &mut self,
        halt: &AtomicBool,
        place: &Place<'_>,
    ) -> Result<Option<Vec<Row>>, StorageError> {
        let target = self.session.preset().target();
        let meets = |columns: &Columns, row: &Row| {
            target
                .as_ref()
                .is_some_and(|target| target.is_met(columns, row))
        };
        let (began, mut rows) = (Instant::now(), Vec::new());
        while !self.is_done() {
            let Some(row) = self.session.advance(halt) else {
                return Ok(None);
            };
            self.writer.row(&row)?;
            if meets(self.session.columns(), &row) {
                self.reached = Some(row.generation());
            }
            rows.push(row);
            if began.elapsed() >= STINT || place.is_outdated() {
                break;
            }
        }
        Ok(Some(rows))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_take_every_run_once() {
        for of in 1..6 {
            let shards: Vec<Shard> = (1..=of)
                .map(|index| Shard::parse(&format!("{index}/{of}")).expect("it is one"))
                .collect();
            for place in 0..20 {
                assert_eq!(shards.iter().filter(|one| one.has(place)).count(), 1);
            }
        }
        for text in ["0/3", "4/3", "1", "1/", "a/b", "1/0"] {
            let fault = Shard::parse(text).expect_err("it is none");
            assert!(fault.contains(text), "{fault}");
        }
    }
}
