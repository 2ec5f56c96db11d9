//! Sections of RON files, with their place for error messages, and the dialect of all files.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fmt;
use std::rc::Rc;

use ron::error::SpannedError;
use ron::ser::PrettyConfig;
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, Error as _, MapAccess, Visitor};

use super::{ParamError, join};

/// A section of a RON file, and the path of the parameter that it holds.
#[derive(Clone, Debug)]
pub struct RonSource<'a> {
    whole: &'a str,
    text: &'a str,
    path: String,
    /// Whether a part that is named as it is already keeps its parameters.
    is_over_base: bool,
    /// The position that was asked for last, from which the next one is counted.
    counted: Rc<Cell<FilePosition>>,
}

/// A position in a file: the offset in bytes, and line and column from 1.
#[derive(Clone, Copy, Debug)]
struct FilePosition {
    offset: usize,
    line: usize,
    column: usize,
}

impl FilePosition {
    const START: Self = Self {
        offset: 0,
        line: 1,
        column: 1,
    };

    /// The position after this text.
    fn after(self, text: &str) -> Self {
        let line = self.line + text.matches('\n').count();
        let column = match text.rsplit_once('\n') {
            Some((_, last)) => 1 + last.chars().count(),
            None => self.column + text.chars().count(),
        };
        Self {
            offset: self.offset + text.len(),
            line,
            column,
        }
    }
}

/// Line and column behind a text, from 1.
pub fn position_after(text: &str) -> (usize, usize) {
    let position = FilePosition::START.after(text);
    (position.line, position.column)
}

impl<'a> RonSource<'a> {
    /// The whole of a file.
    pub fn file(whole: &'a str) -> Self {
        Self {
            whole,
            text: whole,
            path: String::new(),
            is_over_base: false,
            counted: Rc::new(Cell::new(FilePosition::START)),
        }
    }

    /// The whole of a file that says how something differs from what is known.
    pub fn over_base(whole: &'a str) -> Self {
        Self {
            is_over_base: true,
            ..Self::file(whole)
        }
    }

    /// Whether a part that is named as it is already keeps its parameters.
    pub fn is_over_base(&self) -> bool {
        self.is_over_base
    }

    /// The text without the white space around it and the comments before it.
    pub fn text(&self) -> &'a str {
        after_comments(self.text).trim_end()
    }

    /// An error at the position of this section.
    pub fn problem(&self, message: impl Into<String>) -> ParamError {
        ParamError {
            position: Some(self.position()),
            path: self.path.clone(),
            message: message.into(),
        }
    }

    /// Splits a variant such as `nim(heaps: [2])` into its name and its content, `()` if it has
    /// none.
    pub fn variant(&self) -> (&'a str, Self) {
        let text = self.text();
        let end = text
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        let bare = after_comments(rest).is_empty();
        let rest = if bare { "()" } else { rest };
        let inside = Self {
            text: rest,
            ..self.clone()
        };
        (name, inside)
    }

    /// The fields of a struct such as `(a: 1, b: [2])`; none if its syntax is invalid, which is
    /// reported.
    pub fn fields(&self, problems: &mut Vec<ParamError>) -> Vec<(&'a str, Self)> {
        match notation().from_str::<Fields<'a>>(after_comments(self.text)) {
            Ok(fields) => {
                let mut keys = BTreeSet::new();
                let mut known: Vec<(&str, Self)> = Vec::new();
                for (key, text) in fields.0 {
                    let field = self.field(key, text);
                    if !keys.insert(key) {
                        problems.push(field.problem("is given twice; leave one out"));
                    }
                    known.push((key, field));
                }
                known
            }
            Err(error) => {
                problems.push(self.misread(&error));
                Vec::new()
            }
        }
    }

    /// An error at the position where a parser stopped, relative to the start of this section.
    pub fn misread(&self, error: &SpannedError) -> ParamError {
        let (line, column) = self.position();
        let at = error.span.start;
        let place = if at.line == 1 {
            (line, column + at.col - 1)
        } else {
            (line + at.line - 1, at.col)
        };
        ParamError {
            position: Some(place),
            path: self.path.clone(),
            message: error.code.to_string(),
        }
    }

    fn field(&self, key: &str, text: &'a str) -> Self {
        Self {
            text,
            path: join(&self.path, key),
            ..self.clone()
        }
    }

    /// Line and column of the first character, from 1. The text is a slice of the whole, except the
    /// `()` of a bare variant.
    fn position(&self) -> (usize, usize) {
        let start = after_comments(self.text).as_ptr() as usize;
        let offset = start.wrapping_sub(self.whole.as_ptr() as usize);
        let last = self.counted.get();
        let from = if last.offset <= offset {
            last
        } else {
            FilePosition::START
        };
        let position = from.after(self.whole.get(from.offset..offset).unwrap_or(""));
        self.counted.set(position);
        (position.line, position.column)
    }
}

/// The text without leading white space and comments.
fn after_comments(text: &str) -> &str {
    let mut text = text.trim_start();
    loop {
        let end = if text.starts_with("//") {
            text.find('\n').unwrap_or(text.len())
        } else if text.starts_with("/*") {
            text.find("*/").map_or(text.len(), |end| end + 2)
        } else {
            return text;
        };
        text = text[end..].trim_start();
    }
}

/// The RON dialect of all files: `nim(heaps: [2])` instead of `nim((heaps: [2]))`, and `5` instead
/// of `Some(5)`.
pub fn notation() -> ron::Options {
    use ron::extensions::Extensions;
    ron::Options::default()
        .with_default_extension(Extensions::UNWRAP_VARIANT_NEWTYPES | Extensions::IMPLICIT_SOME)
}

/// A value in RON, on one line.
///
/// # Panics
///
/// If the type can't be written as RON. All types of this crate can.
pub fn to_ron(value: &dyn erased_serde::Serialize) -> String {
    try_to_ron(value).expect("the type can be written as RON")
}

/// The same; the error says why the type can't be written as RON.
pub(crate) fn try_to_ron(value: &dyn erased_serde::Serialize) -> Result<String, ron::Error> {
    notation().to_string(value)
}

/// Writes a value as RON with a line for each field. Small parts stay in one line.
///
/// # Panics
///
/// If the type can't be written as RON. All types of this crate can.
pub fn to_ron_lines(value: &dyn erased_serde::Serialize) -> String {
    let style = PrettyConfig::default().depth_limit(4).compact_arrays(true);
    let text = notation().to_string_pretty(value, style);
    text.expect("the type can be written as RON")
}

/// Reads a value from RON.
pub fn from_ron<T: DeserializeOwned>(text: &str) -> Result<T, SpannedError> {
    let mut value = None;
    let mut read = |parser: &mut dyn erased_serde::Deserializer<'_>| {
        value = Some(erased_serde::deserialize(parser)?);
        Ok(())
    };
    notation().from_str_seed(text, ErasedParser(&mut read))?;
    Ok(value.expect("a text that was read gave a value"))
}

/// Reads a value from a parser that has lost its type, so that the parser is compiled once.
type ReadValue<'a> =
    dyn FnMut(&mut dyn erased_serde::Deserializer<'_>) -> Result<(), erased_serde::Error> + 'a;

/// Lets a RON parser call a [`ReadValue`].
struct ErasedParser<'a>(&'a mut ReadValue<'a>);

impl<'de> DeserializeSeed<'de> for ErasedParser<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, parser: D) -> Result<(), D::Error> {
        let mut parser = <dyn erased_serde::Deserializer<'_>>::erase(parser);
        (self.0)(&mut parser).map_err(D::Error::custom)
    }
}

/// The names and unparsed values of any RON struct.
struct Fields<'a>(Vec<(&'a str, &'a str)>);

impl<'de> serde::Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct("", &[], FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("parameters in parentheses, such as (population: 100)")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = Vec::new();
        while let Some(key) = map.next_key::<&'de str>()? {
            let value: &'de ron::value::RawValue = map.next_value()?;
            fields.push((key, value.get_ron()));
        }
        Ok(Fields(fields))
    }
}
