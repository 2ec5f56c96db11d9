//! `finches sweep`: runs combinations of the values of some parameters as an experiment, and says
//! what each parameter does.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::slice;
use std::time::Duration;

use clap::{ArgGroup, Args};

use finches_engine::params::{key_value, to_ron_lines};
use finches_engine::preset::Preset;
use finches_lab::experiment::collect::{CollectedRuns, collect};
use finches_lab::experiment::sweep::factor::SweepFactor;
use finches_lab::experiment::sweep::results::{Confirmation, SweepResults, runs_csv};
use finches_lab::experiment::sweep::table::table;
use finches_lab::experiment::sweep::{MOST_COMBINATIONS, PlannedSweep, SweepRequest, plan};
use finches_lab::experiment::{ExperimentEnd, Shard};
use finches_lab::report::sweep_page;
use finches_runs::storage::experiments::manifest::{MAX_RUNS, Manifest};
use finches_runs::storage::experiments::sweep::{
    HalvingResource, SweepDefinition, SweepDesign, SweepFile, begin_confirmation,
};
use finches_runs::storage::experiments::write_text;
use finches_runs::storage::presets;

use super::batch::{BatchOptions, FirstView, RunLimits};
use super::experiment::{check_column, print_summary, report_missing, run_within, tell_stopped};
use super::options::{PresetOptions, one_of};
use super::{CliError, output};

/// The combinations that survive a round of successive halving, unless given: one in three.
const RATE: &str = "3";

/// The rates of successive halving.
const RATES: RangeInclusive<u64> = 2..=100;

const AFTER_HELP: &str = "\
Examples:
  finches sweep nim-2x4-value --vary add_node=0.05,0.1,0.2 --vary opponents=10,50 --runs 10
  finches sweep nim-2x4-value --vary 'add_node=0.01..1 log' --vary 'opponents=5..50' \
--random 40 --halving
A file for --file says the same:
  (preset: \"nim-2x4-value\", vary: [\"add_node=0.01..1 log\", \"opponents=5..50\"], \
set: [\"generations=300\"],
   design: random(40), runs: 10, seed: 1, halving: Some(3))";

/// Options of `finches sweep`.
#[derive(Clone, Debug, Args)]
#[command(
    after_help = AFTER_HELP,
    group = ArgGroup::new("design").args(["random", "latin_hypercube"]),
)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub(super) struct SweepArgs {
    /// Name of a preset, or a .ron file.
    #[arg(required_unless_present = "file")]
    preset: Option<String>,
    /// Vary a parameter: KEY=VALUE,VALUE or 'KEY=LOW..HIGH COUNT' or 'KEY=LOW..HIGH log COUNT'.
    /// Without a design, all combinations are run; COUNT is the number of values then.
    #[arg(long, value_name = "KEY=VALUES", required_unless_present = "file")]
    vary: Vec<String>,
    /// Read the sweep from a file instead.
    #[arg(
        long,
        value_name = "FILE.ron",
        conflicts_with_all = [
            "preset", "vary", "design", "runs", "seed", "parameters", "column", "lowest",
            "halving", "resource", "hyperband", "confirm", "skip_invalid",
        ],
    )]
    file: Option<PathBuf>,
    /// Run N random combinations.
    #[arg(long, value_name = "N", value_parser = combinations)]
    random: Option<usize>,
    /// Run N combinations that cover each range evenly: a Latin hypercube.
    #[arg(long, value_name = "N", value_parser = combinations)]
    latin_hypercube: Option<usize>,
    /// Give every combination a few runs and only the best all of them: from round to round, one in
    /// RATE combinations stays [default RATE: 3].
    #[arg(
        long,
        value_name = "RATE",
        num_args = 0..=1,
        default_missing_value = RATE,
        value_parser = clap::value_parser!(u64).range(RATES),
    )]
    halving: Option<u64>,
    /// With --halving: what combinations get more of from round to round. Runs go to their end
    /// each; generations are a part of all runs, which go on where they stopped [default: runs].
    #[arg(
        long,
        value_name = "WHAT",
        requires = "halving",
        value_parser = one_of(&RESOURCES),
    )]
    resource: Option<HalvingResource>,
    /// With --halving: divide the combinations into brackets, some of which begin with longer
    /// rounds, in case the best begin slowly.
    #[arg(long, requires = "halving")]
    hyperband: bool,
    /// Number of runs of each combination [default: 10].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_RUNS))]
    runs: Option<u64>,
    /// Seed of the sweep: combinations are drawn from it, and runs have it and the seeds after it
    /// [default: 1].
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
    #[command(flatten)]
    changes: PresetOptions,
    /// Number of games after which runs stop, so that combinations with more games a generation get
    /// fewer generations.
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "generations",
        value_parser = clap::value_parser!(u64).range(1..),
    )]
    budget_games: Option<u64>,
    /// Start no more than can be done in this time, such as 90m or 2h. Finished runs are
    /// summarized; the same command continues.
    #[arg(
        long,
        value_name = "TIME",
        conflicts_with_all = ["emit", "dashboard"],
        value_parser = humantime::parse_duration,
    )]
    stop_after: Option<Duration>,
    /// Column to compare if there is no target [default: the objective].
    #[arg(long, value_name = "COLUMN")]
    column: Option<String>,
    /// Low values of the column are good.
    #[arg(long)]
    lowest: bool,
    /// Runs with fresh seeds of the best combination and of the unchanged preset; 0 for none
    /// [default: as many as --runs].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=MAX_RUNS))]
    confirm: Option<u64>,
    /// Leave out combinations that are no valid presets.
    #[arg(long)]
    skip_invalid: bool,
    #[command(flatten)]
    pub(super) batch: BatchOptions,
}

/// What combinations get more of, by its words.
const RESOURCES: [(&str, HalvingResource); 2] = [
    ("runs", HalvingResource::Runs),
    ("generations", HalvingResource::Generations),
];

/// Checks a number of combinations.
fn combinations(text: &str) -> Result<usize, String> {
    let count = text.parse().ok();
    let is_possible = |count: &usize| (1..=MOST_COMBINATIONS).contains(count);
    let error = || format!("choose from 1 to {MOST_COMBINATIONS}");
    count.filter(is_possible).ok_or_else(error)
}

/// Runs a sweep, confirms its best combination, and prints the results.
pub(super) fn sweep(args: &SweepArgs) -> Result<(), CliError> {
    let batch = &args.batch;
    batch.log()?;
    let manifest = manifest(args)?;
    batch.check_cost(&manifest)?;
    let default = || default_folder(&manifest);
    let root = batch.out.clone().unwrap_or_else(default);
    if batch.emit.is_wanted() {
        return batch.write_jobs(&root, manifest);
    }
    let folder = batch.begin(&root, &manifest)?;
    let view = FirstView {
        column: args.column.clone(),
        ..FirstView::default()
    };
    let limits = RunLimits {
        time: args.stop_after,
        ..RunLimits::default()
    };
    let ended = batch.run(&folder, view, limits)?;
    if batch.shard() != Shard::WHOLE {
        output::eprint_line(if ended == ExperimentEnd::Waiting {
            "the shard's part of the round is done; when that of all shards is, run them again for \
            the next"
        } else {
            "the shard is done; when all are, the same command without --shard summarizes them"
        });
        return Ok(());
    }
    let is_done = ended == ExperimentEnd::Done;
    let runs = collect(slice::from_ref(&*folder))?;
    let Some(definition) = &runs.manifest.sweep else {
        return Ok(());
    };
    let results = SweepResults::of(&runs, definition)?;
    if is_done {
        confirm(args, &runs, (definition, &results), folder.root())?;
    } else {
        tell_stopped(&folder);
    }
    write(&runs, (definition, results), folder.root(), batch.json)
}

/// The sweep as an experiment.
fn manifest(args: &SweepArgs) -> Result<Manifest, CliError> {
    let file = match &args.file {
        Some(path) => SweepFile::read(path)?,
        None => args.as_file(),
    };
    if let Some(rate) = file.halving.filter(|rate| !RATES.contains(rate)) {
        let (least, most) = (RATES.start(), RATES.end());
        let message = format!("halving: is {rate}; choose from {least} to {most}");
        return Err(CliError::Usage(message));
    }
    if file.halving.is_none() && (file.hyperband || file.resource != HalvingResource::Runs) {
        return Err(CliError::usage("resource and hyperband need halving"));
    }
    let mut changes = Vec::new();
    for text in &file.set {
        changes.push(key_value(text).map_err(CliError::usage)?);
    }
    changes.extend(args.changes.changes());
    let preset = presets::load(&file.preset)?;
    let factors = file.vary.iter().map(|text| SweepFactor::parse(text));
    let mut planned = plan(&SweepRequest {
        preset,
        changes,
        factors: factors.collect::<Result<_, _>>()?,
        design: file.design,
        seed: file.seed,
        skips_invalid: file.skip_invalid,
    })?;
    check_column(file.column.as_deref(), &planned.presets[0])?;
    if let Some(games) = args.budget_games {
        limit_games(&mut planned, games)?;
    }
    if !planned.omitted.is_empty() {
        let count = planned.omitted.len();
        output::eprint_line(&format!(
            "finches: {count} invalid combinations are left out"
        ));
    }
    let definition = SweepDefinition {
        column: file.column,
        lowest: file.lowest,
        halving: file.halving,
        resource: file.resource,
        hyperband: file.hyperband,
        confirm: file.confirm.unwrap_or(file.runs),
        ..planned.definition
    };
    let manifest = Manifest::new(planned.presets, file.seed, file.runs);
    let manifest = manifest.map_err(CliError::usage)?;
    Ok(manifest.with_sweep(definition))
}

impl SweepArgs {
    /// What the options say, as the file of a sweep would.
    fn as_file(&self) -> SweepFile {
        use finches_runs::storage::experiments::sweep::{default_runs, default_seed};
        let random = self.random.map(SweepDesign::Random);
        let latin = self.latin_hypercube.map(SweepDesign::LatinHypercube);
        SweepFile {
            preset: self.preset.clone().unwrap_or_default(),
            vary: self.vary.clone(),
            set: Vec::new(),
            design: random.or(latin).unwrap_or_default(),
            runs: self.runs.unwrap_or_else(default_runs),
            seed: self.seed.unwrap_or_else(default_seed),
            column: self.column.clone(),
            lowest: self.lowest,
            halving: self.halving,
            resource: self.resource.unwrap_or_default(),
            hyperband: self.hyperband,
            confirm: self.confirm,
            skip_invalid: self.skip_invalid,
        }
    }
}

/// Gives every combination, and the unchanged preset, the generations for so many games.
fn limit_games(planned: &mut PlannedSweep, games: u64) -> Result<(), CliError> {
    let base = &mut planned.definition.base;
    for preset in planned.presets.iter_mut().chain([base]) {
        let each = preset.evolution.games().ok_or_else(|| {
            let name = &preset.name;
            CliError::Usage(format!(
                "{name}: its generations have different numbers of games; use --generations"
            ))
        })?;
        preset.generations = (games / each.max(1)).max(1);
    }
    Ok(())
}

fn default_folder(manifest: &Manifest) -> PathBuf {
    let base = manifest
        .sweep
        .as_ref()
        .map(|sweep| sweep.base.name.as_str());
    Path::new("experiments").join(format!("{}-sweep", base.unwrap_or("a")))
}

/// Runs the best combination and the unchanged preset with seeds that the sweep has not used.
fn confirm(
    args: &SweepArgs,
    runs: &CollectedRuns<'_>,
    (definition, results): (&SweepDefinition, &SweepResults),
    root: &Path,
) -> Result<(), CliError> {
    let Some(best) = results.best().filter(|_| definition.confirm > 0) else {
        return Ok(());
    };
    let mut presets = vec![runs.manifest.presets[best.index].clone()];
    presets.extend(definition.has_unchanged.then(|| definition.base.clone()));
    let first = runs.manifest.first_seed.saturating_add(runs.manifest.runs);
    let manifest = Manifest::new(presets, first, definition.confirm).map_err(CliError::usage)?;
    let folder = begin_confirmation(root, manifest)?;
    output::eprint_line(&format!(
        "the best combination, {}, with fresh seeds:",
        best.preset
    ));
    let all = (Shard::WHOLE, args.batch.threads.count());
    run_within(&folder, all, RunLimits::default())?;
    Ok(())
}

/// Summarizes the finished runs of a sweep without running any.
pub(super) fn summarize(
    runs: &CollectedRuns<'_>,
    definition: &SweepDefinition,
    root: &Path,
    is_json: bool,
) -> Result<(), CliError> {
    let results = SweepResults::of(runs, definition)?;
    write(runs, (definition, results), root, is_json)
}

/// Writes the files of a sweep and prints its results.
fn write(
    runs: &CollectedRuns<'_>,
    (definition, mut results): (&SweepDefinition, SweepResults),
    root: &Path,
    is_json: bool,
) -> Result<(), CliError> {
    report_missing(runs, definition.halving.is_some());
    results.confirmation = Confirmation::read(root, definition)?;
    write_text(&root.join("sweep.csv"), &results.csv())?;
    write_text(&root.join("sweep.json"), &results.json())?;
    write_text(&root.join("runs.csv"), &runs_csv(runs, definition))?;
    let page = sweep_page::page(runs, definition, &results)?;
    write_text(&root.join("sweep.html"), &page.html())?;
    let mut files = "sweep.html, sweep.csv, sweep.json, runs.csv".to_owned();
    if let Some(best) = results.best() {
        let preset = best_preset(&runs.manifest.presets[best.index], definition, &best.values);
        write_text(&root.join("best.ron"), &to_ron_lines(&preset))?;
        files += ", best.ron (a preset)";
    }
    let printed = if is_json {
        results.json()
    } else {
        table(&results)
    };
    print_summary(&printed, &files, root, is_json)
}

/// The best combination as a preset that says where it is from.
fn best_preset(preset: &Preset, definition: &SweepDefinition, values: &[String]) -> Preset {
    let values = definition.names().into_iter().zip(values);
    let values: Vec<String> = values
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    Preset {
        about: format!(
            "{}, best of a sweep: {}",
            definition.base.name,
            values.join(", ")
        ),
        published: String::new(),
        reported: String::new(),
        ..preset.clone()
    }
}
