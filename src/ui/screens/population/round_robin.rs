//! Plays a round robin between champions of a run on a background thread, and reports results pair by pair. It uses a thread pool of its own with
//! one thread, so that evolution keeps its threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::Sender;

use crate::evolution::archive::Champion;
use crate::play::matches::{Match, MatchConditions, MatchPlayer};
use crate::play::phenotype::Phenotype;
use crate::play::pool::Pool;
use crate::play::round_robin::{PairTally, tally};
use crate::ui::screens::champions::Champions;

use super::PopulationEvent;
use super::match_matrix::MatchMatrix;

/// The most champions in a round robin.
const MAX_CHAMPIONS: usize = 12;

/// Positions that every pair plays, once from each side. All pairs play one position before any plays the next, so that the
/// matrix fills early and then gets more precise.
const OPENINGS: u32 = 8;

/// An update of the round robin with that number.
pub(super) struct RoundRobinEvent {
    request: u64,
    update: RoundRobinUpdate,
}

enum RoundRobinUpdate {
    /// The champions that play.
    Players(Vec<Arc<Champion>>),
    Played(PairTally),
    Failed(String),
    Done,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RoundRobinState {
    Idle,
    Playing,
    Stopped,
    Done,
    /// Holds the reason.
    Failed(String),
}

/// A round robin in the background, one at a time.
pub(super) struct ChampionRoundRobin {
    out: Sender<PopulationEvent>,
    latest_request: u64,
    cancel: Arc<AtomicBool>,
    pub(super) state: RoundRobinState,
    pub(super) matrix: Option<MatchMatrix>,
}

impl ChampionRoundRobin {
    pub(super) fn new(out: Sender<PopulationEvent>) -> Self {
        Self {
            out,
            latest_request: 0,
            cancel: Arc::default(),
            state: RoundRobinState::Idle,
            matrix: None,
        }
    }

    pub(super) fn is_playing(&self) -> bool {
        self.state == RoundRobinState::Playing
    }

    /// Starts a new round robin between champions spread over the run.
    pub(super) fn start(&mut self, champions: Champions, seed: u64) {
        self.cancel.store(true, Ordering::Relaxed);
        self.latest_request += 1;
        self.state = RoundRobinState::Playing;
        self.cancel = Arc::default();
        let (number, out, cancel) = (
            self.latest_request,
            self.out.clone(),
            Arc::clone(&self.cancel),
        );
        thread::spawn(move || {
            // Ignore a closed channel: the screen is gone.
            let report = |what| {
                drop(
                    out.send(
                        RoundRobinEvent {
                            request: number,
                            update: what,
                        }
                        .into(),
                    ),
                )
            };
            let ended = play_all(&champions, seed, &cancel, &report);
            report(ended.map_or_else(RoundRobinUpdate::Failed, |()| RoundRobinUpdate::Done));
        });
    }

    /// Stops the games before the next move; results so far stay.
    pub(super) fn stop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
        self.latest_request += 1;
        self.state = RoundRobinState::Stopped;
    }

    /// Takes in an update unless it belongs to a canceled round robin.
    pub(super) fn handle(&mut self, report: RoundRobinEvent) {
        if report.request != self.latest_request {
            return;
        }
        match report.update {
            RoundRobinUpdate::Players(champions) => self.matrix = Some(MatchMatrix::new(champions)),
            RoundRobinUpdate::Played(tally) => {
                if let Some(matrix) = &mut self.matrix {
                    matrix.add(tally);
                }
            }
            RoundRobinUpdate::Failed(why) => self.state = RoundRobinState::Failed(why),
            RoundRobinUpdate::Done => self.state = RoundRobinState::Done,
        }
    }

    /// Games played, and games in all.
    pub(super) fn games(&self) -> (u64, u64) {
        let Some(matrix) = &self.matrix else {
            return (0, 0);
        };
        let count = matrix.len() as u64;
        let twice: u64 = (0..matrix.len()).map(|one| matrix.total(one).games()).sum();
        let pairs = count * count.saturating_sub(1) / 2;
        (twice / 2, pairs * 2 * u64::from(OPENINGS))
    }
}

impl Drop for ChampionRoundRobin {
    fn drop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
    }
}

/// Plays every pair from every position. Fails if there are too few champions.
fn play_all(
    champions: &Champions,
    seed: u64,
    cancel: &AtomicBool,
    report: &impl Fn(RoundRobinUpdate),
) -> Result<(), String> {
    let players = champions.spread(MAX_CHAMPIONS)?;
    if players.len() < 2 {
        let words = "at least two champions are needed; continue the run";
        return Err(words.to_owned());
    }
    let (arena, genome) = (&champions.arena, &champions.preset.genome);
    let player = |champion: &Arc<Champion>| {
        let player = Phenotype::grown(genome, arena.ports(), &champion.genome);
        Arc::clone(arena).match_player(Arc::new(player))
    };
    let match_players: Vec<MatchPlayer> = players.iter().map(player).collect();
    let pool = Pool::new(1).map_err(|error| error.to_string())?;
    let pairs = (0..players.len()).flat_map(|b| (0..b).map(move |a| [a, b]));
    let pairs: Vec<[usize; 2]> = pairs.collect();
    report(RoundRobinUpdate::Players(players));
    for opening in 0..OPENINGS {
        for (place, &[a, b]) in pairs.iter().enumerate() {
            let conditions = MatchConditions {
                key: u64::from(opening) * pairs.len() as u64 + place as u64,
                cancel,
                ..MatchConditions::new(seed)
            };
            let mut played = Vec::new();
            for players in [[a, b], [b, a]] {
                let game_match = [Match { players, opening }];
                let game = arena.play_matches(&pool, &match_players, &game_match, &conditions);
                // All champions come from one run, so only cancellation leaves a game unfinished.
                let Some(game) = game else {
                    return Ok(());
                };
                played.extend(game);
            }
            report(RoundRobinUpdate::Played(PairTally {
                players: [a, b],
                tally: tally(&played),
            }));
        }
    }
    Ok(())
}
