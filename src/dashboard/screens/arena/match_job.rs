//! Plays matches on threads few enough to leave evolution its cores, reports their progress and
//! writes their results.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::jobs::{Job, JobError};
use finches_engine::contest::GameResult;
use finches_engine::games::GameConfig;
use finches_engine::genomes::AnyGenome;
use finches_engine::outside::DEFAULT_MOVE_TIME;
use finches_engine::play::forfeits::{broken_player, forfeited_games};
use finches_engine::play::match_setup::{MatchSetup, PlayerError};
use finches_engine::play::matches::{MatchConditions, MatchPlayer};
use finches_engine::play::pool::Pool;
use finches_engine::play::results::RoundRobinResults;
use finches_engine::play::round_robin::{schedule, tallies};
use finches_engine::play::search_spec::SearchSpec;
use finches_engine::preset::Preset;
use finches_runs::storage::exported_files;
use finches_runs::storage::players::{PlayerName, match_player};
use finches_runs::storage::saves::Saves;

use super::player_list::PlayerList;

/// The seed of positions and dice: the default of `finches arena`, so that both find the same
/// results.
const SEED: u64 = 1;

/// Approximate time between two progress reports.
const REPORT_INTERVAL: Duration = Duration::from_millis(200);

/// The background work of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArenaTask {
    ListPlayers,
    Play,
    Export,
}

/// A result of background work.
#[derive(Debug)]
pub enum ArenaAnswer {
    Players(Box<PlayerList>),
    Progress(Box<ArenaProgress>),
    Ended(ArenaEnd),
    /// The files written.
    Exported(Vec<String>),
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArenaEnd {
    Done,
    Stopped,
    Failed(String),
}

/// The progress of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct ArenaProgress {
    pub results: RoundRobinResults,
    /// Games played, and games in all.
    pub played: usize,
    pub all: usize,
    /// Seconds since the first game began.
    pub seconds: f64,
}

/// A player of the match.
pub(super) enum ArenaPlayer {
    /// By a name that `finches arena` understands.
    Named(String),
    /// The champion of the current run.
    Live {
        name: String,
        preset: Box<Preset>,
        genome: Box<AnyGenome>,
        search: Option<SearchSpec>,
    },
}

impl ArenaPlayer {
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Named(name) | Self::Live { name, .. } => name,
        }
    }

    fn match_player(&self, setup: &MatchSetup, saves: &Saves) -> Result<MatchPlayer, PlayerError> {
        match self {
            Self::Named(name) => {
                let name = PlayerName::parse(name, saves);
                match_player(setup, &name, saves, DEFAULT_MOVE_TIME)
            }
            Self::Live {
                name,
                preset,
                genome,
                search,
            } => setup.evolved(name, preset.player_config(), genome, search.as_ref()),
        }
    }
}

/// The match to play.
pub(super) struct MatchPlan {
    pub(super) game: GameConfig,
    pub(super) players: Vec<ArenaPlayer>,
    pub(super) games: u32,
    pub(super) saves: Saves,
}

/// Writes results into the folder. Returns the files written.
pub(super) fn export(
    results: &RoundRobinResults,
    game: &str,
    folder: &Path,
) -> Result<Vec<String>, JobError> {
    let stem = format!("arena-{}", game.replace('_', "-"));
    let parts = [
        (".json", results.json()),
        (".csv", results.standings_csv()),
        ("-pairs.csv", results.pairs_csv()),
    ];
    let written = exported_files::export(folder, &stem, &parts)?;
    let paths = written.iter();
    Ok(paths.map(|path| path.display().to_string()).collect())
}

/// Plays the match and reports its progress. Stops before the next move once the job is canceled.
pub(super) fn play(plan: &MatchPlan, job: &Job<ArenaAnswer>) -> Result<ArenaEnd, JobError> {
    let setup = MatchSetup::new(&plan.game, &[])?;
    let match_player = |player: &ArenaPlayer| player.match_player(&setup, &plan.saves);
    let match_players: Result<Vec<MatchPlayer>, PlayerError> =
        plan.players.iter().map(match_player).collect();
    let match_players = match_players?;
    let pool = Pool::new(threads())?;
    let matches = schedule(match_players.len(), plan.games);
    let names: Vec<String> = plan.players.iter().map(|it| it.name().to_owned()).collect();
    let began = Instant::now();
    let mut played: Vec<GameResult> = Vec::with_capacity(matches.len());
    let mut at_once = pool.threads();
    while played.len() < matches.len() {
        let first = played.len();
        let next = &matches[first..matches.len().min(first + at_once)];
        let conditions = MatchConditions {
            first_game: first as u64,
            cancel: &job.token,
            ..MatchConditions::new(SEED)
        };
        let before = Instant::now();
        let Some(further) = setup.play_matches(&pool, &match_players, next, &conditions) else {
            let broken = broken_player(&match_players, &matches, &names);
            return Ok(broken.map_or(ArenaEnd::Stopped, ArenaEnd::Failed));
        };
        played.extend(further);
        at_once = next_batch_size(at_once, before.elapsed(), pool.threads());
        let tallies = tallies(match_players.len(), &matches, &played);
        job.report(ArenaAnswer::Progress(Box::new(ArenaProgress {
            results: RoundRobinResults::new(names.clone(), tallies)
                .with_forfeits(forfeited_games(&match_players, &matches)),
            played: played.len(),
            all: matches.len(),
            seconds: began.elapsed().as_secs_f64(),
        })));
    }
    Ok(ArenaEnd::Done)
}

/// The number of games until the next report, after `games` games took this long.
fn next_batch_size(games: usize, took: Duration, least: usize) -> usize {
    match took {
        _ if took < REPORT_INTERVAL / 2 => games * 2,
        _ if took > REPORT_INTERVAL * 2 => (games / 2).max(least),
        _ => games,
    }
}

/// A quarter of the machine's cores, so that evolution keeps the others.
fn threads() -> usize {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    (cores / 4).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_games_are_played_at_once_the_faster_they_are() {
        assert_eq!(next_batch_size(4, REPORT_INTERVAL / 4, 2), 8);
        assert_eq!(next_batch_size(4, REPORT_INTERVAL, 2), 4);
        assert_eq!(next_batch_size(4, REPORT_INTERVAL * 3, 2), 2);
        assert_eq!(next_batch_size(2, REPORT_INTERVAL * 3, 2), 2);
    }
}
