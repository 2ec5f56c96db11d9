//! Draws how many mutations an offspring has, and one of several by their weights.

use rand::RngExt;

use crate::params::ParamError;
use crate::rng::Stream;

/// How many mutations an offspring has, given the fewest and the most.
pub(super) fn count([fewest, most]: [u32; 2], rng: &mut Stream) -> u32 {
    rng.random_range(fewest..=most.max(fewest))
}

/// A problem if the fewest are more than the most.
pub(super) fn count_problem([fewest, most]: [u32; 2]) -> Option<ParamError> {
    let message = format!("must not be above max_mutations ({most}), is {fewest}");
    (fewest > most).then(|| ParamError::new("min_mutations", message))
}

/// One of the items, drawn by their weights; `None` if all weights are 0.
pub(super) fn draw<T: Copy>(table: &[(f64, T)], rng: &mut Stream) -> Option<T> {
    let total: f64 = table.iter().map(|(weight, _)| weight).sum();
    if total <= 0.0 {
        return None;
    }
    let mut spin = rng.random_range(0.0..total);
    for &(weight, item) in table {
        if spin < weight {
            return Some(item);
        }
        spin -= weight;
    }
    None
}
