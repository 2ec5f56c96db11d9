//! Every random number of a run comes from [`stream`]: each task gets its own generator from its
//! purpose, generation and index, so that results depend on neither thread count nor order.

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

/// A portable generator owned by one task.
pub type Stream = Xoshiro256PlusPlus;

/// The purpose of a stream. The numbers are part of the file format: a saved run must continue
/// identically in later versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Purpose {
    /// The initial population and the initial hall of fame.
    Initialization = 1,
    /// Which players are paired.
    Pairing = 2,
    /// The position a pair starts from.
    Opening = 3,
    /// Moves of randomized players.
    MoveChoice = 4,
    /// Selection and variation for one offspring.
    Reproduction = 5,
    /// The champion against earlier champions.
    Tournament = 6,
    /// Games against reference players, the same for every run.
    HeldOut = 7,
    /// Games that are only shown.
    Sample = 8,
    /// Bootstrap resamples for confidence intervals.
    Bootstrap = 9,
    /// Genomes that may replace members before reproduction.
    Challenger = 10,
    /// Which entries of the hall of fame are replaced.
    HallOfFame = 11,
    /// Random choices of players in games between saved players.
    Chance = 12,
    /// Training sets and the order of their examples.
    Training = 13,
    /// Crossover of pairs that have two offspring at a time.
    PairedCrossover = 14,
    /// What is drawn once for a couple of parents.
    Couple = 15,
    /// The order in which members learn examples before they play, the same for every run.
    Lifetime = 16,
    /// Which member represents its species.
    Species = 17,
    /// The combinations of a sweep.
    Sweep = 18,
    /// Which member a migrant replaces.
    Migration = 19,
    /// Games of a network against itself, from which it learns.
    SelfPlay = 20,
}

/// The generator for one task: the same four numbers give the same stream on every machine.
///
/// The state is filled by chained `SplitMix64` steps (Steele, Lea & Flood 2014), one word absorbed
/// after another.
pub fn stream(seed: u64, purpose: Purpose, generation: u64, index: u64) -> Stream {
    let mut state = 0;
    for word in [seed, purpose as u64, generation, index] {
        state = split_mix(state ^ word);
    }
    let mut bytes = [0; 32];
    for chunk in bytes.chunks_exact_mut(8) {
        state = state.wrapping_add(GOLDEN);
        chunk.copy_from_slice(&split_mix(state).to_le_bytes());
    }
    Stream::from_seed(bytes)
}

/// An arbitrary seed below one million, short enough to retype.
pub fn any_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(std::process::id()) % 1_000_000
}

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

fn split_mix(mut z: u64) -> u64 {
    z = z.wrapping_add(GOLDEN);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;

    #[test]
    fn a_stream_is_the_same_everywhere_and_always() {
        let words: Vec<u64> = {
            let mut rng = stream(42, Purpose::MoveChoice, 7, 3);
            (0..2).map(|_| rng.next_u64()).collect()
        };
        assert_eq!(words, EXPECTED);
    }

    /// Recorded once; a change here would silently break the resuming of saved runs.
    const EXPECTED: [u64; 2] = [13625495160988015969, 7768626968107266053];

    #[test]
    fn each_of_the_four_numbers_matters() {
        let first =
            |seed, purpose, generation, index| stream(seed, purpose, generation, index).next_u64();
        let base = first(1, Purpose::MoveChoice, 2, 3);
        assert_ne!(base, first(2, Purpose::MoveChoice, 2, 3));
        assert_ne!(base, first(1, Purpose::Opening, 2, 3));
        assert_ne!(base, first(1, Purpose::MoveChoice, 3, 3));
        assert_ne!(base, first(1, Purpose::MoveChoice, 2, 4));
    }
}
