//! The sizes of the species of a run. A long run keeps a sample of its generations, so that the
//! memory stays flat.

use serde::{Deserialize, Serialize};

/// The most generations that are kept.
const MOST: usize = 512;

/// The sizes of all species in some generations, evenly spaced from generation 0 on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeciesHistory {
    /// Generations from one sample to the next; 0 if there is none.
    step: u64,
    samples: Vec<SpeciesSizes>,
}

/// The species of a generation, the oldest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeciesSizes {
    /// The generation.
    pub generation: u64,
    /// The number of each species and how many members it has.
    pub sizes: Vec<(u32, u32)>,
}

impl SpeciesHistory {
    /// Adds the species of a generation, which is later than all others.
    pub(super) fn add(&mut self, generation: u64, sizes: Vec<(u32, u32)>) {
        self.step = self.step.max(1);
        if !generation.is_multiple_of(self.step) {
            return;
        }
        if self.samples.len() == MOST {
            self.step *= 2;
            let step = self.step;
            let is_kept = |sample: &SpeciesSizes| sample.generation.is_multiple_of(step);
            self.samples.retain(is_kept);
            if !generation.is_multiple_of(step) {
                return;
            }
        }
        self.samples.push(SpeciesSizes { generation, sizes });
    }

    /// The generations that are kept, in their order.
    pub fn samples(&self) -> &[SpeciesSizes] {
        &self.samples
    }

    /// Whether the samples are such as could have been added.
    pub(super) fn is_valid(&self) -> bool {
        self.samples.len() <= MOST
            && self.samples.is_sorted_by_key(|sample| sample.generation)
            && (self.step > 0 || self.samples.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_keeps_evenly_spaced_generations() {
        let mut history = SpeciesHistory::default();
        for generation in 0..100_000 {
            history.add(generation, vec![(0, 7)]);
            assert!(history.is_valid() && history.samples().len() <= MOST);
        }
        let kept: Vec<u64> = history.samples().iter().map(|one| one.generation).collect();
        assert!(kept.len() > MOST / 2 - 1, "{}", kept.len());
        assert_eq!(kept[0], 0);
        assert!(
            kept.windows(2)
                .all(|pair| pair[1] - pair[0] == history.step)
        );
    }
}
