//! `finches experiment --matrix`: the table of games and schemes.

use clap::Args;

use crate::cli::options::ListedWords;
use crate::cli::{CliError, output};
use finches_lab::experiment::matrix::games::GAMES;
use finches_lab::experiment::matrix::schemes::SCHEMES;
use finches_lab::experiment::matrix::{MOST_GAMES, MatrixRequest, omission, plan};
use finches_runs::storage::experiments::manifest::Manifest;

use super::ExperimentArgs;

/// The number of runs in each place and of games in each run, unless they are given.
const WHOLE: (u64, u64) = (10, 400_000);
const QUICK: (u64, u64) = (3, 20_000);

/// The heading of the options in the help.
pub(super) const HEADING: &str = "Table of games and schemes";

/// Options of the table.
#[derive(Clone, Debug, Args)]
#[group(requires = "matrix")]
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
        conflicts_with_all = ["presets", "merge", "generations", "until", "column", "plot"],
    )]
    pub(super) matrix: bool,
    /// Games of the table, separated by commas [default: all].
    #[arg(
        long,
        value_name = "GAMES",
        value_delimiter = ',',
        conflicts_with_all = ["presets", "merge"],
        value_parser = ListedWords::of(|| GAMES.iter().map(|game| &*game.name).collect()),
    )]
    games: Vec<String>,
    /// Schemes of the table, separated by commas [default: all].
    #[arg(
        long,
        value_name = "SCHEMES",
        value_delimiter = ',',
        conflicts_with_all = ["presets", "merge"],
        value_parser = ListedWords::of(|| SCHEMES.iter().map(|scheme| &*scheme.name).collect()),
    )]
    schemes: Vec<String>,
    /// Number of games that each run may play; it stops after the last whole generation [default:
    /// 400000].
    #[arg(
        long,
        value_name = "N",
        conflicts_with_all = ["presets", "merge"],
        value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES),
    )]
    budget_games: Option<u64>,
    /// Make a small table: 3 runs of 20000 games, unless given otherwise.
    #[arg(long, conflicts_with_all = ["presets", "merge"])]
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
    let manifest = manifest.map_err(CliError::usage)?;
    Ok(manifest.with_matrix(planned.definition))
}
