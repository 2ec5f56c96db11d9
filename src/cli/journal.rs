//! What becomes of what the program tells of itself: `FINCHES_LOG` says how much, as a level or levels by part.

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;

use crate::journal::{Entry, Journal, Level, levels};

use super::{Stop, output};

/// The journal of a dashboard: it prints nothing, and keeps more than it writes to the log of the run.
pub(super) fn of_dashboard() -> Result<Journal, Stop> {
    Ok(Journal::install(wanted()?, LevelFilter::DEBUG))
}

/// The journal of a run without a screen: warnings are said on standard error, and more where it is asked for.
pub(super) fn of_script() -> Result<Journal, Stop> {
    let wanted = wanted()?;
    let least = if wanted.is_some() {
        Level::TRACE
    } else {
        Level::WARN
    };
    let journal = Journal::install(wanted, LevelFilter::INFO);
    journal.speak(move |entry| {
        if entry.level <= least && !is_said(entry) {
            output::say(&format!("finches: {}", entry.line()));
        }
    });
    Ok(journal)
}

/// Whether whoever follows the run says it already.
fn is_said(entry: &Entry) -> bool {
    entry.part == "run" && entry.level <= Level::WARN
}

fn wanted() -> Result<Option<Targets>, Stop> {
    let text = std::env::var("FINCHES_LOG").unwrap_or_default();
    if text.trim().is_empty() {
        return Ok(None);
    }
    let wanted =
        levels(text.trim()).map_err(|fault| Stop::Usage(format!("FINCHES_LOG: {fault}")))?;
    Ok(Some(wanted))
}
