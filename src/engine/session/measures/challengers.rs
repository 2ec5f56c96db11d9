//! Challengers: the success of headless chicken crossover.

use super::Measure;

/// The success of headless chicken crossover.
pub const CHICKEN_SHARE: Measure = Measure {
    name: "chicken_share",
    unit: "share",
    help: "Share of the headless chicken crossovers that replaced their elite.",
    applies: |preset, _| preset.evolution.has_challengers(),
    figure: |run| {
        let [tried, won] = run.finished.challenges;
        (tried > 0).then(|| f64::from(won) / f64::from(tried))
    },
    ..Measure::PLAIN
};
