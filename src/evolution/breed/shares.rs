//! Breeding by shares: the new population consists of elites, children of earlier champions, children of random members,
//! newcomers, and for the rest children of members drawn by fitness (Kissling 2025, §3.1.4). There is no crossover.

use rand::RngExt;

use crate::params::{Problem, params};
use crate::rng::Stream;

use super::{Breed, Child, Litter, Stock, Wheel, ranking};

params! {
    /// What the new population is made of. Children are varied copies of one parent.
    pub struct Shares {
        /// Members that live on unchanged, the fittest first. Raise it when good champions get lost; it costs variety.
        live elites: u32 = 0, in 0.0..=100000.0, "members";
        /// The chance to be drawn as a parent grows with fitness to this power. Raise it to press harder for fitness; too high, and the population becomes copies of one member.
        live exponent: f64 = 1.0, in 0.0..=100.0;
        /// Share of children of earlier champions. Raise it when wins against earlier champions fall: strategies go in circles.
        live past_share: f64 = 0.0, in 0.0..=1.0, "share";
        /// Share of children of members drawn without regard to fitness. Raise it against a local minimum.
        live random_share: f64 = 0.0, in 0.0..=1.0, "share";
        /// Share of brand-new members. Raise it against a local minimum, or when networks have grown too large.
        live new_share: f64 = 0.0, in 0.0..=1.0, "share";
    }
}

impl Breed for Shares {
    fn litter<'a>(
        &'a self,
        stock: &'a Stock<'a>,
        _seed: u64,
        _generation: u64,
    ) -> Box<dyn Litter + 'a> {
        Box::new(SharesLitter::new(self, stock))
    }

    fn problems(&self, population: usize) -> Vec<Problem> {
        let mut problems = Vec::new();
        if self.elites as usize >= population {
            let message = format!(
                "must be below the population ({population}), is {}",
                self.elites
            );
            problems.push(Problem::new("elites", message));
        }
        let sum = self.past_share + self.random_share + self.new_share;
        if sum > 1.0 + 1e-9 {
            let message =
                format!("together with random_share and new_share must be at most 1, is {sum}");
            problems.push(Problem::new("past_share", message));
        }
        problems
    }
}

/// Where each stretch of the new population ends, and what fit parents are drawn by.
struct SharesLitter<'a> {
    stock: &'a Stock<'a>,
    /// The fittest members, best first, as many as there are elites.
    elites: Vec<usize>,
    past_end: usize,
    random_end: usize,
    new_end: usize,
    /// Draws fit members.
    wheel: Wheel,
}

impl<'a> SharesLitter<'a> {
    fn new(scheme: &Shares, stock: &'a Stock<'a>) -> Self {
        let size = stock.members.len();
        let elites = (scheme.elites as usize).min(size - 1);
        let mut ranked = if elites > 0 {
            ranking(stock.fitness)
        } else {
            Vec::new()
        };
        ranked.truncate(elites);
        let count = |share: f64| (share * size as f64).round() as usize;
        let past = if stock.archive.is_empty() {
            0
        } else {
            count(scheme.past_share)
        };
        let past_end = (ranked.len() + past).min(size);
        let random_end = (past_end + count(scheme.random_share)).min(size);
        let new_end = (random_end + count(scheme.new_share)).min(size);
        Self {
            stock,
            elites: ranked,
            past_end,
            random_end,
            new_end,
            wheel: wheel(stock.fitness, scheme.exponent),
        }
    }
}

/// Draws members by fitness^exponent relative to the fittest; where nobody has any fitness, all weigh the same.
fn wheel(fitness: &[f64], exponent: f64) -> Wheel {
    let best = fitness.iter().copied().fold(0.0, f64::max);
    Wheel::new(fitness.iter().map(|&fitness| {
        if best > 0.0 {
            (fitness.max(0.0) / best).powf(exponent)
        } else {
            1.0
        }
    }))
}

impl Litter for SharesLitter<'_> {
    fn child(&self, place: usize, rng: &mut Stream) -> Child {
        let stock = self.stock;
        if let Some(&elite) = self.elites.get(place) {
            return Child::copy(stock, elite);
        }
        if (self.random_end..self.new_end).contains(&place) {
            return Child::new(stock.genome.random(stock.ports, rng));
        }
        if place < self.past_end {
            let kept = stock.archive.kept();
            let mut genome = kept[rng.random_range(0..kept.len())].genome.clone();
            stock.genome.mutate(&mut genome, None, rng);
            return Child::new(genome);
        }
        let parent = if place < self.random_end {
            rng.random_range(0..stock.members.len())
        } else {
            self.wheel.draw(rng)
        };
        Child::varied(stock, parent, rng)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::evolution::archive::{Archive, Champion};
    use crate::genomes::AnyGenome;
    use crate::genomes::graph::GraphConfig;
    use crate::genomes::{GenomeConfig, Ports};
    use crate::rng::{Purpose, stream};

    static PORTS: LazyLock<Ports> = LazyLock::new(|| Ports::new(1, 1));

    /// How many of 100 children are copies of each of four members, of the archive's one, and of nobody.
    fn origins(scheme: &Shares, fitness: [f64; 4]) -> [usize; 6] {
        let genome = GenomeConfig::Graph(GraphConfig {
            max_mutations: 0,
            ..GraphConfig::default()
        });
        let random = |index| genome.random(&PORTS, &mut stream(1, Purpose::Genesis, 0, index));
        let mut members: Vec<AnyGenome> = Vec::new();
        let mut all_fitness = Vec::new();
        for (index, fitness) in fitness.iter().enumerate() {
            members.extend(std::iter::repeat_n(random(index as u64), 25));
            all_fitness.extend([*fitness; 25]);
        }
        let mut archive = Archive::default();
        archive.add(Champion {
            generation: 0,
            fitness: 1.0,
            genome: random(9),
        });
        let stock = Stock {
            members: &members,
            fitness: &all_fitness,
            archive: &archive,
            neighborhoods: &[],
            recall: None,
            lessons: &[],
            genome: &genome,
            ports: &PORTS,
        };
        let litter = scheme.litter(&stock, 1, 0);
        let mut counts = [0; 6];
        for place in 0..100 {
            let child = litter
                .child(place, &mut stream(2, Purpose::Breeding, 0, place as u64))
                .genome;
            let known = [0, 25, 50, 75]
                .iter()
                .position(|&index| members[index] == child);
            let origin = known.unwrap_or(if child == archive.kept()[0].genome {
                4
            } else {
                5
            });
            counts[origin] += 1;
        }
        counts
    }

    #[test]
    fn each_share_has_its_size() {
        let scheme = Shares {
            elites: 10,
            past_share: 0.2,
            new_share: 0.3,
            ..Shares::default()
        };
        let counts = origins(&scheme, [0.0, 0.0, 5.0, 0.0]);
        assert_eq!(
            counts,
            [0, 0, 50, 0, 20, 30],
            "elites and children of the fit, the past, newcomers"
        );
    }

    #[test]
    fn parents_are_drawn_in_proportion_to_fitness_to_the_exponent() {
        let counts = origins(&Shares::default(), [1.0, 3.0, 0.0, 0.0]);
        assert!(
            counts[2] == 0 && counts[3] == 0 && counts[1] > 60 && counts[0] > 10,
            "{counts:?}"
        );
        let steep = Shares {
            exponent: 8.0,
            ..Shares::default()
        };
        assert!(origins(&steep, [1.0, 3.0, 0.0, 0.0])[1] >= 99);
    }

    #[test]
    fn random_parents_come_without_regard_to_fitness_and_so_do_all_where_nobody_wins() {
        let scheme = Shares {
            random_share: 1.0,
            ..Shares::default()
        };
        for counts in [
            origins(&scheme, [1.0, 0.0, 0.0, 0.0]),
            origins(&Shares::default(), [0.0; 4]),
        ] {
            assert!(counts[..4].iter().all(|&count| count > 10), "{counts:?}");
        }
    }
}
