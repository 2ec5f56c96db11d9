//! The effects of past changes: the objective before each and up to twenty generations later.

use crate::metrics::history::History;

/// The number of generations after which a change is evaluated.
pub(super) const EVALUATION_SPAN: u64 = 20;

/// The objective before and after a change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ParameterEffect {
    /// The last objective before the change.
    pub(super) before: Option<f64>,
    /// The last objective within the span after the change.
    pub(super) after: Option<f64>,
}

impl ParameterEffect {
    pub(super) const UNKNOWN: Self = Self {
        before: None,
        after: None,
    };

    /// The effect of a change in a generation on the objective, a column of the history.
    pub(super) fn of(history: &History, objective: usize, generation: u64) -> Self {
        let read = |at: u64| history.read(objective, at);
        let before = generation.checked_sub(1).and_then(read);
        let after = read((generation + EVALUATION_SPAN).min(history.end()));
        Self {
            before: before
                .filter(|point| point.first < generation)
                .and_then(|point| point.bucket.mean()),
            after: after
                .filter(|point| point.last >= generation)
                .map(|point| point.bucket.last),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Row;

    #[test]
    fn a_change_is_judged_by_the_objective_before_it_and_twenty_generations_later() {
        let mut history = History::new(1);
        let mut check = |until: u64, at: u64, before: Option<f64>, after: Option<f64>| {
            while history.len() < until {
                let value = history.len() as f64;
                history.push(&Row::from_values(vec![Some(value)]));
            }
            let effect = ParameterEffect::of(&history, 0, at);
            assert_eq!((effect.before, effect.after), (before, after), "{at}");
        };
        check(0, 0, None, None);
        check(50, 0, None, Some(20.0));
        check(50, 50, Some(49.0), None);
        check(55, 50, Some(49.0), Some(54.0));
        check(100, 50, Some(49.0), Some(70.0));
    }
}
