//! Runs as they are laid over one another: read from disk, as the dashboard watches it, or several taken together.

use std::borrow::Cow;

use crate::metrics::history::History;
use crate::metrics::over::Over;
use crate::metrics::{Columns, Row};
use crate::preset::Preset;
use crate::storage::saves::Saves;
use crate::ui::app::watch::{Watch, sample};
use crate::ui::widgets::across::Track;

use super::settings::Settings;

/// A saved run as far as it is compared: bounded, however long it is.
#[derive(Clone, Debug)]
pub(super) struct Course {
    seed: u64,
    preset: Preset,
    settings: Settings,
    columns: Columns,
    history: History,
}

impl Course {
    /// Reads a run, row by row.
    pub(super) fn read(saves: &Saves, name: &str) -> Result<Self, String> {
        let run = saves.run_file(name).map_err(|error| error.to_string())?;
        let mut known: Option<(Columns, History)> = None;
        let each = |names: &[String], row: &Row| {
            let (_, history) = known.get_or_insert_with(|| begun(names));
            history.push(row);
        };
        let names = saves.each_row(name, each);
        let names = names.map_err(|error| error.to_string())?;
        let (columns, history) = known.unwrap_or_else(|| begun(&names));
        Ok(Self {
            seed: run.seed,
            settings: Settings::recorded(&run.preset, &run.interventions),
            preset: run.preset,
            columns,
            history,
        })
    }
}

fn begun(names: &[String]) -> (Columns, History) {
    (Columns::named(names), History::new(names.len()))
}

/// A run, or several as one, in the comparison.
#[derive(Clone, Debug)]
pub(super) struct Runner<'a> {
    pub(super) name: String,
    /// Its seed, or how many runs it stands for.
    pub(super) seed: String,
    pub(super) preset: &'a Preset,
    pub(super) settings: Cow<'a, Settings>,
    pub(super) columns: Cow<'a, Columns>,
    pub(super) history: Cow<'a, History>,
}

impl<'a> Runner<'a> {
    pub(super) fn saved(name: &str, course: &'a Course) -> Self {
        Self {
            name: name.to_owned(),
            seed: course.seed.to_string(),
            preset: &course.preset,
            settings: Cow::Borrowed(&course.settings),
            columns: Cow::Borrowed(&course.columns),
            history: Cow::Borrowed(&course.history),
        }
    }

    /// The run that goes on.
    pub(super) fn live(name: &str, watch: &'a Watch) -> Self {
        let facts = &watch.facts;
        let before = facts.preset.params();
        let now = watch.preset.params();
        let changed = now
            .iter()
            .zip(&before)
            .filter(|(now, before)| now.value != before.value);
        let changed = changed.map(|(now, _)| now.key.as_str());
        let recorded = facts.interventions.iter().map(|turned| turned.key.as_str());
        let turned: Vec<&str> = recorded.chain(changed).collect();
        Self {
            name: name.to_owned(),
            seed: facts.seed.to_string(),
            preset: &facts.preset,
            settings: Cow::Owned(Settings::of(&watch.preset, &turned)),
            columns: Cow::Borrowed(&facts.columns),
            history: Cow::Borrowed(&watch.history),
        }
    }

    pub(super) fn track(&self, over: Over) -> Track<'_> {
        Track::of(over, &self.history, &self.columns)
    }

    /// Games behind a figure of a column, where it is a sample.
    pub(super) fn sample(&self, column: &str) -> Option<u32> {
        sample(&self.preset.measures, column)
    }
}

/// Generations at which runs taken together are looked at, at most.
const MOMENTS: u64 = 400;

/// Runs of the same preset as one each: a generation holds the figures of all its runs that got that far, so that the mean is
/// that over the runs and the spread goes from the lowest run to the highest.
pub(super) fn grouped<'a>(runs: Vec<Runner<'a>>, column: &str) -> Vec<Runner<'a>> {
    let mut groups: Vec<Vec<Runner<'a>>> = Vec::new();
    for run in runs {
        let same = |group: &&mut Vec<Runner<'a>>| group[0].preset.name == run.preset.name;
        match groups.iter_mut().find(same) {
            Some(group) => group.push(run),
            None => groups.push(vec![run]),
        }
    }
    groups
        .into_iter()
        .map(|group| together(group, column))
        .collect()
}

fn together<'a>(mut group: Vec<Runner<'a>>, column: &str) -> Runner<'a> {
    if group.len() == 1 {
        return group.remove(0);
    }
    let names = ["generation", "games", "seconds", column].map(str::to_owned);
    let columns = Columns::named(&names);
    let mut history = History::bounded(names.len(), MOMENTS as usize + 1);
    let start = group
        .iter()
        .map(|run| run.history.start())
        .min()
        .unwrap_or(0);
    let end = group.iter().map(|run| run.history.end()).max().unwrap_or(0);
    let step = (end.saturating_sub(start) / MOMENTS).max(1);
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
    Runner {
        name: format!("{}, mean", first.preset.name),
        seed: format!("{count} runs"),
        columns: Cow::Owned(columns),
        history: Cow::Owned(history),
        ..first
    }
}

impl Runner<'_> {
    fn has(&self, generation: u64) -> bool {
        (self.history.start()..=self.history.end()).contains(&generation)
    }

    /// The figure of a column that holds at a generation.
    fn at(&self, name: &str, generation: u64) -> Option<f64> {
        let place = self.columns.place(name)?;
        self.history.read(place, generation)?.bucket.mean()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::presets;

    fn course(preset: &str, seed: u64, generations: u32) -> Course {
        let names = ["generation", "games", "seconds", "accuracy_states"].map(str::to_owned);
        let (columns, mut history) = begun(&names);
        for generation in 0..generations {
            let at = f64::from(generation);
            let values = [at, at * 100.0, at, seed as f64 / 10.0];
            history.push(&Row::from_values(values.map(Some).to_vec()));
        }
        let preset = presets::load(preset).expect("it ships");
        Course {
            seed,
            settings: Settings::of(&preset, &[]),
            preset,
            columns,
            history,
        }
    }

    #[test]
    fn runs_of_a_preset_become_their_mean_and_the_range_between_them() {
        let courses = [
            course("nim-2x4", 2, 100),
            course("nim-2x2", 7, 10),
            course("nim-2x4", 6, 50),
        ];
        let runs = courses.iter().map(|course| Runner::saved("run", course));
        let groups = grouped(runs.collect(), "accuracy_states");
        let names: Vec<&str> = groups.iter().map(|group| group.name.as_str()).collect();
        assert_eq!(names, ["nim-2x4, mean", "run"]);
        assert_eq!(groups[0].seed, "2 runs");
        let place = groups[0]
            .columns
            .place("accuracy_states")
            .expect("it is kept");
        let read = |generation| {
            groups[0]
                .history
                .read(place, generation)
                .expect("it is there")
        };
        let both = read(49).bucket;
        assert!((both.mean().expect("two figures") - 0.4).abs() < 1e-9);
        assert_eq!((both.min, both.max), (0.2, 0.6));
        let rest = read(50).bucket;
        assert_eq!((rest.min, rest.max), (0.2, 0.2), "the other has ended");
    }
}
