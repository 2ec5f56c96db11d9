//! Plays matches on background threads, few enough to leave evolution its cores, and reports progress.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::contest::GameResult;
use crate::games::GameConfig;
use crate::genomes::AnyGenome;
use crate::play::match_setup::MatchSetup;
use crate::play::matches::{MatchConditions, MatchPlayer};
use crate::play::pool::Pool;
use crate::play::results::RoundRobinResults;
use crate::play::round_robin::{schedule, tallies};
use crate::play::search_spec::SearchSpec;
use crate::preset::Preset;
use crate::storage::numbered_files::write_numbered;
use crate::storage::players::{PlayerName, match_player};
use crate::storage::saves::Saves;

use super::player_list::{PlayerList, PlayerListRequest, load};

/// The seed of positions and dice: the default of `finches arena`, so that both find the same results.
const SEED: u64 = 1;

/// Approximate time between two progress reports.
const REPORT_INTERVAL: Duration = Duration::from_millis(200);

/// A result from the background.
#[derive(Debug)]
pub enum ArenaEvent {
    /// The players for the request with that number, or an error message.
    Players(u64, Result<Box<PlayerList>, String>),
    /// The progress of the job with that number.
    Progress(u64, Box<ArenaProgress>),
    Ended(u64, ArenaEnd),
    /// The files written, or an error message.
    Exported(Result<Vec<String>, String>),
}

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArenaEnd {
    Done,
    Stopped,
    Failed(String),
}

/// The progress of a job.
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

    fn match_player(&self, setup: &MatchSetup, saves: &Saves) -> Result<MatchPlayer, String> {
        let found = match self {
            Self::Named(name) => match_player(setup, &PlayerName::parse(name, saves), saves),
            Self::Live {
                name,
                preset,
                genome,
                search,
            } => setup.evolved(name, preset.player_config(), genome, search.as_ref()),
        };
        found.map_err(|error| error.to_string())
    }
}

/// The match to play.
pub(super) struct MatchPlan {
    pub(super) game: GameConfig,
    pub(super) players: Vec<ArenaPlayer>,
    pub(super) games: u32,
    pub(super) saves: Saves,
}

/// Starts and stops matches, one at a time.
pub(super) struct MatchJob {
    out: Sender<ArenaEvent>,
    news: Receiver<ArenaEvent>,
    /// Player lists requested.
    latest_request: u64,
    latest_job: u64,
    stop: Arc<AtomicBool>,
}

impl MatchJob {
    pub(super) fn new() -> Self {
        let (out, news) = unbounded();
        Self {
            out,
            news,
            latest_request: 0,
            latest_job: 0,
            stop: Arc::default(),
        }
    }

    /// The receiver of results.
    pub(super) fn news(&self) -> &Receiver<ArenaEvent> {
        &self.news
    }

    /// Loads the list of players in place of any load still running.
    pub(super) fn load(&mut self, request: PlayerListRequest) {
        self.latest_request += 1;
        load(self.latest_request, request, self.out.clone());
    }

    /// Whether a player list answers the latest request; threads may finish in another order.
    pub(super) fn is_newest(&self, number: u64) -> bool {
        number == self.latest_request
    }

    /// Starts a match in place of the one before.
    pub(super) fn start(&mut self, plan: MatchPlan) {
        self.stop();
        self.latest_job += 1;
        self.stop = Arc::default();
        let (number, stop) = (self.latest_job, Arc::clone(&self.stop));
        let reporter = JobReporter {
            number,
            out: self.out.clone(),
            ended: None,
        };
        thread::spawn(move || {
            let ended = reporter.play(&plan, &stop);
            reporter.end(ended.unwrap_or_else(ArenaEnd::Failed));
        });
    }

    /// Stops the match before its next moves. Results so far stay valid.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether an event belongs to the running match.
    pub(super) fn is_current(&self, number: u64) -> bool {
        number == self.latest_job && !self.stop.load(Ordering::Relaxed)
    }

    /// Writes results beside the saved runs.
    pub(super) fn export(&self, results: RoundRobinResults, game: &str, saves: &Saves) {
        let (out, folder) = (self.out.clone(), saves.root().to_owned());
        let stem = format!("arena-{}", game.replace('_', "-"));
        thread::spawn(move || {
            let (json, standings) = (results.json(), results.standings_csv());
            let pairs = results.pairs_csv();
            let parts = [
                (".json", json.as_str()),
                (".csv", standings.as_str()),
                ("-pairs.csv", pairs.as_str()),
            ];
            let written = write_numbered(&folder, &stem, &parts);
            let written = written
                .map(|paths| {
                    let paths = paths.iter();
                    paths.map(|path| path.display().to_string()).collect()
                })
                .map_err(|error| error.to_string());
            // Ignore a closed channel: the screen is gone.
            let _ = out.send(ArenaEvent::Exported(written));
        });
    }
}

impl Drop for MatchJob {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Reports progress from the playing thread. It always reports an end, even after a panic.
struct JobReporter {
    number: u64,
    out: Sender<ArenaEvent>,
    ended: Option<ArenaEnd>,
}

impl Drop for JobReporter {
    fn drop(&mut self) {
        let error = "internal error: the games ended unexpectedly";
        let ending = self.ended.take();
        let ending = ending.unwrap_or_else(|| ArenaEnd::Failed(error.to_owned()));
        // Ignore a closed channel: the screen is gone.
        let _ = self.out.send(ArenaEvent::Ended(self.number, ending));
    }
}

impl JobReporter {
    fn play(&self, plan: &MatchPlan, stop: &AtomicBool) -> Result<ArenaEnd, String> {
        let setup = MatchSetup::new(&plan.game, &[]);
        let setup = setup.map_err(|error| error.to_string())?;
        let match_player = |player: &ArenaPlayer| player.match_player(&setup, &plan.saves);
        let match_players: Result<Vec<MatchPlayer>, String> =
            plan.players.iter().map(match_player).collect();
        let match_players = match_players?;
        let pool = Pool::new(threads()).map_err(|error| error.to_string())?;
        let matches = schedule(match_players.len(), plan.games);
        let names: Vec<String> = plan.players.iter().map(|it| it.name().to_owned()).collect();
        let latest_job = Instant::now();
        let mut played: Vec<GameResult> = Vec::with_capacity(matches.len());
        let mut at_once = pool.threads();
        while played.len() < matches.len() {
            let first = played.len();
            let next = &matches[first..matches.len().min(first + at_once)];
            let conditions = MatchConditions {
                first_game: first as u64,
                cancel: stop,
                ..MatchConditions::new(SEED)
            };
            let before = Instant::now();
            let Some(further) = setup.play_matches(&pool, &match_players, next, &conditions) else {
                return Ok(ArenaEnd::Stopped);
            };
            played.extend(further);
            at_once = next_batch_size(at_once, before.elapsed(), pool.threads());
            let tallies = tallies(match_players.len(), &matches, &played);
            self.tell(ArenaProgress {
                results: RoundRobinResults::new(names.clone(), tallies),
                played: played.len(),
                all: matches.len(),
                seconds: latest_job.elapsed().as_secs_f64(),
            });
        }
        Ok(ArenaEnd::Done)
    }

    /// Sets the end to report.
    fn end(mut self, ending: ArenaEnd) {
        self.ended = Some(ending);
    }

    fn tell(&self, progress: ArenaProgress) {
        // Ignore a closed channel: the match is stopped soon.
        let _ = self
            .out
            .send(ArenaEvent::Progress(self.number, Box::new(progress)));
    }
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
