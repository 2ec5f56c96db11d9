//! Hints: the oracle's best moves where there is an oracle, else what the champion would do.

use super::{Message, PlayScreen};

impl PlayScreen {
    pub(super) fn hint(&mut self) {
        if self.table.result().is_some() || self.is_champions_turn() {
            self.message = Message::Bad("A hint is for your turn.".to_owned());
            return;
        }
        let best = self.table.hint();
        let words = if best.is_empty() && self.thinker.is_thinking() {
            "The champion is still thinking; ask again.".to_owned()
        } else if best.is_empty() {
            self.hints = self.thoughts.wanted.iter().cloned().collect();
            match &self.thoughts.wanted {
                Some(word) => format!("In your place the champion would play {word}."),
                None => "In your place the champion would try an illegal move.".to_owned(),
            }
        } else if best.len() == self.table.legal().len() && best.len() > 1 {
            "Every move is as good as any other here.".to_owned()
        } else {
            let words = format!("Best, by perfect play: {}.", some_of(&best));
            self.hints = best;
            words
        };
        self.message = Message::Plain(words);
    }
}

/// The first few of the words.
fn some_of(words: &[String]) -> String {
    const MOST: usize = 6;
    let more = words.len().saturating_sub(MOST);
    let shown = words[..words.len() - more].join(", ");
    if more == 0 {
        shown
    } else {
        format!("{shown} and {more} more")
    }
}
