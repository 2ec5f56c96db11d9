//! The run as the dashboard knows it, built from its initial facts and its events. It is
//! independent of keys and layout.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::format;
use crate::model::health::RunHealth;
use crate::model::run_event::{RunEventEntry, RunEventKind};
use crate::model::timing::RunTiming;
use crate::widgets::plot::ChartMark;
use finches_engine::metrics::history::{Bucket, History};
use finches_engine::metrics::stop_condition::StopCondition;
use finches_engine::metrics::{Basis, Column, Row};
use finches_engine::play::health::CoevolutionVerdict;
use finches_engine::preset::{Intervention, Preset};
use finches_engine::session::GenerationSnapshot;
use finches_engine::session::measures::fitness;
use finches_runs::run::RunInfo;
use finches_runs::run::message::{Phase, RunEvent, Snapshot, Speed};
use finches_runs::run::pace::Pace;

pub use super::run_state::RunState;

/// Most events kept; older ones are dropped.
const MAX_EVENTS: usize = 200;

/// Most reports on the learning before the first generation that are told apart.
const MOST_LEARNED: usize = 128;

/// A run as the dashboard knows it.
#[derive(Clone, Debug)]
pub struct RunModel {
    pub facts: RunInfo,
    /// The preset with all parameter changes so far.
    pub preset: Preset,
    pub state: RunState,
    pub history: History,
    /// Generations done.
    pub generation: u64,
    /// How fast the run is.
    pub speed: Speed,
    pub timing: RunTiming,
    /// How fast it may be.
    pub pace: Pace,
    pub snapshot: Option<Box<Snapshot>>,
    pub learning: LearningState,
    /// The members of the latest generation received.
    pub members: Option<Arc<GenerationSnapshot>>,
    /// The column shown as the objective, once there are rows.
    pub(super) objective: Option<usize>,
    pub baselines: Baselines,
    /// The best objective so far and its generation.
    pub best: Option<(u64, f64)>,
    /// The latest verdict on coevolution.
    pub health: Option<RunHealth>,
    /// Events, latest first.
    pub events: VecDeque<RunEventEntry>,
    /// The changes of parameters, oldest first.
    pub changes: Vec<Intervention>,
    pub saving: SavingState,
    pub breakpoints: RunBreakpoints,
    pub end: EndedRun,
}

/// What learns before the first generation.
#[derive(Clone, Debug)]
pub struct LearningState {
    /// The learner in place of a champion, as last reported.
    pub learner: Option<Box<Snapshot>>,
    /// Its scores; the generations are the games that it has learned from.
    pub scores: History,
}

/// What has ended a run before its last generation, if anything.
#[derive(Clone, Debug, Default)]
pub struct EndedRun {
    /// The condition that has stopped it and was met.
    pub target: Option<StopCondition>,
    /// The error.
    pub error: Option<String>,
}

/// What the values of a run can be compared with.
#[derive(Clone, Debug)]
pub struct Baselines {
    /// The share of right moves, over all positions, of a player that moves at random; `None`
    /// without an oracle.
    pub chance: Option<f64>,
    /// What the share of positions won can be compared with, by name.
    pub judged: Vec<(String, f64)>,
}

/// How far a run is on disk.
#[derive(Clone, Debug, Default)]
pub struct SavingState {
    /// The generation up to which it is.
    pub generation: Option<u64>,
    /// Why it is not being saved.
    pub error: Option<String>,
}

/// The breakpoints of a run.
#[derive(Clone, Debug, Default)]
pub struct RunBreakpoints {
    /// In the form in which they are typed.
    pub texts: Vec<String>,
    /// Those that have paused the run.
    pub hit: Option<String>,
}

impl RunModel {
    /// A run that starts or resumes after `seconds` of working time.
    pub fn new(facts: RunInfo, seconds: f64) -> Self {
        let mut run = Self {
            preset: facts.preset.clone(),
            state: RunState::Starting,
            history: History::new(facts.columns.all().len()),
            generation: facts.generation,
            pace: Pace::FULL,
            speed: Speed {
                seconds,
                ..Speed::default()
            },
            timing: RunTiming::new(seconds),
            snapshot: None,
            learning: LearningState {
                learner: None,
                scores: History::bounded(facts.columns.all().len(), MOST_LEARNED),
            },
            members: None,
            objective: None,
            baselines: Baselines::of(&facts),
            best: None,
            health: None,
            events: VecDeque::new(),
            changes: facts.interventions.clone(),
            saving: SavingState {
                generation: facts.saved_as.as_ref().map(|_| facts.generation),
                error: None,
            },
            breakpoints: RunBreakpoints::default(),
            end: EndedRun::default(),
            facts,
        };
        let words = match run.generation {
            0 => format!("started with seed {}", run.facts.seed),
            generation if run.has_all_generations() => {
                format!(
                    "opened: all {} generations are done",
                    format::whole(generation)
                )
            }
            generation => format!("resumed at generation {}", format::whole(generation)),
        };
        let opened = run.generation.min(run.preset.generations.saturating_sub(1));
        run.add_event_of(opened, RunEventKind::Start, words);
        run
    }

    /// The latest champion; before the first, what learns.
    pub fn latest(&self) -> Option<&Snapshot> {
        self.snapshot
            .as_deref()
            .or(self.learning.learner.as_deref())
    }

    /// The name of its folder; a run that is not saved has a name too.
    pub fn name(&self) -> String {
        let saved = self.facts.saved_as.clone();
        saved.unwrap_or_else(|| format!("{} #{}", self.facts.preset.name, self.facts.seed))
    }

    /// A run of another process, with all its rows so far.
    pub fn follow(facts: RunInfo, rows: &[Row], speed: Speed) -> Self {
        let mut run = Self::new(facts, speed.seconds);
        run.state = RunState::Watching;
        run.speed = speed;
        run.timing.add(&Speed::default(), &speed, run.generation);
        run.load_history(rows);
        run.events.clear();
        let generation = format::whole(run.generation);
        let words = format!("watched since generation {generation}");
        run.add_event_of(run.generation, RunEventKind::Start, words);
        run
    }

    /// Replaces the history of a run that another process has resumed from an earlier checkpoint.
    pub fn restart(&mut self, now: Self) {
        let (events, snapshot) = (std::mem::take(&mut self.events), self.snapshot.take());
        let now = Self {
            snapshot,
            members: self.members.take(),
            events,
            ..now
        };
        *self = now;
        let generation = format::whole(self.generation);
        let words = format!("resumed at generation {generation}");
        self.add_event_of(self.generation, RunEventKind::Start, words);
    }

    /// Loads the rows of the generations before a run was resumed.
    pub fn load_history(&mut self, rows: &[Row]) {
        let before = self.facts.generation;
        let start = std::mem::take(&mut self.events);
        for row in rows.iter().filter(|row| row.generation() < before) {
            self.push(row);
        }
        for change in self.changes.clone() {
            self.note_change(&change);
        }
        for event in &mut self.events {
            event.seconds = None;
        }
        self.events = start.into_iter().chain(self.events.drain(..)).collect();
    }

    /// Appends a row. The objective is chosen anew after each, so that a run has the same one while
    /// it goes on and when it is opened again.
    fn push(&mut self, row: &Row) {
        self.history.push(row);
        if let Some(before) = self.update_best(row) {
            self.note_best(before);
        }
        self.update_objective(row);
    }

    /// Handles an event of the run.
    pub fn apply(&mut self, event: RunEvent) {
        match event {
            RunEvent::Phase(phase) => self.set_phase(phase),
            RunEvent::Rows(rows, speed) => {
                let done = rows.last().map_or(0, |row| row.generation() + 1);
                let new = done.saturating_sub(self.generation);
                self.timing.add(&self.speed, &speed, new);
                self.speed = speed;
                for row in &rows {
                    self.generation = self.generation.max(row.generation() + 1);
                    self.push(row);
                }
                // Another process has resumed it.
                if self.is_followed() && self.state == RunState::Done {
                    self.state = RunState::Watching;
                }
            }
            RunEvent::Snapshot(snapshot) => self.snapshot = Some(snapshot),
            RunEvent::Learned(report) => {
                self.learning.scores.push(&report.scores);
                self.learning.learner = Some(Box::new(report.snapshot));
            }
            RunEvent::Members(members) => {
                // If they are gone already, newer ones will follow.
                self.members = members.upgrade().or(self.members.take());
            }
            RunEvent::Changed(intervention) => self.apply_change(&intervention),
            RunEvent::Rejected(problem) => {
                self.add_event(RunEventKind::Refused, format!("rejected: {problem}"));
            }
            RunEvent::Saved { generation } => {
                self.saving = SavingState {
                    generation: Some(generation),
                    error: None,
                };
                self.add_event(RunEventKind::Saved, "saved".to_owned());
            }
            RunEvent::BreakpointHit { generation, reason } => {
                let words = format!("breakpoint: {reason}");
                self.add_event_of(generation, RunEventKind::Breakpoint, words);
                self.breakpoints.hit = Some(reason);
            }
            RunEvent::TargetReached(condition) => self.end.target = Some(condition),
            RunEvent::Repaired(words) => self.add_event(RunEventKind::NotSaved, words),
            RunEvent::NotSaved(reason) => {
                self.add_event(RunEventKind::NotSaved, format!("not saved: {reason}"));
                self.saving.error = Some(reason);
            }
            RunEvent::Failed(message) => {
                self.add_event_of(self.generation, RunEventKind::Failed, message.clone());
                self.end.error = Some(message);
                self.state = RunState::Error;
            }
        }
    }

    fn set_phase(&mut self, phase: Phase) {
        if self.state == RunState::Watching {
            if phase == Phase::Done {
                self.state = RunState::Done;
                let is_early = self.generation < self.preset.generations;
                let target = self.preset.stop_condition();
                self.end.target = target.filter(|_| is_early);
                self.add_event(RunEventKind::Done, self.end());
            }
            return;
        }
        if matches!(self.state, RunState::Stopping | RunState::Error) {
            return;
        }
        let state = match phase {
            Phase::Starting => RunState::Starting,
            // The worker may have sent this before it received the command to pause.
            Phase::Running if self.state == RunState::Pausing => RunState::Pausing,
            Phase::Running => RunState::Running,
            Phase::Paused => RunState::Paused,
            Phase::Done => RunState::Done,
        };
        let was_whole = self.facts.generation == self.generation && self.has_all_generations();
        if state == RunState::Done && self.state != RunState::Done && !was_whole {
            self.add_event(RunEventKind::Done, self.end());
        }
        if state == RunState::Running {
            self.breakpoints.hit = None;
        }
        self.state = state;
    }

    fn apply_change(&mut self, intervention: &Intervention) {
        // A change that the worker has accepted is valid for the preset.
        let _ = self.preset.change(&intervention.key, &intervention.to);
        self.note_change(intervention);
        self.changes.push(intervention.clone());
    }

    fn note_change(&mut self, intervention: &Intervention) {
        let words = format!(
            "{} {} → {}",
            parameter_name(&intervention.key),
            format::parameter(&intervention.from),
            format::parameter(&intervention.to)
        );
        let kind = RunEventKind::ParameterChanged;
        self.add_event_of(intervention.generation, kind, words);
    }

    /// The marks of its changes on the charts.
    pub fn marks(&self) -> Vec<ChartMark> {
        self.changes.iter().map(mark).collect()
    }

    /// The preset before any change of its parameters.
    pub fn initial_preset(&self) -> Preset {
        let mut preset = self.preset.clone();
        for change in self.changes.iter().rev() {
            // The value was valid before the change.
            let _ = preset.change(&change.key, &change.from);
        }
        preset
    }

    /// Takes in a verdict on coevolution. It is an event if it is another one than before.
    pub fn set_health(&mut self, health: RunHealth) {
        let (verdict, generation) = (health.diagnosis.verdict, health.generation);
        let known = self.health.as_ref().map(|known| known.diagnosis.verdict);
        let (words, is_ill) = (health.diagnosis.meaning(), health.is_ill());
        self.health = Some(health);
        if known.unwrap_or(CoevolutionVerdict::Unclear) == verdict {
            return;
        }
        let kind = if is_ill {
            RunEventKind::Ill
        } else {
            RunEventKind::Judged
        };
        let words = format!("coevolution: {}. {words}", verdict.name());
        self.add_event_of(generation, kind, words);
    }

    /// Updates the best objective. Returns the previous best if a row exceeds it.
    fn update_best(&mut self, row: &Row) -> Option<f64> {
        let value = row.values().get(self.objective()?).copied().flatten()?;
        if self.best.is_some_and(|(_, best)| value <= best) {
            return None;
        }
        let before = self.best.replace((row.generation(), value));
        before.map(|(_, value)| value)
    }

    fn note_best(&mut self, before: f64) {
        let Some((generation, value)) = self.best else {
            return;
        };
        let (value, before) = (format::percent(value), format::percent(before));
        let words = if value == before {
            format!("new best {value}")
        } else {
            format!("new best {value} (was {before})")
        };
        self.add_event_of(generation, RunEventKind::Best, words);
    }

    /// Adds an event of the last generation that is done.
    fn add_event(&mut self, kind: RunEventKind, words: String) {
        self.add_event_of(self.generation.saturating_sub(1), kind, words);
    }

    /// Adds an event after all others of the same and earlier generations since the run was
    /// started or resumed, even if it became known later. A best or saved event replaces the one
    /// before it if that is of the same kind.
    fn add_event_of(&mut self, generation: u64, kind: RunEventKind, words: String) {
        let is_before = |event: &RunEventEntry| {
            event.generation <= generation || event.kind == RunEventKind::Start
        };
        let is_start = kind == RunEventKind::Start;
        let later = self.events.iter();
        let later = later.take_while(|event| !is_start && !is_before(event));
        let later = later.count();
        let now = self.timing.running();
        let next = later.checked_sub(1).and_then(|next| self.events.get(next));
        let seconds = next.and_then(|next| next.seconds);
        let seconds = Some(seconds.map_or(now, |next| next.min(now)));
        let replaces = matches!(kind, RunEventKind::Best | RunEventKind::Saved);
        let before = self.events.get(later);
        if before.is_some_and(|event| replaces && event.kind == kind) {
            self.events.remove(later);
        }
        let entry = RunEventEntry {
            seconds,
            generation,
            kind,
            words,
        };
        self.events.insert(later, entry);
        self.events.truncate(MAX_EVENTS);
    }

    /// A column by its measure or its name, with its index.
    pub fn column(&self, wanted: &(impl PartialEq<str> + ?Sized)) -> Option<(usize, &Column)> {
        let place = self.facts.columns.place(wanted)?;
        Some((place, &self.facts.columns.all()[place]))
    }

    /// The latest value of a column.
    pub fn last(&self, column: &(impl PartialEq<str> + ?Sized)) -> Option<f64> {
        self.history.last(self.facts.columns.place(column)?)
    }

    /// The buckets of a column; empty if the run does not have it.
    pub fn buckets(&self, column: &(impl PartialEq<str> + ?Sized)) -> &[Bucket] {
        let place = self.facts.columns.place(column);
        place.map_or(&[], |place| self.history.column(place))
    }

    /// The last generation in which a column was measured.
    pub fn measured(&self, column: &(impl PartialEq<str> + ?Sized)) -> Option<u64> {
        let place = self.facts.columns.place(column)?;
        Some(self.history.read(place, self.history.end())?.last)
    }

    /// The number of games behind a value of a column; `None` if the column is not sampled.
    pub fn sample(&self, column: &Column) -> Option<u32> {
        self.preset.measures.games_of(column.basis)
    }

    /// Seconds until all generations are done at the current speed.
    pub fn remaining(&self) -> Option<f64> {
        let left = self.preset.generations.saturating_sub(self.generation);
        (left > 0 && self.state.is_running())
            .then(|| self.timing.remaining(left, self.pace.limit()))?
    }

    /// Whether another process evolves it, or has evolved it.
    pub fn is_followed(&self) -> bool {
        self.facts.threads == 0
    }

    /// Why the run is done, once it is.
    pub fn end(&self) -> String {
        match &self.end.target {
            Some(until) => format!("target reached, {}", format::condition(&until.to_string())),
            None => "all generations done".to_owned(),
        }
    }

    /// Whether all generations of its preset are done.
    fn has_all_generations(&self) -> bool {
        self.generation >= self.preset.generations
    }

    /// Whether a run that is done can go on.
    pub fn can_go_on(&self) -> bool {
        self.state == RunState::Done && !self.is_followed()
    }

    /// The first generation whose champion has moved right in all positions; in a run with a target
    /// once that is met, and without such a champion the generation that has met it.
    pub fn solved(&self) -> Option<u64> {
        match self.end.target {
            Some(_) => self.first_right().or(self.generation.checked_sub(1)),
            None => self.first_right().filter(|_| self.preset.until.is_empty()),
        }
    }

    /// The first generation whose champion has moved right in all positions.
    pub fn first_right(&self) -> Option<u64> {
        let (generation, best) = self.best?;
        is_right(self.objective_column()?, best).then_some(generation)
    }

    /// The share of positions in which the newest champion moves right, where another member or an
    /// earlier champion has solved the game and it has not.
    pub fn imperfect_champion(&self) -> Option<f64> {
        self.solved()?;
        let objective = self.objective_column()?;
        let target = self.end.target.as_ref();
        let is_its_own = target.is_some_and(|target| target.column() == objective.name);
        self.last(&objective.name)
            .filter(|share| is_exact(objective) && !is_its_own && *share < 1.0)
    }

    /// A state of it in a word.
    pub fn word(&self, state: RunState) -> &'static str {
        match state {
            RunState::Done if self.end.target.is_some() => "SOLVED",
            _ => state.word(),
        }
    }

    /// Share of the generations done, 0..=1.
    pub fn progress(&self) -> f64 {
        self.generation as f64 / self.preset.generations.max(1) as f64
    }

    /// The length in generations of a recent window in which fitness rose while the objective fell,
    /// if any.
    pub fn overfitting_window(&self) -> Option<u64> {
        const LONG: usize = 120;
        let objective = self.history.column(self.objective()?);
        let fitness = self.buckets(&fitness::BEST);
        let length = LONG.min(fitness.len()).min(objective.len());
        if length < LONG / 2 {
            return None;
        }
        let fitness = half_means(&fitness[fitness.len() - length..])?;
        let objective = half_means(&objective[objective.len() - length..])?;
        let interval = self.confidence_interval();
        let fall = interval.map_or(0.02, |(low, high)| ((high - low) / 2.0).max(0.02));
        let misled = fitness.1 > fitness.0 * 1.05 && objective.1 < objective.0 - fall;
        misled.then_some(length as u64 * self.history.span())
    }
}

impl Baselines {
    /// Those of judged positions come from no more of them than can be judged at once.
    fn of(facts: &RunInfo) -> Self {
        const MOST: u32 = 10_000;
        Self {
            chance: facts.arena.chance_accuracy(),
            judged: match facts.preset.measures.judged_positions {
                0 => Vec::new(),
                most => facts.arena.judged_baselines(most.min(MOST)),
            },
        }
    }
}

/// The means of the first and the second half of some buckets.
fn half_means(buckets: &[Bucket]) -> Option<(f64, f64)> {
    let (first, second) = buckets.split_at(buckets.len() / 2);
    let mean = |part: &[Bucket]| {
        let means: Vec<f64> = part.iter().filter_map(Bucket::mean).collect();
        (!means.is_empty()).then(|| means.iter().sum::<f64>() / means.len() as f64)
    };
    Some((mean(first)?, mean(second)?))
}

/// The last segment of a parameter's key, as words.
pub fn parameter_name(key: &str) -> String {
    key.rsplit('.').next().unwrap_or(key).replace('_', " ")
}

fn mark(intervention: &Intervention) -> ChartMark {
    ChartMark {
        generation: intervention.generation,
        label: format!(
            "{} {}",
            parameter_name(&intervention.key),
            format::parameter(&intervention.to)
        ),
    }
}
/// Whether a value of the objective is as good as any, of a preset without a target: right moves in
/// all positions.
pub fn is_perfect(preset: &Preset, objective: &Column, value: f64) -> bool {
    preset.until.is_empty() && is_right(objective, value)
}

/// Whether a value of the objective says that all moves are right.
fn is_right(objective: &Column, value: f64) -> bool {
    value >= 1.0 && is_exact(objective)
}

/// Whether a column counts positions one by one.
fn is_exact(column: &Column) -> bool {
    matches!(column.basis, Basis::Positions | Basis::WinnablePositions)
}
