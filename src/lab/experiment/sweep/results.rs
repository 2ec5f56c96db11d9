//! The results of a sweep: its combinations from the best to the worst, what each parameter does,
//! and the best confirmed with fresh seeds. They depend only on the finished runs.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Serialize;

use crate::experiment::ExperimentError;
use crate::experiment::collect::{CollectedRuns, FinishedRun, collect, collect_part};
use crate::experiment::summary::{
    PresetSummary, RunValue, Summary, SummaryStatistics, column_name,
};
use crate::words::{csv_cell, csv_file, json_file};
use finches_engine::metrics::stop_condition::StopCondition;
use finches_engine::preset::Preset;
use finches_engine::session::measures::progress;
use finches_runs::storage::experiments::manifest::{Manifest, RunId};
use finches_runs::storage::experiments::outcome::RunOutcome;
use finches_runs::storage::experiments::part::RunPart;
use finches_runs::storage::experiments::sweep::{SweepDefinition, SweepDesign, confirmation};

use super::effects::{FactorEffect, InteractionEffect, PairMeans, effects};
use super::halving::parts;
use super::levels::Levels;
use super::ties::course_means;

/// The results of a sweep: the content of `sweep.json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SweepResults {
    /// The name of the preset that is varied.
    pub preset: String,
    /// The names of the parameters.
    pub parameters: Vec<String>,
    /// What is compared.
    pub measure: String,
    /// Whether low values are good.
    pub is_lowest_best: bool,
    /// The seed of the first run of each combination.
    pub first_seed: u64,
    /// Runs of each combination; with successive halving, of those in the last round.
    pub runs: u64,
    /// Finished runs.
    pub finished: usize,
    /// Games of all finished runs.
    pub games: f64,
    /// The combinations from the best to the worst. Those with more runs or generations come first:
    /// they have come further.
    pub combinations: Vec<CombinationResult>,
    /// How the combinations were chosen.
    #[serde(skip)]
    pub design: SweepDesign,
    /// What the effects are about if not the values of all combinations: with successive halving,
    /// the first of their runs, or the first part of these.
    pub effects_measure: Option<String>,
    /// Whether low values of it are good.
    #[serde(skip)]
    pub is_lowest_effect_best: bool,
    /// The parameters from the strongest to the weakest.
    pub effects: Vec<FactorEffect>,
    /// The two strongest parameters together.
    pub interaction: Option<InteractionEffect>,
    /// The best combination with fresh seeds.
    pub confirmation: Option<Confirmation>,
}

/// A combination of values.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CombinationResult {
    /// Its preset.
    pub preset: String,
    /// The index of its preset in the experiment.
    #[serde(skip)]
    pub index: usize,
    /// The values of the parameters.
    pub values: Vec<String>,
    /// Finished runs with a value.
    pub n: usize,
    /// The generations that are done of all of them, but for those that met the target before; 0
    /// without runs.
    pub generations: u64,
    /// The part of a run that these are: with successive halving by generations, not always the
    /// whole.
    #[serde(skip)]
    pub part: RunPart,
    /// Runs that met the target; null if there is none.
    pub solved: Option<usize>,
    /// Of all runs; null without any.
    pub all: Option<SummaryStatistics>,
    /// Whether runs have missed the target, so that the values are lower bounds.
    pub is_lower_bound: bool,
    /// In the order of the seeds.
    pub runs: Vec<RunValue>,
}

/// The best combination beside the unchanged preset, both with seeds that the sweep has not used.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Confirmation {
    /// The preset of the combination.
    pub preset: String,
    /// The first of the fresh seeds.
    pub first_seed: u64,
    /// The number of runs of each.
    pub runs: u64,
    /// The combination.
    pub best: Option<SummaryStatistics>,
    /// The unchanged preset; null if it has other columns.
    pub unchanged: Option<SummaryStatistics>,
    /// Whether the means of both are lower bounds, because runs have missed the target.
    #[serde(skip)]
    pub bounds: [bool; 2],
    /// The share of pairs of runs in which the combination is better, ties counting half.
    pub better: Option<f64>,
    /// The two-sided p-value of that test.
    pub p: Option<f64>,
    /// The test.
    pub test: Option<&'static str>,
}

/// What fresh seeds say about the best combination beside the unchanged preset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfirmationVerdict {
    /// It is better, with p below 0.05.
    Confirmed,
    /// It may be better: it is in half of the pairs of runs or more, and on average.
    Unsure,
    /// It is not better.
    Refuted,
}

/// Means that differ by less are equal but for rounding.
const EQUAL: f64 = 1e-9;

impl Confirmation {
    /// The verdict; `None` without both.
    pub fn verdict(&self) -> Option<ConfirmationVerdict> {
        let means = [self.best?.mean, self.unchanged?.mean];
        Some(match (self.better?, self.p?) {
            (better, _) if better < 0.5 => ConfirmationVerdict::Refuted,
            _ if (means[0] - means[1]).abs() < EQUAL => ConfirmationVerdict::Refuted,
            (_, p) if p < 0.05 => ConfirmationVerdict::Confirmed,
            _ => ConfirmationVerdict::Unsure,
        })
    }

    /// The runs with fresh seeds in the folder of a sweep, if there are any: those of the best
    /// combination and, second, of the unchanged preset.
    pub fn read(
        root: &Path,
        definition: &SweepDefinition,
    ) -> Result<Option<Self>, ExperimentError> {
        let folders = confirmation(root)?;
        if folders.is_empty() {
            return Ok(None);
        }
        let summary = Summary::of(&collect(&folders)?, definition.column.as_deref())?;
        let pair = summary.comparisons.first();
        let lowest = definition.is_lowest_best();
        let better = |share: f64| if lowest { 1.0 - share } else { share };
        Ok(Some(Self {
            preset: summary.presets[0].preset.clone(),
            first_seed: summary.first_seed,
            runs: summary.runs,
            best: summary.presets[0].all,
            unchanged: summary.presets.get(1).and_then(|line| line.all),
            bounds: [0, 1].map(|at| summary.presets.get(at).is_some_and(|it| it.is_lower_bound)),
            better: pair.map(|pair| better(pair.a12)),
            p: pair.map(|pair| pair.p),
            test: pair.map(|pair| pair.test),
        }))
    }
}

impl SweepResults {
    /// The results of the finished runs, without those with fresh seeds.
    pub fn of(
        runs: &CollectedRuns<'_>,
        definition: &SweepDefinition,
    ) -> Result<Self, ExperimentError> {
        let column = definition.column.as_deref();
        let summaries = PresetSummary::all(runs, column)?;
        let first = first_summaries(runs, definition)?;
        let games = |run: &FinishedRun<'_>| run.outcome.latest.get(progress::GAMES.name).copied();
        let games = runs.finished.iter().filter_map(games).sum();
        let first = first.as_deref();
        let mut results = Self::of_summaries(runs.manifest, definition, (&summaries, first));
        (results.finished, results.games) = (runs.finished.len(), games);
        results.break_ties(runs, definition)?;
        Ok(results)
    }

    /// Orders combinations with the same number of runs and the same mean by the course of their
    /// runs.
    fn break_ties(
        &mut self,
        runs: &CollectedRuns<'_>,
        definition: &SweepDefinition,
    ) -> Result<(), ExperimentError> {
        let values = self.combinations.iter();
        let values = values.filter_map(|one| Some((one.index, one.all?.mean)));
        let values: Vec<_> = values.collect();
        let courses = course_means(runs, definition, &values, self.runs)?;
        let course = |one: &CombinationResult| courses.get(&one.index).copied().unwrap_or_default();
        let mean = |one: &CombinationResult| one.all.map(|all| all.mean.to_bits());
        for tied in self
            .combinations
            .chunk_by_mut(|a, b| (a.n, a.part, mean(a)) == (b.n, b.part, mean(b)))
        {
            tied.sort_by(|a, b| course(b).total_cmp(&course(a)));
        }
        Ok(())
    }

    /// The results of summaries, one for each combination, without numbers of runs and games and
    /// without a confirmation. With successive halving by generations, what parameters do is seen
    /// in `first`, of [`first_summary`].
    pub fn of_summaries(
        manifest: &Manifest,
        definition: &SweepDefinition,
        summaries: (&[PresetSummary], Option<&[PresetSummary]>),
    ) -> Self {
        Self {
            first_seed: manifest.first_seed,
            runs: manifest.runs,
            ..Self::of_parts(definition, summaries, &parts(manifest))
        }
    }

    /// The results of runs that no sweep has drawn, by the values in which they differ. The seeds
    /// and the number of runs are 0.
    pub fn of_groups(definition: &SweepDefinition, summaries: &[PresetSummary]) -> Self {
        Self::of_parts(definition, (summaries, None), &[RunPart::WHOLE])
    }

    fn of_parts(
        definition: &SweepDefinition,
        (summaries, first): (&[PresetSummary], Option<&[PresetSummary]>),
        parts: &[RunPart],
    ) -> Self {
        let measure = summaries.first().map_or("", |line| line.measure.as_str());
        let (effects, interaction) = effects(definition, first.unwrap_or(summaries));
        let halved = first.or(definition.halving.is_some().then_some(summaries));
        let effects_measure = halved.and_then(|lines| lines.iter().find(|line| line.n > 0));
        let names = definition.names().into_iter();
        let is_lowest_best = definition.is_lowest_best();
        Self {
            preset: definition.base.name.clone(),
            parameters: names.map(str::to_owned).collect(),
            measure: measure.to_owned(),
            is_lowest_best,
            first_seed: 0,
            runs: 0,
            finished: 0,
            games: 0.0,
            combinations: ranked(parts, definition, summaries),
            design: definition.design,
            effects_measure: effects_measure.map(|line| line.measure.clone()),
            is_lowest_effect_best: match (first, definition.base.stop_condition()) {
                (Some(_), Some(target)) => target.is_lowest_best(),
                _ => is_lowest_best,
            },
            effects,
            interaction,
            confirmation: None,
        }
    }

    /// The means of the combinations by the values of a parameter, or ranges of them.
    pub fn means_by_level(&self, place: usize) -> Vec<(String, Vec<f64>)> {
        let ordered = self.ordered();
        let values = ordered.iter().map(|one| one.values[place].as_str());
        let levels = Levels::of(self.design, values);
        let names = levels.names.iter().cloned();
        let mut groups: Vec<(String, Vec<f64>)> = names.map(|name| (name, Vec::new())).collect();
        for (one, &level) in ordered.iter().zip(&levels.places) {
            groups[level].1.extend(one.all.map(|all| all.mean));
        }
        groups
    }

    /// The combinations in the order of the experiment.
    fn ordered(&self) -> Vec<&CombinationResult> {
        let mut ordered: Vec<&CombinationResult> = self.combinations.iter().collect();
        ordered.sort_by_key(|one| one.index);
        ordered
    }

    /// The means of all pairs of values of two parameters.
    pub fn pair(&self, a: usize, b: usize) -> PairMeans {
        let ordered = self.ordered();
        let levels = |place: usize| {
            let values = ordered.iter().map(move |one| one.values[place].as_str());
            Levels::of(self.design, values)
        };
        let means = ordered.iter().map(|one| one.all.map(|all| all.mean));
        PairMeans::of(&levels(a), &levels(b), means)
    }

    /// Whether a mean over the combinations with these levels of parameters, by index, is a lower
    /// bound, because runs have missed the target.
    pub fn is_bound(&self, levels: &[(usize, &str)]) -> bool {
        let ordered = self.ordered();
        let mut is_within = vec![true; ordered.len()];
        for (place, name) in levels {
            let values = ordered.iter().map(|one| one.values[*place].as_str());
            let known = Levels::of(self.design, values);
            for (is_within, level) in is_within.iter_mut().zip(known.places) {
                *is_within &= known.names[level] == *name;
            }
        }
        let mut all = ordered.iter().zip(is_within);
        all.any(|(one, is_within)| is_within && one.is_lower_bound)
    }

    /// The same for an effect: those of a first part have another measure.
    pub fn is_effect_bound(&self, levels: &[(usize, &str)]) -> bool {
        let other = self.effects_measure.as_ref();
        other.is_none_or(|other| *other == self.measure) && self.is_bound(levels)
    }

    /// Whether only the best combinations have been run to their last generation.
    pub fn has_parts(&self) -> bool {
        let mut all = self.combinations.iter();
        all.any(|one| one.part != RunPart::WHOLE)
    }

    /// The text of `sweep.json`.
    pub fn json(&self) -> String {
        json_file(self)
    }

    /// The text of `sweep.csv`: a line for each combination, the best first.
    pub fn csv(&self) -> String {
        const FIGURES: &str =
            "n,generations,solved,is_lower_bound,min,median,mean,mean_low,mean_high,max";
        let parameters = self.parameters.iter().map(String::as_str);
        let head = ["rank", "preset"].into_iter().chain(parameters);
        let head = head.chain(FIGURES.split(','));
        let line = |(place, one): (usize, &CombinationResult)| {
            let mut fields = vec![(place + 1).to_string(), one.preset.clone()];
            fields.extend(one.values.iter().cloned());
            fields.extend([one.n, one.generations as usize].map(|count| count.to_string()));
            fields.extend([csv_cell(one.solved), one.is_lower_bound.to_string()]);
            fields.extend(SummaryStatistics::fields(one.all));
            fields
        };
        csv_file(head, self.combinations.iter().enumerate().map(line))
    }

    /// The best combination, if any has a value.
    pub fn best(&self) -> Option<&CombinationResult> {
        self.combinations.first().filter(|best| best.all.is_some())
    }
}

/// The text of `runs.csv`: a line for each finished run, with the values of its parameters and the
/// latest of every column.
pub fn runs_csv(runs: &CollectedRuns<'_>, definition: &SweepDefinition) -> String {
    let all = runs.finished.iter();
    let columns = all.flat_map(|run| run.outcome.latest.keys().map(String::as_str));
    let columns: BTreeSet<&str> = columns.collect();
    let head = ["preset"].into_iter().chain(definition.names());
    let head = head.chain(["seed", "generations", "reached"]);
    let head = head.chain(columns.iter().copied());
    let line = |run: &FinishedRun<'_>| {
        let outcome = &run.outcome;
        let mut fields = vec![outcome.preset.clone()];
        fields.extend(definition.combinations[run.id.preset].iter().cloned());
        let numbers = [outcome.seed, outcome.generations].map(|number| number.to_string());
        fields.extend(numbers);
        fields.push(csv_cell(outcome.reached));
        let values = columns.iter().map(|column| outcome.latest.get(*column));
        fields.extend(values.map(csv_cell));
        fields
    };
    csv_file(head, runs.finished.iter().map(line))
}

/// A summary of the first part of the runs of each combination in the first bracket, if only the
/// best have more.
fn first_summaries(
    runs: &CollectedRuns<'_>,
    definition: &SweepDefinition,
) -> Result<Option<Vec<PresetSummary>>, ExperimentError> {
    let parts = parts(runs.manifest);
    if !definition.halves_generations() {
        return Ok(None);
    }
    let first = collect_part(runs.folders, parts[0])?;
    let presets = runs.manifest.presets.iter().enumerate();
    let summary = |(index, preset)| {
        let own = first.of_preset(index).map(|run| (run.id, &run.outcome));
        let own: Vec<_> = own.collect();
        first_summary(
            (index, preset),
            (&own, parts[0]),
            definition.column.as_deref(),
        )
    };
    presets.map(summary).collect::<Result<_, _>>().map(Some)
}

/// The summary of a part of the runs of a combination that is too short for a target: of its column
/// then.
pub fn first_summary(
    (index, preset): (usize, &Preset),
    (finished, part): (&[(RunId, &RunOutcome)], RunPart),
    column: Option<&str>,
) -> Result<PresetSummary, ExperimentError> {
    let target = preset.stop_condition();
    let column = target.as_ref().map(StopCondition::column).or(column);
    let preset = Preset {
        until: String::new(),
        ..preset.clone()
    };
    let mut summary = PresetSummary::of((index, &preset), finished, column)?;
    let column = column_name(&summary.measure);
    let generations = part.generations(preset.generations);
    summary.measure = format!("{column} after {generations} generations");
    Ok(summary)
}

fn ranked(
    parts: &[RunPart],
    definition: &SweepDefinition,
    summaries: &[PresetSummary],
) -> Vec<CombinationResult> {
    let is_lowest_best = definition.is_lowest_best();
    let all = definition.combinations.iter().zip(summaries).enumerate();
    let combination = |(index, (values, line)): (usize, (&Vec<String>, &PresetSummary))| {
        let part = least_part(line, parts);
        let has_runs = !line.values.is_empty();
        CombinationResult {
            preset: line.preset.clone(),
            index,
            values: values.clone(),
            n: line.n,
            generations: if has_runs {
                part.generations(line.generations)
            } else {
                0
            },
            part,
            solved: line.solved,
            all: line.all,
            is_lower_bound: line.is_lower_bound,
            runs: line.values.clone(),
        }
    };
    let mut all: Vec<CombinationResult> = all.map(combination).collect();
    let cost = |one: &CombinationResult| {
        let sign = if is_lowest_best { 1.0 } else { -1.0 };
        one.all.map_or(f64::INFINITY, |all| sign * all.mean)
    };
    let place = |one: &CombinationResult| parts.iter().position(|&part| part == one.part);
    all.sort_by(|a, b| {
        let further = b.n.cmp(&a.n).then(place(b).cmp(&place(a)));
        further.then(cost(a).total_cmp(&cost(b)))
    });
    all
}

/// The part that is done of all runs. Runs that have met the target are whole.
fn least_part(line: &PresetSummary, parts: &[RunPart]) -> RunPart {
    let is_open = |run: &&RunValue| line.solved.is_none() || run.value.is_none();
    let open = line.values.iter().filter(is_open);
    let least = open.map(|run| run.generations).min();
    let Some(least) = least else {
        return RunPart::WHOLE;
    };
    let is_done = |part: &&RunPart| part.generations(line.generations) <= least;
    parts
        .iter()
        .rev()
        .find(is_done)
        .copied()
        .unwrap_or(parts[0])
}
