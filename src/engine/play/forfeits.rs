//! Games that outside programs lost because they failed. It does not know how programs are run.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::matches::{Match, MatchPlayer};

/// Failures in a row after which a program gets no further game.
const MAX_FAILURES_IN_A_ROW: u32 = 3;

/// A game that a program lost because it failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forfeit {
    /// The number of the game in its list, from 0.
    pub game: u64,
    /// The last move before the failure; `None` if the game had not begun.
    pub after: Option<String>,
    /// What happened, as a clause, with what the program said last.
    pub reason: String,
}

/// The failures of one program, which plays on several threads.
#[derive(Debug, Default)]
pub struct ForfeitLog(Mutex<Failures>);

#[derive(Debug, Default)]
struct Failures {
    all: Vec<Forfeit>,
    /// Failures since the last game without one.
    in_a_row: u32,
}

impl ForfeitLog {
    /// Adds a failure.
    pub fn add(&self, forfeit: Forfeit) {
        let mut failures = self.lock();
        failures.all.push(forfeit);
        failures.in_a_row += 1;
    }

    /// Adds a game that the program resigned, which is no failure of the program.
    pub fn add_resignation(&self, forfeit: Forfeit) {
        self.lock().all.push(forfeit);
    }

    /// Notes a game without a failure.
    pub fn note_success(&self) {
        self.lock().in_a_row = 0;
    }

    /// Whether the program has failed so often in a row that it gets no further game.
    pub fn is_broken(&self) -> bool {
        self.lock().in_a_row >= MAX_FAILURES_IN_A_ROW
    }

    /// The forfeited games in the order of their numbers.
    pub fn games(&self) -> Vec<Forfeit> {
        let mut all = self.lock().all.clone();
        all.sort_by_key(|forfeit| forfeit.game);
        all
    }

    /// The failures remain valid if a thread panics.
    fn lock(&self) -> MutexGuard<'_, Failures> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A forfeited game with its players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForfeitedGame {
    /// The index of the program that failed.
    pub player: usize,
    /// The index of its opponent.
    pub opponent: usize,
    /// What happened.
    pub forfeit: Forfeit,
}

impl ForfeitedGame {
    /// One sentence without a full stop; `names` are those of all players.
    pub fn text(&self, names: &[String]) -> String {
        let Forfeit {
            game,
            after,
            reason,
        } = &self.forfeit;
        let [player, opponent] = [self.player, self.opponent].map(|index| &names[index]);
        let place = after.as_ref().map_or_else(
            || "at its beginning".to_owned(),
            |word| format!("after {word}"),
        );
        format!(
            "{player} lost game {} against {opponent} {place}: {reason}",
            game + 1
        )
    }
}

/// The forfeited games of all players of a list of matches, in the order of their numbers.
pub fn forfeited_games(players: &[MatchPlayer], matches: &[Match]) -> Vec<ForfeitedGame> {
    let of_player = |(index, player): (usize, &MatchPlayer)| {
        let games = player.forfeits().map_or_else(Vec::new, ForfeitLog::games);
        let with_opponent = move |forfeit: Forfeit| {
            let [first, second] = matches.get(forfeit.game as usize)?.players;
            Some(ForfeitedGame {
                player: index,
                opponent: if first == index { second } else { first },
                forfeit,
            })
        };
        games.into_iter().filter_map(with_opponent)
    };
    let mut all: Vec<ForfeitedGame> = players.iter().enumerate().flat_map(of_player).collect();
    all.sort_by_key(|it| it.forfeit.game);
    all
}

/// Why matches ended before the last one, if an outside program failed too often in a row; `names`
/// are those of the players.
pub fn broken_player(
    players: &[MatchPlayer],
    matches: &[Match],
    names: &[String],
) -> Option<String> {
    let is_broken = |player: &MatchPlayer| player.forfeits().is_some_and(ForfeitLog::is_broken);
    let broken = players.iter().position(is_broken)?;
    let all = forfeited_games(players, matches);
    let own = all.iter().filter(|game| game.player == broken);
    let told: Vec<String> = own.map(|game| game.text(names)).collect();
    let last = told.len().saturating_sub(MAX_FAILURES_IN_A_ROW as usize);
    Some(format!(
        "{} failed {MAX_FAILURES_IN_A_ROW} times in a row, so the games were stopped\n{}",
        names[broken],
        told[last..].join("\n")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(game: u64) -> Forfeit {
        Forfeit {
            game,
            after: Some("d3".to_owned()),
            reason: "it ended".to_owned(),
        }
    }

    #[test]
    fn a_program_is_broken_after_three_failures_without_a_game_between() {
        let log = ForfeitLog::default();
        log.add(failure(4));
        log.add(failure(1));
        log.note_success();
        log.add(failure(5));
        log.add(failure(6));
        log.add_resignation(failure(7));
        assert!(!log.is_broken());
        log.add(failure(8));
        assert!(log.is_broken());
        let games: Vec<u64> = log.games().iter().map(|it| it.game).collect();
        assert_eq!(games, [1, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn a_forfeit_is_told_with_both_players_the_game_and_the_last_move() {
        let names = ["a", "b"].map(str::to_owned);
        let mut game = ForfeitedGame {
            player: 1,
            opponent: 0,
            forfeit: failure(2),
        };
        assert_eq!(
            game.text(&names),
            "b lost game 3 against a after d3: it ended"
        );
        game.forfeit.after = None;
        assert_eq!(
            game.text(&names),
            "b lost game 3 against a at its beginning: it ended"
        );
    }
}
