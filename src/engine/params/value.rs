//! The types of parameters' values.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{ParamError, ParamKind, from_ron, quoted, to_ron};

/// A type of a parameter's value.
pub trait Value: Clone + PartialEq + Serialize + DeserializeOwned {
    /// The type, which decides how the value is edited.
    fn kind() -> ParamKind;

    /// An error message if the value is outside `limits`.
    fn problem(&self, limits: Option<(f64, f64)>) -> Option<String> {
        let _ = limits;
        None
    }

    /// Parses RON. The error has no path.
    fn parse(text: &str) -> Result<Self, ParamError> {
        from_ron(text).map_err(|error| {
            let wanted = wanted(&Self::kind());
            ParamError::new(
                "",
                format!("`{text}` is not valid: {}; {wanted}", error.code),
            )
        })
    }

    /// The value in RON.
    fn text(&self) -> String {
        to_ron(self)
    }
}

/// An enum without data; `choices!` implements it.
pub trait Choice: Value {
    /// The names of its variants in preset files.
    const WORDS: &'static [&'static str];
}

impl<T: Choice> Value for Vec<T> {
    fn kind() -> ParamKind {
        ParamKind::ChoiceList(T::WORDS)
    }
}

/// What is expected of a value, as a clause.
fn wanted(kind: &ParamKind) -> String {
    match kind {
        ParamKind::Integer => "give a whole number".to_owned(),
        ParamKind::Real => "give a number".to_owned(),
        ParamKind::OptionalReal => "give a number or None".to_owned(),
        ParamKind::Boolean => "give true or false".to_owned(),
        ParamKind::Choice(names) => format!("there are {}", quoted(names)),
        ParamKind::IntegerList => "give a list such as [2, 4]".to_owned(),
        ParamKind::RealList => "give a list such as [1, -0.25]".to_owned(),
        ParamKind::ChoiceList(names) => format!(
            "give a list such as [{}]; there are {}",
            names[0],
            quoted(names)
        ),
        ParamKind::Text => "give text".to_owned(),
        ParamKind::TextList => "give a list such as [\"one\", \"two\"]".to_owned(),
    }
}

/// Reports a number outside its limits.
fn outside(number: f64, limits: Option<(f64, f64)>) -> Option<String> {
    let (low, high) = limits?;
    let fits = (low..=high).contains(&number);
    (!fits).then(|| format!("must be from {low} to {high}, is {number}"))
}

macro_rules! whole_numbers {
    ($($type:ty),+) => {$(
        impl Value for $type {
            fn kind() -> ParamKind {
                ParamKind::Integer
            }

            fn problem(&self, limits: Option<(f64, f64)>) -> Option<String> {
                outside(*self as f64, limits)
            }
        }
    )+};
}
whole_numbers!(u16, u32, u64, usize);

impl Value for f64 {
    fn kind() -> ParamKind {
        ParamKind::Real
    }

    fn problem(&self, limits: Option<(f64, f64)>) -> Option<String> {
        outside(*self, limits)
    }
}

impl Value for Option<f64> {
    fn kind() -> ParamKind {
        ParamKind::OptionalReal
    }

    fn problem(&self, limits: Option<(f64, f64)>) -> Option<String> {
        self.and_then(|number| outside(number, limits))
    }
}

impl Value for bool {
    fn kind() -> ParamKind {
        ParamKind::Boolean
    }
}

impl Value for Vec<u16> {
    fn kind() -> ParamKind {
        ParamKind::IntegerList
    }

    fn problem(&self, limits: Option<(f64, f64)>) -> Option<String> {
        self.iter()
            .find_map(|&number| outside(number.into(), limits))
    }
}

impl Value for Vec<f64> {
    fn kind() -> ParamKind {
        ParamKind::RealList
    }

    fn problem(&self, limits: Option<(f64, f64)>) -> Option<String> {
        self.iter().find_map(|&number| outside(number, limits))
    }
}

impl Value for String {
    fn kind() -> ParamKind {
        ParamKind::Text
    }

    fn parse(text: &str) -> Result<Self, ParamError> {
        Ok(ron::from_str(text).unwrap_or_else(|_| text.to_owned()))
    }
}
impl Value for Vec<String> {
    fn kind() -> ParamKind {
        ParamKind::TextList
    }
}
