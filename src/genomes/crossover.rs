//! Crossover of two strings of genes as long as each other.

use std::ops::Range;

use rand::RngExt;

use crate::params::choices;
use crate::rng::Stream;

choices! {
    /// How the genes of two parents become a child's.
    pub enum Crossover {
        /// The genes between two places come from the second parent.
        TwoPoint = "two_point",
        /// The genes from one place on come from the second parent.
        OnePoint = "one_point",
        /// Each gene comes from either parent with the same chance.
        Uniform = "uniform",
    }
}

impl Crossover {
    /// The places of the genes that come from the second parent, of so many; `None` where each is drawn by itself.
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
