//! Matches between players of any kind: brains of this arena or of another arena with the same rules, and reference players.

use std::any::Any;
use std::sync::Arc;

use rand::RngExt;

use super::reference_player::{ReferenceBuffers, ReferencePlayer};
use crate::agents::Workspace;
use crate::contest::GameResult;
use crate::games::Game;
use crate::rng::{Purpose, Stream, stream};
use crate::search::{CancelToken, NeverCancel};

use super::player::Player;
use super::pool::Pool;
use super::{GameArena, game_loop};

/// A player that can take part in any arena of the same game. Its type is hidden.
pub struct MatchPlayer(Box<dyn Any + Send + Sync>);

/// One game between two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// The indices of the players; the first one moves first.
    pub players: [usize; 2],
    /// Games with the same number start from the same position.
    pub opening: u32,
}

/// The conditions that a list of matches is played under.
#[derive(Clone, Copy)]
pub struct MatchConditions<'a> {
    pub seed: u64,
    /// Makes the random numbers of lists differ that share a seed and so their openings.
    pub key: u64,
    /// The number of the first game if a list is played in parts. Every game has its own random stream, by its number.
    pub first_game: u64,
    /// The probability of a random move, from 0 to 1, for both sides.
    pub noise: f64,
    /// Checked before every move. Once it is canceled, all games stop and their results are discarded.
    pub cancel: &'a dyn CancelToken,
}

impl MatchConditions<'_> {
    /// Matches from start positions of this seed, without random moves.
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            key: 0,
            first_game: 0,
            noise: 0.0,
            cancel: &NeverCancel,
        }
    }
}

/// A player of the game `G`.
trait TypedPlayer<G: Game>: Send + Sync {
    /// Prepares to play one game.
    fn start_game(&self) -> Box<dyn PlayerInGame<G> + '_>;
}

/// A player during a game.
trait PlayerInGame<G: Game> {
    /// The player's move; `None` is an illegal move, which loses the game.
    fn choose(&mut self, state: &G::State, rng: &mut Stream) -> Option<G::Move>;
}

/// A brain, with the arena whose agent chooses its moves and encodes its inputs.
struct TypedBrainPlayer<G: Game> {
    arena: Arc<GameArena<G>>,
    player: Arc<Player>,
}

impl<G: Game> TypedPlayer<G> for TypedBrainPlayer<G> {
    fn start_game(&self) -> Box<dyn PlayerInGame<G> + '_> {
        let workspace = Workspace::new(&self.arena.game);
        Box::new(TypedBrainPlayerInGame {
            player: self,
            workspace,
        })
    }
}

struct TypedBrainPlayerInGame<'a, G: Game> {
    player: &'a TypedBrainPlayer<G>,
    workspace: Workspace<G>,
}

impl<G: Game> PlayerInGame<G> for TypedBrainPlayerInGame<'_, G> {
    fn choose(&mut self, state: &G::State, rng: &mut Stream) -> Option<G::Move> {
        let TypedBrainPlayer { arena, player } = self.player;
        arena
            .agent
            .choose(&arena.game, player.brain(), state, &mut self.workspace, rng)
    }
}

/// A reference player, with the arena whose oracle it may need.
struct TypedReferencePlayer<G: Game> {
    arena: Arc<GameArena<G>>,
    reference: ReferencePlayer,
}

impl<G: Game> TypedPlayer<G> for TypedReferencePlayer<G> {
    fn start_game(&self) -> Box<dyn PlayerInGame<G> + '_> {
        Box::new(TypedReferencePlayerInGame {
            player: self,
            buffers: ReferenceBuffers::default(),
        })
    }
}

struct TypedReferencePlayerInGame<'a, G: Game> {
    player: &'a TypedReferencePlayer<G>,
    buffers: ReferenceBuffers<G>,
}

impl<G: Game> PlayerInGame<G> for TypedReferencePlayerInGame<'_, G> {
    fn choose(&mut self, state: &G::State, rng: &mut Stream) -> Option<G::Move> {
        let TypedReferencePlayer { arena, reference } = self.player;
        let (game, oracle) = (&arena.game, arena.oracle.as_deref());
        Some(reference.choose(game, oracle, state, &mut self.buffers, rng))
    }
}

/// The content of a [`MatchPlayer`] of game `G`.
type BoxedPlayer<G> = Box<dyn TypedPlayer<G>>;

impl MatchPlayer {
    pub(super) fn brain<G: Game>(arena: Arc<GameArena<G>>, player: Arc<Player>) -> Self {
        let typed: BoxedPlayer<G> = Box::new(TypedBrainPlayer { arena, player });
        Self(Box::new(typed))
    }

    pub(super) fn reference<G: Game>(arena: Arc<GameArena<G>>, reference: ReferencePlayer) -> Self {
        let typed: BoxedPlayer<G> = Box::new(TypedReferencePlayer { arena, reference });
        Self(Box::new(typed))
    }

    fn downcast<G: Game>(&self) -> Option<&BoxedPlayer<G>> {
        self.0.downcast_ref()
    }
}

/// Plays all matches in parallel; `None` if a player plays another game or the matches were halted.
pub(super) fn play<G: Game>(
    arena: &GameArena<G>,
    pool: &Pool,
    players: &[MatchPlayer],
    matches: &[Match],
    conditions: &MatchConditions<'_>,
) -> Option<Vec<GameResult>> {
    let typed: Option<Vec<&BoxedPlayer<G>>> = players.iter().map(MatchPlayer::downcast).collect();
    let typed = typed?;
    let play = |(): &mut (), index: usize| {
        let game = &matches[index];
        let players = game.players.map(|player| typed[player].as_ref());
        let mut rng = stream(
            conditions.seed,
            Purpose::MoveChoice,
            conditions.key,
            conditions.first_game + index as u64,
        );
        let mut start = stream(conditions.seed, Purpose::HeldOut, 0, game.opening.into());
        let start = arena.game.opening(&mut start);
        play_one(&arena.game, players, start, conditions, &mut rng)
    };
    let played = pool.map_with(matches.len(), || (), play);
    played.into_iter().collect()
}

/// Plays a game; `None` if it was halted.
fn play_one<G: Game>(
    game: &G,
    players: [&dyn TypedPlayer<G>; 2],
    start: G::State,
    conditions: &MatchConditions<'_>,
    rng: &mut Stream,
) -> Option<GameResult> {
    let MatchConditions { noise, cancel, .. } = *conditions;
    let mut in_game = players.map(TypedPlayer::start_game);
    let mut moves = Vec::new();
    let mut is_stopped = false;
    let played = game_loop::play_game(game, start, |state| {
        if cancel.is_canceled() {
            is_stopped = true;
            return None;
        }
        if noise > 0.0 && rng.random_bool(noise) {
            moves.clear();
            game.moves(state, &mut moves);
            return Some(moves[rng.random_range(0..moves.len())]);
        }
        in_game[game.to_move(state).index()].choose(state, rng)
    });
    (!is_stopped).then_some(played)
}
