//! Grades the populations that a saved run has kept: against that of generation 0 and against fresh networks.

use clap::Args;
use serde::Serialize;

use crate::arena;
use crate::metrics::stats::wilson;
use crate::session::grading::{Graded, Grading, Opponents, players};

use super::{Place, Stop, Workers, output};

/// What is graded, and by how many games.
#[derive(Clone, Debug, Args)]
pub(super) struct Ask {
    /// The saved run.
    run: String,
    /// The generation whose population to grade; all that are kept without it.
    #[arg(long, value_name = "G")]
    generation: Option<u64>,
    /// Games of each grading, an even sample; without it everyone meets everyone, once on each side.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..))]
    games: Option<u64>,
    /// One JSON object per population.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    workers: Workers,
    #[command(flatten)]
    place: Place,
}

/// One graded population as JSON.
#[derive(Serialize)]
struct Line {
    generation: u64,
    progress: f64,
    progress_games: u64,
    baseline: f64,
    baseline_games: u64,
}

/// Grades one kept population, or all of them.
pub(super) fn grade(ask: &Ask) -> Result<(), Stop> {
    let (saves, run) = (ask.place.open(), &ask.run);
    let (pool, games) = (ask.workers.pool()?, ask.games.unwrap_or(u64::MAX));
    let file = saves.run_file(run)?;
    let kept = saves.populations(run)?;
    if kept.is_empty() {
        return Err(Stop::Failure(format!(
            "{run}: no population has been kept; start the run with --set keep_every=1000 to keep one every 1,000 generations"
        )));
    }
    let wanted = ask.generation.map_or(kept, |generation| vec![generation]);
    let arena = arena::build(&file.preset.game, &file.preset.agent).map_err(Stop::Failure)?;
    let grading = Grading::new(&file.preset, file.seed, &arena).map_err(Stop::Failure)?;
    if !ask.json {
        output::print("generation  progress  95% CI        baseline  95% CI\n")?;
    }
    for generation in wanted {
        let members = saves.population(run, generation)?;
        let genome = &file.preset.genome;
        let ports = arena.ports();
        if let Some(fault) = members
            .iter()
            .find_map(|member| genome.fault(member, ports))
        {
            return Err(Stop::Failure(format!(
                "{run}: the population of generation {generation} can't play: {fault}"
            )));
        }
        let members = players(genome, ports, &members);
        let grade = |opponents| grading.grade(&pool, &members, opponents, games);
        let (progress, baseline) = (grade(Opponents::Beginners), grade(Opponents::Strangers));
        output::print(&if ask.json {
            json(generation, &progress, &baseline)
        } else {
            row(generation, &progress, &baseline)
        })?;
    }
    Ok(())
}

fn row(generation: u64, progress: &Graded, baseline: &Graded) -> String {
    let share = |graded: &Graded| {
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

fn json(generation: u64, progress: &Graded, baseline: &Graded) -> String {
    let line = Line {
        generation,
        progress: progress.share,
        progress_games: progress.games,
        baseline: baseline.share,
        baseline_games: baseline.games,
    };
    let text = serde_json::to_string(&line).expect("numbers can be written as JSON");
    text + "\n"
}
