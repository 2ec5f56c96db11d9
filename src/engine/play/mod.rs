//! Plays games: schedules in parallel, matches between players of any kind, single games to be shown, and measurements of players.
//! It knows games, agents and brains, but not evolution, presets or saved runs.

use std::ops::AddAssign;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::agents::{Agent, AgentConfig, AgentError, with_agent};
use crate::contest::{GameResult, Pairing};
use crate::games::board::{Board, MaxSize};
use crate::games::heuristic::Heuristic;
use crate::games::input_plane::InputPlane;
use crate::games::{
    Encoding, GameConfig, GameParams, GameShape, Heuristics, NotationError, Picture, Rules, Side,
    with_game,
};
use crate::genomes::IoSpec;
use crate::genomes::learning::LifetimeLearning;
use crate::genomes::replay::ReplayBuffer;
use crate::genomes::training_set::TrainingSet;
use crate::params::suggest;
use crate::rng::{Purpose, stream};
use crate::search::CancelToken;

use self::decisions::Decision;
use self::game_arena::GameArena;
use self::interactive::InteractiveGame;
use self::match_setup::PlayerError;
use self::matches::{Match, MatchConditions, MatchPlayer};
use self::phenotype::Phenotype;
use self::pool::{Pool, Slots};
use self::record::{GameRecord, RecordMoment};
use self::reference_player::ReferencePlayer;

pub use self::player::PlayerRef;
pub use self::record_text::GameRecordError;
pub use self::training::TrainingError;

pub mod decisions;
mod evaluation;
pub mod forfeits;
mod game_arena;
mod game_loop;
pub mod health;
pub mod held_out;
pub mod interactive;
mod judged;
pub mod ladder;
pub mod levels;
pub mod match_setup;
pub mod matches;
pub mod move_evaluations;
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
    /// The seed of the run.
    pub seed: u64,
    /// The generation; with the seed, it determines all random numbers.
    pub generation: u64,
    /// The games to play, in the order of the results.
    pub pairings: &'a [Pairing],
    /// The members of the population.
    pub members: &'a [Arc<Phenotype>],
    /// The players of the hall of fame, in its order.
    pub hall_of_fame: &'a [Arc<Phenotype>],
    /// The reference players that members play against.
    pub references: &'a [ReferencePlayer],
    /// The share of moves that are random, for both sides; from 0 to 1.
    pub random_moves: f64,
    /// Checked between games. Once it is canceled, no further game starts.
    pub halt: &'a dyn CancelToken,
    /// Grows by the number of finished games.
    pub played: &'a AtomicU64,
}

/// The result of the champion's games against earlier champions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TournamentResult {
    /// Games played.
    pub games: u32,
    /// Games that the champion won.
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
    fn io_spec(&self) -> &IoSpec;

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

    /// The same share for a player that moves at random.
    fn chance_accuracy(&self) -> Option<f64>;

    /// The share of the positions that can be won in which a player's move wins: of all positions of the game if there are at most
    /// `most`, otherwise of so many random ones, always the same. `None` if no oracle knows them.
    fn share_won(&self, pool: &Pool, player: PlayerRef<'_>, most: u32) -> Option<f64>;

    /// Whether [`Arena::share_won`] takes all positions of the game rather than a sample.
    fn judges_all(&self, most: u32) -> bool;

    /// The number of positions that [`Arena::share_won`] takes.
    fn judged_count(&self, most: u32) -> usize;

    /// What [`Arena::share_won`] can be compared with, by name: random moves, the best constant move, and heuristics one move ahead.
    fn judged_baselines(&self, most: u32) -> Vec<(String, f64)>;

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
    ) -> Result<TrainingSet, TrainingError>;

    /// A player of this arena as a participant in matches.
    fn match_player(self: Arc<Self>, player: Arc<Phenotype>) -> MatchPlayer;

    /// A reference player as a participant in matches.
    fn reference_player(self: Arc<Self>, reference: ReferencePlayer) -> MatchPlayer;

    /// Plays matches in parallel. The results do not depend on the pool. `None` if a player comes from an arena of another game,
    /// or if the matches were canceled before the last one was over.
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
    fn transcript(&self, record: &GameRecord, event: &str) -> Result<String, NotationError>;

    /// Reads games in the standard notation of the game, and adds the oracle's verdict on each move.
    fn read_transcript(&self, text: &str) -> Result<Vec<GameRecord>, NotationError>;

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
pub fn io_spec(game: &GameConfig, agent: &AgentConfig) -> Result<IoSpec, AgentError> {
    let shape: GameShape = with_game!(game, config => config.build().shape());
    with_agent!(agent, agent => agent.io_spec(&shape))
}

/// The heuristics of a game that reference players use.
pub fn heuristics(game: &GameConfig) -> &'static [Heuristic] {
    with_game!(game, config => config.build().heuristics())
}

/// Finds a reference player of a game by its name; the error lists the reference players of the game.
pub fn reference_by_name(game: &GameConfig, name: &str) -> Result<ReferencePlayer, PlayerError> {
    let all = heuristics(game);
    ReferencePlayer::named(name, all).ok_or_else(|| {
        let names: Vec<String> = ReferencePlayer::all(all)
            .into_iter()
            .map(|reference| reference.name(all))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let advice = suggest(name, &names);
        PlayerError::Usage(format!("there is no reference player `{name}`; {advice}"))
    })
}

/// A start position of a game, drawn in at most `room`: of several possible ones, the one with the most moves.
pub fn start_board(game: &GameConfig, room: MaxSize) -> Board {
    const CANDIDATES: u64 = 32;
    with_game!(game, config => {
        let game = config.build();
        let starts = (0..CANDIDATES).map(|index| game.start(&mut stream(0, Purpose::Sample, 0, index)));
        let start = starts.max_by_key(|state| game.count_moves(state));
        start.map_or_else(|| Board::new(0, 0), |state| game.board(&state, None, room))
    })
}

/// Makes the arena of a game and an agent; the error says why the agent can't play the game.
pub fn build(game: &GameConfig, agent: &AgentConfig) -> Result<Arc<dyn Arena>, AgentError> {
    let arena = build_with_lessons(game, agent, None);
    arena.map_err(|error| error.to_string().into())
}

/// Makes the arena of a game and an agent whose players learn before they play, if `learning` is given.
pub fn build_with_lessons(
    game: &GameConfig,
    agent: &AgentConfig,
    learning: Option<&LifetimeLearning>,
) -> Result<Arc<dyn Arena>, TrainingError> {
    with_game!(game, config => GameArena::open(config.build(), agent.build(), learning))
}
