//! `finches report`: writes a page about a saved run or an experiment.

use std::path::PathBuf;
use std::slice;

use clap::Args;

use finches_lab::experiment::collect::collect;
use finches_lab::report::{experiment_page, run_page};
use finches_runs::storage::experiments::{
    ExperimentFolder, is_experiment, write_named_text, write_text,
};

use super::options::SavesOption;
use super::reproduce::write_results;
use super::{CliError, log, output};

/// Options of `finches report`.
#[derive(Clone, Debug, Args)]
pub(super) struct ReportArgs {
    /// A saved run, by its name or folder, or the folders of one experiment or of its shards.
    #[arg(required = true, value_name = "RUN|EXPERIMENT")]
    subjects: Vec<PathBuf>,
    /// The page [default: report.html in the first folder].
    #[arg(long, value_name = "FILE.html")]
    out: Option<PathBuf>,
    /// Put the words and tables into this file of results too, in place of an older section with
    /// the same title.
    #[arg(long, value_name = "FILE.md")]
    into: Option<PathBuf>,
    #[command(flatten)]
    place: SavesOption,
}

/// Writes the page of a run, or of the finished runs of an experiment.
pub(super) fn report(args: &ReportArgs) -> Result<(), CliError> {
    log::for_script()?;
    let saves = args.place.open();
    let first = &args.subjects[0];
    let run = first.to_string_lossy();
    let (page, folder) = match saves.find(&run) {
        Some(folder) if args.subjects.len() == 1 => (run_page::page(&saves, &run)?, folder),
        Some(_) => {
            return Err(CliError::Usage(format!(
                "{run}: is a saved run, of which a report takes only one; only folders of one \
                experiment can be several"
            )));
        }
        _ if !is_experiment(first) => {
            let unknown = saves.folder(&run).err();
            let why = unknown.map_or_else(String::new, |error| error.to_string());
            return Err(CliError::Usage(format!(
                "{why}; and it is not the folder of an experiment either"
            )));
        }
        _ => {
            let folders = ExperimentFolder::open(&args.subjects)?;
            let runs = collect(&folders)?;
            (experiment_page::page(&runs)?, first.clone())
        }
    };
    let own = folder.join("report.html");
    let path = args.out.as_ref().unwrap_or(&own);
    let write = if args.out.is_some() {
        write_named_text
    } else {
        write_text
    };
    write(path, &page.html())?;
    output::eprint_line(&format!("the report is {}", path.display()));
    match &args.into {
        Some(path) => write_results(path, slice::from_ref(&page)),
        None => Ok(()),
    }
}
