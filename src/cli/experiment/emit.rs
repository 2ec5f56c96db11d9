//! `finches experiment --emit`: the command that writes the summary when all jobs are done.

use std::path::Path;

use crate::cli::CliError;
use finches_runs::storage::experiments::manifest::Manifest;

use super::{AXES, ExperimentArgs};

/// Writes the job files. Nothing is run.
pub(super) fn write(
    args: &ExperimentArgs,
    root: &Path,
    manifest: Manifest,
) -> Result<(), CliError> {
    args.batch
        .emit
        .write(root, manifest, |root, _| merge_words(args, root))
}

/// The words after the program's name that write the summary of a folder.
fn merge_words(args: &ExperimentArgs, root: &str) -> Vec<String> {
    let mut words = vec![
        "experiment".to_owned(),
        "--merge".to_owned(),
        root.to_owned(),
    ];
    if let Some(column) = &args.column {
        words.extend(["--column".to_owned(), column.clone()]);
    }
    if let Some(plot) = &args.plot {
        words.extend(["--plot".to_owned(), plot.to_string_lossy().into_owned()]);
        let axis = AXES.iter().find(|(_, unit)| *unit == args.over);
        words.extend(axis.map(|(name, _)| format!("--over={name}")));
    }
    if args.batch.json {
        words.push("--json".to_owned());
    }
    words
}
