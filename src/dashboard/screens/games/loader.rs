//! Reads games from disk. It may take a while, because disks can be slow.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::jobs::{Job, JobError};
use finches_engine::play::Arena;
use finches_runs::storage::games;
use finches_runs::storage::saves::Saves;

use super::GamesAnswer;
use super::game_list::{GameSummary, OpenedGame};

/// Generations read between two reports.
const BATCH: usize = 32;

/// Lists the games of a saved run, the newest first, without those of known generations.
pub(super) fn list(
    (saves, name): &(Saves, String),
    arena: &dyn Arena,
    known: &[u64],
    job: &Job<GamesAnswer>,
) -> Result<GamesAnswer, JobError> {
    let mut generations = saves.games(name)?;
    generations.retain(|generation| known.binary_search(generation).is_err());
    generations.reverse();
    for batch in generations.chunks(BATCH) {
        if job.is_canceled() {
            break;
        }
        let read = |&generation: &u64| {
            let games = saves.games_of_generation(name, generation, arena);
            if let Err(error) = &games {
                tracing::warn!("cannot read recorded games: {error}");
            }
            let briefs = games.map(|games| games.iter().map(GameSummary::of).collect());
            (generation, briefs.map_err(|error| error.to_string()))
        };
        job.report(GamesAnswer::Listed(batch.iter().map(read).collect()));
    }
    Ok(GamesAnswer::Listed(Vec::new()))
}

/// The games of a generation.
pub(super) fn load(
    (saves, name): &(Saves, String),
    arena: &dyn Arena,
    generation: u64,
) -> Result<GamesAnswer, JobError> {
    let games = saves.games_of_generation(name, generation, arena)?;
    Ok(GamesAnswer::Loaded(games))
}

/// The user's own games, if there are any.
pub(super) fn own(path: &Path, arena: &dyn Arena) -> Result<GamesAnswer, JobError> {
    if !path.exists() {
        return Ok(GamesAnswer::Listed(Vec::new()));
    }
    let file = games::open(path)?;
    Ok(GamesAnswer::Played(arena.list_games(&file), Arc::new(file)))
}

/// The games of files, the first file last.
pub(super) fn open(
    paths: &[PathBuf],
    arena: &dyn Arena,
    job: &Job<GamesAnswer>,
) -> Result<GamesAnswer, JobError> {
    for path in paths.iter().rev() {
        let file = games::open(path)?;
        job.report(GamesAnswer::Opened {
            path: path.display().to_string(),
            listed: arena.list_games(&file),
            file: Arc::new(file),
        });
    }
    Ok(GamesAnswer::Listed(Vec::new()))
}

/// A game of a file.
pub(super) fn read(game: &OpenedGame, arena: &dyn Arena) -> Result<GamesAnswer, JobError> {
    let record = arena.read_game(&game.file, &game.listed);
    Ok(GamesAnswer::Read(record?))
}
