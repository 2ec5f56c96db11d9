//! `finches sweep`: runs every combination of the values of some parameters as an experiment, and summarizes it.

use std::path::{Path, PathBuf};
use std::slice;

use clap::Args;

use crate::experiment::Shard;
use crate::experiment::collect::collect;
use crate::experiment::summary::Summary;
use crate::experiment::sweep::{SweepFactor, grid};
use crate::experiment::table::table;
use crate::params::key_value;
use crate::play::pool::thread_count;
use crate::storage::experiments::manifest::{MAX_RUNS, Manifest};
use crate::storage::experiments::{ExperimentFolder, write_text};
use crate::storage::presets;

use super::experiment::run_headless;
use super::limits::threads;
use super::{CliError, CostOption, log, output};

/// Options of `finches sweep`.
#[derive(Clone, Debug, Args)]
pub(super) struct SweepArgs {
    /// Name of a preset, or a .ron file.
    preset: String,
    /// Vary a parameter: KEY=VALUE,VALUE or 'KEY=LOW..HIGH COUNT' or 'KEY=LOW..HIGH log COUNT'.
    #[arg(long, value_name = "KEY=VALUES", required = true, value_parser = SweepFactor::parse)]
    vary: Vec<SweepFactor>,
    /// Number of runs of each combination.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=MAX_RUNS))]
    runs: u64,
    /// Seed of the first run of each combination; the other runs use the seeds after it.
    #[arg(long, value_name = "FIRST", default_value_t = 1)]
    seed: u64,
    /// Number of generations after which runs stop.
    #[arg(long, value_name = "G")]
    generations: Option<u64>,
    /// Change a parameter of every combination, e.g. `--set add_node=0.2`
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    parameters: Vec<(String, String)>,
    /// Column to compare if there is no target [default: the objective].
    #[arg(long, value_name = "COLUMN")]
    column: Option<String>,
    /// Folder of the experiment [default: experiments/PRESET-sweep]. Runs already finished there are not repeated.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Number of threads; each run gets its own [default: the number of cores, minus one if there are four or more].
    #[arg(long, value_name = "T", default_value_t = 0, hide_default_value = true, value_parser = threads)]
    threads: usize,
    /// Do only every N-th run, starting with the I-th; `finches experiment --merge` combines the shards.
    #[arg(long, value_name = "I/N", value_parser = Shard::parse)]
    shard: Option<Shard>,
    /// Print the summary as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    cost: CostOption,
}

/// Runs a sweep and prints its summary.
pub(super) fn sweep(args: &SweepArgs) -> Result<(), CliError> {
    log::for_script()?;
    let mut changes = args.parameters.clone();
    let generations = args.generations.map(|count| count.to_string());
    changes.extend(generations.map(|text| ("generations".to_owned(), text)));
    let preset = presets::load(&args.preset)?.with(&changes)?;
    let default = Path::new("experiments").join(format!("{}-sweep", preset.name));
    let presets = grid(&preset, &args.vary)?;
    for preset in &presets {
        args.cost.check(preset)?;
    }
    let manifest = Manifest::new(presets, args.seed, args.runs).map_err(CliError::usage)?;
    let shard = args.shard.unwrap_or(Shard::WHOLE);
    let root = args.out.clone().unwrap_or(default);
    let folder = ExperimentFolder::begin(root, manifest, &shard.file_suffix())?;
    run_headless(&folder, shard, thread_count(args.threads))?;
    if shard != Shard::WHOLE {
        return Ok(());
    }
    let runs = collect(slice::from_ref(&folder))?;
    let summary = Summary::of(&runs, args.column.as_deref())?;
    let json = summary.json();
    write_text(&folder.root().join("summary.csv"), &summary.csv())?;
    write_text(&folder.root().join("summary.json"), &json)?;
    if args.json {
        output::print_json(&json)
    } else {
        output::print(&table(&summary))
    }
}
