//! `finches arena`: saved champions and reference players, everyone against everyone.

use std::sync::Arc;

use clap::Args;
use serde::Serialize;

use crate::agents::AgentConfig;
use crate::arena::league::{Tally, meetings, tallies};
use crate::arena::meet::{Conditions, Contender};
use crate::arena::player::Player;
use crate::arena::pool::Pool;
use crate::arena::{self, Arena};
use crate::games::GameConfig;
use crate::games::reference::Reference;
use crate::metrics::stats::ratings::{Points, Ratings, bradley_terry};
use crate::metrics::stats::wilson;
use crate::params::Params;
use crate::storage::presets;
use crate::storage::saves::{RunFile, Saves};

use super::{Place, Stop, journal, output, rules};

/// Who meets, in which game, how often.
#[derive(Clone, Debug, Args)]
pub(super) struct Ask {
    /// Reference players of the game by name, such as random or perfect, and champions of saved runs: RUN, the latest, or
    /// RUN:GENERATION.
    #[arg(required = true, num_args = 2.., value_name = "PLAYER")]
    players: Vec<String>,
    /// The game, with its default settings; without it and --preset, that of the first saved run.
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
    /// Threads to play games on.
    #[arg(long, value_name = "T", default_value_t = 0, hide_default_value = true)]
    threads: usize,
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
    let players: Vec<Named> = ask
        .players
        .iter()
        .map(|name| name_of(name, &saves))
        .collect();
    let game = rules::with(game(ask, &players, &saves)?, &ask.settings)?;
    let hall = hall(&game)?;
    let seats: Result<Vec<Contender>, Stop> = players
        .iter()
        .map(|player| seat(player, (&game, &ask.settings), &hall, &saves))
        .collect();
    let (seats, count) = (seats?, players.len());
    let pool = Pool::new(ask.threads).map_err(Stop::Failure)?;
    let conditions = Conditions {
        seed: ask.seed,
        key: 0,
        noise: ask.noise,
    };
    tracing::info!(
        target: "finches::arena",
        players = count,
        games = ask.games,
        seed = ask.seed,
        "meetings begin"
    );
    let played = hall.meet(&pool, &seats, &meetings(count, ask.games), &conditions);
    let played = played.expect("every contender was checked to play this game");
    let tallies = tallies(count, ask.games, &played);
    let ratings = rate(count, &tallies);
    let text = if ask.json {
        json(&ask.players, &tallies, &ratings)
    } else {
        table(&ask.players, &tallies, &ratings)
    };
    output::print(&text)
}

/// A player by what was written.
enum Named {
    /// A reference player, or nobody.
    Reference(String),
    Champion {
        name: String,
        run: String,
        generation: Option<u64>,
    },
}

/// Names of reference players come first; a saved run of such a name goes by its path.
fn name_of(name: &str, saves: &Saves) -> Named {
    let champion = |run: &str, generation| Named::Champion {
        name: name.to_owned(),
        run: run.to_owned(),
        generation,
    };
    if is_reference(name) {
        return Named::Reference(name.to_owned());
    }
    if saves.folder(name).is_ok() {
        return champion(name, None);
    }
    let parts = name.rsplit_once(':');
    let numbered = parts.and_then(|(run, generation)| Some((run, generation.parse().ok()?)));
    match numbered {
        Some((run, generation)) => champion(run, Some(generation)),
        None => Named::Reference(name.to_owned()),
    }
}

/// Whether a reference player of some game has this name.
fn is_reference(name: &str) -> bool {
    let mut halls = GameConfig::all()
        .into_iter()
        .filter_map(|game| hall(&game).ok());
    halls.any(|hall| Reference::named(name, hall.judges()).is_some())
}

/// The game that is played, as its own positions are numbered.
fn game(ask: &Ask, players: &[Named], saves: &Saves) -> Result<GameConfig, Stop> {
    if let Some(name) = &ask.game {
        return Ok(rules::game(name, &[])?.plain());
    }
    if let Some(name) = &ask.preset {
        return Ok(presets::load(name)?.game.plain());
    }
    let run = players.iter().find_map(|player| match player {
        Named::Champion { run, .. } => Some(run),
        Named::Reference(_) => None,
    });
    let Some(run) = run else {
        let message = "name the game with --game or --preset, or a saved run among the players";
        return Err(unknown_or(players, saves, message));
    };
    Ok(saves.run_file(run)?.preset.game.plain())
}

/// Names the first player that is neither a run nor a reference player of any game, or else says `message`.
fn unknown_or(players: &[Named], saves: &Saves, message: &str) -> Stop {
    let unknown = players.iter().find_map(|player| match player {
        Named::Reference(name) if !is_reference(name) => Some(name),
        _ => None,
    });
    Stop::Usage(match unknown {
        Some(name) => format!("{}; {message}", unknown_run(name, saves)),
        None => message.to_owned(),
    })
}

fn unknown_run(name: &str, saves: &Saves) -> String {
    let root = saves.root().display();
    format!("{name}: there is neither a reference player nor a saved run of that name in {root}")
}

/// An arena of the game with the first way to choose moves that goes with it; reference players need none.
fn hall(game: &GameConfig) -> Result<Arc<dyn Arena>, Stop> {
    let mut agents = AgentConfig::all().into_iter();
    let built = agents.find_map(|agent| arena::build(game, &agent).ok());
    built.ok_or_else(|| Stop::Failure(format!("nobody can play {}", game.name())))
}

fn seat(
    player: &Named,
    under: (&GameConfig, &[(String, String)]),
    hall: &Arc<dyn Arena>,
    saves: &Saves,
) -> Result<Contender, Stop> {
    match player {
        Named::Reference(name) => reference(name, hall, saves),
        Named::Champion {
            name,
            run,
            generation,
        } => champion(name, &saves.run_file(run)?, run, *generation, under, saves),
    }
}

fn reference(name: &str, hall: &Arc<dyn Arena>, saves: &Saves) -> Result<Contender, Stop> {
    let judges = hall.judges();
    let can_play = |reference: &Reference| hall.is_solved() || !reference.needs_solution();
    let found = Reference::named(name, judges).filter(can_play);
    let reference = found.ok_or_else(|| {
        let all = Reference::all(judges).into_iter().filter(can_play);
        let names: Vec<String> = all.map(|reference| reference.name(judges)).collect();
        Stop::Usage(format!(
            "{}; the game's reference players are {}, and a champion is RUN or RUN:GENERATION",
            unknown_run(name, saves),
            names.join(", ")
        ))
    })?;
    Ok(Arc::clone(hall).reference(reference))
}

/// A champion in an arena of its own run, where it sees positions as it is used to.
pub(super) fn champion(
    name: &str,
    file: &RunFile,
    run: &str,
    generation: Option<u64>,
    (game, settings): (&GameConfig, &[(String, String)]),
    saves: &Saves,
) -> Result<Contender, Stop> {
    let preset = &file.preset;
    // Of another game the settings may be none, and then that is what is wrong.
    let own = rules::with(preset.game.clone(), settings).unwrap_or_else(|_| preset.game.clone());
    if own.plain() != *game {
        return Err(Stop::Usage(format!(
            "{name}: plays {}, here it is {}",
            rules_of(&own.plain()),
            rules_of(game)
        )));
    }
    let generation = match generation {
        Some(generation) => generation,
        None => saves.champions(run)?.last().copied().ok_or_else(|| {
            Stop::Failure(format!(
                "{name}: has no champion yet; let it run for a while"
            ))
        })?,
    };
    let champion = saves.champion(run, generation)?;
    let home = arena::build(&own, &preset.agent).map_err(Stop::Failure)?;
    if let Some(fault) = preset.genome.fault(&champion.genome, home.ports()) {
        return Err(Stop::Failure(format!("{name}: can't play: {fault}")));
    }
    let player = Player::grown(&preset.genome, home.ports(), &champion.genome);
    Ok(home.contender(Arc::new(player)))
}

/// A game in words: its name and settings.
fn rules_of(game: &GameConfig) -> String {
    let mut params = Vec::new();
    game.visit("", &mut params);
    let settings: Vec<String> = params
        .iter()
        .map(|param| format!("{}={}", param.key, param.value))
        .collect();
    format!("{} ({})", game.name(), settings.join(" "))
}

fn rate(players: usize, tallies: &[Tally]) -> Ratings {
    let points = |tally: &Tally| Points {
        players: tally.players,
        points: [tally.points(), tally.games() as f64 - tally.points()],
    };
    bradley_terry(players, &tallies.iter().map(points).collect::<Vec<_>>())
}

/// One pair as JSON; the score is the share of points of `a`.
#[derive(Serialize)]
struct Pair<'a> {
    a: &'a str,
    b: &'a str,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    score: f64,
}

#[derive(Serialize)]
struct Results<'a> {
    players: &'a [String],
    pairs: Vec<Pair<'a>>,
    /// In the order of the players.
    elo: &'a [f64],
}

fn json(players: &[String], tallies: &[Tally], ratings: &Ratings) -> String {
    let pair = |tally: &Tally| Pair {
        a: &players[tally.players[0]],
        b: &players[tally.players[1]],
        games: tally.games(),
        wins: tally.wins,
        draws: tally.draws,
        losses: tally.losses,
        score: tally.share(),
    };
    let results = Results {
        players,
        pairs: tallies.iter().map(pair).collect(),
        elo: &ratings.elo,
    };
    serde_json::to_string(&results).expect("names and numbers are JSON") + "\n"
}

fn table(players: &[String], tallies: &[Tally], ratings: &Ratings) -> String {
    let width = players.iter().map(|name| name.chars().count()).max();
    let width = width.unwrap_or(0).max("player".len());
    let mut lines = vec![format!(
        "{:<width$}  {:<width$}  {:>7} {:>7} {:>7}  {:>7}  95 % CI",
        "a", "b", "wins", "draws", "losses", "score"
    )];
    lines.extend(tallies.iter().map(|tally| {
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
    lines.push(format!("{:<width$}  {:>8}", "player", "rating"));
    let mut order: Vec<usize> = (0..players.len()).collect();
    order.sort_by(|&a, &b| ratings.elo[b].total_cmp(&ratings.elo[a]));
    lines.extend(order.into_iter().map(|place| {
        let (name, elo) = (&players[place], ratings.elo[place]);
        format!("{name:<width$}  {elo:>8.1}")
    }));
    lines.push("ratings: Bradley-Terry, 400 points are odds of 10 to 1, mean 0".to_owned());
    if ratings.held {
        lines.push("some player has lost no point to some others: one draw is added to each pair, without which its rating would be infinite".to_owned());
    }
    lines.join("\n") + "\n"
}
