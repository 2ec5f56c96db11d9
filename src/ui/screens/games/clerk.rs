//! Fetches games from disk on threads of their own, so that a slow disk does not hold the screen up.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use crossbeam_channel::Sender;

use crate::arena::Arena;
use crate::arena::record::Record;
use crate::storage::games;
use crate::storage::saves::Saves;

use super::News;
use super::shelf::{Brief, Kept};

/// Generations read between two reports.
const BATCH: usize = 32;

/// What has been found.
pub(super) enum Report {
    /// Games on disk, generation by generation.
    Listed(Vec<(u64, Kept)>),
    /// The list is whole, or why it can't be had.
    Whole(Result<(), String>),
    /// The games of a generation.
    Fetched {
        generation: u64,
        games: Result<Vec<Record>, String>,
    },
    /// The games of a file.
    Opened {
        path: String,
        games: Result<Vec<Record>, String>,
    },
}

/// Sends for games, and knows how much is still to come.
pub(super) struct Clerk {
    out: Sender<News>,
    /// Errands under way.
    pub(super) open: usize,
    pub(super) is_listing: bool,
}

impl Clerk {
    pub(super) fn new(out: Sender<News>) -> Self {
        Self {
            out,
            open: 0,
            is_listing: false,
        }
    }

    fn send(&mut self, errand: impl FnOnce(&Sender<News>) + Send + 'static) {
        self.open += 1;
        let out = self.out.clone();
        thread::spawn(move || errand(&out));
    }

    /// Lists the games of a saved run, the newest first, but those of known generations.
    pub(super) fn list(&mut self, saves: (Saves, String), arena: Arc<dyn Arena>, known: Vec<u64>) {
        self.is_listing = true;
        self.send(move |out| {
            let whole = list(&saves, arena.as_ref(), &known, out);
            // Where nobody listens any more, nobody needs to know.
            let _ = out.send(News::of(Report::Whole(whole)));
        });
    }

    /// Fetches the games of a generation.
    pub(super) fn fetch(&mut self, saves: (Saves, String), arena: Arc<dyn Arena>, generation: u64) {
        self.send(move |out| {
            let games = saves.0.games_of(&saves.1, generation, arena.as_ref());
            let games = games.map_err(|error| error.to_string());
            let _ = out.send(News::of(Report::Fetched { generation, games }));
        });
    }

    /// Opens a file with games.
    pub(super) fn open(&mut self, path: String, arena: Arc<dyn Arena>) {
        self.send(move |out| {
            let games = games::read_transcript(&PathBuf::from(&path), arena.as_ref());
            let games = games.map_err(|error| error.to_string());
            let _ = out.send(News::of(Report::Opened { path, games }));
        });
    }

    /// Takes note that a report has come.
    pub(super) fn heard(&mut self, report: &Report) {
        if matches!(report, Report::Whole(_)) {
            self.is_listing = false;
        }
        if !matches!(report, Report::Listed(_)) {
            self.open = self.open.saturating_sub(1);
        }
    }
}

fn list(
    (saves, name): &(Saves, String),
    arena: &dyn Arena,
    known: &[u64],
    out: &Sender<News>,
) -> Result<(), String> {
    let mut generations = saves.games(name).map_err(|error| error.to_string())?;
    generations.retain(|generation| known.binary_search(generation).is_err());
    generations.reverse();
    for batch in generations.chunks(BATCH) {
        let read = |&generation: &u64| {
            let games = saves.games_of(name, generation, arena);
            if let Err(error) = &games {
                tracing::warn!("recorded games refused: {error}");
            }
            let briefs = games.map(|games| games.iter().map(Brief::of).collect());
            (generation, briefs.map_err(|error| error.to_string()))
        };
        let found = batch.iter().map(read).collect();
        if out.send(News::of(Report::Listed(found))).is_err() {
            break;
        }
    }
    Ok(())
}
