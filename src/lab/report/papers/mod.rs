//! The publications that can be made again.

use super::paper::Paper;

mod fixed_strategies;
mod hynek;
mod kissling;
mod nim_challenge;
mod porter;
mod thien;
mod weaver;

/// Columns of reference players that publications speak of: the champion's, and the best and the
/// mean of the population.
const V_RANDOM: &str = "vs_random";
const V_LEVEL_1: &str = "vs_level_1";
const BEST_V_RANDOM: &str = "pop_best_vs_random";
const BEST_V_LEVEL_1: &str = "pop_best_vs_level_1";
const MEAN_V_RANDOM: &str = "pop_mean_vs_random";
const MEAN_V_LEVEL_1: &str = "pop_mean_vs_level_1";
const MEAN_V_SWH: &str = "pop_mean_vs_swh";

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
