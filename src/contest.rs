//! What the arena and evolution tell each other: who meets whom, and what came of it. Plain data; it knows no game and no network.

/// Who sits at one side of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Seat {
    /// A member of the population, by its index.
    Member(u32),
    /// A player of the hall of fame, by its place there.
    Famer(u32),
    /// A reference player, by its place among those that the pairing names.
    Reference(u32),
}

/// One game to be played. There are so many of them in a generation that their size tells in its speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// Who moves first and who second, as [`packed`].
    seats: [u32; 2],
    /// Games with the same number start from the same position.
    pub opening: u32,
}

impl Pairing {
    /// The first seat moves first.
    pub fn new(first: Seat, second: Seat, opening: u32) -> Self {
        Self {
            seats: [packed(first), packed(second)],
            opening,
        }
    }

    pub fn first(&self) -> Seat {
        unpacked(self.seats[0])
    }

    pub fn second(&self) -> Seat {
        unpacked(self.seats[1])
    }
}

/// The bits that tell players of the hall of fame and reference players from members.
const FAMER: u32 = 1 << 31;
const REFERENCE: u32 = 1 << 30;

fn packed(seat: Seat) -> u32 {
    match seat {
        Seat::Member(index) => index,
        Seat::Famer(place) => place | FAMER,
        Seat::Reference(place) => place | REFERENCE,
    }
}

fn unpacked(seat: u32) -> Seat {
    if seat & FAMER != 0 {
        Seat::Famer(seat & !FAMER)
    } else if seat & REFERENCE != 0 {
        Seat::Reference(seat & !REFERENCE)
    } else {
        Seat::Member(seat)
    }
}

/// How a game came out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// 1, 0 or −1 for the first seat.
    pub result: i8,
    /// Moves made, an illegal one included; 65,535 where there were more.
    pub plies: u16,
    /// What the game itself counted for the first and the second seat, such as discs.
    pub points: [u16; 2],
}

impl Played {
    /// The result as the second seat sees it.
    pub fn for_second(self) -> i8 {
        -self.result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_meets_whom_is_told_as_it_was_given() {
        let seats = [
            Seat::Member(0),
            Seat::Famer(0),
            Seat::Member(99_999),
            Seat::Famer(7),
            Seat::Reference(0),
        ];
        for first in seats {
            for second in seats {
                let pairing = Pairing::new(first, second, 5);
                assert_eq!((pairing.first(), pairing.second()), (first, second));
            }
        }
    }
}
