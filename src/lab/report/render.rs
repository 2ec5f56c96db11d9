//! The page of a publication: its tables and figures with ours beside them.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::experiment::ExperimentError;
use crate::experiment::collect::{CollectedRuns, FinishedRun};
use crate::experiment::curves::{Curve, CurvePoint, curves_of};
use crate::experiment::plot::Chart;
use finches_engine::metrics::Row;
use finches_engine::metrics::progress_unit::ProgressUnit;
use finches_engine::play::pool::Pool;
use finches_engine::preset::Preset;
use finches_runs::storage::experiments::contests::Contests;

use super::commands::command;
use super::measure::RunColumns;
use super::page::{Cell, Figure, Page, PageBlock, Section, Table};
use super::paper::{Computed, CurveSheet, Evidence, Paper, PaperItem};
use super::ranks::ranks;
use super::source::{Name, listed};
use super::verdict::{Agreement, RULES};
use super::words::{
    CHART_STRETCHES, STRETCHES, TitledCurves, figure, presets_blocks, thin, titles,
};

/// The page of a publication from the runs of its plan.
///
/// The threads of `pool` play the games between kept players; the page does not depend on them.
pub fn page(
    paper: &Paper,
    runs: &CollectedRuns<'_>,
    is_quick: bool,
    pool: &Pool,
) -> Result<Page, ExperimentError> {
    let writer = PaperWriter::read(paper, runs, is_quick, pool)?;
    let mut sections = Vec::new();
    let mut checklist = Vec::new();
    for item in &paper.items {
        let (section, verdicts) = writer.item(item)?;
        checklist.push((item, verdicts));
        sections.push(section);
    }
    writer.keep_contests()?;
    let mut lead: Vec<String> = paper.summary.iter().map(ToString::to_string).collect();
    if is_quick {
        lead.push(writer.quick_words());
    }
    if !runs.missing.is_empty() {
        let missing = runs.missing.len();
        let all = missing + runs.finished.len();
        lead.push(format!(
            "{missing} of {all} runs are not finished. This page shows the others."
        ));
    }
    let unplayed = writer.unplayed.borrow();
    if !unplayed.is_empty() {
        let names: Vec<&str> = unplayed.iter().map(String::as_str).collect();
        lead.push(format!(
            "Games are missing, because the players of these runs are: {}.",
            names.join(", ")
        ));
    }
    let mut all = vec![checklist_section(&writer, &checklist), rules_section()];
    all.append(&mut sections);
    all.extend(shortfalls_section(paper));
    let presets = &runs.manifest.presets;
    let is_plain = |preset: &&Preset| paper.variant(&preset.name).is_none();
    let plain: Vec<&Preset> = presets.iter().filter(is_plain).collect();
    all.push(Section {
        heading: "Presets".to_owned(),
        blocks: presets_blocks(presets, &plain),
    });
    Ok(Page {
        title: paper.citation(),
        lead,
        sections: all,
    })
}

/// Every table and figure, where it is, and the verdicts on it.
fn checklist_section(
    writer: &PaperWriter<'_>,
    checklist: &[(&PaperItem, Vec<Agreement>)],
) -> Section {
    let row = |(item, verdicts): &(&PaperItem, Vec<Agreement>)| {
        let class = match verdicts.first() {
            Some(first) if verdicts.iter().all(|one| one == first) => first.class(),
            _ => Agreement::CannotTell.class(),
        };
        vec![
            Cell::words(&*item.number),
            Cell::words(&*item.section),
            Cell::Verdict {
                words: if item.evidence.iter().all(|one| writer.is_left_out(one)) {
                    "not run in the quick version".to_owned()
                } else {
                    verdicts_in_words(item, verdicts)
                },
                class,
            },
        ]
    };
    let table = Table::new(
        "What the publication shows, and how ours stands to it",
        "table or figure,section,verdicts",
        checklist.iter().map(row).collect(),
    );
    Section::of_table("Checklist", table)
}

/// By which rules a verdict is reached.
fn rules_section() -> Section {
    Section {
        heading: "How verdicts are reached".to_owned(),
        blocks: vec![PageBlock::List(RULES.lines().map(str::to_owned).collect())],
    }
}

/// What the presets do not reach of the publication.
fn shortfalls_section(paper: &Paper) -> Option<Section> {
    let mut section = Section::new("What the presets do not reach");
    let shortfalls = paper.shortfalls.iter();
    section.blocks.extend(shortfalls.map(|(what, tried)| {
        let words = format!("{what}. {tried}");
        PageBlock::Text(words)
    }));
    (!section.blocks.is_empty()).then_some(section)
}

/// The verdicts, counted: "2 agree, 1 differs".
fn verdicts_in_words(item: &PaperItem, verdicts: &[Agreement]) -> String {
    let count = |verdict| verdicts.iter().filter(|one| **one == verdict).count();
    let parts = [
        (count(Agreement::Agrees), ["agrees", "agree"]),
        (count(Agreement::Differs), ["differs", "differ"]),
        (
            count(Agreement::CannotTell) + count(Agreement::ShorterRun),
            ["can't be told", "can't be told"],
        ),
    ];
    let words: Vec<String> = parts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, [one, many])| format!("{count} {}", if *count == 1 { one } else { many }))
        .collect();
    let is_missing = |evidence: &Evidence| matches!(evidence, Evidence::Missing(_));
    if !words.is_empty() {
        words.join(", ")
    } else if item.evidence.iter().all(is_missing) {
        "not made again".to_owned()
    } else {
        "shown, nothing to decide".to_owned()
    }
}

/// The runs, by preset.
pub(super) struct PaperWriter<'a> {
    pub(super) paper: &'a Paper,
    pub(super) runs: &'a CollectedRuns<'a>,
    pub(super) is_quick: bool,
    pub(super) pool: &'a Pool,
    /// Games between players of runs, those of earlier pages among them.
    pub(super) contests: RefCell<Contests>,
    /// The runs whose players were needed and are not there.
    pub(super) unplayed: RefCell<BTreeSet<String>>,
    /// The columns of the finished runs of each preset.
    pub(super) columns: BTreeMap<&'a str, Vec<RunRows>>,
    /// The generations of the presets whose runs are shorter than the publication's.
    shorter: BTreeMap<&'a str, u64>,
}

/// The rows of a run.
pub(super) struct RunRows {
    pub(super) seed: u64,
    generations: u64,
    names: Vec<String>,
    rows: Vec<Row>,
}

impl RunRows {
    fn read(run: &FinishedRun<'_>) -> Result<Self, ExperimentError> {
        let (names, rows) = run.rows()?;
        Ok(Self {
            seed: run.id.seed,
            generations: run.outcome.generations,
            names,
            rows,
        })
    }
}

impl RunColumns for RunRows {
    fn series(&self, column: &str, over: ProgressUnit) -> Vec<(f64, f64)> {
        let place = |name: &str| self.names.iter().position(|known| known == name);
        let (Some(at), Some(value)) = (place(over.column()), place(column)) else {
            return Vec::new();
        };
        let pairs = self.rows.iter();
        pairs
            .filter_map(|row| Some((row.values()[at]?, row.values()[value]?)))
            .collect()
    }

    fn generations(&self) -> u64 {
        self.generations
    }
}

impl<'a> PaperWriter<'a> {
    fn read(
        paper: &'a Paper,
        runs: &'a CollectedRuns<'a>,
        is_quick: bool,
        pool: &'a Pool,
    ) -> Result<Self, ExperimentError> {
        let mut columns = BTreeMap::new();
        for (index, preset) in runs.manifest.presets.iter().enumerate() {
            let rows: Result<Vec<RunRows>, ExperimentError> =
                runs.of_preset(index).map(RunRows::read).collect();
            columns.insert(preset.name.as_str(), rows?);
        }
        let presets = runs.manifest.presets.iter();
        let is_shorter = |one: &&Preset| {
            let whole = paper.load(&one.name);
            whole.is_ok_and(|whole| one.generations < whole.generations)
        };
        Ok(Self {
            paper,
            runs,
            is_quick,
            pool,
            contests: RefCell::new(Contests::read(&runs.folders[0])?),
            unplayed: RefCell::default(),
            columns,
            shorter: presets
                .filter(is_shorter)
                .map(|one| (&*one.name, one.generations))
                .collect(),
        })
    }

    /// Whether a preset is run: the quick version leaves some out.
    pub(super) fn is_run(&self, preset: &str) -> bool {
        self.columns.contains_key(preset)
    }

    /// Whether none of the presets of a part is run.
    fn is_left_out(&self, evidence: &Evidence) -> bool {
        let needs = evidence.needs();
        !needs.is_empty() && needs.iter().all(|need| !self.is_run(need.preset))
    }

    /// The verdict on runs of presets, unless some are shorter than the publication's;
    /// `is_whole_in` says whether that many generations are enough.
    pub(super) fn of_whole_runs<'n>(
        &self,
        verdict: Agreement,
        presets: impl IntoIterator<Item = &'n Name>,
        is_whole_in: impl Fn(u64) -> bool,
    ) -> Agreement {
        let shorter = presets
            .into_iter()
            .filter_map(|name| self.shorter.get(&**name));
        let is_whole = shorter.copied().all(is_whole_in);
        if is_whole || verdict == Agreement::CannotTell {
            verdict
        } else {
            Agreement::ShorterRun
        }
    }

    /// Keeps the games that were not known before.
    fn keep_contests(&self) -> Result<(), ExperimentError> {
        let (folder, contests) = (&self.runs.folders[0], self.contests.borrow());
        if *contests != Contests::read(folder)? {
            contests.write(folder)?;
        }
        Ok(())
    }

    fn quick_words(&self) -> String {
        let generations = self.runs.manifest.presets.iter().map(|one| one.generations);
        format!(
            "This is the quick version: {} runs of each preset and at most {} generations. Run it \
            without --quick for figures to rely on.",
            self.runs.manifest.runs,
            generations.max().unwrap_or(0)
        )
    }

    /// A number of games, an eighth of it in the quick version; even.
    pub(super) fn fewer(&self, games: u32) -> u32 {
        if self.is_quick { games / 16 * 2 } else { games }
    }

    /// What is added to a caption of the quick version.
    pub(super) fn caption(&self, words: &str) -> String {
        if self.is_quick {
            format!("{words} Quick version: fewer runs and generations than the publication's.")
        } else {
            words.to_owned()
        }
    }

    fn item(&self, item: &PaperItem) -> Result<(Section, Vec<Agreement>), ExperimentError> {
        let mut section = Section::new(format!("{}, {}", item.number, item.section));
        section.blocks.push(PageBlock::Text(item.about.to_string()));
        if item.evidence.iter().all(|one| self.is_left_out(one)) {
            let words = "Not run in the quick version.".to_owned();
            section.blocks.push(PageBlock::Text(words));
        }
        let mut verdicts = Vec::new();
        let mut presets: Vec<&str> = Vec::new();
        for evidence in &item.evidence {
            if self.is_left_out(evidence) {
                continue;
            }
            let needs = evidence.needs().into_iter().map(|need| &**need.preset);
            presets.extend(needs.filter(|preset| self.is_run(preset)));
            let mut shown = self.evidence(item, evidence)?;
            section.blocks.append(&mut shown.blocks);
            verdicts.append(&mut shown.verdicts);
        }
        presets.sort_unstable();
        presets.dedup();
        if !presets.is_empty() {
            section.blocks.push(PageBlock::Code {
                title: "The command that makes these runs alone:".to_owned(),
                text: command(
                    self,
                    &presets,
                    item.evidence.iter().any(Evidence::needs_players),
                ),
                is_folded: false,
            });
        }
        Ok((section, verdicts))
    }

    fn evidence(&self, item: &PaperItem, evidence: &Evidence) -> Result<Computed, ExperimentError> {
        let table = |(table, verdicts)| Computed {
            blocks: vec![PageBlock::Table(table)],
            verdicts,
        };
        let block = |block| Computed {
            blocks: vec![block],
            verdicts: Vec::new(),
        };
        Ok(match evidence {
            Evidence::Figures(claims) => table(self.claims(claims)),
            Evidence::Orders(orders) => table(self.orders(orders)),
            Evidence::Ratios(claims) => table(self.ratios(claims)),
            Evidence::Ranges(claims) => table(self.ranges(claims)),
            Evidence::Ranks(claims) => table(ranks(self, claims)),
            Evidence::Curves(sheet) => {
                let how = "the median of the runs, with the range of their middle half";
                let curves = |column: &str| self.medians(sheet, column);
                block(self.sheet(item, sheet, how, curves)?)
            }
            Evidence::Runs(sheet) => {
                let curves = |column: &str| Ok(self.single_runs(sheet, column));
                block(self.sheet(item, sheet, "a line for each run", curves)?)
            }
            Evidence::Shares(groups) => block(self.shares(item, groups)?),
            Evidence::Boxes { column, by } => block(self.boxes(item, column, by)?),
            Evidence::Histograms(sheet) => block(self.histograms(item, sheet)?),
            Evidence::Populations(matches) => self.populations(matches)?,
            Evidence::LaterPopulations { presets } => table(self.later_populations(presets)?),
            Evidence::Ancestors {
                presets,
                games,
                claims,
            } => self.ancestors(item, presets, *games, claims)?,
            Evidence::Judged(board) => block(self.judged(board)?),
            Evidence::Times { presets } => block(self.times(presets)),
            Evidence::Baselines { presets, positions } => {
                block(self.baselines(presets, *positions)?)
            }
            Evidence::FixedPlayers(games) => {
                games.computed(&self.paper.load(&games.preset)?, self.is_quick)?
            }
            Evidence::Strategies(counts) => counts.computed(),
            Evidence::Missing(why) => block(PageBlock::Text(format!("Not made again: {why}"))),
        })
    }

    fn medians(&self, spec: &CurveSheet, column: &str) -> Result<Vec<Curve>, ExperimentError> {
        let is_wanted = |preset: &str| spec.presets.iter().any(|known| **known == *preset);
        let is_over_generations = spec.over == ProgressUnit::Generations;
        let stretches = is_over_generations.then_some(CHART_STRETCHES);
        curves_of(self.runs, column, spec.over, stretches, is_wanted)
    }

    fn single_runs(&self, spec: &CurveSheet, column: &str) -> Vec<Curve> {
        let mut curves = Vec::new();
        for preset in spec.presets.iter() {
            for run in self.columns.get(&**preset).into_iter().flatten() {
                let series = run.series(column, spec.over).into_iter();
                curves.push(Curve {
                    preset: format!("{preset}, seed {}", run.seed),
                    runs: 1,
                    points: series
                        .map(|(at, value)| CurvePoint::single(at, value))
                        .collect(),
                });
            }
        }
        curves
    }

    /// A chart for each column, those first of which something is published.
    fn sheet(
        &self,
        item: &PaperItem,
        spec: &CurveSheet,
        how: &str,
        curves: impl Fn(&str) -> Result<Vec<Curve>, ExperimentError>,
    ) -> Result<PageBlock, ExperimentError> {
        let mut all: Vec<TitledCurves> = Vec::new();
        for column in spec.columns.iter() {
            let mut known = curves(column)?;
            let points = known.iter_mut().map(|curve| &mut curve.points);
            points.for_each(|points| thin(points, STRETCHES));
            let mut titled = TitledCurves::new(column, known, &[]);
            titled.references = item.published(column, &spec.presets);
            all.push(titled);
        }
        all.sort_by_key(|one| one.references.is_empty());
        let mut known = all.iter().flat_map(|one| &one.curves);
        if known.all(|curve| curve.points.is_empty()) {
            let words = format!("No run is long enough for {}.", titles(&all));
            return Ok(PageBlock::Text(words));
        }
        let (number, over) = (&item.number, spec.over.column());
        let presets = listed(&spec.presets);
        let caption = |titles| format!("{number}, ours: {titles} of {presets} over {over}: {how}.");
        let figure = figure(&all, over, None, |titles| self.caption(&caption(titles)))?;
        Ok(PageBlock::Figure(figure))
    }

    /// Charts, and what they show in words.
    pub(super) fn picture<C: Chart>(
        &self,
        item: &PaperItem,
        charts: &[C],
        what: &str,
        details: &str,
    ) -> Result<PageBlock, ExperimentError> {
        let caption = self.caption(&format!("{}, ours: {what}", item.number));
        let figure = Figure::of_charts(charts, caption, details)?;
        Ok(PageBlock::Figure(figure))
    }
}
