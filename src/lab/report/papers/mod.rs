//! The publications that can be made again.

use super::paper::Paper;

mod fixed_strategies;
mod hynek;
mod kissling;
mod nim_challenge;
mod porter;
mod thien;
mod weaver;

/// All publications.
pub fn all() -> Vec<Paper> {
    vec![
        kissling::paper(),
        thien::paper(),
        weaver::paper(),
        porter::paper(),
        hynek::paper(),
        nim_challenge::paper(),
    ]
}
