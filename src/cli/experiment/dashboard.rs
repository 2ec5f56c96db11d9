//! `finches experiment --dashboard`: the runs on one thread, the screens on another.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::unbounded;
use signal_hook::consts::SIGINT;

use crate::cli::progress::damaged_message;
use crate::cli::{CliError, output};
use crate::experiment::{
    ExperimentEnd, ExperimentError, ExperimentEvent, RunSpec, Shard, columns, run,
};
use crate::storage::experiments::ExperimentFolder;
use crate::ui;
use crate::ui::experiment::ExitReason;
use crate::ui::experiment::model::ExperimentSetup;

use super::{ExperimentArgs, stopped_error};

/// Does the remaining runs on another thread while the dashboard shows them.
pub(super) fn run_with_dashboard(
    args: &ExperimentArgs,
    folder: &ExperimentFolder,
    shard: Shard,
    threads: usize,
    halt: &AtomicBool,
) -> Result<(), CliError> {
    let manifest = folder.manifest();
    let columns: Result<Vec<_>, ExperimentError> = manifest.presets.iter().map(columns).collect();
    let setup = ExperimentSetup {
        manifest: manifest.clone(),
        columns: columns?,
        shard,
        threads,
        folder: folder.root().display().to_string(),
        column: args.column.clone(),
        x_unit: args.over.into(),
    };
    let terminal = args.terminal.setup()?;
    let (sender, events) = unbounded();
    let run_all = |on_event: &(dyn Fn(ExperimentEvent) + Sync)| {
        run(&RunSpec {
            folder,
            shard,
            threads,
            halt,
            on_event,
        })
    };
    thread::scope(|scope| {
        // The dashboard may have been closed.
        let worker = scope.spawn(move || run_all(&|event| drop(sender.send(event))));
        let outcome = ui::experiment::show_experiment(setup, folder, &events, halt, terminal);
        halt.fetch_or(outcome.is_err(), Ordering::Relaxed);
        let exit = outcome.map_err(|error| CliError::Failure(error.to_string()));
        for error in exit.iter().flat_map(|exit| &exit.damaged) {
            output::eprint_line(&damaged_message(error));
        }
        if let Ok(ExitReason::Immediately(signal)) = exit.as_ref().map(|exit| exit.how) {
            // Exit at once; workers may still be in the middle of a long game.
            let _ = stopped_error(folder, signal as u8);
            std::process::exit(128 + signal);
        }
        let ended = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
        match (exit?.how, ended?) {
            (
                ExitReason::Stopped(signal) | ExitReason::Immediately(signal),
                ExperimentEnd::Halted,
            ) => Err(stopped_error(folder, signal as u8)),
            (ExitReason::Finished, ExperimentEnd::Halted) => {
                Err(stopped_error(folder, SIGINT as u8))
            }
            (_, ExperimentEnd::Done) => Ok(()),
        }
    })
}
