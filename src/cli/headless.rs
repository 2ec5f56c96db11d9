//! Runs without a screen: rows on standard output, words and a progress bar on standard error, signals heeded.

use std::io::{self, BufWriter, IsTerminal, Write};

use crossbeam_channel::{Receiver, select, unbounded};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::metrics::until::Until;
use crate::metrics::{Columns, Row};
use crate::run::Run;
use crate::run::message::{Event, Pace, Phase};

use super::{RunOptions, Stop, output};

/// Follows a run to its end and says how it went.
pub(super) fn follow(run: Run, options: &RunOptions) -> Result<(), Stop> {
    let json = options.json || !io::stdout().is_terminal();
    let goal = options
        .until
        .clone()
        .or_else(|| run.facts().preset.target());
    let mut follower = Follower::new(&run, json, goal);
    follower.go(run)
}

/// Follows a run that a screen has handed over.
pub(super) fn take_over(run: Run) -> Result<(), Stop> {
    Follower::new(&run, false, None).go(run)
}

/// What is known of the run so far.
struct Follower {
    columns: Columns,
    json: bool,
    goal: Option<Until>,
    /// Whether the goal has been met.
    is_met: bool,
    bar: ProgressBar,
    latest: Option<Row>,
    /// The best objective and its generation.
    best: Option<(f64, u64)>,
    pace: Pace,
    saved_as: Option<String>,
    title: String,
    generations: u64,
    is_unsaved: Option<String>,
}

/// Why following has ended.
enum End {
    Done,
    Signal(u8),
    Failed(String),
    /// Nobody reads the rows any more.
    Unheard,
}

impl Follower {
    fn new(run: &Run, json: bool, goal: Option<Until>) -> Self {
        let facts = run.facts();
        Self {
            columns: facts.columns.clone(),
            json,
            goal,
            is_met: false,
            bar: bar(facts.preset.generations, facts.generation),
            latest: None,
            best: None,
            pace: Pace::default(),
            saved_as: facts.saved_as.clone(),
            title: format!("{} seed {}", facts.preset.name, facts.seed),
            generations: facts.preset.generations,
            is_unsaved: None,
        }
    }

    fn go(&mut self, run: Run) -> Result<(), Stop> {
        let signals = signals()?;
        let mut out = BufWriter::new(io::stdout().lock());
        let end = loop {
            let event = select! {
                recv(run.events()) -> event => event.ok(),
                recv(signals) -> signal => break End::Signal(signal.unwrap_or(SIGTERM as u8)),
            };
            if let Some(end) = event.map_or(Some(End::Done), |event| self.take(event, &mut out)) {
                break end;
            }
        };
        let rest = run.stop();
        let ends: Vec<End> = rest
            .into_iter()
            .filter_map(|event| self.take(event, &mut out))
            .collect();
        let flushed = out.flush();
        self.bar.finish_and_clear();
        let end = match (end, flushed) {
            (End::Done, Err(error)) if error.kind() == io::ErrorKind::BrokenPipe => End::Unheard,
            (end, _) => end,
        };
        let failed = ends.into_iter().find(|end| matches!(end, End::Failed(_)));
        self.conclude(failed.unwrap_or(end))
    }

    /// Takes in an event; some end the run.
    fn take(&mut self, event: Event, out: &mut impl Write) -> Option<End> {
        match event {
            Event::Rows(rows, pace) => {
                self.pace = pace;
                for row in rows {
                    if self.json && writeln!(out, "{}", row.json(&self.columns)).is_err() {
                        return Some(End::Unheard);
                    }
                    self.note(row);
                }
                if self.json && out.flush().is_err() {
                    return Some(End::Unheard);
                }
            }
            Event::Phase(Phase::Done) => return Some(End::Done),
            Event::NotSaved(why) => {
                self.bar
                    .suspend(|| output::say(&format!("finches: nothing is being saved: {why}")));
                self.is_unsaved = Some(why);
            }
            Event::Saved { .. } => self.is_unsaved = None,
            Event::Refused(problem) => output::say(&format!("finches: {problem}")),
            Event::Failed(why) => return Some(End::Failed(why)),
            Event::Phase(_) | Event::Snapshot(_) | Event::Members(_) | Event::Turned(_) => {}
        }
        None
    }

    fn note(&mut self, row: Row) {
        let objective = row.get(&self.columns, self.objective_column());
        if let Some(value) =
            objective.filter(|&value| self.best.is_none_or(|(best, _)| value > best))
        {
            self.best = Some((value, row.generation()));
        }
        self.bar.set_position(row.generation() + 1);
        if let Some(value) = objective {
            self.bar.set_message(format!(
                "{:.1} %  {:.0} games/s",
                value * 100.0,
                self.pace.games_per_second
            ));
        }
        self.is_met |= self
            .goal
            .as_ref()
            .is_some_and(|goal| goal.is_met(&self.columns, &row));
        self.latest = Some(row);
    }

    /// The name of the column that the run is judged by.
    fn objective_column(&self) -> &str {
        let place = self.columns.objective();
        place.map_or("", |place| &self.columns.all()[place].name)
    }

    /// Says how the run went and picks the exit code.
    fn conclude(&self, end: End) -> Result<(), Stop> {
        let done = self.latest.as_ref().map_or(0, |row| row.generation() + 1);
        let mut words = vec![format!(
            "{}: generation {done} of {}, {:.1} s, {:.0} generations/s, {:.2e} games/s, {:.0} % of it measuring",
            self.title,
            self.generations,
            self.pace.seconds,
            self.pace.generations_per_second,
            self.pace.games_per_second,
            self.pace.measuring * 100.0
        )];
        if let Some((best, generation)) = self.best {
            words.push(format!(
                "best {} {best:.4} at generation {generation}",
                self.objective_column()
            ));
        }
        if let Some(name) = &self.saved_as {
            words.push(format!(
                "saved as {name}, go on with: finches resume {name}"
            ));
        }
        if !matches!(end, End::Unheard) {
            output::say(&words.join("; "));
        }
        match end {
            End::Done if self.goal.is_some() && !self.is_met => Err(Stop::Code(3)),
            End::Done | End::Unheard => Ok(()),
            End::Signal(signal) => Err(Stop::Code(128 + signal)),
            End::Failed(why) => Err(Stop::Failure(format!(
                "the run has failed in {why}; the last checkpoint is safe"
            ))),
        }
    }
}

/// A progress bar where standard error is a terminal, nothing elsewhere.
fn bar(generations: u64, done: u64) -> ProgressBar {
    let bar =
        ProgressBar::with_draw_target(Some(generations), ProgressDrawTarget::stderr_with_hz(10));
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} generations  {msg}  {eta}");
    bar.set_style(style.expect("the template is sound"));
    bar.set_position(done);
    bar
}

/// Signals that end a run. The second one ends the program at once.
pub(super) fn signals() -> Result<Receiver<u8>, Stop> {
    let mut caught = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    let (tell, told) = unbounded();
    std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            for (count, signal) in caught.forever().enumerate() {
                match (count, signal) {
                    (0, _) => {}
                    // One line that drops may be told several times, and none of that is impatience.
                    (_, SIGHUP) => continue,
                    _ => std::process::exit(128 + signal),
                }
                // The receiver lives as long as the run.
                let _ = tell.send(signal as u8);
            }
        })?;
    Ok(told)
}
