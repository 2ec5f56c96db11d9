//! `finches watch` without a screen: the rows of a run that another process evolves, as they come.

use std::io::{self, BufWriter, Write};

use crossbeam_channel::select;
use signal_hook::consts::SIGTERM;

use crate::metrics::{Columns, Row};
use crate::run::follow::{Following, Seen};
use crate::run::message::{Event, Phase};
use crate::storage::saves::Saves;

use super::{Stop, headless, output};

/// Prints rows until the run is done or a signal comes. A run that is not there yet is waited for.
pub(super) fn rows(saves: Saves, run: String) -> Result<(), Stop> {
    let following = Following::start(saves, run)?;
    let signals = headless::signals()?;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut columns = None;
    loop {
        let seen = select! {
            recv(following.seen()) -> seen => seen,
            recv(signals) -> signal => {
                let signal = signal.unwrap_or(SIGTERM as u8);
                return Err(Stop::Code(128 + signal));
            }
        };
        match seen {
            Err(_) => return Err(Stop::Failure("the follower has ended by a bug".to_owned())),
            Ok(Seen::Missing(words)) if columns.is_some() => return Err(Stop::Failure(words)),
            Ok(Seen::Missing(words)) => {
                output::say(&format!(
                    "finches: {words}; waiting for it, ctrl-c ends that"
                ));
            }
            Ok(Seen::Run(found)) => {
                let from = printed(columns.as_ref());
                let rows = found.rows.iter().filter(|row| row.generation() >= from);
                let known = found.facts.columns.clone();
                let next = print(rows, &known, &mut out)?.unwrap_or(from);
                columns = Some((known, next));
            }
            Ok(Seen::News(Event::Rows(rows, _))) => {
                if let Some((known, next)) = &mut columns {
                    let from = *next;
                    let rows = rows.iter().filter(|row| row.generation() >= from);
                    *next = print(rows, known, &mut out)?.unwrap_or(from);
                }
            }
            Ok(Seen::News(Event::Phase(Phase::Done))) => return Ok(()),
            Ok(Seen::News(_)) => {}
        }
    }
}

/// The generation from which on rows have not been printed. What a resumed run does again, it does the same.
fn printed(columns: Option<&(Columns, u64)>) -> u64 {
    columns.map_or(0, |(_, next)| *next)
}

/// Prints rows; the generation that comes after the last of them.
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
