//! The objective of saved runs over their generations, read in the background.

use std::collections::BTreeMap;
use std::time::SystemTime;

use crate::jobs::{Jobs, Waker, WantedAnswers};
use finches_engine::metrics::Row;
use finches_engine::metrics::history::History;
use finches_engine::session::measures::columns_named;
use finches_runs::storage::StorageError;
use finches_runs::storage::saves::{RunSummary, Saves};

/// The points of a trend of a long run.
const POINTS: usize = 256;

/// The column of the objective in a trend.
pub(super) const OBJECTIVE: usize = 1;

/// What tells whether a run has changed: its generations and the time of its checkpoint.
type RunStamp = (u64, Option<SystemTime>);

/// A run with its trend; `None` at the end.
type TrendJobs = Jobs<(), Option<(String, RunStamp, History)>>;

/// The trends that have been read.
#[derive(Default)]
pub(super) struct Trends {
    known: BTreeMap<String, (RunStamp, History)>,
    jobs: Option<TrendJobs>,
}

impl Trends {
    /// The generations and the objective of a run, once they have been read.
    pub(super) fn of(&self, run: &str) -> Option<&History> {
        let (_, history) = self.known.get(run)?;
        (history.column(OBJECTIVE).len() > 1).then_some(history)
    }

    /// Reads the trends that are not known yet.
    pub(super) fn read<'a>(
        &mut self,
        runs: impl Iterator<Item = (&'a str, &'a RunSummary)>,
        saves: &Saves,
        waker: &Waker,
    ) {
        let stamp = |summary: &RunSummary| (summary.generation, summary.changed);
        let is_new = |(name, now): &(&str, RunStamp)| {
            let known = self.known.get(*name);
            known.is_none_or(|(before, _)| before != now)
        };
        let wanted: Vec<(String, RunStamp)> = runs
            .map(|(name, summary)| (name, stamp(summary)))
            .filter(is_new)
            .map(|(name, now)| (name.to_owned(), now))
            .collect();
        if wanted.is_empty() {
            return;
        }
        let saves = saves.clone();
        let jobs = self.jobs.get_or_insert_with(|| Jobs::new(waker.clone()));
        jobs.ask((), move |job| {
            for (name, now) in wanted {
                if job.is_canceled() {
                    break;
                }
                // A run that was deleted in the meantime has none.
                let history = trend(&saves, &name).unwrap_or_else(|_| History::new(2));
                job.report(Some((name, now, history)));
            }
            Ok(None)
        });
    }

    /// Takes in what has been read.
    pub(super) fn take_answers(&mut self, wanted: WantedAnswers) {
        let Some(jobs) = &mut self.jobs else { return };
        while let Some(((), answer)) = jobs.next(wanted) {
            if let Ok(Some((name, stamp, history))) = answer {
                self.known.insert(name, (stamp, history));
            }
        }
    }
}

/// Reads the generations and the objective of a run.
fn trend(saves: &Saves, name: &str) -> Result<History, StorageError> {
    let (names, rows) = saves.sampled_metrics(name, POINTS as u64)?;
    let objective = columns_named(&names).objective();
    let mut history = History::new(2);
    for row in rows {
        let value = objective.and_then(|place| row.values().get(place).copied().flatten());
        let generation = row.generation() as f64;
        history.push(&Row::from_values(vec![Some(generation), value]));
    }
    Ok(history)
}
