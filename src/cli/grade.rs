//! `finches grade`: grades the saved populations of a run against that of generation 0 and against random networks.

use clap::Args;
use serde::Serialize;

use crate::arena;
use crate::metrics::stats::wilson;
use crate::session::grading::{GradingOpponents, GradingResult, PopulationGrading, players};

use super::{CliError, SavesOption, ThreadsOption, output};

/// The populations and the number of games.
#[derive(Clone, Debug, Args)]
pub(super) struct GradeArgs {
    /// The saved run.
    run: String,
    /// The generation of the population. Default: all saved populations.
    #[arg(long, value_name = "G")]
    generation: Option<u64>,
    /// Games per population and kind of opponent, an even sample of all. Default: every member plays every opponent, once from each
    /// side.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..))]
    games: Option<u64>,
    /// Print one JSON object per population.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    workers: ThreadsOption,
    #[command(flatten)]
    place: SavesOption,
}

/// One graded population as JSON.
#[derive(Serialize)]
struct PopulationGrade {
    generation: u64,
    progress: f64,
    progress_games: u64,
    baseline: f64,
    baseline_games: u64,
}

/// Grades one saved population, or all of them.
pub(super) fn grade(args: &GradeArgs) -> Result<(), CliError> {
    let (saves, run) = (args.place.open(), &args.run);
    let (pool, games) = (args.workers.pool()?, args.games.unwrap_or(u64::MAX));
    let file = saves.run_file(run)?;
    let kept = saves.populations(run)?;
    if kept.is_empty() {
        return Err(CliError::Failure(format!(
            "{run}: has no saved populations; start the run with --set keep_every=1000 to save one every 1,000 generations"
        )));
    }
    let wanted = args.generation.map_or(kept, |generation| vec![generation]);
    let arena = arena::build(&file.preset.game, &file.preset.agent).map_err(CliError::Failure)?;
    let grading =
        PopulationGrading::new(&file.preset, file.seed, &arena).map_err(CliError::Failure)?;
    if !args.json {
        output::print("generation  progress  95% CI        baseline  95% CI\n")?;
    }
    for generation in wanted {
        let members = saves.population(run, generation)?;
        let genome = &file.preset.genome;
        let ports = arena.ports();
        if let Some(error) = members
            .iter()
            .find_map(|member| genome.validation_error(member, ports))
        {
            return Err(CliError::Failure(format!(
                "{run}: the population of generation {generation} can't play: {error}"
            )));
        }
        let members = players(genome, ports, &members);
        let grade = |opponents| grading.grade(&pool, &members, opponents, games);
        let (progress, baseline) = (
            grade(GradingOpponents::InitialPopulation),
            grade(GradingOpponents::RandomNetworks),
        );
        output::print(&if args.json {
            json(generation, &progress, &baseline)
        } else {
            row(generation, &progress, &baseline)
        })?;
    }
    Ok(())
}

fn row(generation: u64, progress: &GradingResult, baseline: &GradingResult) -> String {
    let share = |graded: &GradingResult| {
        let (low, high) = wilson(graded.share, graded.games.min(u32::MAX.into()) as u32);
        let percent = |share: f64| share * 100.0;
        format!(
            "{:>7.2}%  {:.2}-{:.2}",
            percent(graded.share),
            percent(low),
            percent(high)
        )
    };
    format!(
        "{generation:>10}  {}  {}\n",
        share(progress),
        share(baseline)
    )
}

fn json(generation: u64, progress: &GradingResult, baseline: &GradingResult) -> String {
    let line = PopulationGrade {
        generation,
        progress: progress.share,
        progress_games: progress.games,
        baseline: baseline.share,
        baseline_games: baseline.games,
    };
    let text = serde_json::to_string(&line).expect("numbers can be written as JSON");
    text + "\n"
}
