//! What stands in the file of a publication, with its place there: names, lists, and texts.

use std::fmt;
use std::ops::Deref;

use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error};

use finches_engine::params::{ParamError, from_ron, position_after};
use ron::value::RawValue;

/// A name in a file: of a preset, a column or a player.
#[derive(Clone, Debug)]
pub struct Name {
    text: String,
    /// The address of its first character in the text of the file; 0 if it is from none.
    address: usize,
}

/// One value, or a list of such in brackets.
#[derive(Clone, Debug)]
pub struct Many<T>(pub(super) Vec<T>);

/// Names of presets, each of which may stand for a group of them until the file is read.
pub type Names = Many<Name>;

/// Words of which line breaks and indentation in the file are no part.
#[derive(Clone, Debug, Default)]
pub struct Prose(String);

impl Name {
    /// The same place with another name.
    pub(super) fn renamed(&self, text: &str) -> Self {
        Self {
            text: text.to_owned(),
            ..*self
        }
    }

    /// A problem at its place in the text of its file.
    pub(super) fn problem(&self, whole: &str, message: impl Into<String>) -> ParamError {
        let offset = self.address.checked_sub(whole.as_ptr() as usize);
        let before = offset.and_then(|offset| whole.get(..offset));
        ParamError {
            position: before.map(position_after),
            ..ParamError::new("", message)
        }
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            address: 0,
        }
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = raw_text(deserializer)?;
        Ok(Self {
            text: parsed(raw)?,
            address: raw.as_ptr() as usize,
        })
    }
}

impl<T> Deref for Many<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Many<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = raw_text(deserializer)?;
        if raw.starts_with('[') {
            return parsed(raw).map(Self);
        }
        Ok(Self(vec![parsed(raw)?]))
    }
}

impl Deref for Prose {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Prose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl<'de> Deserialize<'de> for Prose {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        Ok(Self(words.join(" ")))
    }
}

/// Names one after the other, with commas between them.
pub(super) fn listed(names: &[Name]) -> String {
    let names: Vec<&str> = names.iter().map(|name| &**name).collect();
    names.join(", ")
}

/// A number of runs, rows or generations.
pub(super) fn at_least_1<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    match u64::deserialize(deserializer)? {
        0 => Err(D::Error::custom("must be at least 1, is 0")),
        number => Ok(number),
    }
}

/// The text of a value, a slice of that of the file.
fn raw_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'de str, D::Error> {
    Ok(<&RawValue>::deserialize(deserializer)?.trim().get_ron())
}

fn parsed<T: DeserializeOwned, E: Error>(raw: &str) -> Result<T, E> {
    from_ron(raw).map_err(|error| E::custom(error.code))
}
