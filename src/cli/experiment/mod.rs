//! `finches experiment`: runs an experiment in its folder, shows its progress, and writes and
//! prints the summary.

use std::path::{Path, PathBuf};
use std::slice;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use clap::{ArgGroup, Args};

use finches_engine::metrics::Column;
use finches_engine::metrics::progress_unit::ProgressUnit;
use finches_engine::preset::Preset;
use finches_engine::session::measures::progress;
use finches_lab::experiment::collect::{CollectedRuns, collect};
use finches_lab::experiment::curves::curves;
use finches_lab::experiment::matrix::results::MatrixResults;
use finches_lab::experiment::matrix::table::table as matrix_table;
use finches_lab::experiment::plot::{CurvePlot, svg};
use finches_lab::experiment::summary::{Summary, objective_column};
use finches_lab::experiment::sweep::factor::SweepFactor;
use finches_lab::experiment::sweep::{SweepRequest, plan};
use finches_lab::experiment::table::table;
use finches_lab::experiment::{
    ExperimentEnd, ExperimentError, ExperimentEvent, RunSpec, Shard, columns, run,
};
use finches_runs::storage::experiments::manifest::{MAX_RUNS, Manifest};
use finches_runs::storage::experiments::sweep::SweepDesign;
use finches_runs::storage::experiments::{ExperimentFolder, write_named_text, write_text};

use super::batch::{BatchOptions, FirstView, RunLimits};
use super::limits::svg as svg_path;
use super::options::{PresetOptions, one_of, preset};
use super::progress::RunBars;
use super::{CliError, SavesOption, fork, headless, mpi, output, sweep};

#[cfg(feature = "dashboard")]
pub(super) mod dashboard;
mod emit;
mod length;
mod matrix;

/// Options of `finches experiment`.
#[derive(Clone, Debug, Args)]
#[command(group = ArgGroup::new("drawn").args(["plot", "dashboard"]).multiple(true))]
pub(super) struct ExperimentArgs {
    /// Names of presets, or .ron files.
    #[arg(required_unless_present_any = ["merge", "matrix"], value_name = "PRESET")]
    presets: Vec<String>,
    /// Number of runs of each preset [default with --matrix: 10].
    #[arg(
        long,
        value_name = "N",
        required_unless_present_any = ["merge", "matrix"],
        value_parser = clap::value_parser!(u64).range(1..=MAX_RUNS),
    )]
    runs: Option<u64>,
    /// Seed of the first run of each preset; the other runs use the seeds after it.
    #[arg(long, value_name = "FIRST", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    changes: PresetOptions,
    /// Run each preset with these values of a parameter, KEY=VALUE,VALUE, as presets of their own
    /// that are compared with each other. Several make all combinations.
    #[arg(long, value_name = "VALUES", conflicts_with_all = ["matrix", "merge"])]
    vary: Vec<String>,
    #[command(flatten)]
    pub(super) batch: BatchOptions,
    /// Run nothing; summarize the runs in these folders, or in their subfolders.
    #[arg(
        long,
        value_name = "DIR",
        num_args = 1..,
        conflicts_with_all = [
            "presets", "runs", "seed", "generations", "until", "parameters", "shard", "emit",
            "dashboard",
        ],
    )]
    merge: Vec<PathBuf>,
    /// Plot a column over the course of the runs: median and quartiles for each preset.
    #[arg(long, value_name = "FILE.svg", conflicts_with = "shard", value_parser = svg_path)]
    plot: Option<PathBuf>,
    /// Column to plot, and to compare if there is no target [default: the objective].
    #[arg(long, value_name = "COLUMN")]
    column: Option<String>,
    /// X-axis of the plot and, at first, of the dashboard's charts.
    #[arg(
        long,
        visible_alias = "x",
        value_name = "AXIS",
        default_value = AXES[0].0,
        requires = "drawn",
        value_parser = one_of(&AXES),
    )]
    over: ProgressUnit,
    /// Keep players of each run, which `finches report` shows: champions, and the last populations
    /// if the preset keeps them.
    #[arg(long, conflicts_with = "merge")]
    keep_players: bool,
    /// Write the rows of every N-th generation only, and that of the last: long runs take less
    /// room.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = clap::value_parser!(u64).range(1..),
        conflicts_with = "merge",
    )]
    rows_every: u64,
    #[command(flatten, next_help_heading = matrix::HEADING)]
    matrix: matrix::MatrixOptions,
}

/// The units of the x-axis by their words.
const AXES: [(&str, ProgressUnit); 2] = [
    ("generations", ProgressUnit::Generations),
    ("games", ProgressUnit::Games),
];

impl From<ExperimentError> for CliError {
    fn from(error: ExperimentError) -> Self {
        match error {
            ExperimentError::Preset(error) => error.into(),
            ExperimentError::Storage(error) => error.into(),
            ExperimentError::Threads(error) => error.into(),
            ExperimentError::Launch(error) => error.into(),
            ExperimentError::Manifest(_) | ExperimentError::Change(_) => Self::usage(error),
            ExperimentError::Plot(error) => Self::failure(error),
            ExperimentError::Usage(message) => Self::Usage(message),
            ExperimentError::Failed(message) => Self::Failure(message),
        }
    }
}

/// Runs an experiment, or summarizes finished runs.
pub(super) fn experiment(args: &ExperimentArgs) -> Result<(), CliError> {
    let batch = &args.batch;
    batch.log()?;
    if !args.merge.is_empty() {
        let folders = ExperimentFolder::open(&args.merge)?;
        let root = batch.out.as_deref().unwrap_or(&args.merge[0]);
        return write_summary(args, &folders, root);
    }
    let manifest = manifest(args)?;
    batch.check_cost(&manifest)?;
    let default = || default_folder(&manifest);
    let root = batch.out.clone().unwrap_or_else(default);
    if batch.emit.is_wanted() {
        return emit::write(args, &root, manifest);
    }
    let folder = batch.begin(&root, &manifest)?;
    let view = FirstView {
        column: args.column.clone(),
        x_unit: args.over,
    };
    batch.run(&folder, view, RunLimits::default())?;
    let root = folder.root().to_owned();
    if batch.shard() != Shard::WHOLE {
        tell_shard_done(&root);
        return Ok(());
    }
    write_summary(args, slice::from_ref(&*folder), &root)
}

/// Says how to summarize the runs once all shards are done.
pub(super) fn tell_shard_done(root: &Path) {
    output::eprint_line(&format!(
        "the shard is done; when all shards are: finches experiment --merge {}",
        root.display()
    ));
}

/// The requested experiment, checked before anything is run.
fn manifest(args: &ExperimentArgs) -> Result<Manifest, CliError> {
    let manifest = if args.matrix.matrix {
        matrix::manifest(args)?
    } else {
        manifest_of_presets(args)?
    };
    let manifest = manifest.with_players(args.keep_players);
    Ok(manifest.with_rows(args.rows_every))
}

fn manifest_of_presets(args: &ExperimentArgs) -> Result<Manifest, CliError> {
    let changes = args.changes.changes();
    let mut all = Vec::new();
    for name in &args.presets {
        let preset = preset(name, &SavesOption::default())?.with(&changes)?;
        check_column(args.column.as_deref(), &preset)?;
        all.extend(varied(preset, &args.vary)?);
    }
    let manifest = Manifest::new(all, args.seed, args.runs.unwrap_or(1));
    manifest.map_err(|error| CliError::Usage(error.to_string()))
}

/// A preset with each combination of values, named for them; itself without any.
fn varied(preset: Preset, vary: &[String]) -> Result<Vec<Preset>, CliError> {
    if vary.is_empty() {
        return Ok(vec![preset]);
    }
    let factors = vary.iter().map(|text| SweepFactor::parse(text));
    let planned = plan(&SweepRequest {
        factors: factors.collect::<Result<_, _>>()?,
        preset,
        changes: Vec::new(),
        design: SweepDesign::default(),
        seed: 1,
        skips_invalid: false,
    })?;
    let sweep = planned.definition;
    let name = |values: &[String]| {
        let values = sweep.names().into_iter().zip(values);
        let words: Vec<String> = values
            .map(|(key, value)| format!("{key}-{value}"))
            .collect();
        let is_kept = |sign: char| sign.is_alphanumeric() || "-_.".contains(sign);
        format!("{}-{}", sweep.base.name, words.join("-")).replace(|sign| !is_kept(sign), "-")
    };
    let presets = planned.presets.into_iter().zip(&sweep.combinations);
    let named = presets.map(|(preset, values)| Preset {
        name: name(values),
        ..preset
    });
    Ok(named.collect())
}

/// Fails if the runs of a preset will not have the requested column.
pub(super) fn check_column(column: Option<&str>, preset: &Preset) -> Result<(), CliError> {
    let columns = columns(preset)?;
    let Some(column) = column else {
        return Ok(());
    };
    let is_known = |name: &str| progress::SECONDS != *name;
    if columns.place(column).is_none() || !is_known(column) {
        let names: Vec<&str> = columns.names().filter(|name| is_known(name)).collect();
        return Err(CliError::Usage(format!(
            "{}: there is no column `{column}`; the columns are {}",
            preset.name,
            names.join(", ")
        )));
    }
    Ok(())
}

/// A folder named after the presets, with a name short enough for all file systems.
fn default_folder(manifest: &Manifest) -> PathBuf {
    const LONGEST: usize = 100;
    if manifest.matrix.is_some() {
        return Path::new("experiments").join("matrix");
    }
    let names = manifest.preset_names();
    let mut name = names.join("+");
    if name.len() > LONGEST {
        name = format!("{}+{}-more", names[0], names.len() - 1);
    }
    Path::new("experiments").join(name)
}

/// Does the remaining runs with progress bars, within limits. A signal stops them between two games
/// and ends it with an error.
pub(super) fn run_within(
    folder: &ExperimentFolder,
    (shard, threads): (Shard, usize),
    limits: RunLimits,
) -> Result<ExperimentEnd, CliError> {
    let halt = Arc::new(AtomicBool::new(false));
    let signal = headless::halt_on_signal(&halt)?;
    if let Some(time) = limits.time {
        let halt = Arc::clone(&halt);
        // If all is done before, it ends with the process.
        thread::spawn(move || {
            thread::sleep(time);
            halt.store(true, Ordering::Relaxed);
        });
    }
    let progress = RunBars::new(folder.manifest());
    let ended = run(&RunSpec {
        folder,
        shard,
        threads,
        team: mpi::team(),
        waits: !limits.no_wait,
        halt: &halt,
        on_event: &|event| {
            if let ExperimentEvent::Scheduled(runs, part) = &event {
                length::tell(folder, (runs, *part), threads, &halt);
            }
            progress.handle(&event);
        },
    });
    progress.clear();
    let (ended, signal) = (ended?, signal.load(Ordering::Relaxed));
    if ended == ExperimentEnd::Halted && signal != 0 {
        return Err(stopped_error(folder, signal));
    }
    Ok(ended)
}

/// Prints that a signal stopped the experiment and how to continue.
fn stopped_error(folder: &ExperimentFolder, signal: u8) -> CliError {
    tell_stopped(folder);
    CliError::ExitCode(128 + signal)
}

/// Says how to continue.
pub(super) fn tell_stopped(folder: &ExperimentFolder) {
    output::eprint_line(&format!(
        "stopped; the runs are saved in {}; the same command continues them",
        folder.root().display()
    ));
}

/// Writes and prints the summary of the runs in folders, and plots them if asked.
fn write_summary(
    args: &ExperimentArgs,
    folders: &[ExperimentFolder],
    root: &Path,
) -> Result<(), CliError> {
    let runs = collect(folders)?;
    if let Some(definition) = &runs.manifest.sweep {
        return sweep::summarize(&runs, definition, root, args.batch.json);
    }
    if runs.manifest.fork.is_some() {
        return fork::summarize(&runs, root, args.batch.json);
    }
    report_missing(&runs, false);
    if let Some(path) = &args.plot {
        write_named_text(path, &plot(args, &runs)?)?;
    }
    match &runs.manifest.matrix {
        Some(definition) => {
            let results = MatrixResults::of(&runs, definition)?;
            let texts = [results.csv(), results.json(), matrix_table(&results)];
            write_results("matrix", texts, root, args.batch.json)
        }
        None => summarize(&runs, args.column.as_deref(), root, args.batch.json),
    }
}

/// Writes the files of a summary, compared by a column, and prints it.
pub(super) fn summarize(
    runs: &CollectedRuns<'_>,
    column: Option<&str>,
    root: &Path,
    is_json: bool,
) -> Result<(), CliError> {
    let summary = Summary::of(runs, column)?;
    let texts = [summary.csv(), summary.json(), table(&summary)];
    write_results("summary", texts, root, is_json)
}

/// Writes results as CSV and JSON to files of this name, and prints the JSON or their text.
pub(super) fn write_results(
    name: &str,
    [csv, json, text]: [String; 3],
    root: &Path,
    is_json: bool,
) -> Result<(), CliError> {
    write_text(&root.join(format!("{name}.csv")), &csv)?;
    write_text(&root.join(format!("{name}.json")), &json)?;
    let printed = if is_json { json } else { text };
    print_summary(&printed, &format!("{name}.csv, {name}.json"), root, is_json)
}

/// Prints a summary, as text or JSON, and where its files are.
pub(super) fn print_summary(
    printed: &str,
    files: &str,
    root: &Path,
    is_json: bool,
) -> Result<(), CliError> {
    if is_json {
        output::print_json(printed)?;
    } else {
        output::print(printed)?;
    }
    output::eprint_line(&format!("{files} and the runs are in {}", root.display()));
    Ok(())
}

/// Says which runs are damaged, and which are missing unless only a part is meant to be run.
pub(super) fn report_missing(runs: &CollectedRuns<'_>, is_partial: bool) {
    for error in &runs.damaged {
        output::eprint_line(&format!(
            "finches: {error}; its files were renamed to *.damaged; run the experiment again to \
            repeat it"
        ));
    }
    if !runs.missing.is_empty() && !is_partial {
        let names = runs.missing();
        let shown = names.iter().take(8).map(String::as_str);
        let mut shown: Vec<&str> = shown.collect();
        if names.len() > shown.len() {
            shown.push("...");
        }
        output::eprint_line(&format!(
            "finches: {} of {} runs are missing: {}",
            names.len(),
            names.len() + runs.finished.len(),
            shown.join(" ")
        ));
    }
}

/// The plot of a column over the course of the runs, as SVG.
fn plot(args: &ExperimentArgs, runs: &CollectedRuns<'_>) -> Result<String, CliError> {
    let preset = &runs.manifest.presets[0];
    let column = match &args.column {
        Some(column) => column.clone(),
        None => objective_column(preset)?,
    };
    let columns = columns(preset)?;
    let known = columns.all().iter().find(|known| known.name == column);
    let unit = known.map_or("", |column| column.unit);
    let label = column.replace('_', " ");
    let curve_plot = CurvePlot {
        title: &format!("{label}: median and quartiles of the runs"),
        x_label: args.over.column(),
        is_share: known.is_some_and(Column::is_share),
        source: concat!("finches ", env!("CARGO_PKG_VERSION")),
        y_label: &if unit.is_empty() {
            label.clone()
        } else {
            format!("{label} ({unit})")
        },
        curves: &curves(runs, &column, args.over)?,
        ..CurvePlot::default()
    };
    svg(&curve_plot).map_err(|error| CliError::Failure(error.to_string()))
}
