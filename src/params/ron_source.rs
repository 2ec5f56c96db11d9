//! Sections of RON files, with their place for error messages, and the dialect of all files.

use std::fmt;

use serde::de::{Deserializer, MapAccess, Visitor};

use super::{ParamError, join};

/// A section of a RON file, and the path of the parameter that it holds.
#[derive(Clone, Debug)]
pub struct RonSource<'a> {
    whole: &'a str,
    text: &'a str,
    path: String,
}

impl<'a> RonSource<'a> {
    /// The whole of a file.
    pub fn file(whole: &'a str) -> Self {
        Self {
            whole,
            text: whole,
            path: String::new(),
        }
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

    /// Splits a variant such as `nim(heaps: [2])` into its name and its content, `()` if it has none.
    pub fn variant(&self) -> (&'a str, Self) {
        let text = self.text();
        let end = text
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        let bare = after_comments(rest).is_empty();
        let rest = if bare { "()" } else { rest };
        let inside = Self {
            whole: self.whole,
            text: rest,
            path: self.path.clone(),
        };
        (name, inside)
    }

    /// The fields of a struct such as `(a: 1, b: [2])`; none if its syntax is invalid, which is reported.
    pub fn fields(&self, problems: &mut Vec<ParamError>) -> Vec<(&'a str, Self)> {
        match notation().from_str::<Fields<'a>>(after_comments(self.text)) {
            Ok(fields) => {
                let mut known: Vec<(&str, Self)> = Vec::new();
                for (key, text) in fields.0 {
                    let field = self.field(key, text);
                    if known.iter().any(|(other, _)| *other == key) {
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
    pub fn misread(&self, error: &ron::error::SpannedError) -> ParamError {
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
            whole: self.whole,
            text,
            path: join(&self.path, key),
        }
    }

    /// Line and column of the first character, from 1. The text is a slice of the whole, except the `()` of a bare variant.
    fn position(&self) -> (usize, usize) {
        let start = after_comments(self.text).as_ptr() as usize;
        let offset = start.wrapping_sub(self.whole.as_ptr() as usize);
        let before = self.whole.get(..offset).unwrap_or("");
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        (line, column)
    }
}

/// The text without leading white space and comments.
fn after_comments(text: &str) -> &str {
    let text = text.trim_start();
    let end = if text.starts_with("//") {
        text.find('\n').unwrap_or(text.len())
    } else if text.starts_with("/*") {
        text.find("*/").map_or(text.len(), |end| end + 2)
    } else {
        return text;
    };
    after_comments(&text[end..])
}

/// The RON dialect of all files: `nim(heaps: [2])` instead of `nim((heaps: [2]))`, and `5` instead of `Some(5)`.
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
    let text = notation().to_string(value);
    text.expect("the type can be written as RON")
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
