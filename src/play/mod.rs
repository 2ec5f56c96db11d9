//! Plays games: schedules in parallel, single games to be shown, and measurements of players. The arena knows games, agents and
//! brains, but not evolution.

use std::ops::AddAssign;
use std::sync::Arc;

use crate::agents::{Agent, AgentConfig, AgentFor, EncodedStates, Policy, Workspace, with_agent};
use crate::contest::{GameResult, Pairing};
use crate::games::board::{Board, MaxSize};
use crate::games::heuristic::Heuristic;
use crate::games::input_plane::InputPlane;
use crate::games::oracle::Oracle;
use crate::games::{Game, GameConfig, GameParams, GameShape, Side, with_game};
use crate::genomes::IoSpec;
use crate::genomes::replay::ReplayBuffer;
use crate::genomes::training_set::TrainingSet;
use crate::params::suggest;
use crate::rng::{Purpose, Stream, stream};
use crate::search::CancelToken;
use crate::search::solver::SolvedGame;

use self::decisions::Decision;
use self::interactive::InteractiveGame;
use self::matches::{Match, MatchConditions, MatchPlayer};
use self::phenotype::Phenotype;
use self::player::{ArenaReference, EvolvedPlayer, PlayerBuffers};
use self::pool::{Pool, Slots};
use self::record::{GameRecord, RecordMoment};
use self::reference_player::ReferencePlayer;

pub use self::player::PlayerRef;
pub use self::record_text::GameRecordError;

pub mod decisions;
mod evaluation;
mod game_loop;
pub mod held_out;
pub mod interactive;
pub mod match_setup;
pub mod matches;
pub mod phenotype;
pub mod player;
pub mod pool;
pub mod record;
mod record_text;
pub mod reference_player;
pub mod results;
pub mod round_robin;
mod schedule;
pub mod search_spec;
mod training;

/// The games of a generation and their players.
pub struct Schedule<'a> {
    pub seed: u64,
    pub generation: u64,
    pub pairings: &'a [Pairing],
    /// The members of the population.
    pub members: &'a [Arc<Phenotype>],
    /// The players of the hall of fame, in its order.
    pub hall_of_fame: &'a [Arc<Phenotype>],
    /// The reference players that members play against.
    pub references: &'a [ReferencePlayer],
    /// Checked between games. Once it is canceled, no further game starts.
    pub halt: &'a dyn CancelToken,
}

/// The result of the champion's games against earlier champions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TournamentResult {
    pub games: u32,
    pub wins: u32,
    /// The champion's moves.
    pub moves: u32,
    /// Those of its moves that are best by the oracle.
    pub good_moves: u32,
}

impl AddAssign for TournamentResult {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.wins += other.wins;
        self.moves += other.moves;
        self.good_moves += other.good_moves;
    }
}

/// A game with an agent, ready to play. All results depend on the arguments alone.
pub trait Arena: Send + Sync {
    /// The inputs and outputs that a brain needs to play here.
    fn ports(&self) -> &IoSpec;

    /// Whether an oracle knows the best moves in every position.
    fn is_solved(&self) -> bool;

    /// Whether all positions of the game are enumerated, so that all decisions of a player can be listed.
    fn is_enumerated(&self) -> bool;

    /// Plays the games of a schedule whose slots are empty, in parallel.
    fn play(&self, pool: &Pool, schedule: &Schedule<'_>, played: &mut Slots<GameResult>);

    /// The encoded positions in which the player of `side` was to move in one game of a schedule.
    fn replay_buffer(&self, schedule: &Schedule<'_>, game: usize, side: Side) -> ReplayBuffer;

    /// The share of positions with a choice in which the player's move is among the best, from 0 to 1; `None` if the positions of
    /// the game are not enumerated.
    fn accuracy(&self, player: &Phenotype) -> Option<f64>;

    /// The number of positions in which each player's move leads to a worse result than the best move. `None` if the positions of
    /// the game are not enumerated.
    fn wrong_decisions(&self, players: &[Arc<Phenotype>]) -> Option<Vec<u32>>;

    /// The player's decisions in all positions in which the game is not over, with their quality as in
    /// [`Arena::wrong_decisions`]. Numbered positions come in the order of their numbers. `None` if the positions of the game are
    /// not enumerated.
    fn decisions(&self, player: &Phenotype) -> Option<Vec<Decision>>;

    /// Plays two games against each opponent from the same position, with the sides swapped.
    fn tournament(
        &self,
        champion: &Phenotype,
        opponents: &[&Phenotype],
        seed: u64,
        generation: u64,
    ) -> TournamentResult;

    /// The heuristics of the game that reference players use.
    fn heuristics(&self) -> &'static [Heuristic];

    /// A training set from games of a reference player.
    ///
    /// # Errors
    ///
    /// A clause that says why the player can't be a teacher.
    fn training_set(
        &self,
        teacher: ReferencePlayer,
        games: u32,
        seed: u64,
        set: u64,
    ) -> Result<TrainingSet, String>;

    /// A player of this arena as a participant in matches.
    fn match_player(self: Arc<Self>, player: Arc<Phenotype>) -> MatchPlayer;

    /// A reference player as a participant in matches.
    fn reference_player(self: Arc<Self>, reference: ReferencePlayer) -> MatchPlayer;

    /// Plays matches in parallel. The results do not depend on the pool. `None` if a player comes from an arena of another game,
    /// or if the matches were halted before the last one was over.
    fn play_matches(
        &self,
        pool: &Pool,
        players: &[MatchPlayer],
        matches: &[Match],
        conditions: &MatchConditions<'_>,
    ) -> Option<Vec<GameResult>>;

    /// Plays one game and records it with the oracle's verdict on each move.
    fn play_record(
        &self,
        players: [PlayerRef<'_>; 2],
        names: [String; 2],
        seed: u64,
        generation: u64,
        index: u64,
    ) -> GameRecord;

    /// The board at a moment of a recorded game, with the last move marked.
    fn record_board(&self, record: &GameRecord, moment: RecordMoment, room: MaxSize) -> Board;

    /// The number of animation stages of move number `ply` of a recorded game, from 1; 0 if it is not animated.
    fn stages(&self, record: &GameRecord, ply: usize) -> usize;

    /// Reads recorded games in the format of run folders.
    fn read_records(&self, text: &str) -> Result<Vec<GameRecord>, GameRecordError>;

    /// A recorded game in the standard notation of the game. `event` is the name of the event in it.
    ///
    /// # Errors
    ///
    /// The first position or move of the record that is invalid.
    fn transcript(&self, record: &GameRecord, event: &str) -> Result<String, String>;

    /// Reads games in the standard notation of the game, and adds the oracle's verdict on each move.
    fn read_transcript(&self, text: &str) -> Result<Vec<GameRecord>, String>;

    /// The file extension of transcripts, without the dot.
    fn transcript_extension(&self) -> &'static str;

    /// The planes of a brain's inputs that map to squares of the board; empty if none do.
    fn input_planes(&self) -> Vec<InputPlane>;

    /// The side to move in a position, and the position encoded from its point of view. `None` if brains take the numbers of
    /// positions, or if the text is no position.
    fn encoded_position(&self, position: &str) -> Option<(Side, Vec<f32>)>;

    /// A game in progress that a human can play.
    fn interactive_game(self: Arc<Self>, seed: u64) -> Box<dyn InteractiveGame>;
}

/// The inputs and outputs that a brain needs for a game and an agent.
///
/// # Errors
///
/// The reason why the agent can't play the game.
pub fn ports(game: &GameConfig, agent: &AgentConfig) -> Result<IoSpec, String> {
    let shape: GameShape = with_game!(game, config => config.build().shape());
    with_agent!(agent, agent => agent.io_spec(&shape))
}

/// The heuristics of a game that reference players use.
pub fn heuristics(game: &GameConfig) -> &'static [Heuristic] {
    with_game!(game, config => config.build().heuristics())
}

/// Finds a reference player of a game by its name; the error lists the reference players of the game.
pub fn reference_by_name(game: &GameConfig, name: &str) -> Result<ReferencePlayer, String> {
    let all = heuristics(game);
    ReferencePlayer::named(name, all).ok_or_else(|| {
        let names: Vec<String> = ReferencePlayer::all(all)
            .into_iter()
            .map(|reference| reference.name(all))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        format!(
            "there is no reference player `{name}`; {}",
            suggest(name, &names)
        )
    })
}

/// Makes the arena of a game and an agent; the error says why the agent can't play the game.
pub fn build(game: &GameConfig, agent: &AgentConfig) -> Result<Arc<dyn Arena>, String> {
    with_game!(game, config => GameArena::new(config.build(), agent.build()))
}

/// The arena of one game and one agent.
struct GameArena<G: Game> {
    game: G,
    agent: Box<dyn AgentFor<G>>,
    ports: IoSpec,
    /// All positions, if they are few enough to enumerate.
    small: Option<SmallGame<G>>,
    /// Knows the best moves, if the game is solved.
    oracle: Option<Arc<dyn Oracle<G>>>,
}

/// A game of few positions: all positions encoded and solved.
struct SmallGame<G: Game> {
    encoded: EncodedStates<G>,
    solved: Arc<SolvedGame<G>>,
}

impl<G: Game> GameArena<G> {
    fn new(game: G, agent: Box<dyn AgentFor<G>>) -> Result<Arc<dyn Arena>, String> {
        let ports = agent.io_spec(&game.shape())?;
        let small = SolvedGame::new(&game).map(|solved| SmallGame {
            encoded: EncodedStates::new(&game, solved.graph.clone()),
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

impl<G: Game> GameArena<G> {
    /// The start position of all games with this opening.
    fn opening(&self, purpose: Purpose, seed: u64, generation: u64, opening: u32) -> G::State {
        self.game
            .start(&mut stream(seed, purpose, generation, opening.into()))
    }

    /// The move of a player; `None` if it chose an illegal one.
    fn choose_move(
        &self,
        player: PlayerRef<'_>,
        state: &G::State,
        buffers: &mut PlayerBuffers<G>,
        rng: &mut Stream,
    ) -> Option<G::Move> {
        let (game, workspace) = (&self.game, &mut buffers.workspace);
        match player {
            PlayerRef::Brain(brain) => self.agent.choose(game, brain, state, workspace, rng),
            PlayerRef::Reference(reference) => {
                let (oracle, buffers) = (self.oracle.as_deref(), &mut buffers.reference);
                Some(reference.choose(game, oracle, state, buffers, rng))
            }
        }
    }

    /// The inputs of the network of `side` in a position, with weighted inputs summed.
    fn inputs(&self, state: &G::State, side: Side) -> Vec<f32> {
        let mut numbers = vec![0.0; self.ports.raw_input_count()];
        self.game.encode(state, side, &mut numbers);
        self.ports.project(numbers)
    }

    /// The player's policy: its move in every position.
    fn policy<'a>(
        &self,
        small: &SmallGame<G>,
        player: &'a Phenotype,
        workspace: &mut Workspace<G>,
    ) -> &'a Policy {
        player.policy(|brain| {
            self.agent
                .policy(&self.game, &small.encoded, brain, workspace)
        })
    }
}

impl<G: Game> Arena for GameArena<G> {
    fn ports(&self) -> &IoSpec {
        &self.ports
    }

    fn is_solved(&self) -> bool {
        self.oracle
            .as_ref()
            .is_some_and(|oracle| oracle.is_complete())
    }

    fn is_enumerated(&self) -> bool {
        self.small.is_some()
    }

    fn play(&self, pool: &Pool, schedule: &Schedule<'_>, played: &mut Slots<GameResult>) {
        self.play_all(pool, schedule, played);
    }

    fn replay_buffer(&self, schedule: &Schedule<'_>, game: usize, side: Side) -> ReplayBuffer {
        self.replay(schedule, game, side)
    }

    fn accuracy(&self, player: &Phenotype) -> Option<f64> {
        let small = self.small.as_ref()?;
        let policy = self.policy(small, player, &mut Workspace::new(&self.game));
        Some(evaluation::accuracy(&small.solved, policy))
    }

    fn wrong_decisions(&self, players: &[Arc<Phenotype>]) -> Option<Vec<u32>> {
        let small = self.small.as_ref()?;
        let mut workspace = Workspace::new(&self.game);
        let wrong = |player: &Arc<Phenotype>| {
            evaluation::wrong_decisions(&small.solved, self.policy(small, player, &mut workspace))
        };
        Some(players.iter().map(wrong).collect())
    }

    fn decisions(&self, player: &Phenotype) -> Option<Vec<Decision>> {
        let small = self.small.as_ref()?;
        let policy = self.policy(small, player, &mut Workspace::new(&self.game));
        Some(decisions::all(self, small, policy))
    }

    fn tournament(
        &self,
        champion: &Phenotype,
        opponents: &[&Phenotype],
        seed: u64,
        generation: u64,
    ) -> TournamentResult {
        let mut total = TournamentResult::default();
        let mut workspace = Workspace::new(&self.game);
        for (index, opponent) in opponents.iter().enumerate() {
            let start = self.opening(Purpose::Tournament, seed, generation, index as u32);
            for side in [Side::First, Side::Second] {
                let mut players = [champion, *opponent];
                if side == Side::Second {
                    players.reverse();
                }
                let listed = self
                    .small
                    .as_ref()
                    .filter(|_| self.agent.is_deterministic());
                total += if let Some(small) = listed {
                    let policies = players.map(|player| self.policy(small, player, &mut workspace));
                    evaluation::tournament_walk(&self.game, &small.solved, policies, side, &start)
                } else {
                    let brains = players.map(Phenotype::brain);
                    let game = 2 * index as u64 + side.index() as u64;
                    let mut rng = stream(seed, Purpose::Tournament, generation, u64::MAX - game);
                    evaluation::tournament_game(
                        self,
                        brains,
                        side,
                        &start,
                        &mut workspace,
                        &mut rng,
                    )
                };
            }
        }
        total
    }

    fn heuristics(&self) -> &'static [Heuristic] {
        self.game.heuristics()
    }

    fn training_set(
        &self,
        teacher: ReferencePlayer,
        games: u32,
        seed: u64,
        set: u64,
    ) -> Result<TrainingSet, String> {
        training::collect(self, teacher, games, seed, set)
    }

    fn match_player(self: Arc<Self>, player: Arc<Phenotype>) -> MatchPlayer {
        MatchPlayer::new(EvolvedPlayer {
            arena: self,
            phenotype: player,
        })
    }

    fn reference_player(self: Arc<Self>, reference: ReferencePlayer) -> MatchPlayer {
        MatchPlayer::new(ArenaReference {
            arena: self,
            reference,
        })
    }

    fn play_matches(
        &self,
        pool: &Pool,
        players: &[MatchPlayer],
        matches: &[Match],
        conditions: &MatchConditions<'_>,
    ) -> Option<Vec<GameResult>> {
        matches::play(self, pool, players, matches, conditions)
    }

    fn play_record(
        &self,
        players: [PlayerRef<'_>; 2],
        names: [String; 2],
        seed: u64,
        generation: u64,
        index: u64,
    ) -> GameRecord {
        record::play(
            self,
            players,
            names,
            &mut stream(seed, Purpose::Sample, generation, index),
        )
    }

    fn record_board(&self, record: &GameRecord, moment: RecordMoment, room: MaxSize) -> Board {
        record::board_at(&self.game, record, moment, room)
    }

    fn stages(&self, record: &GameRecord, ply: usize) -> usize {
        record::stages(&self.game, record, ply)
    }

    fn read_records(&self, text: &str) -> Result<Vec<GameRecord>, GameRecordError> {
        record_text::read(self, text)
    }

    fn transcript(&self, record: &GameRecord, event: &str) -> Result<String, String> {
        record_text::transcript(&self.game, record, event)
    }

    fn read_transcript(&self, text: &str) -> Result<Vec<GameRecord>, String> {
        record_text::transcripts(self, text)
    }

    fn transcript_extension(&self) -> &'static str {
        self.game.transcript_format().extension
    }

    fn input_planes(&self) -> Vec<InputPlane> {
        self.game.input_planes()
    }

    fn encoded_position(&self, position: &str) -> Option<(Side, Vec<f32>)> {
        if !self.ports.choice_counts.is_empty() {
            return None;
        }
        let state = self.game.parse_position(position).ok()?;
        let side = self.game.to_move(&state);
        let mut numbers = vec![0.0; self.ports.raw_input_count()];
        self.game.encode(&state, side, &mut numbers);
        Some((side, numbers))
    }

    fn interactive_game(self: Arc<Self>, seed: u64) -> Box<dyn InteractiveGame> {
        Box::new(interactive::ArenaGame::new(self, seed))
    }
}
