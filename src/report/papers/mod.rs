//! The publications that can be made again.

use super::paper::Paper;

mod hynek;
mod kissling;
mod weaver;

/// All publications.
pub fn all() -> Vec<Paper> {
    vec![kissling::paper(), weaver::paper(), hynek::paper()]
}
