//! Games between players of any kind: brains of this arena or of another one with the same rules, and reference players.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rand::RngExt;

use crate::agents::{Agent, Desk};
use crate::contest::Played;
use crate::games::Game;
use crate::games::reference::{Notes, Reference};
use crate::rng::{Purpose, Stream, stream};

use super::player::Player;
use super::pool::Pool;
use super::{Hall, bout};

/// Someone who can sit down wherever the same game is played; who it is only the arena knows.
pub struct Contender(Box<dyn Any + Send + Sync>);

/// One game between two of a list of contenders, by their places: the first moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    pub seats: [usize; 2],
    /// Games with the same number start from the same position.
    pub opening: u32,
}

/// What a set of games is played under.
#[derive(Clone, Copy, Debug)]
pub struct Conditions<'a> {
    pub seed: u64,
    /// Tells sets of games apart that share a seed and so their openings.
    pub key: u64,
    /// The number of the first game, where a set is played in parts: every game has dice of its own by its number.
    pub first: u64,
    /// The share of moves that both sides make at random.
    pub noise: f64,
    /// Once it is set, no further move is made, and the games come to nothing.
    pub halt: Option<&'a AtomicBool>,
}

/// A contender in a game of known rules.
trait Plays<G: Game>: Send + Sync {
    /// Takes its seat for a game.
    fn sit(&self) -> Box<dyn Sitter<G> + '_>;
}

/// A contender during a game.
trait Sitter<G: Game> {
    /// Its move, or `None` where it wants an illegal one that loses the game.
    fn choose(&mut self, state: &G::State, rng: &mut Stream) -> Option<G::Move>;
}

/// A brain with its agent, and the game as its agent shows it to the brain.
struct Evolved<G: Game, A: Agent> {
    hall: Arc<Hall<G, A>>,
    player: Arc<Player>,
}

impl<G: Game, A: Agent> Plays<G> for Evolved<G, A> {
    fn sit(&self) -> Box<dyn Sitter<G> + '_> {
        let desk = Desk::new(&self.hall.game);
        Box::new(EvolvedSitter { seat: self, desk })
    }
}

struct EvolvedSitter<'a, G: Game, A: Agent> {
    seat: &'a Evolved<G, A>,
    desk: Desk<G>,
}

impl<G: Game, A: Agent> Sitter<G> for EvolvedSitter<'_, G, A> {
    fn choose(&mut self, state: &G::State, rng: &mut Stream) -> Option<G::Move> {
        let Evolved { hall, player } = self.seat;
        hall.agent
            .choose(&hall.game, player.brain(), state, &mut self.desk, rng)
    }
}

/// A reference player, and the arena that knows the solved game.
struct Measure<G: Game, A: Agent> {
    hall: Arc<Hall<G, A>>,
    reference: Reference,
}

impl<G: Game, A: Agent> Plays<G> for Measure<G, A> {
    fn sit(&self) -> Box<dyn Sitter<G> + '_> {
        Box::new(MeasureSitter {
            seat: self,
            notes: Notes::default(),
        })
    }
}

struct MeasureSitter<'a, G: Game, A: Agent> {
    seat: &'a Measure<G, A>,
    notes: Notes<G>,
}

impl<G: Game, A: Agent> Sitter<G> for MeasureSitter<'_, G, A> {
    fn choose(&mut self, state: &G::State, rng: &mut Stream) -> Option<G::Move> {
        let Measure { hall, reference } = self.seat;
        let (game, oracle) = (&hall.game, hall.oracle.as_deref());
        Some(reference.choose(game, oracle, state, &mut self.notes, rng))
    }
}

/// What a contender of game `G` is inside.
type Inside<G> = Box<dyn Plays<G>>;

impl Contender {
    pub(super) fn evolved<G: Game + Debug, A: Agent + Debug>(
        hall: Arc<Hall<G, A>>,
        player: Arc<Player>,
    ) -> Self {
        let inside: Inside<G> = Box::new(Evolved { hall, player });
        Self(Box::new(inside))
    }

    pub(super) fn reference<G: Game + Debug, A: Agent + Debug>(
        hall: Arc<Hall<G, A>>,
        reference: Reference,
    ) -> Self {
        let inside: Inside<G> = Box::new(Measure { hall, reference });
        Self(Box::new(inside))
    }

    fn inside<G: Game>(&self) -> Option<&Inside<G>> {
        self.0.downcast_ref()
    }
}

/// Plays all meetings in parallel; `None` where one of the contenders plays another game, or where they were halted.
pub(super) fn play<G: Game, A: Agent>(
    hall: &Hall<G, A>,
    pool: &Pool,
    contenders: &[Contender],
    meetings: &[Meeting],
    conditions: &Conditions<'_>,
) -> Option<Vec<Played>> {
    let inside: Option<Vec<&Inside<G>>> = contenders.iter().map(Contender::inside).collect();
    let inside = inside?;
    let play = |(): &mut (), index: usize| {
        let meeting = &meetings[index];
        let seats = meeting.seats.map(|seat| inside[seat].as_ref());
        let mut rng = stream(
            conditions.seed,
            Purpose::Bout,
            conditions.key,
            conditions.first + index as u64,
        );
        let mut start = stream(conditions.seed, Purpose::HeldOut, 0, meeting.opening.into());
        let start = hall.game.opening(&mut start);
        game(&hall.game, seats, start, conditions, &mut rng)
    };
    let played = pool.map_with(meetings.len(), || (), play);
    played.into_iter().collect()
}

/// Plays a game; `None` where it was halted.
fn game<G: Game>(
    game: &G,
    seats: [&dyn Plays<G>; 2],
    start: G::State,
    conditions: &Conditions<'_>,
    rng: &mut Stream,
) -> Option<Played> {
    let Conditions { noise, halt, .. } = *conditions;
    let mut sitters = seats.map(Plays::sit);
    let mut moves = Vec::new();
    let mut is_halted = false;
    let played = bout::follow(game, start, |state| {
        if halt.is_some_and(|halt| halt.load(Ordering::Relaxed)) {
            is_halted = true;
            return None;
        }
        if noise > 0.0 && rng.random_bool(noise) {
            moves.clear();
            game.moves(state, &mut moves);
            return Some(moves[rng.random_range(0..moves.len())]);
        }
        sitters[game.to_move(state).index()].choose(state, rng)
    });
    (!is_halted).then_some(played)
}
