//! The results of each member against each of its opponents in a generation, all games of the two
//! together.

use crate::contest::{GameResult, Pairing, Seat, Tally};

/// The games of a member against one opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Encounter {
    /// The index of the member.
    pub(super) member: u32,
    /// The opponent.
    pub(super) opponent: Seat,
    /// The results from the member's point of view.
    pub(super) tally: Tally,
}

/// All encounters, ordered by member and opponent. Two members have two encounters, one from the
/// point of view of each.
pub(super) fn encounters(pairings: &[Pairing], played: &[GameResult]) -> Vec<Encounter> {
    let mut games: Vec<(u32, Seat, i8)> = Vec::with_capacity(2 * pairings.len());
    for (pairing, game) in pairings.iter().zip(played) {
        let (first, second) = (pairing.first(), pairing.second());
        games.extend(seen_by(first, second, game.result));
        games.extend(seen_by(second, first, game.result_for_second()));
    }
    games.sort_unstable();
    let together = games.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1));
    together.map(encounter).collect()
}

/// A game from the point of view of one of its players, if that is a member.
fn seen_by(player: Seat, opponent: Seat, result: i8) -> Option<(u32, Seat, i8)> {
    match player {
        Seat::Member(member) => Some((member, opponent, result)),
        _ => None,
    }
}

/// The encounter of some games of a member against one opponent.
fn encounter(games: &[(u32, Seat, i8)]) -> Encounter {
    let (member, opponent, _) = games[0];
    let mut tally = Tally::default();
    for &(_, _, result) in games {
        tally.add(result);
    }
    Encounter {
        member,
        opponent,
        tally,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolution::fitness::tests::{game, member};

    #[test]
    fn the_games_of_two_players_are_put_together_from_either_side() {
        let entry = Seat::HallOfFame(0);
        let games = [
            game(member(1), member(0), 0, 1),
            game(entry, member(1), 1, 0),
            game(member(0), member(1), 0, 1),
            game(member(1), member(0), 2, 1),
        ];
        let (pairings, played): (Vec<_>, Vec<_>) = games.into_iter().unzip();
        let found = encounters(&pairings, &played);
        let found = found.into_iter().map(|one| {
            let Tally {
                wins,
                draws,
                losses,
            } = one.tally;
            (one.member, one.opponent, [wins, draws, losses])
        });
        assert_eq!(
            found.collect::<Vec<_>>(),
            [
                (0, member(1), [1, 0, 2]),
                (1, member(0), [2, 0, 1]),
                (1, entry, [0, 1, 0]),
            ]
        );
    }
}
