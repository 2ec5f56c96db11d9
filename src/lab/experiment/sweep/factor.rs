//! What a sweep varies: a parameter with a list of values, or with a range.

use super::ExperimentError;

/// Most values of one parameter.
const MOST_VALUES: usize = 10_000;

/// A parameter and the values that it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepFactor {
    /// The path of the parameter, or its last word.
    pub key: String,
    /// Its values.
    pub domain: SweepDomain,
}

/// The values that a parameter takes.
#[derive(Clone, Debug, PartialEq)]
pub enum SweepDomain {
    /// These values, as they are written in presets.
    List(Vec<String>),
    /// Everything between two numbers.
    Range(SweepRange),
}

/// The numbers between two ends, both included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweepRange {
    /// The lower end.
    low: f64,
    /// The upper end.
    high: f64,
    /// Whether steps multiply and do not add.
    is_log: bool,
    /// The number of values in a grid.
    count: Option<usize>,
}

impl SweepFactor {
    /// Parses `KEY=VALUE,VALUE,...`, `KEY=LOW..HIGH [COUNT]` or `KEY=LOW..HIGH log [COUNT]`.
    pub fn parse(text: &str) -> Result<Self, ExperimentError> {
        let wrong = || {
            ExperimentError::Usage(format!(
                "`{text}` varies nothing; write KEY=VALUE,VALUE or 'KEY=LOW..HIGH COUNT' or \
                'KEY=LOW..HIGH log COUNT', with LOW below HIGH (and above 0 with log)"
            ))
        };
        let (key, values) = text.split_once('=').ok_or_else(wrong)?;
        let domain = match values.split_once("..") {
            Some((low, rest)) => SweepDomain::Range(range(low, rest).ok_or_else(wrong)?),
            None => SweepDomain::List(list(values).ok_or_else(wrong)?),
        };
        let key = key.trim().to_owned();
        (!key.is_empty())
            .then_some(Self { key, domain })
            .ok_or_else(wrong)
    }

    /// The values in a grid.
    pub(super) fn values(&self, is_whole: bool) -> Result<Vec<String>, ExperimentError> {
        match &self.domain {
            SweepDomain::List(values) => Ok(values.clone()),
            SweepDomain::Range(range) => {
                let count = range.count.ok_or_else(|| {
                    let message = format!(
                        "{}: a grid needs the number of values; write \
                        '{0}={1}..{2} 5', or choose --random or \
                        --latin-hypercube",
                        self.key, range.low, range.high
                    );
                    ExperimentError::Usage(message)
                })?;
                let share = |index: usize| index as f64 / (count - 1) as f64;
                let values = (0..count).map(|index| range.at(share(index), is_whole));
                let mut values: Vec<String> = values.collect();
                values.dedup();
                Ok(values)
            }
        }
    }

    /// The value at a share of the way through the domain, 0..1. All whole numbers and all values
    /// of a list are equally likely.
    pub(super) fn at(&self, share: f64, is_whole: bool) -> String {
        match &self.domain {
            SweepDomain::List(values) => {
                let place = (share * values.len() as f64) as usize;
                values[place.min(values.len() - 1)].clone()
            }
            SweepDomain::Range(range) if is_whole && !range.is_log => {
                let count = range.high.floor() - range.low.ceil() + 1.0;
                let value = range.low.ceil() + (share * count).floor();
                value.min(range.high.floor()).to_string()
            }
            SweepDomain::Range(range) => range.at(share, is_whole),
        }
    }
}

impl SweepRange {
    /// The number at a share of the way from low to high.
    fn at(&self, share: f64, is_whole: bool) -> String {
        let value = if self.is_log {
            self.low * libm::pow(self.high / self.low, share)
        } else {
            self.low + (self.high - self.low) * share
        };
        if is_whole {
            return value.round().to_string();
        }
        // Six digits are the same on every machine and easy to read.
        let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
        rounded.to_string()
    }
}

/// Reads a list; commas within brackets or quotes belong to a value.
fn list(text: &str) -> Option<Vec<String>> {
    let mut values = vec![String::new()];
    let (mut depth, mut is_quoted) = (0_i32, false);
    for letter in text.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            '(' | '[' if !is_quoted => depth += 1,
            ')' | ']' if !is_quoted => depth -= 1,
            ',' if depth == 0 && !is_quoted => {
                values.push(String::new());
                continue;
            }
            _ => {}
        }
        values.last_mut()?.push(letter);
    }
    let values: Vec<String> = values.iter().map(|value| value.trim().to_owned()).collect();
    let is_sound =
        (1..=MOST_VALUES).contains(&values.len()) && !values.iter().any(String::is_empty);
    is_sound.then_some(values)
}

/// Reads a range from its lower end and what follows the two dots.
fn range(low: &str, rest: &str) -> Option<SweepRange> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let (high, is_log, count) = match words[..] {
        [high] => (high, false, None),
        [high, "log"] => (high, true, None),
        [high, count] => (high, false, Some(count)),
        [high, "log", count] => (high, true, Some(count)),
        _ => return None,
    };
    let count: Option<usize> = count.map(str::parse).transpose().ok()?;
    let (low, high): (f64, f64) = (low.trim().parse().ok()?, high.parse().ok()?);
    let fits = low.is_finite() && high.is_finite() && low < high && (low > 0.0 || !is_log);
    let is_countable = count.is_none_or(|count| (2..=MOST_VALUES).contains(&count));
    (fits && is_countable).then_some(SweepRange {
        low,
        high,
        is_log,
        count,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str, is_whole: bool) -> Option<Vec<String>> {
        SweepFactor::parse(text).ok()?.values(is_whole).ok()
    }

    #[test]
    fn lists_and_ranges_are_read() {
        let check = |text, is_whole, expected: &[&str]| {
            let expected = expected.iter().map(ToString::to_string).collect();
            assert_eq!(values(text, is_whole), Some(expected), "{text}");
        };
        check("add_node=0.1, 0.2", false, &["0.1", "0.2"]);
        check("layers=[8,8],[16]", false, &["[8,8]", "[16]"]);
        check("until=\"a,b\",\"c\"", false, &["\"a,b\"", "\"c\""]);
        check("step=0..1 3", false, &["0", "0.5", "1"]);
        check("step=0.1..10 log 3", false, &["0.1", "1", "10"]);
        check("size=1..3 9", true, &["1", "2", "3"]);
        check("size=10..1000 log 3", true, &["10", "100", "1000"]);
        for wrong in [
            "step",
            "=1",
            "step=1,,2",
            "step=1..0 3",
            "step=0..1 log 3",
            "step=0..1",
            "step=0..1 1",
            "step=0..x 3",
        ] {
            assert_eq!(values(wrong, false), None, "{wrong}");
        }
    }

    #[test]
    fn shares_of_a_domain_are_values_in_it() {
        let check = |text, share, is_whole, expected: &str| {
            let factor = SweepFactor::parse(text).expect("it is sound");
            assert_eq!(factor.at(share, is_whole), expected, "{text} at {share}");
        };
        check("step=0..2", 0.25, false, "0.5");
        check("step=0.1..10 log", 0.75, false, "3.16228");
        check("size=1..4", 0.0, true, "1");
        check("size=1..4", 0.26, true, "2");
        check("size=1..4", 0.999, true, "4");
        check("kind=a,b,c", 0.34, false, "b");
    }
}
