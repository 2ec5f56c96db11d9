//! Crossover of two gene strings of equal length.

use std::ops::Range;

use rand::RngExt;

use crate::params::choices;
use crate::rng::Stream;

choices! {
    /// How the genes of two parents are combined.
    pub enum GeneCrossover {
        /// The genes between two cut points come from the second parent.
        TwoPoint = "two_point",
        /// The genes after one cut point come from the second parent.
        OnePoint = "one_point",
        /// Each gene comes from either parent with equal probability.
        Uniform = "uniform",
    }
}

impl GeneCrossover {
    /// The range of genes that come from the second parent, out of `length`; `None` if each gene is
    /// drawn separately.
    pub(super) fn cut(self, length: usize, rng: &mut Stream) -> Option<Range<usize>> {
        let mut cut = || rng.random_range(0..=length);
        match self {
            Self::TwoPoint => {
                let cuts = [cut(), cut()];
                Some(cuts[0].min(cuts[1])..cuts[0].max(cuts[1]))
            }
            Self::OnePoint => Some(cut()..length),
            Self::Uniform => None,
        }
    }
}
