//! `finches experiment`: what was asked for becomes an experiment and its folder; bars or lines tell how it goes on, and the
//! summary is written and printed.

use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::thread;

use clap::{ArgGroup, Args, ValueEnum};
use crossbeam_channel::{Receiver, unbounded};
use signal_hook::consts::SIGINT;

use crate::arena::pool::Pool;
use crate::experiment::collect::{Runs, collect};
use crate::experiment::curves::curves;
use crate::experiment::plot::{Drawing, svg};
use crate::experiment::summary::{Summary, objective};
use crate::experiment::table::table;
use crate::experiment::{Ended, Fault, News, Order, Shard, columns, run};
use crate::metrics::over::Over;
use crate::metrics::until::Until;
use crate::preset::Preset;
use crate::storage::experiments::manifest::Manifest;
use crate::storage::experiments::{Folder, write_text};
use crate::storage::presets;
use crate::ui;
use crate::ui::experiment::How;
use crate::ui::experiment::model::Setup;

use super::progress::{Progress, damaged};
use super::terminal::TerminalOptions;
use super::{Stop, headless, journal, output, setting};

/// What experiment, how, and what to make of it.
#[derive(Clone, Debug, Args)]
#[command(group = ArgGroup::new("drawn").args(["plot", "dashboard"]).multiple(true))]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub(super) struct Ask {
    /// Presets by name, or .ron files.
    #[arg(required_unless_present = "merge", value_name = "PRESET")]
    presets: Vec<String>,
    /// Runs of each preset.
    #[arg(long, value_name = "N", required_unless_present = "merge", value_parser = clap::value_parser!(u64).range(1..))]
    runs: Option<u64>,
    /// The seed of the first run of each preset; the others follow it.
    #[arg(long, value_name = "FIRST", default_value_t = 1)]
    seed: u64,
    /// The generation at which runs stop.
    #[arg(long, value_name = "G")]
    generations: Option<u64>,
    /// The target, 'COLUMN>=X' or 'COLUMN<=X', at which runs stop; without it the preset's own, if it has one.
    #[arg(long, value_name = "CONDITION", value_parser = condition)]
    until: Option<String>,
    /// Change a setting of every preset, as in `--set add_node=0.2`
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = setting)]
    settings: Vec<(String, String)>,
    /// The folder of the experiment; experiments/PRESETS without it. Where it holds a part already, only the rest is run.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Threads to run on, each run on its own; as many as there are cores without it, from four cores on one fewer.
    #[arg(long, value_name = "T", default_value_t = 0, hide_default_value = true)]
    threads: usize,
    /// Do only every N-th run, from the I-th on; --merge sums up the shards.
    #[arg(long, value_name = "I/N", value_parser = Shard::parse)]
    shard: Option<Shard>,
    /// Run nothing; sum up the runs that lie in these folders, or in folders in them.
    #[arg(long, value_name = "DIR", num_args = 1.., conflicts_with_all = ["presets", "runs", "seed", "generations", "until", "settings", "shard"])]
    merge: Vec<PathBuf>,
    /// Draw a column over the course of the runs: median and middle half of each preset.
    #[arg(long, value_name = "FILE.svg", conflicts_with = "shard")]
    plot: Option<PathBuf>,
    /// The column to draw, and to compare where there is no target; the objective without it.
    #[arg(long, value_name = "COLUMN")]
    column: Option<String>,
    /// What the drawing, and at first the charts of the dashboard, go over.
    #[arg(
        long,
        visible_alias = "x",
        value_name = "AXIS",
        default_value = "generations",
        requires = "drawn"
    )]
    over: OverArg,
    /// Print the summary as JSON.
    #[arg(long)]
    json: bool,
    /// Watch the runs: their curves and the summary filling in; where there is a terminal, else lines as without it.
    ///
    /// q or Ctrl-C stops: finished runs are kept, and the same command goes on with the rest. A second time leaves at once. When
    /// all is done the screen stays until q, then the summary is printed.
    #[arg(long, conflicts_with = "merge")]
    dashboard: bool,
    #[command(flatten)]
    terminal: TerminalOptions,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum OverArg {
    Generations,
    Games,
}

impl From<OverArg> for Over {
    fn from(over: OverArg) -> Self {
        match over {
            OverArg::Generations => Self::Generations,
            OverArg::Games => Self::Games,
        }
    }
}

/// A condition as it was written.
fn condition(text: &str) -> Result<String, String> {
    Until::parse(text).map(|_| text.to_owned())
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Preset(error) => error.into(),
            Fault::Storage(error) => error.into(),
            Fault::Usage(message) => Self::Usage(message),
            Fault::Failed(message) => Self::Failure(message),
        }
    }
}

/// Runs an experiment, or sums one up.
pub(super) fn experiment(ask: &Ask) -> Result<(), Stop> {
    if !ask.dashboard {
        journal::of_script()?;
    }
    if !ask.merge.is_empty() {
        let folders = Folder::open(&ask.merge)?;
        let root = ask.out.as_deref().unwrap_or(&ask.merge[0]);
        return sum_up(ask, &folders, root);
    }
    let manifest = manifest(ask)?;
    let root = ask.out.clone().unwrap_or_else(|| default_folder(&manifest));
    let shard = ask.shard.unwrap_or(Shard::WHOLE);
    let folder = Folder::begin(root, manifest, &shard.mark())?;
    work(ask, &folder, shard)?;
    let root = folder.root().to_owned();
    if shard != Shard::WHOLE {
        output::say(&format!(
            "the shard is done; when all are: finches experiment --merge {}",
            root.display()
        ));
        return Ok(());
    }
    sum_up(ask, &[folder], &root)
}

/// The experiment that is asked for, checked before anything is run.
fn manifest(ask: &Ask) -> Result<Manifest, Stop> {
    let mut settings = ask.settings.clone();
    let generations = ask.generations.map(|generations| generations.to_string());
    settings.extend(generations.map(|text| ("generations".to_owned(), text)));
    settings.extend(ask.until.clone().map(|text| ("until".to_owned(), text)));
    let mut all = Vec::new();
    for name in &ask.presets {
        let preset = presets::load(name)?.with(&settings)?;
        check_column(ask, &preset)?;
        all.push(preset);
    }
    Manifest::new(all, ask.seed, ask.runs.unwrap_or(1)).map_err(Stop::Usage)
}

/// Whether the runs of a preset will have what is to be compared and drawn.
fn check_column(ask: &Ask, preset: &Preset) -> Result<(), Stop> {
    let columns = columns(preset)?;
    let Some(column) = &ask.column else {
        return Ok(());
    };
    if columns.place(column).is_none() || column == "seconds" {
        let names: Vec<&str> = columns.names().filter(|name| *name != "seconds").collect();
        return Err(Stop::Usage(format!(
            "{}: there is no column `{column}`; there are {}",
            preset.name,
            names.join(", ")
        )));
    }
    Ok(())
}

/// A folder named by the presets, not too long for any system.
fn default_folder(manifest: &Manifest) -> PathBuf {
    const LONGEST: usize = 100;
    let names: Vec<&str> = manifest
        .presets
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    let mut name = names.join("+");
    if name.len() > LONGEST {
        name = format!("{}+{}-more", names[0], names.len() - 1);
    }
    Path::new("experiments").join(name)
}

/// Does what is left to do; a signal ends it between two games.
fn work(ask: &Ask, folder: &Folder, shard: Shard) -> Result<(), Stop> {
    let threads = Pool::new(ask.threads).map_err(Stop::Failure)?.threads();
    let halt = Arc::new(AtomicBool::new(false));
    if ask.dashboard && output::has_terminal() {
        return watched(ask, folder, shard, threads, &halt);
    }
    let signal = heed(headless::signals()?, Arc::clone(&halt));
    let progress = Progress::new(folder.manifest());
    let ended = run(&Order {
        folder,
        shard,
        threads,
        halt: &halt,
        tell: &|news| progress.tell(&news),
    });
    progress.clear();
    match ended? {
        Ended::Done => Ok(()),
        Ended::Halted => Err(stopped(folder, signal.load(Ordering::Relaxed))),
    }
}

/// Says that it was stopped by a signal, and how to go on.
fn stopped(folder: &Folder, signal: u8) -> Stop {
    output::say(&format!(
        "stopped; the finished runs are kept in {}, and the same command goes on with the rest",
        folder.root().display()
    ));
    Stop::Code(128 + signal)
}

/// Does what is left to do on a thread of its own, while the dashboard shows it.
fn watched(
    ask: &Ask,
    folder: &Folder,
    shard: Shard,
    threads: usize,
    halt: &AtomicBool,
) -> Result<(), Stop> {
    let manifest = folder.manifest();
    let columns: Result<Vec<_>, Fault> = manifest.presets.iter().map(columns).collect();
    let setup = Setup {
        manifest: manifest.clone(),
        columns: columns?,
        shard,
        threads,
        folder: folder.root().display().to_string(),
        column: ask.column.clone(),
        over: ask.over.into(),
    };
    let terminal = ask.terminal.ready()?;
    let (out, news) = unbounded();
    let order = |tell: &(dyn Fn(News) + Sync)| {
        run(&Order {
            folder,
            shard,
            threads,
            halt,
            tell,
        })
    };
    thread::scope(|scope| {
        // A dashboard that has been left wants no news.
        let worker = scope.spawn(move || order(&|news| drop(out.send(news))));
        let watched = ui::experiment::watch(setup, folder, &news, halt, terminal);
        halt.fetch_or(watched.is_err(), Ordering::Relaxed);
        let left = watched.map_err(|error| Stop::Failure(error.to_string()));
        for fault in left.iter().flat_map(|left| &left.damaged) {
            output::say(&damaged(fault));
        }
        if let Ok(How::AtOnce(signal)) = left.as_ref().map(|left| left.how) {
            // The workers may be in the midst of a long game, which nobody waits for.
            let _ = stopped(folder, signal as u8);
            std::process::exit(128 + signal);
        }
        let ended = worker.join().unwrap_or_else(|bug| resume_unwind(bug));
        match (left?.how, ended?) {
            (How::Stopped(signal) | How::AtOnce(signal), Ended::Halted) => {
                Err(stopped(folder, signal as u8))
            }
            (How::Over, Ended::Halted) => Err(stopped(folder, SIGINT as u8)),
            (_, Ended::Done) => Ok(()),
        }
    })
}

/// Sets the flag when a signal comes; which one it was.
fn heed(signals: Receiver<u8>, halt: Arc<AtomicBool>) -> Arc<AtomicU8> {
    let heard = Arc::new(AtomicU8::new(0));
    let hear = Arc::clone(&heard);
    thread::spawn(move || {
        if let Ok(signal) = signals.recv() {
            hear.store(signal, Ordering::Relaxed);
            halt.store(true, Ordering::Relaxed);
        }
    });
    heard
}

/// Writes and prints the summary of what lies in folders, and draws it where that is wanted.
fn sum_up(ask: &Ask, folders: &[Folder], root: &Path) -> Result<(), Stop> {
    let runs = collect(folders)?;
    for fault in &runs.damaged {
        output::say(&format!(
            "finches: {fault}; its files have been set aside as *.damaged, and the experiment has to run it again"
        ));
    }
    if !runs.missing.is_empty() {
        let names = runs.missing();
        let shown = names.iter().take(8).map(String::as_str);
        let mut shown: Vec<&str> = shown.collect();
        if names.len() > shown.len() {
            shown.push("...");
        }
        output::say(&format!(
            "finches: {} of {} runs are missing: {}",
            names.len(),
            names.len() + runs.finished.len(),
            shown.join(" ")
        ));
    }
    let summary = Summary::of(&runs, ask.column.as_deref())?;
    write_text(&root.join("summary.csv"), &summary.csv())?;
    write_text(&root.join("summary.json"), &summary.json())?;
    if let Some(path) = &ask.plot {
        write_text(path, &drawing(ask, &runs)?)?;
    }
    let text = if ask.json {
        summary.json()
    } else {
        table(&summary)
    };
    output::print(&text)?;
    output::say(&format!(
        "summary.csv, summary.json and the runs are in {}",
        root.display()
    ));
    Ok(())
}

/// The drawing of a column over the course of the runs.
fn drawing(ask: &Ask, runs: &Runs<'_>) -> Result<String, Stop> {
    let preset = &runs.manifest.presets[0];
    let column = match &ask.column {
        Some(column) => column.clone(),
        None => objective(preset)?,
    };
    let over = Over::from(ask.over);
    let columns = columns(preset)?;
    let known = columns.all().iter().find(|known| known.name == column);
    let unit = known.map_or("", |column| column.unit);
    let label = column.replace('_', " ");
    let drawing = Drawing {
        title: &format!("{label}: median and middle half of the runs"),
        across: over.column(),
        up: &if unit.is_empty() {
            label.clone()
        } else {
            format!("{label} ({unit})")
        },
        curves: &curves(runs, &column, over)?,
    };
    svg(&drawing).map_err(Stop::Failure)
}
