//! Hints: the oracle's best moves if there is an oracle, else the champion's choice.

use finches_engine::games::Side;

use super::{PlayMessage, PlayScreen};

/// What a hint says in a lost position.
const LOST: &str = "Every move loses here against best play.";

impl PlayScreen {
    pub(super) fn hint(&mut self) {
        if self.table.position().result.is_some() || self.is_champions_turn() {
            self.message = PlayMessage::Error("Hints are available on your turn.".to_owned());
            return;
        }
        let best = self.table.position().best_moves.clone();
        let words = if best.is_empty() && self.is_analyzing() {
            "The champion is still thinking; ask again.".to_owned()
        } else if best.is_empty() {
            self.hints = self.evaluations.chosen.iter().cloned().collect();
            match &self.evaluations.chosen {
                Some(word) => format!("The champion would play {word}."),
                None => "The champion would try an illegal move here.".to_owned(),
            }
        } else if best.len() == self.table.position().legal_moves.len() && best.len() > 1 {
            let equal = "All moves are equally good here.";
            if self.is_lost() { LOST } else { equal }.to_owned()
        } else {
            let few = first_few(&best);
            let words = if self.is_lost() {
                format!("{LOST} The oracle would try {few}.")
            } else {
                format!("Best moves according to the oracle: {few}.")
            };
            self.hints = best;
            words
        };
        self.message = PlayMessage::Info(words);
    }

    /// Whether the user loses under best play by both sides, as the oracle knows.
    fn is_lost(&self) -> bool {
        let lost = match self.human {
            Side::First => -1,
            Side::Second => 1,
        };
        self.table.position().best_result == Some(lost)
    }
}

/// At most six of the words.
fn first_few(words: &[String]) -> String {
    const MOST: usize = 6;
    let more = words.len().saturating_sub(MOST);
    let shown = words[..words.len() - more].join(", ");
    if more == 0 {
        shown
    } else {
        format!("{shown} and {more} more")
    }
}
