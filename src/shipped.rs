//! The presets and champions inside the program, so that they are there without its sources.

use finches_runs::storage::shipped;

/// Hands them in to where they are read.
pub(crate) fn hand_in() {
    shipped::hand_in(include!(concat!(env!("OUT_DIR"), "/shipped.rs")));
}
