//! Long lists of numbers in files: their bytes as text, in half the space of decimals and to the
//! same bits.

use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Shorter lists are written as numbers, for people to read.
const SHORTEST: usize = 10_000;

/// Writes a long list as the bytes of its numbers, the lowest byte of each first, in Base64 (RFC
/// 4648).
pub(super) fn serialize<S: Serializer>(numbers: &[f32], serializer: S) -> Result<S::Ok, S::Error> {
    if numbers.len() < SHORTEST {
        return numbers.serialize(serializer);
    }
    let bytes: Vec<u8> = numbers.iter().flat_map(|it| it.to_le_bytes()).collect();
    serializer.serialize_str(&BASE64_STANDARD.encode(bytes))
}

/// Reads a list in either form.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(reader: D) -> Result<Vec<f32>, D::Error> {
    reader.deserialize_any(NumbersVisitor)
}

struct NumbersVisitor;

impl<'de> Visitor<'de> for NumbersVisitor {
    type Value = Vec<f32>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of numbers, or their bytes in Base64")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        let bytes = BASE64_STANDARD.decode(text).map_err(E::custom)?;
        let (numbers, rest) = bytes.as_chunks();
        if !rest.is_empty() {
            return Err(E::custom("the bytes of the last number are not complete"));
        }
        Ok(numbers.iter().map(|it| f32::from_le_bytes(*it)).collect())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Numbers(#[serde(with = "super")] Vec<f32>);

    fn read(text: &str) -> Result<Numbers, String> {
        ron::from_str(text).map_err(|error| error.to_string())
    }

    #[test]
    fn lists_are_read_to_the_same_bits_in_either_form() {
        for count in [0, 3, SHORTEST - 1, SHORTEST] {
            let numbers = (0..count).map(|at| (at as f32 - 4.5).sqrt() / 3.0);
            let numbers = numbers.map(|it| if it.is_nan() { -0.1 } else { it });
            let numbers = Numbers(numbers.collect());
            let text = ron::to_string(&numbers).expect("it can be written");
            assert_eq!(text.contains('"'), count == SHORTEST);
            assert_eq!(read(&text).as_ref(), Ok(&numbers));
            let json = serde_json::to_string(&numbers).expect("it can be written");
            assert_eq!(serde_json::from_str::<Numbers>(&json).ok(), Some(numbers));
        }
    }

    #[test]
    fn what_is_no_list_is_told() {
        assert_eq!(read("([1, 2.5])"), Ok(Numbers(vec![1.0, 2.5])));
        assert_eq!(read("(\"AACAPw==\")"), Ok(Numbers(vec![1.0])));
        for (text, words) in [
            ("(\"AACAPw\")", "padding"),
            ("(\"AAA=\")", "not complete"),
            ("(\"?\")", "Invalid"),
            ("(true)", "a list of numbers, or their bytes in Base64"),
        ] {
            let problem = read(text).expect_err("it is refused");
            assert!(problem.contains(words), "{problem}");
        }
    }
}
