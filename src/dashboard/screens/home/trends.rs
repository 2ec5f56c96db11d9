//! The objective of saved runs over their generations and what was found, read in the background.

use std::collections::BTreeMap;
use std::time::SystemTime;

use crate::format;
use crate::jobs::{Jobs, Waker, WantedAnswers};
use finches_engine::metrics::Row;
use finches_engine::metrics::history::History;
use finches_engine::session::measures::{columns_named, network_size};
use finches_engine::text::counted;
use finches_runs::storage::StorageError;
use finches_runs::storage::saves::{RunSummary, Saves};

/// The points of a trend of a long run.
const POINTS: usize = 256;

/// The column of the objective in a trend.
pub(super) const OBJECTIVE: usize = 1;

/// What tells whether a run has changed: its generations and the time of its checkpoint.
type RunStamp = (u64, Option<SystemTime>);

/// A run with its trend; `None` at the end.
type TrendJobs = Jobs<(), Option<(String, RunStamp, Trend)>>;

/// What has become of a run.
pub(super) struct Trend {
    /// The generations and the objective.
    pub(super) history: History,
    /// The nodes and edges of the last champion's network, if they are measured.
    size: Option<[f64; 2]>,
}

impl Trend {
    /// The best objective with its generation and the size of the last champion, in words.
    pub(super) fn found(&self) -> String {
        let history = &self.history;
        let buckets = history.column(OBJECTIVE).iter();
        let numbered = (history.start()..)
            .step_by(history.span() as usize)
            .zip(buckets);
        let filled = numbered.filter(|(_, bucket)| bucket.count > 0);
        let best = filled.reduce(|best, next| {
            let is_better = next.1.max > best.1.max;
            if is_better { next } else { best }
        });
        let best = best.map(|(generation, bucket)| {
            let generation = format::whole(generation);
            format!("{} in generation {generation}", format::percent(bucket.max))
        });
        let size = self.size.map(|[nodes, edges]| {
            let nodes = counted(nodes as u64, "node");
            format!(
                "the latest champion has {nodes} and {}",
                counted(edges as u64, "edge")
            )
        });
        best.into_iter().chain(size).collect::<Vec<_>>().join("; ")
    }
}

/// The trends that have been read.
#[derive(Default)]
pub(super) struct Trends {
    known: BTreeMap<String, (RunStamp, Trend)>,
    jobs: Option<TrendJobs>,
}

impl Trends {
    /// What has become of a run, once it has been read.
    pub(super) fn of(&self, run: &str) -> Option<&Trend> {
        let (_, trend) = self.known.get(run)?;
        (trend.history.column(OBJECTIVE).len() > 1).then_some(trend)
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
                let trend = trend(&saves, &name).unwrap_or_else(|_| Trend {
                    history: History::new(2),
                    size: None,
                });
                job.report(Some((name, now, trend)));
            }
            Ok(None)
        });
    }

    /// Takes in what has been read.
    pub(super) fn take_answers(&mut self, wanted: WantedAnswers) {
        let Some(jobs) = &mut self.jobs else { return };
        while let Some(((), answer)) = jobs.next(wanted) {
            if let Ok(Some((name, stamp, trend))) = answer {
                self.known.insert(name, (stamp, trend));
            }
        }
    }
}

/// Reads what has become of a run.
fn trend(saves: &Saves, name: &str) -> Result<Trend, StorageError> {
    let (names, rows) = saves.sampled_metrics(name, POINTS as u64)?;
    let columns = columns_named(&names);
    let objective = columns.objective();
    let size = rows.last().and_then(|row| {
        let [nodes, edges] = [network_size::NODES, network_size::EDGES];
        Some([row.get(&columns, &nodes)?, row.get(&columns, &edges)?])
    });
    let mut history = History::new(2);
    for row in rows {
        let value = objective.and_then(|place| row.values().get(place).copied().flatten());
        let generation = row.generation() as f64;
        history.push(&Row::from_values(vec![Some(generation), value]));
    }
    Ok(Trend { history, size })
}
