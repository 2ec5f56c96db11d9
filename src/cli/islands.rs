//! `finches islands`: an experiment whose runs exchange members.

use std::path::Path;
use std::slice;

use clap::{ArgGroup, Args};

use finches_engine::params::key_value;
use finches_engine::preset::MAX_GENERATIONS;
use finches_engine::session::{MigrantChoice, Session};
use finches_engine::text::counted;
use finches_lab::experiment::collect::collect;
use finches_lab::experiment::{ExperimentEnd, Shard};
use finches_runs::storage::experiments::islands::{
    IslandChange, IslandTopology, IslandsDefinition, MAX_ISLANDS,
};
use finches_runs::storage::experiments::manifest::Manifest;
use finches_runs::storage::saves::Saves;

use super::batch::{BatchOptions, FirstView, RunLimits};
use super::experiment::{check_column, summarize, tell_shard_done};
use super::options::{PresetOptions, one_of, preset};
use super::{CliError, SavesOption, output};

/// The exit code of islands that do not wait and lack members of others.
const WAITING: u8 = 4;

/// The topologies, by name.
const TOPOLOGIES: [(&str, IslandTopology); 3] = [
    (IslandTopology::Ring.name(), IslandTopology::Ring),
    (IslandTopology::Torus.name(), IslandTopology::Torus),
    (IslandTopology::All.name(), IslandTopology::All),
];

/// The choices of members that are sent, by name.
const CHOICES: [(&str, MigrantChoice); 2] = [
    (MigrantChoice::Fittest.name(), MigrantChoice::Fittest),
    (MigrantChoice::Random.name(), MigrantChoice::Random),
];

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
    /// Number of generations between two exchanges of members.
    #[arg(
        long,
        value_name = "G",
        default_value_t = IslandsDefinition::default().every,
        value_parser = clap::value_parser!(u64).range(1..=MAX_GENERATIONS),
    )]
    every: u64,
    /// Which islands send each other members. In a ring each receives from the one before it, on a
    /// torus from its four neighbors, and with `all` from all others.
    #[arg(
        long,
        value_name = "TOPOLOGY",
        default_value = "ring",
        value_parser = one_of(&TOPOLOGIES),
    )]
    topology: IslandTopology,
    /// Number of members that an island sends to each that receives from it.
    #[arg(
        long,
        value_name = "N",
        default_value_t = IslandsDefinition::default().migrants,
        value_parser = clap::value_parser!(u64).range(1..),
    )]
    migrants: u64,
    /// Which members an island sends: the champion and the fittest others, or random ones.
    #[arg(long, value_name = "CHOICE", default_value = "fittest", value_parser = one_of(&CHOICES))]
    choice: MigrantChoice,
    /// Change a parameter of one island, counted from 1, e.g. `--island-set 3:add_node=0.4`. It
    /// must be one that can be changed during a run.
    #[arg(long, value_name = "I:KEY=VALUE", value_parser = island_change)]
    island_set: Vec<IslandChange>,
    /// End all islands at the next exchange once one has met its target.
    #[arg(long)]
    end_together: bool,
    /// Evolve only this island, counted from 1; other processes evolve the others. With N islands,
    /// it is the same as --shard I/N.
    #[arg(long, value_name = "I", conflicts_with = "emit")]
    island: Option<u64>,
    /// Stop and save where members of another island are not there yet, instead of waiting for
    /// them. The exit code is 4.
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
    let preset = preset(&args.preset, &SavesOption::default())?;
    let preset = preset.with(&args.changes.changes())?;
    if args.islands == 1 || args.every >= preset.generations {
        output::eprint_line(&format!(
            "finches: {} with --every {} exchange no members in {} generations",
            counted(args.islands, "island"),
            args.every,
            preset.generations
        ));
    }
    if let Some(problem) = Session::migration_problem(&preset) {
        return Err(CliError::Usage(problem));
    }
    check_column(None, &preset)?;
    let mut changes = args.island_set.clone();
    for change in &mut changes {
        change.key = preset.full_key(&change.key).map_err(CliError::usage)?;
    }
    let manifest = Manifest::new(vec![preset], args.seed, args.islands).map_err(CliError::usage)?;
    let islands = IslandsDefinition {
        every: args.every,
        topology: args.topology,
        migrants: args.migrants,
        choice: args.choice,
        ends_together: args.end_together,
        changes,
    };
    let manifest = manifest.with_players(true).with_islands(islands);
    manifest.check().map_err(CliError::usage)?;
    Ok(manifest)
}

/// Reads the parameter of one island, such as `3:add_node=0.4`.
fn island_change(text: &str) -> Result<IslandChange, String> {
    let example = "is a number of an island and a parameter, such as 3:add_node=0.4";
    let (island, change) = text.split_once(':').ok_or(example)?;
    let island = island.parse().map_err(|_| example)?;
    let (key, value) = key_value(change).map_err(|error| error.to_string())?;
    Ok(IslandChange { island, key, value })
}
