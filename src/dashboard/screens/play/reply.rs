//! The champion's reply. It comes a moment after the user's move is fully shown, so that the user sees that move first.

use std::time::Duration;

use crate::model::animation::MoveAnimation;

use super::{PlayMessage, PlayOutcome, PlayScreen};

/// How long a move is shown before the champion replies.
pub(super) const REPLY_PAUSE: Duration = Duration::from_millis(400);

impl PlayScreen {
    /// Starts to show the last move, after which the champion waits before it replies.
    pub(super) fn show_move(&mut self) {
        self.animation = MoveAnimation::start(self.table.position().stages);
        self.pause = REPLY_PAUSE;
    }

    /// Shows the last move as a whole at once, and lets the champion reply.
    pub(super) fn skip_animation(&mut self) {
        self.animation = MoveAnimation::default();
        self.pause = Duration::ZERO;
    }

    /// Advances the animation, then the pause. Returns whether a frame or the reply is due.
    pub fn advance_animation(&mut self, passed: Duration) -> bool {
        if !self.animation.is_finished() {
            return self.animation.tick(passed);
        }
        let was_pausing = self.is_pausing();
        self.pause = self.pause.saturating_sub(passed);
        was_pausing && !self.is_pausing()
    }

    /// Time until the next step of the animation or the end of the pause.
    pub fn due(&self) -> Option<Duration> {
        let pause = self.is_pausing().then_some(self.pause);
        self.animation.time_to_change().or(pause)
    }

    fn is_pausing(&self) -> bool {
        self.is_champions_turn() && !self.pause.is_zero()
    }

    /// Makes the champion's move once it is ready, the last move has been shown and no question is open. Returns whether
    /// anything changed.
    pub fn tick(&mut self) -> bool {
        let is_shown = self.animation.is_finished() && self.pause.is_zero();
        let is_asking = matches!(self.message, PlayMessage::Question(_));
        if !self.is_champions_turn() || self.is_opponent_thinking() || !is_shown || is_asking {
            return false;
        }
        let Some(opponent) = &self.opponent else {
            return false;
        };
        let title = match self.program {
            Some(_) => "The program".to_owned(),
            None => opponent.title(),
        };
        let passes = self.table.position().must_pass;
        let chosen = self.opponents_move();
        let made = chosen.filter(|word| self.table.play(word).is_ok());
        if let Some(word) = made {
            let did = if passes {
                "has no move and passes".to_owned()
            } else {
                format!("played {word}")
            };
            self.message = PlayMessage::Info(format!("{title} {did}. {}", self.prompt()));
            self.position_changed();
            self.show_move();
        } else {
            self.table.forfeit();
            self.finish_game(PlayOutcome::IllegalChampionMove);
            self.position_changed();
        }
        true
    }
}
