//! A publication as data: its tables, figures and statements, the presets that make them again, and
//! what it found. A page with ours beside it is made from the runs of an experiment.

use std::collections::BTreeSet;

use finches_engine::metrics::progress_unit::ProgressUnit;
use finches_engine::preset::{Preset, PresetError};
use finches_runs::storage::experiments::{ExperimentFolder, table};
use finches_runs::storage::{StorageError, presets};

use super::claims::{Claim, Order, RangeClaim, RankClaim, RatioClaim};
use super::measure::{NamedValue, RunFigure};
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
    /// Presets with some parameters changed, under names of their own.
    pub variants: &'static [Variant],
    /// What the presets do not reach, with what was tried and what comes nearest.
    pub shortfalls: &'static [(&'static str, &'static str)],
    /// Seeds of each preset.
    pub runs: u64,
    /// The rows of a run that are written: those of every so many generations, and that of the last
    /// one. The quick version has all.
    pub rows_every: u64,
    /// What is run in its place where time is short.
    pub quick: QuickPlan,
}

/// A preset with some parameters changed.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// Its own name.
    pub name: &'static str,
    /// The preset.
    pub preset: &'static str,
    /// The parameters and their values.
    pub settings: &'static [(&'static str, &'static str)],
}

/// A shorter experiment. Variants are left out.
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
    /// Stated ratios of two presets.
    Ratios(Vec<RatioClaim>),
    /// Ranges that are said to be small.
    Ranges(Vec<RangeClaim>),
    /// Presets that are said to be among the highest.
    Ranks(Vec<RankClaim>),
    /// Curves of presets, one chart for each column: medians and quartiles of the runs.
    Curves(CurveSheet),
    /// The same with a line for each run.
    Runs(CurveSheet),
    /// How often a column has which value, in bars: a chart for each preset.
    Shares(ValueGroups),
    /// The values of a column in boxes, by the value of another: a chart for each preset.
    Boxes(&'static str, ValueGroups),
    /// 2-D histograms of a column over the runs: a chart for each preset.
    Histograms(CurveSheet),
    /// Games between the last populations of presets, run by run.
    Populations(PopulationMatches),
    /// Games of the last population of each run against the one that was kept before it.
    LaterPopulations(&'static [&'static str]),
    /// Games of the last champion against earlier ones, in the first run of each preset: the number
    /// against each.
    Ancestors(&'static [&'static str], u32),
    /// The last champions in positions of a board.
    Judged(JudgedBoard),
    /// Games and seconds of the runs of presets.
    Times(Vec<&'static str>),
    /// What needs no runs. The quick version may do with less.
    Computed(fn(is_quick: bool) -> Computed),
    /// What is not made again, and why.
    Missing(&'static str),
}

/// What is shown beside a part of a publication.
#[derive(Default)]
pub struct Computed {
    /// What is shown.
    pub blocks: Vec<PageBlock>,
    /// One for each published figure.
    pub verdicts: Vec<Agreement>,
}

/// Presets whose runs have a column with few values.
#[derive(Clone, Copy, Debug)]
pub struct ValueGroups {
    /// A chart each.
    pub presets: &'static [&'static str],
    /// The column.
    pub column: &'static str,
    /// Its values, with their names.
    pub names: &'static [NamedValue],
}

/// Presets whose last populations play each other.
#[derive(Clone, Copy, Debug)]
pub struct PopulationMatches {
    /// The presets.
    pub presets: &'static [&'static str],
    /// The pairs of which the first is said to be stronger, and the statement in words.
    pub stronger: &'static [([&'static str; 2], &'static str)],
}

/// A board whose positions champions are judged in.
#[derive(Clone, Copy, Debug)]
pub struct JudgedBoard {
    /// The presets whose champions are judged.
    pub presets: &'static [&'static str],
    /// Parameters of the rules that are changed, by their names and values.
    pub changes: &'static [(&'static str, &'static str)],
    /// The most positions.
    pub positions: u32,
    /// What board it is, in words.
    pub about: &'static str,
}

impl JudgedBoard {
    /// The parameters that are changed, as texts of their own.
    pub(super) fn parameters(&self) -> Vec<(String, String)> {
        owned(self.changes)
    }
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

impl Variant {
    /// A preset with these parameters changed, under a name of its own.
    pub(super) const fn new(
        name: &'static str,
        preset: &'static str,
        settings: &'static [(&'static str, &'static str)],
    ) -> Self {
        Self {
            name,
            preset,
            settings,
        }
    }

    /// What it is.
    fn about(&self) -> String {
        let settings = self.settings.iter();
        let settings = settings.map(|(key, value)| format!("{key}={value}"));
        let settings: Vec<String> = settings.collect();
        format!("`{}` with {}", self.preset, settings.join(" and "))
    }
}

impl PaperItem {
    /// What is not made again, and why.
    pub(super) fn not_made(
        number: &'static str,
        section: &'static str,
        about: &'static str,
        why: &'static str,
    ) -> Self {
        Self {
            number,
            section,
            about,
            evidence: vec![Evidence::Missing(why)],
        }
    }
}

impl Evidence {
    /// Figures for which the publication has none.
    pub(super) fn unpublished(
        presets: &[&'static str],
        figures: &[RunFigure],
        said: &'static str,
    ) -> Self {
        let claim = |preset| {
            let figures = figures.iter();
            figures.map(move |figure| Claim::new(preset, *figure, Published::Nothing, said))
        };
        Self::Figures(presets.iter().copied().flat_map(claim).collect())
    }

    /// The presets that it needs.
    pub(super) fn presets(&self) -> Vec<&'static str> {
        match self {
            Self::Figures(claims) => claims.iter().map(|claim| claim.preset).collect(),
            Self::Orders(orders) => orders
                .iter()
                .flat_map(|order| [order.higher, order.lower])
                .collect(),
            Self::Ratios(claims) => claims.iter().flat_map(|claim| claim.presets).collect(),
            Self::Ranges(claims) => claims.iter().flat_map(|claim| claim.of.presets()).collect(),
            Self::Ranks(claims) => claims.iter().flat_map(RankClaim::presets).collect(),
            Self::Curves(sheet) | Self::Runs(sheet) | Self::Histograms(sheet) => {
                sheet.presets.to_vec()
            }
            Self::Shares(groups) | Self::Boxes(_, groups) => groups.presets.to_vec(),
            Self::Populations(matches) => matches.presets.to_vec(),
            Self::Judged(board) => board.presets.to_vec(),
            Self::LaterPopulations(presets) | Self::Ancestors(presets, _) => presets.to_vec(),
            Self::Times(presets) => presets.clone(),
            Self::Computed(_) | Self::Missing(_) => Vec::new(),
        }
    }

    /// The columns that a part needs, each with its preset.
    fn columns(&self) -> Vec<(&'static str, &'static str)> {
        let sheet = |sheet: &CurveSheet| {
            let presets = sheet.presets.iter();
            let columns = sheet.columns.iter().copied().chain([sheet.over.column()]);
            let pairs = presets.flat_map(|preset| columns.clone().map(|one| (*preset, one)));
            pairs.collect()
        };
        let each = |presets: &[&'static str], column: &'static str| -> Vec<(&str, &str)> {
            presets.iter().map(|preset| (*preset, column)).collect()
        };
        let figure = |presets: &[&'static str], figure: RunFigure| {
            let columns = figure.columns().into_iter();
            let pairs: Vec<(&str, &str)> =
                columns.flat_map(|column| each(presets, column)).collect();
            pairs
        };
        match self {
            Self::Figures(claims) => claims
                .iter()
                .flat_map(|claim| figure(&[claim.preset], claim.figure))
                .collect(),
            Self::Orders(orders) => orders
                .iter()
                .flat_map(|order| figure(&[order.higher, order.lower], order.figure))
                .collect(),
            Self::Ratios(claims) => claims
                .iter()
                .flat_map(|claim| figure(&claim.presets, claim.figure))
                .collect(),
            Self::Ranges(claims) => claims
                .iter()
                .flat_map(|claim| figure(&claim.of.presets(), claim.figure))
                .collect(),
            Self::Ranks(claims) => claims
                .iter()
                .flat_map(|claim| claim.presets().map(|preset| (preset, claim.column)))
                .collect(),
            Self::Curves(curves) | Self::Runs(curves) | Self::Histograms(curves) => sheet(curves),
            Self::Shares(groups) => each(groups.presets, groups.column),
            Self::Boxes(column, groups) => [
                each(groups.presets, column),
                each(groups.presets, groups.column),
            ]
            .concat(),
            Self::Times(presets) => each(presets, "games"),
            _ => Vec::new(),
        }
    }

    /// Whether it lets the players of runs play.
    pub(super) fn needs_players(&self) -> bool {
        matches!(
            self,
            Self::Populations(_)
                | Self::LaterPopulations(_)
                | Self::Ancestors(..)
                | Self::Judged(_)
        )
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

    /// The variant of this name.
    pub(super) fn variant(&self, name: &str) -> Option<&'static Variant> {
        self.variants.iter().find(|variant| variant.name == name)
    }

    /// Whether the players of its runs are kept.
    pub fn keeps_players(&self) -> bool {
        let mut evidence = self.items.iter().flat_map(|item| &item.evidence);
        evidence.any(Evidence::needs_players)
    }

    /// The rows of a run that are written: those of every so many generations.
    pub fn rows_every(&self, is_quick: bool) -> u64 {
        if is_quick { 1 } else { self.rows_every }
    }

    /// The finished runs in a folder as one table, of which its page can be made again.
    pub fn table(&self, folder: &ExperimentFolder) -> Result<String, StorageError> {
        let evidence = self.items.iter().flat_map(|item| &item.evidence);
        let needed: BTreeSet<_> = evidence.flat_map(Evidence::columns).collect();
        let names: BTreeSet<&str> = needed.iter().map(|(_, column)| *column).collect();
        let others = names.into_iter().filter(|name| *name != "generation");
        let columns: Vec<&str> = ["generation"].into_iter().chain(others).collect();
        table::text(folder, &columns, |preset, column| {
            let mut needed = needed.iter();
            needed.any(|known| *known == (preset, column))
        })
    }

    /// The presets and the number of runs of each. Fails if a preset is not included or not valid.
    pub fn plan(&self, is_quick: bool) -> Result<(Vec<Preset>, u64), PresetError> {
        let load = |name: &str| {
            let variant = self.variant(name);
            let mut preset = presets::load(variant.map_or(name, |variant| variant.preset))?;
            if let Some(variant) = variant {
                preset = preset.with(&owned(variant.settings))?;
                name.clone_into(&mut preset.name);
                // What the preset says of itself need not be true of its variant.
                preset.about = variant.about();
                preset.differs.clear();
                preset.settled.clear();
            }
            if is_quick {
                let own = self.quick.shorter.iter().find(|(other, _)| *other == name);
                let most = own.map_or(self.quick.generations, |(_, generations)| *generations);
                preset.generations = preset.generations.min(most);
                preset = preset.with(&owned(self.quick.settings))?;
            }
            Ok(preset)
        };
        let names = self.preset_names().into_iter();
        let names = names.filter(|name| !is_quick || self.variant(name).is_none());
        let presets: Result<Vec<Preset>, PresetError> = names.map(load).collect();
        let runs = if is_quick { self.quick.runs } else { self.runs };
        Ok((presets?, runs))
    }
}

/// Keys and values as texts of their own.
fn owned(settings: &[(&str, &str)]) -> Vec<(String, String)> {
    let settings = settings.iter();
    settings
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::columns;
    use crate::report::papers;

    #[test]
    fn runs_have_every_column_that_a_page_shows() {
        for paper in papers::all() {
            for is_quick in [false, true] {
                let (presets, _) = paper.plan(is_quick).expect("its presets are valid");
                for preset in presets {
                    let known = columns(&preset).expect("it is valid");
                    let evidence = paper.items.iter().flat_map(|item| &item.evidence);
                    for (name, column) in evidence.flat_map(Evidence::columns) {
                        let is_known = name != preset.name || known.place(column).is_some();
                        assert!(is_known, "{}: {name} has no {column}", paper.name);
                    }
                }
            }
        }
    }
}
