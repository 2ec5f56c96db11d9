//! Replay buffers: the inputs of members in their games, for safe mutation and safe crossover. A
//! team plays some of these games again.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use crate::contest::{GameResult, Pairing, Seat};
use crate::evolution::EvolutionConfig;
use crate::evolution::breeding::ReplayLookup;
use crate::evolution::divergence::ReplayedGames as Wanted;
use crate::games::Side;
use crate::genomes::replay::ReplayBuffer;
use crate::play::Schedule;

use super::Session;
use super::team::{self, GamesRequest, SharedWork, TeamPlayer, WorkRequest, WorkResults};

/// The members' games of a generation, if an operator looks back at them.
#[derive(Clone, Debug, Default)]
pub(super) struct ReplayedGames {
    pairings: Vec<Pairing>,
    /// The results for the first seat: 1, 0 or −1.
    results: Vec<i8>,
}

impl ReplayedGames {
    /// These games, or none if no operator needs them.
    pub(super) fn of(
        evolution: &EvolutionConfig,
        pairings: &[Pairing],
        played: &[GameResult],
    ) -> Self {
        if evolution.replayed_games().next().is_none() {
            return Self::default();
        }
        Self {
            pairings: pairings.to_vec(),
            results: played.iter().map(|game| game.result).collect(),
        }
    }
}

/// The inputs of each member in one of its games, which is played again for them on demand.
pub(super) struct ReplayBuffers<'a> {
    session: &'a Session,
    games: &'a ReplayedGames,
    first: Vec<OnceLock<Arc<ReplayBuffer>>>,
    won: Vec<OnceLock<Arc<ReplayBuffer>>>,
}

impl<'a> ReplayBuffers<'a> {
    /// `None` if no operator needs them.
    pub(super) fn of(session: &'a Session, games: &'a ReplayedGames) -> Option<Self> {
        let unknown = || {
            (0..session.players.len())
                .map(|_| OnceLock::new())
                .collect()
        };
        let mut wanted = session.preset.evolution.replayed_games();
        wanted.next().map(|_| Self {
            session,
            games,
            first: unknown(),
            won: unknown(),
        })
    }

    /// The game of a member that is replayed, and its side.
    fn game(&self, member: usize, wanted: Wanted) -> Option<(usize, Side)> {
        let seat = Seat::Member(member as u32);
        let side = |pairing: &Pairing| match seat {
            own if own == pairing.first() => Some(Side::First),
            own if own == pairing.second() => Some(Side::Second),
            _ => None,
        };
        let all = self.games.pairings.iter().enumerate();
        let mut own = all.filter_map(|(game, pairing)| Some((game, side(pairing)?)));
        let won = |&(game, side): &(usize, Side)| match side {
            Side::First => self.games.results[game] > 0,
            Side::Second => self.games.results[game] < 0,
        };
        match wanted {
            Wanted::First => own.next(),
            Wanted::Won => own.clone().find(won).or_else(|| own.next()),
        }
    }

    /// Has a team, if there is one, play again the games that the offspring look back at. `breed`
    /// makes them once with empty buffers, to ask for these games: parents are chosen before that.
    /// A game that it does not ask for is played later, on demand.
    pub(super) fn share(&self, breed: impl FnOnce(&ReplayLookup<'_>)) {
        let Some(team) = team::team_of(self.session) else {
            return;
        };
        let wanted = [Wanted::First, Wanted::Won];
        let asked: Vec<[AtomicBool; 2]> = self.first.iter().map(|_| Default::default()).collect();
        breed(&|member, games| {
            asked[member][usize::from(games == Wanted::Won)].store(true, Ordering::Relaxed);
            Arc::default()
        });
        let asked = asked.iter().enumerate().flat_map(|(member, asked)| {
            let asked = wanted.into_iter().zip(asked);
            let asked = asked.filter(|(_, is_asked)| is_asked.load(Ordering::Relaxed));
            asked.map(move |(games, _)| (member, games))
        });
        let replayed = asked.filter_map(|(member, games)| {
            let (game, side) = self.game(member, games)?;
            Some((self.known(member, games), game, side))
        });
        team.work(&mut SharedReplays {
            buffers: self,
            replayed: replayed.collect(),
        });
    }

    /// The place of the replay buffer of a member.
    fn known(&self, member: usize, wanted: Wanted) -> &OnceLock<Arc<ReplayBuffer>> {
        match wanted {
            Wanted::First => &self.first[member],
            Wanted::Won => &self.won[member],
        }
    }

    /// The replay buffer of a member; empty if it has played no game.
    pub(super) fn buffer(&self, member: usize, wanted: Wanted) -> Arc<ReplayBuffer> {
        let find = || match self.game(member, wanted) {
            Some((game, side)) => Arc::new(self.replayed(game, side)),
            None => Arc::default(),
        };
        Arc::clone(self.known(member, wanted).get_or_init(find))
    }

    /// Plays a game again.
    fn replayed(&self, game: usize, side: Side) -> ReplayBuffer {
        let (never, uncounted) = (AtomicBool::new(false), AtomicU64::new(0));
        let schedule = Schedule {
            played: &uncounted,
            ..self.session.schedule(&self.games.pairings, &never)
        };
        self.session.arena.replay_buffer(&schedule, game, side)
    }
}

/// Games that are played again, one task for each.
struct SharedReplays<'a> {
    buffers: &'a ReplayBuffers<'a>,
    /// Where the replay buffer belongs, the game, and the side of the member.
    replayed: Vec<(&'a OnceLock<Arc<ReplayBuffer>>, usize, Side)>,
}

impl SharedWork for SharedReplays<'_> {
    fn kind(&self) -> u64 {
        u64::MAX - 1
    }

    fn count(&self) -> usize {
        self.replayed.len()
    }

    fn players(&self) -> Option<Vec<TeamPlayer<'_>>> {
        Some(team::current_players(self.buffers.session))
    }

    fn request(&self, part: Range<usize>) -> WorkRequest {
        let pairings = &self.buffers.games.pairings;
        let games = self.replayed[part].iter();
        let games = games.map(|&(_, game, side)| (game as u64, pairings[game], side));
        WorkRequest::Games(GamesRequest::replays(self.buffers.session, games.collect()))
    }

    fn place(&mut self, part: Range<usize>, results: WorkResults) {
        let WorkResults::Replays(replayed) = results else {
            unreachable!("a teammate answers what it was asked");
        };
        for ((known, ..), buffer) in self.replayed[part].iter().zip(replayed) {
            known.get_or_init(|| Arc::new(buffer));
        }
    }

    fn do_here(&mut self, part: Range<usize>) {
        let (buffers, replayed) = (self.buffers, &self.replayed[part.clone()]);
        let replay = |(): &mut (), index: usize| {
            let (_, game, side) = replayed[index];
            buffers.replayed(game, side)
        };
        let replayed = buffers.session.pool.map_with(replayed.len(), || (), replay);
        self.place(part, WorkResults::Replays(replayed));
    }
}
