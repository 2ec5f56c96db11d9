//! The players available in a game: reference players and champions of saved runs.

use std::sync::Arc;

use crate::jobs::JobError;
use finches_engine::games::GameConfig;
use finches_engine::play::match_setup::MatchSetup;
use finches_engine::preset::Preset;
use finches_runs::storage::saves::Saves;

/// A saved run with champions.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SavedRun {
    pub(super) name: String,
    pub(super) preset: Preset,
    /// The generations with a saved champion, in ascending order; not empty.
    pub(super) generations: Vec<u64>,
}

/// The players available in a game.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerList {
    /// The games to choose from: that of the current run, those of saved runs, and all others with
    /// default parameters.
    pub(super) games: Vec<GameConfig>,
    /// The game of these players.
    pub(super) game: GameConfig,
    pub(super) references: Vec<String>,
    /// The saved runs of that game.
    pub(super) runs: Vec<Arc<SavedRun>>,
}

/// A request for a player list.
pub(super) struct PlayerListRequest {
    pub(super) saves: Saves,
    /// The game of the current run.
    pub(super) live: Option<GameConfig>,
    /// The game chosen by the user.
    pub(super) game: Option<GameConfig>,
}

/// Collects the players. It reads the folder of saved runs, so it may take a while.
pub(super) fn player_list(request: PlayerListRequest) -> Result<PlayerList, JobError> {
    let all = saved_runs(&request.saves);
    let known = request
        .live
        .into_iter()
        .chain(all.iter().map(|run| run.preset.game.for_matches()));
    let mut games: Vec<GameConfig> = Vec::new();
    for game in known.chain(GameConfig::all().iter().map(GameConfig::for_matches)) {
        if !games.contains(&game) {
            games.push(game);
        }
    }
    let game = request.game.unwrap_or_else(|| games[0].clone());
    let setup = MatchSetup::new(&game, &[])?;
    let runs = all.into_iter();
    Ok(PlayerList {
        references: setup.reference_names(),
        runs: runs
            .filter(|run| run.preset.game.for_matches() == game)
            .map(Arc::new)
            .collect(),
        games,
        game,
    })
}

/// All saved runs with champions; unreadable ones are left out.
fn saved_runs(saves: &Saves) -> Vec<SavedRun> {
    let read = |name: String| {
        let preset = saves.run_file(&name).ok()?.preset;
        let generations = saves.champions(&name).ok()?;
        (!generations.is_empty()).then_some(SavedRun {
            name,
            preset,
            generations,
        })
    };
    saves.names().into_iter().filter_map(read).collect()
}
