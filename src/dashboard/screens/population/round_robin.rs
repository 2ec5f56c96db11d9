//! Plays a round robin between champions of a run and reports results pair by pair. It uses a
//! thread pool of its own with one thread, so that evolution keeps its threads.

use std::sync::Arc;
use std::time::Duration;

use crate::jobs::{Job, JobError};
use crate::model::champions::Champions;
use crate::model::run::RunModel;
use finches_engine::evolution::archive::Champion;
use finches_engine::metrics::stats::ratings::{PairScore, bradley_terry};
use finches_engine::play::health::cross_table::CrossTable;
use finches_engine::play::health::gradient::FitnessLevels;
use finches_engine::play::health::{Diagnosis, RunRecord};
use finches_engine::play::matches::{Match, MatchConditions, MatchPlayer};
use finches_engine::play::phenotype::Phenotype;
use finches_engine::play::pool::Pool;
use finches_engine::play::reference_player::ReferencePlayer;
use finches_engine::play::round_robin::{PairTally, tally};
use finches_engine::play::{Arena, held_out};
use finches_engine::search::CancelToken;
use finches_engine::session::measures::{accuracy, fitness};

use super::PopulationAnswer;
use super::match_matrix::MatchMatrix;

/// The most champions in a round robin.
const MAX_CHAMPIONS: usize = 12;

/// Positions that every pair plays, once from each side. All pairs play one position before any
/// plays the next, so that the matrix fills early and then gets more precise.
const OPENINGS: u32 = 8;

/// Games of each champion against each player outside of the run.
const OUTSIDE_GAMES: u32 = 2 * OPENINGS;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum RoundRobinState {
    #[default]
    Idle,
    Playing,
    Stopped,
    Done,
    /// Holds the reason.
    Failed(String),
}

/// A round robin and its results so far.
#[derive(Default)]
pub(super) struct ChampionRoundRobin {
    pub(super) state: RoundRobinState,
    pub(super) matrix: Option<MatchMatrix>,
    /// Known once all games are played.
    pub(super) standings: Option<Box<Standings>>,
}

/// What a round robin is for.
pub(super) struct RoundRobinRequest {
    pub(super) history: FitnessHistory,
    pub(super) seed: u64,
    /// After this time it is stopped.
    pub(super) limit: Option<Duration>,
}

/// What a finished round robin says about its champions.
pub(super) struct Standings {
    /// The generation of the newest champion.
    pub(super) generation: u64,
    pub(super) elo: Vec<f64>,
    pub(super) diagnosis: Diagnosis,
}

impl Standings {
    fn of(
        table: &CrossTable,
        held_out: &[f64],
        generation: u64,
        request: &RoundRobinRequest,
    ) -> Self {
        let history = &request.history;
        let pair = |players: [usize; 2]| PairScore {
            players,
            points: [players, [players[1], players[0]]].map(|[a, b]| table.results(a, b).points()),
        };
        let scores: Vec<PairScore> = table.pairs().map(pair).collect();
        let record = RunRecord {
            table,
            held_out,
            fitness: &history.levels,
            accuracy: history.accuracy,
        };
        Self {
            generation,
            elo: bradley_terry(table.len(), &scores).elo,
            diagnosis: Diagnosis::of(record, request.seed),
        }
    }
}

/// What the metrics of the run say about fitness so far.
#[derive(Clone, Default)]
pub(super) struct FitnessHistory {
    levels: Vec<FitnessLevels>,
    /// The latest share of positions in which the champion moves right, if it was measured.
    accuracy: Option<f64>,
}

impl FitnessHistory {
    /// Of a run as it is shown. Where a bucket holds several generations, their means are equal
    /// only if all members had the same fitness in each of them.
    pub(super) fn of(run: &RunModel) -> Self {
        let [best, mean] = [&fitness::BEST, &fitness::MEAN].map(|measure| run.buckets(measure));
        let levels = best.iter().zip(mean).filter_map(|(best, mean)| {
            Some(FitnessLevels {
                best: best.mean()?,
                mean: mean.mean()?,
            })
        });
        Self {
            levels: levels.collect(),
            accuracy: run.last(&accuracy::IN_STATES),
        }
    }
}

impl ChampionRoundRobin {
    pub(super) fn is_playing(&self) -> bool {
        self.state == RoundRobinState::Playing
    }

    pub(super) fn add(&mut self, tally: PairTally) {
        if let Some(matrix) = &mut self.matrix {
            matrix.table.add(&tally);
        }
    }

    /// Games played between champions, and games between them in all.
    pub(super) fn games(&self) -> (u64, u64) {
        let Some(matrix) = &self.matrix else {
            return (0, 0);
        };
        let count = matrix.len() as u64;
        let twice: u64 = (0..matrix.len())
            .map(|one| matrix.table.total(one).games())
            .sum();
        let pairs = count * count.saturating_sub(1) / 2;
        (twice / 2, pairs * 2 * u64::from(OPENINGS))
    }
}

/// Plays every pair from every position, and all champions against players outside of the run.
/// Fails if there are too few champions.
pub(super) fn play_all(
    champions: &Champions,
    request: &RoundRobinRequest,
    job: &Job<PopulationAnswer>,
) -> Result<PopulationAnswer, JobError> {
    let players = champions.spread(MAX_CHAMPIONS)?;
    if players.len() < 2 {
        let words = "at least two champions are needed; continue the run";
        return Err(JobError::Failed(words.to_owned()));
    }
    let (arena, genome) = (&champions.arena, &champions.preset.genome);
    let grown = |champion: &Arc<Champion>| {
        Arc::new(Phenotype::grown(genome, arena.io_spec(), &champion.genome))
    };
    let phenotypes: Vec<Arc<Phenotype>> = players.iter().map(grown).collect();
    let player = |phenotype: &Arc<Phenotype>| Arc::clone(arena).match_player(Arc::clone(phenotype));
    let match_players: Vec<MatchPlayer> = phenotypes.iter().map(player).collect();
    let generation = players.last().map_or(0, |newest| newest.generation);
    let cancel = job.token.with_limit(request.limit);
    let pool = Pool::new(1)?;
    let pairs = (0..players.len()).flat_map(|b| (0..b).map(move |a| [a, b]));
    let pairs: Vec<[usize; 2]> = pairs.collect();
    let mut table = CrossTable::new(players.len(), &[]);
    job.report(PopulationAnswer::Players(players));
    for opening in 0..OPENINGS {
        for (place, &[a, b]) in pairs.iter().enumerate() {
            let conditions = MatchConditions {
                key: u64::from(opening) * pairs.len() as u64 + place as u64,
                cancel: cancel.as_ref(),
                ..MatchConditions::new(request.seed)
            };
            let mut played = Vec::new();
            for players in [[a, b], [b, a]] {
                let game_match = [Match { players, opening }];
                let game = arena.play_matches(&pool, &match_players, &game_match, &conditions);
                // All champions come from one run, so only cancellation leaves a game unfinished.
                let Some(game) = game else {
                    return Ok(PopulationAnswer::AllPlayed(None));
                };
                played.extend(game);
            }
            let pair = PairTally {
                players: [a, b],
                tally: tally(&played),
            };
            table.add(&pair);
            job.report(PopulationAnswer::Played(pair));
        }
    }
    let standings = shares_outside(arena, &pool, &phenotypes, cancel.as_ref())
        .map(|held_out| Standings::of(&table, &held_out, generation, request));
    Ok(PopulationAnswer::AllPlayed(standings.map(Box::new)))
}

/// The mean share of each champion against the players outside of the run that look at most one
/// move ahead; `None` if the games were canceled.
fn shares_outside(
    arena: &Arc<dyn Arena>,
    pool: &Pool,
    champions: &[Arc<Phenotype>],
    cancel: &dyn CancelToken,
) -> Option<Vec<f64>> {
    let known = ReferencePlayer::all(arena.info().heuristics).into_iter();
    let able = known.filter(|other| arena.info().is_solved || !other.needs_oracle());
    let others: Vec<ReferencePlayer> = able.filter(|other| other.is_quick()).collect();
    let share = |champion: &Arc<Phenotype>| {
        let mut sum = 0.0;
        for &other in &others {
            let games = 0..OUTSIDE_GAMES;
            let tally = held_out::tally(arena, pool, champion, (other, games), cancel)?;
            sum += tally.share().unwrap_or(0.0);
        }
        Some(sum / others.len() as f64)
    };
    champions.iter().map(share).collect()
}
