//! Champions of earlier generations, spaced evenly over the run. The archive has a fixed capacity,
//! so that memory and the cost of a generation do not grow with the length of a run.

use serde::{Deserialize, Serialize};

use crate::genomes::AnyGenome;

/// Maximum number of champions; above it every second one is removed.
const CAPACITY: usize = 128;

/// The fittest member of a generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Champion {
    /// The generation it won.
    pub generation: u64,
    /// Its fitness in that generation.
    pub fitness: f64,
    /// What it plays with.
    pub genome: AnyGenome,
}

/// Earlier champions, oldest first: those of all generations divisible by `stride`, and the latest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Archive {
    stride: u64,
    kept: Vec<Champion>,
}

impl Default for Archive {
    fn default() -> Self {
        Self {
            stride: 1,
            kept: Vec::new(),
        }
    }
}

impl Archive {
    /// Adds the champion of a generation; generations must come in ascending order.
    pub fn add(&mut self, champion: Champion) {
        let generation = champion.generation;
        let stride = self.stride;
        if self
            .kept
            .last()
            .is_some_and(|last| last.generation % stride != 0)
        {
            self.kept.pop();
        }
        self.kept.push(champion);
        if self.kept.len() > CAPACITY {
            self.stride = self.stride.saturating_mul(2);
            self.kept
                .retain(|kept| kept.generation % self.stride == 0 || kept.generation == generation);
        }
    }

    /// What no archive can be, if anything: a clause for an error message.
    pub fn problem(&self) -> Option<&'static str> {
        if !self.stride.is_power_of_two() {
            return Some("the stride must be a power of two");
        }
        if self.kept.len() > CAPACITY {
            return Some("it has too many champions");
        }
        let generations = self.kept.iter().map(|kept| kept.generation);
        let is_ascending = generations.is_sorted_by(|one, next| one < next);
        (!is_ascending).then_some("the generations must ascend")
    }

    /// The number of champions kept.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether there was no generation yet.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// The champions, oldest first.
    pub fn champions(&self) -> &[Champion] {
        &self.kept
    }

    /// Whether the champion of this generation is kept.
    pub fn has(&self, generation: u64) -> bool {
        let found = (self.kept).binary_search_by_key(&generation, |kept| kept.generation);
        found.is_ok()
    }

    /// The indices of `count` champions spaced evenly from the oldest to the latest; all of them if
    /// there are fewer.
    pub fn evenly_spaced(&self, count: usize) -> Vec<usize> {
        let last = self.len().saturating_sub(1);
        match count {
            _ if count >= self.len() => (0..self.len()).collect(),
            0 => Vec::new(),
            1 => vec![last],
            _ => (0..count).map(|index| index * last / (count - 1)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::genomes::{GenomeConfig, IoSpec};
    use crate::rng::{Purpose, stream};

    fn filled(generations: u64) -> Archive {
        let io_spec = IoSpec::new(1, 1);
        let genome =
            GenomeConfig::all()[0].random(&io_spec, &mut stream(0, Purpose::Initialization, 0, 0));
        let mut archive = Archive::default();
        for generation in 0..generations {
            archive.add(Champion {
                generation,
                fitness: 0.0,
                genome: genome.clone(),
            });
        }
        archive
    }

    #[test]
    fn champions_stay_bounded_evenly_spread_and_up_to_date() {
        for generations in [1, 5, CAPACITY as u64, 129, 1000, 33_333] {
            let archive = filled(generations);
            assert!(archive.len() <= CAPACITY);
            let kept: Vec<u64> = archive
                .champions()
                .iter()
                .map(|kept| kept.generation)
                .collect();
            assert_eq!(
                (kept[0], *kept.last().expect("one is kept")),
                (0, generations - 1)
            );
            let gaps: Vec<u64> = kept.windows(2).map(|pair| pair[1] - pair[0]).collect();
            assert!(
                gaps.iter().rev().skip(1).all(|&gap| gap == archive.stride),
                "{generations}: {gaps:?}"
            );
            assert!(archive.len() * 3 > CAPACITY.min(generations as usize));
        }
    }

    #[test]
    fn a_spread_reaches_from_the_oldest_to_the_latest() {
        let archive = filled(100);
        assert_eq!(archive.evenly_spaced(3), [0, 49, 99]);
        assert_eq!(archive.evenly_spaced(1), [99]);
        assert_eq!(archive.evenly_spaced(0), [0; 0]);
        assert_eq!(archive.evenly_spaced(200).len(), 100);
    }
}
