//! The champion's thinking on a thread of its own, so that the screen lives on however far ahead it looks. Whoever asks again
//! or leaves is done with the question before: its answer is dropped, and its thread soon ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::arena::Arena;
use crate::genomes::{Brain, Scratch, Sight};

/// What the champion makes of the position.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Thoughts {
    /// Each legal move with its value, the best first.
    pub(super) opinions: Vec<(String, f32)>,
    /// The move it would make; `None` is an illegal one.
    pub(super) wanted: Option<String>,
}

/// A position to think about, and who thinks.
pub(super) struct Question {
    /// The game, and how the brain chooses moves in it.
    pub(super) arena: Arc<dyn Arena>,
    pub(super) brain: Arc<dyn Brain>,
    pub(super) position: String,
}

/// The answer to the question of that number.
#[derive(Debug)]
pub struct Answer {
    number: u64,
    thoughts: Thoughts,
}

/// Asks questions, one at a time.
pub(super) struct Thinker {
    out: Sender<Answer>,
    answers: Receiver<Answer>,
    asked: u64,
    /// Set to be done with the open question, where one is open.
    open: Option<Arc<AtomicBool>>,
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
        let stop = Arc::new(AtomicBool::new(false));
        self.open = Some(Arc::clone(&stop));
        let (number, out) = (self.asked, self.out.clone());
        thread::spawn(move || {
            let thoughts = question.think(&stop);
            // Where nobody listens any more, nobody needs to know.
            let _ = out.send(Answer { number, thoughts });
        });
    }

    /// Gives the open question up.
    pub(super) fn forget(&mut self) {
        self.asked += 1;
        if let Some(stop) = self.open.take() {
            stop.store(true, Ordering::Relaxed);
        }
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
    fn think(self, stop: &Arc<AtomicBool>) -> Thoughts {
        let outputs = self.arena.ports().outputs;
        let brain = Stoppable {
            brain: self.brain,
            outputs,
            stop: Arc::clone(stop),
        };
        let mut table = self.arena.table(0);
        if table.set_up(&self.position).is_err() {
            return Thoughts::default();
        }
        let wanted = table.choose(&brain);
        let mut opinions = table.opinions(&brain);
        let known = |value: f32| {
            if value.is_nan() {
                f32::NEG_INFINITY
            } else {
                value
            }
        };
        opinions.sort_by(|a, b| known(b.1).total_cmp(&known(a.1)));
        Thoughts { opinions, wanted }
    }
}

/// A brain that answers nothing but zeros once it is told to stop, so that a deep search comes to its end at once.
struct Stoppable {
    brain: Arc<dyn Brain>,
    outputs: usize,
    stop: Arc<AtomicBool>,
}

impl Brain for Stoppable {
    fn think(&self, sight: Sight<'_>, scratch: &mut Scratch, out: &mut Vec<f32>) {
        if self.stop.load(Ordering::Relaxed) {
            out.clear();
            out.resize(sight.ends.len() * self.outputs, 0.0);
        } else {
            self.brain.think(sight, scratch, out);
        }
    }
}
