//! Training sets from the games of a reference player: the gain of its heuristic by each move.

use thiserror::Error;

use crate::agents::{AgentError, Workspace};
use crate::games::{Game, Side, StartKind};
use crate::genomes::learning::{LESSON_SEED, Lessons, LifetimeLearning};
use crate::genomes::replay::ReplayBuffer;
use crate::genomes::training_set::{TrainingExample, TrainingSet};
use crate::rng::{Purpose, stream};

use super::features::ReplayedMove;
use super::game_arena::GameArena;
use super::phenotype::Phenotype;
use super::pool::Pool;
use super::reference_player::{ReferenceBuffers, ReferencePlayer};
use super::self_play::SelfPlay;
use super::{Schedule, game_loop};

/// Why there is no training set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TrainingError {
    #[error(
        "can't be a teacher because it uses no heuristic; choose a reference player with a \
        heuristic"
    )]
    /// The teacher is not a heuristic player.
    NoHeuristic,
    /// The outputs of the agent's networks are not moves.
    #[error(transparent)]
    Agent(#[from] AgentError),
}

/// Games that are played again: what networks learn from, and what tells the styles of players
/// apart.
pub trait LearningData: Send + Sync {
    /// The encoded positions in which the player of `side` was to move in one game of a schedule.
    fn replay_buffer(&self, schedule: &Schedule<'_>, game: usize, side: Side) -> ReplayBuffer;

    /// What the players did in one game of a schedule, move by move.
    fn replayed_moves(&self, schedule: &Schedule<'_>, game: usize) -> Vec<ReplayedMove>;

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

    /// The examples of some games of a player against itself, one after the other.
    fn self_play(&self, pool: &Pool, player: &Phenotype, games: &SelfPlay<'_>) -> TrainingSet;
}

impl<G: Game> LearningData for GameArena<G> {
    fn replay_buffer(&self, schedule: &Schedule<'_>, game: usize, side: Side) -> ReplayBuffer {
        self.replay(schedule, game, side)
    }

    fn replayed_moves(&self, schedule: &Schedule<'_>, game: usize) -> Vec<ReplayedMove> {
        self.moves(schedule, game)
    }

    fn training_set(
        &self,
        teacher: ReferencePlayer,
        games: u32,
        seed: u64,
        set: u64,
    ) -> Result<TrainingSet, TrainingError> {
        collect(self, teacher, games, seed, set)
    }

    fn self_play(&self, pool: &Pool, player: &Phenotype, games: &SelfPlay<'_>) -> TrainingSet {
        self.examples_of_self_play(pool, player, games)
    }
}

/// What members learn before they play: the same for every run.
pub(super) fn lessons<G: Game>(
    arena: &GameArena<G>,
    learning: &LifetimeLearning,
) -> Result<Lessons, TrainingError> {
    let teacher = ReferencePlayer::named(&learning.teacher, arena.game.heuristics());
    let teacher = teacher.ok_or(TrainingError::NoHeuristic)?;
    Ok(Lessons {
        training_set: collect(arena, teacher, learning.games, LESSON_SEED, 0)?,
        learning: learning.clone(),
    })
}

/// Plays games of the teacher against the random player; the teacher moves first in every other
/// game. Each position in which the teacher is to move and some move has a positive gain is an
/// example.
fn collect<G: Game>(
    arena: &GameArena<G>,
    teacher: ReferencePlayer,
    games: u32,
    seed: u64,
    set: u64,
) -> Result<TrainingSet, TrainingError> {
    let ReferencePlayer::Heuristic { heuristic, .. } = teacher else {
        return Err(TrainingError::NoHeuristic);
    };
    let game = &arena.game;
    let (mut examples, mut buffers, mut workspace) = (
        TrainingSet::default(),
        ReferenceBuffers::default(),
        Workspace::new(game),
    );
    let (mut moves, mut gains, mut error) = (Vec::new(), Vec::new(), None);
    for index in 0..games {
        let mut rng = stream(seed, Purpose::Training, set, index.into());
        let start = game.start(StartKind::Game, &mut rng);
        let side = [game.to_move(&start), game.to_move(&start).opponent()][index as usize % 2];
        game_loop::play_game(game, start, |state| {
            if game.to_move(state) != side {
                let random = ReferencePlayer::Random;
                return Some(random.choose(game, None, state, &mut buffers, &mut rng));
            }
            moves.clear();
            game.moves(state, &mut moves);
            let now = game.evaluate(heuristic.into(), state, side);
            gains.clear();
            gains.extend(moves.iter().map(|&action| {
                let mut after = state.clone();
                game.play(&mut after, action);
                game.evaluate(heuristic.into(), &after, side) - now
            }));
            if gains.iter().any(|&gain| gain > 0.0) {
                match arena
                    .agent
                    .targets(game, state, &moves, &gains, &mut workspace)
                {
                    Ok(targets) => {
                        let inputs = arena.inputs(state, side);
                        examples.push(TrainingExample { inputs, targets });
                    }
                    Err(problem) => error = Some(problem),
                }
            }
            Some(teacher.choose(game, arena.oracle.as_deref(), state, &mut buffers, &mut rng))
        });
    }
    error.map_or(Ok(examples), |error| Err(error.into()))
}
