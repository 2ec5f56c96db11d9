//! Plays the games of a schedule in parallel, move by move or by lookup in policies that were
//! computed beforehand.

use std::sync::atomic::{AtomicU64, Ordering};

use rand::RngExt;

use crate::agents::{Policy, Workspace};
use crate::contest::{GameResult, Pairing, Seat};
use crate::games::{Game, Side};
use crate::genomes::replay::ReplayBuffer;
use crate::rng::{Purpose, stream};
use crate::search::solver::StateGraph;

use super::features::ReplayedMove;
use super::game_arena::{GameArena, SmallGame};
use super::player::{PlayerBuffers, PlayerRef};
use super::pool::{Pool, Slots};
use super::reference_player::ReferencePlayer;
use super::{Schedule, game_loop};

/// What one thread keeps while it plays a part of a schedule by lookup. A game takes less time than
/// counting it in memory that threads share, so games are counted when the part is over.
struct LookupPart<'a> {
    /// The latest opening and its start position.
    last: Option<(u32, u32)>,
    games: u64,
    played: &'a AtomicU64,
}

impl<'a> LookupPart<'a> {
    fn new(played: &'a AtomicU64) -> Self {
        Self {
            last: None,
            games: 0,
            played,
        }
    }
}

impl Drop for LookupPart<'_> {
    fn drop(&mut self) {
        self.played.fetch_add(self.games, Ordering::Relaxed);
    }
}

/// The place of a player among the members, followed by the players of the hall of fame.
pub(super) fn place(seat: Seat, schedule: &Schedule<'_>) -> usize {
    match seat {
        Seat::Member(index) => index as usize,
        Seat::HallOfFame(index) => schedule.members.len() + index as usize,
        Seat::Reference(_) => unreachable!("reference players have no policy"),
    }
}

impl<G: Game> GameArena<G> {
    /// Plays the games whose slots are empty.
    pub(super) fn play_all(
        &self,
        pool: &Pool,
        schedule: &Schedule<'_>,
        played: &mut Slots<GameResult>,
    ) {
        match &self.small {
            Some(small) if self.prefers_policies(small, schedule) => {
                self.play_by_policy(small, pool, schedule, played);
            }
            _ => self.play_by_choosing(pool, schedule, played),
        }
    }

    /// The policies of the members, followed by those of the hall of fame.
    pub(super) fn policies<'a>(
        &self,
        small: &SmallGame<G>,
        pool: &Pool,
        schedule: &Schedule<'a>,
    ) -> Vec<&'a Policy> {
        let (some, others) = (schedule.members, schedule.hall_of_fame);
        pool.map_with(
            some.len() + others.len(),
            || Workspace::new(&self.game),
            |workspace, index| {
                let player = some.get(index);
                let player = player.unwrap_or_else(|| &others[index - some.len()]);
                self.policy(small, player, workspace)
            },
        )
    }

    /// Computes the policy of every player, then plays by lookup.
    fn play_by_policy(
        &self,
        small: &SmallGame<G>,
        pool: &Pool,
        schedule: &Schedule<'_>,
        played: &mut Slots<GameResult>,
    ) {
        let policies = self.policies(small, pool, schedule);
        let policy_of = |seat| policies[place(seat, schedule)];
        let graph = &small.encoded.graph;
        pool.fill(
            played,
            schedule.halt,
            game_loop::LANES,
            || LookupPart::new(schedule.played),
            |part: &mut LookupPart<'_>, first, slots| {
                let mut lane = |pairing: &Pairing| game_loop::Lane {
                    start: self.start(graph, schedule, pairing.opening, &mut part.last),
                    policies: [policy_of(pairing.first()), policy_of(pairing.second())],
                };
                let pairings = &schedule.pairings[first..first + slots.len()];
                // Lanes without a game of their own repeat the first game.
                let lanes =
                    std::array::from_fn(|index| lane(pairings.get(index).unwrap_or(&pairings[0])));
                let played = game_loop::play_by_lookup(graph, lanes);
                slots.copy_from_slice(&played[..slots.len()]);
                part.games += slots.len() as u64;
            },
        );
    }

    /// The index of a game's start position. `last` caches the latest opening, since games with the
    /// same opening mostly follow one another.
    pub(super) fn start(
        &self,
        graph: &StateGraph<G>,
        schedule: &Schedule<'_>,
        opening: u32,
        last: &mut Option<(u32, u32)>,
    ) -> u32 {
        if let Some((known, start)) = *last
            && known == opening
        {
            return start;
        }
        let (seed, generation) = (schedule.seed, schedule.generation);
        let state = self.opening(Purpose::Opening, seed, generation, opening);
        let start = graph
            .find(&self.game, &state)
            .expect("every start position is in the graph");
        *last = Some((opening, start));
        start
    }

    /// Plays by evaluating the brains at every move.
    fn play_by_choosing(
        &self,
        pool: &Pool,
        schedule: &Schedule<'_>,
        played: &mut Slots<GameResult>,
    ) {
        pool.fill(
            played,
            schedule.halt,
            1,
            || PlayerBuffers::new(&self.game),
            |buffers, index, slots| {
                slots[0] = self.play_one(schedule, index, buffers, |_, _| {});
                schedule.played.fetch_add(1, Ordering::Relaxed);
            },
        );
    }

    /// Plays one game by evaluating the brains at every move. `observe` sees each position with the
    /// move in it; `None` is an illegal one.
    fn play_one(
        &self,
        schedule: &Schedule<'_>,
        index: usize,
        buffers: &mut PlayerBuffers<G>,
        mut observe: impl FnMut(&G::State, Option<&G::Move>),
    ) -> GameResult {
        let player = |seat: Seat| match seat {
            Seat::Member(index) => PlayerRef::Evolved(&schedule.members[index as usize]),
            Seat::HallOfFame(index) => PlayerRef::Evolved(&schedule.hall_of_fame[index as usize]),
            Seat::Reference(index) => PlayerRef::Reference(schedule.references[index as usize]),
        };
        let (seed, generation) = (schedule.seed, schedule.generation);
        let pairing = &schedule.pairings[index];
        let start = self.opening(Purpose::Opening, seed, generation, pairing.opening);
        let players = [player(pairing.first()), player(pairing.second())];
        let number = schedule.first_game + index as u64;
        let mut rng = stream(seed, Purpose::Chance, generation, number);
        buffers.workspace.clear();
        game_loop::play_game(&self.game, start, |state| {
            let is_random = schedule.random_moves > 0.0 && rng.random_bool(schedule.random_moves);
            let player = if is_random {
                PlayerRef::Reference(ReferencePlayer::Random)
            } else {
                players[self.game.to_move(state).index()]
            };
            let action = self.choose_move(player, state, buffers, &mut rng);
            observe(state, action.as_ref());
            action
        })
    }

    /// The encoded positions in which the player of `side` was to move.
    pub(super) fn replay(&self, schedule: &Schedule<'_>, index: usize, side: Side) -> ReplayBuffer {
        let mut buffer = ReplayBuffer::default();
        let mut numbers = vec![0.0; self.info.io_spec.inputs.raw_count()];
        let mut buffers = PlayerBuffers::new(&self.game);
        self.play_one(schedule, index, &mut buffers, |state, _| {
            if self.game.to_move(state) == side {
                self.game.encode(state, side, &mut numbers);
                buffer.push(&numbers);
            }
        });
        buffer
    }

    /// What the players did in one game, move by move.
    pub(super) fn moves(&self, schedule: &Schedule<'_>, index: usize) -> Vec<ReplayedMove> {
        let (mut moves, mut legal) = (Vec::new(), Vec::new());
        let mut buffers = PlayerBuffers::new(&self.game);
        self.play_one(schedule, index, &mut buffers, |state, action| {
            legal.clear();
            self.game.moves(state, &mut legal);
            moves.push(ReplayedMove {
                side: self.game.to_move(state),
                legal: legal.len(),
                chosen: legal.iter().position(|legal| Some(legal) == action),
            });
        });
        moves
    }

    /// Whether to play by policies. They pay unless the game has far more positions than the games
    /// will reach. Random moves, and agents and reference players that choose at random, have no
    /// policy.
    fn prefers_policies(&self, small: &SmallGame<G>, schedule: &Schedule<'_>) -> bool {
        const POSITIONS_PER_GAME: usize = 8;
        let is_random = schedule.random_moves > 0.0 || !self.agent.is_deterministic();
        if is_random || !schedule.references.is_empty() {
            return false;
        }
        let positions = small.encoded.graph.len() * schedule.members.len();
        positions <= schedule.pairings.len() * POSITIONS_PER_GAME
    }
}
