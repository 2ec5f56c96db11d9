//! Sweeps: a preset with every combination of the values of some parameters. Each combination is a preset of its own, so that
//! its runs are those of any experiment.

use super::ExperimentError;
use crate::preset::Preset;

/// Most presets of a sweep.
pub const MOST_CONFIGURATIONS: usize = 10_000;

/// A parameter and the values that it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepFactor {
    /// The path of the parameter, or its last word.
    pub key: String,
    /// The values, as they are written in presets.
    pub values: Vec<String>,
}

impl SweepFactor {
    /// Parses `KEY=VALUE,VALUE,...`, `KEY=LOW..HIGH COUNT` or `KEY=LOW..HIGH log COUNT`.
    pub fn parse(text: &str) -> Result<Self, ExperimentError> {
        let wrong = || {
            ExperimentError::Usage(format!(
                "`{text}` varies nothing; write KEY=VALUE,VALUE or 'KEY=LOW..HIGH COUNT' or 'KEY=LOW..HIGH log COUNT'"
            ))
        };
        let (key, values) = text.split_once('=').ok_or_else(wrong)?;
        let values: Vec<String> = match values.split_once("..") {
            Some((low, rest)) => range(low, rest).ok_or_else(wrong)?,
            None => values.split(',').map(|one| one.trim().to_owned()).collect(),
        };
        if key.trim().is_empty() || values.iter().any(String::is_empty) {
            return Err(wrong());
        }
        Ok(Self {
            key: key.trim().to_owned(),
            values,
        })
    }
}

/// Evenly spaced values, both ends included.
fn range(low: &str, rest: &str) -> Option<Vec<String>> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let (high, is_log, count) = match words[..] {
        [high, count] => (high, false, count),
        [high, "log", count] => (high, true, count),
        _ => return None,
    };
    let (low, high): (f64, f64) = (low.trim().parse().ok()?, high.parse().ok()?);
    let count: usize = count.parse().ok()?;
    let fits = low.is_finite() && high.is_finite() && low < high && (low > 0.0 || !is_log);
    if !fits || !(2..=MOST_CONFIGURATIONS).contains(&count) {
        return None;
    }
    let at = |index: usize| {
        let share = index as f64 / (count - 1) as f64;
        let value = if is_log {
            low * (high / low).powf(share)
        } else {
            low + (high - low) * share
        };
        // Six digits are the same on every machine and keep names short.
        let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
        rounded.to_string()
    };
    Some((0..count).map(at).collect())
}

/// The presets of a grid; the last parameter changes fastest. All invalid combinations are errors.
pub fn grid(preset: &Preset, factors: &[SweepFactor]) -> Result<Vec<Preset>, ExperimentError> {
    let sizes = factors.iter().map(|factor| factor.values.len());
    let count = sizes.fold(1_usize, usize::saturating_mul);
    if count > MOST_CONFIGURATIONS {
        return Err(ExperimentError::Usage(format!(
            "{count} combinations are too many; at most {MOST_CONFIGURATIONS} are allowed, try fewer values"
        )));
    }
    (0..count)
        .map(|index| {
            let changes = combination(factors, index);
            let mut changed = preset.clone();
            changed.name = name(&preset.name, &changes);
            Ok(changed.with(&changes)?)
        })
        .collect()
}

/// The values of one combination, as key and value.
fn combination(factors: &[SweepFactor], mut index: usize) -> Vec<(String, String)> {
    let mut changes = Vec::new();
    for factor in factors.iter().rev() {
        let values = &factor.values;
        changes.push((factor.key.clone(), values[index % values.len()].clone()));
        index /= values.len();
    }
    changes.reverse();
    changes
}

/// A name that is also a file name.
fn name(preset: &str, changes: &[(String, String)]) -> String {
    let is_safe = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
    let mut name = preset.to_owned();
    for (key, value) in changes {
        let word = key.rsplit('.').next().unwrap_or(key);
        let safe = |letter| if is_safe(letter) { letter } else { '_' };
        let value: String = value.chars().map(safe).collect();
        name += &format!("+{word}={value}");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Option<Vec<String>> {
        Some(SweepFactor::parse(text).ok()?.values)
    }

    #[test]
    fn lists_and_ranges_are_read() {
        let check = |text, expected: &[&str]| {
            let expected = expected.iter().map(ToString::to_string).collect();
            assert_eq!(values(text), Some(expected), "{text}");
        };
        check("add_node=0.1, 0.2", &["0.1", "0.2"]);
        check("step=0..1 3", &["0", "0.5", "1"]);
        check("step=0.1..10 log 3", &["0.1", "1", "10"]);
        for wrong in [
            "step",
            "=1",
            "step=1,,2",
            "step=1..0 3",
            "step=0..1 log 3",
            "step=0..1",
        ] {
            assert_eq!(values(wrong), None, "{wrong}");
        }
    }
}
