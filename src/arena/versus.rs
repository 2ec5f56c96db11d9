//! Players against one reference player in held-out games, the same ones for every run.

use std::sync::Arc;

use crate::games::reference::Reference;

use super::meet::{Conditions, Contender, Meeting};
use super::player::Player;
use super::pool::Pool;
use super::{Arena, league};

/// The seed of the held-out games: one set for every run, so that their figures can be compared.
const HELD_OUT: u64 = 0x0066_696e_6368_6573;

/// The share of points of each player against a reference player in `games` held-out games each, the same for every run; every
/// opening is played once from each side.
pub fn shares(
    arena: &Arc<dyn Arena>,
    pool: &Pool,
    players: &[Arc<Player>],
    reference: Reference,
    games: u32,
) -> Vec<f64> {
    let own = players
        .iter()
        .map(|player| Arc::clone(arena).contender(Arc::clone(player)));
    let other = Arc::clone(arena).reference(reference);
    let contenders: Vec<Contender> = own.chain([other]).collect();
    let conditions = Conditions {
        seed: HELD_OUT,
        key: reference.key(),
        first: 0,
        noise: reference.measured(arena.judges()).unwrap_or(0.0),
        halt: None,
    };
    let pair = |player| [player, players.len()];
    let meetings: Vec<Meeting> = (0..players.len())
        .flat_map(|player| league::series(pair(player), games))
        .collect();
    let played = arena.meet(pool, &contenders, &meetings, &conditions);
    let played = played.expect("all come from this arena");
    let series = played.chunks(games.max(1) as usize).enumerate();
    series
        .map(|(player, played)| league::tally(pair(player), played).share())
        .collect()
}
