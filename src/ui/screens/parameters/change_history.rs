//! The effects of history changes: the objective before each and up to twenty generations later.

use crate::preset::Intervention;

/// The number of generations after which a change is evaluated.
pub(super) const EVALUATION_SPAN: u64 = 20;

/// The maximum number of changes kept in memory; the record on disk keeps all.
const MAX_CHANGES: usize = 200;

/// The changes, oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct ChangeHistory {
    changes: Vec<RecordedChange>,
    /// The latest generation and its objective.
    latest: Option<(u64, f64)>,
}

/// A change and the objective before and after it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RecordedChange {
    pub(super) intervention: Intervention,
    /// The last objective before the change.
    pub(super) before: Option<f64>,
    /// The last objective within the span after the change, with its generation.
    pub(super) after: Option<(u64, f64)>,
}

impl ChangeHistory {
    pub(super) fn changes(&self) -> &[RecordedChange] {
        &self.changes
    }

    pub(super) fn record_change(&mut self, intervention: &Intervention) {
        let earlier = |&(generation, _): &(u64, f64)| generation < intervention.generation;
        self.changes.push(RecordedChange {
            intervention: intervention.clone(),
            before: self.latest.filter(earlier).map(|(_, value)| value),
            after: None,
        });
        let excess = self.changes.len().saturating_sub(MAX_CHANGES);
        self.changes.drain(..excess);
    }

    pub(super) fn record_objective(&mut self, generation: u64, value: f64) {
        self.latest = Some((generation, value));
        for change in &mut self.changes {
            let at = change.intervention.generation;
            if generation < at {
                change.before = Some(value);
            } else if generation <= at + EVALUATION_SPAN {
                change.after = Some((generation, value));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn intervention(generation: u64) -> Intervention {
        Intervention {
            generation,
            key: "genome.add_node".to_owned(),
            from: "1.0".to_owned(),
            to: "2.0".to_owned(),
        }
    }

    #[test]
    fn a_change_is_judged_by_the_objective_before_it_and_twenty_generations_later() {
        let mut history = ChangeHistory::default();
        for generation in 0..100 {
            if generation == 50 {
                history.record_change(&intervention(50));
            }
            history.record_objective(generation, generation as f64);
        }
        let change = &history.changes()[0];
        assert_eq!(
            (change.before, change.after),
            (Some(49.0), Some((70, 70.0)))
        );
    }

    #[test]
    fn memory_stays_bounded() {
        let mut history = ChangeHistory::default();
        for generation in 0..1000 {
            history.record_change(&intervention(generation));
        }
        assert_eq!(history.changes().len(), MAX_CHANGES);
        assert_eq!(
            history.changes()[MAX_CHANGES - 1].intervention.generation,
            999
        );
    }
}
