//! Knockout tournaments: the loser of a tie is out, and the winners meet in the next round, until
//! one is left (Angeline & Pollack 1993, *Competitive Environments Evolve Better Solutions for
//! Complex Tasks*, "Tournament Fitness"). With wins as fitness, a member is worth what it has won
//! before it was beaten.

use rand::seq::SliceRandom;

use crate::contest::{Pairing, Seat};
use crate::params::params;
use crate::rng::Stream;

use super::{PairingContext, PairingScheme, PlayedRounds};

params! {
    /// Rounds in which the winners of the last meet, until one is left.
    pub struct Knockout {
        /// Matches of a tie. A match is two games from the same position, one from each side. If
        /// both win as many games, the one that was drawn first is through.
        live matches: u32 = 1, in 1.0..=1000.0, "matches";
    }
}

impl Knockout {
    /// A round between these members, drawn at random. With an odd number, one has no opponent and
    /// is through.
    fn round(&self, mut members: Vec<u32>, opening: u32, rng: &mut Stream) -> Vec<Pairing> {
        members.shuffle(rng);
        let ties = members.chunks_exact(2).zip(0..);
        let games = ties.flat_map(|(tie, number)| {
            let [one, other] = [tie[0], tie[1]].map(Seat::Member);
            let first = opening + number * self.matches;
            let openings = first..first + self.matches;
            openings.flat_map(move |opening| super::both_sides(one, other, opening))
        });
        games.collect()
    }

    /// The members that no tie has put out, in order.
    fn remaining(&self, members: usize, played: &PlayedRounds<'_>) -> Vec<u32> {
        let games = 2 * self.matches as usize;
        let mut is_out = vec![false; members];
        let ties = played.pairings.chunks(games);
        for (tie, results) in ties.zip(played.results.chunks(games)) {
            // Every second game is played with the sides swapped.
            let results = results.chunks(2).flat_map(|pair| {
                let swapped = pair.get(1).map_or(0, |game| game.result_for_second());
                [pair[0].result, swapped]
            });
            let score: i32 = results.map(i32::from).sum();
            let beaten = if score >= 0 {
                tie[0].second()
            } else {
                tie[0].first()
            };
            if let Seat::Member(member) = beaten {
                is_out[member as usize] = true;
            }
        }
        let members = 0..members as u32;
        members.filter(|&member| !is_out[member as usize]).collect()
    }
}

impl PairingScheme for Knockout {
    fn pairings(&self, field: &PairingContext<'_>, rng: &mut Stream) -> Vec<Pairing> {
        self.round((0..field.members as u32).collect(), 0, rng)
    }

    fn next(
        &self,
        field: &PairingContext<'_>,
        played: &PlayedRounds<'_>,
        rng: &mut Stream,
    ) -> Option<Vec<Pairing>> {
        let remaining = self.remaining(field.members, played);
        (remaining.len() > 1).then(|| self.round(remaining, played.next_opening(), rng))
    }

    /// Each tie puts one member out.
    fn games(&self, field: &PairingContext<'_>) -> Option<u64> {
        Some(2 * u64::from(self.matches) * (field.members as u64 - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::GameResult;
    use crate::rng::{Purpose, stream};

    /// The sizes of the rounds of a tournament in which the higher number wins, and the winner.
    fn check(members: usize, matches: u32, expected: &[usize]) {
        let knockout = Knockout { matches };
        let field = PairingContext {
            members,
            hall_of_fame: 0,
            neighborhoods: &[],
        };
        let mut pairings = knockout.pairings(&field, &mut stream(1, Purpose::Pairing, 0, 0));
        let mut ties = vec![pairings.len() / 2 / matches as usize];
        loop {
            let result = |game: &Pairing| GameResult {
                result: if game.first() > game.second() { 1 } else { -1 },
                ..GameResult::default()
            };
            let results: Vec<GameResult> = pairings.iter().map(result).collect();
            let played = PlayedRounds {
                rounds: ties.len() as u64,
                pairings: &pairings,
                results: &results,
            };
            let mut rng = stream(1, Purpose::Pairing, 0, played.rounds);
            let Some(next) = knockout.next(&field, &played, &mut rng) else {
                let best = members as u32 - 1;
                assert_eq!(knockout.remaining(members, &played), [best]);
                break;
            };
            ties.push(next.len() / 2 / matches as usize);
            pairings.extend(next);
        }
        assert_eq!(ties, expected, "{members} members");
        assert_eq!(knockout.games(&field), Some(pairings.len() as u64));
    }

    #[test]
    fn each_round_halves_the_members_until_the_strongest_is_left() {
        check(8, 1, &[4, 2, 1]);
        check(16, 3, &[8, 4, 2, 1]);
        check(7, 2, &[3, 2, 1]);
        check(2, 1, &[1]);
    }
}
