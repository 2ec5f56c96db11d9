//! Where games are played: whole schedules in parallel, single games to be shown, and gradings. The arena knows games,
//! agents and brains; it does not know how brains come about.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::agents::{Agent, AgentConfig, Desk, Outlook, with_agent};
use crate::contest::{Pairing, Played, Seat};
use crate::games::board::{Board, Room};
use crate::games::reference::Reference;
use crate::games::solver::Solved;
use crate::games::{Game, GameConfig, Playable, Shape, Side, with_game};
use crate::genomes::{Brain, Ports};
use crate::rng::{Purpose, stream};

use self::pool::Pool;
use self::record::Record;
use self::table::Table;

mod bout;
mod grade;
pub mod pool;
pub mod record;
pub mod table;

/// Games that belong together: who plays, from which streams, and whether to stop early.
pub struct Schedule<'a> {
    pub seed: u64,
    pub generation: u64,
    pub pairings: &'a [Pairing],
    /// Members of the population, as many as `grow` can grow.
    pub members: usize,
    /// Grows the brain of a member.
    pub grow: &'a (dyn Fn(usize) -> Box<dyn Brain> + Sync),
    /// Brains of the archive, by their place.
    pub famers: &'a [Box<dyn Brain>],
    /// Checked between games: once set, the games not yet begun are left out.
    pub halt: &'a AtomicBool,
}

/// A player at a single board.
#[derive(Clone, Copy)]
pub enum Guest<'a> {
    Brain(&'a dyn Brain),
    Reference(Reference),
}

/// The champion's games against earlier champions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tournament {
    pub games: u32,
    pub wins: u32,
    /// The champion's moves, and those among them that the oracle approves of.
    pub moves: u32,
    pub good_moves: u32,
}

/// A game with its agent, ready to play. All results are functions of the arguments.
pub trait Arena: Send + Sync {
    /// What a brain must take in and give out to play here.
    fn ports(&self) -> Ports;

    /// Whether the game is solved, so that moves can be judged.
    fn is_solved(&self) -> bool;

    /// Plays the games of a schedule that have not been played yet, in parallel. Returns whether all are played now.
    fn play(&self, pool: &Pool, schedule: &Schedule<'_>, played: &mut [Option<Played>]) -> bool;

    /// The share of positions with a choice in which the brain's move is among the best; `None` where the game is not solved.
    fn accuracy(&self, brain: &dyn Brain) -> Option<f64>;

    /// Two games against each opponent, one from each side, both from the same position.
    fn tournament(
        &self,
        champion: &dyn Brain,
        opponents: &[&dyn Brain],
        seed: u64,
        generation: u64,
    ) -> Tournament;

    /// The brain's share of points in `games` held-out games, the same for every run; both sides from each position.
    fn versus(&self, brain: &dyn Brain, reference: Reference, games: u32) -> f64;

    /// Plays one game to be shown, with the oracle's verdict on each move.
    fn record(
        &self,
        guests: [Guest<'_>; 2],
        names: [String; 2],
        seed: u64,
        generation: u64,
        index: u64,
    ) -> Record;

    /// The position of a recorded game after `ply` moves, the last of them marked.
    fn picture(&self, record: &Record, ply: usize, room: Room) -> Board;

    /// A board at which a human can play.
    fn table(self: Arc<Self>, seed: u64) -> Box<dyn Table>;
}

/// What a brain must take in and give out for this game and agent, or why they do not go together.
pub fn ports(game: &GameConfig, agent: &AgentConfig) -> Result<Ports, String> {
    let shape: Shape = with_game!(game, config => config.build().shape());
    let outputs = with_agent!(agent, agent => agent.outputs(&shape))?;
    Ok(Ports {
        inputs: shape.inputs,
        outputs,
    })
}

/// Makes the arena for a game and an agent that go together.
pub fn build(game: &GameConfig, agent: &AgentConfig) -> Result<Arc<dyn Arena>, String> {
    with_game!(game, config => with_agent!(agent, agent => Hall::open(config.build(), agent.clone())))
}

/// The arena of one game and one agent.
#[derive(Debug)]
struct Hall<G: Game, A: Agent> {
    game: G,
    agent: A,
    ports: Ports,
    /// Both or neither: every position as numbers, and what it is worth.
    small: Option<Small<G>>,
}

/// What is known of a game small enough to be solved.
#[derive(Debug)]
struct Small<G: Game> {
    outlook: Outlook<G>,
    solved: Solved<G>,
}

impl<G: Game + Debug, A: Agent + Debug> Hall<G, A> {
    fn open(game: G, agent: A) -> Result<Arc<dyn Arena>, String> {
        let shape = game.shape();
        let ports = Ports {
            inputs: shape.inputs,
            outputs: agent.outputs(&shape)?,
        };
        let small = Solved::new(&game).map(|solved| Small {
            outlook: Outlook::new(&game, solved.graph.clone()),
            solved,
        });
        Ok(Arc::new(Self {
            game,
            agent,
            ports,
            small,
        }))
    }
}

impl<G: Game, A: Agent> Hall<G, A> {
    fn solved(&self) -> Option<&Solved<G>> {
        self.small.as_ref().map(|small| &small.solved)
    }

    /// The position that all games with this opening begin from.
    fn opening(&self, purpose: Purpose, seed: u64, generation: u64, opening: u32) -> G::State {
        self.game
            .start(&mut stream(seed, purpose, generation, opening.into()))
    }

    /// Plays by looking moves up: every member's choice in every position is worked out first.
    fn play_by_policy(
        &self,
        small: &Small<G>,
        pool: &Pool,
        schedule: &Schedule<'_>,
        played: &mut [Option<Played>],
    ) {
        let policy = |brain: &dyn Brain, desk: &mut Desk<G>| {
            self.agent.policy(&self.game, &small.outlook, brain, desk)
        };
        let members = pool.map_with(
            schedule.members,
            || Desk::new(&self.game),
            |desk, member| {
                let brain = (schedule.grow)(member);
                policy(brain.as_ref(), desk)
            },
        );
        let famers = pool.map_with(
            schedule.famers.len(),
            || Desk::new(&self.game),
            |desk, famer| policy(schedule.famers[famer].as_ref(), desk),
        );
        let policy_of = |seat: Seat| match seat {
            Seat::Member(index) => &members[index as usize],
            Seat::Famer(index) => &famers[index as usize],
        };
        let graph = &small.outlook.graph;
        pool.fill(
            played,
            schedule.halt,
            || None,
            |last: &mut Option<(u32, u32)>, index| {
                let pairing = &schedule.pairings[index];
                let start = match *last {
                    Some((opening, start)) if opening == pairing.opening => start,
                    _ => {
                        let state = self.opening(
                            Purpose::Opening,
                            schedule.seed,
                            schedule.generation,
                            pairing.opening,
                        );
                        let start = graph
                            .find(&self.game, &state)
                            .expect("every start is in the graph");
                        *last = Some((pairing.opening, start));
                        start
                    }
                };
                bout::walk(
                    graph,
                    start,
                    [policy_of(pairing.first), policy_of(pairing.second)],
                )
            },
        );
    }

    /// Plays by asking the brains at every move.
    fn play_by_thought(&self, pool: &Pool, schedule: &Schedule<'_>, played: &mut [Option<Played>]) {
        let brains = pool.map_with(
            schedule.members,
            || (),
            |(), member| (schedule.grow)(member),
        );
        let brain_of = |seat: Seat| match seat {
            Seat::Member(index) => brains[index as usize].as_ref(),
            Seat::Famer(index) => schedule.famers[index as usize].as_ref(),
        };
        pool.fill(
            played,
            schedule.halt,
            || Desk::new(&self.game),
            |desk, index| {
                let pairing = &schedule.pairings[index];
                let start = self.opening(
                    Purpose::Opening,
                    schedule.seed,
                    schedule.generation,
                    pairing.opening,
                );
                bout::duel(
                    &self.game,
                    &self.agent,
                    [brain_of(pairing.first), brain_of(pairing.second)],
                    start,
                    desk,
                )
            },
        );
    }

    /// Working out every choice beforehand pays unless there are far more positions than will be met.
    fn prefers_policies(small: &Small<G>, schedule: &Schedule<'_>) -> bool {
        const POSITIONS_PER_GAME: usize = 8;
        let positions = small.outlook.graph.len() * schedule.members;
        positions <= schedule.pairings.len() * POSITIONS_PER_GAME
    }
}

impl<G: Game + Debug, A: Agent + Debug> Arena for Hall<G, A> {
    fn ports(&self) -> Ports {
        self.ports
    }

    fn is_solved(&self) -> bool {
        self.small.is_some()
    }

    fn play(&self, pool: &Pool, schedule: &Schedule<'_>, played: &mut [Option<Played>]) -> bool {
        match &self.small {
            Some(small) if Self::prefers_policies(small, schedule) => {
                self.play_by_policy(small, pool, schedule, played);
            }
            _ => self.play_by_thought(pool, schedule, played),
        }
        played.iter().all(Option::is_some)
    }

    fn accuracy(&self, brain: &dyn Brain) -> Option<f64> {
        let small = self.small.as_ref()?;
        let policy = self.agent.policy(
            &self.game,
            &small.outlook,
            brain,
            &mut Desk::new(&self.game),
        );
        Some(grade::accuracy(&small.solved, &policy))
    }

    fn tournament(
        &self,
        champion: &dyn Brain,
        opponents: &[&dyn Brain],
        seed: u64,
        generation: u64,
    ) -> Tournament {
        let mut total = Tournament::default();
        let mut desk = Desk::new(&self.game);
        for (index, opponent) in opponents.iter().enumerate() {
            let start = self.opening(Purpose::Tournament, seed, generation, index as u32);
            grade::tournament_game(
                self,
                [champion, *opponent],
                Side::First,
                &start,
                &mut desk,
                &mut total,
            );
            grade::tournament_game(
                self,
                [*opponent, champion],
                Side::Second,
                &start,
                &mut desk,
                &mut total,
            );
        }
        total
    }

    fn versus(&self, brain: &dyn Brain, reference: Reference, games: u32) -> f64 {
        grade::versus(self, brain, reference, games)
    }

    fn record(
        &self,
        guests: [Guest<'_>; 2],
        names: [String; 2],
        seed: u64,
        generation: u64,
        index: u64,
    ) -> Record {
        record::play(
            self,
            guests,
            names,
            &mut stream(seed, Purpose::Sample, generation, index),
        )
    }

    fn picture(&self, record: &Record, ply: usize, room: Room) -> Board {
        record::picture(&self.game, record, ply, room)
    }

    fn table(self: Arc<Self>, seed: u64) -> Box<dyn Table> {
        Box::new(table::HumanTable::new(self, seed))
    }
}
