//! A strategy table as drawn: each decision with its quality, and changes since an earlier table.

use finches_engine::play::decisions::{Decision, DecisionQuality};

use super::Direction;

mod details;
mod view;

/// All decisions of a table.
pub(in crate::screens) struct Strategy {
    decisions: Vec<Decision>,
    /// For each decision, its change since the earlier table, if any.
    changes: Vec<Option<DecisionChange>>,
    /// The names of the moves, by index.
    moves: Vec<String>,
}

/// A decision that differs from that of the earlier table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct DecisionChange {
    /// The move chosen before, as an index.
    previous_move: Option<usize>,
    effect: ChangeEffect,
}

/// Whether a change improves the decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChangeEffect {
    Better,
    Worse,
    Neither,
}

impl Strategy {
    /// Compares a table with an earlier one, which may be empty.
    pub(in crate::screens) fn new(decisions: Vec<Decision>, before: &[Decision]) -> Self {
        let change = |(place, now): (usize, &Decision)| {
            let before = before.get(place)?;
            (before.chosen != now.chosen).then_some(DecisionChange {
                previous_move: before.chosen,
                effect: match (before.quality, now.quality) {
                    (DecisionQuality::Wrong, DecisionQuality::Right) => ChangeEffect::Better,
                    (DecisionQuality::Right, DecisionQuality::Wrong) => ChangeEffect::Worse,
                    _ => ChangeEffect::Neither,
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

    pub(in crate::screens) fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// The right decisions, and all of those that can be wrong.
    pub(in crate::screens) fn right(&self) -> (usize, usize) {
        let right = self.count(DecisionQuality::Right);
        (right, right + self.count(DecisionQuality::Wrong))
    }

    pub(super) fn len(&self) -> usize {
        self.decisions.len()
    }

    /// The last wrong decision (it matters in the longest games), else the last decision.
    pub(super) fn initial_cursor(&self) -> usize {
        let wrong = self.decisions.iter().rposition(is_wrong);
        wrong.unwrap_or(self.len().saturating_sub(1))
    }

    /// Left and right go to the next decision; up and down to the previous and next wrong one.
    pub(super) fn next(&self, from: usize, direction: Direction) -> usize {
        let last = self.len().saturating_sub(1);
        let found = match direction {
            Direction::Left => from.checked_sub(1),
            Direction::Right => Some(from + 1),
            Direction::Up => self.decisions[..from.min(last)].iter().rposition(is_wrong),
            Direction::Down => {
                let rest = self.decisions.iter().skip(from + 1).position(is_wrong);
                rest.map(|ahead| from + 1 + ahead)
            }
        };
        found.unwrap_or(from).min(last)
    }

    /// The number of decisions of this quality.
    fn count(&self, judgment: DecisionQuality) -> usize {
        let alike = |decision: &&Decision| decision.quality == judgment;
        self.decisions.iter().filter(alike).count()
    }

    /// The number of changes with this effect.
    fn count_changes(&self, effect: ChangeEffect) -> usize {
        let changes = self.changes.iter().flatten();
        changes.filter(|change| change.effect == effect).count()
    }
}

fn is_wrong(decision: &Decision) -> bool {
    decision.quality == DecisionQuality::Wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A decision between two moves; `keeps` tells which of them keep the value of the position.
    fn decision(chosen: usize, keeps: [bool; 2]) -> Decision {
        let judgment = match (keeps[chosen], keeps) {
            (false, _) => DecisionQuality::Wrong,
            (true, [true, true]) => DecisionQuality::Indifferent,
            _ => DecisionQuality::Right,
        };
        Decision {
            position: String::new(),
            moves: vec!["1".to_owned(), "2".to_owned()],
            keeps: keeps.into(),
            chosen: Some(chosen),
            quality: judgment,
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
        let turns: Vec<Option<ChangeEffect>> = strategy
            .changes
            .iter()
            .map(|change| change.map(|change| change.effect))
            .collect();
        assert_eq!(
            turns,
            [
                Some(ChangeEffect::Neither),
                Some(ChangeEffect::Better),
                Some(ChangeEffect::Worse),
                None
            ]
        );
        assert_eq!(strategy.count_changes(ChangeEffect::Better), 1);
        assert_eq!(strategy.count(DecisionQuality::Wrong), 1);
        let first = Strategy::new(table([1, 0, 1, 0]), &[]);
        assert!(first.changes.iter().all(Option::is_none));
    }

    #[test]
    fn up_and_down_go_from_one_wrong_decision_to_the_next() {
        let check = |from, direction, expected| {
            let strategy = Strategy::new(table([0, 1, 0, 1]), &[]);
            assert_eq!(
                strategy.next(from, direction),
                expected,
                "{from} {direction:?}"
            );
        };
        check(0, Direction::Down, 1);
        check(1, Direction::Down, 3);
        check(3, Direction::Down, 3);
        check(3, Direction::Up, 1);
        check(1, Direction::Up, 1);
        check(0, Direction::Left, 0);
        check(3, Direction::Right, 3);
        check(1, Direction::Right, 2);
        assert_eq!(Strategy::new(table([0, 1, 0, 1]), &[]).initial_cursor(), 3);
        assert_eq!(Strategy::new(table([0, 0, 0, 0]), &[]).initial_cursor(), 3);
        assert_eq!(Strategy::new(Vec::new(), &[]).next(0, Direction::Up), 0);
    }
}
