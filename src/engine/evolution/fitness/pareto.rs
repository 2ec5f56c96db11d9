//! Pareto coevolution: each opponent is an objective. A member dominates another if it does at
//! least as well against every opponent and better against one. Members that no other dominates are
//! the first layer; without them, the same gives the next (Ficici & Pollack 2001, "Pareto
//! Optimality in Coevolutionary Learning"; de Jong & Pollack 2004, "Ideal Evaluation from
//! Coevolution"; layers as in Goldberg 1989).
//!
//! Only opponents that all members meet are objectives. A member draws against itself: that is what
//! two games of one player against itself, one from each side, come to. Games against other
//! opponents only count within a layer.

use std::collections::BTreeMap;

use crate::contest::{GameResult, Pairing, Seat, Tally};
use crate::params::{ParamError, choices, params};

use super::Fitness;
use super::competitive_sharing::shared_wins;
use super::encounters::{Encounter, encounters};

/// Most members: each two are compared by each opponent.
const MOST: usize = 1000;

choices! {
    /// The order of the members of a layer.
    pub enum WithinLayer {
        /// By competitive fitness sharing: beating an opponent that few members beat counts more.
        Sharing = "sharing",
        /// By the share of points in all games.
        Points = "points",
    }
}

params! {
    /// Layers of members that no other member dominates.
    pub struct Pareto {
        /// The order of the members of a layer. With many opponents most members are in the first
        /// layer, so that this decides much.
        live within_layer: WithinLayer = WithinLayer::Sharing;
    }
}

impl Fitness for Pareto {
    /// The number of layers behind a member's own, plus up to one half by its order within the
    /// layer.
    fn fitness(&self, pairings: &[Pairing], played: &[GameResult], members: usize) -> Vec<f64> {
        let encounters = encounters(pairings, played);
        let layers = layers(&objectives(&encounters, members));
        let last = layers.iter().copied().max().unwrap_or(0);
        let order = self.order(&encounters, members);
        let highest = order.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let fitness = layers.into_iter().zip(order);
        fitness
            .map(|(layer, order)| f64::from(last - layer) + order / highest / 2.0)
            .collect()
    }

    fn is_additive(&self) -> bool {
        false
    }

    fn needs_common_opponents(&self) -> bool {
        true
    }

    fn problems(&self, population: usize) -> Vec<ParamError> {
        let message = || {
            format!(
                "compares each two members by each opponent, which is too slow for more than \
                {MOST} members; the population is {population}"
            )
        };
        let problem = (population > MOST).then(|| ParamError::new("", message()));
        problem.into_iter().collect()
    }
}

impl Pareto {
    /// What members of the same layer are ordered by, the highest first.
    fn order(&self, encounters: &[Encounter], members: usize) -> Vec<f64> {
        match self.within_layer {
            WithinLayer::Sharing => shared_wins(encounters, members),
            WithinLayer::Points => point_shares(encounters, members),
        }
    }
}

/// The share of points of each member in all its games; 0 without games.
fn point_shares(encounters: &[Encounter], members: usize) -> Vec<f64> {
    let mut shares = vec![0.0; members];
    for own in encounters.chunk_by(|one, other| one.member == other.member) {
        let total: Tally = own.iter().map(|one| one.tally).sum();
        shares[own[0].member as usize] = total.share().unwrap_or(0.0);
    }
    shares
}

/// The share of points of each member against each opponent that all members meet, itself excepted.
fn objectives(encounters: &[Encounter], members: usize) -> Vec<Vec<f64>> {
    let mut met: BTreeMap<Seat, usize> = BTreeMap::new();
    for one in encounters {
        *met.entry(one.opponent).or_default() += 1;
    }
    let itself = |seat: &Seat| usize::from(matches!(seat, Seat::Member(_)));
    met.retain(|seat, count| *count + itself(seat) == members);
    let places: BTreeMap<Seat, usize> = met.into_keys().zip(0..).collect();
    let mut results = vec![vec![0.5; places.len()]; members];
    for one in encounters {
        if let Some(&place) = places.get(&one.opponent) {
            results[one.member as usize][place] = one.tally.share().unwrap_or(0.5);
        }
    }
    results
}

/// The layer of each member, from 0 for those that none dominates.
fn layers(results: &[Vec<f64>]) -> Vec<u32> {
    let dominated = dominated(results);
    let mut dominators = vec![0_u32; results.len()];
    for &member in dominated.iter().flatten() {
        dominators[member] += 1;
    }
    let mut layers = vec![0; results.len()];
    let members = 0..results.len();
    let mut layer: Vec<usize> = members.filter(|&member| dominators[member] == 0).collect();
    for number in 0.. {
        let mut next = Vec::new();
        for &member in &layer {
            layers[member] = number;
            for &other in &dominated[member] {
                dominators[other] -= 1;
                if dominators[other] == 0 {
                    next.push(other);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    layers
}

/// The members that each member dominates.
fn dominated(results: &[Vec<f64>]) -> Vec<Vec<usize>> {
    let by = |one: &Vec<f64>| {
        let others = 0..results.len();
        others
            .filter(|&other| dominates(one, &results[other]))
            .collect()
    };
    results.iter().map(by).collect()
}

/// Whether the first results are nowhere lower than the second, and higher once.
fn dominates(one: &[f64], other: &[f64]) -> bool {
    let mut is_higher = false;
    for (own, others) in one.iter().zip(other) {
        if own < others {
            return false;
        }
        is_higher |= own > others;
    }
    is_higher
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolution::fitness::tests::{game, member};

    #[test]
    fn layers_are_those_of_results_that_none_dominates() {
        let results = [
            vec![1.0, 0.0],
            vec![0.0, 1.0],
            vec![0.5, 0.0],
            vec![0.0, 0.0],
            vec![0.5, 0.0],
        ];
        assert_eq!(layers(&results), [0, 0, 1, 2, 1]);
        assert_eq!(layers(&[vec![], vec![]]), [0, 0], "without objectives");
    }

    fn fitness(within_layer: WithinLayer, games: Vec<(Pairing, GameResult)>) -> Vec<f64> {
        let (pairings, played): (Vec<_>, Vec<_>) = games.into_iter().unzip();
        Pareto { within_layer }.fitness(&pairings, &played, 3)
    }

    #[test]
    fn a_member_is_ranked_by_the_entries_that_all_meet_and_then_by_its_points() {
        let entry = Seat::HallOfFame;
        let games = || {
            vec![
                // 0 beats both entries, 1 the first, 2 the second.
                game(member(0), entry(0), 0, 1),
                game(member(0), entry(1), 1, 1),
                game(member(1), entry(0), 0, 1),
                game(member(1), entry(1), 1, -1),
                game(member(2), entry(0), 0, -1),
                game(member(2), entry(1), 1, 1),
                // Not all members meet 0 and 1, so that 1's win over 0 only counts within a layer.
                game(member(1), member(0), 2, 1),
            ]
        };
        // Shares of points: 0 has 2 of 3, 1 the same, 2 has 1 of 2.
        let points = fitness(WithinLayer::Points, games());
        assert_eq!(points, [1.5, 0.5, 0.375]);
        // 0 shares both entries and has 1, 1 has half an entry and 0, 2 half an entry.
        let shared = fitness(WithinLayer::Sharing, games());
        let near = |(found, expected): (&f64, f64)| (found - expected).abs() < 1e-12;
        let expected = [1.0 + 1.0 / 3.0, 0.5, 1.0 / 6.0];
        assert!(shared.iter().zip(expected).all(near), "{shared:?}");
    }

    #[test]
    fn a_member_draws_against_itself() {
        // A round robin in which 0 beats 1 and 2, and 1 beats 2: each dominates those that it
        // beats.
        let pair = |one, other, opening| {
            [
                game(member(one), member(other), opening, 1),
                game(member(other), member(one), opening, -1),
            ]
        };
        let chain = [pair(0, 1, 0), pair(0, 2, 1), pair(1, 2, 2)].concat();
        let found = fitness(WithinLayer::Points, chain);
        assert_eq!(found, [2.5, 1.25, 0.0]);
        // If 2 beats 0 instead, none dominates another.
        let cycle = [pair(0, 1, 0), pair(2, 0, 1), pair(1, 2, 2)].concat();
        assert_eq!(fitness(WithinLayer::Points, cycle), [0.5; 3]);
    }
}
