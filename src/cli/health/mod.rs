//! `finches health`: whether coevolution in a saved run makes champions better, by a round robin of
//! champions spread over the run.

use clap::Args;

use finches_engine::contest::GameResult;
use finches_engine::metrics::stats::spread::even_sample;
use finches_engine::play::health::cross_table::CrossTable;
use finches_engine::play::health::gradient::FitnessLevels;
use finches_engine::play::health::{Diagnosis, RunRecord};
use finches_engine::play::match_setup::MatchSetup;
use finches_engine::play::matches::{Match, MatchConditions};
use finches_engine::play::reference_player::ReferencePlayer;
use finches_engine::play::results::RoundRobinResults;
use finches_engine::play::round_robin::{head_to_head, schedule, tallies, tally};
use finches_engine::session::measures::{accuracy, columns_named, fitness};
use finches_runs::storage::players::{PlayerName, champion_name, latest_champion};
use finches_runs::storage::saves::Saves;

use super::matches::{NamedPlayers, PlayOptions};
use super::{CliError, limits, log, output};

use self::json::json;
use self::text::text;

mod json;
mod text;

/// The run and the games.
#[derive(Clone, Debug, Args)]
pub(super) struct HealthArgs {
    /// The saved run.
    #[arg(value_name = "RUN")]
    run: String,
    /// Games per pair: two from each start position, with the sides swapped. An odd number is one
    /// more.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 40,
        value_parser = |text: &str| limits::games(text, 1000),
    )]
    games: u32,
    /// The most champions that play, spread evenly over those that are saved, the first and the
    /// latest among them. A verdict needs 12.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 16,
        value_parser = clap::value_parser!(u32).range(3..=32),
    )]
    champions: u32,
    /// Players outside of the run that each champion plays, as in `finches arena` [default: all
    /// reference players of the game that look at most one move ahead].
    #[arg(long, value_name = "PLAYER", num_args = 1..)]
    against: Vec<String>,
    #[command(flatten)]
    play: PlayOptions,
}

/// What is printed.
struct HealthReport<'a> {
    args: &'a HealthArgs,
    /// The generations of the champions, oldest first.
    generations: Vec<u64>,
    /// The players outside of the run.
    outside: Vec<String>,
    /// The mean share of each champion against them.
    held_out: Vec<f64>,
    table: CrossTable,
    results: RoundRobinResults,
    diagnosis: Diagnosis,
}

/// Plays the games and prints the diagnosis.
pub(super) fn health(args: &HealthArgs) -> Result<(), CliError> {
    log::for_script()?;
    let saves = args.play.place.open();
    let report = examine(args, &saves)?;
    if args.play.json {
        output::print_json(&json(&report))
    } else {
        output::print(&text(&report))
    }
}

fn examine<'a>(args: &'a HealthArgs, saves: &Saves) -> Result<HealthReport<'a>, CliError> {
    let generations = chosen(args, saves)?;
    let setup = MatchSetup::new(&saves.run_file(&args.run)?.preset.game, &[])?;
    let outside = outside_players(args, &setup);
    let champions = generations
        .iter()
        .map(|&generation| champion_name(&args.run, generation));
    let names: Vec<String> = champions.chain(outside.iter().cloned()).collect();
    let parsed = names.iter().map(|name| PlayerName::parse(name, saves));
    let parsed: Vec<PlayerName> = parsed.collect();
    let players = NamedPlayers::new(&setup, &parsed, saves, args.play.move_time)?;
    let count = generations.len();
    let matches = matches(count, outside.len(), args.games);
    let played = play(args, &players, &matches)?;
    let among = count * (count - 1) / 2 * args.games as usize;
    let pairs = tallies(count, &matches[..among], &played[..among]);
    let held_out = shares_outside(&played[among..], args.games, outside.len());
    let table = CrossTable::new(count, &pairs);
    let (fitness, accuracy) = history(&args.run, saves)?;
    let record = RunRecord {
        table: &table,
        held_out: &held_out,
        fitness: &fitness,
        accuracy,
    };
    Ok(HealthReport {
        diagnosis: Diagnosis::of(record, args.play.seed),
        results: RoundRobinResults::new(names[..count].to_vec(), pairs),
        args,
        generations,
        outside,
        held_out,
        table,
    })
}

fn play(
    args: &HealthArgs,
    players: &NamedPlayers<'_>,
    matches: &[Match],
) -> Result<Vec<GameResult>, CliError> {
    let pool = args.play.workers.pool()?;
    tracing::info!(
        target: "finches::play",
        games = matches.len(),
        seed = args.play.seed,
        "health check starts"
    );
    let conditions = MatchConditions::new(args.play.seed);
    players.play(&pool, matches, &conditions)
}

/// The mean share of each champion against players outside of the run, given their games in order.
fn shares_outside(played: &[GameResult], games: u32, outside: usize) -> Vec<f64> {
    let share = |games: &[GameResult]| tally(games).share();
    let shares = played.chunks(games as usize).filter_map(share);
    let shares: Vec<f64> = shares.collect();
    let mean = |shares: &[f64]| shares.iter().sum::<f64>() / shares.len() as f64;
    shares.chunks(outside.max(1)).map(mean).collect()
}

/// The generations of the champions that play: evenly spread, the first and the latest among them.
fn chosen(args: &HealthArgs, saves: &Saves) -> Result<Vec<u64>, CliError> {
    let saved = saves.champions(&args.run)?;
    let latest = latest_champion(&args.run, saves)?;
    let earlier = &saved[..saved.len() - 1];
    if earlier.len() < 2 {
        return Err(CliError::Failure(format!(
            "{}: has {} of at least 3 saved champions; let it run for more generations",
            args.run,
            saved.len()
        )));
    }
    let sample = even_sample(earlier, args.champions as usize - 1);
    Ok(sample.into_iter().copied().chain([latest]).collect())
}

/// The names of the players outside of the run.
fn outside_players(args: &HealthArgs, setup: &MatchSetup) -> Vec<String> {
    if !args.against.is_empty() {
        return args.against.clone();
    }
    let is_quick = |name: &String| {
        let found = setup.reference_named(name);
        found.is_some_and(ReferencePlayer::is_quick)
    };
    setup
        .reference_names()
        .into_iter()
        .filter(is_quick)
        .collect()
}

/// The games among the champions, then those of each champion against each player outside of the
/// run.
fn matches(champions: usize, outside: usize, games: u32) -> Vec<Match> {
    let mut matches = schedule(champions, games);
    for champion in 0..champions {
        for other in champions..champions + outside {
            matches.extend(head_to_head([champion, other], games));
        }
    }
    matches
}

/// The fitness of all generations, and the latest share of positions in which the champion moves
/// right, if it was measured.
fn history(run: &str, saves: &Saves) -> Result<(Vec<FitnessLevels>, Option<f64>), CliError> {
    let (names, rows) = saves.metrics(run)?;
    let columns = columns_named(&names);
    let levels = rows.iter().filter_map(|row| {
        Some(FitnessLevels {
            best: row.get(&columns, &fitness::BEST)?,
            mean: row.get(&columns, &fitness::MEAN)?,
        })
    });
    let mut latest = rows.iter().rev();
    let accuracy = latest.find_map(|row| row.get(&columns, &accuracy::IN_STATES));
    Ok((levels.collect(), accuracy))
}
