//! Generational breeding: elites stay, all others are children of selected parents, by crossover and mutation (Holland 1975;
//! Hynek, "Genetic Algorithm Implementation" and "Macromutation Operator").

use rand::RngExt;

use crate::params::{Problem, choices, params};
use crate::rng::{Purpose, Stream, stream};

use super::{Breed, Challenger, Child, Litter, Stock, Wheel, ranking};

choices! {
    /// How parents are selected.
    pub enum Selection {
        /// By chance in proportion to fitness.
        Proportional = "proportional",
        /// By chance in proportion to rank: the least fit member counts 1, the next 2, and so on.
        Rank = "rank",
        /// The fittest of a few drawn at random.
        Tournament = "tournament",
    }
}

params! {
    /// Elites, and children of selected parents.
    pub struct Generational {
        /// How parents are selected.
        live selection: Selection = Selection::Proportional;
        /// How many are drawn where the fittest of a few becomes a parent. Raise it to press harder for fitness.
        live tournament_size: u32 = 2, in 1.0..=1000.0, "members";
        /// Linear scaling for proportional selection: the share of all chances that the fittest member gets, what is too low for any being left out; None for chances in proportion to fitness as it is. Raise it to press harder for fitness, and where all members are nearly as fit.
        live best_share: Option<f64> = None, in 0.0..=1.0;
        /// Chance of a child to have two parents instead of one.
        live crossover: f64 = 0.75, in 0.0..=1.0, "chance";
        /// The fittest members that stay as they are; they are measured anew with the others of the next generation.
        live elites: u32 = 20, in 0.0..=10000.0, "members";
        /// Headless chicken crossover: each elite is crossed with a brand-new genome, and gives way to the child if that is at least as fit. A hill climber that gets over gaps.
        live chicken: bool = false;
    }
}

impl Breed for Generational {
    fn litter<'a>(
        &'a self,
        stock: &'a Stock<'a>,
        _seed: u64,
        _generation: u64,
    ) -> Box<dyn Litter + 'a> {
        Box::new(GenerationalLitter::new(self, stock))
    }

    fn challengers(&self, stock: &Stock<'_>, seed: u64, generation: u64) -> Vec<Challenger> {
        if !self.chicken {
            return Vec::new();
        }
        let ranked = ranking(stock.fitness);
        let elites = ranked.into_iter().take(self.elites as usize);
        elites
            .enumerate()
            .map(|(index, member)| {
                let mut rng = stream(seed, Purpose::Challenge, generation, index as u64);
                let stranger = stock.genome.random(stock.ports, &mut rng);
                let genome = stock
                    .genome
                    .cross(&stock.members[member], &stranger, &mut rng);
                Challenger { member, genome }
            })
            .collect()
    }

    fn problems(&self, population: usize) -> Vec<Problem> {
        let elites = self.elites;
        let message = format!("must be below the population ({population}), is {elites}");
        let too_many = elites as usize >= population;
        let too_many = too_many.then(|| Problem::new("elites", message));
        let small = |share: &f64| share * population as f64 <= 1.0;
        let too_small = self.best_share.filter(small).map(|share| {
            let message = format!(
                "must be above what everyone gets where all get as much (1 / {population}), is {share}"
            );
            Problem::new("best_share", message)
        });
        too_many.into_iter().chain(too_small).collect()
    }
}

struct GenerationalLitter<'a> {
    scheme: &'a Generational,
    stock: &'a Stock<'a>,
    /// Places of the members, the fittest first.
    ranked: Vec<usize>,
    /// Draws by what counts where chance decides, in the order of `ranked`.
    wheel: Wheel,
}

impl<'a> GenerationalLitter<'a> {
    fn new(scheme: &'a Generational, stock: &'a Stock<'a>) -> Self {
        let ranked = ranking(stock.fitness);
        let size = ranked.len();
        let fitness: Vec<f64> = ranked.iter().map(|&member| stock.fitness[member]).collect();
        let least = scheme
            .best_share
            .map_or(0.0, |share| least_counted(&fitness, share));
        let nobody_is_fit = fitness[0] <= least;
        let weight = |(rank, &fitness): (usize, &f64)| match scheme.selection {
            Selection::Rank => (size - rank) as f64,
            _ if nobody_is_fit => 1.0,
            _ => (fitness - least).max(0.0),
        };
        Self {
            scheme,
            stock,
            wheel: Wheel::new(fitness.iter().enumerate().map(weight)),
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

impl Litter for GenerationalLitter<'_> {
    fn child(&self, place: usize, rng: &mut Stream) -> Child {
        let stock = self.stock;
        if place < self.scheme.elites as usize {
            return Child::copy(stock, self.ranked[place]);
        }
        let mother = self.parent(rng);
        if !rng.random_bool(self.scheme.crossover) {
            return Child::varied(stock, mother, rng);
        }
        let father = self.parent(rng);
        Child::crossed(stock, [mother, father], rng)
    }
}

/// The fitness that counts for nothing where what is above it is shared out by linear scaling such that the fittest member gets
/// `share` of it all (Goldberg 1989, pp. 76-79, members that would get less than nothing being left out). Where it can't get so
/// much, because others are as fit, those that are fittest share everything; where it would get more by its fitness as it is, the
/// number is below 0. `fitness` comes in descending order, and the share is more than the mean.
fn least_counted(fitness: &[f64], share: f64) -> f64 {
    let best = fitness[0];
    let equals = fitness.iter().filter(|&&fitness| fitness >= best).count();
    let below = || fitness.get(equals).copied();
    if share * equals as f64 >= 1.0 {
        // Whatever lies between the best and the next.
        return below().unwrap_or(0.0);
    }
    let mut sum: f64 = fitness.iter().sum();
    for counted in (equals..=fitness.len()).rev() {
        // The best less the least is `share` of what all counted have above the least.
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
    use crate::genomes::{AnyGenome, GenomeConfig, Ports};

    /// How often each of four members is a parent.
    fn parents(selection: Selection, fitness: [f64; 4]) -> [usize; 4] {
        let genome = GenomeConfig::named("mlp").expect("it is registered");
        let ports = Ports::new(1, 1);
        let random = |index| genome.random(&ports, &mut stream(1, Purpose::Genesis, 0, index));
        let members: Vec<AnyGenome> = (0..4).map(random).collect();
        let archive = Archive::default();
        let stock = Stock {
            members: &members,
            fitness: &fitness,
            archive: &archive,
            genome: &genome,
            neighborhoods: &[],
            recall: None,
            lessons: &[],
            ports: &ports,
        };
        let scheme = Generational {
            selection,
            ..Generational::default()
        };
        let litter = GenerationalLitter::new(&scheme, &stock);
        let mut counts = [0; 4];
        for index in 0..4000 {
            counts[litter.parent(&mut stream(2, Purpose::Breeding, 0, index))] += 1;
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

    /// What share of the chances the fittest of some members gets by scaling.
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
    fn parents_are_drawn_as_each_way_of_selection_says() {
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
