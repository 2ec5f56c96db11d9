//! Reads one word of a list, for all enums of `choices!`. It does not know the enums.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, EnumAccess, Error, VariantAccess, Visitor};

/// The position in `words` of the variant that is read.
pub fn choose<'de, D: Deserializer<'de>>(
    deserializer: D,
    name: &'static str,
    words: &'static [&'static str],
) -> Result<usize, D::Error> {
    deserializer.deserialize_enum(name, words, Words(words))
}

/// Visits an enum without data, and the name of its variant.
#[derive(Clone, Copy)]
struct Words(&'static [&'static str]);

impl<'de> Visitor<'de> for Words {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "one of {}", self.0.join(", "))
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<usize, E> {
        let found = self.0.iter().position(|known| *known == word);
        found.ok_or_else(|| E::unknown_variant(word, self.0))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<usize, A::Error> {
        let (index, variant) = data.variant_seed(self)?;
        variant.unit_variant()?;
        Ok(index)
    }
}

impl<'de> DeserializeSeed<'de> for Words {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}
