//! Changes of parameters during a run, and those that belong to a preset: each is made before a
//! given generation, such as more games late in a run.

use serde::{Deserialize, Serialize};

use crate::params::{ParamError, to_ron};

use super::{GENERATIONS, MAX_GENERATIONS, POPULATION, Preset};

/// A change of a parameter during a run, part of the run's record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Intervention {
    /// The first generation with the new value.
    pub generation: u64,
    /// The path of the parameter, such as `evolution.pairing.opponents`.
    pub key: String,
    /// The value before, in RON.
    pub from: String,
    /// The new value, in RON.
    pub to: String,
}

/// A line of the schedule: the generation, and the parameter with its new value.
fn parse(line: &str) -> Option<(u64, &str, &str)> {
    let (generation, change) = line.split_once(':')?;
    let (key, value) = change.split_once('=')?;
    let generation = generation.trim().parse().ok()?;
    (1..MAX_GENERATIONS)
        .contains(&generation)
        .then_some((generation, key.trim(), value.trim()))
}

impl Preset {
    /// Changes one live parameter during a run if the preset stays valid. Returns its full key. The
    /// schedule is not checked again: a change of it that no longer fits is left out when its
    /// generation comes.
    pub fn change_live(&mut self, key: &str, text: &str) -> Result<String, ParamError> {
        let key = self.full_key(key)?;
        if self.param(&key).is_some_and(|param| param.live) {
            *self = self.changed(&key, text)?;
            return Ok(key);
        }
        let advice = match self.structure(&key) {
            Some(_) => "a fork of the run (F, or finches fork) may change it",
            None => "start a new run to change it",
        };
        Err(match self.evolution.resize_problem() {
            Some(problem) if key == POPULATION => problem.under("evolution"),
            _ => ParamError::new(key, format!("can't be changed during a run; {advice}")),
        })
    }

    /// The preset with one parameter or part changed, if it is valid but for its schedule.
    pub(crate) fn changed(&self, key: &str, text: &str) -> Result<Self, ParamError> {
        let mut changed = self.clone();
        changed.change(key, text)?;
        let schedule = std::mem::take(&mut changed.schedule);
        match changed.problems().into_iter().next() {
            Some(problem) => Err(problem),
            None => Ok(Self {
                schedule,
                ..changed
            }),
        }
    }

    /// The part of the structure that holds a parameter, in RON: what a fork may change, since it
    /// does not decide what genomes are. `None` for all else.
    pub(crate) fn structure(&self, key: &str) -> Option<String> {
        let evolution = &self.evolution;
        let parts: [(&str, &dyn erased_serde::Serialize); 5] = [
            ("genome", &self.genome),
            ("agent", &self.agent),
            ("evolution.pairing", &evolution.pairing),
            ("evolution.fitness", &evolution.fitness),
            ("evolution.selection", &evolution.selection),
        ];
        let is_in = |part: &str| {
            let rest = key.strip_prefix(part);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let part = parts.into_iter().find(|(part, _)| is_in(part));
        part.map(|(_, part)| to_ron(part))
    }

    /// The value of a parameter or of a part of the structure, in RON.
    pub fn value_text(&self, key: &str) -> String {
        let value = self.param(key).map(|param| param.value);
        value.or_else(|| self.structure(key)).unwrap_or_default()
    }

    /// Leaves out the changes of the schedule up to a generation, which has come.
    pub fn forget_schedule_until(&mut self, generation: u64) {
        let is_later = |line: &String| parse(line).is_none_or(|(first, ..)| first > generation);
        self.schedule.retain(is_later);
    }

    /// The changes of the schedule, by generation, as a run records them.
    pub fn scheduled(&self) -> Result<Vec<Intervention>, ParamError> {
        let invalid = |line: &str, reason: &str| {
            let message = format!("lists `{line}`, {reason}");
            ParamError::new("schedule", message)
        };
        let form = "which is not GENERATION: KEY=VALUE with a generation from 1 on, such as \"200: \
            step=0.5\"";
        let mut changes = Vec::new();
        for line in &self.schedule {
            let (generation, key, value) = parse(line).ok_or_else(|| invalid(line, form))?;
            changes.push((generation, line, key, value));
        }
        changes.sort_by_key(|&(generation, ..)| generation);
        // Without the schedule, so that the problems of the preset are those of its parameters.
        let mut preset = Self {
            schedule: Vec::new(),
            ..self.clone()
        };
        let mut scheduled = Vec::new();
        for (generation, line, key, value) in changes {
            let full = preset.full_key(key);
            let full = full.map_err(|error| invalid(line, &error.to_string()))?;
            if full == GENERATIONS {
                return Err(invalid(
                    line,
                    "but the length of a run can't depend on its generations",
                ));
            }
            let of = |preset: &Self| preset.param(&full).map(|param| param.value);
            let from = of(&preset).unwrap_or_default();
            let changed = preset.change_live(&full, value);
            changed.map_err(|error| invalid(line, &format!("but {error}")))?;
            scheduled.push(Intervention {
                generation,
                from,
                to: of(&preset).unwrap_or_default(),
                key: full,
            });
        }
        Ok(scheduled)
    }

    /// The changes that a run makes: the recorded ones, and those of the schedule that are not
    /// among them.
    pub fn with_scheduled(&self, mut recorded: Vec<Intervention>) -> Vec<Intervention> {
        let is_same = |one: &Intervention, other: &Intervention| {
            (one.generation, &one.key, &one.to) == (other.generation, &other.key, &other.to)
        };
        for change in self.scheduled().unwrap_or_default() {
            if !recorded.iter().any(|known| is_same(known, &change)) {
                recorded.push(change);
            }
        }
        recorded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn preset(schedule: &[&str]) -> Preset {
        let lines = schedule.iter().map(|&line| line.to_owned());
        Preset {
            schedule: lines.collect(),
            ..Preset::default()
        }
    }

    #[test]
    fn changes_come_in_the_order_of_their_generations() {
        let preset = preset(&["20: opponents = 7", "10: evolution.pairing.opponents=5"]);
        let found = preset.scheduled().expect("it is sound");
        let found: Vec<_> = found
            .iter()
            .map(|change| (change.generation, &*change.from, &*change.to))
            .collect();
        assert_eq!(found, [(10, "50", "5"), (20, "5", "7")]);
        assert_eq!(preset.problems(), []);
    }

    #[test]
    fn recorded_changes_are_not_repeated() {
        let preset = preset(&["10: opponents=5"]);
        let once = preset.with_scheduled(Vec::new());
        assert_eq!(once.len(), 1);
        assert_eq!(preset.with_scheduled(once.clone()), once);
    }

    #[test]
    fn what_cannot_be_changed_is_refused() {
        for (line, reason) in [
            ("opponents=5", "is not GENERATION"),
            ("0: opponents=5", "is not GENERATION"),
            ("5: nothing=5", "no such parameter"),
            ("5: seed=50", "no such parameter"),
            ("5: population=50", "half the population"),
            ("5: opponents=5000", "at most"),
            ("5: generations=50", "length of a run"),
        ] {
            let problems = preset(&[line]).problems();
            let [problem] = &problems[..] else {
                panic!("{line}: {problems:?}");
            };
            assert_eq!(problem.path, "schedule");
            assert!(problem.to_string().contains(reason), "{problem}");
        }
    }
}
