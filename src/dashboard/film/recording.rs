//! What is filmed of a run: its rows, its changes and its champions, evolved for the film or read
//! from a saved run.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use finches_engine::metrics::Row;
use finches_engine::play::record::GameRecord;
use finches_engine::preset::Intervention;
use finches_engine::session::Session;
use finches_runs::run::RunInfo;
use finches_runs::run::follow::{self, FollowError};
use finches_runs::run::message::Snapshot;
use finches_runs::storage::saves::Saves;

use super::FilmError;

/// A run up to some generation.
#[derive(Clone, Debug)]
pub struct Recording {
    /// As they were at the start of the run.
    pub facts: RunInfo,
    /// The changes of parameters, oldest first.
    pub changes: Vec<Intervention>,
    /// One for each generation, oldest first.
    pub rows: Vec<Row>,
    /// Champions and their games, oldest first.
    pub snapshots: Vec<Snapshot>,
    /// The first generation of the film, and the one after its last.
    pub generations: (u64, u64),
}

impl Recording {
    /// Evolves a new run until it is done.
    pub fn evolve(session: &mut Session) -> Self {
        let preset = session.preset().clone();
        let target = preset.stop_condition();
        let mut run = Self {
            facts: RunInfo {
                seed: session.seed(),
                columns: session.columns().clone(),
                interventions: Vec::new(),
                arena: Arc::clone(session.arena()),
                threads: 1,
                saved_as: Some(format!("{}-{}", preset.name, session.seed())),
                generation: 0,
                preset,
            },
            changes: session.interventions().to_vec(),
            rows: Vec::new(),
            snapshots: Vec::new(),
            generations: (0, u64::MAX),
        };
        let halt = AtomicBool::new(false);
        while !session.is_done() {
            let Some(row) = session.advance(&halt) else {
                break;
            };
            let is_met = target.as_ref();
            let is_met = is_met.is_some_and(|target| target.is_met(session.columns(), &row));
            if is_met || session.is_done() || is_kept(row.generation()) {
                run.snapshots.extend(Snapshot::of(session, 0));
            }
            run.rows.push(row);
            if is_met {
                break;
            }
        }
        run
    }

    /// Reads a saved run, which is not changed.
    ///
    /// # Errors
    ///
    /// The file that can't be read, and why.
    pub fn read(saves: &Saves, name: &str) -> Result<Self, FollowError> {
        let (run, snapshots) = follow::recorded(saves, name)?;
        let changes = run.info.interventions;
        Ok(Self {
            facts: RunInfo {
                preset: saves.run_file(name)?.preset,
                interventions: Vec::new(),
                threads: 1,
                generation: 0,
                ..run.info
            },
            changes,
            rows: run.rows,
            snapshots,
            generations: (0, u64::MAX),
        })
    }

    /// The name of the run.
    pub fn name(&self) -> String {
        let saved = self.facts.saved_as.clone();
        saved.unwrap_or_else(|| self.facts.preset.name.clone())
    }

    /// Sample game `number`, from 1, of the last champion within the film.
    ///
    /// # Errors
    ///
    /// If there is no such game.
    pub fn game(&self, number: usize) -> Result<GameRecord, FilmError> {
        let games = self.champion().map_or(&[][..], |last| &last.games);
        let place = number.checked_sub(1);
        let game = place.and_then(|place| games.get(place)).cloned();
        let count = games.len();
        game.ok_or(FilmError::Game { number, count })
    }

    /// The last champion within the film.
    pub(super) fn champion(&self) -> Option<&Snapshot> {
        let mut kept = self.snapshots.iter().rev();
        kept.find(|kept| kept.champion.generation < self.generations.1)
    }

    /// The first generation of the film, and the one after its last.
    pub(super) fn range(&self) -> Result<(u64, u64), FilmError> {
        let last = self.rows.last().map(|row| row.generation() + 1);
        let done = last.ok_or_else(|| FilmError::NoRows(self.name()))?;
        let (first, last) = self.generations;
        if first >= done.min(last) {
            let run = self.name();
            return Err(FilmError::Range { run, first, done });
        }
        Ok((first, last.min(done)))
    }

    /// Whether the film shows the end of the run.
    pub(super) fn is_done(&self) -> bool {
        let preset = &self.facts.preset;
        self.rows.last().is_some_and(|row| {
            let target = preset.stop_condition();
            let is_met = target.is_some_and(|target| target.is_met(&self.facts.columns, row));
            let done = row.generation() + 1;
            done <= self.generations.1 && (is_met || done >= preset.generations)
        })
    }
}

/// Whether the champion of a generation is kept: all of the first 128, and of the later ones at
/// least one in every sixty-fourth of the run so far.
fn is_kept(generation: u64) -> bool {
    generation.is_multiple_of((generation / 64).next_power_of_two())
}
