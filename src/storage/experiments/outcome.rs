//! What came of one run of an experiment, as sealed JSON.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What came of a run: the content of `runs/PRESET-SEED.json`, where a checksum follows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    pub preset: String,
    pub seed: u64,
    /// Checksum of the preset in full and the version of the program.
    pub recipe: String,
    /// Generations done.
    pub generations: u64,
    /// The generation in which the target was first met, or null.
    pub reached: Option<u64>,
    /// The latest figure of each column; one that the last generation did not take is from the last that did.
    pub latest: BTreeMap<String, f64>,
    /// Checksum of the rows in the CSV file of the same name.
    pub rows_checksum: String,
}

/// Before the checksum of all that stands above it.
const SEAL: &str = "  \"checksum\": \"";

impl Outcome {
    /// The text of the file.
    pub(super) fn seal(&self) -> String {
        let text = serde_json::to_string_pretty(self).expect("names and numbers are JSON");
        let body = text.trim_end_matches(['\n', '}']);
        let body = format!("{body},\n");
        let sum = crc32fast::hash(body.as_bytes());
        format!("{body}{SEAL}{sum:08x}\"\n}}\n")
    }

    /// Reads what [`Outcome::seal`] wrote, or says what is wrong with it.
    pub(super) fn unseal(bytes: &[u8]) -> Result<Self, &'static str> {
        const DAMAGED: &str = "is damaged: its checksum does not fit";
        let text = std::str::from_utf8(bytes).map_err(|_| DAMAGED)?;
        let (body, _) = text.rsplit_once(SEAL).ok_or("is cut short")?;
        let outcome: Self = serde_json::from_str(text).map_err(|_| DAMAGED)?;
        let sum = crc32fast::hash(body.as_bytes());
        let whole = format!("{body}{SEAL}{sum:08x}\"\n}}\n");
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
    fn an_outcome_reads_back_and_any_changed_byte_is_noticed() {
        let outcome = Outcome {
            preset: "nim-2x2".to_owned(),
            seed: 7,
            recipe: "0123abcd".to_owned(),
            generations: 31,
            reached: Some(30),
            latest: BTreeMap::from([("accuracy_states".to_owned(), 1.0)]),
            rows_checksum: "89abcdef".to_owned(),
        };
        let text = outcome.seal();
        assert_eq!(Outcome::unseal(text.as_bytes()), Ok(outcome));
        let json: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        assert_eq!(json["reached"], 30);
        for place in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[place] ^= 1;
            assert!(Outcome::unseal(&bytes).is_err(), "byte {place} of\n{text}");
            assert!(Outcome::unseal(&bytes[..place]).is_err(), "cut at {place}");
        }
    }
}
