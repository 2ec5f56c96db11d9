//! Swiss tournaments: in each round, members with equal or nearly equal scores meet, and no two
//! members meet twice as long as that can be avoided (Müller, Zurich 1895). Every member plays in
//! all rounds, so a few games tell the strong from the weak.
//!
//! The rule of pairing is Monrad's: by rank, first against second, third against fourth. Ranks of
//! equal scores are drawn.

use std::collections::HashSet;

use rand::seq::SliceRandom;

use crate::contest::{Pairing, Seat};
use crate::params::params;
use crate::rng::Stream;

use super::{PairingContext, PairingScheme, PlayedRounds};

params! {
    /// Rounds in which members with equal scores meet.
    pub struct Swiss {
        /// Rounds per generation. In each, a member plays one match: two games from the same
        /// position, one from each side. With an odd population, the last of the ranking has no
        /// opponent. A round for each doubling of the population finds the best.
        live rounds: u32 = 7, in 1.0..=1000.0, "rounds";
    }
}

/// Pairs each member with the next below it that it has not met, or with the next if it has met
/// all.
fn round(mut ranked: Vec<u32>, met: &HashSet<[u32; 2]>, first_opening: u32) -> Vec<Pairing> {
    ranked.reverse();
    let mut pairings = Vec::with_capacity(ranked.len());
    for opening in first_opening.. {
        let Some(one) = ranked.pop() else { break };
        let is_new = |&other: &u32| !met.contains(&[one.min(other), one.max(other)]);
        let place = ranked.iter().rposition(is_new);
        let Some(place) = place.or(ranked.len().checked_sub(1)) else {
            break;
        };
        let other = ranked.remove(place);
        let [one, other] = [one, other].map(Seat::Member);
        pairings.extend(super::both_sides(one, other, opening));
    }
    pairings
}

impl PairingScheme for Swiss {
    fn pairings(&self, field: &PairingContext<'_>, rng: &mut Stream) -> Vec<Pairing> {
        let mut members: Vec<u32> = (0..field.members as u32).collect();
        members.shuffle(rng);
        round(members, &HashSet::new(), 0)
    }

    fn next(
        &self,
        field: &PairingContext<'_>,
        played: &PlayedRounds<'_>,
        rng: &mut Stream,
    ) -> Option<Vec<Pairing>> {
        if played.rounds >= self.rounds.into() {
            return None;
        }
        let scores = played.scores(field.members);
        let mut ranked: Vec<u32> = (0..field.members as u32).collect();
        ranked.shuffle(rng);
        ranked.sort_by_key(|&member| -scores[member as usize]);
        let seats = |game: &Pairing| match (game.first(), game.second()) {
            (Seat::Member(one), Seat::Member(other)) => Some([one.min(other), one.max(other)]),
            _ => None,
        };
        let met = played.pairings.iter().filter_map(seats).collect();
        Some(round(ranked, &met, played.next_opening()))
    }

    fn games(&self, field: &PairingContext<'_>) -> Option<u64> {
        let matches = field.members as u64 / 2;
        Some(2 * matches * u64::from(self.rounds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::GameResult;
    use crate::rng::{Purpose, stream};

    /// The matches of each round if the higher number always wins.
    fn tournament(members: usize, rounds: u32) -> Vec<Vec<[u32; 2]>> {
        let swiss = Swiss { rounds };
        let field = PairingContext {
            members,
            hall_of_fame: 0,
            neighborhoods: &[],
        };
        let mut pairings = swiss.pairings(&field, &mut stream(1, Purpose::Pairing, 0, 0));
        let mut all = vec![pairings.clone()];
        loop {
            let result = |game: &Pairing| GameResult {
                result: if game.first() > game.second() { 1 } else { -1 },
                ..GameResult::default()
            };
            let results: Vec<GameResult> = pairings.iter().map(result).collect();
            let played = PlayedRounds {
                rounds: all.len() as u64,
                pairings: &pairings,
                results: &results,
            };
            let mut rng = stream(1, Purpose::Pairing, 0, played.rounds);
            let Some(next) = swiss.next(&field, &played, &mut rng) else {
                break;
            };
            pairings.extend(&next);
            all.push(next);
        }
        assert_eq!(swiss.games(&field), Some(pairings.len() as u64));
        let seat = |seat| match seat {
            Seat::Member(member) => member,
            other => panic!("{other:?} is no member"),
        };
        let matches = |round: Vec<Pairing>| {
            let games = round.chunks(2);
            let pairs = games.map(|pair| [seat(pair[0].first()), seat(pair[0].second())]);
            pairs.collect()
        };
        all.into_iter().map(matches).collect()
    }

    #[test]
    fn members_with_equal_scores_meet_and_none_meets_another_twice() {
        let rounds = tournament(16, 4);
        let mut scores = [0; 16];
        let mut met = HashSet::new();
        for (round, matches) in rounds.iter().enumerate() {
            assert_eq!(matches.len(), 8);
            for &[one, other] in matches {
                assert!(met.insert([one.min(other), one.max(other)]));
                // With 16 members, four rounds need no match between unequal scores.
                assert_eq!(scores[one as usize], scores[other as usize], "{round}");
            }
            for &[one, other] in matches {
                scores[one.max(other) as usize] += 1;
            }
        }
        assert_eq!((rounds.len(), scores[15]), (4, 4), "the best wins all");
    }

    #[test]
    fn an_odd_member_has_no_opponent_and_few_members_meet_again() {
        assert!(tournament(7, 3).iter().all(|matches| matches.len() == 3));
        let rounds = tournament(2, 3);
        assert!(rounds.iter().all(|matches| matches.len() == 1));
    }
}
