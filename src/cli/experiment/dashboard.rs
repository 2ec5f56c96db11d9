//! `finches experiment --dashboard`: the runs with their screen.

use std::sync::Arc;

use crate::cli::progress::damaged_message;
use crate::cli::terminal::TerminalOptions;
use crate::cli::{CliError, output};
use finches_dashboard::screens::experiment::ExperimentSetup;
use finches_engine::metrics::progress_unit::ProgressUnit;
use finches_lab::experiment::{ExperimentEnd, ExperimentError, Shard, columns};
use finches_runs::signals::SIGINT;
use finches_runs::storage::experiments::ExperimentFolder;

use super::stopped_error;

/// What the dashboard shows at first.
pub(in crate::cli) struct DashboardView<'a> {
    /// The column of the charts; `None` is the objective.
    pub(in crate::cli) column: Option<String>,
    /// The unit of the x-axis.
    pub(in crate::cli) x_unit: ProgressUnit,
    /// The terminal.
    pub(in crate::cli) terminal: &'a TerminalOptions,
}

/// Does the remaining runs while the dashboard shows them. If the user does not wait for them to stop, workers may still be in the
/// middle of a long game; they end with the process.
pub(in crate::cli) fn run_with_dashboard(
    view: &DashboardView<'_>,
    folder: &Arc<ExperimentFolder>,
    shard: Shard,
    threads: usize,
) -> Result<ExperimentEnd, CliError> {
    let manifest = folder.manifest();
    let columns: Result<Vec<_>, ExperimentError> = manifest.presets.iter().map(columns).collect();
    let setup = ExperimentSetup {
        manifest: manifest.clone(),
        columns: columns?,
        shard,
        threads,
        folder: folder.root().display().to_string(),
        column: view.column.clone(),
        x_unit: view.x_unit,
    };
    let exit = finches_dashboard::run_experiment(setup, folder, view.terminal.setup()?)
        .map_err(|error| CliError::Failure(error.to_string()))?;
    for error in &exit.damaged {
        output::eprint_line(&damaged_message(error));
    }
    match exit.ended.transpose()? {
        Some(ended @ (ExperimentEnd::Done | ExperimentEnd::Waiting)) => Ok(ended),
        Some(ExperimentEnd::Halted) | None => {
            let signal = exit.signal.unwrap_or(SIGINT);
            Err(stopped_error(folder, signal as u8))
        }
    }
}
