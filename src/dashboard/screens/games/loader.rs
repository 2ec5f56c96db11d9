//! Reads games from disk. It may take a while, because disks can be slow.

use std::path::PathBuf;
use std::sync::Arc;

use crate::jobs::{Job, JobError};
use finches_engine::play::Arena;
use finches_runs::storage::game_rules::{GameRules, OpenedGame, by_own_rules};
use finches_runs::storage::games;
use finches_runs::storage::saves::Saves;

use super::GamesAnswer;
use super::game_list::GameSummary;

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

/// The user's own games, those of the latest file last: of one game, or of all.
pub(super) fn own(saves: &Saves, game: Option<&str>) -> Result<GamesAnswer, JobError> {
    let mut played = Vec::new();
    let mut files = games::all_own_games(saves);
    files.retain(|(own, _)| game.is_none_or(|wanted| wanted == own.name()));
    for (own, path) in files.into_iter().rev() {
        let file = Arc::new(games::open(&path)?);
        let rules = GameRules::new(own)?;
        played.extend(by_own_rules(&file, &rules, &rules.arena.list_games(&file)));
    }
    Ok(GamesAnswer::Played(played))
}

/// The games of files, the first file last: by the rules of the run, if games can be read by them,
/// else by those that fit.
pub(super) fn open(
    paths: &[PathBuf],
    run: Option<&Arc<GameRules>>,
    job: &Job<GamesAnswer>,
) -> Result<GamesAnswer, JobError> {
    for path in paths.iter().rev() {
        let file = Arc::new(games::open(path)?);
        let is_good = |game: &OpenedGame| game.listed.problem.is_none();
        let by_run = |run: &Arc<GameRules>| by_own_rules(&file, run, &run.arena.list_games(&file));
        let mut listed = run.map_or_else(Vec::new, by_run);
        if !listed.iter().any(is_good)
            && let Some((game, games)) = games::recognized(&file)
        {
            listed = by_own_rules(&file, &GameRules::new(game)?, &games);
        }
        let path = path.display().to_string();
        job.report(GamesAnswer::Opened { path, listed });
    }
    Ok(GamesAnswer::Listed(Vec::new()))
}

/// A game of a file.
pub(super) fn read(game: &OpenedGame) -> Result<GamesAnswer, JobError> {
    let record = game.rules.arena.read_game(&game.file, &game.listed);
    Ok(GamesAnswer::Read(record?, Arc::clone(&game.rules)))
}
