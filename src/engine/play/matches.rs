//! Matches between players of any kind: those of this arena, of another arena with the same rules,
//! and players from elsewhere.

use std::any::Any;
use std::ops::Range;
use std::sync::Arc;

use rand::RngExt;

use crate::contest::GameResult;
use crate::games::{Game, StartKind};
use crate::params::choices;
use crate::rng::{Purpose, Stream, stream};
use crate::search::{CancelToken, NeverCancel};

use super::Arena;
use super::forfeits::ForfeitLog;
use super::game_arena::GameArena;
use super::game_loop;
use super::player::{Player, PlayerBuffers};
use super::pool::Pool;

/// A player that can take part in any arena of the same game. Its type is hidden.
pub struct MatchPlayer {
    typed: Box<dyn Any + Send + Sync>,
    /// The failures of an outside program.
    forfeits: Option<Arc<ForfeitLog>>,
}

/// One game between two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// The indices of the players; the first one moves first.
    pub players: [usize; 2],
    /// Games with the same number start from the same position.
    pub opening: u32,
}

/// Matches with their players, of which any part can be played, here or on another process.
pub struct MatchList {
    /// Where they are played.
    pub arena: Arc<dyn Arena>,
    /// The players, which fit the arena.
    pub players: Vec<MatchPlayer>,
    /// The games.
    pub matches: Vec<Match>,
    /// Their conditions; all games can be played.
    pub conditions: MatchConditions<'static>,
}

impl MatchList {
    /// Plays some of the matches, in parallel.
    ///
    /// # Panics
    ///
    /// If a player comes from an arena of another game.
    pub fn play(&self, pool: &Pool, part: Range<usize>) -> Vec<GameResult> {
        let conditions = MatchConditions {
            first_game: self.conditions.first_game + part.start as u64,
            ..self.conditions
        };
        let (players, matches) = (&self.players, &self.matches[part]);
        let played = (self.arena).play_matches(pool, players, matches, &conditions);
        played.expect("all players are of the same game")
    }

    /// Plays all matches, in parallel.
    pub fn play_all(&self, pool: &Pool) -> Vec<GameResult> {
        self.play(pool, 0..self.matches.len())
    }
}

/// The conditions that a list of matches is played under.
#[derive(Clone, Copy)]
pub struct MatchConditions<'a> {
    /// The seed of starting positions and random numbers.
    pub seed: u64,
    /// Makes the random numbers of lists differ that share a seed and so their openings.
    pub key: u64,
    /// The number of the first game if a list is played in parts. Every game has its own random
    /// stream, by its number.
    pub first_game: u64,
    /// The probability of a random move, from 0 to 1, for both sides.
    pub noise: f64,
    /// Where the games begin.
    pub openings: Openings,
    /// Checked before every move. Once it is canceled, all games stop and their results are
    /// discarded.
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
            openings: Openings::Varied,
            cancel: &NeverCancel,
        }
    }
}

choices! {
    /// Where games between players begin.
    pub enum Openings {
        /// After a few random moves, in games that begin with a fixed position.
        Varied = "varied",
        /// As the games for fitness do.
        Standard = "standard",
    }
}

/// The content of a [`MatchPlayer`] of game `G`.
type BoxedPlayer<G> = Box<dyn Player<G>>;

impl MatchPlayer {
    /// Any player of a game.
    pub fn new<G: Game>(player: impl Player<G> + 'static) -> Self {
        let typed: BoxedPlayer<G> = Box::new(player);
        Self {
            typed: Box::new(typed),
            forfeits: None,
        }
    }

    /// A player that can fail, such as an outside program. It writes its failures to the log. No
    /// further game starts once it is broken.
    pub fn fallible<G: Game>(player: impl Player<G> + 'static, forfeits: Arc<ForfeitLog>) -> Self {
        Self {
            forfeits: Some(forfeits),
            ..Self::new(player)
        }
    }

    /// The failures of an outside program; `None` for players that can't fail.
    pub fn forfeits(&self) -> Option<&ForfeitLog> {
        self.forfeits.as_deref()
    }

    fn downcast<G: Game>(&self) -> Option<&BoxedPlayer<G>> {
        self.typed.downcast_ref()
    }
}

/// The buffers of the players of the latest game on one thread, by the index of the player. A
/// player mostly plays many games in a row, and making buffers takes longer than a short game.
struct LatestBuffers<G: Game>(Vec<(usize, PlayerBuffers<G>)>);

impl<G: Game> LatestBuffers<G> {
    /// The player's buffers, to be handed back after the game, or new ones.
    fn take(&mut self, index: usize, player: &dyn Player<G>, game: &G) -> PlayerBuffers<G> {
        let known = self.0.iter().position(|&(owner, _)| owner == index);
        known.map_or_else(
            || player.buffers(game),
            |known| {
                let (_, mut buffers) = self.0.swap_remove(known);
                buffers.workspace.clear();
                buffers
            },
        )
    }

    /// Keeps the buffers of both players and drops all others.
    fn keep(&mut self, players: [usize; 2], buffers: [PlayerBuffers<G>; 2]) {
        self.0.clear();
        self.0.extend(players.into_iter().zip(buffers));
    }
}

/// Plays all matches in parallel; `None` if a player plays another game, the matches were canceled,
/// or an outside program is broken.
pub(super) fn play<G: Game>(
    arena: &GameArena<G>,
    pool: &Pool,
    players: &[MatchPlayer],
    matches: &[Match],
    conditions: &MatchConditions<'_>,
) -> Option<Vec<GameResult>> {
    let typed: Option<Vec<&BoxedPlayer<G>>> = players.iter().map(MatchPlayer::downcast).collect();
    let typed = typed?;
    let play = |latest: &mut LatestBuffers<G>, index: usize| {
        let is_broken = |player: &MatchPlayer| player.forfeits().is_some_and(ForfeitLog::is_broken);
        if players.iter().any(is_broken) {
            return None;
        }
        let game = &matches[index];
        let number = conditions.first_game + index as u64;
        let players = game.players.map(|player| typed[player].as_ref());
        let [first, second] = game.players;
        let mut buffers = [
            latest.take(first, players[0], &arena.game),
            latest.take(second, players[1], &arena.game),
        ];
        let mut rng = stream(conditions.seed, Purpose::MoveChoice, conditions.key, number);
        let mut start = stream(conditions.seed, Purpose::HeldOut, 0, game.opening.into());
        let start = match conditions.openings {
            Openings::Varied => arena.game.start(StartKind::Opening, &mut start),
            Openings::Standard => arena.game.start(StartKind::Game, &mut start),
        };
        for (player, buffers) in players.iter().zip(&mut buffers) {
            player.begin(&start, number, buffers);
        }
        let result = play_one(
            &arena.game,
            players,
            &mut buffers,
            start,
            conditions,
            &mut rng,
        );
        for (player, buffers) in players.iter().zip(&mut buffers) {
            player.end(buffers);
        }
        latest.keep(game.players, buffers);
        result
    };
    let played = pool.map_with(matches.len(), || LatestBuffers(Vec::new()), play);
    played.into_iter().collect()
}

/// Plays a game; `None` if it was canceled.
fn play_one<G: Game>(
    game: &G,
    players: [&dyn Player<G>; 2],
    buffers: &mut [PlayerBuffers<G>; 2],
    start: G::State,
    conditions: &MatchConditions<'_>,
    rng: &mut Stream,
) -> Option<GameResult> {
    let MatchConditions { noise, cancel, .. } = *conditions;
    let mut moves = Vec::new();
    let mut is_stopped = false;
    let played = game_loop::play_game(game, start, |state| {
        if cancel.is_canceled() {
            is_stopped = true;
            return None;
        }
        let action = if noise > 0.0 && rng.random_bool(noise) {
            moves.clear();
            game.moves(state, &mut moves);
            moves[rng.random_range(0..moves.len())]
        } else {
            let side = game.to_move(state).index();
            players[side].choose(state, &mut buffers[side], rng)?
        };
        for (player, buffers) in players.iter().zip(&mut *buffers) {
            player.observe(state, action, buffers);
        }
        Some(action)
    });
    (!is_stopped).then_some(played)
}
