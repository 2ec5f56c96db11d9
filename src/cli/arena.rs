//! `finches arena`: saved champions and reference players, everyone against everyone.

use clap::Args;

use crate::arena::league::{meetings, tallies};
use crate::arena::meet::{Conditions, Contender};
use crate::games::GameConfig;
use crate::metrics::stats::wilson;
use crate::storage::presets;
use crate::storage::saves::Saves;
use crate::tournament::Refusal;
use crate::tournament::name::Name;
use crate::tournament::results::Results;
use crate::tournament::seats::{Venue, nobody};

use super::{Place, Stop, Workers, journal, output, rules};

/// Who meets, in which game, how often.
#[derive(Clone, Debug, Args)]
pub(super) struct Ask {
    /// Reference players of the game by name, such as random or perfect, and champions of saved runs: RUN, the latest, or
    /// RUN:GENERATION. Behind an @ any of them can search otherwise than in its run: RUN@alpha-beta-4 looks 4 moves ahead,
    /// RUN@monte-carlo-300 plays 300 rounds, RUN@one-ply takes the move that looks best, swh@alpha-beta-5 is a rule of thumb 5 moves
    /// ahead.
    #[arg(required = true, num_args = 2.., value_name = "PLAYER")]
    players: Vec<String>,
    /// The game, with its default settings, and such that every game ends; without it and --preset, that of the first saved run.
    #[arg(long, conflicts_with = "preset")]
    game: Option<String>,
    /// The game of a preset.
    #[arg(long)]
    preset: Option<String>,
    /// A setting of the rules for all, such as `most_moves=0`; champions go on to see the board as they are used to.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = super::setting)]
    settings: Vec<(String, String)>,
    /// Games of every two players: two from each position, one from each side.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// The seed of positions and dice.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The share of moves that both sides make at random; without any, players that leave nothing to chance play the same
    /// game from the same position every time.
    #[arg(long, value_name = "P", default_value_t = 0.0, value_parser = share)]
    noise: f64,
    #[command(flatten)]
    workers: Workers,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: Place,
}

fn share(text: &str) -> Result<f64, String> {
    let share = text
        .parse()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| format!("`{text}` is not a share; write a number from 0 to 1"))
}

/// Plays everyone against everyone.
pub(super) fn meet(ask: &Ask) -> Result<(), Stop> {
    journal::of_script()?;
    let saves = ask.place.open();
    let names = ask.players.iter();
    let names: Vec<Name> = names.map(|name| Name::parse(name, &saves)).collect();
    let venue = Venue::open(&game(ask, &names, &saves)?, &ask.settings, saves.clone())?;
    let seats: Result<Vec<Contender>, Refusal> =
        names.iter().map(|name| venue.seat(name)).collect();
    let (seats, count) = (seats?, names.len());
    let pool = ask.workers.pool()?;
    let conditions = Conditions {
        seed: ask.seed,
        key: 0,
        first: 0,
        noise: ask.noise,
        halt: None,
    };
    tracing::info!(
        target: "finches::arena",
        players = count,
        games = ask.games,
        seed = ask.seed,
        "meetings begin"
    );
    let meetings = meetings(count, ask.games);
    let played = venue.play(&pool, &seats, &meetings, &conditions);
    let played = played.expect("nothing halts them");
    let results = Results::new(ask.players.clone(), tallies(count, &meetings, &played));
    let text = if ask.json {
        results.json()
    } else {
        table(&results)
    };
    output::print(&text)
}

/// The game that is played.
fn game(ask: &Ask, players: &[Name], saves: &Saves) -> Result<GameConfig, Stop> {
    if let Some(name) = &ask.game {
        return rules::game(name, &[]);
    }
    if let Some(name) = &ask.preset {
        return Ok(presets::load(name)?.game);
    }
    let Some(run) = players.iter().find_map(Name::run) else {
        let message = "name the game with --game or --preset, or a saved run among the players";
        return Err(unknown_or(players, saves, message));
    };
    // What the run does not know of the settings is found fault with once all know what is played.
    Ok(saves.run_file(run)?.preset.game)
}

/// Names the first player that is neither a run nor a reference player of any game, or else says `message`.
fn unknown_or(players: &[Name], saves: &Saves, message: &str) -> Stop {
    let unknown = players.iter().find(|player| player.is_unknown());
    Stop::Usage(match unknown {
        Some(name) => format!("{}; {message}", nobody(&name.text, saves)),
        None => message.to_owned(),
    })
}

fn table(results: &Results) -> String {
    let players = &results.players;
    let width = results.longest_name().max("player".len());
    let mut lines = vec![format!(
        "{:<width$}  {:<width$}  {:>7} {:>7} {:>7}  {:>7}  95 % CI",
        "a", "b", "wins", "draws", "losses", "score"
    )];
    lines.extend(results.tallies.iter().map(|tally| {
        let (low, high) = wilson(tally.share(), tally.games() as u32);
        let [a, b] = tally.players.map(|place| &players[place]);
        format!(
            "{a:<width$}  {b:<width$}  {:>7} {:>7} {:>7}  {:>6.2}%  {:.2}-{:.2}",
            tally.wins,
            tally.draws,
            tally.losses,
            tally.share() * 100.0,
            low * 100.0,
            high * 100.0
        )
    }));
    lines.push(String::new());
    lines.push(format!("{:<width$}  {:>8}  95 % CI", "player", "rating"));
    lines.extend(results.order().into_iter().map(|place| {
        let (name, elo) = (&players[place], results.ratings.elo[place]);
        let (low, high) = results.ratings.interval(place);
        format!("{name:<width$}  {elo:>8.1}  {low:.1} to {high:.1}")
    }));
    lines.push("ratings: Bradley-Terry, 400 points are odds of 10 to 1, mean 0; intervals from the observed information, for games that are independent".to_owned());
    if results.ratings.held {
        lines.push("some player has lost no point to some others: one draw is added to each pair, without which its rating would be infinite".to_owned());
    }
    lines.join("\n") + "\n"
}
