//! The players of one game: anything that chooses moves. Evolved and reference players are the ones
//! that come with the program.

use std::any::Any;
use std::sync::Arc;

use crate::agents::Workspace;
use crate::games::Game;
use crate::genomes::IoSpec;
use crate::rng::Stream;

use super::game_arena::GameArena;
use super::phenotype::Phenotype;
use super::reference_player::{ReferenceBuffers, ReferencePlayer};

/// Chooses the moves of one side in games of one kind.
pub trait Player<G: Game>: Send + Sync {
    /// Buffers that fit this player, for a match of `game`.
    fn buffers(&self, game: &G) -> PlayerBuffers<G> {
        PlayerBuffers::new(game)
    }

    /// Begins a game with number `number` of its list. By default nothing happens.
    fn begin(&self, _start: &G::State, _number: u64, _buffers: &mut PlayerBuffers<G>) {}

    /// Sees a move of either player; `state` is the position before it. By default nothing happens.
    fn observe(&self, _state: &G::State, _action: G::Move, _buffers: &mut PlayerBuffers<G>) {}

    /// Ends the game that began last. By default nothing happens.
    fn end(&self, _buffers: &mut PlayerBuffers<G>) {}

    /// The player's move; `None` is an illegal move, which loses the game. `buffers` are the
    /// player's own during a game.
    fn choose(
        &self,
        state: &G::State,
        buffers: &mut PlayerBuffers<G>,
        rng: &mut Stream,
    ) -> Option<G::Move>;
}

/// Buffers for choosing moves, reused from move to move and from game to game.
pub struct PlayerBuffers<G: Game> {
    /// Buffers of an agent.
    pub workspace: Workspace<G>,
    /// Buffers of a reference player.
    pub reference: ReferenceBuffers<G>,
    /// What a player of another module keeps during a game.
    pub own: Option<Box<dyn Any + Send>>,
}

impl<G: Game> PlayerBuffers<G> {
    /// Buffers for a game.
    pub fn new(game: &G) -> Self {
        Self {
            workspace: Workspace::new(game),
            reference: ReferenceBuffers::default(),
            own: None,
        }
    }
}

/// A player of an arena's own kind, borrowed for a game.
#[derive(Clone, Copy)]
pub enum PlayerRef<'a> {
    /// A network or table, which plays through the agent of the arena.
    Evolved(&'a Phenotype),
    /// A player that does not evolve.
    Reference(ReferencePlayer),
}

impl PlayerRef<'_> {
    /// As [`Phenotype::check`].
    pub(super) fn check(self, io_spec: &IoSpec) {
        if let Self::Evolved(player) = self {
            player.check(io_spec);
        }
    }
}

/// An evolved player, with the arena whose agent chooses its moves and encodes its inputs.
pub(super) struct EvolvedPlayer<G: Game> {
    pub arena: Arc<GameArena<G>>,
    pub phenotype: Arc<Phenotype>,
}

impl<G: Game> Player<G> for EvolvedPlayer<G> {
    /// Its network may see the game in another encoding than that of the match.
    fn buffers(&self, _game: &G) -> PlayerBuffers<G> {
        PlayerBuffers::new(&self.arena.game)
    }

    fn choose(
        &self,
        state: &G::State,
        buffers: &mut PlayerBuffers<G>,
        rng: &mut Stream,
    ) -> Option<G::Move> {
        let player = PlayerRef::Evolved(&self.phenotype);
        self.arena.choose_move(player, state, buffers, rng)
    }
}

/// A reference player, with the arena whose oracle it may need.
pub(super) struct ArenaReference<G: Game> {
    pub arena: Arc<GameArena<G>>,
    pub reference: ReferencePlayer,
}

impl<G: Game> Player<G> for ArenaReference<G> {
    fn choose(
        &self,
        state: &G::State,
        buffers: &mut PlayerBuffers<G>,
        rng: &mut Stream,
    ) -> Option<G::Move> {
        let player = PlayerRef::Reference(self.reference);
        self.arena.choose_move(player, state, buffers, rng)
    }
}
