//! Looks into champions on a thread of its own, so that neither a slow disk nor a large genome holds the screen up. Whoever
//! asks again is done with the question before.

use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::ui::screens::champions::{Champions, Wanted};

use super::portrait::Found;

/// A champion to be looked into.
pub(super) struct Question {
    pub(super) champions: Champions,
    pub(super) wanted: Wanted,
}

/// What was found, `None` where there is no such champion, or in words what kept it from being found.
type Outcome = Result<Option<Found>, String>;

/// The answer to the question of that number.
pub struct Finding {
    number: u64,
    wanted: Wanted,
    outcome: Outcome,
}

/// Asks questions, one at a time.
pub(super) struct Examiner {
    out: Sender<Finding>,
    findings: Receiver<Finding>,
    asked: u64,
    busy: bool,
}

impl Examiner {
    pub(super) fn new() -> Self {
        let (out, findings) = unbounded();
        Self {
            out,
            findings,
            asked: 0,
            busy: false,
        }
    }

    /// Where findings come in.
    pub(super) fn findings(&self) -> &Receiver<Finding> {
        &self.findings
    }

    pub(super) fn is_busy(&self) -> bool {
        self.busy
    }

    /// Begins with a question instead of the one before.
    pub(super) fn ask(&mut self, question: Question) {
        self.asked += 1;
        self.busy = true;
        let (number, out) = (self.asked, self.out.clone());
        thread::spawn(move || {
            let finding = Finding {
                number,
                wanted: question.wanted,
                outcome: question.answer(),
            };
            // Where nobody listens any more, nobody needs to know.
            let _ = out.send(finding);
        });
    }

    /// What an open question has come to, with what was wanted; none where it is another one's answer.
    pub(super) fn take(&mut self, finding: Finding) -> Option<(Wanted, Outcome)> {
        let is_open = self.busy && finding.number == self.asked;
        is_open.then(|| {
            self.busy = false;
            (finding.wanted, finding.outcome)
        })
    }
}

impl Question {
    fn answer(self) -> Outcome {
        let Some(champion) = self.champions.fetch(self.wanted)? else {
            return Ok(None);
        };
        let before = self.champions.before(&champion)?;
        Ok(Some(Found::new(&self.champions, champion, before)))
    }
}
