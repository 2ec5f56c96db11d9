//! How often players that do not evolve win against each other.

use finches_engine::metrics::stats::spread::Spread;
use finches_engine::metrics::stats::wilson;
use finches_engine::play::match_setup::MatchSetup;
use finches_engine::play::matches::{MatchConditions, Openings};
use finches_engine::play::pool::Pool;
use finches_engine::play::round_robin;
use finches_engine::text::{counted, percentage};
use serde::Deserialize;

use super::page::{Cell, PageBlock, Table};
use super::paper::Computed;
use super::source::{Name, Prose};
use super::verdict::Published;
use crate::experiment::ExperimentError;
use crate::words::or_dash;
use finches_engine::preset::Preset;

/// Published results of players of a game.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FixedPlayers {
    /// A preset of the game.
    pub preset: Name,
    /// Our games of each pair, sides alternating.
    pub games: u32,
    /// Those of the quick version.
    pub quick_games: u32,
    /// Those of the publication.
    pub published_games: u32,
    /// The pairs.
    pub pairs: Vec<FixedPair>,
}

/// A published result of two players.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FixedPair {
    /// The two players, as the arena names them.
    pub players: (Name, Name),
    /// The share of games that the first wins, 0 to 1.
    pub share: f64,
    /// The same as it is printed.
    pub said: Prose,
}

impl FixedPlayers {
    /// The table of their games.
    pub(super) fn computed(
        &self,
        preset: &Preset,
        is_quick: bool,
    ) -> Result<Computed, ExperimentError> {
        let count = if is_quick {
            self.quick_games
        } else {
            self.games
        };
        let mut rows = Vec::new();
        for pair in &self.pairs {
            let (first, second) = &pair.players;
            let share = won(preset, [first, second], count)?;
            let published = Published::ShareOf(pair.share, self.published_games);
            let ours = Spread {
                count: count as usize,
                min: 0.0,
                median: share.round(),
                mean: share,
                interval: Some(wilson(share, count)),
                max: 1.0,
            };
            let verdict = published.verdict(&ours, (share * (1.0 - share)).sqrt(), false);
            let percent = |share: f64| percentage(share, 2) + "%";
            let interval = |ends: Option<(f64, f64)>| {
                or_dash(ends.map(|(low, high)| format!("{} to {}", percent(low), percent(high))))
            };
            let row = vec![
                Cell::words(format!("{first} against {second}")),
                Cell::figure(&*pair.said),
                Cell::figure(interval(published.range())),
                Cell::figure(percent(share)),
                Cell::figure(interval(ours.interval)),
            ];
            rows.push((row, verdict));
        }
        let games = counted(count, "game");
        let (table, verdicts) = Table::judged(
            format!("Share of games won, {games} each with sides alternating"),
            "players,published,read as,ours,95% interval",
            rows,
        );
        Ok(Computed {
            blocks: vec![PageBlock::Table(table)],
            verdicts,
        })
    }
}

/// The share of games that the first player wins.
fn won(preset: &Preset, players: [&Name; 2], count: u32) -> Result<f64, ExperimentError> {
    let failed = |error: String| ExperimentError::Failed(error);
    let setup = MatchSetup::new(&preset.game, &[]);
    let setup = setup.map_err(|error| failed(error.to_string()))?;
    let pool = Pool::new(1)?;
    let player = |name: &Name| {
        let unknown = || failed(format!("{name}: the game has no such player"));
        let reference = setup.reference_named(name).ok_or_else(unknown)?;
        let player = setup.reference(reference, None);
        player.map_err(|error| failed(error.to_string()))
    };
    let [first, second] = players;
    let players = [player(first)?, player(second)?];
    let games: Vec<_> = round_robin::head_to_head([0, 1], count).collect();
    let conditions = MatchConditions {
        openings: Openings::Standard,
        ..MatchConditions::new(1)
    };
    let played = setup.play_matches(&pool, &players, &games, &conditions);
    let tally = round_robin::tally(&played.expect("nothing cancels them"));
    Ok(tally.wins as f64 / tally.games() as f64)
}
