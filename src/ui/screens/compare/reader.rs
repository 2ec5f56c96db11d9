//! Looks at the disk on a thread of its own: which runs are saved, and how they went. It also writes what is exported.

use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::storage::saves::{Listed, Saves};

use super::course::Course;
use super::export::Sheet;

/// What has come of a request.
pub struct Finding(pub(super) Found);

pub(super) enum Found {
    /// The saved runs, the latest first.
    Listed(Vec<Listed>),
    /// How a run went, or why it can't be read.
    Course(String, Box<Result<Course, String>>),
    /// Where the files are, or why there are none.
    Exported(Result<String, String>),
}

/// Asks for things, several at a time.
pub(super) struct Reader {
    out: Sender<Finding>,
    findings: Receiver<Finding>,
    asked: usize,
}

impl Default for Reader {
    fn default() -> Self {
        let (out, findings) = unbounded();
        Self {
            out,
            findings,
            asked: 0,
        }
    }
}

impl Reader {
    /// Where findings come in.
    pub(super) fn findings(&self) -> &Receiver<Finding> {
        &self.findings
    }

    /// Whether something asked for has not come yet.
    pub(super) fn is_busy(&self) -> bool {
        self.asked > 0
    }

    /// Takes note that a finding has been taken in.
    pub(super) fn taken(&mut self) {
        self.asked = self.asked.saturating_sub(1);
    }

    fn ask(&mut self, find: impl FnOnce(&Sender<Finding>) + Send + 'static) {
        let out = self.out.clone();
        thread::spawn(move || find(&out));
    }

    pub(super) fn list(&mut self, saves: &Saves) {
        self.asked += 1;
        let saves = saves.clone();
        self.ask(move |out| {
            // Where nobody listens any more, nobody needs to know.
            let _ = out.send(Finding(Found::Listed(saves.list())));
        });
    }

    /// Reads runs one after the other.
    pub(super) fn read(&mut self, saves: &Saves, names: Vec<String>) {
        self.asked += names.len();
        let saves = saves.clone();
        self.ask(move |out| {
            for name in names {
                let course = Box::new(Course::read(&saves, &name));
                if out.send(Finding(Found::Course(name, course))).is_err() {
                    return;
                }
            }
        });
    }

    pub(super) fn export(&mut self, saves: &Saves, sheet: Sheet) {
        self.asked += 1;
        let saves = saves.clone();
        self.ask(move |out| {
            let _ = out.send(Finding(Found::Exported(sheet.write(&saves))));
        });
    }
}
