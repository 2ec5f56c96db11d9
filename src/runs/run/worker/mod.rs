//! The worker thread of a run: handles commands between generations, evolves, saves, and reports
//! events.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TryRecvError};

use crate::launch::PreparedRun;
use finches_engine::metrics::stop_condition::StopCondition;
use finches_engine::preset::GENERATIONS;
use finches_engine::session::Session;
use finches_engine::session::breakpoint::BreakpointWatch;
use finches_engine::session::measures::progress;

use crate::run::clock::RunClock;
use crate::run::message::{Phase, RunCommand, RunEvent};
use crate::run::pace::Pace;
use crate::run::progress::RunProgress;
use crate::run::run_log::{GenerationTiming, RunLog};
use crate::run::{InjectedFault, WorkerOptions};

use self::outbox::Outbox;
use self::saving::{Due, FLUSH_INTERVAL, Saving};

mod outbox;
mod saving;

pub(in crate::run) struct Worker {
    session: Session,
    saving: Saving,
    outbox: Outbox,
    commands: Receiver<RunCommand>,
    halt: Arc<AtomicBool>,
    phase: Phase,
    /// Single steps left to do while paused.
    steps: u32,
    pace: Pace,
    breakpoints: BreakpointWatch,
    /// When the next generation may start.
    next_generation: Instant,
    /// Keys and values of parameters to change before the next generation.
    pending_changes: Vec<(String, String)>,
    run_log: RunLog,
    clock: RunClock,
    injected_fault: Option<InjectedFault>,
    until: Option<StopCondition>,
    /// Whether `until` has been met.
    is_target_met: bool,
    /// When what learns before the first generation is measured and reported again.
    next_report: Instant,
}

/// The shortest interval between two reports of what learns before the first generation. They take
/// at most a tenth of the time.
const REPORT_INTERVAL: Duration = Duration::from_millis(500);

impl Worker {
    /// A worker for a run. `events` are both ends of the channel that it reports to.
    pub(in crate::run) fn new(
        run: PreparedRun,
        options: WorkerOptions,
        commands: Receiver<RunCommand>,
        events: (Sender<RunEvent>, Receiver<RunEvent>),
        halt: Arc<AtomicBool>,
    ) -> Self {
        let session = run.session;
        let mut saving = Saving::new(run.writer, options.checkpoint_every);
        let breakpoints = options.breakpoints.texts();
        // A run without a screen has none, and keeps those in its file.
        if !breakpoints.is_empty() {
            saving.set_breakpoints(breakpoints);
        }
        let best = options.breakpoints.best();
        let clock = RunClock::new(run.seconds, &session);
        clock.progress.set_best(best);
        Self {
            saving,
            outbox: Outbox::new(options.listener, events),
            commands,
            halt,
            phase: if options.paused {
                Phase::Paused
            } else {
                Phase::Running
            },
            steps: 0,
            pace: options.pace,
            breakpoints: options.breakpoints,
            next_generation: Instant::now(),
            pending_changes: Vec::new(),
            run_log: RunLog::new(best),
            clock,
            injected_fault: options.injected_fault,
            until: options.until.or_else(|| session.preset().stop_condition()),
            is_target_met: options.is_target_met,
            next_report: Instant::now(),
            session,
        }
    }

    /// What a listener can read without an event.
    pub(in crate::run) fn progress(&self) -> &Arc<RunProgress> {
        &self.clock.progress
    }

    /// Runs until the command channel closes. A panic is reported as an event, and the last
    /// checkpoint stays valid.
    pub(in crate::run) fn run(mut self) {
        // The whole loop runs on a thread of the pool, so that no generation waits for one to wake
        // up.
        let pool = self.session.pool().clone();
        let ended = catch_unwind(AssertUnwindSafe(|| pool.install(|| self.work())));
        match ended {
            Ok(()) => {
                self.save();
                self.flush_rows();
                self.run_log.flush();
            }
            Err(panic) => {
                let message = format!(
                    "generation {}: {}",
                    self.session.generation(),
                    panic_message(panic.as_ref())
                );
                self.send(RunEvent::Failed(message));
            }
        }
    }

    fn work(&mut self) {
        self.send(RunEvent::Phase(self.phase));
        self.tell(self.saving.repair());
        self.report_target();
        if self.outbox.has_screen() {
            self.session.restore_snapshot(self.saving.members());
        }
        self.outbox.snapshot(&self.session);
        while self.handle_commands() {
            if self.is_working() {
                self.generation();
            }
            self.flush_due();
        }
    }

    fn is_done(&self) -> bool {
        self.is_target_met || self.session.is_done()
    }

    /// Whether a generation is to be done now.
    fn is_working(&self) -> bool {
        let wanted = match self.phase {
            Phase::Running | Phase::Starting => true,
            Phase::Paused => self.steps > 0,
            Phase::Done => false,
        };
        wanted && !self.is_done()
    }

    /// The time until the next generation starts; `None` if there is none to do.
    fn time_to_generation(&self) -> Option<Duration> {
        if !self.is_working() {
            return None;
        }
        if self.saving.is_disk_full() {
            return Some(FLUSH_INTERVAL);
        }
        let is_limited = self.phase == Phase::Running && self.pace != Pace::FULL;
        let planned = is_limited.then_some(self.next_generation);
        let wait = planned.map(|next| next.saturating_duration_since(Instant::now()));
        Some(wait.unwrap_or_default())
    }

    /// Sends and saves whatever is due by its interval.
    fn flush_due(&mut self) {
        self.outbox.flush_due(&self.session, self.clock.speed());
        match self.saving.due() {
            Some(Due::Checkpoint) => self.save(),
            Some(Due::Flush) => self.flush_file(),
            None => {}
        }
        self.saving.write_processes(&self.session);
    }

    fn flush_rows(&mut self) {
        self.outbox.flush_rows(self.clock.speed());
    }

    fn flush_file(&mut self) {
        let event = self.saving.flush();
        self.tell(event);
    }

    fn save(&mut self) {
        let event = (self.saving).follow_loss(&self.session, self.clock.seconds);
        self.tell(event);
        let notes = (self.clock.seconds, self.outbox.sample_number());
        let event = self.saving.save(&self.session, notes);
        self.tell(event);
    }

    fn write_run_file(&mut self) {
        let event = self.saving.write_run_file(&self.session);
        self.tell(event);
    }

    /// Sends an event. What was logged before it is on record first.
    fn send(&mut self, event: RunEvent) {
        self.run_log.flush();
        self.outbox.send(event, self.session.generation());
    }

    fn tell(&mut self, event: Option<RunEvent>) {
        if let Some(event) = event {
            self.send(event);
        }
    }

    /// Handles all queued commands, and blocks for more while there is no generation to do. False
    /// once the channel is closed.
    fn handle_commands(&mut self) -> bool {
        loop {
            let wait = self.time_to_generation();
            if wait == Some(Duration::ZERO) {
                match self.commands.try_recv() {
                    Ok(command) => self.execute(command),
                    Err(TryRecvError::Empty) => return true,
                    Err(TryRecvError::Disconnected) => return false,
                }
                continue;
            }
            match wait {
                Some(_) => {
                    self.flush_rows();
                    if self.saving.is_disk_full() {
                        self.flush_file();
                    }
                }
                None => self.flush_before_waiting(),
            }
            match self.commands.recv_timeout(wait.unwrap_or(FLUSH_INTERVAL)) {
                Ok(command) => self.execute(command),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return false,
            }
        }
    }

    /// Reports and saves everything pending before the worker blocks.
    fn flush_before_waiting(&mut self) {
        if self.is_done() && self.phase != Phase::Done {
            self.phase = Phase::Done;
            self.flush_rows();
            self.outbox.snapshot(&self.session);
            self.save();
            self.send(RunEvent::Phase(Phase::Done));
        }
        self.flush_rows();
        self.apply_changes();
        if self.saving.is_behind() {
            self.save();
        }
    }

    fn execute(&mut self, command: RunCommand) {
        match command {
            RunCommand::Pause => {
                self.halt.store(false, Ordering::Relaxed);
                self.pause();
            }
            RunCommand::Resume => {
                self.steps = 0;
                self.set_phase(Phase::Running);
            }
            RunCommand::Step if self.phase == Phase::Paused => self.steps += 1,
            RunCommand::Step => {}
            RunCommand::GoOn => {
                (self.until, self.is_target_met) = (None, false);
                self.set_phase(Phase::Running);
            }
            RunCommand::Change { key, value } => self.pending_changes.push((key, value)),
            RunCommand::SetPace(pace) => {
                self.pace = pace;
                self.next_generation = Instant::now();
            }
            RunCommand::SetBreakpoints(breakpoints) => {
                self.breakpoints.set(breakpoints, self.session.columns());
                self.saving.set_breakpoints(self.breakpoints.texts());
                self.write_run_file();
            }
            RunCommand::Save => self.save(),
            RunCommand::Resample => self.outbox.resample(&self.session),
        }
    }

    fn set_phase(&mut self, phase: Phase) {
        if self.phase == Phase::Done && self.is_done() {
            return;
        }
        self.phase = phase;
        self.send(RunEvent::Phase(phase));
    }

    /// Applies the pending parameter changes, unless a generation is half played.
    fn apply_changes(&mut self) {
        if self.session.is_within_generation() || self.pending_changes.is_empty() {
            return;
        }
        self.make_due_changes();
        let mut is_forkable = false;
        for (key, value) in std::mem::take(&mut self.pending_changes) {
            match self.session.change(&key, &value) {
                Ok(intervention) => {
                    is_forkable |= intervention.key != GENERATIONS;
                    self.send(RunEvent::Changed(intervention));
                }
                Err(problem) => self.send(RunEvent::Rejected(problem)),
            }
        }
        self.write_run_file();
        if is_forkable {
            self.saving.save_state(&self.session);
        }
        if self.phase == Phase::Done && !self.is_done() {
            self.set_phase(Phase::Running);
        }
    }

    /// Makes the recorded and scheduled changes of the next generation and reports them.
    fn make_due_changes(&mut self) {
        for change in self.session.make_due_changes() {
            self.send(RunEvent::Changed(change));
        }
    }

    /// Shows what has been done so far, and pauses.
    fn pause(&mut self) {
        self.steps = 0;
        self.flush_rows();
        self.outbox.snapshot(&self.session);
        self.set_phase(Phase::Paused);
    }

    /// Pauses after a generation that has met a breakpoint.
    fn pause_at_breakpoint(&mut self, generation: u64, reason: String) {
        self.pause();
        self.send(RunEvent::BreakpointHit { generation, reason });
    }

    /// Reports that the run stops before its last generation, if it does.
    fn report_target(&mut self) {
        if let (true, Some(until)) = (self.is_target_met, self.until.clone()) {
            self.send(RunEvent::TargetReached(until));
        }
    }

    /// Learns from the next games before the first generation, and reports on it now and then.
    /// False if nothing is left to learn.
    fn teach(&mut self) -> bool {
        let began = Instant::now();
        self.clock.start();
        if !self.session.teach() {
            return false;
        }
        self.saving.note_learned();
        let now = Instant::now();
        if self.outbox.has_screen() && now >= self.next_report {
            self.outbox.learner(&self.session);
            self.next_report = Instant::now() + (now.elapsed() * 9).max(REPORT_INTERVAL);
        }
        let seconds = began.elapsed().as_secs_f64();
        self.clock.learned(seconds, &self.session);
        true
    }

    /// Runs one generation, or the part of it before a pause.
    fn generation(&mut self) {
        self.make_due_changes();
        self.apply_changes();
        if let Some(bug) = self.injected_fault {
            bug.trigger(self.session.generation(), self.session.pool());
        }
        if self.teach() {
            return;
        }
        let began = Instant::now();
        self.clock.start();
        self.next_generation = began + self.pace.interval().unwrap_or_default();
        let (session, halt, saving) = (&mut self.session, &self.halt, &self.saving);
        let pool = session.pool().clone();
        let done = pool.install(|| {
            let finished = session.play(halt)?;
            let kept = saving.save_population(session);
            let played = Instant::now();
            let row = session.measure(&finished);
            let measured = Instant::now();
            session.reproduce(finished);
            let parts = GenerationTiming {
                playing: played - began,
                measuring: measured - played,
                reproduction: measured.elapsed(),
            };
            Some((row, parts, kept))
        });
        let seconds = began.elapsed().as_secs_f64();
        let Some((mut row, parts, kept)) = done else {
            self.clock.interrupt(seconds);
            return;
        };
        let measured = parts.measuring.as_secs_f64();
        self.clock.add(seconds, measured, &self.session);
        self.run_log.add(self.session.columns(), &row, parts);
        if kept.is_err() {
            let event = self.saving.report(kept);
            self.tell(event);
        }
        row.set(
            self.session.columns(),
            &progress::SECONDS,
            (self.clock.seconds * 1e3).round() / 1e3,
        );
        self.is_target_met = self
            .until
            .as_ref()
            .is_some_and(|until| until.is_met(self.session.columns(), &row));
        self.report_target();
        let hit = self.breakpoints.observe(self.session.columns(), &row);
        let best = self.breakpoints.best();
        self.clock.progress.set_best(best);
        let is_end = self.is_done() || hit.is_some();
        self.saving.push(&row, (best, is_end), &self.session);
        let generation = row.generation();
        self.outbox.push(row);
        self.steps = self.steps.saturating_sub(1);
        if let Some(reason) = hit {
            self.pause_at_breakpoint(generation, reason);
        }
    }
}

/// The message of a panic.
fn panic_message(panic: &(dyn Any + Send)) -> String {
    let message = panic.downcast_ref::<&str>().map(ToString::to_string);
    message
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "panic without a message".to_owned())
}
