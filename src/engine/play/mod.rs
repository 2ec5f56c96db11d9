//! Plays games: schedules in parallel, matches between players of any kind, single games to be
//! shown, and measurements of players. It knows games, agents and brains, but not evolution,
//! presets or saved runs.

use std::ops::AddAssign;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::agents::{Agent, AgentConfig, AgentError, with_agent};
use crate::contest::{GameResult, Pairing};
use crate::games::board::{Board, MaxSize};
use crate::games::heuristic::Heuristic;
use crate::games::input_plane::InputPlane;
use crate::games::{
    Encoding, GameConfig, GameParams, GameShape, Heuristics, Picture, Rules, with_game,
};
use crate::genomes::IoSpec;
use crate::genomes::learning::LifetimeLearning;
use crate::params::suggest;
use crate::search::CancelToken;

use self::game_arena::GameArena;
use self::interactive::InteractiveGame;
use self::match_setup::PlayerError;
use self::matches::{Match, MatchConditions, MatchPlayer};
use self::phenotype::Phenotype;
use self::pool::{Pool, Slots};
use self::reference_player::ReferencePlayer;

pub use self::judged::Judging;
pub use self::player::PlayerRef;
pub use self::record::GameRecords;
pub use self::record_text::GameRecordError;
pub use self::self_play::SelfPlay;
pub use self::training::{LearningData, TrainingError};

pub mod decisions;
mod evaluation;
pub mod features;
pub mod forfeits;
pub mod game_analysis;
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
pub mod score_scale;
pub mod search_spec;
mod self_play;
mod training;

/// The games of a generation and their players.
pub struct Schedule<'a> {
    /// The seed of the run.
    pub seed: u64,
    /// The generation; with the seed, it determines all random numbers.
    pub generation: u64,
    /// The number of the first game if a list is played in parts. Every game has its own random
    /// stream, by its number.
    pub first_game: u64,
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

/// What there is to know about a game and an agent without playing.
pub struct ArenaInfo {
    /// The inputs and outputs that a brain needs to play here.
    pub io_spec: IoSpec,
    /// Whether an oracle knows the best moves in every position.
    pub is_solved: bool,
    /// Whether all positions of the game are enumerated, so that all decisions of a player can be
    /// listed.
    pub is_enumerated: bool,
    /// The heuristics of the game that reference players use.
    pub heuristics: &'static [Heuristic],
    /// The planes of a brain's inputs that map to squares of the board; empty if none do.
    pub input_planes: Vec<InputPlane>,
    /// The position with everything in place, if the game also begins with other ones.
    pub usual_start: Option<String>,
    /// The goal of the game, as a clause.
    pub goal: &'static str,
    /// How to type a move.
    pub move_help: &'static str,
    /// The file extension of transcripts, without the dot.
    pub transcript_extension: &'static str,
    /// The scores of moves by the agent.
    pub scores: ScoreKind,
}

/// What the scores are that an agent gives to moves.
pub struct ScoreKind {
    /// Their meaning in a few words.
    pub unit: &'static str,
    /// The lowest and the highest possible score; `None` if there is no limit.
    pub range: Option<(f32, f32)>,
    /// Whether they are values of the positions after the moves, to the player that moves.
    pub are_values: bool,
}

/// A game with an agent, ready to play. All results depend on the arguments alone.
pub trait Arena: GameRecords + Judging + LearningData {
    /// The game and the agent.
    fn info(&self) -> &ArenaInfo;

    /// The inputs and outputs that a brain needs to play here.
    fn io_spec(&self) -> &IoSpec {
        &self.info().io_spec
    }

    /// Plays the games of a schedule whose slots are empty, in parallel.
    fn play(&self, pool: &Pool, schedule: &Schedule<'_>, played: &mut Slots<GameResult>);

    /// Plays two games against each opponent from the same position, with the sides swapped.
    fn tournament(
        &self,
        champion: &Phenotype,
        opponents: &[&Phenotype],
        seed: u64,
        generation: u64,
    ) -> TournamentResult;

    /// A player of this arena as a participant in matches.
    fn match_player(self: Arc<Self>, player: Arc<Phenotype>) -> MatchPlayer;

    /// A reference player as a participant in matches.
    fn reference_player(self: Arc<Self>, reference: ReferencePlayer) -> MatchPlayer;

    /// Plays matches in parallel. The results do not depend on the pool. `None` if a player comes
    /// from an arena of another game, or if the matches were canceled before the last one was over.
    fn play_matches(
        &self,
        pool: &Pool,
        players: &[MatchPlayer],
        matches: &[Match],
        conditions: &MatchConditions<'_>,
    ) -> Option<Vec<GameResult>>;

    /// A game in progress that a human can play.
    fn interactive_game(self: Arc<Self>, seed: u64) -> InteractiveGame;
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

/// Finds a reference player of a game by its name; the error lists the reference players of the
/// game.
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

/// The start position of a game with everything in place, drawn in at most `room`.
pub fn start_board(game: &GameConfig, room: MaxSize) -> Board {
    with_game!(game, config => {
        let game = config.build();
        game.board(&game.standard_start(), None, room)
    })
}

/// Makes the arena of a game and an agent; the error says why the agent can't play the game.
pub fn build(game: &GameConfig, agent: &AgentConfig) -> Result<Arc<dyn Arena>, AgentError> {
    let arena = build_with_lessons(game, agent, None);
    arena.map_err(|error| error.to_string().into())
}

/// Makes the arena of a game and an agent whose players learn before they play, if `learning` is
/// given.
pub fn build_with_lessons(
    game: &GameConfig,
    agent: &AgentConfig,
    learning: Option<&LifetimeLearning>,
) -> Result<Arc<dyn Arena>, TrainingError> {
    let title = game.title();
    with_game!(game, config => GameArena::open(config.build(), agent.build(), learning, &title))
}
