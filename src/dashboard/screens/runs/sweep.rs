//! What the map and the effects have in common: the results of a sweep, or of any runs by the
//! values in which they differ; which of them are selected; and how good a value is.

use std::collections::BTreeMap;
use std::sync::Arc;

use ratatui::text::Line;

use crate::theme::Theme;
use crate::widgets::plot::wider;
use finches_engine::metrics::Column;
use finches_engine::metrics::history::Goal;
use finches_engine::preset::Preset;
use finches_lab::experiment::summary::PresetSummary;
use finches_lab::experiment::sweep::effects::{LevelEffect, goodness};
use finches_lab::experiment::sweep::results::{ConfirmationVerdict, SweepResults};
use finches_runs::storage::experiments::manifest::Manifest;
use finches_runs::storage::experiments::sweep::SweepDefinition;
use finches_runs::storage::run_filter::RunFacts;

use super::groups::{self, GroupOutcomes, without_target};
use super::parameters::{MISSING, in_words, last_word};
use super::{RunSet, RunsView};

/// A sweep as it is shown, or other runs as if they were one.
pub(super) struct SweepView<'a> {
    pub(super) results: &'a SweepResults,
    /// The two parameters of the map; `None` for the two strongest.
    pub(super) chosen: Option<&'a [String; 2]>,
}

/// The parameters by whose values the presets of an experiment are named, and the values of each.
pub(super) struct PresetValues {
    parameters: Vec<String>,
    values: BTreeMap<String, Vec<String>>,
}

impl PresetValues {
    /// Those of a sweep, or of presets whose names contain all values in which they differ.
    pub(super) fn of(manifest: &Manifest, facts: &[Arc<RunFacts>]) -> Option<Self> {
        let (parameters, values) = match &manifest.sweep {
            Some(sweep) => {
                let names = sweep.names().into_iter().map(in_words);
                (names.collect(), sweep.combinations.clone())
            }
            None => in_names(manifest, facts)?,
        };
        let names = manifest.presets.iter().map(|preset| preset.name.clone());
        let values = names.zip(values).collect();
        Some(Self { parameters, values })
    }

    /// The values of a preset as its name.
    pub(super) fn short(&self, preset: &str) -> Option<String> {
        Some(self.values.get(preset)?.join("/"))
    }

    /// The values of a preset with the names of their parameters.
    pub(super) fn words(&self, preset: &str) -> Option<String> {
        let pairs = self.parameters.iter().zip(self.values.get(preset)?);
        let pairs = pairs.map(|(name, value)| format!("{name} {value}"));
        Some(pairs.collect::<Vec<_>>().join(", "))
    }

    /// What the values in short names are of.
    pub(super) fn key(&self) -> String {
        self.parameters.join("/")
    }
}

/// The parameters in which presets differ, and their values, if the names contain them.
fn in_names(
    manifest: &Manifest,
    facts: &[Arc<RunFacts>],
) -> Option<(Vec<String>, Vec<Vec<String>>)> {
    let all: Vec<&RunFacts> = facts.iter().map(|one| &**one).collect();
    let keys = RunFacts::differing(&all);
    let own = |preset: &Preset, one: &RunFacts| {
        let value = |key: &String| {
            let (value, word) = (one.text(key)?, key.rsplit('.').next()?);
            let is_named = preset.name.contains(&format!("-{word}-{value}"));
            is_named.then_some(value)
        };
        keys.iter().map(value).collect()
    };
    let all = manifest.presets.iter().zip(all);
    let values = all
        .map(|(preset, one)| own(preset, one))
        .collect::<Option<_>>()?;
    let names = keys.iter().map(|key| last_word(key));
    (!keys.is_empty()).then(|| (names.collect(), values))
}

/// What fresh seeds say about the best combination of a sweep beside the unchanged preset, in a
/// word or two.
pub(super) fn verdict<'a>(sweep: &SweepResults, theme: &Theme) -> Option<Line<'a>> {
    let (words, style) = match sweep.confirmation.as_ref()?.verdict()? {
        ConfirmationVerdict::Refuted => ("best: refuted", theme.bad),
        ConfirmationVerdict::Confirmed => ("best: confirmed", theme.good),
        ConfirmationVerdict::Unsure => ("best: not certain", theme.warning),
    };
    Some(Line::styled(words, style))
}

/// Runs by the values of the parameters in which they differ, as a sweep.
pub(super) struct DifferingRuns {
    definition: SweepDefinition,
    combinations: Vec<GroupOutcomes>,
}

/// The values of a parameter in which runs differ, one for each run.
struct DifferingValues {
    name: String,
    values: Vec<String>,
    /// The parameters that differ in the same runs; their effects can't be told apart.
    others: Vec<String>,
}

impl DifferingRuns {
    /// `None` if these runs, by index, differ in no parameter. A map may have parameters that
    /// always change together.
    pub(super) fn of(
        (set, view): (&RunSet, RunsView),
        members: &[usize],
        column: &Column,
    ) -> Option<Self> {
        let entries = set.list.entries();
        let known = members
            .iter()
            .filter_map(|&place| Some((place, entries[place].facts.as_ref()?)));
        let (places, facts): (Vec<usize>, Vec<&RunFacts>) = known.unzip();
        let presets = (set.list.presets > 1).then(|| "preset".to_owned());
        let keys: Vec<String> = presets
            .into_iter()
            .chain(set.list.differing(&places))
            .collect();
        let mut parameters = differing(&keys, &facts, true);
        if view == RunsView::Map && parameters.len() == 1 {
            parameters = differing(&keys, &facts, false);
        }
        if parameters.is_empty() {
            return None;
        }
        let mut groups: BTreeMap<Vec<&str>, Vec<usize>> = BTreeMap::new();
        for (run, &place) in places.iter().enumerate() {
            let values = parameters.iter().map(|one| one.values[run].as_str());
            groups.entry(values.collect()).or_default().push(place);
        }
        // The value is that of the shown column for all runs, or their time to one target of it.
        let preset_of = |place| Some(set.kind(place, None)?.preset);
        let mut preset = preset_of(*places.first()?)?;
        let mut others = places.iter().filter_map(|&place| preset_of(place));
        let target = preset.stop_condition();
        let is_shown = target.is_some_and(|target| target.column() == column.name);
        if !is_shown || others.any(|other| other.until != preset.until) {
            preset = without_target(&preset);
        }
        let outcomes = |(index, own): (usize, &Vec<usize>)| {
            GroupOutcomes::of(&set.list, (index, Arc::clone(&preset)), own, &column.name)
        };
        let outcomes = groups.values().enumerate().map(outcomes).collect();
        let name = |one: DifferingValues| match &one.others[..] {
            [] => one.name,
            [other] => format!("{} and {other}", one.name),
            others => format!("{} and {} more", one.name, others.len()),
        };
        let own = |values: Vec<&str>| values.into_iter().map(str::to_owned).collect();
        let combinations = groups.into_keys().map(own).collect();
        let keys = parameters.into_iter().map(name).collect();
        let definition = SweepDefinition {
            has_unchanged: false,
            column: Some(column.name.clone()),
            lowest: column.goal == Goal::Minimize,
            ..SweepDefinition::grid((*preset).clone(), keys, combinations)
        };
        Some(Self {
            definition,
            combinations: outcomes,
        })
    }

    /// The results of the combinations that have some; `None` without any. Those of many runs take
    /// a while.
    pub(super) fn results(&self) -> Option<SweepResults> {
        let own = self.definition.combinations.iter().zip(&self.combinations);
        let known = own.filter_map(|(values, one)| Some((values.clone(), one.summary()?)));
        let (combinations, summaries): (Vec<_>, Vec<PresetSummary>) = known.unzip();
        let definition = SweepDefinition {
            combinations,
            ..self.definition.clone()
        };
        (!summaries.is_empty()).then(|| SweepResults::of_groups(&definition, &summaries))
    }
}

/// The interval of the mean of a value of a parameter; the mean alone if there is none.
pub(super) fn interval(level: &LevelEffect) -> (f64, f64) {
    level.interval.unwrap_or((level.mean, level.mean))
}

/// Those of the parameters in which runs differ. Those that differ in the same runs may be `merged`
/// to one.
fn differing(keys: &[String], runs: &[&RunFacts], merged: bool) -> Vec<DifferingValues> {
    let mut found: Vec<DifferingValues> = Vec::new();
    let mut known: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
    for key in keys {
        let values = runs.iter().map(|run| run.text(key));
        let values: Vec<String> = values
            .map(|value| value.unwrap_or_else(|| MISSING.to_owned()))
            .collect();
        let mut levels: BTreeMap<&str, usize> = BTreeMap::new();
        let level = |value| {
            let next = levels.len();
            *levels.entry(value).or_insert(next)
        };
        let pattern = values.iter().map(String::as_str).map(level).collect();
        if levels.len() < 2 {
            continue;
        }
        let place = *known.entry(pattern).or_insert(found.len());
        match found.get_mut(place).filter(|_| merged) {
            Some(same) => same.others.push(last_word(key)),
            None => found.push(DifferingValues {
                name: last_word(key),
                values,
                others: Vec::new(),
            }),
        }
    }
    found
}

impl SweepView<'_> {
    /// The two parameters of the map; `None` if there is only one, or if of single runs most fields
    /// would be empty.
    pub(super) fn pair(&self) -> Option<(usize, usize)> {
        let strongest = || match &self.results.effects[..] {
            [a, b, ..] => (a.index, b.index),
            _ => (0, 1),
        };
        let two = (self.results.parameters.len() > 1).then_some(());
        let (a, b) = two.map(|()| self.chosen_pair().unwrap_or_else(strongest))?;
        let fields = self.results.pair(a, b).means.concat();
        let is_filled = 2 * fields.iter().flatten().count() > fields.len();
        let mut combinations = self.results.combinations.iter();
        (is_filled || combinations.any(|one| one.n > 1)).then_some((a, b))
    }

    /// The two chosen parameters, if the results have both.
    fn chosen_pair(&self) -> Option<(usize, usize)> {
        let mut names = self.results.parameters.iter();
        let [a, b] = self.chosen?;
        // The first stands before the second.
        let first = names.position(|name| name == a)?;
        Some((first, first + 1 + names.position(|name| name == b)?))
    }

    /// The next two parameters, or those before; beyond the last, the two strongest.
    pub(super) fn other_pair(&self, is_next: bool) -> Option<[String; 2]> {
        let parameters = &self.results.parameters;
        let count = parameters.len();
        let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
        let pairs: Vec<(usize, usize)> = pairs.collect();
        if pairs.len() == 1 {
            return None;
        }
        let chosen = self.chosen_pair();
        let place = pairs.iter().position(|&pair| Some(pair) == chosen);
        let (a, b) = *match (is_next, place) {
            (true, place) => pairs.get(place.map_or(0, |place| place + 1)),
            (false, Some(place)) => pairs.get(place.checked_sub(1)?),
            (false, None) => pairs.last(),
        }?;
        Some([&parameters[a], &parameters[b]].map(String::clone))
    }

    /// What is compared, in words.
    pub(super) fn measure(&self) -> String {
        groups::measure_words(&self.results.measure)
    }

    /// A value of the measure in the unit of its column.
    pub(super) fn figure(&self, value: f64) -> String {
        groups::figure(&self.results.measure, value)
    }

    /// A value of what the effects are about.
    pub(super) fn effect_figure(&self, value: f64) -> String {
        groups::figure(self.effects_measure(), value)
    }

    fn effects_measure(&self) -> &str {
        let measure = self.results.effects_measure.as_ref();
        measure.unwrap_or(&self.results.measure)
    }

    /// The place of a value on the way from the worst to the best, 0..=1.
    pub(super) fn goodness(&self, value: f64) -> f64 {
        let means = self.results.combinations.iter();
        let means = means.filter_map(|one| one.all.map(|all| all.mean));
        goodness(value, means, self.results.is_lowest_best)
    }

    /// The ends of the axis of effects: those of all intervals.
    pub(super) fn axis(&self) -> (f64, f64) {
        let effects = self.results.effects.iter();
        let levels = effects.flat_map(|effect| &effect.levels);
        let intervals = levels.map(interval);
        intervals.reduce(wider).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::{RunEnd, RunEntry};
    use super::super::list::RunList;
    use super::*;
    use finches_runs::storage::presets;
    use finches_runs::storage::run_facts::RunToFilter;
    use finches_runs::storage::run_filter::FactNames;
    use finches_runs::storage::views::RunGrouping;

    #[test]
    fn the_first_run_of_a_combination_is_that_which_met_the_target_first() {
        let run = |(seed, reached): (u64, Option<u64>)| {
            let mut run = RunEntry::waiting(format!("run-{seed}"), "best", seed, 100);
            let generations = reached.map_or(100, |at| at + 1);
            let end = RunEnd {
                generations,
                reached,
            };
            (run.end, run.generation) = (Some(end), generations);
            run
        };
        let runs = [(1, Some(30)), (2, None), (3, Some(20))].map(run);
        let names = FactNames::default();
        let mut list = RunList::of(runs.into(), names, RunGrouping::ByPreset);
        list.set_ranks(["best"].into_iter(), ("wrong_decisions", Goal::Minimize));
        assert!(list.open_group());
        let listed = list.rows().iter().map(|row| row.name.as_str());
        assert_eq!(listed.collect::<Vec<_>>(), ["run-3", "run-1", "run-2"]);
    }

    #[test]
    fn presets_whose_names_contain_the_values_in_which_they_differ_are_shown_by_these() {
        let found = |name: fn(&str) -> String| {
            let preset = |value: &str| {
                let mut preset = presets::load("nim-2x4-value").expect("it ships");
                preset
                    .change("genome.add_node", value)
                    .expect("it is valid");
                preset.name = name(value);
                preset
            };
            let presets = ["0.05", "0.2"].map(preset).to_vec();
            let manifest = Manifest::new(presets, 1, 2).expect("the names differ");
            let mut names = FactNames::default();
            let facts = manifest.presets.iter().map(|preset| {
                let run = RunToFilter {
                    name: "",
                    tags: &[],
                    seed: 1,
                    generation: 0,
                    preset,
                };
                Arc::new(run.facts(std::iter::empty(), &mut names))
            });
            PresetValues::of(&manifest, &facts.collect::<Vec<_>>())
        };
        let values = found(|value| format!("nim-add_node-{value}")).expect("they are named so");
        assert_eq!(values.key(), "add node");
        assert_eq!(values.short("nim-add_node-0.2").as_deref(), Some("0.2"));
        let words = values.words("nim-add_node-0.05");
        assert_eq!(words.as_deref(), Some("add node 0.05"));
        assert!(found(|value| format!("nim-{value}")).is_none());
    }
}
