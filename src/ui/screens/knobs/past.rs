//! What became of past changes: the objective before each, and up to twenty generations later.

use crate::preset::Intervention;

/// As many generations after a change it is judged.
pub(super) const SPAN: u64 = 20;

/// More changes than anyone looks at; older ones are forgotten here, the record on disk keeps them.
const MOST: usize = 200;

/// The changes, oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Past {
    edits: Vec<Edit>,
    /// The last figure known, for the next change.
    latest: Option<(u64, f64)>,
}

/// A change and the objective around it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Edit {
    pub(super) intervention: Intervention,
    /// The last figure before the change.
    pub(super) before: Option<f64>,
    /// The last figure within the span after it, and its generation.
    pub(super) after: Option<(u64, f64)>,
}

impl Past {
    pub(super) fn edits(&self) -> &[Edit] {
        &self.edits
    }

    pub(super) fn turned(&mut self, intervention: &Intervention) {
        let earlier = |&(generation, _): &(u64, f64)| generation < intervention.generation;
        self.edits.push(Edit {
            intervention: intervention.clone(),
            before: self.latest.filter(earlier).map(|(_, value)| value),
            after: None,
        });
        let excess = self.edits.len().saturating_sub(MOST);
        self.edits.drain(..excess);
    }

    pub(super) fn objective(&mut self, generation: u64, value: f64) {
        self.latest = Some((generation, value));
        for edit in &mut self.edits {
            let at = edit.intervention.generation;
            if generation < at {
                edit.before = Some(value);
            } else if generation <= at + SPAN {
                edit.after = Some((generation, value));
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
        let mut past = Past::default();
        for generation in 0..100 {
            if generation == 50 {
                past.turned(&intervention(50));
            }
            past.objective(generation, generation as f64);
        }
        let edit = &past.edits()[0];
        assert_eq!((edit.before, edit.after), (Some(49.0), Some((70, 70.0))));
    }

    #[test]
    fn memory_stays_bounded() {
        let mut past = Past::default();
        for generation in 0..1000 {
            past.turned(&intervention(generation));
        }
        assert_eq!(past.edits().len(), MOST);
        assert_eq!(past.edits()[MOST - 1].intervention.generation, 999);
    }
}
