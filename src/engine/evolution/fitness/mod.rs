//! Fitness schemes: how the game results of a generation become the fitness of each member.

use crate::contest::{GameResult, Pairing, Seat, Tally};
use crate::params::ParamError;
use crate::registry::registry;

pub mod colley;
pub mod competitive_sharing;
mod encounters;
pub mod graded;
pub mod matches;
pub mod pareto;
pub mod points;
pub mod shared;
pub mod wins;

/// A fitness scheme.
pub trait Fitness {
    /// The fitness of each member; `played` is in the order of `pairings`. It is at least 0 unless
    /// losses have negative points.
    fn fitness(&self, pairings: &[Pairing], played: &[GameResult], members: usize) -> Vec<f64>;

    /// Whether the fitness of all games is the sum over any partition of them, so that parts can be
    /// computed in parallel.
    fn is_additive(&self) -> bool {
        true
    }

    /// Whether it compares members by their results against opponents that all of them meet.
    fn needs_common_opponents(&self) -> bool {
        false
    }

    /// Whether the points of each game are to be the grades of its players' moves by an exact
    /// player.
    fn needs_grades(&self) -> bool {
        false
    }

    /// Errors of the parameters for a population of this size.
    fn problems(&self, _population: usize) -> Vec<ParamError> {
        Vec::new()
    }
}

/// Groups consecutive games of two players from one position into matches: the players, the one
/// that moved first in the first game first, and its results.
fn matches<'a>(
    pairings: &'a [Pairing],
    played: &'a [GameResult],
) -> impl Iterator<Item = ([Seat; 2], Tally)> + 'a {
    let belong = |one: &Pairing, other: &Pairing| {
        let (seats, others) = ([one.first(), one.second()], [other.first(), other.second()]);
        one.opening == other.opening && (seats == others || seats == [others[1], others[0]])
    };
    let mut rest = (pairings, played);
    std::iter::from_fn(move || {
        let first = rest.0.first()?;
        let seats = [first.first(), first.second()];
        let games = rest.0.iter().take_while(|game| belong(first, game)).count();
        let (own, others) = (rest.0.split_at(games), rest.1.split_at(games));
        rest = (own.1, others.1);
        let mut tally = Tally::default();
        for (pairing, game) in own.0.iter().zip(others.0) {
            tally.add(if pairing.first() == seats[0] {
                game.result
            } else {
                game.result_for_second()
            });
        }
        Some((seats, tally))
    })
}

registry! {
    /// A fitness scheme and its parameters.
    pub enum FitnessConfig: Fitness {
        /// The number of games won.
        "wins" => Wins(wins::Wins),
        /// Points for wins, draws and losses, and for the game's own points, such as discs.
        "points" => Points(points::PointSum),
        /// Colley's rating, which takes the strength of opponents into account.
        "colley" => Colley(colley::Colley),
        /// The number of matches won; a match is the games of two players from one position.
        "matches" => Matches(matches::MatchWins),
        /// Implicit fitness sharing: the points of each opponent are shared among the members that
        /// beat it.
        "shared" => Shared(shared::FitnessSharing),
        /// Competitive fitness sharing: each opponent is worth 1, divided by the number of members
        /// that beat it.
        "competitive_sharing" => CompetitiveSharing(competitive_sharing::CompetitiveSharing),
        /// Pareto coevolution: layers of members that no other member dominates, with an objective
        /// for each opponent.
        "pareto" => Pareto(pareto::Pareto),
        /// The share of a member's moves that an exact player grades as best, summed over its
        /// games: no longer evolution by games alone.
        "graded" => Graded(graded::Graded),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn member(index: u32) -> Seat {
        Seat::Member(index)
    }

    /// A game and its result for the player that moves first.
    pub(super) fn game(
        first: Seat,
        second: Seat,
        opening: u32,
        result: i8,
    ) -> (Pairing, GameResult) {
        let played = GameResult {
            result,
            plies: 3,
            points: [0, 0],
        };
        (Pairing::new(first, second, opening), played)
    }
}
