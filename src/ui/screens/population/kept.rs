//! Populations of earlier generations, which are kept with a saved run. They are read on a thread of their own, so that a slow
//! disk does not hold the screen up. What has been played since is not known of them: they have no fitness.

use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::session::Census;
use crate::ui::screens::champions::{Champions, Wanted};

/// What has come of reading the population of that number.
pub struct Reading {
    number: u64,
    found: Found,
}

/// The members, `None` where no such population is kept, or in words what keeps it from being read.
pub(super) type Found = Result<Option<Arc<Census>>, String>;

/// Reads populations, one at a time; whoever asks again is done with the one before.
pub(super) struct Kept {
    out: Sender<Reading>,
    readings: Receiver<Reading>,
    asked: u64,
    wanted: Option<Wanted>,
}

impl Kept {
    pub(super) fn new() -> Self {
        let (out, readings) = unbounded();
        Self {
            out,
            readings,
            asked: 0,
            wanted: None,
        }
    }

    /// Where readings come in.
    pub(super) fn readings(&self) -> &Receiver<Reading> {
        &self.readings
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
            let _ = out.send(Reading { number, found });
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
