//! A strategy table as it is shown: each decision with the arena's judgment, and what has changed since an earlier table.

use crate::arena::decisions::{Decision, Judgment};

use super::Heading;

mod below;
mod view;

/// All decisions of a table.
pub(super) struct Strategy {
    decisions: Vec<Decision>,
    /// For each decision what it was in the earlier table, where it differs.
    changes: Vec<Option<Change>>,
    /// A name for each place of a move.
    moves: Vec<String>,
}

/// A decision that differs from the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Change {
    /// The place of the move before.
    chosen: Option<usize>,
    turn: Turn,
}

/// What a change is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Better,
    Worse,
    Neither,
}

impl Strategy {
    /// The decisions of a table, compared with those of an earlier one, which may be none.
    pub(super) fn new(decisions: Vec<Decision>, before: &[Decision]) -> Self {
        let change = |(place, now): (usize, &Decision)| {
            let before = before.get(place)?;
            (before.chosen != now.chosen).then_some(Change {
                chosen: before.chosen,
                turn: match (before.judgment, now.judgment) {
                    (Judgment::Wrong, Judgment::Right) => Turn::Better,
                    (Judgment::Right, Judgment::Wrong) => Turn::Worse,
                    _ => Turn::Neither,
                },
            })
        };
        let changes = decisions.iter().enumerate().map(change).collect();
        let widest = decisions.iter().map(|decision| &decision.moves);
        let moves = widest.max_by_key(|moves| moves.len()).cloned();
        Self {
            changes,
            moves: moves.unwrap_or_default(),
            decisions,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.decisions.len()
    }

    /// The last wrong decision, which counts in the longest games, else the last one.
    pub(super) fn first_place(&self) -> usize {
        let wrong = self.decisions.iter().rposition(is_wrong);
        wrong.unwrap_or(self.len().saturating_sub(1))
    }

    /// Left and right go to the next decision, up and down to the wrong one before and after.
    pub(super) fn next(&self, from: usize, heading: Heading) -> usize {
        let last = self.len().saturating_sub(1);
        let found = match heading {
            Heading::Left => from.checked_sub(1),
            Heading::Right => Some(from + 1),
            Heading::Up => self.decisions[..from.min(last)].iter().rposition(is_wrong),
            Heading::Down => {
                let rest = self.decisions.iter().skip(from + 1).position(is_wrong);
                rest.map(|ahead| from + 1 + ahead)
            }
        };
        found.unwrap_or(from).min(last)
    }

    /// How many decisions are judged like this.
    fn count(&self, judgment: Judgment) -> usize {
        let alike = |decision: &&Decision| decision.judgment == judgment;
        self.decisions.iter().filter(alike).count()
    }

    /// How many decisions have turned like this.
    fn turned(&self, turn: Turn) -> usize {
        let changes = self.changes.iter().flatten();
        changes.filter(|change| change.turn == turn).count()
    }
}

fn is_wrong(decision: &Decision) -> bool {
    decision.judgment == Judgment::Wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A decision between two moves, the first of which keeps what the position is worth.
    fn decision(chosen: usize, keeps: [bool; 2]) -> Decision {
        let judgment = match (keeps[chosen], keeps) {
            (false, _) => Judgment::Wrong,
            (true, [true, true]) => Judgment::Free,
            _ => Judgment::Right,
        };
        Decision {
            position: String::new(),
            moves: vec!["1".to_owned(), "2".to_owned()],
            keeps: keeps.into(),
            chosen: Some(chosen),
            judgment,
        }
    }

    fn table(chosen: [usize; 4]) -> Vec<Decision> {
        let worth = [[true, true], [true, false], [true, false], [true, false]];
        let pairs = chosen.into_iter().zip(worth);
        pairs
            .map(|(chosen, keeps)| decision(chosen, keeps))
            .collect()
    }

    #[test]
    fn changes_are_told_by_what_they_are_worth() {
        let strategy = Strategy::new(table([1, 0, 1, 0]), &table([0, 1, 0, 0]));
        let turns: Vec<Option<Turn>> = strategy
            .changes
            .iter()
            .map(|change| change.map(|change| change.turn))
            .collect();
        assert_eq!(
            turns,
            [
                Some(Turn::Neither),
                Some(Turn::Better),
                Some(Turn::Worse),
                None
            ]
        );
        assert_eq!(strategy.turned(Turn::Better), 1);
        assert_eq!(strategy.count(Judgment::Wrong), 1);
        let first = Strategy::new(table([1, 0, 1, 0]), &[]);
        assert!(first.changes.iter().all(Option::is_none));
    }

    #[test]
    fn up_and_down_go_from_one_wrong_decision_to_the_next() {
        let check = |from, heading, expected| {
            let strategy = Strategy::new(table([0, 1, 0, 1]), &[]);
            assert_eq!(strategy.next(from, heading), expected, "{from} {heading:?}");
        };
        check(0, Heading::Down, 1);
        check(1, Heading::Down, 3);
        check(3, Heading::Down, 3);
        check(3, Heading::Up, 1);
        check(1, Heading::Up, 1);
        check(0, Heading::Left, 0);
        check(3, Heading::Right, 3);
        check(1, Heading::Right, 2);
        assert_eq!(Strategy::new(table([0, 1, 0, 1]), &[]).first_place(), 3);
        assert_eq!(Strategy::new(table([0, 0, 0, 0]), &[]).first_place(), 3);
        assert_eq!(Strategy::new(Vec::new(), &[]).next(0, Heading::Up), 0);
    }
}
