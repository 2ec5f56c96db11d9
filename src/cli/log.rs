//! Sets up the log. `FINCHES_LOG` selects what is logged, as a level or levels by module.

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;

use finches_runs::log::{Level, LogBuffer, LogEntry, parse_levels};

use super::{CliError, output};

/// The log of a dashboard. Nothing is printed; more is kept for the Log screen than is written to
/// the log file of the run.
#[cfg(feature = "dashboard")]
pub(super) fn for_dashboard() -> Result<LogBuffer, CliError> {
    Ok(LogBuffer::install(wanted()?, LevelFilter::DEBUG))
}

/// The log of a run without a screen. Warnings are printed to standard error, or whatever
/// `FINCHES_LOG` selects.
pub(super) fn for_script() -> Result<LogBuffer, CliError> {
    let wanted = wanted()?;
    let least = if wanted.is_some() {
        Level::TRACE
    } else {
        Level::WARN
    };
    let buffer = LogBuffer::install(wanted, LevelFilter::INFO);
    buffer.on_entry(move |entry| {
        if entry.level <= least && !is_already_reported(entry) {
            output::eprint_line(&format!("finches: {}", entry.line()));
        }
    });
    Ok(buffer)
}

/// Whether the run's reporter prints the same information itself.
fn is_already_reported(entry: &LogEntry) -> bool {
    entry.module == "run" && entry.level <= Level::WARN
}

fn wanted() -> Result<Option<Targets>, CliError> {
    let text = std::env::var("FINCHES_LOG").unwrap_or_default();
    if text.trim().is_empty() {
        return Ok(None);
    }
    let wanted = parse_levels(text.trim())
        .map_err(|error| CliError::Usage(format!("FINCHES_LOG: {error}")))?;
    Ok(Some(wanted))
}
