//! Results of the games that a human plays.

use std::sync::Arc;

use crate::model::played_game::PlayedGame;
use finches_engine::contest::Tally;
use finches_engine::games::Side;
use finches_engine::play::record::Ply;

use super::curve::{CurveSource, GameCurve};
use super::{PlayMessage, PlayScreen, PlayTask};

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

/// The move that decided a game.
pub(super) struct TurningPoint<'a> {
    /// Counted from 1.
    pub(super) number: usize,
    pub(super) whose: &'static str,
    pub(super) text: &'a str,
}

impl TurningPoint<'_> {
    pub(super) fn sentence(&self) -> String {
        format!(
            "It turned with move {}, {} {}.",
            self.number, self.whose, self.text
        )
    }
}

impl PlayScreen {
    /// Takes the games finished since the last call.
    pub fn take_played(&mut self) -> Vec<PlayedGame> {
        std::mem::take(&mut self.played)
    }

    /// Records the finished game.
    fn record_game(&mut self) {
        let Some(opponent) = &self.opponent else {
            return;
        };
        let it = match &self.program {
            Some(program) => program.name.clone(),
            None => opponent.short_name(),
        };
        let you = "you".to_owned();
        let names = match self.human {
            Side::First => [you, it],
            Side::Second => [it, you],
        };
        if let Some(record) = self.table.record(names) {
            self.played.push(PlayedGame {
                record: Arc::new(record),
                champions: self.champions.clone(),
                seed: self.seed,
                generation: opponent.generation,
            });
        }
    }

    pub(super) fn finish_game(&mut self, outcome: PlayOutcome) {
        *outcome.counter(&mut self.score) += 1;
        self.record_game();
        self.outcome = Some(outcome);
        self.message = self.outcome_message(outcome);
    }

    /// Has the positions of a finished game judged; forgets those of the game before.
    pub(super) fn judge_game(&mut self) {
        self.judged.clear();
        self.curve = None;
        let request = self.analysis_request();
        match request.filter(|_| self.outcome.is_some()) {
            Some(request) => self.jobs.ask(PlayTask::Judge, |job| Ok(request.judge(job))),
            None => self.jobs.cancel(&PlayTask::Judge),
        }
    }

    /// Makes the curve of the judged positions. If the oracle has judged, the message names the move that decided the game.
    pub(super) fn draw_curve(&mut self) {
        let result = self.table.position().result.unwrap_or_default();
        let range = self.table.info().scores.range;
        self.curve = GameCurve::new(&self.judged, self.human, result, range);
        let message = self.outcome.map(|outcome| self.outcome_message(outcome));
        let is_exact = |curve: &GameCurve| curve.source == CurveSource::Oracle;
        if self.curve.as_ref().is_some_and(is_exact)
            && message.is_some_and(|message| message == self.message)
            && let Some(turned) = self.turning_point().map(|turn| turn.sentence())
            && let PlayMessage::Success(words) | PlayMessage::Error(words) = &mut self.message
        {
            *words = format!("{words} {turned}");
        }
    }

    /// The move with which the curve turned for good. `None` without a curve and if it did not turn.
    pub(super) fn turning_point(&self) -> Option<TurningPoint<'_>> {
        let number = self.curve.as_ref()?.turn?;
        let Ply { side, action, .. } = self.table.history().get(number - 1)?;
        let is_own = *side == self.human;
        Some(TurningPoint {
            number,
            whose: match self.program {
                _ if is_own => "your",
                Some(_) => "the program's",
                None => "the champion's",
            },
            text: action,
        })
    }

    /// The result as a message.
    fn outcome_message(&self, outcome: PlayOutcome) -> PlayMessage {
        let goal = self.table.info().goal;
        let points = self.score_text();
        match outcome {
            PlayOutcome::HumanWins => PlayMessage::Success(format!("You win{points}: {goal}.")),
            PlayOutcome::IllegalChampionMove => PlayMessage::Success(match &self.program {
                Some(program) => format!("You win: the program failed, {}.", program.failure),
                None => "You win: the champion chose an illegal move.".to_owned(),
            }),
            PlayOutcome::ChampionWins => {
                let kind = self.opponent_kind();
                PlayMessage::Error(format!("The {kind} wins{points}: {goal}."))
            }
            PlayOutcome::Draw => PlayMessage::Info(format!("A draw{points}.")),
        }
    }

    /// The points of the user and of the champion.
    pub(super) fn points(&self) -> [u16; 2] {
        let points = self.table.position().points;
        [self.human, self.human.opponent()].map(|side| points[side.index()])
    }

    /// The final points after a space, the winner's first, or nothing in a game that is only won or lost.
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
