//! The `params!` macro: one declaration per parameter generates the RON field, its checks, its line
//! on the Parameters screen, `--set key=value` and its documentation.

use std::fmt;
use std::ops::RangeInclusive;

#[doc(hidden)]
pub use serde;

#[doc(hidden)]
pub use self::choice::choose;
pub use self::key_value::{key_value, key_values};
pub(crate) use self::ron_source::try_to_ron;
pub use self::ron_source::{RonSource, from_ron, notation, position_after, to_ron, to_ron_lines};
pub use self::value::{Choice, Value};

mod choice;
mod key_value;
mod ron_source;
mod value;

/// The description of a parameter, as shown by the Parameters screen and `finches presets NAME`.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Dotted path inside the preset, such as `evolution.pairing.opponents`.
    pub key: String,
    /// What it means, in a sentence or two.
    pub help: String,
    /// Unit of the value; empty if it has none.
    pub unit: &'static str,
    /// Whether it can be changed during a run.
    pub live: bool,
    /// Whether it concerns the network's inputs and not the rules of the game.
    pub is_input: bool,
    /// The type of the value.
    pub kind: ParamKind,
    /// Smallest and largest value allowed, both included.
    pub limits: Option<(f64, f64)>,
    /// The current value, in RON.
    pub value: String,
    /// The default value, in RON.
    pub default: String,
    /// What is wrong with the value, if anything.
    pub problem: Option<String>,
}

impl Param {
    /// The last word of the key, as words: `add_node` becomes `add node`.
    pub fn label(&self) -> String {
        let last = self.key.rsplit('.').next().unwrap_or(&self.key);
        last.replace('_', " ")
    }

    /// The key without its last word, as words: the heading under which the parameter is listed.
    pub fn group(&self) -> String {
        let group = self.key.rsplit_once('.').map_or("run", |(group, _)| group);
        group.replace(['.', '_'], " ")
    }
}

/// The type of a value, which decides how it is edited.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamKind {
    /// A whole number.
    Integer,
    /// Any number.
    Real,
    /// A number or `None`.
    OptionalReal,
    /// `true` or `false`.
    Boolean,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Whole numbers.
    IntegerList,
    /// Any numbers.
    RealList,
    /// Some of these words.
    ChoiceList(&'static [&'static str]),
    /// Any text.
    Text,
    /// Any texts.
    TextList,
}

/// An error in a parameter: its position, its path, and a message that says what would be valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamError {
    /// Line and column in the file it was read from, counted from 1.
    pub position: Option<(usize, usize)>,
    /// Dotted path of the parameter.
    pub path: String,
    /// What is wrong, and what would be valid.
    pub message: String,
}

impl ParamError {
    /// An error without a position in a file.
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            position: None,
            path: path.into(),
            message: message.into(),
        }
    }

    /// An error for an unknown key, with a suggestion.
    pub fn unknown(key: &str, known: &[&str]) -> Self {
        Self::new(
            key,
            format!("there is no such parameter; {}", suggest(key, known)),
        )
    }

    /// The same error with its path prefixed by `part`.
    #[must_use]
    pub fn under(mut self, part: &str) -> Self {
        self.path = join(part, &self.path);
        self
    }
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((line, column)) = self.position {
            write!(f, "{line}:{column}: ")?;
        }
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for ParamError {}

/// Everything that is wrong with some parameters, one error per line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamErrors(pub Vec<ParamError>);

impl fmt::Display for ParamErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for ParamErrors {}

/// Suggests the nearest of `known` instead of `word`. If none is near, lists them, or the nearest
/// of many.
pub fn suggest(word: &str, known: &[&str]) -> String {
    const MOST: usize = 40;
    const NEAREST: usize = 5;
    let likeness = |name: &&str| strsim::jaro_winkler(word, name);
    let mut ranked = known.to_vec();
    ranked.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)));
    match ranked[..] {
        [] => "there are none here".to_owned(),
        [name, ..] if likeness(&name) > 0.75 => format!("did you mean `{name}`?"),
        _ if known.len() > MOST => {
            let nearest = quoted(&ranked[..NEAREST]);
            format!(
                "the nearest of the {} that there are: {nearest}",
                known.len()
            )
        }
        _ => format!("there are {}", quoted(known)),
    }
}

fn quoted(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// A dotted path; an empty part adds no dot.
pub fn join(part: &str, rest: &str) -> String {
    match (part.is_empty(), rest.is_empty()) {
        (true, _) => rest.to_owned(),
        (_, true) => part.to_owned(),
        _ => format!("{part}.{rest}"),
    }
}

/// A group of parameters.
pub trait Params {
    /// Describes every parameter, its key prefixed by `path`.
    fn visit(&self, path: &str, out: &mut Vec<Param>);

    /// [`Params::visit`] of a part whose declaration gives it this default. A part that is one of
    /// several, as of a registry, keeps the defaults of its own type.
    fn visit_part(&self, _default: &Self, path: &str, out: &mut Vec<Param>)
    where
        Self: Sized,
    {
        self.visit(path, out);
    }

    /// Sets the value at `key`, relative to this group, from RON. Returns an error if the value is
    /// out of limits.
    fn set(&mut self, key: &str, text: &str) -> Result<(), ParamError>;

    /// Reads the parameters from a file. Continues after an error, so that all errors are reported
    /// at once.
    fn read(&mut self, part: RonSource<'_>, problems: &mut Vec<ParamError>);
}

/// Limits of whole or other numbers.
#[doc(hidden)]
pub fn limits<T: Copy + Into<f64>>(limits: RangeInclusive<T>) -> RangeInclusive<f64> {
    (*limits.start()).into()..=(*limits.end()).into()
}

/// The declaration of a parameter in `params!`, without its value.
#[doc(hidden)]
pub struct ParamSpec {
    pub name: &'static str,
    pub help: &'static str,
    pub unit: &'static str,
    pub live: bool,
    pub is_input: bool,
    pub limits: Option<RangeInclusive<f64>>,
}

impl ParamSpec {
    fn bounds(&self) -> Option<(f64, f64)> {
        self.limits
            .as_ref()
            .map(|limits| (*limits.start(), *limits.end()))
    }

    /// Describes the parameter with its current value.
    pub fn describe<V: Value>(&self, path: &str, value: &V, default: &V) -> Param {
        let (text, default) = (value.text(), default.text());
        self.described(
            path,
            V::kind(),
            [text, default],
            value.problem(self.bounds()),
        )
    }

    /// [`ParamSpec::describe`] after the value has become text: the current value and the default.
    fn described(
        &self,
        path: &str,
        kind: ParamKind,
        [value, default]: [String; 2],
        problem: Option<String>,
    ) -> Param {
        Param {
            key: join(path, self.name),
            help: self.help.trim().to_owned(),
            unit: self.unit,
            live: self.live,
            is_input: self.is_input,
            kind,
            limits: self.bounds(),
            value,
            default,
            problem,
        }
    }

    /// Parses `text` into `value` if it is within the limits.
    pub fn assign<V: Value>(
        &self,
        value: &mut V,
        rest: Option<&str>,
        text: &str,
    ) -> Result<(), ParamError> {
        let parsed = match rest {
            Some(rest) => return Err(ParamError::unknown(&join(self.name, rest), &[self.name])),
            None => V::parse(text),
        };
        let wanted = parsed.and_then(|wanted| match wanted.problem(self.bounds()) {
            Some(problem) => Err(ParamError::new("", problem)),
            None => Ok(wanted),
        });
        *value = wanted.map_err(|error| error.under(self.name))?;
        Ok(())
    }

    /// Reads this parameter from a file.
    pub fn read<V: Value>(
        &self,
        value: &mut V,
        part: &RonSource<'_>,
        problems: &mut Vec<ParamError>,
    ) {
        let problem = match V::parse(part.text()) {
            Ok(read) => {
                *value = read;
                value.problem(self.bounds())
            }
            Err(error) => Some(error.message),
        };
        problems.extend(problem.map(|problem| part.problem(problem)));
    }
}

/// Sets a whole part of a preset (`agent=one_ply`) or one of its parameters (`agent.depth=3`).
pub fn set_part<P: Params + Clone>(
    part: &mut P,
    name: &str,
    rest: Option<&str>,
    text: &str,
) -> Result<(), ParamError> {
    if let Some(rest) = rest {
        return part.set(rest, text).map_err(|problem| problem.under(name));
    }
    let mut wanted = part.clone();
    let mut problems = Vec::new();
    wanted.read(RonSource::file(text), &mut problems);
    if let Some(problem) = problems.into_iter().next() {
        Err(ParamError {
            position: None,
            ..problem
        }
        .under(name))
    } else {
        *part = wanted;
        Ok(())
    }
}

/// Declares a struct of parameters. Each is declared once: its field, its default, its check, its
/// line on the Parameters screen, its help and `--set key=value` follow.
///
/// ```text
/// role name: type = default, in lowest..=highest, "unit";
/// ```
///
/// * The documentation above it, one line, is its help on the Parameters screen. The documentation
///   of the struct is required too.
/// * The role is `live` if the parameter can be changed during a run, `fixed` if it can't, `input`
///   if it can't and concerns the network's inputs rather than the rules of a game, and `part` for
///   a nested struct of parameters, which has neither limits nor a unit.
/// * The type is `u16`, `u32`, `u64`, `usize`, `f64`, `Option<f64>`, `bool`, `String`, a list of
///   these where a [`Value`] is implemented for it, an enum of
///   [`choices!`](crate::params::choices), or a list of its words. For a `part` it is any type with
///   [`Params`], such as a registry.
/// * The default is any expression.
/// * Limits are optional, and both are included. They may be whole numbers or not, whatever the
///   type; of a list, they hold for every item.
/// * The unit is optional: a literal that the screen shows behind the value.
///
/// ```
/// use finches_engine::params::{Params, choices, params};
///
/// choices! {
///     /// How a walk ends.
///     pub enum Ending {
///         /// At the border.
///         Border = "border",
///         /// After its steps.
///         Steps = "steps",
///     }
/// }
///
/// params! {
///     /// The stride of a walk.
///     pub struct Stride {
///         /// The mean length of a step.
///         live length: f64 = 0.5, in 0..=10, "squares";
///     }
/// }
///
/// params! {
///     /// A random walk.
///     pub struct Walk {
///         /// The most steps.
///         fixed steps: u32 = 5, in 4..=8, "steps";
///         /// How it ends.
///         live ending: Ending = Ending::Border;
///         part stride: Stride = Stride::default();
///     }
/// }
///
/// let mut walk = Walk::default();
/// walk.set("stride.length", "2")?;
/// let refused = walk.set("steps", "9").expect_err("it is outside of the limits");
/// assert_eq!(refused.to_string(), "steps: must be from 4 to 8, is 9");
/// assert_eq!((walk.steps, walk.stride.length), (5, 2.0));
/// # Ok::<(), finches_engine::params::ParamError>(())
/// ```
#[macro_export]
macro_rules! params {
    (
        $(#[doc = $about:expr])*
        $vis:vis struct $name:ident {
            $(
                $(#[doc = $help:expr])*
                $role:ident $field:ident : $type:ty = $default:expr
                    $(, in $limits:expr)? $(, $unit:literal)? ;
            )*
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Debug, PartialEq)]
        $vis struct $name {
            $( $(#[doc = $help])* $vis $field: $type, )*
        }

        // What is derived would be inlined, and compiled again in every crate.
        impl Clone for $name {
            #[allow(clippy::clone_on_copy, reason = "some types are `Copy`")]
            fn clone(&self) -> Self {
                Self { $( $field: self.$field.clone(), )* }
            }
        }

        impl $crate::params::serde::Serialize for $name {
            fn serialize<S>(&self, serializer: S) -> Result<S::Ok, S::Error>
            where
                S: $crate::params::serde::Serializer,
            {
                use $crate::params::serde::ser::SerializeStruct;

                const FIELDS: &[&str] = &[$(stringify!($field)),*];
                #[allow(unused_mut, reason = "a struct may have no parameters")]
                let mut fields = serializer.serialize_struct(stringify!($name), FIELDS.len())?;
                $( fields.serialize_field(stringify!($field), &self.$field)?; )*
                fields.end()
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $( $field: $default, )* }
            }
        }

        impl $crate::params::Params for $name {
            fn visit(&self, path: &str, out: &mut Vec<$crate::params::Param>) {
                self.visit_part(&Self::default(), path, out);
            }

            #[allow(unused_variables, reason = "a struct may have no parameters")]
            fn visit_part(&self, default: &Self, path: &str, out: &mut Vec<$crate::params::Param>) {
                $(
                    let declared = $crate::params::params!(
                        @declared $role $field [$($help)*] [$($limits)?] [$($unit)?]
                    );
                    $crate::params::params!(@visit $role declared self default path out $field);
                )*
            }

            #[allow(unused_variables, reason = "a struct may have no parameters")]
            fn set(&mut self, key: &str, text: &str) -> Result<(), $crate::params::ParamError> {
                let parts = key.split_once('.');
                let (head, rest) = parts.map_or((key, None), |(head, rest)| (head, Some(rest)));
                $(
                    if head == stringify!($field) {
                        let declared = $crate::params::params!(
                            @declared $role $field [$($help)*] [$($limits)?] [$($unit)?]
                        );
                        return $crate::params::params!(@set $role declared self rest text $field);
                    }
                )*
                Err($crate::params::ParamError::unknown(key, &[$(stringify!($field)),*]))
            }

            #[allow(unused_variables, reason = "a struct may have no parameters")]
            fn read(
                &mut self,
                part: $crate::params::RonSource<'_>,
                problems: &mut Vec<$crate::params::ParamError>,
            ) {
                for (key, field) in part.fields(problems) {
                    match key {
                        $(
                            stringify!($field) => {
                                let declared = $crate::params::params!(
                                    @declared $role $field [$($help)*] [$($limits)?] [$($unit)?]
                                );
                                $crate::params::params!(
                                    @read $role declared self field problems $field
                                );
                            }
                        )*
                        _ => {
                            let known: &[&str] = &[$(stringify!($field)),*];
                            let hint = $crate::params::suggest(key, known);
                            let problem = format!("there is no such parameter; {hint}");
                            problems.push(field.problem(problem));
                        }
                    }
                }
            }
        }
    };

    (@declared part $field:ident [$($help:expr)*] [$($limits:expr)?] [$($unit:literal)?]) => { () };
    (
        @declared $role:ident $field:ident [$($help:expr)*] [$($limits:expr)?] [$($unit:literal)?]
    ) => {
        $crate::params::ParamSpec {
            name: stringify!($field),
            help: concat!($($help),*),
            unit: concat!($($unit)?),
            live: $crate::params::params!(@live $role),
            is_input: $crate::params::params!(@is_input $role),
            limits: $crate::params::params!(@limits $($limits)?),
        }
    };
    (@live live) => { true };
    (@live fixed) => { false };
    (@live input) => { false };
    (@is_input input) => { true };
    (@is_input live) => { false };
    (@is_input fixed) => { false };
    (@limits) => { None };
    (@limits $limits:expr) => { Some($crate::params::limits($limits)) };

    (
        @visit part $declared:ident $self:ident $default:ident $path:ident $out:ident $field:ident
    ) => {
        let () = $declared;
        let path = $crate::params::join($path, stringify!($field));
        $crate::params::Params::visit_part(&$self.$field, &$default.$field, &path, $out)
    };
    (
        @visit $role:ident $declared:ident $self:ident $default:ident $path:ident $out:ident
        $field:ident
    ) => {
        $out.push($declared.describe($path, &$self.$field, &$default.$field))
    };
    (@set part $declared:ident $self:ident $rest:ident $text:ident $field:ident) => {{
        let () = $declared;
        $crate::params::set_part(&mut $self.$field, stringify!($field), $rest, $text)
    }};
    (@set $role:ident $declared:ident $self:ident $rest:ident $text:ident $field:ident) => {
        $declared.assign(&mut $self.$field, $rest, $text)
    };
    (@read part $declared:ident $self:ident $part:ident $problems:ident $field:ident) => {
        let () = $declared;
        $crate::params::Params::read(&mut $self.$field, $part, $problems)
    };
    (@read $role:ident $declared:ident $self:ident $part:ident $problems:ident $field:ident) => {
        $declared.read(&mut $self.$field, &$part, $problems)
    };
}
#[doc(inline)]
pub use params;

/// Declares an enum without data, with the names of its variants in preset files.
#[macro_export]
macro_rules! choices {
    (
        $(#[doc = $about:expr])*
        $vis:vis enum $name:ident {
            $( $(#[doc = $help:expr])* $variant:ident = $word:literal ),+ $(,)?
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $name { $( $(#[doc = $help])* $variant, )+ }

        impl $name {
            const ALL: &'static [Self] = &[$( Self::$variant ),+];
        }

        impl $crate::params::serde::Serialize for $name {
            fn serialize<S>(&self, serializer: S) -> Result<S::Ok, S::Error>
            where
                S: $crate::params::serde::Serializer,
            {
                let index = *self as usize;
                let word = <Self as $crate::params::Choice>::WORDS[index];
                serializer.serialize_unit_variant(stringify!($name), index as u32, word)
            }
        }

        impl<'de> $crate::params::serde::Deserialize<'de> for $name {
            fn deserialize<D>(deserializer: D) -> Result<Self, D::Error>
            where
                D: $crate::params::serde::Deserializer<'de>,
            {
                let words = <Self as $crate::params::Choice>::WORDS;
                let chosen = $crate::params::choose(deserializer, stringify!($name), words);
                chosen.map(|index| Self::ALL[index])
            }
        }

        impl $crate::params::Choice for $name {
            const WORDS: &'static [&'static str] = &[$($word),+];
        }

        impl $crate::params::Value for $name {
            fn kind() -> $crate::params::ParamKind {
                $crate::params::ParamKind::Choice(<Self as $crate::params::Choice>::WORDS)
            }
        }
    };
}
#[doc(inline)]
pub use choices;

#[cfg(test)]
mod tests {
    use super::*;

    choices! {
        /// A hue.
        enum Hue { Red = "red", Blue = "blue" }
    }

    params! {
        /// Two numbers.
        struct Inner {
            /// How many.
            live count: u32 = 3, in 1..=9, "games";
            /// How much.
            fixed rate: f64 = 0.5, in 0.0..=1.0;
        }
    }

    params! {
        /// All kinds.
        struct Outer {
            /// Which hue.
            fixed hue: Hue = Hue::Red;
            part inner: Inner = Inner::default();
            part other: Inner = Inner { count: 8, ..Inner::default() };
        }
    }

    fn read(text: &str) -> (Outer, Vec<String>) {
        let mut outer = Outer::default();
        let mut problems = Vec::new();
        outer.read(RonSource::file(text), &mut problems);
        (outer, problems.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn of_a_long_list_of_what_is_known_the_nearest_are_told() {
        let names: Vec<String> = (0..102).map(|number| number.to_string()).collect();
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(
            suggest("1oooooooo", &known),
            "the nearest of the 102 that there are: `1`, `10`, `11`, `12`, `13`"
        );
        let all = suggest("x", &known[..40]);
        assert!(all.starts_with("there are `0`, ") && all.ends_with(", `39`"));
        assert_eq!(suggest("x", &[]), "there are none here");
    }

    #[test]
    fn omitted_parameters_keep_their_defaults() {
        let (outer, problems) = read("(inner: (count: 5))");
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(
            (outer.inner.count, outer.inner.rate, outer.hue),
            (5, 0.5, Hue::Red)
        );
    }

    #[test]
    fn all_errors_of_a_file_are_reported_at_once_with_their_positions() {
        let (_, problems) = read(
            "(\n  hue: green,\n  inner: (\n    count: 20,\n    rat: 1,\n    rate: x,\n  ),\n)",
        );
        assert_eq!(problems.len(), 4, "{problems:#?}");
        assert!(
            problems[0].starts_with("2:8: hue: `green` is not valid"),
            "{}",
            problems[0]
        );
        assert_eq!(problems[1], "4:12: inner.count: must be from 1 to 9, is 20");
        assert_eq!(
            problems[2],
            "5:10: inner.rat: there is no such parameter; did you mean `rate`?"
        );
        assert!(
            problems[3].starts_with("6:11: inner.rate: `x` is not valid"),
            "{}",
            problems[3]
        );
    }

    #[test]
    fn a_file_that_is_not_a_struct_is_rejected_with_its_position() {
        let (_, problems) = read("(\n hue: red,\n inner: (count: 5\n");
        assert_eq!(problems.len(), 1, "{problems:#?}");
        assert_eq!(problems[0], "3:18: Expected comma");
    }

    fn check_set(key: &str, text: &str, expected: &str) {
        let mut outer = Outer::default();
        let answer = outer
            .set(key, text)
            .map_or_else(|problem| problem.to_string(), |()| format!("{outer:?}"));
        assert!(answer.contains(expected), "{key}={text} gave {answer}");
    }

    #[test]
    fn parameters_are_set_by_their_path() {
        check_set("inner.count", "7", "count: 7");
        check_set("hue", "blue", "Blue");
        check_set("inner", "(rate: 0.25)", "rate: 0.25");
        check_set("inner.count", "0", "inner.count: must be from 1 to 9, is 0");
        check_set("inner.count", "many", "inner.count: `many` is not valid");
        check_set(
            "inner.cuont",
            "1",
            "inner.cuont: there is no such parameter; did you mean `count`?",
        );
        check_set("hue.x", "1", "hue.x");
    }

    #[test]
    fn a_part_has_the_default_of_its_declaration() {
        let (outer, problems) = read("(other: (rate: 0.25))");
        assert!(problems.is_empty(), "{problems:?}");
        let mut params = Vec::new();
        outer.visit("", &mut params);
        let check = |key: &str, value: &str, default: &str| {
            let found = params.iter().find(|param| param.key == key);
            let found = found.map(|param| [&*param.value, &*param.default]);
            assert_eq!(found, Some([value, default]), "{key}");
        };
        check("inner.count", "3", "3");
        check("other.count", "8", "8");
        check("other.rate", "0.25", "0.5");
    }

    #[test]
    fn a_parameter_describes_itself() {
        let mut params = Vec::new();
        Outer::default().visit("", &mut params);
        let count = params
            .iter()
            .find(|param| param.key == "inner.count")
            .expect("it is declared");
        assert_eq!(
            (count.help.as_str(), count.unit, count.live),
            ("How many.", "games", true)
        );
        assert_eq!(
            (count.limits, count.value.as_str()),
            (Some((1.0, 9.0)), "3")
        );
        assert_eq!(
            (count.label(), count.group()),
            ("count".to_owned(), "inner".to_owned())
        );
    }
}
