//! Options of commands that do many runs in a folder, and how these commands do them: as a whole or
//! a shard, on a dashboard or with progress bars, here or as the jobs of a scheduler.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use finches_engine::metrics::progress_unit::ProgressUnit;
use finches_lab::experiment::{ExperimentEnd, Shard};
use finches_runs::storage::experiments::ExperimentFolder;
use finches_runs::storage::experiments::manifest::Manifest;

use super::emit::EmitOptions;
use super::experiment::run_within;
use super::options::{RUN_THREADS, ThreadsOption};
use super::shard::begin_shard;
#[cfg(feature = "dashboard")]
use super::terminal::TerminalOptions;
use super::{CliError, CostOption, log};
#[cfg(feature = "dashboard")]
use super::{experiment, output};

/// Options of commands that do many runs.
#[derive(Clone, Debug, Args)]
#[command(mut_arg("threads", |threads| threads.help(RUN_THREADS)))]
pub(super) struct BatchOptions {
    /// Folder of the experiment [default: experiments/ and the names of the presets]. Runs already
    /// finished there are not repeated.
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    #[command(flatten)]
    pub(super) threads: ThreadsOption,
    /// Do only every N-th run, starting with the I-th. When all are done, the same command without
    /// --shard summarizes them.
    #[arg(long, value_name = "I/N", value_parser = Shard::parse)]
    pub(super) shard: Option<Shard>,
    /// Print the summary as JSON.
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) cost: CostOption,
    #[command(flatten)]
    pub(super) emit: EmitOptions,
    /// Show a dashboard with the results so far. Ignored without a terminal.
    ///
    /// q or Ctrl-C stops; the same command continues. Press it again to quit at once.
    /// When all runs are done, the dashboard stays open until q; then the summary is printed.
    #[arg(long, conflicts_with = "emit", hide = cfg!(not(feature = "dashboard")))]
    dashboard: bool,
    #[cfg(feature = "dashboard")]
    #[command(flatten)]
    terminal: TerminalOptions,
}

/// What the dashboard shows at first.
#[derive(Default)]
#[cfg_attr(
    not(feature = "dashboard"),
    allow(dead_code, reason = "only the dashboard reads it")
)]
pub(super) struct FirstView {
    /// The column of the charts; `None` is the objective.
    pub(super) column: Option<String>,
    /// The unit of the x-axis.
    pub(super) x_unit: ProgressUnit,
}

/// What ends runs before they are done.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RunLimits {
    /// The time after which they stop.
    pub(super) time: Option<Duration>,
    /// Whether islands that lack a champion stop instead of waiting for it.
    pub(super) no_wait: bool,
}

impl BatchOptions {
    /// Sets up the log, unless the dashboard has one.
    pub(super) fn log(&self) -> Result<(), CliError> {
        if !self.dashboard {
            log::for_script()?;
        }
        Ok(())
    }

    /// Refuses runs that take much memory or disk, unless the user has agreed.
    pub(super) fn check_cost(&self, manifest: &Manifest) -> Result<(), CliError> {
        let mut presets = manifest.presets.iter();
        presets.try_for_each(|preset| self.cost.check(preset))
    }

    /// The part of the runs that is asked for.
    pub(super) fn shard(&self) -> Shard {
        self.shard.unwrap_or(Shard::WHOLE)
    }

    /// Begins the experiment in a folder, or continues it there.
    pub(super) fn begin(
        &self,
        root: &Path,
        manifest: &Manifest,
    ) -> Result<Arc<ExperimentFolder>, CliError> {
        Ok(Arc::new(begin_shard(root, manifest, self.shard())?))
    }

    /// Writes job files. Where they are done, the same command without a shard writes the summary.
    pub(super) fn write_jobs(&self, root: &Path, manifest: Manifest) -> Result<(), CliError> {
        self.emit.write(root, manifest, |_, same_words| same_words)
    }

    /// Does the remaining runs within limits. A signal stops them between two games.
    pub(super) fn run(
        &self,
        folder: &Arc<ExperimentFolder>,
        view: FirstView,
        limits: RunLimits,
    ) -> Result<ExperimentEnd, CliError> {
        let (shard, threads) = (self.shard(), self.threads.count());
        #[cfg(feature = "dashboard")]
        if self.dashboard && output::has_terminal() {
            let terminal = self.terminal.setup()?;
            return experiment::dashboard::run(view, terminal, folder, (shard, threads));
        }
        #[cfg(not(feature = "dashboard"))]
        drop(view);
        run_within(folder, (shard, threads), limits)
    }
}
