//! `finches arena`: a round robin of saved champions, reference players and outside programs.

use clap::Args;

use finches_engine::games::GameConfig;
use finches_engine::metrics::stats::wilson;
use finches_engine::play::match_setup::MatchSetup;
use finches_engine::play::results::RoundRobinResults;
use finches_engine::play::round_robin::{PairTally, schedule, tallies};
use finches_runs::storage::players::{PlayerName, outside_spec, unknown_player};
use finches_runs::storage::saves::Saves;

use super::limits::{self, MAX_GAMES};
use super::matches::{ConditionOptions, NamedPlayers};
use super::options::preset;
use super::{CliError, log, output, rules};

/// Most games of a round robin.
const MAX_TOTAL_GAMES: u64 = 10_000_000;

/// The players, the game and the number of games.
#[derive(Clone, Debug, Args)]
pub(super) struct ArenaArgs {
    /// Reference players of the game by name, such as random or oracle, and champions of saved
    /// runs: RUN, the latest, or RUN:GENERATION, also those that come with the program, such as
    /// champion-nim. Add @SEARCH to change how a player searches:
    /// RUN@alpha-beta-4 looks 4 moves ahead, RUN@monte-carlo-300 runs 300 simulations per move,
    /// RUN@one-ply takes the move with the best value, RUN@level-3 plays at level 3 of Play,
    /// swh@alpha-beta-5 searches 5 moves ahead with a heuristic. Outside programs: gtp:COMMAND by
    /// the Go Text Protocol and nboard:COMMAND (nboard-6:COMMAND at depth 6), both for Reversi, and
    /// lines:COMMAND by JSON Lines, for any game. COMMAND starts the program, with its options:
    /// 'gtp:gtp-rhino --level 1'.
    #[arg(required = true, num_args = 2.., value_name = "PLAYER")]
    players: Vec<String>,
    /// The game, with its default parameters. Default: the game of the first saved run among the
    /// players.
    #[arg(long, conflicts_with = "preset")]
    game: Option<String>,
    /// The game of a preset.
    #[arg(long)]
    preset: Option<String>,
    /// Games per pair of players: two from each start position, with the sides swapped. An odd
    /// number is one more.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1000,
        value_parser = |text: &str| limits::games(text, MAX_GAMES),
    )]
    games: u32,
    #[command(flatten)]
    conditions: ConditionOptions,
}

/// Plays the round robin and prints the results.
pub(super) fn arena(args: &ArenaArgs) -> Result<(), CliError> {
    log::for_script()?;
    check_games(args)?;
    let saves = args.conditions.play.place.open();
    let names = args.players.iter();
    let names: Vec<PlayerName> = names.map(|name| PlayerName::parse(name, &saves)).collect();
    let setup = MatchSetup::new(&game(args, &names, &saves)?, &args.conditions.parameters)?;
    let players = NamedPlayers::new(&setup, &names, &saves, args.conditions.play.move_time)?;
    let count = names.len();
    let pool = args.conditions.play.workers.pool()?;
    let conditions = args.conditions.conditions();
    tracing::info!(
        target: "finches::play",
        players = count,
        games = args.games,
        seed = args.conditions.play.seed,
        "round robin starts"
    );
    let matches = schedule(count, args.games);
    let played = players.play(&pool, &matches, &conditions)?;
    let results = RoundRobinResults::new(args.players.clone(), tallies(count, &matches, &played))
        .with_forfeits(players.forfeits(&matches));
    if args.conditions.play.json {
        output::print_json(&results.json())
    } else {
        output::print(&table(&results))
    }
}

/// Refuses a round robin whose results would not fit in memory.
fn check_games(args: &ArenaArgs) -> Result<(), CliError> {
    let players = args.players.len() as u64;
    let pairs = players * (players - 1) / 2;
    let total = pairs * u64::from(args.games);
    if total > MAX_TOTAL_GAMES {
        return Err(CliError::Usage(format!(
            "{pairs} pairs with {} games each are {total} games, but at most {MAX_TOTAL_GAMES} are \
            possible; choose fewer with --games",
            args.games
        )));
    }
    Ok(())
}

/// The game to be played.
fn game(args: &ArenaArgs, players: &[PlayerName], saves: &Saves) -> Result<GameConfig, CliError> {
    if let Some(name) = &args.game {
        return rules::game(name, &[]);
    }
    if let Some(name) = &args.preset {
        return Ok(preset(name, &args.conditions.play.place)?.game);
    }
    let Some(run) = players.iter().find_map(PlayerName::run) else {
        let mut outside = players
            .iter()
            .filter_map(|player| outside_spec(player).ok()?.only_game());
        if let Some(only) = outside.next() {
            return rules::game(only, &[]);
        }
        let message = "choose the game with --game or --preset, or add a saved run to the players";
        return Err(unknown_or(players, saves, message));
    };
    // Parameters are checked later, once the game is known.
    Ok(saves.run_file(run)?.preset.game)
}

/// An error about the first unknown player, if any, with `message`.
fn unknown_or(players: &[PlayerName], saves: &Saves, message: &str) -> CliError {
    let unknown = players.iter().find(|player| player.is_unknown());
    CliError::Usage(match unknown {
        Some(name) => format!("{}; {message}", unknown_player(&name.text, saves)),
        None => message.to_owned(),
    })
}

fn table(results: &RoundRobinResults) -> String {
    let players = &results.players;
    let width = results.longest_name().max("player".len());
    let mut lines = vec![format!(
        "{:<width$}  {:<width$}  {:>7} {:>7} {:>7}  {:>7}  95% CI",
        "a", "b", "wins", "draws", "losses", "score"
    )];
    lines.extend(results.tallies.iter().map(
        |&PairTally {
             players: pair,
             tally,
         }| {
            let share = tally.share().unwrap_or(f64::NAN);
            let (low, high) = wilson(share, tally.games() as u32);
            let [a, b] = pair.map(|index| &players[index]);
            format!(
                "{a:<width$}  {b:<width$}  {:>7} {:>7} {:>7}  {:>6.2}%  {:.2}-{:.2}",
                tally.wins,
                tally.draws,
                tally.losses,
                share * 100.0,
                low * 100.0,
                high * 100.0
            )
        },
    ));
    lines.push(String::new());
    lines.push(format!("{:<width$}  {:>8}  95% CI", "player", "rating"));
    lines.extend(results.ranking().into_iter().map(|index| {
        let (name, elo) = (&players[index], results.ratings.elo[index]);
        let (low, high) = results.ratings.interval(index);
        format!("{name:<width$}  {elo:>8.1}  {low:.1} to {high:.1}")
    }));
    lines.push(
        "ratings: Bradley-Terry model, 400 points = odds of 10 to 1, mean 0; intervals from \
        the observed information, assuming independent games"
            .to_owned(),
    );
    lines.extend(added_draws(results));
    lines.extend(forfeit_section(results));
    lines.join("\n") + "\n"
}

/// What is said about draws that are added to the games, if there are any.
pub(super) fn added_draws(results: &RoundRobinResults) -> Option<String> {
    let words = "one draw is added to each pair, because some ratings would be infinite without it";
    results.ratings.is_regularized.then(|| words.to_owned())
}

/// The games that outside programs lost because they failed, under a heading.
pub(super) fn forfeit_section(results: &RoundRobinResults) -> Vec<String> {
    /// Games that are listed.
    const MOST: usize = 20;
    let mut lines = results.forfeit_lines(MOST);
    if !lines.is_empty() {
        let count = results.forfeits.len();
        let heading = format!("\nforfeits: {count}, counted above as losses of the program");
        lines.insert(0, heading);
    }
    lines
}
