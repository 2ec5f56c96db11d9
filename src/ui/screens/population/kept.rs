//! Populations of earlier generations, which are kept with a saved run. They are read on a thread of their own, so that a slow
//! disk does not hold the screen up. What has been played since is not known of them: they have no fitness.

use std::sync::Arc;
use std::thread;

use crossbeam_channel::Sender;

use crate::session::Census;
use crate::ui::screens::champions::{Champions, Wanted};

use super::News;

/// What has come of reading the population of that number.
pub(super) struct Reading {
    number: u64,
    found: Found,
}

/// The members, `None` where no such population is kept, or in words what keeps it from being read.
pub(super) type Found = Result<Option<Arc<Census>>, String>;

/// Reads populations, one at a time; whoever asks again is done with the one before.
pub(super) struct Kept {
    out: Sender<News>,
    asked: u64,
    wanted: Option<Wanted>,
}

impl Kept {
    pub(super) fn new(out: Sender<News>) -> Self {
        Self {
            out,
            asked: 0,
            wanted: None,
        }
    }

    /// Whether a population is being read.
    pub(super) fn is_reading(&self) -> bool {
        self.wanted.is_some()
    }

    /// Begins to read a population.
    pub(super) fn read(&mut self, champions: Champions, wanted: Wanted) {
        self.asked += 1;
        self.wanted = Some(wanted);
        let (number, out) = (self.asked, self.out.clone());
        thread::spawn(move || {
            let found = champions.population(wanted);
            let found = found.map(|census| census.map(Arc::new));
            // Where nobody listens any more, nobody needs to know.
            let _ = out.send(Reading { number, found }.into());
        });
    }

    /// Gives up what is being read.
    pub(super) fn forget(&mut self) {
        self.wanted = None;
    }

    /// What was wanted and what was found, unless something else has been asked for meanwhile.
    pub(super) fn take(&mut self, reading: Reading) -> Option<(Wanted, Found)> {
        let wanted = self.wanted.take_if(|_| reading.number == self.asked)?;
        Some((wanted, reading.found))
    }
}
