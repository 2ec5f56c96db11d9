//! `finches islands`: an experiment whose runs exchange champions.

use std::path::Path;
use std::slice;

use clap::{ArgGroup, Args};

use finches_engine::preset::MAX_GENERATIONS;
use finches_engine::session::Session;
use finches_lab::experiment::collect::collect;
use finches_lab::experiment::{ExperimentEnd, Shard};
use finches_runs::storage::experiments::islands::{IslandsDefinition, MAX_ISLANDS};
use finches_runs::storage::experiments::manifest::Manifest;
use finches_runs::storage::presets;
use finches_runs::storage::saves::Saves;

use super::batch::{BatchOptions, FirstView, RunLimits};
use super::experiment::{check_column, summarize, tell_shard_done};
use super::options::PresetOptions;
use super::{CliError, output};

/// The exit code of islands that do not wait and lack a champion.
const WAITING: u8 = 4;

/// Options of `finches islands`.
#[derive(Clone, Debug, Args)]
#[command(group = ArgGroup::new("part").args(["island", "shard"]))]
pub(super) struct IslandsArgs {
    /// Name of a preset, or a .ron file.
    preset: String,
    /// Number of islands.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 4,
        value_parser = clap::value_parser!(u64).range(1..=MAX_ISLANDS),
    )]
    islands: u64,
    /// Number of generations between two exchanges of champions.
    #[arg(
        long,
        value_name = "G",
        default_value_t = 20,
        value_parser = clap::value_parser!(u64).range(1..=MAX_GENERATIONS),
    )]
    every: u64,
    /// Evolve only this island, counted from 1; other processes evolve the others. With N islands,
    /// it is the same as --shard I/N.
    #[arg(long, value_name = "I", conflicts_with = "emit")]
    island: Option<u64>,
    /// Stop and save where the champion of another island is not there yet, instead of waiting for
    /// it. The exit code is 4.
    #[arg(long, requires = "part", conflicts_with = "dashboard")]
    no_wait: bool,
    /// Seed of the first island; the others use the seeds after it.
    #[arg(long, value_name = "FIRST", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    changes: PresetOptions,
    #[command(flatten)]
    batch: BatchOptions,
}

/// Evolves islands, or some of them, and summarizes all.
pub(super) fn islands(args: &IslandsArgs) -> Result<(), CliError> {
    let mut batch = args.batch.clone();
    batch.log()?;
    if let Some(island) = args.island {
        let unknown = |_| {
            let last = args.islands;
            CliError::Usage(format!(
                "there is no island {island}; choose one from 1 to {last}"
            ))
        };
        let shard = Shard::parse(&format!("{island}/{}", args.islands));
        batch.shard = Some(shard.map_err(unknown)?);
    }
    let manifest = manifest(args)?;
    batch.check_cost(&manifest)?;
    let name = format!("{}-islands", manifest.presets[0].name);
    let default = || Path::new("experiments").join(name);
    let root = batch.out.clone().unwrap_or_else(default);
    if Saves::at(root.clone()).has_former_islands() {
        return Err(CliError::Failure(format!(
            "{}: has islands of finches 0.1, which can be shown but not continued; choose another \
            folder with --out",
            root.display()
        )));
    }
    if batch.emit.is_wanted() {
        return batch.write_jobs(&root, manifest);
    }
    let folder = batch.begin(&root, &manifest)?;
    let limits = RunLimits {
        no_wait: args.no_wait,
        ..RunLimits::default()
    };
    if batch.run(&folder, FirstView::default(), limits)? == ExperimentEnd::Waiting {
        let name = root.display();
        output::eprint_line(&format!(
            "saved in {name}; other islands have to evolve first"
        ));
        return Err(CliError::ExitCode(WAITING));
    }
    if batch.shard() != Shard::WHOLE {
        tell_shard_done(&root);
        return Ok(());
    }
    summarize(
        &collect(slice::from_ref(&*folder))?,
        None,
        &root,
        batch.json,
    )
}

/// The islands as an experiment.
fn manifest(args: &IslandsArgs) -> Result<Manifest, CliError> {
    let preset = presets::load(&args.preset)?.with(&args.changes.changes())?;
    if let Some(problem) = Session::migration_problem(&preset) {
        return Err(CliError::Usage(problem));
    }
    check_column(None, &preset)?;
    let manifest = Manifest::new(vec![preset], args.seed, args.islands).map_err(CliError::usage)?;
    let islands = IslandsDefinition { every: args.every };
    Ok(manifest.with_players(true).with_islands(islands))
}
