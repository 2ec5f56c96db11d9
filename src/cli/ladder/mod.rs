//! `finches ladder`: champions on the fixed ladder of their game, with ratings from the random
//! player, and the course of a run on it.

use std::path::PathBuf;

use clap::Args;

use finches_engine::games::GameConfig;
use finches_engine::metrics::stats::spread::even_sample;
use finches_engine::play::ladder::{ANCHOR, ladder_schedule, rungs};
use finches_engine::play::match_setup::{MatchSetup, PlayerError};
use finches_engine::play::results::RoundRobinResults;
use finches_engine::play::round_robin::tallies;
use finches_runs::storage::experiments::write_named_text;
use finches_runs::storage::players::{
    NamedPlayer, PlayerName, SEARCH_SEPARATOR, champion_name, latest_champion,
};
use finches_runs::storage::saves::Saves;

use super::matches::{ConditionOptions, NamedPlayers};
use super::{CliError, limits, log, output};

mod course;
mod json;
mod text;

/// The players and the number of games.
#[derive(Clone, Debug, Args)]
pub(super) struct LadderArgs {
    /// A game, champions of saved runs (RUN or RUN:GENERATION), and other players as in
    /// `finches arena`. A game alone plays its rungs only; without one, the game is that of the
    /// first saved run.
    #[arg(required = true, value_name = "GAME|RUN")]
    players: Vec<String>,
    /// Add earlier champions of the saved runs, for their course on the ladder. They play the other
    /// players, not each other.
    #[arg(long)]
    past: bool,
    /// The number of earlier champions of each run, spread evenly over those that are saved.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10,
        requires = "past",
        value_parser = clap::value_parser!(u32).range(1..=100),
    )]
    champions: u32,
    /// Draw the course of the runs into this file, as SVG.
    #[arg(long, value_name = "FILE.svg", requires = "past", value_parser = limits::svg)]
    plot: Option<PathBuf>,
    /// Games per pair of players: two from each start position, with the sides swapped. An odd
    /// number is one more.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 40,
        value_parser = |text: &str| limits::games(text, 10_000),
    )]
    games: u32,
    #[command(flatten)]
    conditions: ConditionOptions,
}

/// What is printed.
struct LadderReport<'a> {
    args: &'a LadderArgs,
    game: GameConfig,
    /// The number of rungs, which are the first players.
    rungs: usize,
    /// Rungs that can't play here, and why.
    left_out: Vec<(String, String)>,
    results: RoundRobinResults,
    /// The earlier champions.
    course: Vec<CoursePoint>,
}

/// A champion of a run.
struct CoursePoint {
    /// The run, with the search if one is named.
    run: String,
    generation: u64,
    /// The index among the players of the results.
    player: usize,
}

/// Plays the games and prints the ratings.
pub(super) fn ladder(args: &LadderArgs) -> Result<(), CliError> {
    log::for_script()?;
    let report = climb(args, &args.conditions.play.place.open())?;
    if let Some(path) = &args.plot {
        write_named_text(path, &course::plot(&report)?)?;
    }
    if args.conditions.play.json {
        output::print_json(&json::json(&report))
    } else {
        output::print(&text::text(&report))
    }
}

fn climb<'a>(args: &'a LadderArgs, saves: &Saves) -> Result<LadderReport<'a>, CliError> {
    let (game, named) = players(args, saves)?;
    let setup = MatchSetup::new(&game, &args.conditions.parameters)?;
    let (mut names, left_out) = playable_rungs(args, &setup, saves);
    let rungs = names.len();
    for name in named {
        if names.iter().all(|other| other.text != name.text) {
            names.push(name);
        }
    }
    let standing = names.len();
    let course = if args.past {
        add_past(args, &mut names, rungs, saves)?
    } else {
        Vec::new()
    };
    let players = NamedPlayers::new(&setup, &names, saves, args.conditions.play.move_time)?;
    let matches = ladder_schedule(standing, names.len(), args.games);
    tracing::info!(
        target: "finches::play",
        players = names.len(),
        games = matches.len(),
        seed = args.conditions.play.seed,
        "ladder starts"
    );
    let conditions = args.conditions.conditions();
    let played = players.play(&args.conditions.play.workers.pool()?, &matches, &conditions)?;
    let texts: Vec<String> = names.iter().map(|name| name.text.clone()).collect();
    let tallies = tallies(names.len(), &matches, &played);
    let anchor = names.iter().position(|name| name.text == ANCHOR);
    let anchor = anchor.expect("every game has a random player");
    let results = RoundRobinResults::rated_from(anchor, texts, tallies);
    Ok(LadderReport {
        args,
        game: setup.game().clone(),
        rungs,
        left_out,
        results: results.with_forfeits(players.forfeits(&matches)),
        course,
    })
}

/// The game and the named players.
fn players(args: &LadderArgs, saves: &Saves) -> Result<(GameConfig, Vec<PlayerName>), CliError> {
    let (first, rest) = args
        .players
        .split_first()
        .expect("at least one is required");
    let game = GameConfig::named(&first.replace('-', "_")).filter(|_| saves.find(first).is_none());
    let texts = if game.is_some() { rest } else { &args.players };
    let names = texts.iter().map(|text| PlayerName::parse(text, saves));
    let names: Vec<PlayerName> = names.collect();
    let game = match (game, names.iter().find_map(PlayerName::run)) {
        (Some(game), _) => game,
        (None, Some(run)) => saves.run_file(run)?.preset.game,
        (None, None) => {
            let games = GameConfig::names().join(", ").replace('_', "-");
            return Err(CliError::Usage(format!(
                "{first}: there is no game and no saved run of that name; begin with a game \
                ({games}) or add a saved run"
            )));
        }
    };
    Ok((game, names))
}

/// The rungs that can play here, and the others with the reason.
fn playable_rungs(
    args: &LadderArgs,
    setup: &MatchSetup,
    saves: &Saves,
) -> (Vec<PlayerName>, Vec<(String, String)>) {
    let (mut names, mut left_out) = (Vec::new(), Vec::new());
    for rung in rungs(setup.game()) {
        let name = PlayerName::parse(&rung, saves);
        match NamedPlayers::check(setup, &name, saves, args.conditions.play.move_time) {
            Ok(()) => names.push(name),
            Err(PlayerError::Usage(_)) => {
                let reason = "these rules have no such player".to_owned();
                left_out.push((rung, reason));
            }
            Err(PlayerError::Failure(reason)) => left_out.push((rung, reason)),
        }
    }
    (names, left_out)
}

/// Adds earlier champions of the named runs to the players, and returns the course of each run up
/// to its named champion.
fn add_past(
    args: &LadderArgs,
    names: &mut Vec<PlayerName>,
    rungs: usize,
    saves: &Saves,
) -> Result<Vec<CoursePoint>, CliError> {
    let mut course = Vec::new();
    for player in rungs..names.len() {
        let NamedPlayer::Champion { run, generation } = &names[player].player else {
            continue;
        };
        let (run, generation) = (run.clone(), *generation);
        let search = names[player].search.as_ref();
        let search = search.map_or_else(String::new, |it| format!("{SEARCH_SEPARATOR}{it}"));
        let last = generation.map_or_else(|| latest_champion(&run, saves), Ok)?;
        let mut earlier = saves.champions(&run)?;
        earlier.retain(|&generation| generation < last);
        for &generation in even_sample(&earlier, args.champions as usize) {
            let text = champion_name(&run, generation) + &search;
            course.push(CoursePoint {
                run: format!("{run}{search}"),
                generation,
                player: names.len(),
            });
            names.push(PlayerName::parse(&text, saves));
        }
        course.push(CoursePoint {
            run: format!("{run}{search}"),
            generation: last,
            player,
        });
    }
    if course.is_empty() {
        let message = "--past needs the champion of a saved run among the players";
        return Err(CliError::Usage(message.to_owned()));
    }
    Ok(course)
}
