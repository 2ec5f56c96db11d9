//! Runs without a screen: rows on standard output, messages and a progress bar on standard error. A
//! signal stops the run.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::Instant;

use crossbeam_channel::{Receiver, after, never, select, unbounded};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use finches_engine::metrics::stop_condition::StopCondition;
use finches_engine::metrics::{BestGeneration, Columns, Row};
use finches_engine::text::{count, percentage, span};
use finches_runs::run::message::{Phase, RunCommand, RunEvent, Speed};
#[cfg(feature = "dashboard")]
use finches_runs::run::pace::Pace;
use finches_runs::run::progress::RunProgress;
use finches_runs::run::{Run, is_kept};
use finches_runs::signals::{EndRequest, EndRequests, SIGHUP, SIGINT, SIGTERM, SIGUSR1, Signals};
use finches_runs::storage::tensorboard::EventFile;

use super::options::EarlyEnd;
use super::{CliError, RunOptions, SavesOption, output};

/// Follows a run to its end and prints a summary. Rows are also added to the event file, if there
/// is one.
pub(super) fn follow(
    run: Run,
    options: &RunOptions,
    events: Option<EventFile>,
) -> Result<(), CliError> {
    let json = options.json || !io::stdout().is_terminal();
    let until = options.until();
    let target = match &until {
        Some(EarlyEnd::Bound(bound)) => Some(bound.clone()),
        _ => run.info().preset.stop_condition(),
    };
    let mut reporter = RunReporter::new(&run, json, target);
    reporter.until = until;
    reporter.saves = options.saves.clone();
    reporter.events = events;
    reporter.go(run)
}

/// Follows a run handed over by the dashboard.
#[cfg(feature = "dashboard")]
pub(super) fn continue_headless(run: Run, saves: SavesOption) -> Result<(), CliError> {
    // A pace is for a screen.
    run.send(RunCommand::SetPace(Pace::FULL));
    let mut reporter = RunReporter::new(&run, false, None);
    reporter.saves = saves;
    reporter.go(run)
}

/// Working time after which the speed of a run is known well enough.
const STEADY_SECONDS: f64 = 3.0;

/// Reports the progress of a run.
struct RunReporter {
    columns: Columns,
    json: bool,
    target: Option<StopCondition>,
    is_target_met: bool,
    /// What ends the run, if that was asked for.
    until: Option<EarlyEnd>,
    bar: ProgressBar,
    latest: Option<Row>,
    /// How many rows are printed.
    rows_every: u64,
    best: BestGeneration,
    /// Knows the best generation.
    progress: Arc<RunProgress>,
    speed: Speed,
    saved_as: Option<String>,
    /// Where it is saved.
    saves: SavesOption,
    title: String,
    generations: u64,
    /// Whether it has been said how long the run will take.
    is_length_told: bool,
    /// All generations before this one are on disk.
    saved: u64,
    save_error: Option<String>,
    /// The event file of the run, until it can't be written.
    events: Option<EventFile>,
    event_error: Option<String>,
}

/// Why the reporter stopped.
enum StopReason {
    Done,
    Signal(u8),
    /// The time that it was given is over.
    Time,
    /// A breakpoint, in its own words.
    Breakpoint(String),
    Failed(String),
    /// The reader of the rows is gone.
    BrokenPipe,
    /// The rows can't be written to standard output.
    Output(io::Error),
}

impl RunReporter {
    fn new(run: &Run, json: bool, target: Option<StopCondition>) -> Self {
        let info = run.info();
        Self {
            columns: info.columns.clone(),
            json,
            target,
            is_target_met: false,
            until: None,
            bar: bar(info.preset.generations, info.generation, BAR),
            latest: None,
            rows_every: info.rows_every,
            best: run.progress().best(),
            progress: Arc::clone(run.progress()),
            speed: Speed::default(),
            saved_as: info.saved_as.clone(),
            saves: SavesOption::default(),
            title: format!("{} seed {}", info.preset.name, info.seed),
            generations: info.preset.generations,
            is_length_told: false,
            saved: info.generation,
            save_error: None,
            events: None,
            event_error: None,
        }
    }

    fn go(&mut self, run: Run) -> Result<(), CliError> {
        let (signals, save_requests) = (signals()?, save_requests()?);
        let timer = match self.until {
            Some(EarlyEnd::Time(time)) => after(time),
            _ => never(),
        };
        let mut out = BufWriter::new(io::stdout().lock());
        let end = loop {
            let event = select! {
                recv(run.events()) -> event => event.ok(),
                recv(signals) -> signal => {
                    let words = "finches: saving; Ctrl-C again gives up";
                    self.bar.suspend(|| output::eprint_line(words));
                    break StopReason::Signal(signal.unwrap_or(SIGTERM as u8));
                }
                recv(timer) -> _ => break StopReason::Time,
                recv(save_requests) -> _ => {
                    run.send(RunCommand::Save);
                    continue;
                }
            };
            if let Some(end) =
                event.map_or(Some(StopReason::Done), |event| self.handle(event, &mut out))
            {
                break end;
            }
        };
        let remaining = run.stop();
        let ends: Vec<StopReason> = remaining
            .into_iter()
            .filter_map(|event| self.handle(event, &mut out))
            .collect();
        let flushed = out.flush();
        self.bar.finish_and_clear();
        let end = match (end, flushed) {
            (StopReason::Done, Err(error)) => output_failed(error),
            (end, _) => end,
        };
        let failed = ends
            .into_iter()
            .find(|end| matches!(end, StopReason::Failed(_)));
        self.conclude(failed.unwrap_or(end))
    }

    /// Handles an event; some end the run.
    fn handle(&mut self, event: RunEvent, out: &mut impl Write) -> Option<StopReason> {
        match event {
            RunEvent::Rows(rows, speed) => {
                self.speed = speed;
                self.write_events(&rows);
                for row in rows {
                    self.note(row);
                    let latest = self
                        .latest
                        .as_ref()
                        .filter(|row| self.json && self.keeps(row));
                    if let Some(row) = latest
                        && let Err(error) = writeln!(out, "{}", row.json(&self.columns))
                    {
                        return Some(output_failed(error));
                    }
                }
                self.tell_length();
                if let (true, Err(error)) = (self.json, out.flush()) {
                    return Some(output_failed(error));
                }
            }
            RunEvent::Phase(Phase::Done) => return Some(StopReason::Done),
            RunEvent::NotSaved(reason) => {
                self.bar
                    .suspend(|| output::eprint_line(&format!("finches: saving failed: {reason}")));
                self.save_error = Some(reason);
            }
            RunEvent::Repaired(words) => self
                .bar
                .suspend(|| output::eprint_line(&format!("finches: {words}"))),
            RunEvent::Saved { generation } => {
                self.saved = generation;
                self.save_error = None;
            }
            RunEvent::Rejected(problem) => output::eprint_line(&format!("finches: {problem}")),
            RunEvent::Failed(reason) => return Some(StopReason::Failed(reason)),
            RunEvent::BreakpointHit { reason, .. } => {
                return Some(StopReason::Breakpoint(reason));
            }
            RunEvent::Phase(_)
            | RunEvent::Snapshot(_)
            | RunEvent::Learned(_)
            | RunEvent::Members(_)
            | RunEvent::TargetReached(_)
            | RunEvent::Changed(_) => {}
        }
        None
    }

    /// Adds rows to the event file. Where that fails, the run goes on without the file.
    fn write_events(&mut self, rows: &[Row]) {
        let written = self.events.as_mut().map(|events| events.write(rows));
        if let Some(Err(error)) = written {
            let words = format!(
                "finches: TensorBoard's events can't be written: {error}; the run goes on without \
                them"
            );
            self.bar.suspend(|| output::eprint_line(&words));
            self.event_error = Some(error.to_string());
            self.events = None;
        }
    }

    /// Whether a row is printed, which is the latest.
    fn keeps(&self, row: &Row) -> bool {
        let is_end = self.is_target_met || row.generation() + 1 == self.generations;
        is_kept(self.rows_every, row, self.best, is_end)
    }

    fn note(&mut self, row: Row) {
        self.best.observe(&self.columns, &row);
        let objective = row.get(&self.columns, self.objective_column());
        self.bar.set_position(row.generation() + 1);
        if let Some(value) = objective {
            self.bar.set_message(format!(
                "{}%  {} games/s",
                percentage(value, 1),
                per_second(self.speed.games_per_second)
            ));
        }
        self.is_target_met |= self
            .target
            .as_ref()
            .is_some_and(|target| target.is_met(&self.columns, &row));
        self.latest = Some(row);
    }

    /// Says once how long a long run will take at its present speed.
    fn tell_length(&mut self) {
        let done = self.latest.as_ref().map_or(0, |row| row.generation() + 1);
        let left = self.generations.saturating_sub(done) as f64;
        let seconds = left / self.speed.generations_per_second;
        // The first generation may have taken far longer than those after it.
        let is_measured = done > 1 && self.speed.seconds >= STEADY_SECONDS && seconds.is_finite();
        if self.is_length_told || !is_measured {
            return;
        }
        self.is_length_told = true;
        if seconds > 3600.0 {
            let words = format!(
                "finches: about {} to go at this speed; Ctrl-C stops and saves, resume continues",
                span(seconds)
            );
            self.bar.suspend(|| output::eprint_line(&words));
        }
    }

    /// The name of the objective column.
    fn objective_column(&self) -> &str {
        let objective = self.columns.objective_column();
        objective.map_or("", |column| &column.name)
    }

    /// The condition that was to end the run.
    fn condition(&self) -> Option<String> {
        match &self.until {
            Some(EarlyEnd::Breakpoint(breakpoint)) => Some(breakpoint.to_string()),
            _ => self.target.as_ref().map(ToString::to_string),
        }
    }

    /// Prints a summary of the run and picks the exit code.
    fn conclude(&self, end: StopReason) -> Result<(), CliError> {
        let done = self.latest.as_ref().map_or(0, |row| row.generation() + 1);
        let mut parts = vec![format!(
            "{}: generation {done} of {}, {:.1} s, {} generations/s, {} games/s, {}% of the time \
            measuring",
            self.title,
            self.generations,
            self.speed.seconds,
            per_second(self.speed.mean.generations_per_second),
            per_second(self.speed.mean.games_per_second),
            percentage(self.speed.mean.measuring, 0)
        )];
        if let Some((generation, best)) = self.progress.best().0 {
            parts.push(format!(
                "best {} {best:.4} at generation {generation}",
                self.objective_column()
            ));
        }
        match (&end, self.condition()) {
            (StopReason::Breakpoint(reason), _) => parts.push(format!("ended at {reason}")),
            (StopReason::Time, _) => parts.push("its time is over".to_owned()),
            (StopReason::Done, _) if self.is_target_met => {
                parts.extend(
                    self.target
                        .as_ref()
                        .map(|target| format!("ended at {target}")),
                );
            }
            (StopReason::Done, Some(condition)) => parts.push(format!("{condition} not reached")),
            _ => {}
        }
        let has_bound = matches!(self.until, Some(EarlyEnd::Bound(_)));
        match (&self.saved_as, &self.save_error) {
            // It goes on only with another condition.
            (Some(name), None) if self.is_target_met && !has_bound => {
                parts.push(format!("saved as {name}"));
            }
            (Some(name), None) => parts.push(format!(
                "saved as {name}; continue with: {}",
                self.saves.resume_command(name, done, self.generations)
            )),
            (Some(name), Some(_)) => parts.push(format!(
                "NOT SAVED from generation {} on (in {name})",
                self.saved
            )),
            (None, _) => {}
        }
        if !matches!(end, StopReason::BrokenPipe) {
            output::eprint_line(&parts.join("; "));
        }
        let saved_as = self.saved_as.as_ref();
        let unsaved = saved_as.and(self.save_error.as_ref());
        match (end, unsaved) {
            (StopReason::Failed(reason), _) => Err(CliError::Failure(format!(
                "the run failed in {reason}; the last checkpoint is intact"
            ))),
            (StopReason::Output(error), _) => Err(CliError::Failure(format!(
                "the rows can't be written to standard output: {error}; the run was stopped"
            ))),
            (_, Some(reason)) => Err(CliError::Failure(format!("saving failed: {reason}"))),
            (StopReason::Signal(signal), None) => Err(CliError::ExitCode(128 + signal)),
            (StopReason::Done, None) if self.condition().is_some() && !self.is_target_met => {
                Err(CliError::ExitCode(3))
            }
            (_, None) => match &self.event_error {
                Some(reason) => Err(CliError::Failure(format!(
                    "TensorBoard's events are not complete: {reason}"
                ))),
                None => Ok(()),
            },
        }
    }
}

/// A number per second: a small one with decimals.
fn per_second(value: f64) -> String {
    match value {
        ..0.995 => format!("{value:.2}"),
        ..9.95 => format!("{value:.1}"),
        _ => count(value),
    }
}

/// How a run ends when its rows can't be written. A reader that has seen enough closes the pipe,
/// which is no error.
fn output_failed(error: io::Error) -> StopReason {
    match error.kind() {
        io::ErrorKind::BrokenPipe => StopReason::BrokenPipe,
        _ => StopReason::Output(error),
    }
}

/// The bar of a run.
const BAR: &str = "{bar:30} {pos}/{len} generations  {msg}  {eta}";

/// A progress bar; hidden unless standard error is a terminal.
pub(super) fn bar(all: u64, done: u64, template: &str) -> ProgressBar {
    let target = ProgressDrawTarget::stderr_with_hz(10);
    let style = ProgressStyle::with_template(template).expect("the template is valid");
    let bar = ProgressBar::with_draw_target(Some(all), target).with_style(style);
    bar.with_position(done)
}

/// The signals that ask a run to be saved and to go on.
fn save_requests() -> Result<Receiver<()>, CliError> {
    let mut caught = Signals::new([SIGUSR1])?;
    let (sender, receiver) = unbounded();
    let pass_on = move || caught.forever().try_for_each(|_| sender.send(()));
    let thread = std::thread::Builder::new().name("save requests".to_owned());
    thread.spawn(pass_on)?;
    Ok(receiver)
}

/// The first signal that ends a run. Ctrl-C a while after it ends the program at once.
pub(super) fn signals() -> Result<Receiver<u8>, CliError> {
    let mut caught = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    let (sender, receiver) = unbounded();
    std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            let mut requests = EndRequests::default();
            for signal in caught.forever() {
                match requests.take(signal, Instant::now()) {
                    // The receiver may be gone once the run has ended.
                    EndRequest::First => drop(sender.send(signal as u8)),
                    EndRequest::Repeated => {}
                    EndRequest::GiveUp => std::process::exit(128 + signal),
                }
            }
        })?;
    Ok(receiver)
}

/// Sets the flag when a signal arrives. The returned value is the signal, or 0.
pub(super) fn halt_on_signal(halt: &Arc<AtomicBool>) -> Result<Arc<AtomicU8>, CliError> {
    let (signals, halt) = (signals()?, Arc::clone(halt));
    let received = Arc::new(AtomicU8::new(0));
    let store = Arc::clone(&received);
    std::thread::spawn(move || {
        if let Ok(signal) = signals.recv() {
            store.store(signal, Ordering::Relaxed);
            halt.store(true, Ordering::Relaxed);
        }
    });
    Ok(received)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_short_and_never_look_like_a_standstill() {
        for (value, expected) in [
            (0.04, "0.04"),
            (0.996, "1.0"),
            (9.96, "10"),
            (10.0, "10"),
            (12345.6, "12,346"),
        ] {
            assert_eq!(per_second(value), expected);
        }
    }
}
