//! Everyone meets the whole hall of fame (Hynek, "Genetic Algorithm Implementation").

use crate::contest::{Pairing, Seat};
use crate::params::{choices, params};
use crate::rng::Stream;

use super::{Field, Pair};

choices! {
    /// Which side members play.
    pub enum Sides {
        /// Members move second.
        Second = "second",
        /// Members move first.
        First = "first",
        /// Each pair plays twice from the same position, once from each side.
        Both = "both",
    }
}

params! {
    /// Everyone meets the whole hall of fame.
    pub struct Hall {
        /// Which side members play.
        fixed side: Sides = Sides::Second;
    }
}

impl Pair for Hall {
    fn pairings(&self, field: &Field<'_>, _rng: &mut Stream) -> Vec<Pairing> {
        let mut pairings = Vec::with_capacity(2 * field.members * field.famers);
        for member in (0..field.members as u32).map(Seat::Member) {
            for famer in 0..field.famers as u32 {
                let game = |first, second| Pairing::new(first, second, famer);
                let famer = Seat::Famer(famer);
                if self.side != Sides::First {
                    pairings.push(game(famer, member));
                }
                if self.side != Sides::Second {
                    pairings.push(game(member, famer));
                }
            }
        }
        pairings
    }

    fn needs_fame(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, stream};

    fn seats(side: Sides) -> Vec<(Seat, Seat)> {
        let field = Field {
            members: 2,
            famers: 2,
            neighborhoods: &[],
        };
        let mut rng = stream(1, Purpose::Pairing, 0, 0);
        let pairings = Hall { side }.pairings(&field, &mut rng);
        pairings
            .iter()
            .map(|game| (game.first(), game.second()))
            .collect()
    }

    #[test]
    fn everyone_meets_everyone_of_the_hall_on_the_side_wanted() {
        use Seat::{Famer, Member};
        let second = [
            (Famer(0), Member(0)),
            (Famer(1), Member(0)),
            (Famer(0), Member(1)),
            (Famer(1), Member(1)),
        ];
        assert_eq!(seats(Sides::Second), second);
        assert_eq!(
            seats(Sides::First),
            second.map(|(famer, member)| (member, famer))
        );
        assert_eq!(seats(Sides::Both).len(), 8);
    }
}
