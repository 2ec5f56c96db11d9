//! The work behind the screen, on other threads: the experiment itself, and the reading of
//! histories of earlier runs.

use std::sync::Arc;

use crate::jobs::{JobError, Jobs, WantedAnswers};
use finches_engine::metrics::history::History;
use finches_lab::experiment::{ExperimentEnd, ExperimentError, ExperimentEvent, RunSpec, run};
use finches_runs::storage::experiments::ExperimentFolder;
use finches_runs::storage::experiments::manifest::RunId;
use finches_runs::storage::experiments::part::RunPart;

use super::ExperimentScreen;
use super::trial::load_history;

/// The work to be done.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ExperimentTask {
    Run,
    ReadHistories,
}

/// What the work has found.
pub(super) enum ExperimentAnswer {
    Event(ExperimentEvent),
    Ended(Result<ExperimentEnd, ExperimentError>),
    Histories(Vec<(RunId, RunPart, History)>),
}

impl ExperimentScreen {
    /// Starts the experiment.
    pub fn start(&mut self, folder: &Arc<ExperimentFolder>) {
        self.folder = Some(Arc::clone(folder));
        let (folder, shard, threads) = (Arc::clone(folder), self.setup.shard, self.setup.threads);
        self.jobs.ask(ExperimentTask::Run, move |job| {
            Ok(ExperimentAnswer::Ended(run(&RunSpec {
                folder: &folder,
                shard,
                threads,
                halt: job.token.flag(),
                on_event: &|event| job.report(ExperimentAnswer::Event(event)),
            })))
        });
    }

    /// Stops the runs between two games.
    pub(super) fn stop(&self) {
        self.jobs.hasten(&ExperimentTask::Run);
    }

    /// Whether the experiment has not ended.
    pub(super) fn is_running(&self) -> bool {
        self.jobs.is_running(&ExperimentTask::Run)
    }

    /// Takes in what the work has found so far.
    pub(super) fn receive_found(&mut self) {
        Jobs::take(
            self,
            WantedAnswers::Arrived,
            |it| &mut it.jobs,
            Self::handle_answer,
        );
    }

    fn handle_answer(&mut self, task: ExperimentTask, answer: Result<ExperimentAnswer, JobError>) {
        match answer {
            Ok(ExperimentAnswer::Event(event)) => self.receive_event(event),
            Ok(ExperimentAnswer::Ended(ended)) => self.end(ended),
            Ok(ExperimentAnswer::Histories(histories)) => {
                for (id, part, history) in histories {
                    // A run that goes on has a longer one.
                    let trial = self.trial(id);
                    if trial.part == part {
                        trial.history.get_or_insert(history);
                    }
                }
            }
            Err(error) if task == ExperimentTask::Run => {
                let words = format!("{error}; finished runs and checkpoints are kept");
                self.end(Err(ExperimentError::Failed(words)));
            }
            Err(_) => {}
        }
    }

    /// Runs that were finished earlier are listed first; once the others are, their histories are
    /// read.
    fn receive_event(&mut self, event: ExperimentEvent) {
        let is_listed = matches!(event, ExperimentEvent::Scheduled(..));
        self.apply(event);
        if is_listed {
            self.read_histories();
        }
    }

    /// Reads the histories of finished runs one after another, so that the screen does not wait for
    /// the disk.
    fn read_histories(&mut self) {
        let Some(folder) = self.folder.clone() else {
            return;
        };
        let trials = self.trials.iter();
        let finished = trials.filter(|(_, trial)| trial.is_finished() && trial.history.is_none());
        let parts = finished.map(|(id, trial)| (*id, trial.part));
        let parts: Vec<(RunId, RunPart)> = parts.collect();
        let (columns, runs) = (
            self.setup.columns.clone(),
            folder.manifest().run_ids().len(),
        );
        self.jobs.ask(ExperimentTask::ReadHistories, move |job| {
            for (id, part) in parts.into_iter().take_while(|_| !job.is_canceled()) {
                // A file that cannot be read leaves a chart empty; the experiment itself reports
                // damage.
                if let Ok((names, rows)) = folder.rows(id, part) {
                    let history = load_history(&columns[id.preset], runs, &names, &rows);
                    job.report(ExperimentAnswer::Histories(vec![(id, part, history)]));
                }
            }
            Ok(ExperimentAnswer::Histories(Vec::new()))
        });
    }
}
