//! Held-out games of players against one reference player. They are the same for every run.

use std::ops::Range;
use std::sync::Arc;

use crate::contest::{GameResult, Tally};
use crate::search::CancelToken;

use super::reference_player::ReferencePlayer;

use super::matches::{Match, MatchConditions, MatchList};
use super::phenotype::Phenotype;
use super::pool::Pool;
use super::{Arena, round_robin};

/// The seed of the held-out games. It is fixed, so that the figures of different runs can be
/// compared.
const HELD_OUT: u64 = 0x0066_696e_6368_6573;

/// The results of one player in some of the held-out games against a reference player, by their
/// numbers. The first is the first of two from an opening. `None` if they were canceled.
pub fn tally(
    arena: &Arc<dyn Arena>,
    pool: &Pool,
    player: &Arc<Phenotype>,
    (reference, games): (ReferencePlayer, Range<u32>),
    cancel: &dyn CancelToken,
) -> Option<Tally> {
    let own = Arc::clone(arena).match_player(Arc::clone(player));
    let match_players = [own, Arc::clone(arena).reference_player(reference)];
    let conditions = MatchConditions {
        first_game: games.start.into(),
        cancel,
        ..conditions(arena, reference)
    };
    let (first, count) = (games.start as usize, games.len());
    let matches = round_robin::head_to_head([0, 1], games.end).skip(first);
    let matches: Vec<Match> = matches.take(count).collect();
    let played = arena.play_matches(pool, &match_players, &matches, &conditions)?;
    Some(round_robin::tally(&played))
}

/// The conditions of all held-out games against a reference player.
fn conditions(arena: &Arc<dyn Arena>, reference: ReferencePlayer) -> MatchConditions<'static> {
    MatchConditions {
        key: reference.key(),
        noise: reference
            .random_move_share(arena.info().heuristics)
            .unwrap_or(0.0),
        ..MatchConditions::new(HELD_OUT)
    }
}

/// `games` held-out games of each player against a reference player. Every opening is played once
/// from each side.
pub fn match_list(
    arena: &Arc<dyn Arena>,
    players: &[Arc<Phenotype>],
    reference: ReferencePlayer,
    games: u32,
) -> MatchList {
    let own = players
        .iter()
        .map(|player| Arc::clone(arena).match_player(Arc::clone(player)));
    let other = Arc::clone(arena).reference_player(reference);
    let pair = |player| [player, players.len()];
    MatchList {
        players: own.chain([other]).collect(),
        matches: (0..players.len())
            .flat_map(|player| round_robin::head_to_head(pair(player), games))
            .collect(),
        conditions: conditions(arena, reference),
        arena: Arc::clone(arena),
    }
}

/// Each player's share of the points, from 0 to 1, in the games of [`match_list`].
pub fn point_shares(
    arena: &Arc<dyn Arena>,
    pool: &Pool,
    players: &[Arc<Phenotype>],
    reference: ReferencePlayer,
    games: u32,
) -> Vec<f64> {
    let list = match_list(arena, players, reference, games);
    shares_of(&list.play_all(pool), games)
}

/// The shares of [`point_shares`] from the results of the games, in their order.
pub fn shares_of(played: &[GameResult], games: u32) -> Vec<f64> {
    let by_player = played.chunks(games.max(1) as usize);
    by_player
        .map(|played| round_robin::tally(played).share().unwrap_or(f64::NAN))
        .collect()
}
