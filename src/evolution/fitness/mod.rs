//! What the results of a generation make each member worth.

use crate::contest::{Pairing, Played, Seat};
use crate::params::Problem;
use crate::registry::registry;

use self::colley::Colley;
use self::matches::Matches;
use self::points::Points;
use self::shared::Shared;
use self::wins::Wins;

pub mod colley;
pub mod matches;
pub mod points;
pub mod shared;
pub mod wins;

/// A way to make fitness from results.
pub trait Fitness {
    /// The fitness of each member, 0 or more but where losses cost something; `played` is in the order of `pairings`.
    fn fitness(&self, pairings: &[Pairing], played: &[Played], members: usize) -> Vec<f64>;

    /// Whether what all games make members worth is the sum of what parts of them do, which can then be counted side by side.
    fn is_sum(&self) -> bool {
        true
    }

    /// Faults of the settings in a population of this size.
    fn problems(&self, _population: usize) -> Vec<Problem> {
        Vec::new()
    }
}

/// What two players made of the games that they played one after another from one position.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Match {
    /// Who moved first in the first game comes first.
    seats: [Seat; 2],
    games: u32,
    wins: [u32; 2],
    /// Wins and half the draws.
    points: [f64; 2],
}

impl Match {
    /// The same match, the member first where only one of the two is one.
    fn attacked_by_member(mut self) -> Self {
        let is_member = self.seats.map(|seat| matches!(seat, Seat::Member(_)));
        if is_member == [false, true] {
            self.seats.reverse();
            self.wins.reverse();
            self.points.reverse();
        }
        self
    }
}

/// The matches that games make up.
fn matches<'a>(pairings: &'a [Pairing], played: &'a [Played]) -> impl Iterator<Item = Match> + 'a {
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
        let mut contest = Match {
            seats,
            games: games as u32,
            wins: [0; 2],
            points: [0.0; 2],
        };
        for (pairing, game) in own.0.iter().zip(others.0) {
            let result = if pairing.first() == seats[0] {
                game.result
            } else {
                game.for_second()
            };
            contest.wins[0] += u32::from(result > 0);
            contest.wins[1] += u32::from(result < 0);
            let share = f64::from(result + 1) / 2.0;
            contest.points[0] += share;
            contest.points[1] += 1.0 - share;
        }
        Some(contest)
    })
}

registry! {
    ($)
    /// A fitness scheme and its settings.
    pub enum FitnessConfig, with_fitness {
        /// The number of games won.
        "wins" => Wins(Wins),
        /// Points for wins, draws and losses and for what the game counts, such as discs.
        "points" => Points(Points),
        /// A rating that takes the strength of opponents into account.
        "colley" => Colley(Colley),
        /// The number of matches won, a match being what two play from one position.
        "matches" => Matches(Matches),
        /// Points of each opponent, shared among those who beat it.
        "shared" => Shared(Shared),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn member(index: u32) -> Seat {
        Seat::Member(index)
    }

    /// A game and its result for who moved first.
    pub(super) fn game(first: Seat, second: Seat, opening: u32, result: i8) -> (Pairing, Played) {
        let played = Played {
            result,
            plies: 3,
            points: [0, 0],
        };
        (Pairing::new(first, second, opening), played)
    }
}
