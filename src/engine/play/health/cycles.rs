//! Cycles among players: three that beat each other in a circle, and whether there are more or
//! clearer ones than chance explains.

use rand::RngExt;

use crate::contest::Tally;
use crate::metrics::stats::ratings::{PairScore, bradley_terry};
use crate::rng::{Purpose, Stream, stream};

use super::cross_table::CrossTable;

/// Simulated round robins behind a p-value.
const SIMULATIONS: u32 = 999;

/// The cycles of a round robin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cycles {
    /// Triples in which each pair has a winner.
    pub triples: usize,
    /// The triples among them in which no player beats both others.
    pub cyclic: usize,
    /// The clearest cycle: each beats the next, the last beats the first.
    pub clearest: Option<[usize; 3]>,
}

impl Cycles {
    /// Counts the cycles of a round robin.
    pub fn of(table: &CrossTable) -> Self {
        let (mut found, mut most) = (Self::default(), 0.0);
        let leads = |one: usize, other: usize| table.lead(one, other);
        for_each_triple(table.len(), &leads, |triple @ [a, b, c], leads| {
            found.triples += usize::from(!leads.contains(&0.0));
            let cycle = strength(leads);
            let clearness = cycle.forward + cycle.backward;
            found.cyclic += usize::from(clearness > 0.0);
            if clearness > most {
                most = clearness;
                let back = [a, c, b];
                found.clearest = Some(if cycle.forward > 0.0 { back } else { triple });
            }
        });
        found
    }
}

/// The cycles of a round robin between players ordered by age, with a test against the hypothesis
/// that strength is a single number.
///
/// The strength of a cycle is its smallest lead. Under the hypothesis, the model of Bradley & Terry
/// (1952) fitted to the same games gives the probability that a decided game is won. Simulated
/// round robins with as many decided games per pair then show how strong the cycles of chance are
/// (a parametric bootstrap: Davison & Hinkley 1997, section 4.2.3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CycleTest {
    /// The cycles as counted.
    pub counted: Cycles,
    /// The p-value of cycles in which the second oldest beats the oldest, the newest the second
    /// oldest, and the oldest the newest.
    pub forward: f64,
    /// The p-value of cycles in the other direction: older players beat the next newer one, the
    /// newest beats the oldest.
    pub backward: f64,
}

/// The summed strength of cycles by direction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct CycleStrength {
    forward: f64,
    backward: f64,
}

impl CycleTest {
    /// Of a round robin. `seed` determines the simulated ones.
    pub fn of(table: &CrossTable, seed: u64) -> Self {
        let leads = |one: usize, other: usize| table.lead(one, other);
        let [forward, backward] = chances(table, sum(table.len(), &leads), seed);
        Self {
            counted: Cycles::of(table),
            forward,
            backward,
        }
    }
}

/// The number of cycles that each player is part of.
pub fn cycles_of_each(table: &CrossTable) -> Vec<usize> {
    let mut counts = vec![0; table.len()];
    let leads = |one: usize, other: usize| table.lead(one, other);
    for_each_triple(table.len(), &leads, |triple, leads| {
        let cycle = strength(leads);
        if cycle.forward + cycle.backward > 0.0 {
            for player in triple {
                counts[player] += 1;
            }
        }
    });
    counts
}

/// Calls `each` with the indices of each triple, in ascending order, and the leads of the first
/// over the second, of the second over the third and of the third over the first.
fn for_each_triple(
    players: usize,
    leads: &impl Fn(usize, usize) -> f64,
    mut each: impl FnMut([usize; 3], [f64; 3]),
) {
    for a in 0..players {
        for b in a + 1..players {
            for c in b + 1..players {
                each([a, b, c], [leads(a, b), leads(b, c), leads(c, a)]);
            }
        }
    }
}

/// The strength of a cycle by its direction; 0 if the three leads make none.
fn strength(leads: [f64; 3]) -> CycleStrength {
    let least = |sign: f64| {
        leads
            .iter()
            .fold(1.0_f64, |least, lead| least.min(sign * lead))
    };
    CycleStrength {
        forward: least(-1.0).max(0.0),
        backward: least(1.0).max(0.0),
    }
}

fn sum(players: usize, leads: &impl Fn(usize, usize) -> f64) -> CycleStrength {
    let mut sum = CycleStrength::default();
    for_each_triple(players, leads, |_, leads| {
        let cycle = strength(leads);
        sum.forward += cycle.forward;
        sum.backward += cycle.backward;
    });
    sum
}

/// The p-values of the observed strengths.
fn chances(table: &CrossTable, observed: CycleStrength, seed: u64) -> [f64; 2] {
    let draws = pair_draws(table);
    let mut reached = [0_u32; 2];
    let mut simulated = vec![0.0; table.len() * table.len()];
    for simulation in 0..SIMULATIONS {
        let mut rng = stream(seed, Purpose::Bootstrap, 0, simulation.into());
        for pair in &draws {
            let lead = pair.lead(&mut rng);
            let [one, other] = pair.players;
            simulated[one * table.len() + other] = lead;
            simulated[other * table.len() + one] = -lead;
        }
        let cycles = sum(table.len(), &|one, other| {
            simulated[one * table.len() + other]
        });
        reached[0] += u32::from(cycles.forward >= observed.forward);
        reached[1] += u32::from(cycles.backward >= observed.backward);
    }
    reached.map(|reached| f64::from(reached + 1) / f64::from(SIMULATIONS + 1))
}

/// The simulated results of a pair.
struct PairDraw {
    players: [usize; 2],
    games: f64,
    /// The probability of at most so many wins of the first player among the decided games.
    cumulative: Vec<f64>,
}

impl PairDraw {
    /// A lead of the first player, drawn at random.
    fn lead(&self, rng: &mut Stream) -> f64 {
        let dice: f64 = rng.random();
        let decided = self.cumulative.len() - 1;
        let wins = self
            .cumulative
            .partition_point(|below| *below < dice)
            .min(decided);
        // The same bits as those of a table with these results, so that equal strengths count as
        // equal.
        (wins as f64 - (decided - wins) as f64) / self.games
    }
}

fn pair_draws(table: &CrossTable) -> Vec<PairDraw> {
    let decided = |tally: Tally| [tally.wins as f64, tally.losses as f64];
    let score = |players: [usize; 2]| PairScore {
        players,
        points: decided(table.results(players[0], players[1])),
    };
    let scores: Vec<PairScore> = table.pairs().map(score).collect();
    let elo = bradley_terry(table.len(), &scores).elo;
    let draw = |score: &PairScore| {
        let [one, other] = score.players;
        let chance = 1.0 / (1.0 + libm::pow(10.0, (elo[other] - elo[one]) / 400.0));
        let tally = table.results(one, other);
        PairDraw {
            players: score.players,
            games: tally.games().max(1) as f64,
            cumulative: cumulative_binomial(tally.wins + tally.losses, chance),
        }
    };
    scores.iter().map(draw).collect()
}

/// The probabilities of at most 0 to `trials` successes.
fn cumulative_binomial(trials: u64, chance: f64) -> Vec<f64> {
    let chance = chance.clamp(1e-12, 1.0 - 1e-12);
    let count = trials as f64;
    let log_chance = |successes: u64| {
        let (yes, no) = (successes as f64, (trials - successes) as f64);
        let ways = libm::lgamma(count + 1.0) - libm::lgamma(yes + 1.0) - libm::lgamma(no + 1.0);
        ways + yes * libm::log(chance) + no * libm::log(1.0 - chance)
    };
    let mut sum = 0.0;
    (0..=trials)
        .map(|successes| {
            sum += libm::exp(log_chance(successes));
            sum
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::round_robin::PairTally;

    fn table(players: usize, wins: &[([usize; 2], u64)]) -> CrossTable {
        let pair = |&(players, wins)| PairTally {
            players,
            tally: Tally {
                wins,
                draws: 0,
                losses: 40 - wins,
            },
        };
        CrossTable::new(players, &wins.iter().map(pair).collect::<Vec<_>>())
    }

    #[test]
    fn a_clear_cycle_is_found_with_its_direction() {
        let backward = CycleTest::of(&table(3, &[([0, 1], 36), ([1, 2], 34), ([0, 2], 5)]), 1);
        assert_eq!((backward.counted.triples, backward.counted.cyclic), (1, 1));
        assert_eq!(backward.counted.clearest, Some([0, 1, 2]));
        assert!(
            backward.backward < 0.005 && backward.forward > 0.99,
            "{backward:?}"
        );
        let forward = CycleTest::of(&table(3, &[([0, 1], 4), ([1, 2], 6), ([0, 2], 35)]), 1);
        assert_eq!(forward.counted.clearest, Some([0, 2, 1]));
        let pairs = [
            ([0, 1], 36),
            ([1, 2], 34),
            ([0, 2], 5),
            ([0, 3], 40),
            ([1, 3], 40),
            ([2, 3], 40),
        ];
        assert_eq!(cycles_of_each(&table(4, &pairs)), [1, 1, 1, 0]);
        assert!(
            forward.forward < 0.005 && forward.backward > 0.99,
            "{forward:?}"
        );
    }

    #[test]
    fn a_cycle_of_nearly_equal_players_may_be_chance() {
        let found = CycleTest::of(&table(3, &[([0, 1], 21), ([1, 2], 22), ([0, 2], 19)]), 1);
        assert_eq!(found.counted.cyclic, 1);
        assert!(found.backward > 0.05, "{found:?}");
        let order = CycleTest::of(&table(3, &[([0, 1], 30), ([1, 2], 30), ([0, 2], 36)]), 1);
        assert_eq!(
            (order.counted.cyclic, order.forward, order.backward),
            (0, 1.0, 1.0)
        );
    }

    #[test]
    fn binomial_probabilities_are_those_of_coins() {
        let found = cumulative_binomial(2, 0.5);
        let near = found.iter().zip([0.25, 0.75, 1.0]);
        assert!(
            near.into_iter().all(|(a, b)| (a - b).abs() < 1e-12),
            "{found:?}"
        );
        assert_eq!(cumulative_binomial(0, 0.3).len(), 1);
        assert!((cumulative_binomial(10_000, 0.9)[10_000] - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_triple_with_a_tied_pair_is_no_cycle_and_of_several_cycles_the_first_clearest_is_told() {
        let even = Cycles::of(&table(3, &[([0, 1], 20), ([1, 2], 40), ([0, 2], 0)]));
        assert_eq!(even, Cycles::default());
        assert_eq!(Cycles::of(&table(2, &[])), Cycles::default());
        let pairs = [
            ([0, 1], 30),
            ([1, 2], 30),
            ([0, 2], 10),
            ([1, 3], 40),
            ([0, 3], 0),
            ([2, 3], 20),
        ];
        let found = Cycles::of(&table(4, &pairs));
        assert_eq!((found.triples, found.cyclic), (2, 2));
        assert_eq!(found.clearest, Some([0, 1, 2]));
    }
}
