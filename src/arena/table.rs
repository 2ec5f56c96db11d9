//! A board at which a human plays: moves as text, undo, hints, and what a brain thinks of each move.

use std::fmt::Debug;
use std::sync::Arc;

use crate::agents::{Agent, Desk};
use crate::games::board::{Board, Room};
use crate::games::search::Hurry;
use crate::games::{Game, Side};
use crate::genomes::Brain;
use crate::rng::{Purpose, stream};

use super::record::{self, Record, Verdict};
use super::{Hall, written};

/// A position by where the game began and all moves since, which positions as text do not always tell in full.
#[derive(Clone, Debug)]
pub struct Line {
    start: Start,
    moves: Vec<String>,
}

#[derive(Clone, Debug)]
enum Start {
    /// The start of that number, drawn with the seed.
    Drawn {
        seed: u64,
        game: u64,
    },
    SetUp(String),
}

impl Line {
    /// The position after some moves from one that is written down.
    pub fn of(start: String, moves: Vec<String>) -> Self {
        Self {
            start: Start::SetUp(start),
            moves,
        }
    }
}

/// What a brain makes of a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thoughts {
    /// Each legal move with its value, in their order.
    pub opinions: Vec<(String, f32)>,
    /// The move it would make; `None` is an illegal one.
    pub wanted: Option<String>,
}

/// A game in progress, whatever its rules.
pub trait Table: Send {
    /// Begins a new game from the start numbered `index`.
    fn restart(&mut self, index: u64);

    /// Sets up a position written as [`Table::position`] does, and forgets the moves before.
    fn set_up(&mut self, position: &str) -> Result<(), String>;

    /// The position as text.
    fn position(&self) -> String;

    fn to_move(&self) -> Side;

    /// The legal moves as text, in their order; none once the game is over.
    fn legal(&self) -> Vec<String>;

    /// Whether the player to move can do nothing but pass.
    fn must_pass(&self) -> bool;

    /// 1, 0 or −1 for the first player once the game is over.
    fn result(&self) -> Option<i8>;

    /// Makes a move, or says what is wrong with it.
    fn play(&mut self, text: &str) -> Result<(), String>;

    /// Ends the game because the side to move wanted an illegal move.
    fn forfeit(&mut self);

    /// Takes the last move back; false where there is none.
    fn undo(&mut self) -> bool;

    /// The moves so far, each with its side and the oracle's verdict.
    fn history(&self) -> &[(Side, String, Verdict)];

    /// The position with the last move marked.
    fn board(&self, room: Room) -> Board;

    /// In how many stages the last move is shown; none where it is shown at once.
    fn stages(&self) -> usize;

    /// The last move while it has so many stages left.
    fn underway(&self, left: usize, room: Room) -> Board;

    /// The game as a record, once it is over; `names` are those of the first and the second player.
    fn record(&self, names: [String; 2]) -> Option<Record>;

    /// How the position came about.
    fn line(&self) -> Line;

    /// Sets up the position that came about so, at a table of the same game; or says why it can't.
    fn follow(&mut self, line: &Line) -> Result<(), String>;

    /// What the brain makes of the position. A search ends early once `hurry` is up.
    fn think(&self, brain: &dyn Brain, hurry: &Arc<dyn Hurry>) -> Thoughts;

    /// What the numbers of the opinions are.
    fn opinion_unit(&self) -> &'static str;

    /// The oracle's best moves; none where the game is not solved.
    fn hint(&self) -> Vec<String>;

    /// How a move is typed.
    fn move_help(&self) -> &'static str;

    /// Who wins, as a clause.
    fn goal(&self) -> &'static str;
}

/// A table in the hall of one game and agent.
pub(super) struct HumanTable<G: Game, A: Agent> {
    hall: Arc<Hall<G, A>>,
    seed: u64,
    start: Start,
    state: G::State,
    /// The positions and moves that led here.
    past: Vec<(G::State, G::Move)>,
    history: Vec<(Side, String, Verdict)>,
    forfeited: Option<Side>,
    /// The number of the game, by which what is left to chance in it differs from that in others.
    game: u64,
}

impl<G: Game + Debug, A: Agent + Debug> HumanTable<G, A> {
    pub(super) fn new(hall: Arc<Hall<G, A>>, seed: u64) -> Self {
        let state = hall.game.start(&mut stream(seed, Purpose::Sample, 0, 0));
        Self {
            hall,
            seed,
            start: Start::Drawn { seed, game: 0 },
            state,
            past: Vec::new(),
            history: Vec::new(),
            forfeited: None,
            game: 0,
        }
    }
}

impl<G: Game + Debug, A: Agent + Debug> Table for HumanTable<G, A> {
    fn restart(&mut self, index: u64) {
        self.game = index;
        self.start = Start::Drawn {
            seed: self.seed,
            game: index,
        };
        self.state = self
            .hall
            .game
            .start(&mut stream(self.seed, Purpose::Sample, 0, index));
        self.past.clear();
        self.history.clear();
        self.forfeited = None;
    }

    fn set_up(&mut self, position: &str) -> Result<(), String> {
        self.state = self.hall.game.parse_position(position)?;
        self.start = Start::SetUp(position.to_owned());
        self.past.clear();
        self.history.clear();
        self.forfeited = None;
        Ok(())
    }

    fn must_pass(&self) -> bool {
        let mut moves = Vec::new();
        self.hall.game.moves(&self.state, &mut moves);
        matches!(moves[..], [only] if self.hall.game.is_pass(only))
    }

    fn position(&self) -> String {
        self.hall.game.position_text(&self.state)
    }

    fn to_move(&self) -> Side {
        self.hall.game.to_move(&self.state)
    }

    fn legal(&self) -> Vec<String> {
        if self.result().is_some() {
            return Vec::new();
        }
        let mut moves = Vec::new();
        self.hall.game.moves(&self.state, &mut moves);
        moves
            .iter()
            .map(|&action| self.hall.game.move_text(action))
            .collect()
    }

    fn result(&self) -> Option<i8> {
        match self.forfeited {
            Some(Side::First) => Some(-1),
            Some(Side::Second) => Some(1),
            None => self
                .hall
                .game
                .outcome(&self.state)
                .map(|outcome| outcome.result_for(Side::First)),
        }
    }

    fn play(&mut self, text: &str) -> Result<(), String> {
        if self.result().is_some() {
            return Err("the game is over; start a new one".to_owned());
        }
        let game = &self.hall.game;
        let action = game.parse_move(&self.state, text)?;
        let verdict = record::verdict(&self.hall, &self.state, Some(action));
        self.history
            .push((self.to_move(), game.move_text(action), verdict));
        self.past.push((self.state.clone(), action));
        game.play(&mut self.state, action);
        Ok(())
    }

    fn forfeit(&mut self) {
        self.forfeited = Some(self.to_move());
    }

    fn undo(&mut self) -> bool {
        self.forfeited = None;
        let Some((state, _)) = self.past.pop() else {
            return false;
        };
        self.history.pop();
        self.state = state;
        true
    }

    fn history(&self) -> &[(Side, String, Verdict)] {
        &self.history
    }

    fn board(&self, room: Room) -> Board {
        self.underway(0, room)
    }

    fn stages(&self) -> usize {
        let last = self.past.last();
        last.map_or(0, |&(_, action)| self.hall.game.stages(action))
    }

    fn underway(&self, left: usize, room: Room) -> Board {
        let last = self.past.last().map(|(state, action)| (state, *action));
        record::draw(&self.hall.game, &self.state, last, left, room)
    }

    fn record(&self, names: [String; 2]) -> Option<Record> {
        let result = self.result()?;
        let past = self.past.iter();
        let mut plies: Vec<_> = past
            .map(|(state, action)| written::ply(&self.hall, state, *action))
            .collect();
        let wanted = self.forfeited;
        plies.extend(wanted.map(|side| written::illegal(side, self.position())));
        let start = plies.first()?.position.clone();
        Some(Record {
            names,
            start,
            plies,
            result,
        })
    }

    fn line(&self) -> Line {
        let moves = self.history.iter().map(|(_, word, _)| word.clone());
        Line {
            start: self.start.clone(),
            moves: moves.collect(),
        }
    }

    fn follow(&mut self, line: &Line) -> Result<(), String> {
        match &line.start {
            &Start::Drawn { seed, game } => {
                self.seed = seed;
                self.restart(game);
            }
            Start::SetUp(position) => self.set_up(position)?,
        }
        line.moves.iter().try_for_each(|word| self.play(word))
    }

    fn think(&self, brain: &dyn Brain, hurry: &Arc<dyn Hurry>) -> Thoughts {
        if self.result().is_some() {
            return Thoughts::default();
        }
        let game = &self.hall.game;
        let mut rng = stream(
            self.seed,
            Purpose::Chance,
            self.game,
            self.past.len() as u64,
        );
        let mut desk = Desk::hurried(game, hurry);
        let agent = &self.hall.agent;
        let (wanted, values) = agent.ponder(game, brain, &self.state, &mut desk, &mut rng);
        Thoughts {
            opinions: self.legal().into_iter().zip(values).collect(),
            wanted: wanted.map(|action| game.move_text(action)),
        }
    }

    fn opinion_unit(&self) -> &'static str {
        self.hall.agent.opinion_unit()
    }

    fn hint(&self) -> Vec<String> {
        let Some(oracle) = self
            .hall
            .oracle
            .as_ref()
            .filter(|_| self.result().is_none())
        else {
            return Vec::new();
        };
        let game = &self.hall.game;
        let mut best = Vec::new();
        oracle.judge(game, &self.state, &mut best);
        best.into_iter()
            .map(|action| game.move_text(action))
            .collect()
    }

    fn move_help(&self) -> &'static str {
        self.hall.game.move_help()
    }

    fn goal(&self) -> &'static str {
        self.hall.game.goal()
    }
}
