//! `finches watch` without a screen: prints the rows of a run that another process evolves, or says
//! in sentences what has changed.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use clap::Args;
use crossbeam_channel::select;

use finches_engine::metrics::Row;
use finches_engine::metrics::history::Goal;
use finches_engine::text::{percentage, whole};
use finches_runs::run::RunInfo;
use finches_runs::run::follow::{FollowEvent, RunFollower};
use finches_runs::run::message::{Phase, RunEvent, Speed};
use finches_runs::signals::SIGTERM;
use finches_runs::storage::experiments::is_experiment;
use finches_runs::storage::saves::Saves;

use super::{CliError, SavesOption, headless, output};

/// The least time between two sentences.
const QUIET: Duration = Duration::from_secs(15);

/// Options of `finches watch`.
#[derive(Debug, Args)]
pub(super) struct WatchArgs {
    /// Name or folder of the run, which need not exist yet.
    run: String,
    /// Print one JSON object per generation instead of opening the dashboard.
    #[arg(long)]
    json: bool,
    /// Say in a sentence what has changed, a few times a minute, instead of opening the
    /// dashboard.
    #[arg(long, conflicts_with = "json")]
    plain: bool,
    #[command(flatten)]
    saves: SavesOption,
    #[cfg(feature = "dashboard")]
    #[command(flatten)]
    terminal: super::terminal::TerminalOptions,
}

/// `finches watch`, on screen if there is a terminal for it.
pub(super) fn watch(args: WatchArgs) -> Result<(), CliError> {
    #[cfg(feature = "dashboard")]
    if !args.json && !args.plain && output::has_terminal() {
        return super::dashboard::watch(args.run, &args.saves, &args.terminal);
    }
    follow(args.saves.open(), args.run, args.plain)
}

/// Prints what happens until the run is done or a signal arrives. Waits for a run that does not
/// exist yet.
fn follow(saves: Saves, run: String, in_sentences: bool) -> Result<(), CliError> {
    if saves.find(&run).is_none() && is_experiment(Path::new(&run)) {
        return Err(CliError::Usage(format!(
            "{run}: is an experiment, which is watched in a terminal; the rows of its finished \
            runs are in its subfolder runs"
        )));
    }
    let unknown = saves.folder(&run).err();
    let follower = RunFollower::start(saves, run)?;
    let signals = headless::signals()?;
    let mut printer = Printer {
        out: BufWriter::new(io::stdout().lock()),
        in_sentences,
        run: None,
        next: 0,
        story: RunStory::default(),
        speed: Speed::default(),
    };
    loop {
        let event = select! {
            recv(follower.events()) -> event => event,
            recv(signals) -> signal => {
                let signal = signal.unwrap_or(SIGTERM as u8);
                return Err(CliError::ExitCode(128 + signal));
            }
        };
        match event {
            Err(_) => return Err(CliError::Failure("the follower thread panicked".to_owned())),
            Ok(FollowEvent::Missing(reason)) if printer.run.is_some() => {
                return Err(CliError::Failure(reason));
            }
            Ok(FollowEvent::Missing(reason)) => {
                let reason = unknown.as_ref().map_or(reason, ToString::to_string);
                output::eprint_line(&format!(
                    "finches: {reason}; waiting for it (Ctrl-C to stop)"
                ));
            }
            Ok(FollowEvent::Run(run)) => {
                printer.run = Some(run.info);
                printer.print(&run.rows, run.pace)?;
            }
            Ok(FollowEvent::Event(RunEvent::Rows(rows, speed))) => printer.print(&rows, speed)?,
            Ok(FollowEvent::Event(RunEvent::Phase(Phase::Done))) => return Ok(printer.end()?),
            Ok(FollowEvent::Event(_)) => {}
        }
    }
}

/// Prints what is new of a run.
struct Printer<W: Write> {
    out: W,
    /// Whether what has changed is told a few times a minute, in place of every row as JSON.
    in_sentences: bool,
    /// `None` before the run is there.
    run: Option<RunInfo>,
    /// The first generation not printed yet. A resumed run repeats the same rows, so they are not
    /// printed again.
    next: u64,
    story: RunStory,
    speed: Speed,
}

impl<W: Write> Printer<W> {
    fn print(&mut self, rows: &[Row], speed: Speed) -> io::Result<()> {
        self.speed = speed;
        let Some(run) = &self.run else { return Ok(()) };
        for row in rows.iter().filter(|row| row.generation() >= self.next) {
            if self.in_sentences {
                self.story.take(row, run);
            } else {
                writeln!(self.out, "{}", row.json(&run.columns))?;
            }
        }
        self.next = rows.last().map_or(self.next, |row| row.generation() + 1);
        let is_due = self.story.told.is_none_or(|told| told.elapsed() >= QUIET);
        if self.in_sentences && is_due {
            self.tell("")?;
        }
        self.out.flush()
    }

    fn end(&mut self) -> io::Result<()> {
        if self.in_sentences {
            self.tell("Done. ")?;
        }
        self.out.flush()
    }

    fn tell(&mut self, before: &str) -> io::Result<()> {
        let Some(sentence) = self.run.as_ref().and_then(|run| self.story.tell(run)) else {
            return Ok(());
        };
        let team = team_words(&self.speed).unwrap_or_default();
        writeln!(self.out, "{before}{sentence}{team}")
    }
}

/// How the processes of a run work, after another sentence.
fn team_words(speed: &Speed) -> Option<String> {
    let team = speed.team?;
    Some(format!(
        " {} processes play {} games a second; all but the first wait {}% of the time.",
        whole(team.processes.into()),
        whole(speed.games_per_second as u64),
        percentage(team.waiting, 0)
    ))
}

/// What has happened in a run, to be told now and then.
#[derive(Default)]
struct RunStory {
    /// The latest generation and its objective.
    latest: Option<(u64, Option<f64>)>,
    /// The generation and the objective of the best.
    best: Option<(u64, f64)>,
    /// The best that was told last.
    told_best: Option<f64>,
    told: Option<Instant>,
}

impl RunStory {
    /// Takes in the row of a generation.
    fn take(&mut self, row: &Row, run: &RunInfo) {
        let column = run.columns.objective_column();
        let value = column.and_then(|column| row.get(&run.columns, &column.name));
        self.latest = Some((row.generation(), value));
        if let (Some(column), Some(value)) = (column, value)
            && self.best.is_none_or(|(_, best)| match column.goal {
                Goal::Minimize => value < best,
                Goal::Maximize => value > best,
            })
        {
            self.best = Some((row.generation(), value));
        }
    }

    /// The sentence about the run now.
    fn tell(&mut self, run: &RunInfo) -> Option<String> {
        let (generation, value) = self.latest?;
        self.told = Some(Instant::now());
        let all = run.preset.generations;
        let place = format!("Generation {} of {}", whole(generation), whole(all));
        let Some(column) = run.columns.objective_column() else {
            return Some(format!("{place}."));
        };
        let figure = |value| column.figure(value);
        let now = value.map(|value| format!("{place}: {} {}.", column.label, figure(value)));
        let now = now.unwrap_or(place + ".");
        let Some((at, best)) = self.best else {
            return Some(now);
        };
        let best_words = format!("{} in generation {}", figure(best), whole(at));
        Some(match self.told_best.replace(best) {
            Some(before) if before.to_bits() == best.to_bits() => {
                format!("{now} Best still {best_words}.")
            }
            Some(before) => format!("{now} New best {best_words}, before {}.", figure(before)),
            None => format!("{now} Best {best_words}."),
        })
    }
}
