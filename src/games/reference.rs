//! Players that are not evolved: yardsticks for those that are. A reference player knows the rules and, where it needs it,
//! the solved game or one of the game's rules of thumb.

use rand::RngExt;

use crate::rng::Stream;

use super::Game;
use super::oracle::Oracle;
use super::search::{Exact, Judgment, Reach, Search};

/// A rule of thumb of a game: what a position is worth, by a published or obvious formula. It makes a player at each of its
/// depths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judge {
    /// The name of the player that looks one move ahead; deeper ones have the depth behind it, as in `swh-3`.
    pub name: &'static str,
    /// What it goes by, in one line.
    pub about: &'static str,
    /// How many moves ahead its players look.
    pub depths: &'static [u8],
    /// The share of moves that both sides make at random when others are measured against the player at its first depth,
    /// without which two players that leave nothing to chance would play one game again and again; `None` where nobody is.
    pub measured: Option<f64>,
}

/// A player with a fixed strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference {
    /// Any legal move, all equally likely.
    Random,
    /// A best move of the solved game, all best moves equally likely.
    Perfect,
    /// A best move by a rule of thumb of the game, looking some moves ahead; all best moves equally likely.
    Judge {
        /// The place of the rule among the game's.
        judge: u8,
        depth: u8,
    },
}

/// What a reference player works with, reused from move to move.
#[derive(Debug)]
pub struct Notes<G: Game> {
    moves: Vec<G::Move>,
    values: Vec<f32>,
    search: Search<G>,
}

impl<G: Game> Default for Notes<G> {
    fn default() -> Self {
        Self {
            moves: Vec::new(),
            values: Vec::new(),
            search: Search::default(),
        }
    }
}

impl Reference {
    /// Every reference player of a game with these rules of thumb.
    pub fn all(judges: &[Judge]) -> Vec<Self> {
        let mut all = vec![Self::Random, Self::Perfect];
        for (judge, rule) in judges.iter().enumerate() {
            let judge = judge as u8;
            let players = rule.depths.iter();
            all.extend(players.map(|&depth| Self::Judge { judge, depth }));
        }
        all
    }

    /// The name on the command line.
    pub fn name(self, judges: &[Judge]) -> String {
        match self {
            Self::Random => "random".to_owned(),
            Self::Perfect => "perfect".to_owned(),
            Self::Judge { judge, depth: 1 } => judges[judge as usize].name.to_owned(),
            Self::Judge { judge, depth } => format!("{}-{depth}", judges[judge as usize].name),
        }
    }

    /// The player called `name`.
    pub fn named(name: &str, judges: &[Judge]) -> Option<Self> {
        let mut all = Self::all(judges).into_iter();
        all.find(|reference| reference.name(judges) == name)
    }

    /// Whether the player can only play a solved game.
    pub fn needs_solution(self) -> bool {
        self == Self::Perfect
    }

    /// Tells the players apart in the streams of their games.
    pub fn key(self) -> u64 {
        match self {
            Self::Random => 0,
            Self::Perfect => 1,
            Self::Judge { judge, depth } => 2 + u64::from(judge) * 256 + u64::from(depth),
        }
    }

    /// The share of moves that both sides make at random when others are measured against the player; `None` where nobody is.
    pub fn measured(self, judges: &[Judge]) -> Option<f64> {
        match self {
            Self::Random | Self::Perfect => Some(0.0),
            Self::Judge { judge, depth } => {
                let rule = &judges[judge as usize];
                rule.measured
                    .filter(|_| rule.depths.first() == Some(&depth))
            }
        }
    }

    /// Chooses a move. A perfect player moves at random where the oracle does not know the position.
    pub fn choose<G: Game>(
        self,
        game: &G,
        oracle: Option<&dyn Oracle<G>>,
        state: &G::State,
        notes: &mut Notes<G>,
        rng: &mut Stream,
    ) -> G::Move {
        let oracle = oracle.filter(|_| self == Self::Perfect);
        if oracle
            .and_then(|oracle| oracle.judge(game, state, &mut notes.moves))
            .is_none()
        {
            notes.moves.clear();
            game.moves(state, &mut notes.moves);
        }
        if let Self::Judge { judge, depth } = self {
            keep_best(game, state, judge as usize, depth, notes);
        }
        notes.moves[rng.random_range(0..notes.moves.len())]
    }
}

/// Leaves only the best moves by a rule of thumb.
fn keep_best<G: Game>(game: &G, state: &G::State, judge: usize, depth: u8, notes: &mut Notes<G>) {
    let Notes {
        moves,
        values,
        search,
    } = notes;
    let mut rule = Rule(judge);
    let how = (Reach::moves(depth), Exact::Best);
    search.values(game, state, moves, how, &mut rule, values);
    let best = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut worth = values.iter();
    moves.retain(|_| worth.next() == Some(&best));
}

/// One of the game's rules of thumb.
struct Rule(usize);

impl<G: Game> Judgment<G> for Rule {
    fn value(&mut self, game: &G, state: &G::State, moves: &[G::Move], out: &mut Vec<f32>) {
        let side = game.to_move(state);
        out.clear();
        out.extend(moves.iter().map(|&action| {
            let mut after = state.clone();
            game.play(&mut after, action);
            game.appraise(self.0, &after, side)
        }));
    }
}
