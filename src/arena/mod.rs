//! Where games are played: whole schedules in parallel, single games to be shown, and gradings. The arena knows games,
//! agents and brains; it does not know how brains come about.

use std::fmt::Debug;
use std::ops::AddAssign;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::agents::{Agent, AgentConfig, Desk, Outlook, Policy, with_agent};
use crate::contest::{Pairing, Played};
use crate::games::board::{Board, Room};
use crate::games::oracle::Oracle;
use crate::games::reference::{Judge, Reference};
use crate::games::sheet::Sheet;
use crate::games::solver::Solved;
use crate::games::{Game, GameConfig, Playable, Shape, Side, with_game};
use crate::genomes::experience::Experience;
use crate::genomes::lessons::Lessons;
use crate::genomes::{Brain, Ports};
use crate::params::suggest;
use crate::rng::{Purpose, stream};

use self::decisions::Decision;
use self::meet::{Conditions, Contender, Meeting};
use self::player::Player;
use self::pool::{Pool, Slots};
use self::record::{Moment, Record};
use self::table::Table;

pub use self::written::Fault;

mod bout;
pub mod decisions;
mod grade;
pub mod league;
mod lessons;
pub mod meet;
pub mod player;
pub mod pool;
pub mod record;
mod schedule;
pub mod table;
pub mod versus;
mod written;

/// Games that belong together: who plays, from which streams, and whether to stop early.
pub struct Schedule<'a> {
    pub seed: u64,
    pub generation: u64,
    pub pairings: &'a [Pairing],
    /// The members of the population.
    pub members: &'a [Arc<Player>],
    /// The players of the hall of fame, by their place.
    pub famers: &'a [Arc<Player>],
    /// The reference players that members meet.
    pub references: &'a [Reference],
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

impl AddAssign for Tournament {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.wins += other.wins;
        self.moves += other.moves;
        self.good_moves += other.good_moves;
    }
}

/// A game with its agent, ready to play. All results are functions of the arguments.
pub trait Arena: Send + Sync {
    /// What a brain must take in and give out to play here.
    fn ports(&self) -> &Ports;

    /// Whether every position of the game is solved, so that moves can be judged.
    fn is_solved(&self) -> bool;

    /// Whether every position of the game is listed, so that all decisions of a player can be.
    fn is_listed(&self) -> bool;

    /// Plays the games of a schedule that have not been played yet, in parallel.
    fn play(&self, pool: &Pool, schedule: &Schedule<'_>, played: &mut Slots<Played>);

    /// What one of the players of a schedule was shown in one of its games: the positions in which it was to move, as it saw them.
    fn experience(&self, schedule: &Schedule<'_>, game: usize, side: Side) -> Experience;

    /// The share of positions with a choice in which the player's move is among the best; `None` where the game is not solved.
    fn accuracy(&self, player: &Player) -> Option<f64>;

    /// How many decisions of each player are wrong: positions that are won or could be drawn, given away. `None` where the
    /// game is not solved.
    fn wrong_decisions(&self, players: &[Arc<Player>]) -> Option<Vec<u32>>;

    /// What the player does in each position that is no end of the game, judged as [`Arena::wrong_decisions`] does; by their
    /// numbers where positions are numbered. `None` where the game is not solved.
    fn decisions(&self, player: &Player) -> Option<Vec<Decision>>;

    /// Two games against each opponent, one from each side, both from the same position.
    fn tournament(
        &self,
        champion: &Player,
        opponents: &[&Player],
        seed: u64,
        generation: u64,
    ) -> Tournament;

    /// The rules of thumb that make reference players of the game.
    fn judges(&self) -> &'static [Judge];

    /// What brains can be taught from games of a reference player. An error is a clause on why it teaches nothing.
    fn lessons(
        &self,
        teacher: Reference,
        games: u32,
        seed: u64,
        set: u64,
    ) -> Result<Lessons, String>;

    /// A player as one who can meet others.
    fn contender(self: Arc<Self>, player: Arc<Player>) -> Contender;

    /// A reference player as one who can meet others.
    fn reference(self: Arc<Self>, reference: Reference) -> Contender;

    /// Plays games between contenders, in parallel; a function of the arguments, whatever the pool. `None` where one of them
    /// comes from an arena of another game, or where the games were halted before the last was over.
    fn meet(
        &self,
        pool: &Pool,
        contenders: &[Contender],
        meetings: &[Meeting],
        conditions: &Conditions<'_>,
    ) -> Option<Vec<Played>>;

    /// Plays one game to be shown, with the oracle's verdict on each move.
    fn record(
        &self,
        guests: [Guest<'_>; 2],
        names: [String; 2],
        seed: u64,
        generation: u64,
        index: u64,
    ) -> Record;

    /// A moment of a recorded game, the last move marked.
    fn picture(&self, record: &Record, moment: Moment, room: Room) -> Board;

    /// In how many stages the last of `ply` moves of a recorded game is shown; none where it is shown at once.
    fn stages(&self, record: &Record, ply: usize) -> usize;

    /// Reads recorded games as runs keep them.
    fn read_games(&self, text: &str) -> Result<Vec<Record>, Fault>;

    /// A recorded game as players of it write it down, or what is wrong with it; `event` says where it comes from.
    fn transcript(&self, record: &Record, event: &str) -> Result<String, String>;

    /// The games of a transcript, with the oracle's verdict on each move.
    fn read_transcript(&self, text: &str) -> Result<Vec<Record>, String>;

    /// The ending of files of transcripts, without the dot.
    fn transcript_ending(&self) -> &'static str;

    /// How what a brain takes in lies on the board; none where it does not.
    fn sheets(&self) -> Vec<Sheet>;

    /// A position written as text as brains are shown it, seen by the side to move, which comes first. `None` where brains are
    /// told the numbers of positions, or where the text is none.
    fn sight(&self, position: &str) -> Option<(Side, Vec<f32>)>;

    /// A board at which a human can play.
    fn table(self: Arc<Self>, seed: u64) -> Box<dyn Table>;
}

/// What a brain must take in and give out for this game and agent, or why they do not go together.
pub fn ports(game: &GameConfig, agent: &AgentConfig) -> Result<Ports, String> {
    let shape: Shape = with_game!(game, config => config.build().shape());
    with_agent!(agent, agent => agent.ports(&shape))
}

/// The rules of thumb that make reference players of a game.
pub fn judges(game: &GameConfig) -> &'static [Judge] {
    with_game!(game, config => config.build().judges())
}

/// The reference player of a game by its name, or which there are.
pub fn reference(game: &GameConfig, name: &str) -> Result<Reference, String> {
    let judges = judges(game);
    Reference::named(name, judges).ok_or_else(|| {
        let names: Vec<String> = Reference::all(judges)
            .into_iter()
            .map(|reference| reference.name(judges))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        format!(
            "there is no reference player `{name}`; {}",
            suggest(name, &names)
        )
    })
}

/// Makes the arena for a game and an agent that go together.
pub fn build(game: &GameConfig, agent: &AgentConfig) -> Result<Arc<dyn Arena>, String> {
    with_game!(game, config => with_agent!(agent, agent => Hall::open(config.build(), agent.clone())))
}

/// The arena of one game and one agent.
struct Hall<G: Game, A: Agent> {
    game: G,
    agent: A,
    ports: Ports,
    /// Every position as numbers, and what it is worth, where they are few.
    small: Option<Small<G>>,
    /// Judges moves, where anyone can.
    oracle: Option<Arc<dyn Oracle<G>>>,
}

/// What is known of a game of few positions.
struct Small<G: Game> {
    outlook: Outlook<G>,
    solved: Arc<Solved<G>>,
}

impl<G: Game + Debug, A: Agent + Debug> Hall<G, A> {
    fn open(game: G, agent: A) -> Result<Arc<dyn Arena>, String> {
        let ports = agent.ports(&game.shape())?;
        let small = Solved::new(&game).map(|solved| Small {
            outlook: Outlook::new(&game, solved.graph.clone()),
            solved: Arc::new(solved),
        });
        let listed = small.as_ref();
        let listed = listed.map(|small| Arc::clone(&small.solved) as Arc<dyn Oracle<G>>);
        let oracle = game.oracle().or(listed);
        Ok(Arc::new(Self {
            game,
            agent,
            ports,
            small,
            oracle,
        }))
    }
}

impl<G: Game, A: Agent> Hall<G, A> {
    /// The position that all games with this opening begin from.
    fn opening(&self, purpose: Purpose, seed: u64, generation: u64, opening: u32) -> G::State {
        self.game
            .start(&mut stream(seed, purpose, generation, opening.into()))
    }

    /// A position as the network of a side takes it in, heavy features counting as the game has it.
    fn inputs(&self, state: &G::State, side: Side) -> Vec<f32> {
        let mut numbers = vec![0.0; self.ports.numbers()];
        self.game.encode(state, side, &mut numbers);
        self.ports.added_up(numbers)
    }

    /// The player's choice in every position.
    fn policy<'a>(&self, small: &Small<G>, player: &'a Player, desk: &mut Desk<G>) -> &'a Policy {
        player.policy(|brain| self.agent.policy(&self.game, &small.outlook, brain, desk))
    }
}

impl<G: Game + Debug, A: Agent + Debug> Arena for Hall<G, A> {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn is_solved(&self) -> bool {
        self.oracle
            .as_ref()
            .is_some_and(|oracle| oracle.knows_all())
    }

    fn is_listed(&self) -> bool {
        self.small.is_some()
    }

    fn play(&self, pool: &Pool, schedule: &Schedule<'_>, played: &mut Slots<Played>) {
        self.play_all(pool, schedule, played);
    }

    fn experience(&self, schedule: &Schedule<'_>, game: usize, side: Side) -> Experience {
        self.replay(schedule, game, side)
    }

    fn accuracy(&self, player: &Player) -> Option<f64> {
        let small = self.small.as_ref()?;
        let policy = self.policy(small, player, &mut Desk::new(&self.game));
        Some(grade::accuracy(&small.solved, policy))
    }

    fn wrong_decisions(&self, players: &[Arc<Player>]) -> Option<Vec<u32>> {
        let small = self.small.as_ref()?;
        let mut desk = Desk::new(&self.game);
        let wrong = |player: &Arc<Player>| {
            grade::wrong_decisions(&small.solved, self.policy(small, player, &mut desk))
        };
        Some(players.iter().map(wrong).collect())
    }

    fn decisions(&self, player: &Player) -> Option<Vec<Decision>> {
        let small = self.small.as_ref()?;
        let policy = self.policy(small, player, &mut Desk::new(&self.game));
        Some(decisions::all(self, small, policy))
    }

    fn tournament(
        &self,
        champion: &Player,
        opponents: &[&Player],
        seed: u64,
        generation: u64,
    ) -> Tournament {
        let mut total = Tournament::default();
        let mut desk = Desk::new(&self.game);
        for (index, opponent) in opponents.iter().enumerate() {
            let start = self.opening(Purpose::Tournament, seed, generation, index as u32);
            for side in [Side::First, Side::Second] {
                let mut seats = [champion, *opponent];
                if side == Side::Second {
                    seats.reverse();
                }
                let listed = self.small.as_ref().filter(|_| self.agent.is_certain());
                total += if let Some(small) = listed {
                    let policies = seats.map(|seat| self.policy(small, seat, &mut desk));
                    grade::tournament_walk(&self.game, &small.solved, policies, side, &start)
                } else {
                    let brains = seats.map(Player::brain);
                    let game = 2 * index as u64 + side.index() as u64;
                    let mut rng = stream(seed, Purpose::Tournament, generation, u64::MAX - game);
                    grade::tournament_game(self, brains, side, &start, &mut desk, &mut rng)
                };
            }
        }
        total
    }

    fn judges(&self) -> &'static [Judge] {
        self.game.judges()
    }

    fn lessons(
        &self,
        teacher: Reference,
        games: u32,
        seed: u64,
        set: u64,
    ) -> Result<Lessons, String> {
        lessons::collect(self, teacher, games, seed, set)
    }

    fn contender(self: Arc<Self>, player: Arc<Player>) -> Contender {
        Contender::evolved(self, player)
    }

    fn reference(self: Arc<Self>, reference: Reference) -> Contender {
        Contender::reference(self, reference)
    }

    fn meet(
        &self,
        pool: &Pool,
        contenders: &[Contender],
        meetings: &[Meeting],
        conditions: &Conditions<'_>,
    ) -> Option<Vec<Played>> {
        meet::play(self, pool, contenders, meetings, conditions)
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

    fn picture(&self, record: &Record, moment: Moment, room: Room) -> Board {
        record::picture(&self.game, record, moment, room)
    }

    fn stages(&self, record: &Record, ply: usize) -> usize {
        record::stages(&self.game, record, ply)
    }

    fn read_games(&self, text: &str) -> Result<Vec<Record>, Fault> {
        written::read(self, text)
    }

    fn transcript(&self, record: &Record, event: &str) -> Result<String, String> {
        written::transcript(&self.game, record, event)
    }

    fn read_transcript(&self, text: &str) -> Result<Vec<Record>, String> {
        written::transcripts(self, text)
    }

    fn transcript_ending(&self) -> &'static str {
        self.game.tags().ending
    }

    fn sheets(&self) -> Vec<Sheet> {
        self.game.sheets()
    }

    fn sight(&self, position: &str) -> Option<(Side, Vec<f32>)> {
        if !self.ports.choices.is_empty() {
            return None;
        }
        let state = self.game.parse_position(position).ok()?;
        let side = self.game.to_move(&state);
        let mut numbers = vec![0.0; self.ports.numbers()];
        self.game.encode(&state, side, &mut numbers);
        Some((side, numbers))
    }

    fn table(self: Arc<Self>, seed: u64) -> Box<dyn Table> {
        Box::new(table::HumanTable::new(self, seed))
    }
}
