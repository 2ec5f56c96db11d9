//! Reads the histories of runs that finished earlier, one after another, so that the screen does not wait for the disk.

use std::collections::VecDeque;

use crate::metrics::Columns;
use crate::metrics::history::History;
use crate::storage::experiments::ExperimentFolder;
use crate::storage::experiments::manifest::RunId;
use crate::ui::jobs::{Jobs, Waker};

use super::trial;

/// The histories that are to be read.
pub(super) struct HistoryLoader<'a> {
    folder: &'a ExperimentFolder,
    columns: Vec<Columns>,
    waiting: VecDeque<RunId>,
    jobs: Jobs<RunId, History>,
}

impl<'a> HistoryLoader<'a> {
    pub(super) fn new(folder: &'a ExperimentFolder, columns: Vec<Columns>, waker: Waker) -> Self {
        Self {
            folder,
            columns,
            waiting: VecDeque::new(),
            jobs: Jobs::new(waker),
        }
    }

    /// Reads the history of a run after those that were asked for before.
    pub(super) fn load(&mut self, id: RunId) {
        self.waiting.push_back(id);
        self.load_next();
    }

    fn load_next(&mut self) {
        if self.jobs.is_busy() {
            return;
        }
        let Some(id) = self.waiting.pop_front() else {
            return;
        };
        let (read, columns) = (self.folder.rows_reader(id), self.columns[id.preset].clone());
        let runs = self.folder.manifest().run_ids().len();
        self.jobs.ask(id, move |_| {
            let (names, rows) = read()?;
            Ok(trial::load_history(&columns, runs, &names, &rows))
        });
    }

    /// The histories that have been read since the last call.
    pub(super) fn receive(&mut self) -> Vec<(RunId, History)> {
        let mut histories = Vec::new();
        while let Some((id, history)) = self.jobs.receive() {
            // A file that cannot be read leaves a chart empty; the experiment itself reports damage.
            histories.extend(history.map(|history| (id, history)));
            self.load_next();
        }
        histories
    }
}
