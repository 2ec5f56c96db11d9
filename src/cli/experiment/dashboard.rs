//! `finches experiment --dashboard`: the runs with their screen.

use std::sync::Arc;

use crate::cli::batch::FirstView;
use crate::cli::progress::damaged_message;
use crate::cli::{CliError, output};
use finches_dashboard::TerminalSettings;
use finches_dashboard::screens::runs::ExperimentSetup;
use finches_lab::experiment::{ExperimentEnd, Shard, all_columns};
use finches_runs::signals::SIGINT;
use finches_runs::storage::experiments::ExperimentFolder;

use super::stopped_error;

/// Does the remaining runs while the dashboard shows them. If the user does not wait for them to
/// stop, workers may still be in the middle of a long game; they end with the process.
pub(in crate::cli) fn run(
    view: FirstView,
    terminal: TerminalSettings,
    folder: &Arc<ExperimentFolder>,
    (shard, threads): (Shard, usize),
) -> Result<ExperimentEnd, CliError> {
    let manifest = folder.manifest();
    let setup = ExperimentSetup {
        manifest: manifest.clone(),
        columns: all_columns(manifest)?,
        shard,
        threads,
        folder: folder.root().display().to_string(),
        column: view.column,
        x_unit: view.x_unit,
    };
    let exit = finches_dashboard::run_experiment(setup, folder, terminal)
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
