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
    fn new(players: [usize; 2]) -> Self {
        Self {
            players,
            wins: 0,
            draws: 0,
            losses: 0,
        }
    }

    /// Counts a game by its result for the first player.
    fn add(&mut self, result: i8) {
        match result {
            1 => self.wins += 1,
            0 => self.draws += 1,
            _ => self.losses += 1,
        }
    }

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
    (0..games).map(move |game| meeting([a, b], game))
}

/// One game of a series.
fn meeting([a, b]: [usize; 2], game: u32) -> Meeting {
    Meeting {
        seats: if game.is_multiple_of(2) {
            [a, b]
        } else {
            [b, a]
        },
        opening: game / 2,
    }
}

/// The games of everyone against everyone, `games` a pair, and the same positions for every pair. All pairs play from one
/// position before any plays from the next, so that what has been played of them is as fair as the whole.
pub fn meetings(players: usize, games: u32) -> Vec<Meeting> {
    let rounds = (0..games).step_by(2);
    rounds
        .flat_map(|first| {
            let round = first..games.min(first + 2);
            pairs(players).flat_map(move |pair| round.clone().map(move |game| meeting(pair, game)))
        })
        .collect()
}

/// What came of the first of `meetings`, pair by pair: of as many as have been played.
pub fn tallies(players: usize, meetings: &[Meeting], played: &[Played]) -> Vec<Tally> {
    let mut tallies: Vec<Tally> = pairs(players).map(Tally::new).collect();
    for (meeting, played) in meetings.iter().zip(played) {
        let [one, other] = meeting.seats;
        let pair = [one.min(other), one.max(other)];
        let tally = tallies.iter_mut().find(|tally| tally.players == pair);
        let tally = tally.expect("every pair has its tally");
        tally.add(if one < other {
            played.result
        } else {
            played.for_second()
        });
    }
    tallies
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
    let mut tally = Tally::new(players);
    results.for_each(|result| tally.add(result));
    tally
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_meets_as_often_on_each_side_and_from_the_same_positions() {
        let all = meetings(3, 4);
        assert_eq!(all.len(), 12);
        for (round, games) in all.chunks(6).enumerate() {
            assert!(games.iter().all(|game| game.opening as usize == round));
            for (pair, wanted) in games.chunks(2).zip([[0, 1], [0, 2], [1, 2]]) {
                assert_eq!(pair[0].seats, wanted);
                assert_eq!(pair[1].seats, [wanted[1], wanted[0]]);
            }
        }
        assert_eq!(meetings(3, 3).len(), 9);
        assert_eq!(meetings(2, 1).len(), 1);
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
        let all = tallies(2, &meetings(2, 4), &played)[0];
        assert_eq!((all.wins, all.draws, all.losses), (2, 1, 1));
        assert!((all.share() - 0.625).abs() < 1e-12);
        assert_eq!(all, tally([0, 1], &played));
        let begun = tallies(2, &meetings(2, 4), &played[..2])[0];
        assert_eq!((begun.wins, begun.draws, begun.losses), (1, 0, 1));
    }
}
