//! Schedules of head-to-head games and round robins, and their results by pair. Players are
//! indices.

use crate::contest::{GameResult, Tally};

use super::matches::Match;

/// The results of the games of two players, from the point of view of the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairTally {
    /// The indices of the two players.
    pub players: [usize; 2],
    /// Their games, from the point of view of the first of the two.
    pub tally: Tally,
}

/// All pairs of players, each once.
fn pairs(players: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..players).flat_map(move |a| (a + 1..players).map(move |b| [a, b]))
}

/// The games of two players: two from each start position, with the sides swapped.
pub fn head_to_head([a, b]: [usize; 2], games: u32) -> impl Iterator<Item = Match> {
    (0..games).map(move |game| nth_match([a, b], game))
}

/// The game of two players with index `game`.
fn nth_match([a, b]: [usize; 2], game: u32) -> Match {
    Match {
        players: if game.is_multiple_of(2) {
            [a, b]
        } else {
            [b, a]
        },
        opening: game / 2,
    }
}

/// The games of a round robin, `games` per pair and the same start positions for every pair. All
/// pairs play from one position before any pair plays from the next, so that an unfinished round
/// robin is as fair as a finished one.
pub fn schedule(players: usize, games: u32) -> Vec<Match> {
    let rounds = (0..games).step_by(2);
    rounds
        .flat_map(|first| {
            let round = first..games.min(first + 2);
            pairs(players)
                .flat_map(move |pair| round.clone().map(move |game| nth_match(pair, game)))
        })
        .collect()
}

/// The results by pair of the first `played.len()` of the matches.
pub fn tallies(players: usize, matches: &[Match], played: &[GameResult]) -> Vec<PairTally> {
    let empty = |players| PairTally {
        players,
        tally: Tally::default(),
    };
    let mut tallies: Vec<PairTally> = pairs(players).map(empty).collect();
    for (game, played) in matches.iter().zip(played) {
        let [one, other] = game.players;
        let pair = [one.min(other), one.max(other)];
        let found = tallies.iter_mut().find(|found| found.players == pair);
        let found = found.expect("every pair has a tally");
        found.tally.add(if one < other {
            played.result
        } else {
            played.result_for_second()
        });
    }
    tallies
}

/// The first player's result of the games of two players in the order of [`head_to_head`].
pub fn tally(played: &[GameResult]) -> Tally {
    let mut tally = Tally::default();
    for (game, played) in played.iter().enumerate() {
        tally.add(if game.is_multiple_of(2) {
            played.result
        } else {
            played.result_for_second()
        });
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_plays_as_often_on_each_side_and_from_the_same_positions() {
        let all = schedule(3, 4);
        assert_eq!(all.len(), 12);
        for (round, games) in all.chunks(6).enumerate() {
            assert!(games.iter().all(|game| game.opening as usize == round));
            for (pair, wanted) in games.chunks(2).zip([[0, 1], [0, 2], [1, 2]]) {
                assert_eq!(pair[0].players, wanted);
                assert_eq!(pair[1].players, [wanted[1], wanted[0]]);
            }
        }
        assert_eq!(schedule(3, 3).len(), 9);
        assert_eq!(schedule(2, 1).len(), 1);
    }

    #[test]
    fn results_are_from_the_point_of_view_of_the_first_of_a_pair() {
        let game = |result| GameResult {
            result,
            plies: 1,
            points: [0, 0],
        };
        // The first player moves first in games 0 and 2.
        let played = [game(1), game(1), game(0), game(-1)];
        let all = tallies(2, &schedule(2, 4), &played)[0].tally;
        assert_eq!((all.wins, all.draws, all.losses), (2, 1, 1));
        assert_eq!(all, tally(&played));
        let begun = tallies(2, &schedule(2, 4), &played[..2])[0].tally;
        assert_eq!((begun.wins, begun.draws, begun.losses), (1, 0, 1));
    }
}
