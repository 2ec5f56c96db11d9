//! What the screen knows of a run, from its beginning and its news alone. It knows no keys and no layout.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::metrics::history::{Bucket, History};
use crate::metrics::stats::wilson;
use crate::metrics::{Column, Row, is_versus};
use crate::preset::{Intervention, MeasuresConfig, Preset};
use crate::run::Facts;
use crate::run::message::{Event, Pace, Phase, Snapshot};
use crate::session::Census;
use crate::ui::widgets::plot::Mark;
use crate::ui::words;

/// What a run is doing, as the header says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Starting,
    Running,
    /// Asked to pause, still between two games.
    Pausing,
    Paused,
    /// Another process evolves it.
    Watching,
    /// Asked to save and leave.
    Stopping,
    Done,
    Error,
}

impl State {
    pub fn word(self) -> &'static str {
        match self {
            Self::Starting => "STARTING",
            Self::Running => "RUNNING",
            Self::Pausing => "PAUSING",
            Self::Paused => "PAUSED",
            Self::Watching => "WATCHING",
            Self::Stopping => "STOPPING",
            Self::Done => "DONE",
            Self::Error => "ERROR",
        }
    }

    /// Whether leaving would break something off.
    pub fn is_going_on(self) -> bool {
        !matches!(self, Self::Watching | Self::Done | Self::Error)
    }
}

/// What kind of thing happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Start,
    Best,
    Saved,
    NotSaved,
    Turned,
    Refused,
    Failed,
    Done,
}

/// Something that happened, for the list of events.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// Time the run had worked.
    pub seconds: f64,
    pub generation: u64,
    pub kind: Kind,
    pub words: String,
}

/// Events kept; older ones go.
const MOST_NOTES: usize = 200;

/// A run as the screen sees it.
#[derive(Clone, Debug)]
pub struct Watch {
    pub facts: Facts,
    /// As it stands, with what has been turned.
    pub preset: Preset,
    pub state: State,
    pub history: History,
    /// Generations done.
    pub generation: u64,
    pub pace: Pace,
    pub snapshot: Option<Box<Snapshot>>,
    /// The members of the latest generation told.
    pub members: Option<Arc<Census>>,
    /// The best objective so far and its generation.
    pub best: Option<(u64, f64)>,
    /// Latest first.
    pub notes: VecDeque<Note>,
    pub marks: Vec<Mark>,
    /// The generation up to which the run is on disk.
    pub saved: Option<u64>,
    /// Why nothing is being saved.
    pub not_saved: Option<String>,
    /// What ended the run.
    pub fault: Option<String>,
}

impl Watch {
    /// A run at its beginning, or where it is resumed after `seconds` of work.
    pub fn new(facts: Facts, seconds: f64) -> Self {
        let marks = facts.interventions.iter().map(mark).collect();
        let mut watch = Self {
            preset: facts.preset.clone(),
            state: State::Starting,
            history: History::new(facts.columns.all().len()),
            generation: facts.generation,
            pace: Pace {
                seconds,
                ..Pace::default()
            },
            snapshot: None,
            members: None,
            best: None,
            notes: VecDeque::new(),
            marks,
            saved: facts.saved_as.as_ref().map(|_| facts.generation),
            not_saved: None,
            fault: None,
            facts,
        };
        let words = match watch.generation {
            0 => format!("started with seed {}", watch.facts.seed),
            generation => format!("resumed at generation {generation}"),
        };
        watch.note(Kind::Start, words);
        watch
    }

    /// A run that another process evolves, with all its rows so far.
    pub fn follow(facts: Facts, rows: &[Row], pace: Pace) -> Self {
        let mut watch = Self::new(facts, pace.seconds);
        watch.state = State::Watching;
        watch.pace = pace;
        watch.remember(rows);
        watch.notes.clear();
        let generation = watch.generation;
        watch.note(
            Kind::Start,
            format!("watched from generation {generation} on"),
        );
        watch
    }

    /// Takes over the past of a run that has been resumed from an earlier checkpoint.
    pub fn begin_again(&mut self, now: Self) {
        let (notes, snapshot) = (std::mem::take(&mut self.notes), self.snapshot.take());
        let now = Self {
            snapshot,
            notes,
            ..now
        };
        *self = now;
        let generation = self.generation;
        self.note(Kind::Start, format!("goes on from generation {generation}"));
    }

    /// Takes in the rows of the generations before a resumed run went on.
    pub fn remember(&mut self, rows: &[Row]) {
        let before = self.facts.generation;
        for row in rows.iter().filter(|row| row.generation() < before) {
            self.history.push(row);
            self.judge(row);
        }
    }

    /// Takes in what the worker tells.
    pub fn apply(&mut self, event: Event) {
        match event {
            Event::Phase(phase) => self.enter(phase),
            Event::Rows(rows, pace) => {
                self.pace = pace;
                for row in &rows {
                    self.history.push(row);
                    self.generation = self.generation.max(row.generation() + 1);
                    if let Some(before) = self.judge(row) {
                        self.celebrate(before);
                    }
                }
            }
            Event::Snapshot(snapshot) => self.snapshot = Some(snapshot),
            Event::Members(members) => {
                // Where this comes too late, the next ones are on their way.
                self.members = members.upgrade().or(self.members.take());
            }
            Event::Turned(intervention) => self.turned(&intervention),
            Event::Refused(problem) => self.note(Kind::Refused, format!("refused: {problem}")),
            Event::Saved { generation } => {
                self.saved = Some(generation);
                self.not_saved = None;
                self.note(Kind::Saved, "saved".to_owned());
            }
            Event::NotSaved(reason) => {
                self.note(Kind::NotSaved, format!("not saved: {reason}"));
                self.not_saved = Some(reason);
            }
            Event::Failed(message) => {
                self.note(Kind::Failed, message.clone());
                self.fault = Some(message);
                self.state = State::Error;
            }
        }
    }

    fn enter(&mut self, phase: Phase) {
        if self.state == State::Watching {
            if phase == Phase::Done {
                self.note(Kind::Done, "all generations done".to_owned());
            }
            return;
        }
        if matches!(self.state, State::Stopping | State::Error) {
            return;
        }
        let state = match phase {
            Phase::Starting => State::Starting,
            // The order to pause may have crossed this on the way.
            Phase::Running if self.state == State::Pausing => State::Pausing,
            Phase::Running => State::Running,
            Phase::Paused => State::Paused,
            Phase::Done => State::Done,
        };
        if state == State::Done && self.state != State::Done {
            self.note(Kind::Done, "all generations done".to_owned());
        }
        self.state = state;
    }

    fn turned(&mut self, intervention: &Intervention) {
        // What the worker has accepted fits the preset.
        let _ = self.preset.change(&intervention.key, &intervention.to);
        let mark = mark(intervention);
        self.note(
            Kind::Turned,
            format!(
                "{} {} → {}",
                name(&intervention.key),
                intervention.from,
                intervention.to
            ),
        );
        self.marks.push(mark);
    }

    /// Keeps the best objective; where a row is better than one before, that one is returned.
    fn judge(&mut self, row: &Row) -> Option<f64> {
        let value = row.values().get(self.objective()?).copied().flatten()?;
        if self.best.is_some_and(|(_, best)| value <= best) {
            return None;
        }
        let before = self.best.replace((row.generation(), value));
        before.map(|(_, value)| value)
    }

    fn celebrate(&mut self, before: f64) {
        let Some((generation, value)) = self.best else {
            return;
        };
        let words = format!(
            "new best {} (was {})",
            words::percent(value),
            words::percent(before)
        );
        self.note(Kind::Best, words);
        if let Some(note) = self.notes.front_mut() {
            note.generation = generation;
        }
    }

    /// Notes something; what repeats the latest of its kind replaces it.
    fn note(&mut self, kind: Kind, words: String) {
        let repeats = matches!(kind, Kind::Best | Kind::Saved)
            && self.notes.front().is_some_and(|latest| latest.kind == kind);
        if repeats {
            self.notes.pop_front();
        }
        self.notes.push_front(Note {
            seconds: self.pace.seconds,
            generation: self.generation,
            kind,
            words,
        });
        self.notes.truncate(MOST_NOTES);
    }

    /// The place of the column that measures success: agreement with the oracle, else points against the hardest outsider.
    pub fn objective(&self) -> Option<usize> {
        self.facts.columns.objective()
    }

    /// A column of the run by its name.
    pub fn column(&self, name: &str) -> Option<(usize, &Column)> {
        let place = self.facts.columns.place(name)?;
        Some((place, &self.facts.columns.all()[place]))
    }

    /// The latest figure of a column.
    pub fn last(&self, name: &str) -> Option<f64> {
        self.history.last(self.facts.columns.place(name)?)
    }

    /// The buckets of a column; none where the run does not have it.
    pub fn buckets(&self, name: &str) -> &[Bucket] {
        let place = self.facts.columns.place(name);
        place.map_or(&[], |place| self.history.column(place))
    }

    pub fn objective_now(&self) -> Option<f64> {
        self.history.last(self.objective()?)
    }

    /// Games behind a figure of a column; `None` where it is not a sample.
    pub fn sample(&self, name: &str) -> Option<u32> {
        sample(&self.preset.measures, name)
    }

    /// Half the 95 % interval of the objective as it stands; `None` where it is exact or not known.
    pub fn margin(&self) -> Option<f64> {
        let name = &self.facts.columns.all()[self.objective()?].name;
        let (low, high) = wilson(self.objective_now()?, self.sample(name)?);
        Some((high - low) / 2.0)
    }

    /// Seconds until all generations are done at the present pace.
    pub fn remaining(&self) -> Option<f64> {
        let left = self.preset.generations.saturating_sub(self.generation) as f64;
        let pace = self.pace.generations_per_second;
        let goes_on = self.state.is_going_on() || self.state == State::Watching;
        (pace > 0.0 && left > 0.0 && goes_on).then(|| left / pace)
    }

    /// Share of the generations done.
    pub fn progress(&self) -> f64 {
        self.generation as f64 / self.preset.generations.max(1) as f64
    }

    /// Where fitness has risen over a long stretch while the objective fell: the length of the stretch.
    pub fn misled(&self) -> Option<u64> {
        const LONG: usize = 120;
        let objective = self.history.column(self.objective()?);
        let fitness = self.buckets("best_fitness");
        let length = LONG.min(fitness.len()).min(objective.len());
        if length < LONG / 2 {
            return None;
        }
        let fitness = change(&fitness[fitness.len() - length..])?;
        let objective = change(&objective[objective.len() - length..])?;
        let fall = self.margin().unwrap_or_default().max(0.02);
        let misled = fitness.1 > fitness.0 * 1.05 && objective.1 < objective.0 - fall;
        misled.then_some(length as u64 * self.history.span())
    }
}

/// Games behind a figure of a column of a run with these measures; `None` where it is not a sample.
pub fn sample(measures: &MeasuresConfig, name: &str) -> Option<u32> {
    match name {
        "wins_vs_past" => Some(measures.tournament_games),
        _ if is_versus(name) => Some(measures.held_out_games),
        _ => None,
    }
}

/// The means of the first and the second half of a stretch.
fn change(buckets: &[Bucket]) -> Option<(f64, f64)> {
    let (first, second) = buckets.split_at(buckets.len() / 2);
    let mean = |part: &[Bucket]| {
        let means: Vec<f64> = part.iter().filter_map(Bucket::mean).collect();
        (!means.is_empty()).then(|| means.iter().sum::<f64>() / means.len() as f64)
    };
    Some((mean(first)?, mean(second)?))
}

/// The last word of a setting's key, as words.
fn name(key: &str) -> String {
    key.rsplit('.').next().unwrap_or(key).replace('_', " ")
}

fn mark(intervention: &Intervention) -> Mark {
    Mark {
        generation: intervention.generation,
        label: format!("{} {}", name(&intervention.key), intervention.to),
    }
}
