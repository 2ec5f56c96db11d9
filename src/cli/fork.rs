//! `finches fork`: a second run that goes on from a generation of a saved run with other
//! parameters, or a comparison of both branches over several seeds, which is an experiment.

use std::path::Path;
use std::slice;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;

use finches_engine::params::key_value;
use finches_engine::preset::MAX_GENERATIONS;
use finches_engine::session::SessionState;
use finches_lab::experiment::Shard;
use finches_lab::experiment::collect::{CollectedRuns, collect};
use finches_lab::experiment::fork::results::ForkResults;
use finches_lab::experiment::fork::{Fork, forkable};
use finches_runs::storage::saves::{LoadedRun, Saves};
use finches_runs::storage::states;

use super::batch::{BatchOptions, FirstView, RunLimits};
use super::experiment::{report_missing, tell_shard_done, write_results};
use super::{CliError, SavesOption, headless, output};

/// The most seeds of a comparison.
const MAX_SEEDS: u64 = 1000;

/// The run, the change, and what to do with it.
#[derive(Clone, Debug, Args)]
#[command(
    mut_arg("out", |arg| arg.requires("seeds").help(
        "Folder of the comparison [default: experiments/RUN-from-G]. Runs already finished there \
        are not repeated"
    )),
    mut_arg("shard", |arg| arg.requires("seeds")),
    mut_arg("json", |arg| arg.requires("seeds")),
    mut_arg("emit", |arg| arg.requires("seeds")),
    mut_arg("dashboard", |arg| arg.requires("seeds")),
)]
pub(super) struct ForkArgs {
    /// Name or folder of the run.
    run: String,
    /// The first generation with the change [default: that of the last parameter change].
    #[arg(long, value_name = "G")]
    at: Option<u64>,
    /// Change a parameter, e.g. `--set add_node=0.4`, or how members play, meet, are valued and
    /// selected, e.g. `--set 'agent=alpha_beta(depth: 2)'` [default: leave out the changes that the
    /// run made in that generation].
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    changes: Vec<(String, String)>,
    /// Save no second run, but evolve with and without the change for N seeds each, as an
    /// experiment, and print the differences.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_SEEDS))]
    seeds: Option<u64>,
    /// The generation before which the comparison stops [default: the last generation of the run].
    #[arg(
        long,
        value_name = "N",
        requires = "seeds",
        value_parser = clap::value_parser!(u64).range(1..=MAX_GENERATIONS),
    )]
    generations: Option<u64>,
    #[command(flatten)]
    place: SavesOption,
    #[command(flatten)]
    batch: BatchOptions,
}

/// Forks a saved run.
pub(super) fn fork(args: &ForkArgs) -> Result<(), CliError> {
    args.batch.log()?;
    let saves = args.place.open();
    saves.check_alone(&args.run)?;
    let LoadedRun {
        name,
        run,
        state: SessionState {
            generation: done, ..
        },
        ..
    } = saves.load(&args.run)?;
    args.batch.cost.check(&run.preset)?;
    let latest = || forkable(&run.interventions).next_back();
    let at = args.at.or_else(|| Some(latest()?.generation)).unwrap_or(0);
    if at > done {
        return Err(CliError::Usage(format!(
            "{name}: has done {done} generations; choose from 0 to {done} with --at"
        )));
    }
    let fork = Fork::new(run, at, &args.changes)?;
    match args.seeds {
        None => save(args, &fork, &saves, &name),
        Some(seeds) => compare(args, &fork, &saves, (&name, done, seeds)),
    }
}

/// Saves a second run.
fn save(args: &ForkArgs, fork: &Fork, saves: &Saves, name: &str) -> Result<(), CliError> {
    let known = states::before(saves, &args.run, fork.generation());
    let threads = args.batch.threads.count();
    let state = until_signal(|halt| Ok(fork.state(known, threads, halt, &|_| {})?))?;
    let (_, rows) = saves.metrics(&args.run)?;
    let fork_name = fork.save(saves, name, state, &rows)?;
    let generations = saves.run_file(&fork_name)?.preset.generations;
    let resume = (args.place).resume_command(&fork_name, fork.generation(), generations);
    output::print(&format!(
        "saved as {fork_name}; continue it with: {resume}\n"
    ))
}

/// Does both branches as an experiment, and prints the differences.
fn compare(
    args: &ForkArgs,
    fork: &Fork,
    saves: &Saves,
    (name, done, seeds): (&str, u64, u64),
) -> Result<(), CliError> {
    let (batch, at) = (&args.batch, fork.generation());
    let end = args.generations.unwrap_or(done);
    if end <= at {
        return Err(CliError::Usage(format!(
            "the comparison begins in generation {at} and would stop before generation {end}; \
            choose a later one with --generations"
        )));
    }
    let manifest = fork.manifest(name, end, seeds)?;
    batch.check_cost(&manifest)?;
    let root = batch.out.clone().unwrap_or_else(|| fork.folder(name));
    let folder = batch.begin(&root, &manifest)?;
    let known = || states::before(saves, &args.run, at);
    let threads = batch.threads.count();
    until_signal(|halt| {
        let is_kept = fork.keep_state(&folder, known, (threads, halt), &|_| {})?;
        Ok(is_kept.then_some(()))
    })?;
    if batch.emit.is_wanted() {
        drop(folder);
        return batch.write_jobs(&root, manifest);
    }
    batch.run(&folder, FirstView::default(), RunLimits::default())?;
    if batch.shard() != Shard::WHOLE {
        tell_shard_done(&root);
        return Ok(());
    }
    let runs = collect(slice::from_ref(&*folder))?;
    summarize(&runs, &root, batch.json)
}

/// Does work that ends early when a flag is set, which a signal does.
fn until_signal<T>(
    work: impl FnOnce(&AtomicBool) -> Result<Option<T>, CliError>,
) -> Result<T, CliError> {
    let halt = Arc::new(AtomicBool::new(false));
    let signal = headless::halt_on_signal(&halt)?;
    let stopped = || CliError::ExitCode(128 + signal.load(Ordering::Relaxed));
    work(&halt)?.ok_or_else(stopped)
}

/// Writes the files of the finished runs of a fork and prints the differences.
pub(super) fn summarize(
    runs: &CollectedRuns<'_>,
    root: &Path,
    is_json: bool,
) -> Result<(), CliError> {
    let Some(fork) = &runs.manifest.fork else {
        return Ok(());
    };
    report_missing(runs, false);
    let results = ForkResults::of(runs, fork)?;
    let texts = [results.csv(), results.json(), results.table()];
    write_results("fork", texts, root, is_json)
}
