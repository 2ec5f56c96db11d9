//! An expression that selects runs: conditions such as `population>=100`, joined by `and` and `or`.
//! `and` binds more strongly. It is read and applied here; what is known of a run is handed in. It
//! knows no files and no screen.

use std::cmp::Ordering;
use std::fmt;
use std::iter::Peekable;
use std::sync::Arc;
use std::vec::IntoIter;

use thiserror::Error;

use self::facts::plain;
pub use self::facts::{FactNames, FactValue, RunFacts};
use self::tokens::{FilterToken, tokens};

mod facts;
mod tokens;

/// Why a text is not a filter, and what would be one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct FilterError(String);

/// Conditions on runs. Without a condition, it fits every run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunFilter {
    /// Alternatives, each a list of conditions that must all be met.
    any: Vec<Vec<FilterCondition>>,
}

/// A comparison of something known of a run with a value.
#[derive(Clone, Debug, PartialEq)]
struct FilterCondition {
    subject: FilterSubject,
    sign: FilterSign,
    /// The value as texts are compared.
    text: String,
    /// The value, if it is a number; a percentage as a fraction of 1.
    number: Option<f64>,
}

/// What a condition is about.
#[derive(Clone, Debug, PartialEq, Eq)]
enum FilterSubject {
    /// The name of the run.
    Name,
    /// Any of its tags.
    Tag,
    /// A value, by its full name.
    Value(Arc<str>),
}

/// How a condition compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FilterSign {
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Contains,
}

/// The signs as they are typed.
const SIGNS: [(&str, FilterSign); 7] = [
    ("=", FilterSign::Equal),
    ("!=", FilterSign::NotEqual),
    ("<", FilterSign::Less),
    ("<=", FilterSign::AtMost),
    (">", FilterSign::Greater),
    (">=", FilterSign::AtLeast),
    ("~", FilterSign::Contains),
];

impl fmt::Display for FilterSign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = SIGNS.iter().find(|(_, sign)| sign == self);
        f.write_str(found.map_or("", |(text, _)| text))
    }
}

impl FilterSign {
    /// Whether it asks which of two numbers is greater.
    fn is_order(self) -> bool {
        matches!(
            self,
            Self::Less | Self::AtMost | Self::Greater | Self::AtLeast
        )
    }

    fn accepts(self, order: Ordering) -> bool {
        match self {
            Self::Less => order.is_lt(),
            Self::AtMost => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::AtLeast => order.is_ge(),
            Self::Equal | Self::NotEqual | Self::Contains => false,
        }
    }
}

impl RunFilter {
    /// Reads `KEY OP VALUE` conditions and words of names, joined by `and` and `or`. A key is one
    /// of `names`, in full or by its last word, or `name` or `tag`.
    pub fn parse(text: &str, names: &FactNames) -> Result<Self, FilterError> {
        let mut tokens = tokens(text)?.into_iter().peekable();
        if tokens.peek().is_none() {
            return Ok(Self::default());
        }
        let (mut any, mut all) = (Vec::new(), Vec::new());
        let mut before = None;
        loop {
            all.push(condition(&mut tokens, names, before)?);
            match tokens.next() {
                None => break,
                Some(joint) if joint.is_word("and") => before = Some("and"),
                Some(joint) if joint.is_word("or") => {
                    before = Some("or");
                    any.push(std::mem::take(&mut all));
                }
                Some(other) => return Err(not_joined(&other)),
            }
        }
        any.push(all);
        Ok(Self { any })
    }

    /// Whether it fits every run.
    pub fn is_empty(&self) -> bool {
        self.any.is_empty()
    }

    /// Whether a run fits. A run without a value meets no condition on it.
    pub fn fits(&self, run: &RunFacts) -> bool {
        let is_met = |all: &Vec<FilterCondition>| all.iter().all(|one| one.is_met(run));
        self.any.is_empty() || self.any.iter().any(is_met)
    }
}

fn not_joined(token: &impl fmt::Display) -> FilterError {
    FilterError(format!("write `and` or `or` before `{token}`"))
}

/// Reads a condition; `before` is the word that announced it.
fn condition(
    tokens: &mut Peekable<IntoIter<FilterToken>>,
    names: &FactNames,
    before: Option<&str>,
) -> Result<FilterCondition, FilterError> {
    let key = match tokens.next() {
        Some(FilterToken::Quoted(text)) => return Ok(FilterCondition::name_has(&text)),
        Some(FilterToken::Sign(sign)) => {
            let what =
                format!("`{sign}` has nothing before it; write for example population{sign}60");
            return Err(FilterError(what));
        }
        Some(token @ FilterToken::Word(_)) if token.is_joint() => {
            return Err(FilterError(format!("`{token}` has no condition before it")));
        }
        Some(FilterToken::Word(key)) => key,
        None => {
            let before = before.unwrap_or_default();
            return Err(FilterError(format!("`{before}` has no condition after it")));
        }
    };
    // The names of parameters are shown with spaces.
    let mut words = vec![key];
    let is_more = |token: &FilterToken| matches!(token, FilterToken::Word(_)) && !token.is_joint();
    words.extend(std::iter::from_fn(|| tokens.next_if(is_more)).map(|more| more.to_string()));
    let sign = tokens.next_if(|token| matches!(token, FilterToken::Sign(_)));
    let Some(FilterToken::Sign(sign)) = sign else {
        return match &words[1..] {
            [] => Ok(FilterCondition::name_has(&words[0])),
            [second, ..] => Err(not_joined(second)),
        };
    };
    let key = words.join("_");
    let value = tokens.next_if(|token| !token.is_joint());
    match value {
        Some(FilterToken::Word(value) | FilterToken::Quoted(value)) => {
            FilterCondition::checked(&key, sign, &value, names)
        }
        Some(FilterToken::Sign(_)) | None => {
            Err(FilterError(format!("`{key}{sign}` has no value after it")))
        }
    }
}

impl FilterCondition {
    /// The name of a run contains a text.
    fn name_has(text: &str) -> Self {
        Self::new(FilterSubject::Name, FilterSign::Contains, text)
    }

    fn new(subject: FilterSubject, sign: FilterSign, value: &str) -> Self {
        Self {
            subject,
            sign,
            text: plain(value),
            number: number(value),
        }
    }

    /// A condition on something that is known of runs.
    fn checked(
        key: &str,
        sign: FilterSign,
        value: &str,
        names: &FactNames,
    ) -> Result<Self, FilterError> {
        let (subject, is_number) = match key {
            "name" => (FilterSubject::Name, false),
            "tag" => (FilterSubject::Tag, false),
            key => {
                let (full, is_number) = names.find(key)?;
                (FilterSubject::Value(full), is_number)
            }
        };
        let condition = Self::new(subject, sign, value);
        if sign.is_order() && !is_number {
            let what = format!("`{key}` is not a number; compare it with = != or ~");
            return Err(FilterError(what));
        }
        if sign.is_order() && condition.number.is_none() {
            let what = format!("`{value}` is not a number; `{sign}` compares numbers");
            return Err(FilterError(what));
        }
        Ok(condition)
    }

    fn is_met(&self, run: &RunFacts) -> bool {
        match &self.subject {
            FilterSubject::Name => self.is_met_by_text(run.name()),
            FilterSubject::Tag if self.sign == FilterSign::NotEqual => {
                run.tags().iter().all(|tag| *tag != self.text)
            }
            FilterSubject::Tag => run.tags().iter().any(|tag| self.is_met_by_text(tag)),
            FilterSubject::Value(name) => run.value(name).is_some_and(|it| self.is_met_by(it)),
        }
    }

    fn is_met_by(&self, value: &FactValue) -> bool {
        if self.sign.is_order() {
            let order = value.number().zip(self.number);
            let order = order.and_then(|(value, bound)| value.partial_cmp(&bound));
            return order.is_some_and(|order| self.sign.accepts(order));
        }
        match value {
            FactValue::Text(text) => self.is_met_by_text(text),
            FactValue::Number(number) if self.sign == FilterSign::Contains => {
                number.to_string().contains(&self.text)
            }
            FactValue::Number(number) => {
                let order = self.number.and_then(|wanted| number.partial_cmp(&wanted));
                (order == Some(Ordering::Equal)) == (self.sign == FilterSign::Equal)
            }
        }
    }

    fn is_met_by_text(&self, text: &str) -> bool {
        match self.sign {
            FilterSign::Equal => text == self.text,
            FilterSign::NotEqual => text != self.text,
            _ => text.contains(&self.text),
        }
    }
}

/// The number that a text is, or the fraction that a percentage is.
fn number(text: &str) -> Option<f64> {
    let (digits, unit) = match text.strip_suffix('%') {
        Some(digits) => (digits, 100.0),
        None => (text, 1.0),
    };
    let number: f64 = digits.trim().parse().ok()?;
    number.is_finite().then_some(number / unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two runs: `Nim-7` and `reversi-8`.
    fn runs() -> ([RunFacts; 2], FactNames) {
        let mut names = FactNames::default();
        let number = |value: f64| FactValue::Number(value);
        let mut nim = RunFacts::new("Nim-7", &["best".to_owned(), "Paper".to_owned()]);
        let mut reversi = RunFacts::new("reversi-8", &[]);
        for (key, value) in [
            ("game", FactValue::read("nim")),
            ("seed", FactValue::text("18446744073709551615")),
            ("game.heaps", FactValue::read("[4, 4]")),
            ("game.step", number(3.0)),
            ("evolution.population", FactValue::read("100")),
            ("genome.add_node", FactValue::read("0.05")),
            ("accuracy_states", number(0.9)),
        ] {
            nim.set(&mut names, key, value);
        }
        for (key, value) in [
            ("game", FactValue::read("reversi")),
            ("seed", FactValue::text("8")),
            ("evolution.population", FactValue::read("60")),
            ("evolution.mutation.step", number(0.1)),
        ] {
            reversi.set(&mut names, key, value);
        }
        ([nim, reversi], names)
    }

    /// Checks which of the two runs fit.
    fn check(text: &str, expected: [bool; 2]) {
        let (runs, names) = runs();
        let filter = RunFilter::parse(text, &names);
        let filter = filter.unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(runs.map(|run| filter.fits(&run)), expected, "{text}");
    }

    fn check_error(text: &str, expected: &str) {
        let (_, names) = runs();
        let error = RunFilter::parse(text, &names).expect_err(text);
        assert_eq!(error.to_string(), expected, "{text}");
    }

    #[test]
    fn each_operator_compares_numbers_or_texts() {
        check("population=100", [true, false]);
        check("population=100.0", [true, false]);
        check("population!=100", [false, true]);
        check("population<100", [false, true]);
        check("population<=60", [false, true]);
        check("population>60", [true, false]);
        check("population>=60", [true, true]);
        check("population~0", [true, true]);
        check("population=many", [false, false]);
        check("population!=many", [true, true]);
        check("game=NIM", [true, false]);
        check("game!=nim", [false, true]);
        check("game~ers", [false, true]);
        check("evolution.population > 60", [true, false]);
        check("game.heaps=[4,4]", [true, false]);
        check("heaps = [4, 4]", [true, false]);
        check("heaps~4", [true, false]);
        check("accuracy_states>=90%", [true, false]);
        check("accuracy_states>90%", [false, false]);
        check("add_node>-1e3", [true, false]);
        check("add node > 0.01 and nim", [true, false]);
        check("accuracy states>=90%", [true, false]);
    }

    #[test]
    fn a_seed_is_compared_to_its_last_digit() {
        check("seed=18446744073709551615", [true, false]);
        check("seed=18446744073709551614", [false, false]);
        check("seed>8", [true, false]);
    }

    #[test]
    fn a_run_without_a_value_meets_no_condition_on_it() {
        for sign in ["=", "!=", "<", ">=", "~"] {
            let text = format!("add_node{sign}0.05");
            let (runs, names) = runs();
            let filter = RunFilter::parse(&text, &names).expect("it is a filter");
            assert!(!filter.fits(&runs[1]), "{text}");
        }
    }

    #[test]
    fn a_word_is_part_of_the_name_and_a_tag_is_one_of_several() {
        check("", [true, true]);
        check("  ", [true, true]);
        check("nim", [true, false]);
        check("\"-8\"", [false, true]);
        check("name=nim-7", [true, false]);
        check("name!=nim-7", [false, true]);
        check("tag=best", [true, false]);
        check("tag=paper", [true, false]);
        check("tag!=best", [false, true]);
        check("tag~pap", [true, false]);
        check("tag=pap", [false, false]);
    }

    #[test]
    fn and_binds_more_strongly_than_or() {
        check("nim and population=100", [true, false]);
        check("nim and population=60", [false, false]);
        check("nim or reversi", [true, true]);
        check("nim or reversi and population>60", [true, false]);
        check("population>60 and reversi or nim", [true, false]);
        check("reversi and population>60 or reversi", [false, true]);
        check("nim AND population=100 Or x", [true, false]);
    }

    #[test]
    fn a_mistake_is_named_with_what_is_possible() {
        check_error(
            ">3",
            "`>` has nothing before it; write for example population>60",
        );
        check_error("population>", "`population>` has no value after it");
        check_error("population> and nim", "`population>` has no value after it");
        check_error("population > < 3", "`population>` has no value after it");
        check_error(
            "population>many",
            "`many` is not a number; `>` compares numbers",
        );
        check_error("population<=", "`population<=` has no value after it");
        check_error(
            "population>1e999",
            "`1e999` is not a number; `>` compares numbers",
        );
        check_error(
            "game>3",
            "`game` is not a number; compare it with = != or ~",
        );
        check_error("tag<3", "`tag` is not a number; compare it with = != or ~");
        check_error("nim reversi", "write `and` or `or` before `reversi`");
        check_error("nim and", "`and` has no condition after it");
        check_error("nim or", "`or` has no condition after it");
        check_error("and nim", "`and` has no condition before it");
        check_error("nim and or nim", "`or` has no condition before it");
        check_error(
            "population==3",
            "`==` is not an operator; there are = != < <= > >= ~",
        );
        check_error("heaps=[4", "`[` has no end");
        check_error("name=\"a", "`\"` has no end");
        check_error(
            "popultion>3",
            "no run has `popultion`; did you mean `population`?",
        );
        check_error("taq=best", "no run has `taq`; did you mean `tag`?");
        check_error(
            "genome.add_nod=1",
            "no run has `genome.add_nod`; did you mean `genome.add_node`?",
        );
        check_error(
            "zzz=1",
            "no run has `zzz`; there are name, tag, parameters such as population, and columns \
            such as accuracy_states",
        );
        check_error(
            "step>0",
            "`step` could be `evolution.mutation.step` or `game.step`; give the whole path",
        );
    }
}
