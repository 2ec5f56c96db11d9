//! Whether fitness still distinguishes members: without a difference in fitness, selection has
//! nothing to select by. This is disengagement (Watson & Pollack 2001, *Coevolutionary Dynamics in
//! a Minimal Substrate*; Cartlidge & Bullock 2004).

use crate::metrics::stats::wilson;

/// Fitnesses whose difference is below this share of the larger one are equal: they differ by
/// rounding.
const ROUNDING: f64 = 1e-12;

/// The highest and the mean fitness of a generation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitnessLevels {
    /// The fitness of the champion.
    pub best: f64,
    /// The mean fitness of the population.
    pub mean: f64,
}

impl FitnessLevels {
    /// Whether all members have the same fitness: the highest one is the mean only then.
    fn is_flat(&self) -> bool {
        (self.best - self.mean).abs() <= ROUNDING * self.best.abs().max(self.mean.abs())
    }
}

/// The generations in which all members had the same fitness, among the last third of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlatGenerations {
    /// Generations in which all members had the same fitness.
    pub flat: u32,
    /// Generations in all.
    pub generations: u32,
    /// The 95% interval of their share (Wilson), as if generations were independent.
    pub interval: (f64, f64),
}

impl FlatGenerations {
    /// Of the last third of these generations, oldest first; `None` without any.
    pub fn of(levels: &[FitnessLevels]) -> Option<Self> {
        let last = &levels[levels.len() * 2 / 3..];
        let generations = u32::try_from(last.len()).ok().filter(|count| *count > 0)?;
        let flat = last.iter().filter(|levels| levels.is_flat()).count() as u32;
        Some(Self {
            flat,
            generations,
            interval: wilson(f64::from(flat) / f64::from(generations), generations),
        })
    }

    /// Whether fitness clearly distinguishes no members in most generations.
    pub fn is_most(&self) -> bool {
        self.interval.0 > 0.5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(levels: &[(f64, f64)], flat: u32, is_most: bool) {
        let levels = levels
            .iter()
            .map(|&(best, mean)| FitnessLevels { best, mean });
        let found =
            FlatGenerations::of(&levels.collect::<Vec<_>>()).expect("there are generations");
        assert_eq!((found.flat, found.is_most()), (flat, is_most), "{found:?}");
    }

    #[test]
    fn only_many_generations_of_equal_fitness_are_clear() {
        check(&[(0.3, 0.1 + 0.2)], 1, false);
        check(&[(1.0, 1.0); 30], 10, true);
        check(&[(1.0, 0.9); 30], 0, false);
        let late: Vec<(f64, f64)> = [[(1.0, 0.5); 60], [(0.0, 0.0); 60]].concat();
        check(&late, 40, true);
        assert_eq!(FlatGenerations::of(&[]), None);
    }
}
