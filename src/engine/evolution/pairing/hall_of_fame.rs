//! Each member meets every player in the hall of fame (Hynek, "Genetic Algorithm Implementation").

use crate::contest::{Pairing, Seat};
use crate::params::{choices, params};
use crate::rng::Stream;

use super::{PairingContext, PairingScheme};

choices! {
    /// Which side members play.
    pub enum Sides {
        /// Members move second.
        Second = "second",
        /// Members move first.
        First = "first",
        /// Each pair plays two games from the same position, one from each side.
        Both = "both",
    }
}

params! {
    /// Each member meets every player in the hall of fame.
    pub struct VersusHallOfFame {
        /// Which side members play.
        fixed side: Sides = Sides::Second;
    }
}

impl PairingScheme for VersusHallOfFame {
    fn pairings(&self, field: &PairingContext<'_>, _rng: &mut Stream) -> Vec<Pairing> {
        let mut pairings = Vec::with_capacity(2 * field.members * field.hall_of_fame);
        for member in (0..field.members as u32).map(Seat::Member) {
            for entry in 0..field.hall_of_fame as u32 {
                let game = |first, second| Pairing::new(first, second, entry);
                let entry = Seat::HallOfFame(entry);
                if self.side != Sides::First {
                    pairings.push(game(entry, member));
                }
                if self.side != Sides::Second {
                    pairings.push(game(member, entry));
                }
            }
        }
        pairings
    }

    fn needs_hall_of_fame(&self) -> bool {
        true
    }

    fn has_common_opponents(&self) -> bool {
        true
    }

    fn games(&self, field: &PairingContext<'_>) -> Option<u64> {
        let sides = if self.side == Sides::Both { 2 } else { 1 };
        Some(sides * field.members as u64 * field.hall_of_fame as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, stream};

    fn seats(side: Sides) -> Vec<(Seat, Seat)> {
        let field = PairingContext {
            members: 2,
            hall_of_fame: 2,
            neighborhoods: &[],
        };
        let mut rng = stream(1, Purpose::Pairing, 0, 0);
        let pairings = VersusHallOfFame { side }.pairings(&field, &mut rng);
        pairings
            .iter()
            .map(|game| (game.first(), game.second()))
            .collect()
    }

    #[test]
    fn each_member_meets_the_whole_hall_of_fame_on_the_given_side() {
        use Seat::{HallOfFame, Member};
        let second = [
            (HallOfFame(0), Member(0)),
            (HallOfFame(1), Member(0)),
            (HallOfFame(0), Member(1)),
            (HallOfFame(1), Member(1)),
        ];
        assert_eq!(seats(Sides::Second), second);
        assert_eq!(
            seats(Sides::First),
            second.map(|(entry, member)| (member, entry))
        );
        assert_eq!(seats(Sides::Both).len(), 8);
    }
}
