//! Looks into champions on a thread of its own, so that neither a slow disk nor a large genome holds the screen up. Whoever
//! asks again is done with the question before.

use std::path::PathBuf;
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::storage::export;
use crate::ui::screens::champions::{Champions, Wanted};
use crate::ui::screens::population::Exhibit;

use super::portrait::Found;

/// Someone to be looked into.
pub(super) struct Question {
    pub(super) champions: Champions,
    pub(super) subject: Subject,
}

/// Who is to be looked into.
pub(super) enum Subject {
    Wanted(Wanted),
    Given(Exhibit),
}

/// A network to be written to files.
pub(super) struct Export {
    pub(super) champions: Champions,
    pub(super) exhibit: Exhibit,
}

/// What was found, `None` where there is no such champion, or in words what kept it from being found.
type Outcome = Result<Option<Found>, String>;

/// What has come of the question or the order of that number.
pub struct Finding {
    number: u64,
    answer: Answer,
}

pub(super) enum Answer {
    /// What was found of the champion that was wanted, or of one that was given.
    Seen(Option<Wanted>, Outcome),
    /// The files that were written, or why none were.
    Written(Result<Vec<PathBuf>, String>),
}

/// Asks questions, one at a time, and has files written.
pub(super) struct Examiner {
    out: Sender<Finding>,
    findings: Receiver<Finding>,
    asked: u64,
    busy: bool,
    /// Orders to write that have not been carried out yet.
    writing: usize,
}

impl Examiner {
    pub(super) fn new() -> Self {
        let (out, findings) = unbounded();
        Self {
            out,
            findings,
            asked: 0,
            busy: false,
            writing: 0,
        }
    }

    /// Where findings come in.
    pub(super) fn findings(&self) -> &Receiver<Finding> {
        &self.findings
    }

    /// Whether a question is open.
    pub(super) fn is_busy(&self) -> bool {
        self.busy
    }

    /// Whether anything is still to come.
    pub(super) fn is_at_work(&self) -> bool {
        self.busy || self.writing > 0
    }

    /// Begins with a question instead of the one before.
    pub(super) fn ask(&mut self, question: Question) {
        self.asked += 1;
        self.busy = true;
        self.begin(|| question.answer());
    }

    /// Has a network written to files.
    pub(super) fn write(&mut self, export: Export) {
        self.writing += 1;
        self.begin(move || Answer::Written(export.write()));
    }

    fn begin(&self, work: impl FnOnce() -> Answer + Send + 'static) {
        let (number, out) = (self.asked, self.out.clone());
        thread::spawn(move || {
            let answer = work();
            // Where nobody listens any more, nobody needs to know.
            let _ = out.send(Finding { number, answer });
        });
    }

    /// What an open question or an order has come to; none where it is another question's answer.
    pub(super) fn take(&mut self, finding: Finding) -> Option<Answer> {
        match finding.answer {
            Answer::Written(_) => self.writing -= 1,
            Answer::Seen(..) if self.busy && finding.number == self.asked => self.busy = false,
            Answer::Seen(..) => return None,
        }
        Some(finding.answer)
    }
}

impl Question {
    fn answer(self) -> Answer {
        match self.subject {
            Subject::Wanted(wanted) => Answer::Seen(Some(wanted), fetch(&self.champions, wanted)),
            Subject::Given(exhibit) => Answer::Seen(None, look(&self.champions, exhibit).map(Some)),
        }
    }
}

fn fetch(champions: &Champions, wanted: Wanted) -> Outcome {
    let Some(champion) = champions.fetch(wanted)? else {
        return Ok(None);
    };
    let exhibit = Exhibit {
        champion,
        place: None,
    };
    look(champions, exhibit).map(Some)
}

fn look(champions: &Champions, exhibit: Exhibit) -> Result<Found, String> {
    let before = champions.before(&exhibit.champion)?;
    Ok(Found::new(champions, exhibit, before))
}

impl Export {
    /// Writes the files, named by the run, the generation and, where it is not the champion, the member.
    fn write(self) -> Result<Vec<PathBuf>, String> {
        let (folder, run) = self.champions.export_place();
        let champion = &self.exhibit.champion;
        let generation = champion.generation;
        let (mut stem, mut title) = (
            format!("{run}-g{generation}"),
            format!("{run} g{generation}"),
        );
        if let Some(place) = self.exhibit.place {
            stem = format!("{stem}-m{}", place + 1);
            title = format!("{title} member {}", place + 1);
        }
        let sketch = self.champions.preset.genome.sketch(&champion.genome);
        let written = export::write_all(&folder, &stem, &sketch, &title);
        written.map(Vec::from).map_err(|error| error.to_string())
    }
}
