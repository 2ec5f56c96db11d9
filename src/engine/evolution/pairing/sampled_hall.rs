//! Games within the population and against a sample of the hall of fame (Rosin & Belew 1997).

use rand::seq::index;

use crate::contest::{Pairing, Seat};
use crate::params::{ParamError, params};
use crate::rng::Stream;

use super::circular::Circular;
use super::{PairingContext, PairingScheme};

params! {
    /// Each member meets members at a few random distances around a circle, and a few players of
    /// the hall of fame.
    pub struct SampledHall {
        /// Rounds per generation, at most half the population. In each round, each member meets one
        /// member ahead and one behind, and plays two games against each.
        live opponents: u32 = 20, in 1.0..=50000.0, "rounds";
        /// Players drawn from the hall of fame in each generation, the same for all members. Each
        /// member plays two games against each of them, one from each side of a position.
        live hall_opponents: u32 = 10, in 0.0..=50000.0, "players";
    }
}

impl SampledHall {
    fn circle(&self) -> Circular {
        Circular {
            opponents: self.opponents,
            games_per_pair: 2,
        }
    }
}

impl PairingScheme for SampledHall {
    fn pairings(&self, field: &PairingContext<'_>, rng: &mut Stream) -> Vec<Pairing> {
        let mut pairings = self.circle().pairings(field, rng);
        let openings = pairings.last().map_or(0, |game| game.opening + 1);
        let drawn = (self.hall_opponents as usize).min(field.hall_of_fame);
        let entries = index::sample(rng, field.hall_of_fame, drawn);
        for (opening, entry) in (openings..).zip(entries) {
            let entry = Seat::HallOfFame(entry as u32);
            for member in (0..field.members as u32).map(Seat::Member) {
                pairings.extend(super::both_sides(member, entry, opening));
            }
        }
        pairings
    }

    fn needs_hall_of_fame(&self) -> bool {
        true
    }

    fn has_common_opponents(&self) -> bool {
        self.hall_opponents > 0
    }

    fn problems(&self, population: usize) -> Vec<ParamError> {
        self.circle().problems(population)
    }

    fn games(&self, field: &PairingContext<'_>) -> Option<u64> {
        let entries = u64::from(self.hall_opponents).min(field.hall_of_fame as u64);
        let circle = self.circle().games(field)?;
        Some(circle + 2 * entries * field.members as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, stream};

    #[test]
    fn all_members_meet_the_same_sample_from_both_sides_of_the_same_positions() {
        let field = PairingContext {
            members: 10,
            hall_of_fame: 7,
            neighborhoods: &[],
        };
        let scheme = SampledHall {
            opponents: 4,
            hall_opponents: 3,
        };
        let games = scheme.pairings(&field, &mut stream(1, Purpose::Pairing, 0, 0));
        assert_eq!(scheme.games(&field), Some(games.len() as u64));
        let (circle, hall) = games.split_at(80);
        let is_member = |seat| matches!(seat, Seat::Member(_));
        let members = |game: &Pairing| [game.first(), game.second()].map(is_member);
        assert!(circle.iter().all(|game| members(game) == [true, true]));
        assert_eq!(hall.len(), 3 * 10 * 2);
        for (round, games) in hall.chunks(20).enumerate() {
            assert!(games.iter().all(|game| game.opening == 40 + round as u32));
            for (member, pair) in games.chunks(2).enumerate() {
                assert_eq!(pair[0].first(), Seat::Member(member as u32));
                assert_eq!(pair[1].second(), Seat::Member(member as u32));
                assert_eq!(pair[0].second(), games[0].second());
                assert_eq!(pair[1].first(), games[0].second());
            }
        }
    }
}
