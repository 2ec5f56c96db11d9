//! Loads games on background threads, because disks can be slow.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use crossbeam_channel::Sender;

use crate::play::Arena;
use crate::play::record::GameRecord;
use crate::storage::games;
use crate::storage::saves::Saves;

use super::GamesEvent;
use super::game_list::{GameSummary, SavedGames};

/// Generations read between two events.
const BATCH: usize = 32;

/// The result of a job, or a part of it.
pub(super) enum LoaderEvent {
    /// Games on disk, by generation.
    Listed(Vec<(u64, SavedGames)>),
    /// The end of the listing, or why it failed.
    ListComplete(Result<(), String>),
    /// The games of a generation.
    Loaded {
        generation: u64,
        games: Result<Vec<GameRecord>, String>,
    },
    /// The games of a file.
    Opened {
        path: String,
        games: Result<Vec<GameRecord>, String>,
    },
}

/// Starts jobs and counts the pending ones.
pub(super) struct GameLoader {
    out: Sender<GamesEvent>,
    /// Jobs running.
    pub(super) pending: usize,
    pub(super) is_listing: bool,
}

impl GameLoader {
    pub(super) fn new(out: Sender<GamesEvent>) -> Self {
        Self {
            out,
            pending: 0,
            is_listing: false,
        }
    }

    fn send(&mut self, job: impl FnOnce(&Sender<GamesEvent>) + Send + 'static) {
        self.pending += 1;
        let out = self.out.clone();
        thread::spawn(move || job(&out));
    }

    /// Lists the games of a saved run, the newest first, without those of known generations.
    pub(super) fn list(&mut self, saves: (Saves, String), arena: Arc<dyn Arena>, known: Vec<u64>) {
        self.is_listing = true;
        self.send(move |out| {
            let whole = list(&saves, arena.as_ref(), &known, out);
            // Ignore a closed channel: the screen is gone.
            let _ = out.send(GamesEvent::of(LoaderEvent::ListComplete(whole)));
        });
    }

    /// Loads the games of a generation.
    pub(super) fn fetch(&mut self, saves: (Saves, String), arena: Arc<dyn Arena>, generation: u64) {
        self.send(move |out| {
            let games = saves
                .0
                .games_of_generation(&saves.1, generation, arena.as_ref());
            let games = games.map_err(|error| error.to_string());
            let _ = out.send(GamesEvent::of(LoaderEvent::Loaded { generation, games }));
        });
    }

    /// Opens a file of games.
    pub(super) fn open(&mut self, path: String, arena: Arc<dyn Arena>) {
        self.send(move |out| {
            let games = games::read_transcript(&PathBuf::from(&path), arena.as_ref());
            let games = games.map_err(|error| error.to_string());
            let _ = out.send(GamesEvent::of(LoaderEvent::Opened { path, games }));
        });
    }

    /// Updates the job count for an event.
    pub(super) fn update(&mut self, report: &LoaderEvent) {
        if matches!(report, LoaderEvent::ListComplete(_)) {
            self.is_listing = false;
        }
        if !matches!(report, LoaderEvent::Listed(_)) {
            self.pending = self.pending.saturating_sub(1);
        }
    }
}

fn list(
    (saves, name): &(Saves, String),
    arena: &dyn Arena,
    known: &[u64],
    out: &Sender<GamesEvent>,
) -> Result<(), String> {
    let mut generations = saves.games(name).map_err(|error| error.to_string())?;
    generations.retain(|generation| known.binary_search(generation).is_err());
    generations.reverse();
    for batch in generations.chunks(BATCH) {
        let read = |&generation: &u64| {
            let games = saves.games_of_generation(name, generation, arena);
            if let Err(error) = &games {
                tracing::warn!("cannot read recorded games: {error}");
            }
            let briefs = games.map(|games| games.iter().map(GameSummary::of).collect());
            (generation, briefs.map_err(|error| error.to_string()))
        };
        let found = batch.iter().map(read).collect();
        if out
            .send(GamesEvent::of(LoaderEvent::Listed(found)))
            .is_err()
        {
            break;
        }
    }
    Ok(())
}
