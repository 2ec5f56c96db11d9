//! `finches ancestors`: the champion of a saved run against champions of earlier generations and the random player (Thien 2018,
//! "Performance").

use clap::Args;
use serde::Serialize;

use crate::arena;
use crate::arena::matches::{Match, MatchConditions, MatchPlayer};
use crate::arena::reference_player::ReferencePlayer;
use crate::arena::round_robin::{Tally, head_to_head, tally};
use crate::metrics::stats::wilson;
use crate::storage::saves::Saves;
use crate::tournament::PlayerError;
use crate::tournament::match_setup::ChampionPlayer;
use crate::tournament::player_name::{self, PlayerName};

use super::{CliError, SavesOption, ThreadsOption, output};

/// The champion and its opponents.
#[derive(Clone, Debug, Args)]
pub(super) struct AncestorsArgs {
    /// The saved run.
    run: String,
    /// The generation of the champion. Default: the latest.
    #[arg(long, value_name = "G")]
    generation: Option<u64>,
    /// The number of earlier champions to play against, spread evenly over those that are saved.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    opponents: u32,
    /// Games per opponent: two from each start position, with the sides swapped.
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// The seed of start positions and random moves.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    workers: ThreadsOption,
    /// Print one JSON object per opponent.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: SavesOption,
}

/// The results against one opponent, or against all earlier champions together.
#[derive(Serialize)]
struct OpponentScore {
    opponent: String,
    wins: u64,
    draws: u64,
    losses: u64,
    share: f64,
    low: f64,
    high: f64,
}

impl OpponentScore {
    fn new(opponent: String, tally: &Tally) -> Self {
        let (low, high) = wilson(tally.share(), tally.games() as u32);
        Self {
            opponent,
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            share: tally.share(),
            low,
            high,
        }
    }

    fn text(&self) -> String {
        format!(
            "{:<10}{:>6}{:>7}{:>8}{:>8.3}  {:.3}-{:.3}\n",
            self.opponent, self.wins, self.draws, self.losses, self.share, self.low, self.high
        )
    }
}

/// Plays the games and prints the results.
pub(super) fn ancestors(args: &AncestorsArgs) -> Result<(), CliError> {
    let saves = args.place.open();
    let kept = saves.champions(&args.run)?;
    let Some(own) = args.generation.or(kept.last().copied()) else {
        let message = "has no champion yet; let it finish a generation";
        return Err(CliError::Failure(format!("{}: {message}", args.run)));
    };
    let earlier: Vec<u64> = kept.into_iter().filter(|&kept| kept < own).collect();
    if earlier.is_empty() {
        let message = format!("has no saved champion from before generation {own}");
        return Err(CliError::Failure(format!("{}: {message}", args.run)));
    }
    let opponents = spread(&earlier, args.opponents as usize);
    let lines = play(args, &saves, own, &opponents)?;
    if args.json {
        let lines: Vec<String> = lines
            .iter()
            .map(|line| {
                serde_json::to_string(line).expect("text and numbers can be written as JSON")
            })
            .collect();
        return output::print(&(lines.join("\n") + "\n"));
    }
    let lines: String = lines.iter().map(OpponentScore::text).collect();
    output::print(&format!(
        "g{own} of {}, {} games per opponent\nopponent    wins  draws  losses   share  95% CI\n{lines}",
        args.run, args.games
    ))
}

/// Up to `count` of the generations, evenly spread, including the first.
fn spread(kept: &[u64], count: usize) -> Vec<u64> {
    let count = count.min(kept.len());
    (0..count)
        .map(|index| kept[index * kept.len() / count])
        .collect()
}

/// Plays the opponents and the random player. The results end with all earlier champions together, then the random player.
fn play(
    args: &AncestorsArgs,
    saves: &Saves,
    own: u64,
    opponents: &[u64],
) -> Result<Vec<OpponentScore>, CliError> {
    let file = saves.run_file(&args.run)?;
    let arena = arena::build(&file.preset.game, &file.preset.agent).map_err(CliError::Failure)?;
    let player = |generation: u64| -> Result<MatchPlayer, PlayerError> {
        let name = PlayerName::parse(&player_name::champion_name(&args.run, generation), saves);
        Ok(ChampionPlayer::from_saved_run(&name, &[], saves)?.match_player())
    };
    let mut players: Vec<MatchPlayer> = vec![player(own)?];
    for &generation in opponents {
        players.push(player(generation)?);
    }
    players.push(arena.clone().reference_player(ReferencePlayer::Random));
    let pairs = (1..players.len()).map(|other| [0, other]);
    let matches: Vec<Match> = pairs
        .flat_map(|pair| head_to_head(pair, args.games))
        .collect();
    let conditions = MatchConditions::new(args.seed);
    let pool = args.workers.pool()?;
    let played = arena.play_matches(&pool, &players, &matches, &conditions);
    let played = played.expect("all players play the same game");
    let (games, last) = (args.games as usize, args.games as usize * opponents.len());
    let names = opponents.iter().map(|generation| format!("g{generation}"));
    let single = names.zip(played.chunks(games));
    let mut lines: Vec<OpponentScore> = single
        .map(|(name, played)| OpponentScore::new(name, &tally([0, 1], played)))
        .collect();
    let all: Vec<_> = played[..last].chunks(games).collect();
    let total = all.iter().map(|played| tally([0, 1], played));
    let total = total.reduce(|one, other| Tally {
        players: one.players,
        wins: one.wins + other.wins,
        draws: one.draws + other.draws,
        losses: one.losses + other.losses,
    });
    lines.extend(total.map(|total| OpponentScore::new("earlier".to_owned(), &total)));
    lines.push(OpponentScore::new(
        "random".to_owned(),
        &tally([0, 1], &played[last..]),
    ));
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opponents_are_spread_over_those_that_are_kept() {
        let kept: Vec<u64> = (0..100).collect();
        assert_eq!(spread(&kept, 5), [0, 20, 40, 60, 80]);
        assert_eq!(spread(&[0, 7, 9], 10), [0, 7, 9]);
    }
}
