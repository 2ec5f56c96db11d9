//! `finches fork`: a second run that goes on from a generation of a saved run with other
//! parameters, or a comparison of both branches over several seeds.

use std::fmt::Write as _;
use std::iter;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;

use finches_engine::metrics::csv_text::{csv_field, csv_text};
use finches_engine::metrics::stats::paired::MeanDifference;
use finches_engine::params::key_value;
use finches_engine::play::pool::thread_count;
use finches_engine::session::SessionState;
use finches_lab::experiment::columns;
use finches_lab::experiment::fork::{Branch, Fork, ForkComparison, ForkError, ForkRows, forkable};
use finches_runs::storage::experiments::write_text;
use finches_runs::storage::islands::check_alone;
use finches_runs::storage::saves::LoadedRun;
use finches_runs::storage::states;

use super::{CliError, SavesOption, ThreadsOption, headless, log, output};

/// The run, the change, and what to do with it.
#[derive(Clone, Debug, Args)]
pub(super) struct ForkArgs {
    /// Name or folder of the run.
    run: String,
    /// The first generation with the change [default: that of the last parameter change].
    #[arg(long, value_name = "G")]
    at: Option<u64>,
    /// Change a parameter, e.g. `--set add_node=0.4` [default: leave out the changes that the run
    /// made in that generation].
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    changes: Vec<(String, String)>,
    /// Save no run, but evolve with and without the change for N seeds each, and print the
    /// differences.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: Option<u64>,
    /// The generation before which the comparison stops [default: the last generation of the run].
    #[arg(long, value_name = "N", requires = "seeds")]
    generations: Option<u64>,
    /// Write the rows of the comparison to a file: branch, seed and all columns.
    #[arg(long, value_name = "FILE", requires = "seeds")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    workers: ThreadsOption,
    #[command(flatten)]
    place: SavesOption,
}

impl From<ForkError> for CliError {
    fn from(error: ForkError) -> Self {
        match error {
            ForkError::Launch(error) => error.into(),
            ForkError::Threads(error) => error.into(),
            other => Self::usage(other),
        }
    }
}

/// Forks a saved run.
pub(super) fn fork(args: &ForkArgs) -> Result<(), CliError> {
    log::for_script()?;
    let saves = args.place.open();
    check_alone(&saves, &args.run)?;
    let LoadedRun {
        name,
        run,
        state: SessionState {
            generation: done, ..
        },
        ..
    } = saves.load(&args.run)?;
    let latest = || forkable(&run.interventions).next_back();
    let at = args.at.or_else(|| Some(latest()?.generation)).unwrap_or(0);
    if at > done {
        return Err(CliError::Usage(format!(
            "{name} has done {done} generations; choose one of them with --at"
        )));
    }
    let fork = Fork::new(run, at, &args.changes)?;
    let end = args.generations.unwrap_or(done);
    if args.seeds.is_some() && end <= at {
        return Err(CliError::Usage(format!(
            "the comparison begins in generation {at} and would stop before generation {end}; \
            choose a later one with --generations"
        )));
    }
    if let Some(path) = &args.csv {
        // A path that can't be written is told before the work.
        write_text(path, "")?;
    }
    let halt = Arc::new(AtomicBool::new(false));
    let signal = headless::halt_on_signal(&halt)?;
    let stopped = || CliError::ExitCode(128 + signal.load(Ordering::Relaxed));
    let threads = thread_count(args.workers.threads);
    let known = states::before(&saves, &args.run, at);
    let reached = fork.state(known, threads, &halt, &|_| {})?;
    let state = reached.ok_or_else(stopped)?;
    let Some(seeds) = args.seeds else {
        let (_, rows) = saves.metrics(&args.run)?;
        let fork_name = fork.save(&saves, &name, state, &rows)?;
        return output::print(&format!(
            "saved as {fork_name}; continue it with: finches resume {fork_name}\n"
        ));
    };
    let seeds = fork.seeds(seeds);
    let compared = compare(&fork, &state, end, &seeds, threads, &halt)?;
    let rows = compared.ok_or_else(stopped)?;
    if let Some(path) = &args.csv {
        write_text(path, &csv(&rows, &seeds))?;
    }
    let title = format!(
        "{name} from generation {at} to {}, {} seeds: {}\n\n",
        end - 1,
        seeds.len(),
        fork.description()
    );
    output::print(&(title + &table(&rows)))
}

/// Evolves both branches; `None` if halted.
fn compare(
    fork: &Fork,
    state: &SessionState,
    end: u64,
    seeds: &[u64],
    threads: usize,
    halt: &AtomicBool,
) -> Result<Option<ForkRows>, CliError> {
    let columns = columns(fork.preset(Branch::Changed))?;
    let rows = Mutex::new(ForkRows::new(columns, seeds.len()));
    let bar = headless::bar((end - fork.generation()) * seeds.len() as u64 * 2, 0);
    let is_complete = ForkComparison {
        fork,
        state,
        end,
        seeds,
        threads,
        halt,
        on_row: &|branch, repeat, row| {
            bar.inc(1);
            let mut rows = rows.lock().unwrap_or_else(PoisonError::into_inner);
            rows.push(branch, repeat, row.clone());
        },
    }
    .run()?;
    bar.finish_and_clear();
    let rows = rows.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(is_complete.then_some(rows))
}

/// The differences of all columns that differ, the objective first.
fn table(rows: &ForkRows) -> String {
    let objective = rows.columns.objective();
    let others = (0..rows.columns.all().len()).filter(|column| Some(*column) != objective);
    let mut text = format!(
        "{:<24}{:>11}  {:<20}{:>11}  {}\n",
        "with minus without", "at the end", "95 % interval", "on average", "95 % interval"
    );
    let mut is_same = true;
    for column in objective.into_iter().chain(others) {
        let Some(difference) = rows.difference(column) else {
            continue;
        };
        let (at_end, on_average) = (difference.at_end, difference.on_average);
        if at_end.mean == 0.0 && on_average.mean == 0.0 && Some(column) != objective {
            continue;
        }
        is_same = false;
        let name = &rows.columns.all()[column].name;
        writeln!(
            text,
            "{name:<24}{:>11}  {:<20}{:>11}  {}",
            figure(at_end.mean),
            interval(&at_end),
            figure(on_average.mean),
            interval(&on_average)
        )
        .expect("writing to a string cannot fail");
    }
    if is_same {
        text += "no column differs\n";
    }
    text
}

/// A signed number in at most nine characters.
fn figure(value: f64) -> String {
    match value.abs() {
        size if size >= 1e7 => format!("{value:+.2e}"),
        size if size >= 1000.0 => format!("{value:+.0}"),
        size if size >= 10.0 => format!("{value:+.2}"),
        _ => format!("{value:+.4}"),
    }
}

fn interval(difference: &MeanDifference) -> String {
    match difference.interval {
        Some((low, high)) => format!("{} to {}", figure(low), figure(high)),
        None => "- (one seed)".to_owned(),
    }
}

/// The rows as CSV.
fn csv(rows: &ForkRows, seeds: &[u64]) -> String {
    let names = ["branch", "seed"].into_iter().chain(rows.columns.names());
    let header: Vec<String> = names.map(str::to_owned).collect();
    let branches = Branch::ALL
        .into_iter()
        .flat_map(|branch| iter::repeat(branch).zip(rows.of(branch).iter().zip(seeds)));
    let records = branches.flat_map(|(branch, (rows, seed))| {
        rows.iter().map(move |row| {
            let values = row.values().iter().map(|value| csv_field(*value));
            [branch.name().to_owned(), seed.to_string()]
                .into_iter()
                .chain(values)
                .collect()
        })
    });
    csv_text(iter::once(header).chain(records))
}
