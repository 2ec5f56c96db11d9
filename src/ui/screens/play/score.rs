//! Results of the games that a human plays.

use std::sync::Arc;

use crate::contest::Tally;
use crate::games::Side;
use crate::play::record::Verdict;
use crate::ui::model::played_game::PlayedGame;

use super::curve::GameCurve;
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
        let (you, it) = ("you".to_owned(), format!("g{}", opponent.generation));
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
        if let Some(turned) = self.turning_point(outcome)
            && let PlayMessage::Success(words) | PlayMessage::Error(words) = &mut self.message
        {
            *words = format!("{words} {turned}");
        }
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

    /// Makes the curve of the judged positions.
    pub(super) fn draw_curve(&mut self) {
        let result = self.table.result().unwrap_or_default();
        let range = self.table.score_range();
        self.curve = GameCurve::new(&self.judged, self.human, result, range);
    }

    /// The move that decided the game: the loser's last mistake. `None` if the oracle knows of none.
    fn turning_point(&self, outcome: PlayOutcome) -> Option<String> {
        let (loser, whose) = match outcome {
            PlayOutcome::HumanWins => (self.human.opponent(), "the champion's"),
            PlayOutcome::ChampionWins => (self.human, "your"),
            PlayOutcome::IllegalChampionMove | PlayOutcome::Draw => return None,
        };
        let history = self.table.history();
        let is_mistake = |(side, _, verdict): &(Side, String, Verdict)| {
            *side == loser && *verdict == Verdict::Mistake
        };
        let place = history.iter().rposition(is_mistake)?;
        let (_, text, _) = &history[place];
        Some(format!("Decided by {whose} move {}, {text}.", place + 1))
    }

    /// The result as a message.
    fn outcome_message(&self, outcome: PlayOutcome) -> PlayMessage {
        let goal = self.table.goal();
        let points = self.score_text();
        match outcome {
            PlayOutcome::HumanWins => PlayMessage::Success(format!("You win{points}: {goal}.")),
            PlayOutcome::IllegalChampionMove => {
                PlayMessage::Success("You win: the champion chose an illegal move.".to_owned())
            }
            PlayOutcome::ChampionWins => {
                PlayMessage::Error(format!("The champion wins{points}: {goal}."))
            }
            PlayOutcome::Draw => PlayMessage::Info(format!("A draw{points}.")),
        }
    }

    /// The points of the user and of the champion.
    pub(super) fn points(&self) -> [u16; 2] {
        let points = self.table.points();
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
