//! Lists and has_cursor saved runs, and writes exports, on background threads.

use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::storage::saves::{SavedRunEntry, Saves};

use super::export::ComparisonExport;
use super::series::SavedRunHistory;

/// The result of a request.
pub struct ReadResult(pub(super) ReadOutcome);

pub(super) enum ReadOutcome {
    /// The saved runs, latest first.
    Listed(Vec<SavedRunEntry>),
    /// A run's name and its data, or the reason why it cannot be read.
    Run(String, Box<Result<SavedRunHistory, String>>),
    /// A message with the paths of the exported files, or the reason why there are none.
    Exported(Result<String, String>),
}

/// Starts requests, several at a time, and collects their results.
pub(super) struct RunReader {
    out: Sender<ReadResult>,
    results: Receiver<ReadResult>,
    asked: usize,
}

impl Default for RunReader {
    fn default() -> Self {
        let (out, results) = unbounded();
        Self {
            out,
            results,
            asked: 0,
        }
    }
}

impl RunReader {
    /// The channel of results.
    pub(super) fn results(&self) -> &Receiver<ReadResult> {
        &self.results
    }

    /// Whether a request is pending.
    pub(super) fn is_busy(&self) -> bool {
        self.asked > 0
    }

    /// Records that a result has been received.
    pub(super) fn record_received(&mut self) {
        self.asked = self.asked.saturating_sub(1);
    }

    fn spawn(&mut self, find: impl FnOnce(&Sender<ReadResult>) + Send + 'static) {
        let out = self.out.clone();
        thread::spawn(move || find(&out));
    }

    pub(super) fn list(&mut self, saves: &Saves) {
        self.asked += 1;
        let saves = saves.clone();
        self.spawn(move |out| {
            // If the receiver is gone, the result is no longer needed.
            let _ = out.send(ReadResult(ReadOutcome::Listed(saves.list())));
        });
    }

    /// Reads runs one after another.
    pub(super) fn read(&mut self, saves: &Saves, names: Vec<String>) {
        self.asked += names.len();
        let saves = saves.clone();
        self.spawn(move |out| {
            for name in names {
                let saved_run = Box::new(SavedRunHistory::read(&saves, &name));
                if out
                    .send(ReadResult(ReadOutcome::Run(name, saved_run)))
                    .is_err()
                {
                    return;
                }
            }
        });
    }

    pub(super) fn export(&mut self, saves: &Saves, export: ComparisonExport) {
        self.asked += 1;
        let saves = saves.clone();
        self.spawn(move |out| {
            let _ = out.send(ReadResult(ReadOutcome::Exported(export.write(&saves))));
        });
    }
}
