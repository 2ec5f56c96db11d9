//! `finches reproduce`: runs what publications ran, and writes a page for each with its figures beside ours.

use std::path::PathBuf;
use std::time::Duration;
use std::{iter, slice};

use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::experiment::Shard;
use crate::experiment::collect::collect;
use crate::experiment::duration::run_seconds;
use crate::play::pool::thread_count;
use crate::report::paper::Paper;
use crate::report::{papers, render};
use crate::storage::experiments::manifest::{Manifest, RunId};
use crate::storage::experiments::{ExperimentFolder, write_text};

use super::limits::threads;
use super::{CliError, CostOption, experiment, log, output};

/// Options of `finches reproduce`.
#[derive(Clone, Debug, Args)]
pub(super) struct ReproduceArgs {
    /// Publications, or `all`.
    #[arg(required = true, value_name = "PUBLICATION", value_parser = PossibleValuesParser::new(names()))]
    publications: Vec<String>,
    /// Fewer runs and generations: minutes, not hours. The page says so.
    #[arg(long)]
    quick: bool,
    /// Folder of the runs and the pages. Runs already finished there are not repeated.
    #[arg(long, value_name = "DIR", default_value = "reproduced")]
    out: PathBuf,
    /// Number of threads; each run gets its own [default: the number of cores, minus one if there are four or more].
    #[arg(long, value_name = "T", default_value_t = 0, hide_default_value = true, value_parser = threads)]
    threads: usize,
    /// Do only every N-th run, starting with the I-th. When all are done, the same command without --shard writes the page.
    #[arg(long, value_name = "I/N", value_parser = Shard::parse)]
    shard: Option<Shard>,
    #[command(flatten)]
    cost: CostOption,
}

/// The words on the command line.
fn names() -> Vec<&'static str> {
    let papers = papers::all();
    let names = papers.iter().map(|paper| paper.name);
    names.chain(iter::once("all")).collect()
}

/// Runs the publications that were asked for, one after the other.
pub(super) fn reproduce(args: &ReproduceArgs) -> Result<(), CliError> {
    log::for_script()?;
    let is_asked = |paper: &Paper| {
        let mut words = args.publications.iter();
        words.any(|word| word == "all" || word == paper.name)
    };
    let papers: Vec<Paper> = papers::all().into_iter().filter(is_asked).collect();
    let mut plans = Vec::new();
    for paper in &papers {
        let (presets, runs) = paper.plan(args.quick)?;
        for preset in &presets {
            args.cost.check(preset)?;
        }
        let manifest = Manifest::new(presets, 1, runs);
        plans.push(manifest.map_err(|error| CliError::Usage(error.to_string()))?);
    }
    let threads = thread_count(args.threads);
    for (paper, manifest) in papers.iter().zip(plans) {
        reproduce_one(args, paper, manifest, threads)?;
    }
    Ok(())
}

fn reproduce_one(
    args: &ReproduceArgs,
    paper: &Paper,
    manifest: Manifest,
    threads: usize,
) -> Result<(), CliError> {
    let shard = args.shard.unwrap_or(Shard::WHOLE);
    let suffix = if args.quick { "-quick" } else { "" };
    let name = format!("{}{suffix}", paper.name);
    let folder = ExperimentFolder::begin(args.out.join(&name), manifest, &shard.file_suffix())?;
    experiment::run_headless(&folder, shard, threads, |left| {
        tell_length(paper, folder.manifest(), left, threads);
    })?;
    if shard != Shard::WHOLE {
        output::eprint_line(&format!(
            "{}: the shard is done; when all are, the same command without --shard writes the page",
            paper.name
        ));
        return Ok(());
    }
    let runs = collect(slice::from_ref(&folder))?;
    let page = render::page(paper, &runs, args.quick)?;
    let path = args.out.join(format!("{name}.html"));
    write_text(&path, &page.html())?;
    output::eprint_line(&format!("{}: {}", paper.name, path.display()));
    Ok(())
}

/// Says before the start how long the runs that are left take on this machine.
fn tell_length(paper: &Paper, manifest: &Manifest, left: &[RunId], threads: usize) {
    const WITHIN: Duration = Duration::from_millis(150);
    if left.is_empty() {
        return;
    }
    let mut seconds = 0.0;
    for (index, preset) in manifest.presets.iter().enumerate() {
        let runs = left.iter().filter(|id| id.preset == index).count();
        if runs > 0 {
            // A preset that can't be run fails by itself, with its reason.
            seconds += runs as f64 * run_seconds(preset, WITHIN).unwrap_or(0.0);
        }
    }
    let minutes = (seconds / threads as f64 / 60.0).ceil();
    let words = if minutes < 90.0 {
        format!("{minutes} min")
    } else {
        format!("{:.0} h", minutes / 60.0)
    };
    output::eprint_line(&format!(
        "{}: {} runs of {} presets; about {words} by the speed of their first generations, less where runs meet a target, more where networks grow",
        paper.name,
        left.len(),
        manifest.presets.len(),
    ));
}
