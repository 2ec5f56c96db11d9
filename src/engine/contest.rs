//! Who meets whom, and with what result: pairings, game results, tallies and what
//! they tell about the players. Plain data, without games and networks.

use std::iter::Sum;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

/// The player of one side of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Seat {
    /// A member of the population, by its index.
    Member(u32),
    /// An entry of the hall of fame, by its index.
    HallOfFame(u32),
    /// A reference player, by its index in the schedule.
    Reference(u32),
}

/// One game to be played. A generation has so many pairings that their size matters for its speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairing {
    /// The first and the second player, as [`packed`].
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

    /// The player that moves first.
    pub fn first(&self) -> Seat {
        unpacked(self.seats[0])
    }

    /// The player that moves second.
    pub fn second(&self) -> Seat {
        unpacked(self.seats[1])
    }
}

/// The bits that mark hall-of-fame entries and reference players.
const HALL_OF_FAME: u32 = 1 << 31;
const REFERENCE: u32 = 1 << 30;

fn packed(seat: Seat) -> u32 {
    match seat {
        Seat::Member(index) => index,
        Seat::HallOfFame(place) => place | HALL_OF_FAME,
        Seat::Reference(place) => place | REFERENCE,
    }
}

fn unpacked(seat: u32) -> Seat {
    if seat & HALL_OF_FAME != 0 {
        Seat::HallOfFame(seat & !HALL_OF_FAME)
    } else if seat & REFERENCE != 0 {
        Seat::Reference(seat & !REFERENCE)
    } else {
        Seat::Member(seat)
    }
}

/// The result of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameResult {
    /// 1, 0 or −1 for the first seat: a win, a draw or a loss.
    pub result: i8,
    /// The number of moves, including an illegal last one; at most 65,535.
    pub plies: u16,
    /// The points of the first and the second seat by the game's own count, such as discs.
    pub points: [u16; 2],
}

impl GameResult {
    /// The result for the second seat.
    pub fn result_for_second(self) -> i8 {
        -self.result
    }
}

/// The results of some games from one player's point of view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// Counts a game by its result for the player: 1, 0 or −1.
    pub fn add(&mut self, result: i8) {
        match result {
            1 => self.wins += 1,
            0 => self.draws += 1,
            _ => self.losses += 1,
        }
    }

    /// Games in all.
    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// 1 point for a win and ½ for a draw.
    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The share of the points, from 0 to 1; `None` before the first game.
    pub fn share(self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// The same games from the opponent's point of view.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self {
            wins: self.losses,
            losses: self.wins,
            ..self
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        let mut total = Self::default();
        tallies.for_each(|tally| total += tally);
        total
    }
}

/// A feature of players.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureValues {
    /// The lowest and the highest possible value; `None` if they depend on the game.
    pub range: Option<[f64; 2]>,
    /// The value of each member.
    pub of_members: Vec<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_counts_a_draw_as_half_a_win() {
        let mut tally = Tally::default();
        assert_eq!(tally.share(), None);
        for result in [1, 1, 0, -1] {
            tally.add(result);
        }
        assert_eq!((tally.games(), tally.share()), (4, Some(0.625)));
        assert_eq!(tally.reversed().share(), Some(0.375));
    }

    #[test]
    fn a_pairing_unpacks_to_the_seats_it_was_made_of() {
        let seats = [
            Seat::Member(0),
            Seat::HallOfFame(0),
            Seat::Member(99_999),
            Seat::HallOfFame(7),
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
