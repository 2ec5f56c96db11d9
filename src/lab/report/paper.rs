//! A publication as data: its tables, figures and statements, the presets that make them again, and
//! what it found. A page with ours beside it is made from the runs of an experiment.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::path::Path;

use serde::Deserialize;

use crate::experiment::curves::last_of_stretches;
use crate::experiment::plot::Reference;
use finches_engine::metrics::progress_unit::ProgressUnit;
use finches_engine::params::{RonSource, from_ron};
use finches_engine::preset::{Preset, PresetError};
use finches_runs::storage::experiments::{ExperimentFolder, table};
use finches_runs::storage::{StorageError, presets};

use super::claims::{Claim, MatchClaim, Order, RangeClaim, RankClaim, RatioClaim};
use super::fixed_players::FixedPlayers;
use super::measure::{NamedValue, RunFigure};
use super::page::PageBlock;
use super::source::{Name, Names, Prose, at_least_1};
use super::strategies::StrategyCounts;
use super::verdict::Agreement;
use super::words::CHART_STRETCHES;

/// A publication.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// The word on the command line: the name of its file.
    #[serde(skip)]
    pub name: String,
    /// Its authors.
    pub authors: Prose,
    /// Its title.
    pub title: Prose,
    /// Where and when it was published, such as "thesis, 2025".
    pub published: Prose,
    /// What was run, in a sentence or two each.
    pub summary: Vec<Prose>,
    /// Seeds of each preset.
    #[serde(deserialize_with = "at_least_1")]
    pub runs: u64,
    /// The rows of a run that are written: those of every so many generations, and that of the last
    /// one. The quick version has all.
    #[serde(default = "all_rows", deserialize_with = "at_least_1")]
    rows_every: u64,
    /// What is run in its place where time is short.
    pub quick: QuickPlan,
    /// Presets with some parameters changed, under names of their own.
    #[serde(default)]
    pub variants: Vec<Variant>,
    /// Names for several presets, or for the columns of several charts, in whose place they stand.
    #[serde(default)]
    groups: BTreeMap<String, Vec<Name>>,
    /// Its tables, figures and statements, in its order.
    pub items: Vec<PaperItem>,
    /// What the presets do not reach, with what was tried and what comes nearest.
    #[serde(default)]
    pub shortfalls: Vec<(Prose, Prose)>,
    /// What presets quote as published: the presets, the place, and the words.
    #[serde(default)]
    pub quotes: Vec<(Names, Prose, Prose)>,
    /// What presets say in `differs` and `settled`, each line once: the place in the publication
    /// that says it or leaves it open, and the words.
    #[serde(default)]
    pub readings: Vec<(Prose, Prose)>,
    /// The files of presets that are named by their paths, by their names.
    #[serde(skip)]
    files: BTreeMap<String, String>,
}

/// The rows of a run that are written where the file does not say.
fn all_rows() -> u64 {
    1
}

/// A preset with some parameters changed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// Its own name.
    pub name: Name,
    /// The preset.
    pub preset: Name,
    /// The parameters and their values.
    pub settings: Vec<(String, String)>,
}

/// A shorter experiment. Variants are left out.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuickPlan {
    /// Seeds of each preset.
    #[serde(deserialize_with = "at_least_1")]
    pub runs: u64,
    /// The most generations of each run.
    #[serde(deserialize_with = "at_least_1")]
    pub generations: u64,
    /// Presets that take too long, or so little that they are run whole, with generations of their
    /// own.
    #[serde(default)]
    pub shorter: Vec<(Name, u64)>,
    /// Parameters that are changed, by their names and values.
    #[serde(default)]
    pub settings: Vec<(String, String)>,
}

/// A table, a figure or a statement.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaperItem {
    /// Its number or its place, such as "Table 2".
    pub number: Prose,
    /// The section that it is in.
    pub section: Prose,
    /// What it shows.
    pub about: Prose,
    /// What we have beside it.
    pub evidence: Vec<Evidence>,
}

/// The statement that the last champions of runs are better than earlier ones, or the first ones
/// better than they.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AncestorClaim {
    /// The presets.
    pub presets: Names,
    /// How their games are counted.
    pub reading: AncestorReading,
    /// The statement in words.
    pub said: Prose,
}

/// How the games of a last champion against earlier ones are counted.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AncestorReading {
    /// The share of the points of the last one.
    Points,
    /// The share of the games that it does not lose.
    NotLost,
    /// The share of the points of the first one against it.
    First,
}

/// What stands beside a part of a publication.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
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
    Boxes {
        /// The column.
        column: Name,
        /// The other.
        by: ValueGroups,
    },
    /// 2-D histograms of a column over the runs: a chart for each preset.
    Histograms(CurveSheet),
    /// Games between the last populations of presets, run by run.
    Populations(PopulationMatches),
    /// Games of the last population of each run against the one that was kept before it.
    LaterPopulations {
        /// The presets.
        presets: Names,
    },
    /// Games of the last champion of each run against earlier ones.
    Ancestors {
        /// The presets. Their first runs are drawn.
        presets: Names,
        /// The number of games against each.
        games: u32,
        /// What is said of them.
        #[serde(default)]
        claims: Vec<AncestorClaim>,
    },
    /// The last champions in positions of a board.
    Judged(JudgedBoard),
    /// Games and seconds of the runs of presets.
    Times {
        /// The presets.
        presets: Names,
    },
    /// What simple players win on the boards of presets, which needs no runs.
    Baselines {
        /// The presets.
        presets: Names,
        /// The most positions of a board that are judged.
        positions: u32,
    },
    /// Games between players that do not evolve, which need no runs.
    FixedPlayers(FixedPlayers),
    /// Numbers of strategies for one heap, which need no runs.
    Strategies(StrategyCounts),
    /// What is not made again, and why.
    Missing(Prose),
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
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValueGroups {
    /// A chart each.
    pub presets: Names,
    /// The column.
    pub column: Name,
    /// Its values, with their names.
    pub names: Vec<NamedValue>,
}

/// Presets whose last populations play each other.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PopulationMatches {
    /// The presets.
    pub presets: Names,
    /// Those that are said to be stronger.
    pub claims: Vec<MatchClaim>,
}

/// A board whose positions champions are judged in.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgedBoard {
    /// The presets whose champions are judged.
    pub presets: Names,
    /// Parameters of the rules that are changed, by their names and values.
    pub changes: Vec<(String, String)>,
    /// The most positions.
    pub positions: u32,
    /// What board it is, in words.
    pub about: Prose,
}

/// Curves of presets.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CurveSheet {
    /// A line each.
    pub presets: Names,
    /// A chart each.
    pub columns: Names,
    /// The x-axis.
    #[serde(default)]
    pub over: ProgressUnit,
}

/// A column that the page needs of a preset's runs.
pub(super) struct Need<'a> {
    /// The preset.
    pub(super) preset: &'a Name,
    /// The column.
    pub(super) column: &'a str,
    /// What names it: the column, or the preset if every run of it has the column.
    pub(super) named_by: &'a Name,
    /// The generations of which it needs it.
    points: NeededPoints<'a>,
}

/// The points of a column that something on a page is made from.
#[derive(Clone, Copy)]
enum NeededPoints<'a> {
    All,
    /// Those of a chart over generations.
    Chart,
    Figure(&'a RunFigure),
}

impl NeededPoints<'_> {
    /// Which of the points of a run of at most so many generations they are.
    fn among(self, series: &[(f64, f64)], generations: u64) -> Vec<bool> {
        match self {
            Self::All => vec![true; series.len()],
            Self::Chart => last_of_stretches(series, generations, CHART_STRETCHES),
            Self::Figure(figure) => figure.points_needed(series),
        }
    }
}

impl PaperItem {
    /// What is published of a column of presets, where it is a value of it.
    pub(super) fn published(&self, column: &str, presets: &[Name]) -> Vec<Reference> {
        let claims = self.evidence.iter().filter_map(|evidence| match evidence {
            Evidence::Figures(claims) => Some(claims),
            _ => None,
        });
        let is_here = |name: &Name| presets.iter().any(|known| **known == **name);
        let is_here = |claim: &&Claim| claim.presets.iter().any(is_here);
        let reference = |claim: &Claim| {
            let is_of_it = |known: &&RunFigure| known.is_value() && **known.column() == *column;
            let figure = claim.figure.iter().find(is_of_it)?;
            let name = format!("published {}", claim.published.words(figure.style())?);
            let (low, high) = claim.published.range()?;
            // A bound without another end is a line.
            let low = if low.is_finite() { low } else { high };
            Some((name, [low, if high.is_finite() { high } else { low }]))
        };
        let claims = claims.flatten().filter(is_here);
        let mut all: Vec<Reference> = claims.filter_map(reference).collect();
        all.dedup();
        all
    }
}

impl Variant {
    /// What it is.
    fn about(&self) -> String {
        let settings = self.settings.iter();
        let settings = settings.map(|(key, value)| format!("{key}={value}"));
        let settings: Vec<String> = settings.collect();
        format!("`{}` with {}", self.preset, settings.join(" and "))
    }
}

/// The needs of presets, each with each column.
fn needs<'a>(
    presets: impl IntoIterator<Item = &'a Name>,
    columns: impl IntoIterator<Item = &'a Name>,
) -> Vec<Need<'a>> {
    let columns: Vec<&Name> = columns.into_iter().collect();
    let need = |preset| {
        let columns = columns.clone().into_iter();
        columns.map(move |column| Need {
            preset,
            column,
            named_by: column,
            points: NeededPoints::All,
        })
    };
    presets.into_iter().flat_map(need).collect()
}

/// The needs of figures of presets.
fn needs_of_figures<'a>(
    presets: impl IntoIterator<Item = &'a Name>,
    figures: impl IntoIterator<Item = &'a RunFigure>,
) -> Vec<Need<'a>> {
    let presets: Vec<&Name> = presets.into_iter().collect();
    let of_figure = |figure: &'a RunFigure| {
        let needs = needs(presets.iter().copied(), figure.columns()).into_iter();
        needs.map(move |need| Need {
            points: NeededPoints::Figure(figure),
            ..need
        })
    };
    figures.into_iter().flat_map(of_figure).collect()
}

/// The needs of presets whose runs have a column anyway.
fn needs_of_all<'a>(presets: &'a [Name], column: &'static str) -> Vec<Need<'a>> {
    let need = |preset| Need {
        preset,
        column,
        named_by: preset,
        points: NeededPoints::All,
    };
    presets.iter().map(need).collect()
}

/// What each of some claims has, in one list.
fn each<T, I: IntoIterator>(
    claims: impl IntoIterator<Item = T>,
    part: impl Fn(T) -> I,
) -> Vec<I::Item> {
    claims.into_iter().flat_map(part).collect()
}

impl Evidence {
    /// The presets that it needs, in its order, and the columns of them.
    pub(super) fn needs(&self) -> Vec<Need<'_>> {
        match self {
            Self::Figures(claims) => each(claims, |claim| {
                needs_of_figures(claim.presets.iter(), claim.figure.iter())
            }),
            Self::Orders(orders) => each(orders, |order| {
                needs_of_figures(order.pairs().flatten(), [&order.figure])
            }),
            Self::Ratios(claims) => each(claims, |claim| {
                needs_of_figures(claim.pairs().flatten(), [&claim.figure])
            }),
            Self::Ranges(claims) => each(claims, |claim| {
                needs_of_figures(claim.presets.iter(), [&claim.figure])
            }),
            Self::Ranks(claims) => each(claims, |claim| {
                let presets = claim.presets.iter().chain(claim.others.iter());
                needs(presets, [&claim.column])
            }),
            Self::Curves(sheet) | Self::Runs(sheet) | Self::Histograms(sheet) => {
                let mut all = needs(sheet.presets.iter(), sheet.columns.iter());
                if matches!(self, Self::Curves(_)) && sheet.over == ProgressUnit::Generations {
                    for need in &mut all {
                        need.points = NeededPoints::Chart;
                    }
                }
                all.extend(needs_of_all(&sheet.presets, sheet.over.column()));
                all
            }
            Self::Shares(groups) => needs(groups.presets.iter(), [&groups.column]),
            Self::Boxes { column, by } => needs(by.presets.iter(), [column, &by.column]),
            Self::Populations(matches) => needs_of_all(&matches.presets, "generation"),
            Self::Judged(board) => needs_of_all(&board.presets, "generation"),
            Self::LaterPopulations { presets } | Self::Ancestors { presets, .. } => {
                needs_of_all(presets, "generation")
            }
            Self::Times { presets } => needs_of_all(presets, "games"),
            Self::Baselines { .. }
            | Self::FixedPlayers(_)
            | Self::Strategies(_)
            | Self::Missing(_) => Vec::new(),
        }
    }

    /// The lists in it in which a group can stand.
    fn lists(&mut self) -> Vec<&mut Names> {
        match self {
            Self::Figures(claims) => each(claims, |claim| [&mut claim.presets]),
            Self::Orders(orders) => each(orders, |order| [&mut order.higher, &mut order.lower]),
            Self::Ratios(claims) => each(claims, |claim| [&mut claim.of, &mut claim.to]),
            Self::Ranges(claims) => each(claims, |claim| [&mut claim.presets]),
            Self::Ranks(claims) => each(claims, |claim| [&mut claim.presets, &mut claim.others]),
            Self::Curves(sheet) | Self::Runs(sheet) | Self::Histograms(sheet) => {
                vec![&mut sheet.presets, &mut sheet.columns]
            }
            Self::Shares(ValueGroups { presets, .. })
            | Self::Boxes {
                by: ValueGroups { presets, .. },
                ..
            }
            | Self::Judged(JudgedBoard { presets, .. })
            | Self::LaterPopulations { presets }
            | Self::Ancestors { presets, .. }
            | Self::Times { presets }
            | Self::Baselines { presets, .. } => vec![presets],
            Self::Populations(matches) => {
                let claims = matches.claims.iter_mut();
                let claims = claims.flat_map(|claim| [&mut claim.stronger, &mut claim.weaker]);
                claims.chain([&mut matches.presets]).collect()
            }
            Self::FixedPlayers(_) | Self::Strategies(_) | Self::Missing(_) => Vec::new(),
        }
    }

    /// Whether it lets the players of runs play.
    pub(super) fn needs_players(&self) -> bool {
        matches!(
            self,
            Self::Populations(_)
                | Self::LaterPopulations { .. }
                | Self::Ancestors { .. }
                | Self::Judged(_)
        )
    }
}

impl Paper {
    /// Reads the text of a file; `origin` is its path in error messages. What it names is not
    /// looked up.
    pub(super) fn parse(text: &str, name: &str, origin: &Path) -> Result<Self, PresetError> {
        let mut paper: Self = from_ron(text).map_err(|error| PresetError {
            origin: origin.display().to_string(),
            problems: vec![RonSource::file(text).misread(&error)],
        })?;
        name.clone_into(&mut paper.name);
        paper.resolve(origin);
        Ok(paper)
    }

    /// Puts presets in the place of groups, and names in the place of paths.
    fn resolve(&mut self, origin: &Path) {
        let groups = &self.groups;
        let evidence = self.items.iter_mut().flat_map(|item| &mut item.evidence);
        let files = &mut self.files;
        let mut named = |name: Name| {
            if !name.ends_with(".ron") {
                return name;
            }
            let stem = Path::new(&*name).file_stem().unwrap_or_default();
            let stem = stem.to_string_lossy();
            let path = origin.with_file_name(&*name);
            files.insert(stem.to_string(), path.display().to_string());
            name.renamed(&stem)
        };
        let quoted = self.quotes.iter_mut().map(|(presets, ..)| presets);
        for list in evidence.flat_map(Evidence::lists).chain(quoted) {
            let all = mem::take(&mut list.0).into_iter();
            let all = all.flat_map(|name| groups.get(&*name).cloned().unwrap_or(vec![name]));
            list.0 = all.map(&mut named).collect();
        }
        for variant in &mut self.variants {
            variant.preset = named(variant.preset.clone());
        }
    }

    /// The names that the file gives: of groups and of variants.
    pub(super) fn own_names(&self) -> Vec<&str> {
        let variants = self.variants.iter().map(|variant| &*variant.name);
        let groups = self.groups.keys().map(String::as_str);
        groups.chain(variants).collect()
    }

    /// Authors, title and year.
    pub fn citation(&self) -> String {
        format!("{}, {}, {}", self.authors, self.title, self.published)
    }

    /// What its page shows, in its order.
    pub(super) fn evidence(&self) -> impl Iterator<Item = &Evidence> {
        self.items.iter().flat_map(|item| &item.evidence)
    }

    /// The names of the presets that are run, without repetitions, in the order of the publication.
    pub fn preset_names(&self) -> Vec<&str> {
        let needs = self.evidence().flat_map(Evidence::needs);
        let mut known = BTreeSet::new();
        let mut names: Vec<&str> = needs.map(|need| &**need.preset).collect();
        names.retain(|name| known.insert(*name));
        names
    }

    /// The variant of this name.
    pub(super) fn variant(&self, name: &str) -> Option<&Variant> {
        self.variants.iter().find(|variant| &*variant.name == name)
    }

    /// What the command line calls a preset: its name, or the path of its file.
    pub(super) fn source<'a>(&'a self, preset: &'a str) -> &'a str {
        self.files.get(preset).map_or(preset, String::as_str)
    }

    /// Whether the players of its runs are kept.
    pub fn keeps_players(&self) -> bool {
        self.evidence().any(Evidence::needs_players)
    }

    /// The rows of a run that are written: those of every so many generations.
    pub fn rows_every(&self, is_quick: bool) -> u64 {
        if is_quick { 1 } else { self.rows_every }
    }

    /// The finished runs in a folder as one table, of which its page can be made again.
    pub fn table(&self, folder: &ExperimentFolder) -> Result<String, StorageError> {
        let mut readers: BTreeMap<_, Vec<NeededPoints<'_>>> = BTreeMap::new();
        for need in self.evidence().flat_map(Evidence::needs) {
            let key = (&**need.preset, need.column);
            readers.entry(key).or_default().push(need.points);
        }
        let names: BTreeSet<&str> = readers.keys().map(|(_, column)| *column).collect();
        let others = names.into_iter().filter(|name| *name != "generation");
        let columns: Vec<&str> = ["generation"].into_iter().chain(others).collect();
        table::text(folder, &columns, |preset, column, series| {
            let mut needed = vec![false; series.len()];
            for reader in readers.get(&(&*preset.name, column)).into_iter().flatten() {
                let own = reader.among(series, preset.generations);
                needed
                    .iter_mut()
                    .zip(own)
                    .for_each(|(all, own)| *all |= own);
            }
            needed
        })
    }

    /// A preset that it names. Fails if it is not included or not valid.
    pub(super) fn load(&self, name: &str) -> Result<Preset, PresetError> {
        let Some(variant) = self.variant(name) else {
            return presets::load(self.source(name));
        };
        let mut preset = presets::load(self.source(&variant.preset))?.with(&variant.settings)?;
        name.clone_into(&mut preset.name);
        // What the preset says of itself need not be true of its variant.
        preset.about = variant.about();
        preset.differs.clear();
        preset.settled.clear();
        Ok(preset)
    }

    /// The presets and the number of runs of each. Fails if a preset is not included or not valid.
    pub fn plan(&self, is_quick: bool) -> Result<(Vec<Preset>, u64), PresetError> {
        let load = |name: &str| {
            let mut preset = self.load(name)?;
            if is_quick {
                let mut shorter = self.quick.shorter.iter();
                let own = shorter.find(|(other, _)| &**other == name);
                let most = own.map_or(self.quick.generations, |(_, generations)| *generations);
                preset.generations = preset.generations.min(most);
                preset = preset.with(&self.quick.settings)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::columns;
    use crate::report::papers;

    #[test]
    fn what_is_published_of_a_column_is_drawn_where_its_presets_are() {
        let papers = papers::all();
        let drawn = |paper: &str, number: &str, column: &str, preset: &str| -> Vec<String> {
            let mut papers = papers.iter().filter(|known| known.name == paper);
            let paper = papers.next().expect("it is one");
            let mut items = paper.items.iter().filter(|item| &*item.number == number);
            let item = items.next().expect("it is an item");
            let drawn = item.published(column, &[Name::from(preset)]);
            drawn
                .into_iter()
                .map(|one| format!("{} {:?}", one.0, one.1))
                .collect()
        };
        let layers = |preset| {
            drawn(
                "kissling",
                "Stack 8, configuration 1",
                "hidden_layers",
                preset,
            )
        };
        assert_eq!(
            layers("simple-nim-8"),
            ["published at least 20 [20.0, 20.0]"]
        );
        assert!(layers("nim-2x4").is_empty(), "it is of another preset");
        let games = |column| {
            drawn(
                "kissling",
                "Stack 8, configuration 1",
                column,
                "simple-nim-8",
            )
        };
        assert_eq!(
            games("accuracy_games"),
            ["published 25 to 35% [0.25, 0.35]"]
        );
        assert!(
            games("wins_vs_past").is_empty(),
            "nothing is published of it"
        );
        let first = drawn("hynek", "Table 2", "wrong_decisions", "hynek-11");
        assert!(
            first.is_empty(),
            "a generation is no value of the column: {first:?}"
        );
    }

    #[test]
    fn the_quick_version_has_every_column_that_a_page_shows() {
        for paper in papers::all() {
            let (presets, _) = paper.plan(true).expect("its presets are valid");
            for preset in presets {
                let known = columns(&preset).expect("it is valid");
                let needs = paper.evidence().flat_map(Evidence::needs);
                for need in needs.filter(|need| **need.preset == *preset.name) {
                    let (name, column) = (&preset.name, need.column);
                    assert!(known.place(column).is_some(), "{name} has no {column}");
                }
            }
        }
    }
}
