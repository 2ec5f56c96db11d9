//! `finches ancestors`: the latest champion of a saved run against champions of earlier generations and the random player (Thien
//! 2018, "Performance").

use clap::Args;
use serde::Serialize;

use crate::arena;
use crate::arena::league::{Tally, series, tally};
use crate::arena::meet::{Conditions, Contender, Meeting};
use crate::games::reference::Reference;
use crate::metrics::stats::wilson;
use crate::storage::saves::Saves;
use crate::tournament::Refusal;
use crate::tournament::name::{self, Name};
use crate::tournament::seats::Champion;

use super::{Place, Stop, Workers, output};

/// Who is graded, and against how many.
#[derive(Clone, Debug, Args)]
pub(super) struct Ask {
    /// The saved run.
    run: String,
    /// The generation whose champion is graded; the latest without it.
    #[arg(long, value_name = "G")]
    generation: Option<u64>,
    /// Earlier champions it meets, spread evenly over those that are kept.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    opponents: u32,
    /// Games against each of them, half on each side, two from each position.
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// The seed of positions and dice.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    workers: Workers,
    /// One JSON object per opponent.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: Place,
}

/// What came of the games against one opponent, or all earlier champions together.
#[derive(Serialize)]
struct Line {
    opponent: String,
    wins: u64,
    draws: u64,
    losses: u64,
    share: f64,
    low: f64,
    high: f64,
}

impl Line {
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

/// Plays the games and prints what came of them.
pub(super) fn ancestors(ask: &Ask) -> Result<(), Stop> {
    let saves = ask.place.open();
    let kept = saves.champions(&ask.run)?;
    let Some(own) = ask.generation.or(kept.last().copied()) else {
        let message = "has no champion yet; let it run for a while";
        return Err(Stop::Failure(format!("{}: {message}", ask.run)));
    };
    let earlier: Vec<u64> = kept.into_iter().filter(|&kept| kept < own).collect();
    if earlier.is_empty() {
        let message = format!("keeps no champion from before generation {own}");
        return Err(Stop::Failure(format!("{}: {message}", ask.run)));
    }
    let opponents = spread(&earlier, ask.opponents as usize);
    let lines = play(ask, &saves, own, &opponents)?;
    if ask.json {
        let lines: Vec<String> = lines
            .iter()
            .map(|line| serde_json::to_string(line).expect("words and numbers become JSON"))
            .collect();
        return output::print(&(lines.join("\n") + "\n"));
    }
    let lines: String = lines.iter().map(Line::text).collect();
    output::print(&format!(
        "g{own} of {}, {} games against each\nopponent    wins  draws  losses   share  95% CI\n{lines}",
        ask.run, ask.games
    ))
}

/// So many of the generations, the first among them, evenly spread.
fn spread(kept: &[u64], count: usize) -> Vec<u64> {
    let count = count.min(kept.len());
    (0..count)
        .map(|place| kept[place * kept.len() / count])
        .collect()
}

/// Meets the opponents, all of them together, and the random player.
fn play(ask: &Ask, saves: &Saves, own: u64, opponents: &[u64]) -> Result<Vec<Line>, Stop> {
    let file = saves.run_file(&ask.run)?;
    let hall = arena::build(&file.preset.game, &file.preset.agent).map_err(Stop::Failure)?;
    let seat = |generation: u64| -> Result<Contender, Refusal> {
        let name = Name::parse(&name::champion(&ask.run, generation), saves);
        Ok(Champion::saved(&name, &[], saves)?.contender())
    };
    let mut seats: Vec<Contender> = vec![seat(own)?];
    for &generation in opponents {
        seats.push(seat(generation)?);
    }
    seats.push(hall.clone().reference(Reference::Random));
    let pairs = (1..seats.len()).map(|other| [0, other]);
    let meetings: Vec<Meeting> = pairs.flat_map(|pair| series(pair, ask.games)).collect();
    let conditions = Conditions {
        seed: ask.seed,
        key: 0,
        first: 0,
        noise: 0.0,
        halt: None,
    };
    let pool = ask.workers.pool()?;
    let played = hall.meet(&pool, &seats, &meetings, &conditions);
    let played = played.expect("all are champions of one run");
    let (games, last) = (ask.games as usize, ask.games as usize * opponents.len());
    let names = opponents.iter().map(|generation| format!("g{generation}"));
    let single = names.zip(played.chunks(games));
    let mut lines: Vec<Line> = single
        .map(|(name, played)| Line::new(name, &tally([0, 1], played)))
        .collect();
    let all: Vec<_> = played[..last].chunks(games).collect();
    let total = all.iter().map(|played| tally([0, 1], played));
    let total = total.reduce(|one, other| Tally {
        players: one.players,
        wins: one.wins + other.wins,
        draws: one.draws + other.draws,
        losses: one.losses + other.losses,
    });
    lines.extend(total.map(|total| Line::new("earlier".to_owned(), &total)));
    lines.push(Line::new(
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
