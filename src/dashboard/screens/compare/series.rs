//! The data series of a comparison: a run read from disk, the live run, or several runs averaged.

use std::borrow::Cow;

use crate::jobs::JobError;
use crate::model::run::RunModel;
use crate::widgets::x_axis::RunAxis;
use finches_engine::metrics::history::History;
use finches_engine::metrics::progress_unit::ProgressUnit;
use finches_engine::metrics::{Column, Columns, Row};
use finches_engine::preset::Preset;
use finches_engine::session::measures::{columns_named, progress};
use finches_runs::storage::saves::Saves;
use finches_runs::storage::views::RunGrouping;

use super::parameters::{RunParameters, last_word};

/// A saved run, reduced to what a comparison needs. Its size is bounded for runs of any length.
#[derive(Clone, Debug)]
pub(super) struct SavedRunHistory {
    seed: u64,
    preset: Preset,
    parameters: RunParameters,
    columns: Columns,
    history: History,
}

impl SavedRunHistory {
    /// Reads a run row by row.
    pub(super) fn read(saves: &Saves, name: &str) -> Result<Self, JobError> {
        let run = saves.run_file(name)?;
        let mut known: Option<(Columns, History)> = None;
        let each = |names: &[String], row: &Row| {
            let (_, history) = known.get_or_insert_with(|| empty_history(names));
            history.push(row);
        };
        let names = saves.for_each_row(name, each)?;
        let (columns, history) = known.unwrap_or_else(|| empty_history(&names));
        Ok(Self {
            seed: run.seed,
            parameters: RunParameters::recorded(&run.preset, &run.interventions),
            preset: run.preset,
            columns,
            history,
        })
    }
}

impl SavedRunHistory {
    /// A run that has just begun.
    pub(super) fn empty(preset: &Preset, seed: u64, columns: &Columns) -> Self {
        Self {
            seed,
            parameters: RunParameters::of(preset, &[]),
            preset: preset.clone(),
            columns: columns.clone(),
            history: History::new(columns.all().len()),
        }
    }

    /// Adds the next row.
    pub(super) fn push(&mut self, row: &Row) {
        self.history.push(row);
    }
}

fn empty_history(names: &[String]) -> (Columns, History) {
    (columns_named(names), History::new(names.len()))
}

/// A series of the comparison: one run, or several runs averaged.
#[derive(Clone, Debug)]
pub(super) struct ComparedSeries<'a> {
    pub(super) name: String,
    /// The seed, or the number of runs averaged.
    pub(super) seed: String,
    pub(super) preset: &'a Preset,
    pub(super) parameters: Cow<'a, RunParameters>,
    pub(super) columns: Cow<'a, Columns>,
    pub(super) history: Cow<'a, History>,
}

impl<'a> ComparedSeries<'a> {
    pub(super) fn saved(name: &str, saved_run: &'a SavedRunHistory) -> Self {
        Self {
            name: name.to_owned(),
            seed: saved_run.seed.to_string(),
            preset: &saved_run.preset,
            parameters: Cow::Borrowed(&saved_run.parameters),
            columns: Cow::Borrowed(&saved_run.columns),
            history: Cow::Borrowed(&saved_run.history),
        }
    }

    /// The live run.
    pub(super) fn live(name: &str, watch: &'a RunModel) -> Self {
        let facts = &watch.facts;
        let before = facts.preset.params();
        let now = watch.preset.params();
        let changed = now
            .iter()
            .zip(&before)
            .filter(|(now, before)| now.value != before.value);
        let changed = changed.map(|(now, _)| now.key.as_str());
        let recorded = facts.interventions.iter().map(|change| change.key.as_str());
        let changed_keys: Vec<&str> = recorded.chain(changed).collect();
        Self {
            name: name.to_owned(),
            seed: facts.seed.to_string(),
            preset: &facts.preset,
            parameters: Cow::Owned(RunParameters::of(&watch.preset, &changed_keys)),
            columns: Cow::Borrowed(&facts.columns),
            history: Cow::Borrowed(&watch.history),
        }
    }

    pub(super) fn track(&self, x_unit: ProgressUnit) -> RunAxis<'_> {
        RunAxis::of(x_unit, &self.history, &self.columns)
    }

    /// The number of games behind a value of a column, if it is a sample.
    pub(super) fn sample(&self, column: &Column) -> Option<u32> {
        self.preset.measures.games_of(column.basis)
    }
}

/// The maximum number of generations at which averaged runs are sampled.
const MAX_POINTS: u64 = 400;

/// Averages the runs of each group. A generation holds the values of all runs that reached it: the
/// mean is over these runs, and minimum and maximum are the lowest and the highest run.
pub(super) fn grouped<'a>(
    runs: Vec<ComparedSeries<'a>>,
    grouping: &RunGrouping,
    column: &str,
) -> Vec<ComparedSeries<'a>> {
    let name = |run: &ComparedSeries<'a>| match grouping {
        RunGrouping::Each => run.name.clone(),
        RunGrouping::ByPreset => run.preset.name.clone(),
        RunGrouping::ByParameter(key) => {
            let word = last_word(key);
            let value = run.parameters.value(key).map_or("none", String::as_str);
            format!("{word} {value}")
        }
    };
    let mut groups: Vec<(String, Vec<ComparedSeries<'a>>)> = Vec::new();
    for run in runs {
        let own = name(&run);
        match groups.iter_mut().find(|(known, _)| *known == own) {
            Some((_, group)) => group.push(run),
            None => groups.push((own, vec![run])),
        }
    }
    groups
        .into_iter()
        .map(|(name, group)| average(format!("{name}, mean"), group, column))
        .collect()
}

/// Averages the runs of a group under a name; there is at least one, and one alone stays as it is.
pub(super) fn average<'a>(
    name: String,
    mut group: Vec<ComparedSeries<'a>>,
    column: &str,
) -> ComparedSeries<'a> {
    if group.len() == 1 {
        return group.remove(0);
    }
    let names = [progress::GENERATION, progress::GAMES, progress::SECONDS];
    let names = names.map(|measure| measure.name);
    let names = names.into_iter().chain([column]);
    let names: Vec<String> = names.map(str::to_owned).collect();
    let columns = columns_named(&names);
    let mut history = History::bounded(names.len(), MAX_POINTS as usize + 1);
    let start = group
        .iter()
        .map(|run| run.history.start())
        .min()
        .unwrap_or(0);
    let end = group.iter().map(|run| run.history.end()).max().unwrap_or(0);
    let step = (end.saturating_sub(start) / MAX_POINTS).max(1);
    for generation in (start..=end).step_by(step as usize) {
        for run in group.iter().filter(|run| run.has(generation)) {
            let figure = |name: &String| run.at(name, generation);
            let mut values: Vec<Option<f64>> = names.iter().map(figure).collect();
            values[0] = Some(generation as f64);
            history.push(&Row::from_values(values));
        }
    }
    let count = group.len();
    let first = group.remove(0);
    ComparedSeries {
        name,
        seed: format!("{count} runs"),
        columns: Cow::Owned(columns),
        history: Cow::Owned(history),
        ..first
    }
}

impl ComparedSeries<'_> {
    fn has(&self, generation: u64) -> bool {
        (self.history.start()..=self.history.end()).contains(&generation)
    }

    /// The value of a column at a generation.
    fn at(&self, name: &str, generation: u64) -> Option<f64> {
        let index = self.columns.place(name)?;
        self.history.read(index, generation)?.bucket.mean()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use finches_runs::storage::presets;

    fn saved_run(preset: &str, seed: u64, generations: u32) -> SavedRunHistory {
        let names = ["generation", "games", "seconds", "accuracy_states"].map(str::to_owned);
        let (columns, mut history) = empty_history(&names);
        for generation in 0..generations {
            let at = f64::from(generation);
            let values = [at, at * 100.0, at, seed as f64 / 10.0];
            history.push(&Row::from_values(values.map(Some).to_vec()));
        }
        let preset = presets::load(preset).expect("it ships");
        SavedRunHistory {
            seed,
            parameters: RunParameters::of(&preset, &[]),
            preset,
            columns,
            history,
        }
    }

    #[test]
    fn runs_of_a_preset_become_their_mean_and_the_range_between_them() {
        let courses = [
            saved_run("nim-2x4", 2, 100),
            saved_run("nim-2x2", 7, 10),
            saved_run("nim-2x4", 6, 50),
        ];
        let runs = courses
            .iter()
            .map(|saved_run| ComparedSeries::saved("run", saved_run));
        let runs: Vec<ComparedSeries<'_>> = runs.collect();
        let groups = grouped(runs.clone(), &RunGrouping::ByPreset, "accuracy_states");
        let names: Vec<&str> = groups.iter().map(|group| group.name.as_str()).collect();
        assert_eq!(names, ["nim-2x4, mean", "run"]);
        assert_eq!(groups[0].seed, "2 runs");
        let index = groups[0]
            .columns
            .place("accuracy_states")
            .expect("it is kept");
        let read = |generation| {
            groups[0]
                .history
                .read(index, generation)
                .expect("it is there")
        };
        let both = read(49).bucket;
        assert!((both.mean().expect("two figures") - 0.4).abs() < 1e-9);
        assert_eq!((both.min, both.max), (0.2, 0.6));
        let rest = read(50).bucket;
        assert_eq!((rest.min, rest.max), (0.2, 0.2), "the other has ended");
        // By the value of a parameter, whatever the preset; a run alone keeps its name.
        let by_heaps = RunGrouping::ByParameter("game.heaps".to_owned());
        let groups = grouped(runs, &by_heaps, "accuracy_states");
        let names: Vec<&str> = groups.iter().map(|group| group.name.as_str()).collect();
        assert_eq!(names, ["heaps [4,4], mean", "run"]);
    }
}
