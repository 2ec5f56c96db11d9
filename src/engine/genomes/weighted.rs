//! Draws one of several mutations by their weights.

use rand::RngExt;

use crate::rng::Stream;

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
