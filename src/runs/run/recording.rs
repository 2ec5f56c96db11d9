//! What can be shown of a run afterwards: its rows and its champions, evolved for it or read from a
//! saved run.

use std::sync::atomic::AtomicBool;

use finches_engine::metrics::Row;
use finches_engine::session::Session;

use super::RunInfo;
use super::message::Snapshot;

/// A run up to some generation.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The run at its start; the interventions are all that were made.
    pub info: RunInfo,
    /// One for each generation, oldest first.
    pub rows: Vec<Row>,
    /// Champions and their games, oldest first.
    pub snapshots: Vec<Snapshot>,
}

impl Recording {
    /// Evolves a new run until it is done. All champions of the first 128 generations are kept, and
    /// of the later ones at least one in every sixty-fourth of the run so far.
    pub fn evolve(session: &mut Session) -> Self {
        let name = format!("{}-{}", session.preset().name, session.seed());
        let mut run = Self {
            info: RunInfo {
                interventions: session.interventions().to_vec(),
                ..RunInfo::of(session, Some(name))
            },
            rows: Vec::new(),
            snapshots: Vec::new(),
        };
        let halt = AtomicBool::new(false);
        while !run.is_done()
            && let Some(row) = session.advance(&halt)
        {
            let generation = row.generation();
            run.rows.push(row);
            if run.is_done() || generation.is_multiple_of((generation / 64).next_power_of_two()) {
                run.snapshots.extend(Snapshot::of(session, 0));
            }
        }
        run
    }

    /// Leaves out what comes after so many generations.
    pub fn cut(&mut self, generations: u64) {
        self.rows.retain(|row| row.generation() < generations);
        self.snapshots
            .retain(|kept| kept.champion.generation < generations);
    }

    /// The name of the run.
    pub fn name(&self) -> &str {
        let saved = self.info.saved_as.as_deref();
        saved.unwrap_or(&self.info.preset.name)
    }

    /// Whether it has met the target of its preset, or its last generation is there.
    pub fn is_done(&self) -> bool {
        let preset = &self.info.preset;
        self.rows.last().is_some_and(|row| {
            let target = preset.stop_condition();
            let is_met = target.is_some_and(|target| target.is_met(&self.info.columns, row));
            is_met || row.generation() + 1 >= preset.generations
        })
    }
}
