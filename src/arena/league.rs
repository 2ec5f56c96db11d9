//! Series of games between two players, and everyone against everyone: who meets whom, and what came of it, pair by pair. It
//! knows no players.

use crate::contest::Played;

use super::meet::Meeting;

/// What two players made of their games, as the first of them sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// The players by their places.
    pub players: [usize; 2],
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Tally {
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points of the first player: wins and half the draws.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The first player's share of the points.
    pub fn share(&self) -> f64 {
        self.points() / self.games() as f64
    }
}

/// Every two of so many players, each pair once.
fn pairs(players: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..players).flat_map(move |a| (a + 1..players).map(move |b| [a, b]))
}

/// The games of two players: two from each position, one from each side.
pub fn series([a, b]: [usize; 2], games: u32) -> impl Iterator<Item = Meeting> {
    (0..games).map(move |game| Meeting {
        seats: if game.is_multiple_of(2) {
            [a, b]
        } else {
            [b, a]
        },
        opening: game / 2,
    })
}

/// The games of everyone against everyone, `games` a pair, and the same positions for every pair.
pub fn meetings(players: usize, games: u32) -> Vec<Meeting> {
    pairs(players)
        .flat_map(|pair| series(pair, games))
        .collect()
}

/// What came of [`meetings`], in the same order.
pub fn tallies(players: usize, games: u32, played: &[Played]) -> Vec<Tally> {
    let chunks = played.chunks(games.max(1) as usize);
    pairs(players)
        .zip(chunks)
        .map(|(players, played)| tally(players, played))
        .collect()
}

/// What came of games in which the first of two players moves first in every other one, beginning with the first.
pub fn tally(players: [usize; 2], played: &[Played]) -> Tally {
    let results = played.iter().enumerate().map(|(game, played)| {
        if game.is_multiple_of(2) {
            played.result
        } else {
            played.for_second()
        }
    });
    let count = |wanted: i8| results.clone().filter(|&result| result == wanted).count() as u64;
    Tally {
        players,
        wins: count(1),
        draws: count(0),
        losses: count(-1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_meets_as_often_on_each_side_and_from_the_same_positions() {
        let all = meetings(3, 4);
        assert_eq!(all.len(), 12);
        let openings: Vec<u32> = all[..4].iter().map(|game| game.opening).collect();
        assert_eq!(openings, [0, 0, 1, 1]);
        for pair in all.chunks(4) {
            assert_eq!(pair[0].seats, [pair[1].seats[1], pair[1].seats[0]]);
            assert_eq!(pair[0].opening, pair[1].opening);
        }
    }

    #[test]
    fn results_are_told_as_the_first_of_a_pair_sees_them() {
        let game = |result| Played {
            result,
            plies: 1,
            points: [0, 0],
        };
        // The first player moves first in games 0 and 2.
        let played = [game(1), game(1), game(0), game(-1)];
        let tally = tallies(2, 4, &played)[0];
        assert_eq!((tally.wins, tally.draws, tally.losses), (2, 1, 1));
        assert!((tally.share() - 0.625).abs() < 1e-12);
    }
}
