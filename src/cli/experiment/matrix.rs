//! `finches experiment --matrix`: the table of games and schemes.

use std::path::Path;

use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::cli::{CliError, output};
use finches_lab::experiment::collect::CollectedRuns;
use finches_lab::experiment::matrix::games::GAMES;
use finches_lab::experiment::matrix::results::MatrixResults;
use finches_lab::experiment::matrix::schemes::SCHEMES;
use finches_lab::experiment::matrix::table::table;
use finches_lab::experiment::matrix::{MOST_GAMES, MatrixRequest, omission, plan};
use finches_runs::storage::experiments::manifest::Manifest;
use finches_runs::storage::experiments::matrix::MatrixDefinition;
use finches_runs::storage::experiments::write_text;

use super::ExperimentArgs;

/// The number of runs in each place and of games in each run, unless they are given.
const WHOLE: (u64, u64) = (10, 400_000);
const QUICK: (u64, u64) = (3, 20_000);

/// The heading of the options in the help.
const HEADING: &str = "Table of games and schemes";

/// Options of the table.
#[derive(Clone, Debug, Args)]
pub(super) struct MatrixOptions {
    /// Make a table instead of running presets: every scheme evolves players of every game with the
    /// same number of games.
    ///
    /// The schemes are those of the publications, other fitness by opponents, NEAT, and evolution
    /// strategies. The last champions are judged by the same held-out games or positions, and the
    /// schemes are ranked in each game and over all. Like any experiment it continues where it was
    /// stopped, and can be divided into shards.
    #[arg(
        long,
        help_heading = HEADING,
        conflicts_with_all = ["presets", "merge", "generations", "until", "column", "plot"],
    )]
    pub(super) matrix: bool,
    /// Games of the table, separated by commas [default: all].
    #[arg(
        long,
        help_heading = HEADING,
        value_name = "GAMES",
        value_delimiter = ',',
        requires = "matrix",
        conflicts_with_all = ["presets", "merge"],
        value_parser = PossibleValuesParser::new(GAMES.map(|game| game.name)),
    )]
    games: Vec<String>,
    /// Schemes of the table, separated by commas [default: all].
    #[arg(
        long,
        help_heading = HEADING,
        value_name = "SCHEMES",
        value_delimiter = ',',
        requires = "matrix",
        conflicts_with_all = ["presets", "merge"],
        value_parser = PossibleValuesParser::new(SCHEMES.map(|scheme| scheme.name)),
    )]
    schemes: Vec<String>,
    /// Number of games that each run may play; it stops after the last whole generation [default:
    /// 400000].
    #[arg(
        long,
        help_heading = HEADING,
        value_name = "N",
        requires = "matrix",
        conflicts_with_all = ["presets", "merge"],
        value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES),
    )]
    budget_games: Option<u64>,
    /// Make a small table: 3 runs of 20000 games, unless given otherwise.
    #[arg(
        long,
        help_heading = HEADING,
        requires = "matrix",
        conflicts_with_all = ["presets", "merge"],
    )]
    quick: bool,
}

/// The experiment of the requested table. Says what is left out.
pub(super) fn manifest(args: &ExperimentArgs) -> Result<Manifest, CliError> {
    let options = &args.matrix;
    let (runs, budget) = if options.quick { QUICK } else { WHOLE };
    let planned = plan(&MatrixRequest {
        games: options.games.clone(),
        schemes: options.schemes.clone(),
        budget: options.budget_games.unwrap_or(budget),
        parameters: args.changes.parameters.clone(),
    })?;
    for omitted in &planned.definition.omitted {
        output::eprint_line(&format!("finches: {}", omission(omitted)));
    }
    let manifest = Manifest::new(planned.presets, args.seed, args.runs.unwrap_or(runs));
    let manifest = manifest.map_err(|error| CliError::Usage(error.to_string()))?;
    Ok(manifest.with_matrix(planned.definition))
}

/// Writes the files of the table. Returns what is printed: its text, or its JSON.
pub(super) fn write(
    args: &ExperimentArgs,
    runs: &CollectedRuns<'_>,
    definition: &MatrixDefinition,
    root: &Path,
) -> Result<String, CliError> {
    let results = MatrixResults::of(runs, definition)?;
    let json = results.json();
    write_text(&root.join("matrix.csv"), &results.csv())?;
    write_text(&root.join("matrix.json"), &json)?;
    Ok(if args.batch.json {
        json
    } else {
        table(&results)
    })
}
