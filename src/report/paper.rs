//! A publication as data: its tables, figures and statements, the presets that make them again, and what it found. A page with ours
//! beside it is made from the runs of an experiment.

use std::collections::BTreeSet;

use crate::metrics::progress_unit::ProgressUnit;
use crate::preset::{Preset, PresetError};
use crate::storage::presets;

use super::measure::RunFigure;
use super::page::PageBlock;
use super::verdict::{Agreement, Published};

/// A publication.
pub struct Paper {
    /// The word on the command line.
    pub name: &'static str,
    /// Title, authors and year.
    pub citation: &'static str,
    /// What was run, in a sentence or two each.
    pub summary: &'static [&'static str],
    /// Its tables, figures and statements, in its order.
    pub items: Vec<PaperItem>,
    /// Seeds of each preset.
    pub runs: u64,
    /// What is run in its place where time is short.
    pub quick: QuickPlan,
}

/// A shorter experiment.
#[derive(Clone, Copy, Debug)]
pub struct QuickPlan {
    /// Seeds of each preset.
    pub runs: u64,
    /// The most generations of each run.
    pub generations: u64,
    /// Presets that take too long, with generations of their own.
    pub shorter: &'static [(&'static str, u64)],
    /// Parameters that are changed, by their names and values.
    pub settings: &'static [(&'static str, &'static str)],
}

/// A table, a figure or a statement.
pub struct PaperItem {
    /// Its number or its place, such as "Table 2".
    pub number: &'static str,
    /// The section that it is in.
    pub section: &'static str,
    /// What it shows.
    pub about: &'static str,
    /// What we have beside it.
    pub evidence: Vec<Evidence>,
}

/// What stands beside a part of a publication.
pub enum Evidence {
    /// Figures of presets.
    Figures(Vec<Claim>),
    /// Presets of which one is said to be higher.
    Orders(Vec<Order>),
    /// Ranges that are said to be small.
    Ranges(Vec<RangeClaim>),
    /// Curves of presets, one chart for each column: medians and quartiles of the runs.
    Curves(CurveSheet),
    /// The same with a line for each run.
    Runs(CurveSheet),
    /// What needs no runs.
    Computed(fn() -> Computed),
    /// What is not made again, and why.
    Missing(&'static str),
}

/// The result of a computation without runs.
pub struct Computed {
    /// What is shown.
    pub blocks: Vec<PageBlock>,
    /// One for each published figure.
    pub verdicts: Vec<Agreement>,
}

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

/// The statement that runs, or the means of presets, lie close together.
#[derive(Clone, Copy, Debug)]
pub struct RangeClaim {
    /// One preset, whose runs are compared, or several, whose means are.
    pub presets: &'static [&'static str],
    /// What is measured of their runs.
    pub figure: RunFigure,
    /// The largest difference that agrees.
    pub within: f64,
    /// The statement in words.
    pub said: &'static str,
}

/// Curves of presets.
#[derive(Clone, Copy, Debug)]
pub struct CurveSheet {
    /// A line each.
    pub presets: &'static [&'static str],
    /// A chart each.
    pub columns: &'static [&'static str],
    /// The x-axis.
    pub over: ProgressUnit,
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

impl Evidence {
    /// The presets that it needs.
    pub(super) fn presets(&self) -> Vec<&'static str> {
        match self {
            Self::Figures(claims) => claims.iter().map(|claim| claim.preset).collect(),
            Self::Orders(orders) => orders
                .iter()
                .flat_map(|order| [order.higher, order.lower])
                .collect(),
            Self::Ranges(claims) => claims
                .iter()
                .flat_map(|claim| claim.presets.iter().copied())
                .collect(),
            Self::Curves(sheet) | Self::Runs(sheet) => sheet.presets.to_vec(),
            Self::Computed(_) | Self::Missing(_) => Vec::new(),
        }
    }
}

impl Paper {
    /// The names of the presets that are run, without repetitions, in the order of the publication.
    pub fn preset_names(&self) -> Vec<&'static str> {
        let evidence = self.items.iter().flat_map(|item| &item.evidence);
        let mut known = BTreeSet::new();
        let mut names: Vec<&'static str> = evidence.flat_map(Evidence::presets).collect();
        names.retain(|name| known.insert(*name));
        names
    }

    /// The presets and the number of runs of each. Fails if a preset is not included or not valid.
    pub fn plan(&self, is_quick: bool) -> Result<(Vec<Preset>, u64), PresetError> {
        let load = |name: &str| {
            let mut preset = presets::load(name)?;
            if is_quick {
                let own = self.quick.shorter.iter().find(|(other, _)| *other == name);
                let most = own.map_or(self.quick.generations, |(_, generations)| *generations);
                preset.generations = preset.generations.min(most);
                let changes = self.quick.settings.iter();
                let changes = changes.map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
                preset = preset.with(&changes.collect::<Vec<_>>())?;
            }
            Ok(preset)
        };
        let presets: Result<Vec<Preset>, PresetError> =
            self.preset_names().into_iter().map(load).collect();
        let runs = if is_quick { self.quick.runs } else { self.runs };
        Ok((presets?, runs))
    }
}
