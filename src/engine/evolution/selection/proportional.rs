//! Selection in proportion to fitness, with linear scaling (Holland 1975; Goldberg 1989, pp.
//! 76-79).

use crate::params::{ParamError, params};

use super::rank::RankedWheel;
use super::{RouletteWheel, Selection, Selector, ranking};

params! {
    /// Probability proportional to fitness, negative fitness counting as 0; equal for all if no
    /// candidate has positive fitness.
    pub struct Proportional {
        /// Linear scaling: the selection probability of the fittest candidate. Candidates whose
        /// scaled fitness would be negative are never selected. None turns scaling off. Raise it to
        /// increase selection pressure, especially when all candidates are nearly equally fit.
        live best_share: Option<f64> = None, in 0.0..=1.0;
    }
}

impl Selection for Proportional {
    fn selector(&self, fitness: &[f64]) -> Box<dyn Selector> {
        let ranked = ranking(fitness);
        let fitness: Vec<f64> = ranked.iter().map(|&member| fitness[member]).collect();
        let baseline = |share| scaling_baseline(&fitness, share);
        let least = self.best_share.map_or(0.0, baseline);
        let weight = |&one: &f64| {
            if fitness[0] <= least {
                1.0
            } else {
                (one - least).max(0.0)
            }
        };
        Box::new(RankedWheel {
            wheel: RouletteWheel::new(fitness.iter().map(weight)),
            ranked,
        })
    }

    fn problems(&self, candidates: usize) -> Vec<ParamError> {
        let small = |share: &f64| share * candidates as f64 <= 1.0;
        let too_small = self.best_share.filter(small).map(|share| {
            let message = format!("must be above an equal share (1 / {candidates}), is {share}");
            ParamError::new("best_share", message)
        });
        too_small.into_iter().collect()
    }
}

/// The baseline of linear scaling: selection weights are the fitness above it, 0 below it, and the
/// fittest member has `share` of their sum (Goldberg 1989, pp. 76-79). If several are equally fit
/// and `share` is too large for them, only these are selected. The baseline is negative if unscaled
/// fitness would give the fittest more. `fitness` must be in descending order, and `share` above 1
/// / n.
fn scaling_baseline(fitness: &[f64], share: f64) -> f64 {
    let best = fitness[0];
    let equals = fitness.iter().filter(|&&fitness| fitness >= best).count();
    let below = || fitness.get(equals).copied();
    if share * equals as f64 >= 1.0 {
        // Any value between the best and the next works.
        return below().unwrap_or(0.0);
    }
    let mut sum: f64 = fitness.iter().sum();
    for counted in (equals..=fitness.len()).rev() {
        // best - least = share * (sum of the counted - counted * least).
        let scale = 1.0 - share * counted as f64;
        let least = (best - share * sum) / scale;
        let lowest = fitness[counted - 1];
        if scale != 0.0 && least <= lowest {
            return least;
        }
        sum -= lowest;
    }
    below().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The selection probability of the fittest member under scaling.
    fn best_share(fitness: &[f64], wanted: f64) -> f64 {
        let least = scaling_baseline(fitness, wanted);
        let above = |fitness: f64| (fitness - least).max(0.0);
        above(fitness[0]) / fitness.iter().map(|&fitness| above(fitness)).sum::<f64>()
    }

    #[test]
    fn scaling_gives_the_fittest_its_share() {
        let even: Vec<f64> = (0..100)
            .map(|place| 10.0 - f64::from(place) / 100.0)
            .collect();
        let steep = [100.0, 3.0, 2.0, 1.0, 0.5];
        let few = [5.0, 5.0, 5.0, 4.0, 1.0];
        for (fitness, wanted, expected) in [
            (&even[..], 0.1, 0.1),
            (&even, 0.02, 0.02),
            (&even, 0.5, 0.5),
            (&steep, 0.3, 0.3),
            (&steep, 0.9, 0.9),
            (&few, 0.3, 0.3),
            (&few, 0.5, 1.0 / 3.0),
        ] {
            let share = best_share(fitness, wanted);
            assert!((share - expected).abs() < 1e-9, "{wanted}: {share}");
        }
    }
}
