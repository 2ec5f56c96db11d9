//! Generational reproduction: elites survive, all others are offspring of selected parents by crossover and mutation (Holland
//! 1975; Hynek, "Genetic Algorithm Implementation" and "Macromutation Operator").

use rand::RngExt;

use crate::params::{ParamError, choices, params};
use crate::rng::{Purpose, Stream, stream};

use super::{
    Challenger, Offspring, OffspringPlan, ParentPool, Reproduction, RouletteWheel, ranking,
};

choices! {
    /// How parents are selected.
    pub enum Selection {
        /// Probability proportional to fitness.
        Proportional = "proportional",
        /// Probability proportional to rank: the least fit member has weight 1, the next 2, and so on.
        Rank = "rank",
        /// The fittest of a few random members.
        Tournament = "tournament",
    }
}

params! {
    /// Elites, and offspring of selected parents.
    pub struct Generational {
        /// How parents are selected.
        live selection: Selection = Selection::Proportional;
        /// Number of members in a tournament, of which the fittest becomes a parent. Raise it to increase selection pressure.
        live tournament_size: u32 = 2, in 1.0..=1000.0, "members";
        /// Linear scaling for proportional selection: the selection probability of the fittest member. Members whose scaled fitness would be negative are never selected. None turns scaling off. Raise it to increase selection pressure, especially when all members are nearly equally fit.
        live best_share: Option<f64> = None, in 0.0..=1.0;
        /// Probability that an offspring has two parents instead of one.
        live crossover: f64 = 0.75, in 0.0..=1.0, "chance";
        /// Number of the fittest members that survive unchanged; they are evaluated again in the next generation.
        live elites: u32 = 20, in 0.0..=10000.0, "members";
        /// Headless chicken crossover: each elite is crossed with a random genome and replaced by the offspring if that is at least as fit. Acts as a hill climber with large steps.
        live headless_chicken: bool = false;
    }
}

impl Reproduction for Generational {
    fn plan<'a>(
        &'a self,
        pool: &'a ParentPool<'a>,
        _seed: u64,
        _generation: u64,
    ) -> Box<dyn OffspringPlan + 'a> {
        Box::new(GenerationalPlan::new(self, pool))
    }

    fn challengers(&self, pool: &ParentPool<'_>, seed: u64, generation: u64) -> Vec<Challenger> {
        if !self.headless_chicken {
            return Vec::new();
        }
        let ranked = ranking(pool.fitness);
        let elites = ranked.into_iter().take(self.elites as usize);
        elites
            .enumerate()
            .map(|(index, member)| {
                let mut rng = stream(seed, Purpose::Challenger, generation, index as u64);
                let immigrant = pool.genome.random(pool.ports, &mut rng);
                let genome = pool
                    .genome
                    .crossover(&pool.members[member], &immigrant, &mut rng);
                Challenger { member, genome }
            })
            .collect()
    }

    fn problems(&self, population: usize) -> Vec<ParamError> {
        let elites = self.elites;
        let message = format!("must be below the population ({population}), is {elites}");
        let too_many = elites as usize >= population;
        let too_many = too_many.then(|| ParamError::new("elites", message));
        let small = |share: &f64| share * population as f64 <= 1.0;
        let too_small = self.best_share.filter(small).map(|share| {
            let message = format!("must be above an equal share (1 / {population}), is {share}");
            ParamError::new("best_share", message)
        });
        too_many.into_iter().chain(too_small).collect()
    }
}

struct GenerationalPlan<'a> {
    scheme: &'a Generational,
    pool: &'a ParentPool<'a>,
    /// Indices of the members, the fittest first.
    ranked: Vec<usize>,
    /// Selects by fitness or rank, in the order of `ranked`.
    wheel: RouletteWheel,
}

impl<'a> GenerationalPlan<'a> {
    fn new(scheme: &'a Generational, pool: &'a ParentPool<'a>) -> Self {
        let ranked = ranking(pool.fitness);
        let size = ranked.len();
        let fitness: Vec<f64> = ranked.iter().map(|&member| pool.fitness[member]).collect();
        let least = scheme
            .best_share
            .map_or(0.0, |share| least_counted(&fitness, share));
        let none_is_fit = fitness[0] <= least;
        let weight = |(rank, &fitness): (usize, &f64)| match scheme.selection {
            Selection::Rank => (size - rank) as f64,
            _ if none_is_fit => 1.0,
            _ => (fitness - least).max(0.0),
        };
        Self {
            scheme,
            pool,
            wheel: RouletteWheel::new(fitness.iter().enumerate().map(weight)),
            ranked,
        }
    }

    fn parent(&self, rng: &mut Stream) -> usize {
        if self.scheme.selection == Selection::Tournament {
            let size = self.ranked.len();
            let drawn = (0..self.scheme.tournament_size).map(|_| rng.random_range(0..size));
            // The fittest comes first in the ranking.
            return self.ranked[drawn.min().unwrap_or(0)];
        }
        self.ranked[self.wheel.draw(rng)]
    }
}

impl OffspringPlan for GenerationalPlan<'_> {
    fn offspring(&self, place: usize, rng: &mut Stream) -> Offspring {
        let pool = self.pool;
        if place < self.scheme.elites as usize {
            return Offspring::copy(pool, self.ranked[place]);
        }
        let mother = self.parent(rng);
        if !rng.random_bool(self.scheme.crossover) {
            return Offspring::by_mutation(pool, mother, rng);
        }
        let father = self.parent(rng);
        Offspring::by_crossover(pool, [mother, father], rng)
    }
}

/// The baseline of linear scaling: selection weights are the fitness above it, 0 below it, and the fittest member has `share` of
/// their sum (Goldberg 1989, pp. 76-79). If several are equally fit and `share` is too large for them, only these are selected.
/// The baseline is negative if unscaled fitness would give the fittest more. `fitness` must be in descending order, and `share`
/// above 1 / n.
fn least_counted(fitness: &[f64], share: f64) -> f64 {
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
    use crate::evolution::archive::Archive;
    use crate::genomes::{AnyGenome, GenomeConfig, IoSpec};

    /// How often each of four members is selected as a parent.
    fn parents(selection: Selection, fitness: [f64; 4]) -> [usize; 4] {
        let genome = GenomeConfig::named("mlp").expect("it is registered");
        let ports = IoSpec::new(1, 1);
        let random =
            |index| genome.random(&ports, &mut stream(1, Purpose::Initialization, 0, index));
        let members: Vec<AnyGenome> = (0..4).map(random).collect();
        let archive = Archive::default();
        let pool = ParentPool {
            members: &members,
            fitness: &fitness,
            archive: &archive,
            genome: &genome,
            neighborhoods: &[],
            replay: None,
            training_sets: &[],
            ports: &ports,
        };
        let scheme = Generational {
            selection,
            ..Generational::default()
        };
        let plan = GenerationalPlan::new(&scheme, &pool);
        let mut counts = [0; 4];
        for index in 0..4000 {
            counts[plan.parent(&mut stream(2, Purpose::Reproduction, 0, index))] += 1;
        }
        counts
    }

    fn check(selection: Selection, fitness: [f64; 4], shares: [f64; 4]) {
        let counts = parents(selection, fitness);
        for (count, share) in counts.iter().zip(shares) {
            let error = (*count as f64 / 4000.0 - share).abs();
            assert!(error < 0.03, "{selection:?}: {counts:?}");
        }
    }

    /// The selection probability of the fittest member under scaling.
    fn best_share(fitness: &[f64], wanted: f64) -> f64 {
        let least = least_counted(fitness, wanted);
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

    #[test]
    fn each_selection_draws_parents_with_its_probabilities() {
        let fitness = [1.0, 7.0, 2.0, 0.0];
        check(Selection::Proportional, fitness, [0.1, 0.7, 0.2, 0.0]);
        check(Selection::Rank, fitness, [0.2, 0.4, 0.3, 0.1]);
        check(
            Selection::Tournament,
            fitness,
            [0.1875, 0.4375, 0.3125, 0.0625],
        );
        check(Selection::Proportional, [0.0; 4], [0.25; 4]);
    }
}
