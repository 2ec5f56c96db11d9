//! `finches report`: writes a page about an experiment.

use std::path::PathBuf;

use clap::Args;

use crate::experiment::collect::collect;
use crate::report::experiment_page;
use crate::storage::experiments::{ExperimentFolder, write_text};

use super::{CliError, log, output};

/// Options of `finches report`.
#[derive(Clone, Debug, Args)]
pub(super) struct ReportArgs {
    /// Folders of one experiment, or of its shards.
    #[arg(required = true, value_name = "EXPERIMENT")]
    folders: Vec<PathBuf>,
    /// The page [default: report.html in the first folder].
    #[arg(long, value_name = "FILE.html")]
    out: Option<PathBuf>,
}

/// Writes the page of the finished runs.
pub(super) fn report(args: &ReportArgs) -> Result<(), CliError> {
    log::for_script()?;
    let folders = ExperimentFolder::open(&args.folders)?;
    let runs = collect(&folders)?;
    let page = experiment_page::page(&runs)?;
    let path = match &args.out {
        Some(path) => path.clone(),
        None => args.folders[0].join("report.html"),
    };
    write_text(&path, &page.html())?;
    output::eprint_line(&format!("the report is {}", path.display()));
    Ok(())
}
