//! `finches reproduce`: runs what publications ran, and writes a page for each with its figures
//! beside ours.

use std::path::{Path, PathBuf};
use std::slice;

use clap::Args;

use finches_engine::play::pool::Pool;
use finches_lab::experiment::Shard;
use finches_lab::experiment::collect::collect;
use finches_lab::report::page::Page;
use finches_lab::report::paper::Paper;
use finches_lab::report::{papers, render, results};
use finches_runs::storage::experiments::manifest::{MAX_RUNS, Manifest};
use finches_runs::storage::experiments::table::fill;
use finches_runs::storage::experiments::{known_text, write_named_text, write_text};
use finches_runs::storage::presets;

use super::batch::RunLimits;
use super::options::{ListedWords, RUN_THREADS, ThreadsOption};
use super::shard::begin_shard;
use super::{CliError, CostOption, experiment, log, output};

/// Options of `finches reproduce`.
#[derive(Clone, Debug, Args)]
#[command(mut_arg("threads", |threads| threads.help(RUN_THREADS)))]
pub(super) struct ReproduceArgs {
    /// Publications, `all` of them, or files of your own, which end in .ron.
    #[arg(required = true, value_name = "PUBLICATION", value_parser = PUBLICATION)]
    publications: Vec<String>,
    /// Fewer runs and generations: minutes, not hours. The page says so.
    #[arg(long)]
    quick: bool,
    /// Number of runs of each preset, in place of as many as the figures need. Verdicts need 5; a
    /// folder has runs of one number.
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "quick",
        value_parser = clap::value_parser!(u64).range(1..=MAX_RUNS)
    )]
    runs: Option<u64>,
    /// Folder of the runs and the pages. Runs already finished there are not repeated.
    #[arg(long, value_name = "DIR", default_value = "reproduced")]
    out: PathBuf,
    /// Run nothing: write the pages of the runs that are finished.
    #[arg(long, conflicts_with = "shard")]
    pages_only: bool,
    /// Folder of tables of finished runs, such as presets/results: runs that are finished there are
    /// not repeated.
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadsOption,
    /// Do only every N-th run, starting with the I-th. When all are done, the same command without
    /// --shard writes the page.
    #[arg(long, value_name = "I/N", value_parser = Shard::parse)]
    shard: Option<Shard>,
    #[command(flatten)]
    cost: CostOption,
}

/// The word for a publication, or the path of its file.
const PUBLICATION: ListedWords = ListedWords {
    list: || [papers::names(), vec!["all"]].concat(),
    is_other: is_file,
};

/// Whether a word is the path of a file.
fn is_file(word: &str) -> bool {
    Path::new(word)
        .extension()
        .is_some_and(|ending| ending == "ron")
}

/// The publications that were asked for, those inside the program first.
fn asked_for(words: &[String]) -> Result<Vec<Paper>, CliError> {
    let is_asked = |paper: &Paper| {
        words
            .iter()
            .any(|word| word == "all" || *word == paper.name)
    };
    let mut asked: Vec<Paper> = papers::all().into_iter().filter(is_asked).collect();
    for path in words.iter().filter(|word| is_file(word)) {
        asked.push(papers::open(Path::new(path))?);
    }
    Ok(asked)
}

/// Runs the publications that were asked for, one after the other.
pub(super) fn reproduce(args: &ReproduceArgs) -> Result<(), CliError> {
    log::for_script()?;
    let papers = asked_for(&args.publications)?;
    let mut plans = Vec::new();
    for paper in &papers {
        let (presets, planned) = paper.plan(args.quick)?;
        let runs = args.runs.unwrap_or(planned);
        for preset in &presets {
            args.cost.check(preset)?;
        }
        let manifest = Manifest::new(presets, 1, runs);
        let manifest = manifest.map_err(|error| CliError::Usage(error.to_string()))?;
        let manifest = manifest.with_players(paper.keeps_players());
        plans.push(manifest.with_rows(paper.rows_every(args.quick)));
    }
    let threads = args.threads.count();
    let mut pages = Vec::new();
    for (paper, manifest) in papers.iter().zip(plans) {
        pages.extend(reproduce_one(args, paper, &manifest, threads)?);
    }
    if args.shard.is_none() {
        let path = args.out.join(format!("results{}.md", args.suffix()));
        write_results(&path, &pages)?;
    }
    Ok(())
}

/// Writes the words and tables of pages to a file, in place of older ones. What else it has stays.
pub(super) fn write_results(path: &Path, pages: &[Page]) -> Result<(), CliError> {
    let known = known_text(path)?;
    let text = results::merged(&known, pages, &presets::names());
    let text = text.map_err(|error| CliError::Failure(format!("{}: {error}", path.display())))?;
    write_named_text(path, &text)?;
    output::eprint_line(&format!("the words and tables are in {}", path.display()));
    Ok(())
}

impl ReproduceArgs {
    /// What is added to the names of files of the quick version.
    fn suffix(&self) -> &'static str {
        if self.quick { "-quick" } else { "" }
    }
}

/// Runs a publication and writes its page, unless only a shard of it is run.
fn reproduce_one(
    args: &ReproduceArgs,
    paper: &Paper,
    manifest: &Manifest,
    threads: usize,
) -> Result<Option<Page>, CliError> {
    let shard = args.shard.unwrap_or(Shard::WHOLE);
    let name = format!("{}{}", paper.name, args.suffix());
    let folder = begin_shard(&args.out.join(&name), manifest, shard)?;
    let table = format!("{name}.csv");
    let kept = args.results.as_ref().map(|results| results.join(&table));
    if let Some(kept) = kept.filter(|kept| kept.exists()) {
        for preset in fill(&folder, &kept)? {
            output::eprint_line(&format!(
                "{preset}: has other settings than in {}; its runs there are not used",
                kept.display()
            ));
        }
    }
    if !args.pages_only {
        output::eprint_line(&format!("{name}:"));
        experiment::run_within(&folder, (shard, threads), RunLimits::default())?;
    }
    if shard != Shard::WHOLE {
        output::eprint_line(&format!(
            "{}: the shard is done; when all are, the same command without --shard writes the page",
            paper.name
        ));
        return Ok(None);
    }
    let runs = collect(slice::from_ref(&folder))?;
    let pool = Pool::new(threads).map_err(CliError::failure)?;
    let page = render::page(paper, &runs, args.quick, &pool)?;
    write_text(&args.out.join(table), &paper.table(&folder)?)?;
    let path = args.out.join(format!("{name}.html"));
    write_text(&path, &page.html())?;
    output::eprint_line(&format!("{}: {}", paper.name, path.display()));
    Ok(Some(page))
}
