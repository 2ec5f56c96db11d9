//! Loads populations of earlier generations from a saved run, on a background thread. They carry genomes but no fitness.

use std::sync::Arc;
use std::thread;

use crossbeam_channel::Sender;

use crate::session::GenerationSnapshot;
use crate::ui::model::champions::{ChampionQuery, Champions};

use super::PopulationEvent;

/// The result of a load request.
pub(super) struct PopulationRead {
    request: u64,
    found: PopulationResult,
}

/// The members, `None` if no such population is saved, or an error message.
pub(super) type PopulationResult = Result<Option<Arc<GenerationSnapshot>>, String>;

/// Loads populations, one at a time; a new request replaces the one before.
pub(super) struct PopulationLoader {
    out: Sender<PopulationEvent>,
    latest_request: u64,
    pending: Option<ChampionQuery>,
}

impl PopulationLoader {
    pub(super) fn new(out: Sender<PopulationEvent>) -> Self {
        Self {
            out,
            latest_request: 0,
            pending: None,
        }
    }

    /// Whether a load is pending.
    pub(super) fn is_reading(&self) -> bool {
        self.pending.is_some()
    }

    /// Starts loading a population.
    pub(super) fn read(&mut self, champions: Champions, query: ChampionQuery) {
        self.latest_request += 1;
        self.pending = Some(query);
        let (number, out) = (self.latest_request, self.out.clone());
        thread::spawn(move || {
            let found = champions.saved_population(query);
            let found = found.map(|snapshot| snapshot.map(Arc::new));
            // Ignore a closed channel: the screen is gone.
            let _ = out.send(
                PopulationRead {
                    request: number,
                    found,
                }
                .into(),
            );
        });
    }

    /// Cancels the pending load.
    pub(super) fn cancel(&mut self) {
        self.pending = None;
    }

    /// The query and its result, unless a newer request has replaced it.
    pub(super) fn accept(
        &mut self,
        read_result: PopulationRead,
    ) -> Option<(ChampionQuery, PopulationResult)> {
        let query = self
            .pending
            .take_if(|_| read_result.request == self.latest_request)?;
        Some((query, read_result.found))
    }
}
