//! `finches watch` without a screen: prints the rows of a run that another process evolves.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use crossbeam_channel::select;

use finches_engine::metrics::{Columns, Row};
use finches_runs::run::follow::{FollowEvent, RunFollower};
use finches_runs::run::message::{Phase, RunEvent};
use finches_runs::signals::SIGTERM;
use finches_runs::storage::experiments::is_experiment;
use finches_runs::storage::saves::Saves;

use super::{CliError, headless, output};

/// Prints rows until the run is done or a signal arrives. Waits for a run that does not exist yet.
pub(super) fn print_rows(saves: Saves, run: String) -> Result<(), CliError> {
    if saves.find(&run).is_none() && is_experiment(Path::new(&run)) {
        return Err(CliError::Usage(format!(
            "{run}: is an experiment, which is watched in a terminal; the rows of its finished \
            runs are in its subfolder runs"
        )));
    }
    let follower = RunFollower::start(saves, run)?;
    let signals = headless::signals()?;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut printed = None;
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
            Ok(FollowEvent::Missing(reason)) if printed.is_some() => {
                return Err(CliError::Failure(reason));
            }
            Ok(FollowEvent::Missing(reason)) => {
                output::eprint_line(&format!(
                    "finches: {reason}; waiting for it (Ctrl-C to stop)"
                ));
            }
            Ok(FollowEvent::Run(run)) => {
                let from = next_generation(printed.as_ref());
                let rows = run.rows.iter().filter(|row| row.generation() >= from);
                let columns = run.info.columns.clone();
                let next = print(rows, &columns, &mut out)?.unwrap_or(from);
                printed = Some((columns, next));
            }
            Ok(FollowEvent::Event(RunEvent::Rows(rows, _))) => {
                if let Some((columns, next)) = &mut printed {
                    let from = *next;
                    let rows = rows.iter().filter(|row| row.generation() >= from);
                    *next = print(rows, columns, &mut out)?.unwrap_or(from);
                }
            }
            Ok(FollowEvent::Event(RunEvent::Phase(Phase::Done))) => return Ok(()),
            Ok(FollowEvent::Event(_)) => {}
        }
    }
}

/// The first generation not printed yet. A resumed run repeats the same rows, so they are not
/// printed again.
fn next_generation(printed: Option<&(Columns, u64)>) -> u64 {
    printed.map_or(0, |(_, next)| *next)
}

/// Prints rows, and returns the generation after the last of them.
fn print<'a>(
    rows: impl Iterator<Item = &'a Row>,
    columns: &Columns,
    out: &mut impl Write,
) -> io::Result<Option<u64>> {
    let mut next = None;
    for row in rows {
        writeln!(out, "{}", row.json(columns))?;
        next = Some(row.generation() + 1);
    }
    out.flush()?;
    Ok(next)
}
