//! The champion's thinking on a thread of its own, so that the screen lives on however far ahead it looks. Whoever asks again
//! or leaves is done with the question before: its answer is dropped, and its thread soon ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::arena::Arena;
use crate::arena::table::{Line, Thoughts};
use crate::games::search::Hurry;
use crate::genomes::Brain;

/// A position to think about, and who thinks.
pub(super) struct Question {
    /// The game, and how the brain chooses moves in it.
    pub(super) arena: Arc<dyn Arena>,
    pub(super) brain: Arc<dyn Brain>,
    pub(super) line: Line,
    /// How long it may take at most, where that is limited.
    pub(super) limit: Option<Duration>,
}

/// The answer to the question of that number.
#[derive(Debug)]
pub struct Answer {
    number: u64,
    thoughts: Thoughts,
}

/// How long the human waits.
struct Patience {
    is_over: AtomicBool,
    deadline: Option<Instant>,
}

impl Patience {
    /// At most so long from now, where that is limited.
    fn until(limit: Option<Duration>) -> Self {
        Self {
            is_over: AtomicBool::new(false),
            deadline: limit.and_then(|limit| Instant::now().checked_add(limit)),
        }
    }
}

impl Hurry for Patience {
    fn is_up(&self) -> bool {
        let is_late = |deadline| Instant::now() >= deadline;
        self.is_over.load(Ordering::Relaxed) || self.deadline.is_some_and(is_late)
    }
}

/// Asks questions, one at a time.
pub(super) struct Thinker {
    out: Sender<Answer>,
    answers: Receiver<Answer>,
    asked: u64,
    /// Ends the thinking about the open question, where one is open.
    open: Option<Arc<Patience>>,
}

impl Thinker {
    pub(super) fn new() -> Self {
        let (out, answers) = unbounded();
        Self {
            out,
            answers,
            asked: 0,
            open: None,
        }
    }

    /// Where answers come in.
    pub(super) fn answers(&self) -> &Receiver<Answer> {
        &self.answers
    }

    pub(super) fn is_thinking(&self) -> bool {
        self.open.is_some()
    }

    /// Begins to think about a question instead of the one before.
    pub(super) fn ask(&mut self, question: Question) {
        self.forget();
        let patience = Arc::new(Patience::until(question.limit));
        self.open = Some(Arc::clone(&patience));
        let (number, out) = (self.asked, self.out.clone());
        thread::spawn(move || {
            let thoughts = question.think(patience);
            // Where nobody listens any more, nobody needs to know.
            let _ = out.send(Answer { number, thoughts });
        });
    }

    /// Asks for what has been found so far.
    pub(super) fn hasten(&self) {
        if let Some(patience) = &self.open {
            patience.is_over.store(true, Ordering::Relaxed);
        }
    }

    /// Gives the open question up.
    pub(super) fn forget(&mut self) {
        self.asked += 1;
        self.hasten();
        self.open = None;
    }

    /// The thoughts of an answer; none where it answers a question that has been given up.
    pub(super) fn take(&mut self, answer: Answer) -> Option<Thoughts> {
        let is_open = self.open.is_some() && answer.number == self.asked;
        is_open.then(|| {
            self.open = None;
            answer.thoughts
        })
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.forget();
    }
}

impl Question {
    /// Opinions come with the best first.
    fn think(self, patience: Arc<Patience>) -> Thoughts {
        let hurry: Arc<dyn Hurry> = patience;
        let mut table = self.arena.table(0);
        if table.follow(&self.line).is_err() {
            return Thoughts::default();
        }
        let mut thoughts = table.think(self.brain.as_ref(), &hurry);
        let known = |value: f32| {
            if value.is_nan() {
                f32::NEG_INFINITY
            } else {
                value
            }
        };
        thoughts
            .opinions
            .sort_by(|a, b| known(b.1).total_cmp(&known(a.1)));
        thoughts
    }
}
