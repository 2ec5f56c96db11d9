//! What a publication says of its figures, as data that a page compares with ours.

use super::measure::RunFigure;
use super::verdict::Published;

/// A published figure of a preset.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// The preset.
    pub preset: &'static str,
    /// What is measured of its runs.
    pub figure: RunFigure,
    /// What is published.
    pub published: Published,
    /// The same in words.
    pub said: &'static str,
}

/// The statement that one preset is higher than another.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    /// The preset that is said to be higher.
    pub higher: &'static str,
    /// The other one.
    pub lower: &'static str,
    /// What is measured of their runs.
    pub figure: RunFigure,
    /// The statement in words.
    pub said: &'static str,
}

/// A stated ratio of the means of two presets.
#[derive(Clone, Copy, Debug)]
pub struct RatioClaim {
    /// The two presets.
    pub presets: [&'static str; 2],
    /// What is measured of their runs.
    pub figure: RunFigure,
    /// The published ratio of the first to the second.
    pub published: Published,
    /// The statement in words.
    pub said: &'static str,
}

/// The statement that runs, or the means of presets, lie close together.
#[derive(Clone, Copy, Debug)]
pub struct RangeClaim {
    /// What is compared.
    pub of: RangeOf,
    /// What is measured of their runs.
    pub figure: RunFigure,
    /// The largest difference that agrees.
    pub within: f64,
    /// The statement in words.
    pub said: &'static str,
}

/// The statement that a preset is among the highest of several in each generation.
#[derive(Clone, Copy, Debug)]
pub struct RankClaim {
    /// The preset.
    pub preset: &'static str,
    /// Those that it is compared with.
    pub others: &'static [&'static str],
    /// What they are ranked by, from the highest.
    pub column: &'static str,
    /// The last rank that agrees.
    pub within: usize,
    /// The statement in words.
    pub said: &'static str,
}

/// What a range is of.
#[derive(Clone, Copy, Debug)]
pub enum RangeOf {
    /// The runs of a preset: of as many as the publication has.
    Runs(&'static str, usize),
    /// The means of presets.
    Means(&'static [&'static str]),
}

impl Claim {
    /// A claim, in the order in which it is told.
    pub(super) const fn new(
        preset: &'static str,
        figure: RunFigure,
        published: Published,
        said: &'static str,
    ) -> Self {
        Self {
            preset,
            figure,
            published,
            said,
        }
    }
}

impl Order {
    /// The statement that the first preset is higher than the second.
    pub(super) const fn new(
        [higher, lower]: [&'static str; 2],
        figure: RunFigure,
        said: &'static str,
    ) -> Self {
        Self {
            higher,
            lower,
            figure,
            said,
        }
    }
}

impl RankClaim {
    /// The preset, then the others.
    pub(super) fn presets(&self) -> impl Iterator<Item = &'static str> {
        [self.preset].into_iter().chain(self.others.iter().copied())
    }
}

impl RangeOf {
    /// The presets that it needs.
    pub(super) fn presets(self) -> Vec<&'static str> {
        match self {
            Self::Runs(preset, _) => vec![preset],
            Self::Means(presets) => presets.to_vec(),
        }
    }
}
