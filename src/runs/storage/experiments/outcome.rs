//! The outcome of one run of an experiment, as JSON with a checksum.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The outcome of a run: the content of `runs/PRESET-SEED.json`, followed there by a checksum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunOutcome {
    /// The name of the preset.
    pub preset: String,
    /// The seed of the run.
    pub seed: u64,
    /// Checksum of the whole preset and the program version.
    pub recipe: String,
    /// Number of generations done.
    pub generations: u64,
    /// The generation in which the target was first met; null if it was not.
    pub reached: Option<u64>,
    /// The latest value of each column, from the last generation that measured it.
    pub latest: BTreeMap<String, f64>,
    /// Checksum of the rows in the CSV file of the same name.
    pub rows_checksum: String,
    /// Checksum of the players' file of the same name; none if no players are kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players_checksum: Option<String>,
}

/// The text before the checksum, which covers everything above it.
const CHECKSUM_PREFIX: &str = "  \"checksum\": \"";

/// No value of a run is larger: up to here all whole numbers are exact.
pub(super) const LARGEST_VALUE: f64 = (1_u64 << 53) as f64;

impl RunOutcome {
    /// What no run of `most` generations can have as its outcome, if anything.
    pub(super) fn problem(&self, most: u64) -> Option<String> {
        if self.generations > most {
            let generations = self.generations;
            return Some(format!(
                "generations: is {generations}, but the preset has {most}"
            ));
        }
        if let Some(reached) = self.reached.filter(|&reached| reached >= self.generations) {
            let generations = self.generations;
            return Some(format!(
                "reached: is {reached}, but the run has {generations} generations"
            ));
        }
        let mut latest = self.latest.iter();
        let (column, value) = latest.find(|(_, value)| value.abs() > LARGEST_VALUE)?;
        Some(format!(
            "latest.{column}: is {value}, but values are at most {LARGEST_VALUE}"
        ))
    }

    /// The text of the file.
    pub(super) fn seal(&self) -> String {
        let text = serde_json::to_string_pretty(self).expect("names and numbers are JSON");
        let body = text.trim_end_matches(['\n', '}']);
        let body = format!("{body},\n");
        let sum = crc32fast::hash(body.as_bytes());
        format!("{body}{CHECKSUM_PREFIX}{sum:08x}\"\n}}\n")
    }

    /// Reads what [`RunOutcome::seal`] wrote, or returns what is wrong with it.
    pub(super) fn unseal(bytes: &[u8]) -> Result<Self, &'static str> {
        const DAMAGED: &str = "is damaged: its checksum does not match";
        let text = std::str::from_utf8(bytes).map_err(|_| DAMAGED)?;
        let (body, _) = text.rsplit_once(CHECKSUM_PREFIX).ok_or("is truncated")?;
        let outcome: Self = serde_json::from_str(text).map_err(|_| DAMAGED)?;
        let sum = crc32fast::hash(body.as_bytes());
        let whole = format!("{body}{CHECKSUM_PREFIX}{sum:08x}\"\n}}\n");
        if whole == text {
            Ok(outcome)
        } else {
            Err(DAMAGED)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_no_run_has_are_named() {
        let outcome = |generations, reached, value| RunOutcome {
            preset: "nim-2x2".to_owned(),
            seed: 7,
            recipe: String::new(),
            generations,
            reached,
            latest: BTreeMap::from([("games".to_owned(), value)]),
            rows_checksum: String::new(),
            players_checksum: None,
        };
        let check = |outcome: RunOutcome, expected: Option<&str>| {
            let problem = outcome.problem(100);
            assert_eq!(problem.is_some(), expected.is_some(), "{problem:?}");
            let is_named = problem.is_none_or(|found| found.starts_with(expected.unwrap_or("")));
            assert!(is_named, "{expected:?}");
        };
        check(outcome(100, Some(99), -1e15), None);
        check(outcome(101, None, 1.0), Some("generations: is 101"));
        check(outcome(5, Some(5), 1.0), Some("reached: is 5"));
        check(outcome(5, None, 1e308), Some("latest.games: is 1000"));
        check(outcome(5, None, -1e308), Some("latest.games: is -1000"));
    }

    #[test]
    fn an_outcome_can_be_read_back_and_any_changed_byte_is_detected() {
        let outcome = RunOutcome {
            preset: "nim-2x2".to_owned(),
            seed: 7,
            recipe: "0123abcd".to_owned(),
            generations: 31,
            reached: Some(30),
            latest: BTreeMap::from([("accuracy_states".to_owned(), 1.0)]),
            rows_checksum: "89abcdef".to_owned(),
            players_checksum: Some("01234567".to_owned()),
        };
        let text = outcome.seal();
        assert_eq!(RunOutcome::unseal(text.as_bytes()), Ok(outcome));
        let json: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        assert_eq!(json["reached"], 30);
        for place in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[place] ^= 1;
            assert!(
                RunOutcome::unseal(&bytes).is_err(),
                "byte {place} of\n{text}"
            );
            assert!(
                RunOutcome::unseal(&bytes[..place]).is_err(),
                "cut at {place}"
            );
        }
    }
}
