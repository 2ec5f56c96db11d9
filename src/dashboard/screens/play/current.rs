//! The game between the user and the opponent: its start, its position, the user's side and the
//! result. It knows no champions and draws nothing.

use std::sync::Arc;

use finches_engine::contest::Tally;
use finches_engine::games::{NotationError, Side};
use finches_engine::play::interactive::InteractiveGame;
use finches_engine::play::record::Verdict;
use finches_runs::run::RunInfo;

/// The game being played, or the finished one.
pub(super) struct CurrentGame {
    pub(super) game: InteractiveGame,
    pub(super) human: Side,
    /// The side whose pieces are at the bottom of a board that can be turned.
    bottom: Side,
    /// The side that the user wants in the next game; `None` for one that can win.
    pub(super) wanted_side: Option<Side>,
    /// `None` while the game is running.
    pub(super) outcome: Option<PlayOutcome>,
    pub(super) start: GameStart,
    /// The index of the start position among those that the game draws.
    pub(super) start_index: u64,
    /// Games started, this one included.
    pub(super) number: u32,
    pub(super) seed: u64,
    /// The user's latest move with what the oracle says of it, as a sentence, if it says anything.
    pub(super) verdict: String,
}

impl CurrentGame {
    /// The first game with the rules of a run.
    pub(super) fn new(facts: &RunInfo) -> Self {
        let game = Arc::clone(&facts.arena).interactive_game(facts.seed);
        let mut first = Self {
            start: GameStart::usual(&game),
            game,
            human: Side::Second,
            bottom: Side::Second,
            wanted_side: None,
            outcome: None,
            start_index: 0,
            number: 0,
            seed: facts.seed,
            verdict: String::new(),
        };
        first.begin();
        first
    }

    /// Begins the next game at the current start position.
    pub(super) fn begin(&mut self) {
        self.number += 1;
        self.verdict.clear();
        self.outcome = None;
        self.start.begin(&mut self.game, self.start_index);
        let next = match self.game.position().best_result {
            Some(1..) => Side::First,
            Some(..=-1) => Side::Second,
            // Sides alternate if neither is known to win.
            Some(0) | None => self.human.opponent(),
        };
        let side = self.wanted_side.take().unwrap_or(next);
        self.seat_human(side);
    }

    /// Gives the user a side, whose pieces are then at the bottom of the board.
    pub(super) fn seat_human(&mut self, side: Side) {
        self.human = side;
        if self.bottom != side {
            self.turn_board();
        }
    }

    /// Turns the board round. Returns whether that makes a difference.
    pub(super) fn turn_board(&mut self) -> bool {
        let is_turned = self.game.turn_board();
        if is_turned {
            self.bottom = self.bottom.opponent();
        }
        is_turned
    }

    /// Makes a move of the user, and says what the oracle thinks of it; the error says why it is
    /// not legal.
    pub(super) fn play(&mut self, text: &str) -> Result<(), NotationError> {
        let best = self.game.position().best_moves.first().cloned();
        self.game.play(text)?;
        let made = self.game.history().last().zip(best);
        self.verdict = made.map_or_else(String::new, |(ply, best)| {
            let words = match ply.verdict {
                Verdict::WinsByLess => {
                    format!("which still wins, but by less: {best} was best")
                }
                Verdict::Good => "the right move".to_owned(),
                Verdict::BestOfLost => "the best try, but every move loses here".to_owned(),
                Verdict::AllLose => "but every move loses here".to_owned(),
                Verdict::AllWin => "and every move wins here".to_owned(),
                Verdict::LostAnyway => "but no move saves this position".to_owned(),
                Verdict::Mistake => format!("a mistake: {best} was best"),
                _ => return String::new(),
            };
            format!("You played {}, {words}.", ply.action)
        });
        Ok(())
    }

    /// Whether a move has been made.
    pub(super) fn has_begun(&self) -> bool {
        !self.game.history().is_empty()
    }

    /// Whether the user has made a move.
    pub(super) fn has_moved(&self) -> bool {
        let mut plies = self.game.history().iter();
        plies.any(|ply| ply.side == self.human)
    }

    pub(super) fn is_over(&self) -> bool {
        self.game.position().result.is_some()
    }

    pub(super) fn is_champions_turn(&self) -> bool {
        !self.is_over() && self.game.position().to_move != self.human
    }

    /// How the game has ended under its rules, if it has.
    pub(super) fn ending(&self) -> Option<PlayOutcome> {
        Some(match self.human.result(self.game.position().result?) {
            0 => PlayOutcome::Draw,
            1.. => PlayOutcome::HumanWins,
            _ => PlayOutcome::ChampionWins,
        })
    }

    /// Whether the user loses under best play by both sides, as the oracle knows.
    pub(super) fn is_lost(&self) -> bool {
        let best = self.game.position().best_result;
        best.is_some_and(|result| self.human.result(result) == -1)
    }

    /// That it is the user's turn, and what limits it.
    pub(super) fn turn_text(&self) -> String {
        match self.game.position().obligation {
            Some(words) => format!("Your turn: {words}"),
            None => "Your turn".to_owned(),
        }
    }

    /// The points of the user and of the champion.
    pub(super) fn points(&self) -> [u16; 2] {
        let points = self.game.position().points;
        [self.human, self.human.opponent()].map(|side| points[side.index()])
    }

    /// The final points after a space, the winner's first, or nothing in a game that is only won
    /// or lost.
    pub(super) fn score_text(&self) -> String {
        let [you, champion] = self.points();
        let (most, least) = (you.max(champion), you.min(champion));
        if most > 1 {
            format!(" {most} : {least}")
        } else {
            String::new()
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlayOutcome {
    HumanWins,
    ChampionWins,
    /// The champion chose an illegal move, which loses.
    IllegalChampionMove,
    Draw,
}

impl PlayOutcome {
    /// The counter of an outcome, from the human's point of view.
    pub(super) fn counter(self, score: &mut Tally) -> &mut u64 {
        match self {
            Self::HumanWins | Self::IllegalChampionMove => &mut score.wins,
            Self::ChampionWins => &mut score.losses,
            Self::Draw => &mut score.draws,
        }
    }
}

/// Where games begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum GameStart {
    /// Where the game itself begins, which may be drawn anew for each game.
    Drawn,
    Position(String),
}

impl GameStart {
    /// The usual position if the game draws its starts, since many of them are short games.
    fn usual(game: &InteractiveGame) -> Self {
        let usual = game.info().usual_start.clone();
        usual.map_or(Self::Drawn, Self::Position)
    }

    /// Begins game number `index`.
    fn begin(&self, game: &mut InteractiveGame, index: u64) {
        game.restart(index);
        if let Self::Position(position) = self {
            // It was valid when it was chosen.
            let _ = game.set_position(position);
        }
    }
}
