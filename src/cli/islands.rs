//! `finches islands`: evolves islands of a preset, which exchange champions, in this process or in
//! several.

use std::fmt::Write as _;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use clap::Args;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use finches_engine::metrics::Columns;
use finches_engine::session::Session;
use finches_engine::session::measures::progress;
use finches_lab::experiment::columns;
use finches_lab::islands::{IslandEnd, IslandError, IslandEvent, IslandSpec, evolve};
use finches_runs::storage::islands::{IslandsDefinition, IslandsFolder, MAX_ISLANDS};
use finches_runs::storage::presets;

use super::options::{PresetOptions, RunThreadsOption};
use super::{CliError, CostOption, headless, log, output};

/// The exit code of an island that does not wait and lacks a champion.
const WAITING: u8 = 4;

/// Options of `finches islands`.
#[derive(Clone, Debug, Args)]
pub(super) struct IslandsArgs {
    /// Name of a preset, or a .ron file. Without it, the islands in --out go on.
    #[arg(required_unless_present = "out")]
    preset: Option<String>,
    /// Number of islands.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 4,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_ISLANDS)),
        requires = "preset",
    )]
    islands: u32,
    /// Number of generations between two exchanges of champions.
    #[arg(
        long,
        value_name = "G",
        default_value_t = 20,
        value_parser = clap::value_parser!(u64).range(1..),
        requires = "preset",
    )]
    every: u64,
    /// Evolve only this island, counted from 1; other processes evolve the others [default: all].
    #[arg(long, value_name = "I")]
    island: Option<u32>,
    /// Stop and save where the champion of another island is not there yet, instead of waiting for
    /// it. The exit code is 4.
    #[arg(long, requires = "island")]
    no_wait: bool,
    /// Seed of the first island; the others use the seeds after it.
    #[arg(long, value_name = "FIRST", default_value_t = 1, requires = "preset")]
    seed: u64,
    #[command(flatten)]
    changes: PresetOptions,
    /// Folder of the islands [default: islands/PRESET]. Islands already there go on where they were
    /// saved.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    threads: RunThreadsOption,
    #[command(flatten)]
    cost: CostOption,
}

impl From<IslandError> for CliError {
    fn from(error: IslandError) -> Self {
        match error {
            IslandError::Preset(error) => error.into(),
            IslandError::Storage(error) => error.into(),
            IslandError::Threads(error) => error.into(),
            error @ IslandError::Migrant { .. } => Self::Failure(error.to_string()),
        }
    }
}

/// Evolves islands, or one of them.
pub(super) fn islands(args: &IslandsArgs) -> Result<(), CliError> {
    log::for_script()?;
    let folder = open(args)?;
    let definition = folder.definition();
    args.cost.check(&definition.preset)?;
    let all = 0..definition.islands;
    let chosen: Vec<u32> = match args.island {
        None => all.collect(),
        Some(number) => match number.checked_sub(1).filter(|island| all.contains(island)) {
            Some(island) => vec![island],
            None => {
                return Err(CliError::Usage(format!(
                    "there is no island {number}; choose one from 1 to {}",
                    definition.islands
                )));
            }
        },
    };
    let columns = columns(&definition.preset)?;
    evolve_all(args, &folder, &chosen)?;
    conclude(&folder, &columns)
}

/// The islands that are asked for.
fn open(args: &IslandsArgs) -> Result<IslandsFolder, CliError> {
    let Some(name) = &args.preset else {
        if !args.changes.is_empty() {
            let message = "islands that go on keep their parameters; name a preset to begin others";
            return Err(CliError::usage(message));
        }
        let root = args.out.clone().unwrap_or_default();
        return Ok(IslandsFolder::open(root)?);
    };
    let preset = presets::load(name)?.with(&args.changes.changes())?;
    if let Some(problem) = Session::migration_problem(&preset) {
        return Err(CliError::Usage(problem));
    }
    // All other problems are told before a folder is made.
    columns(&preset)?;
    let default = || Path::new("islands").join(&preset.name);
    let root = args.out.clone().unwrap_or_else(default);
    let definition = IslandsDefinition {
        preset,
        seed: args.seed,
        islands: args.islands,
        every: args.every,
    };
    Ok(IslandsFolder::begin(root, definition)?)
}

/// Evolves the chosen islands at the same time. A signal stops and saves them.
fn evolve_all(args: &IslandsArgs, folder: &IslandsFolder, chosen: &[u32]) -> Result<(), CliError> {
    let halt = Arc::new(AtomicBool::new(false));
    let signal = headless::halt_on_signal(&halt)?;
    let progress = IslandsProgress::new(folder.definition(), chosen);
    let threads = (args.threads.count() / chosen.len()).max(1);
    let ends: Vec<Result<IslandEnd, IslandError>> = thread::scope(|scope| {
        let start = |(place, &island): (usize, &u32)| {
            let (halt, progress) = (&halt, &progress);
            scope.spawn(move || {
                let ended = evolve(&IslandSpec {
                    folder,
                    island,
                    threads,
                    waits: !args.no_wait,
                    halt,
                    on_event: &|event| progress.handle(place, island, &event),
                });
                if ended.is_err() {
                    halt.store(true, Ordering::Relaxed);
                }
                ended
            })
        };
        let handles: Vec<_> = chosen.iter().enumerate().map(start).collect();
        let ended = handles.into_iter().map(thread::ScopedJoinHandle::join);
        // A panic of an island is one of this thread.
        ended
            .map(|joined| joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    progress.clear();
    let ends = ends.into_iter().collect::<Result<Vec<_>, _>>()?;
    let root = folder.root().display();
    if ends.contains(&IslandEnd::Halted) {
        output::eprint_line(&format!(
            "stopped and saved; continue with: finches islands --out {root}"
        ));
        return Err(CliError::ExitCode(128 + signal.load(Ordering::Relaxed)));
    }
    let waiting = ends.iter().find_map(|end| match end {
        IslandEnd::Waiting { source_island } => Some(source_island + 1),
        _ => None,
    });
    let Some(source) = waiting else { return Ok(()) };
    output::eprint_line(&format!("saved; island {source} has to evolve first"));
    Err(CliError::ExitCode(WAITING))
}

/// Writes the rows of all islands and prints a summary, once all are done.
fn conclude(folder: &IslandsFolder, columns: &Columns) -> Result<(), CliError> {
    let definition = folder.definition();
    let mut missing = Vec::new();
    for island in 0..definition.islands {
        if folder.last(island)?.is_none() {
            missing.push((island + 1).to_string());
        }
    }
    if !missing.is_empty() {
        output::eprint_line(&format!("islands not done yet: {}", missing.join(", ")));
        return Ok(());
    }
    let path = folder.write_rows(columns)?;
    output::print(&summary(folder, columns)?)?;
    output::eprint_line(&format!(
        "all rows are in {}; compare the islands with: finches watch {}",
        path.display(),
        folder.root().display()
    ));
    Ok(())
}

/// A line for each island: what it reached.
fn summary(folder: &IslandsFolder, columns: &Columns) -> Result<String, CliError> {
    let definition = folder.definition();
    let objective = columns.objective();
    let label = objective.map_or("objective", |index| columns.all()[index].label.as_str());
    let mut text = format!(
        "{:>6}  {:>10}  {:>11}  {:>12}  {label}: last (best)\n",
        "island", "seed", "generations", "games"
    );
    for island in 0..definition.islands {
        let (_, rows) = folder.rows(island)?;
        let values = rows.iter().filter_map(|row| row.values()[objective?]);
        let values: Vec<f64> = values.collect();
        let best = values.iter().copied().reduce(f64::max);
        let figure =
            |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.4}"));
        let games = rows
            .last()
            .and_then(|row| row.get(columns, &progress::GAMES));
        let _ = writeln!(
            text,
            "{:>6}  {:>10}  {:>11}  {:>12.0}  {} ({})",
            island + 1,
            definition.seed_of(island),
            rows.len(),
            games.unwrap_or(0.0),
            figure(values.last().copied()),
            figure(best)
        );
    }
    Ok(text)
}

/// A bar per island if standard error is a terminal.
struct IslandsProgress {
    all: MultiProgress,
    bars: Vec<ProgressBar>,
    is_terminal: bool,
}

impl IslandsProgress {
    fn new(definition: &IslandsDefinition, chosen: &[u32]) -> Self {
        let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(10));
        let template = "island {prefix:2}  {bar:30} {pos}/{len} generations  {msg}  {eta}";
        let style = ProgressStyle::with_template(template).expect("the template is sound");
        let bar = |island: &u32| {
            let bar = ProgressBar::new(definition.preset.generations).with_style(style.clone());
            bar.set_prefix((island + 1).to_string());
            all.add(bar)
        };
        Self {
            bars: chosen.iter().map(bar).collect(),
            all,
            is_terminal: io::stderr().is_terminal(),
        }
    }

    /// Shows what happens on an island.
    fn handle(&self, place: usize, island: u32, event: &IslandEvent<'_>) {
        let bar = &self.bars[place];
        match event {
            IslandEvent::Started { generation } => bar.set_position(*generation),
            IslandEvent::Row(row) => {
                bar.set_message("");
                bar.set_position(row.generation() + 1);
            }
            IslandEvent::Waits {
                source_island,
                generation,
            } => {
                let source = source_island + 1;
                bar.set_message(format!("waits for island {source}"));
                if !self.is_terminal {
                    output::eprint_line(&format!(
                        "island {} waits for the champion of island {source} for generation \
                        {generation}",
                        island + 1
                    ));
                }
            }
        }
    }

    fn clear(&self) {
        for bar in &self.bars {
            bar.finish_and_clear();
        }
        // A terminal that has gone can't be cleared.
        let _ = self.all.clear();
    }
}
